//! What the engines take from the heap, counted by the allocator.

use super::corpus::allowed;
use super::field::{Field, each_engine};
use crate::alloc::{Use, count};
use crate::engine::Engine;
use crate::table::{Figure, Row, Unit, Value};

pub fn run(field: &Field<'_>) {
    if field.wants(&["allocs-parse", "kept-blocks", "kept-bytes"]) {
        let kept = each_engine!(field, engine => keep(engine, field));
        let files = field.corpus.sites.len() as f64;
        let text = field.corpus.bytes() as f64;
        let parses = |kept: &Kept| kept.rules.then(|| kept.parse.calls as f64 / files);
        let blocks = |kept: &Kept| kept.rules.then(|| kept.parse.blocks as f64 / files);
        let bytes = |kept: &Kept| {
            Some(if kept.rules {
                kept.parse.bytes as f64 / text
            } else {
                1.0
            })
        };
        field.print(&row("allocs-parse", Unit::Count, &kept, parses));
        field.print(&row("kept-blocks", Unit::Count, &kept, blocks));
        field.print(&row("kept-bytes", Unit::OfText, &kept, bytes));
    }
    if field.wants(&["allocs-decide"]) {
        let figures = each_engine!(field, engine => decide(engine, field));
        field.print(&Row::new(
            "allocs-decide",
            Unit::Count,
            figures.into_iter().flatten().collect(),
        ));
    }
}

/// What parsing all files took and kept.
struct Kept {
    engine: &'static str,
    /// Whether it is rules that are kept, or the text itself.
    rules: bool,
    parse: Use,
    sitemaps: u64,
}

fn keep<E: Engine>(engine: &E, field: &Field<'_>) -> Kept {
    let sites = &field.corpus.sites;
    // Whatever an engine sets up once is not part of a file.
    drop(engine.parse(&sites[0].body));
    let mut kept = Vec::with_capacity(sites.len());
    let ((), parse) = count(|| kept.extend(sites.iter().map(|site| engine.parse(&site.body))));
    let sitemaps = kept.iter().map(|rules| engine.sitemaps(rules) as u64).sum();
    Kept {
        engine: E::NAME,
        rules: E::KEEPS_RULES,
        parse,
        sitemaps,
    }
}

fn row(name: &str, unit: Unit, kept: &[Kept], value: impl Fn(&Kept) -> Option<f64>) -> Row {
    let figure = |kept: &Kept| {
        let value = Value::Is(value(kept)?);
        Some(Figure {
            engine: kept.engine,
            value,
            rounds: None,
            answer: Some(kept.sitemaps),
        })
    };
    Row::new(name, unit, kept.iter().filter_map(figure).collect())
}

/// Allocations for one decision, the rules being kept.
fn decide<E: Engine>(engine: &E, field: &Field<'_>) -> Option<Figure> {
    if !E::USES_OUR_HEAP {
        return None;
    }
    let sites = &field.corpus.sites;
    let kept: Vec<E::Rules<'_>> = sites.iter().map(|site| engine.parse(&site.body)).collect();
    let (answer, used) = count(|| allowed(engine, sites, &kept));
    Some(Figure {
        engine: E::NAME,
        value: Value::Is(used.calls as f64 / field.corpus.urls() as f64),
        rounds: None,
        answer: Some(answer),
    })
}
