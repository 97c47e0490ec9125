package io.github.librobots.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job of the command line. */
class JobTest {
    private static final int URLS = 3000;

    @TempDir
    Path folder;

    private final SparkSession session = Sessions.make(true);
    private final Sample sample = new Sample(5, 150, URLS);
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private void input(int files) {
        sample.urls(session).repartition(files).write().parquet(folder + "/urls");
        sample.captures(session).write().parquet(folder + "/robots");
    }

    private FilterOptions options(String... more) {
        String[] all = {"--urls", folder + "/urls", "--robots", folder + "/robots", "--robots-format", "parquet", "--agent", Sample.AGENT,
            "--on-missing", "allow", "--out", folder + "/out", "--batch-files", "2"};
        String[] joined = java.util.Arrays.copyOf(all, all.length + more.length);
        System.arraycopy(more, 0, joined, all.length, more.length);
        return FilterOptions.parse(joined);
    }

    private Map<String, Long> run(String... more) throws IOException {
        printed.reset();
        return new FilterJob(session, options(more), new PrintStream(printed, true, StandardCharsets.UTF_8)).run();
    }

    private Map<String, Long> wanted() {
        Map<String, Long> wanted = new HashMap<>();
        for (String name : new String[] {"allowed", "disallowed", "unreachable", "no_capture", "bad_url"}) {
            wanted.put(name, 0L);
        }
        for (long id = 0; id < URLS; id++) {
            wanted.merge(sample.answer(id), 1L, Long::sum);
        }
        return wanted;
    }

    private void isComplete() {
        Set<Long> ids = session.read().parquet(folder + "/out").select("id").collectAsList().stream().map(r -> r.getLong(0))
                .collect(Collectors.toSet());
        for (long id = 0; id < URLS; id++) {
            assertEquals(Set.of("allowed", "no_capture").contains(sample.answer(id)), ids.contains(id), "URL " + id);
        }
        assertEquals(wanted().get("allowed") + wanted().get("no_capture"), session.read().parquet(folder + "/out").count());
    }

    @Test
    void runAndRestart() throws IOException {
        input(6);
        assertEquals(wanted(), run());
        isComplete();
        assertTrue(printed.toString(StandardCharsets.UTF_8).contains("3 batches of 6 files"), printed.toString(StandardCharsets.UTF_8));
        // A run that ended in the middle of the second batch: some of its files, no counters.
        Files.delete(folder.resolve("out/_robots/batch-00001.txt"));
        Files.delete(folder.resolve("out/_robots/counters.txt"));
        Files.delete(folder.resolve("out/batch=00001/_SUCCESS"));
        long kept = Files.getLastModifiedTime(folder.resolve("out/batch=00000/_SUCCESS")).toMillis();
        assertEquals(wanted(), run("--broadcast-mb", "0"));
        isComplete();
        assertEquals(kept, Files.getLastModifiedTime(folder.resolve("out/batch=00000/_SUCCESS")).toMillis());
        String lines = printed.toString(StandardCharsets.UTF_8);
        assertTrue(lines.contains("batch 1 of 3: already written") && lines.contains("batch 2 of 3: ") && lines.contains(" URLs/s"), lines);
        assertFalse(lines.contains("batch 2 of 3: already written"), lines);
        // Another job does not write there.
        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> run("--on-missing", "disallow"));
        assertTrue(thrown.getMessage().contains("has other arguments"), thrown.getMessage());
        sample.urls(session).limit(10).write().mode("append").parquet(folder + "/urls");
        assertThrows(IllegalArgumentException.class, () -> run());
    }

    @Test
    void keepsAllOfText() throws IOException {
        input(1);
        Files.write(folder.resolve("urls.txt"), "https://site2.example/robots.txt\nno url\n\nhttps://nobody.example/\n".getBytes(StandardCharsets.UTF_8));
        assertEquals(Map.of("allowed", 1L, "disallowed", 0L, "unreachable", 0L, "no_capture", 1L, "bad_url", 2L),
                run("--urls", folder + "/urls.txt", "--urls-format", "text", "--keep", "all"));
        assertEquals(4, session.read().parquet(folder + "/out").select("url", "robots").count());
    }

    /** Captures that were lost permit nothing. */
    @Test
    void noCaptures() {
        input(1);
        sample.captures(session).limit(0).write().parquet(folder + "/none");
        String message = assertThrows(IllegalArgumentException.class, () -> run("--robots", folder + "/none")).getMessage();
        assertTrue(message.contains("/none holds no capture"), message);
        assertFalse(Files.exists(folder.resolve("out/batch=00000")));
    }

    /** Captures that name no site permit nothing. */
    @Test
    void noSites() {
        input(1);
        sample.captures(session).selectExpr("'bare.example' AS origin", "date", "status", "body").write().parquet(folder + "/bare");
        Throwable thrown = assertThrows(Exception.class, () -> run("--robots", folder + "/bare"));
        StringBuilder all = new StringBuilder();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            all.append(cause).append('\n');
        }
        assertTrue(all.toString().contains("no capture is that of a site"), all.toString());
        assertFalse(Files.exists(folder.resolve("out/batch=00000")));
    }

    /** What cannot be used is counted. */
    @Test
    void unusableCaptures() throws IOException {
        input(1);
        sample.captures(session).selectExpr("substr(url, 9, 60) AS url", "date", "status", "body").limit(7).write().mode("append")
                .parquet(folder + "/robots");
        run();
        String lines = printed.toString(StandardCharsets.UTF_8);
        assertTrue(lines.contains(" unusable=7 other_pages=0"), lines);
    }

    @Test
    void columnRobots() {
        input(1);
        sample.urls(session).selectExpr("id", "url", "1 AS robots").write().parquet(folder + "/own");
        String message = assertThrows(IllegalArgumentException.class, () -> run("--urls", folder + "/own")).getMessage();
        assertTrue(message.contains("the table of URLs has a column 'robots'"), message);
        assertFalse(Files.exists(folder.resolve("out/_robots/images")));
    }

    @Test
    void foreignFolder() throws IOException {
        input(1);
        Files.createDirectories(folder.resolve("out"));
        Files.write(folder.resolve("out/x"), new byte[1]);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> run()).getMessage().contains("is not empty"));
    }

    @Test
    void sizesAreInMebibytes() {
        assertEquals(256L << 20, options().broadcastBytes());
        assertEquals(5000L << 20, options("--broadcast-mb", "5000").broadcastBytes());
    }

    @Test
    void badOptions() {
        String[][] bad = {{"--on-missing", "maybe"}, {"--keep", "none"}, {"--batch-files", "0"}, {"--broadcast-mb", "x"}, {"--speed", "1"},
            {"--options", "dialect=x"}, {"--agent", "a b"}, {"--out"}, {"x", "y"}, {"--max-bytes", "3"}, {"--on-damage", "cry"}};
        for (String[] arguments : bad) {
            assertThrows(IllegalArgumentException.class, () -> options(arguments), String.join(" ", arguments));
        }
        String message = assertThrows(IllegalArgumentException.class, () -> options("--max-bytes", "2000000000")).getMessage();
        assertTrue(message.contains("--max-bytes is 512000 to 1073741824, not '2000000000'"), message);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> FilterOptions.parse("--urls", "x")).getMessage()
                .contains("--robots is missing"));
    }
}
