//! Bounds the queries of lint to the engine (SPEC 10.2).
//!
//! SPEC 10.1 bounds the work of one verdict, and SPEC 12.3 the work of one search. Lint needs thousands of verdicts and
//! searches, and wildcard rules can make each of them expensive. So each check of lint has a budget. When the budget is spent,
//! the check stops, and reports only what it has decided.

use super::lines::File;
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::verdict::Verdict;
use crate::core::check::check_image;
use crate::core::rules::Rules;
use crate::crawler::Crawler;
use crate::crawler::options::ReadOptions;
use crate::owner::difference::Limits;

/// Upper bound on the steps of one check: 0.1 s.
const MAX_STEPS: u64 = 1 << 23;

/// Fixed cost of a verdict, in steps. The full cost also includes the steps of the engine and one step per byte of the URL.
const VERDICT_COST: u64 = 16;

/// Upper bound on the bytes compiled per check: a large file is compiled for only some of its crawlers.
const MAX_BYTES: usize = 16 << 20;

/// Lower bound, in bytes, on the memory for the states of a search ([`Limits::max_words`], in words of 4 bytes).
const MIN_WORDS: usize = 1 << 16;

/// Token of a crawler that obeys `*`, because the file does not name it.
pub(super) const NOBODY: &[u8] = b"AnyOtherBot";

/// The remaining budget of a check.
pub(super) struct Budget {
    pub(super) limits: Limits,
    /// Number of bytes left to compile.
    bytes: usize,
}

impl Budget {
    pub(super) fn new(file: &File) -> Budget {
        Budget {
            limits: Limits {
                steps: MAX_STEPS,
                max_words: file.body.len().max(MIN_WORDS) / 4,
                are_reached: false,
            },
            bytes: MAX_BYTES,
        }
    }

    /// Takes `steps` from the budget. Returns false if the budget has fewer steps.
    pub(super) fn take(&mut self, steps: u64) -> bool {
        let rest = self.limits.steps.checked_sub(steps);
        self.limits.steps = rest.unwrap_or(0);
        rest.is_some()
    }

    /// Compiles the file for a crawler with this name; `None` if the budget is used up.
    pub(super) fn compiled(&mut self, file: &File, name: &[u8]) -> Result<Option<Rules>, Error> {
        self.compiled_for(&named(file, name, file.dialect)?, &file.body)
    }

    /// Compiles a file for a crawler; `None` if the budget is used up.
    pub(super) fn compiled_for(
        &mut self,
        crawler: &Crawler,
        body: &[u8],
    ) -> Result<Option<Rules>, Error> {
        match self.take_bytes(body.len().max(1)) {
            true => Rules::compiled(crawler, body).map(Some),
            false => Ok(None),
        }
    }

    /// Takes bytes to compile from the budget. Returns false if the budget has fewer bytes.
    pub(super) fn take_bytes(&mut self, len: usize) -> bool {
        let rest = self.bytes.checked_sub(len);
        self.bytes = rest.unwrap_or(0);
        rest.is_some()
    }

    /// Returns how often a file of `len` bytes can be compiled with the bytes that are left.
    pub(super) fn compilations(&self, len: usize) -> usize {
        self.bytes / len.max(1)
    }

    /// Returns the verdict of rules on a URL; `None` if the budget is used up.
    pub(super) fn verdict(&mut self, rules: &Rules, url: &[u8]) -> Option<Verdict> {
        if !self.take(VERDICT_COST + url.len() as u64) {
            return None;
        }
        let decision = check_image(rules.image(), url);
        self.take(decision.steps as u64);
        Some(decision.verdict)
    }
}

/// Returns a crawler with this name and dialect, and with the other options of the crawler that read `file`.
pub(super) fn named(file: &File, name: &[u8], dialect: Dialect) -> Result<Crawler, Error> {
    Ok(as_read(
        Crawler::from_tokens(&[name], dialect)?,
        file,
        dialect,
    ))
}

/// Returns `crawler` with this dialect, and with the other options of the crawler that read `file`.
pub(super) fn as_read(mut crawler: Crawler, file: &File, dialect: Dialect) -> Crawler {
    crawler.reading = ReadOptions {
        dialect,
        // A crawler of lint obeys `*`, and only the groups of one of its tokens.
        ignore_star: false,
        merge_tokens: false,
        ..file.reading
    };
    crawler
}
