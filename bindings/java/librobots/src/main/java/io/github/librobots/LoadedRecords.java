package io.github.librobots;

/** How many records of a file {@link RobotsCache#load} imported, and how many it did not. */
public final class LoadedRecords {
    private int imported, foreign, damaged, noRoom;

    LoadedRecords() {}

    /** Counts the result of an import. */
    void add(Status status) {
        switch (status) {
            case OK:
                imported++;
                break;
            case IMAGE_FORMAT:
                foreign++;
                break;
            case MEMORY:
                noRoom++;
                break;
            default:
                damaged++;
        }
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
     * Returns how many records are damaged. After a damaged length the rest of the file counts as one.
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
