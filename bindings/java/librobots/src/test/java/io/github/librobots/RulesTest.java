package io.github.librobots;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class RulesTest {
    private static final String BODY = "User-agent: ExampleBot\nDisallow: /private\nDisallow: /*.php$\nAllow: /private/open\n"
            + "Crawl-delay: 2.5\nSitemap: https://example.com/a.xml\nSitemap: https://example.com/ä.xml\n";
    private final Rules rules = Crawler.of("ExampleBot").parse(BODY);

    @Test
    void batches() {
        List<String> urls = new ArrayList<>();
        BitSet wanted = new BitSet();
        for (int i = 0; i < 3000; i++) {
            // Some are too long for the buffer of a piece.
            String url = (i % 3 == 0 ? "/private/" : i % 7 == 0 ? "no-url" : "/page/") + "x".repeat(i % 500 == 9 ? 40_000 : i % 90);
            urls.add(url);
            wanted.set(i, rules.isAllowed(url));
        }
        assertTrue(wanted.cardinality() > 1000 && wanted.cardinality() < 2500);
        assertEquals(wanted, rules.checkAll(urls));
        assertEquals(wanted, rules.checkAll(urls.stream().map(Rules::utf8).toArray(byte[][]::new)));
        assertEquals(new BitSet(), rules.checkAll(List.of()));
        byte[] text = "/private/pagex".getBytes(StandardCharsets.US_ASCII);
        byte[] verdicts = {9, 9, 9, 9};
        rules.checkAll(text, new int[] {0, 8, 13, 14, 14}, verdicts);
        assertArrayEquals(new byte[] {Rules.DISALLOWED, Rules.ALLOWED, Rules.BAD_URL, Rules.BAD_URL}, verdicts);
        for (int[] wrong : new int[][] {{0, 8, 5, 14, 14}, {0, 8, 13, 14, 15}, {-1, 8, 13, 14, 14}, {0, 1}, {}}) {
            Arrays.fill(verdicts, Rules.ALLOWED);
            assertThrows(IllegalArgumentException.class, () -> rules.checkAll(text, wrong, verdicts));
            assertArrayEquals(new byte[4], verdicts, "misuse allows nothing");
        }
    }

    /** Each kind of buffer, and parts of arrays. The driver of tests/drivers asks about more URLs. */
    @Test
    void buffers() {
        byte[] text = "x/private/open/private".getBytes(StandardCharsets.US_ASCII);
        byte[] longer = "--x/private/open/private".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer direct = ByteBuffer.allocateDirect(text.length).put(text);
        for (ByteBuffer buffer : new ByteBuffer[] {direct, ByteBuffer.wrap(text), ByteBuffer.wrap(text).asReadOnlyBuffer(),
            direct.asReadOnlyBuffer(), ByteBuffer.wrap(longer).position(2).slice()}) {
            buffer.limit(text.length).position(1);
            assertEquals("disallowed: RULE_DISALLOWED, line 2", rules.check(buffer.limit(9)).toString());
            assertFalse(rules.isAllowed(buffer));
            assertEquals(1, buffer.position());
            assertTrue(rules.isAllowed(buffer.limit(14)), "/private/open");
            assertEquals(Status.URL, rules.check(buffer.position(14)).status());
        }
        Crawler crawler = Crawler.of("ExampleBot");
        byte[] body = BODY.getBytes(StandardCharsets.UTF_8);
        ByteBuffer file = ByteBuffer.allocateDirect(body.length + 2);
        file.position(1);
        file.put(body).flip().position(1);
        for (ByteBuffer buffer : new ByteBuffer[] {file, file.asReadOnlyBuffer(), ByteBuffer.wrap(body), ByteBuffer.wrap(body).asReadOnlyBuffer()}) {
            assertEquals(rules, crawler.parse(buffer));
        }
        assertEquals(Reason.NO_GROUP, crawler.parse(ByteBuffer.allocateDirect(0)).check("/").reason());
        byte[] more = ("Disallow: /\n" + BODY).getBytes(StandardCharsets.UTF_8);
        assertEquals(rules, crawler.parse(more, 12, more.length - 12));
        byte[] large = new byte[600_000]; // above the stack buffer and the size limit
        assertEquals(Reason.NO_GROUP, crawler.parse(large).check("/").reason());
        List<Executable> outside = List.of(() -> crawler.parse(more, 12, more.length), () -> crawler.parse(more, -1, 1),
                () -> rules.check(text, 15, 8), () -> rules.isAllowed(text, -1, 8));
        outside.forEach(call -> assertThrows(IndexOutOfBoundsException.class, call));
    }

    @Test
    void misuseNeverAllows() {
        for (Dialect dialect : Dialect.values()) {
            Crawler crawler = Crawler.builder("ExampleBot").dialect(dialect).build();
            Rules open = crawler.parse("User-agent: *\nAllow: /\n");
            for (String url : List.of("", "cart", "mailto:x@y.example", "example.com", "http:/x", "http://", "*", " /x", "\\x", "?x")) {
                assertEquals(Status.URL, open.check(url).status(), url);
                assertFalse(open.isAllowed(url), url);
            }
            for (String body : List.of("https://example.com/robots.txt", "robots.txt", "/etc/robots.txt\n")) {
                assertEquals(Status.ARGUMENT, crawler.parse(body).check("/x").status(), body);
                assertFalse(crawler.parse(body).isAllowed("/x"), body);
            }
        }
    }

    @Test
    void nothingIsNull() {
        Crawler crawler = Crawler.of("ExampleBot");
        List<Executable> calls = List.of(() -> crawler.parse((byte[]) null), () -> rules.isAllowed((byte[]) null), () -> rules.check((String) null),
                () -> rules.checkAll(new byte[1][]), () -> rules.checkAll(Arrays.asList("/", null)), () -> crawler.checkOnce(null, "/"),
                () -> crawler.checkOnce(new byte[0], (byte[]) null), () -> Crawler.of(null), () -> Crawler.tokenFromUserAgent(null),
                () -> Crawler.preset(null));
        calls.forEach(call -> assertThrows(NullPointerException.class, call));
    }

    @Test
    void texts() {
        assertEquals("disallowed: RULE_DISALLOWED, line 2", rules.check("/private").toString());
        assertEquals("allowed: RULE_ALLOWED, line 4", rules.check("/private/open").toString());
        assertEquals("allowed: NO_RULE", rules.check("/").toString());
        assertEquals("error: URL: " + Status.URL.text(), rules.check("private").toString());
        assertEquals("not allowed now: UNREACHABLE", new Verdict(Reason.UNREACHABLE.ordinal() << 8).toString());
        assertEquals("allowed: ALLOW_ALL", Rules.allowAll().check("/x").toString());
        assertEquals("disallowed: DISALLOW_ALL", Rules.disallowAll().check("/x").toString());
        assertEquals("Rules[" + rules.image().length + " bytes, crawl-delay 2.5 s, 2 sitemaps]", rules.toString());
        Crawler crawler = Crawler.builder("ExampleBot").fallback("Bot").maxBytes(600_000).build();
        assertEquals("crawler [ExampleBot, Bot] {maxBytes=600000}", crawler.toString());
        assertEquals("crawler preset Googlebot", Crawler.preset("Googlebot").toString());
        Rules closed = crawler.parse(BODY);
        closed.close();
        crawler.close();
        assertEquals("Rules[closed]", closed.toString());
        assertEquals("crawler [ExampleBot, Bot] {maxBytes=600000}", crawler.toString());
        for (Status status : Status.values()) {
            assertTrue(status.text().length() > 3, status.name());
        }
    }

    /** Another thread may change offsets after the check in Java: the native part checks its copy. */
    @Test
    void offsetsThatChangeAfterTheCheck() {
        Handle rules = Handle.ofRules(Native.siteWide(true));
        for (int[] offsets : new int[][] {{-5, 1}, {0, 5}, {3, 1}, {0, Integer.MAX_VALUE}, {Integer.MIN_VALUE, 0}, {-2, -1}}) {
            byte[] verdicts = {Rules.DISALLOWED};
            assertEquals(Status.ARGUMENT.ordinal(), Native.checkBatch(rules.address, new byte[4], offsets, 1, verdicts));
            assertEquals(Rules.DISALLOWED, verdicts[0]);
        }
        Reference.reachabilityFence(rules);
    }

    @Test
    void images() {
        byte[] image = rules.image();
        assertEquals(rules, Rules.fromImage(image));
        assertEquals(rules.hashCode(), Rules.fromImage(image).hashCode());
        assertNotEquals(rules, Rules.allowAll());
        image[30] ^= 0x10;
        assertThrows(IllegalArgumentException.class, () -> Rules.fromImage(image));
        assertThrows(IllegalArgumentException.class, () -> Rules.fromImage(new byte[0]));
    }

    /** Rules would keep their memory after close() if a call had no end. */
    @Test
    void eachCallEnds() throws Throwable {
        String longer = "/" + "a".repeat(Scratch.SIZE);
        ByteBuffer direct = ByteBuffer.allocateDirect(1).put(0, (byte) '/');
        for (Executable call : List.<Executable>of(() -> rules.check("/"), () -> rules.check(longer), () -> rules.check(direct),
                () -> rules.checkAll(List.of("/")), rules::crawlDelay, rules::sitemaps, rules::image, rules::effectiveRules, rules::toString,
                () -> rules.difference(Rules.allowAll()), () -> Rules.allowAll().difference(rules))) {
            call.execute();
            assertFalse(rules.shared().isInCall());
        }
    }

    @Test
    void closed() {
        Crawler crawler = Crawler.of("ExampleBot");
        Rules open = crawler.parse(BODY);
        crawler.close();
        crawler.close();
        assertFalse(open.isAllowed("/private"), "rules outlive their crawler");
        open.close();
        open.close();
        List<Executable> calls = List.of(() -> crawler.parse(BODY), () -> crawler.checkOnce(new byte[0], "/"), () -> open.isAllowed("/"),
                () -> open.isAllowed(new byte[] {'/'}), () -> open.check("/"), () -> open.checkAll(List.of("/")), open::crawlDelay, open::sitemaps,
                open::image, open::effectiveRules, () -> open.difference(Rules.allowAll()), () -> Rules.allowAll().difference(open));
        calls.forEach(call -> assertThrows(IllegalStateException.class, call));
    }

    @Test
    void crawlers() {
        refused("crawler [Mozilla/5.0 (compatible; ExampleBot/0.1)]: 'Mozilla/5.0 (compatible; ExampleBot/0.1)' is a User-Agent "
                + "header: pass its product token, 'ExampleBot'", () -> Crawler.of("Mozilla/5.0 (compatible; ExampleBot/0.1)"));
        refused("crawler [Bot, Other/2.0]: 'Other/2.0' is a User-Agent header: pass its product token, 'Other'",
                () -> Crawler.of("Bot", "Other/2.0"));
        refused("crawler [Mozilla/5.0]: " + Status.TOKEN.text(), () -> Crawler.of("Mozilla/5.0"));
        refused("crawler [Bot, Other+] {maxBytes=600000, MAX_REDIRECTS=3, ON_FORBIDDEN=DEFER}: " + Status.TOKEN.text(),
                Crawler.builder("Bot").fallback("Other+").maxBytes(600_000).fetch(FetchOption.MAX_REDIRECTS, 3)
                        .fetch(FetchOption.ON_FORBIDDEN, Outcome.Kind.DEFER)::build);
        refused("no preset has the name 'Nobody': `robots crawlers` lists them; or create the crawler with its product token", () -> Crawler.preset("Nobody"));
        refused("crawler [360Spider] {dialect=1}: " + Status.TOKEN.text(), () -> Crawler.builder("360Spider").dialect(Dialect.GOOGLE).build());
        assertFalse(Crawler.preset("googlebot-image").parse("User-agent: Googlebot\nDisallow: /x\n").isAllowed("/x"));
        // The name of a crawler without a token in C is none in Java.
        for (String[] tokens : new String[][] {{""}, {"a".repeat(5000)}, {"*"}, {"ExampleBot", "*"}}) {
            assertThrows(IllegalArgumentException.class, () -> Crawler.of(tokens[0], Arrays.copyOfRange(tokens, 1, tokens.length)));
        }
        Crawler.Builder many = Crawler.builder("Bot");
        for (int i = 1; i < 64; i++) {
            many.fallback("Bot" + i);
        }
        many.build().close();
        refused("the number of product tokens is 65: pass 0 to 64", () -> many.fallback("Bot64"));
    }

    /** SPEC 7.6. */
    @Test
    void tokenFromUserAgent() {
        assertEquals("ExampleBot", Crawler.tokenFromUserAgent("Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.com/bot)"));
        assertEquals("ExampleBot", Crawler.tokenFromUserAgent("ExampleBot"));
        assertEquals("ExampleBot", Crawler.tokenFromUserAgent("\u30c4 ".repeat(5000) + "ExampleBot/1.0"));
        refused("no product in 'Mozilla/5.0 (X11)' names a crawler: pass one such as 'ExampleBot/1.0'",
                () -> Crawler.tokenFromUserAgent("Mozilla/5.0 (X11)"));
        refused("no product in '' names a crawler: pass one such as 'ExampleBot/1.0'", () -> Crawler.tokenFromUserAgent(""));
    }

    /** SPEC 7.9: also after 64 tokens, if one has the name. */
    @Test
    void namesInAText() {
        Crawler crawler = Crawler.builder().namesIn("Yahoo! Slurp").namesIn("*DotBot*").build();
        assertEquals("crawler [] names in [Yahoo! Slurp, *DotBot*]", crawler.toString());
        for (String name : new String[] {"Yahoo! Slurp", "Slurp", "*DotBot*"}) {
            assertFalse(crawler.parse("User-agent: " + name + "\nDisallow: /\n").isAllowed("/"), name);
        }
        Crawler.Builder full = Crawler.builder();
        for (int i = 0; i < 64; i++) {
            full.fallback("bot" + i);
        }
        full.namesIn("Bot63/1.0").build().close();
        assertThrows(IllegalArgumentException.class, full.namesIn("bot64")::build);
    }

    private static void refused(String message, Executable call) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
    }

    /** A number out of its range is refused where it is passed, with the value and the range. */
    @Test
    void numbersOutOfRange() {
        Crawler.Builder builder = Crawler.builder("Bot");
        refused("maxBytes is 511999: pass 512000 to 1073741824", () -> builder.maxBytes(511_999));
        refused("maxBytes is -1: pass 512000 to 1073741824", () -> builder.maxBytes(-1));
        refused("maxBytes is 1073741825: pass 512000 to 1073741824", () -> builder.maxBytes((1 << 30) + 1));
        refused("MAX_REDIRECTS is 21: pass 0 to 20", () -> builder.fetch(FetchOption.MAX_REDIRECTS, 21));
        refused("MAX_REDIRECTS is 9223372036854775807: pass 0 to 20", () -> builder.fetch(FetchOption.MAX_REDIRECTS, Long.MAX_VALUE));
        refused("MAX_TTL is 0: pass 1 to 315360000", () -> builder.fetch(FetchOption.MAX_TTL, 0));
        refused("MIN_TTL is -1: pass 0 to 315360000", () -> builder.fetch(FetchOption.MIN_TTL, -1));
        // 1 would be the number of ALLOW_ALL.
        refused("ON_SERVER_ERROR is 1: pass a meaning such as Outcome.Kind.DEFER", () -> builder.fetch(FetchOption.ON_SERVER_ERROR, 1));
        refused("ON_UNREACHABLE is RULES: pass ALLOW_ALL, DISALLOW_ALL, DEFER or UNREACHABLE",
                () -> builder.fetch(FetchOption.ON_UNREACHABLE, Outcome.Kind.RULES));
        // As a number it would be two seconds, after which an unreachable site is allowed.
        refused("UNREACHABLE_TTL is DISALLOW_ALL: pass a number, 0 to 315360000",
                () -> builder.fetch(FetchOption.UNREACHABLE_TTL, Outcome.Kind.DISALLOW_ALL));
        RobotsCache.Builder cache = RobotsCache.builder(Crawler.of("Bot"));
        refused("maxBytes is 65535: pass 65536 or more", () -> cache.maxBytes(65_535));
        refused("maxBytes is -1: pass 65536 or more", () -> cache.maxBytes(-1));
        refused("ticketTTL in seconds is 0: pass 1 to 86400", () -> cache.ticketTTL(Duration.ofMillis(999)));
        refused("ticketTTL in seconds is 86401: pass 1 to 86400", () -> cache.ticketTTL(Duration.ofSeconds(86_401)));
        Crawler[] many = new Crawler[17];
        Arrays.fill(many, Crawler.of("Bot"));
        Arrays.stream(many, 1, 17).forEach(cache::crawler);
        refused("the number of crawlers is 17: pass 1 to 16", cache::build);
        refused("the number of crawlers is 18: pass 1 to 16", () -> Fetch.begin("http://a.example/", Instant.EPOCH, many[0], many));
        refused("the number of crawlers is 0: pass 1 to 16", () -> Outcome.decode(new byte[1]));
        refused("the number of crawlers is 17: pass 1 to 16", () -> Outcome.decode(new byte[1], many));
    }

    /** A buffer for which the JVM has no address. */
    @Test
    void buffersWithoutAnAddress() {
        Handle rules = Handle.ofRules(Native.siteWide(true));
        long crawler = Status.handle(Native.crawlerNew(new byte[0], new int[0], new long[0]));
        ByteBuffer heap = ByteBuffer.allocate(9);
        for (int start = 0; start < 2; start++) {
            Verdict verdict = new Verdict(Native.checkDirect(rules.address, heap, start, 8));
            assertFalse(verdict.allowed());
            assertEquals(Status.ARGUMENT, verdict.status());
            assertEquals(-Status.ARGUMENT.ordinal(), Native.parseDirect(crawler, heap, start, 8));
        }
        assertEquals(0, Native.addressOf(heap));
        Native.crawlerFree(crawler);
        Reference.reachabilityFence(rules);
    }

    /** Decisions on bytes allocate nothing, one by one and in a batch. */
    @Test
    void decisionsAllocateNothing() {
        byte[] url = "https://example.com/private/open/x".getBytes(StandardCharsets.US_ASCII);
        int[] offsets = {0, 10, url.length};
        byte[] verdicts = new byte[2];
        byte[] image = rules.image();
        long least = Jvm.allocated(() -> {
            rules.isAllowed(url);
            rules.checkAll(url, offsets, verdicts);
            RulesImage.isAllowed(image, url, 0, url.length);
        });
        assertTrue(least < 10_000, least + " bytes allocated in 30,000 calls"); // the measurement allocates
    }

    @Test
    void effectiveRules() {
        Rules rules = Crawler.of("ExampleBot").parse(
                "user-agent: *\ndisallow: /b%7e$\ndisallow:\nallow: /ä*x\ndisallow: b\ndisallow: /b~$\n");
        assertEquals("[Disallow: /b~$, Allow: /%C3%A4*x]", rules.effectiveRules().toString());
        EffectiveRule rule = rules.effectiveRules().get(1);
        assertEquals("/%C3%A4*x 4 true", rule.pattern() + " " + rule.line() + " " + rule.allow());
        assertTrue(Rules.allowAll().effectiveRules().isEmpty());
    }

    @Test
    void differences() {
        Crawler crawler = Crawler.of("ExampleBot");
        Rules rules = crawler.parse("user-agent: *\ndisallow: /*.php\n");
        Rules other = crawler.parse("user-agent: *\ndisallow: /*.php\nallow: /shop/\n");
        Difference found = rules.difference(other);
        assertEquals("FOUND [/shop/.php]", found.toString());
        Difference.Path path = found.paths().get(0);
        assertEquals(List.of(rules.check(path.path()), other.check(path.path())), path.verdicts());
        assertTrue(path.verdicts().get(1).allowed());
        assertEquals("NONE []", rules.difference(rules).toString());
        assertThrows(NullPointerException.class, () -> rules.difference(null));
    }
}
