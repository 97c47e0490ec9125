package io.github.librobots;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** What {@link StressTest} runs in a JVM of its own: Stress race SECONDS | leak PARSES | cases. Ends with "fine", or status 1. */
public final class Stress {
    private static final String BODY = "User-agent: *\nDisallow: /private\nAllow: /private/open\nSitemap: https://example.com/s.xml\n";

    private Stress() {}

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "race":
                race(Long.parseLong(args[1]));
                break;
            case "leak":
                leak(Long.parseLong(args[1]));
                break;
            case "cases":
                for (Cases.Case one : Cases.all()) {
                    one.run();
                }
                new RulesTest().urlsOfAnyLengthAndOctets();
                new RulesTest().batches();
                new RulesTest().images();
                new RulesTest().crawlers();
                break;
            default:
                throw new IllegalArgumentException(args[0]);
        }
        System.out.println("fine");
    }

    /** 8 threads use, close, drop and replace the same 16 rules and crawlers, and the collector runs now and then. */
    private static void race(long seconds) throws InterruptedException {
        int places = 16;
        AtomicReferenceArray<Rules> shared = new AtomicReferenceArray<>(places);
        AtomicReferenceArray<Crawler> crawlers = new AtomicReferenceArray<>(places);
        for (int i = 0; i < places; i++) {
            crawlers.set(i, Crawler.of("ExampleBot"));
            shared.set(i, crawlers.get(i).parse(BODY));
        }
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicLong answers = new AtomicLong(), refused = new AtomicLong();
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            Thread thread = new Thread(() -> {
                try {
                    while (System.nanoTime() < end && failure.get() == null) {
                        round(shared, crawlers, answers, refused);
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
        System.out.println(answers + " answers, " + refused + " calls refused because closed");
        if (answers.get() == 0 || refused.get() == 0) {
            throw new AssertionError("the threads did not meet");
        }
    }

    private static void round(AtomicReferenceArray<Rules> shared, AtomicReferenceArray<Crawler> crawlers, AtomicLong answers,
            AtomicLong refused) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int place = random.nextInt(shared.length());
        Rules rules = shared.get(place);
        try {
            for (int i = 0; i < 50; i++) {
                Cases.demand(false, rules.isAllowed("/private/x"), "/private/x");
                Cases.demand(true, rules.isAllowed("/private/open"), "/private/open");
            }
            Cases.demand(2, rules.checkAll(List.of("/a", "/private", "/b")).cardinality(), "a batch");
            Cases.demand(1, rules.sitemaps().size(), "sitemaps");
            Cases.demand(true, rules.toImage().length > 40, "image");
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

    /** Parses without closing: the memory of the process stays level. */
    private static void leak(long parses) throws Exception {
        Crawler crawler = Crawler.of("ExampleBot");
        StringBuilder text = new StringBuilder("User-agent: *\n");
        for (int i = 0; i < 40; i++) {
            text.append("Disallow: /folder-").append(i * 7919).append("/page\n");
        }
        byte[] body = text.toString().getBytes(StandardCharsets.US_ASCII);
        long steps = 20, early = 0, late = 0;
        for (long step = 0; step < steps; step++) {
            for (long i = 0; i < parses / steps; i++) {
                if (crawler.parse(body).isAllowed("/folder-7919/page")) {
                    throw new AssertionError("allowed");
                }
            }
            long now = memory();
            if (step < steps / 2) {
                early = Math.max(early, now);
            } else {
                late = Math.max(late, now);
            }
        }
        System.out.println("memory of the process, most in the first half of " + parses + " parses: " + early / 1024
                + " MB, in the second: " + late / 1024 + " MB");
        if (late > early + early / 4) {
            throw new AssertionError("it grows");
        }
    }

    /** The resident memory of this process in KB. */
    private static long memory() throws Exception {
        for (String line : Files.readAllLines(Paths.get("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new AssertionError("no VmRSS");
    }
}
