//! `robots lint --fix` against `robots diff`: no fix that the command applies changes a verdict.
//!
//! ```text
//! ROBOTS_CORPUS=<folder of robots.txt files> cargo test --release -p librobots-cli fixes -- --nocapture
//! ```

use crate::{files, program};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the files of these tests, without their folders.
fn files_of_tests() -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(files()).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
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
    // A file with NUL bytes is no text.
    let is_refused = |line: &str| line.contains("stays as it is: it is a file with NUL bytes");
    assert!(out.is_empty() && err.lines().all(is_refused), "{out}{err}");
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
            let is_cut = status == Some(2) && err.contains("too many crawlers");
            assert!(
                status == Some(0) && out.contains(": proved; ")
                    || is_cut && out.starts_with("no change was found, and "),
                "{name:?} in {dialect}: {status:?}\n{out}{err}"
            );
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
    changed
}

/// The bad files of the gallery, and a sample of real files, or generated ones of their shape. RFC 9309 and Google count as one dialect.
#[test]
fn no_fix_changes_a_verdict() {
    let mut bad = files_of_tests();
    let gallery = crate::gallery::bodies().into_iter();
    bad.extend(gallery.map(|(title, body)| (format!("{title}.gallery"), body)));
    let examples = robots::Code::ALL.iter();
    bad.extend(examples.map(|code| (format!("{code}.example"), code.example().to_vec())));
    let mut real = crate::corpus::sample(200);
    for (index, (name, _)) in real.iter_mut().enumerate() {
        *name = index.to_string();
    }
    for (dialect, others, least) in [
        ("rfc9309", &["rfc9309", "google"][..], 40),
        ("koster1996", &["koster1996"], 20),
    ] {
        for (all, least) in [(&bad, least), (&real, 1)] {
            let changed = fix_and_compare(all, dialect, others);
            println!("{dialect}: {changed} of {} files are fixed", all.len());
            assert!(changed > least, "only {changed} files were fixed");
        }
    }
}
