/** The groups of the file: who obeys which rules. */
import type { App, Tab } from "../app.js";
import { brief, count, el, fill } from "../dom.js";
import { lineLink } from "../editor.js";
import type { GroupColumn, Groups } from "../messages.js";
import { folded, ignoresFile, mayIgnore } from "../presets.js";

const FIELDS: Readonly<Record<string, string>> = { allow: "Allow", disallow: "Disallow", crawl_delay: "Crawl-delay" };

export function createGroups(app: App): Tab {
    const box = el("div", { class: "cards" });
    const note = el("p", { class: "muted lead" });
    const panel = el("div", {}, note, box);

    function card(column: GroupColumn): HTMLElement {
        const rules = column.rules.map(({ line, kind, value, effective }) => {
            const isOpen = kind === "disallow" && value === "";
            return el("li", { class: effective || isOpen ? kind : `${kind} idle` },
                lineLink(() => app.editor, line, String(line)), " ",
                el("code", {}, el("span", { class: "t-field" }, FIELDS[kind] ?? kind), `: ${brief(value, 120)}`),
                effective ? null : el("span", { class: "muted" }, isOpen ? " disallows nothing" : " never decides"));
        });
        const { shown, more } = folded(column.names, 30);
        const names = (more === 0 ? column.names : shown).map((name) =>
            name === "*" ? "Everyone else (*)" : ignoresFile(name) ? `${name} (ignores the file)` : mayIgnore(name) ? `${name} (may ignore the file)` : name);
        return el("section", { class: `card${column.isChosen ? " chosen" : ""}` },
            el("h3", {}, names.join(", "), more > 0 ? ` and ${more} more` : ""),
            column.isChosen ? el("p", { class: "chosen-note" }, app.crawlerName === "*" ? "This is for everyone else." : `${app.crawlerName} obeys this${mayIgnore(app.crawlerName) ? ", unless it ignores the file" : ""}.`) : null,
            rules.length === 0 ? el("p", { class: "muted" }, "No rules: everything is allowed.") : el("ul", { class: "rules" }, ...rules),
            column.more > 0 ? el("p", { class: "muted" }, `${count(column.more, "more rule")}.`) : null);
    }

    function draw({ columns, invalid, more, hasChosen }: Groups): void {
        fill(note, columns.length === 0
            ? "The file has no groups: every crawler may fetch everything."
            : "A crawler obeys the groups that name it, and no other; all others obey *. Names with the same rules share a card.",
        ignoresFile(app.crawlerName) ? ` ${app.crawlerName} ignores the file, as its operator says.`
            : columns.length > 0 && !hasChosen ? ` No group applies to ${app.crawlerName === "*" ? "everyone else" : app.crawlerName}.` : "");
        fill(box, ...columns.map(card),
            invalid.length === 0 ? null : el("section", { class: "card" }, el("h3", {}, "Names that no crawler obeys"),
                el("p", {}, ...invalid.slice(0, 50).flatMap((name, index) => [index === 0 ? "" : ", ", el("code", {}, brief(name, 80))])),
                el("p", { class: "muted" }, "No crawler can have such a name. The problems of the file say why.")),
            more > 0 ? el("p", { class: "muted" }, `${count(more, "more name")}.`) : null);
    }

    return {
        id: "groups",
        title: "Groups",
        panel,
        refresh() {
            void app.engine.ask("groups", {}).then((groups) => groups !== null && draw(groups));
        },
    };
}
