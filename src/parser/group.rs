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
use crate::parser::reader::is_blank;
use crate::rule::{Priority, RulePath, RuleRef, without_end};
use crate::url::canonical::{Form, Side};
use crate::url::scan;
use crate::util::try_alloc::push;

/// An allow or disallow line that the crawler obeys and that could match a URL. Offsets, since a file may hold one rule in
/// 9 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RawRule {
    /// Where the canonical path starts in the [`RuleText`].
    pub(crate) start: u32,
    /// The length of the path without a `$` that means the end of the URL (SPEC 8.4).
    pub(crate) len: u32,
    /// The index of the first `*` in the path, or the length; and a flag.
    star: u32,
    pub(crate) rule: RuleRef,
}

impl RawRule {
    /// There was a `$` that means the end of the URL.
    const ANCHORED: u32 = 1 << 31;

    #[inline(always)]
    pub(crate) fn is_anchored(&self) -> bool {
        self.star & RawRule::ANCHORED != 0
    }

    #[inline(always)]
    pub(crate) fn star(&self) -> usize {
        (self.star & !RawRule::ANCHORED) as usize
    }

    pub(crate) fn priority(&self, dialect: Dialect) -> Priority {
        let length = self.len + u32::from(self.is_anchored());
        Priority::new(self.rule, length, dialect.first_match_wins())
    }
}

/// The bytes that rules are made of: most paths are canonical in the body, others are written to the arena.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleText<'t> {
    body: &'t [u8],
    /// Offsets continue after the body.
    arena: &'t [u8],
}

impl<'t> RuleText<'t> {
    /// Returns the bytes from an offset on, which are more than those of a rule.
    #[inline(always)]
    pub(crate) fn after(&self, start: usize) -> &'t [u8] {
        let bytes = match start.checked_sub(self.body.len()) {
            None => self.body.get(start..),
            Some(start) => self.arena.get(start..),
        };
        #[allow(clippy::expect_used, reason = "an invariant")]
        bytes.expect("the offset of a rule is in the body or in the arena")
    }

    #[inline]
    pub(crate) fn path(&self, rule: &RawRule) -> RulePath<'t> {
        let bytes = self.after(rule.start as usize).get(..rule.len as usize);
        #[allow(clippy::expect_used, reason = "an invariant")]
        let bytes = bytes.expect("the path of a rule is in the body or in the arena");
        RulePath::from_parts(bytes, rule.is_anchored(), rule.star())
    }

    /// Whether a rule was not canonical in the body.
    #[inline(always)]
    pub(crate) fn is_in_arena(&self, rule: &RawRule) -> bool {
        rule.start as usize >= self.body.len()
    }
}

/// The longest body that is read: paths in it have lengths of 30 bits.
const MAX_BODY: usize = 1 << 30;

/// The rules that are kept without an allocation.
const FIRST_RULES: usize = 128;

/// The part of a robots.txt that one crawler obeys.
#[derive(Debug)]
pub(crate) struct Selection<'a> {
    /// The file, within the size limit or not.
    body: &'a [u8],
    /// The canonical paths of the rules that have another form in the body.
    arena: Vec<u8>,
    /// The rules in file order, until there are more of them.
    first_rules: [RawRule; FIRST_RULES],
    first_len: usize,
    /// Then all rules.
    all_rules: Vec<RawRule>,
    /// SPEC 9.1: of the whole file, in its order.
    pub(crate) sitemaps: Vec<&'a [u8]>,
    pub(crate) group: Group,
}

impl<'a> Selection<'a> {
    /// Returns the selection of an empty file, to be read from `body`.
    #[inline]
    pub(crate) fn new(body: &'a [u8]) -> Selection<'a> {
        Selection {
            body,
            arena: Vec::new(),
            first_rules: [RawRule::default(); FIRST_RULES],
            first_len: 0,
            all_rules: Vec::new(),
            sitemaps: Vec::new(),
            group: Group::default(),
        }
    }

    pub(crate) fn read(&mut self, crawler: &Crawler) -> Result<(), Error> {
        if self.body.len().min(crawler.reading.max_bytes) > MAX_BODY {
            return Err(Error::Memory);
        }
        self.group = read(crawler, self.body, self)?;
        Ok(())
    }

    pub(crate) fn rules(&mut self) -> (&mut [RawRule], RuleText<'_>) {
        let rules = if self.all_rules.is_empty() {
            self.first_rules.get_mut(..self.first_len)
        } else {
            Some(&mut self.all_rules[..])
        };
        let text = RuleText {
            body: self.body,
            arena: &self.arena,
        };
        (rules.unwrap_or_default(), text)
    }

    pub(crate) fn free_rules(&mut self) {
        self.arena = Vec::new();
        self.first_len = 0;
        self.all_rules = Vec::new();
    }

    #[inline(always)]
    fn push(&mut self, rule: RawRule) -> Result<(), Error> {
        if let Some(place) = self.first_rules.get_mut(self.first_len) {
            *place = rule;
            self.first_len += 1;
            return Ok(());
        }
        if self.all_rules.len() == self.all_rules.capacity() || self.all_rules.is_empty() {
            self.make_room(rule.start as usize)?;
        }
        self.all_rules.push(rule);
        Ok(())
    }

    /// Makes room for more rules, where one starts at `start`: for as many as the rest of the body holds if it is like the
    /// part before, and a sixteenth more, but for no more than the rest of the body can hold.
    #[cold]
    fn make_room(&mut self, start: usize) -> Result<(), Error> {
        let start = start.min(self.body.len());
        let count = self.all_rules.len().max(FIRST_RULES);
        let likely = count as u64 * self.body.len() as u64 / start.max(1) as u64;
        let more = (likely + likely / 16 + 64).saturating_sub(count as u64) as usize;
        // A google rule may stand for two (SPEC 8.10).
        let most = 2 * ((self.body.len() - start) / MIN_RULE_LINE + 1);
        let first = FIRST_RULES.saturating_sub(self.all_rules.len());
        let room = self.all_rules.try_reserve_exact(first + more.min(most));
        room.map_err(|_| Error::Memory)?;
        if self.all_rules.is_empty() {
            self.all_rules.extend_from_slice(&self.first_rules);
        }
        Ok(())
    }

    #[cold]
    fn canonicalise(
        &mut self,
        rule: &mut RawRule,
        path: &[u8],
        dialect: Dialect,
    ) -> Result<(), Error> {
        let form = Form::new(dialect, Side::Rule);
        let start = self.arena.len();
        form.append(path, &mut self.arena)?;
        let path = self.arena.get(start..).unwrap_or_default();
        // Offsets have 32 bits, lengths 30.
        let place = u32::try_from(self.body.len() + start);
        rule.start = place.map_err(|_| Error::Memory)?;
        if path.len() > MAX_BODY || self.body.len() + self.arena.len() > u32::MAX as usize {
            return Err(Error::Memory);
        }
        let split = RulePath::new(path, false, dialect);
        rule.len = path.len() as u32;
        rule.star = split.prefix().len() as u32 | rule.star & RawRule::ANCHORED;
        Ok(())
    }

    /// SPEC 8.10: adds the directory that an allow rule also stands for. Where the rule itself matches, it is the longer one.
    #[cold]
    fn add_directory(&mut self, rule: RawRule, dialect: Dialect) -> Result<(), Error> {
        let text = RuleText {
            body: self.body,
            arena: &self.arena,
        };
        let directory = text.path(&rule).directory_of_index(dialect);
        match directory.map(|path| (path.bytes.len(), path.prefix().len())) {
            Some((len, star)) => self.push(RawRule {
                len: len as u32,
                star: star as u32 | RawRule::ANCHORED,
                ..rule
            }),
            None => Ok(()),
        }
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
        let seen = scan::rule_path(path, rest);
        let star = if dialect.has_wildcards() {
            seen.star
        } else {
            path.len() as u32
        };
        let anchored = if is_anchored { RawRule::ANCHORED } else { 0 };
        let mut rule = RawRule {
            start: (path.as_ptr().addr() - self.body.as_ptr().addr()) as u32,
            len: path.len() as u32,
            star: star | anchored,
            rule: RuleRef::new(line, allow),
        };
        if !seen.is_plain {
            self.canonicalise(&mut rule, path, dialect)?;
        }
        self.push(rule)?;
        if allow && dialect.index_stands_for_directory() {
            self.add_directory(rule, dialect)?;
        }
        Ok(())
    }

    fn sitemap(&mut self, url: &'a [u8]) -> Result<(), Error> {
        push(&mut self.sitemaps, url)
    }

    fn forget_rules(&mut self) {
        self.arena.clear();
        self.first_len = 0;
        self.all_rules.clear();
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

/// The bytes of the shortest line of a rule, `allow:/` and its end.
const MIN_RULE_LINE: usize = 8;

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
