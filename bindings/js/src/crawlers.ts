import type { Engine } from "./engine.js";
import { RobotsError } from "./errors.js";

/** The base of {@link Crawler}, for the files that {@link Crawler} itself imports. */
export abstract class CrawlerBase {
    // A crawler of another copy of the package has another such field.
    readonly #isOwn = true;

    /** Returns whether a value is a crawler of this copy of the package. @internal */
    static isOwn(value: object): boolean {
        return #isOwn in value;
    }

    /** The crawler in the memory of an instance. @internal */
    abstract handle(engine: Engine): number;
}

/** The crawler in the memory of an instance. */
export function handleOf(crawler: CrawlerBase, engine: Engine): number {
    const value: unknown = crawler;
    if (typeof value === "object" && value !== null && CrawlerBase.isOwn(value)) return crawler.handle(engine);
    if ((value as object | null)?.constructor?.name === "Crawler") {
        throw new TypeError("a crawler must be a Crawler of this package: this one comes from another copy of librobots");
    }
    throw new TypeError(`a crawler must be a Crawler, not ${value === null ? "null" : `a${typeof value === "object" ? "n" : ""} ${typeof value}`}`);
}

/** The crawlers in the memory of an instance. */
export function handlesOf(list: CrawlerBase | readonly CrawlerBase[], engine: Engine): number[] {
    const crawlers = Array.isArray(list) ? (list as readonly CrawlerBase[]) : [list as CrawlerBase];
    if (crawlers.length === 0) throw new RobotsError("argument", "there is no crawler: pass 1 to 16");
    return crawlers.map((crawler) => handleOf(crawler, engine));
}
