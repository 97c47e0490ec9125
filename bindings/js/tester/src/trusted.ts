/** The only ways from a text to a script or to HTML, which the Content-Security-Policy enforces. */
interface Policy {
    createScriptURL(url: string): string;
    createHTML(text: string): string;
}
declare const trustedTypes: { createPolicy(name: string, rules: Policy): Policy } | undefined;

const rules: Policy = {
    createScriptURL(url) {
        if (!["worker.js", "audit.js", "sw.js"].includes(url)) throw new TypeError(`not a script of this page: ${url}`);
        return url;
    },
    // For DOMParser alone: its documents run no script and load nothing.
    createHTML: (text) => text,
};
export const trusted: Policy = typeof trustedTypes === "undefined" ? rules : trustedTypes.createPolicy("librobots", rules);
