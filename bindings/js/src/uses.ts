import { Purposes, UseSources, UseWords } from "./constants.js";
import type { Purpose, Use, UseSource } from "./constants.js";
import type { Engine, Url } from "./engine.js";
import { layout, quote } from "./engine.js";
import { Handle } from "./handle.js";
import { milliseconds, numberOf, wordOf } from "./numbers.js";
import type { Time } from "./numbers.js";
import { PageControls } from "./page.js";

/** What one statement says about a URL and a purpose. */
export interface UseSignal {
    readonly source: UseSource;
    /** `"unstated"` for an unknown label or value, and for what was not read. */
    readonly says: Use;
    /** The number of the line of the robots.txt, from 1; 0 for another source. */
    readonly line: number;
    /** As it is written; the address of the terms if it says `"licensed"`, which a `Link` header may give relative to the page. */
    readonly text: string;
    /** The policy token or control token of a `"token_rule"`, such as `Google-Extended`; null for another source. */
    readonly token: string | null;
}

/** Whether a page may be used for a purpose: only if `allowed` is true. */
export interface UseAnswer {
    readonly allowed: boolean;
    readonly says: Use;
    /** The signal that decides; null if nothing is stated, and nothing was left unread. */
    readonly decidedBy: UseSignal | null;
    /** The address of the terms; null unless the answer is `"licensed"`. */
    readonly terms: string | null;
    /** Each signal that speaks of the purpose: the deciding one first, unknown labels last. */
    readonly signals: UseSignal[];
}

const ANSWER = layout({ signals: "u32", says: "u32", decided: "u32" });
// The one struct without a size, since it is an element of an array: its address is 4 less than that of its fields.
const SIGNAL = layout({ text: "text", token: "text", line: "u32", source: "u32", says: "u32", reserved: "u32" });
const SIGNAL_SIZE = SIGNAL.size - 4;

/** The signals of almost every page, and the length of almost every receipt. */
const [SIGNALS, RECEIPT] = [16, 4096];

/** A status of the C API: the buffer is too small. */
const SPACE = 65;

/** What a site says about the use of its pages, to one crawler (SPEC 13): its robots.txt and its tdmrep.json. */
export class Uses extends Handle {
    /** @internal */
    constructor(engine: Engine, address: number) {
        super(engine, "robots_uses_free", address);
    }

    /**
     * Returns whether a page may be used for a purpose, and each statement about it. A crawler decides what an unstated use means. An
     * error means that the page must not be used.
     * @param page what the response said to the same crawler; null if it is not known: then the answer is never `"allowed"`.
     * @throws RobotsError `"url"` for a text that is no URL of the site.
     */
    useFor(url: Url, purpose: Purpose, page: PageControls | null): UseAnswer {
        const { engine } = this;
        const [uses, number, controls] = this.#asked(purpose, page);
        return engine.run(() => {
            const place = engine.putUrl(url);
            const { length } = engine;
            const ask = (capacity: number): { signals: number; says: number; decided: number; list: number } => {
                const list = engine.room(capacity * SIGNAL_SIZE);
                const out = engine.struct(ANSWER);
                const values = [uses, place, length, number, controls, list, capacity, out];
                engine.call(() => `use of ${quote(url)}`, "robots_use_for", ...values);
                return { ...engine.read(ANSWER, out), list };
            };
            let answer = ask(SIGNALS);
            if (answer.signals > SIGNALS) answer = ask(answer.signals);
            const signals = Array.from({ length: answer.signals }, (_, at): UseSignal => {
                const { text, token, line, source, says } = engine.read(SIGNAL, answer.list + at * SIGNAL_SIZE - 4);
                return { source: wordOf(UseSources, source), says: wordOf(UseWords, says), line, text, token: token === "" ? null : token };
            });
            const says = wordOf(UseWords, answer.says);
            const decidedBy = answer.decided === 1 ? signals[0]! : null;
            const terms = says === "licensed" && decidedBy !== null ? decidedBy.text : null;
            return { allowed: says === "allowed", says, decidedBy, terms, signals };
        });
    }

    /**
     * Returns the receipt of an answer (SPEC 13.7): one line of JSON. The command `robots replay` decides receipts again. Keep the
     * robots.txt by its SHA-256, which the receipt has; an empty file for a 404.
     * @param url as for {@link useFor}, but absolute.
     * @param fetchedAt when the page was fetched.
     */
    receipt(url: Url, purpose: Purpose, page: PageControls | null, fetchedAt: Time): string {
        const { engine } = this;
        const [uses, number, controls] = this.#asked(purpose, page);
        if (fetchedAt === undefined) throw new TypeError("a receipt needs the time of the fetch: pass a Date or a number of seconds");
        const time = milliseconds(fetchedAt);
        return engine.run(() => {
            const place = engine.putUrl(url);
            const values = [uses, place, engine.length, number, controls, time];
            const length = engine.result + 8;
            for (let capacity = RECEIPT; ; capacity = engine.words[length >>> 2]!) {
                const buffer = engine.room(capacity);
                const status = Number(engine.number("robots_use_receipt", ...values, buffer, capacity, length));
                engine.refresh();
                if (status === SPACE) continue;
                if (status !== 0) throw engine.error(status, `receipt of ${quote(url)}`);
                engine.words[engine.result >>> 2] = buffer;
                engine.words[(engine.result >>> 2) + 1] = engine.words[length >>> 2]!;
                return engine.text(engine.result);
            }
        });
    }

    /** The addresses and the number of what is asked. */
    #asked(purpose: Purpose, page: PageControls | null): [number, number, number] {
        const { engine, address } = this;
        if (page !== null && !(page instanceof PageControls)) {
            throw new TypeError("a page must be PageControls of the crawler, or null if it is not known");
        }
        return [address, numberOf(Purposes, purpose, "a purpose"), page === null ? 0 : page.handle(engine)];
    }
}
