package io.github.librobots;

import java.util.Arrays;

/** URLs in one byte array, one after another, as Apache Arrow stores strings. */
final class Batch {
    /** Bytes reserved per URL. */
    private static final int URL_BYTES = 96;

    private byte[] text;
    private int[] offsets;
    private int count;

    Batch(int urls) {
        text = new byte[(int) Math.min((long) urls * URL_BYTES, 1 << 20)];
        offsets = new int[urls + 1];
    }

    void add(byte[] url) {
        int start = offsets[count];
        int end = start + url.length;
        if (end < 0) {
            throw new IllegalArgumentException("the URLs of the batch have 2 GiB or more: check fewer at once");
        }
        if (end > text.length) {
            text = Arrays.copyOf(text, (int) Math.max(end, Math.min(2L * text.length, Integer.MAX_VALUE - 8)));
        }
        if (count + 1 == offsets.length) { // the list grew after its size was read
            offsets = Arrays.copyOf(offsets, 2 * offsets.length);
        }
        System.arraycopy(url, 0, text, start, url.length);
        offsets[++count] = end;
    }

    int count() {
        return count;
    }

    byte[] text() {
        return text;
    }

    int[] offsets() {
        return offsets.length == count + 1 ? offsets : Arrays.copyOf(offsets, count + 1);
    }
}
