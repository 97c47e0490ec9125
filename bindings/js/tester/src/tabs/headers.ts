/** Headers and meta elements: what a crawler may do with a page that it fetched. */
import type { App, Tab } from "../app.js";
import { brief, el, fill, sentence } from "../dom.js";
import { lineLink } from "../editor.js";
import type { PageAnswer } from "../messages.js";
import { trusted } from "../trusted.js";
import { badge, reasonWords } from "../words.js";

const CONTROLS: Readonly<Record<string, [title: string, kind: "switch" | "limit" | "preview" | "date"]>> = {
    index: ["Show the page in results", "switch"],
    follow: ["Follow its links", "switch"],
    archive: ["Keep a cached copy", "switch"],
    snippet: ["Show a snippet", "switch"],
    translate: ["Offer a translation", "switch"],
    imageIndex: ["Index its images", "switch"],
    indexIfEmbedded: ["Index it where it is embedded", "switch"],
    maxSnippet: ["Longest snippet", "limit"],
    maxImagePreview: ["Largest image preview", "preview"],
    maxVideoPreview: ["Longest video preview", "limit"],
    unavailableAfter: ["Show it until", "date"],
};
const PREVIEWS: Readonly<Record<number, string>> = { 0: "none", 1: "standard", 2: "large" };
const SOURCES: Readonly<Record<string, string>> = { x_robots_tag: "X-Robots-Tag", robots_tag: "Robots-Tag", meta: "<meta>" };

/** A control in words, and whether it restricts. */
function valueWords(control: string, value: number): string {
    const kind = CONTROLS[control]?.[1] ?? "switch";
    if (kind === "switch") return value === 1 ? "yes" : "no";
    if (value === -1) return "no limit";
    if (kind === "preview") return PREVIEWS[value] ?? String(value);
    if (kind === "limit") return control === "maxVideoPreview" ? `${value} s` : `${value} characters`;
    return new Date(value * 1000).toISOString().replace("T", " ").replace(/:00\.000Z$/, " UTC").replace(".000Z", " UTC");
}

/** A header as tools print it: a name, a colon, and a value. */
const HEADER = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*:(.*)$/;
/** The headers that say what may be done with a page. */
const READ = /^(x-robots-tag|robots-tag|content-usage|content-signal|link|tdm-reservation|tdm-policy)$/i;

/** The lines of a response. */
const linesOf = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== "");

/** The headers of a response as tools print them. */
function headersOf(text: string): [string, string][] {
    return linesOf(text).flatMap((line): [string, string][] => {
        const [, name, value] = HEADER.exec(line) ?? [];
        return name === undefined || value === undefined ? [] : [[name, value.trim()]];
    });
}

/** What is not read of response headers, in words; null for nothing. A response begins with its status. */
function unreadHeaders(text: string): HTMLElement | null {
    const wrong = linesOf(text).filter((line) => !HEADER.test(line) && !/^\s*HTTP\/[\d.]+ \d/.test(line));
    const names = headersOf(text).map(([name]) => name);
    const similar = names.filter((name) => /robot|content-us|content-si|^tdm/i.test(name) && !READ.test(name));
    const unread = wrong.length > 0 ? wrong : similar;
    if (unread.length === 0 && (text.trim() === "" || names.some((name) => READ.test(name)))) return null;
    const [first] = unread;
    const [is, are] = wrong.length > 0 ? ["is no header", "are no headers"] : ["is a header that no crawler reads", "are headers that no crawler reads"];
    const more = unread.length - 1;
    return el("p", { class: "notice warning" },
        ...(first === undefined ? ["None of these headers is about crawlers. "] : [el("code", {}, brief(first.trim(), 80)), more > 0 ? ` and ${more} more ${are}. ` : ` ${is}. `]),
        "Headers that are read are X-Robots-Tag, Robots-Tag, Content-Usage, Content-Signal and others, each on its own line: ", el("code", {}, "X-Robots-Tag: noindex"), ".");
}

/** What is not read of HTML, in words; null if it has meta elements. */
const unreadMetas = (text: string): HTMLElement | null => (text.trim() === "" || metasOf(text).length > 0 ? null
    : el("p", { class: "notice warning" }, "There is no meta element with a name in ", el("code", {}, brief(text.trim(), 80)), ". Such an element is ",
        el("code", {}, '<meta name="robots" content="noindex">'), "."));

/** The meta elements of HTML: the document is inert, and only two attributes are read, as text. */
function metasOf(text: string): [string, string][] {
    const elements = (text.match(/<meta\b[^>]*>/gi) ?? []).slice(0, 1000).join("\n");
    const page = new DOMParser().parseFromString(trusted.createHTML(elements), "text/html");
    return [...page.querySelectorAll("meta[name]")].map((meta) => [meta.getAttribute("name") ?? "", meta.getAttribute("content") ?? ""]);
}

export function createHeaders(app: App): Tab {
    const url = el("input", { id: "page-url", type: "text", spellcheck: "false", autocomplete: "off", placeholder: "https://example.com/page or /page" });
    const headers = el("textarea", { id: "page-headers", rows: "4", spellcheck: "false" });
    const metas = el("textarea", { id: "page-metas", rows: "4", spellcheck: "false" });
    headers.placeholder = "X-Robots-Tag: max-snippet: 50\nX-Robots-Tag: googlebot: noindex";
    metas.placeholder = '<meta name="robots" content="nofollow, max-image-preview: large">';
    const box = el("div", { id: "page-answer" });
    const panel = el("div", {},
        el("p", { class: "muted lead" }, "robots.txt decides what a crawler fetches. Headers and meta elements of the page decide what it may do with it: they work only if the page may be fetched."),
        el("div", { class: "field wide" }, el("label", { for: "page-url" }, "URL of the page (optional)"), url),
        el("div", { class: "pair" },
            el("div", { class: "field wide" }, el("label", { for: "page-headers" }, "Response headers"), headers),
            el("div", { class: "field wide" }, el("label", { for: "page-metas" }, "HTML with meta elements"), metas)),
        box);

    function draw({ controls, unknown, uses, verdict }: PageAnswer): void {
        if (headers.value.trim() === "" && metas.value.trim() === "") {
            fill(box, verdict === null ? null : badge(verdict), el("p", {}, "Nothing is read yet: paste the response headers or the HTML of a page."));
            return;
        }
        const unread = [unreadHeaders(headers.value), unreadMetas(metas.value)];
        const isSeen = verdict?.status !== 0;
        const missing = headers.value.trim() === "" ? "The response headers are not given: they may restrict more."
            : metas.value.trim() === "" ? "The HTML is not given: its meta elements may restrict more." : null;
        const restricted = controls.some(({ by }) => by !== null);
        fill(box,
            verdict === null ? null : el("p", { class: isSeen || !restricted ? "lead" : "notice warning" }, badge(verdict), " ",
                verdict.status === 3 ? "The crawler fetches the page in spite of robots.txt, so it sees these."
                    : verdict.status === 2 ? `${sentence(reasonWords(verdict))}.`
                        : isSeen ? "The crawler may fetch the page, so it sees these." : el("span", {}, verdict.line === 0 ? null : lineLink(() => app.editor, verdict.line),
                            `${verdict.line === 0 ? "T" : ": t"}he crawler may not fetch the page, so it never sees these. A noindex works only if the page is allowed.`)),
            ...unread,
            missing === null ? null : el("p", { class: "muted lead" }, missing),
            el("table", { class: "changes controls" },
                el("caption", { class: "hidden" }, "What the crawler may do with the page"),
                el("thead", {}, el("tr", {}, el("th", { scope: "col" }, `${app.crawlerName === "*" ? "Everyone else" : app.crawlerName} may`), el("th", { scope: "col" }, "Value"), el("th", { scope: "col" }, "Because of"))),
                el("tbody", {}, ...controls.map(({ control, value, by, agent, source }) => {
                    const isSwitch = CONTROLS[control]?.[1] === "switch";
                    const words = valueWords(control, value);
                    return el("tr", { class: by === null ? "default" : "" }, el("th", { scope: "row" }, CONTROLS[control]?.[0] ?? control),
                        // The crawler does not read what is on a page that it does not fetch.
                        el("td", {}, by !== null && !isSeen ? el("span", { class: "badge bad" }, "not seen") : isSwitch ? el("span", { class: `badge ${value === 1 ? "yes" : "no"}` }, words) : words),
                        el("td", {}, by === null ? el("span", { class: "muted" }, "the default") : el("span", {}, el("code", {}, brief(by, 80)),
                            el("span", { class: "muted" }, ` ${SOURCES[source] ?? source}${agent === null ? "" : ` for ${agent}`}`))));
                }))),
            unknown.length === 0 ? null : el("p", { class: "notice warning" }, "Not understood: ", ...unknown.slice(0, 20).flatMap((rule, index) => [index === 0 ? "" : ", ", el("code", {}, brief(rule, 80))])),
            uses.length === 0 ? null : el("h3", {}, "What the page may be used for"),
            uses.length === 0 ? null : el("ul", { class: "rules" }, ...uses.map(({ purpose, says, by }) => el("li", {},
                `${sentence(purpose.replace("_", " "))}: ${says} by `, el("code", {}, brief(by, 80))))));
    }

    function ask(): void {
        const asked = { headers: headersOf(headers.value), metas: metasOf(metas.value), url: url.value.trim() };
        void app.engine.ask("page", asked).then((answer) => answer !== null && draw(answer));
    }
    for (const field of [url, headers, metas]) field.addEventListener("input", ask);

    return { id: "headers", title: "Headers and meta", panel, refresh: ask };
}
