// Memory stays level over many parses, with every object of the package: node --expose-gc leaks.mjs PACKAGE [PARSES]
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [, , folder, wanted = "1000000"] = process.argv;
const { Cache, Crawler, Rules } = await import(pathToFileURL(join(resolve(folder), "dist/esm/index.js")).href);
const { explain, lint, uses } = await import(pathToFileURL(join(resolve(folder), "dist/esm/tools.js")).href);
const parses = Number(wanted);
const crawler = new Crawler("ExampleBot");
const bodies = Array.from({ length: 50 }, (_, file) =>
    `User-agent: *\n${Array.from({ length: file }, (_, rule) => `Disallow: /${file}/${rule}*x$\n`).join("")}Sitemap: https://h/${file}\n`,
);
const { engine } = crawler.parse("");

function once(index) {
    const body = bodies[index % bodies.length];
    const rules = crawler.parse(body);
    if (rules.check(`/${index % 50}/0/x`).allowed === (index % 50 > 0)) throw new Error(`the verdict for file ${index % 50} is wrong`);
    if (index % 100 === 0) {
        const again = Rules.fromImage(rules.image);
        again.checkMany(["/a", "/é", "c"]);
        again.free();
        const outcome = crawler.outcomeFromStatus("https://h/", 200, body);
        outcome.encode();
        outcome.free();
        const cache = new Cache(crawler);
        const { ticket } = cache.check("https://h/");
        const fetch = ticket.fetch();
        fetch.fail("dns");
        ticket.finish(fetch.outcome);
        cache.exportRecords();
        for (const handle of [fetch, ticket, cache]) handle.free();
        const page = crawler.pageControls([["x-robots-tag", "noindex"]]);
        const site = uses(crawler, "https://h/", body);
        site.useFor("/b", "training", page);
        for (const handle of [page, site]) handle.free();
    }
    if (index % 1000 === 0) {
        explain(crawler, body, "/a");
        lint(crawler, body);
        rules.effectiveRules();
        try {
            rules.check(`/${"é".repeat(50_000)}`);
            Rules.fromImage(new Uint8Array(100));
        } catch (error) {
            if (error.code !== "image") throw error;
        }
    }
    rules.free();
}

async function some(count) {
    for (let index = 0; index < count; index++) {
        once(index);
        // Collected objects are freed between tasks.
        if (index % 10_000 === 0) await new Promise((resolve) => setTimeout(resolve));
    }
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 50));
    globalThis.gc();
    return [engine.exports.memory.buffer.byteLength, process.memoryUsage().heapUsed];
}

const [module, heap] = await some(Math.max(20_000, parses / 20));
const [moduleAfter, heapAfter] = await some(parses);
// The module may grow by two steps, of a MB and what it needed, if collected objects are freed late: three bytes a parse would be more.
const isLevel = moduleAfter <= module + (3 << 20) && heapAfter <= heap + (2 << 20);
console.log(`${parses} parses: the module's memory ${module} -> ${moduleAfter} bytes, the heap ${heap} -> ${heapAfter}`);
console.log(`js-leaks: ${isLevel ? 1 : 0} passed, ${isLevel ? 0 : 1} failed`);
process.exit(isLevel ? 0 : 1);
