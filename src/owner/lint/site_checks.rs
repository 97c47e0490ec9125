//! Checks that need verdicts: whether the rules allow sitemaps, style sheets and scripts, and whether named crawlers lack the
//! rules or the preferences of the `*` group.

use super::budget::{Budget, NOBODY};
use super::codes::Code;
use super::diagnostic::{Checked, Findings, quoted};
use super::groups::{self, FileGroup, Groups, RuleLine};
use super::hosts;
use super::lines::{File, LineKind, LineParts};
use super::paths::{is_everything, is_path, without_dollar};
use super::values;
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::bytes::try_alloc::{append, copy, push, words};
use crate::crawler::preset::Purpose;
use crate::owner::names;
use crate::page::{Choice, is_policy_token};

/// Upper bound on the sitemaps that are examined, and on the rules that one check examines.
const MOST: usize = 1_000;
/// Upper bound on the rules of `*` that are tried for each named crawler.
const MAX_OF_EVERYONE: usize = 200;
/// Upper bound on the named crawlers for which the rules of `*` are tried.
const MAX_CRAWLERS: usize = 64;

pub(super) fn check_site(file: &File, groups: &Groups, findings: &mut Findings) -> Checked {
    google_delays(file, groups, findings);
    let mut budget = Budget::new(file);
    sitemaps(file, &mut budget, findings)?;
    assets(file, &mut budget, findings)?;
    if file.dialect != Dialect::Koster1996 {
        escapes(file, groups, &mut budget, findings)?;
        preferences(file, groups, findings)?;
    }
    Ok(())
}

fn google_delays(file: &File, groups: &Groups, findings: &mut Findings) {
    for group in groups.iter().filter(|group| !group.delays.is_empty()) {
        let names = group.agents.iter().take(MOST);
        let mut names = names.map(|agent| groups::written(file, agent));
        let name = names.find(|name| names::is_of_google(name));
        let line = group.delays.first().and_then(|line| file.line(*line));
        if let (Some(name), Some(line)) = (name, line) {
            findings
                .add(Code::GoogleCrawlDelay, file.place(line.number, line.name))
                .say(format_args!("{} does not read crawl-delay", quoted(name)))
                .help("answer with status 429 or 503 to slow it down");
        }
    }
}

fn sitemaps(file: &File, budget: &mut Budget, findings: &mut Findings) -> Checked {
    let Some(host) = file.host() else {
        return Ok(());
    };
    let mut rules = None;
    for line in file.lines_of(LineKind::Sitemap).take(MOST) {
        let Some(own) = hosts::host_of(line.value) else {
            continue;
        };
        let place = file.place(line.number, line.value);
        if !host.eq_ignore_ascii_case(own) {
            if !file.site.is_empty() {
                let (own, host) = (quoted(own), quoted(host));
                findings
                    .add(Code::SitemapElsewhere, place)
                    .say(format_args!(
                        "the sitemap is on the host {own}, and the site is {host}"
                    ))
                    .help("correct the host, unless the sitemap is there on purpose");
            }
            continue;
        }
        if rules.is_none() {
            rules = budget.compiled(file, NOBODY)?;
        }
        let verdict = rules.as_ref();
        let verdict = verdict.and_then(|rules| budget.verdict(rules, line.value));
        let Some(verdict) = verdict else {
            return Ok(());
        };
        // A site that keeps all unknown crawlers out probably also wants to keep them out of the sitemap.
        let by = file.line(verdict.line()).filter(|_| !verdict.allowed());
        if let Some(by) = by.filter(|by| !is_everything(by.value)) {
            let (path, number) = (quoted(by.value), by.number);
            findings
                .add(Code::SitemapDisallowed, place)
                .say(format_args!("{path} on line {number} disallows this sitemap for everyone whom no other group names"))
                .help("allow the path of the sitemap")
                .other(number);
        }
    }
    Ok(())
}

/// Returns whether a path matches many style sheets or scripts: a pattern or a folder, not a single file.
fn is_of_assets(path: &[u8]) -> bool {
    let path = without_dollar(path);
    let path = path.strip_suffix(b"*").unwrap_or(path);
    let folder = path.strip_suffix(b"/").unwrap_or(path);
    let file = path.strip_suffix(b"?").unwrap_or(path);
    let is_file = [&b".css"[..], b".js"].iter().any(|end| file.ends_with(end));
    is_file && path.contains(&b'*') || [&b"/css"[..], b"/js", b"/*/css", b"/*/js"].contains(&folder)
}

/// The start of a URL before its path. Without a host in the URL, a path that starts with `//` would start with a host.
const HOST: &[u8] = b"http://x";

/// Returns a shortest URL that a path matches.
fn shortest_url(path: &[u8]) -> Result<Vec<u8>, Error> {
    let mut url = copy(HOST)?;
    if path.starts_with(b"*") {
        push(&mut url, b'/')?;
    }
    for piece in without_dollar(path).split(|byte| *byte == b'*') {
        for byte in piece {
            // Clients encode bytes that a URL must not contain (SPEC 8.6 c).
            match byte {
                b if b.is_ascii_graphic() => push(&mut url, *b)?,
                b => append(&mut url, words(format_args!("%{b:02X}"))?.as_bytes())?,
            }
        }
    }
    Ok(url)
}

/// Reports rules that keep style sheets and scripts from Googlebot, an example of search engines that render pages.
fn assets(file: &File, budget: &mut Budget, findings: &mut Findings) -> Checked {
    const SEARCH_ENGINE: &[u8] = b"Googlebot";
    let is_checked =
        |line: &LineParts<'_>| line.group > 0 && is_path(line.value) && is_of_assets(line.value);
    let lines = file.lines_of(LineKind::Disallow).filter(is_checked);
    let mut lines = lines.take(MOST).peekable();
    if lines.peek().is_none() {
        return Ok(());
    }
    let Some(rules) = budget.compiled(file, SEARCH_ENGINE)? else {
        return Ok(());
    };
    for line in lines {
        let url = shortest_url(line.value)?;
        let Some(verdict) = budget.verdict(&rules, &url) else {
            return Ok(());
        };
        if verdict.line() == line.number && !verdict.allowed() {
            let path = quoted(line.value);
            findings
                .add(Code::BlockedAssets, file.place(line.number, line.value))
                .say(format_args!("{path} keeps style sheets or scripts from search engines, which need them to render pages"))
                .help("allow them for search engines, if pages need them");
        }
    }
    Ok(())
}

/// Reports crawlers that may fetch everything that the `*` group disallows: the groups that name these crawlers lack its rules.
fn escapes(file: &File, groups: &Groups, budget: &mut Budget, findings: &mut Findings) -> Checked {
    let classes = groups.classes(file, file.dialect.merges_groups())?;
    let value = |rule: &RuleLine| file.value(rule.line);
    let mut everyone: Vec<RuleLine> = Vec::new();
    for (agent, obeyed) in classes.iter() {
        if groups.name(file, agent) == b"*" {
            let is_disallow = |rule: &&RuleLine| !rule.allow && is_path(value(rule));
            let disallows = groups.rules_of(obeyed).filter(is_disallow);
            for rule in disallows.take(MAX_OF_EVERYONE) {
                push(&mut everyone, *rule)?;
            }
        }
    }
    // A site that keeps all unknown crawlers out probably wants to let the named crawlers in.
    if everyone.is_empty() || everyone.iter().any(|rule| is_everything(value(rule))) {
        return Ok(());
    }
    let Some(star) = budget.compiled(file, NOBODY)? else {
        return Ok(());
    };
    let mut before = &[][..];
    let mut examined = 0;
    for (agent, obeyed) in classes.iter() {
        let name = groups.name(file, agent);
        // A policy token fetches nothing, so it escapes no rule.
        let is_crawler = name != b"*" && !name.is_empty() && !is_policy_token(name);
        if !is_crawler || obeyed == before {
            continue;
        }
        before = obeyed;
        // `Disallow:` or `Allow: /` shows that the author means to allow. Another code reports groups without any line.
        let is_freed = |rule: &RuleLine| !rule.has_path || rule.allow && is_everything(value(rule));
        let has_lines = groups.of(obeyed).any(FileGroup::has_lines);
        let is_meant = groups
            .of(obeyed)
            .all(|group| group.rules.iter().take(MOST).any(is_freed));
        if !has_lines || is_meant {
            continue;
        }
        examined += 1;
        if examined > MAX_CRAWLERS {
            return Ok(());
        }
        let Some(own) = budget.compiled(file, name)? else {
            return Ok(());
        };
        let mut escaped = None;
        for rule in &everyone {
            let url = shortest_url(value(rule))?;
            let theirs = budget.verdict(&star, &url);
            let (Some(theirs), Some(ours)) = (theirs, budget.verdict(&own, &url)) else {
                return Ok(());
            };
            if theirs.allowed() {
                continue;
            }
            if !ours.allowed() {
                escaped = None;
                break;
            }
            escaped = escaped.or(Some((url, theirs.line())));
        }
        let Some((url, line)) = escaped else {
            continue;
        };
        let Some(agent) = groups.agents.get(agent) else {
            continue;
        };
        let url = url.strip_prefix(HOST).unwrap_or_default();
        let (name, url) = (quoted(name), quoted(url));
        findings
            .add(Code::EscapesEveryone, file.value_place(agent.line))
            .say(format_args!("{name} obeys only the groups that name it: it may fetch {url}, which `*` disallows on line {line}"))
            .help(format_args!("copy the rules of `*` that {name} should obey, too, into this group; or write `Allow: /` in it, if it may fetch the rest of the site"))
            .other(line);
    }
    Ok(())
}

/// Reports groups that lack a preference against a use, if the `*` group has such a preference. The crawlers of these groups do
/// not obey `*`, so no preference applies to them.
fn preferences(file: &File, groups: &Groups, findings: &mut Findings) -> Checked {
    let classes = groups.classes(file, file.dialect.merges_groups())?;
    let is_star = |agent| groups.name(file, agent) == b"*";
    let mut star = classes.iter().filter(|(agent, _)| is_star(*agent));
    let Some((_, everyone)) = star.next() else {
        return Ok(());
    };
    // The uses that each group has preferences about, in file order.
    let mut said: Vec<(u32, UseSet)> = Vec::new();
    // For each purpose, the first line of `*` that does not permit the use; 0 for none.
    let mut denied = [0; Purpose::ALL.len()];
    for line in file.lines_of(LineKind::Extension) {
        for one in values::of_all_pages(line, file.dialect)? {
            let Some(purpose) = one.purposes().and_then(|of| of.first()) else {
                continue;
            };
            let at = line.group.checked_sub(1);
            let is_of_star = at.is_some_and(|at| everyone.binary_search(&at).is_ok());
            let first = denied.get_mut(*purpose as usize);
            let first = first.filter(|first| **first == 0 && is_of_star);
            if let (Choice::No, Some(first)) = (one.choice, first) {
                *first = line.number;
            }
            if one.choice != Choice::Unknown {
                push(&mut said, (line.group, 1 << *purpose as u32))?;
            }
        }
    }
    if denied.iter().all(|line| *line == 0) {
        return Ok(());
    }
    let said_by = |group: u32| {
        let start = said.partition_point(|(of, _)| *of < group);
        let own = said.iter().skip(start).take_while(|(of, _)| *of == group);
        own.fold(0, |set, (_, more)| set | more)
    };
    let outside = said_by(0);
    let mut before = &[][..];
    for (agent, obeyed) in classes.iter() {
        let name = groups.name(file, agent);
        if obeyed == before || is_star(agent) || name.is_empty() {
            continue;
        }
        before = obeyed;
        let stated = obeyed.iter().fold(outside, |set, at| set | said_by(at + 1));
        let mut missing = (0..).zip(&denied);
        let missing = missing.find(|(purpose, line)| **line > 0 && stated & 1 << purpose == 0);
        let is_shut = |rule: &RuleLine| !rule.allow && is_everything(file.value(rule.line));
        // Preferences do not matter to a crawler that may fetch nothing.
        let is_out =
            groups.rules_of(obeyed).any(is_shut) && !groups.rules_of(obeyed).any(|it| it.allow);
        let (Some((_, line)), Some(agent), false) = (missing, groups.agents.get(agent), is_out)
        else {
            continue;
        };
        findings
            .add(Code::PreferencesNotInherited, file.value_place(agent.line))
            .say(format_args!(
                "{} obeys only the groups that name it: what line {line} says for `*` is not said for it",
                quoted(name)
            ))
            .help(format_args!(
                "write line {line} also in this group, if its crawler should obey it"
            ))
            .other(*line);
    }
    Ok(())
}

/// A set of uses: a bit for each purpose.
type UseSet = u32;
