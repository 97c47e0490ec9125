/** The two workers, as the page asks them: one for verdicts, one for all else, so that no long work delays a verdict. */
import { trusted } from "./trusted.js";
import type { Ask, Kind, Questions, Reply, State } from "./messages.js";

/** Kinds that the first worker answers. */
const QUICK: ReadonlySet<Kind> = new Set<Kind>(["decide", "explain", "meaning"]);

interface Pending {
    readonly id: number;
    readonly resolve: (answer: never) => void;
    readonly reject: (error: Error) => void;
}

export class Engine {
    readonly #workers: readonly Worker[];
    readonly #pending = new Map<Kind, Pending>();
    #lastId = 0;

    /** @param onStop is called when a worker stops: a defect. */
    constructor(onStop: (why: string) => void) {
        this.#workers = ["verdicts", "the rest"].map((name) => {
            const worker = new Worker(trusted.createScriptURL("worker.js") as unknown as string, { name });
            worker.onmessage = ({ data }: MessageEvent<Reply>) => this.#answered(data);
            worker.onerror = ({ message }) => onStop(message);
            return worker;
        });
        void this.#load().catch((error: Error) => onStop(error.message));
    }

    async #load(): Promise<void> {
        const response = await fetch("page.wasm");
        if (!response.ok) throw new Error(`page.wasm: status ${response.status}`);
        // A host that does not know the type of the file is no reason to stop.
        const module = await WebAssembly.compile(await response.arrayBuffer());
        this.send({ set: "module", module });
    }

    /** Sends what the workers keep. */
    send(state: State): void {
        for (const worker of this.#workers) worker.postMessage(state);
    }

    /** Asks. Resolves to null if a newer question of the kind replaced this one. */
    ask<K extends Kind>(kind: K, ask: Questions[K]["ask"]): Promise<Questions[K]["answer"] | null> {
        this.#pending.get(kind)?.resolve(null as never);
        const id = ++this.#lastId;
        const worker = this.#workers[QUICK.has(kind) ? 0 : 1]!;
        worker.postMessage({ kind, id, ask } as Ask);
        return new Promise((resolve, reject) => this.#pending.set(kind, { id, resolve, reject }));
    }

    #answered(reply: Reply): void {
        const pending = this.#pending.get(reply.kind);
        if (pending?.id !== reply.id) return;
        this.#pending.delete(reply.kind);
        if ("fault" in reply) pending.reject(new Error(reply.fault));
        else pending.resolve(reply.answer as never);
    }
}
