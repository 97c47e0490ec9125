package io.github.librobots;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A row of numbers and texts that a native object holds. A text is two cells, its address and its length: it is good until the
 * object changes or ends, so whoever reads a row holds the handle of its object.
 */
final class Row {
    // The kinds of rows; as in diagnostics_jni.c.
    static final int ORIGIN_KEY = 0, ORIGIN_ROBOTS_URL = 1, FETCH_URL = 2, FETCH_HEADER = 3, OUTCOME_TEXT = 4, OUTCOME_RECORD = 5,
            TICKET_ORIGIN = 6, CURSOR_NEXT = 7, EXPLANATION_PATH = 8, EXPLANATION_TOKEN = 9, EXPLANATION_TEXT = 10,
            EXPLANATION_AGENT = 11, EXPLANATION_RULE = 12, EXTRA = 13, PREFERENCE = 14, LINT_TEXT = 15, DIAGNOSTIC = 16,
            LINT_LINE = 17, LINT_TITLE = 18, LINT_EXPLANATION = 19;

    private static final int CELLS = 12;

    private final long[] cells = new long[CELLS];

    /**
     * Reads a row.
     *
     * @param what its kind
     * @param object the address of the object
     * @param index which row of the kind, as the C function counts
     */
    Row(int what, long object, long index) {
        Status.demandOk(Native.row(what, object, index, cells));
    }

    /** The number in a cell. */
    long number(int cell) {
        return cells[cell];
    }

    /** The number in a cell, which is at most a 32-bit one without sign; past the largest int it is that. */
    int small(int cell) {
        return (int) Math.min(cells[cell], Integer.MAX_VALUE);
    }

    /** A copy of the text whose address is in a cell. */
    byte[] octets(int cell) {
        byte[] to = new byte[Math.toIntExact(cells[cell + 1])];
        if (to.length > 0) {
            Native.copy(cells[cell], to);
        }
        return to;
    }

    /** The text whose address is in a cell; what is not UTF-8 in it is replaced. */
    String text(int cell) {
        return new String(octets(cell), StandardCharsets.UTF_8);
    }

    /** The value of a header whose address is in a cell: each octet a character, as Java's HTTP clients have it. */
    String header(int cell) {
        return new String(octets(cell), StandardCharsets.ISO_8859_1);
    }

    /** A text that is a row of its own. */
    static String text(int what, long object, long index) {
        return new Row(what, object, index).text(0);
    }

    /** All rows of a kind. */
    static <T> List<T> all(int what, long object, Function<Row, T> read) {
        int count = Math.toIntExact(Native.rows(what, object));
        List<T> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            all.add(read.apply(new Row(what, object, i)));
        }
        return List.copyOf(all);
    }

    /** The value of an enum; what later versions add is {@code other}. */
    static <E> E pick(E[] values, long number, E other) {
        return number >= 0 && number < values.length ? values[(int) number] : other;
    }
}
