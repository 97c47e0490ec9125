package io.github.librobots;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * What one response says to a crawler, in headers and {@code <meta>} elements: what the crawler may do with the page (SPEC 9.6), and
 * for {@link Uses} what the page may be used for. Of several rules the most restrictive one decides. Any number of threads may use it at
 * once.
 *
 * <pre>{@code
 * PageControls page = PageControls.of(crawler, headers);
 * page.addMeta("robots", "nofollow");
 * boolean index = page.mayIndex();
 * boolean follow = page.mayFollow();
 * }</pre>
 */
public final class PageControls {
    /** One thing that a page can restrict. Its value 0 is the most restrictive one. */
    public enum Control {
        /** 0: {@code noindex}, {@code none}. */
        INDEX,
        /** 0: {@code nofollow}, {@code none}. */
        FOLLOW,
        /** 0: {@code noarchive}, {@code nocache}. */
        ARCHIVE,
        /** 0: {@code nosnippet}, {@code max-snippet: 0}. */
        SNIPPET,
        /** 0: {@code notranslate}. */
        TRANSLATE,
        /** 0: {@code noimageindex}. */
        IMAGE_INDEX,
        /** 0: {@code noindex} without {@code indexifembedded}. */
        INDEX_IF_EMBEDDED,
        /** In characters; -1: no limit. */
        MAX_SNIPPET,
        /** 0: none, 1: standard, 2: large, -1: not limited. */
        MAX_IMAGE_PREVIEW,
        /** In seconds; 0: a still image, -1: no limit. */
        MAX_VIDEO_PREVIEW,
        /** In seconds since 1970-01-01 UTC; -1: no such time. */
        UNAVAILABLE_AFTER
    }

    /** Where a rule of a page is. */
    public enum Source {
        /** No rule decides. */
        NONE,
        /** The header {@code X-Robots-Tag}. */
        X_ROBOTS_TAG,
        /** The header {@code Robots-Tag} of the draft. */
        ROBOTS_TAG,
        /** A {@code <meta>} element. */
        META,
        /** A source that this version does not know. */
        OTHER
    }

    /** What a date says about its time zone. */
    public enum Zone {
        /** The zone is known, or the rule has no date. */
        KNOWN,
        /** The date names no zone; it is read as UTC. */
        MISSING,
        /** The date names an unknown zone; it is read as UTC. */
        UNKNOWN
    }

    private static final Source[] SOURCES = Source.values();
    private static final Zone[] ZONES = Zone.values();

    /** One rule of a page. Immutable. */
    public static final class Rule {
        private final String text;
        private final String agent;
        private final long value;
        private final Source source;
        private final int number;
        private final Zone zone;

        private Rule(Row row) {
            source = Row.pick(SOURCES, row.number(5), Source.OTHER);
            text = source == Source.META ? row.text(0) : row.header(0);
            agent = row.text(2);
            value = row.number(4);
            number = row.small(6);
            zone = Row.pick(ZONES, row.number(7), Zone.UNKNOWN);
        }

        /**
         * Returns the rule as it is written.
         *
         * @return the rule, at most 256 bytes; empty if no rule decides
         */
        public String text() {
            return text;
        }

        /**
         * Returns the product token that the rule names.
         *
         * @return the token; empty if the rule is for every crawler
         */
        public String agent() {
            return agent;
        }

        /**
         * Returns the value of the control.
         *
         * @return the value; 0 for an unknown rule
         */
        public long value() {
            return value;
        }

        /**
         * Returns where the rule is.
         *
         * @return the source; {@link Source#NONE} if no rule decides
         */
        public Source source() {
            return source;
        }

        /**
         * Returns which header or element of its source has the rule.
         *
         * @return the number, from 1; 0 if no rule decides
         */
        public int number() {
            return number;
        }

        /**
         * Returns what a date says about its time zone.
         *
         * @return the zone
         */
        public Zone zone() {
            return zone;
        }

        /** Returns text, source and number, such as {@code noindex (x-robots-tag 1)}. */
        @Override
        public String toString() {
            return source == Source.NONE ? "no rule" : text + " (" + source.name().toLowerCase(Locale.ROOT).replace('_', '-') + " " + number + ")";
        }
    }

    /** About how many bytes of native memory one takes. */
    private static final long SIZE = 1024;

    private final Owned page;

    private PageControls(Handle handle) {
        page = new Owned("PageControls", handle);
    }

    /**
     * Reads the headers of a response.
     *
     * @param crawler the crawler that the rules are read for
     * @param headers the headers by name, in any case of letters, such as {@code HttpHeaders.map()} of {@code java.net.http} or
     *     {@code getHeaderFields()} of a {@code URLConnection}; values have one character per byte
     * @return the controls
     * @throws IllegalStateException if the crawler is closed
     */
    public static PageControls of(Crawler crawler, Map<String, List<String>> headers) {
        Objects.requireNonNull(crawler, "crawler");
        Objects.requireNonNull(headers, "headers");
        PageControls controls = crawler.with(c -> new PageControls(Handle.of(Native.pageNew(c), Native::pageFree, SIZE)));
        headers.forEach((name, values) -> {
            if (name != null) {
                values.forEach(value -> controls.add(false, name, value, StandardCharsets.ISO_8859_1));
            }
        });
        return controls;
    }

    /**
     * Adds a {@code <meta>} element of the page. It has an effect if its name is {@code robots} or a product token of the crawler, and for
     * {@link Uses} {@code tdm-reservation} or {@code tdm-policy}.
     *
     * @param name the attribute {@code name}
     * @param content the attribute {@code content}
     * @return this
     * @throws IllegalStateException if this is closed
     */
    public PageControls addMeta(CharSequence name, CharSequence content) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(content, "content");
        add(true, name, content, StandardCharsets.UTF_8);
        return this;
    }

    /** Calls with the address of the native object. Its texts stay valid until the call ends. */
    <T> T with(LongFunction<T> call) {
        return page.with(call);
    }

    private void add(boolean isMeta, CharSequence name, CharSequence value, Charset charset) {
        byte[] nameBytes = Rules.utf8(name);
        byte[] valueBytes = value.toString().getBytes(charset);
        page.demand(address -> Native.pageAdd(address, isMeta, nameBytes, valueBytes));
    }

    /**
     * Returns the value of a control.
     *
     * @param control the control
     * @return its value
     * @throws IllegalStateException if this is closed
     */
    public long value(Control control) {
        return page.with(address -> new Row(Row.PAGE_CONTROL, address, control.ordinal()).number(4));
    }

    /**
     * Returns whether the page may be indexed.
     *
     * @return true if it may
     * @throws IllegalStateException if this is closed
     */
    public boolean mayIndex() {
        return value(Control.INDEX) != 0;
    }

    /**
     * Returns whether links of the page may be followed.
     *
     * @return true if they may
     * @throws IllegalStateException if this is closed
     */
    public boolean mayFollow() {
        return value(Control.FOLLOW) != 0;
    }

    /**
     * Returns the time after which the page is not to be shown.
     *
     * @return the time; empty if there is none
     * @throws IllegalStateException if this is closed
     */
    public Optional<Instant> unavailableAfter() {
        long seconds = value(Control.UNAVAILABLE_AFTER);
        return seconds < 0 ? Optional.empty() : Optional.of(Instant.ofEpochSecond(seconds));
    }

    /**
     * Returns the rule that decides a control.
     *
     * @param control the control
     * @return the rule; its source is {@link Source#NONE} if no rule decides
     * @throws IllegalStateException if this is closed
     */
    public Rule decidedBy(Control control) {
        return page.with(address -> new Rule(new Row(Row.PAGE_CONTROL, address, control.ordinal())));
    }

    /**
     * Returns the rules for the crawler that are unknown or have an invalid value.
     *
     * @return an unmodifiable list of at most 64 rules
     * @throws IllegalStateException if this is closed
     */
    public List<Rule> unknown() {
        return page.with(address -> Row.all(Row.PAGE_UNKNOWN, address, Rule::new));
    }

    /**
     * Frees the memory at once; without it the garbage collector does, later. After it calls throw {@link IllegalStateException}. Does
     * nothing the second time.
     */
    public void close() {
        page.close();
    }

    /** Returns what decides indexing and following. Never throws. */
    @Override
    public String toString() {
        try {
            return "index " + value(Control.INDEX) + ": " + decidedBy(Control.INDEX) + ", follow " + value(Control.FOLLOW) + ": "
                    + decidedBy(Control.FOLLOW);
        } catch (IllegalStateException e) {
            return "PageControls[closed]";
        }
    }
}
