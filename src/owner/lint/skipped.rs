//! Finds lines that crawlers skip, although the lines are probably misspelt fields. After a skipped line is corrected, a rule
//! that is now needless may be needed. So the line must be corrected before the rule is removed.

use super::fields::skipped_field;
use super::lines::File;
use crate::base::error::Error;
use crate::bytes::try_alloc::push;
use crate::core::parse::directive::Field;

/// Line numbers, 0 for none: the first skipped user-agent line of the file, and the first skipped allow line and disallow line
/// in some groups.
#[derive(Clone, Copy, Default)]
pub(super) struct FirstSkipped {
    agent: u32,
    disallow: u32,
    allow: u32,
}

impl FirstSkipped {
    /// Returns the line to correct before a rule is removed; 0 for none. `allow`: the effect of the rule. `never_decides`:
    /// whether the rule decides no path.
    pub(super) fn before(self, allow: bool, never_decides: bool) -> u32 {
        match (self.agent, never_decides, allow) {
            // A skipped allow or disallow line matters only if it has the opposite effect.
            (0, false, true) => self.disallow,
            (0, false, false) => self.allow,
            (agent, ..) => agent,
        }
    }

    fn add(&mut self, other: FirstSkipped) {
        for (line, other) in [
            (&mut self.disallow, other.disallow),
            (&mut self.allow, other.allow),
        ] {
            if *line == 0 {
                *line = other;
            }
        }
    }
}

/// The groups that have skipped lines, by index. A skipped user-agent line may belong to any group, so it counts for every
/// group.
pub(super) struct SkippedLines {
    agent: u32,
    groups: Vec<(u32, FirstSkipped)>,
}

impl SkippedLines {
    pub(super) fn read(file: &File) -> Result<SkippedLines, Error> {
        let mut agent = 0;
        let mut groups: Vec<(u32, FirstSkipped)> = Vec::new();
        for line in file.lines() {
            let Some(field) = skipped_field(line) else {
                continue;
            };
            let mut first = FirstSkipped::default();
            match field {
                Field::UserAgent if agent == 0 => agent = line.number,
                Field::Disallow => first.disallow = line.number,
                Field::Allow => first.allow = line.number,
                _ => continue,
            }
            let Some(group) = line.group.checked_sub(1) else {
                continue;
            };
            match groups.last_mut().filter(|(last, _)| *last == group) {
                Some((_, known)) => known.add(first),
                None => push(&mut groups, (group, first))?,
            }
        }
        Ok(SkippedLines { agent, groups })
    }

    /// Returns the first skipped lines of some groups, which are given by index.
    pub(super) fn first_in(&self, groups: &[u32]) -> FirstSkipped {
        let mut first = FirstSkipped {
            agent: self.agent,
            ..FirstSkipped::default()
        };
        for group in groups {
            let at = self.groups.binary_search_by_key(group, |(group, _)| *group);
            if let Some((_, own)) = at.ok().and_then(|at| self.groups.get(at)) {
                first.add(*own);
            }
        }
        first
    }
}
