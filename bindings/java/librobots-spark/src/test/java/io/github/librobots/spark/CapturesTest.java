package io.github.librobots.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cases of captures (SPEC 11), which the command and the Python package read, too. */
class CapturesTest {
    private static final Path CASES = Paths.get("../../../tests/data/captures.jsonl");
    static final StructType ROWS = new StructType().add("url", DataTypes.StringType).add("date", DataTypes.StringType)
            .add("status", DataTypes.IntegerType).add("target", DataTypes.StringType).add("failure", DataTypes.StringType)
            .add("body", DataTypes.StringType);

    @TempDir
    Path folder;

    /** The sites of the cases with the same options, in one table and one archive. */
    private static final class Group {
        final List<String> rows = new ArrayList<>();
        final ByteArrayOutputStream archive = new ByteArrayOutputStream();
        final Map<String, String> wanted = new LinkedHashMap<>();
    }

    private static Map<String, String> answers(SparkSession session, Dataset<Row> captures, String options, Dataset<Row> urls) {
        Map<String, String> found = new LinkedHashMap<>();
        RobotsFilter.forAgent("ExampleBot").options(options).answers(urls, captures).select("url", "robots").collectAsList()
                .forEach(row -> found.put(row.getString(0), row.getString(1)));
        session.catalog().clearCache();
        return found;
    }

    @Test
    void cases() throws IOException {
        ObjectMapper json = new ObjectMapper();
        Map<String, Group> groups = new LinkedHashMap<>();
        List<String> lines = Files.readAllLines(CASES, StandardCharsets.US_ASCII);
        for (int i = 0; i < lines.size(); i++) {
            // Each case has sites of its own. An IP address is no name that could be changed.
            JsonNode test = json.readTree(lines.get(i).replaceAll("(?i)[.](example)", ".n" + i + ".$1"));
            List<String> options = new ArrayList<>();
            test.get("options").fields().forEachRemaining(option -> options.add(option.getKey() + "=" + option.getValue().asText()));
            boolean isArchive = test.has("records");
            Group group = groups.computeIfAbsent(String.join(",", options) + (isArchive ? ";" : ""), key -> new Group());
            test.get("expect").fields().forEachRemaining(url -> group.wanted.put(url.getKey(), url.getValue().asText()));
            for (JsonNode row : test.get(isArchive ? "records" : "captures")) {
                if (!isArchive) {
                    group.rows.add(row.toString());
                    continue;
                }
                String type = row.get("type").asText();
                String more = type.equals("resource") ? "" : "Content-Type: application/http; msgtype=response\r\n";
                more += row.has("truncated") ? "WARC-Truncated: " + row.get("truncated").asText() + "\r\n" : "";
                byte[] block = row.get("block").asText().getBytes(StandardCharsets.ISO_8859_1);
                group.archive.writeBytes(WarcRecords.record(type, row.get("url").asText(), row.get("date").asText(), more, block));
            }
        }
        SparkSession session = Sessions.make(true);
        for (Map.Entry<String, Group> entry : groups.entrySet()) {
            Group group = entry.getValue();
            Dataset<Row> captures = session.read().schema(ROWS).json(session.createDataset(group.rows, Encoders.STRING()));
            if (entry.getKey().endsWith(";")) {
                Path file = folder.resolve("a.warc");
                Files.write(file, group.archive.toByteArray());
                captures = session.read().format("robots_warc").load(file.toString());
            }
            Dataset<Row> urls = session.createDataset(new ArrayList<>(group.wanted.keySet()), Encoders.STRING()).toDF("url");
            assertEquals(group.wanted, answers(session, captures, entry.getKey().replace(";", ""), urls), entry.getKey());
        }
    }
}
