package io.github.librobots.spark;

import io.github.librobots.Origin;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code robots_url(url)}: the URL of the robots.txt that governs the URL; null for text without one. */
public final class RobotsUrlFunction extends Bound<UTF8String> {
    private static final long serialVersionUID = 1L;

    static final Definition DEFINITION = new Definition("robots_url", "the URL of the robots.txt that governs the URL; null for text without one",
            RobotsUrlFunction::new, Parameter.URL);

    private RobotsUrlFunction(DataType[] inputs) {
        super("robots_url", DataTypes.StringType, inputs);
    }

    /**
     * Returns the URL of the robots.txt.
     *
     * @param url the URL
     * @return its URL; null if the URL is null, or has no origin
     */
    public static UTF8String invoke(UTF8String url) {
        return url == null ? null : Decisions.text(Decisions.with(url, Origin::findRobotsUrl));
    }
}
