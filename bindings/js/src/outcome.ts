import { Causes, OutcomeKinds } from "./constants.js";
import type { Cause, OutcomeKind } from "./constants.js";
import type { CrawlerBase } from "./crawlers.js";
import { handlesOf } from "./crawlers.js";
import type { Engine, Url } from "./engine.js";
import { layout } from "./engine.js";
import { RobotsError } from "./errors.js";
import { Handle } from "./handle.js";
import { milliseconds, u32, wordOf } from "./numbers.js";
import type { Time } from "./numbers.js";
import { Rules } from "./rules.js";
import { source } from "./source.js";
import { Verdict } from "./verdict.js";

const OUTCOME = layout({
    kind: "u32", cause: "u32", http_status: "u32", hops: "u32", downgraded: "u32", stale: "u32", fetched_at_ms: "u64",
    fresh_until_ms: "u64", usable_until_ms: "u64", retry_at_ms: "u64", unreachable_since_ms: "bits",
    origin: "text", final_url: "text", etag: "text", last_modified: "text",
});

/** The parts of an outcome. Times are in seconds since 1970-01-01 UTC. */
export interface OutcomeInfo {
    /** What it means for the site. */
    readonly kind: OutcomeKind;
    /** Why. */
    readonly cause: Cause;
    /** The status of the last response; 0 if there was none. */
    readonly httpStatus: number;
    /** How many redirects were followed. */
    readonly hops: number;
    /** Whether a redirect led from https to http. */
    readonly downgraded: boolean;
    /** Whether these are the rules of an earlier fetch that stay in use. */
    readonly stale: boolean;
    readonly fetchedAt: number;
    /** The end of the freshness lifetime. */
    readonly freshUntil: number;
    /** Until when the outcome decides if there is nothing newer. */
    readonly usableUntil: number;
    /** When the next fetch is due. */
    readonly retryAt: number;
    /** Since when every fetch has failed; null after a response. */
    readonly unreachableSince: number | null;
    /** The key of the site, such as `https://example.com`. */
    readonly origin: string;
    /** The URL of the last request. */
    readonly finalUrl: string;
    readonly etag: string | null;
    readonly lastModified: string | null;
}

/** The result of a fetch of a robots.txt, for one or more crawlers: rules or a rule for the whole site, and its times. */
export class Outcome extends Handle {
    /** @internal */
    constructor(engine: Engine, address: number) {
        super(engine, "robots_outcome_free", address);
    }

    /**
     * Reads a record of {@link encode}, of this or another machine.
     * @param crawlers those that the fetch was made for, in their order.
     * @throws RobotsError `"image"` or `"image_format"`: fetch the file again.
     */
    static decode(record: Uint8Array, crawlers: CrawlerBase | readonly CrawlerBase[]): Outcome {
        const engine = source.engine();
        const handles = handlesOf(crawlers, engine);
        return engine.run(() => {
            const list = engine.room(4 * handles.length);
            engine.words.set(handles, list >>> 2);
            const place = engine.put(record, "a record");
            const values = [list, handles.length, place, engine.length];
            return new Outcome(engine, engine.create(() => "read a record", "robots_outcome_decode", ...values));
        });
    }

    /**
     * Checks one URL by a record of {@link encode} or `Cache.exportRecords`, without decoding it: for processes that share records. It
     * names its site and its expiry. Its checksum and crawlers are not compared. A damaged record allows nothing: an error of the verdict.
     */
    static checkRecord(record: Uint8Array, url: Url, now?: Time, crawler = 0): Verdict {
        const engine = source.engine();
        return engine.run(() => {
            const place = engine.put(record, "a record");
            const { length } = engine;
            const values = [place, length, u32(crawler, "a crawler"), engine.putUrl(url), engine.length, milliseconds(now)];
            return Verdict.of(engine, engine.number("robots_record_check", ...values) as bigint, url);
        });
    }

    /** The outcome as one block of bytes, to be stored or sent. */
    encode(): Uint8Array {
        const { engine, address } = this;
        return engine.run(() => {
            engine.call(() => "encode an outcome", "robots_outcome_encode", address, engine.result);
            return engine.copy(engine.result);
        });
    }

    /** Its parts. */
    get info(): OutcomeInfo {
        const { engine, address } = this;
        return engine.run(() => {
            const out = engine.struct(OUTCOME);
            engine.call(() => "read an outcome", "robots_outcome_get", address, out);
            const info = engine.read(OUTCOME, out);
            return {
                kind: wordOf(OutcomeKinds, info.kind),
                cause: wordOf(Causes, info.cause),
                httpStatus: info.http_status,
                hops: info.hops,
                downgraded: info.downgraded === 1,
                stale: info.stale === 1,
                fetchedAt: info.fetched_at_ms / 1000,
                freshUntil: info.fresh_until_ms / 1000,
                usableUntil: info.usable_until_ms / 1000,
                retryAt: info.retry_at_ms / 1000,
                unreachableSince: info.unreachable_since_ms === 0xffff_ffff_ffff_ffffn ? null : Number(info.unreachable_since_ms) / 1000,
                origin: info.origin,
                finalUrl: info.final_url,
                etag: info.etag === "" ? null : info.etag,
                lastModified: info.last_modified === "" ? null : info.last_modified,
            };
        });
    }

    /** What it means for the site. */
    get kind(): OutcomeKind {
        return this.info.kind;
    }

    /**
     * The rules for one of the crawlers, by its index; free them, too. They do not know the site and the time: {@link check} does.
     */
    rules(crawler = 0): Rules {
        const { engine, address } = this;
        return engine.run(() => {
            const borrowed = engine.number("robots_outcome_rules", address, u32(crawler, "a crawler"));
            if (borrowed === 0) throw new RobotsError("argument", `the outcome has no crawler ${crawler}: count from 0`);
            return new Rules(engine, engine.number("robots_rules_retain", borrowed) as number);
        });
    }

    /** Checks one URL of the site at one time; default: now. After {@link OutcomeInfo.usableUntil} it allows nothing. */
    check(url: Url, now?: Time, crawler = 0): Verdict {
        const { engine, address } = this;
        return engine.run(() => {
            const place = engine.putUrl(url);
            const values = [address, u32(crawler, "a crawler"), place, engine.length, milliseconds(now)];
            return Verdict.of(engine, engine.number("robots_outcome_check", ...values) as bigint, url);
        });
    }
}
