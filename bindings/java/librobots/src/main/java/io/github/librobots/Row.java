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
    static final int STATUS_TEXT = 0, IMAGE = 1, SITEMAP = 2, RULE = 3, FETCH_URL = 4, REQUEST_HEADER = 5, OUTCOME = 6, OUTCOME_RECORD = 7,
            TICKET_ORIGIN = 8, CACHE_COUNTS = 9, EXPLANATION = 10, EXPLANATION_AGENT = 11, EXPLANATION_RULE = 12, EXTENSION_LINE = 13,
            LINT_TEXT = 14, LINT_COUNTS = 15, LINT_LINE = 16, LINT_CODE = 17, DIAGNOSTIC = 18, PAGE_CONTROL = 19, PAGE_UNKNOWN = 20,
            DIFFERENT_PATH = 21;

    private static final int CELLS = 20;

    /** ROBOTS_END: the list has no row with this index. */
    private static final int END = 64;

    private final long[] cells = new long[CELLS];

    private Row() {}

    /** Takes a row that a native function wrote to {@code out} from an index on. */
    Row(long[] out, int from) {
        System.arraycopy(out, from, cells, 0, Math.min(CELLS, out.length - from));
    }

    /**
     * Reads a row that is not one of a list.
     *
     * @param what the kind of row
     * @param object the address of the object
     * @param index the number that the C function takes, or 0
     */
    Row(int what, long object, long index) {
        read(what, object, index);
    }

    /** Reads a row. Returns false after the last row of a list. */
    private boolean read(int what, long object, long index) {
        int status = Native.row(what, object, index, cells);
        if (status != END) {
            Status.demandOk(status);
        }
        return status != END;
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

    /** Returns what {@code copy} makes of each row of a list. */
    static <T> List<T> all(int what, long object, Function<Row, T> copy) {
        List<T> all = new ArrayList<>();
        Row row = new Row();
        while (row.read(what, object, all.size())) {
            all.add(copy.apply(row));
        }
        return List.copyOf(all);
    }

    /** Returns the enum value of a number; {@code other} for a number of a later version. */
    static <E> E pick(E[] values, long number, E other) {
        return number >= 0 && number < values.length ? values[(int) number] : other;
    }
}
