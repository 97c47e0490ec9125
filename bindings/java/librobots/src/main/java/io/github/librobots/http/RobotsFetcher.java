package io.github.librobots.http;

import io.github.librobots.CacheDecision;
import io.github.librobots.Fetch;
import io.github.librobots.Origin;
import io.github.librobots.Outcome;
import io.github.librobots.RobotsCache;
import io.github.librobots.Ticket;
import io.github.librobots.Verdict;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Fetches robots.txt files with {@code java.net.http}, or with a {@link Client}. It follows redirects as SPEC 2.2 says, applies the
 * size limit of SPEC 4.5 while the body arrives, and has one deadline for the whole fetch. Any number of threads may use it at once.
 *
 * <pre>{@code
 * RobotsCache cache = RobotsCache.of(Crawler.of("ExampleBot"));
 * RobotsFetcher fetcher = RobotsFetcher.of("ExampleBot/1.0 (+https://example.com/bot)");
 * url = Origin.urlToSend(url);
 * if (fetcher.request(cache, url).allowed()) { // at the time of its slot: send the request for url
 *     ...
 * }
 * }</pre>
 *
 * <p>{@code java.net.http} supports neither ftp nor a host that {@link URI} refuses, such as one with an underscore. These count as
 * {@link Fetch.Failure#OTHER}, so no URL of such a site is allowed.
 */
public final class RobotsFetcher {
    /** How often one request fetches the robots.txt: at first, and when that is old at the time of its slot. */
    private static final int MOST_FETCHES = 2;

    /** It logs fetches and requests that wait or are deferred, at the level DEBUG. */
    private static final System.Logger LOGGER = System.getLogger("io.github.librobots");

    private final Client client;
    /** Null: another client sends it. */
    private final @Nullable String userAgent;
    private final Duration deadline;
    private final Consumer<Outcome> onOutcome;
    private final BiConsumer<String, Exception> onFailure;
    private final AtomicBoolean namesCrawler = new AtomicBoolean(true);

    /** An HTTP client other than {@code java.net.http}, for {@link RobotsFetcher#of(Client, Duration)}. */
    @FunctionalInterface
    public interface Client {
        /**
         * Sends one request for {@link Fetch#url} and reports its response, as {@link Fetch} shows, without following redirects. It is a
         * failure if a client reports nothing.
         *
         * @param fetch the fetch, at {@link Fetch.Step#GET}
         * @param left the time until the deadline
         * @param clock the clock of the cache, for {@link Fetch#status}
         * @throws Exception if there is no whole response; an {@code InterruptedException} ends the fetch. Any other exception
         *     is a failure, unless the client has reported the end of a response or a redirect: then what it reported counts
         */
        void get(Fetch fetch, Duration left, Clock clock) throws Exception;
    }

    private RobotsFetcher(Client client, @Nullable String userAgent, Duration deadline, Consumer<Outcome> onOutcome,
            BiConsumer<String, Exception> onFailure) {
        this.client = client;
        this.userAgent = userAgent;
        this.deadline = deadline;
        this.onOutcome = onOutcome;
        this.onFailure = onFailure;
    }

    /**
     * Makes a fetcher with its own client and a deadline of 30 seconds.
     *
     * @param userAgent the value of the {@code User-Agent} header
     * @return the fetcher
     * @throws IllegalArgumentException if the value is not a valid header
     */
    public static RobotsFetcher of(String userAgent) {
        return of(HttpClient.newHttpClient(), userAgent, Duration.ofSeconds(30)); // follows no redirects
    }

    /**
     * Makes a fetcher.
     *
     * @param client the client, with {@link HttpClient.Redirect#NEVER}, because the fetcher follows redirects
     * @param userAgent the value of the {@code User-Agent} header
     * @param deadline the time limit of one fetch, with all redirects and the body; less than the TTL of a ticket
     * @return the fetcher
     * @throws IllegalArgumentException if the client follows redirects, the deadline is not positive, or the value is not a valid
     *     header
     */
    public static RobotsFetcher of(HttpClient client, String userAgent, Duration deadline) {
        if (Objects.requireNonNull(client, "client").followRedirects() != HttpClient.Redirect.NEVER) {
            throw new IllegalArgumentException(
                    "the client follows redirects, so the fetcher cannot see them: use Redirect.NEVER");
        }
        HttpRequest.newBuilder().header("User-Agent", Objects.requireNonNull(userAgent, "userAgent"));
        positive(deadline);
        return new RobotsFetcher((fetch, left, clock) -> get(client, userAgent, fetch, left, clock), userAgent, deadline, outcome -> {},
                (url, failure) -> {});
    }

    /**
     * Makes a fetcher with another HTTP client.
     *
     * @param client the client, which follows no redirects, because the fetcher follows them
     * @param deadline the time limit of one fetch, with all redirects, after which no request is sent; less than the TTL of a ticket
     * @return the fetcher
     * @throws IllegalArgumentException if the deadline is not positive
     */
    public static RobotsFetcher of(Client client, Duration deadline) {
        return new RobotsFetcher(Objects.requireNonNull(client, "client"), null, positive(deadline), outcome -> {}, (url, failure) -> {});
    }

    private static Duration positive(Duration deadline) {
        if (Objects.requireNonNull(deadline, "deadline is null: pass a time, such as 30 seconds").isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("deadline is " + deadline + ": pass a longer time, such as 30 seconds");
        }
        return deadline;
    }

    /**
     * Returns a fetcher with the same settings that calls a function with the outcome of each fetch for a cache: after the cache has
     * stored it, in the thread that fetched. Many threads may call it at once, for different sites.
     *
     * @param hook the function
     * @return the fetcher
     */
    public RobotsFetcher onOutcome(Consumer<Outcome> hook) {
        return new RobotsFetcher(client, userAgent, deadline, Objects.requireNonNull(hook, "hook"), onFailure);
    }

    /**
     * Returns a fetcher with the same settings that calls a function with each exception of the HTTP client, and the URL of the request,
     * such as {@code https://example.com/robots.txt}: in the thread that fetches. The outcome has its {@linkplain Outcome#cause cause}
     * alone. Each exception is also logged, at the level {@code DEBUG} of the {@link System.Logger} {@code io.github.librobots}.
     *
     * @param hook the function
     * @return the fetcher
     */
    public RobotsFetcher onFailure(BiConsumer<String, Exception> hook) {
        return new RobotsFetcher(client, userAgent, deadline, onOutcome, Objects.requireNonNull(hook, "hook"));
    }

    /**
     * Decides whether the first crawler of a cache may fetch a URL now: see {@link #check(RobotsCache, int, CharSequence)}.
     *
     * @param cache the cache
     * @param url an absolute URL
     * @return the verdict
     * @throws InterruptedException if the thread is interrupted; its ticket is returned
     */
    public Verdict check(RobotsCache cache, CharSequence url) throws InterruptedException {
        return check(cache, 0, url);
    }

    /**
     * Decides whether a crawler may fetch a URL now. If needed, it fetches the robots.txt, or waits while another thread fetches it, at
     * most until the deadline.
     *
     * @param cache the cache
     * @param crawler the index of the crawler
     * @param url an absolute URL
     * @return the verdict; if it is {@link Verdict#deferred}, keep the URL for later ({@link CacheDecision#until} of the cache is the time)
     * @throws IndexOutOfBoundsException for an index out of range
     * @throws IllegalStateException if the cache is closed
     * @throws InterruptedException if the thread is interrupted; its ticket is returned
     */
    public Verdict check(RobotsCache cache, int crawler, CharSequence url) throws InterruptedException {
        warnOfForeignAgent(cache, crawler);
        long end = System.nanoTime() + nanos(deadline);
        while (true) {
            CacheDecision decision = cache.check(crawler, url);
            Optional<Ticket> ticket = decision.ticket();
            if (ticket.isPresent()) {
                return fetch(cache, ticket.get()).check(crawler, url, cache.clock().instant());
            }
            long left = end - System.nanoTime();
            if (decision.action() != CacheDecision.Action.WAIT || left <= 0) {
                return decision.verdict();
            }
            cache.awaitTicket(url, Duration.ofNanos(left));
        }
    }

    /**
     * Decides on a URL that the first crawler is about to request, and waits for its slot: see
     * {@link #request(RobotsCache, int, CharSequence)}.
     *
     * @param cache the cache
     * @param url an absolute URL
     * @return the decision
     * @throws InterruptedException if the thread is interrupted; its ticket is returned, and its slot stays unused
     */
    public CacheDecision request(RobotsCache cache, CharSequence url) throws InterruptedException {
        return request(cache, 0, url);
    }

    /**
     * Decides on a URL that is about to be requested. If it is allowed, this method returns at the time of its slot
     * ({@link RobotsCache#request}): send the request at once, then pass the response to {@link RobotsCache#retryAfter}. If needed, it
     * fetches the robots.txt first, or waits while another thread fetches it, at most until the deadline. A slot further away than
     * {@link RobotsCache.Builder#horizon} is deferred.
     *
     * @param cache the cache
     * @param crawler the index of the crawler
     * @param url an absolute URL
     * @return the decision, with the exception of a fetch that failed in this call ({@link CacheDecision#failure}); with
     *     {@link CacheDecision.Action#DEFER}, and after the deadline with {@link CacheDecision.Action#WAIT}, keep
     *     the URL until {@link CacheDecision#retryAt}
     * @throws IndexOutOfBoundsException for an index out of range
     * @throws IllegalStateException if the cache is closed
     * @throws InterruptedException if the thread is interrupted; its ticket is returned, and its slot stays unused
     */
    public CacheDecision request(RobotsCache cache, int crawler, CharSequence url) throws InterruptedException {
        warnOfForeignAgent(cache, crawler);
        CacheDecision decision = waitForSlot(cache, crawler, url);
        if (decision.action() != CacheDecision.Action.DECIDED) {
            // With a slot, only that is too far away: nothing is wrong with the robots.txt.
            log("request deferred", () -> List.of("url", shown(url), "cause",
                    decision.requestAt().isPresent() ? "none" : cache.outcome(url).map(outcome -> outcome.cause().name()).orElse("none"),
                    "until", decision.until().map(Instant::toString).orElse("none")));
        }
        return decision;
    }

    private CacheDecision waitForSlot(RobotsCache cache, int crawler, CharSequence url) throws InterruptedException {
        long end = System.nanoTime() + nanos(deadline);
        Instant slot = null;
        int fetches = 0;
        AtomicReference<Exception> failure = new AtomicReference<>();
        while (true) {
            CacheDecision decision = cache.request(crawler, url, slot).because(failure.get());
            Optional<Ticket> ticket = decision.ticket();
            // A file that is old as soon as it is there is not fetched for one request again and again.
            boolean isLast = fetches >= MOST_FETCHES;
            if (ticket.isPresent() && isLast) {
                ticket.get().close();
            } else if (ticket.isPresent()) {
                fetches++;
                fetch(cache, ticket.get(), failure);
            }
            switch (decision.action()) {
                case FETCH:
                    if (isLast) {
                        return decision;
                    }
                    break;
                case WAIT:
                    long left = end - System.nanoTime();
                    if (left <= 0) {
                        return decision;
                    }
                    cache.awaitTicket(url, Duration.ofNanos(left));
                    break;
                case DECIDED:
                    if (!decision.allowed() || decision.requestIn().isZero() && (ticket.isEmpty() || isLast)) {
                        return decision;
                    }
                    Instant at = decision.requestAt().get();
                    if (!decision.requestIn().isZero()) {
                        log("request paced", () -> List.of("url", shown(url), "until", at));
                    }
                    slot = at;
                    Thread.sleep(decision.requestIn().toMillis());
                    break;
                default:
                    return decision;
            }
        }
    }

    /** Logs an event with pairs of the name and the value of its fields. */
    private static void log(String event, Supplier<List<Object>> fields) {
        LOGGER.log(System.Logger.Level.DEBUG, () -> {
            StringBuilder text = new StringBuilder(event).append(':');
            for (Iterator<Object> rest = fields.get().iterator(); rest.hasNext(); ) {
                text.append(' ').append(rest.next()).append('=').append(rest.next());
            }
            return text.toString();
        });
    }

    /** Returns a URL without user name and password. */
    private static String shown(CharSequence url) {
        try {
            return Origin.urlToSend(url);
        } catch (IllegalArgumentException e) {
            return Origin.of(url).key() + "/..."; // the path is too long
        }
    }

    /** Logs a warning, once, if servers cannot know the crawler whose rules are obeyed. */
    private void warnOfForeignAgent(RobotsCache cache, int crawler) {
        if (userAgent != null && !cache.isNamedIn(crawler, userAgent) && namesCrawler.getAndSet(false)) {
            LOGGER.log(System.Logger.Level.WARNING,
                    "the User-Agent \"" + userAgent + "\" does not hold the product token that robots.txt is read for: name the token in it");
        }
    }

    /**
     * Fetches the robots.txt of a ticket, submits the outcome and closes the ticket, also after an exception.
     *
     * @param cache the cache that issued the ticket
     * @param ticket the ticket
     * @return the outcome; a failure of the server or of the network is an outcome, too
     * @throws IllegalStateException if the ticket is finished or closed
     * @throws InterruptedException if the thread is interrupted; the ticket is returned
     */
    public Outcome fetch(RobotsCache cache, Ticket ticket) throws InterruptedException {
        return fetch(cache, ticket, new AtomicReference<>());
    }

    private Outcome fetch(RobotsCache cache, Ticket ticket, AtomicReference<Exception> failure) throws InterruptedException {
        try (Ticket mine = ticket;
                Fetch fetch = mine.fetch()) {
            Outcome outcome = run(fetch, cache.clock(), failure);
            mine.finish(outcome);
            log("robots.txt fetched", () -> List.of("origin", outcome.origin(), "kind", outcome.kind(), "cause", outcome.cause(), "status",
                    outcome.httpStatus(), "hops", outcome.hops(), "stale", outcome.stale(), "final_url", outcome.finalUrl(), "retry_at",
                    outcome.retryAt()));
            onOutcome.accept(outcome);
            return outcome;
        }
    }

    /**
     * Runs a fetch to its end.
     *
     * @param fetch the fetch; the caller closes it
     * @param clock the clock
     * @return the outcome
     * @throws IllegalStateException if the fetch is closed
     * @throws InterruptedException if the thread is interrupted
     */
    public Outcome run(Fetch fetch, Clock clock) throws InterruptedException {
        return run(fetch, clock, new AtomicReference<>());
    }

    private Outcome run(Fetch fetch, Clock clock, AtomicReference<Exception> failure) throws InterruptedException {
        Objects.requireNonNull(clock, "clock");
        long end = System.nanoTime() + nanos(deadline);
        while (fetch.step() != Fetch.Step.DONE) {
            String url = fetch.url();
            failure.set(null); // after a redirect, the last request counts
            try {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    throw new HttpTimeoutException("fetching a robots.txt took too long");
                }
                client.get(fetch, Duration.ofNanos(left), clock);
                expectEvents(fetch, url);
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) { // also an IllegalArgumentException of java.net.http, which refuses the URL
                failure.set(e);
                fail(fetch, failure(e, fetch.step() == Fetch.Step.BODY), clock);
            }
            if (failure.get() != null) {
                LOGGER.log(System.Logger.Level.DEBUG, () -> "no robots.txt from " + url, failure.get());
                onFailure.accept(url, failure.get());
            }
        }
        return fetch.outcome();
    }

    /** Throws an exception unless the client reported a redirect from {@code url} or the end of the fetch. */
    private static void expectEvents(Fetch fetch, String url) {
        Fetch.Step step = fetch.step();
        if (step == Fetch.Step.DONE || step == Fetch.Step.GET && !url.equals(fetch.url())) {
            return;
        }
        IllegalStateException failure =
                new IllegalStateException("the client reports no whole response: call the methods of Fetch, or throw an exception");
        if (step != Fetch.Step.GET) {
            throw failure;
        }
        try {
            fetch.end(); // after a redirect to the same URL; without a response it is an error
        } catch (IllegalStateException e) {
            failure.initCause(e);
            throw failure;
        }
    }

    private static void fail(Fetch fetch, Fetch.Failure failure, Clock clock) {
        if (fetch.step() != Fetch.Step.DONE) {
            fetch.fail(failure, clock.instant());
        }
    }

    /** Sends one request and reads its response. */
    private static void get(HttpClient client, String userAgent, Fetch fetch, Duration left, Clock clock)
            throws IOException, InterruptedException {
        URI uri = URI.create(fetch.url());
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(left)
                .header("User-Agent", userAgent)
                .header("Accept-Encoding", "identity");
        if ("http".equals(uri.getScheme())) {
            request.version(HttpClient.Version.HTTP_1_1); // without an upgrade header, which some servers refuse
        }
        fetch.requestHeaders().forEach(request::header);
        try (Pieces response = new Pieces(System.nanoTime() + left.toNanos())) {
            client.sendAsync(request.build(), response).whenComplete((done, failure) -> {
                if (failure != null) {
                    response.onError(failure);
                }
            });
            HttpResponse.ResponseInfo head = response.head();
            fetch.status(head.statusCode(), clock.instant());
            head.headers().map().forEach((name, values) -> values.forEach(value -> fetch.header(name, value)));
            fetch.headersEnd();
            if (fetch.step() != Fetch.Step.BODY) {
                return; // the next request is that of a redirect
            }
            if (head.headers().map().keySet().containsAll(Set.of("Content-Length", "Transfer-Encoding"))) {
                throw new ProtocolException("the length and the chunks of the body differ"); // java.net.http takes chunks for text
            } else {
                response.passTo(fetch);
            }
        }
    }

    /** Returns the failure that an exception of the client stands for. */
    static Fetch.Failure failure(Exception failure, boolean inBody) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) {
                return Fetch.Failure.DNS;
            }
            if (cause instanceof SSLException) {
                return Fetch.Failure.TLS;
            }
        }
        if (failure instanceof HttpTimeoutException || failure instanceof SocketTimeoutException) {
            return Fetch.Failure.TIMEOUT;
        }
        if (inBody) {
            return failure.getCause() instanceof SocketException || failure instanceof SocketException
                    ? Fetch.Failure.RESET
                    : Fetch.Failure.TRUNCATED;
        }
        if (failure instanceof ProtocolException || !(failure instanceof IOException)) {
            return Fetch.Failure.OTHER;
        }
        return failure instanceof ConnectException ? Fetch.Failure.CONNECT : Fetch.Failure.RESET;
    }

    private static long nanos(Duration duration) {
        // A long does not hold more than 292 years.
        return duration.compareTo(Duration.ofDays(36_500)) > 0 ? Duration.ofDays(36_500).toNanos() : duration.toNanos();
    }
}
