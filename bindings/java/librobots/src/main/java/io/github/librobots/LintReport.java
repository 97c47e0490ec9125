package io.github.librobots;

import java.lang.ref.Reference;
import java.util.List;

/**
 * The findings of lint about a robots.txt, and the meaning of each of its lines. Immutable; any number of threads may read it at once.
 * It need not be closed. Bytes of the file that are not UTF-8 are replaced in texts.
 */
public final class LintReport {
    /** The kind of a line. */
    public enum Kind {
        /** White space only. */
        BLANK,
        /** A comment only. */
        COMMENT,
        /** A user-agent line. */
        USER_AGENT,
        /** An allow rule. */
        ALLOW,
        /** A disallow rule. */
        DISALLOW,
        /** A sitemap. */
        SITEMAP,
        /** A crawl-delay. */
        CRAWL_DELAY,
        /** A field of an extension, without effect on a verdict. */
        EXTENSION,
        /** An unknown field; the line is skipped. */
        UNKNOWN,
        /** Neither a field with a value nor a comment; the line is skipped. */
        NOT_UNDERSTOOD
    }

    private static final Kind[] KINDS = Kind.values();

    /** A line of the file and its meaning. Immutable. */
    public static final class Line {
        private final Kind kind;
        private final String field;
        private final String value;
        private final long group;
        private final long start;
        private final long end;

        private Line(Row row) {
            field = row.text(0);
            value = row.text(2);
            start = row.number(4);
            end = row.number(5);
            kind = Row.pick(KINDS, row.number(6), Kind.NOT_UNDERSTOOD);
            group = row.number(7);
        }

        /**
         * Returns the kind.
         *
         * @return the kind
         */
        public Kind kind() {
            return kind;
        }

        /**
         * Returns the field as it is written.
         *
         * @return the field; empty if there is none
         */
        public String field() {
            return field;
        }

        /**
         * Returns the value as it is written.
         *
         * @return the value; empty if there is none
         */
        public String value() {
            return value;
        }

        /**
         * Returns the number of the group that the line belongs to.
         *
         * @return the group, from 1 in the order of the file; 0 if the line belongs to no group
         */
        public long group() {
            return group;
        }

        /**
         * Returns the offset of the first byte of the line.
         *
         * @return the offset in the file, from 0
         */
        public long start() {
            return start;
        }

        /**
         * Returns the offset after the last byte of the line, without the line end.
         *
         * @return the offset in the file, from 0
         */
        public long end() {
            return end;
        }

        /** Returns kind, field and value, such as {@code DISALLOW Disallow: /private}. */
        @Override
        public String toString() {
            return kind + (field.isEmpty() ? "" : " " + field + ": " + value);
        }
    }

    private final Handle handle;
    private final Row counts;
    private final List<Diagnostic> diagnostics;

    LintReport(Handle handle) {
        this.handle = handle;
        try {
            counts = new Row(Row.LINT_COUNTS, handle.address, 0);
            diagnostics = Row.all(Row.DIAGNOSTIC, handle.address, Diagnostic::new);
        } finally {
            Reference.reachabilityFence(handle);
        }
    }

    /**
     * Returns the findings in the order of the file, the first 100 of each code. Findings about the whole file come first.
     *
     * @return an unmodifiable list
     */
    public List<Diagnostic> diagnostics() {
        return diagnostics;
    }

    /**
     * Returns the number of findings of one severity, including those that were not kept.
     *
     * @param severity the severity
     * @return the number of findings
     */
    public long total(Diagnostic.Severity severity) {
        return counts.number(severity.ordinal());
    }

    /**
     * Returns the number of lines that were read.
     *
     * @return the number of lines
     */
    public long lineCount() {
        return counts.number(3);
    }

    /**
     * Returns one line and its meaning.
     *
     * @param number the line, 1 to {@link #lineCount()}
     * @return the line
     * @throws IllegalArgumentException if there is no such line
     */
    public Line line(long number) {
        if (number < 1 || number > lineCount()) {
            throw new IllegalArgumentException("there is no line " + number + ": the file has " + lineCount() + " lines");
        }
        try {
            return new Line(new Row(Row.LINT_LINE, handle.address, number));
        } finally {
            Reference.reachabilityFence(handle);
        }
    }

    /**
     * Returns the report in the style of compilers: each finding with its line and a mark below it, the first ten of each code, then a
     * summary. It holds no control characters but line ends. The text is for people: later versions may change it.
     */
    @Override
    public String toString() {
        try {
            return Row.text(Row.LINT_TEXT, handle.address, 0);
        } finally {
            Reference.reachabilityFence(handle);
        }
    }
}
