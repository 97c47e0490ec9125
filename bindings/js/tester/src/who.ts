/** The chooser of the crawler. */
import type { Dialect } from "librobots";
import type { App } from "./app.js";
import { el, fill } from "./dom.js";
import type { CrawlerChoice } from "./messages.js";
import { DIALECTS, PURPOSES, READS, caveat, presetNamed, presets } from "./presets.js";

const OWN = "own";

/** Fills the row, and returns what shows a choice that was made elsewhere. */
export function createWho(row: HTMLElement, app: App): (choice: CrawlerChoice) => void {
    const select = el("select", { id: "crawler" },
        el("option", { value: "*" }, "Everyone else (*)"),
        el("option", { value: OWN }, "Another crawler…"),
        ...PURPOSES.map(([purpose, title]) => el("optgroup", { label: title },
            ...presets.filter((preset) => preset.purpose === purpose).map(({ name }) => el("option", { value: name }, name)))));
    const own = el("input", { id: "own-token", type: "text", value: "ExampleBot", spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
    const ownField = el("div", { class: "field", hidden: true }, el("label", { for: "own-token" }, "Its name"), own);
    const dialect = el("select", { id: "dialect" },
        el("option", { value: "" }, "in its own way"),
        ...Object.entries(DIALECTS).map(([value, title]) => el("option", { value }, title)));
    const note = el("p", { class: "muted who-note", id: "who-note" });
    fill(row,
        el("div", { class: "field" }, el("label", { for: "crawler" }, "Crawler"), select),
        ownField,
        el("div", { class: "field" }, el("label", { for: "dialect" }, "How it reads the file"), dialect),
        note);

    const choice = (): CrawlerChoice => ({
        name: select.value === OWN ? own.value.trim() : select.value,
        isPreset: select.value !== OWN && select.value !== "*",
        dialect: dialect.value as Dialect | "",
    });
    const describe = (): void => {
        ownField.hidden = select.value !== OWN;
        const isOwn = select.value === OWN;
        const preset = presetNamed(isOwn ? own.value.trim() : select.value);
        const isIgnoring = preset?.ignores_robots_txt === true;
        const here = dialect.value as Dialect | "";
        const itself = isOwn ? undefined : preset?.dialect;
        const words = [
            isOwn ? "Write the name in the crawler's User-Agent header, such as ExampleBot. Several: in order of preference." : "",
            select.value === "*" ? "A crawler that no group names obeys the group of *." : "",
            !isOwn && !isIgnoring && preset !== undefined && preset.tokens.length > 1 ? `It obeys the group of ${preset.tokens.join(", else of ")}.` : "",
            isIgnoring || itself === undefined ? "" : `It reads the file ${READS[itself]}.`,
            isIgnoring || here === "" || here === itself ? "" : `Here the file is read ${READS[here]}.`,
            preset === undefined ? "" : caveat(preset),
        ];
        fill(note, words.filter((part) => part !== "").join(" "));
    };
    const changed = (): void => {
        describe();
        app.setCrawler(choice());
    };
    select.addEventListener("change", () => {
        changed();
        if (select.value === OWN) own.focus();
    });
    dialect.addEventListener("change", changed);
    own.addEventListener("input", changed);
    describe();

    return ({ name, isPreset, dialect: of }) => {
        const preset = isPreset ? presetNamed(name) : undefined;
        select.value = preset?.name ?? (name === "*" ? "*" : OWN);
        if (select.value === OWN) own.value = name;
        dialect.value = of;
        describe();
    };
}
