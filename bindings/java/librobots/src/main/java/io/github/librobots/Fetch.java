package io.github.librobots;

import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One retrieval of a robots.txt, without I/O (SPEC 2, 3): it says what it waits for ({@link #step}) and is told what an HTTP client
 * sees. {@code io.github.librobots.http.RobotsFetcher} drives it with {@code java.net.http}; drive it with any other client so:
 *
 * <pre>{@code
 * while (fetch.step() == Fetch.Step.GET) {
 *     Response response = ... // GET fetch.url() with fetch.requestHeaders(), without following redirects
 *     fetch.status(response.status(), Instant.now());
 *     response.headers().forEach(h -> fetch.header(h.name(), h.value()));
 *     fetch.headersEnd();
 *     while (fetch.step() == Fetch.Step.BODY) {
 *         ... // fetch.body(piece, 0, length) for each piece, then fetch.end()
 *     }
 * }
 * Outcome outcome = fetch.outcome();
 * }</pre>
 *
 * <p>and tell {@link #fail} where the client fails. An event that it does not wait for is an {@link IllegalStateException} and
 * changes nothing. Threads that share a fetch wait for each other. {@link #close} gives memory back at once; else the garbage
 * collector does.
 */
public final class Fetch implements AutoCloseable {
    /** What a fetch waits for. */
    public enum Step {
        /** Send a GET for {@link Fetch#url} with {@link Fetch#requestHeaders}, then tell {@link Fetch#status}. */
        GET,
        /** Tell each {@link Fetch#header}, then {@link Fetch#headersEnd}. */
        HEADERS,
        /** Tell the decoded body by {@link Fetch#body}, in pieces of any size, then {@link Fetch#end}. */
        BODY,
        /** There is an outcome; what is left of the response is of no use. */
        DONE
    }

    /** How an HTTP client fails (SPEC 2.10). */
    public enum Failure {
        /** The host has no address. */
        DNS,
        /** No connection. */
        CONNECT,
        /** No secure connection. */
        TLS,
        /** It took too long. */
        TIMEOUT,
        /** The connection broke. */
        RESET,
        /** The body ended early or was invalid: chunks, length, compression. */
        TRUNCATED,
        /** Anything else. */
        OTHER
    }

    private static final Step[] STEPS = Step.values();

    private final Owned owned;

    /** Takes over what a native function returned. */
    Fetch(long result) {
        owned = new Owned("Fetch", Handle.of(result, Native::fetchFree));
    }

    /**
     * Begins the retrieval of the robots.txt that governs a URL.
     *
     * @param url any URL of the site
     * @param now the time, of the same clock as all later times
     * @param crawler who asks; what is done about failures, and the lives, are as it is set up ({@link FetchOption})
     * @param others further crawlers that are served (SPEC 3.7), at most 15; the largest size limit counts
     * @return the fetch
     * @throws IllegalArgumentException for what is no absolute URL, for another scheme than http, https and ftp (SPEC 1.6), or for
     *     more than 16 crawlers
     * @throws IllegalStateException if a crawler is closed
     */
    public static Fetch begin(CharSequence url, Instant now, Crawler crawler, Crawler... others) {
        Handle held = crawler.held();
        Handle[] rest = Crawler.held(List.of(others));
        try {
            Fetch fetch = new Fetch(Native.fetchNew(held.address, Rules.octets(url), Outcome.seconds(now)));
            for (Handle other : rest) {
                fetch.owned.demand(address -> Native.fetchAddCrawler(address, other.address));
            }
            return fetch;
        } finally {
            Reference.reachabilityFence(held);
            Reference.reachabilityFence(rest);
        }
    }

    /**
     * Sets an option for this fetch alone (SPEC 2.14).
     *
     * @param option which choice
     * @param value as the option says
     * @return this
     * @throws IllegalArgumentException for a value out of its range
     * @throws IllegalStateException when the fetch is done or closed
     */
    public Fetch set(FetchOption option, long value) {
        owned.demand(address -> Native.fetchSet(address, option.number(), value));
        return this;
    }

    /**
     * Hands over the earlier outcome of the same site and crawlers, be it as old as it may: the file is asked for on condition that
     * it changed (SPEC 3.5), its rules go on being used while it cannot be reached (SPEC 2.11), and it is known since when that is
     * so (SPEC 2.12). To be called before the first event.
     *
     * @param outcome the earlier outcome
     * @return this
     * @throws IllegalArgumentException for an outcome of another site or of other crawlers
     * @throws IllegalStateException after an event, or if the fetch is closed
     */
    public Fetch setPrevious(Outcome outcome) {
        Handle held = outcome.handle();
        try {
            owned.demand(address -> Native.fetchAfter(address, held.address));
        } finally {
            Reference.reachabilityFence(held);
        }
        return this;
    }

    /**
     * Tells what the fetch waits for.
     *
     * @return the step
     * @throws IllegalStateException if the fetch is closed
     */
    public Step step() {
        return owned.with(address -> Row.pick(STEPS, Native.fetchStep(address), Step.DONE));
    }

    /**
     * Gives the URL to get: ASCII, http, https or ftp, without user name and fragment. A redirect changes it.
     *
     * @return the URL
     * @throws IllegalStateException if the fetch is closed
     */
    public String url() {
        return owned.with(address -> Row.text(Row.FETCH_URL, address, 0));
    }

    /**
     * Gives the headers to send with the request, beside the client's own: {@code If-None-Match}, {@code If-Modified-Since}.
     *
     * @return their names and values, whose characters are octets (ISO 8859-1); none or some
     * @throws IllegalStateException if the fetch is closed
     */
    public Map<String, String> requestHeaders() {
        Map<String, String> headers = new LinkedHashMap<>();
        owned.with(address -> Row.all(Row.FETCH_HEADER, address, row -> headers.put(row.text(0), row.header(2)) == null));
        return headers;
    }

    /**
     * Tells the status of the response. For {@link Step#GET}; {@link Step#HEADERS} follows.
     *
     * @param httpStatus any number
     * @param now the time; one earlier than told before counts as that
     * @throws IllegalStateException at another step, or if the fetch is closed
     */
    public void status(int httpStatus, Instant now) {
        owned.demand(address -> Native.fetchStatus(address, httpStatus, Outcome.seconds(now)));
    }

    /**
     * Tells one header of the response. Tell all, in their order: it takes those it wants, whatever their case, and bounds what it
     * keeps. For {@link Step#HEADERS}.
     *
     * @param name the name
     * @param value the value; its characters are octets (ISO 8859-1), as HTTP clients give them, unless one is past that
     * @throws IllegalStateException at another step, or if the fetch is closed
     */
    public void header(String name, String value) {
        owned.demand(address -> Native.fetchHeader(address, octets(name), octets(value)));
    }

    /**
     * Tells that there are no more headers. For {@link Step#HEADERS}; {@link Step#BODY} follows if there is a file,
     * {@link Step#GET} after a redirect, else {@link Step#DONE}.
     *
     * @throws IllegalStateException at another step, or if the fetch is closed
     */
    public void headersEnd() {
        owned.demand(Native::fetchHeadersEnd);
    }

    /**
     * Tells a piece of the body, decoded from any transfer or content encoding. When it has enough, which is the size limit
     * (SPEC 4.5), {@link Step#DONE} follows: ask for the step before the next piece. For {@link Step#BODY}.
     *
     * @param piece an array
     * @param offset where the piece begins
     * @param length how many octets it has
     * @throws IndexOutOfBoundsException if the piece does not lie inside of the array
     * @throws IllegalStateException at another step, or if the fetch is closed
     */
    public void body(byte[] piece, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, piece.length);
        owned.demand(address -> Native.fetchBody(address, piece, offset, length));
    }

    /**
     * Tells that the body has ended, as it should; tell {@link #fail} where it has not. For {@link Step#BODY};
     * {@link Step#DONE} follows.
     *
     * @throws IllegalStateException at another step, or if the fetch is closed
     */
    public void end() {
        owned.demand(Native::fetchEnd);
    }

    /**
     * Tells that there is no response, or no more of it. For any step but the last; {@link Step#DONE} follows.
     *
     * @param failure what happened
     * @param now as for {@link #status}
     * @throws IllegalStateException when the fetch is done or closed
     */
    public void fail(Failure failure, Instant now) {
        owned.demand(address -> Native.fetchFail(address, failure.ordinal() + 1, Outcome.seconds(now)));
    }

    /**
     * Gives what came of the fetch.
     *
     * @return the outcome, which lives on without the fetch
     * @throws IllegalStateException until the fetch is done, or if it is closed
     */
    public Outcome outcome() {
        return owned.with(address -> new Outcome(Handle.ofOutcome(Native.fetchOutcome(address))));
    }

    /** Ends the fetch, at whatever step. Does nothing the second time. */
    @Override
    public void close() {
        owned.close();
    }

    private static byte[] octets(String header) {
        return header.getBytes(header.chars().allMatch(c -> c <= 0xFF) ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
    }
}
