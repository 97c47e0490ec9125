//! Records that do not affect a verdict: SPEC 9.3, 9.4, 9.5, and the `Content-Usage` header field.

mod dictionary;
mod lines;
mod page_controls;
mod preferences;
mod properties;
mod uses;

use crate::support::uses::{self as statements, Preferences};
use robots::{Crawler, Dialect, ExtensionField, Extensions, Uses};

fn extensions(body: &str) -> Extensions {
    Extensions::parse(&Crawler::new("ExampleBot").unwrap(), body).unwrap()
}

fn lines(extensions: &Extensions) -> Vec<(u32, ExtensionField, String, bool)> {
    let line = |line: robots::Extension<'_>| {
        let value = String::from_utf8_lossy(line.value).into_owned();
        (line.line, line.field, value, line.in_group)
    };
    extensions.lines().map(line).collect()
}

/// All preferences as text: `u train-ai=n@3`, `s` for a content-signal.
fn shown(preferences: Preferences) -> String {
    let one = |((is_signal, label), (said, line)): ((bool, Vec<u8>), (char, u32))| {
        let vocabulary = if is_signal { "s" } else { "u" };
        let label = String::from_utf8_lossy(&label).into_owned();
        format!("{vocabulary} {label}={said}@{line}")
    };
    preferences
        .into_iter()
        .map(one)
        .collect::<Vec<_>>()
        .join(", ")
}

fn preferences(body: &str, url: &str) -> String {
    preferences_of("ExampleBot", Dialect::Rfc9309, body, url)
}

fn preferences_of(token: &str, dialect: Dialect, body: &str, url: &str) -> String {
    let crawler = Crawler::new(token).unwrap().with_dialect(dialect).unwrap();
    let uses = Uses::new(&crawler, None, Some(body)).unwrap();
    shown(statements::preferences(&uses, url.as_bytes(), None).unwrap())
}

fn header(value: &str) -> String {
    shown(statements::of_header(value.as_bytes()))
}
