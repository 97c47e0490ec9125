package io.github.librobots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.librobots.Uses.Answer;
import io.github.librobots.Uses.Purpose;
import io.github.librobots.Uses.Use;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The Java side of uses: the driver of tests/drivers asks for the shared cases. */
class UsesTest {
    private static final String SITE = "https://a.example/", URL = "https://a.example/tea";

    private final Crawler crawler = Crawler.of("ExampleBot");

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void answersAndReceipts() {
        Uses uses = crawler.uses(SITE, bytes("Content-Signal: ai-train=no, search=yes\nLicense: https://a.example/terms\n"));
        PageControls page = PageControls.of(crawler, Map.of("content-signal", List.of("ai-input=yes")));
        Answer denied = uses.useFor(URL, Purpose.TRAINING, page);
        assertFalse(denied.allowed());
        assertEquals("denied: ai-train=no (content_signal_line 1)", denied.toString());
        Answer licensed = uses.useFor(URL, Purpose.SEARCH, page);
        assertEquals(Optional.of("https://a.example/terms"), licensed.terms());
        Uses file = crawler.uses(SITE, new byte[0]);
        assertTrue(file.useFor(URL, Purpose.USER_REQUEST, page).allowed());
        assertFalse(file.useFor(URL, Purpose.USER_REQUEST, null).allowed());
        Answer unstated = file.useFor(URL, Purpose.SEO, page);
        assertEquals("unstated [] Optional.empty", unstated + " " + unstated.signals() + " " + unstated.decidedBy());
        String receipt = uses.receipt(URL, Purpose.TRAINING, page, Instant.ofEpochMilli(1_795_000_000_900L));
        assertTrue(receipt.contains("\"fetched_at\":1795000000,") && receipt.contains("\"use\":\"denied\""), receipt);
    }

    /** More than the first call has room for. */
    @Test
    void manySignals() {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            values.add("x" + i + "=yes");
        }
        PageControls page = PageControls.of(crawler, Map.of("Content-Signal", values));
        Uses uses = crawler.uses(SITE, new byte[0]);
        List<Uses.Signal> signals = uses.useFor(URL, Purpose.TRAINING, page).signals();
        assertEquals("300 unstated: x299=yes (content_signal_header)", signals.size() + " " + signals.get(299));
        assertTrue(uses.receipt(URL, Purpose.TRAINING, page, Instant.ofEpochSecond(1_795_000_000)).contains("x299=yes"));
    }

    @Test
    void misuseIsNeverAllowed() {
        PageControls page = PageControls.of(crawler, Map.of()), closed = PageControls.of(crawler, Map.of());
        closed.close();
        // What is not known.
        for (Uses unknown : List.of(crawler.uses(SITE, null), crawler.uses(SITE, bytes("Content-Signal: ai-train=yes"), new byte[0]))) {
            assertEquals(Use.UNSTATED, unknown.useFor(URL, Purpose.TRAINING, page).says());
        }
        Uses uses = crawler.uses(SITE, bytes("Content-Signal: ai-train=yes"));
        assertTrue(uses.useFor(URL, Purpose.TRAINING, page).allowed());
        assertThrows(IllegalStateException.class, () -> uses.useFor(URL, Purpose.TRAINING, closed));
        assertThrows(NullPointerException.class, () -> uses.useFor(URL, null, page));
        assertThrows(NullPointerException.class, () -> uses.useFor(null, Purpose.TRAINING, page));
        for (Executable call : List.<Executable>of(() -> uses.useFor("https://b.example/tea", Purpose.TRAINING, page),
                () -> uses.useFor("tea", Purpose.TRAINING, page), () -> crawler.uses("", new byte[0]), () -> crawler.uses("tea", null),
                () -> uses.receipt("/tea", Purpose.TRAINING, page, Instant.now()), () -> uses.receipt(URL, Purpose.TRAINING, page, Instant.MIN))) {
            assertThrows(IllegalArgumentException.class, call);
        }
        Crawler ended = Crawler.of("ExampleBot");
        ended.close();
        assertThrows(IllegalStateException.class, () -> ended.uses(SITE, new byte[0]));
    }
}
