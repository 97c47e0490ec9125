/**
 * The interface of the npm package robots-parser, with the verdicts of librobots (RFC 9309).
 *
 * As there, `isAllowed` is `undefined` for a URL of another site and for a text that is no URL; `isDisallowed` is then true. What
 * differs: a file that is neither a string nor bytes, such as `null` after a fetch that failed, allows nothing.
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

/** How many user agents have their rules kept. */
const KEPT = 64;

/** A URL as robots-parser and `fetch` read it; a path has a site of its own. Undefined for a text that is no URL. */
function parsed(url: string | UrlObject): UrlObject | undefined {
    try {
        return new URL(String(url), "http://robots-relative.invalid/");
    } catch {
        return undefined;
    }
}

/** The rules of one robots.txt, for any crawler. */
export class Robot {
    readonly #url: UrlObject | undefined;
    readonly #body: string | Uint8Array | null;
    readonly #rules = new Map<string, Rules>();

    /** @internal */
    constructor(url: string | UrlObject, body: string | Uint8Array | null | undefined) {
        this.#url = parsed(url);
        this.#body = typeof body === "string" || body instanceof Uint8Array ? body : null;
    }

    #of(agent = "*"): Rules {
        if (typeof agent !== "string") throw new TypeError(`a user agent must be a string, not ${typeof agent}`);
        let rules = this.#rules.get(agent);
        if (rules === undefined) {
            const crawler = Crawler.withNamesIn(agent);
            rules = this.#body === null ? Rules.disallowAll() : crawler.parse(this.#body);
            // The collector runs between tasks only, and does not see how much the module holds.
            crawler.free();
            if (this.#rules.size >= KEPT) {
                for (const old of this.#rules.values()) old.free();
                this.#rules.clear();
            }
            this.#rules.set(agent, rules);
        }
        return rules;
    }

    #check(url: string | UrlObject, agent?: string): Verdict | undefined {
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
        return this.#of().sitemaps;
    }

    /** The last `host` record that concerns every crawler, in lower case; null if there is none. */
    getPreferredHost(): string | null {
        if (this.#body === null) return null;
        const crawler = new Crawler("*");
        const extensions = crawler.extensions(this.#body);
        crawler.free();
        const hosts = extensions.lines.filter(({ field }) => field === "host");
        extensions.free();
        return hosts.at(-1)?.value.toLowerCase() ?? null;
    }
}

/** Parses a robots.txt: `robotsParser("https://example.com/robots.txt", body)`. */
export default function robotsParser(url: string | UrlObject, robotstxt: string | Uint8Array | null | undefined): Robot {
    return new Robot(url, robotstxt);
}
