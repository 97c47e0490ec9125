// Runs the package in headless Chromium: README's first program in a page and in a worker: browser.mjs PACKAGE
// CHROMIUM names the browser; default: chromium, or google-chrome. Without one, the test is skipped.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";

const folder = resolve(process.argv[2]);
const browsers = process.env.CHROMIUM ? [process.env.CHROMIUM] : ["chromium", "google-chrome"];
const browser = browsers.find((name) => spawnSync(name, ["--version"]).status === 0);
if (browser === undefined) {
    console.log("SKIP js-browser: there is no Chromium on this machine");
    console.log("js-browser: 0 passed, 0 failed");
    process.exit(0);
}

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const program = /```js\n([^]*?)```/.exec(readme)[1];
const promised = /^It prints `([^`]*)`/m.exec(readme)[1];
const entry = "/dist/esm/index.js";
// Import maps do not reach workers.
const run = `
import { load } from "librobots";
await load();
const said = [];
const console = { log: (...words) => said.push(words.join(" ")) };
${program}
`;
const files = {
    "/": `<!doctype html><script type="importmap">{ "imports": { "librobots": "${entry}" } }</script><script type="module">
        const report = (where, text) => fetch("/report", { method: "POST", body: where + ": " + text });
        window.onerror = (text) => report("error", text);
        const { said } = await import("/page.js");
        await report("page", said);
        const worker = new Worker("/worker.js", { type: "module" });
        worker.onmessage = ({ data }) => report("worker", data);
        worker.onerror = ({ message }) => report("error", message);
    </script>`,
    "/page.js": `${run}export { said };`,
    "/worker.js": `${run.replaceAll('"librobots"', `"${entry}"`)}postMessage(said);`,
};
const reports = [];
let finish;
const finished = new Promise((resolve) => (finish = resolve));
const server = createServer(async (request, response) => {
    if (request.url === "/report") {
        reports.push(await text(request));
        response.end();
        if (/^(worker|error):/.test(reports.at(-1))) finish();
        return;
    }
    const isScript = request.url.endsWith(".js");
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    if (isScript && request.url.startsWith("/dist/esm/")) response.end(readFileSync(join(folder, request.url)));
    else response.writeHead(request.url in files ? 200 : 404).end(files[request.url] ?? "");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const profile = mkdtempSync(join(tmpdir(), "librobots-browser-"));
const options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", `--user-data-dir=${profile}`, "--remote-debugging-port=0"];
const child = spawn(browser, [...options, `http://127.0.0.1:${server.address().port}/`], { stdio: ["ignore", "pipe", "pipe"] });
child.stdout.resume();
child.stderr.resume();
// This waits for all its processes: the last of them still write to the profile.
const ended = new Promise((resolve) => child.on("close", resolve));
const timer = setTimeout(finish, 120_000);
await Promise.race([finished, ended]);
clearTimeout(timer);
child.kill();
await ended;
server.close();
server.closeAllConnections?.();
rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });

let failed = 0;
for (const where of ["page", "worker"]) {
    if (reports.includes(`${where}: ${promised}`)) continue;
    failed++;
    console.log(`FAIL README's program in a ${where} of ${browser} does not print '${promised}': ${reports.join(", ")}`);
}
console.log(`js-browser: ${2 - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
