//! Checks what the rules together mean for well-known crawlers and for the sitemaps, with queries to the engine.

use super::codes::Code;
use super::diagnostic::{Findings, quoted, say};
use super::dialect_diff::{CompileBudget, NOBODY, ask, named};
use super::groups::{self, Groups, RuleLine};
use super::hosts;
use super::lines::{File, LineKind};
use super::names;
use super::query_budget::RuleQuery;
use crate::crawler::Crawler;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::extensions::is_policy_token;
use crate::util::try_alloc::{append, copy, push};

/// The most sitemaps, and the most rules of one kind, that are examined.
const MOST: usize = 1_000;
/// The most rules of `*` that each other crawler is compared with.
const MOST_OF_EVERYONE: usize = 200;
/// The most crawlers that are compared with `*`.
const MOST_CRAWLERS: usize = 64;

pub(super) fn check_site(
    crawler: &Crawler,
    file: &File,
    groups: &Groups,
    findings: &mut Findings,
) -> Result<(), Error> {
    google_delays(file, groups, findings)?;
    let mut budget = CompileBudget::new();
    sitemaps(crawler, file, &mut budget, findings)?;
    assets(crawler, file, &mut budget, findings)?;
    if file.dialect != Dialect::Koster1996 {
        escapes(crawler, file, groups, &mut budget, findings)?;
    }
    Ok(())
}

/// Returns the shortest URL that a path matches.
fn shortest(path: &[u8]) -> Result<Vec<u8>, Error> {
    let path = path.strip_suffix(b"$").unwrap_or(path);
    let mut url = copy(if path.starts_with(b"*") { b"/" } else { b"" })?;
    for piece in path.split(|byte| *byte == b'*') {
        append(&mut url, piece)?;
    }
    Ok(url)
}

fn is_path(path: &[u8]) -> bool {
    matches!(path, [b'/' | b'*', ..])
}

fn is_everything(path: &[u8]) -> bool {
    matches!(path, b"/" | b"/*" | b"*")
}

fn google_delays(file: &File, groups: &Groups, findings: &mut Findings) -> Result<(), Error> {
    for group in groups.iter().filter(|group| !group.delays.is_empty()) {
        let names = group.agents.iter().take(MOST);
        let mut names = names.map(|agent| groups::written(file, agent));
        let Some(name) = names.find(|name| names::is_of_google(name)) else {
            continue;
        };
        let line = group.delays.first().and_then(|line| file.line(*line));
        let Some(line) = line else {
            continue;
        };
        findings.add(
            Code::GoogleCrawlDelay,
            file.place(line.number, line.name),
            || {
                say(format_args!("{} does not read crawl-delay", quoted(name)))
                    .help("answer with status 429 or 503 to slow it down")
            },
        )?;
    }
    Ok(())
}

fn sitemaps(
    crawler: &Crawler,
    file: &File,
    budget: &mut CompileBudget,
    findings: &mut Findings,
) -> Result<(), Error> {
    let host = file.host();
    let is_known = !file.site.is_empty();
    let mut rules = None;
    let lines = file.lines().filter(|line| line.kind == LineKind::Sitemap);
    for line in lines.take(MOST) {
        let (Some(host), Some(own)) = (host, hosts::host_of(line.value)) else {
            continue;
        };
        let place = file.place(line.number, line.value);
        if !hosts::is_same(host, own) {
            if is_known {
                findings.add(Code::SitemapElsewhere, place, || {
                    say(format_args!(
                        "the sitemap is on the host {}, and the site is {}",
                        quoted(own),
                        quoted(host)
                    ))
                    .help("correct the host, unless the sitemap is there on purpose")
                })?;
            }
            continue;
        }
        if rules.is_none() {
            if !budget.take(file, 1) {
                return Ok(());
            }
            rules = Some(RuleQuery::new(
                &named(crawler, NOBODY, file.dialect)?,
                &file.body,
            )?);
        }
        let Some(rules) = &rules else {
            continue;
        };
        let Some(verdict) = rules.verdict(line.value, &mut budget.budget) else {
            return Ok(());
        };
        let by = file.line(verdict.line()).filter(|_| !verdict.allowed());
        // A site that keeps all unknown crawlers out keeps them out of the sitemap, too.
        let Some(by) = by.filter(|by| !is_everything(by.value)) else {
            continue;
        };
        findings.add(Code::SitemapDisallowed, place, || {
            say(format_args!(
                "{} on line {} disallows this sitemap for everyone whom no other group names",
                quoted(by.value),
                by.number
            ))
            .help("allow the path of the sitemap")
            .other(by.number)
        })?;
    }
    Ok(())
}

/// Whether a path is that of many style sheets or scripts: a pattern or a folder, not a single file.
fn is_of_assets(path: &[u8]) -> bool {
    let path = path.strip_suffix(b"$").unwrap_or(path);
    let path = path.strip_suffix(b"*").unwrap_or(path);
    let folder = path.strip_suffix(b"/").unwrap_or(path);
    let file = path.strip_suffix(b"?").unwrap_or(path);
    let is_file = [&b".css"[..], b".js"].iter().any(|end| file.ends_with(end));
    is_file && path.contains(&b'*') || [&b"/css"[..], b"/js", b"/*/css", b"/*/js"].contains(&folder)
}

/// Reports rules that keep style sheets and scripts from Google, as an example of search engines that render pages.
fn assets(
    crawler: &Crawler,
    file: &File,
    budget: &mut CompileBudget,
    findings: &mut Findings,
) -> Result<(), Error> {
    const SEARCH_ENGINE: &[u8] = b"Googlebot";
    let is_wanted = |kind| kind == LineKind::Disallow;
    let mut lines = file
        .lines()
        .filter(|line| is_wanted(line.kind) && line.group > 0 && is_path(line.value))
        .filter(|line| is_of_assets(line.value))
        .take(MOST)
        .peekable();
    if lines.peek().is_none() || !budget.take(file, 1) {
        return Ok(());
    }
    let rules = RuleQuery::new(&named(crawler, SEARCH_ENGINE, file.dialect)?, &file.body)?;
    for line in lines {
        let url = shortest(line.value)?;
        let Some(verdict) = ask(&rules, &url, &mut budget.budget)? else {
            return Ok(());
        };
        if verdict.line() != line.number || verdict.allowed() {
            continue;
        }
        let place = file.place(line.number, line.value);
        findings.add(Code::BlockedAssets, place, || {
            say(format_args!(
                "{} keeps style sheets or scripts from search engines, which need them to render pages",
                quoted(line.value)
            ))
            .help("allow them for search engines, if pages need them")
        })?;
    }
    Ok(())
}

/// Iterates over the rules of some groups.
fn rules_of<'g>(groups: &'g Groups, obeyed: &'g [u32]) -> impl Iterator<Item = &'g RuleLine> {
    let obeyed = obeyed.iter();
    obeyed
        .filter_map(|group| groups.get(*group as usize))
        .flat_map(|group| group.rules)
}

/// Reports crawlers that may fetch all that `*` disallows, since a group without these rules names them.
fn escapes(
    crawler: &Crawler,
    file: &File,
    groups: &Groups,
    budget: &mut CompileBudget,
    findings: &mut Findings,
) -> Result<(), Error> {
    let classes = groups.classes(file, file.dialect.merges_groups())?;
    let value = |rule: &RuleLine| file.value(rule.line);
    let mut everyone: Vec<RuleLine> = Vec::new();
    for (agent, obeyed) in classes.iter() {
        let agent = groups.agent(agent);
        if agent.is_some_and(|agent| groups::written(file, agent) == b"*") {
            let disallows =
                rules_of(groups, obeyed).filter(|rule| !rule.allow && is_path(value(rule)));
            for rule in disallows.take(MOST_OF_EVERYONE) {
                push(&mut everyone, *rule)?;
            }
        }
    }
    // A site that keeps all unknown crawlers out lets those that it names in.
    let is_closed = everyone.iter().any(|rule| is_everything(value(rule)));
    let first = everyone.first().filter(|_| !is_closed);
    let Some(first) = first.filter(|_| budget.take(file, 1)) else {
        return Ok(());
    };
    let star = RuleQuery::new(&named(crawler, NOBODY, file.dialect)?, &file.body)?;
    let mut before = &[][..];
    let mut examined = 0;
    for (agent, obeyed) in classes.iter() {
        let Some(agent) = groups.agent(agent) else {
            continue;
        };
        let name = groups::written(file, agent);
        // A policy token fetches nothing: it escapes no rule.
        let is_crawler = name != b"*" && !name.is_empty() && !is_policy_token(name);
        if !is_crawler || obeyed == before {
            continue;
        }
        before = obeyed;
        // `Disallow:` and `Allow: /` say that the crawler may fetch everything. So does a group without any line, which
        // has a code of its own.
        let is_freed = |rule: &RuleLine| !rule.has_path || rule.allow && is_everything(value(rule));
        let mut obeyed_groups = obeyed
            .iter()
            .filter_map(|group| groups.get(*group as usize));
        let has_lines = obeyed_groups.any(|group| {
            !group.rules.is_empty() || !group.delays.is_empty() || group.has_extension
        });
        if !has_lines || rules_of(groups, obeyed).take(MOST).any(is_freed) {
            continue;
        }
        examined += 1;
        if examined > MOST_CRAWLERS || !budget.take(file, 1) {
            return Ok(());
        }
        let own = RuleQuery::new(&named(crawler, name, file.dialect)?, &file.body)?;
        let (mut compared, mut escaped) = (0, true);
        for rule in &everyone {
            let url = shortest(value(rule))?;
            let verdicts = (
                ask(&star, &url, &mut budget.budget)?,
                ask(&own, &url, &mut budget.budget)?,
            );
            let (Some(theirs), Some(ours)) = verdicts else {
                return Ok(());
            };
            compared += u32::from(!theirs.allowed());
            escaped &= theirs.allowed() || ours.allowed();
            if !escaped {
                break;
            }
        }
        if !escaped || compared == 0 {
            continue;
        }
        let line = file.value(agent.line);
        findings.add(
            Code::EscapesEveryone,
            file.place(agent.line, line),
            || {
                say(format_args!(
                    "{} obeys only the groups that name it: it may fetch all that `*` disallows from line {} on",
                    quoted(name),
                    first.line
                ))
                .help("repeat the rules of `*` in this group, or write `Disallow:` in it if that is meant")
                .other(first.line)
            },
        )?;
    }
    Ok(())
}
