package io.github.librobots;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The shared case files, tests/data/*.case, with one character per byte (ISO 8859-1). */
final class Cases {
    /** One case. {@link #run} throws if a result differs. */
    static final class Case {
        String title;
        Dialect dialect = Dialect.RFC9309;
        final List<String> tokens = new ArrayList<>();
        final List<String> badTokens = new ArrayList<>();
        final List<String[]> settings = new ArrayList<>();
        final List<String[]> expected = new ArrayList<>();
        final ByteArrayOutputStream body = new ByteArrayOutputStream();

        Crawler.Builder builder(String first) {
            Crawler.Builder builder = Crawler.builder(first).dialect(dialect);
            for (String[] setting : settings) {
                String wanted = setting[0].replace("_", "");
                int option = BuilderOptions.NAMES.length;
                do {
                    if (--option == 0) {
                        throw new AssertionError("BuilderOptions lacks " + setting[0] + ": run `make api`");
                    }
                } while (!BuilderOptions.NAMES[option].equalsIgnoreCase(wanted));
                builder.set(option, Long.parseLong(setting[1]));
            }
            return builder;
        }

        void run() {
            for (String token : badTokens) {
                try {
                    Crawler.Builder builder = builder(token);
                    builder.build();
                } catch (IllegalArgumentException e) {
                    expect(Status.TOKEN.text(), e.getCause().getMessage(), "refusal of " + token);
                    continue;
                }
                throw new AssertionError("token accepted: " + token);
            }
            if (expected.isEmpty()) {
                expect(false, badTokens.isEmpty(), "nothing is expected");
                return;
            }
            Crawler.Builder builder = builder(tokens.isEmpty() ? "ExampleBot" : tokens.get(0));
            tokens.stream().skip(1).forEach(builder::fallback);
            Crawler crawler = builder.build();
            Rules parsed = crawler.parse(body.toByteArray());
            for (String[] words : expected) {
                if (!words[0].startsWith("sitemap") && !words[0].equals("delay")) {
                    once(crawler, parsed, bytes(words[words.length - 1]));
                }
            }
            for (Rules rules : new Rules[] {parsed, Rules.fromImage(parsed.image())}) {
                compare(rules);
            }
        }

        private void once(Crawler crawler, Rules rules, byte[] url) {
            expect(rules.check(url), crawler.checkOnce(body.toByteArray(), url), "at once");
            String text = new String(url, StandardCharsets.UTF_8);
            expect(rules.check(text), crawler.checkOnce(body.toByteArray(), text), "at once, as text");
        }

        private void compare(Rules rules) {
            List<byte[]> urls = new ArrayList<>();
            List<Boolean> allowed = new ArrayList<>();
            List<String> sitemaps = new ArrayList<>();
            boolean askSitemaps = false;
            for (String[] words : expected) {
                switch (words[0]) {
                    case "delay":
                        expect(words[1].equals("none") ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(words[1])),
                                rules.crawlDelay(), "delay");
                        break;
                    case "sitemaps":
                        askSitemaps = true;
                        break;
                    case "sitemap":
                        askSitemaps = true;
                        sitemaps.add(new String(bytes(words[1]), StandardCharsets.UTF_8));
                        break;
                    case "error": {
                        byte[] url = bytes(words[2]);
                        Verdict verdict = rules.check(url);
                        expect(words[1], verdict.status().name().toLowerCase(), words[2]);
                        expect(Reason.NONE, verdict.reason(), words[2]);
                        urls.add(url);
                        allowed.add(false);
                        break;
                    }
                    default: {
                        byte[] url = bytes(words[3]);
                        Verdict verdict = rules.check(url);
                        String found = (verdict.allowed() ? "allowed " : "disallowed ") + verdict.line() + " "
                                + verdict.reason().name().toLowerCase();
                        expect(words[0] + " " + words[1] + " " + words[2], found, words[3]);
                        expect(Status.OK, verdict.status(), words[3]);
                        expect(verdict.allowed(), rules.isAllowed(url), words[3]);
                        String text = new String(url, StandardCharsets.UTF_8);
                        if (!text.contains("\uFFFD")) {
                            expect(verdict, rules.check(text), "as text: " + words[3]);
                        }
                        urls.add(url);
                        allowed.add(verdict.allowed());
                    }
                }
            }
            if (askSitemaps) {
                expect(sitemaps, rules.sitemaps(), "sitemaps");
            }
            java.util.BitSet together = rules.checkAll(urls.toArray(new byte[0][]));
            for (int i = 0; i < allowed.size(); i++) {
                expect(allowed.get(i), together.get(i), "in a batch, URL " + i);
            }
        }

        @Override
        public String toString() {
            return title;
        }
    }

    private Cases() {}

    static void expect(Object wanted, Object found, String what) {
        if (!wanted.equals(found)) {
            throw new AssertionError(what + ": wanted " + wanted + ", found " + found);
        }
    }

    static List<Case> all() {
        Path folder = Paths.get(System.getProperty("cases"));
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(f -> f.toString().endsWith(".case")).sorted().flatMap(f -> read(f).stream()).collect(Collectors.toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Case> read(Path file) {
        List<Case> cases = new ArrayList<>();
        List<String> lines;
        try {
            lines = List.of(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).split("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Case current = null;
        for (String line : lines) {
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String[] words = line.split(" ", 2);
            if (words[0].equals("case")) {
                current = new Case();
                current.title = words[1];
                cases.add(current);
            } else {
                add(current, words[0], words.length > 1 ? words[1] : "");
            }
        }
        return cases;
    }

    private static void add(Case to, String word, String rest) {
        switch (word) {
            case "dialect": to.dialect = Dialect.valueOf(rest.toUpperCase()); break;
            case "token": to.tokens.add(text(rest)); break;
            case "bad_token": to.badTokens.add(text(rest)); break;
            case "set": to.settings.add(rest.split(" ")); break;
            case "|": bodyLine(to, rest, 1); break;
            case "repeat": {
                String[] words = rest.split(" ", 2);
                String line = words[1].startsWith("| ") ? words[1].substring(2) : words[1].substring(1);
                bodyLine(to, line, Integer.parseInt(words[0]));
                break;
            }
            case "delay": case "sitemap": case "sitemaps":
                to.expected.add(new String[] {word, rest});
                break;
            case "error": {
                String[] words = rest.split(" ", 2);
                to.expected.add(new String[] {word, words[0], words.length > 1 ? words[1] : ""});
                break;
            }
            case "allowed": case "disallowed": {
                String[] words = rest.split(" ", 3);
                to.expected.add(new String[] {word, words[0], words[1], words.length > 2 ? words[2] : ""});
                break;
            }
            default: throw new AssertionError("unknown word " + word + " in case " + to.title);
        }
    }

    private static void bodyLine(Case to, String line, int times) {
        boolean end = !line.endsWith("\\") || line.endsWith("\\\\");
        byte[] bytes = bytes(end ? line : line.substring(0, line.length() - 1));
        for (int i = 0; i < times; i++) {
            to.body.writeBytes(bytes);
            if (end) {
                to.body.write('\n');
            }
        }
    }

    private static String text(String escaped) {
        return new String(bytes(escaped), StandardCharsets.UTF_8);
    }

    /** Decodes the escapes. */
    static byte[] bytes(String escaped) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < escaped.length(); i++) {
            char c = escaped.charAt(i);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            switch (escaped.charAt(++i)) {
                case 'x':
                    out.append((char) Integer.parseInt(escaped.substring(i + 1, i + 3), 16));
                    i += 2;
                    break;
                case 'r': out.append('\r'); break;
                case 'n': out.append('\n'); break;
                case 't': out.append('\t'); break;
                case 's': out.append(' '); break;
                case '\\': out.append('\\'); break;
                default: throw new AssertionError("unknown escape in " + escaped);
            }
        }
        return out.toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
