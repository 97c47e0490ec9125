//! The reader of `tests/data/*.page`; the head of the file describes the format.

use crate::oracle::page_controls::Input;

/// A case: what is added, and the lines with expectations.
#[derive(Debug)]
pub struct Case {
    pub title: String,
    pub tokens: Vec<Vec<u8>>,
    pub inputs: Vec<Input>,
    /// Other headers of the response, by name and value.
    pub others: Vec<(Vec<u8>, Vec<u8>)>,
    pub values: Vec<(String, i64)>,
    /// Control, source, number, text.
    pub decided: Vec<(String, String, u32, Vec<u8>)>,
    /// Control, token.
    pub agents: Vec<(String, String)>,
    pub zone: String,
    /// Source, number, text.
    pub unknown: Vec<(String, u32, Vec<u8>)>,
}

/// Undoes the escapes of the case files.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next().unwrap() {
            b't' => b'\t',
            b'n' => b'\n',
            b's' => b' ',
            b'\\' => b'\\',
            b'x' => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                u8::from_str_radix(core::str::from_utf8(&digits).unwrap(), 16).unwrap()
            }
            other => panic!("no escape: {}", char::from(other)),
        });
    }
    bytes
}

/// Every case of a file.
pub fn read(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (word, rest) = line.split_once(' ').unwrap();
        if word == "case" {
            cases.push(Case {
                title: rest.to_owned(),
                tokens: vec![b"ExampleBot".to_vec()],
                inputs: vec![],
                others: vec![],
                values: vec![],
                decided: vec![],
                agents: vec![],
                zone: "known".to_owned(),
                unknown: vec![],
            });
            continue;
        }
        let case = cases.last_mut().unwrap();
        let words: Vec<&str> = rest.split(' ').collect();
        let after = |count: usize| unescape(&words[count..].join(" "));
        match word {
            "crawler" => case.tokens = words.iter().map(|token| token.as_bytes().into()).collect(),
            "header" => {
                let (name, value) = rest.split_once(": ").unwrap();
                let value = unescape(value);
                match name.to_ascii_lowercase().as_str() {
                    "x-robots-tag" => case.inputs.push(Input::XRobotsTag(value)),
                    "robots-tag" => case.inputs.push(Input::RobotsTag(value)),
                    _ => case.others.push((name.as_bytes().into(), value)),
                }
            }
            "meta" => {
                let (name, content) = rest.split_once(": ").unwrap();
                case.inputs
                    .push(Input::Meta(unescape(name), unescape(content)));
            }
            "by" => case.decided.push((
                words[0].to_owned(),
                words[1].to_owned(),
                words[2].parse().unwrap(),
                after(3),
            )),
            "for" => case.agents.push((words[0].to_owned(), words[1].to_owned())),
            "zone" => rest.clone_into(&mut case.zone),
            "unknown" => {
                case.unknown
                    .push((words[0].to_owned(), words[1].parse().unwrap(), after(2)));
            }
            control => case
                .values
                .push((control.to_owned(), rest.parse().unwrap())),
        }
    }
    cases
}
