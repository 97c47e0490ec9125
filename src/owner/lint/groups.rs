//! Finds the groups of a file, in flat lists, and the groups that each crawler obeys.

use core::cmp::Ordering;
use core::ops::Range;

use super::lines::{File, LineKind};
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::bytes::try_alloc::{push, reserved};
use crate::crawler::token::Name;

/// A user-agent line. `start` and `len` are the range of its name in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Agent {
    pub(super) line: u32,
    pub(super) start: u32,
    pub(super) len: u32,
    /// Index of the first agent with this name.
    pub(super) first: u32,
    /// Whether several agents have this name.
    pub(super) repeated: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct RuleLine {
    pub(super) line: u32,
    pub(super) allow: bool,
    pub(super) has_path: bool,
}

/// A run of user-agent lines and the rules after it (SPEC 6.1).
#[derive(Clone, Copy, Debug)]
pub(super) struct FileGroup<'g> {
    /// Index of the group's first agent.
    pub(super) first_agent: usize,
    pub(super) agents: &'g [Agent],
    pub(super) rules: &'g [RuleLine],
    pub(super) delays: &'g [u32],
    /// Lines among the user-agent lines, except user-agent lines, comments and blank lines.
    pub(super) interruptions: &'g [u32],
    pub(super) has_extension: bool,
}

impl<'g> FileGroup<'g> {
    pub(super) fn has_lines(self) -> bool {
        !self.rules.is_empty() || !self.delays.is_empty() || self.has_extension
    }

    /// Returns the user-agent lines before and after a line.
    pub(super) fn agents_around(self, line: u32) -> (&'g [Agent], &'g [Agent]) {
        let at = self.agents.partition_point(|agent| agent.line < line);
        self.agents.split_at_checked(at).unwrap_or_default()
    }
}

/// The start of a group's parts in the lists of [`Groups`]. The parts end where the parts of the next group start.
#[derive(Clone, Copy, Debug)]
struct Start {
    /// Start indexes of the agents, rules, delays and interruptions.
    parts: [u32; 4],
    has_extension: bool,
}

/// The groups of a file. The lists are flat, because a hostile file has a group for every 18 bytes.
#[derive(Debug, Default)]
pub(super) struct Groups {
    starts: Vec<Start>,
    pub(super) agents: Vec<Agent>,
    pub(super) rules: Vec<RuleLine>,
    pub(super) delays: Vec<u32>,
    pub(super) interruptions: Vec<u32>,
    /// Indexes of the agents with a name, sorted by name and then by line.
    pub(super) by_name: Vec<u32>,
}

/// A name, and the groups that the crawler of this name obeys: `start..end` of [`Classes::groups`].
#[derive(Clone, Copy, Debug)]
struct Class {
    first_agent: u32,
    start: u32,
    end: u32,
    /// Whether the crawler's name is only the part of the agent's name before the first digit or dot.
    is_shorter: bool,
}

/// The names of a file, sorted by the groups that their crawlers obey.
pub(super) struct Classes {
    classes: Vec<Class>,
    groups: Vec<u32>,
}

impl Classes {
    /// Iterates over the groups that each crawler obeys, in sorted order.
    pub(super) fn obeyed(&self) -> impl Iterator<Item = &[u32]> {
        self.classes.iter().map(|class| self.groups_of(class))
    }

    /// Iterates over pairs, sorted by groups: the first agent of a name, and the groups that the crawler of this name obeys.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &[u32])> {
        let classes = self.classes.iter().filter(|class| !class.is_shorter);
        classes.map(|class| (class.first_agent as usize, self.groups_of(class)))
    }

    fn groups_of(&self, class: &Class) -> &[u32] {
        let groups = self.groups.get(class.start as usize..class.end as usize);
        groups.unwrap_or_default()
    }
}

impl Groups {
    pub(super) fn new(file: &File) -> Result<Groups, Error> {
        let mut groups = Groups::reserved(file)?;
        // Lines since the last user-agent line. If the group has a further user-agent line, these lines interrupt the run.
        let mut since = Vec::new();
        let mut has_rule = true;
        for line in file.lines() {
            let (number, kind) = (line.number, line.kind);
            match kind {
                LineKind::UserAgent => {
                    if line.group > groups.count() {
                        let start = Start {
                            parts: groups.end(),
                            has_extension: false,
                        };
                        push(&mut groups.starts, start)?;
                        since.clear();
                        has_rule = false;
                    }
                    for other in since.drain(..) {
                        push(&mut groups.interruptions, other)?;
                    }
                    let name = file.span(name_of(line.value, file.dialect));
                    let agent = Agent {
                        line: number,
                        start: name.start as u32,
                        len: name.len() as u32,
                        first: groups.agents.len() as u32,
                        repeated: false,
                    };
                    push(&mut groups.agents, agent)?;
                }
                LineKind::Allow | LineKind::Disallow => {
                    has_rule = true;
                    if line.group > 0 {
                        let rule = RuleLine {
                            line: number,
                            allow: kind == LineKind::Allow,
                            has_path: !line.value.is_empty(),
                        };
                        push(&mut groups.rules, rule)?;
                    }
                }
                LineKind::CrawlDelay if line.group > 0 => {
                    push(&mut groups.delays, number)?;
                    push(&mut since, number)?;
                }
                LineKind::Extension if line.group > 0 => {
                    if let Some(start) = groups.starts.last_mut() {
                        start.has_extension = true;
                    }
                    push(&mut since, number)?;
                }
                LineKind::Sitemap | LineKind::Unknown if !has_rule => push(&mut since, number)?,
                _ => {}
            }
        }
        groups.sort_names(file)?;
        Ok(groups)
    }

    /// Returns empty lists with enough memory for the agents and rules of the file.
    fn reserved(file: &File) -> Result<Groups, Error> {
        let (mut agents, mut rules) = (0, 0);
        for kept in &file.kept {
            match kept.kind() {
                LineKind::UserAgent => agents += 1,
                LineKind::Allow | LineKind::Disallow => rules += 1,
                _ => {}
            }
        }
        Ok(Groups {
            agents: reserved(agents)?,
            rules: reserved(rules)?,
            starts: reserved(agents.min(rules + 1))?,
            ..Groups::default()
        })
    }

    /// Returns where the parts of a new group start.
    fn end(&self) -> [u32; 4] {
        let (delays, interruptions) = (self.delays.len(), self.interruptions.len());
        [self.agents.len(), self.rules.len(), delays, interruptions].map(|len| len as u32)
    }

    /// Sets `by_name`, and `first` and `repeated` of each agent.
    fn sort_names(&mut self, file: &File) -> Result<(), Error> {
        let named = (0..).zip(&self.agents).filter(|(_, agent)| agent.len > 0);
        let mut by_name: Vec<u32> = reserved(named.clone().count())?;
        by_name.extend(named.map(|(at, _)| at));
        let name = |at: u32| self.name(file, at as usize);
        by_name.sort_unstable_by(|a, b| by_lower_case(name(*a), name(*b)).then(a.cmp(b)));
        let mut firsts: Vec<(u32, u32)> = Vec::new();
        for same in by_name.chunk_by(|a, b| name(*a).eq_ignore_ascii_case(name(*b))) {
            let [first, others @ ..] = same else {
                continue;
            };
            for other in others {
                push(&mut firsts, (*other, *first))?;
            }
        }
        for (other, first) in firsts {
            for at in [first, other] {
                if let Some(agent) = self.agents.get_mut(at as usize) {
                    agent.first = first;
                    agent.repeated = true;
                }
            }
        }
        self.by_name = by_name;
        Ok(())
    }

    pub(super) fn count(&self) -> u32 {
        self.starts.len() as u32
    }

    pub(super) fn get(&self, at: usize) -> Option<FileGroup<'_>> {
        let start = self.starts.get(at)?;
        let next = self.starts.get(at + 1);
        let end = next.map_or_else(|| self.end(), |next| next.parts);
        let [agents, rules, delays, interruptions] = start.parts;
        let [end_agents, end_rules, end_delays, end_interruptions] = end;
        Some(FileGroup {
            first_agent: agents as usize,
            agents: part(&self.agents, agents, end_agents),
            rules: part(&self.rules, rules, end_rules),
            delays: part(&self.delays, delays, end_delays),
            interruptions: part(&self.interruptions, interruptions, end_interruptions),
            has_extension: start.has_extension,
        })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = FileGroup<'_>> + Clone {
        (0..self.starts.len()).filter_map(|at| self.get(at))
    }

    pub(super) fn of(&self, groups: &[u32]) -> impl Iterator<Item = FileGroup<'_>> {
        groups.iter().filter_map(|at| self.get(*at as usize))
    }

    pub(super) fn rules_of(&self, groups: &[u32]) -> impl Iterator<Item = &RuleLine> {
        self.of(groups).flat_map(|group| group.rules)
    }

    /// Returns the name of the agent with this index, as written.
    pub(super) fn name<'f>(&self, file: &'f File, agent: usize) -> &'f [u8] {
        let agent = self.agents.get(agent);
        agent.map_or(b"", |agent| written(file, agent))
    }

    /// Returns the names of the file with the groups that their crawlers obey (SPEC 6.4, 7.3, 7.8). `merges`: whether a crawler
    /// obeys every group that names it, and not only the first.
    pub(super) fn classes(&self, file: &File, merges: bool) -> Result<Classes, Error> {
        let mut groups: Vec<u32> = reserved(self.by_name.len())?;
        let first_of = |at: u32| self.agents.get(at as usize).map(|agent| agent.first);
        let names = || self.by_name.chunk_by(|a, b| first_of(*a) == first_of(*b));
        let mut classes: Vec<Class> = reserved(names().count())?;
        let mut at = 0;
        for same in names() {
            let (start, end) = (at, at + same.len());
            at = end;
            let Some(first) = same.first() else {
                continue;
            };
            let name = self.name(file, *first as usize);
            let short = name_in_google(name);
            let short = short.filter(|_| file.dialect == Dialect::Rfc9309 && name != b"*");
            let (wider, is_shorter) = match short {
                None if file.dialect == Dialect::Rfc9309 => (self.wider(file, name), false),
                None | Some([]) => (end..end, false),
                // A crawler with the shorter name also obeys this line.
                Some(short) => {
                    let wider = self.wider(file, short);
                    let before = wider.start.checked_sub(1);
                    let before = before.and_then(|at| self.by_name.get(at));
                    let is_listed = before.is_some_and(|at| {
                        let name = self.name(file, *at as usize);
                        name.eq_ignore_ascii_case(short)
                    });
                    (wider.clone(), wider.start == start && !is_listed)
                }
            };
            let wider = self.by_name.get(wider).unwrap_or_default();
            let own = if short.is_some() { &[] } else { wider };
            let mut add = |agents, is_shorter| {
                let class = self.class(&mut groups, agents, merges, is_shorter)?;
                push(&mut classes, class)
            };
            add([same, own], false)?;
            if is_shorter {
                add([wider, &[]], true)?;
            }
        }
        let list = |class: &Class| groups.get(class.start as usize..class.end as usize);
        // Classes with equal lists stay in the order of the names, because their starts are in the same order.
        classes.sort_unstable_by(|a, b| (list(a), a.start).cmp(&(list(b), b.start)));
        Ok(Classes { classes, groups })
    }

    /// Returns the range of [`Groups::by_name`] with the names that begin with `token` and then a digit or a dot. A crawler
    /// called `token` obeys the groups of these names, too.
    fn wider(&self, file: &File, token: &[u8]) -> Range<usize> {
        let bound = |end: u8| {
            self.by_name.partition_point(|at| {
                let name = self.name(file, *at as usize);
                let name = name.iter().map(u8::to_ascii_lowercase);
                let token = token.iter().map(u8::to_ascii_lowercase);
                name.lt(token.chain([end]))
            })
        };
        bound(b'.')..bound(b'9' + 1)
    }

    /// Returns the class of the crawler that the agents in two lists name. Appends the groups that the crawler obeys to
    /// `groups`.
    fn class(
        &self,
        groups: &mut Vec<u32>,
        agents: [&[u32]; 2],
        merges: bool,
        is_shorter: bool,
    ) -> Result<Class, Error> {
        let first = agents.into_iter().flatten().next();
        let start = groups.len();
        for agent in agents.into_iter().flatten() {
            let is_before = |start: &Start| start.parts[0] <= *agent;
            let group = self.starts.partition_point(is_before) as u32 - 1;
            let known = groups.get(start..).unwrap_or_default();
            if known.last() != Some(&group) && (merges || known.is_empty()) {
                push(groups, group)?;
            }
        }
        sort_tail(groups, start);
        Ok(Class {
            first_agent: first.copied().unwrap_or_default(),
            start: start as u32,
            end: groups.len() as u32,
            is_shorter,
        })
    }
}

fn part<T>(list: &[T], start: u32, end: u32) -> &[T] {
    list.get(start as usize..end as usize).unwrap_or_default()
}

/// Sorts the items from `start` on, and removes duplicates among them.
fn sort_tail(list: &mut Vec<u32>, start: usize) {
    let tail = list.get_mut(start..).unwrap_or_default();
    if tail.is_sorted() {
        return;
    }
    tail.sort_unstable();
    let mut at = 0;
    let mut last = None;
    list.retain(|item| {
        at += 1;
        at <= start || last.replace(*item) != Some(*item)
    });
}

fn by_lower_case(a: &[u8], b: &[u8]) -> Ordering {
    let [a, b] = [a, b].map(|name| name.iter().map(u8::to_ascii_lowercase));
    a.cmp(b)
}

/// Returns the name of an agent as written.
pub(super) fn written<'f>(file: &'f File, agent: &Agent) -> &'f [u8] {
    let (start, len) = (agent.start as usize, agent.len as usize);
    file.body.get(start..start + len).unwrap_or_default()
}

/// Returns the part of a name before its first digit or dot: Google reads only this part. Returns `None` if Google reads the
/// whole name.
pub(super) fn name_in_google(name: &[u8]) -> Option<&[u8]> {
    let is_end = |byte: &u8| !Dialect::Google.is_token_byte(*byte);
    name.get(..name.iter().position(is_end)?)
}

/// Returns the name on a user-agent line as written; `*` if the line names every crawler, empty if the line names none.
pub(super) fn name_of(value: &[u8], dialect: Dialect) -> &[u8] {
    match Name::parse(value, dialect) {
        // The value begins with the `*`.
        Name::Everyone => value.get(..1).unwrap_or(b"*"),
        Name::Token(token) => token,
    }
}
