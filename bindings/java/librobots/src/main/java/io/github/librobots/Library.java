package io.github.librobots;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Locale;

/**
 * Finds and loads the native library: from the path in the system property {@code librobots.library}; else as
 * {@code librobots_jni} in {@code java.library.path}; else from the jar, through a temporary directory.
 */
final class Library {
    /** The system property with the path of the library. */
    static final String PROPERTY = "librobots.library";

    private static final String FILE = "librobots_jni.so";

    private Library() {}

    static void load() {
        String path = System.getProperty(PROPERTY);
        if (path != null) {
            loadFile(Paths.get(path).toAbsolutePath());
        } else if (!loadInstalled()) {
            loadFromJar();
        }
        demandVersion();
    }

    private static void loadFile(Path file) {
        try {
            System.load(file.toString());
        } catch (UnsatisfiedLinkError e) {
            throw failure("the property " + PROPERTY + " names " + file + ", which cannot be loaded", e);
        }
    }

    private static boolean loadInstalled() {
        try {
            System.loadLibrary("robots_jni");
            return true;
        } catch (UnsatisfiedLinkError e) {
            // A missing library is normal. A broken one is an error, because it was put there to be used.
            for (String folder : System.getProperty("java.library.path", "").split(File.pathSeparator)) {
                if (!folder.isEmpty() && Files.exists(Paths.get(folder, FILE))) {
                    throw failure("java.library.path has a " + FILE + " that cannot be loaded", e);
                }
            }
            return false;
        }
    }

    private static void loadFromJar() {
        String platform = platform();
        byte[] library = resource("/native/" + platform + "/" + FILE);
        byte[] digest = resource("/native/" + platform + "/sha256");
        if (library == null || digest == null) {
            throw failure("the jar holds no library for " + platform, null);
        }
        if (!new String(digest, StandardCharsets.US_ASCII).trim().equals(sha256(library))) {
            throw failure("the library for " + platform + " in the jar is damaged", null);
        }
        String where = System.getProperty("java.io.tmpdir");
        Path folder = null;
        try {
            // Readable by the owner only, so that nobody else can replace the file.
            folder = Files.createTempDirectory(
                    "librobots", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Path file = folder.resolve(FILE);
            Files.write(file, library);
            if (!Arrays.equals(library, Files.readAllBytes(file))) {
                throw new IOException("the file differs from what was written");
            }
            System.load(file.toString());
        } catch (IOException | UnsupportedOperationException | UnsatisfiedLinkError e) {
            throw failure("the library in the jar cannot be loaded over the temporary folder " + where
                    + " (is it full, read-only or mounted noexec?)", e);
        } finally {
            // A loaded library does not need its file.
            delete(folder);
        }
    }

    private static void delete(Path folder) {
        if (folder != null) {
            try {
                Files.deleteIfExists(folder.resolve(FILE));
                Files.deleteIfExists(folder);
            } catch (IOException e) {
                folder.resolve(FILE).toFile().deleteOnExit();
            }
        }
    }

    /** Checks that the library has the version of these classes. */
    private static void demandVersion() {
        byte[] text = resource("version");
        if (text == null) {
            throw failure("the jar holds no version", null);
        }
        String version = new String(text, StandardCharsets.US_ASCII).trim();
        int number = 0;
        for (String part : version.split("\\.")) {
            number = number * 1000 + Integer.parseInt(part);
        }
        int found;
        try {
            found = Native.versionNumber();
        } catch (UnsatisfiedLinkError e) {
            throw failure("the loaded file is not a " + FILE, e);
        }
        if (found != number) {
            throw failure("the loaded library has version " + found / 1_000_000 + "." + found / 1000 % 1000 + "."
                    + found % 1000 + ", these classes have " + version, null);
        }
    }

    private static String platform() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT).replace(' ', '-');
        String arch = System.getProperty("os.arch");
        return os + "-" + (arch.equals("amd64") ? "x86_64" : arch) + (os.equals("linux") && isMusl() ? "-musl" : "");
    }

    /** Returns whether this process uses the C library musl, as in Alpine Linux. */
    private static boolean isMusl() {
        try {
            return new String(Files.readAllBytes(Paths.get("/proc/self/maps")), StandardCharsets.ISO_8859_1).contains("/ld-musl-");
        } catch (IOException e) {
            return false;
        }
    }

    private static byte[] resource(String name) {
        try (InputStream in = Library.class.getResourceAsStream(name)) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha256(byte[] bytes) {
        try {
            StringBuilder text = new StringBuilder();
            for (byte b : MessageDigest.getInstance("SHA-256").digest(bytes)) {
                text.append(String.format("%02x", b));
            }
            return text.toString();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    /** Returns an error with one sentence: what failed and what to do. */
    private static UnsatisfiedLinkError failure(String what, Throwable cause) {
        UnsatisfiedLinkError error = new UnsatisfiedLinkError(
                "librobots: " + what + (cause == null ? "" : " (" + cause.getMessage() + ")") + "; set the system property " + PROPERTY + " to the path of a " + FILE + " that can be.");
        if (cause != null) {
            error.initCause(cause);
        }
        return error;
    }
}
