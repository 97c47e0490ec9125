// The shared cases: rules, verdicts, crawl-delays, sitemaps and page controls.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readCases, readPages, robots, tools, unescape } from "./package.mjs";

const { Controls, Crawler, RobotsError, Rules } = robots;
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const cases = readCases();
const pages = readPages();

test("there are cases", () => {
    assert.ok(cases.length >= 300, `${cases.length}`);
    assert.ok(pages.length >= 70, `${pages.length}`);
});

function checkAll(it, rules) {
    for (const { word, line, reason, url } of it.verdicts) {
        const got = rules.check(url);
        const about = `${utf8.decode(url)}: ${got}`;
        assert.deepEqual([got.allowed, got.line, got.reason], [word === "allowed", line, reason], about);
        assert.equal(got.error?.code, word === "error" ? "url" : undefined, about);
        assert.equal(rules.isAllowed(url), got.allowed, about);
        // A string of other bytes would not be the same URL.
        const text = utf8.decode(url);
        if (Buffer.from(text).equals(url)) assert.deepEqual(rules.check(text).toString(), got.toString(), about);
    }
    const codes = it.verdicts.map(({ word }) => (word === "error" ? 2 : Number(word === "allowed")));
    assert.deepEqual([...rules.checkMany(it.verdicts.map(({ url }) => url)).codes], codes);
}

for (const it of cases) {
    test(it.title, () => {
        for (const token of it.badTokens) {
            // As the first, "*" stands for a crawler without a token.
            const tokens = utf8.decode(token) === "*" ? ["ExampleBot", token] : [token];
            assert.throws(() => new Crawler(tokens, { dialect: it.settings.dialect }), { name: "RobotsError", code: "token" });
        }
        if (it.body.length === 0 && it.verdicts.length === 0) return;
        const crawler = new Crawler(it.tokens.length > 0 ? it.tokens.map((token) => utf8.decode(token)) : "ExampleBot", it.settings);
        const rules = crawler.parse(it.body);
        checkAll(it, rules);
        const again = Rules.fromImage(rules.image);
        checkAll(it, again);
        for (const { word, url } of it.verdicts) {
            assert.equal(String(crawler.checkOnce(it.body, url)), String(rules.check(url)));
            if (word !== "error") assert.equal(String(tools.explain(crawler, it.body, url).verdict), String(rules.check(url)));
        }
        if (it.delay !== undefined) assert.equal(rules.crawlDelay, it.delay);
        if (it.sitemaps !== undefined) assert.deepEqual(rules.sitemaps, it.sitemaps.map((sitemap) => utf8.decode(sitemap)));
        rules.free();
        again.free();
        assert.throws(() => rules.check("/"), RobotsError);
    });
}

const camel = (word) => word.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

for (const { title, lines } of pages) {
    test(title, () => {
        const of = (wanted) => lines.filter(([word]) => word === wanted).map(([, rest]) => rest);
        const pair = (text) => {
            const at = text.indexOf(": ");
            return at < 0 ? [unescape(text), new Uint8Array()] : [unescape(text.slice(0, at)), unescape(text.slice(at + 2))];
        };
        const crawler = new Crawler(of("crawler")[0]?.split(" ") ?? "ExampleBot");
        const page = crawler.pageControls(of("header").map(pair));
        for (const meta of of("meta")) page.addMeta(...pair(meta));
        const expected = new Map(Object.values(Controls).map((name) => [name, /^max|unavailable/.test(name) ? -1 : 1]));
        const unknown = [];
        let zone = "known";
        for (const [word, rest] of lines) {
            if (["crawler", "header", "meta"].includes(word)) continue;
            const [first, second, third, ...more] = rest.split(" ");
            if (word === "by") {
                const rule = page.decidedBy(camel(first));
                assert.deepEqual([rule?.source, rule?.number, rule?.text], [second.replaceAll("-", "_"), Number(third), utf8.decode(unescape(more.join(" ")))]);
            } else if (word === "for") assert.equal(page.decidedBy(camel(first))?.agent, second === "*" ? null : second);
            else if (word === "zone") zone = first;
            else if (word === "unknown") unknown.push([first.replaceAll("-", "_"), Number(second), utf8.decode(unescape([third, ...more].join(" ")))]);
            else if (word === "usage") assert.equal(page.usage(first), second);
            else expected.set(camel(word), Number(first));
        }
        assert.deepEqual(new Map([...expected.keys()].map((name) => [name, page.get(name)])), expected);
        assert.equal(page.decidedBy("unavailableAfter")?.zone ?? "known", zone);
        assert.deepEqual(page.unknown.map((rule) => [rule.source, rule.number, rule.text]), unknown);
        assert.deepEqual([page.mayIndex, page.mayFollow], [expected.get("index") === 1, expected.get("follow") === 1]);
        page.free();
    });
}
