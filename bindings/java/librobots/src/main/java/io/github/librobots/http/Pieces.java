package io.github.librobots.http;

import io.github.librobots.Fetch;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A response as it arrives: status and headers, then the body. Only threads of the client call its parser, which loops forever over
 * the size of some chunks: the thread that reads the pieces ends at its deadline.
 */
final class Pieces implements HttpResponse.BodyHandler<Void>, Flow.Subscriber<List<ByteBuffer>>, AutoCloseable {
    private static final Object END = new Object();

    /** The head, lists of buffers, {@link #END}, or a Throwable. */
    private final BlockingQueue<Object> arrived = new LinkedBlockingQueue<>();
    private final long deadline;
    private volatile Flow.@Nullable Subscription subscription;
    private volatile boolean closed;

    /** Makes a response whose reads end at {@code deadline}, a time of {@link System#nanoTime}. */
    Pieces(long deadline) {
        this.deadline = deadline;
    }

    @Override
    public HttpResponse.BodySubscriber<Void> apply(HttpResponse.ResponseInfo head) {
        arrived.add(head);
        return HttpResponse.BodySubscribers.fromSubscriber(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription s) {
        subscription = s;
        request();
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        arrived.add(buffers);
        request();
    }

    private void request() {
        Flow.Subscription from = Objects.requireNonNull(subscription, "onSubscribe comes first");
        if (closed) {
            from.cancel();
        } else {
            from.request(1);
        }
    }

    @Override
    public void onError(Throwable failure) {
        arrived.add(failure instanceof CompletionException ? failure.getCause() : failure);
    }

    @Override
    public void onComplete() {
        arrived.add(END);
    }

    HttpResponse.ResponseInfo head() throws IOException, InterruptedException {
        return (HttpResponse.ResponseInfo) next();
    }

    /** Passes the body to a fetch, as far as it is wanted. */
    void passTo(Fetch fetch) throws IOException, InterruptedException {
        while (fetch.step() == Fetch.Step.BODY) {
            Object next = next();
            if (next == END) {
                fetch.end();
                return;
            }
            for (Object each : (List<?>) next) {
                ByteBuffer buffer = (ByteBuffer) each;
                byte[] piece = new byte[buffer.remaining()];
                buffer.get(piece);
                if (fetch.step() == Fetch.Step.BODY) {
                    fetch.body(piece, 0, piece.length);
                }
            }
        }
    }

    private Object next() throws IOException, InterruptedException {
        long left = deadline - System.nanoTime();
        Object next = left > 0 ? arrived.poll(left, TimeUnit.NANOSECONDS) : null;
        if (next == null) {
            throw new HttpTimeoutException("fetching a robots.txt took too long");
        }
        if (next instanceof Throwable) {
            throw next instanceof IOException ? (IOException) next : new IOException((Throwable) next);
        }
        return next;
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
