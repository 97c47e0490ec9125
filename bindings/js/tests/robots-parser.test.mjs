// librobots/robots-parser beside robots-parser itself.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { folder, robots } from "./package.mjs";

const { default: ours } = await import(pathToFileURL(join(folder, "dist/esm/robots-parser.js")).href);
const theirs = createRequire(join(folder, "package.json"))("robots-parser");
const SITE = "https://e.com";
const FILE = `${SITE}/robots.txt`;
const BODY = "User-agent: *\nDisallow: /private/\nDisallow: /a?b=%27\nDisallow: /x/y\nHost: e.com\nSitemap: https://e.com/s\n";

/** The time of each call, the best of several rounds in turns. */
function times(calls) {
    const best = calls.map(() => Infinity);
    for (let round = 0; round < 9; round++) {
        for (const [index, call] of calls.entries()) {
            const start = performance.now();
            for (let count = 0; count < 200; count++) call();
            best[index] = Math.min(best[index], performance.now() - start);
        }
    }
    return best;
}

test("a parse and 20 checks take at most two thirds of the time of the original", () => {
    const urls = Array.from({ length: 20 }, (_, number) => `${SITE}/articles/2026/page-${number}`);
    const work = (parser) => () => {
        const robot = parser(FILE, BODY);
        for (const url of urls) robot.isAllowed(url, "ExampleBot");
    };
    const [mine, original] = times([work(ours), work(theirs)]);
    assert.ok(1.5 * mine <= original, `${mine} ms, ${original} ms`);
    const [host, itsHost] = times([ours, theirs].map((parser) => parser(FILE, BODY)).map((robot) => () => robot.getPreferredHost()));
    assert.ok(host <= 20 * itsHost + 0.1, `host: ${host} ms, ${itsHost} ms`);
});

test("a URL is decided in the same way with new URL and without", () => {
    const robot = ours(FILE, BODY);
    const parts = ["/private/", "/x", "/y", "/a", "?b=", "%27", "'", "%2e", ".", "..", "/", "\\", "#", "\t", " ", "|", '"', "@", ":", "é", "[", "]", "%"];
    for (let seed = 1; seed < 60_000; seed++) {
        let url = `${SITE}/`;
        for (let rest = Math.imul(seed, 2_654_435_761) >>> 0; rest > 0; rest = Math.floor(rest / parts.length)) url += parts[rest % parts.length];
        const read = new URL(url);
        const [text, parsed] = [robot.isAllowed(url, "x"), robot.isAllowed(read, "x")];
        // The text has more readings.
        assert.ok(text === parsed || (text === false && read.href !== url), url);
    }
});

test("a file that is parsed after a defect stopped the module has rules", () => {
    const { engine } = new robots.Crawler("x").parse("");
    assert.equal(ours(FILE, BODY).isAllowed(`${SITE}/private/`, "x"), false);
    engine.failed(new Error("as a trap"));
    assert.equal(ours(FILE, BODY).isAllowed(`${SITE}/private/`, "x"), false);
    assert.equal(ours(FILE, BODY).isAllowed(`${SITE}/open`, "x"), true);
});
