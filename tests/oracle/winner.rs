//! SPEC 8.2 to 8.5 (does a rule match), 8.7 to 8.10 (which rule wins).

use super::groups::Rule;
use super::{Answer, Dialect, Reason, paths};

pub fn decide(dialect: Dialect, rules: Option<&[Rule]>, url: &[u8]) -> Answer {
    // 8.5b, 8.12
    let path = paths::canonical_url(dialect, url).filter(|path| path.len() <= 65_536);
    let Some(path) = path else {
        return Answer {
            allowed: false,
            reason: Reason::None,
            line: 0,
            url_error: true,
            site_wide: false,
        };
    };
    // 8.9
    if dialect != Dialect::Google && path == b"/robots.txt" {
        return answer(Reason::RobotsTxt, 0);
    }
    // 7.1: there is no group, everything is allowed.
    let Some(rules) = rules else {
        return answer(Reason::NoGroup, 0);
    };
    match dialect {
        Dialect::Rfc9309 => longest(rules, |rule| length_of_match(&rule.path, &path)),
        Dialect::Google => longest(rules, |rule| length_of_match_google(rule, &path)),
        Dialect::Koster1996 => first(rules, &path),
    }
}

/// Every rule that matches by itself, with the bytes it counts with.
pub fn matching(dialect: Dialect, rules: &[Rule], url: &[u8]) -> Vec<(u32, bool, usize)> {
    let path = paths::canonical_url(dialect, url).unwrap_or_default();
    let length = |rule: &Rule| match dialect {
        Dialect::Rfc9309 => length_of_match(&rule.path, &path),
        Dialect::Google => length_of_match_google(rule, &path),
        Dialect::Koster1996 => path.starts_with(&rule.path).then_some(rule.path.len()),
    };
    let matching = rules
        .iter()
        .filter_map(|rule| Some((rule.line, rule.allow, length(rule)?)));
    matching.collect()
}

fn answer(reason: Reason, line: u32) -> Answer {
    Answer {
        allowed: reason != Reason::RuleDisallowed,
        reason,
        line,
        url_error: false,
        site_wide: false,
    }
}

/// 8.7: the longest rule wins, at equal length allow wins, and the first of the winner's equals is
/// reported. 8.8: no rule, line 0; but a match of length 0 (google, empty path) gives its line.
fn longest(rules: &[Rule], length: impl Fn(&Rule) -> Option<usize>) -> Answer {
    let best = |allow: bool| {
        let mut best: Option<(usize, u32)> = None;
        for rule in rules.iter().filter(|rule| rule.allow == allow) {
            let Some(length) = length(rule) else { continue };
            if best.is_none_or(|(longest, _)| longest < length) {
                best = Some((length, rule.line));
            }
        }
        best
    };
    let (allowed, disallowed) = (best(true), best(false));
    let winner = match (allowed, disallowed) {
        (Some(allowed), Some(disallowed)) if disallowed.0 > allowed.0 => Some((false, disallowed)),
        (Some(allowed), _) => Some((true, allowed)),
        (None, Some(disallowed)) => Some((false, disallowed)),
        (None, None) => None,
    };
    match winner {
        None => answer(Reason::NoRule, 0),
        Some((_, (0, line))) => answer(Reason::NoRule, line),
        Some((true, (_, line))) => answer(Reason::RuleAllowed, line),
        Some((false, (_, line))) => answer(Reason::RuleDisallowed, line),
    }
}

/// 8.7, koster1996: the first matching rule in file order. 8.6: no wildcards.
fn first(rules: &[Rule], path: &[u8]) -> Answer {
    match rules.iter().find(|rule| path.starts_with(&rule.path)) {
        None => answer(Reason::NoRule, 0),
        Some(rule) if rule.allow => answer(Reason::RuleAllowed, rule.line),
        Some(rule) => answer(Reason::RuleDisallowed, rule.line),
    }
}

/// 8.7: a rule that matches counts with the bytes of its path, `*` and `$` included.
fn length_of_match(pattern: &[u8], path: &[u8]) -> Option<usize> {
    matches(pattern, path).then_some(pattern.len())
}

/// 8.10: an allow rule that ends in `/index.htm…` and does not match stands for its directory too.
fn length_of_match_google(rule: &Rule, path: &[u8]) -> Option<usize> {
    let length = length_of_match(&rule.path, path);
    if length.is_some() || !rule.allow {
        return length;
    }
    let slash = rule.path.iter().rposition(|&byte| byte == b'/')?;
    let (directory, file) = rule.path.split_at(slash + 1);
    if !file.starts_with(b"index.htm") {
        return None;
    }
    length_of_match(&[directory, b"$"].concat(), path)
}

/// 8.2 to 8.4. The set of all the places of the path that some way of matching the pattern so far can
/// have reached; each byte of the pattern makes a new set from it.
///
/// In rfc9309 only a wildcard is still a `*` and only an end a `$` (8.6 f), on both sides.
fn matches(pattern: &[u8], path: &[u8]) -> bool {
    let mut places = vec![0];
    for (at, &byte) in pattern.iter().enumerate() {
        if byte == b'$' && at + 1 == pattern.len() {
            // 8.4
            return places.contains(&path.len());
        }
        if byte == b'*' {
            // 8.3: the first place and every one after it, which a second `*` in a row does not change.
            if at == 0 || pattern[at - 1] != b'*' {
                places = (places[0]..=path.len()).collect();
            }
        } else {
            places = places
                .iter()
                .filter(|&&place| path.get(place) == Some(&byte))
                .map(|place| place + 1)
                .collect();
        }
        if places.is_empty() {
            return false;
        }
    }
    // 8.2: the end of the rule is reached.
    true
}
