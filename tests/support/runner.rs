//! Runs a property on generated cases, and prints what fails.

use crate::oracle::Setup;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use std::fmt::Write as _;

/// The number of URLs checked with one generated file.
pub const URLS: usize = 20;

fn number_from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| {
        text.parse()
            .unwrap_or_else(|_| panic!("{name}={text} is no number"))
    })
}

const CASES: u64 = 50_000;

/// Returns the number of cases to run.
pub fn cases() -> u64 {
    number_from_environment("ROBOTS_CASES", CASES)
}

/// Fails if generated cases reached what a property is about less than `least` times in 50,000 cases: then the
/// property holds for lack of examples. With another number of cases, the bound changes in proportion.
#[track_caller]
pub fn reached(what: &str, count: u64, least: u64) {
    let least = least * cases() / CASES;
    assert!(
        count >= least,
        "{what}: {count} examples, not {least}: change the generator, so that it makes more of them"
    );
}

/// Runs a property on as many files as make up the cases asked for.
pub fn run<S: Strategy>(input: &S, property: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let mut runner = runner(cases());
    if let Err(error) = runner.run(input, property) {
        // The reason has all facts; the generated value is long.
        let text = error.to_string();
        panic!(
            "{}",
            text.split("minimal failing input")
                .next()
                .unwrap_or_default()
        );
    }
}

pub fn runner(cases: u64) -> TestRunner {
    let cases = cases.div_ceil(URLS as u64);
    let seed = number_from_environment("ROBOTS_SEED", 1);
    let config = Config {
        cases: u32::try_from(cases).unwrap(),
        failure_persistence: None,
        max_shrink_iters: 50_000,
        ..Config::default()
    };
    // xorshift must not start from zeros.
    let seed = [seed.to_le_bytes(), 0x9E37_79B9_7F4A_7C15_u64.to_le_bytes()].concat();
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::XorShift, &seed))
}

/// Prints a file and a URL as a case of `tests/data/`, without the expectation.
pub fn as_case(setup: &Setup, body: &[u8], url: &[u8]) -> String {
    let mut case = format!(
        "case SPEC ?: ?\ndialect {}\n",
        format!("{:?}", setup.dialect).to_lowercase()
    );
    for token in &setup.tokens {
        writeln!(case, "token {}", escape(token)).unwrap();
    }
    for (option, value) in setup.options() {
        writeln!(case, "set {option} {value}").unwrap();
    }
    let mut lines: Vec<&[u8]> = body.split(|&byte| byte == b'\n').collect();
    let last = lines.pop().unwrap_or_default();
    for line in lines {
        writeln!(case, "| {}", escape(line)).unwrap();
    }
    if !last.is_empty() {
        writeln!(case, "| {}\\", escape(last)).unwrap();
    }
    writeln!(case, "? {}", escape(url)).unwrap();
    case
}

/// The bytes of a line or a URL with the escapes of the case files, a long run of one byte abridged.
fn escape(bytes: &[u8]) -> String {
    let mut text = String::new();
    for run in bytes.chunk_by(|one, other| one == other) {
        let byte = match run[0] {
            b'\\' => "\\\\".to_owned(),
            b' ' if run.len() > 1 => "\\s".to_owned(),
            printable @ b' '..=b'~' => char::from(printable).to_string(),
            other => format!("\\x{other:02x}"),
        };
        if run.len() > 100 {
            write!(text, "<{byte} {} times>", run.len()).unwrap();
        } else {
            text.push_str(&byte.repeat(run.len()));
        }
    }
    text
}
