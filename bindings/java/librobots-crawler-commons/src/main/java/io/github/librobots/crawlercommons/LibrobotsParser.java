package io.github.librobots.crawlercommons;

import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.BaseRobotsParser;
import io.github.librobots.Crawler;
import io.github.librobots.Dialect;
import io.github.librobots.NativeLibraryException;
import io.github.librobots.Outcome;
import io.github.librobots.Reason;
import io.github.librobots.RobotsCache;
import io.github.librobots.Rules;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@code BaseRobotsParser} of crawler-commons, implemented with librobots. Set it up in one thread; then any number of threads may
 * parse with it.
 *
 * <p>The constructor loads the native library, so that a parser that exists works. {@code parseContent} throws no exception, because
 * crawlers such as Nutch take one as "no robots.txt" and fetch everything: after a failure it returns rules that allow nothing and defer.
 *
 * <p>The package documentation lists where decisions differ from {@code SimpleRobotRulesParser}.
 */
public final class LibrobotsParser extends BaseRobotsParser {
    private static final long serialVersionUID = 2L;

    /** The longest crawl-delay in milliseconds that is obeyed by default, as in crawler-commons. */
    public static final long DEFAULT_MAX_CRAWL_DELAY = 300_000;

    private static final Logger LOG = LoggerFactory.getLogger(LibrobotsParser.class);

    /** An outcome has a site; the meaning of a status does not depend on it. */
    private static final String ANY_SITE = "https://example.com/";

    /** The separators of names in one string, as in crawler-commons. */
    private static final Pattern SEPARATORS = Pattern.compile("[,\\s]+");

    /** Up to this size, a file without a group is looked for before it is compiled: a check costs a fifth of rules that are collected. */
    private static final int SHORT_FILE = 256;

    /** The largest number of crawlers that are kept, one for each list of names. */
    private static final int MAX_CRAWLERS = 64;

    /** The longest crawl-delay that is obeyed, in milliseconds. */
    private long maxCrawlDelay = DEFAULT_MAX_CRAWL_DELAY;
    /** Whether only the first name counts that a group names. */
    private boolean namesInOrder;
    /** The size limit of a file. */
    private int maxBytes = 512_000;
    /** The dialect. */
    private Dialect dialect = Dialect.RFC9309;

    private transient Map<List<String>, CrawlerPair> crawlers;
    /** Made in advance: rules for a failure that need no memory. */
    private transient Rules failureRules;
    /** The rules of an empty file. */
    private transient Rules allowAll;

    /** A crawler, and the same crawler without the groups of {@code *}. */
    private static final class CrawlerPair {
        final Crawler crawler;
        final Crawler named;
        /** The rules of a file without a group for the crawler. */
        final Rules noGroup;

        CrawlerPair(Crawler crawler, Crawler named) {
            this.crawler = crawler;
            this.named = named;
            noGroup = crawler.parse(new byte[0]);
        }
    }

    /**
     * Makes a parser for the dialect RFC 9309.
     *
     * @throws NativeLibraryException if the native library cannot be loaded
     */
    public LibrobotsParser() {
        load();
    }

    /**
     * Makes a parser and checks the names of the crawler. {@code parseContent} takes any text for a name; this method reports one that
     * is not a token.
     *
     * @param names the names that are going to be passed to {@code parseContent}
     * @return the parser
     * @throws IllegalArgumentException if there is no name, or one is not a product token (SPEC 7.6), such as {@code *}
     * @throws NativeLibraryException if the native library cannot be loaded
     */
    public static LibrobotsParser forNames(String... names) {
        return forNames(Arrays.asList(names));
    }

    /**
     * Makes a parser and checks the names of the crawler: see {@link #forNames(String...)}.
     *
     * @param names the names that are going to be passed to {@code parseContent}
     * @return the parser
     * @throws IllegalArgumentException if there is no name, or one is not a product token (SPEC 7.6), such as {@code *}
     * @throws NativeLibraryException if the native library cannot be loaded
     */
    public static LibrobotsParser forNames(Collection<String> names) {
        if (names.isEmpty()) {
            throw new IllegalArgumentException("there is no name: pass one such as 'ExampleBot'");
        }
        LibrobotsParser parser = new LibrobotsParser();
        for (String name : names) {
            if (!isToken(name)) {
                throw new IllegalArgumentException("the name '" + name + "' is not a product token: pass one such as 'ExampleBot'");
            }
        }
        parser.crawlerFor(names);
        return parser;
    }

    private void load() {
        crawlers = new ConcurrentHashMap<>();
        failureRules = outcome(503).rules();
        allowAll = Rules.allowAll();
    }

    /**
     * Sets the longest crawl-delay that is obeyed. No URL is allowed on a site with a longer one.
     *
     * @param milliseconds default: {@link #DEFAULT_MAX_CRAWL_DELAY}
     */
    public void setMaxCrawlDelay(long milliseconds) {
        maxCrawlDelay = milliseconds;
    }

    /**
     * Returns the longest crawl-delay that is obeyed.
     *
     * @return the delay in milliseconds
     */
    public long getMaxCrawlDelay() {
        return maxCrawlDelay;
    }

    /**
     * Sets whether only the groups of the first name count that any group names (SPEC 7.1), instead of the groups of all names, as in
     * crawler-commons (SPEC 7.7).
     *
     * @param inOrder default: false; with true pass names in an ordered collection, such as a {@code List}
     */
    public void setNamesInOrder(boolean inOrder) {
        namesInOrder = inOrder;
        crawlers.clear();
    }

    /**
     * Sets the size limit of a robots.txt (SPEC 4.5).
     *
     * @param bytes 512,000 to 1,073,741,824; default: 512,000
     * @throws IllegalArgumentException if the value is out of range
     */
    public void setMaxBytes(int bytes) {
        Crawler.builder().maxBytes(bytes).build().close();
        maxBytes = bytes;
        crawlers.clear();
    }

    /**
     * Sets the dialect.
     *
     * @param dialect default: {@link Dialect#RFC9309}
     */
    public void setDialect(Dialect dialect) {
        this.dialect = Objects.requireNonNull(dialect, "dialect");
        crawlers.clear();
    }

    /**
     * Parses a file for names in one string, separated by commas or white space. A version after a name, such as {@code /1.0}, is
     * ignored. Otherwise it is the same as {@link #parseContent(String, byte[], String, Collection)}.
     */
    @Deprecated
    @Override
    public BaseRobotRules parseContent(String url, byte[] content, String contentType, String robotNames) {
        List<String> names = new ArrayList<>();
        for (String name : SEPARATORS.split(robotNames == null ? "" : robotNames.trim())) {
            int version = name.indexOf('/');
            names.add(version < 0 ? name : name.substring(0, version));
        }
        return parseContent(url, content, contentType, names);
    }

    /**
     * Parses a file. A name may be any text, such as {@code Yahoo! Slurp}: a user-agent line with it names the crawler (SPEC 7.9). Without
     * a name the groups of {@code *} apply. It throws no exception: after a failure the rules allow nothing and defer. So do those of a file
     * that is still compressed by gzip or zstd (SPEC 2.17, 4.4). A file that starts with the byte order mark of UTF-16 is decoded, as in
     * crawler-commons.
     */
    @Override
    public BaseRobotRules parseContent(String url, byte[] content, String contentType, Collection<String> robotNames) {
        try {
            if (isCompressed(content)) {
                LOG.warn("librobots: {} is still compressed, so that no URL of its site is allowed now: decode the content first", url);
                return unreachable();
            }
            return parse(url, decoded(content), robotNames);
        } catch (RuntimeException | Error e) {
            LOG.error("librobots: {} cannot be parsed, so that no URL of its site is allowed now", url, e);
            return unreachable();
        }
    }

    /** Returns whether a file is compressed: it is not the file that the site serves, but a failure of the fetch (SPEC 2.17). */
    private static boolean isCompressed(byte[] content) {
        return content != null && (startsWith(content, 0x1F, 0x8B) || startsWith(content, 0x28, 0xB5, 0x2F, 0xFD));
    }

    /** Returns the UTF-8 of a file in UTF-16, which its first two bytes announce; other files as they are. */
    private static byte[] decoded(byte[] content) {
        boolean isLittle = content != null && startsWith(content, 0xFF, 0xFE);
        if (!isLittle && (content == null || !startsWith(content, 0xFE, 0xFF))) {
            return content;
        }
        Charset charset = isLittle ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_16BE;
        return new String(content, 2, content.length - 2, charset).getBytes(StandardCharsets.UTF_8);
    }

    private static boolean startsWith(byte[] content, int... start) {
        for (int i = 0; i < start.length; i++) {
            if (i >= content.length || (content[i] & 0xFF) != start[i]) {
                return false;
            }
        }
        return true;
    }

    /** Returns rules for a failure, which allow nothing and defer. */
    LibrobotsRules unreachable() {
        LibrobotsRules rules = LibrobotsRules.ofShared(failureRules);
        rules.setDeferVisits(true);
        return rules;
    }

    private BaseRobotRules parse(String url, byte[] content, Collection<String> robotNames) {
        CrawlerPair pair = crawlerFor(robotNames);
        if (content == null || content.length == 0) {
            return LibrobotsRules.ofShared(allowAll);
        }
        if (content.length <= SHORT_FILE && !hasGroup(pair.crawler, content) && !mayHaveSitemaps(content)) {
            return LibrobotsRules.ofShared(pair.noGroup);
        }
        Rules rules = pair.crawler.parse(content);
        return wrap(rules, hasGroup(rules) && !hasGroup(pair.named, content), url);
    }

    private LibrobotsRules wrap(Rules rules, boolean wildcard, String url) {
        long delay = hasGroup(rules) ? milliseconds(rules.crawlDelay()) : BaseRobotRules.UNSET_CRAWL_DELAY;
        if (delay > maxCrawlDelay) {
            rules.close();
            return new LibrobotsRules(Rules.disallowAll(), wildcard);
        }
        LibrobotsRules result = new LibrobotsRules(rules, wildcard);
        result.setCrawlDelay(delay);
        addSitemaps(result, url, rules.sitemaps());
        return result;
    }

    private static boolean mayHaveSitemaps(byte[] content) {
        for (int i = 2; i < content.length; i++) {
            if ((content[i] | 0x20) == 'p' && (content[i - 1] | 0x20) == 'a' && (content[i - 2] | 0x20) == 'm') {
                return true;
            }
        }
        return false;
    }

    private static boolean hasGroup(Rules rules) {
        return rules.check(LibrobotsRules.ROOT).reason() != Reason.NO_GROUP;
    }

    private static boolean hasGroup(Crawler crawler, byte[] content) {
        return crawler.checkOnce(content, LibrobotsRules.ROOT).reason() != Reason.NO_GROUP; // takes less time than a parse
    }

    /**
     * Returns the rules for a failed fetch (SPEC 2) in the dialect of the parser. The rules of an unreachable site allow nothing and
     * defer.
     *
     * @throws IllegalStateException for 200 to 299: then there is a file to parse
     */
    @Override
    public BaseRobotRules failedFetch(int httpStatusCode) {
        if (httpStatusCode >= 200 && httpStatusCode < 300) {
            throw new IllegalStateException("a fetch with status " + httpStatusCode + " did not fail: use parseContent");
        }
        Outcome outcome = outcome(httpStatusCode);
        return deferring(outcome, new LibrobotsRules(outcome.rules(), false));
    }

    /** Returns a builder of a cache for the crawler with these names, and then the same crawler without the groups of {@code *}. */
    RobotsCache.Builder cacheFor(Collection<String> names) {
        CrawlerPair pair = crawlerFor(names);
        return RobotsCache.builder(pair.crawler).crawler(pair.named);
    }

    /** Returns the rules of an outcome of such a cache. The URL is the base of sitemaps. */
    LibrobotsRules rules(Outcome outcome, String url) {
        Rules rules = outcome.rules();
        return deferring(outcome, wrap(rules, hasGroup(rules) && !hasGroup(outcome.rules(1)), url));
    }

    private static LibrobotsRules deferring(Outcome outcome, LibrobotsRules rules) {
        rules.setDeferVisits(outcome.kind() == Outcome.Kind.DEFER || outcome.kind() == Outcome.Kind.UNREACHABLE);
        return rules;
    }

    private Outcome outcome(int httpStatusCode) {
        return crawlerFor(List.of()).crawler.outcomeOf(ANY_SITE, httpStatusCode, new byte[0], Instant.now());
    }

    private CrawlerPair crawlerFor(Collection<String> names) {
        List<String> key = Collections.unmodifiableList(Arrays.asList(names.toArray(new String[0])));
        CrawlerPair pair = crawlers.get(key);
        if (pair == null) {
            pair = newPair(key);
            if (crawlers.size() < MAX_CRAWLERS) {
                crawlers.put(key, pair);
            }
        }
        return pair;
    }

    private static boolean isToken(String name) {
        try {
            Crawler.of(name).close();
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private CrawlerPair newPair(List<String> names) {
        return new CrawlerPair(newCrawler(names, false), newCrawler(names, true));
    }

    private Crawler newCrawler(List<String> names, boolean ignoreStar) {
        Crawler.Builder builder = Crawler.builder();
        names.forEach(builder::namesIn);
        return builder.dialect(dialect).maxBytes(maxBytes).mergeTokens(!namesInOrder)
                .ignoreStar(ignoreStar).build();
    }

    private static long milliseconds(OptionalDouble seconds) {
        return seconds.isPresent() ? Math.round(seconds.getAsDouble() * 1000) : BaseRobotRules.UNSET_CRAWL_DELAY;
    }

    /** Adds sitemaps as crawler-commons does: relative ones are resolved, and those that are not URLs are skipped. */
    private static void addSitemaps(LibrobotsRules to, String url, List<String> sitemaps) {
        if (sitemaps.isEmpty()) {
            return;
        }
        URL base = null;
        try {
            base = new URL(url);
        } catch (MalformedURLException e) {
            // Absolute sitemaps need no base.
        }
        for (String sitemap : sitemaps) {
            try {
                URL absolute = new URL(base, sitemap);
                if (absolute.getHost() != null && !absolute.getHost().isEmpty()) {
                    to.addSitemap(absolute.toExternalForm());
                }
            } catch (MalformedURLException e) {
                // Skipped.
            }
        }
    }

    /** Returns the settings, such as {@code LibrobotsParser[RFC9309, maxBytes=512000]}. */
    @Override
    public String toString() {
        return "LibrobotsParser[" + dialect + ", maxBytes=" + maxBytes + ", maxCrawlDelay=" + maxCrawlDelay + " ms"
                + (namesInOrder ? ", namesInOrder]" : "]");
    }

    /**
     * Reads the settings and loads the native library.
     *
     * @param in the stream
     * @throws IOException if it cannot be read
     * @throws ClassNotFoundException if a class is missing
     */
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject();
        load();
    }
}
