//! Questions to the engine, as many as are answered in a bounded time.
//!
//! One question takes no longer than SPEC 10.1 says; but lint asks thousands, and each can cost as much as the file's
//! rules with wildcards let it.

use crate::crawler::Crawler;
use crate::error::Error;
use crate::parser::directive::Field;
use crate::parser::line_index::{LineIndex, Standing};
use crate::rules;
use crate::verdict::Verdict;

/// How often a piece of a rule may be sought in all, in URLs of up to [`SHORT`] octets: files that are not made to be
/// slow stay far below.
const MOST_SEARCHES: usize = 1 << 28;

/// To seek a piece in this many octets takes about as long as to begin with it.
const SHORT: usize = 64;

/// How much may still be asked.
pub(super) struct QueryBudget(usize);

impl QueryBudget {
    pub(super) fn new() -> QueryBudget {
        QueryBudget(MOST_SEARCHES)
    }

    /// Whether so many more searches may be made.
    pub(super) fn take(&mut self, searches: usize) -> bool {
        let rest = self.0.checked_sub(searches);
        self.0 = rest.unwrap_or(0);
        rest.is_some()
    }
}

/// The rules of one crawler, to be asked.
pub(super) struct RuleQuery {
    image: Vec<u8>,
    /// What stands behind the stars of its rules: at most all of that is sought in a path.
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
                    let behind = directive.value.split(|octet| *octet == b'*').skip(1);
                    pieces += behind.filter(|piece| !piece.is_empty()).count();
                }
            }
        }
        Ok(RuleQuery {
            image: rules::compile(crawler, body)?,
            pieces,
        })
    }

    /// The verdict on a URL; `None` where budget is at an end.
    pub(super) fn verdict(&self, url: &[u8], budget: &mut QueryBudget) -> Option<Verdict> {
        let searches = (1 + self.pieces).saturating_mul(1 + url.len() / SHORT);
        budget
            .take(searches)
            .then(|| rules::check_trusted(&self.image, url))
    }
}
