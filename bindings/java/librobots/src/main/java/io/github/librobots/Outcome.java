package io.github.librobots;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.ref.Reference;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The result of fetching the robots.txt of a site, for one or several crawlers: rules or a site-wide rule, the cause, and the
 * freshness lifetime (SPEC 2, 3). Immutable; any number of threads may use it at once. It need not be closed. Java serialization and
 * Kryo write its record and its crawlers.
 */
public final class Outcome implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The kind of an outcome. */
    public enum Kind {
        /** There is a robots.txt; its rules decide. */
        RULES,
        /** Every URL of the site may be fetched. */
        ALLOW_ALL,
        /** No URL of the site may be fetched. */
        DISALLOW_ALL,
        /** No URL of the site may be fetched now: keep its URLs and check them again later. */
        DEFER,
        /** The robots.txt cannot be reached: fetch nothing now, keep the URLs of the site and check them again later. This is no ban. */
        UNREACHABLE
    }

    /** The cause of an outcome. */
    public enum Cause {
        /** A file was fetched (SPEC 2.1). */
        FOUND,
        /** 304 Not Modified (SPEC 3.5). */
        NOT_MODIFIED,
        /** There is no file: 400 to 499 (SPEC 2.5), or a server error that an option treats as 404 (SPEC 2.14). */
        MISSING,
        /** 401 or 403 (SPEC 2.6). */
        FORBIDDEN,
        /** 429 (SPEC 2.7). */
        TOO_MANY_REQUESTS,
        /** 500 to 599 (SPEC 2.8). */
        SERVER_ERROR,
        /** An unexpected status: below 200, above 599, or 304 without a conditional request (SPEC 2.9). */
        ODD_STATUS,
        /** More redirects in a row than {@link FetchOption#MAX_REDIRECTS} (SPEC 2.3). */
        TOO_MANY_REDIRECTS,
        /** A redirect back to an earlier URL; one to the current URL only counts as a redirect (SPEC 2.3). */
        REDIRECT_LOOP,
        /** A redirect without a target, or to a target that is not an http or https URL (SPEC 2.3). */
        BAD_REDIRECT,
        /** DNS lookup failed (SPEC 2.10). */
        DNS,
        /** Connecting failed. */
        CONNECT,
        /** The TLS handshake failed. */
        TLS,
        /** A timeout. */
        TIMEOUT,
        /** The connection was reset. */
        RESET,
        /** The body was cut short or invalid. */
        TRUNCATED,
        /** Any other failure. */
        OTHER_FAILURE,
        /** The site was unreachable for longer than {@link FetchOption#UNREACHABLE_TTL} (SPEC 2.12). */
        UNREACHABLE_LONG,
        /** 206, a part of the file (SPEC 2.17). */
        PARTIAL_CONTENT,
        /** The body has fewer bytes than {@code Content-Length} states (SPEC 2.17). */
        SHORT_BODY,
        /** The content coding of the body is unknown or damaged (SPEC 2.17). */
        ENCODED_BODY,
        /** A redirect that the client reported as the final status (SPEC 2.16). */
        REDIRECT_NOT_FOLLOWED,
        /** A redirect that {@link FetchOption#NON_GLOBAL_REDIRECTS} refuses. */
        NON_GLOBAL_REDIRECT,
        /** An HTML page in place of the file (SPEC 2.20). Unless {@link FetchOption#ON_HTML} is set, it was read as a file. */
        HTML
    }

    /** March 1973, before which no time lies (SPEC 3.9), and the end of the year 9999 (SPEC 2.18). */
    private static final long FIRST_SECOND = 100_000_000L, LAST_SECOND = 253_402_300_799L;

    private static final Kind[] KINDS = Kind.values();
    private static final Cause[] CAUSES = Cause.values();

    // The cells of Row.OUTCOME.
    private static final int ORIGIN = 0, FINAL_URL = 2, ETAG = 4, LAST_MODIFIED = 6, KIND = 8, CAUSE = 9, HTTP_STATUS = 10, HOPS = 11,
            DOWNGRADED = 12, STALE = 13, FETCHED_AT = 14, FRESH_UNTIL = 15, USABLE_UNTIL = 16, RETRY_AT = 17, UNREACHABLE_SINCE = 18;

    /** The crawlers that the outcome is for, in order. */
    private final Crawler[] crawlers;
    private transient volatile @Nullable Handle handle;
    /** For serializers that copy fields; Java serialization uses {@link #writeReplace}. */
    @SuppressWarnings("serial")
    private final Bytes record = new Bytes(this::encode);

    /** For a serializer. */
    private Outcome() {
        crawlers = new Crawler[0];
    }

    Outcome(Crawler[] crawlers, Handle handle) {
        this.crawlers = crawlers;
        this.handle = handle;
    }

    /**
     * Decodes an outcome from the record that {@link #encode} returned, on this or another machine, in any language.
     *
     * @param record the record
     * @param crawlers the crawlers of the fetch, 1 to 16, in their order
     * @return the outcome
     * @throws IllegalArgumentException if the record is damaged, or of another format version, or of other crawlers: fetch the file
     *     again
     * @throws IllegalStateException if a crawler is closed
     */
    public static Outcome decode(byte[] record, Crawler... crawlers) {
        Objects.requireNonNull(record, "record");
        Crawler[] own = crawlers.clone();
        return new Outcome(own, handleOf(record, own));
    }

    private static Handle handleOf(byte[] record, Crawler[] crawlers) {
        Library.require();
        return Crawler.with(crawlers, addresses -> Handle.ofOutcome(Native.outcomeDecode(addresses, record)));
    }

    /**
     * Encodes the outcome as one block of bytes, to store or send.
     *
     * @return the record
     */
    public byte[] encode() {
        Handle held = handle();
        try {
            return new Row(Row.OUTCOME_RECORD, held.address, 0).bytes(0);
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    /**
     * Decides on one URL of the site at a given time, for the first crawler.
     *
     * @param url an absolute URL of the site, or a path that starts with {@code /}
     * @param now the time
     * @return the verdict of the rules; not allowed with {@link Reason#DEFER} or {@link Reason#UNREACHABLE} if the site is deferred or
     *     unreachable, or the outcome has expired; not allowed with {@link Status#URL} for text that is not a URL, or a URL of another site
     */
    public Verdict check(CharSequence url, Instant now) {
        return check(0, url, now);
    }

    /**
     * Decides on one URL of the site at a given time.
     *
     * @param crawler the index of the crawler, from 0
     * @param url the URL, as for {@link #check(CharSequence, Instant)}
     * @param now the time
     * @return the verdict
     * @throws IndexOutOfBoundsException for an index out of range
     */
    public Verdict check(int crawler, CharSequence url, Instant now) {
        Objects.checkIndex(crawler, crawlers.length);
        Handle held = handle();
        try {
            return new Verdict(Native.outcomeCheck(held.address, crawler, Rules.utf8(url), millis(now)));
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    /**
     * Decides on one URL by a record of {@link #encode} or {@link RobotsCache#forEachRecord}, without decoding it: for processes that share
     * records. A record names its site and its expiry. Its checksum and its crawlers are not compared: {@link #decode} does that.
     *
     * @param record the record
     * @param crawler the index of the crawler, from 0
     * @param url the URL, as for {@link #check(CharSequence, Instant)}
     * @param now the time
     * @return the verdict; not allowed with {@link Status#IMAGE} or {@link Status#IMAGE_FORMAT} for a record that cannot be read, and with
     *     {@link Status#ARGUMENT} for an index out of range
     */
    public static Verdict checkRecord(byte[] record, int crawler, CharSequence url, Instant now) {
        Objects.requireNonNull(record, "record");
        return new Verdict(Native.recordCheck(record, crawler, Rules.utf8(url), millis(now)));
    }

    /**
     * Returns the rules for the first crawler: see {@link #rules(int)}.
     *
     * @return the rules
     */
    public Rules rules() {
        return rules(0);
    }

    /**
     * Returns the rules for one crawler. Unless the kind is {@link Kind#RULES} they allow every URL or no URL, with
     * {@link Reason#UNREACHABLE} for {@link Kind#DEFER} and {@link Kind#UNREACHABLE}. They check neither origin nor time; {@link #check(CharSequence, Instant)} does.
     *
     * @param crawler the index of the crawler, from 0
     * @return the rules
     * @throws IndexOutOfBoundsException for an index out of range
     */
    public Rules rules(int crawler) {
        Objects.checkIndex(crawler, crawlers.length);
        Handle held = handle();
        try {
            return new Rules(Handle.of(Native.outcomeRules(held.address, crawler), Native::rulesFree));
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    /**
     * Returns the kind.
     *
     * @return the kind
     */
    public Kind kind() {
        return Row.pick(KINDS, get(KIND), Kind.DEFER);
    }

    /**
     * Returns the cause.
     *
     * @return the cause
     */
    public Cause cause() {
        return Row.pick(CAUSES, get(CAUSE) - 1, Cause.OTHER_FAILURE);
    }

    /**
     * Returns the HTTP status of the last response.
     *
     * @return the status; 0 if there was no response
     */
    public int httpStatus() {
        return (int) get(HTTP_STATUS);
    }

    /**
     * Returns the number of redirects that were followed.
     *
     * @return the number of redirects
     */
    public int hops() {
        return (int) get(HOPS);
    }

    /**
     * Returns whether a redirect led from https to http, so that the file may have been changed in transit.
     *
     * @return true if one did
     */
    public boolean downgraded() {
        return get(DOWNGRADED) != 0;
    }

    /**
     * Returns whether these are the rules of an earlier fetch, used because the site is unreachable (SPEC 2.11).
     *
     * @return true if they are
     */
    public boolean stale() {
        return get(STALE) != 0;
    }

    /**
     * Returns the time when the rules were fetched or validated; for other kinds, the time when the fetch ended.
     *
     * @return the time; as all times, in whole seconds
     */
    public Instant fetchedAt() {
        return instant(get(FETCHED_AT));
    }

    /**
     * Returns the end of the freshness lifetime (SPEC 3.1 to 3.3). Stale rules may have expired.
     *
     * @return the time
     */
    public Instant freshUntil() {
        return instant(get(FRESH_UNTIL));
    }

    /**
     * Returns the time until which the outcome decides if no newer one replaces it (SPEC 3.4).
     *
     * @return the time; {@link Instant#MAX} if it has no end
     */
    public Instant usableUntil() {
        return instant(get(USABLE_UNTIL));
    }

    /**
     * Returns the time of the next attempt (SPEC 3.6). Do not fetch before.
     *
     * @return the time
     */
    public Instant retryAt() {
        return instant(get(RETRY_AT));
    }

    /**
     * Returns the time of the first failed attempt of the current outage (SPEC 2.12).
     *
     * @return the time; empty if the last attempt was answered
     */
    public Optional<Instant> unreachableSince() {
        long since = get(UNREACHABLE_SINCE);
        return since == -1 ? Optional.empty() : Optional.of(instant(since));
    }

    /**
     * Returns the key of the origin.
     *
     * @return the key, such as {@code https://example.com}
     */
    public String origin() {
        return get(row -> row.text(ORIGIN));
    }

    /**
     * Returns the URL of the last request, after all redirects; for rules, of the request that returned them.
     *
     * @return the URL
     */
    public String finalUrl() {
        return get(row -> row.text(FINAL_URL));
    }

    /**
     * Returns the {@code ETag} of the rules.
     *
     * @return the value; empty if there is none
     */
    public String etag() {
        return get(row -> row.header(ETAG));
    }

    /**
     * Returns the {@code Last-Modified} of the rules.
     *
     * @return the value; empty if there is none
     */
    public String lastModified() {
        return get(row -> row.header(LAST_MODIFIED));
    }

    /** Returns origin, kind and cause, such as {@code https://example.com: RULES (FOUND, 200)}. */
    @Override
    public String toString() {
        return origin() + ": " + kind() + " (" + cause() + (httpStatus() == 0 ? "" : ", " + httpStatus())
                + (stale() ? ", stale" : "") + ")";
    }

    /** Returns the handle, which the caller keeps reachable while it uses the address. */
    Handle handle() {
        Handle held = handle;
        return held != null ? held : restore();
    }

    /** Decodes the record that a serializer has read. */
    private synchronized Handle restore() {
        if (handle == null) {
            handle = handleOf(record.read(), crawlers);
        }
        return handle;
    }

    /**
     * Replaces the outcome by its record in serialization.
     *
     * @return the record and the crawlers
     */
    private Object writeReplace() {
        return new Form(encode(), crawlers);
    }

    /**
     * Refuses a stream that this class did not write.
     *
     * @param in the stream
     * @throws InvalidObjectException always
     */
    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        throw new InvalidObjectException("an Outcome is serialized as its record");
    }

    /** The serialized form of an outcome. */
    private static final class Form implements Serializable {
        private static final long serialVersionUID = 1L;

        private final byte[] record;
        private final Crawler[] crawlers;

        Form(byte[] record, Crawler[] crawlers) {
            this.record = record;
            this.crawlers = crawlers;
        }

        /** Decodes the record, which may come from an untrusted source. */
        private Object readResolve() throws InvalidObjectException {
            try {
                return decode(record, crawlers);
            } catch (IllegalArgumentException | NullPointerException e) {
                InvalidObjectException failure = new InvalidObjectException("not the record of an Outcome: " + e.getMessage());
                failure.initCause(e);
                throw failure;
            }
        }
    }

    /** Copies a part of the native outcome. */
    private <T> T get(Function<Row, T> copy) {
        Handle held = handle();
        try {
            return copy.apply(new Row(Row.OUTCOME, held.address, 0));
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    private long get(int cell) {
        return get(row -> row.number(cell));
    }

    /** Returns the milliseconds since 1970; 0 for an earlier time, and the highest number for one after the year 9999. */
    static long millis(Instant time) {
        long seconds = time.getEpochSecond();
        return seconds < 0 ? 0 : seconds > LAST_SECOND ? Long.MAX_VALUE : time.toEpochMilli();
    }

    /** Returns the milliseconds since 1970; throws for a time before March 1973 or after the year 9999. */
    static long time(Instant time) {
        Status.demandRange("the time, in seconds since 1970,", time.getEpochSecond(), FIRST_SECOND, LAST_SECOND);
        return time.toEpochMilli();
    }

    /** Returns the time of unsigned milliseconds since 1970, at most {@code Instant.MAX}. */
    static Instant instant(long millis) {
        return millis < 0 ? Instant.MAX : Instant.ofEpochMilli(millis);
    }
}
