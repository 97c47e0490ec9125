// Servers of this machine, for the tests of clients.
import { createServer } from "node:http";
import { after } from "node:test";

const servers = [];
after(() => servers.forEach((server) => (server.close(), server.closeAllConnections?.())));

/**
 * A site: its requests, with their times in seconds, and its responses by path; all other paths are `other`, or 200 with the text "page".
 * `close` ends it.
 */
export async function site(responses) {
    const [seen, times] = [[], []];
    const server = createServer((request, response) => {
        seen.push(request);
        times.push(performance.now() / 1000);
        const answer = responses[request.url] ?? responses.other ?? "page";
        if (typeof answer === "function") answer(response, request);
        else response.end(answer);
    });
    servers.push(server);
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${server.address().port}`;
    return { url, seen, times, paths: () => seen.map((request) => request.url), close: () => new Promise((resolve) => server.close(resolve)) };
}
export const redirect = (status, location) => (response) => response.writeHead(status, { location }).end();
export const status = (number, headers = {}) => (response) => response.writeHead(number, headers).end("text");
