/**
 * The interface of the npm package robots-parser, with the verdicts of librobots (RFC 9309).
 *
 * As there, `isAllowed` is `undefined` for a URL of another site and for a text that is no URL; `isDisallowed` is then true. What
 * differs: a file that is neither a string nor bytes, such as `null` after a fetch that failed, allows nothing. The first 512,000 bytes of a
 * file are read: see {@link ParserOptions}. A group without rules allows everything to the agents that it names; robots-parser ignores it. A
 * crawl-delay is a decimal number, such as `1.5`; there it is what `Number` reads, such as `1e3`, `+3`, `0x10` and `-1`. A `Robot` has no
 * `free`: where the runtime has no `FinalizationRegistry`, its memory is never freed.
 */
import { Crawler } from "./crawler.js";
import { Rules } from "./rules.js";
import type { Verdict } from "./verdict.js";

/** The part of a `URL` that is used here. */
export interface UrlObject {
    readonly href: string;
    readonly protocol: string;
    readonly host: string;
}
declare const URL: new (url: string, base: string) => UrlObject;

/** What a file is read with. */
export interface ParserOptions {
    /** How many bytes of the file are read: 512,000 to 1 GiB; default: 512,000. robots-parser reads all of them. */
    readonly maxBytes?: number | undefined;
}

/** How many user agents have their crawler kept, and their rules of each file. */
const KEPT = 1000;
/** How many characters the name of a user agent has whose rules are kept. */
const LONGEST = 1024;
/** How many bytes the rules of a file take before they are freed: each user agent of a hostile file may have other rules. */
const MOST_BYTES = 8 << 20;
/** What rules need besides their image, about. */
const OBJECT_BYTES = 1000;

/** Whether two images are equal. Most of those with one length differ in the checksum at their start. */
function areEqual(one: Uint8Array, other: Uint8Array): boolean {
    if (one.length !== other.length) return false;
    for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
    return true;
}

/** The URLs that `new URL` returns as they are, if they start with a site; it takes longer than a check. */
const IS_KEPT = /^[\w!$&()*+,;=:@%/?#.~-]*$/;
/** A path with this may have dot segments, which `new URL` removes. */
const HAS_DOTS = /\/(?:\.|%2e)/i;

/** Sets a value of a map. If the map is full, this removes and returns the oldest value. */
function keep<T>(kept: Map<string, T>, agent: string, value: T): T | undefined {
    const oldest = kept.size < KEPT ? undefined : kept.entries().next().value;
    if (oldest !== undefined) kept.delete(oldest[0]);
    kept.set(agent, value);
    return oldest?.[1];
}

/** A program asks many files for one user agent. */
const crawlers = new Map<string, Crawler>();

/** White space of `String.trim` that robots.txt has not. */
const SPACES = /[\v\f\xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF]/;

/** A file as robots-parser reads it: without any white space around fields and values. */
function trimmed(body: string): string {
    if (!SPACES.test(body)) return body;
    const lines = body.split(/\r\n?|\n/).map((line) => {
        const [text = ""] = line.split("#", 1);
        const [field = ""] = text.split(":", 1);
        return text === field ? line : `${field.trim()}:${text.slice(field.length + 1).trim()}`;
    });
    return lines.join("\n");
}

/** A URL as robots-parser and `fetch` read it; a path has a site of its own. Undefined for a text that is no URL. */
function parsed(url: string | UrlObject): UrlObject | undefined {
    try {
        return new URL(String(url), "http://robots-relative.invalid/");
    } catch {
        return undefined;
    }
}

function crawlerOf(agent: string, maxBytes: number | undefined): Crawler {
    // Of the crawlers with long names, only the last one is kept.
    const key = agent.length > LONGEST ? "" : `${maxBytes ?? ""} ${agent}`;
    let crawler = crawlers.get(key);
    if (crawler === undefined || key === "") {
        crawler?.free();
        crawler = Crawler.withNamesIn(agent, maxBytes === undefined ? {} : { maxBytes });
        // The collector runs between tasks only, and does not see how much the module holds.
        keep(crawlers, key, crawler)?.free();
    }
    return crawler;
}

/** The rules of one robots.txt, for any crawler. */
export class Robot {
    readonly #url: UrlObject | undefined;
    readonly #site: string;
    readonly #body: string | Uint8Array | null;
    readonly #maxBytes: number | undefined;
    /** By user agent. */
    readonly #rules = new Map<string, Rules>();
    /** User agents with the same rules share one object. */
    #shared: { readonly rules: Rules; readonly image: Uint8Array }[] = [];
    /** The bytes of the shared rules and of their images. */
    #size = 0;
    #sitemaps: string[] | undefined;
    #host: string | null | undefined;

    /** @internal */
    constructor(url: string | UrlObject, body: string | Uint8Array | null | undefined, { maxBytes }: ParserOptions) {
        this.#url = parsed(url);
        this.#site = this.#url === undefined ? "" : `${this.#url.protocol}//${this.#url.host}/`;
        this.#body = typeof body === "string" ? trimmed(body) : body instanceof Uint8Array ? body : null;
        this.#maxBytes = maxBytes;
        if (maxBytes !== undefined) crawlerOf("*", maxBytes); // throws now if it is out of range
    }

    #of(agent = "*"): Rules {
        if (typeof agent !== "string") throw new TypeError(`a user agent must be a string, not ${typeof agent}`);
        return this.#rules.get(agent) ?? this.#keep(agent, this.#body === null ? Rules.disallowAll() : crawlerOf(agent, this.#maxBytes).parse(this.#body));
    }

    /** Keeps the rules of a user agent. Returns those of an earlier one if they are the same. */
    #keep(agent: string, rules: Rules): Rules {
        const { image } = rules;
        const same = this.#shared.find((it) => it.rules.engine === rules.engine && areEqual(it.image, image));
        if (same !== undefined) {
            rules.free();
            rules = same.rules;
        } else {
            const size = 2 * image.length + OBJECT_BYTES;
            this.#size += size;
            if (this.#size > MOST_BYTES) {
                for (const old of this.#shared) old.rules.free();
                this.#shared = [];
                this.#rules.clear();
                this.#size = size;
            }
            this.#shared.push({ rules, image });
        }
        if (agent.length <= LONGEST) keep(this.#rules, agent, rules);
        return rules;
    }

    #check(url: string | UrlObject, agent?: string): Verdict | undefined {
        if (this.#site !== "" && typeof url === "string" && url.startsWith(this.#site) && IS_KEPT.test(url) && !HAS_DOTS.test(url)) {
            return this.#of(agent || "*").check(url);
        }
        const target = parsed(url);
        if (target === undefined || target.protocol !== this.#url?.protocol || target.host !== this.#url.host) return undefined;
        const rules = this.#of(agent || "*");
        // Other clients may read the text in another way: a URL is allowed only if each reading is. A text that is no URL by
        // itself, such as a path without a slash, has one reading.
        const raw = rules.check(String(url));
        return raw.error === null && !raw.allowed ? raw : rules.check(target.href);
    }

    /** Whether a crawler may fetch a URL. Undefined for a URL of another site and for a text that is no URL. */
    isAllowed(url: string | UrlObject, ua?: string): boolean | undefined {
        return this.#check(url, ua)?.allowed;
    }

    /** The opposite of {@link isAllowed}: true for a URL of another site. */
    isDisallowed(url: string | UrlObject, ua?: string): boolean {
        return !this.isAllowed(url, ua);
    }

    /** The line that decides, from 1; -1 if none does. */
    getMatchingLineNumber(url: string | UrlObject, ua?: string): number {
        return this.#check(url, ua)?.line || -1;
    }

    /** The crawl-delay in seconds, the longest if there are several; undefined if there is none. */
    getCrawlDelay(ua?: string): number | undefined {
        return this.#of(ua || "*").crawlDelay ?? undefined;
    }

    /** The sitemaps, as they are written. */
    getSitemaps(): string[] {
        this.#sitemaps ??= this.#of().sitemaps;
        return [...this.#sitemaps];
    }

    /** The last `host` record that concerns every crawler, in lower case; null if there is none. */
    getPreferredHost(): string | null {
        if (this.#host === undefined) {
            const extensions = this.#body === null ? null : crawlerOf("*", this.#maxBytes).extensions(this.#body);
            const hosts = extensions?.lines.filter(({ field }) => field === "host");
            this.#host = hosts?.at(-1)?.value.toLowerCase() ?? null;
            extensions?.free();
        }
        return this.#host;
    }
}

/** Parses a robots.txt: `robotsParser("https://example.com/robots.txt", body)`. */
export default function robotsParser(
    url: string | UrlObject,
    robotstxt: string | Uint8Array | null | undefined,
    options: ParserOptions = {},
): Robot {
    return new Robot(url, robotstxt, options);
}
