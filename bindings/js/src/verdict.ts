import { Reasons } from "./constants.js";
import type { Reason } from "./constants.js";
import { Engine, quote } from "./engine.js";
import type { Url } from "./engine.js";
import type { RobotsError } from "./errors.js";

/**
 * The decision about one URL. Read {@link Verdict.allowed}: an object is always true to JavaScript, so `if (verdict)` is a
 * mistake that no library can see. `verdict == true` and other conversions throw. `rules.isAllowed(url)` returns a boolean.
 */
export class Verdict {
    // Private, so that `verdict.allowed = true` throws.
    readonly #bits: number;
    readonly #line: number;
    readonly #error: RobotsError | null;

    /** @internal */
    constructor(engine: Engine, bits: number, line: number, url: Url) {
        if (!(engine instanceof Engine)) throw new TypeError("a Verdict comes from check");
        const status = (bits >>> 16) & 0xffff;
        this.#bits = bits;
        this.#line = line;
        this.#error = status === 0 ? null : engine.error(status, `check ${quote(url)}`);
    }

    /** Whether the crawler may fetch the URL. False if there is an error. */
    get allowed(): boolean {
        return (this.#bits & 1) === 1 && this.#error === null;
    }

    /** Whether this is the verdict on every URL of the site except /robots.txt, so that all may be kept or dropped at once (SPEC 8.13). */
    get isSiteWide(): boolean {
        return (this.#bits & 2) === 2;
    }

    /** Why. */
    get reason(): Reason {
        return (Reasons as Record<number, Reason>)[(this.#bits >>> 8) & 0xff] ?? "none";
    }

    /** The line of the robots.txt that decided, from 1; 0 if none did. */
    get line(): number {
        return this.#line;
    }

    /** Why there is no decision: code `"url"` for a text that is no URL. Null for a decision. */
    get error(): RobotsError | null {
        return this.#error;
    }

    /** The verdict that the C API returns as one number. @internal */
    static of(engine: Engine, bits: bigint, url: Url): Verdict {
        return new Verdict(engine, Number(bits & 0xffff_ffffn), Number((bits >> 32n) & 0xffff_ffffn), url);
    }

    /** The verdict in words: `disallowed by line 2`. */
    toString(): string {
        if (this.error !== null) return `not allowed: ${this.error.message}`;
        const isBan = this.reason !== "defer" && this.reason !== "unreachable";
        const word = this.allowed ? "allowed" : isBan ? "disallowed" : "not allowed now";
        return this.line > 0 ? `${word} by line ${this.line}` : `${word}: ${this.reason}`;
    }

    /** What JSON and logs show. */
    toJSON(): { allowed: boolean; reason: Reason; line: number; error: string | null } {
        return { allowed: this.allowed, reason: this.reason, line: this.line, error: this.error?.message ?? null };
    }

    /** What the console of Node shows. @internal */
    [Symbol.for("nodejs.util.inspect.custom")](): string {
        return `Verdict { ${this.toString()} }`;
    }

    /** Only conversion to text is possible. */
    [Symbol.toPrimitive](hint: string): string {
        if (hint === "string") return this.toString();
        throw new TypeError("a Verdict is neither true nor false: read its property `allowed`");
    }
}

/** The results for many URLs, in their order. */
export class Verdicts {
    /** A byte for each URL: 1: allowed, 0: not, 2: not a URL, and not allowed. */
    readonly codes: Uint8Array;

    /** @internal */
    constructor(engine: Engine, codes: Uint8Array) {
        if (!(engine instanceof Engine)) throw new TypeError("Verdicts come from checkMany");
        this.codes = codes;
    }

    /** The number of URLs. */
    get length(): number {
        return this.codes.length;
    }

    /** How many are allowed. */
    get allowedCount(): number {
        return this.codes.reduce((sum, code) => sum + (code === 1 ? 1 : 0), 0);
    }

    /** How many are no URLs. */
    get badUrlCount(): number {
        return this.codes.reduce((sum, code) => sum + (code === 2 ? 1 : 0), 0);
    }

    /** Whether the URL with this index is allowed; false for an index out of range. */
    isAllowed(index: number): boolean {
        return this.codes[index] === 1;
    }

    /** Whether each URL is allowed. */
    *[Symbol.iterator](): Generator<boolean> {
        for (const code of this.codes) yield code === 1;
    }

    /** Results have no value as a boolean, number or text. */
    [Symbol.toPrimitive](): never {
        throw new TypeError("Verdicts are neither true nor false: read `isAllowed(index)`");
    }
}
