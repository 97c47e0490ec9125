// Serves a folder on localhost, and counts what is requested. As a program: serve.mjs FOLDER PORT
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm", ".txt": "text/plain" };

/** Starts a server. `requests` lists the paths; `close` ends it. */
export async function serve(folder, port = 0) {
    const requests = [];
    const server = createServer(async (request, response) => {
        const path = new URL(request.url, "http://localhost").pathname;
        requests.push(path);
        const name = normalize(path.endsWith("/") ? `${path}index.html` : path);
        try {
            const body = await readFile(join(folder, name));
            response.setHeader("content-type", TYPES[extname(name)] ?? "text/plain");
            response.end(body);
        } catch {
            response.writeHead(404).end("not found");
        }
    });
    await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
    const close = () => new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
    });
    return { requests, url: `http://127.0.0.1:${server.address().port}/`, close };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const [folder, port] = process.argv.slice(2);
    console.log(`${(await serve(folder, Number(port))).url} (end: Ctrl+C)`);
}
