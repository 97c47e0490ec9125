package io.github.librobots.spark;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Makes the data of tests/cluster, and compares its results with those of a single process. */
public final class ClusterCheck {
    private ClusterCheck() {}

    /**
     * Makes data or compares.
     *
     * @param arguments FOLDER make SITES URLS, or FOLDER compare OUT COLUMN
     * @throws IOException if a file cannot be written
     */
    public static void main(String[] arguments) throws IOException {
        SparkSession session = SparkSession.builder().appName("librobots check").getOrCreate();
        String folder = arguments[0];
        if (arguments[1].equals("make")) {
            make(session, folder, Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
        } else {
            compare(session, folder, arguments[2], arguments[3]);
        }
        session.stop();
    }

    private static void make(SparkSession session, String folder, int sites, int urls) throws IOException {
        Sample sample = new Sample(11, sites, urls);
        List<Row> rows = new ArrayList<>();
        for (long id = 0; id < urls; id++) {
            rows.add(RowFactory.create(id, sample.url(id), sample.answer(id)));
        }
        StructType type = Sample.URLS.add("wanted", DataTypes.StringType);
        Dataset<Row> all = session.createDataFrame(rows, type);
        all.write().mode("overwrite").parquet(folder + "/wanted");
        all.select("id", "url").repartition(24).write().mode("overwrite").parquet(folder + "/urls");
        Path robots = Paths.get(folder, "robotstxt");
        Files.createDirectories(robots);
        List<Row> captures = sample.captureRows();
        int files = 8;
        for (int file = 0; file < files; file++) {
            boolean isCompressed = file % 2 == 0;
            try (OutputStream out = Files.newOutputStream(robots.resolve("part-" + file + (isCompressed ? ".warc.gz" : ".warc")))) {
                for (int i = file; i < captures.size(); i += files) {
                    byte[] record = record(captures.get(i));
                    out.write(isCompressed ? WarcRecords.gzip(record) : record);
                }
            }
        }
    }

    /** A WARC file has no status 0, and a redirect without a target means something else there. */
    private static byte[] record(Row capture) {
        int status = capture.getInt(2);
        byte[] body = capture.isNullAt(3) ? new byte[0] : capture.getAs(3);
        String date = capture.getTimestamp(1).toInstant().toString();
        if (status == 0) {
            return WarcRecords.response(capture.getString(0), date, "200 OK", body, "WARC-Truncated: disconnect\r\n");
        }
        return WarcRecords.response(capture.getString(0), date, (status == 301 ? 304 : status) + " X", body);
    }

    private static void compare(SparkSession session, String folder, String out, String column) {
        Dataset<Row> wanted = session.read().parquet(folder + "/wanted").select("id", "wanted");
        Dataset<Row> found = session.read().parquet(out).selectExpr("id AS own", column + " AS found");
        long same = wanted.join(found, wanted.col("id").equalTo(found.col("own")).and(wanted.col("wanted").equalTo(found.col("found"))))
                .select("id").distinct().count();
        System.out.println(wanted.count() + " wanted, " + found.count() + " found, " + same + " the same");
    }
}
