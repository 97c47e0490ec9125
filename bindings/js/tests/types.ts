// What a caller writes compiles; each line after a mark does not.
import { Cache, Crawler, Fetch, Rules, Verdict, load } from "librobots";
import type { CacheDecision, OutcomeInfo, Reason, Step } from "librobots";
import { obeyRobots } from "librobots/crawlee";
import { DeferError, robotsFetch } from "librobots/fetch";
import { explain, lint } from "librobots/tools";

const crawler = new Crawler(["ExampleBot", "Example"], { dialect: "google", onForbidden: "defer", ignoreStar: true, maxTtl: 3600 });
const rules: Rules = crawler.parse(new Uint8Array());
const verdict: Verdict = rules.check("/");
const verdicts: boolean[] = [...rules.checkMany([new URL("https://example.com/"), "/"])];
const reason: Reason = verdict.reason;
const isAllowed: boolean = rules.isAllowed("/");
const decision: CacheDecision = new Cache(crawler).check("https://example.com/");
const times: (number | null)[] = [decision.until, decision.requestAt];
const step: Step = new Fetch(crawler, "https://example.com/").step;
const info: OutcomeInfo | undefined = new Fetch([crawler], "https://example.com/", new Date()).outcome?.info;
{
    using scoped = crawler.parse("");
    scoped.free();
}
void [reason, isAllowed, decision, times, verdicts, step, info, explain(crawler, "", "/").matches, lint(crawler, "").diagnostics, load()];

const obedient = robotsFetch(new Cache(crawler), { userAgent: "ExampleBot/1.0", timeout: 5 });
const response: Promise<Response> = obedient(new URL("https://example.com/"), { method: "POST", signal: new AbortController().signal });
const cause: string | null = new DeferError("https://example.com/", 0, "defer", null, 0).cause;
const own = robotsFetch(new Cache(crawler), { userAgent: "x", fetch: async (url: string) => new Response(url) });
const text: Promise<Response> = own("https://example.com/");
const polite: { run(): void } = obeyRobots({ run() {} }, new Cache(crawler), { userAgent: "ExampleBot/1.0" });
void [response, cause, text, polite];

// @ts-expect-error: a crawler has a name
robotsFetch(new Cache(crawler), {});
// @ts-expect-error: a Verdict is no boolean
const wrong: boolean = rules.check("/");
// @ts-expect-error: nor a number
const sum: number = verdict + 1;
// @ts-expect-error: `allowed` is read only
verdict.allowed = true;
// @ts-expect-error: an unknown dialect
new Crawler("x", { dialect: "bing" });
// @ts-expect-error: an unknown option
new Crawler("x", { maxbytes: 1 });
// @ts-expect-error: rules are no treatment
new Crawler("x", { onForbidden: "rules" });
// @ts-expect-error: a crawler has a token
new Crawler();
// @ts-expect-error: a URL object is no file
crawler.parse(new URL("https://example.com/"));
// @ts-expect-error: what has an address is no URL object
rules.check({ href: "https://example.com/" });
// @ts-expect-error: an unknown reason
const mistake = verdict.reason === "forbidden";
void [wrong, sum, mistake];
