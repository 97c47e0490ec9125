package io.github.librobots;

import java.lang.ref.Reference;
import java.util.List;
import java.util.OptionalInt;

/**
 * The lines of a robots.txt other than groups and rules, for one crawler: those in the groups that it obeys and those outside of
 * groups (SPEC 9.3 to 9.7). Immutable; any number of threads may read it at once. It need not be closed. Bytes of the file that are
 * not UTF-8 are replaced in texts.
 */
public final class Extensions {
    /** The field of a line. */
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
        /** {@code license} of Really Simple Licensing (SPEC 9.7). */
        LICENSE,
        /** A field that this version does not know. */
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
         * Returns the line number.
         *
         * @return the line, from 1
         */
        public long number() {
            return number;
        }

        /**
         * Returns the field.
         *
         * @return the field
         */
        public Field field() {
            return field;
        }

        /**
         * Returns the value as it is written, without comment and the white space around it.
         *
         * @return the value; never empty
         */
        public String value() {
            return value;
        }

        /**
         * Returns whether the line is in a group that the crawler obeys.
         *
         * @return true if it is; false if the line is outside of groups and holds for every crawler
         */
        public boolean inGroup() {
            return inGroup;
        }

        /**
         * Returns the number of requests that a request-rate permits in {@link #seconds}.
         *
         * @return the largest number of requests; 0 for another field or an invalid value
         */
        public int requests() {
            return requests;
        }

        /**
         * Returns the seconds in which a request-rate permits {@link #requests}.
         *
         * @return seconds; 0 for another field or an invalid value
         */
        public int seconds() {
            return seconds;
        }

        /**
         * Returns the start of a visit-time, or of the time in which a request-rate holds.
         *
         * @return minutes after midnight UTC, 0 to 1439; empty if the line names no time
         */
        public OptionalInt from() {
            return until == 0 ? OptionalInt.empty() : OptionalInt.of(from);
        }

        /**
         * Returns the end of that time. An end that is not later than {@link #from} is on the next day.
         *
         * @return minutes after midnight UTC, 1 to 1440; empty if the line names no time
         */
        public OptionalInt until() {
            return until == 0 ? OptionalInt.empty() : OptionalInt.of(until);
        }

        /** Returns number, field and value, such as {@code 4: HOST www.example.com}. */
        @Override
        public String toString() {
            return number + ": " + field + " " + value;
        }
    }

    private final List<Line> lines;

    Extensions(Handle handle) {
        try {
            lines = Row.all(Row.EXTENSION_LINE, handle.address, Line::new);
        } finally {
            Reference.reachabilityFence(handle);
        }
    }

    /**
     * Returns the lines.
     *
     * @return an unmodifiable list, in the order of the file
     */
    public List<Line> lines() {
        return lines;
    }

    /** Returns all lines as text. */
    @Override
    public String toString() {
        return lines.toString();
    }
}
