/** From bytes to what the editor shows, and back. */

/** The encoding of a file; `"utf-8"` alone is shown as it is. */
export type Encoding = "utf-8" | "not utf-8" | "utf-16le" | "utf-16be";

const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** Decodes a file. The engine always gets the bytes themselves. */
export function textOf(bytes: Uint8Array): { text: string; encoding: Encoding } {
    const [first, second] = bytes;
    const utf16 = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : null;
    if (utf16 !== null) return { text: new TextDecoder(utf16).decode(bytes), encoding: utf16 };
    try {
        return { text: strict.decode(bytes), encoding: "utf-8" };
    } catch {
        return { text: lenient.decode(bytes), encoding: "not utf-8" };
    }
}

export function bytesOf(text: string): Uint8Array {
    return encoder.encode(text);
}
