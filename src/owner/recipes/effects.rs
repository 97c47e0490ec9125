//! Describes the effects of recipes, in sentences without a period.

use super::file::FileGroups;
use super::wishes::{RecipeRule, Whom, Wish, is_among};
use crate::base::dialect::Dialect;
use crate::bytes::display::listed;
use crate::crawler::operator::operator_presets;
use crate::crawler::preset::Preset;

/// Returns the effects of wishes. `text`: the file with the recipes.
pub(super) fn all(wishes: &[Wish], text: &[u8]) -> Vec<String> {
    let file = FileGroups::read(text, Dialect::Rfc9309);
    let effects = wishes.iter().map(|wish| of(wish, wishes, &file));
    effects.flatten().collect()
}

/// Returns the effect of a wish in a file with all wishes. Returns `None` if the wish has no recipe: then the sentence of
/// another wish covers this wish.
fn of(wish: &Wish, wishes: &[Wish], file: &FileGroups<'_>) -> Option<String> {
    let Wish {
        whom, rules, named, ..
    } = wish;
    let [may, may_not] = match whom {
        Whom::Tokens(tokens) => ["may", "may not"].map(|may| format!("{} {may}", listed(tokens))),
        _ => {
            let except = match &*excepted(wish, wishes) {
                [] => String::new(),
                names => format!(" except {}", listed(names)),
            };
            [("every crawler", "may"), ("crawlers", "may not")]
                .map(|(all, may)| format!("{all}{except} {may}"))
        }
    };
    let banned: Vec<&RecipeRule> = rules.iter().filter(|rule| !rule.allows).collect();
    let allowed: Vec<&RecipeRule> = rules.iter().filter(|rule| rule.allows).collect();
    let is_out = banned.iter().any(|rule| rule.is_for_the_site());
    let ignoring = match banned.is_empty() {
        true => String::new(),
        false => ignoring(named),
    };
    Some(match wish.recipe? {
        "only" => format!(
            "{may} come in, and no crawler that obeys another name{}",
            controls(named)
        ),
        "training-out" => {
            let others = match file.has("*") {
                true => "obey the group of `*`",
                false => "may fetch everything: the file has no group of `*`",
            };
            // Source: https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers
            let answers = match whom {
                Whom::Tokens(tokens) if is_among(tokens, "Google-Extended") => {
                    "; Google-Extended keeps the pages out of the answers of Gemini, too"
                }
                _ => "",
            };
            format!(
                "{may_not} fetch anything{ignoring}; other crawlers that train models {others}{answers}"
            )
        }
        "ads-out" => {
            format!("{may_not} fetch anything; ads that lead to the site, and ads on it, may end")
        }
        "only-folder" => format!("{may} fetch {} only", urls(&allowed)),
        "keep-all-out" if !matches!(whom, Whom::Tokens(_)) => format!(
            "{may_not} fetch anything; search engines may still list addresses: a password hides a site"
        ),
        _ if is_out => format!("{may_not} fetch anything{ignoring}"),
        _ if banned.is_empty() && allowed.iter().any(|rule| rule.is_for_the_site()) => {
            format!("{may} come in")
        }
        _ if banned.is_empty() => format!("{may} fetch {}", urls(&allowed)),
        "type" => {
            let ends = trimmed(&banned, |path| path.trim_matches(['/', '*', '$']));
            let first = ends.first().map_or("", String::as_str);
            let title = first.char_indices().map(|(at, letter)| match at {
                1 => letter.to_ascii_uppercase(),
                _ => letter,
            });
            let title: String = title.collect();
            let case = match ends.contains(&title) {
                true => String::new(),
                false => format!("another case, such as {title}, and "),
            };
            format!(
                "{may_not} fetch URLs that end with {}; still open: {case}URLs with a query, such as /a{first}?v=1{ignoring}",
                listed(&ends)
            )
        }
        "parameter" => format!(
            "{may_not} fetch URLs with these parameters: {}; URLs without them stay as they are{ignoring}",
            listed(&trimmed(&banned, |path| path.trim_matches(['/', '*', '?', '&', '='])))
        ),
        _ => format!("{may_not} fetch {}{ignoring}", urls(&banned)),
    })
}

/// Returns the exceptions to a wish for everyone: the crawlers for which another wish does the opposite on the whole site.
fn excepted<'w>(wish: &Wish, wishes: &'w [Wish]) -> Vec<&'w String> {
    let allows = match wish.for_the_site() {
        Some(allows) => Some(allows),
        None => wish.rules.iter().any(|rule| rule.allows).then_some(true),
    };
    let is_opposite = |other: &&Wish| match (allows, other.for_the_site()) {
        (Some(allows), Some(other)) => allows != other,
        _ => false,
    };
    let tokens = wishes.iter().filter(is_opposite).map(|other| &other.whom);
    let tokens = tokens.filter_map(|whom| match whom {
        Whom::Tokens(tokens) => Some(tokens),
        _ => None,
    });
    tokens.flatten().collect()
}

/// Returns `part` of the path of each rule, without duplicates.
fn trimmed(rules: &[&RecipeRule], part: fn(&str) -> &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for rule in rules {
        let part = part(&String::from_utf8_lossy(&rule.path)).to_owned();
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts
}

/// Describes the URLs that rules match.
fn urls(rules: &[&RecipeRule]) -> String {
    let paths = rules.iter().map(|rule| String::from_utf8_lossy(&rule.path));
    let (patterns, starts): (Vec<_>, Vec<_>) =
        paths.partition(|path| path.contains('*') || path.ends_with('$'));
    let list = |paths: &[_], before: &str, after: &str| {
        (!paths.is_empty()).then(|| format!("{before}{}{after}", listed(paths)))
    };
    let starts = list(&starts, "URLs that start with ", "");
    let marks = match patterns.iter().any(|path| path.ends_with('$')) {
        true => " (`*`: any text, `$`: the end)",
        false => " (`*`: any text)",
    };
    let patterns = list(&patterns, "URLs such as ", marks);
    let both = starts.into_iter().chain(patterns);
    both.collect::<Vec<_>>().join(", and ")
}

/// Returns which control tokens of an operator are not let in. A control token fetches nothing: it only permits a use of pages.
fn controls(named: &[String]) -> String {
    let own = named
        .iter()
        .flat_map(|name| operator_presets(name.as_bytes()));
    let names: Vec<&str> = own
        .filter(Preset::is_control_token)
        .map(|it| it.name())
        .collect();
    let [say, stay] = match names.len() {
        0 => return String::new(),
        1 => ["says", "it stays"],
        _ => ["say", "they stay"],
    };
    let names = listed(&names);
    format!("; {names} only {say} what may be done with pages: {stay} out")
}

/// Returns which crawlers among the named ones ignore, or may ignore, a robots.txt.
fn ignoring(named: &[String]) -> String {
    let own = named
        .iter()
        .flat_map(|name| operator_presets(name.as_bytes()));
    let alone = named.iter().filter_map(Preset::find);
    let names_of = |is_it: fn(&Preset) -> bool| -> Vec<&str> {
        let all = own.clone().chain(alone.clone()).filter(is_it);
        all.map(|preset| preset.name()).collect()
    };
    let mut text = String::new();
    let names = names_of(Preset::ignores_robots_txt);
    if !names.is_empty() {
        text.push_str(&format!(
            "; no robots.txt keeps {} out, only the server does",
            listed(&names)
        ));
    }
    let names = names_of(|preset| preset.may_ignore() && !preset.ignores_robots_txt());
    if !names.is_empty() {
        text.push_str(&format!(
            "; {} may ignore that, as the operator says",
            listed(&names)
        ));
    }
    text
}
