import { Actions, CacheOptions } from "./constants.js";
import type { Action } from "./constants.js";
import type { Crawler } from "./crawler.js";
import { handlesOf } from "./crawlers.js";
import { layout, quote } from "./engine.js";
import type { Engine, Text } from "./engine.js";
import { Fetch, sameEngine } from "./fetch.js";
import { Handle } from "./handle.js";
import { checkOptions, inRange, numberOf, seconds, u32, u64, wordOf } from "./numbers.js";
import type { Time } from "./numbers.js";
import { Outcome } from "./outcome.js";
import { source } from "./source.js";
import { Verdict } from "./verdict.js";

const ANSWER = layout({ verdict: "bits", action: "u32", reserved: "u32", until: "u64", ticket: "u32" });
const COUNTS = layout({ sites: "u32", bytes: "u32" });

/** The settings of a cache. */
export interface CacheSettings {
    /** The memory limit in bytes, at least 65536; default: 64 MiB. */
    maxBytes?: number;
    /** How many seconds a ticket is valid, 1 to 86400; default: 120. */
    ticketTtl?: number;
}

/** What the crawler does next with a URL. Read {@link CacheDecision.allowed}: an object is always true. */
export interface CacheDecision {
    /** Whether the URL may be fetched now. True only with the action `"decided"`. */
    readonly allowed: boolean;
    /**
     * `"decided"`: obey `allowed`. `"fetch"`: use the ticket, then check again. `"wait"`: check again soon, at `until` at the
     * latest. `"defer"`: check again at `until`.
     */
    readonly action: Action;
    readonly verdict: Verdict;
    /**
     * When to check again: at the latest for `"wait"`, at the earliest for `"defer"`. In seconds since 1970; null for the others.
     */
    readonly until: number | null;
    /** The right to fetch the robots.txt; beside a decision, to refresh it. */
    readonly ticket: Ticket | null;
}

/** The outcomes of many sites in a limited amount of memory, for one or more crawlers. */
export class Cache extends Handle {
    /** @param crawlers one or several, up to 16; the first sets the fetch policy. */
    constructor(crawlers: Crawler | readonly Crawler[], settings: CacheSettings = {}) {
        checkOptions(settings, ["maxBytes", "ticketTtl"]);
        const { maxBytes = 64 << 20, ticketTtl = 120 } = settings;
        const engine = source.engine();
        const [first, ...others] = handlesOf(crawlers, engine) as [number, ...number[]];
        const bytes = inRange(u32(maxBytes, "maxBytes"), "maxBytes", 65536, 0xffff_ffff);
        inRange(ticketTtl, "ticketTtl", 1, 86400);
        const cache = engine.run(() => engine.create(() => `create a cache of ${bytes} bytes`, "robots_cache_new", first, bytes));
        super(engine, "robots_cache_free", cache);
        engine.run(() => {
            for (const crawler of others) engine.call(() => "add a crawler", "robots_cache_add_crawler", cache, crawler);
            const option = numberOf(CacheOptions, "ticketTtl", "an option");
            engine.call(() => `set ticketTtl to ${ticketTtl}`, "robots_cache_set", cache, option, u64(ticketTtl, "ticketTtl"));
        });
    }

    /** Checks one URL: what the crawler does next. */
    check(url: Text, now?: Time, crawler = 0): CacheDecision {
        const { engine, address } = this;
        return engine.run(() => {
            const place = engine.put(url, "a URL");
            const { length } = engine;
            const out = engine.struct(ANSWER);
            engine.number("robots_cache_check", address, u32(crawler, "a crawler"), place, length, seconds(now), out);
            engine.refresh();
            const answer = engine.read(ANSWER, out);
            const ticket = answer.ticket === 0 ? null : new Ticket(engine, answer.ticket);
            const action = wordOf(Actions, answer.action);
            const verdict = Verdict.of(engine, answer.verdict, url);
            const until = action === "wait" || action === "defer" ? answer.until : null;
            return { allowed: action === "decided" && verdict.allowed, action, verdict, until, ticket };
        });
    }

    /** What the cache has for the site of a URL, however old; null for nothing. */
    outcome(url: Text): Outcome | null {
        const { engine, address } = this;
        return engine.run(() => {
            const place = engine.put(url, "a URL");
            const outcome = engine.create(() => `outcome for ${quote(url)}`, "robots_cache_outcome", address, place, engine.length);
            return outcome === 0 ? null : new Outcome(engine, outcome);
        });
    }

    /** Removes the site of a URL. */
    remove(url: Text): void {
        const { engine, address } = this;
        engine.run(() => {
            const place = engine.put(url, "a URL");
            engine.call(() => `remove ${quote(url)}`, "robots_cache_remove", address, place, engine.length);
        });
    }

    /** Removes all sites. */
    clear(): void {
        const { engine, address } = this;
        engine.run(() => engine.number("robots_cache_clear", address));
    }

    #count(): { sites: number; bytes: number } {
        const { engine, address } = this;
        return engine.run(() => {
            const out = engine.struct(COUNTS);
            engine.call(() => "count a cache", "robots_cache_count", address, out);
            return engine.read(COUNTS, out);
        });
    }

    /** The number of sites. */
    get size(): number {
        return this.#count().sites;
    }

    /** The number of bytes that they take. */
    get bytes(): number {
        return this.#count().bytes;
    }

    /** One record for each site, for another process or machine: {@link importRecord} reads it. */
    exportRecords(): Uint8Array[] {
        const { engine, address } = this;
        return engine.run(() => {
            engine.call(() => "export a cache", "robots_wasm_cache_records", address, engine.result);
            const place = engine.words[engine.result >>> 2]!;
            const end = place + engine.words[(engine.result >>> 2) + 1]!;
            const records: Uint8Array[] = [];
            // Each record follows its length, a little-endian number of 32 bits.
            for (let at = place; at < end; ) {
                const length = new DataView(engine.exports.memory.buffer).getUint32(at, true);
                records.push(engine.bytes.slice(at + 4, at + 4 + length));
                at += 4 + length;
            }
            engine.exports.robots_wasm_free(place, end - place);
            return records;
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
        return engine.run(() => new Fetch(engine, engine.create(() => "start a fetch", "robots_ticket_fetch", address, seconds(now))));
    }

    /** Submits the outcome to the cache. */
    finish(outcome: Outcome, now?: Time): void {
        const { engine, address } = this;
        const handle = sameEngine(engine, outcome);
        engine.run(() => engine.call(() => "finish a ticket", "robots_ticket_finish", address, handle, seconds(now)));
    }
}
