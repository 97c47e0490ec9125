//! What a result means (SPEC 2) and its times (SPEC 3).

use super::header::Headers;
use super::outcome::{Cause, Outcome, OutcomeParts, fingerprint};
use crate::crawler::Crawler;
use crate::crawler::options::{FetchOption, OutcomeKind, Policy};
use crate::dialect::Dialect;
use crate::error::Error;
use crate::rules::Rules;
use crate::url::origin::Origin;

const DAY: u64 = 86_400;
/// How long a stale copy decides after the next attempt is due (SPEC 2.11).
const GRACE: u64 = DAY;
/// SPEC 2.12: a longer pause between two failed attempts starts a new outage.
const LONGEST_PAUSE: u64 = 7 * DAY;
/// SPEC 2.5: the highest age of a copy that stays in use while the file is missing.
const COPY_TTL: u64 = DAY;

/// The meaning of a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// The body is the file.
    Found,
    Redirect,
    NotModified,
    /// The server reports that there is no file to obey.
    Unavailable(OutcomeKind, Cause),
    /// The contents of the file are unknown.
    Unreachable(OutcomeKind, Cause),
}

/// A retrieval in progress: crawlers, options, and the last response.
#[derive(Clone, Debug)]
pub(crate) struct Retrieval {
    pub(crate) crawlers: Vec<Crawler>,
    /// The options of the first crawler, and those set for this fetch.
    pub(crate) policy: Policy,
    pub(crate) dialect: Dialect,
    pub(crate) origin: Origin,
    /// An earlier outcome of the same origin for the same crawlers.
    pub(crate) previous: Option<Outcome>,
    /// The URL of the current request, or of the last one.
    pub(crate) url: String,
    pub(crate) http_status: u16,
    pub(crate) hops: u8,
    pub(crate) downgraded: bool,
    pub(crate) headers: Headers,
}

impl Retrieval {
    /// SPEC 2.1 to 2.9.
    pub(crate) fn meaning(&self) -> Meaning {
        use Meaning::{Unavailable, Unreachable};
        let treatment = |option| self.policy.treatment(option, self.dialect);
        match self.http_status {
            206 => self.failure(Cause::PartialContent),
            200..=299 => Meaning::Found,
            304 => Meaning::NotModified,
            300..=399 => Meaning::Redirect,
            401 | 403 => match treatment(FetchOption::OnForbidden) {
                OutcomeKind::Defer => Unreachable(OutcomeKind::Defer, Cause::Forbidden),
                kind => Unavailable(kind, Cause::Forbidden),
            },
            429 => match treatment(FetchOption::OnTooManyRequests) {
                OutcomeKind::AllowAll => Unavailable(OutcomeKind::AllowAll, Cause::TooManyRequests),
                kind => Unreachable(kind, Cause::TooManyRequests),
            },
            400..=499 => Unavailable(OutcomeKind::AllowAll, Cause::Missing),
            500..=599 if self.is_on(FetchOption::ServerErrorIsMissing) => {
                Unavailable(OutcomeKind::AllowAll, Cause::Missing)
            }
            500..=599 => match treatment(FetchOption::OnServerError) {
                OutcomeKind::AllowAll => Unavailable(OutcomeKind::AllowAll, Cause::ServerError),
                kind => Unreachable(kind, Cause::ServerError),
            },
            _ => self.failure(Cause::OddStatus),
        }
    }

    /// SPEC 2.9, 2.10.
    pub(crate) fn failure(&self, cause: Cause) -> Meaning {
        let kind = self
            .policy
            .treatment(FetchOption::OnUnreachable, self.dialect);
        Meaning::Unreachable(kind, cause)
    }

    /// A redirect that leads nowhere (SPEC 2.3, 2.15).
    pub(crate) fn bad_redirect(&self, cause: Cause) -> Meaning {
        let kind = self
            .policy
            .treatment(FetchOption::OnBadRedirect, self.dialect);
        match kind {
            OutcomeKind::AllowAll | OutcomeKind::DisallowAll if self.copy().is_none() => {
                Meaning::Unavailable(kind, cause)
            }
            _ => Meaning::Unreachable(kind, cause),
        }
    }

    /// Why `body` is not the file (SPEC 2.17), if so. `has_ended`: the client reported the end of the body.
    pub(crate) fn body_fault(&self, body: &[u8], has_ended: bool) -> Option<Cause> {
        const GZIP: &[u8] = &[0x1F, 0x8B];
        const ZSTD: &[u8] = &[0x28, 0xB5, 0x2F, 0xFD];
        const DEFLATE: [&[u8]; 4] = [&[0x78, 0x01], &[0x78, 0x5E], &[0x78, 0x9C], &[0x78, 0xDA]];
        let is_deflated =
            || self.headers.is_encoded() && DEFLATE.iter().any(|start| body.starts_with(start));
        if body.is_empty() {
            None
        } else if body.starts_with(GZIP) || body.starts_with(ZSTD) || is_deflated() {
            Some(Cause::EncodedBody)
        } else {
            let stated = self.headers.body_len().filter(|_| has_ended)?;
            ((body.len() as u64) < stated).then_some(Cause::ShortBody)
        }
    }

    /// The earlier rules, if there are any.
    pub(crate) fn copy(&self) -> Option<&OutcomeParts> {
        self.previous
            .as_ref()
            .map(Outcome::parts)
            .filter(|parts| parts.kind == OutcomeKind::Rules)
    }

    /// The outcome of a file with this body (SPEC 2.1).
    pub(crate) fn found(&self, body: &[u8], now: u64) -> Result<Outcome, Error> {
        let rules: Result<Box<[Rules]>, Error> = self
            .crawlers
            .iter()
            .map(|crawler| Rules::compiled(crawler, body))
            .collect();
        Ok(Outcome::new(OutcomeParts {
            etag: self.headers.etag.clone(),
            last_modified: self.headers.last_modified.clone(),
            ..self.current(Cause::Found, rules?, now)
        }))
    }

    /// The outcome of a 304 Not Modified (SPEC 3.5).
    pub(crate) fn not_modified(&self, copy: &OutcomeParts, now: u64) -> Outcome {
        let newer = |new: &Option<Box<[u8]>>, old: &Option<Box<[u8]>>| new.clone().or(old.clone());
        Outcome::new(OutcomeParts {
            etag: newer(&self.headers.etag, &copy.etag),
            last_modified: newer(&self.headers.last_modified, &copy.last_modified),
            ..self.current(Cause::NotModified, copy.rules.clone(), now)
        })
    }

    /// The contents for rules that were fetched or confirmed just now.
    fn current(&self, cause: Cause, rules: Box<[Rules]>, now: u64) -> OutcomeParts {
        let ttl = self
            .headers
            .ttl(now)
            .unwrap_or_else(|| self.get(FetchOption::DefaultTTL));
        let fresh_until = now.saturating_add(self.clamped(ttl));
        OutcomeParts {
            kind: OutcomeKind::Rules,
            rules,
            fresh_until,
            retry_at: fresh_until,
            usable_until: fresh_until.max(now.saturating_add(self.longest_use())),
            ..self.blank(cause, now)
        }
    }

    /// The outcome of a site without a file to obey (SPEC 2.3, 2.5, 2.6).
    pub(crate) fn unavailable(&self, kind: OutcomeKind, cause: Cause, now: u64) -> Outcome {
        let longest = self.get(FetchOption::MissingTTL);
        let ttl = self
            .headers
            .ttl(now)
            .map_or(longest, |ttl| ttl.min(longest));
        let retry_at = now.saturating_add(self.clamped(ttl));
        let keeps = kind == OutcomeKind::AllowAll && self.is_on(FetchOption::MissingKeepsCopy);
        if let Some(copy) = self.copy().filter(|_| keeps) {
            let end = copy.fetched_at.saturating_add(COPY_TTL);
            if now < end {
                return self.keep_copy(copy, cause, retry_at.min(end), end, None, now);
            }
        }
        self.whole_site(kind, cause, retry_at, None, now)
    }

    /// The outcome of a failed attempt (SPEC 2.7 to 2.17).
    pub(crate) fn unreachable(&self, kind: OutcomeKind, cause: Cause, now: u64) -> Outcome {
        let since = self.outage_since(now).unwrap_or(now);
        let outage = now - since;
        let retry_at = now.saturating_add(self.wait(outage, now));
        match self.copy() {
            Some(copy) => {
                let usable_until = retry_at.saturating_add(GRACE);
                self.keep_copy(copy, cause, retry_at, usable_until, Some(since), now)
            }
            None if outage > self.get(FetchOption::UnreachableTTL) => {
                let cause = Cause::UnreachableLong;
                self.whole_site(OutcomeKind::AllowAll, cause, retry_at, Some(since), now)
            }
            None => self.whole_site(kind, cause, retry_at, Some(since), now),
        }
    }

    /// Start of the outage that the previous failure belongs to (SPEC 2.12), unless the pause since then was too long.
    fn outage_since(&self, now: u64) -> Option<u64> {
        let previous = self.previous.as_ref()?.parts();
        let pause = now.saturating_sub(previous.attempted_at);
        let since = previous.unreachable_since?;
        (pause <= LONGEST_PAUSE).then_some(since.min(now))
    }

    /// The wait after a failure: what the server requests (SPEC 3.6), or the length of the outage so far.
    fn wait(&self, outage: u64, now: u64) -> u64 {
        let requested = matches!(self.http_status, 429 | 503)
            .then(|| self.headers.retry_after(now))
            .flatten();
        match requested {
            // The shortest wait has priority: no server is asked again at once.
            Some(seconds) => seconds
                .min(self.get(FetchOption::MaxRetryAfter))
                .max(self.get(FetchOption::MinTTL)),
            None => outage
                .min(self.get(FetchOption::DefaultTTL).min(DAY))
                .max(self.get(FetchOption::FailureTTL)),
        }
    }

    /// An outcome with a site-wide rule.
    fn whole_site(
        &self,
        kind: OutcomeKind,
        cause: Cause,
        retry_at: u64,
        unreachable_since: Option<u64>,
        now: u64,
    ) -> Outcome {
        let rules = match kind {
            OutcomeKind::AllowAll => Rules::allow_all(),
            OutcomeKind::DisallowAll => Rules::disallow_all(),
            _ => Rules::unreachable(),
        };
        Outcome::new(OutcomeParts {
            kind,
            rules: [rules].into(),
            fresh_until: retry_at,
            retry_at,
            usable_until: retry_at,
            unreachable_since,
            ..self.blank(cause, now)
        })
    }

    /// The outcome in which the earlier rules stay in use (SPEC 2.5, 2.11, 2.13, 2.15, 3.4), with their URL and validators.
    fn keep_copy(
        &self,
        copy: &OutcomeParts,
        cause: Cause,
        retry_at: u64,
        usable_until: u64,
        unreachable_since: Option<u64>,
        now: u64,
    ) -> Outcome {
        Outcome::new(OutcomeParts {
            cause,
            http_status: self.http_status,
            stale: true,
            attempted_at: now,
            retry_at,
            usable_until,
            unreachable_since,
            ..copy.clone()
        })
    }

    /// The contents that all outcomes of this retrieval share; safe values for the rest.
    fn blank(&self, cause: Cause, now: u64) -> OutcomeParts {
        OutcomeParts {
            origin: self.origin.clone(),
            crawlers: fingerprint(&self.crawlers),
            served: self.crawlers.len(),
            kind: OutcomeKind::Defer,
            cause,
            http_status: self.http_status,
            hops: self.hops,
            downgraded: self.downgraded,
            stale: false,
            fetched_at: now,
            attempted_at: now,
            fresh_until: now,
            usable_until: now,
            retry_at: now,
            unreachable_since: None,
            final_url: self.url.as_str().into(),
            etag: None,
            last_modified: None,
            rules: Box::default(),
        }
    }

    fn get(&self, option: FetchOption) -> u64 {
        self.policy.get(option, self.dialect)
    }

    fn is_on(&self, option: FetchOption) -> bool {
        self.policy.is_on(option, self.dialect)
    }

    /// How long after their fetch rules decide when no refresh was attempted (SPEC 3.8).
    fn longest_use(&self) -> u64 {
        match self.dialect {
            Dialect::Koster1996 => 7 * DAY,
            Dialect::Rfc9309 | Dialect::Google => DAY,
        }
    }

    /// A TTL within its bounds (SPEC 3.2); the upper bound has priority.
    fn clamped(&self, ttl: u64) -> u64 {
        ttl.max(self.get(FetchOption::MinTTL))
            .min(self.get(FetchOption::MaxTTL))
    }
}
