//! Finds verdicts that differ between dialects. For each crawler, compares its rules in two dialects, on the URLs that browsers
//! send.

use std::collections::HashSet;

use super::budget::{Budget, NOBODY, named};
use super::codes::Code;
use super::diagnostic::{Checked, Findings, Place, quoted};
use super::fields::field_in;
use super::groups::Groups;
use super::lines::{File, LineKind};
use super::paths::dot_segment;
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::verdict::Verdict;
use crate::bytes::display::from_fn;
use crate::core::rules::Rules;
use crate::core::rules::single_rule::canonical;
use crate::crawler::token;
use crate::owner::difference::{DifferentPath, common};
use crate::owner::explain::word;

/// Upper bound on the crawlers that are examined.
const MAX_CRAWLERS: usize = 64;

/// Upper bound on the paths that are examined for each crawler.
const MAX_PATHS: usize = 100;

pub(super) fn check_dialects(file: &File, groups: &Groups, findings: &mut Findings) -> Checked {
    let classes = groups.classes(file, file.dialect.merges_groups())?;
    let mut budget = Budget::new(file);
    let mut seen = Seen::default();
    let mut before = &[][..];
    for (agent, obeyed) in classes.iter().take(MAX_CRAWLERS) {
        let name = match groups.name(file, agent) {
            b"*" => NOBODY,
            name => name,
        };
        // Compare only one of the crawlers that obey the same groups: they nearly always obey the same groups in other
        // dialects, too.
        if core::mem::replace(&mut before, obeyed) == obeyed {
            continue;
        }
        let Some(own) = budget.compiled(file, name)? else {
            findings.is_undecided = true;
            return Ok(());
        };
        for dialect in Dialect::ALL {
            // If a name is no valid token in a dialect, no crawler of this dialect has the name.
            let is_wanted = dialect != file.dialect
                && findings.wants(code_of([file.dialect, dialect]))
                && token::validate(name, dialect).is_ok();
            if !is_wanted {
                continue;
            }
            let crawler = named(file, name, dialect)?;
            let Some(other) = budget.compiled_for(&crawler, &file.body)? else {
                findings.is_undecided = true;
                return Ok(());
            };
            // Escapes can make the images much larger than the file. Such images are not compared.
            let is_large =
                own.image().len() + other.image().len() > 4 * file.body.len().max(1 << 12);
            if is_large {
                findings.is_undecided = true;
                continue;
            }
            if code_of([file.dialect, dialect]) == Code::DialectsDiffer && is_alike([&own, &other])?
            {
                continue;
            }
            let difference = common([&own, &other], MAX_PATHS, &mut budget.limits)?;
            findings.is_undecided |= budget.limits.are_reached;
            for path in difference.paths() {
                differ(
                    file,
                    name,
                    path,
                    [file.dialect, dialect],
                    &mut seen,
                    findings,
                )?;
            }
        }
    }
    Ok(())
}

fn code_of(dialects: [Dialect; 2]) -> Code {
    match dialects.contains(&Dialect::Koster1996) {
        true => Code::OldCrawlersDiffer,
        false => Code::DialectsDiffer,
    }
}

/// Returns whether two dialects read the same rules, and each rule matches the same URLs in both dialects. Only URLs that
/// browsers send count. False negatives are allowed.
fn is_alike(rules: [&Rules; 2]) -> Result<bool, Error> {
    let [own, other] = rules;
    let (own, other) = (own.effective_rules()?, other.effective_rules()?);
    let is_same = own.len() == other.len() && own.iter().zip(other.iter()).all(|(a, b)| a == b);
    // The dialects encode these bytes differently.
    let has_mark = |path: &[u8]| {
        let path = path.strip_suffix(b"$").unwrap_or(path);
        memchr::memchr2(b'%', b'$', path).is_some()
    };
    Ok(is_same && !own.iter().any(|rule| has_mark(rule.pattern())))
}

#[derive(Default)]
struct Seen {
    lines: HashSet<u32>,
    of_1996: bool,
}

/// Reports that two dialects decide differently, unless a similar difference was reported.
fn differ(
    file: &File,
    name: &[u8],
    path: &DifferentPath,
    dialects: [Dialect; 2],
    seen: &mut Seen,
    findings: &mut Findings,
) -> Checked {
    let [own, other] = dialects;
    let [verdict, otherwise] = path.verdicts();
    let code = code_of(dialects);
    let is_old = code == Code::OldCrawlersDiffer;
    let line = match verdict.line() {
        0 => otherwise.line(),
        line => line,
    };
    let value = file.value(line);
    // The codes R029, R068 and R054 already report these values.
    let has_space = memchr::memchr2(b' ', b'\t', value).is_some();
    if field_in(value).is_some() || dot_segment(value).is_some() || has_space {
        return Ok(());
    }
    // Nearly every file differs in koster1996, so one example is enough.
    let is_new = if is_old {
        is_example(file, verdict, otherwise) && !core::mem::replace(&mut seen.of_1996, true)
    } else {
        seen.lines.try_reserve(1).map_err(|_| Error::Memory)?;
        seen.lines.insert(line)
    };
    if !is_new {
        return Ok(());
    }
    let place = match line {
        0 => Place::FILE,
        line => file.value_place(line),
    };
    let says = |dialect: Dialect, verdict: Verdict| {
        from_fn(move |f| {
            write!(f, "{} by {}", word(verdict), title(dialect))?;
            match verdict.line() {
                // An empty rule decides nothing (SPEC 8.8).
                line if line == 0 || file.value(line).is_empty() => Ok(()),
                line => write!(f, " (line {line})"),
            }
        })
    };
    let (first, second) = (says(own, verdict), says(other, otherwise));
    let found = findings.add(code, place).say(format_args!(
        "{} is {first} for {}, and {second}",
        quoted(path.path().as_bytes()),
        quoted(name)
    ));
    if is_old {
        found.help(advice_of_1996(file, verdict, otherwise));
        return Ok(());
    }
    let other_value = file.value(otherwise.line());
    let is_other_canonical = [0, line].contains(&otherwise.line())
        || canonical(other_value, Dialect::Rfc9309)? == other_value;
    let wanted = canonical(value, Dialect::Rfc9309)?;
    if !is_other_canonical {
        found.help("write both rules as URLs are usually encoded");
    } else if wanted != value {
        found
            .help(format_args!(
                "write {}, as URLs are usually encoded",
                quoted(&wanted)
            ))
            .fix(|| file.rewrite(value, [wanted.as_ref()]));
    }
    Ok(())
}

/// Returns whether the advice can correct a difference from koster1996, and no wildcard causes the difference.
fn is_example(file: &File, verdict: Verdict, otherwise: Verdict) -> bool {
    let is_plain = |verdict: Verdict| {
        let path = file.value(verdict.line());
        !path.contains(&b'*') && !path.ends_with(b"$")
    };
    let has_cause = match (verdict.line(), otherwise.line()) {
        (0, line) | (line, 0) => is_after_blank(file, line),
        _ => true,
    };
    is_plain(verdict) && is_plain(otherwise) && has_cause
}

fn advice_of_1996(file: &File, verdict: Verdict, otherwise: Verdict) -> &'static str {
    let group_of = |verdict: Verdict| file.line(verdict.line()).map(|line| line.group);
    match (verdict.line(), otherwise.line()) {
        (0, _) | (_, 0) => {
            "remove the blank line inside the group: it has no effect on other crawlers"
        }
        _ if group_of(verdict) != group_of(otherwise) => {
            "give the crawler a single group, under its product token alone"
        }
        _ => "write longer rules before shorter ones: their order has no effect on other crawlers",
    }
}

/// Returns whether a blank line is between a rule and the user-agent line before it. Examines at most 64 lines.
fn is_after_blank(file: &File, rule: u32) -> bool {
    const MOST: usize = 64;
    let lines = (1..rule).rev().take(MOST);
    let kinds = lines.filter_map(|line| Some(file.line(line)?.kind));
    let mut kinds = kinds.take_while(|kind| *kind != LineKind::UserAgent);
    kinds.any(|kind| kind == LineKind::Blank)
}

fn title(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Rfc9309 => "RFC 9309",
        Dialect::Google => "Google",
        Dialect::Koster1996 => "the draft of 1996",
    }
}
