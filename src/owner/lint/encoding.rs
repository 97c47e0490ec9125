//! Checks the encoding and the kind of the file (SPEC 4).

use super::codes::Code;
use super::diagnostic::{Findings, FixResult, Place, quoted};
use super::fields::has_invisible;
use super::lines::{File, LineKind};
use crate::base::dialect::Dialect;
use crate::base::limits::{GOOGLE_LINE, MIN_MAX_BYTES};
use crate::bytes::display::from_fn;
use crate::core::parse::directive::{self, Field};
use crate::core::parse::file_kind::FileKind;
use crate::core::parse::reader::Reader;
use crate::core::parse::{begins_compressed, is_address};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nature {
    Robots,
    /// Text in which no line is understood.
    Foreign,
    /// A web page, UTF-16 or binary.
    Other,
}

pub(super) fn check_encoding(file: &File, findings: &mut Findings) -> Nature {
    too_long(file, findings);
    if !is_text(file, findings) {
        return Nature::Other;
    }
    marks(file, findings);
    let mut nature = Nature::Robots;
    if !file.kept.iter().any(|line| line.kind().is_understood()) && empty(file, findings) {
        nature = Nature::Foreign;
    }
    for number in 1..=file.kept.len() as u32 {
        line(file, number, findings);
    }
    nature
}

/// Reports a file that is longer than some crawlers read (SPEC 4.5).
fn too_long(file: &File, findings: &mut Findings) {
    let full = file.full_len;
    if full <= MIN_MAX_BYTES {
        return;
    }
    let read = full.min(file.reading.max_bytes);
    let found = findings.add(Code::TooLong, Place::FILE);
    let found = if full > read {
        found.say(format_args!("the file has {full} bytes, and only the first {read} are read: the rest is ignored, and so is the line that is cut"))
    } else {
        found.say(format_args!(
            "the file has {full} bytes, and many crawlers read only the first {MIN_MAX_BYTES}"
        ))
    };
    found.help("make the file shorter, or move the important rules to the start");
}

/// Returns whether the file is text. If not, reports the kind of the file.
fn is_text(file: &File, findings: &mut Findings) -> bool {
    let kind = FileKind::detect(&file.body);
    let (code, help) = match kind {
        FileKind::Text | FileKind::Address => return true,
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
        FileKind::Pdf | FileKind::Rtf => (Code::Binary, "serve the rules as plain text"),
        FileKind::Gzip | FileKind::Compressed | FileKind::Binary => (
            Code::Binary,
            "serve plain text, and name a compression in Content-Encoding",
        ),
    };
    let what = from_fn(|f| match kind {
        FileKind::Binary => f.write_str("this is not a text file"),
        kind => write!(f, "this is {}", kind.description()),
    });
    let rules = file.lines().filter(|line| line.group > 0 && line.is_rule());
    let found = findings.add(code, Place::FILE);
    let found = match rules.count() {
        // A server that sends a compressed body causes an outage in every dialect (SPEC 2.17).
        _ if begins_compressed(&file.body) => found.say(format_args!(
            "{what}, no robots.txt: crawlers treat it as an outage and fetch nothing"
        )),
        0 => found.say(format_args!(
            "{what}: no line is a rule, so nothing is disallowed"
        )),
        1 => found.say(format_args!("{what}, and yet one line counts as a rule")),
        rules => found.say(format_args!("{what}, and yet {rules} lines count as rules")),
    };
    found.help(help);
    false
}

/// Reports byte order marks (SPEC 4.2).
fn marks(file: &File, findings: &mut Findings) {
    let Some(rest) = file.body.strip_prefix(b"\xEF\xBB\xBF") else {
        return;
    };
    if rest.starts_with(b"\xEF\xBB\xBF") {
        findings
            .add(Code::SecondMark, Place::new(1, 3..6))
            .say("a second byte order mark makes the first field unknown: the line is skipped")
            .help("save the file as UTF-8 without a byte order mark")
            .fix(|| FixResult::new(0..6, ""));
        return;
    }
    // A file with only a byte order mark has no line.
    let place = match rest {
        [] => Place::FILE,
        _ => Place::new(1, 0..3),
    };
    // A safe fix must not leave a part of a mark at the start of the file (SPEC 4.2), and the file must still be text.
    let is_text = rest.first() != Some(&0xEF) && FileKind::detect(rest) == FileKind::Text;
    findings
        .add(Code::ByteOrderMark, place)
        .say("the file begins with a byte order mark, which simple crawlers read as part of the first field")
        .help("save the file as UTF-8 without a byte order mark")
        .fix(|| FixResult::new(0..3, "").safe_if(is_text));
}

/// Returns whether Google's parser finds a rule (SPEC 5.6).
fn google_reads_rules(file: &File) -> bool {
    let mut lines = Reader::whole(&file.body, Dialect::Google);
    lines.any(|line| {
        let directive = directive::read(line.text, Dialect::Google);
        directive.is_some_and(|it| matches!(it.field, Field::Allow | Field::Disallow))
    })
}

/// Reports that no line is understood; returns whether the file has text.
fn empty(file: &File, findings: &mut Findings) -> bool {
    let is_text = |kind| matches!(kind, LineKind::Unknown | LineKind::NotUnderstood);
    let has_text = file.kept.iter().any(|line| is_text(line.kind()));
    let is_address = is_address(&file.body);
    let (code, message) = match has_text {
        true if is_address => (
            Code::NoRobotsTxt,
            "the file holds an address and no rules: everything is allowed",
        ),
        true if google_reads_rules(file) => (
            Code::NoRobotsTxt,
            "no line of the file is understood, except by Google, which guesses what is meant",
        ),
        true => (
            Code::NoRobotsTxt,
            "no line of the file is understood: everything is allowed",
        ),
        false if file.full_len == 0 => (Code::Empty, "the file is empty: everything is allowed"),
        false => (
            Code::Empty,
            "the file holds no rules: everything is allowed",
        ),
    };
    let found = findings.add(code, Place::FILE).say(message);
    found.help(match is_address {
        true => "open the address, and give the file itself",
        false => {
            "begin with `User-agent: *` and write rules below it, if something should be disallowed"
        }
    });
    has_text
}

fn line(file: &File, number: u32, findings: &mut Findings) {
    let whole = file.whole_line(number);
    let text = file.body.get(whole.clone()).unwrap_or_default();
    let place = |span| Place::new(number, span);
    if let Some(at) = memchr::memchr(0, text) {
        let span = whole.start + at..whole.start + at + 1;
        let effect = match file.dialect {
            Dialect::Google => "what follows it on the line is not read",
            _ => "some crawlers do not read what follows it",
        };
        findings
            .add(Code::Nul, place(span.clone()))
            .say(format_args!("a NUL byte: {effect}"))
            .help("remove it")
            .fix(|| FixResult::new(span, ""));
    }
    let Some(parts) = file.line(number) else {
        return;
    };
    if matches!(parts.kind, LineKind::Blank | LineKind::Comment) {
        return;
    }
    let len = text.len();
    if len > GOOGLE_LINE {
        findings
            .add(Code::LongLine, place(whole.start + GOOGLE_LINE..whole.end))
            .say(format_args!(
                "the line has {len} bytes, and Google reads the first {GOOGLE_LINE}"
            ))
            .help("make it shorter");
    }
    if parts.value.is_ascii() {
        return;
    }
    if let Err(error) = core::str::from_utf8(parts.value) {
        let start = file.span(parts.value).start + error.valid_up_to();
        findings
            .add(
                Code::NotUtf8,
                place(start..start + error.error_len().unwrap_or(1)),
            )
            .say("bytes that are not UTF-8: they match only URLs with the same bytes")
            .help("save the file as UTF-8");
    } else if parts.kind.is_understood() && has_invisible(parts.value) {
        let value = quoted(parts.value);
        findings
            .add(Code::Invisible, file.place(number, parts.value))
            .say(format_args!(
                "the value {value} contains an invisible character"
            ))
            .help("delete the value and type it again");
    }
}
