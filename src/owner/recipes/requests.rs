//! Has the table of recipes, and turns requests into wishes: rules, and the crawlers that the rules are for.

use super::arguments::{folder_of, parameter_of, path_of, tokens_of, type_of};
use super::wishes::{Fallible, ONLY, ONLY_FOLDER, RecipeRule, Whom, Wish, fault, is_among};
use crate::crawler::preset::{Preset, Purpose};
use crate::url::origin::Origin;

/// A recipe for a robots.txt.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Name, such as "folder".
    pub name: &'static str,
    /// Arguments after the name, such as "/PATH/..."; empty if the recipe takes no argument.
    pub arguments: &'static str,
    /// What the recipe does: a sentence, which is also the comment in the file.
    pub title: &'static str,
    /// Section in Google's guide; empty if the guide has none.
    pub section: &'static str,
    target: RecipeTarget,
    effect: Effect,
}

/// The crawlers that a recipe is for.
#[derive(Clone, Copy, Debug)]
enum RecipeTarget {
    /// The crawlers of the last `for` line; everyone if there is no such line.
    Chosen,
    /// The crawlers that the arguments name. All other crawlers get the opposite rule.
    Arguments,
    Presets(fn(&Preset) -> bool),
}

/// Makes the paths of rules from an argument.
type MakePaths = fn(&str) -> Fallible<Vec<String>>;

/// The rules of a recipe. A `bool` is true for allow rules.
#[derive(Clone, Copy, Debug)]
enum Effect {
    /// One rule for the whole site.
    Site(bool),
    /// Rules for each argument.
    Each(bool, MakePaths),
    /// A disallow rule for the whole site, and an allow rule for each argument.
    Only(MakePaths),
    /// No rule: the arguments are URLs of sitemaps.
    Sitemaps,
}

use Effect::{Each, Only, Site, Sitemaps};
use RecipeTarget::{Arguments, Chosen, Presets};

macro_rules! recipes {
    ($($name:literal $arguments:literal $title:tt $section:literal $target:expr => $effect:expr;)*) => {
        &[$(Recipe {
            name: $name, arguments: $arguments, title: $title, section: $section, target: $target, effect: $effect,
        }),*]
    };
}

/// The recipes. The sections are the rows of the table "Useful robots.txt rules" in Google's guide.
#[rustfmt::skip]
const RECIPES: &[Recipe] = recipes! {
    "keep-all-out" "" "No crawler may fetch anything." "Disallow crawling of the entire site" Chosen => Site(false);
    "let-all-in" "" "Every crawler may fetch everything." "Create rules in the robots.txt file" Chosen => Site(true);
    "folder" "/PATH/..." "Crawlers stay out of these folders." "Disallow crawling of a directory and its contents" Chosen => Each(false, folder_of);
    "file" "/PATH..." "Crawlers do not fetch these pages." "Disallow crawling of a single web page" Chosen => Each(false, path_of);
    "type" "EXTENSION..." "Crawlers do not fetch files of these types." "Disallow crawling of files of a specific file type" Chosen => Each(false, type_of);
    "parameter" "NAME..." "Crawlers stay out of searches and filters: URLs with these parameters." "" Chosen => Each(false, parameter_of);
    "only-folder" "/PATH/..." ONLY_FOLDER "Disallow crawling of the whole site except a subdirectory" Chosen => Only(folder_of);
    "allow" "/PATH..." "Crawlers may fetch these paths in a folder that they stay out of." "" Chosen => Each(true, path_of);
    "image" "/PATH..." "These images do not appear in Google Images." "Block a specific image from Google Images" Presets(is_image_bot) => Each(false, path_of);
    "images" "" "No image appears in Google Images." "Block all images on your site from Google Images" Presets(is_image_bot) => Site(false);
    "all-but" "TOKEN..." "These crawlers stay out." "Allow access to all but a single crawler" Arguments => Site(false);
    "only" "TOKEN..." ONLY "Allow access to a single crawler" Arguments => Site(true);
    "ads-out" "" "Crawlers of advertisements stay out." "Disallow crawling of the entire site" Presets(is_ads_bot) => Site(false);
    "training-out" "" "Pages are not used to train models." "" Presets(trains) => Site(false);
    "sitemap" "URL..." "These files list the pages of the site." "Sitemap" Chosen => Sitemaps;
};

fn is_image_bot(preset: &Preset) -> bool {
    preset.name() == "Googlebot-Image"
}

/// Returns whether an advertising crawler obeys only groups that name it. Other advertising crawlers obey rules for everyone.
fn is_ads_bot(preset: &Preset) -> bool {
    let is_governed = preset.ignores_star() && !preset.ignores_robots_txt();
    is_governed && preset.purpose() == Purpose::Commerce
}

fn trains(preset: &Preset) -> bool {
    preset.purpose() == Purpose::Training
}

/// Returns the recipes that [`add_recipes`](crate::add_recipes) knows.
pub fn recipes() -> impl ExactSizeIterator<Item = Recipe> {
    RECIPES.iter().copied()
}

/// Parses the requests. Returns wishes and the URLs of sitemaps.
pub(super) fn read(requests: &str) -> Fallible<(Vec<Wish>, Vec<String>)> {
    let (mut wishes, mut sitemaps) = (Vec::new(), Vec::new());
    let mut chosen = Whom::EVERYONE;
    let mut chosen_names: Vec<&str> = Vec::new();
    let mut is_unused = false;
    let kept_out = kept_out(requests);
    for line in requests.lines() {
        let mut words = line.split_whitespace();
        let Some(name) = words.next() else { continue };
        let arguments: Vec<&str> = words.collect();
        if name == "for" {
            let tokens = tokens_of(&arguments, |token| !is_among(&kept_out, token))?;
            chosen = match &*tokens {
                [] => return fault("for: name a crawler, or `*` for everyone"),
                [all] if all == "*" => Whom::EVERYONE,
                _ => Whom::Tokens(tokens),
            };
            is_unused = matches!(chosen, Whom::Tokens(_));
            chosen_names = arguments;
            continue;
        }
        let recipe = Recipe::find(name, &arguments)?;
        let mut rules = match recipe.effect {
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
        let whom = match recipe.target {
            Chosen => {
                is_unused = false;
                chosen.clone()
            }
            Presets(is_wanted) => Whom::Tokens(names_of(is_wanted)),
            Arguments => {
                // Letting a crawler in does not permit training, which only control tokens permit.
                let is_let_in = matches!(recipe.effect, Site(true));
                let is_control =
                    |token: &str| Preset::find(token).is_some_and(|it| it.is_control_token());
                let is_meant =
                    |token: &str| !(is_among(&kept_out, token) || is_let_in && is_control(token));
                let tokens = tokens_of(&arguments, is_meant)?;
                if let Some(name) = tokens.iter().find(|name| *name == "*") {
                    return fault(format!(
                        "{name} is everyone: use keep-all-out or let-all-in"
                    ));
                }
                let (others, allows, title) = match recipe.effect {
                    Site(true) => (
                        Whom::AllBut(tokens.clone()),
                        false,
                        "Everyone else stays out.",
                    ),
                    _ => (Whom::Star, true, "Everyone else may come in."),
                };
                wishes.push(Wish {
                    whom: others,
                    rules: vec![RecipeRule::site(allows, title)],
                    recipe: None,
                    named: Vec::new(),
                    bare: Vec::new(),
                });
                Whom::Tokens(tokens)
            }
        };
        // The title of the recipe is about all crawlers, but this group is for some crawlers.
        if let (Chosen, Site(allows), Whom::Tokens(_)) = (recipe.target, recipe.effect, &whom) {
            let title = match allows {
                true => "These crawlers may come in.",
                false => "These crawlers stay out.",
            };
            rules = vec![RecipeRule::site(allows, title)];
        }
        let named = match recipe.target {
            Chosen => &chosen_names,
            _ => &arguments,
        };
        let named = named.iter().map(|name| (*name).to_owned()).collect();
        let is_bare = |path: &&&str| recipe.name == "folder" && !path.ends_with(['/', '*']);
        let bare = arguments.iter().filter(is_bare);
        let bare = bare.map(|path| (*path).to_owned()).collect();
        wishes.push(Wish {
            whom,
            rules,
            recipe: Some(recipe.name),
            named,
            bare,
        });
    }
    if let (true, Whom::Tokens(tokens)) = (is_unused, &chosen) {
        let names = recipes()
            .filter(|recipe| matches!(recipe.target, Chosen) && !matches!(recipe.effect, Sitemaps));
        let names: Vec<&str> = names.map(|recipe| recipe.name).collect();
        return fault(format!(
            "for {}: no recipe after it is for chosen crawlers: name one of {}",
            tokens.join(" "),
            names.join(", ")
        ));
    }
    if wishes.is_empty() && sitemaps.is_empty() {
        return fault("there is no recipe: nothing to write");
    }
    Ok((wishes, sitemaps))
}

fn names_of(is_wanted: fn(&Preset) -> bool) -> Vec<String> {
    let wanted = Preset::all().filter(is_wanted);
    wanted.map(|preset| preset.name().to_owned()).collect()
}

/// Returns the crawlers that recipes without arguments keep out. In other recipes, an operator's name does not mean these
/// crawlers.
fn kept_out(requests: &str) -> Vec<String> {
    let names = requests
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    let named = names.filter_map(|name| recipes().find(|recipe| recipe.name == name));
    let out = named.filter_map(|recipe| match (recipe.target, recipe.effect) {
        (Presets(is_wanted), Site(false)) => Some(names_of(is_wanted)),
        _ => None,
    });
    out.flatten().collect()
}

impl Recipe {
    /// Returns whether a `for` line chooses the crawlers of this recipe.
    pub fn takes_crawlers(&self) -> bool {
        matches!(self.target, Chosen) && !matches!(self.effect, Sitemaps)
    }

    /// Returns the recipe with a name. Returns a fault if the recipe does not take these arguments.
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

    fn each(&self, allows: bool, make: MakePaths, arguments: &[&str]) -> Fallible<Vec<RecipeRule>> {
        let mut rules = Vec::new();
        for argument in arguments {
            let paths = make(argument)?.into_iter();
            rules.extend(paths.map(|path| RecipeRule::new(allows, path, self.title)));
        }
        Ok(rules)
    }
}
