import type { Text } from "./engine.js";
import { quote } from "./engine.js";
import { RobotsError } from "./errors.js";
import { source } from "./source.js";

function keyOf(url: Text): string {
    const engine = source.engine();
    return engine.run(() => {
        const place = engine.put(url, "a URL");
        const length = engine.length;
        // A character of a host has at most some bytes of Punycode.
        const capacity = 16 * length + 64;
        const buffer = engine.room(capacity);
        engine.call(() => `origin of ${quote(url)}`, "robots_origin_key", place, length, buffer, capacity, engine.result + 8);
        engine.words[engine.result >>> 2] = buffer;
        engine.words[(engine.result >>> 2) + 1] = engine.words[(engine.result + 8) >>> 2]!;
        return engine.text(engine.result);
    });
}

/** The origin of a URL: the unit that has one robots.txt. */
export class Origin {
    /** Scheme, host and port, such as `https://example.com`; equal for equal origins. */
    readonly key: string;
    /** The URL of the robots.txt that governs the URL. */
    readonly robotsUrl: string;

    /** @throws RobotsError `"url"` for a text that is no absolute URL, `"scheme"` for one that is not http, https or ftp. */
    constructor(url: Text) {
        this.key = keyOf(url);
        this.robotsUrl = `${this.key}/robots.txt`;
    }

    /** Whether a URL has this origin; false for a text that is no absolute URL. */
    governs(url: Text): boolean {
        try {
            return keyOf(url) === this.key;
        } catch (error) {
            if (error instanceof RobotsError && (error.code === "url" || error.code === "scheme")) return false;
            throw error;
        }
    }
}
