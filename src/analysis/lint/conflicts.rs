//! Finds rules that never decide (SPEC 8.7), with one query to the engine per rule.
//!
//! Each rule yields its hardest URL: its own path, with an unused byte for every `*` and, unless the rule ends in `$`,
//! at the end. A rule that matches this URL should match every URL that the rule matches. So if another rule wins for
//! this URL, it always wins. A comparison of the two paths confirms this, since a rule can hold the unused byte, too.
//! `query_budget` bounds the queries; a rule without a query counts as one that may win.
//!
//! `redundant` finds rules that may win and yet change nothing.

use super::codes::Code;
use super::cover::Path;
use super::diagnostic::{Findings, Said, quoted, say};
use super::groups::Groups;
use super::lines::File;
use super::query_budget::{QueryBudget, RuleQuery};
use super::redundant::find_redundant;
use crate::crawler::Crawler;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::limits::{GOOGLE_LINE, MAX_MAX_BYTES};
use crate::util::try_alloc::{append, collect, copy, push};
use crate::verdict::Verdict;

/// The most rules examined in all; a rule counts once for each crawler that obeys it. Lint gives up on files that name
/// very many crawlers in very many ways.
const MOST_VISITS: usize = 1_000_000;

/// Replaces `*` in a URL. A rule may hold it, too; see [`Path::covers`].
const ANY: u8 = 0x7F;

/// A rule whose path can match.
pub(super) struct Rule<'a> {
    pub(super) line: u32,
    pub(super) allow: bool,
    value: &'a [u8],
    pub(super) path: Path,
    effect: Effect,
}

/// The effect of a rule for all crawlers that obey it.
#[derive(Default)]
struct Effect {
    /// A crawler obeys it.
    obeyed: bool,
    /// It may win for a crawler.
    wins: bool,
    /// It changes a verdict for a crawler.
    matters: bool,
    /// The line of a rule that always wins.
    beaten_by: Option<u32>,
    /// The line of a more general rule with the same effect; 0: the default, which allows.
    said_by: Option<u32>,
}

pub(super) fn check_conflicts(
    file: &File,
    groups: &Groups,
    findings: &mut Findings,
) -> Result<(), Error> {
    let (mut rules, members) = rules(file, groups)?;
    let mut visits = 0;
    let mut budget = QueryBudget::new();
    // Crawlers that obey the same groups share the result. File order keeps the report deterministic.
    let mut all = collect(groups.by_name(file.dialect.merges_groups())?.into_values())?;
    all.sort_unstable();
    all.dedup();
    for obeyed in &all {
        let set = obeyed
            .iter()
            .filter_map(|group| members.get(*group as usize))
            .flat_map(|range| range.clone());
        let set = collect(set)?;
        visits += set.len();
        if visits > MOST_VISITS {
            return Ok(());
        }
        of_one_crawler(file.dialect, &mut rules, &set, &mut budget)?;
    }
    for rule in &rules {
        report(file, &rules, rule, findings)?;
    }
    Ok(())
}

type Members = Vec<core::ops::Range<usize>>;

/// Returns the rules of all groups, and for each group their range.
fn rules<'a>(file: &'a File, groups: &Groups) -> Result<(Vec<Rule<'a>>, Members), Error> {
    let mut rules = Vec::new();
    let mut members = Vec::new();
    for group in &groups.all {
        let start = rules.len();
        for rule in &group.rules {
            let Some(line) = file.line(rule.line) else {
                continue;
            };
            // Other paths never match (SPEC 8.5). Skips lines that Google would cut.
            let is_path = matches!(line.value, [b'/' | b'*', ..])
                && line.value.len() + b"Disallow: ".len() < GOOGLE_LINE;
            if is_path {
                let rule = Rule {
                    line: rule.line,
                    allow: rule.allow,
                    value: line.value,
                    path: Path::new(line.value, file.dialect)?,
                    effect: Effect::default(),
                };
                push(&mut rules, rule)?;
            }
        }
        push(&mut members, start..rules.len())?;
    }
    Ok((rules, members))
}

/// Records the effect of the rules that one crawler obeys, given in file order.
fn of_one_crawler(
    dialect: Dialect,
    rules: &mut [Rule<'_>],
    set: &[usize],
    budget: &mut QueryBudget,
) -> Result<(), Error> {
    let winners = winners(dialect, rules, set, budget)?;
    let said = find_redundant(dialect, rules, set)?;
    for ((at, winner), said) in set.iter().zip(winners).zip(said) {
        let winner = winner
            .and_then(|winner| rules.get(winner))
            .map(|rule| rule.line);
        let said = said.map(|said| {
            said.and_then(|said| rules.get(said))
                .map_or(0, |rule| rule.line)
        });
        let Some(rule) = rules.get_mut(*at) else {
            continue;
        };
        rule.effect.obeyed = true;
        rule.effect.wins |= winner.is_none();
        rule.effect.matters |= winner.is_none() && said.is_none();
        rule.effect.beaten_by = rule.effect.beaten_by.or(winner);
        rule.effect.said_by = rule.effect.said_by.or(said);
    }
    Ok(())
}

/// Returns for each rule of the set the rule that always wins against it.
fn winners(
    dialect: Dialect,
    rules: &[Rule<'_>],
    set: &[usize],
    budget: &mut QueryBudget,
) -> Result<Vec<Option<usize>>, Error> {
    let members = || set.iter().filter_map(|at| rules.get(*at));
    let mut body = copy(b"User-agent: *\n")?;
    for rule in members() {
        append(
            &mut body,
            if rule.allow {
                b"Allow: "
            } else {
                b"Disallow: "
            },
        )?;
        append(&mut body, rule.value)?;
        push(&mut body, b'\n')?;
    }
    let crawler = Crawler::from_tokens(&[b"x"], dialect)?.with_max_bytes(MAX_MAX_BYTES)?;
    let all = RuleQuery::new(&crawler, &body)?;
    let mut url = Vec::new();
    let mut winners = Vec::new();
    winners
        .try_reserve_exact(set.len())
        .map_err(|_| Error::Memory)?;
    for (at, rule) in set.iter().zip(members()) {
        url.clear();
        append(&mut url, b"http://x")?;
        hardest_url(rule, dialect, &mut url)?;
        let line = all.verdict(&url, budget).map_or(0, Verdict::line) as usize;
        // The first rule is on line 2.
        let winner = line.checked_sub(2).and_then(|line| set.get(line)).copied();
        let is_beaten = winner
            .and_then(|winner| rules.get(winner))
            .is_some_and(|winner| {
                !stands_for_more(dialect, rule)
                    && !stands_for_more(dialect, winner)
                    && winner.path.covers(&rule.path)
            });
        winners.push(winner.filter(|winner| winner != at && is_beaten));
    }
    Ok(winners)
}

/// SPEC 8.10: whether the rule also matches a directory.
pub(super) fn stands_for_more(dialect: Dialect, rule: &Rule<'_>) -> bool {
    dialect.index_stands_for_directory()
        && rule.allow
        && memchr::memmem::find(rule.value, b"/index.htm").is_some()
}

/// Appends the rule's hardest URL: a rule that matches it matches all that this rule matches.
fn hardest_url(rule: &Rule<'_>, dialect: Dialect, url: &mut Vec<u8>) -> Result<(), Error> {
    if rule.path.bytes.first() == Some(&b'*') && dialect.has_wildcards() {
        push(url, b'/')?;
    }
    if dialect.has_wildcards() {
        let start = url.len();
        append(url, &rule.path.bytes)?;
        let path = url.iter_mut().skip(start);
        path.filter(|byte| **byte == b'*')
            .for_each(|star| *star = ANY);
    } else {
        // koster1996 would decode a canonical path once more.
        append(url, rule.value)?;
    }
    if !rule.path.anchored {
        push(url, ANY)?;
    }
    Ok(())
}

fn report(
    file: &File,
    rules: &[Rule<'_>],
    rule: &Rule<'_>,
    findings: &mut Findings,
) -> Result<(), Error> {
    if !rule.effect.obeyed || rule.effect.matters {
        return Ok(());
    }
    let place = file.place(rule.line, rule.value);
    if let (false, Some(winner)) = (rule.effect.wins, rule.effect.beaten_by) {
        let by = rules.binary_search_by_key(&winner, |rule| rule.line).ok();
        let Some(by) = by.and_then(|at| rules.get(at)) else {
            return Ok(());
        };
        let (code, said) = beaten(file.dialect, rule, by);
        return findings.add(code, place, || said.other(by.line));
    }
    match rule.effect.said_by {
        // `Allow: /` is a common way to state that everything is allowed.
        Some(0) if matches!(rule.value, b"/" | b"/*" | b"*") => Ok(()),
        Some(0) => findings.add(Code::AllowedAnyway, place, || {
            say("no disallow matches what this rule allows: it is allowed anyway")
                .help("remove the rule")
        }),
        Some(line) => {
            let by = rules.binary_search_by_key(&line, |rule| rule.line).ok();
            let value = by
                .and_then(|at| rules.get(at))
                .map_or(&b""[..], |rule| rule.value);
            findings.add(Code::Redundant, place, || {
                say(format_args!("line {line}, {}, has the same effect: without this rule no verdict would change", quoted(value)))
                    .help("remove the rule")
                    .other(line)
            })
        }
        None => Ok(()),
    }
}

fn beaten(dialect: Dialect, rule: &Rule<'_>, by: &Rule<'_>) -> (Code, Said) {
    let is_same = rule.path.bytes == by.path.bytes && rule.path.anchored == by.path.anchored;
    let line = by.line;
    if is_same && rule.allow == by.allow {
        let how = if rule.value == by.value {
            "the same rule"
        } else {
            "an equal rule, encoded differently,"
        };
        return (
            Code::Duplicate,
            say(format_args!("{how} is on line {line}")).help("remove one of the two"),
        );
    }
    let name = |rule: &Rule<'_>| if rule.allow { "allow" } else { "disallow" };
    if is_same {
        let why = if dialect.first_match_wins() {
            "the first rule wins"
        } else {
            "at equal length allow wins"
        };
        let said = say(format_args!(
            "this {} never decides: line {line} is {} for the same path, and {why}",
            name(rule),
            name(by)
        ));
        return (
            Code::Conflict,
            said.help("remove the one that you do not mean"),
        );
    }
    let why = if dialect.first_match_wins() {
        "and comes first"
    } else if by.path.length() > rule.path.length() {
        "and is longer"
    } else {
        "is as long, and is an allow"
    };
    let said = say(format_args!(
        "this rule never wins: {} on line {line} matches all that it matches, {why}",
        quoted(by.value)
    ));
    let help = if dialect.first_match_wins() {
        "move it before the other rule, or remove it"
    } else if rule.allow == by.allow {
        "remove it"
    } else {
        "make it longer than the other rule, or remove it"
    };
    (Code::NeverWins, said.help(help))
}
