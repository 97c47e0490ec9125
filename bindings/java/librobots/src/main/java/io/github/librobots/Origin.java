package io.github.librobots;

import java.lang.ref.Reference;

/** The site that a URL belongs to: scheme, host and port (SPEC 1). Immutable. */
public final class Origin {
    private final String key;
    private final String robotsUrl;

    private Origin(String key, String robotsUrl) {
        this.key = key;
        this.robotsUrl = robotsUrl;
    }

    /**
     * Finds the site that a URL belongs to.
     *
     * @param url an absolute URL
     * @return the site
     * @throws IllegalArgumentException for another scheme than http, https and ftp (SPEC 1.6), for what is no absolute URL, or has
     *     no host that can be read
     */
    public static Origin of(CharSequence url) {
        Handle held = Handle.of(Native.originNew(Rules.octets(url)), Native::originFree);
        try {
            return new Origin(
                    Row.text(Row.ORIGIN_KEY, held.address, 0), Row.text(Row.ORIGIN_ROBOTS_URL, held.address, 0));
        } finally {
            Reference.reachabilityFence(held);
            held.end();
        }
    }

    /**
     * Gives the origin in its one spelling: lower-case scheme and host, the host in punycode, and the port unless it is the
     * scheme's own (SPEC 1.3, 1.4).
     *
     * @return the key, such as {@code https://example.com} or {@code http://[::1]:8080}
     */
    public String key() {
        return key;
    }

    /**
     * Gives the URL of the origin's robots.txt (SPEC 1.1).
     *
     * @return the URL
     */
    public String robotsUrl() {
        return robotsUrl;
    }

    /**
     * Tells whether a robots.txt of this origin governs a URL: whether that is of the same origin (SPEC 1.2).
     *
     * @param url any text
     * @return whether it does; false for what is no absolute URL
     */
    public boolean governs(CharSequence url) {
        try {
            return equals(of(url));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Tells whether the other is the same origin: whether the keys are equal. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Origin && ((Origin) other).key.equals(key);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    /** Gives the key. */
    @Override
    public String toString() {
        return key;
    }
}
