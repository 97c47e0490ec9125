package io.github.librobots;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Decisions on images in Java arrays. */
class RulesImageTest {
    private final Crawler crawler = Crawler.of("ExampleBot");

    static byte[] file(int rules) {
        StringBuilder text = new StringBuilder("User-agent: *\nCrawl-delay: 2.5\n");
        for (int i = 0; i < rules; i++) {
            text.append("Disallow: /folder-").append(i * 7919).append("/page\n");
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** Small images are copied to the stack, large ones are used in place. */
    @Test
    void decisions() {
        for (int count : new int[] {0, 1, 10, 10_000}) {
            byte[] body = file(count);
            Rules rules = crawler.parse(body);
            byte[] image = crawler.compile(body);
            assertArrayEquals(rules.image(), image);
            byte[] padded = new byte[image.length + 7];
            System.arraycopy(image, 0, padded, 3, image.length);
            assertArrayEquals(image, crawler.compile(Arrays.copyOf(body, body.length + 5), 0, body.length));
            for (String url : new String[] {"/", "/folder-0/page", "https://example.com/folder-7919/page?x", "no-url", "/" + "x".repeat(5000)}) {
                Verdict verdict = rules.check(url);
                assertEquals(verdict, RulesImage.check(image, url));
                assertEquals(verdict.allowed(), RulesImage.isAllowed(image, url));
                assertEquals(verdict, RulesImage.check(padded, url, 3, image.length));
                byte[] bytes = ("ab" + url + "c").getBytes(StandardCharsets.US_ASCII);
                assertEquals(verdict, RulesImage.check(padded, 3, image.length, bytes, 2, bytes.length - 3));
                assertEquals(verdict, RulesImage.check(image, bytes, 2, bytes.length - 3));
            }
            assertEquals(Status.OK, RulesImage.validate(padded, 3, image.length));
            assertEquals(OptionalDouble.of(2.5), RulesImage.crawlDelay(padded, 3, image.length));
            List<Executable> outside = List.of(() -> RulesImage.check(image, "/", 1, image.length), () -> RulesImage.check(image, new byte[1], 1, 1),
                    () -> RulesImage.check(image, 0, image.length, new byte[1], 1, 1), () -> RulesImage.isAllowed(image, new byte[1], 0, -1),
                    () -> RulesImage.validate(image, -1, 2), () -> RulesImage.crawlDelay(image, 0, image.length + 1),
                    () -> crawler.compile(new byte[2], 1, 2), () -> Origin.findKey(new byte[1], 0, 2), () -> Origin.findRobotsUrl(new byte[1], -1, 1));
            outside.forEach(call -> assertThrows(IndexOutOfBoundsException.class, call));
        }
    }

    @Test
    void damagedImages() {
        byte[] image = crawler.compile(file(10));
        for (byte[] none : new byte[][] {{}, new byte[100_000]}) {
            assertFalse(RulesImage.isAllowed(none, "/"));
            assertTrue(RulesImage.validate(none) != Status.OK);
            assertEquals(OptionalDouble.empty(), RulesImage.crawlDelay(none));
        }
        for (int i = 0; i < image.length; i++) {
            byte[] damaged = image.clone();
            damaged[i] ^= 0x10;
            assertTrue(RulesImage.validate(damaged) != Status.OK, "byte " + i);
            RulesImage.check(damaged, "/folder-7919/page"); // an error or a wrong verdict, no crash
        }
    }

    @Test
    void urlsToSend() {
        assertEquals("https://example.com/caf%C3%A9%20~u/", Origin.urlToSend("HTTPS://user@Example.com:443/a/../caf\u00e9 %7eu\\?#top"));
        assertEquals("https://example.com/" + "%C3%A9".repeat(1000), Origin.urlToSend("https://example.com/" + "\u00e9".repeat(1000)));
        for (String wrong : new String[] {"/x", "https://example.com/" + "x".repeat(1 << 16)}) {
            assertThrows(IllegalArgumentException.class, () -> Origin.urlToSend(wrong));
            assertThrows(IllegalArgumentException.class, () -> Origin.keyFromUrl("/x"));
        }
        assertThrows(NullPointerException.class, () -> Origin.keyFromUrl(null));
        assertThrows(NullPointerException.class, () -> Origin.urlToSend(null));
    }

    private static String text(byte[] found) {
        return found == null ? null : new String(found, StandardCharsets.US_ASCII);
    }

    /** The bytes of a URL give what its string gives; null instead of an exception. */
    @Test
    void originsOfBytes() {
        for (String url : new String[] {"HTTPS://Example.com:443/x?y", "http://www.ex\u00e4mple.com", "ftp://[::1]:2121/", "/x", "",
                "mailto:x", "http://" + "a.".repeat(120) + "example/", "https://host/" + "x".repeat(5000), "http://host:99999/"}) {
            byte[] bytes = ("<" + url + ">").getBytes(StandardCharsets.UTF_8);
            Origin origin;
            try {
                origin = Origin.of(url);
            } catch (IllegalArgumentException e) {
                origin = null;
            }
            assertEquals(origin == null ? null : origin.key(), text(Origin.findKey(bytes, 1, bytes.length - 2)), url);
            assertEquals(origin == null ? null : origin.robotsUrl(), text(Origin.findRobotsUrl(bytes, 1, bytes.length - 2)), url);
            if (origin != null) {
                assertEquals(origin.key(), Origin.keyFromUrl(url));
                assertEquals(origin, Origin.of(origin.key()));
            }
        }
    }

    /** An image of a response is that of the outcome. */
    @Test
    void responses() {
        byte[] body = file(3);
        for (int status : new int[] {200, 204, 206, 301, 401, 404, 429, 503, 0, -1, 999}) {
            Outcome outcome = crawler.outcomeOf("https://example.com/", status, body, Instant.now());
            assertArrayEquals(outcome.rules().image(), RulesImage.fromResponse(crawler, status, body), "status " + status);
        }
        assertEquals(Reason.UNREACHABLE, RulesImage.check(RulesImage.fromResponse(crawler, 503, body), "/").reason());
        assertThrows(NullPointerException.class, () -> RulesImage.fromResponse(crawler, 200, null));
    }

    @Test
    void sitemaps() {
        byte[] image = crawler.compile("Sitemap: https://a/1\nSitemap: https://\u00e4/2".getBytes(StandardCharsets.UTF_8));
        assertEquals(List.of("https://a/1", "https://\u00e4/2"), RulesImage.sitemaps(image));
        assertEquals(List.of(), RulesImage.sitemaps(crawler.compile(file(1))));
        image[image.length - 1] ^= 1;
        assertThrows(IllegalArgumentException.class, () -> RulesImage.sitemaps(image));
    }
}
