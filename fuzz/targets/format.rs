//! Formatting: no verdict changes, and formatting again changes nothing.

use super::input::question;
use crate::invariants::format::{looks_right, says_the_same};
use crate::support::{bridge, runner::as_case};
use robots::{Crawler, Reason, Unformatted};

pub fn run(data: &[u8]) {
    let question = question(data);
    let body = &question.body;
    let formatted = match robots::format(body) {
        Ok(formatted) => formatted,
        Err(Unformatted::TooLong) => return assert!(body.len() > 256_000),
        Err(Unformatted::Utf16) => {
            return assert!(body.starts_with(b"\xFF\xFE") || body.starts_with(b"\xFE\xFF"));
        }
        Err(Unformatted::Compressed) => {
            let crawler = Crawler::new("ExampleBot").unwrap();
            let verdict = crawler.parse(body).check("/");
            return assert_eq!(verdict.reason(), Reason::Unreachable);
        }
        Err(other) => panic!("{other}"),
    };
    let case = |url: &[u8]| as_case(&question.setup, &question.body, url);
    let crawler = bridge::crawler(&question.setup);
    says_the_same(&crawler, &question.body, &formatted, &question.urls)
        .unwrap_or_else(|(fault, url)| panic!("{fault}\n{}", case(&url)));
    looks_right(&formatted).unwrap_or_else(|fault| panic!("{fault}\n{}", case(b"")));
}
