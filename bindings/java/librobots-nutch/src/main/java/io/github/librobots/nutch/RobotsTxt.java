package io.github.librobots.nutch;

import crawlercommons.robots.BaseRobotRules;
import io.github.librobots.Fetch;
import io.github.librobots.FetchOption;
import io.github.librobots.crawlercommons.LibrobotsParser;
import io.github.librobots.crawlercommons.LibrobotsSites;
import java.io.IOException;
import java.net.URL;
import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.net.protocols.Response;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.protocol.Protocol;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.ProtocolStatus;
import org.apache.nutch.protocol.RobotRulesParser;

/** Nutch's settings and protocols for {@link LibrobotsSites}. Any number of threads may use it at once. */
final class RobotsTxt extends RobotRulesParser {
    private static final byte[] EMPTY = {};
    private static final String[] LENGTH = {"length"};
    /** The highest value of {@link FetchOption#MAX_REDIRECTS}. */
    private static final int MAX_REDIRECTS = 20;

    private LibrobotsParser parser;
    private LibrobotsSites sites;

    RobotsTxt(Configuration conf) {
        setConf(conf);
    }

    @Override
    public void setConf(Configuration conf) {
        super.setConf(conf);
        parser = LibrobotsParser.forNames(agentNames);
        sites = new LibrobotsSites(parser, agentNames);
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
        return sites.rules(url.toString(), (fetch, left, clock) -> get(http, fetch, clock, robotsTxtContent));
    }

    private void get(Protocol http, Fetch fetch, Clock clock, List<Content> robotsTxtContent) throws IOException {
        fetch.set(FetchOption.MAX_REDIRECTS, Math.max(0, Math.min(maxNumRedirects, MAX_REDIRECTS)));
        CrawlDatum datum = new CrawlDatum();
        ProtocolOutput output = http.getProtocolOutput(new Text(fetch.url()), datum);
        Writable code = datum.getMetaData().get(Nutch.PROTOCOL_STATUS_CODE_KEY);
        ProtocolStatus status = output.getStatus();
        if (code == null) {
            throw new IOException(status.toString());
        }
        Map<String, String[]> headers = new HashMap<>();
        byte[] body = EMPTY;
        Content content = output.getContent();
        if (content != null) {
            Metadata metadata = content.getMetadata();
            for (String name : metadata.names()) {
                headers.put(name.toLowerCase(Locale.ROOT), metadata.getValues(name));
            }
            body = content.getContent();
            if (robotsTxtContent != null) {
                metadata.add(Nutch.FETCH_TIME_KEY, Long.toString(clock.millis()));
                metadata.add(Nutch.FETCH_STATUS_KEY, code.toString());
                robotsTxtContent.add(content);
            }
        }
        if (status.getCode() == ProtocolStatus.MOVED || status.getCode() == ProtocolStatus.TEMP_MOVED) {
            headers.put("location", new String[] {status.getMessage()}); // resolved
        }
        String[] reason = headers.getOrDefault(Response.TRUNCATED_CONTENT_REASON, LENGTH);
        String cutBy = headers.containsKey(Response.TRUNCATED_CONTENT) ? reason[0] : null;
        LibrobotsSites.report(fetch, clock, Integer.parseInt(code.toString()), headers, body, cutBy);
    }
}
