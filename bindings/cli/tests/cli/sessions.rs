//! Recorded sessions: `$ COMMAND`, its output, its standard error with `! ` before each line, and `[exit N]` unless N is 0.
//!
//! Each line of `--json` is checked against its schema. `UPDATE_SESSIONS=1 cargo test -p librobots-cli sessions` records them again.

use std::fmt::Write as _;
use std::path::Path;

fn output_of(folder: &Path, command: &str) -> String {
    let output = crate::shell_in(folder, command);
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    if let Err(fault) = crate::schema::check_lines(command, &text) {
        panic!("{command}: {fault}");
    }
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

/// Runs a session and returns it with the current output. A blank line comes before each command but the first.
fn replay(folder: &Path, session: &str) -> String {
    let mut text = String::new();
    for line in session.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            if !text.is_empty() && !text.ends_with("\n\n") {
                text.push('\n');
            }
            write!(text, "$ {command}\n{}", output_of(folder, command)).unwrap();
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
fn sessions_match_their_recordings() {
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
        let now = replay(&crate::files(), &session);
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
    assert!(
        faults.is_empty(),
        "{faults}if these are right, `UPDATE_SESSIONS=1 cargo test -p librobots-cli sessions` records them"
    );
    assert!(commands > 40, "only {commands} commands");
}

/// The console blocks of README.md, run in its folder, without `[exit N]`.
#[test]
fn the_readme_shows_real_output() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let mut written = readme.clone();
    let mut blocks = 0;
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let now = replay(&root, block);
        let now = now.split("[exit").next().unwrap();
        written = written.replace(block, now);
        blocks += 1;
    }
    assert!(blocks >= 1);
    if std::env::var_os("UPDATE_SESSIONS").is_some() {
        std::fs::write(root.join("README.md"), written).unwrap();
    } else {
        assert!(written == readme, "UPDATE_SESSIONS=1 updates README.md");
    }
}
