package io.github.librobots.spark;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.call_function;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.count_distinct;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.length;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.lower;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.pmod;
import static org.apache.spark.sql.functions.raise_error;
import static org.apache.spark.sql.functions.sequence;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.when;
import static org.apache.spark.sql.functions.xxhash64;

import java.util.Locale;
import java.util.Objects;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;

/**
 * Filters a table of URLs by a table of captures of robots.txt:
 *
 * <pre>{@code
 * Dataset<Row> captures = spark.read().format("robots_warc").load("robotstxt/");
 * Dataset<Row> allowed = RobotsFilter.filter(urls, captures, "ExampleBot", OnMissing.ALLOW);
 * }</pre>
 *
 * <p>The join is a broadcast if the images of all sites fit ({@link #broadcastBytes}), else a shuffle, in which sites with very many
 * URLs are spread over several tasks ({@link #skewRows}). Immutable: each setting returns a new filter.
 */
public final class RobotsFilter {
    private static final String ORIGIN = "__robots_origin";
    private static final String IMAGE = "__robots_image";
    private static final String KEY = "__robots_key";
    private static final String SALT = "__robots_salt";
    /** The tasks that share a site with very many URLs. */
    private static final int SALTS = 64;
    /** The sites that can be spread; a site beyond them has few URLs. */
    private static final int MOST_SKEWED = 1000;
    /** The share of the URLs that is counted to find them. */
    private static final double SAMPLE = 0.01;
    /** What a row of a broadcast table takes besides its bytes. */
    private static final int ROW_BYTES = 64;

    private final String agent;
    private final String options;
    private final String urlColumn;
    private final long broadcastBytes;
    private final long skewRows;

    private RobotsFilter(String agent, String options, String urlColumn, long broadcastBytes, long skewRows) {
        this.agent = agent;
        this.options = options;
        this.urlColumn = urlColumn;
        this.broadcastBytes = broadcastBytes;
        this.skewRows = skewRows;
    }

    /**
     * Returns a filter for a crawler.
     *
     * @param agent the product tokens of the crawler, separated by commas
     * @return the filter
     * @throws IllegalArgumentException if the agent is not valid
     */
    public static RobotsFilter forAgent(String agent) {
        Crawlers.make(agent, "");
        return new RobotsFilter(agent, "", "url", 256L << 20, 1_000_000);
    }

    /**
     * Sets options of the crawler, such as {@code dialect=google}.
     *
     * @param newOptions the options, as for {@code robots.compile}
     * @return a new filter
     * @throws IllegalArgumentException if the options are not valid
     */
    public RobotsFilter options(String newOptions) {
        Crawlers.make(agent, newOptions);
        return new RobotsFilter(agent, newOptions, urlColumn, broadcastBytes, skewRows);
    }

    /**
     * Sets the name of the column of URLs.
     *
     * @param name the name; default: {@code url}
     * @return a new filter
     */
    public RobotsFilter urlColumn(String name) {
        return new RobotsFilter(agent, options, Objects.requireNonNull(name, "name"), broadcastBytes, skewRows);
    }

    /**
     * Sets the size up to which all images are sent to every executor.
     *
     * @param bytes the size; default: 256 MiB; 0: always shuffle
     * @return a new filter
     */
    public RobotsFilter broadcastBytes(long bytes) {
        return new RobotsFilter(agent, options, urlColumn, bytes, skewRows);
    }

    /**
     * Sets the number of URLs from which on a site is spread over several tasks of a shuffle.
     *
     * @param rows the number, estimated from a sample; default: 1,000,000
     * @return a new filter
     */
    public RobotsFilter skewRows(long rows) {
        return new RobotsFilter(agent, options, urlColumn, broadcastBytes, rows);
    }

    /**
     * Returns the URLs that a crawler may fetch, in one call.
     *
     * @param urls a table with a column {@code url}
     * @param captures the captures, as for {@link #images}
     * @param agent the product tokens of the crawler, separated by commas
     * @param onMissing what holds for sites without a capture
     * @return the rows of {@code urls} that are allowed
     */
    public static Dataset<Row> filter(Dataset<Row> urls, Dataset<Row> captures, String agent, OnMissing onMissing) {
        return forAgent(agent).allowed(urls, captures, onMissing);
    }

    /**
     * Returns the URLs that the crawler may fetch.
     *
     * @param urls a table with a column of URLs
     * @param captures the captures, or the images, as for {@link #answers}
     * @param onMissing what holds for sites without a capture
     * @return the rows of {@code urls} that are allowed
     */
    public Dataset<Row> allowed(Dataset<Row> urls, Dataset<Row> captures, OnMissing onMissing) {
        return answers(urls, captures).where(kept("robots", onMissing)).drop("robots");
    }

    /** Returns whether a row with an answer is kept. */
    static Column kept(String column, OnMissing onMissing) {
        Column allowed = col(column).equalTo("allowed");
        return Objects.requireNonNull(onMissing, "onMissing") == OnMissing.ALLOW
                ? allowed.or(col(column).equalTo("no_capture")) : allowed;
    }

    /**
     * Adds a column {@code robots} to a table of URLs: {@code allowed}, {@code disallowed}, {@code unreachable} (no ban: keep the URL
     * and check it again later), {@code no_capture} or {@code bad_url}.
     *
     * <p>Images are made at once, to know their size, and kept ({@link Dataset#persist}) until
     * {@code spark.catalog().clearCache()}. If you write the table of {@link #images} yourself and pass it, nothing is kept.
     *
     * @param urls a table with a column of URLs
     * @param captures the captures, as for {@link #images}; or images, with the columns {@code origin} and {@code image}
     * @return the rows of {@code urls} with one more column
     */
    public Dataset<Row> answers(Dataset<Row> urls, Dataset<Row> captures) {
        requireNoAnswers(urls);
        boolean isCompiled = has(captures, "image") && has(captures, "origin");
        if (isCompiled && has(captures, "agent")) {
            requireAgent(captures);
        }
        Dataset<Row> images = isCompiled ? captures : images(captures).persist(StorageLevel.MEMORY_AND_DISK());
        return answers(urls, images, bytes(images));
    }

    /** Refuses images that name another crawler, as the tables of the Python package do. */
    private void requireAgent(Dataset<Row> images) {
        if (options.contains("preset")) {
            return; // the tokens of a preset are those of its operator
        }
        Column other = lower(col("agent")).notEqual(agent.replaceAll("\\s", "").toLowerCase(Locale.ROOT));
        for (Row row : images.where(other).select("agent").limit(1).collectAsList()) {
            throw new IllegalArgumentException("the images were compiled for " + row.get(0) + ", not for " + agent);
        }
    }

    /** Refuses a table of URLs that has the column of answers already. */
    static void requireNoAnswers(Dataset<Row> urls) {
        if (has(urls, "robots")) {
            throw new IllegalArgumentException("the table of URLs has a column 'robots', which is the name of the answers: rename it");
        }
    }

    /**
     * Returns the memory that a table of images takes in a broadcast.
     *
     * @throws IllegalArgumentException if the table is empty, a row names no site, or two rows name the same
     */
    static long bytes(Dataset<Row> images) {
        Column size = coalesce(length(col("image")), lit(0)).plus(length(col("origin"))).plus(lit(ROW_BYTES));
        Column key = call_function(catalog(images.sparkSession()) + ".origin", col("origin"));
        Row row = images.agg(count(lit(1)), count(key), count_distinct(key), coalesce(sum(size), lit(0L)),
                max(when(key.isNull(), col("origin")))).collectAsList().get(0);
        long rows = row.getLong(0);
        if (rows == 0) {
            throw new IllegalArgumentException("the table of images is empty: without any, OnMissing alone would decide on every URL");
        }
        if (rows > row.getLong(1)) {
            throw new IllegalArgumentException((rows - row.getLong(1)) + " of " + rows + " images name no site, such as '" + row.get(4)
                    + "': an origin is a URL such as https://example.com");
        }
        if (rows > row.getLong(2)) {
            throw new IllegalArgumentException("the table has " + rows + " images of " + row.getLong(2) + " sites: keep one of each site");
        }
        return row.getLong(3);
    }

    /** Adds the column of answers; the caller knows the size of the images. */
    Dataset<Row> answers(Dataset<Row> urls, Dataset<Row> images, long imageBytes) {
        String catalog = catalog(urls.sparkSession());
        Column url = urls.col(urlColumn);
        Dataset<Row> left = urls.withColumn(ORIGIN, call_function(catalog + ".origin", url));
        // Each image is validated once, before it meets the URLs.
        Column valid = when(call_function(catalog + ".is_valid", col("image")), col("image")).otherwise(
                raise_error(lit("the table of images has a damaged one: compile it again")).cast("binary"));
        Dataset<Row> right = images.select(call_function(catalog + ".origin", col("origin")).as(KEY), when(col("image").isNotNull(), valid).as(IMAGE));
        Dataset<Row> joined;
        if (imageBytes <= broadcastBytes) {
            joined = left.join(broadcast(right), col(ORIGIN).equalTo(col(KEY)), "left");
        } else {
            joined = shuffled(left, right, url);
        }
        Column answer = when(col(ORIGIN).isNull(), lit("bad_url")).when(col(IMAGE).isNull(), lit("no_capture"))
                .otherwise(call_function(catalog + ".answer", col(IMAGE), col(urlColumn)));
        return joined.withColumn("robots", answer).drop(ORIGIN, IMAGE, KEY, SALT);
    }

    /** Joins by a shuffle. Rows of sites with very many URLs, and rows without a site, have one of several salts. */
    private Dataset<Row> shuffled(Dataset<Row> left, Dataset<Row> right, Column url) {
        Object[] skewed = left.sample(false, SAMPLE, 1).groupBy(ORIGIN).agg(count(lit(1)).as("n"))
                .where(col("n").geq(Math.max(2, (long) (skewRows * SAMPLE))).and(col(ORIGIN).isNotNull()))
                .orderBy(col("n").desc()).limit(MOST_SKEWED).collectAsList().stream().map(row -> row.getString(0)).toArray();
        Column spread = pmod(xxhash64(url), lit((long) SALTS)).cast("int");
        Dataset<Row> salted = left.withColumn(SALT,
                when(col(ORIGIN).isNull().or(col(ORIGIN).isin(skewed)), spread).otherwise(lit(0)));
        Dataset<Row> copied = right.withColumn("__robots_copy", explode(
                when(col(KEY).isin(skewed), sequence(lit(0), lit(SALTS - 1))).otherwise(array(lit(0)))));
        return salted.join(copied.hint("merge"),
                col(ORIGIN).equalTo(col(KEY)).and(col(SALT).equalTo(col("__robots_copy"))), "left").drop("__robots_copy");
    }

    /**
     * Returns the image that decides for each site: of its newest capture; of an older file, if the site was unreachable later
     * (SPEC 11.4). The captures may be those of {@link WarcSource}, or a table with these columns:
     *
     * <ul>
     *   <li>{@code url}: the URL of the robots.txt, or {@code origin}: the site, such as {@code https://example.com}. Of both,
     *       {@code origin} has priority where it has a value; with the path of a page it is an error;
     *   <li>{@code status} INT: null if there was no response; {@code body} BINARY or STRING;
     *   <li>{@code date}: a timestamp, a date, a number, or text of ISO 8601. Several captures of a site are an error if one has no date,
     *       or if the dates have different units;
     *   <li>{@code failure} STRING: null if there was a whole response;
     *   <li>{@code target} STRING: the absolute URL that a redirect names. As many redirects in a row as row 2.2 says are followed
     *       to other captures (SPEC 11.7). Without it a redirect counts as unreachable (SPEC 2.16).
     * </ul>
     *
     * <p>Captures that name no site are ignored: a host without a scheme is the name of two sites. If no capture names one, to read the
     * table is an error.
     *
     * @param captures the captures
     * @return a table with the columns {@code origin} and {@code image}
     */
    public Dataset<Row> images(Dataset<Row> captures) {
        Captures reader = reader(captures.sparkSession());
        return reader.images(reader.newest(captures));
    }

    /**
     * Counts what the captures are: a mistake in a table of captures usually shows here. The counts are those of {@code SiteCounts} of the
     * Python package: {@code sites} with rules, and of them {@code unreachable} and {@code without_file} (a response such as 404, which
     * allows all); {@code captures}; {@code repeated}; {@code unusable} (they name no site); {@code other_pages}; and sites that are
     * {@code redirects_lost} (a redirect that leads to no capture), {@code after_outage} (an older file decides, SPEC 11.4),
     * {@code ties}, {@code without_group} and {@code damaged} ({@code robots.doubt} finds their bodies). All bodies are examined, which takes
     * much longer than to compile them.
     *
     * @param captures the captures, as for {@link #images}
     * @return a table of one row
     */
    public Dataset<Row> counts(Dataset<Row> captures) {
        return reader(captures.sparkSession()).counted(captures);
    }

    /** Returns what makes images of captures. */
    Captures reader(SparkSession session) {
        return new Captures(catalog(session), agent, options);
    }

    /** Returns whether a table has a column. */
    static boolean has(Dataset<Row> table, String column) {
        for (String name : table.columns()) {
            if (name.toLowerCase(Locale.ROOT).equals(column)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the name of the catalog of functions, which is registered if it is not yet. */
    private static String catalog(SparkSession session) {
        String own = RobotsCatalog.class.getName();
        for (String name : new String[] {"robots", "librobots"}) {
            String key = "spark.sql.catalog." + name;
            String set = session.conf().get(key, "");
            if (set.isEmpty()) {
                session.conf().set(key, own);
            }
            if (set.isEmpty() || set.equals(own)) {
                return name;
            }
        }
        throw new IllegalStateException("the catalogs robots and librobots are of other classes: set spark.sql.catalog.librobots to " + own);
    }
}
