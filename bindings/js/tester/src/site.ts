/** The user's domain: a link to its robots.txt, which the browser opens, and a button that pastes it. The page requests nothing. */
import type { App } from "./app.js";
import { byId, el, fill } from "./dom.js";

export interface Site {
    /** The home page, if a domain is typed. */
    readonly home: readonly string[];
    show(isShown: boolean): void;
}

/** The origin of a domain or URL that someone typed; null if there is none. */
function originOf(text: string): string | null {
    try {
        const { protocol, hostname, origin } = new URL(/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text) ? text : `https://${text}`);
        return /^https?:$/.test(protocol) && /^(localhost|\[.*\]|[^%]*[^.%]\.[^.%]+)$/.test(hostname) ? origin : null;
    } catch {
        return null;
    }
}

export function createSite(app: App, load: (text: string) => void): Site {
    const form = byId("site");
    const input = byId<HTMLInputElement>("domain");
    const help = byId("site-help");
    const link = el("a", { id: "site-link", target: "_blank", rel: "noopener noreferrer" });
    let origin: string | null = null;

    function typed(): void {
        const text = input.value.trim();
        origin = originOf(text);
        if (origin === null) {
            fill(help, text === "" ? "opens its robots.txt in another tab: copy all of it there" : "Write a domain such as example.com.");
            return;
        }
        link.href = `${origin}/robots.txt`;
        fill(link, `Open ${link.href}`);
        fill(help, link, " and copy all of it");
    }
    input.addEventListener("input", typed);
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        if (origin !== null) link.click();
    });
    byId("paste-file").addEventListener("click", () => void paste());

    async function paste(): Promise<void> {
        let text = "";
        try {
            text = await navigator.clipboard.readText();
        } catch {
            app.say("The browser does not permit it: paste with the keyboard or its menu into the file.", true);
            app.editor.view.focus();
            return;
        }
        if (text.trim() === "") app.say("Nothing is copied yet: open the robots.txt, and copy all of it.", true);
        else {
            load(text);
            app.say("Pasted.");
        }
    }
    typed();

    return {
        get home() {
            return origin === null ? [] : [`${origin}/`];
        },
        show(isShown) {
            form.hidden = !isShown;
        },
    };
}
