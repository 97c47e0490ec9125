/** Recipes: what the owner of a site wants, as rules. */
import type { App, Tab } from "../app.js";
import { brief, count, el, fill } from "../dom.js";
import { effect, examples } from "../effect.js";
import type { Questions } from "../messages.js";
import { presets } from "../presets.js";
import api from "../api.json";

/** An example of what a recipe takes. */
const EXAMPLES: Readonly<Record<string, string>> = {
    "/PATH/...": "/private/", "/PATH...": "/page.html", "EXTENSION...": "pdf", "NAME...": "sort", "TOKEN...": "GPTBot",
    "URL...": "https://example.com/sitemap.xml",
};

/** The lines that a file has more than another one, with their numbers. */
export function addedLines(before: string, now: string): [number, string][] {
    const old = before.split(/\r\n?|\n/);
    const added: [number, string][] = [];
    let at = 0;
    for (const [index, line] of now.split(/\r\n?|\n/).entries()) {
        if (line === old[at]) at++;
        else added.push([index + 1, line]);
    }
    return added.filter(([, line]) => line !== "");
}

/** A recipe that may be chosen, and what it takes. */
interface Option {
    readonly name: string;
    readonly title: string;
    readonly takesCrawlers: boolean;
    readonly box: HTMLInputElement;
    readonly fields: HTMLElement;
    /** The words that the user wrote; null if it takes none. */
    words(): string[] | null;
    crawlers(): string;
}

const split = ({ value }: HTMLInputElement): string[] => value.trim().split(/[\s,]+/).filter((word) => word !== "");

export function createRecipes(app: App): Tab {
    const options = api.recipes.map(option);
    const comments = el("input", { type: "checkbox", id: "recipe-comments", onchange: ask });
    const add = el("button", { type: "submit", class: "main", id: "recipe-add", disabled: true, form: "recipe-form" }, "Add to the file");
    const preview = el("div", { id: "recipe-preview", "aria-live": "polite" });
    const form = el("form", { class: "recipe", id: "recipe-form" },
        el("fieldset", {}, el("legend", {}, "Choose what you want, one or more"), ...options.map(({ name, box, title }) => el("label", { class: "option" }, box, el("span", {}, title), el("code", { class: "muted" }, name)))),
        el("datalist", { id: "recipe-tokens" }, ...presets.map(({ name }) => el("option", { value: name }))),
        ...options.map(({ fields }) => fields));
    // Where the preview is in view whatever is chosen.
    const panel = el("div", { class: "recipe-panel" }, form, el("div", { class: "recipe-result" },
        el("div", { class: "bar" }, el("label", { class: "check" }, comments, " Explain it in comments"), el("span", { class: "spring" }), add),
        preview));
    let result: Uint8Array | null = null;

    function option({ name, title, arguments: kind, takes_crawlers: takes }: (typeof api.recipes)[number]): Option {
        // A recipe without words has no fields: it is for everyone.
        const takesCrawlers = takes && kind !== "";
        const id = `recipe-${name}`;
        const input = (id: string, attributes: Record<string, string | null>): HTMLInputElement =>
            el("input", { id, type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off", oninput: ask, ...attributes });
        const example = name === "image" ? "/images/dog.jpg" : EXAMPLES[kind] ?? kind;
        const text = input(`${id}-arguments`, { placeholder: example, "aria-describedby": `${id}-hint`, list: kind === "TOKEN..." ? "recipe-tokens" : null });
        const who = input(`${id}-for`, { value: "*", list: "recipe-tokens", "aria-describedby": `${id}-who` });
        const fields = el("div", { class: "recipe-fields" },
            el("div", { class: "field wide" }, el("label", { for: text.id }, title), text, el("span", { class: "muted hint", id: `${id}-hint` }, `Such as ${example}${kind === "TOKEN..." ? ", or google for its crawlers" : ""}; several with spaces between them.`)),
            takesCrawlers ? el("div", { class: "field" }, el("label", { for: who.id }, "Crawlers (* is everyone)"), who,
                el("span", { class: "muted hint", id: `${id}-who` }, "Such as Googlebot, or google for its crawlers.")) : null);
        const box = el("input", { type: "checkbox", id, onchange: () => { show(); ask(); if (box.checked && kind !== "") text.focus(); } });
        box.checked = name === "folder";
        const show = (): void => void (fields.hidden = kind === "" || !box.checked);
        show();
        return { name, title, takesCrawlers, box, fields, words: () => (kind === "" ? null : split(text)), crawlers: () => split(who).join(" ") || "*" };
    }

    /** The recipes that are chosen and filled in. */
    const chosen = (): Option[] => options.filter(({ box, words }) => box.checked && words()?.length !== 0);

    function draw(answer: Questions["recipe"]["answer"]): void {
        if ("fault" in answer) {
            fill(preview, el("p", { class: "notice warning" }, answer.fault));
            return;
        }
        result = answer.bytes;
        const lines = addedLines(app.editor.text, new TextDecoder("utf-8", { ignoreBOM: true }).decode(answer.bytes));
        const width = String(lines.at(-1)?.[0] ?? 0).length;
        add.disabled = lines.length === 0;
        const isNew = new Set(lines.map(([number]) => number));
        const items = [
            ...answer.effects.map((words) => el("li", {}, words)),
            ...answer.warnings.map((words) => el("li", { class: "warning" }, words)),
        ];
        fill(preview,
            ...answer.faults.filter(({ line }) => isNew.has(line)).map(({ line, words }) => el("p", { class: "notice warning" }, `Line ${line}: ${words}`)),
            el("h3", {}, lines.length === 0 ? "The file says this already" : `${count(lines.length, "line")} to add`),
            lines.length === 0 ? null : el("pre", { class: "added", tabindex: "0", "aria-label": "Lines to add" }, ...lines.slice(0, 200).flatMap(([number, line]) => [
                el("span", { class: "rule" }, `${String(number).padStart(width)} `), `+ ${brief(line, 200)}\n`])),
            items.length === 0 ? null : el("ul", { class: "effects" }, ...items),
            el("p", { class: "muted" }, effect(answer.difference)), examples(answer.difference, 8));
    }

    function ask(): void {
        result = null;
        add.disabled = true;
        const requests = chosen().flatMap(({ name, takesCrawlers, words, crawlers }) =>
            [...(takesCrawlers ? [`for ${crawlers()}`] : []), [name, ...(words() ?? [])].join(" ")]);
        // The question replaces an older one, also if nothing is chosen.
        void app.engine.ask("recipe", { requests: requests.join("\n"), comments: comments.checked }).then((answer) => {
            if (requests.length === 0) fill(preview);
            else if (answer !== null) draw(answer);
        });
    }
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        if (result !== null) app.edit(result, `Added: ${chosen().map(({ title }) => title).join(" ")}`);
    });

    return { id: "recipes", title: "Recipes", panel, refresh: ask };
}
