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
const SITES: [(&str, &str); 4] = [
    ("a.example", "User-agent: *\nDisallow: /private/\n"),
    (
        "b.example:8080",
        "User-agent: ExampleBot\nDisallow: /\nAllow: /open\n",
    ),
    ("c.example", ""),
    (
        "xn--exmple-cua.example",
        "User-agent: *\nDisallow: /*.pdf$\n# \"quoted\", and a comma\n",
    ),
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

fn record(kind: &str, url: &str, date: &str, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\nContent-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), content, b"\r\n\r\n"].concat()
}

fn response(url: &str, status: u16, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status} Text\r\nContent-Type: text/plain\r\n{headers}\r\n");
    record(
        "response",
        url,
        "2026-11-22T05:00:00Z",
        &[head.as_bytes(), body].concat(),
    )
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// Writes the sites in every form; returns the names of the sources.
fn sources(folder: &Folder) -> Vec<&'static str> {
    let mut warc = record(
        "warcinfo",
        "",
        "2026-11-22T05:00:00Z",
        b"software: test\r\n",
    );
    let mut csv = "\u{FEFF}origin,fetched,status,body\r\n".to_owned();
    let mut tsv = "body\tURL\n".to_owned();
    let mut records = Vec::new();
    let crawler = Crawler::new("ExampleBot").unwrap();
    let now = std::time::SystemTime::now();
    let now = now.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    for (index, (host, body)) in SITES.iter().enumerate() {
        let url = format!("https://{host}/robots.txt");
        let name = match index {
            0 => format!("folder/{host}"),
            1 => format!("folder/https%3A%2F%2F{}", host.replace(':', "%3A")),
            2 => format!("folder/{host}.txt"),
            _ => format!("folder/{host}/robots.txt"),
        };
        folder.write(&name, body);
        warc.extend(response(&url, 200, "", body.as_bytes()));
        // Pages are skipped.
        warc.extend(response(
            &format!("https://{host}/"),
            200,
            "",
            b"User-agent: *\nDisallow: /\n",
        ));
        writeln!(csv, "https://{host},2026,200,{}", quoted(body)).unwrap();
        writeln!(tsv, "{}\t{url}", quoted(body)).unwrap();
        let outcome = Outcome::from_status(std::slice::from_ref(&crawler), &url, 200, body, now);
        records.extend(outcome.unwrap().encode().unwrap());
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
    vec![
        "folder",
        "sites.tar",
        "sites.tar.gz",
        "sites.warc",
        "sites.warc.gz",
        "members.warc.gz",
        "sites.csv",
        "sites.csv.gz",
        "sites.tsv",
        "sites.records",
    ]
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
    let (_, _, error) = folder.run("robots filter -a ExampleBot --robots folder < /dev/null");
    assert!(
        error.contains(
            "left out: 1 not named after a host or an origin; the first: folder/.DS_Store\n"
        ),
        "{error}"
    );
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
    let now = std::time::SystemTime::now();
    let now = now.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
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
    folder.write("records", records);
    let urls = times.map(|(host, _)| format!("https://{host}.example/\n"));
    folder.write("urls", urls.concat());
    let (status, out, error) = folder.run("robots filter -a ExampleBot -r records -u urls");
    assert_eq!((status, &out), (0, &urls[1]), "{error}");
    let left = "left out: 2 records that have expired or are of the future; the first: https://past.example\n";
    assert!(error.contains(left), "{error}");
    assert!(error.contains("2 of unknown sites"), "{error}");
}

#[test]
fn unknown_sites_are_dropped_kept_or_an_error() {
    let folder = Folder::new("unknown");
    folder.write("sites/a.example", SITES[0].1);
    folder.write(
        "urls",
        "https://a.example/1\nhttps://x.example/2\nhttps://a.example/private/3\n",
    );
    let run = |options: &str| {
        folder.run(&format!(
            "robots filter -q -a ExampleBot -r sites {options} < urls"
        ))
    };
    let (kept, known) = (
        "https://a.example/1\nhttps://x.example/2\n",
        "https://a.example/1\n",
    );
    assert_eq!(run(""), (0, known.to_owned(), String::new()));
    assert_eq!(run("--unknown drop"), (0, known.to_owned(), String::new()));
    assert_eq!(run("--unknown keep"), (0, kept.to_owned(), String::new()));
    let (status, out, error) = run("--unknown error");
    assert_eq!((status, out.as_str()), (2, known));
    assert_eq!(
        error,
        "robots: --unknown error: 1 URLs are of sites that no --robots has, and 0 lines have no URL; the first: https://x.example/2\n"
    );
    let only = "https://a.example/private/3\n";
    assert_eq!(
        run("--only disallowed --unknown keep"),
        (0, only.to_owned(), String::new())
    );
}

/// SPEC 2: what a status means. Redirects lead from record to record, and the newest record counts.
#[test]
fn responses_of_a_warc_are_judged_as_those_of_a_fetch() {
    let folder = Folder::new("warc");
    let closed = b"User-agent: *\nDisallow: /\n";
    let robots = |host: &str| format!("https://{host}.example/robots.txt");
    let mut warc = Vec::new();
    let mut add = |host: &str, status: u16, headers: &str, body: &[u8]| {
        warc.extend(response(&robots(host), status, headers, body));
    };
    add("missing", 404, "", closed);
    add("down", 503, "", b"");
    add("busy", 429, "", b"");
    add("empty", 200, "Content-Length: 1000\r\n", b"");
    add("short", 200, "Content-Length: 1000\r\n", b"User-agent: *\n");
    add(
        "chunked",
        200,
        "Transfer-Encoding: chunked\r\n",
        b"1a\r\nUser-agent: *\nDisallow: /\n\r\n0\r\n\r\n",
    );
    add(
        "brotli",
        200,
        "Content-Encoding: br\r\n",
        b"\x0B\x01\x80?\x03",
    );
    add(
        "moved",
        301,
        "Location: http://www.moved.example/robots.txt\r\n",
        b"",
    );
    warc.extend(response(
        "http://www.moved.example/robots.txt",
        302,
        "Location: /en/robots.txt\r\n",
        b"",
    ));
    warc.extend(response(
        "http://www.moved.example/en/robots.txt",
        200,
        "",
        closed,
    ));
    let mut add = |host: &str, status: u16, headers: &str, body: &[u8]| {
        warc.extend(response(&robots(host), status, headers, body));
    };
    add("loop", 302, "Location: /robots.txt\r\n", b"");
    add(
        "away",
        302,
        "Location: https://elsewhere.example/robots.txt\r\n",
        b"",
    );
    for (date, body) in [
        ("2026-11-22T05:00:00Z", &b""[..]),
        ("2026-10-01T00:00:00Z", closed),
    ] {
        let message = [b"HTTP/1.1 200 OK\r\n\r\n", body].concat();
        warc.extend(record("response", &robots("newer"), date, &message));
    }
    warc.extend(record(
        "revisit",
        &robots("newer"),
        "2026-12-01T00:00:00Z",
        b"HTTP/1.1 200 OK\r\n\r\n",
    ));
    folder.write("sites.warc", &warc);
    let hosts = [
        ("missing", "allowed"),
        ("down", "unreachable"),
        ("busy", "unreachable"),
        ("short", "unreachable"),
        ("empty", "unreachable"),
        ("chunked", "disallowed"),
        ("brotli", "unreachable"),
        ("moved", "disallowed"),
        ("loop", "allowed"),
        ("away", "unknown"),
        ("newer", "allowed"),
    ];
    let mut kept = String::new();
    for (host, wanted) in hosts {
        let line =
            format!("robots filter -a ExampleBot -r sites.warc <<< https://{host}.example/x");
        let (status, out, error) = folder.run(&line);
        let count = match wanted {
            "allowed" => "1 allowed",
            "disallowed" => "1 disallowed",
            "unreachable" => "1 of unreachable sites",
            _ => "1 of unknown sites",
        };
        assert!(status == 0 && error.contains(count), "{host}: {error}");
        assert_eq!(out.is_empty(), wanted != "allowed", "{host}");
        kept.push_str(&out);
        assert!(
            error.contains("left out: 1 redirects to a file that is not there; the first: https://away.example\n"),
            "{error}"
        );
        assert!(
            error.starts_with(
                "robots: 11 sites: 4 with rules, 2 without a file, 0 closed, 5 unreachable\n"
            ),
            "{error}"
        );
    }
    assert_eq!(kept.lines().count(), 3);
    // koster1996 defers what others call unreachable; both are dropped.
    let (_, out, _) = folder
        .run("robots filter -a ExampleBot -d koster1996 -r sites.warc <<< https://down.example/x");
    assert_eq!(out, "");
    // An archive that is cut short.
    folder.write("cut.warc", &warc[..warc.len() - 10]);
    let (status, ..) = folder.run("robots filter -q -a ExampleBot -r cut.warc < /dev/null");
    assert_eq!(status, 0);
    folder.write("damaged.warc", [&warc[..], b"and so on\n"].concat());
    let (status, _, error) =
        folder.run("robots filter -q -a ExampleBot -r damaged.warc < /dev/null");
    assert!(
        status == 2 && error.contains("there is no WARC header"),
        "{error}"
    );
}

/// SPEC 11.1, 11.6: the name of a page is no site, and of captures without a date the last one decides.
#[test]
fn names_and_order_of_captures() {
    let folder = Folder::new("names");
    let closed = "User-agent: *\nDisallow: /\n";
    folder.write("sites/https%3A%2F%2Fa.example%2Fblog%2Frobots.txt", closed);
    folder.write("sites/https%3A%2F%2Fb.example%2Frobots.txt", closed);
    let url = "https://c.example/robots.txt";
    folder.write(
        "last.csv",
        format!("url,body\n{url},\"{closed}\"\n{url},\n"),
    );
    folder.write(
        "dated.csv",
        format!("url,date,body\n{url},2026-01-01,\"{closed}\"\n{url},,\n"),
    );
    folder.write(
        "host.csv",
        format!("origin,url,body\nc.example,{url},\"{closed}\"\n"),
    );
    folder.write(
        "units.csv",
        format!("url,date,body\n{url},1769941800,\n{url},2026,\n"),
    );
    let run = |source: &str, host: &str| {
        let line = format!(
            "robots filter -a ExampleBot -r {source} --unknown keep <<< https://{host}.example/x"
        );
        folder.run(&line)
    };
    for (source, host, is_kept) in [
        ("sites", "a", true),
        ("sites", "b", false),
        ("last.csv", "c", true),
        ("dated.csv", "c", false),
        ("host.csv", "c", false),
    ] {
        let (status, out, error) = run(source, host);
        assert_eq!((status, out.is_empty()), (0, !is_kept), "{source}: {error}");
    }
    let left = "left out: 1 not named after a host or an origin; the first: sites/https%3A%2F%2Fa.example%2Fblog%2Frobots.txt\n";
    let (_, _, error) = run("sites", "a");
    assert!(error.contains(left), "{error}");
    let (status, _, error) = run("units.csv", "c");
    assert!(
        status == 2 && error.contains("are not of one unit"),
        "{error}"
    );
}

#[test]
fn rows_of_tables_pass_through() {
    let folder = Folder::new("columns");
    folder.write("sites/a.example", SITES[0].1);
    let filter = "robots filter -q -a ExampleBot -r sites";
    let run = |options: &str, list: &str, wanted: &str| {
        folder.write("list", list);
        let (status, out, error) = folder.run(&format!("{filter} {options} < list"));
        assert_eq!(
            (status, out.as_str(), error.as_str()),
            (0, wanted, ""),
            "{options}"
        );
    };
    run(
        "--column URL",
        "id\turl\tnote\r\n1\thttps://a.example/private/\tx\r\n2\thttps://a.example/\ty\r\n",
        "id\turl\tnote\r\n2\thttps://a.example/\ty\n",
    );
    run(
        "--column url",
        "note,\"url\"\n\"a, \"\"b\"\"\",https://a.example/\nc,\"https://a.example/private/,\"\n\"cut,https://a.example/\n",
        "note,\"url\"\n\"a, \"\"b\"\"\",https://a.example/\n",
    );
    run(
        "--column 2",
        "1\thttps://a.example/private/\n2\thttps://a.example/\n3\n",
        "2\thttps://a.example/\n",
    );
    run(
        "-0",
        "https://a.example/\nx\0https://a.example/private/\0\0https://a.example/2\0",
        "https://a.example/\nx\0https://a.example/2\0",
    );
    folder.write("list", "id\tlink\n1\thttps://a.example/\n");
    let (status, out, error) = folder.run(&format!("{filter} --column url < list"));
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(
        error.contains(
            "--column url: (standard input) has no such column; its first line is: id\\tlink"
        ),
        "{error}"
    );
    // The same options serve the other commands.
    folder.write(
        "list",
        "id\turl\n1\thttps://a.example/private/\n2\thttps://a.example/\n",
    );
    let (_, out, _) = folder.run("robots check -a ExampleBot sites/a.example --column url < list");
    assert_eq!(
        out,
        "disallowed     2  https://a.example/private/\nallowed        -  https://a.example/\n"
    );
    let (status, out, _) =
        folder.run("robots check -a ExampleBot sites/a.example --only allowed --column url < list");
    assert_eq!(
        (status, out.as_str()),
        (0, "id\turl\n2\thttps://a.example/\n")
    );
}

#[test]
fn sources_that_are_none_are_refused() {
    let folder = Folder::new("refused");
    folder.write("text", "User-agent: *\nDisallow: /\n");
    folder.write("parquet", "PAR1....");
    folder.write("table.csv", "host,body,status\na.example,,many\n");
    folder.write("others.records", {
        let crawler = Crawler::new("OtherBot").unwrap();
        Outcome::from_status(&[crawler], "https://a.example/", 404, "", 1)
            .unwrap()
            .encode()
            .unwrap()
    });
    for (source, wanted) in [
        ("text", "it is no folder, tar, WARC file"),
        (
            "parquet",
            "it is a Parquet file, which is not read: pipe it as CSV",
        ),
        ("absent", "cannot read absent"),
        ("table.csv", "line 2: the status 'many' is no number"),
        (
            "others.records",
            "record 1 is of another version, or for another crawler",
        ),
    ] {
        let (status, out, error) = folder.run(&format!(
            "robots filter -a ExampleBot -r {source} < /dev/null"
        ));
        assert_eq!((status, out.as_str()), (2, ""), "{source}");
        assert!(error.contains(wanted), "{source}: {error}");
    }
    let (status, _, error) = folder.run("robots filter -a ExampleBot -r - < text");
    assert!(
        status == 2 && error.contains("standard input can be used only once"),
        "{error}"
    );
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
