package io.github.librobots.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.librobots.Crawler;
import io.github.librobots.Dialect;
import io.github.librobots.Outcome;
import io.github.librobots.Outcome.Cause;
import io.github.librobots.Outcome.Kind;
import io.github.librobots.RobotsCache;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows of SPEC 3, end to end: the TTL of a result. */
class FetcherTtlTest extends Fetching {
    private long ttl(Dialect dialect, String... headers) throws Exception {
        site.answers(200, FILE, headers);
        Outcome outcome = fetch(cacheFor(dialect));
        assertEquals(clock.instant(), outcome.fetchedAt());
        return Duration.between(outcome.fetchedAt(), outcome.freshUntil()).getSeconds();
    }

    @Test
    void spec_3_1_default_ttl() throws Exception {
        assertEquals(DAY, ttl(Dialect.RFC9309));
        assertEquals(DAY, ttl(Dialect.GOOGLE));
        assertEquals(7 * DAY, ttl(Dialect.KOSTER1996));
    }

    @Test
    void spec_3_2_cache_control() throws Exception {
        assertEquals(1000, ttl(Dialect.RFC9309, "Cache-Control", "public, max-age=1000"));
        assertEquals(800, ttl(Dialect.RFC9309, "Cache-Control", "max-age=1000", "Age", "200"));
        assertEquals(DAY, ttl(Dialect.RFC9309, "Cache-Control", "max-age=9999999"));
        assertEquals(9 * DAY, ttl(Dialect.GOOGLE, "Cache-Control", "max-age=" + 9 * DAY));
        assertEquals(300, ttl(Dialect.RFC9309, "Cache-Control", "no-store"));
        assertEquals(300, ttl(Dialect.RFC9309, "cache-control", "max-age=0"));
    }

    @Test
    void spec_3_3_expires() throws Exception {
        // Expires counts from the Date of the server.
        String expires = DateTimeFormatter.RFC_1123_DATE_TIME.format(OffsetDateTime.now(ZoneOffset.UTC).plusHours(1));
        long ttl = ttl(Dialect.RFC9309, "Expires", expires);
        assertTrue(ttl > 3500 && ttl <= 3600, ttl + " s");
        assertEquals(700, ttl(Dialect.RFC9309, "Expires", expires, "Cache-Control", "max-age=700"));
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

    /** The server receives its ETag again. An ETag that cannot be sent does not prevent the fetch. */
    @Test
    void spec_3_5_odd_validators() throws Exception {
        List<String> conditions = Collections.synchronizedList(new ArrayList<>());
        for (String tag : new String[] {"\"v \u00e4\u00ff\"", "no quotes", "\"\t\"", "\u00c3\u00a4"}) {
            RobotsCache one = cacheFor(Crawler.of("ExampleBot"));
            site.answers(exchange -> {
                conditions.add(exchange.getRequestHeaders().getFirst("If-None-Match"));
                Site.send(exchange, 200, FILE.getBytes(StandardCharsets.UTF_8), "ETag", tag);
            });
            outcome(Kind.RULES, Cause.FOUND, fetch(one));
            clock.advance(DAY);
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
        assertEquals(1, site.requests.size());
        assertThrows(IndexOutOfBoundsException.class, () -> two.check(2, site.url("/")));
        assertThrows(IndexOutOfBoundsException.class, () -> two.check(-1, site.url("/")));
    }
}
