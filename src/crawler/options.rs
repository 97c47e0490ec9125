//! What a crawler does about a fetch of a robots.txt, where SPEC 2 and 3 leave a choice: one table.

use crate::dialect::Dialect;
use crate::error::Error;

/// What is to be done with a site. The discriminant is the `ROBOTS_OUTCOME_...` of the C API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum OutcomeKind {
    /// There is a robots.txt: its rules decide.
    Rules = 0,
    /// All of the site may be fetched.
    AllowAll = 1,
    /// Nothing of the site may be fetched.
    DisallowAll = 2,
    /// Nothing of the site may be fetched now: keep its URLs and ask again later.
    Defer = 3,
}

impl OutcomeKind {
    /// The kind with this number, if there is one.
    pub const fn from_code(code: u64) -> Option<OutcomeKind> {
        match code {
            0 => Some(OutcomeKind::Rules),
            1 => Some(OutcomeKind::AllowAll),
            2 => Some(OutcomeKind::DisallowAll),
            3 => Some(OutcomeKind::Defer),
            _ => None,
        }
    }
}

/// A choice about fetching. The discriminant is the `ROBOTS_OPT_...` of the C API. What is not set is as the
/// dialect says, also after a later change of dialect.
///
/// Times are in seconds. A *treatment* is [`OutcomeKind::AllowAll`] (1), [`OutcomeKind::DisallowAll`] (2) or
/// [`OutcomeKind::Defer`] (3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u32)]
pub enum FetchOption {
    /// How many redirects in a row are followed, 0 to 20; 5 (SPEC 2.2, 2.3).
    MaxRedirects = 16,
    /// Treatment of 401 and 403; allow all, koster1996: disallow all (SPEC 2.6). To defer makes them count as
    /// unreachable.
    OnForbidden = 17,
    /// Treatment of 429; disallow all, koster1996: defer (SPEC 2.7). To allow all makes it count like 404.
    OnTooManyRequests = 18,
    /// Treatment of 500 to 599; disallow all, koster1996: defer (SPEC 2.8). To allow all makes them count like 404.
    OnServerError = 19,
    /// Treatment of all other failures (SPEC 2.9, 2.10); disallow all, koster1996: defer.
    OnUnreachable = 20,
    /// 1 to take 500 to 599 for 404, as of a site that is known to answer so for pages that do not exist, 0 not
    /// to; 0 (SPEC 2.14).
    ServerErrorIsMissing = 21,
    /// How long a robots.txt lives where its headers do not say; 86,400 (a day), koster1996: 604,800 (SPEC 3.1).
    DefaultTTL = 22,
    /// The shortest life, whatever the headers say, and the shortest wait, whatever `Retry-After` says; 300.
    MinTTL = 23,
    /// The longest life, whatever the headers say; 86,400, google and koster1996: 2,592,000 (SPEC 3.2). It is
    /// stronger than the shortest.
    MaxTTL = 24,
    /// How long after a first failure the next try is due; 600. The longer a site is unreachable, the longer the
    /// waits become: as long as it has been unreachable, up to [`FetchOption::DefaultTTL`].
    FailureTTL = 25,
    /// The longest wait that a `Retry-After` can ask for; 86,400 (SPEC 3.6). [`FetchOption::MinTTL`] is stronger.
    MaxRetryAfter = 26,
    /// After how long a site that is unreachable, and of which there is no copy, may be fetched as a whole;
    /// 2,592,000: 30 days (SPEC 2.12).
    UnreachableTTL = 27,
    /// 1 to go on using a copy of up to 24 h when the file is missing (SPEC 2.5), 0 to allow all at once; 0.
    MissingKeepsCopy = 28,
    /// The longest life of an answer by which there is no file to obey (SPEC 2.3, 2.5, 2.6), shorter where its
    /// headers say so; 21,600: 6 hours.
    MissingTTL = 29,
}

const MINUTE: u32 = 60;
const HOUR: u32 = 60 * MINUTE;
const DAY: u32 = 24 * HOUR;
/// No life that is set is longer: ten years, which keeps sums far from overflow and finds units that are wrong.
const LONGEST: u32 = 3_650 * DAY;

/// An option, its range, and its value in each dialect, in the order of their numbers.
struct Row(FetchOption, u32, u32, [u32; 3]);

#[rustfmt::skip]
const TABLE: [Row; 14] = {
    use FetchOption::*;
    const ALLOW: u32 = OutcomeKind::AllowAll as u32;
    const DISALLOW: u32 = OutcomeKind::DisallowAll as u32;
    const DEFER: u32 = OutcomeKind::Defer as u32;
    [
        //  option                least  most     rfc9309      google       koster1996
        Row(MaxRedirects,         0,     20,      [5,          5,           5]),
        Row(OnForbidden,          ALLOW, DEFER,   [ALLOW,      ALLOW,       DISALLOW]),
        Row(OnTooManyRequests,    ALLOW, DEFER,   [DISALLOW,   DISALLOW,    DEFER]),
        Row(OnServerError,        ALLOW, DEFER,   [DISALLOW,   DISALLOW,    DEFER]),
        Row(OnUnreachable,        ALLOW, DEFER,   [DISALLOW,   DISALLOW,    DEFER]),
        Row(ServerErrorIsMissing, 0,     1,       [0,          0,           0]),
        Row(DefaultTTL,          1,     LONGEST, [DAY,        DAY,         7 * DAY]),
        Row(MinTTL,              0,     LONGEST, [5 * MINUTE, 5 * MINUTE,  5 * MINUTE]),
        Row(MaxTTL,              1,     LONGEST, [DAY,        30 * DAY,    30 * DAY]),
        Row(FailureTTL,          1,     LONGEST, [10 * MINUTE, 10 * MINUTE, 10 * MINUTE]),
        Row(MaxRetryAfter,        0,     LONGEST, [DAY,        DAY,         DAY]),
        Row(UnreachableTTL,      0,     LONGEST, [30 * DAY,   30 * DAY,    30 * DAY]),
        Row(MissingKeepsCopy,     0,     1,       [0,          0,           0]),
        Row(MissingTTL,          1,     LONGEST, [6 * HOUR,   6 * HOUR,    6 * HOUR]),
    ]
};

impl FetchOption {
    /// Every option, in the order of its number.
    pub fn all() -> impl Iterator<Item = FetchOption> {
        TABLE.iter().map(|row| row.0)
    }

    /// The option with this number, if there is one.
    pub fn from_code(code: u32) -> Option<FetchOption> {
        FetchOption::all().find(|option| *option as u32 == code)
    }
}

/// What was set; the dialect tells the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Policy {
    set: [Option<u32>; TABLE.len()],
}

impl Policy {
    /// Sets an option.
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

    /// The value of an option.
    pub(crate) fn get(&self, option: FetchOption, dialect: Dialect) -> u64 {
        let mut rows = TABLE.iter().zip(&self.set);
        let value = rows
            .find(|(row, _)| row.0 == option)
            .and_then(|(row, set)| set.or_else(|| row.3.get(dialect as usize).copied()));
        u64::from(value.unwrap_or_default())
    }

    /// Whether a switch is on.
    pub(crate) fn is_on(&self, option: FetchOption, dialect: Dialect) -> bool {
        self.get(option, dialect) != 0
    }

    /// The value of an option that is a treatment.
    pub(crate) fn treatment(&self, option: FetchOption, dialect: Dialect) -> OutcomeKind {
        // The table holds treatments only; were it wrong, nothing would be fetched.
        OutcomeKind::from_code(self.get(option, dialect))
            .filter(|kind| *kind != OutcomeKind::Rules)
            .unwrap_or(OutcomeKind::Defer)
    }
}
