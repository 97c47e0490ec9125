package io.github.librobots.spark;

import io.github.librobots.RulesImage;
import java.util.OptionalDouble;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** {@code crawl_delay(image)}: the seconds between two requests; null if there is no crawl-delay. */
public final class CrawlDelayFunction extends Bound<Double> {
    private static final long serialVersionUID = 1L;

    static final Definition DEFINITION = new Definition("crawl_delay", "the seconds between two requests; null if there is no crawl-delay",
            CrawlDelayFunction::new, Parameter.IMAGE);

    private CrawlDelayFunction(DataType[] inputs) {
        super("crawl_delay", DataTypes.DoubleType, inputs);
    }

    /**
     * Returns the crawl-delay.
     *
     * @param image the image
     * @return seconds; null if there is none
     * @throws IllegalArgumentException if the image is damaged
     */
    public static Double invoke(byte[] image) {
        if (image == null) {
            return null;
        }
        OptionalDouble seconds = RulesImage.crawlDelay(image);
        if (seconds.isEmpty()) {
            Decisions.checked(RulesImage.check(image, "/"), image);
            return null;
        }
        return seconds.getAsDouble();
    }
}
