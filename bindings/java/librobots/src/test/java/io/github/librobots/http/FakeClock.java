package io.github.librobots.http;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that goes on when it is told to. */
public final class FakeClock extends Clock {
    /** When it begins. */
    public static final long START = 1_700_000_000;

    private final AtomicLong seconds = new AtomicLong(START);

    /** Goes on. */
    public void pass(long more) {
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
