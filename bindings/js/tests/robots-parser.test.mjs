// librobots/robots-parser beside robots-parser itself.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
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

test("a file is compiled once for each of 200 user agents in turn", () => {
    const robot = ours(FILE, "User-agent: named\nDisallow: /named\n\nUser-agent: *\nDisallow: /all\n");
    const { parse } = robots.Crawler.prototype;
    let parses = 0;
    robots.Crawler.prototype.parse = function (body) {
        parses++;
        return parse.call(this, body);
    };
    try {
        for (let check = 0; check < 600; check++) {
            assert.equal(robot.isAllowed(`${SITE}/all`, `bot${check % 200}`), false);
            assert.equal(robot.isAllowed(`${SITE}/named`, `bot${check % 200}`), true);
            assert.equal(robot.isAllowed(`${SITE}/named`, "named"), false);
        }
    } finally {
        robots.Crawler.prototype.parse = parse;
    }
    assert.equal(parses, 201);
});

test("what many user agents need of a file is bounded, also if each has rules of its own", () => {
    const { memory } = new robots.Crawler("x").parse("").engine.exports;
    const count = 300;
    let body = Array.from({ length: count }, (_, bot) => `User-agent: bot${bot}\n`).join("");
    for (let rule = 0; rule < 1000; rule++) body += `Disallow: /${rule}/${"x".repeat(60)}\n`;
    for (let bot = 0; bot < count; bot++) body += `User-agent: bot${bot}\nDisallow: /own${bot}\n`;
    const robot = ours(FILE, body);
    const turn = () => {
        for (let bot = 0; bot < count; bot++) {
            assert.equal(robot.isAllowed(`${SITE}/own${bot}`, `bot${bot}`), false);
            assert.equal(robot.isAllowed(`${SITE}/own${bot}`, `other${Math.random()}`), true);
        }
    };
    turn();
    const before = memory.buffer.byteLength;
    for (let turns = 0; turns < 5; turns++) turn();
    assert.ok(memory.buffer.byteLength - before < 1 << 20, `${memory.buffer.byteLength} bytes after ${before}`);
    assert.ok(before < 64 << 20, `${before} bytes`);
    for (let bot = 0; bot < 300; bot++) assert.equal(robot.isAllowed(`${SITE}/own1`, `${bot}${"long".repeat(25_000)}`), true);
    assert.ok(memory.buffer.byteLength - before < 8 << 20, `${memory.buffer.byteLength} bytes after ${before}, with long names`);
});

test("maxBytes says how much of a file is read", () => {
    const late = `User-agent: *\nDisallow: /a\n${"#".repeat(600_000)}\nDisallow: /late\n`;
    assert.equal(ours(FILE, late).isAllowed(`${SITE}/late`, "x"), true);
    for (let turn = 0; turn < 2; turn++) {
        assert.equal(ours(FILE, late, { maxBytes: 1_000_000 }).isAllowed(`${SITE}/late`, "x"), false);
        assert.equal(ours(FILE, late).isAllowed(`${SITE}/late`, "x"), true);
    }
    assert.equal(ours(FILE, `${late}Host: a.com\nSitemap: /s\n`, { maxBytes: 1_000_000 }).getPreferredHost(), "a.com");
    for (const maxBytes of [1, -1, 1.5, 2 ** 31]) assert.throws(() => ours(FILE, "", { maxBytes }), /max/i);
    assert.throws(() => ours(FILE, "", { maxBytes: "many" }), TypeError);
});

test("white space that only JavaScript knows is removed as robots-parser does", () => {
    for (const space of ["\v", "\f", "\u00A0", "\u1680", "\u2003", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000", "\uFEFF"]) {
        for (const body of [
            `User-agent: *\nDisallow:${space}/p\n`, `User-agent: *\r\n${space}Disallow${space}: /p\n`, `User-agent:${space}x\rDisallow: /p\n`,
            `User-agent: *\nDisallow: /p${space}# a:b\n`, `User-agent: *\n# a: b${space}\nDisallow: /p\n`, `User-agent: *${space}Disallow: /p\n`,
            `User-agent: *\nDisallow: /p${space}q\n`,
        ]) {
            const [one, other] = [theirs, ours].map((parser) => parser(FILE, `${body}Sitemap:${space}https://e.com/s${space}\nHost:${space}e.com\n`));
            assert.equal(other.isAllowed(`${SITE}/p`, "x"), one.isAllowed(`${SITE}/p`, "x"), JSON.stringify(body));
            assert.equal(other.getMatchingLineNumber(`${SITE}/p`, "x"), one.getMatchingLineNumber(`${SITE}/p`, "x"), JSON.stringify(body));
            assert.deepEqual(other.getSitemaps(), one.getSitemaps(), JSON.stringify(body));
        }
    }
});

/** The public methods with their number of parameters, and what the module exports. */
function surface(parser, module) {
    const robot = parser(FILE, BODY);
    const names = Object.getOwnPropertyNames(Object.getPrototypeOf(robot)).filter((name) => !name.startsWith("_") && name !== "constructor");
    return {
        ...Object.fromEntries(names.map((name) => [`robot.${name}`, typeof robot[name]])),
        ...Object.fromEntries(Object.keys(robot).filter((name) => !name.startsWith("_")).map((name) => [`robot.${name}`, "property"])),
        "parser.length": String(parser.length),
        "typeof require(...)": typeof module,
    };
}

const URLS = ["/private/", `${SITE}/private/`, `${SITE}/`, "https://other.example/", "http://e.com/", "", "https://[", "mailto:x", `${SITE}/a?b=%27`];
const CALLS = [
    ...["isAllowed", "isDisallowed", "getMatchingLineNumber"].flatMap((name) => URLS.map((url) => `robot.${name}(${JSON.stringify(url)}, "x")`)),
    ...["null", "undefined", "1", "{}"].flatMap((value) => [`robot.isAllowed(${value})`, `parser(${JSON.stringify(FILE)}, ${value}).isAllowed("${SITE}/")`]),
    ...["null", "1", "{}"].map((value) => `robot.isAllowed("${SITE}/", ${value})`),
    'robot.getCrawlDelay("x")', "robot.getCrawlDelay()", "robot.getSitemaps()", "robot.getPreferredHost()", 'parser("/robots.txt", "").getSitemaps()',
    `parser("${FILE}", "").getPreferredHost()`, `parser(new URL("${FILE}"), "").isAllowed(new URL("${SITE}/x"))`, 'parser("https://[", "").isAllowed("/")',
    `parser("${FILE}").isAllowed("${SITE}/")`, 'parser("/robots.txt", "User-agent: *\\nDisallow: /x").isAllowed("/x")', "parser().isAllowed('/')",
    ...["1e3", "+3", "0x10", "-1", "", "Infinity"].map((value) => `parser("${FILE}", "User-agent: *\\nCrawl-delay: ${value}").getCrawlDelay("x")`),
    `parser("${FILE}", "User-agent: *\\nDisallow: /\\n\\nUser-agent: x").isAllowed("${SITE}/a", "x")`,
    `parser("${FILE}", "User-agent: y\\nDisallow: /\\nHost: e.com").getPreferredHost()`,
    `parser("${FILE}", "#".repeat(600000) + "\\nUser-agent: *\\nDisallow: /").isAllowed("${SITE}/a", "x")`,
    'parser("/robots.txt", "User-agent: *\\nCrawl-delay: x").getCrawlDelay()', 'parser("/robots.txt", "User-agent: *\\nCrawl-delay: 1.5").getCrawlDelay("y")',
];

function answer(parser, call) {
    try {
        return JSON.stringify(new Function("parser", "robot", `return ${call}`)(parser, parser(FILE, BODY))) ?? "undefined";
    } catch (error) {
        return error.name;
    }
}

test("README.md lists what differs from robots-parser; UPDATE_SURFACES=1 writes it", () => {
    const require = createRequire(join(folder, "package.json"));
    const { version } = require("robots-parser/package.json");
    const has = surface(theirs, theirs);
    const mine = surface(ours, require("librobots/robots-parser"));
    const rows = [...new Set([...Object.keys(has), ...Object.keys(mine)])].map((name) => [name, has[name] ?? "none", mine[name] ?? "none"]);
    rows.push(...CALLS.map((call) => [call, answer(theirs, call), answer(ours, call)]));
    const wanted = rows.filter(([, one, other]) => one !== other).map((row) => `| robots-parser ${version} | \`${row.join("` | `")}\` |\n`).join("");
    const page = new URL("../README.md", import.meta.url);
    const start = "| original | name or call | there | here |\n|---|---|---|---|\n";
    const [head, rest] = readFileSync(page, "utf8").split(start);
    const listed = rest.slice(0, rest.startsWith("\n") ? 0 : rest.indexOf("\n\n") + 1);
    if (process.env.UPDATE_SURFACES) writeFileSync(page, head + start + wanted + rest.slice(listed.length));
    else assert.equal(listed, wanted);
});
