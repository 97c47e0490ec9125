//! Bounds the queries of lint to the engine.
//!
//! SPEC 10.1 bounds one query. Lint makes thousands, and each can cost as much as the file's wildcard rules allow.

use crate::crawler::Crawler;
use crate::error::Error;
use crate::parser::directive::Field;
use crate::parser::line_index::{LineIndex, Standing};
use crate::rules;
use crate::verdict::Verdict;

/// The most searches for a piece of a rule in all, in URLs of up to [`SHORT`] bytes. Ordinary files stay far below.
const MOST_SEARCHES: usize = 1 << 28;

/// A search in this many bytes costs about as much as its setup.
const SHORT: usize = 64;

/// The searches that are left.
pub(super) struct QueryBudget(usize);

impl QueryBudget {
    pub(super) fn new() -> QueryBudget {
        QueryBudget(MOST_SEARCHES)
    }

    /// Takes `searches` from the budget; false if too few are left.
    pub(super) fn take(&mut self, searches: usize) -> bool {
        let rest = self.0.checked_sub(searches);
        self.0 = rest.unwrap_or(0);
        rest.is_some()
    }
}

/// The rules of one crawler, compiled for queries.
pub(super) struct RuleQuery {
    image: Vec<u8>,
    /// The number of pieces after the stars of its rules: a query searches for each at most once.
    pieces: usize,
}

impl RuleQuery {
    pub(super) fn new(crawler: &Crawler, body: &[u8]) -> Result<RuleQuery, Error> {
        let mut pieces = 0;
        if crawler.dialect.has_wildcards() {
            for place in LineIndex::new(crawler, body)?.lines() {
                let directive = place.directive.filter(|directive| {
                    place.standing == Standing::Obeyed
                        && matches!(directive.field, Field::Allow | Field::Disallow)
                });
                if let Some(directive) = directive {
                    let after = directive.value.split(|byte| *byte == b'*').skip(1);
                    pieces += after.filter(|piece| !piece.is_empty()).count();
                }
            }
        }
        Ok(RuleQuery {
            image: rules::compile(crawler, body)?,
            pieces,
        })
    }

    /// Returns the verdict on a URL; `None` if the budget is used up.
    pub(super) fn verdict(&self, url: &[u8], budget: &mut QueryBudget) -> Option<Verdict> {
        let searches = (1 + self.pieces).saturating_mul(1 + url.len() / SHORT);
        budget
            .take(searches)
            .then(|| rules::check_trusted(&self.image, url))
    }
}
