package io.github.librobots.spark;

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

    /** Redirects are followed to other captures (SPEC 2.2, 2.3). */
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
}
