//! Results of `robots test`: text, JSON, JUnit XML, annotations of GitHub Actions.

use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;

use super::change::{Change, MOST_LINES};
use super::file::{Claim, Expectation, matches_all};
use crate::crawler_names::EVERYONE;
use crate::fault::Fault;
use crate::input;
use crate::screen::{self, safe, workflow_data, workflow_property};

/// An expectation and how it went for a file.
pub(super) struct Checked<'e> {
    pub(super) expected: &'e Expectation,
    /// The robots.txt.
    pub(super) name: String,
    /// The line that decided; 0: none.
    pub(super) line: u32,
    /// Why it is not met.
    pub(super) failure: Option<String>,
    /// The change that it forbids.
    pub(super) change: Option<Change>,
    /// What its author should know.
    pub(super) note: Option<String>,
    /// Whether it is proved for all URLs.
    pub(super) is_proved: bool,
}

impl Checked<'_> {
    /// Returns the change without the crawlers, if it is the same for all of them.
    fn common(&self) -> Option<&str> {
        self.change.as_ref()?.common.as_deref()
    }
}

fn count(all: &[Checked<'_>]) -> usize {
    all.iter().filter(|one| one.failure.is_some()).count()
}

pub(super) fn text(file: &Path, all: &[Checked<'_>], is_coloured: bool) -> String {
    let mut text = String::new();
    let mut rest = all;
    while let Some((one, after)) = rest.split_first() {
        let is_same = |other: &&Checked<'_>| {
            one.common().is_some() && other.common() == one.common() && other.name == one.name
        };
        let same = after.iter().take_while(is_same);
        let same: Vec<_> = same.map(|it| safe(it.expected.who.as_bytes())).collect();
        rest = after.get(same.len()..).unwrap_or_default();
        let failure = one.failure.as_ref().map(|why| (why, "31", "failed"));
        let note = one.note.as_ref().map(|why| (why, "33", "note  "));
        for (why, colour, word) in failure.into_iter().chain(note) {
            let word = screen::coloured(is_coloured, colour, word);
            let (expected, why) = (safe(one.expected.text.as_bytes()), safe(why.as_bytes()));
            let place = format!("{}:{}", input::shown(file), one.expected.number);
            let name = safe(one.name.as_bytes());
            let _ = writeln!(text, "{word}  {place}: {expected}\n        {name}: {why}");
        }
        if !same.is_empty() {
            let _ = writeln!(text, "        the same for {}", same.join(", "));
        }
    }
    text.push_str(&summary(file, all));
    text
}

/// Returns how many expectations are met, for which crawlers no URL has changed, and what to do where some have.
fn summary(file: &Path, all: &[Checked<'_>]) -> String {
    let failed = count(all);
    let mut text = format!("{} passed, {failed} failed\n", all.len() - failed);
    let is_one_file = all
        .first()
        .is_none_or(|first| all.iter().all(|one| one.name == first.name));
    let proved = all.iter().filter(|one| one.is_proved && is_one_file);
    let names: Vec<String> = proved.map(|one| one.expected.who.clone()).collect();
    let is_accepted = |one: &Checked<'_>| matches!(one.expected.claim, Claim::Changed(_));
    if !names.is_empty() {
        let names = screen::names(&names, names.len());
        let except = match all.iter().any(is_accepted) {
            true => ", except those that `changed` accepts",
            false => "",
        };
        let _ = writeln!(
            text,
            "proved for all URLs{except}: verdicts and signals unchanged for {names}; crawl-delays are not compared"
        );
    }
    let file = input::shown(file);
    let changes = all.iter().filter_map(|one| one.change.as_ref());
    let changes: Vec<&Change> = changes.collect();
    if !changes.is_empty() {
        let _ = match accepting(&changes) {
            Some(lines) => write!(
                text,
                "if all these changes are meant, record again, or add to {file}:\n{lines}"
            ),
            None => writeln!(text, "if these changes are meant, record again"),
        };
    }
    // No line accepts another failure, so the line that expects the opposite has to go.
    let is_of_file = |one: &&Checked<'_>| {
        let is_verdict = matches!(
            one.expected.claim,
            Claim::Verdict { .. } | Claim::Unchanged | Claim::Changed(_)
        );
        one.failure.is_some() && !is_verdict
    };
    let mut rest: Vec<&Expectation> = all
        .iter()
        .filter(is_of_file)
        .map(|one| one.expected)
        .collect();
    rest.sort_by_key(|one| one.number);
    rest.dedup_by_key(|one| one.number);
    let is_of_lint =
        |one: &&Checked<'_>| matches!(one.expected.claim, Claim::NoFaults(_) | Claim::NoNewFaults);
    if let Some(one) = all.iter().filter(is_of_file).find(is_of_lint) {
        let name = match &*one.name {
            "(standard input)" => "-",
            name => name,
        };
        let live = if name.contains("://") { "--live " } else { "" };
        let name = safe(name.as_bytes());
        let _ = writeln!(text, "`robots lint {live}{name}` shows what to change");
    }
    if !rest.is_empty() {
        let is_recorded = |one: &Checked<'_>| matches!(one.expected.claim, Claim::Unchanged);
        let how = match all.iter().any(is_recorded) {
            true => "record again, or remove them from",
            false => "remove them from",
        };
        let _ = writeln!(text, "to accept what these lines report, {how} {file}:");
    }
    for one in rest.iter().take(MOST_LINES) {
        let _ = writeln!(text, "  {}: {}", one.number, safe(one.text.as_bytes()));
    }
    text
}

/// Returns the lines that accept all changes, each with its crawlers: a line without any accepts what changes for everyone.
fn accepting(changes: &[&Change]) -> Option<String> {
    let mut lines: Vec<(&str, Vec<&str>)> = Vec::new();
    for one in changes {
        for (name, paths) in one.accepts.as_ref()? {
            for path in paths {
                match lines.iter_mut().find(|(known, _)| known == path) {
                    Some((_, names)) if names.contains(&&**name) => {}
                    Some((_, names)) => names.push(name),
                    None => lines.push((path, vec![name])),
                }
            }
        }
    }
    let mut text = String::new();
    for (path, names) in &lines {
        match names.contains(&EVERYONE) {
            true if matches_all(path) => return None,
            true => text.push_str(&format!("  changed {path}\n")),
            false => text.push_str(&format!("  {} changed {path}\n", names.join(","))),
        }
    }
    (lines.len() <= MOST_LINES).then_some(text)
}

#[derive(Serialize)]
struct JsonResult<'r> {
    file: &'r str,
    expectations: String,
    number: usize,
    expected: &'r str,
    passed: bool,
    line: u32,
    failure: Option<&'r str>,
    note: Option<&'r str>,
}

pub(super) fn json(file: &Path, all: &[Checked<'_>]) -> Result<String, Fault> {
    let mut text = String::new();
    for one in all {
        let row = JsonResult {
            file: &one.name,
            expectations: input::name(file),
            number: one.expected.number,
            expected: &one.expected.text,
            passed: one.failure.is_none(),
            line: one.line,
            failure: one.failure.as_deref(),
            note: one.note.as_deref(),
        };
        screen::push_json_line(&mut text, &row)?;
    }
    Ok(text)
}

/// Escapes a text for an attribute of XML. Characters that XML has not are replaced.
fn xml(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ if screen::is_control(character) || matches!(character, '\u{FFFE}' | '\u{FFFF}') => {
                out.push('\u{FFFD}')
            }
            _ => out.push(character),
        }
    }
    out
}

pub(super) fn junit(file: &Path, all: &[Checked<'_>]) -> String {
    let (name, tests, failures) = (xml(&input::name(file)), all.len(), count(all));
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"{tests}\" failures=\"{failures}\">\n<testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\">\n"
    );
    for one in all {
        let case = format!(
            "<testcase classname=\"{}\" name=\"{}\"",
            xml(&one.name),
            xml(&one.expected.text)
        );
        let _ = match &one.failure {
            None => writeln!(text, "{case}/>"),
            Some(why) => writeln!(
                text,
                "{case}><failure message=\"{}\"/></testcase>",
                xml(why)
            ),
        };
    }
    text + "</testsuite>\n</testsuites>\n"
}

pub(super) fn github(file: &Path, all: &[Checked<'_>]) -> String {
    let mut text = String::new();
    for one in all {
        let failure = one.failure.as_ref().map(|why| ("error", why));
        let note = one.note.as_ref().map(|why| ("notice", why));
        for (kind, why) in failure.into_iter().chain(note) {
            let line = one.line.max(1);
            let place = format!("{}:{}", input::shown(file), one.expected.number);
            let said = workflow_data(&format!("{why} ({place}: {})", one.expected.text));
            let _ = writeln!(
                text,
                "::{kind} file={},line={line}::{said}",
                workflow_property(&one.name)
            );
        }
    }
    text + &summary(file, all)
}
