package io.github.librobots;

/**
 * The functions of {@code librobots_jni.c}. Handles are addresses: above this class only {@link Handle} holds them. What can
 * fail returns a handle, or its status as a negative number. Arrays are never null; ranges lie inside of their arrays.
 */
final class Native {
    static {
        Library.load();
    }

    private Native() {}

    static native long crawlerNew(byte[] tokens, int[] ends, long[] options);

    static native void crawlerFree(long crawler);

    static native long parse(long crawler, byte[] body, int start, int length);

    static native long fromImage(byte[] image, int length);

    static native long wholeSite(boolean allowed);

    static native void rulesFree(long rules);

    static native long check(long rules, byte[] url, int length);

    static native int checkBatch(long rules, byte[] text, int[] offsets, int count, byte[] answers);

    static native double crawlDelay(long rules);

    static native long sitemapCount(long rules);

    static native long sitemapLength(long rules, long index);

    static native void sitemapCopy(long rules, long index, byte[] to);

    static native long imageLength(long rules);

    static native void imageCopy(long rules, byte[] to);

    static native long statusTextLength(int status);

    static native void statusTextCopy(int status, byte[] to);

    static native int versionNumber();

    /** The sitemap {@code index} of {@code rules}, as it is written. */
    static byte[] sitemap(long rules, long index) {
        byte[] to = new byte[Math.toIntExact(sitemapLength(rules, index))];
        sitemapCopy(rules, index, to);
        return to;
    }

    /** The image of {@code rules}. */
    static byte[] image(long rules) {
        byte[] to = new byte[Math.toIntExact(imageLength(rules))];
        imageCopy(rules, to);
        return to;
    }
}
