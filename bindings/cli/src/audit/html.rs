//! The report as one page, which requests nothing and runs no script.

use std::fmt::Write as _;

use super::report::{Bar, Report, Subject};
use crate::escapes::safe;

/// The bars, crawlers and days that the page shows.
const SHOWN_BARS: usize = 30;
pub(super) const SHOWN_CRAWLERS: usize = 200;
pub(super) const SHOWN_DAYS: usize = 400;

const HEAD: &str = "<!doctype html>
<html lang=\"en\"><head><meta charset=\"utf-8\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"robots\" content=\"noindex\">
<title>Who obeyed robots.txt</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; background: #fff }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid #ddd; overflow-wrap: anywhere }
svg { display: block; width: 100%; height: auto }
.kept { fill: #8aa4c8 } .broken { fill: #b3261e } text { font: 12px system-ui, sans-serif; fill: currentColor }
small { color: #555 }
@media (prefers-color-scheme: dark) {
  body { color: #e6e6e6; background: #161616 } th, td { border-color: #444 } small { color: #aaa } .broken { fill: #ff6b5e }
}
</style></head><body>
<h1>Who obeyed robots.txt</h1>
";

/// Escapes untrusted text, first its control characters.
fn text(text: &str) -> String {
    let escape = |out: String, (from, to): (char, &str)| out.replace(from, to);
    let escapes = [
        ('&', "&amp;"),
        ('<', "&lt;"),
        ('>', "&gt;"),
        ('"', "&quot;"),
        ('\'', "&#39;"),
    ];
    escapes
        .into_iter()
        .fold(safe(text.as_bytes()).into_owned(), escape)
}

/// Returns the page.
pub(super) fn page(report: &Report<'_>) -> String {
    let mut page = HEAD.to_owned();
    let _ = writeln!(page, "<p>{}</p>", text(&report.summary()));
    for note in report.notes() {
        let _ = writeln!(page, "<p><small>{}</small></p>", text(&note));
    }
    let bar = |it: &Subject<'_>| (it.title(), it.row.requests, it.row.forbidden);
    let bars: Vec<Bar> = report.crawlers.iter().take(SHOWN_BARS).map(bar).collect();
    page.push_str("<p><small>In the pictures, forbidden requests are red.</small></p>\n<h2>Requests by crawler</h2>\n");
    bars_of(&mut page, &bars);
    page.push_str("<h2>Requests by purpose</h2>\n");
    bars_of(&mut page, &report.purposes());
    page.push_str("<h2>Requests by day</h2>\n");
    days(&mut page, &report.days());
    page.push_str("<h2>The rules that were broken most often</h2>\n");
    let rows = report.most_broken().into_iter().map(|(it, rule)| {
        let place = format!(
            "{}:{}: <code>{}</code>",
            text(&rule.file),
            rule.line,
            text(&rule.rule)
        );
        let example = format!("<code>{}</code>", text(&rule.example));
        [place, text(&it.title()), rule.count.to_string(), example]
    });
    table(
        &mut page,
        ["rule", "crawler", "requests", "the first URL"],
        rows,
    );
    page.push_str("<h2>Crawlers</h2>\n");
    let rows = report.crawlers.iter().take(SHOWN_CRAWLERS).map(|it| {
        let lines: Vec<String> = it.details().iter().map(|line| text(line)).collect();
        let counts = [it.row.requests, it.row.forbidden].map(|count| count.to_string());
        let [requests, forbidden] = counts;
        [text(&it.title()), requests, forbidden, lines.join("<br>")]
    });
    table(
        &mut page,
        ["crawler", "requests", "forbidden", "what it did"],
        rows,
    );
    let more = report.crawlers.len().saturating_sub(SHOWN_CRAWLERS);
    if more > 0 {
        let _ = writeln!(page, "<p>and {more} more crawlers</p>");
    }
    page.push_str("</body></html>\n");
    page
}

/// Adds a table of cells that are escaped already.
fn table(page: &mut String, names: [&str; 4], rows: impl Iterator<Item = [String; 4]>) {
    let _ = writeln!(page, "<table><tr><th>{}</th></tr>", names.join("</th><th>"));
    for row in rows {
        let _ = writeln!(page, "<tr><td>{}</td></tr>", row.join("</td><td>"));
    }
    page.push_str("</table>\n");
}

/// Adds a picture of bars.
fn bars_of(page: &mut String, bars: &[Bar]) {
    let most = bars
        .iter()
        .map(|(_, all, _)| *all)
        .max()
        .unwrap_or(1)
        .max(1);
    let width = |count: u64| count as f64 * 430.0 / most as f64;
    let _ = writeln!(
        page,
        "<svg viewBox=\"0 0 800 {}\" role=\"img\">",
        bars.len() * 22 + 4
    );
    for (index, (name, all, forbidden)) in bars.iter().enumerate() {
        let (y, line) = (index * 22 + 2, index * 22 + 15);
        let name = text(&name.chars().take(36).collect::<String>());
        let (kept, broken) = (width(*all), width(*forbidden));
        let _ = writeln!(
            page,
            "<text x=\"0\" y=\"{line}\">{name}</text>\
            <rect class=\"kept\" x=\"240\" y=\"{y}\" width=\"{kept:.1}\" height=\"18\"/>\
            <rect class=\"broken\" x=\"240\" y=\"{y}\" width=\"{broken:.1}\" height=\"18\"/>\
            <text x=\"{:.1}\" y=\"{line}\">{all}, {forbidden} forbidden</text>",
            kept + 246.0
        );
    }
    page.push_str("</svg>\n");
}

/// Adds a picture of columns, one for each day.
fn days(page: &mut String, days: &[Bar]) {
    let most = days
        .iter()
        .map(|(_, all, _)| *all)
        .max()
        .unwrap_or(1)
        .max(1);
    let step = 780.0 / days.len().clamp(1, SHOWN_DAYS) as f64;
    let width = (step * 0.8).min(60.0);
    page.push_str("<svg viewBox=\"0 0 800 160\" role=\"img\">\n");
    for (index, (day, all, forbidden)) in days.iter().take(SHOWN_DAYS).enumerate() {
        let column = |class: &str, count: u64| {
            let (x, height) = (index as f64 * step, count as f64 * 120.0 / most as f64);
            let y = 130.0 - height;
            format!(
                "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
            )
        };
        let (kept, broken) = (column("kept", *all), column("broken", *forbidden));
        let _ = writeln!(
            page,
            "<g><title>{day}: {all} requests, {forbidden} forbidden</title>{kept}{broken}</g>"
        );
    }
    if let (Some((first, ..)), Some((last, ..))) = (days.first(), days.last()) {
        let _ = writeln!(
            page,
            "<text x=\"0\" y=\"150\">{first}</text><text x=\"780\" y=\"150\" text-anchor=\"end\">{last}, at most {most} a day</text>"
        );
    }
    page.push_str("</svg>\n");
}
