//! The fuzz targets: for each a function of any bytes that panics when something does not hold.

pub mod cache;
pub mod canonical;
pub mod check;
pub mod explain;
pub mod extensions;
pub mod fetch;
pub mod format;
pub mod image;
pub mod input;
pub mod lint;
pub mod page_controls;

/// A name, and what is done with an input.
pub type Target = (&'static str, fn(&[u8]));

/// All but the one of the C API (`abi`), which is C.
pub const TARGETS: &[Target] = &[
    ("cache", cache::run),
    ("canonical", canonical::run),
    ("check", check::run),
    ("explain", explain::run),
    ("extensions", extensions::run),
    ("fetch", fetch::run),
    ("format", format::run),
    ("image", image::run),
    ("lint", lint::run),
    ("page_controls", page_controls::run),
];
