//! The two forms of a list of rules: that of `X-Robots-Tag` and `<meta>`, and that of the draft's `Robots-Tag`.

use super::date::{self, Date};
use super::rules::{self, Valued};
use super::{PageControls, Part, RulePlace};
use crate::error::Error;

impl PageControls {
    /// Reads the value of an `X-Robots-Tag` header, or the content of a `<meta>` element, which names no crawlers.
    ///
    /// Commas and semicolons separate rules. `name:` starts the part of a crawler, unless it is a known rule with a
    /// value (SPEC 9.6). A text that is no product token is no name.
    pub(super) fn read_list(
        &mut self,
        value: &[u8],
        mut place: RulePlace,
        has_names: bool,
    ) -> Result<(), Error> {
        let mut start = 0;
        while start < value.len() {
            let end = element_end(value, start);
            let mut next = end;
            loop {
                let element = slice(value, start, end);
                let colon = memchr::memchr(b':', element);
                let Some(colon) = colon else {
                    self.read_words(element.trim_ascii(), place)?;
                    break;
                };
                let name = slice(element, 0, colon).trim_ascii();
                match Valued::from_name(name) {
                    Some(Valued::UnavailableAfter) => {
                        let (date, date_end) = longest_date(value, start + colon + 1, end);
                        let text = slice(value, start, date_end).trim_ascii();
                        self.add_date(text, date, place)?;
                        next = date_end;
                    }
                    Some(rule) => {
                        let argument = slice(element, colon + 1, element.len()).trim_ascii();
                        self.add_limit(element.trim_ascii(), rule, argument, place)?;
                    }
                    None if has_names && is_name(name) => {
                        place.part = self.part(name);
                        start += colon + 1;
                        continue;
                    }
                    None => self.add_unknown(element.trim_ascii(), place)?,
                }
                break;
            }
            start = next + 1;
        }
        Ok(())
    }

    /// Reads rules without a value. White space between known rules separates them, too: other crawlers obey the
    /// `noindex` of `noindex nofollow`, and the site wants that.
    fn read_words(&mut self, text: &[u8], place: RulePlace) -> Result<(), Error> {
        if text.is_empty() || place.part == Part::Others {
            return Ok(());
        }
        let words = || {
            let words = text.split(u8::is_ascii_whitespace);
            words.filter(|word| !word.is_empty())
        };
        if !words().any(|word| rules::word(word).is_some()) {
            return self.add_unknown(text, place);
        }
        for word in words() {
            match rules::word(word) {
                Some(effects) => self.add_effects(word, effects, place)?,
                None => self.add_unknown(word, place)?,
            }
        }
        Ok(())
    }

    /// Reads the value of a `Robots-Tag` header. The draft changed its form:
    ///
    /// - `noindex, nosnippet; ExampleBot=;`: `;` separates parts, `name=` starts the part of a crawler.
    /// - `*;nosnippet, ExampleBot;noindex`: `,` separates parts, each starts with a name (draft 03).
    pub(super) fn read_robots_tag(
        &mut self,
        value: &[u8],
        mut place: RulePlace,
    ) -> Result<(), Error> {
        let is_named_part = |item: &ListItem<'_>| item.is_name() && item.argument.is_some();
        let starts_with_name = items(value)
            .next()
            .is_some_and(|item| item.is_name() && item.argument.is_none());
        let has_members = items(value).any(|item| item.separator == b';')
            && (starts_with_name || !items(value).any(|item| is_named_part(&item)));
        let new_part = if has_members { b',' } else { b';' };
        for item in items(value) {
            if item.separator == new_part {
                place.part = Part::Everyone;
            }
            let rule = match item.argument {
                Some(rule) if !has_members && item.is_name() => ListItem::new(rule, item.separator),
                None if has_members && item.separator == new_part && item.is_name() => {
                    ListItem::new(b"", item.separator)
                }
                _ => {
                    self.read_rule(&item, place)?;
                    continue;
                }
            };
            place.part = self.part(item.name);
            self.read_rule(&rule, place)?;
        }
        Ok(())
    }

    fn read_rule(&mut self, item: &ListItem<'_>, place: RulePlace) -> Result<(), Error> {
        match (Valued::from_name(item.name), item.argument) {
            (Some(Valued::UnavailableAfter), Some(argument)) => {
                self.add_date(item.text, date::parse(argument), place)
            }
            (Some(rule), Some(argument)) => self.add_limit(item.text, rule, argument, place),
            // The parameter of a structured field without a value is true, which may be written.
            (None, Some(b"?1")) => self.read_words(item.name, place),
            (_, Some(_)) => self.add_unknown(item.text, place),
            (_, None) => self.read_words(item.text, place),
        }
    }
}

/// An item of a `Robots-Tag` header, without surrounding white space.
struct ListItem<'v> {
    /// The separator before it; a comma before the first.
    separator: u8,
    text: &'v [u8],
    /// The text before the first `=` or `:`.
    name: &'v [u8],
    /// The text after it, without quotes.
    argument: Option<&'v [u8]>,
}

impl<'v> ListItem<'v> {
    fn new(text: &'v [u8], separator: u8) -> ListItem<'v> {
        let text = text.trim_ascii();
        let is_sign = |byte: &u8| matches!(byte, b'=' | b':');
        // A quoted name holds no sign.
        let sign = text.iter().position(is_sign);
        let (name, argument) = match sign {
            Some(sign) => (
                slice(text, 0, sign),
                Some(unquoted(slice(text, sign + 1, text.len()).trim_ascii())),
            ),
            None => (text, None),
        };
        ListItem {
            separator,
            text,
            name: unquoted(name.trim_ascii()),
            argument,
        }
    }

    /// Returns whether it may start the part of a crawler.
    fn is_name(&self) -> bool {
        let is_rule = Valued::from_name(self.name).is_some() || rules::word(self.name).is_some();
        !is_rule && is_name(self.name)
    }
}

/// Splits a `Robots-Tag` header at commas and semicolons that are not in quotes. Empty items have no effect.
fn items(value: &[u8]) -> impl Iterator<Item = ListItem<'_>> {
    split_outside_quotes(value, |byte| matches!(byte, b',' | b';'))
        .map(|(separator, text)| ListItem::new(text, separator))
}

/// Splits a header at the separators that are not in quotes. Returns each part with the separator before it; a comma before
/// the first.
pub(crate) fn split_outside_quotes(
    value: &[u8],
    is_separator: fn(u8) -> bool,
) -> impl Iterator<Item = (u8, &[u8])> {
    let mut rest = Some((b',', value));
    core::iter::from_fn(move || {
        let (separator, text) = rest?;
        let (mut quoted, mut escaped) = (false, false);
        let end = text.iter().position(|byte| {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if quoted => escaped = true,
                b'"' => quoted = !quoted,
                _ => return !quoted && is_separator(*byte),
            }
            false
        });
        rest = end.and_then(|end| Some((*text.get(end)?, text.get(end + 1..)?)));
        Some((separator, slice(text, 0, end.unwrap_or(text.len()))))
    })
}

fn unquoted(text: &[u8]) -> &[u8] {
    match text.strip_prefix(b"\"") {
        Some(inside) => inside.strip_suffix(b"\"").unwrap_or(inside),
        None => text,
    }
}

/// Returns whether a text may name a crawler: `*`, or a product token (SPEC 7.6).
fn is_name(text: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
    text == b"*" || !text.is_empty() && text.iter().all(is_part)
}

/// Returns where the element that starts at `start` ends.
fn element_end(value: &[u8], start: usize) -> usize {
    let rest = slice(value, start, value.len());
    memchr::memchr2(b',', b';', rest).map_or(value.len(), |at| start + at)
}

/// Reads the date at `start`. Its element ends at `end`, but a date may hold two commas: after the weekday, and after
/// the day or the year. The longest text that is a date counts. Returns the date, and where it ends.
fn longest_date(value: &[u8], start: usize, end: usize) -> (Option<Date>, usize) {
    let mut ends = [end; 3];
    let mut last = end;
    for place in ends.iter_mut().skip(1) {
        if value.get(last) == Some(&b',') {
            last = element_end(value, last + 1);
        }
        *place = last;
    }
    for end in ends.into_iter().rev() {
        let date = date::parse(slice(value, start, end).trim_ascii());
        if date.is_some() {
            return (date, end);
        }
    }
    (None, end)
}

fn slice(text: &[u8], start: usize, end: usize) -> &[u8] {
    text.get(start..end).unwrap_or_default()
}
