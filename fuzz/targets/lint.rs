//! Lint: no panic, every span inside the file, a report that can be shown.

use super::input::question;
use crate::invariants::lint::is_sound;
use crate::support::bridge;

pub fn run(data: &[u8]) {
    let question = question(data);
    let crawler = bridge::crawler(&question.setup);
    // Rules that decide for a crawler without a token, or with a malformed one, are of groups that nobody else has.
    let is_valid = bridge::checked_crawler(&question.setup).is_ok();
    let urls = if is_valid { &question.urls[..] } else { &[] };
    is_sound(&crawler, &question.body, urls).unwrap_or_else(|fault| panic!("{fault}"));
}
