//! SPEC 6 (groups), 7 (which of them a crawler obeys), 9.1 (sitemap) and 9.2 (crawl-delay).

use super::file::{Line, Meaning, is_white};
use super::{Dialect, Setup, paths, preferences};

#[derive(Clone, Default)]
pub struct Group {
    agents: Vec<Agent>,
    pub rules: Vec<Rule>,
    pub delays: Vec<f64>,
    pub preferences: Vec<preferences::Line>,
}

/// What one user-agent line names.
#[derive(Clone)]
enum Agent {
    /// 7.4
    Everyone,
    /// The value of any other line.
    Other(Vec<u8>),
}

#[derive(Clone)]
pub struct Rule {
    pub line: u32,
    pub allow: bool,
    /// In canonical form (8.6).
    pub path: Vec<u8>,
}

/// Every group of the file, in file order, the sitemaps, and the preferences in no group.
pub fn all_groups(
    setup: &Setup,
    lines: &[Line],
) -> (Vec<Group>, Vec<Vec<u8>>, Vec<preferences::Line>) {
    let mut groups: Vec<Group> = Vec::new();
    let (mut sitemaps, mut outside) = (Vec::new(), Vec::new());
    // Is there a group that a rule would belong to (6.2, 6.6)?
    let mut in_group = false;
    // Would another user-agent line belong to it too (6.1)?
    let mut in_agents = false;
    for line in lines {
        match &line.meaning {
            Meaning::UserAgent(value) => {
                if !in_agents {
                    groups.push(Group::default());
                }
                (in_group, in_agents) = (true, true);
                if let Some(group) = groups.last_mut() {
                    group.agents.push(agent(setup.dialect, value));
                }
            }
            Meaning::Allow(value) | Meaning::Disallow(value) => {
                let allow = matches!(line.meaning, Meaning::Allow(_));
                in_agents = false;
                // 8.5: a rule with an empty path is ignored (8.8: but in google it has a line).
                let counts = !value.is_empty() || setup.dialect == Dialect::Google;
                if let (true, true, Some(group)) = (in_group, counts, groups.last_mut()) {
                    let path = paths::canonical_rule(setup.dialect, value);
                    group.rules.push(Rule {
                        line: line.number,
                        allow,
                        path,
                    });
                }
            }
            Meaning::CrawlDelay(value) => {
                // 6.1: it does not end the run of user-agent lines, unless the crawler wants it to.
                if setup.crawl_delay_ends_agents {
                    in_agents = false;
                }
                if let (true, Some(group)) = (in_group, groups.last_mut()) {
                    group.delays.extend(seconds(value));
                }
            }
            // 9.1: belongs to no group.
            Meaning::Sitemap(value) => {
                if !value.is_empty() {
                    sitemaps.push(value.clone());
                }
            }
            Meaning::Preference(line) => match groups.last_mut().filter(|_| in_group) {
                Some(group) => group.preferences.push(line.clone()),
                None => outside.push(line.clone()),
            },
            // 6.6: in koster1996 a blank line ends the record.
            Meaning::Blank => {
                if setup.dialect == Dialect::Koster1996 {
                    (in_group, in_agents) = (false, false);
                }
            }
            Meaning::Other => {}
        }
    }
    (groups, sitemaps, outside)
}

/// 7.4: does the value of a user-agent line name everyone?
fn agent(dialect: Dialect, value: &[u8]) -> Agent {
    match value {
        [b'*'] => return Agent::Everyone,
        [b'*', next, ..] if is_white(dialect, *next) => return Agent::Everyone,
        _ => {}
    }
    Agent::Other(value.to_vec())
}

/// 7.3, 7.8: the name in the value of a user-agent line, as a crawler called `token` reads it.
fn name(dialect: Dialect, value: &[u8], token: &[u8]) -> Vec<u8> {
    let narrow = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-');
    let wide = |byte: &u8| narrow(byte) || byte.is_ascii_digit() || *byte == b'.';
    let in_name = |byte: &&u8| match dialect {
        Dialect::Google => narrow(byte),
        // 7.3: the crawler's own token decides.
        Dialect::Rfc9309 if token.iter().all(narrow) => narrow(byte),
        Dialect::Rfc9309 => wide(byte),
        // 7.8: the whole value is the name.
        Dialect::Koster1996 => true,
    };
    value.iter().take_while(in_name).copied().collect()
}

/// 9.2: digits with an optional fraction, and nothing else.
fn seconds(value: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(value).ok()?;
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let points = text.chars().filter(|&c| c == '.').count();
    if digits == 0 || points > 1 || digits + points != text.len() {
        return None;
    }
    // 15 significant digits, and 19 after the point.
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut read = format!("{whole}.");
    for digit in fraction.chars().take(19) {
        let digits: String = read.chars().filter(char::is_ascii_digit).collect();
        if digits.trim_start_matches('0').len() < 15 {
            read.push(digit);
        }
    }
    read.parse()
        .ok()
        .map(|seconds: f64| seconds.min(10.0 * 365.0 * 86_400.0))
}

/// 7.1: the groups that the crawler obeys; `None` when no group applies to it.
pub fn obeyed(setup: &Setup, groups: &[Group]) -> Option<Vec<Group>> {
    // 7.1: the first of its tokens which any group names. 7.7: or all of them alike.
    // 7.8: not in koster1996.
    let merges = setup.merge_tokens && setup.dialect != Dialect::Koster1996;
    let ranks: Vec<&[Vec<u8>]> = if merges {
        vec![&setup.tokens[..]]
    } else {
        setup.tokens.chunks(1).collect()
    };
    for tokens in ranks {
        let named = |group: &&Group| {
            tokens
                .iter()
                .any(|token| names_token(setup.dialect, group, token))
        };
        if let Some(found) = found(setup.dialect, groups.iter().filter(named)) {
            return Some(found);
        }
    }
    // 7.5
    if setup.ignore_star {
        return None;
    }
    found(
        setup.dialect,
        groups.iter().filter(|group| names_everyone(group)),
    )
}

/// 6.4: they are one group, in file order. 7.8: in koster1996 the first stands alone.
fn found<'a>(dialect: Dialect, named: impl Iterator<Item = &'a Group>) -> Option<Vec<Group>> {
    let mut named: Vec<Group> = named.cloned().collect();
    if dialect == Dialect::Koster1996 {
        named.truncate(1);
    }
    (!named.is_empty()).then_some(named)
}

/// 7.2: whole, in any letter case. 7.9: or the whole value.
fn names_token(dialect: Dialect, group: &Group, token: &[u8]) -> bool {
    group.agents.iter().any(|agent| match agent {
        Agent::Everyone => false,
        Agent::Other(value) => {
            name(dialect, value, token).eq_ignore_ascii_case(token)
                || dialect == Dialect::Rfc9309 && value.eq_ignore_ascii_case(token)
        }
    })
}

fn names_everyone(group: &Group) -> bool {
    group
        .agents
        .iter()
        .any(|agent| matches!(agent, Agent::Everyone))
}
