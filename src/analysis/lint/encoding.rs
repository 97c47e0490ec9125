//! Checks the encoding and the kind of the file (SPEC 4).

use super::codes::Code;
use super::diagnostic::{Findings, Place, quoted, say};
use super::lines::{File, LineKind, LineParts};
use crate::analysis::file_kind::FileKind;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::limits::{GOOGLE_LINE, MIN_MAX_BYTES};
use crate::parser::is_compressed;
use crate::util::display::from_fn;

/// The kind of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nature {
    Robots,
    /// Text without a line that is understood.
    Foreign,
    /// A web page, UTF-16 or binary.
    Other,
}

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
    if !file.kept.iter().any(|line| is_understood(line.kind())) {
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
            say(format_args!("the file has {full} bytes, and only the first {read} are read: the rest is ignored, and so is the line that is cut"))
        } else {
            say(format_args!("the file has {full} bytes, and many crawlers read only the first {MIN_MAX_BYTES}"))
        };
        said.help("make the file shorter, or move the important rules to the start")
    })
}

fn nature(file: &File, findings: &mut Findings) -> Result<Nature, Error> {
    let kind = FileKind::detect(&file.body);
    let (code, help) = match kind {
        FileKind::Text => return Ok(Nature::Robots),
        FileKind::Html | FileKind::Xml | FileKind::Json => (
            Code::Html,
            "serve the rules as plain text, or answer 404 if there are none",
        ),
        FileKind::Utf16 => (Code::Utf16, "save it as UTF-8"),
        FileKind::Warc => (
            Code::Warc,
            "give the body of a response: the bytes after its header",
        ),
        FileKind::HttpResponse => (
            Code::HttpHeader,
            "give the body of the response: the bytes after the empty line",
        ),
        FileKind::Pdf => (Code::Binary, "serve the rules as plain text"),
        FileKind::Gzip | FileKind::Compressed | FileKind::Binary => (
            Code::Binary,
            "serve plain text, and name a compression in Content-Encoding",
        ),
    };
    let rules = rules_in_groups(file);
    findings.add(code, Place::FILE, || {
        let what = from_fn(|f| match kind {
            FileKind::Binary => f.write_str("this is not a text file"),
            kind => write!(f, "this is {}", kind.description()),
        });
        let said = match rules {
            _ if is_compressed(&file.body, file.dialect) => say(format_args!(
                "{what}, no robots.txt: crawlers treat it as an outage and fetch nothing"
            )),
            0 => say(format_args!(
                "{what}: no line is a rule, so nothing is disallowed"
            )),
            1 => say(format_args!("{what}, and yet one line counts as a rule")),
            _ => say(format_args!("{what}, and yet {rules} lines count as rules")),
        };
        said.help(help)
    })?;
    Ok(Nature::Other)
}

fn rules_in_groups(file: &File) -> usize {
    let is_rule = |line: &LineParts<'_>| matches!(line.kind, LineKind::Allow | LineKind::Disallow);
    file.lines()
        .filter(|line| line.group > 0 && is_rule(line))
        .count()
}

/// SPEC 4.2.
fn marks(file: &File, findings: &mut Findings) -> Result<(), Error> {
    let Some(rest) = file.body.strip_prefix(b"\xEF\xBB\xBF") else {
        return Ok(());
    };
    // A file with only a byte order mark has no line.
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
                .fix(file.replace_span(0..6, ""))
        });
    }
    // What follows must not be read as a mark cut short (SPEC 4.2), or as another kind of file.
    let is_text = rest.first() != Some(&0xEF) && FileKind::detect(rest) == FileKind::Text;
    findings.add(Code::ByteOrderMark, place, || {
        say("the file begins with a byte order mark, which simple crawlers read as part of the first field")
            .help("save the file as UTF-8 without a byte order mark")
            .fix(file.replace_span(0..3, "").safe_if(is_text))
    })
}

/// Reports that no line is understood; returns whether there is text.
fn empty(file: &File, findings: &mut Findings) -> Result<bool, Error> {
    let is_text = |kind| matches!(kind, LineKind::Unknown | LineKind::NotUnderstood);
    let lines = file.kept.iter().filter(|line| is_text(line.kind())).count();
    let (code, message) = match lines {
        0 if file.full_len == 0 => (Code::Empty, "the file is empty: everything is allowed"),
        0 => (
            Code::Empty,
            "the file holds no rules: everything is allowed",
        ),
        _ => (
            Code::NoRobotsTxt,
            "no line of the file is understood: everything is allowed",
        ),
    };
    findings.add(code, Place::FILE, || {
        say(message).help(
            "begin with `User-agent: *` and write rules below it, if something should be disallowed",
        )
    })?;
    Ok(lines > 0)
}

/// Checks the bytes of one line.
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
            say(format_args!("a NUL byte: {effect}"))
                .help("remove it")
                .fix(file.replace_span(whole.start + at..whole.start + at + 1, ""))
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
                "the line has {} bytes, and Google reads the first {GOOGLE_LINE}",
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
        return findings.add(
            Code::NotUtf8,
            Place {
                line: number,
                span: start..end,
            },
            || {
                say("bytes that are not UTF-8: they match only URLs with the same bytes")
                    .help("save the file as UTF-8")
            },
        );
    }
    let has_meaning = !matches!(parts.kind, LineKind::Unknown | LineKind::NotUnderstood);
    if has_meaning && super::fields::has_invisible(parts.value) {
        return findings.add(Code::Invisible, file.place(number, parts.value), || {
            say(format_args!(
                "the value {} contains an invisible character",
                quoted(parts.value)
            ))
            .help("delete the value and type it again")
        });
    }
    Ok(())
}
