//! Reports the faults of a robots.txt, and the meaning of each line.
//!
//! The parser's own modules read the lines. `redundancy`, `dialects`, `group_checks` and `proof` search for differences of rules
//! (SPEC 12). `site_checks` asks the engine for verdicts. A `budget` bounds the work of each check.

mod advice;
mod agents;
mod body_doubt;
mod budget;
mod codes;
mod diagnostic;
mod dialects;
mod encoding;
mod fields;
mod group_checks;
mod groups;
mod hosts;
mod lines;
mod paths;
mod proof;
mod redundancy;
mod render;
mod search;
mod site_checks;
mod skipped;
mod values;

pub use body_doubt::BodyDoubt;
pub use codes::{Code, Severity};
pub(super) use diagnostic::quoted;
pub use diagnostic::{Diagnostic, Fix};
pub use lines::{LineKind, LineMeaning};
pub use render::Style;

use crate::base::error::Error;
use crate::bytes::try_alloc::{append, push, words};
use crate::crawler::Crawler;
use crate::url::origin::Origin;
use diagnostic::{Findings, Place};
use encoding::Nature;
use groups::Groups;
use lines::File;

/// Checks a robots.txt and returns the meaning of every line and the faults found.
///
/// Lint uses the crawler's dialect, size limit and options. It checks every group, so the crawler's tokens do not matter.
/// The report has [codes on request](Code::is_on_request) only if [`Crawler::with_lint_all`] is set. It keeps at most
/// [`MAX_PER_CODE`](crate::limits::MAX_PER_CODE) diagnostics of each code, or [another number](Crawler::with_lint_limit). Lint
/// accepts any bytes. Its time is linear in the file size, except for sorting and a bounded number of queries to the engine.
///
/// ```
/// let crawler = robots::Crawler::new("ExampleBot")?;
/// let report = robots::lint(&crawler, "User-agent: *\nDisallow: private/\n")?;
/// let found = &report.diagnostics()[0];
/// assert_eq!(found.code.to_string(), "R050");
/// assert_eq!((found.line, found.column), (2, 11));
/// assert_eq!(found.suggestion.as_deref(), Some("write `/private/`"));
/// # Ok::<(), robots::Error>(())
/// ```
///
/// # Errors
/// [`Error::Memory`] on allocation failure. No file causes another error.
pub fn lint(crawler: &Crawler, body: impl AsRef<[u8]>) -> Result<Report, Error> {
    lint_bytes(crawler, body.as_ref(), None)
}

/// Checks the robots.txt of a site like [`lint`]. Also reports faults that depend on the site, such as a sitemap on another
/// host.
///
/// ```
/// let crawler = robots::Crawler::new("ExampleBot")?;
/// let site = robots::Origin::from_url("https://example.com/")?;
/// let body = "Sitemap: https://test.example.net/sitemap.xml\n";
/// let report = robots::lint_site(&crawler, body, &site)?;
/// assert_eq!(report.diagnostics()[0].code.to_string(), "R086");
/// # Ok::<(), robots::Error>(())
/// ```
///
/// # Errors
/// The errors of [`lint`].
pub fn lint_site(
    crawler: &Crawler,
    body: impl AsRef<[u8]>,
    site: &Origin,
) -> Result<Report, Error> {
    lint_bytes(crawler, body.as_ref(), Some(site))
}

/// Returns the meaning of the lines of a robots.txt without checking them: the report has no diagnostics.
///
/// ```
/// let crawler = robots::Crawler::new("ExampleBot")?;
/// let report = robots::outline(&crawler, "User-agent: *\nDisallow: private/\n")?;
/// assert_eq!((report.line_count(), report.group_count(), report.diagnostics().len()), (2, 1, 0));
/// # Ok::<(), robots::Error>(())
/// ```
///
/// # Errors
/// [`Error::Memory`] on allocation failure.
pub fn outline(crawler: &Crawler, body: impl AsRef<[u8]>) -> Result<Report, Error> {
    let file = File::read(crawler, body.as_ref())?;
    let groups = Groups::new(&file)?;
    Ok(Report::new(file, &groups, Findings::new(crawler)))
}

fn lint_bytes(crawler: &Crawler, body: &[u8], site: Option<&Origin>) -> Result<Report, Error> {
    let mut findings = Findings::new(crawler);
    let mut file = File::read(crawler, body)?;
    if let Some(site) = site {
        file.site = words(site.key())?;
    }
    let groups = Groups::new(&file)?;
    let nature = encoding::check_encoding(&file, &mut findings);
    // If the file is not a robots.txt, one diagnostic is enough.
    if nature != Nature::Other {
        fields::check_fields(&file, nature == Nature::Foreign, &mut findings);
    }
    if nature == Nature::Robots {
        agents::check_agents(&file, &mut findings);
        group_checks::check_groups(&file, &groups, &mut findings)?;
        paths::check_paths(&file, &mut findings)?;
        values::check_values(&file, &mut findings)?;
        redundancy::check_redundancy(&file, &groups, &mut findings)?;
        advice::check_advice(&file, &mut findings)?;
        site_checks::check_site(&file, &groups, &mut findings)?;
        dialects::check_dialects(&file, &groups, &mut findings)?;
    }
    if findings.is_undecided {
        findings
            .add(Code::NotDecided, Place::FILE)
            .say("some rules were not compared: the file is too large, or too hard to compare")
            .help("make it shorter, or write fewer `*`");
    }
    match findings.failure {
        Some(error) => Err(error),
        None => {
            let mut report = Report::new(file, &groups, findings);
            report.prove_fixes()?;
            Ok(report)
        }
    }
}

/// The result of [`lint`], with a copy of the bytes that were read.
#[derive(Clone, Debug)]
pub struct Report {
    file: File,
    groups: u32,
    diagnostics: Vec<Diagnostic>,
    /// Number of diagnostics of each code that was found.
    totals: Vec<(Code, u64)>,
}

impl Report {
    fn new(file: File, groups: &Groups, findings: Findings) -> Report {
        let mut diagnostics = findings.kept;
        // In a file with joined lines no fix is safe, because crawlers do not read the lines that the author meant.
        let joined = (findings.totals.iter()).any(|(code, _)| *code == Code::JoinedLines);
        let may_be_safe = file.has_room() && !joined;
        for found in &mut diagnostics {
            if let Some(fix) = &mut found.fix {
                fix.is_safe &= may_be_safe;
            }
            let line = file.whole_line(found.line);
            if found.line > 0 {
                found.column = found.span.start.saturating_sub(line.start) as u32 + 1;
            }
        }
        // A stable sort of std would allocate, and abort on allocation failure.
        let order = |found: &Diagnostic| (found.line, found.span.start, found.code);
        diagnostics.sort_unstable_by(|a, b| {
            order(a)
                .cmp(&order(b))
                .then_with(|| a.message.cmp(&b.message))
        });
        Report {
            groups: groups.count(),
            file,
            diagnostics,
            totals: findings.totals,
        }
    }

    /// Returns the diagnostics in file order; diagnostics about the whole file come first. The report keeps at most
    /// [`MAX_PER_CODE`](crate::limits::MAX_PER_CODE) diagnostics of each code, unless [`Crawler::with_lint_limit`] sets another
    /// limit.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns the number of diagnostics of each code that was found, including diagnostics that were not kept.
    pub fn totals(&self) -> &[(Code, u64)] {
        &self.totals
    }

    /// Returns the number of diagnostics of a severity, including diagnostics that were not kept.
    pub fn total(&self, severity: Severity) -> u64 {
        let totals = self.totals.iter();
        let of_it = totals.filter(|(code, _)| code.severity() == severity);
        of_it.map(|(_, total)| total).sum()
    }

    /// Removes the diagnostics for which `keep` returns false, and subtracts them from the totals. A code whose diagnostics are
    /// all removed loses its total.
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        let kept = |diagnostics: &[Diagnostic], code| {
            let of_code = diagnostics.iter().filter(|found| found.code == code);
            of_code.count() as u64
        };
        for (code, total) in &mut self.totals {
            *total -= kept(&self.diagnostics, *code);
        }
        self.diagnostics.retain(keep);
        for (code, total) in &mut self.totals {
            let kept = kept(&self.diagnostics, *code);
            *total = if kept > 0 { *total + kept } else { 0 };
        }
        self.totals.retain(|(_, total)| *total > 0);
    }

    /// Returns the number of lines that were read.
    pub fn line_count(&self) -> u32 {
        self.file.kept.len() as u32
    }

    /// Returns the number of groups.
    pub fn group_count(&self) -> u32 {
        self.groups
    }

    /// Returns a line and its meaning; the first line has the number 1. A line that the parser understands counts even in a
    /// web page (SPEC 4.3).
    pub fn line(&self, number: u32) -> Option<LineMeaning> {
        self.file.meaning(number)
    }

    /// Iterates over the lines with their meaning.
    pub fn lines(&self) -> impl Iterator<Item = LineMeaning> {
        (1..=self.line_count()).filter_map(|number| self.line(number))
    }

    /// Applies fixes to `body`, which must be the file of this report. `wanted` selects the diagnostics whose fixes are
    /// applied. If two fixes overlap, only the first fix is applied: lint the result again to get the other fix.
    ///
    /// ```
    /// let crawler = robots::Crawler::new("ExampleBot")?;
    /// let body = "User-agent: *\nDisallow: /a/\nDisallow: /a/b/\nDisallow: private/\n";
    /// let report = robots::lint(&crawler, body)?;
    /// let is_safe = |found: &robots::Diagnostic| found.fix.as_ref().is_some_and(|fix| fix.is_safe);
    /// let fixed = report.apply_fixes(body, is_safe)?;
    /// assert_eq!(fixed.body, b"User-agent: *\nDisallow: /a/\nDisallow: private/\n");
    /// assert_eq!(fixed.applied[0].code.to_string(), "R063");
    /// # Ok::<(), robots::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Memory`] on allocation failure.
    pub fn apply_fixes(
        &self,
        body: impl AsRef<[u8]>,
        mut wanted: impl FnMut(&Diagnostic) -> bool,
    ) -> Result<Fixed<'_>, Error> {
        let body = body.as_ref();
        let mut order: Vec<(&Fix, &Diagnostic)> = Vec::new();
        for found in self.diagnostics() {
            if let Some(fix) = found.fix.as_ref().filter(|_| wanted(found)) {
                push(&mut order, (fix, found))?;
            }
        }
        order.sort_unstable_by_key(|(fix, found)| (fix.span.start, fix.span.end, found.code));
        let mut fixed = Fixed {
            body: Vec::new(),
            applied: Vec::new(),
        };
        let mut done = 0;
        for (fix, found) in order {
            let (Some(before), true) = (body.get(done..fix.span.start), fix.span.end <= body.len())
            else {
                continue;
            };
            append(&mut fixed.body, before)?;
            append(&mut fixed.body, fix.replacement.as_bytes())?;
            push(&mut fixed.applied, found)?;
            done = fix.span.end;
        }
        append(&mut fixed.body, body.get(done..).unwrap_or_default())?;
        Ok(fixed)
    }

    /// Returns the bytes that were read. Spans are ranges of these bytes.
    pub fn body(&self) -> &[u8] {
        &self.file.body
    }
}

/// A file after some fixes.
#[derive(Clone, Debug)]
pub struct Fixed<'r> {
    /// Bytes of the file.
    pub body: Vec<u8>,
    /// Diagnostics whose fixes were applied, in file order.
    pub applied: Vec<&'r Diagnostic>,
}
