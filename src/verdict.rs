//! The answer: one 64-bit word, the same in every language.

use core::fmt;

use crate::error::Error;

/// Why a verdict is what it is. The discriminant is the reason of the C API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Reason {
    /// There is no decision, because of an error.
    None = 0,
    /// An allow rule won.
    RuleAllowed = 1,
    /// A disallow rule won.
    RuleDisallowed = 2,
    /// A group applies to the crawler, but none of its rules matches (SPEC 8.8).
    NoRule = 3,
    /// No group applies to the crawler (SPEC 7.1).
    NoGroup = 4,
    /// The URL is the robots.txt itself (SPEC 8.9).
    RobotsTxt = 5,
    /// The whole site is allowed, whatever the URL: there was no file to obey (SPEC 2).
    AllowAll = 6,
    /// The whole site is disallowed, whatever the URL (SPEC 2).
    DisallowAll = 7,
    /// Nothing of the site may be fetched now; keep the URL and ask again later (SPEC 2).
    Defer = 8,
}

impl Reason {
    const ALL: [Reason; 9] = [
        Reason::None,
        Reason::RuleAllowed,
        Reason::RuleDisallowed,
        Reason::NoRule,
        Reason::NoGroup,
        Reason::RobotsTxt,
        Reason::AllowAll,
        Reason::DisallowAll,
        Reason::Defer,
    ];
}

/// Whether a URL may be fetched, why, and by which line: one word, the `robots_verdict` of the C API.
///
/// Bit 0: allowed. Bits 8-15: [`Reason`]. Bits 16-31: the error's number, 0 for none. Bits 32-63:
/// line of the deciding rule (1 is the first), 0 for none. A verdict with an error is never allowed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
#[must_use]
pub struct Verdict(u64);

impl Verdict {
    const ALLOWED: u64 = 1;
    const REASON_SHIFT: u32 = 8;
    const STATUS_SHIFT: u32 = 16;
    const LINE_SHIFT: u32 = 32;

    /// Where no rule matches, or none is asked.
    #[inline(always)]
    pub(crate) const fn new(reason: Reason, allow: bool, line: u32) -> Verdict {
        Verdict(Verdict::word(reason, line) | allow as u64)
    }

    /// Of a rule that won.
    #[inline(always)]
    pub(crate) const fn from_rule(allow: bool, line: u32) -> Verdict {
        // One after the other, so that no branch is needed.
        const _: () = assert!(Reason::RuleDisallowed as u64 == Reason::RuleAllowed as u64 + 1);
        let reason = Reason::RuleDisallowed as u64 - allow as u64;
        Verdict(
            (line as u64) << Verdict::LINE_SHIFT | reason << Verdict::REASON_SHIFT | allow as u64,
        )
    }

    #[inline]
    const fn word(reason: Reason, line: u32) -> u64 {
        (reason as u64) << Verdict::REASON_SHIFT | (line as u64) << Verdict::LINE_SHIFT
    }

    /// The verdict of a question that could not be answered: not allowed.
    #[inline]
    pub(crate) const fn from_error(error: Error) -> Verdict {
        Verdict((error.code() as u64) << Verdict::STATUS_SHIFT)
    }

    /// Whether the URL may be fetched.
    #[inline]
    pub const fn allowed(self) -> bool {
        self.0 & Verdict::ALLOWED != 0
    }

    /// Why.
    pub fn reason(self) -> Reason {
        let code = (self.0 >> Verdict::REASON_SHIFT) as u8;
        Reason::ALL
            .into_iter()
            .find(|r| *r as u8 == code)
            .unwrap_or(Reason::None)
    }

    /// The error, when the question could not be answered; the verdict is then not allowed.
    pub fn error(self) -> Option<Error> {
        Error::from_code((self.0 >> Verdict::STATUS_SHIFT) as u16)
    }

    /// The line of the deciding rule, counted from 1; 0 when no rule decided.
    #[inline]
    pub const fn line(self) -> u32 {
        (self.0 >> Verdict::LINE_SHIFT) as u32
    }

    /// The word itself, as the C API gives it.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }
}

impl fmt::Debug for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verdict")
            .field("allowed", &self.allowed())
            .field("reason", &self.reason())
            .field("error", &self.error())
            .field("line", &self.line())
            .finish()
    }
}
