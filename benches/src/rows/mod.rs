//! The rows: which work, who does it, what a pass is.

mod corpus;
mod image;
mod large;
mod memory;
mod threads;

pub use corpus::decide;

use crate::corpus::Corpus;
use crate::cpp::{Cpp, Fork, Google, Peer};
use crate::engine::Engine;
use crate::measure::{Effort, Outcome};
use crate::options::Options;
use crate::ours::Ours;
use crate::peers::{Robotstxt, Robotxt, TextingRobots};
use crate::table::{Figure, Row, Unit, Value};
use std::cell::RefCell;

/// Everything a row needs.
pub struct Field<'a> {
    pub options: &'a Options,
    pub effort: Effort,
    pub corpus: &'a Corpus,
    pub ours: Ours,
    pub texting_robots: TextingRobots,
    pub robotxt: Robotxt,
    pub robotstxt: Robotstxt,
    pub google: Cpp<Google>,
    pub fork: Cpp<Fork>,
    /// The rows so far.
    pub printed: RefCell<Vec<Row>>,
}

/// `$body` for each engine that is wanted, as a `Vec`. Each engine has types of its own, so this is no loop.
macro_rules! each_engine {
    ($field:expr, $engine:ident => $body:expr) => {{
        let field: &$crate::rows::Field<'_> = $field;
        let mut all = Vec::new();
        $crate::rows::each_engine!(@one field, ours, all, $engine => $body);
        $crate::rows::each_engine!(@one field, texting_robots, all, $engine => $body);
        $crate::rows::each_engine!(@one field, robotxt, all, $engine => $body);
        $crate::rows::each_engine!(@one field, robotstxt, all, $engine => $body);
        $crate::rows::each_engine!(@one field, google, all, $engine => $body);
        $crate::rows::each_engine!(@one field, fork, all, $engine => $body);
        all
    }};
    (@one $field:ident, $member:ident, $all:ident, $engine:ident => $body:expr) => {
        if $field.wants_engine(&$field.$member) {
            let $engine = &$field.$member;
            $all.push($body);
        }
    };
}
use each_engine;

impl<'a> Field<'a> {
    pub fn new(options: &'a Options, corpus: &'a Corpus) -> Result<Self, String> {
        Ok(Self {
            options,
            effort: options.effort(),
            corpus,
            ours: Ours::new(),
            texting_robots: TextingRobots,
            robotxt: Robotxt,
            robotstxt: Robotstxt,
            google: Cpp::load()?,
            fork: Cpp::load()?,
            printed: RefCell::default(),
        })
    }

    pub fn wants_engine<E: Engine>(&self, engine: &E) -> bool {
        engine.is_there() && self.options.wants_engine(E::NAME)
    }

    /// The figures of wanted engines that are not there.
    fn unmeasured(&self) -> impl Iterator<Item = Figure> {
        let peers = [
            (Google::NAME, self.google.is_there()),
            (Fork::NAME, self.fork.is_there()),
        ];
        let missing = peers
            .into_iter()
            .filter(|(name, is_there)| !is_there && self.options.wants_engine(name));
        missing.map(|(engine, _)| Figure {
            engine,
            value: Value::NotMeasured,
            answer: None,
        })
    }

    /// Whether one of the rows of a piece of work is wanted.
    fn wants(&self, rows: &[&str]) -> bool {
        rows.iter().any(|row| self.options.wants_row(row))
    }

    fn print(&self, row: &Row) {
        if self.options.wants_row(&row.name) {
            let mut row = row.clone();
            // Where no other peer does the work, nobody misses one.
            if row.figures.iter().any(|figure| figure.engine != Ours::NAME) {
                row.figures.extend(self.unmeasured());
            }
            row.print();
            self.printed.borrow_mut().push(row);
        }
    }
}

/// Does the work of all wanted rows and prints them.
pub fn run(field: &Field<'_>) {
    corpus::run(field);
    image::run(field);
    large::run(field);
    threads::run(field);
    memory::run(field);
}

/// All rows, in the order of the table.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> = CORPUS.iter().map(|name| (*name).to_owned()).collect();
    names.extend(large::names());
    names.extend(LAST.iter().map(|name| (*name).to_owned()));
    names
}

const CORPUS: &[&str] = &[
    "parse",
    "parse-decide",
    "one-shot",
    "parse-decide-20",
    "decide",
    "batch",
    "image-check",
    "decide-path",
    "image-bytes",
    "image-validate",
    "image-load",
];

const LAST: &[&str] = &[
    "threads",
    "allocs-parse",
    "kept-blocks",
    "kept-bytes",
    "allocs-decide",
];

/// A row of times per unit.
fn times(name: &str, outcomes: &[Outcome]) -> Row {
    let figures = outcomes
        .iter()
        .map(|outcome| figure(outcome, outcome.ns_per_unit))
        .collect();
    Row {
        name: name.to_owned(),
        unit: Unit::Time,
        figures,
    }
}

/// A row of rates, the units being bytes.
fn rates(name: &str, outcomes: &[Outcome]) -> Row {
    let figures = outcomes
        .iter()
        .map(|outcome| figure(outcome, 1e3 / outcome.ns_per_unit))
        .collect();
    Row {
        name: name.to_owned(),
        unit: Unit::Rate,
        figures,
    }
}

fn figure(outcome: &Outcome, value: f64) -> Figure {
    Figure {
        engine: outcome.name,
        value: Value::Is(value),
        answer: Some(outcome.answer),
    }
}
