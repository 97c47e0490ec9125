import type { Url } from "./engine.js";
import { quote } from "./engine.js";
import { RobotsError } from "./errors.js";
import { source } from "./source.js";

/** What a function writes about a URL. `capacity`: bytes that are enough for it. */
function written(what: string, name: "robots_origin_key" | "robots_url_to_send", url: Url, capacity: (length: number) => number): string {
    const engine = source.engine();
    return engine.run(() => {
        const place = engine.putUrl(url);
        const length = engine.length;
        const room = capacity(length);
        const buffer = engine.room(room);
        engine.call(() => `${what} of ${quote(url)}`, name, place, length, buffer, room, engine.result + 8);
        engine.words[engine.result >>> 2] = buffer;
        engine.words[(engine.result >>> 2) + 1] = engine.words[(engine.result + 8) >>> 2]!;
        return engine.text(engine.result);
    });
}

function keyOf(url: Url): string {
    // A character of a host has at most some bytes of Punycode.
    return written("origin", "robots_origin_key", url, (length) => 16 * length + 64);
}

/**
 * Returns the form of an absolute URL to be checked and then sent: every client sends it as it is, so that what is judged is what is
 * sent (SPEC 8.11). It has no user name, password, empty query and fragment. If the URL is allowed, so is its form.
 *
 * @throws RobotsError `"url"` for a text that is no absolute URL, or for a path and query of more than 64 KiB; `"scheme"` for one that
 * is not http, https or ftp.
 */
export function urlToSend(url: Url): string {
    // A byte becomes three at most, and a host has at most 255.
    return written("form", "robots_url_to_send", url, (length) => 3 * length + 512);
}

/** The origin of a URL: the unit that has one robots.txt. */
export class Origin {
    /** Scheme, host and port, such as `https://example.com`; equal for equal origins. */
    readonly key: string;
    /** The URL of the robots.txt that governs the URL. */
    readonly robotsUrl: string;

    /** @throws RobotsError `"url"` for a text that is no absolute URL, `"scheme"` for one that is not http, https or ftp. */
    constructor(url: Url) {
        this.key = keyOf(url);
        this.robotsUrl = `${this.key}/robots.txt`;
    }

    /** Whether a URL has this origin; false for a text that is no absolute URL. */
    governs(url: Url): boolean {
        try {
            return keyOf(url) === this.key;
        } catch (error) {
            if (error instanceof RobotsError && (error.code === "url" || error.code === "scheme")) return false;
            throw error;
        }
    }
}
