package io.github.librobots.spark;

import static org.apache.spark.sql.functions.col;

import com.sun.management.OperatingSystemMXBean;
import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.SimpleRobotRulesParser;
import io.github.librobots.Rules;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The benchmark: `make bench-spark`. See bench/run for its arguments. */
public final class Bench {
    private static final String AGENT = "ExampleBot";
    private static final int BUCKETS = 16;
    private static final double CRAWL_SITES = 40e6;
    private static final double CRAWL_URLS = 3e9;
    /** What users of crawler-commons do: parsed rules in a static map. */
    private static final Map<String, BaseRobotRules> PARSED = new ConcurrentHashMap<>();
    private static final String[] WORDS = {"search", "cart", "admin", "user", "login", "tag", "feed", "wp-content", "images", "print",
        "archive", "api", "private", "tmp", "category", "product", "review", "node", "page", "static"};

    private static final OperatingSystemMXBean CPU = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final SparkSession session;
    private final String folder;

    private Bench(SparkSession session, String folder) {
        this.session = session;
        this.folder = folder;
    }

    /**
     * Runs a part of the benchmark.
     *
     * @param arguments FOLDER make ROWS ORIGINS, FOLDER compare ROUNDS STATEMENTS, or FOLDER serve
     * @throws IOException if a file cannot be read
     */
    public static void main(String[] arguments) throws IOException {
        SparkSession session = SparkSession.builder().appName("librobots bench").getOrCreate();
        session.conf().set("spark.sql.catalog.robots", RobotsCatalog.class.getName());
        session.conf().set("spark.sql.adaptive.enabled", "false");
        session.conf().set("spark.sql.legacy.bucketedTableScan.outputOrdering", "true");
        session.sparkContext().setLogLevel("ERROR");
        Bench bench = new Bench(session, arguments[0]);
        switch (arguments[1]) {
            case "make":
                bench.make(Long.parseLong(arguments[2]), Integer.parseInt(arguments[3]));
                break;
            case "compare":
                bench.compare(Integer.parseInt(arguments[2]), arguments[3]);
                break;
            default:
                bench.serve();
        }
        session.stop();
    }

    private static String path(Random random) {
        StringBuilder path = new StringBuilder();
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            path.append('/').append(WORDS[random.nextInt(WORDS.length)]);
        }
        return path.toString();
    }

    /** Returns a file of about the size of real ones: half have fewer than 15 rules, some have hundreds. */
    private static byte[] file(int site) {
        Random random = new Random(site);
        StringBuilder text = new StringBuilder("# robots.txt\nUser-agent: *\n");
        int rules = (int) Math.min(500, Math.exp(random.nextGaussian() * 1.2 + 2.7));
        for (int i = 0; i < rules; i++) {
            text.append(random.nextInt(6) == 0 ? "Allow: " : "Disallow: ");
            text.append(random.nextInt(8) == 0 ? "/*" : "").append(path(random)).append(random.nextBoolean() ? "/" : "").append('\n');
        }
        return text.append("\nUser-agent: BadBot\nDisallow: /\n\nSitemap: https://www.site").append(site)
                .append(".example/sitemap.xml\n").toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static String origin(int site) {
        return "https://www.site" + site + ".example";
    }

    /** Writes URLs in random order, and the robots.txt of each site with its image. ROBOTS_CORPUS: a folder of real files. */
    private void make(long rows, int sites) throws IOException {
        session.udf().register("bench_url", (UDF1<Long, String>) id -> {
            Random random = new Random(id);
            return origin(random.nextInt(sites)) + path(random) + "/" + Integer.toHexString(random.nextInt()) + ".html"
                    + (random.nextInt(4) == 0 ? "?page=" + random.nextInt(100) : "");
        }, DataTypes.StringType);
        Dataset<Row> urls = session.range(0, rows, 1, 16).selectExpr("bench_url(id) AS url")
                .selectExpr("url", "robots.origin(url) AS origin");
        urls.write().mode("overwrite").parquet(folder + "/urls");
        urls.limit(0).write().mode("overwrite").parquet(folder + "/none");
        Dataset<Row> one = session.read().parquet(folder + "/urls");
        Dataset<Row> four = one.union(one).union(one).union(one);
        four.write().mode("overwrite").parquet(folder + "/four");
        // In runs of a site.
        four.repartitionByRange(BUCKETS, col("origin")).sortWithinPartitions("origin").write().mode("overwrite").parquet(folder + "/sorted");
        bucket(four, "buckets");
        List<byte[]> corpus = corpus();
        List<Row> files = new ArrayList<>();
        for (int site = 0; site < sites; site++) {
            files.add(RowFactory.create(origin(site), corpus.isEmpty() ? file(site) : corpus.get(site % corpus.size())));
        }
        session.createDataFrame(files, new StructType().add("origin", DataTypes.StringType).add("body", DataTypes.BinaryType))
                .createOrReplaceTempView("files");
        Dataset<Row> sitesTable = session.sql("SELECT origin, body, robots.compile('" + AGENT + "', body) AS image FROM files");
        sitesTable.repartition(4).write().mode("overwrite").parquet(folder + "/sites");
        bucket(session.read().parquet(folder + "/sites"), "bucketed-sites");
    }

    /** Writes a table with one sorted file for each bucket of sites: tables of the same buckets join without a shuffle. */
    private void bucket(Dataset<Row> table, String name) {
        session.sql("DROP TABLE IF EXISTS bucketed");
        table.repartition(BUCKETS, col("origin")).write().mode("overwrite").bucketBy(BUCKETS, "origin").sortBy("origin")
                .option("path", folder + "/" + name).saveAsTable("bucketed");
    }

    /** Makes a view of a table that {@link #bucket} wrote. */
    private void bucketed(String name, String view) {
        String columns = session.read().parquet(folder + "/" + name).schema().toDDL();
        session.sql("DROP TABLE IF EXISTS " + view + "_bucketed");
        session.sql("CREATE TABLE " + view + "_bucketed (" + columns + ") USING parquet CLUSTERED BY (origin) SORTED BY (origin) INTO "
                + BUCKETS + " BUCKETS LOCATION '" + new java.io.File(folder, name).getAbsolutePath() + "'");
        session.table(view + "_bucketed").createOrReplaceTempView(view);
    }

    private static List<byte[]> corpus() throws IOException {
        String path = System.getenv("ROBOTS_CORPUS");
        if (path == null || path.isEmpty()) {
            return List.of();
        }
        List<byte[]> files = new ArrayList<>();
        try (Stream<java.nio.file.Path> all = Files.walk(Paths.get(path))) {
            for (java.nio.file.Path file : all.filter(Files::isRegularFile).sorted().collect(Collectors.toList())) {
                files.add(Files.readAllBytes(file));
            }
        }
        return files;
    }

    /** Makes the views; {@code urls} is a folder of URLs. */
    private void views(String urls) {
        session.read().parquet(folder + "/" + urls).createOrReplaceTempView("urls");
        session.read().parquet(folder + "/sites").createOrReplaceTempView("sites");
        session.udf().register("crawler_commons", (UDF3<String, byte[], String, Boolean>) (origin, body, url) -> PARSED
                .computeIfAbsent(origin, key -> new SimpleRobotRulesParser().parseContent(key + "/robots.txt", body, "text/plain",
                        Set.of(AGENT.toLowerCase(Locale.ROOT)))).isAllowed(url), DataTypes.BooleanType);
    }

    /**
     * Returns the statements by name: a join, a comma and what is done with its rows. Each reads the URL, so that the scans are the
     * same. Not count_if, which evaluates its argument twice.
     */
    private static Map<String, String> statements() {
        Map<String, String> joins = new LinkedHashMap<>();
        joins.put("join", "/*+ BROADCAST(sites) */ %s, sum(octet_length(url)) FROM urls JOIN sites ON sites.origin = robots.origin(url)");
        joins.put("stored key", "/*+ BROADCAST(sites) */ %s, sum(octet_length(url)) FROM urls JOIN sites ON sites.origin = urls.origin");
        joins.put("shuffle", "/*+ MERGE(sites) */ %s, sum(octet_length(url)) FROM urls JOIN sites ON sites.origin = urls.origin");
        Map<String, String> work = new LinkedHashMap<>();
        work.put(FLOOR, "sum(octet_length(image))");
        work.put("robots.allowed", "sum(if(robots.allowed(image, url), 1, 0))");
        work.put("robots.verdict", "sum(robots.verdict(image, url).line)");
        work.put("crawler-commons", "sum(if(crawler_commons(sites.origin, body, url), 1, 0))");
        Map<String, String> statements = new LinkedHashMap<>();
        statements.put("scan", "SELECT count(*), sum(octet_length(url)) FROM urls");
        statements.put("origin", "SELECT sum(octet_length(robots.origin(url))), sum(octet_length(url)) FROM urls");
        statements.put("compile", "SELECT sum(octet_length(robots.compile('" + AGENT + "', body))) FROM sites");
        joins.forEach((join, from) -> work.forEach(
                (what, column) -> statements.put(join + ", " + what, "SELECT " + String.format(from, column))));
        statements.put("shuffle, batches", BATCHED);
        return statements;
    }

    private static final String FLOOR = "image read";
    /** The statement that {@link #batched} stands for. */
    private static final String BATCHED = "batched";

    /** Returns the seconds of a statement on the clock, and on the processors. Other load of the machine lengthens the former. */
    private double[] seconds(String statement) {
        long cpu = CPU.getProcessCpuTime();
        long start = System.nanoTime();
        if (statement.equals(BATCHED)) {
            batched();
        } else {
            session.sql(statement).collectAsList();
        }
        return new double[] {(System.nanoTime() - start) / 1e9, (CPU.getProcessCpuTime() - cpu) / 1e9};
    }

    /** The shuffle, and then batches of the URLs of a site instead of one decision per row. */
    private long batched() {
        return session.sql("SELECT /*+ MERGE(sites) */ origin, image, url FROM urls JOIN sites USING (origin)")
                .mapPartitions((MapPartitionsFunction<Row, Long>) rows -> List.of(allowed(rows)).iterator(), Encoders.LONG())
                .collectAsList().stream().mapToLong(Long::longValue).sum();
    }

    private static long allowed(Iterator<Row> rows) {
        long allowed = 0;
        String site = null;
        byte[] image = null;
        List<String> urls = new ArrayList<>();
        while (rows.hasNext()) {
            Row row = rows.next();
            if (!row.getString(0).equals(site)) {
                allowed += allowed(image, urls);
                site = row.getString(0);
                image = row.getAs(1);
            }
            urls.add(row.getString(2));
        }
        return allowed + allowed(image, urls);
    }

    private static long allowed(byte[] image, List<String> urls) {
        if (urls.isEmpty()) {
            return 0;
        }
        Rules rules = Rules.fromImage(image);
        try {
            return rules.checkAll(urls).cardinality();
        } finally {
            rules.close();
            urls.clear();
        }
    }

    /** Runs the statements in turn, so that other load of the machine meets all of them. */
    private void compare(int rounds, String wanted) throws IOException {
        views("urls");
        long rows = session.table("urls").count();
        Map<String, Object> sizes = session.sql("SELECT count(*), avg(octet_length(body)), avg(octet_length(image)) FROM sites")
                .collectAsList().stream().findFirst().map(r -> Map.<String, Object>of("sites", r.get(0), "body", r.get(1), "image", r.get(2)))
                .orElseThrow();
        System.out.printf("%d URLs, %s sites, robots.txt %.0f bytes and image %.0f bytes on average, %s%n", rows, sizes.get("sites"),
                sizes.get("body"), sizes.get("image"), session.sparkContext().master());
        Map<String, String> statements = statements();
        statements.keySet().removeIf(name -> !name.matches(wanted));
        Map<String, double[]> times = new LinkedHashMap<>();
        Map<String, double[]> cpus = new LinkedHashMap<>();
        for (String name : statements.keySet()) {
            times.put(name, new double[rounds]);
            cpus.put(name, new double[rounds]);
        }
        for (int round = -1; round < rounds; round++) {
            for (Map.Entry<String, String> statement : statements.entrySet()) {
                double[] seconds = seconds(statement.getValue());
                if (round >= 0) { // the first round warms up
                    times.get(statement.getKey())[round] = seconds[0];
                    cpus.get(statement.getKey())[round] = seconds[1];
                }
            }
        }
        figure("with", "Spark %s, Java %d", session.version(), Runtime.version().feature());
        figure("urls", "%,d", rows);
        figure("sites", "%,d", (Long) sizes.get("sites"));
        figure("body bytes", "%,.0f", sizes.get("body"));
        figure("image bytes", "%,.0f", sizes.get("image"));
        figure("images", "%.0f MB", (Long) sizes.get("sites") * (Double) sizes.get("image") / 1e6);
        figure("crawl, images", "%.0f GB", CRAWL_SITES * (Double) sizes.get("image") / 1e9);
        System.out.printf("%-26s %9s %9s %14s %8s %8s%n", "statement", "clock s", "cpu s", "rows/cpu s", "x clock", "x cpu");
        for (String name : statements.keySet()) {
            long count = name.equals("compile") ? (Long) sizes.get("sites") : rows;
            System.out.printf("%-26s %9.2f %9.2f %14.0f %8.2f %8.2f%n", name, median(times.get(name)), median(cpus.get(name)),
                    count / median(cpus.get(name)), ratio(times, name), ratio(cpus, name));
            figure(name, "%.2f s", median(times.get(name)));
            figure(name + ", times", "%.2f x", ratio(times, name));
        }
        if (times.size() == statements().size()) {
            figure("batches", "%.2f x", median(times.get("shuffle, batches")) / median(times.get("shuffle, robots.allowed")));
            crawl("compile", median(cpus.get("compile")) / (Long) sizes.get("sites"), CRAWL_SITES);
            crawl("origin", (median(cpus.get("origin")) - median(cpus.get("scan"))) / rows, CRAWL_URLS);
            crawl("shuffle", median(cpus.get("shuffle, " + FLOOR)) / rows, CRAWL_URLS);
            crawl("allowed", (median(cpus.get("shuffle, robots.allowed")) - median(cpus.get("shuffle, " + FLOOR))) / rows, CRAWL_URLS);
        }
        if ("join, crawler-commons".matches(wanted) && "join, robots.allowed".matches(wanted)) {
            Object ours = session.sql(statements.get("join, robots.allowed")).collectAsList().get(0).get(0);
            Object theirs = session.sql(statements.get("join, crawler-commons")).collectAsList().get(0).get(0);
            System.out.println("allowed: " + ours + " by robots.allowed, " + theirs + " by crawler-commons");
        }
    }

    /** Writes the figures of a step of a large crawl. */
    private static void crawl(String step, double seconds, double count) throws IOException {
        figure("crawl, " + step, "%.2f µs", seconds * 1e6);
        figure("crawl, " + step + ", total", "%.1f hours", seconds * count / 3600);
    }

    /** Appends a figure to the file that FIGURES names, for benches/figures. */
    private static void figure(String name, String format, Object... values) throws IOException {
        if (System.getenv("FIGURES") != null) {
            String line = name + "\t" + String.format(Locale.ROOT, format, values) + "\n";
            Files.writeString(Paths.get(System.getenv("FIGURES")), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }

    /** Returns the median of the quotients of a statement and the same join that reads the image, in the same round. */
    private static double ratio(Map<String, double[]> times, String name) {
        double[] floor = times.getOrDefault(name.replaceFirst(",.*", ", " + FLOOR), times.get(name));
        double[] ratios = new double[floor.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = times.get(name)[i] / floor[i];
        }
        return median(ratios);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /**
     * Runs the statement of robots.allowed for each line of the input, which names the folder of the URLs. Prints the seconds on the
     * clock, and those of the processors in this process and its executors.
     */
    private void serve() throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        System.out.println("ready");
        for (String line = lines.readLine(); line != null && !line.equals("end"); line = lines.readLine()) {
            String statement = "join, robots.allowed";
            if (line.equals("buckets")) {
                bucketed("buckets", "urls");
                bucketed("bucketed-sites", "sites");
                statement = "shuffle, robots.allowed"; // which needs none
            } else {
                views(line);
            }
            double cpu = processors();
            double clock = seconds(statements().get(statement))[0];
            System.out.printf(Locale.ROOT, "%.3f %.3f%n", clock, processors() - cpu);
        }
    }

    /** Returns the processor seconds of this process and its executors, which are its children. */
    private static double processors() {
        return Stream.concat(Stream.of(ProcessHandle.current()), ProcessHandle.current().descendants())
                .mapToDouble(process -> process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9).sum();
    }
}
