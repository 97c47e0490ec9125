// The words are those of the C API, by its numbers, and what the engine returns has these words.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { folder, robots } from "./package.mjs";

const { Crawler, Rules } = robots;
const constants = await import(pathToFileURL(join(folder, "dist/esm/constants.js")).href);
const api = JSON.parse(readFileSync(new URL("../../../tests/data/api.json", import.meta.url), "utf8"));

test("numbers are those of the C API", () => {
    for (const [of, list] of Object.entries({ ErrorCodes: "status_code", Dialects: "dialect", Reasons: "reason", Steps: "step", Failures: "failure",
        OutcomeKinds: "outcome_kind", Causes: "cause", Actions: "cache_action", MatchResults: "match_result", Severities: "lint_severity" })) {
        const { values } = api.enums.find(({ c }) => c === `robots_${list}`);
        assert.deepEqual({ ...constants[of] }, Object.fromEntries(values.map(({ name, number }) => [number, name])), of);
    }
});

test("the engine returns these numbers", () => {
    const [file, empty] = ["User-agent: *\nAllow: /b\nDisallow: /a\n", ""].map((body) => new Crawler("ExampleBot").parse(body));
    const probes = { none: file.check("c"), rule_allowed: file.check("/b"), rule_disallowed: file.check("/a"), no_rule: file.check("/c"),
        no_group: empty.check("/c"), robots_txt: file.check("/robots.txt"), allow_all: Rules.allowAll().check("/c"),
        disallow_all: Rules.disallowAll().check("/c") };
    for (const [word, { reason }] of Object.entries(probes)) assert.equal(reason, word, `the number of ${word} has the word ${reason}`);
});
