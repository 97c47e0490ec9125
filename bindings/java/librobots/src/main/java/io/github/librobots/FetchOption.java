package io.github.librobots;

/** What is done about failed fetches, and how long results live: each choice of SPEC 2 and 3. Times are in seconds. */
public enum FetchOption {
    /** How many redirects in a row are followed (SPEC 2.2), 0 to 20; 5 until set. */
    MAX_REDIRECTS,
    /** What 401 and 403 mean (SPEC 2.6): allow all until set, koster1996: disallow all. To defer makes them count as unreachable. */
    ON_FORBIDDEN,
    /** What 429 means (SPEC 2.7): disallow all until set, koster1996: defer. To allow all makes it count like 404. */
    ON_TOO_MANY_REQUESTS,
    /** What 500 to 599 mean (SPEC 2.8): disallow all until set, koster1996: defer. To allow all makes them count like 404. */
    ON_SERVER_ERROR,
    /** What all other failures mean (SPEC 2.9, 2.10): disallow all until set, koster1996: defer. */
    ON_UNREACHABLE,
    /** 1 to take 500 to 599 for 404, as of a site that is known to answer so for pages that do not exist (SPEC 2.14); 0 until set. */
    SERVER_ERROR_IS_MISSING,
    /** How long a file lives where its headers do not say (SPEC 3.1), 1 to 315360000; 86400 until set, koster1996: 604800. */
    DEFAULT_TTL,
    /** The shortest life, whatever the headers say, and the shortest wait, 0 to 315360000; 300 until set. */
    MIN_TTL,
    /** The longest life, whatever the headers say (SPEC 3.2), 1 to 315360000; 86400 until set, google, koster1996: 2592000. */
    MAX_TTL,
    /** When the next try is due after a first failure, 1 to 315360000; 600 until set. Later waits are longer. */
    FAILURE_TTL,
    /**
     * The longest wait that a {@code Retry-After} can ask for (SPEC 3.6), 0 to 315360000; 86400 until set. {@link #MIN_TTL} is
     * stronger.
     */
    MAX_RETRY_AFTER,
    /** After how long a site that is unreachable may be fetched as a whole (SPEC 2.12), 0 to 315360000; 2592000 until set. */
    UNREACHABLE_TTL,
    /** 1 to go on using a copy of up to 24 h when the file is missing (SPEC 2.5), 0 to allow all at once; 0 until set. */
    MISSING_KEEPS_COPY,
    /** The longest life of an answer by which there is no file to obey, 1 to 315360000; 21600 until set. */
    MISSING_TTL;

    private static final FetchOption[] ALL = values();

    /** The number of the first in the C library. */
    private static final int FIRST = 16;

    /** The number in the C library. */
    int number() {
        return FIRST + ordinal();
    }

    /** Whether its value is a kind of outcome. */
    boolean isMeaning() {
        return compareTo(ON_FORBIDDEN) >= 0 && compareTo(ON_UNREACHABLE) <= 0;
    }

    /** The option of a number in the C library. */
    static FetchOption of(int number) {
        return ALL[number - FIRST];
    }
}
