//! Page-level controls (SPEC 9.6): what the library reads is what the oracle reads.

use crate::oracle::page_controls::{self as naive, CONTROLS, Input};
use robots::{Control, Crawler, PageControls};

const TOKENS: [&[&[u8]]; 4] = [
    &[b"ExampleBot"],
    &[b"Googlebot-News", b"Googlebot"],
    &[b"noindex"],
    &[b"max-snippet", b"examplebot"],
];

/// The first byte picks the product tokens. Each line is a value: its first byte picks the kind of the value.
pub fn run(data: &[u8]) {
    let (first, lines) = data.split_first().unwrap_or((&0, &[]));
    let tokens = TOKENS[usize::from(*first) % TOKENS.len()];
    let mut crawler = Crawler::new(tokens[0]).unwrap();
    for token in &tokens[1..] {
        crawler = crawler.with_token(token).unwrap();
    }
    let mut page = PageControls::new(&crawler);
    let mut inputs = Vec::new();
    for line in lines.split(|byte| *byte == b'\n').take(20) {
        let Some((kind, value)) = line.split_first() else {
            continue;
        };
        let value = value.to_vec();
        match kind % 3 {
            0 => {
                page.add_header("X-Robots-Tag", &value).unwrap();
                inputs.push(Input::XRobotsTag(value));
            }
            1 => {
                page.add_header("Robots-Tag", &value).unwrap();
                inputs.push(Input::RobotsTag(value));
            }
            _ => {
                let at = value.iter().position(|byte| *byte == b'=');
                let (name, content) = value.split_at(at.unwrap_or(value.len()));
                page.add_meta(name, content).unwrap();
                inputs.push(Input::Meta(name.to_vec(), content.to_vec()));
            }
        }
    }
    let tokens: Vec<Vec<u8>> = tokens.iter().map(|token| token.to_vec()).collect();
    let expected = naive::read(&tokens, &inputs);
    for (control, (name, unrestricted)) in Control::ALL.into_iter().zip(CONTROLS) {
        let value = expected.values.get(name);
        assert_eq!(page.get(control), *value.unwrap_or(&unrestricted), "{name}");
        assert_eq!(
            page.decided_by(control).is_some(),
            value.is_some(),
            "{name}"
        );
    }
    // Of many unknown rules the first 64 are kept, and 256 bytes of each.
    assert_eq!(page.unknown().len(), expected.unknown.len().min(64));
    for (rule, text) in page.unknown().zip(&expected.unknown) {
        let characters = rule.text.iter().map(|byte| char::from(*byte));
        assert!(characters.eq(text.chars().take(256)), "{text:?}");
    }
}

/// The values of the case files.
pub fn seeds() -> Vec<Vec<u8>> {
    let cases = crate::support::page::read(include_str!(
        "../../tests/data/section-9-page-controls.page"
    ));
    let seed = |case: &crate::support::page::Case| {
        let number = case.title.len() % TOKENS.len();
        let mut seed = vec![u8::try_from(number).unwrap()];
        for input in &case.inputs {
            match input {
                Input::XRobotsTag(value) => seed.extend([b"0", &value[..], b"\n"].concat()),
                Input::RobotsTag(value) => seed.extend([b"1", &value[..], b"\n"].concat()),
                Input::Meta(name, content) => {
                    seed.extend([b"2", &name[..], b"=", content, b"\n"].concat());
                }
            }
        }
        seed
    };
    cases.iter().map(seed).collect()
}
