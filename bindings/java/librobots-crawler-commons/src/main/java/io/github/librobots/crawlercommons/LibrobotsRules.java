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

    /** The longest URL in characters whose path has at most 64 KiB in canonical form (SPEC 8.12): a character may become {@code %E2%82%AC}. */
    private static final int SHORT = (64 << 10) / 9;

    /** Serialized as their image. */
    private final Rules rules;
    /** Whether other objects have the same rules, which no caller may close then. */
    private final transient boolean isShared;
    /** A copy of shared rules, for callers. */
    private transient Rules copy;
    /** The verdict on every URL, if it is site-wide. A copy from a stream asks its rules. */
    private final transient Verdict site;
    /** If every path is allowed: the start of a URL that is, including the {@code /} after its host. Threads may set it at once. */
    private transient String start;
    /** Whether a group of {@code *} applies. */
    private boolean matchedWildcard;

    /**
     * Wraps rules. The caller sets crawl-delay and sitemaps.
     *
     * @param rules the rules
     * @param matchedWildcard whether a group of {@code *} applies
     */
    LibrobotsRules(Rules rules, boolean matchedWildcard) {
        this(rules, matchedWildcard, false);
    }

    private LibrobotsRules(Rules rules, boolean matchedWildcard, boolean isShared) {
        this.rules = Objects.requireNonNull(rules, "rules");
        this.matchedWildcard = matchedWildcard;
        this.isShared = isShared;
        Verdict root = rules.check(ROOT);
        site = root.isSiteWide() ? root : null;
    }

    /**
     * Wraps rules without a group of {@code *} that other objects wrap as well.
     *
     * @param rules the rules
     * @return the wrapper
     */
    static LibrobotsRules ofShared(Rules rules) {
        return new LibrobotsRules(rules, false, true);
    }

    /**
     * Returns the rules, for what the interface of crawler-commons does not have: reasons, lines, batches.
     *
     * @return the rules
     */
    public Rules rules() {
        return isShared ? copy() : rules;
    }

    private synchronized Rules copy() {
        if (copy == null) {
            copy = Rules.fromImage(rules.image());
        }
        return copy;
    }

    @Override
    public boolean isAllowed(String url) {
        if (site == null) {
            return rules.isAllowed(url);
        }
        if (!site.allowed()) {
            return mayBeRobotsTxt(url) && rules.isAllowed(url);
        }
        String start = this.start;
        if (start != null && url.length() <= SHORT && url.startsWith(start)) {
            return true;
        }
        boolean allowed = rules.isAllowed(url);
        if (allowed) {
            int end = url.indexOf('/', url.startsWith("/") ? 0 : url.indexOf("://") + 3);
            this.start = end < 0 ? null : url.substring(0, end + 1); // null: no `/` before the path
        }
        return allowed;
    }

    @Override
    public boolean isAllowed(URL url) {
        // Path and query; the rest of a URL is not compared.
        String file = url.getFile();
        return isAllowed(file.startsWith("/") ? file : "/" + file);
    }

    private static boolean mayBeRobotsTxt(String url) {
        return url.indexOf('%') >= 0 || url.contains("robots.txt");
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
