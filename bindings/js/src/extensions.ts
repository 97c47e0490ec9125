import { ExtensionFields } from "./constants.js";
import type { ExtensionField } from "./constants.js";
import type { Engine } from "./engine.js";
import { layout } from "./engine.js";
import { Handle } from "./handle.js";
import { wordOf } from "./numbers.js";

/** A line that decides nothing. */
export interface Extension {
    readonly field: ExtensionField;
    /** The value as it is written. */
    readonly value: string;
    /** The number of the line, from 1. */
    readonly line: number;
    /** Whether it is in a group that applies to the crawler, not outside all groups. */
    readonly inGroup: boolean;
    /** For a request-rate: at most `requests` in `seconds`. */
    readonly requestRate: { readonly requests: number; readonly seconds: number } | null;
    /** For a visit-time or a request-rate with times: minutes after midnight UTC; an end before the start is on the next day. */
    readonly hours: { readonly from: number; readonly until: number } | null;
}

const EXTENSION = layout({
    value: "text", line: "u32", field: "u32", in_group: "u32", requests: "u32", seconds: "u32", from: "u32", until: "u32", reserved: "u32",
});

/** The lines of a robots.txt, other than rules, that concern a crawler. */
export class Extensions extends Handle {
    /** @internal */
    constructor(engine: Engine, address: number) {
        super(engine, "robots_extensions_free", address);
    }

    /** The lines in the order of the file. */
    get lines(): Extension[] {
        const { engine, address } = this;
        return engine.run(() => {
            const lines: Extension[] = [];
            const out = engine.struct(EXTENSION);
            while (engine.next("robots_extensions_line", address, lines.length, out)) {
                const { value, line, field, in_group, requests, seconds, from, until } = engine.read(EXTENSION, out);
                const requestRate = seconds > 0 ? { requests, seconds } : null;
                const hours = until > 0 ? { from, until } : null;
                lines.push({ field: wordOf(ExtensionFields, field), value, line, inGroup: in_group === 1, requestRate, hours });
            }
            return lines;
        });
    }
}
