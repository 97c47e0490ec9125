//! The most a stranger can ask for: 500 KiB of rules that are hard in one way each, and a URL of 16 KiB.

use crate::corpus::{Body, Site};

const BODY: usize = 512_000;
const URL: usize = 16_384;
const HOST: &str = "https://www.example.com";

type Shape = (&'static str, fn() -> Site);

/// Row, and rules with their URL.
pub const SHAPES: &[Shape] = &[
    // Every rule matches up to its last piece.
    ("worst-pieces", || {
        site(&url("/b", "a"), |n| format!("/{}*b", pieces(n)))
    }),
    // As many wildcard rules as can be, whose first pieces are all there.
    ("worst-short", || {
        site(&url("/b", "a01234567889"), |n| format!("/*a{n}*b"))
    }),
    ("worst-pairs", || {
        site(&url("/", "xy0123456789"), |n| format!("/*x{}*y{n}z", n % 7))
    }),
    // Pieces that almost occur everywhere: at their end, at their start, in the middle.
    ("worst-near-end", || {
        site(&url("/", "a"), |n| format!("/*{}b{n}", "a".repeat(20)))
    }),
    ("worst-near-start", || {
        site(&url("/", "a"), |n| format!("/*{n}b{}", "a".repeat(20)))
    }),
    ("worst-near-middle", || {
        site(&url("/", "a"), |n| format!("/*{0}{n}{0}", "a".repeat(10)))
    }),
    // Every rule's literal start is a prefix of the URL and of the next rule's.
    ("worst-prefixes", || {
        site(&url("/", "a"), |n| format!("/{}", "a".repeat(n + 1)))
    }),
    ("worst-prefixes-star", || {
        site(&url("/", "a"), |n| format!("/{}*b", "a".repeat(n + 1)))
    }),
    ("worst-prefixes-end", || {
        site(&url("/", "a"), |n| format!("/{}$", "a".repeat(n + 1)))
    }),
    ("worst-one-rule", || {
        site(&url("/", "a"), |_| {
            "/".to_owned() + &"*a".repeat(BODY / 2 - 20)
        })
    }),
    // URLs that have to be brought into canonical form, byte by byte.
    ("worst-escapes", || {
        site(&url("/", "%41%2f%3a"), |n| format!("/*A%2F*:{n}"))
    }),
    ("worst-utf8", || {
        site(&url("/", "é"), |n| format!("/*é*%C3{n}"))
    }),
    ("worst-stars", || {
        site(&url("/", "*$"), |n| format!("/*%2A*%24{n}"))
    }),
];

/// A URL of 16 KiB: the host, `start`, and `filling` over and over.
fn url(start: &str, filling: &str) -> String {
    let start = format!("{HOST}{start}");
    let times = (URL - start.len()) / filling.len();
    start + &filling.repeat(times)
}

/// Fifty pieces `*a`, those set in `number` with another `a`.
fn pieces(number: usize) -> String {
    (0..50)
        .map(|bit| {
            if bit < 16 && number >> bit & 1 == 1 {
                "*aa"
            } else {
                "*a"
            }
        })
        .collect()
}

/// As many rules as fit into a body that is read whole.
fn site(url: &str, rule: impl Fn(usize) -> String) -> Site {
    let mut text = String::from("User-agent: *\n");
    for number in 0.. {
        let line = format!("Disallow: {}\n", rule(number));
        if text.len() + line.len() > BODY {
            break;
        }
        text.push_str(&line);
    }
    Site::new(Body::new(text.into_bytes()), vec![url.to_owned()])
}
