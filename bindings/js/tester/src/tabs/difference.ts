/** The verdicts that change between two files. */
import type { App, Tab } from "../app.js";
import { brief, count, el, fill } from "../dom.js";
import { Editor, lineLink } from "../editor.js";
import { effect, namesOf } from "../effect.js";
import { bytesOf, textOf } from "../file.js";
import type { Change, Changes, Difference, Questions } from "../messages.js";
import { isMinor } from "../presets.js";
import { badge, reasonWords } from "../words.js";

export interface DifferenceTab extends Tab {
    /** Reads a file as the one before. */
    loadFile(file: File): void;
}

export function createDifference(app: App): DifferenceTab {
    const input = el("input", { type: "file", hidden: true, id: "before-file" });
    const parent = el("div", { class: "editor small-editor", id: "before" });
    const summary = el("p", { class: "lead", id: "difference-summary", role: "status" });
    const box = el("div", { class: "cards" });
    const panel = el("div", {},
        el("p", { class: "muted lead" }, "Keep the file as it is now, then edit it: this shows a shortest path for each rule that changes verdicts, and your own URLs. Or paste the file from before."),
        el("div", { class: "bar" }, el("h3", {}, "Before"), el("span", { class: "spring" }),
            el("button", { type: "button", id: "keep", onclick: keep }, "Keep the current file"),
            el("button", { type: "button", onclick: () => input.click() }, "Open…"), input),
        parent, summary, box);
    let editor: Editor | null = null;
    let isSet = false;

    /** Created when it is first shown: few need it. */
    function before(): Editor {
        return (editor ??= new Editor({ parent, label: "robots.txt before the change", onChange: changed, onFile: loadFile }));
    }

    function set(bytes: Uint8Array): void {
        isSet = true;
        app.engine.send({ set: "file", side: "other", bytes });
        ask();
    }

    function changed(): void {
        set(bytesOf(before().text));
    }

    function keep(): void {
        before().load(app.editor.text);
        changed();
        app.say("Kept. Now edit your file.");
    }

    function loadFile(file: File): void {
        void file.arrayBuffer().then((buffer) => {
            const bytes = new Uint8Array(buffer);
            before().load(textOf(bytes).text);
            set(bytes);
        });
    }
    input.addEventListener("change", () => {
        const file = input.files?.[0];
        input.value = "";
        if (file !== undefined) loadFile(file);
    });

    function side(verdict: Change["before"], of: () => Editor): HTMLElement {
        return el("span", { class: "side" }, badge(verdict), " ",
            verdict.line > 0 ? lineLink(of, verdict.line) : el("span", { class: "muted" }, reasonWords(verdict)));
    }

    function draw({ difference, sitemaps }: Questions["difference"]["answer"]): void {
        fill(summary, effect(difference));
        const isFolded = ({ crawlers }: Changes): boolean => crawlers.every((name) => isMinor(name) && name !== app.crawler.name);
        const [open, rest] = [difference.classes.filter((one) => !isFolded(one)), difference.classes.filter(isFolded)];
        const names = new Set(rest.flatMap(({ crawlers }) => crawlers));
        fill(box, ...open.map(card),
            rest.length === 0 ? null : el("details", { open: open.length === 0, class: "others" },
                el("summary", {}, `${count(names.size, "other crawler")}: ${namesOf([...names], 6)}`),
                el("div", { class: "cards" }, ...rest.map(card))),
            others(difference, sitemaps));
    }

    /** What decides no verdict. */
    function others({ delays }: Difference, { added, removed }: Questions["difference"]["answer"]["sitemaps"]): HTMLElement {
        const delay = (seconds: number | null): string => (seconds === null ? "none" : `${seconds} s`);
        const list = (title: string, of: () => Editor, lines: typeof added): HTMLElement[] => lines.slice(0, 100).map(({ line, url }) =>
            el("li", {}, `${title}: `, el("code", { class: "long" }, brief(url, 200)), " ", lineLink(of, line)));
        return el("section", { class: "records", id: "difference-records" },
            el("h3", {}, "Crawl-delays and sitemaps"),
            delays.length + added.length + removed.length === 0 ? el("p", {}, "None of them changes.") : el("ul", { class: "rules" },
                ...delays.slice(0, 100).map(({ crawlers, before: old, after: now }) => el("li", {}, `Crawl-delay for ${namesOf(crawlers, 6)}: ${delay(old)} → ${delay(now)}`)),
                ...list("Sitemap added", () => app.editor, added), ...list("Sitemap removed", before, removed)),
            el("p", { class: "muted" }, "They change no verdict. Other records, such as Host or Content-Signal, are not compared."));
    }

    function card({ crawlers, changes, total }: Changes): HTMLElement {
        return (el("section", { class: "card" },
            el("h3", {}, namesOf(crawlers, 12)),
            el("table", { class: "changes diff" },
                el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "URL"), el("th", { scope: "col" }, "Before"), el("th", { scope: "col" }, "Now"))),
                el("tbody", {}, ...changes.map((change) => el("tr", {},
                    el("td", {}, el("code", {}, brief(change.url, 100))),
                    el("td", {}, side(change.before, before)),
                    el("td", {}, side(change.after, () => app.editor)))))),
            total > changes.length ? el("p", { class: "muted" }, `${count(total - changes.length, "more change")}.`) : null));
    }

    function ask(): void {
        if (!isSet) {
            fill(summary);
            fill(box);
            return;
        }
        void app.engine.ask("difference", {}).then((answer) => {
            if (answer === null) return;
            before().show(answer.meanings, []);
            draw(answer);
        });
    }

    return {
        id: "difference",
        title: "Difference",
        panel,
        loadFile,
        refresh() {
            before();
            ask();
        },
    };
}
