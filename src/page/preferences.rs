//! Usage preferences: what may be done with fetched pages (SPEC 9.4, 9.5). Labels are text and not an enum, because
//! the vocabulary is not final.

use super::dictionary;
use crate::base::error::Error;
use crate::bytes::sort::sort;
use crate::bytes::try_alloc::{copy, push};
use crate::crawler::preset::Purpose;

/// The value of a preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Choice {
    /// The use is not permitted.
    No,
    /// The use is permitted.
    Yes,
    /// The label has another value, which states no preference.
    Unknown,
}

/// The vocabulary of a preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Vocabulary {
    /// `content-usage`, line or header field (SPEC 9.5).
    ContentUsage,
    /// `content-signal` (SPEC 9.4).
    ContentSignal,
}

/// One preference: a label and its choice.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Preference {
    // The order of the fields is the sort order. If labels are equal, the first preference counts.
    /// The vocabulary of the label.
    pub vocabulary: Vocabulary,
    /// The label, such as `train-ai`. The label of a content-signal is in lower case, and may hold any bytes.
    pub label: Vec<u8>,
    /// The choice.
    pub choice: Choice,
    /// The line of the preference, from 1; 0 for a header field.
    pub line: u32,
}

impl Preference {
    fn key(&self) -> (Vocabulary, &[u8]) {
        (self.vocabulary, &self.label)
    }
}

/// The preferences for one URL or one response, sorted by vocabulary, then by label, without duplicates. A label that
/// is not listed is neither permitted nor forbidden.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preferences {
    list: Vec<Preference>,
}

impl Preferences {
    /// Parses the `Content-Usage` header field of a response (SPEC 9.5). Join the values of several such fields
    /// with `, `. A value that is not an RFC 9651 Dictionary yields no preferences.
    ///
    /// ```
    /// use robots::{Choice, Preferences};
    ///
    /// let preferences = Preferences::from_header("train-ai=n, search=y")?;
    /// let choices: Vec<_> = preferences.iter().map(|p| (&*p.label, p.choice)).collect();
    /// assert_eq!(choices, [(&b"search"[..], Choice::Yes), (b"train-ai", Choice::No)]);
    /// # Ok::<(), robots::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn from_header(value: impl AsRef<[u8]>) -> Result<Preferences, Error> {
        let mut stated = Vec::new();
        add_usage(&mut stated, value.as_ref(), 0)?;
        Preferences::of(&stated)
    }

    /// Returns all preferences.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Preference> {
        self.list.iter()
    }

    /// Returns the choice for a label; `None` if the label is not listed.
    pub fn choice(&self, vocabulary: Vocabulary, label: impl AsRef<[u8]>) -> Option<Choice> {
        let key = (vocabulary, label.as_ref());
        let place = self.list.binary_search_by(|one| one.key().cmp(&key)).ok()?;
        self.list.get(place).map(|one| one.choice)
    }

    /// Returns what the members of lists state.
    pub(super) fn of(stated: &[Stated<'_>]) -> Result<Preferences, Error> {
        let mut preferences = Preferences::default();
        for one in stated {
            let mut label = copy(one.label)?;
            if one.vocabulary == Vocabulary::ContentSignal {
                label.make_ascii_lowercase();
            }
            let preference = Preference {
                vocabulary: one.vocabulary,
                label,
                choice: one.choice,
                line: one.line,
            };
            push(&mut preferences.list, preference)?;
        }
        preferences.settle();
        Ok(preferences)
    }

    /// Sorts the preferences and keeps one for each label: no wins over yes, and yes over unknown; then the first line wins.
    fn settle(&mut self) {
        sort(&mut self.list, Preference::lt);
        self.list.dedup_by(|later, kept| later.key() == kept.key());
    }
}

/// A member of a list of preferences, as it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stated<'v> {
    pub(crate) vocabulary: Vocabulary,
    /// The label, of a content-signal in any case.
    pub(crate) label: &'v [u8],
    pub(crate) choice: Choice,
    /// The label with its value, such as `ai-train=no`.
    pub(crate) text: &'v [u8],
    /// The line, from 1; 0 for a header field.
    pub(crate) line: u32,
}

impl Stated<'_> {
    /// Returns the purposes that the label is about (SPEC 13.2); `None` if it is not known.
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

/// Returns the bytes of `whole` from its part `first` to the end of its part `last`.
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
