//! The report of an audit, as data for the outputs.

use std::cmp::Reverse;

use robots::Purpose;
use serde::Serialize;
use serde_json::{Value, json};

use super::auditor::{Auditor, Example};
use super::crawlers::{Found, OTHERS, PEOPLE};
use super::entry::UNREAD;
use super::evidence::{STANDINGS, Standing};
use super::row::{Place, Row};
use super::time::DAY;
use super::versions::UNJUDGED;
use crate::clock;

/// The limits of the gaps in milliseconds: each gap is counted below the first limit that is greater.
const GAP_LIMITS: [u64; 7] = [100, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

/// The most rules of a crawler that are listed.
const MOST_RULES: usize = 20;

/// A warning in every output.
pub(super) const CLAIM: &str = "A User-Agent is a claim: anybody can send the name of a crawler.";

/// What crawlers did.
pub(super) struct Report<'a> {
    auditor: &'a Auditor,
    pub(super) crawlers: Vec<Subject<'a>>,
    people: Option<Subject<'a>>,
}

/// A crawler, or the part of its requests with one standing.
pub(super) struct Subject<'a> {
    index: usize,
    standing: Standing,
    pub(super) found: &'a Found,
    pub(super) row: &'a Row,
    /// Those that it broke most often.
    pub(super) broken: Vec<Rule>,
}

/// A rule that a crawler broke.
#[derive(Serialize)]
pub(super) struct Rule {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) rule: String,
    pub(super) count: u64,
    pub(super) example: String,
    /// The first lines that broke it, if lines are kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<Line>,
}

/// A line of a log.
#[derive(Serialize)]
struct Line {
    file: String,
    line: u64,
    text: String,
}

/// A name with its requests and forbidden requests.
pub(super) type Bar = (String, u64, u64);

impl Report<'_> {
    /// Returns the report of an audit that has ended.
    pub(super) fn of(auditor: &Auditor) -> Report<'_> {
        let (mut crawlers, mut people) = (Vec::new(), None);
        for (index, (found, rows)) in auditor.crawlers.all.iter().zip(&auditor.rows).enumerate() {
            for (standing, row) in STANDINGS.into_iter().zip(rows) {
                let Some(row) = row else { continue };
                let broken = broken(auditor, row);
                let subject = Subject {
                    index,
                    standing,
                    found,
                    row,
                    broken,
                };
                match index {
                    PEOPLE => people = Some(subject),
                    _ => crawlers.push(subject),
                }
            }
        }
        crawlers.sort_by_key(|it| (Reverse((it.row.forbidden, it.row.requests)), it.index));
        Report {
            auditor,
            crawlers,
            people,
        }
    }

    /// Returns an object for each crawler, one for people, and one for the whole.
    pub(super) fn json(&self) -> Vec<Value> {
        let all = self.crawlers.iter().chain(&self.people).map(Subject::json);
        all.chain([self.whole()]).collect()
    }

    fn sum(&self, part: fn(&Row) -> u64) -> u64 {
        self.crawlers.iter().map(|it| part(it.row)).sum()
    }

    /// Returns the counts of the whole.
    pub(super) fn whole(&self) -> Value {
        let it = self.auditor;
        let files = it.versions.iter().map(
            |file| json!({"file": file.name, "host": file.host, "from": file.from.map(time_text)}),
        );
        let span = it.span;
        json!({
            "claim": CLAIM,
            "lines": it.lines,
            "requests": it.requests,
            "first": span.map(|(first, _)| time_text(first)),
            "last": span.map(|(_, last)| time_text(last)),
            "judged": self.sum(|row| row.judged),
            "forbidden": self.sum(|row| row.forbidden),
            "people": self.people.as_ref().map_or(0, |it| it.row.requests),
            "not_judged": json_counts(&it.unjudged, UNJUDGED),
            "unread": json_counts(&it.unread, UNREAD),
            "robots": files.collect::<Vec<_>>(),
            "hosts": it.host_count(),
            "hosts_mixed": self.mixes_hosts(),
            "verified": !it.crawlers.evidence.is_empty(),
            "unlisted": it.unlisted,
        })
    }

    /// Whether files without a host judged the lines of several hosts.
    fn mixes_hosts(&self) -> bool {
        self.auditor.host_count() > 1 && self.auditor.versions.judge_every_host()
    }

    /// Returns what the logs have in one sentence.
    pub(super) fn summary(&self) -> String {
        let span = self
            .auditor
            .span
            .map(|(first, last)| format!(" from {} to {}", time_text(first), time_text(last)));
        let judged = match (self.sum(|row| row.judged), self.sum(|row| row.requests)) {
            (0, requests @ 1..) => format!("none of the {requests} of crawlers was judged"),
            (judged, _) => format!(
                "{judged} of crawlers were judged, {} of these were forbidden",
                self.sum(|row| row.forbidden)
            ),
        };
        format!(
            "{} requests{}: {judged}; {} of people and browsers",
            self.auditor.requests,
            span.unwrap_or_default(),
            self.people.as_ref().map_or(0, |it| it.row.requests)
        )
    }

    /// Returns what a reader must know of the counts.
    pub(super) fn notes(&self) -> Vec<String> {
        let it = self.auditor;
        let mut notes = Vec::new();
        for (what, count, reason, example) in counts(&it.unjudged, UNJUDGED)
            .map(|(reason, it)| ("not judged", it.count, reason, it))
            .chain(
                counts(&it.unread, UNREAD)
                    .map(|(reason, it)| ("lines that cannot be read", it.count, reason, it)),
            )
        {
            let Example {
                file, line, text, ..
            } = example;
            notes.push(format!(
                "{what}: {count} {reason}; the first: {file}:{line}: {}",
                lossy(text)
            ));
        }
        if it.unlisted > 0 {
            notes.push(format!(
                "too many rules were broken: those of {} requests are not listed",
                it.unlisted
            ));
        }
        if self.mixes_hosts() {
            let hosts = it.host_count();
            notes.push(format!(
                "the logs have {hosts} hosts, all judged by the same robots.txt: --site names the one that it is of"
            ));
        }
        notes.push(match it.crawlers.evidence.is_empty() {
            true => format!("{CLAIM} --ranges and --hosts verify it."),
            false => format!("{CLAIM} Others than verified ones may be anybody."),
        });
        notes
    }

    /// Returns the requests of crawlers by purpose.
    pub(super) fn purposes(&self) -> Vec<Bar> {
        let names = Purpose::ALL
            .map(|purpose| Some(purpose.name()))
            .into_iter()
            .chain([None]);
        let all = names.map(|name| {
            let its = self.crawlers.iter().filter(|it| it.purpose() == name);
            let (all, forbidden) = its.fold((0, 0), |(all, forbidden), it| {
                (all + it.row.requests, forbidden + it.row.forbidden)
            });
            (name.unwrap_or("not known").to_owned(), all, forbidden)
        });
        all.filter(|(_, all, _)| *all > 0).collect()
    }

    /// Returns the requests of crawlers by day.
    pub(super) fn days(&self) -> Vec<Bar> {
        let mut days = std::collections::BTreeMap::new();
        for (day, count) in self.crawlers.iter().flat_map(|it| &it.row.days) {
            let sum: &mut (u64, u64) = days.entry(*day).or_default();
            *sum = (sum.0 + count.requests, sum.1 + count.forbidden);
        }
        days.into_iter()
            .map(|(day, (all, forbidden))| (day_text(day), all, forbidden))
            .collect()
    }

    /// Returns the rules that were broken most often, each with the crawler that broke it.
    pub(super) fn most_broken(&self) -> Vec<(&Subject<'_>, &Rule)> {
        let all = self
            .crawlers
            .iter()
            .flat_map(|it| it.broken.iter().map(move |rule| (it, rule)));
        let mut all: Vec<_> = all.collect();
        all.sort_by_key(|(_, rule)| Reverse(rule.count));
        all.truncate(10);
        all
    }
}

impl Subject<'_> {
    fn purpose(&self) -> Option<&'static str> {
        self.found.preset.map(|preset| preset.purpose().name())
    }

    /// Returns the name; what is known of its claim is a part of it.
    pub(super) fn title(&self) -> String {
        match self.standing {
            Standing::Claimed => self.found.name.clone(),
            standing => format!("{} ({})", self.found.name, standing.text()),
        }
    }

    /// Returns its object of --json.
    pub(super) fn json(&self) -> Value {
        let Subject { found, row, .. } = self;
        let kind = match (self.index, found.preset) {
            (PEOPLE, _) => "people",
            (OTHERS, _) => "others",
            (_, Some(_)) => "well known",
            (_, None) => "other",
        };
        let days = row.days.iter().map(|(day, count)| {
            json!({"day": day_text(*day), "requests": count.requests, "forbidden": count.forbidden})
        });
        json!({
            "crawler": found.name,
            "kind": kind,
            "standing": self.standing.text(),
            "mine": found.is_mine,
            "purpose": self.purpose(),
            "operator": found.operator.map(|operator| operator.name),
            "documentation": found.preset.and_then(|preset| preset.documentation()),
            "may_ignore": found.preset.is_some_and(|preset| preset.may_ignore()),
            "requests": row.requests,
            "judged": row.judged,
            "forbidden": row.forbidden,
            "not_judged": row.not_judged,
            "broken_count": row.broken.len(),
            "broken": self.broken,
            "robots_txt": {
                "requests": row.robots,
                "first": row.first_robots.map(|(time, _)| time_text(time)),
                "before_pages": row.read_first(),
            },
            "crawl_delay": row.delay.map(|delay| seconds(delay.into())),
            "gaps": {
                "count": row.gaps.count,
                "smallest": row.gaps.smallest.map(seconds),
                "median": row.gaps.median().map(seconds),
                "below_crawl_delay": row.gaps.short,
                "histogram": row.gaps.histogram(GAP_LIMITS),
            },
            "statuses": row.statuses,
            "bytes": row.bytes,
            "days": days.collect::<Vec<_>>(),
            "other_days": row.other_days,
        })
    }

    /// Returns what the crawler did, in lines.
    pub(super) fn details(&self) -> Vec<String> {
        let Subject { found, row, .. } = self;
        let mut lines = Vec::new();
        if let Some(purpose) = self.purpose() {
            let operator = found
                .operator
                .map(|it| format!(", {}", it.name))
                .unwrap_or_default();
            let ignores = match found.preset.is_some_and(|preset| preset.may_ignore()) {
                true => "; its operator says that it may ignore the robots.txt",
                false => "",
            };
            lines.push(format!("{purpose}{operator}{ignores}"));
        }
        lines.push(match row.first_robots {
            None => "robots.txt: never requested".to_owned(),
            Some((first, _)) => {
                let before = match row.read_first() {
                    Some(true) => ", before its first page",
                    Some(false) => ", after its first page",
                    None => "",
                };
                let (count, first) = (times(row.robots), time_text(first));
                format!("robots.txt: requested {count}, first {first}{before}")
            }
        });
        if let (Some(smallest), Some(median)) = (row.gaps.smallest, row.gaps.median()) {
            let (smallest, median) = (seconds(smallest), seconds(median));
            let delay = row.delay.map(|delay| {
                let (delay, gaps) = (seconds(delay.into()), &row.gaps);
                format!(
                    "; crawl-delay {delay} s, {} of {} gaps shorter",
                    gaps.short, gaps.count
                )
            });
            let delay = delay.unwrap_or_default();
            lines.push(format!(
                "gaps: smallest {smallest} s, median {median} s{delay}"
            ));
        }
        let classes = ["none", "1xx", "2xx", "3xx", "4xx", "5xx"]
            .into_iter()
            .zip(row.statuses);
        let shares = classes
            .filter(|(_, count)| *count > 0)
            .map(|(class, count)| {
                format!(
                    "{class} {:.0} %",
                    count as f64 * 100.0 / row.requests.max(1) as f64
                )
            });
        let (shares, days) = (shares.collect::<Vec<_>>().join(", "), row.days.len());
        let plural = if days == 1 { "" } else { "s" };
        lines.push(format!(
            "status: {shares}; {} bytes on {days} day{plural}",
            row.bytes
        ));
        if row.not_judged > 0 {
            lines.push(format!("not judged: {}", times(row.not_judged)));
        }
        lines
    }
}

/// Returns the rules that were broken most often.
fn broken(auditor: &Auditor, row: &Row) -> Vec<Rule> {
    let mut broken: Vec<_> = row.broken.iter().collect();
    broken.sort_by_key(|(place, broken)| (Reverse(broken.count), **place));
    let rules = broken
        .into_iter()
        .take(MOST_RULES)
        .map(|((version, line), broken)| Rule {
            file: auditor
                .versions
                .get(*version)
                .map(|it| it.name.clone())
                .unwrap_or_default(),
            line: *line,
            rule: lossy(&auditor.versions.line(*version, *line)),
            count: broken.count,
            example: lossy(&broken.example),
            lines: broken.lines.iter().map(Line::of).collect(),
        });
    rules.collect()
}

impl Line {
    fn of(place: &Place) -> Line {
        Line {
            file: place.file.clone(),
            line: place.line,
            text: lossy(&place.text),
        }
    }
}

/// Returns the reasons that occur.
fn counts<'a, const N: usize>(
    examples: &'a [Example; N],
    reasons: [&'static str; N],
) -> impl Iterator<Item = (&'static str, &'a Example)> {
    reasons
        .into_iter()
        .zip(examples)
        .filter(|(_, example)| example.count > 0)
}

fn json_counts<const N: usize>(examples: &[Example; N], reasons: [&'static str; N]) -> Vec<Value> {
    let all = counts(examples, reasons).map(|(reason, it)| {
        json!({"reason": reason, "count": it.count, "file": it.file, "line": it.line, "example": lossy(&it.text)})
    });
    all.collect()
}

/// Returns a count in words.
pub(super) fn times(count: u64) -> String {
    match count {
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}

/// Returns a time as text; one before 1970 is the start of 1970.
fn time_text(ms: i64) -> String {
    clock::text(u64::try_from(ms / 1000).unwrap_or_default())
}

fn day_text(day: i64) -> String {
    time_text(day * DAY).chars().take(10).collect()
}
