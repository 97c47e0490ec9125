package io.github.librobots;

import java.time.Instant;
import java.util.Optional;

/** What is to be done with a URL, as a {@link RobotsCache} says. */
public final class CacheDecision {
    /** What is to be done. */
    public enum Action {
        /**
         * Obey the verdict. If there is a ticket beside it, fetch the robots.txt anew; until that is done the old outcome serves
         * everybody (SPEC 3.4).
         */
        DECIDED,
        /** Nothing is known of the site, and the ticket is yours: fetch its robots.txt, hand the outcome in and ask again. */
        FETCH,
        /** Somebody else is fetching the robots.txt, or there is no room: ask again in a while, at {@link CacheDecision#until} at the latest. */
        WAIT,
        /**
         * Nothing of the site may be fetched before {@link CacheDecision#until}, its robots.txt neither (SPEC 2.7 to 2.10); keep the URL.
         */
        DEFER
    }

    private static final Action[] ACTIONS = Action.values();

    /** The bits that {@code Native.cacheCheck} puts into the verdict, which leaves them 0. */
    private static final long ACTION_BITS = 6, TICKET_BIT = 8, MORE = ACTION_BITS | TICKET_BIT;

    private final long word;
    private final Instant until;
    private final Ticket ticket;

    /** The word of {@code Native.cacheCheck}, and what it wrote beside it. */
    CacheDecision(long word, Instant until, Ticket ticket) {
        this.word = word;
        this.until = until;
        this.ticket = ticket;
    }

    static boolean hasMore(long word) {
        return (word & MORE) != 0;
    }

    static boolean hasTicket(long word) {
        return (word & TICKET_BIT) != 0;
    }

    /** Whether the action is one that has a time. */
    static boolean hasTime(long word) {
        return action(word) == Action.WAIT || action(word) == Action.DEFER;
    }

    private static Action action(long word) {
        return ACTIONS[(int) (word & ACTION_BITS) >> 1];
    }

    /**
     * Gives what is to be done.
     *
     * @return the action
     */
    public Action action() {
        return action(word);
    }

    /**
     * Tells whether the URL may be fetched now.
     *
     * @return whether it may; only with {@link Action#DECIDED}
     */
    public boolean allowed() {
        return Verdict.isAllowed(word);
    }

    /**
     * Gives the verdict.
     *
     * @return the verdict; with another action than {@link Action#DECIDED} not allowed with {@link Reason#DEFER}; for what is no
     *     absolute URL not allowed with {@link Status#URL}, for one of another scheme than http, https and ftp with
     *     {@link Status#SCHEME}
     */
    public Verdict verdict() {
        return new Verdict(word & ~MORE);
    }

    /**
     * Tells when to ask again.
     *
     * @return the time; empty unless the action is {@link Action#WAIT} or {@link Action#DEFER}
     */
    public Optional<Instant> until() {
        return Optional.ofNullable(until);
    }

    /**
     * Gives the ticket, which is to be finished or closed by whoever asked.
     *
     * @return the ticket: always one with {@link Action#FETCH}, at times with {@link Action#DECIDED}, else none
     */
    public Optional<Ticket> ticket() {
        return Optional.ofNullable(ticket);
    }

    /** Says it in words, such as {@code DECIDED: allowed: NO_RULE}. */
    @Override
    public String toString() {
        return action() + (action() == Action.DECIDED ? ": " + verdict() : until == null ? "" : " until " + until)
                + (ticket == null ? "" : ", with a ticket");
    }
}
