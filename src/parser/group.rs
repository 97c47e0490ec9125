//! Which lines of a robots.txt a crawler obeys (SPEC 6 and 7), found in one pass.
//!
//! A group's rank is the best among the agents it names; the crawler obeys the groups of the best
//! rank in the file. So the rules of a group are kept while no better rank was seen, and dropped
//! when one is: nothing is stored of groups that cannot concern the crawler.

use crate::crawler::Crawler;
use crate::crawler::token::{NOBODY, Rank};
use crate::dialect::Dialect;
use crate::error::Error;
use crate::parser::directive::{self, Directive, Field};
use crate::parser::line::{Line, Lines};
use crate::rule::RuleRef;
use crate::util::simd::{self, RulePath};

/// An allow or disallow line that the crawler obeys.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawRule<'a> {
    /// The path as it is written, without a `$` that stands for the end (SPEC 8.4); it may be empty.
    pub(crate) path: &'a [u8],
    /// There was such a `$`.
    pub(crate) anchored: bool,
    pub(crate) seen: RulePath,
    pub(crate) slot: RuleRef,
}

/// What a robots.txt tells one crawler.
#[derive(Debug, Default)]
pub(crate) struct Selection<'a> {
    /// In file order.
    pub(crate) rules: Vec<RawRule<'a>>,
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
        let mut reader = Reader::new(crawler);
        // Room for what files of this size mostly hold, so that it need not be made bit by bit.
        let likely = (body.len() / LIKELY_OCTETS_A_RULE).min(MOST_LIKELY_RULES);
        reader
            .kept
            .rules
            .try_reserve(likely)
            .map_err(|_| Error::Memory)?;
        // A loop for each dialect, in which nothing is asked about it any more.
        match crawler.dialect {
            Dialect::Rfc9309 => reader.read(body, Dialect::Rfc9309)?,
            Dialect::Google => reader.read(body, Dialect::Google)?,
            Dialect::Koster1996 => reader.read(body, Dialect::Koster1996)?,
        }
        Ok(reader.kept)
    }
}

/// Of a file of rules, a line of one and its share of all other lines.
const LIKELY_OCTETS_A_RULE: usize = 40;
/// Beyond this, making more room costs little beside what the rules do.
const MOST_LIKELY_RULES: usize = 256;

/// SPEC 6.6: a line with only a comment is not blank.
#[inline]
pub(crate) fn is_record_end(line: Line<'_>, dialect: Dialect) -> bool {
    dialect.blank_line_ends_record()
        && !line.is_commented
        && directive::trim(line.text, dialect).is_empty()
}

/// The state between two lines.
struct Reader<'c, 'a> {
    crawler: &'c Crawler,
    kept: Selection<'a>,
    /// The best rank that any group of the file had so far.
    best: Rank,
    /// The group that is being read concerns the crawler, as far as is known.
    mine: bool,
    /// More user-agent lines would join the group (SPEC 6.1).
    open: bool,
    /// The crawl-delay of the group, which an agent named later in the run shares.
    group_delay: Option<f64>,
}

impl<'c, 'a> Reader<'c, 'a> {
    fn new(crawler: &'c Crawler) -> Self {
        Reader {
            crawler,
            kept: Selection::default(),
            best: NOBODY,
            mine: false,
            open: false,
            group_delay: None,
        }
    }

    #[inline(always)]
    fn read(&mut self, body: &'a [u8], dialect: Dialect) -> Result<(), Error> {
        let mut lines = Lines::new(body, self.crawler.max_bytes, dialect);
        while let Some(line) = lines.next() {
            match directive::read(line.text, dialect) {
                Some(directive) => self.take(directive, lines.number(), dialect)?,
                None if is_record_end(line, dialect) => self.end_record(),
                None => {}
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn take(&mut self, directive: Directive<'a>, line: u32, dialect: Dialect) -> Result<(), Error> {
        match directive.field {
            Field::UserAgent => self.name(directive.value),
            Field::Allow => self.rule(directive.value, line, true, dialect)?,
            Field::Disallow => self.rule(directive.value, line, false, dialect)?,
            Field::Sitemap if directive.value.is_empty() => {}
            Field::Sitemap => {
                self.kept
                    .sitemaps
                    .try_reserve(1)
                    .map_err(|_| Error::Memory)?;
                self.kept.sitemaps.push(directive.value);
            }
            Field::CrawlDelay => self.delay(directive.value),
        }
        Ok(())
    }

    /// A user-agent line.
    #[inline(never)]
    fn name(&mut self, value: &[u8]) {
        if !self.open {
            self.open = true;
            self.mine = false;
            self.group_delay = None;
        }
        let rank = self.crawler.rank(value);
        if rank < self.best {
            self.best = rank;
            self.mine = true;
            self.kept.has_group = true;
            self.kept.rules.clear();
            self.kept.crawl_delay = self.group_delay;
        } else if rank == self.best && rank != NOBODY && self.crawler.dialect.merges_groups() {
            self.mine = true;
            self.kept.crawl_delay = longest(self.kept.crawl_delay, self.group_delay);
        }
    }

    /// An allow or disallow line; an empty one ends the run of user-agent lines like any other.
    #[inline(always)]
    fn rule(
        &mut self,
        path: &'a [u8],
        line: u32,
        allow: bool,
        dialect: Dialect,
    ) -> Result<(), Error> {
        self.open = false;
        if self.mine && (!path.is_empty() || dialect.reports_empty_rules()) {
            let (path, anchored) = match path {
                [path @ .., b'$'] if dialect.has_wildcards() => (path, true),
                _ => (path, false),
            };
            let seen = simd::rule_path(path);
            self.kept.rules.try_reserve(1).map_err(|_| Error::Memory)?;
            self.kept.rules.push(RawRule {
                path,
                anchored,
                seen,
                slot: RuleRef::new(line, allow),
            });
        }
        Ok(())
    }

    /// A crawl-delay line (SPEC 6.1, 9.2).
    fn delay(&mut self, value: &[u8]) {
        if self.crawler.crawl_delay_ends_agents {
            self.open = false;
        }
        self.group_delay = longest(self.group_delay, seconds(value));
        if self.mine {
            self.kept.crawl_delay = longest(self.kept.crawl_delay, self.group_delay);
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
        .all(|octet| octet.is_ascii_digit() || *octet == b'.');
    let text = core::str::from_utf8(value).ok().filter(|_| is_decimal)?;
    // "1.", ".5" and "1.5" are numbers to the parser, "." and "1.2.3" are not.
    text.parse()
        .ok()
        .filter(|seconds: &f64| seconds.is_finite())
}
