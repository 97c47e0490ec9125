package io.github.librobots.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.librobots.CacheDecision;
import io.github.librobots.Crawler;
import io.github.librobots.Fetch;
import io.github.librobots.FetchOption;
import io.github.librobots.Outcome.Cause;
import io.github.librobots.Outcome.Kind;
import io.github.librobots.Outcome;
import io.github.librobots.RobotsCache;
import io.github.librobots.Ticket;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** How the fetcher reports what java.net.http returns. tests/wire has many more responses. */
class FetcherMeaningTest extends Fetching {
    private void answered(Kind kind, Cause cause, int status, byte[] body, String... headers) throws Exception {
        site.answers(exchange -> Site.send(exchange, status, body, headers));
        outcome(kind, cause, fetch(cacheFor(Crawler.of("ExampleBot"))));
    }

    @Test
    void responses() throws Exception {
        byte[] file = FILE.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
            zip.write(file);
        }
        byte[] zipped = out.toByteArray();
        answered(Kind.RULES, Cause.FOUND, 204, new byte[0]);
        answered(Kind.RULES, Cause.FOUND, 200, zipped, "Content-Encoding", "gzip");
        answered(Kind.UNREACHABLE, Cause.TRUNCATED, 200, Arrays.copyOf(zipped, 20), "Content-Encoding", "gzip");
        answered(Kind.RULES, Cause.FOUND, 200, new byte[0], "Content-Encoding", "br, gzip");
        answered(Kind.UNREACHABLE, Cause.ENCODED_BODY, 200, (FILE + "\u0003").getBytes(StandardCharsets.UTF_8), "Content-Encoding", "br");
        answered(Kind.ALLOW_ALL, Cause.MISSING, 404, file);
        answered(Kind.UNREACHABLE, Cause.ODD_STATUS, 304, new byte[0]);
        answered(Kind.ALLOW_ALL, Cause.TOO_MANY_REDIRECTS, 301, new byte[0], "Location", "/robots.txt");
        answered(Kind.ALLOW_ALL, Cause.BAD_REDIRECT, 301, new byte[0]);
        answered(Kind.ALLOW_ALL, Cause.BAD_REDIRECT, 301, new byte[0], "Location", "mailto:nobody@example.com");
        site.answers(exchange -> {}); // closed without a response
        outcome(Kind.UNREACHABLE, Cause.RESET, fetch());
        site.close();
        outcome(Kind.UNREACHABLE, Cause.CONNECT, fetch(cacheFor(Crawler.of("ExampleBot"))));
    }

    @Test
    void a_redirected_file_governs_the_first_origin_only() throws Exception {
        try (Site other = new Site()) {
            other.answers(200, FILE);
            site.answers(302, "", "Location", other.url("/elsewhere?x"));
            Outcome outcome = fetch();
            assertEquals("1 " + other.url("/elsewhere?x"), outcome.hops() + " " + outcome.finalUrl());
            assertFalse(allowed("/private"));
            assertEquals(CacheDecision.Action.FETCH, cache.check(other.url("/private")).action(), "the other origin is unknown");
        }
    }

    @Test
    void spec_4_5_the_limit_holds_while_the_body_arrives() throws Exception {
        AtomicLong sent = new AtomicLong();
        byte[] more = "# and so on\n".repeat(1000).getBytes(StandardCharsets.UTF_8);
        site.answers(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            for (int i = 0; i < 20_000; i++) { // 240 MB, unless the client closes the connection
                exchange.getResponseBody().write(more);
                sent.addAndGet(more.length);
            }
        });
        outcome(Kind.RULES, Cause.FOUND, fetch());
        assertTrue(sent.get() < 64 << 20, sent + " bytes"); // the buffers of both sides add to the limit
    }

    @Test
    void the_deadline_is_for_all_redirects_together() throws Exception {
        site.answers(exchange -> {
            try {
                Thread.sleep(300);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Site.send(exchange, site.requests.size() > 3 ? 200 : 302, new byte[0], "Location", "/" + site.requests.size());
        });
        RobotsFetcher hasty = RobotsFetcher.of(HttpClient.newHttpClient(), "ExampleBot/1.0", Duration.ofMillis(700));
        outcome(Kind.UNREACHABLE, Cause.TIMEOUT, hasty.fetch(cache, cache.check(site.url("/page")).ticket().orElseThrow()));
    }

    /** The server receives its validators again; an ETag that cannot be sent does not prevent the fetch. All headers of a name count. */
    @Test
    void headers() throws Exception {
        for (String tag : new String[] {"\"v1\"", "\"v \u00e4\u00ff\"", "no quotes", "\"\t\"", "\u00c3\u00a4"}) {
            List<String> conditions = Collections.synchronizedList(new ArrayList<>());
            String date = "Mon, 13 Nov 2023 00:00:00 GMT";
            site.answers(exchange -> {
                conditions.add(exchange.getRequestHeaders().getFirst("If-None-Match") + " " + exchange.getRequestHeaders().getFirst("If-Modified-Since"));
                Site.send(exchange, 200, FILE.getBytes(StandardCharsets.UTF_8), "ETag", tag, "Last-Modified", date, "Cache-Control", "public",
                        "Cache-Control", "max-age=7200");
            });
            RobotsCache one = cacheFor(Crawler.of("ExampleBot"));
            Outcome found = fetch(one);
            assertEquals(clock.instant().plusSeconds(7200), found.freshUntil());
            clock.advance(DAY);
            outcome(Kind.RULES, Cause.FOUND, fetch(one));
            if (tag.equals("\"v1\"")) {
                assertEquals(List.of("null null", tag + " " + date), conditions);
            }
            assertEquals(2, conditions.size(), tag);
        }
    }

    @Test
    void one_file_serves_several_crawlers() throws Exception {
        RobotsCache two = RobotsCache.builder(Crawler.of("One")).crawler(Crawler.of("Two")).clock(clock).build();
        site.answers(200, "User-agent: One\nDisallow: /one\n\nUser-agent: Two\nDisallow: /two\n");
        assertFalse(fetcher.check(two, 0, site.url("/one")).allowed());
        assertTrue(fetcher.check(two, 1, site.url("/one")).allowed());
        assertEquals(1, site.requests.size());
        assertThrows(IndexOutOfBoundsException.class, () -> two.check(2, site.url("/")));
        assertThrows(IndexOutOfBoundsException.class, () -> two.check(-1, site.url("/")));
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
