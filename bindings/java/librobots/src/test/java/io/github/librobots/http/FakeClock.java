package io.github.librobots.http;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that a test advances. */
public final class FakeClock extends Clock {
    /** The first time. */
    public static final long START = 1_700_000_000;

    private final AtomicLong seconds = new AtomicLong(START);

    /** Advances the clock. */
    public void advance(long more) {
        seconds.addAndGet(more);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochSecond(seconds.get());
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
