package io.github.librobots;

import java.nio.charset.StandardCharsets;

/** What can be wrong; the names and numbers are those of the C library. */
public enum Status {
    /** Nothing. */
    OK,
    /** A value out of its range. */
    ARGUMENT,
    /** Not a product token (SPEC 7.6). */
    TOKEN,
    /** Not a URL that can be decided on: neither absolute nor a path that starts with {@code /} (SPEC 8.5b). */
    URL,
    /** Not enough memory. */
    MEMORY,
    /** A defect of the library; it stays usable. */
    PANIC,
    /** A damaged image. */
    IMAGE,
    /** An image of another format version or byte order. */
    IMAGE_FORMAT,
    /** A URL of another scheme than http, https and ftp (SPEC 1.6). */
    SCHEME,
    /**
     * Too early or too late: an event that a fetch does not wait for now, a setting of a cache that is in use, a ticket
     * that was finished.
     */
    STATE;

    private static final Status[] ALL = values();

    /**
     * Says in one sentence what this means and what to do next.
     *
     * @return an English sentence
     */
    public String text() {
        byte[] text = new byte[Math.toIntExact(Native.statusTextLength(ordinal()))];
        Native.statusTextCopy(ordinal(), text);
        return new String(text, StandardCharsets.UTF_8);
    }

    static Status of(long number) {
        // Numbers that later versions add are defects to this one: its own library does not return them.
        return number >= 0 && number < ALL.length ? ALL[(int) number] : PANIC;
    }

    /** The handle that a native function returned; throws where it returned a status. */
    static long handle(long result) {
        if (result < 0) {
            throw of(-result).failure();
        }
        return result;
    }

    /** Throws unless {@code number} is {@link #OK}. */
    static void demandOk(int number) {
        if (number != 0) {
            throw of(number).failure();
        }
    }

    private RuntimeException failure() {
        switch (this) {
            case MEMORY:
                throw new OutOfMemoryError(text());
            case PANIC:
            case STATE:
                return new IllegalStateException(text());
            default:
                return new IllegalArgumentException(text());
        }
    }
}
