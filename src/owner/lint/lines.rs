//! Reads the lines of a file and their meaning, and makes fixes of lines.

use core::ops::Range;
use std::sync::OnceLock;

use super::diagnostic::{FixResult, Place};
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::bytes::try_alloc::{append, copy, reserved};
use crate::core::parse::directive::{self, Field};
use crate::core::parse::reader::{self, FileLine, Reader};
use crate::crawler::Crawler;
use crate::crawler::options::ReadOptions;
use crate::page::ExtensionField;

/// Upper bound on the bytes that a fix writes, because the fixes of a hostile file could take as much memory as the file. If a
/// fix would be longer, the diagnostic has only advice.
const MAX_TEXT: usize = 256;

/// Upper bound on the bytes that all safe fixes together add to a file. If a file has less room below the crawler's size limit,
/// no fix is safe: fixes could move lines past the limit.
const MAX_GROWTH: usize = 64 << 10;

codes! {
    /// What a line is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    #[repr(u8)]
    pub enum LineKind: robots_line_kind("ROBOTS_LINE_") in lint, "What a line of a robots.txt is." {
        /// Only white space.
        Blank = 0 ROBOTS_LINE_BLANK,
        /// Only a comment.
        Comment = 1 ROBOTS_LINE_COMMENT,
        /// A user-agent.
        UserAgent = 2 ROBOTS_LINE_USER_AGENT,
        /// An allow rule.
        Allow = 3 ROBOTS_LINE_ALLOW,
        /// A disallow rule.
        Disallow = 4 ROBOTS_LINE_DISALLOW,
        /// A sitemap.
        Sitemap = 5 ROBOTS_LINE_SITEMAP,
        /// A crawl-delay.
        CrawlDelay = 6 ROBOTS_LINE_CRAWL_DELAY,
        /// A field that some crawlers use; it has no effect on a verdict (SPEC 9.3 to 9.5).
        Extension = 7 ROBOTS_LINE_EXTENSION,
        /// An unknown field; the line is skipped.
        Unknown = 8 ROBOTS_LINE_UNKNOWN,
        /// Neither a field with a value nor a comment; the line is skipped.
        NotUnderstood = 9 ROBOTS_LINE_NOT_UNDERSTOOD,
    }
    ALL: pub(super), from_code: pub(super) u32
}

impl LineKind {
    /// Returns whether some crawler understands a line of this kind.
    pub(crate) fn is_understood(self) -> bool {
        !matches!(
            self,
            LineKind::Blank | LineKind::Comment | LineKind::Unknown | LineKind::NotUnderstood
        )
    }
}

/// One line of the file and its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMeaning {
    /// Number of the line, counted from 1.
    pub number: u32,
    /// Kind of the line.
    pub kind: LineKind,
    /// Byte range of the line, without its end.
    pub span: Range<usize>,
    /// Byte range of the field; empty if there is none.
    pub field: Range<usize>,
    /// Byte range of the value, without surrounding white space; empty if there is none.
    pub value: Range<usize>,
    /// Number of the group, counted from 1 in file order; 0 for none.
    pub group: u32,
}

/// A line in compact form: eight bytes, because a hostile file can have as many lines as bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    start: u32,
    /// Number of the group in the high bits, and the kind in the low four bits.
    tag: u32,
}

impl Kept {
    pub(super) fn kind(self) -> LineKind {
        LineKind::from_code(self.tag & 15).unwrap_or(LineKind::NotUnderstood)
    }

    fn group(self) -> u32 {
        self.tag >> 4
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct LineParts<'a> {
    pub(super) number: u32,
    pub(super) kind: LineKind,
    pub(super) group: u32,
    /// Text that the dialect reads, without the comment.
    pub(super) text: &'a [u8],
    /// Name of the field, without surrounding white space; empty if there is none.
    pub(super) name: &'a [u8],
    /// Value, without surrounding white space; empty if there is none.
    pub(super) value: &'a [u8],
}

impl<'a> LineParts<'a> {
    pub(super) fn is_rule(&self) -> bool {
        matches!(self.kind, LineKind::Allow | LineKind::Disallow)
    }

    pub(super) fn value_or_name(&self) -> &'a [u8] {
        match self.value {
            b"" => self.name,
            value => value,
        }
    }
}

/// The bytes of a file that the crawler reads, and their lines.
#[derive(Clone, Debug)]
pub(super) struct File {
    pub(super) body: Vec<u8>,
    /// Length of the whole file, including the bytes that the crawler does not read.
    pub(super) full_len: usize,
    pub(super) dialect: Dialect,
    pub(super) reading: ReadOptions,
    pub(super) kept: Vec<Kept>,
    /// Origin of the site; empty if it is unknown.
    pub(super) site: String,
    /// Number of the first sitemap line, if all sitemaps have one host; set by [`File::host`].
    pub(super) host_line: OnceLock<Option<u32>>,
}

impl File {
    pub(super) fn read(crawler: &Crawler, body: &[u8]) -> Result<File, Error> {
        let full_len = body.len();
        // The byte after the size limit shows whether the last line is complete.
        let read = body.get(..=crawler.reading.max_bytes).unwrap_or(body);
        let dialect = crawler.reading.dialect;
        let lines = || Reader::new(crawler, body);
        let mut kept = reserved(lines().count())?;
        kept.extend(lines().map(|line| {
            let kind = kind(&line, dialect);
            let group = match kind {
                LineKind::Sitemap | LineKind::Blank | LineKind::Comment => 0,
                _ => line.group,
            };
            Kept {
                start: (line.whole.as_ptr().addr() - body.as_ptr().addr()) as u32,
                tag: group << 4 | kind as u32,
            }
        }));
        Ok(File {
            body: copy(read)?,
            full_len,
            dialect,
            reading: crawler.reading,
            kept,
            site: String::new(),
            host_line: OnceLock::new(),
        })
    }

    pub(super) fn has_kind(&self, kind: LineKind) -> bool {
        self.kept.iter().any(|line| line.kind() == kind)
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = LineParts<'_>> {
        (1..=self.kept.len() as u32).filter_map(|number| self.line(number))
    }

    fn kept_line(&self, number: u32) -> Option<&Kept> {
        self.kept.get((number as usize).checked_sub(1)?)
    }

    /// Iterates over the values of the lines of one kind.
    pub(super) fn values(&self, kind: LineKind) -> impl Iterator<Item = &[u8]> {
        let lines = (1..=self.kept.len() as u32).filter_map(|number| self.line(number));
        lines
            .filter(move |line| line.kind == kind)
            .map(|line| line.value)
    }

    /// Returns a line. The first line has the number 1.
    pub(super) fn line(&self, number: u32) -> Option<LineParts<'_>> {
        let kept = self.kept_line(number)?;
        let end = self.body.len().min(self.reading.max_bytes);
        let rest = self.body.get(kept.start as usize..end)?;
        let text = reader::text_of(reader::without_end(rest), self.dialect);
        let none = text.get(..0)?;
        let (name, value) = match kept.kind() {
            LineKind::Blank | LineKind::Comment | LineKind::NotUnderstood => (none, none),
            _ => directive::split(text, self.dialect).unwrap_or((none, none)),
        };
        Some(LineParts {
            number,
            kind: kept.kind(),
            group: kept.group(),
            text,
            name,
            value,
        })
    }

    pub(super) fn lines_of(&self, kind: LineKind) -> impl Iterator<Item = LineParts<'_>> {
        self.lines().filter(move |line| line.kind == kind)
    }

    /// Returns the value of a line; empty if there is none.
    pub(super) fn value(&self, number: u32) -> &[u8] {
        self.line(number).map_or(b"", |line| line.value)
    }

    pub(super) fn span(&self, part: &[u8]) -> Range<usize> {
        let start = part.as_ptr().addr().wrapping_sub(self.body.as_ptr().addr());
        match start.checked_add(part.len()) {
            Some(end) if end <= self.body.len() => start..end,
            _ => 0..0,
        }
    }

    pub(super) fn place(&self, line: u32, part: &[u8]) -> Place {
        Place::new(line, self.span(part))
    }

    /// Returns the place of the value of a line; the whole file for a line that lint does not keep.
    pub(super) fn value_place(&self, number: u32) -> Place {
        let line = self.line(number);
        line.map_or(Place::FILE, |line| self.place(number, line.value))
    }

    /// Returns the byte range of a whole line, with its comment but without its line end.
    pub(super) fn whole_line(&self, number: u32) -> Range<usize> {
        let Some(kept) = self.kept_line(number) else {
            return 0..0;
        };
        let start = kept.start as usize;
        let rest = self.body.get(start..).unwrap_or_default();
        start..start + reader::without_end(rest).len()
    }

    pub(super) fn meaning(&self, number: u32) -> Option<LineMeaning> {
        let parts = self.line(number)?;
        Some(LineMeaning {
            number,
            kind: parts.kind,
            span: self.whole_line(number),
            field: self.span(parts.name),
            value: self.span(parts.value),
            group: parts.group,
        })
    }

    pub(super) fn replace(&self, part: &[u8], with: &'static str) -> FixResult {
        FixResult::new(self.span(part), with)
    }

    pub(super) fn insert(&self, at: usize, text: &'static str) -> FixResult {
        FixResult::new(at..at, text)
    }

    /// Returns a fix that replaces `part` by `with`; no fix if `with` is not UTF-8, or longer than [`MAX_TEXT`].
    pub(super) fn rewrite<'p>(
        &self,
        part: &[u8],
        with: impl IntoIterator<Item = &'p [u8]>,
    ) -> FixResult {
        let mut text = Vec::new();
        for piece in with {
            if text.len() + piece.len() > MAX_TEXT {
                return FixResult::NONE;
            }
            if let Err(error) = append(&mut text, piece) {
                return FixResult(Err(error));
            }
        }
        match String::from_utf8(text) {
            Ok(text) => FixResult::new(self.span(part), text),
            Err(_) => FixResult::NONE,
        }
    }

    /// Replaces a rule by `Disallow:`. If the only rule of a group were removed, the next group would join the group.
    pub(super) fn empty_rule(&self, line: LineParts<'_>) -> FixResult {
        let start = self.span(line.name).start;
        FixResult::new(start..self.span(line.value).end.max(start), "Disallow:")
    }

    /// Removes a line and its line end.
    pub(super) fn remove_line(&self, number: u32) -> FixResult {
        let line = self.whole_line(number);
        let end = line.end + self.end_of_line(number).len();
        let before = line.start.checked_sub(1).and_then(|at| self.body.get(at));
        // After the removal, the CR before the line and the LF after the line would become one line end.
        if before == Some(&b'\r') && self.body.get(end) == Some(&b'\n') {
            return FixResult::NONE;
        }
        FixResult::new(line.start..end, "")
    }

    /// Returns the line end that follows a line; empty at the end of the file.
    pub(super) fn end_of_line(&self, number: u32) -> &'static str {
        match self.body.get(self.whole_line(number).end..) {
            Some([b'\r', b'\n', ..]) => "\r\n",
            Some([b'\r', ..]) => "\r",
            Some([b'\n', ..]) => "\n",
            _ => "",
        }
    }

    /// Returns the line end that fixes write: the line end of the first line.
    pub(super) fn line_end(&self) -> &'static str {
        match self.end_of_line(1) {
            "" => "\n",
            end => end,
        }
    }

    /// Returns whether the file has room for safe fixes: [`MAX_GROWTH`] bytes below the size limit.
    pub(super) fn has_room(&self) -> bool {
        self.full_len + MAX_GROWTH <= self.reading.max_bytes
    }
}

fn kind(line: &FileLine<'_>, dialect: Dialect) -> LineKind {
    let text = line.text;
    if let Some(directive) = line.directive {
        return match directive.field {
            Field::UserAgent => LineKind::UserAgent,
            Field::Allow => LineKind::Allow,
            Field::Disallow => LineKind::Disallow,
            Field::Sitemap => LineKind::Sitemap,
            Field::CrawlDelay => LineKind::CrawlDelay,
        };
    }
    if dialect.trim(text).is_empty() {
        return if line.is_commented {
            LineKind::Comment
        } else {
            LineKind::Blank
        };
    }
    match directive::split(text, dialect) {
        Some((name, _)) if ExtensionField::find(name).is_some() => LineKind::Extension,
        // Two words without a colon are not an unknown field.
        Some(_) if memchr::memchr(b':', text).is_some() => LineKind::Unknown,
        _ => LineKind::NotUnderstood,
    }
}

/// Returns whether `text` starts with `start`, ASCII case ignored.
pub(super) fn starts_with(text: &[u8], start: &[u8]) -> bool {
    text.get(..start.len())
        .is_some_and(|text| text.eq_ignore_ascii_case(start))
}
