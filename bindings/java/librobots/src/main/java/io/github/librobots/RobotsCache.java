package io.github.librobots;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.Reference;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The outcomes of many sites' fetches, by origin, in a bounded piece of memory, for one crawler or several (SPEC 3.7). Any number of
 * threads may ask at once; an answer from the cache takes no lock. It need not be closed: the garbage collector ends it.
 *
 * <pre>{@code
 * CacheDecision answer = cache.check(url);
 * switch (answer.action()) {
 *     case DECIDED: ... // answer.allowed(); if there is a ticket, refresh as below when there is time
 *     case FETCH:   ... // try (Ticket ticket = answer.ticket().get()) { fetcher.fetch(ticket); } then ask again
 *     case WAIT:    ... // somebody else fetches: ask again in a moment
 *     case DEFER:   ... // keep the URL until answer.until()
 * }
 * }</pre>
 *
 * <p>{@code io.github.librobots.http.RobotsFetcher} fetches with {@code java.net.http}, and does all of this in one call.
 */
public final class RobotsCache implements AutoCloseable {
    /** Where the native part writes what an answer from the cache does not have. */
    private static final ThreadLocal<long[]> MORE = ThreadLocal.withInitial(() -> new long[2]);

    private final Clock clock;
    private final int crawlers;
    private volatile Handle handle;

    private RobotsCache(Handle handle, int crawlers, Clock clock) {
        this.handle = handle;
        this.crawlers = crawlers;
        this.clock = clock;
    }

    /**
     * Makes a cache of 64 MiB for a crawler.
     *
     * @param crawler who asks
     * @return the cache
     */
    public static RobotsCache of(Crawler crawler) {
        return builder(crawler).build();
    }

    /**
     * Begins a cache with options.
     *
     * @param crawler who asks; it has the index 0 and decides how fetches go
     * @return the builder
     */
    public static Builder builder(Crawler crawler) {
        return new Builder(crawler);
    }

    /**
     * Says what the first crawler is to do with a URL now.
     *
     * @param url an absolute URL
     * @return the answer; whoever gets a ticket with it is to finish or close that
     * @throws IllegalStateException if the cache is closed
     */
    public CacheDecision check(CharSequence url) {
        return check(0, Rules.octets(url));
    }

    /**
     * Says what a crawler is to do with a URL now.
     *
     * @param crawler its index: 0, or the place of {@link Builder#crawler} from 1
     * @param url an absolute URL
     * @return the answer; whoever gets a ticket with it is to finish or close that
     * @throws IndexOutOfBoundsException for a crawler that is not there
     * @throws IllegalStateException if the cache is closed
     */
    public CacheDecision check(int crawler, CharSequence url) {
        return check(crawler, Rules.octets(url));
    }

    /**
     * Says what a crawler is to do with a URL now.
     *
     * @param crawler its index: 0, or the place of {@link Builder#crawler} from 1
     * @param url the octets of an absolute URL
     * @return the answer; whoever gets a ticket with it is to finish or close that
     * @throws IndexOutOfBoundsException for a crawler that is not there
     * @throws IllegalStateException if the cache is closed
     */
    public CacheDecision check(int crawler, byte[] url) {
        Objects.checkIndex(crawler, crawlers);
        Objects.requireNonNull(url, "url");
        Handle held = held();
        long[] more = MORE.get();
        long word = Native.cacheCheck(held.address, crawler, url, seconds(clock), more);
        Reference.reachabilityFence(held);
        if (!CacheDecision.hasMore(word)) {
            return new CacheDecision(word, null, null);
        }
        return new CacheDecision(word, CacheDecision.hasTime(word) ? Outcome.instant(more[0]) : null,
                CacheDecision.hasTicket(word) ? new Ticket(more[1], clock) : null);
    }

    /**
     * Tells what is known of one site, whatever its age: for its crawl-delay, its sitemaps or its times, which a verdict does not
     * tell. It does not change when the cache does.
     *
     * @param url any URL of the site
     * @return what came of the last fetch; empty where nothing is known
     * @throws IllegalArgumentException for what is no absolute URL, or is one of another scheme than http, https and ftp
     * @throws IllegalStateException if the cache is closed
     */
    public Optional<Outcome> outcome(CharSequence url) {
        Handle held = held();
        try {
            long outcome = Native.cacheOutcome(held.address, Rules.octets(url));
            return outcome == 0 ? Optional.empty() : Optional.of(new Outcome(Handle.of(outcome, Native::outcomeFree)));
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    /**
     * Forgets what is known of one site. A ticket for it stays good.
     *
     * @param url any URL of the site
     * @throws IllegalArgumentException for what is no absolute URL, or is one of another scheme than http, https and ftp
     * @throws IllegalStateException if the cache is closed
     */
    public void remove(CharSequence url) {
        Handle held = held();
        try {
            Status.demandOk(Native.cacheRemove(held.address, Rules.octets(url)));
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    /**
     * Forgets what is known of all sites. Tickets stay good.
     *
     * @throws IllegalStateException if the cache is closed
     */
    public void clear() {
        Handle held = held();
        Native.cacheClear(held.address);
        Reference.reachabilityFence(held);
    }

    /**
     * Counts the octets of native memory that the kept sites take.
     *
     * @return the octets, never more than {@link Builder#maxBytes}
     * @throws IllegalStateException if the cache is closed
     */
    public long bytes() {
        Handle held = held();
        try {
            return Native.cacheBytes(held.address);
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    /**
     * Counts the sites that are kept, those that are being fetched for the first time among them.
     *
     * @return how many there are
     * @throws IllegalStateException if the cache is closed
     */
    public long count() {
        Handle held = held();
        try {
            return Native.cacheCount(held.address);
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    /**
     * Writes what is kept, for another process or machine: each site one record, those first that would be evicted first. Others may
     * use the cache meanwhile; sites that come or go then may be left out.
     *
     * @param out where to: for each site the length of its record as four octets, the highest first, then the record
     * @return how many sites were written
     * @throws IOException if {@code out} fails
     * @throws IllegalStateException if the cache is closed
     */
    public int exportTo(OutputStream out) throws IOException {
        Handle held = held();
        Handle cursor = Handle.of(Native.cursorNew(held.address), Native::cursorFree);
        try {
            DataOutputStream data = new DataOutputStream(out);
            for (int count = 0; ; count++) {
                byte[] record = new Row(Row.CURSOR_NEXT, cursor.address, 0).octets(0);
                if (record.length == 0) {
                    data.flush();
                    return count;
                }
                data.writeInt(record.length);
                data.write(record);
            }
        } finally {
            cursor.end();
            Reference.reachabilityFence(cursor);
            Reference.reachabilityFence(held);
        }
    }

    /**
     * Takes over what {@link #exportTo} wrote, each record as {@link #importRecord} does. What is refused is left out.
     *
     * @param in from where; read to its end
     * @return how many records were not refused
     * @throws IOException if {@code in} fails, ends within a record or was not written so; records before that are taken over
     * @throws IllegalStateException if the cache is closed
     */
    public int importFrom(InputStream in) throws IOException {
        DataInputStream data = new DataInputStream(in);
        int taken = 0;
        for (int first = data.read(); first >= 0; first = data.read()) {
            int length = first << 24 | data.readUnsignedByte() << 16 | data.readUnsignedShort();
            if (length <= 0) {
                throw new IOException("not the records of a RobotsCache: one says that it has " + length + " octets");
            }
            byte[] record = data.readNBytes(length); // makes room as octets come, whatever the length says
            if (record.length != length) {
                throw new EOFException("the last record has " + record.length + " of " + length + " octets");
            }
            if (importRecord(record) == Status.OK) {
                taken++;
            }
        }
        return taken;
    }

    /**
     * Takes a record over, unless as new an outcome of the site is kept here. Nobody is evicted for it: a full cache takes no more.
     *
     * @param record the record, any octets
     * @return {@link Status#OK}; {@link Status#IMAGE} for a damaged record; {@link Status#IMAGE_FORMAT} for one of another format
     *     version or of other crawlers; {@link Status#MEMORY} for one that does not fit
     * @throws IllegalStateException if the cache is closed
     */
    public Status importRecord(byte[] record) {
        Objects.requireNonNull(record, "record");
        Handle held = held();
        try {
            return Status.of(Native.cacheImport(held.address, record));
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    /**
     * Gives the clock by which the cache counts.
     *
     * @return the clock
     */
    public Clock clock() {
        return clock;
    }

    /**
     * Ends the use of the cache: later calls throw {@link IllegalStateException}, calls that run finish, tickets stay good. The memory
     * is given back by the garbage collector. Does nothing the second time.
     */
    @Override
    public void close() {
        handle = null;
    }

    private Handle held() {
        Handle held = handle;
        if (held == null) {
            throw new IllegalStateException("this RobotsCache is closed: close it after its last use, or not at all");
        }
        return held;
    }

    /** The time of a clock as the library counts: makes no object. */
    static long seconds(Clock clock) {
        return Math.max(0, Math.floorDiv(clock.millis(), 1000L));
    }

    /** Options of a cache. For one thread. */
    public static final class Builder {
        private final List<Crawler> crawlers = new ArrayList<>();
        private long maxBytes = 64L << 20;
        private Duration ticketTTL = Duration.ofSeconds(120);
        private Clock clock = Clock.systemUTC();

        private Builder(Crawler crawler) {
            crawler(crawler);
        }

        /**
         * Adds a crawler, so that one fetch serves several (SPEC 3.7). The first that is added has the index 1.
         *
         * @param crawler the crawler
         * @return this
         */
        public Builder crawler(Crawler crawler) {
            crawlers.add(Objects.requireNonNull(crawler, "crawler"));
            return this;
        }

        /**
         * Says how many octets of native memory the cache may take, all counted: keys, rules and what the allocator adds; about 800
         * octets for a small site.
         *
         * @param octets 65,536 or more; 67,108,864 (64 MiB) unless set
         * @return this
         */
        public Builder maxBytes(long octets) {
            maxBytes = octets;
            return this;
        }

        /**
         * Says how long a ticket lives: more than the longest retrieval takes, with all its redirects. Past it, another may fetch the
         * same file.
         *
         * @param life 1 s to 1 day, of which whole seconds count; 120 s unless set
         * @return this
         */
        public Builder ticketTTL(Duration life) {
            ticketTTL = Objects.requireNonNull(life, "life");
            return this;
        }

        /**
         * Says what time it is: for tests, and for who replays.
         *
         * @param clock the system's unless set
         * @return this
         */
        public Builder clock(Clock clock) {
            this.clock = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /**
         * Makes the cache.
         *
         * @return the cache
         * @throws IllegalArgumentException for a value out of its range, or more than 16 crawlers
         * @throws IllegalStateException if a crawler is closed
         */
        public RobotsCache build() {
            Handle[] held = Crawler.held(crawlers);
            try {
                long made = Native.cacheNew(Crawler.addresses(held), maxBytes, ticketTTL.getSeconds());
                return new RobotsCache(Handle.of(made, Native::cacheFree), held.length, clock);
            } finally {
                Reference.reachabilityFence(held);
            }
        }
    }
}
