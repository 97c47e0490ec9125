//! The groups of a robots.txt, with their agents and rules; for `groups` and `diff`.

use std::collections::HashMap;
use std::fmt::Write as _;

use robots::{Dialect, ExtensionField, LineKind, LineMeaning, Report};
use serde::Serialize;

use crate::crawler::{How, Who};
use crate::crawler_names;
use crate::fault::{Fault, complain};
use crate::screen::{lossy, safe};
use crate::subject::Subject;

/// Warns of the names in values of --agent that are nearly those of groups of the files or of well-known crawlers: their verdicts
/// are those of everyone else.
pub(crate) fn warn_of_strangers(who: &Who, subjects: &[Subject]) -> Result<(), Fault> {
    let mut groups = Vec::new();
    for subject in subjects {
        let file = FileGroups::of(&who.how, who.how.dialect(), &subject.body)?;
        groups.extend(file.agents.iter().map(|agent| lossy(&agent.name)));
    }
    for name in who.names() {
        if let Some(advice) = crawler_names::advice(name, &groups) {
            complain(&format!("--agent: {}", advice.text));
        }
    }
    Ok(())
}

/// The groups of a file.
pub(crate) struct FileGroups {
    report: Report,
    dialect: Dialect,
    /// The rules and crawl-delays of each group, by its number less 1.
    pub(crate) groups: Vec<Vec<LineMeaning>>,
    /// In file order.
    pub(crate) agents: Vec<Agent>,
    /// Indexes into `agents` by name in lower case.
    places: HashMap<Vec<u8>, usize>,
    /// The names that crawlers without digits and dots in their tokens read where others read a longer one (SPEC 7.3).
    pub(crate) short_names: Vec<Vec<u8>>,
    /// Indexes of the groups that a token obeys, by the token in lower case.
    obeyed: HashMap<Vec<u8>, Vec<usize>>,
}

/// A name of the file.
#[derive(Debug)]
pub(crate) struct Agent {
    /// As first written; `*` for everyone.
    pub(crate) name: Vec<u8>,
    /// The user-agent lines that name it.
    pub(crate) lines: Vec<u32>,
    /// Indexes of the groups that it obeys.
    pub(crate) groups: Vec<usize>,
}

impl FileGroups {
    /// Reads a file in a dialect.
    pub(crate) fn of(how: &How, dialect: Dialect, body: &[u8]) -> Result<FileGroups, Fault> {
        // Only the dialect and the options matter, not the token.
        let crawler = how.crawler_in(dialect, &["robots"])?;
        let report =
            robots::outline(&crawler, body).map_err(|error| Fault::new(error.to_string()))?;
        let mut outline = FileGroups {
            dialect,
            groups: vec![Vec::new(); report.group_count() as usize],
            agents: Vec::new(),
            places: HashMap::new(),
            short_names: Vec::new(),
            obeyed: HashMap::new(),
            report,
        };
        let lines: Vec<LineMeaning> = outline.report.lines().collect();
        for line in lines {
            let Some(group) = (line.group as usize).checked_sub(1) else {
                continue;
            };
            match line.kind {
                LineKind::UserAgent => outline.name(&line, group),
                LineKind::Allow | LineKind::Disallow | LineKind::CrawlDelay => {
                    if let Some(rules) = outline.groups.get_mut(group) {
                        rules.push(line);
                    }
                }
                _ => {}
            }
        }
        for agent in &mut outline.agents {
            let groups = outline.obeyed.get(&agent.name.to_ascii_lowercase());
            agent.groups = groups.cloned().unwrap_or_default();
        }
        Ok(outline)
    }

    fn name(&mut self, line: &LineMeaning, group: usize) {
        let value = self
            .report
            .body()
            .get(line.value.clone())
            .unwrap_or_default();
        let Some(name) = self.dialect.agent_name(value) else {
            return;
        };
        let name = name.to_vec();
        let short = Dialect::Google.agent_name(value);
        let short = short.filter(|short| self.dialect == Dialect::Rfc9309 && *short != &*name);
        if let Some(short) = short.map(<[u8]>::to_vec) {
            self.obey(&short, group);
            self.short_names.push(short);
        }
        self.obey(&name, group);
        let place = *self
            .places
            .entry(name.to_ascii_lowercase())
            .or_insert_with(|| {
                self.agents.push(Agent {
                    name,
                    lines: Vec::new(),
                    groups: Vec::new(),
                });
                self.agents.len() - 1
            });
        if let Some(agent) = self.agents.get_mut(place) {
            agent.lines.push(line.number);
        }
    }

    fn obey(&mut self, token: &[u8], group: usize) {
        let groups = self.obeyed.entry(token.to_ascii_lowercase()).or_default();
        // SPEC 7.8: koster1996 uses only the first record.
        let counts = self.dialect != Dialect::Koster1996 || groups.is_empty();
        if counts && groups.last() != Some(&group) {
            groups.push(group);
        }
    }

    /// Returns the groups that a crawler with these tokens obeys (SPEC 7.1); `star`: unless one names it, those of `*`.
    pub(crate) fn obeyed_by(&self, tokens: &[Vec<u8>], star: bool) -> &[usize] {
        let mut names = tokens.iter().map(|token| token.to_ascii_lowercase());
        let named = names.find_map(|name| self.obeyed.get(&name));
        named
            .or_else(|| self.obeyed.get(&b"*"[..]).filter(|_| star))
            .map_or(&[], Vec::as_slice)
    }

    /// Returns the rules and crawl-delays of groups, in file order.
    pub(crate) fn rules_of(&self, groups: &[usize]) -> impl Iterator<Item = &LineMeaning> {
        groups
            .iter()
            .filter_map(|group| self.groups.get(*group))
            .flatten()
    }

    /// Returns the lines with fields that do not affect a verdict, in file order.
    pub(crate) fn extensions(&self) -> impl Iterator<Item = (LineMeaning, ExtensionField)> {
        let field = |line: &LineMeaning| {
            let name = self.report.body().get(line.field.clone())?;
            ExtensionField::find(name)
        };
        self.report
            .lines()
            .filter(|line| line.kind == LineKind::Extension && !line.value.is_empty())
            .filter_map(move |line| field(&line).map(|field| (line, field)))
    }

    /// Returns the lines with a sitemap, in file order (SPEC 9.1).
    pub(crate) fn sitemaps(&self) -> impl Iterator<Item = LineMeaning> {
        let is_one = |line: &LineMeaning| line.kind == LineKind::Sitemap && !line.value.is_empty();
        self.report.lines().filter(is_one)
    }

    /// Returns the agents of a group, by its number.
    pub(crate) fn agents_of(&self, group: u32) -> impl Iterator<Item = &Agent> {
        let index = (group as usize).checked_sub(1);
        let is_in = move |agent: &&Agent| index.is_some_and(|index| agent.groups.contains(&index));
        self.agents.iter().filter(is_in)
    }

    pub(crate) fn value(&self, line: &LineMeaning) -> &[u8] {
        self.report
            .body()
            .get(line.value.clone())
            .unwrap_or_default()
    }
}

/// The most sitemaps that are shown: a hostile file has ten thousands.
const MOST_SITEMAPS: usize = 1_000;

/// Returns the sitemaps of a file as text.
pub(crate) fn sitemaps(outline: &FileGroups) -> String {
    let mut text = String::new();
    for line in outline.sitemaps().take(MOST_SITEMAPS) {
        let (number, url) = (line.number, safe(outline.value(&line)));
        let _ = writeln!(text, "{:14}  line {number}: {url}", "sitemap");
    }
    match outline.sitemaps().count().saturating_sub(MOST_SITEMAPS) {
        0 => {}
        more => {
            let _ = writeln!(text, "{more} more sitemaps");
        }
    }
    text
}

/// A sitemap in JSON.
#[derive(Serialize)]
pub(crate) struct JsonSitemap {
    line: u32,
    url: String,
}

/// Returns the sitemaps of a file for JSON.
pub(crate) fn json_sitemaps(outline: &FileGroups) -> Vec<JsonSitemap> {
    let json = |line: LineMeaning| JsonSitemap {
        line: line.number,
        url: lossy(outline.value(&line)),
    };
    outline.sitemaps().take(MOST_SITEMAPS).map(json).collect()
}

/// Returns the JSON name of a rule or crawl-delay line.
pub(crate) fn kind_name(kind: LineKind) -> &'static str {
    match kind {
        LineKind::Allow => "allow",
        LineKind::Disallow => "disallow",
        _ => "crawl-delay",
    }
}
