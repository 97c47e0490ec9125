/** What the parts of the page share. */
import type { Engine } from "./client.js";
import type { Editor } from "./editor.js";
import type { CrawlerChoice } from "./messages.js";

export interface App {
    readonly engine: Engine;
    readonly editor: Editor;
    /** The robots.txt; another object after each change. */
    readonly file: Uint8Array;
    readonly urls: readonly string[];
    readonly crawler: CrawlerChoice;
    /** The name of the crawler for a sentence. */
    readonly crawlerName: string;
    setUrls(urls: readonly string[]): void;
    setCrawler(crawler: CrawlerChoice): void;
    /** Replaces the file, and says so with a button that undoes it. */
    edit(bytes: Uint8Array, words: string): void;
    /** Says a sentence, also to screen readers. */
    say(words: string, isError?: boolean): void;
    /** Shows another tab. */
    open(tab: string): void;
}

/** A tab: `refresh` is called when it is shown, and when file, URLs or crawler change while it is. */
export interface Tab {
    readonly id: string;
    readonly title: string;
    readonly panel: HTMLElement;
    refresh(): void;
}

/** At most this many URLs are kept. */
export const MOST_URLS = 100_000;

/** The URLs of a text: one on a line. */
export function urlsOf(text: string): string[] {
    return text.split(/[\r\n]+/).map((line) => line.trim()).filter((line) => line !== "").slice(0, MOST_URLS);
}
