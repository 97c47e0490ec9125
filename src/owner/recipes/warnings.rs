//! Warns about paths that stay open or closed in spite of recipes, and about other effects that people do not expect, in
//! sentences without a period.

use std::collections::HashSet;

use super::file::FileGroups;
use super::wishes::{Fallible, ONLY_FOLDER, RecipeRule, Whom, Wish};
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::verdict::Verdict;
use crate::bytes::display::{MOST_NAMES, listed};
use crate::core::parse::reader::Reader;
use crate::core::rules::Rules;
use crate::crawler::Crawler;
use crate::crawler::preset::{Preset, Purpose};
use crate::owner::difference::DifferenceResult;
use crate::owner::names;

/// Returns warnings about effects of a file with recipes that people do not expect.
pub(super) fn warnings(body: &[u8], text: &[u8], wishes: &[Wish]) -> Fallible<Vec<String>> {
    let file = FileGroups::read(text, Dialect::Rfc9309);
    let groups = names::group_names(body);
    let tokens = wishes.iter().flat_map(Wish::tokens);
    let advice = tokens.filter_map(|name| names::name_advice(name, &groups, ""));
    let mut warnings: Vec<String> = advice.map(|advice| advice.text).collect();
    for wish in wishes {
        let name = match &wish.whom {
            Whom::Tokens(tokens) => tokens.first().map_or("*", String::as_str),
            _ => "Googlebot",
        };
        let crawler = Crawler::preset(name).or_else(|_| Crawler::new(name));
        let Ok(crawler) = crawler else { continue };
        let [old, new] = [body, text].map(|body| crawler.parse(body));
        if let Some(path) = wish.bare.iter().find(|path| new.is_allowed(path)) {
            warnings.push(format!(
                "{path} itself stays open, and {path}?q=1: the recipe file {path} shuts these, too"
            ));
        }
        warnings.extend(overruled(body, wish, wishes, name, &crawler)?);
        let is_only = wish.rules.iter().any(|rule| rule.title == ONLY_FOLDER);
        let is_search = Preset::find(name).is_some_and(|it| it.purpose() == Purpose::Search);
        // People who close a page or a folder, or close pages for a search engine by name, often want to remove the pages from
        // search results.
        let is_about_results = match wish.recipe {
            Some("file") => !wish.rules.iter().any(|rule| rule.path.contains(&b'*')),
            Some("folder") => true,
            Some("type" | "keep-all-out") => matches!(wish.whom, Whom::Tokens(_)),
            _ => false,
        };
        if is_search && is_about_results && name != "Googlebot-Image" {
            warnings.push("search engines may still list the address, without the text of the page: to keep it out of results, allow the page and give it a noindex".to_owned());
        }
        let is_shut = |url: &&&str| is_search && old.is_allowed(url) && !new.is_allowed(url);
        let shut = ASSETS.iter().find(is_shut);
        let advice = if is_only {
            "; the recipe allow /*.css /*.js opens them"
        } else {
            ""
        };
        warnings.extend(shut.filter(|_| is_only || new.is_allowed("/")).map(|url| {
            format!("style sheets and scripts, such as {url}, are shut: search engines see the pages without them{advice}")
        }));
    }
    warnings.extend(without_search(wishes));
    warnings.extend(still_in(wishes, &file));
    warnings.extend(still_out(wishes, &file));
    warnings.extend(followers(wishes, &file));
    let mut seen = HashSet::new();
    warnings.retain(|warning| seen.insert(warning.clone()));
    Ok(warnings)
}

/// Returns a warning if the recipe `only` names no crawler of a search engine.
fn without_search(wishes: &[Wish]) -> Option<String> {
    let is_search = |name: &String| {
        let preset = Preset::find(name);
        preset.is_some_and(|it| it.purpose() == Purpose::Search)
    };
    let mut only = wishes.iter().filter(|it| it.recipe == Some("only"));
    let names = only.find_map(|wish| match &wish.whom {
        Whom::Tokens(names) => Some(names),
        _ => None,
    })?;
    (!names.iter().any(is_search)).then(|| {
        "no search engine comes in: add a name such as Googlebot, if one should".to_owned()
    })
}

/// Example paths of files that search engines need, so that they see a page as people do.
const ASSETS: [&str; 4] = [
    "/style.css",
    "/style.css?v=1",
    "/script.js",
    "/script.js?v=1",
];

/// Returns a warning if a longer path of another recipe closes a path that the recipe `allow` names.
fn overruled(
    body: &[u8],
    wish: &Wish,
    wishes: &[Wish],
    name: &str,
    crawler: &Crawler,
) -> Fallible<Option<String>> {
    if wish.recipe != Some("allow") {
        return Ok(None);
    }
    let agent = match wish.whom {
        Whom::Tokens(_) => name,
        _ => "*",
    };
    let wanted = FileGroups::read(body, Dialect::Rfc9309).wanted(agent, wishes)?;
    // A closed folder within the allowed path is a deliberate exception.
    let start = |rule: &RecipeRule| {
        let marks = rule
            .path
            .iter()
            .position(|byte| matches!(byte, b'*' | b'$'));
        rule.path
            .get(..marks.unwrap_or(rule.path.len()))
            .unwrap_or_default()
            .to_vec()
    };
    let is_within = |ban: &RecipeRule| {
        let mut all = wish.rules.iter().map(start);
        !ban.allows && all.any(|start| start.len() > 1 && ban.path.starts_with(&start))
    };
    let (allows, bans): (Vec<_>, Vec<_>) = wanted
        .into_iter()
        .filter(|rule| rule.is_of_recipe() && !is_within(rule))
        .partition(|rule| rule.allows);
    let (mut example, mut longer) = (None, Vec::new());
    for ban in bans {
        let path = String::from_utf8_lossy(&ban.path).into_owned();
        let rules = [&[ban], &*allows].concat();
        let text = [&b"User-agent: *\n"[..], &lines_of(&rules, 0)].concat();
        let found = differences(&crawler.clone().with_ignore_star(false), &text, &wish.rules)?;
        if let Some(url) = found.into_iter().flatten().next() {
            example = example.or(Some(url));
            longer.push(path);
        }
    }
    Ok(example.map(|url| {
        let [of, end] = match longer.len() {
            1 => ["recipe", "is"],
            _ => ["recipes", "are"],
        };
        let longer: Vec<&str> = longer.iter().map(String::as_str).collect();
        format!(
            "{url} stays shut: the {of} for {} {end} longer",
            listed(&longer)
        )
    }))
}

/// Returns a warning about crawlers that a ban of everyone does not reach, because they obey only groups that name them (SPEC
/// 7.5).
fn still_in(wishes: &[Wish], file: &FileGroups<'_>) -> Option<String> {
    let is_ban = |wish: &Wish| {
        let is_for_all = matches!(wish.whom, Whom::AllBut(_));
        is_for_all && wish.rules.iter().any(|rule| !rule.allows)
    };
    let is_open = |preset: &Preset| {
        preset.ignores_star() && !preset.ignores_robots_txt() && !file.has(preset.name())
    };
    let open = Preset::all().filter(is_open);
    let open: Vec<&str> = open.map(|preset| preset.name()).collect();
    (wishes.iter().any(is_ban) && !open.is_empty()).then(|| {
        format!(
            "still open for {}, which ignore rules that do not name them: the recipe ads-out keeps them out",
            listed(&open)
        )
    })
}

/// Returns a warning about crawlers that stay out of the whole site although a recipe opens a part of it for everyone.
fn still_out(wishes: &[Wish], file: &FileGroups<'_>) -> Option<String> {
    let opens = |wish: &Wish| {
        let is_for_all = matches!(wish.whom, Whom::AllBut(_));
        is_for_all
            && wish
                .rules
                .iter()
                .any(|rule| rule.allows && !rule.is_for_the_site())
    };
    let is_out =
        |agent: &String| file.is_banned(agent) && !wishes.iter().any(|wish| wish.names(agent));
    let mut out = file.agents(wishes);
    out.retain(|agent| agent != "*" && is_out(agent));
    if out.is_empty() || !wishes.iter().any(opens) {
        return None;
    }
    // A hostile file has tens of thousands of names.
    let named: Vec<&str> = out.iter().take(MOST_NAMES).map(String::as_str).collect();
    let [stay, it] = match out.len() {
        1 => ["stays", "it"],
        _ => ["stay", "them"],
    };
    Some(format!(
        "{} {stay} out of the whole site: the same recipe for {} lets {it} in",
        listed(&out),
        named.join(", ")
    ))
}

/// A path that an older rule of the file decides in spite of the recipes.
pub(super) struct Exception {
    pub(super) path: String,
    pub(super) allowed: bool,
    /// The line that decides, in the new file.
    pub(super) line: u32,
    pub(super) names: Vec<String>,
    /// Whether the exception also exists in a dialect other than google.
    pub(super) is_of_all: bool,
}

impl Exception {
    pub(super) fn new(path: String, verdict: Verdict) -> Exception {
        Exception {
            path,
            allowed: verdict.allowed(),
            line: verdict.line(),
            names: Vec::new(),
            is_of_all: false,
        }
    }

    pub(super) fn add(&mut self, name: &str) {
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
    }
}

const MOST_EXCEPTIONS: usize = 3;

/// Upper bound on the searches for exceptions. A search may find a path that is no exception, because the whole file decides it
/// as the recipes do.
const MOST_ROUNDS: usize = 16;

/// Returns sentences about exceptions. `has_more`: whether further lines decide in spite of the recipes.
pub(super) fn exceptions(all: &[Exception], text: &[u8], has_more: bool) -> Vec<String> {
    let sentence = |of: &Exception| {
        let state = if of.allowed { "open" } else { "shut" };
        let google = match of.is_of_all || of.names.iter().all(|name| is_of_google(name)) {
            true => "",
            false => ", as Google reads the path",
        };
        let line = line_of(text, of.line).unwrap_or_default();
        let names = listed(&of.names);
        format!(
            "{} stays {state} for {names}{google}: {line} decides it",
            of.path
        )
    };
    let mut sentences: Vec<String> = all.iter().take(MOST_EXCEPTIONS).map(sentence).collect();
    if has_more || all.len() > MOST_EXCEPTIONS {
        sentences.push("more older rules decide in spite of the recipes".to_owned());
    }
    sentences
}

const MOST_REFUSALS: usize = 3;

/// Reasons to refuse a file, each with the crawlers that it is about.
#[derive(Default)]
pub(super) struct Refusals {
    shown: Vec<(String, Vec<String>)>,
    /// Number of kinds of crawlers whose reason is not shown.
    more: usize,
    names: HashSet<String>,
}

impl Refusals {
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    pub(super) fn is_full(&self) -> bool {
        self.shown.len() >= MOST_REFUSALS
    }

    /// Adds a reason, with the name of one crawler. Returns the index of the reason.
    pub(super) fn add(&mut self, name: &str, why: String) -> usize {
        let known = self.shown.iter().position(|(other, _)| *other == why);
        let place = known.unwrap_or(self.shown.len());
        if known.is_none() {
            self.shown.push((why, Vec::new()));
        }
        self.join(place, name);
        place
    }

    /// Counts a kind of crawlers whose reason is not shown. Returns an index that no reason has.
    pub(super) fn add_hidden(&mut self, name: &str) -> usize {
        self.more += 1;
        self.names.insert(name.to_owned());
        usize::MAX
    }

    /// Adds a crawler to the reason at `place`.
    pub(super) fn join(&mut self, place: usize, name: &str) {
        if let Some((_, names)) = self.shown.get_mut(place) {
            names.push(name.to_owned());
        }
        self.names.insert(name.to_owned());
    }

    /// Returns the fault; `None` if nothing is refused.
    pub(super) fn fault(&self) -> Option<String> {
        let shown = self.shown.iter();
        let shown = shown.map(|(why, names)| format!("{} {why}", listed(names)));
        let more = (self.more > 0).then(|| format!("and {} more", self.more));
        let all = shown.chain(more).collect::<Vec<_>>();
        (!all.is_empty()).then(|| all.join("; "))
    }
}

fn is_of_google(name: &str) -> bool {
    Preset::find(name).is_some_and(|preset| preset.dialect() == Dialect::Google)
}

/// Returns the number and the text of a line, for use in a sentence.
pub(super) fn line_of(text: &[u8], number: u32) -> Option<String> {
    let line = Reader::whole(text, Dialect::Google).find(|line| line.number == number)?;
    let rule = String::from_utf8_lossy(line.whole.trim_ascii()).into_owned();
    Some(format!("line {number}, `{rule}`,"))
}

/// Returns the rules of a file that has only the `wanted` rules.
pub(super) fn alone(crawler: &Crawler, wanted: &[RecipeRule]) -> Rules {
    crawler.parse([&b"User-agent: *\n"[..], &lines_of(wanted, 0)].concat())
}

/// Returns the rules as lines. Each path gets `stars` more `*`, and matches the same URLs. With `stars` above 0, leaves out a
/// path such as `/a$`, because a `*` would change its meaning.
fn lines_of(rules: &[RecipeRule], stars: usize) -> Vec<u8> {
    let mut text = Vec::new();
    let stars = vec![b'*'; stars];
    for rule in rules.iter().filter(|rule| rule.line.is_none()) {
        let anchored = rule.path.ends_with(b"$");
        let at = match memchr::memchr(b'*', &rule.path) {
            Some(at) => at,
            None if anchored && !stars.is_empty() => continue,
            None => rule.path.len(),
        };
        let (start, rest) = rule.path.split_at(at);
        let field: &[u8] = if rule.allows {
            b"Allow: "
        } else {
            b"Disallow: "
        };
        text.extend_from_slice(&[field, start, &stars, rest, b"\n"].concat());
    }
    text
}

/// Returns paths on which a crawler gets another verdict than from the recipes alone: one path for each line that decides
/// instead, up to a limit. `text` has the groups that the crawler obeys. `None` if the rules are too hard to compare.
///
/// The search compares the file with a copy that also has the rules of the recipes with the highest priority. File and copy
/// differ only on the wanted paths. To raise the priority of a rule, its path gets many more `*`. The path then matches the
/// same URLs, but is longer (SPEC 8.7). A line that was found becomes a comment, so that the next search finds another line.
pub(super) fn differences(
    crawler: &Crawler,
    text: &[u8],
    wanted: &[RecipeRule],
) -> Result<Option<Vec<String>>, Error> {
    let is_promise = |rule: &&RecipeRule| rule.is_of_recipe();
    let promise: Vec<RecipeRule> = wanted.iter().filter(is_promise).cloned().collect();
    let lines = text.split(|byte| matches!(byte, b'\n' | b'\r'));
    let longest = lines.map(<[u8]>::len).max().unwrap_or(0);
    // The canonical form has at most three bytes for each byte (SPEC 8.6).
    let above = lines_of(&promise, longest.saturating_mul(3));
    let alone = alone(crawler, &promise);
    // A path such as `/a$` cannot get a higher priority, because no longer path is equivalent. So the search leaves out its
    // URLs.
    let is_exact = |rule: &RecipeRule| rule.path.ends_with(b"$") && !rule.path.contains(&b'*');
    let exact = promise.iter().filter(|rule| is_exact(rule));
    let exact = exact.map(|rule| [b"Disallow: ", &*rule.path, b"\n"].concat());
    let exact = [&b"User-agent: *\n"[..], &exact.collect::<Vec<_>>().concat()].concat();
    let exact = crawler.clone().with_ignore_star(false).parse(exact);
    let whole = crawler.parse(text);
    let (mut text, mut all) = (text.to_vec(), Vec::new());
    let mut rounds = 0..MOST_ROUNDS;
    while !above.is_empty() && all.len() <= MOST_EXCEPTIONS {
        if rounds.next().is_none() {
            return Ok(None);
        }
        let rules = crawler.parse(&text);
        let strict = crawler.parse([&*text, b"\n", &above].concat());
        let found = rules.difference_outside(&strict, &exact)?;
        let mut paths = found.paths().map(|it| it.path());
        let is_other = |path: &&str| alone.is_allowed(path) != rules.is_allowed(path);
        let Some(path) = paths.find(is_other) else {
            let is_decided = found.result() != DifferenceResult::NotDecided;
            return Ok(is_decided.then_some(all));
        };
        // In the whole file, a line that the search made a comment may decide this path as the recipes do.
        if whole.is_allowed(path) != alone.is_allowed(path) {
            all.push(path.to_owned());
        }
        let line = rules.check(path).line();
        let line = Reader::whole(&text, Dialect::Google).find(|it| it.number == line);
        let start = line.map(|it| it.whole.as_ptr().addr() - text.as_ptr().addr());
        match start {
            Some(start) => text.insert(start, b'#'),
            None => break,
        }
    }
    Ok(Some(all))
}

/// Returns a warning about other crawlers that obey a group of the recipes because no group names these crawlers.
fn followers(wishes: &[Wish], file: &FileGroups<'_>) -> Option<String> {
    let tokens = wishes.iter().filter_map(|wish| match &wish.whom {
        Whom::Tokens(tokens) => Some(tokens),
        _ => None,
    });
    let tokens: Vec<&String> = tokens.flatten().collect();
    let is_named = |name: &str| tokens.iter().any(|token| token.eq_ignore_ascii_case(name));
    let leader = |preset: &Preset| preset.tokens().get(1).copied().filter(|it| is_named(it));
    let is_follower =
        |it: &Preset| leader(it).is_some() && !is_named(it.name()) && !file.has(it.name());
    let mut found: Vec<Preset> = Preset::all().filter(is_follower).collect();
    // Crawlers of other operators come first, because people do not expect that these crawlers obey the group.
    found.sort_by_key(|preset| {
        let leader = leader(preset).and_then(Preset::find);
        leader.and_then(|leader| leader.documentation()) == preset.documentation()
    });
    let first = leader(found.first()?)?;
    let same = || found.iter().filter(|preset| leader(preset) == Some(first));
    let searching = same().filter(|preset| preset.purpose() == Purpose::Search);
    let searching: Vec<&str> = searching.map(Preset::name).collect();
    let is_ban = |wish: &Wish| wish.for_the_site() == Some(false) && wish.is_for(first);
    if wishes.iter().any(is_ban) && !searching.is_empty() {
        return Some(format!(
            "other crawlers of search obey the rules for {first}, and stay out, too: {}",
            listed(&searching)
        ));
    }
    let names: Vec<&str> = same().map(Preset::name).collect();
    Some(format!(
        "the rules for {first} also govern {}",
        listed(&names)
    ))
}
