package io.github.librobots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.librobots.http.FakeClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
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

    /** The driver of tests/drivers passes the events of many fetches, each in its order. */
    @Test
    public void fetches() {
        Instant now = clock.instant();
        try (Fetch fetch = Fetch.begin("http://example.com/x?y", now, crawler, Crawler.of("Other"))) {
            assertEquals(Status.STATE.text(), assertThrows(IllegalStateException.class, fetch::headersEnd).getMessage());
            assertThrows(IllegalStateException.class, fetch::outcome);
            fetch.status(200, now);
            fetch.header("etag", "\"\u00e4\"");
            fetch.headersEnd();
            assertThrows(IndexOutOfBoundsException.class, () -> fetch.body(FILE, 1, FILE.length));
            fetch.body(FILE, 0, 10);
            fetch.body(FILE, 10, FILE.length - 10);
            fetch.end();
            Outcome outcome = fetch.outcome();
            assertEquals("http://example.com: RULES (FOUND, 200)", outcome.toString());
            assertEquals("\"\u00e4\"", outcome.etag());
            assertTrue(outcome.check(1, "/page", now).allowed());
            assertEquals(Status.URL, outcome.check("http://other.example/page", now).status());
            assertEquals(2, outcome.rules(1).crawlDelay().orElseThrow());
            for (int wrong : new int[] {2, -1}) {
                assertThrows(IndexOutOfBoundsException.class, () -> outcome.check(wrong, "/page", now));
                assertThrows(IndexOutOfBoundsException.class, () -> outcome.rules(wrong));
            }
            assertThrows(IllegalArgumentException.class, () -> Fetch.begin("http://example.com/", now, crawler).setPrevious(outcome));
        }
        try (Fetch set = Fetch.begin("https://example.com/", now, crawler)) {
            assertThrows(IllegalArgumentException.class, () -> set.set(FetchOption.MAX_REDIRECTS, 21));
            assertThrows(IllegalArgumentException.class, () -> set.set(FetchOption.ON_SERVER_ERROR, 1));
            assertThrows(IllegalArgumentException.class, () -> set.set(FetchOption.ON_SERVER_ERROR, Outcome.Kind.RULES));
            set.set(FetchOption.ON_SERVER_ERROR, Outcome.Kind.DISALLOW_ALL).status(500, now);
            set.headersEnd();
            assertEquals("https://example.com: DISALLOW_ALL (SERVER_ERROR, 500)", set.outcome().toString());
            set.end();
            assertThrows(IllegalStateException.class, () -> set.fail(Fetch.Failure.DNS, now));
        }
        assertThrows(IllegalArgumentException.class, () -> Fetch.begin("mailto:x", now, crawler));
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
        assertThrows(IllegalArgumentException.class, () -> Outcome.decode(record, Crawler.of("Another")));
        record[30] ^= 0x20;
        assertThrows(IllegalArgumentException.class, () -> Outcome.decode(record, crawler));
        assertThrows(IllegalArgumentException.class, () -> crawler.outcomeOf("/x", 200, FILE, clock.instant()));
        // The first and the last time.
        Instant last = Instant.parse("9999-12-31T23:59:59.999Z");
        assertTrue(crawler.outcomeOf("https://example.com/", 404, FILE, last).check("/", last).allowed());
        Instant first = Instant.ofEpochSecond(100_000_000);
        assertEquals(first, crawler.outcomeOf("https://example.com/", 404, FILE, first).fetchedAt());
    }

    /** SPEC 2.18: a time after the year 9999 is an error, and an outcome of the future decides nothing. */
    @Test
    public void timesThatAreWrong() {
        Instant wrong = Instant.ofEpochSecond(1_800_000_000_000L);
        String message = "the time, in seconds since 1970, is 1800000000000: pass 100000000 to 253402300799";
        Fetch fetch = Fetch.begin("https://example.com/", clock.instant(), crawler);
        List<Executable> calls = List.of(
                () -> crawler.outcomeOf("https://example.com/", 404, FILE, wrong), () -> Fetch.begin("https://example.com/", wrong, crawler),
                () -> fetch.status(200, wrong), () -> fetch.ftpReply(550, wrong), () -> fetch.fail(Fetch.Failure.DNS, wrong));
        for (Executable call : calls) {
            assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> crawler.outcomeOf("https://example.com/", 404, FILE, Instant.MIN));
        assertEquals(Fetch.Step.GET, fetch.step());
        fetch.close();
        Outcome outcome = crawler.outcomeOf("https://example.com/", 404, FILE, clock.instant());
        assertEquals(Status.TIME, outcome.check("/", wrong).status());
        assertTrue(outcome.check("/", clock.instant()).allowed());
        Verdict before = outcome.check("/", clock.instant().minusSeconds(3600));
        assertFalse(before.allowed());
        assertTrue(before.deferred(), "keep the URL");
        // A cache whose clock is wrong keeps the URL and issues no ticket.
        clock.advance(1_800_000_000_000L);
        CacheDecision decision = cache.check(url(1));
        assertEquals(CacheDecision.Action.DEFER, decision.action());
        assertEquals(Status.TIME, decision.verdict().status());
        assertTrue(decision.verdict().status().text().startsWith("invalid time: pass milliseconds since 1970-01-01 UTC"));
        assertFalse(decision.ticket().isPresent());
    }

    /** A ticket ends once. */
    @Test
    public void tickets() {
        CacheDecision first = cache.check(url(1));
        assertEquals("FETCH, with a ticket", first.toString());
        Ticket ticket = first.ticket().orElseThrow();
        assertEquals("https://site-1.example", ticket.origin());
        ticket.close();
        ticket.close();
        assertThrows(IllegalStateException.class, ticket::origin);
        assertThrows(IllegalStateException.class, ticket::fetch);
        Ticket again = cache.check(url(1)).ticket().orElseThrow();
        Outcome other = crawler.outcomeOf(url(2), 200, FILE, clock.instant());
        assertThrows(IllegalArgumentException.class, () -> again.finish(other));
        assertThrows(IllegalStateException.class, () -> again.finish(other), "returned");
    }

    /** A file larger than the cache is not fetched again for each URL. */
    @Test
    public void filesLargerThanTheCache() {
        RobotsCache small = RobotsCache.builder(crawler).clock(clock).maxBytes(65_536).build();
        byte[] file = ("User-agent: *\nDisallow: /" + "x".repeat(100_000)).getBytes(StandardCharsets.UTF_8);
        assertFalse(small.check(url(1)).ticket().orElseThrow().finish(crawler.outcomeOf(url(1), 200, file, clock.instant())));
        CacheDecision tooLarge = small.check(url(1));
        Instant due = clock.instant().plus(Duration.ofDays(1));
        assertEquals(due, tooLarge.until().orElseThrow(), "its TTL");
        assertEquals("DEFER until " + due + ": error: MEMORY: " + Status.MEMORY.text(), tooLarge.toString());
        assertFalse(tooLarge.allowed());
    }

    @Test
    public void exportAndImport() {
        for (int i = 0; i < 20; i++) {
            fill(i);
        }
        RobotsCache next = RobotsCache.builder(crawler).clock(clock).build();
        RobotsCache others = RobotsCache.of(Crawler.of("Another"));
        List<byte[]> records = new ArrayList<>();
        assertEquals(20, cache.forEachRecord(records::add));
        for (byte[] record : records) {
            assertEquals(Status.OK, next.importRecord(record));
            assertEquals(Status.IMAGE_FORMAT, others.importRecord(record));
            record[30] ^= 1;
            assertEquals(Status.IMAGE, next.importRecord(record));
        }
        assertEquals(2, next.check("https://site-7.example/private").verdict().line());
        assertEquals(Status.IMAGE, next.importRecord(new byte[0]));
    }

    /** A function that throws ends the list with its exception; it may use the cache. */
    @Test
    public void aReceiverThatThrows() {
        for (int i = 0; i < 20; i++) {
            fill(i);
        }
        for (int last : new int[] {0, 3, 19}) {
            IllegalArgumentException full = new IllegalArgumentException("full");
            List<byte[]> received = new ArrayList<>();
            assertSame(full, assertThrows(IllegalArgumentException.class, () -> cache.forEachRecord(record -> {
                assertEquals(20, cache.count());
                if (received.size() == last) {
                    throw full;
                }
                received.add(record);
            })));
            assertEquals(last, received.size(), "nothing follows the exception");
        }
        assertEquals(20, cache.forEachRecord(record -> {}));
    }

    /** A waiter is woken by the end of the ticket: finished, closed, or found by the garbage collector. */
    @Test
    public void theEndOfATicketWakes() throws Exception {
        for (Consumer<Ticket> end : List.<Consumer<Ticket>>of(Ticket::close,
                ticket -> assertTrue(ticket.finish(crawler.outcomeOf(url(1), 404, new byte[0], clock.instant()))))) {
            cache.clear();
            Ticket ticket = cache.check(url(1)).ticket().orElseThrow();
            assertEquals(CacheDecision.Action.WAIT, cache.check(url(1)).action());
            Thread ends = new Thread(() -> {
                try {
                    Thread.sleep(300);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                end.accept(ticket);
            });
            long start = System.nanoTime();
            ends.start();
            cache.awaitTicket(url(1), Duration.ofSeconds(60));
            long waited = Duration.ofNanos(System.nanoTime() - start).toMillis();
            assertTrue(waited >= 300 && waited < 20_000, waited + " ms");
            ends.join();
            ticket.close();
        }
        cache.clear();
        assertTrue(cache.check(url(1)).ticket().isPresent()); // and nobody keeps it
        for (long start = System.nanoTime(); cache.check(url(1)).action() == CacheDecision.Action.WAIT; ) {
            System.gc();
            cache.awaitTicket(url(1), Duration.ofMillis(100));
            assertTrue(System.nanoTime() - start < Duration.ofSeconds(60).toNanos());
        }
        long start = System.nanoTime();
        cache.awaitTicket(url(2), Duration.ofSeconds(60)); // no ticket
        cache.awaitTicket(url(2), Duration.ofSeconds(-1));
        assertTrue(System.nanoTime() - start < Duration.ofSeconds(20).toNanos());
        assertThrows(IllegalArgumentException.class, () -> cache.awaitTicket("/page", Duration.ZERO));
    }

    /** The verdict says whether to keep the URL, as the action does. */
    @Test
    public void finalAndOtherFailures() {
        for (Status status : Status.values()) {
            Verdict verdict = new Verdict((long) (status == Status.TIME ? 67 : status.ordinal()) << 16);
            assertEquals(status, verdict.status());
            boolean isKept = List.of(Status.TIME, Status.ARGUMENT, Status.MEMORY, Status.PANIC, Status.STATE).contains(status);
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
        Instant then = clock.instant();
        fill(1);
        Outcome outcome = cache.outcome("https://SITE-1.example:443").orElseThrow();
        cache.clear();
        assertEquals(Optional.empty(), cache.outcome(url(1)));
        assertEquals(2, outcome.rules().crawlDelay().orElseThrow());
        assertEquals(List.of("https://site-1.example/s.xml"), outcome.rules().sitemaps());
        assertEquals(then, outcome.fetchedAt());
        assertEquals("https://site-1.example", outcome.origin());
        Map<String, Status> wrong = Map.of("/page", Status.URL, "gopher://x.example/", Status.SCHEME);
        wrong.forEach((url, status) -> {
            for (Executable call : List.<Executable>of(() -> cache.outcome(url), () -> cache.remove(url), () -> Origin.of(url))) {
                assertEquals(status.text(), assertThrows(IllegalArgumentException.class, call).getMessage());
            }
        });
    }

    /** A cache would keep its memory after close() if a call had no end. */
    @Test
    public void eachCallEnds() throws Throwable {
        fill(1);
        byte[] record = cache.outcome(url(1)).orElseThrow().encode();
        Path file = Files.createTempFile("librobots", null);
        for (Executable call : List.<Executable>of(() -> cache.check(url(1)), () -> cache.request(url(1)), () -> cache.retryAfter(url(1), 200, null),
                () -> cache.crawlDelay(0, url(1)), () -> cache.outcome(url(1)), () -> cache.forEachRecord(it -> {}), () -> cache.importRecord(record),
                () -> cache.save(file), () -> cache.load(file), cache::bytes, cache::count, cache::counts, () -> cache.remove(url(1)), cache::clear)) {
            call.execute();
            assertFalse(cache.shared.isInCall());
        }
        Files.delete(file);
    }

    @Test
    public void closed() {
        Ticket ticket = cache.check(url(2)).ticket().orElseThrow();
        Fetch fetch = ticket.fetch();
        fetch.close();
        fetch.close();
        cache.close();
        cache.close();
        Crawler closed = Crawler.of("Bot");
        closed.close();
        List<Executable> calls = List.of(() -> cache.check(url(1)), () -> cache.outcome(url(1)), () -> cache.remove(url(1)), cache::clear,
                cache::bytes, cache::count, () -> cache.forEachRecord(record -> {}), () -> cache.importRecord(new byte[1]),
                fetch::step, fetch::url, () -> RobotsCache.of(closed), () -> Fetch.begin("http://a.example/", clock.instant(), closed));
        calls.forEach(call -> assertThrows(IllegalStateException.class, call));
        assertEquals("https://site-2.example", ticket.origin(), "tickets outlive their cache");
        ticket.close();
    }

    @Test
    public void nothingIsNull() {
        List<Executable> calls = List.of(() -> RobotsCache.of(null), () -> cache.check(0, (byte[]) null), () -> cache.check(null),
                () -> cache.request(null), () -> cache.importRecord(null), () -> cache.outcome(null), () -> cache.forEachRecord(null),
                () -> Outcome.decode(null, crawler), () -> Outcome.checkRecord(null, 0, url(1), clock.instant()), () -> Origin.of(null),
                () -> crawler.outcomeOf(url(1), 200, null, clock.instant()), () -> crawler.explain(null, "/"),
                () -> crawler.explain(FILE, null), () -> crawler.lint(null), () -> crawler.extensions(null));
        calls.forEach(call -> assertThrows(NullPointerException.class, call));
    }

    /** A hit allocates only its decision, of at most 32 bytes, and an Instant of the fake clock, of 24. */
    @Test
    void hitsAllocateLittle() {
        fill(1);
        byte[] url = url(1).getBytes(StandardCharsets.US_ASCII);
        long least = Jvm.allocated(() -> assertTrue(cache.check(0, url).allowed()));
        assertTrue(least < 10_000 * 64, least + " bytes of garbage in 10,000 hits");
    }
}
