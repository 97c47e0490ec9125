package io.github.librobots;

import java.lang.ref.Reference;
import java.time.Clock;

/**
 * The holder fetches the robots.txt of one site, and nobody else who asks the cache does meanwhile. Give it back in any case, best
 * with try-with-resources: a ticket that is neither finished nor closed holds up its site until its life is over
 * ({@link RobotsCache.Builder#ticketTTL}). It may be handed on to another thread, and outlives its cache. Times are those of the
 * cache's clock.
 */
public final class Ticket implements AutoCloseable {
    private final Owned owned;
    private final Clock clock;

    /** Takes over a ticket. */
    Ticket(long address, Clock clock) {
        this.owned = new Owned("Ticket", Handle.of(address, Native::ticketFree));
        this.clock = clock;
    }

    /**
     * Gives the key of the site whose robots.txt is to be fetched.
     *
     * @return such as {@code https://example.com}; empty after {@link #finish}
     * @throws IllegalStateException if the ticket is closed
     */
    public String origin() {
        return owned.with(address -> Row.text(Row.TICKET_ORIGIN, address, 0));
    }

    /**
     * Begins the retrieval, for all crawlers of the cache. It is told of the outcome that the cache has: it asks the server whether
     * the file changed (SPEC 3.5), and goes on using it where the server cannot be reached (SPEC 2.11).
     *
     * @return the fetch
     * @throws IllegalStateException if the ticket is finished or closed
     */
    public Fetch fetch() {
        return owned.with(address -> new Fetch(Native.ticketFetch(address, RobotsCache.seconds(clock))));
    }

    /**
     * Hands the outcome in, for all who ask, and gives the ticket back. Of a ticket whose life was over the outcome counts only if
     * nothing newer is kept.
     *
     * @param outcome what came of the fetch, or was made otherwise for the same site and crawlers
     * @return whether the cache had room for it; without, it is as if nobody had fetched
     * @throws IllegalArgumentException for the outcome of another site or of other crawlers; the ticket is given back
     * @throws IllegalStateException if the ticket is finished or closed
     */
    public boolean finish(Outcome outcome) {
        Handle held = outcome.handle();
        try {
            int status = owned.with(address -> Native.ticketFinish(address, held.address, RobotsCache.seconds(clock)));
            if (status == Status.MEMORY.ordinal()) {
                return false;
            }
            Status.demandOk(status);
            return true;
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    /** Ends the ticket. One that was not finished is given back: the next who asks the cache gets one. Does nothing twice. */
    @Override
    public void close() {
        owned.close();
    }
}
