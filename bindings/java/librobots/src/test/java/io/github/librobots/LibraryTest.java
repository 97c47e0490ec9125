package io.github.librobots;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The loader of the native library. */
class LibraryTest {
    @TempDir
    Path folder;

    /** The program of the other JVM. */
    public static final class Use {
        private Use() {}

        public static void main(String[] args) {
            System.out.println(Rules.allowAll().check("/"));
        }
    }

    private String use(String options) throws Exception {
        return Jvm.run(options + " -Djava.io.tmpdir=" + folder, Use.class);
    }

    /** Copies the library of this platform to a file. */
    private Path library() throws Exception {
        Path file = Files.createDirectories(folder.resolve("own")).resolve("librobots_jni.so");
        String arch = System.getProperty("os.arch").replace("amd64", "x86_64");
        try (InputStream in = Library.class.getResourceAsStream("/native/linux-" + arch + "/librobots_jni.so")) {
            Files.copy(in, file);
        }
        return file;
    }

    @Test
    void failuresNameTheProperty() throws Exception {
        Path broken = folder.resolve("librobots_jni.so");
        Files.write(broken, new byte[] {1, 2, 3});
        sentence(use("-Dlibrobots.library=" + broken), "which cannot be loaded");
        sentence(use("-Dlibrobots.library=/nowhere/at-all.so"), "which cannot be loaded");
        sentence(use("-Djava.library.path=" + folder), "java.library.path has a librobots_jni.so that cannot be loaded");
        sentence(use("-Dos.arch=pdp11"), "the jar has no library for Linux on pdp11, only for linux-");
        sentence(use("-Dos.name=Windows_11"), "the jar has no library for Windows_11 on " + System.getProperty("os.arch") + ", only for linux-");
        sentence(Jvm.run("-Djava.io.tmpdir=/nowhere", Use.class), "cannot be loaded through the temporary directory /nowhere");
    }

    /** From the jar, without files left; from a property; {@code librobots.tmpdir} has priority over {@code java.io.tmpdir}. */
    @Test
    void places() throws Exception {
        String own = library().toString();
        for (String options : new String[] {"-Djava.io.tmpdir=" + folder, "-Dlibrobots.tmpdir=" + folder + " -Djava.io.tmpdir=/nowhere",
            "-Dlibrobots.library=" + own + " -Djava.io.tmpdir=/nowhere", "-Djava.library.path=" + folder.resolve("own") + " -Djava.io.tmpdir=/nowhere"}) {
            assertEquals("allowed: ALLOW_ALL\nstatus 0\n", Jvm.run(options, Use.class), options);
        }
        assertArrayEquals(new String[] {"own"}, folder.toFile().list());
        sentence(use("-Dlibrobots.tmpdir=/nowhere"), "through the temporary directory /nowhere");
    }

    /** The program of a JVM that catches the failure at each entry point. */
    public static final class Retry {
        private Retry() {}

        public static void main(String[] args) {
            Runnable[] entries = {Rules::allowAll, Rules::disallowAll, () -> Rules.fromImage(new byte[9]), () -> Crawler.of("Bot"),
                () -> Crawler.preset("Googlebot"), () -> Origin.of("http://a.example/"), Status.URL::text};
            for (Runnable entry : entries) {
                try {
                    entry.run();
                    System.out.println("no exception");
                } catch (NativeLibraryException e) {
                    System.out.println(e.getMessage().contains("librobots.library") ? "caught" : e.getMessage());
                }
            }
        }
    }

    @Test
    void everyUseThrowsTheSameType() throws Exception {
        assertEquals("caught\n".repeat(7) + "status 0\n", Jvm.run("-Dlibrobots.library=/nowhere/at-all.so", Retry.class));
    }

    private static final String DENIED = "start it with --enable-native-access=io.github.librobots, or with --enable-native-access=ALL-UNNAMED";

    /** Java 24 and later may deny native code. The JVM is this one, or a newer one beside it; without both, only the text is tested. */
    @Test
    void deniedNativeAccess() throws Exception {
        String text = Library.denied(new IllegalCallerException("not enabled")).getMessage();
        assertTrue(text.startsWith("librobots: this Java denies native code (not enabled); " + DENIED), text);
        Path newest = Paths.get(System.getProperty("java.home"));
        try (DirectoryStream<Path> others = Files.newDirectoryStream(newest.getParent())) {
            for (Path other : others) {
                newest = version(other) > version(newest) ? other : newest;
            }
        }
        if (version(newest) < 24) {
            return;
        }
        String denied = Jvm.runOf(newest, "--illegal-native-access=deny", Use.class);
        assertTrue(denied.contains("NativeLibraryException: librobots: this Java denies native code"), denied);
        assertTrue(denied.contains(DENIED) && !denied.contains("librobots.library"), denied);
        String enabled = "--illegal-native-access=deny --enable-native-access=ALL-UNNAMED";
        assertEquals("allowed: ALLOW_ALL\nstatus 0\n", Jvm.runOf(newest, enabled, Use.class));
    }

    /** Returns the version of the JDK in a folder; 0 if none is there. */
    private static int version(Path home) throws Exception {
        Path release = home.resolve("release");
        if (!Files.exists(release) || !Files.exists(home.resolve("bin").resolve("java"))) {
            return 0;
        }
        Properties all = new Properties();
        try (InputStream in = Files.newInputStream(release)) {
            all.load(in);
        }
        return Integer.parseInt(all.getProperty("JAVA_VERSION", "0").replace("\"", "").split("\\.")[0]);
    }

    /** A library that loads but is another one. */
    @Test
    void anotherLibrary() throws Exception {
        Path other = Paths.get(System.getProperty("java.home"), "lib", "libzip.so");
        sentence(use("-Dlibrobots.library=" + other), "the loaded file is not a librobots_jni.so");
    }

    private static void sentence(String output, String part) {
        assertTrue(output.contains(part), output);
        assertTrue(output.contains("librobots.library"), output);
        assertTrue(output.contains("status 1"), output);
        assertEquals(1, output.lines().filter(l -> l.contains("NativeLibraryException: librobots: ")).count(), output);
    }
}
