//! `robots_outcome`: what came of fetching a robots.txt.

use core::ffi::c_char;
use std::sync::{Arc, OnceLock};

use super::crawler::{crawler_of, robots_crawler};
use super::rules::{robots_rules, robots_str};
use super::status::robots_status;
use super::verdict::robots_verdict;
use super::{borrowed, guarded, handle_into, input, result_into, text};
use crate::crawler::Crawler;
use crate::crawler::options::OutcomeKind;
use crate::error::Error;
use crate::fetch::{Cause, Outcome};
use crate::limits::MAX_CRAWLERS;
use crate::verdict::Verdict;

/// What came of fetching the robots.txt of a site, for one or several crawlers: rules or a word for the whole
/// site, why, and how long that holds. Immutable and reference-counted; any number of threads may ask at once.
/// Made by `robots_fetch_outcome` and its like, ended by `robots_outcome_free`.
pub struct robots_outcome {
    pub(super) outcome: Outcome,
    record: OnceLock<Vec<u8>>,
}

/// Outcome: there is a robots.txt, its rules decide.
pub const ROBOTS_OUTCOME_RULES: u64 = 0;
/// Outcome: all of the site may be fetched.
pub const ROBOTS_OUTCOME_ALLOW_ALL: u64 = 1;
/// Outcome: nothing of the site may be fetched.
pub const ROBOTS_OUTCOME_DISALLOW_ALL: u64 = 2;
/// Outcome: nothing of the site may be fetched now; keep its URLs and ask again later.
pub const ROBOTS_OUTCOME_DEFER: u64 = 3;

/// Cause: there is a file.
pub const ROBOTS_CAUSE_FOUND: u64 = 1;
/// Cause: the file is as it was.
pub const ROBOTS_CAUSE_NOT_MODIFIED: u64 = 2;
/// Cause: there is no file: 400 to 499, or a server error that is taken for that.
pub const ROBOTS_CAUSE_MISSING: u64 = 3;
/// Cause: 401 or 403.
pub const ROBOTS_CAUSE_FORBIDDEN: u64 = 4;
/// Cause: 429.
pub const ROBOTS_CAUSE_TOO_MANY_REQUESTS: u64 = 5;
/// Cause: 500 to 599.
pub const ROBOTS_CAUSE_SERVER_ERROR: u64 = 6;
/// Cause: a status that is no answer: below 200, above 599, or a 304 that nobody asked for.
pub const ROBOTS_CAUSE_ODD_STATUS: u64 = 7;
/// Cause: more redirects in a row than are followed.
pub const ROBOTS_CAUSE_TOO_MANY_REDIRECTS: u64 = 8;
/// Cause: a redirect to where one had been already.
pub const ROBOTS_CAUSE_REDIRECT_LOOP: u64 = 9;
/// Cause: a redirect without a target, or to one that is no http or https URL.
pub const ROBOTS_CAUSE_BAD_REDIRECT: u64 = 10;
/// Cause: the host has no address.
pub const ROBOTS_CAUSE_DNS: u64 = 11;
/// Cause: no connection.
pub const ROBOTS_CAUSE_CONNECT: u64 = 12;
/// Cause: no secure connection.
pub const ROBOTS_CAUSE_TLS: u64 = 13;
/// Cause: it took too long.
pub const ROBOTS_CAUSE_TIMEOUT: u64 = 14;
/// Cause: the connection broke.
pub const ROBOTS_CAUSE_RESET: u64 = 15;
/// Cause: the file ended before its end, or was invalid on the way.
pub const ROBOTS_CAUSE_TRUNCATED: u64 = 16;
/// Cause: any other failure.
pub const ROBOTS_CAUSE_OTHER_FAILURE: u64 = 17;
/// Cause: unreachable for so long that the site counts as one without a file.
pub const ROBOTS_CAUSE_UNREACHABLE_LONG: u64 = 18;

/// What to get: the kind, one of `ROBOTS_OUTCOME_...`.
pub const ROBOTS_OUTCOME_KIND: u32 = 1;
/// What to get: the cause, one of `ROBOTS_CAUSE_...`.
pub const ROBOTS_OUTCOME_CAUSE: u32 = 2;
/// What to get: the status of the last response; 0 where there was none.
pub const ROBOTS_OUTCOME_HTTP_STATUS: u32 = 3;
/// What to get: how many redirects were followed.
pub const ROBOTS_OUTCOME_HOPS: u32 = 4;
/// What to get: 1 if a redirect led from https to http, where anyone on the way may have changed the file.
pub const ROBOTS_OUTCOME_DOWNGRADED: u32 = 5;
/// What to get: 1 if these are the rules of an earlier fetch, which go on being used.
pub const ROBOTS_OUTCOME_STALE: u32 = 6;
/// What to get: when the rules were fetched or found to be unchanged; of other kinds when the fetch ended.
pub const ROBOTS_OUTCOME_FETCHED_AT: u32 = 7;
/// What to get: the end of its life; of stale rules it may have passed.
pub const ROBOTS_OUTCOME_FRESH_UNTIL: u32 = 8;
/// What to get: until when it decides while nothing newer is there.
pub const ROBOTS_OUTCOME_USABLE_UNTIL: u32 = 9;
/// What to get: when the next try is due, and not before.
pub const ROBOTS_OUTCOME_RETRY_AT: u32 = 10;
/// What to get: since when each try has failed; `UINT64_MAX` after a fetch that was answered.
pub const ROBOTS_OUTCOME_UNREACHABLE_SINCE: u32 = 11;

/// Text to get: the key of the site, such as "https://example.com".
pub const ROBOTS_OUTCOME_ORIGIN: u32 = 32;
/// Text to get: the URL of the last request, behind all redirects; of rules that of the request they came from.
pub const ROBOTS_OUTCOME_FINAL_URL: u32 = 33;
/// Text to get: the `ETag` of the rules; empty if there is none.
pub const ROBOTS_OUTCOME_ETAG: u32 = 34;
/// Text to get: the `Last-Modified` of the rules; empty if there is none.
pub const ROBOTS_OUTCOME_LAST_MODIFIED: u32 = 35;

// The numbers of C are those of the core.
const _: () = assert!(
    ROBOTS_OUTCOME_RULES == OutcomeKind::Rules as u64
        && ROBOTS_OUTCOME_ALLOW_ALL == OutcomeKind::AllowAll as u64
        && ROBOTS_OUTCOME_DISALLOW_ALL == OutcomeKind::DisallowAll as u64
        && ROBOTS_OUTCOME_DEFER == OutcomeKind::Defer as u64
        && ROBOTS_CAUSE_FOUND == Cause::Found as u64
        && ROBOTS_CAUSE_NOT_MODIFIED == Cause::NotModified as u64
        && ROBOTS_CAUSE_MISSING == Cause::Missing as u64
        && ROBOTS_CAUSE_FORBIDDEN == Cause::Forbidden as u64
        && ROBOTS_CAUSE_TOO_MANY_REQUESTS == Cause::TooManyRequests as u64
        && ROBOTS_CAUSE_SERVER_ERROR == Cause::ServerError as u64
        && ROBOTS_CAUSE_ODD_STATUS == Cause::OddStatus as u64
        && ROBOTS_CAUSE_TOO_MANY_REDIRECTS == Cause::TooManyRedirects as u64
        && ROBOTS_CAUSE_REDIRECT_LOOP == Cause::RedirectLoop as u64
        && ROBOTS_CAUSE_BAD_REDIRECT == Cause::BadRedirect as u64
        && ROBOTS_CAUSE_DNS == Cause::Dns as u64
        && ROBOTS_CAUSE_CONNECT == Cause::Connect as u64
        && ROBOTS_CAUSE_TLS == Cause::Tls as u64
        && ROBOTS_CAUSE_TIMEOUT == Cause::Timeout as u64
        && ROBOTS_CAUSE_RESET == Cause::Reset as u64
        && ROBOTS_CAUSE_TRUNCATED == Cause::Truncated as u64
        && ROBOTS_CAUSE_OTHER_FAILURE == Cause::OtherFailure as u64
        && ROBOTS_CAUSE_UNREACHABLE_LONG == Cause::UnreachableLong as u64
);

impl robots_outcome {
    /// One reference for the caller.
    pub(super) fn hand_out(outcome: Outcome) -> *mut robots_outcome {
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

/// Makes the outcome of a response that is known as a whole, for a caller whose HTTP client follows redirects
/// itself. There are no headers, so the lives are the usual.
///
/// Parameters: `crawler`; `url`, `url_len`: any URL of the site that was asked first; `http_status`: any number;
/// `body`, `body_len`: the file, which counts for 200 to 299; `now`: seconds since 1970; `out`: receives the outcome.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_SCHEME`, `ROBOTS_E_URL` as `robots_origin_new`; `ROBOTS_E_ARG` for `crawler` or
/// `out` NULL, or a string NULL with a length; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
/// Owner: the caller, who ends it with `robots_outcome_free`.
/// Threads: any; many may use one crawler at once.
/// Allocates: the outcome, and work space that is freed.
/// Small parts cannot fail, see SECURITY.md.
/// Since: 0.1.0
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
        Ok(robots_outcome::hand_out(outcome))
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// A status as the core has it. One that is larger is as odd as the largest.
pub(super) fn status_code(http_status: u32) -> u16 {
    u16::try_from(http_status).unwrap_or(u16::MAX)
}

/// Reads an outcome from what `robots_outcome_encode` gave, on this or another machine.
///
/// Parameters: `crawlers`, `count`: the crawlers that the fetch was made for, 1 to 16, in their order; `record`,
/// `record_len`; `out`: receives the outcome.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged record; `ROBOTS_E_IMAGE_FORMAT` for one of another version, or
/// of other crawlers: fetch the file again; `ROBOTS_E_ARG` for NULL or another `count`; `ROBOTS_E_MEMORY`. `*out` is
/// NULL after an error.
/// Owner: the caller, who ends it with `robots_outcome_free`. `record` is not needed afterwards.
/// Threads: any; many may use one crawler at once.
/// Allocates: the outcome, and work space that is freed.
/// Small parts cannot fail, see SECURITY.md.
/// Since: 0.1.0
///
/// # Safety
/// `crawlers` is readable for `count` elements, each NULL or a crawler that was not freed; `record` is readable for
/// `record_len` octets; `out` is NULL or writable.
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
        Ok(robots_outcome::hand_out(Outcome::decode(
            record, &crawlers,
        )?))
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Gives the outcome as one block of octets, to be stored or sent; `robots_outcome_decode` reads it.
///
/// Parameters: `outcome`; `out`: receives the record.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL; `ROBOTS_E_MEMORY`. `*out` is empty after an error.
/// Owner: the outcome; valid until `robots_outcome_free` takes its last reference.
/// Threads: any; many may ask one outcome at once.
/// Allocates: the record, when first asked; it is kept with the outcome.
/// Since: 0.1.0
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
        Ok(robots_str::of(outcome.record()?))
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { result_into(out, robots_str::EMPTY, record) }
}

/// Gives one number of an outcome. All times are seconds since 1970-01-01 UTC, by the caller's clock.
///
/// Parameters: `outcome`; `what`: one of `ROBOTS_OUTCOME_...`.
/// Returns: the number. For `outcome` NULL the kind is `ROBOTS_OUTCOME_DEFER` and all else 0; 0 for an unknown `what`.
/// Owner: nothing is handed over.
/// Threads: any; many may ask one outcome at once.
/// Allocates: nothing.
/// Since: 0.1.0
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

/// Gives one text of an outcome.
///
/// Parameters: `outcome`; `what`: one of `ROBOTS_OUTCOME_...`.
/// Returns: the text; empty if there is none, for `outcome` NULL or an unknown `what`.
/// Owner: the outcome; valid until `robots_outcome_free` takes its last reference.
/// Threads: any; many may ask one outcome at once.
/// Allocates: nothing.
/// Since: 0.1.0
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
    .map_or(robots_str::EMPTY, robots_str::of)
}

/// Gives the rules for one of the crawlers. Where the kind is not `ROBOTS_OUTCOME_RULES` they allow all or, also for
/// `ROBOTS_OUTCOME_DEFER`, nothing. They know neither the site nor the time: `robots_outcome_check` does.
///
/// Parameters: `outcome`; `crawler`: the place of the crawler among those the fetch was made for, from 0.
/// Returns: the rules; NULL past the last crawler, or for `outcome` NULL.
/// Owner: the outcome; valid until `robots_outcome_free` takes its last reference, or longer with
/// `robots_rules_retain`.
/// Threads: any; many may ask one outcome at once.
/// Allocates: nothing.
/// Since: 0.1.0
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

/// Decides on one URL of the site at one time.
///
/// Parameters: `outcome`; `crawler`: the place of the crawler among those the fetch was made for, from 0; `url`,
/// `url_len`: an absolute URL of the site, or a path that starts with `/`; `now`: seconds since 1970.
/// Returns: a verdict, see `robots_verdict`: that of the rules; not allowed with `ROBOTS_REASON_DEFER` where the site
/// is deferred or the outcome has passed (`ROBOTS_OUTCOME_USABLE_UNTIL`). Its status is `ROBOTS_E_URL` for what is no URL
/// or is one of another site, `ROBOTS_E_ARG` past the last crawler, for `outcome` NULL or `url` NULL with a length; it
/// is then not allowed.
/// Owner: nothing is handed over.
/// Threads: any; many may ask one outcome at once. Takes no lock.
/// Allocates: nothing for an ordinary URL, see `robots_origin_governs`.
/// Small parts cannot fail, see SECURITY.md.
/// Since: 0.1.0
///
/// # Safety
/// `outcome` is NULL or was not freed; `url` is readable for `url_len` octets.
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

/// Adds a reference, so that one more `robots_outcome_free` is needed.
///
/// Parameters: `outcome`.
/// Returns: `outcome`; NULL for NULL.
/// Owner: the caller owns one reference more.
/// Threads: any; many may retain one outcome at once.
/// Allocates: nothing.
/// Since: 0.1.0
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

/// Gives a reference back; with the last the outcome ends.
///
/// Parameters: `outcome`: NULL does nothing.
/// Returns: nothing.
/// Owner: the reference is handed back; with the last the outcome, and all that was borrowed from it, must not be
/// used again.
/// Threads: any; other threads may use an outcome of which they hold a reference.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `outcome` is NULL or was not freed as often as it was made and retained.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_outcome_free(outcome: *mut robots_outcome) {
    if outcome.is_null() {
        return;
    }
    // There is nobody to tell of a panic here, and nothing left to do about it.
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
