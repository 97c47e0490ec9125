//! The table of recipes, and what requests mean: rules, and the crawlers that they are for.

use core::fmt;

use crate::crawler::Crawler;
use crate::crawler::preset::{Preset, Purpose};
use crate::url::origin::Origin;

/// A recipe for a robots.txt.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Name, such as "folder".
    pub name: &'static str,
    /// What follows the name, such as "/PATH/..."; empty for nothing.
    pub arguments: &'static str,
    /// What the recipe does: a sentence, which is also the comment in the file.
    pub title: &'static str,
    /// Section in Google's guide; empty for none.
    pub section: &'static str,
    target: RecipeTarget,
    effect: Effect,
}

/// The crawlers that a recipe is for.
#[derive(Clone, Copy, Debug)]
enum RecipeTarget {
    Everyone,
    /// The crawlers of the last line `for`.
    Chosen,
    /// The crawlers that the arguments name; everyone else gets the opposite.
    Arguments,
    Presets(fn(&Preset) -> bool),
}

pub(super) type Fallible<T> = Result<T, RecipeFault>;

/// Makes the path of a rule from an argument.
type MakePath = fn(&str) -> Fallible<String>;

/// The rules of a recipe. A `bool` is true for allow rules.
#[derive(Clone, Copy, Debug)]
enum Effect {
    /// One rule for the whole site.
    Site(bool),
    /// One rule for each argument.
    Each(bool, MakePath),
    /// A disallow rule for the whole site, and an allow rule for each argument.
    Only(MakePath),
    /// No rule: the arguments are URLs of sitemaps.
    Sitemaps,
}

use Effect::{Each, Only, Site, Sitemaps};
use RecipeTarget::{Arguments, Chosen, Everyone, Presets};

macro_rules! recipes {
    ($($name:literal $arguments:literal $title:tt $section:literal $target:expr => $effect:expr;)*) => {
        &[$(Recipe {
            name: $name, arguments: $arguments, title: $title, section: $section, target: $target, effect: $effect,
        }),*]
    };
}

/// The title of the recipe `only-folder`.
pub(super) const ONLY_FOLDER: &str = "Crawlers may fetch these folders only.";

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
    "image" "/PATH..." "These images do not appear in Google Images." "Block a specific image from Google Images" Presets(is_image_bot) => Each(false, path_of);
    "images" "" "No image appears in Google Images." "Block all images on your site from Google Images" Presets(is_image_bot) => Site(false);
    "all-but" "TOKEN..." "These crawlers stay out." "Allow access to all but a single crawler" Arguments => Site(false);
    "only" "TOKEN..." "Only these crawlers may come in." "Allow access to a single crawler" Arguments => Site(true);
    "ads-out" "" "The crawlers that check advertisements stay out." "Disallow crawling of the entire site" Presets(is_ads_bot) => Site(false);
    "training-out" "" "Pages are not used to train models." "" Presets(trains) => Site(false);
    "sitemap" "URL..." "These files list the pages of the site." "Sitemap" Everyone => Sitemaps;
};

fn is_image_bot(preset: &Preset) -> bool {
    preset.name() == "Googlebot-Image"
}

fn is_ads_bot(preset: &Preset) -> bool {
    preset.ignores_star() && preset.name().starts_with("AdsBot")
}

fn trains(preset: &Preset) -> bool {
    preset.purpose() == Purpose::Training
}

/// Returns the recipes that [`add_recipes`](crate::add_recipes) knows.
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

pub(super) fn fault<T>(text: impl Into<String>) -> Fallible<T> {
    Err(RecipeFault(text.into()))
}

/// A rule, and the title of its recipe.
#[derive(Clone)]
pub(super) struct RecipeRule {
    pub(super) allows: bool,
    pub(super) path: Vec<u8>,
    pub(super) title: &'static str,
    /// A line to copy that is no rule in rfc9309: a crawl-delay, or a rule that only google reads. It has no path.
    pub(super) line: Option<Vec<u8>>,
}

impl RecipeRule {
    pub(super) fn new(allows: bool, path: impl Into<Vec<u8>>, title: &'static str) -> RecipeRule {
        RecipeRule {
            allows,
            path: path.into(),
            title,
            line: None,
        }
    }

    fn site(allows: bool, title: &'static str) -> RecipeRule {
        RecipeRule::new(allows, "/", title)
    }

    pub(super) fn is_for_the_site(&self) -> bool {
        match self.path.as_slice() {
            [b'/', rest @ ..] => rest.iter().all(|byte| *byte == b'*'),
            [b'*', rest @ ..] => rest.iter().all(|byte| *byte == b'*'),
            _ => false,
        }
    }

    /// Returns what crawlers read of the rule: the title is a comment.
    pub(super) fn key(&self) -> (bool, Vec<u8>, Option<Vec<u8>>) {
        (self.allows, self.path.clone(), self.line.clone())
    }
}

/// Rules, and the names of the crawlers that they are for.
pub(super) struct RulesFor {
    pub(super) names: Vec<String>,
    pub(super) rules: Vec<RecipeRule>,
}

/// The crawlers that a wish is for.
#[derive(Clone)]
pub(super) enum Whom {
    /// Everyone except these crawlers, in each group of the file.
    AllBut(Vec<String>),
    /// The crawlers that no group names, if the file has no group of `*`.
    Star,
    Tokens(Vec<String>),
}

impl Whom {
    const EVERYONE: Whom = Whom::AllBut(Vec::new());
}

/// What a recipe means: rules for crawlers.
pub(super) struct Wish {
    pub(super) whom: Whom,
    pub(super) rules: Vec<RecipeRule>,
}

impl Wish {
    fn new(whom: Whom, rules: Vec<RecipeRule>) -> Wish {
        Wish { whom, rules }
    }

    /// Returns whether the wish is for a crawler that may have a group of its own.
    pub(super) fn is_for(&self, agent: &str) -> bool {
        match &self.whom {
            Whom::AllBut(tokens) => !is_among(tokens, agent),
            Whom::Tokens(tokens) => is_among(tokens, agent),
            Whom::Star => false,
        }
    }

    /// Returns the names of the crawlers that it is for, or that are exceptions.
    pub(super) fn tokens(&self) -> &[String] {
        match &self.whom {
            Whom::AllBut(tokens) | Whom::Tokens(tokens) => tokens,
            Whom::Star => &[],
        }
    }

    /// Returns whether the wish names a crawler, as one that it is for or as an exception.
    pub(super) fn names(&self, agent: &str) -> bool {
        is_among(self.tokens(), agent)
    }
}

/// Returns the name of a crawler in a sentence.
pub(super) fn shown(agent: &str) -> &str {
    if agent == "*" { "everyone else" } else { agent }
}

pub(super) fn is_among(names: &[String], name: &str) -> bool {
    names.iter().any(|other| other.eq_ignore_ascii_case(name))
}

/// Reads the requests: wishes, and the URLs of sitemaps.
pub(super) fn read(requests: &str) -> Fallible<(Vec<Wish>, Vec<String>)> {
    let (mut wishes, mut sitemaps) = (Vec::new(), Vec::new());
    let mut chosen = Whom::EVERYONE;
    let mut is_unused = false;
    for line in requests.lines() {
        let mut words = line.split_whitespace();
        let Some(name) = words.next() else { continue };
        let arguments: Vec<&str> = words.collect();
        if name == "for" {
            chosen = match &*arguments {
                [] => return fault("for: name a crawler, or `*` for everyone"),
                ["*"] => Whom::EVERYONE,
                tokens => Whom::Tokens(tokens_of(tokens)?),
            };
            is_unused = matches!(chosen, Whom::Tokens(_));
            continue;
        }
        let recipe = Recipe::find(name, &arguments)?;
        let rules = match recipe.effect {
            Site(allows) => vec![RecipeRule::site(allows, recipe.title)],
            Each(allows, make) => recipe.each(allows, make, &arguments)?,
            Only(make) => {
                let mut rules = vec![RecipeRule::site(false, recipe.title)];
                rules.extend(recipe.each(true, make, &arguments)?);
                rules
            }
            Sitemaps => {
                if let Some(url) = arguments.iter().find(|url| Origin::from_url(url).is_err()) {
                    return fault(format!(
                        "sitemap {url}: give an absolute URL, such as https://example.com/sitemap.xml"
                    ));
                }
                sitemaps.extend(arguments.into_iter().map(str::to_owned));
                continue;
            }
        };
        match recipe.target {
            Everyone => wishes.push(Wish::new(Whom::EVERYONE, rules)),
            Chosen => {
                is_unused = false;
                wishes.push(Wish::new(chosen.clone(), rules));
            }
            Presets(is_wanted) => {
                let wanted = Preset::all().filter(is_wanted);
                let names = wanted.map(|preset| preset.name().to_owned()).collect();
                wishes.push(Wish::new(Whom::Tokens(names), rules));
            }
            Arguments => {
                let tokens = tokens_of(&arguments)?;
                let (others, allows, title) = match recipe.effect {
                    Site(true) => (
                        Whom::AllBut(tokens.clone()),
                        false,
                        "Everyone else stays out.",
                    ),
                    _ => (Whom::Star, true, "Everyone else may come in."),
                };
                wishes.push(Wish::new(Whom::Tokens(tokens), rules));
                wishes.push(Wish::new(others, vec![RecipeRule::site(allows, title)]));
            }
        }
    }
    if let (true, Whom::Tokens(tokens)) = (is_unused, &chosen) {
        return fault(format!(
            "for {0}: no recipe after it is for chosen crawlers: name folder, file, type, only-folder or allow; all-but {0} keeps them out of the whole site",
            tokens.join(" ")
        ));
    }
    if wishes.is_empty() && sitemaps.is_empty() {
        return fault("there is no recipe: nothing to write");
    }
    Ok((wishes, sitemaps))
}

impl Recipe {
    /// Returns the recipe with a name, if it takes these arguments.
    fn find(name: &str, arguments: &[&str]) -> Fallible<Recipe> {
        let Some(recipe) = recipes().find(|recipe| recipe.name == name) else {
            let names: Vec<&str> = recipes().map(|recipe| recipe.name).collect();
            let names = names.join(", ");
            return fault(format!("{name}: unknown recipe; the recipes are {names}"));
        };
        match (recipe.arguments, arguments.first()) {
            ("", Some(extra)) => fault(format!("{name}: it takes no argument: remove {extra}")),
            ("", None) | (_, Some(_)) => Ok(recipe),
            (wanted, None) => fault(format!("{name}: give {wanted}")),
        }
    }

    /// Returns a rule for each argument.
    fn each(&self, allows: bool, make: MakePath, arguments: &[&str]) -> Fallible<Vec<RecipeRule>> {
        let rule = |argument: &&str| Ok(RecipeRule::new(allows, make(argument)?, self.title));
        arguments.iter().map(rule).collect()
    }
}

fn tokens_of(names: &[&str]) -> Fallible<Vec<String>> {
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

/// Returns the path of a rule that matches a path of a URL.
fn path_of(path: &str) -> Fallible<String> {
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
    // In a rule, `*` is a wildcard and a last `$` is the end of the URL (SPEC 8.3, 8.4).
    Ok(path.replace('*', "%2A").replace('$', "%24"))
}

fn folder_of(path: &str) -> Fallible<String> {
    let path = path_of(path)?;
    match path.as_str() {
        "/" => fault("/ is the whole site: use keep-all-out"),
        _ if path.contains('?') => fault(format!(
            "{path} has a query, which no folder has: use file or allow"
        )),
        _ if is_file_name(&path) => fault(format!(
            "{path} looks like a file: use file or allow, or end a folder with `/`"
        )),
        _ if path.ends_with('/') => Ok(path),
        _ => Ok(path + "/"),
    }
}

/// Returns whether a path ends with the extension of a file, such as `.html`.
fn is_file_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
    extension.is_some_and(|(_, end)| {
        end.len() <= 5 && end.starts_with(|first: char| first.is_ascii_alphabetic())
    })
}

fn type_of(extension: &str) -> Fallible<String> {
    let bare = extension.trim_start_matches('*').trim_start_matches('.');
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    if bare.is_empty() || !bare.bytes().all(is_plain) {
        return fault(format!(
            "{extension}: give the end of a file name, such as gif"
        ));
    }
    Ok(format!("/*.{bare}$"))
}
