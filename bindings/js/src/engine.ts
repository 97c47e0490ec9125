import { RobotsError, codeOf } from "./errors.js";

/** A text or a file: a string is encoded as UTF-8, a lone surrogate as U+FFFD, as `fetch` does. */
export type Text = string | Uint8Array;

/** The type of the environment's `URL`. */
type GlobalUrl = typeof globalThis extends { URL: { prototype: infer U } } ? U : never;

/** A URL: its text, or a `URL` object, which is as good as its `href`. */
export type Url = Text | GlobalUrl;

/** What the module exports: the functions of the C API by their names. */
export interface Exports {
    readonly memory: { readonly buffer: ArrayBuffer };
    robots_wasm_seed(low: number, high: number): void;
    robots_wasm_alloc(size: number): number;
    robots_wasm_free(block: number, size: number): void;
    robots_wasm_check(rules: number, url: number, length: number, line: number): number;
    readonly [name: string]: unknown;
}

/** A number of 64 bits is a `bigint`. */
type Value = number | bigint;
type Function = (...values: Value[]) => Value;

/** A status of the C API: a list has no element with this index. */
const END = 64;

const encoder = new TextEncoder();
export const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Arguments up to this many bytes are written to one place, which each call uses again. */
const SCRATCH = 65536;

/** The memory grows by this many bytes at least, and by an eighth of itself. */
const GROWTH = 1 << 20;

/** A text of as many characters is encoded outside the module, where three bytes each would be too much. */
const ENCODED_APART = 1 << 20;

/** Shortens a text for a message. */
export function quote(url: Url): string {
    const text = textOf(url);
    const words = typeof text === "string" ? text : decoder.decode(text.subarray(0, 400));
    return JSON.stringify(words.length > 100 ? `${words.slice(0, 100)}...` : words);
}

const prototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
const getter = (name: string): (() => number) => Object.getOwnPropertyDescriptor(prototype, name)!.get!;
const [byteOffset, length, buffer] = [getter("byteOffset"), getter("length"), getter("buffer") as () => unknown];

/** The text of a URL, whatever the properties of its class return: a property that calls the engine would overwrite its arguments. */
export function textOf(url: Url): Text {
    if (typeof url === "string" || !((url as unknown) instanceof URL)) return url;
    return Object.getOwnPropertyDescriptor(URL.prototype, "href")!.get!.call(url) as string;
}

/** The bytes of an argument, whatever the properties of its class return. */
export function bytesOf(value: Uint8Array, what: string): Uint8Array {
    if (!(value instanceof Uint8Array)) {
        throw new TypeError(`${what} must be a string or a Uint8Array, not ${value === null ? "null" : typeof value}`);
    }
    return new Uint8Array(buffer.call(value) as ArrayBuffer, byteOffset.call(value), length.call(value));
}

/**
 * One instance of the module: its memory, and the marshalling of arguments and results.
 *
 * A trap, which is a defect of librobots or memory that ran out at the wrong place, ends the instance: that call and every
 * later one throws, and {@link Source.engine} creates another instance.
 */
export class Engine {
    readonly exports: Exports;
    /** Set by a trap. */
    ended: RobotsError | undefined;
    /** The memory; replaced when it grows. */
    bytes!: Uint8Array;
    words!: Uint32Array;
    /** The scratch space, from which most arguments are written. */
    #view!: Uint8Array;
    /** The number of bytes that {@link put} wrote last. */
    length = 0;
    /** Where a small result goes. */
    readonly result: number;
    readonly #scratch: number;
    /** The first free byte of the scratch space. */
    #top: number;
    /** Arguments that are too long for it. */
    #blocks: [number, number][] = [];

    constructor(exports: Exports) {
        this.exports = exports;
        // A module has no random numbers, and sites must not know the seeds of its hashes. V8 seeds `Math.random` from the system.
        exports.robots_wasm_seed(Math.random() * 2 ** 32, Math.random() * 2 ** 32);
        const place = exports.robots_wasm_alloc(SCRATCH + 256);
        if (place === 0) throw new RobotsError("memory", "out of memory: no room for an instance of librobots");
        this.result = place;
        this.#scratch = place + 256;
        this.#top = this.#scratch;
        this.#renew();
    }

    #renew(): void {
        this.bytes = new Uint8Array(this.exports.memory.buffer);
        this.words = new Uint32Array(this.exports.memory.buffer);
        this.#view = this.bytes.subarray(this.#scratch, this.#scratch + SCRATCH);
    }

    /** Makes `bytes` and `words` valid after a call that may have allocated. */
    refresh(): void {
        if (this.bytes.buffer === this.exports.memory.buffer) return;
        this.#reserve();
        this.#renew();
    }

    /**
     * Makes the memory grow in large steps. Each growth creates an ArrayBuffer of the whole memory. JavaScript counts it as newly
     * allocated, and soon collects garbage: at 64 KiB a growth, many objects that nobody frees take a quadratic time.
     */
    #reserve(): void {
        const size = Math.max(GROWTH, this.exports.memory.buffer.byteLength >>> 3);
        const block = this.exports.robots_wasm_alloc(size) >>> 0;
        if (block !== 0) this.exports.robots_wasm_free(block, size);
    }

    /** Turns a trap into an error, and ends the instance. Other errors pass through. */
    failed(error: unknown): unknown {
        if (error instanceof RobotsError || error instanceof TypeError) return error;
        this.ended = new RobotsError(
            "panic",
            "librobots stopped (a defect, or memory ran out): nothing is allowed; free its objects and create them anew, and report it",
            { cause: error },
        );
        return this.ended;
    }

    /** Runs a call: its arguments are freed at its end. */
    run<T>(body: () => T): T {
        if (this.ended !== undefined) throw this.ended;
        try {
            return body();
        } catch (error) {
            throw this.failed(error);
        } finally {
            this.release();
        }
    }

    /** Frees the arguments of a call. */
    release(): void {
        this.#top = this.#scratch;
        if (this.#blocks.length === 0) return;
        const blocks = this.#blocks;
        this.#blocks = [];
        if (this.ended !== undefined) return;
        for (const [block, size] of blocks) this.exports.robots_wasm_free(block, size);
    }

    /** Returns room for `size` bytes, aligned to 8, until the end of the call. */
    room(size: number): number {
        const place = (this.#top + 7) & ~7;
        if (place + size <= this.#scratch + SCRATCH) {
            this.#top = place + size;
            return place;
        }
        if (!(size < 0x8000_0000)) throw new RobotsError("memory", `out of memory: ${size} bytes are more than a module can hold`);
        const block = this.exports.robots_wasm_alloc(size);
        if (block === 0) throw new RobotsError("memory", `out of memory: no room for ${size} bytes; free objects that are not needed`);
        this.refresh();
        // Above 2^31 an address is a negative number at first.
        this.#blocks.push([block >>> 0, size]);
        return block >>> 0;
    }

    /** Writes an argument. Returns its address; `length` is its length. */
    put(text: Text, what: string): number {
        if (typeof text === "string") {
            this.refresh();
            const most = text.length * 3;
            if (this.#top === this.#scratch && most <= SCRATCH) {
                this.length = encoder.encodeInto(text, this.#view).written;
                this.#top += this.length;
                return this.#scratch;
            }
            if (text.length < ENCODED_APART) {
                const place = this.room(most);
                this.length = this.write(text, place, most);
                return place;
            }
            return this.#copied(encoder.encode(text));
        }
        return this.#copied(bytesOf(text, what));
    }

    /** Writes a URL, as {@link put}. */
    putUrl(url: Url): number {
        return this.put(textOf(url), "a URL");
    }

    #copied(bytes: Uint8Array): number {
        const place = this.room(bytes.length);
        this.refresh();
        this.bytes.set(bytes, place);
        this.length = bytes.length;
        return place;
    }

    /** Writes a string as UTF-8, where there is room for three bytes a character. Returns the number of bytes. */
    write(text: string, place: number, most: number): number {
        return encoder.encodeInto(text, this.bytes.subarray(place, place + most)).written;
    }

    /** Calls a function whose result is a number. */
    number(name: string, ...values: Value[]): Value {
        return (this.exports[name] as Function)(...values);
    }

    /** Calls a function that returns a status: throws for all but success. `about` says what failed, with the value. */
    call(about: () => string, name: string, ...values: Value[]): void {
        const status = Number(this.number(name, ...values));
        this.refresh();
        if (status !== 0) throw this.error(status, about());
    }

    /** As {@link call}, for an element of a list: returns false at its end. */
    next(name: string, ...values: Value[]): boolean {
        const status = Number(this.number(name, ...values));
        this.refresh();
        if (status === END) return false;
        if (status !== 0) throw this.error(status, name);
        return true;
    }

    /** As {@link call}, for a function that creates a handle. */
    create(about: () => string, name: string, ...values: Value[]): number {
        this.call(about, name, ...values, this.result);
        return this.words[this.result >>> 2]!;
    }

    /** An error with the library's words for its status. */
    error(status: number, about: string): RobotsError {
        const code = codeOf(status);
        // The text of C is about pointers, too.
        const text = code === "argument" ? "out of range" : this.words_of(Number(this.number("robots_status_text", status)));
        return new RobotsError(code, `${about}: ${text}`);
    }

    /** The text at an address, which ends with a NUL. */
    words_of(place: number): string {
        return decoder.decode(this.bytes.subarray(place, this.bytes.indexOf(0, place)));
    }

    /** A `robots_str` at an address, copied. */
    copy(place: number): Uint8Array {
        const start = this.words[place >>> 2]!;
        return this.bytes.slice(start, start + this.words[(place >>> 2) + 1]!);
    }

    /** The same as a string: bytes that are no UTF-8 are U+FFFD. */
    text(place: number): string {
        const start = this.words[place >>> 2]!;
        return decoder.decode(this.bytes.subarray(start, start + this.words[(place >>> 2) + 1]!));
    }

    /** Copies the block that a function returned, and frees it. */
    take(): Uint8Array {
        this.refresh();
        const block = this.copy(this.result);
        this.exports.robots_wasm_free(this.words[this.result >>> 2]!, block.length);
        return block;
    }

    /** The `robots_str` that a function returns. */
    returned(name: string, ...values: Value[]): Uint8Array {
        this.number(name, this.result, ...values);
        this.refresh();
        return this.copy(this.result);
    }

    /** Writes the `size` of a struct before a function fills it. Returns its address. */
    struct(layout: Layout): number {
        const place = this.room(layout.size);
        this.refresh();
        this.words[place >>> 2] = layout.size;
        return place;
    }

    /** Reads a struct. */
    read<F extends Fields>(layout: Layout<F>, place: number): Read<F> {
        const view = new DataView(this.exports.memory.buffer, place, layout.size);
        const record: Record<string, unknown> = {};
        for (const [name, kind, at] of layout.places) {
            record[name] =
                kind === "text" ? this.text(place + at)
                : kind === "u32" ? view.getUint32(at, true)
                : kind === "bits" ? view.getBigUint64(at, true)
                : Number(kind === "u64" ? view.getBigUint64(at, true) : view.getBigInt64(at, true));
        }
        return record as Read<F>;
    }
}

/** Copies the records of a block: each follows its length, a little-endian number of 32 bits. */
export function recordsOf(block: Uint8Array): Uint8Array[] {
    const view = new DataView(block.buffer, block.byteOffset, block.length);
    const records: Uint8Array[] = [];
    for (let at = 0; at < block.length; ) {
        const end = at + 4 + view.getUint32(at, true);
        records.push(block.slice(at + 4, end));
        at = end;
    }
    return records;
}

/** The fields of a struct: `bits` is a number of 64 bits that is kept exact. */
export type Fields = Record<string, "text" | "u32" | "u64" | "i64" | "bits">;
type Read<F extends Fields> = { [K in keyof F]: F[K] extends "text" ? string : F[K] extends "bits" ? bigint : number };

/** Where the fields of a struct of C are, which begins with its size. */
export interface Layout<F extends Fields = Fields> {
    readonly size: number;
    readonly places: [string, F[string], number][];
}

/** The layout of a struct in the memory of the module: numbers of 64 bits are aligned to 8, all else to 4. */
export function layout<F extends Fields>(fields: F): Layout<F> {
    let at = 4;
    let widest = 4;
    const places: [string, F[string], number][] = [];
    for (const [name, kind] of Object.entries(fields) as [string, F[string]][]) {
        const align = kind === "text" || kind === "u32" ? 4 : 8;
        widest = Math.max(widest, align);
        at = (at + align - 1) & -align;
        places.push([name, kind, at]);
        at += kind === "u32" ? 4 : 8;
    }
    return { size: (at + widest - 1) & -widest, places };
}

/**
 * An instance of the module. It has no Unicode tables: it asks the `URL` of this environment, as `fetch` does, for the ASCII form of a
 * host name that is not plain ASCII.
 */
function instance(module: object): Exports {
    const host = {
        name_to_ascii(name: number, length: number, out: number, room: number): number {
            // An error would end the instance. Above 2^31 an address is a negative number.
            try {
                const memory = new Uint8Array(exports.memory.buffer);
                const text = decoder.decode(memory.subarray(name >>> 0, (name >>> 0) + length));
                const ascii = new URL(`http://${text}/`).hostname;
                return ascii.length > room ? -1 : encoder.encodeInto(ascii, memory.subarray(out >>> 0, (out >>> 0) + room)).written;
            } catch {
                return -1;
            }
        },
    };
    const exports = new WebAssembly.Instance(module, { host }).exports as unknown as Exports;
    return exports;
}

/** Where the module comes from: it is compiled once, at the first use or by {@link Source.load}. */
export class Source {
    readonly #read: () => string | Uint8Array;
    readonly #entry: string;
    readonly #name: string;
    #module: object | undefined;
    #engine: Engine | undefined;

    /** @param entry the module of the package that exports `load`. @param name the name of the WebAssembly module. */
    constructor(read: () => string | Uint8Array, entry: string, name: string) {
        this.#read = read;
        this.#entry = entry;
        this.#name = name;
    }

    /** The instance that new objects belong to. */
    engine(): Engine {
        if (this.#engine === undefined || this.#engine.ended !== undefined) {
            this.#module ??= this.#compiled();
            this.#engine = new Engine(instance(this.#module));
        }
        return this.#engine;
    }

    #compiled(): object {
        const binary = this.#binary();
        try {
            return new WebAssembly.Module(binary);
        } catch (error) {
            throw this.#refused(error);
        }
    }

    /** What to do where a module cannot be compiled at run time, as in Cloudflare Workers. */
    #refused(cause: unknown): RobotsError {
        const why = cause instanceof Error ? cause.message : String(cause);
        const what = `first import module from "librobots/${this.#name}.wasm", and await load(module) of "${this.#entry}"`;
        return new RobotsError("state", `cannot compile the WebAssembly module here (${why}): ${what}`, { cause });
    }

    #binary(): Uint8Array {
        const binary = this.#read();
        if (typeof binary !== "string") return binary;
        // The inverse of `build`: 90 digits from `#` to `~` without `<` and `\`; a space before one adds 90, and a `!` 180.
        // It runs before any code is optimized: a table and typed arrays take half the time of `charCodeAt` and comparisons.
        const values = Uint8Array.from({ length: 0x7F }, (_, code) => code - (code < 0x3C ? 0x23 : code < 0x5C ? 0x24 : 0x25));
        const bytes = encoder.encode(binary);
        let length = 0;
        let high = 0;
        for (let at = 0; at < bytes.length; at++) {
            const code = bytes[at]!;
            if (code < 0x23) {
                high = code === 0x20 ? 90 : 180;
            } else {
                bytes[length++] = high + values[code]!;
                high = 0;
            }
        }
        return bytes.subarray(0, length);
    }

    /** Compiles the module without blocking the thread, or takes one that is compiled. */
    async load(module?: object): Promise<void> {
        if (module !== undefined && !(module instanceof WebAssembly.Module)) {
            throw new TypeError("load takes a WebAssembly.Module or nothing");
        }
        if (this.#engine !== undefined) return;
        this.#module =
            module ??
            (await WebAssembly.compile(this.#binary()).catch((error: unknown) => {
                throw this.#refused(error);
            }));
    }
}

interface Constructors {
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (module: object, imports: object) => { readonly exports: object };
    compile(bytes: Uint8Array): Promise<object>;
}
// Every environment has them, and no library of TypeScript but the DOM's describes them.
declare const WebAssembly: Constructors;
declare const URL: { new (text: string): { readonly hostname: string }; readonly prototype: object };
declare const TextEncoder: new () => { encode(text: string): Uint8Array; encodeInto(text: string, to: Uint8Array): { written: number } };
declare const TextDecoder: new (label: string, options: object) => { decode(bytes: Uint8Array): string };
