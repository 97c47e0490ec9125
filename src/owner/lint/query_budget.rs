//! Bounds the queries of lint to the engine.
//!
//! SPEC 10.1 bounds one query. Lint makes thousands, and each can cost as much as the file's wildcard rules allow. So the
//! engine counts the steps of each query, and lint stops when its budget is used up.

use super::lines::File;
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::verdict::Verdict;
use crate::bytes::try_alloc::joined;
use crate::core::check::check_image;
use crate::core::rules;
use crate::crawler::Crawler;
use crate::crawler::options::ReadOptions;

/// The most steps of one check in all. Ordinary files stay far below.
const MOST_STEPS: usize = 1 << 25;

/// The cost of a query besides its steps and the bytes of its URL.
const QUERY_COST: usize = 16;

/// The most bytes of robots.txt compiled in all: a large file is compiled for a part of its crawlers.
pub(super) const MOST_BYTES: usize = 16 << 20;

/// What a check may still spend.
pub(super) struct QueryBudget {
    steps: usize,
    /// The bytes of robots.txt that may still be compiled.
    bytes: usize,
}

impl QueryBudget {
    pub(super) fn new() -> QueryBudget {
        QueryBudget {
            steps: MOST_STEPS,
            bytes: MOST_BYTES,
        }
    }

    /// Takes `steps` from the budget; false if less is left.
    pub(super) fn take(&mut self, steps: usize) -> bool {
        take(&mut self.steps, steps)
    }

    /// Takes `times` compilations of the file from the budget; false if less is left.
    pub(super) fn take_compilations(&mut self, file: &File, times: usize) -> bool {
        take(&mut self.bytes, times * file.body.len().max(1))
    }

    /// Compiles the file for a crawler with this name; `None` if the budget is used up.
    pub(super) fn compiled(&mut self, file: &File, name: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        if !self.take_compilations(file, 1) {
            return Ok(None);
        }
        let crawler = named(file, name, file.dialect)?;
        rules::compile(&crawler, &file.body).map(Some)
    }

    /// Returns the verdict of compiled rules on a URL; `None` if the budget is used up.
    pub(super) fn verdict(&mut self, rules: &[u8], url: &[u8]) -> Option<Verdict> {
        if !self.take(QUERY_COST + url.len()) {
            return None;
        }
        let decision = check_image(rules, url);
        self.take(decision.steps);
        Some(decision.verdict)
    }

    /// Returns the verdict on a path, with a host before it so that `//` is not read as one; `None` if the budget is used
    /// up.
    pub(super) fn ask(&mut self, rules: &[u8], path: &[u8]) -> Result<Option<Verdict>, Error> {
        Ok(self.verdict(rules, &joined([b"http://x", path])?))
    }
}

fn take(left: &mut usize, cost: usize) -> bool {
    let rest = left.checked_sub(cost);
    *left = rest.unwrap_or(0);
    rest.is_some()
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
