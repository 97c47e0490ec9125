//! A robots.txt written the way it should be, without changing what it says: cold, for people.
//!
//! A line is written anew only where every dialect reads the new line as it reads the old one, and stays as it
//! is otherwise. A blank line ends a record in koster1996 (SPEC 6.6), so none is taken away but beside another
//! one, and one is put only where that record has ended.

use core::fmt;

use crate::dialect::Dialect;
use crate::extensions::ExtensionField;
use crate::limits::MIN_MAX_BYTES;
use crate::parser::directive::{self, Field};
use crate::parser::line::{Lines, without_byte_order_mark};

/// What [`format()`] makes of a robots.txt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted {
    /// The file as it should be written.
    pub text: Vec<u8>,
    /// For each of its lines the number of the line it was, counted from 1; 0 for a blank line put in.
    pub origins: Vec<u32>,
}

/// Why a robots.txt cannot be written anew without the risk of changing what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unformatted {
    /// Before or after, it is longer than some crawlers read: other lines would lie past their limit (SPEC 4.5).
    TooLong,
    /// It is UTF-16 (SPEC 4.4), in which what looks like a line end need be none.
    Utf16,
}

impl fmt::Display for Unformatted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unformatted::TooLong => {
                "longer than the 512,000 octets that every crawler reads, so that other lines would lie past them: shorten it first"
            }
            Unformatted::Utf16 => {
                "UTF-16, of which no crawler understands a line: save it as UTF-8 first"
            }
        })
    }
}

impl core::error::Error for Unformatted {}

/// Writes a robots.txt the way it should be: fields spelt right, one space behind the colon, one blank line
/// between groups and never two, no byte order mark, lines that end in LF. Comments, values and the order of
/// lines stay.
///
/// No verdict of any crawler in any [`Dialect`] changes, nor its crawl-delay nor the sitemaps; lines move as
/// [`Formatted::origins`] says. What cannot be written anew safely stays as it is. Formatting what was formatted
/// changes nothing.
///
/// ```
/// let formatted = robots::format("useragent:*\r\ndissallow :/private/ # mine\r\n").unwrap();
/// assert_eq!(formatted.text, b"User-agent: *\nDisallow: /private/ # mine\n");
/// assert_eq!(formatted.origins, [1, 2]);
/// ```
///
/// # Errors
/// [`Unformatted`], with which the file is best left as it is.
pub fn format(body: impl AsRef<[u8]>) -> Result<Formatted, Unformatted> {
    let body = body.as_ref();
    if is_utf16(body) {
        return Err(Unformatted::Utf16);
    }
    let mut writer = Writer::default();
    if body.len() <= MIN_MAX_BYTES {
        writer.file(body);
    }
    if body.len() > MIN_MAX_BYTES || writer.text.len() > MIN_MAX_BYTES {
        return Err(Unformatted::TooLong);
    }
    Ok(Formatted {
        text: writer.text,
        origins: writer.origins,
    })
}

/// By its mark.
fn is_utf16(body: &[u8]) -> bool {
    matches!(body, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..])
}

#[derive(Default)]
struct Writer {
    text: Vec<u8>,
    origins: Vec<u32>,
    /// More user-agent lines would join the group (SPEC 6.1), whether or not a crawl-delay ends their run.
    open: bool,
    /// Lines with only a comment since the last line of another kind: they belong to what follows them.
    comments: Vec<(u32, Vec<u8>)>,
    /// A blank line stands where the next line will, and this is its number.
    blank: Option<u32>,
}

impl Writer {
    fn file(&mut self, body: &[u8]) {
        let lines = raw_lines(without_byte_order_mark(body));
        for (number, raw) in (1..).zip(lines) {
            self.line(number, raw);
        }
        self.comments();
        // What stands first in place of a mark would be skipped as one (SPEC 4.2), or taken for that of UTF-16.
        if self.text.first() == Some(&0xEF) || is_utf16(&self.text) {
            self.text.splice(..0, *b"\xEF\xBB\xBF");
        }
    }

    fn line(&mut self, number: u32, raw: &[u8]) {
        let read = Reading::new(raw, Dialect::Rfc9309);
        match read {
            Reading::Blank => {
                self.comments();
                self.blank = Some(number);
                self.open = false;
                return;
            }
            Reading::Other if raw.trim_ascii_start().starts_with(b"#") => {
                // Put where the line below it will stand.
                self.comments.push((number, rewritten(raw)));
                return;
            }
            _ => {}
        }
        let field = match read {
            Reading::Field(field, _) => Some(field),
            _ => None,
        };
        if field == Some(Field::UserAgent) && !self.open && self.blank.is_none() {
            self.blank = Some(0);
        }
        self.comments();
        self.put(number, &rewritten(raw));
        match field {
            Some(Field::UserAgent) => self.open = true,
            Some(Field::Allow | Field::Disallow) => self.open = false,
            _ => {}
        }
    }

    /// Writes the comments that wait.
    fn comments(&mut self) {
        for (number, comment) in std::mem::take(&mut self.comments) {
            self.put(number, &comment);
        }
    }

    /// Writes a line, and before it the blank one that waits.
    fn put(&mut self, number: u32, line: &[u8]) {
        let blank = self.blank.take();
        if let Some(blank) = blank.filter(|_| !self.text.is_empty()) {
            self.text.push(b'\n');
            self.origins.push(blank);
        }
        self.text.extend_from_slice(line);
        self.text.push(b'\n');
        self.origins.push(number);
    }
}

/// What one dialect takes from a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading<'a> {
    Field(Field, &'a [u8]),
    /// Nothing stands there.
    Blank,
    /// A comment, or what is not understood.
    Other,
}

impl<'a> Reading<'a> {
    fn new(line: &'a [u8], dialect: Dialect) -> Reading<'a> {
        // Not at the start of the file this is no mark (SPEC 4.2), and no field begins like it.
        if line.first() == Some(&0xEF) {
            return Reading::Other;
        }
        let Some(read) = Lines::new(line, usize::MAX, dialect).next() else {
            return Reading::Blank;
        };
        match directive::read(read.text, dialect) {
            Some(directive) => Reading::Field(directive.field, directive.value),
            None if !read.is_commented && directive::trim(read.text, dialect).is_empty() => {
                Reading::Blank
            }
            None => Reading::Other,
        }
    }
}

/// The line as it should be written, or as nearly so as no dialect minds.
fn rewritten(raw: &[u8]) -> Vec<u8> {
    let is_read_alike = |new: &Vec<u8>| {
        Dialect::ALL
            .into_iter()
            .all(|dialect| Reading::new(new, dialect) == Reading::new(raw, dialect))
    };
    let trimmed = trim(raw).to_vec();
    [normal(raw), Some(trimmed)]
        .into_iter()
        .flatten()
        .find(is_read_alike)
        .unwrap_or_else(|| raw.to_vec())
}

/// `Field: value # comment`, if the line has a field that is known.
fn normal(raw: &[u8]) -> Option<Vec<u8>> {
    let end = memchr::memchr(b'#', raw).unwrap_or(raw.len());
    let (text, comment) = raw.split_at_checked(end)?;
    let (name, value) = match Reading::new(text, Dialect::Rfc9309) {
        Reading::Field(field, value) => (field.name(), value),
        _ => {
            // Of other lines, those that some crawlers read (SPEC 9.3 to 9.5) and that have their colon.
            let has_colon = memchr::memchr(b':', text).is_some();
            let (name, value) = directive::split(text, Dialect::Rfc9309).filter(|_| has_colon)?;
            (ExtensionField::parse(name)?.written(), value)
        }
    };
    let mut line = name.as_bytes().to_vec();
    line.push(b':');
    for part in [value, trim(comment)] {
        if !part.is_empty() {
            line.push(b' ');
            line.extend_from_slice(part);
        }
    }
    Some(line)
}

fn trim(text: &[u8]) -> &[u8] {
    directive::trim(text, Dialect::Rfc9309)
}

/// The lines with all that stands in them, as [`Lines`] counts them (SPEC 4.1).
fn raw_lines(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = body;
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let (line, after) = rest.split_at_checked(end)?;
        rest = match after {
            [b'\r', b'\n', rest @ ..] | [_, rest @ ..] => rest,
            [] => after,
        };
        Some(line)
    })
}
