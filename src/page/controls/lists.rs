//! Parses the rule lists of `X-Robots-Tag`, `<meta>` and `Robots-Tag` (SPEC 9.6). The lists share one grammar, but name
//! crawlers in four ways ([`Naming`]).

use super::control::Control;
use super::rules::{self, Effect};
use crate::base::limits::MAX_DATE;
use crate::bytes::date::{self, Date, MAX_DATE_WORDS, Zone};

/// How a list names the crawler to which the next rules apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// No names: the content of a `<meta>` element.
    None,
    /// `name:` at the start of an element: `X-Robots-Tag`.
    Colon,
    /// `name=` or `name:` at the start of an element; the name applies up to the next `;`. The first form of `Robots-Tag`.
    Sign,
    /// A whole element at the start or after a comma; the name applies up to the next comma. The second form of `Robots-Tag`.
    Element,
}

impl Naming {
    /// Returns the form of a `Robots-Tag` value. The form changed between drafts.
    ///
    /// - `noindex, nosnippet; ExampleBot=;`: the first form.
    /// - `*;nosnippet, ExampleBot;noindex`: the second form (draft 03).
    pub(super) fn of_robots_tag(value: &[u8]) -> Naming {
        let starts_with_name = |element: &[u8], naming: Naming| {
            let mut list = ListReader::new(element);
            let word = list.word();
            word.is_some_and(|word| naming.is_name(&word, &list))
        };
        let mut elements = value.split(|byte| is_separator(*byte));
        let first = elements.clone().next().unwrap_or_default();
        let is_second = starts_with_name(first, Naming::Element)
            || !elements.any(|element| starts_with_name(element, Naming::Sign));
        if is_second && value.contains(&b';') {
            Naming::Element
        } else {
            Naming::Sign
        }
    }

    /// Returns whether a word names a crawler. `rest`: the list after the word.
    pub(super) fn is_name(self, word: &Word<'_>, rest: &ListReader<'_>) -> bool {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
        let text = word.text;
        let is_token = text.iter().all(is_part) && text.iter().any(u8::is_ascii_alphabetic);
        let is_rule = rules::word(text).is_some() || rules::valued(text).is_some();
        let is_in_place = match self {
            Naming::None => false,
            Naming::Colon => word.sign == Some(b':'),
            Naming::Sign => word.sign.is_some(),
            Naming::Element => word.sign.is_none() && rest.is_element_end(),
        };
        is_in_place && (text == b"*" || is_token && !is_rule)
    }

    /// Returns the separator that ends the rules for a named crawler.
    pub(super) fn part_end(self) -> Option<u8> {
        match self {
            Naming::None | Naming::Colon => None,
            Naming::Sign => Some(b';'),
            Naming::Element => Some(b','),
        }
    }
}

/// A known rule.
pub(super) enum KnownRule {
    Effects(&'static [Effect]),
    /// A control, its value, and the time zone if the value is a date.
    Value(Control, i64, Zone),
}

/// A word of a list, and the sign after the word (`:` or `=`), if any. The text is empty if a sign follows no word.
pub(super) struct Word<'v> {
    pub(super) start: usize,
    pub(super) text: &'v [u8],
    sign: Option<u8>,
}

/// A reader of a list. `at`: the offset of the next byte.
pub(super) struct ListReader<'v> {
    value: &'v [u8],
    pub(super) at: usize,
}

impl<'v> ListReader<'v> {
    pub(super) fn new(value: &'v [u8]) -> ListReader<'v> {
        ListReader { value, at: 0 }
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'v [u8] {
        self.value.get(start..end).unwrap_or_default()
    }

    pub(super) fn next(&mut self) -> Option<u8> {
        let byte = *self.value.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// Reads the bytes before the next byte for which `ends` is true.
    fn until(&mut self, ends: fn(u8) -> bool) -> &'v [u8] {
        let rest = self.slice(self.at, self.value.len());
        let end = rest.iter().position(|byte| ends(*byte));
        let run = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        self.at += run.len();
        run
    }

    /// Skips white space, then reads the bytes of a word.
    fn text(&mut self) -> &'v [u8] {
        self.until(|byte| !is_blank(byte));
        self.until(|byte| is_blank(byte) || is_separator(byte) || is_sign(byte))
    }

    /// Reads the next word of the element.
    pub(super) fn word(&mut self) -> Option<Word<'v>> {
        let text = self.text();
        let end = self.at;
        self.until(|byte| !is_blank(byte));
        let sign = self.next().filter(|byte| is_sign(*byte));
        if sign.is_none() {
            self.at = end;
        }
        let start = end - text.len();
        (!text.is_empty() || sign.is_some()).then_some(Word { start, text, sign })
    }

    fn is_element_end(&self) -> bool {
        let mut rest = ListReader { ..*self };
        rest.until(|byte| !is_blank(byte));
        rest.next().is_none_or(is_separator)
    }

    /// Returns the rule that starts with `word`, and reads the value of the rule. `?1` and `?0` are the Booleans of RFC 9651.
    pub(super) fn rule(&mut self, word: &Word<'v>) -> Option<KnownRule> {
        let after_word = self.at;
        if let Some(effects) = rules::word(word.text) {
            match word.sign.map(|_| self.text()) {
                Some(b"?0") => return None,
                Some(b"?1") => {}
                _ => self.at = after_word,
            }
            return Some(KnownRule::Effects(effects));
        }
        let control = rules::valued(word.text).filter(|_| word.sign.is_some())?;
        let value = match control {
            Control::UnavailableAfter => self.date().map(|date| (date.seconds, date.zone)),
            _ => rules::limit(control, self.text()).map(|limit| (limit, Zone::Known)),
        };
        if value.is_none() {
            self.at = after_word;
        }
        value.map(|(value, zone)| KnownRule::Value(control, value, zone))
    }

    /// Parses the longest prefix of the rest that is a date. A date may hold white space, commas and colons.
    fn date(&mut self) -> Option<Date> {
        self.until(|byte| !is_blank(byte));
        // The text is cut one byte after the maximum length of a date, so a candidate that has this byte is too long.
        let mut words =
            ListReader::new(self.slice(self.at, self.value.len().min(self.at + MAX_DATE + 1)));
        let ends = [(); MAX_DATE_WORDS].map(|()| {
            words.until(|byte| !is_blank(byte) && byte != b',');
            words.until(|byte| is_blank(byte) || is_separator(byte));
            words.at
        });
        let (end, date) = ends.into_iter().rev().find_map(|end| {
            let mut rest = ListReader {
                value: self.value,
                at: self.at + end,
            };
            rest.until(|byte| !is_blank(byte));
            // A word that a sign follows is the name of a rule, so it is no time zone.
            let is_signed = rest.next().is_some_and(is_sign);
            let text = words.slice(0, end).trim_ascii();
            let date = date::parse(text, |word| rules::word(word.as_bytes()).is_some())
                .filter(|_| !is_signed);
            Some((end, date?))
        })?;
        self.at += end;
        Some(date)
    }
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b',' | b';')
}

fn is_sign(byte: u8) -> bool {
    matches!(byte, b':' | b'=')
}

/// Returns whether a byte counts as white space. A quote counts as white space.
fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'"'
}
