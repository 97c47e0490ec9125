//! What other programs read: JSON as `bindings/cli/schema/*.json` promises, and SARIF.

use std::collections::BTreeSet;
use std::path::Path;

use robots::{Crawler, Dialect};
use serde_json::Value;

use crate::filter::Folder;
use crate::{printed, schema, shell};

/// Commands whose output has many kinds of lines, or lines that no session shows: exit status, number of lines, command.
const LINES: &str = r#"
0 56 robots crawlers --json
1 48 robots check --json policy.txt /a
2 14 printf '/cart/\xff\n/"\\\t\001\n/\xe3\x83\x84\nno url\n/robots.txt\n/oolong\n/reports\n' | robots check -a ExampleBot --json shop.txt -f faulty.txt
0 1 robots check -a ExampleBot --json --ignore-star /dev/null /oolong
0 2 robots where --json https://a.example/robots.txt a.example:8080/x
1 8 robots test --json shop.expect shop-new.txt
0 3 robots groups --json untidy.txt
0 0 robots groups --json /dev/null
0 1 printf 'user-agent: a\ndisallow: /\xff\n' | robots groups --json -
1 6 robots diff --json shop.txt shop-new.txt
2 0 robots diff --json shop.txt shop-new.txt nourl
1 17 robots lint --json faulty.txt untidy.txt shop.txt
1 1 printf '<html>' | robots lint --json -
1 1 printf '\xff\xfeU\0' | robots lint --json -
1 4 robots explain -a ExampleBot --json shop.txt https://tea.example/catalogue/2024.pdf /cart/ /oolong /robots.txt
0 9 for d in rfc9309 google koster1996; do for f in shop.txt untidy.txt /dev/null; do robots explain -a NewsBot -d $d --json $f /; done; done
0 1 robots explain -a ExampleBot --json --header 'X-Robots-Tag: examplebot: max-snippet: 20, noai' --header 'Content-Usage: train-ai=n, search=y, x=?1'
3 1 robots explain -a ExampleBot --json --live --page --any-address http://127.0.0.1:1/ /page 2> /dev/null
0 58 robots policy --json policy.txt
1 5 robots audit --json -r shop.txt --ranges googlebot.json access.log
0 10 robots policy --json policy-uses.txt /art/1 /open/1
1 10 robots use -a ExampleBot --json policy-uses.txt /art/1 /open/1
1 2 robots use -a ExampleBot --purpose search --receipts policy-uses.txt https://tea.example/ | robots replay --json --files shop.txt -
0 1 robots image make -a ExampleBot shop.txt -o - | robots image inspect --json -
3 1 robots fetch --json --any-address http://127.0.0.1:1/
"#;

#[test]
fn lines_are_what_their_schemas_say() {
    let mut seen = BTreeSet::new();
    for row in LINES.lines().skip(1) {
        let mut words = row.splitn(3, ' ');
        let [status, count, command] = [(); 3].map(|()| words.next().unwrap());
        if command.contains("127.0.0.1") && !cfg!(feature = "live") {
            continue;
        }
        let output = shell(command);
        let text = String::from_utf8(output.stdout).unwrap();
        let found = (output.status.code(), text.lines().count());
        let wanted = (status.parse().ok(), count.parse().unwrap());
        assert_eq!(found, wanted, "{command}: {text}");
        assert!(text.lines().all(|line| line.starts_with('{')), "{text}");
        seen.extend(schema::check_lines(command, &text).unwrap());
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema");
    let files = std::fs::read_dir(folder).unwrap().count();
    assert!(seen.len() == files || !cfg!(feature = "live"), "{seen:?}");
}

/// Each agent of a file obeys exactly the rules that `groups` reports (SPEC 6, 7).
#[test]
fn groups_tells_what_crawlers_obey() {
    let folder = Folder::new("groups");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
    let mut decided = 0;
    for case in crate::cases::read_folder(&data) {
        let body = String::from_utf8_lossy(&case.body);
        let is_here = case.rows.iter().any(|row| row.starts_with(['6', '7']));
        if !is_here || body.contains(['\r', '\u{fffd}', '\u{feff}']) || body.len() > 10_000 {
            continue;
        }
        folder.write("robots.txt", &*body);
        for dialect in Dialect::ALL {
            let name = format!("{dialect:?}").to_lowercase();
            let (_, out, _) = folder.run(&format!("robots groups --json -d {name} robots.txt"));
            let columns = out.lines().map(|line| serde_json::from_str(line).unwrap());
            for column in columns.filter(|column: &Value| column.get("agents").is_some()) {
                let rules = column["rules"].as_array().unwrap();
                for agent in column["agents"].as_array().unwrap() {
                    let agent = match agent["name"].as_str().unwrap() {
                        "*" => "NobodyNamesThis",
                        named => named,
                    };
                    let crawler = Crawler::new(agent).and_then(|it| it.with_dialect(dialect));
                    let Ok(compiled) = crawler.map(|it| it.parse(&*body)) else {
                        continue;
                    };
                    for rule in rules.iter().filter(|rule| rule["field"] != "crawl-delay") {
                        let url = rule["value"].as_str().unwrap();
                        if url.starts_with('/') && !url.contains(['*', '$', '%']) {
                            // This rule or another one of the agent decides this URL.
                            let line = compiled.check(url).line();
                            let is_its = rules.iter().any(|rule| rule["line"] == line);
                            assert!(
                                is_its || url == "/robots.txt",
                                "{agent}, {name}: line {line} decides {url}\n{body}"
                            );
                            decided += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(decided > 200, "only {decided} URLs were decided");
}

/// What SARIF 2.1.0 requires of a log, of its rules and of its results (sections 3.13 to 3.30 of that standard).
#[test]
fn lint_prints_sarif() {
    let log = |command: &str, status| -> Value {
        let log: Value = serde_json::from_str(&printed(command, status)).unwrap();
        assert_eq!(
            (&log["version"], log["runs"].as_array().unwrap().len()),
            (&"2.1.0".into(), 1)
        );
        assert!(log["$schema"].as_str().unwrap().contains("sarif-2.1.0"));
        log["runs"][0].clone()
    };
    let run = log(
        "robots lint --format sarif faulty.txt untidy.txt ../files/shop.txt",
        1,
    );
    let driver = &run["tool"]["driver"];
    let page = driver["informationUri"].as_str().unwrap();
    assert!(driver["name"] == "robots" && page.starts_with("https://"));
    let rules = driver["rules"].as_array().unwrap();
    let page = include_str!("../../lint.md");
    assert_eq!(rules.len(), robots::Code::ALL.len());
    for rule in rules {
        let text = rule["shortDescription"]["text"].as_str().unwrap();
        let id = rule["id"].as_str().unwrap();
        let help = rule["helpUri"].as_str().unwrap();
        let (address, anchor) = help.split_once('#').unwrap();
        assert!(address.ends_with("/bindings/cli/lint.md"), "{help}");
        assert!(
            page.contains(&format!("<a id=\"{anchor}\"></a>{id}: ")),
            "{help}"
        );
        let setting = &rule["defaultConfiguration"];
        let level = setting["level"].as_str().unwrap();
        assert!(
            !text.is_empty()
                && id.starts_with('R')
                && ["note", "warning", "error"].contains(&level),
            "{rule}"
        );
        assert_eq!(
            setting["enabled"],
            !["R056", "R087", "R091"].contains(&id),
            "{rule}"
        );
    }
    let results = run["results"].as_array().unwrap();
    let mut uris = BTreeSet::new();
    for result in results {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(
            (&rule["id"], &rule["defaultConfiguration"]["level"]),
            (&result["ruleId"], &result["level"])
        );
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().unwrap();
        uris.insert(uri.rsplit('/').next().unwrap());
        let number = |name: &str| place["region"][name].as_u64();
        assert!(
            !uri.contains("..")
                && number("startLine") >= Some(1)
                && number("endColumn") >= number("startColumn")
        );
    }
    assert_eq!(
        Vec::from_iter(uris),
        ["faulty.txt", "shop.txt", "untidy.txt"]
    );
    let fixed = results
        .iter()
        .find(|result| result["ruleId"] == "R022")
        .unwrap();
    let change = &fixed["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(change["insertedContent"]["text"], "Disallow");
    // A path is a URI there, and columns count characters.
    let run = log(
        "printf 'User-agent: *\\nD\\xc3\\xa9: /\\nDisallow: \\xe3\\x83\\x84/\\n' > \"$TMPDIR/a b.txt\" && robots lint --format sarif \"$TMPDIR/a b.txt\"",
        1,
    );
    let mut results = run["results"].as_array().unwrap().iter();
    let place = &results.find(|result| result["ruleId"] == "R050").unwrap()["locations"][0]["physicalLocation"];
    let uri = place["artifactLocation"]["uri"].as_str().unwrap();
    assert!(
        uri.starts_with("file:///") && uri.ends_with("/a%20b.txt"),
        "{uri}"
    );
    assert_eq!(
        (
            &place["region"]["startColumn"],
            &place["region"]["endColumn"]
        ),
        (&11.into(), &13.into())
    );
    // Nothing wrong is a log, too.
    let run = log(
        "printf 'User-agent: *\\nDisallow: /a\\n' | robots lint --format sarif -",
        0,
    );
    assert_eq!(run["results"], Value::Array(Vec::new()));
}

/// The words of the reasons are those of `tests/data/api.json`.
#[test]
fn reasons_have_the_words_of_the_c_api() {
    let api: Value = serde_json::from_str(include_str!("../../../../tests/data/api.json")).unwrap();
    let check: Value = serde_json::from_str(include_str!("../../schema/check.json")).unwrap();
    let mut enums = api["enums"].as_array().unwrap().iter();
    let reasons = enums.find(|one| one["c"] == "robots_reason").unwrap();
    for reason in reasons["values"].as_array().unwrap() {
        let number = reason["number"].as_u64().unwrap() as usize;
        let word = &check["properties"]["reason"]["enum"][number];
        assert_eq!(word, &reason["name"], "schema/check.json, reason {number}");
    }
}
