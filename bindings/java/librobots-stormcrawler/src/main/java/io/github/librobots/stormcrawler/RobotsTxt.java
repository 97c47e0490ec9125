package io.github.librobots.stormcrawler;

import crawlercommons.robots.BaseRobotRules;
import io.github.librobots.Fetch;
import io.github.librobots.crawlercommons.LibrobotsParser;
import io.github.librobots.crawlercommons.LibrobotsSites;
import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.stormcrawler.Metadata;
import org.apache.stormcrawler.protocol.Protocol;
import org.apache.stormcrawler.protocol.ProtocolResponse;

/** StormCrawler's settings and protocols for {@link LibrobotsSites}. Any number of threads may use it at once. */
final class RobotsTxt {
    private static final byte[] EMPTY = {};
    private static final String[] LENGTH = {"length"}, NOT_TRIMMED = {"false"};
    /** One byte more than counts shows whether the last line is complete. */
    private static final int MAX_BYTES = 512_001;

    private final LibrobotsSites sites;

    RobotsTxt(Config conf) {
        Collection<String> names = names(conf);
        LibrobotsParser parser = LibrobotsParser.forNames(names);
        parser.setMaxCrawlDelay(Long.MAX_VALUE); // StormCrawler has a limit of its own, fetcher.max.crawl.delay
        sites = new LibrobotsSites(parser, names);
    }

    /** Returns {@code http.agent.name}, then {@code http.robots.agents}: a list, or one string with commas. */
    private static Collection<String> names(Config conf) {
        Collection<String> names = new LinkedHashSet<>();
        Object name = conf.get("http.agent.name");
        if (name != null) {
            names.add(name.toString().trim());
        }
        Object more = conf.get("http.robots.agents");
        for (Object entry : more instanceof Collection ? (Collection<?>) more : more == null ? List.of() : List.of(more)) {
            for (String one : entry.toString().split(",")) {
                if (!one.isBlank()) {
                    names.add(one.trim());
                }
            }
        }
        return names;
    }

    /** Returns the rules for a URL. Fetches the robots.txt through {@code http} if it has none, or an old one. */
    BaseRobotRules rules(Protocol http, String url) {
        return sites.rules(url, (fetch, left, clock) -> get(http, fetch, clock));
    }

    private static void get(Protocol http, Fetch fetch, Clock clock) throws Exception {
        Metadata limit = new Metadata();
        limit.addValue("http.content.limit", Integer.toString(MAX_BYTES));
        ProtocolResponse response = http.getProtocolOutput(fetch.url(), limit);
        Map<String, String[]> headers = new HashMap<>();
        Metadata metadata = response.getMetadata();
        for (String name : metadata.keySet()) { // by the protocol, in lower case or as sent
            headers.put(name.toLowerCase(Locale.ROOT), metadata.getValues(name));
        }
        boolean isCut = headers.getOrDefault("http.trimmed", NOT_TRIMMED)[0].equalsIgnoreCase("true");
        String cutBy = isCut ? headers.getOrDefault("http.trimmed.reason", LENGTH)[0] : null;
        byte[] body = response.getContent() == null ? EMPTY : response.getContent();
        LibrobotsSites.report(fetch, clock, response.getStatusCode(), headers, body, cutBy);
    }
}
