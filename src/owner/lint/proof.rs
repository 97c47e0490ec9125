//! Proves that an edit of a file changes no verdict: for each crawler that the file names, and for all others, in each dialect that
//! counts, the exact difference of the rules before and after (SPEC 12) must be none.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use super::budget::{Budget, NOBODY, named};
use super::lines::{File, LineKind};
use super::paths::is_beside;
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::bytes::try_alloc::copy;
use crate::crawler::token;
use crate::owner::difference::{agree, are_alike};

/// Returns whether it is proved that no verdict differs between a file and `body`. In koster1996 that dialect counts, else both
/// others. Where a rule may decide URLs that the difference is not about (SPEC 12.1), only equal rules are proved to be equal.
pub(super) fn is_equal(file: &File, body: &[u8], budget: &mut Budget) -> Result<bool, Error> {
    let dialects: &[Dialect] = match file.dialect {
        Dialect::Koster1996 => &[Dialect::Koster1996],
        _ => &[Dialect::Rfc9309, Dialect::Google],
    };
    for dialect in dialects {
        let most = budget.compilations(file.body.len() + body.len());
        let mut names = Vec::new();
        let mut is_beyond = false;
        for body in [&*file.body, body] {
            let read = File::read(&named(file, NOBODY, *dialect)?, body)?;
            let allows = read.values(LineKind::Allow);
            let mut lines = allows.chain(read.values(LineKind::Disallow));
            is_beyond |= lines.any(is_beside);
            if !add_names(&read, &mut names, most)? {
                return Ok(false);
            }
        }
        // Most crawlers obey the same groups, so they have the same rules. Hashes with a random seed stand for these: with
        // 64 bits, no file can make two of them equal.
        let seed = RandomState::new();
        let mut compared = HashSet::new();
        for name in &names {
            let crawler = named(file, name, *dialect)?;
            let old = budget.compiled_for(&crawler, &file.body)?;
            let new = budget.compiled_for(&crawler, body)?;
            let (Some(old), Some(new)) = (old, new) else {
                return Ok(false);
            };
            compared.try_reserve(1).map_err(|_| Error::Memory)?;
            if !compared.insert(seed.hash_one([old.image(), new.image()])) {
                continue;
            }
            if are_alike([&old, &new])? {
                continue;
            }
            if is_beyond || agree([&old, &new], &mut budget.limits)? != Some(true) {
                return Ok(false);
            }
        }
    }
    Ok(true)
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
