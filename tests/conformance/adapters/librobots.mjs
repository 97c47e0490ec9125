// The adapter for librobots in JavaScript: librobots.mjs FOLDER-OF-THE-PACKAGE.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const { Crawler, Fetch, Origin } = await import(pathToFileURL(join(folder, "dist/esm/index.js")).href);

const bytes = (base64) => Buffer.from(base64, "base64");
const unescaped = (text) => Buffer.from(text.replace(/%(..)/g, (_, digits) => String.fromCharCode(parseInt(digits, 16))), "latin1");
const pairs = (all) => all.map((pair) => pair.map(unescaped));
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

function escaped(text) {
    const escape = (byte) => "%" + byte.toString(16).toUpperCase().padStart(2, "0");
    return Array.from(Buffer.from(text), (byte) => (byte > 32 && byte < 127 && byte !== 37 ? String.fromCharCode(byte) : escape(byte))).join("");
}

function crawlerOf(it) {
    const settings = { dialect: it.dialect };
    for (const [name, number] of Object.entries(it.options ?? {})) settings[camel(name)] = number;
    return new Crawler(it.agents_base64.map(bytes), settings);
}

function word(verdict) {
    if (verdict.error) return `error ${verdict.error.code}`;
    if (verdict.allowed) return "allow";
    return verdict.reason === "unreachable" || verdict.reason === "defer" ? "defer" : "deny";
}

// The outcome after the attempts.
function play(it) {
    const crawler = crawlerOf(it);
    let last = null;
    for (const { at, responses } of it.attempts) {
        const fetch = new Fetch(crawler, it.site, at);
        if (last) fetch.setPrevious(last);
        for (const response of responses) report(fetch, response, at);
        last?.free();
        last = fetch.outcome;
        fetch.free();
    }
    return last;
}

function report(fetch, { status, headers, body_base64, failure }, at) {
    if (status !== undefined) {
        fetch.status(status, at);
        for (const [name, value] of pairs(headers)) fetch.header(name, value);
        if (fetch.headersEnd() === "body") fetch.body(bytes(body_base64));
    }
    if (failure !== undefined) fetch.fail(failure.replace("encodedbody", "encoded_body"), at);
    else fetch.end();
}

function preference({ vocabulary, label, choice }) {
    return `${vocabulary.replace("_", "-")}:${escaped(label)}=${{ no: "n", yes: "y", unknown: "?" }[choice]}`;
}

// The largest number of seconds or characters is one that JavaScript's numbers cannot hold.
function control(it) {
    const value = pageOf(it).get(camel(it.control));
    return Number.isSafeInteger(value) ? `value ${value}` : `unsupported ${value}`;
}

function pageOf(it) {
    const page = crawlerOf(it).pageControls(pairs(it.headers));
    for (const [name, content] of pairs(it.metas)) page.addMeta(name, content);
    return page;
}

function rulesOf(it) {
    return crawlerOf(it).parse(bytes(it.robots_base64));
}

function check(it) {
    const verdict = rulesOf(it).check(bytes(it.url_base64));
    return `${word(verdict)} ${verdict.line}`;
}

function sitemaps(it) {
    const all = ["value", ...rulesOf(it).sitemaps.map(escaped)].join(" ");
    return all.includes("%EF%BF%BD") ? "unsupported bytes" : all; // a string cannot hold what is not UTF-8
}

const kinds = {
    check,
    "crawl-delay": (it) => `value ${rulesOf(it).crawlDelay ?? "none"}`,
    sitemaps,
    preferences: (it) => {
        const all = crawlerOf(it).extensions(bytes(it.robots_base64)).preferences(bytes(it.url_base64));
        return ["value", ...all.map(preference)].join(" ");
    },
    origin: (it) => `value ${escaped(new Origin(bytes(it.url_base64)).robotsUrl)}`,
    governs: (it) => (new Origin(it.robots_url).governs(bytes(it.url_base64)) ? "value yes" : "value no"),
    fetch: (it) => word(play(it).check(bytes(it.url_base64), it.at)),
    due: (it) => `value ${play(it).info.retryAt - it.attempts.at(-1).at}`,
    page: control,
    "page-usage": (it) => `value ${pageOf(it).usage(it.control)}`,
};

function answer(line) {
    const it = JSON.parse(line);
    try {
        return kinds[it.kind]?.(it) ?? `unsupported ${it.kind}`;
    } catch (error) {
        return `error ${String(error).replace(/\s+/g, " ")}`;
    }
}

console.log(`engine librobots-javascript ${JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version}`);
for await (const line of createInterface({ input: process.stdin })) console.log(answer(line));
