/** The policy table: all known crawlers and the URLs. */
import type { App, Tab } from "../app.js";
import { brief, count, el, fill, icon } from "../dom.js";
import { REASONS } from "../messages.js";
import type { TableRow } from "../messages.js";
import { PURPOSES, caveat, presetNamed } from "../presets.js";
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
    const panel = el("div", {}, note, box);

    function cell(row: TableRow, index: number, ignores: boolean): HTMLElement {
        const url = app.urls[index]!;
        const line = row.lines[index]!;
        const verdict = { status: row.statuses[index]!, reason: REASONS[row.reasons[index]!]!, line };
        const said = `${word(verdict)}${line > 0 ? ` by line ${line}` : `: ${reasonWords(verdict)}`}`;
        return el("td", {
            class: `cell ${ignores ? "moot" : tone(verdict)}`,
            title: `${row.name}, ${brief(url, 100)}: ${said}`,
            onmouseenter: () => app.editor.point(line > 0 ? [line] : []),
        }, icon(tone(verdict)), el("span", { class: "hidden" }, said));
    }

    function draw(rows: readonly TableRow[]): void {
        const shown = Math.min(COLUMNS, app.urls.length);
        const total = app.urls.length;
        fill(note, total === 0
            ? "Add URLs in the tab URLs: the table shows what each known crawler may fetch."
            : "Each crawler reads the file in the dialect of its operator. A filled dot: a group names it; a hollow dot: it obeys the group of *.",
        total > shown ? ` The first ${shown} URLs have a column; all ${count(total, "URL")} are counted.` : "");
        if (total === 0) {
            fill(box);
            return;
        }
        const head = el("tr", {}, el("th", { scope: "col", class: "name" }, "Crawler"), el("th", { scope: "col", class: "sum" }, "Allowed"),
            ...app.urls.slice(0, shown).map((url) => el("th", { scope: "col", class: "turned", title: brief(url, 300) }, el("span", {}, short(url)))));
        const bodies = PURPOSES.map(([purpose, title]) => el("tbody", {},
            el("tr", { class: "purpose" }, el("th", { scope: "rowgroup", colspan: "2" }, title), el("td", { colspan: String(Math.max(1, shown)) })),
            ...rows.filter((row) => presetNamed(row.name)?.purpose === purpose).map((row) => {
                const preset = presetNamed(row.name)!;
                const ignores = preset.ignores_robots_txt;
                const words = caveat(preset);
                return el("tr", {},
                    el("th", { scope: "row", class: "name" },
                        el("span", { class: `dot ${row.hasOwnGroup ? "own" : ""}`, title: row.hasOwnGroup ? "a group names it" : "no group names it" }),
                        el("button", {
                            type: "button", class: "name-link", title: "Show its verdicts",
                            onclick: () => {
                                app.setCrawler({ name: row.name, isPreset: true, dialect: app.crawler.dialect });
                                app.open("urls");
                            },
                        }, row.name),
                        words === "" ? null : el("span", { class: "caveat", title: words }, ignores ? "ignores robots.txt" : preset.may_ignore ? "may ignore" : preset.is_control_token ? "control token" : "ignores *")),
                    el("td", { class: "sum" }, ignores ? "–" : row.allowed === total ? "all" : row.allowed === 0 ? "none" : `${row.allowed.toLocaleString("en")} of ${total.toLocaleString("en")}`),
                    ...Array.from({ length: shown }, (_, index) => cell(row, index, ignores)));
            })));
        fill(box, el("table", { class: "table" }, el("caption", { class: "hidden" }, "What each known crawler may fetch"), el("thead", {}, head), ...bodies));
    }

    return {
        id: "table",
        title: "All crawlers",
        panel,
        refresh() {
            void app.engine.ask("table", { columns: COLUMNS }).then((rows) => rows !== null && draw(rows));
        },
    };
}
