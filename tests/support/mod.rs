//! What the tests share: the reader of the case files, the bridge between the library's types and the
//! oracle's, the generators of robots.txt files and of URLs, and what runs a
//! property on them.
#![allow(dead_code)]

pub mod bridge;
pub mod cases;
pub mod files;
pub mod page;
pub mod page_values;
pub mod paths;
pub mod runner;
pub mod urls;
pub mod words;
