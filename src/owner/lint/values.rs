//! Checks the values of lines that are no rules (SPEC 9), and the keys of usage preferences (SPEC 9.4, 9.5).

use core::fmt::Display;
use std::collections::HashMap;

use super::codes::Code;
use super::diagnostic::{Checked, Findings, quoted, quoted_all};
use super::lines::{File, LineKind, LineParts, starts_with};
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::bytes::display::from_fn;
use crate::bytes::near_word::near_word;
use crate::core::parse::group::seconds;
use crate::crawler::preset::Purpose;
use crate::page::{self, Choice, ExtensionField, Hours, RequestRate, Stated, Vocabulary};
use crate::url::origin;

pub(super) fn check_values(file: &File, findings: &mut Findings) -> Checked {
    let mut sitemaps: HashMap<&[u8], u32> = HashMap::new();
    let mut uses = UsesSaid::default();
    for line in file.lines() {
        uses.enter(line.group);
        match line.kind {
            LineKind::Sitemap => sitemap(file, line, &mut sitemaps, findings)?,
            LineKind::CrawlDelay => crawl_delay(file, line, findings),
            LineKind::Extension => extension(file, line, &mut uses, findings)?,
            _ => {}
        }
    }
    Ok(())
}

/// Checks a sitemap (SPEC 9.1).
fn sitemap<'a>(
    file: &File,
    line: LineParts<'a>,
    known: &mut HashMap<&'a [u8], u32>,
    findings: &mut Findings,
) -> Checked {
    let value = line.value;
    let place = file.place(line.number, line.value_or_name());
    if value.is_empty() {
        findings
            .add(Code::EmptySitemap, place)
            .say("a sitemap without a URL is ignored")
            .help("write the absolute URL, or remove the line")
            .fix(|| file.remove_line(line.number));
        return Ok(());
    }
    if !origin::is_absolute(value) {
        relative_sitemap(file, line, findings);
        return Ok(());
    }
    known.try_reserve(1).map_err(|_| Error::Memory)?;
    let first = *known.entry(value).or_insert(line.number);
    if first != line.number {
        findings
            .add(Code::SitemapAgain, place)
            .say("an earlier line names this sitemap")
            .help("remove the line")
            .fix(|| file.remove_line(line.number).safe_if(true))
            .other(first);
    } else if let Some(at) = memchr::memchr2(b' ', b'\t', value) {
        let gap = value.get(at..=at).unwrap_or_default();
        findings
            .add(Code::SitemapWithSpace, file.place(line.number, gap))
            .say("a URL has no spaces: crawlers ignore the sitemap or request another URL")
            .help(
                "write one line for each sitemap; begin a comment with `#`; write %20 for a space",
            );
    }
    Ok(())
}

/// Returns whether a value seems to be a URL without its scheme, such as `example.com/sitemap.xml`.
fn has_host(value: &[u8]) -> bool {
    let mut segments = value.splitn(2, |byte| *byte == b'/');
    let host = segments.next().unwrap_or_default();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    segments.next().is_some()
        && host.contains(&b'.')
        && !host.starts_with(b".")
        && host.iter().all(is_part)
}

fn relative_sitemap(file: &File, line: LineParts<'_>, findings: &mut Findings) {
    const EXAMPLE: &[u8] = b"https://example.com/";
    let value = line.value;
    let path = value.strip_prefix(b"/").unwrap_or(value);
    let found = findings
        .add(Code::RelativeSitemap, file.place(line.number, value))
        .say(format_args!(
            "{} is not an absolute URL: crawlers ignore the sitemap",
            quoted(value)
        ));
    let wanted = match value {
        [b'/', b'/', ..] => [b"https:", value],
        _ if starts_with(value, b"www.") || has_host(value) => [b"https://", value],
        _ if memchr::memmem::find(value, b"://").is_some() => [EXAMPLE, b"sitemap.xml"],
        _ if !file.site.is_empty() => {
            let wanted = [file.site.as_bytes(), b"/", path];
            found
                .help(format_args!("write {}", quoted_all(wanted)))
                .fix(|| file.rewrite(value, wanted));
            return;
        }
        _ => [EXAMPLE, path],
    };
    found.help(format_args!(
        "write the absolute URL, such as {}",
        quoted_all(wanted)
    ));
}

/// Checks a crawl-delay (SPEC 9.2).
fn crawl_delay(file: &File, line: LineParts<'_>, findings: &mut Findings) {
    const LONG: f64 = 60.0;
    let place = file.place(line.number, line.value_or_name());
    let Some(seconds) = seconds(line.value) else {
        let what = from_fn(|f| match line.value {
            b"" => f.write_str("a crawl-delay without a number is ignored"),
            value => write!(
                f,
                "{} is not a number of seconds: the line is ignored",
                quoted(value)
            ),
        });
        findings
            .add(Code::BadCrawlDelay, place)
            .say(what)
            .help("write seconds as digits, such as `Crawl-delay: 2`");
        return;
    };
    if seconds <= LONG {
        return;
    }
    let pages = (86_400.0 / seconds).floor();
    findings
        .add(Code::LongCrawlDelay, place)
        .say(format_args!(
            "a crawler that waits {seconds} seconds between pages fetches {pages} a day"
        ))
        .help(if seconds < 1000.0 {
            "write a shorter time, and disallow what should not be crawled"
        } else {
            "write seconds, not milliseconds"
        });
}

fn extension(
    file: &File,
    line: LineParts<'_>,
    uses: &mut UsesSaid,
    findings: &mut Findings,
) -> Checked {
    let value = line.value;
    let place = || file.place(line.number, line.name);
    let Some(field) = ExtensionField::find(line.name) else {
        return Ok(());
    };
    let (code, fault, help) = match field {
        ExtensionField::Noindex => {
            findings
                .add(Code::Noindex, place())
                .say("large search engines do not read `noindex` in a robots.txt")
                .help("use <meta name=\"robots\" content=\"noindex\"> or the X-Robots-Tag header");
            return Ok(());
        }
        ExtensionField::RequestRate if RequestRate::parse(value).is_none() => (
            Code::BadRequestRate,
            "a request rate: the line is ignored",
            "write documents per time, such as `Request-rate: 1/10s`",
        ),
        ExtensionField::VisitTime if Hours::parse(value).is_none() => (
            Code::BadVisitTime,
            "a time of day: the line is ignored",
            "write hours and minutes of UTC, such as `Visit-time: 0600-0845`",
        ),
        ExtensionField::ContentSignal if !is_signals(value) => (
            Code::BadContentSignal,
            "a list of signals",
            "write keys with values, such as `Content-Signal: search=yes, ai-train=no`",
        ),
        ExtensionField::ContentSignal => {
            return preferences(file, line, Vocabulary::ContentSignal, uses, findings);
        }
        ExtensionField::ContentUsage => {
            return preferences(file, line, Vocabulary::ContentUsage, uses, findings);
        }
        ExtensionField::License if !origin::is_absolute(value) => (
            Code::BadLicense,
            "an absolute URL: the line is ignored",
            "write scheme and host, such as `License: https://example.com/license.xml`",
        ),
        _ => {
            let name = quoted(line.name);
            findings.add(Code::RarelyRead, place()).say(format_args!(
                "few crawlers read {name}; it has no effect on what may be fetched"
            ));
            return Ok(());
        }
    };
    findings
        .add(code, file.place(line.number, value))
        .say(format_args!("{} is not {fault}", quoted(value)))
        .help(help);
    Ok(())
}

/// Returns whether a value is a list of keys with values (SPEC 9.4). The keys may be unknown.
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

const SIGNALS: &[&str] = &["search", "ai-input", "ai-train", "use"];
const USAGES: &[&str] = &["search", "train-ai", "bots"];
/// A key of Content-Signal, and the key of Content-Usage with the same meaning.
const SAME: (&str, &str) = ("ai-train", "train-ai");

fn preferences(
    file: &File,
    line: LineParts<'_>,
    vocabulary: Vocabulary,
    uses: &mut UsesSaid,
    findings: &mut Findings,
) -> Checked {
    let stated = page::stated_by(vocabulary, line.value, file.dialect)?;
    let is_against = |one: &&Stated<'_>| {
        one.choice == Choice::No
            && one
                .purposes()
                .is_some_and(|of| of.contains(&Purpose::Search))
    };
    if let Some(one) = stated.iter().find(is_against) {
        let against = match vocabulary {
            Vocabulary::ContentUsage => "search=n",
            Vocabulary::ContentSignal => "search=no",
        };
        findings
            .add(Code::SearchNotWanted, file.place(line.number, one.text))
            .say(format_args!(
                "`{against}` asks search engines not to show the pages"
            ))
            .help("remove it, if search engines should find the site");
    }
    check_words(file, line, vocabulary, findings);
    if is_of_all_pages(line.value) {
        uses.add(file, line, &stated, findings);
    }
    Ok(())
}

/// Returns whether a value states preferences for all pages. A path that is longer than `/` limits the preferences to some
/// pages.
fn is_of_all_pages(value: &[u8]) -> bool {
    !matches!(value, [b'/', next, ..] if !matches!(next, b' ' | b'\t'))
}

/// Returns the preferences of a line for all pages.
pub(super) fn of_all_pages(
    line: LineParts<'_>,
    dialect: Dialect,
) -> Result<Vec<Stated<'_>>, Error> {
    let vocabulary = match ExtensionField::find(line.name) {
        Some(ExtensionField::ContentSignal) => Vocabulary::ContentSignal,
        Some(ExtensionField::ContentUsage) => Vocabulary::ContentUsage,
        _ => return Ok(Vec::new()),
    };
    match is_of_all_pages(line.value) {
        true => page::stated_by(vocabulary, line.value, dialect),
        false => Ok(Vec::new()),
    }
}

/// Reports misspelt keys, and values of the other vocabulary.
fn check_words(file: &File, line: LineParts<'_>, vocabulary: Vocabulary, findings: &mut Findings) {
    let mut add = |part: &[u8], fault: &dyn Display, right: &'static str| {
        findings
            .add(Code::MisspeltPreference, file.place(line.number, part))
            .say(format_args!("{fault}: the preference is ignored"))
            .help(format_args!("write `{right}`"))
            .fix(|| file.replace(part, right));
    };
    for member in members(line.value, vocabulary) {
        let equals = memchr::memchr(b'=', member).unwrap_or(member.len());
        let (key, value) = member.split_at(equals);
        let key = key.trim_ascii();
        if let Some(right) = meant_key(key, vocabulary) {
            add(
                key,
                &format_args!("crawlers do not know the key {}", quoted(key)),
                right,
            );
        }
        let value = value.strip_prefix(b"=").unwrap_or(value).trim_ascii();
        let is = |word: &str| value.eq_ignore_ascii_case(word.as_bytes());
        let (right, other) = match vocabulary {
            Vocabulary::ContentUsage if is("yes") => ("y", "Content-Signal"),
            Vocabulary::ContentUsage if is("no") => ("n", "Content-Signal"),
            Vocabulary::ContentSignal if is("y") => ("yes", "Content-Usage"),
            Vocabulary::ContentSignal if is("n") => ("no", "Content-Usage"),
            _ => continue,
        };
        add(
            value,
            &format_args!("{} is a value of {other}", quoted(value)),
            right,
        );
    }
}

/// Lines whose preferences hold for all pages (SPEC 13.1): for each purpose the first with `no`, then the first with `yes`; 0
/// for none. Lines of the current group count, and earlier lines in no group.
#[derive(Default)]
struct UsesSaid {
    outside: [[u32; 2]; Purpose::ALL.len()],
    group: u32,
    inside: [[u32; 2]; Purpose::ALL.len()],
}

impl UsesSaid {
    /// Starts a new group, for which earlier lines in no group count, too.
    fn enter(&mut self, group: u32) {
        if self.group != group {
            (self.group, self.inside) = (group, self.outside);
        }
    }

    /// Adds the preferences of a line, and reports preferences that contradict another line.
    fn add(
        &mut self,
        file: &File,
        line: LineParts<'_>,
        stated: &[Stated<'_>],
        findings: &mut Findings,
    ) {
        for one in stated {
            let says = match one.choice {
                Choice::No => 0,
                Choice::Yes => 1,
                Choice::Unknown => continue,
            };
            // The first purpose of a label identifies the label: no other label of the vocabulary has this purpose.
            let purpose = one.purposes().and_then(|of| of.first());
            let lines = purpose.and_then(|purpose| self.inside.get_mut(*purpose as usize));
            let Some(lines) = lines else {
                continue;
            };
            let [no, yes] = *lines;
            let other = if says == 0 { yes } else { no };
            if other != 0 && (no == 0 || yes == 0) {
                findings
                    .add(Code::PreferencesDisagree, file.place(line.number, one.text))
                    .say(format_args!(
                        "line {other} says the opposite, and `no` counts"
                    ))
                    .help("remove the one that you do not mean")
                    .other(other);
            }
            if let Some(first) = lines.get_mut(says).filter(|first| **first == 0) {
                *first = line.number;
            }
        }
        if line.group == 0 {
            self.outside = self.inside;
        }
    }
}

/// Splits a value at its commas. Leaves out the path that Content-Usage may have before the list.
fn members(value: &[u8], vocabulary: Vocabulary) -> impl Iterator<Item = &[u8]> {
    let has_path = vocabulary == Vocabulary::ContentUsage && value.first() == Some(&b'/');
    let space = memchr::memchr2(b' ', b'\t', value).filter(|_| has_path);
    let list = space.and_then(|at| value.get(at..)).unwrap_or(value);
    list.split(|byte| *byte == b',')
}

/// Returns the key that an unknown key probably means.
fn meant_key(key: &[u8], vocabulary: Vocabulary) -> Option<&'static str> {
    let (known, here, there) = match vocabulary {
        Vocabulary::ContentUsage => (USAGES, SAME.1, SAME.0),
        _ => (SIGNALS, SAME.0, SAME.1),
    };
    let is_key = |known: &&str| match vocabulary {
        Vocabulary::ContentUsage => known.as_bytes() == key,
        _ => known.as_bytes().eq_ignore_ascii_case(key),
    };
    if key.len() < 4 || known.iter().any(is_key) {
        return None;
    }
    if key.eq_ignore_ascii_case(there.as_bytes()) {
        return Some(here);
    }
    // `train` alone does not mean `train-ai`.
    near_word(key, &mut known.iter().copied()).filter(|known| known.len().abs_diff(key.len()) <= 2)
}
