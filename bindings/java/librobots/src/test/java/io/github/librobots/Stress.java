package io.github.librobots;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;

/** What {@link StressTest} runs in a JVM of its own: Stress race SECONDS | caches SECONDS | leak PARSES | close PARSES | outcomes MADE | scratch | calls. Ends with "fine", or status 1. */
public final class Stress {
    private static final String BODY = "User-agent: *\nDisallow: /private\nAllow: /private/open\nSitemap: https://example.com/s.xml\n";

    private Stress() {}

    public static void main(String[] args) throws Exception {
        long size = args.length > 1 ? Long.parseLong(args[1]) : 0;
        switch (args[0]) {
            case "race": race(size); break;
            case "caches": caches(size); break;
            case "leak": leak(size); break;
            case "close": close(size); break;
            case "outcomes": outcomes(size); break;
            case "scratch": scratch(); break;
            case "calls":
                for (Class<?> tests : List.of(RulesTest.class, RulesImageTest.class, ScratchTest.class, CacheTest.class, DiagnosticsTest.class,
                        PageControlsTest.class)) {
                    calls(tests);
                }
                break;
            default: throw new IllegalArgumentException(args[0]);
        }
        System.out.println("fine");
    }

    /** Runs the tests of a class, but those of garbage, which the checks of JNI make. */
    private static void calls(Class<?> tests) throws ReflectiveOperationException {
        for (Method method : tests.getDeclaredMethods()) {
            if (method.isAnnotationPresent(Test.class) && !method.getName().contains("Allocate")) {
                method.setAccessible(true);
                method.invoke(tests.getDeclaredConstructor().newInstance());
            }
        }
    }

    private static void expect(Object wanted, Object found, String what) {
        if (!wanted.equals(found)) {
            throw new AssertionError(what + ": wanted " + wanted + ", found " + found);
        }
    }

    /** Decisions after the direct memory is used up: an attempt to allocate some takes half a second. */
    private static void scratch() throws InterruptedException {
        Crawler.of("ExampleBot"); // the library is loaded with direct memory
        List<ByteBuffer> all = new ArrayList<>();
        try {
            while (true) {
                all.add(ByteBuffer.allocateDirect(4096));
            }
        } catch (OutOfMemoryError e) {
            System.out.println(all.size() + " direct buffers");
        }
        long start = System.nanoTime();
        inThreads(1, () -> {
            for (int length = 10; length < 30; length++) {
                new ScratchTest().decide(length);
            }
        });
        expect(true, System.nanoTime() - start < 20_000_000_000L, "one attempt of a thread");
        Reference.reachabilityFence(all);
    }

    /** 8 threads use, close, drop and replace the same 16 rules and crawlers while the collector runs. */
    private static void race(long seconds) throws InterruptedException {
        int places = 16;
        AtomicReferenceArray<Rules> shared = new AtomicReferenceArray<>(places);
        AtomicReferenceArray<Crawler> crawlers = new AtomicReferenceArray<>(places);
        for (int i = 0; i < places; i++) {
            crawlers.set(i, Crawler.of("ExampleBot"));
            shared.set(i, crawlers.get(i).parse(BODY));
        }
        AtomicLong answers = new AtomicLong(), refused = new AtomicLong();
        inThreads(seconds, () -> round(shared, crawlers, answers, refused));
        report(answers, refused);
    }

    /** 8 threads use, fill, export, close, drop and replace the same 4 caches, and share tickets and fetches. */
    private static void caches(long seconds) throws InterruptedException {
        AtomicReferenceArray<RobotsCache> caches = new AtomicReferenceArray<>(4);
        AtomicReferenceArray<Fetch> fetches = new AtomicReferenceArray<>(4);
        AtomicReferenceArray<Ticket> tickets = new AtomicReferenceArray<>(4);
        Crawler crawler = Crawler.of("ExampleBot");
        for (int i = 0; i < 4; i++) {
            caches.set(i, RobotsCache.of(crawler));
        }
        AtomicLong answers = new AtomicLong(), refused = new AtomicLong();
        inThreads(seconds, () -> {
            try {
                cacheRound(crawler, caches, fetches, tickets, answers);
            } catch (IllegalStateException | IllegalArgumentException e) { // closed, in another state, or of another site
                refused.incrementAndGet();
            }
        });
        report(answers, refused);
    }

    private static void cacheRound(Crawler crawler, AtomicReferenceArray<RobotsCache> caches, AtomicReferenceArray<Fetch> fetches,
            AtomicReferenceArray<Ticket> tickets, AtomicLong answers) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int place = random.nextInt(caches.length());
        RobotsCache cache = caches.get(place);
        String site = "https://site-" + random.nextInt(50) + ".example";
        for (int i = 0; i < 20; i++) {
            CacheDecision decision = cache.check(site + "/private/x");
            expect(false, decision.allowed(), "/private/x");
            if (decision.ticket().isPresent()) {
                Ticket ticket = decision.ticket().get();
                tickets.set(place, ticket);
                fetches.set(place, ticket.fetch());
                if (random.nextBoolean()) {
                    ticket.finish(crawler.outcomeOf(site, 200, BODY.getBytes(StandardCharsets.US_ASCII), cache.clock().instant()));
                } // else another thread closes it, or the collector frees it
            }
        }
        answers.addAndGet(20);
        Fetch fetch = fetches.get(random.nextInt(fetches.length()));
        if (fetch != null) { // another thread may use it, too
            fetch.url();
            fetch.status(404, cache.clock().instant());
            fetch.headersEnd();
            fetch.outcome().rules().isAllowed("/");
            fetch.close();
        }
        cache.outcome(site).ifPresent(outcome -> expect(1, outcome.rules().sitemaps().size(), "sitemaps"));
        switch (random.nextInt(16)) {
            case 0:
                cache.close();
                caches.set(place, RobotsCache.of(crawler));
                break;
            case 1:
                caches.set(place, RobotsCache.of(crawler)); // without a close
                break;
            case 2:
                cache.forEachRecord(record -> {});
                break;
            case 3:
                Ticket ticket = tickets.get(place);
                if (ticket != null) {
                    ticket.close();
                }
                break;
            default:
                break;
        }
    }

    private static void report(AtomicLong answers, AtomicLong refused) {
        System.out.println(answers + " answers, " + refused + " calls refused because closed");
        if (answers.get() == 0 || refused.get() == 0) {
            throw new AssertionError("no call met a closed object");
        }
    }

    /** Runs {@code round} in 8 threads until the time is over, while the collector runs. */
    private static void inThreads(long seconds, Runnable round) throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            Thread thread = new Thread(() -> {
                try {
                    while (System.nanoTime() < end && failure.get() == null) {
                        round.run();
                    }
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            });
            threads.add(thread);
            thread.start();
        }
        while (System.nanoTime() < end) {
            Thread.sleep(50);
            System.gc();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }

    private static void round(AtomicReferenceArray<Rules> shared, AtomicReferenceArray<Crawler> crawlers, AtomicLong answers,
            AtomicLong refused) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int place = random.nextInt(shared.length());
        Rules rules = shared.get(place);
        try {
            for (int i = 0; i < 50; i++) {
                expect(false, rules.isAllowed("/private/x"), "/private/x");
                expect(true, rules.isAllowed("/private/open"), "/private/open");
            }
            expect(2, rules.checkAll(List.of("/a", "/private", "/b")).cardinality(), "a batch");
            expect(1, rules.sitemaps().size(), "sitemaps");
            expect(true, rules.image().length > 40, "image");
            answers.addAndGet(103);
        } catch (IllegalStateException e) {
            refused.incrementAndGet();
        }
        int what = random.nextInt(8);
        if (what == 0) {
            rules.close();
        }
        if (what <= 2) { // with and without a close
            try {
                shared.set(place, crawlers.get(place).parse(BODY));
            } catch (IllegalStateException e) {
                crawlers.set(place, Crawler.of("ExampleBot"));
            }
        }
        if (what == 7 && random.nextInt(4) == 0) {
            crawlers.get(place).close();
        }
    }

    /** Parses without closing: the memory of the process does not grow. */
    private static void leak(long parses) throws Exception {
        Crawler crawler = Crawler.of("ExampleBot");
        byte[] body = RulesImageTest.file(40);
        checkMemory(parses, () -> expect(false, crawler.parse(body).isAllowed("/folder-7919/page"), "/folder-7919/page"));
    }

    /** Parses large files and closes the rules: needs neither the collector nor memory for more than a few. */
    private static void close(long parses) throws Exception {
        Crawler crawler = Crawler.of("ExampleBot");
        byte[] body = RulesImageTest.file(1000);
        long before = memory();
        long size = 0;
        for (long i = 0; i < parses; i++) {
            Rules rules = crawler.parse(body);
            expect(false, rules.isAllowed("/folder-7919/page"), "/folder-7919/page");
            size += i == 0 ? rules.image().length : 0;
            rules.close();
        }
        long full = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            full += collector.getName().contains("Old") ? collector.getCollectionCount() : 0;
        }
        System.out.println(parses + " times " + size + " bytes: " + full + " full collections, " + (memory() - before) / 1024 + " MB more");
        expect(0L, full, "full collections");
        expect(true, memory() - before < 150 * 1024, "less than 150 MB");
    }

    /** Imports a record, then makes outcomes with much native and little Java memory: the memory of the process does not grow. */
    private static void outcomes(long made) throws Exception {
        Crawler crawler = Crawler.of("ExampleBot");
        RobotsCache cache = RobotsCache.of(crawler);
        byte[] body = RulesImageTest.file(15_000);
        byte[] record = crawler.outcomeOf("https://example.com/", 200, body, Instant.ofEpochSecond(1_800_000_000)).encode();
        checkMemory(2 * made, () -> expect(Status.OK, cache.importRecord(record), "a record"));
        checkMemory(made, () -> {
            Outcome outcome = crawler.outcomeOf("https://example.com/", 200, body, Instant.ofEpochSecond(1_800_000_000));
            expect(false, outcome.check("/folder-7919/page", Instant.ofEpochSecond(1_800_000_000)).allowed(), "/folder-7919/page");
        });
    }

    /** Runs {@code once} many times and checks that the memory of the process does not grow. */
    private static void checkMemory(long times, Runnable once) throws Exception {
        long steps = 20, early = 0, late = 0;
        for (long step = 0; step < steps; step++) {
            for (long i = 0; i < times / steps; i++) {
                once.run();
            }
            long now = memory();
            if (step < steps / 2) {
                early = Math.max(early, now);
            } else {
                late = Math.max(late, now);
            }
        }
        System.out.println("memory of the process, most in the first half of " + times + " rounds: " + early / 1024
                + " MB, in the second: " + late / 1024 + " MB");
        if (late > early + early / 4) {
            throw new AssertionError("it grows");
        }
    }

    /** Returns the resident memory of this process in KiB. */
    private static long memory() throws Exception {
        for (String line : Files.readAllLines(Paths.get("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new AssertionError("no VmRSS");
    }
}
