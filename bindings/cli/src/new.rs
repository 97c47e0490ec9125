//! `robots new`: a robots.txt from the recipes of Google's guide.

use std::io::{self, BufRead, IsTerminal, Write as _};
use std::path::{Path, PathBuf};

use robots::{AddedRecipes, Code, Crawler, Recipe};

use crate::crawler::How;
use crate::crawler_names::EVERYONE;
use crate::fault::{Exit, Fault, complain};
use crate::input;
use crate::lint::{self, fix};
use crate::screen::{self, safe};
use crate::{diff, policy, subject};

/// Write a robots.txt from recipes, or add recipes to one
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots new --folder /cart/ --sitemap https://example.com/sitemap.xml -o robots.txt
  robots new --training-out --from robots.txt -o robots.txt
  robots new --file /search --parameter sort,filter
  robots new --only google,bing
  robots new --folder /account/ --allow /account/help
  robots new --images --for Googlebot-Image --allow /img/teapot.jpg

On a terminal without a recipe the command asks. The recipes are those of Google's guide `Create and
submit a robots.txt file`; several may be given. A crawler is named as in its documentation, such as
Googlebot; the name of an operator, such as google or openai, means all its crawlers (`robots
crawlers`). --for names the crawlers of every recipe of the command that neither names crawlers nor
is for some; without it they are for everyone, also for crawlers that have groups of their own. To
write rules for one crawler and for everyone, run the command twice:
  robots new --folder /cart/ | robots new --from - --for Googlebot --type gif
A crawler that stays out of the whole site gets no --allow for everyone.

In a path, `*` stands for any text, and a `$` at its end for the end of the URL, as in the file
itself; write %2A and %24 for these characters of a URL. --file /tea is for all URLs that start with
/tea, and '/tea$' for that page alone. Capitals count, so --type pdf writes rules for .pdf and .PDF.
--parameter writes rules for a name wherever it is in the query: `/*?q=` and `/*&q=`.

Without --output the file goes to standard output. Standard error shows what changes in the file,
what lint reports of that, and in at most eight lines what the result does; --all shows every
verdict that changes, or without --from what each well-known crawler may fetch. Nothing is written
if a crawler would read the file differently than meant, or if a crawler that no recipe names would
get another verdict in any dialect. An older rule that decides in spite of a recipe is named. On a
terminal --from asks before it writes over a file; --yes does not.

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
    /// Show every verdict that changes, not only eight lines
    #[arg(long)]
    all: bool,
    /// The crawlers of the recipes that name none [default: everyone]
    #[arg(long = "for", value_name = "NAME,...", help_heading = RECIPES)]
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
    /// Crawlers do not fetch URLs that start with this
    #[arg(long, value_name = "/PATH", help_heading = RECIPES)]
    file: Vec<String>,
    /// Crawlers do not fetch files whose names end like this, such as pdf
    #[arg(long = "type", value_name = "EXTENSION,...", help_heading = RECIPES)]
    kind: Vec<String>,
    /// Crawlers stay out of searches and filters: URLs with this parameter, such as q or sort
    #[arg(long, value_name = "NAME,...", help_heading = RECIPES)]
    parameter: Vec<String>,
    /// Crawlers may fetch this folder only; style sheets and scripts elsewhere are shut, too
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
    #[arg(long, value_name = "NAME,...", help_heading = RECIPES)]
    all_but: Vec<String>,
    /// Only this crawler may come in
    #[arg(long, value_name = "NAME,...", help_heading = RECIPES)]
    only: Vec<String>,
    /// Google's crawlers of advertisements stay out, which ignore the rules for everyone; AdSense needs them
    #[arg(long, help_heading = RECIPES)]
    ads_out: bool,
    /// Pages are not used to train models: all names of crawlers for training stay out
    #[arg(long, help_heading = RECIPES)]
    training_out: bool,
    /// A file that lists the pages of the site
    #[arg(long, value_name = "URL", help_heading = RECIPES)]
    sitemap: Vec<String>,
    #[command(flatten)]
    how: How,
    /// No recipe: its fault says what to write.
    #[arg(long, hide = true, num_args = 0..=1, default_missing_value = "10", value_name = "SECONDS")]
    crawl_delay: Option<String>,
}

const RECIPES: &str = "Recipes";

impl Args {
    /// Returns the recipes as the library reads them.
    fn requests(&self) -> Result<String, Fault> {
        let switch = |name: &str, is_on: bool| is_on.then(|| name.to_owned());
        let names = |name: &str, values: &[String]| {
            let words = values.iter().flat_map(|value| words(value));
            let words: Vec<&str> = words.collect();
            (!words.is_empty()).then(|| format!("{name} {}", words.join(" ")))
        };
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
            names("for", &self.whom),
            switch("keep-all-out", self.keep_all_out),
            switch("let-all-in", self.let_all_in),
            list("folder", &self.folder)?,
            list("file", &self.file)?,
            names("type", &self.kind),
            names("parameter", &self.parameter),
            list("only-folder", &self.only_folder)?,
            list("allow", &self.allow)?,
            list("image", &self.image)?,
            switch("images", self.images),
            names("all-but", &self.all_but),
            names("only", &self.only),
            switch("ads-out", self.ads_out),
            switch("training-out", self.training_out),
            list("sitemap", &self.sitemap)?,
        ];
        Ok(lines.into_iter().flatten().collect::<Vec<_>>().join("\n"))
    }
}

/// Splits a list at commas and blanks.
fn words(list: &str) -> impl Iterator<Item = &str> {
    let words = list.split(|at: char| at == ',' || at.is_whitespace());
    words.filter(|word| !word.is_empty())
}

/// Returns what to write in place of a value that people often give.
fn advice(name: &str, value: &str) -> Option<String> {
    let says = |text: String| Some(format!("--{name} {value}: {text}"));
    match (name, value.split_once("://")) {
        ("folder" | "only-folder", _) if value == "/" => says(
            "this is the whole site: write --keep-all-out, --let-all-in, or --all-but NAME for one crawler".to_owned(),
        ),
        ("folder" | "file" | "only-folder" | "allow", None)
            if value.contains(",/") || value.contains(";/") =>
        {
            let all = value.split([',', ';']).map(|path| format!("--{name} {path}"));
            let all = all.collect::<Vec<_>>().join(" ");
            says(format!("a path has no comma here: write {all}"))
        }
        ("folder" | "file" | "only-folder" | "allow" | "image", Some((_, rest))) => {
            let path = rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/");
            says(format!("a robots.txt holds paths of its own site: write --{name} {path}"))
        }
        _ => None,
    }
}

pub(crate) fn run(mut args: Args) -> Result<Exit, Fault> {
    if let Some(seconds) = &args.crawl_delay {
        return Err(Fault::new(format!(
            "--crawl-delay is no recipe: Googlebot ignores this line; for another crawler, such as bingbot, write `Crawl-delay: {seconds}` by hand below its line `User-agent: bingbot` or, if it has none, below `User-agent: *`"
        )));
    }
    let mut requests = args.requests()?;
    if let Some(folder) = args.output.as_deref().filter(|output| output.is_dir()) {
        let file = folder.join("robots.txt");
        return Err(Fault::new(format!(
            "{} is a folder: name the file, such as -o {}",
            input::shown(folder),
            input::shown(&file)
        )));
    }
    let is_asked = io::stdin().is_terminal() && io::stderr().is_terminal();
    let has_questions = requests.is_empty() && is_asked;
    if has_questions {
        requests = questions()?;
    }
    if requests.is_empty() {
        return Err(Fault::new(
            "nothing is written: give a recipe, such as --folder /cart/ (`robots new --help` lists them)",
        ));
    }
    must_ask(&args, is_asked)?;
    let old = match &args.from {
        Some(path) => subject::read_body(path, args.how.worth_reading())?,
        None => Vec::new(),
    };
    let added = robots::add_recipes(&old, &requests, args.comments)
        .map_err(|why| Fault::new(format!("nothing is written: {why}")))?;
    let text = &added.text;
    complain_of_faults(&args, [&old, text])?;
    let mut shown = String::new();
    if args.from.is_some() || args.output.is_some() || has_questions {
        let file = args.output.as_ref().or(args.from.as_ref());
        let name = file.map_or("robots.txt".into(), |file| input::name(file));
        if old != *text {
            shown.push_str(&fix::diff(&name, &old, text));
            shown.push('\n');
        }
    }
    if args.all {
        shown.push_str(&match args.from {
            Some(_) => diff::between(&args.how, [&old, text])?,
            None => policy::table_of(&args.how, text)?,
        });
    }
    shown.push_str(&effects_of(&added, old == *text, args.all));
    let _ = io::stderr().write_all(shown.as_bytes());
    if has_questions && args.output.is_none() && io::stdout().is_terminal() {
        let file = ask("File to write, such as robots.txt (empty: show it here): ")?;
        args.output = (!file.is_empty()).then(|| file.into());
    }
    let Some(output) = &args.output else {
        screen::print(text)?;
        return Ok(Exit::Yes);
    };
    if must_ask(&args, is_asked)?
        && !is_yes(&ask(&format!(
            "Write over {}? [y/N] ",
            input::shown(output)
        ))?)
    {
        complain("nothing was written");
        return Ok(Exit::No);
    }
    input::write(output, text)?;
    complain(&format!("wrote {}", input::shown(output)));
    Ok(Exit::Yes)
}

/// Complains about what lint reports of the new file and does not of the old one.
fn complain_of_faults(args: &Args, bodies: [&[u8]; 2]) -> Result<(), Fault> {
    let crawler = args.how.crawler(&["robots"])?;
    let [old, new] = bodies;
    let is_open = ["Googlebot", "bingbot"].iter().all(|name| {
        let crawler = Crawler::preset(name);
        crawler.is_ok_and(|crawler| crawler.parse(new).is_allowed("/"))
    });
    let mut older = 0;
    for (found, is_known) in lint::compared(&crawler, old, new)? {
        match is_known {
            // Who may fetch the home page is said below.
            _ if found.code == Code::SearchKeptOut && !is_open => {}
            true => older += 1,
            false => complain(&format!(
                "{} in line {}: {}",
                found.code, found.line, found.message
            )),
        }
    }
    if older > 0 {
        let faults = if older == 1 { "fault" } else { "faults" };
        complain(&format!(
            "{older} {faults} of lines that were there: `robots lint` shows them"
        ));
    }
    Ok(())
}

/// The most lines of what recipes do; one more is about the home page.
const MOST_EFFECTS: usize = 7;

/// Returns what the recipes do, with warnings, and who may fetch the home page, in at most eight lines. If not all fit, effects
/// are left out before warnings.
fn effects_of(added: &AddedRecipes, is_same: bool, has_all: bool) -> String {
    let same = ["the file has these rules already: it stays as it is".to_owned()];
    let effects = match is_same {
        true => &same[..],
        false => &added.effects,
    };
    let warnings = &added.warnings;
    let total = effects.len() + warnings.len();
    let room = match has_all || total <= MOST_EFFECTS {
        true => total,
        false => MOST_EFFECTS - 1,
    };
    let warned = warnings.len().min(room.saturating_sub(1));
    let effects = effects.iter().take(room - warned).map(|line| ("-", line));
    let warnings = warnings.iter().take(warned).map(|line| ("!", line));
    let mut text = String::new();
    for (mark, line) in effects.chain(warnings) {
        text.push_str(&format!("{mark} {}\n", safe(line.as_bytes())));
    }
    if room < total {
        text.push_str(&format!("- and {} more: --all shows them\n", total - room));
    }
    format!("{text}- {}\n\n", added.home_page)
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
        let arguments = arguments_of(recipe)?;
        let line = format!("{} {}", recipe.name, arguments.join(" "));
        let mut lines = line.clone();
        let mut added = robots::add_recipes(b"", &line, false);
        let mut shown = match &*arguments {
            [] => recipe.name.to_owned(),
            _ => format!("{}: {}", recipe.name, arguments.join(", ")),
        };
        if recipe.takes_crawlers() && added.is_ok() {
            let answer = ask("  for which crawlers (empty: everyone): ")?;
            let names = match words(&answer).collect::<Vec<_>>() {
                names if names.is_empty() => vec![EVERYONE],
                names => names,
            };
            lines = format!("for {}\n{line}", names.join(" "));
            added = robots::add_recipes(b"", &lines, false);
            shown.push_str(&format!(" for {}", names_shown(&names)));
        } else if recipe.arguments == "TOKEN..." {
            let names: Vec<&str> = arguments.iter().map(String::as_str).collect();
            shown = format!("{}: {}", recipe.name, names_shown(&names));
        }
        match added {
            Ok(_) => {
                requests.push_str(&(lines + "\n"));
                let _ = writeln!(io::stderr(), "  {}", safe(shown.as_bytes()));
            }
            Err(why) => complain(&why.to_string()),
        }
    }
}

/// Asks for the arguments of a recipe.
fn arguments_of(recipe: &Recipe) -> Result<Vec<String>, Fault> {
    let question = match recipe.arguments {
        "" => return Ok(Vec::new()),
        "/PATH/..." => "folders, such as /cart/ /checkout/",
        "/PATH..." => "paths, such as /tea.html",
        "EXTENSION..." => "ends of file names, such as pdf gif",
        "NAME..." => "names of parameters, such as q sort",
        "TOKEN..." => "crawlers or operators, such as Googlebot openai",
        wanted => wanted,
    };
    let answer = ask(&format!("  {question}: "))?;
    let mut arguments: Vec<String> = match recipe.arguments {
        // A URL may have a comma.
        "URL..." => {
            let urls = answer.split_whitespace().map(|url| url.trim_matches(','));
            urls.map(str::to_owned).collect()
        }
        _ => words(&answer).map(str::to_owned).collect(),
    };
    let is_path = recipe.arguments.starts_with('/');
    for path in arguments.iter_mut().filter(|_| is_path) {
        let has_wildcard = path.contains('*') || path.ends_with('$');
        let question = "does `*` stand for any text, and a last `$` for the end of the URL? [Y/n] ";
        if has_wildcard && is_no(&ask(&format!("  {path}: {question}"))?) {
            *path = path.replace('*', "%2A").replace('$', "%24");
        }
    }
    Ok(arguments)
}

/// Returns names of crawlers, with the crawlers of each operator.
fn names_shown(names: &[&str]) -> String {
    let shown = names.iter().map(|name| {
        let own: Vec<String> = robots::operator_tokens(name.as_bytes())
            .map(str::to_owned)
            .collect();
        match (&*own, *name) {
            ([], EVERYONE) => "everyone".to_owned(),
            ([], name) => name.to_owned(),
            (own, name) => format!("{name} ({})", screen::names(own, own.len())),
        }
    });
    shown.collect::<Vec<_>>().join(", ")
}

fn is_no(answer: &str) -> bool {
    answer.eq_ignore_ascii_case("n") || answer.eq_ignore_ascii_case("no")
}

fn ask(question: &str) -> Result<String, Fault> {
    let _ = io::stderr().write_all(question.as_bytes());
    let mut answer = String::new();
    let read = io::stdin().lock().read_line(&mut answer);
    read.map_err(|error| input::cannot_read(Path::new(input::STANDARD_INPUT), &error))?;
    Ok(answer.trim().to_owned())
}
