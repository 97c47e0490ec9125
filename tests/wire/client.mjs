// A client of tests/wire/run: client.mjs PACKAGE BASE.
import { createInterface } from "node:readline";
import { join } from "node:path";

const { Cache, Crawler, RobotsError } = await import(join(process.argv[2], "dist/esm/index.js"));
const { ForbiddenError, robotsFetch } = await import(join(process.argv[2], "dist/esm/robots-fetch.js"));
let sent = "";
const note = (input, init) => ((sent = String(input.url ?? input)), fetch(input, init));
const fetchPolitely = robotsFetch(new Cache(new Crawler("ExampleBot")), { userAgent: "ExampleBot/1.0", fetch: note });
let count = 0;
for await (const line of createInterface({ input: process.stdin })) {
    const url = Buffer.from(line, "hex").toString();
    try {
        const response = await fetchPolitely(count++ % 2 ? url : new Request(url));
        await response.text();
        console.log(`sent ${sent}`);
    } catch (error) {
        if (!(error instanceof ForbiddenError || error instanceof RobotsError || error instanceof TypeError)) throw error;
        console.log(error instanceof ForbiddenError ? "forbidden" : "error");
    }
}
