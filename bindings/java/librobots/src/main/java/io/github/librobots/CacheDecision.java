package io.github.librobots;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The decision of a {@link RobotsCache} on a URL: an action and a verdict. Immutable. */
public final class CacheDecision {
    /** The action to take. */
    public enum Action {
        /**
         * Obey the verdict. If there is also a ticket, refresh the robots.txt. The old outcome decides during the refresh (SPEC 3.4).
         */
        DECIDED,
        /** The cache has no outcome of the site: fetch its robots.txt with the ticket, finish the ticket and check again. */
        FETCH,
        /**
         * Another caller fetches the robots.txt, or the cache is full: wait with {@link RobotsCache#awaitTicket}, then check again.
         * {@link CacheDecision#until} is the expiry of the ticket: check again then at the latest.
         */
        WAIT,
        /**
         * Fetch nothing of the site before {@link CacheDecision#until}, not even its robots.txt (SPEC 2.7 to 2.10); keep the URL. After a
         * failure of the check, such as {@link Status#MEMORY}, that is at least a minute later.
         */
        DEFER
    }

    private static final Action[] ACTIONS = Action.values();

    /** The bits that {@code Native.cacheCheck} adds to the verdict, in which they are 0. */
    private static final long ACTION_BITS = 0x30, TICKET_BIT = 0x40, MORE = ACTION_BITS | TICKET_BIT;

    private final long word;
    private final @Nullable Instant until;
    private final @Nullable Ticket ticket;
    /** Null after a check: a hit allocates little. */
    private final @Nullable Slot slot;

    /** The results of {@code Native.cacheRequest} about the slot, in milliseconds, or 0; and {@link #failure}. */
    static final class Slot {
        static final Slot NONE = new Slot(0, 0, 0, false, null);

        final long at, left, delay;
        final boolean cut;
        final @Nullable Exception failure;

        Slot(long at, long left, long delay, boolean cut, @Nullable Exception failure) {
            this.at = at;
            this.left = left;
            this.delay = delay;
            this.cut = cut;
            this.failure = failure;
        }
    }

    /** Wraps the results of {@code Native.cacheCheck}. */
    CacheDecision(long word, @Nullable Instant until, @Nullable Ticket ticket) {
        this(word, until, ticket, null);
    }

    /** Wraps the results of {@code Native.cacheRequest}. */
    CacheDecision(long word, @Nullable Instant until, @Nullable Ticket ticket, @Nullable Slot slot) {
        this.word = word;
        this.until = until;
        this.ticket = ticket;
        this.slot = slot;
    }

    /**
     * Returns this decision with the exception of the fetch before it, for {@code RobotsFetcher} and its like.
     *
     * @param failure the exception; null: none
     * @return the decision
     */
    public CacheDecision because(@Nullable Exception failure) {
        if (failure == null) {
            return this;
        }
        Slot known = slot == null ? Slot.NONE : slot;
        return new CacheDecision(word, until, ticket, new Slot(known.at, known.left, known.delay, known.cut, failure));
    }

    /**
     * Returns why the robots.txt could not be fetched in the call that returned this decision.
     *
     * @return the exception of the HTTP client; empty if there was none, and if another thread fetched
     */
    public Optional<Exception> failure() {
        return slot == null ? Optional.empty() : Optional.ofNullable(slot.failure);
    }

    static boolean hasMore(long word) {
        return (word & MORE) != 0;
    }

    static boolean hasTicket(long word) {
        return (word & TICKET_BIT) != 0;
    }

    /** Returns whether the action has a time. */
    static boolean hasTime(long word) {
        return action(word) == Action.WAIT || action(word) == Action.DEFER;
    }

    private static Action action(long word) {
        return ACTIONS[(int) (word & ACTION_BITS) >> 4];
    }

    /**
     * Returns the action to take.
     *
     * @return the action
     */
    public Action action() {
        return action(word);
    }

    /**
     * Returns whether the URL may be fetched now; after {@link RobotsCache#request}, in {@link #requestIn}.
     *
     * @return true if it may; only with {@link Action#DECIDED}
     */
    public boolean allowed() {
        return Verdict.isAllowed(word);
    }

    /**
     * Returns the verdict.
     *
     * @return the verdict; unless the action is {@link Action#DECIDED}, not allowed with {@link Reason#DEFER} or
     *     {@link Reason#UNREACHABLE}, or with {@link Status#MEMORY} if the robots.txt does not fit into the cache; with
     *     {@link Action#DECIDED} also not allowed with {@link Status#URL} for text that is not an absolute URL, and with
     *     {@link Status#SCHEME} for another scheme than http, https and ftp
     */
    public Verdict verdict() {
        return new Verdict(word & ~MORE);
    }

    /**
     * Returns the time to check again with {@link Action#DEFER}, or the expiry of the ticket with {@link Action#WAIT}; later than the
     * check. It has whole seconds, rounded up; {@link #retryAt} has the milliseconds of a slot.
     *
     * @return the time; empty with another action
     */
    public Optional<Instant> until() {
        return Optional.ofNullable(until);
    }

    /**
     * Returns the ticket, which the caller finishes or closes.
     *
     * @return the ticket: always with {@link Action#FETCH}, sometimes with {@link Action#DECIDED}, else none
     */
    public Optional<Ticket> ticket() {
        return Optional.ofNullable(ticket);
    }

    /**
     * Returns the slot of {@link RobotsCache#request}.
     *
     * @return the time; empty without a slot; with {@link Action#DEFER} that of the slot that is too far away to be reserved
     */
    public Optional<Instant> requestAt() {
        return slot == null || slot.at == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(slot.at));
    }

    /**
     * Returns when to ask again: {@link #requestAt} with a slot, else {@link #until}.
     *
     * @return the time; empty if there is none to wait for
     */
    public Optional<Instant> retryAt() {
        return requestAt().or(this::until);
    }

    /**
     * Returns the time from the call of {@link RobotsCache#request} until the slot.
     *
     * @return the time; zero if the request is to be sent now, and without a slot
     */
    public Duration requestIn() {
        return slot == null ? Duration.ZERO : Duration.ofMillis(slot.left);
    }

    /**
     * Returns the time between this request and the next one to the site.
     *
     * @return the crawl-delay that is obeyed; zero without a slot
     */
    public Duration crawlDelay() {
        return slot == null ? Duration.ZERO : Duration.ofMillis(slot.delay);
    }

    /**
     * Returns whether the file states a longer crawl-delay than {@link #crawlDelay}.
     *
     * @return true if the limit {@link RobotsCache.Builder#maxDelay} made it shorter
     */
    public boolean crawlDelayCut() {
        return slot != null && slot.cut;
    }

    /** Returns a text such as {@code DECIDED: allowed: NO_RULE} or {@code DEFER until 2026-01-01T00:00:00Z}. */
    @Override
    public String toString() {
        boolean hasResult = action() == Action.DECIDED || verdict().status() != Status.OK;
        return action() + (until == null ? "" : " until " + until)
                + requestAt().map(at -> " at " + at).orElse("") + (hasResult ? ": " + verdict() : "")
                + (ticket == null ? "" : ", with a ticket")
                + failure().map(failure -> ", after " + failure).orElse("");
    }
}
