import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.SimpleRobotRulesParser;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The adapter for crawler-commons. */
public final class CrawlerCommonsAdapter {
    private CrawlerCommonsAdapter() {}

    public static void main(String[] args) throws IOException {
        Fields.serve("crawler-commons " + args[0], CrawlerCommonsAdapter::answer);
    }

    private static String answer(Fields it) {
        String kind = it.text("kind");
        boolean isKnown = List.of("check", "crawl-delay", "sitemaps").contains(kind);
        if (!isKnown || !it.text("dialect").equals("rfc9309") || !it.all("option").isEmpty() || it.all("agent").size() > 1) {
            return "unsupported";
        }
        List<String> agents = new ArrayList<>();
        agents.add(it.text("agent").toLowerCase(Locale.ROOT)); // as its documentation asks
        SimpleRobotRulesParser parser = new SimpleRobotRulesParser(Long.MAX_VALUE, 100);
        BaseRobotRules rules = parser.parseContent("https://example.com/robots.txt", it.bytes("robots"), "text/plain", agents);
        if (kind.equals("crawl-delay")) {
            long delay = rules.getCrawlDelay();
            return "value " + (delay == BaseRobotRules.UNSET_CRAWL_DELAY ? "none" : delay % 1000 == 0 ? delay / 1000 : delay / 1000.0);
        }
        if (kind.equals("sitemaps")) {
            StringBuilder all = new StringBuilder("value");
            rules.getSitemaps().forEach(sitemap -> all.append(' ').append(Fields.escaped(sitemap)));
            return all.toString();
        }
        if (!it.isText("url")) {
            return "unsupported bytes";
        }
        String text = it.text("url");
        return rules.isAllowed(text.startsWith("/") ? "https://example.com" + text : text) ? "allow" : "deny";
    }
}
