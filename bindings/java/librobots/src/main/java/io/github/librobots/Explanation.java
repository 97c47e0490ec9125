package io.github.librobots;

import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;

/**
 * Why a URL may be fetched or not: which line decides, and why not another (SPEC 7, 8). Immutable. What is not UTF-8 in the file is
 * replaced in the texts.
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
         * Gives its number.
         *
         * @return 1 for the first line
         */
        public long number() {
            return number;
        }

        /**
         * Gives the line as it is written, without comment and the white space around it.
         *
         * @return the line
         */
        public String text() {
            return text;
        }

        /** Says number and text, such as {@code 2: Disallow: /private}. */
        @Override
        public String toString() {
            return number + ": " + text;
        }
    }

    /** What became of a rule that matches. */
    public enum MatchResult {
        /** It decides. */
        WON,
        /** A longer one decides (SPEC 8.7). */
        SHORTER,
        /** As long as the winner, which allows (SPEC 8.7). */
        TIE_LOST_TO_ALLOW,
        /** As long as the winner and of the same kind, but further down. */
        LATER_EQUAL,
        /** An earlier one decides (SPEC 8.7, koster1996). */
        AFTER_FIRST_MATCH,
        /** Without a path it decides nothing (SPEC 8.8, google). */
        EMPTY,
        /** One that this version does not know. */
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
         * Gives the number of its line.
         *
         * @return 1 for the first line
         */
        public long line() {
            return line;
        }

        /**
         * Tells whether it allows.
         *
         * @return whether it allows; else it disallows
         */
        public boolean allow() {
            return allow;
        }

        /**
         * Gives what became of it.
         *
         * @return its result
         */
        public MatchResult result() {
            return result;
        }

        /**
         * Gives the line as it is written, without comment and the white space around it.
         *
         * @return the line
         */
        public String text() {
            return text;
        }

        /**
         * Gives the path in it.
         *
         * @return the path as it is written
         */
        public String path() {
            return path;
        }

        /**
         * Gives the path as it is compared: in canonical form (SPEC 8.6), whose length in octets counts (SPEC 8.7).
         *
         * @return the pattern
         */
        public String pattern() {
            return pattern;
        }

        /** Says line, text and result, such as {@code 2: Disallow: /private (WON)}. */
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

    /** Copies what there is, and ends the handle. */
    Explanation(Handle held) {
        try {
            long address = held.address;
            verdict = new Verdict(Native.explanationVerdict(address));
            others = Arrays.stream(Dialect.values())
                    .map(d -> new Verdict(Native.explanationOther(address, d.ordinal())))
                    .toArray(Verdict[]::new);
            path = Row.text(Row.EXPLANATION_PATH, address, 0);
            token = Row.text(Row.EXPLANATION_TOKEN, address, 0);
            agents = Row.all(Row.EXPLANATION_AGENT, address, Line::new);
            rules = Row.all(Row.EXPLANATION_RULE, address, Rule::new);
            rendered = Row.text(Row.EXPLANATION_TEXT, address, 0);
        } finally {
            Reference.reachabilityFence(held);
            held.end();
        }
    }

    /**
     * Gives the verdict that is explained.
     *
     * @return the verdict, as {@link Rules#check(CharSequence)} gives it
     */
    public Verdict verdict() {
        return verdict;
    }

    /**
     * Gives what a dialect decides on the same file and URL, that of the crawler or another.
     *
     * @param dialect the dialect
     * @return its verdict; with {@link Status#URL} where only google takes it for a URL
     */
    public Verdict verdict(Dialect dialect) {
        return others[dialect.ordinal()];
    }

    /**
     * Gives the path and query of the URL as they were compared: in canonical form (SPEC 8.6).
     *
     * @return the path, which starts with {@code /}
     */
    public String path() {
        return path;
    }

    /**
     * Gives the product token that the groups obeyed name (SPEC 7.1).
     *
     * @return the token as the crawler spells it; {@code *} where the groups are for everyone; empty where no group applies
     */
    public String token() {
        return token;
    }

    /**
     * Gives the user-agent lines that name the crawler: why their groups are obeyed.
     *
     * @return a list that cannot be changed, in the order of the file
     */
    public List<Line> agents() {
        return agents;
    }

    /**
     * Gives the rules that match, the strongest first: the first decides, if any does.
     *
     * @return a list that cannot be changed; empty for a robots.txt itself where it is always allowed (SPEC 8.9)
     */
    public List<Rule> rules() {
        return rules;
    }

    /**
     * Gives the explanation as lines for a terminal, each ended by a newline, nothing in them that a terminal would obey. For
     * people: later versions may word it otherwise.
     */
    @Override
    public String toString() {
        return rendered;
    }
}
