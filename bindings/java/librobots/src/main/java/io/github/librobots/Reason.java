package io.github.librobots;

/** Why a verdict is as it is. */
public enum Reason {
    /** There is no decision, because of an error ({@link Verdict#status()}). */
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
    /** The whole site is allowed; there was no file to obey. */
    ALLOW_ALL,
    /** The whole site is disallowed. */
    DISALLOW_ALL,
    /** Nothing of the site may be fetched now: keep the URL and ask again later. */
    DEFER;

    private static final Reason[] ALL = values();

    static Reason of(int number) {
        return number < ALL.length ? ALL[number] : NONE;
    }
}
