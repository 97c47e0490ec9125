//! The report of an audit, as data for the outputs.

use robots::Purpose;
use serde::Serialize;

use super::auditor::{Auditor, Example};
use super::crawlers::{Found, OTHERS, PEOPLE};
use super::entry::Unread;
use super::evidence::Standing;
use super::row::{Broken, Row};
use super::time::DAY;
use super::versions::Unjudged;
use crate::clock;

/// The limits of the gaps in milliseconds: each gap is counted below the first limit that is greater.
const GAP_LIMITS: [u64; 7] = [100, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

/// The most rules of a crawler that are listed.
const MOST_RULES: usize = 20;

/// What crawlers did.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    #[serde(skip)]
    pub(super) crawlers: Vec<Subject>,
    /// Lines or records.
    pub(super) lines: u64,
    pub(super) requests: u64,
    pub(super) first: Option<String>,
    pub(super) last: Option<String>,
    pub(super) judged: u64,
    pub(super) forbidden: u64,
    /// Requests of people and browsers.
    pub(super) people: u64,
    pub(super) not_judged: Vec<Count>,
    pub(super) unread: Vec<Count>,
    pub(super) robots: Vec<File>,
    /// Hosts that crawlers requested, at most 1,000.
    pub(super) hosts: usize,
    /// Whether files without a host judged the lines of more than one.
    pub(super) hosts_mixed: bool,
    /// Whether addresses were compared with ranges or hosts.
    pub(super) verified: bool,
    /// Forbidden requests whose rules are not listed.
    pub(super) untold: u64,
}

/// Requests or lines with a reason.
#[derive(Debug, Serialize)]
pub(super) struct Count {
    pub(super) reason: &'static str,
    pub(super) count: u64,
    pub(super) file: String,
    pub(super) line: u64,
    pub(super) example: String,
}

/// A robots.txt.
#[derive(Debug, Serialize)]
pub(super) struct File {
    pub(super) file: String,
    pub(super) host: Option<String>,
    pub(super) from: Option<String>,
}

/// A crawler, or the part of its requests with one standing.
#[derive(Debug, Serialize)]
pub(super) struct Subject {
    pub(super) crawler: String,
    pub(super) kind: &'static str,
    pub(super) standing: Standing,
    pub(super) mine: bool,
    pub(super) purpose: Option<&'static str>,
    pub(super) operator: Option<&'static str>,
    pub(super) documentation: Option<&'static str>,
    /// Whether its operator says that requests of users may ignore the file, or that it ignores the file.
    pub(super) may_ignore: bool,
    pub(super) requests: u64,
    pub(super) judged: u64,
    pub(super) forbidden: u64,
    pub(super) not_judged: u64,
    /// The number of rules that it broke.
    pub(super) broken_count: usize,
    pub(super) broken: Vec<BrokenRule>,
    pub(super) robots_txt: RobotsTxt,
    pub(super) crawl_delay: Option<f64>,
    pub(super) gaps: GapReport,
    /// Requests without a status, then by its first digit.
    pub(super) statuses: [u64; 6],
    pub(super) bytes: u64,
    pub(super) days: Vec<DayCount>,
    pub(super) other_days: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct BrokenRule {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) rule: String,
    pub(super) count: u64,
    pub(super) example: String,
}

#[derive(Debug, Serialize)]
pub(super) struct RobotsTxt {
    pub(super) requests: u64,
    pub(super) first: Option<String>,
    pub(super) before_pages: Option<bool>,
}

#[derive(Debug, Serialize)]
pub(super) struct GapReport {
    pub(super) count: u64,
    /// In seconds.
    pub(super) smallest: Option<f64>,
    pub(super) median: Option<f64>,
    /// Gaps that are certainly shorter than the crawl-delay.
    pub(super) below_crawl_delay: u64,
    pub(super) histogram: Vec<u64>,
}

#[derive(Debug, Serialize)]
pub(super) struct DayCount {
    pub(super) day: String,
    pub(super) requests: u64,
    pub(super) forbidden: u64,
}

impl Report {
    /// Ends an audit.
    pub(super) fn of(auditor: &mut Auditor) -> Report {
        auditor.finish();
        let mut crawlers = Vec::new();
        for (index, (found, rows)) in auditor.crawlers.all.iter().zip(&auditor.rows).enumerate() {
            for (standing, row) in Standing::ALL.iter().zip(rows) {
                if let Some(row) = row {
                    crawlers.push(Subject::of(auditor, index, found, *standing, row));
                }
            }
        }
        crawlers.sort_by(|one, other| {
            let rank = |it: &Subject| {
                (
                    it.kind == "people",
                    std::cmp::Reverse((it.forbidden, it.requests)),
                )
            };
            rank(one)
                .cmp(&rank(other))
                .then_with(|| one.crawler.cmp(&other.crawler))
        });
        let sum = |part: fn(&Subject) -> u64| crawlers.iter().map(part).sum();
        let hosts = auditor.hosts().len();
        let files = auditor.versions.iter().map(|version| File {
            file: version.name.clone(),
            host: version.host.clone(),
            from: version.from.map(time_text),
        });
        Report {
            lines: auditor.lines,
            requests: auditor.requests,
            first: auditor.span.map(|(first, _)| time_text(first)),
            last: auditor.span.map(|(_, last)| time_text(last)),
            judged: sum(|it| it.judged),
            forbidden: sum(|it| it.forbidden),
            people: sum(|it| if it.kind == "people" { it.requests } else { 0 }),
            not_judged: counts(&auditor.unjudged, Unjudged::ALL.map(Unjudged::text)),
            unread: counts(&auditor.unread, Unread::ALL.map(Unread::text)),
            robots: files.collect(),
            hosts,
            hosts_mixed: hosts > 1 && auditor.versions.judge_every_host(),
            verified: !auditor.crawlers.evidence.is_empty(),
            untold: auditor.untold,
            crawlers,
        }
    }

    /// Returns the requests and the forbidden requests of crawlers by purpose.
    pub(super) fn purposes(&self) -> Vec<(&'static str, u64, u64)> {
        let names = Purpose::ALL
            .iter()
            .map(|purpose| purpose.name())
            .chain(["not known"]);
        let all = names.map(|name| {
            let its = self
                .crawlers
                .iter()
                .filter(|it| it.kind != "people" && it.purpose.unwrap_or("not known") == name);
            its.fold((name, 0, 0), |(name, requests, forbidden), it| {
                (name, requests + it.requests, forbidden + it.forbidden)
            })
        });
        all.filter(|(_, requests, _)| *requests > 0).collect()
    }

    /// Returns the days of all crawlers.
    pub(super) fn days(&self) -> Vec<(&str, u64, u64)> {
        let mut days = std::collections::BTreeMap::new();
        for day in self
            .crawlers
            .iter()
            .filter(|it| it.kind != "people")
            .flat_map(|it| &it.days)
        {
            let sum: &mut (u64, u64) = days.entry(&*day.day).or_default();
            *sum = (sum.0 + day.requests, sum.1 + day.forbidden);
        }
        days.into_iter()
            .map(|(day, (requests, forbidden))| (day, requests, forbidden))
            .collect()
    }

    /// Returns the rules that were broken most often, each with the crawler that broke it.
    pub(super) fn most_broken(&self) -> Vec<(&Subject, &BrokenRule)> {
        let all = self
            .crawlers
            .iter()
            .flat_map(|it| it.broken.iter().map(move |rule| (it, rule)));
        let mut all: Vec<_> = all.collect();
        all.sort_by_key(|(_, rule)| std::cmp::Reverse(rule.count));
        all.truncate(10);
        all
    }
}

impl Subject {
    fn of(
        auditor: &Auditor,
        index: usize,
        found: &Found,
        standing: Standing,
        row: &Row,
    ) -> Subject {
        let mut broken: Vec<_> = row.broken.iter().collect();
        broken.sort_by_key(|(place, broken)| (std::cmp::Reverse(broken.count), **place));
        let rule = |(place, broken): &(&(u32, u32), &Broken)| {
            let (version, line) = **place;
            let file = auditor.versions.get(version);
            BrokenRule {
                file: file.map(|it| it.name.clone()).unwrap_or_default(),
                line,
                rule: lossy(&auditor.versions.line(version, line)),
                count: broken.count,
                example: lossy(&broken.example),
            }
        };
        let seconds = |ms: u64| ms as f64 / 1000.0;
        Subject {
            crawler: found.name.clone(),
            kind: match (index, found.preset) {
                (PEOPLE, _) => "people",
                (OTHERS, _) => "others",
                (_, Some(_)) => "well known",
                (_, None) => "other",
            },
            standing,
            mine: found.is_mine,
            purpose: found.preset.map(|preset| preset.purpose().name()),
            operator: found.operator.map(|operator| operator.name),
            documentation: found.preset.and_then(|preset| preset.documentation()),
            may_ignore: found.preset.is_some_and(|preset| preset.may_ignore()),
            requests: row.requests,
            judged: row.judged,
            forbidden: row.forbidden,
            not_judged: row.not_judged,
            broken_count: broken.len(),
            broken: broken.iter().take(MOST_RULES).map(rule).collect(),
            robots_txt: RobotsTxt {
                requests: row.robots,
                first: row.first_robots.map(|(time, _)| time_text(time)),
                before_pages: row.read_first(),
            },
            crawl_delay: row.delay.map(|delay| seconds(delay.into())),
            gaps: GapReport {
                count: row.gaps.count,
                smallest: row.gaps.smallest.map(seconds),
                median: row.gaps.median().map(seconds),
                below_crawl_delay: row.gaps.short,
                histogram: row.gaps.histogram(GAP_LIMITS),
            },
            statuses: row.statuses,
            bytes: row.bytes,
            days: row
                .days
                .iter()
                .map(|(day, counts)| DayCount {
                    day: time_text(day * DAY)
                        .get(..10)
                        .unwrap_or_default()
                        .to_owned(),
                    requests: counts.requests,
                    forbidden: counts.forbidden,
                })
                .collect(),
            other_days: row.other_days,
        }
    }
}

fn counts<const N: usize>(examples: &[Example; N], reasons: [&'static str; N]) -> Vec<Count> {
    let all = examples
        .iter()
        .zip(reasons)
        .filter(|(example, _)| example.count > 0);
    all.map(|(example, reason)| Count {
        reason,
        count: example.count,
        file: example.file.clone(),
        line: example.line,
        example: lossy(&example.text),
    })
    .collect()
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

/// Returns a time as text; one before 1970 is the start of 1970.
fn time_text(ms: i64) -> String {
    clock::text(u64::try_from(ms / 1000).unwrap_or_default())
}
