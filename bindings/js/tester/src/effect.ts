/** What an edit of the file changes, in words. */
import { brief, el } from "./dom.js";
import type { Difference } from "./messages.js";
import { folded } from "./presets.js";
import { word } from "./words.js";

const list = new Intl.ListFormat("en-GB");

/** The names of crawlers in a sentence; those that matter to most owners are never left out. */
export function namesOf(crawlers: readonly string[], most = 4): string {
    const { shown, more } = folded(crawlers, most);
    const names = shown.map((name) => (name === "*" ? "everyone else" : name));
    return list.format(more === 0 ? names : [...names, `${more} more`]);
}

/** What changes, in a sentence. */
export function effect({ classes, undecided }: Difference): string {
    const open = undecided.length === 0 ? "" : ` Not decided for ${namesOf(undecided)}: the rules are too hard to compare for all URLs. Add the URLs that matter.`;
    if (classes.length > 0) return `Verdicts change for ${namesOf([...new Set(classes.flatMap(({ crawlers }) => crawlers))])}.${open}`;
    return open === "" ? "No verdict changes: proved for all URLs." : `No change was found.${open}`;
}

/** The first changes of each kind of crawler, as a list; the first path is a shortest one. */
export function examples({ classes }: Difference, most = 3): HTMLElement | null {
    if (classes.length === 0) return null;
    const each = Math.max(1, Math.floor(most / classes.length));
    return el("ul", { class: "examples" }, ...classes.slice(0, most).flatMap(({ crawlers, changes }) => changes.slice(0, each).map(({ url, before, after }) =>
        el("li", {}, el("code", {}, brief(url, 60)), ` ${word(before).toLowerCase()} → ${word(after).toLowerCase()}`,
            classes.length === 1 ? null : el("span", { class: "muted" }, ` for ${namesOf(crawlers)}`)))));
}
