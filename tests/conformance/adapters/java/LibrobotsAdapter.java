import io.github.librobots.Crawler;
import io.github.librobots.Dialect;
import io.github.librobots.Reason;
import io.github.librobots.Rules;
import io.github.librobots.Verdict;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** The adapter for librobots in Java. */
public final class LibrobotsAdapter {
    private LibrobotsAdapter() {}

    public static void main(String[] args) throws IOException {
        Fields.serve("librobots-java " + args[0], LibrobotsAdapter::answer);
    }

    private static Crawler crawler(Fields it) {
        List<byte[]> agents = it.all("agent");
        Crawler.Builder builder = Crawler.builder(new String(agents.get(0), StandardCharsets.UTF_8))
                .dialect(Dialect.valueOf(it.text("dialect").toUpperCase(Locale.ROOT)));
        for (byte[] option : it.all("option")) {
            String[] words = new String(option, StandardCharsets.UTF_8).split(":");
            boolean is = !words[1].equals("0");
            switch (words[0]) {
                case "max_bytes": builder.maxBytes(Integer.parseInt(words[1])); break;
                case "ignore_star": builder.ignoreStar(is); break;
                case "merge_tokens": builder.mergeTokens(is); break;
                default: builder.crawlDelayEndsAgents(is);
            }
        }
        for (byte[] agent : agents.subList(1, agents.size())) {
            builder.fallback(new String(agent, StandardCharsets.UTF_8));
        }
        return builder.build();
    }

    private static String answer(Fields it) {
        String kind = it.text("kind");
        if (!List.of("check", "crawl-delay", "sitemaps").contains(kind)) {
            return "unsupported " + kind;
        }
        try (Crawler crawler = crawler(it); Rules rules = crawler.parse(it.bytes("robots"))) {
            if (kind.equals("crawl-delay")) {
                return "value " + (rules.crawlDelay().isPresent() ? number(rules.crawlDelay().getAsDouble()) : "none");
            }
            if (kind.equals("sitemaps")) {
                StringBuilder all = new StringBuilder("value");
                rules.sitemaps().forEach(sitemap -> all.append(' ').append(Fields.escaped(sitemap)));
                // A String cannot hold what is not UTF-8.
                return all.indexOf("%EF%BF%BD") < 0 ? all.toString() : "unsupported bytes";
            }
            Verdict verdict = rules.check(it.bytes("url"));
            if (verdict.reason() == Reason.NONE) {
                return "error " + verdict.status();
            }
            boolean isOutage = verdict.reason() == Reason.UNREACHABLE || verdict.reason() == Reason.DEFER;
            return (verdict.allowed() ? "allow " : isOutage ? "defer " : "deny ") + verdict.line();
        }
    }

    private static String number(double seconds) {
        return seconds == Math.rint(seconds) ? String.valueOf((long) seconds) : String.valueOf(seconds);
    }
}
