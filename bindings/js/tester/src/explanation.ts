/** Why a URL has its verdict. */
import type { Dialect } from "librobots";
import type { App } from "./app.js";
import { brief, byId, el, sentence } from "./dom.js";
import { lineLink } from "./editor.js";
import type { Explained, Questions } from "./messages.js";
import { DIALECTS, caveat, mayIgnore, presetNamed } from "./presets.js";
import { badge, reasonWords, word } from "./words.js";

const RESULTS: Readonly<Record<string, string>> = {
    won: "decides",
    shorter: "loses: a longer rule decides",
    tie_lost_to_allow: "loses: at equal length, allow wins",
    later_equal: "loses: an equal rule comes earlier",
    after_first_match: "not reached: the first match decides",
    empty: "no effect: it has no path",
};

/** Returns the explanation of a verdict; of none for a text that is not a URL. */
export function explanation(app: App, url: string, answer: Questions["explain"]["answer"], buttons: HTMLElement[]): HTMLElement {
    const head = el("div", { class: "why-head" }, el("h3", {}, "Why?"), el("span", { class: "spring" }), ...buttons);
    if ("fault" in answer) return el("div", {}, head, el("p", {}, "There is no verdict for ", el("code", {}, brief(url, 160)), `: ${answer.fault}`));
    const link = (line: number, words?: string): HTMLElement => lineLink(() => app.editor, line, words);
    const [winner, ...losers] = answer.matches;
    const { verdict } = answer;
    const who = app.crawlerName;
    return el("div", {}, head,
        el("p", { class: "why-verdict" }, badge(verdict), " ", el("code", {}, brief(url, 160))),
        el("dl", { class: "facts" },
            ...fact("Because", winner?.result === "won"
                ? el("span", {}, link(winner.line), " decides: ", el("code", {}, brief(winner.text, 120)))
                : sentence(reasonWords(verdict))),
            ...(answer.advice === "" ? [] : fact("To change it", el("span", { class: "advice" }, answer.advice))),
            ...fact("Group", group(answer, who, link)),
            ...limit(who),
            ...results(app, url, verdict),
            ...(losers.length === 0 ? [] : fact(`Losing ${losers.length === 1 ? "rule" : "rules"}`, losing(answer, link))),
            ...fact("Compared", el("code", {}, brief(answer.path, 160))),
            ...fact("Read as", dialects(answer))));
}

function fact(name: string, value: Node | string): HTMLElement[] {
    return [el("dt", {}, name), el("dd", {}, value)];
}

/** What robots.txt does not decide: whether results of a search list the page. */
function results(app: App, url: string, { status }: Explained["verdict"]): HTMLElement[] {
    if (!/search$/i.test(presetNamed(app.crawlerName)?.purpose ?? "")) return [];
    const open = (): void => {
        app.open("headers");
        const field = byId<HTMLInputElement>("page-url");
        field.value = url;
        field.dispatchEvent(new Event("input"));
    };
    return fact("Search results", status === 1
        ? el("span", {}, "robots.txt lets the page in. If results lack it, look for a noindex in its ",
            el("button", { type: "button", class: "line-link", onclick: open }, "headers and meta elements"), ".")
        : "the address may still be listed, without the text of the page.");
}

/** What the verdict does not show. */
function limit(who: string): HTMLElement[] {
    const preset = presetNamed(who);
    return preset?.may_ignore || preset?.is_control_token ? fact("But", caveat(preset)) : [];
}

function group(answer: Explained, who: string, link: (line: number) => HTMLElement): HTMLElement {
    const lines = answer.agents.slice(0, 8).flatMap(({ line }, index) => (index === 0 ? [link(line)] : [", ", link(line)]));
    if (answer.token === null) return el("span", {}, "The file has no group for ", el("b", {}, who), answer.verdict.status === 1 ? ", so nothing is disallowed." : ".");
    const name = answer.token === "*" ? "the group of * (everyone else)" : `the group of ${answer.token}`;
    return el("span", {}, el("b", {}, who === "*" ? "Everyone else" : who), ` obeys ${name}, `, ...lines,
        answer.token === "*" ? "" : ", and no other", mayIgnore(who) ? ", unless it ignores the file." : ".");
}

function losing(answer: Explained, link: (line: number) => HTMLElement): HTMLElement {
    const [, ...losers] = answer.matches;
    return el("details", { open: losers.length <= 3 },
        el("summary", {}, `${losers.length} also ${losers.length === 1 ? "matches" : "match"}`),
        el("ul", { class: "losers" }, ...losers.slice(0, 200).map((match) => el("li", {},
            link(match.line), " ", el("code", {}, brief(match.text, 100)), " ",
            el("span", { class: "muted" }, RESULTS[match.result] ?? match.result)))));
}

function dialects({ verdict, others }: Explained): HTMLElement | string {
    const all = (Object.entries(others) as [Dialect, Explained["verdict"]][]).filter(([, other]) => other.status !== 2);
    if (all.every(([, other]) => other.status === verdict.status)) return "The standard (RFC 9309), Google and the draft of 1996 agree.";
    return el("span", {}, ...all.flatMap(([dialect, other], index) => [
        index === 0 ? "" : "; ", `${index === 0 ? sentence(DIALECTS[dialect]) : DIALECTS[dialect]}: `, el("b", {}, word(other).toLowerCase()), other.line === 0 ? "" : ` (line ${other.line})`,
    ]));
}
