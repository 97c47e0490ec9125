import { Source } from "./engine.js";
import binary from "./wasm-crawl.js";

/** The module for crawlers. */
export const source = new Source(binary, "librobots", "crawl");

/**
 * Compiles the WebAssembly module without blocking the thread. Nobody needs to call it: the first use compiles the module at
 * once, in some 10 ms. Where only modules of the build can be used, such as Cloudflare Workers, pass the module before the first use:
 * `import crawl from "librobots/crawl.wasm"`, and `await load(crawl)`.
 *
 * @param module a `WebAssembly.Module` of `librobots/crawl.wasm`, or of another build of it.
 * @throws RobotsError `"state"` if the platform compiles no module at run time.
 */
export function load(module?: object): Promise<void> {
    return source.load(module);
}
