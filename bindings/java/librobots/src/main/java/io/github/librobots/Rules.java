package io.github.librobots;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a robots.txt, compiled for one crawler. Immutable; any number of threads may use it at once, without a lock.
 *
 * <p>{@link #close} frees the native memory at once; without it the garbage collector does, later. After it calls throw
 * {@link IllegalStateException}. Closing is safe while other threads use the rules.
 *
 * <p>Java serialization and Kryo write rules as their image.
 *
 * <p>A URL is absolute ({@code https://...}) or a path that starts with {@code /}. Only path and query are compared: use the rules of
 * the origin of the URL. Strings are encoded as UTF-8. Text that is not a URL is not allowed (SPEC 8.5b), nor is
 * one with a path of more than 64 KiB (SPEC 8.12).
 */
public final class Rules implements Serializable {
    private static final long serialVersionUID = 1L;

    private transient volatile @Nullable Shared shared;
    /** For serializers that copy fields; Java serialization uses {@link #writeReplace}. */
    @SuppressWarnings("serial")
    private final Bytes image = new Bytes(this::image);

    /** For a serializer. */
    private Rules() {}

    Rules(Handle handle) {
        shared = new Shared("Rules", handle);
    }

    /**
     * Returns rules that allow every URL (SPEC 2.5).
     *
     * @return the rules
     */
    public static Rules allowAll() {
        Library.require();
        return new Rules(Handle.ofRules(Native.siteWide(true)));
    }

    /**
     * Returns rules that disallow every URL (SPEC 2.8) except /robots.txt (SPEC 8.9).
     *
     * @return the rules
     */
    public static Rules disallowAll() {
        Library.require();
        return new Rules(Handle.ofRules(Native.siteWide(false)));
    }

    /**
     * Validates an image and copies it into new rules.
     *
     * @param image an image from {@link #image}, of this or another machine or language
     * @return the rules
     * @throws IllegalArgumentException if the image is damaged, or of another format version
     */
    public static Rules fromImage(byte[] image) {
        return new Rules(handleOf(image));
    }

    private static Handle handleOf(byte[] image) {
        Library.require();
        return Handle.ofRules(Native.fromImage(image, image.length));
    }

    /**
     * Returns whether a URL may be fetched.
     *
     * @param url the URL; unpaired surrogates count as {@code ?}
     * @return true if it may; {@link #check} returns the reason, too
     * @throws IllegalStateException if the rules are closed
     */
    public boolean isAllowed(CharSequence url) {
        return isAllowed(utf8(url));
    }

    /**
     * Returns whether a URL may be fetched. Allocates no object.
     *
     * @param url the URL as bytes
     * @return true if it may
     * @throws IllegalStateException if the rules are closed
     */
    public boolean isAllowed(byte[] url) {
        return Verdict.isAllowed(decide(url, 0, url.length));
    }

    /**
     * Returns whether a URL that is a part of an array may be fetched. Allocates no object.
     *
     * @param array the array
     * @param offset the offset of the URL
     * @param length its length in bytes
     * @return true if it may
     * @throws IndexOutOfBoundsException if the part is not inside the array
     * @throws IllegalStateException if the rules are closed
     */
    public boolean isAllowed(byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        return Verdict.isAllowed(decide(array, offset, length));
    }

    /**
     * Returns whether a URL in a buffer may be fetched. Allocates no object for a direct buffer, or one with an accessible array.
     *
     * @param url the URL, from the position of the buffer to its limit; the position is not changed
     * @return true if it may
     * @throws IllegalStateException if the rules are closed
     */
    public boolean isAllowed(ByteBuffer url) {
        return Verdict.isAllowed(decide(url));
    }

    /**
     * Decides on a URL (SPEC 8). Pass the URL that the client sends. One that clients rewrite, such as
     * {@code /a/../b}, is allowed only if each reading is (SPEC 8.11).
     *
     * @param url the URL
     * @return the verdict: whether the URL may be fetched, why, and by which line
     * @throws IllegalStateException if the rules are closed
     */
    public Verdict check(CharSequence url) {
        return check(utf8(url));
    }

    /**
     * Decides on a URL (SPEC 8).
     *
     * @param url the URL as bytes
     * @return the verdict: whether the URL may be fetched, why, and by which line
     * @throws IllegalStateException if the rules are closed
     */
    public Verdict check(byte[] url) {
        return new Verdict(decide(url, 0, url.length));
    }

    /**
     * Decides on a URL that is a part of an array (SPEC 8).
     *
     * @param array the array
     * @param offset the offset of the URL
     * @param length its length in bytes
     * @return the verdict: whether the URL may be fetched, why, and by which line
     * @throws IndexOutOfBoundsException if the part is not inside the array
     * @throws IllegalStateException if the rules are closed
     */
    public Verdict check(byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        return new Verdict(decide(array, offset, length));
    }

    /**
     * Decides on a URL in a buffer (SPEC 8).
     *
     * @param url the URL, from the position of the buffer to its limit; the position is not changed
     * @return the verdict: whether the URL may be fetched, why, and by which line
     * @throws IllegalStateException if the rules are closed
     */
    public Verdict check(ByteBuffer url) {
        return new Verdict(decide(url));
    }

    private long decide(byte[] url, int offset, int length) {
        Shared rules = shared();
        Scratch scratch = length <= Scratch.SIZE ? rules.enterWithScratch() : null;
        if (scratch != null) {
            try {
                return Native.checkAt(rules.address, scratch.copy(url, offset, length), length);
            } finally {
                rules.exit(scratch);
            }
        }
        int call = rules.enter();
        try {
            return Native.check(rules.address, url, offset, length);
        } finally {
            rules.exit(call);
        }
    }

    private long decide(ByteBuffer url) {
        if (url.hasArray()) {
            return decide(url.array(), url.arrayOffset() + url.position(), url.remaining());
        }
        if (!url.isDirect()) { // read-only
            byte[] copy = new byte[url.remaining()];
            url.duplicate().get(copy);
            return decide(copy, 0, copy.length);
        }
        Shared rules = shared();
        int call = rules.enter();
        try {
            return Native.checkDirect(rules.address, url, url.position(), url.remaining());
        } finally {
            rules.exit(call);
            Reference.reachabilityFence(url);
        }
    }

    /**
     * Decides on many URLs with one native call, which is faster than one call per URL.
     *
     * @param urls the URLs
     * @return the indexes of the URLs that may be fetched
     * @throws IllegalStateException if the rules are closed
     */
    public BitSet checkAll(List<? extends CharSequence> urls) {
        Batch batch = new Batch(urls.size());
        for (CharSequence url : urls) {
            batch.add(utf8(url));
        }
        return decide(batch);
    }

    /**
     * Decides on many URLs with one native call.
     *
     * @param urls the URLs as bytes
     * @return the indexes of the URLs that may be fetched
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
        byte[] verdicts = new byte[batch.count()];
        checkAll(batch.text(), batch.offsets(), verdicts);
        BitSet allowed = new BitSet(verdicts.length);
        for (int i = 0; i < verdicts.length; i++) {
            if (verdicts[i] == ALLOWED) {
                allowed.set(i);
            }
        }
        return allowed;
    }

    /** Verdict of a batch: the URL may not be fetched. */
    public static final byte DISALLOWED = 0;

    /** Verdict of a batch: the URL may be fetched. */
    public static final byte ALLOWED = 1;

    /** Verdict of a batch: the text is not a URL. */
    public static final byte BAD_URL = 2;

    /**
     * Decides on many URLs in one array, the layout of strings in Apache Arrow. Allocates no object.
     *
     * @param text the URLs: URL {@code i} starts at {@code offsets[i]} and ends before {@code offsets[i + 1]}
     * @param offsets one offset more than URLs, in ascending order
     * @param verdicts receives {@link #DISALLOWED}, {@link #ALLOWED} or {@link #BAD_URL} for each URL; its length is the number of URLs
     * @throws IllegalArgumentException if the offsets descend, exceed the text, or are not one more than the verdicts
     * @throws IllegalStateException if the rules are closed
     */
    public void checkAll(byte[] text, int[] offsets, byte[] verdicts) {
        Arrays.fill(verdicts, DISALLOWED);
        if (offsets.length - 1 != verdicts.length) {
            throw new IllegalArgumentException(
                    verdicts.length + " verdicts need " + (verdicts.length + 1L) + " offsets, not " + offsets.length);
        }
        int last = 0;
        for (int offset : offsets) {
            if (offset < last || offset > text.length) {
                throw new IllegalArgumentException("offset " + offset + " is less than the previous one, or exceeds the text");
            }
            last = offset;
        }
        Shared rules = shared();
        int call = rules.enter();
        try {
            int status = Native.checkBatch(rules.address, text, offsets, verdicts.length, verdicts);
            if (status != 0) {
                Arrays.fill(verdicts, DISALLOWED);
                Status.demandOk(status);
            }
        } finally {
            rules.exit(call);
        }
    }

    /**
     * Returns the crawl-delay of the groups that the crawler obeys (SPEC 9.2).
     *
     * @return seconds, 0 or more; the longest of several; empty if there is none
     * @throws IllegalStateException if the rules are closed
     */
    public OptionalDouble crawlDelay() {
        Shared rules = shared();
        int call = rules.enter();
        try {
            return optional(Native.crawlDelay(rules.address));
        } finally {
            rules.exit(call);
        }
    }

    /** Returns the seconds; empty for NaN. */
    static OptionalDouble optional(double seconds) {
        return Double.isNaN(seconds) ? OptionalDouble.empty() : OptionalDouble.of(seconds);
    }

    /**
     * Returns the sitemaps of the file, in order, as written (SPEC 9.1).
     *
     * @return an unmodifiable list
     * @throws IllegalStateException if the rules are closed
     */
    public List<String> sitemaps() {
        Shared rules = shared();
        int call = rules.enter();
        try {
            return Row.all(Row.SITEMAP, rules.address, row -> row.text(0));
        } finally {
            rules.exit(call);
        }
    }

    /**
     * Returns the rules that can decide, for people; {@link #check(CharSequence)} is the way to a verdict. Left out are rules that never
     * decide: equal to an earlier one, without a path, or with a path that matches no URL (SPEC 8.5). Rules that disallow the whole
     * site are one rule, {@code /}.
     *
     * @return an unmodifiable list, in the order of the file
     * @throws IllegalStateException if the rules are closed
     */
    public List<EffectiveRule> effectiveRules() {
        Shared rules = shared();
        int call = rules.enter();
        try {
            long list = Status.handle(Native.ruleListNew(rules.address));
            try {
                return Row.all(Row.RULE, list, EffectiveRule::new);
            } finally {
                Native.ruleListFree(list);
            }
        } finally {
            rules.exit(call);
        }
    }

    /**
     * Returns a shortest path that these rules allow and the other rules do not, or the reverse, or that there is none, which is proved
     * (SPEC 12). The two may differ in file, crawler and dialect. The search takes at most about a second and 64 MB, for half of all
     * real files 0.1 ms, and for 99 % at most 20 ms.
     *
     * @param other the other rules
     * @return the difference
     * @throws IllegalStateException if one of the rules is closed
     */
    public Difference difference(Rules other) {
        Shared rules = shared();
        int call = rules.enter();
        try {
            return difference(rules, other.shared());
        } finally {
            rules.exit(call);
        }
    }

    private static Difference difference(Shared rules, Shared other) {
        int call = other.enter();
        try {
            long found = Status.handle(Native.difference(rules.address, other.address));
            try {
                return new Difference(found);
            } finally {
                Native.differenceFree(found);
            }
        } finally {
            other.exit(call);
        }
    }

    /**
     * Returns the compiled rules as one block of bytes, to store or send. {@link #fromImage} reads it, in every language.
     *
     * @return a copy of the image
     * @throws IllegalStateException if the rules are closed
     */
    public byte[] image() {
        Shared rules = shared();
        int call = rules.enter();
        try {
            return Native.image(rules.address);
        } finally {
            rules.exit(call);
        }
    }

    /**
     * Closes the rules: later calls throw {@link IllegalStateException}, running calls finish. The memory is freed at once, or at the
     * end of the last running call. Does nothing the second time.
     */
    public void close() {
        Shared rules = shared;
        if (rules != null) {
            rules.close();
        }
    }

    /**
     * Returns whether the other rules have the same image: then they return the same verdicts, lines included.
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

    /** Returns size, crawl-delay and number of sitemaps, such as {@code Rules[208 bytes, 1 sitemap]}. Never throws. */
    @Override
    public String toString() {
        try {
            Shared rules = shared();
            int call = rules.enter();
            try {
                double delay = Native.crawlDelay(rules.address);
                int sitemaps = sitemaps().size();
                return "Rules[" + Native.imageLength(rules.address) + " bytes" + (Double.isNaN(delay) ? "" : ", crawl-delay " + delay + " s")
                        + (sitemaps == 0 ? "" : sitemaps == 1 ? ", 1 sitemap" : ", " + sitemaps + " sitemaps") + "]";
            } finally {
                rules.exit(call);
            }
        } catch (RuntimeException e) { // closed, or read from a damaged stream
            return "Rules[closed]";
        }
    }

    /** Tests ask whether a call is in flight. */
    Shared shared() {
        Shared rules = shared;
        return rules != null ? rules : restore();
    }

    /** Validates and loads the image that a serializer has read. */
    private synchronized Shared restore() {
        if (shared == null) {
            shared = new Shared("Rules", handleOf(image.read()));
        }
        return shared;
    }

    static byte[] utf8(CharSequence url) {
        return url.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Replaces the rules by their image in serialization.
     *
     * @return the image
     */
    private Object writeReplace() {
        return new Image(image());
    }

    /**
     * Refuses a stream that this class did not write.
     *
     * @param in the stream
     * @throws InvalidObjectException always
     */
    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        throw new InvalidObjectException("Rules are serialized as their image");
    }

    /** The serialized form of rules. */
    private static final class Image implements Serializable {
        private static final long serialVersionUID = 1L;

        private final byte[] image;

        Image(byte[] image) {
            this.image = image;
        }

        /** Validates the image, which may come from an untrusted source. */
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
