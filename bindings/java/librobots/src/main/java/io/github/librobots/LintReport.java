package io.github.librobots;

import java.lang.ref.Reference;
import java.util.List;

/**
 * What is wrong with a robots.txt, and what each of its lines means. Immutable; any number of threads may read it at once. It need not
 * be closed. What is not UTF-8 in the file is replaced in the texts.
 */
public final class LintReport {
    /** What a line is. */
    public enum Kind {
        /** Nothing stands there but white space. */
        BLANK,
        /** Only a comment. */
        COMMENT,
        /** It names a crawler. */
        USER_AGENT,
        /** An allow rule. */
        ALLOW,
        /** A disallow rule. */
        DISALLOW,
        /** A sitemap. */
        SITEMAP,
        /** A crawl-delay. */
        CRAWL_DELAY,
        /** A field that some crawlers read, without effect on a verdict. */
        EXTENSION,
        /** A field that nobody knows; the line is skipped. */
        UNKNOWN,
        /** Neither field and value nor a comment; the line is skipped. */
        NOT_UNDERSTOOD
    }

    private static final Kind[] KINDS = Kind.values();

    /** A line of the file and what it means. Immutable. */
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
         * Tells what it is.
         *
         * @return the kind
         */
        public Kind kind() {
            return kind;
        }

        /**
         * Gives the field as it is written.
         *
         * @return the field; empty where there is none
         */
        public String field() {
            return field;
        }

        /**
         * Gives the value as it is written.
         *
         * @return the value; empty where there is none
         */
        public String value() {
            return value;
        }

        /**
         * Gives the group that it belongs to.
         *
         * @return counted from 1 in the order of the file; 0: none
         */
        public long group() {
            return group;
        }

        /**
         * Gives its first octet in the file.
         *
         * @return counted from 0
         */
        public long start() {
            return start;
        }

        /**
         * Gives the octet behind its last, without the line end.
         *
         * @return counted from 0
         */
        public long end() {
            return end;
        }

        /** Says kind, field and value, such as {@code DISALLOW Disallow: /private}. */
        @Override
        public String toString() {
            return kind + (field.isEmpty() ? "" : " " + field + ": " + value);
        }
    }

    private final Handle handle;
    private final List<Diagnostic> diagnostics;

    LintReport(Handle handle) {
        this.handle = handle;
        try {
            diagnostics = Row.all(Row.DIAGNOSTIC, handle.address, Diagnostic::new);
        } finally {
            Reference.reachabilityFence(handle);
        }
    }

    /**
     * Gives the diagnostics, of each kind the first 100, in the order of the file; those about the file as a whole come first.
     *
     * @return a list that cannot be changed
     */
    public List<Diagnostic> diagnostics() {
        return diagnostics;
    }

    /**
     * Counts the diagnostics of one severity, also those that were not kept.
     *
     * @param severity which
     * @return how many there are
     */
    public long total(Diagnostic.Severity severity) {
        try {
            return Native.lintTotal(handle.address, severity.ordinal() + 1);
        } finally {
            Reference.reachabilityFence(handle);
        }
    }

    /**
     * Counts the lines that were read.
     *
     * @return how many there are
     */
    public long lineCount() {
        try {
            return Native.rows(Row.LINT_LINE, handle.address);
        } finally {
            Reference.reachabilityFence(handle);
        }
    }

    /**
     * Gives one line and what it means.
     *
     * @param number 1 to {@link #lineCount()}, as verdicts and diagnostics count
     * @return the line
     * @throws IllegalArgumentException for a line that is not there
     */
    public Line line(long number) {
        try {
            return new Line(new Row(Row.LINT_LINE, handle.address, number));
        } finally {
            Reference.reachabilityFence(handle);
        }
    }

    /**
     * Gives the report in the manner of compilers: each diagnostic with its line and a mark below it, of each kind the first ten, then
     * a summary; without control characters but line ends. For people: later versions may word it otherwise.
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
