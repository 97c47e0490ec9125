//! The groups of a file, the rules that crawlers lack, and where these are inserted.

use core::fmt::Write as _;
use std::collections::{HashMap, HashSet};

use super::requests::{
    ONLY_FOLDER, RecipeFault, RecipeRule, RulesFor, Whom, Wish, fault, is_among, recipes, shown,
};
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::core::parse::begins_compressed;
use crate::crawler::Crawler;
use crate::crawler::preset::Preset;
use crate::owner::format::is_utf16;
use crate::owner::lint::{LineKind, LineMeaning, lint};
use crate::page::is_policy_token;

/// The indexes of the groups that name each crawler, by its name in lower case.
#[derive(Default)]
pub(super) struct GroupsByName(HashMap<String, Vec<usize>>);

impl GroupsByName {
    pub(super) fn add(&mut self, name: &str, index: usize) {
        let groups = self.0.entry(name.to_ascii_lowercase()).or_default();
        if groups.last() != Some(&index) {
            groups.push(index);
        }
    }

    pub(super) fn of(&self, name: &str) -> &[usize] {
        let groups = self.0.get(&name.to_ascii_lowercase());
        groups.map_or(&[], Vec::as_slice)
    }
}

/// A group of the file.
#[derive(Clone, Default)]
pub(super) struct DraftGroup {
    names: Vec<String>,
    pub(super) rules: Vec<RecipeRule>,
    /// Offset where more rules go.
    end: usize,
}

pub(super) struct RecipeFile<'b> {
    body: &'b [u8],
    groups: Vec<DraftGroup>,
    by_name: GroupsByName,
    sitemaps: Vec<String>,
    line_end: &'static str,
    /// Texts to insert, with their offsets.
    inserted: Vec<(usize, String)>,
    /// Text to append.
    appended: String,
}

impl<'b> RecipeFile<'b> {
    pub(super) fn read(body: &'b [u8]) -> Result<RecipeFile<'b>, RecipeFault> {
        if begins_compressed(body) || is_utf16(body) {
            return fault(
                "the file is compressed or UTF-16, which no crawler reads: write it in UTF-8 first",
            );
        }
        let unread = |error: Error| RecipeFault(error.to_string());
        let crawler = Crawler::new("robots").map_err(unread)?;
        let report = lint(&crawler, body).map_err(unread)?;
        // Offsets of the report count from the first byte after a byte order mark.
        let mark = body.len().saturating_sub(report.body().len());
        if mark > 3 {
            return fault("the file is longer than crawlers read: shorten it first");
        }
        let has = |end: &[u8]| memchr::memmem::find(body, end).is_some();
        let mut file = RecipeFile {
            body,
            groups: vec![DraftGroup::default(); report.group_count() as usize],
            by_name: GroupsByName::default(),
            sitemaps: Vec::new(),
            line_end: match (has(b"\r\n"), has(b"\n"), has(b"\r")) {
                (true, ..) => "\r\n",
                (false, false, true) => "\r",
                _ => "\n",
            },
            inserted: Vec::new(),
            appended: String::new(),
        };
        for line in report.lines() {
            let value = report.body().get(line.value.clone()).unwrap_or_default();
            // A rule goes after the end of the line, with its comment.
            let next = report.line(line.number + 1);
            let end = next.map_or(body.len(), |next| next.span.start + mark);
            file.take(&line, value, end);
        }
        Ok(file)
    }

    /// Adds a line to its group. `end`: the offset of the next line.
    fn take(&mut self, line: &LineMeaning, value: &[u8], end: usize) {
        let text = String::from_utf8_lossy(value).into_owned();
        if line.kind == LineKind::Sitemap {
            self.sitemaps.push(text);
            return;
        }
        let index = (line.group as usize).wrapping_sub(1);
        let Some(group) = self.groups.get_mut(index) else {
            return;
        };
        match line.kind {
            LineKind::UserAgent => {
                if let Some(name) = Dialect::Rfc9309.agent_name(value) {
                    let name = String::from_utf8_lossy(name).into_owned();
                    self.by_name.add(&name, index);
                    group.names.push(name);
                }
            }
            LineKind::Allow | LineKind::Disallow => group.rules.push(RecipeRule {
                allows: line.kind == LineKind::Allow,
                path: text,
                title: "It obeyed these rules before it had a group.",
            }),
            _ => return,
        }
        group.end = end;
    }

    /// Returns the groups that name a crawler.
    pub(super) fn named(&self, agent: &str) -> impl Iterator<Item = &DraftGroup> + Clone {
        let groups = self.groups_of(agent).iter();
        groups.filter_map(|index| self.groups.get(*index))
    }

    /// Returns the indexes of the groups that name a crawler.
    pub(super) fn groups_of(&self, agent: &str) -> &[usize] {
        self.by_name.of(agent)
    }

    pub(super) fn has(&self, agent: &str) -> bool {
        !self.groups_of(agent).is_empty()
    }

    /// Returns whether a crawler gets its first group.
    fn is_new(&self, agent: &str) -> bool {
        !self.has(agent) && agent != "*"
    }

    /// Returns every crawler to consider: `*`, then the crawlers of the file, then those of the wishes.
    pub(super) fn agents(&self, wishes: &[Wish]) -> Vec<String> {
        let mut agents: Vec<String> = vec!["*".to_owned()];
        let mut seen: HashSet<String> = agents.iter().cloned().collect();
        let wished = wishes.iter().flat_map(|wish| match &wish.whom {
            Whom::Tokens(tokens) => tokens.as_slice(),
            _ => &[],
        });
        let named = self.groups.iter().flat_map(|group| &group.names);
        for name in named.chain(wished) {
            // A policy token fetches nothing.
            if seen.insert(name.to_ascii_lowercase()) && !is_policy_token(name) {
                agents.push(name.clone());
            }
        }
        agents
    }

    /// Returns the rules that a crawler without its own group obeys: those for its second token, or for `*`.
    fn fallback(&self, agent: &str) -> Vec<RecipeRule> {
        let preset = Preset::find(agent);
        let tokens = preset.map(|preset| preset.tokens()).unwrap_or_default();
        let obeys_star = preset.is_none_or(|preset| !preset.ignores_star());
        let others = tokens.iter().skip(1).copied();
        let mut names = others.chain(obeys_star.then_some("*"));
        let obeyed = names.find(|name| self.has(name));
        let groups = obeyed.into_iter().flat_map(|name| self.named(name));
        let rules = groups.flat_map(|group| &group.rules);
        let rules = rules.filter(|rule| !rule.path.is_empty());
        rules.cloned().collect()
    }

    /// Returns the rules that wishes mean for a crawler. A wish that names the crawler replaces the rules of other wishes for the
    /// whole site.
    pub(super) fn wanted(
        &self,
        agent: &str,
        wishes: &[Wish],
    ) -> Result<Vec<RecipeRule>, RecipeFault> {
        let mut all: Vec<(bool, &RecipeRule)> = Vec::new();
        for wish in wishes {
            let is_own = match &wish.whom {
                Whom::Tokens(tokens) if is_among(tokens, agent) => true,
                Whom::AllBut(tokens) if !is_among(tokens, agent) => false,
                Whom::Star if agent == "*" && !self.has("*") => false,
                _ => continue,
            };
            all.extend(wish.rules.iter().map(|rule| (is_own, rule)));
        }
        let own = || {
            let own = all.iter().filter(|(is_own, _)| *is_own);
            own.map(|(_, rule)| *rule)
        };
        let is_out = has_site_rule(own(), false) || agent != "*" && self.is_banned(agent);
        let is_decided = own().any(RecipeRule::is_for_the_site);
        // An exception for everyone lets no crawler in that stays out.
        let is_wanted = |rule: &RecipeRule| {
            let is_for_the_site = rule.is_for_the_site();
            !(is_for_the_site && is_decided || !is_for_the_site && is_out && rule.allows)
        };
        let rules = all
            .iter()
            .filter(|(is_own, rule)| *is_own || is_wanted(rule));
        let mut rules: Vec<RecipeRule> = rules.map(|(_, rule)| (*rule).clone()).collect();
        refuse_contradictions(agent, &rules)?;
        if has_site_rule(&rules, false) && !rules.iter().any(|rule| rule.allows) {
            rules.retain(RecipeRule::is_for_the_site);
        }
        // A crawler that is let in keeps the other rules that it obeyed.
        if has_site_rule(&rules, true) && self.is_new(agent) {
            let mut before = self.fallback(agent);
            before.retain(|rule| !rule.is_for_the_site());
            rules.splice(0..0, before);
        }
        Ok(rules)
    }

    /// Returns whether the groups that name a crawler keep it out of the whole site.
    fn is_banned(&self, agent: &str) -> bool {
        let mut rules = self.named(agent).flat_map(|group| &group.rules);
        has_site_rule(rules.clone(), false)
            && !rules.any(|rule| rule.allows && !rule.path.is_empty())
    }

    /// Returns the rules to add to the groups of a crawler, so that they mean what is wanted.
    pub(super) fn missing(&self, agent: &str, wanted: &[RecipeRule]) -> Vec<RecipeRule> {
        let mut rules = wanted.to_vec();
        if self.is_new(agent) && !rules.iter().any(RecipeRule::is_for_the_site) {
            rules.splice(0..0, self.fallback(agent));
        }
        let is_banned = self.is_banned(agent);
        let named = self.named(agent);
        let mut seen: HashSet<RecipeRule> = named
            .flat_map(|group| group.rules.iter().cloned())
            .collect();
        rules.retain(|rule| (rule.allows || !is_banned) && seen.insert(rule.clone()));
        rules
    }

    /// Adds rules for crawlers: to the groups that name no other crawler, else in a new group.
    pub(super) fn add(&mut self, change: &RulesFor, comments: bool) {
        let end = self.line_end;
        let mut text = String::new();
        let mut last = "";
        for rule in &change.rules {
            if comments && rule.title != last {
                let _ = write!(text, "# {}{end}", rule.title);
            }
            last = rule.title;
            let field = if rule.allows { "Allow" } else { "Disallow" };
            let _ = write!(text, "{field}: {}{end}", rule.path);
        }
        let lower = |name: &String| name.to_ascii_lowercase();
        let mut left: HashSet<String> = change.names.iter().map(lower).collect();
        let groups = change.names.iter().flat_map(|name| self.groups_of(name));
        let mut indexes: Vec<usize> = groups.copied().collect();
        indexes.sort_unstable();
        indexes.dedup();
        for group in indexes.iter().filter_map(|index| self.groups.get(*index)) {
            let of_group: HashSet<String> = group.names.iter().map(lower).collect();
            if of_group.iter().all(|name| left.contains(name)) {
                self.inserted.push((group.end, text.clone()));
                left.retain(|name| !of_group.contains(name));
            }
        }
        if !left.is_empty() {
            let names = change
                .names
                .iter()
                .filter(|name| left.contains(&lower(name)));
            let agents = names.map(|name| format!("User-agent: {name}{end}"));
            self.append(&(agents.collect::<String>() + &text));
        }
    }

    pub(super) fn add_sitemaps(&mut self, urls: &[String], comments: bool) {
        let end = self.line_end;
        let mut text = String::new();
        if let Some(recipe) = recipes().find(|recipe| comments && recipe.name == "sitemap") {
            let _ = write!(text, "# {}{end}", recipe.title);
        }
        let count = self.sitemaps.len();
        for url in urls {
            if !self.sitemaps.contains(url) {
                self.sitemaps.push(url.clone());
                let _ = write!(text, "Sitemap: {url}{end}");
            }
        }
        if self.sitemaps.len() > count {
            self.append(&text);
        }
    }

    /// Appends text after a blank line.
    fn append(&mut self, text: &str) {
        if !self.body.is_empty() || !self.appended.is_empty() {
            self.appended.push_str(self.line_end);
        }
        self.appended.push_str(text);
    }

    /// Returns the file with the texts that were added.
    pub(super) fn text(mut self) -> Vec<u8> {
        self.inserted.sort_by_key(|(at, _)| *at);
        if !self.appended.is_empty() {
            self.inserted.push((self.body.len(), self.appended));
        }
        let mut text = Vec::new();
        let mut done = 0;
        for (at, inserted) in &self.inserted {
            text.extend_from_slice(self.body.get(done..*at).unwrap_or_default());
            if !matches!(text.last(), None | Some(b'\n' | b'\r')) {
                text.extend_from_slice(self.line_end.as_bytes());
            }
            text.extend_from_slice(inserted.as_bytes());
            done = *at;
        }
        text.extend_from_slice(self.body.get(done..).unwrap_or_default());
        text
    }
}

/// Returns whether a rule allows, or disallows, the whole site.
fn has_site_rule<'r>(rules: impl IntoIterator<Item = &'r RecipeRule>, allows: bool) -> bool {
    let mut rules = rules.into_iter();
    rules.any(|rule| rule.is_for_the_site() && rule.allows == allows)
}

/// Refuses rules of several recipes for one crawler that cannot all decide.
fn refuse_contradictions(agent: &str, rules: &[RecipeRule]) -> Result<(), RecipeFault> {
    let whom = shown(agent);
    if has_site_rule(rules, true) && has_site_rule(rules, false) {
        return fault(format!(
            "the recipes let {whom} in, and keep it out: remove one of them"
        ));
    }
    let is_only = |rule: &&RecipeRule| rule.title == ONLY_FOLDER;
    for only in rules.iter().filter(is_only).filter(|rule| rule.allows) {
        let mut bans = rules.iter().filter(|rule| !is_only(rule) && !rule.allows);
        if let Some(rule) = bans.find(|rule| only.path.starts_with(&rule.path)) {
            let (inner, outer) = (&only.path, &rule.path);
            return fault(format!(
                "the recipes let {whom} fetch {inner}, and keep it out of {outer}: remove one of them, or use allow for an exception"
            ));
        }
    }
    Ok(())
}
