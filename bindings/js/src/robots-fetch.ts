/**
 * `fetch` that obeys robots.txt: a disallowed request is refused before it is sent. Each redirect is checked like any request.
 *
 * ```js
 * const fetch = robotsFetch(new Cache(new Crawler("ExampleBot")), { userAgent: "ExampleBot/1.0 (+https://example.com/bot)" });
 * const response = await fetch("https://example.com/page"); // or throws ForbiddenError or DeferError
 * ```
 */
import type { Cache } from "./cache.js";
import { MAX_REDIRECTS, Sites, redirectOf } from "./sites.js";
import type { FetchLike, ResponseLike, SignalObject, SiteSettings, UrlObject } from "./sites.js";

export { DeferError, ForbiddenError, RefusedError } from "./sites.js";
export type { FetchLike, ResponseLike, SiteSettings, StreamLike } from "./sites.js";

/** The type of the environment's `fetch`. */
export type GlobalFetch = typeof globalThis extends { fetch: infer F extends FetchLike } ? F : FetchLike;

/** The settings of {@link robotsFetch}. */
export interface RobotsFetchSettings<F extends FetchLike = GlobalFetch> extends SiteSettings {
    /** Sends the requests; default: the `fetch` of the environment. */
    fetch?: F;
}

/**
 * Returns a `fetch` that asks the cache before each request, and fetches each robots.txt once. It checks and sends the form of each URL
 * that `urlToSend` returns. Requests that need the same one
 * wait for it together. An old robots.txt stays in use while it is refreshed.
 *
 * Each request waits for the slot of its site (`Cache.request`), until its signal aborts: a crawl-delay after the one before, and after
 * a 429 or 503 not before its Retry-After. A slot further away than `horizonMs` of the cache throws {@link DeferError}.
 *
 * It throws {@link ForbiddenError}, {@link DeferError}, `RobotsError` for what is no URL of http or https, and what `fetch` throws.
 * Where redirects are hidden, as in browsers, a response that redirects is an error unless `redirect` is `"manual"`.
 */
export function robotsFetch<F extends FetchLike = GlobalFetch>(cache: Cache, settings: RobotsFetchSettings<F>): F {
    const sites = new Sites(cache, settings);

    const robotsFetch = async (input: string | UrlObject | RequestObject, init: RequestSettings = {}): Promise<ResponseLike> => {
        const request = typeof input === "object" && "method" in input ? input : undefined;
        const signal = init.signal ?? request?.signal ?? undefined;
        const mode = init.redirect ?? request?.redirect ?? "follow";
        let url = new URL(request?.url ?? String(input), globals.location?.href);
        let headers = new Headers(init.headers ?? request?.headers);
        // Servers would take the site that this header names.
        if (headers.has("host")) throw new TypeError("a request must have no Host header: the host of the URL names the site");
        if (!headers.has("user-agent")) headers.set("user-agent", sites.userAgent);
        sites.warnOfForeign(headers.get("user-agent") ?? "");
        let method = (init.method ?? request?.method ?? "GET").toUpperCase();
        let body = init.body ?? undefined;
        for (let hops = 0; ; hops++) {
            url = await sites.permit(url, signal, "request");
            const redirect = mode === "follow" ? "manual" : mode;
            const options = { ...init, headers, redirect, ...(request === undefined || hops > 0 ? { method, body, signal } : {}) };
            const response = await sites.send(hops === 0 && request !== undefined ? withUrl(request, url.href) : url.href, options);
            sites.responded(url, response.status, response.headers.get("retry-after"));
            if (mode !== "follow") return response;
            if (response.type === "opaqueredirect") {
                throw new TypeError(`${url.href} redirects, and fetch hides where to here: the target cannot be checked`);
            }
            const next = redirectOf(response.status, response.headers.get("location"), url, method);
            if (next === null) return response;
            await response.body?.cancel();
            if (hops === MAX_REDIRECTS) throw new TypeError(`${url.href}: more than ${MAX_REDIRECTS} redirects`);

            headers = new Headers(headers);
            for (const name of next.droppedHeaders) headers.delete(name);
            if (next.dropsBody) {
                body = undefined;
            } else if ((request?.body ?? null) !== null || (typeof body === "object" && "getReader" in body)) {
                throw new TypeError(`${url.href} redirects, and a body that is a stream cannot be sent again`);
            }
            ({ url, method } = next);
        }
    };
    return robotsFetch as unknown as F;
}

/** The request, for the form of its URL. */
function withUrl(request: RequestObject, url: string): RequestObject {
    if (request.url === url) return request;
    return new (request.constructor as new (url: string, init: RequestObject) => RequestObject)(url, request);
}

// What every environment has, and no library of TypeScript but the DOM's describes.
interface HeadersObject {
    has(name: string): boolean;
    get(name: string): string | null;
    set(name: string, value: string): void;
    delete(name: string): void;
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
const globals = globalThis as unknown as { readonly location?: { readonly href: string } };
