// The JavaScript driver: README.md has the protocol. Its argument is the folder of the package.
import { readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const part = (name) => import(pathToFileURL(join(folder, `dist/esm/${name}.js`)).href);
const robots = await part("index");
const tools = await part("tools");
const { Cache, Crawler, ErrorCodes, Fetch, Origin, Outcome, OutcomeKinds, Reasons, RobotsError, Rules } = robots;
// Other modules than those of the package: the folder that has them.
if (process.env.ROBOTS_WASM) {
    const compiled = (name) => new WebAssembly.Module(readFileSync(join(process.env.ROBOTS_WASM, `${name}.wasm`)));
    await Promise.all([robots.load(compiled("crawl")), tools.load(compiled("whole"))]);
}

const numbersOf = (words) => Object.fromEntries(Object.entries(words).map(([number, word]) => [word, Number(number)]));
const [reasons, errors] = [numbersOf(Reasons), numbersOf(ErrorCodes)];
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

const unescaped = (text) => Buffer.from(text.replace(/%(..)/g, (_, digits) => String.fromCharCode(parseInt(digits, 16))), "latin1");
const escaped = (text) => Buffer.from(text).toString("latin1").replace(/[^!-$&-~]/g, (byte) => "%" + byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0"));
/** A word of an answer: the empty one is `~`. */
const asWord = (text) => ({ "": "~", "~": "~~" })[text] ?? escaped(text);
const value = (...values) => ["value", ...values.map((one) => escaped(String(one)))].join(" ");

/** The fields of a question, with their bytes, in their order. */
class Question {
    constructor(fields) {
        this.fields = fields;
    }
    all(name) {
        return this.fields.filter((field) => field[0] === name).map((field) => field[1]);
    }
    bytes(name) {
        return this.all(name)[0];
    }
    text(name) {
        return this.bytes(name)?.toString();
    }
    numbers(name) {
        return this.all(name).map((text) => [text.toString().split(":")[0], Number(text.toString().split(":")[1])]);
    }
}

function crawlerOf(it) {
    const settings = { dialect: it.text("dialect") ?? "rfc9309" };
    for (const [name, number] of it.numbers("option")) settings[camel(name)] = name.startsWith("on_") ? OutcomeKinds[number] : number;
    const tokens = it.all("agent");
    return new Crawler(tokens.length === 1 && tokens[0].toString() === "*" ? "*" : tokens, settings);
}
const rulesOf = (it) => crawlerOf(it).parse(it.bytes("robots"));

function judged(verdict) {
    if (verdict.error) throw verdict.error;
    if (verdict.allowed) return "allow";
    return verdict.reason === "unreachable" || verdict.reason === "defer" ? "defer" : "deny";
}
const verdictWords = (verdict) => `${judged(verdict)} ${verdict.reason} ${verdict.line}`;

/** A verdict as the one number of the C API. */
function word(verdict) {
    const error = verdict.error === null ? 0 : errors[verdict.error.code];
    return (BigInt(verdict.line) << 32n) | BigInt((error << 16) | (reasons[verdict.reason] << 8) | (Number(verdict.isSiteWide) << 1) | Number(verdict.allowed));
}

/** The verdict of an explanation; what is no URL has none. */
function explained(crawler, body, url) {
    try {
        return word(tools.explain(crawler, body, url).verdict);
    } catch (error) {
        return BigInt(errors[error.code]) << 16n;
    }
}

/** The answers of each function: its name, their kind, and one for each URL. A string is asked only if it has the bytes of the URL. */
function* ways(crawler, body, rules, urls) {
    const strings = urls.map((url) => (Buffer.from(url.toString()).equals(url) ? url.toString() : null));
    const again = Rules.fromImage(rules.image);
    const each = (list, check) => list.map((url) => (url === null ? null : check(url)));
    yield ["Rules.check(bytes)", "word", each(urls, (url) => word(rules.check(url)))];
    yield ["Rules.check(String)", "word", each(strings, (url) => word(rules.check(url)))];
    yield ["Rules.check, from an image", "word", each(urls, (url) => word(again.check(url)))];
    yield ["Crawler.checkOnce", "word", each(urls, (url) => word(crawler.checkOnce(body, url)))];
    yield ["tools.explain", "word", each(urls, (url) => explained(crawler, body, url))];
    yield ["Rules.isAllowed(bytes)", "allowed", each(urls, (url) => Number(rules.isAllowed(url)))];
    yield ["Rules.checkMany(list of bytes)", "batch", [...rules.checkMany(urls).codes]];
    const codes = rules.checkMany(strings.filter((url) => url !== null)).codes.values();
    yield ["Rules.checkMany(list of String)", "batch", each(strings, () => codes.next().value)];
    again.free();
}

function rules(it) {
    const [body, urls] = [it.bytes("robots"), it.all("url")];
    let crawler;
    try {
        crawler = crawlerOf(it);
    } catch (error) {
        if (!(error instanceof RobotsError)) throw error;
        return `status=${errors[error.code]}`;
    }
    const rules = crawler.parse(body);
    const fields = ["status=0", `delay=${rules.crawlDelay ?? "none"}`, ...rules.sitemaps.map((text) => `sitemap=${escaped(text)}`), `image=${escaped(rules.image)}`];
    for (const [name, kind, answers] of ways(crawler, body, rules, urls)) {
        const numbers = answers.map((number) => (number === null ? "-" : number.toString(16))).join(",");
        fields.push(`way=${escaped(`${escaped(name)} ${kind} ${numbers}`)}`);
    }
    rules.free();
    return fields.join("\t");
}

function bodyOf(fetch, bytes) {
    if (fetch.step === "headers") fetch.headersEnd();
    if (fetch.step === "body") fetch.body(bytes);
}

/** Ends a transfer, well or by the failure of this name. */
function endOf(fetch, failure, at) {
    if (failure === "" || failure === "none") fetch.end();
    else fetch.fail(failure.replace("encodedbody", "encoded_body"), at);
}

/** The outcome after the attempts, and the time of the last one. */
function played(it) {
    const crawler = crawlerOf(it);
    let [fetch, last, at] = [null, null, 0];
    it.fields.forEach(([field, bytes], index) => {
        if (field === "attempt") {
            last = fetch?.outcome ?? last;
            at = Number(bytes);
            fetch = new Fetch(crawler, it.bytes("site"), at);
            if (last) fetch.setPrevious(last);
        } else if (field === "status") fetch.status(Number(bytes), at);
        else if (field === "header") fetch.header(bytes, it.fields[index + 1][1]);
        else if (field === "body") bodyOf(fetch, bytes);
        else if (field === "end") endOf(fetch, bytes.toString(), at);
    });
    return [fetch.outcome, at];
}

function outcomeWords(outcome) {
    const { kind, cause, httpStatus, hops, downgraded, stale, fetchedAt, freshUntil, usableUntil, retryAt, unreachableSince, finalUrl } = outcome.info;
    const flags = [Number(downgraded), Number(stale)];
    return ["value", kind, cause, httpStatus, hops, ...flags, fetchedAt, freshUntil, usableUntil, retryAt, unreachableSince ?? "-", asWord(finalUrl)].join(" ");
}

function pageOf(it) {
    const page = crawlerOf(it).pageControls();
    it.fields.forEach(([field, name], index) => {
        if (field === "header") page.addHeader(name, it.fields[index + 1][1]);
        if (field === "meta") page.addMeta(name, it.fields[index + 1][1]);
    });
    return page;
}

// The largest number of seconds or characters is one that JavaScript's numbers cannot hold.
function control(it) {
    const number = pageOf(it).get(camel(it.text("control")));
    return Number.isSafeInteger(number) ? `value ${number}` : "unsupported";
}

function pageRule(it) {
    const [page, name] = [pageOf(it), camel(it.text("control"))];
    const value = page.get(name);
    const properties = { index: page.mayIndex, follow: page.mayFollow, unavailableAfter: page.unavailableAfter };
    // The properties say the same.
    if (name in properties && Number(properties[name] ?? -1) !== value) return `error ${name}: ${properties[name]}`;
    const rule = page.decidedBy(name);
    if (!Number.isSafeInteger(value)) return "unsupported";
    if (rule === null) return `value ${value} none 0 - - known`;
    return ["value", value, rule.source, rule.number, escaped(rule.text), escaped(rule.agent ?? "-"), rule.zone].join(" ");
}

/** The uses, and what they are asked about. */
function usesOf(it) {
    const uses = tools.uses(crawlerOf(it), it.bytes("site"), it.bytes("robots") ?? null, it.bytes("tdm") ?? null);
    return [uses, [it.bytes("url"), it.text("purpose"), it.bytes("page") === undefined ? pageOf(it) : null]];
}

function use(it) {
    const [uses, asked] = usesOf(it);
    const answer = uses.useFor(...asked);
    const { allowed, says, terms, signals, decidedBy } = answer;
    // The properties say the same.
    if (allowed !== (says === "allowed") || (terms !== null) !== (says === "licensed") || ![null, signals[0]].includes(decidedBy)) {
        throw new Error(JSON.stringify(answer));
    }
    return answer;
}

function useSignals(it) {
    const { says, decidedBy, signals } = use(it);
    const words = signals.flatMap(({ source, says, line, token, text }) => [source, says, line, asWord(token ?? ""), asWord(text)]);
    const all = ["value", says, Number(decidedBy !== null), ...words].join(" ");
    return all.includes("%EF%BF%BD") ? "unsupported bytes" : all; // a string cannot hold what is not UTF-8
}

function useReceipt(it) {
    const [uses, asked] = usesOf(it);
    return value(uses.receipt(...asked, 1_795_000_000));
}

function sitemaps(it) {
    const all = value(...rulesOf(it).sitemaps);
    return all.includes("%EF%BF%BD") ? "unsupported bytes" : all; // a string cannot hold what is not UTF-8
}

function check(it) {
    const verdict = rulesOf(it).check(it.bytes("url"));
    return `${judged(verdict)} ${verdict.line}`;
}

/** The fields of each crawler. */
function sidesOf(it) {
    const sides = [[]];
    for (const field of it.fields) {
        if (field[0] === "next") sides.push([]);
        sides.at(-1).push(field);
    }
    return sides.map((fields) => new Question(fields));
}

function difference(it) {
    const { result, paths } = tools.difference(...sidesOf(it).map(rulesOf));
    return ["value", result, ...paths.flatMap(({ path, verdicts }) => [escaped(path), ...verdicts.map(verdictWords)])].join(" ");
}

/** A cache, the tickets that are not finished, the oldest first, and the fetch of a ticket. */
class Stage {
    tickets = [];
    fetch = null;
    constructor(it) {
        this.crawlers = sidesOf(it).map(crawlerOf);
        this.settings = Object.fromEntries(it.numbers("cache").map(([name, number]) =>
            name === "ticket_ttl_ms" ? ["ticketTtl", number / 1000] : [camel(name), number]));
        this.cache = new Cache(this.crawlers, { ...this.settings, maxBytes: Number(it.text("bytes")) });
    }
    step() {
        const { step, url, requestHeaders } = this.fetch;
        return step === "get" ? [step, url, ...Object.entries(requestHeaders).flat()].map(asWord).join(" ") : step;
    }
    decided({ action, verdict, until, ticket }) {
        if (ticket !== null) this.tickets.push(ticket);
        // A cache that waits for a robots.txt decides nothing yet.
        const words = action === "decided" || action === "defer" ? verdictWords(verdict) : "defer defer 0";
        return `${action === "decided" && ticket !== null ? "refresh" : action} ${words} ${until === null ? "-" : until * 1000}`;
    }
    events = {
        check: (crawler, url, at) => this.decided(this.cache.check(url, at / 1000, Number(crawler))),
        request: (crawler, url, slot, at) => {
            const decision = this.cache.request(url, Number(slot) === 0 ? null : slot / 1000, at / 1000, Number(crawler));
            const { requestAt, crawlDelayMs, crawlDelayCut } = decision;
            return [this.decided(decision), requestAt === null ? "-" : Math.round(requestAt * 1000), crawlDelayMs, Number(crawlDelayCut)].join(" ");
        },
        outcome: (url) => {
            const outcome = this.cache.outcome(url);
            return outcome === null ? "none" : outcomeWords(outcome);
        },
        "outcome-check": (crawler, url, at) => {
            const outcome = this.cache.outcome(url);
            return outcome === null ? "none" : verdictWords(outcome.check(url, at / 1000, Number(crawler)));
        },
        "record-check": (crawler, url, at) => {
            const outcome = this.cache.outcome(url);
            return outcome === null ? "none" : verdictWords(Outcome.checkRecord(outcome.encode(), url, at / 1000, Number(crawler)));
        },
        start: (at) => {
            this.fetch = this.tickets[0].fetch(at / 1000);
            return this.step();
        },
        status: (number, at) => (this.fetch.status(Number(number), at / 1000), this.step()),
        ftp: (number, at) => (this.fetch.ftpReply(Number(number), at / 1000), this.step()),
        header: (name, text) => (this.fetch.header(name, text), this.step()),
        body: (bytes) => (bodyOf(this.fetch, bytes), this.step()),
        end: (failure, at) => {
            if (failure.toString() === "none" && this.fetch.step === "headers") this.fetch.headersEnd();
            endOf(this.fetch, failure.toString(), at / 1000);
            return this.step();
        },
        finish: (at) => {
            const outcome = this.fetch?.outcome;
            if (!outcome) throw new RobotsError("state", "no outcome");
            return this.tickets.shift().finish(outcome, at / 1000);
        },
        answer: (status, body, at) => {
            const ticket = this.tickets.shift();
            const outcome = this.crawlers[0].outcomeFromStatus(`${ticket.origin}/`, Number(status), body, at / 1000);
            return ticket.finish(outcome, at / 1000);
        },
        abandon: () => {
            if (this.tickets.length === 0) throw new RobotsError("state", "no ticket");
            return this.tickets.shift().free();
        },
        "retry-after": (url, status, text, at) => this.cache.retryAfter(url, Number(status), text.toString(), at / 1000),
        move: (bytes) => {
            const records = this.cache.exportRecords();
            this.cache = new Cache(this.crawlers, { maxBytes: Number(bytes) });
            for (const record of records) this.cache.importRecord(record);
            return `records ${records.length}`;
        },
        counts: () => {
            const { sites, hits, staleHits, fetches, waits, deferred, evicted } = this.cache.counts();
            return `sites ${sites} hits ${hits} stale ${staleHits} fetches ${fetches} waits ${waits} deferred ${deferred} evicted ${evicted}`;
        },
        remove: (url) => this.cache.remove(url),
        clear: () => this.cache.clear(),
    };
    act(event) {
        const [name, ...words] = event.toString("latin1").split(" ");
        try {
            return this.events[name](...words.map((text) => unescaped({ "~": "", "~~": "~" }[text] ?? text))) ?? "ok";
        } catch (error) {
            if (!(error instanceof RobotsError)) throw error;
            return `error ${error.code}`;
        }
    }
}

function script(it) {
    const stage = new Stage(it);
    return it.all("do").map((event) => stage.act(event)).join("\t");
}

const kinds = {
    check,
    rules,
    difference,
    sitemaps,
    script,
    "crawl-delay": (it) => `value ${rulesOf(it).crawlDelay ?? "none"}`,
    origin: (it) => value(new Origin(it.bytes("url")).robotsUrl),
    governs: (it) => value(new Origin(it.bytes("robots_url")).governs(it.bytes("url")) ? "yes" : "no"),
    fetch: (it) => judged(played(it)[0].check(it.bytes("url"), Number(it.text("at")))),
    due: (it) => {
        const [outcome, at] = played(it);
        return value(outcome.info.retryAt - at);
    },
    outcome: (it) => outcomeWords(played(it)[0]),
    page: control,
    "page-rule": pageRule,
    "page-unknown": (it) => ["value", ...pageOf(it).unknown.map((rule) => `${rule.source} ${rule.number} ${escaped(rule.text)}`)].join(" "),
    use: (it) => value(use(it).says),
    "use-signals": useSignals,
    "use-receipt": useReceipt,
};

function answer(line) {
    const it = new Question(line.split("\t").map((field) => [field.slice(0, field.indexOf("=")), unescaped(field.slice(field.indexOf("=") + 1))]));
    try {
        return kinds[it.text("kind")]?.(it) ?? `unsupported ${it.text("kind")}`;
    } catch (error) {
        return `error ${error.code ?? escaped(String(error))}`;
    }
}

function write(line) {
    const bytes = Buffer.from(`${line}\n`);
    for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

write(`engine librobots-js ${JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version}`);
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) write(answer(line));
