package io.github.librobots;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * Runs in separate JVMs, so that a crash is an ordinary failure. The properties stress.seconds and stress.parses set the size (full
 * size: 30 and 10000000).
 */
class StressTest {
    @Test
    void closeAndCollectWhileInUse() throws Exception {
        for (String mode : new String[] {"race", "caches"}) {
            fine(Jvm.run("-Xmx128m", Stress.class, mode, System.getProperty("stress.seconds")));
            fine(Jvm.run("-Xcheck:jni", Stress.class, mode, "2"));
        }
    }

    /** The heap is touched in advance, so that only native memory can grow. */
    @Test
    void memoryOfRulesDoesNotGrow() throws Exception {
        fine(Jvm.run("-Xms64m -Xmx64m -XX:+AlwaysPreTouch", Stress.class, "leak", System.getProperty("stress.parses")));
    }

    @Test
    void closedRulesAreFreedAtOnce() throws Exception {
        fine(Jvm.run("-XX:+UseG1GC -Xms256m -Xmx256m -XX:+AlwaysPreTouch", Stress.class, "close", "20000"));
    }

    /** The heap is so large that only the garbage of {@link Handle} makes the collector run. Nothing calls it. */
    @Test
    void memoryOfOutcomesDoesNotGrow() throws Exception {
        fine(Jvm.run("-Xms512m -Xmx512m -XX:+AlwaysPreTouch -XX:+DisableExplicitGC", Stress.class, "outcomes", "2000"));
    }

    @Test
    void decisionsNeedNoDirectMemory() throws Exception {
        fine(Jvm.run("-XX:MaxDirectMemorySize=16m", Stress.class, "scratch"));
    }

    @Test
    void everyCallPassesCheckJni() throws Exception {
        fine(Jvm.run("-Xcheck:jni", Stress.class, "calls"));
    }

    private static void fine(String output) {
        System.out.print(output);
        assertTrue(output.contains("\nfine\n") || output.startsWith("fine\n"), output);
        for (String fault : new String[] {"SIGSEGV", "WARNING", "FATAL"}) {
            assertFalse(output.contains(fault), output);
        }
    }
}
