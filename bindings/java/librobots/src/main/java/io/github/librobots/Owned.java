package io.github.librobots;

import java.lang.ref.Reference;
import java.util.function.LongFunction;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/** A native object that one thread at a time may use. Calls are synchronized; {@link #close} frees it at once. */
final class Owned {
    private final String name;
    private @Nullable Handle handle;

    Owned(String name, Handle handle) {
        this.name = name;
        this.handle = handle;
    }

    /** Calls with the address of the object; throws {@link IllegalStateException} if it is closed. */
    synchronized <T> T with(LongFunction<T> call) {
        Handle held = handle;
        if (held == null) {
            throw new IllegalStateException("this " + name + " is closed: close it after its last use");
        }
        try {
            return call.apply(held.address);
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    /** Calls with the address of the object what returns a status, and throws unless that is {@link Status#OK}. */
    void demand(LongToIntFunction call) {
        Status.demandOk(this.<Integer>with(call::applyAsInt));
    }

    /** Frees the object. Does nothing the second time. */
    synchronized void close() {
        if (handle != null) {
            handle.end();
            handle = null;
        }
    }
}
