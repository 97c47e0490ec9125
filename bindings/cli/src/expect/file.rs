//! The file with expectations: one on each line.

use std::fmt::Write as _;
use std::path::Path;

use robots::{LineKind, Severity};

use crate::crawler::{How, named_in};
use crate::crawler_names::{self, EVERYONE};
use crate::fault::{Fault, complain};
use crate::file_groups::FileGroups;
use crate::input;
use crate::screen;

/// What a line of the file expects.
pub(super) enum Claim {
    Verdict {
        agent: String,
        allows: bool,
        url: String,
    },
    Sitemap(String),
    /// Lint reports nothing of this severity or above.
    NoFaults(Severity),
}

/// An expectation.
pub(super) struct Expectation {
    /// Its line, from 1.
    pub(super) number: usize,
    /// Its line as it is, with single spaces.
    pub(super) text: String,
    pub(super) claim: Claim,
}

/// The most bytes of a file with expectations.
const MOST_BYTES: usize = 16 << 20;

/// Reads a file with expectations.
pub(super) fn read(path: &Path) -> Result<Vec<Expectation>, Fault> {
    let bytes = input::read(path, MOST_BYTES)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Fault::new(format!("{}: it is not UTF-8", input::shown(path))))?;
    let mut all = Vec::new();
    for (index, line) in text.lines().enumerate() {
        // In a URL a `#` follows no space.
        let line = match line.trim_start().starts_with('#') {
            true => "",
            false => line.split(" #").next().unwrap_or_default(),
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.is_empty() {
            continue;
        }
        let claim = claim(&words).map_err(|fault| at(path, index + 1, fault))?;
        all.push(Expectation {
            number: index + 1,
            text: words.join(" "),
            claim,
        });
    }
    match all.is_empty() {
        true => Err(Fault::new(format!(
            "{} expects nothing: write a line such as `Googlebot allow /shop/`",
            input::shown(path)
        ))),
        false => Ok(all),
    }
}

fn claim(words: &[&str]) -> Result<Claim, Fault> {
    Ok(match words {
        ["no", "errors"] => Claim::NoFaults(Severity::Error),
        ["no", "warnings"] => Claim::NoFaults(Severity::Warning),
        ["sitemap", url] => Claim::Sitemap((*url).to_owned()),
        [agent, verdict @ ("allow" | "deny"), url] => Claim::Verdict {
            agent: (*agent).to_owned(),
            allows: *verdict == "allow",
            url: (*url).to_owned(),
        },
        _ => {
            return Err(Fault::new(format!(
                "{}: write `TOKEN allow URL`, `TOKEN deny URL`, `sitemap URL`, `no errors` or `no warnings`",
                screen::safe(words.join(" ").as_bytes())
            )));
        }
    })
}

/// Returns a fault with the place in the file with expectations.
pub(super) fn at(path: &Path, number: usize, fault: Fault) -> Fault {
    match fault {
        Fault::Said(text) => Fault::Said(format!("{}:{number}: {text}", input::shown(path))),
        other => other,
    }
}

/// The most crawlers and the most paths of a record: a hostile file has ten thousands of both.
const MOST: usize = 200;

/// Returns expectations that a robots.txt meets.
pub(super) fn record(how: &How, body: &[u8]) -> Result<String, Fault> {
    let outline = FileGroups::of(how, how.dialect(), body)?;
    let mut urls: Vec<String> = vec!["/".to_owned()];
    let rules = outline.groups.iter().flatten();
    for line in rules.filter(|line| line.kind != LineKind::CrawlDelay) {
        for url in robots::probe_urls(outline.value(line)) {
            let url = String::from_utf8_lossy(&url).into_owned();
            // A path with these would be read as something else here.
            if urls.len() < MOST && !urls.contains(&url) && !url.contains(char::is_whitespace) {
                urls.push(url);
            }
        }
    }
    let mut agents = vec![EVERYONE.to_owned()];
    for agent in &outline.agents {
        let name = String::from_utf8_lossy(&agent.name).into_owned();
        if agents.len() < MOST && !agents.contains(&name) {
            agents.push(name);
        }
    }
    let mut text = String::new();
    for agent in agents {
        // A name that no crawler can have, or one that ignores the file, has no verdict.
        let Ok(crawler) = named_in(how, &agent) else {
            continue;
        };
        if let Some(advice) = crawler_names::advice(&agent) {
            complain(&format!("{advice}; the record leaves it out"));
            continue;
        }
        let rules = crawler.parse(body);
        for url in &urls {
            let verdict = rules.check(url);
            if verdict.error().is_none() {
                let word = if verdict.allowed() { "allow" } else { "deny" };
                let _ = writeln!(text, "{agent:24}  {word:5}  {url}");
            }
        }
    }
    for line in outline.sitemaps().take(MOST) {
        let url = String::from_utf8_lossy(outline.value(&line)).into_owned();
        if !url.contains(char::is_whitespace) {
            let _ = writeln!(text, "{:24}  {url}", "sitemap");
        }
    }
    let report = robots::lint(&how.crawler(&["robots"])?, body);
    let report = report.map_err(|error| Fault::new(error.to_string()))?;
    if report.total(Severity::Error) == 0 {
        text.push_str("no errors\n");
    }
    Ok(text)
}
