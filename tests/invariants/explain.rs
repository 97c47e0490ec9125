//! Invariants of explanations: they agree with the engine's verdict and with the oracle.

use crate::oracle::{self, Dialect, Setup};
use crate::support::bridge;
use robots::{Reason, explain};

/// Checks the invariants of an explanation; the error says which failed.
pub fn holds(setup: &Setup, body: &[u8], url: &[u8], site: &oracle::Site) -> Result<(), String> {
    let crawler = bridge::crawler(setup);
    let verdict = crawler.parse(body).check(url);
    let why = match explain(&crawler, body, url) {
        Ok(why) => why,
        Err(error) if verdict.error() == Some(error) => return Ok(()),
        Err(error) => return Err(format!("{error:?}, but the engine says {verdict:?}")),
    };
    if why.verdict != verdict {
        return Err(format!("explained {:?}, decided {verdict:?}", why.verdict));
    }
    // The deciding line is the first of those that match.
    let first = why.matched.first();
    if first.map_or(0, |rule| rule.quote.line) != verdict.line() {
        return Err(format!(
            "the highest-priority rule is {first:?}, decided {verdict:?}"
        ));
    }
    let by_rule = matches!(
        verdict.reason(),
        Reason::RuleAllowed | Reason::RuleDisallowed
    );
    let winner = why.winner().map(|rule| (rule.quote.line, rule.allow));
    if winner != by_rule.then_some((verdict.line(), verdict.allowed())) {
        return Err(format!("the winner is {winner:?}, decided {verdict:?}"));
    }
    if site.path(url).as_deref() != Some(&*why.path) {
        return Err(format!("compared as {}", why.path.escape_ascii()));
    }
    // The oracle tried every rule by itself.
    if verdict.reason() != Reason::RobotsTxt {
        let mut expected = site.matching(url);
        let mut is: Vec<_> = why
            .matched
            .iter()
            .map(|rule| (rule.quote.line, rule.allow, rule.pattern.len()))
            .collect();
        expected.sort_unstable();
        is.sort_unstable();
        if is != expected {
            return Err(format!(
                "rules that match: explained {is:?}, the oracle {expected:?}"
            ));
        }
    }
    if site.rule_count() != (why.agents.first().map(|_| why.rule_count)) {
        return Err(format!(
            "{} rules by {:?}, the oracle says {:?}",
            why.rule_count,
            why.agents,
            site.rule_count()
        ));
    }
    if why.token.is_some() != site.rule_count().is_some() {
        return Err(format!("token {:?}, decided {verdict:?}", why.token));
    }
    for other in [Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996] {
        let answer = oracle::parse(
            &Setup {
                dialect: other,
                ..setup.clone()
            },
            body,
        )
        .decide(url);
        let is = why.verdict_in(bridge::dialect(other));
        if bridge::answer(is) != Some(answer) {
            return Err(format!(
                "{other:?}: explained {is:?}, the oracle {answer:?}"
            ));
        }
    }
    // The text shows visible characters only, whatever the file holds.
    let text = why.to_string();
    let is_hidden = |c: char| c.is_control() && c != '\n' || ('\u{202A}'..='\u{202E}').contains(&c);
    if text.chars().any(is_hidden) || text.len() > 100_000 {
        return Err(format!("shown: {text:?}"));
    }
    Ok(())
}
