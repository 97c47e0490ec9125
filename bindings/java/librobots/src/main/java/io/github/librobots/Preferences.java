package io.github.librobots;

import java.lang.ref.Reference;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What may be done with what was fetched, for one URL or one response: each label of each vocabulary once (SPEC 9.4, 9.5). What is not
 * listed was not spoken of, which neither permits nor forbids it. Immutable.
 */
public final class Preferences {
    /** Whose label it is. */
    public enum Vocabulary {
        /** {@code content-usage}, line or header field (SPEC 9.5). */
        CONTENT_USAGE,
        /** {@code content-signal} (SPEC 9.4). */
        CONTENT_SIGNAL,
        /** One that this version does not know. */
        OTHER
    }

    /** What is preferred. */
    public enum Choice {
        /** It should not be done. */
        NO,
        /** It may be done. */
        YES,
        /** The label stands there with something else, which says nothing. */
        UNKNOWN
    }

    private static final Vocabulary[] VOCABULARIES = Vocabulary.values();
    private static final Choice[] CHOICES = Choice.values();

    /** One preference. Immutable. */
    public static final class Preference {
        private final Vocabulary vocabulary;
        private final String label;
        private final Choice choice;
        private final long line;

        private Preference(Row row) {
            label = row.text(0);
            line = row.number(2);
            vocabulary = Row.pick(VOCABULARIES, row.number(3), Vocabulary.OTHER);
            choice = Row.pick(CHOICES, row.number(4), Choice.UNKNOWN);
        }

        /**
         * Tells whose label it is.
         *
         * @return the vocabulary
         */
        public Vocabulary vocabulary() {
            return vocabulary;
        }

        /**
         * Tells what is spoken of.
         *
         * @return such as {@code train-ai}; case-sensitive
         */
        public String label() {
            return label;
        }

        /**
         * Tells what is preferred.
         *
         * @return the choice
         */
        public Choice choice() {
            return choice;
        }

        /**
         * Gives the line that says so.
         *
         * @return 1 for the first line; 0 for a header field
         */
        public long line() {
            return line;
        }

        /** Says it, such as {@code train-ai: no (line 3)}. */
        @Override
        public String toString() {
            return label + ": " + choice.name().toLowerCase(Locale.ROOT) + (line == 0 ? "" : " (line " + line + ")");
        }
    }

    private final List<Preference> all;

    /** Copies what there is, and ends the handle. */
    Preferences(Handle held) {
        try {
            all = Row.all(Row.PREFERENCE, held.address, Preference::new);
        } finally {
            Reference.reachabilityFence(held);
            held.end();
        }
    }

    /**
     * Gives what a response prefers: the preferences of its {@code Content-Usage} header field (SPEC 9.5).
     *
     * @param value the value of the field; of several such fields the values joined by {@code ", "}; what is no RFC 9651 Dictionary
     *     says nothing
     * @return the preferences
     */
    public static Preferences fromHeader(CharSequence value) {
        return new Preferences(Handle.of(Native.preferencesFromHeader(Rules.octets(value)), Native::preferencesFree));
    }

    /**
     * Gives all preferences, by vocabulary, then by label.
     *
     * @return a list that cannot be changed
     */
    public List<Preference> all() {
        return all;
    }

    /**
     * Finds a preference.
     *
     * @param vocabulary whose label it is
     * @param label what is asked about, such as {@code train-ai}
     * @return the preference; empty if it was not spoken of
     */
    public Optional<Preference> find(Vocabulary vocabulary, String label) {
        return all.stream().filter(p -> p.vocabulary() == vocabulary && p.label().equals(label)).findFirst();
    }

    /** Says all preferences. */
    @Override
    public String toString() {
        return all.toString();
    }
}
