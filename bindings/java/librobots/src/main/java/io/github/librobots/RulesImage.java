package io.github.librobots;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * Decides on images of rules in place, without {@code Rules}: for rows of Spark, Flink or a database. An image comes from
 * {@link Crawler#compile(byte[])} or {@link Rules#image}. It need not be validated: a damaged image yields an error or a wrong verdict,
 * no read outside of it, and no longer run time.
 *
 * <p>Prefer {@link Rules} for many URLs of one site, because each call here checks the header of the image again.
 */
public final class RulesImage {
    /** The site of an outcome whose rules alone are used. */
    private static final byte[] ANY_SITE = "http://localhost/".getBytes(StandardCharsets.US_ASCII);
    private static final long ANY_TIME = 1_800_000_000_000L;

    private RulesImage() {}

    /**
     * Compiles the response for a robots.txt: the rules of the file, or a site-wide rule (SPEC 2). The image is that of
     * {@link Outcome#rules()} of {@link Crawler#outcomeOf}.
     *
     * @param crawler the crawler
     * @param httpStatus the status, any number; 0 if there was no response
     * @param body the file, used for 200 to 299
     * @return the image; with {@link Reason#UNREACHABLE} if the site is unreachable or deferred
     * @throws IllegalStateException if the crawler is closed
     */
    public static byte[] fromResponse(Crawler crawler, int httpStatus, byte[] body) {
        Objects.requireNonNull(body, "body");
        return crawler.with(address -> {
            long outcome = Status.handle(Native.outcomeFromStatus(address, ANY_SITE, httpStatus, body, ANY_TIME));
            try {
                long rules = Status.handle(Native.outcomeRules(outcome, 0));
                try {
                    return Native.image(rules);
                } finally {
                    Native.rulesFree(rules);
                }
            } finally {
                Native.outcomeFree(outcome);
            }
        });
    }

    /**
     * Returns whether a URL may be fetched.
     *
     * @param image the image
     * @param url the URL
     * @return true if it may; false for a damaged image
     */
    public static boolean isAllowed(byte[] image, CharSequence url) {
        byte[] bytes = Rules.utf8(url);
        return Verdict.isAllowed(decide(image, 0, image.length, bytes, 0, bytes.length));
    }

    /**
     * Returns whether a URL that is a part of an array may be fetched. Allocates no object.
     *
     * @param image the image
     * @param url the array with the URL
     * @param offset the offset of the URL
     * @param length its length in bytes
     * @return true if it may; false for a damaged image
     * @throws IndexOutOfBoundsException if the part is not inside the array
     */
    public static boolean isAllowed(byte[] image, byte[] url, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, url.length);
        return Verdict.isAllowed(decide(image, 0, image.length, url, offset, length));
    }

    /**
     * Decides on a URL that is a part of an array (SPEC 8).
     *
     * @param image the image, a whole array
     * @param url the array with the URL
     * @param offset the offset of the URL
     * @param length its length in bytes
     * @return the verdict, as for {@link #check(byte[], CharSequence)}
     * @throws IndexOutOfBoundsException if the part is not inside the array
     */
    public static Verdict check(byte[] image, byte[] url, int offset, int length) {
        return check(image, 0, image.length, url, offset, length);
    }

    /**
     * Decides on a URL (SPEC 8).
     *
     * @param image the image
     * @param url the URL
     * @return the verdict; not allowed with {@link Status#IMAGE} or {@link Status#IMAGE_FORMAT} for bytes that are not an image
     */
    public static Verdict check(byte[] image, CharSequence url) {
        return check(image, url, 0, image.length);
    }

    /**
     * Decides on a URL by an image that is a part of an array.
     *
     * @param array the array
     * @param url the URL
     * @param offset the offset of the image
     * @param length its length in bytes
     * @return the verdict, as for {@link #check(byte[], CharSequence)}
     * @throws IndexOutOfBoundsException if the part is not inside the array
     */
    public static Verdict check(byte[] array, CharSequence url, int offset, int length) {
        byte[] bytes = Rules.utf8(url);
        return check(array, offset, length, bytes, 0, bytes.length);
    }

    /**
     * Decides on a URL by an image, both parts of arrays.
     *
     * @param array the array with the image
     * @param offset the offset of the image
     * @param length its length in bytes
     * @param url the array with the URL
     * @param urlOffset the offset of the URL
     * @param urlLength its length in bytes
     * @return the verdict, as for {@link #check(byte[], CharSequence)}
     * @throws IndexOutOfBoundsException if a part is not inside its array
     */
    public static Verdict check(byte[] array, int offset, int length, byte[] url, int urlOffset, int urlLength) {
        Objects.checkFromIndexSize(offset, length, array.length);
        Objects.checkFromIndexSize(urlOffset, urlLength, url.length);
        return new Verdict(decide(array, offset, length, url, urlOffset, urlLength));
    }

    private static long decide(byte[] array, int offset, int length, byte[] url, int urlOffset, int urlLength) {
        Library.require();
        Scratch scratch = (long) length + urlLength <= Scratch.SIZE ? Scratch.take(Scratch.NO_OBJECT) : null;
        if (scratch != null) {
            try {
                long image = scratch.copy(array, offset, length);
                scratch.append(url, urlOffset, urlLength);
                return Native.imageCheckAt(image, length, urlLength);
            } finally {
                scratch.release();
            }
        }
        return Native.imageCheck(array, offset, length, url, urlOffset, urlLength);
    }

    /**
     * Validates an image: its header, its checksum and its structure.
     *
     * @param image any bytes
     * @return {@link Status#OK}; {@link Status#IMAGE} for a damaged image; {@link Status#IMAGE_FORMAT} for one of another format version
     */
    public static Status validate(byte[] image) {
        return validate(image, 0, image.length);
    }

    /**
     * Validates an image that is a part of an array.
     *
     * @param array the array
     * @param offset the offset of the image
     * @param length its length in bytes
     * @return the status, as for {@link #validate(byte[])}
     * @throws IndexOutOfBoundsException if the part is not inside the array
     */
    public static Status validate(byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        Library.require();
        return Status.of(Native.imageValidate(array, offset, length));
    }

    /**
     * Returns the sitemaps of an image, in order, as written (SPEC 9.1). The image is validated.
     *
     * @param image the image
     * @return an unmodifiable list
     * @throws IllegalArgumentException if the image is damaged, or of another format version
     */
    public static List<String> sitemaps(byte[] image) {
        Rules rules = Rules.fromImage(image);
        try {
            return rules.sitemaps();
        } finally {
            rules.close();
        }
    }

    /**
     * Returns the crawl-delay of an image (SPEC 9.2).
     *
     * @param image the image
     * @return seconds; empty if there is none, or the bytes are not an image
     */
    public static OptionalDouble crawlDelay(byte[] image) {
        return crawlDelay(image, 0, image.length);
    }

    /**
     * Returns the crawl-delay of an image that is a part of an array (SPEC 9.2).
     *
     * @param array the array
     * @param offset the offset of the image
     * @param length its length in bytes
     * @return seconds, as for {@link #crawlDelay(byte[])}
     * @throws IndexOutOfBoundsException if the part is not inside the array
     */
    public static OptionalDouble crawlDelay(byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        Library.require();
        return Rules.optional(Native.imageCrawlDelay(array, offset, length));
    }
}
