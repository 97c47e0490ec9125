//! What the drivers of `tests/drivers` are asked: each fetch of these tests, whose outcome must be the same in all languages.

use super::server::{Act, URL};
use crate::drivers::fields::Question;
use robots::api::{FETCH_OPTIONS, READ_OPTIONS};
use robots::{Crawler, Dialect, Outcome};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Write as _;

thread_local! {
    /// The question that led to an outcome, by the question's start and the record of the outcome.
    static ASKED: RefCell<HashMap<(String, Vec<u8>), Question>> = RefCell::default();
}

/// Appends an attempt, after another or as the first, to the file that `ROBOTS_OUTCOMES` names.
pub(crate) fn attempt(
    crawler: &Crawler,
    previous: Option<&Outcome>,
    script: &[Act],
    now: u64,
    outcome: &Outcome,
) {
    let Some(path) = std::env::var_os("ROBOTS_OUTCOMES") else {
        return;
    };
    // C takes a time before March 1973 for one in seconds.
    if now < 100_000_000 {
        return;
    }
    let start = of_crawler(crawler);
    let key = |outcome: &Outcome| (start.0.clone(), outcome.encode().unwrap());
    let asked = match previous {
        None => Some(start.clone()),
        Some(previous) => ASKED.with_borrow(|asked| asked.get(&key(previous)).cloned()),
    };
    // An outcome that was made otherwise is no answer to a question.
    let Some(mut question) = asked else { return };
    question.add("attempt", now.to_string());
    for act in script {
        add(&mut question, act);
    }
    let mut file = std::fs::OpenOptions::new();
    let mut file = file.append(true).create(true).open(path).unwrap();
    // One call: tests run at the same time.
    file.write_all(format!("{}\n", question.0).as_bytes())
        .unwrap();
    ASKED.with_borrow_mut(|asked| asked.insert(key(outcome), question));
}

/// The start of a question: the crawler with the options that are not those of its dialect, and the site.
fn of_crawler(crawler: &Crawler) -> Question {
    let mut question = Question::new("outcome");
    let is_its = |it: &Dialect| crawler.option(1) == Some(*it as u64);
    let dialect = Dialect::ALL.into_iter().find(is_its).unwrap();
    let plain = super::server::crawler(dialect);
    question.add("dialect", format!("{dialect:?}").to_lowercase());
    for row in READ_OPTIONS.iter().chain(FETCH_OPTIONS) {
        let value = crawler.option(row.number);
        if value != plain.option(row.number) {
            let name = row.name.trim_start_matches("ROBOTS_OPT_").to_lowercase();
            question.add("option", format!("{name}:{}", value.unwrap()));
        }
    }
    for token in crawler.tokens() {
        question.add("agent", token);
    }
    question.add("site", URL);
    question
}

fn add(question: &mut Question, act: &Act) {
    let (status, headers, body, failure) = match act {
        Act::Fail(failure) => (None, &[][..], &b""[..], Some(failure)),
        Act::Break(status, body, failure) => (Some(status), &[][..], *body, Some(failure)),
        Act::Respond(status, headers, body) => (Some(status), headers.as_slice(), *body, None),
    };
    if let Some(status) = status {
        question.add("status", status.to_string());
        for (name, value) in headers {
            question.add("header", name);
            question.add("value", value);
        }
        question.add("body", body);
    }
    let failure = failure.map(|failure| format!("{failure:?}").to_ascii_lowercase());
    question.add("end", failure.unwrap_or_default());
}
