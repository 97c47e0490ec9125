// Finds the browser of the tests.
import { spawnSync } from "node:child_process";

/** Chromium's path; null if there is none. */
export function findBrowser() {
    const names = process.env.CHROMIUM ? [process.env.CHROMIUM] : ["chromium", "google-chrome"];
    for (const name of names) {
        const found = spawnSync("sh", ["-c", `command -v "${name}"`], { encoding: "utf8" });
        if (found.status === 0) return found.stdout.trim();
    }
    return null;
}
