/** URLs that are derived from patterns of rules, to find verdicts that two files decide differently. */

/** Returns a URL for each pattern, and one that continues it. A pattern is what the engine returns: canonical. */
export function derivedUrls(patterns: readonly string[], hasWildcards: boolean, most: number): string[] {
    const urls = new Set<string>(["/", "/7c1f3a/d09e.html"]);
    for (const pattern of patterns) {
        if (urls.size >= most) break;
        const isClosed = hasWildcards && pattern.endsWith("$");
        const path = isClosed ? pattern.slice(0, -1) : pattern;
        const filled = hasWildcards ? path.replaceAll("*", "7c1") : path;
        const url = filled.startsWith("/") ? filled : `/${filled}`;
        urls.add(url);
        if (!isClosed) urls.add(`${url}7c1f3a.html`);
    }
    return [...urls];
}
