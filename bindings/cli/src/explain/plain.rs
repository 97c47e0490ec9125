//! `robots explain --plain`: a verdict in three sentences for the owner of a site, with the digest of the file.

use std::fmt::Write as _;

use robots::{Crawler, Dialect, Explanation, Reason};

use crate::crawler::How;
use crate::crawler_names::EVERYONE;
use crate::fault::Fault;
use crate::file_groups::FileGroups;
use crate::input::digest;
use crate::screen::{self, lossy, safe};
use crate::subject::Subject;

/// Returns the sentences: what holds, why, and what changes it; then the evidence.
pub(crate) fn sentences(
    how: &How,
    why: &Explanation,
    subject: &Subject,
    crawler: &Crawler,
    token: &str,
) -> Result<String, Fault> {
    let file = FileGroups::of(how, why.dialect(), &subject.body)?;
    let (url, token) = (safe(&why.url), safe(token.as_bytes()));
    let may = if why.verdict.allowed() {
        "may"
    } else {
        "may not"
    };
    let line = why.verdict.line();
    let deciding = why.matched.iter().find(|rule| rule.quote.line == line);
    let mut text = match deciding {
        Some(rule) => format!(
            "{token} {may} fetch {url}: line {line} decides, \"{}\".\n",
            safe(&rule.quote.text)
        ),
        None => format!("{token} {may} fetch {url}: {}.\n", no_rule(why)),
    };
    text.push_str(&group(why, &token));
    text.push_str(&advice(&file, why, subject, crawler, &token));
    let _ = writeln!(
        text,
        "Evidence: {}, {} bytes, sha256 {}.",
        safe(subject.name.as_bytes()),
        subject.body.len(),
        digest(&subject.body)
    );
    Ok(text)
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

/// Suggests a line that turns the verdict around. It is tried first: what does not work is not suggested.
fn advice(
    file: &FileGroups,
    why: &Explanation,
    subject: &Subject,
    crawler: &Crawler,
    token: &str,
) -> String {
    let is_allowed = why.verdict.allowed();
    let (to, field) = match is_allowed {
        true => ("To keep it out", "Disallow"),
        false => ("To let it in", "Allow"),
    };
    let path = String::from_utf8_lossy(&why.path).into_owned();
    if why.verdict.reason() == Reason::RobotsTxt || path.contains(char::is_whitespace) {
        return "No rule changes that.\n".to_owned();
    }
    // In a rule, `*` is a wildcard and a last `$` is the end of the URL (SPEC 8.3, 8.4).
    let path = match why.dialect() != Dialect::Koster1996 {
        true => path.replace('*', "%2A").replace('$', "%24"),
        false => path,
    };
    let rule = format!("{field}: {path}");
    if why.agents.is_empty() {
        let lines = format!("\nUser-agent: {token}\n{rule}\n");
        let body = [&*subject.body, b"\n", lines.as_bytes()].concat();
        return match crawler.parse(body).is_allowed(&why.url) == is_allowed {
            true => "No single line changes that.\n".to_owned(),
            false => format!(
                "{to}, add the lines \"User-agent: {token}\" and \"{rule}\" at the end of the file.\n"
            ),
        };
    }
    let others = |lines: &[u32]| others(file, why, lines);
    // Of several rules the draft of 1996 takes the first, the standard the longest.
    let is_before = why.dialect() == Dialect::Koster1996;
    let line = match why.verdict.line() {
        0 => match why.agents.last() {
            // The group has no rule for the URL, so any place in it is as good.
            Some(agent) => {
                let tried = insert(&subject.body, agent.line as usize, &rule);
                let line = agent.line;
                return match crawler.parse(tried).is_allowed(&why.url) == is_allowed {
                    true => "No single line changes that.\n".to_owned(),
                    false => format!(
                        "{to}, add \"{rule}\" to the rules of the group of line {line}{}.\n",
                        others(&[line])
                    ),
                };
            }
            None => return String::new(),
        },
        line => line,
    };
    let tried = insert(&subject.body, line as usize - usize::from(is_before), &rule);
    let word = if is_before { "before" } else { "after" };
    if crawler.parse(tried).is_allowed(&why.url) != is_allowed {
        let others = others(&[line]);
        return format!("{to}, add \"{rule}\" {word} line {line}{others}.\n");
    }
    match deciding(why, subject, crawler) {
        Some(lines) => {
            let others = others(&lines);
            format!("{to}, change or remove {}{others}.\n", shown(&lines))
        }
        None => "No single line changes that.\n".to_owned(),
    }
}

/// The most lines to change or remove.
const MOST_LINES: usize = 5;

/// Returns who else obeys the groups of some lines, as a part of a sentence.
fn others(file: &FileGroups, why: &Explanation, lines: &[u32]) -> String {
    let is_star = |name: &[u8]| name == EVERYONE.as_bytes();
    let own = why.token.as_deref().unwrap_or(EVERYONE.as_bytes());
    let mut names: Vec<String> = Vec::new();
    let mut has_star = is_star(own);
    for agent in lines.iter().flat_map(|line| file.agents_at(*line)) {
        let name = lossy(&agent.name);
        has_star |= is_star(&agent.name);
        if !is_star(&agent.name) && !agent.name.eq_ignore_ascii_case(own) && !names.contains(&name)
        {
            names.push(name);
        }
    }
    let everyone = "all crawlers without a group of their own";
    match (names.is_empty(), has_star) {
        (true, false) => String::new(),
        (true, true) => format!("; that holds for {everyone}"),
        (false, false) => format!(
            "; that holds for {}, too",
            screen::names(&names, names.len())
        ),
        (false, true) => format!(
            "; that holds for {}, and {everyone}",
            screen::names(&names, names.len())
        ),
    }
}

/// Returns the lines without which the verdict is another: one after the other decides.
fn deciding(why: &Explanation, subject: &Subject, crawler: &Crawler) -> Option<Vec<u32>> {
    let mut lines: Vec<u32> = Vec::new();
    let mut body = subject.body.clone();
    loop {
        let verdict = crawler.parse(&body).check(&why.url);
        if verdict.allowed() != why.verdict.allowed() {
            break;
        }
        if verdict.line() == 0 || lines.len() == MOST_LINES {
            return None;
        }
        // A comment has no line end, and joins no groups.
        let start = start_of(&body, verdict.line() as usize - 1);
        body.insert(start, b'#');
        lines.push(verdict.line());
    }
    Some(lines)
}

/// Returns the body with a line added after line `number`.
fn insert(body: &[u8], number: usize, line: &str) -> Vec<u8> {
    let (before, after) = body.split_at(start_of(body, number));
    // A blank line would end a record of koster1996.
    let end: &[u8] = match before.last() {
        Some(b'\n' | b'\r') => b"",
        _ => b"\n",
    };
    [before, end, line.as_bytes(), b"\n", after].concat()
}

/// Returns the offset after the first lines.
fn start_of(body: &[u8], lines: usize) -> usize {
    let mut rest = body;
    let mut taken = 0;
    for _ in 0..lines {
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let len = match end {
            Some(at) if rest.get(at..at + 2) == Some(b"\r\n") => at + 2,
            Some(at) => at + 1,
            None => rest.len(),
        };
        taken += len;
        rest = rest.get(len..).unwrap_or_default();
    }
    taken
}
