//! Tools for people and tables, outside the hot path: explanations of verdicts, lint, layout, recipes, captures.

pub(crate) mod captures;
pub(crate) mod explain;
pub(crate) mod format;
pub(crate) mod lint;
pub(crate) mod probes;
pub(crate) mod recipes;
