// fetch that obeys robots.txt: what holds over several requests, and what errors show.
import assert from "node:assert/strict";
import { test } from "node:test";
import { client, robots } from "./package.mjs";
import { redirect, site } from "./site.mjs";

const { Cache, Crawler } = robots;
const { DeferError, ForbiddenError, robotsFetch } = client;
const RULES = "User-agent: *\nDisallow: /private/\n";

function fetcher(settings = {}, cache = new Cache(new Crawler("ExampleBot"))) {
    return robotsFetch(cache, { userAgent: "ExampleBot/1.0", ...settings });
}

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

test("a redirect with 303 keeps HEAD", async () => {
    const { url, seen } = await site({ "/see": redirect(303, "/x") });
    await fetcher()(`${url}/see`, { method: "HEAD" });
    assert.deepEqual(seen.slice(1).map((request) => [request.method, request.url]), [["HEAD", "/see"], ["HEAD", "/x"]]);
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

test("the timeout is for all redirects of a robots.txt together", async () => {
    const late = (path) => (response) => setTimeout(() => redirect(302, path)(response), 300);
    const { url, paths } = await site({ "/robots.txt": late("/1"), "/1": late("/2"), "/2": late("/3"), "/3": RULES });
    await assert.rejects(fetcher({ timeout: 0.7 })(`${url}/x`), (error) => error instanceof DeferError && error.cause === "timeout");
    assert.ok(!paths().includes("/3"));
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
