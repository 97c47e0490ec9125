package io.github.librobots.spark;

import io.github.librobots.RulesImage;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code sitemaps(image)}: the sitemaps of the file, in order, as written. */
public final class SitemapsFunction extends Bound<ArrayData> {
    private static final long serialVersionUID = 1L;

    static final Definition DEFINITION = new Definition("sitemaps", "the sitemaps of the file, in order, as written",
            SitemapsFunction::new, Parameter.IMAGE);

    private SitemapsFunction(DataType[] inputs) {
        super("sitemaps", DataTypes.createArrayType(DataTypes.StringType, false), inputs);
    }

    /**
     * Returns the sitemaps.
     *
     * @param image the image
     * @return an array of texts, which may be empty; null for null
     * @throws IllegalArgumentException if the image is damaged
     */
    public static ArrayData invoke(byte[] image) {
        if (image == null) {
            return null;
        }
        return new GenericArrayData(RulesImage.sitemaps(image).stream().map(UTF8String::fromString).toArray());
    }
}
