import type { Crawler } from "./crawler.js";
import type { Engine } from "./engine.js";
import { RobotsError } from "./errors.js";

const crawlers = new WeakSet<object>();

/** Makes an object known as a crawler of this copy of the package. */
export function register(crawler: Crawler): void {
    crawlers.add(crawler);
}

/** The crawler in the memory of an instance. */
export function handleOf(crawler: Crawler, engine: Engine): number {
    const value: unknown = crawler;
    if (typeof value === "object" && value !== null && crawlers.has(value)) return crawler.handle(engine);
    if ((value as object | null)?.constructor?.name === "Crawler") {
        throw new TypeError("a crawler must be a Crawler of this package: this one comes from another copy of librobots");
    }
    throw new TypeError(`a crawler must be a Crawler, not ${value === null ? "null" : `a${typeof value === "object" ? "n" : ""} ${typeof value}`}`);
}

/** The crawlers in the memory of an instance. */
export function handlesOf(list: Crawler | readonly Crawler[], engine: Engine): number[] {
    const crawlers = Array.isArray(list) ? (list as readonly Crawler[]) : [list as Crawler];
    if (crawlers.length === 0) throw new RobotsError("argument", "there is no crawler: pass 1 to 16");
    return crawlers.map((crawler) => handleOf(crawler, engine));
}
