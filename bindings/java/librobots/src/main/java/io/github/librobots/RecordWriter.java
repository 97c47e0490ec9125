package io.github.librobots;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Writes the records of a cache, each after its length, four bytes big-endian. */
final class RecordWriter {
    private final DataOutputStream out;
    private int count;

    RecordWriter(OutputStream out) {
        this.out = new DataOutputStream(out);
    }

    /** Writes a record; {@link Native#cacheEach} calls it. */
    void write(long address, long length) throws IOException {
        byte[] record = new byte[Math.toIntExact(length)];
        Native.copy(address, record);
        out.writeInt(record.length);
        out.write(record);
        count++;
    }

    /** Flushes the stream and returns the number of records. */
    int end() throws IOException {
        out.flush();
        return count;
    }
}
