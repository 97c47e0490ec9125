//! `tests/data/api.json`: the numbers, names and sentences that the languages share. One value is one line.

use robots::api::{ENUMS, Enum};
use robots::{Code, Crawler, Dialect, FetchOption, Preset};
use serde_json::{Value, json};

/// Lints that the command reports only if they are selected.
const ON_REQUEST: [Code; 2] = [Code::NeedlessStar, Code::OldCrawlersDiffer];

/// Returns the name of a value in other languages: that of C without what all values of the enum have in common.
pub fn name(one: &Enum, value: &robots::api::Value) -> String {
    let name = value.name.strip_prefix(one.prefix);
    let name = name.or(value.name.strip_prefix("ROBOTS_")).unwrap();
    match name {
        "ARG" => "argument".to_owned(),
        name => name.to_ascii_lowercase(),
    }
}

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
fn options(name: &str) -> Vec<Value> {
    let one = ENUMS.iter().find(|one| one.name == name).unwrap();
    let option = |value: &robots::api::Value| {
        let (unit, least, most, defaults) = limits(value.number);
        json!({
            "c": value.name,
            "number": value.number,
            "name": self::name(one, value),
            "unit": unit,
            "least": least,
            "most": most,
            "default": {"rfc9309": defaults[0], "google": defaults[1], "koster1996": defaults[2]},
            "sentence": value.sentence(),
        })
    };
    one.values.iter().map(option).collect()
}

/// The unit of an option, its lowest and highest value, and its default in each dialect.
fn limits(number: u32) -> (&'static str, u64, u64, [u64; 3]) {
    use robots::limits::{MAX_MAX_BYTES, MIN_MAX_BYTES};
    let (low, high) = (MIN_MAX_BYTES as u64, MAX_MAX_BYTES as u64);
    let Some(option) = FetchOption::from_code(number) else {
        return match number {
            1 => ("dialect", 0, 2, [0; 3]),
            2 => ("bytes", low, high, [low; 3]),
            _ => ("switch", 0, 1, [0; 3]),
        };
    };
    let range = option.range();
    let unit = match (*range.start(), *range.end()) {
        (1, 4) => "outcome_kind",
        (0, 1) => "switch",
        (_, 20) => "redirects",
        _ => "seconds",
    };
    let default = |dialect| {
        let crawler = Crawler::without_token().with_dialect(dialect).unwrap();
        crawler.fetch_option(option)
    };
    let defaults = Dialect::ALL.map(default);
    (unit, *range.start(), *range.end(), defaults)
}

fn lint(code: &Code) -> Value {
    json!({
        "code": code.to_string(),
        "severity": code.severity().name(),
        "default": !ON_REQUEST.contains(code),
        "title": code.title(),
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
    text += &format!("\"dialects\": {},\n\"enums\": [\n", json!(dialects));
    let enums = ENUMS.iter().map(|one| lines_of(of_enum(one)));
    text += &enums.collect::<Vec<_>>().join(",\n");
    text += "\n],\n";
    text += &list("crawler_options", options("robots_option"));
    text += &list("fetch_options", options("robots_fetch_option"));
    text += &list("lints", Code::ALL.iter().map(lint).collect());
    let presets = Preset::all().map(|preset| json!(preset.name()));
    text += &list("presets", presets.collect());
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
