//! Matches single rules against one URL, for explanations and preferences. Its work is as bounded as that of a decision:
//! the canonical path is made once, and all rules share one search.

use crate::dialect::Dialect;
use crate::error::Error;
use crate::image::pattern::{CanonicalPath, Pattern, Tail};
use crate::matcher::PieceSearch;
use crate::parser::group::without_end;
use crate::rule::{Priority, RuleRef};
use crate::url::canonical::{Canonical, Form, Side};
use crate::url::plain;
use crate::url::target::Target;
use crate::util::try_alloc::collect;

/// The bytes of a canonical path on the stack.
const BUFFER: usize = 512;

/// Matches single rules with one path.
pub(crate) struct SingleRules<'p> {
    dialect: Dialect,
    path: &'p [u8],
    search: PieceSearch<'p>,
    /// The canonical path of the rule that is tried.
    rule: Vec<u8>,
}

impl<'p> SingleRules<'p> {
    /// `path`: from [`canonical_url`].
    pub(crate) fn new(path: &'p [u8], dialect: Dialect) -> SingleRules<'p> {
        SingleRules {
            dialect,
            path,
            search: PieceSearch::new(path),
            rule: Vec::new(),
        }
    }

    /// Returns whether the rule with this path matches. No rule matches the robots.txt itself where that is
    /// always allowed (SPEC 8.9). An empty path matches where its line may be reported (SPEC 8.8).
    pub(crate) fn matches(&mut self, path: &[u8]) -> Result<bool, Error> {
        if path.is_empty() {
            return Ok(self.dialect.reports_empty_rules());
        }
        self.with_canonical(path, |rules, path| {
            rules.is_match(&Pattern::new(path, RuleRef::NONE))
        })
    }

    /// The priority of a rule that matches, if it is above `above`; that of its directory where only this matches
    /// (SPEC 8.10). `path`: not empty.
    pub(crate) fn matches_above(
        &mut self,
        path: &[u8],
        rule: RuleRef,
        above: Priority,
    ) -> Result<Option<Priority>, Error> {
        self.with_canonical(path, |rules, path| {
            let dialect = rules.dialect;
            let mut try_path = |path| {
                let pattern = Pattern::new(path, rule);
                let priority = pattern.priority(dialect);
                (priority > above && rules.is_match(&pattern)).then_some(priority)
            };
            try_path(path).or_else(|| {
                let directory = path.directory_of_index(dialect);
                directory.filter(|_| rule.allow()).and_then(try_path)
            })
        })
    }

    /// Returns whether an allow rule also allows its directory, which is the URL (SPEC 8.10).
    pub(crate) fn matches_directory(&mut self, path: &[u8]) -> Result<bool, Error> {
        if !self.dialect.index_stands_for_directory() {
            return Ok(false);
        }
        self.with_canonical(path, |rules, path| {
            let directory = path.directory_of_index(rules.dialect);
            directory.is_some_and(|path| rules.is_match(&Pattern::new(path, RuleRef::NONE)))
        })
    }

    /// Calls `work` with the canonical path of a rule. Few are not canonical, and few of those are long.
    #[inline]
    fn with_canonical<R>(
        &mut self,
        path: &[u8],
        work: impl FnOnce(&mut Self, CanonicalPath<'_>) -> R,
    ) -> Result<R, Error> {
        let (path, is_anchored) = without_end(path, self.dialect);
        if plain::rule_path(path, path).is_plain {
            let path = CanonicalPath::new(path, is_anchored, self.dialect);
            return Ok(work(self, path));
        }
        self.with_other(path, is_anchored, work)
    }

    /// The same for a path that is not canonical.
    #[inline(never)]
    fn with_other<R>(
        &mut self,
        path: &[u8],
        is_anchored: bool,
        work: impl FnOnce(&mut Self, CanonicalPath<'_>) -> R,
    ) -> Result<R, Error> {
        let canonical = Canonical::new(Form::new(self.dialect, Side::Rule), path);
        let mut buffer = [0; BUFFER];
        if let Some(len) = canonical.fill(&mut buffer) {
            let short = buffer.get(..len).unwrap_or_default();
            let path = CanonicalPath::new(short, is_anchored, self.dialect);
            return Ok(work(self, path));
        }
        let mut rule = core::mem::take(&mut self.rule);
        rule.clear();
        let room = rule.try_reserve(path.len().saturating_mul(3));
        room.map_err(|_| Error::Memory)?;
        canonical.append_to(&mut rule);
        let result = work(self, CanonicalPath::new(&rule, is_anchored, self.dialect));
        self.rule = rule;
        Ok(result)
    }

    fn is_match(&mut self, rule: &Pattern<'_>) -> bool {
        if self.path == b"/robots.txt" && self.dialect.frees_robots_txt() {
            return false;
        }
        if !rule.can_match() || !self.path.starts_with(rule.prefix()) {
            return false;
        }
        let mut at = rule.prefix().len();
        match rule.tail {
            Tail::Open => return true,
            Tail::End => return at == self.path.len(),
            Tail::Wild | Tail::WildEnd => {}
        }
        let mut pieces = rule.pieces().peekable();
        while let Some(piece) = pieces.next() {
            if rule.tail == Tail::WildEnd && pieces.peek().is_none() {
                return self.search.ends_with(at, piece);
            }
            match self.search.find(at, piece, 0) {
                Some(after) => at = after,
                None => return false,
            }
        }
        true
    }
}

/// Returns the canonical path and query of a URL.
pub(crate) fn canonical_url(url: &[u8], dialect: Dialect) -> Result<Vec<u8>, Error> {
    let target = Target::locate(url, dialect)?;
    collect(Canonical::from_url(Form::new(dialect, Side::Url), target))
}

/// Returns the canonical path of a rule, with a `$` that means the end of the URL. Its length is that of SPEC
/// 8.7.
pub(crate) fn canonical(path: &[u8], dialect: Dialect) -> Result<Vec<u8>, Error> {
    let (path, is_anchored) = without_end(path, dialect);
    let end = if is_anchored { &b"$"[..] } else { b"" };
    let form = Form::new(dialect, Side::Rule);
    let mut canonical = Vec::new();
    canonical
        .try_reserve_exact(Canonical::new(form, path).canonical_len() + end.len())
        .map_err(|_| Error::Memory)?;
    Canonical::new(form, path).append_to(&mut canonical);
    canonical.extend_from_slice(end);
    Ok(canonical)
}
