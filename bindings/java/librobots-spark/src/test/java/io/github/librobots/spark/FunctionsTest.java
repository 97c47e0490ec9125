package io.github.librobots.spark;

import static io.github.librobots.spark.Sessions.value;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.librobots.Crawler;
import io.github.librobots.Origin;
import io.github.librobots.Rules;
import io.github.librobots.RulesImage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The functions in statements, with generated code and without. */
class FunctionsTest {
    private static final byte[] BODY = ("User-agent: ExampleBot\nDisallow: /private\nCrawl-delay: 2.5\nSitemap: https://a/1\n"
            + "Sitemap: https://a/2\n").getBytes(StandardCharsets.US_ASCII);

    /** Returns a session with a view `t` of one row: image, body, url. */
    private static SparkSession session(boolean isGenerated, String url) {
        SparkSession session = Sessions.make(isGenerated);
        StructType type = new StructType().add("image", DataTypes.BinaryType).add("body", DataTypes.BinaryType)
                .add("url", DataTypes.StringType).add("damaged", DataTypes.BinaryType);
        byte[] image = Crawler.of("ExampleBot").compile(BODY);
        byte[] damaged = image.clone();
        damaged[0] ^= 1;
        session.createDataFrame(List.of(RowFactory.create(image, BODY, url, damaged)), type).createOrReplaceTempView("t");
        return session;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneRow(boolean isGenerated) {
        SparkSession session = session(isGenerated, "https://Example.com:443/private/x");
        assertEquals("https://example.com", value(session, "SELECT robots.origin(url) FROM t"));
        assertEquals("https://example.com/robots.txt", value(session, "SELECT robots.robots_url(url) FROM t"));
        byte[] image = Crawler.of("ExampleBot").compile(BODY);
        assertArrayEquals(image, (byte[]) value(session, "SELECT robots.compile('ExampleBot', body) FROM t"));
        assertArrayEquals(image, (byte[]) value(session, "SELECT robots.compile('ExampleBot', CAST(body AS STRING)) FROM t"));
        assertArrayEquals(Crawler.of("x").compile(BODY), (byte[]) value(session, "SELECT robots.compile('*', body) FROM t"));
        assertArrayEquals(image, (byte[]) value(session, "SELECT robots.outcome('ExampleBot', 200, body) FROM t"));
        assertArrayEquals(RulesImage.fromResponse(Crawler.of("ExampleBot"), 503, BODY),
                (byte[]) value(session, "SELECT robots.outcome('ExampleBot', 503, NULL) FROM t"));
        assertEquals(false, value(session, "SELECT robots.allowed(image, url) FROM t"));
        assertEquals(false, value(session, "SELECT robots.once('ExampleBot', body, url) FROM t"));
        assertEquals(true, value(session, "SELECT robots.once('OtherBot', body, url) FROM t"));
        assertEquals(RowFactory.create(false, "RULE_DISALLOWED", 2L), value(session, "SELECT robots.verdict(image, url) AS v FROM t"));
        assertEquals("disallowed", value(session, "SELECT robots.answer(image, url) FROM t"));
        assertEquals("unreachable", value(session, "SELECT robots.answer(robots.outcome('ExampleBot', 503, body), url) FROM t"));
        assertEquals("unreachable", value(session, "SELECT robots.answer(robots.outcome('ExampleBot', 200, NULL), url) FROM t"));
        assertEquals("allowed", value(session, "SELECT robots.answer(robots.outcome('ExampleBot', 204, NULL), url) FROM t"));
        assertEquals("allowed", value(session, "SELECT robots.answer(robots.outcome('ExampleBot', 404, NULL), url) FROM t"));
        assertEquals(2.5, value(session, "SELECT robots.crawl_delay(image) FROM t"));
        assertNull(value(session, "SELECT robots.crawl_delay(robots.compile('OtherBot', body)) FROM t"));
        assertEquals("https://a/1 https://a/2", value(session, "SELECT concat_ws(' ', robots.sitemaps(image)) FROM t"));
        assertEquals(true, value(session, "SELECT robots.is_valid(image) FROM t"));
        assertEquals(null, value(session, "SELECT robots.doubt(body) FROM t"));
        assertEquals("damaged", value(session, "SELECT robots.doubt(concat(CAST(body AS STRING), 'Disal')) FROM t"));
        assertEquals("damaged", value(session, "SELECT robots.doubt('User-agent: * Disallow: /') FROM t"));
        assertEquals("no_group", value(session, "SELECT robots.doubt(CAST('<html>' AS BINARY)) FROM t"));
        assertEquals("no_group", value(session, "SELECT robots.doubt(' ') FROM t"));
        assertEquals("damaged", value(session, "SELECT robots.doubt(concat('Disallow: /a/\\n', CAST(body AS STRING))) FROM t"));
        assertEquals(false, value(session, "SELECT robots.is_valid(damaged) FROM t"));
        assertEquals(0L, value(session, "SELECT count(*) FROM t WHERE robots.allowed(image, url)"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nullsAndBadUrls(boolean isGenerated) {
        SparkSession session = session(isGenerated, "no url");
        for (String call : new String[] {"allowed(image, url)", "origin(url)", "robots_url(url)", "once('ExampleBot', body, url)",
                "allowed(NULL, url)", "allowed(image, NULL)", "verdict(NULL, url)", "answer(image, NULL)", "compile('x', NULL)",
                "compile(CAST(NULL AS STRING), body)", "outcome(NULL, 200, body)", "crawl_delay(NULL)",
                "sitemaps(NULL)", "is_valid(NULL)", "doubt(NULL)", "once('x', NULL, url)", "origin(NULL)"}) {
            assertNull(value(session, "SELECT robots." + call + " FROM t"), call);
        }
        assertEquals(RowFactory.create(null, "BAD_URL", 0L), value(session, "SELECT robots.verdict(image, url) FROM t"));
        assertEquals("bad_url", value(session, "SELECT robots.answer(image, url) FROM t"));
        // No status is no response.
        assertEquals("unreachable", value(session, "SELECT robots.answer(robots.outcome('x', NULL, body), '/') FROM t"));
        assertEquals("unreachable", value(session, "SELECT robots.answer(robots.outcome('x', NULL, 'Allow: /', 'dialect=google'), '/') FROM t"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void uses(boolean isGenerated) {
        SparkSession session = session(isGenerated, "https://example.com/tea");
        String headers = "map('content-signal', 'ai-train=yes')", file = "'Content-Signal: search=no'";
        String[][] cases = {
            {"'ExampleBot', " + file + ", " + headers + ", url, 'training'", "[allowed,content_signal_header,0,ai-train=yes]"},
            {"'ExampleBot', " + file + ", " + headers + ", url, 'Search', 'dialect=google'", "[denied,content_signal_line,1,search=no]"},
            {"'ExampleBot', CAST(" + file + " AS BINARY), map('link', '</terms>; rel=license'), url, 'seo'", "[licensed,link_header,0,/terms]"},
            {"'*', '', map('x', CAST(NULL AS STRING)), url, 'training'", "[unstated,null,0,null]"},
            {"'*', NULL, " + headers + ", url, 'training'", "[unstated,not_read,0,robots.txt]"},
            {"'*', 'Content-Signal: ai-train=yes', NULL, url, 'training'", "[unstated,not_read,0,page]"},
            {"'*', '', " + headers + ", 'no url', 'training'", "[bad_url,null,0,null]"},
            {"NULL, '', " + headers + ", url, 'training'", "null"}, {"'*', '', " + headers + ", NULL, 'training'", "null"},
            {"'*', '', " + headers + ", url, NULL", "null"}};
        for (String[] one : cases) {
            assertEquals(one[1], String.valueOf(value(session, "SELECT robots.use_for(" + one[0] + ") AS u FROM t")), one[0]);
        }
        // The statement of the page: the robots.txt that was current decides.
        session.sql("SELECT 'https://a.example' AS origin, date, status, CAST(body AS BINARY) AS body FROM VALUES (1, 200, 'Content-Signal: ai-train=yes'), "
                + "(3, 200, 'Content-Signal: ai-train=no'), (5, 503, ''), (7, 404, '<html>') AS t(date, status, body)").createOrReplaceTempView("captures");
        session.sql("SELECT concat('https://a.example/', date) AS url, date, map('x', 'y') AS headers FROM VALUES (0), (2), (4), (6), (8) AS t(date)")
                .createOrReplaceTempView("pages");
        assertEquals("[[https://a.example/0,unstated], [https://a.example/2,allowed], [https://a.example/4,denied], [https://a.example/6,denied], "
                + "[https://a.example/8,unstated]]", session.sql("SELECT url, robots.use_for('ExampleBot', file, headers, url, 'training').use FROM ( "
                + "SELECT p.url, p.headers, CASE WHEN c.status < 300 THEN c.body WHEN c.status >= 400 THEN X'' END AS file, "
                + "row_number() OVER (PARTITION BY p.url, p.date ORDER BY c.date DESC) AS place "
                + "FROM pages p LEFT JOIN captures c ON c.origin = robots.origin(p.url) AND c.date <= p.date AND c.status < 500 "
                + ") WHERE place = 1 ORDER BY url").collectAsList().toString());
        fails(session, "robots.use_for('*', '', " + headers + ", url, 'trainig')", "the purpose 'trainig' is not known");
        fails(session, "robots.use_for('*', '', 'x: y', url, 'training')", "headers is MAP<STRING, STRING>, not STRING");
    }

    private static String failure(SparkSession session, String expression) {
        Throwable thrown = assertThrows(Throwable.class, () -> value(session, "SELECT " + expression + " FROM t"), expression);
        StringBuilder all = new StringBuilder();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            all.append(cause).append('\n');
        }
        return all.toString();
    }

    private static void fails(SparkSession session, String expression, String message) {
        String all = failure(session, expression);
        assertTrue(all.contains(message), expression + ": " + all);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void failures(boolean isGenerated) {
        SparkSession session = session(isGenerated, "https://example.com/");
        for (String call : new String[] {"allowed(damaged, url)", "answer(damaged, url)", "verdict(damaged, url)", "crawl_delay(damaged)"}) {
            fails(session, "robots." + call, "bytes are no image of rules");
        }
        fails(session, "robots.sitemaps(damaged)", "IllegalArgumentException");
        fails(session, "robots.allowed(CAST(image AS STRING), url)", "image is BINARY, not STRING: pass the result of compile or outcome");
        fails(session, "robots.allowed(image, body)", "url is STRING, not BINARY: write CAST(... AS STRING)");
        fails(session, "robots.allowed(image)", "allowed(image BINARY, url STRING) has 1 arguments here");
        fails(session, "robots.compile('x', body, 'dialect=google', 1)", "compile(agent STRING, body BINARY or STRING[, options STRING])");
        fails(session, "robots.outcome('x', '200', body)", "status is INT, not STRING: write CAST(... AS INT)");
        fails(session, "robots.compile('Mozilla/5.0 (compatible)', body)", "IllegalArgumentException");
        fails(session, "robots.compile('x', body, 'dialect=yahoo')", "the dialect 'yahoo' is not known; known are [rfc9309, google, koster1996]");
        fails(session, "robots.compile('x', body, 'speed=1')", "the option 'speed' is not known");
        fails(session, "robots.compile('x', body, 'max_bytes=many')", "the option max_bytes is 512000 to 1073741824, not 'many'");
        fails(session, "robots.compile('x', body, 'max_bytes=3')", "the option max_bytes is 512000 to 1073741824, not '3'");
        fails(session, "robots.compile('x', body, 'max_bytes=99999999999')", "the option max_bytes is 512000 to 1073741824, not '99999999999'");
        fails(session, "robots.compile('x', body, 'ignore_star=1')", "the option ignore_star is true or false, not '1'");
        fails(session, "robots.compile('Googlebot', body, 'preset=true, max_bytes=600000')", "the option preset stands alone");
        assertTrue(failure(session, "robots.nothing(url)").contains("nothing"));
    }

    @Test
    void options() {
        SparkSession session = session(true, "https://example.com/private");
        assertArrayEquals(Crawler.builder("ExampleBot").dialect(io.github.librobots.Dialect.GOOGLE).build().compile(BODY),
                (byte[]) value(session, "SELECT robots.compile('ExampleBot', body, 'dialect=google') FROM t"));
        assertEquals("allowed", value(session, "SELECT robots.answer(robots.outcome('x', 429, body, 'on_too_many_requests = allow_all'), url) FROM t"));
        assertEquals("disallowed", value(session, "SELECT robots.answer(robots.outcome('x', 403, body, 'dialect=koster1996'), url) FROM t"));
        assertEquals(true, value(session, "SELECT robots.once('AdsBot-Google', 'User-agent: *\nDisallow: /', url, 'preset') FROM t"));
        assertEquals(false, value(session, "SELECT robots.once('Nobody, ExampleBot', body, url, 'max_bytes=600000;ignore_star=true') FROM t"));
    }

    /** The catalog lists its functions. */
    @Test
    void catalog() {
        SparkSession session = session(true, "");
        String shown = session.sql("SHOW USER FUNCTIONS IN robots").collectAsList().toString();
        assertTrue(shown.contains("robots.crawl_delay"), shown);
        // The Dataset API and PySpark use call_function and expr.
        assertEquals(false, session.table("t").select(functions.call_function("robots.allowed", functions.col("image"),
                functions.lit("/private"))).collectAsList().get(0).get(0));
        assertEquals(true, session.table("t").select(functions.expr("robots.allowed(image, '/page')")).collectAsList().get(0).get(0));
        assertEquals(14, new RobotsCatalog().listFunctions(new String[0]).length);
        assertEquals(0, new RobotsCatalog().listFunctions(new String[] {"x"}).length);
    }

    /** Spark 4 has strings with a collation. */
    @Test
    void collatedStrings() {
        SparkSession session = session(true, "https://EXAMPLE.com/private");
        if (session.version().startsWith("3.")) {
            return;
        }
        assertEquals("https://example.com", value(session, "SELECT robots.origin(url COLLATE UTF8_LCASE) FROM t"));
        assertEquals(false, value(session, "SELECT robots.allowed(image, url COLLATE UNICODE_CI) FROM t"));
        assertEquals(false, value(session, "SELECT robots.once('ExampleBot' COLLATE UTF8_LCASE, CAST(body AS STRING) COLLATE UNICODE, url) FROM t"));
        fails(session, "robots.allowed(CAST(image AS STRING) COLLATE UNICODE, url)", "image is BINARY");
    }

    /** A query with an agent per row does not fill the memory. */
    @Test
    void crawlersAreBounded() {
        for (int i = 0; i < 3 * Crawlers.MOST; i++) {
            UTF8String agent = UTF8String.fromString("Bot" + i);
            assertTrue(Crawlers.get(agent, null) == Crawlers.get(agent, null));
            assertTrue(Crawlers.count() <= Crawlers.MOST);
        }
    }

    /** Every row has the answer of a single process, in a join that is not sorted. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void manyRows(boolean isGenerated) {
        SparkSession session = Sessions.make(isGenerated);
        Sample sample = new Sample(1, 300, 20_000);
        sample.urls(session).createOrReplaceTempView("urls");
        List<Row> images = new ArrayList<>();
        for (Map.Entry<String, Rules> entry : sample.rules().entrySet()) {
            images.add(RowFactory.create(entry.getKey(), entry.getValue().image()));
        }
        session.createDataFrame(images, new StructType().add("origin", DataTypes.StringType).add("image", DataTypes.BinaryType))
                .createOrReplaceTempView("images");
        Dataset<Row> joined = session.sql("SELECT id, url, origin, robots.allowed(image, url) AS allowed, robots.verdict(image, url) AS v, "
                + "robots.answer(image, url) AS answer, robots.robots_url(url) AS robots_url FROM urls "
                + "JOIN images ON images.origin = robots.origin(url)");
        int count = 0;
        for (Row row : joined.collectAsList()) {
            io.github.librobots.Verdict wanted = sample.rules().get(row.getString(2)).check(row.getString(1));
            Row v = row.getStruct(4);
            assertEquals(wanted.allowed(), row.get(3));
            assertEquals(RowFactory.create(wanted.allowed(), wanted.reason().name(), wanted.line()), v);
            assertEquals(sample.answer(row.getLong(0)), row.get(5));
            assertEquals(Origin.of(row.getString(1)).robotsUrl(), row.get(6));
            count++;
        }
        assertTrue(count > 15_000, count + " rows");
    }
}
