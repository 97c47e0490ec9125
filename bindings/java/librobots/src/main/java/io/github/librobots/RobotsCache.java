package io.github.librobots;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A bounded cache of outcomes by origin, for one crawler or several (SPEC 3.7). Any number of threads may use it at once; hits do not
 * wait for each other. It need not be closed: the garbage collector frees it.
 *
 * <pre>{@code
 * CacheDecision decision = cache.check(url);
 * switch (decision.action()) {
 *     case DECIDED: // decision.allowed(); if there is a ticket, refresh as for FETCH
 *         ...
 *     case FETCH: // then check again
 *         fetcher.fetch(cache, decision.ticket().get());
 *         ...
 *     case WAIT: // another thread fetches: cache.awaitTicket(url, limit), then check again
 *         ...
 *     case DEFER: // keep the URL until decision.until()
 *         ...
 * }
 * }</pre>
 *
 * <p>{@code io.github.librobots.http.RobotsFetcher} does all of this in one call, with {@code java.net.http}.
 */
public final class RobotsCache {
    /** Receives the time and the ticket of a decision that has them. */
    private static final ThreadLocal<long[]> MORE = ThreadLocal.withInitial(() -> new long[5]);

    private final Clock clock;
    private final Crawler[] crawlers;
    /** Tests ask whether a call is in flight. */
    final Shared shared;

    /** The tickets that are not ended, by origin, for the threads that wait for their end. */
    private final ConcurrentHashMap<String, CountDownLatch> open = new ConcurrentHashMap<>();

    private RobotsCache(Handle handle, Crawler[] crawlers, Clock clock) {
        shared = new Shared("RobotsCache", handle);
        this.crawlers = crawlers;
        this.clock = clock;
    }

    /**
     * Makes a cache of 64 MiB for a crawler.
     *
     * @param crawler the crawler
     * @return the cache
     */
    public static RobotsCache of(Crawler crawler) {
        return builder(crawler).build();
    }

    /**
     * Returns a builder of a cache with options.
     *
     * @param crawler the crawler with index 0, whose options the fetches obey
     * @return the builder
     */
    public static Builder builder(Crawler crawler) {
        return new Builder(crawler);
    }

    /**
     * Decides what the first crawler does with a URL now.
     *
     * @param url an absolute URL
     * @return the decision; the caller finishes or closes its ticket
     * @throws IllegalStateException if the cache is closed
     */
    public CacheDecision check(CharSequence url) {
        return check(0, Rules.utf8(url));
    }

    /**
     * Decides what a crawler does with a URL now.
     *
     * @param crawler the index of the crawler: 0, or from 1 in the order of {@link Builder#crawler}
     * @param url an absolute URL
     * @return the decision; the caller finishes or closes its ticket
     * @throws IndexOutOfBoundsException for an index out of range
     * @throws IllegalStateException if the cache is closed
     */
    public CacheDecision check(int crawler, CharSequence url) {
        return check(crawler, Rules.utf8(url));
    }

    /**
     * Decides what a crawler does with a URL now.
     *
     * @param crawler the index of the crawler: 0, or from 1 in the order of {@link Builder#crawler}
     * @param url an absolute URL as bytes
     * @return the decision; the caller finishes or closes its ticket
     * @throws IndexOutOfBoundsException for an index out of range
     * @throws IllegalStateException if the cache is closed
     */
    public CacheDecision check(int crawler, byte[] url) {
        Objects.checkIndex(crawler, crawlers.length);
        Objects.requireNonNull(url, "url");
        long[] more = MORE.get();
        long word;
        int call = shared.enter();
        try {
            word = Native.cacheCheck(shared.address, crawler, url, millis(clock), more);
        } finally {
            shared.exit(call);
        }
        if (!CacheDecision.hasMore(word)) {
            return new CacheDecision(word, null, null);
        }
        return new CacheDecision(word, CacheDecision.hasTime(word) ? Outcome.instant(more[0]) : null,
                CacheDecision.hasTicket(word) ? ticket(more[1]) : null);
    }

    private Ticket ticket(long address) {
        String origin = Row.text(Row.TICKET_ORIGIN, address, 0);
        CountDownLatch end = new CountDownLatch(1);
        open.put(origin, end);
        return new Ticket(address, clock, crawlers, () -> {
            end.countDown();
            open.remove(origin, end);
        });
    }

    /**
     * Waits until the ticket of a site ends, after {@link CacheDecision.Action#WAIT}; then check again. If this process has issued no
     * ticket of the site, such as when the cache is full, the wait ends after 10 milliseconds.
     *
     * @param url any URL of the site
     * @param longest the longest wait
     * @throws IllegalArgumentException if the URL is not absolute, or its scheme is not http, https or ftp
     * @throws InterruptedException if the thread is interrupted
     */
    public void awaitTicket(CharSequence url, Duration longest) throws InterruptedException {
        CountDownLatch ticket = open.get(Origin.keyFromUrl(url));
        if (ticket == null) {
            Thread.sleep(Math.max(0, Math.min(10, longest.toMillis())));
        } else {
            ticket.await(longest.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Decides on a URL that is about to be requested; see {@link #request(int, CharSequence, Instant)}. The crawler is the first one, and no
     * slot is held.
     *
     * @param url an absolute URL
     * @return the decision; the caller finishes or closes its ticket
     * @throws IllegalStateException if the cache is closed
     */
    public CacheDecision request(CharSequence url) {
        return request(0, url, null);
    }

    /**
     * Decides on a URL that is about to be requested and, if it is allowed, reserves a slot of its site (SPEC 3.9). If
     * {@link CacheDecision#requestIn} is zero, send the request now. Else sleep for that time and call again with the slot: the site may ask
     * for a little more, since another request was late. What any number of threads send so is a crawl-delay apart. A slot later than
     * {@link Builder#horizon} is not reserved: the action is {@link CacheDecision.Action#DEFER}. {@link #check(int, CharSequence)}
     * reserves nothing: it is for URLs that are found, not requested.
     *
     * @param crawler the index of the crawler
     * @param url an absolute URL
     * @param slot {@link CacheDecision#requestAt} of the last call for this request; null in the first
     * @return the decision; the caller finishes or closes its ticket
     * @throws IndexOutOfBoundsException for an index out of range
     * @throws IllegalStateException if the cache is closed
     */
    public CacheDecision request(int crawler, CharSequence url, @Nullable Instant slot) {
        Objects.checkIndex(crawler, crawlers.length);
        long[] more = MORE.get();
        long held = slot == null ? 0 : Outcome.millis(slot), now = millis(clock);
        long word;
        int call = shared.enter();
        try {
            word = Native.cacheRequest(shared.address, crawler, Rules.utf8(url), held, now, more);
        } finally {
            shared.exit(call);
        }
        return new CacheDecision(word, CacheDecision.hasTime(word) ? Outcome.instant(more[0]) : null,
                CacheDecision.hasTicket(word) ? ticket(more[1]) : null,
                more[2] == 0 ? null : new CacheDecision.Slot(more[2], more[2] - now, more[3], more[4] != 0, null));
    }

    /**
     * Reports the response to a page, whatever its status: the crawl-delay counts from it (SPEC 3.9). Call it for every response, not
     * after an exception of the client. After status 429 or 503 nothing is sent to its site before
     * its {@code Retry-After} (SPEC 3.10).
     *
     * @param url the URL of the page
     * @param status the status of the response
     * @param retryAfter the value of {@code Retry-After}, seconds or a date; null or unreadable: 5 seconds. The first crawler's
     *     {@link FetchOption#MAX_RETRY_AFTER} is the limit
     * @throws IllegalArgumentException if the URL is not absolute, or its scheme is not http, https or ftp
     * @throws IllegalStateException if the cache is closed
     */
    public void retryAfter(CharSequence url, int status, @Nullable String retryAfter) {
        byte[] value = retryAfter == null ? new byte[0] : retryAfter.getBytes(StandardCharsets.ISO_8859_1);
        int call = shared.enter();
        try {
            Status.demandOk(Native.cacheRetryAfter(shared.address, Rules.utf8(url), status, value, millis(clock)));
        } finally {
            shared.exit(call);
        }
    }

    /**
     * Returns the crawl-delay that the robots.txt of a site states for a crawler, whatever {@link Builder#maxDelay} is. Copies nothing.
     *
     * @param crawler the index of the crawler
     * @param url any URL of the site
     * @return the delay; empty if the file states none, or the cache has no outcome
     * @throws IllegalArgumentException if the URL is not absolute, or its scheme is not http, https or ftp
     * @throws IndexOutOfBoundsException for an index out of range
     * @throws IllegalStateException if the cache is closed
     */
    public Optional<Duration> crawlDelay(int crawler, CharSequence url) {
        Objects.checkIndex(crawler, crawlers.length);
        long[] more = MORE.get();
        double delay;
        int call = shared.enter();
        try {
            delay = Native.cacheCrawlDelay(shared.address, crawler, Rules.utf8(url), more);
        } finally {
            shared.exit(call);
        }
        Status.demandOk((int) more[0]);
        return delay >= 0 ? Optional.of(Duration.ofNanos((long) (delay * 1e9))) : Optional.empty(); // saturates; NaN: none
    }

    /**
     * Returns whether a {@code User-Agent} header holds a product token of a crawler, in any case of letters.
     *
     * @param crawler the index of the crawler
     * @param userAgent the value of the header
     * @return true if it does, or the crawler has no token of its own: it is a preset or without a token
     * @throws IndexOutOfBoundsException for an index out of range
     */
    public boolean isNamedIn(int crawler, String userAgent) {
        return crawlers[Objects.checkIndex(crawler, crawlers.length)].isNamedIn(userAgent);
    }

    /**
     * Returns the outcome of one site, of any age: for its crawl-delay, sitemaps or times. The outcome does not change with the cache.
     *
     * @param url any URL of the site
     * @return the outcome of the last fetch; empty if the cache has none
     * @throws IllegalArgumentException if the URL is not absolute, or its scheme is not http, https or ftp
     * @throws IllegalStateException if the cache is closed
     */
    public Optional<Outcome> outcome(CharSequence url) {
        int call = shared.enter();
        try {
            long outcome = Native.cacheOutcome(shared.address, Rules.utf8(url));
            return outcome == 0 ? Optional.empty() : Optional.of(new Outcome(crawlers, Handle.of(Status.handle(outcome), Native::outcomeFree)));
        } finally {
            shared.exit(call);
        }
    }

    /**
     * Removes the outcome of one site. Its ticket stays valid.
     *
     * @param url any URL of the site; {@code *} removes all sites
     * @throws IllegalArgumentException if the URL is not absolute, or its scheme is not http, https or ftp
     * @throws IllegalStateException if the cache is closed
     */
    public void remove(CharSequence url) {
        int call = shared.enter();
        try {
            Status.demandOk(Native.cacheRemove(shared.address, Rules.utf8(url)));
        } finally {
            shared.exit(call);
        }
    }

    /**
     * Removes all outcomes. Tickets stay valid.
     *
     * @throws IllegalStateException if the cache is closed
     */
    public void clear() {
        int call = shared.enter();
        try {
            Native.cacheClear(shared.address);
        } finally {
            shared.exit(call);
        }
    }

    /**
     * Returns the native memory of the entries.
     *
     * @return bytes, never more than {@link Builder#maxBytes}
     * @throws IllegalStateException if the cache is closed
     */
    public long bytes() {
        int call = shared.enter();
        try {
            return new Row(Row.CACHE_COUNTS, shared.address, 0).number(1);
        } finally {
            shared.exit(call);
        }
    }

    /**
     * Returns the number of entries, including sites that are fetched for the first time.
     *
     * @return the number of sites
     * @throws IllegalStateException if the cache is closed
     */
    public long count() {
        int call = shared.enter();
        try {
            return new Row(Row.CACHE_COUNTS, shared.address, 0).number(0);
        } finally {
            shared.exit(call);
        }
    }

    /**
     * Returns what the cache holds, and what it did since it was made.
     *
     * @return the numbers
     * @throws IllegalStateException if the cache is closed
     */
    public CacheCounts counts() {
        int call = shared.enter();
        try {
            return new CacheCounts(new Row(Row.CACHE_COUNTS, shared.address, 0));
        } finally {
            shared.exit(call);
        }
    }

    /**
     * Writes all records to a file, whole or not at all: it writes a file beside it, syncs that and renames it. Every language loads the
     * file. Records also say when a site opens, so gaps and rests hold over a restart: save after the workers stopped.
     *
     * @param file the file, which may exist
     * @return the number of records
     * @throws IOException if that fails; the file is as before
     * @throws UnsupportedOperationException for a path that is not of the default file system
     * @throws IllegalStateException if the cache is closed
     */
    public int save(Path file) throws IOException {
        return (int) file(true, file)[0];
    }

    /**
     * Imports a file that {@link #save} wrote, each record as {@link #importRecord} does. Damaged and foreign records are counted, not
     * fatal.
     *
     * @param file the file
     * @return how many records were imported, and how many were not
     * @throws NoSuchFileException if there is no file, as at the first start: go on with the empty cache
     * @throws IOException if the file cannot be read, or is no file of records; the records before that are imported
     * @throws UnsupportedOperationException for a path that is not of the default file system
     * @throws IllegalStateException if the cache is closed
     */
    public LoadedRecords load(Path file) throws IOException {
        return new LoadedRecords(file(false, file));
    }

    /** Saves or loads. Returns the numbers of records: saved or imported, foreign, damaged, without room. */
    private long[] file(boolean isSave, Path file) throws IOException {
        byte[] path = file.toFile().getAbsolutePath().getBytes(StandardCharsets.UTF_8);
        long[] numbers = new long[5];
        int status;
        int call = shared.enter();
        try {
            status = Native.cacheFile(shared.address, isSave, path, numbers);
        } finally {
            shared.exit(call);
        }
        if (status == Native.FILE_FAILED) {
            long error = numbers[4];
            throw error == 2 ? new NoSuchFileException(file.toString())
                    : new FileSystemException(file.toString(), null,
                            Files.isDirectory(file) ? "is a folder: pass the name of a file" : "error " + error + " of the system");
        }
        if (status == Status.IMAGE_FORMAT.ordinal() || status == Status.ARGUMENT.ordinal()) {
            throw new IOException(file + (isSave ? " is no name of a file" : " is no file of RobotsCache.save"));
        }
        Status.demandOk(status);
        return numbers;
    }

    /**
     * Passes the record of each site to a function, in the order of eviction, to store it or to pass it to another machine
     * ({@link #importRecord}). Other threads may use the cache during the call; entries that they add or remove may be missing. The function may
     * use it, too; its exception ends the list.
     *
     * @param receive the function
     * @return the number of records
     * @throws IllegalStateException if the cache is closed
     */
    public int forEachRecord(Consumer<byte[]> receive) {
        RecordReceiver receiver = new RecordReceiver(Objects.requireNonNull(receive, "receive"));
        int call = shared.enter();
        try {
            Status.demandOk(Native.cacheEach(shared.address, receiver));
            return receiver.count;
        } finally {
            shared.exit(call);
        }
    }

    /**
     * Imports a record, unless the cache has an outcome of the site that is as new. It evicts no entry: a full cache refuses it.
     *
     * @param record the record, any bytes
     * @return {@link Status#OK}; {@link Status#IMAGE} for a damaged record; {@link Status#IMAGE_FORMAT} for one of another format
     *     version or of other crawlers; {@link Status#MEMORY} for one that does not fit
     * @throws IllegalStateException if the cache is closed
     */
    public Status importRecord(byte[] record) {
        Objects.requireNonNull(record, "record");
        int call = shared.enter();
        try {
            return Status.of(Native.cacheImport(shared.address, record));
        } finally {
            shared.exit(call);
        }
    }

    /**
     * Returns the clock of the cache.
     *
     * @return the clock
     */
    public Clock clock() {
        return clock;
    }

    /**
     * Closes the cache: later calls throw {@link IllegalStateException}, running calls finish, tickets stay valid. The memory is freed
     * at once, or at the end of the last running call or ticket. Does nothing the second time. Closing is optional.
     */
    public void close() {
        shared.close();
    }

    /** Returns sites and size, such as {@code RobotsCache[12 sites, 9876 bytes]}. */
    @Override
    public String toString() {
        try {
            return "RobotsCache[" + count() + " sites, " + bytes() + " bytes]";
        } catch (IllegalStateException e) {
            return "RobotsCache[closed]";
        }
    }

    /** Returns the time of a clock in milliseconds since 1970, without an allocation. */
    static long millis(Clock clock) {
        return Math.max(0, clock.millis());
    }

    /** Options of a cache. For one thread. */
    public static final class Builder {
        private static final long MIN_BYTES = 65_536, MAX_TICKET_TTL = 86_400;

        private final List<Crawler> crawlers = new ArrayList<>();
        private long maxBytes = 64L << 20;
        private Duration ticketTTL = Duration.ofSeconds(120);
        private Duration defaultDelay = Duration.ZERO, maxDelay = Duration.ofSeconds(60), horizon = Duration.ofSeconds(60);
        private Clock clock = Clock.systemUTC();

        private Builder(Crawler crawler) {
            crawler(crawler);
        }

        /**
         * Adds a crawler that shares the fetches (SPEC 3.7). The first that is added has the index 1.
         *
         * @param crawler the crawler
         * @return this
         */
        public Builder crawler(Crawler crawler) {
            crawlers.add(Objects.requireNonNull(crawler, "crawler"));
            return this;
        }

        /**
         * Sets the limit of native memory: sites, rules and the overhead of the allocator, about 115 bytes for a site without rules.
         *
         * @param bytes 65,536 or more; default: 67,108,864 (64 MiB)
         * @return this
         * @throws IllegalArgumentException for another number
         */
        public Builder maxBytes(long bytes) {
            Status.demandRange("maxBytes", bytes, MIN_BYTES, Long.MAX_VALUE);
            maxBytes = bytes;
            return this;
        }

        /**
         * Sets the TTL of tickets: longer than the longest fetch with all its redirects. After it, another caller may fetch the same
         * file.
         *
         * @param ttl 1 s to 1 day, in whole seconds; default: 120 s
         * @return this
         * @throws IllegalArgumentException for another time
         */
        public Builder ticketTTL(Duration ttl) {
            Status.demandRange("ticketTTL in seconds", ttl.getSeconds(), 1, MAX_TICKET_TTL);
            ticketTTL = ttl;
            return this;
        }

        /**
         * Sets the delay between two requests to a site whose robots.txt states none.
         *
         * @param delay 0 to 1 day, in milliseconds, rounded up; default: 0
         * @return this
         * @throws IllegalArgumentException for another time
         */
        public Builder defaultDelay(Duration delay) {
            defaultDelay = inRange("defaultDelay", delay);
            return this;
        }

        /**
         * Sets the longest crawl-delay that is obeyed. A longer one counts as this.
         *
         * @param delay 0 to 1 day, in milliseconds, rounded up; default: 60 s; 0: none is obeyed
         * @return this
         * @throws IllegalArgumentException for another time
         */
        public Builder maxDelay(Duration delay) {
            maxDelay = inRange("maxDelay", delay);
            return this;
        }

        /**
         * Sets how far ahead {@link RobotsCache#request} reserves a slot.
         *
         * @param time 0 to 1 day, in milliseconds, rounded up; default: 60 s
         * @return this
         * @throws IllegalArgumentException for another time
         */
        public Builder horizon(Duration time) {
            horizon = inRange("horizon", time);
            return this;
        }

        private static Duration inRange(String name, Duration time) {
            if (time.isNegative() || time.compareTo(Duration.ofDays(1)) > 0) {
                throw new IllegalArgumentException(name + " is " + time + ": pass 0 to 1 day");
            }
            return time;
        }

        private static long millis(Duration time) {
            return time.plusNanos(999_999).toMillis();
        }

        /**
         * Sets the clock, for tests and replays.
         *
         * @param clock the clock; default: the system clock
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
         * @throws IllegalArgumentException if there are more than 16 crawlers
         * @throws IllegalStateException if a crawler is closed
         */
        public RobotsCache build() {
            Crawler[] all = crawlers.toArray(new Crawler[0]);
            return Crawler.with(all, addresses -> {
                long made = Native.cacheNew(addresses, maxBytes,
                        new long[] {1000 * ticketTTL.getSeconds(), millis(defaultDelay), millis(maxDelay), millis(horizon)});
                return new RobotsCache(Handle.of(made, Native::cacheFree), all, clock);
            });
        }

        /** Returns the options, such as {@code RobotsCache.Builder[1 crawlers, maxBytes=67108864]}. */
        @Override
        public String toString() {
            return "RobotsCache.Builder[" + crawlers.size() + " crawlers, maxBytes=" + maxBytes + ", ticketTTL=" + ticketTTL + "]";
        }
    }
}
