package io.github.librobots;

import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;

/**
 * The explanation of a verdict: which line decides, and why no other does (SPEC 7, 8). Immutable. Bytes of the file that are not UTF-8
 * are replaced in texts.
 */
public final class Explanation {
    /** A line of the robots.txt. Immutable. */
    public static final class Line {
        private final long number;
        private final String text;

        private Line(Row row) {
            number = row.number(2);
            text = row.text(0);
        }

        /**
         * Returns the line number.
         *
         * @return the line, from 1
         */
        public long number() {
            return number;
        }

        /**
         * Returns the line as written, without its comment and surrounding white space.
         *
         * @return the line
         */
        public String text() {
            return text;
        }

        /** Returns number and text, such as {@code 2: Disallow: /private}. */
        @Override
        public String toString() {
            return number + ": " + text;
        }
    }

    /** The result of a rule that matches. */
    public enum MatchResult {
        /** The rule decides. */
        WON,
        /** A longer rule decides (SPEC 8.7). */
        SHORTER,
        /** The deciding rule has the same length and allows (SPEC 8.7). */
        TIE_LOST_TO_ALLOW,
        /** The deciding rule has the same length and kind and comes first. */
        LATER_EQUAL,
        /** An earlier rule decides (SPEC 8.7, koster1996). */
        AFTER_FIRST_MATCH,
        /** The rule has no path and decides nothing (SPEC 8.8, google). */
        EMPTY,
        /** A result that this version does not know. */
        OTHER
    }

    private static final MatchResult[] RESULTS = MatchResult.values();

    /** A rule that matches. Immutable. */
    public static final class Rule {
        private final long line;
        private final boolean allow;
        private final MatchResult result;
        private final String text;
        private final String path;
        private final String pattern;

        private Rule(Row row) {
            text = row.text(0);
            path = row.text(2);
            pattern = row.text(4);
            line = row.number(6);
            allow = row.number(7) != 0;
            result = Row.pick(RESULTS, row.number(8), MatchResult.OTHER);
        }

        /**
         * Returns the line number.
         *
         * @return the line, from 1
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

        /**
         * Returns the result of the rule.
         *
         * @return the result
         */
        public MatchResult result() {
            return result;
        }

        /**
         * Returns the line as written, without its comment and surrounding white space.
         *
         * @return the line
         */
        public String text() {
            return text;
        }

        /**
         * Returns the path of the rule.
         *
         * @return the path as written
         */
        public String path() {
            return path;
        }

        /**
         * Returns the pattern: the path in canonical form (SPEC 8.6). Its length in bytes is the priority of the rule (SPEC 8.7).
         *
         * @return the pattern
         */
        public String pattern() {
            return pattern;
        }

        /** Returns line, text and result, such as {@code 2: Disallow: /private (WON)}. */
        @Override
        public String toString() {
            return line + ": " + text + " (" + result + ")";
        }
    }

    private final Verdict verdict;
    private final Verdict[] others;
    private final String path;
    private final String token;
    private final List<Line> agents;
    private final List<Rule> rules;
    private final String rendered;

    /** Copies the explanation and frees the handle. */
    Explanation(Handle held) {
        try {
            long address = held.address;
            Row row = new Row(Row.EXPLANATION, address, 0);
            path = row.text(0);
            token = row.text(2);
            rendered = row.text(4);
            verdict = new Verdict(row.number(6));
            others = Arrays.stream(Dialect.values()).map(d -> new Verdict(row.number(7 + d.ordinal()))).toArray(Verdict[]::new);
            agents = Row.all(Row.EXPLANATION_AGENT, address, Line::new);
            rules = Row.all(Row.EXPLANATION_RULE, address, Rule::new);
        } finally {
            Reference.reachabilityFence(held);
            held.end();
        }
    }

    /**
     * Returns the verdict that is explained.
     *
     * @return the verdict, as {@link Rules#check(CharSequence)} returns it
     */
    public Verdict verdict() {
        return verdict;
    }

    /**
     * Returns the verdict of any dialect on the same file and URL.
     *
     * @param dialect the dialect
     * @return its verdict; with {@link Status#URL} if its canonical form of the path is too long (SPEC 8.12)
     */
    public Verdict verdict(Dialect dialect) {
        return others[dialect.ordinal()];
    }

    /**
     * Returns the path and query of the URL in canonical form (SPEC 8.6), as they are compared.
     *
     * @return the path, which starts with {@code /}
     */
    public String path() {
        return path;
    }

    /**
     * Returns the product token that the obeyed groups name (SPEC 7.1).
     *
     * @return the token of the crawler; {@code *} for groups of every crawler; empty if no group applies
     */
    public String token() {
        return token;
    }

    /**
     * Returns the user-agent lines that name the crawler: they are why it obeys their groups.
     *
     * @return an unmodifiable list, in the order of the file
     */
    public List<Line> agents() {
        return agents;
    }

    /**
     * Returns the rules that match, by descending priority. The first decides, if any does.
     *
     * @return an unmodifiable list; empty for the robots.txt itself if it is always allowed (SPEC 8.9)
     */
    public List<Rule> rules() {
        return rules;
    }

    /**
     * Returns the explanation as lines for a terminal, without control characters but line ends. The text is for people: later versions
     * may change it.
     */
    @Override
    public String toString() {
        return rendered;
    }
}
