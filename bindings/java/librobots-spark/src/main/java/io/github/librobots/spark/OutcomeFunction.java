package io.github.librobots.spark;

import io.github.librobots.RulesImage;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code outcome(agent, status, body[, options])}: the image of the response for a robots.txt: its rules, or a site-wide rule. */
public final class OutcomeFunction extends Bound<byte[]> {
    private static final long serialVersionUID = 1L;

    private static final byte[] NO_BODY = {};
    static final Definition DEFINITION = new Definition("outcome", "the image of the response for a robots.txt: its rules, or a site-wide rule",
            OutcomeFunction::new, Parameter.AGENT, Parameter.STATUS, Parameter.BODY, Parameter.OPTIONS);

    private OutcomeFunction(DataType[] inputs) {
        super("outcome", DataTypes.BinaryType, inputs);
    }

    /**
     * Compiles a response.
     *
     * @param agent the product tokens of the crawler, separated by commas
     * @param status the HTTP status; 0 if there was no response
     * @param body the robots.txt; null only for a response without one
     * @return the image; null if the agent is null
     * @throws IllegalArgumentException if the agent or the options are not valid
     */
    public static byte[] invoke(UTF8String agent, int status, byte[] body) {
        return compile(agent, status, body, null);
    }

    /**
     * Compiles a response for a crawler with options.
     *
     * @param agent the product tokens of the crawler, separated by commas
     * @param status the HTTP status; 0 if there was no response
     * @param body the robots.txt; null only for a response without one
     * @param options the options of the crawler
     * @return the image; null if the agent is null
     * @throws IllegalArgumentException if the agent or the options are not valid
     */
    public static byte[] invoke(UTF8String agent, int status, byte[] body, UTF8String options) {
        return compile(agent, status, body, options);
    }

    /**
     * Compiles a response.
     *
     * @param agent the product tokens of the crawler, separated by commas
     * @param status the HTTP status; 0 if there was no response
     * @param body the robots.txt; null only for a response without one
     * @return the image; null if the agent is null
     * @throws IllegalArgumentException if the agent or the options are not valid
     */
    public static byte[] invoke(UTF8String agent, int status, UTF8String body) {
        return compile(agent, status, body == null ? null : body.getBytes(), null);
    }

    /**
     * Compiles a response for a crawler with options.
     *
     * @param agent the product tokens of the crawler, separated by commas
     * @param status the HTTP status; 0 if there was no response
     * @param body the robots.txt; null only for a response without one
     * @param options the options of the crawler
     * @return the image; null if the agent is null
     * @throws IllegalArgumentException if the agent or the options are not valid
     */
    public static byte[] invoke(UTF8String agent, int status, UTF8String body, UTF8String options) {
        return compile(agent, status, body == null ? null : body.getBytes(), options);
    }

    /**
     * A response without a file, such as 404, may have a null body. A success without its body is a response that was lost: the site is
     * unreachable, as for status 0.
     */
    private static byte[] compile(UTF8String agent, int status, byte[] body, UTF8String options) {
        if (agent == null) {
            return null;
        }
        boolean isLost = body == null && status / 100 == 2;
        return RulesImage.fromResponse(Crawlers.get(agent, options), isLost ? 0 : status, body == null ? NO_BODY : body);
    }
}
