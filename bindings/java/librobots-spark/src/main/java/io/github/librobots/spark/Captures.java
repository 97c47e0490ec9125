package io.github.librobots.spark;

import static org.apache.spark.sql.functions.call_function;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.floor;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.log10;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.not;
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
import org.apache.spark.sql.types.NumericType;

/** Compiles captures and chooses the one that holds for each site. */
final class Captures {
    /** The redirects in a row that are followed (SPEC 2.2). */
    private static final int HOPS = 5;
    /** An origin, or the URL of its robots.txt. */
    private static final String SITE = "(?s)^((?!://).)*://[^/\\\\?#]*(/|/robots[.]txt)?\\s*$";
    /** The seconds since 1970 of 1993 and of 2100. */
    private static final double[] YEARS = {725_846_400, 4_102_444_800.0 - 1};

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
        Column byOrigin = null;
        if (RobotsFilter.has(captures, "origin")) {
            // The response to a page says nothing about the robots.txt of its site.
            Column isOfPage = col("origin").contains("://").and(not(col("origin").rlike(SITE)));
            Column ofPage = raise_error(concat(lit("the origin '"), col("origin"),
                    lit("' has a path: pass origins such as https://example.com, and URLs as url"))).cast("string");
            byOrigin = when(isOfPage, ofPage).otherwise(call("robots_url", col("origin")));
        }
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

    /**
     * Returns a number for the unit that a date has by its size, such as seconds, milliseconds, or none: years and days as numbers. Null
     * for null.
     */
    private static Column unit(Dataset<Row> captures) {
        boolean isNumber = captures.select(col("date")).schema().apply(0).dataType() instanceof NumericType;
        Column seconds = (isNumber ? col("date") : date(captures).cast("timestamp")).cast("double");
        Column other = lit(4).plus(when(seconds.lt(1e7), 0).otherwise(floor(log10(seconds))));
        Column unit = when(seconds.isNull(), lit(null).cast("long"));
        for (int power = 0; power < 4; power++) {
            double parts = Math.pow(1000, power);
            unit = unit.when(seconds.between(YEARS[0] * parts, YEARS[1] * parts), lit((long) power));
        }
        return unit.otherwise(other);
    }

    /** Returns the captures with their images, and whether they were reached; the key is null for captures that name no site. */
    private Dataset<Row> compiled(Dataset<Row> captures) {
        Column status = col("status");
        if (RobotsFilter.has(captures, "failure")) {
            status = when(col("failure").isNull(), status); // without a status there was no response
        }
        boolean hasDate = RobotsFilter.has(captures, "date");
        Column date = hasDate ? date(captures) : lit(null).cast("timestamp");
        Column unit = hasDate ? unit(captures) : lit(null).cast("long");
        Column target = lit(null).cast("string");
        if (RobotsFilter.has(captures, "target")) {
            target = when(status.between(300, 399), when(col("target").equalTo(""), lit("")).otherwise(canonical(col("target"))));
        }
        // Images are small and bodies are large: compile before the shuffle.
        Column isReached = col("target").isNotNull().or(call("answer", col("image"), lit("/")).notEqual("unreachable"));
        return captures
                .select(key(captures).as("key"), date.as("date"), unit.as("unit"), target.as("target"), status.as("status"), col("body"))
                .select(col("key"), col("date"), col("unit"), when(col("key").isNotNull(), outcome(col("status"), col("body"))).as("image"),
                        col("target"), col("status"), col("body"))
                .withColumn("reached", isReached);
    }

    /** Returns the capture that holds for each URL, and the number of captures; the key is null for captures that name no site. */
    Dataset<Row> newest(Dataset<Row> captures) {
        Column isRepeated = col("key").isNotNull().and(col("captures").gt(1));
        Column isVague = isRepeated.and(col("dated").lt(col("captures")));
        Column vague = raise_error(concat(col("key"), lit(" has "), col("captures").cast("string"), lit(" captures, "),
                col("captures").minus(col("dated")).cast("string"),
                lit(" without a date, so that any could be the newest: add dates, or keep one of them")));
        Column isMixed = isRepeated.and(col("first_unit").notEqual(col("last_unit")));
        Column mixed = raise_error(concat(col("key"),
                lit(" has captures whose dates are not of one unit: pass all in seconds, or as timestamps or text")));
        Dataset<Row> newest = compiled(captures)
                .select(col("key"), col("date"), col("unit"), struct(col("reached"), col("date"), col("image"), col("target")).as("capture"))
                .groupBy("key").agg(max(col("capture")).as("capture"), count(col("date")).as("dated"), count(lit(1)).as("captures"),
                        min(col("unit")).as("first_unit"), max(col("unit")).as("last_unit"))
                .select(col("key"), when(isVague, vague.cast("bigint")).when(isMixed, mixed.cast("bigint")).otherwise(col("captures")).as("captures"),
                        when(isVague, vague.cast("binary")).when(isMixed, mixed.cast("binary")).otherwise(col("capture.image")).as("image"),
                        col("capture.target").as("target"));
        return RobotsFilter.has(captures, "target") ? newest : newest.drop("target");
    }

    /**
     * Returns a row with what the captures are, in the columns of {@link RobotsFilter#counts}. Bodies are examined by lint.
     */
    Dataset<Row> counted(Dataset<Row> captures) {
        Column isFile = col("status").between(200, 299).and(col("reached"));
        Dataset<Row> ofDates = compiled(captures).withColumn("doubt", when(isFile, call("doubt", col("body"))))
                .groupBy("key", "reached", "date")
                .agg(count(lit(1)).as("rows"), max(struct(col("image"), col("target"), col("doubt"))).as("last"),
                        min(struct(col("image"), col("target"))).as("first"))
                .withColumn("tie", not(struct(col("last.image"), col("last.target")).eqNullSafe(col("first"))));
        Dataset<Row> ofKeys = ofDates.groupBy("key")
                .agg(sum(col("rows")).as("rows"), max(col("date")).as("newest"),
                        max(struct(col("reached"), col("date"), col("tie"), col("last"))).as("held"));
        Column isSite = col("key").rlike(Capture.ROBOTS_URL);
        // A page that a redirect leads to is the file of a site, too.
        Dataset<Row> targets = ofKeys.select(col("held.last.target").as("to")).distinct();
        Column isRead = isSite.or(col("to").isNotNull());
        Column isFileHeld = isRead.and(col("held.last.target").isNull());
        Dataset<Row> rows = ofKeys.join(targets, col("key").equalTo(col("to")), "left").agg(
                number(lit(true), col("rows")).as("captures"),
                number(col("key").isNotNull(), col("rows").minus(1)).as("repeated"),
                number(col("key").isNull(), col("rows")).as("unusable"),
                number(not(isSite), col("rows")).as("other_pages"),
                number(isSite, lit(1L)).as("known"),
                number(isRead.and(col("held.reached")).and(col("held.date").lt(col("newest"))), lit(1L)).as("after_outage"),
                number(isRead.and(col("held.tie")), lit(1L)).as("ties"),
                number(isFileHeld.and(col("held.last.doubt").equalTo("no_group")), lit(1L)).as("without_group"),
                number(isFileHeld.and(col("held.last.doubt").equalTo("damaged")), lit(1L)).as("damaged"));
        Dataset<Row> sites = images(newest(captures)).agg(count(lit(1)).as("sites"),
                number(call("answer", col("image"), lit("/")).equalTo("unreachable"), lit(1L)).as("unreachable"),
                number(call("verdict", col("image"), lit("/")).getField("reason").equalTo("ALLOW_ALL"), lit(1L)).as("without_file"));
        return sites.crossJoin(rows).withColumn("redirects_lost", col("known").minus(col("sites"))).select("sites", "unreachable",
                "without_file", "captures", "repeated", "unusable", "other_pages", "redirects_lost", "after_outage", "ties", "without_group",
                "damaged");
    }

    /** Returns an aggregate: the sum of the numbers of the rows that a condition selects. */
    private static Column number(Column condition, Column numbers) {
        return coalesce(sum(when(condition, numbers)), lit(0L));
    }

    /** Returns a column of an aggregate: the numbers of captures, such as {@code captures=9 unusable=1 other_pages=2}. */
    static Column counts() {
        return concat(lit("captures="), total(lit(true)), lit(" unusable="), total(col("key").isNull()),
                lit(" other_pages="), total(col("key").isNotNull().and(isOther())));
    }

    private static Column total(Column condition) {
        return number(condition, col("captures")).cast("string");
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
