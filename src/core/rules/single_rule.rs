//! Matches single rules with one URL, for explanations, preferences and one-time checks. All rules share one canonical path and
//! one search, so the work has the same bound as a check.

use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::rule::{Priority, RulePath, RuleRef, without_end};
use crate::bytes::try_alloc::{append, copy};
use crate::core::check::pieces::PieceSearch;
use crate::core::image::Piece;
use crate::core::parse::directive::PathInBody;
use crate::url::canonical::{Form, Side, with_path};
use crate::url::scan;

/// The length of the longest canonical path that is on the stack, in bytes. Nearly all paths of rules are shorter.
const BUFFER: usize = 512;

/// A search that matches rules one by one.
pub(crate) struct SingleRules<'p> {
    dialect: Dialect,
    path: &'p [u8],
    pub(super) search: PieceSearch<'p>,
}

impl<'p> SingleRules<'p> {
    /// Returns a search. `path`: canonical. `scratch`: as in [`PieceSearch::new`].
    pub(crate) fn new(path: &'p [u8], dialect: Dialect, scratch: &'p mut [u8]) -> SingleRules<'p> {
        SingleRules {
            dialect,
            path,
            search: PieceSearch::new(path, scratch),
        }
    }

    /// Returns whether the rule with this path matches. An empty path matches in google, where its line may be reported (SPEC
    /// 8.8).
    pub(crate) fn matches(&mut self, path: &[u8]) -> Result<bool, Error> {
        if path.is_empty() {
            return Ok(self.dialect.reports_empty_rules());
        }
        self.with_canonical(path, path, |rules, path| Ok(rules.matches_canonical(&path)))
    }

    /// Returns whether the URL is the directory that an allow rule with this path also allows (SPEC 8.10).
    pub(crate) fn matches_directory(&mut self, path: &[u8]) -> Result<bool, Error> {
        if !self.dialect.index_stands_for_directory() {
            return Ok(false);
        }
        self.with_canonical(path, path, |rules, path| {
            let directory = path.directory_of_index(rules.dialect);
            Ok(directory.is_some_and(|path| rules.matches_canonical(&path)))
        })
    }

    /// Returns the priority of a rule if the rule matches and the priority is higher than `above`. If only the directory of an
    /// allow rule matches (SPEC 8.10), returns the priority of the directory. `path`: not empty.
    pub(crate) fn matches_above(
        &mut self,
        path: PathInBody<'_>,
        rule: RuleRef,
        above: Priority,
    ) -> Result<Option<Priority>, Error> {
        self.with_canonical(path.bytes, path.rest, |rules, path| {
            let dialect = rules.dialect;
            let directory = path.directory_of_index(dialect);
            let directory = directory.filter(|_| rule.allow());
            let mut match_of = |path: RulePath<'_>| {
                let first_match_wins = dialect.first_match_wins();
                let priority = Priority::new(rule, path.length() as u32, first_match_wins);
                (priority > above && rules.matches_canonical(&path)).then_some(priority)
            };
            Ok(match_of(path).or_else(|| match_of(directory?)))
        })
    }

    /// Calls `work` with the canonical path of a rule. Most paths are already canonical. `rest`: starts with the path.
    #[inline]
    fn with_canonical<R>(
        &mut self,
        path: &[u8],
        rest: &[u8],
        work: impl FnOnce(&mut Self, RulePath<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let (path, is_anchored) = without_end(path, self.dialect);
        let seen = scan::rule_path(path, rest);
        if seen.is_canonical {
            let prefix_len = seen.prefix_len(path, self.dialect);
            return work(self, RulePath::from_parts(path, is_anchored, prefix_len));
        }
        self.with_copy(path, is_anchored, work)
    }

    /// Does the same as [`SingleRules::with_canonical`] for a path that is not canonical.
    #[inline(never)]
    fn with_copy<R>(
        &mut self,
        path: &[u8],
        is_anchored: bool,
        work: impl FnOnce(&mut Self, RulePath<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let form = Form::new(self.dialect, Side::Rule);
        let mut buffer = [0; BUFFER];
        if let Some(len) = form.fill(path, &mut buffer) {
            let short = buffer.get(..len).unwrap_or_default();
            return work(self, RulePath::new(short, is_anchored, self.dialect));
        }
        let mut long = Vec::new();
        form.append(path, &mut long)?;
        work(self, RulePath::new(&long, is_anchored, self.dialect))
    }

    /// Returns whether a canonical rule matches. No rule matches `/robots.txt` in a dialect that always allows this path (SPEC
    /// 8.9).
    pub(crate) fn matches_canonical(&mut self, rule: &RulePath<'_>) -> bool {
        let is_free = self.path == b"/robots.txt" && self.dialect.frees_robots_txt();
        !is_free && self.matches_path(rule)
    }

    /// Returns whether the path of a canonical rule matches, even if the URL is `/robots.txt`.
    pub(crate) fn matches_path(&mut self, rule: &RulePath<'_>) -> bool {
        if !rule.can_match() {
            return false;
        }
        let mut pieces = rule.pieces().map(|bytes| Piece { bytes, rarest: 0 });
        self.search.matches(rule.prefix(), &mut pieces, rule.ends())
    }
}

pub(crate) fn canonical_url(url: &[u8], dialect: Dialect) -> Result<Vec<u8>, Error> {
    with_path(url, dialect, copy)?
}

/// Returns the canonical path of a rule, including a `$` that means the end of the URL. SPEC 8.7 compares the length of the
/// result.
pub(crate) fn canonical(path: &[u8], dialect: Dialect) -> Result<Vec<u8>, Error> {
    let (path, is_anchored) = without_end(path, dialect);
    let end = if is_anchored { &b"$"[..] } else { b"" };
    let mut canonical = Vec::new();
    Form::new(dialect, Side::Rule).append(path, &mut canonical)?;
    append(&mut canonical, end)?;
    Ok(canonical)
}
