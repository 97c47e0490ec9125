package io.github.librobots;

import java.lang.ref.Reference;
import java.util.List;
import java.util.OptionalInt;

/**
 * What else stands in a robots.txt for one crawler, in the groups that it obeys and in no group (SPEC 9.3 to 9.5). Immutable; any
 * number of threads may read it at once. It need not be closed. What is not UTF-8 in the file is replaced in the texts.
 */
public final class Extensions {
    /** What a line is about. */
    public enum Field {
        /** {@code request-rate} (SPEC 9.3). */
        REQUEST_RATE,
        /** {@code visit-time} (SPEC 9.3). */
        VISIT_TIME,
        /** {@code host} (SPEC 9.3). */
        HOST,
        /** {@code clean-param} (SPEC 9.3). */
        CLEAN_PARAM,
        /** {@code noindex} (SPEC 9.3). */
        NOINDEX,
        /** {@code content-signal} (SPEC 9.4). */
        CONTENT_SIGNAL,
        /** {@code content-usage} (SPEC 9.5). */
        CONTENT_USAGE,
        /** One that this version does not know. */
        OTHER
    }

    private static final Field[] FIELDS = Field.values();

    /** A line without effect on a verdict. Immutable. */
    public static final class Line {
        private final long number;
        private final Field field;
        private final String value;
        private final boolean inGroup;
        private final int requests;
        private final int seconds;
        private final int from;
        private final int until;

        private Line(Row row) {
            value = row.text(0);
            number = row.number(2);
            field = Row.pick(FIELDS, row.number(3), Field.OTHER);
            inGroup = row.number(4) != 0;
            requests = row.small(5);
            seconds = row.small(6);
            from = row.small(7);
            until = row.small(8);
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
         * Tells what it is about.
         *
         * @return the field
         */
        public Field field() {
            return field;
        }

        /**
         * Gives the value as it is written, without comment and the white space around it.
         *
         * @return the value, never empty
         */
        public String value() {
            return value;
        }

        /**
         * Tells whether it stands in a group that the crawler obeys.
         *
         * @return whether it does; else it stands in no group, and is for all
         */
        public boolean inGroup() {
            return inGroup;
        }

        /**
         * Gives how many requests a request-rate permits in {@link #seconds}.
         *
         * @return how many at most; 0 for another line and for nonsense
         */
        public int requests() {
            return requests;
        }

        /**
         * Gives in how many seconds a request-rate permits {@link #requests}.
         *
         * @return seconds; 0 for another line and for nonsense
         */
        public int seconds() {
            return seconds;
        }

        /**
         * Gives when a visit-time begins, or the time in which a request-rate holds.
         *
         * @return minutes after midnight UTC, 0 to 1439; empty if no time is given
         */
        public OptionalInt from() {
            return until == 0 ? OptionalInt.empty() : OptionalInt.of(from);
        }

        /**
         * Gives when that time ends; if not later than {@link #from}, past midnight.
         *
         * @return minutes after midnight UTC, 1 to 1440; empty if no time is given
         */
        public OptionalInt until() {
            return until == 0 ? OptionalInt.empty() : OptionalInt.of(until);
        }

        /** Says number, field and value, such as {@code 4: HOST www.example.com}. */
        @Override
        public String toString() {
            return number + ": " + field + " " + value;
        }
    }

    private final Handle handle;
    private final List<Line> lines;

    Extensions(Handle handle) {
        this.handle = handle;
        try {
            lines = Row.all(Row.EXTRA, handle.address, Line::new);
        } finally {
            Reference.reachabilityFence(handle);
        }
    }

    /**
     * Gives the lines.
     *
     * @return a list that cannot be changed, in the order of the file
     */
    public List<Line> lines() {
        return lines;
    }

    /**
     * Gives what the file prefers to be done with what a URL gives (SPEC 9.4, 9.5). A URL that may not be fetched has no preferences,
     * nor has the robots.txt itself.
     *
     * @param url as for {@link Rules#check(CharSequence)}
     * @return the preferences
     * @throws IllegalArgumentException for what is no URL (SPEC 8.5b)
     */
    public Preferences preferences(CharSequence url) {
        try {
            return new Preferences(
                    Handle.of(Native.extensionsPreferences(handle.address, Rules.octets(url)), Native::preferencesFree));
        } finally {
            Reference.reachabilityFence(handle);
        }
    }

    /** Says all lines. */
    @Override
    public String toString() {
        return lines.toString();
    }
}
