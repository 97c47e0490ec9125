//! Checks each group of a file (SPEC 6).

use core::fmt::Display;

use super::codes::Code;
use super::diagnostic::{Findings, quoted, say};
use super::dialect_diff::{self, CompileBudget};
use super::fix::FixResult;
use super::groups::{Agent, FileGroup, Groups, name_of, written};
use super::lines::{File, LineKind};
use crate::crawler::Crawler;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::parser::directive::trim;
use crate::parser::group::seconds;
use crate::util::display::from_fn;

pub(super) fn check_groups(
    crawler: &Crawler,
    file: &File,
    groups: &Groups,
    findings: &mut Findings,
) -> Result<(), Error> {
    outside(file, findings)?;
    repeated(file, groups, findings)?;
    let mut ruled: Vec<bool> = Vec::new();
    ruled
        .try_reserve_exact(groups.agents.len())
        .map_err(|_| Error::Memory)?;
    ruled.resize(groups.agents.len(), false);
    for group in groups.iter().filter(|group| !group.rules.is_empty()) {
        for agent in group.agents {
            if let Some(ruled) = ruled.get_mut(agent.first as usize) {
                *ruled = true;
            }
        }
    }
    let mut budget = CompileBudget::new();
    for group in groups.iter() {
        without_rules(file, &ruled, group, findings)?;
        crawl_delays(file, group, findings)?;
        for line in group.interruptions {
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
    for group in groups.iter() {
        for (at, agent) in (group.first_agent as u32..).zip(group.agents) {
            let first = groups.agents.get(agent.first as usize);
            let Some(first) = first.filter(|_| agent.len > 0 && agent.first != at) else {
                continue;
            };
            let line = first.line;
            let value = file.value(agent.line);
            let place = file.place(agent.line, value);
            if agent.first >= group.first_agent as u32 {
                // Google reads `a1` and `a2` as one name.
                let first = file.value(line);
                let [first, name] = [first, value].map(|value| Dialect::Rfc9309.agent_name(value));
                let is_same = first
                    .zip(name)
                    .is_some_and(|(first, name)| first.eq_ignore_ascii_case(name));
                findings.add(Code::AgentTwice, place, || {
                    say(format_args!("this group already names {}", quoted(value)))
                        .help("remove this line")
                        .fix(file.remove_line(agent.line).safe_if(is_same))
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
                let name = name_of(value, file.dialect);
                say(format_args!(
                    "an earlier group also names {}: {effect}",
                    quoted(name)
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
    ruled: &[bool],
    group: FileGroup<'_>,
    findings: &mut Findings,
) -> Result<(), Error> {
    let has_purpose = !group.rules.is_empty() || group.has_extension || !group.delays.is_empty();
    let is_ruled = |agent: &Agent| ruled.get(agent.first as usize) == Some(&true);
    let is_free = |agent: &&Agent| agent.len > 0 && !is_ruled(agent);
    let mut freed = group.agents.iter().filter(is_free);
    let Some(last) = freed.next_back().filter(|_| !has_purpose) else {
        return Ok(());
    };
    let value = file.value(last.line);
    findings.add(
        Code::GroupWithoutRules,
        file.place(last.line, value),
        || {
            let count = freed.count() + 1;
            let names = from_fn(|f| match (count, written(file, last)) {
                (1, b"*") => f.write_str("everyone that no other group names"),
                (1, name) => quoted(name).fmt(f),
                (count, _) => write!(f, "the {count} crawlers that it names"),
            });
            say(format_args!(
                "a group without rules allows everything to {names}"
            ))
            .help("write `Disallow:` below it, if that is meant")
            .fix(empty_rule_below(file, group))
        },
    )
}

/// Inserts `Disallow:` below the last user-agent line of a group.
fn empty_rule_below(file: &File, group: FileGroup<'_>) -> FixResult {
    let Some(last) = group.agents.last() else {
        return FixResult::NONE;
    };
    let text = match file.line_end() {
        "\r\n" => "\r\nDisallow:",
        "\r" => "\rDisallow:",
        _ => "\nDisallow:",
    };
    // Without blank lines that end a record, the group and the next one may be one group: other crawlers would be let in.
    file.insert(file.whole_line(last.line).end, text)
        .safe_if(!file.dialect.blank_line_ends_record())
}

fn crawl_delays(file: &File, group: FileGroup<'_>, findings: &mut Findings) -> Result<(), Error> {
    let is_number = |line: &&u32| {
        file.line(**line)
            .is_some_and(|line| seconds(line.value).is_some())
    };
    let mut lines = group.delays.iter().filter(is_number);
    let Some(first) = lines.next() else {
        return Ok(());
    };
    for line in lines {
        let value = file.value(*line);
        findings.add(Code::CrawlDelayAgain, file.place(*line, value), || {
            let before = file.value(*first);
            let is_same = seconds(before) == seconds(value);
            let (_, later) = group.agents_around(*first);
            let said = if is_same {
                say("this group already has this crawl-delay")
            } else {
                say("this group already has a crawl-delay: the longest counts")
            };
            // A crawl-delay does not end the user-agent lines, but who writes names after it mostly means that.
            let said = if later.iter().any(|agent| agent.line < *line) {
                said.help("write `Disallow:` after the first, if the crawlers below it should be a group of their own")
            } else if is_same {
                said.help("remove this line")
                    .fix(file.remove_line(*line).safe_if(true))
            } else {
                said.help("remove one of the two")
            };
            said.other(*first)
        })?;
    }
    Ok(())
}

/// SPEC 6.1: checks a line among user-agent lines.
fn interruption(
    crawler: &Crawler,
    file: &File,
    group: FileGroup<'_>,
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
                quoted(written(file, agent))
            ))
            .help("write `Disallow:` below this line, if the crawlers above it may fetch everything")
            .other(after.line)
        });
    }
    findings.add(Code::AgentsInterrupted, place, || {
        let names = (named(written(file, before)), named(written(file, after)));
        say(format_args!(
            "{} and {} are one group, although this line is between them",
            names.0, names.1
        ))
        .help(if before.first == after.first {
            "move it below the user-agent lines"
        } else {
            "move it, or write a rule (`Disallow:`) above it if they should be two groups"
        })
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
    let names_everyone = |agent: &Agent| written(file, agent) == b"*";
    let is_everyone = |group: &FileGroup<'_>| group.agents.iter().any(names_everyone);
    let mut rules = groups
        .iter()
        .filter(is_everyone)
        .flat_map(|group| group.rules);
    if rules.clone().any(|rule| rule.allow && rule.has_path) {
        return Ok(());
    }
    let whole = rules.find_map(|rule| {
        let line = file.line(rule.line)?;
        matches!(line.value, b"/" | b"/*" | b"*").then_some(line)
    });
    let Some(line) = whole else {
        return Ok(());
    };
    findings.add(
        Code::EveryoneKeptOut,
        file.place(line.number, line.value),
        || {
            say("every crawler that obeys `*` and that no other group names is disallowed everywhere")
                .help("remove this rule, if search engines should find the site; name AdsBot-Google, AdsBot-Google-Mobile, AdsBot-Google-Mobile-Apps and Mediapartners-Google to keep them out, too: they do not obey `*`")
        },
    )
}
