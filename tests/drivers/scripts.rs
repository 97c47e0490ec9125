//! The reader of `tests/data/*.script`: events of a cache by a clock of their own, and what a driver answers to each.
//!
//! ```text
//! # comment
//! script SPEC 3.8: old rules serve during a refresh   the row(s) of the specification, then the title
//! dialect google                                      rfc9309 (default), google or koster1996
//! token Googlebot-Image                               in order of preference; default ExampleBot
//! set on_forbidden 2                                  an option of the crawler, by its name in api.json
//! next                                                a further crawler: the lines above, for it
//! bytes 65536                                         the limit of the cache; default 1000000
//! cache horizon_ms 0                                  an option of the cache, by its name in api.json
//! refused argument                                    crawler or cache are refused; there are no events
//! check 0 https://example.com/ @1h => fetch defer defer 0 -       an event (README.md lists them) and its answer
//! start @1h | end dns @1h => get https://example.com/robots.txt | done      several events, and as many answers
//! ```
//!
//! `@` begins a time: so much later than 1,800,000,000 seconds after 1970, as `@0`, `@0.2s`, `@1d-1s` with the units s, m, h and d.
//! A word in quotes may have blanks, the escapes `\n`, `\r`, `\t`, `\"`, `\\`, `\xHH`, and `{TEXT*COUNT}`, a text so many times.

use super::fields::{Question, word};
use super::shared::{Asked, add_crawler, files};

/// The scripts: each is one question.
pub fn scripts() -> Vec<Vec<Asked>> {
    let mut scripts = Vec::new();
    for (file, text) in files("script") {
        let first = scripts.len();
        for (index, line) in text.lines().enumerate() {
            let place = format!("{file}:{}", index + 1);
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(title) = line.strip_prefix("script SPEC ") {
                scripts.push(Script::new(format!("{place}: {title}")));
                continue;
            }
            assert!(scripts.len() > first, "{place}: no script has started");
            scripts.last_mut().unwrap().take(place, line);
        }
    }
    let asked = |script: Script| vec![script.asked()];
    scripts.into_iter().map(asked).collect()
}

struct Crawler {
    dialect: String,
    options: Vec<(String, u64)>,
    tokens: Vec<Vec<u8>>,
}

struct Script {
    place: String,
    crawlers: Vec<Crawler>,
    bytes: String,
    cache: Vec<String>,
    events: Vec<String>,
    answers: Vec<(String, String)>,
}

impl Crawler {
    fn new() -> Crawler {
        Crawler {
            dialect: "rfc9309".to_owned(),
            options: Vec::new(),
            tokens: Vec::new(),
        }
    }
}

impl Script {
    fn new(place: String) -> Script {
        Script {
            place,
            crawlers: vec![Crawler::new()],
            bytes: "1000000".to_owned(),
            cache: Vec::new(),
            events: Vec::new(),
            answers: Vec::new(),
        }
    }

    fn take(&mut self, place: String, line: &str) {
        if let Some((events, answers)) = line.split_once(" => ") {
            let (events, answers) = (events.split(" | "), answers.split(" | "));
            self.events.extend(events.map(event));
            let answer = |answer| (place.clone(), expected(answer));
            self.answers.extend(answers.map(answer));
            let are_as_many = self.events.len() == self.answers.len();
            assert!(are_as_many, "{place}: each event needs an answer");
            return;
        }
        let crawler = self.crawlers.last_mut().unwrap();
        let rest: Vec<&str> = line.split(' ').collect();
        match rest.as_slice() {
            ["dialect", name] => (*name).clone_into(&mut crawler.dialect),
            ["token", token] => crawler.tokens.push(token.as_bytes().to_vec()),
            ["set", name, value] => {
                let value = value
                    .parse()
                    .unwrap_or_else(|_| panic!("{place}: {value}?"));
                crawler.options.push(((*name).to_owned(), value));
            }
            ["next"] => self.crawlers.push(Crawler::new()),
            ["bytes", value] => (*value).clone_into(&mut self.bytes),
            ["cache", name, value] => self.cache.push(format!("{name}:{value}")),
            ["refused", name] => self.answers.push((place, format!("error {name}"))),
            _ => panic!("{place}: what is {line:?}? tests/drivers/scripts.rs lists the lines"),
        }
    }

    fn asked(self) -> Asked {
        let place = self.place;
        let is_refused = self.events.is_empty() && self.answers.len() == 1;
        assert!(
            is_refused || !self.events.is_empty() && self.events.len() == self.answers.len(),
            "{place}: each event needs an answer"
        );
        let mut question = Question::new("script");
        for (index, crawler) in self.crawlers.into_iter().enumerate() {
            if index > 0 {
                question.add("next", "");
            }
            let options: Vec<(&str, u64)> = crawler
                .options
                .iter()
                .map(|(name, value)| (name.as_str(), *value))
                .collect();
            let tokens = match crawler.tokens.is_empty() {
                true => vec![b"ExampleBot".to_vec()],
                false => crawler.tokens,
            };
            add_crawler(&mut question, &crawler.dialect, &options, &tokens);
        }
        question.add("bytes", self.bytes);
        for option in self.cache {
            question.add("cache", option);
        }
        for event in self.events {
            question.add("do", event);
        }
        Asked {
            place,
            question: question.0,
            expected: self.answers,
        }
    }
}

/// The time that `@0` is, in seconds.
const EPOCH: u64 = 1_800_000_000;
/// How far from that a number still is a time.
const NEAR: u64 = 150_000_000;

/// Returns an event as drivers read it.
fn event(text: &str) -> String {
    let each = words(text).map(|it| it.unwrap_or_else(|ms| ms.to_string()));
    each.collect::<Vec<_>>().join(" ")
}

/// Returns an answer of a script as `canonical` returns that of a driver.
fn expected(text: &str) -> String {
    let each = words(text).map(|it| it.unwrap_or_else(written));
    each.collect::<Vec<_>>().join(" ")
}

/// Returns an answer with its times as scripts write them, all in seconds.
pub fn canonical(answer: &str) -> String {
    let near = |number: &u64, unit: u64| number.abs_diff(EPOCH * unit) < NEAR * unit;
    let each = answer.split(' ').map(|word| match word.parse::<u64>() {
        Ok(number) if near(&number, 1) => written(number * 1000),
        Ok(number) if near(&number, 1000) => written(number),
        _ => word.to_owned(),
    });
    each.collect::<Vec<_>>().join(" ")
}

fn written(ms: u64) -> String {
    let offset = i128::from(ms) - i128::from(EPOCH * 1000);
    format!("@{}", offset as f64 / 1000.0)
}

/// Splits a line into words as drivers read them, or times in milliseconds.
fn words(line: &str) -> impl Iterator<Item = Result<String, u64>> + '_ {
    let mut rest = line;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        if let Some(quoted) = rest.strip_prefix('"') {
            let (bytes, after) = unquoted(quoted);
            rest = after.strip_prefix(' ').unwrap_or(after);
            return Some(Ok(word(&bytes)));
        }
        let (one, after) = rest.split_once(' ').unwrap_or((rest, ""));
        rest = after;
        Some(match one.strip_prefix('@') {
            Some(offset) => Err(time(offset)),
            None => Ok(one.to_owned()),
        })
    })
}

/// Reads `1d-1s` as milliseconds since 1970.
fn time(offset: &str) -> u64 {
    let mut total = EPOCH as f64 * 1000.0;
    for term in offset.split_inclusive(['+', '-']).scan(1.0, |sign, term| {
        let now = *sign;
        *sign = if term.ends_with('-') { -1.0 } else { 1.0 };
        Some((now, term.trim_end_matches(['+', '-'])))
    }) {
        let (sign, text) = term;
        let digits = text.trim_end_matches(char::is_alphabetic);
        let unit = match &text[digits.len()..] {
            "" | "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            "d" => 86_400.0,
            other => panic!("no unit {other:?} in @{offset}"),
        };
        if !digits.is_empty() {
            let number: f64 = digits.parse().unwrap_or_else(|_| panic!("@{offset}?"));
            total += sign * number * unit * 1000.0;
        }
    }
    total.round() as u64
}

/// Reads a word up to its closing quote; returns what follows, too.
fn unquoted(text: &str) -> (Vec<u8>, &str) {
    let mut bytes = Vec::new();
    let mut repeated = None;
    let mut rest = text;
    loop {
        let mut chars = rest.chars();
        let char = chars
            .next()
            .unwrap_or_else(|| panic!("no closing quote in {text:?}"));
        rest = chars.as_str();
        match char {
            '"' => return (bytes, rest),
            '{' => repeated = Some(bytes.len()),
            '*' if repeated.is_some() => {
                let start = repeated.take().unwrap();
                let (count, after) = rest.split_once('}').unwrap();
                let piece = bytes.split_off(start);
                bytes.extend(piece.repeat(count.parse().unwrap()));
                rest = after;
            }
            '\\' => {
                let escape = chars.next().unwrap();
                rest = chars.as_str();
                match escape {
                    'n' => bytes.push(b'\n'),
                    'r' => bytes.push(b'\r'),
                    't' => bytes.push(b'\t'),
                    'x' => {
                        bytes.push(u8::from_str_radix(&rest[..2], 16).unwrap());
                        rest = &rest[2..];
                    }
                    other => bytes.extend(other.to_string().bytes()),
                }
            }
            other => bytes.extend(other.to_string().bytes()),
        }
    }
}
