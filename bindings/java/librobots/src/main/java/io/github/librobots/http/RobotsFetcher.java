package io.github.librobots.http;

import io.github.librobots.CacheDecision;
import io.github.librobots.Fetch;
import io.github.librobots.Outcome;
import io.github.librobots.RobotsCache;
import io.github.librobots.Ticket;
import io.github.librobots.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.PushbackInputStream;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLException;

/**
 * Fetches robots.txt files with {@code java.net.http}. Redirects are followed by the rules of SPEC 2.2, the size limit of SPEC 4.5 is
 * kept while the body arrives, and one deadline counts for the whole: a server that drips holds nobody up. Any number of threads may
 * use one at once.
 *
 * <pre>{@code
 * RobotsCache cache = RobotsCache.of(Crawler.of("ExampleBot"));
 * RobotsFetcher fetcher = RobotsFetcher.of("ExampleBot/1.0 (+https://example.com/bot)");
 * if (fetcher.check(cache, url).allowed()) ...
 * }</pre>
 *
 * <p>It gets what {@code java.net.http} can: ftp it cannot, nor a host that {@link URI} refuses, such as one with an underscore. That
 * counts as a failure of another kind ({@link Fetch.Failure#OTHER}), so such a site is not fetched.
 */
public final class RobotsFetcher {
    /** How much is read at once, in octets. */
    private static final int PIECE = 16_384;

    /** How long who waits for another's fetch sleeps between two questions, in milliseconds: at first, at most. */
    private static final long FIRST_NAP = 5, LONGEST_NAP = 250;

    private final HttpClient client;
    private final String userAgent;
    private final Duration deadline;

    private RobotsFetcher(HttpClient client, String userAgent, Duration deadline) {
        this.client = client;
        this.userAgent = userAgent;
        this.deadline = deadline;
    }

    /**
     * Makes a fetcher with a client of its own and a deadline of 30 seconds.
     *
     * @param userAgent the value of the {@code User-Agent} header
     * @return the fetcher
     * @throws IllegalArgumentException if that can be no header
     */
    public static RobotsFetcher of(String userAgent) {
        return of(HttpClient.newHttpClient(), userAgent, Duration.ofSeconds(30)); // which follows no redirects
    }

    /**
     * Makes a fetcher.
     *
     * @param client the client to use; with {@link HttpClient.Redirect#NEVER}, as redirects are followed here
     * @param userAgent the value of the {@code User-Agent} header
     * @param deadline how long one retrieval may take as a whole, with all redirects and the body; less than the life of a ticket
     * @return the fetcher
     * @throws IllegalArgumentException for a client that follows redirects, a deadline that is not positive, or a value that can be no
     *     header
     */
    public static RobotsFetcher of(HttpClient client, String userAgent, Duration deadline) {
        if (client.followRedirects() != HttpClient.Redirect.NEVER) {
            throw new IllegalArgumentException(
                    "the client follows redirects, so a redirect could not be told from an answer: use Redirect.NEVER");
        }
        HttpRequest.newBuilder().header("User-Agent", userAgent);
        HttpRequest.newBuilder().timeout(deadline);
        return new RobotsFetcher(client, userAgent, deadline);
    }

    /**
     * Says whether the first crawler of a cache may fetch a URL now: see {@link #check(RobotsCache, int, CharSequence)}.
     *
     * @param cache the cache
     * @param url an absolute URL
     * @return the verdict
     * @throws InterruptedException if the thread is interrupted; what it began is given back
     */
    public Verdict check(RobotsCache cache, CharSequence url) throws InterruptedException {
        return check(cache, 0, url);
    }

    /**
     * Says whether a crawler may fetch a URL now. If need be, this fetches the robots.txt, or waits until another thread, which is
     * fetching it, has done so, at most as long as a retrieval may take.
     *
     * @param cache the cache
     * @param crawler the index of the crawler
     * @param url an absolute URL
     * @return the verdict; not allowed with {@link io.github.librobots.Reason#DEFER} where the URL is to be kept for later
     *     ({@link CacheDecision#until} of the cache says until when)
     * @throws IndexOutOfBoundsException for a crawler that the cache does not have
     * @throws IllegalStateException if the cache is closed
     * @throws InterruptedException if the thread is interrupted; what it began is given back
     */
    public Verdict check(RobotsCache cache, int crawler, CharSequence url) throws InterruptedException {
        long end = System.nanoTime() + nanos(deadline);
        for (long nap = FIRST_NAP; ; nap = Math.min(2 * nap, LONGEST_NAP)) {
            CacheDecision answer = cache.check(crawler, url);
            Optional<Ticket> ticket = answer.ticket();
            if (ticket.isPresent()) {
                return fetch(cache, ticket.get()).check(crawler, url, cache.clock().instant());
            }
            if (answer.action() != CacheDecision.Action.WAIT || System.nanoTime() - end >= 0) {
                return answer.verdict();
            }
            Thread.sleep(nap);
        }
    }

    /**
     * Fetches the robots.txt for which a ticket was given, hands the outcome in and closes the ticket, also after an exception.
     *
     * @param cache the cache that gave the ticket, by whose clock times count
     * @param ticket the ticket
     * @return what came of it; a failure of the server or of the network is an outcome, too
     * @throws IllegalStateException if the ticket is finished or closed
     * @throws InterruptedException if the thread is interrupted; the ticket is given back
     */
    public Outcome fetch(RobotsCache cache, Ticket ticket) throws InterruptedException {
        try (Ticket mine = ticket;
                Fetch fetch = mine.fetch()) {
            Outcome outcome = run(fetch, cache.clock());
            mine.finish(outcome);
            return outcome;
        }
    }

    /**
     * Carries out a fetch.
     *
     * @param fetch a fetch that was begun; its owner closes it
     * @param clock by which times count
     * @return what came of it
     * @throws IllegalStateException if the fetch is closed
     * @throws InterruptedException if the thread is interrupted
     */
    public Outcome run(Fetch fetch, Clock clock) throws InterruptedException {
        Objects.requireNonNull(clock, "clock");
        long end = System.nanoTime() + nanos(deadline);
        while (fetch.step() != Fetch.Step.DONE) {
            try {
                get(fetch, end, clock);
            } catch (InterruptedIOException e) {
                if (Thread.interrupted()) {
                    throw interrupted(e);
                }
                fail(fetch, Fetch.Failure.TIMEOUT, clock);
            } catch (IOException e) {
                fail(fetch, failure(e, fetch.step() == Fetch.Step.BODY), clock);
            } catch (IllegalArgumentException e) { // what java.net.http takes for no URL
                fail(fetch, Fetch.Failure.OTHER, clock);
            }
        }
        return fetch.outcome();
    }

    private static void fail(Fetch fetch, Fetch.Failure failure, Clock clock) {
        if (fetch.step() != Fetch.Step.DONE) {
            fetch.fail(failure, clock.instant());
        }
    }

    /** One request and its response. */
    private void get(Fetch fetch, long end, Clock clock) throws IOException, InterruptedException {
        long left = end - System.nanoTime();
        if (left <= 0) {
            throw new HttpTimeoutException("fetching a robots.txt took too long");
        }
        URI uri = URI.create(escaped(fetch.url()));
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(Duration.ofNanos(left))
                .header("User-Agent", userAgent)
                .header("Accept-Encoding", "gzip");
        if ("http".equals(uri.getScheme())) {
            request.version(HttpClient.Version.HTTP_1_1); // no offer of an upgrade: some servers stumble over it
        }
        fetch.requestHeaders().forEach(request::header);
        HttpResponse<Flow.Publisher<List<ByteBuffer>>> response =
                client.send(request.build(), HttpResponse.BodyHandlers.ofPublisher());
        try (Pieces pieces = new Pieces(end)) {
            response.body().subscribe(pieces);
            fetch.status(response.statusCode(), clock.instant());
            response.headers().map().forEach((name, values) -> values.forEach(value -> fetch.header(name, value)));
            fetch.headersEnd();
            if (fetch.step() == Fetch.Step.BODY) {
                read(fetch, decoded(response, pieces));
            }
        }
    }

    private static void read(Fetch fetch, InputStream body) throws IOException {
        byte[] piece = new byte[PIECE];
        while (fetch.step() == Fetch.Step.BODY) {
            int count = body.read(piece);
            if (count < 0) {
                fetch.end();
            } else {
                fetch.body(piece, 0, count);
            }
        }
    }

    private static InputStream decoded(HttpResponse<?> response, InputStream pieces) throws IOException {
        String encoding = String.join(",", response.headers().allValues("Content-Encoding")).trim();
        switch (encoding.toLowerCase(Locale.ROOT)) {
            case "":
            case "identity":
                return pieces;
            case "gzip":
            case "x-gzip":
                PushbackInputStream some = new PushbackInputStream(pieces);
                int first = some.read();
                if (first < 0) { // nothing at all is an empty file
                    return some;
                }
                some.unread(first);
                return new GZIPInputStream(some, PIECE);
            default:
                throw new ProtocolException("a Content-Encoding that was not asked for");
        }
    }

    /** What a failure of the client is. */
    static Fetch.Failure failure(IOException failure, boolean inBody) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) {
                return Fetch.Failure.DNS;
            }
            if (cause instanceof SSLException) {
                return Fetch.Failure.TLS;
            }
        }
        if (failure instanceof HttpTimeoutException) {
            return Fetch.Failure.TIMEOUT;
        }
        if (inBody) {
            return failure.getCause() instanceof SocketException || failure instanceof SocketException
                    ? Fetch.Failure.RESET
                    : Fetch.Failure.TRUNCATED;
        }
        if (failure instanceof ProtocolException) {
            return Fetch.Failure.OTHER;
        }
        return failure instanceof ConnectException ? Fetch.Failure.CONNECT : Fetch.Failure.RESET;
    }

    private static InterruptedException interrupted(InterruptedIOException cause) {
        InterruptedException interrupted = new InterruptedException(cause.getMessage());
        interrupted.initCause(cause);
        return interrupted;
    }

    /** The URL with what {@link URI} refuses as percent-escapes; the library leaves it alone, as browsers do. */
    private static String escaped(String url) {
        StringBuilder text = new StringBuilder(url.length());
        for (byte octet : url.getBytes(StandardCharsets.UTF_8)) {
            if (octet <= ' ' || octet == 0x7F || "\"<>\\^`{|}".indexOf(octet) >= 0) {
                text.append(String.format("%%%02X", octet & 0xFF));
            } else {
                text.append((char) octet);
            }
        }
        return text.toString();
    }

    private static long nanos(Duration duration) {
        // Durations of centuries are as good as one.
        return duration.compareTo(Duration.ofDays(36_500)) > 0 ? Duration.ofDays(36_500).toNanos() : duration.toNanos();
    }
}
