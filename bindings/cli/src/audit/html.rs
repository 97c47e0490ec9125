//! The report as one page, which requests nothing and runs no script.

use std::fmt::Write as _;

use super::output::{details, notes, summary, title};
use super::report::Report;
use crate::escapes::safe;

/// The crawlers and days that the page shows.
const SHOWN_CRAWLERS: usize = 200;
const SHOWN_DAYS: usize = 400;

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
td.n, th.n { text-align: right; white-space: nowrap }
svg { display: block; width: 100%; height: auto }
.kept { fill: #8aa4c8 } .broken { fill: #b3261e } text { font: 12px system-ui, sans-serif; fill: currentColor }
small { color: #555 } .bad { color: #b3261e; font-weight: 600 }
@media (prefers-color-scheme: dark) {
  body { color: #e6e6e6; background: #161616 } th, td { border-color: #444 } small { color: #aaa } .bad { color: #ff8a80 } .broken { fill: #ff6b5e }
}
</style></head><body>
<h1>Who obeyed robots.txt</h1>
";

/// Escapes untrusted text, first its control characters.
fn text(text: &str) -> String {
    let mut out = String::new();
    for character in safe(text.as_bytes()).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(character),
        }
    }
    out
}

/// Returns the page.
pub(super) fn page(report: &Report) -> String {
    let mut page = HEAD.to_owned();
    let _ = writeln!(page, "<p>{}</p>", text(&summary(report)));
    for note in notes(report) {
        let _ = writeln!(page, "<p><small>{}</small></p>", text(&note));
    }
    let crawlers = || report.crawlers.iter().filter(|it| it.kind != "people");
    let _ = writeln!(
        page,
        "<p><small>In the pictures, forbidden requests are red.</small></p>\n<h2>Requests by crawler</h2>"
    );
    let bars = crawlers()
        .take(30)
        .map(|it| (title(it), it.requests, it.forbidden));
    bars_of(&mut page, bars.collect());
    page.push_str("<h2>Requests by purpose</h2>\n");
    let purposes = report.purposes().into_iter();
    bars_of(
        &mut page,
        purposes
            .map(|(name, requests, forbidden)| (name.to_owned(), requests, forbidden))
            .collect(),
    );
    page.push_str("<h2>Requests by day</h2>\n");
    days(&mut page, report);
    page.push_str(
        "<h2>The rules that were broken most often</h2>\n<table><tr><th>rule</th><th>crawler</th><th class=\"n\">requests</th>\
        <th>the first URL</th></tr>\n",
    );
    for (it, rule) in report.most_broken() {
        let _ = writeln!(
            page,
            "<tr><td>{}:{}: <code>{}</code></td><td>{}</td><td class=\"n\">{}</td><td><code>{}</code></td></tr>",
            text(&rule.file),
            rule.line,
            text(&rule.rule),
            text(&title(it)),
            rule.count,
            text(&rule.example)
        );
    }
    page.push_str(
        "</table>\n<h2>Crawlers</h2>\n<table><tr><th>crawler</th><th class=\"n\">requests</th><th class=\"n\">forbidden</th>\
        <th>what it did</th></tr>\n",
    );
    for it in crawlers().take(SHOWN_CRAWLERS) {
        let class = if it.forbidden > 0 { "n bad" } else { "n" };
        let lines: Vec<String> = details(it).iter().map(|line| text(line)).collect();
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"{class}\">{}</td><td>{}</td></tr>",
            text(&title(it)),
            it.requests,
            it.forbidden,
            lines.join("<br>")
        );
    }
    let more = crawlers().count().saturating_sub(SHOWN_CRAWLERS);
    if more > 0 {
        let _ = writeln!(
            page,
            "<tr><td colspan=\"4\">and {more} more crawlers</td></tr>"
        );
    }
    page.push_str("</table>\n</body></html>\n");
    page
}

/// Adds a picture of bars: a name, all requests, and forbidden ones.
fn bars_of(page: &mut String, bars: Vec<(String, u64, u64)>) {
    let most = bars
        .iter()
        .map(|(_, requests, _)| *requests)
        .max()
        .unwrap_or(1)
        .max(1);
    let width = |count: u64| count as f64 * 430.0 / most as f64;
    let _ = writeln!(
        page,
        "<svg viewBox=\"0 0 800 {}\" role=\"img\">",
        bars.len() * 22 + 4
    );
    for (index, (name, requests, forbidden)) in bars.iter().enumerate() {
        let y = index * 22 + 2;
        let _ = writeln!(
            page,
            "<text x=\"0\" y=\"{}\">{}</text>\
            <rect class=\"kept\" x=\"240\" y=\"{y}\" width=\"{:.1}\" height=\"18\"/>\
            <rect class=\"broken\" x=\"240\" y=\"{y}\" width=\"{:.1}\" height=\"18\"/>\
            <text x=\"{:.1}\" y=\"{}\">{requests}, {forbidden} forbidden</text>",
            y + 13,
            text(&name.chars().take(36).collect::<String>()),
            width(*requests),
            width(*forbidden),
            width(*requests) + 246.0,
            y + 13,
        );
    }
    page.push_str("</svg>\n");
}

/// Adds a picture of the requests of crawlers by day.
fn days(page: &mut String, report: &Report) {
    let days = report.days();
    let most = days
        .iter()
        .map(|(_, requests, _)| *requests)
        .max()
        .unwrap_or(1)
        .max(1);
    let step = 780.0 / days.len().clamp(1, SHOWN_DAYS) as f64;
    let height = |count: u64| count as f64 * 120.0 / most as f64;
    page.push_str("<svg viewBox=\"0 0 800 160\" role=\"img\">\n");
    for (index, (day, requests, forbidden)) in days.iter().take(SHOWN_DAYS).enumerate() {
        let (x, width) = (index as f64 * step, (step * 0.8).min(60.0));
        let bar = |class: &str, count: u64| {
            format!(
                "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{:.1}\"/>",
                130.0 - height(count),
                height(count)
            )
        };
        let _ = writeln!(
            page,
            "<g><title>{}: {requests} requests, {forbidden} forbidden</title>{}{}</g>",
            text(day),
            bar("kept", *requests),
            bar("broken", *forbidden)
        );
    }
    if let (Some((first, ..)), Some((last, ..))) = (days.first(), days.last()) {
        let _ = writeln!(
            page,
            "<text x=\"0\" y=\"150\">{}</text><text x=\"780\" y=\"150\" text-anchor=\"end\">{}, at most {most} a day</text>",
            text(first),
            text(last)
        );
    }
    page.push_str("</svg>\n");
}
