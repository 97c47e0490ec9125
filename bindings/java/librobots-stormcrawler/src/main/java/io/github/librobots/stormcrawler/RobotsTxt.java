package io.github.librobots.stormcrawler;

import crawlercommons.robots.BaseRobotRules;
import io.github.librobots.crawlercommons.LibrobotsParser;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.stormcrawler.Metadata;
import org.apache.stormcrawler.protocol.Protocol;
import org.apache.stormcrawler.protocol.ProtocolResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches and parses robots.txt files by RFC 9309: after a failure the rules of a site allow nothing and defer. Any number of
 * threads may use it at once.
 */
final class RobotsTxt {
    private static final Logger LOG = LoggerFactory.getLogger(RobotsTxt.class);

    private static final int MAX_SITES = 50_000;
    private static final int LOCKS = 1024;
    private static final int MAX_REDIRECTS = 5;
    /** One byte more than counts shows whether the last line is complete. */
    private static final int MAX_BYTES = 512_001;
    private static final long TTL = 24L * 3600 * 1000;
    /** The time before an unreachable robots.txt is fetched again. */
    private static final long TTL_UNREACHABLE = 10L * 60 * 1000;

    private final Collection<String> names;
    private final LibrobotsParser parser;
    /** Made in advance, so that a failure needs nothing. */
    private final BaseRobotRules unreachable;
    /** One fetch at a time for each site; some sites share a lock. */
    private final Object[] locks = new Object[LOCKS];

    private final Map<String, Site> sites = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Site> eldest) {
            return size() > MAX_SITES;
        }
    };

    private static final class Site {
        final BaseRobotRules rules;
        final long until;

        Site(BaseRobotRules rules, long until) {
            this.rules = rules;
            this.until = until;
        }
    }

    RobotsTxt(Config conf) {
        Arrays.setAll(locks, i -> new Object());
        names = names(conf);
        parser = LibrobotsParser.forNames(names);
        parser.setMaxCrawlDelay(Long.MAX_VALUE); // StormCrawler has a limit of its own, fetcher.max.crawl.delay
        unreachable = parser.failedFetch(503);
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

    /** Returns rules that allow nothing and defer. */
    BaseRobotRules unreachable() {
        return unreachable;
    }

    /** Returns the rules for a URL. Fetches the robots.txt through {@code http} if it has none, or an old one. */
    BaseRobotRules rules(Protocol http, URL url) {
        int port = url.getPort() == -1 ? url.getDefaultPort() : url.getPort();
        String origin = url.getProtocol().toLowerCase(Locale.ROOT) + "://" + url.getHost().toLowerCase(Locale.ROOT) + ":" + port;
        synchronized (locks[Math.floorMod(origin.hashCode(), LOCKS)]) { // other threads wait for the fetch of their site
            BaseRobotRules rules = cached(origin);
            if (rules == null) {
                try {
                    rules = fetch(http, new URL(url, "/robots.txt"));
                } catch (Exception | LinkageError e) {
                    LOG.warn("the robots.txt of {} cannot be had", origin, e);
                    rules = unreachable;
                }
                long ttl = rules.isDeferVisits() ? TTL_UNREACHABLE : TTL;
                synchronized (sites) {
                    sites.put(origin, new Site(rules, System.currentTimeMillis() + ttl));
                }
            }
            return rules;
        }
    }

    private BaseRobotRules cached(String origin) {
        synchronized (sites) {
            Site site = sites.get(origin);
            return site != null && System.currentTimeMillis() < site.until ? site.rules : null;
        }
    }

    private BaseRobotRules fetch(Protocol http, URL robotsTxt) throws Exception {
        Metadata limit = new Metadata();
        limit.addValue("http.content.limit", Integer.toString(MAX_BYTES));
        URL target = robotsTxt;
        for (int redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
            ProtocolResponse response = http.getProtocolOutput(target.toString(), limit);
            int status = response.getStatusCode();
            if (status >= 200 && status < 300) {
                byte[] content = response.getContent() == null ? new byte[0] : response.getContent();
                return parser.parseContent(robotsTxt.toString(), wholeLines(content, response.getMetadata()), "text/plain", names);
            }
            String location = first(response.getMetadata(), "location");
            if (status < 300 || status >= 400) {
                return parser.failedFetch(status < 300 ? 503 : status);
            } else if (location == null || (target = resolve(target, location)) == null) {
                break;
            }
        }
        return parser.failedFetch(404); // SPEC 2.3: as if there were no robots.txt
    }

    private static URL resolve(URL base, String location) {
        try {
            URL target = new URL(base, location);
            return target.getProtocol().toLowerCase(Locale.ROOT).startsWith("http") ? target : null;
        } catch (MalformedURLException e) {
            return null;
        }
    }

    /** Returns the file. Where a limit cut it, the last line is dropped: half a path could be another rule. */
    private static byte[] wholeLines(byte[] bytes, Metadata metadata) {
        if (!"true".equalsIgnoreCase(first(metadata, "http.trimmed"))) {
            return bytes;
        }
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] != '\n') {
            length--;
        }
        return Arrays.copyOf(bytes, length);
    }

    /** Returns a value. The names of headers are in lower case or as sent, by the protocol. */
    private static String first(Metadata metadata, String name) {
        String value = metadata.getFirstValue(name);
        return value != null ? value : metadata.getFirstValue(Character.toUpperCase(name.charAt(0)) + name.substring(1));
    }
}
