//! Checks each group of a file (SPEC 6).

use core::fmt::Display;

use super::agents;
use super::budget::{Budget, NOBODY, named};
use super::codes::Code;
use super::diagnostic::{Checked, Findings, FixResult, quoted};
use super::fields::skipped_field;
use super::groups::{Agent, FileGroup, Groups, name_of, written};
use super::lines::{File, LineKind, LineParts};
use super::search;
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::bytes::display::from_fn;
use crate::bytes::try_alloc::{collect, push, words};
use crate::core::parse::group::seconds;
use crate::owner::difference::common;
use crate::owner::explain::word;

pub(super) fn check_groups(file: &File, groups: &Groups, findings: &mut Findings) -> Checked {
    outside(file, findings);
    repeated(file, groups, findings);
    let mut ruled = collect(groups.agents.iter().map(|_| false))?;
    let classes = groups.classes(file, file.dialect.merges_groups())?;
    for (agent, obeyed) in classes.iter() {
        if let Some(ruled) = ruled.get_mut(agent) {
            *ruled = groups.rules_of(obeyed).next().is_some();
        }
    }
    let mut budget = Budget::new(file);
    for group in groups.iter() {
        without_rules(file, &ruled, group, findings);
        crawl_delays(file, group, findings);
        let lines = group.interruptions.iter();
        for line in lines.filter_map(|line| file.line(*line)) {
            interruption(file, group, line, &mut budget, findings)?;
        }
    }
    search::check_search(file, &mut budget, findings)
}

fn outside(file: &File, findings: &mut Findings) {
    for line in file.lines().filter(|line| line.group == 0) {
        let place = || file.place(line.number, file.dialect.trim(line.text));
        match line.kind {
            LineKind::Allow | LineKind::Disallow => findings
                .add(Code::RuleOutsideGroup, place())
                .say("this rule belongs to no group and is ignored")
                .help("write `User-agent: *` above it, if it is for everyone"),
            LineKind::CrawlDelay => findings
                .add(Code::CrawlDelayOutsideGroup, place())
                .say("this crawl-delay belongs to no group and is ignored")
                .help("write it after the user-agent line of the crawlers it is for"),
            _ => continue,
        };
    }
}

fn repeated(file: &File, groups: &Groups, findings: &mut Findings) {
    for group in groups.iter() {
        let own = group.first_agent as u32;
        let is_field = |line: &u32| file.line(*line).and_then(skipped_field).is_some();
        let lines = group.interruptions.iter().copied();
        let mut fields = lines.filter(is_field).peekable();
        // Line number of the nearest probably misspelt field above the agent; 0 for none.
        let mut split = 0;
        for (at, agent) in (own..).zip(group.agents) {
            while let Some(line) = fields.next_if(|line| *line < agent.line) {
                split = line;
            }
            let first = groups.agents.get(agent.first as usize);
            let Some(first) = first.filter(|_| agent.len > 0 && agent.first != at) else {
                continue;
            };
            let value = file.value(agent.line);
            let place = file.place(agent.line, value);
            if agent.first >= own {
                // Google reads `a1` and `a2` as one name.
                let names = [file.value(first.line), value];
                let names = names.map(|value| Dialect::Rfc9309.agent_name(value));
                let is_same = matches!(names, [Some(a), Some(b)] if a.eq_ignore_ascii_case(b));
                // Whether a misspelt field is between the two lines. After this field is corrected, the lines may be in two
                // groups.
                let is_split = split > first.line;
                findings
                    .add(Code::AgentTwice, place)
                    .say(format_args!("this group already names {}", quoted(value)))
                    .help("remove this line")
                    .fix(|| file.remove_line(agent.line).safe_if(is_same && !is_split))
                    .other(first.line);
                continue;
            }
            let effect = if file.dialect.merges_groups() {
                "both groups apply together, but some crawlers read only the first"
            } else {
                "in this dialect only the first group applies"
            };
            let name = quoted(name_of(value, file.dialect));
            findings
                .add(Code::AgentAgain, place)
                .say(format_args!("an earlier group also names {name}: {effect}"))
                .help("merge their rules into one group")
                .other(first.line);
        }
    }
}

/// Reports a group that allows everything because no group with its names has rules (SPEC 6.3).
fn without_rules(file: &File, ruled: &[bool], group: FileGroup<'_>, findings: &mut Findings) {
    let is_ruled = |agent: &Agent| ruled.get(agent.first as usize) == Some(&true);
    let is_free = |agent: &&Agent| agent.len > 0 && !is_ruled(agent);
    let freed = group.agents.iter().filter(is_free);
    let Some(last) = freed.clone().next_back().filter(|_| !group.has_lines()) else {
        return;
    };
    let names = from_fn(|f| match (freed.clone().count(), written(file, last)) {
        (1, b"*") => f.write_str("everyone that no other group names"),
        (1, name) => quoted(name).fmt(f),
        (count, _) => write!(f, "{count} crawlers that it names"),
    });
    findings
        .add(Code::GroupWithoutRules, file.value_place(last.line))
        .say(format_args!(
            "a group without rules allows everything to {names}"
        ))
        .help("write `Disallow:` below it, if that is meant")
        .fix(|| empty_rule_below(file, group));
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
    // A crawler that ignores blank lines may read this group and the next group as one group. The fix would allow everything to
    // such a crawler.
    file.insert(file.whole_line(last.line).end, text)
        .safe_if(!file.dialect.blank_line_ends_record())
}

fn crawl_delays(file: &File, group: FileGroup<'_>, findings: &mut Findings) {
    let delay = |line: &u32| seconds(file.value(*line)).map(|delay| (*line, delay));
    let mut delays = group.delays.iter().filter_map(delay);
    let Some((first, before)) = delays.next() else {
        return;
    };
    let (_, later) = group.agents_around(first);
    for (line, delay) in delays {
        let is_same = delay == before;
        let found = findings
            .add(Code::CrawlDelayAgain, file.value_place(line))
            .say(if is_same {
                "this group already has this crawl-delay"
            } else {
                "this group already has a crawl-delay: the longest counts"
            })
            .other(first);
        // An author who writes names below a crawl-delay usually thinks that the crawl-delay ends the run of user-agent lines,
        // which is wrong.
        if later.iter().any(|agent| agent.line < line) {
            found.help("write `Disallow:` after the first, if the crawlers below it should be a group of their own");
        } else if is_same {
            found
                .help("remove this line")
                .fix(|| file.remove_line(line).safe_if(true));
        } else {
            found.help("remove one of the two");
        }
    }
}

/// Checks a line among user-agent lines (SPEC 6.1).
fn interruption(
    file: &File,
    group: FileGroup<'_>,
    line: LineParts<'_>,
    budget: &mut Budget,
    findings: &mut Findings,
) -> Checked {
    let (above, below) = group.agents_around(line.number);
    let (Some(before), Some(after)) = (above.last(), below.first()) else {
        return Ok(());
    };
    let place = file.place(line.number, file.dialect.trim(line.text));
    let matters = match line.kind {
        LineKind::CrawlDelay => crawl_delay_matters(file, group, line.number, budget)?,
        _ => None,
    };
    if let Some((agent, example)) = matters {
        let name = quoted(written(file, agent));
        findings
            .add(Code::CrawlDelayBetweenAgents, place)
            .say(format_args!("the rules below also apply to {name}, since a crawl-delay does not end the user-agent lines: {example}"))
            .help("write `Disallow:` below this line, if the crawlers above it may fetch everything")
            .other(after.line);
        return Ok(());
    }
    let [first, second] =
        [before, after].map(|agent| agents::named(written(file, agent), "the agents above"));
    findings
        .add(Code::AgentsInterrupted, place)
        .say(format_args!(
            "{first} and {second} are one group, although this line is between them"
        ))
        .help(if before.first == after.first {
            "move it below the user-agent lines"
        } else {
            "move it, or write a rule (`Disallow:`) above it if they should be two groups"
        })
        .other(after.line);
    Ok(())
}

/// The cost of examining an agent, in steps of the budget.
const AGENT_COST: u64 = 16;

/// Returns an agent above `line`, and an example of a verdict for it. This verdict would change if the crawl-delay on `line`
/// ended the run of user-agent lines.
fn crawl_delay_matters<'g>(
    file: &File,
    group: FileGroup<'g>,
    line: u32,
    budget: &mut Budget,
) -> Result<Option<(&'g Agent, String)>, Error> {
    if group.rules.is_empty() {
        return Ok(None);
    }
    // The field `first` of each agent that was compared.
    let mut asked: Vec<u32> = Vec::new();
    let (above, _) = group.agents_around(line);
    for agent in above.iter().rev() {
        // A hostile file has many crawl-delay lines, each after many agents.
        if !budget.take(AGENT_COST) {
            return Ok(None);
        }
        // All crawlers that the file names only in this group obey the same rules, so compare only one of these crawlers.
        let name = written(file, agent);
        let alone = !agent.repeated && name != b"*";
        let key = if alone { u32::MAX } else { agent.first };
        if name.is_empty() || asked.contains(&key) {
            continue;
        }
        push(&mut asked, key)?;
        let token = if name == b"*" { NOBODY } else { name };
        let crawler = named(file, token, file.dialect)?;
        let joined = budget.compiled_for(&crawler, &file.body)?;
        let ended = crawler.with_crawl_delay_ends_agents(true);
        let ended = budget.compiled_for(&ended, &file.body)?;
        let (Some(joined), Some(ended)) = (joined, ended) else {
            return Ok(None);
        };
        let difference = common([&joined, &ended], 1, &mut budget.limits)?;
        if let Some(found) = difference.paths().next() {
            let (url, token) = (quoted(found.path().as_bytes()), quoted(token));
            let [joined, ended] = found.verdicts().map(word);
            let example = words(format_args!(
                "{url} is {joined} for {token}, and would be {ended} if the crawl-delay ended them"
            ))?;
            return Ok(Some((agent, example)));
        }
    }
    Ok(None)
}
