// The slots of a cache, and the fetch that waits for them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { client, robots } from "./package.mjs";
import { site, status } from "./site.mjs";

const { Cache, Crawler } = robots;
const { DeferError, robotsFetch } = client;
const NOW = 1_800_000_000.5;
const URL_ = "https://example.com/page";
const crawler = new Crawler("ExampleBot");
const delay = (seconds) => `User-agent: *\nDisallow: /private/\nCrawl-delay: ${seconds}\n`;

const fails = (code) => (error) => error.code === code;

test("a request is given a slot", () => {
    const cache = new Cache(crawler, { horizonMs: 1000 });
    cache.check(URL_, NOW).ticket.finish(crawler.outcomeFromStatus(URL_, 200, delay(0.6), NOW), NOW);
    const [first, second] = [cache.request(URL_, null, NOW), cache.request(URL_, null, new Date(NOW * 1000))];
    assert.deepEqual([first.requestAt, first.requestInMs, first.crawlDelayMs], [NOW + 0.6, 600, 600]);
    assert.equal(cache.request(URL_, first.requestAt, first.requestAt).requestInMs, 0);
    assert.deepEqual([second.action, second.allowed, second.requestInMs, second.until], ["defer", false, 1200, Math.ceil(NOW + 1.2)]);
    assert.deepEqual([cache.crawlDelay(URL_), cache.crawlDelay("https://other.example/"), cache.crawlDelay(URL_, 1)], [0.6, null, null]);
    assert.throws(() => cache.crawlDelay("/page"), fails("url"));
    for (const name of ["defaultDelayMs", "maxDelayMs", "horizonMs"]) {
        for (const wrong of [-1, 86_400_001, 0.5, NaN]) assert.throws(() => new Cache(crawler, { [name]: wrong }), fails("argument"), `${name} ${wrong}`);
        assert.throws(() => new Cache(crawler, { [name]: "1" }), TypeError);
    }
    assert.throws(() => cache.request(URL_, null, NOW * 1000), fails("argument"));
    assert.throws(() => cache.retryAfter(URL_, 429, null, 12), fails("argument"));
    assert.throws(() => cache.retryAfter("/page", 429), fails("url"));
});

const settings = { userAgent: "ExampleBot/1.0" };

// No gap that a server sees is below the delay: a request that arrives late does not come closer to the next one, because the delay
// counts from its response.
test("50 requests at once keep the delays, and no site waits for another", async () => {
    const fetch = robotsFetch(new Cache(crawler), settings);
    const sites = await Promise.all([[1, 3], [0.2, 12], [0, 35]].map(async ([seconds, count]) => ({ ...(await site({ "/robots.txt": delay(seconds) })), seconds, count })));
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

test("a wait can be aborted, and a long one is deferred", async (context) => {
    const { url, times } = await site({ "/robots.txt": delay(20) });
    const [set, cleared] = ["setTimeout", "clearTimeout"].map((name) => context.mock.method(globalThis, name).mock);
    const start = performance.now();
    const signal = AbortSignal.timeout(200);
    await assert.rejects(robotsFetch(new Cache(crawler), settings)(url, { signal }), (error) => error.name === "TimeoutError");
    assert.ok(performance.now() - start < 15_000);
    // The timer of the slot, without which the process ends.
    const timers = set.calls.filter(({ arguments: [, ms] }) => ms > 15_000 && ms <= 20_000).map(({ result }) => result);
    assert.deepEqual(timers.map((timer) => cleared.calls.some(({ arguments: [ended] }) => ended === timer)), [true]);
    await assert.rejects(robotsFetch(new Cache(crawler, { horizonMs: 500 }), settings)(url), (error) => {
        assert.ok(error instanceof DeferError && error.until > Date.now() / 1000);
        assert.deepEqual([error.reason, error.cause], ["defer", null]);
        return true;
    });
    assert.equal(times.length, 2);
});

test("a busy page stops its site", async () => {
    const { url } = await site({ "/robots.txt": "", other: status(429, { "retry-after": "30" }) });
    const cache = new Cache(crawler);
    assert.equal((await robotsFetch(cache, settings)(url)).status, 429);
    assert.ok(cache.request(url).requestAt > Date.now() / 1000 + 20);
});

test("a foreign User-Agent is said once", async (context) => {
    const said = [];
    context.mock.method(console, "warn", (text) => said.push(text));
    const { url } = await site({ "/robots.txt": "" });
    await robotsFetch(new Cache(crawler), { userAgent: "examplebot/2.0" })(url);
    await robotsFetch(new Cache(new Crawler(["Other", "ExampleBot"])), settings)(url);
    await robotsFetch(new Cache(new Crawler("*")), { userAgent: "Mozilla/5.0" })(url);
    assert.deepEqual(said, []);
    const own = robotsFetch(new Cache(crawler), settings);
    for (const agent of ["Mozilla/5.0", "Mozilla/4.0"]) await own(url, { headers: { "user-agent": agent } });
    const wanted = ['librobots: the User-Agent "Mozilla/5.0" does not hold the product token of the crawler: name it'];
    assert.deepEqual(said.splice(0), wanted);
    // Requests for a robots.txt have the header of the settings, whatever those for pages have.
    const fetch = robotsFetch(new Cache(crawler), { userAgent: "Mozilla/5.0" });
    assert.deepEqual(said, wanted);
    for (const headers of [{}, {}, { "user-agent": "ExampleBot/1.0" }]) await fetch(url, { headers });
    assert.deepEqual(said, wanted);
});
