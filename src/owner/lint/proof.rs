//! Proves which fixes change no verdict. A fix is proved if the rules before and after the fix do not differ (SPEC 12). The
//! rules are compared for each crawler that the file names and for a crawler that the file does not name, in each dialect that
//! [`is_equal`] selects.

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
    /// Marks safe fixes as unsafe unless they are proved to change no verdict. First tries all safe fixes together, then the
    /// fixes of each code. At the end, all remaining safe fixes must be proved together.
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

    /// Finds, by bisection of the lines, the fixes among `fixes` that are not proved, and marks these fixes as unsafe.
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

    /// Returns whether `fixes` together are proved to change no verdict. Overlapping fixes are not proved, because only the
    /// first fix is applied.
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

/// The safe fixes of one code, or of all codes, in a range of lines.
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

/// Returns whether a file and `body` are proved to give the same verdicts. A file of koster1996 is compared in koster1996, any
/// other file in rfc9309 and in google. If a rule may decide URLs that the search excludes (SPEC 12.1), only identical rules
/// count as equal.
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
        // Most crawlers obey the same groups, so they have the same rules. A set of hashes finds rules that were already
        // compared. The hashes have 64 bits and a random seed, so no file can force two hashes to be equal.
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

/// Adds [`NOBODY`] and the names of a file, in lower case, to the sorted list `names`. Returns false if the list then has more
/// than `most` names.
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
