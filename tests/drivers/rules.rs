//! The answers to questions of kind `rules`, and how those of a driver compare with Rust's.

use super::fields::{split, unescaped};
use std::collections::BTreeMap;

/// How many URLs were compared, by driver and way.
pub type Compared = BTreeMap<String, u64>;

/// What differs, and at which of the URLs if at one.
pub type Fault = (String, Option<usize>);

/// An answer. One that is none of this kind has the status `u64::MAX`.
pub struct Said {
    pub status: u64,
    /// As it is written.
    delay: String,
    sitemaps: Vec<Vec<u8>>,
    image: Vec<u8>,
    ways: Vec<Way>,
    line: String,
}

struct Way {
    name: String,
    kind: String,
    /// `None` for a URL that this way cannot be asked about.
    numbers: Vec<Option<u64>>,
}

impl Said {
    pub fn read(line: &str) -> Said {
        let mut said = Said {
            status: u64::MAX,
            delay: String::new(),
            sitemaps: Vec::new(),
            image: Vec::new(),
            ways: Vec::new(),
            line: line.to_owned(),
        };
        for (name, value) in split(line) {
            let text = String::from_utf8_lossy(&value);
            match name {
                "status" => said.status = text.parse().unwrap_or(u64::MAX),
                "delay" => said.delay = text.into_owned(),
                "sitemap" => said.sitemaps.push(value),
                "image" => said.image = value,
                "way" => said.ways.extend(Way::read(&text)),
                _ => (),
            }
        }
        said
    }
}

impl Way {
    fn read(text: &str) -> Option<Way> {
        let mut words = text.split(' ');
        let (name, kind, numbers) = (words.next()?, words.next()?, words.next()?);
        let number = |text: &str| u64::from_str_radix(text, 16).ok();
        let numbers = numbers.split(',').filter(|text| !text.is_empty());
        Some(Way {
            name: String::from_utf8_lossy(&unescaped(name)).into_owned(),
            kind: kind.to_owned(),
            numbers: numbers.map(number).collect(),
        })
    }
}

/// The URLs of a question.
pub fn urls(question: &str) -> Vec<Vec<u8>> {
    let fields = split(question).into_iter();
    let urls = fields.filter(|(name, _)| *name == "url");
    urls.map(|(_, url)| url).collect()
}

/// Compares an answer with Rust's, whose first way all others must agree with.
pub fn agree(
    name: &str,
    urls: &[Vec<u8>],
    rust: &Said,
    said: &Said,
    compared: &mut Compared,
) -> Result<(), Fault> {
    let whole = |what: &str, is: &dyn std::fmt::Debug, rust: &dyn std::fmt::Debug| {
        Err((format!("{name}: {what} {is:?}, Rust says {rust:?}"), None))
    };
    if said.status == u64::MAX {
        return whole("answer", &said.line, &rust.line);
    }
    if said.status != rust.status {
        return whole("status", &said.status, &rust.status);
    }
    if said.status != 0 {
        return Ok(());
    }
    let delay = |said: &Said| said.delay.parse::<f64>().ok().map(f64::to_bits);
    let same = match said.delay.strip_prefix("ns:") {
        Some(nanoseconds) => nanoseconds.parse().ok() == delay(rust).map(in_nanoseconds),
        None if rust.delay == "none" => said.delay == "none",
        None => delay(said) == delay(rust),
    };
    if !same {
        return whole("crawl-delay", &said.delay, &rust.delay);
    }
    let sitemaps: Vec<Vec<u8>> = match language(name) {
        // Strings of Java and JavaScript hold no bytes.
        "java" | "js" => rust.sitemaps.iter().map(|text| lossy(text)).collect(),
        _ => rust.sitemaps.clone(),
    };
    if said.sitemaps != sitemaps {
        return whole("sitemaps", &said.sitemaps, &sitemaps);
    }
    if said.image != rust.image {
        let place = said.image.iter().zip(&rust.image).position(|(a, b)| a != b);
        let lengths = (said.image.len(), rust.image.len());
        return whole("image", &(place, lengths), &"otherwise");
    }
    if said.ways.is_empty() {
        return Err((format!("{name}: no way to ask"), None));
    }
    for way in &said.ways {
        agree_on(name, urls, rust, way, compared)?;
    }
    Ok(())
}

fn agree_on(
    name: &str,
    urls: &[Vec<u8>],
    rust: &Said,
    way: &Way,
    compared: &mut Compared,
) -> Result<(), Fault> {
    if way.numbers.len() != urls.len() {
        let (is, wanted) = (way.numbers.len(), urls.len());
        return Err((
            format!("{name}, {}: {is} numbers, not {wanted}", way.name),
            None,
        ));
    }
    let count = compared.entry(format!("{name}: {}", way.name)).or_default();
    for (at, (&number, url)) in way.numbers.iter().zip(urls).enumerate() {
        let word = rust.ways[0].numbers[at].unwrap();
        let wanted = match way.kind.as_str() {
            "word" => word,
            "allowed" => word & 1,
            "batch" if word >> 16 & 0xFFFF != 0 => 2,
            "batch" => word & 1,
            other => return Err((format!("{name}, {}: kind {other}", way.name), None)),
        };
        if number.is_none() && may_be_left_out(&way.name, url) {
            continue;
        }
        *count += 1;
        if number != Some(wanted) {
            let fault = format!(
                "{name}, {}: {number:x?}, Rust says {wanted:x} ({})",
                way.name, way.kind
            );
            return Err((fault, Some(at)));
        }
    }
    Ok(())
}

/// A URL that is not UTF-8 cannot be a string of Java or JavaScript.
fn may_be_left_out(way: &str, url: &[u8]) -> bool {
    way.contains("String") && std::str::from_utf8(url).is_err()
}

/// What Go makes of a crawl-delay: its Duration.
fn in_nanoseconds(delay: u64) -> i64 {
    let nanoseconds = f64::from_bits(delay) * 1e9;
    // Past the longest Duration a cast stops there.
    nanoseconds.round() as i64
}

/// Returns the language of a driver: the name of another build is js-without-simd.
pub fn language(name: &str) -> &str {
    name.split('-').next().unwrap()
}

pub fn lossy(text: &[u8]) -> Vec<u8> {
    String::from_utf8_lossy(text).into_owned().into_bytes()
}
