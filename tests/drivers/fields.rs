//! The lines that a driver reads and writes: fields, and the words of events and answers.

use std::fmt::Write as _;

/// A question: `NAME=VALUE`, with tabs between.
#[derive(Clone)]
pub struct Question(pub String);

impl Question {
    pub fn new(kind: &str) -> Question {
        Question(format!("kind={kind}"))
    }

    pub fn add(&mut self, name: &str, value: impl AsRef<[u8]>) {
        write!(self.0, "\t{name}={}", escaped(value.as_ref())).unwrap();
    }
}

/// Splits a line into names and values.
pub fn split(line: &str) -> Vec<(&str, Vec<u8>)> {
    line.split('\t')
        .map(|field| {
            let (name, value) = field.split_once('=').unwrap_or((field, ""));
            (name, unescaped(value))
        })
        .collect()
}

/// Returns bytes with each as `%XX` that is not between `!` and `~`, or is `%`.
pub fn escaped(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        match byte {
            b'!'..=b'~' if byte != b'%' => text.push(char::from(byte)),
            _ => write!(text, "%{byte:02X}").unwrap(),
        }
    }
    text
}

pub fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        match (byte, after) {
            (b'%', [high, low, after @ ..]) => {
                let digit = |digit: &u8| char::from(*digit).to_digit(16).unwrap();
                bytes.push(u8::try_from(16 * digit(high) + digit(low)).unwrap());
                rest = after;
            }
            _ => bytes.push(*byte),
        }
    }
    bytes
}

/// Returns bytes as a word of an event or an answer: the empty one is `~`, a lone `~` is `~~`.
pub fn word(bytes: &[u8]) -> String {
    match bytes {
        b"" => "~".to_owned(),
        b"~" => "~~".to_owned(),
        _ => escaped(bytes),
    }
}

pub fn unword(text: &str) -> Vec<u8> {
    match text {
        "~" => Vec::new(),
        "~~" => b"~".to_vec(),
        _ => unescaped(text),
    }
}
