//! The outputs for a terminal and for other programs.

use std::fmt::Write as _;

use serde::Serialize;

use super::evidence::Standing;
use super::report::{Count, Report, Subject};
use crate::fault::Fault;
use crate::screen::{coloured, push_json_line, safe};

/// The crawlers, and the broken rules of each, that the table shows.
const SHOWN_CRAWLERS: usize = 50;
const SHOWN_RULES: usize = 5;

/// The width of a bar.
const BAR: u64 = 20;

/// What every output says of the names in it.
pub(super) const CLAIM: &str = "A User-Agent is a claim: anybody can send the name of a crawler.";

/// A last line of JSON.
#[derive(Serialize)]
struct Whole<'r> {
    claim: &'static str,
    #[serde(flatten)]
    report: &'r Report,
}

/// Returns a line of JSON for each crawler, then one for the whole.
pub(super) fn json(report: &Report) -> Result<String, Fault> {
    let mut text = String::new();
    for subject in &report.crawlers {
        push_json_line(&mut text, subject)?;
    }
    let claim = CLAIM;
    push_json_line(&mut text, &Whole { claim, report })?;
    Ok(text)
}

/// Returns a row of CSV for each crawler.
pub(super) fn csv(report: &Report) -> Result<String, Fault> {
    let mut rows = csv::Writer::from_writer(Vec::new());
    let of = |error: &dyn std::fmt::Display| {
        Fault::new(format!("cannot write CSV: {error}; please report it"))
    };
    let header = "crawler kind standing purpose operator requests judged forbidden not_judged most_broken_rule robots_txt_requests \
        robots_txt_first robots_txt_before_pages crawl_delay smallest_gap median_gap gaps gaps_below_crawl_delay no_status 1xx 2xx 3xx 4xx 5xx \
        bytes days";
    rows.write_record(header.split_whitespace())
        .map_err(|error| of(&error))?;
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    for it in &report.crawlers {
        let rule = it
            .broken
            .first()
            .map(|rule| format!("line {}: {}", rule.line, safe(rule.rule.as_bytes())));
        let mut row = vec![
            it.crawler.clone(),
            it.kind.to_owned(),
            it.standing.text().to_owned(),
            it.purpose.unwrap_or_default().to_owned(),
            it.operator.unwrap_or_default().to_owned(),
            it.requests.to_string(),
            it.judged.to_string(),
            it.forbidden.to_string(),
            it.not_judged.to_string(),
            rule.unwrap_or_default(),
            it.robots_txt.requests.to_string(),
            it.robots_txt.first.clone().unwrap_or_default(),
            it.robots_txt
                .before_pages
                .map(|is_so| is_so.to_string())
                .unwrap_or_default(),
            number(it.crawl_delay),
            number(it.gaps.smallest),
            number(it.gaps.median),
            it.gaps.count.to_string(),
            it.gaps.below_crawl_delay.to_string(),
        ];
        row.extend(it.statuses.map(|count| count.to_string()));
        row.extend([it.bytes.to_string(), it.days.len().to_string()]);
        rows.write_record(&row).map_err(|error| of(&error))?;
    }
    let bytes = rows.into_inner().map_err(|error| of(&error))?;
    String::from_utf8(bytes).map_err(|error| of(&error))
}

/// Returns the table for a terminal.
pub(super) fn table(report: &Report, is_coloured: bool) -> String {
    let mut text = String::new();
    let red = |text: &str| coloured(is_coloured, "31", text);
    let _ = writeln!(text, "{}", summary(report));
    let crawlers: Vec<&Subject> = report
        .crawlers
        .iter()
        .filter(|it| it.kind != "people")
        .collect();
    let most = crawlers
        .iter()
        .map(|it| it.requests)
        .max()
        .unwrap_or_default();
    for it in crawlers.iter().take(SHOWN_CRAWLERS) {
        let (broken, kept) = bar(it, most);
        let forbidden = match it.forbidden {
            0 => format!("{:>9} forbidden", 0),
            count => red(&format!("{count:>9} forbidden")),
        };
        let _ = writeln!(
            text,
            "\n{} {:>10} requests {forbidden}  {}{kept}",
            coloured(
                is_coloured,
                "1",
                &format!("{:24}", safe(title(it).as_bytes()))
            ),
            it.requests,
            red(&broken),
        );
        for line in details(it) {
            let _ = writeln!(text, "    {}", safe(line.as_bytes()));
        }
        for rule in it.broken.iter().take(SHOWN_RULES) {
            let line = format!(
                "{}: line {}: {}  {}, such as {}",
                rule.file,
                rule.line,
                rule.rule,
                times(rule.count),
                rule.example
            );
            let _ = writeln!(text, "    {}", safe(line.as_bytes()));
        }
        let more = it.broken_count.saturating_sub(SHOWN_RULES);
        if more > 0 {
            let _ = writeln!(text, "    and {more} more rules");
        }
    }
    if crawlers.len() > SHOWN_CRAWLERS {
        let more = crawlers.len() - SHOWN_CRAWLERS;
        let _ = writeln!(
            text,
            "\nand {more} more crawlers: --json and --csv list all"
        );
    }
    for note in notes(report) {
        let _ = write!(text, "\n{}", safe(note.as_bytes()));
    }
    text.push('\n');
    text
}

/// Returns the name of a row; what is known of its claim is a part of the name.
pub(super) fn title(it: &Subject) -> String {
    let standing = match it.standing {
        Standing::Claimed => String::new(),
        standing => format!(" ({})", standing.text()),
    };
    format!("{}{standing}", it.crawler)
}

/// Returns what the log has in one sentence.
pub(super) fn summary(report: &Report) -> String {
    let span = match (&report.first, &report.last) {
        (Some(first), Some(last)) => format!(" from {first} to {last}"),
        _ => String::new(),
    };
    format!(
        "{} requests{span}: {} of crawlers were judged, {} of these were forbidden; {} of people and browsers",
        report.requests, report.judged, report.forbidden, report.people
    )
}

/// Returns the parts of a bar for forbidden and other requests.
fn bar(it: &Subject, most: u64) -> (String, String) {
    let width = |count: u64| match count {
        0 => 0,
        count => (count as f64 / most.max(1) as f64 * BAR as f64).max(1.0) as usize,
    };
    let broken = width(it.forbidden);
    (
        "#".repeat(broken),
        "-".repeat(width(it.requests).saturating_sub(broken)),
    )
}

/// Returns what a crawler did, in lines.
pub(super) fn details(it: &Subject) -> Vec<String> {
    let mut lines = Vec::new();
    let known = [it.purpose, it.operator]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ");
    if !known.is_empty() {
        let ignores = if it.may_ignore {
            "; its operator says that it may ignore the robots.txt"
        } else {
            ""
        };
        lines.push(format!("{known}{ignores}"));
    }
    let robots = &it.robots_txt;
    lines.push(match (&robots.first, robots.before_pages) {
        (None, _) => "robots.txt: never requested".to_owned(),
        (Some(first), before) => {
            let before = match before {
                Some(true) => ", before its first page",
                Some(false) => ", after its first page",
                None => "",
            };
            format!(
                "robots.txt: requested {}, first {first}{before}",
                times(robots.requests)
            )
        }
    });
    if let (Some(smallest), Some(median)) = (it.gaps.smallest, it.gaps.median) {
        let delay = it.crawl_delay.map(|delay| {
            let below = it.gaps.below_crawl_delay;
            format!(
                "; crawl-delay {delay} s, {below} of {} gaps shorter",
                it.gaps.count
            )
        });
        lines.push(format!(
            "gaps: smallest {smallest} s, median {median} s{}",
            delay.unwrap_or_default()
        ));
    }
    let share = |count: u64| count as f64 * 100.0 / it.requests.max(1) as f64;
    let classes = ["none", "1xx", "2xx", "3xx", "4xx", "5xx"];
    let shares = classes
        .iter()
        .zip(it.statuses)
        .filter(|(_, count)| *count > 0);
    let shares: Vec<String> = shares
        .map(|(class, count)| format!("{class} {:.0} %", share(count)))
        .collect();
    let days = it.days.len();
    lines.push(format!(
        "status: {}; {} bytes on {days} {}",
        shares.join(", "),
        it.bytes,
        if days == 1 { "day" } else { "days" }
    ));
    if it.not_judged > 0 {
        lines.push(format!("not judged: {}", times(it.not_judged)));
    }
    lines
}

fn times(count: u64) -> String {
    match count {
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

/// Returns what a reader must know of the counts.
pub(super) fn notes(report: &Report) -> Vec<String> {
    let mut notes = Vec::new();
    let place = |what: &str, it: &Count| {
        format!(
            "{}: {} {}; the first: {}:{}: {}",
            what, it.count, it.reason, it.file, it.line, it.example
        )
    };
    notes.extend(report.not_judged.iter().map(|it| place("not judged", it)));
    notes.extend(
        report
            .unread
            .iter()
            .map(|it| place("lines that cannot be read", it)),
    );
    if report.untold > 0 {
        notes.push(format!(
            "the rules of {} more forbidden requests are not listed: there are too many",
            report.untold
        ));
    }
    if report.hosts_mixed {
        notes.push(format!(
            "the logs have {} hosts, all judged by the same robots.txt: --site names the one that it is of",
            report.hosts
        ));
    }
    notes.push(match report.verified {
        true => format!("{CLAIM} Others than verified ones may be anybody."),
        false => format!("{CLAIM} --ranges and --hosts verify it."),
    });
    notes
}
