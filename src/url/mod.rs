//! URLs: the path that rules match, its canonical form, the form to send, and the origin that a robots.txt governs.

pub(crate) mod canonical;
pub(crate) mod origin;
pub(crate) mod path;
pub(crate) mod reading;
pub(crate) mod scan;
pub(crate) mod send;
pub(crate) mod target;
