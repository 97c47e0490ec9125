//! The complete reader: returns every line of a file with its bytes, its directive and its group (SPEC 4 to 7), in file order.
//!
//! Everything but verdicts uses this reader. Verdicts use the fast reader [`group`](super::group), which takes the rules and the
//! crawl delay of one crawler and the sitemaps of the file, and skips all other lines. Property tests compare the two readers.

use memchr::{memchr, memchr2};

use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::bytes::try_alloc::push;
use crate::core::parse::directive::{self, Directive, Field};
use crate::core::parse::line::{Line, Lines};
use crate::crawler::Crawler;
use crate::crawler::options::ReadOptions;
use crate::crawler::token::{NOBODY, Rank};

/// A line of a file, with its directive and its group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileLine<'a> {
    /// Number of the line, from 1.
    pub(crate) number: u32,
    /// The whole line with its comment, without its line end.
    pub(crate) whole: &'a [u8],
    /// The part of the line that counts in the dialect, without the comment.
    pub(crate) text: &'a [u8],
    pub(crate) is_commented: bool,
    /// The directive; `None` if the line is not understood (SPEC 4.3).
    pub(crate) directive: Option<Directive<'a>>,
    /// Number of the group, from 1; 0 if there is none (SPEC 6.2, 6.6).
    pub(crate) group: u32,
    pub(crate) starts_group: bool,
}

#[derive(Clone)]
pub(crate) struct Reader<'a> {
    lines: Lines<'a>,
    reading: ReadOptions,
    /// Number of the last line's group; 0 if the line is in no group.
    group: u32,
    /// Number of groups so far.
    count: u32,
    /// A user-agent line would join the current group (SPEC 6.1).
    open: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(crawler: &Crawler, body: &'a [u8]) -> Reader<'a> {
        Reader::of(body, crawler.reading)
    }

    /// Returns a reader of the whole `body` without a size limit, with the defaults of a dialect.
    pub(crate) fn whole(body: &'a [u8], dialect: Dialect) -> Reader<'a> {
        let max_bytes = usize::MAX;
        Reader::of(
            body,
            ReadOptions {
                max_bytes,
                ..ReadOptions::new(dialect)
            },
        )
    }

    fn of(body: &'a [u8], reading: ReadOptions) -> Reader<'a> {
        Reader {
            lines: Lines::new(body, reading.max_bytes, reading.dialect),
            reading,
            group: 0,
            count: 0,
            open: false,
        }
    }
}

impl<'a> Iterator for Reader<'a> {
    type Item = FileLine<'a>;

    fn next(&mut self) -> Option<FileLine<'a>> {
        let Line {
            text,
            rest,
            is_commented,
        } = self.lines.next()?;
        let directive = directive::read(text, self.reading.dialect);
        let mut starts_group = false;
        match directive.map(|directive| directive.field) {
            Some(Field::UserAgent) => {
                starts_group = !self.open;
                self.count += u32::from(starts_group);
                self.group = self.count;
                self.open = true;
            }
            Some(Field::Allow | Field::Disallow) => self.open = false,
            Some(Field::CrawlDelay) => self.open &= !self.reading.crawl_delay_ends_agents,
            Some(Field::Sitemap) => {}
            // SPEC 6.6.
            None if self.reading.dialect.blank_line_ends_record()
                && is_blank(text, is_commented, self.reading.dialect) =>
            {
                (self.group, self.open) = (0, false);
            }
            None => {}
        }
        Some(FileLine {
            number: self.lines.number(),
            whole: without_end(rest),
            text,
            is_commented,
            directive,
            group: self.group,
            starts_group,
        })
    }
}

/// Returns the line at the start of `rest`, without its end.
pub(crate) fn without_end(rest: &[u8]) -> &[u8] {
    let end = memchr2(b'\n', b'\r', rest);
    end.and_then(|end| rest.get(..end)).unwrap_or(rest)
}

/// Returns the line without its comment (SPEC 5.1).
pub(crate) fn without_comment(line: &[u8]) -> &[u8] {
    before(b'#', line)
}

/// Returns the part of a line that counts in the dialect, without the comment (SPEC 4.4, 4.6, 5.1).
pub(crate) fn text_of(line: &[u8], dialect: Dialect) -> &[u8] {
    let text = without_comment(line);
    let text = text.get(..dialect.line_limit()).unwrap_or(text);
    if dialect.nul_ends() {
        before(0, text)
    } else {
        text
    }
}

fn before(mark: u8, text: &[u8]) -> &[u8] {
    let end = memchr(mark, text);
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// Returns whether a line has only white space, and no comment.
pub(crate) fn is_blank(text: &[u8], is_commented: bool, dialect: Dialect) -> bool {
    !is_commented && dialect.trim(text).is_empty()
}

/// The relation of a line to the groups that one crawler obeys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The line is in no group (SPEC 6.2, 6.6).
    Outside,
    /// The line is in a group that the crawler obeys.
    Obeyed,
    /// The line is in another group.
    Others,
}

/// The groups that a crawler obeys (SPEC 7).
pub(crate) struct ObeyedGroups<'c> {
    crawler: &'c Crawler,
    /// Best rank of the user-agent lines of each group.
    ranks: Vec<Rank>,
    best: Rank,
}

impl<'c> ObeyedGroups<'c> {
    pub(crate) fn new(crawler: &'c Crawler, body: &[u8]) -> Result<ObeyedGroups<'c>, Error> {
        let mut obeyed = ObeyedGroups {
            crawler,
            ranks: Vec::new(),
            best: NOBODY,
        };
        for line in Reader::new(crawler, body) {
            let Some(rank) = obeyed.rank(&line) else {
                continue;
            };
            if line.starts_group {
                push(&mut obeyed.ranks, NOBODY)?;
            }
            if let Some(last) = obeyed.ranks.last_mut() {
                *last = rank.min(*last);
            }
            obeyed.best = rank.min(obeyed.best);
        }
        if !crawler.reading.dialect.merges_groups() {
            // SPEC 7.8: of the groups with the best rank, only the first counts.
            let best = obeyed.ranks.iter_mut().filter(|rank| **rank == obeyed.best);
            best.skip(1).for_each(|rank| *rank = NOBODY);
        }
        Ok(obeyed)
    }

    fn rank(&self, line: &FileLine<'_>) -> Option<Rank> {
        let agent = line.directive.filter(|of| of.field == Field::UserAgent);
        agent.map(|agent| self.crawler.rank(agent.value))
    }

    pub(crate) fn standing(&self, line: &FileLine<'_>) -> Standing {
        let Some(group) = (line.group as usize).checked_sub(1) else {
            return Standing::Outside;
        };
        match self.ranks.get(group) {
            Some(rank) if *rank == self.best && *rank != NOBODY => Standing::Obeyed,
            _ => Standing::Others,
        }
    }

    /// Returns whether the crawler obeys the group of this line, and the line itself names the crawler with the best rank.
    pub(crate) fn is_called_by(&self, line: &FileLine<'_>) -> bool {
        self.standing(line) == Standing::Obeyed && self.rank(line) == Some(self.best)
    }
}
