// Misuse, failure and lack of memory never permit a fetch.
import assert from "node:assert/strict";
import { test } from "node:test";
import { robots, tools } from "./package.mjs";

const { Cache, Crawler, Fetch, Outcome, Rules, Verdict } = robots;
const BODY = "User-agent: *\nDisallow: /private/\n";
const crawler = new Crawler("ExampleBot");
const fails = (call, code, message = /./) => assert.throws(call, { name: "RobotsError", code, message });

test("a verdict is no boolean, number or text by mistake", () => {
    const verdict = crawler.parse(BODY).check("/private/x");
    for (const mistake of [() => verdict == true, () => +verdict, () => verdict + "", () => verdict > 0, () => crawler.parse(BODY).checkMany(["/"]) == true]) {
        assert.throws(mistake, TypeError);
    }
    assert.deepEqual(JSON.parse(JSON.stringify(verdict)), { allowed: false, reason: "rule_disallowed", line: 2, error: null });
    assert.throws(() => (verdict.allowed = true), TypeError);
});

test("freed objects throw, and are freed once", () => {
    const rules = crawler.parse(BODY);
    rules.free();
    rules.free();
    for (const use of [() => rules.check("/"), () => rules.isAllowed("/"), () => rules.checkMany(["/"]), () => rules.image, () => rules.sitemaps, () => rules.crawlDelay]) {
        fails(use, "state", /Rules was freed/);
    }
    const cache = new Cache(crawler);
    const { ticket } = cache.check("https://example.com/", 1e9);
    cache.free();
    fails(() => cache.check("https://example.com/"), "state");
    const outcome = crawler.outcomeFromStatus("https://example.com/", 404, "", 1e9);
    ticket.finish(outcome, 1e9);
    fails(() => ticket.finish(outcome, 1e9), "state");
    outcome.free();
    fails(() => ticket.finish(outcome, 1e9), "state");
});

test("using frees at the end of a block", { skip: typeof Symbol.dispose !== "symbol" && "this JavaScript has no Symbol.dispose" }, () => {
    const rules = crawler.parse(BODY);
    rules[Symbol.dispose]();
    fails(() => rules.check("/"), "state");
});

test("wrong types throw", () => {
    const rules = crawler.parse(BODY);
    for (const wrong of [undefined, null, 1, true, {}, [], new URL("https://example.com/"), new ArrayBuffer(8), Symbol("x"), 1n]) {
        assert.throws(() => rules.check(wrong), TypeError);
        assert.throws(() => rules.checkMany(["/", wrong]), TypeError);
        assert.throws(() => crawler.parse(wrong), TypeError);
        assert.throws(() => Rules.fromImage(wrong), TypeError);
    }
    assert.throws(() => rules.checkMany(1), TypeError);
    assert.throws(() => new Rules(), TypeError);
    assert.throws(() => new Rules({}, 16), TypeError);
    assert.throws(() => new Verdict(), TypeError);
    assert.throws(() => Crawler("x"), TypeError);
    assert.throws(() => new Fetch({}, "https://h/"), TypeError);
    assert.throws(() => new Cache(undefined), TypeError);
    assert.throws(() => Rules.prototype.check.call({}, "/"), TypeError);
    assert.throws(() => Rules.prototype.check.call(crawler, "/"), TypeError);
    assert.throws(() => new Fetch(crawler, "https://h/").setPrevious(rules.image), TypeError);
    // An object of another kind would be another struct in memory.
    assert.throws(() => new Fetch(crawler, "https://h/").setPrevious(rules), TypeError);
    assert.throws(() => new Cache(crawler).check("https://h/").ticket.finish(rules), TypeError);
});

test("tokens, options and times out of range", () => {
    fails(() => new Crawler("Mozilla/5.0 (x)"), "token", /Mozilla/);
    fails(() => new Crawler("Mozilla/5.0 (compatible; OwnBot/1.0)"), "token", /\(a User-Agent header; its token is OwnBot\)/);
    fails(() => new Crawler([]), "token");
    fails(() => new Crawler(""), "token");
    fails(() => Crawler.preset("nobody"), "token", /nobody/);
    fails(() => new Crawler("x", { dialect: "bing" }), "argument", /rfc9309, google, koster1996, not "bing"/);
    fails(() => new Crawler("x", { maxRedirects: -1 }), "argument", /maxRedirects/);
    fails(() => new Crawler("x", { maxRedirects: 1.5 }), "argument");
    assert.throws(() => new Crawler("x", { maxRedirects: "1" }), TypeError);
    // 2^32 + 200 is not 200, and -1 is no time.
    fails(() => crawler.outcomeFromStatus("https://h/", 2 ** 32 + 200, BODY), "argument");
    for (const time of [Date.now(), -1, NaN, Infinity, new Date(NaN)]) {
        fails(() => crawler.outcomeFromStatus("https://h/", 200, BODY, time), "argument");
    }
    assert.throws(() => new Fetch(crawler, "https://h/", "now"), TypeError);
    const outcome = crawler.outcomeFromStatus("https://h/", 200, BODY, 1e9);
    fails(() => outcome.check("https://h/", Date.now()), "argument");
    fails(() => outcome.check("https://h/", 1e9, -1), "argument");
    fails(() => outcome.rules(1), "argument");
    fails(() => new Cache([]), "argument");
    fails(() => new Fetch(crawler, "x"), "url");
    fails(() => new Fetch(crawler, "mailto:x"), "scheme");
    const fetch = new Fetch(crawler, "https://h/", 1e9);
    fails(() => fetch.end(), "state");
    assert.throws(() => fetch.fail("none"), TypeError);
    fails(() => fetch.fail("rain"), "argument");
    assert.throws(() => tools.explain({}, BODY, "/"), TypeError);
    fails(() => tools.codeMeaning("51"), "argument");
    fails(() => tools.codeMeaning("R999"), "argument");
});

test("lone surrogates are U+FFFD, as fetch sends them", () => {
    const rules = crawler.parse("User-agent: *\nDisallow: /%EF%BF%BDx\n");
    for (const url of ["/\ud800x", "/\udfffx", "/\ufffdx", "https://h/\ud83dx"]) {
        assert.equal(rules.check(url).allowed, false, url);
        assert.equal(rules.checkMany([url, "/ok"]).codes[0], 0);
    }
    assert.equal(rules.check("/\u{1f600}x").allowed, true);
    assert.equal(crawler.parse("User-agent: *\nDisallow: /\ud800\n").isAllowed("/\ufffd"), false);
});

test("damaged images and records", () => {
    const rules = crawler.parse(BODY);
    fails(() => Rules.fromImage(new Uint8Array()), "image");
    const { image } = rules;
    for (let at = 0; at < image.length; at++) {
        const damaged = image.slice();
        damaged[at] ^= 1;
        assert.throws(() => Rules.fromImage(damaged), { name: "RobotsError", code: /^image/ }, `${at}`);
    }
    fails(() => Outcome.decode(new Uint8Array(9), crawler), "image");
    fails(() => new Cache(crawler).importRecord(Buffer.from("x")), "image");
    // The image is a copy.
    image.fill(0);
    assert.equal(rules.isAllowed("/private/x"), false);
});

test("huge inputs", () => {
    const rules = crawler.parse(BODY);
    assert.equal(rules.check(`/private/${"x".repeat(60_000)}`).allowed, false);
    assert.equal(rules.check(`/${"é".repeat(60_000)}`).error.code, "url");
    assert.equal(rules.check(`/${"x".repeat(50_000_000)}`).error.code, "url");
    assert.equal(crawler.parse(`${"#".repeat(400_000)}\n${BODY}`).isAllowed("/private/x"), false);
    assert.equal(crawler.parse("é".repeat(30_000_000)).isAllowed("/"), true);
    assert.deepEqual([...rules.checkMany([`/${"x".repeat(3_000_000)}`, "/private/", `/é${"x".repeat(70_000)}`]).codes], [2, 0, 2]);
});

test("a trap is an error that allows nothing, and the next object works", () => {
    const rules = crawler.parse("User-agent: *\nAllow: /\n");
    const cache = new Cache(crawler);
    const { engine } = rules;
    // As a panic would be: a handle at an address that does not exist.
    fails(() => engine.run(() => engine.number("robots_rules_free", 0xffff_fff0)), "panic");
    for (const use of [() => rules.check("/"), () => rules.isAllowed("/"), () => rules.checkMany(["/"]), () => cache.check("https://h/"), () => rules.image]) {
        fails(use, "panic", /nothing is allowed/);
    }
    rules.free();
    fails(() => rules.check("/"), "state");
    // The same crawler, in a new instance.
    const next = crawler.parse(BODY);
    assert.notEqual(next.engine, engine);
    assert.deepEqual([next.isAllowed("/x"), next.isAllowed("/private/x")], [true, false]);
    fails(() => new Cache(crawler).check("https://h/", 1e9).ticket.finish(cacheOutcome(engine), 1e9), "panic");
    function cacheOutcome() {
        const outcome = crawler.outcomeFromStatus("https://h/", 404, "", 1e9);
        outcome.engine.failed(new Error("a trap"));
        return outcome;
    }
});

test("memory grows in large steps", () => {
    const { memory } = crawler.parse(BODY).engine.exports;
    const body = `User-agent: *\n${Array.from({ length: 100 }, (_, rule) => `Disallow: /${rule}/\n`).join("")}`;
    const start = memory.buffer.byteLength;
    const buffers = new Set([memory.buffer]);
    const kept = [];
    while (memory.buffer.byteLength < start + (16 << 20)) {
        kept.push(crawler.parse(body));
        buffers.add(memory.buffer);
    }
    for (const rules of kept) rules.free();
    assert.ok(buffers.size < 20, `${kept.length} files made it grow ${buffers.size - 1} times`);
});

test("a collected object frees its memory", async () => {
    const { setFlagsFromString } = await import("node:v8");
    const { runInNewContext } = await import("node:vm");
    setFlagsFromString("--expose-gc");
    const gc = runInNewContext("gc");
    const body = "User-agent: *\n" + Array.from({ length: 2_000 }, (_, index) => `Disallow: /${index}/\n`).join("");
    const size = () => crawler.parse("").engine.exports.memory.buffer.byteLength;
    const round = async () => {
        for (let count = 0; count < 300; count++) crawler.parse(body);
        gc();
        await new Promise((resolve) => setTimeout(resolve, 10));
    };
    for (let warm = 0; warm < 3; warm++) await round();
    const before = size();
    for (let count = 0; count < 10; count++) await round();
    assert.ok(size() <= before * 1.5, `${before} bytes became ${size()}`);
});

// The last: afterwards the memory of the module has its largest size.
test("memory that runs out is an error, and the objects stay usable", () => {
    const rules = crawler.parse(BODY);
    const { engine } = rules;
    const { robots_wasm_alloc: alloc, robots_wasm_free: free } = engine.exports;
    const blocks = [];
    for (let size = 1 << 30; size >= 16; ) {
        const block = alloc(size);
        if (block === 0) size >>= 1;
        else blocks.push([block, size]);
    }
    fails(() => rules.check(`/private/${"x".repeat(100_000)}`), "memory");
    fails(() => crawler.parse("x".repeat(1_000_000)), "memory");
    fails(() => crawler.parse(BODY), "memory");
    fails(() => rules.checkMany(Array.from({ length: 10_000 }, () => "/a/longer/path")), "memory");
    assert.equal(rules.check("/private/x").allowed, false);
    assert.equal(rules.check("/x").allowed, true);
    for (const [block, size] of blocks) free(block, size);
    assert.equal(crawler.parse(BODY).isAllowed("/private/x"), false);
});
