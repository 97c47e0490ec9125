//! `robots filter` meets the cases of captures (SPEC 11), which the packages for Python and Spark read, too.

use std::fmt::Write as _;

use serde_json::Value;

use crate::filter::Folder;

fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name)?.as_str()
}

/// Returns the table of a case. A body that is lost is no cell: it is in the last column.
fn table(case: &Value) -> String {
    let mut csv = "url,date,status,target,failure,body\n".to_owned();
    for row in case["captures"].as_array().unwrap() {
        let cell = |name| text(row, name).unwrap_or_default().replace('"', "\"\"");
        let status = row.get("status").map(Value::to_string).unwrap_or_default();
        let [url, date, target, failure] = ["url", "date", "target", "failure"].map(cell);
        write!(csv, "\"{url}\",{date},{status},\"{target}\",{failure}").unwrap();
        match text(row, "body") {
            Some(_) => writeln!(csv, ",\"{}\"", cell("body")).unwrap(),
            None => csv.push('\n'),
        }
    }
    csv
}

/// Returns the WARC file of a case.
fn archive(case: &Value) -> Vec<u8> {
    let mut archive = Vec::new();
    for record in case["records"].as_array().unwrap() {
        let block: Vec<u8> = text(record, "block")
            .unwrap()
            .chars()
            .map(|byte| byte as u8)
            .collect();
        let head = |name| text(record, name).unwrap();
        let cut = text(record, "truncated")
            .map_or(String::new(), |why| format!("WARC-Truncated: {why}\r\n"));
        let head = format!(
            "WARC/1.0\r\nWARC-Type: {}\r\nWARC-Target-URI: {}\r\nWARC-Date: {}\r\n{cut}Content-Length: {}\r\n\r\n",
            head("type"),
            head("url"),
            head("date"),
            block.len()
        );
        archive.extend([head.as_bytes(), &block, b"\r\n\r\n"].concat());
    }
    archive
}

#[test]
fn the_command_meets_every_case_of_captures() {
    let folder = Folder::new("captures");
    let cases = include_str!("../../../../tests/data/captures.jsonl");
    for case in cases
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
    {
        let options = case["options"].as_object().unwrap();
        // The command has no options of fetch.
        if options.keys().any(|name| name != "dialect") {
            continue;
        }
        let dialect = text(&case["options"], "dialect").unwrap_or("rfc9309");
        let source = if case.get("records").is_some() {
            folder.write("sites.warc", archive(&case));
            "sites.warc"
        } else {
            folder.write("sites.csv", table(&case));
            "sites.csv"
        };
        let expected = case["expect"].as_object().unwrap();
        let urls: String = expected.keys().map(|url| format!("{url}\n")).collect();
        folder.write("urls", urls);
        let run = |option: &str| {
            let line =
                format!("robots filter -a ExampleBot -d {dialect} -r {source} -u urls {option}");
            let (status, out, error) = folder.run(&line);
            assert_eq!(status, 0, "{}: {line}: {error}", case["name"]);
            out
        };
        let (allowed, disallowed, known) =
            (run(""), run("--only disallowed"), run("--unknown keep"));
        for (url, answer) in expected {
            let has = |lines: &str| lines.lines().any(|line| line == url);
            let found = match (has(&allowed), has(&disallowed), has(&known)) {
                (true, ..) => "allowed",
                (_, true, _) => "disallowed",
                (_, _, true) => "no_capture",
                _ => "unreachable",
            };
            assert_eq!(Some(found), answer.as_str(), "{}: {url}", case["name"]);
        }
    }
}
