// The words are those of the C API, by its numbers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { folder } from "./package.mjs";

const constants = await import(pathToFileURL(join(folder, "dist/esm/constants.js")).href);
const api = JSON.parse(readFileSync(new URL("../../../tests/data/api.json", import.meta.url), "utf8"));

test("numbers are those of the C API", () => {
    for (const [of, list] of Object.entries({ ErrorCodes: "status_code", Dialects: "dialect", Reasons: "reason", Steps: "step", Failures: "failure",
        OutcomeKinds: "outcome_kind", Causes: "cause", Actions: "cache_action", MatchResults: "match_result", Severities: "lint_severity" })) {
        const { values } = api.enums.find(({ c }) => c === `robots_${list}`);
        assert.deepEqual({ ...constants[of] }, Object.fromEntries(values.map(({ name, number }) => [number, name])), of);
    }
});
