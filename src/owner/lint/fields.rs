//! Checks the field names of lines.

use super::codes::Code;
use super::diagnostic::{Findings, is_invisible, quoted, quoted_all};
use super::lines::{File, LineKind, LineParts, starts_with};
use crate::base::dialect::Dialect;
use crate::bytes::display::from_fn;
use crate::bytes::near_word::{Bare, near_word};
use crate::core::parse::directive::{self, Field};
use crate::page::ExtensionField;
use memchr::memmem;

/// Length of the longest name that may be a known field, misspelt or not, in bytes.
const LONGEST: usize = 24;

const KNOWN: [&str; 5] = ["User-agent", "Disallow", "Allow", "Sitemap", "Crawl-delay"];

/// Checks each line. `quiet`: whether to report only lines that crawlers nearly understand.
pub(super) fn check_fields(file: &File, quiet: bool, findings: &mut Findings) {
    let has_agent = file.has_kind(LineKind::UserAgent);
    for line in file.lines() {
        let text = file.dialect.trim(line.text);
        if let Some((message, part)) = joined(file, line, has_agent) {
            findings
                .add(Code::JoinedLines, file.place(line.number, part))
                .say(format_args!("{}{message}", quoted(part)))
                .help("write each field on its own line");
            continue;
        }
        if !quiet && is_cut(file, line) {
            findings
                .add(Code::CutLine, file.place(line.number, text))
                .say(format_args!(
                    "the file ends within {}: what followed is lost",
                    quoted(text)
                ))
                .help("save or fetch the file again");
            continue;
        }
        match line.kind {
            LineKind::Blank | LineKind::Comment => {}
            LineKind::Unknown | LineKind::NotUnderstood if is_foreign_comment(text) => {
                findings
                    .add(Code::ForeignComment, file.place(line.number, text))
                    .say("only `#` begins a comment")
                    .help("begin the line with `#`")
                    .fix(|| file.insert(file.span(text).start, "# ").safe_if(true));
            }
            LineKind::Unknown => unknown(file, line, text, quiet, findings),
            LineKind::NotUnderstood => not_understood(file, line.number, text, quiet, findings),
            _ => known(file, line, findings),
        }
    }
}

/// Returns whether a file, which has a user-agent line, lost line ends, its first line or its end.
pub(super) fn is_damaged(file: &File) -> bool {
    let is_outside = |line: LineParts<'_>| line.is_rule() && line.group == 0;
    (file.lines())
        .any(|line| is_outside(line) || joined(file, line, true).is_some() || is_cut(file, line))
}

/// Returns whether a line is the last line of the file and has only the start of a field name.
fn is_cut(file: &File, line: LineParts<'_>) -> bool {
    let text = file.dialect.trim(line.text);
    line.kind == LineKind::NotUnderstood
        && file.full_len <= file.reading.max_bytes
        && file.span(line.text).end == file.full_len
        && known_where(|field| starts_with(field, text)).is_some()
}

/// Returns the fault of a line that was made of several lines by mistake, and the field in this line that no crawler reads.
///
/// A value is faulty if it holds a known field. A comment, or a line that no crawler understands, is faulty if it holds a
/// user-agent field and then a rule. Comments often hold rules, so they count only in a file without a user-agent line.
fn joined<'f>(
    file: &'f File,
    line: LineParts<'f>,
    has_agent: bool,
) -> Option<(&'static str, &'f [u8])> {
    let is_skipped = matches!(line.kind, LineKind::Unknown | LineKind::NotUnderstood);
    match line.kind {
        LineKind::Blank => None,
        LineKind::Comment if has_agent => None,
        LineKind::Comment => {
            let comment = file.body.get(file.whole_line(line.number))?;
            let message = " is in a comment, with a rule after it: crawlers ignore the line";
            Some((message, agent_before_rule(comment)?))
        }
        _ if is_skipped => {
            let message = " is inside a line, with a rule after it: crawlers skip the line";
            Some((message, agent_before_rule(line.text)?))
        }
        _ => match line_end_reference(file, line) {
            Some(reference) => Some((" is no line end: crawlers read one line", reference)),
            None => {
                let message = " is inside a value: crawlers do not read it as a field";
                Some((message, field_inside(line)?))
            }
        },
    }
}

/// Returns a line end in HTML notation, such as `&#10;`, after the text of a line. Its `#` begins a comment.
fn line_end_reference<'f>(file: &'f File, line: LineParts<'f>) -> Option<&'f [u8]> {
    const NUMBERS: [&[u8]; 4] = [b"#10;", b"#13;", b"#xA;", b"#xD;"];
    let whole = file.body.get(file.whole_line(line.number))?;
    let ampersand = line.text.strip_suffix(b"&")?.len();
    let reference = whole.get(ampersand..ampersand + 5)?;
    let is_line_end = |number: &&[u8]| {
        reference
            .get(1..)
            .is_some_and(|it| it.eq_ignore_ascii_case(number))
    };
    NUMBERS.iter().any(is_line_end).then_some(reference)
}

/// Returns the first known field inside the value of a line. A field may follow a crawler's name without a space: `User-agent:
/// *Disallow: /`. A field may follow a path without a space if a space follows the field's colon: `Disallow: /a/Disallow: /b/`.
pub(super) fn field_inside<'f>(line: LineParts<'f>) -> Option<&'f [u8]> {
    let at_end = |text: &'f [u8], fields: [&[u8]; 2]| {
        fields.into_iter().find_map(|field| {
            let end = text.get(text.len().checked_sub(field.len())?..)?;
            end.eq_ignore_ascii_case(field).then_some(end)
        })
    };
    let in_path = |colon: usize| at_end(line.value.get(..colon)?, [b"Disallow", b"User-agent"]);
    let joined = match line.kind {
        LineKind::UserAgent => {
            names_in(line.value).find_map(|name| at_end(name, [b"Disallow", b"Allow"]))
        }
        LineKind::Allow | LineKind::Disallow => {
            memmem::find_iter(line.value, b": ").find_map(in_path)
        }
        _ => None,
    };
    joined.or_else(|| field_in(line.value))
}

/// Returns the first known field in a value, at its start or after a space.
pub(super) fn field_in(value: &[u8]) -> Option<&[u8]> {
    names_in(value)
        .find(|name| directive::field(name).is_some() || ExtensionField::find(name).is_some())
}

/// Returns the first user-agent field of a text, if a rule follows it.
fn agent_before_rule(text: &[u8]) -> Option<&[u8]> {
    let mut fields = names_in(text).filter_map(|name| Some((name, directive::field(name)?)));
    let (agent, _) = fields.find(|(_, field)| *field == Field::UserAgent)?;
    let is_rule = |field| matches!(field, Field::Allow | Field::Disallow);
    fields.any(|(_, field)| is_rule(field)).then_some(agent)
}

/// Iterates over the words before the colons of a text.
fn names_in(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_gap = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'#';
    memchr::memchr_iter(b':', text).filter_map(move |colon| {
        let before = text.get(..colon)?.trim_ascii_end();
        let near = before.get(before.len().saturating_sub(LONGEST)..)?;
        let start = near.iter().rposition(is_gap).map_or(0, |gap| gap + 1);
        near.get(start..)
    })
}

/// Reports a misspelt field or a missing colon in a line that is understood, because only some crawlers accept this fault.
fn known(file: &File, line: LineParts<'_>, findings: &mut Findings) {
    let Some(directive) = directive::read(line.text, file.dialect) else {
        return;
    };
    let right = directive.field.name();
    let place = || file.place(line.number, line.name);
    let name = quoted(line.name);
    let is_field = directive::field(line.name).is_some();
    if memchr::memchr(b':', line.text).is_none() {
        let end = place().span.end;
        findings
            .add(Code::ForgivenColon, place())
            .say(format_args!(
                "no colon after {name}: not every crawler reads this line"
            ))
            .help(format_args!("write `{right}: …`"))
            .fix(|| file.insert(end, ":").safe_if(is_field));
    }
    if line.name.eq_ignore_ascii_case(right.as_bytes()) {
        return;
    }
    let found = match is_field {
        true => findings
            .add(Code::ForgivenSpelling, place())
            .say(format_args!(
                "{name} is misspelt: not every crawler accepts it"
            ))
            .help(format_args!("write `{right}`")),
        false => findings
            .add(Code::FieldByPrefix, place())
            .say(format_args!("{name} is read as `{right}` by Google alone"))
            .help(format_args!("write `{right}`, if that is meant")),
    };
    found.fix(|| file.replace(line.name, right).safe_if(is_field));
}

fn unknown(file: &File, line: LineParts<'_>, text: &[u8], quiet: bool, findings: &mut Findings) {
    // A colon after the first space is part of the value: `Sitemap https://example.com/`.
    let end = text.iter().position(|byte| matches!(byte, b' ' | b'\t'));
    let split = end.and_then(|end| text.split_at_checked(end));
    if let Some((word, rest)) = split.filter(|(word, _)| word.len() < line.name.len()) {
        if let Some(right) = exact(word) {
            missing_colon(file, line.number, text, (word, rest), right, findings);
            return;
        }
    }
    if line.number == 1 && line.name.starts_with("\u{FEFF}".as_bytes()) {
        return;
    }
    let place = file.place(line.number, line.name);
    let name = quoted(line.name);
    if has_invisible(line.name) {
        findings
            .add(Code::Invisible, place)
            .say(format_args!(
                "the field {name} contains an invisible character: the line is skipped"
            ))
            .help("delete the line and type it again");
    } else if let Some(right) = meant(line.name) {
        findings
            .add(Code::MisspeltField, place)
            .say(from_fn(|f| match by_prefix(line.name) {
                Some(read) => write!(
                    f,
                    "{name} is not a field: only Google reads the line, as `{read}`"
                ),
                None => write!(f, "{name} is not a field: the line is skipped"),
            }))
            .help(format_args!("write `{right}`"))
            .fix(|| file.replace(line.name, right));
    } else if let Some(right) = by_prefix(line.name) {
        findings
            .add(Code::FieldByPrefix, place)
            .say(format_args!(
                "{name} is read as `{right}` by Google and skipped by others"
            ))
            .help(format_args!("write `{right}`, if that is meant"))
            .fix(|| file.replace(line.name, right));
    } else if quiet {
        // Another diagnostic already says that no line of the file is understood.
    } else if matches!(line.name, b"http" | b"https") && line.value.starts_with(b"//") {
        let wanted = quoted_all([b"Sitemap: ", text]);
        findings
            .add(Code::NotUnderstood, file.place(line.number, text))
            .say("a URL without a field has no effect: the line is skipped")
            .help(format_args!("write {wanted}, if it is a sitemap"))
            .fix(|| file.insert(file.span(text).start, "Sitemap: "));
    } else {
        findings
            .add(Code::UnknownField, place)
            .say(format_args!(
                "crawlers do not know the field {name}: the line is skipped"
            ))
            // A single word may be a field that only some crawlers know.
            .help(match memchr::memchr(b' ', line.name) {
                Some(_) => "begin the line with `#`, if it is a comment",
                None if line.name.eq_ignore_ascii_case(b"index") => {
                    "remove the line: what no rule disallows may be in search without it"
                }
                None => "remove the line, unless some crawler reads it",
            });
    }
}

fn not_understood(file: &File, line: u32, text: &[u8], quiet: bool, findings: &mut Findings) {
    if text.first() == Some(&b':') {
        findings
            .add(Code::NoField, file.place(line, text))
            .say("there is no field before the colon: the line is skipped")
            .help("write the field, such as `Disallow`, before it");
        return;
    }
    let is_end = |byte: &u8| matches!(byte, b' ' | b'\t' | b'=' | b';' | b',' | b'/' | 0xEF);
    let end = text.iter().position(is_end).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let right = match exact(word) {
        None if rest.trim_ascii().starts_with(b"/") => meant(word),
        right => right,
    };
    if let Some(right) = right {
        missing_colon(file, line, text, (word, rest), right, findings);
    } else if let Some(words) = user_agent_of_two_words(text) {
        let right = Field::UserAgent.name();
        missing_colon(file, line, text, words, right, findings);
    } else if !quiet {
        findings
            .add(Code::NotUnderstood, file.place(line, text))
            .say("the line is not of the form `field: value` and is skipped")
            .help("begin it with `#`, if it is a comment");
    }
}

/// Splits a line such as `User agent GPTBot` after its field. A line with more words may be a sentence, and is not split.
fn user_agent_of_two_words(text: &[u8]) -> Option<(&[u8], &[u8])> {
    const FIELD: &[u8] = b"user agent";
    let (field, rest) = text.split_at_checked(FIELD.len())?;
    let name = rest.trim_ascii();
    let is_one_name = name.len() < rest.len() && !name.is_empty() && !name.contains(&b' ');
    (field.eq_ignore_ascii_case(FIELD) && is_one_name).then_some((field, rest))
}

/// Reports a field without a colon.
fn missing_colon(
    file: &File,
    line: u32,
    text: &[u8],
    (word, rest): (&[u8], &[u8]),
    right: &str,
    findings: &mut Findings,
) {
    let rest = rest.trim_ascii_start();
    let rest = match rest {
        [b'=' | b';' | b',', rest @ ..] | [0xEF, 0xBC, 0x9A, rest @ ..] => rest.trim_ascii(),
        _ => rest.trim_ascii(),
    };
    let who = match directive::read(text, Dialect::Google) {
        Some(_) => "only Google reads the line",
        None => "the line is skipped",
    };
    let wanted = match rest {
        b"" => [right.as_bytes(), b":", b""],
        rest => [right.as_bytes(), b": ", rest],
    };
    findings
        .add(Code::MissingColon, file.place(line, word))
        .say(format_args!("no colon after {}: {who}", quoted(word)))
        .help(format_args!("write {}", quoted_all(wanted)))
        .fix(|| file.rewrite(text, wanted));
}

/// Returns the field that a skipped line probably means.
pub(super) fn skipped_field(line: LineParts<'_>) -> Option<Field> {
    if !matches!(line.kind, LineKind::Unknown | LineKind::NotUnderstood) {
        return None;
    }
    let is_end = |byte: &u8| matches!(byte, b' ' | b'\t' | b'=' | b':' | b';' | b',' | b'/');
    let word = line.text.trim_ascii().split(is_end).next()?;
    let name = meant(line.name).or_else(|| meant(word))?;
    let fields = [Field::UserAgent, Field::Disallow, Field::Allow];
    fields.into_iter().find(|field| field.name() == name)
}

fn is_foreign_comment(text: &[u8]) -> bool {
    const SIGNS: [&[u8]; 10] = [
        b"//", b"/*", b"*/", b"<!--", b"--", b";", b"!", b"'", b"% ", b"REM ",
    ];
    SIGNS.iter().any(|sign| text.starts_with(sign))
}

pub(super) fn has_invisible(text: &[u8]) -> bool {
    !text.is_ascii()
        && core::str::from_utf8(text)
            .is_ok_and(|text| text.chars().any(|c| !c.is_ascii() && is_invisible(c)))
}

fn known_where(is_it: impl Fn(&[u8]) -> bool) -> Option<&'static str> {
    KNOWN.into_iter().find(|field| is_it(field.as_bytes()))
}

/// Returns the field with this name, ASCII case ignored.
fn exact(name: &[u8]) -> Option<&'static str> {
    known_where(|field| name.eq_ignore_ascii_case(field))
}

/// Returns the known field with which a name begins: Google reads only this prefix (SPEC 5.6).
fn by_prefix(name: &[u8]) -> Option<&'static str> {
    known_where(|field| starts_with(name, field))
}

/// Returns the field that a misspelt name probably means.
fn meant(name: &[u8]) -> Option<&'static str> {
    if name.len() > LONGEST {
        return None;
    }
    match Bare::new(name).letters() {
        // An author who writes `Index` wants pages in search, so `Noindex` would be the opposite.
        b"index" => return None,
        b"agent" | b"bot" | b"robot" | b"crawler" | b"agents" => return Some("User-agent"),
        name if name.ends_with(b"sitemap") => return Some("Sitemap"),
        _ => {}
    }
    let fields = KNOWN.into_iter();
    let fields = fields.chain(ExtensionField::ALL.map(ExtensionField::written));
    near_word(name, &mut fields.filter(|field| field.len() > 4))
}
