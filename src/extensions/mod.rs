//! What else stands in a robots.txt, without effect on a verdict (SPEC 9.3, 9.4, 9.5). Cold: read from the
//! body, for one crawler.

mod dictionary;
mod fields;
mod preferences;

pub use fields::{ExtensionField, Hours, RequestRate};
pub use preferences::{Choice, Preference, Preferences, Vocabulary};

use crate::crawler::Crawler;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::parser::directive;
use crate::parser::line_index::{LineIndex, Standing};
use crate::rules;
use crate::rules::single_rule::{self, Alone};
use crate::util::try_alloc::push;
use crate::verdict::Reason;

/// A line of the file that the engine has no use for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extension<'e> {
    field: ExtensionField,
    value: &'e [u8],
    line: u32,
    in_group: bool,
}

impl<'e> Extension<'e> {
    /// What it is about.
    pub fn field(&self) -> ExtensionField {
        self.field
    }

    /// The value as it is written, without comment and the white space around it. Any bytes, at least one.
    pub fn value(&self) -> &'e [u8] {
        self.value
    }

    /// Its number; the first is 1.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Whether it stands in a group that the crawler obeys; if not, it stands in no group, and is for all.
    pub fn in_group(&self) -> bool {
        self.in_group
    }

    /// What a request-rate line says; `None` for another line and for nonsense.
    pub fn request_rate(&self) -> Option<RequestRate> {
        let is_it = self.field == ExtensionField::RequestRate;
        is_it.then(|| RequestRate::parse(self.value)).flatten()
    }

    /// What a visit-time line says; `None` for another line and for nonsense.
    pub fn visit_time(&self) -> Option<Hours> {
        let is_it = self.field == ExtensionField::VisitTime;
        is_it.then(|| Hours::parse(self.value)).flatten()
    }
}

/// A line, its value in the text of them all.
#[derive(Clone, Copy, Debug)]
struct Entry {
    start: u32,
    end: u32,
    line: u32,
    field: ExtensionField,
    in_group: bool,
}

/// A content-usage line that counts.
#[derive(Clone, Copy, Debug)]
struct Usage {
    entry: Entry,
    /// Bytes of its canonical path (SPEC 8.7).
    length: usize,
}

/// What else stands in a robots.txt for one crawler: in the groups that it obeys, and in no group. Groups of others
/// are left out.
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
    /// The rules of the file.
    image: Vec<u8>,
    /// The values of all lines, one behind the other.
    values: Vec<u8>,
    lines: Vec<Entry>,
    /// In file order.
    usage: Vec<Usage>,
    /// Their paths as rules, each a line: the engine tells which is the longest that matches.
    usage_image: Vec<u8>,
}

impl Extensions {
    /// Reads a file as `crawler` does. Any bytes will do.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn parse(crawler: &Crawler, body: impl AsRef<[u8]>) -> Result<Extensions, Error> {
        let body = body.as_ref();
        let mut extensions = Extensions {
            crawler: crawler.clone(),
            image: rules::compile(crawler, body)?,
            values: Vec::new(),
            lines: Vec::new(),
            usage: Vec::new(),
            usage_image: Vec::new(),
        };
        for place in LineIndex::new(crawler, body)?.lines() {
            if place.standing == Standing::Others || place.directive.is_some() {
                continue;
            }
            let Some((name, value)) = directive::split(place.text, crawler.dialect) else {
                continue;
            };
            let field = ExtensionField::parse(name);
            if let Some(field) = field.filter(|_| !value.is_empty()) {
                extensions.add(field, value, place.number, place.standing)?;
            }
        }
        extensions.compile_usage()?;
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
        self.values
            .try_reserve(value.len())
            .map_err(|_| Error::Memory)?;
        self.values.extend_from_slice(value);
        let entry = Entry {
            // A file is read up to 1 GiB.
            start: start as u32,
            end: self.values.len() as u32,
            line,
            field,
            in_group: standing == Standing::Obeyed,
        };
        push(&mut self.lines, entry)?;
        // SPEC 9.5: as a rule it belongs to a group, and without one to nobody (SPEC 6.2).
        if field == ExtensionField::ContentUsage && entry.in_group {
            let dialect = self.crawler.dialect;
            let path = single_rule::canonical(path_and_dictionary(value, dialect).0, dialect)?;
            let length = path.len();
            push(&mut self.usage, Usage { entry, length })?;
        }
        Ok(())
    }

    fn compile_usage(&mut self) -> Result<(), Error> {
        let mut file: Vec<u8> = Vec::new();
        let mut add = |text: &[u8]| {
            file.try_reserve(text.len()).map_err(|_| Error::Memory)?;
            file.extend_from_slice(text);
            Ok(())
        };
        add(b"user-agent: *\n")?;
        for usage in &self.usage {
            add(b"disallow:")?;
            add(path_and_dictionary(self.value(usage.entry), self.crawler.dialect).0)?;
            add(b"\n")?;
        }
        let mut asker = self.crawler.clone().with_ignore_star(false);
        asker.max_bytes = usize::MAX;
        self.usage_image = rules::compile(&asker, &file)?;
        Ok(())
    }

    fn value(&self, entry: Entry) -> &[u8] {
        self.values
            .get(entry.start as usize..entry.end as usize)
            .unwrap_or_default()
    }

    /// The lines, in file order.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = Extension<'_>> {
        self.lines.iter().map(|entry| self.extra(*entry))
    }

    /// One of them, counted from 0.
    pub(crate) fn line(&self, index: usize) -> Option<Extension<'_>> {
        self.lines.get(index).map(|entry| self.extra(*entry))
    }

    fn extra(&self, entry: Entry) -> Extension<'_> {
        Extension {
            field: entry.field,
            value: self.value(entry),
            line: entry.line,
            in_group: entry.in_group,
        }
    }

    /// What the file prefers about a URL. A URL that may not be fetched has no preferences, nor has the
    /// robots.txt itself.
    ///
    /// Of content-usage lines those with the longest path that matches count (SPEC 9.5); `n` wins where they
    /// differ. Of content-signals those of the groups obeyed, then those in no group (SPEC 9.4); `no` wins
    /// where those of one place differ.
    ///
    /// # Errors
    /// [`Error::Url`] for what is no URL (SPEC 8.5b); [`Error::Memory`].
    pub fn preferences(&self, url: impl AsRef<[u8]>) -> Result<Preferences, Error> {
        let url = url.as_ref();
        let verdict = rules::check_trusted(&self.image, url);
        if let Some(error) = verdict.error() {
            return Err(error);
        }
        if !verdict.allowed() || verdict.reason() == Reason::RobotsTxt {
            return Ok(Preferences::default());
        }
        let mut preferences = self.signals(true)?;
        preferences.fall_back_on(self.signals(false)?)?;
        self.add_usage(url, &mut preferences)?;
        preferences.settle();
        Ok(preferences)
    }

    fn add_usage(&self, url: &[u8], preferences: &mut Preferences) -> Result<(), Error> {
        let line = rules::check_trusted(&self.usage_image, url).line() as usize;
        let winner = line.checked_sub(2).and_then(|at| self.usage.get(at));
        let Some(winner) = winner else {
            return Ok(());
        };
        let mut alone = Alone::new(&self.crawler);
        for usage in self.usage.iter().filter(|one| one.length == winner.length) {
            let (path, dictionary) =
                path_and_dictionary(self.value(usage.entry), self.crawler.dialect);
            if alone.matches([b"disallow:", path], url)? {
                preferences.add_usage(dictionary, usage.entry.line)?;
            }
        }
        Ok(())
    }

    fn signals(&self, in_group: bool) -> Result<Preferences, Error> {
        let mut preferences = Preferences::default();
        for entry in self.lines.iter().filter(|entry| {
            entry.field == ExtensionField::ContentSignal && entry.in_group == in_group
        }) {
            preferences.add_signals(self.value(*entry), entry.line)?;
        }
        preferences.settle();
        Ok(preferences)
    }
}

/// SPEC 9.5: a value that starts with `/` has a path up to the first space or tab; one without is for all. Both are
/// without the white space around them, as in a line of their own (SPEC 5.1).
fn path_and_dictionary(value: &[u8], dialect: Dialect) -> (&[u8], &[u8]) {
    if value.first() != Some(&b'/') {
        return (b"/", value);
    }
    let gap = value.iter().position(|byte| matches!(byte, b' ' | b'\t'));
    let (path, rest) = value.split_at(gap.unwrap_or(value.len()));
    (
        directive::trim(path, dialect),
        directive::trim(rest, dialect),
    )
}
