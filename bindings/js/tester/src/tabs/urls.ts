/** The URLs and their verdicts. */
import type { App, Tab } from "../app.js";
import { MOST_URLS, urlsOf } from "../app.js";
import { brief, count, el, fill, icon, save, sentence } from "../dom.js";
import { Editor } from "../editor.js";
import { explanation } from "../explanation.js";
import { REASONS } from "../messages.js";
import { suggestion } from "../suggestion.js";
import type { Decided, Decisions } from "../messages.js";
import { mayIgnore } from "../presets.js";
import { badge, reasonWords, tone, word } from "../words.js";

/** The height of a row, as in style.css. */
const ROW = 46;

type Filter = "all" | "yes" | "no";

/** A URL whose path stays in view where there is little room. */
function split(url: string): HTMLElement[] {
    const site = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url)?.[0] ?? "";
    return [el("span", { class: "site" }, brief(site, 200)), el("span", { class: "path" }, brief(url.slice(site.length), 200))];
}

export interface UrlTab extends Tab {
    /** Shows verdicts. */
    show(decisions: Decisions): void;
    /** The URL that is being typed. */
    readonly draft: string;
    addText(text: string): void;
    /** The verdicts that are shown are no longer those of the file. */
    busy(): void;
}

export function createUrls(app: App, onDraft: () => void): UrlTab {
    let decisions: Decisions | null = null;
    let filter: Filter = "all";
    /** Indexes of the URLs that the filter leaves. */
    let rows: Uint32Array | null = null;
    let selected = -1;

    const input = el("input", {
        id: "url-input", type: "text", placeholder: "https://example.com/page or /page", spellcheck: "false", autocomplete: "off", autocapitalize: "off",
    });
    const draftBox = el("div", { class: "draft", id: "draft", "aria-live": "polite" });
    const form = el("form", { class: "add" },
        el("label", { for: "url-input" }, "Test a URL"), el("div", { class: "add-row" }, input, el("button", { type: "submit" }, "Add")), draftBox);

    const filters = el("div", { class: "segments", role: "group", "aria-label": "Which URLs are shown" });
    const text = el("div", { id: "url-text", class: "url-editor", hidden: true });
    let editor: Editor | null = null;
    const editButton = el("button", { type: "button", id: "edit-urls", "aria-pressed": "false" }, "Edit as text");
    const file = el("input", { type: "file", hidden: true, id: "url-file" });
    const bar = el("div", { class: "bar" }, filters, el("span", { class: "spring" }), editButton,
        el("button", { type: "button", id: "open-urls", onclick: () => file.click() }, "Open…"),
        el("button", { type: "button", id: "save-csv", onclick: saveCsv }, "Save CSV"), file);

    const wrong = el("div", { class: "notice warning", hidden: true, id: "wrong" });
    const names = el("p", { class: "notice warning", hidden: true, id: "names" });
    const sites = el("p", { class: "notice warning", hidden: true, id: "sites" });
    const inner = el("div", { class: "rows-inner" });
    const list = el("div", { class: "rows", id: "urls", role: "listbox", tabindex: "0", "aria-label": "URLs and verdicts" }, inner);
    const why = el("section", { class: "why", id: "why", "aria-label": "Explanation", hidden: true });
    const panel = el("div", { class: "url-panel" }, form, bar, wrong, names, sites, text, list, why);

    const at = (index: number): Decided => ({
        status: decisions?.statuses[index] ?? 2,
        reason: REASONS[decisions?.reasons[index] ?? 0]!,
        line: decisions?.lines[index] ?? 0,
    });
    /** Whether the crawler may ignore a ban. */
    const isDoubtful = ({ status }: Decided): boolean => status === 0 && mayIgnore(app.crawlerName);
    const length = (): number => rows?.length ?? app.urls.length;
    const urlAt = (row: number): number => rows?.[row] ?? row;

    function reason(verdict: Decided, url: string): string {
        const better = verdict.status === 2 ? suggestion(url) : null;
        if (better !== null) return `write ${brief(better, 80)}`;
        if (verdict.line === 0) return reasonWords(verdict);
        return `${isDoubtful(verdict) ? "may ignore " : ""}line ${verdict.line}: ${brief(app.editor.line(verdict.line).replace(/\s*#.*$/, "").trim(), 80)}`;
    }

    // --- the list: only rows in view exist -----------------------------------------------------------------------------

    function draw(): void {
        const height = length() * ROW;
        // Through the object model, which the Content-Security-Policy allows.
        inner.style.height = `${height}px`;
        const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 4);
        const last = Math.min(length(), first + Math.ceil(list.clientHeight / ROW) + 8);
        const nodes: HTMLElement[] = [];
        for (let row = first; row < last; row++) {
            const index = urlAt(row);
            const url = app.urls[index];
            if (url === undefined) continue;
            const verdict = at(index);
            const isKnown = decisions?.fault === null && index < decisions.statuses.length;
            const node = el("div", {
                class: `row ${isKnown ? tone(verdict) : "bad"}`, role: "option", id: `row-${row}`,
                "aria-selected": String(index === selected), "aria-setsize": String(length()), "aria-posinset": String(row + 1),
                onmouseenter: () => isKnown && app.editor.point(verdict.line === 0 ? [] : [verdict.line]),
                onclick: () => select(row),
            },
                el("span", { class: "mark" }, icon(isKnown ? tone(verdict) : "moot")),
                el("span", { class: "row-text" }, el("span", { class: "url", title: brief(url, 300) }, ...split(url)),
                    el("span", { class: "reason" }, isKnown ? reason(verdict, url) : "")),
                el("span", { class: "word" }, isKnown ? word(verdict) : ""));
            node.style.top = `${row * ROW}px`;
            nodes.push(node);
        }
        fill(inner, ...nodes);
        if (length() === 0) {
            inner.style.height = "100%";
            fill(inner, el("p", { class: "empty" }, app.urls.length > 0
                ? "No URL has this verdict."
                : "No URLs yet. Type one above, paste a list, or drop a file of URLs here."));
        }
        const row = rowOf(selected);
        if (row >= first && row < last) list.setAttribute("aria-activedescendant", `row-${row}`);
        else list.removeAttribute("aria-activedescendant");
    }

    const rowOf = (index: number): number => (index < 0 ? -1 : rows === null ? index : rows.indexOf(index));

    function drawFilters(): void {
        const counts = { all: app.urls.length, yes: 0, no: 0 };
        for (const status of decisions?.statuses ?? []) {
            if (status === 1) counts.yes++;
            else if (status === 0) counts.no++;
        }
        const titles: [Filter, string][] = [["all", "All"], ["yes", "Allowed"], ["no", "Disallowed"]];
        fill(filters, ...titles.map(([name, title]) => el("button", {
            type: "button", "aria-pressed": String(filter === name), "data-filter": name,
            onclick: () => {
                filter = name;
                select(-1);
                update();
                filters.querySelector<HTMLElement>(`[data-filter="${name}"]`)?.focus();
            },
        }, `${title} `, el("span", { class: "number" }, counts[name].toLocaleString("en")))));
    }

    /** Says which lines are not URLs, and writes what they mean with one click. */
    function drawWrong(): void {
        const better = (url: string, index: number): string => (at(index).status === 2 ? suggestion(url) : null) ?? url;
        const lines = app.urls.flatMap((url, index) => (better(url, index) === url ? [] : [[url, better(url, index)] as const]));
        wrong.hidden = lines.length === 0;
        if (wrong.hidden) return;
        fill(wrong, lines.length === 1 ? "1 line is not a URL: " : `${lines.length.toLocaleString("en")} lines are not URLs: `,
            ...lines.slice(0, 3).flatMap(([url], index) => [index === 0 ? "" : ", ", el("code", {}, brief(url, 40))]), lines.length > 3 ? ", … " : " ",
            el("button", {
                type: "button", class: "small", id: "correct", onclick: () => {
                    app.setUrls(app.urls.map(better));
                    if (!text.hidden) editor?.load(app.urls.join("\n"));
                    app.say(`Corrected ${count(lines.length, "line")}.`);
                },
            }, `Write ${brief(lines[0]![1], 40)}${lines.length > 1 ? " and so on" : ""}`));
    }

    function update(): void {
        const { statuses } = decisions ?? { statuses: new Uint8Array() };
        rows = null;
        if (filter !== "all") {
            const indexes: number[] = [];
            for (let index = 0; index < app.urls.length; index++) if (statuses[index] === (filter === "yes" ? 1 : 0)) indexes.push(index);
            rows = Uint32Array.from(indexes);
        }
        drawFilters();
        draw();
    }

    /** Scrolls as little as needed. */
    function reveal(row: number): void {
        const [top, bottom] = [row * ROW, (row + 1) * ROW];
        if (top < list.scrollTop) list.scrollTop = top;
        else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
    }

    function select(row: number, scroll = true): void {
        selected = row < 0 ? -1 : urlAt(row);
        if (row >= 0) {
            reveal(row);
            const { line } = at(selected);
            app.editor.point(line === 0 ? [] : [line], scroll);
        }
        why.hidden = row < 0;
        draw();
        if (row >= 0) void explainSelected();
    }

    async function explainSelected(): Promise<void> {
        const url = app.urls[selected];
        if (url === undefined) {
            why.hidden = true;
            return;
        }
        const answer = await app.engine.ask("explain", { url });
        if (answer === null || app.urls[selected] !== url) return;
        const close = el("button", { type: "button", class: "small", onclick: () => { select(-1); list.focus(); } }, "Close");
        const remove = el("button", { type: "button", class: "small", onclick: () => removeSelected() }, "Remove URL");
        const isNew = why.dataset["url"] !== url;
        why.dataset["url"] = url;
        fill(why, explanation(app, url, answer, [remove, close]));
        if (!isNew) return;
        // The explanation takes room of the list; on a phone it is below.
        reveal(rowOf(selected));
        why.scrollIntoView({ block: "nearest" });
    }

    function removeSelected(): void {
        const row = rowOf(selected);
        if (row < 0) return;
        const gone = selected;
        selected = -1;
        why.hidden = true;
        app.setUrls(app.urls.filter((_, index) => index !== gone));
        list.focus();
    }

    list.addEventListener("scroll", draw, { passive: true });
    list.addEventListener("mouseleave", () => selected < 0 && app.editor.point([]));
    list.addEventListener("keydown", (event) => {
        const row = rowOf(selected);
        const page = Math.max(1, Math.floor(list.clientHeight / ROW) - 1);
        const moves: Record<string, number> = {
            ArrowDown: row + 1, ArrowUp: row < 0 ? length() - 1 : row - 1, PageDown: row + page, PageUp: row - page, Home: 0, End: length() - 1,
        };
        const to = moves[event.key];
        if (to !== undefined && length() > 0) {
            event.preventDefault();
            select(Math.max(0, Math.min(length() - 1, to)));
        } else if (event.key === "Delete") {
            removeSelected();
        } else if (event.key === "Escape") {
            select(-1);
        }
    });
    new ResizeObserver(draw).observe(list);

    // --- input ----------------------------------------------------------------------------------------------------------

    function addText(added: string): void {
        const more = urlsOf(added);
        if (more.length === 0) return;
        const all = [...app.urls, ...more];
        app.setUrls(all.slice(0, MOST_URLS));
        app.say(all.length > MOST_URLS ? `Only the first ${count(MOST_URLS, "URL")} are kept.` : `Added ${count(more.length, "URL")}.`);
        list.scrollTop = list.scrollHeight;
    }
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        addText(input.value);
        input.value = "";
        onDraft();
    });
    input.addEventListener("input", onDraft);
    input.addEventListener("paste", (event) => {
        const pasted = event.clipboardData?.getData("text/plain") ?? "";
        if (!/[\r\n]/.test(pasted.trim())) return;
        event.preventDefault();
        addText(pasted);
    });
    editButton.addEventListener("click", () => {
        const isText = text.hidden;
        text.hidden = !isText;
        list.hidden = isText;
        editButton.setAttribute("aria-pressed", String(isText));
        fill(editButton, isText ? "Show verdicts" : "Edit as text");
        why.hidden = true;
        selected = -1;
        if (isText) {
            // An editor again: a textarea takes seconds for 10,000 lines.
            editor ??= new Editor({ parent: text, label: "URLs, one on a line", onChange: () => app.setUrls(urlsOf(editor!.text)) });
            editor.load(app.urls.join("\n"));
            editor.view.focus();
        } else {
            draw();
        }
    });
    file.addEventListener("change", () => {
        const chosen = file.files?.[0];
        file.value = "";
        if (chosen !== undefined) void chosen.text().then(addText);
    });

    function saveCsv(): void {
        // A spreadsheet must not run untrusted text as a formula: it may skip white space, and fold the full-width ＝＋－＠.
        const cell = (value: string): string => `"${(/^[\s=+\-@＝＋－＠]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
        const lines = app.urls.map((url, index) => {
            const verdict = at(index);
            const said = `${word(verdict).toLowerCase()}${isDoubtful(verdict) ? " (may ignore)" : ""}`;
            return [cell(url), cell(app.crawlerName), said, verdict.reason, verdict.line || ""].join(",");
        });
        save("verdicts.csv", ["url,crawler,verdict,reason,line", ...lines, ""].join("\r\n"), "text/csv;charset=utf-8");
    }

    return {
        id: "urls",
        title: "URLs",
        panel,
        get draft() {
            return input.value.trim();
        },
        addText,
        busy() {
            list.setAttribute("aria-busy", "true");
        },
        refresh() {
            if (!text.hidden && editor !== null && urlsOf(editor.text).length !== app.urls.length) editor.load(app.urls.join("\n"));
            draw();
        },
        show(found) {
            decisions = found;
            const { draft, fault, sites: of } = found;
            const typed = input.value.trim();
            if (draft === null) fill(draftBox);
            else {
                const better = draft.status === 2 ? suggestion(typed) : null;
                fill(draftBox, badge(draft), " ", better !== null
                    ? el("button", { type: "button", class: "small", onclick: () => { input.value = better; input.focus(); onDraft(); } }, `Write ${brief(better, 60)}`)
                    : el("span", { class: "reason" }, reason(draft, typed)));
                app.editor.point(draft.line === 0 ? [] : [draft.line], typed !== "");
            }
            sites.hidden = of.length < 2 && fault === null;
            fill(sites, fault ?? `These URLs are of ${of.length === 5 ? "5 or more" : of.length} sites: ${of.join(", ")}. Each site has its own robots.txt, and this file governs one of them.`);
            names.hidden = found.names.length === 0;
            fill(names, found.names.map((words) => `${sentence(words)}.`).join(" "));
            drawWrong();
            update();
            list.setAttribute("aria-busy", "false");
            if (selected >= 0) void explainSelected();
        },
    };
}
