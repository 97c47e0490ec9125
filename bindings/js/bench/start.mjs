// Sizes of the modules and of bundles, and the time from the start of a program to its first verdict:
// node bindings/js/bench/start.mjs PACKAGE RUNTIMES. PACKAGE is the folder of the built package, and RUNTIMES that of
// `make js-runtimes`, which has workerd. Each time is the median of 21 processes, and the best one. The environment variable
// FIGURES names a file for the figures of pages (benches/figures).
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const [folder, runtimes] = process.argv.slice(2).map((path) => resolve(path));
const { build } = createRequire(join(folder, "package.json"))("esbuild");
const work = mkdtempSync(join(tmpdir(), "librobots-start-"));
mkdirSync(join(work, "node_modules"));
symlinkSync(folder, join(work, "node_modules/librobots"));

const figures = { with: `Node ${process.version.slice(1)}` };
const kilobytes = (size) => `${Math.round(size / 1000).toLocaleString("en")} KB`;
function size(name, bytes) {
    const [plain, gzip] = [bytes, gzipSync(bytes, { level: 9 })].map(({ length }) => kilobytes(length));
    console.log(`${name.padEnd(40)}${plain.padStart(10)}${gzip.padStart(10)} with gzip`);
    figures[name] = plain;
    figures[`${name}, gzip`] = gzip;
}

async function bundled(name, source, options = {}) {
    const stdin = { contents: source, resolveDir: work };
    const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: "esm", write: false, ...options });
    size(`a bundle of ${name}`, outputFiles[0].contents);
    return outputFiles[0].text;
}

/** Runs a program many times; each prints its milliseconds, or `took` measures the process. */
function times(name, command, took = (run) => Number(run.stdout)) {
    const all = [];
    for (let round = 0; round < 21; round++) {
        const start = performance.now();
        const run = spawnSync(command[0], command.slice(1), { cwd: work, encoding: "utf8" });
        if (run.status !== 0) throw new Error(`${command.join(" ")}: ${run.error ?? run.stderr}`);
        all.push(took(run, performance.now() - start));
    }
    all.sort((a, b) => a - b);
    console.log(`${name.padEnd(40)}${all[10].toFixed(1).padStart(7)} ms${all[0].toFixed(1).padStart(7)} ms at best`);
    figures[name] = `${all[10].toFixed(0)} ms`;
    return all[10];
}

const VERDICT = `new Crawler("ExampleBot").parse("User-agent: *\\nDisallow: /private/\\n").check("https://example.com/private/x");`;
const timed = (load) => `const start = performance.now();\n${load}\n${VERDICT}\nconsole.log(performance.now() - start);\n`;
try {
    for (const name of ["crawl", "whole"]) size(`${name}.wasm`, readFileSync(join(folder, `dist/${name}.wasm`)));
    await bundled("librobots", 'export * from "librobots";');
    await bundled("librobots/fetch", 'export * from "librobots"; export * from "librobots/fetch";');
    await bundled("librobots/robots-parser", 'export { default } from "librobots/robots-parser";');
    await bundled("librobots/tools", 'export * from "librobots/tools";');

    writeFileSync(join(work, "start.cjs"), timed('const { Crawler } = require("librobots");'));
    writeFileSync(join(work, "start.mjs"), timed('const { Crawler } = await import("librobots");'));
    writeFileSync(join(work, "parser.cjs"), 'const start = performance.now();\nrequire("robots-parser")("https://example.com/robots.txt", "User-agent: *\\nDisallow: /private/\\n").isAllowed("https://example.com/private/x", "ExampleBot");\nconsole.log(performance.now() - start);\n');
    symlinkSync(join(folder, "node_modules/robots-parser"), join(work, "node_modules/robots-parser"));
    times("a start, require", [process.execPath, "start.cjs"]);
    times("a start, import", [process.execPath, "start.mjs"]);
    times("a start of robots-parser, require", [process.execPath, "parser.cjs"]);

    const workerd = join(runtimes, "node_modules/.bin/workerd");
    if (!existsSync(workerd)) {
        console.log("SKIP workerd: make js-runtimes installs it");
    } else {
        // A worker's clock stands still while it computes, so the whole process is measured, with and without librobots.
        const worker = (name, modules) => {
            const file = join(work, `${name}.capnp`);
            writeFileSync(file, `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = (compatibilityDate = "2026-11-01", modules = [${modules}]))]);\n`);
            return [workerd, "test", file];
        };
        const first = `import { Crawler, load } from "librobots"; import crawl from "librobots/crawl.wasm"; await load(crawl); ${VERDICT} export default { test() {} };`;
        writeFileSync(join(work, "worker.js"), await bundled("a worker, beside crawl.wasm", first, { external: ["*.wasm"] }));
        writeFileSync(join(work, "empty.js"), "export default { test() {} };");
        cpSync(join(folder, "dist/crawl.wasm"), join(work, "crawl.wasm"));
        const elapsed = (_, milliseconds) => milliseconds;
        const main = (name) => `(name = "main", esModule = embed "${name}.js")`;
        const started = times("workerd, a worker with a verdict", worker("full", `${main("worker")}, (name = "librobots/crawl.wasm", wasm = embed "crawl.wasm")`), elapsed);
        const empty = times("workerd, an empty worker", worker("bare", main("empty")), elapsed);
        figures["workerd, the difference"] = `${(started - empty).toFixed(0)} ms`;
        console.log(`${"workerd, the difference".padEnd(40)}${(started - empty).toFixed(1).padStart(7)} ms`);
    }
    if (process.env.FIGURES) appendFileSync(process.env.FIGURES, Object.entries(figures).map((pair) => `${pair.join("\t")}\n`).join(""));
} finally {
    rmSync(work, { recursive: true, force: true });
}
