package io.github.librobots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The enums have the numbers of the C API, and those that the native library returns. */
class ConstantsTest {
    private final Map<String, Integer> numbers = new HashMap<>();

    private void compare(String prefix, int first, Enum<?>... values) {
        for (Enum<?> value : values) {
            String name = value.getDeclaringClass().getSimpleName() + "." + value;
            // OTHER stands for the numbers of later versions.
            if (!value.name().equals("OTHER") || numbers.containsKey(prefix + "OTHER")) {
                assertEquals(numbers.get(prefix + value), value.ordinal() + first, () -> name + " is not as tests/data/api.json says: run `make api`");
            }
        }
    }

    @Test
    void numbersAreThoseOfTheCApi() throws IOException {
        String api = new String(Files.readAllBytes(Paths.get(System.getProperty("cases"), "api.json")), StandardCharsets.UTF_8);
        for (Matcher line = Pattern.compile("\\{\"c\":\"(\\w+)\",.*?\"number\":(\\d+),").matcher(api); line.find();) {
            numbers.put(line.group(1), Integer.valueOf(line.group(2)));
        }
        numbers.put("ROBOTS_E_OK", numbers.get("ROBOTS_OK"));
        numbers.put("ROBOTS_E_ARGUMENT", numbers.get("ROBOTS_E_ARG"));
        compare("ROBOTS_E_", 0, Status.values());
        compare("ROBOTS_DIALECT_", 0, Dialect.values());
        compare("ROBOTS_REASON_", 0, Reason.values());
        compare("ROBOTS_OUTCOME_", 0, Outcome.Kind.values());
        compare("ROBOTS_CAUSE_", 1, Outcome.Cause.values());
        compare("ROBOTS_STEP_", 0, Fetch.Step.values());
        compare("ROBOTS_FAILURE_", 1, Fetch.Failure.values());
        compare("ROBOTS_CACHE_", 0, CacheDecision.Action.values());
        compare("ROBOTS_MATCH_", 0, Explanation.MatchResult.values());
        compare("ROBOTS_CONTROL_", 0, PageControls.Control.values());
        compare("ROBOTS_LINT_", 1, Diagnostic.Severity.values());
    }

    @Test
    void theLibraryReturnsTheseNumbers() {
        Crawler crawler = Crawler.of("ExampleBot");
        Rules file = crawler.parse("User-agent: *\nAllow: /b\nDisallow: /a\n");
        assertReason(Reason.NONE, file.check("c"));
        assertReason(Reason.RULE_ALLOWED, file.check("/b"));
        assertReason(Reason.RULE_DISALLOWED, file.check("/a"));
        assertReason(Reason.NO_RULE, file.check("/c"));
        assertReason(Reason.NO_GROUP, crawler.parse("").check("/c"));
        assertReason(Reason.ROBOTS_TXT, file.check("/robots.txt"));
        assertReason(Reason.ALLOW_ALL, Rules.allowAll().check("/c"));
        assertReason(Reason.DISALLOW_ALL, Rules.disallowAll().check("/c"));
        String[] texts = {"success", "invalid argument", "invalid product token", "invalid URL", "out of memory", "internal error",
            "damaged image", "image or record of another", "unsupported URL scheme", "wrong state"};
        for (Status status : Status.values()) {
            assertTrue(status.text().startsWith(texts[status.ordinal()]), () -> status + ": the library says: " + status.text());
        }
    }

    private static void assertReason(Reason want, Verdict verdict) {
        assertEquals(want, verdict.reason(), () -> "the number of " + want.name().toLowerCase(Locale.ROOT) + " in the library");
    }
}
