//! Proves that an edit of a file changes no verdict: for each crawler that the file names, and for all others, in each dialect that
//! counts, the exact difference of the rules before and after (SPEC 12) must be none.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use super::dialect_diff::NOBODY;
use super::lines::{File, LineKind};
use super::paths::dot_segment;
use super::query_budget::named;
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::bytes::try_alloc::copy;
use crate::core::rules::Rules;
use crate::crawler::token;
use crate::owner::difference;

/// Upper bound on the steps of all proofs of a report: 0.1 s.
const MAX_STEPS: u64 = 1 << 23;

/// Upper bound on the bytes that are compiled for them.
const MAX_BYTES: usize = 16 << 20;

/// Four times the least number of words for the states of a proof.
const MIN_WORDS: usize = 1 << 16;

/// What is left for the proofs of a report.
pub(super) struct Proofs {
    steps: u64,
    bytes: usize,
}

impl Proofs {
    pub(super) fn new() -> Proofs {
        Proofs {
            steps: MAX_STEPS,
            bytes: MAX_BYTES,
        }
    }

    /// Returns whether it is proved that no verdict differs between a file and `body`. In koster1996 that dialect counts, else both
    /// others. A rule that may decide URLs that the difference is not about (SPEC 12.1) leaves all unproved.
    pub(super) fn is_equal(&mut self, file: &File, body: &[u8]) -> Result<bool, Error> {
        let dialects: &[Dialect] = match file.dialect {
            Dialect::Koster1996 => &[Dialect::Koster1996],
            _ => &[Dialect::Rfc9309, Dialect::Google],
        };
        let cost = file.body.len() + body.len();
        for dialect in dialects {
            let most = self.bytes / cost.max(1);
            let mut names = Vec::new();
            for body in [&*file.body, body] {
                let read = File::read(&named(file, NOBODY, *dialect)?, body)?;
                let mut lines = read
                    .values(LineKind::Allow)
                    .chain(read.values(LineKind::Disallow));
                if lines.any(is_beside) || !add_names(&read, &mut names, most)? {
                    return Ok(false);
                }
            }
            // Most crawlers obey the same groups, so they have the same rules. Hashes with a random seed stand for these: with
            // 64 bits, no file can make two of them equal.
            let seed = RandomState::new();
            let mut compared = HashSet::new();
            for name in &names {
                self.bytes -= cost;
                let crawler = named(file, name, *dialect)?;
                let old = Rules::compiled(&crawler, &file.body)?;
                let new = Rules::compiled(&crawler, body)?;
                compared.try_reserve(1).map_err(|_| Error::Memory)?;
                if !compared.insert(seed.hash_one([old.image(), new.image()])) {
                    continue;
                }
                // SPEC 10.2 bounds the memory of lint by the file.
                let max_words = file.body.len().max(MIN_WORDS) / 4;
                let agree = difference::agree([&old, &new], &mut self.steps, max_words)?;
                if agree != Some(true) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// Returns whether a rule with this path may decide URLs with a dot segment, or with bytes that clients encode: Google compares
/// those as they are.
fn is_beside(path: &[u8]) -> bool {
    let is_encoded = |byte: &u8| matches!(byte, 1..=b' ' | b'\\' | 0x7F);
    dot_segment(path).is_some() || path.iter().any(is_encoded)
}

/// Adds the names of a file in lower case, and one that it does not have, to a sorted list. Returns false if it has more than `most`.
fn add_names(file: &File, names: &mut Vec<Vec<u8>>, most: usize) -> Result<bool, Error> {
    let values = file.values(LineKind::UserAgent);
    let written = values.filter_map(|value| file.dialect.agent_name(value));
    let valid = written.filter(|name| token::validate(name, file.dialect).is_ok());
    for name in [NOBODY].into_iter().chain(valid) {
        let mut name = copy(name)?;
        name.make_ascii_lowercase();
        if let Err(place) = names.binary_search(&name) {
            names.try_reserve(1).map_err(|_| Error::Memory)?;
            names.insert(place, name);
        }
        if names.len() > most {
            return Ok(false);
        }
    }
    Ok(true)
}
