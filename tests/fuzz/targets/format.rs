//! Formatting: no verdict changes, and formatting again changes nothing.

use super::input::question;
use crate::invariants::format::{looks_right, says_the_same};
use crate::support::{bridge, runner::as_case};

pub fn run(data: &[u8]) {
    let question = question(data);
    let Ok(formatted) = robots::format(&question.body) else {
        let body = &question.body;
        assert!(
            body.len() > 256_000 || body.starts_with(b"\xFF\xFE") || body.starts_with(b"\xFE\xFF")
        );
        return;
    };
    let case = |url: &[u8]| as_case(&question.setup, &question.body, url);
    let crawler = bridge::crawler(&question.setup);
    says_the_same(&crawler, &question.body, &formatted, &question.urls)
        .unwrap_or_else(|(fault, url)| panic!("{fault}\n{}", case(&url)));
    looks_right(&formatted).unwrap_or_else(|fault| panic!("{fault}\n{}", case(b"")));
}
