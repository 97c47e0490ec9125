//! Rule sets that are large or hostile.

use super::corpus::decide;
use super::field::{Field, each_engine, times};
use crate::corpus::Site;
use crate::engine::Engine;
use crate::measure::{Contestant, Outcome, race};
use crate::table::{Figure, Value};
use crate::{ours, synthetic, worst};
use std::slice;

struct Set {
    name: &'static str,
    make: fn(usize) -> Site,
    counts: &'static [usize],
}

const SETS: &[Set] = &[
    Set {
        name: "literal",
        make: synthetic::literal,
        counts: &[10, 100, 1_000, 10_000],
    },
    Set {
        name: "wildcard",
        make: synthetic::wildcard,
        counts: &[10, 100, 1_000, 10_000],
    },
    Set {
        name: "wildcard-alike",
        make: synthetic::wildcard_alike,
        counts: &[10_000],
    },
    Set {
        name: "hostile",
        make: synthetic::hostile,
        counts: &[1, 5_000],
    },
    Set {
        name: "hostile-unanchored",
        make: synthetic::hostile_unanchored,
        counts: &[1, 5_000],
    },
];

/// An engine that needs this many nanoseconds for a URL is not measured with more rules of the kind.
const HOPELESS: f64 = 1e8;

pub fn names() -> impl Iterator<Item = String> {
    let sets = SETS
        .iter()
        .flat_map(|set| set.counts.iter().map(|count| set.row(*count)));
    sets.chain(worst::rows().map(|worst| worst.name()))
}

pub fn run(field: &Field<'_>) {
    for set in SETS {
        set.run(field);
    }
    for worst in worst::rows() {
        let name = worst.name();
        if field.wants(&[&name]) && field.wants_engine(&field.ours) && !field.options.quick {
            let mut row = times(&name, &worst.race(&field.ours, field.effort));
            row.worst = Some((worst.group(), worst.bound));
            field.print(&row);
        }
    }
}

impl Set {
    fn row(&self, count: usize) -> String {
        format!("{}-{count}", self.name)
    }

    /// A single rule is tried wherever more are wanted: it shows which engines are hopeless.
    fn run(&self, field: &Field<'_>) {
        let quick = |count: usize| (10..=100).contains(&count);
        let wanted = |count: &usize| {
            field.wants(&[&self.row(*count)]) && (!field.options.quick || quick(*count))
        };
        let Some(last) = self.counts.iter().rposition(wanted) else {
            return;
        };
        let mut hopeless: Vec<Outcome> = Vec::new();
        let needed = |count: &&usize| **count == 1 || wanted(count);
        for count in self.counts[..=last].iter().filter(needed) {
            let site = (self.make)(*count);
            if field.wants_engine(&field.ours) {
                ours::assert_rust_agrees(&field.ours, slice::from_ref(&site));
            }
            let entries = each_engine!(field, engine => enter(engine, &site, &hopeless));
            let (mut contestants, mut outside) = (Vec::new(), Vec::new());
            for entry in entries {
                match entry {
                    Entry::Races(contestant) => contestants.push(contestant),
                    Entry::StaysOut(figure) => outside.push(figure),
                }
            }
            let outcomes = race(field.effort, &mut contestants);
            let mut row = times(&self.row(*count), &outcomes);
            row.figures.extend(outside);
            field.print(&row);
            hopeless.extend(
                outcomes
                    .iter()
                    .filter(|outcome| outcome.ns_per_unit > HOPELESS),
            );
        }
    }
}

enum Entry<'a> {
    Races(Contestant<'a>),
    StaysOut(Figure),
}

fn enter<'a, E: Engine>(engine: &'a E, site: &'a Site, hopeless: &[Outcome]) -> Entry<'a> {
    let stays_out = |value| {
        Entry::StaysOut(Figure {
            engine: E::NAME,
            value,
            rounds: None,
            answer: None,
        })
    };
    if let Some(outcome) = hopeless.iter().find(|outcome| outcome.name == E::NAME) {
        stays_out(Value::MoreThan(outcome.ns_per_unit))
    } else if engine.refuses(&engine.parse(&site.body)) {
        stays_out(Value::Refused)
    } else {
        Entry::Races(decide(engine, slice::from_ref(site)))
    }
}
