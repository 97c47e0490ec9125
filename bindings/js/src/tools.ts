/** Explanations, lint, differences, uses and format: for people and for site owners, not for every URL of a crawl. */
import { Dialects, DifferenceResults, FixKinds, LineKinds, MatchResults, Severities } from "./constants.js";
import type { Dialect, DifferenceResult, FixKind, LineKind, MatchResult, Severity } from "./constants.js";
import type { Crawler } from "./crawler.js";
import { handleOf } from "./crawlers.js";
import type { Engine, Text, Url } from "./engine.js";
import { Source, decoder, layout, quote, recordsOf } from "./engine.js";
import { RobotsError } from "./errors.js";
import { numberOf, wordOf } from "./numbers.js";
import type { Rules } from "./rules.js";
import { Uses } from "./uses.js";
import { Verdict } from "./verdict.js";
import binary from "./wasm-whole.js";

export { Uses } from "./uses.js";
export type { UseAnswer, UseSignal } from "./uses.js";

const source = new Source(binary, "librobots/tools", "whole");

/**
 * Compiles the WebAssembly module of the tools without blocking the thread. Nobody needs to call it, except where only modules of the
 * build can be used, such as Cloudflare Workers.
 *
 * @param module a `WebAssembly.Module` of `librobots/whole.wasm`, or of another build of it.
 * @throws RobotsError `"state"` if the platform compiles no module at run time.
 */
export function load(module?: object): Promise<void> {
    return source.load(module);
}

/** A line of the file. */
export interface Quote {
    /** The number of the line, from 1. */
    readonly line: number;
    /** The line as it is written, without comment. */
    readonly text: string;
}

/** A rule that matches the URL. */
export interface Match extends Quote {
    readonly allow: boolean;
    /** The path as it is written. */
    readonly path: string;
    /** The path in canonical form, whose length decides. */
    readonly pattern: string;
    /** Why it decides or does not. */
    readonly result: MatchResult;
}

/** Why a URL is allowed or not. */
export interface Explanation {
    readonly verdict: Verdict;
    /** The verdict of each dialect. */
    readonly others: { readonly rfc9309: Verdict; readonly google: Verdict; readonly koster1996: Verdict };
    /** The canonical form of the URL's path and query, as it was compared. */
    readonly path: string;
    /** The token by which the groups were selected; null if no group applies. */
    readonly token: string | null;
    /** The user-agent lines that select the groups. */
    readonly agents: Quote[];
    /** The rules that match, in order of priority: the first decides. */
    readonly matches: Match[];
    /** The explanation as lines for a terminal. */
    readonly text: string;
}

const EXPLAINED = layout({ verdict: "bits", rfc9309: "bits", google: "bits", koster1996: "bits", path: "text", token: "text", text: "text" });
const LINE = layout({ text: "text", line: "u32", reserved: "u32" });
const RULE = layout({ text: "text", path: "text", pattern: "text", line: "u32", allow: "u32", result: "u32", reserved: "u32" });

/** Explains the verdict for a file and a URL: which line decided, and why no other did. */
export function explain(crawler: Crawler, body: Text, url: Url): Explanation {
    const engine = source.engine();
    const handle = handleOf(crawler, engine);
    return engine.run(() => {
        const file = engine.put(body, "a robots.txt");
        const { length } = engine;
        const place = engine.putUrl(url);
        const values = [handle, file, length, place, engine.length];
        const explanation = engine.create(() => `explain ${quote(url)}`, "robots_rules_explain", ...values);
        try {
            const out = engine.struct(EXPLAINED);
            engine.call(() => "read an explanation", "robots_explanation_get", explanation, out);
            const { verdict, rfc9309, google, koster1996, path, token, text } = engine.read(EXPLAINED, out);
            const of = (bits: bigint): Verdict => Verdict.of(engine, bits, url);
            const agents: Quote[] = [];
            const line = engine.struct(LINE);
            while (engine.next("robots_explanation_agent", explanation, agents.length, line)) {
                const agent = engine.read(LINE, line);
                agents.push({ line: agent.line, text: agent.text });
            }
            const matches: Match[] = [];
            const rule = engine.struct(RULE);
            while (engine.next("robots_explanation_rule", explanation, matches.length, rule)) {
                const { reserved: _, ...match } = engine.read(RULE, rule);
                matches.push({ ...match, allow: match.allow === 1, result: wordOf(MatchResults, match.result) });
            }
            return {
                verdict: of(verdict),
                others: { rfc9309: of(rfc9309), google: of(google), koster1996: of(koster1996) },
                path,
                token: token === "" ? null : token,
                agents,
                matches,
                text,
            };
        } finally {
            if (engine.ended === undefined) engine.number("robots_explanation_free", explanation);
        }
    });
}

/**
 * Says which line of a file to add, change or remove so that the verdict on a URL turns around, and for whom else that holds:
 * sentences. `name` is the name of the crawler, or `"*"`. Other crawlers read the file in `dialect`, or else in their own.
 */
export function verdictAdvice(crawler: Crawler, body: Text, url: Url, name: string, dialect?: Dialect): string {
    const engine = source.engine();
    const handle = handleOf(crawler, engine);
    return engine.run(() => {
        const file = engine.put(body, "a robots.txt");
        const { length } = engine;
        const place = engine.putUrl(url);
        const urlLength = engine.length;
        const called = engine.put(name, "a name");
        const other = dialect === undefined ? -1 : numberOf(Dialects, dialect, "dialect");
        const values = [handle, file, length, place, urlLength, called, engine.length, other, engine.result];
        const text = textOrWhy(engine, Number(engine.number("robots_wasm_verdict_advice", ...values)), `advice for ${quote(url)}`, "no advice:");
        return decoder.decode(text).trimEnd();
    });
}

/**
 * Says what is probably meant by a name that no well-known crawler and no group of a file has, such as `"MJ12"` or `"Bing"`: a
 * sentence without a period. Null if the name may be right.
 */
export function nameAdvice(name: string, body: Text = ""): string | null {
    const engine = source.engine();
    return engine.run(() => {
        const place = engine.put(name, "a name");
        const { length } = engine;
        const file = engine.put(body, "a robots.txt");
        const status = Number(engine.number("robots_wasm_name_advice", place, length, file, engine.length, engine.result));
        return decoder.decode(textOrWhy(engine, status, `advice about ${quote(name)}`, "no advice:")) || null;
    });
}

/**
 * Reads what a site says about the use of its pages (SPEC 13).
 * @param site any URL of the site.
 * @param body its robots.txt: empty if the site has none (404), null if it is not known, as in an outage: then no use is `"allowed"`.
 * @param tdmFile the file `/.well-known/tdmrep.json` of the site: null if the site has none, empty if it is not known.
 * @throws RobotsError `"url"` or `"scheme"` for a site without a robots.txt.
 */
export function uses(crawler: Crawler, site: Url, body: Text | null, tdmFile: Text | null = null): Uses {
    const engine = source.engine();
    const handle = handleOf(crawler, engine);
    // The address of an empty file is not 0, which stands for none.
    const put = (text: Text | null, what: string): [number, number] => (text === null ? [0, 0] : [engine.put(text, what), engine.length]);
    return engine.run(() => {
        const place = engine.putUrl(site);
        const { length } = engine;
        if (length === 0) throw new RobotsError("url", "the site is empty: pass a URL such as https://example.com/");
        const values = [handle, place, length, ...put(body, "a robots.txt"), ...put(tdmFile, "a tdmrep.json")];
        return new Uses(engine, engine.create(() => `uses of ${quote(site)}`, "robots_uses_new", ...values));
    });
}

/** An edit that removes a diagnostic: bytes of the file, and the text in their place. */
export interface Fix {
    readonly kind: Exclude<FixKind, "none">;
    readonly start: number;
    readonly end: number;
    readonly replacement: string;
}

/** What is wrong with a file. */
export interface Diagnostic {
    /** Such as `"R051"`: {@link codeMeaning} explains it. */
    readonly code: string;
    readonly severity: Severity;
    /** The number of the line, from 1; 0 if it is about the whole file. */
    readonly line: number;
    /** The position in the line, in bytes from 1; 0 if it is about the whole file. */
    readonly column: number;
    /** The bytes of the file that it is about. */
    readonly start: number;
    readonly end: number;
    readonly message: string;
    /** What to do; null if there is no advice. */
    readonly suggestion: string | null;
    /** Another line that is involved; 0 for none. */
    readonly otherLine: number;
    readonly fix: Fix | null;
}

/** A line of the file and its meaning. */
export interface Line {
    readonly kind: LineKind;
    /** Its bytes in the file, without the line end. */
    readonly start: number;
    readonly end: number;
    readonly field: string;
    readonly value: string;
    /** The group that it belongs to, from 1; 0 for none. */
    readonly group: number;
}

/** The diagnostics of a file, and the meaning of its lines. */
export interface Report {
    /** In the order of the file, at most 100 of each code. */
    readonly diagnostics: Diagnostic[];
    readonly lines: Line[];
    /** How many there are, also of those that the report does not hold. */
    readonly errors: number;
    readonly warnings: number;
    readonly notes: number;
    /** The report in the style of a compiler. */
    readonly text: string;
}

const COUNTS = layout({ errors: "u64", warnings: "u64", notes: "u64", lines: "u64" });
const DIAGNOSTIC = layout({
    start: "u32", end: "u32", message: "text", suggestion: "text", code: "u32", severity: "u32", line: "u32", column: "u32",
    other_line: "u32", fix: "u32", fix_start: "u32", fix_end: "u32", fix_replacement: "text",
});
const LINT_LINE = layout({ start: "u32", end: "u32", field: "text", value: "text", kind: "u32", group: "u32" });

/** Checks a robots.txt for its author. Of the crawler only its dialect, limits and options count. */
export function lint(crawler: Crawler, body: Text): Report {
    const engine = source.engine();
    const handle = handleOf(crawler, engine);
    return engine.run(() => {
        const place = engine.put(body, "a robots.txt");
        const report = engine.create(() => "lint a robots.txt", "robots_lint", handle, place, engine.length);
        try {
            const counts = engine.struct(COUNTS);
            engine.call(() => "count a report", "robots_lint_report_count", report, counts);
            const { errors, warnings, notes } = engine.read(COUNTS, counts);
            const diagnostics: Diagnostic[] = [];
            const out = engine.struct(DIAGNOSTIC);
            while (engine.next("robots_lint_report_get", report, diagnostics.length, out)) {
                const { other_line, fix, fix_start, fix_end, fix_replacement, ...it } = engine.read(DIAGNOSTIC, out);
                const kind = wordOf(FixKinds, fix);
                diagnostics.push({
                    ...it,
                    code: `R${String(it.code).padStart(3, "0")}`,
                    severity: wordOf(Severities, it.severity),
                    suggestion: it.suggestion === "" ? null : it.suggestion,
                    otherLine: other_line,
                    fix: kind === "none" ? null : { kind, start: fix_start, end: fix_end, replacement: fix_replacement },
                });
            }
            const lines: Line[] = [];
            const line = engine.struct(LINT_LINE);
            while (engine.next("robots_lint_report_line", report, lines.length + 1, line)) {
                const it = engine.read(LINT_LINE, line);
                lines.push({ ...it, kind: wordOf(LineKinds, it.kind) });
            }
            engine.number("robots_lint_report_text", engine.result, report);
            engine.refresh();
            return { diagnostics, lines, errors, warnings, notes, text: engine.text(engine.result) };
        } finally {
            if (engine.ended === undefined) engine.number("robots_lint_report_free", report);
        }
    });
}

const MEANING = layout({ title: "text", explanation: "text" });

/** The meaning of a diagnostic code such as `"R051"`: a title, and what to do. */
export function codeMeaning(code: string): { title: string; explanation: string } {
    const number = /^R(\d{3})$/.exec(code)?.[1];
    if (number === undefined) throw new RobotsError("argument", `a diagnostic code is written as "R051", not ${JSON.stringify(code)}`);
    const engine = source.engine();
    return engine.run(() => {
        const out = engine.struct(MEANING);
        engine.call(() => `meaning of ${code}`, "robots_lint_code", Number(number), out);
        return engine.read(MEANING, out);
    });
}

/** A path on which two sets of rules disagree. */
export interface DifferentPath {
    /** Path and query, in ASCII. */
    readonly path: string;
    /** The verdict of each set of rules: one allows the path. */
    readonly verdicts: readonly [Verdict, Verdict];
}

/** The difference of two sets of rules. */
export interface Difference {
    readonly result: DifferenceResult;
    /** The first is a shortest one. A rule decides each further path that decides none before. */
    readonly paths: DifferentPath[];
}

const PATH = layout({ path: "text", verdict: "bits", other_verdict: "bits" });

/** The image of rules, which may belong to the other module. */
function imageOf(rules: Rules): Uint8Array {
    const image: unknown = (rules as Rules | null | undefined)?.image;
    if (!(image instanceof Uint8Array)) throw new TypeError("difference takes two Rules");
    return image;
}

/**
 * Returns a shortest path that the rules allow and the other rules do not, or the reverse, or that there is none, which is proved
 * (SPEC 12). The two may differ in file, crawler and dialect. The search takes nearly always less than a few milliseconds, and at most
 * some seconds.
 */
export function difference(rules: Rules, other: Rules): Difference {
    const images = [imageOf(rules), imageOf(other)];
    const engine = source.engine();
    return engine.run(() => {
        const handles: [string, number][] = [];
        const create = (free: string, about: string, name: string, ...values: number[]): number => {
            const made = engine.create(() => about, name, ...values);
            handles.push([free, made]);
            return made;
        };
        try {
            const both = images.map((image) => {
                const place = engine.put(image, "an image");
                return create("robots_rules_free", "read an image", "robots_rules_borrow_image", place, engine.length);
            });
            const found = create("robots_difference_free", "compare rules", "robots_rules_difference", ...both);
            const result = wordOf(DifferenceResults, Number(engine.number("robots_difference_result", found)));
            const paths: DifferentPath[] = [];
            const out = engine.struct(PATH);
            while (engine.next("robots_difference_path", found, paths.length, out)) {
                const { path, verdict, other_verdict } = engine.read(PATH, out);
                paths.push({ path, verdicts: [Verdict.of(engine, verdict, path), Verdict.of(engine, other_verdict, path)] });
            }
            return { result, paths };
        } finally {
            if (engine.ended === undefined) for (const [free, handle] of handles.reverse()) engine.number(free, handle);
        }
    });
}

/** Takes a text that the module returned, or throws why there is none. */
function textOrWhy(engine: Engine, status: number, about: string, refused: string): Uint8Array {
    const text = engine.take();
    if (status === 0) return text;
    throw text.length === 0 ? engine.error(status, about) : new RobotsError("argument", `${refused} ${decoder.decode(text)}`);
}

/**
 * Rewrites a robots.txt in canonical layout. No verdict of any crawler changes.
 * @throws RobotsError `"argument"` for a file that stays as it is: UTF-16, or longer than 512,000 bytes.
 */
export function format(body: Text): Uint8Array {
    const engine = source.engine();
    return engine.run(() => {
        const place = engine.put(body, "a robots.txt");
        const status = Number(engine.number("robots_wasm_format", place, engine.length, engine.result));
        return textOrWhy(engine, status, "format a robots.txt", "not formatted: the file is");
    });
}

/** A file with recipes, and what they do. */
export interface AddedRecipes {
    /** The new file. */
    readonly text: Uint8Array;
    /** What the recipes do, and for whom: sentences without a period. */
    readonly effects: string[];
    /** What stays open or shut in spite of them, and what else people do not expect: sentences without a period. */
    readonly warnings: string[];
    /** How many well-known crawlers may fetch the home page, by purpose: a sentence without a period. */
    readonly homePage: string;
}

/**
 * Adds recipes of Google's guide to a robots.txt, which may be empty. `requests` has one recipe on a line, such as
 * `"folder /private/"` or `"for Googlebot"`; the command `robots new` lists them. With `comments`, each new group has a comment.
 * @throws RobotsError `"argument"` if nothing is written: the message says why.
 */
export function addRecipes(body: Text, requests: string, comments = false): AddedRecipes {
    const engine = source.engine();
    return engine.run(() => {
        const place = engine.put(body, "a robots.txt");
        const { length } = engine;
        const list = engine.put(requests, "recipes");
        const values = [place, length, list, engine.length, comments ? 1 : 0, engine.result];
        const block = textOrWhy(engine, Number(engine.number("robots_wasm_recipe", ...values)), "add recipes", "nothing is added:");
        const [text, ...sentences] = recordsOf(block);
        const [effects, warnings, homePage] = sentences.map((lines) => decoder.decode(lines).split("\n").filter((line) => line !== ""));
        return { text: text!, effects: effects!, warnings: warnings!, homePage: homePage![0]! };
    });
}

/**
 * Returns the name in the value of a user-agent line (SPEC 7.3, 7.4, 7.8): a product token as it is written, or `"*"`. Null if the
 * value names no crawler. In rfc9309, a crawler whose token has no digit and no dot reads the name as `"google"` does.
 */
export function agentName(value: Text, dialect: Dialect = "rfc9309"): string | null {
    const engine = source.engine();
    return engine.run(() => {
        const place = engine.put(value, "a name");
        const values = [place, engine.length, numberOf(Dialects, dialect, "dialect"), engine.result];
        engine.call(() => `name in ${quote(value)}`, "robots_wasm_agent_name", ...values);
        return engine.text(engine.result) || null;
    });
}
