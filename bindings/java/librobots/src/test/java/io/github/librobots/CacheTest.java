package io.github.librobots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.librobots.http.FakeClock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Origins, outcomes, the fetch without I/O, and the cache without a network. */
public class CacheTest {
    private static final byte[] FILE = "User-agent: *\nDisallow: /private\nCrawl-delay: 2\nSitemap: https://site-1.example/s.xml\n"
            .getBytes(StandardCharsets.UTF_8);

    private final FakeClock clock = new FakeClock();
    private final Crawler crawler = Crawler.of("ExampleBot");
    private final RobotsCache cache = RobotsCache.builder(crawler).clock(clock).maxBytes(1 << 20).build();

    private static String url(int site) {
        return "https://site-" + site + ".example/page";
    }

    private void fill(int site) {
        try (Ticket ticket = cache.check(url(site)).ticket().orElseThrow()) {
            assertTrue(ticket.finish(crawler.outcomeOf(url(site), 200, FILE, clock.instant())));
        }
    }

    @Test
    public void origins() {
        Origin origin = Origin.of("HTTPS://user:pw@WWW.Exämple.com:443/folder?x#y");
        assertEquals("https://www.xn--exmple-cua.com", origin.key());
        assertEquals("https://www.xn--exmple-cua.com/robots.txt", origin.robotsUrl());
        assertTrue(origin.governs("https://www.exämple.com/"));
        assertFalse(origin.governs("http://www.exämple.com/"));
        assertFalse(origin.governs("https://www.exämple.com:444/"));
        assertFalse(origin.governs("nonsense"));
        assertEquals(Origin.of("http://[::1]:80/"), Origin.of("http://[0:0::1]/x"));
        assertNotEquals(Origin.of("http://a.example/"), Origin.of("http://b.example/"));
        IllegalArgumentException scheme = assertThrows(IllegalArgumentException.class, () -> Origin.of("gopher://x.example/"));
        assertEquals(Status.SCHEME.text(), scheme.getMessage());
        assertThrows(IllegalArgumentException.class, () -> Origin.of("/path"));
        assertThrows(NullPointerException.class, () -> Origin.of(null));
    }

    @Test
    public void fetchSteps() {
        Instant now = clock.instant();
        try (Fetch fetch = Fetch.begin("http://example.com/x?y", now, crawler, Crawler.of("Other"))) {
            assertEquals(Fetch.Step.GET, fetch.step());
            assertEquals("http://example.com/robots.txt", fetch.url());
            assertEquals(Map.of(), fetch.requestHeaders());
            IllegalStateException order = assertThrows(IllegalStateException.class, fetch::headersEnd);
            assertEquals(Status.STATE.text(), order.getMessage());
            assertThrows(IllegalStateException.class, fetch::outcome);
            fetch.status(301, now);
            assertEquals(Fetch.Step.HEADERS, fetch.step());
            fetch.header("LOCATION", "/new/robots.txt");
            fetch.headersEnd();
            assertEquals("http://example.com/new/robots.txt", fetch.url());
            fetch.status(200, now);
            fetch.header("etag", "\"\u00e4\"");
            fetch.headersEnd();
            assertEquals(Fetch.Step.BODY, fetch.step());
            assertThrows(IndexOutOfBoundsException.class, () -> fetch.body(FILE, 1, FILE.length));
            fetch.body(FILE, 0, 10);
            fetch.body(FILE, 10, FILE.length - 10);
            fetch.end();
            Outcome outcome = fetch.outcome();
            assertEquals("http://example.com: RULES (FOUND, 200)", outcome.toString());
            assertEquals("http://example.com", outcome.origin());
            assertEquals("\"\u00e4\"", outcome.etag());
            assertEquals("http://example.com/new/robots.txt", outcome.finalUrl());
            assertEquals(1, outcome.hops());
            assertFalse(outcome.downgraded());
            assertFalse(outcome.check("http://example.com/private", now).allowed());
            assertTrue(outcome.check(1, "/page", now).allowed());
            assertThrows(IndexOutOfBoundsException.class, () -> outcome.check(2, "/page", now));
            assertThrows(IndexOutOfBoundsException.class, () -> outcome.check(-1, "/page", now));
            assertEquals(Status.URL, outcome.check("http://other.example/page", now).status());
            assertEquals(2, outcome.rules(1).crawlDelay().orElseThrow());
            assertThrows(IndexOutOfBoundsException.class, () -> outcome.rules(2));
            assertThrows(IndexOutOfBoundsException.class, () -> outcome.rules(-1));
            assertThrows(IllegalArgumentException.class, () -> Fetch.begin("http://example.com/", now, crawler).setPrevious(outcome));
        }
        Fetch closed = Fetch.begin("https://example.com/", now, crawler);
        closed.close();
        closed.close();
        assertThrows(IllegalStateException.class, closed::step);
        assertThrows(IllegalStateException.class, closed::url);
        assertThrows(IllegalArgumentException.class, () -> Fetch.begin("mailto:x", now, crawler));
        assertThrows(IllegalArgumentException.class, () -> Fetch.begin("http://a.example/", now, crawler, new16()));
        try (Fetch failing = Fetch.begin("https://example.com/", now, crawler)) {
            failing.fail(Fetch.Failure.DNS, now);
            assertEquals("https://example.com: UNREACHABLE (DNS)", failing.outcome().toString());
            assertThrows(IllegalStateException.class, () -> failing.fail(Fetch.Failure.DNS, now));
        }
        try (Fetch down = Fetch.begin("https://example.com/", now, crawler)) {
            down.status(301, now);
            down.header("Location", "http://example.com/robots.txt");
            down.headersEnd();
            down.status(404, now);
            down.headersEnd();
            assertTrue(down.outcome().downgraded());
        }
        try (Fetch set = Fetch.begin("https://example.com/", now, crawler)) {
            assertThrows(IllegalArgumentException.class, () -> set.set(FetchOption.MAX_REDIRECTS, 21));
            assertThrows(IllegalArgumentException.class, () -> set.set(FetchOption.ON_SERVER_ERROR, 1));
            assertThrows(IllegalArgumentException.class, () -> set.set(FetchOption.ON_SERVER_ERROR, Outcome.Kind.RULES));
            set.set(FetchOption.ON_SERVER_ERROR, Outcome.Kind.DISALLOW_ALL).status(500, now);
            set.headersEnd();
            assertEquals("https://example.com: DISALLOW_ALL (SERVER_ERROR, 500)", set.outcome().toString());
        }
    }

    private static Crawler[] new16() {
        Crawler[] many = new Crawler[16];
        Arrays.setAll(many, i -> Crawler.of("Bot" + i));
        return many;
    }

    @Test
    public void outcomesAreEncodedAndDecoded() {
        Outcome outcome = crawler.outcomeOf("https://example.com/x", 200, FILE, clock.instant());
        byte[] record = outcome.encode();
        Outcome read = Outcome.decode(record, crawler);
        assertEquals(outcome.toString(), read.toString());
        assertEquals(outcome.rules(), read.rules());
        assertEquals(outcome.freshUntil(), read.freshUntil());
        assertEquals(outcome.unreachableSince(), read.unreachableSince());
        for (int i = 0; i < record.length; i++) {
            byte[] damaged = record.clone();
            damaged[i] ^= 0x20;
            assertThrows(IllegalArgumentException.class, () -> Outcome.decode(damaged, crawler), "byte " + i);
        }
        assertThrows(IllegalArgumentException.class, () -> Outcome.decode(record, Crawler.of("Another")));
        assertThrows(IllegalArgumentException.class, () -> crawler.outcomeOf("/x", 200, FILE, clock.instant()));
        assertThrows(NullPointerException.class, () -> crawler.outcomeOf("https://a.example/", 200, null, clock.instant()));
        // The first and the last time.
        Instant last = Instant.parse("9999-12-31T23:59:59.999Z");
        Outcome late = crawler.outcomeOf("https://example.com/", 404, FILE, last);
        assertTrue(late.check("/", last).allowed());
        Outcome early = crawler.outcomeOf("https://example.com/", 404, FILE, Instant.MIN);
        assertEquals(Instant.EPOCH, early.fetchedAt());
    }

    /** SPEC 2.18: a time after the year 9999 is an error, and an outcome of the future decides nothing. */
    @Test
    public void timesThatAreWrong() {
        Instant wrong = Instant.ofEpochSecond(1_800_000_000_000L);
        String message = "the time is " + wrong + ": pass one in the year 9999 or before";
        Fetch fetch = Fetch.begin("https://example.com/", clock.instant(), crawler);
        List<Executable> calls = List.of(
                () -> crawler.outcomeOf("https://example.com/", 404, FILE, wrong), () -> Fetch.begin("https://example.com/", wrong, crawler),
                () -> fetch.status(200, wrong), () -> fetch.ftpReply(550, wrong), () -> fetch.fail(Fetch.Failure.DNS, wrong));
        for (Executable call : calls) {
            assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
        }
        assertEquals(Fetch.Step.GET, fetch.step());
        fetch.close();
        Outcome outcome = crawler.outcomeOf("https://example.com/", 404, FILE, clock.instant());
        assertEquals(Status.ARGUMENT, outcome.check("/", wrong).status());
        assertTrue(outcome.check("/", clock.instant()).allowed());
        Verdict before = outcome.check("/", clock.instant().minusSeconds(3600));
        assertFalse(before.allowed());
        assertTrue(before.deferred(), "keep the URL");
        // A cache whose clock is wrong keeps the URL and issues no ticket.
        clock.advance(1_800_000_000_000L);
        CacheDecision decision = cache.check(url(1));
        assertEquals(CacheDecision.Action.DEFER, decision.action());
        assertEquals(Status.ARGUMENT, decision.verdict().status());
        assertFalse(decision.ticket().isPresent());
    }

    /** A ticket ends once. */
    @Test
    public void tickets() {
        CacheDecision first = cache.check(url(1));
        assertEquals("FETCH, with a ticket", first.toString());
        Ticket ticket = first.ticket().orElseThrow();
        assertEquals("https://site-1.example", ticket.origin());
        assertFalse(cache.check(url(1)).ticket().isPresent());
        ticket.close();
        ticket.close();
        assertThrows(IllegalStateException.class, ticket::origin);
        assertThrows(IllegalStateException.class, ticket::fetch);
        Ticket again = cache.check(url(1)).ticket().orElseThrow();
        Outcome other = crawler.outcomeOf(url(2), 200, FILE, clock.instant());
        assertThrows(IllegalArgumentException.class, () -> again.finish(other));
        assertThrows(IllegalStateException.class, () -> again.finish(other), "returned");
        again.close();
        assertThrows(IllegalArgumentException.class, () -> cache.remove("nonsense"));
    }

    @Test
    public void filesLargerThanTheCache() {
        RobotsCache small = RobotsCache.builder(crawler).clock(clock).maxBytes(65_536).build();
        try (Ticket ticket = small.check(url(1)).ticket().orElseThrow()) {
            Outcome large = crawler.outcomeOf(url(1), 200, distinct(10_000), clock.instant());
            assertTrue(large.encode().length > 65_536, large.encode().length + " bytes");
            assertFalse(ticket.finish(large), "a file larger than the cache");
        }
        // It is not fetched again for each URL.
        CacheDecision tooLarge = small.check(url(1));
        assertEquals(CacheDecision.Action.DEFER, tooLarge.action());
        Instant due = clock.instant().plus(Duration.ofDays(1));
        assertEquals(due, tooLarge.until().orElseThrow(), "its TTL");
        assertEquals(Status.MEMORY, tooLarge.verdict().status());
        assertEquals("DEFER until " + due + ": error: MEMORY: " + Status.MEMORY.text(), tooLarge.toString());
        assertFalse(tooLarge.allowed());
        assertTrue(tooLarge.verdict().deferred(), "keep the URL");
    }

    private static byte[] distinct(int rules) {
        StringBuilder text = new StringBuilder("User-agent: *\n");
        for (int i = 0; i < rules; i++) {
            text.append("Disallow: /a-path-that-takes-some-room-").append(i * 7919).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Test
    public void exportAndImport() throws IOException {
        for (int i = 0; i < 20; i++) {
            fill(i);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertEquals(20, cache.exportTo(out));
        byte[] all = out.toByteArray();
        RobotsCache next = RobotsCache.builder(crawler).clock(clock).build();
        assertEquals(20, next.importFrom(new ByteArrayInputStream(all)));
        assertEquals(20, next.count());
        assertTrue(next.check(url(7)).allowed());
        assertEquals(2, next.check("https://site-7.example/private").verdict().line());
        // A damaged record is refused, the others are imported.
        byte[] damaged = all.clone();
        damaged[30] ^= 1;
        RobotsCache third = RobotsCache.builder(crawler).clock(clock).build();
        assertEquals(19, third.importFrom(new ByteArrayInputStream(damaged)));
        RobotsCache others = RobotsCache.of(Crawler.of("Another"));
        assertEquals(0, others.importFrom(new ByteArrayInputStream(all)));
        int length = all[2] << 8 & 0xFF00 | all[3] & 0xFF;
        byte[] record = Arrays.copyOfRange(all, 4, 4 + length);
        assertEquals(Status.OK, third.importRecord(record));
        assertEquals(Status.IMAGE_FORMAT, others.importRecord(record));
        record[30] ^= 1;
        assertEquals(Status.IMAGE, third.importRecord(record));
        assertEquals(Status.IMAGE, third.importRecord(new byte[0]));
        // A truncated export, and another file.
        assertThrows(EOFException.class, () -> third.importFrom(new ByteArrayInputStream(all, 0, all.length - 1)));
        assertThrows(EOFException.class, () -> third.importFrom(new ByteArrayInputStream(all, 0, 2)));
        assertThrows(EOFException.class, () -> third.importFrom(new ByteArrayInputStream(new byte[] {127, 0, 0, 0, 1})));
        assertThrows(IOException.class, () -> third.importFrom(new ByteArrayInputStream(new byte[] {-1, 0, 0, 0, 1})));
    }

    /** A stream that fails ends the export with its exception; the export may use the cache. */
    @Test
    public void exportToAStreamThatFails() throws IOException {
        for (int i = 0; i < 20; i++) {
            fill(i);
        }
        for (int bytes : new int[] {0, 3, 100, 1000}) {
            IOException full = new IOException("full");
            ByteArrayOutputStream written = new ByteArrayOutputStream();
            OutputStream failing = new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                    assertEquals(20, cache.count());
                    if (written.size() == bytes) {
                        throw full;
                    }
                    written.write(b);
                }
            };
            assertSame(full, assertThrows(IOException.class, () -> cache.exportTo(failing)));
            assertEquals(bytes, written.size(), "nothing is written after the failure");
        }
        assertThrows(NullPointerException.class, () -> cache.exportTo(null));
        assertEquals(20, cache.exportTo(new ByteArrayOutputStream()));
    }

    /** The verdict says whether to keep the URL, as the action does. */
    @Test
    public void finalAndOtherFailures() {
        for (Status status : Status.values()) {
            Verdict verdict = new Verdict((long) status.ordinal() << 16);
            boolean isKept = List.of(Status.ARGUMENT, Status.MEMORY, Status.PANIC, Status.STATE).contains(status);
            assertEquals(isKept, verdict.deferred(), status.name());
            assertFalse(verdict.allowed());
        }
        assertEquals(CacheDecision.Action.DECIDED, cache.check("nonsense").action());
        assertEquals(CacheDecision.Action.DECIDED, cache.check("gopher://x.example/").action());
        assertFalse(cache.check("nonsense").until().isPresent());
    }

    /** An outcome of the cache stays valid without it. */
    @Test
    public void outcomesOfTheCache() {
        assertEquals(Optional.empty(), cache.outcome(url(1)));
        Instant then = clock.instant();
        fill(1);
        Outcome outcome = cache.outcome("https://SITE-1.example:443").orElseThrow();
        cache.clear();
        assertEquals(2, outcome.rules().crawlDelay().orElseThrow());
        assertEquals(List.of("https://site-1.example/s.xml"), outcome.rules().sitemaps());
        assertEquals(then, outcome.fetchedAt());
        assertEquals("https://site-1.example", outcome.origin());
        assertEquals(Optional.empty(), cache.outcome(url(1)));
        assertThrows(IllegalArgumentException.class, () -> cache.outcome("/page"));
        IllegalArgumentException scheme = assertThrows(IllegalArgumentException.class, () -> cache.outcome("gopher://x.example/"));
        assertEquals(Status.SCHEME.text(), scheme.getMessage());
        assertThrows(NullPointerException.class, () -> cache.outcome(null));
    }

    @Test
    public void closed() {
        fill(1);
        Ticket ticket = cache.check(url(2)).ticket().orElseThrow();
        cache.close();
        cache.close();
        assertThrows(IllegalStateException.class, () -> cache.check(url(1)));
        assertThrows(IllegalStateException.class, () -> cache.outcome(url(1)));
        assertThrows(IllegalStateException.class, () -> cache.remove(url(1)));
        assertThrows(IllegalStateException.class, cache::clear);
        assertThrows(IllegalStateException.class, cache::bytes);
        assertThrows(IllegalStateException.class, cache::count);
        assertThrows(IllegalStateException.class, () -> cache.exportTo(new ByteArrayOutputStream()));
        assertThrows(IllegalStateException.class, () -> cache.importRecord(new byte[1]));
        assertEquals("https://site-2.example", ticket.origin(), "tickets outlive their cache");
        ticket.close();
        Crawler closed = Crawler.of("Bot");
        closed.close();
        assertThrows(IllegalStateException.class, () -> RobotsCache.of(closed));
        assertThrows(IllegalStateException.class, () -> Fetch.begin("http://a.example/", clock.instant(), closed));
        assertThrows(NullPointerException.class, () -> RobotsCache.of(null));
        RobotsCache open = RobotsCache.of(crawler);
        assertThrows(NullPointerException.class, () -> open.check(0, (byte[]) null));
        assertThrows(NullPointerException.class, () -> open.check(null));
        assertThrows(NullPointerException.class, () -> open.importRecord(null));
        assertThrows(NullPointerException.class, () -> Outcome.decode(null, crawler));
    }

    /** A hit allocates only its decision. */
    @Test
    void hitsAllocateLittle() {
        fill(1);
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        byte[] url = url(1).getBytes(StandardCharsets.US_ASCII);
        long thread = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < 10_000; i++) {
                if (!cache.check(0, url).allowed()) {
                    throw new AssertionError("disallowed");
                }
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        // A CacheDecision has at most 32 bytes, and an Instant of the fake clock 24.
        assertTrue(least < 10_000 * 64, least + " bytes of garbage in 10,000 hits");
    }

    @Test
    void presets() {
        Crawler googlebot = Crawler.preset("googlebot-image");
        assertFalse(googlebot.parse("User-agent: Googlebot\nDisallow: /x\n").isAllowed("/x"));
        assertThrows(IllegalArgumentException.class, () -> Crawler.preset("NobodysBot"));
        assertEquals(List.of(), googlebot.parse("").sitemaps());
    }
}
