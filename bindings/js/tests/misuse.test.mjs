// Misuse, failure and lack of memory never permit a fetch; each error names the argument and says what to pass.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { client, folder, robots, tools } from "./package.mjs";

const { Cache, Crawler, Fetch, Outcome, Rules, Verdict, Verdicts } = robots;
const { default: robotsParser } = await import(pathToFileURL(join(folder, "dist/esm/robots-parser.js")).href);
const BODY = "User-agent: *\nDisallow: /private/\n";
const crawler = new Crawler("ExampleBot");
const RULES = crawler.parse(BODY);
const OUTCOME = crawler.outcomeFromStatus("https://h/", 404, "", 1e9);
const PAGE = crawler.pageControls();
const USES = tools.uses(crawler, "https://h/", "Content-Signal: ai-train=yes\n");
const use = (asked) => {
    const { url, purpose, page } = { url: "https://h/", purpose: "training", page: PAGE, ...asked };
    return USES.useFor(url, purpose, page);
};
const fails = (call, code, message = /./) => assert.throws(call, { name: "RobotsError", code, message });
const newFetch = (url = "https://h/", now = 1e9) => new Fetch(crawler, url, now);
const newTicket = () => new Cache(crawler).check("https://h/", 1e9).ticket;

const TIMED = [
    (time) => new Cache(crawler).check("https://h/", time), (time) => OUTCOME.check("https://h/", time), (time) => newTicket().fetch(time),
    (time) => newTicket().finish(OUTCOME, time), (time) => newFetch("https://h/", time), (time) => newFetch().status(200, time),
    (time) => newFetch("ftp://h/").ftpReply(550, time), (time) => newFetch().fail("dns", time), (time) => crawler.outcomeFromStatus("https://h/", 404, "", time),
];
const NO_TEXT = [undefined, null, 1, true, {}, [], { href: "https://example.com/" }, new ArrayBuffer(8), Symbol("x"), 1n];
const copy = new (class Crawler {})();

// The code of the error, what it says, and the calls.
const ERRORS = [
    ["token", /Mozilla/, () => new Crawler("Mozilla/5.0 (x)")],
    ["token", /\(a User-Agent header; its token is OwnBot\)/, () => new Crawler("Mozilla/5.0 (compatible; OwnBot/1.0)")],
    ["token", /^a crawler needs a product token, such as "ExampleBot"$/, ...[undefined, null, [], 1, {}].map((none) => () => new Crawler(none))],
    ["token", /^add the token ""/, () => new Crawler("")],
    ["token", /^no preset has the name "\*"/, () => Crawler.preset("*")],
    ["type", /^a name must be a string/, () => Crawler.preset(), () => Crawler.preset(["Googlebot"])],
    ["token", /^no preset has the name "nobody": `robots crawlers` lists them; or create the crawler with its product token$/, () => Crawler.preset("nobody")],
    ["argument", /rfc9309, google, koster1996, not "bing"/, () => new Crawler("x", { dialect: "bing" })],
    ["argument", /set maxRedirects \(0 to 20\) to 21: out of range/, () => new Crawler("x", { maxRedirects: 21 })],
    ["argument", /maxRedirects must be an integer/, () => new Crawler("x", { maxRedirects: -1 }), () => new Crawler("x", { maxRedirects: 1.5 })],
    ["argument", /set maxBytes \(512000 to 1073741824\) to 1: out of range/, () => new Crawler("x", { maxBytes: 1 })],
    ["argument", /set maxTtl \(1 to 315360000 seconds\) to 1000000000000: out of range/, () => new Crawler("x", { maxTtl: 1e12 })],
    ["argument", /set ignoreStar \(false or true\) to 2: out of range/, () => new Crawler("x", { ignoreStar: 2 })],
    ["argument", /set maxRetryAfter \(0 to 315360000 seconds\) to 1000000000000/, () => newFetch().set("maxRetryAfter", 1e12)],
    ["argument", /maxBytes .*65536 .*not 1$/, () => new Cache(crawler, { maxBytes: 1 })],
    ["argument", /ticketTtl .*1 to 86400, not 0$/, () => new Cache(crawler, { ticketTtl: 0 })],
    ["argument", /disallow_all/, () => new Crawler("x", { onForbidden: "rules" })],
    // No list of what to pass has what cannot be passed.
    ["argument", /^(?!.*\brules\b)/, () => new Crawler("x", { onForbidden: "x" })],
    ["argument", /^(?!.*\bnone\b)/, () => newFetch().fail("rain")],
    ["argument", /maxBytes, ticketTtl, defaultDelayMs, maxDelayMs, horizonMs, not "maxbytes"/, () => new Cache(crawler, { maxbytes: 1 })],
    ["argument", /timeout, not "timeOut"/, () => client.robotsFetch(new Cache(crawler), { userAgent: "x", timeOut: 1 })],
    ["argument", /seconds, not milliseconds/, ...TIMED.map((call) => () => call(1.8e12))],
    ["argument", /./, ...[-1, NaN, Infinity, new Date(NaN)].map((time) => () => TIMED.at(-1)(time))],
    // 2^32 + 200 is not 200.
    ["argument", /./, () => crawler.outcomeFromStatus("https://h/", 2 ** 32 + 200, BODY), () => new Cache([])],
    ["argument", /./, () => OUTCOME.check("https://h/", 1e9, -1), () => OUTCOME.rules(1), () => tools.codeMeaning("51"), () => tools.codeMeaning("R999")],
    ["argument", /^a purpose must be one of search, .*, not "trainig"$/, () => use({ purpose: "trainig" })],
    ["argument", /^a purpose must be one of /, ...[undefined, null, 2, "toString"].map((purpose) => () => use({ purpose }))],
    ["argument", /./, ...[-1, NaN, 1.8e12].map((time) => () => USES.receipt("https://h/", "training", PAGE, time))],
    ["type", /^a page must be PageControls of the crawler, or null/, ...[undefined, {}, [], "", 0, RULES].map((page) => () => use({ page }))],
    ["type", /^a receipt needs the time/, () => USES.receipt("https://h/", "training", PAGE)],
    ["type", /./, ...NO_TEXT.filter((none) => none !== null).map((none) => () => tools.uses(crawler, "https://h/", none))],
    ["state", /this PageControls was freed/, () => { const page = crawler.pageControls(); page.free(); use({ page }); }],
    ["state", /this Uses was freed/, () => { const uses = tools.uses(crawler, "https://h/", ""); uses.free(); uses.useFor("https://h/", "training", PAGE); }],
    ["url", /./, () => use({ url: "https://other/" }), () => use({ url: "h" }), () => tools.uses(crawler, "h", ""), () => tools.uses(crawler, "", "")],
    ["url", /./, () => newFetch("x")],
    ["scheme", /./, () => newFetch("mailto:x")],
    ["state", /./, () => newFetch().end()],
    ["image", /./, () => Rules.fromImage(new Uint8Array()), () => Outcome.decode(new Uint8Array(9), crawler), () => new Cache(crawler).importRecord(Buffer.from("x"))],
    // Wrong types.
    ["type", /^headers must be pairs of name and value, not (undefined|null|number|object|"[^"]*"): pass response.headers, .*pass null to useFor$/,
        ...[undefined, null, 5, {}, "", "X-Robots-Tag: noindex", new Uint8Array(2)].map((none) => () => crawler.pageControls(none))],
    ["type", /^headers\[0\] must be a pair .*, not ("ab"|"X-Robots-Tag[^"]*"|an array|object|null|undefined): pass response.headers, .*rawHeaders/,
        ...[["X-Robots-Tag", "noindex"], ["X-Robots-Tag: noindex"], ["ab"], [["a"]], [["a", "b", "c"]], [["a", 1]], [["a", undefined]], [[["a"], "b"]], [{ 0: "a", 1: "b" }], [null],
            [undefined]].map((wrong) => () => crawler.pageControls(wrong))],
    ["type", /a robots.txt must be a string or a Uint8Array, not/, ...[undefined, null].map((body) => () => crawler.outcomeFromStatus("https://h/", 200, body))],
    ["type", /must be a string or a Uint8Array, not/, () => newFetch().body(undefined)],
    ["type", /must be an Outcome/, () => newTicket().finish(undefined)],
    ["type", /an array of URLs/, () => RULES.checkMany("https://e.com/private/x"), () => RULES.checkMany(Buffer.from("/x"))],
    ["type", /must be a Crawler/, () => new Cache({ handle: () => -1 })],
    ["type", /must be a Crawler, not a string/, () => new Cache("ExampleBot"), () => tools.lint(BODY), () => tools.explain(BODY, "/")],
    ["type", /takes two Rules/, () => tools.difference(Rules.allowAll(), null), () => tools.difference(crawler, Rules.allowAll())],
    ["type", /another copy of librobots/, () => new Cache(copy), () => new Fetch([crawler, copy], "https://h/")],
    ["type", /options must be an object/, ...[null, 1, "x", []].flatMap((wrong) => [
        () => new Cache(crawler, wrong), () => new Crawler("x", wrong), () => client.robotsFetch(new Cache(crawler), wrong)])],
    ["type", /ignoreStar must be a boolean, not string/, () => new Crawler("x", { ignoreStar: "no" })],
    ["type", /maxRedirects must be a number, not (boolean|string)/, ...[true, "1"].map((maxRedirects) => () => new Crawler("x", { maxRedirects }))],
    ["type", /comes from check/, ...[undefined, {}, null, Uint8Array.of(1, 7)].map((engine) => () => new Verdict(engine, 1, 0, "/"))],
    ["type", /come from checkMany/, ...[undefined, {}, null].map((engine) => () => new Verdicts(engine, Uint8Array.of(1)))],
    ["type", /^a robots.txt must be/, () => crawler.parse(new URL("https://example.com/robots.txt"))],
    ["type", /./, () => RULES.check(Object.create(URL.prototype)), ...NO_TEXT.flatMap((wrong) => [
        () => RULES.check(wrong), () => RULES.checkMany(["/", wrong]), () => crawler.parse(wrong), () => Rules.fromImage(wrong)])],
    ["type", /./, () => RULES.checkMany(1), () => new Rules(), () => new Rules({}, 16), () => new Verdict(), () => Crawler("x"),
        () => new Fetch({}, "https://h/"), () => new Cache(undefined), () => new Cache(Object.create(Crawler.prototype)), () => newFetch("https://h/", "now"),
        () => newFetch().fail("none"), () => tools.explain({}, BODY, "/"), () => crawler.parse(Object.create(Uint8Array.prototype))],
    // An object of another kind would be another struct in memory.
    ["type", /./, () => Rules.prototype.check.call({}, "/"), () => Rules.prototype.check.call(crawler, "/"), () => newFetch().setPrevious(RULES.image),
        () => newFetch().setPrevious(RULES), () => newTicket().finish(RULES)],
];

test("a wrong argument is an error", () => {
    for (const [code, message, ...calls] of ERRORS) {
        const wanted = code === "type" ? { name: "TypeError", message } : { name: "RobotsError", code, message };
        assert.ok(calls.length > 0);
        for (const call of calls) {
            assert.throws(call, wanted);
            assert.throws(call, (error) => !/NULL|pointer/.test(error.message));
        }
    }
    assert.doesNotMatch(new Cache(crawler).check("https://h/", 1e9, 2).verdict.error.message, /NULL|pointer/);
    assert.deepEqual([crawler.outcomeFromStatus("https://h/", 404, null).kind, crawler.outcomeFromStatus("https://h/", 200, "").kind], ["allow_all", "rules"]);
});

// As in Cloudflare Workers, which tests/install/js runs where workerd is installed.
test("without FinalizationRegistry and compilers, the package can be used", () => {
    const program = `
        import { readFileSync } from "node:fs";
        delete globalThis.FinalizationRegistry;
        const compiled = new WebAssembly.Module(readFileSync(${JSON.stringify(join(folder, "dist/crawl.wasm"))}));
        const refuse = () => { throw new WebAssembly.CompileError("disallowed"); };
        WebAssembly.compile = async () => refuse();
        WebAssembly.Module = new Proxy(WebAssembly.Module, { construct: refuse });
        const { Crawler, load } = await import(${JSON.stringify(pathToFileURL(join(folder, "dist/esm/index.js")).href)});
        const said = [];
        for (const call of [() => new Crawler("x"), load]) await (async () => call())().catch(({ code, message }) => said.push(code, message));
        await load(compiled);
        const rules = new Crawler("x").parse("User-agent: *\\nDisallow: /private/");
        said.push(rules.isAllowed("/private/x"), rules.isAllowed("/x"));
        rules.free();
        try { rules.check("/") } catch ({ code }) { said.push(code); }
        console.log(JSON.stringify(said));`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" });
    assert.equal(stderr, "");
    const message = 'cannot compile the WebAssembly module here (disallowed): first import module from "librobots/crawl.wasm", and await load(module) of "librobots"';
    assert.deepEqual(JSON.parse(stdout), ["state", message, "state", message, false, true, "state"]);
});

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
    if (typeof Symbol.dispose === "symbol") {
        const scoped = crawler.parse(BODY);
        scoped[Symbol.dispose]();
        fails(() => scoped.check("/"), "state");
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

test("a prototype sets no option", () => {
    Object.prototype.maxDelayMs = 0;
    try {
        const cache = new Cache(crawler);
        const outcome = crawler.outcomeFromStatus("https://h/", 200, "user-agent: *\ncrawl-delay: 5\n");
        cache.check("https://h/").ticket.finish(outcome);
        cache.request("https://h/");
        assert.ok(cache.request("https://h/").requestInMs > 0);
    } finally {
        delete Object.prototype.maxDelayMs;
    }
});

test("pieces of a body that split a character", () => {
    const rulesOf = (...pieces) => {
        const fetch = new Fetch(crawler, "https://h/", 1e9);
        fetch.status(200, 1e9);
        fetch.headersEnd();
        for (const piece of pieces) fetch.body(piece);
        fetch.end();
        return fetch.outcome.rules().effectiveRules().map(({ pattern }) => pattern);
    };
    const whole = rulesOf("User-agent: *\nDisallow: /\u{1f600}x\n");
    assert.deepEqual(rulesOf("User-agent: *\nDisallow: /\ud83d", "\ude00x\n"), whole);
    assert.deepEqual(rulesOf("User-agent: *\nDisallow: /", "\ud83d", "", "\ude00", "x\n"), whole);
    const done = new Fetch(crawler, "https://h/", 1e9);
    done.fail("dns", 1e9);
    for (const piece of ["x", Buffer.from("x")]) assert.throws(() => done.body(piece), { code: "state" });
    const lone = rulesOf("User-agent: *\nDisallow: /\ufffd");
    assert.deepEqual(rulesOf("User-agent: *\nDisallow: /\ud83d"), lone);
    assert.deepEqual(rulesOf("User-agent: *\nDisallow: /\ud83d", Buffer.from("\n")), lone);
});

test("bytes with another length than they say", () => {
    class Liar extends Uint8Array {
        get length() {
            return 1;
        }
    }
    const rules = crawler.parse(new Liar(Buffer.from(BODY)));
    assert.equal(rules.isAllowed("/private/x"), false);
    assert.equal(rules.isAllowed(new Liar(Buffer.from("/private/x"))), false);
    assert.deepEqual([...rules.checkMany(["/", new Liar(Buffer.from("/private/x")), "/é"]).codes], [1, 0, 1]);
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
    const { image } = rules;
    for (let at = 0; at < image.length; at++) {
        const damaged = image.slice();
        damaged[at] ^= 1;
        assert.throws(() => Rules.fromImage(damaged), { name: "RobotsError", code: /^image/ }, `${at}`);
    }
    // The image is a copy.
    image.fill(0);
    assert.equal(rules.isAllowed("/private/x"), false);
});

test("robots-parser: URLs as new URL reads them", () => {
    for (const base of ["https://e.com/robots.txt", new URL("https://e.com/robots.txt"), " https:/e.com/robots.txt"]) {
        const robot = robotsParser(base, BODY);
        const urls = ["https://e.com\\private\\x", " https://e.com/private/x", "\thttps://e.com/private/x", "https:/e.com/private/x", "https:///e.com/private/x"];
        for (const url of [...urls, new URL("https://e.com/private/x"), "https://e.com/a/../private/x", "https://e.com:443/private/"]) {
            assert.equal(robot.isAllowed(url, "x"), false, `${url}`);
            assert.equal(robot.getMatchingLineNumber(url), 2, `${url}`);
        }
        assert.equal(robot.isAllowed(new URL("https://e.com/x")), true);
        assert.equal(robot.isAllowed("//e.com/x"), undefined);
        for (const agent of [1, {}, []]) assert.throws(() => robot.isAllowed("https://e.com/x", agent), TypeError);
        assert.throws(() => robot.getCrawlDelay(1), TypeError);
    }
    assert.equal(robotsParser("/robots.txt", BODY).isAllowed("/private/x"), false);
    // No text that is no URL is of the site, not even of one whose own URL is none.
    for (const base of ["https://e.com/robots.txt", "https://["]) {
        const robot = robotsParser(base, BODY);
        assert.deepEqual([robot.isAllowed("https://["), robot.isDisallowed("https://["), robot.getMatchingLineNumber("https://[")], [undefined, true, -1]);
    }
});

/** The names of tests/data/names.txt, and those in the user-agent lines of all files of ROBOTS_CORPUS. */
function names() {
    const found = new Set(readFileSync(new URL("../../../tests/data/names.txt", import.meta.url), "utf8").trim().split("\n"));
    const corpus = process.env.ROBOTS_CORPUS;
    for (const file of corpus ? readdirSync(corpus, { withFileTypes: true }) : []) {
        const body = file.isFile() ? readFileSync(join(corpus, file.name), "utf8") : "";
        for (const [, name] of body.matchAll(/^[ \t]*user-agent[ \t]*:[ \t]*([^#\r\n]*)/gim)) {
            const trimmed = name.replace(/[ \t]+$/, "");
            if (trimmed !== "") found.add(trimmed);
        }
    }
    return found;
}

test("robots-parser: a file that names an agent by any text disallows that agent", () => {
    const allowed = [...names()].filter((name) => robotsParser("https://e.com/robots.txt", `User-agent: ${name}\nDisallow: /\n`).isAllowed("https://e.com/x", name));
    assert.deepEqual(allowed, []);
});

test("robots-parser: a path that is too long is not allowed", () => {
    const robot = robotsParser("https://e.com/robots.txt", BODY);
    for (const path of ["x".repeat(70_000), "é".repeat(30_000)]) {
        assert.equal(robot.isAllowed(`https://e.com/${path}`), false);
        assert.equal(robot.isDisallowed(`https://e.com/${path}`), true);
    }
    assert.equal(robotsParser("/robots.txt", BODY).isAllowed("x"), true, "a path without a slash");
});

test("robots-parser: memory stays level with many agents in turn", () => {
    const body = `User-agent: *\n${Array.from({ length: 300 }, (_, rule) => `Disallow: /${rule}*x/\n`).join("")}`;
    const robot = robotsParser("https://e.com/robots.txt", body);
    const { memory } = crawler.parse("").engine.exports;
    const check = (count) => {
        for (let turn = 0; turn < count; turn++) robot.isAllowed("https://e.com/y", `bot${turn % 100}x`);
        return memory.buffer.byteLength;
    };
    const start = check(1000);
    assert.equal(check(10_000), start);
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
    fails(() => new Crawler("x").handle(engine), "panic");
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

const hundredRules = `User-agent: *\n${Array.from({ length: 100 }, (_, rule) => `Disallow: /${rule}/\n`).join("")}`;

test("memory grows in large steps", () => {
    const { memory } = crawler.parse(BODY).engine.exports;
    const start = memory.buffer.byteLength;
    const buffers = new Set([memory.buffer]);
    const kept = [];
    while (memory.buffer.byteLength < start + (16 << 20)) {
        kept.push(crawler.parse(hundredRules));
        buffers.add(memory.buffer);
    }
    for (const rules of kept) rules.free();
    assert.ok(buffers.size < 20, `${kept.length} files made it grow ${buffers.size - 1} times`);
});

test("a check during which the memory grows returns the whole verdict", () => {
    const rules = crawler.parse(BODY);
    const { memory } = rules.engine.exports;
    const url = new TextEncoder().encode(`/private/${"x".repeat(60_000)}`);
    const start = memory.buffer.byteLength;
    const kept = [];
    // The room of the URL and of its canonical form is free until these files have taken it.
    while (memory.buffer.byteLength < start + (2 << 20)) {
        kept.push(crawler.parse(hundredRules));
        assert.equal(rules.check(url).line, 2);
    }
    for (const each of kept) each.free();
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
