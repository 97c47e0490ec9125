package io.github.librobots.crawlercommons;

import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.BaseRobotsParser;
import io.github.librobots.Crawler;
import io.github.librobots.Dialect;
import io.github.librobots.Outcome;
import io.github.librobots.Rules;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.net.MalformedURLException;
import java.net.URL;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A parser of crawler-commons that is librobots. Set it up in one thread; then any number may parse with it.
 *
 * <p>Where answers differ from {@code SimpleRobotRulesParser}, the description of the package says so.
 */
public final class LibrobotsParser extends BaseRobotsParser {
    private static final long serialVersionUID = 1L;

    /** The longest crawl-delay that is obeyed unless set, in milliseconds: as in crawler-commons. */
    public static final long DEFAULT_MAX_CRAWL_DELAY = 300_000;

    /** Stands for no name at all; no file names it. */
    private static final List<String> NOBODY = List.of("librobots-a-crawler-without-a-name");

    /** An outcome has a site; what a status means does not depend on it. */
    private static final String SOME_SITE = "https://example.com/";

    private static final Pattern NAME = Pattern.compile("(?:^|[,\\s])([A-Za-z0-9._-]+)");

    /** A crawler has one list of names, seldom some; whoever has more of them parses a little slower. */
    private static final int MOST_CRAWLERS = 64;

    /** In milliseconds. */
    private long maxCrawlDelay = DEFAULT_MAX_CRAWL_DELAY;
    /** Whether the first name that is named counts alone. */
    private boolean namesInOrder;
    /** How much of a file is read. */
    private int maxBytes = 512_000;
    /** Which reading decides. */
    private Dialect dialect = Dialect.RFC9309;

    private transient Map<List<String>, Crawler> crawlers = new ConcurrentHashMap<>();

    /** Makes a parser that reads as RFC 9309 says. */
    public LibrobotsParser() {}

    /**
     * Sets the longest crawl-delay that is obeyed: a site that wants a longer one is not fetched at all.
     *
     * @param milliseconds {@link #DEFAULT_MAX_CRAWL_DELAY} unless set
     */
    public void setMaxCrawlDelay(long milliseconds) {
        maxCrawlDelay = milliseconds;
    }

    /**
     * Says whether the first name that a file names counts alone (SPEC 7.1), rather than all together, as crawler-commons has it
     * (SPEC 7.7).
     *
     * @param inOrder false unless set; with true hand in names in an order, such as a {@code List}
     */
    public void setNamesInOrder(boolean inOrder) {
        namesInOrder = inOrder;
        crawlers.clear();
    }

    /**
     * Sets how much of a file is read (SPEC 4.5).
     *
     * @param bytes 512,000 (unless set) to 1,073,741,824
     * @throws IllegalArgumentException if it is out of that range
     */
    public void setMaxBytes(int bytes) {
        Crawler.builder(NOBODY.get(0)).maxBytes(bytes).build();
        maxBytes = bytes;
        crawlers.clear();
    }

    /**
     * Sets which reading of the protocol decides.
     *
     * @param dialect {@link Dialect#RFC9309} unless set
     */
    public void setDialect(Dialect dialect) {
        this.dialect = Objects.requireNonNull(dialect, "dialect");
        crawlers.clear();
    }

    /**
     * Parses a file for names in one string, separated by commas or spaces. What follows a name, such as {@code /1.0}, does not
     * count.
     *
     * @throws IllegalArgumentException if there is no name in the string
     */
    @Deprecated
    @Override
    public BaseRobotRules parseContent(String url, byte[] content, String contentType, String robotNames) {
        List<String> names = new ArrayList<>();
        for (Matcher matcher = NAME.matcher(robotNames); matcher.find();) {
            names.add(matcher.group(1));
        }
        if (names.isEmpty()) {
            throw new IllegalArgumentException("no name of a crawler in '" + robotNames + "': hand in one such as 'ExampleBot'");
        }
        return parseContent(url, content, contentType, names);
    }

    /**
     * Parses a file.
     *
     * @throws IllegalArgumentException if a name is no product token, {@code *} among them (SPEC 7.6)
     */
    @Override
    public BaseRobotRules parseContent(String url, byte[] content, String contentType, Collection<String> robotNames) {
        Crawler crawler = crawlerFor(robotNames);
        if (content == null || content.length == 0) {
            return new LibrobotsRules(Rules.allowAll());
        }
        Rules rules = crawler.parse(content);
        long delay = milliseconds(rules.crawlDelay());
        if (delay > maxCrawlDelay) {
            return new LibrobotsRules(Rules.disallowAll());
        }
        LibrobotsRules result = new LibrobotsRules(rules);
        result.setCrawlDelay(delay);
        addSitemaps(result, url, rules.sitemaps());
        return result;
    }

    /**
     * Returns the rules that follow from a failed fetch (SPEC 2), in the dialect that is set: those of a site that is unreachable allow
     * nothing and defer.
     *
     * @throws IllegalStateException for 200-299: then there is a file to parse
     */
    @Override
    public BaseRobotRules failedFetch(int httpStatusCode) {
        if (httpStatusCode >= 200 && httpStatusCode < 300) {
            throw new IllegalStateException("a fetch with status " + httpStatusCode + " did not fail: use parseContent");
        }
        Outcome outcome = crawlerFor(NOBODY).outcomeOf(SOME_SITE, httpStatusCode, new byte[0], Instant.now());
        LibrobotsRules rules = new LibrobotsRules(outcome.rules());
        rules.setDeferVisits(outcome.kind() == Outcome.Kind.DEFER || outcome.unreachableSince().isPresent());
        return rules;
    }

    private Crawler crawlerFor(Collection<String> names) {
        List<String> tokens = names.isEmpty() ? NOBODY : Collections.unmodifiableList(Arrays.asList(names.toArray(new String[0])));
        Crawler crawler = crawlers.get(tokens);
        if (crawler == null) {
            crawler = newCrawler(tokens);
            if (crawlers.size() < MOST_CRAWLERS) {
                crawlers.put(tokens, crawler);
            }
        }
        return crawler;
    }

    private Crawler newCrawler(List<String> tokens) {
        Crawler.Builder builder =
                Crawler.builder(tokens.get(0)).dialect(dialect).maxBytes(maxBytes).mergeTokens(!namesInOrder);
        tokens.stream().skip(1).forEach(builder::fallback);
        return builder.build();
    }

    private static long milliseconds(OptionalDouble seconds) {
        return seconds.isPresent() ? Math.round(seconds.getAsDouble() * 1000) : BaseRobotRules.UNSET_CRAWL_DELAY;
    }

    /** As in crawler-commons: relative ones count from the file, and what is no URL is left out. */
    private static void addSitemaps(LibrobotsRules to, String url, List<String> sitemaps) {
        if (sitemaps.isEmpty()) {
            return;
        }
        URL base = null;
        try {
            base = new URL(url);
        } catch (MalformedURLException e) {
            // Absolute ones count all the same.
        }
        for (String sitemap : sitemaps) {
            try {
                URL absolute = new URL(base, sitemap);
                if (absolute.getHost() != null && !absolute.getHost().isEmpty()) {
                    to.addSitemap(absolute.toExternalForm());
                }
            } catch (MalformedURLException e) {
                // Left out.
            }
        }
    }

    /**
     * Reads the settings; crawlers are made anew.
     *
     * @param in from where
     * @throws IOException if it cannot be read
     * @throws ClassNotFoundException if a class is missing
     */
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject();
        crawlers = new ConcurrentHashMap<>();
    }
}
