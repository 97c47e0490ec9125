package io.github.librobots.spark;

import io.github.librobots.Reason;
import io.github.librobots.Status;
import io.github.librobots.Verdict;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code verdict(image, url)}: the verdict on the URL: allowed, reason and line. */
public final class VerdictFunction extends Bound<InternalRow> {
    private static final long serialVersionUID = 1L;

    private static final DataType TYPE = DataTypes.createStructType(Arrays.asList(
            DataTypes.createStructField("allowed", DataTypes.BooleanType, true),
            DataTypes.createStructField("reason", DataTypes.StringType, false),
            DataTypes.createStructField("line", DataTypes.LongType, false)));
    private static final UTF8String BAD_URL = UTF8String.fromString("BAD_URL");
    private static final UTF8String[] REASONS =
            Arrays.stream(Reason.values()).map(r -> UTF8String.fromString(r.name())).toArray(UTF8String[]::new);

    static final Definition DEFINITION = new Definition("verdict", "the verdict on the URL: allowed, reason and line",
            VerdictFunction::new, Parameter.IMAGE, Parameter.URL);

    private VerdictFunction(DataType[] inputs) {
        super("verdict", TYPE, inputs);
    }

    /**
     * Decides on a URL.
     *
     * @param image the image
     * @param url the URL
     * @return {@code struct(allowed, reason, line)}; for text that is not a URL allowed is null, and the reason {@code BAD_URL}; null if an
     *     argument is null
     * @throws IllegalArgumentException if the image is damaged
     */
    public static InternalRow invoke(byte[] image, UTF8String url) {
        if (image == null || url == null) {
            return null;
        }
        Verdict verdict = Decisions.check(image, url);
        UTF8String reason = verdict.status() == Status.URL ? BAD_URL : REASONS[verdict.reason().ordinal()];
        return new GenericInternalRow(new Object[] {Decisions.allowed(verdict), reason, verdict.line()});
    }
}
