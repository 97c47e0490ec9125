// The browser, the server and the tools of the tests.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { readFileSync } from "node:fs";
import { serve } from "./serve.mjs";

export { findBrowser } from "./browser.mjs";

export const [build, folder, pack, command, shots] = process.argv.slice(2);
const require = createRequire(resolve(build, "package.json"));
const { chromium } = require("playwright-core");
export const axeSource = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
export const library = await import(resolve(pack, "dist/esm/index.js"));
export const tools = await import(resolve(pack, "dist/esm/tools.js"));

export const server = await serve(folder);
/** A server that no request may reach. */
export const elsewhere = await serve(folder);
/** Requests of the browser to anything but the page's own files. */
export const strangers = [];

let browser;
export async function start(executablePath) {
    browser = await chromium.launch({
        executablePath,
        args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
    });
    return browser.version();
}
export async function end() {
    await browser?.close();
    await server.close();
    await elsewhere.close();
}

/** A page in an empty profile, with its verdicts shown. Errors of the page fail the test. */
export async function open({ path = "", scheme = "light", width = 1360, height = 860, workers = "block", platform = "", permissions = ["clipboard-read", "clipboard-write"] } = {}) {
    const context = await browser.newContext({
        viewport: { width, height }, colorScheme: scheme, serviceWorkers: workers, permissions, acceptDownloads: true, bypassCSP: false,
        hasTouch: width < 600, isMobile: width < 600, deviceScaleFactor: width < 600 ? 2 : 1,
    });
    context.on("request", (request) => {
        const url = request.url();
        // A download of the page's own text is a blob.
        if (!url.startsWith(server.url) && !url.startsWith("blob:")) strangers.push(url);
    });
    if (platform !== "") await context.addInitScript((platform) => Object.defineProperty(navigator, "platform", { get: () => platform }), platform);
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.faults = [];
    page.on("pageerror", (error) => page.faults.push(error.message));
    page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
    page.on("dialog", (dialog) => {
        page.faults.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
    });
    await page.goto(server.url + path);
    await settled(page);
    return page;
}

/** Waits until the verdicts and problems are those of the file. */
export async function settled(page) {
    await page.waitForFunction(() => ["urls", "problem-list"].every((id) => document.getElementById(id)?.getAttribute("aria-busy") === "false"), null, { polling: 20, timeout: 60_000 });
}

/** Opens bytes or a text as the robots.txt. */
export async function openFile(page, content, name = "robots.txt") {
    await page.setInputFiles("#file-input", { name, mimeType: "text/plain", buffer: Buffer.from(content) });
    await page.waitForFunction((name) => document.getElementById("say").textContent === `Opened ${name}.`, name, { polling: 20 });
    await page.evaluate(() => (document.getElementById("say").textContent = ""));
    await settled(page);
}

/** Replaces the list of URLs. */
export async function setUrls(page, urls) {
    await page.click("#edit-urls");
    await page.keyboard.press("Control+A");
    await paste(page, urls.join("\n"));
    await page.click("#edit-urls");
    await settled(page);
}

/** Chooses a crawler: the name of a preset, `*`, or own tokens. */
export async function choose(page, name, dialect = "") {
    const known = await page.$$eval("#crawler option", (options, name) => options.some(({ value }) => value === name), name);
    await page.selectOption("#crawler", known ? name : "own");
    if (!known) await page.fill("#own-token", name);
    await page.selectOption("#dialect", dialect);
    await settled(page);
}

/** The verdicts of all URLs, from the file that the page saves: [url, verdict, reason, line]. */
export async function verdicts(page) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-csv")]);
    const text = readFileSync(await download.path(), "utf8");
    const rows = text.trimEnd().split("\r\n").slice(1);
    return rows.map((row) => {
        const [, url, , verdict, reason, line] = /^"((?:[^"]|"")*)","((?:[^"]|"")*)",([^,]*),([^,]*),(\d*)$/.exec(row);
        const text = url.replaceAll('""', '"');
        return [/^'[\s=+\-@＝＋－＠]/.test(text) ? text.slice(1) : text, verdict, reason, Number(line)];
    });
}

/** The same from the library, for a crawler that obeys the file. */
export function expected(rules, urls) {
    return urls.map((url) => {
        const { allowed, reason, line, error } = rules.check(url);
        const later = reason === "unreachable" || reason === "defer";
        return [url, error !== null ? "not a url" : allowed ? "allowed" : later ? "not now" : "disallowed", reason, reason === "no_rule" ? 0 : line];
    });
}

/** Drops a file on an element. */
export async function drop(page, selector, name, content) {
    const transfer = await page.evaluateHandle(([name, content]) => {
        const data = new DataTransfer();
        data.items.add(new File([content], name, { type: "text/plain" }));
        return data;
    }, [name, content]);
    await page.dispatchEvent(selector, "drop", { dataTransfer: transfer });
}

/** Pastes a text into the focused element. */
export async function paste(page, text) {
    await page.evaluate((text) => navigator.clipboard.writeText(text), text);
    await page.keyboard.press("Control+V");
}

/** The text of the file, as the page saves it. */
export async function fileText(page) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-file")]);
    return readFileSync(await download.path(), "utf8");
}

/** Puts the cursor into the editor with all of its text selected. */
export async function selectFile(page) {
    await page.click("#editor .cm-content");
    await page.keyboard.press("Control+A");
}

const tests = [];
/** Registers a test. */
export function test(name, run) {
    tests.push({ name, run });
}

/** Runs the tests, and returns how many pass and fail. ONLY names some of them. */
export async function runAll() {
    let [passed, failed] = [0, 0];
    for (const { name, run } of tests.filter(({ name }) => name.includes(process.env.ONLY ?? ""))) {
        const began = Date.now();
        try {
            await run();
            for (const context of browser.contexts()) {
                for (const page of context.pages()) assert.deepEqual(page.faults, [], "errors of the page");
            }
            passed++;
            if (process.env.VERBOSE) console.log(`ok ${name} (${Date.now() - began} ms)`);
        } catch (error) {
            failed++;
            console.log(`FAIL ${name}: ${error.stack}`);
            if (shots !== undefined) for (const context of browser.contexts()) await context.pages()[0]?.screenshot({ path: join(shots, `failed-${failed}.png`) }).catch(() => undefined);
        }
        for (const context of browser.contexts()) await context.close();
    }
    return { passed, failed };
}
