/** Which crawlers requested what the file forbids, by the logs of a server. */
import type { App, Tab } from "../app.js";
import { brief, count, el, fill, save, size, svg } from "../dom.js";
import { lineLink } from "../editor.js";
import type { AuditAsk, AuditBar, AuditReason, AuditReply, AuditReport, BrokenRule } from "../messages.js";
import { trusted } from "../trusted.js";

export interface ObeyedTab extends Tab {
    /** Reads logs. */
    read(files: readonly File[]): void;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const number = (value: number): string => value.toLocaleString("en");
const section = (title: string, ...children: (Element | null)[]): HTMLElement => el("section", {}, el("h3", {}, title), ...children);

/** A drawing of bars. The red part of each is forbidden. Words beside it say the same. */
function picture(bars: readonly AuditBar[], isHorizontal: boolean): SVGSVGElement {
    const most = Math.max(1, ...bars.map(([, requests]) => requests));
    const rect = (index: number, value: number, name: string): SVGRectElement => {
        const long = (value * 100) / most;
        return isHorizontal ? svg("rect", { class: name, x: 0, y: index, width: long, height: 1 })
            : svg("rect", { class: name, x: index, y: 100 - long, width: 0.85, height: long });
    };
    const box = isHorizontal ? `0 0 100 ${bars.length}` : `0 0 ${Math.max(bars.length, 14)} 100`;
    return svg("svg", { class: isHorizontal ? "amount" : "columns", viewBox: box, preserveAspectRatio: "none", "aria-hidden": "true" }, ...bars.map(([name, requests, forbidden], index) => svg("g", {},
        svg("title", {}, `${name}: ${said(requests, forbidden)}`), rect(index, requests, "kept"), rect(index, forbidden, "broken"))));
}

const said = (requests: number, forbidden: number): string => `${count(requests, "request")}, ${number(forbidden)} forbidden`;

/** A name, a bar whose whole length is `most`, and the numbers. */
function bar([name, requests, forbidden]: AuditBar, most: number): HTMLElement[] {
    const drawing = picture([[name, requests, forbidden]], true);
    drawing.setAttribute("viewBox", `0 0 ${(100 * most) / Math.max(1, requests)} 1`);
    const [all, broken] = said(requests, forbidden).split(/(?<=,) /);
    return [el("span", { class: "bar-name" }, brief(name, 80)), el("span", { class: "bar-picture" }, drawing),
        el("span", { class: "bar-numbers" }, `${all} `, el("span", { class: forbidden > 0 ? "error" : "muted" }, broken))];
}

export function createObeyed(app: App): ObeyedTab {
    const input = el("input", { type: "file", id: "log-file", multiple: true, hidden: true, onchange: () => {
        const files = [...(input.files ?? [])];
        input.value = "";
        read(files);
    } });
    const site = el("input", { type: "text", id: "log-site", inputmode: "url", placeholder: "every host", spellcheck: "false", autocapitalize: "off" });
    const mine = el("input", { type: "text", id: "log-mine", placeholder: "none", spellcheck: "false", autocapitalize: "off" });
    const since = el("input", { type: "date", id: "log-since" });
    const grace = el("select", { id: "log-grace" }, ...([["a day", DAY], ["an hour", HOUR], ["no time", 0]] as const).map(([words, value]) => el("option", { value: String(value) }, words)));
    const field = (label: string, control: HTMLElement, title: string): HTMLElement => el("div", { class: "field", title }, el("label", { for: control.id }, label), control);
    const progress = el("progress", { max: "1", "aria-label": "Bytes of the logs that were read" });
    const progressWords = el("span", { class: "muted" });
    const stop = el("button", { type: "button", id: "log-stop", onclick: () => worker?.postMessage("stop" satisfies AuditAsk) }, "Stop");
    const running = el("div", { class: "bar running", hidden: true }, progress, progressWords, stop);
    const stale = el("p", { class: "notice warning", hidden: true }, "The file or an option changed since these logs were read. ",
        el("button", { type: "button", class: "small", onclick: () => read(logs) }, "Read them again"));
    const box = el("div", { id: "obeyed" });
    const panel = el("div", {},
        el("p", { class: "lead" }, "Drop the access logs of your server here: each request of a crawler is judged by the file in the editor. The logs are read in this page, and sent nowhere."),
        el("p", { class: "muted lead" }, "nginx, Apache, Caddy, IIS, Traefik, Cloudflare, CloudFront, Google Cloud, JSON lines and CDX are recognised by their lines; gzip is unpacked."),
        el("div", { class: "bar log-options" }, el("button", { type: "button", class: "main", id: "open-logs", onclick: () => input.click() }, "Choose logs…"), input,
            field("Site of the file", site, "Lines of other hosts are not judged."),
            field("Served since", since, "Lines of days before it are not judged."),
            field("A copy may be used for", grace, "After the day on which the file was first served, for this time a request is not judged."),
            field("My crawler", mine, "A product token. Lines of logs without User-Agents are its own.")),
        running, stale, box);
    let worker: Worker | null = null;
    let logs: readonly File[] = [];
    let judged = "";
    let judgedBy: Uint8Array | null = null;

    const options = (): Exclude<AuditAsk, "stop">["options"] => ({ site: site.value.trim(), from: since.value === "" ? null : Date.parse(since.value), grace: Number(grace.value), mine: mine.value.trim() });

    /** The thread that reads logs; few need it. */
    function reader(): Worker {
        if (worker !== null) return worker;
        worker = new Worker(trusted.createScriptURL("audit.js") as unknown as string, { name: "logs" });
        worker.onmessage = ({ data }: MessageEvent<AuditReply>) => answered(data);
        worker.onerror = ({ message }) => answered({ fault: message });
        return worker;
    }

    function read(files: readonly File[]): void {
        if (files.length === 0 || !running.hidden) return;
        [logs, judged, judgedBy] = [files, JSON.stringify(options()), app.file];
        fill(box);
        running.hidden = false;
        stale.hidden = true;
        progress.removeAttribute("value");
        fill(progressWords, "Starting");
        reader().postMessage({ files, robots: app.file, options: options() } satisfies AuditAsk);
        stop.focus();
    }

    function answered(reply: AuditReply): void {
        if ("bytes" in reply) {
            progress.value = reply.bytes / Math.max(1, reply.total);
            fill(progressWords, `${brief(reply.name, 40)}: ${size(reply.bytes)} of ${size(reply.total)}, ${count(reply.lines, "line")}`);
            return;
        }
        running.hidden = true;
        if ("fault" in reply) fill(box, el("p", { class: "notice error" }, reply.fault));
        else draw(reply);
        refresh();
    }

    function rule({ line, rule, count: times, lines = [] }: BrokenRule, who: string): HTMLElement {
        const words = lines.length < times ? `The first ${count(lines.length, "line")} of ${number(times)}` : count(times, "line");
        return el("li", {}, line > 0 ? lineLink(() => app.editor, line, String(line)) : null,
            el("details", {}, el("summary", {}, el("code", {}, brief(rule, 200)), ` ${who}${number(times)} ${times === 1 ? "time" : "times"}`),
                el("p", { class: "muted" }, lines.length === 0 ? "No line is kept: too many rules were broken." : `${words}:`),
                el("ol", { class: "log-lines" }, ...lines.map((it) => el("li", {}, el("span", { class: "muted" }, `${it.file}:${it.line}: `), el("code", {}, it.text))))));
    }

    function reasons(title: string, list: readonly AuditReason[]): HTMLElement | null {
        return list.length === 0 ? null : section(title, el("ul", { class: "rules" }, ...list.map(({ reason, count: times, file, line, example }) => el("li", {},
            `${number(times)} ${reason}; the first is ${file}:${line}: `, el("code", {}, example)))));
    }

    function draw({ report, faults, seconds }: Extract<AuditReply, { report: AuditReport }>): void {
        const { whole, crawlers, purposes, days, most_broken: worst } = report;
        const most = (bars: readonly AuditBar[]): number => Math.max(1, ...bars.map(([, requests]) => requests));
        const bars = crawlers.map(({ title, counts }): AuditBar => [title, counts.requests, counts.forbidden]);
        const first = days[0]?.[0];
        fill(box,
            ...faults.map((fault) => el("p", { class: "notice error" }, fault)),
            el("p", { class: "lead", id: "obeyed-summary", role: "status" }, `${report.summary}.`),
            whole.hosts_mixed ? el("p", { class: "notice warning" }, `The logs have ${number(whole.hosts)} hosts, and the file judged them all. Name its site above.`) : null,
            el("p", { class: "notice" }, `${whole.claim} The addresses that operators publish verify it: `, el("code", {}, "robots audit --ranges"), "."),
            worst.length === 0 ? null : section("The rules that were broken most often", el("ul", { class: "rules broken-rules" }, ...worst.map((it) => rule(it.rule, `by ${it.title}, `)))),
            crawlers.length === 0 ? el("p", {}, "No crawler is in these logs.") : section("Requests by crawler", el("div", { class: "amounts", id: "obeyed-crawlers" }, ...crawlers.map(({ title, details, counts }, index) => el("details", {},
                el("summary", {}, el("span", { class: "amount-row", "data-name": title }, ...bar(bars[index]!, most(bars)))),
                el("ul", { class: "did" }, ...details.map((line) => el("li", {}, line))),
                el("ul", { class: "rules broken-rules" }, ...counts.broken.map((it) => rule(it, ""))),
                counts.broken_count > counts.broken.length ? el("p", { class: "muted" }, `and ${count(counts.broken_count - counts.broken.length, "more rule")}.`) : null)))),
            report.crawler_count > crawlers.length ? el("p", { class: "muted" }, `and ${count(report.crawler_count - crawlers.length, "more crawler")}.`) : null,
            purposes.length === 0 ? null : section("Requests by purpose", el("div", { class: "amounts" }, ...purposes.map((it) => el("div", { class: "amount-row" }, ...bar(it, most(purposes)))))),
            first === undefined ? null : section("Requests by day", picture(days, false),
                el("p", { class: "muted" }, `${days.length === 1 ? first : `${first} to ${days.at(-1)![0]}`}: at most ${count(most(days), "request")} a day. Red ones are forbidden.`)),
            reasons("Lines that cannot be read", whole.unread),
            reasons("Requests that are not judged", whole.not_judged),
            whole.unlisted > 0 ? el("p", {}, `Too many rules were broken: those of ${count(whole.unlisted, "request")} are not listed.`) : null,
            el("div", { class: "bar" }, el("button", { type: "button", id: "save-report", onclick: () => save("who-obeyed.html", report.html, "text/html;charset=utf-8") }, "Save the report"),
                el("span", { class: "muted", id: "log-speed" }, `${count(whole.lines, "line")} in ${seconds.toFixed(1)} s.`)));
    }

    function refresh(): void {
        stale.hidden = !running.hidden || judgedBy === null || (judgedBy === app.file && judged === JSON.stringify(options()));
    }
    for (const control of [site, mine, since, grace]) control.addEventListener("change", refresh);

    return { id: "obeyed", title: "Who obeyed", panel, read, refresh };
}
