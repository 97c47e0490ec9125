package io.github.librobots.nutch;

import crawlercommons.robots.BaseRobotRules;
import io.github.librobots.crawlercommons.LibrobotsParser;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.net.protocols.Response;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.protocol.Protocol;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.ProtocolStatus;
import org.apache.nutch.protocol.RobotRulesParser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches and parses robots.txt files by RFC 9309: after a failure the rules of a site allow nothing and defer. Any number of
 * threads may use it at once.
 */
final class RobotsTxt extends RobotRulesParser {
    private static final Logger LOG = LoggerFactory.getLogger(RobotsTxt.class);

    private static final int MAX_SITES = 50_000;
    private static final int LOCKS = 1024;
    private static final long TTL = 24L * 3600 * 1000;
    /** The time before an unreachable robots.txt is fetched again. */
    private static final long TTL_UNREACHABLE = 10L * 60 * 1000;

    private LibrobotsParser parser;
    /** Made in advance, so that a failure needs nothing. */
    private BaseRobotRules unreachable;

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

    /** One fetch at a time for each site; some sites share a lock. */
    private final Object[] locks = new Object[LOCKS];

    RobotsTxt(Configuration conf) {
        Arrays.setAll(locks, i -> new Object());
        setConf(conf);
    }

    @Override
    public void setConf(Configuration conf) {
        super.setConf(conf);
        parser = LibrobotsParser.forNames(agentNames);
        unreachable = parser.failedFetch(503);
    }

    /** Returns rules that allow nothing and defer. */
    BaseRobotRules unreachable() {
        return unreachable;
    }

    @Override
    public BaseRobotRules parseRules(String url, byte[] content, String contentType, Collection<String> robotNames) {
        return parser.parseContent(url, content, contentType, robotNames);
    }

    @Override
    public BaseRobotRules getRobotRulesSet(Protocol http, URL url, List<Content> robotsTxtContent) {
        if (isAllowListed(url)) {
            return EMPTY_RULES;
        }
        String origin = origin(url);
        synchronized (locks[Math.floorMod(origin.hashCode(), LOCKS)]) { // other threads wait for the fetch of their site
            BaseRobotRules rules = cached(origin);
            if (rules == null) {
                try {
                    rules = fetch(http, new URL(url, "/robots.txt"), robotsTxtContent);
                } catch (MalformedURLException | RuntimeException | LinkageError e) {
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

    private static String origin(URL url) {
        int port = url.getPort() == -1 ? url.getDefaultPort() : url.getPort();
        return url.getProtocol().toLowerCase(Locale.ROOT) + "://" + url.getHost().toLowerCase(Locale.ROOT) + ":" + port;
    }

    private BaseRobotRules fetch(Protocol http, URL robotsTxt, List<Content> robotsTxtContent) throws MalformedURLException {
        URL target = robotsTxt;
        for (int redirects = 0; redirects <= maxNumRedirects; redirects++) {
            CrawlDatum datum = new CrawlDatum();
            ProtocolOutput output = http.getProtocolOutput(new Text(target.toString()), datum);
            int status = status(datum, output.getStatus());
            Content content = output.getContent();
            if (robotsTxtContent != null && content != null) {
                content.getMetadata().add(Nutch.FETCH_TIME_KEY, Long.toString(System.currentTimeMillis()));
                content.getMetadata().add(Nutch.FETCH_STATUS_KEY, Integer.toString(status));
                robotsTxtContent.add(content);
            }
            if (status >= 200 && status < 300 && content != null) {
                return parseRules(robotsTxt.toString(), wholeLines(content), content.getContentType(), agentNames);
            }
            if (status < 300 || status >= 400) {
                return parser.failedFetch(status < 300 ? 503 : status);
            }
            target = new URL(target, String.valueOf(output.getStatus().getMessage()));
            if (!target.getProtocol().toLowerCase(Locale.ROOT).startsWith("http")) {
                break;
            }
        }
        return parser.failedFetch(404); // SPEC 2.3: as if there were no robots.txt
    }

    /** Returns the status of HTTP, from the metadata or else from the status of Nutch; 0 without a response. */
    private static int status(CrawlDatum datum, ProtocolStatus status) {
        Writable code = datum.getMetaData().get(Nutch.PROTOCOL_STATUS_CODE_KEY);
        if (code != null) {
            return Integer.parseInt(code.toString());
        }
        switch (status.getCode()) {
            case ProtocolStatus.SUCCESS: return 200;
            case ProtocolStatus.MOVED:
            case ProtocolStatus.TEMP_MOVED: return 301;
            case ProtocolStatus.ACCESS_DENIED: return 401;
            case ProtocolStatus.NOTFOUND:
            case ProtocolStatus.GONE: return 404;
            default: return 0;
        }
    }

    /** Returns the file. Where {@code http.content.limit} cut it, the last line is dropped: half a path could be another rule. */
    private static byte[] wholeLines(Content content) {
        byte[] bytes = content.getContent();
        if (content.getMetadata().get(Response.TRUNCATED_CONTENT) == null) {
            return bytes;
        }
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] != '\n') {
            length--;
        }
        return Arrays.copyOf(bytes, length);
    }
}
