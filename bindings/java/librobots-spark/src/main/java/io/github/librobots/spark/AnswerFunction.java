package io.github.librobots.spark;

import io.github.librobots.Status;
import io.github.librobots.Verdict;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code answer(image, url)}: what to do with the URL: allowed, disallowed, unreachable (keep it) or bad_url. */
public final class AnswerFunction extends Bound<UTF8String> {
    private static final long serialVersionUID = 1L;

    private static final UTF8String ALLOWED = UTF8String.fromString("allowed");
    private static final UTF8String DISALLOWED = UTF8String.fromString("disallowed");
    private static final UTF8String UNREACHABLE = UTF8String.fromString("unreachable");
    private static final UTF8String BAD_URL = UTF8String.fromString("bad_url");

    static final Definition DEFINITION = new Definition("answer", "what to do with the URL: allowed, disallowed, unreachable (keep it) or bad_url",
            AnswerFunction::new, Parameter.IMAGE, Parameter.URL);

    private AnswerFunction(DataType[] inputs) {
        super("answer", DataTypes.StringType, inputs);
    }

    /**
     * Decides on a URL.
     *
     * @param image the image
     * @param url the URL
     * @return {@code allowed}, {@code disallowed}, {@code unreachable} or {@code bad_url}; null if an argument is null
     * @throws IllegalArgumentException if the image is damaged
     */
    public static UTF8String invoke(byte[] image, UTF8String url) {
        if (image == null || url == null) {
            return null;
        }
        Verdict verdict = Decisions.check(image, url);
        if (verdict.status() == Status.URL) {
            return BAD_URL;
        }
        return verdict.allowed() ? ALLOWED : verdict.deferred() ? UNREACHABLE : DISALLOWED;
    }
}
