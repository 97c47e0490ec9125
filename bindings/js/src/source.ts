import { Source } from "./engine.js";
import binary from "./wasm-crawl.js";

/** The module for crawlers. */
export const source = new Source(binary);

/**
 * Compiles the WebAssembly module without blocking the thread. Nobody needs to call it: the first use compiles the module at
 * once, in some 20 ms. Where only modules of the build can be used, such as Cloudflare Workers, pass the module.
 *
 * @param module a `WebAssembly.Module` of `librobots/crawl.wasm`, or of another build of it.
 */
export function load(module?: object): Promise<void> {
    return source.load(module);
}
