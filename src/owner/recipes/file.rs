//! Reads the groups of a file, finds the rules that crawlers lack, and inserts these rules.

use core::fmt::Write as _;
use std::collections::{HashMap, HashSet};

use super::requests::recipes;
use super::wishes::{
    BEFORE, Fallible, ONLY_FOLDER, RecipeRule, RulesFor, Whom, Wish, fault, is_among, shown,
};
use crate::base::dialect::Dialect;
use crate::base::limits::MIN_MAX_BYTES;
use crate::core::parse::directive::{self, Directive, Field};
use crate::core::parse::file_kind::FileKind;
use crate::core::parse::reader::{FileLine, Reader, text_of};
use crate::crawler::Crawler;
use crate::crawler::preset::Preset;
use crate::owner::lint::{LineKind, outline};
use crate::page::is_policy_token;

#[derive(Default)]
pub(super) struct DraftGroup {
    names: Vec<String>,
    pub(super) rules: Vec<RecipeRule>,
    start: usize,
    /// Offset where further rules are inserted.
    end: usize,
}

impl DraftGroup {
    /// Adds a line that is no rule in rfc9309.
    fn copy(&mut self, line: Vec<u8>) {
        let mut rule = RecipeRule::new(false, "", BEFORE);
        rule.line = Some(line);
        self.rules.push(rule);
    }

    /// Returns whether a user-agent line after the group would join the group (SPEC 6.1).
    fn is_open(&self) -> bool {
        self.rules.iter().all(|rule| rule.line.is_some())
    }
}

/// The groups of a file as one dialect reads them.
pub(super) struct FileGroups<'b> {
    body: &'b [u8],
    list: Vec<DraftGroup>,
    /// For the name of each crawler in lower case, the indexes of the groups that name the crawler.
    by_name: HashMap<String, Vec<usize>>,
    /// Shorter forms of names in user-agent lines. A crawler whose token has no digit and no dot reads the shorter form (SPEC
    /// 7.3).
    short_names: Vec<String>,
    sitemaps: Vec<String>,
}

impl<'b> FileGroups<'b> {
    pub(super) fn read(body: &'b [u8], dialect: Dialect) -> FileGroups<'b> {
        let mut groups = FileGroups {
            body,
            list: Vec::new(),
            by_name: HashMap::new(),
            short_names: Vec::new(),
            sitemaps: Vec::new(),
        };
        let start = |line: &FileLine<'_>| line.whole.as_ptr().addr() - body.as_ptr().addr();
        let mut lines = Reader::whole(body, dialect).peekable();
        while let Some(line) = lines.next() {
            let Some(directive) = line.directive else {
                groups.take_line_of_google(&line, dialect);
                continue;
            };
            // SPEC 6.6: in koster1996, rules after a blank line belong to no group.
            if line.group == 0 && directive.field != Field::Sitemap {
                continue;
            }
            if line.starts_group {
                groups.list.push(DraftGroup {
                    start: start(&line),
                    ..DraftGroup::default()
                });
            }
            // A new rule is inserted after this line and its comment.
            let end = lines.peek().map_or(body.len(), start);
            groups.take(directive, end, dialect);
        }
        groups
    }

    /// Adds a line to the last group. `end`: the offset of the next line.
    fn take(&mut self, directive: Directive<'_>, end: usize, dialect: Dialect) {
        if directive.field == Field::Sitemap {
            let url = String::from_utf8_lossy(directive.value).into_owned();
            self.sitemaps.push(url);
            return;
        }
        let index = self.list.len().wrapping_sub(1);
        let Some(group) = self.list.get_mut(index) else {
            return;
        };
        match directive.field {
            Field::UserAgent => {
                let text = |name| String::from_utf8_lossy(name).into_owned();
                let name = dialect.agent_name(directive.value).map(text);
                let short = Dialect::Google.agent_name(directive.value).map(text);
                let short =
                    short.filter(|it| dialect == Dialect::Rfc9309 && name.as_ref() != Some(it));
                for name in name.iter().chain(&short) {
                    let indexes = self.by_name.entry(name.to_ascii_lowercase()).or_default();
                    // SPEC 7.8: in koster1996, only the first record with a name counts.
                    let counts = dialect.merges_groups() || indexes.is_empty();
                    if counts && indexes.last() != Some(&index) {
                        indexes.push(index);
                    }
                }
                group.names.extend(name);
                self.short_names.extend(short);
            }
            Field::Allow | Field::Disallow => {
                let allows = directive.field == Field::Allow;
                let rule = RecipeRule::new(allows, directive.value, BEFORE);
                group.rules.push(rule);
            }
            Field::CrawlDelay => {
                group.copy([b"Crawl-delay: ", directive.value].concat());
                return;
            }
            Field::Sitemap => return,
        }
        group.end = end;
    }

    /// Adds to the last group a line that only google reads as a rule (SPEC 5.6).
    fn take_line_of_google(&mut self, line: &FileLine<'_>, dialect: Dialect) {
        let text = text_of(line.whole, Dialect::Google);
        let read = directive::read(text, Dialect::Google).filter(|_| dialect == Dialect::Rfc9309);
        let is_rule = read.is_some_and(|of| matches!(of.field, Field::Allow | Field::Disallow));
        if let Some(group) = self.list.last_mut().filter(|_| is_rule) {
            group.copy(Dialect::Google.trim(text).to_vec());
        }
    }

    pub(super) fn named(&self, agent: &str) -> impl Iterator<Item = &DraftGroup> + Clone {
        let groups = self.indexes(agent).iter();
        groups.filter_map(|index| self.list.get(*index))
    }

    /// Returns the indexes of the groups that name a crawler.
    pub(super) fn indexes(&self, agent: &str) -> &[usize] {
        let indexes = self.by_name.get(&agent.to_ascii_lowercase());
        indexes.map_or(&[], Vec::as_slice)
    }

    /// Returns whether a user-agent line has exactly this name, and not a longer name that starts with it.
    pub(super) fn is_written(&self, agent: &str) -> bool {
        self.list.iter().any(|group| is_among(&group.names, agent))
    }

    /// Returns the names of [`FileGroups::agents`], and the shorter names that some crawlers read.
    pub(super) fn all_agents(&self, wishes: &[Wish]) -> Vec<String> {
        let mut agents = self.agents(wishes);
        let mut seen: HashSet<String> = agents.iter().map(|it| it.to_ascii_lowercase()).collect();
        let short = self.short_names.iter();
        agents.extend(
            short
                .filter(|it| seen.insert(it.to_ascii_lowercase()))
                .cloned(),
        );
        agents
    }

    /// Returns the indexes of the groups that a crawler obeys.
    pub(super) fn obeyed_by(&self, agent: &str) -> &[usize] {
        let preset = Preset::find(agent);
        let tokens = preset.map(|preset| preset.tokens()).unwrap_or_default();
        let mut names = core::iter::once(agent).chain(tokens.iter().skip(1).copied());
        match names.find(|name| self.has(name)) {
            Some(name) => self.indexes(name),
            None if preset.is_some_and(|preset| preset.ignores_star()) => &[],
            None => self.indexes("*"),
        }
    }

    /// Returns the text of some groups. A crawler that obeys these groups reads the same rules in their text as in the file.
    pub(super) fn text_of(&self, indexes: &[usize]) -> Vec<u8> {
        let start = |index| self.list.get(index).map(|group: &DraftGroup| group.start);
        let text = |index: &usize| {
            let end = start(index + 1).unwrap_or(self.body.len());
            self.body.get(start(*index)?..end)
        };
        indexes.iter().filter_map(text).collect::<Vec<_>>().concat()
    }

    pub(super) fn has(&self, agent: &str) -> bool {
        !self.indexes(agent).is_empty()
    }

    /// Returns whether no group names the crawler yet.
    pub(super) fn is_new(&self, agent: &str) -> bool {
        !self.has(agent) && agent != "*"
    }

    /// Returns every crawler to consider: `*`, then the crawlers that the file names, then the crawlers that the wishes name.
    pub(super) fn agents(&self, wishes: &[Wish]) -> Vec<String> {
        let mut agents: Vec<String> = vec!["*".to_owned()];
        let mut seen: HashSet<String> = agents.iter().cloned().collect();
        let wished = wishes.iter().flat_map(|wish| match &wish.whom {
            Whom::Tokens(tokens) => tokens.as_slice(),
            _ => &[],
        });
        let named = self.list.iter().flat_map(|group| &group.names);
        for name in named.chain(wished) {
            // A policy token names no crawler.
            if seen.insert(name.to_ascii_lowercase()) && !is_policy_token(name) {
                agents.push(name.clone());
            }
        }
        agents
    }

    /// Returns the rules that a crawler without its own group obeys: the rules for its first other token with a group. If no
    /// other token has a group, returns the rules of `*`.
    fn fallback(&self, agent: &str) -> Vec<RecipeRule> {
        let preset = Preset::find(agent);
        let tokens = preset.map(|preset| preset.tokens()).unwrap_or_default();
        let obeys_star = preset.is_none_or(|preset| !preset.ignores_star());
        let others = tokens.iter().skip(1).copied();
        let mut names = others.chain(obeys_star.then_some("*"));
        let obeyed = names.find(|name| self.has(name));
        let groups = obeyed.into_iter().flat_map(|name| self.named(name));
        let rules = groups.flat_map(|group| &group.rules);
        let rules = rules.filter(|rule| !rule.path.is_empty() || rule.line.is_some());
        rules.cloned().collect()
    }

    /// Returns the rules that wishes mean for a crawler. If a wish names the crawler and has a rule for the whole site, this
    /// rule replaces the site rules of wishes for everyone.
    pub(super) fn wanted(&self, agent: &str, wishes: &[Wish]) -> Fallible<Vec<RecipeRule>> {
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
        // If a crawler is kept out of the whole site, an allow rule for everyone does not apply to it.
        let is_wanted = |rule: &RecipeRule| {
            let is_for_the_site = rule.is_for_the_site();
            !(is_for_the_site && is_decided || !is_for_the_site && is_out && rule.allows)
        };
        let rules = all.iter();
        let rules = rules.filter(|(is_own, rule)| *is_own || is_wanted(rule));
        let mut rules: Vec<RecipeRule> = rules.map(|(_, rule)| (*rule).clone()).collect();
        refuse_contradictions(agent, &rules)?;
        if has_site_rule(&rules, false) && !rules.iter().any(|rule| rule.allows) {
            rules.retain(RecipeRule::is_for_the_site);
        }
        // A crawler that gets access to the whole site keeps the other rules that it obeyed.
        if has_site_rule(&rules, true) && self.is_new(agent) {
            let mut before = self.fallback(agent);
            before.retain(|rule| !rule.is_for_the_site());
            rules.splice(0..0, before);
        }
        Ok(rules)
    }

    /// Returns whether the groups that name a crawler keep it out of the whole site.
    pub(super) fn is_banned(&self, agent: &str) -> bool {
        let mut rules = self.named(agent).flat_map(|group| &group.rules);
        has_site_rule(rules.clone(), false)
            && !rules.any(|rule| rule.allows && !rule.path.is_empty())
    }

    /// Returns the rules to add so that the groups of a crawler have the `wanted` effect.
    pub(super) fn missing(&self, agent: &str, wanted: &[RecipeRule]) -> Vec<RecipeRule> {
        let mut rules = wanted.to_vec();
        if self.is_new(agent) && !rules.iter().any(RecipeRule::is_for_the_site) {
            rules.splice(0..0, self.fallback(agent));
        }
        let is_banned = self.is_banned(agent);
        let obeyed = self.named(agent).flat_map(|group| &group.rules);
        let mut seen: HashSet<_> = obeyed.map(RecipeRule::key).collect();
        // A rule that opens a part of the site may open a path that a disallow rule must close.
        let is_banned = is_banned && !rules.iter().any(|rule| rule.allows);
        rules.retain(|rule| (rule.allows || !is_banned) && seen.insert(rule.key()));
        rules
    }
}

/// A file, and the texts to add to it.
pub(super) struct RecipeFile<'b> {
    pub(super) groups: FileGroups<'b>,
    line_end: &'static str,
    /// Texts to insert, with their offsets.
    inserted: Vec<(usize, Vec<u8>)>,
    appended: Vec<u8>,
    has_new_group: bool,
}

impl<'b> RecipeFile<'b> {
    pub(super) fn read(body: &'b [u8]) -> Fallible<RecipeFile<'b>> {
        if let Some(what) = other_than_rules(body)? {
            return fault(format!(
                "this is {what}, not a robots.txt: give the robots.txt itself in UTF-8, or begin with an empty file"
            ));
        }
        if body.len() > MIN_MAX_BYTES {
            return fault("the file is longer than crawlers read: shorten it first");
        }
        let has = |end: &[u8]| memchr::memmem::find(body, end).is_some();
        Ok(RecipeFile {
            groups: FileGroups::read(body, Dialect::Rfc9309),
            line_end: match (has(b"\r\n"), has(b"\n"), has(b"\r")) {
                (true, ..) => "\r\n",
                (false, false, true) => "\r",
                _ => "\n",
            },
            inserted: Vec::new(),
            appended: Vec::new(),
            has_new_group: false,
        })
    }

    /// Adds rules for crawlers to the groups that name no other crawler. If there is no such group, adds the rules to a new
    /// group.
    pub(super) fn add(&mut self, change: &RulesFor, comments: bool) {
        let end = self.line_end;
        let mut text = Vec::new();
        let mut last = "";
        for rule in &change.rules {
            if comments && rule.title != last {
                text.extend_from_slice(format!("# {}{end}", rule.title).as_bytes());
            }
            last = rule.title;
            let parts = match (&rule.line, rule.allows) {
                (Some(line), _) => [&b""[..], line.as_slice()],
                (None, true) => [b"Allow: ", rule.path.as_slice()],
                (None, false) => [b"Disallow: ", rule.path.as_slice()],
            };
            text.extend_from_slice(&parts.concat());
            text.extend_from_slice(end.as_bytes());
        }
        let lower = |name: &String| name.to_ascii_lowercase();
        let mut left: HashSet<String> = change.names.iter().map(lower).collect();
        let names = change.names.iter();
        let groups = names.clone().flat_map(|name| self.groups.indexes(name));
        let mut indexes: Vec<usize> = groups.copied().collect();
        indexes.sort_unstable();
        indexes.dedup();
        let groups = indexes.iter();
        for group in groups.filter_map(|index| self.groups.list.get(*index)) {
            let of_group: HashSet<String> = group.names.iter().map(lower).collect();
            if of_group.iter().all(|name| left.contains(name)) {
                self.inserted.push((group.end, text.clone()));
                left.retain(|name| !of_group.contains(name));
            }
        }
        if !left.is_empty() {
            let names = names.filter(|name| left.contains(&lower(name)));
            let agents = names.map(|name| format!("User-agent: {name}{end}"));
            self.has_new_group = true;
            self.append(&[agents.collect::<String>().as_bytes(), &text].concat());
        }
    }

    pub(super) fn add_sitemaps(&mut self, urls: &[String], comments: bool) {
        let end = self.line_end;
        let mut text = String::new();
        if let Some(recipe) = recipes().find(|recipe| comments && recipe.name == "sitemap") {
            let _ = write!(text, "# {}{end}", recipe.title);
        }
        let known = &mut self.groups.sitemaps;
        let count = known.len();
        for url in urls {
            if !known.contains(url) {
                known.push(url.clone());
                let _ = write!(text, "Sitemap: {url}{end}");
            }
        }
        if known.len() > count {
            self.append(text.as_bytes());
        }
    }

    /// Appends text after a blank line.
    fn append(&mut self, text: &[u8]) {
        if !self.groups.body.is_empty() || !self.appended.is_empty() {
            self.appended.extend_from_slice(self.line_end.as_bytes());
        }
        self.appended.extend_from_slice(text);
    }

    /// Returns the file with the texts that were added.
    pub(super) fn text(mut self) -> Vec<u8> {
        let body = self.groups.body;
        // If the last group has no rules, a new group would join it.
        let last = self.groups.list.last().filter(|group| group.is_open());
        if let Some(last) = last.filter(|_| self.has_new_group) {
            if self.inserted.iter().all(|(at, _)| *at != last.end) {
                let nothing = ["Disallow:", self.line_end].concat();
                self.inserted.push((last.end, nothing.into_bytes()));
            }
        }
        self.inserted.sort_by_key(|(at, _)| *at);
        if !self.appended.is_empty() {
            self.inserted.push((body.len(), self.appended));
        }
        let mut text = Vec::new();
        let mut done = 0;
        for (at, inserted) in &self.inserted {
            text.extend_from_slice(body.get(done..*at).unwrap_or_default());
            if !matches!(text.last(), None | Some(b'\n' | b'\r')) {
                text.extend_from_slice(self.line_end.as_bytes());
            }
            text.extend_from_slice(inserted);
            done = *at;
        }
        text.extend_from_slice(body.get(done..).unwrap_or_default());
        text
    }
}

/// Describes a file that would not become a robots.txt if rules were appended; `None` for any other file.
fn other_than_rules(body: &[u8]) -> Fallible<Option<&'static str>> {
    let kind = FileKind::detect(body);
    if !kind.may_hold_rules() {
        return Ok(Some(kind.description()));
    }
    if memchr::memchr(0, body).is_some() {
        return Ok(Some("text with NUL bytes"));
    }
    let report = outline(&Crawler::without_token(), body)?;
    let is_other = |kind| matches!(kind, LineKind::Unknown | LineKind::NotUnderstood);
    let has_other = report.lines().any(|line| is_other(line.kind));
    let is_understood = report.lines().any(|line| line.kind.is_understood());
    Ok((has_other && !is_understood).then_some("text that crawlers do not understand"))
}

/// Returns whether some rule for the whole site has the effect `allows`.
fn has_site_rule<'r>(rules: impl IntoIterator<Item = &'r RecipeRule>, allows: bool) -> bool {
    let mut rules = rules.into_iter();
    rules.any(|rule| rule.is_for_the_site() && rule.allows == allows)
}

/// Refuses rules of several recipes that contradict each other for one crawler.
fn refuse_contradictions(agent: &str, rules: &[RecipeRule]) -> Fallible<()> {
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
            let [inner, outer] = [only, rule].map(|rule| String::from_utf8_lossy(&rule.path));
            return fault(format!(
                "the recipes let {whom} fetch {inner}, and keep it out of {outer}: remove one of them, or use allow for an exception"
            ));
        }
    }
    Ok(())
}
