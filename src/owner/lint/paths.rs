//! Checks the path of each rule by itself (SPEC 8.3 to 8.6).

use std::collections::HashSet;

use super::codes::Code;
use super::diagnostic::{Checked, Findings, quoted, quoted_all};
use super::hosts;
use super::lines::{File, LineKind, LineParts, starts_with};
use crate::base::error::Error;
use crate::bytes::display::from_fn;
use crate::core::rules::single_rule::canonical;
use crate::url::reading;

pub(super) fn check_paths(file: &File, findings: &mut Findings) -> Checked {
    // An empty disallow is a fault only if its group also has a rule with a path. Alone, it is the common way to allow
    // everything.
    let mut with_path = HashSet::new();
    for line in file.lines().filter(LineParts::is_rule) {
        if !line.value.is_empty() {
            with_path.try_reserve(1).map_err(|_| Error::Memory)?;
            with_path.insert(line.group);
        }
    }
    for line in file.lines().filter(LineParts::is_rule) {
        if line.value.is_empty() {
            empty(file, line, !with_path.contains(&line.group), findings);
        } else {
            path(file, line, findings);
        }
    }
    Ok(())
}

/// Returns whether a rule with this path applies to the whole site.
pub(super) fn is_everything(path: &[u8]) -> bool {
    matches!(path, b"/" | b"/*" | b"*")
}

pub(super) fn without_dollar(path: &[u8]) -> &[u8] {
    path.strip_suffix(b"$").unwrap_or(path)
}

/// Returns whether a rule with this path can match (SPEC 8.5).
pub(super) fn is_path(path: &[u8]) -> bool {
    matches!(path, [b'/' | b'*', ..])
}

/// Checks a rule without a path. `alone`: whether no rule of its group has a path.
fn empty(file: &File, line: LineParts<'_>, alone: bool, findings: &mut Findings) {
    if hash(file, line, findings) {
        return;
    }
    let place = file.place(line.number, line.name);
    if line.kind == LineKind::Allow {
        let text = file.dialect.trim(line.text);
        findings
            .add(Code::EmptyAllow, place)
            .say("an allow without a path is ignored")
            .help("write `Allow: /`, if everything should be allowed")
            .fix(|| file.rewrite(text, [line.name, b": /"]));
    } else if !alone {
        findings
            .add(Code::EmptyDisallow, place)
            .say("an empty disallow is ignored: it does not cancel the other rules of the group")
            .help("remove it, or remove the other rules if everything should be allowed")
            .fix(|| file.remove_line(line.number).safe_if(true));
    }
}

fn path(file: &File, line: LineParts<'_>, findings: &mut Findings) {
    let value = line.value;
    let shown = quoted(value);
    let place = |part: &[u8]| file.place(line.number, part);
    if let Some(path) = path_from_url(value) {
        return whole_url(file, line, path, findings);
    }
    if value.starts_with(b"^/") {
        return regular_expression(file, line, findings);
    }
    if !is_path(value) {
        let bare = unwrapped(value);
        let (start, rest): (&[u8], &[u8]) = match bare {
            _ if is_path(bare) => (b"", bare),
            [b'.' | b'?' | b'&' | b'=', _, ..] => (b"/*", bare),
            // An escaped slash is not a slash (SPEC 8.6 e).
            [b'%', b'2', b'F' | b'f', rest @ ..] | [b'\\', rest @ ..] => (b"/", rest),
            _ => (b"/", bare),
        };
        findings
            .add(Code::PathWithoutSlash, place(value))
            .say(format_args!(
                "{shown} does not begin with `/`: the rule never matches"
            ))
            .help(format_args!("write {}", quoted_all([start, rest])))
            .fix(|| file.rewrite(value, [start, rest]));
        return;
    }
    if super::fields::field_in(value).is_some() {
        return;
    }
    hash(file, line, findings);
    if let Some(segment) = dot_segment(value) {
        let dots = quoted(segment);
        findings
            .add(Code::DotSegment, place(segment))
            .say(format_args!("browsers and URL libraries remove the segment {dots}: the rule matches only URLs that are sent with it"))
            .help("write the path as it is without dot segments");
    }
    space(file, line, findings);
    escapes(file, line, findings);
    if is_regular_expression(value) {
        return regular_expression(file, line, findings);
    }
    if file.dialect.has_wildcards() {
        wildcards(file, line, findings);
    }
    about_itself(file, line, findings);
}

fn regular_expression(file: &File, line: LineParts<'_>, findings: &mut Findings) {
    findings
        .add(Code::RegularExpression, file.place(line.number, line.value))
        .say(format_args!(
            "{} looks like a regular expression: rules do not support them",
            quoted(line.value)
        ))
        .help("use `*` for any characters and a last `$` for the end of the URL");
}

/// Returns a value without a no-break space before it, and without plain or typographic quotation marks around it.
pub(super) fn unwrapped(value: &[u8]) -> &[u8] {
    let rest = match value {
        [b'"' | b'\'' | b'`', rest @ ..]
        | [0xC2, 0xA0, rest @ ..]
        | [0xE2, 0x80, 0x98..=0x9F, rest @ ..] => rest,
        _ => return value,
    };
    match rest {
        [bare @ .., b'"' | b'\'' | b'`'] | [bare @ .., 0xE2, 0x80, 0x98..=0x9F] => bare,
        _ => rest,
    }
}

/// Returns the path of a URL; `None` if the value is not a URL.
fn path_from_url(value: &[u8]) -> Option<[&[u8]; 2]> {
    let www = || starts_with(value, b"www.").then_some(value);
    let rest = hosts::after_scheme(value).or_else(www)?;
    let path = memchr::memchr2(b'/', b'?', rest).and_then(|at| rest.get(at..));
    let path = path.unwrap_or(b"/");
    Some(match path {
        [b'?', ..] => [b"/", path],
        _ => [path, b""],
    })
}

/// Reports a URL instead of a path. Gives no fix if the site has another host, or if the path means the whole site.
fn whole_url(file: &File, line: LineParts<'_>, path: [&[u8]; 2], findings: &mut Findings) {
    let value = line.value;
    let is_related = match (hosts::host_of(value), file.host()) {
        (Some(host), Some(own)) => Some(hosts::is_related(host, own)),
        _ => None,
    };
    let found = findings
        .add(Code::UrlAsPath, file.place(line.number, value))
        .say("a whole URL stands where a path should: the rule never matches");
    if is_related == Some(false) && !file.site.is_empty() {
        found.help("remove it: rules are for the host of this robots.txt only");
        return;
    }
    if matches!(path, [b"/" | b"/*", b""]) {
        found.help("write the path that is meant: `/` alone would match the whole site");
        return;
    }
    let advice = match is_related {
        Some(true) => "",
        _ => ", if the URL is of this site: rules are for the host of this robots.txt only",
    };
    found
        .help(format_args!("write {}{advice}", quoted_all(path)))
        .fix(|| file.rewrite(value, path));
}

/// Returns the first segment `.` or `..` of a path, in any encoding. Browsers remove such a segment from a URL (SPEC 8.11). The
/// last segment of a rule counts only before a `?` or `$`. At the end of a rule, the segment may be the start of a longer
/// segment: `/.` matches `/.git`.
pub(super) fn dot_segment(path: &[u8]) -> Option<&[u8]> {
    let path = match path.strip_suffix(b"$") {
        Some(path) => path.split(|byte| *byte == b'?').next()?,
        None => {
            let end = memchr::memchr(b'?', path).or_else(|| memchr::memrchr(b'/', path));
            path.get(..end?)?
        }
    };
    let mut segments = path.split(|byte| matches!(byte, b'/' | b'\\'));
    segments.find(|segment| reading::dots(segment, true) > 0)
}

/// Returns whether a rule with this path may decide URLs that have a dot segment or bytes that clients encode. Google compares
/// these URLs without changing them.
pub(super) fn is_beside(path: &[u8]) -> bool {
    let is_encoded = |byte: &u8| matches!(byte, 1..=b' ' | b'\\' | 0x7F);
    dot_segment(path).is_some() || path.iter().any(is_encoded)
}

/// Returns the comment of a line if the comment starts directly after the value. If the line has no value, returns the comment
/// only if it looks like a value.
fn cut_by_comment<'a>(file: &'a File, line: LineParts<'_>) -> Option<&'a [u8]> {
    let text = file.span(line.text);
    let whole = file.whole_line(line.number);
    let comment = file.body.get(text.end..whole.end)?;
    let is_close = match line.value {
        // `Disallow: # all` has a comment; `Disallow: #top` is a mistake.
        [] => comment
            .get(1)
            .is_some_and(|byte| !byte.is_ascii_whitespace() && *byte != b'#'),
        _ => file.span(line.value).end == text.end,
    };
    (is_close && comment.first() == Some(&b'#')).then_some(comment)
}

/// Reports a comment that cuts the path. Returns whether the line has such a comment.
fn hash(file: &File, line: LineParts<'_>, findings: &mut Findings) -> bool {
    let Some(comment) = cut_by_comment(file, line) else {
        return false;
    };
    let path = from_fn(|f| match line.value {
        b"" => f.write_str("no path is left"),
        value => write!(f, "the path is {}", quoted(value)),
    });
    findings
        .add(Code::HashInPath, file.place(line.number, comment))
        .say(format_args!("`#` begins a comment: {path}"))
        .help(
            "write a space before a comment; crawlers request URLs without `#` and what follows it",
        );
    true
}

fn space(file: &File, line: LineParts<'_>, findings: &mut Findings) {
    let value = line.value;
    let Some(at) = memchr::memchr2(b' ', b'\t', value) else {
        return;
    };
    let (first, rest) = value.split_at(at);
    let gap = rest.get(..1).unwrap_or_default();
    let rest = rest.trim_ascii_start();
    let first = first.strip_suffix(b",").unwrap_or(first);
    let found = findings
        .add(Code::SpaceInPath, file.place(line.number, gap))
        .say(format_args!(
            "the space is part of the path, {}",
            quoted(value)
        ));
    match rest {
        [b'/', b'/' | b'*', ..] | [b'(' | b'-' | b';', ..] => {
            found.help("begin a comment with `#`")
        }
        [b'/', ..] if memchr::memchr2(b' ', b'\t', rest).is_some() => {
            found.help("write each path on a line of its own")
        }
        [b'/', ..] => found
            .help(format_args!(
                "write {} and {} on separate lines",
                quoted(first),
                quoted(rest)
            ))
            .fix(|| {
                let end = file.line_end().as_bytes();
                file.rewrite(value, [first, end, line.name, b": ", rest])
            }),
        _ => found.help("write %20 for a space of the path, or `#` before a comment"),
    };
}

/// Reports a `%` that begins no escape (SPEC 8.6 d).
fn escapes(file: &File, line: LineParts<'_>, findings: &mut Findings) {
    let mut places = memchr::memchr_iter(b'%', line.value);
    let rest = places.find_map(|at| match line.value.get(at..)? {
        [_, a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => None,
        rest => Some(rest),
    });
    let Some(rest) = rest else {
        return;
    };
    let sign = rest.get(..1).unwrap_or_default();
    // The message shows whole characters only.
    let is_whole = |part: &&[u8]| core::str::from_utf8(part).is_ok();
    let part = Some(rest.get(..3).unwrap_or(rest)).filter(is_whole);
    let part = part.unwrap_or(sign);
    findings
        .add(Code::BadEscape, file.place(line.number, part))
        .say(format_args!(
            "{} is not an escape: two hexadecimal digits must follow the `%`",
            quoted(part)
        ))
        .help("write %25 for the character `%`")
        .fix(|| file.replace(sign, "%25"));
}

/// Returns whether the path looks like a regular expression. `.*` does not count: it can mean a dot and then any characters.
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

fn wildcards(file: &File, line: LineParts<'_>, findings: &mut Findings) {
    let value = line.value;
    if value == b"*" {
        findings
            .add(Code::BareStar, file.place(line.number, value))
            .say(match line.kind {
                LineKind::Allow => "`*` alone takes back only `Disallow: /`, and simple crawlers find no URL that begins with `*`",
                _ => "`*` alone means the whole site, but simple crawlers find no URL that begins with `*`",
            })
            .help("write `/`")
            .fix(|| file.replace(value, "/").safe_if(true));
    }
    if let Some(at) = memchr::memchr(b'$', without_dollar(value)) {
        let dollar = value.get(at..=at).unwrap_or_default();
        findings
            .add(Code::DollarInside, file.place(line.number, dollar))
            .say("this `$` is not the last character: it matches a literal `$`")
            .help("write %24, if that is meant; or end the path here")
            .fix(|| file.replace(dollar, "%24"));
    }
}

/// Reports a rule for /robots.txt itself (SPEC 8.9).
fn about_itself(file: &File, line: LineParts<'_>, findings: &mut Findings) {
    let path = match canonical(line.value, file.dialect) {
        Ok(path) => path,
        Err(error) => {
            findings.failure = Some(error);
            return;
        }
    };
    let (effect, condition) = match &*path {
        _ if !file.dialect.frees_robots_txt() => return,
        b"/robots.txt$" => ("has no effect", ""),
        b"/robots.txt" | b"/robots.txt*" => (
            "is only for other URLs that begin with it",
            ", if it is not meant for those",
        ),
        _ => return,
    };
    findings
        .add(Code::RobotsTxtRule, file.place(line.number, line.value))
        .say(format_args!(
            "/robots.txt itself is always allowed: this rule {effect}"
        ))
        .help(format_args!("write `Disallow:` in its place{condition}"))
        .fix(|| file.empty_rule(line));
}
