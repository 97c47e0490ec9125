//! The recipes of Google's guide "Create and submit a robots.txt file", and how they are added to a file.
//!
//! A recipe becomes rules for crawlers. A crawler obeys the groups that name it or else those of `*`, never both (SPEC
//! 7.1). So a rule for everyone is added to each group, and a crawler that gets its first group keeps the rules that it
//! obeyed before. Then the result is parsed, and refused if a crawler does not get what a recipe means.

use core::fmt::{self, Write as _};
use core::hash::{Hash, Hasher};
use std::collections::{HashMap, HashSet};

use super::lint::{LineKind, LineMeaning, lint};
use super::probes::probe_urls;
use crate::base::dialect::Dialect;
use crate::core::parse::begins_compressed;
use crate::core::parse::directive::Field;
use crate::core::parse::reader::Reader;
use crate::core::rules::Rules;
use crate::crawler::Crawler;
use crate::crawler::preset::{Preset, Purpose};
use crate::page::is_policy_token;
use crate::url::origin::Origin;

/// A recipe for a robots.txt.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Its name, such as "folder".
    pub name: &'static str,
    /// What follows the name, such as "/PATH/..."; empty for nothing.
    pub arguments: &'static str,
    /// What it does: a sentence, which is also the comment in the file.
    pub title: &'static str,
    /// Its section in Google's guide; empty for none.
    pub section: &'static str,
    target: RecipeTarget,
    effect: Effect,
}

/// For which crawlers a recipe is.
#[derive(Clone, Copy, Debug)]
enum RecipeTarget {
    Everyone,
    /// Those of the line `for` above it.
    Chosen,
    /// Its arguments; then everyone else gets the opposite.
    Arguments,
    Images,
    Presets(fn(&Preset) -> bool),
}

/// Returns the path of a rule from an argument.
type MakePath = fn(&str) -> Result<String, RecipeFault>;

/// The rules of a recipe.
#[derive(Clone, Copy, Debug)]
enum Effect {
    /// One for the whole site: does it allow?
    Site(bool),
    /// One for each argument: does it allow?
    Each(bool, MakePath),
    /// None of the site, except each argument.
    Only(MakePath),
    /// None: the arguments are URLs of sitemaps.
    Sitemaps,
}

use Effect::{Each, Only, Site, Sitemaps};
use RecipeTarget::{Arguments, Chosen, Everyone, Images, Presets};

macro_rules! recipes {
    ($($name:literal $arguments:literal $title:tt $section:literal $target:expr => $effect:expr;)*) => {
        &[$(Recipe {
            name: $name, arguments: $arguments, title: $title, section: $section, target: $target, effect: $effect,
        }),*]
    };
}

/// The title of the recipe `only-folder`.
const ONLY_FOLDER: &str = "Crawlers may fetch these folders only.";

/// The recipes. The sections are the rows of "Useful robots.txt rules".
#[rustfmt::skip]
const RECIPES: &[Recipe] = recipes! {
    "keep-all-out" "" "No crawler may fetch anything." "Disallow crawling of the entire site" Everyone => Site(false);
    "let-all-in" "" "Every crawler may fetch everything." "Create rules in the robots.txt file" Everyone => Site(true);
    "folder" "/PATH/..." "Crawlers stay out of these folders." "Disallow crawling of a directory and its contents" Chosen => Each(false, folder_of);
    "file" "/PATH..." "Crawlers do not fetch these pages." "Disallow crawling of a single web page" Chosen => Each(false, path_of);
    "type" "EXTENSION..." "Crawlers do not fetch files of these types." "Disallow crawling of files of a specific file type" Chosen => Each(false, type_of);
    "only-folder" "/PATH/..." ONLY_FOLDER "Disallow crawling of the whole site except a subdirectory" Chosen => Only(folder_of);
    "allow" "/PATH..." "Crawlers may fetch these paths in a folder that they stay out of." "" Chosen => Each(true, path_of);
    "image" "/PATH..." "These images do not appear in Google Images." "Block a specific image from Google Images" Images => Each(false, path_of);
    "images" "" "No image appears in Google Images." "Block all images on your site from Google Images" Images => Site(false);
    "all-but" "TOKEN..." "These crawlers stay out." "Allow access to all but a single crawler" Arguments => Site(false);
    "only" "TOKEN..." "Only these crawlers may come in." "Allow access to a single crawler" Arguments => Site(true);
    "ads-out" "" "The crawlers that check advertisements stay out." "Disallow crawling of the entire site" Presets(is_ads_bot) => Site(false);
    "training-out" "" "Pages are not used to train models." "" Presets(trains) => Site(false);
    "sitemap" "URL..." "These files list the pages of the site." "Sitemap" Everyone => Sitemaps;
};

fn is_ads_bot(preset: &Preset) -> bool {
    preset.ignores_star() && preset.name().starts_with("AdsBot")
}

fn trains(preset: &Preset) -> bool {
    preset.purpose() == Purpose::Training
}

/// Returns the recipes that [`add_recipes`] knows.
pub fn recipes() -> impl ExactSizeIterator<Item = Recipe> {
    RECIPES.iter().copied()
}

/// Why recipes are not added to a file: a sentence, with what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipeFault(String);

impl fmt::Display for RecipeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for RecipeFault {}

/// The crawlers that a wish is for.
#[derive(Clone)]
enum Whom {
    /// Everyone but these, in each group that the file has.
    AllBut(Vec<String>),
    /// Those that no group names, if the file has no group of `*`.
    Star,
    Tokens(Vec<String>),
}

/// A rule, and the title of its recipe.
#[derive(Clone, Eq)]
struct RecipeRule {
    allows: bool,
    path: String,
    title: &'static str,
}

impl RecipeRule {
    fn key(&self) -> (bool, &str) {
        (self.allows, &self.path)
    }
}

impl PartialEq for RecipeRule {
    fn eq(&self, other: &RecipeRule) -> bool {
        self.key() == other.key()
    }
}

impl Hash for RecipeRule {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl RecipeRule {
    fn is_for_the_site(&self) -> bool {
        self.path == "/"
    }
}

/// What a recipe means.
struct Wish {
    whom: Whom,
    rules: Vec<RecipeRule>,
}

impl Wish {
    /// Whether its list of crawlers, for or except whom it is, has this one.
    fn names(&self, agent: &str) -> bool {
        match &self.whom {
            Whom::AllBut(tokens) | Whom::Tokens(tokens) => is_among(tokens, agent),
            Whom::Star => false,
        }
    }
}

/// Crawlers for which the same is wanted.
struct WishClass {
    names: Vec<String>,
    wanted: Vec<RecipeRule>,
    /// The index of the change that adds what they lack.
    change: Option<usize>,
}

/// Adds recipes to a robots.txt, which may be empty. `requests` has a recipe on each line: its name and arguments, split by
/// spaces, such as `folder /cart/ /search/`. The line `for TOKEN...` says for which crawlers the `folder`, `file`, `type`,
/// `only-folder` and `allow` lines after it are; `for *` is everyone, the default. `comments` adds the title of each recipe as a comment.
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
/// [`RecipeFault`] if a request is not understood, there is none, or a crawler that reads the result in the dialect rfc9309 or
/// google would not get what a recipe means, because of a rule of the file.
pub fn add_recipes(body: &[u8], requests: &str, comments: bool) -> Result<Vec<u8>, RecipeFault> {
    let (wishes, sitemaps) = read(requests)?;
    let mut file = RecipeFile::read(body)?;
    // Crawlers in the same groups, which the same wishes name, get the same rules.
    let mut places: HashMap<(Vec<usize>, Vec<bool>), usize> = HashMap::new();
    let mut classes: Vec<WishClass> = Vec::new();
    let mut of_rules: HashMap<Vec<RecipeRule>, usize> = HashMap::new();
    let mut changes: Vec<(Vec<String>, Vec<RecipeRule>)> = Vec::new();
    for agent in file.agents(&wishes) {
        let is_named = wishes.iter().map(|wish| wish.names(&agent)).collect();
        let key = (file.groups_of(&agent).to_vec(), is_named);
        // The rules of `*`, and those of a crawler that gets its first group, are not those of others.
        let is_alone = key.0.is_empty() || agent == "*";
        let place = match places.get(&key).filter(|_| !is_alone) {
            Some(place) => *place,
            None => {
                let wanted = file.wanted(&agent, &wishes)?;
                let missing = file.missing(&agent, &wanted);
                let change = (!missing.is_empty()).then(|| {
                    *of_rules.entry(missing).or_insert_with_key(|missing| {
                        changes.push((Vec::new(), missing.clone()));
                        changes.len() - 1
                    })
                });
                classes.push(WishClass {
                    names: Vec::new(),
                    wanted,
                    change,
                });
                if !is_alone {
                    places.insert(key, classes.len() - 1);
                }
                classes.len() - 1
            }
        };
        let Some(class) = classes.get_mut(place) else {
            continue;
        };
        if let Some((names, _)) = class.change.and_then(|at| changes.get_mut(at)) {
            names.push(agent.clone());
        }
        class.names.push(agent);
    }
    // `*` is last, as people expect it.
    changes.sort_by_key(|(names, _)| names.iter().any(|name| name == "*"));
    for (names, rules) in changes {
        file.add(names, &rules, comments);
    }
    file.add_sitemaps(&sitemaps, comments);
    let text = file.text();
    verify(&text, &classes)?;
    Ok(text)
}

/// Adds the index of a group to those of a name.
fn add_group(of_names: &mut HashMap<String, Vec<usize>>, name: &str, index: usize) {
    let groups = of_names.entry(name.to_ascii_lowercase()).or_default();
    if groups.last() != Some(&index) {
        groups.push(index);
    }
}

fn is_among(names: &[String], name: &str) -> bool {
    names.iter().any(|other| other.eq_ignore_ascii_case(name))
}

/// Returns the name of a crawler in a sentence.
fn shown(agent: &str) -> &str {
    if agent == "*" { "everyone else" } else { agent }
}

fn fault<T>(text: impl Into<String>) -> Result<T, RecipeFault> {
    Err(RecipeFault(text.into()))
}

/// Reads the requests: wishes, and the URLs of sitemaps.
fn read(requests: &str) -> Result<(Vec<Wish>, Vec<String>), RecipeFault> {
    let everyone = Whom::AllBut(Vec::new());
    let (mut wishes, mut sitemaps) = (Vec::new(), Vec::new());
    let mut whom = everyone.clone();
    for line in requests.lines() {
        let mut words = line.split_whitespace();
        let Some(name) = words.next() else { continue };
        let arguments: Vec<&str> = words.collect();
        if name == "for" {
            whom = match &*arguments {
                [] => return fault("for: name a crawler, or `*` for everyone"),
                ["*"] => everyone.clone(),
                tokens => Whom::Tokens(tokens_of(tokens)?),
            };
            continue;
        }
        let Some(recipe) = recipes().find(|recipe| recipe.name == name) else {
            let names: Vec<&str> = recipes().map(|recipe| recipe.name).collect();
            let names = names.join(", ");
            return fault(format!("{name}: unknown recipe; the recipes are {names}"));
        };
        match (recipe.arguments, arguments.first()) {
            ("", Some(extra)) => {
                return fault(format!("{name}: it takes no argument: remove {extra}"));
            }
            ("", None) | (_, Some(_)) => {}
            (wanted, None) => return fault(format!("{name}: give {wanted}")),
        }
        let rule = |allows, path, title| RecipeRule {
            allows,
            path,
            title,
        };
        let site = |allows, title| vec![rule(allows, "/".to_owned(), title)];
        let each = |allows, make: MakePath| {
            let paths = arguments.iter().map(|argument| make(argument));
            let rules = paths.map(|path| Ok(rule(allows, path?, recipe.title)));
            rules.collect::<Result<Vec<RecipeRule>, RecipeFault>>()
        };
        let rules = match recipe.effect {
            Site(allows) => site(allows, recipe.title),
            Each(allows, make) => each(allows, make)?,
            Only(make) => [site(false, recipe.title), each(true, make)?].concat(),
            Sitemaps => {
                if let Some(url) = arguments.iter().find(|url| Origin::from_url(url).is_err()) {
                    return fault(format!(
                        "sitemap {url}: give an absolute URL, such as https://example.com/sitemap.xml"
                    ));
                }
                sitemaps.extend(arguments.iter().map(|url| (*url).to_owned()));
                continue;
            }
        };
        let mut rest = None;
        let whom = match recipe.target {
            Everyone => everyone.clone(),
            Chosen => whom.clone(),
            Arguments => {
                let tokens = tokens_of(&arguments)?;
                rest = Some(match recipe.effect {
                    Site(true) => Wish {
                        whom: Whom::AllBut(tokens.clone()),
                        rules: site(false, "Everyone else stays out."),
                    },
                    _ => Wish {
                        whom: Whom::Star,
                        rules: site(true, "Everyone else may come in."),
                    },
                });
                Whom::Tokens(tokens)
            }
            Images => Whom::Tokens(vec!["Googlebot-Image".to_owned()]),
            Presets(is_wanted) => {
                let wanted = Preset::all().filter(is_wanted);
                Whom::Tokens(wanted.map(|preset| preset.name().to_owned()).collect())
            }
        };
        wishes.push(Wish { whom, rules });
        wishes.extend(rest);
    }
    match wishes.is_empty() && sitemaps.is_empty() {
        true => fault("there is no recipe: nothing to write"),
        false => Ok((wishes, sitemaps)),
    }
}

fn tokens_of(names: &[&str]) -> Result<Vec<String>, RecipeFault> {
    for name in names {
        if let Some(preset) = Preset::find(name).filter(Preset::ignores_robots_txt) {
            let source = preset.documentation().unwrap_or("its operator");
            return fault(format!(
                "{name} ignores the robots.txt, says {source}: a rule for it does nothing"
            ));
        }
        if Crawler::new(name).is_err() {
            return fault(format!(
                "{name} is not a product token: write a name such as Googlebot"
            ));
        }
    }
    Ok(names.iter().map(|name| (*name).to_owned()).collect())
}

/// Returns the path of a rule that matches this path of a URL.
fn path_of(path: &str) -> Result<String, RecipeFault> {
    if !path.starts_with('/') {
        return fault(match path.split_once("://") {
            Some((_, rest)) => {
                let path = rest.find('/').and_then(|at| rest.get(at..));
                let path = path.unwrap_or("/");
                format!("{path} is the path of that URL: a robots.txt holds paths of its own site")
            }
            None => format!("{path}: a path starts with `/`; write %20 for a space"),
        });
    }
    if path.contains('#') {
        return fault(format!(
            "{path}: a `#` starts a comment; leave it and what follows out, or write %23"
        ));
    }
    // In a rule they would be a wildcard, and the end of the URL (SPEC 8.3, 8.4).
    Ok(path.replace('*', "%2A").replace('$', "%24"))
}

fn folder_of(path: &str) -> Result<String, RecipeFault> {
    let path = path_of(path)?;
    match path.as_str() {
        "/" => fault("/ is the whole site: use keep-all-out"),
        _ if is_file_name(&path) => fault(format!(
            "{path} looks like a file: use file or allow, or end a folder with `/`"
        )),
        _ if path.ends_with('/') => Ok(path),
        _ => Ok(path + "/"),
    }
}

/// Whether a path ends as those of files do, such as `.html`.
fn is_file_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
    extension.is_some_and(|(_, end)| {
        end.len() <= 5 && end.starts_with(|first: char| first.is_ascii_alphabetic())
    })
}

fn type_of(extension: &str) -> Result<String, RecipeFault> {
    let bare = extension.trim_start_matches('*').trim_start_matches('.');
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    match bare.is_empty() || !bare.bytes().all(is_plain) {
        true => fault(format!(
            "{extension}: give the end of a file name, such as gif"
        )),
        false => Ok(format!("/*.{bare}$")),
    }
}

/// A group of the file: its names, its rules, and where more rules go.
#[derive(Clone, Default)]
struct DraftGroup {
    names: Vec<String>,
    rules: Vec<RecipeRule>,
    end: usize,
}

struct RecipeFile<'b> {
    body: &'b [u8],
    groups: Vec<DraftGroup>,
    /// The indexes of the groups that have a name, by the name in lower case.
    of_names: HashMap<String, Vec<usize>>,
    sitemaps: Vec<String>,
    line_end: &'static str,
    /// Texts to insert, by their offset.
    inserted: Vec<(usize, String)>,
    /// Text to append.
    appended: String,
}

impl<'b> RecipeFile<'b> {
    fn read(body: &'b [u8]) -> Result<RecipeFile<'b>, RecipeFault> {
        if begins_compressed(body) || body.starts_with(b"\xFF\xFE") || body.starts_with(b"\xFE\xFF")
        {
            return fault(
                "the file is compressed or UTF-16, which no crawler reads: write it in UTF-8 first",
            );
        }
        let unread = |error: crate::base::error::Error| RecipeFault(error.to_string());
        let crawler = Crawler::new("robots").map_err(unread)?;
        let report = lint(&crawler, body).map_err(unread)?;
        let has = |end: &[u8]| memchr::memmem::find(body, end).is_some();
        let mut file = RecipeFile {
            body,
            groups: vec![DraftGroup::default(); report.group_count() as usize],
            of_names: HashMap::new(),
            sitemaps: Vec::new(),
            line_end: match (has(b"\r\n"), has(b"\n"), has(b"\r")) {
                (true, ..) => "\r\n",
                (false, false, true) => "\r",
                _ => "\n",
            },
            inserted: Vec::new(),
            appended: String::new(),
        };
        // The report counts from the first byte after a mark.
        let shift = body.len().saturating_sub(report.body().len());
        let lost = body.len() > report.body().len() + 3;
        if lost {
            return fault("the file is longer than crawlers read: shorten it first");
        }
        for line in report.lines() {
            let value = report.body().get(line.value.clone()).unwrap_or_default();
            // A rule goes after the end of the line, with its comment.
            let next = report.line(line.number + 1);
            let end = next.map_or(body.len(), |next| next.span.start + shift);
            file.take(&line, value, end);
        }
        Ok(file)
    }

    fn take(&mut self, line: &LineMeaning, value: &[u8], end: usize) {
        let text = String::from_utf8_lossy(value).into_owned();
        if line.kind == LineKind::Sitemap {
            self.sitemaps.push(text);
            return;
        }
        let index = (line.group as usize).wrapping_sub(1);
        let Some(group) = self.groups.get_mut(index) else {
            return;
        };
        match line.kind {
            LineKind::UserAgent => {
                if let Some(name) = Dialect::Rfc9309.agent_name(value) {
                    let name = String::from_utf8_lossy(name).into_owned();
                    add_group(&mut self.of_names, &name, index);
                    group.names.push(name);
                }
            }
            LineKind::Allow | LineKind::Disallow => group.rules.push(RecipeRule {
                allows: line.kind == LineKind::Allow,
                path: text,
                title: "It obeyed these rules before it had a group.",
            }),
            _ => return,
        }
        group.end = end;
    }

    fn named(&self, agent: &str) -> impl Iterator<Item = &DraftGroup> + Clone {
        let groups = self.groups_of(agent).iter();
        groups.filter_map(|index| self.groups.get(*index))
    }

    /// Returns the indexes of the groups that name a crawler.
    fn groups_of(&self, agent: &str) -> &[usize] {
        let groups = self.of_names.get(&agent.to_ascii_lowercase());
        groups.map_or(&[], Vec::as_slice)
    }

    fn has(&self, agent: &str) -> bool {
        !self.groups_of(agent).is_empty()
    }

    /// Whether a crawler gets its first group.
    fn is_new(&self, agent: &str) -> bool {
        !self.has(agent) && agent != "*"
    }

    /// Returns every crawler to think of: `*`, those of the file, those of the wishes.
    fn agents(&self, wishes: &[Wish]) -> Vec<String> {
        let mut agents: Vec<String> = vec!["*".to_owned()];
        let mut seen: HashSet<String> = agents.iter().cloned().collect();
        let wished = wishes.iter().flat_map(|wish| match &wish.whom {
            Whom::Tokens(tokens) => tokens.as_slice(),
            _ => &[],
        });
        let named = self.groups.iter().flat_map(|group| &group.names);
        for name in named.chain(wished) {
            // A policy token fetches nothing.
            if seen.insert(name.to_ascii_lowercase()) && !is_policy_token(name) {
                agents.push(name.clone());
            }
        }
        agents
    }

    /// Returns the group that a crawler without a group of its own obeys: that of its second token, or of `*`.
    fn fallback(&self, agent: &str) -> Vec<RecipeRule> {
        let preset = Preset::find(agent);
        let tokens = preset.map(|preset| preset.tokens()).unwrap_or_default();
        let others = tokens.iter().skip(1).copied();
        let star = ["*"]
            .into_iter()
            .filter(|_| preset.is_none_or(|preset| !preset.ignores_star()));
        let obeyed = others.chain(star).find(|name| self.has(name));
        let rules = obeyed.into_iter().flat_map(|name| self.named(name));
        let rules = rules.flat_map(|group| group.rules.iter().cloned());
        rules.filter(|rule| !rule.path.is_empty()).collect()
    }

    /// Returns the rules that wishes mean for a crawler. A wish that names the crawler replaces what others mean for the whole
    /// site.
    fn wanted(&self, agent: &str, wishes: &[Wish]) -> Result<Vec<RecipeRule>, RecipeFault> {
        let mut rules: Vec<(bool, &RecipeRule)> = Vec::new();
        for wish in wishes {
            let is_own = match &wish.whom {
                Whom::Tokens(tokens) if is_among(tokens, agent) => true,
                Whom::AllBut(tokens) if !is_among(tokens, agent) => false,
                Whom::Star if agent == "*" && !self.has("*") => false,
                _ => continue,
            };
            rules.extend(wish.rules.iter().map(|rule| (is_own, rule)));
        }
        let own_site = |allows| {
            let mut rules = rules.iter().filter(|(is_own, _)| *is_own);
            rules.any(|(_, rule)| rule.is_for_the_site() && rule.allows == allows)
        };
        let is_out = own_site(false) || agent != "*" && self.is_banned(agent);
        let is_decided = own_site(true) || own_site(false);
        // An exception for everyone lets nobody in who stays out.
        let is_wanted = |(is_own, rule): &(bool, &RecipeRule)| {
            *is_own
                || !if rule.is_for_the_site() {
                    is_decided
                } else {
                    is_out && rule.allows
                }
        };
        let rules = rules
            .into_iter()
            .filter(is_wanted)
            .map(|(_, rule)| rule.clone());
        let mut rules: Vec<RecipeRule> = rules.collect();
        let decides = |allows| {
            let mut rules = rules.iter();
            rules.any(|rule| rule.is_for_the_site() && rule.allows == allows)
        };
        let (is_let_in, is_kept_out) = (decides(true), decides(false));
        if is_let_in && is_kept_out {
            let whom = shown(agent);
            return fault(format!(
                "the recipes let {whom} in, and keep it out: remove one of them"
            ));
        }
        let is_only = |rule: &&RecipeRule| rule.title == ONLY_FOLDER;
        for only in rules.iter().filter(is_only).filter(|rule| rule.allows) {
            let mut bans = rules.iter().filter(|rule| !is_only(rule) && !rule.allows);
            if let Some(rule) = bans.find(|rule| only.path.starts_with(&rule.path)) {
                let (whom, inner, outer) = (shown(agent), &only.path, &rule.path);
                return fault(format!(
                    "the recipes let {whom} fetch {inner}, and keep it out of {outer}: remove one of them, or use allow for an exception"
                ));
            }
        }
        if is_kept_out && !rules.iter().any(|rule| rule.allows) {
            rules.retain(RecipeRule::is_for_the_site);
        }
        // Who is let in keeps the rest of the rules that it obeyed.
        if is_let_in && self.is_new(agent) {
            let mut before = self.fallback(agent);
            before.retain(|rule| !rule.is_for_the_site());
            rules.splice(0..0, before);
        }
        Ok(rules)
    }

    /// Whether the groups that name a crawler keep it out of the whole site.
    fn is_banned(&self, agent: &str) -> bool {
        let mut rules = self.named(agent).flat_map(|group| &group.rules);
        let bans = |rule: &RecipeRule| rule.is_for_the_site() && !rule.allows;
        rules.clone().any(bans) && !rules.any(|rule| rule.allows && !rule.path.is_empty())
    }

    /// Returns the rules that the groups of a crawler get for what is wanted.
    fn missing(&self, agent: &str, wanted: &[RecipeRule]) -> Vec<RecipeRule> {
        let mut rules = wanted.to_vec();
        if self.is_new(agent) && !rules.iter().any(RecipeRule::is_for_the_site) {
            rules.splice(0..0, self.fallback(agent));
        }
        let is_banned = self.is_banned(agent);
        let mut seen: HashSet<RecipeRule> = self
            .named(agent)
            .flat_map(|group| group.rules.iter().cloned())
            .collect();
        rules.retain(|rule| (rule.allows || !is_banned) && seen.insert(rule.clone()));
        rules
    }

    /// Adds rules for crawlers: to the groups that name no other crawler, else in a new group.
    fn add(&mut self, names: Vec<String>, rules: &[RecipeRule], comments: bool) {
        let end = self.line_end;
        let mut text = String::new();
        let mut last = "";
        for rule in rules {
            if comments && rule.title != last {
                let _ = write!(text, "# {}{end}", rule.title);
            }
            last = rule.title;
            let field = if rule.allows { "Allow" } else { "Disallow" };
            let _ = write!(text, "{field}: {}{end}", rule.path);
        }
        let lower = |name: &String| name.to_ascii_lowercase();
        let mut left: HashSet<String> = names.iter().map(lower).collect();
        let mut indexes: Vec<usize> = names
            .iter()
            .flat_map(|name| self.groups_of(name))
            .copied()
            .collect();
        indexes.sort_unstable();
        indexes.dedup();
        for group in indexes.iter().filter_map(|index| self.groups.get(*index)) {
            let of_group: HashSet<String> = group.names.iter().map(lower).collect();
            if of_group.iter().all(|name| left.contains(name)) {
                self.inserted.push((group.end, text.clone()));
                left.retain(|name| !of_group.contains(name));
            }
        }
        if !left.is_empty() {
            let named = names.iter().filter(|name| left.contains(&lower(name)));
            let named = named.map(|name| format!("User-agent: {name}{end}"));
            self.append(&(named.collect::<String>() + &text));
        }
    }

    /// Appends text after a blank line.
    fn append(&mut self, text: &str) {
        let is_first = self.body.is_empty() && self.appended.is_empty();
        let blank = if is_first { "" } else { self.line_end };
        self.appended.push_str(blank);
        self.appended.push_str(text);
    }

    fn add_sitemaps(&mut self, urls: &[String], comments: bool) {
        let end = self.line_end;
        let is_it = |recipe: &Recipe| comments && recipe.name == "sitemap";
        let title = recipes().find(is_it);
        let title = title.map(|recipe| format!("# {}{end}", recipe.title));
        let mut text = title.unwrap_or_default();
        let count = self.sitemaps.len();
        for url in urls {
            if !self.sitemaps.contains(url) {
                self.sitemaps.push(url.clone());
                let _ = write!(text, "Sitemap: {url}{end}");
            }
        }
        if self.sitemaps.len() > count {
            self.append(&text);
        }
    }

    fn text(mut self) -> Vec<u8> {
        self.inserted.sort_by_key(|(at, _)| *at);
        let mut text = Vec::new();
        let mut done = 0;
        for (at, inserted) in &self.inserted {
            text.extend_from_slice(self.body.get(done..*at).unwrap_or_default());
            if !matches!(text.last(), None | Some(b'\n' | b'\r')) {
                text.extend_from_slice(self.line_end.as_bytes());
            }
            text.extend_from_slice(inserted.as_bytes());
            done = *at;
        }
        text.extend_from_slice(self.body.get(done..).unwrap_or_default());
        if !self.appended.is_empty() && !matches!(text.last(), None | Some(b'\n' | b'\r')) {
            text.extend_from_slice(self.line_end.as_bytes());
        }
        text.extend_from_slice(self.appended.as_bytes());
        text
    }
}

/// The groups of a file as one dialect reads them.
struct ReadGroups<'t> {
    text: &'t [u8],
    /// Where each group starts, and where the last one ends.
    starts: Vec<usize>,
    of_names: HashMap<String, Vec<usize>>,
}

impl<'t> ReadGroups<'t> {
    fn new(text: &'t [u8], dialect: Dialect) -> ReadGroups<'t> {
        let mut groups = ReadGroups {
            text,
            starts: Vec::new(),
            of_names: HashMap::new(),
        };
        for line in Reader::whole(text, dialect) {
            if line.starts_group {
                let start = line.whole.as_ptr().addr() - text.as_ptr().addr();
                groups.starts.push(start);
            }
            let agent = line.directive.filter(|of| of.field == Field::UserAgent);
            let name = agent.and_then(|agent| dialect.agent_name(agent.value));
            if let (Some(name), Some(index)) = (name, groups.starts.len().checked_sub(1)) {
                let name = String::from_utf8_lossy(name);
                add_group(&mut groups.of_names, &name, index);
            }
        }
        groups.starts.push(text.len());
        groups
    }

    /// Returns the indexes of the groups that a crawler obeys.
    fn obeyed_by(&self, agent: &str) -> &[usize] {
        let own = self.of_names.get(&agent.to_ascii_lowercase());
        let groups = own.or_else(|| self.of_names.get("*"));
        groups.map_or(&[], Vec::as_slice)
    }

    /// Returns the text of some groups: a crawler that obeys these reads the same rules in it as in the file.
    fn text_of(&self, groups: &[usize]) -> Vec<u8> {
        let span = |index: &usize| {
            let end = *self.starts.get(index + 1)?;
            self.text.get(*self.starts.get(*index)?..end)
        };
        groups.iter().filter_map(span).collect::<Vec<_>>().concat()
    }
}

/// Refuses a file in which a crawler does not get what is wanted for it. Crawlers that obey the same groups are checked once.
fn verify(text: &[u8], all: &[WishClass]) -> Result<(), RecipeFault> {
    let file = RecipeFile::read(text)?;
    for dialect in [Dialect::Rfc9309, Dialect::Google] {
        let groups = ReadGroups::new(text, dialect);
        for class in all.iter().filter(|class| !class.wanted.is_empty()) {
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
                if seen.insert(obeyed) {
                    let rules = crawler.parse(groups.text_of(obeyed));
                    let line = |url: &[u8]| crawler.parse(text).check(url).line();
                    verify_one(&file, agent, &class.wanted, &rules, &line)?;
                }
            }
        }
    }
    Ok(())
}

/// Refuses rules that do not give a crawler what is wanted for it. `line`: returns the line that decides on a URL.
fn verify_one(
    file: &RecipeFile<'_>,
    agent: &str,
    wanted: &[RecipeRule],
    rules: &Rules,
    line: &dyn Fn(&[u8]) -> u32,
) -> Result<(), RecipeFault> {
    for rule in wanted {
        let own: Vec<Vec<u8>> = match rule.is_for_the_site() {
            false => probe_urls(rule.path.as_bytes()).collect(),
            true if wanted.len() == 1 => {
                let obeyed = if file.has(agent) { agent } else { "*" };
                let rules = file.named(obeyed).flat_map(|group| &group.rules);
                let urls = rules.flat_map(|rule| probe_urls(rule.path.as_bytes()));
                urls.collect()
            }
            true => continue,
        };
        for url in own {
            // Another rule that is wanted may be an exception.
            let is_exception = |other: &RecipeRule| {
                let covers = other.path.len() >= rule.path.len();
                other.allows != rule.allows && covers && url.starts_with(other.path.as_bytes())
            };
            let allowed = rules.is_allowed(&url);
            if allowed != rule.allows && url != b"/robots.txt" && !wanted.iter().any(is_exception) {
                let may = if allowed { "may" } else { "may not" };
                let (whom, line) = (shown(agent), line(&url));
                let url = String::from_utf8_lossy(&url);
                return fault(format!(
                    "{whom} {may} fetch {url} then, because of line {line} of the result: change that line first"
                ));
            }
        }
    }
    Ok(())
}
