/** The page. */
import type { App, Tab } from "./app.js";
import { urlsOf } from "./app.js";
import { Engine } from "./client.js";
import { byId, count, el, fill, save, sentence, size } from "./dom.js";
import { Editor } from "./editor.js";
import { EXAMPLE, EXAMPLE_URLS } from "./example.js";
import { bytesOf, textOf } from "./file.js";
import type { Encoding } from "./file.js";
import type { CrawlerChoice, Mark } from "./messages.js";
import { createProblems } from "./problems.js";
import type { Problems } from "./problems.js";
import type { Saved } from "./share.js";
import { MOST_LINK, forget, fragmentOf, keep, kept, readFragment } from "./share.js";
import { createSite } from "./site.js";
import { createDifference } from "./tabs/difference.js";
import { createGroups } from "./tabs/groups.js";
import { createHeaders } from "./tabs/headers.js";
import { createObeyed } from "./tabs/obeyed.js";
import { createRecipes } from "./tabs/recipes.js";
import { createSitemaps } from "./tabs/sitemaps.js";
import { createTable } from "./tabs/table.js";
import { createUrls } from "./tabs/urls.js";
import { trusted } from "./trusted.js";
import { createWho } from "./who.js";
import api from "./api.json";

/** How many bytes crawlers read. */
const READ = 512_000;
/** A larger text is sent to the worker less often. */
const LARGE = 200_000;
/** Longer files than this are not loaded. */
const MOST_FILE = 32_000_000;

const sayBox = byId("say");
let sayTimer = 0;

// --- what the page holds -------------------------------------------------------------------------------------------------

let file: { bytes: Uint8Array; encoding: Encoding } = { bytes: new Uint8Array(), encoding: "utf-8" };
let urls: readonly string[] = [];
let crawler: CrawlerChoice = { name: "Googlebot", isPreset: true, dialect: "" };
let isExample = false;

const problemsLater: { it: Problems | null } = { it: null };
const editor = new Editor({
    parent: byId("editor"),
    label: "robots.txt",
    onChange: edited,
    onFile: (dropped) => void readFile(dropped),
    onSign: (line) => problemsLater.it?.visit(line),
    fixButton: (mark) => problemsLater.it?.fixButton(mark) ?? null,
});
const engine = new Engine((why) => say(`The engine stopped: ${why}. Load the page again.`, true));

const app: App = {
    engine,
    editor,
    get file() {
        return file.bytes;
    },
    get urls() {
        return urls;
    },
    get crawler() {
        return crawler;
    },
    get crawlerName() {
        return crawler.name === "" ? "?" : crawler.name;
    },
    setUrls(list) {
        urls = list;
        engine.send({ set: "urls", urls });
        decide();
        refresh();
        remember();
    },
    setCrawler(choice) {
        crawler = choice;
        showWho(choice);
        engine.send({ set: "crawler", crawler });
        decide();
        lintSoon();
        refresh();
        remember();
    },
    edit(bytes, words) {
        editor.edit(textOf(bytes).text);
        say(words, false, undoButton("small"));
    },
    say,
    open: openTab,
};

function say(words: string, isError = false, button: HTMLElement | null = null): void {
    fill(sayBox, words, button);
    sayBox.classList.toggle("error", isError);
    sayBox.classList.add("shown");
    clearTimeout(sayTimer);
    if (!isError) sayTimer = setTimeout(() => sayBox.classList.remove("shown"), 6000);
}

/** A button that undoes the last change of the file. Its name has the keys, where there are some. */
function undoButton(kind: string): HTMLButtonElement {
    const keys = /^Mac/.test(navigator.platform) ? "Cmd+Z" : "Ctrl+Z";
    const hasKeys = matchMedia("(hover: hover)").matches;
    return el("button", { type: "button", class: kind, onclick: () => { editor.undo(); sayBox.classList.remove("shown"); } },
        hasKeys ? `Undo (${keys})` : "Undo");
}

// --- parts ----------------------------------------------------------------------------------------------------------------

const undoFile = undoButton("");
undoFile.id = "undo";
const problems = createProblems(app);
problemsLater.it = problems;
const showWho = createWho(byId("who"), app);
const site = createSite(app, (text) => load(bytesOf(text)));
const urlTab = createUrls(app, decide);
const differenceTab = createDifference(app);
const obeyedTab = createObeyed(app);
const tabs: readonly Tab[] = [
    urlTab, createTable(app), createGroups(app), createRecipes(app), differenceTab, obeyedTab, createHeaders(app), createSitemaps(app),
];
let active: Tab = urlTab;

const tabButtons = new Map(tabs.map((tab) => [tab.id, el("button", {
    type: "button", role: "tab", id: `tab-${tab.id}`, "aria-controls": `panel-${tab.id}`, "aria-selected": "false", tabindex: "-1",
    onclick: () => openTab(tab.id),
}, tab.title)]));
fill(byId("tabs"), ...tabButtons.values());
byId("tabs").addEventListener("keydown", (event) => {
    const index = tabs.indexOf(active);
    const to: Record<string, number> = { ArrowRight: index + 1, ArrowLeft: index - 1 + tabs.length, Home: 0, End: tabs.length - 1 };
    const next = to[event.key];
    if (next === undefined) return;
    event.preventDefault();
    openTab(tabs[next % tabs.length]!.id);
    tabButtons.get(active.id)?.focus();
});
for (const { id, panel } of tabs) {
    panel.id = `panel-${id}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${id}`);
    panel.classList.add("panel");
    panel.hidden = true;
    byId("panels").append(panel);
}

function openTab(id: string): void {
    for (const tab of tabs) {
        const isOpen = tab.id === id;
        const button = tabButtons.get(tab.id)!;
        button.setAttribute("aria-selected", String(isOpen));
        button.setAttribute("tabindex", isOpen ? "0" : "-1");
        tab.panel.hidden = !isOpen;
        if (isOpen) {
            active = tab;
            button.scrollIntoView({ block: "nearest", inline: "nearest" });
        }
    }
    editor.point([]);
    active.refresh();
}

let refreshTimer = 0;
function refresh(): void {
    clearTimeout(refreshTimer);
    refreshTimer = setTimeout(() => active.refresh(), active === urlTab ? 0 : 60);
}

// --- the file ---------------------------------------------------------------------------------------------------------------

/** The number of edits: an answer about an older text is dropped. */
let edits = 0;
let editTimer = 0;
let lintTimer = 0;

/** The user changed the text: the bytes are now those of the text, in UTF-8. */
function edited(): void {
    edits++;
    clearTimeout(editTimer);
    urlTab.busy();
    problems.busy();
    const { length } = editor.view.state.doc;
    // Each key restarts the time of a large file; a small one is decided at once.
    editTimer = setTimeout(() => {
        setFile(bytesOf(editor.text), "utf-8");
    }, length < LARGE ? 0 : 250);
    isExample = false;
}

function setFile(bytes: Uint8Array, encoding: Encoding): void {
    file = { bytes, encoding };
    engine.send({ set: "file", side: "main", bytes });
    // The URLs of the example say nothing about another site.
    if (urls === EXAMPLE_URLS && !editor.text.includes("tea.example")) app.setUrls(site.home);
    decide();
    lintSoon();
    refresh();
    showFile();
    remember();
}

function load(bytes: Uint8Array): void {
    const { text, encoding } = textOf(bytes);
    editor.load(text);
    isExample = false;
    setFile(bytes, encoding);
}

async function readFile(chosen: File): Promise<void> {
    if (chosen.size > MOST_FILE) {
        say(`${chosen.name} has ${size(chosen.size)}: that is no robots.txt. Crawlers read the first 512 kB.`, true);
        return;
    }
    load(new Uint8Array(await chosen.arrayBuffer()));
    say(`Opened ${chosen.name}.`);
}

function showFile(): void {
    fill(byId("file-size"), `${size(file.bytes.length)}, ${count(editor.lineCount, "line")}`);
    undoFile.disabled = !editor.canUndo;
}

function decide(): void {
    urlTab.busy();
    const asked = performance.now();
    const of = edits;
    engine.ask("decide", { draft: urlTab.draft }).then((decisions) => {
        if (decisions === null || of !== edits) return;
        urlTab.show(decisions);
        const shown = performance.now();
        const isFirst = performance.getEntriesByName("first verdict").length === 0;
        if (isFirst) performance.measure("first verdict", { start: 0, end: shown });
        performance.measure("decided", { start: asked, end: shown });
        fill(byId("speed"), isFirst || decisions.statuses.length === 0 ? "" : `${count(decisions.statuses.length, "URL")} decided in ${Math.max(1, Math.round(shown - asked))} ms.`);
    }, fault);
}

function lintSoon(): void {
    problems.busy();
    clearTimeout(lintTimer);
    lintTimer = setTimeout(lint, file.bytes.length < LARGE ? 30 : 300);
}

function lint(): void {
    const of = edits;
    engine.ask("lint", {}).then((found) => {
        if (found === null || of !== edits) return;
        // The colours of a file that is not shown byte by byte would be in wrong places.
        const isShown = file.encoding === "utf-8" || file.encoding === "not utf-8";
        const marks = found.marks.filter(({ line }) => isShown || line === 0);
        editor.show(isShown ? found.meanings : null, marks);
        problems.show(found);
        showNotices(found.marks);
    }, fault);
}

function fault(error: Error): void {
    say(`The engine could not answer: ${error.message}`, true);
}

/** What is wrong with the file as a whole, above it. */
function showNotices(marks: readonly Mark[]): void {
    const whole = marks.filter(({ code, severity }) => severity === "error" && /^R00[1-5]$|^R01[2-4]$/.test(code));
    const nodes = whole.map(({ message, suggestion }) => el("p", { class: "notice error" },
        el("strong", {}, sentence(message)), /[.!]$/.test(message) ? " " : ". ",
        suggestion === null ? "" : `${sentence(suggestion)}.`));
    if (file.bytes.length > READ) {
        nodes.push(el("p", { class: "notice error" },
            `The file has ${size(file.bytes.length)}. Crawlers read the first ${size(READ)} and ignore the rest; so do the verdicts here.`));
    }
    if (file.encoding.startsWith("utf-16")) {
        nodes.push(el("p", { class: "notice error" }, "Crawlers read it as UTF-8 and understand no line, so everything is allowed. ",
            el("button", { type: "button", class: "small", onclick: () => { setFile(bytesOf(editor.text), "utf-8"); say("Converted to UTF-8. Save it, and put it on your server."); } }, "Convert to UTF-8")));
    } else if (file.encoding === "not utf-8") {
        nodes.push(el("p", { class: "notice warning" }, "Some bytes are not UTF-8; they are shown as �. The verdicts use the bytes as they are, until you edit the file."));
    }
    if (isExample) nodes.push(el("p", { class: "notice" }, "This is an example. Type your domain above, or paste your own file over it."));
    fill(byId("notices"), ...nodes);
    site.show(isExample || file.bytes.length === 0);
}

// --- a phone ---------------------------------------------------------------------------------------------------------------

// One column has the results first, also for the keyboard and screen readers.
const narrow = matchMedia("(max-width: 860px)");
const order = (): void => byId("result").parentElement!.prepend(byId(narrow.matches ? "result" : "file"));
narrow.addEventListener("change", order);
order();

// --- buttons -----------------------------------------------------------------------------------------------------------------

byId("clear-file").after(undoFile);
const fileInput = byId<HTMLInputElement>("file-input");
byId("open-file").addEventListener("click", () => fileInput.click());
fileInput.addEventListener("change", () => {
    const chosen = fileInput.files?.[0];
    fileInput.value = "";
    if (chosen !== undefined) void readFile(chosen);
});
byId("save-file").addEventListener("click", () => save("robots.txt", file.bytes as BlobPart));
byId("clear-file").addEventListener("click", () => {
    if (isExample) app.setUrls([]);
    editor.edit("");
    say("Empty.", false, undoButton("small"));
    editor.view.focus();
});

// A file that is dropped anywhere else: on the left a robots.txt, on the right what the tab reads, or URLs.
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    const dropped = event.dataTransfer?.files[0];
    const isResult = event.target instanceof Node && byId("result").contains(event.target);
    if (dropped === undefined) {
        const text = event.dataTransfer?.getData("text/plain") ?? "";
        if (isResult && text !== "") urlTab.addText(text);
    } else if (!isResult) {
        void readFile(dropped);
    } else if (active === differenceTab) {
        differenceTab.loadFile(dropped);
    } else if (active === obeyedTab) {
        obeyedTab.read([...event.dataTransfer!.files]);
    } else {
        void dropped.text().then((text) => {
            openTab("urls");
            urlTab.addText(text);
        });
    }
});

// --- what is kept --------------------------------------------------------------------------------------------------------------

const saved = (): Saved => ({ file: editor.text, urls, crawler });
const rememberBox = byId<HTMLInputElement>("remember");
let rememberTimer = 0;

function remember(): void {
    if (!rememberBox.checked) return;
    clearTimeout(rememberTimer);
    rememberTimer = setTimeout(() => {
        if (rememberBox.checked && !keep(saved())) say("The browser has no room to remember this file.", true);
    }, 500);
}
rememberBox.addEventListener("change", () => {
    if (rememberBox.checked) {
        if (keep(saved())) say("The file, the URLs and the crawler are kept in this browser.");
        else {
            rememberBox.checked = false;
            say("The browser does not permit it.", true);
        }
    } else {
        forget();
        say("Nothing is kept any more.");
    }
});

byId("share").addEventListener("click", () => void share());
async function share(): Promise<void> {
    const fragment = await fragmentOf(saved());
    if (fragment === null) {
        say(`The file is too long for a link: it would have more than ${count(MOST_LINK, "character")}. Save it instead.`, true);
        return;
    }
    history.replaceState(null, "", fragment);
    try {
        await navigator.clipboard.writeText(location.href);
        say("Copied. The link holds the file, the URLs and the crawler after its #: browsers send no server that part.");
    } catch {
        say("The address of this page is now the link: copy it. It holds the file, the URLs and the crawler after its #.");
    }
}

function restore({ file: text, urls: list, crawler: choice }: Saved): void {
    crawler = choice;
    showWho(choice);
    engine.send({ set: "crawler", crawler });
    app.setUrls(list);
    load(bytesOf(text));
}

async function begin(): Promise<void> {
    fill(byId("version"), api.version);
    openTab("urls");
    showWho(crawler);
    engine.send({ set: "crawler", crawler });
    const before = kept();
    rememberBox.checked = before !== null;
    if (await restoreLinked()) return;
    if (before !== null) {
        restore(before);
        return;
    }
    app.setUrls(EXAMPLE_URLS);
    load(bytesOf(EXAMPLE));
    isExample = true;
}

/** Shows what the link holds; false if it holds nothing. */
async function restoreLinked(): Promise<boolean> {
    try {
        const linked = await readFragment(location.hash);
        if (linked === null) return false;
        // A link of someone else does not replace what is kept.
        rememberBox.checked = false;
        restore(linked);
        return true;
    } catch (error) {
        say(`The link cannot be read: ${(error as Error).message}.`, true);
        return false;
    }
}
addEventListener("hashchange", () => void restoreLinked());
void begin();

// Paste anywhere but in a field: a file that looks like a list of URLs is one.
document.addEventListener("paste", (event) => {
    const target = event.target as Element | null;
    if (target?.closest("input, textarea, .cm-editor") !== null) return;
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text === "") return;
    if (urlsOf(text).every((line) => /^(https?:\/\/|\/)/.test(line))) urlTab.addText(text);
    else load(bytesOf(text));
});

if ("serviceWorker" in navigator && location.protocol !== "file:") {
    void navigator.serviceWorker.register(trusted.createScriptURL("sw.js")).catch(() => undefined);
}
