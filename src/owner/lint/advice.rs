//! Gives advice from Google's guide about rules whose effect often surprises site owners.

use super::codes::Code;
use super::diagnostic::{Checked, Findings, quoted, quoted_all};
use super::groups;
use super::lines::{File, LineKind, LineParts};
use crate::bytes::try_alloc::push;
use crate::crawler::preset::Preset;

/// Upper bound on the rules, and on the names, that a check examines.
const MOST: usize = 10_000;

pub(super) fn check_advice(file: &File, findings: &mut Findings) -> Checked {
    for line in file.lines_of(LineKind::UserAgent).take(MOST) {
        ignoring(file, line, findings);
    }
    for line in file.lines().filter(LineParts::is_rule).take(MOST) {
        private(file, line, findings);
    }
    folders(file, findings)
}

/// Reports a group for a crawler that ignores the file.
fn ignoring(file: &File, line: LineParts<'_>, findings: &mut Findings) {
    let name = groups::name_of(line.value, file.dialect);
    if Preset::find(name).is_some_and(|preset| preset.ignores_robots_txt()) {
        findings
            .add(Code::IgnoresTheFile, file.place(line.number, line.value))
            .say(format_args!(
                "{} ignores the robots.txt, says its operator",
                quoted(name)
            ))
            .help("remove it; to keep such requests out, block them in the server");
    }
}

/// Words in the paths of private pages.
const PRIVATE: &str = "admin administrator backup backups bak confidential credentials dump env git hidden internal intranet \
    passwd password passwords phpmyadmin private secret secrets sql staging";

/// Reports a path that seems to be private.
fn private(file: &File, line: LineParts<'_>, findings: &mut Findings) {
    let mut words = line.value.split(|byte| !byte.is_ascii_alphanumeric());
    let is_private = |word: &[u8]| {
        let mut known = PRIVATE.split(' ');
        known.any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
    };
    if line.kind == LineKind::Disallow && words.any(is_private) {
        findings
            .add(Code::PrivatePath, file.place(line.number, line.value))
            .say(format_args!(
                "everybody can read {} here: a robots.txt hides nothing",
                quoted(line.value)
            ))
            .help("protect it with a password if it is private, and remove the rule");
    }
}

/// Reports a path such as `/a` if a rule such as `/a/b` shows that `/a` is a folder. Without a final `/`, the path also matches
/// `/ab`.
fn folders(file: &File, findings: &mut Findings) -> Checked {
    let mut paths: Vec<&[u8]> = Vec::new();
    for line in file.lines().filter(LineParts::is_rule).take(MOST) {
        push(&mut paths, line.value)?;
    }
    paths.sort_unstable();
    let is_in_folder = |folder: &[u8]| {
        // In sorted order, the paths that begin with `folder` and a `/` are adjacent.
        let order = |path: &&[u8]| {
            let (start, rest) = path.split_at(folder.len().min(path.len()));
            (start, rest.first().copied().unwrap_or(0)) < (folder, b'/')
        };
        let first = paths.get(paths.partition_point(order));
        let rest = first.and_then(|path| path.strip_prefix(folder));
        rest.is_some_and(|rest| rest.first() == Some(&b'/') && rest.len() > 1)
    };
    for line in file.lines().filter(LineParts::is_rule).take(MOST) {
        let path = line.value;
        let has_mark = path.iter().any(|byte| matches!(byte, b'*' | b'$' | b'?'));
        let may_be_folder = path.starts_with(b"/") && !path.ends_with(b"/") && !has_mark;
        if line.kind == LineKind::Disallow && may_be_folder && is_in_folder(path) {
            findings
                .add(Code::FolderWithoutSlash, file.place(line.number, path))
                .say(format_args!(
                    "{} also matches {}",
                    quoted(path),
                    quoted_all([path, b"s"])
                ))
                .help(format_args!(
                    "write {} if only the folder is meant",
                    quoted_all([path, b"/"])
                ));
        }
    }
    Ok(())
}
