//! Finds all groups of a file and checks each.

use core::fmt::Display;
use std::collections::HashSet;
use std::collections::hash_map::{Entry, HashMap};

use super::codes::Code;
use super::diagnostic::{Findings, quoted, say};
use super::dialect_diff::{self, CompileBudget};
use super::lines::{File, LineKind};
use crate::crawler::Crawler;
use crate::crawler::token::Name;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::parser::directive::trim;
use crate::parser::group::seconds;
use crate::util::display::from_fn;
use crate::util::try_alloc::{copy, push};

/// A user-agent line.
#[derive(Clone, Debug)]
pub(super) struct Agent {
    pub(super) line: u32,
    /// The name in lower case; `*` for everyone, empty for nobody.
    pub(super) name: Vec<u8>,
    /// The name as written.
    pub(super) written: Vec<u8>,
    /// Another user-agent line has this name.
    pub(super) repeated: bool,
}

/// An allow or disallow line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    pub(super) line: u32,
    pub(super) allow: bool,
    /// It has a path.
    pub(super) has_path: bool,
}

/// A run of user-agent lines and the rules after it (SPEC 6.1).
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) agents: Vec<Agent>,
    pub(super) rules: Vec<Rule>,
    /// The crawl-delay lines.
    pub(super) delays: Vec<u32>,
    /// Other lines among the user-agent lines, without comments and blank lines.
    pub(super) interruptions: Vec<u32>,
    /// The group has an extension field.
    has_extension: bool,
}

impl Group {
    /// Returns the agents above and below a line.
    pub(super) fn agents_around(&self, line: u32) -> (&[Agent], &[Agent]) {
        let at = self.agents.partition_point(|agent| agent.line < line);
        self.agents.split_at_checked(at).unwrap_or_default()
    }
}

/// The groups of a file.
#[derive(Debug, Default)]
pub(super) struct Groups {
    pub(super) all: Vec<Group>,
}

impl Groups {
    /// Finds the groups, and sets the group of each line.
    pub(super) fn new(crawler: &Crawler, file: &mut File) -> Result<Groups, Error> {
        let mut groups = Groups::default();
        let mut open = false;
        let mut inside = false;
        let mut belongs = Vec::new();
        belongs
            .try_reserve_exact(file.kept.len())
            .map_err(|_| Error::Memory)?;
        // A line after the last user-agent line interrupts the run only if another user-agent line follows.
        let mut since = Vec::new();
        for line in file.lines() {
            if line.kind == LineKind::UserAgent && !open {
                push(&mut groups.all, Group::default())?;
                (open, inside) = (true, true);
                since.clear();
            }
            let current = groups.all.last_mut().filter(|_| inside);
            match (line.kind, current) {
                (LineKind::UserAgent, Some(group)) => {
                    group
                        .interruptions
                        .try_reserve(since.len())
                        .map_err(|_| Error::Memory)?;
                    group.interruptions.append(&mut since);
                    let written = copy(name_of(line.value, file.dialect))?;
                    let mut name = copy(&written)?;
                    name.make_ascii_lowercase();
                    let agent = Agent {
                        line: line.number,
                        name,
                        written,
                        repeated: false,
                    };
                    push(&mut group.agents, agent)?;
                }
                (LineKind::Allow | LineKind::Disallow, group) => {
                    open = false;
                    if let Some(group) = group {
                        let rule = Rule {
                            line: line.number,
                            allow: line.kind == LineKind::Allow,
                            has_path: !line.value.is_empty(),
                        };
                        push(&mut group.rules, rule)?;
                    }
                }
                (LineKind::CrawlDelay, group) => {
                    if let Some(group) = group {
                        push(&mut group.delays, line.number)?;
                    }
                    push(&mut since, line.number)?;
                    open &= !crawler.crawl_delay_ends_agents;
                }
                (LineKind::Blank, _) if file.dialect.blank_line_ends_record() => {
                    (open, inside) = (false, false);
                }
                (LineKind::Extension, Some(group)) => {
                    group.has_extension = true;
                    push(&mut since, line.number)?;
                }
                (LineKind::Sitemap | LineKind::Unknown | LineKind::Extension, _) if open => {
                    push(&mut since, line.number)?;
                }
                _ => {}
            }
            let is_of_group = inside
                && !matches!(
                    line.kind,
                    LineKind::Sitemap | LineKind::Blank | LineKind::Comment
                );
            belongs.push(if is_of_group { groups.count() } else { 0 });
        }
        for (kept, group) in file.kept.iter_mut().zip(belongs) {
            kept.group = group;
        }
        groups.mark_repeated()?;
        Ok(groups)
    }

    fn mark_repeated(&mut self) -> Result<(), Error> {
        let mut first: HashMap<&[u8], &mut bool> = HashMap::new();
        for agent in self.all.iter_mut().flat_map(|group| &mut group.agents) {
            first.try_reserve(1).map_err(|_| Error::Memory)?;
            match first.entry(&agent.name) {
                Entry::Vacant(entry) => {
                    entry.insert(&mut agent.repeated);
                }
                Entry::Occupied(mut entry) => {
                    **entry.get_mut() = true;
                    agent.repeated = true;
                }
            }
        }
        Ok(())
    }

    pub(super) fn count(&self) -> u32 {
        self.all.len() as u32
    }

    /// Returns a name as the file first writes it.
    pub(super) fn written<'g>(&'g self, name: &'g [u8], obeyed: &[u32]) -> &'g [u8] {
        let group = obeyed.first().and_then(|at| self.all.get(*at as usize));
        let agent = group.and_then(|group| group.agents.iter().find(|agent| agent.name == name));
        agent.map_or(name, |agent| &agent.written)
    }

    /// Returns for each name the groups that a crawler with this token obeys.
    pub(super) fn by_name(&self, merges: bool) -> Result<HashMap<&[u8], Vec<u32>>, Error> {
        let mut by_name: HashMap<&[u8], Vec<u32>> = HashMap::new();
        for (at, group) in self.all.iter().enumerate() {
            for agent in group.agents.iter().filter(|agent| !agent.name.is_empty()) {
                by_name.try_reserve(1).map_err(|_| Error::Memory)?;
                let groups = by_name.entry(&agent.name).or_default();
                if groups.last() != Some(&(at as u32)) && (merges || groups.is_empty()) {
                    push(groups, at as u32)?;
                }
            }
        }
        Ok(by_name)
    }
}

/// Returns the name on a user-agent line as written; `*` for everyone, empty for nobody.
pub(super) fn name_of(value: &[u8], dialect: Dialect) -> &[u8] {
    match Name::parse(value, dialect) {
        Name::Everyone => b"*",
        Name::Token(token) => token,
    }
}

pub(super) fn check_groups(
    crawler: &Crawler,
    file: &File,
    groups: &Groups,
    findings: &mut Findings,
) -> Result<(), Error> {
    outside(file, findings)?;
    repeated(file, groups, findings)?;
    let mut ruled = HashSet::new();
    for group in groups.all.iter().filter(|group| !group.rules.is_empty()) {
        ruled
            .try_reserve(group.agents.len())
            .map_err(|_| Error::Memory)?;
        ruled.extend(group.agents.iter().map(|agent| agent.name.as_slice()));
    }
    let mut budget = CompileBudget::new();
    for group in &groups.all {
        without_rules(file, &ruled, group, findings)?;
        crawl_delays(file, group, findings)?;
        for line in &group.interruptions {
            interruption(crawler, file, group, *line, &mut budget, findings)?;
        }
    }
    everyone(file, groups, findings)
}

/// Reports lines that belong to no group.
fn outside(file: &File, findings: &mut Findings) -> Result<(), Error> {
    for line in file.lines().filter(|line| line.group == 0) {
        let place = file.place(line.number, trim(line.text, file.dialect));
        match line.kind {
            LineKind::Allow | LineKind::Disallow => {
                findings.add(Code::RuleOutsideGroup, place, || {
                    let message = "this rule belongs to no group and is ignored";
                    say(message).help("write `User-agent: *` above it, if it is for everyone")
                })?;
            }
            LineKind::CrawlDelay => findings.add(Code::CrawlDelayOutsideGroup, place, || {
                say("this crawl-delay belongs to no group and is ignored")
                    .help("write it after the user-agent line of the crawlers it is for")
            })?,
            _ => {}
        }
    }
    Ok(())
}

/// Reports names that occur more than once.
fn repeated(file: &File, groups: &Groups, findings: &mut Findings) -> Result<(), Error> {
    let mut first: HashMap<&[u8], (usize, u32)> = HashMap::new();
    for (at, group) in groups.all.iter().enumerate() {
        for agent in group.agents.iter().filter(|agent| !agent.name.is_empty()) {
            first.try_reserve(1).map_err(|_| Error::Memory)?;
            let (group, line) = *first.entry(&agent.name).or_insert((at, agent.line));
            if line == agent.line {
                continue;
            }
            let value = file.line(agent.line).map_or(&b""[..], |line| line.value);
            let place = file.place(agent.line, value);
            if group == at {
                findings.add(Code::AgentTwice, place, || {
                    say(format_args!("this group already names {}", quoted(value)))
                        .help("remove this line")
                        .other(line)
                })?;
                continue;
            }
            let is_read = file.dialect.merges_groups();
            findings.add(Code::AgentAgain, place, || {
                let effect = if is_read {
                    "both groups apply together, but some crawlers read only the first"
                } else {
                    "in this dialect only the first group applies"
                };
                say(format_args!(
                    "an earlier group also names {}: {effect}",
                    quoted(value)
                ))
                .help("merge their rules into one group")
                .other(line)
            })?;
        }
    }
    Ok(())
}

/// SPEC 6.3: a group without rules allows everything, unless another group with the same name has rules.
fn without_rules(
    file: &File,
    ruled: &HashSet<&[u8]>,
    group: &Group,
    findings: &mut Findings,
) -> Result<(), Error> {
    let has_purpose = !group.rules.is_empty() || group.has_extension || !group.delays.is_empty();
    let is_free = |agent: &&Agent| !agent.name.is_empty() && !ruled.contains(agent.name.as_slice());
    let mut freed = group.agents.iter().filter(is_free);
    let Some(last) = freed.next_back().filter(|_| !has_purpose) else {
        return Ok(());
    };
    let value = file.line(last.line).map_or(&b""[..], |line| line.value);
    findings.add(
        Code::GroupWithoutRules,
        file.place(last.line, value),
        || {
            let count = freed.count() + 1;
            let names = from_fn(|f| match (count, last.name.as_slice()) {
                (1, b"*") => f.write_str("everyone that no other group names"),
                (1, _) => quoted(&last.written).fmt(f),
                (count, _) => write!(f, "the {count} crawlers that it names"),
            });
            say(format_args!(
                "a group without rules allows everything to {names}"
            ))
            .help("write `Disallow:` below it, if that is meant")
        },
    )
}

fn crawl_delays(file: &File, group: &Group, findings: &mut Findings) -> Result<(), Error> {
    let is_number = |line: &&u32| {
        file.line(**line)
            .is_some_and(|line| seconds(line.value).is_some())
    };
    let mut lines = group.delays.iter().filter(is_number);
    let Some(first) = lines.next() else {
        return Ok(());
    };
    for line in lines {
        let value = file.line(*line).map_or(&b""[..], |line| line.value);
        findings.add(Code::CrawlDelayAgain, file.place(*line, value), || {
            say("this group has a crawl-delay already: the longest counts")
                .help("remove one of the two")
                .other(*first)
        })?;
    }
    Ok(())
}

/// SPEC 6.1: checks a line among user-agent lines.
fn interruption(
    crawler: &Crawler,
    file: &File,
    group: &Group,
    number: u32,
    budget: &mut CompileBudget,
    findings: &mut Findings,
) -> Result<(), Error> {
    let Some(line) = file.line(number) else {
        return Ok(());
    };
    let (above, below) = group.agents_around(number);
    let (Some(before), Some(after)) = (above.last(), below.first()) else {
        return Ok(());
    };
    let place = file.place(number, trim(line.text, file.dialect));
    let matters = if line.kind == LineKind::CrawlDelay {
        dialect_diff::crawl_delay_matters(crawler, file, group, number, budget)?
    } else {
        None
    };
    if let Some((agent, example)) = matters {
        return findings.add(Code::CrawlDelayBetweenAgents, place, || {
            say(format_args!(
                "the rules below also apply to {}, since a crawl-delay does not end the user-agent lines: {example}",
                quoted(&agent.written)
            ))
            .help("write `Disallow:` below this line, if the crawlers above it may fetch everything")
            .other(after.line)
        });
    }
    findings.add(Code::AgentsInterrupted, place, || {
        let names = (named(&before.written), named(&after.written));
        say(format_args!(
            "{} and {} are one group, although this line is between them",
            names.0, names.1
        ))
        .help("move it, or write a rule (`Disallow:`) above it if they should be two groups")
        .other(after.line)
    })
}

fn named(name: &[u8]) -> impl Display {
    from_fn(move |f| match name {
        b"" => f.write_str("the agents above"),
        name => quoted(name).fmt(f),
    })
}

/// Reports a group of `*` that disallows everything.
fn everyone(file: &File, groups: &Groups, findings: &mut Findings) -> Result<(), Error> {
    let is_everyone = |group: &&Group| group.agents.iter().any(|agent| agent.name == b"*");
    let mut rules = groups
        .all
        .iter()
        .filter(is_everyone)
        .flat_map(|group| &group.rules);
    if rules.clone().any(|rule| rule.allow && rule.has_path) {
        return Ok(());
    }
    let whole = rules.find_map(|rule| {
        let line = file.line(rule.line)?;
        matches!(line.value, b"/" | b"/*").then_some(line)
    });
    let Some(line) = whole else {
        return Ok(());
    };
    findings.add(
        Code::EveryoneKeptOut,
        file.place(line.number, line.value),
        || {
            say("every crawler that no other group names is disallowed everywhere")
                .help("remove this rule, if search engines should find the site")
        },
    )
}
