package io.github.librobots;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The functions of the native library. Handles are addresses, and only {@link Handle} keeps them. A fallible function returns a
 * handle, or its status as a negative number. Call {@link Library#require} before a function without a handle. Callers check that
 * arrays are not null and that ranges are inside of them.
 */
final class Native {
    private Native() {}

    static native long crawlerNew(byte[] tokens, int[] ends, long[] options);

    static native long crawlerPreset(byte[] name);

    static native int crawlerAddNamesIn(long crawler, byte[] text);

    static native void crawlerFree(long crawler);

    /** Returns where the token is in the header: its offset in the upper 32 bits and its length; or a status as a negative number. */
    static native long tokenFromUserAgent(byte[] header);

    static native long parse(long crawler, byte[] body, int start, int length);

    static native long parseDirect(long crawler, ByteBuffer body, int start, int length);

    static native long fromImage(byte[] image, int length);

    static native long siteWide(boolean allowed);

    static native void rulesFree(long rules);

    static native long check(long rules, byte[] url, int start, int length);

    /** Returns the address of a direct buffer, or 0. */
    static native long addressOf(ByteBuffer buffer);

    /** As {@link #check}, for a URL in native memory, such as a {@link Scratch}. */
    static native long checkAt(long rules, long url, int length);

    static native long checkDirect(long rules, ByteBuffer url, int start, int length);

    static native long checkOnce(long crawler, byte[] body, byte[] url);

    static native long imageCheck(byte[] image, int start, int length, byte[] url, int urlStart, int urlLength);

    /** As {@link #imageCheck}, for an image in native memory with the URL right after it. */
    static native long imageCheckAt(long image, int length, int urlLength);

    static native int imageValidate(byte[] image, int start, int length);

    static native double imageCrawlDelay(byte[] image, int start, int length);

    static native int checkBatch(long rules, byte[] text, int[] offsets, int count, byte[] answers);

    static native double crawlDelay(long rules);

    static native long imageLength(long rules);

    static native long ruleListNew(long rules);

    static native void ruleListFree(long list);

    static native long difference(long rules, long other);

    static native int differenceResult(long difference);

    static native void differenceFree(long difference);

    static native int versionNumber();

    /**
     * Copies the key of the origin of a URL to {@code to} if it fits. Returns its length, or a status as a negative number.
     */
    static native int originKey(byte[] url, int start, int length, byte[] to);

    /** Copies the form of a URL to send to {@code to}, as {@link #originKey} does. */
    static native int urlToSend(byte[] url, int start, int length, byte[] to);

    static native long fetchNew(long crawler, byte[] url, long nowMillis);

    static native int fetchAddCrawler(long fetch, long crawler);

    static native int fetchSet(long fetch, int option, long value);

    static native int fetchSetPrevious(long fetch, long outcome);

    static native int fetchStep(long fetch);

    static native int fetchStatus(long fetch, int status, long nowMillis);

    static native int fetchFtpReply(long fetch, int reply, long nowMillis);

    static native int fetchHeader(long fetch, byte[] name, byte[] value);

    static native int fetchHeadersEnd(long fetch);

    static native int fetchBody(long fetch, byte[] piece, int start, int length);

    /** Ends the transfer with a failure, a number from 1, or with 0 for a complete body. */
    static native int fetchEnd(long fetch, int failure, long nowMillis);

    static native long fetchOutcome(long fetch);

    static native void fetchFree(long fetch);

    static native long outcomeFromStatus(long crawler, byte[] url, int status, byte[] body, long nowMillis);

    static native long outcomeDecode(long[] crawlers, byte[] record);

    /** Returns the size of the rules of an outcome in bytes. */
    static native long outcomeSize(long outcome);

    static native long outcomeRules(long outcome, int crawler);

    static native long outcomeCheck(long outcome, int crawler, byte[] url, long nowMillis);

    static native long recordCheck(byte[] record, int crawler, byte[] url, long nowMillis);

    static native void outcomeFree(long outcome);

    static native long ticketFetch(long ticket, long nowMillis);

    static native int ticketFinish(long ticket, long outcome, long nowMillis);

    static native void ticketFree(long ticket);

    /** {@code options}: the TTL of a ticket, default delay, longest delay and horizon in milliseconds. */
    static native long cacheNew(long[] crawlers, long maxBytes, long[] options);

    /**
     * Returns the verdict, with the action in bits 1 and 2, and bit 3 set if there is a ticket. If one of these bits is set,
     * {@code more} receives the time to check again and the ticket.
     */
    static native long cacheCheck(long cache, int crawler, byte[] url, long nowMillis, long[] more);

    /**
     * Returns a word as {@link #cacheCheck}. {@code slotMillis}: 0, or the slot that is held. {@code more} receives the time to check again, the ticket, the slot in milliseconds, the
     * crawl-delay in milliseconds, and 1 if the file states a longer one.
     */
    static native long cacheRequest(long cache, int crawler, byte[] url, long slotMillis, long nowMillis, long[] more);

    static native int cacheRetryAfter(long cache, byte[] url, int status, byte[] value, long nowMillis);

    /** Returns the crawl-delay in seconds, negative or NaN for none. {@code more} receives a status. */
    static native double cacheCrawlDelay(long cache, int crawler, byte[] url, long[] more);

    /** Returns an outcome, or 0 if the cache has none. */
    static native long cacheOutcome(long cache, byte[] url);

    static native int cacheRemove(long cache, byte[] url);

    static native void cacheClear(long cache);

    /** Passes the records of a cache to a writer. Throws what it throws. */
    static native int cacheEach(long cache, RecordReceiver receiver);

    static native int cacheImport(long cache, byte[] record);

    /** The status of {@link #cacheFile} after an error of the file system. It is no {@link Status}. */
    static final int FILE_FAILED = 66;

    /** Saves or loads a cache. Sets the numbers of records (saved or imported, foreign, damaged, without room) and the system's error. */
    static native int cacheFile(long cache, boolean isSave, byte[] path, long[] numbers);

    static native void cacheFree(long cache);

    static native long explain(long crawler, byte[] body, byte[] url);

    static native void explanationFree(long explanation);

    static native long extensionsParse(long crawler, byte[] body);

    static native void extensionsFree(long extensions);

    static native long lint(long crawler, byte[] body);

    static native void lintFree(long report);

    static native long pageNew(long crawler);

    static native int pageAdd(long page, boolean isMeta, byte[] name, byte[] value);

    static native void pageFree(long page);

    /** {@code body}: null if it is not known; {@code tdmFile}: null if there is none. */
    static native long usesNew(long crawler, byte[] site, byte @Nullable [] body, byte @Nullable [] tdmFile);

    static native void usesFree(long uses);

    /**
     * Writes the answer, whether a signal decides, and the number of signals to {@code out}, then 7 cells of each signal that has room: text
     * and token, line, source, answer. Returns a status. {@code page}: 0 if it is not known.
     */
    static native int useFor(long uses, byte[] url, int purpose, long page, long[] out);

    /** Copies the receipt to {@code to}, as {@link #originKey} does. */
    static native int useReceipt(long uses, byte[] url, int purpose, long page, long fetchedAtMillis, byte[] to);

    /** Copies a row to {@code out} and returns a status; see {@link Row}. */
    static native int row(int what, long object, long index, long[] out);

    /** Copies bytes from an address of a row to {@code to}. */
    static native void copy(long address, byte[] to);

    /** Returns a copy of the image of {@code rules}. */
    static byte[] image(long rules) {
        return new Row(Row.IMAGE, rules, 0).bytes(0);
    }
}
