import type { Engine, Url } from "./engine.js";
import { bytesOf, layout, quote, textOf } from "./engine.js";
import { Handle } from "./handle.js";
import { source } from "./source.js";
import { Verdict, Verdicts } from "./verdict.js";

/** A rule that can decide. */
export interface EffectiveRule {
    /** The number of its line, from 1; 0 for a rule for the whole site that no line states. */
    readonly line: number;
    /** Whether it allows. */
    readonly allow: boolean;
    /** Its path in canonical form: `*` is the wildcard, a final `$` the end of the URL. */
    readonly pattern: string;
}

const RULE = layout({ pattern: "text", line: "u32", allow: "u32" });

/** How many URLs are copied to the module together. */
const BATCH = 4096;

/** The rules of a robots.txt, compiled for one crawler. */
export class Rules extends Handle {
    readonly #exports: Engine["exports"];

    /** @internal */
    constructor(engine: Engine, address: number) {
        super(engine, "robots_rules_free", address);
        this.#exports = engine.exports;
    }

    /** Rules that allow every URL. */
    static allowAll(): Rules {
        return siteWide(1);
    }

    /** Rules that allow no URL but the robots.txt. */
    static disallowAll(): Rules {
        return siteWide(0);
    }

    /**
     * Creates rules from an {@link Rules.image}, of this or another machine. The image is validated.
     * @throws RobotsError `"image"` for a damaged one, `"image_format"` for another format version: parse the file again.
     */
    static fromImage(image: Uint8Array): Rules {
        const engine = source.engine();
        return engine.run(() => {
            const place = engine.put(image, "an image");
            return new Rules(engine, engine.create(() => "read an image", "robots_rules_from_image", place, engine.length));
        });
    }

    /**
     * Checks one URL: may the crawler fetch it, why, and by which line.
     * @param url the URL that is sent, or a path that starts with `/`; `//host/` is a path, too (SPEC 8.11). Only path and query are
     * read: the caller chooses the rules of the URL's site. What is neither is not allowed: see {@link Verdict.error}.
     */
    check(url: Url): Verdict {
        const { engine, address } = this;
        if (engine.ended !== undefined) throw engine.ended;
        try {
            const place = engine.putUrl(url);
            const bits = this.#exports.robots_wasm_check(address, place, engine.length, engine.result);
            engine.refresh();
            return new Verdict(engine, bits, engine.words[engine.result >>> 2]!, url);
        } catch (error) {
            throw engine.failed(error);
        } finally {
            engine.release();
        }
    }

    /** Whether the crawler may fetch a URL. False for a text that is no URL. */
    isAllowed(url: Url): boolean {
        return this.check(url).allowed;
    }

    /** Checks many URLs, in a fraction of the time of single calls. */
    checkMany(urls: Iterable<Url>): Verdicts {
        if (typeof urls === "string" || urls instanceof Uint8Array || typeof urls?.[Symbol.iterator] !== "function") {
            throw new TypeError("checkMany takes an array of URLs, or what can be iterated: for one URL, call check");
        }
        const list = Array.isArray(urls) ? (urls as Url[]) : Array.from(urls);
        const codes = new Uint8Array(list.length);
        const { engine, address } = this;
        for (let from = 0; from < list.length; from += BATCH) {
            const part = list.slice(from, from + BATCH);
            codes.set(engine.run(() => checkPart(engine, address, part)), from);
        }
        return new Verdicts(engine, codes);
    }

    /** The rules that can decide, in the order of the file. They are no way to a verdict: {@link check} is. */
    effectiveRules(): EffectiveRule[] {
        const { engine, address } = this;
        return engine.run(() => {
            const list = engine.create(() => "list the rules", "robots_rule_list_new", address);
            try {
                const rules: EffectiveRule[] = [];
                const out = engine.struct(RULE);
                while (engine.next("robots_rule_list_get", list, rules.length, out)) {
                    const { pattern, line, allow } = engine.read(RULE, out);
                    rules.push({ line, allow: allow === 1, pattern });
                }
                return rules;
            } finally {
                if (engine.ended === undefined) engine.number("robots_rule_list_free", list);
            }
        });
    }

    /** The crawl-delay in seconds, the longest if there are several. A file may state any number. Null if there is none. */
    get crawlDelay(): number | null {
        const { engine, address } = this;
        const delay = engine.run(() => engine.number("robots_rules_crawl_delay", address) as number);
        return Number.isNaN(delay) ? null : delay;
    }

    /** The sitemaps of the file, as they are written. */
    get sitemaps(): string[] {
        const { engine, address } = this;
        return engine.run(() => {
            const sitemaps: string[] = [];
            while (engine.next("robots_rules_sitemap", address, sitemaps.length, engine.result)) {
                sitemaps.push(engine.text(engine.result));
            }
            return sitemaps;
        });
    }

    /** The compiled rules as one block of bytes, a copy: store it, and read it with {@link fromImage}. */
    get image(): Uint8Array {
        const { engine, address } = this;
        return engine.run(() => engine.returned("robots_rules_image", address));
    }
}

function siteWide(allow: number): Rules {
    const engine = source.engine();
    return engine.run(() => new Rules(engine, engine.create(() => "create rules", "robots_rules_site_wide", allow)));
}

function checkPart(engine: Engine, rules: number, part: readonly Url[]): Uint8Array {
    const urls = part.map((url) => {
        const text = textOf(url);
        return typeof text === "string" ? text : bytesOf(text, "a URL");
    });
    const count = urls.length;
    const offsets = engine.room(8 * (count + 1));
    const results = engine.room(count);
    let units = 0;
    let isText = true;
    for (const url of urls) {
        units += url.length;
        isText &&= typeof url === "string";
    }
    const most = 3 * units;
    const place = engine.room(most);
    engine.refresh();
    // Texts of ASCII alone are written at once: as many bytes as characters.
    const isAscii = isText && engine.write(urls.join(""), place, most) === units;
    let end = 0;
    const words = offsets >>> 2;
    engine.words[words] = engine.words[words + 1] = 0;
    for (let index = 0; index < count; index++) {
        const url = urls[index]!;
        if (isAscii) {
            end += url.length;
        } else if (typeof url === "string") {
            end += engine.write(url, place + end, most - end);
        } else {
            engine.bytes.set(url, place + end);
            end += url.length;
        }
        engine.words[words + 2 * index + 2] = end;
        engine.words[words + 2 * index + 3] = 0;
    }
    engine.call(() => `check ${count} URLs, the first ${quote(urls[0]!)}`, "robots_rules_check_batch", rules, place, offsets, count, results);
    return engine.bytes.slice(results, results + count);
}
