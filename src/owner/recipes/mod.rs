//! Adds the recipes of Google's guide "Create and submit a robots.txt file" to a file.
//!
//! A recipe becomes rules for crawlers. A crawler obeys either the groups that name it or the groups of `*`, never both (SPEC
//! 7.1). So a rule for everyone is added to each group, and a crawler that gets its first group keeps the rules that it obeyed
//! before. Then the result is parsed. The result is refused if a recipe does not have its effect for a crawler, or if verdicts
//! change for a crawler that no recipe names. The search for a difference (SPEC 12) proves that these verdicts do not change.
//!
//! - `wishes`: the meaning of recipes: rules, and the crawlers that they are for.
//! - `arguments`: the paths and names that the arguments of recipes mean.
//! - `effects`: the effects of recipes, in sentences.
//! - `home_page`: how many well-known crawlers may fetch the home page.
//! - `requests`: the table of recipes, and how requests become wishes.
//! - `file`: the groups of a file, the rules that crawlers lack, and where the rules are inserted.
//! - `warnings`: paths that stay open or closed in spite of recipes, and other effects that people do not expect.

mod arguments;
mod effects;
mod file;
mod home_page;
mod requests;
mod warnings;
mod wishes;

use std::collections::HashMap;

use super::difference::{Difference, DifferenceResult};
use super::probes::probe_urls;
use crate::base::dialect::Dialect;
use crate::core::rules::Rules;
use crate::crawler::Crawler;
use crate::crawler::preset::Preset;
use file::{FileGroups, RecipeFile};
pub use requests::{Recipe, recipes};
use warnings::{Exception, Refusals};
pub use wishes::RecipeFault;
use wishes::{Fallible, MAY_STAY, RecipeRule, RulesFor, Wish, fault, shown};

/// A file with recipes, and the effects of the recipes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedRecipes {
    /// The new file.
    pub text: Vec<u8>,
    /// The effects of the recipes, and the crawlers that they are for: sentences without a period.
    pub effects: Vec<String>,
    /// Paths that stay open or closed in spite of the recipes, and other effects that people do not expect: sentences without a
    /// period.
    pub warnings: Vec<String>,
    /// How many well-known crawlers may fetch the home page, by purpose: a sentence without a period.
    pub home_page: String,
}

/// Adds recipes to a robots.txt, which may be empty. Each line of `requests` is the name of a recipe and its arguments, split
/// by spaces, such as `folder /cart/ /search/`. In a path, `*` is any text, and a `$` at the end is the end of the URL. The
/// line `for NAME...` sets the crawlers for the lines after it, except for recipes that name their own crawlers. The default is
/// `for *`, which means every crawler. The name of an operator, such as `google`, means its crawlers ([`operator_tokens`]).
/// `comments` adds the title of each recipe as a comment.
///
/// [`operator_tokens`]: crate::operator_tokens
///
/// The lines of the file stay as they are. A rule for everyone is also added to each group that names a crawler. A crawler
/// that gets its first group keeps the rules that it obeyed before.
///
/// ```
/// let added = robots::add_recipes(b"", "only Googlebot-News\nsitemap https://example.com/s.xml", false).unwrap();
/// assert_eq!(added.effects[0], "Googlebot-News may come in, and no crawler that obeys another name");
/// assert_eq!(added.text, b"User-agent: Googlebot-News\nAllow: /\n\nUser-agent: *\nDisallow: /\n\nSitemap: https://example.com/s.xml\n");
/// ```
///
/// # Errors
/// [`RecipeFault`] in these cases: a request is not understood, or there is none; in rfc9309 or google, a rule of the file
/// prevents the effect of a recipe for a crawler; in any dialect, verdicts would change for a crawler that no recipe names.
pub fn add_recipes(
    body: &[u8],
    requests: &str,
    comments: bool,
) -> Result<AddedRecipes, RecipeFault> {
    let (wishes, sitemaps) = requests::read(requests)?;
    let mut file = RecipeFile::read(body)?;
    let mut missing = plan(&file.groups, &wishes)?;
    // The group of `*` is last, where people expect it.
    missing.sort_by_key(|change| change.names.iter().any(|name| name == "*"));
    for change in &missing {
        file.add(change, comments);
    }
    file.add_sitemaps(&sitemaps, comments);
    let text = file.text();
    let mut found = verify(body, &text, &wishes)?;
    found.extend(warnings::warnings(body, &text, &wishes)?);
    Ok(AddedRecipes {
        effects: effects::all(&wishes, &text),
        home_page: home_page::home_page(body, &text)?,
        warnings: found,
        text,
    })
}

/// Returns the rules that the file lacks.
fn plan(file: &FileGroups<'_>, wishes: &[Wish]) -> Fallible<Vec<RulesFor>> {
    let mut missing: Vec<RulesFor> = Vec::new();
    // Crawlers get the same rules if they are in the same groups and the same wishes name them.
    let mut known = HashMap::new();
    let mut place_of = HashMap::new();
    for agent in file.agents(wishes) {
        let key = class_of(file, &agent, wishes);
        let place = match key.as_ref().and_then(|key| known.get(key)) {
            Some(place) => *place,
            None => {
                let rules = file.missing(&agent, &file.wanted(&agent, wishes)?);
                let place = (!rules.is_empty()).then(|| {
                    let key: Vec<_> = rules.iter().map(RecipeRule::key).collect();
                    *place_of.entry(key).or_insert_with(|| {
                        let names = Vec::new();
                        missing.push(RulesFor { names, rules });
                        missing.len() - 1
                    })
                });
                known.extend(key.map(|key| (key, place)));
                place
            }
        };
        if let Some(change) = place.and_then(|place| missing.get_mut(place)) {
            change.names.push(agent);
        }
    }
    Ok(missing)
}

/// Returns the class of a crawler: its groups, and the wishes that name it. Returns `None` for `*` and for a crawler that gets
/// its first group, because no other crawler shares the rules of these two.
fn class_of<'f>(
    file: &'f FileGroups<'_>,
    agent: &str,
    wishes: &[Wish],
) -> Option<(&'f [usize], Vec<bool>)> {
    let groups = file.indexes(agent);
    let is_named = || wishes.iter().map(|wish| wish.names(agent)).collect();
    (!groups.is_empty() && agent != "*").then(|| (groups, is_named()))
}

/// The fault if the search does not decide whether verdicts change.
const TOO_HARD: &str = "the file is too hard to compare, so nobody knows whether crawlers keep their other verdicts: shorten it first";

/// Upper bound on the kinds of crawlers for which the search proves that no older rule decides in spite of the recipes.
const MOST_PROOFS: usize = 100;

/// Refuses the new file `text` if wishes do not have their effect for a crawler. Also refuses it if verdicts for a crawler
/// without a wish differ from the old file `body`. Returns sentences about paths that stay open or closed in spite of the
/// recipes.
fn verify(body: &[u8], text: &[u8], wishes: &[Wish]) -> Fallible<Vec<String>> {
    let mut exceptions: Vec<Exception> = Vec::new();
    let (mut proofs, mut unproved) = (0, Vec::new());
    let mut are_hidden = false;
    let mut refusals = Refusals::default();
    // Refuses a result that is too long for a robots.txt.
    RecipeFile::read(text)?;
    let written = FileGroups::read(body, Dialect::Rfc9309);
    for dialect in Dialect::ALL {
        let [before, after] = [body, text].map(|body| FileGroups::read(body, dialect));
        // For each class of crawlers: the indexes of its exceptions, and the index of the reason for its refusal, if any.
        // `classes` has the index of each class in this list.
        let mut found: Vec<(Vec<usize>, Option<usize>)> = Vec::new();
        let mut classes = HashMap::new();
        for agent in after.all_agents(wishes) {
            let token = match agent.as_str() {
                "*" => "no-file-names-this-crawler",
                token => token,
            };
            // Some names are invalid tokens in this dialect (SPEC 7.6).
            let others = Preset::find(&agent).map(|preset| preset.tokens());
            let others = others.unwrap_or_default().iter().skip(1).copied();
            let mut tokens = core::iter::once(token).chain(others);
            let crawler = Crawler::without_token().with_dialect(dialect);
            let with_tokens = |it| tokens.try_fold(it, |it: Crawler, token| it.with_token(token));
            let Ok(crawler) = crawler.and_then(with_tokens) else {
                continue;
            };
            // A wish for a name also means crawlers that read a shorter form of the name, unless the file has the shorter form.
            let is_read = |token: &String| {
                let name = crawler.agent_name(token.as_bytes());
                let is_it = name.is_some_and(|name| name.eq_ignore_ascii_case(agent.as_bytes()));
                is_it && !token.eq_ignore_ascii_case(&agent)
            };
            let mut tokens = wishes.iter().flat_map(Wish::tokens);
            if tokens.any(is_read) && !written.is_written(&agent) {
                continue;
            }
            let name = shown(&agent).to_owned();
            // One reason to refuse the file is enough for a crawler.
            if refusals.has(&name) {
                continue;
            }
            if let Some(class) = class_of(&before, &agent, wishes) {
                let class = (class, after.obeyed_by(&agent));
                let place = *classes.entry(class).or_insert(found.len());
                if let Some((known, reason)) = found.get(place) {
                    for at in known {
                        let exception = exceptions.get_mut(*at);
                        exception.into_iter().for_each(|it| it.add(&name));
                    }
                    if let Some(reason) = reason {
                        refusals.join(*reason, &name);
                    }
                    continue;
                }
            }
            found.push((Vec::new(), None));
            let texts = [&before, &after].map(|file| file.text_of(file.obeyed_by(&agent)));
            let [old, new] = texts.each_ref().map(|text| crawler.parse(text));
            let is_asked = wishes.iter().any(|wish| wish.is_for(&agent));
            let changed = if !is_asked {
                let [old_text, new_text] = &texts;
                let difference = match old_text == new_text {
                    true => continue,
                    false => old.difference(&new),
                };
                let result = difference.as_ref().map(Difference::result);
                let found = difference.as_ref().ok().and_then(|it| it.paths().next());
                match (result, found) {
                    (Ok(DifferenceResult::None), _) => continue,
                    (_, Some(found)) => found.path().as_bytes().to_vec(),
                    _ => return fault(TOO_HARD),
                }
            } else if dialect == Dialect::Koster1996 {
                continue;
            } else {
                // A well-known crawler reads files in one dialect only.
                let is_its_own = Preset::find(&agent).is_none_or(|it| it.dialect() == dialect);
                let wanted = before.wanted(&agent, wishes)?;
                let [_, new_text] = &texts;
                let mut wrong = violation(&after, &agent, &wanted, &new, &crawler);
                // A rule that is added to a group either only opens or only closes paths. A crawler that gets its first group
                // no longer obeys the `*` group, so other paths may change, too.
                if wrong.is_none() && before.is_new(&agent) {
                    wrong = opposite(&old, &new, &wanted)?;
                }
                if let Some(url) = wrong {
                    url
                } else {
                    if !is_its_own || !may_have_exceptions(&after, &agent, &wanted) {
                        continue;
                    }
                    proofs += 1;
                    let paths = match proofs <= MOST_PROOFS {
                        true => warnings::differences(&crawler, new_text, &wanted)?,
                        false => None,
                    };
                    let whole = crawler.parse(text);
                    if paths.is_none() && !unproved.contains(&name) {
                        unproved.push(name.clone());
                    }
                    for path in paths.unwrap_or_default() {
                        let verdict = whole.check(&path);
                        let is_it = |it: &Exception| {
                            it.line == verdict.line() && whole.check(&it.path) == verdict
                        };
                        let known = exceptions.iter().position(is_it);
                        let at = known.unwrap_or_else(|| {
                            exceptions.push(Exception::new(path, verdict));
                            exceptions.len() - 1
                        });
                        if let Some(exception) = exceptions.get_mut(at) {
                            exception.add(&name);
                            exception.is_of_all |= dialect != Dialect::Google;
                        }
                        if let Some((own, _)) = found.last_mut() {
                            // The line of this exception was found before, and became a comment. So another line, which is not
                            // shown, decides, too.
                            are_hidden |= own.contains(&at);
                            own.push(at);
                        }
                    }
                    continue;
                }
            };
            if refusals.is_full() {
                let reason = refusals.add_hidden(&name);
                found
                    .last_mut()
                    .into_iter()
                    .for_each(|it| it.1 = Some(reason));
                continue;
            }
            let is_open = new.is_allowed(&changed);
            let url = String::from_utf8_lossy(&changed);
            let [older, newer] = [body, text].map(|body| crawler.parse(body).check(&changed));
            let is_the_same = newer.line() > 0 && older.allowed() == newer.allowed();
            let older = warnings::line_of(body, older.line()).filter(|_| is_the_same);
            let example = match dialect {
                Dialect::Google => "for example, as Google reads the file",
                _ => "for example",
            };
            let rest = match (is_asked, older) {
                (true, Some(line)) => {
                    let may = if is_open {
                        "may still"
                    } else {
                        "still may not"
                    };
                    format!(
                        "{may} fetch {url}, {example}: {line} decides it: change that line first"
                    )
                }
                (is_asked, _) => {
                    let may = if is_open { "may" } else { "may not" };
                    let next = match is_asked {
                        true => "write the group by hand",
                        false => "the crawler needs a group of its own first",
                    };
                    format!("{may} fetch {url}, {example}, which no recipe asks for: {next}")
                }
            };
            let reason = refusals.add(&name, rest);
            found
                .last_mut()
                .into_iter()
                .for_each(|it| it.1 = Some(reason));
        }
    }
    if let Some(why) = refusals.fault() {
        return fault(why);
    }
    let mut sentences = warnings::exceptions(&exceptions, text, are_hidden);
    if let Some(name) = unproved.first() {
        sentences.push(format!(
            "older rules may decide in spite of the recipes: the file is too hard to compare for {name}"
        ));
    }
    Ok(sentences)
}

/// Returns a path whose verdict changes against the recipes: a path that opens although all recipes for the crawler close
/// paths, or a path that closes although all of them open paths.
fn opposite(old: &Rules, new: &Rules, wanted: &[RecipeRule]) -> Fallible<Option<Vec<u8>>> {
    let of_recipe = || wanted.iter().filter(|rule| rule.is_of_recipe());
    let opens = of_recipe().any(|rule| rule.allows);
    let shuts = of_recipe().any(|rule| !rule.allows);
    if opens == shuts {
        return Ok(None);
    }
    let difference = old.difference(new)?;
    if difference.result() == DifferenceResult::NotDecided {
        return fault(TOO_HARD);
    }
    let mut paths = difference.paths();
    let found = paths.find(|path| path.verdicts()[1].allowed() == shuts);
    Ok(found.map(|path| path.path().as_bytes().to_vec()))
}

fn rules_of<'f>(file: &'f FileGroups<'_>, agent: &str) -> impl Iterator<Item = &'f RecipeRule> {
    let obeyed = if file.has(agent) { agent } else { "*" };
    file.named(obeyed).flat_map(|group| &group.rules)
}

/// Returns whether a crawler obeys a rule that is not in `wanted` and does the opposite of a recipe.
fn may_have_exceptions(file: &FileGroups<'_>, agent: &str, wanted: &[RecipeRule]) -> bool {
    let wanted = || wanted.iter().filter(|other| other.is_of_recipe());
    let is_opposite = |rule: &RecipeRule| wanted().any(|other| other.allows != rule.allows);
    let is_wanted = |rule: &RecipeRule| wanted().any(|other| other.key() == rule.key());
    rules_of(file, agent).any(|rule| {
        let is_rule = rule.line.is_none() && !rule.path.is_empty();
        is_rule && is_opposite(rule) && !is_wanted(rule)
    })
}

/// Returns a URL on which the rules of a crawler do not decide as wanted.
fn violation(
    file: &FileGroups<'_>,
    agent: &str,
    wanted: &[RecipeRule],
    rules: &Rules,
    crawler: &Crawler,
) -> Option<Vec<u8>> {
    // Another wanted rule may be an exception to this rule, so `alone` has all wanted rules.
    let alone = warnings::alone(crawler, wanted);
    wanted.iter().find_map(|rule| {
        let mut urls: Vec<Vec<u8>> = match rule.is_for_the_site() {
            true => vec![b"/".to_vec()],
            false => probe_urls(&rule.path).collect(),
        };
        if rule.is_for_the_site() && !MAY_STAY.contains(&rule.title) {
            let rules = rules_of(file, agent);
            urls.extend(rules.flat_map(|rule| probe_urls(&rule.path)));
        }
        urls.sort_by_key(Vec::len);
        urls.into_iter().flat_map(readable).find(|url| {
            rules.is_allowed(url) != rule.allows
                && alone.is_allowed(url) == rule.allows
                && url != b"/robots.txt"
        })
    })
}

/// Returns the URL of a probe twice: with readable words, then unchanged.
fn readable(probe: Vec<u8>) -> [Vec<u8>; 2] {
    let text = String::from_utf8_lossy(&probe);
    let words = text.replace("7c1f3a", "page").replace("7c1", "page");
    [words.into_bytes(), probe]
}
