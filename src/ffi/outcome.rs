//! `robots_outcome`: the result of fetching a robots.txt.

use core::ffi::c_char;
use std::sync::{Arc, OnceLock};

use super::crawler::{crawler_of, robots_crawler};
use super::rules::robots_rules;
use super::status::robots_status;
use super::string::robots_str;
use super::verdict::robots_verdict;
use super::{borrowed, guarded, handle_into, input, result_into, text};
use crate::crawler::Crawler;
use crate::crawler::options::OutcomeKind;
use crate::error::Error;
use crate::fetch::{Cause, Outcome};
use crate::limits::MAX_CRAWLERS;
use crate::verdict::Verdict;

/// The result of a fetch, for one or more crawlers: rules or a site-wide rule, the cause, and the times until it is
/// valid. Immutable and reference-counted.
///
/// Owner: created by `robots_fetch_outcome` and others, freed by `robots_outcome_free`.
/// Threads: any number of threads may use it at once.
/// Allocates: the functions that create it, and others as noted. They may abort when out of memory.
pub struct robots_outcome {
    pub(super) outcome: Outcome,
    record: OnceLock<Vec<u8>>,
}

/// Outcome kind: there is a robots.txt; its rules decide.
pub const ROBOTS_OUTCOME_RULES: u64 = OutcomeKind::Rules as u64;
/// Outcome kind: the whole site is allowed.
pub const ROBOTS_OUTCOME_ALLOW_ALL: u64 = OutcomeKind::AllowAll as u64;
/// Outcome kind: the whole site is disallowed.
pub const ROBOTS_OUTCOME_DISALLOW_ALL: u64 = OutcomeKind::DisallowAll as u64;
/// Outcome kind: nothing of the site may be fetched now; keep its URLs and check them again later.
pub const ROBOTS_OUTCOME_DEFER: u64 = OutcomeKind::Defer as u64;
/// Outcome kind: the robots.txt cannot be reached: fetch nothing of the site now, keep its URLs and check them again
/// later. This is no ban.
pub const ROBOTS_OUTCOME_UNREACHABLE: u64 = OutcomeKind::Unreachable as u64;

/// Cause: there is a file.
pub const ROBOTS_CAUSE_FOUND: u64 = Cause::Found as u64;
/// Cause: 304 Not Modified.
pub const ROBOTS_CAUSE_NOT_MODIFIED: u64 = Cause::NotModified as u64;
/// Cause: there is no file: 400 to 499, or a server error that counts like 404.
pub const ROBOTS_CAUSE_MISSING: u64 = Cause::Missing as u64;
/// Cause: 401 or 403.
pub const ROBOTS_CAUSE_FORBIDDEN: u64 = Cause::Forbidden as u64;
/// Cause: 429.
pub const ROBOTS_CAUSE_TOO_MANY_REQUESTS: u64 = Cause::TooManyRequests as u64;
/// Cause: 500 to 599.
pub const ROBOTS_CAUSE_SERVER_ERROR: u64 = Cause::ServerError as u64;
/// Cause: a status below 200 or above 599, or a 304 to an unconditional request.
pub const ROBOTS_CAUSE_ODD_STATUS: u64 = Cause::OddStatus as u64;
/// Cause: more redirects in a row than `ROBOTS_OPT_MAX_REDIRECTS`.
pub const ROBOTS_CAUSE_TOO_MANY_REDIRECTS: u64 = Cause::TooManyRedirects as u64;
/// Cause: a redirect back to an earlier URL; one to the current URL only counts as a redirect.
pub const ROBOTS_CAUSE_REDIRECT_LOOP: u64 = Cause::RedirectLoop as u64;
/// Cause: a redirect without a target, or to one that is not an http or https URL.
pub const ROBOTS_CAUSE_BAD_REDIRECT: u64 = Cause::BadRedirect as u64;
/// Cause: the host has no address.
pub const ROBOTS_CAUSE_DNS: u64 = Cause::Dns as u64;
/// Cause: no connection.
pub const ROBOTS_CAUSE_CONNECT: u64 = Cause::Connect as u64;
/// Cause: no secure connection.
pub const ROBOTS_CAUSE_TLS: u64 = Cause::Tls as u64;
/// Cause: a timeout.
pub const ROBOTS_CAUSE_TIMEOUT: u64 = Cause::Timeout as u64;
/// Cause: the connection was reset.
pub const ROBOTS_CAUSE_RESET: u64 = Cause::Reset as u64;
/// Cause: the body ended early or was invalid.
pub const ROBOTS_CAUSE_TRUNCATED: u64 = Cause::Truncated as u64;
/// Cause: any other failure.
pub const ROBOTS_CAUSE_OTHER_FAILURE: u64 = Cause::OtherFailure as u64;
/// Cause: unreachable for so long that the site counts as one without a file.
pub const ROBOTS_CAUSE_UNREACHABLE_LONG: u64 = Cause::UnreachableLong as u64;
/// Cause: 206, a part of the file.
pub const ROBOTS_CAUSE_PARTIAL_CONTENT: u64 = Cause::PartialContent as u64;
/// Cause: the body has fewer bytes than `Content-Length` states.
pub const ROBOTS_CAUSE_SHORT_BODY: u64 = Cause::ShortBody as u64;
/// Cause: the client did not undo the content coding of the body.
pub const ROBOTS_CAUSE_ENCODED_BODY: u64 = Cause::EncodedBody as u64;
/// Cause: a redirect that the client reported as the final status.
pub const ROBOTS_CAUSE_REDIRECT_NOT_FOLLOWED: u64 = Cause::RedirectNotFollowed as u64;
/// Cause: a redirect that `ROBOTS_OPT_NON_GLOBAL_REDIRECTS` refuses.
pub const ROBOTS_CAUSE_NON_GLOBAL_REDIRECT: u64 = Cause::NonGlobalRedirect as u64;

/// Number: the kind of the outcome, `ROBOTS_OUTCOME_RULES` to `ROBOTS_OUTCOME_UNREACHABLE`.
pub const ROBOTS_OUTCOME_KIND: u32 = 1;
/// Number: the cause, one of `ROBOTS_CAUSE_...`.
pub const ROBOTS_OUTCOME_CAUSE: u32 = 2;
/// Number: the status of the last response; 0 if there was none.
pub const ROBOTS_OUTCOME_HTTP_STATUS: u32 = 3;
/// Number: how many redirects were followed.
pub const ROBOTS_OUTCOME_HOPS: u32 = 4;
/// Number: 1 if a redirect led from https to http, where others may have changed the file.
pub const ROBOTS_OUTCOME_DOWNGRADED: u32 = 5;
/// Number: 1 if these are the rules of an earlier fetch that stay in use.
pub const ROBOTS_OUTCOME_STALE: u32 = 6;
/// Number: when the rules were fetched or last confirmed by a 304; for other kinds the end of the fetch.
pub const ROBOTS_OUTCOME_FETCHED_AT: u32 = 7;
/// Number: the end of the freshness lifetime; for stale rules it may be in the past.
pub const ROBOTS_OUTCOME_FRESH_UNTIL: u32 = 8;
/// Number: until when the outcome decides if there is nothing newer.
pub const ROBOTS_OUTCOME_USABLE_UNTIL: u32 = 9;
/// Number: when the next fetch is due, not earlier.
pub const ROBOTS_OUTCOME_RETRY_AT: u32 = 10;
/// Number: since when every fetch has failed; `UINT64_MAX` after a response.
pub const ROBOTS_OUTCOME_UNREACHABLE_SINCE: u32 = 11;

/// Text: the key of the site, such as "https://example.com".
pub const ROBOTS_OUTCOME_ORIGIN: u32 = 32;
/// Text: the URL of the last request, after all redirects; for rules that of the request they came from.
pub const ROBOTS_OUTCOME_FINAL_URL: u32 = 33;
/// Text: the `ETag` of the rules; empty if there is none.
pub const ROBOTS_OUTCOME_ETAG: u32 = 34;
/// Text: the `Last-Modified` of the rules; empty if there is none.
pub const ROBOTS_OUTCOME_LAST_MODIFIED: u32 = 35;

impl robots_outcome {
    /// Returns an outcome as a handle: one reference for the caller.
    pub(super) fn into_handle(outcome: Outcome) -> *mut robots_outcome {
        let handle = robots_outcome {
            outcome,
            record: OnceLock::new(),
        };
        Arc::into_raw(Arc::new(handle)).cast_mut()
    }

    fn record(&self) -> Result<&[u8], Error> {
        if let Some(made) = self.record.get() {
            return Ok(made);
        }
        let made = self.outcome.encode()?;
        Ok(self.record.get_or_init(|| made))
    }
}

/// The crawlers of a caller's list.
///
/// # Safety
/// `crawlers` is null or readable for `count` elements, each null or a crawler that was not freed.
unsafe fn crawlers_of(
    crawlers: *mut *const robots_crawler,
    count: usize,
) -> Result<Vec<Crawler>, Error> {
    if count == 0 || count > MAX_CRAWLERS {
        return Err(Error::Argument);
    }
    // SAFETY: the caller's promises, passed on.
    unsafe { input(crawlers.cast_const(), count)? }
        .iter()
        .map(|crawler| unsafe { crawler_of(*crawler) }.cloned())
        .collect()
}

/// Creates the outcome of a response that is known as a whole, for a caller whose HTTP client follows redirects itself.
/// There are no headers, so the default lifetimes apply.
///
/// Parameters: `crawler`. `url`, `url_len`: any URL of the site that was requested first. `http_status`: any number.
/// `body`, `body_len`: the file, which counts for 200 to 299. `now`: seconds since 1970-01-01 UTC. `out`: receives the
/// outcome.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_SCHEME` and `ROBOTS_E_URL` as from `robots_origin_new`; `ROBOTS_E_ARG`;
/// `ROBOTS_E_MEMORY`.
///
/// # Safety
/// `crawler` is NULL or was not freed; `url` and `body` are readable for their lengths; `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_outcome_from_status(
    crawler: *const robots_crawler,
    url: *const c_char,
    url_len: usize,
    http_status: u32,
    body: *const c_char,
    body_len: usize,
    now: u64,
    out: *mut *mut robots_outcome,
) -> robots_status {
    let made = || {
        // SAFETY: the caller's promises, passed on.
        let (crawler, url, body) = unsafe {
            (
                crawler_of(crawler)?,
                text(url, url_len)?,
                text(body, body_len)?,
            )
        };
        let crawlers = core::slice::from_ref(crawler);
        let outcome = Outcome::from_status(crawlers, url, status_code(http_status), body, now)?;
        Ok(robots_outcome::into_handle(outcome))
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// A status as the core has it. One that is larger is as odd as the largest.
pub(super) fn status_code(http_status: u32) -> u16 {
    u16::try_from(http_status).unwrap_or(u16::MAX)
}

/// Creates an outcome from a record of `robots_outcome_encode`, made on this or another machine.
///
/// Parameters: `crawlers`, `count`: the crawlers that the fetch was made for, 1 to 16, in their order. `record`,
/// `record_len`: any bytes. `out`: receives the outcome.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged record; `ROBOTS_E_IMAGE_FORMAT` for another version or other
/// crawlers: fetch the file again; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
///
/// # Safety
/// `crawlers` is readable for `count` elements, each NULL or a crawler that was not freed; `record` is readable for
/// `record_len` bytes; `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_outcome_decode(
    crawlers: *mut *const robots_crawler,
    count: usize,
    record: *const c_char,
    record_len: usize,
    out: *mut *mut robots_outcome,
) -> robots_status {
    let made = || {
        // SAFETY: the caller's promises, passed on.
        let (crawlers, record) =
            unsafe { (crawlers_of(crawlers, count)?, text(record, record_len)?) };
        Ok(robots_outcome::into_handle(Outcome::decode(
            record, &crawlers,
        )?))
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Returns the outcome as one block of bytes, to be stored or sent; `robots_outcome_decode` reads it.
///
/// Parameters: `out`: receives the record.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`. `*out` is empty after an error.
/// Owner: the outcome; valid until it is freed.
/// Allocates: the record, at the first call; the outcome keeps it.
///
/// # Safety
/// `outcome` is NULL or was not freed; `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_outcome_encode(
    outcome: *const robots_outcome,
    out: *mut robots_str,
) -> robots_status {
    let record = || {
        // SAFETY: the caller's promise, passed on.
        let outcome = unsafe { borrowed(outcome)? };
        Ok(robots_str::new(outcome.record()?))
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { result_into(out, robots_str::EMPTY, record) }
}

/// Returns one number of an outcome. All times are seconds since 1970-01-01 UTC, by the caller's clock.
///
/// Parameters: `what`: one of `ROBOTS_OUTCOME_KIND` to `ROBOTS_OUTCOME_UNREACHABLE_SINCE`.
/// Returns: the number; 0 for an unknown `what`. For NULL the kind is `ROBOTS_OUTCOME_DEFER` and all else 0.
///
/// # Safety
/// `outcome` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_outcome_get(outcome: *const robots_outcome, what: u32) -> u64 {
    let number = guarded(|| {
        // SAFETY: the caller's promise, passed on.
        let outcome = &unsafe { borrowed(outcome) }?.outcome;
        Ok(match what {
            ROBOTS_OUTCOME_KIND => outcome.kind() as u64,
            ROBOTS_OUTCOME_CAUSE => outcome.cause() as u64,
            ROBOTS_OUTCOME_HTTP_STATUS => outcome.http_status().into(),
            ROBOTS_OUTCOME_HOPS => outcome.hops().into(),
            ROBOTS_OUTCOME_DOWNGRADED => outcome.downgraded().into(),
            ROBOTS_OUTCOME_STALE => outcome.stale().into(),
            ROBOTS_OUTCOME_FETCHED_AT => outcome.fetched_at(),
            ROBOTS_OUTCOME_FRESH_UNTIL => outcome.fresh_until(),
            ROBOTS_OUTCOME_USABLE_UNTIL => outcome.usable_until(),
            ROBOTS_OUTCOME_RETRY_AT => outcome.retry_at(),
            ROBOTS_OUTCOME_UNREACHABLE_SINCE => outcome.unreachable_since().unwrap_or(u64::MAX),
            _ => 0,
        })
    });
    number.unwrap_or(match what {
        ROBOTS_OUTCOME_KIND => ROBOTS_OUTCOME_DEFER,
        _ => 0,
    })
}

/// Returns one text of an outcome.
///
/// Parameters: `what`: one of `ROBOTS_OUTCOME_ORIGIN` to `ROBOTS_OUTCOME_LAST_MODIFIED`.
/// Returns: the text; empty if there is none, for NULL and for an unknown `what`.
///
/// # Safety
/// `outcome` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_outcome_text(
    outcome: *const robots_outcome,
    what: u32,
) -> robots_str {
    guarded(|| {
        // SAFETY: the caller's promise, passed on.
        let outcome = &unsafe { borrowed(outcome) }?.outcome;
        Ok(match what {
            ROBOTS_OUTCOME_ORIGIN => Some(outcome.origin().key().as_bytes()),
            ROBOTS_OUTCOME_FINAL_URL => Some(outcome.final_url().as_bytes()),
            ROBOTS_OUTCOME_ETAG => outcome.etag(),
            ROBOTS_OUTCOME_LAST_MODIFIED => outcome.last_modified(),
            _ => None,
        })
    })
    .ok()
    .flatten()
    .map_or(robots_str::EMPTY, robots_str::new)
}

/// Returns the rules for one of the crawlers. If the kind is not `ROBOTS_OUTCOME_RULES` they allow every URL or
/// none. For `ROBOTS_OUTCOME_DEFER` and `_UNREACHABLE` the reason is `ROBOTS_REASON_UNREACHABLE`. They do not know the
/// site and the time: `robots_outcome_check` does.
///
/// Parameters: `crawler`: the index of the crawler, in the order of the fetch, from 0.
/// Returns: the rules; NULL for an index out of range, or for NULL.
/// Owner: the outcome; valid until it is freed. `robots_rules_retain` keeps them longer.
///
/// # Safety
/// `outcome` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_outcome_rules(
    outcome: *const robots_outcome,
    crawler: usize,
) -> *const robots_rules {
    guarded(|| {
        // SAFETY: the caller's promise, passed on.
        let outcome = unsafe { borrowed(outcome) }?;
        outcome.outcome.rules(crawler).ok_or(Error::Argument)
    })
    .map_or(core::ptr::null(), |rules| {
        rules.block().as_raw().as_ptr().cast_const().cast()
    })
}

/// Checks one URL of the site at one time. Takes no lock.
///
/// Parameters: `crawler`: the index of the crawler, in the order of the fetch, from 0. `url`, `url_len`: an absolute
/// URL of the site, or a path that starts with `/`. `now`: seconds since 1970-01-01 UTC.
/// Returns: the verdict of the rules; `ROBOTS_REASON_DEFER`, not allowed, if the site is deferred or the outcome has
/// expired (`ROBOTS_OUTCOME_USABLE_UNTIL`) or lies in the future of `now` (SPEC 2.18). Its status is `ROBOTS_E_URL` if `url` is not a URL or has another origin,
/// or `ROBOTS_E_ARG`, also for a time after the year 9999; then it is not allowed.
/// Allocates: usually nothing, as for `robots_origin_governs`.
///
/// # Safety
/// `outcome` is NULL or was not freed; `url` is readable for `url_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_outcome_check(
    outcome: *const robots_outcome,
    crawler: usize,
    url: *const c_char,
    url_len: usize,
    now: u64,
) -> robots_verdict {
    guarded(|| {
        // SAFETY: the caller's promises, passed on.
        let (outcome, url) = unsafe { (borrowed(outcome)?, text(url, url_len)?) };
        Ok(outcome.outcome.check(crawler, url, now))
    })
    .unwrap_or_else(Verdict::from_error)
    .bits()
}

/// Adds a reference: one more `robots_outcome_free` is needed.
///
/// Returns: `outcome`; NULL for NULL.
/// Owner: the caller has one more reference.
///
/// # Safety
/// `outcome` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_outcome_retain(
    outcome: *const robots_outcome,
) -> *mut robots_outcome {
    if outcome.is_null() {
        return core::ptr::null_mut();
    }
    guarded(|| {
        // SAFETY: not null, so from `Arc::into_raw`, and the caller promises that a reference lives.
        unsafe { Arc::increment_strong_count(outcome) };
        Ok(outcome.cast_mut())
    })
    .unwrap_or(core::ptr::null_mut())
}

/// Releases a reference. The last one frees the outcome and everything borrowed from it.
///
/// Threads: other threads may use the outcome if they have a reference of their own.
///
/// # Safety
/// `outcome` is NULL or was not freed as often as it was made and retained.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_outcome_free(outcome: *mut robots_outcome) {
    if outcome.is_null() {
        return;
    }
    // A panic cannot be reported here.
    let _ = guarded(|| {
        // SAFETY: not null, so from `Arc::into_raw`; the caller gives up one reference.
        drop(unsafe { Arc::from_raw(outcome.cast_const()) });
        Ok(())
    });
}

/// A caller's outcome.
///
/// # Safety
/// As for [`borrowed`].
pub(super) unsafe fn outcome_of<'a>(outcome: *const robots_outcome) -> Result<&'a Outcome, Error> {
    // SAFETY: passed on.
    Ok(&unsafe { borrowed(outcome) }?.outcome)
}
