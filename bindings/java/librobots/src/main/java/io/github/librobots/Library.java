package io.github.librobots;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds and loads the native library: from the path in the system property {@code librobots.library}; else as
 * {@code librobots_jni} in {@code java.library.path}; else from the jar, through a temporary directory.
 */
final class Library {
    /** The system property with the path of the library. */
    static final String PROPERTY = "librobots.library";

    /** The system property with the directory to which the library of the jar is written. Default: {@code java.io.tmpdir}. */
    static final String DIRECTORY_PROPERTY = "librobots.tmpdir";

    /** The platforms for which a jar may have a library. */
    private static final List<String> PLATFORMS = List.of("linux-x86_64", "linux-aarch64", "linux-x86_64-musl",
            "linux-aarch64-musl", "macos-x86_64", "macos-aarch64", "windows-x86_64");

    /** The name of the library on this system, in the jar too: librobots_jni.so, librobots_jni.dylib or robots_jni.dll. */
    private static final String FILE = System.mapLibraryName("robots_jni");

    private Library() {}

    /** The result of loading. Its initialization does not throw, so that each use gets the same exception. */
    private static final class Loaded {
        static final @Nullable NativeLibraryException FAILURE = load();
    }

    /**
     * Loads the library unless it is loaded. Call it before a native function that takes no handle.
     *
     * @throws NativeLibraryException if the library cannot be loaded, now or before
     */
    static void require() {
        if (Loaded.FAILURE != null) {
            throw new NativeLibraryException(Loaded.FAILURE.getMessage(), Loaded.FAILURE.getCause());
        }
    }

    private static @Nullable NativeLibraryException load() {
        try {
            String path = System.getProperty(PROPERTY);
            if (path != null) {
                loadFile(path);
            } else if (!loadInstalled()) {
                loadFromJar();
            }
            checkVersion();
            return null;
        } catch (NativeLibraryException e) {
            return e;
        } catch (IllegalCallerException e) { // --illegal-native-access=deny of Java 24 and later
            return denied(e);
        } catch (RuntimeException | LinkageError e) { // such as a security manager
            return failure("the native library cannot be loaded", e);
        }
    }

    static NativeLibraryException denied(IllegalCallerException cause) {
        return new NativeLibraryException("librobots: this Java denies native code (" + cause.getMessage() + "); start it with "
                + "--enable-native-access=io.github.librobots, or with --enable-native-access=ALL-UNNAMED if librobots is on the class "
                + "path.", cause);
    }

    private static void loadFile(String path) {
        try {
            System.load(Paths.get(path).toAbsolutePath().toString());
        } catch (UnsatisfiedLinkError | InvalidPathException e) {
            throw failure("the property " + PROPERTY + " names " + path + ", which cannot be loaded", e);
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
        byte[] library = platform == null ? null : resource("/native/" + platform + "/" + FILE);
        byte[] digest = platform == null ? null : resource("/native/" + platform + "/sha256");
        if (library == null || digest == null) {
            throw failure("the jar has no library for " + system() + ", only for " + platformsInJar(), null);
        }
        if (!new String(digest, StandardCharsets.US_ASCII).trim().equals(sha256(library))) {
            throw failure("the library for " + platform + " in the jar is damaged", null);
        }
        String directory = System.getProperty(DIRECTORY_PROPERTY, System.getProperty("java.io.tmpdir"));
        Path folder = null;
        try {
            folder = privateFolder(Paths.get(directory));
            Path file = folder.resolve(FILE);
            Files.write(file, library);
            if (!Arrays.equals(library, Files.readAllBytes(file))) {
                throw new IOException("the file differs from what was written");
            }
            System.load(file.toString());
        } catch (IOException | UnsupportedOperationException | InvalidPathException | UnsatisfiedLinkError e) {
            throw failure("the library in the jar cannot be loaded through the temporary directory " + directory
                    + " (is it full, read-only or mounted noexec? The property " + DIRECTORY_PROPERTY + " names another)", e);
        } finally {
            // A loaded library does not need its file, but on Windows, where it stays until the temporary directory is emptied.
            delete(folder);
        }
    }

    /** Creates a folder that nobody else can write to: by its mode, or on Windows because the user's temporary directory is one. */
    private static Path privateFolder(Path parent) throws IOException {
        if (!parent.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return Files.createTempDirectory(parent, "librobots");
        }
        return Files.createTempDirectory(parent, "librobots",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    private static void delete(@Nullable Path folder) {
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
    private static void checkVersion() {
        byte[] text = resource("version");
        if (text == null) {
            throw failure("the jar has no version", null);
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
            throw failure("the loaded library has version " + found / 1_000_000 + "." + found / 1000 % 1000 + "." + found % 1000
                    + ", these classes have " + version, null);
        }
    }

    /** Returns the name of this platform in the jar, or null for a system that no jar has a library for. */
    private static @Nullable String platform() {
        String arch = System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch");
        String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        if (name.startsWith("linux")) {
            return "linux-" + arch + (isMusl() ? "-musl" : "");
        }
        return name.startsWith("mac") ? "macos-" + arch : name.startsWith("windows") ? "windows-" + arch : null;
    }

    /** Returns the name of this system for people, such as {@code Linux on riscv64}. */
    private static String system() {
        String name = System.getProperty("os.name");
        return name + " on " + System.getProperty("os.arch") + (name.equals("Linux") && isMusl() ? " with the C library musl" : "");
    }

    private static String platformsInJar() {
        String found = PLATFORMS.stream().filter(p -> Library.class.getResource("/native/" + p + "/sha256") != null)
                .collect(Collectors.joining(", "));
        return found.isEmpty() ? "no platform at all" : found;
    }

    /** Returns whether this process uses the C library musl, as in Alpine Linux. */
    private static boolean isMusl() {
        try {
            return new String(Files.readAllBytes(Paths.get("/proc/self/maps")), StandardCharsets.ISO_8859_1).contains("/ld-musl-");
        } catch (IOException e) {
            return false;
        }
    }

    private static byte @Nullable [] resource(String name) {
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

    /** Returns an exception with one sentence: what failed and what to do. */
    private static NativeLibraryException failure(String what, @Nullable Throwable cause) {
        return new NativeLibraryException("librobots: " + what + (cause == null ? "" : " (" + cause.getMessage() + ")")
                + "; set the system property " + PROPERTY + " to the path of a " + FILE + " for this system.", cause);
    }
}
