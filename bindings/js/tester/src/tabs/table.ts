/** The policy table: all known crawlers and the URLs. */
import type { App, Tab } from "../app.js";
import { brief, count, el, fill, icon } from "../dom.js";
import { namesOf } from "../effect.js";
import { REASONS } from "../messages.js";
import type { Table, TableRow } from "../messages.js";
import { PURPOSES, caveat, mayIgnore, presetNamed } from "../presets.js";
import { reasonWords, tone, word } from "../words.js";

/** More URLs than this are counted, but have no column. */
const COLUMNS = 24;

/** The part of a URL that fits in the head of a column. */
function short(url: string): string {
    const path = url.replace(/^[a-z]+:\/\/[^/]*(?=\/)/i, "");
    return path.length <= 26 ? path : `${path.slice(0, 12)}…${path.slice(-13)}`;
}

export function createTable(app: App): Tab {
    const note = el("p", { class: "muted lead" });
    const box = el("div", { class: "table-box", tabindex: "0", role: "region", "aria-label": "Crawlers and URLs" });
    const summary = el("p", { class: "lead" });
    const panel = el("div", {}, summary, note, box);

    function cell(row: TableRow, url: string, index: number): HTMLElement {
        const line = row.lines[index]!;
        const verdict = { status: row.statuses[index]!, reason: REASONS[row.reasons[index]!]!, line };
        const said = `${word(verdict)}${line > 0 ? ` by line ${line}` : `: ${reasonWords(verdict)}`}${verdict.status === 0 && mayIgnore(row.name) ? ", which it may ignore" : ""}`;
        return el("td", {
            class: `cell ${tone(verdict)}`,
            title: `${row.name}, ${brief(url, 100)}: ${said}`,
            onmouseenter: () => app.editor.point(line > 0 ? [line] : []),
        }, icon(tone(verdict)), el("span", { class: "hidden" }, said));
    }

    function draw({ examples, rows }: Table): void {
        const all = examples ?? app.urls;
        const urls = all.slice(0, COLUMNS);
        const shown = urls.length;
        const total = all.length;
        fill(note, examples === null ? "" : "You have no URLs yet. These are examples: the home page, a CSS file, a product page, and the shortest paths that the rules of * shut. ",
            "A filled dot: a group names the crawler, or one whose rules it takes over. A hollow dot: it obeys the group of *. No dot: no group counts for it.",
        total > shown ? ` The first ${shown} URLs have a column; all ${count(total, "URL")} are counted.` : "");
        const out = rows.filter(({ name, allowed }) => allowed === 0 && presetNamed(name)?.ignores_robots_txt === false).map(({ name }) => name);
        fill(summary, `${out.length === 0 ? "No known crawler" : namesOf(out, 6)} ${out.length < 2 ? "is" : "are"} shut out of all of these URLs.`);
        const head = el("tr", {}, el("th", { scope: "col", class: "name" }, "Crawler"), el("th", { scope: "col", class: "sum" }, "Allowed"),
            ...urls.map((url) => el("th", { scope: "col", class: "turned", title: brief(url, 300) }, el("span", {}, short(url)))));
        const bodies = PURPOSES.map(([purpose, title]) => el("tbody", {},
            el("tr", { class: "purpose" }, el("th", { scope: "rowgroup", colspan: "2" }, title), el("td", { colspan: String(Math.max(1, shown)) })),
            ...rows.filter((row) => presetNamed(row.name)?.purpose === purpose).map((row) => {
                const preset = presetNamed(row.name)!;
                const ignores = preset.ignores_robots_txt;
                const words = caveat(preset);
                return el("tr", {},
                    el("th", { scope: "row", class: "name" },
                        el("span", {
                            class: `dot ${row.token === null ? "none" : row.token === "*" ? "" : "own"}`,
                            title: ignores ? "it ignores the file" : row.token === null ? "no group counts for it" : `it obeys the group of ${row.token}`,
                        }),
                        el("button", {
                            type: "button", class: "name-link", title: "Show its verdicts",
                            onclick: () => {
                                app.setCrawler({ name: row.name, isPreset: true, dialect: app.crawler.dialect });
                                app.open("urls");
                            },
                        }, row.name),
                        words === "" ? null : el("span", { class: "caveat", title: words }, ignores ? "ignores the file" : preset.may_ignore ? "may ignore the file" : preset.is_control_token ? "fetches nothing" : "ignores *")),
                    el("td", { class: "sum" }, ignores ? "–" : row.allowed === total ? "all" : row.allowed === 0 ? "none" : `${row.allowed.toLocaleString("en")} of ${total.toLocaleString("en")}`),
                    ...urls.map((url, index) => cell(row, url, index)));
            })));
        fill(box, el("table", { class: "table" }, el("caption", { class: "hidden" }, "What each known crawler may fetch"), el("thead", {}, head), ...bodies));
    }

    return {
        id: "table",
        title: "All crawlers",
        panel,
        refresh() {
            void app.engine.ask("table", { columns: COLUMNS }).then((table) => table !== null && draw(table));
        },
    };
}
