package io.github.librobots;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * A native object, freed when the garbage collector finds its handle unreachable.
 *
 * <p>A caller keeps the handle reachable while it uses the address ({@code Reference.reachabilityFence}), and closing an object only
 * drops the handle. So a running call is safe while another thread closes the object, and no call needs a lock. An object for one
 * thread at a time ({@link Owned}), or one that never leaves a method, is freed at once.
 */
final class Handle {
    private static final Cleaner CLEANER = Cleaner.create();

    /** The bytes of native memory below which the collector is not called. */
    private static final long LEAST = 64L << 20;

    private static final AtomicLong live = new AtomicLong();
    private static final AtomicLong limit = new AtomicLong(LEAST);

    final long address;
    private final Cleaner.Cleanable cleanable;

    private Handle(long address, LongConsumer end, long size) {
        this.address = address;
        cleanable = CLEANER.register(this, () -> {
            end.accept(address);
            release(size);
        });
    }

    /**
     * Takes ownership of a small object, or of one whose memory another handle counts.
     *
     * @param result the result of the native function that made it: its address, or a status as a negative number
     * @param end the native function that frees it
     */
    static Handle of(long result, LongConsumer end) {
        return of(result, end, 0);
    }

    /**
     * Takes ownership of an object.
     *
     * @param size its approximate size in bytes of native memory
     */
    static Handle of(long result, LongConsumer end, long size) {
        Handle handle = take(Status.handle(result), end, size);
        reserve();
        return handle;
    }

    /** Takes ownership of new rules; {@code result} is the result of a native function. */
    static Handle ofRules(long result) {
        return of(result, Native::rulesFree, Native.imageLength(Status.handle(result)));
    }

    /** Takes ownership of a new outcome; {@code result} is the result of a native function. */
    static Handle ofOutcome(long result) {
        return of(result, Native::outcomeFree, Native.outcomeSize(Status.handle(result)));
    }

    private static Handle take(long address, LongConsumer end, long size) {
        live.addAndGet(size);
        try {
            return new Handle(address, end, size);
        } catch (Throwable e) { // no memory for the handle
            end.accept(address);
            release(size);
            throw e;
        }
    }

    /** Frees the object at once. The caller ensures that no call with the address runs or follows. */
    void end() {
        cleanable.clean();
    }

    /**
     * Counts native memory, which the collector does not see. When it has doubled since the last time, this calls the collector, as
     * the JDK does for direct buffers.
     */
    private static void reserve() {
        long now = live.get();
        long most = limit.get();
        if (now > most && limit.compareAndSet(most, 2 * now)) {
            System.gc();
        }
    }

    private static void release(long size) {
        long now = live.addAndGet(-size);
        long most = limit.get();
        if (most > LEAST && now < most / 4) {
            limit.compareAndSet(most, Math.max(LEAST, 2 * now));
        }
    }
}
