package io.github.librobots.spark;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code compile(agent, body[, options])}: the image of the rules of a robots.txt for a crawler. */
public final class CompileFunction extends Bound<byte[]> {
    private static final long serialVersionUID = 1L;

    static final Definition DEFINITION = new Definition("compile", "the image of the rules of a robots.txt for a crawler",
            CompileFunction::new, Parameter.AGENT, Parameter.BODY, Parameter.OPTIONS);

    private CompileFunction(DataType[] inputs) {
        super("compile", DataTypes.BinaryType, inputs);
    }

    /**
     * Compiles a robots.txt.
     *
     * @param agent the product tokens of the crawler, separated by commas
     * @param body the robots.txt
     * @return the image; null if agent or body is null
     * @throws IllegalArgumentException if the agent or the options are not valid
     */
    public static byte[] invoke(UTF8String agent, byte[] body) {
        return agent == null || body == null ? null : Crawlers.get(agent, null).compile(body);
    }

    /**
     * Compiles a robots.txt for a crawler with options.
     *
     * @param agent the product tokens of the crawler, separated by commas
     * @param body the robots.txt
     * @param options the options of the crawler
     * @return the image; null if agent or body is null
     * @throws IllegalArgumentException if the agent or the options are not valid
     */
    public static byte[] invoke(UTF8String agent, byte[] body, UTF8String options) {
        return agent == null || body == null ? null : Crawlers.get(agent, options).compile(body);
    }

    /**
     * Compiles a robots.txt.
     *
     * @param agent the product tokens of the crawler, separated by commas
     * @param body the robots.txt
     * @return the image; null if agent or body is null
     * @throws IllegalArgumentException if the agent or the options are not valid
     */
    public static byte[] invoke(UTF8String agent, UTF8String body) {
        return agent == null || body == null ? null : Crawlers.get(agent, null).compile(body.getBytes());
    }

    /**
     * Compiles a robots.txt for a crawler with options.
     *
     * @param agent the product tokens of the crawler, separated by commas
     * @param body the robots.txt
     * @param options the options of the crawler
     * @return the image; null if agent or body is null
     * @throws IllegalArgumentException if the agent or the options are not valid
     */
    public static byte[] invoke(UTF8String agent, UTF8String body, UTF8String options) {
        return agent == null || body == null ? null : Crawlers.get(agent, options).compile(body.getBytes());
    }
}
