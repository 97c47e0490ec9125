package io.github.librobots.spark;

import io.github.librobots.RulesImage;
import io.github.librobots.Status;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** {@code is_valid(image)}: whether the bytes are an undamaged image of this version. */
public final class IsValidFunction extends Bound<Boolean> {
    private static final long serialVersionUID = 1L;

    static final Definition DEFINITION = new Definition("is_valid", "whether the bytes are an undamaged image of this version",
            IsValidFunction::new, Parameter.IMAGE);

    private IsValidFunction(DataType[] inputs) {
        super("is_valid", DataTypes.BooleanType, inputs);
    }

    /**
     * Validates an image: its header, its checksum and its structure.
     *
     * @param image the image
     * @return whether it is valid; null for null
     */
    public static Boolean invoke(byte[] image) {
        return image == null ? null : RulesImage.validate(image) == Status.OK;
    }
}
