//! Checks the keys of usage preferences (SPEC 9.4, 9.5).

use core::fmt::Display;

use super::codes::Code;
use super::diagnostic::{Findings, quoted};
use super::lines::{File, LineParts};
use super::names::distance;
use crate::extensions::Vocabulary;

/// The keys of Content-Signal.
const SIGNALS: &[&str] = &["search", "ai-input", "ai-train", "use"];
/// The keys of Content-Usage.
const USAGES: &[&str] = &["search", "train-ai", "bots"];
/// Keys of one vocabulary, and those with the same meaning of the other one.
const SAME: [(&str, &str); 1] = [("ai-train", "train-ai")];

/// Checks the preferences of a line. Reports unknown keys that are nearly known ones, and values of the other vocabulary.
pub(super) fn check_preferences(
    file: &File,
    line: LineParts<'_>,
    vocabulary: Vocabulary,
    findings: &mut Findings,
) {
    let mut add = |part: &[u8], fault: &dyn Display, right: &'static str| {
        findings
            .add(Code::MisspeltPreference, file.place(line.number, part))
            .say(format_args!("{fault}: the preference is ignored"))
            .help(format_args!("write `{right}`"))
            .fix(|| file.replace(part, right));
    };
    for member in members(line.value, vocabulary) {
        let equals = memchr::memchr(b'=', member).unwrap_or(member.len());
        let (key, value) = member.split_at(equals);
        let key = key.trim_ascii();
        if let Some(right) = meant_key(key, vocabulary) {
            add(
                key,
                &format_args!("crawlers do not know the key {}", quoted(key)),
                right,
            );
        }
        let value = value.strip_prefix(b"=").unwrap_or(value).trim_ascii();
        let is = |word: &str| value.eq_ignore_ascii_case(word.as_bytes());
        let (right, other) = match vocabulary {
            Vocabulary::ContentUsage if is("yes") => ("y", "Content-Signal"),
            Vocabulary::ContentUsage if is("no") => ("n", "Content-Signal"),
            Vocabulary::ContentSignal if value == b"y" => ("yes", "Content-Usage"),
            Vocabulary::ContentSignal if value == b"n" => ("no", "Content-Usage"),
            _ => continue,
        };
        add(
            value,
            &format_args!("{} is a value of {other}", quoted(value)),
            right,
        );
    }
}

/// Returns the members of a value, without the path of Content-Usage.
fn members(value: &[u8], vocabulary: Vocabulary) -> impl Iterator<Item = &[u8]> {
    let has_path = vocabulary == Vocabulary::ContentUsage && value.first() == Some(&b'/');
    let space = memchr::memchr2(b' ', b'\t', value).filter(|_| has_path);
    let list = space.and_then(|at| value.get(at..)).unwrap_or(value);
    list.split(|byte| *byte == b',')
}

/// Returns the key that an unknown one probably means.
fn meant_key(key: &[u8], vocabulary: Vocabulary) -> Option<&'static str> {
    let known = match vocabulary {
        Vocabulary::ContentUsage => USAGES,
        _ => SIGNALS,
    };
    if key.len() < 4 || known.iter().any(|known| known.as_bytes() == key) {
        return None;
    }
    for (signal, usage) in SAME {
        let (here, there) = match vocabulary {
            Vocabulary::ContentUsage => (usage, signal),
            _ => (signal, usage),
        };
        if key.eq_ignore_ascii_case(there.as_bytes()) {
            return Some(here);
        }
    }
    let mut bytes = [0; 16];
    let bytes = bytes.get_mut(..key.len())?;
    for (to, from) in bytes.iter_mut().zip(key) {
        *to = match from.to_ascii_lowercase() {
            b'_' => b'-',
            byte => byte,
        };
    }
    let mut known = known.iter().copied();
    known.find(|known| {
        let most = if known.len() < 7 { 1 } else { 2 };
        distance(bytes, known.as_bytes()) <= most
    })
}
