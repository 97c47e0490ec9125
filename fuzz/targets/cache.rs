//! A cache that is asked anything at any time, against a naive model of it (SPEC 2.11, 3.4, 3.7).

use super::input::{Bytes, dialect};
use crate::invariants::cache::{HeldSlot, LAST, NOW, SITES, Step, agrees_with_model};
use crate::support::bridge;

const PATHS: &[&str] = &[
    "/",
    "/private/a",
    "/public/b",
    "/robots.txt",
    "",
    "/%70rivate/?x#y",
];
const STATUSES: &[u16] = &[200, 200, 200, 204, 404, 403, 429, 500, 503];

/// A byte for the dialect, then steps.
pub fn run(data: &[u8]) {
    let mut bytes = Bytes(data);
    let dialect = bridge::dialect(dialect(bytes.next()));
    let mut steps = Vec::new();
    while !bytes.0.is_empty() && steps.len() < 300 {
        steps.push(step(&mut bytes));
    }
    let script = format!("{steps:?}");
    agrees_with_model(dialect, steps).unwrap_or_else(|fault| panic!("{fault}\n{script}"));
}

fn step(bytes: &mut Bytes) -> Step {
    let what = bytes.next();
    let site = usize::from(what >> 4) % SITES.len();
    match what & 15 {
        0..=2 => Step::Check {
            crawler: usize::from(what >> 6) & 1,
            site,
            path: bytes.pick(PATHS).into(),
        },
        3 => Step::Request {
            crawler: usize::from(what >> 6) & 1,
            site,
            path: bytes.pick(PATHS).into(),
            held: match bytes.next() {
                0..=63 => HeldSlot::None,
                64..=191 => HeldSlot::Given(usize::from(bytes.next())),
                192..=255 => HeldSlot::Now,
            },
            ms: u64::from(bytes.next()) * 3,
        },
        4 => match bytes.next() {
            0..=127 => Step::Busy {
                site,
                seconds: seconds(bytes),
            },
            ms => Step::Answered {
                site,
                ms: u64::from(ms),
            },
        },
        5 => Step::Check {
            crawler: usize::from(what >> 6) & 1,
            site,
            path: [b"/", bytes.text()].concat(),
        },
        6..=9 => Step::Finish {
            held: usize::from(what >> 4),
            status: bytes.pick(STATUSES),
            took: u64::from(bytes.next()),
            ahead: match bytes.next() {
                0..=199 => 0,
                200..=254 => seconds(bytes),
                255 => bytes.number(),
            },
        },
        10 => Step::GiveBack {
            held: usize::from(what >> 4),
        },
        11 => Step::Remove { site },
        12 => Step::Forward(seconds(bytes)),
        13 => Step::Back(seconds(bytes)),
        14 => Step::Jump([0, NOW, u64::MAX, LAST][site]),
        _ => Step::Jump(bytes.number()),
    }
}

fn seconds(bytes: &mut Bytes) -> u64 {
    let unit = bytes.next();
    u64::from(bytes.next()) * [1, 5, 60, 3_600, 21_600, 86_400, 43_200, 1][usize::from(unit & 7)]
}
