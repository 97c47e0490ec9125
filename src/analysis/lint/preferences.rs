//! Checks the keys of usage preferences (SPEC 9.4, 9.5).

use super::codes::Code;
use super::diagnostic::{Findings, quoted, say};
use super::lines::{File, LineParts};
use super::names::distance;
use crate::error::Error;
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
) -> Result<(), Error> {
    for member in members(line.value, vocabulary) {
        let (key, value) = match memchr::memchr(b'=', member) {
            Some(at) => member.split_at_checked(at).unwrap_or((member, b"")),
            None => (member, &b""[..]),
        };
        let key = key.trim_ascii();
        if let Some(right) = meant_key(key, vocabulary) {
            findings.add(
                Code::MisspeltPreference,
                file.place(line.number, key),
                || {
                    say(format_args!(
                        "crawlers do not know the key {}: the preference is ignored",
                        quoted(key)
                    ))
                    .help(format_args!("write `{right}`"))
                    .fix(file.replace(key, right))
                },
            )?;
        }
        let value = value.strip_prefix(b"=").unwrap_or(value).trim_ascii();
        let (right, other) = match vocabulary {
            Vocabulary::ContentUsage if value.eq_ignore_ascii_case(b"yes") => {
                ("y", "Content-Signal")
            }
            Vocabulary::ContentUsage if value.eq_ignore_ascii_case(b"no") => {
                ("n", "Content-Signal")
            }
            Vocabulary::ContentSignal if value == b"y" => ("yes", "Content-Usage"),
            Vocabulary::ContentSignal if value == b"n" => ("no", "Content-Usage"),
            _ => continue,
        };
        findings.add(
            Code::MisspeltPreference,
            file.place(line.number, value),
            || {
                say(format_args!(
                    "{} is a value of {other}: the preference is ignored",
                    quoted(value)
                ))
                .help(format_args!("write `{right}`"))
                .fix(file.replace(value, right))
            },
        )?;
    }
    Ok(())
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
    let lower = |at: usize| key.get(at).map_or(0, u8::to_ascii_lowercase);
    let mut bytes = [0; 16];
    let bytes = bytes.get_mut(..key.len())?;
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = match lower(at) {
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
