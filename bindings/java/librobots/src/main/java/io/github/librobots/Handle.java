package io.github.librobots;

import java.lang.ref.Cleaner;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A native object, freed when the garbage collector finds its handle unreachable.
 *
 * <p>A caller keeps the handle reachable while it uses the address ({@code Reference.reachabilityFence}), and closing an object only
 * drops the handle. So a running call is safe while another thread closes the object, and no call needs a lock. An object for one
 * thread at a time ({@link Owned}), or one that never leaves a method, is freed at once.
 */
final class Handle {
    private static final Cleaner CLEANER = Cleaner.create();

    /** The bytes of one array of garbage: small enough for the young generation of any collector. */
    private static final int PIECE = 64 << 10;

    /** The last array of {@link #weigh}: without a reader, the compiler would remove the allocation of a local one. */
    private static volatile byte @Nullable [] garbage;

    final long address;
    private final Cleaner.Cleanable cleanable;

    private Handle(long address, LongConsumer end) {
        this.address = address;
        cleanable = CLEANER.register(this, () -> end.accept(address));
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
        Handle handle = take(Status.handle(result), end);
        weigh(size);
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

    private static Handle take(long address, LongConsumer end) {
        try {
            return new Handle(address, end);
        } catch (Throwable e) { // no memory for the handle
            end.accept(address);
            throw e;
        }
    }

    /** Frees the object at once. The caller ensures that no call with the address runs or follows. */
    void end() {
        cleanable.clean();
    }

    /**
     * Allocates as many bytes of garbage on the heap as the object has of native memory, which the collector does not see. So the
     * collector runs as often as if the object were on the heap.
     */
    private static void weigh(long size) {
        for (long left = size; left > 0; left -= PIECE) {
            garbage = new byte[(int) Math.min(left, PIECE)];
        }
        garbage = null;
    }
}
