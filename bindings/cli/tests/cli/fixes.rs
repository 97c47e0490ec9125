//! `robots lint --fix` against `robots diff`: no fix that the command applies changes a verdict.
//!
//! ```text
//! ROBOTS_CORPUS=<folder of robots.txt files> cargo test --release -p librobots-cli fixes -- --nocapture
//! ```

use crate::{files, program};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the files of folders.
fn all_of(folders: &[PathBuf]) -> Vec<(String, Vec<u8>)> {
    let entries = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    let read = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read(path).unwrap())
    };
    paths.iter().map(read).collect()
}

/// Fixes all files in a folder and compares each that changed with what it was. Returns how many changed.
fn fix_and_compare(all: &[(String, Vec<u8>)], dialect: &str, others: &[&str]) -> usize {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("robots-fix-{dialect}"));
    let (old, new) = (folder.join("old"), folder.join("new"));
    for folder in [&old, &new] {
        std::fs::create_dir_all(folder).unwrap();
        for (name, body) in all {
            std::fs::write(folder.join(name).with_extension("robots.txt"), body).unwrap();
        }
    }
    let run = |arguments: &[&str], paths: &[&Path]| {
        let mut command = Command::new(program());
        let output = command.args(arguments).args(paths).output().unwrap();
        let [out, err] =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (output.status.code(), out, err)
    };
    let fix = [
        "lint",
        "--fix",
        "-q",
        "--select",
        "R",
        "--config",
        "/dev/null",
    ];
    let (_, out, err) = run(&[&fix[..], &["-d", dialect]].concat(), &[&new]);
    assert_eq!((&*out, &*err), ("", ""));
    let mut changed = 0;
    for (name, body) in all {
        let name = Path::new(name).with_extension("robots.txt");
        if std::fs::read(new.join(&name)).unwrap() == *body {
            continue;
        }
        changed += 1;
        for dialect in others {
            let (status, out, err) = run(
                &["diff", "-d", dialect],
                &[&old.join(&name), &new.join(&name)],
            );
            // A file that names very many crawlers is compared for the first of them.
            let is_cut = status == Some(2) && err.contains("too large to compare");
            assert!(
                out.starts_with("0 of ") && (status == Some(0) || is_cut),
                "{name:?} in {dialect}: {status:?}\n{out}{err}"
            );
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
    changed
}

/// The bad files of the gallery, and real files if there are any. RFC 9309 and Google count as one dialect.
#[test]
fn no_fix_changes_a_verdict() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut bad = all_of(&[files(), root.join("tests/golden/lint")]);
    bad.retain(|(name, _)| name.ends_with(".txt"));
    bad.extend(
        robots::Code::ALL
            .iter()
            .map(|code| (format!("{code}.example.txt"), code.example().to_vec())),
    );
    let changed = fix_and_compare(&bad, "rfc9309", &["rfc9309", "google"]);
    assert!(changed > 40, "only {changed} files were fixed");
    let changed = fix_and_compare(&bad, "koster1996", &["koster1996"]);
    assert!(changed > 20, "only {changed} files were fixed");
    let Some(path) = std::env::var_os("ROBOTS_CORPUS") else {
        println!("real files are skipped: set ROBOTS_CORPUS to a folder of robots.txt files");
        return;
    };
    let mut real = all_of(&[path.into()]);
    for (index, (name, _)) in real.iter_mut().enumerate() {
        *name = format!("{index}.txt");
    }
    for (dialect, others) in [
        ("rfc9309", &["rfc9309", "google"][..]),
        ("koster1996", &["koster1996"]),
    ] {
        let changed = fix_and_compare(&real, dialect, others);
        println!(
            "{dialect}: {changed} of {} real files are fixed, no verdict changes",
            real.len()
        );
    }
}
