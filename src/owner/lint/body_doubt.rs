//! What makes a stored body doubtful: a short form of lint for tables of many files.

use super::fields;
use super::lines::{File, LineKind};
use crate::base::error::Error;
use crate::crawler::Crawler;

/// Why a body is perhaps not the robots.txt that the site serves, although a parser reads it. Each reason makes verdicts
/// that allow too much.
///
/// ```
/// use robots::{BodyDoubt, Crawler};
///
/// let crawler = Crawler::new("ExampleBot")?;
/// let doubt = |body| BodyDoubt::find(&crawler, body);
/// assert_eq!(doubt("User-agent: *\nDisallow: /a/\n")?, None);
/// assert_eq!(doubt("<html>Not found</html>")?, Some(BodyDoubt::NoGroup));
/// assert_eq!(doubt("User-agent: * Disallow: /a/")?, Some(BodyDoubt::Damaged));
/// assert_eq!(doubt("\"User-agent: *\nDisallow: /a/\nUser-agent: b")?, Some(BodyDoubt::Damaged));
/// # Ok::<(), robots::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum BodyDoubt {
    /// It has no user-agent line: it may be empty, a page, a path, or a file in base64.
    NoGroup,
    /// It lost line ends ([`Code::JoinedLines`](super::Code::JoinedLines)), its first line, so that rules belong to no group
    /// ([`Code::RuleOutsideGroup`](super::Code::RuleOutsideGroup)), or its end ([`Code::CutLine`](super::Code::CutLine)).
    Damaged,
}

impl BodyDoubt {
    /// Returns what makes a body doubtful; `None` for a file like others. Much faster than [`lint`](crate::lint).
    ///
    /// # Errors
    /// [`Error::Memory`] on allocation failure.
    pub fn find(crawler: &Crawler, body: impl AsRef<[u8]>) -> Result<Option<BodyDoubt>, Error> {
        let file = File::read(crawler, body.as_ref())?;
        Ok(match file.has_kind(LineKind::UserAgent) {
            true => fields::is_damaged(&file).then_some(BodyDoubt::Damaged),
            false => Some(BodyDoubt::NoGroup),
        })
    }
}
