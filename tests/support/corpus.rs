//! The files of `ROBOTS_CORPUS`, or those that benchmarks generate in their place.
#![allow(dead_code)]

#[path = "../../benches/src/generated.rs"]
mod generated;
#[path = "../../benches/src/random.rs"]
mod random;

use std::path::PathBuf;

/// The most bytes of a generated file here; the largest are web pages.
const MOST_BYTES: usize = 20_000;

/// Returns the files of the folder that `ROBOTS_CORPUS` names, each with its path, in their order. Without a folder, returns
/// the first `most` generated files that are short.
pub fn files(most: usize) -> Vec<(String, Vec<u8>)> {
    let Some(folder) = std::env::var_os("ROBOTS_CORPUS") else {
        let mut files = generated::files();
        files.retain(|(_, body)| body.len() <= MOST_BYTES);
        files.truncate(most);
        return files;
    };
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    assert!(!paths.is_empty(), "{folder:?} has no files");
    let read = |path: &PathBuf| (path.display().to_string(), std::fs::read(path).unwrap());
    paths.iter().map(read).collect()
}

/// Returns at most `most` of the files, in even steps, for tests that take long with each.
pub fn sample(most: usize) -> Vec<(String, Vec<u8>)> {
    let files = files(most);
    let step = files.len().div_ceil(most);
    files.into_iter().step_by(step).collect()
}
