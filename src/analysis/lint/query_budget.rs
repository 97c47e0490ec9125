//! Bounds the queries of lint to the engine.
//!
//! SPEC 10.1 bounds one query. Lint makes thousands, and each can cost as much as the file's wildcard rules allow. So the
//! engine counts the steps of each query, and lint stops when its budget is used up.

use super::lines::File;
use crate::crawler::Crawler;
use crate::crawler::options::ReadOptions;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::matcher::decide;
use crate::rules;
use crate::verdict::Verdict;

/// The most steps of one check in all. Ordinary files stay far below.
const MOST_STEPS: usize = 1 << 25;

/// The cost of a query besides its steps and the bytes of its URL.
const QUERY_COST: usize = 16;

pub(super) struct QueryBudget(usize);

impl QueryBudget {
    pub(super) fn new() -> QueryBudget {
        QueryBudget(MOST_STEPS)
    }

    /// Takes `steps` from the budget; false if less is left.
    pub(super) fn take(&mut self, steps: usize) -> bool {
        let rest = self.0.checked_sub(steps);
        self.0 = rest.unwrap_or(0);
        rest.is_some()
    }
}

/// The most bytes of robots.txt compiled in all: a large file is compiled for a part of its crawlers.
pub(super) const MOST_BYTES: usize = 16 << 20;

/// The budget of a check that compiles the file for several crawlers.
pub(super) struct CompileBudget {
    /// The bytes of robots.txt that may still be compiled.
    bytes: usize,
    pub(super) budget: QueryBudget,
}

impl CompileBudget {
    pub(super) fn new() -> CompileBudget {
        CompileBudget {
            bytes: MOST_BYTES,
            budget: QueryBudget::new(),
        }
    }

    /// Takes `times` compilations of the file from the budget; false if less is left.
    pub(super) fn take(&mut self, file: &File, times: usize) -> bool {
        let rest = self.bytes.checked_sub(times * file.body.len().max(1));
        self.bytes = rest.unwrap_or(0);
        rest.is_some()
    }

    /// Compiles the file for a crawler with this name; `None` if the budget is used up.
    pub(super) fn compiled(
        &mut self,
        file: &File,
        name: &[u8],
    ) -> Result<Option<RuleQuery>, Error> {
        if !self.take(file, 1) {
            return Ok(None);
        }
        let crawler = named(file, name, file.dialect)?;
        RuleQuery::new(&crawler, &file.body).map(Some)
    }
}

/// Returns a crawler with this name and dialect that otherwise reads files as this one was read.
pub(super) fn named(file: &File, name: &[u8], dialect: Dialect) -> Result<Crawler, Error> {
    let mut crawler = Crawler::from_tokens(&[name], dialect)?;
    crawler.reading = ReadOptions {
        dialect,
        // They do not matter for a crawler with one token in a file of groups that name it.
        ignore_star: false,
        merge_tokens: false,
        ..file.reading
    };
    Ok(crawler)
}

/// The rules of one crawler, compiled for queries.
pub(super) struct RuleQuery(Vec<u8>);

impl RuleQuery {
    pub(super) fn new(crawler: &Crawler, body: &[u8]) -> Result<RuleQuery, Error> {
        rules::compile(crawler, body).map(RuleQuery)
    }

    /// Compiles rules as [`rules::compile_rules`] does.
    pub(super) fn of_rules<'a>(
        text: &'a [u8],
        dialect: Dialect,
        rules: impl Iterator<Item = (&'a [u8], bool, u32)>,
    ) -> Result<RuleQuery, Error> {
        rules::compile_rules(text, dialect, rules).map(RuleQuery)
    }

    /// Returns the verdict on a URL; `None` if the budget is used up.
    pub(super) fn verdict(&self, url: &[u8], budget: &mut QueryBudget) -> Option<Verdict> {
        if !budget.take(QUERY_COST + url.len()) {
            return None;
        }
        let (verdict, steps) = decide::check_counted(&self.0, url);
        budget.take(steps);
        Some(verdict)
    }
}
