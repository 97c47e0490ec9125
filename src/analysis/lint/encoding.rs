//! What kind of file it is, by its octets (SPEC 4).

use super::codes::Code;
use super::diagnostic::{Findings, Place, quoted, say};
use super::lines::contains;
use super::lines::{File, LineKind};
use crate::dialect::Dialect;
use crate::error::Error;
use crate::limits::{GOOGLE_LINE, MIN_MAX_BYTES};

/// Whether it is worth looking at single lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nature {
    Robots,
    /// Text of which no line is understood.
    Foreign,
    /// A web page, UTF-16, binary, or nothing at all.
    Other,
}

/// How many octets of a file are looked at to tell what it is.
const START: usize = 4096;

pub(super) fn check_encoding(file: &File, findings: &mut Findings) -> Result<Nature, Error> {
    too_long(file, findings)?;
    let nature = nature(file, findings)?;
    if nature == Nature::Other {
        return Ok(nature);
    }
    marks(file, findings)?;
    let mut foreign = false;
    let is_understood = |kind| {
        !matches!(
            kind,
            LineKind::Blank | LineKind::Comment | LineKind::Unknown | LineKind::NotUnderstood
        )
    };
    if !file.kept.iter().any(|line| is_understood(line.kind)) {
        foreign = empty(file, findings)?;
    }
    for number in 1..=file.kept.len() as u32 {
        line(file, number, findings)?;
    }
    Ok(if foreign { Nature::Foreign } else { nature })
}

/// SPEC 4.5.
fn too_long(file: &File, findings: &mut Findings) -> Result<(), Error> {
    let read = file.full_len.min(file.max_bytes);
    if file.full_len <= MIN_MAX_BYTES {
        return Ok(());
    }
    findings.add(Code::TooLong, Place::FILE, || {
        let full = file.full_len;
        let said = if full > read {
            say(format_args!("of {full} octets only the first {read} are read: the rest is ignored, and so is the line that is cut"))
        } else {
            say(format_args!("of {full} octets many crawlers read only the first {MIN_MAX_BYTES}"))
        };
        said.help("make the file shorter, or put what matters first")
    })
}

fn nature(file: &File, findings: &mut Findings) -> Result<Nature, Error> {
    let body = &file.body;
    let start = body.get(..START).unwrap_or(body);
    if matches!(start, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) || is_utf16(start) {
        findings.add(Code::Utf16, Place::FILE, || {
            say("the file is UTF-16: no line of it is understood, so nothing is forbidden")
                .help("save it as UTF-8")
        })?;
        return Ok(Nature::Other);
    }
    let is_odd =
        |octet: &u8| *octet < b' ' && !matches!(octet, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B);
    let odd = start.iter().filter(|octet| is_odd(octet)).count();
    if odd * 10 > start.len() && odd > 3 || start.starts_with(&[0x1F, 0x8B]) {
        findings.add(Code::Binary, Place::FILE, || {
            let gzip = start.starts_with(&[0x1F, 0x8B]);
            let what = if gzip {
                "the file is compressed (gzip)"
            } else {
                "this is no text file"
            };
            say(format_args!("{what}: nothing of it is understood"))
                .help("serve plain text, and name a compression in Content-Encoding")
        })?;
        return Ok(Nature::Other);
    }
    if is_html(start) {
        html(file, findings)?;
        return Ok(Nature::Other);
    }
    Ok(Nature::Robots)
}

/// Without a mark: nearly every second octet is a NUL.
fn is_utf16(start: &[u8]) -> bool {
    let zeros = |from: usize| {
        let every_second = start.iter().skip(from).step_by(2);
        every_second.filter(|octet| **octet == 0).count()
    };
    let pairs = start.len() / 2;
    pairs >= 4 && zeros(0).max(zeros(1)) * 10 > pairs * 9
}

/// A web page begins with a tag; one of a few must follow soon.
fn is_html(start: &[u8]) -> bool {
    let text = start
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(start)
        .trim_ascii_start();
    if text.first() != Some(&b'<') {
        return false;
    }
    const TAGS: [&[u8]; 14] = [
        b"<!doctype",
        b"<html",
        b"<head",
        b"<body",
        b"<title",
        b"<meta",
        b"<script",
        b"<?xml",
        b"<p>",
        b"<div",
        b"<h1",
        b"<center",
        b"<pre",
        b"<br",
    ];
    TAGS.iter().any(|tag| contains(text, tag))
}

fn html(file: &File, findings: &mut Findings) -> Result<(), Error> {
    let rules = file
        .lines()
        .filter(|line| line.group > 0 && matches!(line.kind, LineKind::Allow | LineKind::Disallow))
        .count();
    findings.add(Code::Html, Place::FILE, || {
        let said = match rules {
            0 => say("this is an HTML page: no line of it is a rule, so nothing is forbidden"),
            1 => say("this is an HTML page, and yet one line of it counts as a rule"),
            _ => say(format_args!(
                "this is an HTML page, and yet {rules} lines of it count as rules"
            )),
        };
        said.help("serve the rules as plain text, or answer 404 if there are none")
    })
}

/// SPEC 4.2.
fn marks(file: &File, findings: &mut Findings) -> Result<(), Error> {
    let Some(rest) = file.body.strip_prefix(b"\xEF\xBB\xBF") else {
        return Ok(());
    };
    // Behind a mark alone there is no line that it could stand in.
    let place = match rest {
        [] => Place::FILE,
        _ => Place {
            line: 1,
            span: 0..3,
        },
    };
    if rest.starts_with(b"\xEF\xBB\xBF") {
        let second = Place {
            line: 1,
            span: 3..6,
        };
        return findings.add(Code::SecondMark, second, || {
            say("a second byte order mark makes the first field unknown: the line is skipped")
                .help("save the file as UTF-8 without a byte order mark")
        });
    }
    findings.add(Code::ByteOrderMark, place, || {
        say("the file begins with a byte order mark, which simple crawlers take for part of the first field")
            .help("save the file as UTF-8 without a byte order mark")
    })
}

/// Nothing of it is understood; whether there is text all the same.
fn empty(file: &File, findings: &mut Findings) -> Result<bool, Error> {
    let is_text = |kind| matches!(kind, LineKind::Unknown | LineKind::NotUnderstood);
    let lines = file.kept.iter().filter(|line| is_text(line.kind)).count();
    let (code, message) = match lines {
        0 if file.full_len == 0 => (Code::Empty, "the file is empty: everything is allowed"),
        0 => (Code::Empty, "the file says nothing: everything is allowed"),
        _ => (
            Code::NoRobotsTxt,
            "no line of the file is understood: everything is allowed",
        ),
    };
    findings.add(code, Place::FILE, || {
        say(message).help(
            "begin with `User-agent: *` and put rules below it, if something should be forbidden",
        )
    })?;
    Ok(lines > 0)
}

/// What is odd about the octets of one line.
fn line(file: &File, number: u32, findings: &mut Findings) -> Result<(), Error> {
    let whole = file.whole_line(number);
    let text = file.body.get(whole.clone()).unwrap_or_default();
    if let Some(at) = memchr::memchr(0, text) {
        let span = whole.start + at..whole.start + at + 1;
        findings.add(Code::Nul, Place { line: number, span }, || {
            let effect = match file.dialect {
                Dialect::Google => "what follows it on the line is not read",
                _ => "some crawlers do not read what follows it",
            };
            say(format_args!("a NUL octet: {effect}")).help("remove it")
        })?;
    }
    let Some(parts) = file.line(number) else {
        return Ok(());
    };
    let is_skipped = matches!(parts.kind, LineKind::Blank | LineKind::Comment);
    if text.len() > GOOGLE_LINE && !is_skipped {
        let span = whole.start + GOOGLE_LINE..whole.end;
        findings.add(Code::LongLine, Place { line: number, span }, || {
            say(format_args!(
                "the line has {} octets, of which Google reads {GOOGLE_LINE}",
                text.len()
            ))
            .help("make it shorter")
        })?;
    }
    if parts.value.is_ascii() || is_skipped {
        return Ok(());
    }
    if let Err(error) = core::str::from_utf8(parts.value) {
        let start = file.span(parts.value).start + error.valid_up_to();
        let end = start + error.error_len().unwrap_or(1);
        return findings.add(Code::NotUtf8, Place { line: number, span: start..end }, || {
            say("octets that are not UTF-8: they match only URLs that are spelt with the same octets")
                .help("save the file as UTF-8")
        });
    }
    let has_meaning = !matches!(parts.kind, LineKind::Unknown | LineKind::NotUnderstood);
    if has_meaning && super::fields::has_invisible(parts.value) {
        return findings.add(Code::Invisible, file.place(number, parts.value), || {
            say(format_args!(
                "an invisible character is part of the value {}",
                quoted(parts.value)
            ))
            .help("delete the value and type it anew")
        });
    }
    Ok(())
}
