import { Actions, CacheOptions } from "./constants.js";
import type { Action } from "./constants.js";
import type { Crawler } from "./crawler.js";
import { handlesOf } from "./crawlers.js";
import { layout, quote, recordsOf } from "./engine.js";
import type { Engine, Url } from "./engine.js";
import { Fetch, sameEngine } from "./fetch.js";
import { Handle } from "./handle.js";
import { checkOptions, inRange, milliseconds, numberOf, u32, u64, wordOf } from "./numbers.js";
import type { Time } from "./numbers.js";
import { Outcome } from "./outcome.js";
import { source } from "./source.js";
import { Verdict } from "./verdict.js";

const ANSWER = layout({
    verdict: "bits", action: "u32", crawlDelayCut: "u32", untilMs: "u64", ticket: "u32", slot: "u64", crawlDelayMs: "u64",
});
const COUNTS = layout({
    sites: "u32", bytes: "u32", hits: "u64", staleHits: "u64", fetches: "u64", waits: "u64", deferred: "u64", evicted: "u64",
    images: "u32", savedBytes: "u32",
});

/** The settings in milliseconds, with their defaults. */
const DELAYS = { defaultDelayMs: 0, maxDelayMs: 60_000, horizonMs: 60_000 } as const;
const DAY_MS = 86_400_000;

/** The settings of a cache. */
export interface CacheSettings {
    /** The memory limit in bytes, at least 65536; default: 64 MiB. */
    maxBytes?: number;
    /** How many seconds a ticket is valid, 1 to 86400; default: 120. */
    ticketTtl?: number;
    /** The milliseconds between two requests to a site whose robots.txt states no crawl-delay, 0 to 86400000; default: 0. */
    defaultDelayMs?: number;
    /** The longest crawl-delay that is obeyed, 0 to 86400000 milliseconds; default: 60000. A longer one counts as this; 0: none is obeyed. */
    maxDelayMs?: number;
    /** How many milliseconds ahead {@link Cache.request} reserves a slot, 0 to 86400000; default: 60000. */
    horizonMs?: number;
}

/** What a cache holds, and what it did since it was created. */
export interface CacheCounts {
    /** The sites, including those that are fetched for the first time. */
    readonly sites: number;
    /** The bytes that they take. */
    readonly bytes: number;
    /** The URLs that a fresh outcome decided. */
    readonly hits: number;
    /** The URLs that an outcome decided after its freshness lifetime. */
    readonly staleHits: number;
    /** The tickets. */
    readonly fetches: number;
    /** The answers `"wait"`. */
    readonly waits: number;
    /** The answers `"defer"`, without those for misuse. */
    readonly deferred: number;
    /** The outcomes and slots that were evicted for others. */
    readonly evicted: number;
    /** The distinct images: sites with equal rules share one. */
    readonly images: number;
    /** The bytes that sharing saves. */
    readonly savedBytes: number;
}

/** What the crawler does next with a URL. Read {@link CacheDecision.allowed}: an object is always true. */
export interface CacheDecision {
    /** Whether the URL may be fetched now. True only with the action `"decided"`. */
    readonly allowed: boolean;
    /**
     * `"decided"`: obey `allowed`. `"fetch"`: use the ticket, then check again. `"wait"`: another task has the ticket: check again
     * when it has used it. `"defer"`: keep the URL, and check again at `until`.
     */
    readonly action: Action;
    readonly verdict: Verdict;
    /**
     * For `"defer"`, when to check again; for `"wait"`, when the ticket expires; null for the others. A number, as every time that the
     * package returns: seconds since 1970.
     */
    readonly until: number | null;
    /** The right to fetch the robots.txt; beside a decision, to refresh it. */
    readonly ticket: Ticket | null;
    /** From {@link Cache.request}: the slot, in seconds since 1970; null without one. For `"defer"` that which is too far away. */
    readonly requestAt: number | null;
    /** From {@link Cache.request}: the milliseconds until the slot; 0 if the request is to be sent now, and without a slot. */
    readonly requestInMs: number;
    /** From {@link Cache.request}: the milliseconds from this request to the next one to the site; 0 without a slot. */
    readonly crawlDelayMs: number;
    /** From {@link Cache.request}: whether the file states a longer crawl-delay than is obeyed. */
    readonly crawlDelayCut: boolean;
}

/** The outcomes of many sites in a limited amount of memory, for one or more crawlers. */
export class Cache extends Handle {
    readonly #crawlers: readonly Crawler[];

    /** @param crawlers one or several, up to 16; the first sets the fetch policy. */
    constructor(crawlers: Crawler | readonly Crawler[], settings: CacheSettings = {}) {
        const own = checkOptions(settings, ["maxBytes", "ticketTtl", ...Object.keys(DELAYS)]);
        const { maxBytes = 64 << 20, ticketTtl = 120 } = own;
        const engine = source.engine();
        const [first, ...others] = handlesOf(crawlers, engine) as [number, ...number[]];
        const bytes = inRange(u32(maxBytes, "maxBytes"), "maxBytes", 65536, 0xffff_ffff);
        inRange(ticketTtl, "ticketTtl", 1, 86400);
        const cache = engine.run(() => engine.create(() => `create a cache of ${bytes} bytes`, "robots_cache_new", first, bytes));
        super(engine, "robots_cache_free", cache);
        this.#crawlers = Array.isArray(crawlers) ? [...(crawlers as readonly Crawler[])] : [crawlers as Crawler];
        engine.run(() => {
            for (const crawler of others) engine.call(() => "add a crawler", "robots_cache_add_crawler", cache, crawler);
            const option = numberOf(CacheOptions, "ticketTtlMs", "an option");
            engine.call(() => `set ticketTtl to ${ticketTtl}`, "robots_cache_set", cache, option, 1000n * u64(ticketTtl, "ticketTtl"));
            for (const [name, usual] of Object.entries(DELAYS) as [keyof typeof DELAYS, number][]) {
                const value = inRange(u32(own[name] ?? usual, name), name, 0, DAY_MS);
                const option = numberOf(CacheOptions, name, "an option");
                engine.call(() => `set ${name} to ${value}`, "robots_cache_set", cache, option, BigInt(value));
            }
        });
    }

    /** Checks one URL: what the crawler does next. */
    check(url: Url, now?: Time, crawler = 0): CacheDecision {
        return this.#ask("robots_cache_check", url, crawler, [milliseconds(now)]);
    }

    /**
     * Checks a URL that is about to be requested and, if it is allowed, reserves a slot of its site. If `requestInMs` is 0, send the
     * request now. Else wait for that time and call again with `requestAt` as the slot: the site may ask for a little more, since another
     * request was late. What is sent so is a crawl-delay apart. A slot that is further away than `horizonMs` is not reserved: `"defer"`.
     * {@link check} reserves nothing: it is for URLs that are found, not requested.
     */
    request(url: Url, slot: Time | null = null, now?: Time, crawler = 0): CacheDecision {
        return this.#ask("robots_cache_request", url, crawler, [slot === null ? 0n : milliseconds(slot), milliseconds(now)]);
    }

    /**
     * Reports the response to a page: the crawl-delay counts from it. After status 429 or 503 its site rests: nothing is sent before
     * `retryAfter`, the value of the header Retry-After; 5 seconds without a readable one.
     */
    retryAfter(url: Url, status: number, retryAfter: string | null = null, now?: Time): void {
        const { engine, address } = this;
        const at = milliseconds(now);
        engine.run(() => {
            const place = engine.putUrl(url);
            const { length } = engine;
            const value = engine.put(retryAfter ?? "", "a header");
            const number = u32(status, "a status");
            const about = (): string => `retry ${quote(url)} later`;
            engine.call(about, "robots_cache_report_response", address, place, length, number, value, engine.length, at);
        });
    }

    /** The crawl-delay that the robots.txt of a site states, in seconds; null if there is none, or the cache has no outcome. */
    crawlDelay(url: Url, crawler = 0): number | null {
        const { engine, address } = this;
        return engine.run(() => {
            const place = engine.putUrl(url);
            const outcome = engine.create(() => `outcome for ${quote(url)}`, "robots_cache_outcome", address, place, engine.length);
            const rules = engine.number("robots_outcome_rules", outcome, u32(crawler, "a crawler"));
            const delay = engine.number("robots_rules_crawl_delay", rules) as number;
            engine.number("robots_outcome_free", outcome);
            return Number.isNaN(delay) ? null : delay;
        });
    }

    /** Whether a User-Agent header holds a token of a crawler. @internal */
    isNamedIn(crawler: number, userAgent: string): boolean {
        return this.#crawlers[crawler]?.isNamedIn(userAgent) ?? true;
    }

    /** `times`: the last one is that of the call. */
    #ask(name: string, url: Url, crawler: number, times: readonly bigint[]): CacheDecision {
        const { engine, address } = this;
        return engine.run(() => {
            const place = engine.putUrl(url);
            const { length } = engine;
            const out = engine.struct(ANSWER);
            engine.number(name, address, u32(crawler, "a crawler"), place, length, ...times, out);
            engine.refresh();
            const answer = engine.read(ANSWER, out);
            const ticket = answer.ticket === 0 ? null : new Ticket(engine, answer.ticket);
            const action = wordOf(Actions, answer.action);
            const verdict = Verdict.of(engine, answer.verdict, url);
            const until = action === "wait" || action === "defer" ? answer.untilMs / 1000 : null;
            const { slot: requestAtMs, crawlDelayMs } = answer;
            const requestAt = requestAtMs === 0 ? null : requestAtMs / 1000;
            const requestInMs = requestAtMs === 0 ? 0 : requestAtMs - Number(times.at(-1));
            const crawlDelayCut = answer.crawlDelayCut !== 0;
            const allowed = action === "decided" && verdict.allowed;
            return { allowed, action, verdict, until, ticket, requestAt, requestInMs, crawlDelayMs, crawlDelayCut };
        });
    }

    /** What the cache has for the site of a URL, however old; null for nothing. */
    outcome(url: Url): Outcome | null {
        const { engine, address } = this;
        return engine.run(() => {
            const place = engine.putUrl(url);
            const outcome = engine.create(() => `outcome for ${quote(url)}`, "robots_cache_outcome", address, place, engine.length);
            return outcome === 0 ? null : new Outcome(engine, outcome);
        });
    }

    /** Removes the site of a URL; `*` removes all sites. */
    remove(url: Url): void {
        const { engine, address } = this;
        engine.run(() => {
            const place = engine.putUrl(url);
            engine.call(() => `remove ${quote(url)}`, "robots_cache_remove", address, place, engine.length);
        });
    }

    /** Removes all sites. */
    clear(): void {
        this.remove("*");
    }

    /** What the cache holds, and what it did since it was created: for metrics. */
    counts(): CacheCounts {
        const { engine, address } = this;
        return engine.run(() => {
            const out = engine.struct(COUNTS);
            engine.call(() => "count a cache", "robots_cache_count", address, out);
            return engine.read(COUNTS, out);
        });
    }

    /** The number of sites. */
    get size(): number {
        return this.counts().sites;
    }

    /** The number of bytes that they take. */
    get bytes(): number {
        return this.counts().bytes;
    }

    /** One record for each site, for another process or machine: {@link importRecord} reads it. */
    exportRecords(): Uint8Array[] {
        const { engine, address } = this;
        return engine.run(() => {
            engine.call(() => "export a cache", "robots_wasm_cache_records", address, engine.result);
            return recordsOf(engine.take());
        });
    }

    /** Imports a record. A newer outcome in the cache stays. */
    importRecord(record: Uint8Array): void {
        const { engine, address } = this;
        engine.run(() => {
            const place = engine.put(record, "a record");
            engine.call(() => "import a record", "robots_cache_import", address, place, engine.length);
        });
    }
}

/** The exclusive right to fetch the robots.txt of one site. {@link Handle.free} gives it back. */
export class Ticket extends Handle {
    /** @internal */
    constructor(engine: Engine, address: number) {
        super(engine, "robots_ticket_free", address);
    }

    /** The key of the site, such as `https://example.com`; empty after {@link finish}. */
    get origin(): string {
        const { engine, address } = this;
        return engine.run(() => {
            engine.number("robots_ticket_origin", engine.result, address);
            engine.refresh();
            return engine.text(engine.result);
        });
    }

    /** Starts the retrieval, for all crawlers of the cache. */
    fetch(now?: Time): Fetch {
        const { engine, address } = this;
        return engine.run(() => new Fetch(engine, engine.create(() => "start a fetch", "robots_ticket_fetch", address, milliseconds(now))));
    }

    /** Submits the outcome to the cache. */
    finish(outcome: Outcome, now?: Time): void {
        const { engine, address } = this;
        const handle = sameEngine(engine, outcome);
        engine.run(() => engine.call(() => "finish a ticket", "robots_ticket_finish", address, handle, milliseconds(now)));
    }
}
