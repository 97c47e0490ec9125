// Arguments that a caller gets wrong: each error names the argument and says what to pass.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { client, folder, robots, tools } from "./package.mjs";

const { Cache, Crawler, Fetch, Verdict, Verdicts } = robots;
const { default: robotsParser } = await import(pathToFileURL(join(folder, "dist/esm/robots-parser.js")).href);
const BODY = "User-agent: *\nDisallow: /private/\n";
const crawler = new Crawler("ExampleBot");
const fails = (call, message) => assert.throws(call, { name: "RobotsError", code: "argument", message });
const mistakes = (call, message) => assert.throws(call, { name: "TypeError", message });

test("a response without a body is no empty file", () => {
    for (const body of [undefined, null]) {
        mistakes(() => crawler.outcomeFromStatus("https://h/", 200, body), /a robots.txt must be a string or a Uint8Array, not/);
        mistakes(() => new Fetch(crawler, "https://h/").body(body), /must be a string or a Uint8Array, not/);
        mistakes(() => new Cache(crawler).check("https://h/").ticket.finish(body), /must be an Outcome/);
        assert.equal(crawler.outcomeFromStatus("https://h/", 404, body).kind, "allow_all");
    }
    assert.equal(crawler.outcomeFromStatus("https://h/", 200, "").kind, "rules");
});

test("checkMany takes a list", () => {
    const rules = crawler.parse(BODY);
    mistakes(() => rules.checkMany("https://e.com/private/x"), /an array of URLs/);
    mistakes(() => rules.checkMany(Buffer.from("/x")), /an array of URLs/);
});

test("a time in milliseconds is an error", () => {
    const now = Date.now();
    const outcome = crawler.outcomeFromStatus("https://h/", 404, "");
    const { ticket } = new Cache(crawler).check("https://h/");
    const calls = [
        (time) => new Cache(crawler).check("https://h/", time),
        (time) => outcome.check("https://h/", time),
        (time) => ticket.fetch(time),
        (time) => ticket.finish(outcome, time),
        (time) => new Fetch(crawler, "https://h/", time),
        (time) => new Fetch(crawler, "https://h/").status(200, time),
        (time) => new Fetch(crawler, "ftp://h/").ftpReply(550, time),
        (time) => new Fetch(crawler, "https://h/").fail("dns", time),
        (time) => crawler.outcomeFromStatus("https://h/", 404, "", time),
    ];
    for (const call of calls) fails(() => call(now), new RegExp(`${now}.*seconds, not milliseconds`));
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

test("an argument error says the name, the value and the range", () => {
    const pointer = /NULL|pointer/;
    const calls = [
        [() => new Crawler("x", { maxBytes: 1 }), /set maxBytes \(512000 to 1073741824\) to 1: out of range/],
        [() => new Crawler("x", { maxTtl: 1e12 }), /set maxTtl \(1 to 315360000 seconds\) to 1000000000000: out of range/],
        [() => new Crawler("x", { minTtl: 1e12 }), /set minTtl \(0 to 315360000 seconds\) to 1000000000000: out of range/],
        [() => new Crawler("x", { maxRedirects: 21 }), /set maxRedirects \(0 to 20\) to 21: out of range/],
        [() => new Crawler("x", { ignoreStar: 2 }), /set ignoreStar \(false or true\) to 2: out of range/],
        [() => new Fetch(crawler, "https://h/").set("maxRetryAfter", 1e12), /set maxRetryAfter \(0 to 315360000 seconds\) to 1000000000000/],
        [() => new Cache(crawler, { maxBytes: 1 }), /maxBytes .*65536 .*not 1$/],
        [() => new Cache(crawler, { ticketTtl: 0 }), /ticketTtl .*1 to 86400, not 0$/],
    ];
    for (const [call, message] of calls) {
        fails(call, message);
        assert.throws(call, (error) => !pointer.test(error.message));
    }
    assert.doesNotMatch(new Cache(crawler).check("https://h/", 1e9, 2).verdict.error.message, pointer);
});

test("a crawler is one of this package", () => {
    mistakes(() => new Cache({ handle: () => -1 }), /must be a Crawler/);
    mistakes(() => new Cache("ExampleBot"), /must be a Crawler, not a string/);
    mistakes(() => tools.lint(BODY), /must be a Crawler, not a string/);
    mistakes(() => tools.explain(BODY, "/"), /must be a Crawler, not a string/);
    const copy = new (class Crawler {})();
    mistakes(() => new Cache(copy), /another copy of librobots/);
    mistakes(() => new Fetch([crawler, copy], "https://h/"), /another copy of librobots/);
    assert.throws(() => new Cache(Object.create(Crawler.prototype)), TypeError);
});

test("options: unknown names and other types", () => {
    fails(() => new Cache(crawler, { maxbytes: 1 }), /maxBytes, ticketTtl, defaultDelayMs, maxDelayMs, horizonMs, not "maxbytes"/);
    fails(() => client.robotsFetch(new Cache(crawler), { userAgent: "x", timeOut: 1 }), /timeout, not "timeOut"/);
    for (const wrong of [null, 1, "x", []]) {
        mistakes(() => new Cache(crawler, wrong), /options must be an object/);
        mistakes(() => new Crawler("x", wrong), /options must be an object/);
        mistakes(() => client.robotsFetch(new Cache(crawler), wrong), /options must be an object/);
    }
    mistakes(() => new Crawler("x", { ignoreStar: "no" }), /ignoreStar must be a boolean, not string/);
    mistakes(() => new Crawler("x", { maxRedirects: true }), /maxRedirects must be a number, not boolean/);
    const listed = (call) => {
        try {
            call();
        } catch (error) {
            return error.message;
        }
    };
    assert.doesNotMatch(listed(() => new Crawler("x", { onForbidden: "x" })), /\brules\b/);
    assert.doesNotMatch(listed(() => new Fetch(crawler, "https://h/").fail("x")), /\bnone\b/);
    fails(() => new Crawler("x", { onForbidden: "rules" }), /disallow_all/);
});

test("nobody creates a verdict", () => {
    for (const engine of [undefined, {}, null, Uint8Array.of(1, 7)]) {
        mistakes(() => new Verdict(engine, 1, 0, "/"), /comes from check/);
        mistakes(() => new Verdicts(engine, Uint8Array.of(1)), /come from checkMany/);
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
    assert.throws(() => crawler.parse(Object.create(Uint8Array.prototype)), TypeError);
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
});
