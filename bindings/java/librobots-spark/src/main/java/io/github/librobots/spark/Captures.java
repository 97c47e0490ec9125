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
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.try_to_timestamp;
import static org.apache.spark.sql.functions.when;

import io.github.librobots.Crawler;
import io.github.librobots.Fetch;
import io.github.librobots.Outcome;
import io.github.librobots.Rules;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;

/** Compiles captures and chooses the one that decides for each site (SPEC 11). */
final class Captures {
    /** Any site: neither it nor the time changes what a response means. */
    private static final String ANY_URL = "https://example.com/";
    private static final Instant ANY_TIME = Instant.ofEpochSecond(1_800_000_000);
    /** The days after which no crawler uses a copy that it must verify. */
    private static final int LONG = 200 * 365;
    /** The seconds since 1970 of 1993 and of 2100. */
    private static final double[] YEARS = {725_846_400, 4_102_444_800.0 - 1};

    private final String catalog;
    private final String agent;
    private final String options;
    /** The redirects in a row that are followed. */
    private final int hops;
    /** The images of redirects that do not end, and of one that leads nowhere. */
    private final byte[] endless;
    private final byte[] nowhere;
    /** Whether an outage leaves older rules in use. */
    private final boolean keepsCopy;

    Captures(String catalog, String agent, String options) {
        this.catalog = catalog;
        this.agent = agent;
        this.options = options;
        Crawler crawler = Crawlers.make(agent, options);
        Outcome loop = redirected(crawler, "/robots.txt");
        hops = loop.hops();
        endless = image(loop);
        nowhere = image(redirected(crawler, ""));
        Outcome file = crawler.outcomeOf(ANY_URL, 200, new byte[0], ANY_TIME);
        try (Fetch fetch = Fetch.begin(ANY_URL, ANY_TIME, crawler)) {
            fetch.setPrevious(file);
            fetch.fail(Fetch.Failure.DNS, ANY_TIME.plus(LONG, ChronoUnit.DAYS));
            keepsCopy = fetch.outcome().kind() == Outcome.Kind.RULES;
        }
    }

    /** Returns the outcome of redirects that all have this location. */
    private static Outcome redirected(Crawler crawler, String location) {
        try (Fetch fetch = Fetch.begin(ANY_URL, ANY_TIME, crawler)) {
            while (fetch.step() != Fetch.Step.DONE) {
                fetch.status(301, ANY_TIME);
                fetch.header("Location", location);
                fetch.headersEnd();
            }
            return fetch.outcome();
        }
    }

    private static byte[] image(Outcome outcome) {
        Rules rules = outcome.rules();
        try {
            return rules.image();
        } finally {
            rules.close();
        }
    }

    private Column call(String function, Column... arguments) {
        return call_function(catalog + "." + function, arguments);
    }

    private Column outcome(Column status, Column body) {
        return call("outcome", lit(agent), status, body, lit(options));
    }

    /** Returns the form to send of the URL that a row is a capture of; null if the row names none. */
    private Column key(Dataset<Row> captures) {
        Column byUrl = RobotsFilter.has(captures, "url") ? call("url_to_send", col("url")) : null;
        Column byOrigin = null;
        if (RobotsFilter.has(captures, "origin")) {
            // The response to a page says nothing about the robots.txt of its site.
            Column form = call("url_to_send", col("origin"));
            Column robots = call("robots_url", form);
            Column ofPage = raise_error(concat(lit("the origin '"), col("origin"),
                    lit("' has a path: pass origins such as https://example.com, and URLs as url"))).cast("string");
            byOrigin = when(form.equalTo(robots).or(concat(form, lit("robots.txt")).equalTo(robots)), robots).when(form.isNotNull(), ofPage);
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
        Column isNowhere = lit(false);
        if (RobotsFilter.has(captures, "target")) {
            Column to = when(status.between(300, 399).and(status.notEqual(304)), col("target"));
            isNowhere = coalesce(to.equalTo(""), lit(false));
            target = call("url_to_send", to);
        }
        // Images are small and bodies are large: compile before the shuffle.
        Column image = when(col("nowhere"), lit(nowhere)).otherwise(outcome(col("status"), col("body")));
        Column isReached = not(col("nowhere")).and(call("answer", col("image"), lit("/")).notEqual("unreachable"));
        Column isAnswer = keepsCopy ? col("target").isNotNull().or(isReached) : lit(true);
        return captures
                .select(key(captures).as("key"), date.as("date"), unit.as("unit"), target.as("target"), isNowhere.as("nowhere"),
                        status.as("status"), col("body"))
                .withColumn("image", when(col("key").isNotNull(), image))
                .withColumn("is_answer", isAnswer);
    }

    /** Returns an aggregate: the last of the answers or of the outages. */
    private static Column last(boolean isAnswer, Column capture) {
        return max(when(isAnswer ? col("is_answer") : not(col("is_answer")), capture)).as(isAnswer ? "answer" : "outage");
    }

    /** Returns whether the last outage decides: there is no answer, or it came later and the answer is no file (SPEC 11.4). */
    private Column isOutageHeld(Column image, Column target) {
        Column isSiteWide = call("verdict", image, lit("/")).getField("reason").isin("ALLOW_ALL", "DISALLOW_ALL");
        Column isLater = col("outage.date").gt(col("answer.date"));
        return col("answer").isNull().or(isLater.and(target.isNull()).and(isSiteWide));
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
        Column capture = struct(col("date"), col("image"), col("target"));
        Column held = when(isOutageHeld(col("answer.image"), col("answer.target")), col("outage")).otherwise(col("answer"));
        Dataset<Row> newest = compiled(captures).groupBy("key")
                .agg(last(true, capture), last(false, capture), count(col("date")).as("dated"), count(lit(1)).as("captures"),
                        min(col("unit")).as("first_unit"), max(col("unit")).as("last_unit"))
                .withColumn("held", held)
                .select(col("key"), when(isVague, vague.cast("bigint")).when(isMixed, mixed.cast("bigint")).otherwise(col("captures")).as("captures"),
                        when(isVague, vague.cast("binary")).when(isMixed, mixed.cast("binary")).otherwise(col("held.image")).as("image"),
                        col("held.target").as("target"));
        return RobotsFilter.has(captures, "target") ? newest : newest.drop("target");
    }

    /**
     * Returns a row with what the captures are, in the columns of {@link RobotsFilter#counts}. Bodies are examined by lint.
     */
    Dataset<Row> counted(Dataset<Row> captures) {
        Column isFile = col("status").between(200, 299).and(call("answer", col("image"), lit("/")).notEqual("unreachable"));
        Dataset<Row> ofDates = compiled(captures).withColumn("doubt", when(isFile, call("doubt", col("body"))))
                .groupBy("key", "is_answer", "date")
                .agg(count(lit(1)).as("rows"), max(struct(col("image"), col("target"), col("doubt"))).as("last"),
                        min(struct(col("image"), col("target"))).as("first"))
                .withColumn("tie", not(struct(col("last.image"), col("last.target")).eqNullSafe(col("first"))));
        Column capture = struct(col("date"), col("tie"), col("last"));
        Column isOutage = isOutageHeld(col("answer.last.image"), col("answer.last.target"));
        Dataset<Row> ofKeys = ofDates.groupBy("key").agg(sum(col("rows")).as("rows"), last(true, capture), last(false, capture))
                .withColumn("held", when(isOutage, col("outage")).otherwise(col("answer")));
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
                number(isRead.and(col("held.date").lt(col("outage.date"))), lit(1L)).as("after_outage"),
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
        Dataset<Row> walk = sites.where(col("target").isNotNull()).select(col("key"), col("target").as("at"));
        Dataset<Row> moves = newest.where(col("target").isNotNull()).select(col("key").as("from"), col("target").as("to"));
        for (int hop = 1; hop < hops; hop++) {
            walk = walk.join(moves, col("at").equalTo(col("from")), "left").select(col("key"), coalesce(col("to"), col("at")).as("at"));
        }
        Column isEndless = hops == 0 ? lit(true) : col("target").isNotNull();
        Dataset<Row> ends = newest.where(col("key").isNotNull()).select(col("key").as("end"), col("image"), col("target"));
        return walk.join(ends, col("at").equalTo(col("end")), hops == 0 ? "left" : "inner")
                .select(col("key"), when(isEndless, lit(endless)).otherwise(col("image")).as("image"));
    }
}
