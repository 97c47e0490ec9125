//! `robots lint --fix`: applies safe fixes and shows what changes.

use robots::{Diagnostic, Report};

use super::output::Linted;
use crate::fault::Fault;
use crate::screen::safe;

/// The most rounds: each fix may let another rule be reported.
const MOST_ROUNDS: usize = 1_000;

/// A file after its fixes.
pub(crate) struct Fixed {
    pub(crate) body: Vec<u8>,
    /// What was done, one line each.
    pub(crate) log: Vec<String>,
}

/// Applies the safe fixes of a file until none is left. `lint` returns the report of a body.
pub(crate) fn fix(
    name: &str,
    body: &[u8],
    lint: impl Fn(&[u8]) -> Result<Report, Fault>,
) -> Result<Fixed, Fault> {
    let name = safe(name.as_bytes());
    let mut fixed = Fixed {
        body: body.to_vec(),
        log: Vec::new(),
    };
    let is_safe = |found: &Diagnostic| found.fix.as_ref().is_some_and(|fix| fix.is_safe);
    for _ in 0..MOST_ROUNDS {
        let report = lint(&fixed.body)?;
        let next = report
            .apply_fixes(&fixed.body, is_safe)
            .map_err(|error| Fault::new(format!("{name}: {error}")))?;
        if next.applied.is_empty() {
            break;
        }
        for found in next.applied {
            fixed.log.push(format!(
                "fixed {name}:{}: {} {}: {}",
                found.line.max(1),
                found.code,
                found.code.title(),
                found.suggestion.as_deref().unwrap_or_default()
            ));
        }
        fixed.body = next.body;
    }
    Ok(fixed)
}

/// The most fixes that are named as not applied.
const MOST_LEFT: usize = 10;

/// Returns which fixes were not applied; empty for none.
pub(crate) fn left(linted: &Linted) -> String {
    let left = linted.report.diagnostics().iter();
    let left: Vec<_> = left.filter(|found| found.fix.is_some()).collect();
    let named = left.iter().take(MOST_LEFT);
    let named: Vec<_> = named
        .map(|found| format!("line {} ({})", found.line.max(1), found.code))
        .collect();
    let count = match left.len() {
        0 => return String::new(),
        1 => "1 fix is".to_owned(),
        many => format!("{many} fixes are"),
    };
    let more = if left.len() > MOST_LEFT { ", ..." } else { "" };
    let (name, named) = (safe(linted.name.as_bytes()), named.join(", "));
    format!(
        "{name}: {count} left to you, since a verdict changes or it is not proved that none does: {named}{more}\n"
    )
}

/// The lines around a change that a diff shows.
const CONTEXT: usize = 3;

/// The most cells of the table that a diff fills; larger files are shown as one change.
const MOST_CELLS: usize = 16 << 20;

/// A line of a diff: whether the old file has it, whether the new one has it, and its text.
type DiffLine<'b> = (bool, bool, &'b [u8]);

/// Returns the changes from one body to another as a unified diff.
pub(crate) fn diff(name: &str, old: &[u8], new: &[u8]) -> String {
    let lines = compare(&split(old), &split(new));
    let name = safe(name.as_bytes());
    let mut text = format!("--- {name}\n+++ {name}\n");
    let is_shown = |at: usize| {
        let start = at.saturating_sub(CONTEXT);
        let near = lines.get(start..(at + CONTEXT + 1).min(lines.len()));
        near.is_some_and(|near| near.iter().any(|(old, new, _)| old != new))
    };
    let (mut old_line, mut new_line) = (1, 1);
    let mut at = 0;
    while at < lines.len() {
        let end = (at..lines.len())
            .find(|at| !is_shown(*at))
            .unwrap_or(lines.len());
        let part = lines.get(at..end).unwrap_or_default();
        if part.is_empty() {
            (old_line, new_line, at) = (old_line + 1, new_line + 1, at + 1);
            continue;
        }
        let olds = part.iter().filter(|(old, ..)| *old).count();
        let news = part.iter().filter(|(_, new, _)| *new).count();
        text.push_str(&format!("@@ -{old_line},{olds} +{new_line},{news} @@\n"));
        for (is_old, is_new, line) in part {
            let sign = match (is_old, is_new) {
                (true, false) => '-',
                (false, true) => '+',
                _ => ' ',
            };
            text.push(sign);
            text.push_str(&safe(line));
            text.push('\n');
        }
        (old_line, new_line, at) = (old_line + olds, new_line + news, end);
    }
    text
}

/// Splits a body into lines without their ends.
fn split(body: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut rest = body;
    while !rest.is_empty() {
        let end = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let (line, after) = rest.split_at(end);
        lines.push(line);
        rest = match after {
            [b'\r', b'\n', after @ ..] | [_, after @ ..] => after,
            [] => after,
        };
    }
    lines
}

/// Aligns two lists of lines by their longest common subsequence.
fn compare<'b>(old: &[&'b [u8]], new: &[&'b [u8]]) -> Vec<DiffLine<'b>> {
    let same = |pair: &(&&[u8], &&[u8])| pair.0 == pair.1;
    let start = old.iter().zip(new).take_while(same).count();
    let (head, old) = old.split_at(start);
    let new = new.get(start..).unwrap_or_default();
    let end = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(same)
        .count();
    let (old, tail) = old.split_at(old.len() - end);
    let new = new.get(..new.len() - end).unwrap_or_default();
    let mut lines: Vec<DiffLine<'b>> = head.iter().map(|line| (true, true, *line)).collect();
    let width = new.len() + 1;
    if old.len().saturating_mul(width) > MOST_CELLS {
        lines.extend(old.iter().map(|line| (true, false, *line)));
        lines.extend(new.iter().map(|line| (false, true, *line)));
    } else {
        // The length of the longest common subsequence from each pair of lines on.
        let mut table = vec![0_u32; (old.len() + 1) * width];
        let cell = |table: &[u32], i: usize, j: usize| table.get(i * width + j).copied();
        for (i, a) in old.iter().enumerate().rev() {
            for (j, b) in new.iter().enumerate().rev() {
                let value = if a == b {
                    cell(&table, i + 1, j + 1).map(|value| value + 1)
                } else {
                    cell(&table, i + 1, j).max(cell(&table, i, j + 1))
                };
                if let Some(to) = table.get_mut(i * width + j) {
                    *to = value.unwrap_or_default();
                }
            }
        }
        let (mut i, mut j) = (0, 0);
        loop {
            match (old.get(i), new.get(j)) {
                (Some(a), Some(b)) if a == b => {
                    lines.push((true, true, a));
                    (i, j) = (i + 1, j + 1);
                }
                (Some(a), b) if b.is_none() || cell(&table, i + 1, j) >= cell(&table, i, j + 1) => {
                    lines.push((true, false, a));
                    i += 1;
                }
                (_, Some(b)) => {
                    lines.push((false, true, b));
                    j += 1;
                }
                (_, None) => break,
            }
        }
    }
    lines.extend(tail.iter().map(|line| (true, true, *line)));
    lines
}
