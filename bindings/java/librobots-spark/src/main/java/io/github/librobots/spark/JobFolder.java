package io.github.librobots.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;

/**
 * The output folder of a job. {@code batch=00000} and so on hold the URLs, {@code _robots} what a restart needs: Spark does not read
 * names that start with an underscore.
 */
final class JobFolder {
    private final Path root;
    private final Path state;
    private final FileSystem system;

    JobFolder(SparkSession session, String path) throws IOException {
        root = new Path(path);
        state = new Path(root, "_robots");
        system = root.getFileSystem(session.sparkContext().hadoopConfiguration());
    }

    /** Returns the path of the captures that hold. */
    String capturesPath() {
        return new Path(state, "captures").toString();
    }

    String imagesPath() {
        return new Path(state, "images").toString();
    }

    String batchPath(int number) {
        return new Path(root, String.format(Locale.ROOT, "batch=%05d", number)).toString();
    }

    private Path countersPath(int number) {
        return new Path(state, String.format(Locale.ROOT, "batch-%05d.txt", number));
    }

    /** Returns whether Spark completed a table. */
    boolean isWritten(String path) throws IOException {
        return system.exists(new Path(path, "_SUCCESS"));
    }

    /**
     * Writes what the job does; for a restart, compares it with what the first run wrote.
     *
     * @throws IllegalArgumentException if the folder is that of another job
     */
    void claim(Map<String, String> settings, String[] files) throws IOException {
        Map<String, String> all = new TreeMap<>(settings);
        all.put("files", Integer.toString(files.length));
        all.put("files-sha256", digest(String.join("\n", files)));
        StringBuilder text = new StringBuilder();
        all.forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
        Path path = new Path(state, "job.txt");
        if (!system.exists(path)) {
            if (system.exists(root) && system.listStatus(root).length > 0 && !system.exists(state)) {
                throw new IllegalArgumentException(root + " is not empty, and no job wrote it: choose another folder");
            }
            write(path, text.toString());
        } else if (!read(path).equals(text.toString())) {
            throw new IllegalArgumentException("the job that " + root + " belongs to has other arguments or other files:\n" + read(path)
                    + "This job has:\n" + text + "Choose another folder.");
        }
    }

    /** Returns the counters of a batch that is complete, else null. */
    Counters counters(int number) throws IOException {
        Path path = countersPath(number);
        return system.exists(path) ? Counters.parse(read(path)) : null;
    }

    /** Marks a batch as complete. */
    void write(int number, Counters counters) throws IOException {
        write(countersPath(number), counters + "\n");
    }

    /** Marks the job as complete. */
    void complete(Counters total) throws IOException {
        write(new Path(state, "counters.txt"), total + "\n");
    }

    /** A file has its whole content as soon as it has its name. */
    private void write(Path path, String text) throws IOException {
        Path part = new Path(path.getParent(), "." + path.getName() + ".part");
        try (OutputStream out = system.create(part, true)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        system.delete(path, false);
        if (!system.rename(part, path)) {
            throw new IOException("cannot rename " + part + " to " + path);
        }
    }

    private String read(Path path) throws IOException {
        try (InputStream in = system.open(path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            StringBuilder hex = new StringBuilder();
            for (byte b : digest) {
                hex.append(String.format(Locale.ROOT, "%02x", b));
            }
            return hex.toString();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
