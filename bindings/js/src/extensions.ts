import { Choices, ExtensionFields, Vocabularies } from "./constants.js";
import type { Choice, ExtensionField, Vocabulary } from "./constants.js";
import type { Engine, Text, Url } from "./engine.js";
import { layout, quote } from "./engine.js";
import { Handle } from "./handle.js";
import { wordOf } from "./numbers.js";
import { source } from "./source.js";

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

/** A usage preference. */
export interface Preference {
    readonly vocabulary: Vocabulary;
    /** The use, such as `train-ai`. */
    readonly label: string;
    readonly choice: Choice;
    /** The number of the line, from 1; 0 for a header. */
    readonly line: number;
}

const EXTENSION = layout({
    value: "text", line: "u32", field: "u32", in_group: "u32", requests: "u32", seconds: "u32", from: "u32", until: "u32", reserved: "u32",
});
const PREFERENCE = layout({ label: "text", line: "u32", vocabulary: "u32", choice: "u32", reserved: "u32" });

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

    /** The usage preferences for a URL. A URL that may not be fetched has none. */
    preferences(url: Url): Preference[] {
        const { engine, address } = this;
        return engine.run(() => {
            const place = engine.putUrl(url);
            const about = (): string => `preferences for ${quote(url)}`;
            return preferences(engine, engine.create(about, "robots_extensions_preferences", address, place, engine.length));
        });
    }
}

/** The usage preferences of a response from the value of its `Content-Usage` header; join several values by `", "`. */
export function preferencesFromHeader(value: Text): Preference[] {
    const engine = source.engine();
    return engine.run(() => {
        const place = engine.put(value, "a value");
        const about = (): string => "read Content-Usage";
        return preferences(engine, engine.create(about, "robots_preferences_from_header", place, engine.length));
    });
}

function preferences(engine: Engine, handle: number): Preference[] {
    try {
        const list: Preference[] = [];
        const out = engine.struct(PREFERENCE);
        while (engine.next("robots_preferences_get", handle, list.length, out)) {
            const { label, line, vocabulary, choice } = engine.read(PREFERENCE, out);
            list.push({ vocabulary: wordOf(Vocabularies, vocabulary), label, choice: wordOf(Choices, choice), line });
        }
        return list;
    } finally {
        if (engine.ended === undefined) engine.number("robots_preferences_free", handle);
    }
}
