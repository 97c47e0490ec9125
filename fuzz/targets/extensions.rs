//! Lines that decide nothing (SPEC 9.3 to 9.5), and the header that says the same: readable whatever stands there,
//! and what a file says with paths is what the oracle finds by trying each.

use super::input::{Question, question};
use crate::oracle;
use crate::support::{bridge, uses};
use robots::{Crawler, Extensions, Hours, PageControls, Purpose, Use, Uses};
use std::collections::BTreeMap;

/// The input of `check`; its URLs are tried as headers, too.
pub fn run(data: &[u8]) {
    let question = question(data);
    let crawler = bridge::crawler(&question.setup);
    let extensions = Extensions::parse(&crawler, &question.body).unwrap();
    for line in extensions.lines() {
        assert!(line.line > 0 && !line.value.is_empty());
        let rate = line.request_rate();
        assert!(rate.is_none_or(|rate| rate.requests > 0 && rate.seconds > 0));
        let times = [line.visit_time(), rate.and_then(|rate| rate.hours)];
        let is_time = |hours: &Hours| hours.from < 1440 && (1..=1440).contains(&hours.until);
        assert!(times.iter().flatten().all(is_time));
    }
    preferences_agree(&question, &crawler);
    for value in &question.urls {
        header_is_read(value);
    }
    uses_are_read(&question, &crawler);
}

/// SPEC 13: the body as robots.txt and as tdmrep.json, the URLs as headers, too. Of an unknown robots.txt there is no yes.
fn uses_are_read(question: &Question, crawler: &Crawler) {
    let mut page = PageControls::new(crawler);
    for value in &question.urls {
        for name in [
            "Link",
            "Content-Signal",
            "tdm-reservation",
            "tdm-policy",
            "X-Robots-Tag",
        ] {
            page.add_header(name, value).unwrap();
        }
    }
    for body in [Some(&question.body), None] {
        let uses = Uses::new(crawler, None, body).unwrap();
        let uses = uses.with_tdm_file(&question.body).unwrap();
        for url in &question.urls {
            if let Ok(answer) = uses.use_for(url, Purpose::Training, Some(&page)) {
                assert!(body.is_some() || answer.says() != Use::Allowed);
                assert_eq!(answer.terms().is_some(), answer.says() == Use::Licensed);
                if let Ok(receipt) = uses.receipt(url, Purpose::Training, Some(&page), 0) {
                    assert!(receipt.is_ascii() && !receipt.contains('\n'));
                }
            }
        }
    }
}

type Choices = BTreeMap<Vec<u8>, char>;

/// What is said in the words of `content-usage`.
fn from_header(value: &[u8]) -> Choices {
    let all = uses::of_header(value).into_iter();
    all.map(|((_, label), (said, _))| (label, said)).collect()
}

/// SPEC 9.4, 9.5
fn preferences_agree(question: &Question, crawler: &Crawler) {
    let site = oracle::parse(&question.setup, &question.body);
    let uses = Uses::new(crawler, None, Some(&question.body)).unwrap();
    let dictionary = |text: &[u8]| from_header(text).into_iter().collect();
    for url in &question.urls {
        let expected = site.preferences(url, dictionary);
        let is = uses::preferences(&uses, url, None).ok().map(|all| {
            let word = |is_signal| if is_signal { "signal" } else { "usage" };
            let all = all.into_iter();
            all.map(|((is_signal, label), (said, _))| ((word(is_signal), label), said))
                .collect()
        });
        assert_eq!(
            is,
            expected,
            "{} of\n{}",
            url.escape_ascii(),
            question.body.escape_ascii()
        );
    }
}

/// A dictionary of RFC 9651 that another one follows says what both say, the later of equal keys; if one of them
/// cannot be read, neither can the two together.
fn header_is_read(value: &[u8]) {
    // A page keeps 16 KiB of these headers.
    if value.len() > 8_000 {
        return;
    }
    let together = |parts: &[&[u8]]| from_header(&parts.join(&b", "[..]));
    let said = from_header(value);
    let with_suffix = together(&[value, b"zz=y"]);
    if value.iter().all(|byte| *byte == b' ') {
        return assert!(said.is_empty() && with_suffix.is_empty());
    }
    if with_suffix.is_empty() {
        assert!(said.is_empty());
        assert!(together(&[b"zz=y", value]).is_empty());
        return;
    }
    let mut both = said.clone();
    both.insert(b"zz".to_vec(), 'y');
    assert_eq!(with_suffix, both);
    let mut both = said.clone();
    both.entry(b"zz".to_vec()).or_insert('y');
    assert_eq!(together(&[b"zz=y", value.trim_ascii_start()]), both);
    assert_eq!(together(&[value, value.trim_ascii_start()]), said);
}
