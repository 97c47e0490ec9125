//! Page-level controls: every case of `tests/data/*.page`, and generated values that the oracle reads as well (SPEC
//! 9.6).
//!
//! One case is one response. `ROBOTS_CASES` says how many are generated, 50,000 by default.

use crate::oracle::page_controls::{self as naive, CONTROLS, Input, Page};
use crate::support::page::{self, Case};
use crate::support::page_values::{input, known_rule, tokens};
use crate::support::runner::{URLS, cases, runner};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use robots::{Control, Crawler, PageControls, PageRule, PageSource, Purpose, Use, Uses, Zone};
use std::collections::BTreeMap;

fn crawler(tokens: &[Vec<u8>]) -> Crawler {
    let first = Crawler::new(&tokens[0]).unwrap();
    let rest = tokens[1..].iter();
    rest.fold(first, |crawler, token| crawler.with_token(token).unwrap())
}

fn add(page: &mut PageControls, input: &Input) {
    match input {
        Input::XRobotsTag(value) => page.add_header("x-robots-tag", value).unwrap(),
        Input::RobotsTag(value) => page.add_header("Robots-Tag", value).unwrap(),
        Input::Meta(name, content) => page.add_meta(name, content).unwrap(),
    }
}

fn controls(tokens: &[Vec<u8>], inputs: &[Input]) -> PageControls {
    let mut page = PageControls::new(&crawler(tokens));
    for input in inputs {
        add(&mut page, input);
    }
    page
}

fn control(name: &str) -> Control {
    let place = CONTROLS.iter().position(|(known, _)| *known == name);
    Control::from_code(u32::try_from(place.expect(name)).unwrap()).unwrap()
}

fn source(source: PageSource) -> &'static str {
    match source {
        PageSource::XRobotsTag => "x-robots-tag",
        PageSource::RobotsTag => "robots-tag",
        PageSource::Meta => "meta",
        _ => "?",
    }
}

fn zone(zone: Zone) -> &'static str {
    match zone {
        Zone::Known => "known",
        Zone::Missing => "missing",
        Zone::Unknown => "unknown",
    }
}

/// What the library reads, in the oracle's words.
fn as_page(controls: &PageControls) -> Page {
    let mut page = Page::default();
    for (name, _) in CONTROLS {
        if let Some(rule) = controls.decided_by(control(name)) {
            page.values.insert(name, controls.get(control(name)));
            if name == "unavailable_after" {
                page.zone = zone(rule.zone);
            }
        }
    }
    let characters = |rule: &PageRule| rule.text.iter().map(|byte| char::from(*byte)).collect();
    page.unknown = controls.unknown().map(characters).collect();
    page
}

/// A control that no rule decides is not restricted.
fn undecided_is_unrestricted(controls: &PageControls) -> bool {
    CONTROLS.iter().all(|(name, unrestricted)| {
        let control = control(name);
        controls.decided_by(control).is_some() || controls.get(control) == *unrestricted
    })
}

fn all_cases() -> Vec<Case> {
    let text = include_str!("../data/section-9-page-controls.page");
    page::read(text)
}

/// SPEC 9.5, 9.6
#[test]
fn every_case() {
    let cases = all_cases();
    assert!(cases.len() > 70, "{}", cases.len());
    for case in cases {
        let title = &case.title;
        let mut controls = controls(&case.tokens, &case.inputs);
        for (name, value) in &case.others {
            controls.add_header(name, value).unwrap();
        }
        let page = as_page(&controls);
        let expected: BTreeMap<_, _> = case
            .values
            .iter()
            .map(|(name, value)| (name.as_str(), *value))
            .collect();
        assert_eq!(page.values, expected, "{title}");
        assert!(undecided_is_unrestricted(&controls), "{title}");
        for (name, at, number, text) in &case.decided {
            let rule = controls.decided_by(control(name)).unwrap();
            let is = (source(rule.source), rule.number, &*rule.text);
            assert_eq!(is, (at.as_str(), *number, text.as_slice()), "{title}");
            assert_eq!(rule.value, controls.get(control(name)), "{title}");
        }
        for (name, token) in &case.agents {
            let agent = &controls.decided_by(control(name)).unwrap().agent;
            assert_eq!(
                agent.as_deref().unwrap_or(b"*"),
                token.as_bytes(),
                "{title}"
            );
        }
        let of_date = controls.decided_by(Control::UnavailableAfter);
        assert_eq!(
            of_date.map_or("known", |rule| zone(rule.zone)),
            case.zone,
            "{title}"
        );
        let unknown: Vec<_> = controls
            .unknown()
            .map(|rule| {
                (
                    source(rule.source).to_owned(),
                    rule.number,
                    rule.text.to_vec(),
                )
            })
            .collect();
        assert_eq!(unknown, case.unknown, "{title}");
        assert_eq!(controls.unknown_omitted(), 0, "{title}");
        assert_eq!(
            page,
            naive::read(&case.tokens, &case.inputs),
            "{title}: the oracle"
        );
    }
}

/// Each rule of the table of known rules is in a case, and so is each control.
#[test]
fn the_cases_name_every_control() {
    let cases = all_cases();
    for (name, _) in CONTROLS {
        let decides = |case: &Case| case.values.iter().any(|(control, _)| control == name);
        assert!(cases.iter().any(decides), "{name}");
    }
}

/// SPEC 9.6: what the library reads is what the oracle reads.
#[test]
fn agrees_with_the_oracle() {
    // The runner counts files of 20 URLs; here each response is a case.
    let mut runner = runner(cases().saturating_mul(URLS as u64));
    let scenario = (tokens(), vec(input(), 0..4));
    let result = runner.run(&scenario, |(tokens, inputs)| {
        let controls = controls(&tokens, &inputs);
        prop_assert_eq!(as_page(&controls), naive::read(&tokens, &inputs));
        prop_assert!(undecided_is_unrestricted(&controls));
        Ok::<(), TestCaseError>(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// SPEC 9.6: a list of known rules says the same with white space between them as with commas.
#[test]
fn blanks_separate_what_commas_separate() {
    let blank = proptest::sample::select(vec![" ", "\t", "  \n", " \" "]);
    let scenario = (vec(known_rule(), 1..6), blank);
    let mut runner = runner(cases().saturating_mul(URLS as u64));
    let result = runner.run(&scenario, |(rules, blank)| {
        let read = |separator: &str| {
            let value = rules.join(separator).into_bytes();
            let inputs = [
                Input::XRobotsTag(value.clone()),
                Input::RobotsTag(value.clone()),
                Input::Meta(b"robots".to_vec(), value),
            ];
            inputs.map(|input| as_page(&controls(&[b"ExampleBot".to_vec()], &[input])))
        };
        let with_commas = read(", ");
        prop_assert_eq!(&read(blank), &with_commas);
        prop_assert_eq!(&with_commas[0], &with_commas[1]);
        prop_assert_eq!(&with_commas[0], &with_commas[2]);
        prop_assert_eq!(&with_commas[0].unknown, &Vec::<String>::new());
        Ok::<(), TestCaseError>(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// The comparison is worth what the generators reach.
#[test]
fn the_generators_reach_what_matters() {
    use proptest::strategy::ValueTree as _;
    let mut runner = runner(1);
    let scenario = (tokens(), vec(input(), 0..4));
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for _ in 0..20_000 {
        let (tokens, inputs) = scenario.new_tree(&mut runner).unwrap().current();
        let page = naive::read(&tokens, &inputs);
        for (name, value) in &page.values {
            let value = if *value > 2 {
                "more".to_owned()
            } else {
                value.to_string()
            };
            *seen.entry(format!("{name} {value}")).or_default() += 1;
        }
        *seen.entry(format!("zone {}", page.zone)).or_default() += 1;
        *seen
            .entry(format!("unknown {}", !page.unknown.is_empty()))
            .or_default() += 1;
    }
    for (name, _) in CONTROLS {
        let restricted = if name == "unavailable_after" {
            "more"
        } else {
            "0"
        };
        let count = seen
            .get(&format!("{name} {restricted}"))
            .copied()
            .unwrap_or_default();
        assert!(count >= 50, "{name}: {count} in {seen:?}");
    }
    for what in [
        "zone known",
        "zone missing",
        "zone unknown",
        "unknown true",
        "unknown false",
        "index_if_embedded 1",
        "max_snippet -1",
    ] {
        assert!(
            seen.get(what).is_some_and(|count| *count >= 50),
            "{what}: {seen:?}"
        );
    }
}

/// Memory is bounded: unknown rules are counted, long ones are cut, and known rules still decide.
#[test]
fn a_flood_is_bounded() {
    let mut page = PageControls::new(&Crawler::new("ExampleBot").unwrap());
    let long = "x".repeat(1000);
    page.add_header(
        "X-Robots-Tag",
        format!("{long}, {}noindex", "foo, ".repeat(100_000)),
    )
    .unwrap();
    assert!(!page.may_index());
    assert_eq!(page.unknown().len(), 64);
    assert_eq!(page.unknown_omitted(), 100_001 - 64);
    assert_eq!(page.unknown().next().unwrap().text.len(), 256);
    // A limit with many blanks keeps its value, though not all its text.
    page.add_meta("robots", format!("max-snippet:{}5", " ".repeat(10_000)))
        .unwrap();
    assert_eq!(page.get(Control::MaxSnippet), 5);
    assert_eq!(
        page.decided_by(Control::MaxSnippet).unwrap().text.len(),
        256
    );
    // Usage preferences: up to 16 KiB, then none.
    let uses = Uses::new(&crawler(&[b"ExampleBot".to_vec()]), None, Some("")).unwrap();
    let mut says = |value: &str| {
        page.add_header("Content-Usage", value).unwrap();
        let answer = uses.use_for("/", Purpose::Training, Some(&page)).unwrap();
        answer.says()
    };
    assert_eq!(says("train-ai=n"), Use::Denied);
    assert_eq!(
        says(&format!("a=\"{}\"", "x".repeat(17_000))),
        Use::Unstated
    );
    assert_eq!(says("train-ai=n"), Use::Unstated);
}

/// SPEC 10.1: a value is read in linear time.
#[test]
fn hostile_values_are_read_in_linear_time() {
    let bot = Crawler::new("ExampleBot").unwrap();
    #[rustfmt::skip]
    let shapes = [
        "a:", "unavailable_after:", "unavailable_after: Fri,", "unavailable_after: 25 Jun 2027, ", " ", ",", "\"",
        "*;", "a=", "noindex ", "@", "\\",
    ];
    for shape in shapes {
        let time = |len: usize| {
            let value = shape.repeat(len / shape.len());
            let start = std::time::Instant::now();
            let mut page = PageControls::new(&bot);
            page.add_header("X-Robots-Tag", &value).unwrap();
            page.add_header("Robots-Tag", &value).unwrap();
            page.add_meta("robots", &value).unwrap();
            start.elapsed()
        };
        // 1 MiB takes milliseconds; quadratic time would take more than a minute.
        let elapsed = time(1 << 20);
        assert!(elapsed.as_secs() < 60, "{shape}: {elapsed:?}");
    }
}

/// The numbers of the C API.
#[test]
fn controls_have_their_numbers() {
    for (number, control) in (0..).zip(Control::ALL) {
        assert_eq!(control as u32, number);
        assert_eq!(Control::from_code(number), Some(control));
    }
    assert_eq!(Control::from_code(11), None);
    assert_eq!(Control::from_code(u32::MAX), None);
}
