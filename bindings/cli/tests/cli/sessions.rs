//! What a person types and sees: `$ COMMAND`, then its output, then what it says on standard error, each line of
//! that behind `! `, then `[exit N]` unless N is 0.
//!
//! `UPDATE_SESSIONS=1 cargo test -p librobots-cli sessions` writes anew what is seen.

use std::fmt::Write as _;
use std::path::Path;

fn seen(folder: &Path, command: &str) -> String {
    let output = crate::shell_in(folder, command);
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push_str("(no line end)\n");
    }
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        writeln!(text, "! {line}").unwrap();
    }
    match output.status.code() {
        Some(0) => {}
        Some(code) => writeln!(text, "[exit {code}]").unwrap(),
        None => text.push_str("[killed]\n"),
    }
    text.replace('\x1b', "␛")
}

/// The session with what is seen now. A blank line stands before each command but the first.
fn played(folder: &Path, session: &str) -> String {
    let mut text = String::new();
    for line in session.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            if !text.is_empty() && !text.ends_with("\n\n") {
                text.push('\n');
            }
            write!(text, "$ {command}\n{}", seen(folder, command)).unwrap();
        } else if line.starts_with("## ") {
            if !text.is_empty() {
                text.push('\n');
            }
            writeln!(text, "{line}").unwrap();
            text.push('\n');
        }
    }
    text
}

#[test]
fn sessions_are_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions");
    let update = std::env::var_os("UPDATE_SESSIONS").is_some();
    let mut commands = 0;
    let mut faults = String::new();
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in paths {
        let session = std::fs::read_to_string(&path).unwrap();
        commands += session.matches("\n$ ").count();
        let now = played(&crate::files(), &session);
        if update {
            std::fs::write(&path, now).unwrap();
            continue;
        }
        if now != session {
            let different = now
                .lines()
                .zip(session.lines())
                .position(|(now, then)| now != then)
                .unwrap_or_else(|| now.lines().count().min(session.lines().count()));
            writeln!(
                faults,
                "{}:{}: now it is\n{}",
                path.display(),
                different + 1,
                now.lines()
                    .skip(different)
                    .take(12)
                    .collect::<Vec<_>>()
                    .join("\n")
            )
            .unwrap();
        }
    }
    assert!(faults.is_empty(), "{faults}");
    assert!(commands > 40, "only {commands} commands");
}

/// What README.md shows, its commands run where it lies. It shows no `[exit N]`.
#[test]
fn the_readme_shows_what_is_seen() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let mut written = readme.clone();
    let mut blocks = 0;
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let now = played(&root, block);
        let now = now.split("[exit").next().unwrap();
        written = written.replace(block, now);
        blocks += 1;
    }
    assert!(blocks >= 2);
    if std::env::var_os("UPDATE_SESSIONS").is_some() {
        std::fs::write(root.join("README.md"), written).unwrap();
    } else {
        assert!(
            written == readme,
            "UPDATE_SESSIONS=1 shows what README.md should say"
        );
    }
}
