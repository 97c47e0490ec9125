package io.github.librobots.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DeflaterOutputStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Captures in WARC files. */
class WarcTest {
    @TempDir
    Path folder;

    private static final String DATE = "2026-01-02T03:04:05Z";

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] record(String type, String url, String more, byte[] block) {
        return WarcRecords.record(type, url, DATE, more, block);
    }

    private static byte[] response(String url, String head, byte[] body, String... more) {
        return WarcRecords.response(url, DATE, head, body, more);
    }

    private static byte[] deflate(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream deflate = new DeflaterOutputStream(out)) {
            deflate.write(bytes);
        }
        return out.toByteArray();
    }

    private void write(String name, boolean isCompressed, byte[]... records) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] record : records) {
            out.writeBytes(isCompressed ? WarcRecords.gzip(record) : record);
        }
        Files.write(folder.resolve(name), out.toByteArray());
    }

    private static final byte[] RULES = bytes("User-agent: *\nDisallow: /\n");

    /** One record of each kind, and the row that it gives: status, target, text of the body, failure. */
    @ParameterizedTest
    @ValueSource(strings = {"a.warc", "a.warc.gz"})
    void records(String name) throws IOException {
        byte[] large = new byte[600_000];
        Arrays.fill(large, (byte) '#');
        Map<String, byte[]> records = new LinkedHashMap<>();
        Map<String, String> wanted = new LinkedHashMap<>();
        String text = new String(RULES, StandardCharsets.US_ASCII);
        records.put("plain", response("https://plain.example/robots.txt", "200 OK\r\nContent-Length: " + RULES.length, RULES));
        wanted.put("https://plain.example/robots.txt", "200 null " + text + " null");
        records.put("none", response("https://none.example/robots.txt", "404 Not Found", bytes("no")));
        wanted.put("https://none.example/robots.txt", "404 null no null");
        records.put("moved", response("https://moved.example/robots.txt", "301 Moved\r\nLocation: /en/robots.txt#x", new byte[0]));
        wanted.put("https://moved.example/robots.txt", "301 https://moved.example/en/robots.txt  null");
        records.put("page", response("https://moved.example/en/robots.txt", "200 OK", RULES));
        wanted.put("https://moved.example/en/robots.txt", "200 null " + text + " null");
        records.put("lost", response("https://lost.example/robots.txt", "302 Found\r\nLocation: javascript:x", new byte[0]));
        wanted.put("https://lost.example/robots.txt", "302   null");
        records.put("chunked", response("https://chunked.example/robots.txt", "200 OK\r\nTransfer-Encoding: chunked",
                bytes("4\r\nUser\r\n16\r\n-agent: *\nDisallow: /\n\r\n0\r\n\r\n")));
        wanted.put("https://chunked.example/robots.txt", "200 null " + text + " null");
        records.put("trailers", response("https://trailers.example/robots.txt", "200 OK\r\nTransfer-Encoding: chunked",
                bytes("1A\r\nUser-agent: *\nDisallow: /\n\r\n0\r\nX-Check: 1\r\n\r\n")));
        wanted.put("https://trailers.example/robots.txt", "200 null " + text + " null");
        records.put("gzip", response("https://gzip.example/robots.txt", "200 OK\r\nContent-Encoding: gzip", WarcRecords.gzip(RULES)));
        wanted.put("https://gzip.example/robots.txt", "200 null " + text + " null");
        records.put("undone", response("https://undone.example/robots.txt", "200 OK\r\nContent-Encoding: gzip", RULES));
        wanted.put("https://undone.example/robots.txt", "200 null " + text + " null");
        records.put("deflate", response("https://deflate.example/robots.txt", "200 OK\r\nContent-Encoding: deflate", deflate(RULES)));
        wanted.put("https://deflate.example/robots.txt", "200 null " + text + " null");
        records.put("cutgzip", response("https://cutgzip.example/robots.txt", "200 OK\r\nContent-Encoding: gzip",
                Arrays.copyOf(WarcRecords.gzip(RULES), 20)));
        wanted.put("https://cutgzip.example/robots.txt", "200 null  TRUNCATED");
        records.put("br", response("https://br.example/robots.txt", "200 OK\r\nContent-Encoding: zstd", bytes("\u0001zstd")));
        wanted.put("https://br.example/robots.txt", "200 null  ENCODED_BODY");
        records.put("short", response("https://short.example/robots.txt", "200 OK\r\nContent-Length: 999", RULES));
        wanted.put("https://short.example/robots.txt", "200 null  SHORT_BODY");
        records.put("cut", response("https://cut.example/robots.txt", "200 OK", RULES, "WARC-Truncated: time\r\n"));
        wanted.put("https://cut.example/robots.txt", "200 null  TRUNCATED");
        // A file beyond the size limit is no failure (SPEC 4.5).
        records.put("large", response("https://large.example/robots.txt", "200 OK", large, "WARC-Truncated: length\r\n"));
        wanted.put("https://large.example/robots.txt", "200 null 512001 bytes null");
        records.put("request", record("request", "https://plain.example/robots.txt",
                "Content-Type: application/http; msgtype=request\r\n", bytes("GET /robots.txt HTTP/1.1\r\n\r\n")));
        records.put("dns", record("response", "dns:plain.example", "Content-Type: text/dns\r\n", bytes("20260102030405\n")));
        records.put("nohttp", record("response", "https://nohttp.example/robots.txt",
                "Content-Type: application/http; msgtype=response\r\n", bytes("\u0001\u0002")));
        wanted.put("https://nohttp.example/robots.txt", "0 null  OTHER_FAILURE");
        records.put("last", response("<https://LAST.example/robots.txt>", "200 OK", RULES));
        wanted.put("https://LAST.example/robots.txt", "200 null " + text + " null");
        write(name, name.endsWith(".gz"), records.values().toArray(new byte[0][]));

        SparkSession session = Sessions.make(true);
        Dataset<Row> captures = session.read().format("robots_warc").load(folder.resolve(name).toString());
        Map<String, String> found = new LinkedHashMap<>();
        for (Row row : captures.select("url", "status", "target", "body", "failure", "date", "origin").collectAsList()) {
            byte[] body = row.getAs(3);
            String shown = body.length > 1000 ? body.length + " bytes" : new String(body, StandardCharsets.UTF_8);
            found.put(row.getString(0), row.get(1) + " " + row.get(2) + " " + shown + " " + row.get(4));
            assertEquals(DATE, row.getTimestamp(5).toInstant().toString());
            assertEquals(row.getString(0).endsWith("/en/robots.txt") ? null
                    : row.getString(0).toLowerCase(java.util.Locale.ROOT).replace("/robots.txt", ""), row.get(6));
        }
        assertEquals(wanted, found);
        session.sql("CREATE TEMPORARY VIEW files USING robots_warc OPTIONS (path '" + folder.resolve(name) + "')");
        assertEquals("gzip", Sessions.value(session,
                "SELECT headers['content-encoding'] FROM files WHERE origin = 'https://gzip.example'"));

        // From the files to answers, in statements alone.
        captures.createOrReplaceTempView("captures");
        Dataset<Row> images = RobotsFilter.forAgent("x").images(captures);
        images.createOrReplaceTempView("images");
        Map<String, Object> answers = new LinkedHashMap<>();
        session.sql("SELECT origin, robots.answer(image, '/page') AS answer FROM images").collectAsList()
                .forEach(row -> answers.put(row.getString(0).replaceAll("https://|[.]example", ""), row.get(1)));
        assertEquals(Map.ofEntries(Map.entry("plain", "disallowed"), Map.entry("none", "allowed"), Map.entry("moved", "disallowed"),
                Map.entry("lost", "allowed"), Map.entry("chunked", "disallowed"),
                Map.entry("trailers", "disallowed"), Map.entry("gzip", "disallowed"),
                Map.entry("undone", "disallowed"), Map.entry("deflate", "disallowed"), Map.entry("cutgzip", "unreachable"),
                Map.entry("br", "unreachable"), Map.entry("short", "unreachable"), Map.entry("cut", "unreachable"),
                Map.entry("large", "allowed"), Map.entry("nohttp", "unreachable"), Map.entry("last", "disallowed")), answers);
    }

    @Test
    void pathsAndDamage() throws IOException {
        byte[] good = response("https://a.example/robots.txt", "200 OK", RULES);
        Files.createDirectories(folder.resolve("x/y"));
        write("x/1.warc", false, good, good);
        write("x/y/2.warc.gz", true, good);
        write("x/_hidden.warc", false, good);
        Files.write(folder.resolve("bad.warc.gz"), Arrays.copyOf(WarcRecords.gzip(good), 60));
        Files.write(folder.resolve("text.warc"), bytes("no WARC file at all\r\n"));
        SparkSession session = Sessions.make(true);
        String path = folder.toString();
        assertEquals(3, session.read().format("robots_warc").load(path + "/x").count());
        assertEquals(2, session.read().format("robots_warc").load(path + "/x/[0-9]*.warc").count());
        assertEquals(3, session.read().format("robots_warc").load(path + "/x/1.warc", path + "/x/y/2.warc.gz").count());
        for (String bad : new String[] {"/bad.warc.gz", "/text.warc"}) {
            Exception thrown = assertThrows(Exception.class, () -> session.read().format("robots_warc").load(path + bad).count());
            assertTrue(thrown.toString().contains(bad), thrown.toString());
            assertEquals(2, session.read().format("robots_warc").option("on_damage", "skip").load(path + bad, path + "/x/1.warc").count());
        }
        String range = "the option max_bytes is 512000 to 1073741824, not ";
        for (String[] option : List.of(new String[] {"max_bytes", "1", range + "'1'"}, new String[] {"max_bytes", "many", range + "'many'"},
                new String[] {"max_bytes", "99999999999", range + "'99999999999'"}, new String[] {"on_damage", "no", "on_damage is "},
                new String[] {"maxbytes", "600000", "robots_warc has no option 'maxbytes': known are max_bytes, on_damage, path, paths"})) {
            Exception thrown = assertThrows(Exception.class,
                    () -> session.read().format("robots_warc").option(option[0], option[1]).load(path + "/x").count());
            assertTrue(thrown.toString().contains(option[2]), thrown.toString());
        }
        assertThrows(Exception.class, () -> session.read().format("robots_warc").load(path + "/none").count());
    }

    /** The statements of README.md, on two sites. */
    @Test
    void readme() throws IOException {
        byte[] rules = bytes("User-agent: ExampleBot\nDisallow: /private\n");
        write("1.warc.gz", true, response("https://a.example/robots.txt", "200 OK", rules),
                response("https://b.example/robots.txt", "503 Unavailable", bytes("")));
        String text = new String(Files.readAllBytes(Paths.get("README.md")), StandardCharsets.UTF_8);
        // FunctionsTest runs the statement about uses.
        String[] blocks = Arrays.stream(text.split("```sql\n")).filter(block -> !block.split("```")[0].contains("robots.use_for"))
                .toArray(String[]::new);
        SparkSession session = Sessions.make(true);
        String[] urls = {"https://a.example/private", "https://A.example/page", "https://b.example/", "https://www.a.example/",
            "https://a.example./", "https://www.a.example/2", "x", null};
        session.createDataset(Arrays.asList(urls), Encoders.STRING()).toDF("url").createOrReplaceTempView("urls");
        String suffix = "_" + System.nanoTime();
        List<List<Row>> last = new ArrayList<>();
        try {
            for (int i = 1; i <= 3; i++) {
                List<Row> rows = List.of();
                for (String statement : blocks[i].split("```")[0].replace("robotstxt/", folder.toString()).split(";")) {
                    if (!statement.isBlank()) {
                        String own = statement.replaceAll("(TABLE|FROM) (images|answers)", "$1 $2" + suffix)
                                .replace("JOIN images ON", "JOIN images" + suffix + " images ON");
                        rows = session.sql(own).collectAsList();
                    }
                }
                last.add(rows);
            }
            Map<Object, Object> counts = new HashMap<>();
            last.get(0).forEach(row -> counts.put(row.get(0), row.get(1)));
            assertEquals(Map.of("allowed", 1L, "disallowed", 1L, "unreachable", 1L, "no_capture", 3L, "bad_url", 2L), counts);
            // One of the two sites is unreachable.
            assertEquals("[[2,1,0,2,0,0,0,0,0,0,0,0]]", last.get(1).toString());
            // The sites without a row: text that is no URL, www and a trailing dot.
            Map<Object, Object> sites = new HashMap<>();
            last.get(2).forEach(row -> sites.put(row.get(0), row.get(1)));
            Map<Object, Object> wanted = new HashMap<>(Map.of("https://www.a.example", 2L, "https://a.example.", 1L));
            wanted.put(null, 2L);
            assertEquals(wanted, sites);
        } finally {
            session.sql("DROP TABLE IF EXISTS answers" + suffix);
            session.sql("DROP TABLE IF EXISTS images" + suffix);
        }
    }
}
