package io.github.librobots.nutch;

import crawlercommons.robots.BaseRobotRules;
import io.github.librobots.NativeLibraryException;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.plugin.PluginRuntimeException;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.protocol.Protocol;
import org.apache.nutch.protocol.ProtocolFactory;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.RobotRulesParser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A protocol of Nutch that reads robots.txt with librobots. Another protocol, such as that of the plugin {@code protocol-okhttp},
 * sends the requests.
 *
 * <p>{@link #setConf} loads the native library and checks the names of the crawler. If either fails, Nutch has no protocol for http
 * and https, and fetches nothing.
 */
public class LibrobotsProtocol implements Protocol {
    /** The property with the id of the protocol that sends the requests. Default: {@link #DEFAULT_HTTP}. */
    public static final String HTTP = "librobots.http";

    /** The id of the protocol of the plugin {@code protocol-okhttp}. */
    public static final String DEFAULT_HTTP = "org.apache.nutch.protocol.okhttp.OkHttp";

    private static final Logger LOG = LoggerFactory.getLogger(LibrobotsProtocol.class);

    private Configuration conf;
    private Protocol http;
    private RobotsTxt robots;

    /** Makes a protocol. Nutch calls {@link #setConf} next. */
    public LibrobotsProtocol() {}

    /**
     * Loads the native library, reads the names of the crawler, and finds the protocol that sends the requests.
     *
     * @param conf the settings of Nutch
     * @throws NativeLibraryException if the native library cannot be loaded
     * @throws IllegalArgumentException if a name in {@code http.agent.name} or {@code http.robots.agents} is not a product token
     * @throws IllegalStateException if there is no protocol with the id in {@link #HTTP}
     */
    @Override
    public void setConf(Configuration conf) {
        this.conf = conf;
        String id = conf.get(HTTP, DEFAULT_HTTP);
        try {
            start(id);
        } catch (RuntimeException | LinkageError e) { // Nutch logs the failure of a plugin at a level that few read
            LOG.error("librobots cannot start, so that Nutch fetches nothing: {}", e.toString());
            throw e;
        }
        LOG.info("librobots reads robots.txt, {} sends the requests", id);
    }

    private void start(String id) {
        robots = new RobotsTxt(conf);
        try {
            http = new ProtocolFactory(conf).getProtocolById(id);
        } catch (PluginRuntimeException | RuntimeException e) {
            throw new IllegalStateException(noProtocol(id), e);
        }
        if (http == null || http instanceof LibrobotsProtocol) {
            throw new IllegalStateException(noProtocol(id));
        }
    }

    private static String noProtocol(String id) {
        return "there is no protocol '" + id + "': add its plugin to plugin.includes, or set " + HTTP + " to the id of another";
    }

    @Override
    public Configuration getConf() {
        return conf;
    }

    @Override
    public ProtocolOutput getProtocolOutput(Text url, CrawlDatum datum) {
        return http.getProtocolOutput(url, datum);
    }

    /** Returns the rules for a URL. They defer if the robots.txt cannot be had, and for text that is not a URL. */
    @Override
    public BaseRobotRules getRobotRules(Text url, CrawlDatum datum, List<Content> robotsTxtContent) {
        try {
            return robots.getRobotRulesSet(http, new URL(url.toString()), robotsTxtContent);
        } catch (MalformedURLException e) {
            return RobotRulesParser.DEFER_VISIT_RULES;
        }
    }
}
