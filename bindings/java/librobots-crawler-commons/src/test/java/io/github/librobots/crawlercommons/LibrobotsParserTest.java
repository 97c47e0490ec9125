package io.github.librobots.crawlercommons;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.BaseRobotsParser;
import crawlercommons.robots.SimpleRobotRulesParser;
import io.github.librobots.Dialect;
import io.github.librobots.NativeLibraryException;
import io.github.librobots.Reason;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LibrobotsParserTest {
    private static final String FILE = "https://example.com/robots.txt";
    private static final String BODY = "User-agent: examplebot\nDisallow: /private\nAllow: /private/open\nCrawl-delay: 1.5\n\n"
            + "User-agent: other\nDisallow: /other\n\nUser-agent: *\nDisallow: /\n\n"
            + "Sitemap: https://example.com/a.xml\nSitemap: /b.xml\nSitemap: https://example.com/a.xml\nSitemap: nope://\n";

    private final LibrobotsParser parser = new LibrobotsParser();

    private static BaseRobotRules parse(BaseRobotsParser parser, String body, String... names) {
        return parser.parseContent(FILE, body.getBytes(StandardCharsets.UTF_8), "text/plain", List.of(names));
    }

    @Test
    void decisions() throws Exception {
        BaseRobotRules rules = parse(parser, BODY, "examplebot");
        assertTrue(rules.isAllowed("https://example.com/page"));
        assertFalse(rules.isAllowed("https://example.com/private/x"));
        assertTrue(rules.isAllowed("https://example.com/private/open"));
        assertFalse(rules.isAllowed(new URL("https://user@example.com:444/private?x#y")));
        assertTrue(rules.isAllowed(new URL("https://example.com/page#/private")));
        assertTrue(rules.isAllowed(new URL("https://example.com?private")));
        assertFalse(rules.isAllowAll());
        assertFalse(rules.isAllowNone());
        assertFalse(rules.isDeferVisits());
        assertEquals(1500, rules.getCrawlDelay());
        assertEquals(List.of("https://example.com/a.xml", "https://example.com/b.xml"), rules.getSitemaps());
        assertEquals(2, ((LibrobotsRules) rules).check("/private").line());
    }

    @Test
    void names() {
        assertFalse(parse(parser, BODY, "nobody").isAllowed("/x"));
        assertFalse(parse(parser, BODY).isAllowed("/x"), "no name: the groups of *");
        assertTrue(parse(parser, BODY, "ExampleBot").isAllowed("/x"), "case does not count");
        BaseRobotRules both = parse(parser, BODY, "other", "examplebot");
        assertFalse(both.isAllowed("/other"));
        assertFalse(both.isAllowed("/private"), "all names together");
        parser.setNamesInOrder(true);
        BaseRobotRules first = parse(parser, BODY, "other", "examplebot");
        assertFalse(first.isAllowed("/other"));
        assertTrue(first.isAllowed("/private"), "the first name alone");
        for (String wrong : new String[] {"*", "", "two words", "Mozilla/5.0"}) {
            assertFalse(parse(parser, BODY, wrong).isAllowed("/x"), "no file names '" + wrong + "', so that * applies");
            assertFalse(parse(parser, BODY, wrong).isDeferVisits(), wrong);
            assertTrue(parse(parser, BODY, wrong, "examplebot").isAllowed("/x"), "the other name counts, beside '" + wrong + "'");
            assertThrows(IllegalArgumentException.class, () -> LibrobotsParser.forNames("examplebot", wrong), wrong);
        }
        assertThrows(IllegalArgumentException.class, () -> LibrobotsParser.forNames());
        assertTrue(parse(LibrobotsParser.forNames("ExampleBot"), BODY, "ExampleBot").isAllowed("/x"));
        parser.setDialect(Dialect.GOOGLE); // SPEC 7.6: without digits
        assertFalse(parse(parser, "User-agent: 360spider\nAllow: /\n\nUser-agent: *\nDisallow: /\n", "360spider").isAllowed("/x"));
    }

    /** SPEC 7.9: a file that names an agent by any text disallows that agent. */
    @Test
    void eachNameNamesItself() throws IOException {
        List<String> allowed = new ArrayList<>();
        for (String name : allNames()) {
            if (parse(parser, "User-agent: " + name + "\nDisallow: /\n", name).isAllowed("https://example.com/x")) {
                allowed.add(name);
            }
        }
        assertEquals(List.of(), allowed);
    }

    /** Returns the names of tests/data/names.txt, and those in the user-agent lines of all files of ROBOTS_CORPUS. */
    private static Set<String> allNames() throws IOException {
        Set<String> names = new LinkedHashSet<>(Files.readAllLines(Path.of("../../../tests/data/names.txt")));
        String corpus = System.getenv("ROBOTS_CORPUS");
        if (corpus == null) {
            return names;
        }
        Pattern line = Pattern.compile("(?im)^[ \t]*user-agent[ \t]*:([^#\r\n]*)");
        try (Stream<Path> files = Files.list(Path.of(corpus))) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                line.matcher(Files.readString(file, StandardCharsets.ISO_8859_1)).results()
                        .map(found -> found.group(1).strip()).filter(name -> !name.isEmpty()).forEach(names::add);
            }
        }
        return names;
    }

    @Test
    @SuppressWarnings("deprecation")
    void namesInOneString() {
        byte[] body = BODY.getBytes(StandardCharsets.UTF_8);
        assertTrue(parser.parseContent(FILE, body, "text/plain", "Nobody/1.0 ExampleBot/2.0").isAllowed("/x"));
        BaseRobotRules both = parser.parseContent(FILE, body, "text/plain", "other, examplebot");
        assertFalse(both.isAllowed("/other"));
        assertFalse(both.isAllowed("/private"));
        for (String none : new String[] {" , ", "", "*", "Mozilla/5.0"}) {
            assertFalse(parser.parseContent(FILE, body, "text/plain", none).isAllowed("/x"), "'" + none + "': the groups of *");
            assertEquals(parse(parser, BODY, "*"), parser.parseContent(FILE, body, "text/plain", none), none);
        }
        assertFalse(parser.parseContent(FILE, body, "text/plain", (String) null).isAllowed("/x"));
    }

    /** Nutch takes an exception as "no robots.txt": a failure must not throw, and must not allow. */
    @Test
    @SuppressWarnings("deprecation")
    void failuresDefer() {
        byte[] body = BODY.getBytes(StandardCharsets.UTF_8);
        Collection<String> failing = new AbstractList<>() {
            @Override
            public String get(int index) {
                throw new OutOfMemoryError("as in a full heap");
            }

            @Override
            public int size() {
                return 1;
            }
        };
        BaseRobotRules rules = parser.parseContent(FILE, body, "text/plain", failing);
        assertFalse(rules.isAllowed("https://example.com/"));
        assertTrue(rules.isDeferVisits());
        assertFalse(rules.isAllowAll());
        assertEquals(Reason.UNREACHABLE, ((LibrobotsRules) rules).check("/").reason(), "no ban");
        assertTrue(parser.parseContent(FILE, body, "text/plain", (Collection<String>) null).isDeferVisits());
        assertTrue(parser.parseContent(FILE, body, "text/plain", Arrays.asList("examplebot", null)).isDeferVisits());
    }

    /** SPEC 2.17: the fetch failed, because nobody decoded the body. */
    @Test
    void compressedFilesDefer() {
        byte[] gzip = {0x1F, (byte) 0x8B, 8, 0};
        byte[] zstd = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 0};
        for (byte[] compressed : List.of(gzip, zstd)) {
            BaseRobotRules rules = parser.parseContent(FILE, compressed, "text/plain", List.of("examplebot"));
            assertFalse(rules.isAllowed("https://example.com/"));
            assertTrue(rules.isDeferVisits());
            assertFalse(rules.isMatchedWildcard());
            assertEquals(Reason.UNREACHABLE, ((LibrobotsRules) rules).check("/").reason(), "no ban");
        }
        assertTrue(parser.parseContent(FILE, new byte[] {0x1F}, "text/plain", List.of("examplebot")).isAllowed("/x"));
    }

    /** A file in UTF-16 with its mark has the rules that crawler-commons reads. */
    @Test
    void utf16() {
        String text = "User-agent: *\nDisallow: /priv\u00e9\nSitemap: https://example.com/s\n";
        for (String mark : List.of("\uFEFF", "")) {
            for (Charset charset : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
                byte[] content = (mark + text).getBytes(charset);
                BaseRobotRules theirs = new SimpleRobotRulesParser().parseContent(FILE, content, "text/plain",
                        List.of("examplebot"));
                BaseRobotRules ours = parser.parseContent(FILE, content, "text/plain", List.of("examplebot"));
                for (String url : List.of("https://example.com/priv%C3%A9/x", "https://example.com/x")) {
                    assertEquals(theirs.isAllowed(url), ours.isAllowed(url), charset + " " + mark.length() + " " + url);
                }
                assertEquals(theirs.getSitemaps(), ours.getSitemaps());
                assertEquals(mark.isEmpty(), ours.isAllowed("https://example.com/priv%C3%A9/x"));
            }
        }
    }

    @Test
    void matchedWildcard() throws Exception {
        assertFalse(parse(parser, BODY, "examplebot").isMatchedWildcard());
        assertTrue(parse(parser, BODY, "nobody").isMatchedWildcard());
        assertTrue(copy(parse(parser, BODY, "nobody")).isMatchedWildcard());
        assertTrue(parse(parser, "User-agent: *\nCrawl-delay: 301\n", "nobody").isMatchedWildcard());
        assertFalse(parse(parser, "User-agent: other\nDisallow: /\n", "nobody").isMatchedWildcard(), "no group");
        assertFalse(parse(parser, "", "nobody").isMatchedWildcard());
        assertFalse(parser.failedFetch(404).isMatchedWildcard());
    }

    /** A library that cannot be loaded is an exception of the constructor, and of reading a parser from a stream. */
    @Test
    void aMissingLibraryIsReportedByTheConstructor() throws Exception {
        String java = Paths.get(System.getProperty("java.home"), "bin", "java").toString();
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        ByteArrayOutputStream parserBytes = new ByteArrayOutputStream();
        try (ObjectOutputStream objects = new ObjectOutputStream(parserBytes)) {
            objects.writeObject(parser);
        }
        Process process = new ProcessBuilder(java, "-Dlibrobots.library=/nowhere/at-all.so", "-cp", path, WithoutLibrary.class.getName(),
                Base64.getEncoder().encodeToString(parserBytes.toByteArray())).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(output.contains("constructor: librobots: "), output);
        assertTrue(output.contains("forNames: librobots: "), output);
        assertTrue(output.contains("readObject: librobots: "), output);
    }

    /** The program of a JVM without the native library. */
    public static final class WithoutLibrary {
        private WithoutLibrary() {}

        public static void main(String[] args) throws Exception {
            try {
                System.out.println("constructor: " + new LibrobotsParser());
            } catch (NativeLibraryException e) {
                System.out.println("constructor: " + e.getMessage());
            }
            try {
                System.out.println("forNames: " + LibrobotsParser.forNames("ExampleBot"));
            } catch (NativeLibraryException e) {
                System.out.println("forNames: " + e.getMessage());
            }
            try (ObjectInputStream objects = new ObjectInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(args[0])))) {
                System.out.println("readObject: " + objects.readObject());
            } catch (NativeLibraryException e) {
                System.out.println("readObject: " + e.getMessage());
            }
        }
    }

    @Test
    void noContent() {
        for (byte[] body : new byte[][] {null, {}}) {
            BaseRobotRules rules = parser.parseContent(FILE, body, null, Set.of("examplebot"));
            assertTrue(rules.isAllowAll());
            assertTrue(rules.isAllowed("https://example.com/"));
            assertEquals(BaseRobotRules.UNSET_CRAWL_DELAY, rules.getCrawlDelay());
            assertEquals(List.of(), rules.getSitemaps());
        }
        assertTrue(parse(parser, "<html>", "examplebot").isAllowAll());
    }

    /** What is known about a whole site is what the library says about each URL. */
    @Test
    void wholeSites() {
        List<String> bodies = List.of("", "# nothing\n", "#map", "User-agent: other\nDisallow: /a\n", "User-agent: *\nDisallow:\n",
                "User-agent: *\nDisallow: /\n", "User-agent: *\nCrawl-delay: 301\n", "https://example.com/robots.txt", "x".repeat(300), BODY);
        List<String> urls = new ArrayList<>(List.of("https://example.com/", "https://example.com/page", "/", "/x", "", "x", "https:///x", "https://", "https://@/x",
                "https://:1/", "https://a@/x", "https://example.com", "https://example.com?/x", "https://example.com?/", "https://example.com?/y", "mailto:x",
                "https://example.com/robots.txt", "/robots.txt", "https://example.com/%72obots.txt", "/%72%6Fbots.txt?", "/robots.txt#x", "http://example.com/x",
                "https://example.com\\@x/y", "https://example.com\\@x/", "HTTPS://example.com/x", "//x/y", "//", "https://exa\tmple.com/x", "x://y", "x://y/z",
                "/" + "a".repeat(70_000), "https://example.com/" + "\u20AC".repeat(7281 - 20), "https://example.com/" + "\u20AC".repeat(7282 - 20)));
        for (char c = 0; c < 300; c++) {
            urls.add("https://example.com/" + c);
            urls.add("https://example.com" + c + "/../\\?;");
        }
        for (Dialect dialect : Dialect.values()) {
            parser.setDialect(dialect);
            List<BaseRobotRules> all = new ArrayList<>(List.of(parser.failedFetch(404), parser.failedFetch(503), parser.failedFetch(429)));
            bodies.forEach(body -> all.add(parse(parser, body, "examplebot")));
            for (int first = 0; first < 40; first++) { // what the first URL shows is used for the others
                for (BaseRobotRules rules : all) {
                    rules.isAllowed(urls.get(first));
                    for (String url : urls) {
                        assertEquals(((LibrobotsRules) rules).rules().isAllowed(url), rules.isAllowed(url), dialect + ", " + url);
                    }
                }
            }
        }
    }

    /** The answer of a whole site allocates nothing, as a call of the library would, and its rules are not native ones. */
    @Test
    void wholeSitesNeedNoCall() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        String url = "https://example.com/a/page?q=1";
        for (String body : new String[] {"", "# nothing\n", "User-agent: other\nDisallow: /a\n"}) {
            BaseRobotRules rules = parse(parser, body, "examplebot");
            assertTrue(rules.isAllowed(url));
            long before = threads.getThreadAllocatedBytes(thread);
            int allowed = 0;
            for (int i = 0; i < 1000; i++) {
                allowed += rules.isAllowed(url) ? 1 : 0;
            }
            long bytes = threads.getThreadAllocatedBytes(thread) - before;
            assertEquals(1000, allowed);
            assertTrue(bytes < 10_000, "'" + body + "': 1000 answers allocate " + bytes + " bytes");
        }
        BaseRobotRules failed = parser.failedFetch(503);
        assertFalse(failed.isAllowed(url));
        long before = threads.getThreadAllocatedBytes(thread);
        for (int i = 0; i < 1000; i++) {
            failed.isAllowed(url);
        }
        long bytes = threads.getThreadAllocatedBytes(thread) - before;
        assertTrue(bytes < 10_000, "503: 1000 answers allocate " + bytes + " bytes");
    }

    /** To close the rules of one site closes those of no other. */
    @Test
    void closedRules() {
        byte[] gzip = {0x1F, (byte) 0x8B, 8, 0};
        for (byte[] body : new byte[][] {{}, "# nothing".getBytes(StandardCharsets.US_ASCII), gzip}) {
            BaseRobotRules one = parser.parseContent(FILE, body, "text/plain", List.of("examplebot"));
            ((LibrobotsRules) one).rules().close();
            BaseRobotRules other = parser.parseContent(FILE, body, "text/plain", List.of("examplebot"));
            assertEquals(body != gzip, other.isAllowed("/x"));
            assertEquals(body != gzip, ((LibrobotsRules) other).rules().isAllowed("/x"));
        }
    }

    @Test
    void failedFetches() {
        for (int status : new int[] {400, 401, 403, 404, 410, 428, 430, 499}) {
            BaseRobotRules rules = parser.failedFetch(status);
            assertTrue(rules.isAllowAll() && rules.isAllowed("/x") && !rules.isDeferVisits(), "status " + status);
        }
        for (int status : new int[] {300, 301, 304, 429, 500, 503, 599, 100, 0, -1, 600}) {
            BaseRobotRules rules = parser.failedFetch(status);
            assertTrue(rules.isAllowNone() && !rules.isAllowed("/x") && rules.isDeferVisits(), "status " + status);
            assertFalse(rules.isAllowAll());
            assertEquals(Reason.UNREACHABLE, ((LibrobotsRules) rules).check("/x").reason(), "no ban: status " + status);
        }
        assertThrows(IllegalStateException.class, () -> parser.failedFetch(200));
        parser.setDialect(Dialect.KOSTER1996);
        BaseRobotRules forbidden = parser.failedFetch(403); // SPEC 2.6
        assertTrue(forbidden.isAllowNone() && !forbidden.isDeferVisits());
        BaseRobotRules failed = parser.failedFetch(503);
        assertTrue(failed.isAllowNone() && failed.isDeferVisits());
    }

    @Test
    void longDelays() {
        String body = "User-agent: *\nCrawl-delay: 301\n";
        assertTrue(parse(parser, body, "bot").isAllowNone());
        parser.setMaxCrawlDelay(301_000);
        BaseRobotRules rules = parse(parser, body, "bot");
        assertFalse(rules.isAllowNone());
        assertEquals(301_000, rules.getCrawlDelay());
        assertEquals(0, parse(parser, "User-agent: *\nCrawl-delay: 0\n", "bot").getCrawlDelay());
    }

    @Test
    void options() {
        assertTrue(parse(parser, "User-agent: *\nAllow: /index.html\nDisallow: /\n", "bot").isAllowed("/index.html"));
        assertFalse(parse(parser, "User-agent: *\nAllow: /index.html\nDisallow: /\n", "bot").isAllowed("/"));
        parser.setDialect(Dialect.GOOGLE);
        assertTrue(parse(parser, "User-agent: *\nAllow: /index.html\nDisallow: /\n", "bot").isAllowed("/"));
        assertFalse(parse(parser, BODY).isAllowed("/x"), "no name in this dialect either");
        String large = "#".repeat(600_000) + "\nUser-agent: *\nDisallow: /\n";
        assertTrue(parse(parser, large, "bot").isAllowed("/x"));
        parser.setMaxBytes(1_000_000);
        assertFalse(parse(parser, large, "bot").isAllowed("/x"));
        assertThrows(IllegalArgumentException.class, () -> parser.setMaxBytes(1));
        assertThrows(NullPointerException.class, () -> parser.setDialect(null));
    }

    @Test
    void serializationAndEquality() throws Exception {
        BaseRobotRules rules = parse(parser, BODY, "examplebot");
        BaseRobotRules again = copy(rules);
        assertEquals(rules, again);
        assertEquals(rules.hashCode(), again.hashCode());
        assertEquals(rules.getSitemaps(), again.getSitemaps());
        assertEquals(1500, again.getCrawlDelay());
        assertFalse(again.isAllowed("/private"));
        assertNotEquals(rules, parse(parser, BODY, "other"));
        again.setDeferVisits(true);
        assertNotEquals(rules, again);
        assertEquals(parser.failedFetch(404), parser.failedFetch(410));
        for (String body : new String[] {"", "#", "User-agent: *\n"}) {
            BaseRobotRules whole = parse(parser, body, "examplebot");
            assertTrue(whole.isAllowed("/x"));
            assertEquals(whole, copy(whole));
            assertTrue(copy(whole).isAllowed("/y"));
        }
        parser.setMaxCrawlDelay(1000);
        assertTrue(parse(copy(parser), BODY, "examplebot").isAllowNone(), "a parser keeps its settings");
    }

    @SuppressWarnings("unchecked")
    private static <T> T copy(T object) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
            objects.writeObject(object);
        }
        try (ObjectInputStream objects = new ObjectInputStream(new ByteArrayInputStream(out.toByteArray()))) {
            return (T) objects.readObject();
        }
    }

    /** The common behavior of the two parsers, and each difference that the package documentation lists. */
    @Test
    void comparedWithCrawlerCommons() {
        SimpleRobotRulesParser theirs = new SimpleRobotRulesParser();
        theirs.setExactUserAgentMatching(true);
        String[] urls = {"https://example.com/", "https://example.com/private", "https://example.com/private/open/x", "https://example.com/a.php",
            "https://example.com/a.php?b", "https://example.com/caf%C3%A9", "https://example.com/café", "https://example.com/%7Ejoe", "https://example.com/~joe"};
        String rules = "User-agent: *\nDisallow: /private\nAllow: /private/open\nDisallow: /*.php$\nDisallow: /café\nDisallow: /~joe\n";
        for (String url : urls) {
            assertEquals(parse(theirs, rules, "bot").isAllowed(url), parse(parser, rules, "bot").isAllowed(url), url);
        }
        String page = "https://example.com/x";
        differ("SPEC 4.1", theirs, "User-agent: *\u0085Disallow: /x\n", page, false, true);
        differ("SPEC 4.1", theirs, "User-agent: *\nDisallow: /y\u2028Disallow: /x\n", page, false, true);
        differ("SPEC 4.3", theirs, "<html><body>\nUser-agent: *\n<p>Disallow: /x\n", page, false, true);
        differ("SPEC 4.4", theirs, "User-agent: *\nDisallow: \0/x\n", page, false, true);
        assertEquals(1, parse(theirs, "sitemap https://example.com/s\n", "bot").getSitemaps().size(), "SPEC 5.1");
        assertEquals(0, parse(parser, "sitemap https://example.com/s\n", "bot").getSitemaps().size(), "SPEC 5.1");
        differ("SPEC 5.4", theirs, "User-agent: *\nDesallow: /x\n", page, false, true);
        assertEquals(List.of(), parse(theirs, "Site-map: https://example.com/s\n", "bot").getSitemaps(), "SPEC 5.4");
        assertEquals(List.of("https://example.com/s"), parse(parser, "Site-map: https://example.com/s\n", "bot").getSitemaps(), "SPEC 5.4");
        String between = "User-agent: *\nCrawl-delay: 1\nUser-agent: bot\nDisallow: /x\n";
        delays("SPEC 6.1", theirs, between, BaseRobotRules.UNSET_CRAWL_DELAY, 1000);
        assertTrue(!parse(theirs, "User-agent: other\nDisallow: /\n", "bot").isAllowAll(), "SPEC 7.1");
        assertTrue(parse(parser, "User-agent: other\nDisallow: /\n", "bot").isAllowAll(), "SPEC 7.1");
        differ("SPEC 7.4", theirs, "User-agent: * bot\nDisallow: /x\n", page, true, false);
        assertFalse(parse(theirs, "User-agent: two words\nDisallow: /x\n", "two words").isAllowed(page), "SPEC 7.9");
        assertFalse(parse(parser, "User-agent: two words\nDisallow: /x\n", "two words").isAllowed(page), "SPEC 7.9");
        differ("SPEC 8.4", theirs, "User-agent: *\nDisallow: /x$y\n", page + "$y", true, false);
        differ("SPEC 8.5b", theirs, "User-agent: *\nDisallow: /x\n", "no url", true, false);
        differ("SPEC 8.5b", theirs, "User-agent: *\nDisallow: /x\n", "/x", true, false);
        differ("SPEC 8.6", theirs, "User-agent: *\nDisallow: /x%3A\n", page + ":", true, false);
        differ("SPEC 8.6", theirs, "User-agent: *\nDisallow: /x@\n", page + "%40", true, false);
        differ("SPEC 8.6", theirs, "User-agent: *\nDisallow: /x,y\n", page + "%2Cy", true, false);
        differ("SPEC 8.6", theirs, "User-agent: *\nDisallow: /?u=a/b\n", "https://example.com/?u=a%2Fb", true, false);
        differ("SPEC 8.10", theirs, "User-agent: *\nAllow: /index.html\nDisallow: /\n", "https://example.com/", true, false);
        differ("SPEC 8.11", theirs, "User-agent: *\nDisallow: /x\n", "https://example.com/a/../x", true, false);
        differ("SPEC 8.12", theirs, "User-agent: *\nDisallow: /x\n", "https://example.com/" + "a".repeat(65_536), true, false);
        assertTrue(theirs.failedFetch(302).isAllowNone() && parser.failedFetch(302).isAllowNone(), "SPEC 2.16");
        assertTrue(theirs.failedFetch(429).isAllowAll() && parser.failedFetch(429).isAllowNone(), "SPEC 2.7");
        String robots = "https://example.com/robots.txt";
        assertTrue(!theirs.failedFetch(500).isAllowed(robots) && parser.failedFetch(500).isAllowed(robots), "SPEC 8.9");
        for (String line : new String[] {"Sitemap:", "http://example.com/sitemap.xml"}) {
            assertEquals(1, parse(theirs, line + "\n", "bot").getSitemaps().size(), "SPEC 9.1");
            assertEquals(List.of(), parse(parser, line + "\n", "bot").getSitemaps(), "SPEC 9.1");
        }
        delays("SPEC 9.2", theirs, "User-agent: bot\nCrawl-delay: 1\nCrawl-delay: 2\n", 1000, 2000);
        delays("SPEC 9.2", theirs, "User-agent: bot\nCrawl-delay: 2\n\nUser-agent: bot\nCrawl-delay: 1\n", 1000, 2000);
        delays("SPEC 9.2", theirs, "User-agent: bot\nCrawl-delay: -1\n", -1000, BaseRobotRules.UNSET_CRAWL_DELAY);
        delays("SPEC 9.2", theirs, "User-agent: bot\nCrawl-delay: +1\n", 1000, BaseRobotRules.UNSET_CRAWL_DELAY);
        differ("SPEC 9.2", theirs, "User-agent: bot\nCrawl-delay: 99999999999\n", page, true, false);
        delays("SPEC 9.2", theirs, "User-agent: bot\nCrawl-delay: x\nCrawl-delay: 1\n", BaseRobotRules.UNSET_CRAWL_DELAY, 1000);
        assertThrows(IllegalArgumentException.class, () -> parse(theirs, rules, "Bot"), "SPEC 7.6");
    }

    /** SPEC 7.3: several names on one line. */
    @Test
    @SuppressWarnings("deprecation")
    void aLineHasOneName() {
        byte[] body = "User-agent: one two\nDisallow: /x\n".getBytes(StandardCharsets.UTF_8);
        SimpleRobotRulesParser theirs = new SimpleRobotRulesParser();
        theirs.setExactUserAgentMatching(false);
        assertFalse(theirs.parseContent(FILE, body, "text/plain", "two").isAllowed("https://example.com/x"), "crawler-commons has changed");
        assertTrue(parser.parseContent(FILE, body, "text/plain", "two").isAllowed("https://example.com/x"));
        assertFalse(parser.parseContent(FILE, body, "text/plain", "one").isAllowed("https://example.com/x"));
    }

    private void differ(String row, BaseRobotsParser theirs, String body, String url, boolean there, boolean here) {
        assertEquals(there, parse(theirs, body, "bot").isAllowed(url), row + ": crawler-commons has changed");
        assertEquals(here, parse(parser, body, "bot").isAllowed(url), row);
    }

    private void delays(String row, BaseRobotsParser theirs, String body, long there, long here) {
        assertEquals(there, parse(theirs, body, "bot").getCrawlDelay(), row + ": crawler-commons has changed");
        assertEquals(here, parse(parser, body, "bot").getCrawlDelay(), row);
    }

    /** As the robots parsers of StormCrawler and Nutch do: a set of names, a cache by site, and the rules as their interface. */
    @Test
    void asCrawlersUseIt() {
        Set<String> names = new LinkedHashSet<>(List.of("examplebot", "other"));
        BaseRobotsParser any = parser;
        BaseRobotRules rules = any.parseContent(FILE, BODY.getBytes(StandardCharsets.UTF_8), "text/plain; charset=utf-8", names);
        assertFalse(rules.isAllowed("https://example.com/private"));
        assertTrue(rules.toString().contains("crawl delay: 1500"));
    }
}
