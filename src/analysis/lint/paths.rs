//! Checks the path of each rule by itself (SPEC 8.3 to 8.6).

use std::collections::HashSet;

use super::codes::Code;
use super::diagnostic::{Findings, Said, quoted, quoted_all, say};
use super::hosts;
use super::lines::starts_with;
use super::lines::{File, LineKind, LineParts};
use crate::error::Error;
use crate::parser::directive;

pub(super) fn check_paths(file: &File, findings: &mut Findings) -> Result<(), Error> {
    // An empty disallow alone is how most files allow everything.
    let mut with_path = HashSet::new();
    for line in file.lines().filter(is_rule) {
        if !line.value.is_empty() {
            with_path.try_reserve(1).map_err(|_| Error::Memory)?;
            with_path.insert(line.group);
        }
    }
    for line in file.lines().filter(is_rule) {
        if line.value.is_empty() {
            empty(file, line, !with_path.contains(&line.group), findings)?;
        } else {
            path(file, line, findings)?;
        }
    }
    Ok(())
}

fn is_rule(line: &LineParts<'_>) -> bool {
    matches!(line.kind, LineKind::Allow | LineKind::Disallow)
}

/// Checks a rule without a path. `alone`: no rule of its group has a path.
fn empty(
    file: &File,
    line: LineParts<'_>,
    alone: bool,
    findings: &mut Findings,
) -> Result<(), Error> {
    let place = file.place(line.number, line.name);
    if cut_by_comment(file, line).is_some() {
        return hash(file, line, findings);
    }
    if line.kind == LineKind::Allow {
        return findings.add(Code::EmptyAllow, place, || {
            say("an allow without a path is ignored")
                .help("write `Allow: /`, if everything should be allowed")
                .fix(file.rewrite(
                    directive::trim(line.text, file.dialect),
                    [line.name, b": /"],
                ))
        });
    }
    if alone {
        return Ok(());
    }
    findings.add(Code::EmptyDisallow, place, || {
        say("an empty disallow is ignored: it does not cancel the other rules of the group")
            .help("remove it, or remove the other rules if everything should be allowed")
            .fix(file.remove_line(line.number).safe_if(true))
    })
}

fn path(file: &File, line: LineParts<'_>, findings: &mut Findings) -> Result<(), Error> {
    let value = line.value;
    let place = |part: &[u8]| file.place(line.number, part);
    if let Some(path) = path_from_url(value) {
        return findings.add(Code::UrlAsPath, place(value), || {
            whole_url(file, value, path)
        });
    }
    if !matches!(value, [b'/' | b'*', ..]) {
        let (start, rest): (&[u8], &[u8]) = match value {
            [b'.' | b'?' | b'&' | b'=', _, ..] => (b"/*", value),
            // An escaped slash is not a slash (SPEC 8.6 e).
            [b'%', b'2', b'F' | b'f', rest @ ..] => (b"/", rest),
            _ => (b"/", value),
        };
        return findings.add(Code::PathWithoutSlash, place(value), || {
            let said = say(format_args!(
                "{} does not begin with `/`: the rule never matches",
                quoted(value)
            ));
            said.help(format_args!("write {}", quoted_all([start, rest])))
                .fix(file.rewrite(value, [start, rest]))
        });
    }
    if super::fields::field_in(value).is_some() {
        return Ok(());
    }
    if cut_by_comment(file, line).is_some() {
        hash(file, line, findings)?;
    }
    if let Some(segment) = dot_segment(value) {
        findings.add(Code::DotSegment, place(segment), || {
            say(format_args!(
                "browsers and URL libraries remove the segment {}: the rule matches only URLs that are sent with it",
                quoted(segment)
            ))
            .help("write the path as it is without dot segments")
        })?;
    }
    if let Some(at) = memchr::memchr2(b' ', b'\t', value) {
        space(file, line, at, findings)?;
    }
    escapes(file, line, findings)?;
    if is_regular_expression(value) {
        return findings.add(Code::RegularExpression, place(value), || {
            say(format_args!(
                "{} looks like a regular expression: rules do not support them",
                quoted(value)
            ))
            .help("use `*` for any characters and a last `$` for the end of the URL")
        });
    }
    if file.dialect.has_wildcards() {
        wildcards(file, line, findings)?;
    }
    about_itself(file, line, findings)
}

/// Returns the path of a URL; `None` if the value is not a URL.
fn path_from_url(value: &[u8]) -> Option<[&[u8]; 2]> {
    let scheme = [&b"https://"[..], b"http://", b"ftp://", b"www."]
        .into_iter()
        .find(|scheme| starts_with(value, scheme))?;
    let rest = value.get(scheme.len()..)?;
    let path = memchr::memchr2(b'/', b'?', rest).and_then(|at| rest.get(at..));
    let path = path.unwrap_or(b"/");
    Some(match path {
        [b'?', ..] => [b"/", path],
        _ => [path, b""],
    })
}

/// Reports a URL in the place of a path. Its path may be that of another host, or of the whole site.
fn whole_url(file: &File, value: &[u8], path: [&[u8]; 2]) -> Said {
    let said = say("a whole URL stands where a path should: the rule never matches");
    let is_everything = matches!(path, [b"/" | b"/*", b""]);
    let is_related = match (hosts::host_of(value), file.host()) {
        (Some(host), Some(own)) => Some(hosts::is_related(host, own)),
        _ => None,
    };
    if is_related == Some(false) && !file.site.is_empty() {
        return said.help("remove it: rules are for the host of this robots.txt only");
    }
    if is_everything {
        return said.help("write the path that is meant: `/` alone would match the whole site");
    }
    let said = if is_related == Some(true) {
        said.help(format_args!("write {}", quoted_all(path)))
    } else {
        said.help(format_args!(
            "write {}, if the URL is of this site: rules are for the host of this robots.txt only",
            quoted_all(path)
        ))
    };
    said.fix(file.rewrite(value, path))
}

/// Returns the first segment `.` or `..` of a path, in any encoding: browsers remove it from a URL (SPEC 8.11), and a rule
/// keeps it. The last segment of a rule may be the start
/// of a longer one, as in `/.git`.
pub(super) fn dot_segment(path: &[u8]) -> Option<&[u8]> {
    let path = match path.strip_suffix(b"$") {
        Some(path) => path.split(|byte| *byte == b'?').next()?,
        None => {
            let end = memchr::memchr(b'?', path).or_else(|| memchr::memrchr(b'/', path));
            path.get(..end?)?
        }
    };
    let mut segments = path.split(|byte| matches!(byte, b'/' | b'\\'));
    segments.find(|segment| is_dots(segment))
}

/// Whether a segment is `.` or `..`, where `%2e` is a dot.
fn is_dots(segment: &[u8]) -> bool {
    let mut rest = segment;
    for dots in 0..3 {
        rest = match rest {
            [] => return dots > 0,
            [b'.', rest @ ..] | [b'%', b'2', b'e' | b'E', rest @ ..] => rest,
            _ => return false,
        };
    }
    false
}

/// Returns the comment if it begins directly after the value or replaces it.
fn cut_by_comment<'a>(file: &'a File, line: LineParts<'_>) -> Option<&'a [u8]> {
    let text = file.span(line.text);
    let whole = file.whole_line(line.number);
    let comment = file.body.get(text.end..whole.end)?;
    let is_close = match line.value {
        // `Disallow: #/a` may be a comment; `Disallow: #top` is a mistake.
        [] => comment
            .get(1)
            .is_some_and(|byte| !byte.is_ascii_whitespace() && *byte != b'#'),
        _ => file.span(line.value).end == text.end,
    };
    (is_close && comment.first() == Some(&b'#')).then_some(comment)
}

fn hash(file: &File, line: LineParts<'_>, findings: &mut Findings) -> Result<(), Error> {
    let Some(comment) = cut_by_comment(file, line) else {
        return Ok(());
    };
    findings.add(Code::HashInPath, file.place(line.number, comment), || {
        let said = match line.value {
            b"" => say("`#` begins a comment: no path is left"),
            value => say(format_args!(
                "`#` begins a comment: the path is {}",
                quoted(value)
            )),
        };
        said.help(
            "write a space before a comment; crawlers request URLs without `#` and what follows it",
        )
    })
}

fn space(
    file: &File,
    line: LineParts<'_>,
    at: usize,
    findings: &mut Findings,
) -> Result<(), Error> {
    let value = line.value;
    let gap = value.get(at..=at).unwrap_or_default();
    findings.add(Code::SpaceInPath, file.place(line.number, gap), || {
        let rest = value.get(at..).unwrap_or_default().trim_ascii_start();
        let first = value.get(..at).unwrap_or_default();
        let said = say(format_args!(
            "the space is part of the path: the rule matches only URLs that begin with {}",
            quoted(value)
        ));
        match rest {
            [b'/', b'/', ..] | [b'/', b'*', ..] => said.help("begin a comment with `#`"),
            [b'/', ..] if memchr::memchr2(b' ', b'\t', rest).is_some() => {
                said.help("write each path on a line of its own")
            }
            [b'/', ..] => said
                .help(format_args!(
                    "write {} and {} on separate lines",
                    quoted(first),
                    quoted(rest)
                ))
                .fix(file.rewrite(
                    value,
                    [first, file.line_end().as_bytes(), line.name, b": ", rest],
                )),
            [b'(' | b'-' | b';', ..] => said.help("begin a comment with `#`"),
            _ => said.help("write %20 for a space of the path, or `#` before a comment"),
        }
    })
}

/// SPEC 8.6 d.
fn escapes(file: &File, line: LineParts<'_>, findings: &mut Findings) -> Result<(), Error> {
    let value = line.value;
    let bad = memchr::memchr_iter(b'%', value).find(|at| {
        let digits = value.get(at + 1..at + 3).unwrap_or_default();
        digits.len() < 2 || !digits.iter().all(u8::is_ascii_hexdigit)
    });
    let Some(at) = bad else {
        return Ok(());
    };
    let part = value.get(at..(at + 3).min(value.len())).unwrap_or_default();
    // Shows whole characters only.
    let part = if core::str::from_utf8(part).is_ok() {
        part
    } else {
        b"%"
    };
    let place = file.place(
        line.number,
        value.get(at..at + part.len()).unwrap_or_default(),
    );
    findings.add(Code::BadEscape, place, || {
        say(format_args!(
            "{} is not an escape: two hexadecimal digits must follow the `%`",
            quoted(part)
        ))
        .help("write %25 for the character `%`")
        .fix(file.replace(value.get(at..=at).unwrap_or_default(), "%25"))
    })
}

/// Whether the path looks like a regular expression. `.*` does not count: it can mean a dot and then anything.
fn is_regular_expression(value: &[u8]) -> bool {
    const SIGNS: [&[u8]; 12] = [
        b"(.*", b".+/", b"[0-9]", b"[a-z]", b"[A-Z]", b"[^", b"\\d", b"\\w", b"\\.", b"(?:", b"]+",
        b"/^",
    ];
    let alternatives = memchr::memchr(b'(', value).is_some_and(|at| {
        let rest = value.get(at..).unwrap_or_default();
        matches!((memchr::memchr(b'|', rest), memchr::memchr(b')', rest)), (Some(or), Some(end)) if or < end)
    });
    let has = |sign: &[u8]| memchr::memmem::find(value, sign).is_some();
    alternatives || SIGNS.iter().any(|sign| has(sign))
}

fn wildcards(file: &File, line: LineParts<'_>, findings: &mut Findings) -> Result<(), Error> {
    let value = line.value;
    if value == b"*" && line.kind == LineKind::Disallow {
        findings.add(Code::DisallowStar, file.place(line.number, value), || {
            say("`*` alone matches every URL, but not for crawlers without wildcards")
                .help("write `/`")
                .fix(file.replace(value, "/").safe_if(true))
        })?;
    }
    let inner = value.strip_suffix(b"$").unwrap_or(value);
    let Some(at) = memchr::memchr(b'$', inner) else {
        return Ok(());
    };
    let dollar = value.get(at..=at).unwrap_or_default();
    findings.add(Code::DollarInside, file.place(line.number, dollar), || {
        say("this `$` is not the last character: it matches a literal `$`")
            .help("write %24, if that is meant; or end the path here")
            .fix(file.replace(dollar, "%24"))
    })
}

/// SPEC 8.9.
fn about_itself(file: &File, line: LineParts<'_>, findings: &mut Findings) -> Result<(), Error> {
    let is_about_itself = matches!(
        line.value,
        b"/robots.txt" | b"/robots.txt$" | b"/robots.txt*"
    );
    if !is_about_itself || !file.dialect.frees_robots_txt() {
        return Ok(());
    }
    findings.add(
        Code::RobotsTxtRule,
        file.place(line.number, line.value),
        || {
            let said = if line.value.ends_with(b"$") {
                say("/robots.txt itself is always allowed: this rule has no effect")
            } else {
                say("/robots.txt itself is always allowed: this rule is only for other URLs that begin with it")
            };
            let is_needless = line.value.ends_with(b"$");
            let help = if is_needless {
                "write `Disallow:` in its place"
            } else {
                "write `Disallow:` in its place, if it is not meant for those"
            };
            said.help(help)
                .fix(file.empty_rule(line))
        },
    )
}
