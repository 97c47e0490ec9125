// Prints the source file constants.ts, or with the word `options` the file options.ts, from tests/data/api.json. `build` adds both.
import { readFileSync } from "node:fs";

const api = JSON.parse(readFileSync(new URL("../../tests/data/api.json", import.meta.url), "utf8"));

// The names of those enums that JavaScript calls otherwise than C.
const NAMES = {
    robots_status_code: "ErrorCode",
    robots_option: "CrawlerOption",
    robots_cache_action: "Action",
    robots_lint_severity: "Severity",
    robots_lint_fix: "FixKind",
    robots_difference_code: "DifferenceResult",
};
const OMITTED = ["robots_batch_result"]; // `Verdicts` stands for it
// Their members are names of options: they are written as JavaScript writes names.
const KEYS = ["robots_option", "robots_fetch_option", "robots_cache_option", "robots_control"];

const camel = (word) => word.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const pascal = (word) => camel(`_${word}`);
// `Uses` is a class.
const plural = (word) => (word === "Use" ? "UseWords" : `${word.replace(/y$/, "ie").replace(/s$/, "sse")}s`);

function options() {
    let text = '// Generated from tests/data/api.json by constants.mjs.\nimport type { Dialect } from "./constants.js";\n';
    text += "\n/** The options of a crawler that change how a file is read. */\nexport interface ReadSettings {\n";
    for (const { name, unit, least, most, default: by, sentence } of api.crawler_options) {
        const [type, about] = {
            dialect: ["Dialect", `${sentence} Default: "${api.dialects[by.rfc9309]}".`],
            switch: ["boolean", `\`true\`: ${sentence} Default: ${by.rfc9309 === 1}.`],
        }[unit] ?? ["number", `${sentence} From ${least} to ${most}; default: ${by.rfc9309}.`];
        text += `    /** ${about} */\n    ${camel(name)}?: ${type};\n`;
    }
    text += "}\n\n/** The unit and the range of each option of a crawler and of a fetch. */\n";
    text += "export const OPTIONS = {\n";
    for (const { name, unit, least, most } of [...api.crawler_options, ...api.fetch_options]) {
        text += `    ${camel(name)}: { unit: "${unit}", least: ${least}, most: ${most} },\n`;
    }
    return `${text}} as const;\n`;
}

function constants() {
    let text = "// Generated from tests/data/api.json by constants.mjs. The numbers are those of the C API; they never change.\n";
    for (const { about, c, values } of api.enums.filter(({ c }) => !OMITTED.includes(c))) {
        const name = NAMES[c] ?? pascal(c.replace("robots_", ""));
        text += `\n/** ${about} The words by their numbers in the C API. */\nexport const ${plural(name)} = {\n`;
        for (const { name: word, number, sentence } of values) {
            text += `    /** ${sentence} */\n    ${number}: "${KEYS.includes(c) ? camel(word) : word}",\n`;
        }
        text += `} as const;\n/** One of the words of {@link ${plural(name)}}. */\nexport type ${name} = (typeof ${plural(name)})[keyof typeof ${plural(name)}];\n`;
    }
    return text;
}

process.stdout.write(process.argv[2] === "options" ? options() : constants());
