// The package under test.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const folder = process.env.LIBROBOTS_PACKAGE;
const entry = (name) => import(pathToFileURL(join(folder, `dist/esm/${name}.js`)).href);
export const robots = await entry("index");
export const tools = await entry("tools");
export const client = await entry("robots-fetch");
export const crawlee = await entry("crawlee");
// Other modules than those of the package: the folder that has them.
if (process.env.ROBOTS_WASM) {
    const compiled = (name) => new WebAssembly.Module(readFileSync(join(process.env.ROBOTS_WASM, `${name}.wasm`)));
    await Promise.all([robots.load(compiled("crawl")), tools.load(compiled("whole"))]);
}
