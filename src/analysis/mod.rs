//! Output for people, outside the hot path: explanations of verdicts, lint, and canonical layout.

pub(crate) mod explain;
pub(crate) mod format;
pub(crate) mod lint;
pub(crate) mod probes;
pub(crate) mod recipes;
