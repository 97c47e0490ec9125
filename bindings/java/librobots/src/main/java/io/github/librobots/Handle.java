package io.github.librobots;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * A native object, which ends when the garbage collector finds that nobody holds its handle.
 *
 * <p>Whoever uses the address holds the handle meanwhile ({@code Reference.reachabilityFence}), and whoever closes an object
 * only lets go of the handle. So a call that runs while another thread closes goes on undisturbed, and no call needs a lock. What is
 * for one thread at a time ({@link Owned}), or never leaves a method, is ended at once.
 */
final class Handle {
    private static final Cleaner CLEANER = Cleaner.create();

    /** Below this many octets of native memory the collector is left alone. */
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
     * Takes an object over that takes little room, or shares it with one that was taken over before.
     *
     * @param result what the native function that made it returned: its address, or a status as a negative number
     * @param end the native function that ends it
     */
    static Handle of(long result, LongConsumer end) {
        return of(result, end, 0);
    }

    /**
     * Takes an object over that takes some room.
     *
     * @param size about how many octets of native memory it takes
     */
    static Handle of(long result, LongConsumer end, long size) {
        Handle handle = take(Status.handle(result), end, size);
        reserve();
        return handle;
    }

    /** Takes over rules that were made just now; {@code result} is what a native function returned. */
    static Handle ofRules(long result) {
        return of(result, Native::rulesFree, Native.imageLength(Status.handle(result)));
    }

    /** Takes over an outcome that was made just now; {@code result} is what a native function returned. */
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

    /** Ends the object at once. The caller sees to it that no call with the address runs, and none comes. */
    void end() {
        cleanable.clean();
    }

    /**
     * Counts native memory, which the collector does not see: it might wait for long while that grows. When there is twice as
     * much as was left the last time, it is asked to look (as the JDK does for direct buffers).
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
