//! Reads the lines of a robots.txt that do not affect a verdict (SPEC 9.3, 9.4, 9.5, 9.7), for one crawler.

pub(crate) mod controls;
mod dictionary;
mod fields;
mod policy_tokens;
mod preferences;
pub(crate) mod usage;

pub use fields::{ExtensionField, Hours, RequestRate};
pub use policy_tokens::{is_policy_token, policy_tokens};

pub(crate) use preferences::{Choice, Stated, Vocabulary, stated_by};

use crate::base::error::Error;
use crate::bytes::try_alloc::{append, push};
use crate::core::parse::directive;
use crate::core::parse::reader::{ObeyedGroups, Reader, Standing};
use crate::crawler::Crawler;

/// A line of the file that does not affect a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Extension<'e> {
    /// The field.
    pub field: ExtensionField,
    /// The value as it is written, without comment and surrounding white space; at least one byte.
    pub value: &'e [u8],
    /// The number of the line, from 1.
    pub line: u32,
    /// Whether the line is in a group that the crawler obeys. Otherwise the line is in no group and applies to every crawler.
    pub in_group: bool,
}

impl Extension<'_> {
    /// Returns the parsed value of a request-rate line; `None` for other fields and invalid values.
    pub fn request_rate(&self) -> Option<RequestRate> {
        match self.field {
            ExtensionField::RequestRate => RequestRate::parse(self.value),
            _ => None,
        }
    }

    /// Returns the parsed value of a visit-time line; `None` for other fields and invalid values.
    pub fn visit_time(&self) -> Option<Hours> {
        match self.field {
            ExtensionField::VisitTime => Hours::parse(self.value),
            _ => None,
        }
    }
}

/// A line. Its value is `Extensions::values[start..end]`.
#[derive(Clone, Copy, Debug)]
struct ExtensionEntry {
    start: u32,
    end: u32,
    line: u32,
    field: ExtensionField,
    in_group: bool,
}

/// The lines of a robots.txt that do not affect a verdict, for one crawler: lines in groups that the crawler obeys, and lines
/// in no group.
///
/// ```
/// use robots::{Crawler, Extensions};
///
/// let body = "User-agent: *\nRequest-rate: 1/5\n";
/// let extensions = Extensions::parse(&Crawler::new("ExampleBot")?, body)?;
/// let rate = extensions.lines().find_map(|line| line.request_rate());
/// assert_eq!(rate.map(|rate| (rate.requests, rate.seconds)), Some((1, 5)));
/// # Ok::<(), robots::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Extensions {
    /// The values of all lines, concatenated.
    values: Vec<u8>,
    lines: Vec<ExtensionEntry>,
}

impl Extensions {
    /// Parses a file for `crawler`. Any bytes are accepted.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn parse(crawler: &Crawler, body: impl AsRef<[u8]>) -> Result<Extensions, Error> {
        let body = body.as_ref();
        let mut extensions = Extensions {
            values: Vec::new(),
            lines: Vec::new(),
        };
        let obeyed = ObeyedGroups::new(crawler, body)?;
        for line in Reader::new(crawler, body).filter(|line| line.directive.is_none()) {
            let Some((name, value)) = directive::split(line.text, crawler.reading.dialect) else {
                continue;
            };
            let (field, standing) = (ExtensionField::find(name), obeyed.standing(&line));
            let counts = !value.is_empty() && standing != Standing::Others;
            if let Some(field) = field.filter(|_| counts) {
                extensions.add(field, value, line.number, standing)?;
            }
        }
        Ok(extensions)
    }

    fn add(
        &mut self,
        field: ExtensionField,
        value: &[u8],
        line: u32,
        standing: Standing,
    ) -> Result<(), Error> {
        let start = self.values.len();
        append(&mut self.values, value)?;
        let entry = ExtensionEntry {
            // The offsets fit in 32 bits, because at most 1 GiB of a file is read.
            start: start as u32,
            end: self.values.len() as u32,
            line,
            field,
            in_group: standing == Standing::Obeyed,
        };
        push(&mut self.lines, entry)
    }

    fn value(&self, entry: ExtensionEntry) -> &[u8] {
        self.values
            .get(entry.start as usize..entry.end as usize)
            .unwrap_or_default()
    }

    /// Returns the lines, in file order.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = Extension<'_>> {
        self.lines.iter().map(|entry| self.extension(*entry))
    }

    /// Returns the line with this index, from 0.
    pub(crate) fn line(&self, index: usize) -> Option<Extension<'_>> {
        self.lines.get(index).map(|entry| self.extension(*entry))
    }

    fn extension(&self, entry: ExtensionEntry) -> Extension<'_> {
        Extension {
            field: entry.field,
            value: self.value(entry),
            line: entry.line,
            in_group: entry.in_group,
        }
    }
}
