//! The groups of a robots.txt, with their agents and rules; for `groups` and `diff`.

use std::collections::HashMap;
use std::fmt::Write as _;

use robots::{Crawler, Dialect, ExtensionField, LineKind, LineMeaning, Report};
use serde::Serialize;

use crate::crawler::{How, Who};
use crate::crawler_names;
use crate::fault::{Fault, complain};
use crate::screen::{lossy, safe};
use crate::subject::Subject;

/// Warns of the names in values of --agent that are nearly those of groups of the files or of well-known crawlers, whose verdicts
/// are those of everyone else; and of lines that not every crawler reads.
pub(crate) fn warn_of_strangers<'c>(
    who: &Who,
    crawlers: impl Iterator<Item = &'c Crawler> + Clone,
    subjects: &[Subject],
    urls: &[String],
) -> Result<(), Fault> {
    let mut groups = Vec::new();
    for subject in subjects {
        let file = FileGroups::of(&who.how, who.how.dialect(), &subject.body)?;
        file.warn_of_doubtful(crawlers.clone(), urls);
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

    pub(crate) fn body(&self) -> &[u8] {
        self.report.body()
    }

    /// Returns a line as it stands in the file, without its comment.
    pub(crate) fn text_of(&self, number: u32) -> &[u8] {
        let span = self.report.line(number).map(|line| line.span);
        let text = span.and_then(|span| self.body().get(span));
        let text = text.and_then(|text| text.split(|byte| *byte == b'#').next());
        text.unwrap_or_default().trim_ascii()
    }

    /// Returns a line as it stands in the file, for people; a hostile line is long.
    pub(crate) fn shown(&self, number: u32) -> String {
        const MOST: usize = 100;
        let text = safe(self.text_of(number));
        match text.char_indices().nth(MOST) {
            Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
            None => text.into_owned(),
        }
    }

    /// Returns the lines that count although their field is misspelt or has no colon (SPEC 5.4, 5.5), with what is wrong. Not every
    /// crawler reads such a line.
    pub(crate) fn forgiven(&self) -> impl Iterator<Item = (LineMeaning, &'static str)> {
        self.report.lines().filter_map(|line| {
            let right = match line.kind {
                LineKind::UserAgent => "user-agent",
                LineKind::Allow => "allow",
                LineKind::Disallow => "disallow",
                LineKind::CrawlDelay => "crawl-delay",
                LineKind::Sitemap => "sitemap",
                _ => return None,
            };
            let field = self.body().get(line.field.clone()).unwrap_or_default();
            let fault = match field.eq_ignore_ascii_case(right.as_bytes()) {
                false => "is misspelt",
                true if !self.text_of(line.number).contains(&b':') => "has no colon",
                true => return None,
            };
            Some((line, fault))
        })
    }

    /// Returns the line of [`FileGroups::forgiven`] without which a crawler has another verdict on one of `urls`, with what is wrong;
    /// without URLs: without which its rules are others. `None` for crawlers of Google: Google publishes its parser, which reads
    /// these lines.
    pub(crate) fn doubtful(
        &self,
        crawler: &Crawler,
        urls: &[String],
    ) -> Option<(LineMeaning, &'static str)> {
        let all: Vec<(LineMeaning, &'static str)> = self.forgiven().collect();
        let rules = crawler.parse(self.body());
        if all.is_empty() || rules.about().dialect == Dialect::Google {
            return None;
        }
        let is_other_without = |lines: &[(LineMeaning, &'static str)]| {
            let mut body = self.body().to_vec();
            for (line, _) in lines.iter().rev() {
                body.insert(line.span.start, b'#');
            }
            let strict = crawler.parse(body);
            let is_changed = |url: &String| rules.is_allowed(url) != strict.is_allowed(url);
            match urls {
                [] => rules.image() != strict.image(),
                urls => urls.iter().any(is_changed),
            }
        };
        if !is_other_without(&all) {
            return None;
        }
        // Without one line alone, another may decide the same.
        let mut lines = all.chunks(1).take(MOST_DOUBTFUL);
        let own = lines.find(|line| is_other_without(line));
        own.unwrap_or(&all).first().cloned()
    }

    /// Warns of a line that not every crawler reads, if one of the crawlers depends on it.
    pub(crate) fn warn_of_doubtful<'c>(
        &self,
        mut crawlers: impl Iterator<Item = &'c Crawler>,
        urls: &[String],
    ) {
        if let Some((line, fault)) = crawlers.find_map(|crawler| self.doubtful(crawler, urls)) {
            complain(&format!(
                "line {}, `{}`, {fault}: not every crawler reads it; the verdicts are those of crawlers that do",
                line.number,
                self.shown(line.number)
            ));
        }
    }

    pub(crate) fn value(&self, line: &LineMeaning) -> &[u8] {
        self.report
            .body()
            .get(line.value.clone())
            .unwrap_or_default()
    }
}

/// The most lines of [`FileGroups::forgiven`] that are tried one by one.
const MOST_DOUBTFUL: usize = 20;

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
