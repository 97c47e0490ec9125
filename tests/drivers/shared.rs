//! The questions of the shared data: `tests/data/*.case`, `*.pair` and `*.page`, and the outcomes of `tests/fetch`.

use super::fields::Question;
use crate::oracle::page_controls::Input;
use crate::support::cases::{Case, Expectation, Pair, read_folder, read_pairs};
use crate::support::{page, uses};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A question.
pub struct Asked {
    /// Where it is written, and what it is about.
    pub place: String,
    pub question: String,
    /// The place and the answer of each part: of a script each event, else one. Where there are none, Rust is the reference.
    pub expected: Vec<(String, String)>,
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// The files of `tests/data` with an ending, in order of their names.
pub fn files(ending: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir(data()).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == ending));
    paths.sort();
    let named = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, fs::read_to_string(path).unwrap())
    };
    paths.into_iter().map(named).collect()
}

pub fn add_crawler(
    question: &mut Question,
    dialect: &str,
    options: &[(&str, u64)],
    tokens: &[Vec<u8>],
) {
    question.add("dialect", dialect);
    for (name, value) in options {
        question.add("option", format!("{name}:{value}"));
    }
    for token in tokens {
        question.add("agent", token);
    }
}

/// The questions of each case: its rules with all URLs, and each token that must be refused, first and as a further one.
pub fn cases() -> Vec<Vec<Asked>> {
    read_folder(&data()).iter().map(of_case).collect()
}

fn of_case(case: &Case) -> Vec<Asked> {
    let asked = |tokens: &[Vec<u8>], urls: &[&Vec<u8>], expected: Option<&str>| {
        let mut question = Question::new("rules");
        add_crawler(&mut question, dialect(case), &options(case), tokens);
        question.add("robots", &case.body);
        for url in urls {
            question.add("url", url);
        }
        let place = format!("{}: {}", case.place, case.title);
        let answer = expected.map(|answer| (place.clone(), answer.to_owned()));
        Asked {
            place,
            question: question.0,
            expected: answer.into_iter().collect(),
        }
    };
    let urls: Vec<&Vec<u8>> = case
        .expectations
        .iter()
        .filter_map(|(_, expected)| match expected {
            Expectation::Verdict { url, .. } | Expectation::UrlError { url } => Some(url),
            Expectation::Delay(_) | Expectation::Sitemaps(_) => None,
        })
        .collect();
    let mut all = vec![asked(&tokens(case), &urls, None)];
    for token in &case.bad_tokens {
        let further = [default_tokens(), vec![token.clone()]].concat();
        all.push(asked(&further, &[], Some("status=2")));
        // As the first, `*` stands for a crawler without a token.
        if token != b"*" {
            all.push(asked(std::slice::from_ref(token), &[], Some("status=2")));
        }
    }
    all
}

/// The pairs of rules whose differences stand in `tests/data/*.pair`.
pub fn pairs() -> Vec<Pair> {
    let files = files("pair");
    files
        .iter()
        .flat_map(|(name, text)| read_pairs(name, text))
        .collect()
}

/// The question of a pair: the fields of its rules, then after `next` those of the other.
pub fn of_pair(pair: &Pair) -> Asked {
    let mut question = Question::new("difference");
    for (number, side) in pair.sides.iter().enumerate() {
        if number > 0 {
            question.add("next", "");
        }
        add_crawler(&mut question, dialect(side), &options(side), &tokens(side));
        question.add("robots", &side.body);
    }
    let first = &pair.sides[0];
    Asked {
        place: format!("{}: {}", first.place, first.title),
        question: question.0,
        expected: Vec::new(),
    }
}

fn dialect(case: &Case) -> &str {
    match case.dialect.as_str() {
        "" => "rfc9309",
        other => other,
    }
}

fn options(case: &Case) -> Vec<(&str, u64)> {
    let options = case.options.iter();
    options
        .map(|(name, value)| (name.as_str(), *value))
        .collect()
}

fn default_tokens() -> Vec<Vec<u8>> {
    vec![b"ExampleBot".to_vec()]
}

fn tokens(case: &Case) -> Vec<Vec<u8>> {
    match case.tokens.is_empty() {
        true => default_tokens(),
        false => case.tokens.clone(),
    }
}

#[rustfmt::skip]
const CONTROLS: [&str; 11] = [
    "index", "follow", "archive", "snippet", "translate", "image_index", "index_if_embedded", "max_snippet",
    "max_image_preview", "max_video_preview", "unavailable_after",
];

/// The questions of each page: all controls and the rules that decide them, unknown rules.
pub fn pages() -> Vec<Vec<Asked>> {
    let files = files("page");
    files
        .iter()
        .flat_map(|(name, text)| {
            page::read(text)
                .into_iter()
                .map(move |case| of_page(name, &case))
        })
        .collect()
}

fn of_page(file: &str, case: &page::Case) -> Vec<Asked> {
    let mut asked = Vec::new();
    let mut ask = |kind: &str, control: Option<&str>| {
        let mut question = Question::new(kind);
        add_crawler(&mut question, "rfc9309", &[], &case.tokens);
        if let Some(control) = control {
            question.add("control", control);
        }
        let mut pair = |name: &str, first: &[u8], second: &[u8]| {
            question.add(name, first);
            question.add("value", second);
        };
        for input in &case.inputs {
            match input {
                Input::XRobotsTag(value) => pair("header", b"X-Robots-Tag", value),
                Input::RobotsTag(value) => pair("header", b"Robots-Tag", value),
                Input::Meta(name, content) => pair("meta", name, content),
            }
        }
        for (name, value) in &case.others {
            pair("header", name, value);
        }
        asked.push(Asked {
            place: format!(
                "{file}: {}: {kind} {}",
                case.title,
                control.unwrap_or_default()
            ),
            question: question.0,
            expected: Vec::new(),
        });
    };
    for control in CONTROLS {
        ask("page", Some(control));
        ask("page-rule", Some(control));
    }
    ask("page-unknown", None);
    asked
}

/// The questions of each case of uses: the answer, the signals and the receipt for each purpose.
pub fn uses() -> Vec<Vec<Asked>> {
    uses::read().iter().map(of_use).collect()
}

fn of_use(case: &uses::Case) -> Vec<Asked> {
    let kinds = ["use", "use-signals", "use-receipt"].into_iter();
    let asked = kinds.flat_map(|kind| uses::PURPOSES.map(|(purpose, _)| (kind, purpose)));
    let asked = asked.map(|(kind, purpose)| {
        let mut question = Question::new(kind);
        let (crawler, options) = (case.crawler(), case.options());
        let options: Vec<_> = options
            .iter()
            .map(|(name, value)| (&**name, *value))
            .collect();
        let tokens: Vec<_> = crawler.tokens().map(<[u8]>::to_vec).collect();
        add_crawler(&mut question, case.dialect(), &options, &tokens);
        let texts = [("robots", case.text("robots")), ("tdm", case.tdm_file())];
        for (name, text) in texts {
            if let Some(text) = text {
                question.add(name, text);
            }
        }
        question.add("site", uses::SITE);
        for (name, pairs) in [("header", "headers"), ("meta", "metas")] {
            for [first, second] in case.pairs(pairs) {
                question.add(name, first);
                question.add("value", second);
            }
        }
        if !case.knows_page() {
            question.add("page", "unknown");
        }
        question.add("url", case.text("url").unwrap());
        question.add("purpose", purpose);
        Asked {
            place: format!("{}: {kind} {purpose}", case.place),
            question: question.0,
            expected: Vec::new(),
        }
    });
    asked.collect()
}

/// The questions that `tests/fetch` wrote, each once.
pub fn outcomes(path: &str) -> Vec<Vec<Asked>> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let questions: BTreeSet<&str> = text.lines().collect();
    let asked = |(number, question): (usize, &str)| {
        vec![Asked {
            place: format!("outcome {number}"),
            question: question.to_owned(),
            expected: Vec::new(),
        }]
    };
    questions.into_iter().enumerate().map(asked).collect()
}
