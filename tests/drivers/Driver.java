import io.github.librobots.CacheCounts;
import io.github.librobots.CacheDecision;
import io.github.librobots.Crawler;
import io.github.librobots.Dialect;
import io.github.librobots.Difference;
import io.github.librobots.Fetch;
import io.github.librobots.FetchOption;
import io.github.librobots.Origin;
import io.github.librobots.Outcome;
import io.github.librobots.PageControls;
import io.github.librobots.RobotsCache;
import io.github.librobots.Rules;
import io.github.librobots.RulesImage;
import io.github.librobots.Status;
import io.github.librobots.Ticket;
import io.github.librobots.Uses;
import io.github.librobots.Verdict;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.OptionalDouble;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The driver for Java; README.md documents what it reads and writes. */
public final class Driver {
    private Driver() {}

    public static void main(String[] args) throws IOException {
        Fields.serve("librobots-java " + System.getenv().getOrDefault("ROBOTS_VERSION", ""), Driver::answer);
    }

    private static String answer(Fields it) {
        try {
            return answerOf(it);
        } catch (RuntimeException | OutOfMemoryError e) {
            return error(e);
        }
    }

    private static String answerOf(Fields it) {
        switch (it.text("kind")) {
            case "rules": return ofRules(it);
            case "script": return new Script(it).play(it);
            case "difference": return difference(it);
            case "origin":
                byte[] url = it.bytes("url");
                byte[] found = Origin.findRobotsUrl(url, 0, url.length);
                return found == null ? "error" : "value " + Fields.escaped(found);
            case "governs": return Origin.of(it.text("robots_url")).governs(it.text("url")) ? "value yes" : "value no";
            default:
                Crawler crawler = crawler(it.fields());
                return answer(crawler, it);
        }
    }

    private static String answer(Crawler crawler, Fields it) {
        switch (it.text("kind")) {
            case "fetch": return word(play(crawler, it).check(it.text("url"), seconds(it.text("at"))));
            case "due": {
                List<byte[]> attempts = it.all("attempt");
                Instant last = seconds(text(attempts.get(attempts.size() - 1)));
                return "value " + Duration.between(last, play(crawler, it).retryAt()).getSeconds();
            }
            case "outcome": return words(play(crawler, it));
            case "page": case "page-rule": case "page-unknown": return page(crawler, it);
            case "use": case "use-signals": case "use-receipt": return uses(crawler, it);
            default: return ofFile(crawler, it);
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static boolean isText(byte[] bytes) {
        return Arrays.equals(text(bytes).getBytes(StandardCharsets.UTF_8), bytes);
    }

    /** Returns the name that tests/data/api.json has for a value. */
    private static String name(Enum<?> value) {
        return (value == Status.TIME ? Status.ARGUMENT : value).name().toLowerCase(Locale.ROOT);
    }

    private static Instant seconds(String text) {
        return Instant.ofEpochSecond(Long.parseLong(text));
    }

    /** Returns the name of the status that an exception stands for: that whose text it or its cause has. */
    private static String error(Throwable e) {
        for (Throwable each = e; each != null; each = each.getCause()) {
            for (Status status : Status.values()) {
                if (String.valueOf(each.getMessage()).contains(status.text())) {
                    return "error " + name(status);
                }
            }
        }
        boolean isState = e instanceof IllegalStateException || e instanceof NoSuchElementException;
        boolean isArgument = e instanceof IllegalArgumentException || e instanceof IndexOutOfBoundsException;
        return "error " + (isState ? "state" : isArgument ? "argument" : e.toString().replaceAll("\\s+", " "));
    }

    // --- crawlers --------------------------------------------------------------------------------------------------

    /** Calls the setter of an option by its name, such as {@code max_bytes}; returns whether there is one. */
    private static boolean set(Object builder, String name, long value) {
        String[] words = name.split("_");
        StringBuilder wanted = new StringBuilder(words[0]);
        for (int i = 1; i < words.length; i++) {
            wanted.append(words[i].substring(0, 1).toUpperCase(Locale.ROOT)).append(words[i].substring(1));
        }
        for (Method method : builder.getClass().getMethods()) {
            if (method.getName().equalsIgnoreCase(wanted.toString()) && method.getParameterCount() == 1) {
                Class<?> type = method.getParameterTypes()[0];
                Object argument = type == boolean.class ? (Object) (value != 0) : type == int.class ? (Object) (int) value
                        : type == Duration.class ? Duration.ofMillis(value) : (Object) value;
                try {
                    method.invoke(builder, argument);
                    return true;
                } catch (InvocationTargetException e) {
                    throw (RuntimeException) e.getCause();
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException(wanted.toString(), e);
                }
            }
        }
        return false;
    }

    /** Returns the crawler that fields describe. */
    private static Crawler crawler(List<Fields.Field> fields) {
        List<String> agents = new ArrayList<>();
        Map<String, Long> options = new LinkedHashMap<>();
        Dialect dialect = Dialect.RFC9309;
        for (Fields.Field field : fields) {
            switch (field.name) {
                case "agent": agents.add(field.text()); break;
                case "dialect": dialect = Dialect.valueOf(field.text().toUpperCase(Locale.ROOT)); break;
                case "option": options.put(field.text().split(":")[0], Long.valueOf(field.text().split(":")[1])); break;
                default:
            }
        }
        if (agents.isEmpty()) {
            throw new IllegalArgumentException("no token");
        }
        Crawler.Builder builder = agents.equals(List.of("*")) ? Crawler.builder() : Crawler.builder(agents.get(0));
        builder.dialect(dialect);
        options.forEach((name, value) -> {
            if (Arrays.stream(FetchOption.values()).anyMatch(option -> name(option).equals(name))) {
                FetchOption option = FetchOption.valueOf(name.toUpperCase(Locale.ROOT));
                if (name.startsWith("on_")) {
                    builder.fetch(option, Outcome.Kind.values()[value.intValue()]);
                } else {
                    builder.fetch(option, value);
                }
            } else if (!set(builder, name, value)) {
                throw new IllegalStateException("Crawler.Builder lacks " + name + ": run `make api`");
            }
        });
        agents.stream().skip(1).forEach(builder::fallback);
        return builder.build();
    }

    // --- kind=rules ------------------------------------------------------------------------------------------------

    private static String ofRules(Fields it) {
        Crawler crawler;
        try {
            crawler = crawler(it.fields());
        } catch (IllegalArgumentException e) {
            return "status=" + Status.TOKEN.ordinal(); // a Java exception has no number
        }
        byte[] body = it.bytes("robots");
        byte[][] urls = it.all("url").toArray(new byte[0][]);
        Rules rules = crawler.parse(body), again = Rules.fromImage(rules.image());
        OptionalDouble delay = rules.crawlDelay();
        StringBuilder out = new StringBuilder("status=0\tdelay=").append(delay.isPresent() ? "" + delay.getAsDouble() : "none");
        rules.sitemaps().forEach(sitemap -> out.append("\tsitemap=").append(Fields.escaped(sitemap)));
        byte[] image = crawler.compile(body);
        out.append("\timage=").append(Fields.escaped(image));
        new Ways(out, urls).ask(crawler, body, rules, again, image);
        return out.toString();
    }

    /** All ways to ask about URLs. */
    private static final class Ways {
        /** A URL that a String cannot hold. */
        private static final long NONE = -1;

        private final StringBuilder out;
        private final byte[][] urls;
        private final String[] strings;

        Ways(StringBuilder out, byte[][] urls) {
            this.out = out;
            this.urls = urls;
            strings = Arrays.stream(urls).map(url -> isText(url) ? text(url) : null).toArray(String[]::new);
        }

        private void way(String name, String kind, IntToLongFunction ask) {
            String numbers = IntStream.range(0, urls.length).mapToLong(i -> !name.contains("String") || strings[i] != null ? ask.applyAsLong(i) : NONE)
                    .mapToObj(number -> number == NONE ? "-" : Long.toHexString(number)).collect(Collectors.joining(","));
            out.append("\tway=").append(Fields.escaped(Fields.escaped(name) + " " + kind + " " + numbers));
        }

        void ask(Crawler crawler, byte[] body, Rules rules, Rules again, byte[] image) {
            byte[] text = new byte[Arrays.stream(urls).mapToInt(url -> url.length).sum()];
            int[] offsets = new int[urls.length + 1];
            List<Integer> places = new ArrayList<>();
            for (int i = 0; i < urls.length; i++) {
                System.arraycopy(urls[i], 0, text, offsets[i], urls[i].length);
                offsets[i + 1] = offsets[i] + urls[i].length;
                if (strings[i] != null) {
                    places.add(i);
                }
            }
            byte[] verdicts = new byte[urls.length];
            rules.checkAll(text, offsets, verdicts);
            BitSet allowed = rules.checkAll(urls), ofStrings = new BitSet();
            rules.checkAll(places.stream().map(i -> strings[i]).collect(Collectors.toList())).stream()
                    .forEach(i -> ofStrings.set(places.get(i)));
            way("Rules.check(byte[])", "word", i -> word(rules.check(urls[i])));
            way("Rules.check(byte[]), from an image", "word", i -> word(again.check(urls[i])));
            way("Rules.check(byte[], int, int)", "word", i -> word(rules.check(text, offsets[i], urls[i].length)));
            way("Rules.check(ByteBuffer)", "word", i -> word(rules.check(direct(urls[i]))));
            way("Rules.check(String)", "word", i -> word(rules.check(strings[i])));
            way("RulesImage.check", "word", i -> word(RulesImage.check(image, 0, image.length, text, offsets[i], urls[i].length)));
            way("RulesImage.check(String)", "word", i -> word(RulesImage.check(image, strings[i])));
            way("Crawler.checkOnce(byte[])", "word", i -> word(crawler.checkOnce(body, urls[i])));
            way("Crawler.checkOnce(String)", "word", i -> word(crawler.checkOnce(body, strings[i])));
            way("Rules.isAllowed(byte[])", "allowed", i -> bit(rules.isAllowed(urls[i])));
            way("Rules.isAllowed(byte[], int, int)", "allowed", i -> bit(rules.isAllowed(text, offsets[i], urls[i].length)));
            way("Rules.isAllowed(ByteBuffer)", "allowed", i -> bit(rules.isAllowed(direct(urls[i]))));
            way("Rules.isAllowed(String)", "allowed", i -> bit(rules.isAllowed(strings[i])));
            way("RulesImage.isAllowed", "allowed", i -> bit(RulesImage.isAllowed(image, text, offsets[i], urls[i].length)));
            way("Rules.checkAll(byte[], int[], byte[])", "batch", i -> verdicts[i]);
            way("Rules.checkAll(byte[][])", "allowed", i -> bit(allowed.get(i)));
            way("Rules.checkAll(List of String)", "allowed", i -> bit(ofStrings.get(i)));
        }

        private static ByteBuffer direct(byte[] bytes) {
            return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        }

        /** Returns the word of a verdict. */
        private static long word(Verdict verdict) {
            return bit(verdict.allowed()) | bit(verdict.isSiteWide()) << 1 | (long) verdict.reason().ordinal() << 8 | (long) verdict.status().ordinal() << 16
                    | verdict.line() << 32;
        }
    }

    private static long bit(boolean is) {
        return is ? 1 : 0;
    }

    // --- the kinds of the conformance suite ------------------------------------------------------------------------

    private static String ofFile(Crawler crawler, Fields it) {
        Rules rules = crawler.parse(it.bytes("robots"));
        switch (it.text("kind")) {
            case "crawl-delay":
                OptionalDouble delay = rules.crawlDelay();
                boolean isWhole = delay.isPresent() && delay.getAsDouble() == Math.rint(delay.getAsDouble());
                return "value " + (isWhole ? "" + (long) delay.getAsDouble() : delay.isPresent() ? "" + delay.getAsDouble() : "none");
            case "sitemaps":
                StringBuilder all = new StringBuilder("value");
                rules.sitemaps().forEach(sitemap -> all.append(' ').append(Fields.escaped(sitemap)));
                // A String cannot hold what is not UTF-8.
                return all.indexOf("%EF%BF%BD") < 0 ? all.toString() : "unsupported bytes";
            default:
                Verdict verdict = rules.check(it.bytes("url"));
                return word(verdict) + " " + verdict.line();
        }
    }

    private static String word(Verdict verdict) {
        switch (verdict.reason()) {
            case NONE: return "error";
            case UNREACHABLE: case DEFER: return "defer";
            default: return verdict.allowed() ? "allow" : "deny";
        }
    }

    private static void fail(Fetch fetch, String failure, Instant now) {
        if (failure.isEmpty()) {
            fetch.end();
        } else {
            fetch.fail(Fetch.Failure.valueOf(failure.replace("encodedbody", "encoded_body").toUpperCase(Locale.ROOT)), now);
        }
    }

    private static void body(Fetch fetch, byte[] piece) {
        if (fetch.step() == Fetch.Step.HEADERS) {
            fetch.headersEnd();
        }
        if (fetch.step() == Fetch.Step.BODY) {
            fetch.body(piece, 0, piece.length);
        }
    }

    /** Plays the attempts, and returns the last outcome. */
    private static Outcome play(Crawler crawler, Fields it) {
        Outcome last = null;
        Instant now = null;
        Fetch fetch = null;
        String header = null;
        for (Fields.Field field : it.fields()) {
            switch (field.name) {
                case "attempt":
                    now = seconds(field.text());
                    fetch = Fetch.begin(it.text("site"), now, crawler);
                    if (last != null) {
                        fetch.setPrevious(last);
                    }
                    break;
                case "status": fetch.status(Integer.parseInt(field.text()), now); break;
                case "header": header = field.latin1(); break;
                case "value": fetch.header(header, field.latin1()); break;
                case "body": body(fetch, field.value); break;
                case "end":
                    fail(fetch, field.text(), now);
                    if (fetch.step() == Fetch.Step.DONE) {
                        last = fetch.outcome();
                        fetch.close();
                    }
                    break;
                default:
            }
        }
        return last;
    }

    private static String words(Outcome outcome) {
        String times = Stream.of(outcome.fetchedAt(), outcome.freshUntil(), outcome.usableUntil(), outcome.retryAt())
                .map(time -> time.getEpochSecond() + " ").collect(Collectors.joining());
        return "value " + name(outcome.kind()) + " " + name(outcome.cause()) + " " + outcome.httpStatus() + " " + outcome.hops() + " "
                + bit(outcome.downgraded()) + " " + bit(outcome.stale()) + " " + times
                + outcome.unreachableSince().map(time -> "" + time.getEpochSecond()).orElse("-") + " " + word(outcome.finalUrl());
    }

    /** Returns text as a word of an event: "~" stands for the empty one, "~~" for "~". */
    private static String word(String text) {
        return word(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String word(byte[] text) {
        return text.length == 0 || text.length == 1 && text[0] == '~' ? "~".repeat(text.length + 1) : Fields.escaped(text);
    }

    /** Returns the fields of each crawler. */
    private static List<List<Fields.Field>> sides(Fields it) {
        List<List<Fields.Field>> sides = new ArrayList<>(List.of(new ArrayList<>()));
        for (Fields.Field field : it.fields()) {
            if (field.name.equals("next")) {
                sides.add(new ArrayList<>());
            }
            sides.get(sides.size() - 1).add(field);
        }
        return sides;
    }

    private static String difference(Fields it) {
        List<Rules> rules = new ArrayList<>();
        for (List<Fields.Field> side : sides(it)) {
            Crawler crawler = crawler(side);
            rules.add(crawler.parse(it.all("robots").get(rules.size())));
        }
        Difference found = rules.get(0).difference(rules.get(1));
        StringBuilder out = new StringBuilder("value ").append(name(found.result()));
        for (Difference.Path path : found.paths()) {
            out.append(' ').append(Fields.escaped(path.path()));
            path.verdicts().forEach(verdict -> out.append(' ').append(Script.words(verdict)));
        }
        return out.toString();
    }

    private static PageControls pageControls(Crawler crawler, Fields it) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        it.pairs("header", (name, value) -> headers.computeIfAbsent(name.latin1(), any -> new ArrayList<>()).add(value.latin1()));
        PageControls page = PageControls.of(crawler, headers);
        it.pairs("meta", (name, content) -> page.addMeta(name.text(), content.text()));
        return page;
    }

    private static String page(Crawler crawler, Fields it) {
        PageControls page = pageControls(crawler, it);
        switch (it.text("kind")) {
            case "page-unknown":
                return page.unknown().stream().map(rule -> " " + where(rule)).collect(Collectors.joining("", "value", ""));
            default:
                PageControls.Control control = PageControls.Control.valueOf(it.text("control").toUpperCase(Locale.ROOT));
                PageControls.Rule rule = page.decidedBy(control);
                return "value " + page.value(control) + (it.text("kind").equals("page") ? "" : " " + where(rule) + " "
                        + (rule.agent().isEmpty() ? "-" : Fields.escaped(rule.agent())) + " " + name(rule.zone()));
        }
    }

    private static String uses(Crawler crawler, Fields it) {
        List<byte[]> body = it.all("robots"), tdmFile = it.all("tdm");
        Uses uses = crawler.uses(it.text("site"), body.isEmpty() ? null : body.get(0), tdmFile.isEmpty() ? null : tdmFile.get(0));
        PageControls page = it.all("page").isEmpty() ? pageControls(crawler, it) : null;
        Uses.Purpose purpose = Uses.Purpose.valueOf(it.text("purpose").toUpperCase(Locale.ROOT));
        if (it.text("kind").equals("use-receipt")) {
            return "value " + Fields.escaped(uses.receipt(it.text("url"), purpose, page, Instant.ofEpochSecond(1795000000)));
        }
        Uses.Answer answer = uses.useFor(it.text("url"), purpose, page);
        if (answer.allowed() != (answer.says() == Uses.Use.ALLOWED) || answer.terms().isPresent() != (answer.says() == Uses.Use.LICENSED)) {
            throw new AssertionError(answer);
        }
        StringBuilder out = new StringBuilder("value ").append(name(answer.says()));
        if (it.text("kind").equals("use-signals")) {
            out.append(answer.decidedBy().isPresent() ? " 1" : " 0");
            for (Uses.Signal one : answer.signals()) {
                boolean isHeader = one.source().name().endsWith("_HEADER");
                byte[] text = one.text().getBytes(isHeader ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
                out.append(' ').append(name(one.source())).append(' ').append(name(one.says())).append(' ').append(one.line())
                        .append(' ').append(word(one.token().getBytes(StandardCharsets.UTF_8))).append(' ').append(word(text));
            }
        }
        return out.toString();
    }

    /** Returns source, number and text of a rule; a text of a header has a character for each byte. */
    private static String where(PageControls.Rule rule) {
        byte[] text = rule.text().getBytes(rule.source() == PageControls.Source.META ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
        return name(rule.source()) + " " + rule.number() + " " + (text.length == 0 ? "-" : Fields.escaped(text));
    }

    // --- kind=script -----------------------------------------------------------------------------------------------

    /** A cache, its unfinished tickets in order, and the running fetch. */
    private static final class Script extends Clock {
        private final List<Crawler> crawlers = new ArrayList<>();
        private final Map<String, Long> options = new LinkedHashMap<>();
        private final Deque<Ticket> tickets = new ArrayDeque<>();
        private RobotsCache cache;
        private Fetch fetch;
        private Instant now = Instant.EPOCH;

        Script(Fields it) {
            sides(it).forEach(side -> crawlers.add(crawler(side)));
            it.all("cache").forEach(option -> options.put(text(option).split(":")[0], Long.valueOf(text(option).split(":")[1])));
            cache = cache(Long.parseLong(it.text("bytes")));
        }

        private RobotsCache cache(long bytes) {
            RobotsCache.Builder builder = RobotsCache.builder(crawlers.get(0)).clock(this).maxBytes(bytes);
            crawlers.stream().skip(1).forEach(builder::crawler);
            options.forEach((name, value) -> set(builder, name.replace("_ms", ""), value));
            return builder.build();
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        String play(Fields it) {
            return it.all("do").stream().map(event -> {
                try {
                    return answer(text(event).split(" "));
                } catch (IOException | RuntimeException | OutOfMemoryError e) {
                    return error(e);
                }
            }).collect(Collectors.joining("\t"));
        }

        /** Answers an event: its words are escaped, "~" is an empty one, and "~~" is "~". */
        private String answer(String[] event) throws IOException {
            byte[][] words = Arrays.stream(event)
                    .map(word -> Fields.unescaped(word.equals("~") || word.equals("~~") ? word.substring(1) : word)).toArray(byte[][]::new);
            String[] it = Arrays.stream(words).map(Driver::text).toArray(String[]::new);
            if (TIMED.contains(it[0])) {
                now = Instant.ofEpochMilli(Long.parseLong(it[it.length - 1]));
            }
            switch (it[0]) {
                case "check": return decided(cache.check(Integer.parseInt(it[1]), words[2]));
                case "request": {
                    Instant slot = it[3].equals("0") ? null : Instant.ofEpochMilli(Long.parseLong(it[3]));
                    CacheDecision decision = cache.request(Integer.parseInt(it[1]), it[2], slot);
                    String said = decided(decision);
                    return said.startsWith("error") ? said : said + " " + milliseconds(decision.requestAt().orElse(null)) + " "
                            + decision.crawlDelay().toMillis() + " " + bit(decision.crawlDelayCut());
                }
                case "outcome": return cache.outcome(it[1]).map(Driver::words).orElse("none");
                case "outcome-check":
                    return cache.outcome(it[2]).map(outcome -> words(outcome.check(Integer.parseInt(it[1]), it[2], now))).orElse("none");
                case "record-check":
                    return cache.outcome(it[2]).map(outcome ->
                            words(Outcome.checkRecord(outcome.encode(), Integer.parseInt(it[1]), it[2], now))).orElse("none");
                case "start":
                    fetch = tickets.element().fetch();
                    return step();
                case "status":
                    fetch.status(Integer.parseInt(it[1]), now);
                    return step();
                case "ftp":
                    fetch.ftpReply(Integer.parseInt(it[1]), now);
                    return step();
                case "header":
                    fetch.header(new String(words[1], StandardCharsets.ISO_8859_1), new String(words[2], StandardCharsets.ISO_8859_1));
                    return step();
                case "body":
                    body(fetch, words[1]);
                    return step();
                case "end":
                    if (it[1].equals("none") && fetch.step() == Fetch.Step.HEADERS) {
                        fetch.headersEnd();
                    }
                    fail(fetch, it[1].replace("none", ""), now);
                    return step();
                case "finish": {
                    Outcome outcome = fetch.outcome();
                    return finish(tickets.remove(), outcome);
                }
                case "answer": {
                    Ticket ticket = tickets.remove();
                    return finish(ticket, crawlers.get(0).outcomeOf(ticket.origin(), Integer.parseInt(it[1]), words[2], now));
                }
                case "abandon": tickets.remove().close(); return "ok";
                case "retry-after": cache.retryAfter(it[1], Integer.parseInt(it[2]), it[3]); return "ok";
                case "move": {
                    RobotsCache to = cache(Long.parseLong(it[1]));
                    List<Status> moved = new ArrayList<>();
                    cache.forEachRecord(record -> moved.add(to.importRecord(record)));
                    cache = to;
                    return "records " + Collections.frequency(moved, Status.OK);
                }
                case "counts": {
                    CacheCounts n = cache.counts();
                    return "sites " + n.sites() + " hits " + n.hits() + " stale " + n.staleHits() + " fetches " + n.fetches() + " waits "
                            + n.waits() + " deferred " + n.deferred() + " evicted " + n.evicted();
                }
                case "remove": cache.remove(it[1]); return "ok";
                case "clear": cache.clear(); return "ok";
                default: return "unsupported";
            }
        }

        /** The events whose last word is the time. */
        private static final List<String> TIMED =
                List.of("check", "request", "outcome-check", "record-check", "start", "status", "ftp", "end", "finish", "answer", "retry-after");

        private static String finish(Ticket ticket, Outcome outcome) {
            return ticket.finish(outcome) ? "ok" : "error memory";
        }

        private String decided(CacheDecision decision) {
            decision.ticket().ifPresent(tickets::add);
            boolean isRefresh = decision.action() == CacheDecision.Action.DECIDED && decision.ticket().isPresent();
            String words = words(decision.verdict());
            return words.startsWith("error") ? words
                    : (isRefresh ? "refresh" : name(decision.action())) + " " + words + " " + milliseconds(decision.until().orElse(null));
        }

        /** Returns the step that follows an event, for a request its URL and headers. */
        private String step() {
            StringBuilder words = new StringBuilder(name(fetch.step()));
            if (fetch.step() == Fetch.Step.GET) {
                words.append(' ').append(word(fetch.url()));
                fetch.requestHeaders().forEach((name, value) -> words.append(' ').append(name).append(' ')
                        .append(Fields.escaped(value.getBytes(StandardCharsets.ISO_8859_1))));
            }
            return words.toString();
        }

        private static String words(Verdict verdict) {
            return verdict.status() == Status.OK ? word(verdict) + " " + name(verdict.reason()) + " " + verdict.line()
                    : "error " + name(verdict.status());
        }

        private static String milliseconds(Instant time) {
            return time == null ? "-" : "" + time.toEpochMilli();
        }
    }
}
