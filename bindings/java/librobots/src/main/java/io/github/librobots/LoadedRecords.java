package io.github.librobots;

/** How many records of a file {@link RobotsCache#load} imported, and how many it did not. */
public final class LoadedRecords {
    private final int imported, foreign, damaged, noRoom;

    LoadedRecords(long[] numbers) {
        imported = (int) numbers[0];
        foreign = (int) numbers[1];
        damaged = (int) numbers[2];
        noRoom = (int) numbers[3];
    }

    /**
     * Returns how many records the cache has now, or has a newer outcome for.
     *
     * @return the number
     */
    public int imported() {
        return imported;
    }

    /**
     * Returns how many records are of other crawlers or another format version.
     *
     * @return the number
     */
    public int foreign() {
        return foreign;
    }

    /**
     * Returns how many places are damaged. Each holds one record or several.
     *
     * @return the number
     */
    public int damaged() {
        return damaged;
    }

    /**
     * Returns for how many records the cache had no room.
     *
     * @return the number
     */
    public int noRoom() {
        return noRoom;
    }

    /** Returns all numbers, such as {@code LoadedRecords[imported=2, foreign=0, damaged=1, noRoom=0]}. */
    @Override
    public String toString() {
        return "LoadedRecords[imported=" + imported + ", foreign=" + foreign + ", damaged=" + damaged + ", noRoom=" + noRoom + "]";
    }
}
