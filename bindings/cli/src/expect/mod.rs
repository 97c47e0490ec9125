//! `robots test`: expectations in a plain file, which people keep beside their robots.txt.

mod change;
mod file;
mod output;

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use robots::{Crawler, Diagnostic, Purpose, Rules, Verdict};

use crate::crawler::{How, named_in};
use crate::crawler_names;
use crate::fault::{Exit, Fault, complain};
use crate::file_groups::FileGroups;
use crate::input;
use crate::lint::{self, files::is_misnamed, files::warn_of_name, files::warn_of_place};
#[cfg(feature = "live")]
use crate::live::Live;
use crate::screen::{self, Shown, lossy};
use crate::subject::{self, Subject, Where};
use crate::verdict;
use change::{Changes, MOST_NAMED};
use file::{Claim, Expectation, Expectations, of_purpose};
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
  Googlebot         allow  /shop/       a crawler
  bingbot,GPTBot    allow  /shop/       each of these crawlers; the tokens of a well-known crawler
                                        (`robots crawlers`) are one: Googlebot-Image,Googlebot
  *                 deny   /cart        everyone whom the file does not name
  search            allow  /            each well-known crawler of search; also ai-search,
                                        training, user-request, ads, archive, seo and other
                                        (`robots crawlers`)
  search            unchanged           none of them loses or gains a URL: proved for all URLs
  changed           /old-shop/          except URLs that this path matches, as in a robots.txt:
                                        the change is meant
  Googlebot         changed  /sale/     the same for one crawler, or a purpose
  sitemap           https://example.com/sitemap.xml
  no errors                             lint reports none; `no warnings`: neither; `no new
                                        warnings`: none that the recorded file has not
A well-known crawler reads the file as its operator does, as in `robots check`. A name that no
well-known crawler and no group of the file has gets a note: what holds for `*` holds for it. Names
of operators, such as Bing, and misspelt names are refused. A failure of `unchanged` shows the lines
that accept all changes, with their crawlers.

`* allow` fails if a crawler of search may not fetch the URL. If that is meant, write a line
such as `Googlebot deny URL`. After `* deny` a note shows the crawlers that the file names, and
that may fetch the URL.

--record writes expectations and the robots.txt itself: that each well-known crawler, each crawler
that the file names, and everyone else lose and gain no URL, and that their lines Content-Signal and
Content-Usage stay. Crawl-delays and other lines are not compared.

Exit status: 0 all are met; 1 some are not, or no crawler requests a file of its name, such as
Robots.txt; 2 bad input or usage; 3 the site is unreachable.")]
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
    let (expected, mut faults) = file::read(&args.file)?;
    let mut all = Vec::new();
    let mut groups: Vec<String> = Vec::new();
    let mut unknown = expected.unknown();
    let paths = args.paths()?;
    let has_misnamed = !args.is_live() && paths.iter().any(|path| is_misnamed(path));
    for path in paths {
        let subject = args.load(&path)?;
        if let Some(why) = subject.outage() {
            return Err(Fault::Outage(why));
        }
        if subject.has_file() && subject.body.trim_ascii().is_empty() {
            let name = screen::safe(subject.name.as_bytes());
            complain(&format!("{name} is empty: it allows everything"));
        }
        let recorded = expected.recorded.as_deref().unwrap_or_default();
        let groups_of = |body| FileGroups::of(&args.how, args.how.dialect(), body);
        let test = Test {
            args: &args,
            files: [groups_of(&subject.body)?, groups_of(recorded)?],
            expected: &expected,
            named: args.named(&expected, &subject)?,
            changes: Changes::new(&args.how, &expected, &subject)?,
            subject: &subject,
        };
        for one in &expected.all {
            match test.check(one) {
                Ok(checked) => all.push(checked),
                Err(fault) => faults.push((one.number, fault)),
            }
        }
        unknown.retain(|(_, name)| !test.has(name));
        let names = test.files.iter().flat_map(|file| &file.agents);
        groups.extend(names.map(|agent| lossy(&agent.name)).take(MOST_NAMED));
    }
    for (number, name) in unknown {
        let first = all.iter_mut().find(|one| one.expected.number == number);
        match (said_of(name, &groups), first) {
            (Ok(said), Some(one)) => _ = one.note.get_or_insert(said),
            (Ok(_), None) => {}
            (Err(fault), _) => faults.push((number, fault)),
        }
    }
    if !faults.is_empty() {
        faults.sort_by_key(|(number, _)| *number);
        // Each file has the same faults.
        faults.dedup_by_key(|(number, _)| *number);
        for (number, fault) in faults {
            file::at(&args.file, number, fault).report();
        }
        return Ok(Exit::BadInput);
    }
    let text = match args.format {
        _ if args.shown.json => output::json(&args.file, &all)?,
        Format::Text => output::text(&args.file, &all, args.shown.is_coloured()),
        Format::Junit => output::junit(&args.file, &all),
        Format::Github => output::github(&args.file, &all),
    };
    args.shown.print(text)?;
    if has_misnamed {
        complain("exit status 1: no crawler requests a file of that name");
    }
    let has_failed = has_misnamed || all.iter().any(|one| one.failure.is_some());
    Ok(match has_failed {
        true => Exit::No,
        false => Exit::Yes,
    })
}

/// Returns what holds for a name that no well-known crawler and no group has. `groups` holds the names of the groups.
///
/// # Errors
/// It is probably the word for a purpose, or a misspelt name.
fn said_of(name: &str, groups: &[String]) -> Result<String, Fault> {
    let words = Purpose::meant_by(name, true).map(|purpose| format!("`{}`", purpose.word()));
    let words: Vec<String> = words.collect();
    let advice = crawler_names::advice(name, groups);
    if let Some(advice) = advice.filter(|_| words.is_empty()) {
        return Err(Fault::new(format!(
            "{}, or `*` for everyone whom the file does not name",
            advice.text
        )));
    }
    let name = screen::safe(name.as_bytes());
    match &*words {
        [] => Ok(format!(
            "{name} is no well-known crawler (`robots crawlers`) and no group of the file: what holds for `*` holds for it"
        )),
        words => Err(Fault::new(format!(
            "{name} is no well-known crawler and no group of the file: write {}, or `*` for everyone whom the file does not name",
            words.join(" or ")
        ))),
    }
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
                true => {
                    let found = below(path)?;
                    warn_of_place(path, &found);
                    paths.extend(found);
                }
                false => {
                    warn_of_name(path);
                    paths.push(path.clone());
                }
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

    /// Returns the rules of the crawlers of search and of those that the file names, if an expectation speaks of everyone else.
    fn named(&self, expected: &Expectations, subject: &Subject) -> Result<Vec<Named>, Fault> {
        let is_of_all =
            |one: &Expectation| one.is_of_everyone() && matches!(one.claim, Claim::Verdict { .. });
        if !expected.all.iter().any(is_of_all) {
            return Ok(Vec::new());
        }
        let outline = FileGroups::of(&self.how, self.how.dialect(), &subject.body)?;
        let agents = outline.agents.iter().filter(|agent| agent.name != b"*");
        let names = agents.map(|agent| lossy(&agent.name)).take(MOST_NAMED);
        let searching: Vec<String> = of_purpose(Purpose::Search)
            .map(|preset| preset.name().to_owned())
            .collect();
        let is_other = |name: &String| !searching.iter().any(|of| of.eq_ignore_ascii_case(name));
        let others: Vec<String> = names.filter(is_other).collect();
        let named = |name: &String, searches: bool| {
            let crawler = named_in(&self.how, name).ok()?;
            Some(Named {
                name: name.clone(),
                rules: subject.rules(&crawler),
                searches,
            })
        };
        let searching = searching.iter().filter_map(|name| named(name, true));
        let others = others.iter().filter_map(|name| named(name, false));
        Ok(searching.chain(others).collect())
    }
}

/// A crawler that an expectation for everyone else may not cover.
struct Named {
    name: String,
    rules: Rules,
    /// Whether it is a well-known crawler of search.
    searches: bool,
}

/// The test of a robots.txt.
struct Test<'t> {
    args: &'t Args,
    expected: &'t Expectations,
    subject: &'t Subject,
    named: Vec<Named>,
    changes: Changes<'t>,
    /// The groups of the robots.txt, and of the one that was recorded.
    files: [FileGroups; 2],
}

impl Test<'_> {
    /// Checks an expectation.
    fn check<'e>(&self, expected: &'e Expectation) -> Result<Checked<'e>, Fault> {
        let mut checked = Checked {
            expected,
            name: self.subject.name.clone(),
            line: 0,
            failure: None,
            change: None,
            note: None,
            is_proved: false,
        };
        match &expected.claim {
            Claim::Verdict { allows, url } => self.verdicts(*allows, url, &mut checked)?,
            Claim::Unchanged => match self.changes.of(expected)? {
                Some(change) => {
                    checked.line = change.line;
                    checked.failure = Some(change.text.clone());
                    checked.change = Some(change);
                }
                None => checked.is_proved = true,
            },
            Claim::Changed(_) => {
                if self.changes.is_needless(expected)? {
                    checked.note = Some("no change needs this line: remove it".to_owned());
                }
            }
            Claim::Sitemap(url) => {
                let rules = self.subject.rules(&Crawler::without_token());
                if !rules.sitemaps().any(|found| found == url.as_bytes()) {
                    checked.failure = Some("the file does not name this sitemap".to_owned());
                }
            }
            Claim::NoFaults(_) | Claim::NoNewFaults if !self.subject.has_file() => {
                checked.failure = Some("the site has no robots.txt".to_owned());
            }
            Claim::NoNewFaults => {
                let crawler = self.args.how.crawler(&["robots"])?;
                let recorded = self.expected.recorded.as_deref().unwrap_or_default();
                let faults = lint::compared(&crawler, recorded, &self.subject.body)?;
                if let Some((first, _)) = faults.into_iter().find(|(_, is_known)| !is_known) {
                    checked.line = first.line;
                    checked.failure = Some(said_by(&first));
                }
            }
            Claim::NoFaults(severity) => {
                let crawler = self.args.how.crawler(&["robots"])?;
                let report = robots::lint(&crawler, &self.subject.body)
                    .map_err(|error| Fault::new(format!("{}: {error}", self.subject.name)))?;
                let mut found = report
                    .diagnostics()
                    .iter()
                    .filter(|found| found.severity() >= *severity);
                let [file, _] = &self.files;
                if let Some(first) = found.next() {
                    checked.line = first.line;
                    checked.failure = Some(said_by(first));
                } else if let Some((line, fault)) = file.forgiven().next() {
                    checked.line = line.number;
                    checked.note = Some(format!(
                        "line {}, `{}`, {fault}, which is a warning: `no warnings` fails for it",
                        line.number,
                        file.shown(line.number)
                    ));
                }
            }
        }
        Ok(checked)
    }

    /// Whether a group of the robots.txt, or of the one that was recorded, has a name.
    fn has(&self, name: &str) -> bool {
        let name = [name.as_bytes().to_vec()];
        let mut files = self.files.iter();
        files.any(|file| !file.obeyed_by(&name, false).is_empty())
    }

    /// Checks the verdict of each crawler of an expectation.
    fn verdicts(&self, allows: bool, url: &str, checked: &mut Checked<'_>) -> Result<(), Fault> {
        let expected = checked.expected;
        let site = self.subject.site();
        let is_foreign =
            site.is_some_and(|site| subject::other_site(&site, url.as_bytes()).is_some());
        let mut unmet: Vec<(Verdict, Vec<String>)> = Vec::new();
        let mut strict: Vec<(&String, String)> = Vec::new();
        for name in &expected.names {
            let crawler = named_in(&self.args.how, name)?;
            let verdict = match is_foreign {
                true => verdict::none(),
                false => self.subject.rules(&crawler).check(url),
            };
            if verdict.error().is_some() {
                return Err(Fault::new(format!(
                    "{url} is no URL of the site: a path begins with `/`"
                )));
            }
            checked.line = checked.line.max(verdict::line_number(verdict));
            if verdict.allowed() == allows && !is_foreign {
                let [file, _] = &self.files;
                if let Some((line, fault)) = file.doubtful(&crawler, &[url.to_owned()]) {
                    let text = file.shown(line.number);
                    strict.push((
                        name,
                        format!(
                            "line {}, `{text}`, which {fault}: not every crawler reads it",
                            line.number
                        ),
                    ));
                }
            }
            if verdict.allowed() != allows {
                match unmet
                    .iter_mut()
                    .find(|(known, _)| verdict::is_same(*known, verdict))
                {
                    Some((_, names)) => names.push(name.clone()),
                    None => unmet.push((verdict, vec![name.clone()])),
                }
            }
        }
        if let Some((first, _)) = unmet.first() {
            checked.line = verdict::line_number(*first);
            checked.failure = Some(joined(&unmet));
        } else if let Some((_, said)) = strict.first() {
            let names: Vec<String> = strict.iter().map(|(name, _)| (*name).clone()).collect();
            let names = screen::names(&names, names.len());
            let is = if strict.len() == 1 { "is" } else { "are" };
            let word = if allows { "allowed" } else { "disallowed" };
            checked.failure = Some(format!("{names} {is} {word} by {said}"));
        } else if expected.is_of_everyone() {
            self.compare_with_everyone(allows, url, checked);
        }
        Ok(())
    }

    /// Compares the verdict of everyone else with those of crawlers that no expectation names: a ban leaves them open, or they are
    /// shut out of what is allowed. A crawler of search that is shut out is a failure.
    fn compare_with_everyone(&self, allows: bool, url: &str, checked: &mut Checked<'_>) {
        let speaks = |one: &Expectation, name: &str| {
            let is_of_url = matches!(&one.claim, Claim::Verdict { url: of, .. } if of == url);
            is_of_url && one.is_about(name)
        };
        let mut lost: Vec<(Verdict, Vec<String>)> = Vec::new();
        let mut open = Vec::new();
        for one in &self.named {
            let verdict = one.rules.check(url);
            let is_said = self.expected.all.iter().any(|it| speaks(it, &one.name));
            if verdict.allowed() == allows || is_said {
                continue;
            }
            match lost
                .iter_mut()
                .find(|(known, _)| verdict::is_same(*known, verdict))
            {
                _ if !allows => open.push(one.name.clone()),
                _ if !one.searches => {}
                Some((_, names)) => names.push(one.name.clone()),
                None => lost.push((verdict, vec![one.name.clone()])),
            }
        }
        if let Some((first, names)) = lost.first() {
            checked.line = verdict::line_number(*first);
            checked.failure = Some(format!(
                "{}; if that is meant, add `{} deny {url}`",
                joined(&lost),
                names.first().map_or("search", String::as_str)
            ));
        } else if !open.is_empty() {
            checked.note = Some(format!(
                "allowed for {}, which the file names: `*` is everyone else",
                screen::names(&open, open.len())
            ));
        }
    }
}

/// Returns what lint says, with its line.
fn said_by(found: &Diagnostic) -> String {
    let place = match found.line {
        0 => String::new(),
        line => format!(" in line {line}"),
    };
    format!("{}{place}: {}", found.code, found.message)
}

/// Returns the verdicts of crawlers as a sentence.
fn joined(verdicts: &[(Verdict, Vec<String>)]) -> String {
    let parts = verdicts.iter().map(|(verdict, names)| {
        let decides = match verdict::deciding_line(*verdict) {
            None => "no rule matches".to_owned(),
            Some(line) => format!("line {line} decides"),
        };
        let is = if names.len() == 1 { "is" } else { "are" };
        let (names, word) = (screen::names(names, names.len()), verdict::word(*verdict));
        format!("{names} {is} {word}: {decides}")
    });
    parts.collect::<Vec<String>>().join("; ")
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
        } else {
            warn_of_name(&path);
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
