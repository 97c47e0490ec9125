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

    /** What is known about all paths: not yet anything, or that the rules must be asked. */
    private static final int UNKNOWN = 0, VARIES = 1, ALLOWS = 2, DISALLOWS = 3;

    /** Serialized as their image. */
    private final Rules rules;
    /** Whether other objects have the same rules, which no caller may close then. */
    private final transient boolean isShared;
    /** A copy of shared rules, for callers. */
    private transient Rules copy;
    /** The answer that is known. Threads may find it at once, and find the same. */
    private transient int answer;
    /** The start of a URL that is allowed, including the {@code /} after its host, if every path is. */
    private transient String site;
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
        String start = site;
        if (start != null && url.length() <= SHORT && url.startsWith(start)) {
            return true;
        }
        return answer == VARIES ? rules.isAllowed(url) : decide(url);
    }

    @Override
    public boolean isAllowed(URL url) {
        // Path and query; the rest of a URL is not compared.
        String file = url.getFile();
        return isAllowed(file.startsWith("/") ? file : "/" + file);
    }

    /** Decides on a URL, and remembers what the verdict shows about all paths. */
    private boolean decide(String url) {
        if (answer == DISALLOWS && !mayBeRobotsTxt(url)) {
            return false;
        }
        Verdict verdict = check(url);
        if (answer == UNKNOWN) {
            answer = answer(verdict.reason());
        }
        if (answer == ALLOWS && verdict.allowed()) {
            // No `/` before the path: the next URL is checked as well.
            int end = url.indexOf('/', url.startsWith("/") ? 0 : url.indexOf("://") + 3);
            site = end < 0 ? null : url.substring(0, end + 1);
        }
        return verdict.allowed();
    }

    private static int answer(Reason reason) {
        switch (reason) {
            case NO_GROUP: // these reasons are those of every URL except /robots.txt
            case ALLOW_ALL:
                return ALLOWS;
            case DISALLOW_ALL:
            case UNREACHABLE:
                return DISALLOWS;
            case ROBOTS_TXT:
            case NONE:
                return UNKNOWN;
            default:
                return VARIES;
        }
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
