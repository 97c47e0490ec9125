package io.github.librobots.spark;

import static org.apache.spark.sql.functions.call_function;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.when;

import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Compiles captures and chooses the one that holds for each site. */
final class Captures {
    /** The redirects in a row that are followed (SPEC 2.2). */
    private static final int HOPS = 5;

    private final String catalog;
    private final String agent;
    private final String options;

    Captures(String catalog, String agent, String options) {
        this.catalog = catalog;
        this.agent = agent;
        this.options = options;
    }

    private Column call(String function, Column... arguments) {
        return call_function(catalog + "." + function, arguments);
    }

    private Column outcome(Column status, Column body) {
        return call("outcome", lit(agent), status, body, lit(options));
    }

    /** A text that names a robots.txt in its canonical form; other texts as they are. */
    private Column canonical(Column url) {
        return when(url.rlike(Capture.ROBOTS_URL), coalesce(call("robots_url", url), url)).otherwise(url);
    }

    /** Returns a table with the columns origin and image. */
    Dataset<Row> images(Dataset<Row> captures) {
        Column url = RobotsFilter.has(captures, "url") ? col("url") : concat(col("origin"), lit("/robots.txt"));
        // Without a status there was no response.
        Column stated = coalesce(col("status"), lit(0));
        Column status = RobotsFilter.has(captures, "failure") ? when(col("failure").isNull(), stated).otherwise(lit(0)) : stated;
        Column date = RobotsFilter.has(captures, "date") ? col("date") : lit(0);
        boolean hasTarget = RobotsFilter.has(captures, "target");
        Column target = hasTarget ? canonical(col("target")) : lit(null).cast("string");
        // Images are small and bodies are large: compile before the shuffle.
        Dataset<Row> compiled = captures.select(canonical(url).as("key"), date.as("date"), outcome(status, col("body")).as("image"),
                target.as("target"));
        Column isReached = col("target").isNotNull().or(call("answer", col("image"), lit("/")).notEqual("unreachable"));
        Dataset<Row> newest = compiled
                .select(col("key"), struct(isReached.as("reached"), col("date"), col("image"), col("target")).as("capture"))
                .groupBy("key").agg(max(col("capture")).as("capture"))
                .select(col("key"), col("capture.image").as("image"), col("capture.target").as("target"));
        Dataset<Row> sites = newest.where(col("key").rlike(Capture.ROBOTS_URL));
        if (hasTarget) {
            sites = sites.where(col("target").isNull()).select("key", "image").union(followed(newest, sites));
        }
        return sites.select(call("origin", col("key")).as("origin"), col("image")).where(col("origin").isNotNull());
    }

    /** Returns the images of sites that redirect. A site whose redirect leads to no capture has none. */
    private Dataset<Row> followed(Dataset<Row> newest, Dataset<Row> sites) {
        // A redirect that names no usable target allows all (SPEC 2.3).
        Column allowAll = outcome(lit(404), lit(null).cast("binary"));
        Dataset<Row> other = newest.select(col("key").as("other"), col("image").as("other_image"), col("target").as("other_target"));
        Dataset<Row> walk = sites.where(col("target").isNotNull()).select(col("key"), lit(null).cast("binary").as("image"), col("target"));
        for (int hop = 0; hop < HOPS; hop++) {
            walk = walk.join(other, col("target").equalTo(col("other")), "left").select(col("key"),
                    when(col("target").equalTo(""), allowAll).when(col("target").isNotNull().and(col("other_target").isNull()),
                            col("other_image")).otherwise(col("image")).as("image"),
                    when(col("target").notEqual(""), col("other_target")).as("target"));
        }
        Column image = when(col("target").isNotNull(), allowAll).otherwise(col("image")); // too many (SPEC 2.3)
        return walk.select(col("key"), image.as("image")).where(col("image").isNotNull());
    }
}
