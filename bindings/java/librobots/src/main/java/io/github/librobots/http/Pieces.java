package io.github.librobots.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A response body as a stream whose reads end at a deadline, however slowly the server sends. It requests one delivery of the client
 * at a time, so at most one is buffered.
 */
final class Pieces extends InputStream implements Flow.Subscriber<List<ByteBuffer>> {
    private static final List<ByteBuffer> END = List.of();

    /** Lists of buffers, {@link #END}, or a Throwable. */
    private final BlockingQueue<Object> arrived = new LinkedBlockingQueue<>();
    private final Queue<ByteBuffer> current = new ArrayDeque<>();
    private final long deadline;
    private volatile Flow.Subscription subscription;
    private volatile boolean closed;
    private boolean ended;

    /** Makes a stream whose reads end at {@code deadline}, a time of {@link System#nanoTime}. */
    Pieces(long deadline) {
        this.deadline = deadline;
    }

    @Override
    public void onSubscribe(Flow.Subscription s) {
        subscription = s;
        if (closed) {
            s.cancel();
        } else {
            s.request(1);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        if (buffers.isEmpty()) { // an empty list is END
            subscription.request(1);
        } else {
            arrived.add(buffers);
        }
    }

    @Override
    public void onError(Throwable failure) {
        arrived.add(failure);
    }

    @Override
    public void onComplete() {
        arrived.add(END);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, to.length);
        if (length == 0) {
            return 0;
        }
        while (true) {
            while (!current.isEmpty()) {
                ByteBuffer first = current.element();
                if (first.hasRemaining()) {
                    int count = Math.min(length, first.remaining());
                    first.get(to, offset, count);
                    return count;
                }
                current.remove();
            }
            if (ended) {
                return -1;
            }
            await();
        }
    }

    private void await() throws IOException {
        Object next;
        try {
            next = arrived.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while reading a robots.txt");
        }
        if (next == null) {
            throw new HttpTimeoutException("the body of a robots.txt took too long");
        }
        if (next instanceof Throwable) {
            throw next instanceof IOException ? (IOException) next : new IOException((Throwable) next);
        }
        if (next == END) {
            ended = true;
            return;
        }
        for (Object buffer : (List<?>) next) {
            current.add((ByteBuffer) buffer);
        }
        subscription.request(1);
    }

    /** Cancels the rest of the response. */
    @Override
    public void close() {
        closed = true;
        Flow.Subscription s = subscription;
        if (s != null) {
            s.cancel();
        }
    }
}
