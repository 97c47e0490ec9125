package io.github.librobots.spark;

import io.github.librobots.Crawler;
import io.github.librobots.Dialect;
import io.github.librobots.FetchOption;
import io.github.librobots.Outcome;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.unsafe.types.UTF8String;

/** The crawlers of this JVM, by agent and options. At most {@link #MOST} are kept. */
final class Crawlers {
    /** More than any query has; a query with an agent per row does not fill the memory. */
    static final int MOST = 256;

    private static final Map<Key, Crawler> CRAWLERS = new ConcurrentHashMap<>();

    private Crawlers() {}

    /** Returns the number of crawlers that are kept. */
    static int count() {
        return CRAWLERS.size();
    }

    /**
     * Returns a crawler.
     *
     * @param agent product tokens, separated by commas; {@code *} for a crawler without one
     * @param options the options, or null
     * @throws IllegalArgumentException for an agent or options that are not valid
     */
    static Crawler get(UTF8String agent, UTF8String options) {
        Crawler found = CRAWLERS.get(new Key(agent, options));
        if (found != null) {
            return found;
        }
        Crawler made = make(agent.toString(), options == null ? "" : options.toString());
        if (CRAWLERS.size() >= MOST) {
            CRAWLERS.clear(); // the garbage collector frees those that are not in use
        }
        // Spark reuses the memory of its texts.
        CRAWLERS.put(new Key(agent.copy(), options == null ? null : options.copy()), made);
        return made;
    }

    /** Makes a crawler from product tokens and options, such as {@code dialect=google, max_bytes=1000000}. */
    static Crawler make(String agent, String options) {
        String[] tokens = agent.trim().equals("*") ? new String[0] : agent.trim().split("\\s*,\\s*");
        Crawler.Builder builder = Crawler.builder();
        boolean isPreset = false;
        for (String option : options.split("[,;]")) {
            if (option.isBlank()) {
                continue;
            }
            String[] pair = option.split("=", 2);
            String name = pair[0].trim().toLowerCase(Locale.ROOT);
            String value = pair.length == 2 ? pair[1].trim() : "true";
            if (name.equals("preset")) {
                isPreset = isTrue(name, value);
            } else {
                set(builder, name, value);
            }
        }
        if (isPreset) {
            if (options.split("[,;]").length > 1) {
                throw new IllegalArgumentException("the option preset stands alone, not as in '" + options + "'");
            }
            return Crawler.preset(agent.trim());
        }
        for (String token : tokens) {
            builder.fallback(token);
        }
        return builder.build();
    }

    private static void set(Crawler.Builder builder, String name, String value) {
        switch (name) {
            case "dialect":
                builder.dialect(pick(Dialect.class, name, value));
                break;
            case "max_bytes":
                builder.maxBytes(Options.maxBytes("the option " + name, value));
                break;
            case "ignore_star":
                builder.ignoreStar(isTrue(name, value));
                break;
            case "merge_tokens":
                builder.mergeTokens(isTrue(name, value));
                break;
            case "crawl_delay_ends_agents":
                builder.crawlDelayEndsAgents(isTrue(name, value));
                break;
            default:
                FetchOption option = pick(FetchOption.class, "option", name);
                if (name.startsWith("on_")) {
                    builder.fetch(option, pick(Outcome.Kind.class, name, value));
                } else {
                    builder.fetch(option, number(name, value));
                }
        }
    }

    private static boolean isTrue(String name, String value) {
        if (value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")) {
            return value.equalsIgnoreCase("true");
        }
        throw new IllegalArgumentException("the option " + name + " is true or false, not '" + value + "'");
    }

    private static long number(String name, String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the option " + name + " is a number, not '" + value + "'", e);
        }
    }

    private static <E extends Enum<E>> E pick(Class<E> type, String name, String value) {
        try {
            return Enum.valueOf(type, value.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            String all = Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT);
            throw new IllegalArgumentException("the " + name + " '" + value + "' is not known; known are " + all, e);
        }
    }

    /** An agent and its options. */
    private static final class Key {
        private final UTF8String agent;
        private final UTF8String options;

        Key(UTF8String agent, UTF8String options) {
            this.agent = agent;
            this.options = options;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key && ((Key) other).agent.equals(agent) && Objects.equals(((Key) other).options, options);
        }

        @Override
        public int hashCode() {
            return 31 * agent.hashCode() + Objects.hashCode(options);
        }
    }
}
