// Requests the first URL, then the others at once, for tests/woken/run: woken.mjs PACKAGE URL...
import { join } from "node:path";

const [folder, ...urls] = process.argv.slice(2);
const [{ Cache, Crawler }, { robotsFetch }] = await Promise.all(["index", "robots-fetch"].map((name) => import(join(folder, `dist/esm/${name}.js`))));
const fetch = robotsFetch(new Cache(new Crawler("ExampleBot")), { userAgent: "ExampleBot/1.0" });
const get = async (url) => (await fetch(url)).text();
await get(urls.shift());
await Promise.all(urls.map(get));
