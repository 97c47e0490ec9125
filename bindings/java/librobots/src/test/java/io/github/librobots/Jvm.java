package io.github.librobots;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** This JVM, and another one with the same class path. */
final class Jvm {
    private Jvm() {}

    /** Returns the least number of bytes that 10,000 calls allocate in this thread. The first rounds load classes. */
    static long allocated(Runnable call) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < 10_000; i++) {
                call.run();
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        return least;
    }

    /** Runs {@code main} with options separated by spaces, and returns its output, with the status as the last line. */
    static String run(String options, Class<?> main, String... args) throws Exception {
        return runOf(Paths.get(System.getProperty("java.home")), options, main, args);
    }

    /** Does the same with the JDK in a folder. */
    static String runOf(Path home, String options, Class<?> main, String... args) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(home.resolve("bin").resolve("java").toString());
        command.addAll(Arrays.asList(options.split(" ")));
        // Surefire may put the class path into the manifest of a jar.
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        command.addAll(List.of("-cp", path, main.getName()));
        command.addAll(Arrays.asList(args));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return output + "status " + process.waitFor() + "\n";
    }
}
