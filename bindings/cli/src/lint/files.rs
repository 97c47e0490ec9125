//! The files of `robots lint`: arguments, folders, and the comments that ignore findings.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use robots::{Code, Report};

use super::config::begins;
use crate::fault::{Fault, complain};
use crate::input;
use crate::screen::safe;

/// Returns the files that the arguments name: of a folder every file that is called robots.txt or ends in `.txt`, in all
/// folders below it, in the order of their names. Skips hidden folders and links to folders. Warns of files with a name that is
/// nearly robots.txt.
pub(crate) fn files(arguments: &[PathBuf]) -> Result<Vec<PathBuf>, Fault> {
    let mut files = Vec::new();
    for path in arguments {
        if !path.is_dir() {
            warn_of_name(path);
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        walk(path, &mut files)?;
        if files.len() == before {
            return Err(Fault::new(format!(
                "{}: no file in this folder is called robots.txt or ends in .txt",
                input::shown(path)
            )));
        }
        warn_of_place(path, files.get(before..).unwrap_or_default());
    }
    Ok(files)
}

/// Warns of a robots.txt below a folder that is probably the root of a site: the folder has a robots.txt itself, or the file is
/// the only one. Else the folders are probably those of several sites.
pub(crate) fn warn_of_place(folder: &Path, files: &[PathBuf]) {
    let is_named = |path: &&PathBuf| path.file_name().is_some_and(|name| name == "robots.txt");
    let named = files.iter().filter(is_named);
    let is_below = |path: &&PathBuf| path.parent() != Some(folder);
    let (below, own): (Vec<_>, Vec<_>) = named.partition(is_below);
    let Some(first) = below
        .first()
        .filter(|_| below.len() == 1 || !own.is_empty())
    else {
        return;
    };
    let more = match below.len() {
        1 => "this file counts only if its folder is".to_owned(),
        count => format!(
            "this file and {} more count only if their folders are",
            count - 1
        ),
    };
    complain(&format!(
        "{}: crawlers request /robots.txt at the root of a site only: {more} the root of a site",
        input::shown(first)
    ));
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Fault> {
    let fault = |error| input::cannot_read(folder, &error);
    let entries = std::fs::read_dir(folder).map_err(fault)?;
    let mut entries = entries.collect::<Result<Vec<_>, _>>().map_err(fault)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        let kind = entry.file_type().map_err(fault)?;
        if kind.is_dir() {
            if !is_hidden {
                walk(&path, files)?;
            }
        } else if path.is_file() {
            warn_of_name(&path);
            let mut end = path.extension().into_iter();
            if end.any(|end| end.eq_ignore_ascii_case("txt")) {
                files.push(path);
            }
        }
    }
    Ok(())
}

/// Warns of a file that no crawler reads, because its name is only nearly robots.txt.
pub(crate) fn warn_of_name(path: &Path) {
    if is_misnamed(path) {
        complain(&format!(
            "{}: no crawler requests a file of this name: crawlers request /robots.txt, in small letters; rename it to robots.txt",
            input::shown(path)
        ));
    }
}

/// Returns whether no crawler reads a file, because its name is only nearly robots.txt.
pub(crate) fn is_misnamed(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    is_nearly_robots_txt(&name)
}

/// Returns whether a name differs from robots.txt in case, in an `s`, or in how often and how it ends in `.txt`.
fn is_nearly_robots_txt(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let Some(rest) = lower.strip_prefix("robot") else {
        return false;
    };
    let mut ends = rest.strip_prefix('s').unwrap_or(rest).split('.');
    let is_bare = ends.next() == Some("") && ends.clone().next().is_some();
    name != "robots.txt" && is_bare && ends.all(|end| matches!(end, "txt" | "text"))
}

/// The findings that comments of a file ignore.
///
/// `# robots: ignore R056, R06` counts for its line, and for the next line if no rule or other field is before it.
/// Without codes it ignores all. `# robots: ignore-file R056` counts for the whole file.
pub(crate) struct Ignored {
    /// Prefixes of codes by line; 0: the whole file. An empty prefix stands for all codes.
    by_line: HashMap<u32, Vec<String>>,
}

impl Ignored {
    /// Warns of the first code that does not exist.
    pub(crate) fn new(report: &Report, file: &str) -> Ignored {
        let mut is_wrong = false;
        let mut by_line: HashMap<u32, Vec<String>> = HashMap::new();
        for line in report.lines() {
            let text = report.body().get(line.span.clone()).unwrap_or_default();
            let Some((is_file, codes)) = comment(text) else {
                continue;
            };
            let unknown = codes.iter().find(|prefix| !is_prefix(prefix));
            if let Some(unknown) = unknown.filter(|_| !is_wrong) {
                is_wrong = true;
                let (file, code) = (safe(file.as_bytes()), safe(unknown.as_bytes()));
                complain(&format!(
                    "{file}:{}: the comment ignores {code}, but no code begins with it; `robots lint --help` lists the codes",
                    line.number
                ));
            }
            let is_alone = text.trim_ascii_start().first() == Some(&b'#');
            let lines = match (is_file, is_alone) {
                (true, _) => [0, 0],
                (false, true) => [line.number, line.number + 1],
                (false, false) => [line.number; 2],
            };
            for line in lines {
                by_line.entry(line).or_default().extend(codes.clone());
            }
        }
        Ignored { by_line }
    }

    /// Whether a finding is ignored.
    pub(crate) fn holds(&self, code: Code, line: u32) -> bool {
        let name = code.to_string();
        let matches = |prefix: &String| prefix.is_empty() || begins(&name, prefix);
        [0, line]
            .iter()
            .filter_map(|line| self.by_line.get(line))
            .any(|list| list.iter().any(matches))
    }
}

/// Whether a code begins with a prefix; all begin with an empty one.
fn is_prefix(prefix: &str) -> bool {
    prefix.is_empty()
        || Code::ALL
            .iter()
            .any(|code| begins(&code.to_string(), prefix))
}

/// Returns the codes of a comment `# robots: ignore ...`, and whether it is for the whole file.
fn comment(line: &[u8]) -> Option<(bool, Vec<String>)> {
    let at = memchr::memchr(b'#', line)?;
    let text = line.get(at + 1..)?.trim_ascii();
    let rest = text.strip_prefix(b"robots:")?.trim_ascii_start();
    let (is_file, rest) = match rest.strip_prefix(b"ignore-file") {
        Some(rest) => (true, rest),
        None => (false, rest.strip_prefix(b"ignore")?),
    };
    if rest.first().is_some_and(|byte| !byte.is_ascii_whitespace()) {
        return None;
    }
    let codes: Vec<String> = rest
        .split(|byte| *byte == b',' || byte.is_ascii_whitespace())
        .filter(|code| !code.is_empty())
        .map(|code| String::from_utf8_lossy(code).into_owned())
        .collect();
    let all = codes.is_empty().then(String::new);
    Some((is_file, codes.into_iter().chain(all).collect()))
}
