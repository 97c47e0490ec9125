/** Sitemaps, and the other lines that decide nothing. */
import type { App, Tab } from "../app.js";
import { brief, el, fill } from "../dom.js";
import { lineLink } from "../editor.js";
import type { FileRecords } from "../messages.js";
import { ignoresFile } from "../presets.js";

const FIELDS: Readonly<Record<string, string>> = {
    request_rate: "Request-rate", visit_time: "Visit-time", host: "Host", clean_param: "Clean-param", noindex: "Noindex",
    content_signal: "Content-Signal", content_usage: "Content-Usage", license: "License",
};

export function createSitemaps(app: App): Tab {
    const box = el("div");
    const panel = el("div", {}, box);

    function copy(text: string): void {
        void navigator.clipboard.writeText(text).then(() => app.say("Copied."), () => app.say("The browser does not permit to copy.", true));
    }

    function draw({ sitemaps, lines, crawlDelay }: FileRecords): void {
        const who = app.crawlerName === "*" ? "everyone else" : app.crawlerName;
        fill(box,
            el("h3", {}, "Sitemaps"),
            el("p", { class: "muted lead" }, "A sitemap is for every crawler, wherever its line is."),
            sitemaps.length === 0
                ? el("p", {}, "None. Write ", el("code", {}, "Sitemap: https://example.com/sitemap.xml"), ", a whole URL.")
                : el("ul", { class: "rules" }, ...sitemaps.slice(0, 500).map(({ line, url }) => el("li", {},
                    lineLink(() => app.editor, line, String(line)), " ", el("code", { class: "long" }, brief(url, 300)), " ",
                    el("button", { type: "button", class: "small", "aria-label": `Copy ${brief(url, 100)}`, onclick: () => copy(url) }, "Copy")))),
            el("h3", {}, `Other records for ${who}`),
            el("p", { class: "muted lead" }, `They change no verdict. Few crawlers read them${ignoresFile(who) ? `, and ${who} ignores the file` : ""}.`),
            crawlDelay === null && lines.length === 0 ? el("p", {}, "None.") : el("table", { class: "changes" },
                el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Line"), el("th", { scope: "col" }, "Record"), el("th", { scope: "col" }, "Value"))),
                el("tbody", {},
                    crawlDelay === null ? null : el("tr", {}, el("td", {}), el("td", {}, "Crawl-delay"), el("td", {}, `${crawlDelay} s between two requests`)),
                    ...lines.slice(0, 500).map(({ line, field, value, meaning }) => el("tr", {},
                        el("td", {}, lineLink(() => app.editor, line, String(line))),
                        el("td", {}, FIELDS[field] ?? field),
                        el("td", {}, el("code", { class: "long" }, brief(value, 200)), meaning === "" ? null : el("span", { class: "muted" }, ` ${meaning}`)))))));
    }

    return {
        id: "sitemaps",
        title: "Sitemaps",
        panel,
        refresh() {
            void app.engine.ask("records", {}).then((records) => records !== null && draw(records));
        },
    };
}
