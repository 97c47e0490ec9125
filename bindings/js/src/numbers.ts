import { RobotsError } from "./errors.js";

/** A time that a caller passes: a `Date`, or seconds since 1970-01-01 UTC. The package returns seconds. */
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

/** The number, if it is in a range. */
export function inRange(value: number, what: string, least: number, most: number): number {
    if (value < least || value > most) throw new RobotsError("argument", `${what} must be an integer from ${least} to ${most}, not ${value}`);
    return value;
}

/** Returns the options of an object without those of its prototype. Throws for what is no object, and for an option that has no meaning. */
export function checkOptions<T extends object>(options: T, names: readonly string[]): T {
    if (typeof options !== "object" || options === null || Array.isArray(options)) {
        throw new TypeError(`options must be an object, such as { ${names[0]}: ... }`);
    }
    for (const name of Object.keys(options)) {
        if (!names.includes(name)) throw new RobotsError("argument", `an option must be one of ${names.join(", ")}, not ${JSON.stringify(name)}`);
    }
    return Object.assign(Object.create(null) as T, options);
}

/** The end of the year 9999. A time in milliseconds is later. */
const LAST_TIME = 253_402_300_799;

/** Milliseconds since 1970. */
export function milliseconds(time: Time | undefined): bigint {
    if (time === undefined) return BigInt(Date.now());
    const value = time instanceof Date ? time.getTime() / 1000 : time;
    if (typeof value !== "number") throw new TypeError(`a time must be a Date or a number of seconds, not ${typeof value}`);
    if (!(value >= 0 && value <= LAST_TIME)) {
        throw new RobotsError("argument", `invalid time ${value}: pass a Date, or the time since 1970 in seconds, not milliseconds`);
    }
    return BigInt(Math.round(time instanceof Date ? time.getTime() : time * 1000));
}

/** The number of a word in a table of constants, but for a word that is refused. */
export function numberOf(words: Readonly<Record<number, string>>, word: string, what: string, refused?: string): number {
    for (const [number, name] of Object.entries(words)) if (name === word && name !== refused) return Number(number);
    const allowed = Object.values(words).filter((name) => name !== refused);
    throw new RobotsError("argument", `${what} must be one of ${allowed.join(", ")}, not ${JSON.stringify(word)}`);
}

/** The word of a number. One that is newer than this package is a defect of the build. */
export function wordOf<W extends string>(words: Readonly<Record<number, W>>, number: number): W {
    const word = words[number];
    if (word === undefined) throw new RobotsError("panic", `librobots returned the unknown number ${number}: please report it`);
    return word;
}
