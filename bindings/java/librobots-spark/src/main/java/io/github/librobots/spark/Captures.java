package io.github.librobots.spark;

import static org.apache.spark.sql.functions.call_function;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.raise_error;
import static org.apache.spark.sql.functions.regexp_replace;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.try_to_timestamp;
import static org.apache.spark.sql.functions.when;

import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;

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

    /**
     * Returns the canonical form of the URL of a robots.txt, other URLs as they are requested, without spaces around them and
     * without a fragment, and null for text that has no origin.
     */
    private Column canonical(Column given) {
        Column url = regexp_replace(given, "(?s)^\\s+|\\s*(#.*)?$", "");
        return when(call("origin", url).isNotNull(), when(url.rlike(Capture.ROBOTS_URL), call("robots_url", url)).otherwise(url));
    }

    /** Returns the URL that a row is a capture of; null if the row names none. */
    private Column key(Dataset<Row> captures) {
        Column byUrl = RobotsFilter.has(captures, "url") ? canonical(col("url")) : null;
        Column byOrigin = RobotsFilter.has(captures, "origin") ? call("robots_url", col("origin")) : null;
        if (byUrl == null && byOrigin == null) {
            throw new IllegalArgumentException("the table of captures has neither a column url nor a column origin");
        }
        return byUrl == null ? byOrigin : byOrigin == null ? byUrl : coalesce(byOrigin, byUrl);
    }

    /** Returns the column date. Text is parsed: by its characters, times of two zones would not be in order. */
    private static Column date(Dataset<Row> captures) {
        Column date = col("date");
        if (!captures.select(date).schema().apply(0).dataType().equals(DataTypes.StringType)) {
            return date;
        }
        Column parsed = coalesce(try_to_timestamp(date), try_to_timestamp(date, lit("yyyyMMddHHmmss")));
        Column wrong = raise_error(concat(lit("the date '"), date, lit("' is none of ISO 8601: pass timestamps, or text such as 2026-02-01T10:00:00Z")));
        return when(date.isNotNull(), coalesce(parsed, wrong.cast("timestamp")));
    }

    /** Returns the capture that holds for each URL, and the number of captures; the key is null for captures that name no site. */
    Dataset<Row> newest(Dataset<Row> captures) {
        Column status = col("status");
        if (RobotsFilter.has(captures, "failure")) {
            status = when(col("failure").isNull(), status); // without a status there was no response
        }
        Column date = RobotsFilter.has(captures, "date") ? date(captures) : lit(null).cast("timestamp");
        Column target = lit(null).cast("string");
        if (RobotsFilter.has(captures, "target")) {
            target = when(status.between(300, 399), when(col("target").equalTo(""), lit("")).otherwise(canonical(col("target"))));
        }
        // Images are small and bodies are large: compile before the shuffle.
        Dataset<Row> compiled = captures.select(key(captures).as("key"), date.as("date"), target.as("target"), status.as("status"), col("body"))
                .select(col("key"), col("date"), when(col("key").isNotNull(), outcome(col("status"), col("body"))).as("image"), col("target"));
        Column isReached = col("target").isNotNull().or(call("answer", col("image"), lit("/")).notEqual("unreachable"));
        Column isVague = col("key").isNotNull().and(col("captures").gt(1)).and(col("last").isNull());
        Column vague = raise_error(concat(col("key"), lit(" has "), col("captures").cast("string"),
                lit(" captures without a date, so that any could be the newest: add a column date, or keep one of them")));
        Dataset<Row> newest = compiled
                .select(col("key"), col("date"), struct(isReached.as("reached"), col("date"), col("image"), col("target")).as("capture"))
                .groupBy("key").agg(max(col("capture")).as("capture"), max(col("date")).as("last"), count(lit(1)).as("captures"))
                .select(col("key"), when(isVague, vague.cast("bigint")).otherwise(col("captures")).as("captures"),
                        when(isVague, vague.cast("binary")).otherwise(col("capture.image")).as("image"), col("capture.target").as("target"));
        return RobotsFilter.has(captures, "target") ? newest : newest.drop("target");
    }

    /** Returns a column of an aggregate: the numbers of captures, such as {@code captures=9 unusable=1 other_pages=2}. */
    static Column counts() {
        return concat(lit("captures="), total(lit(true)), lit(" unusable="), total(col("key").isNull()),
                lit(" other_pages="), total(col("key").isNotNull().and(isOther())));
    }

    private static Column total(Column condition) {
        return coalesce(sum(when(condition, col("captures"))), lit(0L)).cast("string");
    }

    private static Column isOther() {
        return col("key").rlike(Capture.ROBOTS_URL).equalTo(false);
    }

    /**
     * Returns a table with the columns origin and image. To read it is an error if no capture is that of a site.
     *
     * @param newest the table of {@link #newest}
     */
    Dataset<Row> images(Dataset<Row> newest) {
        Dataset<Row> robots = newest.where(col("key").rlike(Capture.ROBOTS_URL));
        Dataset<Row> sites = robots.select("key", "image");
        if (RobotsFilter.has(newest, "target")) {
            sites = robots.where(col("target").isNull()).select("key", "image").union(followed(newest, robots));
        }
        Column isNone = count(when(col("key").rlike(Capture.ROBOTS_URL), lit(1))).equalTo(0);
        Column none = raise_error(concat(lit("no capture is that of a site: "), col("counts"),
                lit(": origin and url are URLs such as https://example.com/robots.txt"))).cast("boolean");
        // A filter is never optimized away, as an unused column is.
        Dataset<Row> check = newest.agg(isNone.as("none"), counts().as("counts")).where(when(col("none"), none).otherwise(false))
                .select(lit(null).cast("string").as("key"), lit(null).cast("binary").as("image"));
        return sites.union(check).select(call("origin", col("key")).as("origin"), col("image"));
    }

    /** Returns the images of sites that redirect. A site whose redirect leads to no capture has none. */
    private Dataset<Row> followed(Dataset<Row> newest, Dataset<Row> sites) {
        // A redirect that names no usable target allows all (SPEC 2.3).
        Column allowAll = outcome(lit(404), lit(null).cast("binary"));
        Dataset<Row> other = newest.where(col("key").isNotNull())
                .select(col("key").as("other"), col("image").as("other_image"), col("target").as("other_target"));
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
