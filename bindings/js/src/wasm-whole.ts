/** Returns the module of everything: text in the ES modules, the bytes of a file in CommonJS. `build` replaces this file. */
export default function binary(): string | Uint8Array {
    throw new Error("the module is not built: run make wasm");
}
