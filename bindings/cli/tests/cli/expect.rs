//! `robots test`: recorded expectations hold for their file, and a changed file fails exactly where a verdict changes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use robots::{Crawler, Preset, Rules};
use serde_json::Value;

use crate::filter::Folder;

/// The most bytes of a file: each mutation is one run.
const MOST_BYTES: usize = 20_000;

/// Twenty files with rules: of `ROBOTS_CORPUS`, else those of the tests, as often as it takes.
fn sources() -> Vec<(String, Vec<u8>)> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/lint");
    let folder = match std::env::var_os("ROBOTS_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => {
            println!(
                "SKIP expect::real_files: ROBOTS_CORPUS names no folder; the files are those of the tests"
            );
            tests
        }
    };
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.retain(|path| path.is_file() && path.extension().is_none_or(|end| end != "expected"));
    paths.sort();
    let read = |path: PathBuf| (path.display().to_string(), fs::read(&path).unwrap());
    let has_rules = |(_, body): &(String, Vec<u8>)| {
        let rules = body.to_ascii_lowercase();
        let count = rules.windows(9).filter(|part| part == b"disallow:").count();
        body.len() < MOST_BYTES && count >= 2 && std::str::from_utf8(body).is_ok()
    };
    let all: Vec<_> = paths.into_iter().map(read).filter(has_rules).collect();
    let step = (all.len() / 20).max(1);
    let some: Vec<_> = all.into_iter().step_by(step).take(20).collect();
    assert_eq!(some.len(), 20);
    some
}

/// Mutations of a file: a line removed, turned around, or widened.
fn mutations(body: &str) -> Vec<String> {
    let lines: Vec<&str> = body.lines().collect();
    let with = |index: usize, line: Option<String>| {
        let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        match line {
            Some(line) => changed[index] = line,
            None => drop(changed.remove(index)),
        }
        changed.join("\n") + "\n"
    };
    let mut all = Vec::new();
    for round in 0..4 {
        for (index, line) in lines.iter().enumerate() {
            let (field, value) = line.split_once(':').unwrap_or((line, ""));
            let field = field.trim().to_ascii_lowercase();
            let value = value.trim();
            let is_rule = matches!(&*field, "allow" | "disallow");
            let other = if field == "allow" {
                "Disallow"
            } else {
                "Allow"
            };
            let changed = match (round, &*field) {
                (0, _) if is_rule => with(index, None),
                (1, _) if is_rule && !value.is_empty() => {
                    with(index, Some(format!("{other}: {value}")))
                }
                (2, _) if is_rule => with(index, Some("Disallow: /".to_owned())),
                (2, "user-agent") => with(index, Some("User-agent: SomeoneElse".to_owned())),
                (3, _) => with(index, Some(format!("# {line}"))),
                _ => continue,
            };
            all.push(changed);
        }
    }
    let step = (all.len() / 20).max(1);
    all.into_iter().step_by(step).take(20).collect()
}

fn rules(agent: &str, body: &str) -> Rules {
    let crawler = match agent {
        "*" => Crawler::without_token(),
        name => Preset::find(name).map_or_else(
            || Crawler::new(name).unwrap(),
            |preset| preset.crawler().unwrap(),
        ),
    };
    crawler.parse(body)
}

#[test]
fn recorded_expectations_fail_where_a_verdict_changes_and_only_there() {
    let folder = Folder::new("expect");
    let (mut files, mut changed_files, mut verdicts) = (0, 0, 0);
    for (name, body) in sources() {
        let body = String::from_utf8(body).unwrap();
        folder.write("robots.txt", &body);
        let (status, record, error) =
            folder.run("robots test --record robots.txt 2>/dev/null | tee expect");
        assert_eq!((status, &*error), (0, ""), "{name}");
        let (status, out, _) = folder.run("robots test expect robots.txt 2>/dev/null");
        assert_eq!(status, 0, "{name}: {out}");
        files += 1;
        let claims: BTreeMap<usize, (&str, bool, &str)> = record
            .lines()
            .enumerate()
            .filter_map(|(index, line)| {
                let words: Vec<&str> = line.split_whitespace().collect();
                match *words {
                    [agent, verdict @ ("allow" | "deny"), url] => {
                        Some((index + 1, (agent, verdict == "allow", url)))
                    }
                    _ => None,
                }
            })
            .collect();
        for changed in mutations(&body) {
            folder.write("changed.txt", &changed);
            let (status, out, _) = folder.run("robots test --json expect changed.txt 2>/dev/null");
            let mut compiled: BTreeMap<&str, Rules> = BTreeMap::new();
            let mut failures = 0;
            for row in out.lines() {
                let row: Value = serde_json::from_str(row).unwrap();
                let number = usize::try_from(row["number"].as_u64().unwrap()).unwrap();
                failures += u32::from(row["passed"] == false);
                if let Some((agent, allows, url)) = claims.get(&number) {
                    let rules = compiled
                        .entry(agent)
                        .or_insert_with(|| rules(agent, &changed));
                    // A change may take the group of a misspelt name away.
                    let why = row["failure"].as_str().unwrap_or_default();
                    let is_misspelt = why.contains("names no well-known crawler");
                    if is_misspelt {
                        let own = robots::Crawler::new(agent).unwrap().with_ignore_star(true);
                        let about = own.parse(&changed).about();
                        assert!(!about.has_group, "{name}: {row}");
                    }
                    assert_eq!(
                        row["passed"] == true,
                        rules.is_allowed(url) == *allows && !is_misspelt,
                        "{name}: {row}"
                    );
                    verdicts += 1;
                }
            }
            assert_eq!(status, i32::from(failures > 0), "{name}");
            changed_files += u32::from(failures > 0);
        }
    }
    println!("{files} files, {changed_files} mutations that fail, {verdicts} verdicts");
    assert!(changed_files > 100, "{changed_files}");
}

/// JUnit is XML, whatever a file holds, and an annotation is one line.
#[test]
fn junit_is_xml() {
    let folder = Folder::new("expect-xml");
    folder.write("robots.txt", "User-agent: *\nDisallow: /<a>&\"%0A\n");
    folder.write("expect", "* allow /<a>&\"%0A\n* allow /b\n");
    let (status, out, _) = folder.run("robots test --format junit expect robots.txt | tee out.xml && python3 -c 'import xml.dom.minidom as x; print(len(x.parse(\"out.xml\").getElementsByTagName(\"testcase\")))'");
    assert_eq!((status, out.lines().last()), (0, Some("2")), "{out}");
    let (_, out, _) = folder.run("robots test --format github expect robots.txt");
    assert!(
        out.starts_with("::error file=robots.txt,line=2::") && out.contains("%250A"),
        "{out}"
    );
    assert_eq!(out.lines().count(), 2);
}

/// On a terminal `robots new` asks for recipes, and before it writes over a file.
#[test]
fn new_asks_on_a_terminal() {
    let folder = Folder::new("new-asks");
    let ask = |answers: &str| {
        let line = format!(
            "printf '{answers}' | script -qec 'robots new --from robots.txt -o robots.txt; echo status $?' /dev/null | tr -d '\\r'"
        );
        let (_, out, _) = folder.run(&line);
        let file = folder.run("cat robots.txt").1;
        (out, file)
    };
    let before = "User-agent: *\nDisallow: /a/\n";
    folder.write("robots.txt", before);
    let (out, file) = ask("99\\n3\\ncart\\n3\\n/cart/\\n\\nn\\n");
    assert_eq!(file, before, "{out}");
    for said in [
        "give a number from 1 to 14",
        "a path starts with `/`",
        "allowed -> disallowed",
        "Write over",
        "status 1",
    ] {
        assert!(out.contains(said), "{said}: {out}");
    }
    let (out, file) = ask("3\\n/cart/\\n\\ny\\n");
    assert_eq!(file, format!("{before}Disallow: /cart/\n"), "{out}");
    assert!(out.contains("status 0"), "{out}");
}

/// The action lints and tests, and fails if one of them does; the hooks name commands that exist.
#[test]
fn the_action_and_the_hooks() {
    let action = concat!(env!("CARGO_MANIFEST_DIR"), "/action/check");
    for (file, expectations, status) in [
        ("shop-new.txt", "", 0),
        ("shop-new.txt", "shop.expect", 1),
        ("shop.txt", "shop.expect", 0),
        ("faulty.txt", "", 1),
        ("no-such-file.txt", "", 2),
    ] {
        let line = format!("ROBOTS_TXT={file} EXPECTATIONS={expectations} {action}");
        let output = crate::shell(&line);
        assert_eq!(output.status.code(), Some(status), "{line}: {output:?}");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let hooks = fs::read_to_string(root.join(".pre-commit-hooks.yaml")).unwrap();
    let entries = hooks
        .lines()
        .filter_map(|line| line.trim().strip_prefix("entry: "));
    let entries: Vec<&str> = entries.collect();
    assert_eq!(entries, ["robots lint", "robots test"]);
    for entry in entries {
        assert_eq!(
            crate::shell(&format!("{entry} --help")).status.code(),
            Some(0)
        );
    }
}
