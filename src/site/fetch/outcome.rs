//! The outcome of a fetch: rules or a site-wide rule, the cause, and the times.

use std::sync::Arc;

use crate::base::error::Error;
use crate::base::limits::validate_time;
use crate::base::verdict::{Reason, Verdict};
use crate::core::rules::Rules;
use crate::crawler::Crawler;
use crate::crawler::options::OutcomeKind;
use crate::url::origin::{self, Origin};

codes! {
    /// The cause of an outcome.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    #[repr(u8)]
    pub enum Cause: robots_cause("ROBOTS_CAUSE_") in outcome, "Why an outcome is what it is." {
        /// There is a file (SPEC 2.1).
        Found = 1 ROBOTS_CAUSE_FOUND,
        /// 304 Not Modified (SPEC 3.5).
        NotModified = 2 ROBOTS_CAUSE_NOT_MODIFIED,
        /// There is no file: 400 to 499, or a server error that counts like 404 (SPEC 2.5).
        Missing = 3 ROBOTS_CAUSE_MISSING,
        /// 401 or 403 (SPEC 2.6).
        Forbidden = 4 ROBOTS_CAUSE_FORBIDDEN,
        /// 429 (SPEC 2.7).
        TooManyRequests = 5 ROBOTS_CAUSE_TOO_MANY_REQUESTS,
        /// 500 to 599 (SPEC 2.8).
        ServerError = 6 ROBOTS_CAUSE_SERVER_ERROR,
        /// A status below 200 or above 599, or a 304 to an unconditional request (SPEC 2.9).
        OddStatus = 7 ROBOTS_CAUSE_ODD_STATUS,
        /// More redirects in a row than `ROBOTS_OPT_MAX_REDIRECTS` (SPEC 2.3).
        TooManyRedirects = 8 ROBOTS_CAUSE_TOO_MANY_REDIRECTS,
        /// A redirect back to an earlier URL. A redirect to the current URL is no loop (SPEC 2.3).
        RedirectLoop = 9 ROBOTS_CAUSE_REDIRECT_LOOP,
        /// A redirect without a target, or whose target is no http or https URL or has more than 8 KiB (SPEC 2.3).
        BadRedirect = 10 ROBOTS_CAUSE_BAD_REDIRECT,
        /// The host has no address (SPEC 2.10).
        Dns = 11 ROBOTS_CAUSE_DNS,
        /// No connection (SPEC 2.10).
        Connect = 12 ROBOTS_CAUSE_CONNECT,
        /// No secure connection (SPEC 2.10).
        Tls = 13 ROBOTS_CAUSE_TLS,
        /// A timeout (SPEC 2.10).
        Timeout = 14 ROBOTS_CAUSE_TIMEOUT,
        /// The connection was reset (SPEC 2.10).
        Reset = 15 ROBOTS_CAUSE_RESET,
        /// The body ended early or was invalid (SPEC 2.10).
        Truncated = 16 ROBOTS_CAUSE_TRUNCATED,
        /// Any other failure (SPEC 2.10).
        OtherFailure = 17 ROBOTS_CAUSE_OTHER_FAILURE,
        /// The site was unreachable for so long that it counts as a site without a file (SPEC 2.12).
        UnreachableLong = 18 ROBOTS_CAUSE_UNREACHABLE_LONG,
        /// 206, a part of the file (SPEC 2.17).
        PartialContent = 19 ROBOTS_CAUSE_PARTIAL_CONTENT,
        /// The body has fewer bytes than `Content-Length` states (SPEC 2.17).
        ShortBody = 20 ROBOTS_CAUSE_SHORT_BODY,
        /// The content coding of the body is unknown or damaged (SPEC 2.17).
        EncodedBody = 21 ROBOTS_CAUSE_ENCODED_BODY,
        /// A redirect that the client reported as the final status (SPEC 2.16).
        RedirectNotFollowed = 22 ROBOTS_CAUSE_REDIRECT_NOT_FOLLOWED,
        /// A redirect that `ROBOTS_OPT_NON_GLOBAL_REDIRECTS` refuses.
        NonGlobalRedirect = 23 ROBOTS_CAUSE_NON_GLOBAL_REDIRECT,
        /// An HTML page instead of the file (SPEC 2.20). Unless `ROBOTS_OPT_ON_HTML` is set, the page was read as a file.
        Html = 24 ROBOTS_CAUSE_HTML,
    }
    ALL: pub(crate), from_code: pub u64
}

/// The contents of an [`Outcome`]. All times are seconds since 1970-01-01 UTC by the caller's clock; all calls must use the
/// same clock (SPEC 2.18).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OutcomeParts {
    /// The origin.
    pub origin: Origin,
    /// The [`fingerprint`] of the crawlers that the rules were compiled for.
    pub(crate) crawlers: u64,
    /// Number of crawlers: 1 to 16.
    pub(crate) served: usize,
    /// The kind: rules, or a site-wide rule.
    pub kind: OutcomeKind,
    /// Cause of the kind.
    pub cause: Cause,
    /// The status of the last response; 0 if there was none.
    pub http_status: u16,
    /// Number of redirects that the fetch followed.
    pub hops: u8,
    /// Whether a redirect led from https to http, where a third party may have changed the file.
    pub downgraded: bool,
    /// Whether the rules come from an earlier fetch and stay in use (SPEC 2.5, 2.11, 2.15).
    pub stale: bool,
    /// Time when the rules were fetched or last confirmed by a 304. The rules may be a copy that does not decide now (SPEC
    /// 2.11). For a site without rules: time of the last status or failure.
    pub fetched_at: u64,
    /// Time when the last attempt ended, even if it failed.
    pub attempted_at: u64,
    /// The end of the TTL (SPEC 3). For stale rules it may be in the past.
    pub fresh_until: u64,
    /// Time until which the outcome decides, unless a newer outcome replaces it. Rules decide until the end of their TTL, and
    /// for at least 24 hours after their fetch (koster1996: 7 days; SPEC 3.8). Stale rules decide until a day after the next
    /// attempt is due; in koster1996, not after the end of their TTL. A site-wide rule decides until the next attempt is due.
    /// An expired outcome may still be passed to [`Fetch::set_previous`](crate::Fetch::set_previous).
    pub usable_until: u64,
    /// Earliest time of the next attempt: the end of the TTL or, after a failure, the end of the wait.
    pub retry_at: u64,
    /// The start of the outage (SPEC 2.12); `None` after a usable response.
    pub unreachable_since: Option<u64>,
    /// URL of the last request, after all redirects; for rules, the URL that they came from.
    pub final_url: Box<str>,
    /// The `ETag` of the rules.
    pub etag: Option<Box<[u8]>>,
    /// The `Last-Modified` of the rules.
    pub last_modified: Option<Box<[u8]>>,
    /// For [`OutcomeKind::Rules`]: the rules for each crawler. For any other kind: the site-wide rules. If there is a copy that
    /// does not decide now, its rules follow.
    pub(crate) rules: Box<[Rules]>,
}

impl OutcomeParts {
    /// Returns the rules of the last file for each crawler, even if the rules do not decide now; empty without a file.
    pub(crate) fn file_rules(&self) -> &[Rules] {
        match self.kind {
            OutcomeKind::Rules => &self.rules,
            _ => self.rules.get(1..).unwrap_or_default(),
        }
    }
}

/// The outcome of fetching the robots.txt of an origin, for one or several crawlers (SPEC 3.7).
///
/// An outcome is immutable, cheap to clone (clones share its [`OutcomeParts`]), and may be shared by threads.
#[derive(Clone, Debug)]
pub struct Outcome {
    parts: Arc<OutcomeParts>,
}

impl core::ops::Deref for Outcome {
    type Target = OutcomeParts;

    fn deref(&self) -> &OutcomeParts {
        &self.parts
    }
}

impl Outcome {
    pub(crate) fn new(parts: OutcomeParts) -> Outcome {
        Outcome {
            parts: Arc::new(parts),
        }
    }

    /// Returns whether the times of the outcome are too far after `now` (SPEC 2.18). If so, a clock was wrong, and the outcome
    /// means nothing.
    pub(crate) fn is_ahead_of(&self, now: u64) -> bool {
        self.made_at() > now
    }

    /// Returns the time of the outcome's latest event.
    pub(crate) fn made_at(&self) -> u64 {
        self.fetched_at.max(self.attempted_at)
    }

    /// Returns the rules for the crawler with this index in the list of the fetch; `None` if there is no such crawler. If the
    /// kind is not [`OutcomeKind::Rules`], the rules allow every URL or none. For [`OutcomeKind::Defer`] and
    /// [`OutcomeKind::Unreachable`] the reason of the verdicts is [`Reason::Unreachable`].
    pub fn rules(&self, crawler: usize) -> Option<&Rules> {
        let place = match self.kind {
            _ if crawler >= self.served => return None,
            OutcomeKind::Rules => crawler,
            _ => 0,
        };
        self.rules.get(place)
    }

    /// Returns whether the crawler with this index may fetch `url` at the time `now`.
    ///
    /// The verdict equals the verdict of [`Rules::check`], with these exceptions. None of them allows the URL:
    ///
    /// - [`Reason::Defer`] if the site is deferred, or if the outcome has [expired](OutcomeParts::usable_until) or its times
    ///   are after `now` (SPEC 2.18).
    /// - [`Error::Argument`] for a time after the year 9999, and if there is no such crawler.
    /// - [`Error::Url`] or [`Error::Scheme`] if `url` is no URL of this origin.
    pub fn check(&self, crawler: usize, url: impl AsRef<[u8]>, now: u64) -> Verdict {
        let url = url.as_ref();
        let is_ours = || origin::expect(self.origin.key().as_bytes(), url);
        if let Err(error) = validate_time(now).and_then(|()| is_ours()) {
            return Verdict::from_error(error);
        }
        let Some(rules) = self.rules(crawler) else {
            return Verdict::from_error(Error::Argument);
        };
        let is_usable = (self.made_at()..self.usable_until).contains(&now);
        if self.kind == OutcomeKind::Defer || !is_usable {
            return Verdict::of_site(Reason::Defer);
        }
        rules.check_from(url, None)
    }

    /// Returns the approximate memory use in bytes. Clones share this memory.
    pub fn size(&self) -> usize {
        let parts = &self.parts;
        let texts = [parts.origin.key().len(), parts.final_url.len()];
        let validators =
            [&parts.etag, &parts.last_modified].map(|v| v.as_ref().map_or(0, |v| v.len()));
        let images = parts
            .rules
            .iter()
            .map(|rules| size_of::<Rules>() + REFERENCE_COUNTS + rules.image().len());
        REFERENCE_COUNTS
            + size_of::<OutcomeParts>()
            + texts.iter().chain(&validators).sum::<usize>()
            + images.sum::<usize>()
    }
}

/// Number of bytes of the two reference counts of an [`Arc`].
const REFERENCE_COUNTS: usize = 2 * size_of::<usize>();

/// Returns a hash (FNV-1a, the same on every machine) of all properties of the crawlers that affect their rules. If the hashes
/// differ, rules were compiled for other crawlers. Tokens are hashed in lower case (SPEC 7.2).
pub(crate) fn fingerprint(crawlers: &[Crawler]) -> u64 {
    let mut state = 0xCBF2_9CE4_8422_2325_u64;
    let mut absorb = |bytes: &[u8]| {
        for byte in bytes {
            state = (state ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3);
        }
    };
    for crawler in crawlers {
        for token in crawler.tokens() {
            token
                .iter()
                .for_each(|byte| absorb(&[byte.to_ascii_lowercase()]));
            // Only a token from `with_names_in` may contain a NUL.
            absorb(&[0]);
        }
        absorb(&[0]);
        for (_, value) in crawler.reading.values() {
            absorb(&value.to_le_bytes());
        }
    }
    state
}
