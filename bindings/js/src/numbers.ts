import { RobotsError } from "./errors.js";

/** A time: a `Date`, or seconds since 1970-01-01 UTC; fractions are dropped. */
export type Time = Date | number;

/** An integer that fits in 32 bits without a sign. */
export function u32(value: number, what: string): number {
    if (typeof value !== "number") throw new TypeError(`${what} must be a number, not ${typeof value}`);
    if (!Number.isInteger(value) || value < 0 || value > 0xffff_ffff) {
        throw new RobotsError("argument", `${what} must be an integer from 0 to 4294967295, not ${value}`);
    }
    return value;
}

/** An integer without a sign as a number of 64 bits. */
export function u64(value: number, what: string): bigint {
    if (typeof value !== "number") throw new TypeError(`${what} must be a number, not ${typeof value}`);
    if (!Number.isSafeInteger(value) || value < 0) {
        throw new RobotsError("argument", `${what} must be an integer from 0 to 2^53 - 1, not ${value}`);
    }
    return BigInt(value);
}

/** Seconds since 1970. The library refuses times after the year 9999, such as those in milliseconds. */
export function seconds(time: Time | undefined): bigint {
    if (time === undefined) return BigInt(Math.floor(Date.now() / 1000));
    const value = time instanceof Date ? time.getTime() / 1000 : time;
    if (typeof value !== "number") throw new TypeError(`a time must be a Date or a number of seconds, not ${typeof value}`);
    if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) {
        throw new RobotsError("argument", `a time must be in seconds since 1970, not ${value}`);
    }
    return BigInt(Math.floor(value));
}

/** The number of a word in a table of constants. */
export function numberOf(words: Readonly<Record<number, string>>, word: string, what: string): number {
    for (const [number, name] of Object.entries(words)) if (name === word) return Number(number);
    throw new RobotsError("argument", `${what} must be one of ${Object.values(words).join(", ")}, not ${JSON.stringify(word)}`);
}

/** The word of a number. One that is newer than this package is a defect of the build. */
export function wordOf<W extends string>(words: Readonly<Record<number, W>>, number: number): W {
    const word = words[number];
    if (word === undefined) throw new RobotsError("panic", `librobots returned the unknown number ${number}: please report it`);
    return word;
}
