/** Verdicts in words. */
import type { Decided } from "./messages.js";
import { el, icon } from "./dom.js";

/** The word for a verdict. */
export function word({ status, reason }: Decided): string {
    if (status === 2) return "Not a URL";
    if (status === 3) return "Ignores the file";
    if (status === 1) return "Allowed";
    return reason === "unreachable" || reason === "defer" ? "Not now" : "Disallowed";
}

/** The class of CSS for a verdict. */
export function tone({ status }: Decided): "yes" | "no" | "bad" | "moot" {
    return (["no", "yes", "bad", "moot"] as const)[status]!;
}

const REASONS: Readonly<Record<string, string>> = {
    none: "write a whole URL, or a path that starts with /",
    no_rule: "no rule matches",
    no_group: "no group of the file applies to this crawler",
    robots_txt: "a robots.txt itself is always allowed",
    allow_all: "everything is allowed",
    disallow_all: "everything is disallowed",
    defer: "the file is compressed: crawlers wait",
    unreachable: "the file is compressed: crawlers treat it as an outage",
};

/** Why, without the line. */
export function reasonWords({ status, reason }: Decided): string {
    return status === 3 ? "only your server can keep it out" : (REASONS[reason] ?? "");
}

/** A drawing and the word for a verdict. */
export function badge(verdict: Decided): HTMLElement {
    return el("span", { class: `badge ${tone(verdict)}` }, icon(tone(verdict)), el("span", {}, word(verdict)));
}
