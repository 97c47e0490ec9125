//! The figures of a run as JSON, with the text of each cell as the table prints it: `benches/figures` makes the pages of it.

use crate::files::Shape;
use crate::table::{self, CRATES, Figure, NAMES, Row, Unit, Value};
use crate::{text, worst};
use serde_json::{Map, Value as Json, json};

pub fn record(shape: &Shape, rows: &[Row]) -> String {
    let (source, statistics) = shape.statistics();
    let bounds = worst::rows().map(|worst| (worst.group(), text::bound(worst.bound).into()));
    let record = json!({
        "files": source,
        "statistics": statistics,
        "bounds": bounds.collect::<Map<String, Json>>(),
        "engines": NAMES,
        "rows": rows.iter().map(row).collect::<Json>(),
    });
    format!("{record:#}\n")
}

fn row(row: &Row) -> Json {
    let figures = row.figures.iter();
    let figures = figures.map(|each| (each.engine.to_owned(), figure(row.unit, each)));
    let ratio = row
        .ratio(&CRATES)
        .map(|(value, text)| json!({"value": value, "text": text}));
    json!({
        "name": row.name,
        "group": row.worst.as_ref().map(|(group, _)| group),
        "unit": unit(row.unit),
        "last": row.last_cell(),
        "times": ratio,
        "figures": figures.collect::<Map<String, Json>>(),
    })
}

fn figure(unit: Unit, figure: &Figure) -> Json {
    let value = match figure.value {
        Value::Is(number) => Some(number),
        _ => None,
    };
    let rounds = figure.rounds.map(|mut rounds| {
        rounds.sort_by(f64::total_cmp);
        rounds
    });
    json!({
        "text": table::show(unit, figure.value),
        "value": value,
        "rounds": rounds,
        "answer": figure.answer,
    })
}

fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Time => "time",
        Unit::Rate => "rate",
        Unit::Count => "count",
        Unit::Bytes => "bytes",
        Unit::OfText => "of text",
        Unit::OfOneThread => "of one thread",
    }
}
