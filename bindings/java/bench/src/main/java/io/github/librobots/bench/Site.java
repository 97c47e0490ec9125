package io.github.librobots.bench;

import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.SimpleRobotRulesParser;
import io.github.librobots.Crawler;
import io.github.librobots.Rules;
import io.github.librobots.crawlercommons.LibrobotsParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A robots.txt, URLs to check, and the rules of each engine. */
final class Site {
    static final int URLS = 20;
    static final Crawler CRAWLER = Crawler.builder("ExampleBot").maxBytes(1 << 30).build(); // crawler-commons has no limit
    static final List<String> NAMES = List.of("examplebot");
    static final LibrobotsParser DROP_IN = new LibrobotsParser();
    static final SimpleRobotRulesParser THEIRS = new SimpleRobotRulesParser();

    static {
        THEIRS.setExactUserAgentMatching(true);
        THEIRS.setMaxCrawlDelay(Long.MAX_VALUE);
        DROP_IN.setMaxCrawlDelay(Long.MAX_VALUE);
        DROP_IN.setMaxBytes(1 << 30);
    }

    private static final String[] GENERIC = {
        "/?%d", "/news/2024/05/%d/council-approves-new-plan-for-the-old-harbour", "/search?q=robots+exclusion&page=%d",
        "/products/furniture/living-room/corner-sofa-with-storage-%d", "/user/profile/%d/settings?tab=privacy",
        "/category/home-and-garden/page/%d/?orderby=price", "/wp-content/uploads/2023/11/annual-report-%d.pdf",
        "/caf%%C3%%A9/menu%%20%d.html", "/video/watch/%d-the-long-way-home-season-2", "/static/js/main.%d.chunk.js"
    };
    private static final String[] FILLINGS = {"", "x", "42", "news", "a/b", "summer-sale", "2024/05", "category/shoes"};

    final String host;
    final byte[] body;
    final String[] urls = new String[URLS];
    final byte[][] bytes = new byte[URLS][];
    final List<String> list;
    final byte[] text;
    final int[] offsets = new int[URLS + 1];
    final byte[] answers = new byte[URLS];
    final Rules rules;
    final BaseRobotRules dropIn;
    final BaseRobotRules theirs;

    Site(String host, byte[] body, Random random) {
        this.host = host;
        this.body = body;
        List<String> paths = Stream.of(new String(body, StandardCharsets.ISO_8859_1).split("[\r\n]+"))
                .map(String::trim).filter(l -> l.matches("(?i)(dis)?allow[ \t]*:[ \t]*/.*"))
                .map(l -> l.substring(l.indexOf(':') + 1).replaceAll("#.*", "").trim()).filter(p -> p.matches("[!-~]+"))
                .collect(Collectors.toList());
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < URLS; i++) {
            String path = String.format(GENERIC[random.nextInt(GENERIC.length)], 10_000 + random.nextInt(90_000));
            if (i % 2 == 0 && !paths.isEmpty()) { // half are from the rules of the site
                path = paths.get(random.nextInt(paths.size())).replaceAll("\\$$", "");
                path = path.replace("*", FILLINGS[random.nextInt(FILLINGS.length)]) + FILLINGS[random.nextInt(FILLINGS.length)];
            }
            urls[i] = "https://www." + host + path;
            bytes[i] = urls[i].getBytes(StandardCharsets.UTF_8);
            all.append(urls[i]);
            offsets[i + 1] = all.length();
        }
        list = Arrays.asList(urls);
        text = all.toString().getBytes(StandardCharsets.UTF_8);
        rules = CRAWLER.parse(body);
        dropIn = DROP_IN.parseContent("https://" + host + "/robots.txt", body, "text/plain", NAMES);
        theirs = THEIRS.parseContent("https://" + host + "/robots.txt", body, "text/plain", NAMES);
    }

    static Site[] corpus() {
        String folder = System.getProperty("corpus");
        Random random = new Random(1);
        List<Site> sites = new ArrayList<>();
        try (Stream<Path> files = Files.list(Paths.get(folder))) {
            for (Path file : files.sorted().collect(Collectors.toList())) {
                sites.add(new Site(file.getFileName().toString(), Files.readAllBytes(file), random));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sites.toArray(new Site[0]);
    }

    /** Returns a file with {@code rules} rules, one in ten with a wildcard. */
    static byte[] generate(int rules, Random random) {
        StringBuilder body = new StringBuilder("User-agent: *\n");
        for (int i = 0; i < rules; i++) {
            body.append(i % 7 == 0 ? "Allow: /" : "Disallow: /").append(FILLINGS[2 + random.nextInt(6)]).append('/')
                    .append(Integer.toString(random.nextInt(1 << 24), 36)).append(i % 10 == 9 ? "*.html$" : "/").append('\n');
        }
        return body.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
