package io.github.librobots;

import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a site says about the use of its pages, to one crawler (SPEC 13): its robots.txt and its tdmrep.json. Immutable; any number of
 * threads may ask it at once. It need not be closed.
 *
 * <pre>{@code
 * Uses uses = crawler.uses("https://example.com/", body);
 * PageControls page = PageControls.of(crawler, headers);
 * Uses.Answer answer = uses.useFor("https://example.com/tea", Uses.Purpose.TRAINING, page);
 * boolean train = answer.allowed();
 * }</pre>
 */
public final class Uses {
    /** The purpose of a use (SPEC 13.2). */
    public enum Purpose {
        /** An index of a search engine. */
        SEARCH,
        /** An index for a model that writes answers. */
        AI_SEARCH,
        /** Training data of models. */
        TRAINING,
        /** A user's request to read, summarize or show a page. */
        USER_REQUEST,
        /** Advertisements and shops. */
        COMMERCE,
        /** Archives of the web. */
        ARCHIVE,
        /** Data about sites and their links, for tools of search engine optimization. */
        SEO,
        /** Tests, research and all else. */
        OTHER
    }

    /** Whether a page may be used for a purpose (SPEC 13.1), the most restrictive first. */
    public enum Use {
        /** Somebody says no. */
        DENIED,
        /** Nobody says no, and there are terms at an address. */
        LICENSED,
        /** Somebody says yes, and nobody says less. */
        ALLOWED,
        /** Nobody says anything, or what was not read may say less. This restricts nothing and permits nothing. */
        UNSTATED
    }

    /** Where a signal about a use is (SPEC 13.2). */
    public enum Source {
        /** Not known: the robots.txt was not read, or a part of the page was not kept. */
        NOT_READ,
        /** A rule of the robots.txt forbids the fetch. */
        RULE,
        /** A rule in the group of a policy token or a control token. */
        TOKEN_RULE,
        /** A {@code Content-Usage} line. */
        CONTENT_USAGE_LINE,
        /** A {@code Content-Signal} line. */
        CONTENT_SIGNAL_LINE,
        /** A {@code License} line. */
        LICENSE_LINE,
        /** The header {@code Content-Usage}. */
        CONTENT_USAGE_HEADER,
        /** The header {@code Content-Signal}. */
        CONTENT_SIGNAL_HEADER,
        /** The header {@code Link} with the relation {@code license}. */
        LINK_HEADER,
        /** A rule of {@code X-Robots-Tag}, {@code Robots-Tag} or a {@code <meta>} element. */
        PAGE_RULE,
        /** The headers {@code tdm-reservation} and {@code tdm-policy}. */
        TDM_HEADER,
        /** The {@code <meta>} elements of these names. */
        TDM_META,
        /** The file {@code /.well-known/tdmrep.json}. */
        TDM_FILE,
        /** A source that this version does not know. */
        OTHER
    }

    private static final Use[] USES = Use.values();
    private static final Source[] SOURCES = Source.values();

    /** What one statement says about a URL and a purpose. Immutable. */
    public static final class Signal {
        private final Source source;
        private final Use says;
        private final long line;
        private final String text;
        private final String token;

        private Signal(Row row) {
            line = row.number(4);
            source = Row.pick(SOURCES, row.number(5) - 1, Source.OTHER);
            says = Row.pick(USES, row.number(6), Use.DENIED);
            text = source.name().endsWith("_HEADER") ? row.header(0) : row.text(0);
            token = row.text(2);
        }

        /**
         * Returns where the signal is.
         *
         * @return the source
         */
        public Source source() {
            return source;
        }

        /**
         * Returns what the signal says.
         *
         * @return the use; {@link Use#UNSTATED} for an unknown label or value, and for what was not read
         */
        public Use says() {
            return says;
        }

        /**
         * Returns the line of the signal.
         *
         * @return the line of the robots.txt, from 1; 0 for another source
         */
        public long line() {
            return line;
        }

        /**
         * Returns the text of the signal.
         *
         * @return the text as it is written, such as {@code ai-train=no}; the address of the terms if the signal says
         *     {@link Use#LICENSED}, which a {@code Link} header may give relative to the page
         */
        public String text() {
            return text;
        }

        /**
         * Returns the token of a {@link Source#TOKEN_RULE}.
         *
         * @return the policy token or control token, such as {@code Google-Extended}; empty for another source
         */
        public String token() {
            return token;
        }

        /** Returns a text such as {@code denied: ai-train=no (content_signal_line 2)}. */
        @Override
        public String toString() {
            return (says + ": " + text + " (" + source).toLowerCase(Locale.ROOT) + (line == 0 ? ")" : " " + line + ")");
        }
    }

    /** Whether a page may be used for a purpose, and who says so. Immutable. */
    public static final class Answer {
        private final Use says;
        private final boolean isDecided;
        private final List<Signal> signals;

        private Answer(Use says, boolean isDecided, List<Signal> signals) {
            this.says = says;
            this.isDecided = isDecided;
            this.signals = List.copyOf(signals);
        }

        /**
         * Returns the answer.
         *
         * @return the most restrictive use that a signal says (SPEC 13.1)
         */
        public Use says() {
            return says;
        }

        /**
         * Returns whether the answer is {@link Use#ALLOWED}.
         *
         * @return true if it is
         */
        public boolean allowed() {
            return says == Use.ALLOWED;
        }

        /**
         * Returns the signal that decides.
         *
         * @return the first signal; empty if nothing is stated, and nothing was left unread
         */
        public Optional<Signal> decidedBy() {
            return isDecided ? Optional.of(signals.get(0)) : Optional.empty();
        }

        /**
         * Returns the address of the terms.
         *
         * @return the address; empty unless the answer is {@link Use#LICENSED}
         */
        public Optional<String> terms() {
            return says == Use.LICENSED ? decidedBy().map(Signal::text) : Optional.empty();
        }

        /**
         * Returns all signals that speak of the purpose.
         *
         * @return an unmodifiable list: the deciding one first, unknown labels last
         */
        public List<Signal> signals() {
            return signals;
        }

        /** Returns the answer and the signal that decides. */
        @Override
        public String toString() {
            return decidedBy().map(Signal::toString).orElse("unstated");
        }
    }

    /** Cells before those of the signals, cells of a signal, and signals of almost every page. */
    private static final int HEAD = 3, CELLS = 7, SIGNALS = 16;

    /** The length of almost every receipt. */
    private static final int ROOM = 2048;

    private final Handle handle;

    Uses(Handle handle) {
        this.handle = handle;
    }

    /**
     * Returns whether a page may be used for a purpose, and each statement about it. A crawler decides what an unstated use means. An
     * exception means that the page must not be used.
     *
     * @param url the URL of the page, as for {@link Rules#check(CharSequence)}, of this site
     * @param purpose the purpose
     * @param page what the response said to the same crawler; null if it is not known: then the answer is never {@link Use#ALLOWED}
     * @return the answer
     * @throws IllegalArgumentException if the text is no URL of the site
     * @throws IllegalStateException if the page is closed
     */
    public Answer useFor(CharSequence url, Purpose purpose, @Nullable PageControls page) {
        byte[] bytes = Rules.utf8(url);
        Objects.requireNonNull(purpose, "purpose");
        return with(page, address -> {
            long[] out = new long[HEAD + SIGNALS * CELLS];
            Status.demandOk(Native.useFor(handle.address, bytes, purpose.ordinal(), address, out));
            int count = Math.toIntExact(out[2]);
            if (count > SIGNALS) {
                out = new long[HEAD + count * CELLS];
                Status.demandOk(Native.useFor(handle.address, bytes, purpose.ordinal(), address, out));
            }
            List<Signal> signals = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                signals.add(new Signal(new Row(out, HEAD + i * CELLS)));
            }
            return new Answer(Row.pick(USES, out[0], Use.DENIED), out[1] != 0, signals);
        });
    }

    /**
     * Returns the receipt of an answer (SPEC 13.7): one line of JSON, without a line end. The command {@code robots replay} decides
     * receipts again. Keep the robots.txt by its SHA-256, which the receipt has; an empty file for a 404.
     *
     * @param url the URL, as for {@link #useFor}, but absolute
     * @param purpose the purpose
     * @param page the page, as for {@link #useFor}
     * @param fetchedAt when the page was fetched
     * @return the receipt
     * @throws IllegalArgumentException if the URL is not absolute or not of the site, or the time is before March 1973 or after the
     *     year 9999
     * @throws IllegalStateException if the page is closed
     */
    public String receipt(CharSequence url, Purpose purpose, @Nullable PageControls page, Instant fetchedAt) {
        byte[] bytes = Rules.utf8(url);
        Objects.requireNonNull(purpose, "purpose");
        long millis = Outcome.time(fetchedAt);
        return with(page, address -> {
            byte[] to = new byte[ROOM];
            int length = Native.useReceipt(handle.address, bytes, purpose.ordinal(), address, millis, to);
            if (length > ROOM) {
                to = new byte[length];
                length = Native.useReceipt(handle.address, bytes, purpose.ordinal(), address, millis, to);
            }
            Status.handle(length);
            return new String(Arrays.copyOf(to, length), StandardCharsets.UTF_8);
        });
    }

    /** Calls with the address of the page, 0 if it is not known. */
    private <T> T with(@Nullable PageControls page, LongFunction<T> call) {
        try {
            return page == null ? call.apply(0) : page.with(call);
        } finally {
            Reference.reachabilityFence(handle);
        }
    }
}
