//! Decides what the result of a fetch means (SPEC 2), and sets the times of the outcome (SPEC 3).

use std::borrow::Cow;

use super::gzip;
use super::header::{Coding, Headers};
use super::outcome::{Cause, Outcome, OutcomeParts, fingerprint};
use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::limits::validate_time;
use crate::core::image::flag;
use crate::core::parse;
use crate::core::parse::file_kind::FileKind;
use crate::core::parse::reader::Reader;
use crate::core::rules::Rules;
use crate::crawler::Crawler;
use crate::crawler::options::{FetchOption, OutcomeKind, Policy};
use crate::url::origin::Origin;

const DAY: u64 = 86_400;
/// Number of seconds for which a stale copy decides after the next attempt is due (SPEC 2.11).
const GRACE: u64 = DAY;
/// Longest pause between two failed attempts of one outage (SPEC 2.12).
const LONGEST_PAUSE: u64 = 7 * DAY;
/// Highest age of a copy that stays in use while the file is missing (SPEC 2.5).
const COPY_TTL: u64 = DAY;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// The body is the file.
    Found,
    Redirect,
    NotModified,
    NoFile(NoFile),
}

/// A result without a file, and the meaning of this result for the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoFile {
    kind: OutcomeKind,
    pub(crate) cause: Cause,
    /// True for an outage (SPEC 2): the contents of the file are unknown. False if the server reports that there is no file to
    /// obey.
    is_outage: bool,
}

impl NoFile {
    fn new(kind: OutcomeKind, cause: Cause, is_outage: bool) -> NoFile {
        NoFile {
            kind,
            cause,
            is_outage,
        }
    }
}

/// The state of a retrieval: crawlers, options, and the last response.
#[derive(Clone, Debug)]
pub(crate) struct Retrieval {
    pub(crate) crawlers: Vec<Crawler>,
    /// The options of the first crawler, overridden by the options that were set for this fetch.
    pub(crate) policy: Policy,
    pub(crate) dialect: Dialect,
    pub(crate) origin: Origin,
    /// An earlier outcome of the same origin and crawlers, whose times are not after `now`.
    pub(crate) previous: Option<Outcome>,
    /// The last reported time.
    pub(crate) now: u64,
    /// The URL of the current or last request.
    pub(crate) url: String,
    /// Status of the last response; 0 for an FTP reply.
    pub(crate) http_status: u16,
    /// Whether the current request was conditional.
    pub(crate) conditional: bool,
    pub(crate) hops: u8,
    pub(crate) downgraded: bool,
    pub(crate) headers: Headers,
}

impl Retrieval {
    /// Returns the meaning of a status (SPEC 2.1 to 2.9).
    pub(crate) fn meaning(&self, status: u16) -> Meaning {
        Meaning::NoFile(match status {
            206 => self.failure(Cause::PartialContent),
            200..=299 => return Meaning::Found,
            304 => return Meaning::NotModified,
            300..=399 => return Meaning::Redirect,
            401 | 403 => {
                let kind = self.treatment(FetchOption::OnForbidden);
                let is_outage = matches!(kind, OutcomeKind::Defer | OutcomeKind::Unreachable);
                NoFile::new(kind, Cause::Forbidden, is_outage)
            }
            429 => self.treated(FetchOption::OnTooManyRequests, Cause::TooManyRequests),
            400..=499 => NoFile::new(OutcomeKind::AllowAll, Cause::Missing, false),
            500..=599 if self.is_on(FetchOption::ServerErrorIsMissing) => {
                NoFile::new(OutcomeKind::AllowAll, Cause::Missing, false)
            }
            500..=599 => self.treated(FetchOption::OnServerError, Cause::ServerError),
            _ => self.failure(Cause::OddStatus),
        })
    }

    /// Returns the meaning of the final reply of an FTP server (SPEC 2.19).
    pub(crate) fn ftp_meaning(&self, reply: u16) -> Meaning {
        match reply {
            200..=299 => Meaning::Found,
            550 => self.meaning(404),
            530 => self.meaning(401),
            400..=599 => Meaning::NoFile(self.failure(Cause::OtherFailure)),
            _ => Meaning::NoFile(self.failure(Cause::OddStatus)),
        }
    }

    /// Returns the meaning that an option sets. If the option's value is allow all, the result counts as a 404.
    fn treated(&self, option: FetchOption, cause: Cause) -> NoFile {
        let kind = self.treatment(option);
        NoFile::new(kind, cause, kind != OutcomeKind::AllowAll)
    }

    /// Returns the meaning of a failure (SPEC 2.9, 2.10).
    pub(crate) fn failure(&self, cause: Cause) -> NoFile {
        NoFile::new(self.treatment(FetchOption::OnUnreachable), cause, true)
    }

    /// Returns the meaning of a redirect that leads nowhere (SPEC 2.3, 2.15).
    pub(crate) fn bad_redirect(&self, cause: Cause) -> NoFile {
        let option = FetchOption::OnBadRedirect;
        let is_endless = matches!(cause, Cause::TooManyRedirects | Cause::RedirectLoop);
        let kind = match self.dialect {
            Dialect::Koster1996 if is_endless && !self.policy.is_set(option) => OutcomeKind::Defer,
            _ => self.treatment(option),
        };
        let is_final = matches!(kind, OutcomeKind::AllowAll | OutcomeKind::DisallowAll);
        NoFile::new(kind, cause, !is_final || self.copy().is_some())
    }

    /// Returns the number of bytes to read: the size limit and one more, which shows whether the limit cuts a line.
    fn longest_file(&self) -> usize {
        let limits = self
            .crawlers
            .iter()
            .map(|crawler| crawler.reading.max_bytes);
        limits.max().map_or(0, |limit| limit + 1)
    }

    /// Returns how many bytes of a body are read.
    pub(crate) fn longest_body(&self) -> usize {
        match self.headers.coding {
            Coding::Gzip => gzip::longest_body(self.longest_file()),
            Coding::None | Coding::Other => self.longest_file(),
        }
    }

    /// Returns the file in a body, or the meaning of a body without a file (SPEC 2.17, 2.20). `has_ended`: the client reported
    /// the end of the body.
    pub(crate) fn file<'a>(
        &self,
        body: &'a [u8],
        has_ended: bool,
    ) -> Result<Result<Cow<'a, [u8]>, NoFile>, Error> {
        let (headers, longest) = (&self.headers, self.longest_file());
        let is_gzip = headers.coding == Coding::Gzip && body.starts_with(gzip::MAGIC);
        let is_encoded = match headers.coding {
            _ if is_gzip => false,
            Coding::None => parse::begins_compressed(body),
            // A control character shows that the body is still encoded. The third byte of every gzip body is a control
            // character.
            Coding::Gzip => parse::begins_compressed(body) || parse::has_control(body),
            // Brotli and raw deflate have no magic number, so the bytes must look like text.
            Coding::Other => {
                parse::begins_compressed(body) || parse::has_control(body) || !parse::is_utf8(body)
            }
        };
        let fault = |cause| Ok(Err(self.failure(cause)));
        if headers.transfer_compressed || is_encoded {
            return fault(Cause::EncodedBody);
        }
        // If the client decoded the body, `Content-Length` is the length of the encoded body, and cannot be compared.
        let is_raw = !headers.transfer_encoded && (is_gzip || headers.coding == Coding::None);
        let is_shorter = |stated: u64| has_ended && is_raw && (body.len() as u64) < stated;
        if headers.lengths_differ || headers.content_length.is_some_and(is_shorter) {
            return fault(Cause::ShortBody);
        }
        let file = match is_gzip.then(|| gzip::decode(body, longest)) {
            None => Cow::from(body.get(..longest).unwrap_or(body)),
            Some(Ok(file)) if parse::begins_compressed(&file) => return fault(Cause::EncodedBody),
            Some(Ok(file)) => Cow::from(file),
            Some(Err(why)) => return fault(why.cause()?),
        };
        let option = FetchOption::OnHtml;
        if self.policy.is_set(option) && self.is_html(&file) {
            return Ok(Err(self.treated(option, Cause::Html)));
        }
        Ok(Ok(file))
    }

    /// Returns whether a file is an HTML page without a group (SPEC 2.20).
    fn is_html(&self, file: &[u8]) -> bool {
        let has_group = |crawler| Reader::new(crawler, file).any(|line| line.starts_group);
        FileKind::detect(file) == FileKind::Html && !self.crawlers.first().is_some_and(has_group)
    }

    /// Sets the time of an event. If the clock was set back since the fetch began, the earlier outcome counts as if it were
    /// made now (SPEC 2.18).
    pub(crate) fn set_time(&mut self, now: u64) -> Result<(), Error> {
        validate_time(now)?;
        self.now = now;
        if let Some(previous) = self.previous.take_if(|previous| previous.is_ahead_of(now)) {
            let mut parts = OutcomeParts::clone(&previous);
            let ttl = parts.fresh_until.saturating_sub(parts.fetched_at);
            parts.fetched_at = parts.fetched_at.min(now);
            parts.attempted_at = parts.attempted_at.min(now);
            parts.fresh_until = parts.fresh_until.min(now + ttl);
            parts.unreachable_since = parts.unreachable_since.map(|since| since.min(now));
            self.previous = Some(Outcome::new(parts));
        }
        Ok(())
    }

    /// Returns the earlier outcome, if it has the rules of a file.
    pub(crate) fn copy(&self) -> Option<&OutcomeParts> {
        let previous = self.previous.as_deref();
        previous.filter(|parts| !parts.file_rules().is_empty())
    }

    /// Returns the outcome of a file (SPEC 2.1).
    pub(crate) fn found(&self, body: &[u8]) -> Result<Outcome, Error> {
        let cause = if self.is_html(body) {
            Cause::Html
        } else {
            Cause::Found
        };
        let rules: Result<Box<[Rules]>, Error> = self
            .crawlers
            .iter()
            .map(|crawler| Rules::compiled(crawler, body))
            .collect();
        Ok(Outcome::new(OutcomeParts {
            etag: self.headers.etag.clone(),
            last_modified: self.headers.last_modified.clone(),
            ..self.current(cause, rules?)
        }))
    }

    /// Returns the outcome of a 304 Not Modified (SPEC 3.5).
    pub(crate) fn not_modified(&self, copy: &OutcomeParts) -> Outcome {
        let newer = |new: &Option<Box<[u8]>>, old: &Option<Box<[u8]>>| new.clone().or(old.clone());
        Outcome::new(OutcomeParts {
            etag: newer(&self.headers.etag, &copy.etag),
            last_modified: newer(&self.headers.last_modified, &copy.last_modified),
            ..self.current(Cause::NotModified, copy.file_rules().into())
        })
    }

    /// Returns the contents of an outcome whose rules were fetched or confirmed just now.
    fn current(&self, cause: Cause, rules: Box<[Rules]>) -> OutcomeParts {
        let ttl = self
            .headers
            .ttl(self.now)
            .unwrap_or_else(|| self.get(FetchOption::DefaultTTL));
        let fresh_until = self.now + self.clamped(ttl);
        OutcomeParts {
            kind: OutcomeKind::Rules,
            rules,
            fresh_until,
            retry_at: fresh_until,
            usable_until: fresh_until.max(self.now + longest_use(self.dialect)),
            ..self.blank(cause)
        }
    }

    /// Returns the outcome of a result without a file.
    pub(crate) fn without_file(&self, why: NoFile) -> Outcome {
        match why.is_outage {
            true => self.unreachable(why.kind, why.cause),
            false => self.unavailable(why.kind, why.cause),
        }
    }

    /// Returns the outcome of a site without a file to obey (SPEC 2.3, 2.5, 2.6).
    fn unavailable(&self, kind: OutcomeKind, cause: Cause) -> Outcome {
        let longest = self.get(FetchOption::MissingTTL);
        let ttl = self
            .headers
            .ttl(self.now)
            .map_or(longest, |ttl| ttl.min(longest));
        // The outcome is valid for at least a second. If it expired immediately, the file would be fetched again and again.
        let retry_at = self.now + self.clamped(ttl).clamp(1, longest);
        let keeps = kind == OutcomeKind::AllowAll && self.is_on(FetchOption::MissingKeepsCopy);
        let end = |copy: &OutcomeParts| copy.fetched_at.saturating_add(COPY_TTL);
        match self.copy().filter(|copy| keeps && self.now < end(copy)) {
            Some(copy) => Outcome::new(OutcomeParts {
                retry_at: retry_at.min(end(copy)),
                usable_until: end(copy),
                unreachable_since: None,
                ..self.kept(copy, cause)
            }),
            None => self.whole_site(kind, cause, retry_at, None),
        }
    }

    /// Returns the outcome of a failed attempt (SPEC 2.7 to 2.17).
    fn unreachable(&self, kind: OutcomeKind, cause: Cause) -> Outcome {
        let since = self.outage_since().unwrap_or(self.now);
        let outage = self.now - since;
        let is_long = outage > self.get(FetchOption::UnreachableTTL);
        let retry_at = self.now + self.wait(outage);
        let since = Some(since);
        let Some(copy) = self.copy() else {
            let (kind, cause) = if is_long && kind != OutcomeKind::DisallowAll {
                (OutcomeKind::AllowAll, Cause::UnreachableLong)
            } else {
                (kind, cause)
            };
            return self.whole_site(kind, cause, retry_at, since);
        };
        let is_overridden = self.is_on(FetchOption::UnreachableOverridesCopy) && !is_long;
        let end = match self.dialect {
            Dialect::Koster1996 => copy.fresh_until,
            Dialect::Rfc9309 | Dialect::Google => u64::MAX,
        };
        let kept = OutcomeParts {
            retry_at,
            usable_until: end.min(retry_at + GRACE),
            unreachable_since: since,
            ..self.kept(copy, cause)
        };
        Outcome::new(if is_overridden || end <= self.now {
            self.set_aside(kept, kind)
        } else {
            kept
        })
    }

    /// Returns the start of the outage that the previous outcome belongs to (SPEC 2.12); `None` if the last attempt is too long
    /// ago.
    fn outage_since(&self) -> Option<u64> {
        let previous = self.previous.as_ref()?;
        let pause = self.now.saturating_sub(previous.attempted_at);
        let since = previous.unreachable_since?;
        (pause <= LONGEST_PAUSE).then_some(since.min(self.now))
    }

    /// Returns the number of seconds to wait after a failure (SPEC 3.6): the length of the outage so far, within bounds. The
    /// wait is longer if the server requests a longer wait.
    fn wait(&self, outage: u64) -> u64 {
        let back_off = outage
            .min(self.get(FetchOption::DefaultTTL).min(DAY))
            .max(self.get(FetchOption::FailureTTL));
        let requested = match self.http_status {
            429 | 503 => self.headers.retry_after(self.now),
            _ => None,
        };
        requested.map_or(back_off, |seconds| {
            seconds
                .min(self.get(FetchOption::MaxRetryAfter))
                .max(back_off)
        })
    }

    /// Returns a placeholder for the record of a site that has no outcome: a deferral that is never valid.
    pub(crate) fn unknown(&self) -> Outcome {
        self.whole_site(OutcomeKind::Defer, Cause::OtherFailure, 0, None)
    }

    /// Returns an outcome with a site-wide rule.
    fn whole_site(
        &self,
        kind: OutcomeKind,
        cause: Cause,
        retry_at: u64,
        unreachable_since: Option<u64>,
    ) -> Outcome {
        Outcome::new(OutcomeParts {
            kind,
            rules: [site_wide(kind)].into(),
            fresh_until: retry_at,
            retry_at,
            usable_until: retry_at,
            unreachable_since,
            ..self.blank(cause)
        })
    }

    /// Returns the contents of an outcome in which the earlier rules stay in use (SPEC 2.5, 2.11, 2.13, 2.15, 3.4), with the
    /// URL and validators of these rules. The caller sets `retry_at`, `usable_until` and `unreachable_since`.
    fn kept(&self, copy: &OutcomeParts, cause: Cause) -> OutcomeParts {
        OutcomeParts {
            kind: OutcomeKind::Rules,
            rules: copy.file_rules().into(),
            stale: true,
            cause,
            http_status: self.http_status,
            attempted_at: self.now,
            ..copy.clone()
        }
    }

    /// Returns the contents of an outcome in which the rules of `kept` decide nothing until the server confirms them (SPEC
    /// 2.11).
    fn set_aside(&self, kept: OutcomeParts, kind: OutcomeKind) -> OutcomeParts {
        // A redirect that leads nowhere allows all only if there is no copy (SPEC 2.15).
        let kind = match (kind, self.dialect) {
            (OutcomeKind::AllowAll, Dialect::Koster1996) => OutcomeKind::Defer,
            (OutcomeKind::AllowAll, _) => OutcomeKind::Unreachable,
            _ => kind,
        };
        OutcomeParts {
            kind,
            rules: [site_wide(kind)].into_iter().chain(kept.rules).collect(),
            stale: false,
            usable_until: kept.retry_at,
            ..kept
        }
    }

    /// Returns the fields that all outcomes of this retrieval share, with safe values in all other fields.
    fn blank(&self, cause: Cause) -> OutcomeParts {
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
            fetched_at: self.now,
            attempted_at: self.now,
            fresh_until: self.now,
            usable_until: self.now,
            retry_at: self.now,
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

    fn treatment(&self, option: FetchOption) -> OutcomeKind {
        self.policy.treatment(option, self.dialect)
    }

    /// Returns a TTL within its bounds (SPEC 3.2); the upper bound has priority.
    fn clamped(&self, ttl: u64) -> u64 {
        ttl.max(self.get(FetchOption::MinTTL))
            .min(self.get(FetchOption::MaxTTL))
    }
}

/// Returns the rules of an outcome without a file. If the site is unreachable or deferred, the reason of their verdicts is
/// [`Reason::Unreachable`](crate::Reason).
pub(super) fn site_wide(kind: OutcomeKind) -> Rules {
    Rules::certain(Rules::whole_site(site_wide_flag(kind), Dialect::default()))
}

/// Returns the image flag of [`site_wide`] rules.
pub(super) fn site_wide_flag(kind: OutcomeKind) -> u8 {
    match kind {
        OutcomeKind::AllowAll => flag::ALLOW_ALL,
        OutcomeKind::DisallowAll => flag::DISALLOW_ALL,
        OutcomeKind::Rules | OutcomeKind::Defer | OutcomeKind::Unreachable => flag::UNREACHABLE,
    }
}

/// Returns the number of seconds for which fetched rules decide if no refresh is attempted (SPEC 3.8).
fn longest_use(dialect: Dialect) -> u64 {
    match dialect {
        Dialect::Koster1996 => 7 * DAY,
        Dialect::Rfc9309 | Dialect::Google => DAY,
    }
}

impl Outcome {
    /// Returns whether this is the placeholder of [`Retrieval::unknown`]: every other outcome is usable for at least a second.
    pub(crate) fn is_unknown(&self) -> bool {
        self.usable_until == 0
    }

    /// Returns the outcome with its times cut to the maximums that the options of `crawler` set. An imported outcome may come
    /// from a process with other options.
    pub(crate) fn within_limits(&self, crawler: &Crawler) -> Outcome {
        let get = |option| crawler.fetch_option(option);
        let fetched = |ttl: u64| self.fetched_at.saturating_add(ttl);
        let attempted = |wait: u64| self.attempted_at.saturating_add(wait);
        let max_ttl = get(FetchOption::MaxTTL);
        let mut parts = OutcomeParts::clone(self);
        let decides = parts.kind == OutcomeKind::Rules;
        let fresh_until = parts.fresh_until.min(fetched(max_ttl));
        let (retry_at, usable_until) = if parts.unreachable_since.is_some() {
            let wait = get(FetchOption::DefaultTTL)
                .min(DAY)
                .max(get(FetchOption::FailureTTL))
                .max(get(FetchOption::MaxRetryAfter));
            let retry_at = parts.retry_at.min(attempted(wait));
            match crawler.reading.dialect {
                _ if !decides => (retry_at, retry_at),
                Dialect::Koster1996 => (retry_at, fresh_until),
                Dialect::Rfc9309 | Dialect::Google => (retry_at, retry_at.saturating_add(GRACE)),
            }
        } else if decides && !parts.stale {
            let longest = fetched(longest_use(crawler.reading.dialect));
            (fresh_until, fresh_until.max(longest))
        } else {
            let retry_at = parts
                .retry_at
                .min(attempted(get(FetchOption::MissingTTL).min(max_ttl)));
            if decides {
                (retry_at, fetched(COPY_TTL))
            } else {
                (retry_at, retry_at)
            }
        };
        parts.retry_at = retry_at;
        parts.usable_until = parts.usable_until.min(usable_until);
        parts.fresh_until = match parts.file_rules() {
            [] => parts.fresh_until.min(retry_at),
            _ => fresh_until,
        };
        Outcome::new(parts)
    }
}
