//! Questions to the engine, as many as are answered in a bounded time.
//!
//! One question takes no longer than SPEC 10.1 says; but lint asks thousands, and each can cost as much as the file's
//! rules with wildcards let it.

use crate::crawler::Crawler;
use crate::directive::Field;
use crate::error::Error;
use crate::rules;
use crate::survey::{Standing, Survey};
use crate::verdict::Verdict;

/// How often a piece of a rule may be sought in all, in URLs of up to [`SHORT`] octets: files that are not made to be
/// slow stay far below.
const MOST_SEARCHES: usize = 1 << 28;

/// To seek a piece in this many octets takes about as long as to begin with it.
const SHORT: usize = 64;

/// How much may still be asked.
pub(super) struct Patience(usize);

impl Patience {
    pub(super) fn new() -> Patience {
        Patience(MOST_SEARCHES)
    }

    /// Whether so many more searches may be made.
    pub(super) fn take(&mut self, searches: usize) -> bool {
        let rest = self.0.checked_sub(searches);
        self.0 = rest.unwrap_or(0);
        rest.is_some()
    }
}

/// The rules of one crawler, to be asked.
pub(super) struct Asked {
    image: Vec<u8>,
    /// What stands behind the stars of its rules: at most all of that is sought in a path.
    pieces: usize,
}

impl Asked {
    pub(super) fn of(crawler: &Crawler, body: &[u8]) -> Result<Asked, Error> {
        let mut pieces = 0;
        if crawler.dialect.has_wildcards() {
            for place in Survey::of(crawler, body)?.lines() {
                if let Some(directive) = place.directive
                    && place.standing == Standing::Obeyed
                    && matches!(directive.field, Field::Allow | Field::Disallow)
                {
                    let behind = directive.value.split(|octet| *octet == b'*').skip(1);
                    pieces += behind.filter(|piece| !piece.is_empty()).count();
                }
            }
        }
        Ok(Asked {
            image: rules::compile(crawler, body)?,
            pieces,
        })
    }

    /// The verdict on a URL; `None` where patience is at an end.
    pub(super) fn verdict(&self, url: &[u8], patience: &mut Patience) -> Option<Verdict> {
        let searches = (1 + self.pieces).saturating_mul(1 + url.len() / SHORT);
        patience
            .take(searches)
            .then(|| rules::check_own(&self.image, url))
    }
}
