package io.github.librobots;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Native memory for the bytes of one call. Java code copies them there without a transition of the thread into the JVM, which a native
 * function needs to read an array. For a short URL the transitions take longer than the decision.
 *
 * <p>There are {@link #COUNT} of them for all threads, so that a million virtual threads need no more memory than ten threads. A thread
 * takes the one of its id. If another thread has it, or the bytes are too many, the caller passes the array instead.
 *
 * <p>The memory is that of a direct buffer: it is freed with the class.
 */
final class Scratch {
    /** The bytes that fit: those of almost every image and its URL. */
    static final int SIZE = 18 << 10;

    /** The user of a call without a native object. Addresses of objects are even numbers. */
    static final long NO_OBJECT = 1;

    /** A power of two. */
    private static final int COUNT = 32;

    private static final VarHandle USER;
    private static final Scratch[] ALL = new Scratch[COUNT];

    static {
        try {
            USER = MethodHandles.lookup().findVarHandle(Scratch.class, "user", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        for (int i = 0; i < COUNT; i++) {
            ALL[i] = new Scratch();
        }
    }

    /** The address of the native object that the call uses, or {@link #NO_OBJECT}; 0: free. */
    private volatile long user;

    /** Null until the first use. */
    private @Nullable ByteBuffer memory;
    private long address;

    /** Keeps the fields of two objects in different cache lines. */
    @SuppressWarnings("unused")
    private long pad0, pad1, pad2, pad3, pad4, pad5, pad6, pad7, pad8, pad9, pad10, pad11;

    private Scratch() {}

    /**
     * Takes the memory of this thread, with the effect of a full fence. Call {@link #release} in a {@code finally} block.
     *
     * @param user the address of the native object that the call uses, or {@link #NO_OBJECT}
     * @return the memory; null if another thread has it, or there is none
     */
    static @Nullable Scratch take(long user) {
        Scratch scratch = ALL[(int) Thread.currentThread().getId() & (COUNT - 1)];
        if (!USER.compareAndSet(scratch, 0L, user)) {
            return null;
        }
        return scratch.address != 0 || scratch.allocate() ? scratch : null;
    }

    /**
     * Allocates the memory. If there is none, returns false, and nobody can take this again: an attempt may call the garbage collector
     * and sleep for half a second.
     */
    private boolean allocate() {
        try {
            memory = ByteBuffer.allocateDirect(SIZE);
            address = Native.addressOf(memory);
        } catch (OutOfMemoryError e) {
            // The caller passes the array.
        }
        if (address == 0) {
            USER.setRelease(this, NO_OBJECT);
        }
        return address != 0;
    }

    /** Copies the bytes of a call to the start of the memory and returns the address of the copy. There are at most {@link #SIZE}. */
    long copy(byte[] array, int offset, int length) {
        Objects.requireNonNull(memory).clear();
        append(array, offset, length);
        return address;
    }

    /** Copies further bytes after those of {@link #copy}. */
    void append(byte[] array, int offset, int length) {
        Objects.requireNonNull(memory).put(array, offset, length);
    }

    /** Ends the use. It has no full fence, which would take a tenth of the time of a decision. */
    void release() {
        USER.setRelease(this, 0L);
    }

    /** Returns whether a call uses the native object at an address. */
    static boolean isUsing(long user) {
        for (Scratch scratch : ALL) {
            if (scratch.user == user) {
                return true;
            }
        }
        return false;
    }
}
