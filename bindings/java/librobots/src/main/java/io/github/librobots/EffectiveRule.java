package io.github.librobots;

/** A rule that can decide: see {@link Rules#effectiveRules}. Immutable. */
public final class EffectiveRule {
    private final String pattern;
    private final long line;
    private final boolean allow;

    EffectiveRule(Row row) {
        pattern = row.text(0);
        line = row.number(2);
        allow = row.number(3) != 0;
    }

    /**
     * Returns the path in canonical form, as it is compared (SPEC 8.6): {@code *} is the wildcard and a final {@code $} the end of the
     * URL, but not in koster1996. A pattern with more {@code *} than it needs is an equivalent one of the same length.
     *
     * @return the pattern; bytes that are not UTF-8, which only koster1996 has, are replaced
     */
    public String pattern() {
        return pattern;
    }

    /**
     * Returns the line number.
     *
     * @return the line, from 1; 0 for a site-wide rule that no line states
     */
    public long line() {
        return line;
    }

    /**
     * Returns whether the rule allows.
     *
     * @return true for an allow rule, false for a disallow rule
     */
    public boolean allow() {
        return allow;
    }

    /** Returns the rule as a line of a robots.txt, such as {@code Disallow: /private}. */
    @Override
    public String toString() {
        return (allow ? "Allow: " : "Disallow: ") + pattern;
    }
}
