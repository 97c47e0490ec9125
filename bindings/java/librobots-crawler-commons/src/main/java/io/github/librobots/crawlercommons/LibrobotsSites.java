package io.github.librobots.crawlercommons;

import crawlercommons.robots.BaseRobotRules;
import io.github.librobots.Fetch;
import io.github.librobots.RobotsCache;
import io.github.librobots.http.RobotsFetcher;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules of sites, with the interface of crawler-commons, for a crawler with an HTTP client of its own: a {@link RobotsCache} of
 * 64 MiB and a {@link RobotsFetcher}. Any number of threads may use it at once.
 */
public final class LibrobotsSites {
    private static final Logger LOG = LoggerFactory.getLogger(LibrobotsSites.class);

    /** The time limit of a fetch with its redirects. A ticket lasts longer: 120 s. */
    private static final Duration DEADLINE = Duration.ofSeconds(100);

    /** The headers that are true of the body that was sent, not of the one that a client returns. */
    private static final Set<String> ABOUT_BODY = Set.of("content-encoding", "content-length", "transfer-encoding");

    private final LibrobotsParser parser;
    private final RobotsCache cache;

    /**
     * Makes an empty cache.
     *
     * @param parser the parser, which also sets the longest crawl-delay
     * @param names the names of the crawler
     */
    public LibrobotsSites(LibrobotsParser parser, Collection<String> names) {
        this(parser, names, Clock.systemUTC());
    }

    LibrobotsSites(LibrobotsParser parser, Collection<String> names, Clock clock) {
        this.parser = parser;
        cache = parser.cacheFor(names).clock(clock).build();
    }

    /**
     * Returns the rules of the site of a URL. If needed, it fetches the robots.txt, or waits while another thread does. After an
     * exception of the client, a failure, and for text that is not a URL, the rules allow nothing and defer. Of the client, only an
     * {@link Error} other than a {@link LinkageError} is thrown on: there are no rules then.
     *
     * @param url an absolute URL
     * @param client the client that sends the requests; it may report with {@link #report}
     * @return the rules
     */
    public BaseRobotRules rules(String url, RobotsFetcher.Client client) {
        try {
            RobotsFetcher fetcher = RobotsFetcher.of(client, DEADLINE)
                    .onFailure((robotsTxt, failure) -> LOG.warn("librobots: no robots.txt from {}", robotsTxt, failure));
            if (!fetcher.check(cache, url).deferred()) {
                return cache.outcome(url).map(outcome -> parser.rules(outcome, url)).orElseGet(parser::unreachable);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IllegalArgumentException e) {
            LOG.debug("librobots: {} is not a URL", url, e);
        } catch (RuntimeException | LinkageError e) {
            LOG.error("librobots: there are no rules for {}, so that it is not allowed now", url, e);
        }
        return parser.unreachable();
    }

    /**
     * Reports a whole response to a fetch.
     *
     * @param fetch the fetch, at {@link Fetch.Step#GET}
     * @param clock the clock of the fetch
     * @param status the status
     * @param headers the headers, with names in lower case
     * @param body the body without its content coding
     * @param cutBy null if the body is whole; {@code length} if a limit of the client cut it. Then its last line is not read: half a path
     *     could be another rule
     * @throws IOException for a file with another value of {@code cutBy}, such as {@code disconnect}: it is not whole (SPEC 2.10)
     */
    public static void report(Fetch fetch, Clock clock, int status, Map<String, String[]> headers, byte[] body, String cutBy)
            throws IOException {
        fetch.status(status, clock.instant());
        headers.forEach((name, values) -> {
            for (String value : ABOUT_BODY.contains(name) ? new String[0] : values) {
                fetch.header(name, value);
            }
        });
        fetch.headersEnd();
        if (fetch.step() == Fetch.Step.BODY) {
            if (cutBy != null && !cutBy.equalsIgnoreCase("length")) {
                throw new IOException("the body ends early: " + cutBy);
            }
            int length = body.length;
            while (cutBy != null && length > 0 && body[length - 1] != '\n' && body[length - 1] != '\r') {
                length--;
            }
            fetch.body(body, 0, length);
        }
        if (fetch.step() == Fetch.Step.BODY) { // below the size limit
            fetch.end();
        }
    }
}
