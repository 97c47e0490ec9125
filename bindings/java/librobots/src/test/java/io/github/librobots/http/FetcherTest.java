package io.github.librobots.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.librobots.CacheDecision;
import io.github.librobots.Crawler;
import io.github.librobots.Fetch;
import io.github.librobots.FetchOption;
import io.github.librobots.Outcome;
import io.github.librobots.Outcome.Cause;
import io.github.librobots.Outcome.Kind;
import io.github.librobots.RobotsCache;
import io.github.librobots.Status;
import io.github.librobots.Ticket;
import io.github.librobots.Verdict;
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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The fetcher with many threads, interrupted, and misused. tests/wire asks what it makes of many responses. */
class FetcherTest {
    private static final byte[] FILE = "User-agent: *\nDisallow: /private\n".getBytes(StandardCharsets.UTF_8);

    private final FakeClock clock = new FakeClock();
    private final RobotsFetcher fetcher = RobotsFetcher.of(HttpClient.newHttpClient(), "ExampleBot/1.0", Duration.ofSeconds(10));
    private final RobotsCache cache = RobotsCache.builder(Crawler.of("ExampleBot")).clock(clock).build();
    private Site site;

    @BeforeEach
    void open() throws IOException {
        site = new Site().answers(exchange -> Site.send(exchange, 200, FILE));
    }

    @AfterEach
    void close() {
        site.close();
    }

    /** Returns what the file of a site means for a new cache. */
    private Outcome fetch(String url) throws InterruptedException {
        RobotsCache one = RobotsCache.builder(Crawler.of("ExampleBot")).clock(clock).build();
        return fetcher.fetch(one, one.check(url).ticket().orElseThrow());
    }

    /** Returns the cause for a server that sends {@code reply} to any request and closes the connection, for TLS after its client. */
    private Cause cause(String scheme, String reply) throws Exception {
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
            Outcome outcome = fetch(scheme + "://127.0.0.1:" + listener.getLocalPort() + "/");
            server.join();
            assertEquals(Kind.UNREACHABLE, outcome.kind(), outcome.toString());
            return outcome.cause();
        }
    }

    /** What java.net.http reports becomes a cause. No host is sure to have no address, so that exception is made here. */
    @Test
    void causes() throws Exception {
        String handshakeFailure = "\u0015\u0003\u0003\u0000\u0002\u0002\u0028"; // a fatal alert of TLS 1.2
        assertEquals(Cause.TLS, cause("https", handshakeFailure));
        assertEquals(Cause.TRUNCATED, cause("http", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nUser-\r\nzz\r\n"));
        assertEquals(Cause.OTHER_FAILURE, fetch("ftp://example.com/file").cause());
        site.answers(exchange -> {}); // closed without a response
        assertEquals(Cause.RESET, fetch(site.url("/")).cause());
        site.close();
        assertEquals(Cause.CONNECT, fetch(site.url("/")).cause());
        IOException noAddress = new ConnectException();
        noAddress.initCause(new UnresolvedAddressException());
        assertEquals(Fetch.Failure.DNS, RobotsFetcher.failure(noAddress, false));
        assertEquals(Fetch.Failure.RESET, RobotsFetcher.failure(new SocketException("Connection reset"), true));
        assertEquals(Fetch.Failure.OTHER, RobotsFetcher.failure(new ProtocolException(), false));
    }

    /** The exception of the client is in the log, in the hook, and in the decision and its text. */
    @Test
    void exceptionsOfTheClient() throws Exception {
        List<LogRecord> logged = Collections.synchronizedList(new ArrayList<>());
        Logger logger = Logger.getLogger("io.github.librobots");
        logger.setLevel(Level.ALL);
        logger.setFilter(line -> logged.add(line) && false);
        String url = site.url("/page"), robots = site.url("/robots.txt");
        site.close();
        List<Exception> seen = new ArrayList<>();
        try {
            RobotsFetcher fetcher = RobotsFetcher.of("ExampleBot/1.0").onOutcome(outcome -> {}).onFailure((asked, exception) -> {
                assertEquals(robots, asked);
                seen.add(exception);
            });
            CacheDecision decision = fetcher.request(RobotsCache.of(Crawler.of("ExampleBot")), url);
            assertEquals(1, seen.size());
            assertTrue(seen.get(0) instanceof ConnectException, seen.toString());
            assertSame(seen.get(0), decision.failure().orElseThrow());
            assertTrue(decision.toString().endsWith(", after " + seen.get(0)), decision.toString());
            assertEquals("no robots.txt from " + robots, logged.get(0).getMessage());
            assertSame(seen.get(0), logged.get(0).getThrown());
        } finally {
            logger.setFilter(null);
            logger.setLevel(null);
        }
    }

    @Test
    void spec_4_5_the_rest_of_a_long_body_is_not_read() throws Exception {
        AtomicLong sent = new AtomicLong();
        byte[] more = "# and so on\n".repeat(1000).getBytes(StandardCharsets.UTF_8);
        site.answers(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            for (int i = 0; i < 20_000; i++) { // 240 MB, unless the client closes the connection
                exchange.getResponseBody().write(more);
                sent.addAndGet(more.length);
            }
        });
        assertEquals(Cause.FOUND, fetch(site.url("/")).cause());
        assertTrue(sent.get() < 64 << 20, sent + " bytes"); // the buffers of both sides add to the limit
    }

    /** The server receives its validators again; an ETag that cannot be sent does not prevent the fetch. */
    @Test
    void validators() throws Exception {
        String date = "Mon, 13 Nov 2023 00:00:00 GMT";
        for (String tag : new String[] {"\"v1\"", "\"v \u00e4\u00ff\"", "no quotes", "\"\t\"", "\u00c3\u00a4"}) {
            List<String> conditions = Collections.synchronizedList(new ArrayList<>());
            site.answers(exchange -> {
                conditions.add(exchange.getRequestHeaders().getFirst("If-None-Match") + " " + exchange.getRequestHeaders().getFirst("If-Modified-Since"));
                Site.send(exchange, 200, FILE, "ETag", tag, "Last-Modified", date);
            });
            cache.clear();
            for (int i = 0; i < 2; i++) {
                assertEquals(Cause.FOUND, fetcher.fetch(cache, cache.check(site.url("/")).ticket().orElseThrow()).cause());
                clock.advance(86_400);
            }
            assertEquals(2, conditions.size(), tag);
            assertTrue(!tag.equals("\"v1\"") || conditions.equals(List.of("null null", tag + " " + date)), conditions.toString());
        }
    }

    @Test
    void one_file_serves_several_crawlers() throws Exception {
        RobotsCache two = RobotsCache.builder(Crawler.of("One")).crawler(Crawler.of("Two")).clock(clock).build();
        site.answers(200, "User-agent: One\nDisallow: /one\n\nUser-agent: Two\nDisallow: /two\n");
        assertTrue(fetcher.check(two, 1, site.url("/one")).allowed());
        assertFalse(fetcher.check(two, 0, site.url("/one")).allowed());
        assertFalse(fetcher.request(two, 1, site.url("/two")).allowed());
        assertEquals(1, site.requests.size());
        for (int wrong : new int[] {2, -1}) {
            assertThrows(IndexOutOfBoundsException.class, () -> two.check(wrong, site.url("/")));
            assertThrows(IndexOutOfBoundsException.class, () -> fetcher.request(two, wrong, site.url("/")));
        }
    }

    /** SPEC 2.14: a fetch with settings of its own. */
    @Test
    void a_fetch_of_the_caller() throws Exception {
        site.answers(500, "");
        try (Ticket ticket = cache.check(site.url("/")).ticket().orElseThrow();
                Fetch fetch = ticket.fetch().set(FetchOption.SERVER_ERROR_IS_MISSING, 1)) {
            assertTrue(ticket.finish(fetcher.run(fetch, clock)));
        }
        assertTrue(cache.check(site.url("/page")).allowed());
    }

    @Test
    void after_the_deadline_no_redirect_is_followed() throws Exception {
        List<String> requests = new ArrayList<>();
        RobotsFetcher late = RobotsFetcher.of((fetch, left, clock) -> {
            requests.add(fetch.url());
            Thread.sleep(left.toMillis() + 1);
            fetch.status(301, clock.instant());
            fetch.header("location", "/moved.txt");
            fetch.headersEnd();
        }, Duration.ofMillis(20));
        try (Fetch fetch = Fetch.begin("http://a.example/", clock.instant(), Crawler.of("ExampleBot"))) {
            assertEquals(Cause.TIMEOUT, late.run(fetch, clock).cause());
        }
        assertEquals(List.of("http://a.example/robots.txt"), requests);
    }

    @Test
    void an_interrupt_returns_the_ticket() throws Exception {
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
        assertEquals(CacheDecision.Action.WAIT, cache.check(site.url("/")).action());
        thread.interrupt();
        thread.join();
        over.countDown();
        assertEquals(1, thrown.size());
        assertEquals(InterruptedException.class, thrown.get(0).getClass());
        CacheDecision decision = cache.check(site.url("/"));
        assertEquals(CacheDecision.Action.FETCH, decision.action());
        decision.ticket().orElseThrow().close();
    }

    @Test
    void misuse() throws Exception {
        HttpClient following = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
        assertThrows(IllegalArgumentException.class, () -> RobotsFetcher.of(following, "Bot", Duration.ofSeconds(1)));
        assertThrows(IllegalArgumentException.class, () -> RobotsFetcher.of("Bot\r\nX: y"));
        HttpClient client = HttpClient.newHttpClient();
        Exception zero = assertThrows(IllegalArgumentException.class, () -> RobotsFetcher.of(client, "Bot", Duration.ZERO));
        assertEquals("deadline is PT0S: pass a longer time, such as 30 seconds", zero.getMessage());
        Exception none = assertThrows(NullPointerException.class, () -> RobotsFetcher.of(client, "Bot", null));
        assertEquals("deadline is null: pass a time, such as 30 seconds", none.getMessage());
        assertThrows(NullPointerException.class, () -> fetcher.check(cache, null));
        assertThrows(NullPointerException.class, () -> fetcher.fetch(cache, null));
        for (String wrong : new String[] {"", "/page", "nonsense", "gopher://example.com/"}) {
            Verdict verdict = fetcher.check(cache, wrong); // does not wait
            assertEquals(wrong.contains("://") ? Status.SCHEME : Status.URL, verdict.status(), wrong);
            assertFalse(verdict.allowed());
        }
        cache.close();
        assertThrows(IllegalStateException.class, () -> fetcher.check(cache, site.url("/")));
    }
}
