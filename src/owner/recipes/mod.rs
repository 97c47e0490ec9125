//! The recipes of Google's guide "Create and submit a robots.txt file", and how they are added to a file.
//!
//! A recipe becomes rules for crawlers. A crawler obeys the groups that name it or else those of `*`, never both (SPEC
//! 7.1). So a rule for everyone is added to each group, and a crawler that gets its first group keeps the rules that it
//! obeyed before. Then the result is parsed, and refused if a crawler does not get what a recipe means.
//!
//! - `requests`: the table of recipes, and what requests mean: rules, and the crawlers that they are for.
//! - `file`: the groups of a file, the rules that crawlers lack, and where the rules are inserted.

mod file;
mod requests;

use std::collections::{HashMap, HashSet};

use super::probes::probe_urls;
use crate::base::dialect::Dialect;
use crate::core::rules::Rules;
use crate::crawler::Crawler;
use file::{FileGroups, RecipeFile};
use requests::{Fallible, RecipeRule, RulesFor, Wish, fault, shown};
pub use requests::{Recipe, RecipeFault, recipes};

/// Adds recipes to a robots.txt, which may be empty. Each line of `requests` is the name of a recipe and its arguments,
/// split by spaces, such as `folder /cart/ /search/`. The line `for TOKEN...` names the crawlers of the `folder`, `file`,
/// `type`, `only-folder` and `allow` lines after it; `for *` is everyone, the default. `comments` adds the title of each
/// recipe as a comment.
///
/// The lines of the file stay as they are. A rule for everyone is also added to each group that names a crawler. A crawler
/// that gets its first group keeps the rules that it obeyed before.
///
/// ```
/// let file = robots::add_recipes(b"", "only Googlebot-News\nsitemap https://example.com/s.xml", false).unwrap();
/// assert_eq!(file, b"User-agent: Googlebot-News\nAllow: /\n\nUser-agent: *\nDisallow: /\n\nSitemap: https://example.com/s.xml\n");
/// ```
///
/// # Errors
/// [`RecipeFault`] if a request is not understood, or if there is none. Also if, because of a rule of the file, a crawler of
/// the dialect rfc9309 or google would not get what a recipe means.
pub fn add_recipes(body: &[u8], requests: &str, comments: bool) -> Result<Vec<u8>, RecipeFault> {
    let (wishes, sitemaps) = requests::read(requests)?;
    let mut file = RecipeFile::read(body)?;
    let (wanted, mut missing) = plan(&file.groups, &wishes)?;
    // `*` is last, as people expect it.
    missing.sort_by_key(|change| change.names.iter().any(|name| name == "*"));
    for change in &missing {
        file.add(change, comments);
    }
    file.add_sitemaps(&sitemaps, comments);
    let text = file.text();
    verify(&text, &wanted)?;
    Ok(text)
}

/// Returns what the wishes mean for each crawler, and what the file lacks of it.
fn plan(file: &FileGroups<'_>, wishes: &[Wish]) -> Fallible<(Vec<RulesFor>, Vec<RulesFor>)> {
    let (mut wanted, mut missing) = (Vec::new(), Vec::new());
    // Crawlers in the same groups, which the same wishes name, get the same rules.
    let mut known = HashMap::new();
    let mut place_of = HashMap::new();
    for agent in file.agents(wishes) {
        let groups = file.indexes(&agent);
        let is_named: Vec<bool> = wishes.iter().map(|wish| wish.names(&agent)).collect();
        // The rules of `*`, and those of a crawler that gets its first group, are not those of others.
        let is_alone = groups.is_empty() || agent == "*";
        let key = (!is_alone).then_some((groups, is_named));
        let places = match key.as_ref().and_then(|key| known.get(key)) {
            Some(places) => *places,
            None => {
                let rules = file.wanted(&agent, wishes)?;
                let lacking = file.missing(&agent, &rules);
                let change = (!lacking.is_empty()).then(|| {
                    let key: Vec<_> = lacking.iter().map(RecipeRule::key).collect();
                    let place = place_of.entry(key);
                    *place.or_insert_with(|| add(&mut missing, lacking))
                });
                let places = (add(&mut wanted, rules), change);
                known.extend(key.map(|key| (key, places)));
                places
            }
        };
        let (of_wanted, of_missing) = places;
        if let Some(change) = of_missing.and_then(|place| missing.get_mut(place)) {
            change.names.push(agent.clone());
        }
        if let Some(class) = wanted.get_mut(of_wanted) {
            class.names.push(agent);
        }
    }
    Ok((wanted, missing))
}

/// Adds rules without crawlers to a list, and returns their index.
fn add(list: &mut Vec<RulesFor>, rules: Vec<RecipeRule>) -> usize {
    let names = Vec::new();
    list.push(RulesFor { names, rules });
    list.len() - 1
}

/// Refuses a file in which a crawler does not get the rules that are wanted for it. Crawlers that obey the same groups are
/// checked once.
fn verify(text: &[u8], all: &[RulesFor]) -> Fallible<()> {
    let file = RecipeFile::read(text)?.groups;
    for dialect in [Dialect::Rfc9309, Dialect::Google] {
        let groups = FileGroups::read(text, dialect);
        for class in all.iter().filter(|class| !class.rules.is_empty()) {
            let mut seen: HashSet<&[usize]> = HashSet::new();
            for agent in &class.names {
                let token = match agent.as_str() {
                    "*" => "no-file-names-this-crawler",
                    token => token,
                };
                // Google reads no digit or dot in a name (SPEC 7.3).
                let crawler = Crawler::new(token).and_then(|it| it.with_dialect(dialect));
                let Ok(crawler) = crawler else {
                    continue;
                };
                let obeyed = groups.obeyed_by(agent);
                if !seen.insert(obeyed) {
                    continue;
                }
                let rules = crawler.parse(groups.text_of(obeyed));
                let Some(url) = violation(&file, agent, &class.rules, &rules) else {
                    continue;
                };
                let not = if rules.is_allowed(&url) { "" } else { " not" };
                let line = crawler.parse(text).check(&url).line();
                let (whom, url) = (shown(agent), String::from_utf8_lossy(&url));
                return fault(format!(
                    "{whom} may{not} fetch {url} then, because of line {line} of the result: change that line first"
                ));
            }
        }
    }
    Ok(())
}

/// Returns a URL on which the rules of a crawler do not decide as wanted.
fn violation(
    file: &FileGroups<'_>,
    agent: &str,
    wanted: &[RecipeRule],
    rules: &Rules,
) -> Option<Vec<u8>> {
    wanted.iter().find_map(|rule| {
        let mut urls: Vec<Vec<u8>> = Vec::new();
        if !rule.is_for_the_site() {
            urls.extend(probe_urls(rule.path.as_bytes()));
        } else if wanted.len() == 1 {
            let obeyed = if file.has(agent) { agent } else { "*" };
            let rules = file.named(obeyed).flat_map(|group| &group.rules);
            urls.extend(rules.flat_map(|rule| probe_urls(rule.path.as_bytes())));
        }
        urls.into_iter().find(|url| {
            // Another rule that is wanted may be an exception.
            let is_exception = |other: &RecipeRule| {
                let covers = other.path.len() >= rule.path.len();
                other.allows != rule.allows && covers && url.starts_with(other.path.as_bytes())
            };
            rules.is_allowed(url) != rule.allows
                && url != b"/robots.txt"
                && !wanted.iter().any(is_exception)
        })
    })
}
