package io.github.librobots.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import io.github.librobots.Answer;
import io.github.librobots.Crawler;
import io.github.librobots.Dialect;
import io.github.librobots.Fetch;
import io.github.librobots.FetchOption;
import io.github.librobots.Outcome;
import io.github.librobots.Outcome.Cause;
import io.github.librobots.Outcome.Kind;
import io.github.librobots.Reason;
import io.github.librobots.RobotsCache;
import io.github.librobots.Status;
import io.github.librobots.Ticket;
import io.github.librobots.Verdict;
import java.io.ByteArrayOutputStream;
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
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows of SPEC 2 and 3, end to end: a server, {@code java.net.http}, the cache, and a clock that the test turns. */
class FetcherTest {
    private static final String FILE = "User-agent: *\nDisallow: /private\n";
    private static final long DAY = 86_400;

    private final FakeClock clock = new FakeClock();
    private final RobotsFetcher fetcher = RobotsFetcher.of(HttpClient.newHttpClient(), "ExampleBot/1.0", Duration.ofSeconds(10));
    private Site site;
    private RobotsCache cache;

    @BeforeEach
    void open() throws IOException {
        site = new Site();
        cache = cacheFor(Crawler.of("ExampleBot"));
    }

    @AfterEach
    void close() {
        site.close();
    }

    private RobotsCache cacheFor(Crawler crawler) {
        return RobotsCache.builder(crawler).clock(clock).build();
    }

    private RobotsCache cacheFor(Dialect dialect) {
        return cacheFor(Crawler.builder("ExampleBot").dialect(dialect).build());
    }

    /** Fetches the file of the site for a cache that wants it. */
    private Outcome fetch(RobotsCache cache) throws Exception {
        return fetcher.fetch(cache, cache.check(site.url("/page")).ticket().orElseThrow());
    }

    private Outcome fetch() throws Exception {
        return fetch(cache);
    }

    private static void outcome(Kind kind, Cause cause, Outcome found) {
        assertEquals(kind + " " + cause, found.kind() + " " + found.cause(), found.toString());
    }

    private boolean allowed(String path) {
        Answer answer = cache.check(site.url(path));
        assertEquals(Answer.Action.DECIDED, answer.action(), answer.toString());
        return answer.allowed();
    }

    private Instant in(long seconds) {
        return Instant.ofEpochSecond(FakeClock.START + seconds);
    }

    // --- what a result means -----------------------------------------------------------------------------------------------

    @Test
    void spec_2_1_a_file_is_obeyed() throws Exception {
        site.answers(200, FILE);
        assertTrue(fetcher.check(cache, site.url("/page")).allowed());
        assertEquals(2, fetcher.check(cache, site.url("/private/x")).line());
        assertEquals(List.of("/robots.txt"), site.asked, "one fetch for all");
        Answer answer = cache.check(site.url("/private/x"));
        assertEquals("DECIDED: disallowed: RULE_DISALLOWED, line 2", answer.toString());
        assertFalse(answer.ticket().isPresent());
        assertFalse(answer.until().isPresent());
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
            Answer answer = cache.check(other.url("/private"));
            assertEquals(Answer.Action.FETCH, answer.action(), "nothing is known of the other");
            answer.ticket().orElseThrow().close();
        }
    }

    @Test
    void spec_2_3_redirects_that_lead_nowhere_allow_all() throws Exception {
        redirects(6);
        outcome(Kind.ALLOW_ALL, Cause.TOO_MANY_REDIRECTS, fetch());
        site.answers(301, "", "Location", "/robots.txt");
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
        outcome(Kind.RULES, Cause.FOUND, fetch());
        assertTrue(allowed("/private"));
        assertEquals(List.of("/robots.txt"), site.asked);
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
        outcome(Kind.DISALLOW_ALL, Cause.TOO_MANY_REQUESTS, outcome);
        assertEquals(in(1000), outcome.retryAt());
        assertEquals(in(0), outcome.unreachableSince().orElseThrow());
        assertFalse(allowed("/page"));
        RobotsCache old = cacheFor(Dialect.KOSTER1996);
        outcome(Kind.DEFER, Cause.TOO_MANY_REQUESTS, fetch(old));
        Answer answer = old.check(site.url("/page"));
        assertEquals(Answer.Action.DEFER, answer.action());
        assertEquals(in(1000), answer.until().orElseThrow());
        assertEquals(Reason.DEFER, answer.verdict().reason());
        assertEquals(Reason.DEFER, fetcher.check(old, site.url("/page")).reason());
        clock.pass(999);
        assertEquals(Answer.Action.DEFER, old.check(site.url("/page")).action());
        clock.pass(1);
        outcome(Kind.DEFER, Cause.TOO_MANY_REQUESTS, fetch(old));
        Crawler lenient = Crawler.builder("Bot").fetch(FetchOption.ON_TOO_MANY_REQUESTS, Kind.ALLOW_ALL).build();
        outcome(Kind.ALLOW_ALL, Cause.TOO_MANY_REQUESTS, fetch(cacheFor(lenient)));
    }

    @Test
    void spec_2_8_server_errors() throws Exception {
        for (int status : new int[] {500, 503, 599}) {
            site.answers(status, FILE, "Retry-After", "77777777");
            Outcome outcome = fetch(cacheFor(Dialect.RFC9309));
            outcome(Kind.DISALLOW_ALL, Cause.SERVER_ERROR, outcome);
            assertEquals(in(status == 503 ? DAY : 600), outcome.retryAt(), "SPEC 3.6: of 503 only, and clamped");
            outcome(Kind.DISALLOW_ALL, Cause.SERVER_ERROR, fetch(cacheFor(Dialect.GOOGLE)));
            outcome(Kind.DEFER, Cause.SERVER_ERROR, fetch(cacheFor(Dialect.KOSTER1996)));
        }
    }

    @Test
    void spec_2_9_odd_statuses() throws Exception {
        for (int status : new int[] {304, 600, 999}) {
            site.answers(status, "");
            outcome(Kind.DISALLOW_ALL, Cause.ODD_STATUS, fetch(cacheFor(Dialect.RFC9309)));
            outcome(Kind.DEFER, Cause.ODD_STATUS, fetch(cacheFor(Dialect.KOSTER1996)));
        }
    }

    @Test
    void spec_2_10_what_breaks_is_unreachable() throws Exception {
        site.answers(exchange -> {}); // closed without a word
        outcome(Kind.DISALLOW_ALL, Cause.RESET, fetch(cacheFor(Dialect.RFC9309)));
        site.answers(exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write("User-agent: *\n".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
        });
        outcome(Kind.DISALLOW_ALL, Cause.TRUNCATED, fetch(cacheFor(Dialect.GOOGLE)));
        outcome(Kind.DEFER, Cause.TRUNCATED, fetch(cacheFor(Dialect.KOSTER1996)));
        int closed = site.port();
        site.close();
        Ticket ticket = cache.check("http://127.0.0.1:" + closed + "/").ticket().orElseThrow();
        outcome(Kind.DISALLOW_ALL, Cause.CONNECT, fetcher.fetch(cache, ticket));
    }

    /** What comes of a server that says {@code reply} to whatever it is told, and hangs up. */
    private Outcome fetchRaw(String scheme, String reply) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> {
                try (Socket one = listener.accept()) {
                    one.getInputStream().read(new byte[4096]);
                    one.getOutputStream().write(reply.getBytes(StandardCharsets.US_ASCII));
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
        outcome(Kind.DISALLOW_ALL, Cause.TLS, fetchRaw("https", "HTTP/1.1 400 Speak plain\r\n\r\n"));
    }

    /** As java.net.http says it of a host without an address: there is none here that surely has none. */
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
        outcome(Kind.DISALLOW_ALL, Cause.TRUNCATED,
                fetchRaw("http", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nUser-\r\nzz\r\n"));
    }

    @Test
    void spec_2_9_what_is_no_http_is_unreachable() throws Exception {
        Outcome outcome = fetchRaw("http", "SSH-2.0-no-http\r\n\r\n");
        assertEquals(Kind.DISALLOW_ALL, outcome.kind(), outcome.toString());
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
        outcome(Kind.DISALLOW_ALL, Cause.TIMEOUT, outcome);
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertTrue(took < 5_000, took + " ms");
    }

    @Test
    void what_java_net_http_cannot_get_is_unreachable() throws Exception {
        Ticket ticket = cache.check("ftp://example.com/file").ticket().orElseThrow();
        outcome(Kind.DISALLOW_ALL, Cause.OTHER_FAILURE, fetcher.fetch(cache, ticket));
    }

    @Test
    void spec_2_11_and_3_4_a_copy_goes_on_being_used() throws Exception {
        site.answers(200, FILE);
        fetch();
        clock.pass(DAY);
        site.answers(503, "");
        Answer answer = cache.check(site.url("/private"));
        assertEquals(Answer.Action.DECIDED, answer.action(), "SPEC 3.4");
        assertFalse(answer.allowed());
        assertTrue(cache.check(site.url("/page")).allowed(), "the others are served meanwhile");
        assertFalse(cache.check(site.url("/page")).ticket().isPresent());
        Outcome outcome = fetcher.fetch(cache, answer.ticket().orElseThrow());
        outcome(Kind.RULES, Cause.SERVER_ERROR, outcome);
        assertTrue(outcome.stale());
        assertTrue(outcome.toString().contains("stale"), outcome.toString());
        for (int days = 0; days < 40; days++) { // SPEC 2.13
            clock.pass(DAY);
            assertTrue(fetcher.check(cache, site.url("/page")).allowed());
            assertFalse(fetcher.check(cache, site.url("/private")).allowed());
        }
    }

    @Test
    void spec_2_12_unreachable_for_thirty_days() throws Exception {
        site.answers(500, "");
        for (int days = 0; days < 30; days++) {
            assertFalse(fetcher.check(cache, site.url("/page")).allowed(), "day " + days);
            clock.pass(DAY);
        }
        clock.pass(DAY);
        assertTrue(fetcher.check(cache, site.url("/page")).allowed());
        outcome(Kind.ALLOW_ALL, Cause.UNREACHABLE_LONG, fetchAgain());
    }

    private Outcome fetchAgain() throws Exception {
        clock.pass(DAY);
        return fetch();
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

    // --- how long it lives -------------------------------------------------------------------------------------------------

    private long life(Dialect dialect, String... headers) throws Exception {
        site.answers(200, FILE, headers);
        Outcome outcome = fetch(cacheFor(dialect));
        assertEquals(clock.instant(), outcome.fetchedAt());
        return Duration.between(outcome.fetchedAt(), outcome.freshUntil()).getSeconds();
    }

    @Test
    void spec_3_1_default_lives() throws Exception {
        assertEquals(DAY, life(Dialect.RFC9309));
        assertEquals(DAY, life(Dialect.GOOGLE));
        assertEquals(7 * DAY, life(Dialect.KOSTER1996));
    }

    @Test
    void spec_3_2_cache_control() throws Exception {
        assertEquals(1000, life(Dialect.RFC9309, "Cache-Control", "public, max-age=1000"));
        assertEquals(800, life(Dialect.RFC9309, "Cache-Control", "max-age=1000", "Age", "200"));
        assertEquals(DAY, life(Dialect.RFC9309, "Cache-Control", "max-age=9999999"));
        assertEquals(9 * DAY, life(Dialect.GOOGLE, "Cache-Control", "max-age=" + 9 * DAY));
        assertEquals(300, life(Dialect.RFC9309, "Cache-Control", "no-store"));
        assertEquals(300, life(Dialect.RFC9309, "cache-control", "max-age=0"));
    }

    @Test
    void spec_3_3_expires() throws Exception {
        // The server sends a Date by its own clock, from which Expires counts.
        String expires = DateTimeFormatter.RFC_1123_DATE_TIME.format(OffsetDateTime.now(ZoneOffset.UTC).plusHours(1));
        long life = life(Dialect.RFC9309, "Expires", expires);
        assertTrue(life > 3500 && life <= 3600, life + " s");
        assertEquals(700, life(Dialect.RFC9309, "Expires", expires, "Cache-Control", "max-age=700"));
    }

    @Test
    void spec_3_5_not_modified() throws Exception {
        List<String> conditions = Collections.synchronizedList(new ArrayList<>());
        site.answers(exchange -> {
            String condition = exchange.getRequestHeaders().getFirst("If-None-Match");
            conditions.add(condition + " " + exchange.getRequestHeaders().getFirst("If-Modified-Since"));
            boolean same = "\"v1\"".equals(condition);
            Site.send(exchange, same ? 304 : 200, same ? new byte[0] : FILE.getBytes(StandardCharsets.UTF_8), "ETag", "\"v1\"",
                    "Last-Modified", "Mon, 13 Nov 2023 00:00:00 GMT");
        });
        Outcome first = fetch();
        assertEquals("\"v1\"", first.etag());
        assertEquals("Mon, 13 Nov 2023 00:00:00 GMT", first.lastModified());
        Outcome second = fetchAgain();
        outcome(Kind.RULES, Cause.NOT_MODIFIED, second);
        assertEquals(in(2 * DAY), second.freshUntil());
        assertEquals(first.rules(), second.rules());
        assertEquals(List.of("null null", "\"v1\" Mon, 13 Nov 2023 00:00:00 GMT"), conditions);
    }

    /** What a server sends as its ETag, it gets back; what cannot be sent back does not keep the file from being fetched. */
    @Test
    void spec_3_5_odd_validators() throws Exception {
        List<String> conditions = Collections.synchronizedList(new ArrayList<>());
        for (String odd : new String[] {"\"v \u00e4\u00ff\"", "no quotes", "\"\t\"", "\u00c3\u00a4"}) {
            RobotsCache one = cacheFor(Crawler.of("ExampleBot"));
            site.answers(exchange -> {
                conditions.add(exchange.getRequestHeaders().getFirst("If-None-Match"));
                Site.send(exchange, 200, FILE.getBytes(StandardCharsets.UTF_8), "ETag", odd);
            });
            outcome(Kind.RULES, Cause.FOUND, fetch(one));
            clock.pass(DAY);
            outcome(Kind.RULES, Cause.FOUND, fetch(one));
        }
        assertEquals(8, conditions.size());
    }

    @Test
    void spec_3_7_one_file_serves_several_crawlers() throws Exception {
        RobotsCache two = RobotsCache.builder(Crawler.of("One")).crawler(Crawler.of("Two")).clock(clock).build();
        site.answers(200, "User-agent: One\nDisallow: /one\n\nUser-agent: Two\nDisallow: /two\n");
        assertFalse(fetcher.check(two, 0, site.url("/one")).allowed());
        assertTrue(fetcher.check(two, 0, site.url("/two")).allowed());
        assertTrue(fetcher.check(two, 1, site.url("/one")).allowed());
        assertFalse(fetcher.check(two, 1, site.url("/two")).allowed());
        assertEquals(1, site.asked.size());
        assertThrows(IndexOutOfBoundsException.class, () -> two.check(2, site.url("/")));
        assertThrows(IndexOutOfBoundsException.class, () -> two.check(-1, site.url("/")));
    }

    // --- bodies ------------------------------------------------------------------------------------------------------------

    @Test
    void spec_4_5_the_limit_holds_while_the_body_arrives() throws Exception {
        AtomicLong sent = new AtomicLong();
        site.answers(exchange -> endless(exchange, sent));
        outcome(Kind.RULES, Cause.FOUND, fetch());
        assertFalse(allowed("/private"));
        long most = 64 << 20; // what is under way in the buffers of two systems comes on top of the limit
        assertTrue(sent.get() < most, sent + " octets");
    }

    private static void endless(HttpExchange exchange, AtomicLong sent) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write(FILE.getBytes(StandardCharsets.UTF_8));
        byte[] more = "# and so on\n".repeat(1000).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 20_000; i++) { // 240 MB, unless the other side hangs up
            exchange.getResponseBody().write(more);
            sent.addAndGet(more.length);
        }
    }

    private static byte[] zipped(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
            zip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    @Test
    void gzip() throws Exception {
        byte[] zipped = zipped(FILE);
        site.answers(exchange -> Site.send(exchange, 200, zipped, "Content-Encoding", "gzip"));
        outcome(Kind.RULES, Cause.FOUND, fetch());
        assertFalse(allowed("/private"));
        byte[] bomb = zipped("# nothing\n".repeat(5_000_000));
        site.answers(exchange -> Site.send(exchange, 200, bomb, "Content-Encoding", "GZIP"));
        outcome(Kind.RULES, Cause.FOUND, fetch(cacheFor(Dialect.GOOGLE)));
        site.answers(exchange -> Site.send(exchange, 200, Arrays.copyOf(zipped, 20), "Content-Encoding", "gzip"));
        outcome(Kind.DISALLOW_ALL, Cause.TRUNCATED, fetch(cacheFor(Dialect.RFC9309)));
        site.answers(200, FILE, "Content-Encoding", "gzip");
        outcome(Kind.DISALLOW_ALL, Cause.TRUNCATED, fetch(cacheFor(Dialect.RFC9309)));
        site.answers(200, FILE, "Content-Encoding", "br");
        outcome(Kind.DISALLOW_ALL, Cause.TRUNCATED, fetch(cacheFor(Dialect.RFC9309)));
        site.answers(200, "", "Content-Encoding", "gzip");
        outcome(Kind.RULES, Cause.FOUND, fetch(cacheFor(Dialect.RFC9309)));
        site.answers(exchange -> Site.send(exchange, 200, zipped)); // octets of gzip that nobody declared
        RobotsCache plain = cacheFor(Dialect.RFC9309);
        outcome(Kind.RULES, Cause.FOUND, fetch(plain));
        assertEquals(Reason.NO_GROUP, plain.check(site.url("/private")).verdict().reason());
    }

    @Test
    void utf16_says_nothing_that_allows_by_mistake() throws Exception {
        site.answers(exchange -> Site.send(exchange, 200, FILE.getBytes(StandardCharsets.UTF_16)));
        outcome(Kind.RULES, Cause.FOUND, fetch());
        Crawler crawler = Crawler.of("ExampleBot");
        boolean parsed = crawler.parse(FILE.getBytes(StandardCharsets.UTF_16)).isAllowed("/private");
        assertEquals(parsed, allowed("/private"));
    }

    // --- many threads, and misuse -----------------------------------------------------------------------------------------

    @Test
    void fifty_threads_on_a_cold_site_ask_once() throws Exception {
        site.answers(exchange -> {
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Site.send(exchange, 200, FILE.getBytes(StandardCharsets.UTF_8));
        });
        int count = 50;
        CountDownLatch begin = new CountDownLatch(1);
        List<String> wrong = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String path = i % 2 == 0 ? "/page" : "/private/" + i;
            Thread thread = new Thread(() -> {
                try {
                    begin.await();
                    if (fetcher.check(cache, site.url(path)).allowed() != path.equals("/page")) {
                        wrong.add(path);
                    }
                } catch (Exception | AssertionError e) {
                    wrong.add(e.toString());
                }
            });
            threads.add(thread);
            thread.start();
        }
        begin.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(List.of(), wrong);
        assertEquals(List.of("/robots.txt"), site.asked);
    }

    @Test
    void an_interrupt_gives_the_ticket_back() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        site.answers(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('#');
            exchange.getResponseBody().flush();
            reached.countDown();
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
        Thread thread = new Thread(() -> {
            try {
                fetcher.check(cache, site.url("/"));
            } catch (Throwable e) {
                thrown.add(e);
            }
        });
        thread.start();
        reached.await();
        assertEquals(Answer.Action.WAIT, cache.check(site.url("/")).action());
        thread.interrupt();
        thread.join();
        over.countDown();
        assertEquals(1, thrown.size());
        assertEquals(InterruptedException.class, thrown.get(0).getClass());
        Answer answer = cache.check(site.url("/"));
        assertEquals(Answer.Action.FETCH, answer.action());
        answer.ticket().orElseThrow().close();
    }

    @Test
    void misuse() {
        HttpClient following = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
        assertThrows(IllegalArgumentException.class, () -> RobotsFetcher.of(following, "Bot", Duration.ofSeconds(1)));
        assertThrows(IllegalArgumentException.class, () -> RobotsFetcher.of("Bot\r\nX: y"));
        assertThrows(IllegalArgumentException.class, () -> RobotsFetcher.of(HttpClient.newHttpClient(), "Bot", Duration.ZERO));
        assertThrows(NullPointerException.class, () -> fetcher.check(cache, null));
        assertThrows(NullPointerException.class, () -> fetcher.fetch(cache, null));
        for (String wrong : new String[] {"", "/page", "nonsense"}) {
            assertEquals(Status.URL, assertDoesNotWait(wrong).status(), wrong);
        }
        assertEquals(Status.SCHEME, assertDoesNotWait("gopher://example.com/").status());
        cache.close();
        assertThrows(IllegalStateException.class, () -> fetcher.check(cache, site.url("/")));
    }

    private Verdict assertDoesNotWait(String url) {
        try {
            Verdict verdict = fetcher.check(cache, url);
            assertFalse(verdict.allowed());
            return verdict;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
