package io.github.librobots.crawlercommons;

import crawlercommons.robots.BaseRobotRules;
import io.github.librobots.Reason;
import io.github.librobots.Rules;
import io.github.librobots.Verdict;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** {@code BaseRobotRules} of crawler-commons, implemented with librobots. Any number of threads may use it at once. */
public final class LibrobotsRules extends BaseRobotRules {
    private static final long serialVersionUID = 2L;

    /** The path {@code /}. */
    static final byte[] ROOT = "/".getBytes(StandardCharsets.US_ASCII);

    /** Serialized as their image. */
    private final Rules rules;
    /** Whether a group of {@code *} applies. */
    private boolean matchedWildcard;

    /**
     * Wraps rules. The caller sets crawl-delay and sitemaps.
     *
     * @param rules the rules
     * @param matchedWildcard whether a group of {@code *} applies
     */
    LibrobotsRules(Rules rules, boolean matchedWildcard) {
        this.rules = Objects.requireNonNull(rules, "rules");
        this.matchedWildcard = matchedWildcard;
    }

    /**
     * Returns the rules, for what the interface of crawler-commons does not have: reasons, lines, batches.
     *
     * @return the rules
     */
    public Rules rules() {
        return rules;
    }

    @Override
    public boolean isAllowed(String url) {
        return rules.isAllowed(url);
    }

    @Override
    public boolean isAllowed(URL url) {
        // Path and query; the rest of a URL is not compared.
        String file = url.getFile();
        return rules.isAllowed(file.startsWith("/") ? file : "/" + file);
    }

    /**
     * Decides on a URL.
     *
     * @param url the URL
     * @return the verdict: whether the URL may be fetched, why, and by which line
     */
    public Verdict check(String url) {
        return rules.check(url);
    }

    /** Returns whether every URL is allowed, because no group applies or there is no robots.txt to obey. */
    @Override
    public boolean isAllowAll() {
        Reason reason = rules.check(ROOT).reason();
        return reason == Reason.ALLOW_ALL || reason == Reason.NO_GROUP;
    }

    /** Returns whether no URL is allowed, because of a failed fetch (see {@link #isDeferVisits}) or a crawl-delay above the limit. */
    @Override
    public boolean isAllowNone() {
        Reason reason = rules.check(ROOT).reason();
        return reason == Reason.DISALLOW_ALL || reason == Reason.UNREACHABLE;
    }

    /** Returns whether a group of {@code *} applies, because no group names the crawler. */
    @Override
    public boolean isMatchedWildcard() { // has no counterpart before crawler-commons 1.6
        return matchedWildcard;
    }

    @Override
    public void setMatchedWildcard(boolean matchedWildcard) {
        this.matchedWildcard = matchedWildcard;
    }

    @Override
    public boolean equals(Object other) {
        return super.equals(other) && rules.equals(((LibrobotsRules) other).rules);
    }

    @Override
    public int hashCode() {
        return 31 * super.hashCode() + rules.hashCode();
    }
}
