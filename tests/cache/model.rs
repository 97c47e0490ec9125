//! Any sequence of steps, against a naive model of the cache.

use crate::invariants::agrees_with_model;
use crate::*;

fn step() -> impl Strategy<Value = Step> {
    let seconds = || {
        prop::sample::select(vec![
            0_u64,
            1,
            5,
            60,
            119,
            120,
            121,
            299,
            300,
            301,
            600,
            3_600,
            21_600,
            DAY - 1,
            DAY,
            DAY + 1,
            2 * DAY,
            7 * DAY,
            31 * DAY,
        ])
    };
    let paths = prop::sample::select(vec!["/", "/private/a", "/public/b", "/robots.txt", ""]);
    prop_oneof![
        10 => (0..2_usize, 0..4_usize, paths)
            .prop_map(|(crawler, site, path)| Step::Check { crawler, site, path: path.into() }),
        5 => (0..8_usize, prop::sample::select(vec![200_u16, 200, 200, 404, 429, 500, 503, 0]), 0..200_u64, ahead())
            .prop_map(|(held, status, took, ahead)| Step::Finish { held, status, took, ahead }),
        1 => (0..8_usize).prop_map(|held| Step::GiveBack { held }),
        1 => (0..4_usize).prop_map(|site| Step::Remove { site }),
        3 => seconds().prop_map(Step::Forward),
        1 => seconds().prop_map(Step::Back),
        1 => prop::sample::select(vec![0, NOW, LAST, LAST + 1, u64::MAX]).prop_map(Step::Jump),
    ]
}

/// Mostly none.
fn ahead() -> impl Strategy<Value = u64> {
    prop_oneof![
        6 => Just(0),
        1 => 0..400_u64,
        1 => prop::sample::select(vec![DAY, 365 * DAY, LAST]),
    ]
}

fn dialect() -> impl Strategy<Value = robots::Dialect> {
    use robots::Dialect::*;
    prop::sample::select(vec![Rfc9309, Google, Koster1996])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_script_agrees_with_the_model(
        dialect in dialect(),
        steps in prop::collection::vec(step(), 1..60),
    ) {
        agrees_with_model(dialect, steps)?;
    }
}
