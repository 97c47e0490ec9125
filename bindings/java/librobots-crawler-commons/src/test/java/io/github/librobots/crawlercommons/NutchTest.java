package io.github.librobots.crawlercommons;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import crawlercommons.robots.BaseRobotRules;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.protocol.Protocol;
import org.apache.nutch.protocol.RobotRulesParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Apache Nutch with this parser instead of that of crawler-commons: Nutch passes the names and queries the rules. */
class NutchTest {
    /** Nutch's class for robots.txt, with another parser and another source of the file. */
    private static final class Parser extends RobotRulesParser {
        private final LibrobotsParser parser = new LibrobotsParser();
        private final List<BaseRobotRules> made = new ArrayList<>();

        @Override
        public BaseRobotRules parseRules(String url, byte[] content, String contentType, Collection<String> robotName) {
            BaseRobotRules rules = parser.parseContent(url, content, contentType, robotName);
            made.add(rules);
            return rules;
        }

        @Override
        public BaseRobotRules getRobotRulesSet(Protocol protocol, URL url, List<Content> robotsTxtContent) {
            try (InputStream in = url.openStream()) {
                return parseRules(url.toString(), in.readAllBytes(), "text/plain", agentNames);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @TempDir
    Path folder;

    /** Returns the output of Nutch's command that checks a list of URLs, without its first line, the names. */
    private String run(Parser nutch, String file, String... urls) throws IOException {
        Path robots = Files.write(folder.resolve("robots.txt"), file.getBytes(StandardCharsets.UTF_8));
        Path list = Files.write(folder.resolve("urls.txt"), List.of(urls));
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            assertEquals(0, nutch.run(new String[] {robots.toString(), list.toString()}));
        } finally {
            System.setOut(before);
        }
        String text = printed.toString(StandardCharsets.UTF_8);
        return text.substring(text.indexOf('\n') + 1);
    }

    private static Parser nutch(String agentName, String more) {
        Configuration conf = new Configuration(false);
        conf.set("http.agent.name", agentName);
        conf.set("http.robots.agents", more);
        Parser nutch = new Parser();
        nutch.setConf(conf);
        return nutch;
    }

    @Test
    void nutchCommandQueriesOurRules() throws IOException {
        Parser nutch = nutch("ExampleBot", "other-bot");
        String output = run(nutch, "User-agent: ExampleBot\nDisallow: /private\nCrawl-delay: 1.5\nSitemap: https://example.com/s.xml\n",
                "https://example.com/page", "https://example.com/private/x");
        assertEquals("allowed:\thttps://example.com/page\nnot allowed:\thttps://example.com/private/x\n", output);
        BaseRobotRules rules = nutch.made.get(0);
        assertTrue(rules instanceof LibrobotsRules);
        assertEquals(1500, rules.getCrawlDelay());
        assertEquals(List.of("https://example.com/s.xml"), rules.getSitemaps());
    }

    @Test
    void furtherNamesOfNutchCount() throws IOException {
        String file = "User-agent: other-bot\nDisallow: /other\n\nUser-agent: *\nDisallow: /\n";
        String page = "http://a.example/page", other = "http://a.example/other";
        assertEquals("allowed:\t" + page + "\nnot allowed:\t" + other + "\n",
                run(nutch("ExampleBot", "other-bot"), file, page, other));
        assertEquals("not allowed:\t" + page + "\n", run(nutch("ExampleBot", ""), file, page));
    }

    /** The rules of a failed fetch have the same flags as Nutch's own. */
    @Test
    void failedFetchesHaveTheFlagsOfNutch() {
        LibrobotsParser parser = new LibrobotsParser();
        assertEquals(RobotRulesParser.DEFER_VISIT_RULES.isDeferVisits(), parser.failedFetch(503).isDeferVisits());
        assertEquals(RobotRulesParser.EMPTY_RULES.isAllowAll(), parser.failedFetch(404).isAllowAll());
        assertEquals(RobotRulesParser.EMPTY_RULES.isDeferVisits(), parser.failedFetch(404).isDeferVisits());
    }
}
