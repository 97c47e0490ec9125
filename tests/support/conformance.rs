//! The cases of the conformance suite, from what the tests read. `tests/conformance/VERSION` has a checksum for each chapter.
//!
//! `make conformance-cases` writes the files and the checksums; `tests/conformance/README.md` describes the files.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The fields of a question, in the order in which they are written.
pub type Fields = Vec<(&'static str, Value)>;

/// Cases by chapter.
pub struct Suite {
    levels: Vec<(String, [String; 3])>,
    chapters: BTreeMap<&'static str, Vec<String>>,
    /// What is expected, by id and question: each question is asked once.
    asked: BTreeMap<String, (String, Value)>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance")
}

pub const DIALECTS: [&str; 3] = ["rfc9309", "google", "koster1996"];

impl Suite {
    /// Returns a suite without cases, with the levels of `rows.tsv`.
    pub fn new() -> Suite {
        let table = fs::read_to_string(folder().join("rows.tsv")).unwrap();
        let rows = table.lines().filter(|line| !line.starts_with('#')).skip(1);
        let cells = |line: &str| {
            let mut cells = line.split('\t').map(str::to_owned);
            let row = cells.next().unwrap();
            let levels: Vec<String> = cells.collect();
            (row, levels.try_into().unwrap())
        };
        Suite {
            levels: rows.map(cells).collect(),
            chapters: BTreeMap::new(),
            asked: BTreeMap::new(),
        }
    }

    /// The rows that `rows.tsv` names, without those for some cases of a row.
    pub fn rows(&self) -> Vec<&str> {
        let rows = self.levels.iter().map(|(row, _)| row.as_str());
        rows.filter(|row| !row.contains('/')).collect()
    }

    /// Level and source of a case: those of its weakest row.
    fn level(&self, rows: &[&str], dialect: &str, why: &str) -> (&str, &str) {
        let column = DIALECTS.iter().position(|name| *name == dialect).unwrap();
        let of_row = |row: &str| {
            let narrow = self.levels.iter().find(|(name, _)| {
                let words = name
                    .strip_prefix(row)
                    .and_then(|rest| rest.strip_prefix('/'));
                words.is_some_and(|words| why.contains(words))
            });
            let found = narrow.or_else(|| self.levels.iter().find(|(name, _)| name == row));
            let (_, cells) = found.unwrap_or_else(|| {
                panic!("tests/conformance/rows.tsv has no row {row}: add a line for it")
            });
            cells[column].split_once(' ').unwrap()
        };
        let strength = |level: &str| {
            ["reading", "should", "must"]
                .iter()
                .position(|l| *l == level)
        };
        let all = rows.iter().map(|row| of_row(row));
        all.min_by_key(|(level, _)| strength(level).unwrap())
            .unwrap()
    }

    /// Adds a case. A question that was asked before must have the same answer.
    pub fn add(
        &mut self,
        chapter: &'static str,
        rows: &[&str],
        dialect: &str,
        why: &str,
        mut question: Fields,
        expect: Value,
    ) {
        question.insert(1, ("dialect", json!(dialect)));
        let text = object(&question);
        let id = format!("{}-{:08x}", rows[0], fnv(&text) >> 32);
        if let Some((earlier, answer)) = self.asked.get(&id) {
            assert_eq!(
                (earlier, answer),
                (&text, &expect),
                "{id} {why}: two questions or answers"
            );
            return;
        }
        let (mut level, source) = self.level(rows, dialect, why);
        // Sources bound the time until the next attempt; none says it to the second.
        let is_due = question.contains(&("kind", json!("due")));
        if is_due || dialect != "google" && is_ours_alone(&question) {
            level = "reading";
        }
        let mut fields: Fields = vec![
            ("id", json!(id)),
            ("why", json!(why)),
            ("spec", json!(rows)),
            ("source", json!(source)),
            ("level", json!(level)),
        ];
        fields.extend(question);
        fields.push(("expect", expect.clone()));
        self.asked.insert(id, (text, expect));
        self.chapters
            .entry(chapter)
            .or_default()
            .push(object(&fields));
    }

    /// Compares the checksum of each chapter with `VERSION`. If CONFORMANCE names a folder, writes the chapters to `cases` in it.
    /// If UPDATE_CONFORMANCE is set, writes the checksums that changed, with the number of the version that it holds.
    pub fn finish(self) {
        let path = folder().join("VERSION");
        let (mut version, mut changed) = (fs::read_to_string(&path).unwrap(), String::new());
        for (chapter, lines) in self.chapters {
            let text = lines.join("\n") + "\n";
            if let Some(out) = std::env::var_os("CONFORMANCE") {
                let cases = Path::new(&out).join("cases");
                fs::create_dir_all(&cases).unwrap();
                fs::write(cases.join(format!("{chapter}.jsonl")), &text).unwrap();
            }
            let start = format!("{chapter} ");
            let line = format!("{chapter} {} {:016x}", lines.len(), fnv(&text));
            if version.lines().all(|recorded| recorded != line) {
                changed.push_str(&start);
                let others = version.lines().filter(|line| !line.starts_with(&start));
                let mut all: Vec<&str> = others.chain([&*line]).collect();
                all[1..].sort_unstable();
                version = all.join("\n") + "\n";
            }
        }
        if changed.is_empty() {
            return;
        }
        let number = std::env::var("UPDATE_CONFORMANCE").unwrap_or_else(|_| {
            panic!("the cases of {changed}changed: `make conformance-cases` writes them, and a new version in {path:?}")
        });
        let (_, checksums) = version.split_once('\n').unwrap();
        fs::write(&path, format!("{number}\n{checksums}")).unwrap();
    }
}

/// Whether a question has what the standards leave open: several agents, an option, a URL of another scheme or of bytes
/// that no URL has.
fn is_ours_alone(question: &Fields) -> bool {
    let is_ours = |(name, value): &(&str, Value)| match (*name, value) {
        ("agents", Value::Array(agents)) => agents.len() > 1,
        ("url", Value::String(url)) => {
            let rest = url
                .strip_prefix("http://")
                .or_else(|| url.strip_prefix("https://"));
            let is_http =
                rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()));
            let is_malformed = |c: char| c.is_ascii_control() || " \"<>\\^`{|}".contains(c);
            !(is_http || url.starts_with('/')) || url.contains(is_malformed)
        }
        (name, _) => name == "options",
    };
    let is_check = question.contains(&("kind", json!("check")));
    is_check && question.iter().any(is_ours)
}

fn object(fields: &[(&str, Value)]) -> String {
    let field = |(name, value): &(&str, Value)| format!("{}: {value}", json!(name));
    format!(
        "{{{}}}",
        fields.iter().map(field).collect::<Vec<_>>().join(", ")
    )
}

/// FNV-1a.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Bytes as JSON: text, `{"base64": ...}`, or a list of parts, with `{"repeat": N, "of": ...}` among them.
pub fn bytes(all: &[u8]) -> Value {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    while at < all.len() {
        match run(&all[at..]) {
            Some((period, count)) => {
                if start < at {
                    parts.push(plain(&all[start..at]));
                }
                parts.push(json!({"repeat": count, "of": plain(&all[at..at + period])}));
                at += period * count;
                start = at;
            }
            None => at += 1,
        }
    }
    if start < all.len() || parts.is_empty() {
        parts.push(plain(&all[start..]));
    }
    match parts.len() {
        1 if !parts[0].is_object() => parts.remove(0),
        _ => json!(parts),
    }
}

/// What is worth a repetition at the start of some bytes: its length, and how often it stands there.
fn run(bytes: &[u8]) -> Option<(usize, usize)> {
    let line = bytes
        .iter()
        .take(100)
        .position(|byte| *byte == b'\n')
        .map(|at| at + 1);
    let of_line = line.into_iter().map(|period| (period, 5));
    [(1, 100), (2, 50)]
        .into_iter()
        .chain(of_line)
        .find_map(|(period, least)| {
            let piece = bytes.get(..period)?;
            let count = bytes
                .chunks(period)
                .take_while(|chunk| *chunk == piece)
                .count();
            (count >= least).then_some((period, count))
        })
}

fn plain(bytes: &[u8]) -> Value {
    use base64::Engine as _;
    match std::str::from_utf8(bytes) {
        Ok(text) => json!(text),
        Err(_) => json!({"base64": base64::prelude::BASE64_STANDARD.encode(bytes)}),
    }
}
