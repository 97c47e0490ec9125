//! `tests/data/api.json`: the numbers, names and sentences that the languages share. One value is one line.

use std::collections::BTreeSet;

use robots::api::{ENUMS, Enum, Unit};
use robots::{Code, Dialect, Preset};
use serde_json::{Value, json};

use super::words::{enum_of, name};

fn of_enum(one: &Enum) -> Value {
    let values = one.values.iter().map(|value| {
        json!({
            "c": value.name,
            "number": value.number,
            "name": name(one, value),
            "sentence": value.sentence(),
        })
    });
    json!({
        "c": one.name,
        "prefix": one.prefix,
        "about": one.about,
        "values": values.collect::<Vec<_>>(),
    })
}

/// The options of one enum: what each value is, and the values that it takes.
fn options(of: &str) -> Vec<Value> {
    let one = enum_of(of);
    let option = |value: &robots::api::Value| {
        let row = value.option.unwrap();
        let [rfc9309, google, koster1996] = row.default;
        json!({
            "c": value.name,
            "number": value.number,
            "name": name(one, value),
            "unit": unit(row.unit),
            "least": row.least,
            "most": row.most,
            "default": {"rfc9309": rfc9309, "google": google, "koster1996": koster1996},
            "sentence": value.sentence(),
        })
    };
    one.values.iter().map(option).collect()
}

fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Dialect => "dialect",
        Unit::OutcomeKind => "outcome_kind",
        Unit::Switch => "switch",
        Unit::Bytes => "bytes",
        Unit::Count => "count",
        Unit::Seconds => "seconds",
    }
}

fn lint(code: &Code) -> Value {
    json!({
        "code": code.to_string(),
        "severity": code.severity().name(),
        "default": !code.is_on_request(),
        "title": code.title(),
        // JSON is text: null for an example that is not UTF-8.
        "example": std::str::from_utf8(code.example()).ok(),
    })
}

fn recipe(recipe: robots::Recipe) -> Value {
    json!({
        "name": recipe.name,
        "arguments": recipe.arguments,
        "title": recipe.title,
        "section": recipe.section,
        "takes_crawlers": recipe.takes_crawlers(),
    })
}

fn preset(preset: &Preset) -> Value {
    json!({
        "name": preset.name(),
        "tokens": preset.tokens(),
        "dialect": format!("{:?}", preset.dialect()).to_lowercase(),
        "ignores_star": preset.ignores_star(),
        "purpose": preset.purpose().name(),
        "is_control_token": preset.is_control_token(),
        "may_ignore": preset.may_ignore(),
        "ignores_robots_txt": preset.ignores_robots_txt(),
        "documentation": preset.documentation(),
    })
}

/// Returns the text of the file.
pub fn text() -> String {
    let number = |part: &str| part.parse::<u32>().unwrap();
    let version = [
        env!("CARGO_PKG_VERSION_MAJOR"),
        env!("CARGO_PKG_VERSION_MINOR"),
        env!("CARGO_PKG_VERSION_PATCH"),
    ];
    let number = version
        .iter()
        .fold(0, |all, part| all * 1_000 + number(part));
    let mut text = format!(
        "{{\n\"generated\": \"by `make api` from src; do not edit\",\n\"version\": {:?},\n\"version_number\": {number},\n",
        env!("CARGO_PKG_VERSION")
    );
    let dialects = Dialect::ALL.map(|dialect| format!("{dialect:?}").to_lowercase());
    let purposes: BTreeSet<_> = Preset::all().map(|preset| preset.purpose()).collect();
    let purposes: Vec<_> = purposes.iter().map(|purpose| purpose.name()).collect();
    text += &format!(
        "\"dialects\": {},\n\"purposes\": {},\n\"enums\": [\n",
        json!(dialects),
        json!(purposes)
    );
    let enums = ENUMS.iter().map(|one| lines_of(of_enum(one)));
    text += &enums.collect::<Vec<_>>().join(",\n");
    text += "\n],\n";
    text += &list("crawler_options", options("robots_option"));
    text += &list("fetch_options", options("robots_fetch_option"));
    text += &list("lints", Code::ALL.iter().map(lint).collect());
    text += &list("presets", Preset::all().map(|one| preset(&one)).collect());
    text += &list("recipes", robots::recipes().map(recipe).collect());
    text.truncate(text.len() - 2);
    text + "\n}\n"
}

fn list(name: &str, values: Vec<Value>) -> String {
    let values: Vec<String> = values.iter().map(|value| format!("  {value}")).collect();
    format!("\"{name}\": [\n{}\n],\n", values.join(",\n"))
}

/// An enum with each value on a line.
fn lines_of(mut one: Value) -> String {
    let values = one["values"].take();
    let values = values
        .as_array()
        .unwrap()
        .iter()
        .map(|value| format!("  {value}"));
    let values = values.collect::<Vec<_>>().join(",\n");
    one.to_string()
        .replace("\"values\":null", &format!("\"values\":[\n{values}\n]"))
}
