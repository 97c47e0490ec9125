//! Lines that decide nothing (SPEC 9.3 to 9.5), and the header that says the same: readable whatever stands there,
//! and what a file says with paths is what the oracle finds by trying each.

use super::input::{Question, question};
use crate::oracle::{self, Setup};
use crate::support::bridge;
use robots::{Choice, ExtensionField, Extensions, Hours, Preferences, Reason, Vocabulary};
use std::collections::BTreeMap;

/// The input of `check`; its URLs are tried as headers, too.
pub fn run(data: &[u8]) {
    let question = question(data);
    let crawler = bridge::crawler(&question.setup);
    let extensions = Extensions::parse(&crawler, &question.body).unwrap();
    for line in extensions.lines() {
        assert!(line.line > 0 && !line.value.is_empty());
        let rate = line.request_rate();
        assert!(rate.is_none_or(|rate| rate.requests > 0 && rate.seconds > 0));
        let times = [line.visit_time(), rate.and_then(|rate| rate.hours)];
        let is_time = |hours: &Hours| hours.from < 1440 && (1..=1440).contains(&hours.until);
        assert!(times.iter().flatten().all(is_time));
    }
    preferences_agree(&question, &extensions);
    for value in &question.urls {
        header_is_read(value);
    }
}

type Choices = BTreeMap<Vec<u8>, Choice>;

/// What is said in the words of `content-usage`.
fn choices(preferences: &Preferences) -> Choices {
    let mut all = Choices::new();
    for one in preferences.iter() {
        if one.vocabulary == Vocabulary::ContentUsage {
            let first = all.insert(one.label.to_vec(), one.choice);
            assert_eq!(first, None, "a label twice");
        }
    }
    all
}

fn from_header(value: &[u8]) -> Choices {
    choices(&Preferences::from_header(value).unwrap())
}

/// SPEC 9.5: among the lines whose path matches those with the longest count, and `n` wins, then `y`.
fn preferences_agree(question: &Question, extensions: &Extensions) {
    let mut rules = b"user-agent: *\n".to_vec();
    let mut dictionaries = Vec::new();
    for line in extensions.lines() {
        if line.field == ExtensionField::ContentUsage && line.in_group {
            let value = line.value;
            let (path, dictionary) = if value.starts_with(b"/") {
                let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
                let end = value.iter().position(blank).unwrap_or(value.len());
                value.split_at(end)
            } else {
                (&b"/"[..], value)
            };
            rules.extend([b"disallow:", path, b"\n"].concat());
            dictionaries.push(from_header(dictionary.trim_ascii_start()));
        }
    }
    let setup = Setup::new(question.setup.dialect, &[b"ExampleBot"]);
    let setup = Setup {
        max_bytes: 10_000_000,
        ..setup
    };
    let site = oracle::parse(&setup, &rules);
    let file = bridge::crawler(&question.setup).parse(&question.body);
    for url in &question.urls {
        let verdict = file.check(url);
        let is = extensions.preferences(url);
        assert_eq!(is.as_ref().err().copied(), verdict.error());
        let Ok(is) = is else { continue };
        if !verdict.allowed() || verdict.reason() == Reason::RobotsTxt {
            assert_eq!(is.iter().len(), 0);
            continue;
        }
        let matching = site.matching(url);
        let longest = matching.iter().map(|(_, _, length)| *length).max();
        let mut expected = Choices::new();
        for (line, _, length) in matching {
            if Some(length) == longest {
                for (label, choice) in &dictionaries[line as usize - 2] {
                    let worst = expected.entry(label.clone()).or_insert(*choice);
                    let rank = |choice| match choice {
                        Choice::No => 0,
                        Choice::Yes => 1,
                        _ => 2,
                    };
                    if rank(*choice) < rank(*worst) {
                        *worst = *choice;
                    }
                }
            }
        }
        assert_eq!(
            choices(&is),
            expected,
            "{} of\n{}",
            url.escape_ascii(),
            question.body.escape_ascii()
        );
    }
}

/// A dictionary of RFC 9651 that another one follows says what both say, the later of equal keys; if one of them
/// cannot be read, neither can the two together.
fn header_is_read(value: &[u8]) {
    let together = |parts: &[&[u8]]| from_header(&parts.join(&b", "[..]));
    let said = from_header(value);
    let with_suffix = together(&[value, b"zz=y"]);
    if value.iter().all(|byte| *byte == b' ') {
        return assert!(said.is_empty() && with_suffix.is_empty());
    }
    if with_suffix.is_empty() {
        assert!(said.is_empty());
        assert!(together(&[b"zz=y", value]).is_empty());
        return;
    }
    let mut both = said.clone();
    both.insert(b"zz".to_vec(), Choice::Yes);
    assert_eq!(with_suffix, both);
    let mut both = said.clone();
    both.entry(b"zz".to_vec()).or_insert(Choice::Yes);
    assert_eq!(together(&[b"zz=y", value.trim_ascii_start()]), both);
    assert_eq!(together(&[value, value.trim_ascii_start()]), said);
}
