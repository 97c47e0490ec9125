// Writes src/constants.ts from tests/data/api.json: node bindings/js/constants.mjs [--check].
import { readFileSync, writeFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);
const api = JSON.parse(readFileSync(new URL("tests/data/api.json", root), "utf8"));
const target = new URL("bindings/js/src/constants.ts", root);

// The names of those enums that JavaScript calls otherwise than C.
const NAMES = {
    robots_status_code: "ErrorCode",
    robots_option: "CrawlerOption",
    robots_cache_action: "Action",
    robots_lint_severity: "Severity",
    robots_lint_fix: "FixKind",
};
const OMITTED = ["robots_batch_result"]; // `Verdicts` stands for it
// Their members are names of options: they are written as JavaScript writes names.
const KEYS = ["robots_option", "robots_fetch_option", "robots_cache_option", "robots_control"];

const camel = (word) => word.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const pascal = (word) => camel(`_${word}`);
const plural = (word) => `${word.replace(/y$/, "ie").replace(/s$/, "sse")}s`;

let text = "// Generated from tests/data/api.json by constants.mjs: do not edit. The numbers are those of the C API; they never change.\n";
for (const { about, c, values } of api.enums.filter(({ c }) => !OMITTED.includes(c))) {
    const name = NAMES[c] ?? pascal(c.replace("robots_", ""));
    text += `\n/** ${about} The words by their numbers in the C API. */\nexport const ${plural(name)} = {\n`;
    for (const { name: word, number, sentence } of values) {
        text += `    /** ${sentence} */\n    ${number}: "${KEYS.includes(c) ? camel(word) : word}",\n`;
    }
    text += `} as const;\n/** One of the words of {@link ${plural(name)}}. */\nexport type ${name} = (typeof ${plural(name)})[keyof typeof ${plural(name)}];\n`;
}

if (!process.argv.includes("--check")) {
    writeFileSync(target, text);
} else if (readFileSync(target, "utf8") !== text) {
    console.error("bindings/js/src/constants.ts differs from tests/data/api.json: run node bindings/js/constants.mjs");
    process.exit(1);
}
