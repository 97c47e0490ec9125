package io.github.librobots;

import java.util.List;

/** The difference of two sets of rules (SPEC 12): see {@link Rules#difference}. Immutable. */
public final class Difference {
    /** The result of a search for a difference. */
    public enum Result {
        /** The search ended without an answer: the files are too large, or made to be hard to compare (SPEC 12.3). */
        NOT_DECIDED,
        /** The rules agree on every path; this is proved. */
        NONE,
        /** The rules disagree on a path. */
        FOUND
    }

    private static final Result[] RESULTS = Result.values();

    /** A path on which the rules disagree. Immutable. */
    public static final class Path {
        private final String path;
        private final List<Verdict> verdicts;

        private Path(Row row) {
            path = row.text(0);
            verdicts = List.of(new Verdict(row.number(2)), new Verdict(row.number(3)));
        }

        /**
         * Returns the path and query.
         *
         * @return the path, in ASCII
         */
        public String path() {
            return path;
        }

        /**
         * Returns the verdict of each set of rules. One allows the path.
         *
         * @return an unmodifiable list: the verdict of the rules, then that of the other rules
         */
        public List<Verdict> verdicts() {
            return verdicts;
        }

        /** Returns the path. */
        @Override
        public String toString() {
            return path;
        }
    }

    private final Result result;
    private final List<Path> paths;

    /** Copies the difference at an address. */
    Difference(long address) {
        result = Row.pick(RESULTS, Native.differenceResult(address), Result.NOT_DECIDED);
        paths = Row.all(Row.DIFFERENT_PATH, address, Path::new);
    }

    /**
     * Returns whether there is a difference.
     *
     * @return the result
     */
    public Result result() {
        return result;
    }

    /**
     * Returns paths on which the rules disagree. The first is a shortest one. A rule decides each further path that decides none before.
     *
     * @return an unmodifiable list; empty unless the result is {@link Result#FOUND}
     */
    public List<Path> paths() {
        return paths;
    }

    /** Returns result and paths, such as {@code FOUND [/a]}. */
    @Override
    public String toString() {
        return result + " " + paths;
    }
}
