//! Finds verdicts that differ between dialects (SPEC 8.6 and others), or that depend on whether a crawl-delay ends a run
//! of user-agent lines (SPEC 6.1). Each diagnostic results from queries to the engine and names the URL and the crawler.

use std::collections::HashSet;

use super::codes::Code;
use super::diagnostic::{Checked, Findings, Place, quoted};
use super::fields::field_in;
use super::groups::{self, Agent, FileGroup, Groups};
use super::lines::{File, LineKind};
use super::paths::{INDEX, dot_segment, is_path, without_dollar};
use super::query_budget::{MOST_BYTES, MOST_CRAWLERS, QueryBudget, named};
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::verdict::Verdict;
use crate::bytes::display::from_fn;
use crate::bytes::try_alloc::{append, collect, copy, push, words};
use crate::core::rules;
use crate::core::rules::single_rule::canonical;
use crate::crawler::token;
use crate::owner::explain::word;
use crate::url::canonical::{digit, hex};

/// Upper bound on the rules of a crawler that yield URLs.
const MOST_RULES: usize = 2_000;

/// The cost of examining an agent, in steps of the budget.
const AGENT_COST: usize = 16;

/// Returns a user-agent line above `line` whose verdicts would change if the crawl-delay on `line` ended the run, and an
/// example.
pub(super) fn crawl_delay_matters<'g>(
    file: &File,
    group: FileGroup<'g>,
    line: u32,
    budget: &mut QueryBudget,
) -> Result<Option<(&'g Agent, String)>, Error> {
    if group.rules.is_empty() {
        return Ok(None);
    }
    // The `first` agents of the names that were compared.
    let mut asked: Vec<u32> = Vec::new();
    let (above, _) = group.agents_around(line);
    for agent in above.iter().rev() {
        // A hostile file has many crawl-delay lines, each after many agents.
        if !budget.take(AGENT_COST) {
            return Ok(None);
        }
        // Crawlers that no other line names obey the same rules, so one is enough.
        let name = groups::written(file, agent);
        let alone = !agent.repeated && name != b"*";
        let key = if alone { u32::MAX } else { agent.first };
        if name.is_empty() || asked.contains(&key) {
            continue;
        }
        push(&mut asked, key)?;
        if !budget.take_compilations(file, 2) {
            return Ok(None);
        }
        if let Some(example) = crawl_delay_matters_to(file, group, agent, budget)? {
            return Ok(Some((agent, example)));
        }
    }
    Ok(None)
}

fn crawl_delay_matters_to(
    file: &File,
    group: FileGroup<'_>,
    agent: &Agent,
    budget: &mut QueryBudget,
) -> Result<Option<String>, Error> {
    let name = token_of(file, agent);
    let like = named(file, name, file.dialect)?;
    let joined = rules::compile(&like, &file.body)?;
    let ended = rules::compile(&like.with_crawl_delay_ends_agents(true), &file.body)?;
    for path in paths(file, group.rules.iter().map(|rule| rule.line)) {
        for url in urls(path)? {
            let verdicts = (budget.ask(&joined, &url)?, budget.ask(&ended, &url)?);
            let (Some(joined), Some(ended)) = verdicts else {
                return Ok(None);
            };
            if joined.allowed() != ended.allowed() {
                let (url, name) = (quoted(&url), quoted(name));
                let (joined, ended) = (word(joined), word(ended));
                let example = words(format_args!(
                    "{url} is {joined} for {name}, and would be {ended} if the crawl-delay ended them"
                ));
                return example.map(Some);
            }
        }
    }
    Ok(None)
}

/// A token of a crawler that the file does not name: it obeys `*`.
pub(super) const NOBODY: &[u8] = b"AnyOtherBot";

/// Returns the token of a crawler that obeys the groups of an agent.
fn token_of<'f>(file: &'f File, agent: &Agent) -> &'f [u8] {
    match groups::written(file, agent) {
        b"*" => NOBODY,
        name => name,
    }
}

pub(super) fn check_dialects(file: &File, groups: &Groups, findings: &mut Findings) -> Checked {
    let classes = groups.classes(file, file.dialect.merges_groups())?;
    let affordable = MOST_BYTES / (3 * file.body.len().max(1));
    let most = MOST_CRAWLERS.min(affordable.max(2));
    let mut seen = Seen::default();
    let mut budget = QueryBudget::new();
    for (agent, obeyed) in classes.iter().take(most) {
        let Some(agent) = groups.agents.get(agent) else {
            continue;
        };
        let name = token_of(file, agent);
        let query = |dialect| rules::compile(&named(file, name, dialect)?, &file.body);
        let own = query(file.dialect)?;
        let mut others = Vec::new();
        for dialect in Dialect::ALL {
            // A crawler of that dialect cannot have an invalid token.
            if dialect != file.dialect && token::validate(name, dialect).is_ok() {
                push(&mut others, (dialect, query(dialect)?))?;
            }
        }
        let lines = groups.rules_of(obeyed).map(|rule| rule.line);
        'crawler: for path in paths(file, lines) {
            for url in urls(path)? {
                let Some(verdict) = budget.ask(&own, &url)? else {
                    break 'crawler;
                };
                for (dialect, asked) in &others {
                    let Some(other) = budget.ask(asked, &url)? else {
                        break 'crawler;
                    };
                    if other.allowed() != verdict.allowed() {
                        let readings = [(file.dialect, verdict), (*dialect, other)];
                        differ(file, name, &url, readings, &mut seen, findings)?;
                    }
                }
            }
        }
    }
    Ok(())
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
    url: &[u8],
    readings: [(Dialect, Verdict); 2],
    seen: &mut Seen,
    findings: &mut Findings,
) -> Checked {
    let [(own, verdict), (other, otherwise)] = readings;
    let is_old = [own, other].contains(&Dialect::Koster1996);
    let line = match verdict.line() {
        0 => otherwise.line(),
        line => line,
    };
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
    let code = if is_old {
        Code::OldCrawlersDiffer
    } else {
        Code::DialectsDiffer
    };
    let place = match line {
        0 => Place::FILE,
        line => file.value_place(line),
    };
    let says = |dialect: Dialect, verdict: Verdict| {
        from_fn(move |f| {
            write!(f, "{} by {}", word(verdict), title(dialect))?;
            match verdict.line() {
                0 => Ok(()),
                line => write!(f, " (line {line})"),
            }
        })
    };
    let (first, second) = (says(own, verdict), says(other, otherwise));
    let found = findings.add(code, place).say(format_args!(
        "{} is {first} for {}, and {second}",
        quoted(url),
        quoted(name)
    ));
    if is_old {
        found.help(advice_of_1996(file, verdict, otherwise));
        return Ok(());
    }
    let value = file.value(line);
    let other_value = file.value(otherwise.line());
    let is_other_canonical = [0, line].contains(&otherwise.line())
        || canonical(other_value, Dialect::Rfc9309)? == other_value;
    let wanted = canonical(value, Dialect::Rfc9309)?;
    if !is_other_canonical {
        found.help("write both rules as URLs are usually encoded");
    } else if wanted != value && as_browsers_encode(url)? == url {
        found
            .help(format_args!(
                "write {}, as URLs are usually encoded",
                quoted(&wanted)
            ))
            .fix(|| file.rewrite(value, [wanted.as_ref()]));
    }
    Ok(())
}

/// Returns whether the advice can correct a difference in koster1996, and no wildcard causes it.
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

/// Returns whether a blank line is between a rule and the user-agent line before it. Examines only the nearest lines.
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

/// Returns the distinct paths of the rules on these lines, without a final `$`.
fn paths<'f>(
    file: &'f File,
    lines: impl Iterator<Item = u32> + 'f,
) -> impl Iterator<Item = &'f [u8]> + 'f {
    let mut seen = HashSet::new();
    lines
        .filter_map(|line| file.line(line))
        .map(|line| line.value)
        .filter(|path| is_path(path))
        // R029 and R068 cover the others.
        .filter(|path| field_in(path).is_none() && dot_segment(path).is_none())
        .filter(move |path| seen.try_reserve(1).is_err() || seen.insert(*path))
        .take(MOST_RULES)
        .map(without_dollar)
}

/// Returns a URL that a path matches: `fill` replaces each `*`, and `suffix` follows. `path`: without a final `$`.
pub(super) fn filled(path: &[u8], fill: &[u8], suffix: &[u8]) -> Result<Vec<u8>, Error> {
    let mut url = copy(if path.starts_with(b"*") { b"/" } else { b"" })?;
    for (at, piece) in path.split(|byte| *byte == b'*').enumerate() {
        append(&mut url, if at > 0 { fill } else { b"" })?;
        append(&mut url, piece)?;
    }
    append(&mut url, suffix)?;
    Ok(url)
}

/// Returns URLs that a path without a final `$` matches: the shortest, longer ones, and the shortest as browsers encode it.
fn urls(path: &[u8]) -> Result<Vec<Vec<u8>>, Error> {
    let plain = filled(path, b"", b"")?;
    let encoded = as_browsers_encode(&plain)?;
    let mut urls = collect([
        copy(&plain)?,
        filled(path, b"x", b"")?,
        filled(path, b"", b"x")?,
    ])?;
    if let Some(at) = memchr::memmem::find(&plain, INDEX) {
        push(&mut urls, copy(plain.get(..=at).unwrap_or_default())?)?;
    }
    // No crawler requests an invalid URL.
    urls.retain(|url| url.iter().all(is_of_url));
    push(&mut urls, encoded)?;
    // R065 covers /robots.txt.
    urls.retain(|url| url != b"/robots.txt");
    Ok(urls)
}

fn is_of_url(byte: &u8) -> bool {
    byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(byte)
}

/// Returns the URL as a browser encodes it: bytes that a URL cannot contain as %HH, the others decoded.
fn as_browsers_encode(url: &[u8]) -> Result<Vec<u8>, Error> {
    let mut encoded = Vec::new();
    let mut rest = url;
    while let [first, after @ ..] = rest {
        let escape = match rest {
            [b'%', a, b, after @ ..] => hex(*a).zip(hex(*b)).map(|(a, b)| (a << 4 | b, after)),
            _ => None,
        };
        let is_plain = match escape {
            Some((byte, _)) => byte.is_ascii_alphanumeric() || b"-._~:@[]".contains(&byte),
            None => is_of_url(first),
        };
        let (byte, after) = escape.unwrap_or((*first, after));
        if is_plain {
            push(&mut encoded, byte)?;
        } else {
            append(&mut encoded, &[b'%', digit(byte >> 4), digit(byte & 15)])?;
        }
        rest = after;
    }
    Ok(encoded)
}
