package io.github.librobots;

import java.lang.ref.Reference;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What came of fetching the robots.txt of a site, for one or several crawlers: rules or a word for the whole site, why, and how
 * long that holds (SPEC 2, 3). Immutable; any number of threads may ask at once. It need not be closed.
 */
public final class Outcome {
    /** What an outcome is. */
    public enum Kind {
        /** There is a robots.txt, its rules decide. */
        RULES,
        /** All of the site may be fetched. */
        ALLOW_ALL,
        /** Nothing of the site may be fetched. */
        DISALLOW_ALL,
        /** Nothing of the site may be fetched now; keep its URLs and ask again later. */
        DEFER
    }

    /** Why an outcome is as it is. */
    public enum Cause {
        /** There is a file (SPEC 2.1). */
        FOUND,
        /** The file is as it was (SPEC 3.5). */
        NOT_MODIFIED,
        /** There is no file: 400 to 499 (SPEC 2.5), or a server error that is taken for that (SPEC 2.14). */
        MISSING,
        /** 401 or 403 (SPEC 2.6). */
        FORBIDDEN,
        /** 429 (SPEC 2.7). */
        TOO_MANY_REQUESTS,
        /** 500 to 599 (SPEC 2.8). */
        SERVER_ERROR,
        /** A status that is no answer: below 200, above 599, or a 304 that nobody asked for (SPEC 2.9). */
        ODD_STATUS,
        /** More redirects in a row than are followed (SPEC 2.3). */
        TOO_MANY_REDIRECTS,
        /** A redirect to where one had been already (SPEC 2.3). */
        REDIRECT_LOOP,
        /** A redirect without a target, or to one that is no http or https URL (SPEC 2.3). */
        BAD_REDIRECT,
        /** The host has no address (SPEC 2.10). */
        DNS,
        /** No connection. */
        CONNECT,
        /** No secure connection. */
        TLS,
        /** It took too long. */
        TIMEOUT,
        /** The connection broke. */
        RESET,
        /** The file ended before its end, or was invalid on the way. */
        TRUNCATED,
        /** Any other failure. */
        OTHER_FAILURE,
        /** Unreachable for so long that the site counts as one without a file (SPEC 2.12). */
        UNREACHABLE_LONG
    }

    private static final Kind[] KINDS = Kind.values();
    private static final Cause[] CAUSES = Cause.values();

    // What to get, as in the C library.
    private static final int KIND = 1, CAUSE = 2, HTTP_STATUS = 3, HOPS = 4, DOWNGRADED = 5, STALE = 6, FETCHED_AT = 7,
            FRESH_UNTIL = 8, USABLE_UNTIL = 9, RETRY_AT = 10, UNREACHABLE_SINCE = 11;
    private static final int ORIGIN = 32, FINAL_URL = 33, ETAG = 34, LAST_MODIFIED = 35;

    private final Handle handle;

    Outcome(Handle handle) {
        this.handle = handle;
    }

    /**
     * Reads an outcome from what {@link #encode} gave, on this or another machine, in any language.
     *
     * @param record the record
     * @param crawlers the crawlers that the fetch was made for, 1 to 16, in their order
     * @return the outcome
     * @throws IllegalArgumentException for a damaged record, or one of another format version or of other crawlers: fetch the file
     *     again
     * @throws IllegalStateException if a crawler is closed
     */
    public static Outcome decode(byte[] record, Crawler... crawlers) {
        Objects.requireNonNull(record, "record");
        Handle[] held = Crawler.held(List.of(crawlers));
        try {
            return new Outcome(Handle.ofOutcome(Native.outcomeDecode(Crawler.addresses(held), record)));
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    /**
     * Gives the outcome as one block of octets, to be stored or sent.
     *
     * @return the record
     */
    public byte[] encode() {
        try {
            return new Row(Row.OUTCOME_RECORD, handle.address, 0).octets(0);
        } finally {
            Reference.reachabilityFence(handle);
        }
    }

    /**
     * Decides on one URL of the site at one time, for the first crawler.
     *
     * @param url an absolute URL of the site, or a path that starts with {@code /}
     * @param now the time
     * @return the verdict of the rules; not allowed with {@link Reason#DEFER} where the site is deferred or the outcome has passed;
     *     not allowed with {@link Status#URL} for what is no URL or is one of another site
     */
    public Verdict check(CharSequence url, Instant now) {
        return check(0, url, now);
    }

    /**
     * Decides on one URL of the site at one time.
     *
     * @param crawler the place of the crawler among those the fetch was made for, from 0
     * @param url as for {@link #check(CharSequence, Instant)}
     * @param now the time
     * @return the verdict; past the last crawler it is not allowed with {@link Status#ARGUMENT}
     */
    public Verdict check(int crawler, CharSequence url, Instant now) {
        try {
            return new Verdict(Native.outcomeCheck(handle.address, crawler, Rules.octets(url), seconds(now)));
        } finally {
            Reference.reachabilityFence(handle);
        }
    }

    /**
     * Gives the rules for the first crawler: see {@link #rules(int)}.
     *
     * @return the rules
     */
    public Rules rules() {
        return rules(0);
    }

    /**
     * Gives the rules for one crawler. Where the kind is not {@link Kind#RULES} they allow all or, also for {@link Kind#DEFER},
     * nothing. They know neither the site nor the time: {@link #check(CharSequence, Instant)} does.
     *
     * @param crawler the place of the crawler, from 0
     * @return the rules
     * @throws IndexOutOfBoundsException past the last crawler
     */
    public Rules rules(int crawler) {
        try {
            long rules = Native.outcomeRules(handle.address, crawler);
            if (rules < 0) { // past the last: the address of rules is positive
                throw new IndexOutOfBoundsException("there is no crawler " + crawler + ", or no memory for its rules");
            }
            return new Rules(Handle.of(rules, Native::rulesFree));
        } finally {
            Reference.reachabilityFence(handle);
        }
    }

    /**
     * Gives the kind.
     *
     * @return what the outcome is
     */
    public Kind kind() {
        return Row.pick(KINDS, get(KIND), Kind.DEFER);
    }

    /**
     * Gives the cause.
     *
     * @return why it is so
     */
    public Cause cause() {
        return Row.pick(CAUSES, get(CAUSE) - 1, Cause.OTHER_FAILURE);
    }

    /**
     * Gives the status of the last response.
     *
     * @return the status; 0 where there was none
     */
    public int httpStatus() {
        return (int) get(HTTP_STATUS);
    }

    /**
     * Tells how many redirects were followed.
     *
     * @return how many
     */
    public int hops() {
        return (int) get(HOPS);
    }

    /**
     * Tells whether a redirect led from https to http, where anyone on the way may have changed the file.
     *
     * @return whether one did
     */
    public boolean downgraded() {
        return get(DOWNGRADED) != 0;
    }

    /**
     * Tells whether these are the rules of an earlier fetch, which go on being used (SPEC 2.11).
     *
     * @return whether they are
     */
    public boolean stale() {
        return get(STALE) != 0;
    }

    /**
     * Tells when the rules were fetched or found to be unchanged; of other kinds when the fetch ended.
     *
     * @return the time, in whole seconds, as all times
     */
    public Instant fetchedAt() {
        return instant(get(FETCHED_AT));
    }

    /**
     * Gives the end of its life (SPEC 3.1 to 3.3); of stale rules it may have passed.
     *
     * @return the time
     */
    public Instant freshUntil() {
        return instant(get(FRESH_UNTIL));
    }

    /**
     * Tells until when it decides while nothing newer is there (SPEC 3.4).
     *
     * @return the time; {@link Instant#MAX} for ever
     */
    public Instant usableUntil() {
        return instant(get(USABLE_UNTIL));
    }

    /**
     * Tells when the next try is due, and not before (SPEC 3.6).
     *
     * @return the time
     */
    public Instant retryAt() {
        return instant(get(RETRY_AT));
    }

    /**
     * Tells since when each try has failed (SPEC 2.12).
     *
     * @return the time; empty after a fetch that was answered
     */
    public Optional<Instant> unreachableSince() {
        long since = get(UNREACHABLE_SINCE);
        return since == -1 ? Optional.empty() : Optional.of(instant(since));
    }

    /**
     * Gives the key of the site.
     *
     * @return such as {@code https://example.com}
     */
    public String origin() {
        return text(ORIGIN);
    }

    /**
     * Gives the URL of the last request, behind all redirects; of rules that of the request they came from.
     *
     * @return the URL
     */
    public String finalUrl() {
        return text(FINAL_URL);
    }

    /**
     * Gives the {@code ETag} of the rules.
     *
     * @return the value; empty if there is none
     */
    public String etag() {
        return header(ETAG);
    }

    /**
     * Gives the {@code Last-Modified} of the rules.
     *
     * @return the value; empty if there is none
     */
    public String lastModified() {
        return header(LAST_MODIFIED);
    }

    /** Says it in words, such as {@code https://example.com: RULES (FOUND, 200)}. */
    @Override
    public String toString() {
        return origin() + ": " + kind() + " (" + cause() + (httpStatus() == 0 ? "" : ", " + httpStatus())
                + (stale() ? ", stale" : "") + ")";
    }

    Handle handle() {
        return handle;
    }

    private long get(int what) {
        try {
            return Native.outcomeGet(handle.address, what);
        } finally {
            Reference.reachabilityFence(handle);
        }
    }

    private String text(int what) {
        try {
            return Row.text(Row.OUTCOME_TEXT, handle.address, what);
        } finally {
            Reference.reachabilityFence(handle);
        }
    }

    private String header(int what) {
        try {
            return new Row(Row.OUTCOME_TEXT, handle.address, what).header(0);
        } finally {
            Reference.reachabilityFence(handle);
        }
    }

    /** Seconds since 1970, as the library counts; a time before is 1970. */
    static long seconds(Instant time) {
        return Math.max(0, time.getEpochSecond());
    }

    /** The time of seconds since 1970 without sign; what Java cannot say is its last time. */
    static Instant instant(long seconds) {
        return seconds < 0 || seconds > Instant.MAX.getEpochSecond() ? Instant.MAX : Instant.ofEpochSecond(seconds);
    }
}
