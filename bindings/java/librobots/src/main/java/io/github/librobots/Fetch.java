package io.github.librobots;

import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The fetch of one robots.txt as a state machine without I/O (SPEC 2, 3): {@link #step} returns the event that it waits for, and the
 * caller reports what its HTTP client receives. {@code io.github.librobots.http.RobotsFetcher} drives it with {@code java.net.http}.
 * With another client:
 *
 * <pre>{@code
 * while (fetch.step() == Fetch.Step.GET) {
 *     HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(fetch.url()));
 *     fetch.requestHeaders().forEach(request::header);
 *     // The client must not follow redirects.
 *     HttpResponse<byte[]> response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
 *     fetch.status(response.statusCode(), Instant.now());
 *     response.headers().map().forEach((name, values) -> values.forEach(value -> fetch.header(name, value)));
 *     fetch.headersEnd();
 *     if (fetch.step() == Fetch.Step.BODY) {
 *         fetch.body(response.body(), 0, response.body().length);
 *     }
 *     if (fetch.step() == Fetch.Step.BODY) { // below the size limit
 *         fetch.end();
 *     }
 * }
 * Outcome outcome = fetch.outcome();
 * }</pre>
 *
 * <p>If the client fails, call {@link #fail}. An event that the fetch does not wait for throws {@link IllegalStateException} and
 * changes nothing. Calls of several threads are synchronized. {@link #close} frees memory at once; otherwise the garbage collector
 * does.
 */
public final class Fetch implements AutoCloseable {
    /** The event that a fetch waits for. */
    public enum Step {
        /**
         * Send GET {@link Fetch#url} with {@link Fetch#requestHeaders}, then call {@link Fetch#status}. For an ftp URL call
         * {@link Fetch#ftpReply}.
         */
        GET,
        /** Call {@link Fetch#header} for each header, then {@link Fetch#headersEnd}. */
        HEADERS,
        /** Pass the body to {@link Fetch#body}, in pieces of any size, then call {@link Fetch#end}. */
        BODY,
        /** There is an outcome; the rest of the response is not needed. */
        DONE
    }

    /** The failures of an HTTP client (SPEC 2.10). */
    public enum Failure {
        /** DNS lookup failed. */
        DNS,
        /** Connecting failed. */
        CONNECT,
        /** The TLS handshake failed. */
        TLS,
        /** A timeout. */
        TIMEOUT,
        /** The connection was reset. */
        RESET,
        /** The body was cut short or invalid: chunks, length, compression. */
        TRUNCATED,
        /** Any other failure. */
        OTHER,
        /** The client cannot undo the content coding of the body, such as an unknown one. */
        ENCODED_BODY
    }

    private static final Step[] STEPS = Step.values();

    private final Owned owned;
    private final Crawler[] crawlers;

    /** Takes ownership of the result of a native function. */
    Fetch(Crawler[] crawlers, long result) {
        this.crawlers = crawlers;
        owned = new Owned("Fetch", Handle.of(result, Native::fetchFree));
    }

    /**
     * Starts the fetch of the robots.txt that governs a URL.
     *
     * @param url any URL of the site
     * @param now the time, of the same clock as all later times
     * @param crawler the crawler, whose options ({@link FetchOption}) the fetch obeys
     * @param others further crawlers that share the fetch (SPEC 3.7), at most 15; the largest size limit holds
     * @return the fetch
     * @throws IllegalArgumentException if the URL is not absolute, its scheme is not http, https or ftp (SPEC 1.6), there are more than
     *     16 crawlers, or the time is before March 1973 or after the year 9999
     * @throws IllegalStateException if a crawler is closed
     */
    public static Fetch begin(CharSequence url, Instant now, Crawler crawler, Crawler... others) {
        Crawler[] all = new Crawler[others.length + 1];
        all[0] = crawler;
        System.arraycopy(others, 0, all, 1, others.length);
        return Crawler.with(all, addresses -> {
            Fetch fetch = new Fetch(all, Native.fetchNew(addresses[0], Rules.utf8(url), Outcome.time(now)));
            for (int i = 1; i < addresses.length; i++) {
                long other = addresses[i];
                fetch.owned.demand(address -> Native.fetchAddCrawler(address, other));
            }
            return fetch;
        });
    }

    /**
     * Sets an option for this fetch alone (SPEC 2.14).
     *
     * @param option an option that takes a number
     * @param value the number, in the range of the option
     * @return this
     * @throws IllegalArgumentException for a number out of its range, and for an option whose name starts with {@code ON_}
     * @throws IllegalStateException if the fetch is done or closed
     */
    public Fetch set(FetchOption option, long value) {
        return setValue(option, option.checked(value));
    }

    /**
     * Sets what some failures mean for the site, for this fetch alone (SPEC 2.14).
     *
     * @param option an option whose name starts with {@code ON_}
     * @param meaning any kind but {@link Outcome.Kind#RULES}
     * @return this
     * @throws IllegalArgumentException for {@code RULES}, and for an option that takes a number
     * @throws IllegalStateException if the fetch is done or closed
     */
    public Fetch set(FetchOption option, Outcome.Kind meaning) {
        return setValue(option, option.checked(meaning));
    }

    private Fetch setValue(FetchOption option, long value) {
        owned.demand(address -> Native.fetchSet(address, option.number(), value));
        return this;
    }

    /**
     * Sets the previous outcome of the same site and crawlers, of any age. Then the request is conditional (SPEC 3.5), the previous
     * rules are used while the site is unreachable (SPEC 2.11), and the start of an outage is known (SPEC 2.12). Call it before the
     * first event.
     *
     * @param outcome the previous outcome
     * @return this
     * @throws IllegalArgumentException if the outcome is of another site or of other crawlers
     * @throws IllegalStateException after an event, or if the fetch is closed
     */
    public Fetch setPrevious(Outcome outcome) {
        Handle held = outcome.handle();
        try {
            owned.demand(address -> Native.fetchSetPrevious(address, held.address));
        } finally {
            Reference.reachabilityFence(held);
        }
        return this;
    }

    /**
     * Returns the event that the fetch waits for.
     *
     * @return the step
     * @throws IllegalStateException if the fetch is closed
     */
    public Step step() {
        return owned.with(address -> Row.pick(STEPS, Native.fetchStep(address), Step.DONE));
    }

    /**
     * Returns the URL to request: ASCII, http, https or ftp, without user name and fragment. A redirect changes it.
     *
     * @return the URL
     * @throws IllegalStateException if the fetch is closed
     */
    public String url() {
        return owned.with(address -> Row.text(Row.FETCH_URL, address, 0));
    }

    /**
     * Returns the headers to add to the request: {@code If-None-Match}, {@code If-Modified-Since}.
     *
     * @return names and values, one character per byte (ISO 8859-1); may be empty
     * @throws IllegalStateException if the fetch is closed
     */
    public Map<String, String> requestHeaders() {
        Map<String, String> headers = new LinkedHashMap<>();
        owned.with(address -> Row.all(Row.REQUEST_HEADER, address, row -> headers.put(row.text(0), row.header(2)) == null));
        return headers;
    }

    /**
     * Reports the status of the response. Valid at {@link Step#GET}; {@link Step#HEADERS} follows.
     *
     * @param httpStatus any number
     * @param now the time; the last one that is reported dates the outcome
     * @throws IllegalArgumentException if the time is before March 1973 or after the year 9999
     * @throws IllegalStateException at another step, or if the fetch is closed
     */
    public void status(int httpStatus, Instant now) {
        owned.demand(address -> Native.fetchStatus(address, httpStatus, Outcome.time(now)));
    }

    /**
     * Reports the final reply of an FTP server instead of a status (SPEC 2.19): 200 to 299 is a file, 550 counts as status 404, 530 as
     * 401, any other reply as an outage. Valid at {@link Step#GET} for an ftp URL; {@link Step#BODY} follows a file, else
     * {@link Step#DONE}.
     *
     * @param reply any number, such as 226 or 550
     * @param now the time, as for {@link #status}
     * @throws IllegalArgumentException if the time is before March 1973 or after the year 9999
     * @throws IllegalStateException at another step, for a URL of another scheme, or if the fetch is closed
     */
    public void ftpReply(int reply, Instant now) {
        owned.demand(address -> Native.fetchFtpReply(address, reply, Outcome.time(now)));
    }

    /**
     * Reports one header of the response. Pass all headers in order: the fetch keeps those that it needs, in any case of letters, and
     * bounds their size. Valid at {@link Step#HEADERS}.
     *
     * @param name the name
     * @param value the value, one character per byte (ISO 8859-1), as HTTP clients return it; with other characters UTF-8
     * @throws IllegalStateException at another step, or if the fetch is closed
     */
    public void header(String name, String value) {
        owned.demand(address -> Native.fetchHeader(address, bytes(name), bytes(value)));
    }

    /**
     * Reports the end of the headers. Valid at {@link Step#HEADERS}; {@link Step#BODY} follows if there is a file, {@link Step#GET}
     * after a redirect, else {@link Step#DONE}.
     *
     * @throws IllegalStateException at another step, or if the fetch is closed
     */
    public void headersEnd() {
        owned.demand(Native::fetchHeadersEnd);
    }

    /**
     * Passes a piece of the body as the server sent it: without the transfer coding, with the content coding that the headers name. At
     * the size limit (SPEC 4.5) {@link Step#DONE} follows: check the step before the next piece. Valid at {@link Step#BODY}.
     *
     * @param piece an array
     * @param offset the offset of the piece
     * @param length its length in bytes
     * @throws IndexOutOfBoundsException if the piece is not inside the array
     * @throws IllegalStateException at another step, or if the fetch is closed
     */
    public void body(byte[] piece, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, piece.length);
        owned.demand(address -> Native.fetchBody(address, piece, offset, length));
    }

    /**
     * Reports the regular end of the body; call {@link #fail} if it was cut short. Valid at {@link Step#BODY}; {@link Step#DONE}
     * follows.
     *
     * @throws IllegalStateException at another step, or if the fetch is closed
     */
    public void end() {
        owned.demand(address -> Native.fetchEnd(address, 0, 0));
    }

    /**
     * Reports that there is no response, or no more of it. Valid at any step but the last; {@link Step#DONE} follows.
     *
     * @param failure the failure
     * @param now the time, as for {@link #status}
     * @throws IllegalArgumentException if the time is before March 1973 or after the year 9999
     * @throws IllegalStateException if the fetch is done or closed
     */
    public void fail(Failure failure, Instant now) {
        owned.demand(address -> Native.fetchEnd(address, failure.ordinal() + 1, Outcome.time(now)));
    }

    /**
     * Returns the result of the fetch.
     *
     * @return the outcome, which does not depend on the fetch
     * @throws IllegalStateException if the fetch is not done, or is closed
     */
    public Outcome outcome() {
        return owned.with(address -> new Outcome(crawlers, Handle.ofOutcome(Native.fetchOutcome(address))));
    }

    /** Frees the fetch, at any step. Does nothing the second time. */
    @Override
    public void close() {
        owned.close();
    }

    /** Returns step and URL, such as {@code Fetch[GET https://example.com/robots.txt]}. */
    @Override
    public String toString() {
        try {
            return "Fetch[" + step() + " " + url() + "]";
        } catch (IllegalStateException e) {
            return "Fetch[closed]";
        }
    }

    private static byte[] bytes(String header) {
        return header.getBytes(header.chars().allMatch(c -> c <= 0xFF) ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
    }
}
