//! What other programs read: JSON as `bindings/cli/schema/*.json` promises, and SARIF.

use crate::{files, printed, schema, shell};
use robots::Crawler;
use serde_json::Value;
use std::path::Path;

/// Returns the JSON lines of a command, after checking each against the schema.
fn lines(name: &str, command: &str, status: i32) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("schema/{name}.json"));
    let wanted: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let output = shell(command);
    assert_eq!(output.status.code(), Some(status), "{command}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| {
            let value: Value =
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            schema::check(&wanted, &value, name)
                .unwrap_or_else(|fault| panic!("{command}: {fault}"));
            value
        })
        .collect()
}

#[test]
fn check_prints_what_its_schema_says() {
    // Any bytes but the ends of lines, some of them twice as long as they look.
    let urls = r#"printf '/cart/\xff\n/"\\\t\001\n/\xe3\x83\x84\nno url\n/robots.txt\n/oolong\n/reports\n'"#;
    let all = lines(
        "check",
        &format!("{urls} | robots check -a ExampleBot --json shop.txt -f faulty.txt"),
        2,
    );
    assert_eq!(all.len(), 14);
    let of = |index: usize, name: &str| all[index][name].clone();
    assert_eq!(
        (of(0, "url"), of(0, "allowed"), of(0, "line")),
        ("/cart/\u{fffd}".into(), false.into(), 10.into())
    );
    assert_eq!(
        (of(2, "url"), of(4, "url")),
        ("/\"\\\t\u{1}".into(), "/ツ".into())
    );
    assert_eq!(
        (of(6, "allowed"), of(6, "reason")),
        (false.into(), "none".into())
    );
    assert!(of(6, "error").as_str().unwrap().contains("invalid URL"));
    assert_eq!(
        (of(8, "reason"), of(9, "file")),
        ("robots_txt".into(), "faulty.txt".into())
    );
    let rules = ["--ignore-star /dev/null", "shop.txt", "-d google shop.txt"];
    for rules in rules {
        assert_eq!(
            lines(
                "check",
                &format!("robots check -a ExampleBot --json {rules} /oolong"),
                0
            )
            .len(),
            1
        );
    }
}

#[test]
fn check_of_several_crawlers_prints_what_its_schema_says() {
    let all = lines("check", "robots check --json policy.txt /a", 1);
    let presets = robots::Preset::all().filter(|preset| !preset.ignores_robots_txt());
    assert_eq!(all.len(), presets.count() + 1);
    for (index, row) in all.iter().enumerate() {
        let name = row["crawler"].as_str().unwrap();
        let one = lines(
            "check",
            &format!("robots check --json -a '{name}' policy.txt /a 2>/dev/null || true"),
            0,
        );
        let same = ["allowed", "line", "reason"]
            .iter()
            .all(|of| one[0][of] == row[of]);
        assert!(same, "{row} {one:?}");
        let is_last = index + 1 == all.len();
        assert_eq!((name == "*", row["purpose"].is_null()), (is_last, is_last));
    }
    let named = lines("check", "robots check --json -a A -a B,C policy.txt /a", 0);
    let names: Vec<_> = named
        .iter()
        .map(|row| row["crawler"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["A", "B"]);
}

#[test]
fn where_and_crawlers_print_what_their_schemas_say() {
    let all = lines(
        "where",
        "robots where --json https://a.example/robots.txt a.example:8080/x",
        0,
    );
    assert_eq!(
        (&all[0]["governed_by"], &all[1]["governed_by"]),
        (&Value::Null, &"https://a.example:8080/robots.txt".into())
    );
    let all = lines("crawlers", "robots crawlers --json", 0);
    assert_eq!(all.len(), robots::Preset::all().len());
    let ads = all
        .iter()
        .find(|row| row["name"] == "AdsBot-Google")
        .unwrap();
    assert_eq!(
        (&ads["ignores_star"], &ads["dialect"]),
        (&true.into(), &"google".into())
    );
}

#[test]
fn test_prints_what_its_schema_says() {
    let all = lines("test", "robots test --json shop.expect shop-new.txt", 1);
    let failed = all.iter().filter(|row| row["passed"] == false);
    assert!(failed.clone().all(|row| row["failure"].is_string()) && failed.count() > 0);
    assert_eq!(all.len(), 8);
}

#[test]
fn groups_prints_what_its_schema_says() {
    let all = lines("groups", "robots groups --json shop.txt", 0);
    assert_eq!(all.len(), 4);
    assert_eq!(all[3]["sitemaps"][0]["line"], 19);
    assert_eq!(all[1]["agents"][1]["name"], "OtherBot");
    assert_eq!(all[1]["rules"][2]["value"], "/catalogue/*.pdf$");
    assert_eq!(
        lines("groups", "robots groups --json untidy.txt", 0).len(),
        3
    );
    assert_eq!(
        lines("groups", "robots groups --json /dev/null", 0).len(),
        0
    );
    lines(
        "groups",
        "printf 'user-agent: a\\ndisallow: /\\xff\\n' | robots groups --json -",
        0,
    );
}

/// Each agent of a file obeys exactly the rules that `groups` reports (SPEC 6, 7).
#[test]
fn groups_tells_what_crawlers_obey() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("robots-groups");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("robots.txt");
    let mut decided = 0;
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
    for section in ["section-6-groups.case", "section-7-agents.case"] {
        let text = std::fs::read_to_string(data.join(section)).unwrap();
        for case in text.split("\ncase ").skip(1) {
            let body: String = case
                .lines()
                .filter_map(|line| line.strip_prefix("| "))
                .filter(|line| !line.contains('\\'))
                .map(|line| format!("{line}\n"))
                .collect();
            std::fs::write(&path, &body).unwrap();
            for dialect in robots::Dialect::ALL {
                let name = format!("{dialect:?}").to_lowercase();
                let command = format!("robots groups --json -d {name} {}", path.display());
                let columns = lines("groups", &command, 0);
                for column in columns.iter().filter(|line| line.get("agents").is_some()) {
                    let rules = column["rules"].as_array().unwrap();
                    let rules_of_agent: Vec<u64> = rules
                        .iter()
                        .map(|rule| rule["line"].as_u64().unwrap())
                        .collect();
                    for agent in column["agents"].as_array().unwrap() {
                        let agent = match agent["name"].as_str().unwrap() {
                            "*" => "NobodyNamesThis",
                            named => named,
                        };
                        let Ok(crawler) =
                            Crawler::new(agent).and_then(|it| it.with_dialect(dialect))
                        else {
                            continue;
                        };
                        let compiled = crawler.parse(&body);
                        for rule in rules.iter().filter(|rule| rule["field"] != "crawl-delay") {
                            // This rule or another one of the agent decides this URL.
                            let url = rule["value"].as_str().unwrap();
                            if !url.starts_with('/')
                                || url.contains(['*', '$', '%'])
                                || url == "/robots.txt"
                            {
                                continue;
                            }
                            let line = u64::from(compiled.check(url).line());
                            assert!(
                                rules_of_agent.contains(&line),
                                "{agent}, {name}: {url} is decided by line {line}\n{body}"
                            );
                            decided += 1;
                        }
                    }
                }
            }
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
    assert!(decided > 200, "only {decided} URLs were decided");
}

#[test]
fn diff_prints_what_its_schema_says() {
    let all = lines("diff", "robots diff --json shop.txt shop-new.txt", 1);
    assert!(all.len() > 3);
    assert_eq!(
        lines("diff", "robots diff --json shop.txt shop.txt", 0).len(),
        0
    );
    assert_eq!(
        lines("diff", "robots diff --json shop.txt shop-new.txt nourl", 2).len(),
        0
    );
}

#[test]
fn lint_prints_what_its_schema_says() {
    let all = lines(
        "lint",
        "robots lint --json faulty.txt untidy.txt shop.txt",
        1,
    );
    assert!(
        all.iter()
            .any(|found| found["code"] == "R050" && found["line"] == 2 && found["column"] == 11)
    );
    let body = std::fs::read(files().join("faulty.txt")).unwrap();
    for found in all.iter().filter(|found| found["file"] == "faulty.txt") {
        assert!(found["end"].as_u64().unwrap() as usize <= body.len());
    }
    assert!(!lines("lint", "printf '<html>' | robots lint --json -", 1).is_empty());
    assert!(!lines("lint", "printf '\\xff\\xfeU\\0' | robots lint --json -", 1).is_empty());
}

/// What SARIF 2.1.0 requires of a log, of its rules and of its results (sections 3.13 to 3.30 of that standard).
#[test]
fn lint_prints_sarif() {
    let text = printed(
        "robots lint --format sarif faulty.txt 'untidy.txt' ../files/shop.txt",
        1,
    );
    let log: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().unwrap().contains("sarif-2.1.0"));
    let runs = log["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 1);
    let driver = &runs[0]["tool"]["driver"];
    assert_eq!(driver["name"], "robots");
    let rules = driver["rules"].as_array().unwrap();
    assert_eq!(rules.len(), robots::Code::ALL.len());
    for rule in rules {
        assert!(rule["id"].as_str().unwrap().starts_with('R'));
        assert!(
            !rule["shortDescription"]["text"]
                .as_str()
                .unwrap()
                .is_empty()
        );
        assert!(
            ["note", "warning", "error"]
                .contains(&rule["defaultConfiguration"]["level"].as_str().unwrap())
        );
        let is_on_request = ["R056", "R087", "R091"].contains(&rule["id"].as_str().unwrap());
        assert_eq!(rule["defaultConfiguration"]["enabled"], !is_on_request);
    }
    let results = runs[0]["results"].as_array().unwrap();
    let mut uris = std::collections::BTreeSet::new();
    for result in results {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert_eq!(
            rules[index]["defaultConfiguration"]["level"],
            result["level"]
        );
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        uris.insert(place["artifactLocation"]["uri"].as_str().unwrap());
        let number = |name: &str| place["region"][name].as_u64();
        assert!(number("startLine").unwrap() >= 1);
        assert!(number("endColumn") >= number("startColumn"));
    }
    for name in ["faulty.txt", "untidy.txt", "shop.txt"] {
        let is_it = |uri: &&str| uri.rsplit('/').next() == Some(name) && !uri.contains("..");
        assert!(uris.iter().any(is_it), "{uris:?}");
    }
    assert!(
        driver["informationUri"]
            .as_str()
            .unwrap()
            .starts_with("https://")
    );
    let fixed = results
        .iter()
        .find(|result| result["ruleId"] == "R022")
        .unwrap();
    let change = &fixed["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(change["insertedContent"]["text"], "Disallow");
    // A path is a URI there, and columns count characters.
    let encoded = "d=$(mktemp -d) && printf 'User-agent: *\\nD\\xc3\\xa9: /\\nDisallow: \\xe3\\x83\\x84/\\n' > \"$d/a b.txt\" && robots lint --format sarif \"$d/a b.txt\"";
    let log: Value = serde_json::from_str(&printed(encoded, 1)).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let result = results
        .iter()
        .find(|result| result["ruleId"] == "R050")
        .unwrap();
    let place = &result["locations"][0]["physicalLocation"];
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
    let log: Value = serde_json::from_str(&printed(
        "printf 'User-agent: *\\nDisallow: /a\\n' | robots lint --format sarif -",
        0,
    ))
    .unwrap();
    assert_eq!(log["runs"][0]["results"], Value::Array(Vec::new()));
}

#[test]
fn explain_prints_what_its_schema_says() {
    let line = "robots explain -a ExampleBot --json shop.txt https://tea.example/catalogue/2024.pdf /cart/ /oolong /robots.txt";
    let all = lines("explain", line, 1);
    assert_eq!(all.len(), 4);
    let rules = all[0]["rules"].as_array().unwrap();
    assert_eq!(
        (rules.len(), &rules[0]["result"], &rules[1]["result"]),
        (2, &"won".into(), &"shorter".into())
    );
    assert_eq!(all[0]["token"], "ExampleBot");
    for dialect in ["rfc9309", "google", "koster1996"] {
        for file in ["shop.txt", "untidy.txt", "/dev/null"] {
            let line = format!("robots explain -a NewsBot -d {dialect} --json {file} /");
            assert_eq!(lines("explain", &line, 0).len(), 1);
        }
    }
}

#[test]
fn explain_of_headers_prints_what_its_schema_says() {
    let line = "robots explain -a ExampleBot --json --header 'X-Robots-Tag: examplebot: max-snippet: 20, noai' --meta 'robots: unavailable_after: 2027-06-25' --header 'Content-Usage: train-ai=n, search=y, x=?1'";
    let all = lines("page", line, 0);
    let control = |name: &str| {
        let controls = all[0]["controls"].as_array().unwrap();
        controls.iter().find(|one| one["control"] == name).unwrap()
    };
    assert_eq!(all.len(), 1);
    assert_eq!(control("max_snippet")["agent"], "ExampleBot");
    assert_eq!(control("unavailable_after")["place"], "meta 1");
    assert_eq!(all[0]["unknown"][0], "noai");
    assert_eq!(all[0]["usage"].as_array().unwrap().len(), 3);
}

/// The request of --page without a site: the port has no server.
#[cfg(feature = "live")]
#[test]
fn explain_of_a_page_not_requested_prints_what_its_schema_says() {
    let line = "robots explain -a ExampleBot --json --live --page --any-address http://127.0.0.1:1/ /page 2> /dev/null";
    let all = lines("page", line, 3);
    assert_eq!(all.len(), 1);
    assert_eq!(all[0]["page"]["url"], "http://127.0.0.1:1/page");
    assert_eq!(all[0]["page"]["requested"], false);
    assert!(all[0]["controls"].is_null());
}

#[test]
fn policy_prints_what_its_schema_says() {
    let all = lines("policy", "robots policy --json policy.txt", 0);
    let (file, crawlers) = all.split_last().unwrap();
    assert_eq!(crawlers.len(), robots::Preset::all().count());
    let of = |name: &str| {
        let mut rows = crawlers.iter();
        rows.find(|row| row["crawler"] == name).unwrap()
    };
    assert_eq!(
        (&of("GPTBot")["verdict"], &of("GPTBot")["own_group"]),
        (&"blocked".into(), &true.into())
    );
    assert_eq!(of("Google-Extended")["control_token"], true);
    assert_eq!(file["line_count"], 2);
    assert_eq!(file["lines"][1]["agents"][0], "PerplexityBot");
    // Before the first group it concerns every crawler; of a hostile file only the first lines and names are listed.
    let one = "printf 'License: https://tea.example/l\\nUser-agent: a\\n' | robots policy --json -";
    let all = lines("policy", one, 0);
    let use_line = &all.last().unwrap()["lines"][0];
    assert_eq!(
        (&use_line["field"], &use_line["agent_count"]),
        (&"license".into(), &0.into())
    );
    // A policy token is listed if a group names it (SPEC 9.8).
    let token = "printf 'User-agent: *\\nDisallow:\\n\\nUser-agent: __usage_ai-training\\nDisallow: /\\n' | robots policy --json -";
    let all = lines("policy", token, 0);
    let row = &all[all.len() - 2];
    assert_eq!(
        (&row["purpose"], &row["crawler"], &row["verdict"]),
        (
            &"policy token".into(),
            &"__usage_ai-training".into(),
            &"blocked".into()
        )
    );
    let many = "(seq 3000 | sed 's/.*/user-agent: &x/;s/[0-9]/b/g;s/x$/y/'; seq 5000 | sed 's/^/user-agent: a/'; yes license: x | head -9000) | robots policy --json -";
    let all = lines("policy", many, 0);
    let file = all.last().unwrap();
    assert_eq!(
        (&file["line_count"], file["lines"].as_array().unwrap().len()),
        (&9000.into(), 1000)
    );
    assert_eq!(file["lines"][0]["agents"].as_array().unwrap().len(), 20);
}

#[test]
fn policy_of_urls_prints_what_its_schema_says() {
    let all = lines(
        "policy",
        "robots policy --json policy-uses.txt /art/1 /open/1",
        0,
    );
    assert_eq!(all.len(), 8);
    let training = &all[2];
    assert_eq!(
        (&training["url"], &training["purpose"]),
        (&"/art/1".into(), &"training".into())
    );
    let of = |entries: &Value, name: &str| {
        let mut entries = entries.as_array().unwrap().clone();
        entries.retain(|entry| {
            let mut names = entry["crawlers"].as_array().unwrap().iter();
            names.any(|one| one == name)
        });
        let says = |entry: &Value| (entry["says"].clone(), entry["line"].clone());
        entries.iter().map(says).collect::<Vec<_>>()
    };
    let (no, disallowed) = (Value::from("no"), Value::from("disallowed"));
    assert_eq!(
        of(&training["verdicts"], "GPTBot"),
        [(disallowed.clone(), 10.into())]
    );
    // It may not fetch the URL, so that no preference says anything to it.
    assert_eq!(of(&training["preferences"], "GPTBot"), []);
    assert_eq!(
        of(&training["preferences"], "CCBot"),
        [(no.clone(), 3.into()), (no, 2.into())]
    );
    assert_eq!(
        of(&training["policy_tokens"], "__usage_ai-training"),
        [(disallowed, 18.into())]
    );
    assert_eq!(training["contradictions"].as_array().unwrap().len(), 3);
    assert_eq!(
        of(&all[1]["licenses"], "PerplexityBot"),
        [("license".into(), 14.into())]
    );
    assert_eq!(all[0]["contradictions"], Value::Array(Vec::new()));
    // The two vocabularies differ.
    let words = all[6]["contradictions"].to_string();
    assert!(
        words.contains("line 2 says no, but line 4 says yes"),
        "{words}"
    );
}

#[test]
fn image_inspect_prints_what_its_schema_says() {
    for (file, delay) in [
        ("faulty.txt", Value::Null),
        ("shop.txt", Value::Null),
        ("-", 2.5.into()),
    ] {
        let body = "printf 'sitemap: \\xff\\nuser-agent: *\\ncrawl-delay: 2.5\\n'";
        let line = format!(
            "d=$(mktemp -d) && {body} | robots image make -a ExampleBot {file} -o $d/i && robots image inspect --json $d/i; rm -r $d"
        );
        let all = lines("image", &line, 0);
        assert_eq!((all.len(), &all[0]["crawl_delay"]), (1, &delay), "{file}");
    }
}

/// A response and a port without a server.
#[cfg(feature = "live")]
#[test]
fn fetch_prints_what_its_schema_says() {
    use std::io::{Read, Write};
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    let answer = std::thread::spawn(move || {
        let (mut stream, _) = server.accept().unwrap();
        let mut request = [0; 2048];
        let length = stream.read(&mut request).unwrap();
        let body = "user-agent: *\ndisallow: /x\n";
        let head = format!(
            "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        stream.write_all((head + body).as_bytes()).unwrap();
        String::from_utf8_lossy(&request[..length]).into_owned()
    });
    let fetch = "robots fetch --json --any-address --timeout 20";
    let all = lines("fetch", &format!("{fetch} http://127.0.0.1:{port}/page"), 0);
    assert!(
        answer
            .join()
            .unwrap()
            .starts_with("GET /robots.txt HTTP/1.1\r\n")
    );
    assert_eq!(
        (&all[0]["outcome"], &all[0]["body_length"], &all[0]["etag"]),
        (&"rules".into(), &27.into(), &"\"1\"".into())
    );
    let all = lines("fetch", &format!("{fetch} http://127.0.0.1:1/"), 3);
    assert_eq!(
        (&all[0]["outcome"], &all[0]["cause"], &all[0]["status"]),
        (&"unreachable".into(), &"connect".into(), &0.into())
    );
}

/// The words of the reasons are those of `tests/data/api.json`, and the command prints each where the library decides so.
#[test]
fn reasons_have_the_words_of_the_c_api() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(here.join(path)).unwrap();
    let api: Value = serde_json::from_str(&read("../../tests/data/api.json")).unwrap();
    let check: Value = serde_json::from_str(&read("schema/check.json")).unwrap();
    let mut enums = api["enums"].as_array().unwrap().iter();
    let reasons = enums.find(|one| one["c"] == "robots_reason").unwrap();
    for reason in reasons["values"].as_array().unwrap() {
        let number = reason["number"].as_u64().unwrap() as usize;
        let word = &check["properties"]["reason"]["enum"][number];
        assert_eq!(word, &reason["name"], "schema/check.json, reason {number}");
    }
    for (word, path, status) in [
        ("rule_allowed", "/b", 0),
        ("rule_disallowed", "/a", 1),
        ("no_rule", "/c", 0),
        ("robots_txt", "/robots.txt", 0),
        ("no_group", "/c", 0),
    ] {
        let agent = if word == "no_group" { "Nobody" } else { "*" };
        let body = format!("User-agent: {agent}\\nAllow: /b\\nDisallow: /a\\n");
        let command = format!("printf '{body}' | robots check -a ExampleBot --json - {path}");
        let json = &lines("check", &command, status)[0];
        assert_eq!(
            json["reason"], word,
            "the library has another number for {word}"
        );
    }
}
