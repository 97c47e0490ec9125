package io.github.librobots.stormcrawler;

import crawlercommons.robots.BaseRobotRules;
import org.apache.storm.Config;
import org.apache.stormcrawler.Metadata;
import org.apache.stormcrawler.protocol.Protocol;
import org.apache.stormcrawler.protocol.ProtocolResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A protocol of StormCrawler that reads robots.txt with librobots. Another protocol sends the requests.
 *
 * <p>{@link #configure} loads the native library and checks the names of the crawler. If either fails, the topology does not start.
 */
public class LibrobotsProtocol implements Protocol {
    /** The setting with the class of the protocol that sends the requests. Default: {@link #DEFAULT_HTTP}. */
    public static final String HTTP = "librobots.http";

    /** The protocol of StormCrawler that uses OkHttp. */
    public static final String DEFAULT_HTTP = "org.apache.stormcrawler.protocol.okhttp.HttpProtocol";

    private static final Logger LOG = LoggerFactory.getLogger(LibrobotsProtocol.class);

    private Protocol http;
    private RobotsTxt robots;

    /** Makes a protocol. StormCrawler calls {@link #configure} next. */
    public LibrobotsProtocol() {}

    /**
     * Loads the native library, reads the names of the crawler, and makes the protocol that sends the requests.
     *
     * @param conf the settings of the topology
     * @throws IllegalArgumentException if a name in {@code http.agent.name} or {@code http.robots.agents} is missing or is not a
     *     product token
     * @throws IllegalStateException if the protocol in {@link #HTTP} cannot be made
     */
    @Override
    public void configure(Config conf) {
        robots = new RobotsTxt(conf);
        String name = String.valueOf(conf.getOrDefault(HTTP, DEFAULT_HTTP));
        try {
            http = Class.forName(name).asSubclass(Protocol.class).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new IllegalStateException("there is no protocol " + name + ": set " + HTTP + " to the class of another", e);
        }
        if (http instanceof LibrobotsProtocol) {
            throw new IllegalStateException(HTTP + " must name the protocol that sends the requests, not " + name);
        }
        http.configure(conf);
        LOG.info("librobots reads robots.txt, {} sends the requests", name);
    }

    @Override
    public ProtocolResponse getProtocolOutput(String url, Metadata metadata) throws Exception {
        return http.getProtocolOutput(url, metadata);
    }

    /** Returns the rules for a URL. They defer if the robots.txt cannot be had, and for text that is not a URL. */
    @Override
    public BaseRobotRules getRobotRules(String url) {
        return robots.rules(http, url);
    }

    @Override
    public void cleanup() {
        http.cleanup();
    }
}
