/** Reads logs, in a thread of its own, with the module of `robots audit`. Blocks of a file go through its memory one after the other. */
import type { AuditAsk, AuditReply, AuditReport } from "./messages.js";

interface Scope {
    onmessage: ((event: MessageEvent<AuditAsk>) => void) | null;
    postMessage(message: AuditReply): void;
}
const scope = self as unknown as Scope;

/** The functions of bindings/js/audit. */
interface Exports {
    readonly memory: WebAssembly.Memory;
    robots_wasm_seed(low: number, high: number): void;
    robots_audit_buffer(length: number): number;
    robots_audit_start(robots: number): number;
    robots_audit_start_file(): void;
    robots_audit_feed(): number;
    robots_audit_end_file(): number;
    robots_audit_lines(): number;
    robots_audit_report(): number;
}

/** Bytes that are read at once. */
const BLOCK = 1 << 20;
/** Milliseconds between two reports of progress. */
const BETWEEN = 100;

const encoder = new TextEncoder();
let compiled: Promise<WebAssembly.Module> | null = null;
let isStopped = false;

async function compile(): Promise<WebAssembly.Module> {
    const response = await fetch("audit.wasm");
    if (!response.ok) throw new Error(`audit.wasm: status ${response.status}`);
    return WebAssembly.compile(await response.arrayBuffer());
}

async function audit({ files, robots, options }: Exclude<AuditAsk, "stop">): Promise<AuditReply> {
    const began = performance.now();
    const module = await (compiled ??= compile());
    // The audit converts no host name: it gives the engine paths.
    const { exports } = await WebAssembly.instantiate(module, { host: { name_to_ascii: () => -1 } });
    const it = exports as unknown as Exports;
    const buffer = (length: number): Uint8Array => {
        // First the call: it may grow the memory, which then is another buffer.
        const at = it.robots_audit_buffer(length) >>> 0;
        return new Uint8Array(it.memory.buffer, at, length);
    };
    const put = (bytes: Uint8Array): void => buffer(bytes.length).set(bytes);
    const text = (length: number): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(buffer(length));
    // As the engine does for its own instances: logs must not know the seeds of its hashes.
    it.robots_wasm_seed(Math.random() * 2 ** 32, Math.random() * 2 ** 32);
    const settings = encoder.encode(JSON.stringify(options));
    const both = buffer(robots.length + settings.length);
    both.set(robots);
    both.set(settings, robots.length);
    const refused = it.robots_audit_start(robots.length);
    if (refused > 0) return { fault: text(refused) };

    const total = files.reduce((sum, { size }) => sum + size, 0);
    const faults: string[] = [];
    let [bytes, next] = [0, 0];
    for (const file of files) {
        put(encoder.encode(file.name));
        it.robots_audit_start_file();
        let cut = "";
        try {
            const block = (at: number): Promise<ArrayBuffer> => file.slice(at, at + BLOCK).arrayBuffer();
            let later = block(0);
            for (let at = 0; at < file.size; at += BLOCK) {
                const now = new Uint8Array(await later);
                if (isStopped) {
                    cut = "you stopped it";
                    break;
                }
                // The browser reads a block while the module reads the one before.
                later = block(at + BLOCK);
                put(now);
                if (it.robots_audit_feed() === 0) break;
                if (performance.now() > next) {
                    scope.postMessage({ name: file.name, bytes: bytes + at + now.length, total, lines: it.robots_audit_lines() });
                    next = performance.now() + BETWEEN;
                }
            }
        } catch (error) {
            if (!(error instanceof DOMException)) throw error;
            cut = `the browser cannot read it (${error.message})`;
        }
        put(encoder.encode(cut));
        const fault = text(it.robots_audit_end_file());
        if (fault !== "") faults.push(`${file.name}: ${fault}`);
        bytes += file.size;
    }
    const report = JSON.parse(text(it.robots_audit_report())) as AuditReport;
    return { report, faults, seconds: (performance.now() - began) / 1000 };
}

scope.onmessage = ({ data }) => {
    isStopped = data === "stop";
    if (data === "stop") return;
    audit(data).then((reply) => scope.postMessage(reply), (error: Error) => {
        compiled = null;
        scope.postMessage({ fault: error.message });
    });
};
