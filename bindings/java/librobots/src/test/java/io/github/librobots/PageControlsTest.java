package io.github.librobots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.librobots.PageControls.Control;
import io.github.librobots.http.HttpPageControls;
import java.net.http.HttpHeaders;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The Java side of page controls. */
class PageControlsTest {
    @Test
    void headersOfJavaNetHttp() {
        HttpHeaders headers = HttpHeaders.of(Map.of("X-Robots-Tag", List.of("noindex", "max-snippet: 5")), (name, value) -> true);
        PageControls page = HttpPageControls.of(Crawler.of("ExampleBot"), headers);
        assertFalse(page.mayIndex());
        assertTrue(page.mayFollow());
        assertEquals(5, page.value(Control.MAX_SNIPPET));
    }

    @Test
    void headersOfAnUrlConnection() {
        Map<String, List<String>> headers = new HashMap<>();
        headers.put(null, List.of("HTTP/1.1 200 OK"));
        headers.put("x-ROBOTS-tag", List.of("unavailable_after: 25 Jun 2027 15:00:00 GMT", "noindex"));
        PageControls page = PageControls.of(Crawler.of("ExampleBot"), headers);
        assertEquals(Optional.of(Instant.parse("2027-06-25T15:00:00Z")), page.unavailableAfter());
        assertEquals("index 0: noindex (x-robots-tag 2), follow 1: no rule", page.toString());
        assertTrue(page.addMeta("robots", "nofollow").mayFollow() == false && !page.mayIndex());
    }

    @Test
    void misuse() {
        PageControls page = PageControls.of(Crawler.of("ExampleBot"), Collections.emptyMap());
        assertTrue(page.mayIndex());
        assertEquals(Optional.empty(), page.unavailableAfter());
        page.close();
        page.close();
        assertEquals("PageControls[closed]", page.toString());
        Crawler crawler = Crawler.of("ExampleBot"), closed = Crawler.of("ExampleBot");
        closed.close();
        PageControls some = PageControls.of(crawler, Map.of());
        for (Executable call : List.<Executable>of(page::mayIndex, () -> page.addMeta("robots", "all"), () -> PageControls.of(closed, Map.of()))) {
            assertThrows(IllegalStateException.class, call);
        }
        Map<String, Executable> nulls = Map.of("headers", () -> PageControls.of(crawler, null), "crawler", () -> PageControls.of(null, Map.of()),
                "name", () -> some.addMeta(null, ""), "content", () -> some.addMeta("", null));
        nulls.forEach((name, call) -> assertEquals(name, assertThrows(NullPointerException.class, call).getMessage()));
    }

    /** The native object is for one thread at a time, the Java object for any number. */
    @Test
    void manyThreadsAddAndRead() throws Exception {
        PageControls page = PageControls.of(Crawler.of("ExampleBot"), Map.of());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int number = i;
            Thread thread = new Thread(() -> {
                for (int round = 0; round < 500; round++) {
                    page.addMeta("robots", "max-snippet: " + (1000 - round) + ", rule" + number);
                    assertFalse(page.unknown().size() > 64);
                    page.decidedBy(Control.MAX_SNIPPET);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(501, page.value(Control.MAX_SNIPPET));
    }
}
