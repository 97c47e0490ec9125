package io.github.librobots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Java serialization and Kryo, from one JVM to another. */
class SerializationTest {
    private static final String BODY = "User-agent: ExampleBot\nDisallow: /private\nCrawl-delay: 2\nSitemap: https://example.com/s.xml\n";
    private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);

    @TempDir
    Path folder;

    private static List<Object> objects() {
        Crawler crawler = Crawler.builder("ExampleBot").fallback("Other").dialect(Dialect.GOOGLE).maxBytes(600_000).build();
        List<Object> objects = new ArrayList<>();
        objects.add(crawler);
        objects.add(Crawler.preset("Googlebot-Image"));
        objects.add(crawler.parse(BODY));
        objects.add(crawler.parse(BODY).check("/private"));
        objects.add(Origin.of("https://www.exämple.com:444/x"));
        objects.add(crawler.outcomeOf("https://example.com/", 200, BODY.getBytes(StandardCharsets.UTF_8), NOW));
        objects.add(crawler.outcomeOf("https://example.com/", 404, new byte[0], NOW));
        objects.add(Crawler.builder().namesIn("Other! Bot").build());
        return objects;
    }

    /** Uses each object, and returns the results as text. */
    private static String use(List<Object> objects) {
        StringBuilder text = new StringBuilder();
        for (Object object : objects) {
            text.append(object.getClass().getSimpleName()).append(' ').append(object).append(' ');
            if (object instanceof Crawler) {
                text.append(((Crawler) object).parse("User-agent: Other\nDisallow: /a\n\nUser-agent: Googlebot\nDisallow: /b\n").check("/a"));
            } else if (object instanceof Rules) {
                text.append(((Rules) object).check("/private")).append(((Rules) object).sitemaps()).append(object.hashCode());
            } else if (object instanceof Origin) {
                text.append(((Origin) object).robotsUrl());
            } else if (object instanceof Outcome) {
                Outcome outcome = (Outcome) object;
                text.append(outcome.check("/private", NOW)).append(outcome.freshUntil()).append(outcome.rules().crawlDelay())
                        .append(outcome.encode().length);
            }
            text.append('\n');
        }
        return text.toString();
    }

    private static Kryo kryo() {
        Kryo kryo = new Kryo();
        kryo.setRegistrationRequired(false);
        return kryo;
    }

    /** The program of the other JVM: reads the objects of two files, writes one of them anew, and prints what they do. */
    public static final class Reader {
        private Reader() {}

        public static void main(String[] args) throws Exception {
            try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(Paths.get(args[0])))) {
                System.out.print(use(list(in.readObject())));
            }
            List<Object> objects;
            try (Input in = new Input(Files.newInputStream(Paths.get(args[1])))) {
                objects = list(kryo().readClassAndObject(in));
            }
            byte[] again = kryoBytes(objects); // before the first use
            System.out.print(use(objects));
            System.out.print(use(list(kryo().readClassAndObject(new Input(again)))));
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(Object read) {
        return (List<Object>) read;
    }

    private static byte[] kryoBytes(Object object) {
        Output out = new Output(1024, -1);
        kryo().writeClassAndObject(out, object);
        return out.toBytes();
    }

    @Test
    void twoJvms() throws Exception {
        List<Object> objects = objects();
        String wanted = use(objects);
        Path java = folder.resolve("java"), kryo = folder.resolve("kryo");
        try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(java))) {
            out.writeObject(objects);
        }
        Files.write(kryo, kryoBytes(objects));
        String output = Jvm.run("-Xcheck:jni -Dfile.encoding=UTF-8 -Dstdout.encoding=UTF-8", Reader.class, java.toString(), kryo.toString());
        assertEquals(wanted + wanted + wanted + "status 0\n", output);
    }

    private static byte[] write(Object object) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
            objects.writeObject(object);
        }
        return out.toByteArray();
    }

    private static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
        return new ObjectInputStream(new ByteArrayInputStream(bytes)).readObject();
    }

    private static int find(byte[] all, String part) {
        return new String(all, StandardCharsets.ISO_8859_1).indexOf(part);
    }

    @Test
    void closedRules() {
        Rules rules = Rules.allowAll();
        rules.close();
        assertThrows(RuntimeException.class, () -> kryoBytes(rules));
        assertThrows(IllegalStateException.class, () -> write(rules));
    }

    @Test
    void damagedStreams() throws Exception {
        Rules whole = Crawler.of("ExampleBot").parse(BODY);
        String image = new String(whole.image(), StandardCharsets.ISO_8859_1), number = "\0\0\0\36\0\0\0\0\0\0\0\3";
        Crawler option = Crawler.builder("ExampleBot").fetch(FetchOption.ON_BAD_REDIRECT, Outcome.Kind.DEFER).build();
        refused(Crawler.of("ExampleBot"), "ExampleBot", 0, 'E' ^ '/');
        refused(objects().get(5), "example.com", 0, 1);
        refused(whole, image, 50, 1);
        for (int place : new int[] {0, 3, 11}) {
            refused(option, number, place, 0x40);
        }
        byte[] rules = kryoBytes(whole);
        rules[find(rules, image) + image.length() / 2] ^= 1;
        Rules damaged = (Rules) kryo().readClassAndObject(new Input(rules));
        assertThrows(IllegalArgumentException.class, () -> damaged.isAllowed("/"));
        assertTrue(damaged.toString().startsWith("Rules["));
    }

    /** Damages the byte at {@code place} of {@code part} in the stream of an object. */
    private static void refused(Object object, String part, int place, int bits) throws IOException {
        byte[] written = write(object);
        written[find(written, part) + place] ^= (byte) bits;
        assertThrows(InvalidObjectException.class, () -> read(written), part);
    }

    @Test
    void textsNeverThrow() {
        RobotsCache cache = RobotsCache.of(Crawler.of("ExampleBot"));
        assertEquals("RobotsCache[0 sites, 0 bytes]", cache.toString().replaceAll("[0-9]+ bytes", "0 bytes"));
        Ticket ticket = cache.check("https://example.com/").ticket().orElseThrow();
        assertEquals("Ticket[https://example.com]", ticket.toString());
        Fetch fetch = ticket.fetch();
        assertEquals("Fetch[GET https://example.com/robots.txt]", fetch.toString());
        fetch.close();
        ticket.close();
        cache.close();
        assertEquals("Fetch[closed] Ticket[closed] RobotsCache[closed]", fetch + " " + ticket + " " + cache);
        assertTrue(RobotsCache.builder(Crawler.of("ExampleBot")).toString().contains("maxBytes=67108864"));
    }
}
