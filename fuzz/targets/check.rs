//! Parsing and deciding: the engine against the oracle, in all dialects (SPEC 4 to 8, 9.1, 9.2), one by one and
//! in a batch.

use super::input::question;
use crate::invariants::work;
use crate::oracle;
use crate::support::{bridge, runner::as_case};
use robots::BatchVerdict;

pub fn run(data: &[u8]) {
    let question = question(data);
    let crawler = bridge::crawler(&question.setup);
    let rules = crawler.parse(&question.body);
    let site = oracle::parse(&question.setup, &question.body);
    let case = |url: &[u8]| as_case(&question.setup, &question.body, url);
    bridge::compare_extensions(&rules, &site)
        .unwrap_or_else(|fault| panic!("{fault}\n{}", case(b"")));
    for url in &question.urls {
        bridge::compare(&rules, &site, url)
            .unwrap_or_else(|fault| panic!("{fault}\n{}", case(url)));
        bridge::compare_once(&crawler, &question.body, &rules, url)
            .unwrap_or_else(|fault| panic!("{fault}\n{}", case(url)));
        work::holds(&rules, url).unwrap_or_else(|fault| panic!("{fault}\n{}", case(url)));
    }

    let text = question.urls.concat();
    let mut offsets = vec![0_u32];
    for url in &question.urls {
        offsets.push(offsets[offsets.len() - 1] + u32::try_from(url.len()).unwrap());
    }
    let mut answers = vec![9; question.urls.len()];
    rules.check_batch(&text, &offsets, &mut answers).unwrap();
    for (url, answer) in question.urls.iter().zip(answers) {
        let expected = match rules.check(url) {
            verdict if verdict.error().is_some() => BatchVerdict::BadUrl,
            verdict if verdict.allowed() => BatchVerdict::Allowed,
            _ => BatchVerdict::Disallowed,
        };
        assert_eq!(answer, expected as u8, "in a batch\n{}", case(url));
    }
}
