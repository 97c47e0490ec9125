//! `robots_verdict`: the answer in one word.

use crate::verdict::Reason;

/// The answer about one URL in one word: bit 0 allowed, bits 8-15 reason (`ROBOTS_REASON_...`),
/// bits 16-31 status (`ROBOTS_OK` or `ROBOTS_E_...`), bits 32-63 line of the deciding rule (the
/// first line is 1; 0: no rule decided). With a status other than `ROBOTS_OK` the allowed bit is 0:
/// misuse never permits a fetch. Read it with `ROBOTS_VERDICT_ALLOWED` and its like.
pub type robots_verdict = u64;

/// Reason: there is no decision, because of an error.
pub const ROBOTS_REASON_NONE: u32 = 0;
/// Reason: an allow rule won.
pub const ROBOTS_REASON_RULE_ALLOWED: u32 = 1;
/// Reason: a disallow rule won.
pub const ROBOTS_REASON_RULE_DISALLOWED: u32 = 2;
/// Reason: a group applies to the crawler, but none of its rules matches.
pub const ROBOTS_REASON_NO_RULE: u32 = 3;
/// Reason: no group applies to the crawler.
pub const ROBOTS_REASON_NO_GROUP: u32 = 4;
/// Reason: the URL is the robots.txt itself.
pub const ROBOTS_REASON_ROBOTS_TXT: u32 = 5;
/// Reason: the whole site is allowed; there was no file to obey.
pub const ROBOTS_REASON_ALLOW_ALL: u32 = 6;
/// Reason: the whole site is disallowed.
pub const ROBOTS_REASON_DISALLOW_ALL: u32 = 7;
/// Reason: nothing of the site may be fetched now; keep the URL and ask again later.
pub const ROBOTS_REASON_DEFER: u32 = 8;

// The numbers of C are those of the core.
const _: () = assert!(
    ROBOTS_REASON_NONE == Reason::None as u32
        && ROBOTS_REASON_RULE_ALLOWED == Reason::RuleAllowed as u32
        && ROBOTS_REASON_RULE_DISALLOWED == Reason::RuleDisallowed as u32
        && ROBOTS_REASON_NO_RULE == Reason::NoRule as u32
        && ROBOTS_REASON_NO_GROUP == Reason::NoGroup as u32
        && ROBOTS_REASON_ROBOTS_TXT == Reason::RobotsTxt as u32
        && ROBOTS_REASON_ALLOW_ALL == Reason::AllowAll as u32
        && ROBOTS_REASON_DISALLOW_ALL == Reason::DisallowAll as u32
        && ROBOTS_REASON_DEFER == Reason::Defer as u32
);
