// Builds the page: build.mjs BUILD PACKAGE MODULES API FOLDER. BUILD has the sources and node_modules, PACKAGE is the npm package,
// MODULES is a folder with page.wasm and audit.wasm, and API is tests/data/api.json.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const [build, pack, wasm, api, out] = process.argv.slice(2).map((path) => resolve(path));
const { build: bundle } = createRequire(join(build, "package.json"))("esbuild");

// The package as an importer sees it.
const modules = join(build, "node_modules");
rmSync(join(modules, "librobots"), { recursive: true, force: true });
symlinkSync(pack, join(modules, "librobots"));
const { lints, presets, purposes, recipes, version } = JSON.parse(readFileSync(api, "utf8"));
writeFileSync(join(build, "src/api.json"), JSON.stringify({ lints: lints.map(({ code, example }) => ({ code, example })), presets, purposes, recipes, version }));

// The page loads one module as a file, so the two that the package holds as text are left out.
const withoutText = {
    name: "without-text",
    setup({ onLoad }) {
        onLoad({ filter: /esm\/wasm-(crawl|whole)\.js$/ }, () => ({
            contents: "export default () => { throw new Error('load(module) comes first'); };",
        }));
    },
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const options = {
    absWorkingDir: build, bundle: true, minify: true, format: "iife", target: ["chrome111", "firefox113", "safari16.4"],
    legalComments: "none", metafile: true, logLevel: "warning", plugins: [withoutText], outdir: out,
};
const { metafile } = await bundle({ ...options, entryPoints: { page: "src/main.ts", worker: "src/worker.ts", audit: "src/audit.ts", style: "src/style.css" } });
for (const name of ["index.html", "icon.svg"]) cpSync(join(build, "src", name), join(out, name));
for (const name of ["page.wasm", "audit.wasm"]) cpSync(join(wasm, name), join(out, name));

// The notices of what is in the bundles.
const names = new Set(Object.keys(metafile.inputs).map((path) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]));
const notices = [...names].filter((name) => name !== undefined && name !== "librobots").sort().map((name) => {
    const folder = join(modules, name);
    const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
    if (licence === undefined) throw new Error(`${name} has no licence`);
    return `${name}\n\n${readFileSync(join(folder, licence), "utf8").trim()}\n`;
});
const own = [join(pack, "LICENSE-MIT"), join(build, "THIRD-PARTY")].map((path) => readFileSync(path, "utf8").trim());
writeFileSync(join(out, "licenses.txt"), ["librobots", ...own, ...notices].join("\n\n"));

// The service worker knows all files, and has another text when one of them changes. It keeps the module of a tab once it is used.
const files = readdirSync(out).sort();
const hash = createHash("sha256");
for (const name of files) hash.update(name).update(readFileSync(join(out, name)));
await bundle({
    ...options, entryPoints: { sw: "src/sw.ts" },
    define: { FILES: JSON.stringify(files.filter((name) => name !== "audit.wasm")), VERSION: JSON.stringify(hash.digest("hex").slice(0, 16)) },
});

const size = (name) => gzipSync(readFileSync(join(out, name)), { level: 9 }).length;
const loaded = readdirSync(out).filter((name) => name !== "audit.wasm");
console.log(`page: ${loaded.length} files, ${loaded.reduce((sum, name) => sum + size(name), 0)} bytes with gzip; audit.wasm: ${size("audit.wasm")}`);
