//! Explanations: they report what the engine decides and what the oracle knows.

use super::input::question;
use crate::invariants::explain::holds;
use crate::oracle;
use crate::support::runner::as_case;

pub fn run(data: &[u8]) {
    let question = question(data);
    let site = oracle::parse(&question.setup, &question.body);
    for url in question.urls.iter().take(3) {
        holds(&question.setup, &question.body, url, &site).unwrap_or_else(|fault| {
            panic!("{fault}\n{}", as_case(&question.setup, &question.body, url))
        });
    }
}
