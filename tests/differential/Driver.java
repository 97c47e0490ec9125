import io.github.librobots.Crawler;
import io.github.librobots.Dialect;
import io.github.librobots.Rules;
import io.github.librobots.RulesImage;
import io.github.librobots.Verdict;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntToLongFunction;

/** The Java driver of the differential test; wire.rs documents its input and output. */
public final class Driver {
    private static final int WORD = 0, BATCH_VERDICT = 1, ALLOWED = 2;
    private static final long NONE = -1;
    /** ROBOTS_E_TOKEN, because a Java exception has no number. */
    private static final int TOKEN = 2;

    private static final InputStream IN = new BufferedInputStream(System.in, 1 << 16);
    private static final OutputStream OUT = new BufferedOutputStream(System.out, 1 << 16);

    private Driver() {}

    public static void main(String[] args) throws IOException {
        while (true) {
            IN.mark(1);
            if (IN.read() < 0) {
                return;
            }
            IN.reset();
            respond();
            OUT.flush();
        }
    }

    private static byte[] bytes(int length) throws IOException {
        byte[] bytes = IN.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the request ends early");
        }
        return bytes;
    }

    private static int number() throws IOException {
        return ByteBuffer.wrap(bytes(4)).order(ByteOrder.LITTLE_ENDIAN).getInt();
    }

    private static byte[][] list() throws IOException {
        byte[][] list = new byte[number()][];
        for (int i = 0; i < list.length; i++) {
            list[i] = bytes(number());
        }
        return list;
    }

    private static void writeNumber(int number) throws IOException {
        OUT.write(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array());
    }

    private static void writeWord(long word) throws IOException {
        OUT.write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(word).array());
    }

    private static void write(byte[] text) throws IOException {
        writeNumber(text.length);
        OUT.write(text);
    }

    private static void writeWay(String name, int kind, int urls, IntToLongFunction ask) throws IOException {
        write(name.getBytes(StandardCharsets.UTF_8));
        writeNumber(kind);
        for (int i = 0; i < urls; i++) {
            writeWord(ask.applyAsLong(i));
        }
    }

    /** Sets an option by the method of the builder that has its name. */
    private static void set(Crawler.Builder builder, String name, long value) {
        String[] words = name.split("_");
        StringBuilder wanted = new StringBuilder(words[0]);
        for (int i = 1; i < words.length; i++) {
            wanted.append(words[i].substring(0, 1).toUpperCase(Locale.ROOT)).append(words[i].substring(1));
        }
        for (Method method : Crawler.Builder.class.getMethods()) {
            if (method.getName().contentEquals(wanted) && method.getParameterCount() == 1) {
                Class<?> type = method.getParameterTypes()[0];
                Object argument = type == boolean.class ? (Object) (value != 0)
                        : type == Dialect.class ? Dialect.values()[(int) value] : (Object) (int) value;
                try {
                    method.invoke(builder, argument);
                    return;
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException("Crawler.Builder." + wanted, e);
                }
            }
        }
        throw new IllegalStateException("Crawler.Builder lacks " + wanted + ": run `make api`");
    }

    private static Crawler crawler(Map<String, Long> options, byte[][] tokens) {
        if (tokens.length == 0) {
            throw new IllegalArgumentException("no token");
        }
        String first = new String(tokens[0], StandardCharsets.UTF_8);
        boolean isWithoutToken = tokens.length == 1 && first.equals("*");
        Crawler.Builder builder = isWithoutToken ? Crawler.builder() : Crawler.builder(first);
        options.forEach((name, value) -> set(builder, name, value));
        for (int i = 1; i < tokens.length; i++) {
            builder.fallback(new String(tokens[i], StandardCharsets.UTF_8));
        }
        return builder.build();
    }

    private static void respond() throws IOException {
        Map<String, Long> options = new LinkedHashMap<>();
        for (int left = number(); left > 0; left--) {
            String name = new String(bytes(number()), StandardCharsets.UTF_8);
            options.put(name, ByteBuffer.wrap(bytes(8)).order(ByteOrder.LITTLE_ENDIAN).getLong());
        }
        byte[][] tokens = list();
        byte[] body = bytes(number());
        byte[][] urls = list();
        Crawler crawler;
        try {
            crawler = crawler(options, tokens);
        } catch (IllegalArgumentException e) {
            writeNumber(TOKEN);
            return;
        }
        writeNumber(0);
        Rules rules = crawler.parse(body);
        crawler.close();
        writeWord(rules.crawlDelay().isPresent() ? Double.doubleToRawLongBits(rules.crawlDelay().getAsDouble()) : NONE);
        writeNumber(rules.sitemaps().size());
        for (String sitemap : rules.sitemaps()) {
            write(sitemap.getBytes(StandardCharsets.UTF_8));
        }
        write(rules.image());
        ask(rules, urls);
        rules.close();
    }

    private static void ask(Rules rules, byte[][] urls) throws IOException {
        Rules again = Rules.fromImage(rules.image());
        String[] strings = new String[urls.length];
        List<String> texts = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        byte[] text = new byte[Arrays.stream(urls).mapToInt(url -> url.length).sum()];
        int[] offsets = new int[urls.length + 1];
        for (int i = 0; i < urls.length; i++) {
            System.arraycopy(urls[i], 0, text, offsets[i], urls[i].length);
            offsets[i + 1] = offsets[i] + urls[i].length;
            String string = new String(urls[i], StandardCharsets.UTF_8);
            if (Arrays.equals(string.getBytes(StandardCharsets.UTF_8), urls[i])) {
                strings[i] = string;
                places.add(i);
                texts.add(string);
            }
        }
        byte[] verdicts = new byte[urls.length];
        rules.checkAll(text, offsets, verdicts);
        BitSet allowed = rules.checkAll(urls);
        BitSet ofTexts = rules.checkAll(texts), ofStrings = new BitSet();
        ofTexts.stream().forEach(i -> ofStrings.set(places.get(i)));

        writeNumber(11);
        writeWay("Rules.check(byte[])", WORD, urls.length, i -> word(rules.check(urls[i])));
        writeWay("Rules.check(byte[]), from an image", WORD, urls.length, i -> word(again.check(urls[i])));
        byte[] image = rules.image();
        writeWay("RulesImage.check", WORD, urls.length, i -> word(RulesImage.check(image, 0, image.length, urls[i], 0, urls[i].length)));
        writeWay("Rules.check(byte[], int, int)", WORD, urls.length, i -> word(rules.check(text, offsets[i], urls[i].length)));
        writeWay("Rules.check(ByteBuffer)", WORD, urls.length, i -> word(rules.check(direct(urls[i]))));
        writeWay("Rules.check(String)", WORD, urls.length, i -> strings[i] == null ? NONE : word(rules.check(strings[i])));
        writeWay("Rules.isAllowed(byte[])", ALLOWED, urls.length, i -> bit(rules.isAllowed(urls[i])));
        writeWay("Rules.isAllowed(String)", ALLOWED, urls.length,
                i -> strings[i] == null ? NONE : bit(rules.isAllowed(strings[i])));
        writeWay("Rules.checkAll(byte[], int[], byte[])", BATCH_VERDICT, urls.length, i -> verdicts[i]);
        writeWay("Rules.checkAll(byte[][])", ALLOWED, urls.length, i -> bit(allowed.get(i)));
        writeWay("Rules.checkAll(List of String)", ALLOWED, urls.length,
                i -> strings[i] == null ? NONE : bit(ofStrings.get(i)));
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    /** Returns the word of a verdict. */
    private static long word(Verdict verdict) {
        return bit(verdict.allowed()) | (long) verdict.reason().ordinal() << 8 | (long) verdict.status().ordinal() << 16
                | verdict.line() << 32;
    }

    private static long bit(boolean is) {
        return is ? 1 : 0;
    }
}
