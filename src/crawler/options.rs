//! The options of a crawler, in three tables: how a file is read, what lint reports, and how a file is fetched. The last table
//! holds the choices that SPEC 2 and 3 leave open.

use core::ops::RangeInclusive;

use crate::base::codes::{OptionRow, Unit};
use crate::base::dialect::Dialect;
use crate::base::error::Error;

codes! {
    /// The kind of an outcome.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(u8)]
    pub enum OutcomeKind: robots_outcome_kind("ROBOTS_OUTCOME_") in outcome, "What an outcome means for the site. Also values of the options `ROBOTS_OPT_ON_...`." {
        /// There is a robots.txt; its rules decide.
        Rules = 0 ROBOTS_OUTCOME_RULES,
        /// The whole site is allowed.
        AllowAll = 1 ROBOTS_OUTCOME_ALLOW_ALL,
        /// The whole site is disallowed.
        DisallowAll = 2 ROBOTS_OUTCOME_DISALLOW_ALL,
        /// Nothing of the site may be fetched now; keep its URLs and check them again later.
        Defer = 3 ROBOTS_OUTCOME_DEFER,
        /// The robots.txt cannot be reached, which is no ban: keep the URLs of the site and check them again later.
        Unreachable = 4 ROBOTS_OUTCOME_UNREACHABLE,
    }
    ALL: pub(crate), from_code: pub u64
}

/// Declares an enum of options and the table of their rows. `make api` generates the options of every language from this table.
/// The comment of a switch says what the value 1 does.
macro_rules! options {
    (
        $(#[$about:meta])* $name:ident, $rows:ident;
        $($(#[doc = $line:literal])*
        $option:ident = $number:literal $c:ident: $unit:ident $least:tt to $most:tt, [$($default:tt),*];)*
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u32)]
        pub enum $name {
            $($(#[doc = $line])*
            #[doc = concat!(
                "\n\nValues: ", stringify!($least), " to ", stringify!($most),
                ". Defaults of rfc9309, google and koster1996: ", $(stringify!($default), ", "),* , "in this order.",
            )]
            $option = $number,)*
        }

        /// The rows of the options, sorted by number.
        pub const $rows: &[OptionRow] = {
            #[allow(unused_imports, reason = "names of values")]
            use {Dialect::*, OutcomeKind::*};
            &[$(OptionRow {
                name: stringify!($c),
                number: $number,
                unit: Unit::$unit,
                least: $least as u64,
                most: $most as u64,
                default: [$($default as u64),*],
                lines: &[$($line),*],
            }),*]
        };

        impl $name {
            /// Returns every option, sorted by number.
            pub fn all() -> impl Iterator<Item = $name> {
                [$($name::$option),*].into_iter()
            }

            /// Returns the option with this number, if any.
            pub fn from_code(code: u32) -> Option<$name> {
                $name::all().find(|option| *option as u32 == code)
            }
        }
    };
}

options! {
    /// An option for reading a file, which can change verdicts. The discriminant is the `ROBOTS_OPT_...` value of the C API.
    ReadOption, READ_OPTIONS;

    /// The dialect.
    Dialect = 1 ROBOTS_OPT_DIALECT: Dialect Rfc9309 to Koster1996, [Rfc9309, Rfc9309, Rfc9309];
    /// How many bytes of a robots.txt are read (SPEC 4.5).
    MaxBytes = 2 ROBOTS_OPT_MAX_BYTES: Bytes 512_000 to 1_073_741_824, [512_000, 512_000, 512_000];
    /// Obeys only groups that name the crawler, and no `*` groups, as AdsBot-Google does (SPEC 7.5).
    IgnoreStar = 3 ROBOTS_OPT_IGNORE_STAR: Switch 0 to 1, [0, 0, 0];
    /// Obeys the groups of all product tokens together, as Google's matcher does (SPEC 7.7). Otherwise only the groups of the
    /// first token that the file names are obeyed.
    MergeTokens = 4 ROBOTS_OPT_MERGE_TOKENS: Switch 0 to 1, [0, 0, 0];
    /// Lets a crawl-delay line end a run of user-agent lines, as a rule does (SPEC 6.1).
    CrawlDelayEndsAgents = 5 ROBOTS_OPT_CRAWL_DELAY_ENDS_AGENTS: Switch 0 to 1, [0, 0, 0];
}

options! {
    /// An option of lint: no verdict depends on it. The discriminant is the `ROBOTS_OPT_...` value of the C API.
    LintOption, LINT_OPTIONS;

    /// Lets lint report every code, also codes that are off by default.
    LintAll = 6 ROBOTS_OPT_LINT_ALL: Switch 0 to 1, [0, 0, 0];
}

options! {
    /// An option for fetches. The discriminant is the `ROBOTS_OPT_...` value of the C API. An option that is not set
    /// has the default of the crawler's dialect. If the dialect changes later, this default changes, too.
    ///
    /// Times are in seconds. A *treatment* is [`OutcomeKind::AllowAll`] (1), [`OutcomeKind::DisallowAll`] (2),
    /// [`OutcomeKind::Defer`] (3) or [`OutcomeKind::Unreachable`] (4). A switch is 0 or 1; the comment of the switch says what
    /// 1 does.
    FetchOption, FETCH_OPTIONS;

    /// How many redirects in a row are followed (SPEC 2.2, 2.3).
    MaxRedirects = 16 ROBOTS_OPT_MAX_REDIRECTS: Count 0 to 20, [5, 5, 20];
    /// The outcome of 401 and 403 (SPEC 2.6). With defer or unreachable, these statuses are an outage, so a copy stays in use.
    OnForbidden = 17 ROBOTS_OPT_ON_FORBIDDEN: OutcomeKind AllowAll to Unreachable, [AllowAll, AllowAll, DisallowAll];
    /// The outcome of 429 (SPEC 2.7). With allow all, 429 counts as 404.
    OnTooManyRequests = 18 ROBOTS_OPT_ON_TOO_MANY_REQUESTS: OutcomeKind AllowAll to Unreachable, [Unreachable, Unreachable, Defer];
    /// The outcome of 500 to 599 (SPEC 2.8); allow all counts them as 404.
    OnServerError = 19 ROBOTS_OPT_ON_SERVER_ERROR: OutcomeKind AllowAll to Unreachable, [Unreachable, Unreachable, Defer];
    /// The outcome of every other failure (SPEC 2.9, 2.10, 2.16, 2.17).
    OnUnreachable = 20 ROBOTS_OPT_ON_UNREACHABLE: OutcomeKind AllowAll to Unreachable, [Unreachable, Unreachable, Defer];
    /// Treats 500 to 599 as 404, for a site that is known to send them for missing pages (SPEC 2.14).
    ServerErrorIsMissing = 21 ROBOTS_OPT_SERVER_ERROR_IS_MISSING: Switch 0 to 1, [0, 0, 0];
    /// The freshness lifetime of a robots.txt whose headers give none (SPEC 3.1).
    DefaultTTL = 22 ROBOTS_OPT_DEFAULT_TTL: Seconds 1 to 315_360_000, [86_400, 86_400, 604_800];
    /// The shortest freshness lifetime, whatever the headers give (SPEC 3.2). It bounds no wait after a failure.
    MinTTL = 23 ROBOTS_OPT_MIN_TTL: Seconds 0 to 315_360_000, [300, 300, 300];
    /// The longest freshness lifetime, whatever the headers give (SPEC 3.2). It overrides `ROBOTS_OPT_MIN_TTL`.
    MaxTTL = 24 ROBOTS_OPT_MAX_TTL: Seconds 1 to 315_360_000, [86_400, 2_592_000, 2_592_000];
    /// The wait after a first failure, and the shortest wait. Later waits are as long as the outage so far, up to a day and up to
    /// `ROBOTS_OPT_DEFAULT_TTL`. A `Retry-After` makes them longer, never shorter (SPEC 3.6).
    FailureTTL = 25 ROBOTS_OPT_FAILURE_TTL: Seconds 1 to 315_360_000, [600, 600, 600];
    /// The longest `Retry-After` (SPEC 3.6). Waits without a `Retry-After` may be longer.
    MaxRetryAfter = 26 ROBOTS_OPT_MAX_RETRY_AFTER: Seconds 0 to 315_360_000, [86_400, 86_400, 86_400];
    /// The time after which an unreachable site without a copy is allowed as a whole (SPEC 2.12), unless its treatment is
    /// disallow all.
    UnreachableTTL = 27 ROBOTS_OPT_UNREACHABLE_TTL: Seconds 0 to 315_360_000, [2_592_000, 2_592_000, 4_294_967_295];
    /// Keeps using a copy that is at most 24 hours old when the file is missing (SPEC 2.5). A status whose treatment is allow
    /// all (401, 403, 429, 500 to 599) counts as missing.
    MissingKeepsCopy = 28 ROBOTS_OPT_MISSING_KEEPS_COPY: Switch 0 to 1, [0, 0, 0];
    /// The longest lifetime of an outcome without a file (SPEC 2.3, 2.5, 2.6). It overrides `ROBOTS_OPT_MIN_TTL`.
    MissingTTL = 29 ROBOTS_OPT_MISSING_TTL: Seconds 1 to 315_360_000, [21_600, 21_600, 21_600];
    /// The outcome of a bad redirect, for a site without a copy (SPEC 2.3, 2.15): no usable target, a loop, too many redirects,
    /// or a refused redirect. If the option is not set, koster1996 defers a loop and too many redirects. A target of more than
    /// 8 KiB is an outage: `ROBOTS_OPT_ON_UNREACHABLE`.
    OnBadRedirect = 30 ROBOTS_OPT_ON_BAD_REDIRECT: OutcomeKind AllowAll to Unreachable, [AllowAll, AllowAll, AllowAll];
    /// Follows a redirect to a host that is not public (SPEC 2.3), such as 127.0.0.1, `localhost` or `router`. Otherwise it is refused,
    /// unless the host of the first URL is not public either. The client refuses host names that resolve to such an address.
    NonGlobalRedirects = 31 ROBOTS_OPT_NON_GLOBAL_REDIRECTS: Switch 0 to 1, [0, 0, 0];
    /// Allows nothing while the site is unreachable, even if there is a copy. The copy is used again after the outage, or when
    /// the outage has lasted for `ROBOTS_OPT_UNREACHABLE_TTL`. If the option is off, the copy stays in use during the outage
    /// (SPEC 2.11).
    UnreachableOverridesCopy = 32 ROBOTS_OPT_UNREACHABLE_OVERRIDES_COPY: Switch 0 to 1, [0, 0, 0];
    /// The outcome of an HTML page instead of the file (SPEC 2.20). If the option is not set, the page is read as a file, which
    /// usually allows everything. Allow all counts it as 404.
    OnHtml = 33 ROBOTS_OPT_ON_HTML: OutcomeKind AllowAll to Unreachable, [Rules, Rules, Rules];
}

/// The options that change how a file is read. Code that needs every option destructures this type without `..`, so that the
/// compiler reports each place where a new option is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReadOptions {
    pub(crate) dialect: Dialect,
    pub(crate) max_bytes: usize,
    pub(crate) ignore_star: bool,
    pub(crate) merge_tokens: bool,
    pub(crate) crawl_delay_ends_agents: bool,
}

impl ReadOptions {
    pub(crate) const fn new(dialect: Dialect) -> ReadOptions {
        ReadOptions {
            dialect,
            max_bytes: crate::base::limits::MIN_MAX_BYTES,
            ignore_star: false,
            merge_tokens: false,
            crawl_delay_ends_agents: false,
        }
    }

    /// Sets an option; returns an error if the value is out of range.
    pub(crate) fn set(&mut self, option: ReadOption, value: u64) -> Result<(), Error> {
        let row = READ_OPTIONS.iter().find(|row| row.number == option as u32);
        if !row.is_some_and(|row| (row.least..=row.most).contains(&value)) {
            return Err(Error::Argument);
        }
        match option {
            ReadOption::Dialect => {
                self.dialect = Dialect::from_code(value).ok_or(Error::Argument)?
            }
            ReadOption::MaxBytes => {
                self.max_bytes = usize::try_from(value).map_err(|_| Error::Argument)?;
            }
            ReadOption::IgnoreStar => self.ignore_star = value != 0,
            ReadOption::MergeTokens => self.merge_tokens = value != 0,
            ReadOption::CrawlDelayEndsAgents => self.crawl_delay_ends_agents = value != 0,
        }
        Ok(())
    }

    pub(crate) fn values(self) -> [(ReadOption, u64); READ_OPTIONS.len()] {
        let ReadOptions {
            dialect,
            max_bytes,
            ignore_star,
            merge_tokens,
            crawl_delay_ends_agents,
        } = self;
        [
            (ReadOption::Dialect, dialect as u64),
            (ReadOption::MaxBytes, max_bytes as u64),
            (ReadOption::IgnoreStar, ignore_star.into()),
            (ReadOption::MergeTokens, merge_tokens.into()),
            (
                ReadOption::CrawlDelayEndsAgents,
                crawl_delay_ends_agents.into(),
            ),
        ]
    }
}

impl FetchOption {
    /// Returns the values that the option accepts.
    ///
    /// ```
    /// assert_eq!(robots::FetchOption::MaxRedirects.range(), 0..=20);
    /// ```
    pub fn range(self) -> RangeInclusive<u64> {
        let (_, row) = self.row();
        row.least..=row.most
    }

    /// Returns the index of the option's row, and the row.
    fn row(self) -> (usize, &'static OptionRow) {
        let mut rows = FETCH_OPTIONS.iter().enumerate();
        let row = rows.find(|(_, row)| row.number == self as u32);
        #[allow(clippy::expect_used, reason = "a default could open a site")]
        row.expect("the table has a row for each option")
    }
}

/// The fetch options that were set. Any other option has the default of the dialect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Policy {
    set: [Option<u32>; FETCH_OPTIONS.len()],
}

impl Policy {
    /// Sets an option; returns an error if the value is out of range.
    pub(crate) fn set(&mut self, option: FetchOption, value: u64) -> Result<(), Error> {
        let place = self.set.get_mut(option.row().0);
        let place = place.filter(|_| option.range().contains(&value));
        let place = place.ok_or(Error::Argument)?;
        *place = Some(u32::try_from(value).map_err(|_| Error::Argument)?);
        Ok(())
    }

    pub(crate) fn get(&self, option: FetchOption, dialect: Dialect) -> u64 {
        let (place, row) = option.row();
        let default = row.default.get(dialect as usize).copied();
        let set = self.set.get(place).copied().flatten().map(u64::from);
        #[allow(clippy::expect_used, reason = "a default could open a site")]
        set.or(default)
            .expect("a row has the default of each dialect")
    }

    pub(crate) fn is_set(&self, option: FetchOption) -> bool {
        self.set.get(option.row().0).is_some_and(Option::is_some)
    }

    pub(crate) fn is_on(&self, option: FetchOption, dialect: Dialect) -> bool {
        self.get(option, dialect) != 0
    }

    /// Returns the value of an option that is a treatment.
    pub(crate) fn treatment(&self, option: FetchOption, dialect: Dialect) -> OutcomeKind {
        // Callers pass only options that have a treatment. If one has none by mistake, `Defer` is the safe result.
        OutcomeKind::from_code(self.get(option, dialect))
            .filter(|kind| *kind != OutcomeKind::Rules)
            .unwrap_or(OutcomeKind::Defer)
    }
}
