//! Tools for site owners and for tables, outside the hot path: explain, difference, format, lint, recipes, probes, captures,
//! and advice about names and verdicts.

pub(crate) mod captures;
pub(crate) mod difference;
pub(crate) mod explain;
pub(crate) mod format;
pub(crate) mod lint;
pub(crate) mod names;
pub(crate) mod probes;
pub(crate) mod recipes;
pub(crate) mod verdict_advice;
