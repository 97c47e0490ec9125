//! Rules that never decide (SPEC 8.7), found by asking the engine.
//!
//! A URL is made of each rule: its own path, with an octet that stands in no path in the place of every `*`
//! and, unless the rule ends in `$`, at its end. What matches this URL matches every URL that the rule
//! matches; so if the engine names another rule as the winner, that one always wins. Whether it
//! really matches all of them is then seen by comparing the two paths, since the odd octet has a
//! spelling, too. One question per rule, and the engine takes no longer for many rules than for few.
//!
//! Rules that may win and yet change nothing are found by a walk over the paths in sorted order.

use super::catalogue::Code;
use super::diagnostic::{Findings, Said, quoted, say};
use super::groups::Groups;
use super::lines::File;
use crate::crawler::Crawler;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::limits::{GOOGLE_LINE, MAX_MAX_BYTES};
use crate::path::{Canonical, Form, Side};
use crate::rules;

/// How many rules are looked at in all, each as often as it stands in the rules of different crawlers. Files
/// that name very many crawlers in very many ways are left alone.
const MOST_VISITS: usize = 1_000_000;

/// Stands in the place of `*`. A rule may hold it, too, and then says more than is seen; see [`Path::covers`].
const ANY: u8 = 0x7F;

/// The path of a rule as it is compared.
struct Path {
    /// Without the final `$`.
    octets: Vec<u8>,
    anchored: bool,
    /// The octets before the first wildcard.
    literal: usize,
}

/// A rule with a path that can match something.
struct Rule<'a> {
    line: u32,
    allow: bool,
    value: &'a [u8],
    path: Path,
    fate: Fate,
}

/// What all crawlers that obey a rule make of it.
#[derive(Default)]
struct Fate {
    /// Some crawler obeys it.
    obeyed: bool,
    /// For some crawler it may win.
    wins: bool,
    /// For some crawler it changes a verdict.
    matters: bool,
    /// The line of a rule that always wins.
    beaten_by: Option<u32>,
    /// The line of a rule that says the same of more; 0: what no rule matches is allowed.
    said_by: Option<u32>,
}

pub(super) fn look(file: &File, groups: &Groups, findings: &mut Findings) -> Result<(), Error> {
    let (mut rules, members) = rules(file, groups)?;
    let mut visits = 0;
    // Crawlers that obey the same groups see the same; in the order of the file, so that a report is always the same.
    let mut all: Vec<Vec<u32>> = groups
        .by_name(file.dialect.merges_groups())?
        .into_values()
        .collect();
    all.sort_unstable();
    all.dedup();
    for obeyed in &all {
        let set = obeyed
            .iter()
            .filter_map(|group| members.get(*group as usize))
            .flat_map(|range| range.clone());
        let set: Vec<usize> = set.collect();
        visits += set.len();
        if visits > MOST_VISITS {
            return Ok(());
        }
        of_one_crawler(file.dialect, &mut rules, &set)?;
    }
    for rule in &rules {
        report(file, &rules, rule, findings)?;
    }
    Ok(())
}

type Members = Vec<core::ops::Range<usize>>;

/// The rules of all groups, and for each group which they are.
fn rules<'a>(file: &'a File, groups: &Groups) -> Result<(Vec<Rule<'a>>, Members), Error> {
    let mut rules = Vec::new();
    let mut members = Vec::new();
    for group in &groups.all {
        let start = rules.len();
        for rule in &group.rules {
            let Some(line) = file.line(rule.line) else {
                continue;
            };
            // What begins otherwise never matches (SPEC 8.5). A line that Google would cut is left out.
            let is_path = matches!(line.value, [b'/' | b'*', ..])
                && line.value.len() + b"Disallow: ".len() < GOOGLE_LINE;
            if is_path {
                rules.try_reserve(1).map_err(|_| Error::Memory)?;
                rules.push(Rule {
                    line: rule.line,
                    allow: rule.allow,
                    value: line.value,
                    path: Path::of(line.value, file.dialect)?,
                    fate: Fate::default(),
                });
            }
        }
        members.push(start..rules.len());
    }
    Ok((rules, members))
}

impl Path {
    fn of(value: &[u8], dialect: Dialect) -> Result<Path, Error> {
        let (spelt, anchored) = match value {
            [spelt @ .., b'$'] if dialect.has_wildcards() => (spelt, true),
            _ => (value, false),
        };
        let mut octets = Vec::new();
        octets
            .try_reserve(3 * spelt.len())
            .map_err(|_| Error::Memory)?;
        octets.extend(Canonical::new(Form::new(dialect, Side::Rule), spelt));
        octets.shrink_to_fit();
        let star = memchr::memchr(b'*', &octets).filter(|_| dialect.has_wildcards());
        Ok(Path {
            literal: star.unwrap_or(octets.len()),
            octets,
            anchored,
        })
    }

    /// SPEC 8.7.
    fn length(&self) -> usize {
        self.octets.len() + usize::from(self.anchored)
    }

    fn is_literal(&self) -> bool {
        self.literal == self.octets.len()
    }

    /// The octets before the first wildcard.
    fn prefix(&self) -> &[u8] {
        self.octets.get(..self.literal).unwrap_or(&self.octets)
    }

    /// It matches everything that begins with its prefix.
    fn is_open(&self) -> bool {
        let rest = self.octets.get(self.literal..).unwrap_or_default();
        rest.iter().all(|octet| *octet == b'*') && (!self.anchored || !rest.is_empty())
    }

    /// Whether it matches whatever `other` matches: its stars stand for parts of the other's path, wildcards
    /// among them, and everything else is the same.
    fn covers(&self, other: &Path) -> bool {
        if self.is_open() {
            // The path of every URL begins with `/`.
            return matches!(self.prefix(), b"" | b"/")
                || other.prefix().starts_with(self.prefix());
        }
        let ends_open = |path: &Path| !path.anchored || path.octets.last() == Some(&b'*');
        if !ends_open(self) && ends_open(other) {
            return false;
        }
        let Some(rest) = other.octets.strip_prefix(self.prefix()) else {
            return false;
        };
        let tail = self.octets.get(self.literal..).unwrap_or_default();
        let exact = !ends_open(self);
        let mut pieces: Vec<&[u8]> = tail.split(|octet| *octet == b'*').collect();
        if tail.is_empty() {
            return !exact || rest.is_empty();
        }
        // The last piece of an anchored path stands at the end, the others wherever they come first.
        let last = if exact { pieces.pop() } else { None };
        let mut rest = rest;
        for piece in pieces {
            let Some(at) = memchr::memmem::find(rest, piece) else {
                return false;
            };
            rest = rest.get(at + piece.len()..).unwrap_or_default();
        }
        last.is_none_or(|last| rest.ends_with(last))
    }
}

/// What one crawler makes of the rules that it obeys, given in the order of the file.
fn of_one_crawler(dialect: Dialect, rules: &mut [Rule<'_>], set: &[usize]) -> Result<(), Error> {
    let winners = winners(dialect, rules, set)?;
    let said = said_already(dialect, rules, set)?;
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
        rule.fate.obeyed = true;
        rule.fate.wins |= winner.is_none();
        rule.fate.matters |= winner.is_none() && said.is_none();
        rule.fate.beaten_by = rule.fate.beaten_by.or(winner);
        rule.fate.said_by = rule.fate.said_by.or(said);
    }
    Ok(())
}

/// For each rule of the set, the one that always wins against it.
fn winners(
    dialect: Dialect,
    rules: &[Rule<'_>],
    set: &[usize],
) -> Result<Vec<Option<usize>>, Error> {
    let members = || set.iter().filter_map(|at| rules.get(*at));
    let mut body = b"User-agent: *\n".to_vec();
    for rule in members() {
        body.try_reserve(rule.value.len() + 16)
            .map_err(|_| Error::Memory)?;
        body.extend_from_slice(if rule.allow {
            b"Allow: "
        } else {
            b"Disallow: "
        });
        body.extend_from_slice(rule.value);
        body.push(b'\n');
    }
    let crawler = Crawler::of(&[b"x"], dialect)?.with_max_bytes(MAX_MAX_BYTES)?;
    let image = rules::compile(&crawler, &body)?;
    let mut url = Vec::new();
    let mut winners = Vec::new();
    winners
        .try_reserve_exact(set.len())
        .map_err(|_| Error::Memory)?;
    for (at, rule) in set.iter().zip(members()) {
        url.clear();
        url.extend_from_slice(b"http://x");
        hardest_url(rule, dialect, &mut url);
        let line = rules::check_own(&image, &url).line() as usize;
        // The first rule stands in line 2.
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

/// SPEC 8.10: the rule matches other URLs, too.
fn stands_for_more(dialect: Dialect, rule: &Rule<'_>) -> bool {
    dialect.index_stands_for_directory()
        && rule.allow
        && memchr::memmem::find(rule.value, b"/index.htm").is_some()
}

/// The URL that is matched by nothing but what matches all that the rule matches.
fn hardest_url(rule: &Rule<'_>, dialect: Dialect, url: &mut Vec<u8>) {
    if rule.path.octets.first() == Some(&b'*') && dialect.has_wildcards() {
        url.push(b'/');
    }
    if dialect.has_wildcards() {
        let any = |octet: &u8| if *octet == b'*' { ANY } else { *octet };
        url.extend(rule.path.octets.iter().map(any));
    } else {
        // There, decoding what is decoded would change it.
        url.extend_from_slice(rule.value);
    }
    if !rule.path.anchored {
        url.push(ANY);
    }
}

/// Lengths of rules, in rising order, and their places in the list of all.
#[derive(Default)]
struct Lengths(Vec<(usize, usize)>);

impl Lengths {
    /// The longest below `length`, or of it if `with`.
    fn below(&self, length: usize, with: bool) -> Option<(usize, usize)> {
        let end = self
            .0
            .partition_point(|(of, _)| *of < length || with && *of == length);
        self.0.get(end.checked_sub(1)?).copied()
    }
}

/// The rules whose literal start is the same.
struct Node<'r> {
    prefix: &'r [u8],
    /// Disallow and allow rules that may match more than the prefix itself.
    longer: [Lengths; 2],
    /// Of these, those that match everything with this prefix.
    open: [Lengths; 2],
    /// Those that match the prefix alone.
    exact: [Lengths; 2],
}

/// For each rule of the set: a shorter one that says the same of all that it matches, while none that
/// would decide between the two says otherwise. `Some(None)`: an allow that nothing needs.
fn said_already(
    dialect: Dialect,
    rules: &[Rule<'_>],
    set: &[usize],
) -> Result<Vec<Option<Option<usize>>>, Error> {
    let mut said = Vec::new();
    said.try_reserve_exact(set.len())
        .map_err(|_| Error::Memory)?;
    said.resize(set.len(), None);
    let members = || set.iter().filter_map(|at| rules.get(*at));
    // Where the first match wins, a later rule says it, and others in between are hard to see.
    if dialect.first_match_wins() || members().any(|rule| stands_for_more(dialect, rule)) {
        return Ok(said);
    }
    let mut sorted: Vec<(usize, usize, &Rule<'_>)> = set
        .iter()
        .enumerate()
        .filter_map(|(place, at)| Some((place, *at, rules.get(*at)?)))
        .collect();
    sorted.sort_by(|(.., a), (.., b)| {
        (a.path.prefix(), a.path.length(), a.line).cmp(&(b.path.prefix(), b.path.length(), b.line))
    });
    let mut above: Vec<Node<'_>> = Vec::new();
    for same in sorted.chunk_by(|(.., a), (.., b)| a.path.prefix() == b.path.prefix()) {
        let Some((.., first)) = same.first() else {
            continue;
        };
        let prefix = first.path.prefix();
        while above
            .last()
            .is_some_and(|node| !prefix.starts_with(node.prefix))
        {
            above.pop();
        }
        let mut node = Node {
            prefix,
            longer: Default::default(),
            open: Default::default(),
            exact: Default::default(),
        };
        for (_, at, rule) in same {
            let entry = (rule.path.length(), *at);
            let is_exact = rule.path.is_literal() && rule.path.anchored;
            let [disallow, allow] = if is_exact {
                &mut node.exact
            } else {
                &mut node.longer
            };
            if rule.allow { allow } else { disallow }.0.push(entry);
            if rule.path.is_open() {
                let [disallow, allow] = &mut node.open;
                if rule.allow { allow } else { disallow }.0.push(entry);
            }
        }
        above.push(node);
        for (place, _, rule) in same.iter().filter(|(.., rule)| rule.path.is_literal()) {
            if let Some(said) = said.get_mut(*place) {
                *said = said_above(&above, rule);
            }
        }
    }
    Ok(said)
}

/// Looks at all rules whose literal start is one of the rule's path. No other can decide between: one with
/// a longer start is longer itself.
fn said_above(above: &[Node<'_>], rule: &Rule<'_>) -> Option<Option<usize>> {
    let length = rule.path.length();
    let of = |[disallow, allow]: &'_ [Lengths; 2], is_allow: bool, with: bool| {
        if is_allow { allow } else { disallow }.below(length, with)
    };
    // An equal of the rule is not shorter; an allow of its length wins against a disallow.
    let same = above
        .iter()
        .filter_map(|node| of(&node.open, rule.allow, false))
        .max();
    let against = |lengths| of(lengths, !rule.allow, rule.allow);
    let own = above.last().and_then(|node| against(&node.exact));
    let against = above
        .iter()
        .filter_map(|node| against(&node.longer))
        .chain(own)
        .max();
    match (same, against) {
        (Some((same, at)), Some((against, _))) => {
            // At equal length allow wins.
            let decides = if rule.allow {
                same >= against
            } else {
                same > against
            };
            decides.then_some(Some(at))
        }
        (Some((_, at)), None) => Some(Some(at)),
        (None, None) if rule.allow => Some(None),
        (None, _) => None,
    }
}

fn report(
    file: &File,
    rules: &[Rule<'_>],
    rule: &Rule<'_>,
    findings: &mut Findings,
) -> Result<(), Error> {
    if !rule.fate.obeyed || rule.fate.matters {
        return Ok(());
    }
    let place = file.place(rule.line, rule.value);
    if !rule.fate.wins
        && let Some(winner) = rule.fate.beaten_by
    {
        let by = rules.binary_search_by_key(&winner, |rule| rule.line).ok();
        let Some(by) = by.and_then(|at| rules.get(at)) else {
            return Ok(());
        };
        let (code, said) = beaten(file.dialect, rule, by);
        return findings.add(code, place, || said.other(by.line));
    }
    match rule.fate.said_by {
        // `Allow: /` is how people say that everything is allowed.
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
                say(format!("{} in line {line} says the same already: without this rule no verdict would change", quoted(value)))
                    .help("remove the rule")
                    .other(line)
            })
        }
        None => Ok(()),
    }
}

fn beaten(dialect: Dialect, rule: &Rule<'_>, by: &Rule<'_>) -> (Code, Said) {
    let is_same = rule.path.octets == by.path.octets && rule.path.anchored == by.path.anchored;
    let line = by.line;
    if is_same && rule.allow == by.allow {
        let how = if rule.value == by.value {
            "the same rule"
        } else {
            "the same rule, spelt otherwise,"
        };
        return (
            Code::Duplicate,
            say(format!("{how} stands in line {line} already")).help("remove one of the two"),
        );
    }
    let name = |rule: &Rule<'_>| if rule.allow { "allow" } else { "disallow" };
    if is_same {
        let why = if dialect.first_match_wins() {
            "the first rule wins"
        } else {
            "at equal length allow wins"
        };
        let said = say(format!(
            "this {} never decides: line {line} says {} of the same path, and {why}",
            name(rule),
            name(by)
        ));
        return (
            Code::Conflict,
            said.help("remove the one that is not meant"),
        );
    }
    let why = if dialect.first_match_wins() {
        "and stands before it"
    } else if by.path.length() > rule.path.length() {
        "and is longer"
    } else {
        "is as long, and is an allow"
    };
    let said = say(format!(
        "this rule never wins: {} in line {line} matches all that it matches, {why}",
        quoted(by.value)
    ));
    let help = if dialect.first_match_wins() {
        "put it before the other, or remove it"
    } else if rule.allow == by.allow {
        "remove it"
    } else {
        "make it longer than the other, or remove it"
    };
    (Code::NeverWins, said.help(help))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn covers(path: &str, other: &str) -> bool {
        let path_of = |text: &str| Path::of(text.as_bytes(), Dialect::Rfc9309).unwrap();
        path_of(path).covers(&path_of(other))
    }

    /// SPEC 8.2, 8.3, 8.4
    #[test]
    fn a_path_covers_what_is_certain() {
        for (path, other) in [
            ("/a", "/a"),
            ("/a", "/ab"),
            ("/a*", "/a"),
            ("/a", "/a*"),
            ("/", "*x"),
            ("*", "/"),
            ("/*b", "/ab"),
            ("/*b", "/*ab"),
            ("/*b", "/*b*c"),
            ("/*b*", "/*b$"),
            ("/*b$", "/ab$"),
            ("/*a*b$", "/axb$"),
            ("/a*$", "/ab"),
            ("/**", "/*"),
            ("/a", "/a$"),
            ("/*a", "/%61"),
            ("/a*b", "/ab*"),
        ] {
            assert!(covers(path, other), "{path} {other}");
        }
        for (path, other) in [
            ("/ab", "/a"),
            ("/a$", "/a"),
            ("/*b$", "/ab"),
            ("/*b", "/a*"),
            ("/*/x", "*/x"),
            ("/*7", "/*"),
            ("/*%7F", "/*"),
            ("/*ab*b$", "/ab$"),
            ("/a*b$", "/ab*"),
        ] {
            assert!(!covers(path, other), "{path} {other}");
        }
    }
}
