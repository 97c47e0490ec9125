import { Controls, PageSources, Zones } from "./constants.js";
import type { Control, PageSource, Zone } from "./constants.js";
import type { Engine, Text } from "./engine.js";
import { layout, quote } from "./engine.js";
import type { CrawlerBase } from "./crawlers.js";
import { handleOf } from "./crawlers.js";
import { RobotsError } from "./errors.js";
import { Handle } from "./handle.js";
import { numberOf, wordOf } from "./numbers.js";

/** Headers of a response: a `Headers` object, a `Map`, or pairs of name and value. */
export type HeaderList = Iterable<readonly [Text, Text]>;

/** A rule of a page. */
export interface PageRule {
    /** The rule as it is written, such as `max-snippet: 20`. */
    readonly text: string;
    /** The product token that the rule names; null if it is for every crawler. */
    readonly agent: string | null;
    /** Where it is. */
    readonly source: PageSource;
    /** In which header or element of that kind, from 1. */
    readonly number: number;
    /** What its date says about the time zone. */
    readonly zone: Zone;
}

const WANTED = "pass response.headers, or pairs such as [[\"X-Robots-Tag\", \"noindex\"]], for node:http made of rawHeaders; [] if there are none";

/** The headers of a caller; a TypeError if they are no pairs of texts. @internal */
export function pairsOf(headers: unknown): [Text, Text][] {
    const list = typeof headers === "object" && headers !== null ? (headers as Partial<Iterable<unknown>>) : undefined;
    if (typeof list?.[Symbol.iterator] !== "function" || list instanceof Uint8Array) {
        throw new TypeError(`headers must be pairs of name and value, not ${shown(headers)}: ${WANTED}; if they are not known, pass null to useFor`);
    }
    return Array.from(list as Iterable<unknown>, (pair, at) => {
        if (Array.isArray(pair) && pair.length === 2 && pair.every(isText)) return pair as [Text, Text];
        throw new TypeError(`headers[${at}] must be a pair of name and value, each a string or a Uint8Array, not ${shown(pair)}: ${WANTED}`);
    });
}

const isText = (value: unknown): boolean => typeof value === "string" || value instanceof Uint8Array;

/** A value for a message. */
const shown = (value: unknown): string => (typeof value === "string" ? quote(value) : value === null ? "null" : Array.isArray(value) ? "an array" : typeof value);

const PAGE_RULE = layout({ text: "text", agent: "text", value: "i64", source: "u32", number: "u32", zone: "u32", reserved: "u32" });

/**
 * What a response says to a crawler: what it may do with the page, and for `Uses` of `librobots/tools` what the page may be used for.
 * Nothing is restricted until a header or element is added.
 */
export class PageControls extends Handle {
    readonly #crawler: CrawlerBase;
    /** What was added: the function, the name and the value. */
    readonly #added: [string, Text, Text][] = [];
    #hasFailed = false;
    readonly #copies = new WeakMap<Engine, PageControls>();

    /** @internal */
    constructor(engine: Engine, address: number, crawler: CrawlerBase) {
        super(engine, "robots_page_controls_free", address);
        this.#crawler = crawler;
    }

    /** The page in the memory of another instance, that of the tools. @internal */
    handle(engine: Engine): number {
        const { address } = this;
        if (engine === this.engine) return address;
        if (this.#hasFailed) throw new RobotsError("state", "a header or an element could not be added to the page: create it anew");
        let copy = this.#copies.get(engine);
        if (copy === undefined) {
            const crawler = handleOf(this.#crawler, engine);
            const made = engine.run(() => engine.create(() => "create page controls", "robots_page_controls_new", crawler));
            copy = new PageControls(engine, made, this.#crawler);
            this.#copies.set(engine, copy);
        }
        while (copy.#added.length < this.#added.length) copy.#add(...this.#added[copy.#added.length]!);
        return copy.address;
    }

    /** Adds a header of the response, of any name. Add repeated headers one by one. */
    addHeader(name: Text, value: Text): void {
        this.#add("robots_page_controls_add_header", name, value);
    }

    /** Adds a `<meta>` element: its attributes `name` and `content`, without HTML escapes. */
    addMeta(name: Text, content: Text): void {
        this.#add("robots_page_controls_add_meta", name, content);
    }

    #add(by: string, name: Text, value: Text): void {
        const { engine, address } = this;
        try {
            engine.run(() => {
                const place = engine.put(name, "a name");
                const length = engine.length;
                const text = engine.put(value, "a value");
                engine.call(() => `add ${quote(name)}`, by, address, place, length, text, engine.length);
            });
        } catch (error) {
            this.#hasFailed = true;
            throw error;
        }
        const copy = (text: Text): Text => (typeof text === "string" ? text : text.slice());
        this.#added.push([by, copy(name), copy(value)]);
    }

    #read(control: Control): PageRule & { value: number } {
        const { engine, address } = this;
        const number = numberOf(Controls, control, "a control");
        return engine.run(() => {
            const out = engine.struct(PAGE_RULE);
            engine.call(() => `read ${control}`, "robots_page_controls_get", address, number, out);
            const rule = pageRule(engine, out);
            // The one control that is a time: the library has milliseconds.
            if (control === "unavailableAfter" && rule.value > 0) return { ...rule, value: rule.value / 1000 };
            return rule;
        });
    }

    /** The value of a control: 1 or 0, or a limit, where -1 is no limit. */
    get(control: Control): number {
        return this.#read(control).value;
    }

    /** Whether the page may be indexed. */
    get mayIndex(): boolean {
        return this.get("index") === 1;
    }

    /** Whether links of the page may be followed. */
    get mayFollow(): boolean {
        return this.get("follow") === 1;
    }

    /** The time after which the page is not to be shown, in seconds since 1970; null if there is none. */
    get unavailableAfter(): number | null {
        const { value } = this.#read("unavailableAfter");
        return value === -1 ? null : value;
    }

    /** The rule that decides a control; null if none does. */
    decidedBy(control: Control): PageRule | null {
        const { value: _, ...rule } = this.#read(control);
        return rule.source === "none" ? null : rule;
    }

    /** The rules that are unknown or have an invalid value, at most 64. */
    get unknown(): PageRule[] {
        const { engine, address } = this;
        return engine.run(() => {
            const rules: PageRule[] = [];
            const out = engine.struct(PAGE_RULE);
            while (engine.next("robots_page_controls_unknown", address, rules.length, out)) {
                const { value: _, ...rule } = pageRule(engine, out);
                rules.push(rule);
            }
            return rules;
        });
    }
}

function pageRule(engine: Engine, out: number): PageRule & { value: number } {
    const { text, agent, value, source, number, zone } = engine.read(PAGE_RULE, out);
    return { text, agent: agent === "" ? null : agent, value, source: wordOf(PageSources, source), number, zone: wordOf(Zones, zone) };
}
