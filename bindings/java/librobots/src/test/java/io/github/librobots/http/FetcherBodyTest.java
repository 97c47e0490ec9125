package io.github.librobots.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import io.github.librobots.Crawler;
import io.github.librobots.Dialect;
import io.github.librobots.Outcome.Cause;
import io.github.librobots.Outcome.Kind;
import io.github.librobots.Reason;
import io.github.librobots.RobotsCache;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Bodies as servers send them: endless, compressed, in UTF-16. */
class FetcherBodyTest extends Fetching {
    @Test
    void spec_4_5_the_limit_holds_while_the_body_arrives() throws Exception {
        AtomicLong sent = new AtomicLong();
        site.answers(exchange -> endless(exchange, sent));
        outcome(Kind.RULES, Cause.FOUND, fetch());
        assertFalse(allowed("/private"));
        long most = 64 << 20; // the buffers of both sides add to the limit
        assertTrue(sent.get() < most, sent + " bytes");
    }

    private static void endless(HttpExchange exchange, AtomicLong sent) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write(FILE.getBytes(StandardCharsets.UTF_8));
        byte[] more = "# and so on\n".repeat(1000).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 20_000; i++) { // 240 MB, unless the client closes the connection
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
        byte[] two = new byte[2 * zipped.length];
        for (int i = 0; i < two.length; i++) {
            two[i] = zipped[i % zipped.length];
        }
        site.answers(exchange -> Site.send(exchange, 200, two, "Content-Encoding", "x-gzip"));
        outcome(Kind.RULES, Cause.FOUND, fetch(cacheFor(Dialect.RFC9309)));
        byte[] bomb = zipped("# nothing\n".repeat(5_000_000));
        site.answers(exchange -> Site.send(exchange, 200, bomb, "Content-Encoding", "GZIP"));
        outcome(Kind.RULES, Cause.FOUND, fetch(cacheFor(Dialect.GOOGLE)));
        site.answers(exchange -> Site.send(exchange, 200, Arrays.copyOf(zipped, 20), "Content-Encoding", "gzip"));
        outcome(Kind.UNREACHABLE, Cause.TRUNCATED, fetch(cacheFor(Dialect.RFC9309)));
        site.answers(200, FILE, "Content-Encoding", "gzip"); // the server only says so
        outcome(Kind.RULES, Cause.FOUND, fetch(cacheFor(Dialect.RFC9309)));
        site.answers(200, FILE + "\u0003", "Content-Encoding", "br");
        outcome(Kind.UNREACHABLE, Cause.ENCODED_BODY, fetch(cacheFor(Dialect.RFC9309)));
        for (String coding : new String[] {"gzip", "br", "br, gzip"}) { // SPEC 2.17: an empty body is an empty file
            site.answers(200, "", "Content-Encoding", coding);
            outcome(Kind.RULES, Cause.FOUND, fetch(cacheFor(Dialect.RFC9309)));
        }
        site.answers(exchange -> Site.send(exchange, 200, zipped)); // gzip without a header
        RobotsCache plain = cacheFor(Dialect.RFC9309);
        outcome(Kind.UNREACHABLE, Cause.ENCODED_BODY, fetch(plain));
        assertEquals(Reason.UNREACHABLE, plain.check(site.url("/private")).verdict().reason());
    }

    @Test
    void utf16_is_parsed_as_without_a_fetch() throws Exception {
        site.answers(exchange -> Site.send(exchange, 200, FILE.getBytes(StandardCharsets.UTF_16)));
        outcome(Kind.RULES, Cause.FOUND, fetch());
        Crawler crawler = Crawler.of("ExampleBot");
        boolean parsed = crawler.parse(FILE.getBytes(StandardCharsets.UTF_16)).isAllowed("/private");
        assertEquals(parsed, allowed("/private"));
    }
}
