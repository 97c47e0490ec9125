/** The editor: line numbers, colours by what each line is to the engine, marks of lint. */
import { defaultKeymap, history, historyKeymap, isolateHistory, undo, undoDepth } from "@codemirror/commands";
import { Annotation, EditorState, RangeSet, RangeSetBuilder, StateEffect, StateField, Transaction } from "@codemirror/state";
import type { Text } from "@codemirror/state";
import {
    Decoration, EditorView, GutterMarker, ViewPlugin, drawSelection, gutter, highlightSpecialChars, hoverTooltip, keymap, lineNumbers,
} from "@codemirror/view";
import type { DecorationSet, ViewUpdate } from "@codemirror/view";
import { el } from "./dom.js";
import { KINDS } from "./messages.js";
import type { Mark, Meanings } from "./messages.js";

const setMeanings = StateEffect.define<Meanings | null>();
const setMarks = StateEffect.define<readonly Mark[]>();
const setLine = StateEffect.define<readonly number[]>();
const isLoad = Annotation.define<boolean>();

// --- colours ------------------------------------------------------------------------------------------------------------

/** The meanings, moved with the lines until the worker sends new ones. */
const meanings = StateField.define<Meanings | null>({
    create: () => null,
    update(value, transaction) {
        for (const effect of transaction.effects) if (effect.is(setMeanings)) return effect.value;
        if (value === null || !transaction.docChanged) return value;
        const before = transaction.startState.doc;
        const after = transaction.state.doc;
        let [first, last] = [Infinity, 0];
        transaction.changes.iterChangedRanges((from, to) => {
            first = Math.min(first, before.lineAt(from).number);
            last = Math.max(last, before.lineAt(to).number);
        });
        if (before.lines === after.lines) return value;
        // The lines after the change keep their meaning; those that are new have none yet.
        const added = after.lines - before.lines;
        const kinds = new Uint8Array(Math.max(0, value.kinds.length + added));
        const places = new Uint32Array(3 * kinds.length);
        kinds.set(value.kinds.subarray(0, Math.min(first, kinds.length)));
        places.set(value.places.subarray(0, Math.min(3 * first, places.length)));
        if (last + added >= 0 && last + added < kinds.length) {
            kinds.set(value.kinds.subarray(last), last + added);
            places.set(value.places.subarray(3 * last), 3 * (last + added));
        }
        return { kinds, places };
    },
});

const lineClasses = KINDS.map((kind) => Decoration.line({ class: `k-${kind}` }));
const field = Decoration.mark({ class: "t-field" });
const value = Decoration.mark({ class: "t-value" });
const comment = Decoration.mark({ class: "t-comment" });

/** Only what is in view is coloured, so the size of the file does not matter. */
function colours(view: EditorView): DecorationSet {
    const of = view.state.field(meanings);
    if (of === null) return Decoration.none;
    const builder = new RangeSetBuilder<Decoration>();
    let last = 0;
    for (const { from, to } of view.visibleRanges) {
        for (let at = from; at <= to; ) {
            const line = view.state.doc.lineAt(at);
            at = line.to + 1;
            if (line.number <= last || line.number > of.kinds.length) continue;
            last = line.number;
            const index = line.number - 1;
            const kind = of.kinds[index]!;
            if (kind === 0) continue;
            builder.add(line.from, line.from, lineClasses[kind]!);
            if (line.length > 20_000) continue;
            const end = (place: number): number => line.from + Math.min(line.length, of.places[3 * index + place]!);
            const [fieldEnd, from, to] = [end(0), end(1), end(2)];
            if (fieldEnd > line.from) builder.add(line.from, fieldEnd, field);
            if (to > from) builder.add(from, to, value);
            const hash = fieldEnd > line.from ? line.text.indexOf("#", to - line.from) : -1;
            if (hash >= 0) builder.add(line.from + hash, line.to, comment);
        }
    }
    return builder.finish();
}

const colouring = ViewPlugin.fromClass(
    class {
        decorations: DecorationSet;
        constructor(view: EditorView) {
            this.decorations = colours(view);
        }
        update(update: ViewUpdate): void {
            const isNew = update.state.field(meanings) !== update.startState.field(meanings);
            if (update.docChanged || update.viewportChanged || isNew) this.decorations = colours(update.view);
        }
    },
    { decorations: (plugin) => plugin.decorations },
);

// --- marks of lint -------------------------------------------------------------------------------------------------------

/** From what is only worth knowing to what breaks the file. */
export const SEVERITIES = ["note", "warning", "error"] as const;

class Sign extends GutterMarker {
    constructor(readonly severity: string, readonly title: string) {
        super();
    }
    override eq(other: Sign): boolean {
        return other.severity === this.severity && other.title === this.title;
    }
    override toDOM(): Node {
        return el("span", { class: `sign ${this.severity}`, title: this.title });
    }
}

interface Marks {
    readonly underlines: DecorationSet;
    readonly signs: RangeSet<GutterMarker>;
    readonly list: readonly Mark[];
}

function marksOf(list: readonly Mark[], doc: Text): Marks {
    const ranges = [];
    const worst = new Map<number, Mark>();
    for (const mark of list) {
        if (mark.line === 0 || mark.line > doc.lines) continue;
        const line = doc.line(mark.line);
        const from = line.from + Math.min(line.length, mark.from);
        const to = line.from + Math.min(line.length, mark.to);
        if (to > from) ranges.push(Decoration.mark({ class: `lint ${mark.severity}` }).range(from, to));
        const known = worst.get(mark.line);
        if (known === undefined || SEVERITIES.indexOf(mark.severity) > SEVERITIES.indexOf(known.severity)) worst.set(mark.line, mark);
    }
    const signs = [...worst].map(([line, mark]) => new Sign(mark.severity, `${mark.severity}: ${mark.message}`).range(doc.line(line).from));
    return { underlines: Decoration.set(ranges, true), signs: RangeSet.of(signs, true), list };
}

const marks = StateField.define<Marks>({
    create: () => ({ underlines: Decoration.none, signs: RangeSet.empty, list: [] }),
    update(value, transaction) {
        for (const effect of transaction.effects) if (effect.is(setMarks)) return marksOf(effect.value, transaction.state.doc);
        if (!transaction.docChanged) return value;
        return { ...value, underlines: value.underlines.map(transaction.changes), signs: value.signs.map(transaction.changes) };
    },
    provide: (of) => EditorView.decorations.from(of, ({ underlines }) => underlines),
});

/** The lines that decide what is pointed at elsewhere on the page. */
const pointed = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(value, transaction) {
        for (const effect of transaction.effects) {
            if (!effect.is(setLine)) continue;
            const { doc } = transaction.state;
            const lines = effect.value.filter((line) => line >= 1 && line <= doc.lines).sort((one, two) => one - two);
            return Decoration.set(lines.map((line) => Decoration.line({ class: "pointed" }).range(doc.line(line).from)));
        }
        return value.map(transaction.changes);
    },
    provide: (of) => EditorView.decorations.from(of),
});

export interface EditorSettings {
    readonly parent: HTMLElement;
    readonly label: string;
    /** The user changed the text. */
    onChange(): void;
    /** A file was dropped. */
    onFile?(file: File): void;
    /** The sign of a line was activated. */
    onSign?(line: number): void;
    /** What a tooltip shows below a message. */
    fixButton?(mark: Mark): HTMLElement | null;
}

export class Editor {
    readonly view: EditorView;

    constructor(settings: EditorSettings) {
        const signGutter = gutter({
            class: "signs",
            markers: (view) => view.state.field(marks).signs,
            domEventHandlers: {
                click(view, block) {
                    settings.onSign?.(view.state.doc.lineAt(block.from).number);
                    return true;
                },
            },
        });
        const tooltip = hoverTooltip((view, at) => {
            const line = view.state.doc.lineAt(at);
            const column = at - line.from;
            const list = view.state.field(marks).list.filter((mark) => mark.line === line.number && mark.from <= column && column <= mark.to);
            if (list.length === 0) return null;
            const create = (): { dom: HTMLElement } => ({
                dom: el("div", { class: "tip" }, ...list.map((mark) => el("div", { class: "tip-mark" },
                    el("strong", { class: mark.severity }, `${mark.severity} `, mark.code), " ", mark.message,
                    mark.suggestion === null ? null : el("span", { class: "muted" }, ` ${mark.suggestion}`),
                    settings.fixButton?.(mark) ?? null))),
            });
            return { pos: line.from + list[0]!.from, end: line.from + list[0]!.to, create };
        });
        this.view = new EditorView({
            parent: settings.parent,
            state: EditorState.create({
                extensions: [
                    lineNumbers(), signGutter, history(), drawSelection(), highlightSpecialChars(), meanings, colouring, marks, pointed, tooltip,
                    keymap.of([...defaultKeymap, ...historyKeymap]),
                    // A phone wraps lines: it would scroll their starts out of view.
                    matchMedia("(max-width: 860px)").matches ? EditorView.lineWrapping : [],
                    EditorView.cspNonce.of("style-of-the-editor"),
                    EditorView.contentAttributes.of({ "aria-label": settings.label, tabindex: "0", spellcheck: "false", autocorrect: "off", autocapitalize: "off" }),
                    EditorView.updateListener.of(({ docChanged, transactions }) => {
                        if (docChanged && !transactions.some((one) => one.annotation(isLoad) === true)) settings.onChange();
                    }),
                    EditorView.domEventHandlers({
                        drop(event) {
                            const file = event.dataTransfer?.files[0];
                            if (file === undefined || settings.onFile === undefined) return false;
                            event.preventDefault();
                            settings.onFile(file);
                            return true;
                        },
                    }),
                ],
            }),
        });
    }

    get text(): string {
        return this.view.state.doc.toString();
    }

    get canUndo(): boolean {
        return undoDepth(this.view.state) > 0;
    }

    undo(): void {
        undo(this.view);
    }

    get lineCount(): number {
        return this.view.state.doc.lines;
    }

    /** The text of a line; empty for one that is not there. */
    line(number: number): string {
        const { doc } = this.view.state;
        return number >= 1 && number <= doc.lines ? doc.line(number).text : "";
    }

    /** Replaces the text by one that was loaded: `onChange` is not called. */
    load(text: string): void {
        const { doc } = this.view.state;
        this.view.dispatch({
            changes: { from: 0, to: doc.length, insert: text },
            effects: [setMeanings.of(null), setMarks.of([]), setLine.of([])],
            // There is nothing before the first file.
            annotations: [isLoad.of(true), isolateHistory.of("full"), Transaction.addToHistory.of(this.canUndo || doc.length > 0)],
            selection: { anchor: 0 },
        });
        this.view.scrollDOM.scrollTo(0, 0);
    }

    /** Replaces what differs, as an edit that can be undone. */
    edit(text: string): void {
        const old = this.text;
        const now = text.replace(/\r\n?/g, "\n");
        let from = 0;
        while (from < old.length && from < now.length && old[from] === now[from]) from++;
        let [to, end] = [old.length, now.length];
        while (to > from && end > from && old[to - 1] === now[end - 1]) [to, end] = [to - 1, end - 1];
        this.view.dispatch({ changes: { from, to, insert: now.slice(from, end) }, annotations: isolateHistory.of("full") });
    }

    show(found: Meanings | null, list: readonly Mark[]): void {
        this.view.dispatch({ effects: [setMeanings.of(found), setMarks.of(list)] });
    }

    /** Marks lines; `scroll` brings the first of them into the view of the editor. The page stays where it is. */
    point(lines: readonly number[], scroll = false): void {
        const first = lines.find((line) => line >= 1 && line <= this.lineCount);
        this.view.dispatch({ effects: setLine.of(lines) });
        if (!scroll || first === undefined) return;
        const { scrollDOM } = this.view;
        const { top, bottom } = this.view.lineBlockAt(this.view.state.doc.line(first).from);
        if (top < scrollDOM.scrollTop || bottom > scrollDOM.scrollTop + scrollDOM.clientHeight) scrollDOM.scrollTop = (top + bottom - scrollDOM.clientHeight) / 2;
    }
}

/** A word that points at a line of the file. */
export function lineLink(editor: () => Editor, line: number, words = `line ${line}`): HTMLElement {
    return el("button", {
        type: "button", class: "line-link",
        onclick: () => {
            editor().point([line], true);
            editor().view.dom.scrollIntoView({ block: "nearest" });
        },
        onfocus: () => editor().point([line]),
        onmouseenter: () => editor().point([line]),
    }, words);
}
