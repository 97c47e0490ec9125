// Tests the page in headless Chromium: page.mjs BUILD PAGE PACKAGE ROBOTS [SHOTS]; ROBOTS is the command, SHOTS a folder for
// screenshots. CHROMIUM names the browser; without one, the tests are skipped. VERBOSE=1 prints each test, ONLY=part of a name selects some.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { deflateSync, gzipSync } from "node:zlib";
import {
    axeSource, choose, command, drop, elsewhere, end, expected, fileText, findBrowser, folder, library, tools, open, openFile, paste, runAll, selectFile, server, setUrls,
    settled, shots, start, strangers, test, verdicts,
} from "./harness.mjs";

const browser = findBrowser();
if (browser === null) {
    console.log("SKIP page: there is no Chromium on this machine");
    console.log("page: 0 passed, 0 failed, 1 skipped");
    process.exit(0);
}
if (shots !== undefined) mkdirSync(shots, { recursive: true });

const { Crawler } = library;
const TABS = await (async () => {
    await start(browser);
    const page = await open();
    const ids = await page.$$eval("#tabs [role=tab]", (tabs) => tabs.map(({ id }) => id.replace("tab-", "")));
    await page.context().close();
    return ids;
})();
let compared = 0;

const texts = (page, selector) => page.$$eval(selector, (found) => found.map(({ textContent }) => textContent.trim()));
const text = (page, selector) => page.textContent(selector);
/** Waits until an element has a text. */
const until = (page, selector, pattern) => page.waitForFunction(
    ([selector, source, flags]) => new RegExp(source, flags).test(document.querySelector(selector)?.textContent ?? ""), [selector, pattern.source, pattern.flags], { polling: 20 });
/** The fragment of a link. */
const linkOf = (page, saved) => page.evaluate(async (text) => {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    return `#1${btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}, JSON.stringify({ crawler: { name: "MyBot", isPreset: false, dialect: "" }, ...saved }));
const pointed = (page) => texts(page, "#editor .pointed");

// --- the file ---------------------------------------------------------------------------------------------------------------

test("it loads in 700 KB, and shows a verdict", async () => {
    const page = await open();
    // The module of a tab is loaded with the first log.
    const sizes = readdirSync(folder).filter((name) => !name.startsWith(".") && name !== "audit.wasm").map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length);
    const size = sizes.reduce((sum, one) => sum + one);
    assert.ok(size < 700_000, `${size} bytes`);
    assert.equal((await texts(page, "#urls [role=option]")).length, 9);
});

test("paste: line numbers, and colours that the engine chooses", async () => {
    const page = await open();
    await selectFile(page);
    await paste(page, "User-agent: *\nDisallow: /a # why\nallow: /b\nSitemap: https://x.example/s.xml\nCrawl-delay: 3\nHost: x\nnonsense\nDissallow: /c\n# end\n");
    await settled(page);
    const kinds = await page.$$eval("#editor .cm-line", (lines) => lines.map(({ className }) => /k-(\S+)/.exec(className)?.[1] ?? ""));
    assert.deepEqual(kinds, ["user_agent", "disallow", "allow", "sitemap", "crawl_delay", "extension", "not_understood", "disallow", "comment", ""]);
    assert.deepEqual(await texts(page, "#editor .cm-line:nth-child(2) .t-field, #editor .cm-line:nth-child(2) .t-comment"), ["Disallow", "# why"]);
    assert.deepEqual((await texts(page, ".cm-lineNumbers .cm-gutterElement")).slice(1, 4), ["1", "2", "3"]);
    // What is typed has its colours, too.
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("# first\n");
    await page.waitForSelector("#editor .cm-line:nth-child(3).k-disallow");
});

test("drop and open a file, and save it", async () => {
    const page = await open();
    await drop(page, "#editor .cm-content", "robots.txt", "User-agent: *\nDisallow: /dropped\n");
    await until(page, "#editor", /dropped/);
    await settled(page);
    await drop(page, ".problems", "robots.txt", "User-agent: *\nDisallow: /beside\n");
    await until(page, "#editor", /beside/);
    const crlf = "User-agent: *\r\nDisallow: /opened\r\n";
    await openFile(page, crlf);
    assert.equal(await fileText(page), crlf, "bytes that are not edited stay as they are");
    assert.match(await text(page, "#urls"), /No URLs yet/, "those of the example went with it");
    await page.click("#clear-file");
    await settled(page);
    assert.equal(await fileText(page), "");
    await page.focus("#editor .cm-content");
    await page.keyboard.press("Control+Z");
    await settled(page);
    assert.equal(await fileText(page), crlf.replaceAll("\r", ""));
});

test("lint: marks in the gutter, messages, fixes with the verdicts that they change, undo", async () => {
    const page = await open();
    await openFile(page, "User-agent: *\nDisalow: /tmp/\nDisallow: private\n");
    await setUrls(page, ["/tmp/x", "/private", "/privately"]);
    assert.equal(await page.locator(".signs .sign.warning").count(), 1);
    assert.equal(await page.locator(".signs .sign.error").count(), 1);
    const first = page.locator(".problem", { hasText: "R022" });
    assert.match(await first.textContent(), /`Disalow` is misspelt.*2 \| Disalow: \/tmp\/\n {2}\| \^{7}help: write `Disallow`/s);
    await first.locator(".effect", { hasText: /^No verdict changes: proved/ }).waitFor();
    const second = page.locator(".problem", { hasText: "R050" });
    await second.locator(".effect", { hasText: /Verdicts change for/ }).waitFor();
    assert.match(await second.locator(".effect").textContent(), /^Verdicts change for Googlebot and everyone else\.\/private allowed → disallowed$/);
    await page.hover("#editor .lint.warning");
    await page.locator(".tip", { hasText: "R022" }).waitFor();
    await second.locator("button", { hasText: "Fix" }).click();
    await settled(page);
    assert.equal(await fileText(page), "User-agent: *\nDisalow: /tmp/\nDisallow: /private\n");
    assert.deepEqual((await verdicts(page)).map(([, verdict]) => verdict), ["disallowed", "disallowed", "disallowed"]);
    await page.focus("#editor .cm-content");
    await page.keyboard.press("Control+Z");
    await settled(page);
    assert.equal(await fileText(page), "User-agent: *\nDisalow: /tmp/\nDisallow: private\n");
    await openFile(page, "User-agent: *\nDisalow: /tmp/\nDisalow: /b\n");
    await page.click("#fix-all");
    await settled(page);
    assert.equal(await fileText(page), "User-agent: *\nDisallow: /tmp/\nDisallow: /b\n");
    // Lint knows the lines, not what the owner wants.
    await until(page, "#problem-list", /^No faults found in how the file is written\. The verdicts say what it lets in\.$/);
});

test("what changed the file has a button that undoes it, named as the device does", async () => {
    const file = "User-agent: *\nDisalow: /tmp/\nDisalow: /b\n";
    for (const [width, platform, name] of [[1360, "Linux x86_64", "Undo (Ctrl+Z)"], [1360, "MacIntel", "Undo (Cmd+Z)"], [390, "iPhone", "Undo"]]) {
        const page = await open({ width, height: 844, platform });
        assert.ok(await page.isDisabled("#undo"), "there is nothing before the example");
        await openFile(page, file);
        await page.click("#clear-file");
        await until(page, "#say", /^Empty\./);
        assert.deepEqual(await texts(page, "#undo, #say button"), [name, name]);
        await page.click("#say button");
        await settled(page);
        assert.equal(await fileText(page), file);
        for (const change of ["#fix-all", ".problem .fix button"]) {
            await page.click(change);
            await until(page, "#say", /^(Applied 2 safe fixes|Fixed R022 in line 2)\./);
            assert.equal(await page.locator("#say button").count(), 1);
            assert.doesNotMatch((await text(page, "#say")).replace(name, ""), /Ctrl|Cmd/);
            await page.click("#undo");
            await settled(page);
            assert.equal(await fileText(page), file);
        }
        assert.ok(await page.isEnabled("#undo"), "the example came before the file");
    }
});

test("problems: errors before warnings before notes, each in the file's order", async () => {
    const page = await open();
    await openFile(page, "User-agent: *\nDisallow: /account\nAllow: /account/help\nDisalow: /tmp/\nDisallow: private/\nDisallow: cart/\n");
    assert.deepEqual((await texts(page, ".problem .problem-title")).map((title) => title.replace(/^(\w+) .*(line \d+)$/s, "$1 $2")), ["error line 5", "error line 6", "warning line 4", "note line 2"]);
    await page.locator(".problem .fix button").first().click();
    await settled(page);
    assert.match(await fileText(page), /\nDisallow: \/private\/\nDisallow: cart\/\n/, "the button belongs to its problem");
});

test("nothing is cut off, and nothing touches the fields above it", async () => {
    for (const width of [390, 1360]) {
        const page = await open({ width, height: 860 });
        await setUrls(page, ["https://tea.example/a/very/long/path/with/many/folders/and-more.html?with=query&and=more"]);
        await page.click("#tab-table");
        await page.locator(".turned span").waitFor();
        const cut = await page.$$eval(".turned span", (all) => all.map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight));
        assert.deepEqual(cut, [0], `${width}: the column of a long URL`);
        await page.click("#tab-headers");
        await page.fill("#page-url", "/cart");
        await page.fill("#page-metas", "<meta name=robots content=all>");
        await page.locator("#page-answer .badge").first().waitFor();
        const gap = await page.evaluate(() => document.querySelector("#page-answer .badge").getBoundingClientRect().top - document.getElementById("page-metas").getBoundingClientRect().bottom);
        assert.ok(gap >= 4, `${width}: the verdict is ${gap} px below the field`);
    }
});

test("a code explains itself with one click", async () => {
    const page = await open();
    await openFile(page, "User-agent: *\nDisalow: /tmp/\nDisallow: private\n");
    const first = page.locator(".problem", { hasText: "R022" });
    await first.locator("button", { hasText: /^R022$/ }).click();
    await first.locator(".meaning a").waitFor();
    const { title, explanation } = tools.codeMeaning("R022");
    assert.equal(await first.locator(".meaning").textContent(),
        `R022: ${title}. ${explanation}For exampleUser-agent: *\nDissallow: /a/\nAfter its fixUser-agent: *\nDisallow: /a/\nMore about R022`);
    const link = first.locator(".meaning a");
    assert.equal(await link.getAttribute("href"), "https://github.com/librobots/librobots/blob/main/bindings/cli/lint.md#r022");
    assert.equal(await link.getAttribute("rel"), "noopener noreferrer");
    await first.locator("button", { hasText: /^R022$/ }).click();
    assert.ok(await first.locator(".meaning").isHidden());
    // Every code of the engine has a meaning, and an example unless it is not text.
    const { lints } = JSON.parse(readFileSync("tests/data/api.json", "utf8"));
    assert.ok(lints.length > 80 && lints.filter(({ example }) => example !== null).length > 75);
    for (const { code } of lints) assert.ok(tools.codeMeaning(code).explanation.length > 10, code);
});

test("your domain: a link that the browser opens, and a paste", async () => {
    const page = await open();
    for (const [typed, href] of [
        ["tea.example", "https://tea.example/robots.txt"], ["http://www.tea.example:8080/shop?x", "http://www.tea.example:8080/robots.txt"],
        ["tea.example:8443/x", "https://tea.example:8443/robots.txt"], ["bücher.example", "https://xn--bcher-kva.example/robots.txt"],
    ]) {
        await page.fill("#domain", typed);
        assert.equal(await page.getAttribute("#site-link", "href"), href);
        assert.equal(await page.getAttribute("#site-link", "rel"), "noopener noreferrer");
        assert.equal(await page.getAttribute("#site-link", "target"), "_blank");
    }
    for (const typed of ["tea", "javascript:alert(1)", "javascript://tea.example/%0aalert(1)", "data:text/html,x", "tea..", "https://", "a b.example"]) {
        await page.fill("#domain", typed);
        assert.equal(await page.locator("#site-link").count(), 0, typed);
        assert.match(await text(page, "#site-help"), /such as example\.com/);
    }
    await page.fill("#domain", "tea.example");
    await page.evaluate(() => navigator.clipboard.writeText("User-agent: *\nDisallow: /copied\n"));
    await page.click("#paste-file");
    await until(page, "#editor", /copied/);
    await settled(page);
    assert.deepEqual((await verdicts(page)).map(([url]) => url), ["https://tea.example/"]);
    assert.ok(await page.isHidden("#site"));
    await page.click("#clear-file");
    await page.locator("#site").waitFor();
    await page.evaluate(() => navigator.clipboard.writeText(" "));
    await page.click("#paste-file");
    await until(page, "#say", /Nothing is copied/);
    const denied = await open({ permissions: [] });
    await denied.click("#paste-file");
    await until(denied, "#say", /does not permit/);
    assert.equal(await denied.evaluate(() => document.activeElement.className), "cm-content");
});

test("files that are no robots.txt: HTML, UTF-16, binary, too long", async () => {
    const page = await open();
    await setUrls(page, ["/", "/a"]);
    await openFile(page, "<!doctype html><html><head><title>404</title></head><body><script>alert(1)</script></body></html>");
    assert.match(await text(page, "#notices .error"), /HTML/);
    await openFile(page, Buffer.from("\ufeffUser-agent: *\nDisallow: /\n", "utf16le"));
    assert.match(await text(page, "#notices"), /UTF-16.*everything is allowed/s);
    assert.match(await text(page, "#editor"), /User-agent: \*/);
    assert.ok((await verdicts(page)).every(([, verdict]) => verdict === "allowed"));
    await page.click("#notices button");
    await settled(page);
    assert.equal((await verdicts(page))[0][1], "disallowed");
    await openFile(page, Buffer.concat([Buffer.from("User-agent: *\nDisallow: /\xe9\n", "latin1")]));
    assert.match(await text(page, "#notices .warning"), /not UTF-8/);
    await setUrls(page, ["/%E9", "/%C3%A9"]);
    assert.deepEqual((await verdicts(page)).map(([, verdict]) => verdict), ["disallowed", "allowed"], "the bytes themselves are read");
    await openFile(page, Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]));
    // Where it is fetched, it is an outage in each dialect (SPEC 2.17).
    for (const [name, dialect] of [["Googlebot", ""], ["*", "google"], ["ExampleBot", ""]]) {
        await choose(page, name, dialect);
        assert.deepEqual((await verdicts(page)).map(([, verdict, reason]) => [verdict, reason]), Array(2).fill(["not now", "unreachable"]), `${name} ${dialect}`);
        assert.match(await text(page, "#notices .error"), /compressed by gzip.*outage/);
    }
    await page.click("#urls [role=option] >> nth=0");
    await until(page, "#why", /Because.*compressed/s);
    assert.doesNotMatch(await text(page, "#why"), /nothing is disallowed|allowed;/);
    await page.click("#tab-table");
    await page.locator(".table .cell").first().waitFor();
    assert.deepEqual([...new Set(await page.$$eval(".table .cell .hidden", (cells) => cells.map(({ textContent }) => textContent.split(":")[0])))], ["Not now", "Ignores the file"]);
    await page.click("#tab-urls");
    await openFile(page, "https://shop.example/robots.txt");
    assert.match(await text(page, "#sites"), /address of a file.*paste the file itself/);
    assert.deepEqual(await texts(page, "#urls .word"), ["", ""]);
    await page.click("#urls [role=option] >> nth=1");
    await until(page, "#why", /There is no verdict for \/%C3%A9: This is the address of a file/);
});

test("5 MB pasted by mistake: it says so, and answers", async () => {
    const page = await open();
    const shop = `User-agent: *\nDisallow: /cart\n${"<p>some page of a shop, with words and words</p>\n".repeat(105_000)}`;
    for (const [pasted, where, shown, verdict] of [
        [shop, "#notices", /5\.\d MB.*first 512 kB/s, /Disallowed/],
        ["x".repeat(5_000_000), "#file-size", /5\.0 MB, 1 line/, /Allowed/],
    ]) {
        await selectFile(page);
        await paste(page, pasted);
        await until(page, where, shown);
        await settled(page);
        await page.fill("#url-input", verdict.source === "Allowed" ? "/other" : "/cart");
        await until(page, "#draft", verdict);
    }
});

// --- the URLs ----------------------------------------------------------------------------------------------------------------

test("URLs: typed, pasted, dropped, opened, edited, removed", async () => {
    const page = await open();
    await page.fill("#url-input", "/cart/7");
    await until(page, "#draft", /Disallowed line 4: Disallow: \/cart/);
    await page.fill("#url-input", "/tea");
    await page.press("#url-input", "Enter");
    await settled(page);
    assert.equal((await verdicts(page)).at(-1)[0], "/tea");
    await page.focus("#url-input");
    await paste(page, "/a\n/b\r\n\n  /c  \n");
    await settled(page);
    assert.deepEqual((await verdicts(page)).slice(-3).map(([url]) => url), ["/a", "/b", "/c"]);
    await drop(page, "#urls", "urls.txt", "/d\n/e\n");
    await page.waitForFunction(() => document.querySelector("[data-filter=all] .number").textContent === "15", null, { polling: 20 });
    await page.setInputFiles("#url-file", { name: "urls.txt", mimeType: "text/plain", buffer: Buffer.from("/f\n") });
    await page.waitForFunction(() => document.querySelector("[data-filter=all] .number").textContent === "16", null, { polling: 20 });
    await setUrls(page, ["/cart", "/", "=1+1", "/press/"]);
    assert.deepEqual((await verdicts(page)).map(([url, verdict]) => `${url} ${verdict}`), ["/cart disallowed", "/ allowed", "=1+1 not a url", "/press/ allowed"]);
    await page.click("[data-filter=no]");
    assert.equal(await page.locator("#urls [role=option]").count(), 1);
    await page.click("[data-filter=yes]");
    assert.equal(await page.locator("#urls [role=option]").count(), 2);
    await page.click("[data-filter=all]");
    await page.click("#urls [role=option] >> nth=1");
    await page.press("#urls", "Delete");
    await settled(page);
    assert.deepEqual((await verdicts(page)).map(([url]) => url), ["/cart", "=1+1", "/press/"]);
    await setUrls(page, ["https://a.example/", "https://b.example/"]);
    assert.match(await text(page, "#sites"), /2 sites: https:\/\/a\.example, https:\/\/b\.example/);
});

test("what is neither an absolute URL nor a path has no verdict, and one click corrects it", async () => {
    const page = await open();
    const wrong = ["cart", "tea.example/cart/", "tea.example", "tea.example:8080/x", "page.html", "images/a.png", "?q=1", "v1.2/x", "mailto:x", "javascript:alert(1)", "http:/x", "https//x"];
    const right = ["/cart", "https://tea.example/cart/", "https://tea.example/", "https://tea.example:8080/x", "/page.html", "/images/a.png", "/?q=1", "/v1.2/x", ...wrong.slice(8)];
    for (const name of ["Googlebot", "bingbot", "*"]) {
        await choose(page, name);
        await setUrls(page, ["/", ...wrong]);
        assert.deepEqual((await verdicts(page)).map(([, verdict]) => verdict), ["allowed", ...wrong.map(() => "not a url")], name);
        await page.click("#urls [role=option] >> nth=1");
        await until(page, "#why", /There is no verdict for cart/);
        await page.keyboard.press("Escape");
        assert.match(await text(page, "#wrong"), /8 lines are not URLs: cart, tea\.example\/cart\/, tea\.example, …/);
        await page.click("#correct");
        await settled(page);
        assert.deepEqual((await verdicts(page)).map(([url]) => url), ["/", ...right], name);
        assert.ok(await page.isHidden("#wrong"), "no suggestion is left");
        await page.fill("#url-input", "cart");
        await until(page, "#draft", /^Not a URL Write \/cart$/);
        await page.click("#draft button");
        await until(page, "#draft", /Disallowed line 4/);
        await page.fill("#url-input", "mailto:x");
        await until(page, "#draft", /Not a URL write a whole URL, or a path/);
        await page.fill("#url-input", "");
    }
    // They count nowhere.
    await setUrls(page, ["/", ...wrong, ...Array.from({ length: 30 }, () => "cart")]);
    await page.click("#tab-table");
    await page.locator(".table .cell").first().waitFor();
    assert.ok((await texts(page, ".table td.sum")).every((sum) => sum === "1 of 43" || sum === "none" || sum === "–"), "counted");
});

test("a verdict points at its line, and explains itself", async () => {
    const page = await open();
    await page.hover("#urls [role=option]:has-text('/cart') >> nth=0");
    assert.deepEqual(await pointed(page), ["Disallow: /cart"]);
    await page.click("#urls [role=option]:has-text('/account/help')");
    await until(page, "#why", /Because/);
    const why = await text(page, "#why");
    assert.match(why, /Allowed https:\/\/tea\.example\/account\/help/);
    assert.match(why, /line 8 decides: Allow: \/account\/help/);
    assert.match(why, /Googlebot obeys the group of \* \(everyone else\), line 3/);
    assert.match(why, /line 5 Disallow: \/account\/ loses: a longer rule decides/);
    assert.match(why, /the draft of 1996: disallowed \(line 5\)/);
    await page.hover("#why .losers .line-link");
    assert.deepEqual(await pointed(page), ["Disallow: /account/"]);
    await choose(page, "GPTBot");
    await until(page, "#why", /GPTBot obeys the group of GPTBot, line 15, and no other/);
});

test("crawlers: presets by class, own tokens, dialects", async () => {
    const page = await open();
    const { presets, purposes } = JSON.parse(readFileSync("tests/data/api.json", "utf8"));
    const labels = await page.$$eval("#crawler optgroup", (all) => all.map(({ label }) => label));
    assert.deepEqual(labels.map((label) => label.toLowerCase()), purposes.map((purpose) => purpose.toLowerCase()));
    assert.deepEqual((await page.$$eval("#crawler optgroup option", (all) => all.map(({ value }) => value))).sort(), presets.map(({ name }) => name).sort());
    await openFile(page, "User-agent: MyBot\nDisallow: /\n\nUser-agent: Googlebot\nDisallow: /g\n\nUser-agent: *\nDisallow: /s\nAllow: /s/open\n");
    const urls = ["/", "/g", "/s", "/s/open"];
    await setUrls(page, urls);
    const body = await fileText(page);
    for (const [name, crawler] of [
        ["MyBot", new Crawler("MyBot")], ["Other MyBot", new Crawler(["Other", "MyBot"])], ["*", new Crawler("*")], ["Googlebot-Image", Crawler.preset("Googlebot-Image")],
        ["AdsBot-Google", Crawler.preset("AdsBot-Google")], ["Applebot", Crawler.preset("Applebot")],
    ]) {
        await choose(page, name);
        assert.deepEqual(await verdicts(page), expected(crawler.parse(body), urls), name);
    }
    for (const dialect of ["rfc9309", "google", "koster1996"]) {
        await choose(page, "*", dialect);
        assert.deepEqual(await verdicts(page), expected(new Crawler("*", { dialect }).parse(body), urls), dialect);
    }
    await choose(page, "Mozilla/5.0");
    assert.match(await text(page, "#sites"), /Mozilla\/5\.0/);
    assert.ok((await verdicts(page)).every(([, verdict]) => verdict !== "allowed"), "an invalid token permits nothing");
});

test("how a crawler reads the file is said of the dialect that counts", async () => {
    const page = await open();
    const note = () => text(page, "#who-note");
    const [standard, google, draft] = ["as the standard, RFC 9309, says", "as Google's parser does", "as the draft of 1996 says: * in a path is no wildcard, and the first rule that matches decides"];
    for (const [name, dialect, words] of [
        ["Googlebot", "", `It reads the file ${google}.`], ["Googlebot", "google", `It reads the file ${google}.`],
        ["Googlebot", "rfc9309", `It reads the file ${google}. Here the file is read ${standard}.`],
        ["Googlebot", "koster1996", `It reads the file ${google}. Here the file is read ${draft}.`],
        ["bingbot", "", `It reads the file ${standard}.`], ["bingbot", "google", `It reads the file ${standard}. Here the file is read ${google}.`],
        ["bingbot", "koster1996", `It reads the file ${standard}. Here the file is read ${draft}.`],
        ["*", "koster1996", `A crawler that no group names obeys the group of *. Here the file is read ${draft}.`],
        ["Googlebot-Image", "", `It obeys the group of Googlebot-Image, else of Googlebot. It reads the file ${google}.`],
        ["Perplexity-User", "koster1996", "Its operator says that it ignores robots.txt: only your server can keep it out."],
    ]) {
        await choose(page, name, dialect);
        assert.equal(await note(), words, `${name} ${dialect}`);
    }
    await choose(page, "Perplexity-User ");
    assert.match(await note(), /^Write the name.*Its operator says that it ignores robots\.txt/, "also with a name of one's own");
});

test("a crawler that ignores the file has no verdict, and one that may says so", async () => {
    for (const width of [1360, 390]) {
        const page = await open({ width, height: 844 });
        await openFile(page, "User-agent: Perplexity-User\nUser-agent: ChatGPT-User\nDisallow: /private/\n");
        await setUrls(page, ["/private/", "/", "cart"]);
        await choose(page, "Perplexity-User");
        assert.deepEqual((await verdicts(page)).map(([, verdict, , line]) => [verdict, line]), [["ignores the file", 0], ["ignores the file", 0], ["not a url", 0]]);
        assert.deepEqual(await texts(page, "#urls .word"), ["Ignores the file", "Ignores the file", "Not a URL"]);
        assert.deepEqual(await texts(page, "#panel-urls .number"), ["3", "0", "0"]);
        await page.fill("#url-input", "/private/x");
        await until(page, "#draft", /^Ignores the file only your server can keep it out$/);
        await page.fill("#url-input", "");
        await page.click("#urls [role=option] >> nth=0");
        await until(page, "#why", /There is no verdict for \/private\/: Perplexity-User ignores robots\.txt, as its operator says/);
        assert.doesNotMatch(await text(page, "#why"), /obeys|decides/);
        await choose(page, "ChatGPT-User");
        assert.deepEqual((await verdicts(page)).map(([, verdict]) => verdict), ["disallowed (may ignore)", "allowed", "not a url"]);
        assert.equal((await texts(page, "#urls .reason"))[0], "may ignore line 3: Disallow: /private/");
        await until(page, "#why", /ChatGPT-User obeys the group of ChatGPT-User, line 2, and no other, unless it ignores the file\.ButIts operator says that requests of users may ignore robots\.txt/);

        await page.click("#tab-table");
        await page.locator(".table .cell").first().waitFor();
        const row = (name) => page.locator(".table tbody tr", { has: page.getByRole("button", { name, exact: true }) });
        const cells = async (name) => (await row(name).locator("td").allTextContents()).slice(0, 2);
        assert.deepEqual(await cells("Perplexity-User"), ["–", "Ignores the file: only your server can keep it out"]);
        assert.deepEqual(await cells("ChatGPT-User"), ["1 of 3", "Disallowed by line 3, which it may ignore"]);
        for (const [name, label] of [["Perplexity-User", "ignores the file"], ["ChatGPT-User", "may ignore the file"], ["Google-Extended", "fetches nothing"]]) {
            assert.equal(await row(name).locator(".caveat").textContent(), label);
            assert.ok(await row(name).locator(".caveat").isVisible(), `${width}: ${label}`);
        }
        assert.match(await text(page, "#panel-table"), /A filled dot: a group names the crawler, or one whose rules it takes over\. A hollow dot: it obeys the group of \*\. No dot: no group counts for it\./);
        const dot = (name) => row(name).locator(".dot").evaluate((dot) => [dot.className.replace("dot ", ""), dot.title]);
        assert.deepEqual(await dot("Perplexity-User"), ["none", "it ignores the file"]);
        assert.deepEqual(await dot("ChatGPT-User"), ["own", "it obeys the group of ChatGPT-User"]);
        assert.deepEqual(await dot("Googlebot"), ["none", "no group counts for it"]);

        await choose(page, "Perplexity-User");
        await page.click("#tab-groups");
        await until(page, "#panel-groups", /Perplexity-User ignores the file, as its operator says/);
        assert.doesNotMatch(await text(page, "#panel-groups"), /Perplexity-User obeys/);
        assert.deepEqual(await texts(page, ".card h3"), ["Perplexity-User (ignores the file), ChatGPT-User (may ignore the file)"]);
        await page.click("#tab-headers");
        await page.fill("#page-url", "/private/");
        await page.fill("#page-headers", "X-Robots-Tag: noindex");
        await until(page, "#page-answer", /^Ignores the file The crawler fetches the page in spite of robots\.txt, so it sees these/);
        await page.click("#tab-sitemaps");
        await until(page, "#panel-sitemaps", /Perplexity-User ignores the file/);
        await page.click("#tab-difference");
        await page.click("#keep");
        await openFile(page, "User-agent: Perplexity-User\nDisallow: /\n\nUser-agent: ChatGPT-User\nDisallow: /private/\n");
        await until(page, "#difference-summary", /^No verdict changes: proved/);
    }
});

test("10,000 URLs are decided anew with each key; stale work is dropped", async () => {
    const page = await open();
    const urls = Array.from({ length: 10_000 }, (_, index) => `https://tea.example/${["cart", "green", "account", "internal", "black?x=1&sort=up"][index % 5]}/${index}`);
    await setUrls(page, urls);
    await page.evaluate(() => performance.clearMeasures("decided"));
    await page.click("#editor .cm-line:nth-child(8)");
    await page.keyboard.press("End");
    for (const letter of "\nDisallow: /green/9") await page.keyboard.type(letter);
    await settled(page);
    assert.ok((await page.evaluate(() => performance.getEntriesByName("decided").length)) <= 20);
    const found = await verdicts(page);
    const body = await fileText(page);
    assert.match(body, /\/green\/9\n/);
    assert.deepEqual(found, expected(Crawler.preset("Googlebot").parse(body), urls));
    compared += urls.length;
    await page.focus("#urls");
    await page.keyboard.press("End");
    await until(page, "#urls", /9999/);
    assert.ok(await page.locator("#urls [role=option]").count() < 60, "only rows in view exist");
});

// --- tabs ----------------------------------------------------------------------------------------------------------------------

test("all crawlers: each cell is the library's verdict", async () => {
    const page = await open();
    await page.click("#tab-table");
    await page.locator(".table .cell").first().waitFor();
    const urls = (await verdictsUrls(page));
    const body = await fileText(page);
    const { presets } = JSON.parse(readFileSync("tests/data/api.json", "utf8"));
    const rows = await page.$$eval(".table tbody tr:not(.purpose)", (rows) => rows.map((row) => ({
        name: row.querySelector(".name-link").textContent, cells: [...row.querySelectorAll(".cell")].map(({ textContent }) => textContent), own: row.querySelector(".dot.own") !== null,
    })));
    assert.ok(rows.length > 45);
    for (const { name, cells, own } of rows) {
        const ignores = presets.find((preset) => preset.name === name).ignores_robots_txt;
        const wanted = expected(Crawler.preset(name).parse(body), urls).map(([, verdict, , line]) => (ignores ? "Ignores 0" : `${verdict[0].toUpperCase()}${verdict.slice(1)} ${line}`));
        assert.deepEqual(cells.map((cell) => `${/^\w+/.exec(cell)[0]} ${/line (\d+)/.exec(cell)?.[1] ?? 0}`), wanted, name);
        assert.equal(own, ["Googlebot-Image", "GPTBot", "ClaudeBot", "Google-Extended"].includes(name), name);
        compared += cells.length;
    }
    await page.click(".name-link >> text=GPTBot");
    await settled(page);
    assert.equal(await page.inputValue("#crawler"), "GPTBot");
    assert.ok((await verdicts(page)).every(([, verdict]) => verdict === "disallowed"));
});
const verdictsUrls = async (page) => {
    await page.click("#tab-urls");
    const urls = (await verdicts(page)).map(([url]) => url);
    await page.click("#tab-table");
    await page.locator(".table .cell").first().waitFor();
    return urls;
};

test("all crawlers without a URL: the home page, a CSS file, a product and the paths that rules shut", async () => {
    const page = await open();
    await openFile(page, "User-agent: *\nDisallow: /basket/\nDisallow: /*.css$\n\nUser-agent: GPTBot\nDisallow: /\n");
    await page.click("#tab-table");
    await page.locator(".table .cell").first().waitFor();
    assert.match(await text(page, "#panel-table .lead:nth-child(2)"), /no URLs yet.*examples: the home page, a CSS file, a product page/);
    assert.deepEqual(await texts(page, ".table .turned"), ["/", "/style.css", "/products/example", "/.css", "/basket/"]);
    assert.equal(await text(page, "#panel-table .lead"), "GPTBot is shut out of all of these URLs.");
    const of = (name) => page.locator(".table tbody tr", { has: page.getByRole("button", { name, exact: true }) }).locator("td").allTextContents();
    assert.deepEqual((await of("GPTBot")).slice(0, 2), ["none", "Disallowed by line 6"]);
    assert.deepEqual((await of("Googlebot")).map((cell) => /^\w+/.exec(cell)[0]), ["2", "Allowed", "Disallowed", "Allowed", "Disallowed", "Disallowed"]);
});

test("groups: who obeys which rules", async () => {
    const page = await open();
    await openFile(page, "User-agent: a\nDisallow: /1\nUser-agent: b\nUser-agent: c\nDisallow: /2\nAllow:\nUser-agent: A\nDisallow: /3\nUser-agent: *\nDisallow: /4\nUser-agent: x/1.0 y\nDisallow: /5\nUser-agent: * all\nDisallow: /6\nUser-agent: *x\n");
    await choose(page, "b");
    await page.click("#tab-groups");
    await until(page, "#panel-groups", /b obeys this/);
    const cards = await page.$$eval(".card", (cards) => cards.map((card) => `${card.querySelector("h3").textContent}: ${[...card.querySelectorAll("li")].map(({ textContent }) => textContent).join("; ")}${card.classList.contains("chosen") ? " chosen" : ""}`));
    assert.deepEqual(cards, [
        "a: 2 Disallow: /1; 8 Disallow: /3",
        "b, c: 5 Disallow: /2; 6 Allow:  never decides chosen",
        "Everyone else (*), * all: 10 Disallow: /4; 14 Disallow: /6",
        "x/1.0 y: 12 Disallow: /5",
        "Names that no crawler obeys: ",
    ]);
    await page.hover(".card .line-link >> text=8");
    assert.deepEqual(await pointed(page), ["Disallow: /3"]);
});

test("difference: the verdicts that an edit changes, with lines", async () => {
    const page = await open();
    await openFile(page, "User-agent: *\nDisallow: /tmp/\n\nUser-agent: GreedyBot\nDisallow: /\n");
    await setUrls(page, ["/tmp", "/tmp/a", "/z"]);
    await page.click("#tab-difference");
    await page.click("#keep");
    await until(page, "#difference-summary", /^No verdict changes: proved/);
    await page.click("#editor .cm-line:nth-child(2)");
    await page.keyboard.press("End");
    await page.keyboard.press("Backspace");
    await until(page, "#difference-summary", /^Verdicts change for Googlebot and everyone else\.$/);
    const rows = await texts(page, "#panel-difference tbody tr");
    assert.deepEqual(rows, ["/tmpAllowed no rule matchesDisallowed line 2"]);
    assert.deepEqual(await texts(page, "#panel-difference .card h3"), ["Googlebot and everyone else"]);
    // A path that no list of guesses has.
    await page.click("#editor .cm-line:nth-child(2)");
    await page.keyboard.press("End");
    await page.keyboard.type("/");
    await until(page, "#difference-summary", /No verdict changes: proved/);
    await page.keyboard.type("\nAllow: /tmp/*b*a*b*c$");
    await until(page, "#panel-difference .cards", /\/tmp\/babc/);
    assert.deepEqual(await texts(page, "#panel-difference tbody tr"), ["/tmp/babcDisallowed line 2Allowed line 3"]);
    await drop(page, "#before .cm-content", "old.txt", "User-agent: *\nDisallow:\n");
    await until(page, "#panel-difference .cards", /GreedyBot/);
    await page.hover("#panel-difference tbody tr >> nth=0 >> .line-link >> nth=-1");
    assert.equal((await pointed(page)).length, 1);
    // What is too hard is not called unchanged.
    const hard = (extra) => `User-agent: *\n${Array.from({ length: 60 }, (_, index) => `Disallow: /*${index}*a*b${index % 7}*c*d${index % 5}*e`).join("\n")}\n${extra}`;
    await drop(page, "#before .cm-content", "old.txt", hard(""));
    await openFile(page, hard("Disallow: /*q*0*a*b0*c*d0*e\n"));
    await until(page, "#difference-summary", /^No change was found\. Not decided for Googlebot and everyone else.*too hard/);
});

test("the difference is the engine's, for each crawler", async () => {
    const page = await open();
    const old = "User-agent: *\nDisallow: /a\nAllow: /a\nDisallow: /b/*.php\nDisallow: /*/z\n\nUser-agent: Slurp\nUser-agent: GPTBot\nDisallow: /x\n";
    const now = "User-agent: *\nDisallow: /a\nDisallow: /b/*.php$\nDisallow: /*/zz\n\nUser-agent: GPTBot\nDisallow: /x/y\n";
    const versions = "User-agent: *\nDisallow: /\n\nUser-agent: MyBot2/1.0 (a bot)\nDisallow: /v\n";
    await openFile(page, now);
    await page.click("#tab-difference");
    await drop(page, "#before .cm-content", "old.txt", old);
    await until(page, "#panel-difference .cards", /Slurp.*GPTBot|GPTBot.*Slurp/);
    const cards = await page.$$eval("#panel-difference .card", (cards) => cards.map((card) => [card.querySelector("h3").textContent.split(/, | and /), [...card.querySelectorAll("tbody td:first-child code")].map(({ textContent }) => textContent)]));
    assert.ok(cards.length >= 3);
    for (const [names, paths] of cards) {
        for (const name of names) {
            const of = (name) => (name === "everyone else" ? new Crawler("*") : name === "Slurp" ? new Crawler(name) : Crawler.preset(name));
            const found = tools.difference(of(name).parse(old), of(name).parse(now)).paths.map(({ path }) => path);
            assert.deepEqual(paths.slice(0, found.length), found, name);
        }
    }
    // Crawlers that obey a name with a version are compared, too.
    await openFile(page, versions.replace("/v", ""));
    await drop(page, "#before .cm-content", "old.txt", versions);
    await until(page, "#difference-summary", /^Verdicts change for MyBot2 and MyBot\.$/);
});

test("the crawlers that matter to most owners come first, and are never folded away", async () => {
    const page = await open();
    const main = ["Googlebot", "bingbot", "DuckDuckBot", "Applebot", "YandexBot", "Baiduspider", "OAI-SearchBot", "Claude-SearchBot", "PerplexityBot"];
    await openFile(page, "User-agent: *\nDisallow: /\n");
    await page.click("#tab-table");
    await page.locator(".table .cell").first().waitFor();
    const summary = await text(page, "#panel-table .lead");
    assert.match(summary, /^Googlebot, bingbot, .* and \d+ more are shut out/);
    for (const name of main) assert.ok(summary.includes(name), `${name}: ${summary}`);
    const names = Array.from({ length: 40 }, (_, index) => `GreedyBot${"abcdefghij"[index % 10]}${"abcd"[Math.floor(index / 10)]}`);
    await openFile(page, `${[...names, "bingbot", "Googlebot", "PerplexityBot"].map((name) => `User-agent: ${name}\n`).join("")}Disallow: /\n`);
    await page.click("#tab-groups");
    await until(page, "#panel-groups .card h3", /^Googlebot, bingbot, PerplexityBot, GreedyBot.* and 13 more$/);
});

test("an explanation says which line lets the page in, in the engine's words", async () => {
    for (const width of [1280, 390]) {
        const page = await open({ width, height: width === 390 ? 844 : 800 });
        await openFile(page, "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /cart/\n");
        await setUrls(page, ["/cart/tea", "/tea", "/robots.txt"]);
        const body = await fileText(page);
        for (const [name, crawler] of [["Googlebot", Crawler.preset("Googlebot")], ["GPTBot", Crawler.preset("GPTBot")], ["*", new Crawler("*")], ["ExampleBot", new Crawler("ExampleBot")]]) {
            await choose(page, name);
            for (const [index, url] of ["/cart/tea", "/tea", "/robots.txt"].entries()) {
                await page.click(`#urls [role=option] >> nth=${index}`);
                await page.waitForFunction((wanted) => document.querySelector("#why .advice")?.textContent === wanted, tools.verdictAdvice(crawler, body, url, name), { polling: 20 });
            }
        }
        await page.click("#urls [role=option] >> nth=0");
        await until(page, "#why .advice", /^To let .* fetch \/cart\/tea, add "Allow: \/cart\/tea" after line 5; that holds for .*all crawlers without a group of their own\.$/);
        await choose(page, "ExampleBot", "koster1996");
        await until(page, "#why .advice", /^To let .* fetch \/cart\/tea, add "Allow: \/cart\/tea" before line 5/);
    }
});

test("an explanation lists 200 of the rules that lose", async () => {
    const page = await open();
    await openFile(page, `User-agent: *\n${"Disallow: /tea\n".repeat(300)}`);
    await setUrls(page, ["/tea"]);
    await page.click("#urls [role=option]");
    await until(page, "#why details:has(.losers) summary", /^299 also match$/);
    assert.equal(await page.locator("#why .losers li").count(), 200);
});

test("a name that no crawler has gets the answer of the command", async () => {
    const page = await open();
    for (const [name, words] of [["MJ12", /MJ12bot/], ["Bing", /^Bing names an operator, not a crawler; its crawlers: bingbot\.$/], ["seo", /names a purpose/], ["Bingo", /write `bingbot`/], ["everyone", /everyone is `\*`/]]) {
        await choose(page, name);
        await until(page, "#names", words);
        assert.equal((await text(page, "#names")).toLowerCase(), `${tools.nameAdvice(name)}.`.toLowerCase());
        assert.ok(await page.isVisible("#names"), name);
    }
    for (const name of ["MJ12bot", "ExampleBot", "*", "Googlebot"]) {
        await choose(page, name);
        await page.waitForFunction(() => document.getElementById("names")?.hidden === true, null, { polling: 20 });
    }
});

test("difference: crawlers of few owners are one group, folded after the others", async () => {
    const page = await open();
    const file = (path) => ["*", "Googlebot", "GPTBot", "MJ12bot", "DotBot", "GreedyBot"].map((name, index) => `User-agent: ${name}\nDisallow: /${path}${index}\n`).join("\n");
    await openFile(page, file("now"));
    await page.click("#tab-difference");
    await drop(page, "#before .cm-content", "old.txt", file("old"));
    await until(page, "#panel-difference summary", /^\d+ other crawlers: /);
    assert.match(await text(page, "#difference-summary"), /^Verdicts change for Googlebot, .*everyone else and \d+ more\.$/);
    const heads = await texts(page, "#panel-difference > .cards > .card h3");
    assert.match(heads[0], /^Googlebot/);
    assert.doesNotMatch(heads.join("; "), /MJ12|DotBot|GreedyBot/);
    assert.match(heads.join("; "), /everyone else.*GPTBot/);
    assert.ok(await page.isHidden("#panel-difference details .card >> nth=0"));
    await page.click("#panel-difference summary");
    assert.match((await texts(page, "#panel-difference details .card h3")).join("; "), /MJ12bot.*DotBot.*GreedyBot/);
    // A crawler that was chosen is of interest.
    await choose(page, "MJ12bot");
    await page.waitForFunction(() => [...document.querySelectorAll("#panel-difference > .cards > .card h3")].some(({ textContent }) => textContent.includes("MJ12bot")), null, { polling: 20 });
});

test("difference: crawl-delays and sitemaps", async () => {
    const page = await open();
    const same = "User-agent: *\nDisallow: /a\nCrawl-delay: 5\n\nSitemap: https://x.example/1.xml\n";
    await openFile(page, same);
    await page.click("#tab-difference");
    await page.click("#keep");
    await until(page, "#difference-records", /None of them changes\./);
    await openFile(page, "User-agent: *\nDisallow: /a\nCrawl-delay: 10\n\nUser-agent: bingbot\nDisallow: /a\n\nSitemap: https://x.example/2.xml\n");
    await until(page, "#difference-summary", /^No verdict changes: proved/);
    await until(page, "#difference-records", /2\.xml/);
    assert.deepEqual(await texts(page, "#difference-records li"), [
        "Crawl-delay for Googlebot and everyone else: 5 s → 10 s", "Crawl-delay for bingbot: 5 s → none",
        "Sitemap added: https://x.example/2.xml line 8", "Sitemap removed: https://x.example/1.xml line 5",
    ]);
    assert.match(await text(page, "#difference-records"), /Other records, such as Host or Content-Signal, are not compared\.$/);
});

test("what an edit does is in view without scrolling", async () => {
    for (const [width, height] of [[1280, 800], [390, 844]]) {
        const page = await open({ width, height });
        const isInView = (selector) => page.$eval(selector, (element, height) => {
            const { top, bottom } = element.getBoundingClientRect();
            const seen = document.elementFromPoint(innerWidth - 60, (top + bottom) / 2);
            return top >= 0 && bottom <= height && element.closest(".panel").contains(seen);
        }, height);
        await page.click("#tab-recipes");
        await page.check("#recipe-training-out");
        await until(page, "#recipe-preview", /to add/);
        for (const selector of ["#recipe-add", "#recipe-preview h3"]) assert.ok(await isInView(selector), `${width}: ${selector}`);
        await page.fill("#recipe-folder-arguments", "/private/");
        await until(page, "#recipe-preview", /Disallow: \/private\//);
        for (const selector of ["#recipe-add", "#recipe-preview h3"]) assert.ok(await isInView(selector), `${width}: ${selector}, with a folder`);
        if (width < 600) continue;
        await page.click("#tab-difference");
        await page.click("#keep");
        await page.click("#editor .cm-line:nth-child(4)");
        await page.keyboard.press("End");
        await page.keyboard.type("/");
        await until(page, "#difference-summary", /Verdicts change/);
        for (const selector of ["#difference-summary", "#panel-difference tbody tr"]) assert.ok(await isInView(selector), selector);
    }
});

test("recipes: several at a time, a preview of lines and verdicts, then one click", async () => {
    const page = await open();
    const before = "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /cart/\n";
    await openFile(page, before);
    await setUrls(page, ["/private/x", "/menu.pdf", "/"]);
    await page.click("#tab-recipes");
    const { recipes } = JSON.parse(readFileSync("tests/data/api.json", "utf8"));
    assert.deepEqual(await texts(page, "#panel-recipes .option span"), recipes.map(({ title }) => title));
    for (const { name, arguments: kind } of recipes) {
        await page.check(`#recipe-${name}`);
        assert.equal(await page.isVisible(`#recipe-${name}-arguments`), kind !== "", name);
        if (name !== "folder") await page.uncheck(`#recipe-${name}`);
    }
    assert.ok(await page.isDisabled("#recipe-add"));
    await page.fill("#recipe-folder-arguments", "/private/");
    await until(page, "#recipe-preview", /to add.*Disallow: \/private\/.*everyone else.*\/private\/ allowed → disallowed.*\/private\/x/s);
    await page.check("#recipe-training-out");
    await page.check("#recipe-type");
    await page.fill("#recipe-type-arguments", "pdf");
    await page.fill("#recipe-type-for", "Googlebot");
    await until(page, "#recipe-preview", /User-agent: Googlebot.*ClaudeBot.*\/ allowed → disallowed for .*ClaudeBot|ClaudeBot.*User-agent: Googlebot/is);
    const wanted = Buffer.from(tools.addRecipes(before, "for *\nfolder /private/\nfor Googlebot\ntype pdf\ntraining-out").text).toString();
    await page.locator("#recipe-add:enabled").click();
    await settled(page);
    assert.equal(await fileText(page), wanted);
    await until(page, "#recipe-preview", /says this already.*No verdict changes: proved/s);
    assert.ok(await page.isDisabled("#recipe-add"), "nothing is left to add");
    await page.click("#tab-urls");
    assert.deepEqual((await verdicts(page)).map(([, verdict]) => verdict), ["disallowed", "disallowed", "allowed"]);
    await page.click("#tab-recipes");
    // One click, one undo.
    await page.focus("#editor .cm-content");
    await page.keyboard.press("Control+Z");
    await settled(page);
    assert.equal(await fileText(page), before);
    await page.check("#recipe-let-all-in");
    await page.check("#recipe-keep-all-out");
    await page.locator("#recipe-preview .notice").waitFor();
    assert.ok(await page.isDisabled("#recipe-add"), "two that contradict each other");
    for (const { name } of recipes) await page.uncheck(`#recipe-${name}`);
    await page.waitForFunction(() => document.getElementById("recipe-preview").textContent === "", null, { polling: 20 });
    await page.check("#recipe-only");
    await page.fill("#recipe-only-arguments", "no such token!");
    await page.locator("#recipe-preview .notice", { hasText: "token" }).waitFor();
});

test("recipes say what they do and what older lines undo, in the engine's words", async () => {
    const page = await open();
    await openFile(page, "User-agent: *\nAllow: /private/open/\n");
    await page.click("#tab-recipes");
    const said = (selector) => texts(page, `#recipe-preview ${selector}`);
    await page.fill("#recipe-folder-arguments", "/private/");
    await until(page, "#recipe-preview", /private.*private/s);
    const wanted = tools.addRecipes(await fileText(page), "for *\nfolder /private/");
    assert.match(wanted.homePage, /^well-known crawlers that may fetch the home page: 10 of 10 for search, /);
    assert.deepEqual(await said(".effects li:not(.warning)"), ["crawlers may not fetch URLs that start with /private/", wanted.homePage]);
    assert.deepEqual(await said(".effects li.warning"), wanted.warnings);
    assert.match(wanted.warnings.join("\n"), /\/private\/open\/ stays open for .*: line 2, `Allow: \/private\/open\/`, decides it/);
    await page.uncheck("#recipe-folder");
    await openFile(page, "User-agent: Yandexbt\nDisallow: /x/\n");
    // The name of an operator means its crawlers.
    await page.check("#recipe-only");
    await page.fill("#recipe-only-arguments", "google, Bing");
    await until(page, "#recipe-preview", /User-agent: bingbot/);
    assert.deepEqual(await texts(page, "#panel-recipes .option code"), JSON.parse(readFileSync("tests/data/api.json", "utf8")).recipes.map(({ name }) => name));
    assert.match((await said(".effects li"))[0], /^Googlebot, .* more may come in, and no crawler that obeys another name; Google-Extended only says what may be done with pages: it stays out$/);
    assert.deepEqual(await said(".notice"), []);
    await page.uncheck("#recipe-only");
    await page.check("#recipe-all-but");
    await page.fill("#recipe-all-but-arguments", "ShopBot");
    await until(page, "#recipe-preview", /User-agent: ShopBot/);
    assert.deepEqual(await said(".notice"), []);
});

test("recipes: on a phone each warning is whole", async () => {
    const page = await open({ width: 390, height: 844 });
    const file = `User-agent: *\nAllow: /private/${"open-".repeat(150)}\n\nUser-agent: GreedyBot\nDisallow: /\n`;
    await openFile(page, file);
    await page.click("#tab-recipes");
    await page.fill("#recipe-folder-arguments", "/private/");
    await page.check("#recipe-allow");
    await page.fill("#recipe-allow-arguments", "/private/help");
    await until(page, "#recipe-preview", /GreedyBot stays out/);
    const wanted = tools.addRecipes(file, "for *\nfolder /private/\nfor *\nallow /private/help");
    assert.ok(wanted.warnings.length >= 3 && wanted.warnings.some(({ length }) => length > 700), wanted.warnings.join("\n"));
    const items = await page.$$eval("#recipe-preview .effects li", (items) => items.map((item) => ({ words: item.textContent, isWhole: item.scrollWidth <= item.clientWidth && item.getBoundingClientRect().right <= innerWidth })));
    assert.deepEqual(items.map(({ words }) => words), [...wanted.effects, wanted.homePage, ...wanted.warnings]);
    assert.ok(items.every(({ isWhole }) => isWhole));
});

test("headers and meta: what a crawler may do with a page", async () => {
    const page = await open();
    await page.click("#tab-headers");
    await page.fill("#page-headers", "HTTP/1.1 200 OK\nX-Robots-Tag: googlebot: noindex\nX-Robots-Tag: max-snippet: 20\nX-Robots-Tag: nonsense\nContent-Usage: train-ai=n\n");
    await page.fill("#page-metas", '<html><head><meta name="robots" content="nofollow"><meta name="description" content="noindex"></head><script>parent.x = 1</script>');
    await until(page, "#page-answer", /nofollow/);
    const rows = await texts(page, "#page-answer tbody tr");
    assert.ok(rows.includes("Show the page in resultsnonoindex X-Robots-Tag for googlebot") || rows.includes("Show the page in resultsnonoindex X-Robots-Tag for Googlebot"), rows.join("\n"));
    assert.ok(rows.includes("Longest snippet20 charactersmax-snippet: 20 X-Robots-Tag"), rows.join("\n"));
    assert.ok(rows.includes("Follow its linksnonofollow <meta>"), rows.join("\n"));
    assert.match(await text(page, "#page-answer"), /Not understood: nonsense/);
    await page.fill("#page-url", "/cart");
    await until(page, "#page-answer", /may not fetch the page.*Training: denied by Disallow: \/cart/s);
    const unseen = await texts(page, "#page-answer tbody tr");
    for (const [title, rule] of [["Show the page in results", "noindex"], ["Longest snippet", "max-snippet: 20"], ["Follow its links", "nofollow"]]) {
        assert.ok(unseen.some((row) => row.startsWith(`${title}not seen${rule}`)), unseen.join("\n"));
    }
    await page.fill("#page-url", "/tea");
    await until(page, "#page-answer", /sees these.*Show the page in resultsnonoindex/s);
    await choose(page, "GPTBot");
    await page.fill("#page-url", "");
    await until(page, "#page-answer", /Show the page in resultsyesthe default/);
});

test("headers and meta: what is not given is not said", async () => {
    const page = await open();
    await openFile(page, "User-agent: *\nDisallow: /old/\n");
    await page.click("#tab-headers");
    await until(page, "#page-answer", /^Nothing is read yet: paste the response headers or the HTML of a page\.$/);
    await page.fill("#page-metas", "<html><head><meta name=robots content=noindex></head>");
    await until(page, "#page-answer", /^The response headers are not given: they may restrict more\..*Show the page in resultsnonoindex <meta>/);
    await page.fill("#page-url", "old");
    await until(page, "#page-answer", /^Not a URL Write a whole URL, or a path that starts with \/\..*Show the page in resultsnonoindex/);
    await page.fill("#page-url", "/old/tea");
    await until(page, "#page-answer", /^Disallowed line 2: the crawler may not fetch the page, so it never sees these\. A noindex works only if the page is allowed\..*resultsnot seennoindex/);
    await page.fill("#page-metas", "");
    await page.fill("#page-headers", "X-Robots-Tag: noindex");
    await until(page, "#page-answer", /The HTML is not given: its meta elements may restrict more/);
});

test("headers and meta: text that is not read is named, with what is expected", async () => {
    const page = await open();
    await page.click("#tab-headers");
    const expected = "Headers that are read are X-Robots-Tag, Robots-Tag, Content-Usage, Content-Signal and others, each on its own line: X-Robots-Tag: noindex.";
    const notices = () => texts(page, "#page-answer .notice");
    for (const [headers, said] of [
        ["noindex", `noindex is no header. ${expected}`],
        ["noindex\nnofollow\nX-Robots-Tag: noarchive", `noindex and 1 more are no headers. ${expected}`],
        ["HTTP/2 200\nX-Robot-Tag: noindex\nServer: x", `X-Robot-Tag is a header that no crawler reads. ${expected}`],
        ["HTTP/1.1 200 OK\nContent-Type: text/html", `None of these headers is about crawlers. ${expected}`],
        ['<meta name="robots" content="noindex">', `<meta name="robots" content="noindex"> is no header. ${expected}`],
    ]) {
        await page.fill("#page-headers", headers);
        await until(page, "#page-answer", new RegExp(RegExp.escape?.(said) ?? said.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
        assert.deepEqual(await notices(), [said]);
    }
    await page.fill("#page-headers", "HTTP/1.1 200 OK\r\nDate: Tue, 2 Jun 2026 10:00:00 GMT\r\nx-robots-tag : noindex\r\n\r\n");
    await until(page, "#page-answer", /resultsnonoindex X-Robots-Tag/);
    assert.deepEqual(await notices(), []);
    await page.fill("#page-headers", "");
    await page.fill("#page-metas", "noindex");
    await until(page, "#page-answer", /There is no meta element/);
    assert.deepEqual(await notices(), ['There is no meta element with a name in noindex. Such an element is <meta name="robots" content="noindex">.']);
});

test("a rule without a path decides nothing, for Google's crawlers, too", async () => {
    const page = await open();
    await openFile(page, "User-agent: *\nDisallow:\n");
    await setUrls(page, ["/tea"]);
    await until(page, "#urls", /no rule matches/);
    assert.doesNotMatch(await text(page, "#urls"), /line 2/);
});

test("a verdict for search says what robots.txt does not decide", async () => {
    const page = await open();
    const open_ = "https://tea.example/green/sencha";
    await page.click(`#urls [role=option] >> nth=1`);
    await until(page, "#why", /Search resultsrobots\.txt lets the page in\. If results lack it, look for a noindex in its headers and meta elements\./);
    await page.click("#why button >> text=headers and meta elements");
    assert.ok(await page.isVisible("#panel-headers"));
    assert.equal(await page.inputValue("#page-url"), open_);
    await until(page, "#page-answer", /^AllowedNothing is read yet/);
    await page.fill("#page-headers", "X-Robots-Tag: noindex");
    await until(page, "#page-answer", /^Allowed The crawler may fetch the page.*resultsnonoindex/);
    await page.click("#tab-urls");
    await page.click("#urls [role=option] >> nth=3");
    await until(page, "#why", /Search resultsthe address may still be listed, without the text of the page\./);
    await choose(page, "GPTBot");
    await until(page, "#why", /GPTBot obeys/);
    assert.doesNotMatch(await text(page, "#why"), /Search results/);
});

test("recipes are not added to a file that is no robots.txt", async () => {
    const page = await open();
    await openFile(page, "<!doctype html>\n<html><head><title>Not found</title></head>\n<body><h1>404</h1></body></html>\n");
    await page.click("#tab-recipes");
    await page.fill("#recipe-folder-arguments", "/cart/");
    await until(page, "#recipe-preview", /./);
    assert.equal(await text(page, "#recipe-preview"), "nothing is added: this is an HTML page, not a robots.txt: give the robots.txt itself in UTF-8, or begin with an empty file");
    assert.ok(await page.isDisabled("#recipe-add"));
    await page.click("#clear-file");
    await until(page, "#recipe-preview", /2 lines to add/);
});

// --- who obeyed -------------------------------------------------------------------------------------------------------------

const AGENTS = ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "GPTBot/1.1", "CCBot/2.0", "ExampleBot/1.0", "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"];
const LOG_PATHS = ["/", "/private/a", "/private/b?c", "/open/", "/robots.txt", "/z.pdf"];

/** Lines of an access log, from a number on; the same at each run. */
const logLines = (from, count, host = "") => Array.from({ length: count }, (_, index) => {
    const number = from + index;
    const time = new Date(Date.UTC(2026, 9, 10) + number * 97_000).toUTCString();
    const [, day, month, year, clock] = /, (\d+) (\w+) (\d+) (.*) GMT/.exec(time);
    const [path, agent] = [LOG_PATHS[(number * 7 + (number >> 3)) % LOG_PATHS.length], AGENTS[(number * 3 + (number >> 4)) % AGENTS.length]];
    return `${host}203.0.113.${number % 200} - - [${day.padStart(2, "0")}/${month}/${year}:${clock} +0000] "GET ${path} HTTP/1.1" 200 ${number} "-" "${agent}"\n`;
}).join("");

/** Reads logs in the tab: names with their bytes. */
async function readLogs(page, logs) {
    if (await page.isHidden("#panel-obeyed")) await page.click("#tab-obeyed");
    await page.setInputFiles("#log-file", logs.map(([name, content]) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) })));
    await page.waitForFunction(() => document.querySelector("#panel-obeyed .running").hidden && document.querySelector("#obeyed").firstChild !== null, null, { polling: 20, timeout: 60_000 });
}

/** Runs the command in a folder of files; returns what it prints. */
function robots(files, ...options) {
    const work = mkdtempSync(join(tmpdir(), "robots-"));
    for (const [name, content] of files) writeFileSync(join(work, name), content);
    const { stdout } = spawnSync(resolve(command), options, { cwd: work, encoding: "utf8", maxBuffer: 1 << 28 });
    rmSync(work, { recursive: true });
    return stdout;
}

const amounts = (page) => page.$$eval("#obeyed-crawlers > details", (rows) => rows.map((row) => {
    const [, requests, forbidden] = /([\d,]+) requests?, ([\d,]+) forbidden/.exec(row.querySelector(".bar-numbers").textContent);
    return [row.querySelector(".amount-row").dataset.name, ...[requests, forbidden].map((number) => Number(number.replaceAll(",", "")))];
}));

const AUDITED = "User-agent: *\nCrawl-delay: 5\nDisallow: /private/\n\nUser-agent: GPTBot\nDisallow: /\n";

test("who obeyed: the report is that of the command, byte by byte", async () => {
    const page = await open();
    await openFile(page, AUDITED);
    const gz = Buffer.concat([gzipSync(logLines(3000, 1000)), gzipSync(logLines(4000, 1000))]);
    const json = Array.from({ length: 500 }, (_, number) => JSON.stringify({
        ts: 1_791_600_000.5 + number * 2, request: { host: "a.example", uri: LOG_PATHS[number % 6], headers: { "User-Agent": [AGENTS[number % 5]] } }, status: 200, size: number,
    })).join("\n");
    const w3c = `#Fields: date time cs-uri-stem cs-uri-query sc-status cs(User-Agent)\n2026-10-12 01:02:03 /private/x - 200 ExampleBot/1.0\n2026-10-12 01:02:09 /open/ q=1 404 ExampleBot/1.0\n`;
    const logs = [["access.log", logLines(0, 3000)], ["access.log.1.gz", gz], ["caddy.json", json], ["packed.log", deflateSync(logLines(5000, 20))], ["iis.log", w3c], ["x.cdx", "com,a)/private/ 20261012010203 http://a.example/private/ text/html 200 X - - 1 2 x\n"]];
    for (const [fields, options] of [
        [{}, []], [{ "#log-site": "https://A.example/x" }, ["--site", "https://A.example/x"]], [{ "#log-mine": "Firefox" }, ["--mine", "Firefox"]],
    ]) {
        for (const name of ["#log-site", "#log-mine"]) await page.fill(name, fields[name] ?? "").catch(async () => {
            await page.click("#tab-obeyed");
            await page.fill(name, fields[name] ?? "");
        });
        await readLogs(page, logs);
        const files = [["robots.txt", AUDITED], ...logs];
        const all = ["audit", "--robots", "robots.txt", ...options, ...logs.map(([name]) => name)];
        const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-report")]);
        assert.equal(download.suggestedFilename(), "who-obeyed.html");
        assert.equal(readFileSync(await download.path(), "utf8"), robots(files, ...all, "--html", "-"));
        const rows = robots(files, ...all, "--json").trim().split("\n").map(JSON.parse);
        const whole = rows.pop();
        const wanted = rows.filter(({ kind }) => kind !== "people").map(({ crawler, requests, forbidden }) => [crawler, requests, forbidden]);
        assert.deepEqual(await amounts(page), wanted);
        compared += 2 + 3 * wanted.length;
        assert.ok(whole.requests > 5500 && wanted.length >= 4 && wanted.every(([, requests]) => requests > 0) && whole.forbidden > 100, JSON.stringify(whole));
        assert.match(await text(page, "#obeyed-summary"), new RegExp(`^${whole.requests} requests .*${whole.forbidden} of these were forbidden`));
    }
    assert.match(await text(page, "#obeyed"), /A User-Agent is a claim: anybody can send the name of a crawler\./);
});

test("who obeyed: one click from a broken rule to its lines in the log and in the file", async () => {
    const page = await open();
    await openFile(page, AUDITED);
    await readLogs(page, [["access.log", logLines(0, 600)]]);
    const first = page.locator(".broken-rules > li").first();
    assert.match(await first.locator("summary").textContent(), /^Disallow: \/ by GPTBot, [\d,]+ times$/);
    await first.locator("summary").click();
    const times = Number(/, (\d+) times/.exec(await first.textContent())[1]);
    const lines = await first.locator(".log-lines li").allTextContents();
    assert.match(await first.locator("p").textContent(), new RegExp(`^The first 20 lines of ${times}:$`));
    assert.equal(lines.length, 20);
    const log = logLines(0, 600).split("\n");
    const broken = log.map((line, index) => `access.log:${index + 1}: ${line}`).filter((line) => / "GET (?!\/robots\.txt).*GPTBot/.test(line));
    assert.equal(broken.length, times);
    assert.deepEqual(lines, broken.slice(0, 20));
    await first.locator(".line-link").click();
    assert.deepEqual(await pointed(page), ["Disallow: /"]);
    // What was read is not said of another file.
    assert.ok(await page.isHidden("#panel-obeyed .notice.warning"));
    await openFile(page, "User-agent: *\nDisallow:\n");
    await until(page, "#panel-obeyed .notice.warning:not([hidden])", /changed since/);
    await page.click("#panel-obeyed .notice.warning button");
    await until(page, "#obeyed-summary", /, 0 of these were forbidden/);
    assert.ok(await page.isHidden("#panel-obeyed .notice.warning"));
    await openFile(page, AUDITED);
    await page.fill("#log-since", "2026-10-10");
    await page.press("#log-since", "Tab");
    await page.click("#panel-obeyed .notice.warning button");
    await until(page, "#obeyed", /within the grace after the first robots\.txt that is known/);
    await page.fill("#log-mine", "not a token");
    await readLogs(page, [["access.log", "x"]]);
    assert.match(await text(page, "#obeyed"), /token/);
});

test("who obeyed: broken and hostile logs are counted, and run nothing", async () => {
    const page = await open();
    await openFile(page, "User-agent: *\nDisallow: /private/\n");
    await page.click("#tab-obeyed");
    const cases = readFileSync("tests/data/audit-logs.jsonl", "utf8").trim().split("\n").map(JSON.parse).filter(({ options }) => !options.includes("--field"));
    assert.ok(cases.length >= 40);
    const attack = `192.0.2.1 - - [10/Oct/2026:13:55:36 +0000] "GET /private/<img src=x onerror=alert(1)> HTTP/1.1" 200 1 "-" "ExampleBot/1.0 <script>alert(2)</script><svg onload=alert(3)>\x1b[31m\u202e"\n<script>alert(4)</script>\n`;
    const logs = cases.map((it) => [it, Buffer.from(it.log.replace("\u0100", "x".repeat(it.fill ?? 0)), "latin1")]);
    logs.push([{ name: "HTML", options: "", crawlers: { ExampleBot: [1, 1] }, unread: { "in no known format": 1 }, not_judged: {} }, Buffer.from(attack)]);
    const reasons = async (title) => Object.fromEntries((await page.locator("#obeyed section", { hasText: title }).locator("li").allTextContents()).map((line) => /^([\d,]+) (.*?); the first is /.exec(line)).map(([, count, reason]) => [reason, Number(count.replaceAll(",", ""))]));
    for (const [it, log] of logs) {
        for (const option of ["site", "mine"]) await page.fill(`#log-${option}`, new RegExp(`--${option} (\\S+)`).exec(it.options)?.[1] ?? "");
        await readLogs(page, [["<b>log", log]]);
        const { ["people and browsers"]: people = [0, 0], ...crawlers } = it.crawlers;
        const found = await page.locator("#obeyed-crawlers").count() === 0 ? [] : await amounts(page);
        assert.deepEqual(Object.fromEntries(found.map(([name, ...numbers]) => [name, numbers])), crawlers, it.name);
        assert.match(await text(page, "#obeyed-summary"), new RegExp(`; ${people[0]} of people and browsers`), it.name);
        for (const [title, wanted] of [["Lines that cannot be read", it.unread], ["Requests that are not judged", it.not_judged]]) {
            assert.deepEqual(await reasons(title), wanted, it.name);
            const sections = await page.locator("#obeyed section", { hasText: title }).count();
            assert.equal(sections > 0, Object.keys(wanted).length > 0, it.name);
        }
        const shown = await text(page, "#obeyed");
        // eslint-disable-next-line no-control-regex
        assert.doesNotMatch(shown, /[\0-\x1f\x7f-\x9f\u202a-\u202e]/, it.name);
        assert.equal(await page.locator("#obeyed").locator("script, img, a, iframe, svg[onload], b").count(), 0, it.name);
        compared += 4;
    }
    await page.click("#obeyed summary >> nth=0");
    assert.match(await text(page, ".log-lines"), /ExampleBot\/1\.0 <script>alert\(2\)<\/script><svg onload=alert\(3\)>\\u\{1b\}\[31m\\u\{202e\}/);
    // The page that the command writes of all of them.
    const files = logs.reverse().map(([, log], index) => [`${index}.log`, log]);
    const html = robots([["robots.txt", AUDITED], ...files], "audit", "--robots", "robots.txt", "--html", "-", ...files.map(([name]) => name));
    assert.match(html, /&lt;script&gt;alert\(4\)&lt;\/script&gt;/);
    await page.route("**/report.html", (route) => route.fulfill({ contentType: "text/html", body: html }));
    await page.goto(`${server.url}report.html`);
    assert.match(await text(page, "body"), /<script>alert\(4\)<\/script>/);
    assert.equal(await page.locator("script, img, a, iframe, object, [onerror], [onload]").count(), 0);
});

test("who obeyed: what is read only in part is said to be", async () => {
    const page = await open();
    await page.click("#tab-obeyed");
    const gz = gzipSync(logLines(0, 2000));
    await readLogs(page, [["cut.log.gz", gz.subarray(0, gz.length >> 1)], ["z.zst", Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0])], ["a.warc.gz", gzipSync("WARC/1.1\r\nWARC-Type: warcinfo\r\n\r\n")], ["a.txt", "hello\n"], ["empty.log", ""]]);
    const faults = await texts(page, "#obeyed .notice.error");
    assert.match(faults[0], /^cut\.log\.gz: only [1-9]\d* requests were read: .+; what follows is not in the counts$/);
    assert.match(faults[1], /^z\.zst: only 0 requests were read: this page reads no zstd; the command `robots audit` does; what follows is not in the counts$/);
    assert.match(faults[2], /^a\.warc\.gz: .*this page reads no archive \(WARC\); the command/);
    assert.deepEqual(faults.slice(3), ["a.txt: no line is a request in a known format", "empty.log: no line is a request in a known format"]);
    // 300 MB are read while they arrive, and can be stopped.
    await page.evaluate((lines) => {
        const data = new DataTransfer();
        data.items.add(new File(Array(2000).fill(lines), "big.log"));
        data.items.add(new File(["x"], "later.log"));
        document.querySelector("#panel-obeyed").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }, logLines(0, 1200));
    await until(page, ".running", /big\.log: [\d.]+ MB of 2\d\d\.\d MB, [\d,]+ lines/);
    assert.equal(await page.evaluate(() => document.activeElement.id), "log-stop");
    await page.click("#log-stop");
    await until(page, "#obeyed", /^big\.log: only [1-9]\d* requests were read: you stopped it; what follows is not in the counts/);
    assert.match(await text(page, "#obeyed"), /later\.log: only 0 requests were read: you stopped it/);
});

test("sitemaps and other records", async () => {
    const page = await open();
    await openFile(page, "Sitemap: https://x.example/1.xml\nUser-agent: *\nCrawl-delay: 2.5\nRequest-rate: 3/10\nContent-Signal: ai-train=no\nDisallow: /a\nsitemap: https://x.example/2.xml\n");
    await page.click("#tab-sitemaps");
    await until(page, "#panel-sitemaps", /2\.xml/);
    const found = await text(page, "#panel-sitemaps");
    assert.match(found, /1 https:\/\/x\.example\/1\.xml/);
    assert.match(found, /2\.5 s between two requests/);
    assert.match(found, /at most 3 requests in 10 s/);
    assert.match(found, /ai-train.*no/s);
    await page.click("#panel-sitemaps button >> text=Copy >> nth=1");
    await until(page, "#say", /Copied/);
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "https://x.example/2.xml");
});

// --- links, memory, safety --------------------------------------------------------------------------------------------------------

test("a link carries the file; hostile links are refused", async () => {
    const page = await open();
    const body = "User-agent: Ünï\nDisallow: /ä\n";
    await openFile(page, body);
    await setUrls(page, ["/ä", "/b"]);
    await choose(page, "MyBot", "koster1996");
    await page.click("#share");
    await until(page, "#say", /Copied/);
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /#1[\w-]+$/);
    const other = await open({ path: link.slice(server.url.length) });
    assert.equal(await fileText(other), body);
    assert.deepEqual((await verdicts(other)).map(([url]) => url), ["/ä", "/b"]);
    assert.equal(await other.inputValue("#own-token"), "MyBot");
    assert.equal(await other.inputValue("#dialect"), "koster1996");
    // 100 MB of zeros in 100 KB are too long, 20 MB in 20 KB hold too much.
    const bomb = await page.evaluate(async () => {
        const stream = new Blob([new Uint8Array(20_000_000)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
        const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
        return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    });
    for (const [fragment, words] of [[bomb, /holds too much/], ["A".repeat(40_000), /too long/], ["!!!", /cannot be read/], [Buffer.from("x").toString("base64url"), /cannot be read/]]) {
        const hostile = await open({ path: `#1${fragment}` });
        await until(hostile, "#say", words);
        assert.match(await text(hostile, "#notices"), /This is an example/);
    }
    await openFile(page, Array.from({ length: 9000 }, (_, index) => `Disallow: /${Math.random()}${index}`).join("\n"));
    await page.click("#share");
    await until(page, "#say", /too long for a link/);
});

test("nothing is kept, unless it is asked for", async () => {
    const page = await open();
    await openFile(page, "User-agent: *\nDisallow: /kept\n");
    const stored = () => page.evaluate(async () => [localStorage.length, sessionStorage.length, document.cookie, (await indexedDB.databases()).length]);
    assert.deepEqual(await stored(), [0, 0, "", 0]);
    await page.reload();
    await settled(page);
    assert.match(await text(page, "#notices"), /This is an example/);
    await openFile(page, "User-agent: *\nDisallow: /kept\n");
    await page.check("#remember");
    await page.reload();
    await settled(page);
    assert.match(await text(page, "#editor"), /kept/);
    // A link does not replace it, neither one that arrives later nor one that the page begins with.
    const kept = await page.evaluate(() => JSON.stringify(localStorage));
    await page.evaluate((fragment) => (location.hash = fragment), await linkOf(page, { file: "User-agent: *\nDisallow: /linked\n", urls: ["/l"] }));
    await until(page, "#editor", /linked/);
    await settled(page);
    await page.waitForTimeout(700);
    assert.equal(await page.isChecked("#remember"), false);
    assert.equal(await page.evaluate(() => JSON.stringify(localStorage)), kept);
    await page.reload();
    await settled(page);
    assert.match(await text(page, "#editor"), /linked/);
    await page.evaluate(() => history.replaceState(null, "", "#"));
    await page.reload();
    await settled(page);
    assert.match(await text(page, "#editor"), /kept/);
    await page.uncheck("#remember");
    assert.deepEqual(await stored(), [0, 0, "", 0]);
});

test("what strangers write is text", async () => {
    const page = await open();
    const hostile = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
    await openFile(page, `User-agent: ${hostile}\nUser-agent: b\nDisallow: /${hostile}\nSitemap: ${hostile}\nContent-Signal: ${hostile}\n${hostile}\n`);
    // A cell of the CSV is no formula.
    const formulas = ["=1+1", "+1", "-1", "@x", "＝1+1", "＋1", "－1", "＠x"];
    await setUrls(page, [`/${hostile}`, hostile, "javascript:alert(1)", ...formulas]);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-csv")]);
    const cells = readFileSync(await download.path(), "utf8").trimEnd().split("\r\n").slice(-formulas.length).map((row) => row.split(",")[0]);
    assert.deepEqual(cells, formulas.map((url) => `"'${url}"`));
    await page.click("#urls [role=option] >> nth=0");
    for (const tab of TABS) {
        await page.click(`#tab-${tab}`);
        if (tab === "headers") await page.fill("#page-headers", `X-Robots-Tag: ${hostile}`);
        if (tab === "headers") await page.fill("#page-metas", `<meta name=robots content='${hostile}'>${hostile}`);
        if (tab === "difference") await page.click("#keep");
        await page.waitForTimeout(150);
    }
    assert.equal(await page.locator("main img, main script, main iframe, main a").count(), 0);
});

test("the policy permits no request but for the page's own files", async () => {
    const page = await open();
    const policy = await page.getAttribute("meta[http-equiv]", "content");
    assert.match(policy, /^default-src 'none'/);
    assert.doesNotMatch(policy, /'unsafe-(eval|inline)'|\*|https?:/);
    const count = elsewhere.requests.length;
    const results = await page.evaluate(async (url) => {
        const results = [];
        addEventListener("securitypolicyviolation", ({ effectiveDirective }) => results.push(effectiveDirective));
        await fetch(url).then(() => results.push("fetched"), () => undefined);
        document.body.append(Object.assign(new Image(), { src: url }));
        const form = document.createElement("form");
        form.action = url;
        document.body.append(form);
        try { form.submit(); } catch { /* as it should */ }
        try { document.body.innerHTML += "<b>x</b>"; } catch { results.push("no HTML"); }
        await new Promise((resolve) => setTimeout(resolve, 300));
        try { (0, eval)("1"); results.push("evaluated"); } catch { results.push("no eval"); }
        return results;
    }, elsewhere.url);
    for (const word of ["connect-src", "img-src", "form-action", "no HTML", "no eval"]) assert.ok(results.includes(word), `${word}: ${results}`);
    assert.ok(!results.includes("fetched") && !results.includes("evaluated"));
    assert.equal(elsewhere.requests.length, count);
    page.faults.length = 0; // what the policy refused
    strangers.splice(0, strangers.length, ...strangers.filter((url) => !url.startsWith(elsewhere.url)));
});

test("once loaded, it requests nothing, and works without a network", async () => {
    const page = await open({ workers: "allow" });
    await page.evaluate(() => navigator.serviceWorker.ready.then((registration) => new Promise((resolve) => {
        const wait = () => (registration.active?.state === "activated" ? resolve() : setTimeout(wait, 20));
        wait();
    })));
    await page.waitForLoadState("networkidle"); // the icon
    const loaded = server.requests.length;
    await openFile(page, "User-agent: *\nDisallow: https://elsewhere.example/x\nSitemap: http://elsewhere.example/s.xml\n");
    await setUrls(page, ["https://elsewhere.example/", "http://127.0.0.1:1/"]);
    for (const tab of TABS) await page.click(`#tab-${tab}`);
    await page.click("#share");
    await settled(page);
    await page.waitForTimeout(300);
    // Chromium asks for the icon again when the fragment changes.
    assert.deepEqual(server.requests.slice(loaded).filter((path) => path !== "/icon.svg"), []);
    // One file comes with the first log, and is kept.
    await readLogs(page, [["access.log", logLines(0, 10)]]);
    assert.deepEqual(server.requests.slice(loaded).filter((path) => path !== "/icon.svg"), ["/audit.wasm"]);
    await page.context().setOffline(true);
    const count = server.requests.length;
    await page.reload();
    await settled(page);
    await openFile(page, "User-agent: *\nDisallow: /offline\n");
    await setUrls(page, ["/offline"]);
    assert.equal((await verdicts(page))[0][1], "disallowed");
    await readLogs(page, [["access.log", logLines(0, 10)]]);
    assert.match(await text(page, "#obeyed-summary"), /^10 requests/);
    assert.equal(server.requests.length, count);
    await page.goto(`${server.url}licenses.txt`);
    assert.match(await page.textContent("body"), /@codemirror\/view/);
    page.faults.length = 0;
});

// --- people -----------------------------------------------------------------------------------------------------------------------

test("by keyboard alone", async () => {
    const page = await open();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "result");
    const focused = () => page.evaluate(() => document.activeElement.id);
    for (const id of ["crawler", "dialect", "tab-urls", "url-input"]) {
        await page.keyboard.press("Tab");
        assert.equal(await focused(), id);
    }
    await page.keyboard.type("/cart");
    await page.keyboard.press("Enter");
    for (let step = 0; step < 12 && (await focused()) !== "urls"; step++) await page.keyboard.press("Tab");
    assert.equal(await focused(), "urls");
    await page.keyboard.press("End");
    await until(page, "#why", /line 4 decides/);
    assert.equal(await page.getAttribute("#urls", "aria-activedescendant"), "row-9");
    await page.keyboard.press("ArrowUp");
    assert.equal(await page.getAttribute("#urls", "aria-activedescendant"), "row-8");
    await page.keyboard.press("Delete");
    await settled(page);
    assert.equal(await text(page, "[data-filter=all] .number"), "9");
    await page.focus("#tab-urls");
    for (const tab of [...TABS.slice(1), TABS[0]]) {
        await page.keyboard.press("ArrowRight");
        assert.equal(await focused(), `tab-${tab}`);
        assert.ok(await page.isVisible(`#panel-${tab}`));
    }
    // Tab leaves the editor.
    await page.focus("#editor .cm-content");
    await page.keyboard.press("Tab");
    assert.notEqual(await page.evaluate(() => document.activeElement.closest(".cm-editor")), true);
});

test("on a phone the results come first, and nothing is wider than the screen", async () => {
    for (const width of [320, 360, 390]) {
        const page = await open({ width, height: 844 });
        const place = (selector) => page.$eval(selector, (element) => {
            const { left, right, top, bottom } = element.getBoundingClientRect();
            return { left, right, top: top + scrollY, bottom: bottom + scrollY };
        });
        assert.equal(await page.evaluate(() => scrollY), 0, "it begins at the top");
        const [results, file, verdict] = [await place("#result"), await place(".file"), await place("#urls [role=option]")];
        assert.ok(results.top < 300 && results.bottom <= file.top, `${width}: results at ${results.top}, file at ${file.top}`);
        assert.ok(verdict.bottom < 844, `${width}: the first verdict at ${verdict.bottom}`);
        // So it is for the keyboard and screen readers.
        assert.ok(await page.evaluate(() => (document.getElementById("result").compareDocumentPosition(document.getElementById("file")) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0));
        for (const tab of TABS) {
            const { left, right } = await place(`#tab-${tab}`);
            assert.ok(left >= 0 && right <= width, `${width}: ${tab} is from ${left} to ${right}`);
            await page.click(`#tab-${tab}`);
            await page.waitForTimeout(150);
            if (tab === "difference") await page.click("#keep");
            if (tab === "obeyed") {
                await readLogs(page, [["access.log", `${logLines(0, 400)}${"x".repeat(300)}\n`.replaceAll("/private/", `/account/${"x".repeat(300)}`)]]);
                for (const summary of await page.locator("#obeyed summary:visible").all()) await summary.click();
            }
            const { scroll, inner } = await page.evaluate(() => ({ scroll: document.scrollingElement.scrollWidth, inner: innerWidth }));
            assert.deepEqual({ scroll, inner }, { scroll: width, inner: width }, tab);
        }
        const { all, seen } = await page.$eval("#editor .cm-scroller", ({ scrollWidth, clientWidth }) => ({ all: scrollWidth, seen: clientWidth }));
        assert.equal(all, seen, `${width}: the editor`);
        await page.click("#tab-urls");
        await page.click("#urls [role=option] >> nth=3");
        await until(page, "#why", /Because/);
        const [top, { scrolled, height }] = [await place("#why"), await page.evaluate(() => ({ scrolled: scrollY, height: innerHeight }))];
        assert.ok(top.top >= scrolled && top.top + 100 < scrolled + height, `${width}: the explanation is at ${top.top}, the screen at ${scrolled}`);
        await openFile(page, "User-agent: *\nDissallow: /cart/\nDisalow: /tmp/\n");
        // No list scrolls inside the page.
        await page.click(".problem .code >> nth=0");
        await page.locator(".meaning a").waitFor();
        const hidden = await page.$$eval(".problems, #problem-list", (all) => all.map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight));
        assert.deepEqual(hidden, [0, 0], `${width}: problems are cut`);
        const [fixes, problems] = [await place("#fix-all"), await place("#problem-list")];
        assert.ok(fixes.bottom <= problems.top, `${width}: the button ends at ${fixes.bottom}, the problems begin at ${problems.top}`);
        await page.click(".to-file");
        assert.equal(await page.evaluate(() => document.activeElement.id), "file");
    }
});

const VIEWS = [["light", 1360, 860], ["dark", 1360, 860], ["phone", 390, 844]];

for (const [view, width, height] of VIEWS) {
    test(`axe finds nothing: ${view}`, async () => {
        const page = await open({ scheme: view === "dark" ? "dark" : "light", width, height });
        // The policy of the page forbids a script of others, so it is evaluated from outside.
        await page.evaluate(axeSource);
        for (const tab of TABS) {
            await page.click(`#tab-${tab}`);
            await page.waitForTimeout(400);
            if (tab === "urls") {
                await page.fill("#url-input", "cart");
                await page.press("#url-input", "Enter");
                await page.fill("#url-input", "tea.example/cart/");
                await page.fill("#domain", "tea.example");
                await page.click(".problem .code >> nth=0");
                await page.click("#urls [role=option] >> nth=6");
                await until(page, "#why", /Because/);
            }
            if (tab === "headers") {
                await page.fill("#page-url", "/account/orders");
                await page.fill("#page-headers", "X-Robots-Tag: max-snippet: 50\nX-Robots-Tag: googlebot: noindex");
                await page.fill("#page-metas", '<meta name="robots" content="nofollow, max-image-preview: large">');
                await until(page, "#page-answer", /not seen/);
            }
            if (tab === "obeyed") {
                await readLogs(page, [["access.log", `${logLines(0, 2000)}hello\n`.replaceAll("/private/", "/account/")]]);
                await page.click(".broken-rules summary >> nth=0");
                await page.click("#obeyed-crawlers > details:nth-child(2) > summary");
            }
            if (tab === "recipes") {
                await page.check("#recipe-training-out");
                await page.fill("#recipe-folder-arguments", "/private/");
                await until(page, "#recipe-preview", /to add/);
            }
            if (tab === "difference") {
                await page.click("#keep");
                await page.click("#editor .cm-line:nth-child(4)");
                await page.keyboard.press("End");
                await page.keyboard.type("/");
                await until(page, "#difference-summary", /Verdicts change/);
            }
            await page.evaluate(() => document.getElementById("say").classList.remove("shown"));
            await page.waitForTimeout(250);
            const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
            assert.deepEqual(violations.map(({ id, nodes }) => `${tab}: ${id}: ${nodes.map(({ html, any }) => `${html.slice(0, 160)} ${any.map(({ message }) => message).join()}`).join(" | ")}`), []);
            if (shots !== undefined) {
                if (view === "phone" && tab !== "urls") await page.evaluate(() => document.getElementById("tabs").scrollIntoView());
                else await page.evaluate(() => scrollTo(0, 0));
                await page.screenshot({ path: join(shots, `${tab}-${view}.png`) });
            }
        }
        if (shots !== undefined && view === "phone") {
            await page.click("#tab-urls");
            await page.evaluate(() => scrollTo(0, 0));
            await page.screenshot({ path: join(shots, "whole-phone.png"), fullPage: true });
        }
    });
}

const { passed, failed } = await runAll();
await end();
let failures = failed;
if (strangers.length > 0) {
    failures++;
    console.log(`FAIL requests left the page: ${strangers.slice(0, 10).join(" ")}`);
}
if (elsewhere.requests.length > 0) {
    failures++;
    console.log(`FAIL another server was asked: ${elsewhere.requests.join(" ")}`);
}
console.log(`page: ${passed} passed, ${failures} failed, ${compared} comparisons`);
process.exit(failures > 0 ? 1 : 0);
