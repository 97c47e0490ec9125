package io.github.librobots;

import java.util.function.Consumer;

/** Passes the records of a cache to a function. */
final class RecordReceiver {
    /** The number of records. */
    int count;

    private final Consumer<byte[]> receive;

    RecordReceiver(Consumer<byte[]> receive) {
        this.receive = receive;
    }

    /** Passes a record on; {@link Native#cacheEach} calls it. */
    void receive(long address, long length) {
        byte[] record = new byte[Math.toIntExact(length)];
        Native.copy(address, record);
        receive.accept(record);
        count++;
    }
}
