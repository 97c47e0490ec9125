//! The recipes of Google's guide "Create and submit a robots.txt file", and how they are added to a file.
//!
//! A recipe becomes rules for crawlers. A crawler obeys the groups that name it or else those of `*`, never both (SPEC
//! 7.1). So a rule for everyone is added to each group, and a crawler that gets its first group keeps the rules that it
//! obeyed before. Then the result is parsed, and refused if a crawler does not get what a recipe means.

use core::fmt::{self, Write as _};

use super::lint::{LineKind, LineMeaning, lint};
use super::probes::probe_urls;
use crate::crawler::Crawler;
use crate::crawler::preset::{Preset, Purpose};
use crate::dialect::Dialect;
use crate::extensions::is_policy_token;
use crate::parser::begins_compressed;
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
#[derive(Clone)]
struct RecipeRule {
    allows: bool,
    path: String,
    title: &'static str,
}

impl PartialEq for RecipeRule {
    fn eq(&self, other: &RecipeRule) -> bool {
        (self.allows, &self.path) == (other.allows, &other.path)
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
    let mut all = Vec::new();
    let mut changes: Vec<(Vec<String>, Vec<RecipeRule>)> = Vec::new();
    for agent in file.agents(&wishes) {
        let wanted = file.wanted(&agent, &wishes)?;
        let rules = file.missing(&agent, &wanted);
        match changes.iter_mut().find(|(_, same)| *same == rules) {
            _ if rules.is_empty() => {}
            Some((names, _)) => names.push(agent.clone()),
            None => changes.push((vec![agent.clone()], rules)),
        }
        all.push((agent, wanted));
    }
    // `*` is last, as people expect it.
    changes.sort_by_key(|(names, _)| names.iter().any(|name| name == "*"));
    for (names, rules) in changes {
        file.add(names, &rules, comments);
    }
    file.add_sitemaps(&sitemaps, comments);
    let text = file.text();
    verify(&text, &all)?;
    Ok(text)
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
        let unread = |error: crate::error::Error| RecipeFault(error.to_string());
        let crawler = Crawler::new("robots").map_err(unread)?;
        let report = lint(&crawler, body).map_err(unread)?;
        let has = |end: &[u8]| memchr::memmem::find(body, end).is_some();
        let mut file = RecipeFile {
            body,
            groups: vec![DraftGroup::default(); report.group_count() as usize],
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
        let group = (line.group as usize).checked_sub(1);
        let Some(group) = group.and_then(|index| self.groups.get_mut(index)) else {
            return;
        };
        match line.kind {
            LineKind::UserAgent => {
                let name = Dialect::Rfc9309.agent_name(value);
                group
                    .names
                    .extend(name.map(|name| String::from_utf8_lossy(name).into_owned()));
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
        self.groups
            .iter()
            .filter(move |group| is_among(&group.names, agent))
    }

    fn has(&self, agent: &str) -> bool {
        self.named(agent).next().is_some()
    }

    /// Whether a crawler gets its first group.
    fn is_new(&self, agent: &str) -> bool {
        !self.has(agent) && agent != "*"
    }

    /// Returns every crawler to think of: `*`, those of the file, those of the wishes.
    fn agents(&self, wishes: &[Wish]) -> Vec<String> {
        let mut agents: Vec<String> = vec!["*".to_owned()];
        let wished = wishes.iter().flat_map(|wish| match &wish.whom {
            Whom::Tokens(tokens) => tokens.as_slice(),
            _ => &[],
        });
        let named = self.groups.iter().flat_map(|group| &group.names);
        for name in named.chain(wished) {
            // A policy token fetches nothing.
            if !is_among(&agents, name) && !is_policy_token(name) {
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
        let mut seen: Vec<RecipeRule> = Vec::new();
        rules.retain(|rule| {
            let mut groups = self.named(agent);
            let is_there = groups.any(|group| group.rules.contains(rule)) || seen.contains(rule);
            seen.push(rule.clone());
            !(is_there || is_banned && !rule.allows)
        });
        rules
    }

    /// Adds rules for crawlers: to the groups that name no other crawler, else in a new group.
    fn add(&mut self, mut names: Vec<String>, rules: &[RecipeRule], comments: bool) {
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
        for group in &self.groups {
            let mut of_group = group.names.iter();
            if of_group.len() > 0 && of_group.all(|name| is_among(&names, name)) {
                self.inserted.push((group.end, text.clone()));
                names.retain(|name| !is_among(&group.names, name));
            }
        }
        if !names.is_empty() {
            let named = names.iter().map(|name| format!("User-agent: {name}{end}"));
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

/// Refuses a file in which a crawler does not get what is wanted for it.
fn verify(text: &[u8], all: &[(String, Vec<RecipeRule>)]) -> Result<(), RecipeFault> {
    let file = RecipeFile::read(text)?;
    let rules = file.groups.iter().flat_map(|group| &group.rules);
    let urls = rules.flat_map(|rule| probe_urls(rule.path.as_bytes()));
    let every: Vec<Vec<u8>> = urls.collect();
    for (agent, wanted) in all {
        let token = match &**agent {
            "*" => "no-file-names-this-crawler",
            token => token,
        };
        for dialect in [Dialect::Rfc9309, Dialect::Google] {
            // Google reads no digit or dot in a name (SPEC 7.3).
            let Ok(crawler) = Crawler::new(token).and_then(|it| it.with_dialect(dialect)) else {
                continue;
            };
            let rules = crawler.parse(text);
            for rule in wanted {
                let own: Vec<Vec<u8>> = probe_urls(rule.path.as_bytes()).collect();
                let urls = match rule.is_for_the_site() {
                    false => &own,
                    true if wanted.len() == 1 => &every,
                    true => continue,
                };
                for url in urls {
                    // Another rule that is wanted may be an exception.
                    let is_exception = |other: &RecipeRule| {
                        let covers = other.path.len() >= rule.path.len();
                        other.allows != rule.allows
                            && covers
                            && url.starts_with(other.path.as_bytes())
                    };
                    let verdict = rules.check(url);
                    if verdict.allowed() != rule.allows
                        && url != b"/robots.txt"
                        && !wanted.iter().any(is_exception)
                    {
                        let may = if verdict.allowed() { "may" } else { "may not" };
                        let (whom, line) = (shown(agent), verdict.line());
                        let url = String::from_utf8_lossy(url);
                        return fault(format!(
                            "{whom} {may} fetch {url} then, because of line {line} of the result: change that line first"
                        ));
                    }
                }
            }
        }
    }
    Ok(())
}
