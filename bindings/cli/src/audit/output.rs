//! The outputs for a terminal and for other programs.

use std::fmt::Write as _;

use serde_json::Value;

use super::report::{Report, Subject, times};
use crate::fault::{Fault, complain};
use crate::screen::{coloured, push_json_line, safe};

/// The crawlers, and the broken rules of each, that the table shows.
const SHOWN_CRAWLERS: usize = 50;
const SHOWN_RULES: usize = 5;

/// Returns a line of JSON for each crawler, then one for the whole.
pub(super) fn json(report: &Report<'_>) -> Result<String, Fault> {
    let mut text = String::new();
    report
        .json()
        .iter()
        .try_for_each(|value| push_json_line(&mut text, value))?;
    Ok(text)
}

/// The columns of CSV, as they lead into the JSON of a crawler.
const COLUMNS: &str = "crawler kind standing purpose operator requests judged forbidden not_judged broken/0/rule broken/0/count \
    robots_txt/requests robots_txt/first robots_txt/before_pages crawl_delay gaps/smallest gaps/median gaps/count \
    gaps/below_crawl_delay statuses/0 statuses/1 statuses/2 statuses/3 statuses/4 statuses/5 bytes";

/// Returns a row of CSV for each crawler, and complains of what no row has.
pub(super) fn csv(report: &Report<'_>) -> Result<String, Fault> {
    report
        .notes()
        .iter()
        .for_each(|note| complain(&safe(note.as_bytes())));
    let of = |error: &dyn std::fmt::Display| Fault::new(format!("cannot write CSV: {error}"));
    let mut rows = csv::Writer::from_writer(Vec::new());
    let header = COLUMNS
        .split_whitespace()
        .map(|name| name.replace("broken/0/", "broken_").replace('/', "_"));
    rows.write_record(header).map_err(|error| of(&error))?;
    for crawler in report
        .json()
        .iter()
        .filter(|value| value.get("crawler").is_some())
    {
        let cells =
            COLUMNS
                .split_whitespace()
                .map(|name| match crawler.pointer(&format!("/{name}")) {
                    None | Some(Value::Null) => String::new(),
                    Some(Value::String(text)) => safe(text.as_bytes()).into_owned(),
                    Some(value) => value.to_string(),
                });
        rows.write_record(cells).map_err(|error| of(&error))?;
    }
    let bytes = rows.into_inner().map_err(|error| of(&error))?;
    String::from_utf8(bytes).map_err(|error| of(&error))
}

/// Returns the table for a terminal.
pub(super) fn table(report: &Report<'_>, is_coloured: bool) -> String {
    let mut text = report.summary();
    let crawlers = &report.crawlers;
    let most = crawlers
        .iter()
        .map(|it| it.row.requests)
        .max()
        .unwrap_or_default();
    for it in crawlers.iter().take(SHOWN_CRAWLERS) {
        let (broken, kept) = bar(it, most);
        let red = |text: &str| match it.row.forbidden {
            0 => text.to_owned(),
            _ => coloured(is_coloured, "31", text),
        };
        let name = coloured(
            is_coloured,
            "1",
            &format!("{:24}", safe(it.title().as_bytes())),
        );
        let forbidden = red(&format!("{:>9} forbidden", it.row.forbidden));
        let (requests, broken) = (it.row.requests, red(&broken));
        let _ = write!(
            text,
            "\n\n{name} {requests:>10} requests {forbidden}  {broken}{kept}"
        );
        let rules = it.broken.iter().take(SHOWN_RULES).map(|rule| {
            let (count, file, line) = (times(rule.count), &rule.file, rule.line);
            format!(
                "{file}: line {line}: {}  {count}, such as {}",
                rule.rule, rule.example
            )
        });
        for line in it.details().into_iter().chain(rules) {
            let _ = write!(text, "\n    {}", safe(line.as_bytes()));
        }
        let more = it.row.broken.len().saturating_sub(SHOWN_RULES);
        if more > 0 {
            let _ = write!(text, "\n    and {more} more rules");
        }
    }
    if crawlers.len() > SHOWN_CRAWLERS {
        let more = crawlers.len() - SHOWN_CRAWLERS;
        let _ = write!(
            text,
            "\n\nand {more} more crawlers: --json and --csv list all"
        );
    }
    text.push('\n');
    for note in report.notes() {
        let _ = write!(text, "\n{}", safe(note.as_bytes()));
    }
    text.push('\n');
    text
}

/// Returns the parts of a bar for forbidden and other requests.
fn bar(it: &Subject<'_>, most: u64) -> (String, String) {
    let width = |count: u64| match count {
        0 => 0,
        count => (count as f64 / most.max(1) as f64 * 20.0).max(1.0) as usize,
    };
    let broken = width(it.row.forbidden);
    let kept = width(it.row.requests).saturating_sub(broken);
    ("#".repeat(broken), "-".repeat(kept))
}
