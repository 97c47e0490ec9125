// fetch that obeys robots.txt, at servers of this machine.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { client, robots } from "./package.mjs";
import { redirect, site, status } from "./site.mjs";

const { Cache, Crawler } = robots;
const { DeferError, ForbiddenError, RefusedError, robotsFetch } = client;
const RULES = "User-agent: examplebot\nDisallow: /private/\n";
const now = () => Math.floor(Date.now() / 1000);

function fetcher(settings = {}, cache = new Cache(new Crawler("ExampleBot"))) {
    return robotsFetch(cache, { userAgent: "ExampleBot/1.0", ...settings });
}

/** The error of a request that was deferred without being sent. */
async function deferred(responses, settings) {
    const { url, paths } = await site(responses);
    let caught;
    await assert.rejects(fetcher(settings)(`${url}/page`), (error) => ((caught = error), error instanceof DeferError));
    assert.ok(!paths().includes("/page"), "a deferred request was sent");
    assert.ok(caught.until > now(), `until ${caught.until}`);
    return caught;
}

test("allowed requests are sent, disallowed ones are not", async () => {
    const { url, seen, paths } = await site({ "/robots.txt": RULES });
    const fetch = fetcher();
    const response = await fetch(`${url}/x#part`);
    assert.deepEqual([response.status, await response.text()], [200, "page"]);
    await assert.rejects(fetch(`${url}/private/x`), (error) => {
        assert.ok(error instanceof ForbiddenError && error instanceof RefusedError);
        assert.deepEqual([error.name, error.url, error.verdict.line], ["ForbiddenError", `${url}/private/x`, 2]);
        assert.equal(error.message, `${url}/private/x: disallowed by line 2`);
        return true;
    });
    assert.deepEqual(paths(), ["/robots.txt", "/x"]);
    assert.deepEqual(seen.map((request) => request.headers["user-agent"]), ["ExampleBot/1.0", "ExampleBot/1.0"]);
    assert.equal(seen[0].headers["accept-encoding"], "identity");
});

test("each form of a request: a text, a URL, a Request; readings of dot segments", async () => {
    const { url, paths, seen } = await site({ "/robots.txt": RULES });
    const fetch = fetcher();
    await fetch(new URL(`${url}/a`));
    await fetch(new Request(`${url}/b`, { method: "POST", body: "text", headers: { "X-Own": "1" } }));
    await assert.rejects(fetch(new Request(`${url}/private/b`)), ForbiddenError);
    await assert.rejects(fetch(`${url}/a/../private/b`), ForbiddenError);
    await assert.rejects(fetch({ toString: () => `${url}/private/c` }), ForbiddenError);
    assert.deepEqual(paths(), ["/robots.txt", "/a", "/b"]);
    assert.deepEqual([seen[2].method, seen[2].headers["x-own"], seen[2].headers["user-agent"]], ["POST", "1", "ExampleBot/1.0"]);
});

test("what is sent is what was checked", async () => {
    const utf8 = (text) => Buffer.from(text).toString("latin1"); // as a server sends it
    const responses = { "/robots.txt": redirect(302, utf8("/moved/caf\u00e9")), "/moved/caf%C3%A9": `${RULES}Disallow: /*.pdf$\n` };
    const { url, paths } = await site({ ...responses, "/to": redirect(302, utf8("/caf\u00e9")), "/body": (response, request) => request.pipe(response) });
    const fetch = fetcher();
    for (const path of ["/x.pdf?", "/pri%76ate/x", "/a/..//../private/x"]) await assert.rejects(fetch(url + path), ForbiddenError, path);
    for (const path of ["/b?#c", "/%7Eme;", "/d?'e f'", "/to"]) await (await fetch(url + path)).text();
    await fetch(new Request(`${url}/%7Ef?`));
    const posted = await fetch(new Request(`${url}/bod%79`, { method: "POST", body: "text" }));
    assert.equal(await posted.text(), "text");
    assert.deepEqual(paths(), ["/robots.txt", "/moved/caf%C3%A9", "/b", "/~me%3B", "/d?%27e%20f%27", "/to", "/caf%C3%A9", "/~f", "/body"]);
});

test("first requests at the same time share one retrieval", async () => {
    const { url, paths } = await site({ "/robots.txt": (response) => setTimeout(() => response.end(RULES), 100) });
    const cache = new Cache(new Crawler("ExampleBot"));
    // The second function does not know the retrieval of the first: it waits by the clock.
    const [first, second] = [fetcher({}, cache), fetcher({}, cache)];
    const urls = Array.from({ length: 20 }, (_, index) => `${url}/${index % 2 ? "private/" : ""}${index}`);
    const results = await Promise.allSettled(urls.map((url, index) => (index % 3 ? first : second)(url)));
    assert.deepEqual(results.map((result) => result.status), urls.map((_, index) => (index % 2 ? "rejected" : "fulfilled")));
    assert.equal(paths().filter((path) => path === "/robots.txt").length, 1);
    assert.equal(paths().length, 11);
});

test("an outage is an error with its cause", async () => {
    const unavailable = await deferred({ "/robots.txt": status(503) });
    assert.deepEqual([unavailable.name, unavailable.reason, unavailable.cause, unavailable.httpStatus], ["DeferError", "unreachable", "server_error", 503]);
    assert.match(unavailable.message, /: unreachable \(server_error\); try again at 20/);
    assert.equal((await deferred({ "/robots.txt": () => undefined }, { timeout: 0.2 })).cause, "timeout");
    const compressed = (response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(RULES));
    assert.equal((await deferred({ "/robots.txt": compressed })).cause, "encoded_body");
    const gone = await site({});
    await gone.close();
    await assert.rejects(fetcher()(`${gone.url}/x`), (error) => error instanceof DeferError && error.cause === "connect" && error.httpStatus === 0);
    for (const [of, cause] of [[{ errors: [{ code: "ECONNREFUSED" }] }, "connect"], [{ code: "ENOTFOUND" }, "dns"]]) {
        const fails = () => Promise.reject(new TypeError("fetch failed", { cause: of }));
        await assert.rejects(fetcher({ fetch: fails })("http://example.com/"), (error) => error.cause === cause);
    }
});

test("the rest of a long body is not read", { timeout: 30_000 }, async () => {
    let closed;
    const endless = (response) => {
        closed = new Promise((resolve) => response.on("close", resolve));
        const more = () => void response.write("#".repeat(1 << 16), more);
        more();
    };
    const { url } = await site({ "/robots.txt": endless });
    await fetcher()(`${url}/x`);
    await closed;
});

test("compressed bodies in a browser: decoded", async (context) => {
    const { Request } = globalThis;
    context.after(() => (globalThis.Request = Request));
    globalThis.Request = class extends Request {
        constructor(input, init) {
            super(input, init);
            this.headers.delete("accept-encoding");
        }
    };
    const zipped = (response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(RULES));
    const { url } = await site({ "/robots.txt": zipped });
    await assert.rejects(fetcher()(`${url}/private/x`), ForbiddenError);
});

test("a file that is always old is fetched once for each request", async () => {
    const old = (response) => response.writeHead(200, { "cache-control": "no-store" }).end(RULES);
    const { url, paths } = await site({ "/robots.txt": old });
    const fetch = fetcher({}, new Cache(new Crawler("ExampleBot", { minTtl: 0 })));
    await fetch(`${url}/x`);
    await fetch(`${url}/y`);
    await assert.rejects(fetch(`${url}/private/x`), ForbiddenError);
    assert.ok(paths().length <= 8, paths().join(" "));
});

test("no more of a body is read than counts", async () => {
    let sent = 0;
    const endless = (response) => {
        response.write(RULES);
        const more = () => {
            while (!response.destroyed && response.write("#".repeat(65535) + "\n")) sent += 65536;
        };
        response.on("drain", more);
        more();
    };
    const { url } = await site({ "/robots.txt": endless });
    const fetch = fetcher();
    await assert.rejects(fetch(`${url}/private/x`), ForbiddenError);
    assert.equal((await fetch(`${url}/x`)).status, 200);
    assert.ok(sent < 16 << 20, `${sent} bytes`);
});

test("redirects of pages are checked", async () => {
    const other = await site({ "/robots.txt": "User-agent: *\nDisallow: /\n" });
    const { url, paths } = await site({
        "/robots.txt": RULES,
        "/a": redirect(302, "/b"),
        "/b": redirect(301, "/c"),
        "/bad": redirect(301, "/private/c"),
        "/away": redirect(308, `${other.url}/x`),
        "/file": redirect(302, "file:///etc/passwd"),
        "/lost": redirect(302, "http://["),
        "/still": status(304),
    });
    const fetch = fetcher();
    const response = await fetch(`${url}/a`);
    assert.deepEqual([response.url, await response.text()], [`${url}/c`, "page"]);
    await assert.rejects(fetch(`${url}/bad`), (error) => error instanceof ForbiddenError && error.url === `${url}/private/c`);
    await assert.rejects(fetch(`${url}/away`), (error) => error instanceof ForbiddenError && error.url === `${other.url}/x`);
    await assert.rejects(fetch(`${url}/file`), { code: "scheme" });
    await assert.rejects(fetch(`${url}/lost`), TypeError);
    assert.equal((await fetch(`${url}/still`)).status, 304);
    assert.equal((await fetch(`${url}/bad`, { redirect: "manual" })).status, 301);
    await assert.rejects(fetch(`${url}/a`, { redirect: "error" }), TypeError);
    assert.ok(!paths().includes("/private/c"));
    assert.deepEqual(other.paths(), ["/robots.txt"]);
    // As in a browser.
    const opaque = async (url) => (url.endsWith("/robots.txt") ? new Response("", { status: 404 }) : { type: "opaqueredirect", status: 0, headers: new Headers(), body: null });
    await assert.rejects(fetcher({ fetch: opaque })("https://example.com/"), /the target cannot be checked/);
    const opaqueFile = async () => ({ type: "opaqueredirect", status: 0, headers: new Headers(), body: null });
    await assert.rejects(fetcher({ fetch: opaqueFile })("https://example.com/"), DeferError);
});

test("what a redirect sends again", async () => {
    const other = await site({});
    const { url, seen } = await site({
        "/see": redirect(303, "/x"),
        "/found": redirect(302, "/x"),
        "/kept": redirect(307, "/x"),
        "/away": redirect(307, `${other.url}/x`),
    });
    const fetch = fetcher();
    const init = { method: "POST", body: "text", headers: { authorization: "secret", "content-type": "text/x" } };
    const last = () => [seen.at(-1).method, seen.at(-1).headers["content-type"], seen.at(-1).headers.authorization];
    for (const path of ["/see", "/found"]) {
        await fetch(url + path, init);
        assert.deepEqual(last(), ["GET", undefined, "secret"]);
    }
    await fetch(`${url}/see`, { method: "HEAD" });
    assert.equal(last()[0], "HEAD");
    await fetch(`${url}/kept`, init);
    assert.deepEqual(last(), ["POST", "text/x", "secret"]);
    await fetch(`${url}/away`, init);
    assert.deepEqual([other.seen.at(-1).method, other.seen.at(-1).headers.authorization], ["POST", undefined]);
    await assert.rejects(fetch(new Request(`${url}/kept`, init)), /a body that is a stream cannot be sent again/);
});

test("an aborted request does not end the retrieval that others wait for", async () => {
    const { url, paths } = await site({ "/robots.txt": (response) => setTimeout(() => response.end(RULES), 150) });
    const fetch = fetcher();
    const abort = new AbortController();
    const [first, second] = [fetch(`${url}/x`, { signal: abort.signal }), fetch(`${url}/y`)];
    setTimeout(() => abort.abort(), 20);
    await assert.rejects(first, { name: "AbortError" });
    assert.equal((await second).status, 200);
    await assert.rejects(fetch(`${url}/z`, { signal: AbortSignal.abort() }), { name: "AbortError" });
    assert.deepEqual(paths(), ["/robots.txt", "/y"]);
});

test("misuse is an error, and nothing is sent", async () => {
    const { url, paths } = await site({});
    const fetch = fetcher();
    await assert.rejects(fetch(`${url}/`, { headers: { Host: "example.com" } }), /no Host header/);
    await assert.rejects(fetch("data:text/plain,x"), { code: "scheme" });
    await assert.rejects(fetch("/path"), TypeError);
    await assert.rejects(fetcher({ crawler: 1 })(`${url}/`), { code: "argument" });
    const freed = new Cache(new Crawler("ExampleBot"));
    freed.free();
    await assert.rejects(fetcher({}, freed)(`${url}/`), { code: "state" });
    assert.throws(() => fetcher({ userAgent: "" }), TypeError);
    for (const timeout of [0, 30_000, Infinity, NaN, "30"]) assert.throws(() => fetcher({ timeout }), { code: "argument" });
    assert.throws(() => fetcher({}, new Crawler("ExampleBot")), /must be a Cache/);
    assert.deepEqual(paths(), []);
});

test("an error shows no user name and no password", async () => {
    for (const [text, type] of [[RULES, ForbiddenError], [(response) => response.writeHead(503).end(), DeferError]]) {
        const { url } = await site({ "/robots.txt": text });
        await assert.rejects(fetcher()(`${url.replace("//", "//user:secret@")}/private/x`), (error) => {
            assert.ok(error instanceof type);
            assert.equal(error.url, `${url}/private/x`);
            assert.ok(!error.message.includes("secret"), error.message);
            return true;
        });
    }
});

test("20 redirects are followed, and no more", async () => {
    const hops = Object.fromEntries(Array.from({ length: 21 }, (_, hop) => [`/${hop}`, redirect(302, `/${hop + 1}`)]));
    const { url, paths } = await site(hops);
    const fetch = fetcher();
    assert.equal(await (await fetch(`${url}/1`)).text(), "page");
    assert.equal(paths().length, 22);
    await assert.rejects(fetch(`${url}/0`), /more than 20 redirects/);
    assert.equal(paths().length, 43);
});

test("the server of a redirect is asked for the robots.txt", async () => {
    const other = await site({ "/r.txt": RULES });
    const { url, paths } = await site({ "/robots.txt": redirect(302, `${other.url}/r.txt`), "/r.txt": "User-agent: *\nDisallow: /\n" });
    assert.equal((await fetcher()(`${url}/x`)).status, 200);
    assert.deepEqual([paths(), other.paths()], [["/robots.txt", "/x"], ["/r.txt"]]);
    assert.equal(`http://${other.seen[0].headers.host}`, other.url);
});

test("the second header of a name counts", async () => {
    const cache = new Cache(new Crawler("ExampleBot"));
    const twice = (response) => response.writeHead(200, { "cache-control": ["public", "max-age=7200"] }).end(RULES);
    const { url } = await site({ "/robots.txt": twice });
    await fetcher({}, cache)(`${url}/x`);
    const { info } = cache.outcome(url);
    assert.equal(info.freshUntil - info.fetchedAt, 7200);
});
