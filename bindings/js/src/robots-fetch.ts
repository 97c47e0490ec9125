/**
 * `fetch` that obeys robots.txt: a disallowed request is refused before it is sent. Each redirect is checked like any request.
 *
 * ```js
 * const fetch = robotsFetch(new Cache(new Crawler("ExampleBot")), { userAgent: "ExampleBot/1.0 (+https://example.com/bot)" });
 * const response = await fetch("https://example.com/page"); // or throws ForbiddenError or DeferError
 * ```
 */
import type { Cache, Ticket } from "./cache.js";
import type { Cause, Failure, Reason } from "./constants.js";
import { RobotsError } from "./errors.js";
import type { Fetch } from "./fetch.js";
import { checkOptions } from "./numbers.js";
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

/** The type of the environment's `fetch`. */
export type GlobalFetch = typeof globalThis extends { fetch: infer F extends FetchLike } ? F : FetchLike;

/** The settings of {@link robotsFetch}. */
export interface RobotsFetchSettings<F extends FetchLike = GlobalFetch> {
    /** The User-Agent header: of requests for a robots.txt, and of requests that have none. It names the crawler's product token. */
    userAgent: string;
    /** Sends the requests; default: the `fetch` of the environment. */
    fetch?: F;
    /** Which crawler of the cache sends the requests; default: 0. */
    crawler?: number;
    /** Seconds for one retrieval of a robots.txt, with its redirects; default: 30. */
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

/** The site or its robots.txt cannot be reached now, or the site asks to wait. This is no ban: keep the URL. */
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
const MAX_REDIRECTS = 20;
/** Those that `fetch` undoes. */
const CODINGS = new Set(["", "identity", "gzip", "x-gzip", "deflate", "br"]);
/** Milliseconds between two checks while somebody unknown fetches the robots.txt. */
const [FIRST_PAUSE, LAST_PAUSE] = [5, 1000];

/**
 * Returns a `fetch` that asks the cache before each request, and fetches each robots.txt once. Requests that need the same one
 * wait for it together. An old robots.txt stays in use while it is refreshed.
 *
 * It throws {@link ForbiddenError}, {@link DeferError}, `RobotsError` for what is no URL of http or https, and what `fetch` throws.
 * Where redirects are hidden, as in browsers, a response that redirects is an error unless `redirect` is `"manual"`.
 */
export function robotsFetch<F extends FetchLike = GlobalFetch>(cache: Cache, settings: RobotsFetchSettings<F>): F {
    checkOptions(settings, ["userAgent", "fetch", "crawler", "timeout"]);
    const { userAgent, crawler = 0, timeout = 30 } = settings;
    if (typeof userAgent !== "string" || userAgent === "") throw new TypeError("userAgent must name the crawler, such as ExampleBot/1.0");
    if (!(timeout > 0)) throw new RobotsError("argument", `timeout must be a number of seconds above 0, not ${timeout}`);
    const send: FetchLike = settings.fetch ?? ((input, init) => globals.fetch(input, init));
    const sites = new Sites(cache, crawler, (fetched) => retrieve(fetched, send, userAgent, timeout));

    const robotsFetch = async (input: string | UrlObject | RequestObject, init: RequestSettings = {}): Promise<ResponseLike> => {
        const request = typeof input === "object" && "method" in input ? input : undefined;
        const signal = init.signal ?? request?.signal ?? undefined;
        const mode = init.redirect ?? request?.redirect ?? "follow";
        let url = new URL(request?.url ?? String(input), globals.location?.href);
        let headers = new Headers(init.headers ?? request?.headers);
        // Servers would take the site that this header names.
        if (headers.has("host")) throw new TypeError("a request must have no Host header: the host of the URL names the site");
        if (!headers.has("user-agent")) headers.set("user-agent", userAgent);
        let method = (init.method ?? request?.method ?? "GET").toUpperCase();
        let body = init.body ?? undefined;
        for (let hops = 0; ; hops++) {
            await sites.permit(url, signal);
            const redirect = mode === "follow" ? "manual" : mode;
            const options = { ...init, headers, redirect, ...(request === undefined || hops > 0 ? { method, body, signal } : {}) };
            const response = await send(hops === 0 && request !== undefined ? request : url.href, options);
            if (mode !== "follow") return response;
            if (response.type === "opaqueredirect") {
                throw new TypeError(`${url.href} redirects, and fetch hides where to here: the target cannot be checked`);
            }
            const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
            if (location === null) return response;
            await response.body?.cancel();
            if (hops === MAX_REDIRECTS) throw new TypeError(`${url.href}: more than ${MAX_REDIRECTS} redirects`);

            const next = new URL(location, url.href);
            headers = new Headers(headers);
            if (next.origin !== url.origin) for (const name of ["authorization", "proxy-authorization", "cookie"]) headers.delete(name);
            const dropsBody = response.status === 303 ? method !== "GET" && method !== "HEAD" : response.status < 303 && method === "POST";
            if (dropsBody) {
                method = "GET";
                body = undefined;
                for (const name of ["encoding", "language", "location", "type", "length"]) headers.delete(`content-${name}`);
            } else if ((request?.body ?? null) !== null || (typeof body === "object" && "getReader" in body)) {
                throw new TypeError(`${url.href} redirects, and a body that is a stream cannot be sent again`);
            }
            url = next;
        }
    };
    return robotsFetch as unknown as F;
}

/** The checks of one cache, with the retrievals that are under way. */
class Sites {
    readonly #flights = new Map<string, Promise<void>>();

    constructor(
        readonly cache: Cache,
        readonly crawler: number,
        readonly retrieve: (fetched: Fetch) => Promise<void>,
    ) {}

    /** Returns if the URL may be fetched now; throws if not. */
    async permit(target: UrlObject, signal: SignalObject | undefined): Promise<void> {
        if (target.protocol !== "http:" && target.protocol !== "https:") {
            throw new RobotsError("scheme", `fetch ${JSON.stringify(target.href)}: not a URL of http or https`);
        }
        const shown = new URL(target.href);
        shown.username = shown.password = shown.hash = "";
        const url = shown.href;
        for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LAST_PAUSE)) {
            signal?.throwIfAborted();
            const { action, allowed, verdict, until, ticket } = this.cache.check(url, undefined, this.crawler);
            if (ticket !== null) this.#start(shown.origin, ticket);
            if (verdict.error !== null) throw verdict.error;
            if (action === "decided") {
                if (allowed) return;
                throw new ForbiddenError(url, verdict);
            }
            if (action === "defer") throw this.#deferred(url, until ?? 0, verdict.reason);
            await unlessAborted(this.#flights.get(shown.origin) ?? sleep(pause), signal);
        }
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
                await this.retrieve(fetched);
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
            // A compressed body that the server cuts would look complete, because fetch decodes what there is.
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
            response.headers.forEach((value, name) => void fetched.header(name, value));
            if (fetched.headersEnd() === "body" && !isDecoded(response)) fetched.fail("encoded_body");
            await read(fetched, response, fail);
        }
    } finally {
        clearTimeout(timer);
    }
}

function isDecoded(response: ResponseLike): boolean {
    return (response.headers.get("content-encoding") ?? "").split(",").every((coding) => CODINGS.has(coding.trim().toLowerCase()));
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

function sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void setTimeout(resolve, milliseconds));
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
interface SignalObject {
    readonly aborted: boolean;
    readonly reason: unknown;
    throwIfAborted(): void;
    addEventListener(type: "abort", listener: () => void): void;
    removeEventListener(type: "abort", listener: () => void): void;
}
interface HeadersObject {
    has(name: string): boolean;
    set(name: string, value: string): void;
    delete(name: string): void;
}
interface UrlObject {
    readonly href: string;
    readonly origin: string;
    readonly protocol: string;
    username: string;
    password: string;
    hash: string;
}
interface RequestSettings {
    readonly method?: string;
    readonly headers?: unknown;
    readonly body?: string | object | null;
    readonly redirect?: "follow" | "manual" | "error";
    readonly signal?: SignalObject | null;
}
interface RequestObject extends RequestSettings {
    readonly url: string;
    readonly method: string;
}
declare const URL: new (url: string, base?: string) => UrlObject;
declare const Headers: new (init?: unknown) => HeadersObject;
declare const AbortController: new () => { readonly signal: SignalObject; abort(): void };
declare function setTimeout(call: () => void, milliseconds: number): unknown;
declare function clearTimeout(timer: unknown): void;
const globals = globalThis as unknown as { readonly fetch: FetchLike; readonly location?: { readonly href: string } };
