package io.github.librobots;

/** What a {@link RobotsCache} holds, and what it did since it was made. Immutable. */
public final class CacheCounts {
    private final long[] numbers = new long[10];

    CacheCounts(Row row) {
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = row.number(i);
        }
    }

    /**
     * Returns the number of sites.
     *
     * @return the sites, including those that are fetched for the first time
     */
    public long sites() {
        return numbers[0];
    }

    /**
     * Returns the native memory of the entries.
     *
     * @return bytes
     */
    public long bytes() {
        return numbers[1];
    }

    /**
     * Returns how many URLs a fresh outcome decided.
     *
     * @return the number
     */
    public long hits() {
        return numbers[2];
    }

    /**
     * Returns how many URLs an outcome decided after its freshness lifetime: its refresh is due, or failed.
     *
     * @return the number
     */
    public long staleHits() {
        return numbers[3];
    }

    /**
     * Returns how many tickets the cache issued.
     *
     * @return the number
     */
    public long fetches() {
        return numbers[4];
    }

    /**
     * Returns the number of decisions {@link CacheDecision.Action#WAIT}.
     *
     * @return the number
     */
    public long waits() {
        return numbers[5];
    }

    /**
     * Returns the number of decisions {@link CacheDecision.Action#DEFER}, without those for misuse.
     *
     * @return the number
     */
    public long deferred() {
        return numbers[6];
    }

    /**
     * Returns how many outcomes and slots were evicted for others.
     *
     * @return the number
     */
    public long evicted() {
        return numbers[7];
    }

    /**
     * Returns the number of distinct images: sites with equal rules share one.
     *
     * @return the number
     */
    public long images() {
        return numbers[8];
    }

    /**
     * Returns how much native memory sharing saves.
     *
     * @return bytes
     */
    public long savedBytes() {
        return numbers[9];
    }

    /** Returns all numbers, such as {@code CacheCounts[sites=1, bytes=200, hits=2, ...]}. */
    @Override
    public String toString() {
        return "CacheCounts[sites=" + sites() + ", bytes=" + bytes() + ", hits=" + hits() + ", staleHits=" + staleHits() + ", fetches="
                + fetches() + ", waits=" + waits() + ", deferred=" + deferred() + ", evicted=" + evicted() + ", images=" + images()
                + ", savedBytes=" + savedBytes() + "]";
    }
}
