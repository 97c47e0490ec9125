//! Finds a reason to doubt a stored body. This is a fast part of lint, for tables of many files.

use super::fields;
use super::lines::{File, LineKind};
use crate::base::error::Error;
use crate::crawler::Crawler;

/// A reason to doubt that a body is the robots.txt that the site serves, although a parser accepts the body. Verdicts from a
/// body with such a fault allow more than the site does.
///
/// ```
/// use robots::{BodyDoubt, Crawler};
///
/// let crawler = Crawler::new("ExampleBot")?;
/// let doubt = |body| BodyDoubt::find(&crawler, body);
/// assert_eq!(doubt("User-agent: *\nDisallow: /a/\n")?, None);
/// assert_eq!(doubt("<html>Not found</html>")?, Some(BodyDoubt::NoGroup));
/// assert_eq!(doubt(r"b'User-agent: *\nDisallow: /a/\n'")?, Some(BodyDoubt::Encoded));
/// assert_eq!(doubt("VXNlci1hZ2VudDogKgpEaXNhbGxvdzogL2EvCg==")?, Some(BodyDoubt::Encoded));
/// assert_eq!(doubt("User-agent: * Disallow: /a/")?, Some(BodyDoubt::Damaged));
/// assert_eq!(doubt("\"User-agent: *\nDisallow: /a/\nUser-agent: b")?, Some(BodyDoubt::Damaged));
/// # Ok::<(), robots::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum BodyDoubt {
    /// The body has no user-agent line. It may be empty, a web page, or the path of a file that was passed instead of
    /// the file's content.
    NoGroup,
    /// The body has no user-agent line, because it is an encoding of a file's bytes: the result of Python's `str`, or base64.
    Encoded,
    /// The body lost line ends ([`Code::JoinedLines`](super::Code::JoinedLines)), its end
    /// ([`Code::CutLine`](super::Code::CutLine)), or its first line. In the last case, rules belong to no group
    /// ([`Code::RuleOutsideGroup`](super::Code::RuleOutsideGroup)).
    Damaged,
}

impl BodyDoubt {
    /// Returns the reason to doubt a body; `None` if there is none. This is much faster than [`lint`](crate::lint).
    ///
    /// # Errors
    /// [`Error::Memory`] on allocation failure.
    pub fn find(crawler: &Crawler, body: impl AsRef<[u8]>) -> Result<Option<BodyDoubt>, Error> {
        let file = File::read(crawler, body.as_ref())?;
        if !file.has_kind(LineKind::UserAgent) {
            return Ok(Some(match is_encoded(body.as_ref().trim_ascii()) {
                true => BodyDoubt::Encoded,
                false => BodyDoubt::NoGroup,
            }));
        }
        Ok(fields::is_damaged(&file).then_some(BodyDoubt::Damaged))
    }
}

/// Returns whether a text is `b'...'` with escapes, or a robots.txt in base64.
fn is_encoded(text: &[u8]) -> bool {
    let holds_field = |text: &[u8]| {
        [&b"user-agent"[..], b"disallow", b"sitemap"]
            .iter()
            .any(|field| {
                let mut windows = text.windows(field.len());
                windows.any(|window| window.eq_ignore_ascii_case(field))
            })
    };
    match text {
        [b'b', b'\'' | b'"', rest @ ..] => {
            holds_field(rest.get(..START).unwrap_or(rest)) && !rest.contains(&b'\n')
        }
        _ => {
            let mut start = [0; START];
            holds_field(decoded(text, &mut start))
        }
    }
}

/// Number of bytes that are searched for a field: several screens of comments may come before the first field.
const START: usize = 4096;

/// Decodes the start of a base64 text (RFC 4648, both alphabets) into `out` and returns it; returns no bytes for other text.
fn decoded<'o>(text: &[u8], out: &'o mut [u8; START]) -> &'o [u8] {
    let mut len = 0;
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text.iter().filter(|byte| !byte.is_ascii_whitespace()) {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            _ => return &[],
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            let Some(place) = out.get_mut(len) else { break };
            *place = (bits >> count) as u8;
            len += 1;
        }
    }
    out.get(..len).unwrap_or_default()
}
