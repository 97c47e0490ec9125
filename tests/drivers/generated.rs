//! Generated cases, each file with its own seed, so that it can be made again alone.

use crate::oracle::{Dialect, Setup};
use crate::support::{files, runner::URLS, urls};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::{BoxedStrategy, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// A file, a crawler, and the URLs asked about; each URL is one case.
pub struct Case {
    pub setup: Setup,
    pub body: Vec<u8>,
    pub urls: Vec<Vec<u8>>,
}

pub struct Cases {
    seed: u64,
    /// One per dialect.
    scenarios: [BoxedStrategy<(Setup, files::File, Vec<urls::UrlRecipe>)>; 3],
}

impl Cases {
    pub fn new(seed: u64) -> Cases {
        let scenario = |dialect| {
            let recipes = vec(urls::recipe(), URLS);
            (files::setup(dialect), files::file(), recipes).boxed()
        };
        Cases {
            seed,
            scenarios: [Dialect::Rfc9309, Dialect::Google, Dialect::Koster1996].map(scenario),
        }
    }

    /// The file of a number, the same in every run with this seed.
    pub fn file(&self, number: u64) -> Case {
        let mix = mixed(self.seed).wrapping_add(number);
        let seed = [mixed(mix).to_le_bytes(), mixed(!mix).to_le_bytes()].concat();
        let rng = TestRng::from_seed(RngAlgorithm::XorShift, &seed);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let scenario = &self.scenarios[(number % 3) as usize];
        let (setup, file, recipes) = scenario.new_tree(&mut runner).unwrap().current();
        let body = file.bytes(setup.max_bytes);
        let paths = files::rule_paths(&body);
        let urls = recipes.iter().map(|recipe| recipe.url(&paths)).collect();
        Case { setup, body, urls }
    }
}

/// Another number for each, without an order (SplitMix64).
fn mixed(number: u64) -> u64 {
    let z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
