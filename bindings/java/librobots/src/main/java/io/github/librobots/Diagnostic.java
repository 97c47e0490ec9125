package io.github.librobots;

import java.util.Locale;
import java.util.Optional;

/** One thing that is worth saying about a robots.txt. Immutable. */
public final class Diagnostic {
    /** How bad it is. */
    public enum Severity {
        /** Worth knowing; nothing is wrong. */
        NOTE,
        /** It may not do what its writer thinks, or not for every crawler. */
        WARNING,
        /** It does not do what its writer must have meant. */
        ERROR
    }

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
    }

    /**
     * Gives its kind, which no later version numbers otherwise.
     *
     * @return such as {@code R051}
     */
    public String code() {
        return String.format("R%03d", number);
    }

    /**
     * Says in a few words what its kind is.
     *
     * @return the title
     */
    public String title() {
        return Row.text(Row.LINT_TITLE, 0, number);
    }

    /**
     * Explains its kind: what it means and what to do.
     *
     * @return some sentences
     */
    public String explanation() {
        return Row.text(Row.LINT_EXPLANATION, 0, number);
    }

    /**
     * Tells how bad it is.
     *
     * @return the severity
     */
    public Severity severity() {
        return severity;
    }

    /**
     * Says what is the matter.
     *
     * @return one sentence without control characters
     */
    public String message() {
        return message;
    }

    /**
     * Says what to do.
     *
     * @return one sentence; empty where there is no advice
     */
    public Optional<String> suggestion() {
        return suggestion.isEmpty() ? Optional.empty() : Optional.of(suggestion);
    }

    /**
     * Gives the first octet of the file that it is about.
     *
     * @return counted from 0
     */
    public long start() {
        return start;
    }

    /**
     * Gives the octet behind the last that it is about, in the same line.
     *
     * @return counted from 0
     */
    public long end() {
        return end;
    }

    /**
     * Gives the line.
     *
     * @return counted from 1; 0 when it is about the file as a whole
     */
    public long line() {
        return line;
    }

    /**
     * Tells where it begins in the line.
     *
     * @return in octets counted from 1; 0 when it is about the file as a whole
     */
    public long column() {
        return column;
    }

    /**
     * Gives another line that has to do with it, such as that of a rule which always wins.
     *
     * @return counted from 1; 0 for none
     */
    public long otherLine() {
        return otherLine;
    }

    /** Says it in the manner of compilers, such as {@code robots.txt:3:1: error: R051: ...}. */
    @Override
    public String toString() {
        return "robots.txt:" + (line == 0 ? "" : line + ":" + column + ":") + " " + severity.name().toLowerCase(Locale.ROOT)
                + ": " + code() + ": " + message;
    }
}
