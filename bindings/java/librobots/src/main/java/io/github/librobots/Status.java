package io.github.librobots;

/** The result of a call. Names are those of the C library, without those for the end of a list and for a small buffer. */
public enum Status {
    /** Success. */
    OK,
    /** An argument is out of its range. */
    ARGUMENT,
    /** Not a product token (SPEC 7.6). */
    TOKEN,
    /** Not a URL that can be checked: neither absolute nor a path that starts with {@code /} (SPEC 8.5b), or too long (SPEC 8.12). */
    URL,
    /** Not enough memory. */
    MEMORY,
    /** A defect of the library. It stays usable. */
    PANIC,
    /** A damaged image or record. */
    IMAGE,
    /** An image or record of another format version or byte order. */
    IMAGE_FORMAT,
    /** A URL of another scheme than http, https and ftp (SPEC 1.6). */
    SCHEME,
    /**
     * The object is in another state: the fetch waits for another event, the cache is in use, or the ticket is finished.
     */
    STATE,
    /** A time of the clock that is not in milliseconds since 1970: before March 1973, as one in seconds is, or after the year 9999. */
    TIME;

    private static final Status[] ALL = values();

    /** The number of {@link #TIME} in the C library. The others have their ordinals. */
    private static final int TIME_NUMBER = 67;

    /**
     * Returns one sentence: what the status means and what to do next.
     *
     * @return an English sentence
     */
    public String text() {
        // The library's text names the argument of the thread's last call, which need not be the caller's.
        if (this == ARGUMENT) {
            return "invalid argument: a number out of its range, an object of another site or crawler, or the address of a robots.txt"
                    + " in place of its content";
        }
        return textOf(this == TIME ? TIME_NUMBER : ordinal());
    }

    private static String textOf(long number) {
        Library.require();
        return Row.text(Row.STATUS_TEXT, 0, number);
    }

    /** Returns whether a check failed for another reason than its URL or image, so that the URL is kept. */
    boolean isFailure() {
        return this == ARGUMENT || this == MEMORY || this == PANIC || this == STATE || this == TIME;
    }

    static Status of(long number) {
        if (number == TIME_NUMBER) {
            return TIME;
        }
        // The library of this version returns no other number.
        return number >= 0 && number < TIME.ordinal() ? ALL[(int) number] : PANIC;
    }

    /** Returns the handle that a native function returned; throws if it returned a negative status. */
    static long handle(long result) {
        if (result < 0) {
            throw failure(-result);
        }
        return result;
    }

    /** Throws unless {@code number} is {@link #OK}. */
    static void demandOk(int number) {
        if (number != 0) {
            throw failure(number);
        }
    }

    /** Throws if a number of a caller is out of its range. */
    static void demandRange(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + " is " + value + ": pass " + least + (most == Long.MAX_VALUE ? " or more" : " to " + most));
        }
    }

    /** The exception for the status that a call of this thread has just returned. */
    private static RuntimeException failure(long number) {
        String text = textOf(number);
        switch (of(number)) {
            case MEMORY:
                throw new OutOfMemoryError(text);
            case PANIC:
            case STATE:
                return new IllegalStateException(text);
            default:
                return new IllegalArgumentException(text);
        }
    }
}
