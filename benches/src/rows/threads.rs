//! Two threads deciding with the same rules: what the second one adds.

use super::corpus::allowed;
use super::field::{Field, each_engine};
use crate::clock;
use crate::corpus::Site;
use crate::engine::Engine;
use crate::measure::{Contestant, Effort, Outcome, least, race};
use crate::table::{Figure, Row, Unit, Value};
use std::thread;
use std::time::{Duration, Instant};

/// Starting a thread must not show: each works at least this long. Much longer, and the machine's other work would
/// more often take a processor from one of them.
const SHIFT: Duration = Duration::from_millis(5);

/// Few enough that the slowest engine too is through with them in a shift.
const SITES: usize = 250;

pub fn run(field: &Field<'_>) {
    if !field.wants(&["threads"]) {
        return;
    }
    let sites = &field.corpus.sites[..field.corpus.sites.len().min(SITES)];
    let teams = each_engine!(field, engine => Team::new(engine, sites));
    let mut contestants: Vec<Contestant<'_>> = teams
        .iter()
        .flatten()
        .flat_map(|team| [team.contestant(1), team.contestant(2)])
        .collect();
    // What two processors can do shows only while both are free, so of many short samples the best one counts.
    let effort = Effort {
        rounds: field.effort.rounds * 8,
        figure: least,
        sample: 0.0,
        clock: clock::wall,
        ..field.effort
    };
    let outcomes = race(effort, &mut contestants);
    let figures = outcomes
        .chunks_exact(2)
        .map(|pair| figure(&pair[0], &pair[1]))
        .collect();
    field.print(&Row::new("threads", Unit::OfOneThread, figures));
}

fn figure(one: &Outcome, two: &Outcome) -> Figure {
    assert_eq!(
        one.answer * 2,
        two.answer,
        "{}: each thread must come to the same answer",
        one.name
    );
    Figure {
        engine: one.name,
        value: Value::Is(one.ns_per_unit / two.ns_per_unit),
        rounds: None,
        answer: Some(one.answer),
    }
}

/// An engine's rules, shared by threads that decide all URLs `passes` times each.
struct Team<'a> {
    name: &'static str,
    work: Box<dyn Fn() -> u64 + Sync + 'a>,
    passes: u32,
}

impl<'a> Team<'a> {
    /// None for an engine that keeps no rules to share.
    fn new<E: Engine>(engine: &'a E, sites: &'a [Site]) -> Option<Self> {
        if !E::KEEPS_RULES {
            return None;
        }
        let kept: Vec<E::Rules<'a>> = sites.iter().map(|site| engine.parse(&site.body)).collect();
        let work = move || allowed(engine, sites, &kept);
        let begin = Instant::now();
        work();
        let passes = (SHIFT.as_secs_f64() / begin.elapsed().as_secs_f64()).ceil() as u32;
        Some(Self {
            name: E::NAME,
            work: Box::new(work),
            passes,
        })
    }

    /// The units are turns of work: one for each thread.
    fn contestant(&self, threads: u32) -> Contestant<'_> {
        let shift =
            || (0..self.passes).map(|_| (self.work)()).sum::<u64>() / u64::from(self.passes);
        Contestant::new(self.name, f64::from(threads), move || {
            thread::scope(|scope| {
                let crew: Vec<_> = (0..threads).map(|_| scope.spawn(shift)).collect();
                crew.into_iter()
                    .map(|thread| thread.join().expect("deciding does not panic"))
                    .sum()
            })
        })
    }
}
