package io.github.librobots.crawlercommons;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The robots.txt tests of crawler-commons, from its test jar, with librobots in place of its parser (src/suite). The failures must be
 * those that crawler-commons-suite.txt lists, each with a reason.
 */
class CrawlerCommonsSuiteTest {
    private static final String[] CLASSES = {"crawlercommons.robots.SimpleRobotRulesParserTest",
        "crawlercommons.robots.GoogleRobotsTxtTest", "crawlercommons.robots.SimpleRobotRulesTest"};

    @TempDir
    Path folder;

    /** Returns the listed failures: test and reason. */
    private static Map<String, String> expected() throws IOException {
        Map<String, String> expected = new TreeMap<>();
        try (InputStream in = CrawlerCommonsSuiteTest.class.getResourceAsStream("/crawler-commons-suite.txt")) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                if (!line.isEmpty() && !line.startsWith("#")) {
                    int bar = line.indexOf(" | ");
                    expected.put(line.substring(0, bar), line.substring(bar + 3));
                }
            }
        }
        return expected;
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** Compiles the classes that stand in for those of crawler-commons. */
    private Path standIns() throws IOException {
        Path classes = Files.createDirectory(folder.resolve("classes"));
        List<String> arguments = new ArrayList<>(List.of("-d", classes.toString(), "-cp", classPath(), "-nowarn", "-proc:none"));
        try (Stream<Path> sources = Files.walk(Paths.get("src", "suite", "java"))) {
            sources.filter(f -> f.toString().endsWith(".java")).forEach(f -> arguments.add(f.toString()));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assertEquals(0, compiler.run(null, null, null, arguments.toArray(new String[0])));
        return classes;
    }

    @Test
    void suite() throws Exception {
        Path report = folder.resolve("report");
        List<String> command = new ArrayList<>(List.of(Paths.get(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                standIns() + File.pathSeparator + classPath(), SuiteRunner.class.getName(), report.toString()));
        command.addAll(List.of(CLASSES));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        List<String> results = Files.readAllLines(report);
        Map<String, String> failures = new TreeMap<>();
        for (String result : results) {
            if (!result.endsWith(": passed")) {
                String[] parts = result.split(": ", 3);
                failures.put(parts[0] + ": " + parts[1], parts[2]);
            }
        }
        System.out.println("crawler-commons' suite: " + (results.size() - failures.size()) + " of " + results.size() + " agree, the others are listed");
        assertTrue(results.size() > 200, results.size() + " tests");
        assertEquals(String.join("\n", expected().keySet()), String.join("\n", failures.keySet()),
                () -> failures.entrySet().stream().map(e -> e.getKey() + " | " + e.getValue()).collect(Collectors.joining("\n")));
    }
}
