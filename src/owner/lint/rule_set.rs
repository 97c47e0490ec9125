//! The rules of a file, for the checks of conflicts and redundancy.

use super::groups::{Groups, RuleLine};
use super::lines::File;
use super::paths::{INDEX, is_everything, is_path};
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::limits::GOOGLE_LINE;
use crate::base::rule::RulePath;
use crate::bytes::try_alloc::reserved;
use crate::core::rules::single_rule::canonical;

const _: () = assert!(3 * GOOGLE_LINE <= u16::MAX as usize);

/// A rule whose path can match, and its effect for all crawlers that obey it. Small, because a hostile file has a rule for
/// every eight bytes.
#[derive(Default)]
pub(super) struct Rule {
    pub(super) line: u32,
    /// Start offset of its path in [`RuleSet::paths`]. A path is at most three times as long as a line that Google reads.
    start: u32,
    pub(super) len: u16,
    /// Line of a rule that always wins against it; 0 for none.
    pub(super) beaten_by: u32,
    /// Line of a more general rule with the same effect, or [`ALLOWED_ANYWAY`], or [`NOT_REDUNDANT`].
    pub(super) redundant_to: u32,
    /// Line of a rule of its group with the other effect and an invalid path; 0 for none. If that path is corrected, this
    /// rule may decide.
    pub(super) waits_for: u32,
    pub(super) allow: bool,
    /// Whether some crawler obeys it.
    pub(super) obeyed: bool,
    /// Whether it may win for some crawler.
    pub(super) wins: bool,
    /// Whether it changes a verdict for some crawler.
    pub(super) matters: bool,
    /// Whether some rule of its group is not reported. Otherwise its removal could leave a group without rules, which joins the
    /// next one (SPEC 6.1).
    pub(super) group_stays: bool,
    /// Whether a `*` that matches nothing more changes a verdict by its length.
    pub(super) star_matters: bool,
}

impl Rule {
    /// Returns whether the rule is reported because it decides nothing. `value`: its path.
    pub(super) fn is_reported(&self, value: &[u8]) -> bool {
        // Many files state by `Allow: /` that everything is allowed.
        let is_beaten = !self.wins && self.beaten_by > 0;
        let is_statement =
            is_everything(value) && !is_beaten && self.redundant_to == ALLOWED_ANYWAY;
        self.obeyed && !self.matters && !is_statement
    }

    /// Returns the advice to remove the rule.
    pub(super) fn removal(&self) -> &'static str {
        if self.group_stays {
            "remove the rule"
        } else {
            "write `Disallow:` in its place: the group must keep a rule"
        }
    }
}

/// In place of a line: an allow of paths that no rule disallows.
pub(super) const ALLOWED_ANYWAY: u32 = 0;
/// In place of a line: the rule is not redundant.
pub(super) const NOT_REDUNDANT: u32 = u32::MAX;

pub(super) struct RuleSet<'a> {
    pub(super) file: &'a File,
    pub(super) rules: Vec<Rule>,
    /// Canonical paths of all rules.
    paths: Vec<u8>,
}

/// The index of the first rule of each group, and of the rule after its last.
pub(super) type Members = Vec<[u32; 2]>;

impl<'a> RuleSet<'a> {
    /// Returns the rules of all groups, and the range of each group.
    pub(super) fn new(file: &'a File, groups: &Groups) -> Result<(RuleSet<'a>, Members), Error> {
        let value_of = |rule: &RuleLine| {
            let line = file.line(rule.line)?;
            // Other paths never match (SPEC 8.5), and Google would cut longer lines.
            let is_read =
                is_path(line.value) && line.value.len() + b"Disallow: ".len() < GOOGLE_LINE;
            is_read.then_some(line.value)
        };
        let (mut count, mut len) = (0, 0);
        let lines = groups.iter().flat_map(|group| group.rules);
        for value in lines.filter_map(value_of) {
            count += 1;
            len += canonical(value, file.dialect)?.len();
        }
        let mut set = RuleSet {
            file,
            rules: reserved(count)?,
            paths: reserved(len)?,
        };
        let mut members = reserved(groups.count() as usize)?;
        for group in groups.iter() {
            let start = set.rules.len() as u32;
            let [disallow, allow] = [false, true].map(|allow| {
                let mut lines = group.rules.iter().filter(|rule| rule.allow == allow);
                let is_wrong = |rule: &&RuleLine| {
                    let value = file.value(rule.line);
                    !value.is_empty() && !is_path(value)
                };
                lines.find(is_wrong).map_or(0, |rule| rule.line)
            });
            for line in group.rules {
                let Some(value) = value_of(line) else {
                    continue;
                };
                let path = canonical(value, file.dialect)?;
                set.rules.push(Rule {
                    line: line.line,
                    start: set.paths.len() as u32,
                    len: path.len() as u16,
                    redundant_to: NOT_REDUNDANT,
                    waits_for: if line.allow { disallow } else { allow },
                    allow: line.allow,
                    ..Rule::default()
                });
                set.paths.extend_from_slice(&path);
            }
            members.push([start, set.rules.len() as u32]);
        }
        Ok((set, members))
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.file.dialect
    }

    pub(super) fn get(&self, at: u32) -> Option<&Rule> {
        self.rules.get(at as usize)
    }

    /// Returns the rules with these indexes.
    pub(super) fn of<'s>(&'s self, set: &'s [u32]) -> impl Iterator<Item = &'s Rule> + Clone {
        set.iter().filter_map(|at| self.get(*at))
    }

    /// Returns the rule at a place of a set.
    pub(super) fn at(&self, set: &[u32], place: u32) -> Option<&Rule> {
        self.get(*set.get(place as usize)?)
    }

    pub(super) fn path(&self, rule: &Rule) -> RulePath<'_> {
        let start = rule.start as usize;
        let path = self.paths.get(start..start + rule.len as usize);
        RulePath::split(path.unwrap_or_default(), self.file.dialect)
    }

    /// Returns the path on a line as written.
    pub(super) fn value(&self, line: u32) -> &'a [u8] {
        self.file.value(line)
    }

    /// Returns whether the rule also matches a directory (SPEC 8.10).
    pub(super) fn stands_for_more(&self, rule: &Rule) -> bool {
        self.file.dialect.index_stands_for_directory()
            && rule.allow
            && memchr::memmem::find(self.value(rule.line), INDEX).is_some()
    }

    pub(super) fn on_line(&self, line: u32) -> Option<&Rule> {
        let at = self.rules.binary_search_by_key(&line, |rule| rule.line);
        self.rules.get(at.ok()?)
    }
}
