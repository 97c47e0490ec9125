import io.github.librobots.Crawler;
import io.github.librobots.Dialect;
import io.github.librobots.Fetch;
import io.github.librobots.Origin;
import io.github.librobots.Outcome;
import io.github.librobots.PageControls;
import io.github.librobots.Preferences;
import io.github.librobots.Rules;
import io.github.librobots.Verdict;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
        if (kind.equals("origin")) {
            byte[] url = it.bytes("url");
            byte[] found = Origin.findRobotsUrl(url, 0, url.length);
            return found == null ? "error" : "value " + Fields.escaped(new String(found, StandardCharsets.UTF_8));
        }
        if (kind.equals("governs")) {
            return Origin.of(it.text("robots_url")).governs(it.text("url")) ? "value yes" : "value no";
        }
        try (Crawler crawler = crawler(it)) {
            switch (kind) {
                case "fetch": return word(play(crawler, it).check(it.text("url"), time(it.bytes("at"))));
                case "due": return due(crawler, it);
                case "preferences": return preferences(crawler, it);
                case "page": case "page-usage": return page(crawler, it);
                default: return ofRules(crawler, it);
            }
        }
    }

    private static String ofRules(Crawler crawler, Fields it) {
        try (Rules rules = crawler.parse(it.bytes("robots"))) {
            switch (it.text("kind")) {
                case "crawl-delay":
                    return "value " + (rules.crawlDelay().isPresent() ? number(rules.crawlDelay().getAsDouble()) : "none");
                case "sitemaps":
                    StringBuilder all = new StringBuilder("value");
                    rules.sitemaps().forEach(sitemap -> all.append(' ').append(Fields.escaped(sitemap)));
                    // A String cannot hold what is not UTF-8.
                    return all.indexOf("%EF%BF%BD") < 0 ? all.toString() : "unsupported bytes";
                default:
                    Verdict verdict = rules.check(it.bytes("url"));
                    return word(verdict) + " " + verdict.line();
            }
        }
    }

    private static String word(Verdict verdict) {
        switch (verdict.reason()) {
            case NONE: return "error " + verdict.status();
            case UNREACHABLE: case DEFER: return "defer";
            default: return verdict.allowed() ? "allow" : "deny";
        }
    }

    private static Instant time(byte[] seconds) {
        return Instant.ofEpochSecond(Long.parseLong(new String(seconds, StandardCharsets.US_ASCII)));
    }

    /** Plays the attempts, and returns the last outcome. */
    private static Outcome play(Crawler crawler, Fields it) {
        Outcome last = null;
        Instant now = null;
        Fetch fetch = null;
        String header = null;
        for (Fields.Field field : it.fields()) {
            switch (field.name) {
                case "attempt":
                    now = time(field.value);
                    fetch = Fetch.begin(it.text("site"), now, crawler);
                    if (last != null) {
                        fetch.setPrevious(last);
                    }
                    break;
                case "status": fetch.status(Integer.parseInt(field.text()), now); break;
                case "header": header = field.latin1(); break;
                case "value": fetch.header(header, field.latin1()); break;
                case "body":
                    fetch.headersEnd();
                    if (fetch.step() == Fetch.Step.BODY) {
                        fetch.body(field.value, 0, field.value.length);
                    }
                    break;
                case "end":
                    if (field.value.length > 0) {
                        String failure = field.text().replace("encodedbody", "encoded_body");
                        fetch.fail(Fetch.Failure.valueOf(failure.toUpperCase(Locale.ROOT)), now);
                    } else {
                        fetch.end();
                    }
                    if (fetch.step() == Fetch.Step.DONE) {
                        last = fetch.outcome();
                        fetch.close();
                    }
                    break;
                default:
            }
        }
        return last;
    }

    private static String due(Crawler crawler, Fields it) {
        List<byte[]> attempts = it.all("attempt");
        Instant now = time(attempts.get(attempts.size() - 1));
        return "value " + Duration.between(now, play(crawler, it).retryAt()).getSeconds();
    }

    private static String preferences(Crawler crawler, Fields it) {
        StringBuilder out = new StringBuilder("value");
        for (Preferences.Preference one : crawler.extensions(it.bytes("robots")).preferences(it.text("url")).all()) {
            String vocabulary = one.vocabulary().name().toLowerCase(Locale.ROOT).replace('_', '-');
            out.append(' ').append(vocabulary).append(':').append(Fields.escaped(one.label())).append('=')
                    .append("ny?".charAt(one.choice().ordinal()));
        }
        return out.toString();
    }

    private static String page(Crawler crawler, Fields it) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        it.pairs("header", (name, value) -> headers.computeIfAbsent(name.latin1(), any -> new ArrayList<>()).add(value.latin1()));
        try (PageControls page = PageControls.of(crawler, headers)) {
            it.pairs("meta", (name, content) -> page.addMeta(name.text(), content.text()));
            String control = it.text("control");
            return "value " + (it.text("kind").equals("page")
                    ? String.valueOf(page.value(PageControls.Control.valueOf(control.toUpperCase(Locale.ROOT))))
                    : page.usage(control).name().toLowerCase(Locale.ROOT));
        }
    }

    private static String number(double seconds) {
        return seconds == Math.rint(seconds) ? String.valueOf((long) seconds) : String.valueOf(seconds);
    }
}
