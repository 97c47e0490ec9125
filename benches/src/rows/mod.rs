//! The rows: which work, who does it, what a pass is.

mod cache;
mod corpus;
mod field;
mod image;
mod large;
mod memory;
mod threads;

pub use cache::{CHILD, child};
pub use corpus::decide;
pub use field::Field;

/// Does the work of all wanted rows and prints them.
pub fn run(field: &Field<'_>) {
    corpus::run(field);
    image::run(field);
    large::run(field);
    threads::run(field);
    memory::run(field);
    cache::run(field);
}

/// All rows, in the order of the table.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> = CORPUS.iter().map(|name| (*name).to_owned()).collect();
    names.extend(large::names());
    names.extend(LAST.iter().map(|name| (*name).to_owned()));
    names.extend(cache::names());
    names
}

const CORPUS: &[&str] = &[
    "parse",
    "parse-decide",
    "one-shot",
    "parse-decide-20",
    "decide",
    "batch",
    "image-check",
    "decide-path",
    "image-bytes",
    "image-load",
];

const LAST: &[&str] = &[
    "threads",
    "allocs-parse",
    "kept-blocks",
    "kept-bytes",
    "allocs-decide",
];
