import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** One case in its simple form, {@code fields:} (../../README.md): names and values in turn. */
final class Fields {
    private final List<Field> fields = new ArrayList<>();

    /** A name and its value, any bytes. */
    static final class Field {
        final String name;
        final byte[] value;

        Field(String name, byte[] value) {
            this.name = name;
            this.value = value;
        }

        String text() {
            return new String(value, StandardCharsets.UTF_8);
        }

        /** Returns the value as HTTP clients return a header: a character for each byte. */
        String latin1() {
            return new String(value, StandardCharsets.ISO_8859_1);
        }
    }

    private Fields(String line) {
        for (String field : line.split("\t")) {
            int equals = field.indexOf('=');
            fields.add(new Field(field.substring(0, equals), unescaped(field.substring(equals + 1))));
        }
    }

    static byte[] unescaped(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '%') {
                bytes.write(Integer.parseInt(text, i + 1, i + 3, 16));
                i += 2;
            } else {
                bytes.write(text.charAt(i));
            }
        }
        return bytes.toByteArray();
    }

    /** Returns the values of a name. */
    List<byte[]> all(String name) {
        List<byte[]> found = new ArrayList<>();
        for (Field field : fields) {
            if (field.name.equals(name)) {
                found.add(field.value);
            }
        }
        return found;
    }

    /** Returns the fields in order. */
    List<Field> fields() {
        return fields;
    }

    /** Passes each field of a name, and the value after it. */
    void pairs(String name, BiConsumer<Field, Field> use) {
        for (int i = 0; i + 1 < fields.size(); i++) {
            if (fields.get(i).name.equals(name)) {
                use.accept(fields.get(i), fields.get(i + 1));
            }
        }
    }

    /** Returns the first value of a name; empty if there is none. */
    byte[] bytes(String name) {
        List<byte[]> found = all(name);
        return found.isEmpty() ? new byte[0] : found.get(0);
    }

    String text(String name) {
        return new String(bytes(name), StandardCharsets.UTF_8);
    }

    /** Returns whether the first value of a name is UTF-8, so that a String can hold it. */
    boolean isText(String name) {
        return Arrays.equals(text(name).getBytes(StandardCharsets.UTF_8), bytes(name));
    }

    static String escaped(String text) {
        return escaped(text.getBytes(StandardCharsets.UTF_8));
    }

    static String escaped(byte[] bytes) {
        StringBuilder out = new StringBuilder(bytes.length);
        for (byte b : bytes) {
            if (b > ' ' && b < 127 && b != '%') {
                out.append((char) b);
            } else {
                out.append('%').append("0123456789ABCDEF".charAt(b >> 4 & 15)).append("0123456789ABCDEF".charAt(b & 15));
            }
        }
        return out.toString();
    }

    /** Answers cases until the input ends. What is thrown is an answer, too. */
    static void serve(String engine, Function<Fields, String> answer) throws IOException {
        PrintStream out = new PrintStream(System.out, true, "UTF-8");
        out.println("engine " + engine);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.ISO_8859_1), 1 << 20);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String said;
            try {
                said = answer.apply(new Fields(line));
            } catch (RuntimeException e) {
                said = "error " + String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
            }
            out.println(said);
        }
    }
}
