// The slots of a cache, and the fetch that waits for them.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { client, robots } from "./package.mjs";

const { Cache, Crawler } = robots;
const { DeferError, robotsFetch } = client;
const NOW = 1_800_000_000.5;
const URL_ = "https://example.com/page";
const crawler = new Crawler("ExampleBot");
const delay = (seconds) => `User-agent: *\nDisallow: /private/\nCrawl-delay: ${seconds}\n`;

function filled(file, settings = {}, own = crawler) {
    const cache = new Cache(own, settings);
    cache.check(URL_, NOW).ticket.finish(own.outcomeFromStatus(URL_, 200, file, NOW), NOW);
    return cache;
}
const at = (decision) => decision.requestAt?.getTime() - NOW * 1000;
const fails = (code) => (error) => error.code === code;

test("slots are a delay apart", () => {
    const cache = filled(delay(0.2));
    const found = cache.check(URL_, NOW);
    assert.deepEqual([found.requestAt, found.crawlDelayMs, found.crawlDelayCut], [null, 0, false]);
    assert.equal(cache.request("https://example.com/private/", null, NOW).requestAt, null);
    for (let number = 1; number <= 3; number++) {
        const decision = cache.request(URL_, null, new Date(NOW * 1000));
        assert.deepEqual([decision.allowed, at(decision), decision.crawlDelayMs, decision.crawlDelayCut], [true, 200 * number, 200, false]);
    }
    assert.deepEqual([cache.crawlDelay(URL_), cache.crawlDelay("https://other.example/"), cache.crawlDelay(URL_, 1)], [0.2, null, null]);
    assert.throws(() => cache.crawlDelay("/page"), fails("url"));
});

test("options and misuse", () => {
    const cut = filled(delay(30), { maxDelayMs: 1000 }).request(URL_, null, NOW);
    assert.deepEqual([cut.crawlDelayMs, cut.crawlDelayCut], [1000, true]);
    assert.equal(filled("", { defaultDelayMs: 1500 }).request(URL_, null, NOW).crawlDelayMs, 1500);
    const near = filled(delay(1), { horizonMs: 1000 });
    assert.equal(at(near.request(URL_, null, NOW)), 1000);
    const later = near.request(URL_, null, NOW);
    assert.deepEqual([later.action, later.allowed, later.verdict.reason, at(later), later.until], ["defer", false, "defer", 2000, Math.ceil(NOW + 2)]);
    for (const name of ["defaultDelayMs", "maxDelayMs", "horizonMs"]) {
        for (const wrong of [-1, 86_400_001, 0.5, NaN]) assert.throws(() => new Cache(crawler, { [name]: wrong }), fails("argument"), `${name} ${wrong}`);
        assert.throws(() => new Cache(crawler, { [name]: "1" }), TypeError);
    }
    assert.throws(() => new Cache(crawler, { maxDelay: 60 }), fails("argument"));
    assert.throws(() => near.request(URL_, null, NOW * 1000), fails("argument"));
    const early = near.request(URL_, null, performance.now() / 1000); // as of a clock that starts with the process
    assert.deepEqual([early.action, early.allowed, early.verdict.error?.code], ["defer", false, "argument"]);
    assert.throws(() => near.retryAfter(URL_, 429, null, 12), fails("argument"));
    assert.throws(() => near.retryAfter("/page", 429), fails("url"));
});

test("a page asks to wait", () => {
    const cache = filled("");
    for (const [status, value, rest] of [[200, "9", 0], [429, null, 5000], [503, "7", 7000], [503, "1", 7000]]) {
        cache.retryAfter(URL_, status, value, NOW);
        assert.ok(Math.abs(at(cache.request(URL_, null, NOW)) - rest) < 1000);
    }
});

test("counts", () => {
    const cache = new Cache(crawler, { horizonMs: 0 });
    const { ticket } = cache.check(URL_, NOW);
    cache.check(URL_, NOW);
    ticket.finish(crawler.outcomeFromStatus(URL_, 200, delay(1), NOW), NOW);
    cache.check(URL_, NOW);
    cache.request(URL_, null, NOW);
    const { sites, bytes, hits, ...rest } = cache.counts();
    assert.deepEqual([sites, bytes, hits >= 1], [cache.size, cache.bytes, true]);
    assert.deepEqual(rest, { staleHits: 0, fetches: 1, waits: 1, deferred: 1, evicted: 0 });
});

test("a record is checked as its outcome", () => {
    const cache = filled(delay(1));
    const [record] = cache.exportRecords();
    const outcome = cache.outcome(URL_);
    for (const url of [URL_, "https://example.com/private/", "/private/", "https://other.example/", "gopher://a/"]) {
        for (const now of [NOW - 1000, NOW, NOW + 86_400]) {
            const [found, expected] = [robots.Outcome.checkRecord(record, url, now), outcome.check(url, now)];
            assert.deepEqual([found.allowed, found.reason, found.line], [expected.allowed, expected.reason, expected.line]);
        }
    }
    assert.equal(robots.Outcome.checkRecord(record, URL_, NOW).allowed, true);
    for (const damaged of [new Uint8Array(), record.slice(0, 50)]) assert.equal(robots.Outcome.checkRecord(damaged, URL_, NOW).error?.code, "image");
});

const servers = [];
after(() => servers.forEach((server) => (server.close(), server.closeAllConnections?.())));

/** A site with a robots.txt, and the times of its requests, in seconds. */
async function site(file, answer = (response) => response.writeHead(404).end()) {
    const times = [];
    const server = createServer((request, response) => {
        times.push(performance.now() / 1000);
        if (request.url === "/robots.txt") response.end(file);
        else answer(response);
    });
    servers.push(server);
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { url: `http://127.0.0.1:${server.address().port}`, times };
}
const settings = { userAgent: "ExampleBot/1.0" };

// No gap that a server sees is below the delay: a request that arrives late does not come closer to the next one, because the delay
// counts from its response.
test("50 requests at once keep the delays, and no site waits for another", async () => {
    const fetch = robotsFetch(new Cache(crawler), settings);
    const sites = await Promise.all([[1, 3], [0.2, 12], [0, 35]].map(async ([seconds, count]) => ({ ...(await site(delay(seconds))), seconds, count })));
    await Promise.all(sites.flatMap(({ url, count }) => Array.from({ length: count }, (_, index) => fetch(`${url}/${index}`))));
    for (const { times, seconds, count } of sites) {
        assert.equal(times.length, count + 1);
        for (let index = 1; index <= count; index++) {
            const gap = times[index] - times[index - 1];
            assert.ok(gap >= seconds - 0.001, `page ${index} of delay ${seconds} after ${gap}`); // the cache has milliseconds
        }
    }
    const [slow, brisk, free] = sites;
    // One after another, the sites would take 5.4 seconds.
    const longest = Math.max(...[slow, brisk].map(({ times }) => times.at(-1) - times[0]));
    assert.ok(free.times.at(-1) < slow.times[2] && longest < 5.4, "a site waited for another one");
});

test("a wait can be aborted, and a long one is deferred", async () => {
    const { url, times } = await site(delay(20));
    const start = performance.now();
    const signal = AbortSignal.timeout(200);
    await assert.rejects(robotsFetch(new Cache(crawler), settings)(url, { signal }), (error) => error.name === "TimeoutError");
    assert.ok(performance.now() - start < 15_000);
    await assert.rejects(robotsFetch(new Cache(crawler, { horizonMs: 500 }), settings)(url), (error) => {
        assert.ok(error instanceof DeferError && error.until > Date.now() / 1000);
        assert.deepEqual([error.reason, error.cause], ["defer", null]);
        return true;
    });
    assert.equal(times.length, 2);
});

test("a busy page stops its site", async () => {
    const { url } = await site("", (response) => response.writeHead(429, { "retry-after": "30" }).end());
    const cache = new Cache(crawler);
    assert.equal((await robotsFetch(cache, settings)(url)).status, 429);
    assert.ok(cache.request(url).requestAt.getTime() > Date.now() + 20_000);
});

test("a foreign User-Agent is said once", async (context) => {
    const said = [];
    context.mock.method(console, "warn", (text) => said.push(text));
    const { url } = await site("");
    await robotsFetch(new Cache(crawler), { userAgent: "examplebot/2.0" })(url);
    await robotsFetch(new Cache(new Crawler("*")), { userAgent: "Mozilla/5.0" })(url);
    assert.deepEqual(said, []);
    const fetch = robotsFetch(new Cache(crawler), { userAgent: "Mozilla/5.0" });
    await fetch(url);
    await fetch(url);
    assert.deepEqual(said, ['librobots: the User-Agent "Mozilla/5.0" does not hold the product token of the crawler: name it']);
});
