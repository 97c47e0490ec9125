//! A reader of as much of JSON Schema as `bindings/cli/schema/*.json` use. A word it does not know is a fault of the schema, so that no
//! schema promises what is not checked.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

/// Checks the lines of JSON that a command prints; returns the names of their schemas.
pub fn check_lines(command: &str, printed: &str) -> Result<BTreeSet<String>, String> {
    let mut names = BTreeSet::new();
    let asks = command
        .split_once("--json")
        .filter(|_| !command.contains("--stats"));
    let Some((_, command)) = asks.and_then(|(before, _)| before.rsplit_once("robots ")) else {
        return Ok(names);
    };
    for line in printed.lines().filter(|line| line.starts_with('{')) {
        let value: Value =
            serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
        let name = match command.split_whitespace().next() {
            _ if value.get("controls").is_some() => "page",
            Some("image") if command.contains("check") => "check",
            name => name.unwrap_or_default(),
        };
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("schema/{name}.json"));
        let schema = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
        check(&serde_json::from_str(&schema).unwrap(), &value, name)?;
        names.insert(name.to_owned());
    }
    Ok(names)
}

/// Whether `value` is as `schema` says; if not, where and why.
pub fn check(schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    for (word, wanted) in schema.as_object().ok_or("a schema is an object")? {
        let holds = match word.as_str() {
            "$schema" | "$id" | "title" | "description" => true,
            "type" => match wanted {
                Value::Array(types) => types.iter().any(|one| is_a(value, one)),
                one => is_a(value, one),
            },
            "enum" => wanted.as_array().unwrap().contains(value),
            "minimum" => value.as_f64().is_none_or(|n| n >= wanted.as_f64().unwrap()),
            "minItems" => value
                .as_array()
                .is_none_or(|all| all.len() as u64 >= wanted.as_u64().unwrap()),
            "oneOf" => {
                let all = wanted.as_array().unwrap().iter();
                let faults = all.filter_map(|one| check(one, value, place).err());
                let faults: Vec<String> = faults.collect();
                if faults.len() + 1 != wanted.as_array().unwrap().len() {
                    return Err(format!("not one of them holds: {faults:?}"));
                }
                true
            }
            "pattern" => value
                .as_str()
                .is_none_or(|text| is_code(wanted.as_str().unwrap(), text)),
            "required" => {
                let names = wanted.as_array().unwrap();
                !value.is_object()
                    || names
                        .iter()
                        .all(|name| value.get(name.as_str().unwrap()).is_some())
            }
            "additionalProperties" => {
                assert_eq!(wanted, &Value::Bool(false));
                let known = schema["properties"].as_object().unwrap();
                value
                    .as_object()
                    .is_none_or(|all| all.keys().all(|name| known.contains_key(name)))
            }
            "properties" => {
                for (name, schema) in wanted.as_object().unwrap() {
                    if let Some(value) = value.get(name) {
                        check(schema, value, &format!("{place}.{name}"))?;
                    }
                }
                true
            }
            "items" => {
                for (index, value) in value.as_array().into_iter().flatten().enumerate() {
                    check(wanted, value, &format!("{place}[{index}]"))?;
                }
                true
            }
            _ => return Err(format!("the schema says {word:?}, which is not checked")),
        };
        if !holds {
            return Err(format!("{place} is {value}, against {word}: {wanted}"));
        }
    }
    Ok(())
}

fn is_a(value: &Value, name: &Value) -> bool {
    match name.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("unknown type {other}"),
    }
}

/// The one pattern in use.
fn is_code(pattern: &str, text: &str) -> bool {
    assert_eq!(pattern, "^R[0-9]{3}$");
    text.len() == 4 && text.starts_with('R') && text[1..].bytes().all(|byte| byte.is_ascii_digit())
}

#[test]
fn the_checker_refuses() {
    let schema = serde_json::json!({
        "type": "object", "required": ["a"], "additionalProperties": false,
        "properties": {"a": {"type": ["integer", "null"], "minimum": 1}, "b": {"type": "array", "items": {"enum": ["x"]}}}
    });
    let good = [r#"{"a":1}"#, r#"{"a":null,"b":["x","x"]}"#];
    let bad = [
        r#"{}"#,
        r#"{"a":0}"#,
        r#"{"a":"1"}"#,
        r#"{"a":1,"b":["y"]}"#,
        r#"{"a":1,"c":2}"#,
        "[]",
        "1",
    ];
    let is_sound = |text: &str| check(&schema, &serde_json::from_str(text).unwrap(), "").is_ok();
    assert!(good.into_iter().all(is_sound));
    assert!(!bad.into_iter().any(is_sound));
    assert!(check(&serde_json::json!({"format": "uri"}), &Value::Null, "").is_err());
    let either =
        serde_json::json!({"oneOf": [{"type": "number"}, {"type": "integer"}, {"type": "null"}]});
    for (value, is_one) in [("1.5", true), ("null", true), ("1", false), ("true", false)] {
        let value = serde_json::from_str(value).unwrap();
        assert_eq!(check(&either, &value, "").is_ok(), is_one, "{value}");
    }
}
