//! Records of a robots.txt that do not affect a verdict (SPEC 9.3, 9.4, 9.5, 9.7), read from the body for one
//! crawler.

pub(crate) mod controls;
mod dictionary;
mod fields;
mod policy_tokens;
mod preferences;
pub(crate) mod usage;

pub use fields::{ExtensionField, Hours, RequestRate};
pub use policy_tokens::{is_policy_token, policy_tokens};
pub use preferences::{Choice, Preference, Preferences, Vocabulary};

use core::cmp::Reverse;

pub(crate) use self::preferences::Stated;
use self::preferences::{add_signals, add_usage};
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::rule::RulePath;
use crate::base::verdict::{Reason, Verdict};
use crate::bytes::sort::sort;
use crate::bytes::try_alloc::{append, copy, push, zeros};
use crate::core::check::check_image;
use crate::core::check::pieces::scratch_len;
use crate::core::compile::compile;
use crate::core::parse::directive;
use crate::core::parse::reader::{ObeyedGroups, Reader, Standing};
use crate::core::rules::single_rule::{self, SingleRules};
use crate::crawler::Crawler;
use crate::url::reading;

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

/// A content-usage line.
#[derive(Clone, Copy, Debug)]
struct Usage {
    entry: ExtensionEntry,
    /// Start offset of the canonical path in `Extensions::paths`.
    path: usize,
    /// Length of the canonical path (SPEC 8.7).
    length: usize,
}

/// The records of a robots.txt that do not affect a verdict, for one crawler: those in the groups that the crawler
/// obeys, and those in no group.
///
/// ```
/// use robots::{Choice, Crawler, Extensions, Vocabulary};
///
/// let body = "User-agent: *\nRequest-rate: 1/5\nContent-Usage: / train-ai=n\nContent-Usage: /open train-ai=y\n";
/// let extensions = Extensions::parse(&Crawler::new("ExampleBot")?, body)?;
/// let rate = extensions.lines().find_map(|line| line.request_rate());
/// assert_eq!(rate.map(|rate| (rate.requests, rate.seconds)), Some((1, 5)));
/// let preferences = extensions.preferences("https://example.com/open/1")?;
/// assert_eq!(preferences.choice(Vocabulary::ContentUsage, "train-ai"), Some(Choice::Yes));
/// # Ok::<(), robots::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Extensions {
    crawler: Crawler,
    /// The compiled rules of the file.
    image: Vec<u8>,
    /// The values of all lines, concatenated.
    values: Vec<u8>,
    lines: Vec<ExtensionEntry>,
    /// The canonical paths of the content-usage lines, concatenated.
    paths: Vec<u8>,
    /// The content-usage lines, sorted by the length of the path, the longest first, then by line.
    usage: Vec<Usage>,
}

impl Extensions {
    /// Parses a file for `crawler`. Any bytes are accepted.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn parse(crawler: &Crawler, body: impl AsRef<[u8]>) -> Result<Extensions, Error> {
        let body = body.as_ref();
        let mut extensions = Extensions {
            crawler: crawler.clone(),
            image: compile(crawler, body, copy)?,
            values: Vec::new(),
            lines: Vec::new(),
            paths: Vec::new(),
            usage: Vec::new(),
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
        let order = |usage: &Usage| (Reverse(usage.length), usage.entry.line);
        sort(&mut extensions.usage, |a, b| order(a) < order(b));
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
        push(&mut self.lines, entry)?;
        if field == ExtensionField::ContentUsage {
            let dialect = self.crawler.reading.dialect;
            let canonical = single_rule::canonical(path_and_dictionary(value, dialect).0, dialect)?;
            let (path, length) = (self.paths.len(), canonical.len());
            append(&mut self.paths, &canonical)?;
            let usage = Usage {
                entry,
                path,
                length,
            };
            push(&mut self.usage, usage)?;
        }
        Ok(())
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

    /// Returns the preferences of the file for a URL. A disallowed URL and the robots.txt itself have no preferences.
    ///
    /// Lines of obeyed groups and lines in no group have the same weight. If the values of a label differ, no
    /// wins over yes, and yes over unknown (SPEC 9.4, 9.5). Of the content-usage lines, only those with the longest matching
    /// path count.
    ///
    /// # Errors
    /// [`Error::Url`] if `url` is not a URL (SPEC 8.5b); [`Error::Memory`].
    pub fn preferences(&self, url: impl AsRef<[u8]>) -> Result<Preferences, Error> {
        let url = url.as_ref();
        Preferences::of(&self.stated(url, self.check(url))?)
    }

    /// Returns whether this is the name of the crawler.
    fn is_for(&self, name: &str) -> bool {
        let first = self.crawler.tokens().next();
        first.is_some_and(|first| first.eq_ignore_ascii_case(name.as_bytes()))
    }

    fn check(&self, url: &[u8]) -> Verdict {
        check_image(&self.image, url).verdict
    }

    /// Returns whether lines state anything about a URL with this verdict: it is allowed, and some client sends it for another page
    /// than the robots.txt (SPEC 9.4).
    fn has_statements(&self, url: &[u8], verdict: Verdict) -> Result<bool, Error> {
        if verdict.reason() != Reason::RobotsTxt {
            return Ok(verdict.allowed());
        }
        let dialect = self.crawler.reading.dialect;
        let page = |reading: reading::Reading<'_>| {
            let path = single_rule::canonical_url(reading.url, dialect);
            path.map_or_else(
                |error| Some(Err(error)),
                |path| (path != b"/robots.txt").then_some(Ok(())),
            )
        };
        let page = reading::each(url, dialect, page)?.transpose()?;
        Ok(page.is_some())
    }

    /// Returns what the lines state for a URL with this verdict.
    fn stated(&self, url: &[u8], verdict: Verdict) -> Result<Vec<Stated<'_>>, Error> {
        if let Some(error) = verdict.error() {
            return Err(error);
        }
        let mut stated = Vec::new();
        if !self.has_statements(url, verdict)? {
            return Ok(stated);
        }
        for entry in &self.lines {
            if entry.field == ExtensionField::ContentSignal {
                add_signals(&mut stated, self.value(*entry), entry.line)?;
            }
        }
        // The lines that match any reading of the URL count (SPEC 8.11).
        let mut matched = zeros(self.usage.len())?;
        let find = |reading: reading::Reading<'_>| self.find_usage(reading.url, &mut matched).err();
        if let Some(error) = reading::each(url, self.crawler.reading.dialect, find)? {
            return Err(error);
        }
        for (usage, matched) in self.usage.iter().zip(&matched) {
            if *matched == 1 {
                let value = self.value(usage.entry);
                let (_, dictionary) = path_and_dictionary(value, self.crawler.reading.dialect);
                add_usage(&mut stated, dictionary, usage.entry.line)?;
            }
        }
        Ok(stated)
    }

    /// Sets `matched` to 1 for each content-usage line whose path matches a URL, unless a longer path matches, too.
    fn find_usage(&self, url: &[u8], matched: &mut [u8]) -> Result<(), Error> {
        if self.usage.is_empty() {
            return Ok(());
        }
        let dialect = self.crawler.reading.dialect;
        let canonical_url = single_rule::canonical_url(url, dialect)?;
        let mut scratch = zeros(scratch_len(canonical_url.len()))?;
        let mut rules = SingleRules::new(&canonical_url, dialect, &mut scratch);
        let mut longest = 0;
        for (usage, matched) in self.usage.iter().zip(matched) {
            if usage.length < longest {
                break;
            }
            let path = self.paths.get(usage.path..usage.path + usage.length);
            #[allow(clippy::expect_used, reason = "an invariant")]
            let path = path.expect("a content-usage line has its path");
            if rules.matches_canonical(&RulePath::split(path, dialect)) {
                longest = usage.length;
                *matched = 1;
            }
        }
        Ok(())
    }
}

/// Returns what the value of a line states, whatever its path is.
pub(crate) fn stated_by(
    vocabulary: Vocabulary,
    value: &[u8],
    dialect: Dialect,
) -> Result<Vec<Stated<'_>>, Error> {
    let mut stated = Vec::new();
    match vocabulary {
        Vocabulary::ContentUsage => {
            add_usage(&mut stated, path_and_dictionary(value, dialect).1, 0)?;
        }
        Vocabulary::ContentSignal => add_signals(&mut stated, value, 0)?,
    }
    Ok(stated)
}

/// Splits a content-usage value into path and dictionary, both trimmed (SPEC 9.5, 5.1). The default path is `/`.
fn path_and_dictionary(value: &[u8], dialect: Dialect) -> (&[u8], &[u8]) {
    if value.first() != Some(&b'/') {
        return (b"/", value);
    }
    let gap = value.iter().position(|byte| matches!(byte, b' ' | b'\t'));
    let (path, rest) = value.split_at(gap.unwrap_or(value.len()));
    (dialect.trim(path), dialect.trim(rest))
}
