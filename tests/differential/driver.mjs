// The JavaScript driver of the differential test; wire.rs documents its input and output. Its argument is the folder of the package.
import { readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { Crawler, Dialects, ErrorCodes, Reasons, RobotsError, Rules } = await import(pathToFileURL(join(process.argv[2], "dist/esm/index.js")).href);

const [WORD, BATCH_VERDICT, ALLOWED] = [0, 1, 2];
const NONE = 0xffff_ffff_ffff_ffffn;
const numbersOf = (words) => Object.fromEntries(Object.entries(words).map(([number, word]) => [word, Number(number)]));
const [reasons, errors] = [numbersOf(Reasons), numbersOf(ErrorCodes)];

/** Reads so many bytes; fewer only at the end of the input. */
function read(length) {
    const bytes = Buffer.alloc(length);
    let at = 0;
    while (at < length) {
        const got = readSync(0, bytes, at, length - at);
        if (got === 0) break;
        at += got;
    }
    return bytes.subarray(0, at);
}

function all(length) {
    const bytes = read(length);
    if (bytes.length < length) throw new Error("the question ends early");
    return bytes;
}
const number = () => all(4).readUInt32LE();
const text = () => all(number());
const list = () => Array.from({ length: number() }, text);

let answer = [];
function writeNumber(value) {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    answer.push(bytes);
}
function writeText(bytes) {
    writeNumber(bytes.length);
    answer.push(bytes);
}
function writeWord(value) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(value);
    answer.push(bytes);
}
function flush() {
    const bytes = Buffer.concat(answer);
    answer = [];
    for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

/** A verdict as the one number of the C API. */
function word(verdict) {
    const error = verdict.error === null ? 0 : errors[verdict.error.code];
    return (BigInt(verdict.line) << 32n) | BigInt((error << 16) | (reasons[verdict.reason] << 8) | Number(verdict.allowed));
}

/** The answers of each function: its name, their kind, and one for each URL. A string is asked only if it has the bytes of the URL. */
function* ways(crawler, body, rules, urls) {
    const strings = urls.map((url) => {
        const string = url.toString();
        return Buffer.from(string).equals(url) ? string : null;
    });
    const again = Rules.fromImage(rules.image);
    const each = (list, check) => list.map((url) => (url === null ? NONE : check(url)));
    yield ["Rules.check(bytes)", WORD, each(urls, (url) => word(rules.check(url)))];
    yield ["Rules.check(String)", WORD, each(strings, (url) => word(rules.check(url)))];
    yield ["Rules.check, from an image", WORD, each(urls, (url) => word(again.check(url)))];
    yield ["Crawler.checkOnce", WORD, each(urls, (url) => word(crawler.checkOnce(body, url)))];
    yield ["Rules.isAllowed(bytes)", ALLOWED, each(urls, (url) => BigInt(rules.isAllowed(url)))];
    yield ["Rules.checkMany(list of bytes)", BATCH_VERDICT, Array.from(rules.checkMany(urls).codes, BigInt)];
    const known = strings.filter((url) => url !== null);
    const codes = rules.checkMany(known).codes.values();
    yield ["Rules.checkMany(list of String)", BATCH_VERDICT, each(strings, () => BigInt(codes.next().value))];
    again.free();
}

/** So many options, by their names here. */
function options(count) {
    const settings = {};
    for (let index = 0; index < count; index++) {
        const name = text().toString().replace(/_(.)/g, (_, letter) => letter.toUpperCase());
        const value = Number(all(8).readBigUInt64LE());
        settings[name] = name === "dialect" ? Dialects[value] : value;
    }
    return settings;
}

/** Answers a question that begins with so many options. */
function respond(count) {
    const settings = options(count);
    const [tokens, body, urls] = [list(), text(), list()];
    let crawler;
    try {
        const isStar = tokens.length === 1 && tokens[0].toString() === "*";
        crawler = new Crawler(isStar ? "*" : tokens, settings);
    } catch (error) {
        if (!(error instanceof RobotsError)) throw error;
        writeNumber(errors[error.code]);
        return;
    }
    writeNumber(0);
    const rules = crawler.parse(body);
    const delay = Buffer.alloc(8);
    if (rules.crawlDelay === null) delay.writeBigUInt64LE(NONE);
    else delay.writeDoubleLE(rules.crawlDelay);
    answer.push(delay);
    const { sitemaps } = rules;
    writeNumber(sitemaps.length);
    for (const sitemap of sitemaps) writeText(Buffer.from(sitemap));
    writeText(rules.image);
    const answers = [...ways(crawler, body, rules, urls)];
    writeNumber(answers.length);
    for (const [name, kind, numbers] of answers) {
        writeText(Buffer.from(name));
        writeNumber(kind);
        numbers.forEach(writeWord);
    }
    rules.free();
}

for (;;) {
    const first = read(4);
    if (first.length < 4) break;
    respond(first.readUInt32LE());
    flush();
}
