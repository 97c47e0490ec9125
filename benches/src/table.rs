//! Rows of the table: figures of the engines, our ratio to the best peer, the answers; printed as they are found.

use crate::cpp::{Fork, Google, Peer};
use crate::engine::Engine;
use crate::ours::Ours;
use crate::peers::{Robotstxt, Robotxt, TextingRobots};
use crate::text::{bound, grouped, time};

/// The peers that Cargo builds.
pub const CRATES: [&str; 3] = [TextingRobots::NAME, Robotxt::NAME, Robotstxt::NAME];

/// All engines, in the order of the table.
pub const NAMES: [&str; 6] = [
    Ours::NAME,
    TextingRobots::NAME,
    Robotxt::NAME,
    Robotstxt::NAME,
    Google::NAME,
    Fork::NAME,
];

/// What a figure counts, and with that which is better.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Nanoseconds; less is better.
    Time,
    /// Bytes parsed per microsecond; more is better.
    Rate,
    /// A plain number; less is better.
    Count,
    /// Bytes of one site; less is better.
    Bytes,
    /// Bytes, as a multiple of the text; less is better.
    OfText,
    /// Throughput of two threads, as a multiple of one; more is better.
    OfOneThread,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Value {
    Is(f64),
    /// Not waited for: known to be no less.
    MoreThan(f64),
    /// The engine would not do the work.
    Refused,
    /// The engine was not built.
    NotMeasured,
}

impl Value {
    fn number(self) -> Option<f64> {
        match self {
            Self::Is(number) | Self::MoreThan(number) => Some(number),
            Self::Refused | Self::NotMeasured => None,
        }
    }
}

#[derive(Clone, Copy)]
pub struct Figure {
    pub engine: &'static str,
    pub value: Value,
    /// Lowest and highest of the rounds, in the unit of the row, where there are rounds.
    pub rounds: Option<[f64; 2]>,
    /// What the work came to: URLs allowed, or sitemaps named. None where the engine was not waited for.
    pub answer: Option<u64>,
}

#[derive(Clone)]
pub struct Row {
    pub name: String,
    pub unit: Unit,
    pub figures: Vec<Figure>,
    /// Of a row `worst-*`: its group, whose slowest row counts, and the nanoseconds that it may take.
    pub worst: Option<(String, f64)>,
}

const NAME: usize = 26;
const CELL: usize = 14;

pub fn print_header() {
    let mut line = format!("| {:NAME$} |", "row");
    for name in NAMES {
        line += &format!(" {name:>CELL$} |");
    }
    println!("{line} {:>9} | answers, in the same order |", "ours:best");
    let dashes = |width: usize| "-".repeat(width + 1);
    let cells = format!("{}:|", dashes(CELL)).repeat(NAMES.len());
    println!("|-{}|{cells}{}:|---|", "-".repeat(NAME + 1), dashes(9));
}

impl Row {
    pub fn new(name: &str, unit: Unit, figures: Vec<Figure>) -> Self {
        let name = name.to_owned();
        Self {
            name,
            unit,
            figures,
            worst: None,
        }
    }

    fn figure(&self, engine: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.engine == engine)
    }

    /// The ratio to the best peer, or the time that the row may take.
    pub fn last_cell(&self) -> String {
        match self.worst {
            Some((_, ns)) => format!("<= {}", bound(ns)),
            None => self.ratio(&NAMES).map_or("-".to_owned(), |(_, text)| text),
        }
    }

    pub fn print(&self) {
        let ratio = self.last_cell();
        let mut line = format!("| {:NAME$} |", self.name);
        let mut answers = Vec::new();
        for name in NAMES {
            let (cell, answer) = match self.figure(name) {
                Some(figure) => (show(self.unit, figure.value), figure.answer.map(grouped)),
                None => ("-".to_owned(), None),
            };
            line += &format!(" {cell:>CELL$} |");
            answers.push(answer.unwrap_or("-".to_owned()));
        }
        println!("{line} {ratio:>9} | {} |", answers.join(" / "));
    }

    /// How many times better librobots is than the best of these peers.
    pub fn ratio(&self, peers: &[&str]) -> Option<(f64, String)> {
        let ours = self
            .figure(Ours::NAME)
            .and_then(|figure| figure.value.number());
        let is_peer =
            |figure: &&Figure| figure.engine != Ours::NAME && peers.contains(&figure.engine);
        let peers = self.figures.iter().filter(is_peer);
        let peers = peers.filter_map(|figure| Some((figure.value, figure.value.number()?)));
        let best = if self.more_is_better() {
            peers.max_by(|a, b| a.1.total_cmp(&b.1))
        } else {
            peers.min_by(|a, b| a.1.total_cmp(&b.1))
        };
        let (ours, (value, peer)) = (ours?, best?);
        let ratio = if self.more_is_better() {
            ours / peer
        } else {
            peer / ours
        };
        let more = if matches!(value, Value::MoreThan(_)) {
            "> "
        } else {
            ""
        };
        let text = format!("{more}{ratio:.*} x", usize::from(ratio < 99.5));
        Some((ratio, text))
    }

    fn more_is_better(&self) -> bool {
        matches!(self.unit, Unit::Rate | Unit::OfOneThread)
    }
}

pub fn show(unit: Unit, value: Value) -> String {
    match value {
        Value::Is(number) => match unit {
            Unit::Time => time(number),
            Unit::Rate => format!("{} MB/s", grouped(number.round() as u64)),
            Unit::Count => format!("{number:.2}"),
            Unit::Bytes => format!("{} B", grouped(number.round() as u64)),
            Unit::OfText => format!("{number:.3} x text"),
            Unit::OfOneThread => format!("{number:.2} x"),
        },
        Value::MoreThan(number) => format!("> {}", show(unit, Value::Is(number))),
        Value::Refused => "refused".to_owned(),
        Value::NotMeasured => "not measured".to_owned(),
    }
}
