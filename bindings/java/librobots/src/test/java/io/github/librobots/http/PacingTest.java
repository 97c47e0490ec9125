package io.github.librobots.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.librobots.CacheDecision;
import io.github.librobots.Crawler;
import io.github.librobots.Outcome;
import io.github.librobots.RobotsCache;
import io.github.librobots.Status;
import io.github.librobots.Ticket;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** The slots of the cache, the fetcher that waits for them, and files of records. */
class PacingTest {
    private static final String URL = "https://example.com/page";

    private final FakeClock clock = new FakeClock();
    private final Crawler crawler = Crawler.of("ExampleBot");

    private RobotsCache.Builder builder() {
        return RobotsCache.builder(crawler).clock(clock);
    }

    private RobotsCache filled(RobotsCache cache, String file, String url) {
        try (Ticket ticket = cache.check(url).ticket().orElseThrow()) {
            assertTrue(ticket.finish(crawler.outcomeOf(url, 200, file.getBytes(StandardCharsets.UTF_8), clock.instant())));
        }
        return cache;
    }

    private static String delay(double seconds) {
        return "User-agent: *\nDisallow: /private\nCrawl-delay: " + seconds + "\n";
    }

    private Instant in(double seconds) {
        return clock.instant().plusMillis(Math.round(seconds * 1000));
    }

    @Test
    void decisions_with_a_slot() {
        RobotsCache cache = filled(builder().build(), delay(0.2), URL);
        CacheDecision decision = cache.request(URL);
        assertEquals("DECIDED at " + in(0.2) + ": allowed: NO_RULE", decision.toString());
        assertEquals(Optional.of(Duration.ofMillis(200)), cache.crawlDelay(0, URL));
        assertEquals(Optional.empty(), cache.crawlDelay(0, "https://other.example/"));
        RobotsCache none = filled(builder().defaultDelay(Duration.ofNanos(1_500_000_001)).build(), "", URL);
        assertEquals(Duration.ofMillis(1501), none.request(URL).crawlDelay());
        assertEquals(Optional.empty(), none.crawlDelay(0, URL));
        assertTrue(cache.counts().toString().endsWith("fetches=1, waits=0, deferred=0, evicted=0, images=1, savedBytes=0]"), cache.counts().toString());
    }

    @Test
    void misuse() {
        for (Duration wrong : List.of(Duration.ofNanos(-1), Duration.ofDays(1).plusNanos(1), Duration.ofSeconds(Long.MAX_VALUE))) {
            Map<String, Executable> calls = Map.of(
                    "defaultDelay", () -> builder().defaultDelay(wrong),
                    "maxDelay", () -> builder().maxDelay(wrong),
                    "horizon", () -> builder().horizon(wrong));
            calls.forEach((name, call) -> {
                String message = assertThrows(IllegalArgumentException.class, call).getMessage();
                assertEquals(name + " is " + wrong + ": pass 0 to 1 day", message);
            });
        }
        RobotsCache cache = builder().build();
        assertThrows(IllegalArgumentException.class, () -> cache.crawlDelay(0, "/page"));
        assertThrows(IndexOutOfBoundsException.class, () -> cache.crawlDelay(1, URL));
        assertThrows(IndexOutOfBoundsException.class, () -> cache.request(1, URL, null));
        assertThrows(IllegalArgumentException.class, () -> cache.retryAfter("/page", 429, null));
        byte[] record = crawler.outcomeOf(URL, 404, new byte[0], clock.instant()).encode();
        assertEquals(Status.IMAGE, Outcome.checkRecord(Arrays.copyOf(record, 50), 0, URL, in(0)).status());
        assertEquals(Status.ARGUMENT, Outcome.checkRecord(record, -1, URL, in(0)).status());
        Clock early = Clock.fixed(Instant.ofEpochSecond(1000), ZoneOffset.UTC); // that starts with the process
        CacheDecision wrong = RobotsCache.builder(crawler).clock(early).build().request(URL);
        assertEquals(CacheDecision.Action.DEFER, wrong.action());
        assertEquals(Status.TIME, wrong.verdict().status());
    }

    @Test
    void records_in_a_file(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("cache.records");
        RobotsCache cache = builder().build();
        for (int i = 0; i < 20; i++) {
            filled(cache, delay(1), "https://site-" + i + ".example/");
        }
        Instant slot = cache.request("https://site-3.example/").requestAt().orElseThrow();
        assertEquals(20, cache.save(file));
        RobotsCache again = builder().build();
        assertEquals("LoadedRecords[imported=20, foreign=0, damaged=0, noRoom=0]", again.load(file).toString());
        assertEquals(Optional.of(slot), again.request("https://site-3.example/").requestAt()); // nobody holds it any more
        RobotsCache other = RobotsCache.builder(Crawler.of("OtherBot")).clock(clock).build();
        assertEquals("LoadedRecords[imported=0, foreign=20, damaged=0, noRoom=0]", other.load(file).toString());
        // A save that fails changes nothing.
        byte[] data = Files.readAllBytes(file);
        Path taken = Files.createDirectories(folder.resolve("taken").resolve("x")).getParent();
        for (Path wrong : List.of(folder.resolve("none").resolve("cache.records"), taken, Path.of("/"))) {
            assertThrows(IOException.class, () -> cache.save(wrong));
        }
        cache.close();
        assertThrows(IllegalStateException.class, () -> cache.save(file));
        assertArrayEquals(new String[] {"cache.records", "taken"}, Stream.of(folder.toFile().list()).sorted().toArray());
        assertArrayEquals(data, Files.readAllBytes(file));
        loads(file, Arrays.copyOf(data, data.length - 1), 19, 1);
        loads(file, Arrays.copyOf(data, 2), 0, 1);
        loads(file, Arrays.copyOf(data, data.length + 4), 20, 1);
        loads(file, new byte[0], 0, 1);
        loads(file, changed(data, 40, 1), 19, 1);
        loads(file, changed(data, 26, -1), 19, 1); // the length of the first record
        Files.write(file, "#!/bin/sh\n".getBytes(StandardCharsets.UTF_8));
        String refused = assertThrows(IOException.class, () -> builder().build().load(file)).getMessage();
        assertEquals(file + " is no file of RobotsCache.save", refused);
        assertThrows(NoSuchFileException.class, () -> builder().build().load(folder.resolve("none")));
        String isFolder = assertThrows(IOException.class, () -> builder().build().load(folder)).getMessage();
        assertEquals(folder + ": is a folder: pass the name of a file", isFolder);
    }

    private static byte[] changed(byte[] data, int place, int bits) {
        byte[] changed = data.clone();
        changed[place] ^= (byte) bits;
        return changed;
    }

    private void loads(Path file, byte[] data, int imported, int damaged) throws IOException {
        Files.write(file, data);
        String expected = "LoadedRecords[imported=" + imported + ", foreign=0, damaged=" + damaged + ", noRoom=0]";
        assertEquals(expected, builder().build().load(file).toString());
    }

    /** Pages by site, with their crawl-delay in seconds. */
    private static final Map<Double, Integer> PAGES = Map.of(1.0, 3, 0.2, 12, 0.0, 35);

    /**
     * One thread fetches the robots.txt of each site. No gap that a server sees is below the delay: a request that arrives late does not come closer to the next one, because the delay
     * counts from its response.
     */
    @Test
    void fifty_threads_keep_the_delays() throws Exception {
        Map<Double, List<Long>> arrivals = new ConcurrentHashMap<>();
        Map<Double, Site> sites = new ConcurrentHashMap<>();
        for (double seconds : PAGES.keySet()) {
            List<Long> times = Collections.synchronizedList(new ArrayList<>());
            arrivals.put(seconds, times);
            sites.put(seconds, new Site().answers(exchange -> {
                times.add(System.nanoTime());
                boolean robots = exchange.getRequestURI().getPath().equals("/robots.txt");
                Site.send(exchange, robots ? 200 : 404, (seconds == 0 ? "" : delay(seconds)).getBytes(StandardCharsets.UTF_8));
            }));
        }
        Set<String> fetched = Collections.synchronizedSet(new HashSet<>());
        HttpClient client = HttpClient.newHttpClient();
        RobotsFetcher fetcher = RobotsFetcher.of(client, "ExampleBot/1.0", Duration.ofSeconds(10)).onOutcome(o -> fetched.add(o.origin()));
        RobotsCache cache = RobotsCache.of(crawler);
        ExecutorService threads = Executors.newFixedThreadPool(50);
        CountDownLatch begin = new CountDownLatch(1);
        List<Future<Integer>> results = new ArrayList<>();
        PAGES.forEach((seconds, count) -> {
            for (int i = 0; i < count; i++) {
                String url = sites.get(seconds).url("/missing?" + i);
                results.add(threads.submit(() -> {
                    begin.await();
                    assertTrue(fetcher.check(cache, url).allowed());
                    assertTrue(fetcher.request(cache, url).allowed());
                    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
                    int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
                    cache.retryAfter(url, status, null);
                    return status;
                }));
            }
        });
        begin.countDown();
        for (Future<Integer> result : results) {
            assertEquals(404, result.get(60, TimeUnit.SECONDS));
        }
        threads.shutdown();
        assertEquals(3, fetched.size());
        PAGES.forEach((seconds, count) -> {
            List<Long> times = arrivals.get(seconds);
            assertEquals(1 + count, times.size());
            for (int i = 1; i <= count; i++) {
                double gap = (times.get(i) - times.get(i - 1)) / 1e9;
                // A thread that is stopped between its slot and its request shortens the gap after it.
                assertTrue(gap >= seconds / 2, "page " + i + " of delay " + seconds + " after " + gap);
            }
            double took = (times.get(count) - times.get(0)) / 1e9;
            assertTrue(took < 5.4, "delay " + seconds + " took " + took); // as long as the sites one after another
            sites.get(seconds).close();
        });
        assertTrue(arrivals.get(0.0).get(35) < arrivals.get(1.0).get(2), "a site waited for another one");
    }

    @Test
    void a_wait_can_be_interrupted_and_a_long_one_is_deferred() throws Exception {
        try (Site site = new Site().answers(200, delay(20))) {
            RobotsFetcher fetcher = RobotsFetcher.of("ExampleBot/1.0");
            RobotsCache cache = RobotsCache.of(crawler);
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread thread = new Thread(() -> {
                try {
                    fetcher.request(cache, site.url("/"));
                } catch (Throwable e) {
                    thrown.set(e);
                }
            });
            long start = System.nanoTime();
            thread.start();
            while (site.requests.isEmpty()) {
                Thread.sleep(5);
            }
            thread.interrupt();
            thread.join();
            assertEquals(InterruptedException.class, thrown.get().getClass());
            assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(15));
            RobotsCache near = RobotsCache.builder(crawler).horizon(Duration.ofSeconds(1)).build();
            CacheDecision decision = fetcher.request(near, site.url("/"));
            assertEquals(CacheDecision.Action.DEFER, decision.action());
            assertTrue(decision.until().orElseThrow().isAfter(Instant.now()));
            assertTrue(decision.requestAt().isPresent());
            assertEquals(decision.requestAt(), decision.retryAt());
        }
    }

    /** The events have the fields of Go and Python. */
    @Test
    void events_are_logged() throws Exception {
        List<String> logged = Collections.synchronizedList(new ArrayList<>());
        Logger logger = Logger.getLogger("io.github.librobots");
        logger.setLevel(Level.ALL);
        logger.setFilter(line -> logged.add(line.getMessage().replaceFirst("(paced: .* until=).*Z", "$1SLOT")) && false);
        try (Site fast = new Site().answers(200, delay(0.1)); Site down = new Site().answers(503, "")) {
            RobotsFetcher fetcher = RobotsFetcher.of("ExampleBot/1.0");
            RobotsCache cache = RobotsCache.of(crawler);
            assertTrue(fetcher.request(cache, fast.url("/")).allowed());
            CacheDecision later = fetcher.request(cache, down.url("/"));
            Instant refresh = cache.outcome(fast.url("/")).orElseThrow().retryAt();
            assertEquals(List.of(
                    "robots.txt fetched: origin=" + fast.url("") + " kind=RULES cause=FOUND status=200 hops=0 stale=false final_url="
                            + fast.url("/robots.txt") + " retry_at=" + refresh,
                    "request paced: url=" + fast.url("/") + " until=SLOT",
                    "robots.txt fetched: origin=" + down.url("") + " kind=UNREACHABLE cause=SERVER_ERROR status=503 hops=0 stale=false final_url="
                            + down.url("/robots.txt") + " retry_at=" + later.until().orElseThrow(),
                    "request deferred: url=" + down.url("/") + " cause=SERVER_ERROR until=" + later.until().orElseThrow()), logged);
        } finally {
            logger.setFilter(null);
            logger.setLevel(null);
        }
    }

    @Test
    void a_foreign_user_agent_is_said_once() throws Exception {
        List<String> logged = Collections.synchronizedList(new ArrayList<>());
        Logger logger = Logger.getLogger("io.github.librobots");
        logger.setFilter(line -> logged.add(line.getMessage()) && false);
        try (Site site = new Site().answers(404, "")) {
            RobotsFetcher.of("examplebot/2.0").check(RobotsCache.of(crawler), site.url("/"));
            RobotsFetcher.of("Mozilla/5.0").check(RobotsCache.of(Crawler.preset("Googlebot")), site.url("/"));
            RobotsFetcher.of("ExampleBot/1.0").check(RobotsCache.of(Crawler.of("Other", "ExampleBot")), site.url("/"));
            assertEquals(List.of(), logged);
            RobotsFetcher foreign = RobotsFetcher.of("Mozilla/5.0");
            foreign.check(RobotsCache.of(crawler), site.url("/"));
            foreign.request(RobotsCache.of(crawler), site.url("/"));
            assertEquals(1, logged.size(), logged.toString());
            assertTrue(logged.get(0).startsWith("the User-Agent \"Mozilla/5.0\" does not hold the product token"), logged.get(0));
        } finally {
            logger.setFilter(null);
        }
    }
}
