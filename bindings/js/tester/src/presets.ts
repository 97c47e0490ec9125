/** The well-known crawlers, from tests/data/api.json. */
import type { Dialect } from "librobots";
import { sentence } from "./dom.js";
import api from "./api.json";

export interface Preset {
    readonly name: string;
    readonly tokens: readonly string[];
    readonly dialect: Dialect;
    readonly ignores_star: boolean;
    readonly purpose: string;
    readonly is_control_token: boolean;
    readonly may_ignore: boolean;
    readonly ignores_robots_txt: boolean;
    readonly documentation: string | null;
}

export const presets = api.presets as readonly Preset[];
const byName = new Map(presets.map((preset) => [preset.name.toLowerCase(), preset]));

/** The preset with a name, in any case. */
export function presetNamed(name: string): Preset | undefined {
    return byName.get(name.toLowerCase());
}

/** The purposes in order, with their titles. */
export const PURPOSES: readonly (readonly [string, string])[] = api.purposes.map((purpose) => [purpose, sentence(purpose)]);

/** Whether a crawler ignores robots.txt, as its operator says: then it has no verdict. */
export function ignoresFile(name: string): boolean {
    return presetNamed(name)?.ignores_robots_txt === true;
}

/** Whether a crawler ignores robots.txt for some requests, as its operator says: then a ban is not certain. */
export function mayIgnore(name: string): boolean {
    return presetNamed(name)?.may_ignore === true && !ignoresFile(name);
}

/** What the operator says that a verdict does not show; empty if nothing. */
export function caveat(preset: Preset): string {
    if (preset.ignores_robots_txt) return "Its operator says that it ignores robots.txt: only your server can keep it out.";
    if (preset.may_ignore) return "Its operator says that requests of users may ignore robots.txt.";
    if (preset.is_control_token) return "It fetches nothing: this name controls the use of pages that other crawlers fetch.";
    if (preset.ignores_star) return "It ignores the * group: only a group that names it counts.";
    return "";
}

/** The crawlers that owners look for first. */
const FIRST = ["googlebot", "bingbot"];

/** How early a list shows a crawler: the big search engines, all others of search and AI search, everyone else, other crawlers. */
export function placeOf(name: string): number {
    const purpose = presetNamed(name)?.purpose.toLowerCase();
    if (FIRST.includes(name.toLowerCase())) return FIRST.indexOf(name.toLowerCase());
    if (purpose === "search") return 2;
    if (purpose === "ai search") return 3;
    return name === "*" ? 4 : 5;
}

/** Whether a list never folds a crawler away. */
export const isMain = (name: string): boolean => placeOf(name) < 5;

/** Whether a change for a crawler concerns few owners: it finds no visitors, answers no questions and trains no models. */
export function isMinor(name: string): boolean {
    const purpose = presetNamed(name)?.purpose.toLowerCase();
    return !isMain(name) && (purpose === undefined || ["archive", "seo", "other"].includes(purpose));
}

/** The names of a list that shows `most`, the main crawlers first, and the number of the others. */
export function folded(names: readonly string[], most: number): { shown: readonly string[]; more: number } {
    const sorted = [...names].sort((one, two) => placeOf(one) - placeOf(two));
    // One name is as short as the number of the others.
    const shown = sorted.length <= most + 1 ? sorted : sorted.slice(0, Math.max(most, sorted.filter(isMain).length));
    return { shown, more: sorted.length - shown.length };
}

/** The words for the dialects. */
export const DIALECTS: Readonly<Record<Dialect, string>> = { rfc9309: "the standard (RFC 9309)", google: "Google", koster1996: "the draft of 1996" };

/** How a file is read in a dialect, after a verb. */
export const READS: Readonly<Record<Dialect, string>> = {
    rfc9309: "as the standard, RFC 9309, says",
    google: "as Google's parser does",
    koster1996: "as the draft of 1996 says: * in a path is no wildcard, and the first rule that matches decides",
};
