//! The same generated cases through every language: the answers must be the same, to the bit.
//!
//! ```text
//! differential -- NAME COMMAND [ARGUMENT...] [-- NAME COMMAND...]...
//! ```
//!
//! Each command is a driver (`wire` says what it reads and writes); `tests/differential/run` builds and starts them.
//! One case is a file, a crawler and a URL; only URLs that were decided on count, not those of a crawler whose tokens
//! are refused. `ROBOTS_CASES` says how many (20,000 unless set), `ROBOTS_SEED` which (1 unless set), and `ROBOTS_FILE`
//! asks about one file alone. The first difference ends the run; it is printed as a case for `tests/data/`, and
//! `ROBOTS_QUESTION`, if set, is the path to which the question is written, to be fed to a driver by hand.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs
)]

mod case;
#[path = "../oracle/mod.rs"]
mod oracle;
#[path = "../support/mod.rs"]
mod support;
mod wire;

use case::{Case, Cases};
use std::collections::BTreeMap;
use std::io::{BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use support::runner::{URLS, as_case};
use wire::{Kind, NONE, Said};

struct Driver {
    name: String,
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Driver {
    fn start(words: &[String]) -> Driver {
        let [name, command, arguments @ ..] = words else {
            panic!("a driver is NAME COMMAND [ARGUMENT...], not {words:?}");
        };
        let mut process = Command::new(command)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{name}: {command}: {error}"));
        Driver {
            name: name.clone(),
            questions: process.stdin.take().unwrap(),
            answers: BufReader::new(process.stdout.take().unwrap()),
            process,
        }
    }

    /// Ends its input: it has to end well.
    fn end(self) -> Result<(), String> {
        let Driver {
            name,
            mut process,
            questions,
            ..
        } = self;
        drop(questions);
        let status = process.wait().unwrap();
        if status.success() {
            Ok(())
        } else {
            Err(format!("{name}: ended with {status}"))
        }
    }
}

/// How many URLs were compared, by driver and way.
type Compared = BTreeMap<String, u64>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut drivers: Vec<Driver> = arguments
        .split(|word| word == "--")
        .filter(|words| !words.is_empty())
        .map(Driver::start)
        .collect();
    assert!(!drivers.is_empty(), "no drivers: tests/differential/run");
    let seed = variable("ROBOTS_SEED").unwrap_or(1);
    let wanted = variable("ROBOTS_CASES").unwrap_or(20_000);
    let only = variable("ROBOTS_FILE");

    let cases = Cases::new(seed);
    let mut compared = Compared::new();
    let (mut decided, mut refused, mut number) = (0, 0, only.unwrap_or(0));
    while decided < wanted {
        let case = cases.file(number);
        match ask(&mut drivers, &case, &mut compared) {
            Ok(true) => decided += case.urls.len() as u64,
            Ok(false) => refused += 1,
            Err((fault, url)) => {
                report(&case, &fault, url, seed, number);
                return ExitCode::FAILURE;
            }
        }
        number += 1;
        if only.is_some() {
            break;
        }
    }
    let mut faults: Vec<String> = drivers
        .into_iter()
        .filter_map(|driver| driver.end().err())
        .collect();
    for (what, &count) in &compared {
        println!("{count:>10} {what}");
        if count == 0 {
            faults.push(format!("{what}: never asked"));
        }
    }
    println!("{decided} cases, seed {seed}, up to file {number}; {refused} crawlers refused");
    for fault in &faults {
        println!("FAIL {fault}");
    }
    let (ways, failed) = (compared.len(), faults.len());
    println!("differential: {ways} passed, {failed} failed");
    ExitCode::from(u8::from(failed > 0))
}

fn variable(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok().filter(|text| !text.is_empty())?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{name}={text} is no number")))
}

/// What differs, and at which of the URLs if at one.
type Fault = (String, Option<usize>);

/// Asks all drivers; returns whether the crawler was made.
fn ask(drivers: &mut [Driver], case: &Case, compared: &mut Compared) -> Result<bool, Fault> {
    let question = wire::question(case);
    // All drivers think at once: a driver reads the whole question before it writes anything.
    for driver in &mut *drivers {
        let sent = driver
            .questions
            .write_all(&question)
            .and_then(|()| driver.questions.flush());
        sent.map_err(|error| gone(driver, &error))?;
    }
    let rust = case::rust(case);
    agree("rust", case, &rust, &rust, compared)?;
    for driver in drivers {
        let said = wire::said(&mut driver.answers, case.urls.len());
        let said = said.map_err(|error| gone(driver, &error))?;
        agree(&driver.name, case, &rust, &said, compared)?;
    }
    Ok(rust.status == 0)
}

fn gone(driver: &mut Driver, error: &std::io::Error) -> Fault {
    let status = driver.process.try_wait();
    let fault = format!("{}: no answer: {error} ({status:?})", driver.name);
    (fault, None)
}

fn agree(
    name: &str,
    case: &Case,
    rust: &Said,
    said: &Said,
    compared: &mut Compared,
) -> Result<(), Fault> {
    let whole = |what: &str, is: &dyn std::fmt::Debug, rust: &dyn std::fmt::Debug| {
        (format!("{name}: {what} {is:?}, Rust says {rust:?}"), None)
    };
    if said.status != rust.status {
        return Err(whole("status", &said.status, &rust.status));
    }
    if said.status != 0 {
        return Ok(());
    }
    let delay = match name {
        "go" => in_nanoseconds(rust.delay),
        _ => rust.delay,
    };
    if said.delay != delay {
        return Err(whole("crawl-delay", &said.delay, &delay));
    }
    let sitemaps: Vec<Vec<u8>> = match name {
        // Strings of Java and JavaScript hold no bytes.
        "java" | "js" => rust.sitemaps.iter().map(|text| lossy(text)).collect(),
        _ => rust.sitemaps.clone(),
    };
    if said.sitemaps != sitemaps {
        return Err(whole("sitemaps", &said.sitemaps, &sitemaps));
    }
    if said.image != rust.image {
        let place = said.image.iter().zip(&rust.image).position(|(a, b)| a != b);
        let lengths = (said.image.len(), rust.image.len());
        return Err(whole("image", &(place, lengths), &"otherwise"));
    }
    if said.ways.is_empty() {
        return Err((format!("{name}: no way to ask"), None));
    }
    for way in &said.ways {
        let count = compared.entry(format!("{name}: {}", way.name)).or_default();
        for (at, &number) in way.numbers.iter().enumerate() {
            let word = rust.ways[0].numbers[at];
            let wanted = match way.kind {
                Kind::Word => word,
                Kind::Allowed => word & 1,
                Kind::Answer if word >> 16 & 0xFFFF != 0 => 2,
                Kind::Answer => word & 1,
            };
            if number == NONE && may_be_left_out(&way.name, &case.urls[at]) {
                continue;
            }
            *count += 1;
            if number != wanted {
                let fault = format!(
                    "{name}, {}: {number:#x}, Rust says {wanted:#x} ({:?})",
                    way.name, way.kind
                );
                return Err((fault, Some(at)));
            }
        }
    }
    Ok(())
}

/// A URL that is not UTF-8 cannot be a string of Java or JavaScript.
fn may_be_left_out(way: &str, url: &[u8]) -> bool {
    way.contains("String") && std::str::from_utf8(url).is_err()
}

/// What Go makes of a crawl-delay: its Duration.
fn in_nanoseconds(delay: u64) -> u64 {
    if delay == NONE {
        return NONE;
    }
    let nanoseconds = f64::from_bits(delay) * 1e9;
    // Past the longest Duration a cast stops there.
    nanoseconds.round() as i64 as u64
}

fn lossy(text: &[u8]) -> Vec<u8> {
    String::from_utf8_lossy(text).into_owned().into_bytes()
}

fn report(case: &Case, fault: &str, url: Option<usize>, seed: u64, file: u64) {
    let at = url.unwrap_or(0);
    println!("FAIL {fault}");
    match url {
        Some(at) => println!("the URL after {at} others of file {file}, seed {seed}:"),
        None => println!("file {file}, seed {seed}; the URL below is its first of {URLS}:"),
    }
    print!("{}", as_case(&case.setup, &case.body, &case.urls[at]));
    println!("again: make differential SEED={seed} FILE={file}");
    if let Some(path) = std::env::var_os("ROBOTS_QUESTION") {
        std::fs::write(&path, wire::question(case)).unwrap();
        println!("for one driver alone: DRIVER <{}", path.display());
    }
    println!("differential: 0 passed, 1 failed");
}
