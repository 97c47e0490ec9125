import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.BaseRobotsParser;
import io.github.librobots.crawlercommons.LibrobotsParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A filter as Nutch and StormCrawler use crawler-commons: one parser for the names of the crawler, a cache of rules by site, and only
 * the types of crawler-commons in the rest of the program. Only the line that makes the parser names librobots.
 *
 * <p>On the class path: the jars of librobots, librobots-crawler-commons, crawler-commons and slf4j-api.
 *
 * <pre>java -cp ... examples/java/RobotsFilter.java robots.txt examplebot,other &lt; urls</pre>
 */
public class RobotsFilter {
    private final BaseRobotsParser parser = new LibrobotsParser();
    private final Map<String, BaseRobotRules> cache = new ConcurrentHashMap<>();
    private final List<String> agentNames;

    RobotsFilter(List<String> agentNames) {
        this.agentNames = agentNames;
    }

    /** Returns the rules of a site. {@code status} is that of the fetch; {@code body} is used for 200 only. */
    BaseRobotRules rules(String site, int status, byte[] body) {
        return cache.computeIfAbsent(site, s -> status == 200
                ? parser.parseContent(s + "/robots.txt", body, "text/plain", agentNames)
                : parser.failedFetch(status));
    }

    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            System.err.println("usage: RobotsFilter FILE NAME,... < URLS");
            System.exit(2);
        }
        List<String> names = new ArrayList<>();
        for (String name : args[1].split(",")) {
            names.add(name);
        }
        BaseRobotRules rules = new RobotsFilter(names).rules("https://example.com", 200, Files.readAllBytes(Paths.get(args[0])));
        System.out.println("crawl-delay "
                + (rules.getCrawlDelay() == BaseRobotRules.UNSET_CRAWL_DELAY ? "none" : rules.getCrawlDelay() + " ms"));
        rules.getSitemaps().forEach(s -> System.out.println("sitemap " + s));
        BufferedReader urls = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String url; (url = urls.readLine()) != null;) {
            System.out.println((rules.isAllowed(url) ? "allowed    " : "disallowed ") + url);
        }
    }
}
