package io.github.librobots.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.when;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Observation;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A job that filters a table of URLs by captures of robots.txt:
 *
 * <pre>
 * spark-submit --class io.github.librobots.spark.FilterJob librobots-spark-all.jar --urls urls/ --robots robotstxt/ \
 *     --agent ExampleBot --on-missing allow --out allowed/
 * </pre>
 *
 * <p>It reads the files of {@code --urls} in batches, and writes the allowed URLs of each to a folder of {@code --out}, as Parquet, with
 * counters. Started again with the same arguments, it goes on after the last complete batch. {@code --help} lists the options.
 */
public final class FilterJob {
    private static final String[] ANSWERS = {"allowed", "disallowed", "unreachable", "no_capture", "bad_url"};

    private final SparkSession session;
    private final FilterOptions options;
    private final PrintStream out;

    FilterJob(SparkSession session, FilterOptions options, PrintStream out) {
        this.session = session;
        this.options = options;
        this.out = out;
    }

    /**
     * Runs the job.
     *
     * @param arguments the options
     * @throws IOException if a file cannot be read or written
     */
    public static void main(String[] arguments) throws IOException {
        if (Arrays.asList(arguments).contains("--help")) {
            System.out.print(FilterOptions.HELP);
            return;
        }
        FilterOptions options;
        try {
            options = FilterOptions.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println("FilterJob: " + e.getMessage());
            System.exit(2);
            return;
        }
        SparkSession session = SparkSession.builder().appName("librobots filter").getOrCreate();
        try {
            new FilterJob(session, options, System.out).run();
        } finally {
            session.stop();
        }
    }

    /** Runs all batches that are not complete; returns the counters of all. */
    Map<String, Long> run() throws IOException {
        String[] files = urls(options.urls()).inputFiles();
        if (files.length == 0) {
            throw new IllegalArgumentException("no files at " + options.urls());
        }
        Arrays.sort(files);
        List<String[]> batches = new ArrayList<>();
        for (int i = 0; i < files.length; i += options.batchFiles()) {
            batches.add(Arrays.copyOfRange(files, i, Math.min(i + options.batchFiles(), files.length)));
        }
        JobFolder folder = new JobFolder(session, options.out());
        folder.claim(options.settings(), files);

        RobotsFilter filter = RobotsFilter.forAgent(options.agent()).options(options.options()).urlColumn(options.urlColumn())
                .broadcastBytes(options.broadcastBytes());
        RobotsFilter.requireNoAnswers(urls(files[0]));
        Dataset<Row> images = images(folder, filter);
        long imageBytes = RobotsFilter.bytes(images);
        out.printf("%d sites, %.1f MB of images, %d batches of %d files%n", images.count(), imageBytes / 1e6, batches.size(), files.length);

        Counters total = new Counters();
        long start = System.nanoTime();
        long newRows = 0;
        for (int i = 0; i < batches.size(); i++) {
            Counters counters = folder.counters(i);
            String state = "already written";
            if (counters == null) {
                counters = batch(folder, filter, images, imageBytes, i, batches.get(i));
                newRows += counters.total();
                state = String.format("%.0f URLs/s", newRows / ((System.nanoTime() - start) / 1e9));
            }
            total.add(counters);
            out.printf("batch %d of %d: %s; so far %s%n", i + 1, batches.size(), state, total);
        }
        folder.complete(total);
        out.println("done: " + total);
        return total.map();
    }

    /** Compiles the captures once; a later run reads what the first one wrote. */
    private Dataset<Row> images(JobFolder folder, RobotsFilter filter) throws IOException {
        Captures reader = filter.reader(session);
        String newest = folder.capturesPath();
        if (!folder.isWritten(newest)) {
            Dataset<Row> captures = captures();
            if (captures.isEmpty()) {
                throw new IllegalArgumentException("--robots " + options.robots() + " holds no capture: without any, --on-missing alone"
                        + " would decide on every URL");
            }
            reader.newest(captures).write().mode("overwrite").parquet(newest);
        }
        out.println(session.read().parquet(newest).agg(Captures.counts()).collectAsList().get(0).getString(0));
        String path = folder.imagesPath();
        if (!folder.isWritten(path)) {
            reader.images(session.read().parquet(newest)).write().mode("overwrite").parquet(path);
        }
        return session.read().parquet(path);
    }

    private Dataset<Row> captures() {
        if (options.robotsFormat().equals("warc")) {
            return session.read().format(WarcSource.class.getName()).option("max_bytes", options.maxBytes())
                    .option("on_damage", options.onDamage()).load(options.robots());
        }
        return session.read().format(options.robotsFormat()).load(options.robots());
    }

    private Dataset<Row> urls(String... paths) {
        Dataset<Row> read = session.read().format(options.urlsFormat()).load(paths);
        return options.urlsFormat().equals("text") ? read.withColumnRenamed("value", options.urlColumn()) : read;
    }

    private Counters batch(JobFolder folder, RobotsFilter filter, Dataset<Row> images, long imageBytes, int number, String[] files)
            throws IOException {
        Observation observation = new Observation();
        Dataset<Row> answers = filter.answers(urls(files), images, imageBytes);
        Dataset<Row> counted = answers.observe(observation, counter(ANSWERS[0]), counter(ANSWERS[1]), counter(ANSWERS[2]),
                counter(ANSWERS[3]), counter(ANSWERS[4]));
        Dataset<Row> kept = options.keepsAll() ? counted
                : counted.where(RobotsFilter.kept("robots", options.onMissing())).drop("robots");
        kept.write().mode("overwrite").parquet(folder.batchPath(number));
        Counters counters = new Counters();
        try {
            observation.getAsJava().forEach((name, value) -> counters.set(name, ((Number) value).longValue()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        folder.write(number, counters);
        return counters;
    }

    private static org.apache.spark.sql.Column counter(String answer) {
        return count(when(col("robots").equalTo(answer), lit(1))).as(answer);
    }
}
