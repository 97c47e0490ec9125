package io.github.librobots.crawlercommons;

import crawlercommons.robots.BaseRobotRules;
import io.github.librobots.Reason;
import io.github.librobots.Rules;
import io.github.librobots.Verdict;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Rules of crawler-commons, kept by librobots. Any number of threads may ask them at once. */
public final class LibrobotsRules extends BaseRobotRules {
    private static final long serialVersionUID = 1L;
    private static final byte[] ROOT = "/".getBytes(StandardCharsets.US_ASCII);

    /** What answers; written as its image. */
    private final Rules rules;

    /**
     * Wraps rules; crawl-delay and sitemaps are for the caller to set.
     *
     * @param rules the rules
     */
    LibrobotsRules(Rules rules) {
        this.rules = Objects.requireNonNull(rules, "rules");
    }

    /**
     * Gives what answers, for what crawler-commons' interface does not ask: reasons, lines, batches.
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
        // Path and query; the rest of a URL does not count.
        String file = url.getFile();
        return rules.isAllowed(file.startsWith("/") ? file : "/" + file);
    }

    /**
     * Decides on a URL.
     *
     * @param url the URL
     * @return whether it may be fetched, why, and by which line
     */
    public Verdict check(String url) {
        return rules.check(url);
    }

    /** Whether no group of the file applies, or there was no file to obey: then all is allowed. */
    @Override
    public boolean isAllowAll() {
        Reason reason = rules.check(ROOT).reason();
        return reason == Reason.ALLOW_ALL || reason == Reason.NO_GROUP;
    }

    /** Whether the site as a whole is not to be fetched, because of a failed fetch or a crawl-delay beyond the limit. */
    @Override
    public boolean isAllowNone() {
        return rules.check(ROOT).reason() == Reason.DISALLOW_ALL;
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
