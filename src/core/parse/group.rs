//! The fast reader, for verdicts: finds the lines of a robots.txt that a crawler obeys (SPEC 6 and 7), in one pass.
//!
//! The rank of a group is the best (lowest) rank of its user-agent lines. The crawler obeys the groups with the best rank in
//! the file. So the reader keeps rules only of groups with the best rank so far, and drops them when a group has a better rank.

use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::limits::MAX_CRAWL_DELAY;
use crate::base::rule::{Priority, RuleRef};
use crate::core::parse::directive::{self, Directive, Field, PathInBody};
use crate::core::parse::line::{Line, Lines};
use crate::core::parse::reader::is_blank;
use crate::crawler::Crawler;
use crate::crawler::token::{NOBODY, Rank};

/// A receiver of the lines that a crawler obeys, in file order.
pub(crate) trait Sink<'a> {
    /// Takes a rule that could match some URL. `path`: starts with `/` or a wildcard.
    fn rule(&mut self, path: PathInBody<'a>, rule: RuleRef, dialect: Dialect) -> Result<(), Error>;

    /// Takes the value of a sitemap line. The value is not empty.
    fn sitemap(&mut self, _url: &'a [u8]) -> Result<(), Error> {
        Ok(())
    }

    /// Drops all rules so far, because a group with a better rank starts.
    fn forget_rules(&mut self);
}

/// The data of a robots.txt for one crawler, without its rules.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Group {
    /// Some group applies to the crawler.
    pub(crate) applies: bool,
    /// Crawl-delay in seconds (SPEC 9.2).
    pub(crate) crawl_delay: Option<f64>,
    /// Priority and line of the best rule with an empty path (SPEC 8.8).
    empty: Option<(Priority, u32)>,
}

impl Group {
    /// Returns the line of the verdict if no rule with a path matches: the line of a rule with an empty path in google, or 0
    /// (SPEC 8.8).
    pub(crate) fn default_line(&self) -> u32 {
        self.empty.map_or(0, |(_, line)| line)
    }
}

/// Reads `body` for `crawler`, and passes each rule that the crawler obeys and each sitemap to `sink`.
pub(crate) fn read<'a>(
    crawler: &Crawler,
    body: &'a [u8],
    sink: &mut impl Sink<'a>,
) -> Result<Group, Error> {
    let initials = crawler.tokens().map(initial);
    let mut reader = GroupReader {
        crawler,
        body,
        sink,
        initials: initials.fold(initial(b"*"), |all, bit| all | bit),
        group: Group::default(),
        best: NOBODY,
        mine: false,
        open: false,
        group_delay: None,
    };
    // The loop is compiled once per dialect, so that tests of the dialect cost nothing at run time.
    match crawler.reading.dialect {
        Dialect::Rfc9309 => reader.read(Dialect::Rfc9309)?,
        Dialect::Google => reader.read(Dialect::Google)?,
        Dialect::Koster1996 => reader.read(Dialect::Koster1996)?,
    }
    Ok(reader.group)
}

/// Returns a word with one bit set for the first byte of a name. Upper and lower case of a letter set the same bit. For an
/// empty name all bits are set, because an empty name is a prefix of every name.
#[inline]
fn initial(name: &[u8]) -> u32 {
    name.first().map_or(u32::MAX, |first| 1 << (first & 31))
}

/// The state of [`read`].
struct GroupReader<'r, 'a, S> {
    crawler: &'r Crawler,
    body: &'a [u8],
    sink: &'r mut S,
    /// The [`initial`] bits of all names that may mean the crawler: its tokens and `*`.
    initials: u32,
    group: Group,
    /// Best rank of the groups so far.
    best: Rank,
    /// The current group has the best rank so far.
    mine: bool,
    /// A user-agent line would join the current group (SPEC 6.1).
    open: bool,
    /// Crawl-delay of the current group. Agents that the group names after the crawl-delay line have this delay, too.
    group_delay: Option<f64>,
}

impl<'a, S: Sink<'a>> GroupReader<'_, 'a, S> {
    #[inline(always)]
    fn read(&mut self, dialect: Dialect) -> Result<(), Error> {
        let mut lines = Lines::new(self.body, self.crawler.reading.max_bytes, dialect);
        while let Some(line) = lines.next() {
            // If the current group does not apply, and no user-agent line can join it, only user-agent and sitemap lines count.
            if !self.mine && !self.open && !directive::begins_with_u_or_s(&line, dialect) {
                continue;
            }
            if let Some((allow, path)) = directive::common_rule(&line) {
                self.open = false;
                if self.mine {
                    let rule = RuleRef::new(lines.number(), allow);
                    self.sink.rule(path, rule, dialect)?;
                }
                continue;
            }
            match directive::read(line.text, dialect) {
                Some(directive) => self.take(directive, line, lines.number(), dialect)?,
                // SPEC 6.6.
                None if dialect.blank_line_ends_record()
                    && is_blank(line.text, line.is_commented, dialect) =>
                {
                    (self.mine, self.open) = (false, false);
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Takes a line that is understood.
    #[inline(always)]
    fn take(
        &mut self,
        Directive { field, value }: Directive<'a>,
        line: Line<'a>,
        number: u32,
        dialect: Dialect,
    ) -> Result<(), Error> {
        match field {
            Field::UserAgent => {
                if !self.open {
                    self.open = true;
                    self.mine = false;
                    self.group_delay = None;
                }
                // Most lines name other crawlers.
                if self.initials & initial(value) != 0 {
                    self.name(value);
                }
            }
            // A rule with an empty path also ends the user-agent lines of the group.
            Field::Allow | Field::Disallow => {
                self.open = false;
                let rule = RuleRef::new(number, field == Field::Allow);
                match value.first() {
                    _ if !self.mine => {}
                    Some(b'*') if !dialect.has_wildcards() => {}
                    Some(b'/' | b'*') => {
                        let path = PathInBody::within(line.rest, value);
                        self.sink.rule(path, rule, dialect)?;
                    }
                    None if dialect.reports_empty_rules() => {
                        let priority = Priority::new(rule, 0, false);
                        self.group.empty = self.group.empty.max(Some((priority, number)));
                    }
                    // SPEC 8.5: any other path matches nothing.
                    _ => {}
                }
            }
            Field::Sitemap if value.is_empty() => {}
            Field::Sitemap => self.sink.sitemap(value)?,
            Field::CrawlDelay => self.delay(value),
        }
        Ok(())
    }

    /// Takes a user-agent line that may name the crawler.
    #[inline(never)]
    fn name(&mut self, value: &[u8]) {
        let rank = self.crawler.rank(value);
        if rank < self.best {
            self.best = rank;
            self.mine = true;
            self.sink.forget_rules();
            self.group = Group {
                applies: true,
                crawl_delay: self.group_delay,
                empty: None,
            };
        } else if rank == self.best
            && rank != NOBODY
            && self.crawler.reading.dialect.merges_groups()
        {
            self.mine = true;
            self.group.crawl_delay = longest(self.group.crawl_delay, self.group_delay);
        }
    }

    /// Takes a crawl-delay line (SPEC 6.1, 9.2).
    fn delay(&mut self, value: &[u8]) {
        if self.crawler.reading.crawl_delay_ends_agents {
            self.open = false;
        }
        self.group_delay = longest(self.group_delay, seconds(value));
        if self.mine {
            self.group.crawl_delay = longest(self.group.crawl_delay, self.group_delay);
        }
    }
}

fn longest(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        _ => a.or(b),
    }
}

/// A number of 15 digits, which is at least this value, gets no more digits, because an `f64` is exact for every integer of 15
/// digits.
const MAX_PRECISE: u64 = 10_u64.pow(14);

/// The maximum divisor, which still fits a `u64`: digits after the 19th decimal place are ignored.
const MAX_UNIT: u64 = 10_u64.pow(19);

/// Parses a crawl-delay: decimal digits, optionally with a fraction, limited to ten years (SPEC 9.2).
pub(crate) fn seconds(value: &[u8]) -> Option<f64> {
    // "1.", ".5" and "1.5" are numbers, but not "." and "1.2.3".
    let mut parts = value.splitn(2, |byte| *byte == b'.');
    let (whole, fraction) = (parts.next()?, parts.next().unwrap_or_default());
    let is_digit = u8::is_ascii_digit;
    let is_empty = whole.is_empty() && fraction.is_empty();
    if is_empty || !whole.iter().all(is_digit) || !fraction.iter().all(is_digit) {
        return None;
    }
    let append = |number: u64, byte: &u8| {
        let digit = u64::from(byte - b'0');
        number.saturating_mul(10).saturating_add(digit)
    };
    // An `f64` represents each number below 2^53 and each power of ten up to 10^22 exactly, so the quotient is the nearest
    // `f64`. A number from 2^53 on exceeds the limit of a delay in any case. `str::parse` returns the same, but its tables take
    // 10 KB of a WebAssembly module.
    let mut number = whole.iter().fold(0, append);
    let mut unit: u64 = 1;
    for byte in fraction {
        if number >= MAX_PRECISE || unit >= MAX_UNIT {
            break;
        }
        (number, unit) = (append(number, byte), unit * 10);
    }
    Some((number as f64 / unit as f64).min(MAX_CRAWL_DELAY))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{MAX_CRAWL_DELAY, seconds};

    /// Returns whether the parsed delay is the nearest `f64`, or, for more than 15 digits, whether its relative error is small.
    fn is_read(text: &str) -> bool {
        let expected = text.parse::<f64>().unwrap().min(MAX_CRAWL_DELAY);
        let digits = text.trim_start_matches(['0', '.']).len();
        let error = (seconds(text.as_bytes()).unwrap() - expected).abs();
        error == 0.0 || error < 1e-19 || (digits > 15 && error < expected * 1e-14)
    }

    #[test]
    fn a_delay_is_the_nearest_number() {
        let mut state: u64 = 1;
        for round in 0..100_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let number = state >> (state % 61);
            let mut text = number.to_string();
            text.insert(round % (text.len() + 1), '.');
            let zeros = "0".repeat(round % 7);
            for text in [
                number.to_string(),
                text.clone(),
                [&zeros, "0.", &zeros, &text.replace('.', "")].concat(),
            ] {
                assert!(is_read(&text), "{text}");
            }
        }
    }

    #[test]
    fn other_texts_are_no_delay() {
        for text in [
            "", ".", "1.2.3", "-1", "+1", "1e3", "inf", "NaN", "1 ", "1,5", "..1",
        ] {
            assert_eq!(seconds(text.as_bytes()), None, "{text}");
        }
        assert_eq!(
            seconds(b"99999999999999999999999999999.5"),
            Some(MAX_CRAWL_DELAY)
        );
        assert_eq!(
            seconds(&[b"0.".to_vec(), vec![b'0'; 500], b"1".to_vec()].concat()),
            Some(0.0)
        );
    }
}
