package io.github.librobots;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A robots.txt, compiled for one crawler. Immutable; any number of threads may ask one at once, and none waits for another.
 *
 * <p>It need not be closed: the garbage collector ends it. {@link #close} makes later calls throw
 * {@link IllegalStateException}; it is safe while other threads ask.
 *
 * <p>A URL is absolute ({@code https://...}, of which path and query count: ask the rules of its own site) or a path that
 * starts with {@code /}. Text counts as UTF-8. What is no URL is not allowed (SPEC 8.5b).
 */
public final class Rules implements AutoCloseable, Serializable {
    private static final long serialVersionUID = 1L;

    private transient volatile Handle handle;

    Rules(Handle handle) {
        this.handle = handle;
    }

    /**
     * Makes the rules of a site that may be fetched as a whole (SPEC 2.5).
     *
     * @return the rules
     */
    public static Rules allowAll() {
        return new Rules(Handle.ofRules(Native.wholeSite(true)));
    }

    /**
     * Makes the rules of a site of which nothing may be fetched (SPEC 2.8) but its robots.txt (SPEC 8.9).
     *
     * @return the rules
     */
    public static Rules disallowAll() {
        return new Rules(Handle.ofRules(Native.wholeSite(false)));
    }

    /**
     * Makes rules from an image, which is checked.
     *
     * @param image from {@link #image}, of this or another machine or language
     * @return the rules
     * @throws IllegalArgumentException for a damaged image, or one of another format version
     */
    public static Rules fromImage(byte[] image) {
        return new Rules(Handle.ofRules(Native.fromImage(image, image.length)));
    }

    /**
     * Tells whether a URL may be fetched.
     *
     * @param url the URL; unpaired surrogates count as {@code ?}
     * @return whether it may; {@link #check} says why
     * @throws IllegalStateException if the rules are closed
     */
    public boolean isAllowed(CharSequence url) {
        return Verdict.isAllowed(decide(octets(url)));
    }

    /**
     * Tells whether a URL may be fetched. Makes no object.
     *
     * @param url the octets of the URL, any octets of any length
     * @return whether it may
     * @throws IllegalStateException if the rules are closed
     */
    public boolean isAllowed(byte[] url) {
        return Verdict.isAllowed(decide(url));
    }

    /**
     * Decides on a URL (SPEC 8).
     *
     * @param url the URL
     * @return whether it may be fetched, why, and by which line
     * @throws IllegalStateException if the rules are closed
     */
    public Verdict check(CharSequence url) {
        return new Verdict(decide(octets(url)));
    }

    /**
     * Decides on a URL (SPEC 8).
     *
     * @param url the octets of the URL
     * @return whether it may be fetched, why, and by which line
     * @throws IllegalStateException if the rules are closed
     */
    public Verdict check(byte[] url) {
        return new Verdict(decide(url));
    }

    private long decide(byte[] url) {
        Handle held = held();
        long bits = Native.check(held.address, url, url.length);
        Reference.reachabilityFence(held);
        return bits;
    }

    /**
     * Decides on many URLs with one call into the library, which is faster than to ask one by one.
     *
     * @param urls the URLs
     * @return the indexes of those that may be fetched
     * @throws IllegalStateException if the rules are closed
     */
    public BitSet checkAll(List<? extends CharSequence> urls) {
        Batch batch = new Batch(urls.size());
        for (CharSequence url : urls) {
            batch.add(octets(url));
        }
        return decide(batch);
    }

    /**
     * Decides on many URLs with one call into the library.
     *
     * @param urls the octets of the URLs
     * @return the indexes of those that may be fetched
     * @throws IllegalStateException if the rules are closed
     */
    public BitSet checkAll(byte[][] urls) {
        Batch batch = new Batch(urls.length);
        for (byte[] url : urls) {
            batch.add(url);
        }
        return decide(batch);
    }

    private BitSet decide(Batch batch) {
        byte[] answers = new byte[batch.count()];
        checkAll(batch.text(), batch.offsets(), answers);
        BitSet allowed = new BitSet(answers.length);
        for (int i = 0; i < answers.length; i++) {
            if (answers[i] == ALLOWED) {
                allowed.set(i);
            }
        }
        return allowed;
    }

    /** BatchVerdict of a batch: the URL may not be fetched. */
    public static final byte DISALLOWED = 0;

    /** BatchVerdict of a batch: the URL may be fetched. */
    public static final byte ALLOWED = 1;

    /** BatchVerdict of a batch: it is no URL that can be decided on. */
    public static final byte BAD_URL = 2;

    /**
     * Decides on many URLs that stand one behind the other, the layout of strings in Apache Arrow. Makes no object.
     *
     * @param text the URLs: URL {@code i} begins at {@code offsets[i]} and ends before {@code offsets[i + 1]}
     * @param offsets one offset more than there are URLs, none less than the one before
     * @param answers receives {@link #DISALLOWED}, {@link #ALLOWED} or {@link #BAD_URL} for each URL; its length is their number
     * @throws IllegalArgumentException if the offsets decrease, lead out of the text, or are not one more than the answers
     * @throws IllegalStateException if the rules are closed
     */
    public void checkAll(byte[] text, int[] offsets, byte[] answers) {
        Arrays.fill(answers, DISALLOWED);
        if (offsets.length - 1 != answers.length) {
            throw new IllegalArgumentException(
                    answers.length + " answers need " + (answers.length + 1L) + " offsets, not " + offsets.length);
        }
        int last = 0;
        for (int offset : offsets) {
            if (offset < last || offset > text.length) {
                throw new IllegalArgumentException("offset " + offset + " is less than the one before, or past the text");
            }
            last = offset;
        }
        Handle held = held();
        int status = Native.checkBatch(held.address, text, offsets, answers.length, answers);
        Reference.reachabilityFence(held);
        if (status != 0) {
            Arrays.fill(answers, DISALLOWED);
            Status.demandOk(status);
        }
    }

    /**
     * Gives the crawl-delay of the groups that the crawler obeys (SPEC 9.2).
     *
     * @return seconds, 0 or more; of several the longest; empty if none is given
     * @throws IllegalStateException if the rules are closed
     */
    public OptionalDouble crawlDelay() {
        Handle held = held();
        double seconds = Native.crawlDelay(held.address);
        Reference.reachabilityFence(held);
        return Double.isNaN(seconds) ? OptionalDouble.empty() : OptionalDouble.of(seconds);
    }

    /**
     * Gives the sitemaps of the file, in its order, as they are written (SPEC 9.1).
     *
     * @return a list that cannot be changed
     * @throws IllegalStateException if the rules are closed
     */
    public List<String> sitemaps() {
        Handle held = held();
        try {
            int count = Math.toIntExact(Native.sitemapCount(held.address));
            List<String> sitemaps = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                sitemaps.add(new String(Native.sitemap(held.address, i), StandardCharsets.UTF_8));
            }
            return Collections.unmodifiableList(sitemaps);
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    /**
     * Gives the compiled rules as one block, to be stored or sent; {@link #fromImage} reads it, in every language.
     *
     * @return the image, a copy
     * @throws IllegalStateException if the rules are closed
     */
    public byte[] image() {
        Handle held = held();
        try {
            return Native.image(held.address);
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    /**
     * Ends the use of the rules: later calls throw {@link IllegalStateException}, calls that run finish. The memory is given back
     * by the garbage collector. Does nothing the second time.
     */
    @Override
    public void close() {
        handle = null;
    }

    /**
     * Tells whether other rules have the same image: then they give the same answers, lines included.
     *
     * @throws IllegalStateException if the rules, or the others, are closed
     */
    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof Rules && Arrays.equals(image(), ((Rules) other).image());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(image());
    }

    private Handle held() {
        Handle held = handle;
        if (held == null) {
            throw new IllegalStateException("these Rules are closed: close them after their last use, or not at all");
        }
        return held;
    }

    static byte[] octets(CharSequence url) {
        return url.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Puts the image in place of the rules.
     *
     * @return what is written
     */
    private Object writeReplace() {
        return new Image(image());
    }

    /**
     * Refuses what was not written by this class.
     *
     * @param in not read
     * @throws InvalidObjectException always
     */
    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        throw new InvalidObjectException("Rules are written as their image");
    }

    /** What is written in place of rules. */
    private static final class Image implements Serializable {
        private static final long serialVersionUID = 1L;

        private final byte[] image;

        Image(byte[] image) {
            this.image = image;
        }

        /** Checks the image: it may come from a stranger. */
        private Object readResolve() throws InvalidObjectException {
            try {
                return fromImage(image);
            } catch (IllegalArgumentException | NullPointerException e) {
                InvalidObjectException failure = new InvalidObjectException("not the image of Rules: " + e.getMessage());
                failure.initCause(e);
                throw failure;
            }
        }
    }
}
