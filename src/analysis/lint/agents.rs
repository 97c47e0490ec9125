//! Checks the names on user-agent lines (SPEC 7).

use core::fmt::Display;

use super::codes::Code;
use super::diagnostic::{Findings, Said, quoted, say};
use super::groups;
use super::lines::{File, LineKind};
use super::lines::{contains, starts_with};
use crate::dialect::Dialect;
use crate::error::Error;
use crate::util::display::from_fn;

pub(super) fn check_agents(file: &File, findings: &mut Findings) -> Result<(), Error> {
    for line in file.lines().filter(|line| line.kind == LineKind::UserAgent) {
        let name = groups::name_of(line.value, file.dialect);
        let Some((code, said)) = fault(line.value, name) else {
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

fn fault(value: &[u8], name: &[u8]) -> Option<(Code, Said)> {
    if value.is_empty() {
        let said = say("this user-agent line names no crawler: the group has no effect");
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
                Some((Code::AgentWildcard, said.help("write `*`")))
            }
        };
    }
    if is_header(value) {
        let said = say(format_args!(
            "a whole User-Agent header: it names {}",
            named(name)
        ));
        let said = match token_in(value).unwrap_or_default() {
            b"" => said.help("write the crawler's product token"),
            token => said.help(format_args!(
                "write the crawler's product token, perhaps {}",
                quoted(token)
            )),
        };
        return Some((Code::WholeUserAgent, said));
    }
    if value.contains(&b'*') {
        let said = say(format_args!(
            "a `*` in a name is not a pattern: {} names {}",
            quoted(value),
            named(name)
        ));
        return Some((
            Code::AgentWildcard,
            said.help("write the crawler's whole token, or `*` alone for everyone"),
        ));
    }
    let separators = |byte: &u8| matches!(byte, b',' | b';' | b'|');
    if value.iter().any(separators) {
        let said = say(format_args!(
            "several agents on one line: it names {}",
            named(name)
        ));
        return Some((
            Code::ListOfAgents,
            said.help("write one user-agent line for each"),
        ));
    }
    if let Some(at) = memchr::memchr2(b' ', b'\t', value) {
        let first = value.get(..at).unwrap_or_default();
        let said = say(format_args!(
            "a space in a name: {} names {}",
            quoted(value),
            named(name)
        ));
        return Some((Code::AgentWithSpace, said.help(format_args!(
            "write {} and the others on separate lines, or the token as the crawler's operator documents it",
            quoted(first)
        ))));
    }
    if let Some(at) = memchr::memchr(b'/', value) {
        let token = value.get(..at).unwrap_or_default();
        let digits = value.get(at + 1).is_some_and(|byte| byte.is_ascii_digit());
        if digits && !token.is_empty() {
            let said = say(format_args!("{}: the version is ignored", quoted(value)));
            return Some((
                Code::AgentWithVersion,
                said.help(format_args!("write {}", quoted(token))),
            ));
        }
    }
    let is_token = |byte: &u8| Dialect::Rfc9309.is_token_byte(*byte);
    if !value.iter().all(is_token) {
        let said = say(format_args!(
            "{} is not a valid product token: it names {}",
            quoted(value),
            named(name)
        ));
        return Some((
            Code::AgentOddCharacter,
            said.help("write the token as the crawler's operator documents it"),
        ));
    }
    let end = value
        .iter()
        .position(|byte| !Dialect::Google.is_token_byte(*byte))?;
    let short = value.get(..end).unwrap_or_default();
    let said = say(format_args!(
        "Google's parser reads {} as {}",
        quoted(value),
        named(short)
    ));
    Some((
        Code::AgentWithDigit,
        said.help("write the token as its operator documents it; only Google's crawlers read it as shorter"),
    ))
}

fn named(name: &[u8]) -> impl Display {
    from_fn(move |f| match name {
        b"" => f.write_str("no crawler"),
        name => quoted(name).fmt(f),
    })
}

fn is_header(value: &[u8]) -> bool {
    starts_with(value, b"mozilla/") || value.contains(&b'(') && value.contains(&b'/')
}

/// Returns the word of a header that looks most like a crawler's token.
fn token_in(value: &[u8]) -> Option<&[u8]> {
    let words = value.split(|byte| !Dialect::Rfc9309.is_token_byte(*byte));
    words.into_iter().find(|word| {
        [&b"bot"[..], b"crawler", b"spider"]
            .iter()
            .any(|part| contains(word, part))
    })
}
