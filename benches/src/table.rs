//! Rows of the table: figures of the engines, our ratio to the best peer, the answers; printed as they are found.

use crate::cpp::{Fork, Google, Peer};
use crate::engine::Engine;
use crate::ours::Ours;
use crate::peers::{Robotstxt, Robotxt, TextingRobots};

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
    /// What the work came to: URLs allowed, or sitemaps named. None where the engine was not waited for.
    pub answer: Option<u64>,
}

#[derive(Clone)]
pub struct Row {
    pub name: String,
    pub unit: Unit,
    pub figures: Vec<Figure>,
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
        }
    }

    fn figure(&self, engine: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.engine == engine)
    }

    pub fn print(&self) {
        self.print_with(&self.ratio());
    }

    /// Prints the row with the time that it may take in place of a ratio.
    pub fn print_with_bound(&self, ns: f64) {
        self.print_with(&format!("<= {:.0} ms", ns / 1e6));
    }

    fn print_with(&self, ratio: &str) {
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

    /// Time of an engine, in a unit that is the same for the whole row.
    pub fn time(&self, engine: &str) -> Option<f64> {
        let number = self.figure(engine)?.value.number()?;
        match self.unit {
            Unit::Time => Some(number),
            Unit::Rate => Some(1.0 / number),
            _ => None,
        }
    }

    /// How many times better librobots is than the best peer.
    fn ratio(&self) -> String {
        let ours = self
            .figure(Ours::NAME)
            .and_then(|figure| figure.value.number());
        let peers = self
            .figures
            .iter()
            .filter(|figure| figure.engine != Ours::NAME);
        let peers = peers.filter_map(|figure| Some((figure.value, figure.value.number()?)));
        let best = if self.more_is_better() {
            peers.max_by(|a, b| a.1.total_cmp(&b.1))
        } else {
            peers.min_by(|a, b| a.1.total_cmp(&b.1))
        };
        let (Some(ours), Some((value, peer))) = (ours, best) else {
            return "-".to_owned();
        };
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
        format!("{more}{ratio:.*} x", usize::from(ratio < 99.5))
    }

    fn more_is_better(&self) -> bool {
        matches!(self.unit, Unit::Rate | Unit::OfOneThread)
    }
}

fn show(unit: Unit, value: Value) -> String {
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

fn time(ns: f64) -> String {
    match ns {
        ..1e3 => format!("{ns:.1} ns"),
        1e3..1e6 => format!("{:.2} us", ns / 1e3),
        1e6..1e9 => format!("{:.2} ms", ns / 1e6),
        _ => format!("{:.2} s", ns / 1e9),
    }
}

/// 31000 as 31,000.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
