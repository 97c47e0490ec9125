//! The faults of `lint` in the Static Analysis Results Interchange Format, SARIF 2.1.0.

use robots::{Code, Diagnostic, Report};
use serde_json::{Value, json};

use crate::fault::Fault;
use crate::lint::Linted;

/// Returns the results for one file.
pub(crate) fn results(linted: &Linted) -> Vec<Value> {
    let uri = uri(&linted.name);
    let found = linted.report.diagnostics().iter();
    found
        .map(|found| result(found, &linted.report, &uri))
        .collect()
}

/// Returns all results as one log.
pub(crate) fn log(results: Vec<Vec<Value>>) -> Result<String, Fault> {
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "robots",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": Code::ALL.iter().copied().map(rule).collect::<Vec<Value>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results.concat(),
        }],
    });
    let text = serde_json::to_string_pretty(&log)
        .map_err(|error| Fault::new(format!("cannot write SARIF: {error}; please report it")))?;
    Ok(text + "\n")
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.to_string(),
        "shortDescription": {"text": code.title()},
        "fullDescription": {"text": code.explanation()},
        "defaultConfiguration": {"level": code.severity().name()},
    })
}

fn result(found: &Diagnostic, report: &Report, uri: &str) -> Value {
    let message = match found.suggestion() {
        None => format!("{}.", found.message()),
        Some(help) => format!("{}. Help: {help}.", found.message()),
    };
    let index = Code::ALL.iter().position(|code| *code == found.code());
    let result = json!({
        "ruleId": found.code().to_string(),
        "ruleIndex": index,
        "level": found.severity().name(),
        "message": {"text": message},
        "locations": [location(uri, region(found, report))],
    });
    if found.other_line() == 0 {
        return result;
    }
    let other = location(uri, Some(json!({"startLine": found.other_line()})));
    let other = with(other, "message", json!({"text": "related line"}));
    with(result, "relatedLocations", json!([other]))
}

fn location(uri: &str, region: Option<Value>) -> Value {
    let place = json!({"artifactLocation": {"uri": uri}});
    let place = match region {
        Some(region) => with(place, "region", region),
        None => place,
    };
    json!({"physicalLocation": place})
}

/// Adds a property to an object.
fn with(mut object: Value, name: &str, value: Value) -> Value {
    if let Some(properties) = object.as_object_mut() {
        properties.insert(name.to_owned(), value);
    }
    object
}

/// Returns the region; `None` for the whole file. Columns count characters.
fn region(found: &Diagnostic, report: &Report) -> Option<Value> {
    let line = report.line(found.line())?;
    let column = |end: usize| {
        let before = report.body().get(line.span.start..end).unwrap_or_default();
        String::from_utf8_lossy(before).chars().count() + 1
    };
    let span = found.span();
    Some(json!({
        "startLine": found.line(),
        "startColumn": column(span.start),
        "endColumn": column(span.end),
        "byteOffset": span.start,
        "byteLength": span.len(),
    }))
}

/// Returns a path as a reference of RFC 3986.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'~' => uri.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    if uri.starts_with('/') {
        format!("file://{uri}")
    } else {
        uri
    }
}
