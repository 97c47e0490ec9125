package io.github.librobots;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A crawler: its product tokens, dialect and options. Immutable; any number of threads may use it at once. It need not be closed: the
 * garbage collector frees it. Java serialization and Kryo write its settings.
 */
public final class Crawler implements Serializable {
    private static final long serialVersionUID = 1L;

    /** How many crawlers may share a fetch (SPEC 3.7). */
    private static final int MAX_CRAWLERS = 16;

    /** The name of the preset, or null. */
    private final @Nullable String preset;
    /** The product tokens, in order of preference. */
    private final String[] tokens;
    /** Texts with further names. */
    private final String[] texts;
    /** Pairs of number and value. */
    private final long[] options;
    private transient volatile @Nullable Shared shared;

    /** For a serializer. */
    private Crawler() {
        this(null, new String[0], new String[0], new long[0]);
    }

    private Crawler(@Nullable String preset, String[] tokens, String[] texts, long[] options) {
        this.preset = preset;
        this.tokens = tokens;
        this.texts = texts;
        this.options = options;
    }

    /**
     * Makes a crawler with the product token {@code token}.
     *
     * @param token the bare product token, such as {@code ExampleBot}: letters, digits, {@code .}, {@code _} and {@code -},
     *     1 to 1024 of them (SPEC 7.6)
     * @param fallbacks further tokens, in order of preference: each counts if no group of a robots.txt names an earlier one
     * @return the crawler
     * @throws IllegalArgumentException if a token is not a product token, such as a whole {@code User-Agent} header:
     *     {@link #tokenFromUserAgent} returns the token in it
     */
    public static Crawler of(String token, String... fallbacks) {
        Builder builder = builder(token);
        for (String fallback : fallbacks) {
            builder.fallback(fallback);
        }
        return builder.build();
    }

    /** Returns whether a {@code User-Agent} header holds a token; true if the crawler has none of its own. */
    boolean isNamedIn(String userAgent) {
        String header = userAgent.toLowerCase(Locale.ROOT);
        return tokens.length == 0 || Arrays.stream(tokens).anyMatch(token -> header.contains(token.toLowerCase(Locale.ROOT)));
    }

    /**
     * Returns the product token in a {@code User-Agent} header (SPEC 7.6): the first product that is not a browser's. In a comment only
     * the products after {@code compatible;} count.
     *
     * @param header the value, such as {@code Mozilla/5.0 (compatible; ExampleBot/1.0)}
     * @return the token, such as {@code ExampleBot}
     * @throws IllegalArgumentException if the header has no such product
     */
    public static String tokenFromUserAgent(String header) {
        String token = CrawlerFactory.tokenIn(header);
        if (token == null) {
            throw new IllegalArgumentException("no product in '" + header + "' names a crawler: pass one such as 'ExampleBot/1.0'");
        }
        return token;
    }

    /**
     * Makes a crawler without a product token: it obeys only the groups of {@code *} (SPEC 7.4).
     *
     * @return the crawler
     */
    public static Crawler withoutToken() {
        return builder().build();
    }

    /**
     * Returns a builder of a crawler with options and without a product token: it obeys only the groups of {@code *} unless
     * {@link Builder#fallback} adds tokens.
     *
     * @return the builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns a builder of a crawler with options.
     *
     * @param token the product token, as for {@link #of}
     * @return the builder
     */
    public static Builder builder(String token) {
        return new Builder().fallback(token);
    }

    /**
     * Makes a well-known crawler as its operator documents it: product tokens in order of preference, dialect, and whether it ignores
     * groups of {@code *}. Operators may change their documentation.
     *
     * @param name the name, such as {@code Googlebot-Image}, in any case of letters
     * @return the crawler
     * @throws IllegalArgumentException if the name is not known: use {@link #builder}
     */
    public static Crawler preset(String name) {
        Crawler crawler = new Crawler(Objects.requireNonNull(name, "name"), new String[0], new String[0], new long[0]);
        crawler.shared();
        return crawler;
    }

    private Shared shared() {
        Shared crawler = shared;
        return crawler != null ? crawler : restore();
    }

    private synchronized Shared restore() {
        if (shared == null) {
            shared = new Shared("Crawler", CrawlerFactory.make(preset, tokens, texts, options, this));
        }
        return shared;
    }

    /**
     * Reads the settings and makes the crawler.
     *
     * @param in the stream
     * @throws IOException if it cannot be read, or has no valid settings
     * @throws ClassNotFoundException if a class is missing
     */
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject();
        try {
            shared();
        } catch (IllegalArgumentException | NullPointerException e) {
            InvalidObjectException failure = new InvalidObjectException("not the settings of a Crawler: " + e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }

    /** Calls with the address of the native crawler; throws {@link IllegalStateException} if it is closed. */
    <T> T with(LongFunction<T> call) {
        Shared crawler = shared();
        int counter = crawler.enter();
        try {
            return call.apply(crawler.address);
        } finally {
            crawler.exit(counter);
        }
    }

    /** Calls with the addresses of 1 to 16 native crawlers; throws {@link IllegalStateException} if one is closed. */
    static <T> T with(Crawler[] crawlers, Function<long[], T> call) {
        Status.demandRange("the number of crawlers", crawlers.length, 1, MAX_CRAWLERS);
        return with(crawlers, new long[crawlers.length], 0, call);
    }

    private static <T> T with(Crawler[] crawlers, long[] addresses, int entered, Function<long[], T> call) {
        if (entered == crawlers.length) {
            return call.apply(addresses);
        }
        return crawlers[entered].with(address -> {
            addresses[entered] = address;
            return with(crawlers, addresses, entered + 1, call);
        });
    }

    /**
     * Compiles a robots.txt for this crawler. Pass the body after its content coding is undone. Bytes that are still compressed by gzip
     * or zstd allow no URL, with {@link Reason#UNREACHABLE}; those of another coding allow every URL (SPEC 4.3, 4.4). If the
     * body is an address in place of the content, such as {@code https://example.com/robots.txt}, every verdict has
     * {@link Status#ARGUMENT} and allows nothing (SPEC 4.7).
     *
     * @param body the file: any bytes, also none; no content is an error (SPEC 4.3)
     * @return the rules, which stay valid after the crawler is closed
     * @throws IllegalStateException if the crawler is closed
     */
    public Rules parse(byte[] body) {
        return parse(body, 0, body.length);
    }

    /**
     * Compiles a robots.txt that is a part of an array.
     *
     * @param body the array
     * @param offset the offset of the file
     * @param length its length in bytes
     * @return the rules
     * @throws IndexOutOfBoundsException if the part is not inside the array
     * @throws IllegalStateException if the crawler is closed
     */
    public Rules parse(byte[] body, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, body.length);
        return with(crawler -> new Rules(Handle.ofRules(Native.parse(crawler, body, offset, length))));
    }

    /**
     * Compiles a robots.txt in a buffer. A direct buffer is not copied.
     *
     * @param body the file, from the position of the buffer to its limit; the position is not changed
     * @return the rules
     * @throws IllegalStateException if the crawler is closed
     */
    public Rules parse(ByteBuffer body) {
        if (body.hasArray()) {
            return parse(body.array(), body.arrayOffset() + body.position(), body.remaining());
        }
        if (!body.isDirect()) { // read-only
            byte[] copy = new byte[body.remaining()];
            body.duplicate().get(copy);
            return parse(copy);
        }
        try {
            return with(crawler -> new Rules(Handle.ofRules(Native.parseDirect(crawler, body, body.position(), body.remaining()))));
        } finally {
            Reference.reachabilityFence(body);
        }
    }

    /**
     * Compiles a robots.txt to an image, without {@code Rules}: for a column of a table. {@link RulesImage} decides on it.
     *
     * @param body the file
     * @return the image, as from {@link Rules#image}
     * @throws IllegalStateException if the crawler is closed
     */
    public byte[] compile(byte[] body) {
        return compile(body, 0, body.length);
    }

    /**
     * Compiles a robots.txt that is a part of an array to an image, without {@code Rules}.
     *
     * @param body the array
     * @param offset the offset of the file
     * @param length its length in bytes
     * @return the image, as from {@link Rules#image}
     * @throws IndexOutOfBoundsException if the part is not inside the array
     * @throws IllegalStateException if the crawler is closed
     */
    public byte[] compile(byte[] body, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, body.length);
        return with(crawler -> {
            long rules = Status.handle(Native.parse(crawler, body, offset, length));
            try {
                return Native.image(rules);
            } finally {
                Native.rulesFree(rules);
            }
        });
    }

    /**
     * Compiles a robots.txt from a string. Prefer {@link #parse(byte[])}, because a server sends bytes.
     *
     * @param body the text
     * @return the rules
     * @throws IllegalStateException if the crawler is closed
     */
    public Rules parse(String body) {
        return parse(body.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Decides on one URL by a robots.txt and keeps nothing of it: the verdict of {@link #parse(byte[])} and
     * {@link Rules#check(CharSequence)}, in a fraction of their time. For several URLs of a site, parse.
     *
     * @param body the file
     * @param url the URL, as for {@link Rules#check(CharSequence)}
     * @return the verdict
     * @throws IllegalStateException if the crawler is closed
     */
    public Verdict checkOnce(byte[] body, CharSequence url) {
        return checkOnce(body, Rules.utf8(url));
    }

    /**
     * Decides on one URL by a robots.txt, as {@link #checkOnce(byte[], CharSequence)} does.
     *
     * @param body the file
     * @param url the URL as bytes
     * @return the verdict
     * @throws IllegalStateException if the crawler is closed
     */
    public Verdict checkOnce(byte[] body, byte[] url) {
        return with(crawler -> new Verdict(Native.checkOnce(crawler, checked(body), Objects.requireNonNull(url, "url"))));
    }

    /**
     * Makes an outcome from a complete response (SPEC 2), for a caller whose HTTP client follows redirects itself. Without headers the
     * default TTLs hold. {@link Fetch} uses headers and redirects, too.
     *
     * @param url any URL of the site that was requested first
     * @param httpStatus the status, any number
     * @param body the file, used for 200 to 299
     * @param now the time of the response
     * @return the outcome
     * @throws IllegalArgumentException if the URL is not absolute, its scheme is not http, https or ftp (SPEC 1.6), or the time is
     *     before March 1973 or after the year 9999
     * @throws IllegalStateException if the crawler is closed
     */
    public Outcome outcomeOf(CharSequence url, int httpStatus, byte[] body, Instant now) {
        return with(crawler -> new Outcome(new Crawler[] {this}, Handle.ofOutcome(
                Native.outcomeFromStatus(crawler, Rules.utf8(url), httpStatus, checked(body), Outcome.time(now)))));
    }

    /**
     * Explains the verdict on one URL: which line decides, and why no other does. It is for people and parses the file at each call.
     *
     * @param body the file
     * @param url the URL, as for {@link Rules#check(CharSequence)}
     * @return the explanation
     * @throws IllegalArgumentException if the text is not a URL (SPEC 8.5b)
     * @throws IllegalStateException if the crawler is closed
     */
    public Explanation explain(byte[] body, CharSequence url) {
        return with(crawler -> new Explanation(
                Handle.of(Native.explain(crawler, checked(body), Rules.utf8(url)), Native::explanationFree)));
    }

    /**
     * Lints a robots.txt for its author: the meaning of each line, and its faults. Of the crawler only dialect, size limit and options
     * are used, not its tokens.
     *
     * @param body the file
     * @return the report
     * @throws IllegalStateException if the crawler is closed
     */
    public LintReport lint(byte[] body) {
        return with(crawler -> new LintReport(Handle.of(Native.lint(crawler, checked(body)), Native::lintFree, body.length)));
    }

    /**
     * Reads the lines other than groups and rules that hold for this crawler (SPEC 9.3 to 9.5). They have no effect on a verdict.
     *
     * @param body the file
     * @return the lines
     * @throws IllegalStateException if the crawler is closed
     */
    public Extensions extensions(byte[] body) {
        return with(crawler -> new Extensions(
                Handle.of(Native.extensionsParse(crawler, checked(body)), Native::extensionsFree, body.length)));
    }

    /**
     * Reads what a site says about the use of its pages (SPEC 13), for a site without a tdmrep.json.
     *
     * @param site a URL of the site
     * @param body its robots.txt; empty if the site has none (404); null if it is not known, as in an outage: then no use is
     *     {@link Uses.Use#ALLOWED}
     * @return the uses
     * @throws IllegalArgumentException if the site is no absolute URL, or its scheme is not http, https or ftp (SPEC 1.6)
     * @throws IllegalStateException if the crawler is closed
     */
    public Uses uses(CharSequence site, byte @Nullable [] body) {
        return uses(site, body, null);
    }

    /**
     * Reads what a site says about the use of its pages, as {@link #uses(CharSequence, byte[])}.
     *
     * @param site a URL of the site
     * @param body its robots.txt
     * @param tdmFile its file {@code /.well-known/tdmrep.json}; null if the site has none; empty if it is not known
     * @return the uses
     * @throws IllegalArgumentException if the site is no absolute URL, or its scheme is not http, https or ftp (SPEC 1.6)
     * @throws IllegalStateException if the crawler is closed
     */
    public Uses uses(CharSequence site, byte @Nullable [] body, byte @Nullable [] tdmFile) {
        // The rules of the policy tokens and control tokens have about this size.
        int size = 4096 + (body == null ? 0 : 2 * Math.min(body.length, 1 << 20));
        return with(crawler -> new Uses(Handle.of(Native.usesNew(crawler, Rules.utf8(site), body, tdmFile), Native::usesFree, size)));
    }

    /**
     * Closes the crawler: later calls throw {@link IllegalStateException}, running calls finish. The memory is freed at once, or at the
     * end of the last running call. Does nothing the second time.
     */
    public void close() {
        shared().close();
    }

    /** Returns the settings, such as {@code crawler [ExampleBot] {maxBytes=512000}}. */
    @Override
    public String toString() {
        if (preset != null) {
            return "crawler preset " + preset;
        }
        StringBuilder named = new StringBuilder();
        for (int i = 0; i + 1 < options.length; i += 2) {
            named.append(i == 0 ? " {" : ", ").append(Builder.text(options[i], options[i + 1]));
        }
        String names = texts.length == 0 ? "" : " names in " + Arrays.toString(texts);
        return "crawler " + Arrays.toString(tokens) + names + named + (options.length == 0 ? "" : "}");
    }

    /** The native functions take no null. */
    private static byte[] checked(byte[] body) {
        return Objects.requireNonNull(body, "body");
    }

    /** A builder of crawlers, for one thread. */
    public static final class Builder extends BuilderOptions {
        private static final int MAX_TOKENS = 64;

        private final List<String> tokens = new ArrayList<>();
        private final List<String> texts = new ArrayList<>();
        /** By number, because the dialect sets defaults of later options. */
        private final SortedMap<Integer, Long> options = new TreeMap<>();

        private Builder() {
        }

        @Override
        Builder set(int option, long value) {
            options.put(option, value);
            return this;
        }

        /**
         * Adds a product token that counts if no group names an earlier one (SPEC 7.1).
         *
         * @param token the product token, as for {@link Crawler#of}
         * @return this
         * @throws IllegalArgumentException for a 65th token
         */
        public Builder fallback(String token) {
            tokens.add(Objects.requireNonNull(token, "token"));
            Status.demandRange("the number of product tokens", tokens.size(), 0, MAX_TOKENS);
            return this;
        }

        /**
         * Adds the names in a text as product tokens after those of {@link #fallback}, in order of preference (SPEC 7.9). The text is any,
         * such as a {@code User-Agent} header or the name in a user-agent line. A text without a name adds none.
         *
         * @param text the text, such as {@code Yahoo! Slurp}
         * @return this
         */
        public Builder namesIn(String text) {
            texts.add(Objects.requireNonNull(text, "text"));
            return this;
        }

        /**
         * Sets an option of fetches (SPEC 2, 3). The dialect sets the defaults.
         *
         * @param option an option that takes a number
         * @param value the number, in the range of the option
         * @return this
         * @throws IllegalArgumentException for a number out of its range, and for an option whose name starts with {@code ON_}
         */
        public Builder fetch(FetchOption option, long value) {
            return set(option.number(), option.checked(value));
        }

        /**
         * Sets what some failures mean for the site.
         *
         * @param option an option whose name starts with {@code ON_}
         * @param meaning any kind but {@link Outcome.Kind#RULES}
         * @return this
         * @throws IllegalArgumentException for {@code RULES}, and for an option that takes a number
         */
        public Builder fetch(FetchOption option, Outcome.Kind meaning) {
            return set(option.number(), option.checked(meaning));
        }

        /**
         * Makes the crawler.
         *
         * @return the crawler
         * @throws IllegalArgumentException if a token is not a product token of the dialect
         */
        public Crawler build() {
            Crawler crawler = settings();
            crawler.shared();
            return crawler;
        }

        private Crawler settings() {
            return new Crawler(null, tokens.toArray(new String[0]), texts.toArray(new String[0]), pairs());
        }

        private long[] pairs() {
            return options.entrySet().stream().flatMapToLong(e -> LongStream.of(e.getKey(), e.getValue())).toArray();
        }

        /** Returns an option and its value. */
        private static String text(long option, long value) {
            return option > 0 && option < NAMES.length ? NAMES[(int) option] + "=" + value : FetchOption.text(option, value);
        }

        /** Returns tokens and options, such as {@code crawler [ExampleBot] {maxBytes=512000}}. */
        @Override
        public String toString() {
            return settings().toString();
        }
    }
}
