//! Bounds the queries of lint to the engine.
//!
//! SPEC 10.1 bounds one query. Lint makes thousands, and wildcard rules can make each one expensive. So the engine counts
//! the steps of each query, and lint stops when its budget is used up.

use super::lines::File;
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::verdict::Verdict;
use crate::bytes::try_alloc::joined;
use crate::core::check::check_image;
use crate::core::rules;
use crate::crawler::Crawler;
use crate::crawler::options::ReadOptions;

/// Upper bound on the steps of one check, far above those of ordinary files.
const MOST_STEPS: usize = 1 << 25;

/// The fixed cost of a query, in steps: the steps of the engine and the bytes of the URL are added.
const QUERY_COST: usize = 16;

/// Upper bound on the bytes compiled per check: a large file is compiled for a part of its crawlers.
pub(super) const MOST_BYTES: usize = 16 << 20;

/// Upper bound on the crawlers for which a check compiles the file.
pub(super) const MOST_CRAWLERS: usize = 64;

/// What is left of the budget of a check.
pub(super) struct QueryBudget {
    steps: usize,
    /// Number of bytes left to compile.
    bytes: usize,
}

impl QueryBudget {
    pub(super) fn new() -> QueryBudget {
        QueryBudget {
            steps: MOST_STEPS,
            bytes: MOST_BYTES,
        }
    }

    /// Takes `steps` from the budget; returns false if less is left.
    pub(super) fn take(&mut self, steps: usize) -> bool {
        take(&mut self.steps, steps)
    }

    /// Takes `times` compilations of the file from the budget; returns false if less is left.
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

    /// Returns the verdict on a path; `None` if the budget is used up. A host before the path keeps `//` from being read as
    /// one.
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
        // Both do not matter for a crawler with one token that the file names.
        ignore_star: false,
        merge_tokens: false,
        ..file.reading
    };
    Ok(crawler)
}
