/** Elements of the page. What strangers wrote is always a text node or an attribute, never HTML. */
type Attribute = string | boolean | ((event: never) => void);
type Child = Node | string | number | null | false | undefined;

/** Creates an element. An attribute whose value is a function is a listener: `onclick`. */
export function el<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Record<string, Attribute | null | undefined> = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
        else if (value === true) element.setAttribute(name, "");
        else if (typeof value === "string") element.setAttribute(name, value);
    }
    add(element, children);
    return element;
}

/** Adds children to an element; nothing for null and false. */
export function add(parent: Element, children: readonly Child[]): void {
    for (const child of children) {
        if (child === null || child === undefined || child === false) continue;
        parent.append(typeof child === "number" ? String(child) : child);
    }
}

/** Replaces the children of an element. */
export function fill(parent: Element, ...children: Child[]): void {
    parent.replaceChildren();
    add(parent, children);
}

/** The element with an id of index.html. */
export function byId<T extends HTMLElement>(id: string): T {
    const element = document.getElementById(id);
    if (element === null) throw new Error(`the page has no #${id}`);
    return element as T;
}

const PATHS = {
    yes: "M3.5 8.5l3 3 6-7",
    no: "M4.2 4.2l7.6 7.6M11.8 4.2l-7.6 7.6",
    bad: "M8 3.5v5.5M8 12v.6",
    moot: "M4 8h8",
} as const;

/** Creates an element of a drawing. */
export function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElementTagNameMap[K] {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    element.append(...children);
    return element;
}

/** A small drawing beside a word that says the same. */
export function icon(name: keyof typeof PATHS): SVGSVGElement {
    return svg("svg", { viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true", class: `icon icon-${name}` }, svg("path", { d: PATHS[name] }));
}

/** `1 file`, `2 files`. */
export function count(number: number, one: string, many = `${one}s`): string {
    return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** Words that begin a sentence. */
export function sentence(words: string): string {
    return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A size for people. */
export function size(bytes: number): string {
    if (bytes < 1000) return count(bytes, "byte");
    if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
    return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Shortens a text that is shown in one line. */
export function brief(text: string, most: number): string {
    return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** Saves a text as a file of the user. */
export function save(name: string, content: BlobPart, type = "text/plain;charset=utf-8"): void {
    const url = URL.createObjectURL(new Blob([content], { type }));
    el("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
