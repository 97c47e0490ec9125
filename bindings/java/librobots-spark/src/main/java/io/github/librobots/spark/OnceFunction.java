package io.github.librobots.spark;

import io.github.librobots.Crawler;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code once(agent, body, url[, options])}: whether the URL may be fetched, by a robots.txt that is used once. */
public final class OnceFunction extends Bound<Boolean> {
    private static final long serialVersionUID = 1L;

    static final Definition DEFINITION = new Definition("once", "whether the URL may be fetched, by a robots.txt that is used once",
            OnceFunction::new, Parameter.AGENT, Parameter.BODY, Parameter.URL, Parameter.OPTIONS);

    private OnceFunction(DataType[] inputs) {
        super("once", DataTypes.BooleanType, inputs);
    }

    /**
     * Decides on one URL by a robots.txt.
     *
     * @param agent the product tokens of the crawler, separated by commas
     * @param body the robots.txt
     * @param url the URL
     * @return whether it may be fetched; null if agent, body or URL is null, or the URL is none
     * @throws IllegalArgumentException if the agent or the options are not valid
     */
    public static Boolean invoke(UTF8String agent, byte[] body, UTF8String url) {
        return agent == null || body == null || url == null ? null : decide(Crawlers.get(agent, null), body, url);
    }

    /**
     * Decides on one URL by a robots.txt, for a crawler with options.
     *
     * @param agent the product tokens of the crawler, separated by commas
     * @param body the robots.txt
     * @param url the URL
     * @param options the options of the crawler
     * @return whether it may be fetched; null if agent, body or URL is null, or the URL is none
     * @throws IllegalArgumentException if the agent or the options are not valid
     */
    public static Boolean invoke(UTF8String agent, byte[] body, UTF8String url, UTF8String options) {
        return agent == null || body == null || url == null ? null : decide(Crawlers.get(agent, options), body, url);
    }

    /**
     * Decides on one URL by a robots.txt.
     *
     * @param agent the product tokens of the crawler, separated by commas
     * @param body the robots.txt
     * @param url the URL
     * @return whether it may be fetched; null if agent, body or URL is null, or the URL is none
     * @throws IllegalArgumentException if the agent or the options are not valid
     */
    public static Boolean invoke(UTF8String agent, UTF8String body, UTF8String url) {
        return agent == null || body == null || url == null ? null : decide(Crawlers.get(agent, null), body.getBytes(), url);
    }

    /**
     * Decides on one URL by a robots.txt, for a crawler with options.
     *
     * @param agent the product tokens of the crawler, separated by commas
     * @param body the robots.txt
     * @param url the URL
     * @param options the options of the crawler
     * @return whether it may be fetched; null if agent, body or URL is null, or the URL is none
     * @throws IllegalArgumentException if the agent or the options are not valid
     */
    public static Boolean invoke(UTF8String agent, UTF8String body, UTF8String url, UTF8String options) {
        return agent == null || body == null || url == null ? null : decide(Crawlers.get(agent, options), body.getBytes(), url);
    }

    private static Boolean decide(Crawler crawler, byte[] body, UTF8String url) {
        return Decisions.allowed(Decisions.checked(crawler.checkOnce(body, url.getBytes()), body));
    }
}
