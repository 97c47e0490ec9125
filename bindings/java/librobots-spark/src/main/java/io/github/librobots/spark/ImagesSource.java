package io.github.librobots.spark;

import java.util.Map;
import java.util.Set;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.V1Scan;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.sources.TableScan;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A data source for SQL: {@link RobotsFilter#images} of a table or view of captures.
 *
 * <pre>{@code
 * CREATE TEMPORARY VIEW compiled USING robots_images OPTIONS (captures 'captures', agent 'ExampleBot')
 * }</pre>
 *
 * <p>The options are {@code captures}, the name of a table or view; {@code agent}, as for {@link RobotsFilter#forAgent};
 * {@code options}, those of the crawler; and {@code result}: {@code images}, the default, or {@code counts}, a row of
 * {@link RobotsFilter#counts}. Each read of the view compiles the captures again: write the images to a table.
 */
public final class ImagesSource implements TableProvider, DataSourceRegister {
    private static final StructType IMAGES = new StructType().add("origin", DataTypes.StringType).add("image", DataTypes.BinaryType);
    private static final StructType COUNTS = counts();

    /** Makes the source; Spark calls it. */
    public ImagesSource() {}

    private static StructType counts() {
        StructType type = new StructType();
        for (String name : new String[] {"sites", "unreachable", "without_file", "captures", "repeated", "unusable", "other_pages",
            "redirects_lost", "after_outage", "ties", "without_group", "damaged"}) {
            type = type.add(name, DataTypes.LongType);
        }
        return type;
    }

    @Override
    public String shortName() {
        return "robots_images";
    }

    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        String result = options.getOrDefault("result", "images");
        switch (result) {
            case "images":
                return IMAGES;
            case "counts":
                return COUNTS;
            default:
                throw new IllegalArgumentException("robots_images: result is '" + result + "': write images or counts");
        }
    }

    @Override
    public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
        Options.requireKnown(shortName(), properties, "captures", "agent", "options", "result");
        CaseInsensitiveStringMap options = new CaseInsensitiveStringMap(properties);
        String captures = needed(options, "captures");
        return new ImagesTable(schema, captures, RobotsFilter.forAgent(needed(options, "agent")).options(options.getOrDefault("options", "")));
    }

    private static String needed(CaseInsensitiveStringMap options, String name) {
        if (!options.containsKey(name)) {
            throw new IllegalArgumentException("robots_images: the option " + name + " is missing");
        }
        return options.get(name);
    }

    /** The images as a table. */
    private static final class ImagesTable implements SupportsRead {
        private final StructType schema;
        private final String captures;
        private final RobotsFilter filter;

        ImagesTable(StructType schema, String captures, RobotsFilter filter) {
            this.schema = schema;
            this.captures = captures;
            this.filter = filter;
        }

        @Override
        public String name() {
            return "robots_images of " + captures;
        }

        @Override
        @Deprecated
        public StructType schema() {
            return schema;
        }

        @Override
        public Set<TableCapability> capabilities() {
            return Set.of(TableCapability.BATCH_READ);
        }

        @Override
        public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
            return () -> new ImagesScan(schema, captures, filter);
        }
    }

    /** A scan whose rows are those of a query. */
    private static final class ImagesScan implements V1Scan {
        private final StructType schema;
        private final String captures;
        private final RobotsFilter filter;

        ImagesScan(StructType schema, String captures, RobotsFilter filter) {
            this.schema = schema;
            this.captures = captures;
            this.filter = filter;
        }

        @Override
        public StructType readSchema() {
            return schema;
        }

        @Override
        @SuppressWarnings("unchecked") // Spark calls it for a relation with a scan, which this is
        public <T extends BaseRelation & TableScan> T toV1TableScan(SQLContext context) {
            return (T) new ImagesRelation(context, schema, captures, filter);
        }
    }

    /** The query. */
    private static final class ImagesRelation extends BaseRelation implements TableScan {
        private final SQLContext context;
        private final StructType schema;
        private final String captures;
        private final RobotsFilter filter;

        ImagesRelation(SQLContext context, StructType schema, String captures, RobotsFilter filter) {
            this.schema = schema;
            this.context = context;
            this.captures = captures;
            this.filter = filter;
        }

        @Override
        public SQLContext sqlContext() {
            return context;
        }

        @Override
        public StructType schema() {
            return schema;
        }

        @Override
        public RDD<Row> buildScan() {
            Dataset<Row> table = context.sparkSession().table(captures);
            return (schema.equals(COUNTS) ? filter.counts(table) : filter.images(table)).rdd();
        }
    }
}
