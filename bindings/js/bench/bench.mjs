// librobots beside robots-parser, in one run: node bindings/js/bench/bench.mjs PACKAGE
// PACKAGE is the folder of the built package, with robots-parser in its node_modules. ROBOTS_CORPUS names a folder of
// robots.txt files. Each row is the best of fifteen rounds, interleaved.
import { appendFileSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = resolve(process.argv[2] ?? "target/js/package");
const require = createRequire(join(folder, "package.json"));
const robotsParser = require("robots-parser");
const { Crawler, Rules, load } = await import(pathToFileURL(join(folder, "dist/esm/index.js")).href);
const { default: dropIn } = await import(pathToFileURL(join(folder, "dist/esm/robots-parser.js")).href);
if (process.env.ROBOTS_WASM) await load(new WebAssembly.Module(readFileSync(process.env.ROBOTS_WASM)));

const SITE = "https://example.com";
const files = corpus(process.env.ROBOTS_CORPUS);

function corpus(from) {
    const names = readdirSync(from, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
    const every = Math.ceil(names.length / 300);
    return names
        .filter((_, index) => index % every === 0)
        .map((it) => readFileSync(join(it.parentPath ?? it.path, it.name), "utf8"))
        .filter((body) => body.length < 500_000);
}

// URLs as a crawl of the site meets them: near its rules, and elsewhere.
function urlsOf(body) {
    const paths = [...body.matchAll(/^(?:dis)?allow\s*:\s*(\/[^\s#*$]*)/gim)].map((match) => match[1]);
    const urls = [`${SITE}/`, `${SITE}/articles/2026/some-title-of-a-page-12345.html`, `${SITE}/shop/item?id=4711&color=red`];
    for (let at = 0; at < paths.length && urls.length < 20; at += Math.ceil(paths.length / 17)) urls.push(`${SITE}${paths[at]}page-${at}`);
    return urls;
}

const crawler = new Crawler("ExampleBot");
const sites = files.map((body) => ({ body, bytes: Buffer.from(body), urls: urlsOf(body) }));
for (const site of sites) {
    site.ours = crawler.parse(site.body);
    site.theirs = robotsParser(`${SITE}/robots.txt`, site.body);
}
const checks = sites.reduce((sum, { urls }) => sum + urls.length, 0);

function best(runs) {
    const times = runs.map(() => Infinity);
    for (let round = 0; round < 16; round++) {
        runs.forEach((run, index) => {
            const start = performance.now();
            run();
            if (round > 0) times[index] = Math.min(times[index], performance.now() - start);
        });
    }
    return times;
}

// For benches/figures.
function figure(name, text) {
    if (process.env.FIGURES) appendFileSync(process.env.FIGURES, `${name}\t${text}\n`);
}

let sink = 0;
const repeat = Math.ceil(100_000 / checks);
const rows = [];
function row(name, count, unit, ours, theirs) {
    const [a, b] = best([ours, theirs]);
    const each = (time) => `${((time * 1e6) / count).toFixed(0)} ns`;
    rows.push([name, each(a), each(b), `${(b / a).toFixed(1)} x`, unit]);
    figure(name, (b / a).toFixed(4));
}
row("parse, a string", sites.length, "a file", () => {
    for (const { body } of sites) crawler.parse(body).free();
}, () => {
    for (const { body } of sites) sink += robotsParser(`${SITE}/robots.txt`, body) === null ? 1 : 0;
});
row("parse, bytes", sites.length, "a file", () => {
    for (const { bytes } of sites) crawler.parse(bytes).free();
}, () => {
    for (const { bytes } of sites) sink += robotsParser(`${SITE}/robots.txt`, bytes.toString()) === null ? 1 : 0;
});
row("check", checks * repeat, "a URL", () => {
    for (let round = 0; round < repeat; round++) for (const { ours, urls } of sites) for (const url of urls) sink += ours.check(url).allowed ? 1 : 0;
}, () => {
    for (let round = 0; round < repeat; round++) for (const { theirs, urls } of sites) for (const url of urls) sink += theirs.isAllowed(url, "ExampleBot") ? 1 : 0;
});
const many = sites.map(({ urls }) => Array.from({ length: 50 }, () => urls).flat());
const each = many.reduce((sum, urls) => sum + urls.length, 0);
row("check, batches of 1000", each, "a URL", () => {
    sites.forEach(({ ours }, index) => (sink += ours.checkMany(many[index]).length));
}, () => {
    sites.forEach(({ theirs }, index) => {
        for (const url of many[index]) sink += theirs.isAllowed(url, "ExampleBot") ? 1 : 0;
    });
});
const asked = (parser) => () => {
    for (const { body, urls } of sites) {
        const robot = parser(`${SITE}/robots.txt`, body);
        for (let at = 0; at < 20; at++) sink += robot.isAllowed(urls[at % urls.length], "ExampleBot") ? 1 : 0;
    }
};
row("robots-parser, 20 URLs", sites.length, "a file", asked(dropIn), asked(robotsParser));
const SMALL = "User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n";
const agents = Array.from({ length: 100 }, (_, index) => `bot${index}x`);
const turns = (robot) => () => {
    for (let round = 0; round < 1000; round++) for (const agent of agents) sink += robot.isAllowed(`${SITE}/page`, agent) ? 1 : 0;
};
row("robots-parser, 100 agents", 1000 * agents.length, "a URL", ...[dropIn, robotsParser].map((parser) => turns(parser(`${SITE}/robots.txt`, SMALL))));

// The bound of a check: a call that does nothing, and a URL that is copied and not read.
const { exports } = sites[0].ours.engine;
const nothing = exports.robots_version_number;
const { engine } = sites[0].ours;
const [call, copy] = best([
    () => {
        for (let at = 0; at < 1_000_000; at++) sink += nothing();
    },
    () => {
        for (let round = 0; round < repeat; round++) {
            for (const { urls } of sites) {
                for (const url of urls) {
                    sink += engine.put(url, "");
                    engine.release();
                }
            }
        }
    },
]);
let agreed = 0;
for (const { ours, theirs, urls } of sites) for (const url of urls) agreed += ours.isAllowed(url) === theirs.isAllowed(url, "ExampleBot") ? 1 : 0;

// Objects are freed between tasks only.
const before = exports.memory.buffer.byteLength;
for (let at = 0; at < 100_000; at++) crawler.parse(SMALL);
const kept = `${((exports.memory.buffer.byteLength - before) / 1e8).toFixed(2)} GB`; // of a million
figure("files", sites.length);
figure("a million small files", kept);

console.log(`${sites.length} files, ${checks} URLs; Node ${process.version}`);
console.log(["", "librobots", "robots-parser", "ratio"].map((word, index) => (index ? word.padStart(14) : word.padEnd(24))).join(""));
for (const [name, ours, theirs, ratio, unit] of rows) {
    console.log(`${name.padEnd(24)}${ours.padStart(14)}${theirs.padStart(14)}${ratio.padStart(14)}  ${unit}`);
}
console.log(`the bound of a check: ${call.toFixed(0)} ns for a call of the module, ${((copy * 1e6) / (checks * repeat)).toFixed(0)} ns to copy a URL`);
console.log(`a million small files that are not freed: ${kept}`);
console.log(`the verdicts agree for ${agreed} of ${checks} URLs${sink < 0 ? "!" : ""}`);
