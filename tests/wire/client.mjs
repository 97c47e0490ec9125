// A client of tests/wire/run: client.mjs PACKAGE FOLDER BASE, or client.mjs PACKAGE FOLDER ways SECONDS. FOLDER has the packages of
// Crawlee; "": the client is robotsFetch.
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [folder, crawlee, base, seconds] = process.argv.slice(2);
const load = (name) => import(join(folder, `dist/esm/${name}.js`));
const [{ Cache, Crawler, RobotsError }, { DeferError, ForbiddenError, robotsFetch }, { obeyRobots }] = await Promise.all(["index", "robots-fetch", "crawlee"].map(load));
const cache = new Cache(new Crawler("ExampleBot"));
const settings = { userAgent: "ExampleBot/1.0", ...(seconds ? { timeout: Number(seconds) } : {}) };
let sent = "";

function fetcher() {
    const note = (input, init) => ((sent = String(input.url ?? input)), fetch(input, init));
    const fetchPolitely = robotsFetch(cache, { ...settings, fetch: note });
    let count = 0;
    return async (url) => void (await (await fetchPolitely(count++ % 2 ? url : new Request(url))).text());
}

function crawleeClient() {
    const { BasicCrawler, Configuration } = createRequire(join(crawlee, "client.cjs"))("@crawlee/basic");
    const crawler = new BasicCrawler({}, new Configuration({ persistStorage: false, logLevel: "OFF" }));
    const own = crawler.httpClient;
    crawler.httpClient = { stream: () => {}, sendRequest: (request) => ((sent = request.url.href), own.sendRequest(request)) };
    obeyRobots(crawler, cache, settings);
    return (url) => crawler.httpClient.sendRequest({ url, responseType: "text" });
}

const get = crawlee ? crawleeClient() : fetcher();

async function visit(way, origin) {
    const words = [];
    for (const page of ["open", "private"]) {
        const error = await get(`${origin}/${page}`).catch((error) => error);
        words.push(`${page}=${error instanceof ForbiddenError ? "forbidden" : error instanceof DeferError ? "deferred" : "allowed"}`);
    }
    const outcome = cache.outcome(origin)?.info;
    const minutes = outcome ? Math.round((outcome.retryAt - outcome.fetchedAt) / 60) : "-";
    console.log(`${way} ${words.join(" ")} kind=${outcome?.kind ?? "-"} for=${minutes}`);
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
async function visitWays() {
    for (let line; !(line = await lines.next()).done; ) await visit(...line.value.split(" "));
}
if (base === "ways") {
    await Promise.all(Array.from({ length: 24 }, visitWays));
    process.exit(); // connections may still be open
}

for await (const line of lines) {
    const url = Buffer.from(line, "hex").toString();
    try {
        await get(url);
        console.log(`sent ${sent}`);
    } catch (error) {
        if (!(error instanceof ForbiddenError || error instanceof RobotsError || error instanceof TypeError)) throw error;
        console.log(error instanceof ForbiddenError ? "forbidden" : "error");
    }
}
