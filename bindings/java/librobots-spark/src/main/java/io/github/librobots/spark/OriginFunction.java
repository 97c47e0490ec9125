package io.github.librobots.spark;

import io.github.librobots.Origin;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code origin(url)}: the key of the site of the URL, to join with; null for text without one. */
public final class OriginFunction extends Bound<UTF8String> {
    private static final long serialVersionUID = 1L;

    static final Definition DEFINITION = new Definition("origin", "the key of the site of the URL, to join with; null for text without one",
            OriginFunction::new, Parameter.URL);

    private OriginFunction(DataType[] inputs) {
        super("origin", DataTypes.StringType, inputs);
    }

    /**
     * Returns the key of the origin.
     *
     * @param url the URL
     * @return the key; null if the URL is null, or has no origin
     */
    public static UTF8String invoke(UTF8String url) {
        return url == null ? null : Decisions.text(Decisions.with(url, Origin::findKey));
    }
}
