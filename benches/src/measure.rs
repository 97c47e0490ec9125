//! Times passes of several contestants in turn, so that whatever else the machine does meets all of them alike.

use crate::clock::{self, Clock};

/// How long a row may take; times in nanoseconds.
#[derive(Clone, Copy)]
pub struct Effort {
    /// Samples of each contestant.
    pub rounds: usize,
    /// The figure that stands for them: usually their median.
    pub figure: fn(&mut [f64]) -> f64,
    /// Passes are repeated until a sample lasts this long.
    pub sample: f64,
    /// A contestant whose single pass lasts longer is timed once.
    pub patience: f64,
    pub clock: Clock,
}

impl Effort {
    pub const FULL: Self = Self {
        rounds: 9,
        figure: median,
        sample: 40e6,
        patience: 400e6,
        clock: clock::thread,
    };
    pub const QUICK: Self = Self {
        rounds: 1,
        figure: median,
        sample: 1e6,
        patience: 50e6,
        clock: clock::thread,
    };

    /// Nanoseconds that `work` takes, and its result.
    fn time<T>(&self, work: impl FnOnce() -> T) -> (f64, T) {
        let begin = (self.clock)();
        let result = work();
        (((self.clock)() - begin) as f64, result)
    }
}

/// One engine at one piece of work.
pub struct Contestant<'a> {
    name: &'static str,
    /// What a pass does, in the unit of the row: bytes or URLs.
    units: f64,
    pass: Box<dyn FnMut() -> u64 + 'a>,
}

/// What came of it.
#[derive(Clone, Copy)]
pub struct Outcome {
    pub name: &'static str,
    pub ns_per_unit: f64,
    /// Lowest and highest of the rounds.
    pub rounds: [f64; 2],
    pub answer: u64,
}

impl<'a> Contestant<'a> {
    /// `pass` does the whole work once and returns its answer, which must be the same every time.
    pub fn new(name: &'static str, units: f64, pass: impl FnMut() -> u64 + 'a) -> Self {
        Self {
            name,
            units,
            pass: Box::new(pass),
        }
    }

    /// The mean time of `passes` passes.
    fn sample(&mut self, effort: Effort, passes: u32, answer: u64) -> f64 {
        let (time, ()) = effort.time(|| {
            for _ in 0..passes {
                let again = (self.pass)();
                assert_eq!(
                    again, answer,
                    "{} answers differently when asked again",
                    self.name
                );
            }
        });
        time / f64::from(passes)
    }
}

/// A contestant on its way through the rounds.
struct Entry<'c, 'a> {
    contestant: &'c mut Contestant<'a>,
    answer: u64,
    passes: u32,
    samples: Vec<f64>,
}

/// Warms every contestant up, then samples them in turn, round by round.
pub fn race(effort: Effort, contestants: &mut [Contestant<'_>]) -> Vec<Outcome> {
    let mut entries: Vec<Entry> = contestants.iter_mut().map(|c| warm_up(effort, c)).collect();
    for _ in 0..effort.rounds {
        for entry in entries.iter_mut().filter(|e| e.passes > 0) {
            let sample = entry.contestant.sample(effort, entry.passes, entry.answer);
            entry.samples.push(sample);
        }
    }
    entries
        .into_iter()
        .map(|entry| entry.outcome(effort))
        .collect()
}

/// The first pass gives the answer and decides whether there is patience for more, the second how many make a sample.
fn warm_up<'c, 'a>(effort: Effort, contestant: &'c mut Contestant<'a>) -> Entry<'c, 'a> {
    let (first, answer) = effort.time(|| (contestant.pass)());
    let mut entry = Entry {
        contestant,
        answer,
        passes: 0,
        samples: Vec::with_capacity(effort.rounds),
    };
    if first > effort.patience {
        entry.samples.push(first);
    } else {
        let second = entry.contestant.sample(effort, 1, answer).max(1.0);
        entry.passes = (effort.sample / second).ceil().max(1.0) as u32;
    }
    entry
}

impl Entry<'_, '_> {
    fn outcome(mut self, effort: Effort) -> Outcome {
        let units = self.contestant.units;
        let most = self.samples.iter().copied().fold(0.0, f64::max);
        Outcome {
            name: self.contestant.name,
            rounds: [least(&mut self.samples) / units, most / units],
            ns_per_unit: (effort.figure)(&mut self.samples) / units,
            answer: self.answer,
        }
    }
}

fn median(samples: &mut [f64]) -> f64 {
    samples.sort_by(f64::total_cmp);
    let middle = samples.len() / 2;
    if samples.len() % 2 == 1 {
        samples[middle]
    } else {
        (samples[middle - 1] + samples[middle]) / 2.0
    }
}

pub fn least(samples: &mut [f64]) -> f64 {
    samples.iter().copied().fold(f64::INFINITY, f64::min)
}
