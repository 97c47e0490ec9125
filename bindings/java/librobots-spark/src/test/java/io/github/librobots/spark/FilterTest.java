package io.github.librobots.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.librobots.Crawler;
import io.github.librobots.Reason;
import io.github.librobots.Rules;
import io.github.librobots.RulesImage;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The filter as a transform of datasets. */
class FilterTest {
    /** `-Dsites=2000 -Durls=500000`: the full size. */
    private static final int SITES = Integer.getInteger("sites", 200);
    private static final int URLS = Integer.getInteger("urls", 8000);

    private static void equalsOneProcess(Sample sample, Dataset<Row> answers, int rows) {
        int count = 0;
        for (Row row : answers.collectAsList()) {
            assertEquals(sample.answer(row.getLong(0)), row.getString(2), () -> "URL " + row.get(1));
            count++;
        }
        assertEquals(rows, count);
    }

    /** Every row has the answer of a single process: broadcast, shuffle, and shuffle with spread sites; with and without generated code. */
    @ParameterizedTest
    @CsvSource({"true, 256, 1000000", "false, 256, 1000000", "true, 0, 1000000", "true, 0, 200", "false, 0, 200"})
    void answers(boolean isGenerated, long broadcastMb, long skewRows) {
        SparkSession session = Sessions.make(isGenerated);
        Sample sample = new Sample(7, SITES, URLS);
        RobotsFilter filter = RobotsFilter.forAgent(Sample.AGENT).broadcastBytes(broadcastMb << 20).skewRows(skewRows);
        Dataset<Row> answers = filter.answers(sample.urls(session), sample.captures(session));
        assertEquals(List.of("id", "url", "robots"), List.of(answers.columns()));
        String plan = answers.queryExecution().toString();
        assertEquals(broadcastMb > 0, plan.contains("strategy=broadcast") || plan.contains("BroadcastHashJoin"), plan);
        equalsOneProcess(sample, answers, URLS);
        session.catalog().clearCache();
    }

    @Test
    void filterKeepsAllowed() {
        SparkSession session = Sessions.make(true);
        Sample sample = new Sample(8, 100, 1000);
        Map<OnMissing, Integer> wanted = new HashMap<>();
        for (long id = 0; id < 1000; id++) {
            String answer = sample.answer(id);
            if (answer.equals("allowed")) {
                wanted.merge(OnMissing.DISALLOW, 1, Integer::sum);
            }
            if (answer.equals("allowed") || answer.equals("no_capture")) {
                wanted.merge(OnMissing.ALLOW, 1, Integer::sum);
            }
        }
        for (OnMissing onMissing : OnMissing.values()) {
            Dataset<Row> kept = RobotsFilter.filter(sample.urls(session), sample.captures(session), Sample.AGENT, onMissing);
            assertEquals(List.of("id", "url"), List.of(kept.columns()));
            assertEquals((long) wanted.get(onMissing), kept.count());
        }
        assertThrows(NullPointerException.class,
                () -> RobotsFilter.filter(sample.urls(session), sample.captures(session), Sample.AGENT, null));
        assertThrows(IllegalArgumentException.class, () -> RobotsFilter.forAgent("Mozilla/5.0 (x)"));
        assertThrows(IllegalArgumentException.class, () -> RobotsFilter.forAgent("x").options("dialect=y"));
        session.catalog().clearCache();
    }

    /** The table of images has one row per site: that of the capture that holds. */
    @Test
    void images() {
        SparkSession session = Sessions.make(true);
        Sample sample = new Sample(9, 120, 1);
        Map<String, byte[]> found = new HashMap<>();
        for (Row row : RobotsFilter.forAgent(Sample.AGENT).images(sample.captures(session)).collectAsList()) {
            found.put(row.getString(0), row.getAs(1));
        }
        assertEquals(sample.rules().keySet(), found.keySet());
        for (Map.Entry<String, Rules> entry : sample.rules().entrySet()) {
            assertArrayEquals(entry.getValue().image(), found.get(entry.getKey()), entry.getKey());
        }
    }

    /** Other names of columns, and a table of images that is damaged. */
    @Test
    void tables() {
        SparkSession session = Sessions.make(true);
        byte[] image = Crawler.of("x").compile("User-agent: *\nDisallow: /a".getBytes(StandardCharsets.US_ASCII));
        StructType type = new StructType().add("origin", DataTypes.StringType).add("image", DataTypes.BinaryType);
        Dataset<Row> images = session.createDataFrame(List.of(RowFactory.create("https://a.example", image)), type);
        StructType linkType = new StructType().add("link", DataTypes.StringType).add("image", DataTypes.StringType);
        Dataset<Row> links = session.createDataFrame(List.of(RowFactory.create("https://A.example/a", "x"),
                RowFactory.create("https://a.example/b", "y")), linkType);
        RobotsFilter filter = RobotsFilter.forAgent("x").urlColumn("link");
        assertEquals(List.of(RowFactory.create("https://a.example/b", "y")),
                filter.allowed(links, images, OnMissing.DISALLOW).collectAsList());
        image[image.length - 1] ^= 1;
        Dataset<Row> damaged = session.createDataFrame(List.of(RowFactory.create("https://a.example", image)), type);
        Exception thrown = assertThrows(Exception.class, () -> filter.answers(links, damaged).collectAsList());
        assertTrue(thrown.toString().contains("damaged") || String.valueOf(thrown.getCause()).contains("damaged"), thrown.toString());
    }

    /** Redirects are followed to other captures (SPEC 11.7). */
    @Test
    void redirects() {
        SparkSession session = Sessions.make(true);
        StructType type = new StructType().add("url", DataTypes.StringType).add("status", DataTypes.IntegerType)
                .add("body", DataTypes.StringType).add("target", DataTypes.StringType).add("failure", DataTypes.StringType);
        String rules = "User-agent: *\nDisallow: /\n";
        List<Row> rows = new java.util.ArrayList<>(List.of(
                RowFactory.create("https://a.example/robots.txt", 301, "", "https://WWW.a.example/robots.txt", null),
                RowFactory.create("https://www.a.example/robots.txt", 200, rules, null, null),
                RowFactory.create("https://b.example/robots.txt", 302, "", "https://b.example/en/robots.txt", null),
                RowFactory.create("https://b.example/en/robots.txt", 200, rules, null, null),
                RowFactory.create("https://nowhere.example/robots.txt", 302, "", "https://missing.example/", null),
                RowFactory.create("https://bad.example/robots.txt", 302, "", "", null),
                RowFactory.create("https://loop.example/robots.txt", 302, "", "https://loop.example/robots.txt", null),
                RowFactory.create("https://cut.example/robots.txt", 200, rules, null, "TRUNCATED"),
                RowFactory.create("https://lost.example/robots.txt", 200, null, null, null),
                RowFactory.create("https://silent.example/robots.txt", null, rules, null, null)));
        for (int i = 0; i < 7; i++) { // 5 redirects from c1 on, 6 from c0 on
            rows.add(i == 6 ? RowFactory.create("https://c6.example/robots.txt", 200, rules, null, null)
                    : RowFactory.create("https://c" + i + ".example/robots.txt", 301, "", "https://c" + (i + 1) + ".example/robots.txt", null));
        }
        Map<String, Reason> reasons = new HashMap<>();
        for (Row row : RobotsFilter.forAgent("x").images(session.createDataFrame(rows, type)).collectAsList()) {
            reasons.put(row.getString(0), RulesImage.check((byte[]) row.get(1), "/page").reason());
        }
        Map<String, Reason> wanted = new HashMap<>();
        for (String site : new String[] {"a", "www.a", "b", "c1", "c2", "c3", "c4", "c5", "c6"}) {
            wanted.put("https://" + site + ".example", Reason.RULE_DISALLOWED);
        }
        wanted.put("https://c0.example", Reason.ALLOW_ALL);
        wanted.put("https://bad.example", Reason.ALLOW_ALL);
        wanted.put("https://loop.example", Reason.ALLOW_ALL);
        for (String site : new String[] {"cut", "lost", "silent"}) {
            wanted.put("https://" + site + ".example", Reason.UNREACHABLE);
        }
        assertEquals(wanted, reasons);
    }

    private static final String RULES = "User-agent: *\nDisallow: /\n";
    private static final StructType OF_ORIGINS = new StructType().add("origin", DataTypes.StringType)
            .add("status", DataTypes.IntegerType).add("body", DataTypes.StringType);
    private static final StructType OF_URLS = new StructType().add("url", DataTypes.StringType);

    private static Dataset<Row> captures(SparkSession session, String... origins) {
        List<Row> rows = new java.util.ArrayList<>();
        for (String origin : origins) {
            rows.add(RowFactory.create(origin, 200, RULES));
        }
        return session.createDataFrame(rows, OF_ORIGINS);
    }

    private static String message(org.junit.jupiter.api.function.Executable run) {
        StringBuilder all = new StringBuilder();
        for (Throwable cause = assertThrows(Throwable.class, run); cause != null; cause = cause.getCause()) {
            all.append(cause).append('\n');
        }
        return all.toString();
    }

    private static void fails(String wanted, org.junit.jupiter.api.function.Executable run) {
        String all = message(run);
        assertTrue(all.contains(wanted), all);
    }

    /** An origin may be written in any form that has a scheme. */
    @Test
    void originsAreCanonical() {
        SparkSession session = Sessions.make(true);
        Dataset<Row> captures = captures(session, "https://A.example/", "https://b.example:443", "https://C.example/robots.txt",
                "HTTP://d.example/robots.txt", "bare.example", "", null);
        Dataset<Row> urls = session.createDataFrame(List.of(RowFactory.create("https://a.example/1"), RowFactory.create("https://b.example/1"),
                RowFactory.create("https://c.example/1"), RowFactory.create("http://d.example/1"),
                RowFactory.create("https://bare.example/1")), OF_URLS);
        Map<String, String> answers = new HashMap<>();
        RobotsFilter.forAgent("x").answers(urls, captures).collectAsList().forEach(row -> answers.put(row.getString(0), row.getString(1)));
        assertEquals(Map.of("https://a.example/1", "disallowed", "https://b.example/1", "disallowed", "https://c.example/1", "disallowed",
                "http://d.example/1", "disallowed", "https://bare.example/1", "no_capture"), answers);
        session.catalog().clearCache();
    }

    /** Captures that name no site permit nothing. */
    @Test
    void noSite() {
        SparkSession session = Sessions.make(true);
        Dataset<Row> urls = session.createDataFrame(List.of(RowFactory.create("https://a.example/1")), OF_URLS);
        String wanted = "no capture is that of a site: captures=2 unusable=2 other_pages=0";
        fails(wanted, () -> RobotsFilter.filter(urls, captures(session, "a.example", "b.example"), "x", OnMissing.ALLOW).collectAsList());
        fails(wanted, () -> RobotsFilter.forAgent("x").images(captures(session, "a.example", "b.example")).count());
        fails("captures=0", () -> RobotsFilter.filter(urls, captures(session), "x", OnMissing.ALLOW).collectAsList());
        Dataset<Row> pages = captures(session, "https://a.example/page").withColumnRenamed("origin", "url");
        fails("captures=1 unusable=0 other_pages=1", () -> RobotsFilter.filter(urls, pages, "x", OnMissing.ALLOW).collectAsList());
    }

    /** Without a date, any of several captures could be the one that holds. */
    @Test
    void repeatedOriginNeedsDate() {
        SparkSession session = Sessions.make(true);
        Dataset<Row> twice = captures(session, "https://a.example", "https://a.example/", "https://b.example");
        RobotsFilter filter = RobotsFilter.forAgent("x");
        fails("https://a.example/robots.txt has 2 captures, 2 without a date", () -> filter.images(twice).collectAsList());
        Column none = lit(null).cast("timestamp");
        fails("has 2 captures, 2 without a date", () -> filter.images(twice.withColumn("date", none)).collectAsList());
        Column some = org.apache.spark.sql.functions.when(twice.col("origin").equalTo("https://a.example"), lit("2026-02-01")).cast("timestamp");
        fails("has 2 captures, 1 without a date", () -> filter.images(twice.withColumn("date", some)).collectAsList());
        Dataset<Row> unusable = captures(session, "x.example", "x.example", "https://b.example");
        assertEquals(1, filter.images(unusable).collectAsList().size());
    }

    /** Text is a date, not a series of characters: 09:30-01 is after 10:00Z. */
    @Test
    void datesAsText() {
        SparkSession session = Sessions.make(true);
        StructType type = OF_ORIGINS.add("date", DataTypes.StringType);
        RobotsFilter filter = RobotsFilter.forAgent("x");
        for (String[] dates : new String[][] {{"2026-02-01T10:00:00Z", "2026-02-01T09:30:00-01:00"}, {"20260201100000", "20260201103000"}}) {
            List<Row> images = filter.images(session.createDataFrame(List.of(RowFactory.create("https://a.example", 200, "", dates[0]),
                    RowFactory.create("https://a.example", 200, RULES, dates[1])), type)).collectAsList();
            assertEquals(Reason.RULE_DISALLOWED, RulesImage.check((byte[]) images.get(0).get(1), "/page").reason());
        }
        Dataset<Row> wrong = session.createDataFrame(
                List.of(RowFactory.create("https://a.example", 200, RULES, "Sun, 01 Feb 2026 10:00:00 GMT")), type);
        fails("the date 'Sun, 01 Feb 2026 10:00:00 GMT' is none of ISO 8601", () -> filter.images(wrong).collectAsList());
    }

    /** The dates of a site have one unit: a day as a number is no time. */
    @Test
    void datesOfSeveralUnits() {
        SparkSession session = Sessions.make(true);
        RobotsFilter filter = RobotsFilter.forAgent("x");
        long now = 1_769_941_800L;
        long[] dates = {now, now * 1000, now * 1_000_000, 20_260_201, 20_260_201_103_000L, 0};
        for (int i = 0; i < dates.length; i++) {
            Dataset<Row> both = session.createDataFrame(List.of(RowFactory.create("https://a.example", 200, "", dates[i]),
                    RowFactory.create("https://a.example", 200, RULES, dates[(i + 1) % dates.length])), OF_ORIGINS.add("date", DataTypes.LongType));
            fails("https://a.example/robots.txt has captures whose dates are not of one unit", () -> filter.images(both).collectAsList());
        }
        Dataset<Row> placeholder = captures(session, "https://a.example", "https://a.example/").withColumn("date",
                org.apache.spark.sql.functions.when(col("origin").endsWith("/"), lit("1970-01-01")).otherwise(lit("2026-02-01")));
        fails("not of one unit", () -> filter.images(placeholder).collectAsList());
        Dataset<Row> old = placeholder.withColumn("date", org.apache.spark.sql.functions.regexp_replace(col("date"), "1970", "2000"));
        assertEquals(1, filter.images(old.withColumn("date", col("date").cast("date"))).collectAsList().size());
    }

    /** The response to a page says nothing about its site. */
    @Test
    void originsOfPages() {
        SparkSession session = Sessions.make(true);
        for (String page : new String[] {"https://a.example/index.html", "https://a.example/robots.txt?x", "https://a/x://b"}) {
            fails("the origin '" + page + "' has a path", () -> RobotsFilter.forAgent("x").images(captures(session, page)).collectAsList());
        }
    }

    /** Each count, as SQL reads it. */
    @Test
    void counts() {
        SparkSession session = Sessions.make(true);
        StructType type = OF_ORIGINS.add("target", DataTypes.StringType).add("date", DataTypes.LongType);
        List<Row> rows = List.of(RowFactory.create("https://a.example", 200, RULES, null, 1L), RowFactory.create("https://a.example", 503, null, null, 2L),
                RowFactory.create("https://b.example", 200, RULES, null, 1L), RowFactory.create("https://b.example", 200, "User-agent: *", null, 1L),
                RowFactory.create("https://c.example", 200, "<html>", null, 1L), RowFactory.create("https://d.example", 200, "User-agent: *Disallow: /", null, 1L),
                RowFactory.create("https://e.example", 200, "User-agent: *\nDisal", null, 1L), RowFactory.create("https://f.example", 404, RULES, null, 1L),
                RowFactory.create("https://g.example", 301, "", "https://x.example/", 1L), RowFactory.create("https://h.example", 301, "", "", 1L),
                RowFactory.create("https://i.example", 500, "<html>", null, 1L), RowFactory.create("j.example", 200, RULES, null, 1L),
                RowFactory.create("https://k.example", 200, "", null, 1L));
        session.createDataFrame(rows, type).createOrReplaceTempView("captures");
        session.sql("CREATE OR REPLACE TEMPORARY VIEW counted USING robots_images OPTIONS (captures 'captures', agent 'x', result 'counts')");
        Row found = session.sql("SELECT * FROM counted").collectAsList().get(0);
        assertEquals("sites unreachable without_file captures repeated unusable other_pages redirects_lost after_outage ties without_group damaged",
                String.join(" ", found.schema().fieldNames()));
        assertEquals("[9,1,2,13,2,1,0,1,1,1,2,2]", found.toString());
        fails("result is 'count': write images or counts",
                () -> session.sql("CREATE TEMPORARY VIEW x USING robots_images OPTIONS (captures 'captures', agent 'x', result 'count')"));
    }

    /** A table of images has one row for each site, which its origin names in any form with a scheme. */
    @Test
    void tablesOfImages() {
        SparkSession session = Sessions.make(true);
        Dataset<Row> urls = session.createDataFrame(List.of(RowFactory.create("https://a.example/1")), OF_URLS);
        RobotsFilter filter = RobotsFilter.forAgent("x");
        byte[] image = Crawler.of("x").compile(RULES.getBytes(StandardCharsets.US_ASCII));
        StructType type = new StructType().add("origin", DataTypes.StringType).add("image", DataTypes.BinaryType);
        Dataset<Row> one = session.createDataFrame(List.of(RowFactory.create("https://A.example:443/", image)), type);
        assertEquals(List.of(RowFactory.create("https://a.example/1", "disallowed")), filter.answers(urls, one).collectAsList());
        Dataset<Row> two = one.union(session.createDataFrame(List.of(RowFactory.create("https://a.example", image)), type));
        fails("2 images of 1 sites", () -> filter.answers(urls, two));
        Dataset<Row> bare = session.createDataFrame(List.of(RowFactory.create("a.example", image)), type);
        fails("1 of 1 images name no site, such as 'a.example'", () -> filter.answers(urls, bare));
        fails("the table of images is empty", () -> filter.answers(urls, one.limit(0)));
        Dataset<Row> named = one.withColumn("agent", lit("X"));
        assertEquals(1, filter.answers(urls, named).count());
        fails("the images were compiled for X, not for y", () -> RobotsFilter.forAgent("y").answers(urls, named));
    }

    @Test
    void columnRobotsIsRefused() {
        SparkSession session = Sessions.make(true);
        StructType type = new StructType().add("url", DataTypes.StringType).add("Robots", DataTypes.StringType);
        Dataset<Row> urls = session.createDataFrame(List.of(RowFactory.create("https://a.example/1", "mine")), type);
        fails("the table of URLs has a column 'robots'", () -> RobotsFilter.forAgent("x").answers(urls, captures(session, "https://a.example")));
    }

    /** A target says nothing unless the status is that of a redirect; one that is not absolute is a redirect that was not followed. */
    @Test
    void targetsOfRedirects() {
        SparkSession session = Sessions.make(true);
        StructType type = OF_ORIGINS.add("target", DataTypes.StringType);
        Map<String, Reason> reasons = new HashMap<>();
        RobotsFilter.forAgent("x").images(session.createDataFrame(List.of(
                RowFactory.create("https://a.example", 200, RULES, "https://b.example/robots.txt"),
                RowFactory.create("https://b.example", 404, "", null),
                RowFactory.create("https://c.example", 301, "", "/en/robots.txt"),
                RowFactory.create("https://d.example", 301, "", null)), type)).collectAsList()
                .forEach(row -> reasons.put(row.getString(0), RulesImage.check((byte[]) row.get(1), "/page").reason()));
        assertEquals(Map.of("https://a.example", Reason.RULE_DISALLOWED, "https://b.example", Reason.ALLOW_ALL,
                "https://c.example", Reason.UNREACHABLE, "https://d.example", Reason.UNREACHABLE), reasons);
    }

    /** The statements of the README give the images of the filter. */
    @Test
    void statements() {
        SparkSession session = Sessions.make(true);
        new Sample(3, 120, 1).captures(session).createOrReplaceTempView("captures");
        session.sql("CREATE OR REPLACE TEMPORARY VIEW compiled USING robots_images OPTIONS (captures 'captures', agent '" + Sample.AGENT + "')");
        Map<String, String> found = new HashMap<>();
        session.sql("SELECT origin, hex(image) FROM compiled").collectAsList().forEach(row -> found.put(row.getString(0), row.getString(1)));
        Map<String, String> wanted = new HashMap<>();
        RobotsFilter.forAgent(Sample.AGENT).images(session.table("captures")).selectExpr("origin", "hex(image)").collectAsList()
                .forEach(row -> wanted.put(row.getString(0), row.getString(1)));
        assertTrue(wanted.size() > 100);
        assertEquals(wanted, found);
        fails("robots_images has no option 'speed': known are agent, captures, options, result", () -> session.sql(
                "CREATE TEMPORARY VIEW x USING robots_images OPTIONS (captures 'captures', agent 'x', speed '1')"));
        fails("the option agent is missing", () -> session.sql("CREATE TEMPORARY VIEW x USING robots_images OPTIONS (captures 'captures')"));
    }
}
