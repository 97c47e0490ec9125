package io.github.librobots.crawlercommons;

import static org.junit.jupiter.api.Assertions.assertEquals;

import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.BaseRobotsParser;
import crawlercommons.robots.SimpleRobotRules;
import crawlercommons.robots.SimpleRobotRulesParser;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** README.md lists what differs from crawler-commons: the public members and types, and the same calls. UPDATE_SURFACES=1 writes it. */
class SurfaceTest {
    private static final Path PAGE = Path.of("../README.md");
    private static final String START = "| original | name or call | there | here |\n|---|---|---|---|\n";
    private static final String FILE = "https://e.com/robots.txt";
    private static final String BODY = "User-agent: xbot\nDisallow: /a\nCrawl-delay: 2\n\nUser-agent: *\nAllow: /\nSitemap: /s\n";

    /** Returns what a class has in public, and does not inherit from Object: supertypes, constructors, methods, fields, nested types. */
    private static Map<String, String> surface(Class<?> type) {
        Map<String, String> found = new TreeMap<>();
        found.put("extends", type.getSuperclass().getSimpleName());
        found.put("implements", names(type.getInterfaces()));
        for (Constructor<?> made : type.getConstructors()) {
            found.put("new(" + names(made.getParameterTypes()) + ")", "constructor" + thrown(made));
        }
        for (Method method : type.getMethods()) {
            if (method.getDeclaringClass() != Object.class && !method.isBridge() && !method.isSynthetic()) {
                found.put(method.getName() + "(" + names(method.getParameterTypes()) + ")",
                        kind(method) + method.getReturnType().getSimpleName() + thrown(method));
            }
        }
        for (Field field : type.getFields()) {
            found.put(field.getName(), kind(field) + field.getType().getSimpleName());
        }
        for (Class<?> nested : type.getClasses()) {
            found.put(nested.getSimpleName(), nested.isEnum() ? "enum" : "class");
        }
        return found;
    }

    private static String kind(Member member) {
        return Modifier.isStatic(member.getModifiers()) ? "static " : "";
    }

    private static String thrown(Executable called) {
        return called.getExceptionTypes().length == 0 ? "" : " throws " + names(called.getExceptionTypes());
    }

    private static String names(Class<?>[] types) {
        return Arrays.stream(types).map(Class::getSimpleName).collect(Collectors.joining(", "));
    }

    private static BaseRobotRules parse(BaseRobotsParser parser, String body) {
        return parser.parseContent(FILE, body == null ? null : body.getBytes(StandardCharsets.UTF_8), "text/plain", List.of("xbot"));
    }

    private static Map<String, Function<BaseRobotsParser, Object>> calls() {
        Map<String, Function<BaseRobotsParser, Object>> calls = new LinkedHashMap<>();
        for (String url : new String[] {"https://e.com/a", "https://e.com/", "/a", "", "a", "mailto:x", "https://e.com/robots.txt"}) {
            calls.put("isAllowed(\"" + url + "\")", parser -> parse(parser, BODY).isAllowed(url));
        }
        calls.put("isAllowed(null)", parser -> parse(parser, BODY).isAllowed((String) null));
        calls.put("getCrawlDelay()", parser -> parse(parser, BODY).getCrawlDelay());
        calls.put("getSitemaps()", parser -> parse(parser, BODY).getSitemaps());
        calls.put("isDeferVisits()", parser -> parse(parser, BODY).isDeferVisits());
        calls.put("isMatchedWildcard()", parser -> parse(parser, BODY).isMatchedWildcard());
        String[] bodies = {null, "", BODY, "User-agent: *\nDisallow: /\n", "User-agent: other\nDisallow: /\n",
            "User-agent: xbot\nCrawl-delay: 400\n"};
        for (String body : bodies) {
            String shown = body == null ? "null" : "\"" + body.replace("\n", "; ") + "\"";
            calls.put("isAllowAll() of " + shown, parser -> parse(parser, body).isAllowAll());
            calls.put("isAllowNone() of " + shown, parser -> parse(parser, body).isAllowNone());
            calls.put("getCrawlDelay() of " + shown, parser -> parse(parser, body).getCrawlDelay());
        }
        for (int status : new int[] {0, 200, 301, 401, 404, 429, 500, 503}) {
            calls.put("failedFetch(" + status + ").isAllowed(\"/\")", parser -> parser.failedFetch(status).isAllowed("https://e.com/"));
            calls.put("failedFetch(" + status + ").isDeferVisits()", parser -> parser.failedFetch(status).isDeferVisits());
        }
        calls.put("parseContent with the name \"X Bot\"", parser ->
                parser.parseContent(FILE, BODY.getBytes(StandardCharsets.UTF_8), "text/plain", List.of("X Bot"))
                        .isAllowed("https://e.com/a"));
        calls.put("parseContent with null for the names", parser ->
                parser.parseContent(FILE, new byte[0], "text/plain", (List<String>) null).isAllowed("https://e.com/a"));
        String[] more = {"User-agent: *\nDisallow: /index.html\n", "User-agent: *\nDisallow: /\n\nUser-agent: xbot\n",
            "#".repeat(600_000) + "\nUser-agent: *\nDisallow: /\n"};
        for (String body : more) {
            String shown = body.replace("\n", "; ").replaceAll("#{10,}", "# 600,000 bytes");
            calls.put("isAllowed(\"https://e.com/\") of \"" + shown + "\"", parser -> parse(parser, body).isAllowed("https://e.com/"));
        }
        for (String value : new String[] {"1e2", "+3"}) {
            calls.put("getCrawlDelay() of \"Crawl-delay: " + value + "\"", parser ->
                    parse(parser, "User-agent: *\nCrawl-delay: " + value + "\n").getCrawlDelay());
        }
        calls.put("the rules of a file and of one with a comment before are equal", parser ->
                parse(parser, BODY).equals(parse(parser, "# a comment\n" + BODY)));
        calls.put("the two rules of a file are equal", parser -> parse(parser, BODY).equals(parse(parser, BODY)));
        return calls;
    }

    private static String answer(Function<BaseRobotsParser, Object> call, BaseRobotsParser parser) {
        try {
            return String.valueOf(call.apply(parser));
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName();
        }
    }

    @Test
    void thePageListsWhatDiffers() throws IOException {
        String original = SimpleRobotRulesParser.class.getProtectionDomain().getCodeSource().getLocation().getPath()
                .replaceAll(".*/(crawler-commons-[^/]*)\\.jar$", "$1");
        StringBuilder rows = new StringBuilder();
        Map<Class<?>, Class<?>> types = new LinkedHashMap<>();
        types.put(SimpleRobotRulesParser.class, LibrobotsParser.class);
        types.put(SimpleRobotRules.class, LibrobotsRules.class);
        types.forEach((theirs, ours) -> {
            Map<String, String> has = surface(theirs);
            Map<String, String> mine = surface(ours);
            TreeSet<String> names = new TreeSet<>(has.keySet());
            names.addAll(mine.keySet());
            names.forEach(name -> add(rows, original, theirs.getSimpleName() + "." + name,
                    has.getOrDefault(name, "none"), mine.getOrDefault(name, "none")));
        });
        calls().forEach((name, call) ->
                add(rows, original, name, answer(call, new SimpleRobotRulesParser()), answer(call, new LibrobotsParser())));
        String page = Files.readString(PAGE);
        int start = page.indexOf(START) + START.length();
        int end = start;
        while (page.startsWith("|", end)) {
            end = page.indexOf('\n', end) + 1;
        }
        if (System.getenv("UPDATE_SURFACES") != null) {
            Files.writeString(PAGE, page.substring(0, start) + rows + page.substring(end));
        } else {
            assertEquals(rows.toString(), page.substring(start, end));
        }
    }

    private static void add(StringBuilder rows, String original, String name, String there, String here) {
        if (!there.equals(here)) {
            rows.append("| ").append(original).append(" | `").append(String.join("` | `", name, there, here)).append("` |\n");
        }
    }
}
