package io.github.librobots;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One finding of lint about a robots.txt. Immutable. */
public final class Diagnostic {
    /** The severity of a finding. */
    public enum Severity {
        /** Information; nothing is wrong. */
        NOTE,
        /** The line may not do what its author expects, or not for every crawler. */
        WARNING,
        /** The line does not do what its author must have meant. */
        ERROR
    }

    /**
     * An edit of the file that removes a finding. To apply several, sort them by start and leave out those that begin before the end of
     * the one before. Immutable.
     */
    public static final class Fix {
        private final long start;
        private final long end;
        private final String replacement;
        private final boolean safe;

        private Fix(Row row) {
            safe = row.number(11) == SAFE;
            start = row.number(12);
            end = row.number(13);
            replacement = row.text(14);
        }

        /**
         * Returns the offset of the first byte to replace.
         *
         * @return the offset in the file, from 0
         */
        public long start() {
            return start;
        }

        /**
         * Returns the offset after the last byte to replace. A line that is removed loses its line end, too.
         *
         * @return the offset in the file, from 0; that of {@link #start} for an insertion
         */
        public long end() {
            return end;
        }

        /**
         * Returns the text to write in place of these bytes.
         *
         * @return the text, perhaps empty, perhaps with line ends
         */
        public String replacement() {
            return replacement;
        }

        /**
         * Returns whether the edit changes no verdict of any crawler with one token that reads the file in the dialect of the report;
         * {@link Dialect#RFC9309} and {@link Dialect#GOOGLE} count as one here. This also holds for all safe edits together.
         *
         * @return true if no verdict changes
         */
        public boolean safe() {
            return safe;
        }

        /** Returns a text such as {@code 14-21 "Disallow" (safe)}. */
        @Override
        public String toString() {
            return start + "-" + end + " \"" + replacement + "\"" + (safe ? " (safe)" : "");
        }
    }

    /** The number of a safe fix in C; 0 is none. */
    private static final long SAFE = 2;

    private static final Severity[] SEVERITIES = Severity.values();

    private final int number;
    private final Severity severity;
    private final String message;
    private final String suggestion;
    private final long start;
    private final long end;
    private final long line;
    private final long column;
    private final long otherLine;
    private final @Nullable Fix fix;

    Diagnostic(Row row) {
        message = row.text(0);
        suggestion = row.text(2);
        start = row.number(4);
        end = row.number(5);
        number = row.small(6);
        severity = Row.pick(SEVERITIES, row.number(7) - 1, Severity.ERROR);
        line = row.number(8);
        column = row.number(9);
        otherLine = row.number(10);
        fix = row.number(11) == 0 ? null : new Fix(row);
    }

    /**
     * Returns the code. Later versions do not renumber it.
     *
     * @return the code, such as {@code R051}
     */
    public String code() {
        return String.format("R%03d", number);
    }

    /**
     * Returns the title of the code, a few words.
     *
     * @return the title
     */
    public String title() {
        return new Row(Row.LINT_CODE, 0, number).text(0);
    }

    /**
     * Returns the explanation of the code: what it means and what to do.
     *
     * @return a few sentences
     */
    public String explanation() {
        return new Row(Row.LINT_CODE, 0, number).text(2);
    }

    /**
     * Returns the severity.
     *
     * @return the severity
     */
    public Severity severity() {
        return severity;
    }

    /**
     * Returns the message.
     *
     * @return one sentence without control characters
     */
    public String message() {
        return message;
    }

    /**
     * Returns the suggested change.
     *
     * @return one sentence; empty if there is none
     */
    public Optional<String> suggestion() {
        return suggestion.isEmpty() ? Optional.empty() : Optional.of(suggestion);
    }

    /**
     * Returns the offset of the first byte that the finding covers.
     *
     * @return the offset in the file, from 0
     */
    public long start() {
        return start;
    }

    /**
     * Returns the offset after the last byte that the finding covers, in the same line.
     *
     * @return the offset in the file, from 0
     */
    public long end() {
        return end;
    }

    /**
     * Returns the line.
     *
     * @return the line, from 1; 0 if the finding is about the whole file
     */
    public long line() {
        return line;
    }

    /**
     * Returns the column where the finding starts.
     *
     * @return the byte in the line, from 1; 0 if the finding is about the whole file
     */
    public long column() {
        return column;
    }

    /**
     * Returns a related line, such as that of a rule that always wins.
     *
     * @return the line, from 1; 0 if there is none
     */
    public long otherLine() {
        return otherLine;
    }

    /**
     * Returns an edit of the file that removes the finding.
     *
     * @return the edit; empty if there is none
     */
    public Optional<Fix> fix() {
        return Optional.ofNullable(fix);
    }

    /** Returns the finding in the style of compilers, such as {@code robots.txt:3:1: error: R051: ...}. */
    @Override
    public String toString() {
        return "robots.txt:" + (line == 0 ? "" : line + ":" + column + ":") + " " + severity.name().toLowerCase(Locale.ROOT)
                + ": " + code() + ": " + message;
    }
}
