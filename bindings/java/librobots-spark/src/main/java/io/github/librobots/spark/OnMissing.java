package io.github.librobots.spark;

/** What holds for a URL of a site without a capture of its robots.txt. There is no default: it is the caller's decision. */
public enum OnMissing {
    /** The URL is allowed, as if the site had no robots.txt. */
    ALLOW,
    /** The URL is left out. */
    DISALLOW
}
