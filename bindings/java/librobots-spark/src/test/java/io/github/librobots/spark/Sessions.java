package io.github.librobots.spark;

import java.util.Collections;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The Spark of the tests: one per JVM, with Kryo. */
final class Sessions {
    private Sessions() {}

    /** Returns a new session on the one Spark of this JVM. */
    static SparkSession make(boolean isGenerated) {
        SparkSession session = SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", "false")
                .config("spark.sql.shuffle.partitions", "3")
                .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
                .config("spark.sql.warehouse.dir", "target/warehouse")
                .getOrCreate()
                .newSession();
        session.sparkContext().setLogLevel("OFF");
        session.conf().set("spark.sql.catalog.robots", RobotsCatalog.class.getName());
        session.conf().set("spark.sql.codegen.wholeStage", isGenerated);
        session.conf().set("spark.sql.codegen.factoryMode", isGenerated ? "CODEGEN_ONLY" : "NO_CODEGEN");
        return session;
    }

    /** Returns the one value of a statement. */
    static Object value(SparkSession session, String sql) {
        return session.sql(sql).collectAsList().get(0).get(0);
    }

    /** Returns the rows of a dataset. */
    static List<Row> rows(Dataset<Row> dataset) {
        return Collections.unmodifiableList(dataset.collectAsList());
    }
}
