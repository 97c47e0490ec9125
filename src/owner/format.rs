//! Rewrites a robots.txt in canonical layout without changing a verdict.
//!
//! A line is rewritten only if every dialect reads the new line like the old one. A blank line ends a record in koster1996
//! (SPEC 6.6). So `format` removes a blank line only next to another blank line or at either end of the file. It adds a blank
//! line only after a record.

use core::fmt;

use crate::base::dialect::Dialect;
use crate::base::limits::MIN_MAX_BYTES;
use crate::core::parse::directive::{self, Directive};
use crate::core::parse::reader::{FileLine, Reader, is_blank, text_of};
use crate::core::parse::{begins_compressed, begins_utf16};
use crate::page::ExtensionField;

/// The result of [`format()`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted {
    /// File in canonical layout.
    pub text: Vec<u8>,
    /// Number of each line of `text` in the original, counted from 1; 0 for an added blank line.
    pub origins: Vec<u32>,
}

/// Why a robots.txt cannot be rewritten safely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unformatted {
    /// The file or the result exceeds the size limit of some crawlers (SPEC 4.5): formatting could move lines across the limit.
    TooLong,
    /// The file is UTF-16 (SPEC 4.4), where a byte that looks like a line end may be part of a character.
    Utf16,
    /// The file is compressed (SPEC 4.4).
    Compressed,
}

impl fmt::Display for Unformatted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unformatted::TooLong => {
                "longer than the 512,000 bytes that every crawler reads: shorten it first"
            }
            Unformatted::Utf16 => "UTF-16, which no crawler understands: save it as UTF-8 first",
            Unformatted::Compressed => "compressed: unpack it first",
        })
    }
}

impl core::error::Error for Unformatted {}

/// Rewrites a robots.txt in canonical layout: correct field names, one space after each colon, one blank line between groups.
/// Lines end in LF, and there is no byte order mark. Comments, values and the order of lines do not change.
///
/// Verdicts, crawl-delays and sitemaps stay the same for every crawler in every [`Dialect`]. [`Formatted::origins`] has the old
/// line numbers. A line that cannot be rewritten safely stays as it is. The function is idempotent.
///
/// ```
/// let formatted = robots::format("useragent:*\r\ndissallow :/private/ # mine\r\n").unwrap();
/// assert_eq!(formatted.text, b"User-agent: *\nDisallow: /private/ # mine\n");
/// assert_eq!(formatted.origins, [1, 2]);
/// ```
///
/// # Errors
/// [`Unformatted`] if the file cannot be rewritten safely.
pub fn format(body: impl AsRef<[u8]>) -> Result<Formatted, Unformatted> {
    let body = body.as_ref();
    if begins_utf16(body) {
        return Err(Unformatted::Utf16);
    }
    if begins_compressed(body) {
        return Err(Unformatted::Compressed);
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

#[derive(Default)]
struct Writer {
    text: Vec<u8>,
    origins: Vec<u32>,
    /// Pending comment lines. A comment belongs to the next line that is no comment.
    comments: Vec<(u32, Vec<u8>)>,
    /// Number of a blank line to write before the next line; 0 for an added blank line.
    blank: Option<u32>,
}

impl Writer {
    fn file(&mut self, body: &[u8]) {
        // In koster1996 a record also ends at a blank line, so user-agent lines after the blank line start a group.
        for line in Reader::whole(body, Dialect::Koster1996) {
            self.line(line);
        }
        self.comments();
        // If the new first bytes look like a byte order mark, a real byte order mark is put before these bytes. So they stay
        // text (SPEC 4.2).
        if self.text.first() == Some(&0xEF) || begins_utf16(&self.text) {
            self.text.splice(..0, *b"\xEF\xBB\xBF");
        }
    }

    fn line(&mut self, line: FileLine<'_>) {
        let FileLine { number, whole, .. } = line;
        if is_blank(line.text, line.is_commented, Dialect::Koster1996) {
            self.comments();
            self.blank = Some(number);
            return;
        }
        if line.directive.is_none() && whole.trim_ascii_start().starts_with(b"#") {
            self.comments.push((number, rewritten(whole)));
            return;
        }
        if line.starts_group && self.blank.is_none() {
            self.blank = Some(0);
        }
        self.comments();
        self.put(number, &rewritten(whole));
    }

    fn comments(&mut self) {
        for (number, comment) in std::mem::take(&mut self.comments) {
            self.put(number, &comment);
        }
    }

    /// Writes the pending blank line, then a line.
    fn put(&mut self, number: u32, line: &[u8]) {
        let blank = self.blank.take();
        // The file starts without a blank line, unless its first line looks like a compressed file (SPEC 4.4).
        let is_first = self.text.is_empty() && !begins_compressed(line);
        if let Some(blank) = blank.filter(|_| !is_first) {
            self.text.push(b'\n');
            self.origins.push(blank);
        }
        self.text.extend_from_slice(line);
        self.text.push(b'\n');
        self.origins.push(number);
    }
}

/// Returns how one dialect reads a line: the directive, and whether the line is blank.
fn reading(line: &[u8], dialect: Dialect) -> (Option<Directive<'_>>, bool) {
    let text = text_of(line, dialect);
    let is_blank = is_blank(text, line.contains(&b'#'), dialect);
    (directive::read(text, dialect), is_blank)
}

/// Returns the canonical line, or the closest line that every dialect reads like `raw`.
fn rewritten(raw: &[u8]) -> Vec<u8> {
    let is_read_alike = |new: &Vec<u8>| {
        let mut dialects = Dialect::ALL.into_iter();
        begins_compressed(new) == begins_compressed(raw)
            && dialects.all(|dialect| reading(new, dialect) == reading(raw, dialect))
    };
    let trimmed = trim(raw).to_vec();
    let mut lines = [normal(raw), Some(trimmed)].into_iter().flatten();
    lines.find(is_read_alike).unwrap_or_else(|| raw.to_vec())
}

/// Returns `Field: value # comment`; `None` if the field is unknown.
fn normal(raw: &[u8]) -> Option<Vec<u8>> {
    let end = memchr::memchr(b'#', raw).unwrap_or(raw.len());
    let (text, comment) = raw.split_at_checked(end)?;
    let (name, value) = match reading(text, Dialect::Rfc9309).0 {
        Some(directive) => (directive.field.name(), directive.value),
        None => {
            // An extension field (SPEC 9.3 to 9.5, 9.7) needs a colon.
            let has_colon = memchr::memchr(b':', text).is_some();
            let (name, value) = directive::split(text, Dialect::Rfc9309).filter(|_| has_colon)?;
            (ExtensionField::find(name)?.written(), value)
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
    Dialect::Rfc9309.trim(text)
}
