import { Failures, FetchOptions, Steps } from "./constants.js";
import type { Failure, Step } from "./constants.js";
import { inUnits, optionNumber, optionValue, rangeOf } from "./crawler.js";
import type { Crawler, FetchSettings } from "./crawler.js";
import { handlesOf } from "./crawlers.js";
import { Engine, bytesOf, layout, quote } from "./engine.js";
import type { Text, Url } from "./engine.js";
import { Handle } from "./handle.js";
import { milliseconds, numberOf, u32, wordOf } from "./numbers.js";
import type { Time } from "./numbers.js";
import { Outcome } from "./outcome.js";
import { source } from "./source.js";

const HEADER = layout({ name: "text", value: "text" });

/**
 * One retrieval of a robots.txt, without I/O: redirects, 304, Retry-After, outages. {@link step} says what it waits for; report
 * what the HTTP client received until the step is `"done"`. Each event returns the next step.
 */
export class Fetch extends Handle {
    /** The first half of a character that the next piece completes. */
    #half = "";

    /** Starts the retrieval of the robots.txt that governs a URL, for one or more crawlers. The first sets the policy. */
    constructor(crawlers: Crawler | readonly Crawler[], url: Url, now?: Time);
    /** @internal */
    constructor(engine: Engine, address: number);
    constructor(first: Crawler | readonly Crawler[] | Engine, second: Url | number, now?: Time) {
        const [engine, address] = first instanceof Engine ? [first, second as number] : start(first, second as Url, now);
        super(engine, "robots_fetch_free", address);
    }

    #event(about: string, name: string, ...values: (number | bigint)[]): Step {
        this.engine.call(() => about, name, this.address, ...values);
        return this.step;
    }

    /** Sets an option for this fetch alone. */
    set<K extends keyof FetchSettings>(option: K, value: NonNullable<FetchSettings[K]>): void {
        const { engine, address } = this;
        const values = [optionNumber(option, [FetchOptions]), inUnits(option, optionValue(option, value))];
        engine.run(() => engine.call(() => `set ${option}${rangeOf(option)} to ${String(value)}`, "robots_fetch_set", address, ...values));
    }

    /** Sets the previous outcome of the site: for a conditional request, and as the copy during an outage. */
    setPrevious(outcome: Outcome): void {
        const { engine, address } = this;
        const previous = sameEngine(engine, outcome);
        engine.run(() => engine.call(() => "set the previous outcome", "robots_fetch_set_previous", address, previous));
    }

    /** What the fetch waits for. */
    get step(): Step {
        const { engine, address } = this;
        return engine.run(() => wordOf(Steps, engine.number("robots_fetch_step", address) as number));
    }

    /** The URL to request. A redirect changes it. */
    get url(): string {
        const { engine, address } = this;
        return engine.run(() => {
            engine.number("robots_fetch_url", engine.result, address);
            engine.refresh();
            return engine.text(engine.result);
        });
    }

    /** The headers to send with the request, in addition to the client's own. */
    get requestHeaders(): Record<string, string> {
        const { engine, address } = this;
        return engine.run(() => {
            const headers: Record<string, string> = {};
            const out = engine.struct(HEADER);
            for (let index = 0; engine.next("robots_fetch_request_header", address, index, out); index++) {
                const { name, value } = engine.read(HEADER, out);
                headers[name] = value;
            }
            return headers;
        });
    }

    /** Reports the status of the response. Event of the step `"get"`. */
    status(status: number, now?: Time): Step {
        const values = [u32(status, "a status"), milliseconds(now)];
        return this.engine.run(() => this.#event(`report the status ${status}`, "robots_fetch_report_status", ...values));
    }

    /** Reports the final reply of an FTP server instead of a status. Event of the step `"get"`. */
    ftpReply(reply: number, now?: Time): Step {
        const values = [u32(reply, "a reply"), milliseconds(now)];
        return this.engine.run(() => this.#event(`report the reply ${reply}`, "robots_fetch_report_ftp_reply", ...values));
    }

    /** Reports one header of the response. Event of the step `"headers"`. */
    header(name: Text, value: Text): Step {
        const { engine } = this;
        return engine.run(() => {
            const place = engine.put(name, "a name");
            const length = engine.length;
            const text = engine.put(value, "a value");
            return this.#event(`report the header ${quote(name)}`, "robots_fetch_report_header", place, length, text, engine.length);
        });
    }

    /** Reports the end of the headers. Event of the step `"headers"`. */
    headersEnd(): Step {
        return this.engine.run(() => this.#event("report the end of the headers", "robots_fetch_report_headers_end"));
    }

    /** Reports a piece of the body, with the content coding that the headers name. Event of the step `"body"`. */
    body(piece: Text): Step {
        if (typeof piece !== "string") {
            const bytes = bytesOf(piece, "a piece of the body");
            return this.#half !== "" && this.#flush() === "done" ? "done" : this.#body(bytes);
        }
        const text = this.#half + piece;
        const isSplit = /[\ud800-\udbff]$/.test(text);
        const step = this.#body(isSplit ? text.slice(0, -1) : text);
        this.#half = isSplit ? text.slice(-1) : "";
        return step;
    }

    #body(piece: Text): Step {
        const { engine } = this;
        return engine.run(() => {
            const place = engine.put(piece, "a piece of the body");
            return this.#event("report the body", "robots_fetch_report_body", place, engine.length);
        });
    }

    /** Passes on half a character that nothing completes: it is U+FFFD. */
    #flush(): Step {
        const half = this.#half;
        this.#half = "";
        return this.#body(half);
    }

    /**
     * Reports that the response is complete: after the body, and after the headers of a redirect, before its next request. Without it the
     * next {@link fail} ends the response of the redirect, and changes nothing.
     */
    end(): Step {
        if (this.#half !== "" && this.#flush() === "done") return "done";
        return this.engine.run(() => this.#event("report the end of the body", "robots_fetch_report_end", 0, 0n));
    }

    /** Reports that there is no response, or no more of it. Event of every step but `"done"`. */
    fail(failure: Exclude<Failure, "none">, now?: Time): Step {
        if ((failure as Failure) === "none") throw new TypeError('a failure must not be "none": call end for a complete body');
        const number = numberOf(Failures, failure, "a failure", "none");
        const values = [number, milliseconds(now)];
        return this.engine.run(() => this.#event(`report the failure ${failure}`, "robots_fetch_report_end", ...values));
    }

    /** The outcome; null before the step `"done"`. Each read creates an object. */
    get outcome(): Outcome | null {
        if (this.step !== "done") return null;
        const { engine, address } = this;
        return engine.run(() => new Outcome(engine, engine.create(() => "read the outcome", "robots_fetch_outcome", address)));
    }
}

function start(crawlers: Crawler | readonly Crawler[], url: Url, now: Time | undefined): [Engine, number] {
    const engine = source.engine();
    const [first, ...others] = handlesOf(crawlers, engine) as [number, ...number[]];
    return engine.run(() => {
        const place = engine.putUrl(url);
        const fetch = engine.create(() => `fetch for ${quote(url)}`, "robots_fetch_new", first, place, engine.length, milliseconds(now));
        try {
            for (const crawler of others) engine.call(() => "add a crawler", "robots_fetch_add_crawler", fetch, crawler);
        } catch (error) {
            if (engine.ended === undefined) engine.number("robots_fetch_free", fetch);
            throw error;
        }
        return [engine, fetch];
    });
}

/** The address of an outcome that is used together with an object of an instance. */
export function sameEngine(engine: Engine, other: Outcome): number {
    if (!(other instanceof Outcome)) throw new TypeError("an outcome must be an Outcome");
    // Another instance follows only one that a trap ended.
    if (other.engine !== engine) throw other.engine.ended ?? engine.ended ?? new TypeError("the objects belong to different instances");
    return other.address;
}
