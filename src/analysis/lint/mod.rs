//! Every line of a robots.txt with its meaning and its faults: cold, for people.
//!
//! The lines are read by the same modules that crawlers read them with. What is said of rules that never
//! decide and of dialects that differ is asked of the engine itself: `decide`, `readings`.

mod agents;
mod codes;
mod conflicts;
mod cover;
mod diagnostic;
mod dialect_diff;
mod encoding;
mod fields;
mod groups;
mod lines;
mod paths;
mod query_budget;
mod redundant;
mod render;
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

/// Looks over a robots.txt for its writer: what every line means, and what is wrong with it.
///
/// Of the crawler only the dialect, the size limit and the options count: a robots.txt is for everyone, so
/// every group is looked at. Any octets will do. The time is linear in the size of the file but for
/// sorting, and what is asked of the engine is bounded; so is what is kept, by [`MAX_PER_CODE`].
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
/// [`Error::Memory`] alone; what the file holds is never an error.
pub fn lint(crawler: &Crawler, body: impl AsRef<[u8]>) -> Result<Report, Error> {
    let body = body.as_ref();
    let mut findings = Findings::default();
    let mut file = File::read(crawler, body)?;
    let groups = Groups::new(crawler, &mut file)?;
    let nature = encoding::check_encoding(&file, &mut findings)?;
    // Of what is no robots.txt at all one diagnostic is enough, however many lines it has.
    if nature != Nature::Other {
        fields::check_fields(&file, nature == Nature::Foreign, &mut findings)?;
    }
    if nature == Nature::Robots {
        agents::check_agents(&file, &mut findings)?;
        groups::check_groups(crawler, &file, &groups, &mut findings)?;
        paths::check_paths(&file, &mut findings)?;
        values::check_values(&file, &mut findings)?;
        conflicts::check_conflicts(&file, &groups, &mut findings)?;
        dialect_diff::check_dialects(crawler, &file, &groups, &mut findings)?;
    }
    Ok(Report::new(file, &groups, findings))
}

/// What [`lint`] says about a robots.txt. It holds its own copy of what was read of it.
#[derive(Clone, Debug)]
pub struct Report {
    file: File,
    groups: u32,
    diagnostics: Vec<Diagnostic>,
    /// Of each kind of which there are any.
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
        // Not the stable sort, which takes memory and ends the process where there is none.
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

    /// The diagnostics in the order of the file; those about the file as a whole come first. Of each kind
    /// the first [`MAX_PER_CODE`].
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// How many diagnostics there are of each kind of which there are any, also of those that were not kept.
    pub fn totals(&self) -> &[(Code, u64)] {
        &self.totals
    }

    /// How many diagnostics of a severity there are, also of those that were not kept.
    pub fn total(&self, severity: Severity) -> u64 {
        let of_it = self
            .totals
            .iter()
            .filter(|(code, _)| code.severity() == severity);
        of_it.map(|(_, total)| total).sum()
    }

    /// How many lines were read.
    pub fn line_count(&self) -> u32 {
        self.file.kept.len() as u32
    }

    /// How many groups there are.
    pub fn group_count(&self) -> u32 {
        self.groups
    }

    /// A line and what it means; the first is 1. Of a file that is no robots.txt at all the lines have their
    /// meaning, too: every line that is understood counts (SPEC 4.3).
    pub fn line(&self, number: u32) -> Option<LineMeaning> {
        self.file.meaning(number)
    }

    /// Every line with its meaning.
    pub fn lines(&self) -> impl Iterator<Item = LineMeaning> {
        (1..=self.line_count()).filter_map(|number| self.line(number))
    }

    /// What was read of the file: the spans are of these octets.
    pub fn body(&self) -> &[u8] {
        &self.file.body
    }
}
