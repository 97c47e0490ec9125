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
