//! The faults of `lint` in the Static Analysis Results Interchange Format, SARIF 2.1.0.

use std::path::{Path, PathBuf};

use robots::{Code, Diagnostic, Fix, Report};
use serde_json::{Value, json};

use super::output::{Linted, page_of};
use crate::fault::Fault;
use crate::screen;

/// Returns the results for one file.
pub(crate) fn results(linted: &Linted) -> Vec<Value> {
    let file = artifact(&linted.name);
    let found = linted.report.diagnostics().iter();
    found
        .map(|found| result(found, &linted.report, &file))
        .collect()
}

/// The name of the root in URIs that are relative to it.
const ROOT: &str = "%SRCROOT%";

/// Returns the folder that URIs are relative to: the nearest one above with `.git`, or the current one.
fn root() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?.canonicalize().ok()?;
    let root = here.ancestors().find(|folder| folder.join(".git").exists());
    Some(root.unwrap_or(&here).to_path_buf())
}

/// Returns the location of a file: relative to the root if it is below it.
fn artifact(name: &str) -> Value {
    let path = Path::new(name).canonicalize().ok();
    let below = path.as_deref().zip(root());
    let below = below.and_then(|(path, root)| Some(path.strip_prefix(root).ok()?.to_path_buf()));
    match (below, &path) {
        (Some(below), _) => json!({"uri": uri(&below.to_string_lossy()), "uriBaseId": ROOT}),
        (None, Some(path)) => json!({"uri": uri(&path.to_string_lossy())}),
        (None, None) => json!({"uri": uri(name)}),
    }
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
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": Code::ALL.iter().copied().map(rule).collect::<Vec<Value>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results.concat(),
        }],
    });
    let text = serde_json::to_string_pretty(&log).map_err(|error| screen::of_json(&error))?;
    Ok(screen::json_escaped(text) + "\n")
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.to_string(),
        "shortDescription": {"text": code.title()},
        "fullDescription": {"text": code.explanation()},
        "helpUri": page_of(code),
        "defaultConfiguration": {"enabled": !code.is_on_request(), "level": code.severity().name()},
    })
}

fn result(found: &Diagnostic, report: &Report, file: &Value) -> Value {
    let message = match &found.suggestion {
        None => format!("{}.", found.message),
        Some(help) => format!("{}. Help: {help}.", found.message),
    };
    let index = Code::ALL.iter().position(|code| *code == found.code);
    let result = json!({
        "ruleId": found.code.to_string(),
        "ruleIndex": index,
        "level": found.severity().name(),
        "message": {"text": message},
        "locations": [location(file, region(found, report))],
    });
    let result = match &found.fix {
        None => result,
        Some(fix) => with(result, "fixes", json!([sarif_fix(found, fix, file)])),
    };
    if found.other_line == 0 {
        return result;
    }
    let other = location(file, json!({"startLine": found.other_line}));
    let other = with(other, "message", json!({"text": "related line"}));
    with(result, "relatedLocations", json!([other]))
}

fn sarif_fix(found: &Diagnostic, fix: &Fix, file: &Value) -> Value {
    json!({
        "description": {"text": found.suggestion.as_deref().unwrap_or_default()},
        "artifactChanges": [{
            "artifactLocation": file,
            "replacements": [{
                "deletedRegion": {
                    "byteOffset": fix.span.start,
                    "byteLength": fix.span.len(),
                },
                "insertedContent": {"text": fix.replacement},
            }],
        }],
    })
}

fn location(file: &Value, region: Value) -> Value {
    json!({"physicalLocation": {"artifactLocation": file, "region": region}})
}

/// Adds a property to an object.
fn with(mut object: Value, name: &str, value: Value) -> Value {
    if let Some(properties) = object.as_object_mut() {
        properties.insert(name.to_owned(), value);
    }
    object
}

/// Returns the region: the first line for the whole file. Columns count characters.
fn region(found: &Diagnostic, report: &Report) -> Value {
    let Some(line) = report.line(found.line) else {
        return json!({"startLine": 1});
    };
    let column = |end: usize| {
        let before = report.body().get(line.span.start..end).unwrap_or_default();
        String::from_utf8_lossy(before).chars().count() + 1
    };
    let span = &found.span;
    json!({
        "startLine": found.line,
        "startColumn": column(span.start),
        "endColumn": column(span.end),
        "byteOffset": span.start,
        "byteLength": span.len(),
    })
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
