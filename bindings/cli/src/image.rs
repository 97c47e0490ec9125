//! `robots image`: compiled rules as a file.

use std::path::{Path, PathBuf};

use robots::{Reason, Rules};
use serde::Serialize;

use crate::check::{Form, Judge, Source};
use crate::crawler::Who;
use crate::fault::{Exit, Fault};
use crate::input;
use crate::screen::{self, Shown};
use crate::subject;
use crate::urls::Urls;
use crate::words::dialect_name;

/// Make, inspect and query compiled rules
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots image make -a ExampleBot robots.txt -o shop.rules
  robots image inspect shop.rules
  robots image check shop.rules https://example.com/cart/

An image is one block of bytes with the rules of a site for one crawler, as robots_rules_image of
the C API returns it. It can be stored, sent and used in place, on any machine.")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand, Debug)]
enum Action {
    /// Compile a robots.txt for a crawler
    Make {
        #[command(flatten)]
        who: Who,
        /// The robots.txt (`-`: standard input)
        #[arg(value_name = "ROBOTS_TXT")]
        file: PathBuf,
        /// The output file (`-`: standard output)
        #[arg(short, long, value_name = "IMAGE")]
        output: PathBuf,
    },
    /// Show the metadata of an image
    #[command(after_help = "Exit status: 0 the image is valid; 2 it is not, or cannot be read.")]
    Inspect {
        /// The image (`-`: standard input)
        image: PathBuf,
        #[command(flatten)]
        shown: Shown,
    },
    /// Check URLs by an image, after validating it
    #[command(
        after_help = "Without URL and --urls the URLs are read from standard input. The output and the exit status are those of `robots check`; 2 also means that the image is damaged."
    )]
    Check {
        /// The image (`-`: standard input)
        image: PathBuf,
        #[command(flatten)]
        urls: Urls,
        #[command(flatten)]
        form: Form,
    },
}

pub(crate) fn run(args: Args) -> Result<Exit, Fault> {
    match args.action {
        Action::Make { who, file, output } => make(&who, &file, &output),
        Action::Inspect { image, shown } => inspect(&image, shown),
        Action::Check { image, urls, form } => {
            let rules = load(&image)?;
            let taken = image.as_os_str() == input::STANDARD_INPUT;
            let judge = Judge::new(vec![Source::new(&input::name(&image), rules)], &form, &urls);
            Ok(form.exit_of(urls.answer(taken, &judge)?))
        }
    }
}

fn make(who: &Who, file: &Path, output: &Path) -> Result<Exit, Fault> {
    let rules = who
        .crawler()?
        .crawler
        .parse(subject::read_body(file, who.how.worth_reading())?);
    if output.as_os_str() == input::STANDARD_INPUT {
        screen::print(rules.image())?;
    } else {
        input::write(output, rules.image())?;
    }
    Ok(Exit::Yes)
}

fn load(path: &Path) -> Result<Rules, Fault> {
    // Offsets of an image have 32 bits.
    let bytes = input::read(path, u32::MAX as usize)?;
    Rules::from_image(&bytes).map_err(|error| Fault::of_image(input::shown(path), error))
}

fn inspect(path: &Path, shown: Shown) -> Result<Exit, Fault> {
    let rules = load(path)?;
    let about = rules.about();
    if shown.json {
        let mut text = String::new();
        screen::push_json_line(&mut text, &JsonImage::of(path, &rules))?;
        screen::print(text)?;
        return Ok(Exit::Yes);
    }
    let mut text = format!(
        "image        {}: {}\n",
        input::shown(path),
        screen::coloured(shown.is_coloured(), "32", "valid")
    );
    let mut row = |name: &str, value: &str| text.push_str(&format!("{name:<11}  {value}\n"));
    row("format", &about.format.to_string());
    row("size", &format!("{} bytes", rules.image().len()));
    row("dialect", dialect_name(about.dialect));
    row(
        "applies",
        match () {
            () if about.unreachable => "the site is unreachable: nothing is allowed for now",
            () if about.disallows_all => "everything is disallowed",
            () if !about.allows_all => "a group names the crawler",
            () if about.has_group => "a group names the crawler: everything is allowed",
            () if rules.check("/").reason() == Reason::NoGroup => {
                "no group applies: everything is allowed"
            }
            () => "everything is allowed",
        },
    );
    match rules.crawl_delay() {
        Some(seconds) => row("crawl-delay", &format!("{seconds} seconds")),
        None => row("crawl-delay", "(none)"),
    }
    for sitemap in rules.sitemaps() {
        row("sitemap", &screen::safe(sitemap));
    }
    shown.print(text)?;
    Ok(Exit::Yes)
}

/// A line of JSON after `bindings/cli/schema/image.json`.
#[derive(Serialize)]
struct JsonImage {
    file: String,
    format: u8,
    size: usize,
    dialect: &'static str,
    has_group: bool,
    allows_all: bool,
    disallows_all: bool,
    crawl_delay: Option<f64>,
    sitemaps: Vec<String>,
}

impl JsonImage {
    fn of(path: &Path, rules: &Rules) -> JsonImage {
        let about = rules.about();
        JsonImage {
            file: input::name(path),
            format: about.format,
            size: rules.image().len(),
            dialect: dialect_name(about.dialect),
            has_group: about.has_group,
            allows_all: about.allows_all,
            disallows_all: about.disallows_all,
            crawl_delay: rules.crawl_delay(),
            sitemaps: rules.sitemaps().map(screen::lossy).collect(),
        }
    }
}
