/** A link that carries the file, and what is kept on this device, if asked. */
import type { CrawlerChoice } from "./messages.js";

export interface Saved {
    readonly file: string;
    readonly urls: readonly string[];
    readonly crawler: CrawlerChoice;
}

/** The longest fragment: some programs cut longer links. */
export const MOST_LINK = 32_000;
/** The most bytes that a link may hold, so that a hostile link does not fill the memory. */
const MOST_BYTES = 2_000_000;

async function through(bytes: Uint8Array, by: CompressionStream | DecompressionStream): Promise<Uint8Array> {
    const reader = new Blob([bytes as BlobPart]).stream().pipeThrough(by as unknown as ReadableWritablePair<Uint8Array, Uint8Array>).getReader();
    const parts: Uint8Array[] = [];
    let size = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        size += value.length;
        if (size > MOST_BYTES) {
            await reader.cancel();
            throw new RangeError("the link holds too much");
        }
        parts.push(value);
    }
    const whole = new Uint8Array(size);
    let end = 0;
    for (const part of parts) {
        whole.set(part, end);
        end += part.length;
    }
    return whole;
}

/** Returns the fragment of a link, or null if it would be too long. */
export async function fragmentOf(saved: Saved): Promise<string | null> {
    const bytes = new TextEncoder().encode(JSON.stringify(saved));
    if (bytes.length > MOST_BYTES) return null;
    const packed = await through(bytes, new CompressionStream("deflate-raw"));
    if (packed.length * 4 > MOST_LINK * 3) return null;
    let text = "";
    for (const byte of packed) text += String.fromCharCode(byte);
    return `#1${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Reads a fragment. Null if there is none. */
export async function readFragment(fragment: string): Promise<Saved | null> {
    if (!fragment.startsWith("#1")) return null;
    if (fragment.length > MOST_LINK + 2) throw new RangeError("the link is too long");
    const text = atob(fragment.slice(2).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    return savedOf(new TextDecoder().decode(await through(packed, new DecompressionStream("deflate-raw"))));
}

/** Reads what a stranger may have written. */
function savedOf(text: string): Saved {
    const value = JSON.parse(text) as Partial<Saved> | null;
    const { file, urls, crawler } = value ?? {};
    const isUrls = Array.isArray(urls) && urls.every((url) => typeof url === "string");
    const isCrawler = typeof crawler?.name === "string" && typeof crawler.isPreset === "boolean" && ["", "rfc9309", "google", "koster1996"].includes(crawler.dialect);
    if (typeof file !== "string" || !isUrls || !isCrawler) throw new TypeError("it holds no file");
    return { file, urls, crawler: { name: crawler.name, isPreset: crawler.isPreset, dialect: crawler.dialect } };
}

const KEY = "robots.txt tester";

/** What was kept; null if nothing is, or if the browser forbids it. */
export function kept(): Saved | null {
    try {
        const text = localStorage.getItem(KEY);
        return text === null ? null : savedOf(text);
    } catch {
        return null;
    }
}

/** Keeps it. Returns false if the browser forbids it or has no room. */
export function keep(saved: Saved): boolean {
    try {
        localStorage.setItem(KEY, JSON.stringify(saved));
        return true;
    } catch {
        return false;
    }
}

export function forget(): void {
    try {
        localStorage.removeItem(KEY);
    } catch {
        // Then nothing is kept.
    }
}
