package io.github.librobots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the Javadoc and of README.md compile. */
class SnippetTest {
    private static final Pattern JAVADOC = Pattern.compile("<pre>\\{@code\\n(.*?)\\n \\* \\}</pre>", Pattern.DOTALL);
    private static final Pattern MARKDOWN = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

    /** The names that examples use without a declaration. */
    private static final Map<String, String> NAMES = new TreeMap<>(Map.of("crawler", "Crawler", "rules", "Rules", "body", "byte[]",
            "url", "String", "urls", "List<String>", "cache", "RobotsCache", "fetcher", "RobotsFetcher", "fetch", "Fetch", "other",
            "RobotsCache", "client", "HttpClient"));

    static {
        NAMES.put("headers", "Map<String, List<String>>");
        NAMES.put("status", "int");
        NAMES.put("retryAfter", "String");
        NAMES.put("path", "java.nio.file.Path");
    }

    @TempDir
    Path folder;

    private static Map<String, String> snippets() throws IOException {
        Map<String, String> snippets = new TreeMap<>();
        List<Path> files;
        try (Stream<Path> all = Files.walk(Paths.get("src", "main", "java"))) {
            files = all.filter(f -> f.toString().endsWith(".java")).collect(Collectors.toList());
        }
        files.add(Paths.get("..", "README.md"));
        for (Path file : files) {
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            boolean javadoc = file.toString().endsWith(".java");
            Matcher matcher = (javadoc ? JAVADOC : MARKDOWN).matcher(text);
            while (matcher.find()) {
                String code = javadoc ? matcher.group(1).replaceAll("(?m)^ \\* ?", "") : matcher.group(1);
                snippets.put("Snippet" + (snippets.size() + 1) + " of " + file.getFileName(), code);
            }
        }
        return snippets;
    }

    /** Returns a class with a snippet, where {@code ...} stands for any statement; or the snippet, if it is a whole program. */
    private static String source(String name, String code) {
        if (code.startsWith("import ")) {
            return code.replace("public class", "class");
        }
        String parameters = NAMES.entrySet().stream()
                .filter(e -> !Pattern.compile("\\b" + Pattern.quote(e.getValue()) + " " + e.getKey() + " ?=").matcher(code).find())
                .map(e -> e.getValue() + " " + e.getKey()).collect(Collectors.joining(", "));
        return "import io.github.librobots.*;\nimport io.github.librobots.http.*;\nimport java.io.*;\nimport java.net.*;\n"
                + "import java.net.http.*;\nimport java.time.*;\nimport java.util.*;\nclass " + name + " {\n    void run(" + parameters
                + ") throws Exception {\n" + code.replace("...", "{}") + "\n    }\n}\n";
    }

    @Test
    void snippetsCompile() throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Map<String, String> snippets = snippets();
        assertTrue(snippets.size() >= 7, snippets.keySet().toString());
        List<JavaFileObject> units = new ArrayList<>();
        for (Map.Entry<String, String> snippet : snippets.entrySet()) {
            String name = snippet.getKey().split(" ")[0];
            units.add(new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
                @Override
                public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                    return source(name, snippet.getValue());
                }
            });
        }
        StringWriter output = new StringWriter();
        compiler.getTask(output, null, null, List.of("-d", folder.toString(), "-cp", path, "-proc:none"), null, units).call();
        assertEquals("", output.toString(), snippets.toString());
    }
}
