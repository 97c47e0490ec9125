package io.github.librobots;

import java.io.ByteArrayOutputStream;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Who asks: the product tokens of a crawler, its dialect, its limits. Immutable; any number of threads may parse with one at
 * once. It need not be closed: the garbage collector ends it.
 */
public final class Crawler implements AutoCloseable {
    private volatile Handle handle;

    private Crawler(Handle handle) {
        this.handle = handle;
    }

    /**
     * Makes a crawler that calls itself {@code token}.
     *
     * @param token the bare product token, such as {@code ExampleBot}: letters, digits, {@code .}, {@code _} and {@code -},
     *     1 to 1024 of them (SPEC 7.6)
     * @param fallbacks further tokens, in order of preference: each counts where no group of a robots.txt names an earlier one
     * @return the crawler
     * @throws IllegalArgumentException for what is no product token, a whole {@code User-Agent} header among it
     */
    public static Crawler of(String token, String... fallbacks) {
        Builder builder = builder(token);
        for (String fallback : fallbacks) {
            builder.fallback(fallback);
        }
        return builder.build();
    }

    /**
     * Begins a crawler with options.
     *
     * @param token as for {@link #of}
     * @return the builder
     */
    public static Builder builder(String token) {
        return new Builder(token);
    }

    /**
     * Makes a crawler of a well-known name, set up after what its operator has published, as far as that is known: product tokens
     * in order of preference, dialect, whether it ignores groups of {@code *}. Operators change such things.
     *
     * @param name such as {@code Googlebot-Image}; case does not matter
     * @return the crawler
     * @throws IllegalArgumentException for a name that is not known: set it up with {@link #builder}
     */
    public static Crawler preset(String name) {
        long made = Native.crawlerPreset(Rules.octets(name));
        if (made == -Status.TOKEN.ordinal()) {
            throw new IllegalArgumentException("no preset has the name '" + name + "': set the crawler up with Crawler.builder");
        }
        return new Crawler(Handle.of(made, Native::crawlerFree));
    }

    /**
     * Compiles a robots.txt for this crawler.
     *
     * @param body the octets of the file, any octets, also none: nothing in it is an error (SPEC 4.3)
     * @return the rules, which live on when the crawler is closed
     * @throws IllegalStateException if the crawler is closed
     */
    public Rules parse(byte[] body) {
        return parse(body, 0, body.length);
    }

    /**
     * Compiles a robots.txt that is a part of an array.
     *
     * @param body the array
     * @param offset where the file begins
     * @param length how many octets it has
     * @return the rules
     * @throws IndexOutOfBoundsException if the part does not lie inside of the array
     * @throws IllegalStateException if the crawler is closed
     */
    public Rules parse(byte[] body, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, body.length);
        Handle held = held();
        try {
            return new Rules(Handle.ofRules(Native.parse(held.address, body, offset, length)));
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    /**
     * Compiles a robots.txt that was read as text. Prefer {@link #parse(byte[])}: what a server sends are octets.
     *
     * @param body the text
     * @return the rules
     * @throws IllegalStateException if the crawler is closed
     */
    public Rules parse(String body) {
        return parse(body.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Says what follows from a response that is known as a whole (SPEC 2), for a caller whose HTTP client follows redirects
     * itself. There are no headers, so the lives are the usual. {@link Fetch} is told more and knows more.
     *
     * @param url any URL of the site that was asked first
     * @param httpStatus any number
     * @param body the file, which counts for 200 to 299
     * @param now when the response came
     * @return what may be fetched, why, and how long that holds
     * @throws IllegalArgumentException for what is no absolute URL, or is one of another scheme than http, https and ftp (SPEC 1.6)
     * @throws IllegalStateException if the crawler is closed
     */
    public Outcome outcomeOf(CharSequence url, int httpStatus, byte[] body, Instant now) {
        Handle held = held();
        try {
            return new Outcome(Handle.ofOutcome(
                    Native.outcomeFromStatus(held.address, Rules.octets(url), httpStatus, octets(body), Outcome.seconds(now))));
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    /**
     * Explains what is decided on a robots.txt and a URL: which line decides, and why not another. For people, not for the way of
     * every URL: the file is read each time.
     *
     * @param body the octets of the file
     * @param url as for {@link Rules#check(CharSequence)}
     * @return why the URL may be fetched or not
     * @throws IllegalArgumentException for what is no URL (SPEC 8.5b)
     * @throws IllegalStateException if the crawler is closed
     */
    public Explanation explain(byte[] body, CharSequence url) {
        Handle held = held();
        try {
            Handle explanation =
                    Handle.of(Native.explain(held.address, octets(body), Rules.octets(url)), Native::explanationFree);
            return new Explanation(explanation);
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    /**
     * Looks over a robots.txt for its writer: what every line means, and what is wrong with it. Of the crawler only the dialect,
     * the size limit and the options count, since a robots.txt is for everyone.
     *
     * @param body the octets of the file
     * @return the report
     * @throws IllegalStateException if the crawler is closed
     */
    public LintReport lint(byte[] body) {
        Handle held = held();
        try {
            return new LintReport(Handle.of(Native.lint(held.address, octets(body)), Native::lintFree, body.length));
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    /**
     * Reads what else stands in a robots.txt for this crawler (SPEC 9.3 to 9.5), which has no effect on a verdict.
     *
     * @param body the octets of the file
     * @return the lines, and the preferences in them
     * @throws IllegalStateException if the crawler is closed
     */
    public Extensions extensions(byte[] body) {
        Handle held = held();
        try {
            return new Extensions(Handle.of(Native.extensionsParse(held.address, octets(body)), Native::extensionsFree, body.length));
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    /**
     * Ends the use of the crawler: later calls throw {@link IllegalStateException}, calls that run finish. Its memory is given
     * back by the garbage collector. Does nothing the second time.
     */
    @Override
    public void close() {
        handle = null;
    }

    /** The native part takes no null. */
    private static byte[] octets(byte[] body) {
        return Objects.requireNonNull(body, "body");
    }

    /** What is used must be held meanwhile. */
    Handle held() {
        Handle held = handle;
        if (held == null) {
            throw new IllegalStateException("this Crawler is closed: close it after its last use, or not at all");
        }
        return held;
    }

    /** The handles of some crawlers, to be held while {@link #addresses} are used. */
    static Handle[] held(List<Crawler> crawlers) {
        return crawlers.stream().map(Crawler::held).toArray(Handle[]::new);
    }

    static long[] addresses(Handle[] held) {
        return Arrays.stream(held).mapToLong(h -> h.address).toArray();
    }

    /** Options of a crawler. For one thread. */
    public static final class Builder {
        private static final int DIALECT = 1, MAX_BYTES = 2, IGNORE_STAR = 3, MERGE_TOKENS = 4, CRAWL_DELAY_ENDS_AGENTS = 5;
        private static final String[] NAMES = {
            null, "dialect", "maxBytes", "ignoreStar", "mergeTokens", "crawlDelayEndsAgents"
        };

        private final List<String> tokens = new ArrayList<>();
        /** By number, the dialect first. What is not set is as the library has it. */
        private final SortedMap<Integer, Long> options = new TreeMap<>();

        private Builder(String token) {
            fallback(token);
        }

        private Builder set(int option, long value) {
            options.put(option, value);
            return this;
        }

        /**
         * Adds a product token that counts where no group names an earlier one (SPEC 7.1).
         *
         * @param token as for {@link Crawler#of}
         * @return this
         */
        public Builder fallback(String token) {
            tokens.add(Objects.requireNonNull(token, "token"));
            return this;
        }

        /**
         * Says which reading of the protocol decides.
         *
         * @param dialect {@link Dialect#RFC9309} unless set
         * @return this
         */
        public Builder dialect(Dialect dialect) {
            return set(DIALECT, dialect.ordinal());
        }

        /**
         * Says how much of a robots.txt is read (SPEC 4.5).
         *
         * @param octets 512,000 (unless set) to 1,073,741,824
         * @return this
         */
        public Builder maxBytes(int octets) {
            return set(MAX_BYTES, octets);
        }

        /**
         * Says whether groups of {@code *} are ignored (SPEC 7.5).
         *
         * @param ignore false unless set
         * @return this
         */
        public Builder ignoreStar(boolean ignore) {
            return set(IGNORE_STAR, ignore ? 1 : 0);
        }

        /**
         * Says whether the groups of all tokens are obeyed together, rather than those of the first that is named (SPEC 7.7).
         *
         * @param merge false unless set
         * @return this
         */
        public Builder mergeTokens(boolean merge) {
            return set(MERGE_TOKENS, merge ? 1 : 0);
        }

        /**
         * Says whether a crawl-delay line ends a run of user-agent lines (SPEC 6.1).
         *
         * @param ends false unless set
         * @return this
         */
        public Builder crawlDelayEndsAgents(boolean ends) {
            return set(CRAWL_DELAY_ENDS_AGENTS, ends ? 1 : 0);
        }

        /**
         * Says what is done about failed fetches and how long results live (SPEC 2, 3). What is not said is as the dialect has it.
         *
         * @param option which choice
         * @param value as the option says
         * @return this
         */
        public Builder fetch(FetchOption option, long value) {
            return set(option.number(), value);
        }

        /**
         * Says what some failed fetches mean for the site.
         *
         * @param option one of {@link FetchOption#ON_FORBIDDEN} to {@link FetchOption#ON_UNREACHABLE}
         * @param meaning all but {@link Outcome.Kind#RULES}
         * @return this
         * @throws IllegalArgumentException for another option: its value is a number
         */
        public Builder fetch(FetchOption option, Outcome.Kind meaning) {
            if (!option.isMeaning()) {
                throw new IllegalArgumentException(option + " is a number, not a meaning such as " + meaning);
            }
            return set(option.number(), meaning.ordinal());
        }

        /**
         * Makes the crawler.
         *
         * @return the crawler
         * @throws IllegalArgumentException for what is no product token (in the dialect), more than 64 tokens, or a value out of
         *     its range
         */
        public Crawler build() {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            int[] ends = new int[tokens.size()];
            for (int i = 0; i < ends.length; i++) {
                text.writeBytes(tokens.get(i).getBytes(StandardCharsets.UTF_8));
                ends[i] = text.size();
            }
            long[] pairs = options.entrySet().stream().flatMapToLong(e -> LongStream.of(e.getKey(), e.getValue())).toArray();
            try {
                return new Crawler(Handle.of(Native.crawlerNew(text.toByteArray(), ends, pairs), Native::crawlerFree));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(this + ": " + e.getMessage(), e);
            }
        }

        /** Says what is set up, such as {@code crawler [ExampleBot] {maxBytes=512000}}. */
        @Override
        public String toString() {
            String named = options.entrySet().stream()
                    .map(e -> (e.getKey() < NAMES.length ? NAMES[e.getKey()] : FetchOption.of(e.getKey())) + "=" + e.getValue())
                    .collect(Collectors.joining(", ", " {", "}"));
            return "crawler " + tokens + (options.isEmpty() ? "" : named);
        }
    }
}
