//! `robots test`: expectations in a plain file, which people keep beside their robots.txt.

mod file;
mod output;

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use robots::{Crawler, Rules};

use crate::crawler::{How, named_in};
use crate::crawler_names::{self, EVERYONE, tokens_of};
use crate::fault::{Exit, Fault};
use crate::file_groups::FileGroups;
use crate::input;
#[cfg(feature = "live")]
use crate::live::Live;
use crate::screen::{self, Shown, lossy};
use crate::subject::{self, Subject, Where};
use crate::verdict;
use file::{Claim, Expectation};
use output::Checked;

/// Test a robots.txt against expectations in a file
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robots test robots.expect robots.txt
  robots test robots.expect sites/                  each robots.txt below the folder
  robots test robots.expect --live https://example.com
  robots test --record robots.txt > robots.expect
  robots test --format github robots.expect robots.txt

An expectation is a line; `#` starts a comment:
  Googlebot         allow  /shop/       a crawler, or its tokens with commas between
  *                 deny   /cart        everyone whom the file does not name; a note shows
                                        who is named, and may fetch it
  GPTBot            deny   /
  sitemap           https://example.com/sitemap.xml
  no errors                             lint reports none; `no warnings`: neither
A well-known crawler reads the file in the dialect of its operator, as in `robots check`.

--record writes expectations that the file meets today: for everyone else, each crawler that the
file names, and the paths of its rules.

Exit status: 0 all are met; 1 some are not; 2 bad input or usage; 3 the site is unreachable.")]
pub(crate) struct Args {
    /// The expectations (`-`: standard input); with --record the robots.txt
    #[arg(value_name = "EXPECTATIONS")]
    file: PathBuf,
    /// The robots.txt files, or folders with robots.txt files; with --live URLs of sites
    #[arg(
        value_name = "ROBOTS_TXT",
        required_unless_present = "record",
        conflicts_with = "record"
    )]
    subjects: Vec<PathBuf>,
    /// Write expectations from a robots.txt to standard output
    #[arg(long)]
    record: bool,
    /// Output format
    #[arg(
        long,
        value_enum,
        default_value_t,
        conflicts_with_all = ["json", "quiet"],
        hide_possible_values = true,
        value_name = "text|junit|github"
    )]
    format: Format,
    #[command(flatten)]
    shown: Shown,
    #[cfg(feature = "live")]
    #[command(flatten)]
    live: Live,
    #[command(flatten)]
    how: How,
}

/// The most names of a file that are tried for a note: a hostile file has ten thousands.
const MOST_NAMED: usize = 200;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// for people
    #[default]
    Text,
    /// JUnit XML
    Junit,
    /// annotations of GitHub Actions
    Github,
}

pub(crate) fn run(args: Args) -> Result<Exit, Fault> {
    if args.record {
        let body = subject::read_body(&args.file, args.how.worth_reading())?;
        args.shown.print(file::record(&args.how, &body)?)?;
        return Ok(Exit::Yes);
    }
    let expectations = file::read(&args.file)?;
    let mut all = Vec::new();
    for path in args.paths()? {
        let subject = args.load(&path)?;
        if let Some(why) = subject.outage() {
            return Err(Fault::Outage(why));
        }
        let named = args.named(&expectations, &subject)?;
        for expected in &expectations {
            let mut checked = args.check(expected, &subject)?;
            if checked.failure.is_none() {
                checked.note = note(expected, &expectations, &named);
            }
            all.push(checked);
        }
    }
    let text = match args.format {
        _ if args.shown.json => output::json(&args.file, &all)?,
        Format::Text => output::text(&args.file, &all, args.shown.is_coloured()),
        Format::Junit => output::junit(&args.file, &all),
        Format::Github => output::github(&args.file, &all),
    };
    args.shown.print(text)?;
    Ok(match all.iter().any(|one| one.failure.is_some()) {
        true => Exit::No,
        false => Exit::Yes,
    })
}

impl Args {
    #[cfg(feature = "live")]
    fn is_live(&self) -> bool {
        self.live.live
    }

    #[cfg(not(feature = "live"))]
    fn is_live(&self) -> bool {
        false
    }

    /// Returns the files, and each robots.txt below the folders; with --live the URLs as they are.
    fn paths(&self) -> Result<Vec<PathBuf>, Fault> {
        if self.is_live() {
            return Ok(self.subjects.clone());
        }
        let is_input = |path: &PathBuf| path.as_os_str() == input::STANDARD_INPUT;
        let taken = self
            .subjects
            .iter()
            .chain([&self.file])
            .filter(|path| is_input(path));
        if taken.count() > 1 {
            return Err(Fault::new(
                "standard input is given twice: name a file for one of them",
            ));
        }
        let mut paths = Vec::new();
        for path in &self.subjects {
            subject::refuse_url(path)?;
            match path.is_dir() {
                true => paths.extend(below(path)?),
                false => paths.push(path.clone()),
            }
        }
        Ok(paths)
    }

    fn load(&self, path: &Path) -> Result<Subject, Fault> {
        let place = Where {
            file: path.to_owned(),
            #[cfg(feature = "live")]
            live: self.live.clone(),
        };
        place.load(&self.how.crawler(&["robots"])?, self.how.worth_reading())
    }

    /// Returns the rules of the crawlers that the file names, if an expectation speaks of everyone else.
    fn named(
        &self,
        expectations: &[Expectation],
        subject: &Subject,
    ) -> Result<Vec<(String, Rules)>, Fault> {
        let is_wanted = |one: &Expectation| matches!(&one.claim, Claim::Verdict { agent, .. } if agent == EVERYONE);
        if !expectations.iter().any(is_wanted) {
            return Ok(Vec::new());
        }
        let outline = FileGroups::of(&self.how, self.how.dialect(), &subject.body)?;
        let agents = outline.agents.iter().filter(|agent| agent.name != b"*");
        let names = agents.map(|agent| lossy(&agent.name)).take(MOST_NAMED);
        let rules = |name: String| {
            let crawler = named_in(&self.how, &name).ok()?;
            Some((name, subject.rules(&crawler)))
        };
        Ok(names.filter_map(rules).collect())
    }

    /// Checks an expectation.
    fn check<'e>(
        &self,
        expected: &'e Expectation,
        subject: &Subject,
    ) -> Result<Checked<'e>, Fault> {
        let mut checked = Checked {
            expected,
            name: subject.name.clone(),
            line: 0,
            failure: None,
            note: None,
        };
        match &expected.claim {
            Claim::Verdict { agent, allows, url } => {
                let of_line = |fault| file::at(&self.file, expected.number, fault);
                let crawler = named_in(&self.how, agent).map_err(of_line)?;
                let site = subject.site();
                let verdict =
                    match site.filter(|site| subject::other_site(site, url.as_bytes()).is_some()) {
                        Some(_) => verdict::none(),
                        None => verdict::typed(&subject.rules(&crawler), url),
                    };
                if verdict.error().is_some() {
                    let why = format!("{url} is no URL of the site");
                    return Err(file::at(&self.file, expected.number, Fault::new(why)));
                }
                checked.line = verdict.line();
                let own = crawler.with_ignore_star(true).parse(&subject.body);
                let advice = tokens_of(agent).into_iter().find_map(crawler_names::advice);
                // A name that the file has, too, is meant.
                if !own.about().has_group && advice.is_some() {
                    checked.failure = advice;
                } else if verdict.allowed() != *allows {
                    let decides = match verdict.line() {
                        0 => "no rule matches".to_owned(),
                        line => format!("line {line} decides"),
                    };
                    checked.failure =
                        Some(format!("{agent} is {}: {decides}", verdict::word(verdict)));
                }
            }
            Claim::Sitemap(url) => {
                let rules = subject.rules(&Crawler::without_token());
                if !rules.sitemaps().any(|found| found == url.as_bytes()) {
                    checked.failure = Some("the file does not name this sitemap".to_owned());
                }
            }
            Claim::NoFaults(severity) => {
                let crawler = self.how.crawler(&["robots"])?;
                let report = robots::lint(&crawler, &subject.body)
                    .map_err(|error| Fault::new(format!("{}: {error}", subject.name)))?;
                let mut found = report
                    .diagnostics()
                    .iter()
                    .filter(|found| found.severity() >= *severity);
                if let Some(first) = found.next() {
                    checked.line = first.line;
                    checked.failure = Some(format!("{}: {}", first.code, first.message));
                }
            }
        }
        Ok(checked)
    }
}

/// Returns what a ban for everyone else leaves open: the crawlers with groups of their own that may fetch the URL, without those
/// that an expectation names.
fn note(expected: &Expectation, all: &[Expectation], named: &[(String, Rules)]) -> Option<String> {
    let Claim::Verdict { agent, allows, url } = &expected.claim else {
        return None;
    };
    if agent != EVERYONE || *allows {
        return None;
    }
    let speaks = |one: &Expectation, name: &str| match &one.claim {
        Claim::Verdict { agent, url: of, .. } => {
            let mut tokens = tokens_of(agent).into_iter();
            of == url && tokens.any(|token| token.eq_ignore_ascii_case(name))
        }
        _ => false,
    };
    let open = named.iter().filter(|(name, rules)| {
        verdict::typed(rules, url).allowed() && !all.iter().any(|one| speaks(one, name))
    });
    let names: Vec<String> = open.map(|(name, _)| name.clone()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "allowed for {}, which the file names: `*` is everyone else",
            screen::names(&names, names.len())
        )
    })
}

/// Returns each robots.txt below a folder, by name.
fn below(folder: &Path) -> Result<Vec<PathBuf>, Fault> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder).map_err(|error| input::cannot_read(folder, &error))?;
    for entry in entries {
        let path = entry
            .map_err(|error| input::cannot_read(folder, &error))?
            .path();
        // A link to a folder could be a circle.
        if path.is_dir() && !path.is_symlink() {
            found.extend(below(&path).or_else(|fault| match fault {
                Fault::Said(text) if text.contains("no robots.txt below") => Ok(Vec::new()),
                other => Err(other),
            })?);
        } else if path.file_name().is_some_and(|name| name == "robots.txt") {
            found.push(path);
        }
    }
    if found.is_empty() {
        return Err(Fault::new(format!(
            "{}: no robots.txt below this folder",
            input::shown(folder)
        )));
    }
    found.sort();
    Ok(found)
}
