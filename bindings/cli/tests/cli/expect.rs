//! `robots test`: recorded expectations hold for their file, and a changed file fails exactly where a verdict changes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use robots::{Crawler, Preset, Rules};
use serde_json::Value;

use crate::filter::Folder;

/// The most bytes of a file: each mutation is one run.
const MOST_BYTES: usize = 20_000;

/// How many files, and how many mutations of each.
const COUNT: usize = 20;

type Source = (String, String, Vec<String>);

/// Returns some of the files, evenly chosen, each with twenty mutations.
fn sources(files: Vec<(String, Vec<u8>)>, count: usize) -> impl Iterator<Item = Source> {
    let read = |(name, body): (String, Vec<u8>)| {
        if body.len() > MOST_BYTES {
            return None;
        }
        let body = String::from_utf8(body).ok()?;
        let mutations = mutations(&body);
        (mutations.len() == COUNT).then_some((name, body, mutations))
    };
    let all: Vec<_> = files.into_iter().filter_map(read).collect();
    assert!(all.len() >= count, "{} files with rules", all.len());
    (0..count).map(move |index| all[index * all.len() / count].clone())
}

/// How a line is changed; `None`: this line is not. Of the ten ways two change no verdict.
fn changed(way: usize, line: &str) -> Option<String> {
    let (field, value) = line.split_once(':')?;
    let (field, value) = (field.trim().to_ascii_lowercase(), value.trim());
    let is_rule = matches!(&*field, "allow" | "disallow") && !value.is_empty();
    let is_agent = field == "user-agent";
    let other = if field == "allow" {
        "Disallow"
    } else {
        "Allow"
    };
    Some(match way {
        0 if is_rule => String::new(),
        1 if is_rule => format!("{other}: {value}"),
        2 if is_rule => "Disallow: /".to_owned(),
        3 if is_agent => "User-agent: SomeoneElse".to_owned(),
        4 if is_agent => format!("{line}\nDisallow: /"),
        5 => format!("# {line}"),
        6 if is_rule => format!("{field}: {value}x"),
        7 if is_rule && value.len() > 1 => format!("{field}: {}", &value[..1]),
        // The same to every reader.
        8 if is_rule => format!("{}:\t{value}  # the same", field.to_uppercase()),
        9 if is_rule => format!("{line}\n{line}"),
        _ => return None,
    })
}

/// Returns twenty mutations of a file, of each way about as many, or fewer if the file has too few lines.
fn mutations(body: &str) -> Vec<String> {
    let lines: Vec<&str> = body.lines().collect();
    let of_way = |way| {
        let at = |index: usize| Some((index, changed(way, lines[index])?));
        (0..lines.len()).filter_map(at).collect::<Vec<_>>()
    };
    let ways: Vec<Vec<(usize, String)>> = (0..10).map(of_way).collect();
    let mut all = Vec::new();
    for round in 0..COUNT.min(lines.len()) {
        for places in &ways {
            // From both ends, so that each group is met.
            let place = match round % 2 {
                0 => Some(round / 2),
                _ => places.len().checked_sub(1 + round / 2),
            };
            let Some((index, line)) = place.and_then(|place| places.get(place)) else {
                continue;
            };
            let mut lines = lines.clone();
            lines[*index] = line;
            let mutation = lines.join("\n") + "\n";
            if all.len() < COUNT && mutation != body && !all.contains(&mutation) {
                all.push(mutation);
            }
        }
    }
    all
}

/// A file as the library reads it.
struct Read<'b> {
    body: &'b str,
    rules: BTreeMap<String, Rules>,
}

impl<'b> Read<'b> {
    fn of(body: &'b str) -> Read<'b> {
        let rules = BTreeMap::new();
        Read { body, rules }
    }

    fn allows(&mut self, agent: &str, url: &str) -> bool {
        let rules = self.rules.entry(agent.to_owned()).or_insert_with(|| {
            let crawler = match agent {
                "*" => Crawler::without_token(),
                name => Preset::find(name).map_or_else(
                    || Crawler::new(name).unwrap(),
                    |preset| preset.crawler().unwrap(),
                ),
            };
            crawler.parse(self.body)
        });
        rules.is_allowed(url)
    }

    /// Returns what the library says on the subject of an expectation.
    fn answer(&mut self, claim: &str) -> bool {
        let words: Vec<&str> = claim.split_whitespace().collect();
        match *words {
            [agent, "allow" | "deny", url] => self.allows(agent, url),
            ["sitemap", url] => {
                let rules = Crawler::without_token().parse(self.body);
                rules.sitemaps().any(|found| found == url.as_bytes())
            }
            ["no", "errors"] => {
                let report = robots::lint(&Crawler::without_token(), self.body).unwrap();
                report.total(robots::Severity::Error) == 0
            }
            _ => panic!("{claim}"),
        }
    }
}

/// The library, not the command, says which verdicts a mutation changes: an expectation fails if and only if the answers before
/// and after differ. Half of the files are ours, the others real ones, or generated ones of their shape.
#[test]
fn recorded_expectations_fail_where_an_answer_changes() {
    let work = Folder::new("expect-recorded");
    let (mut runs, mut failing, mut expectations) = (0, 0, 0);
    let files = sources(crate::gallery::bodies(), COUNT / 2)
        .chain(sources(crate::corpus::files(200), COUNT / 2));
    for (name, body, mutations) in files {
        work.write("robots.txt", &body);
        let (status, record, _) =
            work.run("robots test --record robots.txt 2>/dev/null | tee expect");
        assert_eq!(status, 0, "{name}");
        let (status, out, _) = work.run("robots test expect robots.txt 2>/dev/null");
        assert_eq!(status, 0, "{name}: {out}");
        let mut before = Read::of(&body);
        for changed in &mutations {
            work.write("changed.txt", changed);
            let (status, out, _) = work.run("robots test --json expect changed.txt 2>/dev/null");
            let mut after = Read::of(changed);
            let rows: Vec<Value> = out
                .lines()
                .map(|row| serde_json::from_str(row).unwrap())
                .collect();
            assert_eq!(rows.len(), record.lines().count(), "{name}");
            let mut failures = 0;
            for (claim, row) in record.lines().zip(&rows) {
                let is_same = before.answer(claim) == after.answer(claim);
                assert_eq!(row["passed"], is_same, "{name}: {row}\n{changed}");
                failures += u32::from(!is_same);
                expectations += 1;
            }
            assert_eq!(status, i32::from(failures > 0), "{name}");
            failing += u32::from(failures > 0);
            runs += 1;
        }
    }
    println!("{runs} mutations, {failing} of them fail; {expectations} expectations");
    assert_eq!(runs, COUNT * COUNT);
    // The others change no verdict: an expectation that always fails would pass the test above if all changed one.
    assert!((100..350).contains(&failing), "{failing}");
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
