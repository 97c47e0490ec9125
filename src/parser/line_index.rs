//! Which group each line of a file stands in, and whether the crawler obeys it (SPEC 6 and 7): for
//! what is said of lines and not only of rules. Cold; `group` does for rules alone what this does for
//! every line, and a property holds the two together.

use crate::crawler::Crawler;
use crate::crawler::token::{NOBODY, Rank};
use crate::error::Error;
use crate::parser::directive::{self, Directive, Field};
use crate::parser::group::is_record_end;
use crate::parser::line::Lines;
use crate::util::try_alloc::push;

/// Where a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// In no group (SPEC 6.2, 6.6).
    Outside,
    /// In a group that the crawler obeys.
    Obeyed,
    /// In a group that it does not.
    Others,
}

/// A line and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinePlace<'a> {
    /// Counted from 1.
    pub(crate) number: u32,
    /// What the dialect sees of the line, without the comment.
    pub(crate) text: &'a [u8],
    /// What it says, if it was understood.
    pub(crate) directive: Option<Directive<'a>>,
    pub(crate) standing: Standing,
}

/// A file, as one crawler reads it.
pub(crate) struct LineIndex<'a> {
    crawler: &'a Crawler,
    body: &'a [u8],
    /// Of each group the best rank among the agents it names.
    ranks: Vec<Rank>,
    /// The best of these.
    best: Rank,
}

impl<'a> LineIndex<'a> {
    pub(crate) fn new(crawler: &'a Crawler, body: &'a [u8]) -> Result<LineIndex<'a>, Error> {
        let mut ranks: Vec<Rank> = Vec::new();
        for line in LineIter::new(crawler, body) {
            if let (Some(group), Some(rank)) = (line.group, line.names) {
                if ranks.len() <= group {
                    push(&mut ranks, NOBODY)?;
                }
                if let Some(best) = ranks.get_mut(group) {
                    *best = rank.min(*best);
                }
            }
        }
        let best = ranks.iter().copied().min().unwrap_or(NOBODY);
        Ok(LineIndex {
            crawler,
            body,
            ranks,
            best,
        })
    }

    /// Every line, in file order.
    pub(crate) fn lines(&self) -> impl Iterator<Item = LinePlace<'a>> {
        let obeyed = |rank: &Rank| *rank == self.best && *rank != NOBODY;
        let first = self.ranks.iter().position(obeyed);
        let merges = self.crawler.dialect.merges_groups();
        LineIter::new(self.crawler, self.body).map(move |line| LinePlace {
            number: line.number,
            text: line.text,
            directive: line.directive,
            standing: match line.group {
                None => Standing::Outside,
                Some(group)
                    if self.ranks.get(group).is_some_and(obeyed)
                        && (merges || first == Some(group)) =>
                {
                    Standing::Obeyed
                }
                Some(_) => Standing::Others,
            },
        })
    }

    /// Whether this line is why its group is obeyed: it names the crawler.
    pub(crate) fn is_called_by(&self, place: &LinePlace<'_>) -> bool {
        place.standing == Standing::Obeyed
            && place.directive.is_some_and(|directive| {
                directive.field == Field::UserAgent
                    && self.crawler.rank(directive.value) == self.best
            })
    }
}

/// A line, and the number of its group, counted from 0.
struct LineStep<'a> {
    number: u32,
    text: &'a [u8],
    directive: Option<Directive<'a>>,
    /// Of a user-agent line: the rank of what it names.
    names: Option<Rank>,
    group: Option<usize>,
}

struct LineIter<'a> {
    crawler: &'a Crawler,
    lines: Lines<'a>,
    /// The group that is being read.
    group: Option<usize>,
    /// How many there were.
    count: usize,
    /// More user-agent lines would join the group (SPEC 6.1).
    open: bool,
}

impl<'a> LineIter<'a> {
    fn new(crawler: &'a Crawler, body: &'a [u8]) -> LineIter<'a> {
        LineIter {
            crawler,
            lines: Lines::new(body, crawler.max_bytes, crawler.dialect),
            group: None,
            count: 0,
            open: false,
        }
    }
}

impl<'a> Iterator for LineIter<'a> {
    type Item = LineStep<'a>;

    fn next(&mut self) -> Option<LineStep<'a>> {
        let line = self.lines.next()?;
        let dialect = self.crawler.dialect;
        let directive = directive::read(line.text, dialect);
        let mut names = None;
        match directive {
            Some(Directive {
                field: Field::UserAgent,
                value,
            }) => {
                if !self.open {
                    self.group = Some(self.count);
                    self.count += 1;
                }
                self.open = true;
                names = Some(self.crawler.rank(value));
            }
            Some(Directive {
                field: Field::Allow | Field::Disallow,
                ..
            }) => self.open = false,
            Some(Directive {
                field: Field::CrawlDelay,
                ..
            }) => self.open &= !self.crawler.crawl_delay_ends_agents,
            Some(_) => {}
            None if is_record_end(line, dialect) => {
                self.open = false;
                self.group = None;
            }
            None => {}
        }
        Some(LineStep {
            number: self.lines.number(),
            text: line.text,
            directive,
            names,
            group: self.group,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use Standing::{Obeyed, Others, Outside};

    /// Where the lines of a file stand for ExampleBot, and which of them name it.
    fn seen(body: &[u8], ends_agents: bool) -> (Vec<Standing>, Vec<u32>) {
        let crawler = Crawler::new("ExampleBot")
            .unwrap()
            .with_crawl_delay_ends_agents(ends_agents);
        let index = LineIndex::new(&crawler, body).unwrap();
        let named = index.lines().filter(|place| index.is_called_by(place));
        (
            index.lines().map(|place| place.standing).collect(),
            named.map(|place| place.number).collect(),
        )
    }

    #[test]
    fn only_lines_that_name_the_crawler_call_it() {
        let body = b"Sitemap: x\nUser-agent: Other\nUser-agent: examplebot\nDisallow: /\n\nUser-agent: *\n";
        let standing = vec![Outside, Obeyed, Obeyed, Obeyed, Obeyed, Others];
        assert_eq!(seen(body, false), (standing, vec![3]));
    }

    /// SPEC 6.1
    #[test]
    fn a_crawl_delay_ends_the_agents_where_the_option_says_so() {
        let body = b"User-agent: Other\nCrawl-delay: 1\nUser-agent: ExampleBot\nDisallow: /";
        assert_eq!(seen(body, false), (vec![Obeyed; 4], vec![3]));
        let standing = vec![Others, Others, Obeyed, Obeyed];
        assert_eq!(seen(body, true), (standing, vec![3]));
    }
}
