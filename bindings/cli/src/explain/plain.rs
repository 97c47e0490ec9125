//! `robots explain --plain`: a verdict in three sentences for the owner of a site, with the digest of the file.

use std::fmt::Write as _;

use robots::{Crawler, Error, Explanation, Preset, Purpose, Reason, Severity};

use crate::crawler::How;
use crate::fault::Fault;
use crate::input::digest;
use crate::screen::safe;
use crate::subject::Subject;
use crate::verdict::deciding_line;

/// Returns the sentences: what holds, why, and what changes it; then the evidence.
pub(crate) fn sentences(
    how: &How,
    why: &Explanation,
    subject: &Subject,
    crawler: &Crawler,
    name: &str,
    is_noindex: bool,
) -> Result<String, Fault> {
    let (url, token) = (safe(&why.url), safe(name.as_bytes()));
    let may = if why.verdict.allowed() {
        "may"
    } else {
        "may not"
    };
    let line = deciding_line(why.verdict);
    let mut matched = why.matched.iter();
    let deciding = matched.find(|rule| Some(rule.quote.line) == line);
    let mut text = match deciding {
        Some(rule) => format!(
            "{token} {may} fetch {url}: line {} decides, \"{}\".\n",
            rule.quote.line,
            safe(&rule.quote.text)
        ),
        None => format!("{token} {may} fetch {url}: {}.\n", no_rule(why)),
    };
    text.push_str(&group(why, &token));
    let preset = Preset::find(&*token);
    if preset.as_ref().is_some_and(Preset::is_control_token) {
        let _ = writeln!(
            text,
            "{token} fetches nothing: it is a name for what its operator may do with pages that others of its crawlers fetch."
        );
    } else if preset.as_ref().is_some_and(Preset::may_ignore) {
        let _ = writeln!(
            text,
            "Its operator says that {token} may ignore the file: it fetches what a user asks for."
        );
    }
    let fault = |error: Error| Fault::new(error.to_string());
    if is_noindex && why.verdict.allowed() {
        let purpose = preset.as_ref().map(Preset::purpose);
        let _ = match purpose.filter(|purpose| !is_of_an_index(*purpose)) {
            Some(purpose) => writeln!(
                text,
                "Its noindex is for search; {token} fetches for another purpose ({}), so only a Disallow keeps it from the page.",
                purpose.name()
            ),
            None => writeln!(
                text,
                "Its noindex keeps the page out of the index already; a Disallow would hide the noindex from {token}."
            ),
        };
    } else {
        let advice = robots::verdict_advice(why, &subject.body, name, how.given());
        for line in advice.map_err(fault)?.lines() {
            text.push_str(&safe(line.as_bytes()));
            text.push('\n');
        }
    }
    let report = robots::lint(crawler, &subject.body).map_err(fault)?;
    match report.total(Severity::Error) {
        0 => {}
        count => {
            let errors = if count == 1 { "error" } else { "errors" };
            let _ = writeln!(
                text,
                "`robots lint` reports {count} {errors} in the file: it may mean something else than it says."
            );
        }
    }
    let _ = writeln!(
        text,
        "Evidence: {}, {} bytes, sha256 {}.",
        safe(subject.name.as_bytes()),
        subject.body.len(),
        digest(&subject.body)
    );
    Ok(text)
}

/// Returns whether crawlers of a purpose make an index, from which a noindex keeps a page (SPEC 13.2). A crawler of no known
/// purpose may make one.
pub(super) fn is_of_an_index(purpose: Purpose) -> bool {
    matches!(
        purpose,
        Purpose::Search | Purpose::AiSearch | Purpose::Other
    )
}

fn no_rule(why: &Explanation) -> &'static str {
    match why.verdict.reason() {
        Reason::RobotsTxt => "every crawler may fetch the robots.txt itself",
        Reason::NoGroup => "the file has no rules for it",
        _ => "no rule of its group matches",
    }
}

fn shown(lines: &[u32]) -> String {
    let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
    match &*numbers {
        [line] => format!("line {line}"),
        lines => format!("lines {}", lines.join(", ")),
    }
}

fn group(why: &Explanation, token: &str) -> String {
    let lines: Vec<u32> = why.agents.iter().map(|agent| agent.line).collect();
    let lines = shown(&lines);
    match &why.token {
        _ if why.agents.is_empty() => {
            format!("No group names {token}, and there is no group of `*` that it obeys.\n")
        }
        Some(name) if name == b"*" => format!(
            "{token} obeys the group of `*` ({lines}), because it has no group of its own.\n"
        ),
        None => format!(
            "{token} obeys the group of `*` ({lines}), because it has no group of its own.\n"
        ),
        Some(name) => format!(
            "{token} obeys the group of {} ({lines}) and no other.\n",
            safe(name)
        ),
    }
}
