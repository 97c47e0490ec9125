//! What every row uses: the engines, the options, the corpus, and rows of times and rates.

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
        let field: &$crate::rows::field::Field<'_> = $field;
        let mut all = Vec::new();
        $crate::rows::field::each_engine!(@one field, ours, all, $engine => $body);
        $crate::rows::field::each_engine!(@one field, texting_robots, all, $engine => $body);
        $crate::rows::field::each_engine!(@one field, robotxt, all, $engine => $body);
        $crate::rows::field::each_engine!(@one field, robotstxt, all, $engine => $body);
        $crate::rows::field::each_engine!(@one field, google, all, $engine => $body);
        $crate::rows::field::each_engine!(@one field, fork, all, $engine => $body);
        all
    }};
    (@one $field:ident, $member:ident, $all:ident, $engine:ident => $body:expr) => {
        if $field.wants_engine(&$field.$member) {
            let $engine = &$field.$member;
            $all.push($body);
        }
    };
}
pub(super) use each_engine;

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
            rounds: None,
            answer: None,
        })
    }

    /// Whether one of the rows of a piece of work is wanted.
    pub fn wants(&self, rows: &[&str]) -> bool {
        rows.iter().any(|row| self.options.wants_row(row))
    }

    pub fn print(&self, row: &Row) {
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

/// A row of times per unit.
pub fn times(name: &str, outcomes: &[Outcome]) -> Row {
    let figures = outcomes
        .iter()
        .map(|outcome| figure(outcome, |ns| ns))
        .collect();
    Row::new(name, Unit::Time, figures)
}

/// A row of rates, the units being bytes.
pub fn rates(name: &str, outcomes: &[Outcome]) -> Row {
    let figures = outcomes
        .iter()
        .map(|outcome| figure(outcome, |ns| 1e3 / ns))
        .collect();
    Row::new(name, Unit::Rate, figures)
}

/// `of` converts nanoseconds per unit to the unit of the row.
fn figure(outcome: &Outcome, of: fn(f64) -> f64) -> Figure {
    Figure {
        engine: outcome.name,
        value: Value::Is(of(outcome.ns_per_unit)),
        rounds: Some(outcome.rounds.map(of)),
        answer: Some(outcome.answer),
    }
}
