//! For people, and cold: why a verdict is what it is, what is wrong with a file, and the file in canonical layout.

pub(crate) mod explain;
pub(crate) mod format;
pub(crate) mod lint;
