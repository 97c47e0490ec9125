//! Checks the names on user-agent lines (SPEC 7).

use core::fmt::Display;

use super::codes::Code;
use super::diagnostic::{Findings, quoted};
use super::fields;
use super::groups;
use super::lines::{File, LineKind, LineParts, starts_with};
use super::paths;
use crate::base::dialect::Dialect;
use crate::bytes::display::from_fn;
use crate::crawler::operator::{fetches_for_search, operator_tokens};
use crate::crawler::preset::Preset;
use crate::owner::names::{self, Meant};

/// Upper bound on the names that are compared with the names of well-known crawlers.
const MOST_NAMES: u32 = 1_000;

pub(super) fn check_agents(file: &File, findings: &mut Findings) {
    let mut names = 0;
    let is_whole = |line: &LineParts<'_>| fields::field_inside(*line).is_none();
    for line in file.lines_of(LineKind::UserAgent).filter(is_whole) {
        let name = groups::name_of(line.value, file.dialect);
        if is_right(file, line, name, findings) && names < MOST_NAMES {
            names += 1;
            near_miss(file, line, name, findings);
        }
    }
}

/// Returns whether a name is correct. If not, reports the fault.
fn is_right(file: &File, line: LineParts<'_>, name: &[u8], findings: &mut Findings) -> bool {
    let value = line.value;
    let shown = quoted(value);
    let place = file.place(line.number, line.value_or_name());
    // In koster1996 the whole value is the name, so no fix of the value is safe.
    let is_token_read = file.dialect != Dialect::Koster1996;
    if value.is_empty() {
        findings
            .add(Code::EmptyAgent, place)
            .say("this user-agent line names no crawler: it has no effect")
            .help("write `*`, if it is for everyone");
        return false;
    }
    if value == b"*" {
        return true;
    }
    if name == b"*" {
        findings
            .add(Code::AgentWildcard, place)
            .say(format_args!(
                "{shown} names everyone: the text after the `*` is ignored"
            ))
            .help("write `*`")
            .fix(|| file.replace(value, "*").safe_if(is_token_read));
        return false;
    }
    let named_here = named(name, "no crawler");
    let bare = paths::unwrapped(value);
    // A value that starts with a no-break space, whose first byte is 0xC2, is not quoted.
    let is_quoted = bare != value && bare != name && value.first() != Some(&0xC2);
    if is_quoted && (bare == b"*" || is_token(bare)) {
        let (code, everyone) = match bare {
            b"*" => (Code::AgentWildcard, "; everyone is `*`"),
            _ => (Code::AgentNotAToken, ""),
        };
        findings
            .add(code, place)
            .say(format_args!(
                "quotation marks are part of the name: {shown} names {named_here}{everyone}"
            ))
            .help(format_args!(
                "remove the quotation marks: write {}",
                quoted(bare)
            ))
            .fix(|| file.rewrite(value, [bare]));
        return false;
    }
    if starts_with(value, b"mozilla/") {
        let found = findings.add(Code::WholeUserAgent, place).say(format_args!(
            "a browser's User-Agent header: it names {named_here}"
        ));
        match token_in(value) {
            None => found.help("write the crawler's product token"),
            Some(token) => found
                .help(format_args!(
                    "write the crawler's product token, perhaps {}",
                    quoted(token)
                ))
                .fix(|| file.rewrite(value, [token])),
        };
        return false;
    }
    let pieces = pieces_of_list(value);
    let version = version_in(value).filter(|_| pieces.is_none());
    if let Some((token, version)) = version {
        findings
            .add(Code::AgentWithVersion, place)
            .say(format_args!("{shown}: what follows the name is ignored"))
            .help(format_args!("write {}", quoted(token)))
            .fix(|| file.replace(version, "").safe_if(is_token_read));
    } else if let Some(pieces) = pieces {
        findings
            .add(Code::ListOfAgents, place)
            .say(format_args!(
                "several agents on one line: it names {named_here}"
            ))
            .help("write one user-agent line for each")
            .fix(|| file.rewrite(value, one_a_line(file, pieces)));
    } else if value.contains(&b'*') {
        let found = findings.add(Code::AgentWildcard, place).say(format_args!(
            "a `*` in a name is not a pattern: {shown} names {named_here}"
        ));
        match value.strip_suffix(b"*").filter(|token| is_token(token)) {
            Some(token) => found
                .help(format_args!("write {}", quoted(token)))
                .fix(|| file.rewrite(value, [token]).safe_if(is_token_read)),
            None => found.help("write the crawler's whole token, or `*` alone for everyone"),
        };
    } else if memchr::memchr2(b' ', b'\t', value).is_some() {
        let found = findings.add(Code::AgentWithSpace, place).say(format_args!(
            "a space in a name: {shown} names {named_here}"
        ));
        let words = value.split(|byte| matches!(byte, b' ' | b'\t'));
        let words = words.filter(|word| !word.is_empty());
        if words.clone().all(names::is_known) {
            found
                .help("write one user-agent line for each crawler")
                .fix(|| file.rewrite(value, one_a_line(file, words)));
        } else {
            found.help("write the token as the crawler's operator documents it: it has no space");
        }
    } else if !is_token(value) {
        findings
            .add(Code::AgentNotAToken, place)
            .say(format_args!(
                "{shown} is not a valid product token: it names {named_here}"
            ))
            .help("write the token as the crawler's operator documents it");
    } else {
        return !has_digit(file, line, findings);
    }
    false
}

/// Reports a digit or a dot in a name, because Google's crawlers read only the part of the name before it. Returns whether the
/// name is at fault. In google it always is; in other dialects only if Google's part is the name of a Google crawler.
fn has_digit(file: &File, line: LineParts<'_>, findings: &mut Findings) -> bool {
    let value = line.value;
    let Some(short) = groups::name_in_google(value) else {
        return false;
    };
    let is_of_google = names::is_of_google(short);
    if file.dialect != Dialect::Google && !is_of_google {
        return false;
    }
    let found = findings
        .add(Code::AgentWithDigit, file.place(line.number, value))
        .say(format_args!(
            "Google's parser reads {} as {}",
            quoted(value),
            named(short, "no crawler")
        ));
    if is_of_google {
        found
            .help(format_args!(
                "write {}, if its group is meant",
                quoted(short)
            ))
            .fix(|| file.rewrite(value, [short]));
    }
    true
}

fn near_miss(file: &File, line: LineParts<'_>, name: &[u8], findings: &mut Findings) {
    let place = file.place(line.number, line.value);
    let meant = core::str::from_utf8(name).ok();
    let Some(meant) = meant.and_then(|name| names::meant_by(name, &[])) else {
        return;
    };
    if let Meant::Purpose(purpose) = meant {
        let is_one = |preset: &Preset| preset.purpose() == purpose;
        let example = Preset::all().find(is_one).map(|preset| preset.name());
        let example = quoted(example.unwrap_or_default().as_bytes());
        findings
            .add(Code::AgentNearMiss, place)
            .say(format_args!(
                "{} names no crawler: that is a purpose",
                quoted(name)
            ))
            .help(format_args!(
                "write the names of crawlers, such as {example}"
            ));
        return;
    }
    // A crawler needs no line of its own if its second token is another name of the list.
    let own = operator_tokens(name);
    let own = own.clone().filter(move |token| {
        let second = Preset::find(token).and_then(|preset| preset.tokens().get(1).copied());
        second.is_none_or(|second| own.clone().all(|other| other != second))
    });
    if own.clone().next().is_some() {
        let is_everyone = own.clone().any(|token| token == "*");
        let what = match is_everyone {
            true => "everyone is `*`",
            false => "that is an operator or a product",
        };
        let list = from_fn(|f| {
            own.clone().enumerate().try_for_each(|(at, token)| {
                f.write_str(if at > 0 { ", " } else { "" })?;
                quoted(token.as_bytes()).fmt(f)
            })
        });
        let rest = match own.clone().nth(1) {
            Some(_) => ", each on its own user-agent line",
            None if fetches_for_search(name) => {
                ", which also fetches for the search of its operator"
            }
            None => "",
        };
        findings
            .add(Code::AgentNearMiss, place)
            .say(format_args!("{} names no crawler: {what}", quoted(name)))
            .help(format_args!("write {list}{rest}"))
            .fix(|| file.rewrite(line.value, one_a_line(file, own.map(str::as_bytes))));
    } else if let Meant::Crawler(right) = meant {
        let (name, known) = (quoted(name), quoted(right.as_bytes()));
        findings
            .add(Code::AgentNearMiss, place)
            .say(format_args!(
                "{name} names no well-known crawler, but nearly {known}"
            ))
            .help(format_args!("write {known}, if that crawler is meant"))
            .fix(|| file.replace(line.value, right));
    } else if let Meant::Operator(right) | Meant::Perhaps(right) = meant {
        let own = operator_tokens(right.as_bytes()).next().unwrap_or(right);
        findings
            .add(Code::AgentPerhaps, place)
            .say(format_args!(
                "{} names no well-known crawler, but is nearly {}",
                quoted(name),
                quoted(right.as_bytes())
            ))
            .help(format_args!(
                "write {}, if that crawler is meant",
                quoted(own.as_bytes())
            ));
    }
}

fn is_token(text: &[u8]) -> bool {
    !text.is_empty()
        && text
            .iter()
            .all(|byte| Dialect::Rfc9309.is_token_byte(*byte))
}

/// Returns whether a text is a token that starts with a letter. Names of crawlers start with a letter.
fn is_name(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_alphabetic) && is_token(text)
}

/// Splits a name such as `ExampleBot/1.0` or `ExampleBot/v1` before its version.
fn version_in(value: &[u8]) -> Option<(&[u8], &[u8])> {
    let (token, version) = value.split_at(memchr::memchr(b'/', value)?);
    let is_version = matches!(version, [_, b'0'..=b'9', ..] | [_, b'v', b'0'..=b'9', ..]);
    (is_version && is_token(token)).then_some((token, version))
}

/// Returns the product in a header, if the product is a token: `ExampleBot` for `Mozilla/5.0 (compatible; ExampleBot/1.0;
/// ...)`.
fn token_in(header: &[u8]) -> Option<&[u8]> {
    const MARK: &[u8] = b"compatible;";
    let at = memchr::memmem::find(header, MARK)? + MARK.len();
    let rest = header.get(at..)?;
    let end = rest.iter().position(|byte| matches!(byte, b';' | b')'));
    let product = rest.get(..end.unwrap_or(rest.len()))?.trim_ascii();
    let token = product.split(|byte| *byte == b'/').next()?;
    is_name(token).then_some(token)
}

/// Returns the names of a list such as `Googlebot, Bingbot`; `None` if a part of the list is not a name.
fn pieces_of_list(value: &[u8]) -> Option<impl Iterator<Item = &[u8]> + Clone> {
    let is_separator = |byte: &u8| matches!(byte, b',' | b';' | b'|');
    let pieces = value
        .split(is_separator as fn(&u8) -> bool)
        .map(<[u8]>::trim_ascii);
    let is_piece = |piece: &[u8]| {
        let token = piece.split(|byte| *byte == b'/').next().unwrap_or(piece);
        token.len() >= 3 && is_name(token)
    };
    let is_list = pieces.clone().count() > 1 && pieces.clone().all(is_piece);
    is_list.then_some(pieces)
}

/// Returns the text pieces of one user-agent line per name. The first piece is a name, because the field before it is already
/// in the file.
fn one_a_line<'a>(
    file: &File,
    names: impl Iterator<Item = &'a [u8]>,
) -> impl Iterator<Item = &'a [u8]> {
    let end = file.line_end().as_bytes();
    names.enumerate().flat_map(move |(at, name)| {
        let [end, field]: [&[u8]; 2] = if at > 0 {
            [end, b"User-agent: "]
        } else {
            [b"", b""]
        };
        [end, field, name]
    })
}

/// Quotes a name; shows `nobody` instead of an empty name.
pub(super) fn named(name: &[u8], nobody: &str) -> impl Display {
    from_fn(move |f| match name {
        b"" => f.write_str(nobody),
        name => quoted(name).fmt(f),
    })
}
