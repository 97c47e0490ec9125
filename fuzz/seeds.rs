//! The inputs that fuzzing starts from: made from the case files, from the words that generated files are made of,
//! and from a folder of real files, whenever they are needed.

use super::targets::input::{BETWEEN, MANY, SWITCHES};
use crate::oracle::Dialect;
use crate::support::cases::{self, Expectation};
use crate::support::files::TOKENS;
use crate::support::urls::Numbers;
use crate::support::{bridge, words};
use robots::Crawler;
use std::path::Path;

/// A file, the crawler, and URLs.
pub struct File {
    /// The first two bytes of an input of `check`.
    setup: [u8; 2],
    body: Vec<u8>,
    urls: Vec<Vec<u8>>,
}

/// Those of the case files below the root of the repository, and the first 4 KiB of some in a folder of real ones.
pub fn files(root: &Path, corpus: Option<&Path>) -> Vec<File> {
    let mut files = Vec::new();
    for case in cases::read_folder(&root.join("tests/data")) {
        let dialect = match case.dialect.as_str() {
            "google" => 1,
            "koster1996" => 2,
            _ => 0,
        };
        let options = case.options.iter().map(|(name, value)| {
            let bit = SWITCHES.iter().find(|(known, _)| known == name);
            bit.map_or(0, |(_, bit)| if *value == 0 { 0 } else { *bit })
        });
        let tokens = TOKENS.iter().position(|tokens| *tokens == case.tokens);
        let urls = case
            .expectations
            .iter()
            .filter_map(|(_, expected)| match expected {
                Expectation::Verdict { url, .. } | Expectation::UrlError { url } => {
                    Some(url.clone())
                }
                _ => None,
            });
        files.push(File {
            setup: [
                options.fold(dialect, |all, bit| all | bit),
                u8::try_from(tokens.unwrap_or(0)).unwrap(),
            ],
            urls: urls.take(6).collect(),
            body: case.body,
        });
    }
    files.extend(lines());
    for path in corpus.into_iter().flat_map(real_files) {
        let mut body = std::fs::read(&path).unwrap();
        body.truncate(4_096);
        files.push(File {
            setup: [u8::try_from(files.len() % 3).unwrap(), 0],
            body,
            urls: Vec::new(),
        });
    }
    files.retain(|file| file.body.len() <= 5_000);
    files
}

/// Every word of the generators once, in a group for everyone; a long line, and a long URL.
fn lines() -> Vec<File> {
    let mut files = Vec::new();
    let mut add = |body: Vec<u8>, url: &[u8]| {
        for dialect in 0..3 {
            let body = [b"User-agent: *\n", &body[..]].concat();
            files.push(File {
                setup: [dialect, 0],
                body,
                urls: vec![url.to_vec()],
            });
        }
    };
    for many in words::LINES.chunks(8) {
        add(many.join(&b"\n"[..]), b"/");
    }
    for many in words::PATHS.chunks(8) {
        add(
            [b"Disallow: ", &many.join(&b"\nAllow: "[..])[..]].concat(),
            many[0],
        );
    }
    for many in words::PIECES.chunks(6) {
        add(
            [b"Disallow: /", &many.join(&b"\nDisallow: /*"[..])[..]].concat(),
            many[0],
        );
    }
    let usage: &[&[u8]] = &[
        b"Content-Usage: train-ai=n, search=y\nContent-Usage: /a/* search=n;x=\"1\"\n",
        b"Content-Usage: / a=?1, b=(y n);q=1.5, c=:aGk=:, d=%\"%c3%a9\", e=@12\nContent-Signal: search=yes, ai-train=no",
        b"Request-rate: 1/5m 0600-0845\nVisit-time: 0600-0845\nHost: example.com\nClean-param: a&b /c\nNoindex: /x",
    ];
    for lines in usage {
        add(
            lines.to_vec(),
            b"a=n, b=y;c=(1 2.5 ?0), d=\"x\\\"\", e=*t/o:k, f=:aGk=:, g=@5, h=-12",
        );
    }
    // Longer than a line may be in google, than an image is narrow, than each buffer of a URL; and the latter with
    // wildcards to look for.
    let many = |times: usize, byte: u8| [MANY, 255, byte].repeat(times);
    add(
        [&b"Disallow: /"[..], &many(1, b'a'), b"d\nDisallow: /*b*c$"].concat(),
        &[&b"/%61"[..], &many(1, b'a'), b"bc"].concat(),
    );
    add(
        [
            &b"Disallow: /x*"[..],
            &many(4, b'a'),
            b"\nAllow: /*a\nDisallow: /x/*.php$",
        ]
        .concat(),
        b"/x/aaa.php",
    );
    // Past the lines that are narrow; and so many wildcards there that they have an index.
    let wild: String = (0..40)
        .map(|number| format!("\nDisallow: /*a{number}x*y{number}"))
        .collect();
    add(
        [&many(2, b'\n')[..], wild.as_bytes()].concat(),
        b"/p/a7x/y7",
    );
    let pieces = [
        &b"Disallow: /"[..],
        &[MANY, 28, b'a'],
        b"*",
        &[MANY, 3, b'b'],
        b"$",
    ]
    .concat();
    add(
        pieces,
        &[&b"/"[..], &[MANY, 30, b'a'], b"%61", &[MANY, 9, b'b']].concat(),
    );
    files
}

fn real_files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    // What is more is more of the same.
    let step = paths.len() / 500 + 1;
    paths.into_iter().step_by(step).collect()
}

/// The seeds of a target.
pub fn of(target: &str, files: &[File]) -> Vec<Vec<u8>> {
    match target {
        "canonical" => files.iter().flat_map(encodings).collect(),
        "image" => files.iter().flat_map(images).collect(),
        "fetch" | "cache" => (0..60).map(|number| script(target, number)).collect(),
        "abi" => files.iter().flat_map(abi).collect(),
        "page_controls" => super::targets::page_controls::seeds(),
        _ => files.iter().flat_map(questions).collect(),
    }
}

fn questions(file: &File) -> Vec<Vec<u8>> {
    let end = file.urls.join(BETWEEN);
    let of = |setup: &[u8]| [setup, &file.body, BETWEEN, &end].concat();
    let mut all = vec![of(&file.setup)];
    // Some near the size limit.
    if Numbers::of(&file.body).below(20) == 0 {
        all.push(of(&[file.setup[0], file.setup[1] | 0xF0]));
    }
    all
}

fn encodings(file: &File) -> Vec<Vec<u8>> {
    let rules = crate::support::files::rule_paths(&file.body);
    let of = |url: &Vec<u8>| {
        let rule = rules.get(url.len() % rules.len().max(1));
        [
            &file.setup[..1],
            rule.map_or(&b"/"[..], Vec::as_slice),
            BETWEEN,
            url,
        ]
        .concat()
    };
    file.urls.iter().map(of).collect()
}

/// The bytes of an image, and the file that it is made of; with right checksums.
fn images(file: &File) -> Vec<Vec<u8>> {
    let dialect =
        [Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996][usize::from(file.setup[0] & 3)];
    let crawler = Crawler::new("ExampleBot")
        .unwrap()
        .with_dialect(bridge::dialect(dialect))
        .unwrap();
    let raw = [&[3], crawler.parse(&file.body).image()].concat();
    let made = questions(file).remove(0);
    vec![
        raw,
        [&[2, 0], &made[..]].concat(),
        [&[2, 1, 0, 50, 1, 1], &made[..]].concat(),
    ]
}

/// Bytes in which most events and steps come up.
fn script(target: &str, number: u64) -> Vec<u8> {
    let mut numbers = Numbers::new(number * 7_919 + 17);
    let mut byte = |below: usize| u8::try_from(numbers.below(below)).unwrap();
    let mut script = vec![byte(3)];
    if target == "fetch" && number % 4 == 0 {
        // A record, changed in two places.
        script = vec![0x80, byte(2), byte(15), 3, byte(100), 20];
        script.extend_from_slice(b"user-agent:*\nallow:/");
        for _ in 0..2 {
            script.extend([0, byte(200), byte(4), byte(3)]);
        }
        return script;
    }
    let headers: [&[u8]; 6] = [
        b"/a",
        b"http://b.example/",
        b"max-age=60, no-cache",
        b"Fri, 02 Jan 1970 00:00:00 GMT",
        b"600",
        b"\"e\"",
    ];
    for _ in 0..40 {
        match target {
            // A response, mostly in its order.
            "fetch" => {
                script.extend([0, byte(15), byte(4), byte(100)]);
                for _ in 0..byte(4) {
                    let value = headers[usize::from(byte(6))];
                    script.extend([3, byte(8), u8::try_from(value.len()).unwrap()]);
                    script.extend_from_slice(value);
                }
                script.extend([5, 6, byte(4), 8]);
            }
            _ => script.extend([byte(255), byte(10), byte(60)]),
        }
    }
    script
}

/// An input of `check` after the byte that says which functions are called; and a site that is fetched, and
/// fetched again when what it said is old.
fn abi(file: &File) -> Vec<Vec<u8>> {
    let made = questions(file).remove(0);
    let mut all: Vec<Vec<u8>> = (0..2).map(|what| [&[what], &made[..]].concat()).collect();
    let site = b"https://example.com/x";
    // Pairs of what is reported and how, as `fuzz_tell` reads them: 200 with an ETag and a body; 304; a redirect.
    let found: &[u8] = &[0, 0, 1, 10, 3, 0, 4, 0, 5, 1, 6, 0];
    let not_modified: &[u8] = &[8, 3, 3, 0];
    let moved: &[u8] = &[0, 1, 1, 5, 3, 0, 0, 0, 1, 25, 1, 57, 3, 0, 6, 0];
    for (first, second) in [
        (found, not_modified),
        (found, &[15, 3]),
        (moved, found),
        (&[0, 8, 1, 56, 3, 0], moved),
    ] {
        let urls = [site, first, b"https://example.org/robots.txt", site, second];
        let setup = [&[2], &file.setup[..]].concat();
        all.push([&setup[..], &file.body, BETWEEN, &urls.join(BETWEEN)].concat());
    }
    all
}

/// Words that are worth putting in, as libFuzzer reads them.
#[allow(dead_code)]
pub fn dictionary() -> String {
    use std::fmt::Write as _;
    #[rustfmt::skip]
    let lists = [
        words::AGENT_FIELDS,
        words::ALLOW_FIELDS,
        words::DISALLOW_FIELDS,
        words::SITEMAP_FIELDS,
        words::DELAY_FIELDS,
        words::SEPARATORS,
        words::COMMON_AGENTS,
        words::LINES,
        words::DELAYS,
        words::ENDS,
        words::BLANK_ENDS,
        words::MARKS,
        words::PIECES,
        words::FRONTS,
        words::BACKS,
        &[BETWEEN, &[MANY, 255], b"Content-Usage: ", b"train-ai=n", b"=(y n);a=1", b"max-age=", b"Location"],
    ];
    let mut words: Vec<&[u8]> = lists.concat();
    words.sort_unstable();
    words.dedup();
    let mut text = String::new();
    for word in words
        .into_iter()
        .filter(|word| (1..=60).contains(&word.len()))
    {
        text.push('"');
        for byte in word {
            write!(text, "\\x{byte:02X}").unwrap();
        }
        text.push_str("\"\n");
    }
    text
}
