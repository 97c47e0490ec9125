/** The diagnostics of the file, in the style of a compiler, with what each fix changes. */
import type { App } from "./app.js";
import { add, brief, byId, count, el, fill } from "./dom.js";
import { lineLink, SEVERITIES } from "./editor.js";
import { effect, examples } from "./effect.js";
import type { Lint, Mark } from "./messages.js";

/** How many are shown at first, and for how many fixes the changes are found. */
const FIRST = 50;

/** The page with all codes. */
const CODES = "https://github.com/librobots/librobots/blob/main/bindings/cli/lint.md";

/** The part of a long line around its mark. */
const WIDTH = 76;

export interface Problems {
    show(lint: Lint): void;
    /** The problems that are shown are no longer those of the file. */
    busy(): void;
    /** Shows the problems of a line. */
    visit(line: number): void;
    fixButton(mark: Mark): HTMLElement | null;
}

export function createProblems(app: App): Problems {
    const list = byId<HTMLOListElement>("problem-list");
    const counts = byId("problem-counts");
    const fixAll = byId<HTMLButtonElement>("fix-all");
    let lint: Lint | null = null;
    let shown = FIRST;
    const places = new Map<number, HTMLElement>();

    async function fix(indexes: readonly number[], words: string): Promise<void> {
        const bytes = await app.engine.ask("edit", { marks: indexes });
        if (bytes !== null) app.edit(bytes, words);
    }

    function excerpt(mark: Mark): HTMLElement | null {
        if (mark.line === 0) return null;
        const text = app.editor.line(mark.line);
        const start = mark.from > WIDTH / 2 ? mark.from - 20 : 0;
        const visible = brief(text.slice(start, start + WIDTH + 1), WIDTH).replaceAll("\t", " ");
        const from = Math.min(mark.from - start, visible.length);
        const length = Math.max(1, Math.min(mark.to - mark.from, visible.length - from));
        const gap = " ".repeat(String(mark.line).length);
        return el("pre", { class: "excerpt", "aria-label": `line ${mark.line}: ${brief(text, 200)}` },
            el("span", { class: "rule" }, `${mark.line} | `), visible, "\n",
            el("span", { class: "rule" }, `${gap} | `), " ".repeat(from), el("span", { class: mark.severity }, "^".repeat(length)));
    }

    function item(mark: Mark, index: number): HTMLElement {
        // Lint proves what it calls safe.
        const isSafe = mark.fix?.kind === "safe";
        const changes = el("div", { class: "effect muted" }, isSafe ? effect({ classes: [], undecided: [], delays: [] }) : null);
        if (mark.fix !== null && !isSafe) places.set(index, changes);
        const meaning = el("div", { class: "meaning", id: `meaning-${index}`, hidden: true });
        return el("li", { class: `problem ${mark.severity}`, "data-line": String(mark.line) },
            el("p", { class: "problem-title" },
                el("span", { class: `tag ${mark.severity}` }, mark.severity), " ", codeButton(mark.code, meaning), " ", mark.message,
                mark.line === 0 ? null : " ", mark.line === 0 ? null : lineLink(() => app.editor, mark.line)),
            meaning, excerpt(mark),
            mark.suggestion === null && mark.otherLine === 0 ? null : el("p", { class: "help" },
                mark.suggestion === null ? null : `help: ${mark.suggestion}`,
                mark.otherLine === 0 ? null : " ", mark.otherLine === 0 ? null : lineLink(() => app.editor, mark.otherLine, `see line ${mark.otherLine}`)),
            mark.fix === null ? null : el("div", { class: "fix" }, fixButton(mark, index), changes));
    }

    /** The code, which shows or hides what it means. */
    function codeButton(code: string, place: HTMLElement): HTMLElement {
        const button = el("button", {
            type: "button", class: "code line-link", title: "What does this mean?", "aria-expanded": "false", "aria-controls": place.id,
            onclick: async () => {
                place.hidden = !place.hidden;
                button.setAttribute("aria-expanded", String(!place.hidden));
                if (place.childElementCount > 0) return;
                const answer = await app.engine.ask("meaning", { code });
                if (answer === null) return;
                const { title, explanation, example, fixed } = answer;
                fill(place, el("p", {}, el("b", {}, `${code}: ${title}.`), ` ${explanation}`),
                    example === "" ? null : el("div", { class: "pair" }, sample("For example", example), fixed === null ? null : sample("After its fix", fixed)),
                    el("p", {}, el("a", { href: `${CODES}#${code.toLowerCase()}`, target: "_blank", rel: "noopener noreferrer" }, `More about ${code}`)));
            },
        }, code);
        return button;
    }

    const sample = (title: string, text: string): HTMLElement =>
        el("div", { class: "field wide" }, el("span", { class: "muted" }, title), el("pre", { class: "sample" }, text));

    function fixButton(mark: Mark, index: number): HTMLElement {
        const { replacement, kind } = mark.fix!;
        const words = replacement === "" ? "remove it" : `write “${brief(replacement.trim().replaceAll("\n", " ⏎ "), 40)}”`;
        return el("button", {
            type: "button", class: "small", title: kind === "safe" ? "This changes no verdict of any crawler." : "This may change verdicts.",
            onclick: () => void fix([index], `Fixed ${mark.code} in line ${mark.line}.`),
        }, `Fix: ${words}`);
    }

    function draw(): void {
        if (lint === null) return;
        places.clear();
        const { errors, warnings, notes } = lint;
        const marks = lint.marks.map((mark, index) => ({ mark, index }));
        const parts = [[errors, "error"], [warnings, "warning"], [notes, "note"]] as const;
        fill(counts, parts.filter(([number]) => number > 0).map(([number, name]) => count(number, name)).join(", ") || "none found");
        const safe = marks.flatMap(({ mark, index }) => (mark.fix?.kind === "safe" ? [index] : []));
        fixAll.hidden = safe.length < 2;
        fixAll.onclick = () => void fix(safe, `Applied ${count(safe.length, "safe fix", "safe fixes")}.`);
        // What breaks the file comes before what is only worth knowing; within a severity, the file's order stays.
        marks.sort((a, b) => SEVERITIES.indexOf(b.mark.severity) - SEVERITIES.indexOf(a.mark.severity));
        fill(list, ...marks.slice(0, shown).map(({ mark, index }) => item(mark, index)));
        if (marks.length > shown) {
            add(list, [el("li", {}, el("button", {
                type: "button",
                onclick: () => {
                    shown = Infinity;
                    draw();
                },
            }, `Show all ${marks.length.toLocaleString("en")}`))]);
        }
        if (marks.length === 0) add(list, [el("li", { class: "muted none" }, "No faults found in how the file is written. The verdicts say what it lets in.")]);
        void preview([...places.keys()].slice(0, FIRST));
    }

    async function preview(indexes: readonly number[]): Promise<void> {
        if (indexes.length === 0) return;
        const previews = await app.engine.ask("fixes", { marks: indexes });
        for (const { mark, difference } of previews ?? []) {
            const place = places.get(mark);
            if (place !== undefined) fill(place, effect(difference), examples(difference));
        }
    }

    return {
        show(found) {
            lint = found;
            shown = FIRST;
            draw();
            list.setAttribute("aria-busy", "false");
        },
        busy() {
            list.setAttribute("aria-busy", "true");
        },
        visit(line) {
            const target = list.querySelector<HTMLElement>(`[data-line="${line}"]`);
            target?.scrollIntoView({ block: "nearest" });
            target?.classList.add("flash");
            setTimeout(() => target?.classList.remove("flash"), 1200);
        },
        fixButton(mark) {
            const index = lint?.marks.indexOf(mark) ?? -1;
            return mark.fix === null || index < 0 ? null : fixButton(mark, index);
        },
    };
}
