package io.github.librobots;

/** The reason of a verdict. */
public enum Reason {
    /** Error: there is no decision; see {@link Verdict#status()}. */
    NONE,
    /** An allow rule won. */
    RULE_ALLOWED,
    /** A disallow rule won. */
    RULE_DISALLOWED,
    /** A group applies to the crawler, but none of its rules matches. */
    NO_RULE,
    /** No group applies to the crawler. */
    NO_GROUP,
    /** The URL is the robots.txt itself (SPEC 8.9). */
    ROBOTS_TXT,
    /** The whole site is allowed: there is no robots.txt to obey. */
    ALLOW_ALL,
    /** The whole site is disallowed. */
    DISALLOW_ALL,
    /** No URL of the site may be fetched now: keep the URL and check it again later. */
    DEFER,
    /** The robots.txt cannot be reached. This is no ban: keep the URL and check it again later. */
    UNREACHABLE;

    private static final Reason[] ALL = values();

    static Reason of(int number) {
        return number < ALL.length ? ALL[number] : NONE;
    }
}
