//! `robots audit`: each format and broken log gives the requests that are in it, and nothing of a log reaches a terminal or a page as it is.

use std::io::Write as _;

use serde_json::{Value, json};

use crate::filter::Folder;

const ROBOTS: &str = "User-agent: *\nDisallow: /private/\n";

fn line(agent: &str, path: &str, time: &str) -> String {
    format!("192.0.2.1 - - [{time}] \"GET {path} HTTP/1.1\" 200 10 \"-\" \"{agent}\"\n")
}

const TIME: &str = "10/Oct/2026:13:55:36 +0000";
const GOOGLE: &str = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(&format!("audit-{name}"));
    folder.write("robots.txt", ROBOTS);
    folder
}

/// Runs an audit; returns its exit status, its lines of JSON (the last is the whole), and standard error.
fn audit(folder: &Folder, options: &str) -> (i32, Vec<Value>, String) {
    let (status, out, error) = folder.run(&format!("robots audit --json {options}"));
    let rows: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(
        rows.last().is_some_and(|whole| whole["claim"].is_string()),
        "{options}: {error}"
    );
    crate::schema::check_lines("robots audit --json", &out).unwrap();
    (status, rows, error)
}

/// Returns the requests and the forbidden requests of a crawler, by its standing.
fn counts(rows: &[Value], crawler: &str, standing: &str) -> (u64, u64) {
    let is_it = |row: &&Value| row["crawler"] == crawler && row["standing"] == standing;
    let row = rows.iter().find(is_it);
    let number = |name: &str| row.map_or(0, |row| row[name].as_u64().unwrap());
    (number("requests"), number("forbidden"))
}

/// Returns what is counted by reason.
fn reasons(counts: &Value) -> Value {
    let rows = counts.as_array().unwrap().iter();
    rows.map(|row| {
        (
            row["reason"].as_str().unwrap().to_owned(),
            row["count"].clone(),
        )
    })
    .collect()
}

/// Returns the bytes of a log whose characters are bytes; U+0100 stands for many.
fn bytes(case: &Value) -> Vec<u8> {
    let fill = "x".repeat(case["fill"].as_u64().unwrap_or_default() as usize);
    let log = case["log"].as_str().unwrap().replace('\u{100}', &fill);
    log.chars()
        .map(|byte| u8::try_from(u32::from(byte)).unwrap())
        .collect()
}

#[test]
fn broken_logs_are_counted_and_escaped() {
    let folder = folder("broken");
    let cases = include_str!("../../../../tests/data/audit-logs.jsonl");
    let cases: Vec<Value> = cases
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(cases.len() >= 40);
    for case in &cases {
        let name = &case["name"];
        folder.write("log", bytes(case));
        let options = format!("-r robots.txt {} log", case["options"].as_str().unwrap());
        let (status, rows, error) = audit(&folder, &options);
        let (whole, rows) = rows.split_last().unwrap();
        let found: Value = rows
            .iter()
            .map(|row| {
                (
                    row["crawler"].as_str().unwrap().to_owned(),
                    json!([row["requests"], row["forbidden"]]),
                )
            })
            .collect();
        assert_eq!(found, case["crawlers"], "{name}: {whole} {error}");
        assert_eq!(reasons(&whole["unread"]), case["unread"], "{name}: {whole}");
        assert_eq!(
            reasons(&whole["not_judged"]),
            case["not_judged"],
            "{name}: {whole}"
        );
        let is_mine = options.contains("--mine") && whole["forbidden"] != 0;
        let wanted = if rows.is_empty() {
            2
        } else {
            i32::from(is_mine)
        };
        assert_eq!(status, wanted, "{name}: {error}");
        let (_, table, error) = folder.run(&format!(
            "robots audit {options} --html page.html; cat page.html; robots audit --csv {options}"
        ));
        let is_raw = |character: char| {
            character != '\n' && (character.is_control() || character == '\u{202e}')
        };
        assert!(
            !table.contains(is_raw) && !error.contains(is_raw),
            "{name}: {table:?}"
        );
        assert!(
            !table.lines().any(|line| line.starts_with("::")),
            "{name}: {table}"
        );
        let page = &table[table.find("<!doctype").unwrap()..table.find("</html>").unwrap()];
        for tag in ["<script", "<img", "<a ", "href", "url("] {
            assert!(!page.contains(tag), "{name}: {page}");
        }
    }
}

/// A frame of zstd with the bytes as they are.
fn zstd(text: &str) -> Vec<u8> {
    let len = u8::try_from(text.len()).unwrap();
    let block = (u32::from(len) << 3 | 1).to_le_bytes();
    [
        &[0x28, 0xB5, 0x2F, 0xFD, 0x20, len],
        &block[..3],
        text.as_bytes(),
    ]
    .concat()
}

#[test]
fn compressed_logs_are_those_that_were_compressed() {
    let folder = folder("compressed");
    let line = line("ExampleBot", "/private/", TIME);
    let gzip = |text: &str| {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        out.write_all(text.as_bytes()).unwrap();
        out.finish().unwrap()
    };
    let zlib = |text: &str| {
        let mut out = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        out.write_all(text.as_bytes()).unwrap();
        out.finish().unwrap()
    };
    let skipped = [&[0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
    for (name, log) in [
        ("plain", line.repeat(2).into_bytes()),
        ("gzip", [gzip(&line), gzip(&line)].concat()),
        ("zlib", [zlib(&line), zlib(&line)].concat()),
        ("zstd", [zstd(&line), skipped, zstd(&line)].concat()),
    ] {
        folder.write("log", &log);
        for options in ["-r robots.txt log", "-r robots.txt - < log"] {
            let (status, rows, error) = audit(&folder, options);
            assert_eq!(
                (status, counts(&rows, "ExampleBot", "claimed")),
                (0, (2, 2)),
                "{name}: {error}"
            );
        }
        if name != "plain" {
            folder.write("log", &log[..log.len() - 9]);
            let (status, rows, error) = audit(&folder, "-r robots.txt log");
            assert_eq!(status, 2, "{name}: {rows:?}");
            assert!(
                error.contains("what follows is not in the counts"),
                "{name}: {error}"
            );
        }
    }
}

#[test]
fn a_line_is_judged_by_the_file_that_was_current() {
    let folder = folder("time");
    folder.write("old.txt", "User-agent: *\nDisallow: /old/\n");
    folder.write(
        "new.txt",
        "User-agent: *\n\nDisallow: /old/\nDisallow: /new/\n",
    );
    for (options, path, hour, wanted) in [
        (
            "-r old.txt -r new.txt@2026-10-10",
            "/new/",
            "09/Oct/2026:23",
            (1, 0),
        ),
        (
            "-r old.txt -r new.txt@2026-10-10",
            "/new/",
            "10/Oct/2026:23",
            (1, 0),
        ),
        (
            "-r old.txt -r new.txt@2026-10-10",
            "/new/",
            "11/Oct/2026:00",
            (1, 1),
        ),
        (
            "-r old.txt -r new.txt@2026-10-10 --grace 0",
            "/new/",
            "10/Oct/2026:00",
            (1, 1),
        ),
        (
            "-r old.txt -r new.txt@2026-10-10 --grace 30m",
            "/new/",
            "10/Oct/2026:00",
            (1, 0),
        ),
        (
            "-r old.txt -r new.txt@2026-10-10",
            "/old/",
            "10/Oct/2026:12",
            (1, 1),
        ),
        (
            "-r new.txt -r robots.txt@2026-10-10",
            "/old/",
            "10/Oct/2026:12",
            (1, 0),
        ),
    ] {
        folder.write(
            "log",
            line("ExampleBot", path, &format!("{hour}:10:00 +0000")),
        );
        let (_, rows, error) = audit(&folder, &format!("{options} log"));
        assert_eq!(
            counts(&rows, "ExampleBot", "claimed"),
            wanted,
            "{options} {path} {hour}: {error}"
        );
    }
    let (_, rows, _) = audit(&folder, "-r new.txt@2026-10-10T12:00Z log");
    let whole = &rows[1]["not_judged"];
    assert_eq!(
        reasons(whole),
        json!({"within the grace after the first robots.txt that is known": 1})
    );
    let (_, rows, _) = audit(&folder, "-r new.txt@2026-10-11 log");
    let whole = &rows[1]["not_judged"];
    assert_eq!(
        reasons(whole),
        json!({"before the first robots.txt that is known": 1})
    );
    assert_eq!(
        (&rows[0]["judged"], &rows[0]["not_judged"]),
        (&json!(0), &json!(1))
    );
    // The rule is that of the file that was current.
    let (_, rows, _) = audit(&folder, "-r old.txt -r new.txt@2026-10-10 log");
    let rule = &rows[0]["broken"][0];
    assert_eq!(
        (&rule["file"], &rule["line"], &rule["rule"]),
        (&json!("new.txt"), &json!(3), &json!("Disallow: /old/"))
    );
}

#[test]
fn hosts_have_their_own_files() {
    let folder = folder("hosts");
    folder.write("b.txt", "User-agent: *\nDisallow: /b/\n");
    folder.write("dated/robots-2026-01-01.txt", ROBOTS);
    folder.write("dated/20261001.txt", "");
    let log: String = ["a.example:80", "b.example", "c.example"]
        .iter()
        .map(|host| format!("{host} {}", line("ExampleBot", "/b/", TIME)))
        .collect();
    folder.write("log", log);
    let csv = "origin,date,status,body\nhttps://b.example,2026-10-01,200,\"User-agent: *\nDisallow: /b/\"\nhttps://c.example,2026-10-01,503,\n";
    folder.write("captures.csv", csv);
    for (options, wanted, not_judged) in [
        ("-r b.txt", (3, 3), json!({})),
        (
            "-r b.txt --site http://a.example/",
            (3, 1),
            json!({"of a host whose robots.txt is not known": 2}),
        ),
        (
            "-r a.example=robots.txt -r b.example=b.txt",
            (3, 1),
            json!({"of a host whose robots.txt is not known": 1}),
        ),
        ("-r b.example=b.txt -r robots.txt", (3, 1), json!({})),
        ("-r dated", (3, 0), json!({})),
        (
            "-r captures.csv",
            (3, 1),
            json!({"of a host whose robots.txt is not known": 1, "while the robots.txt was unreachable": 1}),
        ),
    ] {
        let (_, rows, error) = audit(&folder, &format!("{options} log"));
        assert_eq!(
            counts(&rows, "ExampleBot", "claimed"),
            wanted,
            "{options}: {error}"
        );
        assert_eq!(reasons(&rows[1]["not_judged"]), not_judged, "{options}");
    }
    let (_, table, _) = folder.run("robots audit -r b.txt log");
    assert!(
        table.contains("the logs have 3 hosts, all judged by the same robots.txt"),
        "{table}"
    );
}

/// A wrong --site must not look like obedience: the robots.txt of a site whose rules are not known is no request that was judged.
#[test]
fn of_a_site_that_is_not_known_nothing_is_judged() {
    let folder = folder("other-site");
    let log: String = ["/robots.txt", "/private/x"]
        .iter()
        .map(|path| format!("shop.example {}", line("ExampleBot", path, TIME)))
        .collect();
    folder.write("log", log);
    let options = "-r robots.txt --site shop.exmple";
    let (_, rows, _) = audit(&folder, &format!("{options} log"));
    let whole = rows.last().unwrap();
    assert_eq!(
        (&whole["judged"], &whole["requests"]),
        (&json!(0), &json!(2))
    );
    let (_, table, _) = folder.run(&format!("robots audit {options} log"));
    assert!(
        table.contains("none of the 2 of crawlers was judged"),
        "{table}"
    );
    let (status, _, error) = folder.run(&format!("robots audit --mine ExampleBot {options} log"));
    assert_eq!(status, 2, "{error}");
}

#[test]
fn verified_crawlers_and_ones_own_decide_the_exit_status() {
    let folder = folder("standing");
    let log = [
        line(GOOGLE, "/private/", TIME),
        line("ExampleBot", "/private/", TIME),
    ]
    .concat();
    folder.write("log", log);
    folder.write(
        "googlebot.json",
        r#"{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}"#,
    );
    folder.write(
        "other.json",
        r#"{"prefixes": [{"ipv6Prefix": "2001:db8::/32"}]}"#,
    );
    folder.write("hosts", "192.0.2.1 crawl-192-0-2-1.googlebot.com\n");
    folder.write("rented", "192.0.2.1 192-0-2-1.bc.googleusercontent.com\n");
    for (options, standing, status) in [
        ("", "claimed", 0),
        ("--ranges googlebot.json", "verified", 1),
        ("--ranges google=other.json", "false", 0),
        ("--ranges GPTBot=other.json", "claimed", 0),
        ("--hosts hosts", "verified", 1),
        ("--hosts rented", "not verified", 0),
        ("--mine examplebot", "claimed", 1),
        ("--mine OtherBot", "claimed", 2),
    ] {
        let (found, rows, error) = audit(&folder, &format!("-r robots.txt {options} log"));
        assert_eq!(
            counts(&rows, "Googlebot", standing),
            (1, 1),
            "{options}: {rows:?}"
        );
        assert_eq!(found, status, "{options}: {error}");
    }
    let allowed = line("ExampleBot", "/", TIME);
    folder.write("log", allowed);
    assert_eq!(audit(&folder, "-r robots.txt --mine ExampleBot log").0, 0);
}

#[test]
fn archives_tell_what_a_crawler_requested() {
    let folder = folder("warc");
    let record = |kind: &str, url: &str, block: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-22T05:00:00Z\r\n\
             Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        )
    };
    let request = "GET /private/ HTTP/1.1\r\nHost: a.example\r\nUser-Agent: ExampleBot/1.0\r\n\r\n";
    let response = "HTTP/1.1 404 Not Found\r\nContent-Length: 1\r\n\r\nx";
    let pair = [
        record("request", "http://a.example/private/", request),
        record("response", "http://a.example/private/", response),
    ];
    let info = "software: x\r\nhttp-header-user-agent: OtherBot/1.0\r\n";
    let archive = [
        format!(
            "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: {}\r\n\r\n{info}\r\n\r\n",
            info.len()
        ),
        pair.concat(),
        pair[1].clone(),
        pair[0].clone(),
        record("response", "http://a.example/", response),
        record("metadata", "http://a.example/private/", "x"),
        record("request", "", request),
    ];
    folder.write("crawl.warc", archive.concat());
    let (status, rows, error) = audit(&folder, "-r robots.txt --mine ExampleBot crawl.warc");
    assert_eq!(
        (status, counts(&rows, "ExampleBot", "claimed")),
        (1, (2, 2)),
        "{error} {rows:?}"
    );
    assert_eq!(counts(&rows, "OtherBot", "claimed"), (1, 0));
    assert_eq!(rows[0]["statuses"], json!([0, 0, 0, 0, 2, 0]));
    assert_eq!(
        reasons(&rows[2]["unread"]),
        json!({"a WARC record whose request is broken": 1})
    );
}

#[test]
fn a_crawler_is_told_by_its_pace_and_its_reading() {
    let folder = folder("pace");
    folder.write(
        "robots.txt",
        "User-agent: *\nCrawl-delay: 2\nDisallow: /private/\n",
    );
    let at = |second: u32| format!("10/Oct/2026:13:55:{second:02} +0000");
    let log = [
        line(GOOGLE, "/a", &at(0)),
        line(GOOGLE, "/robots.txt", &at(4)),
        line(GOOGLE, "/b", &at(3)),
        line("ExampleBot", "/robots.txt", &at(4)),
        line("ExampleBot", "/a", &at(9)),
        line("OtherBot", "/a", &at(9)),
    ];
    folder.write("log", log.concat());
    let (_, rows, _) = audit(&folder, "-r robots.txt log");
    let row = |name: &str| rows.iter().find(|row| row["crawler"] == name).unwrap();
    let google = row("Googlebot");
    let gaps = &google["gaps"];
    assert_eq!(
        (
            &gaps["count"],
            &gaps["smallest"],
            &gaps["below_crawl_delay"]
        ),
        (&json!(2), &json!(1.0), &json!(1))
    );
    assert_eq!(
        (
            &google["crawl_delay"],
            &google["robots_txt"]["before_pages"]
        ),
        (&json!(2.0), &json!(false))
    );
    assert_eq!(
        row("ExampleBot")["robots_txt"],
        json!({"requests": 1, "first": "2026-10-10 13:55:04 UTC", "before_pages": true})
    );
    assert_eq!(
        row("OtherBot")["robots_txt"],
        json!({"requests": 0, "first": null, "before_pages": null})
    );
}

#[test]
fn bad_usage_says_what_to_write() {
    let folder = folder("usage");
    folder.write("log", line("ExampleBot", "/", TIME));
    folder.write("x.json", "{}");
    folder.write(
        "gptbot.json",
        r#"{"prefixes": [{"ipv4Prefix": "192.0.2.0/99"}]}"#,
    );
    folder.write("none/readme.txt", "");
    for (options, part) in [
        (
            "-r robots.txt -r robots.txt log",
            "of one site and one time",
        ),
        ("-r robots.txt@yesterday log", "what follows @ is no date"),
        ("-r none log", "no file in this folder has a date"),
        ("-r missing.txt log", "check the name"),
        ("-r robots.txt missing.log", "check the name"),
        (
            "-r robots.txt --grace day log",
            "--grace day: write a time such as",
        ),
        (
            "-r robots.txt --field x=y log",
            "--field x=y: write NAME=PATH",
        ),
        ("-r robots.txt --mine 'Example Bot/1' log", "--mine: "),
        (
            "-r robots.txt --ranges x.json log",
            "NAME is no well-known crawler",
        ),
        (
            "-r robots.txt --ranges GPTBot=x.json log",
            "give the JSON that the operator publishes",
        ),
        (
            "-r robots.txt --ranges gptbot.json log",
            "192.0.2.0/99\"} is no range",
        ),
        ("-r robots.txt --hosts log log", "line 1: "),
        ("-r - - < log", "standard input can be used only once"),
        ("-r robots.txt --html none log", "cannot write none"),
    ] {
        let (status, out, error) = folder.run(&format!("robots audit {options}"));
        assert_eq!((status, &*out), (2, ""), "{options}: {error}");
        assert!(error.contains(part), "{options}: {error}");
    }
}
