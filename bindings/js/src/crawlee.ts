/**
 * Crawlee with the verdicts of librobots: `obeyRobots` replaces how a crawler of Crawlee 3 obeys robots.txt.
 *
 * ```js
 * const crawler = new CheerioCrawler({ requestHandler });
 * obeyRobots(crawler, new Cache(new Crawler("ExampleBot")), { userAgent: "ExampleBot/1.0 (+https://example.com/bot)" });
 * ```
 */
import type { Cache } from "./cache.js";
import { RobotsError } from "./errors.js";
import { ForbiddenError, MAX_REDIRECTS, RefusedError, Sites, redirectOf } from "./sites.js";
import type { SignalObject, SiteSettings, UrlObject } from "./sites.js";

export { DeferError, ForbiddenError, RefusedError } from "./sites.js";
export type { FetchLike, ResponseLike, SiteSettings, StreamLike } from "./sites.js";

/**
 * Makes a crawler of Crawlee obey robots.txt, and returns it. A URL that is disallowed is skipped with the reason `"robotsTxt"`. A
 * request that is deferred fails with a {@link DeferError} and is not retried: `failedRequestHandler` may keep its URL. The HTTP
 * client of the crawler checks each redirect. Of a browser, only the URL of each request is checked, since it follows redirects itself.
 *
 * Each request waits for the slot of its site (`Cache.request`). That counts for the timeouts of Crawlee: `horizonMs` of the cache should be
 * shorter than these.
 *
 * @throws TypeError for an object that is no crawler of Crawlee 3.
 */
export function obeyRobots<C extends object>(crawler: C, cache: Cache, settings: SiteSettings): C {
    const sites = new Sites(cache, settings);
    const own = crawler as Internals;
    for (const name of ["isAllowedBasedOnRobotsTxtFile", "getRobotsTxtFileForUrl", "_runRequestHandler", "httpClient"] as const) {
        const needed = name === "httpClient" ? (own.httpClient as HttpClient | undefined)?.stream : own[name];
        if (typeof needed !== "function") throw new TypeError(`obeyRobots takes a crawler of Crawlee 3: this object has no ${name}`);
    }

    const file: RobotsTxtFile = {
        isAllowed(url) {
            try {
                return !sites.isBanned(url);
            } catch (error) {
                if (error instanceof RobotsError) return true;
                throw error;
            }
        },
    };
    const { httpClient, _runRequestHandler: run } = own;
    // The HTTP client waits for its slots itself.
    const how = "browserPool" in crawler ? "request" : "check";
    Object.assign(own, {
        respectRobotsTxtFile: true,
        httpClient: new CheckedClient(httpClient, sites),
        // What is false here is dropped, so only a ban is. The request handler refuses all else.
        async isAllowedBasedOnRobotsTxtFile(url: string): Promise<boolean> {
            try {
                await sites.permit(new URL(url), undefined);
            } catch (error) {
                return !(error instanceof ForbiddenError);
            }
            return true;
        },
        // Links to sites that the cache does not know are checked before they are requested.
        getRobotsTxtFileForUrl: () => Promise.resolve(file),
        async _runRequestHandler(context: Context): Promise<void> {
            try {
                context.request.url = (await sites.permit(new URL(context.request.url), undefined, how)).href;
                await run.call(crawler, context);
            } catch (error) {
                if (error instanceof RefusedError || error instanceof RobotsError) context.request.noRetry = true;
                throw error;
            }
        },
    });
    return crawler;
}

/** Crawlee's HTTP client, with a check of each request and of each redirect. */
class CheckedClient implements HttpClient {
    constructor(
        readonly client: HttpClient,
        readonly sites: Sites,
    ) {}

    sendRequest(request: HttpRequest): Promise<HttpResponse> {
        return this.#send(request, (each) => this.client.sendRequest(each));
    }

    stream(request: HttpRequest, onRedirect?: RedirectHandler): Promise<HttpResponse> {
        return this.#send(request, (each) => this.client.stream(each), onRedirect);
    }

    async #send(first: HttpRequest, send: (request: HttpRequest) => Promise<HttpResponse>, onRedirect?: RedirectHandler): Promise<HttpResponse> {
        const { followRedirect = true, maxRedirects = MAX_REDIRECTS } = first;
        const request = { ...first, url: new URL(String(first.url)), headers: { ...first.headers }, followRedirect: false };
        const [agent] = namesOf(request.headers, ["user-agent"]);
        if (agent === undefined) request.headers["User-Agent"] = this.sites.userAgent;
        else this.sites.warnOfForeign(String(request.headers[agent]));
        // Servers would take the site that this header names.
        if (namesOf(request.headers, ["host"]).length) throw new TypeError("a request must have no Host header: the host of the URL names the site");
        const targets: UrlObject[] = [];
        for (;;) {
            request.url = await this.sites.permit(request.url, request.signal, "request");
            const response = await send(request);
            const rest = response.headers["retry-after"];
            this.sites.responded(request.url, response.statusCode, Array.isArray(rest) ? rest[0]! : (rest ?? null));
            if (response.redirectUrls?.length) throw new TypeError("the HTTP client follows redirects itself, so their targets cannot be checked");
            const location = response.headers["location"];
            const target = Array.isArray(location) ? location[0]! : (location ?? null);
            const redirect = redirectOf(response.statusCode, target, request.url, (request.method ?? "GET").toUpperCase());
            if (redirect === null || !(typeof followRedirect === "function" ? followRedirect(response) : followRedirect)) {
                response.redirectUrls = targets;
                return response;
            }
            response.stream?.destroy();
            if (targets.length >= maxRedirects) throw new TypeError(`${request.url.href}: more than ${maxRedirects} redirects`);

            targets.push(redirect.url);
            request.url = redirect.url;
            request.method = redirect.method;
            if (redirect.dropsBody) delete request.body;
            else if (typeof request.body === "object" && !(request.body instanceof Uint8Array)) {
                throw new TypeError(`${request.url.href}: a redirect, and a body that is a stream cannot be sent again`);
            }
            for (const name of namesOf(request.headers, redirect.droppedHeaders)) delete request.headers[name];
            // It may set cookies.
            onRedirect?.(response, request);
        }
    }
}

/** The names of an object's headers that are in a list, as they are written. */
function namesOf(headers: Headers, list: readonly string[]): string[] {
    return Object.keys(headers).filter((name) => list.includes(name.toLowerCase()));
}

// The parts of Crawlee 3 that are used here.
interface RobotsTxtFile {
    isAllowed(url: string): boolean;
}
interface Context {
    readonly request: { url: string; noRetry: boolean };
}
interface Internals {
    readonly httpClient: HttpClient;
    isAllowedBasedOnRobotsTxtFile(url: string): Promise<boolean>;
    getRobotsTxtFileForUrl(url: string): Promise<RobotsTxtFile | undefined>;
    _runRequestHandler(context: Context): Promise<void>;
}
type Headers = Record<string, string | string[] | undefined>;
interface HttpRequest {
    url: string | UrlObject;
    method?: string;
    headers?: Headers;
    body?: unknown;
    readonly signal?: SignalObject;
    readonly followRedirect?: boolean | ((response: HttpResponse) => boolean);
    readonly maxRedirects?: number;
}
interface HttpResponse {
    redirectUrls?: UrlObject[];
    readonly statusCode: number;
    readonly headers: Headers;
    readonly stream?: { destroy(): void };
}
type RedirectHandler = (response: HttpResponse, request: { url?: string | UrlObject; headers: Headers }) => void;
interface HttpClient {
    sendRequest(request: HttpRequest): Promise<HttpResponse>;
    stream(request: HttpRequest, onRedirect?: RedirectHandler): Promise<HttpResponse>;
}
declare const URL: new (url: string) => UrlObject;
