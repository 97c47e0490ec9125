//! Proves which fixes change no verdict: for each crawler that the file names, and for all others, in each dialect that
//! counts, the exact difference of the rules before and after (SPEC 12) must be none.

use core::ops::Range;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use super::Report;
use super::budget::{Budget, NOBODY, named};
use super::codes::Code;
use super::diagnostic::Diagnostic;
use super::lines::{File, LineKind};
use super::paths::is_beside;
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::bytes::try_alloc::copy;
use crate::crawler::token;
use crate::owner::difference::{agree, are_alike};

impl Report {
    /// Makes the safe fixes unsafe that change a verdict, with others of their code or together with all, and those for which that is
    /// not decided.
    pub(super) fn prove_fixes(&mut self) -> Result<(), Error> {
        let mut budget = Budget::new(&self.file);
        let all = SafeFixes {
            code: None,
            lines: 0..self.line_count() + 1,
        };
        if self.are_proved(&all, &mut budget)? {
            return Ok(());
        }
        for code in Code::ALL {
            let of_code = SafeFixes {
                code: Some(*code),
                lines: all.lines.clone(),
            };
            self.prove(of_code, &mut budget)?;
        }
        let fixed = self.apply_fixes(self.body(), |found| all.has(found))?;
        if !is_equal(&self.file, &fixed.body, &mut budget)? {
            self.forbid(&all);
        }
        Ok(())
    }

    /// Makes those of some safe fixes unsafe that are not proved, which it finds by halves.
    fn prove(&mut self, fixes: SafeFixes, budget: &mut Budget) -> Result<(), Error> {
        if self.are_proved(&fixes, budget)? {
            return Ok(());
        }
        let middle = fixes.lines.start.midpoint(fixes.lines.end);
        if middle == fixes.lines.start || !budget.take_bytes(self.file.body.len()) {
            self.forbid(&fixes);
            return Ok(());
        }
        for lines in [fixes.lines.start..middle, middle..fixes.lines.end] {
            let code = fixes.code;
            self.prove(SafeFixes { code, lines }, budget)?;
        }
        Ok(())
    }

    /// Returns whether it is proved that some fixes together change no verdict. Where two overlap, only one is applied, so nothing is
    /// proved of the other.
    fn are_proved(&self, fixes: &SafeFixes, budget: &mut Budget) -> Result<bool, Error> {
        let count = self
            .diagnostics
            .iter()
            .filter(|found| fixes.has(found))
            .count();
        if count == 0 {
            return Ok(true);
        }
        let fixed = self.apply_fixes(self.body(), |found| fixes.has(found))?;
        Ok(fixed.applied.len() == count && is_equal(&self.file, &fixed.body, budget)?)
    }

    fn forbid(&mut self, fixes: &SafeFixes) {
        for found in &mut self.diagnostics {
            if fixes.has(found) {
                found
                    .fix
                    .as_mut()
                    .into_iter()
                    .for_each(|fix| fix.is_safe = false);
            }
        }
    }
}

/// The safe fixes of one code, or of all, in a range of lines.
struct SafeFixes {
    code: Option<Code>,
    lines: Range<u32>,
}

impl SafeFixes {
    fn has(&self, found: &Diagnostic) -> bool {
        let is_safe = found.fix.as_ref().is_some_and(|fix| fix.is_safe);
        is_safe
            && self.lines.contains(&found.line)
            && self.code.is_none_or(|code| code == found.code)
    }
}

/// Returns whether it is proved that no verdict differs between a file and `body`. In koster1996 that dialect counts, else both
/// others. Where a rule may decide URLs that the difference is not about (SPEC 12.1), only equal rules are proved to be equal.
fn is_equal(file: &File, body: &[u8], budget: &mut Budget) -> Result<bool, Error> {
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
