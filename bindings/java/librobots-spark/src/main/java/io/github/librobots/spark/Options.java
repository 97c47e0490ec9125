package io.github.librobots.spark;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeSet;

/** Checks of the options of readers, crawlers and the job. */
final class Options {
    /** The range of the size limit of a robots.txt (SPEC 4.5). */
    private static final int LEAST_BYTES = 512_000, MOST_BYTES = 1 << 30;

    private Options() {}

    /**
     * Refuses options that a reader does not have.
     *
     * @throws IllegalArgumentException with the name of an unknown option
     */
    static void requireKnown(String reader, Map<String, String> options, String... known) {
        TreeSet<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(Arrays.asList(known));
        for (String name : options.keySet()) {
            if (!names.contains(name)) {
                throw new IllegalArgumentException(reader + " has no option '" + name + "': known are " + String.join(", ", names));
            }
        }
    }

    /**
     * Returns a size limit.
     *
     * @param name what an error names
     * @throws IllegalArgumentException if the value is not a number in the range
     */
    static int maxBytes(String name, String value) {
        return integer(name, value, LEAST_BYTES, MOST_BYTES);
    }

    /**
     * Returns a number in a range.
     *
     * @param name what an error names
     * @throws IllegalArgumentException if the value is not a number in the range
     */
    static int integer(String name, String value, int least, int most) {
        try {
            int number = Integer.parseInt(value.trim());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The message below says what is wrong.
        }
        throw new IllegalArgumentException(name + " is " + least + " to " + most + ", not '" + value + "'");
    }
}
