//! What came of a fetch: rules or a word for the whole site, why, and how long that holds.

use core::fmt;
use std::sync::Arc;

use crate::crawler::Crawler;
use crate::crawler::options::OutcomeKind;
use crate::error::Error;
use crate::rules::Rules;
use crate::url::origin::Origin;
use crate::verdict::{Reason, Verdict};

/// Why an outcome is what it is. The discriminant is the `ROBOTS_CAUSE_...` of the C API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Cause {
    /// 200 to 299: there is a file (SPEC 2.1).
    Found = 1,
    /// 304 Not Modified: the earlier file is still valid (SPEC 3.5).
    NotModified = 2,
    /// 400 to 499: there is no file (SPEC 2.5), or 500 to 599 where the site is set up so (SPEC 2.14).
    Missing = 3,
    /// 401 or 403 (SPEC 2.6).
    Forbidden = 4,
    /// 429 (SPEC 2.7).
    TooManyRequests = 5,
    /// 500 to 599 (SPEC 2.8).
    ServerError = 6,
    /// A status that is no answer: below 200, above 599, or a 304 without a conditional request (SPEC 2.9).
    OddStatus = 7,
    /// More redirects in a row than the fetch follows (SPEC 2.3).
    TooManyRedirects = 8,
    /// A redirect back to an earlier URL (SPEC 2.3). One to the current URL only counts as a redirect.
    RedirectLoop = 9,
    /// A redirect without a target, or to a target that is not an http or https URL (SPEC 2.3).
    BadRedirect = 10,
    /// The host name does not resolve (SPEC 2.10).
    Dns = 11,
    /// The connection failed (SPEC 2.10).
    Connect = 12,
    /// The TLS handshake failed (SPEC 2.10).
    Tls = 13,
    /// Timeout (SPEC 2.10).
    Timeout = 14,
    /// The connection broke (SPEC 2.10).
    Reset = 15,
    /// The body ended early or was invalid in transit (SPEC 2.10).
    Truncated = 16,
    /// Any other failure (SPEC 2.10).
    OtherFailure = 17,
    /// The outage lasts so long that the site counts as one without a file (SPEC 2.12).
    UnreachableLong = 18,
    /// Status 206: a part of the file (SPEC 2.17).
    PartialContent = 19,
    /// The body has fewer bytes than `Content-Length` states (SPEC 2.17).
    ShortBody = 20,
    /// The client did not undo the content coding of the body (SPEC 2.17).
    EncodedBody = 21,
    /// The client reported a redirect as the final status (SPEC 2.16).
    RedirectNotFollowed = 22,
    /// A redirect to a literal address that is not global, see [`FetchOption::NonGlobalRedirects`](crate::FetchOption).
    NonGlobalRedirect = 23,
}

impl Cause {
    const ALL: [Cause; 23] = [
        Cause::Found,
        Cause::NotModified,
        Cause::Missing,
        Cause::Forbidden,
        Cause::TooManyRequests,
        Cause::ServerError,
        Cause::OddStatus,
        Cause::TooManyRedirects,
        Cause::RedirectLoop,
        Cause::BadRedirect,
        Cause::Dns,
        Cause::Connect,
        Cause::Tls,
        Cause::Timeout,
        Cause::Reset,
        Cause::Truncated,
        Cause::OtherFailure,
        Cause::UnreachableLong,
        Cause::PartialContent,
        Cause::ShortBody,
        Cause::EncodedBody,
        Cause::RedirectNotFollowed,
        Cause::NonGlobalRedirect,
    ];

    /// The cause with this number, if there is one.
    pub fn from_code(code: u64) -> Option<Cause> {
        Cause::ALL.into_iter().find(|cause| *cause as u64 == code)
    }
}

/// What an outcome is made of.
#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) origin: Origin,
    /// Of the crawlers the rules were made for, see [`fingerprint`].
    pub(crate) crawlers: u64,
    /// How many crawlers that are: 1 to 16.
    pub(crate) served: usize,
    pub(crate) kind: OutcomeKind,
    pub(crate) cause: Cause,
    /// Of the last response; 0 where there was none.
    pub(crate) http_status: u16,
    pub(crate) hops: u8,
    pub(crate) downgraded: bool,
    pub(crate) stale: bool,
    pub(crate) fetched_at: u64,
    /// When the last attempt ended, also a failed one.
    pub(crate) attempted_at: u64,
    pub(crate) fresh_until: u64,
    pub(crate) usable_until: u64,
    pub(crate) retry_at: u64,
    pub(crate) unreachable_since: Option<u64>,
    pub(crate) final_url: Box<str>,
    pub(crate) etag: Option<Box<[u8]>>,
    pub(crate) last_modified: Option<Box<[u8]>>,
    /// One for each crawler if the kind is [`OutcomeKind::Rules`]; else one for all.
    pub(crate) rules: Box<[Rules]>,
}

/// What came of fetching the robots.txt of an origin, for one or several crawlers (SPEC 3.7).
///
/// Immutable and cheap to clone: a clone shares it, and any number of threads may ask at once. All times are
/// seconds since 1970-01-01 UTC, by the caller's clock.
#[derive(Clone)]
pub struct Outcome {
    parts: Arc<Parts>,
}

impl Outcome {
    pub(crate) fn new(parts: Parts) -> Outcome {
        Outcome {
            parts: Arc::new(parts),
        }
    }

    pub(crate) fn parts(&self) -> &Parts {
        &self.parts
    }

    /// The site that it is about.
    pub fn origin(&self) -> &Origin {
        &self.parts.origin
    }

    /// Whether rules decide, or one word for the whole site.
    pub fn kind(&self) -> OutcomeKind {
        self.parts.kind
    }

    /// Why.
    pub fn cause(&self) -> Cause {
        self.parts.cause
    }

    /// The status of the last response; 0 where there was none.
    pub fn http_status(&self) -> u16 {
        self.parts.http_status
    }

    /// How many redirects were followed.
    pub fn hops(&self) -> u8 {
        self.parts.hops
    }

    /// Whether a redirect led from https to http, where anyone on the way may have changed the file.
    pub fn downgraded(&self) -> bool {
        self.parts.downgraded
    }

    /// Whether these are the rules of an earlier fetch, which go on being used (SPEC 2.5, 2.11).
    pub fn stale(&self) -> bool {
        self.parts.stale
    }

    /// When the rules were fetched, or found to be unchanged; of other kinds when the fetch ended.
    pub fn fetched_at(&self) -> u64 {
        self.parts.fetched_at
    }

    /// The end of its life (SPEC 3): from then on it is to be fetched again. Of rules that are [stale](Outcome::stale)
    /// this may have passed.
    pub fn fresh_until(&self) -> u64 {
        self.parts.fresh_until
    }

    /// Until when it decides while nothing newer is there: rules a day longer than until the next try is due,
    /// so that they serve while that is under way; all else until then. An outcome that has passed is good for
    /// [`Fetch::set_previous`](crate::Fetch::set_previous) still.
    pub fn usable_until(&self) -> u64 {
        self.parts.usable_until
    }

    /// When the next try is due, and not before: the end of its life, or after a failure the end of the wait.
    pub fn retry_at(&self) -> u64 {
        self.parts.retry_at
    }

    /// From when on a cache offers a refresh: the last tenth of the TTL, so that nobody has to wait (SPEC 3.8). After a
    /// failure: when the next attempt is due.
    pub(crate) fn refresh_from(&self) -> u64 {
        let parts = self.parts();
        if parts.stale || parts.unreachable_since.is_some() {
            return parts.retry_at;
        }
        let ttl = parts.fresh_until.saturating_sub(parts.fetched_at);
        parts.fresh_until - ttl / 10
    }

    /// Since when each try has failed (SPEC 2.12); `None` after a fetch that was answered.
    pub fn unreachable_since(&self) -> Option<u64> {
        self.parts.unreachable_since
    }

    /// The URL of the last request, behind all redirects. Of rules: of the request that they came from.
    pub fn final_url(&self) -> &str {
        &self.parts.final_url
    }

    /// The `ETag` of the rules.
    pub fn etag(&self) -> Option<&[u8]> {
        self.parts.etag.as_deref()
    }

    /// The `Last-Modified` of the rules.
    pub fn last_modified(&self) -> Option<&[u8]> {
        self.parts.last_modified.as_deref()
    }

    /// The rules for a crawler, by its place among those the fetch was made for; `None` past the last. Of
    /// another kind than [`OutcomeKind::Rules`] they allow all or, also for [`OutcomeKind::Defer`], nothing.
    pub fn rules(&self, crawler: usize) -> Option<&Rules> {
        let place = match self.kind() {
            _ if crawler >= self.parts.served => return None,
            OutcomeKind::Rules => crawler,
            _ => 0,
        };
        self.parts.rules.get(place)
    }

    /// Whether a crawler may fetch `url` at the time `now`, by its place among those the fetch was made for.
    ///
    /// As [`Rules::check`], and: not allowed with [`Reason::Defer`] where the site is deferred or the outcome
    /// [has passed](Outcome::usable_until); with [`Error::Url`] for a URL of another origin; with
    /// [`Error::Argument`] past the last crawler.
    pub fn check(&self, crawler: usize, url: impl AsRef<[u8]>, now: u64) -> Verdict {
        let url = url.as_ref();
        if !url.starts_with(b"/") && !self.origin().governs(url) {
            return Verdict::from_error(Error::Url);
        }
        let Some(rules) = self.rules(crawler) else {
            return Verdict::from_error(Error::Argument);
        };
        if self.kind() == OutcomeKind::Defer || now >= self.parts.usable_until {
            return Verdict::new(Reason::Defer, false, 0);
        }
        rules.check(url)
    }

    /// The octets of memory that it holds, nearly; clones share them.
    pub fn size(&self) -> usize {
        let parts = self.parts();
        let texts = [parts.origin.key().len(), parts.final_url.len()];
        let validators =
            [&parts.etag, &parts.last_modified].map(|v| v.as_ref().map_or(0, |v| v.len()));
        let images = parts
            .rules
            .iter()
            .map(|rules| size_of::<Rules>() + REFERENCE_COUNTS + rules.image().len());
        REFERENCE_COUNTS
            + size_of::<Parts>()
            + texts.iter().chain(&validators).sum::<usize>()
            + images.sum::<usize>()
    }
}

/// What stands before the contents of an [`Arc`].
const REFERENCE_COUNTS: usize = 2 * size_of::<usize>();

impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outcome")
            .field("origin", &self.origin().key())
            .field("kind", &self.kind())
            .field("cause", &self.cause())
            .field("http_status", &self.http_status())
            .field("stale", &self.stale())
            .field("fetched_at", &self.fetched_at())
            .field("fresh_until", &self.fresh_until())
            .field("usable_until", &self.usable_until())
            .field("retry_at", &self.retry_at())
            .finish_non_exhaustive()
    }
}

/// A number that tells crawlers apart by all that their rules depend on (FNV-1a, the same on every machine):
/// rules that were made for others are not taken for theirs.
pub(crate) fn fingerprint(crawlers: &[Crawler]) -> u64 {
    let mut state = 0xCBF2_9CE4_8422_2325_u64;
    let mut absorb = |octets: &[u8]| {
        for octet in octets {
            state = (state ^ u64::from(*octet)).wrapping_mul(0x100_0000_01B3);
        }
    };
    for crawler in crawlers {
        for token in crawler.tokens() {
            absorb(token);
            // No token holds a NUL.
            absorb(&[0]);
        }
        let switches = u8::from(crawler.ignore_star)
            | u8::from(crawler.merge_tokens) << 1
            | u8::from(crawler.crawl_delay_ends_agents) << 2;
        absorb(&[0, crawler.dialect as u8, switches]);
        absorb(&(crawler.max_bytes as u64).to_le_bytes());
    }
    state
}
