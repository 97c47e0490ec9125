//! `robots new`: a robots.txt from the recipes of Google's guide.

use std::io::{self, BufRead, IsTerminal, Write as _};
use std::path::{Path, PathBuf};

use robots::{Preset, Recipe, Severity};

use crate::crawler::How;
use crate::fault::{Exit, Fault, complain};
use crate::input;
use crate::screen;
use crate::{crawler_names, diff, policy, subject};

/// Write a robots.txt from recipes, or add recipes to one
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots new --folder /cart/ --sitemap https://example.com/sitemap.xml -o robots.txt
  robots new --training-out --from robots.txt -o robots.txt
  robots new --only Googlebot --only Bingbot
  robots new --folder /account/ --allow /account/help
  robots new --images --for Googlebot-Image --allow /img/teapot.jpg

On a terminal without a recipe the command asks. The recipes are those of Google's guide `Create and
submit a robots.txt file`; several may be given. --for names the crawlers of every --folder, --file,
--type, --only-folder and --allow of the command; without it they are for everyone, also for
crawlers that have groups of their own. To write rules for one crawler and for everyone, run the
command twice:
  robots new --folder /cart/ | robots new --from - --for Googlebot --type gif
A crawler that stays out of the whole site gets no --allow for everyone.

Without --output the file goes to standard output. Standard error shows what lint reports of it, and
with --from the verdicts that change, else what well-known crawlers may fetch. Nothing is written if
a crawler would read the file differently than meant, or if a crawler that no recipe names would get
another verdict in any dialect. On a terminal --from asks before it writes over a file; --yes does
not.

A robots.txt hides nothing: everybody can read it, and a page that is disallowed may still be listed
by search engines. Protect private pages with a password.

Exit status: 0 done; 1 nothing was written, on your answer; 2 bad input or usage.")]
pub(crate) struct Args {
    /// Add to this robots.txt; its lines stay as they are
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Write the file here
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Explain the rules in comments
    #[arg(long)]
    comments: bool,
    /// Write over FILE without a question
    #[arg(short, long)]
    yes: bool,
    /// The crawlers of --folder, --file, --type, --only-folder and --allow [default: everyone]
    #[arg(long = "for", value_name = "TOKEN", help_heading = RECIPES)]
    whom: Vec<String>,
    /// No crawler may fetch anything
    #[arg(long, help_heading = RECIPES)]
    keep_all_out: bool,
    /// Every crawler may fetch everything
    #[arg(long, help_heading = RECIPES)]
    let_all_in: bool,
    /// Crawlers stay out of this folder
    #[arg(long, value_name = "/PATH/", help_heading = RECIPES)]
    folder: Vec<String>,
    /// Crawlers do not fetch this page
    #[arg(long, value_name = "/PATH", help_heading = RECIPES)]
    file: Vec<String>,
    /// Crawlers do not fetch files of this type, such as gif
    #[arg(long = "type", value_name = "EXTENSION", help_heading = RECIPES)]
    kind: Vec<String>,
    /// Crawlers may fetch this folder only
    #[arg(long, value_name = "/PATH/", help_heading = RECIPES)]
    only_folder: Vec<String>,
    /// Crawlers may fetch this path in a folder that they stay out of
    #[arg(long, value_name = "/PATH", help_heading = RECIPES)]
    allow: Vec<String>,
    /// This image does not appear in Google Images
    #[arg(long, value_name = "/PATH", help_heading = RECIPES)]
    image: Vec<String>,
    /// No image appears in Google Images
    #[arg(long, help_heading = RECIPES)]
    images: bool,
    /// This crawler stays out, and everyone else may come in
    #[arg(long, value_name = "TOKEN", help_heading = RECIPES)]
    all_but: Vec<String>,
    /// Only this crawler may come in
    #[arg(long, value_name = "TOKEN", help_heading = RECIPES)]
    only: Vec<String>,
    /// The crawlers that check advertisements stay out; they ignore the rules for everyone
    #[arg(long, help_heading = RECIPES)]
    ads_out: bool,
    /// Pages are not used to train models: crawlers and control tokens for training stay out
    #[arg(long, help_heading = RECIPES)]
    training_out: bool,
    /// A file that lists the pages of the site
    #[arg(long, value_name = "URL", help_heading = RECIPES)]
    sitemap: Vec<String>,
    #[command(flatten)]
    how: How,
}

const RECIPES: &str = "Recipes";

impl Args {
    /// Returns the recipes as the library reads them.
    fn requests(&self) -> Result<String, Fault> {
        let switch = |name: &str, is_on: bool| is_on.then(|| name.to_owned());
        let list = |name: &str, values: &[String]| {
            // A space would start another argument.
            if let Some(value) = values
                .iter()
                .find(|value| value.contains(char::is_whitespace))
            {
                return Err(Fault::new(format!(
                    "--{name} {value}: write %20 for a space"
                )));
            }
            if let Some(advice) = values.iter().find_map(|value| advice(name, value)) {
                return Err(Fault::new(advice));
            }
            Ok((!values.is_empty()).then(|| format!("{name} {}", values.join(" "))))
        };
        let lines = [
            list("for", &self.whom)?,
            switch("keep-all-out", self.keep_all_out),
            switch("let-all-in", self.let_all_in),
            list("folder", &self.folder)?,
            list("file", &self.file)?,
            list("type", &self.kind)?,
            list("only-folder", &self.only_folder)?,
            list("allow", &self.allow)?,
            list("image", &self.image)?,
            switch("images", self.images),
            list("all-but", &self.all_but)?,
            list("only", &self.only)?,
            switch("ads-out", self.ads_out),
            switch("training-out", self.training_out),
            list("sitemap", &self.sitemap)?,
        ];
        Ok(lines.into_iter().flatten().collect::<Vec<_>>().join("\n"))
    }
}

/// Returns what to write in place of a value that people often give.
fn advice(name: &str, value: &str) -> Option<String> {
    let says = |text: String| Some(format!("--{name} {value}: {text}"));
    match (name, value.split_once("://")) {
        ("for" | "all-but" | "only" | "type", _) if value.contains(',') => {
            let each = value.split(',').map(|one| format!("--{name} {one}"));
            let each = each.collect::<Vec<_>>().join(" ");
            says(format!("give the option for each: {each}"))
        }
        ("folder" | "only-folder", _) if value == "/" => says(
            "this is the whole site: write --keep-all-out, --let-all-in, or --all-but TOKEN for one crawler".to_owned(),
        ),
        ("folder" | "file" | "only-folder" | "allow" | "image", Some((_, rest))) => {
            let path = rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/");
            says(format!("a robots.txt holds paths of its own site: write --{name} {path}"))
        }
        _ => None,
    }
}

impl Args {
    /// Says that a path is no pattern.
    fn note_literals(&self) {
        let kinds = [
            ("folder", &self.folder),
            ("file", &self.file),
            ("only-folder", &self.only_folder),
            ("allow", &self.allow),
            ("image", &self.image),
        ];
        for (name, paths) in kinds {
            for path in paths
                .iter()
                .filter(|path| path.contains('*') || path.ends_with('$'))
            {
                complain(&format!(
                    "--{name} {path}: `*` and `$` are literal here; for a pattern add the rule by hand, such as `Disallow: /*?*sort=`"
                ));
            }
        }
    }
}

pub(crate) fn run(args: Args) -> Result<Exit, Fault> {
    let mut requests = args.requests()?;
    if let Some(folder) = args.output.as_deref().filter(|output| output.is_dir()) {
        let file = folder.join("robots.txt");
        return Err(Fault::new(format!(
            "{} is a folder: name the file, such as -o {}",
            input::shown(folder),
            input::shown(&file)
        )));
    }
    args.note_literals();
    let is_asked = io::stdin().is_terminal() && io::stderr().is_terminal();
    if requests.is_empty() && is_asked {
        requests = questions()?;
    }
    for (option, tokens) in [
        ("--for", &args.whom),
        ("--all-but", &args.all_but),
        ("--only", &args.only),
    ] {
        for token in tokens {
            crawler_names::warn(option, token);
        }
    }
    let must_ask = must_ask(&args, is_asked)?;
    let old = match &args.from {
        Some(path) => subject::read_body(path, args.how.worth_reading())?,
        None => Vec::new(),
    };
    if let Some(path) = &args.from {
        input::refuse_other_than_text(&input::shown(path), &old)?;
    }
    let text = robots::add_recipes(&old, &requests, args.comments)
        .map_err(|why| Fault::new(format!("nothing is written: {why}")))?;
    let report = robots::lint(&args.how.crawler(&["robots"])?, &text)
        .map_err(|error| Fault::new(error.to_string()))?;
    for found in report.diagnostics() {
        if found.severity() > Severity::Note {
            complain(&format!(
                "{} in line {}: {}",
                found.code, found.line, found.message
            ));
        }
    }
    note_ads(&args.how, &text)?;
    let shown = match args.from {
        Some(_) => diff::between(&args.how, [&old, &text])?,
        None => policy::table_of(&args.how, &text)?,
    };
    let _ = io::stderr().write_all(shown.as_bytes());
    let Some(output) = &args.output else {
        screen::print(&text)?;
        return Ok(Exit::Yes);
    };
    if must_ask
        && !is_yes(&ask(&format!(
            "Write over {}? [y/N] ",
            input::shown(output)
        ))?)
    {
        complain("nothing was written");
        return Ok(Exit::No);
    }
    input::write(output, &text)?;
    complain(&format!("wrote {}", input::shown(output)));
    Ok(Exit::Yes)
}

/// Says who may come in although everyone is kept out: crawlers that do not obey the group of `*`.
fn note_ads(how: &How, text: &[u8]) -> Result<(), Fault> {
    let mut open = Vec::new();
    let own = Preset::all().filter(|preset| preset.ignores_star() && !preset.ignores_robots_txt());
    for preset in own {
        if how.known(preset)?.parse(text).is_allowed("/") {
            open.push(preset.name());
        }
    }
    let everyone = how.crawler::<&str>(&[])?.parse(text);
    if !everyone.is_allowed("/") && !open.is_empty() {
        let next = match open.iter().any(|name| name.starts_with("AdsBot")) {
            true => "; --ads-out keeps the AdsBots out",
            false => "",
        };
        complain(&format!(
            "not kept out, since only groups with the name count: {}{next}",
            open.join(", ")
        ));
    }
    Ok(())
}

fn is_yes(answer: &str) -> bool {
    answer.eq_ignore_ascii_case("y") || answer.eq_ignore_ascii_case("yes")
}

/// Whether to ask before a file is written over.
///
/// # Errors
/// Nobody can be asked, and the file was not read: it would be lost.
fn must_ask(args: &Args, is_terminal: bool) -> Result<bool, Fault> {
    let Some(output) = args
        .output
        .as_deref()
        .filter(|output| output.exists() && !args.yes)
    else {
        return Ok(false);
    };
    let was_read = args.from.as_deref().is_some_and(|from| {
        matches!((from.canonicalize(), output.canonicalize()), (Ok(from), Ok(output)) if from == output)
    });
    match is_terminal || was_read {
        true => Ok(is_terminal),
        false => Err(Fault::new(format!(
            "{} exists: to add to it, write --from {0}; to write over it, add --yes",
            input::shown(output)
        ))),
    }
}

/// Asks for each recipe, until an empty answer.
fn questions() -> Result<String, Fault> {
    let recipes: Vec<Recipe> = robots::recipes().collect();
    let mut menu = String::from("What should the file do? An empty answer ends the list.\n");
    for (index, recipe) in recipes.iter().enumerate() {
        menu.push_str(&format!("{:4}  {}\n", index + 1, recipe.title));
    }
    let _ = io::stderr().write_all(menu.as_bytes());
    let mut requests = String::new();
    loop {
        let answer = ask("Number: ")?;
        if answer.is_empty() {
            return Ok(requests);
        }
        let index = answer
            .parse::<usize>()
            .ok()
            .and_then(|number| number.checked_sub(1));
        let Some(recipe) = index.and_then(|index| recipes.get(index)) else {
            complain(&format!(
                "{answer}: give a number from 1 to {}",
                recipes.len()
            ));
            continue;
        };
        let arguments = match recipe.arguments {
            "" => String::new(),
            wanted => ask(&format!("  {wanted} "))?,
        };
        let line = format!("{} {arguments}\n", recipe.name);
        match robots::add_recipes(b"", &line, false) {
            Ok(_) => requests.push_str(&line),
            Err(why) => complain(&why.to_string()),
        }
    }
}

fn ask(question: &str) -> Result<String, Fault> {
    let _ = io::stderr().write_all(question.as_bytes());
    let mut answer = String::new();
    let read = io::stdin().lock().read_line(&mut answer);
    read.map_err(|error| input::cannot_read(Path::new(input::STANDARD_INPUT), &error))?;
    Ok(answer.trim().to_owned())
}
