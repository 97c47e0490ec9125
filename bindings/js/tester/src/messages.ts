/** What the page and its worker send to each other. */
import type { Control, Dialect, ExtensionField, LineKind, PageSource, Purpose, Reason, Severity, Use } from "librobots";
import type { Explanation } from "librobots/tools";

/** The crawler that reads the file. */
export interface CrawlerChoice {
    /** The name of a preset, or own product tokens with spaces between them; `*` is a crawler that no group names. */
    readonly name: string;
    readonly isPreset: boolean;
    /** Empty: that of its operator, or rfc9309. */
    readonly dialect: Dialect | "";
}

/** Which file: the one of the editor, or the one it is compared with. */
export type Side = "main" | "other";

/** What the worker keeps. */
export type State =
    | { readonly set: "module"; readonly module: WebAssembly.Module }
    | { readonly set: "file"; readonly side: Side; readonly bytes: Uint8Array }
    | { readonly set: "urls"; readonly urls: readonly string[] }
    | { readonly set: "crawler"; readonly crawler: CrawlerChoice };

/** A verdict in plain numbers: `status` is 1: allowed, 0: not, 2: not a URL, 3: the crawler ignores the file. */
export interface Decided {
    readonly status: number;
    readonly reason: Reason;
    readonly line: number;
}

export interface Decisions {
    readonly statuses: Uint8Array;
    /** Indexes into {@link REASONS}. */
    readonly reasons: Uint8Array;
    readonly lines: Uint32Array;
    /** The verdict for the URL that is being typed. */
    readonly draft: Decided | null;
    /** Why there are no verdicts: the crawler's tokens are not valid, or the file is an address. */
    readonly fault: string | null;
    /** The sites of the first URLs, at most 5. */
    readonly sites: readonly string[];
    /** What the names of the user's own crawler probably mean, in the engine's words. */
    readonly names: readonly string[];
}

export const REASONS: readonly Reason[] = [
    "none", "rule_allowed", "rule_disallowed", "no_rule", "no_group", "robots_txt", "allow_all", "disallow_all", "defer", "unreachable",
];

/** The kinds of lines, by number. */
export const KINDS: readonly LineKind[] = [
    "blank", "comment", "user_agent", "allow", "disallow", "sitemap", "crawl_delay", "extension", "unknown", "not_understood",
];

/** The meaning of each line, for colours: columns in UTF-16. */
export interface Meanings {
    /** Indexes into {@link KINDS}. */
    readonly kinds: Uint8Array;
    /** The end of the field, and the bounds of the value, for each line. */
    readonly places: Uint32Array;
}

export interface Mark {
    readonly code: string;
    readonly severity: Severity;
    /** From 1; 0: the whole file. */
    readonly line: number;
    /** Columns in UTF-16, from 0. */
    readonly from: number;
    readonly to: number;
    readonly message: string;
    readonly suggestion: string | null;
    readonly otherLine: number;
    readonly fix: { readonly kind: "safe" | "unsafe"; readonly start: number; readonly end: number; readonly replacement: string } | null;
}

export interface Lint {
    readonly marks: readonly Mark[];
    readonly errors: number;
    readonly warnings: number;
    readonly notes: number;
    readonly meanings: Meanings;
}

/** What a code of lint means, with an example and its fix. */
export interface Meaning {
    readonly title: string;
    readonly explanation: string;
    readonly example: string;
    /** The example after its fix; null if the engine has no fix. */
    readonly fixed: string | null;
}

export interface Change {
    readonly url: string;
    readonly before: Decided;
    readonly after: Decided;
}

/** Crawlers whose verdicts change in the same way. */
export interface Changes {
    readonly crawlers: readonly string[];
    /** A shortest path for each rule that causes a change, then those of the user's URLs that change. */
    readonly changes: readonly Change[];
    /** The number of changes, also of those that are not listed. */
    readonly total: number;
}

/** The difference of two files for all crawlers. Without changes and undecided crawlers, it is proved that no verdict changes. */
export interface Difference {
    readonly classes: readonly Changes[];
    /** Crawlers whose rules were too hard, or too many, to compare. */
    readonly undecided: readonly string[];
    /** The crawl-delays that change; null for none. */
    readonly delays: readonly { readonly crawlers: readonly string[]; readonly before: number | null; readonly after: number | null }[];
}

/** The sitemaps that only one of two files has. */
export interface SitemapChanges {
    readonly added: FileRecords["sitemaps"];
    readonly removed: FileRecords["sitemaps"];
}

export interface Table {
    /** The URLs of the columns if the user has none; else null. */
    readonly examples: readonly string[] | null;
    readonly rows: readonly TableRow[];
}

export interface TableRow {
    readonly name: string;
    readonly statuses: Uint8Array;
    readonly lines: Uint32Array;
    readonly reasons: Uint8Array;
    readonly allowed: number;
    /** The name whose group it obeys; null if no group counts for it. */
    readonly token: string | null;
}

export interface GroupRule {
    readonly line: number;
    readonly kind: LineKind;
    readonly value: string;
    /** Whether it can decide. */
    readonly effective: boolean;
}

export interface GroupColumn {
    readonly names: readonly string[];
    readonly agentLines: readonly number[];
    readonly rules: readonly GroupRule[];
    /** Rules that are not listed. */
    readonly more: number;
    readonly crawlDelay: number | null;
    /** Whether the chosen crawler obeys it. */
    readonly isChosen: boolean;
}

export interface Groups {
    readonly columns: readonly GroupColumn[];
    /** Names that no crawler can have. */
    readonly invalid: readonly string[];
    readonly more: number;
    /** Whether a group applies to the chosen crawler. */
    readonly hasChosen: boolean;
}

export interface FileRecords {
    readonly sitemaps: readonly { readonly line: number; readonly url: string }[];
    readonly lines: readonly {
        readonly line: number;
        readonly field: ExtensionField;
        readonly value: string;
        readonly meaning: string;
    }[];
    readonly crawlDelay: number | null;
}

export interface PageAnswer {
    readonly controls: readonly {
        readonly control: Control;
        readonly value: number;
        readonly by: string | null;
        readonly agent: string | null;
        readonly source: PageSource;
    }[];
    readonly unknown: readonly string[];
    /** What the page may be used for, if its URL is known and somebody states it. */
    readonly uses: readonly { readonly purpose: Purpose; readonly says: Use; readonly by: string }[];
    /** The verdict for the page itself, if its URL is known. */
    readonly verdict: Decided | null;
}

export interface FixPreview {
    /** The index of the mark. */
    readonly mark: number;
    readonly difference: Difference;
}

export type Explained = Omit<Explanation, "verdict" | "others"> & {
    readonly verdict: Decided;
    readonly words: string;
    /** What turns the verdict around, in the engine's words; empty for an outage. */
    readonly advice: string;
    readonly others: Readonly<Record<Dialect, Decided>>;
};

/** A file with recipes. */
export interface Recipes {
    readonly bytes: Uint8Array;
    /** What they do, and what older lines undo, in the engine's words. */
    readonly effects: readonly string[];
    readonly warnings: readonly string[];
    /** Errors and warnings of lint about lines of the new file. */
    readonly faults: readonly { readonly line: number; readonly words: string }[];
    readonly difference: Difference;
}

/** The options of an audit. */
export interface AuditOptions {
    /** A host or a URL; empty: the file judges the lines of every host. */
    readonly site: string;
    /** Milliseconds since 1970; null: the file was always served. */
    readonly from: number | null;
    /** Milliseconds for which a crawler may use a copy of the file. */
    readonly grace: number;
    /** The token of the user's own crawler, or empty. */
    readonly mine: string;
}

/** What the page asks the thread that reads logs. */
export type AuditAsk = { readonly files: readonly File[]; readonly robots: Uint8Array; readonly options: AuditOptions } | "stop";

/** What that thread answers: progress, then a report or a fault. */
export type AuditReply =
    | { readonly name: string; readonly bytes: number; readonly total: number; readonly lines: number }
    | { readonly report: AuditReport; readonly faults: readonly string[]; readonly seconds: number }
    | { readonly fault: string };

/** A rule that a crawler broke. */
export interface BrokenRule {
    /** 0: a rule for the whole site. */
    readonly line: number;
    readonly rule: string;
    readonly count: number;
    /** The first lines of the logs that broke it, at most {@link AuditReport.lines}. */
    readonly lines?: readonly { readonly file: string; readonly line: number; readonly text: string }[];
}

/** A name, its requests, and how many of them were forbidden. */
export type AuditBar = readonly [name: string, requests: number, forbidden: number];

/** Lines of one reason, with the first of them. */
export interface AuditReason {
    readonly reason: string;
    readonly count: number;
    readonly file: string;
    readonly line: number;
    readonly example: string;
}

/** What `robots audit` reports: texts are escaped, `counts` and `whole` are objects of its `--json`. */
export interface AuditReport {
    readonly summary: string;
    readonly whole: {
        readonly lines: number;
        readonly claim: string;
        readonly not_judged: readonly AuditReason[];
        readonly unread: readonly AuditReason[];
        readonly hosts: number;
        readonly hosts_mixed: boolean;
        readonly unlisted: number;
    };
    readonly crawlers: readonly {
        readonly title: string;
        readonly details: readonly string[];
        readonly counts: { readonly requests: number; readonly forbidden: number; readonly broken: readonly BrokenRule[]; readonly broken_count: number };
    }[];
    readonly crawler_count: number;
    readonly purposes: readonly AuditBar[];
    readonly days: readonly AuditBar[];
    readonly most_broken: readonly { readonly title: string; readonly rule: BrokenRule }[];
    readonly lines: number;
    /** The page that `--html` writes. */
    readonly html: string;
}

/** What the page asks, and what the worker answers. A new question of a kind makes older ones of the kind void. */
export interface Questions {
    decide: { readonly ask: { readonly draft: string }; readonly answer: Decisions };
    explain: { readonly ask: { readonly url: string }; readonly answer: Explained | { readonly fault: string } };
    meaning: { readonly ask: { readonly code: string }; readonly answer: Meaning };
    lint: { readonly ask: object; readonly answer: Lint };
    fixes: { readonly ask: { readonly marks: readonly number[] }; readonly answer: readonly FixPreview[] };
    edit: { readonly ask: { readonly marks: readonly number[] }; readonly answer: Uint8Array };
    table: { readonly ask: { readonly columns: number }; readonly answer: Table };
    groups: { readonly ask: object; readonly answer: Groups };
    difference: { readonly ask: object; readonly answer: { readonly difference: Difference; readonly sitemaps: SitemapChanges; readonly meanings: Meanings } };
    records: { readonly ask: object; readonly answer: FileRecords };
    page: {
        readonly ask: { readonly headers: readonly [string, string][]; readonly metas: readonly [string, string][]; readonly url: string };
        readonly answer: PageAnswer;
    };
    recipe: {
        readonly ask: { readonly requests: string; readonly comments: boolean };
        readonly answer: { readonly fault: string } | Recipes;
    };
}
export type Kind = keyof Questions;
export type Ask<K extends Kind = Kind> = { [P in K]: { readonly kind: P; readonly id: number; readonly ask: Questions[P]["ask"] } }[K];
export type Reply = { readonly kind: Kind; readonly id: number; readonly answer: unknown } | { readonly kind: Kind; readonly id: number; readonly fault: string };
