package io.github.librobots.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.librobots.CacheDecision;
import io.github.librobots.Status;
import io.github.librobots.Verdict;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The fetcher with many threads, interrupted, and misused. */
class FetcherTest extends Fetching {
    @Test
    void fifty_threads_on_a_new_site_fetch_once() throws Exception {
        site.answers(exchange -> {
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Site.send(exchange, 200, FILE.getBytes(StandardCharsets.UTF_8));
        });
        int count = 50;
        CountDownLatch begin = new CountDownLatch(1);
        List<String> wrong = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String path = i % 2 == 0 ? "/page" : "/private/" + i;
            Thread thread = new Thread(() -> {
                try {
                    begin.await();
                    if (fetcher.check(cache, site.url(path)).allowed() != path.equals("/page")) {
                        wrong.add(path);
                    }
                } catch (Exception | AssertionError e) {
                    wrong.add(e.toString());
                }
            });
            threads.add(thread);
            thread.start();
        }
        begin.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(List.of(), wrong);
        assertEquals(List.of("/robots.txt"), site.requests);
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
    void misuse() {
        HttpClient following = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
        assertThrows(IllegalArgumentException.class, () -> RobotsFetcher.of(following, "Bot", Duration.ofSeconds(1)));
        assertThrows(IllegalArgumentException.class, () -> RobotsFetcher.of("Bot\r\nX: y"));
        assertThrows(IllegalArgumentException.class, () -> RobotsFetcher.of(HttpClient.newHttpClient(), "Bot", Duration.ZERO));
        assertThrows(NullPointerException.class, () -> fetcher.check(cache, null));
        assertThrows(NullPointerException.class, () -> fetcher.fetch(cache, null));
        for (String wrong : new String[] {"", "/page", "nonsense"}) {
            assertEquals(Status.URL, assertDoesNotWait(wrong).status(), wrong);
        }
        assertEquals(Status.SCHEME, assertDoesNotWait("gopher://example.com/").status());
        cache.close();
        assertThrows(IllegalStateException.class, () -> fetcher.check(cache, site.url("/")));
    }

    private Verdict assertDoesNotWait(String url) {
        try {
            Verdict verdict = fetcher.check(cache, url);
            assertFalse(verdict.allowed());
            return verdict;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
