//! SPEC 9.4 and 9.5: what a site prefers for a URL.

use super::groups::Rule;
use super::{Site, paths, winner};
use std::collections::BTreeMap;

/// A line with preferences.
#[derive(Clone)]
pub enum Line {
    Signal(Vec<u8>),
    Usage(Vec<u8>),
    /// 9.7
    License(Vec<u8>),
}

/// `n`, `y` or `?` for each vocabulary (`signal`, `usage`) and label.
pub type Preferences = BTreeMap<(&'static str, Vec<u8>), char>;

impl Site {
    /// The preferences for a URL; `None` if it is none. `dictionary` reads one of RFC 9651.
    pub fn preferences(
        &self,
        url: &[u8],
        dictionary: impl Fn(&[u8]) -> Vec<(Vec<u8>, char)>,
    ) -> Option<Preferences> {
        let mut all = Preferences::new();
        let answer = self.decide(url);
        if answer.url_error {
            return None;
        }
        if !answer.allowed || self.is_robots_txt(url) {
            return Some(all);
        }
        // Of several values no wins, then yes.
        let mut add = |vocabulary, label: Vec<u8>, choice: char| {
            let rank = |choice| "ny?".find(choice);
            let kept = all.entry((vocabulary, label)).or_insert(choice);
            if rank(choice) < rank(*kept) {
                *kept = choice;
            }
        };
        let mut usages = Vec::new();
        for line in &self.preference_lines {
            match line {
                Line::Signal(value) => {
                    for (label, choice) in signals(value) {
                        add("signal", label, choice);
                    }
                }
                Line::Usage(value) => usages.push(self.path_and_rest(value)),
                Line::License(_) => {}
            }
        }
        // 8.11: those of every reading count.
        for reading in self.readings(url) {
            let rules: Vec<Rule> = (0..)
                .zip(&usages)
                .map(|(line, (path, _))| Rule {
                    line,
                    allow: false,
                    path: paths::canonical_rule(self.dialect, path),
                })
                .collect();
            let matching = winner::matching(self.dialect, &rules, &reading);
            let longest = matching.iter().map(|(_, _, length)| *length).max();
            for (line, _, length) in matching {
                if Some(length) == longest {
                    for (label, choice) in dictionary(usages[line as usize].1) {
                        add("usage", label, choice);
                    }
                }
            }
        }
        Some(all)
    }

    /// 8.9, 9.4: each client sends the URL for the robots.txt.
    pub fn is_robots_txt(&self, url: &[u8]) -> bool {
        let readings = self.readings(url);
        let path = |url: &Vec<u8>| paths::canonical_url(self.dialect, url);
        let is = |url: &Vec<u8>| path(url).is_some_and(|path| path == b"/robots.txt");
        readings.iter().all(is)
    }

    /// 9.7: the licenses of the groups obeyed, and in no group.
    pub fn licenses(&self) -> Vec<Vec<u8>> {
        let lines = self.preference_lines.iter();
        let license = |line: &Line| match line {
            Line::License(value) => Some(value.clone()),
            _ => None,
        };
        lines.filter_map(license).collect()
    }

    /// 9.5: the path ends at the first space or tab; without one it is `/`.
    fn path_and_rest<'v>(&self, value: &'v [u8]) -> (&'v [u8], &'v [u8]) {
        if !value.starts_with(b"/") {
            return (b"/", value);
        }
        let gap = value.iter().position(|byte| matches!(byte, b' ' | b'\t'));
        let (path, rest) = value.split_at(gap.unwrap_or(value.len()));
        let trimmed = |text| super::file::trim(self.dialect, text);
        (trimmed(path), trimmed(rest))
    }
}

/// 9.4
pub fn signals(value: &[u8]) -> Vec<(Vec<u8>, char)> {
    let mut all = Vec::new();
    for signal in value.split(|byte| *byte == b',') {
        let mut parts = signal.splitn(2, |byte| *byte == b'=');
        let label = parts.next().unwrap().trim_ascii().to_ascii_lowercase();
        let value = parts.next().unwrap_or_default().trim_ascii();
        if !label.is_empty() {
            let choice = match &*value.to_ascii_lowercase() {
                b"yes" => 'y',
                b"no" => 'n',
                _ => '?',
            };
            all.push((label, choice));
        }
    }
    all
}

/// A dictionary of RFC 9651 whose values, if any, are Tokens; nothing else, and no parameters.
pub fn plain_dictionary(text: &[u8]) -> Vec<(Vec<u8>, char)> {
    let mut all: Vec<(Vec<u8>, char)> = Vec::new();
    let text = String::from_utf8_lossy(text);
    if text.trim_matches(' ').is_empty() {
        return all;
    }
    for member in text.trim_matches(' ').split(',') {
        let member = member.trim_matches([' ', '\t']);
        let (key, value) = match member.split_once('=') {
            Some((key, value)) => (key, Some(value)),
            None => (member, None),
        };
        let is_start = |c: char| c.is_ascii_lowercase() || c == '*';
        let is_key = |c: char| is_start(c) || c.is_ascii_digit() || "_-.".contains(c);
        let is_valid = key.starts_with(is_start)
            && key.chars().all(is_key)
            && value.is_none_or(|value| value.starts_with(|c: char| c.is_ascii_alphabetic()))
            && value.is_none_or(|value| value.chars().all(|c| c.is_ascii_alphanumeric()));
        if !is_valid {
            return Vec::new();
        }
        let choice = match value {
            Some("y") => 'y',
            Some("n") => 'n',
            _ => '?',
        };
        // The last of equal keys counts.
        all.retain(|(other, _)| other != key.as_bytes());
        all.push((key.as_bytes().to_vec(), choice));
    }
    all
}
