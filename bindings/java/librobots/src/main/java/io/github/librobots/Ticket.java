package io.github.librobots;

import java.lang.ref.Reference;
import java.time.Clock;

/**
 * The right to fetch the robots.txt of one site: the cache issues one ticket per site at a time. Finish or close it, best with
 * try-with-resources: an open ticket blocks its site until its TTL expires ({@link RobotsCache.Builder#ticketTTL}). Another thread may
 * use it, also after the cache is closed. Times are those of the clock of the cache.
 */
public final class Ticket implements AutoCloseable {
    private final Owned owned;
    private final Clock clock;
    private final Crawler[] crawlers;
    private final Runnable ended;

    /** Takes ownership of a native ticket. {@code ended} runs at its end, also when the garbage collector finds it. */
    Ticket(long address, Clock clock, Crawler[] crawlers, Runnable ended) {
        this.owned = new Owned("Ticket", Handle.of(address, ticket -> {
            Native.ticketFree(ticket);
            ended.run();
        }));
        this.ended = ended;
        this.clock = clock;
        this.crawlers = crawlers;
    }

    /**
     * Returns the key of the origin whose robots.txt is to be fetched.
     *
     * @return the key, such as {@code https://example.com}; empty after {@link #finish}
     * @throws IllegalStateException if the ticket is closed
     */
    public String origin() {
        return owned.with(address -> Row.text(Row.TICKET_ORIGIN, address, 0));
    }

    /**
     * Starts the fetch for all crawlers of the cache. If the cache has an outcome, the fetch makes a conditional request (SPEC 3.5) and
     * keeps using that outcome if the site is unreachable (SPEC 2.11).
     *
     * @return the fetch
     * @throws IllegalStateException if the ticket is finished or closed
     */
    public Fetch fetch() {
        return owned.with(address -> new Fetch(crawlers, Native.ticketFetch(address, RobotsCache.millis(clock))));
    }

    /**
     * Submits the outcome to the cache and returns the ticket. After the TTL of the ticket, the cache takes the outcome only if it
     * has no newer one.
     *
     * @param outcome the outcome of the fetch, or another one for the same site and crawlers
     * @return true if the cache stored the outcome; false if it has no room
     * @throws IllegalArgumentException if the outcome is of another site or of other crawlers; the ticket is returned then, too
     * @throws IllegalStateException if the ticket is finished or closed
     */
    public boolean finish(Outcome outcome) {
        Handle held = outcome.handle();
        try {
            int status = owned.with(address -> Native.ticketFinish(address, held.address, RobotsCache.millis(clock)));
            if (status == Status.MEMORY.ordinal()) {
                return false;
            }
            Status.demandOk(status);
            return true;
        } finally {
            Reference.reachabilityFence(held);
            ended.run();
        }
    }

    /** Frees the ticket. If it is not finished, the cache issues another. Does nothing the second time. */
    @Override
    public void close() {
        owned.close();
    }

    /** Returns the origin, such as {@code Ticket[https://example.com]}. */
    @Override
    public String toString() {
        try {
            return "Ticket[" + origin() + "]";
        } catch (IllegalStateException e) {
            return "Ticket[closed]";
        }
    }
}
