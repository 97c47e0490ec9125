package io.github.librobots;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * A native object that any number of threads may use and one may close. Calls in flight are counted, and the last one frees a closed
 * object, so that {@link #close} gives back memory at once and no call needs a lock. An object that is not closed is freed by the garbage
 * collector.
 *
 * <p>As long as no two threads meet, one counter is enough. When they do, each takes a counter of its own cache line, chosen by its
 * thread id, so that many threads on one object do not slow each other down.
 */
final class Shared {
    private static final VarHandle CALLS;

    static {
        try {
            CALLS = MethodHandles.lookup().findVarHandle(Shared.class, "calls", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The result of {@link #enter} if the call is counted in {@link #calls}. */
    private static final int COMMON = -1;

    /** The number of separate counters, a power of two, and their distance: a cache line. */
    private static final int STRIPES = 8, DISTANCE = 16;

    /** The address of the object. Use it between {@link #enter} and {@link #exit}. */
    final long address;

    private final Handle handle;
    private final String name;
    private volatile int calls;
    private volatile @Nullable AtomicIntegerArray stripes;
    private volatile boolean closed;

    /**
     * Takes ownership of a handle.
     *
     * @param name the name of the class, for messages
     */
    Shared(String name, Handle handle) {
        this.name = name;
        this.handle = handle;
        address = handle.address;
    }

    /**
     * Starts a call. Pass the result to {@link #exit} in a {@code finally} block.
     *
     * @throws IllegalStateException if the object is closed
     */
    int enter() {
        int seen = calls;
        int counter = stripes == null && CALLS.compareAndSet(this, seen, seen + 1) ? COMMON : enterStripe();
        if (closed) {
            exit(counter);
            throw closed(name);
        }
        return counter;
    }

    /**
     * Starts a call that copies its bytes to native memory. That memory names this object while the call runs, so no counter is needed.
     * Pass the result to {@link #exit(Scratch)} in a {@code finally} block.
     *
     * @return the memory; null if another thread has it: use {@link #enter}
     * @throws IllegalStateException if the object is closed
     */
    @Nullable Scratch enterWithScratch() {
        Scratch scratch = Scratch.take(address);
        if (closed && scratch != null) {
            exit(scratch);
            throw closed(name);
        }
        return scratch;
    }

    /**
     * Ends a call of {@link #enterWithScratch}. If another thread closes the object in the same nanoseconds, neither may see the other.
     * Then the garbage collector frees the object.
     */
    void exit(Scratch scratch) {
        scratch.release();
        if (closed) {
            freeIfUnused();
        }
    }

    private int enterStripe() {
        AtomicIntegerArray all = stripes;
        if (all == null) {
            synchronized (handle) {
                all = stripes;
                if (all == null) {
                    all = new AtomicIntegerArray((STRIPES + 1) * DISTANCE);
                    stripes = all;
                }
            }
        }
        int stripe = (int) (Thread.currentThread().getId() & (STRIPES - 1)) * DISTANCE + DISTANCE;
        all.getAndIncrement(stripe);
        return stripe;
    }

    /** Ends a call. */
    void exit(int counter) {
        if (counter == COMMON) {
            CALLS.getAndAdd(this, -1);
        } else {
            Objects.requireNonNull(stripes).getAndDecrement(counter);
        }
        if (closed) {
            freeIfUnused();
        }
    }

    /** Closes the object: later calls throw, and it is freed now or at the end of the last call. Does nothing the second time. */
    void close() {
        closed = true;
        freeIfUnused();
    }

    /**
     * Frees the object unless a call is in flight. A call that starts now finds the object closed. Each call in flight started before
     * that. Its counter is not 0, or its scratch memory names this object, until it ends and comes here.
     */
    private void freeIfUnused() {
        if (!isInCall()) {
            handle.end();
        }
    }

    /** Returns whether a call is in flight. */
    boolean isInCall() {
        if (calls != 0 || Scratch.isUsing(address)) {
            return true;
        }
        AtomicIntegerArray all = stripes;
        for (int i = DISTANCE; all != null && i < all.length(); i += DISTANCE) {
            if (all.get(i) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns the exception of a call on a closed object. */
    static IllegalStateException closed(String name) {
        return new IllegalStateException("this " + name + " is closed: close it after its last use, or not at all");
    }
}
