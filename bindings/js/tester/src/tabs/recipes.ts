/** Recipes: what the owner of a site wants, as rules. */
import type { App, Tab } from "../app.js";
import { brief, count, el, fill } from "../dom.js";
import type { Difference, Questions } from "../messages.js";
import { presetNamed, presets } from "../presets.js";
import { examples } from "../problems.js";
import api from "../api.json";

/** What a recipe takes, for people: a label and an example. */
const ARGUMENTS: Readonly<Record<string, readonly [label: string, example: string]>> = {
    "/PATH/...": ["Folders", "/private/"],
    "/PATH...": ["Paths", "/page.html"],
    "EXTENSION...": ["File types", "pdf"],
    "TOKEN...": ["Product tokens of crawlers", "GPTBot"],
    "URL...": ["Whole URLs", "https://example.com/sitemap.xml"],
};
/** Recipes that a line `for` precedes. */
const FOR = new Set(["folder", "file", "type", "only-folder", "allow"]);
const IMAGE = "/images/dog.jpg";

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

/** What the rules change, in a sentence. */
function effect(difference: Difference): string {
    if (difference.changed === 0) return `No verdict changes (${count(difference.compared, "check")}).`;
    const names = [...new Set(difference.classes.flatMap(({ crawlers }) => crawlers))].map((name) => (name === "*" ? "everyone else" : name));
    const more = names.length > 6 ? ` and ${names.length - 6} more` : "";
    return `${count(difference.changed, "verdict")} of ${difference.compared.toLocaleString("en")} ${difference.changed === 1 ? "changes" : "change"}, for ${names.slice(0, 6).join(", ")}${more}:`;
}

export function createRecipes(app: App): Tab {
    let chosen = api.recipes.find(({ name }) => name === "folder") ?? api.recipes[0]!;
    const options = api.recipes.map((recipe) => {
        const input = el("input", { type: "radio", name: "recipe", value: recipe.name, id: `recipe-${recipe.name}`, onchange: () => choose(recipe.name) });
        input.checked = recipe === chosen;
        return el("label", { class: "option" }, input, el("span", {}, recipe.title));
    });
    const text = el("input", { id: "recipe-arguments", type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
    const label = el("label", { for: "recipe-arguments" });
    const hint = el("span", { class: "muted hint", id: "recipe-hint" });
    text.setAttribute("aria-describedby", "recipe-hint");
    const tokens = el("datalist", { id: "recipe-tokens" }, ...presets.map(({ name }) => el("option", { value: name })));
    const field = el("div", { class: "field wide" }, label, text, tokens, hint);
    const who = el("input", { id: "recipe-for", type: "text", value: "*", spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
    const whoField = el("div", { class: "field" }, el("label", { for: "recipe-for" }, "For (* is everyone)"), who);
    const comments = el("input", { type: "checkbox", id: "recipe-comments" });
    const add = el("button", { type: "submit", class: "main", id: "recipe-add", disabled: true }, "Add to the file");
    const preview = el("div", { id: "recipe-preview", "aria-live": "polite" });
    const form = el("form", { class: "recipe" },
        el("fieldset", {}, el("legend", {}, "What do you want?"), ...options),
        el("div", { class: "recipe-fields" }, field, whoField),
        el("div", { class: "bar" }, el("label", { class: "check" }, comments, " Explain it in comments"), el("span", { class: "spring" }), add),
        preview);
    const panel = el("div", {}, form);
    let result: Uint8Array | null = null;

    function choose(name: string): void {
        chosen = api.recipes.find((recipe) => recipe.name === name) ?? chosen;
        const [title, example] = ARGUMENTS[chosen.arguments] ?? ["", ""];
        field.hidden = chosen.arguments === "";
        whoField.hidden = !FOR.has(chosen.name);
        fill(label, title);
        text.value = "";
        if (chosen.arguments === "TOKEN...") text.setAttribute("list", "recipe-tokens");
        else text.removeAttribute("list");
        text.placeholder = chosen.name === "image" ? IMAGE : example;
        fill(hint, chosen.arguments === "" ? "" : `Such as ${text.placeholder}; several with spaces between them.`);
        ask();
    }

    function draw(answer: Questions["recipe"]["answer"]): void {
        if ("fault" in answer) {
            fill(preview, el("p", { class: "notice warning" }, answer.fault));
            return;
        }
        result = answer.bytes;
        add.disabled = false;
        const lines = addedLines(app.editor.text, new TextDecoder("utf-8", { ignoreBOM: true }).decode(answer.bytes));
        const width = String(lines.at(-1)?.[0] ?? 0).length;
        const strange = chosen.arguments === "TOKEN..." ? words().filter((name) => presetNamed(name) === undefined) : [];
        fill(preview,
            strange.length === 0 ? null : el("p", { class: "notice warning" }, `This page does not know ${strange.map((name) => brief(name, 60)).join(", ")}. Is this the name that the crawler has in its documentation?`),
            el("h3", {}, lines.length === 0 ? "The file says this already" : `${count(lines.length, "line")} to add`),
            lines.length === 0 ? null : el("pre", { class: "added", tabindex: "0", "aria-label": "Lines to add" }, ...lines.slice(0, 200).flatMap(([number, line]) => [
                el("span", { class: "rule" }, `${String(number).padStart(width)} `), `+ ${brief(line, 200)}\n`])),
            el("p", { class: "muted" }, effect(answer.difference)), examples(answer.difference, 8));
    }

    const words = (): string[] => (chosen.arguments === "" ? [] : text.value.trim().split(/[\s,]+/).filter((word) => word !== ""));

    function ask(): void {
        result = null;
        add.disabled = true;
        if (chosen.arguments !== "" && words().length === 0) {
            fill(preview);
            return;
        }
        const crawlers = who.value.trim().split(/[\s,]+/).join(" ");
        const requests = [...(FOR.has(chosen.name) && crawlers !== "" ? [`for ${crawlers}`] : []), [chosen.name, ...words()].join(" ")];
        void app.engine.ask("recipe", { requests: requests.join("\n"), comments: comments.checked }).then((answer) => answer !== null && draw(answer));
    }

    for (const input of [text, who]) input.addEventListener("input", ask);
    comments.addEventListener("change", ask);
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        if (result !== null) app.edit(result, `Added: ${chosen.title} Undo: Ctrl+Z in the editor.`);
    });
    choose(chosen.name);

    return { id: "recipes", title: "Recipes", panel, refresh: ask };
}
