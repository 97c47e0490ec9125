package io.github.librobots;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Makes native crawlers. */
final class CrawlerFactory {
    private CrawlerFactory() {}

    /**
     * Makes the native crawler of some settings.
     *
     * @param preset the name of the preset, or null
     * @param tokens the product tokens, in order of preference
     * @param texts texts with further names
     * @param options pairs of number and value
     * @param name what an error names
     */
    static Handle make(@Nullable String preset, String[] tokens, String[] texts, long[] options, Object name) {
        Library.require();
        if (preset != null) {
            long made = Native.crawlerPreset(Rules.utf8(preset));
            if (made == -Status.TOKEN.ordinal()) {
                throw new IllegalArgumentException(
                        "no preset has the name '" + preset + "': `robots crawlers` lists them; or create the crawler with its product token");
            }
            return Handle.of(made, Native::crawlerFree);
        }
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        int[] ends = new int[tokens.length];
        for (int i = 0; i < ends.length; i++) {
            text.writeBytes(tokens[i].getBytes(StandardCharsets.UTF_8));
            ends[i] = text.size();
        }
        try {
            long made = Native.crawlerNew(text.toByteArray(), ends, options);
            Handle crawler = Handle.of(made, Native::crawlerFree);
            for (String names : texts) {
                Status.demandOk(Native.crawlerAddNamesIn(made, Rules.utf8(names)));
            }
            return crawler;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + ": " + fault(tokens, e.getMessage()), e);
        }
    }

    /** Returns what is wrong with a header among the tokens; {@code other} if there is none. */
    private static @Nullable String fault(String[] tokens, @Nullable String other) {
        for (String token : tokens) {
            String found = tokenIn(token);
            if (found != null && !found.equals(token)) {
                return "'" + token + "' is a User-Agent header: pass its product token, '" + found + "'";
            }
        }
        return other;
    }

    /** Returns the product token in a {@code User-Agent} header, or null. */
    static @Nullable String tokenIn(String header) {
        Library.require();
        byte[] bytes = Rules.utf8(header);
        long found = Native.tokenFromUserAgent(bytes);
        if (found == -Status.TOKEN.ordinal()) {
            return null;
        }
        Status.handle(found);
        return new String(bytes, (int) (found >>> 32), (int) found, StandardCharsets.US_ASCII);
    }
}
