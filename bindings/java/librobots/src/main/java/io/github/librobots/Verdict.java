package io.github.librobots;

import java.io.Serializable;

/** The decision on one URL: whether it may be fetched, why, and by which line. Immutable. */
public final class Verdict implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The word of the C API. */
    private final long bits;

    /** For a serializer. */
    private Verdict() {
        this(0);
    }

    /** Wraps a {@code robots_verdict} of the C library. */
    Verdict(long bits) {
        this.bits = bits;
    }

    /**
     * Returns whether the URL may be fetched: false after an error.
     *
     * @return true if the URL may be fetched
     */
    public boolean allowed() {
        return isAllowed(bits);
    }

    static boolean isAllowed(long bits) {
        return (bits & 1) != 0;
    }

    /**
     * Returns whether to keep the URL and check it again later: the site is unreachable or deferred, which is no ban, or the check failed.
     *
     * @return true to keep the URL; if false and not {@link #allowed}, drop it
     */
    public boolean deferred() {
        return reason() == Reason.DEFER || reason() == Reason.UNREACHABLE || status().isFailure();
    }

    /**
     * Returns whether this is the verdict on every URL of the site except /robots.txt, so that all may be kept or dropped at once (SPEC 8.13).
     *
     * @return true if each URL of the site has this verdict
     */
    public boolean isSiteWide() {
        return (bits & 2) != 0;
    }

    /**
     * Returns the reason.
     *
     * @return the reason; {@link Reason#NONE} after an error
     */
    public Reason reason() {
        return Reason.of((int) (bits >>> 8) & 0xFF);
    }

    /**
     * Returns the status: whether there is a decision.
     *
     * @return {@link Status#OK}, or {@link Status#URL} for text that is not a URL
     */
    public Status status() {
        return Status.of((bits >>> 16) & 0xFFFF);
    }

    /**
     * Returns the line of the deciding rule in the robots.txt.
     *
     * @return the line, from 1; 0 if no rule decided
     */
    public long line() {
        return bits >>> 32;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Verdict && ((Verdict) other).bits == bits;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(bits);
    }

    /**
     * Returns a text such as {@code disallowed: RULE_DISALLOWED, line 2}, {@code not allowed now: UNREACHABLE} for what is no ban, and
     * for an error the {@link Status} and what to do.
     */
    @Override
    public String toString() {
        if (status() != Status.OK) {
            return "error: " + status() + ": " + status().text();
        }
        String word = allowed() ? "allowed: " : deferred() ? "not allowed now: " : "disallowed: ";
        return word + reason() + (line() == 0 ? "" : ", line " + line());
    }
}
