package io.github.librobots.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.librobots.CacheDecision;
import io.github.librobots.Crawler;
import io.github.librobots.Dialect;
import io.github.librobots.Fetch;
import io.github.librobots.FetchOption;
import io.github.librobots.Outcome;
import io.github.librobots.Outcome.Cause;
import io.github.librobots.Outcome.Kind;
import io.github.librobots.Reason;
import io.github.librobots.RobotsCache;
import io.github.librobots.Ticket;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpClient;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Rows of SPEC 2, end to end: the meaning of a result. */
class FetcherMeaningTest extends Fetching {
    @Test
    void spec_2_1_a_file_is_obeyed() throws Exception {
        site.answers(200, FILE);
        assertTrue(fetcher.check(cache, site.url("/page")).allowed());
        assertEquals(2, fetcher.check(cache, site.url("/private/x")).line());
        assertEquals(List.of("/robots.txt"), site.requests, "one fetch");
        CacheDecision decision = cache.check(site.url("/private/x"));
        assertEquals("DECIDED: disallowed: RULE_DISALLOWED, line 2", decision.toString());
        assertFalse(decision.ticket().isPresent());
        assertFalse(decision.until().isPresent());
        assertEquals(Reason.ROBOTS_TXT, fetcher.check(cache, site.url("/robots.txt")).reason());
    }

    @Test
    void spec_2_1_no_content_is_an_empty_file() throws Exception {
        site.answers(204, "");
        Outcome outcome = fetch();
        outcome(Kind.RULES, Cause.FOUND, outcome);
        assertEquals(204, outcome.httpStatus());
        assertTrue(allowed("/private"));
    }

    /** Redirects {@code hops} times, then gives the file. */
    private void redirects(int hops) {
        site.answers(exchange -> {
            String path = exchange.getRequestURI().getPath();
            int hop = path.equals("/robots.txt") ? 0 : Integer.parseInt(path.substring(2));
            if (hop < hops) {
                Site.send(exchange, 301 + hop % 2, new byte[0], "Location", "/r" + (hop + 1));
            } else {
                Site.send(exchange, 200, FILE.getBytes(StandardCharsets.UTF_8));
            }
        });
    }

    @Test
    void spec_2_2_five_redirects_are_followed() throws Exception {
        redirects(5);
        Outcome outcome = fetch();
        outcome(Kind.RULES, Cause.FOUND, outcome);
        assertEquals(5, outcome.hops());
        assertEquals(site.url("/r5"), outcome.finalUrl());
        assertFalse(allowed("/private"));
    }

    @Test
    void spec_2_2_a_redirected_file_governs_the_first_origin_only() throws Exception {
        try (Site other = new Site()) {
            other.answers(200, FILE);
            site.answers(302, "", "Location", other.url("/elsewhere?x"));
            outcome(Kind.RULES, Cause.FOUND, fetch());
            assertFalse(allowed("/private"));
            CacheDecision decision = cache.check(other.url("/private"));
            assertEquals(CacheDecision.Action.FETCH, decision.action(), "the other origin is unknown");
            decision.ticket().orElseThrow().close();
        }
    }

    @Test
    void spec_2_3_redirects_that_lead_nowhere_allow_all() throws Exception {
        redirects(6);
        outcome(Kind.ALLOW_ALL, Cause.TOO_MANY_REDIRECTS, fetch());
        site.answers(301, "", "Location", "/robots.txt");
        outcome(Kind.ALLOW_ALL, Cause.TOO_MANY_REDIRECTS, fetch(cacheFor(Dialect.RFC9309)));
        site.answers(exchange -> Site.send(exchange, 301, new byte[0], "Location",
                exchange.getRequestURI().getPath().equals("/robots.txt") ? "/other" : "/robots.txt"));
        outcome(Kind.ALLOW_ALL, Cause.REDIRECT_LOOP, fetch(cacheFor(Dialect.RFC9309)));
        site.answers(301, "");
        outcome(Kind.ALLOW_ALL, Cause.BAD_REDIRECT, fetch(cacheFor(Dialect.GOOGLE)));
        site.answers(301, "", "Location", "mailto:nobody@example.com");
        outcome(Kind.ALLOW_ALL, Cause.BAD_REDIRECT, fetch(cacheFor(Dialect.KOSTER1996)));
        redirects(1);
        outcome(Kind.ALLOW_ALL, Cause.TOO_MANY_REDIRECTS,
                fetch(cacheFor(Crawler.builder("Bot").fetch(FetchOption.MAX_REDIRECTS, 0).build())));
    }

    @Test
    void spec_2_4_html_is_a_file_that_says_nothing() throws Exception {
        site.answers(200, "<html><head><meta http-equiv=refresh content='0;url=/other'></head></html>", "Content-Type", "text/html");
        outcome(Kind.RULES, Cause.HTML, fetch());
        assertTrue(allowed("/private"));
        assertEquals(List.of("/robots.txt"), site.requests);
    }

    @Test
    void spec_2_5_a_missing_file_allows_all() throws Exception {
        for (int status : new int[] {400, 404, 410, 418, 499}) {
            site.answers(status, FILE);
            for (Dialect dialect : Dialect.values()) {
                RobotsCache one = cacheFor(dialect);
                outcome(Kind.ALLOW_ALL, Cause.MISSING, fetch(one));
                assertEquals(Reason.ALLOW_ALL, one.check(site.url("/private")).verdict().reason());
            }
        }
    }

    @Test
    void spec_2_6_forbidden() throws Exception {
        for (int status : new int[] {401, 403}) {
            site.answers(status, "");
            outcome(Kind.ALLOW_ALL, Cause.FORBIDDEN, fetch(cacheFor(Dialect.RFC9309)));
            outcome(Kind.ALLOW_ALL, Cause.FORBIDDEN, fetch(cacheFor(Dialect.GOOGLE)));
            outcome(Kind.DISALLOW_ALL, Cause.FORBIDDEN, fetch(cacheFor(Dialect.KOSTER1996)));
        }
        Crawler strict = Crawler.builder("Bot").fetch(FetchOption.ON_FORBIDDEN, Kind.DISALLOW_ALL).build();
        outcome(Kind.DISALLOW_ALL, Cause.FORBIDDEN, fetch(cacheFor(strict)));
    }

    @Test
    void spec_2_7_and_3_6_too_many_requests() throws Exception {
        site.answers(429, "", "Retry-After", "1000");
        Outcome outcome = fetch();
        outcome(Kind.UNREACHABLE, Cause.TOO_MANY_REQUESTS, outcome);
        assertEquals(in(1000), outcome.retryAt());
        assertEquals(in(0), outcome.unreachableSince().orElseThrow());
        CacheDecision banned = cache.check(site.url("/page"));
        assertEquals(CacheDecision.Action.DEFER, banned.action(), "no ban");
        assertEquals(Reason.UNREACHABLE, banned.verdict().reason());
        assertTrue(banned.verdict().deferred());
        assertEquals(in(1000), banned.until().orElseThrow());
        RobotsCache old = cacheFor(Dialect.KOSTER1996);
        outcome(Kind.DEFER, Cause.TOO_MANY_REQUESTS, fetch(old));
        CacheDecision decision = old.check(site.url("/page"));
        assertEquals(CacheDecision.Action.DEFER, decision.action());
        assertEquals(in(1000), decision.until().orElseThrow());
        assertEquals(Reason.DEFER, decision.verdict().reason());
        assertEquals(Reason.DEFER, fetcher.check(old, site.url("/page")).reason());
        clock.advance(999);
        assertEquals(CacheDecision.Action.DEFER, old.check(site.url("/page")).action());
        clock.advance(1);
        outcome(Kind.DEFER, Cause.TOO_MANY_REQUESTS, fetch(old));
        Crawler lenient = Crawler.builder("Bot").fetch(FetchOption.ON_TOO_MANY_REQUESTS, Kind.ALLOW_ALL).build();
        outcome(Kind.ALLOW_ALL, Cause.TOO_MANY_REQUESTS, fetch(cacheFor(lenient)));
    }

    @Test
    void spec_2_8_server_errors() throws Exception {
        for (int status : new int[] {500, 503, 599}) {
            site.answers(status, FILE, "Retry-After", "77777777");
            Outcome outcome = fetch(cacheFor(Dialect.RFC9309));
            outcome(Kind.UNREACHABLE, Cause.SERVER_ERROR, outcome);
            assertEquals(in(status == 503 ? DAY : 600), outcome.retryAt(), "SPEC 3.6: of 503 only, and clamped");
            outcome(Kind.UNREACHABLE, Cause.SERVER_ERROR, fetch(cacheFor(Dialect.GOOGLE)));
            outcome(Kind.DEFER, Cause.SERVER_ERROR, fetch(cacheFor(Dialect.KOSTER1996)));
        }
    }

    @Test
    void spec_2_9_odd_statuses() throws Exception {
        for (int status : new int[] {304, 600, 999}) {
            site.answers(status, "");
            outcome(Kind.UNREACHABLE, Cause.ODD_STATUS, fetch(cacheFor(Dialect.RFC9309)));
            outcome(Kind.DEFER, Cause.ODD_STATUS, fetch(cacheFor(Dialect.KOSTER1996)));
        }
    }

    @Test
    void spec_2_10_what_breaks_is_unreachable() throws Exception {
        site.answers(exchange -> {}); // closed without a response
        outcome(Kind.UNREACHABLE, Cause.RESET, fetch(cacheFor(Dialect.RFC9309)));
        site.answers(exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write("User-agent: *\n".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
        });
        outcome(Kind.UNREACHABLE, Cause.TRUNCATED, fetch(cacheFor(Dialect.GOOGLE)));
        outcome(Kind.DEFER, Cause.TRUNCATED, fetch(cacheFor(Dialect.KOSTER1996)));
        int closed = site.port();
        site.close();
        Ticket ticket = cache.check("http://127.0.0.1:" + closed + "/").ticket().orElseThrow();
        outcome(Kind.UNREACHABLE, Cause.CONNECT, fetcher.fetch(cache, ticket));
    }

    /** Returns the outcome for a server that sends {@code reply} to any request and closes the connection, for TLS after its client. */
    private Outcome fetchRaw(String scheme, String reply) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> {
                try (Socket one = listener.accept()) {
                    one.getInputStream().read(new byte[4096]);
                    one.getOutputStream().write(reply.getBytes(StandardCharsets.ISO_8859_1));
                    // java.net.http may hang if a TLS connection closes while it reports a failure.
                    one.setSoTimeout(5000);
                    while (scheme.equals("https") && one.getInputStream().read() >= 0) {
                        continue;
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            server.start();
            String url = scheme + "://127.0.0.1:" + listener.getLocalPort() + "/";
            Outcome outcome = fetcher.fetch(cache, cache.check(url).ticket().orElseThrow());
            server.join();
            return outcome;
        }
    }

    @Test
    void spec_2_10_no_secure_connection() throws Exception {
        String handshakeFailure = "\u0015\u0003\u0003\u0000\u0002\u0002\u0028"; // a fatal alert of TLS 1.2
        outcome(Kind.UNREACHABLE, Cause.TLS, fetchRaw("https", handshakeFailure));
    }

    /** The exceptions of java.net.http, because no host is sure to have no address. */
    @Test
    void spec_2_10_no_address() {
        IOException noAddress = new ConnectException();
        noAddress.initCause(new UnresolvedAddressException());
        assertEquals(Fetch.Failure.DNS, RobotsFetcher.failure(noAddress, false));
        assertEquals(Fetch.Failure.CONNECT, RobotsFetcher.failure(new ConnectException(), false));
        assertEquals(Fetch.Failure.RESET, RobotsFetcher.failure(new SocketException("Connection reset"), true));
        assertEquals(Fetch.Failure.OTHER, RobotsFetcher.failure(new ProtocolException(), false));
    }

    @Test
    void spec_2_10_broken_chunks() throws Exception {
        outcome(Kind.UNREACHABLE, Cause.TRUNCATED,
                fetchRaw("http", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nUser-\r\nzz\r\n"));
    }

    /** java.net.http reads such a body by its length, as text with the sizes of the chunks. */
    @Test
    void spec_2_10_a_length_and_chunks() throws Exception {
        outcome(Kind.UNREACHABLE, Cause.TRUNCATED, fetchRaw("http",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 10\r\n\r\n5\r\nUser-\r\n0\r\n\r\n"));
    }

    @Test
    void spec_2_9_what_is_no_http_is_unreachable() throws Exception {
        Outcome outcome = fetchRaw("http", "SSH-2.0-no-http\r\n\r\n");
        assertEquals(Kind.UNREACHABLE, outcome.kind(), outcome.toString());
        assertTrue(outcome.unreachableSince().isPresent());
    }

    @Test
    void spec_2_10_a_slow_drip_ends_at_the_deadline() throws Exception {
        RobotsFetcher hasty = RobotsFetcher.of(HttpClient.newHttpClient(), "ExampleBot/1.0", Duration.ofMillis(600));
        site.answers(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try {
                for (int i = 0; i < 200; i++) {
                    exchange.getResponseBody().write('#');
                    exchange.getResponseBody().flush();
                    Thread.sleep(50);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        long start = System.nanoTime();
        Outcome outcome = hasty.fetch(cache, cache.check(site.url("/")).ticket().orElseThrow());
        outcome(Kind.UNREACHABLE, Cause.TIMEOUT, outcome);
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertTrue(took < 5_000, took + " ms");
    }

    @Test
    void what_java_net_http_cannot_get_is_unreachable() throws Exception {
        Ticket ticket = cache.check("ftp://example.com/file").ticket().orElseThrow();
        outcome(Kind.UNREACHABLE, Cause.OTHER_FAILURE, fetcher.fetch(cache, ticket));
    }

    @Test
    void spec_2_11_and_3_4_a_copy_goes_on_being_used() throws Exception {
        site.answers(200, FILE);
        fetch();
        clock.advance(DAY - DAY / 20); // SPEC 3.8: the last tenth
        site.answers(503, "");
        CacheDecision decision = cache.check(site.url("/private"));
        assertEquals(CacheDecision.Action.DECIDED, decision.action(), "SPEC 3.4");
        assertFalse(decision.allowed());
        assertTrue(cache.check(site.url("/page")).allowed(), "other callers use the copy");
        assertFalse(cache.check(site.url("/page")).ticket().isPresent());
        Outcome outcome = fetcher.fetch(cache, decision.ticket().orElseThrow());
        outcome(Kind.RULES, Cause.SERVER_ERROR, outcome);
        assertTrue(outcome.stale());
        assertTrue(outcome.toString().contains("stale"), outcome.toString());
        for (int days = 0; days < 40; days++) { // SPEC 2.13
            clock.advance(DAY);
            assertTrue(fetcher.check(cache, site.url("/page")).allowed());
            assertFalse(fetcher.check(cache, site.url("/private")).allowed());
        }
    }

    /** SPEC 2.15: a redirect that leads nowhere does not replace a copy; without one an option decides. */
    @Test
    void spec_2_15_bad_redirects() throws Exception {
        site.answers(200, FILE);
        fetch();
        site.answers(301, "");
        Outcome copy = fetchAgain();
        outcome(Kind.RULES, Cause.BAD_REDIRECT, copy);
        assertTrue(copy.stale());
        assertFalse(allowed("/private"));
        Crawler strict = Crawler.builder("Bot").fetch(FetchOption.ON_BAD_REDIRECT, Kind.UNREACHABLE).build();
        outcome(Kind.UNREACHABLE, Cause.BAD_REDIRECT, fetch(cacheFor(strict)));
    }

    @Test
    void spec_2_16_a_redirect_is_no_final_status() {
        Outcome outcome = Crawler.of("Bot").outcomeOf("http://example.com/", 301, new byte[0], clock.instant());
        outcome(Kind.UNREACHABLE, Cause.REDIRECT_NOT_FOLLOWED, outcome);
        assertEquals(Reason.UNREACHABLE, outcome.rules().check("/").reason());
        assertEquals(Reason.UNREACHABLE, outcome.check("/", clock.instant()).reason());
    }

    @Test
    void spec_2_17_bodies_that_are_not_the_file() throws Exception {
        site.answers(206, FILE, "Content-Range", "bytes 0-10/100");
        outcome(Kind.UNREACHABLE, Cause.PARTIAL_CONTENT, fetch());
        try (Fetch fetch = Fetch.begin("http://example.com/", clock.instant(), Crawler.of("Bot"))) {
            fetch.status(200, clock.instant());
            fetch.header("Content-Length", "100");
            fetch.headersEnd();
            fetch.body(FILE.getBytes(StandardCharsets.UTF_8), 0, FILE.length());
            fetch.end();
            outcome(Kind.UNREACHABLE, Cause.SHORT_BODY, fetch.outcome());
        }
    }

    @Test
    void redirects_inward_are_refused() {
        for (String target : new String[] {"http://127.0.0.1/", "http://[::1]/", "http://10.0.0.1/", "http://2130706433/", "http://localhost/"}) {
            for (long follow : new long[] {0, 1}) {
                Crawler crawler = Crawler.builder("Bot").fetch(FetchOption.NON_GLOBAL_REDIRECTS, follow).build();
                try (Fetch fetch = Fetch.begin("http://example.com/", clock.instant(), crawler)) {
                    fetch.status(302, clock.instant());
                    fetch.header("Location", target);
                    fetch.headersEnd();
                    assertEquals(follow == 1 ? Fetch.Step.GET : Fetch.Step.DONE, fetch.step(), target);
                    if (follow == 0) {
                        outcome(Kind.ALLOW_ALL, Cause.NON_GLOBAL_REDIRECT, fetch.outcome());
                    }
                }
            }
        }
    }

    @Test
    void spec_2_12_unreachable_for_thirty_days() throws Exception {
        site.answers(500, "");
        for (int days = 0; days < 30; days++) {
            assertFalse(fetcher.check(cache, site.url("/page")).allowed(), "day " + days);
            clock.advance(DAY);
        }
        clock.advance(DAY);
        assertTrue(fetcher.check(cache, site.url("/page")).allowed());
        outcome(Kind.ALLOW_ALL, Cause.UNREACHABLE_LONG, fetchAgain());
    }

    @Test
    void spec_2_14_server_errors_for_missing_pages() throws Exception {
        site.answers(500, "");
        Ticket ticket = cache.check(site.url("/")).ticket().orElseThrow();
        try (ticket;
                Fetch fetch = ticket.fetch().set(FetchOption.SERVER_ERROR_IS_MISSING, 1)) {
            Outcome outcome = fetcher.run(fetch, clock);
            outcome(Kind.ALLOW_ALL, Cause.MISSING, outcome);
            assertTrue(ticket.finish(outcome));
        }
        assertTrue(allowed("/page"));
    }
}
