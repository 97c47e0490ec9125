package io.github.librobots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Explanations, lint and extensions. */
public class DiagnosticsTest {
    private static final byte[] FILE = bytes("User-agent: other\nDisallow: /\n\nUser-agent: ExampleBot # us\nDisallow: /private\n"
            + "Allow: /private/open\nAllow: /p\nVisit-time: 0100-0230\nRequest-rate: 3/60s\nContent-Signal: ai-train=no\n"
            + "Content-Usage: train-ai=n\n\nHost: www.example.com\nLicense: https://example.com/l\n");

    private final Crawler crawler = Crawler.of("ExampleBot");

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    public void explanations() {
        Explanation why = crawler.explain(FILE, "https://example.com/private/open");
        assertEquals(crawler.parse(FILE).check("/private/open"), why.verdict());
        assertEquals("/private/open ExampleBot [4: User-agent: ExampleBot]", why.path() + " " + why.token() + " " + why.agents());
        assertEquals("[6: Allow: /private/open (WON), 5: Disallow: /private (SHORTER), 7: Allow: /p (SHORTER)]", why.rules().toString());
        assertEquals("/private/open /private/open true", why.rules().get(0).pattern() + " " + why.rules().get(0).path() + " "
                + why.rules().get(0).allow());
        assertFalse(why.rules().get(1).allow());
        assertEquals(6, why.verdict(Dialect.GOOGLE).line());
        assertFalse(why.verdict(Dialect.KOSTER1996).allowed(), "the first that matches");
        assertTrue(why.toString().contains("Allow: /private/open"), why.toString());
        Explanation none = crawler.explain(new byte[0], "/");
        assertEquals("", none.token());
        assertEquals(0, none.rules().size());
        assertThrows(IllegalArgumentException.class, () -> crawler.explain(FILE, "nonsense"));
    }

    @Test
    public void lint() {
        LintReport report = crawler.lint(bytes("Disallow: /x\nUser-agent: *\nDisalow: /y\nDisallow: z\n"));
        assertEquals(report.diagnostics().size(), report.total(Diagnostic.Severity.ERROR)
                + report.total(Diagnostic.Severity.WARNING) + report.total(Diagnostic.Severity.NOTE));
        Diagnostic one = report.diagnostics().stream().filter(d -> d.line() == 3).findFirst().orElseThrow();
        assertTrue(one.code().matches("R[0-9]{3}"), one.code());
        assertTrue(one.toString().startsWith("robots.txt:3:1: "), one.toString());
        assertTrue(one.message().contains("Disalow"), one.message());
        assertTrue(one.suggestion().orElseThrow().contains("isallow"), one.toString());
        assertFalse(one.title().isEmpty() || one.explanation().isEmpty());
        assertEquals("1 27 34 0", one.column() + " " + one.start() + " " + one.end() + " " + one.otherLine());
        assertEquals(4, report.lineCount());
        assertEquals("DISALLOW Disallow: /x 0", report.line(1) + " " + report.line(1).group());
        assertEquals("DISALLOW Disallow: z 1", report.line(4) + " " + report.line(4).group());
        assertEquals("13 26", report.line(2).start() + " " + report.line(2).end());
        assertThrows(IllegalArgumentException.class, () -> report.line(0));
        assertEquals("there is no line 5: the file has 4 lines",
                assertThrows(IllegalArgumentException.class, () -> report.line(5)).getMessage());
        assertTrue(report.toString().contains("Disalow"), report.toString());
        LintReport fixed = crawler.lint(bytes("User-agent: *\nDisalow: /a\nSitemap: /map.xml\n"));
        assertEquals("14-21 \"Disallow\" (safe)", fixed.diagnostics().get(0).fix().orElseThrow().toString());
        assertEquals(Optional.empty(), fixed.diagnostics().get(1).fix());
        byte[] hidden = bytes("User-agent: *\nDisallow: /admin/\n");
        assertEquals(List.of(), crawler.lint(hidden).diagnostics());
        assertEquals("R087", Crawler.builder("ExampleBot").lintAll(true).build().lint(hidden).diagnostics().get(0).code());
    }

    @Test
    public void extensions() {
        Extensions extensions = crawler.extensions(FILE);
        assertEquals("[8: VISIT_TIME 0100-0230, 9: REQUEST_RATE 3/60s, 10: CONTENT_SIGNAL ai-train=no, 11: CONTENT_USAGE train-ai=n, "
                + "13: HOST www.example.com, 14: LICENSE https://example.com/l]", extensions.toString());
        Extensions.Line time = extensions.lines().get(0), rate = extensions.lines().get(1);
        assertEquals("OptionalInt[60] OptionalInt[150] true", time.from() + " " + time.until() + " " + time.inGroup());
        assertEquals("3 60 OptionalInt.empty OptionalInt.empty", rate.requests() + " " + rate.seconds() + " " + rate.from() + " " + rate.until());
    }
}
