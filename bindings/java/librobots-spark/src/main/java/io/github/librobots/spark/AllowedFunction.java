package io.github.librobots.spark;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code allowed(image, url)}: whether the URL may be fetched; null for text that is not a URL. */
public final class AllowedFunction extends Bound<Boolean> {
    private static final long serialVersionUID = 1L;

    static final Definition DEFINITION = new Definition("allowed", "whether the URL may be fetched; null for text that is not a URL",
            AllowedFunction::new, Parameter.IMAGE, Parameter.URL);

    private AllowedFunction(DataType[] inputs) {
        super("allowed", DataTypes.BooleanType, inputs);
    }

    /**
     * Decides on a URL.
     *
     * @param image the image
     * @param url the URL
     * @return whether it may be fetched; null if an argument is null, or the URL is none
     * @throws IllegalArgumentException if the image is damaged
     */
    public static Boolean invoke(byte[] image, UTF8String url) {
        return image == null || url == null ? null : Decisions.allowed(Decisions.check(image, url));
    }
}
