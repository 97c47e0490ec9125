package io.github.librobots.spark;

import io.github.librobots.Crawler;
import io.github.librobots.Origin;
import io.github.librobots.Rules;
import io.github.librobots.Status;
import io.github.librobots.Verdict;
import java.nio.charset.StandardCharsets;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Captures and URLs that a seed makes up, bad and non-ASCII ones included, and the answers of a single process. */
final class Sample {
    static final String AGENT = "ExampleBot";
    static final StructType CAPTURES = new StructType().add("url", DataTypes.StringType).add("date", DataTypes.TimestampType)
            .add("status", DataTypes.IntegerType).add("body", DataTypes.BinaryType);
    static final StructType URLS = new StructType().add("id", DataTypes.LongType).add("url", DataTypes.StringType);

    private static final int[] STATUSES = {200, 200, 200, 200, 200, 200, 200, 404, 403, 503, 429, 301, 0};
    private static final String[] FOLDERS = {"private", "a b", "caf\u00e9", "%7Ejoe", "x", "*", "page.html", "\u30c4", "admin", "%2f"};
    private static final String[] BAD = {"", "no url", "mailto:joe@example.com", "/path", "http://", "https://host:99999/", "javascript:x"};

    private final long seed;
    private final int sites;
    private final int urls;
    private final Map<String, Rules> rules = new HashMap<>();

    Sample(long seed, int sites, int urls) {
        this.seed = seed;
        this.sites = sites;
        this.urls = urls;
        Crawler crawler = Crawler.of(AGENT);
        for (int i = 0; i < sites; i++) {
            if (hasCapture(i)) {
                Rules made = crawler.outcomeOf(site(i), status(i), body(i), Instant.ofEpochSecond(1_800_000_000)).rules();
                rules.put(Origin.of(site(i)).key(), made);
            }
        }
    }

    static String site(int i) {
        switch (i % 10) {
            case 0:
                return "http://Site" + i + ".example:8080";
            case 1:
                return "https://s\u00efte" + i + ".example";
            default:
                return "https://site" + i + ".example";
        }
    }

    private static boolean hasCapture(int i) {
        return i % 17 != 16;
    }

    private static int status(int i) {
        return STATUSES[i % STATUSES.length];
    }

    private byte[] body(int i) {
        Random random = new Random(seed + i);
        StringBuilder text = new StringBuilder("User-agent: *\n");
        int count = random.nextInt(30);
        for (int j = 0; j < count; j++) {
            text.append(random.nextInt(3) == 0 ? "Allow: /" : "Disallow: /").append(path(random)).append('\n');
        }
        return text.append("Sitemap: https://site").append(i).append(".example/map.xml\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String path(Random random) {
        StringBuilder path = new StringBuilder();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            path.append(i == 0 ? "" : "/").append(FOLDERS[random.nextInt(FOLDERS.length)]);
        }
        return path.toString();
    }

    /** Returns the URL of an id; null for some. */
    String url(long id) {
        Random random = new Random(seed ^ id * 0x9E3779B97F4A7C15L);
        int kind = random.nextInt(100);
        if (kind == 0) {
            return null;
        }
        if (kind < 4) {
            return BAD[random.nextInt(BAD.length)];
        }
        // A few sites have most of the URLs.
        int site = random.nextBoolean() ? random.nextInt(3) : random.nextInt(sites);
        return site(site) + "/" + path(random) + (random.nextInt(4) == 0 ? "?q=" + random.nextInt() : "");
    }

    /** Returns the answer of a single process. */
    String answer(long id) {
        String url = url(id);
        String key;
        try {
            key = url == null ? null : Origin.of(url).key();
        } catch (IllegalArgumentException e) {
            key = null;
        }
        if (key == null) {
            return "bad_url";
        }
        Rules found = rules.get(key);
        if (found == null) {
            return "no_capture";
        }
        Verdict verdict = found.check(url);
        if (verdict.status() != Status.OK) {
            return "bad_url";
        }
        return verdict.allowed() ? "allowed" : verdict.deferred() ? "unreachable" : "disallowed";
    }

    /** Returns the rules of a site, by its key. */
    Map<String, Rules> rules() {
        return rules;
    }

    /** Returns the captures: of each site an old one that forbids all, and the one that counts. */
    List<Row> captureRows() {
        List<Row> rows = new ArrayList<>();
        Timestamp old = Timestamp.from(Instant.parse("2026-01-01T00:00:00Z"));
        Timestamp now = Timestamp.from(Instant.parse("2026-02-01T00:00:00Z"));
        byte[] all = "User-agent: *\nDisallow: /\n".getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < sites; i++) {
            if (hasCapture(i)) {
                boolean isReached = !rules.get(Origin.of(site(i)).key()).check("/").deferred();
                if (isReached) {
                    rows.add(RowFactory.create(site(i) + "/robots.txt", old, 200, all));
                }
                rows.add(RowFactory.create(site(i) + "/robots.txt", now, status(i), body(i)));
                if (isReached && status(i) == 200 && i % 5 == 0) { // an outage later leaves the file in use (SPEC 11.4)
                    rows.add(RowFactory.create(site(i) + "/robots.txt", Timestamp.from(Instant.parse("2026-03-01T00:00:00Z")), 503, null));
                }
            }
        }
        return rows;
    }

    Dataset<Row> captures(SparkSession session) {
        return session.createDataFrame(captureRows(), CAPTURES);
    }

    Dataset<Row> urls(SparkSession session) {
        List<Row> rows = new ArrayList<>(urls);
        for (long id = 0; id < urls; id++) {
            rows.add(RowFactory.create(id, url(id)));
        }
        return session.createDataFrame(rows, URLS);
    }
}
