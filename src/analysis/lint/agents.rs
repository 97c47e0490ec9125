//! Checks the names on user-agent lines (SPEC 7).

use core::fmt::Display;

use super::codes::Code;
use super::diagnostic::{Findings, Said, quoted, say};
use super::fields;
use super::groups;
use super::lines::starts_with;
use super::lines::{File, LineKind, LineParts};
use super::names;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::util::display::from_fn;

/// The most names that are compared with those of well-known crawlers.
const MOST_NAMES: u32 = 1_000;

pub(super) fn check_agents(file: &File, findings: &mut Findings) -> Result<(), Error> {
    let mut names = 0;
    let is_whole = |line: &LineParts<'_>| fields::field_in(line.value).is_none();
    let lines = file.lines().filter(|line| line.kind == LineKind::UserAgent);
    for line in lines.filter(is_whole) {
        let name = groups::name_of(line.value, file.dialect);
        let found = match fault(file, line, name) {
            None if names < MOST_NAMES => {
                names += 1;
                near_miss(file, line, name)
            }
            found => found,
        };
        let Some((code, said)) = found else {
            continue;
        };
        let part = if line.value.is_empty() {
            line.name
        } else {
            line.value
        };
        findings.add(code, file.place(line.number, part), || said)?;
    }
    Ok(())
}

fn fault(file: &File, line: LineParts<'_>, name: &[u8]) -> Option<(Code, Said)> {
    let value = line.value;
    // Koster's draft compares whole values.
    let is_token_read = file.dialect != Dialect::Koster1996;
    if value.is_empty() {
        let said = say("this user-agent line names no crawler: it has no effect");
        return Some((
            Code::EmptyAgent,
            said.help("write `*`, if it is for everyone"),
        ));
    }
    if name == b"*" {
        return match value {
            b"*" => None,
            _ => {
                let said = say(format_args!(
                    "{} names everyone: the text after the `*` is ignored",
                    quoted(value)
                ));
                let fix = file.replace(value, "*").safe_if(is_token_read);
                Some((Code::AgentWildcard, said.help("write `*`").fix(fix)))
            }
        };
    }
    if starts_with(value, b"mozilla/") {
        return Some(whole_header(file, value, name));
    }
    let is_token = |text: &[u8]| {
        text.iter()
            .all(|byte| Dialect::Rfc9309.is_token_byte(*byte))
    };
    if let Some(at) = memchr::memchr(b'/', value) {
        let (token, after) = value.split_at_checked(at)?;
        let is_version = matches!(after, [_, b'0'..=b'9', ..] | [_, b'v', b'0'..=b'9', ..]);
        if is_version && !token.is_empty() && is_token(token) && pieces_of_list(value).is_none() {
            let said = say(format_args!(
                "{}: what follows the name is ignored",
                quoted(value)
            ));
            let said = said.help(format_args!("write {}", quoted(token)));
            let fix = file.replace(after, "").safe_if(is_token_read);
            return Some((Code::AgentWithVersion, said.fix(fix)));
        }
    }
    if let Some(pieces) = pieces_of_list(value) {
        let said = say(format_args!(
            "several agents on one line: it names {}",
            named(name)
        ));
        let said = said.help("write one user-agent line for each");
        return Some((
            Code::ListOfAgents,
            said.fix(file.rewrite(value, one_a_line(file, pieces))),
        ));
    }
    if value.contains(&b'*') {
        let said = say(format_args!(
            "a `*` in a name is not a pattern: {} names {}",
            quoted(value),
            named(name)
        ));
        let token = value.strip_suffix(b"*").filter(|token| is_token(token));
        let said = match token.filter(|token| !token.is_empty()) {
            Some(token) => said
                .help(format_args!("write {}", quoted(token)))
                .fix(file.rewrite(value, [token]).safe_if(is_token_read)),
            None => said.help("write the crawler's whole token, or `*` alone for everyone"),
        };
        return Some((Code::AgentWildcard, said));
    }
    if memchr::memchr2(b' ', b'\t', value).is_some() {
        let said = say(format_args!(
            "a space in a name: {} names {}",
            quoted(value),
            named(name)
        ));
        let words = || {
            let words = value.split(|byte| matches!(byte, b' ' | b'\t'));
            words.filter(|word| !word.is_empty())
        };
        let said = if words().all(names::is_known) {
            said.help("write one user-agent line for each crawler")
                .fix(file.rewrite(value, one_a_line(file, words())))
        } else {
            said.help("write the token as the crawler's operator documents it: it has no space")
        };
        return Some((Code::AgentWithSpace, said));
    }
    if !is_token(value) {
        let said = say(format_args!(
            "{} is not a valid product token: it names {}",
            quoted(value),
            named(name)
        ));
        return Some((
            Code::AgentNotAToken,
            said.help("write the token as the crawler's operator documents it"),
        ));
    }
    with_digit(file, value)
}

/// Google's crawlers read a name up to its first digit or dot. Only a shorter name of their own matters.
fn with_digit(file: &File, value: &[u8]) -> Option<(Code, Said)> {
    let end = value
        .iter()
        .position(|byte| !Dialect::Google.is_token_byte(*byte))?;
    let short = value.get(..end)?;
    if file.dialect != Dialect::Google && !names::is_of_google(short) {
        return None;
    }
    let said = say(format_args!(
        "Google's parser reads {} as {}",
        quoted(value),
        named(short)
    ));
    let said = if names::is_of_google(short) {
        said.help(format_args!(
            "write {}, if its group is meant",
            quoted(short)
        ))
        .fix(file.rewrite(value, [short]))
    } else {
        said
    };
    Some((Code::AgentWithDigit, said))
}

/// Reports a whole header that begins with `Mozilla/`.
fn whole_header(file: &File, value: &[u8], name: &[u8]) -> (Code, Said) {
    let said = say(format_args!(
        "a browser's User-Agent header: it names {}",
        named(name)
    ));
    let said = match token_in(value) {
        None => said.help("write the crawler's product token"),
        Some(token) => said
            .help(format_args!(
                "write the crawler's product token, perhaps {}",
                quoted(token)
            ))
            .fix(file.rewrite(value, [token])),
    };
    (Code::WholeUserAgent, said)
}

/// Returns the product of `Mozilla/5.0 (compatible; ExampleBot/1.0; ...)`, if it is a token.
fn token_in(header: &[u8]) -> Option<&[u8]> {
    const MARK: &[u8] = b"compatible;";
    let at = memchr::memmem::find(header, MARK)? + MARK.len();
    let rest = header.get(at..)?;
    let end = rest.iter().position(|byte| matches!(byte, b';' | b')'));
    let product = rest.get(..end.unwrap_or(rest.len()))?.trim_ascii();
    let token = product.split(|byte| *byte == b'/').next()?;
    let is_token = |token: &&[u8]| {
        token.first().is_some_and(u8::is_ascii_alphabetic)
            && token
                .iter()
                .all(|byte| Dialect::Rfc9309.is_token_byte(*byte))
    };
    Some(token).filter(is_token)
}

/// Returns the names of a list such as `Googlebot, Bingbot`; `None` if a part of it is not a name.
fn pieces_of_list(value: &[u8]) -> Option<impl Iterator<Item = &[u8]> + Clone> {
    let is_separator = |byte: &u8| matches!(byte, b',' | b';' | b'|');
    let pieces = value
        .split(is_separator as fn(&u8) -> bool)
        .map(<[u8]>::trim_ascii);
    let is_name = |piece: &[u8]| {
        let token = piece.split(|byte| *byte == b'/').next().unwrap_or(piece);
        token.len() >= 3
            && token.first().is_some_and(u8::is_ascii_alphabetic)
            && token
                .iter()
                .all(|byte| Dialect::Rfc9309.is_token_byte(*byte))
    };
    let is_list = pieces.clone().count() > 1 && pieces.clone().all(is_name);
    is_list.then_some(pieces)
}

/// Joins names by the start of a user-agent line.
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

/// Reports a misspelling of the name of a well-known crawler.
fn near_miss(file: &File, line: LineParts<'_>, name: &[u8]) -> Option<(Code, Said)> {
    let known = names::near_miss(name)?;
    let said = say(format_args!(
        "{} names no well-known crawler, but nearly {}",
        quoted(name),
        quoted(known.as_bytes())
    ));
    let said = said.help(format_args!(
        "write {}, if that crawler is meant",
        quoted(known.as_bytes())
    ));
    Some((
        Code::AgentNearMiss,
        said.fix(file.replace(line.value, known)),
    ))
}

fn named(name: &[u8]) -> impl Display {
    from_fn(move |f| match name {
        b"" => f.write_str("no crawler"),
        name => quoted(name).fmt(f),
    })
}
