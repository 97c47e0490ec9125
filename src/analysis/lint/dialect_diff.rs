//! Where the verdict depends on how the file is read: between the dialects (SPEC 8.6 and others), and by
//! whether a crawl-delay ends a run of user-agent lines (SPEC 6.1). Nothing is said here that was not
//! asked of the engine, and each time the URL and the crawler are named.

use std::collections::HashSet;

use super::codes::Code;
use super::diagnostic::{Findings, Place, quoted, say};
use super::groups::{Agent, Group, Groups};
use super::lines::File;
use super::query_budget::{QueryBudget, RuleQuery};
use crate::crawler::Crawler;
use crate::crawler::token;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::rules::single_rule::canonical;
use crate::url::canonical::digit;
use crate::util::display::from_fn;
use crate::util::try_alloc::{append, collect, copy, joined, push, words};
use crate::verdict::Verdict;

/// The octets of robots.txt that are compiled in all: crawlers of large files are asked about less often.
const MOST_OCTETS: usize = 32 << 20;
/// The crawlers that are asked for.
const MOST_CRAWLERS: usize = 64;
/// The rules of a crawler that URLs are made of.
const MOST_RULES: usize = 2_000;

/// What looking at an agent takes of the budget.
const LOOK: usize = 16;

/// A crawler of this name that reads as another one does, but for dialect and options.
fn named(like: &Crawler, name: &[u8], dialect: Dialect) -> Result<Crawler, Error> {
    Ok(Crawler::from_tokens(&[name], dialect)?
        .with_max_bytes(like.max_bytes)?
        .with_crawl_delay_ends_agents(like.crawl_delay_ends_agents))
}

/// What may be spent on the question whether a crawl-delay matters.
pub(super) struct Budget {
    /// How many more octets of robots.txt may be compiled.
    octets: usize,
    budget: QueryBudget,
}

impl Budget {
    pub(super) fn new() -> Budget {
        Budget {
            octets: MOST_OCTETS,
            budget: QueryBudget::new(),
        }
    }

    /// Whether the file may be compiled so many times more.
    fn take(&mut self, file: &File, times: usize) -> bool {
        let rest = self.octets.checked_sub(times * file.body.len().max(1));
        self.octets = rest.unwrap_or(0);
        rest.is_some()
    }
}

/// To whom among the user-agent lines above line `line` it matters that its crawl-delay does not end their run, and
/// an example of how the verdict would change if it did; `None`: to nobody.
pub(super) fn crawl_delay_matters<'g>(
    crawler: &Crawler,
    file: &File,
    group: &'g Group,
    line: u32,
    budget: &mut Budget,
) -> Result<Option<(&'g Agent, String)>, Error> {
    if group.rules.is_empty() {
        return Ok(None);
    }
    let mut asked: Vec<&[u8]> = Vec::new();
    let (above, _) = group.agents_around(line);
    for agent in above.iter().rev() {
        // A line may stand below very many agents, and below it another.
        if !budget.budget.take(LOOK) {
            return Ok(None);
        }
        // Crawlers that no other line names read the same rules: one speaks for all.
        let alone = !agent.repeated && agent.name != b"*";
        let key: &[u8] = if alone { b"" } else { &agent.name };
        if agent.name.is_empty() || asked.contains(&key) {
            continue;
        }
        push(&mut asked, key)?;
        if !budget.take(file, 2) {
            return Ok(None);
        }
        let budget = &mut budget.budget;
        if let Some(example) = crawl_delay_matters_to(crawler, file, group, agent, budget)? {
            return Ok(Some((agent, example)));
        }
    }
    Ok(None)
}

fn crawl_delay_matters_to(
    crawler: &Crawler,
    file: &File,
    group: &Group,
    agent: &Agent,
    budget: &mut QueryBudget,
) -> Result<Option<String>, Error> {
    // `*` is asked for by a crawler that nobody names.
    let name: &[u8] = if agent.name == b"*" {
        NOBODY
    } else {
        &agent.spelt
    };
    let joined = named(crawler, name, file.dialect)?;
    let ended = joined.clone().with_crawl_delay_ends_agents(true);
    let readings = [
        RuleQuery::new(&joined, &file.body)?,
        RuleQuery::new(&ended, &file.body)?,
    ];
    for path in paths(file, group.rules.iter().map(|rule| rule.line)) {
        for url in urls(path)? {
            let [joined, ended] = &readings;
            let verdicts = (ask(joined, &url, budget)?, ask(ended, &url, budget)?);
            let (Some(joined), Some(ended)) = verdicts else {
                return Ok(None);
            };
            if joined.allowed() != ended.allowed() {
                let example = words(format_args!(
                    "{} is {} to {}, and would be {} otherwise",
                    quoted(&url),
                    word(joined),
                    quoted(name),
                    word(ended),
                ));
                return example.map(Some);
            }
        }
    }
    Ok(None)
}

/// The verdict on a path of a site: a path that begins with `//` must not be taken for a host. `None` where budget
/// is at an end.
fn ask(asked: &RuleQuery, path: &[u8], budget: &mut QueryBudget) -> Result<Option<Verdict>, Error> {
    Ok(asked.verdict(&joined([b"http://x", path])?, budget))
}

/// A token that stands for every crawler that the file does not name.
const NOBODY: &[u8] = b"AnyOtherBot";

pub(super) fn check_dialects(
    crawler: &Crawler,
    file: &File,
    groups: &Groups,
    findings: &mut Findings,
) -> Result<(), Error> {
    let merges = file.dialect.merges_groups();
    let mut names = collect(groups.by_name(merges)?)?;
    // The order of the file, not that of a hash table.
    names.sort_unstable_by(|a, b| (&a.1, a.0).cmp(&(&b.1, b.0)));
    let affordable = MOST_OCTETS / (3 * file.body.len().max(1));
    names.truncate(MOST_CRAWLERS.min(affordable.max(2)));
    let mut seen = Seen::default();
    let mut budget = QueryBudget::new();
    for (name, obeyed) in names {
        let name = if name == b"*" {
            NOBODY
        } else {
            groups.spelt(name, &obeyed)
        };
        let lines = obeyed
            .iter()
            .filter_map(|group| groups.all.get(*group as usize))
            .flat_map(|group| &group.rules)
            .map(|rule| rule.line);
        one_crawler(
            crawler,
            file,
            name,
            lines,
            (&mut seen, &mut budget),
            findings,
        )?;
    }
    Ok(())
}

/// What was reported already.
#[derive(Default)]
struct Seen {
    lines: HashSet<u32>,
    of_1996: bool,
}

fn one_crawler(
    crawler: &Crawler,
    file: &File,
    name: &[u8],
    lines: impl Iterator<Item = u32>,
    (seen, budget): (&mut Seen, &mut QueryBudget),
    findings: &mut Findings,
) -> Result<(), Error> {
    let own = RuleQuery::new(&named(crawler, name, file.dialect)?, &file.body)?;
    let mut others = Vec::new();
    for dialect in Dialect::ALL {
        // No crawler of that dialect can have another kind of name.
        if dialect != file.dialect && token::validate(name, dialect).is_ok() {
            let asked = RuleQuery::new(&named(crawler, name, dialect)?, &file.body)?;
            push(&mut others, (dialect, asked))?;
        }
    }
    for path in paths(file, lines) {
        for url in urls(path)? {
            let Some(verdict) = ask(&own, &url, budget)? else {
                return Ok(());
            };
            for (dialect, asked) in &others {
                let Some(other) = ask(asked, &url, budget)? else {
                    return Ok(());
                };
                if other.allowed() != verdict.allowed() {
                    let readings = [(file.dialect, verdict), (*dialect, other)];
                    differ(file, name, &url, readings, seen, findings)?;
                }
            }
        }
    }
    Ok(())
}

fn differ(
    file: &File,
    name: &[u8],
    url: &[u8],
    readings: [(Dialect, Verdict); 2],
    seen: &mut Seen,
    findings: &mut Findings,
) -> Result<(), Error> {
    let [(own, verdict), (other, otherwise)] = readings;
    let is_old = [own, other].contains(&Dialect::Koster1996);
    let line = match verdict.line() {
        0 => otherwise.line(),
        line => line,
    };
    // Nearly every file reads otherwise to a crawler of 1996: one example is enough.
    let is_new = if is_old {
        !core::mem::replace(&mut seen.of_1996, true)
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
    let place = match file.line(line) {
        Some(parts) => file.place(line, parts.value),
        None => Place::FILE,
    };
    let value = file.line(line).map_or(&b""[..], |parts| parts.value);
    let canonical = canonical(value, Dialect::Rfc9309)?;
    findings.add(code, place, || {
        let says = |dialect: Dialect, verdict: Verdict| {
            from_fn(move |f| {
                write!(f, "{} by {}", word(verdict), title(dialect))?;
                match verdict.line() {
                    0 => Ok(()),
                    line => write!(f, " (line {line})"),
                }
            })
        };
        let said = say(format_args!(
            "{} is {} for {}, and {}",
            quoted(url),
            says(own, verdict),
            quoted(name),
            says(other, otherwise)
        ));
        // What makes the readings agree, where it can be told.
        if is_old {
            said.help("put longer rules before shorter ones, and no blank line inside a group")
        } else if canonical != value {
            said.help(format_args!(
                "write {}, as URLs are mostly spelt",
                quoted(&canonical)
            ))
        } else {
            said
        }
    })
}

fn word(verdict: Verdict) -> &'static str {
    if verdict.allowed() {
        "allowed"
    } else {
        "forbidden"
    }
}

fn title(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Rfc9309 => "RFC 9309",
        Dialect::Google => "Google",
        Dialect::Koster1996 => "the draft of 1996",
    }
}

/// The paths of the rules of these lines, without a `$`.
fn paths<'f>(
    file: &'f File,
    lines: impl Iterator<Item = u32> + 'f,
) -> impl Iterator<Item = &'f [u8]> + 'f {
    lines
        .filter_map(|line| file.line(line))
        .map(|line| line.value)
        .filter(|path| matches!(path, [b'/' | b'*', ..]))
        .take(MOST_RULES)
        .map(|path| path.strip_suffix(b"$").unwrap_or(path))
}

/// URLs that a path is about: what it matches, as shortly as possible and with more behind it, as it is spelt and as
/// browsers spell it.
fn urls(path: &[u8]) -> Result<Vec<Vec<u8>>, Error> {
    let with = |fill: &[u8], behind: &[u8]| {
        let mut url = copy(if path.starts_with(b"*") { b"/" } else { b"" })?;
        for (at, piece) in path.split(|octet| *octet == b'*').enumerate() {
            append(&mut url, if at > 0 { fill } else { b"" })?;
            append(&mut url, piece)?;
        }
        append(&mut url, behind)?;
        Ok(url)
    };
    let plain = with(b"", b"")?;
    let spelt = as_browsers_spell(&plain)?;
    let mut urls = collect([copy(&plain)?, with(b"x", b"")?, with(b"", b"x")?])?;
    if let Some(at) = memchr::memmem::find(&plain, b"/index.htm") {
        push(&mut urls, copy(plain.get(..=at).unwrap_or_default())?)?;
    }
    // No crawler asks for what is no URL.
    urls.retain(|url| url.iter().all(is_of_url));
    push(&mut urls, spelt)?;
    // Of the robots.txt itself all is said elsewhere.
    urls.retain(|url| url != b"/robots.txt");
    Ok(urls)
}

/// Whether URLs hold the octet as it is: not every one that can be seen.
fn is_of_url(octet: &u8) -> bool {
    octet.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(octet)
}

/// The same URL as a browser asks for it: octets that may not stand in a URL as %HH, others as themselves.
fn as_browsers_spell(url: &[u8]) -> Result<Vec<u8>, Error> {
    let mut spelt = Vec::new();
    let mut rest = url;
    while let [first, behind @ ..] = rest {
        let escaped = match rest {
            [b'%', a, b, ..] => core::str::from_utf8(&[*a, *b])
                .ok()
                .and_then(|hex| u8::from_str_radix(hex, 16).ok()),
            _ => None,
        };
        rest = match (escaped, behind) {
            (Some(value), [_, _, behind @ ..])
                if value.is_ascii_alphanumeric() || b"-._~:@[]".contains(&value) =>
            {
                push(&mut spelt, value)?;
                behind
            }
            (Some(_), [a, b, behind @ ..]) => {
                let escape = [b'%', a.to_ascii_uppercase(), b.to_ascii_uppercase()];
                append(&mut spelt, &escape)?;
                behind
            }
            _ if is_of_url(first) => {
                push(&mut spelt, *first)?;
                behind
            }
            _ => {
                append(&mut spelt, &[b'%', digit(first >> 4), digit(first & 15)])?;
                behind
            }
        };
    }
    Ok(spelt)
}
