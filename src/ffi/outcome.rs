//! `robots_outcome`: the result of fetching a robots.txt.

use core::ffi::CStr;
use std::sync::OnceLock;

use super::convert::*;
use super::crawler::robots_crawler;
use super::rules::{borrowed_handle, robots_rules};

use crate::base::limits::MAX_CRAWLERS;
use crate::crawler::Crawler;
use crate::crawler::options::OutcomeKind;
use crate::site::fetch::Outcome;

/// The result of a fetch, for one or more crawlers: rules or a site-wide rule, the cause, and the times of validity.
/// Immutable.
///
/// Owner: created by `robots_fetch_outcome` and others, freed by `robots_outcome_free`.
/// Threads: any number of threads may use it at the same time.
/// Allocates: the functions that create it, and others as noted. They may abort when out of memory.
pub struct robots_outcome {
    pub(super) outcome: Outcome,
    record: OnceLock<Vec<u8>>,
}

/// The parts of an outcome.
#[repr(C)]
pub struct robots_outcome_info {
    /// `sizeof(robots_outcome_info)`.
    pub size: usize,
    /// Kind, one of `enum robots_outcome_kind`.
    pub kind: u32,
    /// Cause, one of `enum robots_cause`.
    pub cause: u32,
    /// Status of the last response; 0 if there was none.
    pub http_status: u32,
    /// Number of redirects that were followed.
    pub hops: u32,
    /// 1 if a redirect led from https to http, where others may have changed the file.
    pub downgraded: u32,
    /// 1 if the rules are from an earlier fetch and stay in use.
    pub stale: u32,
    /// Time when the rules were fetched or confirmed by a 304; without rules, time of the last status or failure.
    pub fetched_at_ms: u64,
    /// End of the freshness lifetime; it may be in the past for stale rules.
    pub fresh_until_ms: u64,
    /// Time until which the outcome decides, unless a newer outcome replaces it.
    pub usable_until_ms: u64,
    /// Earliest time of the next fetch.
    pub retry_at_ms: u64,
    /// Time since which every fetch has failed; `UINT64_MAX` after a response.
    pub unreachable_since_ms: u64,
    /// Origin key of the site, such as "https://example.com".
    pub origin: robots_str,
    /// URL of the last request, after all redirects; for rules, URL of the request that returned them.
    pub final_url: robots_str,
    /// `ETag` of the rules; empty if there is none.
    pub etag: robots_str,
    /// `Last-Modified` of the rules; empty if there is none.
    pub last_modified: robots_str,
}

const COUNT: &CStr = why!("count is 0 or more than 16: pass the crawlers of the fetch");
const CRAWLERS: &CStr =
    why!("crawlers is NULL or not aligned, or has a crawler that is NULL: pass count handles");

/// The text for an index that no crawler has.
pub(super) const INDEX: &CStr = why!(
    "crawler is the index of no crawler: count from 0, in the order in which the crawlers were added to the fetch or the cache"
);

impl From<Outcome> for robots_outcome {
    fn from(outcome: Outcome) -> robots_outcome {
        robots_outcome {
            outcome,
            record: OnceLock::new(),
        }
    }
}

/// Returns the crawlers of a caller's list.
///
/// # Safety
/// `crawlers` is null or readable for `count` elements, each null or a crawler that was not freed.
unsafe fn crawlers_of(
    crawlers: *const *const robots_crawler,
    count: usize,
) -> Result<Vec<Crawler>, Error> {
    if count == 0 || count > MAX_CRAWLERS {
        return Err(refuse(COUNT));
    }
    // SAFETY: the caller's promise.
    let crawlers = unsafe { elements(crawlers, count, CRAWLERS)? };
    let crawlers = crawlers.iter().map(|&crawler| {
        // SAFETY: the caller's promise.
        let robots_crawler(crawler) = unsafe { handle_at(crawler, CRAWLERS)? };
        Ok(crawler.clone())
    });
    crawlers.collect()
}

/// Creates the outcome of a whole response, for a caller whose HTTP client follows redirects itself. The call receives no
/// headers, so the default lifetimes apply.
///
/// Parameters: `crawler`. `url`, `url_len`: any URL of the site that the first request went to. `http_status`: any number.
/// `body`, `body_len`: the file; it counts only for a status of 200 to 299. `out`: the outcome.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_SCHEME` and `ROBOTS_E_URL` as from `robots_origin_key`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_outcome_from_status(
    crawler: *const robots_crawler,
    url: *const c_char,
    url_len: usize,
    http_status: u32,
    body: *const c_char,
    body_len: usize,
    now_ms: u64,
    out: *mut *mut robots_outcome,
) -> robots_status {
    exported!(handle_into(out, || at_time(now_ms, |now| {
        let crawlers = core::slice::from_ref(&borrowed!(crawler)?.0);
        let (url, body) = (bytes!(url, url_len)?, bytes!(body, body_len)?);
        let http_status = status_code(http_status);
        Outcome::from_status(crawlers, url, http_status, body, now).map(robots_outcome::from)
    })))
}

/// Converts a status of C to the type of the core. A number above 65535 becomes 65535.
pub(super) fn status_code(http_status: u32) -> u16 {
    u16::try_from(http_status).unwrap_or(u16::MAX)
}

/// Creates an outcome from a record of `robots_outcome_encode`, from this machine or another.
///
/// Parameters: `crawlers`, `count`: the 1 to 16 crawlers of the fetch, in order. `record`, `record_len`: any bytes.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged record; `ROBOTS_E_IMAGE_FORMAT` for another version or other
/// crawlers: then fetch the file again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_outcome_decode(
    crawlers: *const *const robots_crawler,
    count: usize,
    record: *const c_char,
    record_len: usize,
    out: *mut *mut robots_outcome,
) -> robots_status {
    exported!(handle_into(out, || {
        let crawlers = crawlers_of(crawlers, count)?;
        Outcome::decode(bytes!(record, record_len)?, &crawlers).map(robots_outcome::from)
    }))
}

/// Returns the outcome as one block of bytes, to be stored or sent. `robots_outcome_decode` reads the block.
///
/// Returns: `ROBOTS_OK`. `*out` is empty after an error.
/// Owner: the outcome; valid until it is freed.
/// Allocates: the record, at the first call; the outcome keeps the record.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_outcome_encode(
    outcome: *const robots_outcome,
    out: *mut robots_str,
) -> robots_status {
    exported!(result_into(out, robots_str::EMPTY, || {
        let robots_outcome { outcome, record } = borrowed!(outcome)?;
        Ok(robots_str::new(once(record, || outcome.encode())?))
    }))
}

/// Returns the parts of an outcome.
///
/// Returns: `ROBOTS_OK`. After an error the kind in `*out` is `ROBOTS_OUTCOME_DEFER`.
/// Owner: the strings belong to the outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_outcome_get(
    outcome: *const robots_outcome,
    out: *mut robots_outcome_info,
) -> robots_status {
    exported!({
        let status = struct_into(out, || {
            let outcome = &borrowed!(outcome)?.outcome;
            Ok(robots_outcome_info {
                size: 0,
                kind: outcome.kind as u32,
                cause: outcome.cause as u32,
                http_status: outcome.http_status.into(),
                hops: outcome.hops.into(),
                downgraded: outcome.downgraded.into(),
                stale: outcome.stale.into(),
                fetched_at_ms: milliseconds(outcome.fetched_at),
                fresh_until_ms: milliseconds(outcome.fresh_until),
                usable_until_ms: milliseconds(outcome.usable_until),
                retry_at_ms: milliseconds(outcome.retry_at),
                unreachable_since_ms: outcome.unreachable_since.map_or(u64::MAX, milliseconds),
                origin: robots_str::new(outcome.origin.key()),
                final_url: robots_str::new(&*outcome.final_url),
                etag: robots_str::maybe(outcome.etag.as_deref()),
                last_modified: robots_str::maybe(outcome.last_modified.as_deref()),
            })
        });
        // After an error all fields are 0, but kind 0 is `ROBOTS_OUTCOME_RULES`, which decides.
        if status != ROBOTS_OK && checked_size(out).is_ok() {
            (&raw mut (*out).kind).write(OutcomeKind::Defer as u32);
        }
        status
    })
}

/// Returns a verdict, or refuses the index of a crawler that does not exist.
#[inline(always)]
fn indexed(verdict: Verdict, exists: impl FnOnce() -> bool) -> Result<Verdict, Error> {
    match verdict.error() {
        Some(Error::Argument) if !exists() => Err(refuse(INDEX)),
        _ => Ok(verdict),
    }
}

/// Returns the rules for one of the crawlers. If the kind is not `ROBOTS_OUTCOME_RULES`, the rules allow every URL or no
/// URL. For `ROBOTS_OUTCOME_DEFER` and `_UNREACHABLE` the reason is `ROBOTS_REASON_UNREACHABLE`. Rules check neither the
/// site nor the time; `robots_outcome_check` checks both.
///
/// Parameters: `crawler`: the index of the crawler, in the order of the fetch, from 0.
/// Returns: the rules; NULL for an index out of range, or for NULL.
/// Owner: the outcome; valid until it is freed. `robots_rules_retain` keeps the rules longer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_outcome_rules(
    outcome: *const robots_outcome,
    crawler: usize,
) -> *const robots_rules {
    exported!(value_or(null(), || {
        let rules = borrowed!(outcome)?.outcome.rules(crawler);
        let rules = rules.ok_or_else(|| refuse(INDEX))?;
        Ok(borrowed_handle(rules).cast_const())
    }))
}

/// Checks one URL of the site at the time `now_ms`. Takes no lock.
///
/// Parameters: `crawler`: the index of the crawler, in the order of the fetch, from 0. `url`, `url_len`: an absolute
/// URL of the site, or a path that starts with `/`.
/// Returns: the verdict of the rules; `ROBOTS_REASON_DEFER` (not allowed) if the site is deferred, or if the outcome has
/// expired (`usable_until_ms`) or has times after `now_ms` (SPEC 2.18). After an error the status is not `ROBOTS_OK` and
/// the URL is not allowed: `ROBOTS_E_URL` if `url` is not a URL or has another origin; `ROBOTS_E_SCHEME` (SPEC 1.6).
/// Allocates: nothing for a path or an origin of ASCII in lower case; else work space that is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_outcome_check(
    outcome: *const robots_outcome,
    crawler: usize,
    url: *const c_char,
    url_len: usize,
    now_ms: u64,
) -> robots_verdict {
    exported!(verdict_of(|| {
        let (outcome, url) = (&borrowed!(outcome)?.outcome, bytes!(url, url_len)?);
        at_time(now_ms, |now| {
            let verdict = outcome.check(crawler, url, now);
            indexed(verdict, || outcome.rules(crawler).is_some())
        })
    }))
}

/// Checks one URL with a record of `robots_outcome_encode` or `robots_cache_each`, in place and without a lock, for
/// processes that share memory, such as forked workers.
///
/// Parameters: `record`, `record_len`: any bytes. Unlike `robots_outcome_decode`, the call checks neither the checksum
/// nor the crawlers. Other parameters: as for `robots_outcome_check`.
/// Returns: a verdict as from `robots_outcome_check`; its status may also be `ROBOTS_E_IMAGE` for a damaged record, or
/// `ROBOTS_E_IMAGE_FORMAT` for a record of another version.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_record_check(
    record: *const c_char,
    record_len: usize,
    crawler: usize,
    url: *const c_char,
    url_len: usize,
    now_ms: u64,
) -> robots_verdict {
    exported!(verdict_of(|| {
        let (record, url) = (bytes!(record, record_len)?, bytes!(url, url_len)?);
        at_time(now_ms, |now| {
            let check = |crawler| Outcome::check_record(record, crawler, url, now);
            // A record has at least one crawler, so index 0 is never out of range.
            indexed(check(crawler), || check(0).error().is_some())
        })
    }))
}

/// Frees an outcome and everything borrowed from it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_outcome_free(outcome: *mut robots_outcome) {
    exported!(free(outcome))
}
