//! Records that do not affect a verdict: SPEC 9.3, 9.4, 9.5, and the `Content-Usage` header field.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs
)]

mod dictionary;
mod lines;
#[path = "../oracle/mod.rs"]
mod oracle;
mod page_controls;
mod preferences;
mod properties;
#[path = "../support/mod.rs"]
mod support;

use robots::{Choice, Crawler, ExtensionField, Extensions, Preferences, Vocabulary};

fn extensions(body: &str) -> Extensions {
    Extensions::parse(&Crawler::new("ExampleBot").unwrap(), body).unwrap()
}

fn lines(extensions: &Extensions) -> Vec<(u32, ExtensionField, String, bool)> {
    let line = |line: robots::Extension<'_>| {
        let value = String::from_utf8_lossy(line.value()).into_owned();
        (line.line(), line.field(), value, line.in_group())
    };
    extensions.lines().map(line).collect()
}

/// All preferences as text: `u train-ai=n@3`, `s` for a content-signal.
fn shown(preferences: &Preferences) -> String {
    let one = |preference: &robots::Preference| {
        let vocabulary = match preference.vocabulary() {
            Vocabulary::ContentUsage => "u",
            _ => "s",
        };
        let choice = match preference.choice() {
            Choice::Yes => "y",
            Choice::No => "n",
            Choice::Unknown => "?",
        };
        let label = String::from_utf8_lossy(preference.label()).into_owned();
        format!("{vocabulary} {label}={choice}@{}", preference.line())
    };
    preferences.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn preferences(body: &str, url: &str) -> String {
    shown(&extensions(body).preferences(url).unwrap())
}

fn header(value: &str) -> String {
    shown(&Preferences::from_header(value).unwrap())
}
