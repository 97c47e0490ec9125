package io.github.librobots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.io.ObjectStreamClass;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The metadata for GraalVM's native-image: what it names exists, and what needs to be named is. */
class NativeImageTest {
    private static final Path CLASSES = Paths.get("target", "classes");
    private static final Pattern NAME = Pattern.compile("\"name\": *\"([^\"]+)\"");

    private static String read(String file) throws Exception {
        String path = "/META-INF/native-image/io.github.librobots/librobots/" + file;
        try (InputStream in = Library.class.getResourceAsStream(path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static List<String> names(String text) {
        List<String> names = new ArrayList<>();
        for (Matcher matcher = NAME.matcher(text); matcher.find();) {
            names.add(matcher.group(1));
        }
        return names;
    }

    private static List<String> files(String end) throws Exception {
        try (Stream<Path> files = Files.walk(CLASSES)) {
            return files.filter(Files::isRegularFile).map(f -> CLASSES.relativize(f).toString()).filter(f -> f.endsWith(end))
                    .collect(Collectors.toList());
        }
    }

    /** Each pattern matches a file of the jar, and each native library and its digest is matched. */
    @Test
    void resourcesExist() throws Exception {
        List<Pattern> patterns = new ArrayList<>();
        for (Matcher matcher = Pattern.compile("\"pattern\": *\"([^\"]+)\"").matcher(read("resource-config.json")); matcher.find();) {
            patterns.add(Pattern.compile(matcher.group(1).replace("\\\\", "\\")));
        }
        assertTrue(patterns.size() >= 3, patterns.toString());
        List<String> files = files("");
        assertTrue(files.stream().anyMatch(f -> f.startsWith("native/")), files.toString());
        assertEquals(List.of(), files.stream().filter(f -> f.startsWith("native/"))
                .filter(f -> patterns.stream().noneMatch(p -> p.matcher(f).matches())).collect(Collectors.toList()));
        assertTrue(patterns.stream().anyMatch(p -> p.matcher("io/github/librobots/version").matches()));
    }

    /** Exactly the fields that a {@code VarHandle} finds by name, one in each class that has a handle. */
    @Test
    void reflectedFieldsAreNamed() throws Exception {
        List<String> names = names(read("reflect-config.json"));
        Set<String> named = new TreeSet<>();
        for (int i = 0; i < names.size(); i += 2) {
            named.add(names.get(i));
            assertTrue(Class.forName(names.get(i)).getDeclaredField(names.get(i + 1)).getType().isPrimitive(), names.get(i));
        }
        Set<String> expected = new TreeSet<>();
        for (String file : files(".class")) {
            String name = file.replace(".class", "").replace('/', '.');
            if (!name.equals("module-info") && Stream.of(Class.forName(name, false, Library.class.getClassLoader()).getDeclaredFields())
                    .anyMatch(field -> field.getType() == VarHandle.class)) {
                expected.add(name);
            }
        }
        assertEquals(expected, named);
    }

    /** The method that the native library calls. */
    @Test
    void calledMethodsAreNamed() throws Exception {
        assertEquals(List.of(RecordReceiver.class.getName(), "receive"), names(read("jni-config.json")));
        RecordReceiver.class.getDeclaredMethod("receive", long.class, long.class);
    }

    /** Exactly the classes of this package that Java serialization writes, and what their fields hold. */
    @Test
    void serializedClassesAreNamed() throws Exception {
        List<String> names = names(read("serialization-config.json"));
        Set<String> expected = new TreeSet<>(List.of("[B", "[J", "[Ljava.lang.String;", "java.lang.String", "[Lio.github.librobots.Crawler;"));
        for (String file : files(".class")) {
            String name = file.replace(".class", "").replace('/', '.');
            Class<?> type = name.equals("module-info") ? Object.class : Class.forName(name, false, Library.class.getClassLoader());
            if (ObjectStreamClass.lookup(type) != null && !type.isEnum() && !Throwable.class.isAssignableFrom(type)) {
                expected.add(name);
            }
        }
        assertEquals(expected, new TreeSet<>(names));
        for (String name : names) {
            Class.forName(name);
        }
    }
}
