//! Bounds of lint on hostile files (SPEC 10.1, 10.2): peak heap, work, and the size of the report.
//!
//! ```text
//! ROBOTS_SEARCH=2000 cargo test --release --test lint_bounds -- --nocapture
//! ```
//!
//! tries so many random shapes, prints the worst, and bounds the CPU time more narrowly. A shape that exceeds a bound belongs in
//! `hostile.rs`.
#![allow(
    unsafe_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs
)]

#[allow(dead_code)]
#[path = "../support/heap.rs"]
mod heap;
mod hostile;

use heap::peak;
use robots::limits::MAX_PER_CODE;
use robots::{Code, Crawler, Dialect, lint};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

#[global_allocator]
static HEAP: heap::Counting = heap::Counting;

fn crawler(dialect: Dialect) -> Crawler {
    let crawler = Crawler::new("ExampleBot").unwrap().with_lint_all(true);
    crawler.with_dialect(dialect).unwrap()
}

/// Returns the CPU time of this thread; other systems than Linux use a clock.
fn cpu_time(begin: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text
        .split(' ')
        .next()
        .and_then(|number| number.parse().ok());
    nanoseconds.map_or_else(|| begin.elapsed(), Duration::from_nanos)
}

/// The cost of lint on one file.
#[derive(Clone, Copy, Debug)]
struct Cost {
    /// Peak heap, in hundredths of the file.
    heap: usize,
    time: Duration,
}

fn cost(name: &str, body: &[u8], dialect: Dialect) -> Cost {
    let begin = Instant::now();
    let start = cpu_time(begin);
    let mut report = None;
    let heap = peak(|| report = Some(lint(&crawler(dialect), body).unwrap()));
    let time = cpu_time(begin) - start;
    let report = report.unwrap();
    let text = report.to_string();
    assert!(report.diagnostics().len() <= Code::ALL.len() * MAX_PER_CODE);
    assert!(
        text.len() < 100_000,
        "{name}: {} bytes of report",
        text.len()
    );
    for (code, total) in report.totals() {
        let of_code = report.diagnostics().iter();
        let kept = of_code.filter(|found| found.code == *code).count();
        assert_eq!(kept as u64, (*total).min(MAX_PER_CODE as u64));
    }
    Cost {
        heap: heap * 100 / body.len().max(1),
        time,
    }
}

fn is_measured() -> bool {
    std::env::var_os("ROBOTS_SEARCH").is_some()
}

/// The most CPU time of a file. A slow machine needs less than the second, and a search without a bound needs more.
fn most_time() -> Duration {
    Duration::from_secs(if is_measured() { 1 } else { 20 })
}

const ALL: [Dialect; 3] = [Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996];

/// SPEC 10.2: at most 16 times the file, for every hostile file.
#[test]
fn hostile_files_are_linted_within_bounds() {
    let mut beyond = String::new();
    for (name, body) in hostile::files() {
        assert!((300_000..=512_000).contains(&body.len()), "{name}");
        for dialect in ALL {
            let cost = cost(name, &body, dialect);
            println!(
                "{:>6} ms {:>6} % {name}, {dialect:?}",
                cost.time.as_millis(),
                cost.heap
            );
            let is_slow = cost.time > most_time();
            if cost.heap > 1_600 || is_slow {
                writeln!(beyond, "{name}, {dialect:?}: {cost:?}").unwrap();
            }
        }
    }
    assert!(beyond.is_empty(), "{beyond}");
}

/// Random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// A part of a line: fixed text, a number, or a text repeated.
#[derive(Clone, Copy, Debug)]
enum Piece {
    Text(&'static str),
    Number(usize),
    Repeat(&'static str, usize),
    Letters(usize),
}

/// A random shape: lines of pieces, repeated until the file is full.
fn shape(random: &mut Random) -> Vec<Piece> {
    #[rustfmt::skip]
    const FIELDS: &[&str] = &[
        "useragent:", "useragent:*", "User-agent: a", "allow:/", "allow:", "disallow:/*", "Disallow: /", "Disallow:",
        "crawl-delay:1", "sitemap:ftp://", "disalo:", "x:", "#", "", "noindex:/", "content-signal:", "allow ",
        "request-rate:",
    ];
    const TEXTS: &[&str] = &[
        "a", "b", "*", "/", "$", "%", "%61", "{", "\u{e9}", "?", "=", " ", "&", "x*", ".",
    ];
    const ENDS: &[&str] = &["\n", "\n", "\n", "\r", "\r\n", "\n\n"];
    const REPEATED: &[&str] = &[
        "a", "ab", "*a", "aaaa*", "%61", "{", "%", "/a", "\u{e9}", "a*b", "$", "*", " ",
    ];
    let mut pieces = Vec::new();
    for _ in 0..random.below(4) + 1 {
        pieces.push(Piece::Text(random.pick(FIELDS)));
        for _ in 0..random.below(4) {
            pieces.push(match random.below(8) {
                0..3 => Piece::Number([1, 7, 50, 1_000, 100_000][random.below(5)]),
                3 => Piece::Letters([4, 8, 33, 60, 500][random.below(5)]),
                4 => Piece::Repeat(
                    random.pick(REPEATED),
                    [2, 5, 30, 200, 5_000][random.below(5)],
                ),
                _ => Piece::Text(random.pick(TEXTS)),
            });
        }
        pieces.push(Piece::Text(random.pick(ENDS)));
    }
    pieces
}

fn fill(body: &mut String, pieces: &[Piece], len: usize, random: &mut Random) {
    let mut n = 0;
    while body.len() < len {
        for piece in pieces {
            match *piece {
                Piece::Text(text) => body.push_str(text),
                Piece::Number(end) => write!(body, "{:x}", n % end).unwrap(),
                Piece::Repeat(text, times) => body.push_str(&text.repeat(times)),
                Piece::Letters(count) => {
                    body.extend((0..count).map(|_| ['a', 'b'][random.below(2)]));
                }
            }
        }
        n += 1;
    }
}

/// One to three random shapes after each other.
fn random_file(random: &mut Random) -> (String, Vec<u8>) {
    let mut body = String::new();
    let mut name = String::new();
    let parts = random.below(3) + 1;
    for part in 1..=parts {
        let pieces = shape(random);
        write!(name, "{pieces:?}; ").unwrap();
        fill(&mut body, &pieces, 500_000 * part / parts, random);
    }
    let mut body = body.into_bytes();
    body.truncate(512_000);
    (name, body)
}

#[test]
fn random_shapes_are_linted_within_bounds() {
    let count = std::env::var("ROBOTS_SEARCH").map_or(6, |count| count.parse().unwrap());
    let seed = std::env::var("ROBOTS_SEED").map_or(1, |seed| seed.parse().unwrap());
    let mut random = Random(seed);
    let (mut slowest, mut largest) = (Duration::ZERO, 0);
    let mut beyond = String::new();
    for _ in 0..count {
        let (name, body) = random_file(&mut random);
        let cost = cost(&name, &body, ALL[random.below(5).saturating_sub(2)]);
        if cost.time > slowest && is_measured() {
            println!("{:?} {name}", cost.time);
        }
        if cost.heap > largest {
            println!("{} % {name}", cost.heap);
        }
        slowest = slowest.max(cost.time);
        largest = largest.max(cost.heap);
        if cost.heap > 1_600 || cost.time > most_time() {
            writeln!(beyond, "{cost:?}: {name}").unwrap();
        }
    }
    assert!(beyond.is_empty(), "{beyond}");
}
