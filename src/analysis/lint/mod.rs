//! Reports the meaning of each line of a robots.txt, and its faults.
//!
//! The parser's own modules read the lines. `conflicts` and `dialect_diff` query the engine itself, within a
//! `query_budget`.

mod agents;
mod codes;
mod conflicts;
mod cover;
mod diagnostic;
mod dialect_diff;
mod encoding;
mod fields;
mod group_checks;
mod groups;
mod lines;
mod paths;
mod query_budget;
mod redundant;
mod render;
mod rule_set;
mod values;

pub use codes::{Code, Severity};
pub use diagnostic::{Diagnostic, MAX_PER_CODE};
pub use lines::{LineKind, LineMeaning};
pub use render::Style;

use crate::crawler::Crawler;
use crate::error::Error;
use diagnostic::Findings;
use encoding::Nature;
use groups::Groups;
use lines::File;

/// Checks a robots.txt and returns the meaning of every line and the faults found.
///
/// Only the crawler's dialect, size limit and options count: lint checks every group. Any bytes are accepted. The
/// time is linear in the size of the file except for sorting, and the number of queries is bounded. The report keeps
/// at most [`MAX_PER_CODE`] diagnostics of each code.
///
/// ```
/// let crawler = robots::Crawler::new("ExampleBot")?;
/// let report = robots::lint(&crawler, "User-agent: *\nDisallow: private/\n")?;
/// let found = &report.diagnostics()[0];
/// assert_eq!(found.code().to_string(), "R050");
/// assert_eq!((found.line(), found.column()), (2, 11));
/// assert_eq!(found.suggestion(), Some("write `/private/`"));
/// # Ok::<(), robots::Error>(())
/// ```
///
/// # Errors
/// [`Error::Memory`] on allocation failure. No file is an error.
pub fn lint(crawler: &Crawler, body: impl AsRef<[u8]>) -> Result<Report, Error> {
    let body = body.as_ref();
    let mut findings = Findings::default();
    let mut file = File::read(crawler, body)?;
    let groups = Groups::new(crawler, &mut file)?;
    let nature = encoding::check_encoding(&file, &mut findings)?;
    // One diagnostic is enough for a file that is not a robots.txt.
    if nature != Nature::Other {
        fields::check_fields(&file, nature == Nature::Foreign, &mut findings)?;
    }
    if nature == Nature::Robots {
        agents::check_agents(&file, &mut findings)?;
        group_checks::check_groups(crawler, &file, &groups, &mut findings)?;
        paths::check_paths(&file, &mut findings)?;
        values::check_values(&file, &mut findings)?;
        conflicts::check_conflicts(&file, &groups, &mut findings)?;
        dialect_diff::check_dialects(crawler, &file, &groups, &mut findings)?;
    }
    Ok(Report::new(file, &groups, findings))
}

/// The result of [`lint`]. It holds its own copy of the bytes that were read.
#[derive(Clone, Debug)]
pub struct Report {
    file: File,
    groups: u32,
    diagnostics: Vec<Diagnostic>,
    /// Counts by code, without zeros.
    totals: Vec<(Code, u64)>,
}

impl Report {
    fn new(file: File, groups: &Groups, findings: Findings) -> Report {
        let mut diagnostics = findings.kept;
        for found in &mut diagnostics {
            let line = file.whole_line(found.line);
            if found.line > 0 {
                found.column = found.span.start.saturating_sub(line.start) as u32 + 1;
            }
        }
        // The stable sort allocates and would abort on failure.
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

    /// Returns the diagnostics in file order; those about the whole file come first. At most [`MAX_PER_CODE`] of each
    /// code.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns the number of diagnostics by code, without zeros. Counts those that were not kept, too.
    pub fn totals(&self) -> &[(Code, u64)] {
        &self.totals
    }

    /// Returns the number of diagnostics of a severity. Counts those that were not kept, too.
    pub fn total(&self, severity: Severity) -> u64 {
        let of_it = self
            .totals
            .iter()
            .filter(|(code, _)| code.severity() == severity);
        of_it.map(|(_, total)| total).sum()
    }

    /// Returns the number of lines that were read.
    pub fn line_count(&self) -> u32 {
        self.file.kept.len() as u32
    }

    /// Returns the number of groups.
    pub fn group_count(&self) -> u32 {
        self.groups
    }

    /// Returns a line and its meaning; the first is 1. Every line that is understood counts, also in a web page
    /// (SPEC 4.3).
    pub fn line(&self, number: u32) -> Option<LineMeaning> {
        self.file.meaning(number)
    }

    /// Iterates over the lines with their meaning.
    pub fn lines(&self) -> impl Iterator<Item = LineMeaning> {
        (1..=self.line_count()).filter_map(|number| self.line(number))
    }

    /// Returns the bytes that were read; spans refer to them.
    pub fn body(&self) -> &[u8] {
        &self.file.body
    }
}
