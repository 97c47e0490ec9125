/** A text that is neither an absolute URL nor a path, and what its writer meant. */

/** Ends of file names that look like the top-level domain of a site. */
const FILE = /\.(?:html?|php\d?|aspx?|jsp|cgi|pdf|css|js|json|xml|txt|svg|png|jpe?g|gif|webp|ico|zip)$/i;

/** Returns a URL for `tea.example/cart/`, a path for `cart`, and null for a text such as `mailto:x`. */
export function suggestion(text: string): string | null {
    if (/^\/|^[a-z][a-z0-9+.-]*:(?!\d)|^https?\W/i.test(text)) return null;
    const site = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?::\d+)?(?=[/?#]|$)/i.exec(text)?.[0];
    if (site === undefined || FILE.test(site)) return `/${text}`;
    return `https://${text}${site === text ? "/" : ""}`;
}
