package io.github.librobots;

/** Which reading of the protocol decides. */
public enum Dialect {
    /** RFC 9309, the default. */
    RFC9309,
    /** What Google's open-source matcher answers. */
    GOOGLE,
    /** The first draft, of 1996. */
    KOSTER1996
}
