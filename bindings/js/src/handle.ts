/// <reference lib="esnext.disposable" preserve="true" />
import { Engine } from "./engine.js";
import { RobotsError } from "./errors.js";

interface Held {
    readonly engine: Engine;
    readonly free: string;
    readonly address: number;
}

function release({ engine, free, address }: Held): void {
    if (engine.ended !== undefined) return;
    try {
        engine.number(free, address);
    } catch (error) {
        engine.failed(error);
    }
}

// Cloudflare Workers with a compatibility date before 2025-05-05 have none.
const registry = typeof FinalizationRegistry === "undefined" ? undefined : new FinalizationRegistry<Held>(release);

/**
 * An object in the memory of the module. It is freed by `using`, by {@link Handle.free}, or after it is garbage. The collector
 * does not see the module's memory, and runs between tasks: free objects that a long synchronous loop creates. Where the runtime has no
 * `FinalizationRegistry`, only `using` and `free` free it.
 */
export abstract class Handle {
    readonly #engine: Engine;
    readonly #free: string;
    #address: number;

    /** @internal */
    protected constructor(engine: Engine, free: string, address: number) {
        if (!(engine instanceof Engine)) throw new TypeError("this class has no constructor: other objects create it");
        this.#engine = engine;
        this.#free = free;
        this.#address = address;
        registry?.register(this, { engine, free, address }, this);
    }

    /** @internal */
    get engine(): Engine {
        return this.#engine;
    }

    /** The address; throws after {@link free}. @internal */
    get address(): number {
        if (this.#address === 0) {
            throw new RobotsError("state", `this ${this.constructor.name} was freed: create another one, or free it later`);
        }
        return this.#address;
    }

    /** Frees the memory now. Every later use throws, except `free`, which does nothing. */
    free(): void {
        if (this.#address === 0) return;
        const address = this.#address;
        this.#address = 0;
        registry?.unregister(this);
        release({ engine: this.#engine, free: this.#free, address });
    }

    /** Frees the memory at the end of a block: `using rules = crawler.parse(body)`. */
    declare [Symbol.dispose]: () => void;
}

// Node 18 before 18.18 and some browsers have no such symbol.
if (typeof Symbol.dispose === "symbol") {
    Object.defineProperty(Handle.prototype, Symbol.dispose, {
        value(this: Handle) {
            this.free();
        },
    });
}
