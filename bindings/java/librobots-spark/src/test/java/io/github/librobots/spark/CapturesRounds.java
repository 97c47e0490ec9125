package io.github.librobots.spark;

import static org.apache.spark.sql.functions.col;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** The rounds that {@code tests/captures/compare PROGRAM FOLDER} wrote: {@code -Dtest=CapturesRounds -Dcaptures=FOLDER}. */
class CapturesRounds {
    @Test
    void answers() throws IOException {
        SparkSession session = Sessions.make(true);
        List<Path> all;
        try (Stream<Path> files = Files.list(Paths.get(System.getProperty("captures")))) {
            all = files.filter(file -> file.toString().endsWith(".answers")).sorted().collect(Collectors.toList());
        }
        long checks = 0;
        for (Path file : all) {
            String name = file.toString().replace(".answers", "");
            Dataset<Row> wanted = session.read().json(file.toString());
            Dataset<Row> captures = Files.exists(Paths.get(name + ".warc")) ? session.read().format("robots_warc").load(name + ".warc")
                    : session.read().schema(CapturesTest.ROWS).json(name + ".json");
            String dialect = wanted.first().getAs("dialect");
            Dataset<Row> found = RobotsFilter.forAgent("ExampleBot").options("dialect=" + dialect).answers(wanted, captures);
            assertEquals(List.of(), found.where(col("robots").notEqual(col("answer"))).limit(3).collectAsList(), name);
            checks += wanted.count();
            session.catalog().clearCache();
        }
        assertTrue(checks > 0);
        System.out.println("captures: " + checks + " checks of Spark agree");
    }
}
