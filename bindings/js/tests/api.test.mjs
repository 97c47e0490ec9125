// What the classes do beside verdicts.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { folder, robots, tools } from "./package.mjs";

const { Cache, Crawler, Fetch, Origin, Outcome, Rules, tokenFromUserAgent, urlToSend } = robots;
const crawler = new Crawler("ExampleBot");
const BODY = "User-agent: *\nDisallow: /private/\nCrawl-delay: 2.5\nSitemap: https://example.com/s.xml\n";
const NOW = 1_800_000_000;

test("rules: verdict, list, image, site-wide", () => {
    const rules = crawler.parse(BODY);
    const verdict = rules.check("https://example.com/private/diary");
    assert.deepEqual([verdict.allowed, verdict.reason, verdict.line, verdict.error], [false, "rule_disallowed", 2, null]);
    assert.equal(`${verdict}`, "disallowed by line 2");
    assert.deepEqual(rules.effectiveRules(), [{ line: 2, allow: false, pattern: "/private/" }]);
    assert.deepEqual(Rules.fromImage(rules.image).sitemaps, ["https://example.com/s.xml"]);
    assert.equal(Rules.disallowAll().isAllowed("/robots.txt"), true);
});

test("an ES module finds the names in the CommonJS files", async () => {
    for (const [file, name] of [["index", "Crawler"], ["crawlee", "obeyRobots"], ["robots-fetch", "robotsFetch"]]) {
        const found = await import(join(folder, `dist/cjs/${file}.js`));
        assert.equal(typeof found[name], "function", `${name} in ${file}: ${Object.keys(found)}`);
    }
});

test("checkMany: texts, bytes, iterables, more than one batch", () => {
    const rules = crawler.parse(BODY);
    assert.deepEqual([...rules.checkMany(["/a", "/private/b", "c", "/é", "/private/é"])], [true, false, false, true, false]);
    assert.deepEqual([...rules.checkMany(new Set(["/private/", Buffer.from("/x")])).codes], [0, 1]);
    assert.equal(rules.checkMany([]).length, 0);
    const urls = Array.from({ length: 10_000 }, (_, index) => (index % 3 ? `/private/${index}` : `/é${index}`));
    const verdicts = rules.checkMany(urls);
    assert.deepEqual([...verdicts], urls.map((url) => rules.isAllowed(url)));
    assert.deepEqual([verdicts.allowedCount, verdicts.badUrlCount, verdicts.isAllowed(10_000)], [3334, 0, false]);
});

test("misuse never allows", () => {
    for (const dialect of ["rfc9309", "google", "koster1996"]) {
        const own = new Crawler("ExampleBot", { dialect });
        const rules = own.parse("User-agent: *\nAllow: /\n");
        for (const url of ["", "cart", "mailto:x@y.example", "example.com", "http:/x", "http://", "*", " /x", "\\x", "?x"]) {
            const { allowed, error } = rules.check(url);
            assert.deepEqual([allowed, error?.code], [false, "url"], url);
        }
        for (const body of ["https://example.com/robots.txt", "robots.txt", new TextEncoder().encode("/etc/robots.txt")]) {
            for (const { allowed, error } of [own.parse(body).check("/x"), own.checkOnce(body, "/x")]) {
                assert.deepEqual([allowed, error?.code], [false, "argument"], String(body));
            }
        }
    }
});

test("crawlers: tokens, presets, options", () => {
    const rules = new Crawler(["Nobody", "News"]).parse("User-agent: news\nDisallow: /n\n\nUser-agent: *\nDisallow: /\n");
    assert.deepEqual([rules.isAllowed("/n"), rules.isAllowed("/m")], [false, true]);
    assert.equal(Crawler.preset("googlebot-image").parse("User-agent: Googlebot\nDisallow: /").isAllowed("/x"), false);
    assert.equal(new Crawler("*").parse(BODY).isAllowed("/private/x"), false);
    assert.equal(new Crawler("x", { ignoreStar: true }).parse(BODY).isAllowed("/private/x"), true);
    assert.equal(tokenFromUserAgent("Mozilla/5.0 (compatible; ExampleBot/1.0)"), "ExampleBot");
    for (const text of ["Yahoo! Slurp", "*DotBot*", "Mozilla/5.0 (compatible; ExampleBot/1.0)"]) {
        assert.equal(Crawler.withNamesIn(text).parse(`User-agent: ${text}\nDisallow: /\n`).isAllowed("/"), false, text);
    }
    assert.equal(Crawler.withNamesIn("").parse(BODY).isAllowed("/private/x"), false);
    // A setting of the fetch policy arrives.
    const strict = new Crawler("x", { onForbidden: "disallow_all" }).outcomeFromStatus("https://h/", 403, "", NOW);
    assert.deepEqual([strict.kind, crawler.outcomeFromStatus("https://h/", 403, "", NOW).kind], ["disallow_all", "allow_all"]);
});

test("origins", () => {
    const origin = new Origin("HTTPS://Bücher.example:443/a?b");
    assert.deepEqual([origin.key, origin.robotsUrl], ["https://xn--bcher-kva.example", "https://xn--bcher-kva.example/robots.txt"]);
    assert.deepEqual([origin.governs("https://bücher.example/x"), origin.governs("http://bücher.example/"), origin.governs("x")], [true, false, false]);
});

test("a host name beyond ASCII is that of the URL class", () => {
    const names = [
        "BÜCHER.example", "xn--bcher-kva.example", "XN--Bcher-KVA.example", "faß.de", "日本。jp", "b%C3%BCcher.example", "１２７.1", "ﷺ.com",
        "xn--a", "xn--0.example", "a\u00AD.com", "\u00AD", "℀.com", "％41.com", "a\u3000b.com", "%FF.com", "\u0301a.com", `${"ﷺ".repeat(400)}.com`,
    ];
    for (const name of names) {
        let expected;
        try {
            expected = new URL(`https://${name}/`).origin;
        } catch {
            expected = "url";
        }
        // The engine takes no longer host.
        if (expected.length > 255) expected = "url";
        let key;
        try {
            key = new Origin(`https://${name}/x`).key;
        } catch (error) {
            key = error.code;
        }
        assert.equal(key, expected, name);
    }
    const fetched = new Fetch(crawler, "https://example.com/");
    fetched.status(301);
    fetched.header("Location", "https://Bücher.example/robots.txt");
    fetched.headersEnd();
    assert.equal(fetched.url, "https://xn--bcher-kva.example/robots.txt");
});

test("classes have their names, which errors show", () => {
    const rules = crawler.parse(BODY);
    rules.free();
    assert.throws(() => rules.check("/"), /this Rules was freed/);
    for (const [name, value] of Object.entries(robots)) if (/^[A-Z][a-z]/.test(name) && typeof value === "function") assert.equal(value.name, name);
});

test("the module for crawlers takes at most 200 KB with gzip", () => {
    const size = gzipSync(readFileSync(join(folder, "dist/crawl.wasm")), { level: 9 }).length;
    assert.ok(size <= 200_000, `${size} bytes`);
});

test("a URL object is as good as its text", () => {
    const text = "https://example.com/private/x?y";
    const cache = new Cache(crawler);
    cache.check(text, NOW).ticket.finish(crawler.outcomeFromStatus(text, 200, BODY, NOW), NOW);
    const [record] = cache.exportRecords();
    const rules = crawler.parse(BODY);
    const outcome = cache.outcome(text);
    const uses = tools.uses(crawler, text, "Content-Signal: ai-train=no\n");
    const calls = {
        check: (url) => rules.check(url),
        isAllowed: (url) => rules.isAllowed(url),
        checkMany: (url) => [...rules.checkMany([url, "/x"])],
        checkOnce: (url) => crawler.checkOnce(BODY, url),
        "Outcome.check": (url) => outcome.check(url, NOW),
        "Outcome.checkRecord": (url) => Outcome.checkRecord(record, url, NOW),
        outcomeFromStatus: (url) => crawler.outcomeFromStatus(url, 404, "", NOW).info,
        "Cache.check": (url) => cache.check(url, NOW).verdict,
        "Cache.request": (url) => cache.request(url, null, NOW).verdict,
        "Cache.retryAfter": (url) => cache.retryAfter(url, 200, null, NOW),
        "Cache.crawlDelay": (url) => cache.crawlDelay(url),
        "Cache.outcome": (url) => cache.outcome(url).info,
        useFor: (url) => uses.useFor(url, "training", null),
        Fetch: (url) => new Fetch(crawler, url, NOW).url,
        Origin: (url) => [new Origin(url), new Origin(text).governs(url)],
        urlToSend: (url) => urlToSend(url),
        explain: (url) => tools.explain(crawler, BODY, url),
        verdictAdvice: (url) => tools.verdictAdvice(crawler, BODY, url, "*"),
        "Cache.remove": (url) => cache.remove(url),
    };
    const said = (result) => JSON.stringify(result ?? "nothing");
    for (const [name, call] of Object.entries(calls)) assert.equal(said(call(new URL(text))), said(call(text)), name);
    assert.match(rules.check(new URL("mailto:x@y.example")).error.message, /check "mailto:x@y.example"/);
    // What its class says instead, and calls that it makes, change nothing.
    class Liar extends URL {
        get href() {
            return crawler.parse("").isAllowed("/x") && "https://example.com/x";
        }
    }
    assert.equal(crawler.checkOnce(BODY, new Liar(text)).allowed, false);
});

test("a fetch for a cache of two crawlers: handles, times, records", () => {
    const crawlers = [crawler, new Crawler("Other")];
    const cache = new Cache(crawlers, { maxBytes: 1 << 20, ticketTtl: 60 });
    const { ticket } = cache.check("https://example.com/", new Date(NOW * 1000));
    assert.equal(ticket.origin, "https://example.com");
    const fetch = ticket.fetch(NOW);
    fetch.set("onServerError", "defer");
    assert.equal(fetch.outcome, null);
    fetch.status(200, NOW);
    for (const name of ["ETag", Buffer.from("Last-Modified")]) fetch.header(name, "x");
    assert.deepEqual([fetch.headersEnd(), fetch.body(BODY), fetch.end()], ["body", "body", "done"]);
    const { etag, lastModified, origin, unreachableSince } = fetch.outcome.info;
    assert.deepEqual([etag, lastModified, origin, unreachableSince], ["x", "x", "https://example.com", null]);
    assert.equal(fetch.outcome.kind, "rules");
    ticket.finish(fetch.outcome, NOW);
    assert.equal(cache.check("https://example.com/", NOW, 1).allowed, true);
    assert.equal(cache.check("https://example.com/", NOW, 2).verdict.error.code, "argument");
    assert.equal(cache.outcome("https://example.com/").rules(1).crawlDelay, 2.5);
    assert.ok(cache.size === 1 && cache.bytes === cache.counts().bytes && cache.bytes > 100);

    const [record] = cache.exportRecords();
    const copy = new Cache(crawlers);
    copy.importRecord(record);
    assert.equal(copy.check("https://example.com/private/x", NOW).allowed, false);
    const again = new Fetch(crawlers, "https://example.com/", NOW);
    again.setPrevious(Outcome.decode(record, crawlers));
    assert.deepEqual(again.requestHeaders, { "If-None-Match": "x", "If-Modified-Since": "x" });
    assert.throws(() => Outcome.decode(record, crawler), { code: "image_format" });
    for (const damaged of [new Uint8Array(), record.slice(0, 50)]) {
        assert.equal(Outcome.checkRecord(damaged, "https://example.com/", NOW).error.code, "image");
    }
});

test("a cache without a limit of its own keeps many sites", () => {
    const body = `User-agent: *\n${Array.from({ length: 50 }, (_, rule) => `Disallow: /folder${rule}/\n`).join("")}`;
    const keeps = (settings) => {
        const cache = new Cache(crawler, settings);
        for (let site = 0; site < 1000; site++) {
            const url = `https://h${site}.example/`;
            cache.check(url, NOW).ticket.finish(crawler.outcomeFromStatus(url, 200, body, NOW), NOW);
        }
        return cache.size;
    };
    assert.equal(keeps(), 1000);
    assert.ok(keeps({ maxBytes: 65536 }) < 700);
});

test("extensions", () => {
    const body = "User-agent: *\nRequest-rate: 1/5 0600-0845\nContent-Signal: ai-train=no\nAllow: /\nHost: example.com\n";
    const { lines } = crawler.extensions(body);
    assert.deepEqual(lines[0], {
        field: "request_rate", value: "1/5 0600-0845", line: 2, inGroup: true, requestRate: { requests: 1, seconds: 5 }, hours: { from: 360, until: 525 },
    });
});

test("uses of a page", () => {
    const [site, url] = ["https://a.example/", "https://a.example/tea"];
    const uses = tools.uses(crawler, site, "Content-Signal: ai-train=no, search=yes\nLicense: https://a.example/terms\n");
    const page = crawler.pageControls(new Headers({ "content-signal": "ai-input=yes" }));
    const denied = uses.useFor(url, "training", page);
    const signal = { source: "content_signal_line", says: "denied", line: 1, text: "ai-train=no", token: null };
    assert.deepEqual([denied.allowed, denied.says, denied.decidedBy, denied.terms], [false, "denied", signal, null]);
    assert.deepEqual([uses.useFor(url, "search", page).says, uses.useFor(url, "search", page).terms], ["licensed", "https://a.example/terms"]);
    const file = tools.uses(crawler, site, "");
    assert.deepEqual([file.useFor(url, "user_request", page).allowed, file.useFor(url, "user_request", null).allowed], [true, false]);
    assert.deepEqual(file.useFor(url, "seo", page), { allowed: false, says: "unstated", decidedBy: null, terms: null, signals: [] });
    // More than the first call has room for.
    const many = crawler.pageControls(Array.from({ length: 40 }, (_, at) => ["Content-Signal", `x${at}=yes`]));
    assert.equal(file.useFor(url, "training", many).signals.length, 40);
    assert.ok(JSON.parse(file.receipt(url, "training", many, NOW)).signals.length === 40);
    // What is not known is never allowed.
    for (const unknown of [tools.uses(crawler, site, null), tools.uses(crawler, site, "Content-Signal: ai-train=yes", "")]) {
        assert.deepEqual(["ai_search", "training"].map((purpose) => unknown.useFor(url, purpose, page).says), ["unstated", "unstated"]);
    }
    const receipt = JSON.parse(uses.receipt(url, "training", page, new Date(NOW * 1000)));
    assert.deepEqual([receipt.use, receipt.fetched_at], ["denied", NOW]);
});

test("page controls from a Headers object", () => {
    const page = crawler.pageControls(new Headers({ "X-Robots-Tag": "noindex, unavailable_after: 2027-01-01" }));
    assert.deepEqual([page.mayIndex, page.mayFollow, page.unavailableAfter], [false, true, Date.UTC(2027, 0, 1) / 1000]);
});

test("tools: explain, lint, format, codes", () => {
    const { verdict, others, token, agents, matches, path, text } = tools.explain(crawler, BODY, "https://example.com/private/%61");
    assert.deepEqual([verdict.line, others.google.allowed, token, path], [2, false, "*", "/private/a"]);
    assert.deepEqual(agents, [{ line: 1, text: "User-agent: *" }]);
    assert.deepEqual([matches[0].result, matches[0].pattern, matches[0].allow], ["won", "/private/", false]);
    assert.match(text, /line 2/);
    const report = tools.lint(crawler, "User-agent: *\nDisalow: /x\n");
    assert.deepEqual([report.warnings, report.lines.length, report.lines[1].field, report.lines[1].group], [1, 2, "Disalow", 1]);
    const [{ code, severity, line, fix }] = report.diagnostics;
    assert.deepEqual([code, severity, line, fix], ["R022", "warning", 2, { kind: "safe", start: 14, end: 21, replacement: "Disallow" }]);
    assert.ok(tools.codeMeaning(code).explanation.length > 20);
    const codes = (of) => tools.lint(of, "User-agent: *\nDisallow: /admin/\n").diagnostics.map((found) => found.code);
    assert.deepEqual([codes(crawler), codes(new Crawler("ExampleBot", { lintAll: true }))], [[], ["R087"]]);
    assert.equal(Buffer.from(tools.format("useragent:*\r\ndissallow :/a")).toString(), "User-agent: *\nDisallow: /a\n");
    assert.equal(tools.format("").length, 0);

    const [rules, other] = ["", "Allow: /private/a\n"].map((line) => crawler.parse(`User-agent: *\nDisallow: /private/\n${line}`));
    const { result, paths } = tools.difference(rules, other);
    const asText = paths.map(({ path, verdicts }) => `${path}: ${verdicts.join(", ")}`);
    assert.deepEqual([result, asText], ["found", ["/private/a: disallowed by line 2, allowed by line 3"]]);
    assert.deepEqual(tools.difference(rules, rules), { result: "none", paths: [] });
    assert.throws(() => tools.format(Buffer.from([0xff, 0xfe, 65, 0])), { code: "argument", message: /UTF-16/ });
});

test("tools: names of user-agent lines", () => {
    assert.deepEqual(["MyBot2/1.0 (a bot)", "* all", "(none)", ""].map((value) => tools.agentName(value)), ["MyBot2", "*", null, null]);
    assert.deepEqual(["google", "koster1996"].map((dialect) => tools.agentName("MyBot2/1.0", dialect)), ["MyBot", "MyBot2/1.0"]);
    assert.throws(() => tools.agentName("MyBot", "none"), { code: "argument" });
});

test("tools: advice about names and verdicts", () => {
    assert.equal(tools.nameAdvice("Bing"), "Bing names an operator, not a crawler; its crawlers: bingbot");
    assert.match(tools.nameAdvice("MJ12"), /MJ12bot/);
    assert.match(tools.nameAdvice("Bingo"), /write `bingbot`/);
    assert.match(tools.nameAdvice("Shopbt", "User-agent: ShopBot\nDisallow: /"), /write `ShopBot`/);
    assert.deepEqual(["ExampleBot", "", "a b", "MJ12bot"].map((name) => tools.nameAdvice(name)), [null, null, null, null]);
    const body = "User-agent: *\nDisallow: /shop\n";
    const example = new Crawler("ExampleBot");
    assert.equal(tools.verdictAdvice(example, body, "/shop/tea", "ExampleBot"),
        'To let ExampleBot fetch /shop/tea, add "Allow: /shop/tea" after line 2; that holds for all crawlers without a group of their own.');
    assert.equal(tools.verdictAdvice(example, body, "/robots.txt", "ExampleBot", "google"), "No rule changes that: every crawler may fetch the robots.txt.");
    assert.throws(() => tools.verdictAdvice(example, body, "mailto:x", "ExampleBot"), { code: "url" });
    assert.throws(() => tools.verdictAdvice(example, body, "/", "ExampleBot", "none"), { code: "argument" });
});

test("tools: recipes", () => {
    const added = tools.addRecipes("User-agent: *\nDisallow: /cart/\nAllow: /private/open\n", "folder /private/\nsitemap https://example.com/s.xml");
    const file = Buffer.from(added.text).toString();
    assert.deepEqual(added.effects, ["crawlers may not fetch URLs that start with /private/"]);
    assert.match(added.warnings[0], /^\/private\/open stays open for .*: line 3, `Allow: \/private\/open`, decides it$/);
    assert.deepEqual(tools.addRecipes("", "let-all-in").warnings, []);
    assert.equal(tools.addRecipes("", "training-out").homePage,
        "well-known crawlers that may fetch the home page: 10 of 10 for search, 6 of 6 for AI search, 0 of 9 for training, 5 of 5 for ads and shops");
    assert.match(tools.addRecipes("User-agent: *\nDisallow: /cart/\n", "training-out").homePage, /, 0 of 9 \(was 9\) for training, /);
    const rules = crawler.parse(file);
    assert.deepEqual(["/cart/", "/private/x", "/"].map((path) => rules.isAllowed(path)), [false, false, true]);
    assert.deepEqual(rules.sitemaps, ["https://example.com/s.xml"]);
    assert.match(Buffer.from(tools.addRecipes("", "keep-all-out", true).text).toString(), /^# /m);
    for (const requests of ["", "no-such-recipe", "folder"]) {
        assert.throws(() => tools.addRecipes("", requests), { code: "argument", message: /^nothing is added: ./ });
    }
});
