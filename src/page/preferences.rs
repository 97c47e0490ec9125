//! Reads usage preferences: what may be done with fetched pages (SPEC 9.4, 9.5). Labels are text and not an enum, because the
//! vocabulary is not final.

use super::dictionary;
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::bytes::try_alloc::push;
use crate::crawler::preset::Purpose;

/// The value of a preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The use is not permitted.
    No,
    /// The use is permitted.
    Yes,
    /// The label has another value, which states no preference.
    Unknown,
}

/// The vocabulary of a preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vocabulary {
    /// `content-usage`, line or header field (SPEC 9.5).
    ContentUsage,
    /// `content-signal` (SPEC 9.4).
    ContentSignal,
}

/// A member of a list of preferences, as it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stated<'v> {
    pub(crate) vocabulary: Vocabulary,
    /// The label. The label of a content-signal may be in any case.
    pub(crate) label: &'v [u8],
    pub(crate) choice: Choice,
    /// The label with its value, such as `ai-train=no`.
    pub(crate) text: &'v [u8],
    /// The line, from 1; 0 for a header field.
    pub(crate) line: u32,
}

impl Stated<'_> {
    /// Returns the purposes that the label is about (SPEC 13.2); `None` if the label is unknown.
    pub(crate) fn purposes(&self) -> Option<&'static [Purpose]> {
        const SIGNALS: &[(&str, &[Purpose])] = &[
            ("search", &[Purpose::Search]),
            ("ai-input", &[Purpose::AiSearch, Purpose::UserRequest]),
            ("ai-train", &[Purpose::Training]),
        ];
        const USAGE: &[(&str, &[Purpose])] = &[
            ("search", &[Purpose::Search]),
            ("train-ai", &[Purpose::Training]),
        ];
        let is_label = |known: &str| match self.vocabulary {
            Vocabulary::ContentSignal => known.as_bytes().eq_ignore_ascii_case(self.label),
            Vocabulary::ContentUsage => known.as_bytes() == self.label,
        };
        let mut rows = match self.vocabulary {
            Vocabulary::ContentSignal => SIGNALS.iter(),
            Vocabulary::ContentUsage => USAGE.iter(),
        };
        rows.find(|(known, _)| is_label(known))
            .map(|(_, purposes)| *purposes)
    }
}

/// Adds the members of a content-usage value. `dictionary`: the value without the path.
pub(super) fn add_usage<'v>(
    stated: &mut Vec<Stated<'v>>,
    dictionary: &'v [u8],
    line: u32,
) -> Result<(), Error> {
    for (label, token) in dictionary::members(dictionary)? {
        let choice = match token {
            Some(b"y") => Choice::Yes,
            Some(b"n") => Choice::No,
            _ => Choice::Unknown,
        };
        let vocabulary = Vocabulary::ContentUsage;
        let text = until_end_of(dictionary, label, token.unwrap_or(label));
        let one = Stated {
            vocabulary,
            label,
            choice,
            text,
            line,
        };
        push(stated, one)?;
    }
    Ok(())
}

/// Returns the bytes of `whole` from the start of `first` to the end of `last`, which are parts of `whole`.
fn until_end_of<'v>(whole: &'v [u8], first: &[u8], last: &[u8]) -> &'v [u8] {
    let offset = |part: &[u8]| part.as_ptr() as usize - whole.as_ptr() as usize;
    whole
        .get(offset(first)..offset(last) + last.len())
        .unwrap_or_default()
}

/// Adds the members of a content-signal value.
pub(super) fn add_signals<'v>(
    stated: &mut Vec<Stated<'v>>,
    value: &'v [u8],
    line: u32,
) -> Result<(), Error> {
    for signal in value.split(|byte| *byte == b',') {
        let equals = memchr::memchr(b'=', signal).unwrap_or(signal.len());
        let (label, value) = signal.split_at(equals);
        let label = label.trim_ascii();
        let value = value.strip_prefix(b"=").unwrap_or_default().trim_ascii();
        let choice = match value {
            value if value.eq_ignore_ascii_case(b"yes") => Choice::Yes,
            value if value.eq_ignore_ascii_case(b"no") => Choice::No,
            _ => Choice::Unknown,
        };
        if !label.is_empty() {
            let vocabulary = Vocabulary::ContentSignal;
            let text = signal.trim_ascii();
            let one = Stated {
                vocabulary,
                label,
                choice,
                text,
                line,
            };
            push(stated, one)?;
        }
    }
    Ok(())
}

/// Returns the preferences that the value of a line states. A path in the value is ignored.
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
pub(super) fn path_and_dictionary(value: &[u8], dialect: Dialect) -> (&[u8], &[u8]) {
    if value.first() != Some(&b'/') {
        return (b"/", value);
    }
    let gap = value.iter().position(|byte| matches!(byte, b' ' | b'\t'));
    let (path, rest) = value.split_at(gap.unwrap_or(value.len()));
    (dialect.trim(path), dialect.trim(rest))
}
