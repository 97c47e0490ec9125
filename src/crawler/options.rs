//! The fetch options of a crawler, where SPEC 2 and 3 leave a choice: one table.

use core::ops::RangeInclusive;

use crate::dialect::Dialect;
use crate::error::Error;

/// The kind of an outcome. The discriminant is the `ROBOTS_OUTCOME_...` value of the C API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum OutcomeKind {
    /// The rules of a robots.txt decide.
    Rules = 0,
    /// Every URL of the site may be fetched.
    AllowAll = 1,
    /// No URL of the site may be fetched.
    DisallowAll = 2,
    /// No URL of the site may be fetched now: keep its URLs and ask again later.
    Defer = 3,
    /// The site's robots.txt cannot be reached: fetch nothing of the site now, keep its URLs and ask again later. This
    /// is no ban.
    Unreachable = 4,
}

impl OutcomeKind {
    /// Returns the kind with this number, if any.
    pub const fn from_code(code: u64) -> Option<OutcomeKind> {
        match code {
            0 => Some(OutcomeKind::Rules),
            1 => Some(OutcomeKind::AllowAll),
            2 => Some(OutcomeKind::DisallowAll),
            3 => Some(OutcomeKind::Defer),
            4 => Some(OutcomeKind::Unreachable),
            _ => None,
        }
    }
}

/// An option for fetches. The discriminant is the `ROBOTS_OPT_...` value of the C API. An option that is not set
/// has the default of the crawler's dialect, also after a later change of dialect.
///
/// Times are in seconds. A *treatment* is [`OutcomeKind::AllowAll`] (1), [`OutcomeKind::DisallowAll`] (2),
/// [`OutcomeKind::Defer`] (3) or [`OutcomeKind::Unreachable`] (4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u32)]
pub enum FetchOption {
    /// How many redirects in a row are followed, 0 to 20. Default: 5; koster1996: 20 (SPEC 2.2, 2.3).
    MaxRedirects = 16,
    /// Treatment of 401 and 403. Default: allow all; koster1996: disallow all (SPEC 2.6). With `Defer` or
    /// `Unreachable` they count as unreachable.
    OnForbidden = 17,
    /// Treatment of 429. Default: unreachable; koster1996: defer (SPEC 2.7). With `AllowAll` it counts as 404.
    OnTooManyRequests = 18,
    /// Treatment of 500 to 599. Default: unreachable; koster1996: defer (SPEC 2.8). With `AllowAll` they count as
    /// 404.
    OnServerError = 19,
    /// Treatment of all other failures (SPEC 2.9, 2.10, 2.16, 2.17). Default: unreachable; koster1996: defer.
    OnUnreachable = 20,
    /// 1: treat 500 to 599 as 404, for a site that is known to answer so for missing pages. Default: 0 (SPEC
    /// 2.14).
    ServerErrorIsMissing = 21,
    /// TTL of a robots.txt without freshness headers. Default: 86,400 (a day); koster1996: 604,800 (SPEC 3.1).
    DefaultTTL = 22,
    /// Lower bound of a TTL from headers and of a wait from `Retry-After`. Default: 300.
    MinTTL = 23,
    /// Upper bound of a TTL from headers. Default: 86,400; google and koster1996: 2,592,000 (SPEC 3.2). It
    /// overrides [`FetchOption::MinTTL`].
    MaxTTL = 24,
    /// Time from the first failure to the next attempt. Default: 600. Later waits grow: each is as long as the
    /// outage so far, at most a day and at most [`FetchOption::DefaultTTL`].
    FailureTTL = 25,
    /// Upper bound of a wait from `Retry-After`. Default: 86,400 (SPEC 3.6). [`FetchOption::MinTTL`] overrides it.
    MaxRetryAfter = 26,
    /// Time after which every URL of an unreachable site without a copy is allowed. Default: 2,592,000 (30 days;
    /// SPEC 2.12); koster1996: 4,294,967,295, which is never.
    UnreachableTTL = 27,
    /// 1: keep using a copy for up to 24 h after the file is missing; 0: allow all at once. Default: 0 (SPEC 2.5).
    MissingKeepsCopy = 28,
    /// Upper bound of the TTL of an answer that means "no file to obey" (SPEC 2.3, 2.5, 2.6). Default: 21,600 (6
    /// hours).
    MissingTTL = 29,
    /// Treatment of a redirect that leads nowhere (SPEC 2.3) where there is no copy (SPEC 2.15). Default: allow all.
    /// It leads nowhere without a usable target, in a loop, after too many redirects, or if it is refused. koster1996
    /// defers a loop and too many redirects, unless the option is set.
    OnBadRedirect = 30,
    /// 0: refuse a redirect to a literal address that is not global, such as 127.0.0.1, and to `localhost`; but
    /// follow it where the host of the first URL is one itself. 1: follow it. Default: 0. The client refuses host names
    /// that resolve to such an address.
    NonGlobalRedirects = 31,
    /// 1: nothing may be fetched while the site is unreachable, also with a copy; the copy waits for the end of the outage,
    /// or for [`FetchOption::UnreachableTTL`]. 0: the copy stays in use. Default: 0 (SPEC 2.11).
    UnreachableOverridesCopy = 32,
}

const MINUTE: u32 = 60;
const HOUR: u32 = 60 * MINUTE;
const DAY: u32 = 24 * HOUR;
/// The highest value of a time: ten years. It keeps sums from overflow and catches wrong units.
const LONGEST: u32 = 3_650 * DAY;
/// A time that no outage lasts.
const NEVER: u32 = u32::MAX;

/// An option: number, lowest value, highest value, default of each dialect by number.
struct Row(FetchOption, u32, u32, [u32; 3]);

#[rustfmt::skip]
const TABLE: [Row; 17] = {
    use FetchOption::*;
    const ALLOW: u32 = OutcomeKind::AllowAll as u32;
    const DISALLOW: u32 = OutcomeKind::DisallowAll as u32;
    const DEFER: u32 = OutcomeKind::Defer as u32;
    const UNREACH: u32 = OutcomeKind::Unreachable as u32;
    [
        //  option                least  most     rfc9309      google       koster1996
        Row(MaxRedirects,         0,     20,      [5,          5,           20]),
        Row(OnForbidden,          ALLOW, UNREACH, [ALLOW,      ALLOW,       DISALLOW]),
        Row(OnTooManyRequests,    ALLOW, UNREACH, [UNREACH,    UNREACH,     DEFER]),
        Row(OnServerError,        ALLOW, UNREACH, [UNREACH,    UNREACH,     DEFER]),
        Row(OnUnreachable,        ALLOW, UNREACH, [UNREACH,    UNREACH,     DEFER]),
        Row(ServerErrorIsMissing, 0,     1,       [0,          0,           0]),
        Row(DefaultTTL,           1,     LONGEST, [DAY,        DAY,         7 * DAY]),
        Row(MinTTL,               0,     LONGEST, [5 * MINUTE, 5 * MINUTE,  5 * MINUTE]),
        Row(MaxTTL,               1,     LONGEST, [DAY,        30 * DAY,    30 * DAY]),
        Row(FailureTTL,           1,     LONGEST, [10 * MINUTE, 10 * MINUTE, 10 * MINUTE]),
        Row(MaxRetryAfter,        0,     LONGEST, [DAY,        DAY,         DAY]),
        Row(UnreachableTTL,       0,     LONGEST, [30 * DAY,   30 * DAY,    NEVER]),
        Row(MissingKeepsCopy,     0,     1,       [0,          0,           0]),
        Row(MissingTTL,           1,     LONGEST, [6 * HOUR,   6 * HOUR,    6 * HOUR]),
        Row(OnBadRedirect,        ALLOW, UNREACH, [ALLOW,      ALLOW,       ALLOW]),
        Row(NonGlobalRedirects,   0,     1,       [0,          0,           0]),
        Row(UnreachableOverridesCopy, 0, 1,       [0,          0,           0]),
    ]
};

impl FetchOption {
    /// Returns every option, by number.
    pub fn all() -> impl Iterator<Item = FetchOption> {
        TABLE.iter().map(|row| row.0)
    }

    /// Returns the option with this number, if any.
    pub fn from_code(code: u32) -> Option<FetchOption> {
        FetchOption::all().find(|option| *option as u32 == code)
    }

    /// Returns the values that the option accepts.
    ///
    /// ```
    /// assert_eq!(robots::FetchOption::MaxRedirects.range(), 0..=20);
    /// ```
    pub fn range(self) -> RangeInclusive<u64> {
        let row = TABLE.iter().find(|row| row.0 == self);
        row.map_or(0..=0, |Row(_, least, most, _)| {
            u64::from(*least)..=u64::from(*most)
        })
    }
}

/// The options that were set; the others have the default of the dialect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Policy {
    set: [Option<u32>; TABLE.len()],
}

impl Policy {
    /// Sets an option; fails if the value is out of range.
    pub(crate) fn set(&mut self, option: FetchOption, value: u64) -> Result<(), Error> {
        let value = u32::try_from(value).map_err(|_| Error::Argument)?;
        for (Row(known, least, most, _), place) in TABLE.iter().zip(&mut self.set) {
            if *known == option && (*least..=*most).contains(&value) {
                *place = Some(value);
                return Ok(());
            }
        }
        Err(Error::Argument)
    }

    /// Returns the value of an option.
    pub(crate) fn get(&self, option: FetchOption, dialect: Dialect) -> u64 {
        let mut rows = TABLE.iter().zip(&self.set);
        let value = rows
            .find(|(row, _)| row.0 == option)
            .and_then(|(row, set)| set.or_else(|| row.3.get(dialect as usize).copied()));
        #[allow(clippy::expect_used, reason = "a default could open a site")]
        let value = value.expect("the table has a row for each option, with each dialect");
        u64::from(value)
    }

    /// Returns whether an option was set.
    pub(crate) fn is_set(&self, option: FetchOption) -> bool {
        let mut rows = TABLE.iter().zip(&self.set);
        rows.any(|(row, set)| row.0 == option && set.is_some())
    }

    /// Returns whether a switch is on.
    pub(crate) fn is_on(&self, option: FetchOption, dialect: Dialect) -> bool {
        self.get(option, dialect) != 0
    }

    /// Returns the value of an option that is a treatment.
    pub(crate) fn treatment(&self, option: FetchOption, dialect: Dialect) -> OutcomeKind {
        // The table holds treatments only. If it were wrong, `Defer` is the safe answer.
        OutcomeKind::from_code(self.get(option, dialect))
            .filter(|kind| *kind != OutcomeKind::Rules)
            .unwrap_or(OutcomeKind::Defer)
    }
}
