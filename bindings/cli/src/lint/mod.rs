//! `robots lint`: faults of robots.txt files.

mod config;
pub(crate) mod files;
pub(crate) mod fix;
mod output;
mod sarif;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use robots::{Code, Crawler, Diagnostic, Report, Severity};

use crate::crawler::{How, governed};
use crate::fault::{Exit, Fault, complain};
use crate::input;
#[cfg(feature = "live")]
use crate::live::Live;
use crate::screen::{self, Shown};
#[cfg(feature = "live")]
use crate::subject::Where;
use crate::subject::{self, Subject};
use config::{Deny, Settings, folder_of};
use files::Ignored;
use output::{Linted, Statistics};

/// The most bytes of a file: the report also counts those that crawlers do not read.
const MOST_BYTES: usize = 16 << 20;

const EXAMPLES: &str = "\
Examples:
  robots lint robots.txt
  robots lint --deny warnings robots.txt              in CI: fails also if search is shut out
  robots lint --format sarif sites/ > robots.sarif
  robots lint --fix --diff robots.txt
  robots lint --select R05,R06 --ignore R056 --stats sites/
  robots lint --explain R050
  robots lint --live https://example.com

Every group is checked, or with --crawler those that one crawler obeys. The first 100 faults of each
code are kept, and the first ten are shown as text; the summary counts all. Many good files have
R056, R087 and R091: --select names them, and `--select R` all codes.

A fix is safe if it is proved that no verdict changes, in RFC 9309 and for Google, or in koster1996
with -d koster1996. --fix applies safe fixes only, and names the others.

Settings: the nearest robots.toml in the folder of a file or above it, with the keys of the options:
  [lint]
  ignore = [\"R056\"]
  site = \"https://example.com/\"
  deny = \"warnings\"
A comment `# robots: ignore R056` ignores findings of its line and, if it stands alone, of the next
one; `# robots: ignore-file R056` those of the file. Without codes they ignore all.

Exit status: 0 no errors, maybe warnings; 1 errors, or what --deny names, or changes that --diff
shows; 2 a file cannot be read, or bad usage; 3 the site is unreachable. A file of a name that no
crawler requests, such as Robots.txt, counts as a warning.";

/// Returns the text after the long help: the examples and all codes.
fn examples_and_codes() -> String {
    let mut text = format!("{EXAMPLES}\n\nCodes (--explain describes each):");
    for code in Code::ALL {
        let note = match code.is_on_request() {
            true => " (with --select)",
            false => "",
        };
        let (severity, title) = (code.severity().name(), code.title());
        text.push_str(&format!("\n  {code}  {severity:<8} {title}{note}"));
    }
    text
}

/// Report faults of robots.txt files
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, after_long_help = examples_and_codes())]
pub(crate) struct Args {
    /// The files and folders (`-`: standard input). Of a folder robots.txt and *.txt, in all folders below
    #[arg(value_name = "ROBOTS_TXT", required_unless_present = "explain")]
    files: Vec<PathBuf>,
    /// Output format; --json is short for `--format json`
    #[arg(
        long,
        value_enum,
        default_value_t,
        conflicts_with_all = ["json", "quiet"],
        hide_possible_values = true,
        value_name = "text|json|sarif|github"
    )]
    format: Format,
    /// Fail also for warnings, or for warnings and notes
    #[arg(long, value_name = "warnings|notes", hide_possible_values = true)]
    deny: Option<Deny>,
    /// Report only these codes, or those that begin so [default: all but R056, R087 and R091]
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    select: Vec<String>,
    /// Do not report these codes, or those that begin so
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    ignore: Vec<String>,
    /// The file with settings, instead of the nearest robots.toml
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Report only what concerns this crawler, read as it reads files
    #[arg(long, value_name = "NAME")]
    crawler: Option<String>,
    /// The site of the files: also check sitemaps and URLs of other hosts
    #[arg(long, value_name = "URL")]
    site: Option<String>,
    /// Apply the safe fixes, write the files, and report what is left
    #[arg(long, conflicts_with_all = ["stats", "explain"])]
    fix: bool,
    /// With --fix: show the changes and write nothing
    #[arg(long, visible_alias = "dry-run", requires = "fix")]
    diff: bool,
    /// Count the findings of each code instead of showing them
    #[arg(long, conflicts_with = "explain")]
    stats: bool,
    #[command(flatten)]
    shown: Shown,
    /// Explain a code; reads no files
    #[arg(long, value_name = "CODE", conflicts_with = "files")]
    explain: Option<String>,
    #[cfg(feature = "live")]
    #[command(flatten)]
    live: Live,
    #[command(flatten)]
    how: How,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// for people
    #[default]
    Text,
    /// a line of JSON for each fault
    Json,
    /// SARIF 2.1.0, for code scanners
    Sarif,
    /// annotations of GitHub Actions
    Github,
}

pub(crate) fn run(args: Args) -> Result<Exit, Fault> {
    if let Some(code) = &args.explain {
        return explain(code);
    }
    let (colour, shown) = (args.shown.is_coloured(), args.shown);
    let format = match shown.json {
        true => Format::Json,
        false => args.format,
    };
    let mut exit = Exit::Yes;
    let (mut failing, mut errors, mut warnings) = (0, 0, 0);
    let mut all = Vec::new();
    let mut statistics = Statistics::default();
    let mut settings = None;
    for path in &args.paths()? {
        let mut linter = args.linter(path, &mut settings)?;
        let subject = args.read(path)?;
        if let Some(why) = subject.outage() {
            return Err(Fault::Outage(why));
        }
        if !subject.has_file() {
            // The fetch reported why.
            continue;
        }
        if let Some(outcome) = &subject.outcome {
            let site = linter.settings.site.take();
            linter.settings.site = site.or_else(|| Some(outcome.origin.key().to_owned()));
        }
        let (name, mut body) = (subject.name, subject.body);
        if args.fix {
            let fixed = fixed(&linter, path, &name, &body)?;
            if args.diff {
                if fixed.body != body {
                    exit = Exit::No;
                    shown.print(fix::diff(&name, &body, &fixed.body))?;
                }
                continue;
            }
            if fixed.body != body {
                if let Err(fault) = input::refuse_other_than_text(&name, &body) {
                    fault.report();
                    exit = Exit::BadInput;
                    continue;
                }
                input::write(path, &fixed.body)?;
                body = fixed.body;
            }
            if format == Format::Text {
                let lines = fixed.log.iter().map(|line| format!("{line}\n"));
                shown.print(lines.collect::<String>())?;
            }
        }
        let report = linter.lint(&name, &body)?;
        let denied = Deny::severity(linter.settings.deny);
        let severities = Severity::ALL
            .into_iter()
            .filter(|severity| *severity >= denied);
        let mut count: u64 = severities.map(|severity| report.total(severity)).sum();
        // A file that no crawler requests is as bad as a warning in it.
        let misnamed = subject.outcome.is_none() && files::is_misnamed(path);
        count += u64::from(misnamed && denied <= Severity::Warning);
        if count > 0 {
            exit = exit.max(Exit::No);
        }
        failing += count;
        errors += report.total(Severity::Error);
        warnings += report.total(Severity::Warning) + u64::from(misnamed);
        if args.stats {
            statistics.add(&report);
            continue;
        }
        let linted = Linted { name, report };
        match format {
            _ if shown.quiet => {}
            Format::Text => {
                screen::print(output::text(&linted, colour))?;
                if args.fix {
                    screen::print(fix::left(&linted))?;
                }
            }
            Format::Json => screen::print(output::json(&linted)?)?,
            Format::Github => screen::print(output::github(&linted))?,
            Format::Sarif => all.push(sarif::results(&linted)),
        }
    }
    match format {
        _ if shown.quiet => {}
        Format::Json if args.stats => screen::print(statistics.json()?)?,
        _ if args.stats => screen::print(statistics.text())?,
        Format::Sarif if !args.diff => screen::print(sarif::log(all)?)?,
        _ => {}
    }
    let is_read = matches!(format, Format::Text | Format::Github) && !args.stats;
    match exit {
        _ if shown.quiet => {}
        Exit::Yes if warnings > 0 && is_read => complain(&format!(
            "exit status 0: no errors; to fail for warnings ({warnings}) in CI, add --deny warnings"
        )),
        _ if failing > errors => complain(&format!("findings that fail, with `deny`: {failing}")),
        _ => {}
    }
    Ok(exit)
}

impl Args {
    /// Returns the files; with --live the URLs as they are.
    fn paths(&self) -> Result<Vec<PathBuf>, Fault> {
        #[cfg(feature = "live")]
        if self.live.live {
            if self.fix {
                return Err(Fault::new(
                    "--fix: what is fetched cannot be written: save it with `robots fetch -o FILE`",
                ));
            }
            return Ok(self.files.clone());
        }
        for path in &self.files {
            subject::refuse_url(path)?;
        }
        files::files(&self.files)
    }

    /// Reads or fetches a file. What is no robots.txt is linted, too.
    fn read(&self, path: &Path) -> Result<Subject, Fault> {
        #[cfg(feature = "live")]
        if self.live.live {
            let place = Where {
                file: path.to_owned(),
                live: self.live.clone(),
            };
            return place.load(&self.how.crawler(&["robots"])?, self.how.worth_reading());
        }
        Ok(Subject {
            name: input::name(path),
            body: input::read(path, self.how.worth_reading().max(MOST_BYTES))?,
            outcome: None,
        })
    }
}

/// Returns a file after its safe fixes.
fn fixed(linter: &Linter, path: &Path, name: &str, body: &[u8]) -> Result<fix::Fixed, Fault> {
    if path.as_os_str() == input::STANDARD_INPUT {
        return Err(Fault::new(
            "--fix: standard input cannot be written: name a file",
        ));
    }
    // No finding is left out, so one round applies all that do not wait for another.
    let mut linter = linter.clone();
    linter.crawler = linter.crawler.with_lint_limit(usize::MAX);
    fix::fix(name, body, |body| linter.lint(name, body))
}

/// How to lint one file.
#[derive(Clone)]
struct Linter {
    settings: Settings,
    crawler: Crawler,
    /// Only findings of the groups that the crawler obeys are wanted.
    is_for_crawler: bool,
}

impl Args {
    /// Returns how to lint a file: its settings and the options. `last` holds the settings of the folder before.
    fn linter(&self, path: &Path, last: &mut Option<(PathBuf, Settings)>) -> Result<Linter, Fault> {
        let folder = folder_of(path);
        let mut settings = match last {
            Some((of, settings)) if *of == folder => settings.clone(),
            _ => Settings::find(self.config.as_deref(), &folder)?,
        };
        *last = Some((folder, settings.clone()));
        if !self.select.is_empty() {
            settings.select.clone_from(&self.select);
        }
        settings.ignore.extend(self.ignore.iter().cloned());
        settings.deny = self.deny.or(settings.deny);
        settings.crawler = self.crawler.clone().or(settings.crawler);
        settings.site = self.site.clone().or(settings.site);
        settings.validate()?;
        let crawler = match &settings.crawler {
            Some(name) => self.crawler_of(name)?,
            // Lint checks every group: the token does not matter.
            None => self.how.crawler(&["robots"])?,
        };
        Ok(Linter {
            is_for_crawler: settings.crawler.is_some(),
            crawler: crawler.with_lint_all(!settings.select.is_empty()),
            settings,
        })
    }

    /// Returns a well-known crawler as it reads files, or a crawler with this name.
    fn crawler_of(&self, name: &str) -> Result<Crawler, Fault> {
        match governed(name)? {
            Some(preset) => self.how.known(preset),
            None => self.how.crawler(&[name]),
        }
    }
}

impl Linter {
    /// Returns the findings that are wanted.
    fn lint(&self, name: &str, body: &[u8]) -> Result<Report, Fault> {
        let linted = match self.settings.origin()? {
            Some(site) => robots::lint_site(&self.crawler, body, &site),
            None => robots::lint(&self.crawler, body),
        };
        let fault = |error| Fault::new(format!("{name}: {error}"));
        let mut report = linted.map_err(fault)?;
        let ignored = Ignored::new(&report, name);
        let obeyed = self.obeyed_lines(&report).map_err(fault)?;
        report.retain(|found| {
            self.settings.wants(found.code)
                && !ignored.holds(found.code, found.line)
                && obeyed
                    .as_ref()
                    .is_none_or(|lines| lines.contains(&found.line))
        });
        Ok(report)
    }

    /// Returns the lines of the groups that the crawler obeys and those of no group; `None` for all lines.
    fn obeyed_lines(
        &self,
        report: &Report,
    ) -> Result<Option<std::collections::HashSet<u32>>, robots::Error> {
        if !self.is_for_crawler {
            return Ok(None);
        }
        let explained = robots::explain(&self.crawler, report.body(), "/")?;
        let agents = explained.agents.iter();
        let groups: Vec<u32> = agents
            .filter_map(|agent| report.line(agent.line))
            .map(|line| line.group)
            .collect();
        let lines = report
            .lines()
            .filter(|line| line.group == 0 || groups.contains(&line.group))
            .map(|line| line.number);
        // Line 0 is the whole file.
        Ok(Some(lines.chain([0]).collect()))
    }
}

/// Returns the errors and warnings of a file, each with whether another file has it on an equal line.
pub(crate) fn compared(
    crawler: &Crawler,
    other: &[u8],
    body: &[u8],
) -> Result<Vec<(Diagnostic, bool)>, Fault> {
    let lint = |body: &[u8]| {
        let report = robots::lint(crawler, body);
        report.map_err(|error| Fault::new(error.to_string()))
    };
    let key = |report: &Report, found: &Diagnostic| {
        let line = report.line(found.line).map(|line| line.span);
        let text = line.and_then(|span| report.body().get(span));
        (found.code, text.unwrap_or_default().trim_ascii().to_vec())
    };
    let is_fault = |found: &&Diagnostic| found.severity() > Severity::Note;
    let mut known: HashMap<(Code, Vec<u8>), u32> = HashMap::new();
    let of_other = lint(other)?;
    for found in of_other.diagnostics().iter().filter(is_fault) {
        *known.entry(key(&of_other, found)).or_default() += 1;
    }
    let report = lint(body)?;
    let faults = report.diagnostics().iter().filter(is_fault);
    let with = faults.map(|found| {
        let count = known.get_mut(&key(&report, found));
        let is_known = count.filter(|count| **count > 0).map(|count| *count -= 1);
        (found.clone(), is_known.is_some())
    });
    Ok(with.collect())
}

fn explain(wanted: &str) -> Result<Exit, Fault> {
    let code = Code::ALL
        .iter()
        .find(|code| code.to_string().eq_ignore_ascii_case(wanted));
    let Some(code) = code else {
        let all: Vec<String> = Code::ALL.iter().map(Code::to_string).collect();
        return Err(Fault::new(format!(
            "--explain {wanted}: unknown code; the codes are: {}",
            all.join(" ")
        )));
    };
    let mut text = format!(
        "{}[{code}]: {}\n\n{}\n",
        code.severity(),
        code.title(),
        code.explanation()
    );
    text.push_str("\nExample:\n\n");
    for line in code.example().split_inclusive(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        text.push_str(&format!("    {}\n", screen::safe(line)));
    }
    text.push_str(&format!("\n{}\n", output::page_of(*code)));
    screen::print(text)?;
    Ok(Exit::Yes)
}
