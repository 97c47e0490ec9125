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

#[rustfmt::skip]
const WORDS: [&str; 15] = [
    "all", "index", "follow", "archive", "none", "noindex", "nofollow", "noarchive", "nocache", "nosnippet",
    "notranslate", "noimageindex", "indexifembedded", "noai", "noimageai",
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
    date: Option<(i64, &'static str)>,
}

/// Reads the values of a response for a crawler with these product tokens.
pub fn read(tokens: &[Vec<u8>], inputs: &[Input]) -> Page {
    let is_ours = |name: &str| {
        let is = |token: &Vec<u8>| text_of(token).eq_ignore_ascii_case(name);
        name == "*" || name.eq_ignore_ascii_case("robots") || tokens.iter().any(is)
    };
    let mut page = Page::default();
    for input in inputs {
        let rules = match input {
            Input::XRobotsTag(value) => listed(&text_of(value), Naming::Colon, is_ours),
            Input::RobotsTag(value) => listed(&text_of(value), form(&text_of(value)), is_ours),
            Input::Meta(name, content) if is_ours(trim(&text_of(name))) => {
                listed(&text_of(content), Naming::Nowhere, is_ours)
            }
            Input::Meta(..) => vec![],
        };
        for rule in rules {
            if rule.name.as_deref().is_none_or(is_ours) {
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

/// What can name a crawler.
fn is_name(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let has_letter = text.chars().any(|c| c.is_ascii_alphabetic());
    text == "*" || has_letter && text.chars().all(is_part) && !is_word(text) && !is_valued(text)
}

/// A piece of a list, and the positions of its first character and of the one after it.
#[derive(Clone, Debug, PartialEq)]
struct Piece {
    what: What,
    start: usize,
    end: usize,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    Word(String),
    /// `:` or `=`
    Sign(char),
    /// `,` or `;`
    Separator(char),
}

/// White space, and quotes, only end words.
fn pieces(value: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut is_new = true;
    for (start, c) in value.char_indices() {
        let end = start + c.len_utf8();
        let what = match c {
            ',' | ';' => What::Separator(c),
            ':' | '=' => What::Sign(c),
            _ if is_blank(c) || c == '"' => {
                is_new = true;
                continue;
            }
            _ => What::Word(c.to_string()),
        };
        match (pieces.last_mut(), &what) {
            (Some(last), What::Word(more)) if !is_new => {
                let What::Word(word) = &mut last.what else {
                    unreachable!("only a word goes on");
                };
                word.push_str(more);
                last.end = end;
            }
            _ => pieces.push(Piece { what, start, end }),
        }
        is_new = matches!(c, ',' | ';' | ':' | '=');
    }
    pieces
}

/// Where a list names crawlers.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Naming {
    Nowhere,
    /// The first word of an element before `:`.
    Colon,
    /// The first word of an element before `:` or `=`; `;` ends the part.
    Sign,
    /// An element that is one word, after `,`, which ends the part.
    Element,
}

/// The form of a `Robots-Tag`: 00 (`a, b; Bot=c`) or 03 (`*;a;b, Bot;c`).
fn form(value: &str) -> Naming {
    let pieces = pieces(value);
    let is_separator = |piece: &Piece| matches!(piece.what, What::Separator(_));
    let elements: Vec<&[Piece]> = pieces.split(is_separator).collect();
    let is_word = |piece: &Piece| matches!(&piece.what, What::Word(word) if is_name(word));
    let starts_with_name = matches!(elements[0], [name] if is_word(name));
    let has_signs = elements.iter().any(|element| match element {
        [name, sign, ..] => is_word(name) && matches!(sign.what, What::Sign(_)),
        _ => false,
    });
    if value.contains(';') && (starts_with_name || !has_signs) {
        Naming::Element
    } else {
        Naming::Sign
    }
}

/// The rules of a list. `is_ours`: whether a name is one of the crawler's.
fn listed(value: &str, naming: Naming, is_ours: impl Fn(&str) -> bool) -> Vec<Rule> {
    let pieces = pieces(value);
    let word = |at: usize| match pieces.get(at).map(|piece| &piece.what) {
        Some(What::Word(word)) => word.as_str(),
        _ => "",
    };
    let sign = |at: usize| match pieces.get(at).map(|piece| &piece.what) {
        Some(What::Sign(sign)) => Some(*sign),
        _ => None,
    };
    let separator = |at: usize| match pieces.get(at).map(|piece| &piece.what) {
        Some(What::Separator(separator)) => Some(*separator),
        _ => None,
    };
    let mut rules: Vec<Rule> = Vec::new();
    let mut name: Option<String> = None;
    // The unknown rule that the next unknown word continues: where it starts.
    let mut unknown: Option<usize> = None;
    let (mut before, mut is_first) = (',', true);
    let mut at = 0;
    while at < pieces.len() {
        let start = pieces[at].start;
        if let Some(next) = separator(at) {
            (before, is_first, unknown) = (next, true, None);
            let ends_part = match naming {
                Naming::Nowhere | Naming::Colon => false,
                Naming::Sign => next == ';',
                Naming::Element => next == ',',
            };
            if ends_part {
                name = None;
            }
            at += 1;
            continue;
        }
        let (text, is_at_start) = (word(at), is_first);
        is_first = false;
        let signed = !text.is_empty() && sign(at + 1).is_some();
        let after = at + 1 + usize::from(signed);
        // A known rule, and the piece after it.
        let mut known: Option<(Rule, usize)> = None;
        if is_word(text) {
            if !signed || word(after) != "?0" {
                let is_true = signed && word(after) == "?1";
                known = Some((Rule::new(&name, text), after + usize::from(is_true)));
            }
        } else if signed && text.eq_ignore_ascii_case("unavailable_after") {
            // The longest text that is a date: to the end of any word or piece.
            let from = pieces.get(after).map_or(value.len(), |piece| piece.start);
            let lasts = (after..pieces.len()).take_while(|last| separator(*last) != Some(';'));
            for last in lasts.filter(|last| !matches!(pieces[*last].what, What::Separator(_))) {
                let end = pieces[last].end;
                let next = value[end..].chars().next();
                let is_signed = sign(last + 1).is_some();
                if is_signed || next.is_some_and(|c| !is_blank(c) && !matches!(c, ',' | ';' | '"'))
                {
                    continue;
                }
                if let Some(date) = date(&value[from..end]) {
                    let mut rule = Rule::new(&name, &value[start..end]);
                    (rule.date, rule.effects) = (Some(date), vec![]);
                    known = Some((rule, last + 1));
                }
                if end - from > 128 {
                    break;
                }
            }
        } else if signed && is_valued(text) {
            let effects = effects(&format!("{text}:{}", word(after)));
            if !effects.is_empty() {
                let mut rule = Rule::new(&name, &value[start..pieces[after].end]);
                rule.effects = effects;
                known = Some((rule, after + 1));
            }
        }
        if let Some((rule, next)) = known {
            rules.push(rule);
            (unknown, at) = (None, next);
            continue;
        }
        let stands_for_name = match naming {
            Naming::Nowhere => false,
            Naming::Colon => sign(at + 1) == Some(':'),
            Naming::Sign => signed,
            Naming::Element => {
                let is_alone = at + 1 == pieces.len() || separator(at + 1).is_some();
                is_at_start && before == ',' && is_alone
            }
        };
        if stands_for_name && is_name(text) && (is_at_start || is_ours(text)) {
            name = Some(text.to_owned());
            (unknown, at) = (None, after);
            continue;
        }
        // `noindex=?0`
        let next = after + usize::from(is_word(text));
        let end = pieces[next - 1].end;
        if let Some(first) = unknown {
            rules.pop();
            rules.push(Rule::unknown(&name, &value[first..end]));
        } else {
            unknown = Some(start);
            rules.push(Rule::unknown(&name, &value[start..end]));
        }
        at = next;
    }
    rules
}

impl Rule {
    fn new(name: &Option<String>, text: &str) -> Rule {
        Rule {
            effects: effects(text),
            ..Rule::unknown(name, text)
        }
    }

    fn unknown(name: &Option<String>, text: &str) -> Rule {
        Rule {
            name: name.clone(),
            text: text.to_owned(),
            effects: vec![],
            date: None,
        }
    }
}

impl Page {
    fn obey(&mut self, rule: &Rule) {
        if let Some((seconds, zone)) = rule.date {
            let earliest = self.values.get("unavailable_after");
            if earliest.is_none_or(|earliest| seconds < *earliest) {
                self.values.insert("unavailable_after", seconds);
                self.zone = zone;
            }
            return;
        }
        if rule.effects.is_empty() {
            self.unknown.push(rule.text.clone());
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
