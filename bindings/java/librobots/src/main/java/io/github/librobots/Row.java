package io.github.librobots;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A row of numbers and texts of a native object. A text takes two cells: its address and its length. It is valid until the object
 * changes or is freed, so a caller keeps the object alive while it reads the row.
 */
final class Row {
    // The kinds of rows; as in diagnostics_jni.c.
    static final int ORIGIN_KEY = 0, ORIGIN_ROBOTS_URL = 1, FETCH_URL = 2, FETCH_HEADER = 3, OUTCOME_TEXT = 4, OUTCOME_RECORD = 5,
            TICKET_ORIGIN = 6, CURSOR_NEXT = 7, EXPLANATION_PATH = 8, EXPLANATION_TOKEN = 9, EXPLANATION_TEXT = 10,
            EXPLANATION_AGENT = 11, EXPLANATION_RULE = 12, EXTENSION_LINE = 13, PREFERENCE = 14, LINT_TEXT = 15, DIAGNOSTIC = 16,
            LINT_LINE = 17, LINT_TITLE = 18, LINT_EXPLANATION = 19, EFFECTIVE_RULE = 20, PAGE_DECISION = 21, PAGE_UNKNOWN = 22;

    private static final int CELLS = 16;

    private final long[] cells = new long[CELLS];

    /**
     * Reads a row.
     *
     * @param what the kind of row
     * @param object the address of the object
     * @param index the index of the row, as the C function counts
     */
    Row(int what, long object, long index) {
        Status.demandOk(Native.row(what, object, index, cells));
    }

    /** Returns the number in a cell. */
    long number(int cell) {
        return cells[cell];
    }

    /** Returns the unsigned 32-bit number in a cell, at most {@code Integer.MAX_VALUE}. */
    int small(int cell) {
        return (int) Math.min(cells[cell], Integer.MAX_VALUE);
    }

    /** Returns a copy of the text whose address is in a cell. */
    byte[] bytes(int cell) {
        byte[] to = new byte[Math.toIntExact(cells[cell + 1])];
        if (to.length > 0) {
            Native.copy(cells[cell], to);
        }
        return to;
    }

    /** Returns the text whose address is in a cell. Bytes that are not UTF-8 are replaced. */
    String text(int cell) {
        return new String(bytes(cell), StandardCharsets.UTF_8);
    }

    /** Returns the header value whose address is in a cell: one character per byte, as in Java's HTTP clients. */
    String header(int cell) {
        return new String(bytes(cell), StandardCharsets.ISO_8859_1);
    }

    /** Returns the text of a row that holds nothing else. */
    static String text(int what, long object, long index) {
        return new Row(what, object, index).text(0);
    }

    /** Returns all rows of a kind. */
    static <T> List<T> all(int what, long object, Function<Row, T> read) {
        int count = Math.toIntExact(Status.handle(Native.rows(what, object)));
        List<T> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            all.add(read.apply(new Row(what, object, i)));
        }
        return List.copyOf(all);
    }

    /** Returns the enum value of a number; {@code other} for a number of a later version. */
    static <E> E pick(E[] values, long number, E other) {
        return number >= 0 && number < values.length ? values[(int) number] : other;
    }
}
