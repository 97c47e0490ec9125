//! Checks the values of other lines (SPEC 9).

use std::collections::HashMap;

use super::codes::Code;
use super::diagnostic::{Findings, quoted, quoted_all, say};
use super::lines::starts_with;
use super::lines::{File, LineKind, LineParts};
use super::preferences;
use crate::error::Error;
use crate::extensions::{ExtensionField, Hours, RequestRate, Vocabulary};
use crate::parser::group::seconds;

pub(super) fn check_values(file: &File, findings: &mut Findings) -> Result<(), Error> {
    let mut sitemaps: HashMap<&[u8], u32> = HashMap::new();
    for line in file.lines() {
        match line.kind {
            LineKind::Sitemap => sitemap(file, line, &mut sitemaps, findings)?,
            LineKind::CrawlDelay => crawl_delay(file, line, findings)?,
            LineKind::Extension => extension(file, line, findings)?,
            _ => {}
        }
    }
    Ok(())
}

/// SPEC 9.1.
fn sitemap<'a>(
    file: &File,
    line: LineParts<'a>,
    known: &mut HashMap<&'a [u8], u32>,
    findings: &mut Findings,
) -> Result<(), Error> {
    let value = line.value;
    if value.is_empty() {
        return findings.add(
            Code::EmptySitemap,
            file.place(line.number, line.name),
            || {
                say("a sitemap without a URL is ignored")
                    .help("write the absolute URL, or remove the line")
                    .fix(file.remove_line(line.number))
            },
        );
    }
    let place = file.place(line.number, value);
    if !is_absolute(value) {
        return findings.add(Code::RelativeSitemap, place, || {
            let said = say(format_args!(
                "{} is not an absolute URL: crawlers ignore the sitemap",
                quoted(value)
            ));
            let wanted: [&[u8]; 2] = match value {
                [b'/', b'/', ..] => [b"https:", value],
                _ if memchr::memmem::find(value, b"://").is_some() => {
                    [b"https://example.com/", b"sitemap.xml"]
                }
                _ => {
                    let path = value.strip_prefix(b"/").unwrap_or(value);
                    if !file.site.is_empty() {
                        let wanted = [file.site.as_bytes(), b"/", path];
                        return said
                            .help(format_args!("write {}", quoted_all(wanted)))
                            .fix(file.rewrite(value, wanted));
                    }
                    [b"https://example.com/", path]
                }
            };
            said.help(format_args!(
                "write the absolute URL, such as {}",
                quoted_all(wanted)
            ))
        });
    }
    known.try_reserve(1).map_err(|_| Error::Memory)?;
    let first = *known.entry(value).or_insert(line.number);
    if first != line.number {
        return findings.add(Code::SitemapAgain, place, || {
            say("an earlier line names this sitemap")
                .help("remove the line")
                .fix(file.remove_line(line.number).safe_if(true))
                .other(first)
        });
    }
    if let Some(at) = memchr::memchr2(b' ', b'\t', value) {
        let gap = file.place(line.number, value.get(at..=at).unwrap_or_default());
        return findings.add(Code::SitemapWithSpace, gap, || {
            say("a URL has no spaces: crawlers ignore the sitemap or request another URL").help(
                "write one line for each sitemap; begin a comment with `#`; write %20 for a space",
            )
        });
    }
    Ok(())
}

fn is_absolute(value: &[u8]) -> bool {
    [&b"https://"[..], b"http://", b"ftp://"]
        .iter()
        .filter(|scheme| starts_with(value, scheme))
        .filter_map(|scheme| value.get(scheme.len()))
        .any(|host| !matches!(host, b'/' | b'?' | b' '))
}

/// SPEC 9.2.
fn crawl_delay(file: &File, line: LineParts<'_>, findings: &mut Findings) -> Result<(), Error> {
    const LONG: f64 = 60.0;
    let part = if line.value.is_empty() {
        line.name
    } else {
        line.value
    };
    let place = file.place(line.number, part);
    let Some(seconds) = seconds(line.value) else {
        return findings.add(Code::BadCrawlDelay, place, || {
            let said = match line.value {
                b"" => say("a crawl-delay without a number is ignored"),
                value => say(format_args!(
                    "{} is not a number of seconds: the line is ignored",
                    quoted(value)
                )),
            };
            said.help("write seconds as digits, such as `Crawl-delay: 2`")
        });
    };
    if seconds <= LONG {
        return Ok(());
    }
    findings.add(Code::LongCrawlDelay, place, || {
        let pages = (86_400.0 / seconds).floor();
        say(format_args!(
            "a crawler that waits {seconds} seconds between pages fetches {pages} a day"
        ))
        .help(match seconds < 1000.0 {
            true => "write a shorter time, and disallow what should not be crawled",
            false => "write seconds, not milliseconds",
        })
    })
}

fn extension(file: &File, line: LineParts<'_>, findings: &mut Findings) -> Result<(), Error> {
    let value = file.place(line.number, line.value);
    match ExtensionField::find(line.name) {
        Some(ExtensionField::Noindex) => {
            findings.add(Code::Noindex, file.place(line.number, line.name), || {
                say("large search engines do not read `noindex` in a robots.txt").help(
                    "use <meta name=\"robots\" content=\"noindex\"> or the X-Robots-Tag header",
                )
            })
        }
        Some(ExtensionField::RequestRate) if RequestRate::parse(line.value).is_none() => findings
            .add(Code::BadRequestRate, value, || {
                say(format_args!(
                    "{} is not a request rate: the line is ignored",
                    quoted(line.value)
                ))
                .help("write documents per time, such as `Request-rate: 1/10s`")
            }),
        Some(ExtensionField::VisitTime) if Hours::parse(line.value).is_none() => {
            findings.add(Code::BadVisitTime, value, || {
                say(format_args!(
                    "{} is not a time of day: the line is ignored",
                    quoted(line.value)
                ))
                .help("write hours and minutes of UTC, such as `Visit-time: 0600-0845`")
            })
        }
        Some(ExtensionField::ContentSignal) if !is_signals(line.value) => {
            findings.add(Code::BadContentSignal, value, || {
                say(format_args!(
                    "{} is not a list of signals",
                    quoted(line.value)
                ))
                .help("write keys with values, such as `Content-Signal: search=yes, ai-train=no`")
            })
        }
        Some(ExtensionField::ContentSignal) => {
            preferences::check_preferences(file, line, Vocabulary::ContentSignal, findings)
        }
        Some(ExtensionField::ContentUsage) => {
            preferences::check_preferences(file, line, Vocabulary::ContentUsage, findings)
        }
        _ => findings.add(Code::RarelyRead, file.place(line.number, line.name), || {
            say(format_args!(
                "few crawlers read {}; it has no effect on what may be fetched",
                quoted(line.name)
            ))
        }),
    }
}

/// SPEC 9.4: keys with values. Which keys and values there are is not for lint to say.
fn is_signals(value: &[u8]) -> bool {
    let is_word = |text: &[u8]| {
        let text = text.trim_ascii();
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        !text.is_empty() && text.iter().all(is_part)
    };
    value.split(|byte| *byte == b',').all(|signal| {
        let mut parts = signal.splitn(2, |byte| *byte == b'=');
        parts.next().is_some_and(is_word) && parts.next().is_some_and(is_word)
    })
}
