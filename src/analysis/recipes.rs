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
use crate::rules::Rules;
use crate::url::origin::Origin;

/// A recipe for a robots.txt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    name: &'static str,
    arguments: &'static str,
    title: &'static str,
    section: &'static str,
}

impl Recipe {
    /// Returns its name, such as "folder".
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns what follows the name, such as "/PATH/..."; empty for nothing.
    pub fn arguments(&self) -> &'static str {
        self.arguments
    }

    /// Returns what it does: a sentence, which is also the comment in the file.
    pub fn title(&self) -> &'static str {
        self.title
    }

    /// Returns its section in Google's guide; empty for none.
    pub fn section(&self) -> &'static str {
        self.section
    }
}

#[rustfmt::skip]
macro_rules! recipes {
    ($($name:literal $arguments:literal $title:tt $section:literal;)*) => {
        &[$(Recipe { name: $name, arguments: $arguments, title: $title, section: $section }),*]
    };
}

/// The title of the recipe `only-folder`.
const ONLY_FOLDER: &str = "Crawlers may fetch these folders only.";

/// The recipes. The sections are the rows of "Useful robots.txt rules".
#[rustfmt::skip]
const RECIPES: &[Recipe] = recipes! {
    "keep-all-out" "" "No crawler may fetch anything." "Disallow crawling of the entire site";
    "let-all-in" "" "Every crawler may fetch everything." "Create rules in the robots.txt file";
    "folder" "/PATH/..." "Crawlers stay out of these folders." "Disallow crawling of a directory and its contents";
    "file" "/PATH..." "Crawlers do not fetch these pages." "Disallow crawling of a single web page";
    "type" "EXTENSION..." "Crawlers do not fetch files of these types." "Disallow crawling of files of a specific file type";
    "only-folder" "/PATH/..." ONLY_FOLDER "Disallow crawling of the whole site except a subdirectory";
    "allow" "/PATH..." "Crawlers may fetch these paths in a folder that they stay out of." "";
    "image" "/PATH..." "These images do not appear in Google Images." "Block a specific image from Google Images";
    "images" "" "No image appears in Google Images." "Block all images on your site from Google Images";
    "all-but" "TOKEN..." "These crawlers stay out." "Allow access to all but a single crawler";
    "only" "TOKEN..." "Only these crawlers may come in." "Allow access to a single crawler";
    "ads-out" "" "The crawlers that check advertisements stay out." "Disallow crawling of the entire site";
    "training-out" "" "Pages are not used to train models." "";
    "sitemap" "URL..." "These files list the pages of the site." "Sitemap";
};

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

#[derive(Clone, PartialEq, Eq)]
struct RecipeRule {
    allows: bool,
    path: String,
}

impl RecipeRule {
    fn is_for_the_site(&self) -> bool {
        self.path == "/"
    }
}

/// What a recipe means.
struct Wish {
    whom: Whom,
    title: &'static str,
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
    let mut changes: Vec<(Vec<String>, Vec<Titled>)> = Vec::new();
    for agent in file.agents(&wishes) {
        let wanted = file.wanted(&agent, &wishes)?;
        let rules = file.missing(&agent, &wanted);
        let bare = |rules: &[Titled]| {
            rules
                .iter()
                .map(|(_, rule)| rule.clone())
                .collect::<Vec<_>>()
        };
        let same = changes
            .iter_mut()
            .find(|(_, same)| bare(same) == bare(&rules));
        match same {
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

/// A rule with the title of its recipe.
type Titled = (&'static str, RecipeRule);

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
        let mut wish = |whom: Whom, rules: Vec<RecipeRule>| {
            wishes.push(Wish {
                whom,
                title: recipe.title,
                rules,
            });
        };
        let rule = |allows, path: &str| RecipeRule {
            allows,
            path: path.to_owned(),
        };
        let all = |allows| vec![rule(allows, "/")];
        let each = |allows, make: &dyn Fn(&str) -> Result<String, RecipeFault>| {
            let paths = arguments.iter().map(|argument| make(argument));
            let rules = paths.map(|path| Ok(rule(allows, &path?)));
            rules.collect::<Result<Vec<RecipeRule>, RecipeFault>>()
        };
        match name {
            "keep-all-out" => wish(everyone.clone(), all(false)),
            "let-all-in" => wish(everyone.clone(), all(true)),
            "folder" => wish(whom.clone(), each(false, &folder_of)?),
            "file" => wish(whom.clone(), each(false, &path_of)?),
            "type" => wish(whom.clone(), each(false, &type_of)?),
            "allow" => wish(whom.clone(), each(true, &path_of)?),
            "only-folder" => {
                let mut rules = all(false);
                rules.extend(each(true, &folder_of)?);
                wish(whom.clone(), rules);
            }
            "image" => wish(images(), each(false, &path_of)?),
            "images" => wish(images(), all(false)),
            "all-but" => {
                wish(Whom::Tokens(tokens_of(&arguments)?), all(false));
                wishes.push(Wish {
                    whom: Whom::Star,
                    title: "Everyone else may come in.",
                    rules: all(true),
                });
            }
            "only" => {
                let tokens = tokens_of(&arguments)?;
                wish(Whom::Tokens(tokens.clone()), all(true));
                wishes.push(Wish {
                    whom: Whom::AllBut(tokens),
                    title: "Everyone else stays out.",
                    rules: all(false),
                });
            }
            "ads-out" => {
                let is_one =
                    |preset: &Preset| preset.ignores_star() && preset.name().starts_with("AdsBot");
                wish(presets(is_one), all(false));
            }
            "training-out" => {
                wish(
                    presets(|preset| preset.purpose() == Purpose::Training),
                    all(false),
                );
            }
            _ => {
                for url in &arguments {
                    if Origin::from_url(url).is_err() {
                        return fault(format!(
                            "sitemap {url}: give an absolute URL, such as https://example.com/sitemap.xml"
                        ));
                    }
                    sitemaps.push((*url).to_owned());
                }
            }
        }
    }
    match wishes.is_empty() && sitemaps.is_empty() {
        true => fault("there is no recipe: nothing to write"),
        false => Ok((wishes, sitemaps)),
    }
}

fn images() -> Whom {
    Whom::Tokens(vec!["Googlebot-Image".to_owned()])
}

fn presets(is_wanted: impl Fn(&Preset) -> bool) -> Whom {
    let wanted = Preset::all().filter(is_wanted);
    Whom::Tokens(wanted.map(|preset| preset.name().to_owned()).collect())
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
            groups: Vec::new(),
            sitemaps: Vec::new(),
            line_end: match (has(b"\r\n"), has(b"\n"), has(b"\r")) {
                (true, ..) => "\r\n",
                (false, false, true) => "\r",
                _ => "\n",
            },
            inserted: Vec::new(),
            appended: String::new(),
        };
        for _ in 0..report.group_count() {
            file.groups.push(DraftGroup {
                names: Vec::new(),
                rules: Vec::new(),
                end: 0,
            });
        }
        // The report counts from the first byte after a mark.
        let shift = body.len().saturating_sub(report.body().len());
        let lost = body.len() > report.body().len() + 3;
        if lost {
            return fault("the file is longer than crawlers read: shorten it first");
        }
        for line in report.lines() {
            let value = report.body().get(line.value.clone()).unwrap_or_default();
            file.take(&line, value, shift);
        }
        Ok(file)
    }

    fn take(&mut self, line: &LineMeaning, value: &[u8], shift: usize) {
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
            }),
            _ => return,
        }
        group.end = line.span.end + shift;
    }

    fn named(&self, agent: &str) -> impl Iterator<Item = &DraftGroup> + Clone {
        let is_it = move |name: &String| name.eq_ignore_ascii_case(agent);
        self.groups
            .iter()
            .filter(move |group| group.names.iter().any(is_it))
    }

    fn has(&self, agent: &str) -> bool {
        self.named(agent).next().is_some()
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

    /// Returns the rules that wishes mean for a crawler, each with its title. A wish that names the crawler replaces what
    /// others mean for the whole site.
    fn wanted(&self, agent: &str, wishes: &[Wish]) -> Result<Vec<Titled>, RecipeFault> {
        let concerns = |wish: &&Wish| match &wish.whom {
            Whom::AllBut(tokens) => !is_among(tokens, agent),
            Whom::Star => agent == "*" && !self.has("*"),
            Whom::Tokens(tokens) => is_among(tokens, agent),
        };
        let mut rules: Vec<(bool, Titled)> = Vec::new();
        for wish in wishes.iter().filter(concerns) {
            let is_own = matches!(wish.whom, Whom::Tokens(_));
            let titled = wish.rules.iter().map(|rule| (wish.title, rule.clone()));
            rules.extend(titled.map(|titled| (is_own, titled)));
        }
        let own_site = |allows| {
            let mut rules = rules.iter().filter(|(is_own, _)| *is_own);
            rules.any(|(_, (_, rule))| rule.is_for_the_site() && rule.allows == allows)
        };
        let is_out = own_site(false) || agent != "*" && self.is_banned(agent);
        if own_site(true) || own_site(false) {
            rules.retain(|(is_own, (_, rule))| *is_own || !rule.is_for_the_site());
        }
        // An exception for everyone lets nobody in who stays out.
        rules.retain(|(is_own, (_, rule))| {
            *is_own || !is_out || !rule.allows || rule.is_for_the_site()
        });
        let mut rules: Vec<Titled> = rules.into_iter().map(|(_, titled)| titled).collect();
        let says = |allows| {
            let mut rules = rules.iter().filter(|(_, rule)| rule.is_for_the_site());
            rules.any(|(_, rule)| rule.allows == allows)
        };
        if says(true) && says(false) {
            let whom = shown(agent);
            return fault(format!(
                "the recipes let {whom} in, and keep it out: remove one of them"
            ));
        }
        for (_, only) in rules
            .iter()
            .filter(|(title, rule)| *title == ONLY_FOLDER && rule.allows)
        {
            let is_against = |(title, rule): &&Titled| {
                *title != ONLY_FOLDER && !rule.allows && only.path.starts_with(&rule.path)
            };
            if let Some((_, rule)) = rules.iter().find(is_against) {
                let (whom, inner, outer) = (shown(agent), &only.path, &rule.path);
                return fault(format!(
                    "the recipes let {whom} fetch {inner}, and keep it out of {outer}: remove one of them, or use allow for an exception"
                ));
            }
        }
        if says(false) && !rules.iter().any(|(_, rule)| rule.allows) {
            rules.retain(|(_, rule)| rule.is_for_the_site());
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
    fn missing(&self, agent: &str, wanted: &[Titled]) -> Vec<Titled> {
        let is_new = !self.has(agent) && agent != "*";
        let mut rules = wanted.to_vec();
        if is_new && !rules.iter().any(|(_, rule)| rule.is_for_the_site()) {
            let before = self.fallback(agent).into_iter();
            rules.splice(
                0..0,
                before.map(|rule| ("It obeyed these rules before it had a group.", rule)),
            );
        }
        let is_banned = self.is_banned(agent);
        let mut seen: Vec<RecipeRule> = Vec::new();
        rules.retain(|(_, rule)| {
            let mut groups = self.named(agent);
            let is_there = groups.any(|group| group.rules.contains(rule)) || seen.contains(rule);
            seen.push(rule.clone());
            !(is_there || is_banned && !rule.allows)
        });
        rules
    }

    /// Adds rules for crawlers: to the groups that name no other crawler, else in a new group.
    fn add(
        &mut self,
        mut names: Vec<String>,
        rules: &[(&'static str, RecipeRule)],
        comments: bool,
    ) {
        let text = self.lines(rules, comments);
        for group in &self.groups {
            let is_wanted =
                |name: &String| names.iter().any(|other| other.eq_ignore_ascii_case(name));
            if group.names.is_empty() || !group.names.iter().all(is_wanted) {
                continue;
            }
            self.inserted.push((group.end, text.clone()));
            names.retain(|name| {
                !group
                    .names
                    .iter()
                    .any(|other| other.eq_ignore_ascii_case(name))
            });
        }
        if names.is_empty() {
            return;
        }
        let end = self.line_end;
        let named: String = names
            .iter()
            .map(|name| format!("User-agent: {name}{end}"))
            .collect();
        self.append(&(named + &text));
    }

    fn lines(&self, rules: &[(&'static str, RecipeRule)], comments: bool) -> String {
        let mut text = String::new();
        let mut last = "";
        for (title, rule) in rules {
            if comments && *title != last {
                let _ = write!(text, "# {title}{}", self.line_end);
            }
            last = title;
            let field = if rule.allows { "Allow" } else { "Disallow" };
            let _ = write!(text, "{field}: {}{}", rule.path, self.line_end);
        }
        text
    }

    /// Appends text after a blank line.
    fn append(&mut self, text: &str) {
        let is_first = self.body.is_empty() && self.appended.is_empty();
        let blank = if is_first { "" } else { self.line_end };
        self.appended.push_str(blank);
        self.appended.push_str(text);
    }

    fn add_sitemaps(&mut self, urls: &[String], comments: bool) {
        let mut text = String::new();
        for url in urls {
            if !self.sitemaps.contains(url) {
                self.sitemaps.push(url.clone());
                let _ = write!(text, "Sitemap: {url}{}", self.line_end);
            }
        }
        if text.is_empty() {
            return;
        }
        let title = recipes()
            .find(|recipe| recipe.name == "sitemap")
            .filter(|_| comments);
        let title = title.map(|recipe| format!("# {}{}", recipe.title, self.line_end));
        self.append(&(title.unwrap_or_default() + &text));
    }

    fn text(mut self) -> Vec<u8> {
        self.inserted.sort_by_key(|(at, _)| *at);
        let mut text = Vec::new();
        let mut done = 0;
        for (at, inserted) in &self.inserted {
            // A rule goes after the end of the line, with its comment.
            let rest = self.body.get(*at..).unwrap_or_default();
            let end = match memchr::memchr2(b'\r', b'\n', rest) {
                Some(found)
                    if rest
                        .get(found..)
                        .is_some_and(|rest| rest.starts_with(b"\r\n")) =>
                {
                    at + found + 2
                }
                Some(found) => at + found + 1,
                None => self.body.len(),
            };
            text.extend_from_slice(self.body.get(done..end).unwrap_or_default());
            if !matches!(text.last(), None | Some(b'\n' | b'\r')) {
                text.extend_from_slice(self.line_end.as_bytes());
            }
            text.extend_from_slice(inserted.as_bytes());
            done = end;
        }
        text.extend_from_slice(self.body.get(done..).unwrap_or_default());
        if !self.appended.is_empty() && !matches!(text.last(), None | Some(b'\n' | b'\r')) {
            text.extend_from_slice(self.line_end.as_bytes());
        }
        text.extend_from_slice(self.appended.as_bytes());
        text
    }
}

/// Returns a crawler with this token; for `*` one that no file names.
fn crawler_of(agent: &str, dialect: Dialect) -> Result<Crawler, RecipeFault> {
    let token = if agent == "*" {
        "no-file-names-this-crawler"
    } else {
        agent
    };
    let made = Crawler::new(token).and_then(|crawler| crawler.with_dialect(dialect));
    made.map_err(|error| RecipeFault(format!("{agent}: {error}")))
}

/// Refuses a file in which a crawler does not get what is wanted for it.
fn verify(text: &[u8], all: &[(String, Vec<Titled>)]) -> Result<(), RecipeFault> {
    let file = RecipeFile::read(text)?;
    let rules = file.groups.iter().flat_map(|group| &group.rules);
    let every: Vec<Vec<u8>> = rules
        .flat_map(|rule| probe_urls(rule.path.as_bytes()))
        .collect();
    for (agent, wanted) in all {
        for dialect in [Dialect::Rfc9309, Dialect::Google] {
            // Google reads no digit or dot in a name (SPEC 7.3).
            let Ok(crawler) = crawler_of(agent, dialect) else {
                continue;
            };
            let rules = crawler.parse(text);
            for (_, rule) in wanted {
                if !rule.is_for_the_site() {
                    for url in probe_urls(rule.path.as_bytes()) {
                        meets(&rules, agent, rule, &url, wanted)?;
                    }
                } else if wanted.len() == 1 {
                    for url in &every {
                        meets(&rules, agent, rule, url, wanted)?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Refuses a verdict that is not what a rule means, unless another rule that is wanted is an exception from it.
fn meets(
    rules: &Rules,
    agent: &str,
    rule: &RecipeRule,
    url: &[u8],
    wanted: &[Titled],
) -> Result<(), RecipeFault> {
    let verdict = rules.check(url);
    let is_exception = |(_, other): &Titled| {
        let covers = other.path.len() >= rule.path.len() && url.starts_with(other.path.as_bytes());
        other.allows != rule.allows && covers
    };
    if verdict.allowed() == rule.allows || url == b"/robots.txt" || wanted.iter().any(is_exception)
    {
        return Ok(());
    }
    let may = if verdict.allowed() { "may" } else { "may not" };
    let (whom, url, line) = (shown(agent), String::from_utf8_lossy(url), verdict.line());
    fault(format!(
        "{whom} {may} fetch {url} then, because of line {line} of the result: change that line first"
    ))
}
