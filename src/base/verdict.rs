//! The verdict: a 64-bit word that is the same in every language.

use core::fmt;

use crate::base::error::Error;

codes! {
    /// The reason of a verdict.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    #[repr(u8)]
    pub enum Reason: robots_reason("ROBOTS_REASON_") in verdict, "Why a URL is allowed or not: `ROBOTS_VERDICT_REASON`." {
        /// No decision, because of an error.
        None = 0 ROBOTS_REASON_NONE,
        /// An allow rule decided.
        RuleAllowed = 1 ROBOTS_REASON_RULE_ALLOWED,
        /// A disallow rule decided.
        RuleDisallowed = 2 ROBOTS_REASON_RULE_DISALLOWED,
        /// A group applies to the crawler, but none of its rules matches (SPEC 8.8).
        NoRule = 3 ROBOTS_REASON_NO_RULE,
        /// No group applies to the crawler (SPEC 7.1).
        NoGroup = 4 ROBOTS_REASON_NO_GROUP,
        /// The URL is the robots.txt itself (SPEC 8.9).
        RobotsTxt = 5 ROBOTS_REASON_ROBOTS_TXT,
        /// The whole site is allowed; there is no file (SPEC 2).
        AllowAll = 6 ROBOTS_REASON_ALLOW_ALL,
        /// The whole site is disallowed (SPEC 2).
        DisallowAll = 7 ROBOTS_REASON_DISALLOW_ALL,
        /// Nothing of the site may be fetched now; keep the URL and check it again later (SPEC 2).
        Defer = 8 ROBOTS_REASON_DEFER,
        /// The robots.txt cannot be reached (SPEC 2). This is no ban: keep the URL and check it again later.
        Unreachable = 9 ROBOTS_REASON_UNREACHABLE,
    }
    ALL: pub(self), from_code: pub(crate) u32
}

impl Reason {
    /// Returns the reason and the next step as one sentence. The text is NUL-terminated, because C uses it, too.
    pub(crate) const fn text(self) -> &'static core::ffi::CStr {
        match self {
            Reason::None => c"no decision because of an error: do not fetch the URL",
            Reason::RuleAllowed => c"an allow rule decides",
            Reason::RuleDisallowed => c"a disallow rule decides: drop the URL",
            Reason::NoRule => c"a group applies to the crawler, but none of its rules matches",
            Reason::NoGroup => c"no group of the robots.txt applies to the crawler",
            Reason::RobotsTxt => c"the URL is the robots.txt itself",
            Reason::AllowAll => c"the whole site is allowed: there is no robots.txt to obey",
            Reason::DisallowAll => c"the whole site is disallowed: drop the URL",
            Reason::Defer => c"no verdict for now: keep the URL and check it again later",
            Reason::Unreachable => c"the robots.txt cannot be reached, which is not a ban: keep the URL and check it again later",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().to_str().unwrap_or_default())
    }
}

/// The answer to whether a URL may be fetched, with reason and line: the `robots_verdict` of the C API.
///
/// Bit 0: allowed. Bit 1: site-wide ([`Verdict::is_site_wide`]). Bits 8-15: [`Reason`]. Bits 16-31: number of the error, or 0.
/// Bits 32-63: the line ([`Verdict::line`]). A verdict with an error is never allowed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
#[must_use]
pub struct Verdict(u64);

impl Verdict {
    const ALLOWED: u64 = 1;
    const SITE_WIDE: u64 = 2;
    const REASON_SHIFT: u32 = 8;
    const STATUS_SHIFT: u32 = 16;
    const LINE_SHIFT: u32 = 32;

    /// Returns a verdict without an error. `line`: the line of the rule that decides, or of the rule with an empty path that
    /// google reports (SPEC 8.8), or 0.
    #[inline(always)]
    pub(crate) const fn new(reason: Reason, allow: bool, line: u32) -> Verdict {
        Verdict::word(reason as u64, allow, line)
    }

    /// Returns the verdict on every URL of a site whose rules are not known: not allowed.
    pub(crate) const fn of_site(reason: Reason) -> Verdict {
        Verdict::new(reason, false, 0).on_site(true)
    }

    /// Returns the verdict; if `is` is true, with the site-wide bit.
    #[inline(always)]
    pub(crate) const fn on_site(self, is: bool) -> Verdict {
        Verdict(self.0 | (is as u64 * Verdict::SITE_WIDE))
    }

    /// Returns the verdict of a rule that won.
    #[inline(always)]
    pub(crate) const fn from_rule(allow: bool, line: u32) -> Verdict {
        // The numbers of the two reasons are adjacent, so a subtraction replaces a branch.
        const _: () = assert!(Reason::RuleDisallowed as u64 == Reason::RuleAllowed as u64 + 1);
        Verdict::word(Reason::RuleDisallowed as u64 - allow as u64, allow, line)
    }

    #[inline(always)]
    const fn word(reason: u64, allow: bool, line: u32) -> Verdict {
        let reason = reason << Verdict::REASON_SHIFT;
        Verdict((line as u64) << Verdict::LINE_SHIFT | reason | allow as u64)
    }

    /// Returns the verdict of a failed call: not allowed.
    #[inline]
    pub(crate) const fn from_error(error: Error) -> Verdict {
        Verdict((error.code() as u64) << Verdict::STATUS_SHIFT)
    }

    /// Returns whether the URL may be fetched.
    #[inline]
    pub const fn allowed(self) -> bool {
        self.0 & Verdict::ALLOWED != 0
    }

    /// Returns whether every URL of the site has this verdict, except /robots.txt (SPEC 8.9) and URLs that cannot be checked.
    /// The result is true in three cases: no group applies, the obeyed groups have no other rules than `/` and `*`, or no file
    /// decides. Then a caller may drop or keep the whole host.
    ///
    /// ```
    /// let rules = robots::Crawler::new("ExampleBot")?.parse("User-agent: *\nDisallow: /\n");
    /// assert!(rules.check("/page").is_site_wide());
    /// assert!(!rules.check("/robots.txt").is_site_wide());
    /// # Ok::<(), robots::Error>(())
    /// ```
    #[inline]
    pub const fn is_site_wide(self) -> bool {
        self.0 & Verdict::SITE_WIDE != 0
    }

    /// Returns the reason.
    pub fn reason(self) -> Reason {
        let code = (self.0 >> Verdict::REASON_SHIFT) as u8;
        Reason::from_code(code.into()).unwrap_or(Reason::None)
    }

    /// Returns the error, if any. A URL is never allowed if there is an error.
    pub fn error(self) -> Option<Error> {
        Error::from_code((self.0 >> Verdict::STATUS_SHIFT) as u16)
    }

    /// Returns the line of the deciding rule, from 1; 0 if no rule decides. In google, the line may be the line of a rule with
    /// an empty path if no other rule matches (SPEC 8.8).
    #[inline]
    pub const fn line(self) -> u32 {
        (self.0 >> Verdict::LINE_SHIFT) as u32
    }

    /// Returns the word: the `robots_verdict` of the C API.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }
}

impl fmt::Debug for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verdict")
            .field("allowed", &self.allowed())
            .field("is_site_wide", &self.is_site_wide())
            .field("reason", &self.reason())
            .field("error", &self.error())
            .field("line", &self.line())
            .finish()
    }
}
