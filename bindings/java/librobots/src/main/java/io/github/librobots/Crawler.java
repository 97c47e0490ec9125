package io.github.librobots;

import java.io.ByteArrayOutputStream;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

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
        Handle held = handle;
        if (held == null) {
            throw closed();
        }
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
     * Ends the use of the crawler: later calls throw {@link IllegalStateException}, calls that run finish. Its memory is given
     * back by the garbage collector. Does nothing the second time.
     */
    @Override
    public void close() {
        handle = null;
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("this Crawler is closed: close it after its last use, or not at all");
    }

    /** Options of a crawler. For one thread. */
    public static final class Builder {
        private static final int DIALECT = 1, MAX_BYTES = 2, IGNORE_STAR = 3, MERGE_TOKENS = 4, CRAWL_DELAY_ENDS_AGENTS = 5;

        private final List<String> tokens = new ArrayList<>();
        private final long[] options = {
            DIALECT, 0, MAX_BYTES, 512_000, IGNORE_STAR, 0, MERGE_TOKENS, 0, CRAWL_DELAY_ENDS_AGENTS, 0
        };

        private Builder(String token) {
            fallback(token);
        }

        private Builder set(int option, long value) {
            options[2 * option - 1] = value;
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
            return new Crawler(Handle.ofCrawler(Native.crawlerNew(text.toByteArray(), ends, options)));
        }
    }
}
