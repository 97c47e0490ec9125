package io.github.librobots.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.librobots.CacheDecision;
import io.github.librobots.Crawler;
import io.github.librobots.Dialect;
import io.github.librobots.Outcome;
import io.github.librobots.Outcome.Cause;
import io.github.librobots.Outcome.Kind;
import io.github.librobots.RobotsCache;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Base of fetcher tests: a server, {@code java.net.http}, a cache, and a clock that the test advances. */
abstract class Fetching {
    static final String FILE = "User-agent: *\nDisallow: /private\n";
    static final long DAY = 86_400;

    final FakeClock clock = new FakeClock();
    final RobotsFetcher fetcher = RobotsFetcher.of(HttpClient.newHttpClient(), "ExampleBot/1.0", Duration.ofSeconds(10));
    Site site;
    RobotsCache cache;

    @BeforeEach
    void open() throws IOException {
        site = new Site();
        cache = cacheFor(Crawler.of("ExampleBot"));
    }

    @AfterEach
    void close() {
        site.close();
    }

    RobotsCache cacheFor(Crawler crawler) {
        return RobotsCache.builder(crawler).clock(clock).build();
    }

    RobotsCache cacheFor(Dialect dialect) {
        return cacheFor(Crawler.builder("ExampleBot").dialect(dialect).build());
    }

    /** Fetches the file of the site for a cache. */
    Outcome fetch(RobotsCache cache) throws Exception {
        return fetcher.fetch(cache, cache.check(site.url("/page")).ticket().orElseThrow());
    }

    Outcome fetch() throws Exception {
        return fetch(cache);
    }

    static void outcome(Kind kind, Cause cause, Outcome found) {
        assertEquals(kind + " " + cause, found.kind() + " " + found.cause(), found.toString());
    }

    boolean allowed(String path) {
        CacheDecision decision = cache.check(site.url(path));
        assertEquals(CacheDecision.Action.DECIDED, decision.action(), decision.toString());
        return decision.allowed();
    }

}
