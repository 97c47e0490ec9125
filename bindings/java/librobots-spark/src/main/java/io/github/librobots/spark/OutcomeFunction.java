package io.github.librobots.spark;

import io.github.librobots.RulesImage;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * {@code outcome(agent, status, body[, options])}: the image of the response for a robots.txt: its rules, or a site-wide rule. A null
 * status is that of a site without a response. Spark passes no null to a static method with an {@code int}, so this function has none.
 */
public final class OutcomeFunction extends Bound<byte[]> {
    private static final long serialVersionUID = 1L;

    private static final byte[] NO_BODY = {};
    static final Definition DEFINITION = new Definition("outcome", "the image of the response for a robots.txt: its rules, or a site-wide rule",
            OutcomeFunction::new, Parameter.AGENT, Parameter.STATUS, Parameter.BODY, Parameter.OPTIONS);

    /** Whether the body is BINARY, not STRING. */
    private final boolean isBinary;
    /** Whether there are options of the crawler. */
    private final boolean hasOptions;

    private OutcomeFunction(DataType[] inputs) {
        super("outcome", DataTypes.BinaryType, inputs);
        isBinary = inputs[2] instanceof BinaryType;
        hasOptions = inputs.length > 3;
    }

    /**
     * Compiles a response.
     *
     * <p>A response without a file, such as 404, may have a null body. A success without its body, other than 204, is a response that was
     * lost: the site is unreachable, as for a null status and for 0.
     *
     * @param row the product tokens of the crawler, the HTTP status, the body and, perhaps, the options of the crawler
     * @return the image; null if the agent is null
     * @throws IllegalArgumentException if the agent or the options are not valid
     */
    @Override
    public byte[] produceResult(InternalRow row) {
        if (row.isNullAt(0)) {
            return null;
        }
        int status = row.isNullAt(1) ? 0 : row.getInt(1);
        byte[] body = row.isNullAt(2) ? null : isBinary ? row.getBinary(2) : row.getUTF8String(2).getBytes();
        boolean isLost = body == null && status / 100 == 2 && status != 204;
        return RulesImage.fromResponse(Crawlers.get(row.getUTF8String(0), hasOptions && !row.isNullAt(3) ? row.getUTF8String(3) : null),
                isLost ? 0 : status, body == null ? NO_BODY : body);
    }
}
