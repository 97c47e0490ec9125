// What obeyRobots does to a crawler of Crawlee, at servers of this machine. tests/crawlers/crawlee runs Crawlee itself.
import assert from "node:assert/strict";
import { test } from "node:test";
import { crawlee, robots } from "./package.mjs";
import { redirect, site, status } from "./site.mjs";

const { Cache, Crawler } = robots;
const { DeferError, ForbiddenError, obeyRobots } = crawlee;
const RULES = "User-agent: examplebot\nDisallow: /private/\nDisallow: /*?q=\n";
const userAgent = "ExampleBot/1.0";

/** An HTTP client with the interface of Crawlee's. */
class Client {
    sent = [];
    async sendRequest(request) {
        this.sent.push(request);
        const { url, method, headers, body, followRedirect } = request;
        const response = await fetch(url, { method, headers, body, redirect: followRedirect ? "follow" : "manual" });
        return {
            statusCode: response.status,
            headers: Object.fromEntries(response.headers),
            url: response.url,
            redirectUrls: response.redirected ? [new URL(response.url)] : [],
            body: await response.text(),
        };
    }
    async stream(request) {
        return { ...(await this.sendRequest(request)), stream: { destroy: () => (this.destroyed = (this.destroyed ?? 0) + 1) } };
    }
}

/** The parts of Crawlee's BasicCrawler that decide which request is sent. */
class BasicCrawler {
    respectRobotsTxtFile = false;
    httpClient = new Client();
    handled = [];
    isAllowedBasedOnRobotsTxtFile() {
        return Promise.resolve(true);
    }
    getRobotsTxtFileForUrl() {
        return Promise.resolve(undefined);
    }
    async _runRequestHandler({ request }) {
        const response = await this.httpClient.stream({ url: new URL(request.url), headers: request.headers }, request.onRedirect);
        this.handled.push(response.url);
    }
    /** "skipped", "done", or the error of a request. */
    async run(request) {
        if (!(await this.isAllowedBasedOnRobotsTxtFile(request.url))) return "skipped";
        try {
            await this._runRequestHandler({ request });
            return "done";
        } catch (error) {
            return error;
        }
    }
}
const polite = (crawler = new BasicCrawler()) => obeyRobots(crawler, new Cache(new Crawler("ExampleBot")), { userAgent });

test("a disallowed URL is skipped, and links to it are not enqueued", async () => {
    const { url, paths, seen } = await site({ "/robots.txt": RULES });
    const crawler = polite();
    const file = await crawler.getRobotsTxtFileForUrl(`${url}/`);
    assert.equal(file.isAllowed(`${url}/private/x`), true, "the robots.txt is not known");
    assert.equal(await crawler.run({ url: `${url}/x` }), "done");
    assert.equal(await crawler.run({ url: `${url}/private/x` }), "skipped");
    assert.equal(await crawler.run({ url: `${url}/a/../private/x` }), "skipped");
    assert.equal(await crawler.run({ url: `${url}/x?q=1` }), "skipped");
    assert.deepEqual([`${url}/y`, `${url}/private/y`, "mailto:x", "https://other.invalid/private/"].map((link) => file.isAllowed(link)), [true, false, true, true]);
    assert.equal(crawler.respectRobotsTxtFile, true);
    assert.deepEqual(paths(), ["/robots.txt", "/x"]);
    assert.deepEqual(seen.map(({ headers }) => headers["user-agent"]), [userAgent, userAgent]);
});

test("a foreign User-Agent is said once", async (context) => {
    const said = [];
    context.mock.method(console, "warn", (text) => said.push(text));
    const { url } = await site({ "/robots.txt": RULES });
    const wanted = ['librobots: the User-Agent "Mozilla/5.0" does not hold the product token of the crawler: name it'];
    const crawlers = ["Mozilla/5.0", userAgent].map((userAgent) => obeyRobots(new BasicCrawler(), new Cache(new Crawler("ExampleBot")), { userAgent }));
    assert.deepEqual(said.splice(0), wanted);
    for (const headers of [{}, {}, { "USER-AGENT": "Mozilla/5.0" }, { "user-agent": "Mozilla/5.0" }]) {
        for (const crawler of crawlers) assert.equal(await crawler.run({ url: `${url}/x`, headers }), "done");
    }
    assert.deepEqual(said, wanted);
});

test("the rules of the crawler that the settings name count", async () => {
    const { url } = await site({ "/robots.txt": RULES });
    const cache = new Cache([new Crawler("Other"), new Crawler("ExampleBot")]);
    const crawler = obeyRobots(new BasicCrawler(), cache, { userAgent, crawler: 1 });
    assert.equal(await crawler.run({ url: `${url}/private/x` }), "skipped");
    assert.equal((await crawler.getRobotsTxtFileForUrl(url)).isAllowed(`${url}/private/y`), false);
});

test("a request that is deferred fails at once, and is not skipped", async () => {
    for (const answer of [status(503), status(429), (response) => response.destroy()]) {
        const { url, paths } = await site({ "/robots.txt": answer });
        const crawler = polite();
        const request = { url: `${url}/x`, noRetry: false };
        const error = await crawler.run(request);
        assert.ok(error instanceof DeferError && error.until > Date.now() / 1000, `${error}`);
        assert.equal(request.noRetry, true);
        const file = await crawler.getRobotsTxtFileForUrl(request.url);
        assert.equal(file.isAllowed(`${url}/y`), true, "a link would be dropped as if the site banned it");
        assert.deepEqual([paths().filter((path) => path !== "/robots.txt"), crawler.handled], [[], []]);
    }
});

test("requests of the client and of a browser are a crawl-delay apart", async () => {
    for (const browser of [false, true]) {
        const times = [];
        const note = (text) => (response) => (times.push(performance.now()), response.end(text));
        const { url } = await site({ "/robots.txt": note("User-agent: *\nCrawl-delay: 0.2\n"), "/a": note(""), "/b": note(""), "/c": note("") });
        const crawler = new BasicCrawler();
        if (browser) {
            crawler.browserPool = {};
            crawler._runRequestHandler = async ({ request }) => void (await fetch(request.url));
        }
        polite(crawler);
        assert.deepEqual(await Promise.all(["/a", "/b", "/c"].map((path) => crawler.run({ url: url + path }))), ["done", "done", "done"]);
        // The response is reported by the HTTP client alone: that of a browser may arrive later than its request left.
        const gaps = times.slice(1).map((time, index) => time - times[index]);
        assert.ok(times.length === 4 && Math.min(...gaps) >= (browser ? 100 : 199), `${gaps}`);
    }
});

test("a busy page stops its site", async () => {
    const { url } = await site({ "/robots.txt": "", "/x": status(429, { "retry-after": "7200" }) });
    const crawler = polite();
    await crawler.run({ url: `${url}/x` });
    assert.ok((await crawler.run({ url: `${url}/y` })) instanceof DeferError);
});

test("what is no URL of http or https is not requested", async () => {
    const crawler = polite();
    for (const url of ["ftp://127.0.0.1/x", "no URL"]) assert.ok((await crawler.run({ url })) instanceof Error);
    assert.deepEqual(crawler.httpClient.client.sent, []);
});

test("each redirect is checked", async () => {
    const other = await site({ "/robots.txt": RULES, "/private/x": "secret" });
    const { url, paths } = await site({
        "/robots.txt": RULES,
        "/here": redirect(302, "/private/x"),
        "/there": redirect(301, `${other.url}/private/x`),
        "/away": redirect(302, `${other.url}/y`),
        "/down": redirect(302, "http://127.0.0.1:1/"),
        "/round": redirect(302, "/round"),
    });
    const crawler = polite();
    for (const path of ["/here", "/there"]) {
        const request = { url: url + path };
        assert.ok((await crawler.run(request)) instanceof ForbiddenError, path);
        assert.equal(request.noRetry, true);
    }
    assert.ok((await crawler.run({ url: `${url}/down` })) instanceof DeferError);
    assert.match(`${await crawler.run({ url: `${url}/round` })}`, /more than 20 redirects/);
    const seen = [];
    const onRedirect = (response, updated) => {
        seen.push(response.statusCode, `${updated.url}`);
        updated.headers.Cookie = "of=redirect";
    };
    const headers = { Authorization: "secret", cookie: "a=b", "X-Own": "1", "USER-AGENT": "Mine/1" };
    assert.equal(await crawler.run({ url: `${url}/away`, headers, onRedirect }), "done");
    assert.deepEqual(seen, [302, `${other.url}/y`]);
    const last = other.seen.at(-1).headers;
    assert.deepEqual([last.authorization, last.cookie, last["x-own"], last["user-agent"]], [undefined, "of=redirect", "1", "Mine/1"]);
    assert.ok(!paths().includes("/private/x") && !other.paths().includes("/private/x"));
    assert.ok(crawler.httpClient.client.destroyed > 20, "the bodies of redirects stay open");
});

test("sendRequest: a form, a limit of redirects, none", async () => {
    const { url, seen } = await site({ "/robots.txt": RULES, "/form": redirect(303, "/result"), "/again": redirect(302, "/form") });
    const { httpClient } = polite();
    const response = await httpClient.sendRequest({ url: `${url}/form`, method: "POST", body: "a=b", headers: { "Content-Type": "text/plain" } });
    assert.deepEqual([response.statusCode, response.redirectUrls.map(String)], [200, [`${url}/result`]]);
    const { method, headers } = seen.at(-1);
    assert.deepEqual([method, headers["content-type"]], ["GET", undefined]);
    for (const followRedirect of [false, () => false]) assert.equal((await httpClient.sendRequest({ url: `${url}/form`, followRedirect })).statusCode, 303);
    await assert.rejects(httpClient.sendRequest({ url: `${url}/again`, maxRedirects: 1 }), /more than 1 redirects/);
    await assert.rejects(httpClient.sendRequest({ url: `${url}/private/x` }), ForbiddenError);
    await assert.rejects(httpClient.sendRequest({ url: `${url}/x`, headers: { Host: "other.example" } }), /no Host header/);
});

test("a client that follows redirects itself is an error", async () => {
    const { url } = await site({ "/robots.txt": RULES, "/x": redirect(302, "/y") });
    const crawler = new BasicCrawler();
    const { sendRequest } = crawler.httpClient;
    crawler.httpClient.sendRequest = function (request) {
        return sendRequest.call(this, { ...request, followRedirect: true });
    };
    assert.match(`${await polite(crawler).run({ url: `${url}/x` })}`, /follows redirects itself/);
});

test("what is no crawler of Crawlee is an error", () => {
    for (const missing of ["isAllowedBasedOnRobotsTxtFile", "getRobotsTxtFileForUrl", "_runRequestHandler", "httpClient"]) {
        const crawler = new BasicCrawler();
        crawler[missing] = undefined;
        assert.throws(() => polite(crawler), { name: "TypeError", message: new RegExp(`no ${missing}$`) });
    }
    for (const settings of [{}, { userAgent: "" }, { userAgent, timeout: 0 }, { userAgent, token: "x" }]) {
        assert.throws(() => obeyRobots(new BasicCrawler(), new Cache(new Crawler("x")), settings), /userAgent|timeout|token/);
    }
});
