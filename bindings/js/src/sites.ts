/** Checks before requests: the cache, the retrievals that are under way, and what a redirect makes of a request. */
import type { Cache, CacheDecision, Ticket } from "./cache.js";
import type { Cause, Failure, Reason } from "./constants.js";
import { RobotsError } from "./errors.js";
import type { Fetch } from "./fetch.js";
import { checkOptions } from "./numbers.js";
import { urlToSend } from "./origin.js";
import type { Verdict } from "./verdict.js";

/** A function like `fetch`, as far as it is used here. */
export type FetchLike = (input: any, init?: any) => Promise<ResponseLike>;

/** The part of a `Response` that is read here. */
export interface ResponseLike {
    readonly status: number;
    readonly type: string;
    readonly headers: { get(name: string): string | null; forEach(visit: (value: string, name: string) => void): void };
    readonly body: StreamLike | null;
}

/** The part of a `ReadableStream` that is used here. */
export interface StreamLike {
    cancel(): Promise<void>;
    getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>; cancel(): Promise<void> };
}

/** The settings of requests that obey robots.txt. */
export interface SiteSettings {
    /**
     * The User-Agent header: of requests for a robots.txt, and of requests that have none. If it does not hold the crawler's product
     * token, a warning goes to the console, once.
     */
    userAgent: string;
    /** Sends the requests; default: the `fetch` of the environment. */
    fetch?: FetchLike;
    /** Which crawler of the cache sends the requests; default: 0. */
    crawler?: number;
    /** Seconds for one retrieval of a robots.txt, with its redirects: above 0, at most 3600; default: 30. */
    timeout?: number;
}

/** A request was not sent: the base of {@link ForbiddenError} and {@link DeferError}. */
export abstract class RefusedError extends Error {
    /** The URL, without user name and password. */
    abstract readonly url: string;
}

/** The robots.txt of the site disallows the URL: drop it. */
export class ForbiddenError extends RefusedError {
    override readonly name = "ForbiddenError";
    constructor(
        readonly url: string,
        /** The decision. */
        readonly verdict: Verdict,
    ) {
        super(`${url}: ${verdict.toString()}`);
    }
}

/** The site or its robots.txt cannot be reached now, or the site asks to wait, also by a crawl-delay. This is no ban: keep the URL. */
export class DeferError extends RefusedError {
    override readonly name = "DeferError";
    constructor(
        readonly url: string,
        /** When to try again, in seconds since 1970; not before. */
        readonly until: number,
        /** `"unreachable"` or `"defer"`. */
        readonly reason: Reason,
        /** Why, such as `"dns"` or `"server_error"`; null if the cache does not know. */
        override readonly cause: Cause | null,
        /** The status of the last response; 0 without a response. */
        readonly httpStatus: number,
    ) {
        const why = cause === null ? reason : `${reason} (${cause})`;
        super(`${url}: ${why}; try again at ${new Date(until * 1000).toISOString()}`);
    }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** As many as `fetch` itself follows. */
export const MAX_REDIRECTS = 20;
/** The longest timeout, in seconds. A larger number is probably one of milliseconds. */
const MAX_TIMEOUT = 3600;
/** Milliseconds between two checks while somebody unknown fetches the robots.txt. */
const [FIRST_PAUSE, LAST_PAUSE] = [5, 1000];

/** The request that a redirect asks for. */
export interface Redirect {
    readonly url: UrlObject;
    readonly method: string;
    /** Whether it has no body, other than the request before. */
    readonly dropsBody: boolean;
    /** The headers that it must not have, in lower case. */
    readonly droppedHeaders: readonly string[];
}

/** What a response makes of a request, as `fetch` follows redirects; null if it does not redirect. */
export function redirectOf(status: number, location: string | null, url: UrlObject, method: string): Redirect | null {
    if (location === null || !REDIRECTS.has(status)) return null;
    const next = new URL(utf8Of(location), url.href);
    const dropsBody = status === 303 ? method !== "GET" && method !== "HEAD" : status < 303 && method === "POST";
    const droppedHeaders = next.origin === url.origin ? [] : ["authorization", "proxy-authorization", "cookie"];
    if (dropsBody) for (const name of ["encoding", "language", "location", "type", "length"]) droppedHeaders.push(`content-${name}`);
    return { url: next, method: dropsBody ? "GET" : method, dropsBody, droppedHeaders };
}

/** The first of several targets, which `fetch` joins by commas. */
function firstOf(locations: string): string {
    return locations.replace(/, *(\/|https?:).*/is, "");
}

/** The bytes of a header, which clients show as characters up to U+00FF. */
function bytesOf(value: string): Uint8Array {
    return Uint8Array.from(value, (character) => character.charCodeAt(0));
}

/** The text of such a header if it is UTF-8, as browsers read a `Location`. */
function utf8Of(value: string): string {
    try {
        return new TextDecoder("utf-8", { fatal: true }).decode(bytesOf(value));
    } catch {
        return value;
    }
}

/** The checks of one cache, with the retrievals that are under way. */
export class Sites {
    readonly #flights = new Map<string, Promise<void>>();
    #isForeign = false;
    readonly userAgent: string;
    readonly send: FetchLike;
    readonly #crawler: number;
    readonly #timeout: number;

    constructor(
        readonly cache: Cache,
        settings: SiteSettings,
    ) {
        const own = checkOptions(settings, ["userAgent", "fetch", "crawler", "timeout"]);
        const { userAgent, crawler = 0, timeout = 30 } = own;
        if (typeof userAgent !== "string" || userAgent === "") throw new TypeError("userAgent must name the crawler, such as ExampleBot/1.0");
        if (typeof timeout !== "number" || !(timeout > 0 && timeout <= MAX_TIMEOUT)) {
            throw new RobotsError("argument", `timeout must be a number of seconds, above 0 and at most ${MAX_TIMEOUT}, not ${String(timeout)}`);
        }
        if (typeof (cache as Partial<Cache> | undefined)?.request !== "function") {
            throw new TypeError("the first argument must be a Cache: new Cache(new Crawler(\"ExampleBot\"))");
        }
        this.userAgent = userAgent;
        this.send = own.fetch ?? ((input, init) => globals.fetch(input, init));
        this.#crawler = crawler;
        this.#timeout = timeout;
        this.warnOfForeign(userAgent);
    }

    /** Returns whether the robots.txt that the cache has bans the URL. False for a site that it does not know. */
    isBanned(url: string): boolean {
        const outcome = this.cache.outcome(url);
        try {
            const verdict = outcome?.check(url, undefined, this.#crawler);
            return verdict?.allowed === false && verdict.error === null && verdict.reason !== "defer" && verdict.reason !== "unreachable";
        } finally {
            outcome?.free();
        }
    }

    /**
     * Returns the form of the URL to send if it may be fetched now; throws if not. With `"request"` it reserves the slot of its site, and
     * waits for it.
     */
    async permit(target: UrlObject, signal: SignalObject | undefined, how: "check" | "request" = "check"): Promise<UrlObject> {
        if (target.protocol !== "http:" && target.protocol !== "https:") {
            throw new RobotsError("scheme", `fetch ${JSON.stringify(target.href)}: not a URL of http or https`);
        }
        const url = urlToSend(target.href);
        const sent = new URL(url);
        let slot: number | null = null;
        for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LAST_PAUSE)) {
            signal?.throwIfAborted();
            const decision: CacheDecision =
                how === "check" ? this.cache.check(url, undefined, this.#crawler) : this.cache.request(url, slot, undefined, this.#crawler);
            const { action, allowed, verdict, until, ticket, requestAt, requestInMs } = decision;
            if (ticket !== null) this.#start(sent.origin, ticket);
            if (verdict.error !== null) throw verdict.error;
            if (action === "decided") {
                if (!allowed) throw new ForbiddenError(url, verdict);
                if (requestInMs === 0) return sent;
                slot = requestAt;
                await sleep(requestInMs, signal);
                continue;
            }
            // With a slot, only that is too far away: nothing is wrong with the robots.txt.
            if (action === "defer" && requestAt !== null) throw new DeferError(url, until ?? 0, verdict.reason, null, 0);
            if (action === "defer") throw this.#deferred(url, until ?? 0, verdict.reason);
            const flight = this.#flights.get(sent.origin);
            await (flight === undefined ? sleep(pause, signal) : unlessAborted(flight, signal));
        }
    }

    /** Warns, once, if servers cannot know the crawler whose rules are obeyed. */
    warnOfForeign(userAgent: string): void {
        if (!this.#isForeign && !this.cache.isNamedIn(this.#crawler, userAgent)) {
            this.#isForeign = true;
            globals.console?.warn(`librobots: the User-Agent ${JSON.stringify(userAgent)} does not hold the product token of the crawler: name it`);
        }
    }

    /** Reports the response to a page: the crawl-delay counts from it, and after 429 or 503 its site rests. */
    responded(url: UrlObject, status: number, retryAfter: string | null): void {
        this.cache.retryAfter(url.href, status, retryAfter);
    }

    #deferred(url: string, until: number, reason: Reason): DeferError {
        const outcome = this.cache.outcome(url);
        const info = outcome?.info;
        outcome?.free();
        return new DeferError(url, until, reason, info?.cause ?? null, info?.httpStatus ?? 0);
    }

    /** Starts the retrieval of a ticket. Its errors go to those who wait for it, none of whom is allowed then. */
    #start(site: string, ticket: Ticket): void {
        const flight = this.#use(ticket).finally(() => this.#flights.delete(site));
        this.#flights.set(site, flight);
        flight.catch(() => {});
    }

    async #use(ticket: Ticket): Promise<void> {
        try {
            const fetched = ticket.fetch();
            try {
                await retrieve(fetched, this.send, this.userAgent, this.#timeout);
                const outcome = fetched.outcome!;
                ticket.finish(outcome);
                outcome.free();
            } finally {
                fetched.free();
            }
        } finally {
            ticket.free();
        }
    }
}

/** Retrieves a robots.txt. Failures of the network become a part of the outcome. */
async function retrieve(fetched: Fetch, send: FetchLike, userAgent: string, timeout: number): Promise<void> {
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), timeout * 1000);
    const fail = (error: unknown, usual: Exclude<Failure, "none">): void => {
        fetched.fail(end.signal.aborted ? "timeout" : failureOf(error, usual));
    };
    try {
        while (fetched.step !== "done") {
            const headers = { "user-agent": userAgent, "accept-encoding": "identity", ...fetched.requestHeaders };
            let response: ResponseLike;
            try {
                response = await send(fetched.url, { headers, redirect: "manual", signal: end.signal });
            } catch (error) {
                fail(error, "other");
                continue;
            }
            if (response.type === "opaqueredirect") {
                fetched.fail("other");
                continue;
            }
            fetched.status(response.status);
            response.headers.forEach((value, name) => void fetched.header(name, bytesOf(name === "location" ? firstOf(value) : value)));
            if (fetched.headersEnd() !== "body") fetched.end(); // the next request is that of a redirect
            else if (isEncoded(headers, response)) fetched.fail("encoded_body");
            await read(fetched, response, fail);
        }
    } finally {
        clearTimeout(timer);
    }
}

/**
 * Whether a body has a coding that was not asked for. `fetch` decodes it, and a part of it looks complete. Browsers ask for codings in
 * any case, so there a decoded body counts.
 */
function isEncoded(headers: object, response: ResponseLike): boolean {
    const coding = response.headers.get("content-encoding") ?? "";
    return !/^(identity|[\s,])*$/i.test(coding) && new Request("http://localhost/", { headers }).headers.has("accept-encoding");
}

/** Passes the body on, as far as it is wanted. */
async function read(fetched: Fetch, response: ResponseLike, fail: (error: unknown, usual: "truncated") => void): Promise<void> {
    const reader = response.body?.getReader();
    while (fetched.step === "body") {
        let piece: { done: boolean; value?: Uint8Array | undefined };
        try {
            piece = (await reader?.read()) ?? { done: true };
        } catch (error) {
            fail(error, "truncated");
            return;
        }
        if (piece.done) fetched.end();
        else if (piece.value !== undefined) fetched.body(piece.value);
    }
    // Nobody waits for the rest, nor for the error of a body that has one.
    reader?.cancel().catch(() => {});
}

const FAILURES: readonly [RegExp, Exclude<Failure, "none">][] = [
    [/^(ENOTFOUND|EAI_.*)$/, "dns"],
    [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/, "connect"],
    [/TIMEOUT|TIMEDOUT/, "timeout"],
    [/^(ERR_SSL_|ERR_TLS_|CERT_|EPROTO|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/, "tls"],
    [/^(ECONNRESET|EPIPE)$/, "reset"],
];

/** What an error of `fetch` means, by the codes of Node in its causes; elsewhere `fetch` does not say. */
function failureOf(error: unknown, usual: Exclude<Failure, "none">): Exclude<Failure, "none"> {
    let cause = error as { cause?: unknown; code?: unknown; errors?: unknown[] } | null | undefined;
    for (let depth = 0; cause && depth < 8; depth++) {
        const code = String(cause.code ?? "");
        for (const [pattern, failure] of FAILURES) if (pattern.test(code)) return failure;
        cause = (cause.cause ?? cause.errors?.[0]) as typeof cause;
    }
    return usual;
}

/** Waits for a time, or throws the reason of the signal. */
async function sleep(milliseconds: number, signal: SignalObject | undefined): Promise<void> {
    let timer: unknown;
    const waiting = new Promise<void>((resolve) => void (timer = setTimeout(resolve, milliseconds)));
    await unlessAborted(waiting, signal).finally(() => clearTimeout(timer));
}

/** Waits for a promise, or throws the reason of the signal. */
function unlessAborted(promise: Promise<void>, signal: SignalObject | undefined): Promise<void> {
    if (signal === undefined) return promise;
    return new Promise((resolve, reject) => {
        const abort = (): void => reject(signal.reason);
        signal.addEventListener("abort", abort);
        promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    });
}

// What every environment has, and no library of TypeScript but the DOM's describes.
export interface SignalObject {
    readonly aborted: boolean;
    readonly reason: unknown;
    throwIfAborted(): void;
    addEventListener(type: "abort", listener: () => void): void;
    removeEventListener(type: "abort", listener: () => void): void;
}
export interface UrlObject {
    readonly href: string;
    readonly origin: string;
    readonly protocol: string;
}
declare const URL: new (url: string, base?: string) => UrlObject;
declare const Request: new (url: string, settings: { headers: object }) => { readonly headers: { has(name: string): boolean } };
declare const TextDecoder: new (label: string, settings: { fatal: boolean }) => { decode(bytes: Uint8Array): string };
declare const AbortController: new () => { readonly signal: SignalObject; abort(): void };
declare function setTimeout(call: () => void, milliseconds: number): unknown;
declare function clearTimeout(timer: unknown): void;
const globals = globalThis as unknown as { readonly fetch: FetchLike; readonly console?: { warn(text: string): void } };
