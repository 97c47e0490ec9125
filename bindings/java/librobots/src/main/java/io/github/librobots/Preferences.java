package io.github.librobots;

import java.lang.ref.Reference;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How the content of one URL or one response may be used: each label of each vocabulary once (SPEC 9.4, 9.5). A label that is not
 * listed is neither permitted nor forbidden. Immutable.
 */
public final class Preferences {
    /** The vocabulary of a label. */
    public enum Vocabulary {
        /** {@code content-usage}, line or header field (SPEC 9.5). */
        CONTENT_USAGE,
        /** {@code content-signal} (SPEC 9.4). */
        CONTENT_SIGNAL,
        /** A vocabulary that this version does not know. */
        OTHER
    }

    /** The choice for a label. */
    public enum Choice {
        /** The site asks not to do it. */
        NO,
        /** The site permits it. */
        YES,
        /** The label has another value, which means nothing. */
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
         * Returns the vocabulary of the label.
         *
         * @return the vocabulary
         */
        public Vocabulary vocabulary() {
            return vocabulary;
        }

        /**
         * Returns the label.
         *
         * @return the label, such as {@code train-ai}; case-sensitive; that of a content-signal is in lower case
         */
        public String label() {
            return label;
        }

        /**
         * Returns the choice.
         *
         * @return the choice
         */
        public Choice choice() {
            return choice;
        }

        /**
         * Returns the line of the preference.
         *
         * @return the line, from 1; 0 for a header field
         */
        public long line() {
            return line;
        }

        /** Returns a text such as {@code train-ai: no (line 3)}. */
        @Override
        public String toString() {
            return label + ": " + choice.name().toLowerCase(Locale.ROOT) + (line == 0 ? "" : " (line " + line + ")");
        }
    }

    private final List<Preference> all;

    /** Copies the preferences and frees the handle. */
    Preferences(Handle held) {
        try {
            all = Row.all(Row.PREFERENCE, held.address, Preference::new);
        } finally {
            Reference.reachabilityFence(held);
            held.end();
        }
    }

    /**
     * Parses the {@code Content-Usage} header field of a response (SPEC 9.5).
     *
     * @param value the value of the field; several values are joined by {@code ", "}; a value that is not an RFC 9651 Dictionary
     *     yields no preference
     * @return the preferences
     */
    public static Preferences fromHeader(CharSequence value) {
        Library.require();
        return new Preferences(Handle.of(Native.preferencesFromHeader(Rules.utf8(value)), Native::preferencesFree));
    }

    /**
     * Returns all preferences, by vocabulary, then by label.
     *
     * @return an unmodifiable list
     */
    public List<Preference> all() {
        return all;
    }

    /**
     * Finds a preference.
     *
     * @param vocabulary the vocabulary of the label
     * @param label the label, such as {@code train-ai}
     * @return the preference; empty if the label is not listed
     */
    public Optional<Preference> find(Vocabulary vocabulary, String label) {
        return all.stream().filter(p -> p.vocabulary() == vocabulary && p.label().equals(label)).findFirst();
    }

    /** Returns all preferences as text. */
    @Override
    public String toString() {
        return all.toString();
    }
}
