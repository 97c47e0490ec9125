package io.github.librobots;

/** The answer about one URL: whether it may be fetched, why, and by which line. Immutable. */
public final class Verdict {
    private final long bits;

    /** The word of the C library (robots_verdict). */
    Verdict(long bits) {
        this.bits = bits;
    }

    /**
     * Tells whether the URL may be fetched. After an error it may not.
     *
     * @return whether it may
     */
    public boolean allowed() {
        return isAllowed(bits);
    }

    static boolean isAllowed(long bits) {
        return (bits & 1) != 0;
    }

    /**
     * Gives the reason.
     *
     * @return the reason; {@link Reason#NONE} after an error
     */
    public Reason reason() {
        return Reason.of((int) (bits >>> 8) & 0xFF);
    }

    /**
     * Tells whether there was a decision.
     *
     * @return {@link Status#OK}, or {@link Status#URL} for what is no URL
     */
    public Status status() {
        return Status.of((bits >>> 16) & 0xFFFF);
    }

    /**
     * Gives the line of the deciding rule in the robots.txt.
     *
     * @return 1 for the first line; 0: no rule decided
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

    /** Says it in words, such as {@code disallowed: RULE_DISALLOWED, line 2}. */
    @Override
    public String toString() {
        if (status() != Status.OK) {
            return "error: " + status();
        }
        return (allowed() ? "allowed: " : "disallowed: ") + reason() + (line() == 0 ? "" : ", line " + line());
    }
}
