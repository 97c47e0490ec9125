package io.github.librobots;

/** The options of a fetch: what failures mean and how long results are used (SPEC 2, 3). Times are in seconds. */
public enum FetchOption {
    /** The largest number of redirects in a row (SPEC 2.2), 0 to 20. Default: 5; koster1996: 20. */
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
    DEFAULT_TTL(1, 315_360_000),
    /** The shortest TTL, whatever the headers say, and the shortest wait, 0 to 315360000. Default: 300. */
    MIN_TTL(0, 315_360_000),
    /**
     * The longest TTL, whatever the headers say (SPEC 3.2), 1 to 315360000. Default: 86400; google, koster1996: 2592000. It has
     * priority over {@link #MIN_TTL}.
     */
    MAX_TTL(1, 315_360_000),
    /** The wait after a first failure, 1 to 315360000. Default: 600. Later waits are longer. */
    FAILURE_TTL(1, 315_360_000),
    /**
     * The longest wait that {@code Retry-After} can set (SPEC 3.6), 0 to 315360000. Default: 86400. {@link #MIN_TTL} has priority.
     */
    MAX_RETRY_AFTER(0, 315_360_000),
    /**
     * The time after which an unreachable site without a copy is allowed as a whole (SPEC 2.12), 0 to 315360000. Default: 2592000 (30
     * days); koster1996: never.
     */
    UNREACHABLE_TTL(0, 315_360_000),
    /** 1: keep using a copy of up to 24 h if the file is missing (SPEC 2.5); 0: allow all at once. Default: 0. */
    MISSING_KEEPS_COPY(0, 1),
    /** The longest TTL of the result that there is no file, 1 to 315360000. Default: 21600. */
    MISSING_TTL(1, 315_360_000),
    /**
     * The meaning of a redirect that leads nowhere, for a site without a copy (SPEC 2.3, 2.15): no usable target, a loop, too many
     * redirects, or a refused one. Default: allow all; koster1996: defer for a loop and too many redirects.
     */
    ON_BAD_REDIRECT,
    /**
     * 0: refuse a redirect to a literal address that is not global, such as 127.0.0.1, or to {@code localhost}, unless the host of the
     * first URL is one itself; 1: follow it. Default: 0. The HTTP client refuses host names that resolve to such an address.
     */
    NON_GLOBAL_REDIRECTS(0, 1),
    /**
     * 1: fetch nothing while the site is unreachable, also with a copy (SPEC 2.11), which waits for the end of the outage, or for
     * {@link #UNREACHABLE_TTL}; 0: keep using the copy. Default: 0.
     */
    UNREACHABLE_OVERRIDES_COPY(0, 1);

    private static final FetchOption[] ALL = values();

    /** The number of the first option in the C library. */
    private static final int FIRST = 16;

    private final boolean isMeaning;
    private final long least;
    private final long most;

    /** An option that takes a meaning. */
    FetchOption() {
        isMeaning = true;
        least = 0;
        most = 0;
    }

    /** An option that takes a number. */
    FetchOption(long least, long most) {
        isMeaning = false;
        this.least = least;
        this.most = most;
    }

    /** Returns the number in the C library. */
    int number() {
        return FIRST + ordinal();
    }

    /** Returns a value of the caller; throws if the option does not take it. */
    long checked(long value) {
        if (isMeaning) {
            throw new IllegalArgumentException(this + " is " + value + ": pass a meaning such as Outcome.Kind.DEFER");
        }
        Status.demandRange(toString(), value, least, most);
        return value;
    }

    /** Returns the number of a meaning in the C library; throws if the option does not take it. */
    long checked(Outcome.Kind meaning) {
        if (!isMeaning) {
            throw new IllegalArgumentException(this + " is " + meaning + ": pass a number, " + least + " to " + most);
        }
        if (meaning == Outcome.Kind.RULES) {
            throw new IllegalArgumentException(this + " is RULES: pass ALLOW_ALL, DISALLOW_ALL, DEFER or UNREACHABLE");
        }
        return meaning.ordinal();
    }

    /** Returns an option and its value, any numbers, such as {@code ON_FORBIDDEN=DEFER}. */
    static String text(long number, long value) {
        FetchOption option = Row.pick(ALL, number - FIRST, null);
        Outcome.Kind meaning = option != null && option.isMeaning ? Row.pick(Outcome.Kind.values(), value, null) : null;
        return (option == null ? "option " + number : option) + "=" + (meaning == null ? value : meaning);
    }
}
