//! `robots filter`: every kind of source gives the same URLs, statuses count, columns pass through, memory is bounded.

use std::fmt::Write as _;
use std::path::PathBuf;

use robots::{Crawler, Outcome};

use crate::shell_in;

/// A folder that is removed at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("robots-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Runs a line; returns its exit status, output and standard error.
    pub(crate) fn run(&self, line: &str) -> (i32, String, String) {
        let output = shell_in(&self.0, line);
        (
            output.status.code().unwrap(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Host, its robots.txt.
#[rustfmt::skip]
const SITES: [(&str, &str); 4] = [
    ("a.example", "User-agent: *\nDisallow: /private/\n"),
    ("b.example:8080", "User-agent: ExampleBot\nDisallow: /\nAllow: /open\n"),
    ("c.example", ""),
    ("xn--exmple-cua.example", "User-agent: *\nDisallow: /*.pdf$\n# \"quoted\", and a comma\n"),
];

const URLS: &str = "\
https://a.example/
https://a.example/private/x
https://A.example:443/private/x
https://b.example:8080/
https://b.example:8080/open
https://c.example/private/
https://exämple.example/a.pdf
https://exämple.example/a.pdf?x
https://a.example/other
https://unknown.example/
no URL
/private/
";

const KEPT: &str = "\
https://a.example/
https://b.example:8080/open
https://c.example/private/
https://exämple.example/a.pdf?x
https://a.example/other
";

fn record(kind: &str, url: &str, content: &str) -> String {
    let length = content.len();
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-22T05:00:00Z\r\n\
         Content-Length: {length}\r\n\r\n{content}\r\n\r\n"
    )
}

fn seconds_now() -> u64 {
    let now = std::time::SystemTime::now();
    now.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs()
}

/// Writes the sites in every form; returns the names of the sources.
fn sources(folder: &Folder) -> Vec<&'static str> {
    let mut warc = record("warcinfo", "", "software: test\r\n");
    let mut csv = "\u{FEFF}origin,fetched,status,body\r\n".to_owned();
    let mut tsv = "body\tURL\n".to_owned();
    let mut records = Vec::new();
    let crawler = Crawler::new("ExampleBot").unwrap();
    for (index, (host, body)) in SITES.iter().enumerate() {
        let url = format!("https://{host}/robots.txt");
        let name = match index {
            0 => format!("folder/{host}"),
            1 => format!("folder/https%3A%2F%2F{}", host.replace(':', "%3A")),
            2 => format!("folder/{host}.txt"),
            _ => format!("folder/{host}/robots.txt"),
        };
        folder.write(&name, body);
        // Pages are skipped.
        let page = (&*format!("https://{host}/"), "User-agent: *\nDisallow: /\n");
        for (url, body) in [(&*url, *body), page] {
            let head = "HTTP/1.1 200 Text\r\nContent-Type: text/plain\r\n\r\n";
            warc += &record("response", url, &format!("{head}{body}"));
        }
        let quoted = format!("\"{}\"", body.replace('"', "\"\""));
        writeln!(csv, "https://{host},2026,200,{quoted}").unwrap();
        writeln!(tsv, "{quoted}\t{url}").unwrap();
        let crawlers = std::slice::from_ref(&crawler);
        let outcome = Outcome::from_status(crawlers, &url, 200, body, seconds_now()).unwrap();
        records.extend(outcome.encode().unwrap());
    }
    folder.write("folder/.DS_Store", "x");
    folder.write("sites.warc", warc);
    folder.write("sites.csv", csv);
    folder.write("sites.tsv", tsv);
    folder.write("sites.records", records);
    let (status, _, error) = folder.run(
        "tar -cf sites.tar -C folder . && gzip -k sites.tar sites.warc sites.csv && \
         (gzip -c sites.warc; head -c 0 /dev/null | gzip -c) > members.warc.gz",
    );
    assert_eq!((status, error.as_str()), (0, ""));
    let archives = "folder sites.tar sites.tar.gz sites.warc sites.warc.gz members.warc.gz";
    let tables = "sites.csv sites.csv.gz sites.tsv sites.records";
    archives.split(' ').chain(tables.split(' ')).collect()
}

#[test]
fn every_source_gives_the_same_urls() {
    let folder = Folder::new("sources");
    folder.write("urls", URLS);
    for source in sources(&folder) {
        for options in ["", "--memory 0", "-j 1", "-j 5"] {
            let line = format!("robots filter -a ExampleBot --robots {source} {options} < urls");
            let (status, out, error) = folder.run(&line);
            assert_eq!((status, out.as_str()), (0, KEPT), "{line}\n{error}");
            let counts = "robots: 12 URLs: 5 allowed, 4 disallowed, 0 of unreachable sites, 1 of unknown sites, 2 invalid\n";
            assert!(error.ends_with(counts), "{line}\n{error}");
        }
    }
    // Standard input may be a source.
    let (status, out, _) =
        folder.run("robots filter -q -a ExampleBot --robots - -u urls < sites.tar.gz");
    assert_eq!((status, out.as_str()), (0, KEPT));
    // All of them in one run.
    let line = "robots filter -q -a ExampleBot --robots folder --robots sites.warc.gz --robots sites.csv -u urls";
    assert_eq!(folder.run(line), (0, KEPT.to_owned(), String::new()));
}

/// SPEC 2.18
#[test]
fn records_of_another_time_are_left_out() {
    let folder = Folder::new("times");
    let now = seconds_now();
    let day = 86_400;
    let times = [
        ("past", now - 40 * day),
        ("now", now),
        ("future", now + day),
    ];
    let mut records = Vec::new();
    for (host, time) in times {
        let crawler = Crawler::new("ExampleBot").unwrap();
        let url = format!("https://{host}.example/");
        let outcome = Outcome::from_status(&[crawler], &url, 404, "", time);
        records.extend(outcome.unwrap().encode().unwrap());
    }
    folder.write("records", &records);
    let urls = times.map(|(host, _)| format!("https://{host}.example/\n"));
    folder.write("urls", urls.concat());
    let (status, out, error) = folder.run("robots filter -a ExampleBot -r records -u urls");
    assert_eq!((status, &out), (0, &urls[1]), "{error}");
    let left = "left out: 2 records that have expired or are of the future; the first: https://past.example\n";
    assert!(error.contains(left), "{error}");
    assert!(error.contains("2 of unknown sites"), "{error}");
    let (status, _, error) = folder.run("robots filter -a OtherBot -r records -u urls");
    let wanted = "record 1 is of another version, or for another crawler";
    assert!(status == 2 && error.contains(wanted), "{error}");
    let second = Outcome::record_len(&records).unwrap() as usize;
    let mut long = records.clone();
    long[second + 16..second + 24].fill(0xFF);
    let mut damaged = records.clone();
    damaged[second + 30] ^= 1;
    for (records, wanted) in [
        (
            &records[..second + 8],
            "record 2 is cut short: the file ends",
        ),
        (
            &records[..second + 50],
            "record 2 is cut short: the file ends",
        ),
        (&long, "record 2 is damaged"),
        (&damaged, "record 2 is damaged"),
    ] {
        folder.write("records", records);
        let (status, _, error) = folder.run("robots filter -a ExampleBot -r records -u urls");
        assert!(status == 2 && error.contains(wanted), "{error}");
    }
}

/// 20,000 sites with 20 MB of rules, and URLs in an order that jumps from site to site, in 60 MB of address space beside
/// the program.
#[test]
fn memory_is_bounded() {
    let folder = Folder::new("memory");
    let rules: String = (0..60)
        .map(|n| format!("Disallow: /folder-{n}/with/a/long/name\n"))
        .collect();
    let mut table = "host,body\n".to_owned();
    let mut urls = String::new();
    for site in 0..20_000 {
        writeln!(
            table,
            "s{site}.example,\"User-agent: *\n{rules}Disallow: /{site}$\""
        )
        .unwrap();
        let other = site * 7919 % 20_000;
        writeln!(urls, "http://s{other}.example/{}", other + site % 2).unwrap();
    }
    folder.write("sites.csv", table);
    folder.write("urls", urls);
    let line = "ulimit -v 260000; export MALLOC_ARENA_MAX=2; robots filter -q -a ExampleBot -r sites.csv -j 2 --memory";
    let (status, out, error) = folder.run(&format!("{line} 8 < urls"));
    assert_eq!((status, error.as_str()), (0, ""));
    assert_eq!(out.lines().count(), 10_000);
    assert_eq!(
        folder
            .run("robots filter -q -a ExampleBot -r sites.csv < urls")
            .1,
        out
    );
}
