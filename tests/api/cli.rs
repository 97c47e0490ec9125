//! The command: `words.rs`, the flags of `crawler.rs`, and the words of its JSON schemas, which are compared.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use robots::api::{OptionRow, READ_OPTIONS, Unit};
use serde_json::Value;

use super::words;

/// The enums whose words the command writes: the name in C, the type, and the function.
const ENUMS: [(&str, &str, &str); 7] = [
    ("robots_dialect", "Dialect", "dialect_name"),
    ("robots_reason", "Reason", "reason_name"),
    ("robots_match_result", "MatchResult", "result_name"),
    ("robots_outcome_kind", "OutcomeKind", "kind_name"),
    ("robots_cause", "Cause", "cause_name"),
    ("robots_purpose", "Purpose", "purpose_name"),
    ("robots_use", "Use", "use_name"),
];

/// The keys of the schemas whose values are words of an enum.
const KEYS: [(&str, &str); 7] = [
    ("dialect", "robots_dialect"),
    ("reason", "robots_reason"),
    ("result", "robots_match_result"),
    ("outcome", "robots_outcome_kind"),
    ("cause", "robots_cause"),
    ("severity", "robots_lint_severity"),
    ("control", "robots_control"),
];

/// Returns `words.rs`.
pub fn words() -> String {
    let mut text =
        words::header("//") + "//! The words of numbers: those of the C API, in lower case.\n";
    for (c, kind, function) in ENUMS {
        let one = words::enum_of(c);
        // Only what fetches has outcomes.
        let condition = match kind {
            "OutcomeKind" | "Cause" => "#[cfg(feature = \"live\")]\n",
            _ => "",
        };
        text += &format!(
            "\n/// Returns the word of a value. A later version may add some: `other`.\n{condition}\
             pub(crate) fn {function}(value: robots::{kind}) -> &'static str {{\n    match value as u32 {{\n"
        );
        for value in one.values {
            text += &format!(
                "        {} => {:?},\n",
                value.number,
                words::name(one, value)
            );
        }
        text += "        _ => \"other\",\n    }\n}\n";
    }
    text
}

/// Options whose flags are not the value alone: that of a well-known crawler counts, too.
const OF_PRESETS: [&str; 3] = ["dialect", "ignore_star", "merge_tokens"];

/// The options of reading that each command has as a flag of its own.
fn plain() -> impl Iterator<Item = (String, &'static OptionRow)> {
    let rows = READ_OPTIONS.iter().map(|row| (words::option(row), row));
    rows.filter(|(name, _)| !OF_PRESETS.contains(&name.as_str()))
}

/// Returns the fields of `How` in `crawler.rs`: each is a flag.
pub fn flags() -> String {
    let mut text = String::new();
    for (name, row) in plain() {
        let sentence = words::sentence(row);
        let about = words::without_rows(sentence.trim_end_matches('.')).replace('`', "");
        let (about, value, kind) = match row.unit {
            // An imperative, as that of the other flags: "Lets" is "Let".
            Unit::Switch => (about.replacen("s ", " ", 1), String::new(), "bool"),
            _ => (
                about,
                format!(
                    ", value_name = \"N\", default_value_t = {}",
                    words::digits(row.default[0])
                ),
                "u64",
            ),
        };
        text += &format!(
            "    /// {about}\n    #[arg(long, help_heading = HEADING, hide_short_help = true{value})]\n    {name}: {kind},\n"
        );
    }
    text
}

/// Returns the body of `How::values` in `crawler.rs`: each flag with its option and its value.
pub fn values() -> String {
    let mut text = String::new();
    for (name, row) in plain() {
        let value = match row.unit {
            Unit::Switch => ".into()",
            _ => "",
        };
        let flag = name.replace('_', "-");
        text += &format!(
            "            (\"--{flag}\", {}, self.{name}{value}),\n",
            row.number
        );
    }
    text
}

/// Returns which words the schemas lack, and which the source does not know.
pub fn faults() -> Vec<String> {
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("bindings/cli/schema");
    for entry in fs::read_dir(folder).unwrap() {
        let schema = fs::read_to_string(entry.unwrap().path()).unwrap();
        collect(&serde_json::from_str(&schema).unwrap(), &mut found);
    }
    let mut faults = Vec::new();
    for (key, c) in KEYS {
        let one = words::enum_of(c);
        let known: Vec<String> = one
            .values
            .iter()
            .map(|value| words::name(one, value))
            .collect();
        let words = found.remove(key).unwrap_or_default();
        for word in known.iter().filter(|word| !words.contains(word)) {
            faults.push(format!(
                "bindings/cli/schema: no \"{key}\" has the word \"{word}\" of {c}"
            ));
        }
        for word in words
            .iter()
            .filter(|word| !known.contains(word) && *word != "other")
        {
            faults.push(format!(
                "bindings/cli/schema: \"{key}\" has the word \"{word}\", which {c} has not"
            ));
        }
    }
    faults
}

/// Adds the words of each key that has a list of them.
fn collect(schema: &Value, found: &mut BTreeMap<&str, Vec<String>>) {
    let children = schema.as_object().into_iter().flatten();
    for (key, child) in children {
        if let Some((key, _)) = KEYS.iter().find(|(known, _)| known == key) {
            let words = child
                .get("enum")
                .and_then(Value::as_array)
                .into_iter()
                .flatten();
            let words = words.filter_map(Value::as_str).map(str::to_owned);
            found.entry(key).or_default().extend(words);
        }
        collect(child, found);
    }
    for child in schema.as_array().into_iter().flatten() {
        collect(child, found);
    }
}
