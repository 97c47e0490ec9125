package io.github.librobots.spark;

import io.github.librobots.RulesImage;
import io.github.librobots.Status;
import io.github.librobots.Verdict;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** Decisions on the bytes of a row. */
final class Decisions {
    private Decisions() {}

    /** A function of a part of an array. */
    interface OnBytes<R> {
        R apply(byte[] array, int offset, int length);
    }

    /** Calls with the bytes of a text, in place if they are on the heap. */
    static <R> R with(UTF8String text, OnBytes<R> call) {
        int length = text.numBytes();
        if (text.getBaseObject() instanceof byte[]) {
            return call.apply((byte[]) text.getBaseObject(), (int) (text.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET), length);
        }
        return call.apply(text.getBytes(), 0, length);
    }

    /**
     * Decides on a URL.
     *
     * @return the verdict, with the status OK or URL
     * @throws IllegalArgumentException for a damaged image
     */
    static Verdict check(byte[] image, UTF8String url) {
        int length = url.numBytes();
        Verdict verdict;
        if (url.getBaseObject() instanceof byte[]) {
            int offset = (int) (url.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET);
            verdict = RulesImage.check(image, (byte[]) url.getBaseObject(), offset, length);
        } else {
            verdict = RulesImage.check(image, url.getBytes(), 0, length);
        }
        return checked(verdict, image);
    }

    /** Returns a verdict with the status OK or URL; throws for any other status. */
    static Verdict checked(Verdict verdict, byte[] image) {
        Status status = verdict.status();
        if (status == Status.OK || status == Status.URL) {
            return verdict;
        }
        if (status == Status.IMAGE || status == Status.IMAGE_FORMAT) {
            throw new IllegalArgumentException(image.length + " bytes are no image of rules: " + status.text()
                    + " Find such rows with is_valid(image).");
        }
        throw new IllegalStateException(status.text());
    }

    /** Returns whether a URL may be fetched; null for text that is not a URL. */
    static Boolean allowed(Verdict verdict) {
        return verdict.status() == Status.OK ? verdict.allowed() : null;
    }

    /** Returns the text of ASCII bytes; null for null. */
    static UTF8String text(byte[] bytes) {
        return UTF8String.fromBytes(bytes);
    }
}
