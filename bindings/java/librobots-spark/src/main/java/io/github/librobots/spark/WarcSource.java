package io.github.librobots.spark;

import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A data source that reads captures of robots.txt from WARC files, plain or compressed:
 * {@code spark.read().format("robots_warc").load("crawl-data/.../robotstxt/")}. A path names a file, a directory or a glob, on any file
 * system that Hadoop knows.
 *
 * <p>Each HTTP response is a row:
 *
 * <ul>
 *   <li>{@code url} STRING: the URL that was requested;
 *   <li>{@code origin} STRING: the key of its site; null if the URL is not that of a robots.txt, as after a redirect;
 *   <li>{@code date} TIMESTAMP: the time of the capture;
 *   <li>{@code status} INT: the HTTP status;
 *   <li>{@code target} STRING: the absolute URL that a redirect names; empty if it names none that can be used; null without redirect;
 *   <li>{@code headers} MAP of STRING to STRING: the names in lower case, several values separated by a comma;
 *   <li>{@code body} BINARY: the file, its transfer and content codings undone, at most {@code max_bytes} and one byte of it;
 *   <li>{@code failure} STRING: why the body is not the file (SPEC 2.10, 2.17); null if it is.
 * </ul>
 *
 * <p>The option {@code max_bytes} is the size limit (SPEC 4.5); default: 512,000. The option {@code on_damage} says what a damaged WARC
 * file does: {@code fail} (default), or {@code skip}, which leaves out the rest of the file.
 */
public final class WarcSource implements TableProvider, DataSourceRegister {
    static final StructType SCHEMA = new StructType()
            .add("url", DataTypes.StringType)
            .add("origin", DataTypes.StringType)
            .add("date", DataTypes.TimestampType)
            .add("status", DataTypes.IntegerType)
            .add("target", DataTypes.StringType)
            .add("headers", DataTypes.createMapType(DataTypes.StringType, DataTypes.StringType, false))
            .add("body", DataTypes.BinaryType)
            .add("failure", DataTypes.StringType);

    /** Makes the source; Spark calls it. */
    public WarcSource() {}

    @Override
    public String shortName() {
        return "robots_warc";
    }

    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        return SCHEMA;
    }

    @Override
    public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
        return new WarcTable(new CaseInsensitiveStringMap(properties));
    }
}
