/**
 * The interface of the npm package robots-parser, with the verdicts of librobots (RFC 9309).
 *
 * As there, `isAllowed` is `undefined` for a URL of another site and for a text that is no URL; `isDisallowed` is then true. What
 * differs: a file that is neither a string nor bytes, such as `null` after a fetch that failed, allows nothing. A `Robot` has no `free`:
 * where the runtime has no `FinalizationRegistry`, its memory is never freed.
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

/** How many user agents have their crawler kept, and their rules of each file. */
const KEPT = 64;

/** The URLs that `new URL` returns as they are, if they start with a site; it takes longer than a check. */
const IS_KEPT = /^[\w!$&()*+,;=:@%/?#.~-]*$/;
/** A path with this may have dot segments, which `new URL` removes. */
const HAS_DOTS = /\/(?:\.|%2e)/i;

/** Sets a value of a map that frees its values when it is full. */
function keep<T extends { free(): void }>(kept: Map<string, T>, agent: string, value: T): T {
    if (kept.size >= KEPT) {
        // The collector runs between tasks only, and does not see how much the module holds.
        for (const old of kept.values()) old.free();
        kept.clear();
    }
    kept.set(agent, value);
    return value;
}

/** A program asks many files for one user agent. */
const crawlers = new Map<string, Crawler>();

/** A URL as robots-parser and `fetch` read it; a path has a site of its own. Undefined for a text that is no URL. */
function parsed(url: string | UrlObject): UrlObject | undefined {
    try {
        return new URL(String(url), "http://robots-relative.invalid/");
    } catch {
        return undefined;
    }
}

function crawlerOf(agent: string): Crawler {
    return crawlers.get(agent) ?? keep(crawlers, agent, Crawler.withNamesIn(agent));
}

/** The rules of one robots.txt, for any crawler. */
export class Robot {
    readonly #url: UrlObject | undefined;
    readonly #site: string;
    readonly #body: string | Uint8Array | null;
    readonly #rules = new Map<string, Rules>();
    #sitemaps: string[] | undefined;
    #host: string | null | undefined;

    /** @internal */
    constructor(url: string | UrlObject, body: string | Uint8Array | null | undefined) {
        this.#url = parsed(url);
        this.#site = this.#url === undefined ? "" : `${this.#url.protocol}//${this.#url.host}/`;
        this.#body = typeof body === "string" || body instanceof Uint8Array ? body : null;
    }

    #of(agent = "*"): Rules {
        if (typeof agent !== "string") throw new TypeError(`a user agent must be a string, not ${typeof agent}`);
        return this.#rules.get(agent) ?? keep(this.#rules, agent, this.#body === null ? Rules.disallowAll() : crawlerOf(agent).parse(this.#body));
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
            const extensions = this.#body === null ? null : crawlerOf("*").extensions(this.#body);
            const hosts = extensions?.lines.filter(({ field }) => field === "host");
            this.#host = hosts?.at(-1)?.value.toLowerCase() ?? null;
            extensions?.free();
        }
        return this.#host;
    }
}

/** Parses a robots.txt: `robotsParser("https://example.com/robots.txt", body)`. */
export default function robotsParser(url: string | UrlObject, robotstxt: string | Uint8Array | null | undefined): Robot {
    return new Robot(url, robotstxt);
}
