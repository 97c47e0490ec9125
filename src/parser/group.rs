//! Which lines of a robots.txt a crawler obeys (SPEC 6 and 7), found in one pass.
//!
//! A group's rank is the best among the agents it names; the crawler obeys the groups of the best
//! rank in the file. So the rules of a group are kept while no better rank was seen, and dropped
//! when one is: nothing is stored of groups that cannot concern the crawler.

use crate::crawler::Crawler;
use crate::crawler::token::{NOBODY, Rank};
use crate::dialect::Dialect;
use crate::error::Error;
use crate::parser::directive::{self, Directive, Field, PathInBody};
use crate::parser::line::{Line, Lines};
use crate::rule::{Priority, RuleRef};
use crate::url::plain;
use crate::util::try_alloc::push;

/// An allow or disallow line that the crawler obeys and that could match a URL. Offsets, since a file may hold one rule in
/// 9 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawRule {
    /// Where the path starts in the body.
    pub(crate) start: u32,
    /// The length of the path without a `$` that means the end of the URL (SPEC 8.4).
    pub(crate) len: u32,
    /// Where the first `*` stands in the path, or the end; and two flags.
    star: u32,
    pub(crate) rule: RuleRef,
}

impl RawRule {
    /// There was a `$` that means the end of the URL.
    const ANCHORED: u32 = 1 << 31;
    /// Every byte of the path is canonical.
    const PLAIN: u32 = 1 << 30;

    #[inline]
    pub(crate) fn new(
        start: u32,
        len: u32,
        star: u32,
        is_anchored: bool,
        rule: RuleRef,
    ) -> RawRule {
        let anchored = if is_anchored { RawRule::ANCHORED } else { 0 };
        RawRule {
            start,
            len,
            star: star | anchored | RawRule::PLAIN,
            rule,
        }
    }

    #[inline]
    pub(crate) fn is_anchored(&self) -> bool {
        self.star & RawRule::ANCHORED != 0
    }

    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.star & RawRule::PLAIN != 0
    }

    #[inline]
    pub(crate) fn star(&self) -> u32 {
        self.star & !(RawRule::ANCHORED | RawRule::PLAIN)
    }
}

/// The longest body that is read: paths in it have lengths of 30 bits.
const MAX_BODY: usize = 1 << 30;

/// What a robots.txt tells one crawler.
#[derive(Debug, Default)]
pub(crate) struct Selection<'a> {
    /// The file, within the size limit or not.
    pub(crate) body: &'a [u8],
    /// In file order.
    pub(crate) rules: Vec<RawRule>,
    /// SPEC 8.8: of the rules with an empty path the one whose line is reported.
    pub(crate) empty: Option<(Priority, u32)>,
    /// SPEC 9.1: of the whole file, in its order.
    pub(crate) sitemaps: Vec<&'a [u8]>,
    /// SPEC 9.2: seconds.
    pub(crate) crawl_delay: Option<f64>,
    /// Some group applies.
    pub(crate) has_group: bool,
}

impl<'a> Selection<'a> {
    /// Reads `body` as `crawler` does.
    pub(crate) fn parse(crawler: &Crawler, body: &'a [u8]) -> Result<Selection<'a>, Error> {
        if body.len().min(crawler.max_bytes) > MAX_BODY {
            return Err(Error::Memory);
        }
        let mut selection = Selection {
            body,
            ..Selection::default()
        };
        // Room for what files of this size mostly hold, so that it need not be made bit by bit.
        let likely = (body.len() / LIKELY_BYTES_A_RULE).min(MOST_LIKELY_RULES);
        let room = selection.rules.try_reserve(likely);
        room.map_err(|_| Error::Memory)?;
        let group = read(crawler, body, &mut selection)?;
        selection.crawl_delay = group.crawl_delay;
        selection.has_group = group.applies;
        Ok(selection)
    }

    /// Makes room for more rules, where one starts at `start`: for as many as the rest of the body holds if it is like the
    /// part before, and a sixteenth of all more, but for no more than the rest of the body can hold.
    #[cold]
    fn make_room(&mut self, start: usize) -> Result<(), Error> {
        let (body, rules) = (self.body.len(), &mut self.rules);
        let likely = rules.len() as u64 * body as u64 / start.max(1) as u64;
        let more = (likely + likely / 16 + 64).saturating_sub(rules.len() as u64) as usize;
        let most = body.saturating_sub(start) / MIN_RULE_LINE + 1;
        let room = rules.try_reserve_exact(more.min(most));
        room.map_err(|_| Error::Memory)
    }
}

impl<'a> Sink<'a> for Selection<'a> {
    #[inline(always)]
    fn rule(
        &mut self,
        path: PathInBody<'a>,
        line: u32,
        allow: bool,
        dialect: Dialect,
    ) -> Result<(), Error> {
        let rest = path.rest;
        let (path, is_anchored) = without_end(path.bytes, dialect);
        let seen = plain::rule_path(path, rest);
        let start = path.as_ptr().addr() - self.body.as_ptr().addr();
        let star = if dialect.has_wildcards() {
            seen.star
        } else {
            path.len() as u32
        };
        let mut rule = RawRule::new(
            start as u32,
            path.len() as u32,
            star,
            is_anchored,
            RuleRef::new(line, allow),
        );
        if !seen.is_plain {
            rule.star &= !RawRule::PLAIN;
        }
        if self.rules.len() == self.rules.capacity() {
            self.make_room(start)?;
        }
        self.rules.push(rule);
        Ok(())
    }

    fn empty_rule(&mut self, line: u32, allow: bool) {
        let priority = Priority::new(0, allow, line);
        self.empty = self.empty.max(Some((priority, line)));
    }

    fn sitemap(&mut self, url: &'a [u8]) -> Result<(), Error> {
        push(&mut self.sitemaps, url)
    }

    fn forget_rules(&mut self) {
        self.rules.clear();
        self.empty = None;
    }
}

/// The path of a rule without a `$` that means the end of the URL (SPEC 8.4), and whether there was one.
#[inline]
pub(crate) fn without_end(path: &[u8], dialect: Dialect) -> (&[u8], bool) {
    match path {
        [path @ .., b'$'] if dialect.has_wildcards() => (path, true),
        _ => (path, false),
    }
}

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

    /// Takes a rule with an empty path, in a dialect that reports its line (SPEC 8.8).
    fn empty_rule(&mut self, line: u32, allow: bool);

    /// Takes the value of a sitemap line, which is not empty.
    fn sitemap(&mut self, url: &'a [u8]) -> Result<(), Error>;

    /// A group of a better rank begins: none of the rules so far count.
    fn forget_rules(&mut self);
}

/// What a robots.txt holds for one crawler beside its rules.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Group {
    /// Some group applies.
    pub(crate) applies: bool,
    /// SPEC 9.2: seconds.
    pub(crate) crawl_delay: Option<f64>,
}

/// Reads `body` as `crawler` does. The lines that count go to `sink`.
pub(crate) fn read<'a>(
    crawler: &Crawler,
    body: &'a [u8],
    sink: &mut impl Sink<'a>,
) -> Result<Group, Error> {
    let mut reader = GroupReader::new(crawler, sink);
    // A loop for each dialect, in which nothing depends on it any more.
    match crawler.dialect {
        Dialect::Rfc9309 => reader.read(body, Dialect::Rfc9309)?,
        Dialect::Google => reader.read(body, Dialect::Google)?,
        Dialect::Koster1996 => reader.read(body, Dialect::Koster1996)?,
    }
    Ok(reader.group)
}

/// The bytes of the shortest line of a rule, `allow:/` and its end.
const MIN_RULE_LINE: usize = 8;

/// Of a file of rules, a line of one and its share of all other lines.
const LIKELY_BYTES_A_RULE: usize = 40;
/// Beyond this, making more room costs little beside what the rules do.
const MOST_LIKELY_RULES: usize = 256;

/// SPEC 6.6: a line with only a comment is not blank.
#[inline]
pub(crate) fn is_record_end(line: Line<'_>, dialect: Dialect) -> bool {
    dialect.blank_line_ends_record()
        && !line.is_commented
        && directive::trim(line.text, dialect).is_empty()
}

/// A bit that says how a name begins, in either case. Those of an empty one are all set: it may begin any name.
#[inline]
fn initial(name: &[u8]) -> u32 {
    name.first().map_or(u32::MAX, |first| 1 << (first & 31))
}

/// The state between two lines.
struct GroupReader<'r, S> {
    crawler: &'r Crawler,
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

impl<'r, S> GroupReader<'r, S> {
    fn new(crawler: &'r Crawler, sink: &'r mut S) -> Self {
        GroupReader {
            crawler,
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
    fn read<'a>(&mut self, body: &'a [u8], dialect: Dialect) -> Result<(), Error>
    where
        S: Sink<'a>,
    {
        let mut lines = Lines::new(body, self.crawler.max_bytes, dialect);
        while let Some(line) = lines.next() {
            // Within a group that does not apply, once it has a rule, only two fields count.
            if !self.mine && !self.open && !directive::begins_with_u_or_s(&line, dialect) {
                continue;
            }
            if let Some((allow, path)) = directive::usual_rule(&line) {
                self.open = false;
                if self.mine {
                    self.sink.rule(path, lines.number(), allow, dialect)?;
                }
                continue;
            }
            match directive::read(line.text, dialect) {
                Some(directive) => self.take(directive, line, lines.number(), dialect)?,
                None if is_record_end(line, dialect) => self.end_record(),
                None => {}
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn take<'a>(
        &mut self,
        directive: Directive<'a>,
        line: Line<'a>,
        number: u32,
        dialect: Dialect,
    ) -> Result<(), Error>
    where
        S: Sink<'a>,
    {
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
    fn name<'a>(&mut self, value: &[u8])
    where
        S: Sink<'a>,
    {
        let rank = self.crawler.rank(value);
        if rank < self.best {
            self.best = rank;
            self.mine = true;
            self.sink.forget_rules();
            self.group = Group {
                applies: true,
                crawl_delay: self.group_delay,
            };
        } else if rank == self.best && rank != NOBODY && self.crawler.dialect.merges_groups() {
            self.mine = true;
            self.group.crawl_delay = longest(self.group.crawl_delay, self.group_delay);
        }
    }

    /// An allow or disallow line; an empty one ends the run of user-agent lines like any other.
    #[inline(always)]
    fn rule<'a>(
        &mut self,
        path: PathInBody<'a>,
        line: u32,
        allow: bool,
        dialect: Dialect,
    ) -> Result<(), Error>
    where
        S: Sink<'a>,
    {
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
                    self.sink.empty_rule(line, allow);
                }
                Ok(())
            }
        }
    }

    /// A crawl-delay line (SPEC 6.1, 9.2).
    fn delay(&mut self, value: &[u8]) {
        if self.crawler.crawl_delay_ends_agents {
            self.open = false;
        }
        self.group_delay = longest(self.group_delay, seconds(value));
        if self.mine {
            self.group.crawl_delay = longest(self.group.crawl_delay, self.group_delay);
        }
    }

    /// SPEC 6.6: what follows belongs to no record until the next user-agent line.
    fn end_record(&mut self) {
        self.open = false;
        self.mine = false;
    }
}

/// Of two delays the politer one.
fn longest(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        _ => a.or(b),
    }
}

/// SPEC 9.2: digits, with a fraction perhaps; `None` for anything else.
pub(crate) fn seconds(value: &[u8]) -> Option<f64> {
    let is_decimal = value
        .iter()
        .all(|byte| byte.is_ascii_digit() || *byte == b'.');
    let text = core::str::from_utf8(value).ok().filter(|_| is_decimal)?;
    // "1.", ".5" and "1.5" are numbers to the parser, "." and "1.2.3" are not.
    text.parse()
        .ok()
        .filter(|seconds: &f64| seconds.is_finite())
}
