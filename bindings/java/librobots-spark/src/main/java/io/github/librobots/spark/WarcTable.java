package io.github.librobots.spark;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** The captures in WARC files. A partition is one large file, or several small ones. */
final class WarcTable implements SupportsRead {
    /** Small files share a partition up to this size. */
    private static final long PARTITION_BYTES = 128L << 20;

    private final CaseInsensitiveStringMap options;

    WarcTable(CaseInsensitiveStringMap options) {
        this.options = options;
    }

    @Override
    public String name() {
        return "robots_warc";
    }

    @Override
    @Deprecated
    public StructType schema() {
        return WarcSource.SCHEMA;
    }

    @Override
    public Set<TableCapability> capabilities() {
        return Set.of(TableCapability.BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap readOptions) {
        Map<String, String> all = new HashMap<>(options.asCaseSensitiveMap());
        all.putAll(readOptions.asCaseSensitiveMap());
        CaseInsensitiveStringMap merged = new CaseInsensitiveStringMap(all);
        return () -> new WarcScan(merged);
    }

    /** A scan of all files. */
    private static final class WarcScan implements Scan, Batch {
        private final List<String> paths;
        private final WarcSettings settings;

        WarcScan(CaseInsensitiveStringMap options) {
            paths = paths(options);
            settings = new WarcSettings(options);
        }

        @Override
        public StructType readSchema() {
            return WarcSource.SCHEMA;
        }

        @Override
        public String description() {
            return "robots_warc " + paths;
        }

        @Override
        public Batch toBatch() {
            return this;
        }

        @Override
        public InputPartition[] planInputPartitions() {
            List<InputPartition> partitions = new ArrayList<>();
            List<String> files = new ArrayList<>();
            long bytes = 0;
            try {
                for (FileStatus file : files(hadoop())) {
                    if (!files.isEmpty() && bytes + file.getLen() > PARTITION_BYTES) {
                        partitions.add(new WarcPartition(files));
                        files = new ArrayList<>();
                        bytes = 0;
                    }
                    files.add(file.getPath().toString());
                    bytes += file.getLen();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            if (!files.isEmpty()) {
                partitions.add(new WarcPartition(files));
            }
            return partitions.toArray(new InputPartition[0]);
        }

        private List<FileStatus> files(Configuration hadoop) throws IOException {
            List<FileStatus> files = new ArrayList<>();
            for (String path : paths) {
                Path pattern = new Path(path);
                FileSystem system = pattern.getFileSystem(hadoop);
                FileStatus[] found = system.globStatus(pattern);
                if (found == null || found.length == 0) {
                    throw new FileNotFoundException("no WARC file at " + path);
                }
                for (FileStatus status : found) {
                    add(system, status, files);
                }
            }
            return files;
        }

        private static void add(FileSystem system, FileStatus status, List<FileStatus> files) throws IOException {
            if (!status.isDirectory()) {
                files.add(status);
                return;
            }
            FileStatus[] children = system.listStatus(status.getPath());
            Arrays.sort(children);
            for (FileStatus child : children) {
                String name = child.getPath().getName();
                if (!name.startsWith("_") && !name.startsWith(".")) { // as Spark's other sources do
                    add(system, child, files);
                }
            }
        }

        @Override
        public PartitionReaderFactory createReaderFactory() {
            Map<String, String> entries = new HashMap<>();
            hadoop().forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
            return new WarcReaders(entries, settings);
        }

        private static Configuration hadoop() {
            return SparkSession.active().sparkContext().hadoopConfiguration();
        }

        /** Spark passes one path as {@code path}, several as an array of JSON in {@code paths}. */
        private static List<String> paths(CaseInsensitiveStringMap options) {
            List<String> paths = new ArrayList<>();
            if (options.containsKey("path")) {
                paths.add(options.get("path"));
            }
            if (options.containsKey("paths")) {
                try {
                    paths.addAll(Arrays.asList(new ObjectMapper().readValue(options.get("paths"), String[].class)));
                } catch (JsonProcessingException e) {
                    throw new IllegalArgumentException("the option paths is no array of JSON: " + options.get("paths"), e);
                }
            }
            if (paths.isEmpty()) {
                throw new IllegalArgumentException("no path of WARC files: call load(path)");
            }
            return paths;
        }
    }

    /** Files that one task reads. */
    static final class WarcPartition implements InputPartition {
        private static final long serialVersionUID = 1L;

        private final ArrayList<String> files;

        WarcPartition(List<String> files) {
            this.files = new ArrayList<>(files);
        }
    }

    /** Makes readers in executors, with the Hadoop configuration of the driver. */
    private static final class WarcReaders implements PartitionReaderFactory {
        private static final long serialVersionUID = 1L;

        private final HashMap<String, String> hadoop;
        private final WarcSettings settings;

        WarcReaders(Map<String, String> hadoop, WarcSettings settings) {
            this.hadoop = new HashMap<>(hadoop);
            this.settings = settings;
        }

        @Override
        public PartitionReader<InternalRow> createReader(InputPartition partition) {
            Configuration configuration = new Configuration(false);
            hadoop.forEach(configuration::set);
            return new WarcFileReader(((WarcPartition) partition).files, configuration, settings);
        }
    }
}
