package io.github.librobots;

/** A reading of the Robots Exclusion Protocol. */
public enum Dialect {
    /** RFC 9309, the default. */
    RFC9309,
    /** The decisions of Google's open-source matcher. */
    GOOGLE,
    /** The first draft, of 1996. */
    KOSTER1996
}
