package io.github.librobots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.librobots.PageControls.Control;
import io.github.librobots.PageControls.Source;
import io.github.librobots.PageControls.Zone;
import io.github.librobots.http.HttpPageControls;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Page controls: the shared cases of tests/data/section-9-page-controls.page, whose head describes the format, and the Java side. */
class PageControlsTest {
    private static String unescaped(String text) {
        return new String(Cases.bytes(text), StandardCharsets.UTF_8);
    }

    private static Control control(String name) {
        return Control.valueOf(name.toUpperCase(Locale.ROOT));
    }

    private static String name(Source source) {
        return source.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Runs a case by the headers of java.net.http, or by a map. */
    private static void run(List<String> lines, boolean http) {
        String[] tokens = {"ExampleBot"};
        Map<String, List<String>> headers = new LinkedHashMap<>();
        List<String[]> metas = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (String line : lines) {
            String[] words = line.split(" ", 2);
            String[] pair = words.length < 2 ? words : words[1].split(": ", 2);
            switch (words[0]) {
                case "crawler": tokens = words[1].split(" "); break;
                case "header":
                    headers.computeIfAbsent(pair[0], name -> new ArrayList<>())
                            .add(new String(Cases.bytes(pair[1]), StandardCharsets.ISO_8859_1));
                    break;
                case "meta": metas.add(new String[] {unescaped(pair[0]), unescaped(pair[1])}); break;
                default: expected.add(line);
            }
        }
        Crawler crawler = Crawler.of(tokens[0], Arrays.copyOfRange(tokens, 1, tokens.length));
        try (PageControls page = http ? HttpPageControls.of(crawler, HttpHeaders.of(merged(headers), (name, value) -> true))
                : PageControls.of(crawler, headers)) {
            metas.forEach(meta -> page.addMeta(meta[0], meta[1]));
            compare(page, expected);
        }
    }

    /** Headers by name: those of java.net.http have each name once. */
    private static Map<String, List<String>> merged(Map<String, List<String>> headers) {
        Map<String, List<String>> merged = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> merged.computeIfAbsent(name, n -> new ArrayList<>()).addAll(values));
        return merged;
    }

    private static void compare(PageControls page, List<String> expected) {
        Map<Control, Long> values = new HashMap<>();
        List<String> unknown = new ArrayList<>();
        Zone zone = Zone.KNOWN;
        for (String line : expected) {
            String[] words = line.split(" ", 5);
            switch (words[0]) {
                case "by": {
                    PageControls.Rule rule = page.decidedBy(control(words[1]));
                    assertEquals(unescaped(line), "by " + words[1] + " " + name(rule.source()) + " " + rule.number() + " " + rule.text());
                    assertEquals(page.value(control(words[1])), rule.value());
                    break;
                }
                case "for": assertEquals(words[2].replace("*", ""), page.decidedBy(control(words[1])).agent(), line); break;
                case "zone": zone = Zone.valueOf(words[1].toUpperCase(Locale.ROOT)); break;
                case "unknown": // the texts of headers have one character per byte
                    unknown.add(new String(Cases.bytes(line), words[1].equals("meta") ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1));
                    break;
                case "usage":
                    assertEquals(words[2], page.usage(words[1]).name().toLowerCase(Locale.ROOT), line);
                    break;
                default: values.put(control(words[0]), Long.valueOf(words[1]));
            }
        }
        assertEquals(zone, page.decidedBy(Control.UNAVAILABLE_AFTER).zone());
        assertEquals(unknown, page.unknown().stream().map(r -> "unknown " + name(r.source()) + " " + r.number() + " " + r.text())
                .collect(Collectors.toList()));
        for (Control control : Control.values()) {
            long unrestricted = control.compareTo(Control.MAX_SNIPPET) < 0 ? 1 : -1;
            assertEquals(values.getOrDefault(control, unrestricted), page.value(control), control.name());
            assertEquals(values.containsKey(control), page.decidedBy(control).source() != Source.NONE, control.name());
        }
        assertEquals(page.value(Control.INDEX) != 0, page.mayIndex());
        assertEquals(page.value(Control.FOLLOW) != 0, page.mayFollow());
    }

    @TestFactory
    Stream<DynamicTest> cases() throws IOException {
        String file = Files.readString(Paths.get(System.getProperty("cases"), "section-9-page-controls.page"));
        String[] blocks = ("\n" + file).split("\ncase ");
        assertTrue(blocks.length > 70, () -> blocks.length + " blocks");
        return Arrays.stream(blocks).skip(1).map(block -> {
            List<String> lines = block.lines().filter(l -> !l.isEmpty() && !l.startsWith("#")).collect(Collectors.toList());
            return DynamicTest.dynamicTest(lines.get(0), () -> {
                run(lines.subList(1, lines.size()), false);
                if (!block.contains("\\x00")) { // HttpHeaders trims control characters
                    run(lines.subList(1, lines.size()), true);
                }
            });
        });
    }

    @Test
    void headersOfAnUrlConnection() {
        Map<String, List<String>> headers = new HashMap<>();
        headers.put(null, List.of("HTTP/1.1 200 OK"));
        headers.put("x-ROBOTS-tag", List.of("unavailable_after: 25 Jun 2027 15:00:00 GMT", "noindex"));
        try (PageControls page = PageControls.of(Crawler.of("ExampleBot"), headers)) {
            assertEquals(Optional.of(Instant.parse("2027-06-25T15:00:00Z")), page.unavailableAfter());
            assertEquals("index 0: noindex (x-robots-tag 2), follow 1: no rule", page.toString());
            assertTrue(page.addMeta("robots", "nofollow").mayFollow() == false && !page.mayIndex());
        }
    }

    @Test
    void closedPagesThrow() {
        PageControls page = PageControls.of(Crawler.of("ExampleBot"), Collections.emptyMap());
        assertTrue(page.mayIndex());
        assertEquals(Optional.empty(), page.unavailableAfter());
        page.close();
        page.close();
        assertThrows(IllegalStateException.class, page::mayIndex);
        assertThrows(IllegalStateException.class, () -> page.addMeta("robots", "all"));
        assertEquals("PageControls[closed]", page.toString());
        Crawler closed = Crawler.of("ExampleBot");
        closed.close();
        assertThrows(IllegalStateException.class, () -> PageControls.of(closed, Map.of()));
        Crawler crawler = Crawler.of("ExampleBot");
        assertEquals("headers", assertThrows(NullPointerException.class, () -> PageControls.of(crawler, null)).getMessage());
        assertEquals("crawler", assertThrows(NullPointerException.class, () -> PageControls.of(null, Map.of())).getMessage());
        PageControls some = PageControls.of(crawler, Map.of());
        assertEquals("name", assertThrows(NullPointerException.class, () -> some.addMeta(null, "")).getMessage());
        assertEquals("content", assertThrows(NullPointerException.class, () -> some.addMeta("", null)).getMessage());
    }

    /** The native object is for one thread at a time, the Java object for any number. */
    @Test
    void manyThreadsAddAndRead() throws Exception {
        try (PageControls page = PageControls.of(Crawler.of("ExampleBot"), Map.of())) {
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
}
