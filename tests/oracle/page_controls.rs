//! SPEC 9.6 written down as plainly as possible: the rules of a response for one crawler, and what they decide.

use super::dates::{date, is_blank};
use std::collections::BTreeMap;

/// A value of a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    XRobotsTag(Vec<u8>),
    RobotsTag(Vec<u8>),
    Meta(Vec<u8>, Vec<u8>),
}

/// The rules for a crawler.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The values of the controls that a rule decides, by name.
    pub values: BTreeMap<&'static str, i64>,
    /// Whether the deciding date has a zone: `known`, `missing`, `unknown`.
    pub zone: &'static str,
    pub unknown: Vec<String>,
}

/// The name of each control, and its value if no rule decides.
pub const CONTROLS: [(&str, i64); 11] = [
    ("index", 1),
    ("follow", 1),
    ("archive", 1),
    ("snippet", 1),
    ("translate", 1),
    ("image_index", 1),
    ("index_if_embedded", 1),
    ("max_snippet", -1),
    ("max_image_preview", -1),
    ("max_video_preview", -1),
    ("unavailable_after", -1),
];

/// Bytes as characters of the same numbers, so that no byte is lost.
fn text_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

const VALUED: [&str; 4] = [
    "max-snippet",
    "max-image-preview",
    "max-video-preview",
    "unavailable_after",
];

const WORDS: [&str; 13] = [
    "all",
    "index",
    "follow",
    "archive",
    "none",
    "noindex",
    "nofollow",
    "noarchive",
    "nocache",
    "nosnippet",
    "notranslate",
    "noimageindex",
    "indexifembedded",
];

fn is_valued(name: &str) -> bool {
    VALUED.contains(&name.to_ascii_lowercase().as_str())
}

fn is_word(name: &str) -> bool {
    WORDS.contains(&name.to_ascii_lowercase().as_str())
}

/// A rule, and the name of the crawler that it is for; `None` for all.
struct Rule {
    name: Option<String>,
    text: String,
    /// What it decides.
    effects: Vec<(&'static str, i64)>,
    /// `unavailable_after: ...`: the date.
    date: Option<Option<(i64, &'static str)>>,
}

/// Reads the values of a response for a crawler with these product tokens.
pub fn read(tokens: &[Vec<u8>], inputs: &[Input]) -> Page {
    let mut page = Page::default();
    for input in inputs {
        let rules = match input {
            Input::XRobotsTag(value) => listed(&text_of(value), true),
            Input::RobotsTag(value) => draft(&text_of(value)),
            Input::Meta(name, content) => {
                let name = trim(&text_of(name)).to_owned();
                let mut rules = listed(&text_of(content), false);
                for rule in &mut rules {
                    rule.name = Some(name.clone());
                }
                rules
            }
        };
        for rule in rules {
            let is_ours = match &rule.name {
                None => true,
                Some(name) => {
                    let name = name.to_ascii_lowercase();
                    let tokens = tokens
                        .iter()
                        .map(|token| text_of(token).to_ascii_lowercase());
                    name == "*" || name == "robots" || tokens.into_iter().any(|token| token == name)
                }
            };
            if is_ours {
                page.obey(&rule);
            }
        }
    }
    // `indexifembedded` has an effect only beside `noindex`.
    let is_embeddable = page.values.remove("index_if_embedded").is_some();
    let is_indexed = page.values.get("index") != Some(&0);
    if let Some(index) = page.values.get("index").copied() {
        let value = if is_indexed {
            index
        } else {
            is_embeddable.into()
        };
        page.values.insert("index_if_embedded", value);
    }
    page
}

/// What can name a crawler (7.6).
fn is_name(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    text == "*" || !text.is_empty() && text.chars().all(is_part)
}

/// The rules of an `X-Robots-Tag` or of the content of a `<meta>`.
fn listed(value: &str, has_names: bool) -> Vec<Rule> {
    let mut rules = Vec::new();
    let mut name = None;
    // The elements, each with the separator that ends it.
    let mut elements: Vec<&str> = value.split_inclusive([',', ';']).collect();
    elements.reverse();
    while let Some(mut element) = elements.pop() {
        let bare = |element: &str| element.trim_end_matches([',', ';']).to_owned();
        // Names that stand before the rule.
        while let Some((front, rest)) = element.split_once(':') {
            if !has_names || is_valued(trim(front)) || !is_name(trim(front)) {
                break;
            }
            name = Some(trim(front).to_owned());
            element = rest;
        }
        let Some((front, argument)) = element.split_once(':') else {
            let bare = bare(element);
            if bare.split(is_blank).any(is_word) {
                for word in bare.split(is_blank).filter(|word| !word.is_empty()) {
                    rules.push(Rule::new(&name, word));
                }
            } else {
                rules.push(Rule::new(&name, &bare));
            }
            continue;
        };
        if !trim(front).eq_ignore_ascii_case("unavailable_after") {
            rules.push(Rule::new(&name, &bare(element)));
            continue;
        }
        // A date may hold two commas: the longest text that is one counts.
        let mut found = None;
        for more in (0..=2_usize).rev() {
            let mut text = argument.to_owned();
            let mut is_possible = true;
            for next in elements.iter().rev().take(more) {
                is_possible &= text.ends_with(',');
                text.push_str(next);
            }
            is_possible &= elements.len() >= more;
            // A date that a comma ends may be followed by nothing.
            if let Some(date) = date(trim(&bare_once(&text))).filter(|_| is_possible) {
                found = Some((more, text, date));
                break;
            }
        }
        match found {
            Some((more, text, date)) => {
                elements.truncate(elements.len() - more);
                let text = format!("{front}:{}", bare_once(&text));
                rules.push(Rule {
                    date: Some(Some(date)),
                    ..Rule::new(&name, &text)
                });
            }
            None => rules.push(Rule {
                date: Some(None),
                ..Rule::new(&name, &bare(element))
            }),
        }
    }
    rules
}

/// Without the separator at its end.
fn bare_once(text: &str) -> String {
    text.strip_suffix([',', ';']).unwrap_or(text).to_owned()
}

impl Rule {
    fn new(name: &Option<String>, text: &str) -> Rule {
        Rule {
            name: name.clone(),
            text: trim(text).to_owned(),
            effects: effects(text),
            date: None,
        }
    }
}

/// The rules of the draft's `Robots-Tag`, in the form of 00 (`a, b; Bot=c`) or of 03 (`*;a;b, Bot;c`).
fn draft(value: &str) -> Vec<Rule> {
    // Separators outside of quotes.
    let mut items = vec![(',', String::new())];
    let mut characters = value.chars();
    let mut quoted = false;
    while let Some(c) = characters.next() {
        match c {
            ',' | ';' if !quoted => {
                items.push((c, String::new()));
                continue;
            }
            '"' => quoted = !quoted,
            _ => {}
        }
        let last = &mut items.last_mut().unwrap().1;
        last.push(c);
        if c == '\\' && quoted {
            last.extend(characters.next());
        }
    }
    let parts = |item: &str| {
        let item = trim(item);
        let (name, argument) = match item.find(['=', ':']) {
            Some(at) => (&item[..at], Some(unquoted(trim(&item[at + 1..])))),
            None => (item, None),
        };
        (unquoted(trim(name)), argument)
    };
    let names = |item: &str| {
        let (name, argument) = parts(item);
        (is_name(&name) && !is_word(&name) && !is_valued(&name)).then_some((name, argument))
    };
    let is_first_a_name = names(&items[0].1).is_some_and(|(_, argument)| argument.is_none());
    let has_equals = items
        .iter()
        .any(|(_, item)| names(item).is_some_and(|(_, argument)| argument.is_some()));
    let is_03 =
        items.iter().any(|(separator, _)| *separator == ';') && (is_first_a_name || !has_equals);
    let mut rules = Vec::new();
    let mut current = None;
    for (separator, item) in &items {
        if *separator == if is_03 { ',' } else { ';' } {
            current = None;
        }
        let mut rule = trim(item).to_owned();
        match names(item) {
            Some((name, None)) if is_03 && *separator == ',' => {
                current = Some(name);
                continue;
            }
            Some((name, Some(argument))) if !is_03 => {
                current = Some(name);
                rule = trim(&argument).to_owned();
            }
            _ => {}
        }
        let (name, argument) = parts(&rule);
        match argument {
            Some(argument) if name.eq_ignore_ascii_case("unavailable_after") => rules.push(Rule {
                date: Some(date(&argument)),
                ..Rule::new(&current, &rule)
            }),
            Some(argument) if is_valued(&name) => rules.push(Rule {
                effects: effects(&format!("{name}:{argument}")),
                ..Rule::new(&current, &rule)
            }),
            Some(argument) if argument == "?1" => {
                for word in words(&name) {
                    rules.push(Rule::new(&current, &word));
                }
            }
            Some(_) => rules.push(Rule {
                effects: vec![],
                ..Rule::new(&current, &rule)
            }),
            None => {
                for word in words(&rule) {
                    rules.push(Rule::new(&current, &word));
                }
            }
        }
    }
    rules
}

fn words(text: &str) -> Vec<String> {
    if text.split(is_blank).any(is_word) {
        let words = text.split(is_blank).filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    } else {
        vec![text.to_owned()]
    }
}

fn unquoted(text: &str) -> String {
    match text.strip_prefix('"') {
        Some(inside) => inside.strip_suffix('"').unwrap_or(inside).to_owned(),
        None => text.to_owned(),
    }
}

impl Page {
    fn obey(&mut self, rule: &Rule) {
        let shown = rule.text.clone();
        if shown.is_empty() {
            return;
        }
        match rule.date {
            Some(Some((seconds, zone))) => {
                if self
                    .values
                    .get("unavailable_after")
                    .is_none_or(|earliest| seconds < *earliest)
                {
                    self.values.insert("unavailable_after", seconds);
                    self.zone = zone;
                }
                return;
            }
            Some(None) => return self.unknown.push(shown),
            None => {}
        }
        if rule.effects.is_empty() {
            self.unknown.push(shown);
        }
        for (control, value) in rule.effects.iter().copied() {
            let old = self.values.entry(control).or_insert(value);
            let is_lower = *old == -1 || value != -1 && value < *old;
            if is_lower {
                *old = value;
            }
        }
    }
}

/// What a rule decides; nothing if it is unknown or has no valid value.
fn effects(rule: &str) -> Vec<(&'static str, i64)> {
    let no_snippet = vec![("snippet", 0), ("max_snippet", 0), ("max_video_preview", 0)];
    let rule = rule.to_ascii_lowercase();
    let (name, value) = match rule.split_once(':') {
        Some((name, value)) => (trim(name), Some(trim(value))),
        None => (trim(&rule), None),
    };
    let number = |value: &str| match value {
        "-1" => Some(-1),
        _ if value.is_empty() || !value.chars().all(|c| c.is_ascii_digit()) => None,
        // What is too large for a number is the largest.
        _ => Some(value.parse().unwrap_or(i64::MAX)),
    };
    match (name, value) {
        ("all", None) => vec![("index", 1), ("follow", 1)],
        ("index", None) => vec![("index", 1)],
        ("follow", None) => vec![("follow", 1)],
        ("archive", None) => vec![("archive", 1)],
        ("none", None) => vec![("index", 0), ("follow", 0)],
        ("noindex", None) => vec![("index", 0)],
        ("nofollow", None) => vec![("follow", 0)],
        ("noarchive" | "nocache", None) => vec![("archive", 0)],
        ("nosnippet", None) => no_snippet,
        ("notranslate", None) => vec![("translate", 0)],
        ("noimageindex", None) => vec![("image_index", 0)],
        ("indexifembedded", None) => vec![("index_if_embedded", 1)],
        ("max-snippet", Some(value)) => match number(value) {
            Some(0) => no_snippet,
            Some(most) => vec![("max_snippet", most)],
            None => vec![],
        },
        ("max-video-preview", Some(value)) => match number(value) {
            Some(most) => vec![("max_video_preview", most)],
            None => vec![],
        },
        ("max-image-preview", Some("none")) => vec![("max_image_preview", 0)],
        ("max-image-preview", Some("standard")) => vec![("max_image_preview", 1)],
        ("max-image-preview", Some("large")) => vec![("max_image_preview", 2)],
        _ => vec![],
    }
}
