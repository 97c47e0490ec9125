/** Keeps the files of the page, so that it works without a network. */
declare const FILES: readonly string[];
declare const VERSION: string;

interface Extendable {
    waitUntil(promise: Promise<unknown>): void;
}
interface Fetching {
    readonly request: Request;
    respondWith(response: Promise<Response>): void;
}
interface Scope {
    addEventListener(type: "install" | "activate", listener: (event: Extendable) => void): void;
    addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
    skipWaiting(): Promise<void>;
    readonly clients: { claim(): Promise<void> };
    readonly location: Location;
}
const scope = self as unknown as Scope;
const PREFIX = "librobots-tester ";
const NAME = PREFIX + VERSION;

scope.addEventListener("install", (event) => {
    const requests = ["./", ...FILES].map((file) => new Request(file, { cache: "reload" }));
    event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(requests)).then(() => scope.skipWaiting()));
});

scope.addEventListener("activate", (event) => {
    const remove = async (): Promise<void> => {
        for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== NAME) await caches.delete(name);
        await scope.clients.claim();
    };
    event.waitUntil(remove());
});

scope.addEventListener("fetch", (event) => {
    const { request } = event;
    if (request.method !== "GET" || new URL(request.url).origin !== scope.location.origin) return;
    const answer = async (): Promise<Response> => {
        const cache = await caches.open(NAME);
        const kept = await cache.match(request, { ignoreSearch: true });
        if (kept !== undefined) return kept;
        const response = await fetch(request);
        if (response.ok && request.url.endsWith("/audit.wasm")) await cache.put(request, response.clone());
        return response;
    };
    event.respondWith(answer());
});
