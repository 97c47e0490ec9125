//! Records that do not affect a verdict: SPEC 9.3, 9.4, 9.5, and the `Content-Usage` header field.

mod dictionary;
mod lines;
mod page_controls;
mod preferences;
mod properties;
mod uses;

use robots::{Choice, Crawler, Dialect, ExtensionField, Extensions, Preferences, Vocabulary};

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
fn shown(preferences: &Preferences) -> String {
    let one = |preference: &robots::Preference| {
        let vocabulary = match preference.vocabulary {
            Vocabulary::ContentUsage => "u",
            _ => "s",
        };
        let choice = match preference.choice {
            Choice::Yes => "y",
            Choice::No => "n",
            Choice::Unknown => "?",
        };
        let label = String::from_utf8_lossy(&preference.label).into_owned();
        format!("{vocabulary} {label}={choice}@{}", preference.line)
    };
    preferences.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn preferences(body: &str, url: &str) -> String {
    preferences_of("ExampleBot", Dialect::Rfc9309, body, url)
}

fn preferences_of(token: &str, dialect: Dialect, body: &str, url: &str) -> String {
    let crawler = Crawler::new(token).unwrap().with_dialect(dialect).unwrap();
    let extensions = Extensions::parse(&crawler, body).unwrap();
    let preferences = extensions.preferences(url).unwrap();
    shown(&preferences)
}

fn header(value: &str) -> String {
    shown(&Preferences::from_header(value).unwrap())
}
