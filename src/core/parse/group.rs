//! Which lines of a robots.txt a crawler obeys (SPEC 6 and 7), found in one pass.
//!
//! A group's rank is the best among the agents it names; the crawler obeys the groups of the best
//! rank in the file. So the rules of a group are kept while no better rank was seen, and dropped
//! when one is: nothing is stored of groups that cannot concern the crawler.

use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::rule::{Priority, RuleRef};
use crate::core::parse::directive::{self, Directive, Field, PathInBody};
use crate::core::parse::line::{Line, Lines};
use crate::core::parse::reader::is_blank;
use crate::crawler::Crawler;
use crate::crawler::token::{NOBODY, Rank};

/// What takes the lines that a crawler obeys, in file order.
pub(crate) trait Sink<'a> {
    /// Takes a rule that could match a URL: `path` is not empty, and begins with a `/` or a wildcard.
    fn rule(
        &mut self,
        path: PathInBody<'a>,
        line: u32,
        allow: bool,
        dialect: Dialect,
    ) -> Result<(), Error>;

    /// Takes the value of a sitemap line, which is not empty.
    fn sitemap(&mut self, url: &'a [u8]) -> Result<(), Error>;

    /// A group of a better rank begins: none of the rules so far count.
    fn forget_rules(&mut self);
}

/// What a robots.txt holds for one crawler beside its rules.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Group {
    pub(crate) applies: bool,
    /// SPEC 9.2: seconds.
    pub(crate) crawl_delay: Option<f64>,
    /// SPEC 8.8: of the rules with an empty path the one whose line is reported.
    empty: Option<(Priority, u32)>,
}

impl Group {
    /// Returns the line that is reported where no rule matches; 0 for none.
    pub(crate) fn default_line(&self) -> u32 {
        self.empty.map_or(0, |(_, line)| line)
    }
}

/// Reads `body` as `crawler` does. The lines that count go to `sink`.
pub(crate) fn read<'a>(
    crawler: &Crawler,
    body: &'a [u8],
    sink: &mut impl Sink<'a>,
) -> Result<Group, Error> {
    let mut reader = GroupReader::new(crawler, body, sink);
    // A loop for each dialect, in which nothing depends on it any more.
    match crawler.reading.dialect {
        Dialect::Rfc9309 => reader.read(Dialect::Rfc9309)?,
        Dialect::Google => reader.read(Dialect::Google)?,
        Dialect::Koster1996 => reader.read(Dialect::Koster1996)?,
    }
    Ok(reader.group)
}

/// A bit that says how a name begins, in either case. Those of an empty one are all set: it may begin any name.
#[inline]
fn initial(name: &[u8]) -> u32 {
    name.first().map_or(u32::MAX, |first| 1 << (first & 31))
}

struct GroupReader<'r, 'a, S> {
    crawler: &'r Crawler,
    body: &'a [u8],
    sink: &'r mut S,
    /// A bit for each [`initial`] of a name that may be the crawler's.
    initials: u32,
    group: Group,
    /// The best rank that any group of the file had so far.
    best: Rank,
    /// The group that is being read concerns the crawler, as far as is known.
    mine: bool,
    /// More user-agent lines would join the group (SPEC 6.1).
    open: bool,
    /// The crawl-delay of the group, which an agent named later in the run shares.
    group_delay: Option<f64>,
}

impl<'r, 'a, S: Sink<'a>> GroupReader<'r, 'a, S> {
    fn new(crawler: &'r Crawler, body: &'a [u8], sink: &'r mut S) -> Self {
        GroupReader {
            crawler,
            body,
            sink,
            initials: crawler
                .tokens()
                .map(initial)
                .fold(initial(b"*"), |a, b| a | b),
            group: Group::default(),
            best: NOBODY,
            mine: false,
            open: false,
            group_delay: None,
        }
    }

    #[inline(always)]
    fn read(&mut self, dialect: Dialect) -> Result<(), Error> {
        let mut lines = Lines::new(self.body, self.crawler.reading.max_bytes, dialect);
        while let Some(line) = lines.next() {
            // Within a group that does not apply, once it has a rule, only two fields count.
            if !self.mine && !self.open && !directive::begins_with_u_or_s(&line, dialect) {
                continue;
            }
            if let Some((allow, path)) = directive::common_rule(&line) {
                self.open = false;
                if self.mine {
                    self.sink.rule(path, lines.number(), allow, dialect)?;
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

    #[inline(always)]
    fn take(
        &mut self,
        directive: Directive<'a>,
        line: Line<'a>,
        number: u32,
        dialect: Dialect,
    ) -> Result<(), Error> {
        match directive.field {
            Field::UserAgent => {
                if !self.open {
                    self.open = true;
                    self.mine = false;
                    self.group_delay = None;
                }
                // Most lines name other crawlers.
                if self.initials & initial(directive.value) != 0 {
                    self.name(directive.value);
                }
            }
            field @ (Field::Allow | Field::Disallow) => {
                let path = PathInBody::within(line.rest, directive.value);
                self.rule(path, number, field == Field::Allow, dialect)?;
            }
            Field::Sitemap if directive.value.is_empty() => {}
            Field::Sitemap => self.sink.sitemap(directive.value)?,
            Field::CrawlDelay => self.delay(directive.value),
        }
        Ok(())
    }

    /// A user-agent line that may name the crawler.
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

    /// An allow or disallow line; an empty one ends the run of user-agent lines like any other.
    #[inline(always)]
    fn rule(
        &mut self,
        path: PathInBody<'a>,
        line: u32,
        allow: bool,
        dialect: Dialect,
    ) -> Result<(), Error> {
        self.open = false;
        if !self.mine {
            return Ok(());
        }
        match path.bytes.first() {
            Some(b'/') => self.sink.rule(path, line, allow, dialect),
            Some(b'*') if dialect.has_wildcards() => self.sink.rule(path, line, allow, dialect),
            // SPEC 8.5: nothing else matches.
            Some(_) => Ok(()),
            None => {
                if dialect.reports_empty_rules() {
                    let priority = Priority::new(RuleRef::new(line, allow), 0, false);
                    self.group.empty = self.group.empty.max(Some((priority, line)));
                }
                Ok(())
            }
        }
    }

    /// A crawl-delay line (SPEC 6.1, 9.2).
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

/// Ten years in seconds, as the longest time of an option.
const LONGEST_DELAY: f64 = 315_360_000.0;

/// Of two delays the politer one.
fn longest(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        _ => a.or(b),
    }
}

/// SPEC 9.2: digits, with a fraction perhaps, at most ten years; `None` for anything else.
pub(crate) fn seconds(value: &[u8]) -> Option<f64> {
    let is_decimal = value
        .iter()
        .all(|byte| byte.is_ascii_digit() || *byte == b'.');
    let text = core::str::from_utf8(value).ok().filter(|_| is_decimal)?;
    // "1.", ".5" and "1.5" are numbers to the parser, "." and "1.2.3" are not.
    text.parse()
        .ok()
        .map(|seconds: f64| seconds.min(LONGEST_DELAY))
}
