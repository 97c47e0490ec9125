// Crawls with Crawlee: crawl.mjs own|librobots URL. Both packages come from the folder node_modules of the current folder.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [way, seed] = process.argv.slice(2);
const require = createRequire(join(process.cwd(), "crawl.cjs"));
const { CheerioCrawler, Configuration } = require("@crawlee/cheerio");
const crawler = new CheerioCrawler(
    {
        respectRobotsTxtFile: { userAgent: "ExampleBot" },
        maxRequestRetries: 0,
        requestHandler: ({ enqueueLinks }) => enqueueLinks({ strategy: "all" }),
        failedRequestHandler: ({ request }, error) => console.log(`${request.url}: ${error.name}: ${error.message}`),
    },
    new Configuration({ persistStorage: false, logLevel: "ERROR" }),
);
if (way === "librobots") {
    const { Cache, Crawler } = await import(pathToFileURL(require.resolve("librobots")).href);
    const { obeyRobots } = await import(pathToFileURL(require.resolve("librobots/crawlee")).href);
    obeyRobots(crawler, new Cache(new Crawler("ExampleBot")), { userAgent: "ExampleBot/1.0 (+https://example.com/bot)" });
}
await crawler.run([seed]);
