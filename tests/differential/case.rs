//! The cases, each file with its own seed, so that it can be made again alone; and the answers of Rust.

use crate::oracle::{Dialect, Setup};
use crate::support::{bridge, files, runner::URLS, urls};
use crate::wire::{Kind, NONE, Said, Way};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::{BoxedStrategy, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use robots::{Error, Rules};

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

/// What Rust says, in every way that Rust can be asked.
pub fn rust(case: &Case) -> Said {
    let mut setup = case.setup.clone();
    let is_without_token = setup.tokens == [b"*"];
    if is_without_token {
        setup.tokens.clear();
    } else if let Err(error) = bridge::checked_crawler(&setup) {
        assert_eq!(error, Error::Token);
        return Said {
            status: 2,
            delay: NONE,
            sitemaps: Vec::new(),
            image: Vec::new(),
            ways: Vec::new(),
        };
    }
    let rules = bridge::crawler(&setup).parse(&case.body);
    let copy = Rules::from_image(rules.image()).unwrap();
    let way = |name: &str, kind, of: &dyn Fn(&[u8]) -> u64| Way {
        name: name.to_owned(),
        kind,
        numbers: case.urls.iter().map(|url| of(url)).collect(),
    };
    let text = case.urls.concat();
    let ends = case.urls.iter().scan(0, |end, url| {
        *end += url.len() as u64;
        Some(*end)
    });
    let offsets: Vec<u64> = [0].into_iter().chain(ends).collect();
    let mut answers = vec![0; case.urls.len()];
    rules.check_batch(&text, &offsets, &mut answers).unwrap();
    Said {
        status: 0,
        delay: rules.crawl_delay().map_or(NONE, f64::to_bits),
        sitemaps: rules.sitemaps().map(<[u8]>::to_vec).collect(),
        image: rules.image().to_vec(),
        ways: vec![
            // The first: all others are held against it.
            way("check", Kind::Word, &|url| rules.check(url).bits()),
            way("check of an image", Kind::Word, &|url| {
                copy.check(url).bits()
            }),
            way("is_allowed", Kind::Allowed, &|url| {
                u64::from(rules.is_allowed(url))
            }),
            Way {
                name: "check_batch".to_owned(),
                kind: Kind::Answer,
                numbers: answers.into_iter().map(u64::from).collect(),
            },
        ],
    }
}
