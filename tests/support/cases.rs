//! The reader of `tests/data/*.case`.
//!
//! A case file is read line by line, and the first word of a line decides what it is:
//!
//! ```text
//! # comment
//! case SPEC 8.3: a star matches any bytes       the row(s) of the specification, then the title
//! dialect google                                rfc9309 (default), google or koster1996
//! token Googlebot-Image                         in order of preference; default ExampleBot
//! set ignore_star 1                             an option of reading, by its name in api.json
//! bad_token Foo Bot                             this token is refused
//! | User-agent: *                               a line of the file; a `\` as the last byte: no LF
//! repeat 99 | # filler                          the same line 99 times
//! allowed 0 no_rule /index.htm                  verdict, line, reason, URL
//! error url relative/path                       the text is not a URL, and not allowed
//! delay 2.5                                     or `delay none`
//! sitemap https://example.com/s.xml             the next sitemap; `sitemaps 0`: there is none
//! ```
//!
//! Escapes in lines of the file, in sitemaps and in URLs: `\xHH`, `\r`, `\n`, `\t`, `\s` (space), `\\`.
//!
//! A `.pair` file has the same lines for two sets of rules, and their difference:
//!
//! ```text
//! case SPEC 12.2: a page in a folder
//! | User-agent: *
//! other                                         the lines below are those of the other rules
//! | User-agent: *
//! | Disallow: /a
//! found /a allow no_rule 0 deny rule_disallowed 2      the first path and both verdicts; or `none`, or `not_decided`
//! ```

use std::path::Path;

pub struct Case {
    /// `section-8-matching.case:12`, where the case starts.
    pub place: String,
    /// `["8.3"]`
    pub rows: Vec<String>,
    pub title: String,
    /// As it is written; empty if not given.
    pub dialect: String,
    pub tokens: Vec<Vec<u8>>,
    pub bad_tokens: Vec<Vec<u8>>,
    pub options: Vec<(String, u64)>,
    pub body: Vec<u8>,
    pub expectations: Vec<(String, Expectation)>,
}

pub enum Expectation {
    Verdict {
        allowed: bool,
        line: u32,
        reason: String,
        url: Vec<u8>,
    },
    UrlError {
        url: Vec<u8>,
    },
    Delay(Option<f64>),
    /// All of them, in order.
    Sitemaps(Vec<Vec<u8>>),
}

/// Two sets of rules, and their difference as it is written.
pub struct Pair {
    pub sides: Vec<Case>,
    pub difference: String,
}

/// Every pair of a text of a `.pair` file.
pub fn read_pairs(name: &str, text: &str) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    for (place, word, rest) in lines(name, text) {
        if word == "case" {
            pairs.push(Pair {
                sides: vec![new_case(place, rest)],
                difference: String::new(),
            });
            continue;
        }
        let Some(pair) = pairs.last_mut() else {
            panic!("{place}: no case has started");
        };
        match word {
            "other" => {
                let first = &pair.sides[0];
                let title = format!("SPEC {}: {}", first.rows.join(" "), first.title);
                pair.sides.push(new_case(place, &title));
            }
            "found" => pair.difference = format!("found {rest}"),
            "none" | "not_decided" => pair.difference = word.to_owned(),
            _ => {
                let is_known = setup(pair.sides.last_mut().unwrap(), &place, word, rest);
                assert!(is_known, "{place}: unknown word {word:?}");
            }
        }
    }
    pairs
}

/// Every case of the `.case` files of a folder, the files in order of their names.
pub fn read_folder(folder: &Path) -> Vec<Case> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "case")
        })
        .collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        read_text(&name, &std::fs::read_to_string(&file).unwrap(), &mut cases);
    }
    cases
}

fn read_text(name: &str, text: &str, cases: &mut Vec<Case>) {
    let first = cases.len();
    for (place, word, rest) in lines(name, text) {
        if word == "case" {
            cases.push(new_case(place, rest));
            continue;
        }
        assert!(cases.len() > first, "{place}: no case has started");
        let case = cases.last_mut().unwrap();
        if !setup(case, &place, word, rest) {
            expectation(case, place, word, rest);
        }
    }
}

/// Returns the lines that are no comments: the place of each, its first word, and the rest.
fn lines<'t>(name: &'t str, text: &'t str) -> impl Iterator<Item = (String, &'t str, &'t str)> {
    let lines = text.lines().enumerate().map(move |(index, line)| {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        (format!("{name}:{}", index + 1), word, rest)
    });
    lines.filter(|(_, word, _)| !word.is_empty() && !word.starts_with('#'))
}

/// Reads a line about the crawler or the file. Returns false for another line.
fn setup(case: &mut Case, place: &str, word: &str, rest: &str) -> bool {
    match word {
        "dialect" => case.dialect = rest.to_owned(),
        "token" => case.tokens.push(unescape(rest).0),
        "bad_token" => case.bad_tokens.push(unescape(rest).0),
        "set" => {
            let (option, value) = rest
                .split_once(' ')
                .unwrap_or_else(|| panic!("{place}: set OPTION VALUE"));
            case.options.push((option.to_owned(), number(place, value)));
        }
        "|" => push_line(&mut case.body, rest),
        "repeat" => {
            let (count, line) = rest
                .split_once(" |")
                .unwrap_or_else(|| panic!("{place}: repeat N | LINE"));
            for _ in 0..number(place, count) {
                push_line(&mut case.body, line.strip_prefix(' ').unwrap_or(line));
            }
        }
        _ => return false,
    }
    true
}

fn new_case(place: String, title: &str) -> Case {
    let (rows, title) = title
        .strip_prefix("SPEC ")
        .and_then(|title| title.split_once(": "))
        .unwrap_or_else(|| panic!("{place}: case SPEC <rows>: <title>"));
    Case {
        place,
        rows: rows.split(' ').map(str::to_owned).collect(),
        title: title.to_owned(),
        dialect: String::new(),
        tokens: Vec::new(),
        bad_tokens: Vec::new(),
        options: Vec::new(),
        body: Vec::new(),
        expectations: Vec::new(),
    }
}

fn expectation(case: &mut Case, place: String, word: &str, rest: &str) {
    let expected = match word {
        "allowed" | "disallowed" => {
            let mut parts = rest.splitn(3, ' ');
            let (Some(line), Some(reason)) = (parts.next(), parts.next()) else {
                panic!("{place}: {word} LINE REASON URL");
            };
            // The URL may be empty.
            let url = parts.next().unwrap_or_default();
            Expectation::Verdict {
                allowed: word == "allowed",
                line: u32::try_from(number(&place, line)).unwrap(),
                reason: reason.to_owned(),
                url: unescape(url).0,
            }
        }
        "error" => {
            let url = rest
                .strip_prefix("url")
                .unwrap_or_else(|| panic!("{place}: error url URL"));
            Expectation::UrlError {
                url: unescape(url.strip_prefix(' ').unwrap_or(url)).0,
            }
        }
        "delay" if rest == "none" => Expectation::Delay(None),
        "delay" => Expectation::Delay(Some(
            rest.parse()
                .unwrap_or_else(|_| panic!("{place}: delay SECONDS")),
        )),
        "sitemaps" if rest == "0" => Expectation::Sitemaps(Vec::new()),
        "sitemap" => {
            let value = unescape(rest).0;
            for (_, earlier) in &mut case.expectations {
                if let Expectation::Sitemaps(all) = earlier {
                    all.push(value);
                    return;
                }
            }
            Expectation::Sitemaps(vec![value])
        }
        _ => panic!("{place}: unknown word {word:?}"),
    };
    case.expectations.push((place, expected));
}

fn number(place: &str, text: &str) -> u64 {
    text.parse()
        .unwrap_or_else(|_| panic!("{place}: {text:?} is no number"))
}

pub fn push_line(body: &mut Vec<u8>, text: &str) {
    let (bytes, ended) = unescape(text);
    body.extend_from_slice(&bytes);
    if ended {
        body.push(b'\n');
    }
}

/// The bytes of a text with escapes, and whether a line of the file ends here: not when a lone `\` is its
/// last byte.
fn unescape(text: &str) -> (Vec<u8>, bool) {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    loop {
        rest = match rest {
            [] => return (bytes, true),
            [b'\\'] => return (bytes, false),
            [b'\\', b'x', hex @ ..] => {
                let digits = std::str::from_utf8(&hex[..2]).unwrap();
                bytes.push(
                    u8::from_str_radix(digits, 16).unwrap_or_else(|_| panic!("\\x{digits}?")),
                );
                &hex[2..]
            }
            [b'\\', letter, more @ ..] => {
                bytes.push(match letter {
                    b'r' => b'\r',
                    b'n' => b'\n',
                    b't' => b'\t',
                    b's' => b' ',
                    b'\\' => b'\\',
                    other => panic!("unknown escape \\{} in {text:?}", char::from(*other)),
                });
                more
            }
            [byte, more @ ..] => {
                bytes.push(*byte);
                more
            }
        };
    }
}
