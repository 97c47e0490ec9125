// Tests the site as files in headless Chromium: check.mjs TOOLS SITE. TOOLS has node_modules with playwright-core and axe-core.
// Each page: no dead link, no request, nothing that axe finds; in light, dark and on a phone. CHROMIUM names the browser.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findBrowser } from "../js/tester/tests/browser.mjs";

const [tools, site] = process.argv.slice(2).map((path) => resolve(path));
const require = createRequire(join(tools, "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const executablePath = findBrowser();
if (executablePath === null) {
    console.log("SKIP site: there is no Chromium on this machine");
    console.log("site: 0 passed, 0 failed, 1 skipped");
    process.exit(0);
}
// Pages of other generators are targets of links; they are not tested themselves, nor is the tester, which has a test of its own.
const all = readdirSync(site, { recursive: true });
const ours = all.filter((path) => path.endsWith(".html") && !/^(api|tester)\//.test(path)).filter((path) => !process.env.ONLY || path.includes(process.env.ONLY)).sort();
let passed = 0;
const faults = [];
const verify = (what, found) => {
    if (found.length === 0) passed += 1;
    else faults.push(`${what}: ${found.slice(0, 5).join("; ")}${found.length > 5 ? `; ${found.length - 5} more` : ""}`);
};

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--allow-file-access-from-files"] });
const links = new Map(); // of each page: the URLs that it names
const ids = new Map(); // of each page: its anchors
const requested = [];
const context = await browser.newContext();
await context.route(/^(?!file:|data:|about:)/, (route) => {
    requested.push(route.request().url());
    return route.abort();
});
const inspect = async (page, what, options = {}) => {
    const { violations } = await page.evaluate((options) => globalThis.axe.run(document, options), options);
    verify(`${what}, axe`, violations.map(({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0].target} ${nodes[0].failureSummary.split("\n")[1] ?? ""}`));
};
const DESK = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const COLOURS = { runOnly: ["color-contrast"] };
const queue = [...ours];
const work = async () => {
    const page = await context.newPage();
    for (let path; (path = queue.shift()) !== undefined;) {
        const failed = [];
        page.removeAllListeners();
        page.on("requestfailed", (request) => failed.push(request.url()));
        page.on("pageerror", (error) => failed.push(error.message));
        await page.emulateMedia({ colorScheme: "light" });
        await page.setViewportSize(DESK);
        await page.goto(pathToFileURL(join(site, path)).href);
        const found = await page.evaluate(() => ({
            links: [...document.querySelectorAll("[href], [src]")].map((element) => new URL(element.getAttribute("href") ?? element.getAttribute("src"), document.baseURI).href),
            ids: [...document.querySelectorAll("[id], a[name]")].map((element) => element.id || element.name),
        }));
        links.set(path, found.links);
        ids.set(path, new Set(found.ids));
        await page.evaluate(axe);
        await inspect(page, `light ${path}`);
        await page.emulateMedia({ colorScheme: "dark" });
        await inspect(page, `dark ${path}`, COLOURS);
        await page.setViewportSize(PHONE);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        verify(`phone ${path} is wider than the screen`, width > PHONE.width ? [`${width} px`] : []);
        verify(`${path} requests or throws`, failed);
    }
    await page.close();
};
await Promise.all([work(), work()]);
verify("requests that leave", requested);

// The documentation of TypeScript needs no browser for its links.
verify("no documentation of TypeScript", existsSync(join(site, "api/typescript/index.html")) ? [] : ["api/typescript"]);
for (const path of all.filter((path) => /^api\/typescript\/.*\.html$/.test(path))) {
    const text = readFileSync(join(site, path), "utf8");
    links.set(path, [...text.matchAll(/\b(?:href|src)="([^"]+)"/g)].map(([, target]) => new URL(target.replaceAll("&amp;", "&"), pathToFileURL(join(site, path))).href));
}

const anchors = (path) => {
    if (!ids.has(path)) ids.set(path, new Set([...readFileSync(join(site, path), "utf8").matchAll(/\b(?:id|name)=["']?([^"'\s>]+)/g)].map(([, id]) => id)));
    return ids.get(path);
};
for (const [path, urls] of links) {
    const dead = new Set();
    for (const url of urls.map((one) => new URL(one)).filter(({ protocol }) => protocol === "file:")) {
        const target = relative(site, fileURLToPath(new URL(url.pathname, url)));
        const anchor = decodeURIComponent(url.hash.slice(1));
        if (target.startsWith(`..${sep}`) || !existsSync(join(site, target))) dead.add(target);
        else if (anchor !== "" && target.endsWith(".html") && !anchors(target).has(anchor)) dead.add(target + url.hash);
    }
    verify(`${path} links to`, [...dead]);
}

// Search works from files, too.
const page = await context.newPage();
await page.goto(`${pathToFileURL(join(site, "search.html")).href}?q=crawl-delay`);
await page.waitForSelector("#search-results li a", { timeout: 30_000 }).catch(() => {});
verify("search finds nothing for crawl-delay", (await page.$$("#search-results li a")).length > 0 ? [] : ["no result"]);
await browser.close();
for (const fault of faults) console.log(`FAIL ${fault}`);
console.log(`site: ${passed} passed, ${faults.length} failed`);
process.exit(faults.length > 0 ? 1 : 0);
