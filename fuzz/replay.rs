//! The fuzz targets without a fuzzer: over every input that is kept because it once found something, and over the seeds
//! that the fuzzer starts from.

mod seeds;
mod targets;

use crate::{oracle, support};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use targets::TARGETS;

/// Runs a body over inputs; the names of those that it fails on.
fn faults(name: &str, inputs: &[(String, Vec<u8>)]) -> Vec<String> {
    let (_, body) = TARGETS.iter().find(|(of, _)| *of == name).unwrap();
    inputs
        .iter()
        .filter(|(_, data)| catch_unwind(AssertUnwindSafe(|| body(data))).is_err())
        .map(|(input, data)| format!("{name} {input}: {}", data.escape_ascii()))
        .collect()
}

/// Each option of reading has another value than its default in an input.
#[test]
fn every_option_is_drawn() {
    let files = seeds::files(Path::new(env!("CARGO_MANIFEST_DIR")), None);
    let seeds = seeds::of("check", &files);
    let questions = seeds.iter().map(|seed| {
        // A second byte that puts the limit of bytes into the file.
        let input = [&[0xFF, 0xF0], &seed[2..]].concat();
        targets::input::question(&input)
    });
    let questions: Vec<_> = questions.collect();
    let default = oracle::Setup::new(oracle::Dialect::Rfc9309, &[]).options();
    for (place, (name, value)) in default.into_iter().enumerate() {
        let differs =
            |question: &targets::input::Question| question.setup.options()[place].1 != value;
        assert!(
            questions.iter().any(differs),
            "no input sets {name}: see `setup` of fuzz/targets/input.rs"
        );
    }
}

/// Each input in `fuzz/regressions/TARGET/`.
#[test]
fn what_was_found_stays_fixed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/regressions");
    let (mut all, mut count) = (Vec::new(), 0);
    for entry in std::fs::read_dir(&folder).unwrap() {
        let target = entry.unwrap();
        let name = target.file_name().into_string().unwrap();
        // That of the C API is replayed by tests/c/test_fuzz.c.
        if name == "abi" || !target.path().is_dir() {
            continue;
        }
        let known = TARGETS.iter().any(|(of, _)| *of == name);
        assert!(known, "{}: no such target", target.path().display());
        let files = std::fs::read_dir(target.path()).unwrap().map(|file| {
            let path = file.unwrap().path();
            (path.display().to_string(), std::fs::read(&path).unwrap())
        });
        let inputs: Vec<_> = files.collect();
        count += inputs.len();
        all.extend(faults(&name, &inputs));
    }
    assert!(count > 0, "no inputs in {folder:?}");
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// The seeds, and each of them cut, with a byte changed, and twice in a row.
#[test]
fn seeds_hold() {
    let files = seeds::files(Path::new(env!("CARGO_MANIFEST_DIR")), None);
    assert!(files.len() > 200, "{}", files.len());
    let mut all = Vec::new();
    for (name, _) in TARGETS {
        let mut numbers = support::urls::Numbers::of(name.as_bytes());
        let mut inputs = Vec::new();
        for (number, seed) in seeds::of(name, &files).into_iter().enumerate() {
            assert!(!seed.is_empty(), "{name} {number}");
            let mut changed = seed.clone();
            for _ in 0..=numbers.below(3) {
                let at = numbers.below(changed.len());
                changed[at] = changed[at].wrapping_add(u8::try_from(numbers.below(256)).unwrap());
            }
            inputs.push((
                format!("{number} cut"),
                seed[..numbers.below(seed.len())].into(),
            ));
            inputs.push((format!("{number} changed"), changed));
            inputs.push((format!("{number} twice"), seed.repeat(2)));
            inputs.push((number.to_string(), seed));
        }
        assert!(inputs.len() > 40, "{name}: {}", inputs.len());
        all.extend(faults(name, &inputs));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// The comparisons are worth what the seeds reach: URLs that rules decide about, images that are sound.
#[test]
fn seeds_reach_what_matters() {
    let files = seeds::files(Path::new(env!("CARGO_MANIFEST_DIR")), None);
    let (mut asked, mut decided) = (0, 0);
    for seed in seeds::of("check", &files) {
        let question = targets::input::question(&seed);
        let rules = support::bridge::crawler(&question.setup).parse(&question.body);
        for url in &question.urls {
            asked += 1;
            decided += u32::from(rules.check(url).line() > 0);
        }
    }
    assert!(asked > 1_000 && decided * 3 > asked, "{decided} of {asked}");
    let seeds = seeds::of("image", &files);
    let sound = seeds.iter().filter(|seed| {
        let (image, _) = targets::image::image(seed);
        robots::Rules::from_image(&image).is_ok()
    });
    assert!(sound.count() * 2 > seeds.len());
}
