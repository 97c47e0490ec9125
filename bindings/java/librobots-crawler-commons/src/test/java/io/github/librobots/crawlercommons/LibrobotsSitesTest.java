package io.github.librobots.crawlercommons;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import crawlercommons.robots.BaseRobotRules;
import io.github.librobots.http.RobotsFetcher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class LibrobotsSitesTest {
    private static final String PAGE = "https://example.com/page", PRIVATE = "https://example.com/private";
    private static final String FILE = "User-agent: ExampleBot\nDisallow: /private\n";

    /** A clock that a test advances. */
    private static final class FakeClock extends Clock {
        private Instant now = Instant.parse("2026-01-01T00:00:00Z");

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private final FakeClock time = new FakeClock();
    private final LibrobotsSites sites = new LibrobotsSites(LibrobotsParser.forNames("ExampleBot"), List.of("ExampleBot"), time);
    private final List<String> requested = Collections.synchronizedList(new ArrayList<>());

    /** Answers each request with a status, a body, and headers as pairs of name and value. */
    private RobotsFetcher.Client answer(int status, String body, String... headers) {
        return answer(status, body, null, headers);
    }

    private RobotsFetcher.Client answer(int status, String body, String cutBy, String[] headers) {
        Map<String, String[]> map = new HashMap<>();
        for (int i = 0; i < headers.length; i += 2) {
            map.put(headers[i], new String[] {headers[i + 1]});
        }
        return (fetch, left, clock) -> {
            requested.add(fetch.url());
            LibrobotsSites.report(fetch, clock, status, map, body.getBytes(StandardCharsets.UTF_8), cutBy);
        };
    }

    private static void assertUnreachable(BaseRobotRules rules) {
        assertFalse(rules.isAllowed(PAGE));
        assertTrue(rules.isDeferVisits());
    }

    @Test
    void rulesHaveWhatTheFileStates() {
        String file = FILE + "Crawl-delay: 1.5\nSitemap: /s.xml\n";
        BaseRobotRules rules = sites.rules(PAGE, answer(200, file, "content-encoding", "gzip", "content-length", "3"));
        assertTrue(rules.isAllowed(PAGE));
        assertFalse(rules.isAllowed(PRIVATE));
        assertFalse(rules.isDeferVisits());
        assertFalse(rules.isMatchedWildcard());
        assertEquals(1500, rules.getCrawlDelay());
        assertEquals(List.of("https://example.com/s.xml"), rules.getSitemaps());
        assertTrue(sites.rules("https://other.example/", answer(200, "User-agent: *\nDisallow: /x\n")).isMatchedWildcard());
    }

    @Test
    void oneFileServesASiteUntilItIsOldByItsHeaders() {
        RobotsFetcher.Client client = answer(200, FILE, "cache-control", "max-age=3600");
        sites.rules(PAGE, client);
        time.now = time.now.plusSeconds(1800);
        sites.rules("HTTPS://Example.com:443/other", client);
        assertEquals(List.of("https://example.com/robots.txt"), requested);
        time.now = time.now.plusSeconds(1801);
        sites.rules(PAGE, client);
        assertEquals(2, requested.size());
    }

    @Test
    void theFileStaysInUseWhileItsSiteIsDown() {
        sites.rules(PAGE, answer(200, FILE));
        time.now = time.now.plus(Duration.ofDays(2));
        BaseRobotRules rules = sites.rules(PAGE, answer(503, ""));
        assertEquals(2, requested.size());
        assertTrue(rules.isAllowed(PAGE));
        assertFalse(rules.isAllowed(PRIVATE));
        assertFalse(rules.isDeferVisits());
    }

    @Test
    void aRedirectFromAPublicHostToAPrivateOneIsNotFollowed() {
        assertTrue(sites.rules(PAGE, answer(301, "", "location", "http://169.254.169.254/robots.txt")).isAllowed(PRIVATE));
        assertEquals(List.of("https://example.com/robots.txt"), requested);
    }

    @Test
    void aStatusThatIsNoRedirectIsNotFollowed() {
        assertUnreachable(sites.rules(PAGE, answer(304, "", "location", "/other")));
        assertEquals(1, requested.size());
    }

    @Test
    void theCutLineOfALongFileIsNotRead() {
        String cut = FILE + "Disallow: /";
        assertTrue(sites.rules(PAGE, answer(200, cut, "length", new String[0])).isAllowed(PAGE));
    }

    @Test
    void aFileWhoseConnectionBrokeIsNoFile() {
        assertUnreachable(sites.rules(PAGE, answer(200, FILE, "disconnect", new String[0])));
        assertTrue(sites.rules("https://other.example/", answer(404, "Not", "disconnect", new String[0])).isAllowAll());
    }

    @Test
    void aClientThatReportsNothingIsAFailure() {
        assertUnreachable(sites.rules(PAGE, (fetch, left, clock) -> requested.add(fetch.url())));
        assertEquals(1, requested.size());
    }

    @Test
    void aClientThatReportsHalfAResponseIsAFailure() {
        assertUnreachable(sites.rules(PAGE, (fetch, left, clock) -> {
            requested.add(fetch.url());
            fetch.status(200, clock.instant());
        }));
        assertUnreachable(sites.rules("https://other.example/", (fetch, left, clock) -> {
            requested.add(fetch.url());
            fetch.status(200, clock.instant());
            fetch.headersEnd();
        }));
        assertEquals(2, requested.size());
    }

    @Test
    void aRedirectToTheSameUrlIsFollowed() {
        assertTrue(sites.rules(PAGE, (fetch, left, clock) -> {
            boolean isFirst = requested.isEmpty();
            (isFirst ? answer(302, "", "location", "/robots.txt") : answer(200, FILE)).get(fetch, left, clock);
        }).isAllowed(PAGE));
        assertEquals(2, requested.size());
    }

    @Test
    void anErrorOfTheClientIsThrownOn() {
        assertThrows(AssertionError.class, () -> sites.rules(PAGE, (fetch, left, clock) -> {
            throw new AssertionError("a fault of the client");
        }));
    }

    @Test
    void aFailureDefersAndIsNotRepeatedAtOnce() {
        for (Exception failure : new Exception[] {new IOException("reset"), new IllegalStateException("a fault of the client")}) {
            String url = "https://" + failure.getClass().getSimpleName() + ".example/";
            for (int i = 0; i < 2; i++) {
                BaseRobotRules rules = sites.rules(url, (fetch, left, clock) -> {
                    requested.add(fetch.url());
                    throw failure;
                });
                assertFalse(rules.isAllowed(url));
                assertTrue(rules.isDeferVisits());
            }
        }
        assertEquals(2, requested.size());
    }

    @Test
    void noRulesAllowTextThatIsNoUrlAndNoneIsFetched() {
        assertUnreachable(sites.rules("example", answer(200, "")));
        assertUnreachable(sites.rules("mailto:a@example.com", answer(200, "")));
        assertEquals(List.of(), requested);
    }

    @Test
    void anErrorOfTheClientsClassesDefers() {
        assertUnreachable(sites.rules(PAGE, (fetch, left, clock) -> {
            throw new NoClassDefFoundError("okhttp3/OkHttpClient");
        }));
    }

    @Test
    void threadsWaitForTheFetchOfTheirSite() throws Exception {
        CountDownLatch started = new CountDownLatch(1), go = new CountDownLatch(1);
        RobotsFetcher.Client slow = (fetch, left, clock) -> {
            started.countDown();
            go.await();
            answer(200, FILE).get(fetch, left, clock);
        };
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            Future<BaseRobotRules> first = pool.submit(() -> sites.rules(PAGE, slow));
            started.await();
            List<Future<BaseRobotRules>> others = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                others.add(pool.submit(() -> sites.rules(PAGE, answer(404, ""))));
            }
            go.countDown();
            others.add(first);
            for (Future<BaseRobotRules> rules : others) {
                assertFalse(rules.get().isAllowed(PRIVATE));
                assertTrue(rules.get().isAllowed(PAGE));
            }
            assertEquals(1, requested.size());
        } finally {
            pool.shutdownNow();
        }
    }
}
