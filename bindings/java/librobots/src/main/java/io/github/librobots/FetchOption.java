package io.github.librobots;

/** The options of a fetch: what failures mean and how long results are used (SPEC 2, 3). Times are in seconds. */
public enum FetchOption {
    /** The largest number of redirects in a row (SPEC 2.2), 0 to 20. Default: 5. */
    MAX_REDIRECTS(0, 20),
    /**
     * The meaning of 401 and 403 (SPEC 2.6). With defer or unreachable they count as unreachable. Default: allow all; koster1996:
     * disallow all.
     */
    ON_FORBIDDEN,
    /** The meaning of 429 (SPEC 2.7). With allow all it counts as 404. Default: unreachable; koster1996: defer. */
    ON_TOO_MANY_REQUESTS,
    /** The meaning of 500 to 599 (SPEC 2.8). With allow all they count as 404. Default: unreachable; koster1996: defer. */
    ON_SERVER_ERROR,
    /** The meaning of all other failures (SPEC 2.9, 2.10). Default: unreachable; koster1996: defer. */
    ON_UNREACHABLE,
    /** 1: treat 500 to 599 as 404, for a site known to return them for missing pages (SPEC 2.14). Default: 0. */
    SERVER_ERROR_IS_MISSING(0, 1),
    /** The TTL of a file without caching headers (SPEC 3.1), 1 to 315360000. Default: 86400; koster1996: 604800. */
    DEFAULT_TTL(1, Range.TEN_YEARS),
    /** The shortest TTL, whatever the headers say, and the shortest wait, 0 to 315360000. Default: 300. */
    MIN_TTL(0, Range.TEN_YEARS),
    /** The longest TTL, whatever the headers say (SPEC 3.2), 1 to 315360000. Default: 86400; google, koster1996: 2592000. */
    MAX_TTL(1, Range.TEN_YEARS),
    /** The wait after a first failure, 1 to 315360000. Default: 600. Later waits are longer. */
    FAILURE_TTL(1, Range.TEN_YEARS),
    /**
     * The longest wait that {@code Retry-After} can set (SPEC 3.6), 0 to 315360000. Default: 86400. {@link #MIN_TTL} has priority.
     */
    MAX_RETRY_AFTER(0, Range.TEN_YEARS),
    /** The time after which an unreachable site is allowed as a whole (SPEC 2.12), 0 to 315360000. Default: 2592000. */
    UNREACHABLE_TTL(0, Range.TEN_YEARS),
    /** 1: keep using a copy of up to 24 h if the file is missing (SPEC 2.5); 0: allow all at once. Default: 0. */
    MISSING_KEEPS_COPY(0, 1),
    /** The longest TTL of the result that there is no file, 1 to 315360000. Default: 21600. */
    MISSING_TTL(1, Range.TEN_YEARS),
    /**
     * The meaning of a redirect that leads nowhere, for a site without a copy (SPEC 2.3, 2.15): no usable target, a loop, too many
     * redirects, or a refused one. Default: allow all.
     */
    ON_BAD_REDIRECT,
    /**
     * 0: refuse a redirect to a literal address that is not global, such as 127.0.0.1, or to {@code localhost}, unless the host of the
     * first URL is one itself; 1: follow it. Default: 0. The HTTP client refuses host names that resolve to such an address.
     */
    NON_GLOBAL_REDIRECTS(0, 1);

    /** A constant of the constants. */
    private static final class Range {
        /** In seconds. */
        static final long TEN_YEARS = 315_360_000;
    }

    private static final FetchOption[] ALL = values();

    /** The number of the first option in the C library. */
    private static final int FIRST = 16;

    /** The smallest number that is accepted; 0 for a meaning. */
    private final long least;
    /** The largest number that is accepted; 0 for a meaning. */
    private final long most;

    /** An option whose value is a meaning. */
    FetchOption() {
        this(0, 0);
    }

    FetchOption(long least, long most) {
        this.least = least;
        this.most = most;
    }

    /**
     * Returns a number for the option.
     *
     * @throws IllegalArgumentException if the option takes a meaning, or the number is out of range
     */
    long checked(long value) {
        if (isMeaning()) {
            throw new IllegalArgumentException(this + " takes a meaning, such as Outcome.Kind.DEFER, not the number " + value);
        }
        if (value < least || value > most) {
            throw new IllegalArgumentException(this + " is " + least + " to " + most + ", not " + value);
        }
        return value;
    }

    /** Returns the number in the C library. */
    int number() {
        return FIRST + ordinal();
    }

    /** Returns whether the value is a kind of outcome. */
    boolean isMeaning() {
        return most == 0;
    }

    /** Returns the option of a number in the C library. */
    static FetchOption of(int number) {
        return ALL[number - FIRST];
    }
}
