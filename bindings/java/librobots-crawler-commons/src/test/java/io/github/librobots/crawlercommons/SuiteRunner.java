package io.github.librobots.crawlercommons;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs test classes in this JVM and writes a line per test: {@code Class.method: display name: passed}, or the failure. */
public final class SuiteRunner {
    private SuiteRunner() {}

    /**
     * Runs the tests.
     *
     * @param args the file to write, then the names of the classes
     * @throws Exception if the file cannot be written
     */
    public static void main(String[] args) throws Exception {
        Path out = Paths.get(args[0]);
        List<String> lines = new ArrayList<>();
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
        for (int i = 1; i < args.length; i++) {
            request.selectors(selectClass(args[i]));
        }
        LauncherDiscoveryRequest classes = request.build();
        LauncherFactory.create().execute(classes, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                    String failure = result.getThrowable().map(Throwable::toString).orElse("passed");
                    lines.add(oneLine(name(test) + ": " + test.getDisplayName() + ": " + failure));
                }
            }
        });
        Files.write(out, lines, StandardCharsets.UTF_8);
    }

    private static String name(TestIdentifier test) {
        TestSource source = test.getSource().orElse(null);
        if (source instanceof MethodSource) {
            MethodSource method = (MethodSource) source;
            return method.getClassName().replaceAll(".*\\.", "") + "." + method.getMethodName();
        }
        return test.getUniqueId();
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\s+", " ");
    }
}
