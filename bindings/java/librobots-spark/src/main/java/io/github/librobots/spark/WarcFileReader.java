package io.github.librobots.spark;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.netpreserve.jwarc.WarcCaptureRecord;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;

/** Reads the captures of some WARC files, one record at a time. */
final class WarcFileReader implements PartitionReader<InternalRow> {
    private final Iterator<String> files;
    private final Configuration hadoop;
    private final WarcSettings settings;
    private String file;
    private WarcReader reader;
    private InternalRow row;

    WarcFileReader(List<String> files, Configuration hadoop, WarcSettings settings) {
        this.files = files.iterator();
        this.hadoop = hadoop;
        this.settings = settings;
    }

    @Override
    public boolean next() throws IOException {
        while (true) {
            if (reader == null) {
                if (!files.hasNext()) {
                    return false;
                }
                file = files.next();
            }
            try {
                if (reader == null) {
                    Path path = new Path(file);
                    reader = new WarcReader(path.getFileSystem(hadoop).open(path));
                }
                Optional<WarcRecord> record = reader.next();
                if (record.isEmpty()) {
                    close();
                } else if (record.get() instanceof WarcCaptureRecord) {
                    row = Capture.row((WarcCaptureRecord) record.get(), settings);
                    if (row != null) {
                        return true;
                    }
                }
            } catch (IOException | RuntimeException e) { // jwarc throws both for damage
                close();
                if (!settings.skipsDamage) {
                    throw new IOException(file + ": " + e.getMessage() + " (on_damage=skip leaves out the rest of such a file)", e);
                }
            }
        }
    }

    @Override
    public InternalRow get() {
        return row;
    }

    @Override
    public void close() throws IOException {
        if (reader != null) {
            reader.close();
            reader = null;
        }
    }
}
