package io.github.librobots;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A native object, which ends when the garbage collector finds that nobody holds its handle.
 *
 * <p>Whoever uses the address holds the handle meanwhile ({@code Reference.reachabilityFence}), and whoever closes an object
 * only lets go of the handle. So a call that runs while another thread closes goes on undisturbed, and no call needs a lock.
 */
final class Handle {
    private static final Cleaner CLEANER = Cleaner.create();

    /** Below this many octets of native memory the collector is left alone. */
    private static final long LEAST = 64L << 20;

    private static final AtomicLong live = new AtomicLong();
    private static final AtomicLong limit = new AtomicLong(LEAST);

    final long address;

    private Handle(long address, Runnable end) {
        this.address = address;
        CLEANER.register(this, end);
    }

    /** Takes over rules; {@code result} is what a native function returned. */
    static Handle ofRules(long result) {
        long address = Status.handle(result);
        long size = Native.imageLength(address);
        Handle handle = new Handle(address, () -> {
            Native.rulesFree(address);
            release(size);
        });
        reserve(size);
        return handle;
    }

    /** Takes over a crawler. */
    static Handle ofCrawler(long result) {
        long address = Status.handle(result);
        return new Handle(address, () -> Native.crawlerFree(address));
    }

    /**
     * Counts native memory, which the collector does not see: it might wait for long while that grows. When there is twice as
     * much as was left the last time, it is asked to look (as the JDK does for direct buffers).
     */
    private static void reserve(long size) {
        long now = live.addAndGet(size);
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
