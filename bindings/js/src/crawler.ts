import { CrawlerOptions as CRAWLER_OPTIONS, Dialects, FetchOptions as FETCH_OPTIONS, OutcomeKinds } from "./constants.js";
import type { FetchOption, OutcomeKind } from "./constants.js";
import { CrawlerBase } from "./crawlers.js";
import type { Engine, Text, Url } from "./engine.js";
import { quote } from "./engine.js";
import { RobotsError } from "./errors.js";
import { Extensions } from "./extensions.js";
import { Handle } from "./handle.js";
import { checkOptions, milliseconds, numberOf, u32, u64 } from "./numbers.js";
import { OPTIONS } from "./options.js";
import type { ReadSettings } from "./options.js";
import { Outcome } from "./outcome.js";
import { PageControls, pairsOf } from "./page.js";
import type { HeaderList } from "./page.js";
import { Rules } from "./rules.js";
import { source } from "./source.js";
import type { Time } from "./numbers.js";
import { Verdict } from "./verdict.js";

/** What a response means for a site that has no rules: the values of the options `on...`. */
export type Treatment = Exclude<OutcomeKind, "rules">;

type Option = keyof typeof OPTIONS;
type Flag = { [K in Option]: (typeof OPTIONS)[K]["unit"] extends "switch" ? K : never }[Option];

/** The options of fetches of a robots.txt; times are in seconds. `FetchOptions` of the constants describes each. */
export type FetchSettings = {
    [K in FetchOption]?: K extends `on${string}` ? Treatment : K extends Flag ? boolean : number;
};

/** The options of a crawler. */
export interface CrawlerSettings extends ReadSettings, FetchSettings {}

/** The value of an option as a number. */
export function optionValue(name: string, value: unknown): bigint {
    switch (OPTIONS[name as Option].unit) {
        case "dialect":
            return BigInt(numberOf(Dialects, value as string, "dialect"));
        case "outcome_kind":
            return BigInt(numberOf(OutcomeKinds, value as string, name, "rules"));
        case "switch":
            // The numbers 0 and 1 are as good.
            if (typeof value === "boolean" || typeof value === "number") return BigInt(value);
            throw new TypeError(`${name} must be a boolean, not ${typeof value}`);
        default:
            return u64(value as number, name);
    }
}

/** The value of an option in the unit of the library, which has milliseconds for seconds. */
export function inUnits(name: string, value: bigint): bigint {
    return OPTIONS[name as Option].unit === "seconds" ? 1000n * value : value;
}

/** The range of an option, for a message. */
export function rangeOf(name: string): string {
    const { unit, least, most } = OPTIONS[name as Option];
    if (unit === "dialect" || unit === "outcome_kind") return "";
    if (unit === "switch") return " (false or true)";
    return ` (${least} to ${most}${unit === "seconds" ? " seconds" : ""})`;
}

/** The number of an option by its name. */
export function optionNumber(name: string, kinds: readonly Readonly<Record<number, string>>[]): number {
    return numberOf(Object.assign({}, ...kinds) as Record<number, string>, name, "an option");
}

const KINDS = [CRAWLER_OPTIONS, FETCH_OPTIONS];
const SETTINGS = KINDS.flatMap((words): string[] => Object.values(words));

function settingsOf(settings: CrawlerSettings): [string, number, bigint][] {
    checkOptions(settings, SETTINGS);
    return Object.entries(settings)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, optionNumber(name, KINDS), optionValue(name, value)]);
}

/** What the tokens that were passed are: product tokens, the name of a preset, or a text with names in it. */
type Kind = "tokens" | "preset" | "text";

/** A crawler in the memory of one instance. */
class CrawlerHandle extends Handle {
    constructor(engine: Engine, address: number) {
        super(engine, "robots_crawler_free", address);
    }
}

/**
 * A crawler: its product tokens, its dialect, its limits and its fetch policy. Create one, and parse each robots.txt with it.
 *
 * ```js
 * const crawler = new Crawler("ExampleBot");
 * const rules = crawler.parse("User-agent: *\nDisallow: /private/\n");
 * rules.check("https://example.com/private/diary").allowed; // false
 * ```
 */
export class Crawler extends CrawlerBase {
    readonly #tokens: readonly Text[];
    readonly #settings: readonly (readonly [string, number, bigint])[];
    readonly #kind: Kind;
    // An instance that a trap ended is replaced, and the tools have an instance of their own.
    readonly #handles = new WeakMap<Engine, CrawlerHandle>();

    /**
     * @param token the product token, such as `"ExampleBot"`, or several in order of preference: a later one applies if a file
     * names no earlier one. `"*"` alone is a crawler without a token.
     * @throws RobotsError `"token"` without a token, and for a text that is no product token, such as a whole User-Agent header:
     * {@link tokenFromUserAgent} finds the token in one. `"argument"` for an unknown option or a value out of its range.
     */
    constructor(token: Text | readonly Text[], settings?: CrawlerSettings);
    /** @internal */
    constructor(token: Text | readonly Text[], settings: CrawlerSettings, kind: Kind);
    constructor(token: Text | readonly Text[], settings: CrawlerSettings = {}, kind: Kind = "tokens") {
        super();
        const tokens = typeof token === "string" || token instanceof Uint8Array ? [token] : Array.from(token ?? []);
        if (tokens.length === 0) throw new RobotsError("token", 'a crawler needs a product token, such as "ExampleBot"');
        this.#tokens = kind !== "preset" && tokens.length === 1 && tokens[0] === "*" ? [] : tokens;
        this.#settings = settingsOf(settings);
        this.#kind = kind;
        this.handle(source.engine());
    }

    /**
     * Creates a crawler with the published settings of a well-known one, such as `"Googlebot-Image"`; case does not matter.
     * @throws RobotsError `"token"` for an unknown name.
     */
    static preset(name: string, settings: CrawlerSettings = {}): Crawler {
        return new Crawler([name], settings, "preset");
    }

    /**
     * Creates a crawler with the names in a text, in order of preference: of a User-Agent header, or of a user-agent line (SPEC 7.9). A
     * text without a name creates a crawler without a token.
     */
    static withNamesIn(text: Text, settings: CrawlerSettings = {}): Crawler {
        return new Crawler([text], settings, "text");
    }

    /** Whether a User-Agent header holds a token; true if there is none. @internal */
    isNamedIn(userAgent: string): boolean {
        const header = userAgent.toLowerCase();
        const texts = this.#kind === "preset" ? [] : this.#tokens.map((token) => (typeof token === "string" ? token : String.fromCharCode(...token)));
        return texts.length === 0 || texts.some((token) => header.includes(token.toLowerCase()));
    }

    /** The crawler in the memory of an instance. @internal */
    override handle(engine: Engine): number {
        let handle = this.#handles.get(engine);
        if (handle === undefined) {
            handle = engine.run(() => this.#create(engine));
            this.#handles.set(engine, handle);
        }
        return handle.address;
    }

    /** Frees what the crawler has in the memory of the module, before the collector does. @internal */
    free(): void {
        const engine = source.engine();
        this.#handles.get(engine)?.free();
        this.#handles.delete(engine);
    }

    #create(engine: Engine): CrawlerHandle {
        const isPreset = this.#kind === "preset";
        const first = isPreset ? this.#tokens[0]! : "*";
        const place = engine.put(first, "a name");
        const by = isPreset ? "robots_crawler_preset" : "robots_crawler_new";
        const handle = new CrawlerHandle(engine, this.#created(engine, by, first, place));
        const set = ([name, option, value]: readonly [string, number, bigint]): void =>
            engine.call(() => `set ${name}${rangeOf(name)} to ${value}`, "robots_crawler_set", handle.address, option, inUnits(name, value));
        // The dialect decides what a token is, so it comes first.
        this.#settings.filter(([name]) => name === "dialect").forEach(set);
        const add = this.#kind === "text" ? "robots_crawler_add_names_in" : "robots_crawler_add_token";
        for (const token of isPreset ? [] : this.#tokens) {
            const place = engine.put(token, "a token");
            const { length } = engine;
            const about = (): string => `add the token ${quote(token)}${hintOf(engine, place, length)}`;
            engine.call(about, add, handle.address, place, length);
        }
        this.#settings.filter(([name]) => name !== "dialect").forEach(set);
        return handle;
    }

    #created(engine: Engine, by: string, first: Text, place: number): number {
        try {
            return engine.create(() => `create the crawler ${quote(first)}`, by, place, engine.length);
        } catch (error) {
            if (!(error instanceof RobotsError && error.code === "token")) throw error; // `*` is a token: no preset has the name
            throw new RobotsError("token", `no preset has the name ${quote(first)}: \`robots crawlers\` lists them; or create the crawler with its product token`);
        }
    }

    /**
     * Parses a robots.txt and compiles the rules that apply to this crawler. The content of the file is never an error. If
     * it is an address in place of the content, such as `https://example.com/robots.txt`, every verdict has an error (SPEC 4.7). A fetch
     * that failed has no file, which is not an empty one: see {@link outcomeFromStatus}.
     */
    parse(body: Text): Rules {
        const engine = source.engine();
        const crawler = this.handle(engine);
        return engine.run(() => {
            const place = engine.put(body, "a robots.txt");
            return new Rules(engine, engine.create(() => "parse a robots.txt", "robots_rules_parse", crawler, place, engine.length));
        });
    }

    /** Checks one URL by a robots.txt and keeps nothing, in a fraction of the time of `parse` and `check`. */
    checkOnce(body: Text, url: Url): Verdict {
        const engine = source.engine();
        const crawler = this.handle(engine);
        return engine.run(() => {
            const file = engine.put(body, "a robots.txt");
            const length = engine.length;
            const place = engine.putUrl(url);
            const bits = engine.number("robots_check_once", crawler, file, length, place, engine.length);
            return Verdict.of(engine, bits as bigint, url);
        });
    }

    /** Parses the records of a robots.txt that decide nothing: request-rate, content-signal and others (SPEC 9). */
    extensions(body: Text): Extensions {
        const engine = source.engine();
        const crawler = this.handle(engine);
        return engine.run(() => {
            const place = engine.put(body, "a robots.txt");
            const about = (): string => "parse extensions";
            return new Extensions(engine, engine.create(about, "robots_extensions_parse", crawler, place, engine.length));
        });
    }

    /** Reads what a response says to the crawler, from all its headers: `X-Robots-Tag` and others. */
    pageControls(headers: HeaderList = []): PageControls {
        // Headers that are undefined were not read; a call without them is about a page that has none.
        const pairs = pairsOf(arguments.length === 0 ? headers : arguments[0]);
        const engine = source.engine();
        const crawler = this.handle(engine);
        const about = (): string => "create page controls";
        const page = engine.run(() => new PageControls(engine, engine.create(about, "robots_page_controls_new", crawler), this));
        for (const [name, value] of pairs) page.addHeader(name, value);
        return page;
    }

    /**
     * Creates the outcome of a response that is known as a whole, for an HTTP client that follows redirects itself.
     * @param url any URL of the site that was requested first.
     * @param body the file, needed for the statuses 200 to 299: an empty file is `""`. Others ignore it.
     */
    outcomeFromStatus(url: Url, status: number, body?: Text | null, now?: Time): Outcome {
        const engine = source.engine();
        const crawler = this.handle(engine);
        return engine.run(() => {
            const place = engine.putUrl(url);
            const length = engine.length;
            const isFile = status >= 200 && status < 300;
            const file = engine.put((isFile ? body : (body ?? "")) as Text, "a robots.txt");
            const values = [crawler, place, length, u32(status, "a status"), file, engine.length, milliseconds(now)];
            return new Outcome(engine, engine.create(() => `outcome of ${quote(url)}`, "robots_outcome_from_status", ...values));
        });
    }
}

/** The product token in what was passed as one, if it is a User-Agent header. */
function hintOf(engine: Engine, place: number, length: number): string {
    if (engine.number("robots_token_from_user_agent", place, length, engine.result) !== 0) return "";
    return ` (a User-Agent header; its token is ${engine.text(engine.result)})`;
}

/**
 * Finds the product token in a User-Agent header: the first product that is not a browser's.
 * @throws RobotsError `"token"` if it has none.
 */
export function tokenFromUserAgent(header: string): string {
    const engine = source.engine();
    return engine.run(() => {
        const place = engine.put(header, "a User-Agent header");
        engine.call(() => `find a token in ${quote(header)}`, "robots_token_from_user_agent", place, engine.length, engine.result);
        return engine.text(engine.result);
    });
}
