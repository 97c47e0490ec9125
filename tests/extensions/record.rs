//! The chapter `ai` of the conformance suite: the preferences that the tests of `preferences.rs` try.

use super::preferences as tests;
use crate::suite::{DIALECTS, Suite, bytes};
use robots::{Choice, Dialect, Preferences, Vocabulary};
use serde_json::{Value, json};
use std::cell::RefCell;

#[rustfmt::skip]
const TABLES: &[(&str, &str, fn())] = &[
    ("9.4", "signals of the group obeyed and of no group", tests::spec_9_4_content_signals),
    ("9.5", "the example of the draft", tests::spec_9_5_the_example_of_the_draft),
    ("9.5", "the longest path wins, and equal paths combine", tests::spec_9_5_paths),
    ("9.5", "white space around a path", tests::spec_9_5_white_space),
    ("9.5", "the longest path wins without wildcards", tests::spec_9_5_koster),
];

type Recorder = (Suite, &'static str, &'static str);

thread_local! {
    static RECORDER: RefCell<Option<Recorder>> = const { RefCell::new(None) };
}

#[test]
fn the_conformance_suite_is_what_the_tables_say() {
    RECORDER.set(Some((Suite::new(), "", "")));
    for (row, why, table) in TABLES {
        RECORDER.with_borrow_mut(|recorder| {
            let (_, of_row, of_why) = recorder.as_mut().unwrap();
            (*of_row, *of_why) = (row, why);
        });
        table();
    }
    RECORDER.take().unwrap().0.finish();
}

/// The preferences for one URL, each as `VOCABULARY:LABEL=CHOICE`.
pub(crate) fn preferences(
    token: &str,
    dialect: Dialect,
    body: &str,
    url: &str,
    preferences: &Preferences,
) {
    let shown = |preference: &robots::Preference| {
        let vocabulary = match preference.vocabulary {
            Vocabulary::ContentUsage => "content-usage",
            _ => "content-signal",
        };
        let choice = match preference.choice {
            Choice::Yes => "y",
            Choice::No => "n",
            Choice::Unknown => "?",
        };
        let label = String::from_utf8_lossy(&preference.label).into_owned();
        json!(format!("{vocabulary}:{label}={choice}"))
    };
    RECORDER.with_borrow_mut(|recorder| {
        let Some((suite, row, why)) = recorder else {
            return;
        };
        let question = vec![
            ("kind", json!("preferences")),
            ("agents", json!([token])),
            ("robots", bytes(body.as_bytes())),
            ("url", json!(url)),
        ];
        let values: Vec<Value> = preferences.iter().map(shown).collect();
        let expect = json!({"answer": "value", "values": values});
        suite.add(
            "ai",
            &[*row],
            DIALECTS[dialect as usize],
            why,
            question,
            expect,
        );
    });
}
