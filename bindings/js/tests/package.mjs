// The package under test, and the shared case files.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const folder = process.env.LIBROBOTS_PACKAGE;
const entry = (name) => import(pathToFileURL(join(folder, `dist/esm/${name}.js`)).href);
export const robots = await entry("index");
export const tools = await entry("tools");
export const client = await entry("robots-fetch");
export const crawlee = await entry("crawlee");
// Other modules than those of the package: the folder that has them.
if (process.env.ROBOTS_WASM) {
    const compiled = (name) => new WebAssembly.Module(readFileSync(join(process.env.ROBOTS_WASM, `${name}.wasm`)));
    await Promise.all([robots.load(compiled("crawl")), tools.load(compiled("whole"))]);
}

const data = new URL("../../../tests/data/", import.meta.url);
const files = (extension) => readdirSync(data).filter((name) => name.endsWith(extension)).sort();
const read = (name) => readFileSync(new URL(name, data), "utf8").split("\n");

/** The bytes of a text with escapes: `\xHH`, `\r`, `\n`, `\t`, `\s`, `\\`. */
export function unescape(text) {
    const bytes = [];
    const source = Buffer.from(text);
    for (let at = 0; at < source.length; at++) {
        if (source[at] !== 0x5c) {
            bytes.push(source[at]);
            continue;
        }
        const escape = String.fromCharCode(source[++at]);
        if (escape === "x") {
            bytes.push(parseInt(source.toString("latin1", at + 1, at + 3), 16));
            at += 2;
        } else {
            bytes.push({ r: 13, n: 10, t: 9, s: 32, "\\": 92 }[escape]);
        }
    }
    return Uint8Array.from(bytes);
}

/** A line of a file: a `\` as its last byte takes the place of the LF. */
function line(text) {
    const isOpen = /(^|[^\\])(\\\\)*\\$/.test(text);
    return Buffer.concat([unescape(isOpen ? text.slice(0, -1) : text), Buffer.from(isOpen ? "" : "\n")]);
}

const split = (text, count) => {
    const parts = text.split(" ");
    return [...parts.slice(0, count - 1), parts.slice(count - 1).join(" ")];
};

/** The cases of `tests/data/*.case`; their format: tests/support/cases.rs. */
export function readCases() {
    const cases = [];
    for (const name of files(".case")) {
        for (const [index, text] of read(name).entries()) {
            const [word, rest] = split(text, 2);
            if (word === "" || word.startsWith("#")) continue;
            if (word === "case") {
                cases.push({ title: `${name}:${index + 1} ${rest}`, tokens: [], badTokens: [], settings: {}, body: [], verdicts: [], delay: undefined, sitemaps: undefined });
                continue;
            }
            const it = cases.at(-1);
            if (word === "dialect") it.settings.dialect = rest;
            else if (word === "token") it.tokens.push(unescape(rest));
            else if (word === "bad_token") it.badTokens.push(unescape(rest));
            else if (word === "set") {
                const [option, value] = rest.split(" ");
                it.settings[option.replace(/_(.)/g, (_, letter) => letter.toUpperCase())] = Number(value);
            } else if (word === "|") it.body.push(line(rest));
            else if (word === "repeat") {
                const [, count, repeated] = /^(\d+) \| ?(.*)$/.exec(rest);
                for (let time = 0; time < Number(count); time++) it.body.push(line(repeated));
            } else if (word === "allowed" || word === "disallowed") {
                const [number, reason, url] = split(rest, 3);
                it.verdicts.push({ word, line: Number(number), reason, url: unescape(url ?? "") });
            } else if (word === "error") it.verdicts.push({ word, line: 0, reason: "none", url: unescape(rest.replace(/^url ?/, "")) });
            else if (word === "delay") it.delay = rest === "none" ? null : Number(rest);
            else if (word === "sitemaps") it.sitemaps = [];
            else if (word === "sitemap") (it.sitemaps ??= []).push(unescape(rest));
            else throw new Error(`${name}:${index + 1}: ${word}`);
        }
    }
    return cases.map((it) => ({ ...it, body: new Uint8Array(Buffer.concat(it.body)) }));
}

/** The cases of `tests/data/*.page`; the file describes its format. */
export function readPages() {
    const cases = [];
    for (const name of files(".page")) {
        for (const [index, text] of read(name).entries()) {
            const [word, rest] = split(text, 2);
            if (word === "" || word.startsWith("#")) continue;
            if (word === "case") cases.push({ title: `${name}:${index + 1} ${rest}`, lines: [] });
            else cases.at(-1).lines.push([word, rest]);
        }
    }
    return cases;
}
