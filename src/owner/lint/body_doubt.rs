//! Why a stored body is doubtful: a short form of lint for tables of many files.

use super::fields;
use super::lines::{File, LineKind};
use crate::base::error::Error;
use crate::crawler::Crawler;

/// Why a body is perhaps not the robots.txt that the site serves, although a parser reads it. Verdicts from such a body allow
/// too much.
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
    /// The body has no user-agent line: it may be empty, a page, a path, or a file in base64.
    NoGroup,
    /// The body lost line ends ([`Code::JoinedLines`](super::Code::JoinedLines)), its end
    /// ([`Code::CutLine`](super::Code::CutLine)), or its first line, so that rules belong to no group
    /// ([`Code::RuleOutsideGroup`](super::Code::RuleOutsideGroup)).
    Damaged,
}

impl BodyDoubt {
    /// Returns why a body is doubtful; `None` if it is not. Much faster than [`lint`](crate::lint).
    ///
    /// # Errors
    /// [`Error::Memory`] on allocation failure.
    pub fn find(crawler: &Crawler, body: impl AsRef<[u8]>) -> Result<Option<BodyDoubt>, Error> {
        let file = File::read(crawler, body.as_ref())?;
        if !file.has_kind(LineKind::UserAgent) {
            return Ok(Some(BodyDoubt::NoGroup));
        }
        Ok(fields::is_damaged(&file).then_some(BodyDoubt::Damaged))
    }
}
