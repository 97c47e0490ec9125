package io.github.librobots.spark;

import java.util.Map;
import java.util.Set;
import org.apache.spark.rdd.RDD;
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
 * <p>The options are {@code captures}, the name of a table or view; {@code agent}, as for {@link RobotsFilter#forAgent}; and
 * {@code options}, those of the crawler. Each read of the view compiles the captures again: write the images to a table.
 */
public final class ImagesSource implements TableProvider, DataSourceRegister {
    private static final StructType SCHEMA = new StructType().add("origin", DataTypes.StringType).add("image", DataTypes.BinaryType);

    /** Makes the source; Spark calls it. */
    public ImagesSource() {}

    @Override
    public String shortName() {
        return "robots_images";
    }

    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        return SCHEMA;
    }

    @Override
    public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
        Options.requireKnown(shortName(), properties, "captures", "agent", "options");
        CaseInsensitiveStringMap options = new CaseInsensitiveStringMap(properties);
        String captures = needed(options, "captures");
        return new ImagesTable(captures, RobotsFilter.forAgent(needed(options, "agent")).options(options.getOrDefault("options", "")));
    }

    private static String needed(CaseInsensitiveStringMap options, String name) {
        if (!options.containsKey(name)) {
            throw new IllegalArgumentException("robots_images: the option " + name + " is missing");
        }
        return options.get(name);
    }

    /** The images as a table. */
    private static final class ImagesTable implements SupportsRead {
        private final String captures;
        private final RobotsFilter filter;

        ImagesTable(String captures, RobotsFilter filter) {
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
            return SCHEMA;
        }

        @Override
        public Set<TableCapability> capabilities() {
            return Set.of(TableCapability.BATCH_READ);
        }

        @Override
        public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
            return () -> new ImagesScan(captures, filter);
        }
    }

    /** A scan whose rows are those of a query. */
    private static final class ImagesScan implements V1Scan {
        private final String captures;
        private final RobotsFilter filter;

        ImagesScan(String captures, RobotsFilter filter) {
            this.captures = captures;
            this.filter = filter;
        }

        @Override
        public StructType readSchema() {
            return SCHEMA;
        }

        @Override
        @SuppressWarnings("unchecked") // Spark calls it for a relation with a scan, which this is
        public <T extends BaseRelation & TableScan> T toV1TableScan(SQLContext context) {
            return (T) new ImagesRelation(context, captures, filter);
        }
    }

    /** The query. */
    private static final class ImagesRelation extends BaseRelation implements TableScan {
        private final SQLContext context;
        private final String captures;
        private final RobotsFilter filter;

        ImagesRelation(SQLContext context, String captures, RobotsFilter filter) {
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
            return SCHEMA;
        }

        @Override
        public RDD<Row> buildScan() {
            return filter.images(context.sparkSession().table(captures)).rdd();
        }
    }
}
