/** The engine, in a thread of its own. A new question of a kind ends the work on older ones of that kind. */
import { Controls, Crawler, Origin, Purposes, RobotsError, load } from "librobots";
import type { Control, Dialect, PageControls, Rules, Verdict } from "librobots";
import { addRecipes, agentName, codeMeaning, difference as differenceOf, explain, lint, load as loadTools, nameAdvice, uses as usesOfSite, verdictAdvice } from "librobots/tools";
import type { AddedRecipes, Fix, Report } from "librobots/tools";
import { KINDS, REASONS } from "./messages.js";
import type {
    Ask, Change, Changes, CrawlerChoice, Decided, Decisions, Difference, FileRecords, FixPreview, GroupColumn, Groups, Kind,
    Lint, Mark, Meaning, Meanings, PageAnswer, Questions, Reply, Side, State, Table, TableRow,
} from "./messages.js";
import { ignoresFile, placeOf, presetNamed, presets } from "./presets.js";
import { reasonWords } from "./words.js";
import api from "./api.json";

interface Scope {
    onmessage: ((event: MessageEvent<State | Ask>) => void) | null;
    postMessage(message: unknown, transfer?: Transferable[]): void;
}
const scope = self as unknown as Scope;

/** Work in steps: between two of them, newer messages are read. */
type Work<T> = Generator<void, T, void>;

// --- what the page sent last -------------------------------------------------------------------------------------------

const files: Record<Side, Uint8Array> = { main: new Uint8Array(), other: new Uint8Array() };
let urls: readonly string[] = [];
let choice: CrawlerChoice = { name: "*", isPreset: false, dialect: "" };
let report: Report | null = null;

const homes = new WeakMap<Uint8Array, Verdict>();

/** The verdict of rfc9309 on `/`: an outage for a compressed file (SPEC 4.4), an error for the address of a file (SPEC 4.7). */
function homeOf(file: Uint8Array): Verdict {
    let verdict = homes.get(file);
    if (verdict === undefined) {
        const rules = new Crawler("*").parse(file);
        verdict = rules.check("/");
        rules.free();
        homes.set(file, verdict);
    }
    return verdict;
}

/** A crawler as it reads a file. */
function crawlerOf({ name, isPreset, dialect }: CrawlerChoice, file: Uint8Array): Crawler {
    // A compressed file is an outage where it is fetched (SPEC 2.17), also in google, whose parser reads it.
    const its = dialect !== "koster1996" && homeOf(file).reason === "unreachable" ? "rfc9309" : dialect;
    const settings = its === "" ? {} : { dialect: its };
    if (isPreset) return Crawler.preset(name, settings);
    return new Crawler(tokensIn(name), settings);
}

const tokensIn = (name: string): string[] => name.split(/[\s,]+/).filter((token) => token !== "");

/** A crawler of a name in a file: the well-known one of that name, or that token. Null for a name that no crawler can have. */
function crawlerNamed(name: string, file = files.main): Crawler | null {
    try {
        return crawlerOf({ name, isPreset: presetNamed(name) !== undefined, dialect: choice.dialect }, file);
    } catch {
        return null;
    }
}

/** The tokens of crawlers that obey a name of a file, the longest first: `MyBot2` and `MyBot` obey `MyBot2/1.0` (SPEC 7.3). */
function tokensOf(name: string): string[] {
    const dialects: readonly Dialect[] = choice.dialect === "koster1996" ? ["koster1996"] : ["rfc9309", "google"];
    return dialects.flatMap((dialect) => agentName(name, dialect) ?? []);
}

/** The chosen crawler, or what is wrong with its tokens. */
function chosen(file = files.main): Crawler | string {
    try {
        return crawlerOf(choice, file);
    } catch (error) {
        return (error as Error).message;
    }
}

/** The crawler that no group names. */
const everyone = (file = files.main): Crawler => crawlerOf({ name: "*", isPreset: false, dialect: choice.dialect }, file);

/** The crawler by whose dialect a file is read where the token does not matter. */
function reader(file = files.main): Crawler {
    const crawler = chosen(file);
    return typeof crawler === "string" ? everyone(file) : crawler;
}

function reportOf(): Report {
    return (report ??= lint(reader(), files.main));
}

/** Rules that refuse what is neither an absolute URL nor a path. */
let permissive: Rules | null = null;
const isUrl = (text: string): boolean => (permissive ??= new Crawler("*").parse("")).check(text).error === null;

/** Whether the file is the address of a file. */
const isAddress = (): boolean => homeOf(files.main).error !== null;
const ADDRESS = "This is the address of a file, not a robots.txt: open it, and paste the file itself.";

const NOT_A_URL: Decided = { status: 2, reason: "none", line: 0 };

/** A verdict to show. Google's parser has the line of a rule without a path, which decides nothing. */
const plain = ({ allowed, reason, line, error }: Verdict): Decided => (error !== null ? NOT_A_URL : { status: allowed ? 1 : 0, reason, line: reason === "no_rule" ? 0 : line });

/** The verdict of a crawler that ignores the file. */
const IGNORED: Decided = { status: 3, reason: "none", line: 0 };

/** Decides URLs by the rules of a crawler. */
function deciderOf(name: string, rules: Rules): (url: string) => Decided {
    const ignores = ignoresFile(name);
    return (url) => {
        const verdict = plain(rules.check(url));
        return ignores && verdict.status !== 2 ? IGNORED : verdict;
    };
}

/** Runs work with the rules of a file, and frees them, also when the work is given up. */
function* withRules<T>(rules: Rules, work: (rules: Rules) => Work<T>): Work<T> {
    try {
        return yield* work(rules);
    } finally {
        rules.free();
    }
}

// --- verdicts -----------------------------------------------------------------------------------------------------------

/** How many verdicts are one step. */
const STEP = 256;
const REASON_INDEX = new Map(REASONS.map((reason, index) => [reason, index]));

function* decide({ draft }: Questions["decide"]["ask"]): Work<Decisions> {
    const statuses = new Uint8Array(urls.length);
    const reasons = new Uint8Array(urls.length);
    const lines = new Uint32Array(urls.length);
    const crawler = chosen();
    if (typeof crawler === "string") {
        return { statuses: statuses.fill(2), reasons, lines, draft: null, fault: crawler, sites: [], names: namesAdvice() };
    }
    return yield* withRules(crawler.parse(files.main), function* (rules) {
        if (isAddress()) return { statuses: statuses.fill(2), reasons, lines, draft: null, fault: ADDRESS, sites: [], names: [] };
        const decided = deciderOf(choice.name, rules);
        const first = draft === "" ? null : decided(draft);
        for (let index = 0; index < urls.length; index++) {
            const verdict = decided(urls[index]!);
            statuses[index] = verdict.status;
            reasons[index] = REASON_INDEX.get(verdict.reason)!;
            lines[index] = verdict.line;
            if (index % STEP === STEP - 1) yield;
        }
        return { statuses, reasons, lines, draft: first, fault: null, sites: sites(), names: namesAdvice() };
    });
}

/** What the names of an own crawler probably mean, where no crawler and no group has them. */
const namesAdvice = (): string[] => (choice.isPreset || choice.name === "*" ? [] : tokensIn(choice.name).flatMap((name) => nameAdvice(name, files.main) ?? []));

let sitesOf: readonly string[] | null = null;
let known: readonly string[] = [];

/** The sites of the first URLs. */
function sites(): readonly string[] {
    if (sitesOf === urls) return known;
    const found = new Set<string>();
    for (const url of urls.slice(0, 1000)) {
        if (url.startsWith("/") || found.size === 5) continue;
        try {
            found.add(new Origin(url).key);
        } catch {
            // It has its own verdict.
        }
    }
    sitesOf = urls;
    return (known = [...found]);
}

function* explained({ url }: Questions["explain"]["ask"]): Work<Questions["explain"]["answer"]> {
    const crawler = chosen();
    if (typeof crawler === "string") return { fault: crawler };
    if (!isUrl(url)) return { fault: reasonWords(NOT_A_URL) };
    if (isAddress()) return { fault: ADDRESS };
    if (ignoresFile(choice.name)) return { fault: `${choice.name} ignores robots.txt, as its operator says. Only your server can keep it out.` };
    const { verdict, others, ...rest } = explain(crawler, files.main, url);
    return {
        ...rest,
        verdict: plain(verdict),
        words: verdict.toString(),
        advice: verdict.reason === "unreachable" || verdict.reason === "defer" ? ""
            : verdictAdvice(crawler, files.main, url, tokensIn(choice.name)[0] ?? "*", choice.dialect === "" ? undefined : choice.dialect),
        others: { rfc9309: plain(others.rfc9309), google: plain(verdict.reason === "unreachable" ? verdict : others.google), koster1996: plain(others.koster1996) },
    };
}

// --- lint ---------------------------------------------------------------------------------------------------------------

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** The number of UTF-16 units of the bytes of a line. */
function units(bytes: Uint8Array, from: number, to: number): number {
    let index = from;
    while (index < to && bytes[index]! < 0x80) index++;
    return index - from + (index < to ? decoder.decode(bytes.subarray(index, to)).length : 0);
}

/** The diagnostics with columns in place of bytes. */
function marks(): Mark[] {
    const { diagnostics, lines } = reportOf();
    return diagnostics.map((it) => {
        const start = lines[it.line - 1]?.start ?? 0;
        const from = it.line === 0 ? 0 : units(files.main, start, it.start);
        const to = it.line === 0 ? 0 : from + units(files.main, it.start, it.end);
        const { code, severity, line, message, suggestion, otherLine, fix } = it;
        return { code, severity, line, from, to, message, suggestion, otherLine, fix };
    });
}

/** What each line is, for colours. */
function* meaningsOf({ lines }: Report, bytes: Uint8Array): Work<Meanings> {
    const kinds = new Uint8Array(lines.length);
    const places = new Uint32Array(3 * lines.length);
    for (const [index, line] of lines.entries()) {
        kinds[index] = KINDS.indexOf(line.kind);
        if (line.field !== "" || line.value !== "") {
            // The engine says what field and value are; this finds them in the line.
            const text = decoder.decode(bytes.subarray(line.start, line.end));
            const field = text.indexOf(line.field);
            const end = field < 0 ? 0 : field + line.field.length;
            const value = line.value === "" ? -1 : text.indexOf(line.value, end);
            places.set([end, value < 0 ? end : value, value < 0 ? end : value + line.value.length], 3 * index);
        }
        if (index % 2048 === 2047) yield;
    }
    return { kinds, places };
}

function* linted(): Work<Lint> {
    report = null;
    const { errors, warnings, notes } = reportOf();
    yield;
    return { marks: marks(), errors, warnings, notes, meanings: yield* meaningsOf(reportOf(), files.main) };
}

/** A file after some fixes, in the order that the C API documents. */
function applied(file: Uint8Array, fixes: Fix[]): Uint8Array {
    fixes.sort((one, two) => one.start - two.start);
    const parts: Uint8Array[] = [];
    let at = 0;
    for (const fix of fixes) {
        if (fix.start < at) continue;
        parts.push(file.subarray(at, fix.start), encoder.encode(fix.replacement));
        at = fix.end;
    }
    parts.push(file.subarray(at));
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let end = 0;
    for (const part of parts) {
        whole.set(part, end);
        end += part.length;
    }
    return whole;
}

const edited = (indexes: readonly number[]): Uint8Array =>
    applied(files.main, indexes.map((index) => reportOf().diagnostics[index]?.fix).filter((fix) => fix != null));

function* meaning({ code }: Questions["meaning"]["ask"]): Work<Meaning> {
    const example = api.lints.find((one) => one.code === code)?.example ?? "";
    const bytes = encoder.encode(example);
    const fix = lint(new Crawler("*"), bytes).diagnostics.find((found) => found.code === code)?.fix ?? null;
    return { ...codeMeaning(code), example, fixed: fix === null ? null : decoder.decode(applied(bytes, [fix])) };
}

function* fixes({ marks }: Questions["fixes"]["ask"]): Work<FixPreview[]> {
    const previews: FixPreview[] = [];
    for (const mark of marks) {
        previews.push({ mark, difference: yield* compare(files.main, edited([mark]), 500, 5, 500) });
    }
    return previews;
}

function* edit({ marks }: Questions["edit"]["ask"]): Work<Uint8Array> {
    return edited(marks);
}

// --- two files -----------------------------------------------------------------------------------------------------------

/** The most names of the files that are compared. */
const MOST_CRAWLERS = 300;
/** Milliseconds after which no further crawlers are compared. */
const MOST_TIME = 5000;

/** The names on user-agent lines, as they are first written. */
function namesOf(report: Report): Map<string, string> {
    const names = new Map<string, string>();
    for (const { kind, value } of report.lines) {
        if (kind === "user_agent" && value !== "" && !names.has(value.toLowerCase())) names.set(value.toLowerCase(), value);
    }
    return names;
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean => one.length === other.length && one.every((byte, index) => byte === other[index]);

/** Crawlers for which both files have the same rules, and what changes for them. */
interface Compared {
    readonly images: readonly Uint8Array[];
    readonly crawlers: string[];
    readonly found: ReturnType<typeof changesOf> | null;
}

/** The verdicts that change from some rules to others. */
function changesOf(before: Rules, after: Rules, given: readonly string[], most: number): { isDecided: boolean; changes: Change[]; total: number } {
    const { result, paths } = differenceOf(before, after);
    const found = paths.map(({ path, verdicts: [one, two] }) => ({ url: path, before: plain(one), after: plain(two) }));
    const own = given.map((url) => ({ url, before: plain(before.check(url)), after: plain(after.check(url)) }));
    const known = new Set(paths.map(({ path }) => path));
    const changes = [...found, ...own.filter(({ url, before, after }) => before.status !== after.status && !known.has(url))];
    return { isDecided: result !== "not_decided", changes: changes.slice(0, most), total: changes.length };
}

/** The difference of two files for the chosen crawler, everyone else, all names of both files and the well-known crawlers. */
function* compare(old: Uint8Array, now: Uint8Array, mostUrls: number, mostChanges: number, mostTime = MOST_TIME): Work<Difference> {
    const names = new Map([[choice.name.toLowerCase(), choice.name], ["*", "*"]]);
    for (const file of [old, now]) {
        const read = file === files.main ? reportOf() : lint(reader(file), file);
        for (const token of [...namesOf(read).values()].flatMap(tokensOf)) if (!names.has(token.toLowerCase())) names.set(token.toLowerCase(), token);
        yield;
    }
    // Nothing changes for a crawler that ignores the files.
    const named = [...names.values()].filter((name) => !ignoresFile(name));
    const others = presets.filter(({ name, ignores_robots_txt: ignores }) => !ignores && !names.has(name.toLowerCase())).map(({ name }) => name);
    const given = urls.slice(0, mostUrls).filter(isUrl);
    const kinds: Compared[] = [];
    const delays = new Map<string, Difference["delays"][number] & { crawlers: string[] }>();
    const start = performance.now();
    for (const name of [...named.slice(0, MOST_CRAWLERS), ...others]) {
        const [one, two] = [old, now].map((file) => (name === choice.name ? chosen(file) : crawlerNamed(name, file)));
        if (!(one instanceof Crawler && two instanceof Crawler)) continue;
        yield* withRules(one.parse(old), (before) => withRules(two.parse(now), function* (after) {
            if (before.crawlDelay !== after.crawlDelay) {
                const key = `${before.crawlDelay} ${after.crawlDelay}`;
                if (!delays.has(key)) delays.set(key, { crawlers: [], before: before.crawlDelay, after: after.crawlDelay });
                delays.get(key)!.crawlers.push(name);
            }
            const images = [before.image, after.image];
            const same = kinds.find((kind) => kind.images.every((image, index) => isSame(image, images[index]!)));
            if (same !== undefined) same.crawlers.push(name);
            else kinds.push({ images, crawlers: [name], found: performance.now() - start < mostTime ? changesOf(before, after, given, mostChanges) : null });
            yield;
        }));
    }
    // Dialects often read a file alike: kinds with the same changes are shown together.
    const classes = new Map<string, Changes & { crawlers: string[] }>();
    for (const { crawlers, found } of kinds) {
        if (found === null || found.total === 0) continue;
        const key = JSON.stringify(found);
        const same = classes.get(key);
        if (same === undefined) classes.set(key, { crawlers: [...crawlers], changes: found.changes, total: found.total });
        else same.crawlers.push(...crawlers);
    }
    const isOther = new Set(others);
    /** Everyone else includes the well-known crawlers that neither file names. */
    const shown = (crawlers: readonly string[]): readonly string[] => (crawlers.includes("*") ? crawlers.filter((name) => !isOther.has(name)) : crawlers);
    const first = ({ crawlers }: { readonly crawlers: readonly string[] }): number => Math.min(...crawlers.map(placeOf));
    return {
        classes: [...classes.values()].map((one) => ({ ...one, crawlers: shown(one.crawlers) })).sort((one, two) => first(one) - first(two)),
        delays: [...delays.values()].map((one) => ({ ...one, crawlers: shown(one.crawlers) })).sort((one, two) => first(one) - first(two)),
        undecided: [...shown(kinds.filter(({ found }) => found?.isDecided !== true).flatMap(({ crawlers }) => crawlers)), ...named.slice(MOST_CRAWLERS)],
    };
}

function* difference(): Work<Questions["difference"]["answer"]> {
    const other = lint(reader(files.other), files.other);
    const [old, now] = [other, reportOf()].map(sitemapsOf);
    const only = (ours: FileRecords["sitemaps"], theirs: FileRecords["sitemaps"]): FileRecords["sitemaps"] => {
        const known = new Set(theirs.map(({ url }) => url));
        return ours.filter(({ url }) => !known.has(url));
    };
    const sitemaps = { added: only(now!, old!), removed: only(old!, now!) };
    const meanings = yield* meaningsOf(other, files.other);
    return { difference: yield* compare(files.other, files.main, 10_000, 200), sitemaps, meanings };
}

// --- tables ---------------------------------------------------------------------------------------------------------------

/** A home page, a CSS file and a product page. */
const EXAMPLES = ["/", "/style.css", "/products/example"];

/** The user's URLs; without any, examples and the shortest paths that the rules of everyone else shut. */
function columns(): readonly string[] {
    if (urls.length > 0) return urls;
    const crawler = everyone();
    const [rules, open] = [crawler.parse(files.main), crawler.parse("")];
    try {
        const shut = differenceOf(open, rules).paths.map(({ path }) => path);
        return [...new Set([...EXAMPLES, ...shut.slice(0, 9)])];
    } finally {
        rules.free();
        open.free();
    }
}

function* table({ columns: most }: Questions["table"]["ask"]): Work<Table> {
    const all = columns();
    const counted = all.slice(most).filter(isUrl);
    const rows: TableRow[] = [];
    for (const { name } of presets) {
        const crawler = crawlerOf({ name, isPreset: true, dialect: choice.dialect }, files.main);
        const { token } = explain(crawler, files.main, "/");
        rows.push(yield* withRules(crawler.parse(files.main), function* (rules) {
            const shown = all.slice(0, most).map(deciderOf(name, rules));
            let allowed = shown.filter(({ status }) => status === 1).length;
            for (let from = 0; !ignoresFile(name) && from < counted.length; from += 2000) {
                allowed += rules.checkMany(counted.slice(from, from + 2000)).allowedCount;
                yield;
            }
            return {
                name,
                statuses: Uint8Array.from(shown, ({ status }) => status),
                lines: Uint32Array.from(shown, ({ line }) => line),
                reasons: Uint8Array.from(shown, ({ reason }) => REASON_INDEX.get(reason)!),
                allowed,
                token: ignoresFile(name) ? null : token,
            };
        }));
        yield;
    }
    return { examples: all === urls ? null : all, rows };
}

const MOST_NAMES = 300;
const MOST_RULES = 500;

function* groups(): Work<Groups> {
    const { lines } = reportOf();
    const columns = new Map<string, { names: string[]; column: Omit<GroupColumn, "names"> }>();
    const invalid: string[] = [];
    const crawler = chosen();
    const obeyed = typeof crawler === "string" || ignoresFile(choice.name) ? [] : explain(crawler, files.main, "/").agents.map(({ line }) => line);
    const keyOf = (agents: readonly number[]): string =>
        [...new Set(agents.map((line) => lines[line - 1]?.group ?? 0))].sort((one, two) => one - two).join(" ");
    const names = [...namesOf(reportOf()).values()];
    yield;
    for (const name of names.slice(0, MOST_NAMES)) {
        const one = crawlerNamed(tokensOf(name)[0] ?? name);
        const agents = one === null ? [] : explain(one, files.main, "/").agents.map(({ line }) => line);
        // A name that selects no group of its own.
        if (one === null || !agents.some((line) => lines[line - 1]?.value.toLowerCase() === name.toLowerCase())) {
            invalid.push(name);
            continue;
        }
        const key = keyOf(agents);
        const same = columns.get(key);
        if (same !== undefined) {
            same.names.push(name);
            continue;
        }
        const numbers = new Set(key.split(" ").map(Number));
        const column = yield* withRules(one.parse(files.main), function* (rules) {
            const effective = new Set(rules.effectiveRules().map(({ line }) => line));
            const all = lines.flatMap(({ kind, value, group }, index) =>
                numbers.has(group) && (kind === "allow" || kind === "disallow" || kind === "crawl_delay")
                    ? [{ line: index + 1, kind, value, effective: kind === "crawl_delay" || effective.has(index + 1) }]
                    : []);
            return {
                agentLines: agents,
                rules: all.slice(0, MOST_RULES),
                more: Math.max(0, all.length - MOST_RULES),
                crawlDelay: rules.crawlDelay,
                isChosen: obeyed.length > 0 && keyOf(obeyed) === key,
            };
        });
        columns.set(key, { names: [name], column });
        yield;
    }
    return {
        columns: [...columns.values()].map(({ names, column }) => ({ names, ...column })),
        invalid,
        more: Math.max(0, names.length - MOST_NAMES),
        hasChosen: obeyed.length > 0,
    };
}

const clock = (minutes: number): string => `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

function sitemapsOf({ lines }: Report): FileRecords["sitemaps"] {
    return lines.flatMap(({ kind, value }, index) => (kind === "sitemap" && value !== "" ? [{ line: index + 1, url: value }] : []));
}

function* records(): Work<FileRecords> {
    const sitemaps = sitemapsOf(reportOf());
    const crawler = reader();
    const extensions = crawler.extensions(files.main);
    const rules = crawler.parse(files.main);
    try {
        return {
            sitemaps,
            crawlDelay: rules.crawlDelay,
            lines: extensions.lines.map(({ field, value, line, requestRate, hours }) => ({
                field, value, line,
                meaning: [
                    requestRate === null ? "" : `at most ${requestRate.requests} requests in ${requestRate.seconds} s`,
                    hours === null ? "" : `from ${clock(hours.from)} to ${clock(hours.until)} UTC`,
                ].filter((part) => part !== "").join(", "),
            })),
        };
    } finally {
        extensions.free();
        rules.free();
    }
}

/** What the page may be used for, of what somebody states; nothing for a text that is no URL. */
function usesOf(crawler: Crawler, url: string, page: PageControls): PageAnswer["uses"] {
    try {
        // A path is one of any site.
        const uses = usesOfSite(crawler, url.startsWith("/") ? "https://example.com/" : url, files.main);
        try {
            return Object.values(Purposes).flatMap((purpose) => {
                const { says, decidedBy } = uses.useFor(url, purpose, page);
                return decidedBy === null ? [] : [{ purpose, says, by: decidedBy.text }];
            });
        } finally {
            uses.free();
        }
    } catch (error) {
        if (error instanceof RobotsError && (error.code === "url" || error.code === "scheme")) return [];
        throw error;
    }
}

function* page({ headers, metas, url }: Questions["page"]["ask"]): Work<PageAnswer> {
    const crawler = reader();
    const rules = crawler.parse(files.main);
    const read = crawler.pageControls(headers);
    try {
        for (const [name, content] of metas) read.addMeta(name, content);
        const names: Control[] = Object.values(Controls);
        return {
            controls: names.map((control) => {
                const by = read.decidedBy(control);
                return { control, value: read.get(control), by: by?.text ?? null, agent: by?.agent ?? null, source: by?.source ?? "none" };
            }),
            unknown: read.unknown.map(({ text }) => text),
            uses: url === "" ? [] : usesOf(crawler, url, read),
            verdict: url === "" ? null : deciderOf(choice.name, rules)(url),
        };
    } finally {
        read.free();
        rules.free();
    }
}

function* recipe({ requests, comments }: Questions["recipe"]["ask"]): Work<Questions["recipe"]["answer"]> {
    let added: AddedRecipes;
    try {
        added = addRecipes(files.main, requests, comments);
    } catch (error) {
        return { fault: (error as Error).message };
    }
    yield;
    const { text: bytes, effects, warnings, homePage } = added;
    // R043 says who may fetch no page, as the effects do.
    const found = lint(reader(bytes), bytes).diagnostics.filter(({ code, severity }) => severity !== "note" && code !== "R043");
    const faults = found.map(({ line, message, suggestion }) =>
        ({ line, words: suggestion === null ? message : `${message}: ${suggestion}` }));
    yield;
    return { bytes, effects: [...effects, homePage], warnings, faults, difference: yield* compare(files.main, bytes, 2000, 50) };
}

// --- one question at a time ------------------------------------------------------------------------------------------------

type Handlers = { [K in Kind]: (ask: never) => Work<unknown> };
// The order is that of importance.
const HANDLERS: Handlers = { decide, explain: explained, meaning, edit, lint: linted, recipe, page, groups, records, difference, table, fixes };
const KINDS_OF_WORK = Object.keys(HANDLERS) as Kind[];

const waiting = new Map<Kind, Ask>();
let isRunning = false;

/** Lets messages in. */
const { port1, port2 } = new MessageChannel();
let resume: () => void = () => undefined;
port1.onmessage = () => resume();
const turn = (): Promise<void> => new Promise((resolve) => {
    resume = resolve;
    port2.postMessage(0);
});

const next = (): Ask | undefined => KINDS_OF_WORK.map((kind) => waiting.get(kind)).find((ask) => ask !== undefined);

async function run(): Promise<void> {
    isRunning = true;
    for (let ask = next(); ask !== undefined; ask = next()) {
        const work = HANDLERS[ask.kind](ask.ask as never);
        let started = performance.now();
        try {
            for (;;) {
                const { done, value } = work.next();
                if (done === true) {
                    if (waiting.get(ask.kind) === ask) waiting.delete(ask.kind);
                    scope.postMessage({ kind: ask.kind, id: ask.id, answer: value } satisfies Reply);
                    break;
                }
                if (performance.now() - started < 10) continue;
                await turn();
                started = performance.now();
                // A newer question, or a more important one: this one starts anew, if it still counts.
                if (next() !== ask) {
                    work.return(undefined);
                    break;
                }
            }
        } catch (error) {
            if (waiting.get(ask.kind) === ask) waiting.delete(ask.kind);
            scope.postMessage({ kind: ask.kind, id: ask.id, fault: (error as Error).message } satisfies Reply);
        }
        await turn();
    }
    isRunning = false;
}

let isReady = false;

scope.onmessage = ({ data }) => {
    if ("kind" in data) {
        waiting.set(data.kind, data);
    } else if (data.set === "module") {
        // Both have an instance of their own of the one module.
        void Promise.all([load(data.module), loadTools(data.module)]).then(() => {
            isReady = true;
            if (!isRunning) void run();
        });
    } else if (data.set === "file") {
        files[data.side] = data.bytes;
        if (data.side === "main") report = null;
    } else if (data.set === "urls") {
        urls = data.urls;
    } else {
        choice = data.crawler;
        report = null;
    }
    if (isReady && !isRunning && waiting.size > 0) void run();
};
