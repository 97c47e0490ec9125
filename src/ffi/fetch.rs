//! `robots_fetch`: one retrieval of a robots.txt.

use core::ffi::c_char;

use super::crawler::{crawler_of, robots_crawler};
use super::outcome::{outcome_of, robots_outcome, status_code};
use super::rules::robots_str;
use super::status::robots_status;
use super::{borrowed, guarded, handle_into, status_of, text};
use crate::crawler::options::FetchOption;
use crate::error::Error;
use crate::fetch::{Failure, Fetch, Step};

/// One retrieval of a robots.txt, without I/O: it says what it waits for (`robots_fetch_step`) and is told what the
/// caller's HTTP client sees. It belongs to one thread at a time. Made by `robots_fetch_new`, ended by
/// `robots_fetch_free`.
pub struct robots_fetch {
    /// Nothing after a panic, which may have left it half changed.
    fetch: Option<Fetch>,
}

/// Step: send a GET for `robots_fetch_url` with the request headers, without following redirects, then tell
/// `robots_fetch_status`.
pub const ROBOTS_STEP_GET: u32 = 0;
/// Step: tell each `robots_fetch_header`, then `robots_fetch_headers_end`.
pub const ROBOTS_STEP_HEADERS: u32 = 1;
/// Step: tell the decoded body by `robots_fetch_body`, in pieces of any size, then `robots_fetch_end`.
pub const ROBOTS_STEP_BODY: u32 = 2;
/// Step: there is an outcome; what is left of the response is of no use.
pub const ROBOTS_STEP_DONE: u32 = 3;

/// Failure: the host has no address.
pub const ROBOTS_FAILURE_DNS: u32 = 1;
/// Failure: no connection.
pub const ROBOTS_FAILURE_CONNECT: u32 = 2;
/// Failure: no secure connection.
pub const ROBOTS_FAILURE_TLS: u32 = 3;
/// Failure: it took too long.
pub const ROBOTS_FAILURE_TIMEOUT: u32 = 4;
/// Failure: the connection broke.
pub const ROBOTS_FAILURE_RESET: u32 = 5;
/// Failure: the body ended early or was invalid: chunks, length, compression.
pub const ROBOTS_FAILURE_TRUNCATED: u32 = 6;
/// Failure: anything else.
pub const ROBOTS_FAILURE_OTHER: u32 = 7;

// The numbers of C are those of the core.
const _: () = assert!(
    ROBOTS_STEP_GET == Step::Get as u32
        && ROBOTS_STEP_HEADERS == Step::Headers as u32
        && ROBOTS_STEP_BODY == Step::Body as u32
        && ROBOTS_STEP_DONE == Step::Done as u32
        && ROBOTS_FAILURE_DNS == Failure::Dns as u32
        && ROBOTS_FAILURE_CONNECT == Failure::Connect as u32
        && ROBOTS_FAILURE_TLS == Failure::Tls as u32
        && ROBOTS_FAILURE_TIMEOUT == Failure::Timeout as u32
        && ROBOTS_FAILURE_RESET == Failure::Reset as u32
        && ROBOTS_FAILURE_TRUNCATED == Failure::Truncated as u32
        && ROBOTS_FAILURE_OTHER == Failure::Other as u32
);

/// Hands a fetch of the core over to the caller.
pub(super) fn hand_out(fetch: Fetch) -> Result<*mut robots_fetch, Error> {
    super::hand_out(robots_fetch { fetch: Some(fetch) })
}

/// Tells a caller's fetch something.
///
/// # Safety
/// `fetch` is null or a fetch of ours, used by nobody else meanwhile.
unsafe fn tell<T>(
    fetch: *mut robots_fetch,
    event: impl FnOnce(&mut Fetch) -> Result<T, Error>,
) -> robots_status {
    status_of(|| {
        // SAFETY: the caller's promise: null, or ours and not shared.
        let place = &mut unsafe { fetch.as_mut() }.ok_or(Error::Argument)?.fetch;
        // Out of its place, so that what a panic leaves half changed is never seen again.
        let mut taken = place.take().ok_or(Error::Panic)?;
        let result = event(&mut taken);
        *place = Some(taken);
        result.map(|_| ())
    })
}

/// Asks a caller's fetch something.
///
/// # Safety
/// As for [`borrowed`].
unsafe fn ask<'a, T>(
    fetch: *const robots_fetch,
    question: impl FnOnce(&'a Fetch) -> Option<T>,
) -> Option<T> {
    guarded(|| {
        // SAFETY: passed on.
        let fetch = unsafe { borrowed(fetch) }?;
        question(fetch.fetch.as_ref().ok_or(Error::Panic)?).ok_or(Error::Argument)
    })
    .ok()
}

/// Begins the retrieval of the robots.txt that governs a URL.
///
/// Parameters: `crawler`: who asks; what is done about failures, and the lives, are as it is set up; `url`, `url_len`:
/// any URL of the site; `now`: seconds since 1970-01-01 UTC, by the caller's clock, as everywhere; `out`: receives
/// the fetch.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_SCHEME`, `ROBOTS_E_URL` as `robots_origin_new`; `ROBOTS_E_ARG` for `crawler` or
/// `out` NULL, or `url` NULL with a length; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
/// Owner: the caller, who ends it with `robots_fetch_free`. `crawler` and `url` are not needed afterwards.
/// Threads: any; many may use one crawler at once.
/// Allocates: the fetch.
/// Small parts cannot fail, see SECURITY.md.
/// Since: 0.1.0
///
/// # Safety
/// `crawler` is NULL or was not freed; `url` is readable for `url_len` octets; `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_new(
    crawler: *const robots_crawler,
    url: *const c_char,
    url_len: usize,
    now: u64,
    out: *mut *mut robots_fetch,
) -> robots_status {
    let made = || {
        // SAFETY: the caller's promises, passed on.
        let (crawler, url) = unsafe { (crawler_of(crawler)?, text(url, url_len)?) };
        hand_out(Fetch::new(core::slice::from_ref(crawler), url, now)?)
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Lets the fetch serve one more crawler (SPEC 3.7), whose place in the outcome is behind those before. The largest
/// size limit counts. To be called before `robots_fetch_set_previous` and the first event.
///
/// Parameters: `fetch`; `crawler`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL or past 16 crawlers; `ROBOTS_E_STATE` when it is too late;
/// `ROBOTS_E_MEMORY`. After an error the fetch is as it was.
/// Owner: `crawler` is not needed afterwards.
/// Threads: one; no other may use the fetch meanwhile.
/// Allocates: room for the crawler.
/// Since: 0.1.0
///
/// # Safety
/// `fetch` and `crawler` are NULL or were not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_add_crawler(
    fetch: *mut robots_fetch,
    crawler: *const robots_crawler,
) -> robots_status {
    // SAFETY: the caller's promises, passed on.
    unsafe { tell(fetch, |fetch| fetch.add_crawler(crawler_of(crawler)?)) }
}

/// Sets an option for this fetch alone (SPEC 2.14).
///
/// Parameters: `fetch`; `option`: `ROBOTS_OPT_MAX_REDIRECTS` to `ROBOTS_OPT_MISSING_TTL`; `value`: as the comment of
/// the option says.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, another option or a value out of its range; `ROBOTS_E_STATE` when it
/// is done. After an error the fetch is as it was.
/// Owner: nothing is handed over.
/// Threads: one; no other may use the fetch meanwhile.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `fetch` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_set(
    fetch: *mut robots_fetch,
    option: u32,
    value: u64,
) -> robots_status {
    // SAFETY: the caller's promise, passed on.
    unsafe {
        tell(fetch, |fetch| {
            fetch.set(
                FetchOption::from_code(option).ok_or(Error::Argument)?,
                value,
            )
        })
    }
}

/// Hands over the earlier outcome of the same site and crawlers, be it as old as it may: the file is asked for on
/// condition that it changed (SPEC 3.5), its rules go on being used while it cannot be reached (SPEC 2.11), and it is
/// known since when that is so (SPEC 2.12). To be called before the first event.
///
/// Parameters: `fetch`; `outcome`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, or an outcome of another site or of other crawlers; `ROBOTS_E_STATE`
/// after an event. After an error the fetch is as it was.
/// Owner: the fetch keeps what it needs; the caller's reference stays the caller's.
/// Threads: one; no other may use the fetch meanwhile.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `fetch` and `outcome` are NULL or were not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_set_previous(
    fetch: *mut robots_fetch,
    outcome: *const robots_outcome,
) -> robots_status {
    // SAFETY: the caller's promises, passed on.
    unsafe { tell(fetch, |fetch| fetch.set_previous(outcome_of(outcome)?)) }
}

/// Tells what the fetch waits for.
///
/// Parameters: `fetch`.
/// Returns: one of `ROBOTS_STEP_...`; `ROBOTS_STEP_DONE` for `fetch` NULL, so that no loop goes on.
/// Owner: nothing is handed over.
/// Threads: any, but none while another changes the fetch.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `fetch` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_step(fetch: *const robots_fetch) -> u32 {
    // SAFETY: the caller's promise, passed on.
    unsafe { ask(fetch, |fetch| Some(fetch.step() as u32)) }.unwrap_or(ROBOTS_STEP_DONE)
}

/// Gives the URL to get: ASCII, http, https or ftp, without user name and fragment. A redirect changes it.
///
/// Parameters: `fetch`.
/// Returns: the URL; empty for `fetch` NULL.
/// Owner: the fetch; valid until the next `robots_fetch_headers_end` or `robots_fetch_free`.
/// Threads: any, but none while another changes the fetch.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `fetch` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_url(fetch: *const robots_fetch) -> robots_str {
    // SAFETY: the caller's promise, passed on.
    unsafe { ask(fetch, |fetch| Some(fetch.url().as_bytes())) }
        .map_or(robots_str::EMPTY, robots_str::of)
}

/// Counts the headers to send with the request, beside the client's own.
///
/// Parameters: `fetch`.
/// Returns: how many there are: 0 to 2; 0 for `fetch` NULL.
/// Owner: nothing is handed over.
/// Threads: any, but none while another changes the fetch.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `fetch` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_request_header_count(fetch: *const robots_fetch) -> usize {
    // SAFETY: the caller's promise, passed on.
    unsafe { ask(fetch, |fetch| Some(fetch.request_headers().count())) }.unwrap_or_default()
}

/// Gives the name of a header to send: `If-None-Match` or `If-Modified-Since`.
///
/// Parameters: `fetch`; `index`: 0 to `robots_fetch_request_header_count(fetch)` - 1.
/// Returns: the name; empty past the last, or for `fetch` NULL.
/// Owner: the library; valid for ever.
/// Threads: any, but none while another changes the fetch.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `fetch` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_request_header_name(
    fetch: *const robots_fetch,
    index: usize,
) -> robots_str {
    // SAFETY: the caller's promise, passed on.
    unsafe { ask(fetch, |fetch| fetch.request_headers().nth(index)) }
        .map_or(robots_str::EMPTY, |(name, _)| {
            robots_str::of(name.as_bytes())
        })
}

/// Gives the value of a header to send. It holds no line end and no control character.
///
/// Parameters: `fetch`; `index`: 0 to `robots_fetch_request_header_count(fetch)` - 1.
/// Returns: the value; empty past the last, or for `fetch` NULL.
/// Owner: the fetch; valid until the next event or `robots_fetch_free`.
/// Threads: any, but none while another changes the fetch.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `fetch` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_request_header_value(
    fetch: *const robots_fetch,
    index: usize,
) -> robots_str {
    // SAFETY: the caller's promise, passed on.
    unsafe { ask(fetch, |fetch| fetch.request_headers().nth(index)) }
        .map_or(robots_str::EMPTY, |(_, value)| robots_str::of(value))
}

/// Tells the status of the response. For step `ROBOTS_STEP_GET`; `ROBOTS_STEP_HEADERS` follows.
///
/// Parameters: `fetch`; `http_status`: any number; `now`: seconds since 1970; a time earlier than told before counts
/// as that.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step; `ROBOTS_E_ARG` for NULL. After an error the fetch is as it
/// was.
/// Owner: nothing is handed over.
/// Threads: one; no other may use the fetch meanwhile.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `fetch` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_status(
    fetch: *mut robots_fetch,
    http_status: u32,
    now: u64,
) -> robots_status {
    // SAFETY: the caller's promise, passed on.
    unsafe { tell(fetch, |fetch| fetch.status(status_code(http_status), now)) }
}

/// Tells one header of the response. Tell all, in their order: it takes those it wants, whatever their case, and
/// bounds what it keeps. For step `ROBOTS_STEP_HEADERS`.
///
/// Parameters: `fetch`; `name`, `name_len`, `value`, `value_len`: any octets.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step; `ROBOTS_E_ARG` for NULL; `ROBOTS_E_MEMORY`. After an error
/// the fetch is as it was.
/// Owner: the strings are copied.
/// Threads: one; no other may use the fetch meanwhile.
/// Allocates: room for at most 8 KiB of a header it wants.
/// Since: 0.1.0
///
/// # Safety
/// `fetch` is NULL or was not freed; the strings are readable for their lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_header(
    fetch: *mut robots_fetch,
    name: *const c_char,
    name_len: usize,
    value: *const c_char,
    value_len: usize,
) -> robots_status {
    // SAFETY: the caller's promises, passed on.
    unsafe {
        tell(fetch, |fetch| {
            fetch.header(text(name, name_len)?, text(value, value_len)?)
        })
    }
}

/// Tells that there are no more headers. For step `ROBOTS_STEP_HEADERS`; `ROBOTS_STEP_BODY` follows if there is a file,
/// `ROBOTS_STEP_GET` after a redirect, else `ROBOTS_STEP_DONE`.
///
/// Parameters: `fetch`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step; `ROBOTS_E_ARG` for NULL. After an error the fetch is as it
/// was.
/// Owner: nothing is handed over.
/// Threads: one; no other may use the fetch meanwhile.
/// Allocates: the outcome, or the next URL.
/// Small parts cannot fail, see SECURITY.md.
/// Since: 0.1.0
///
/// # Safety
/// `fetch` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_headers_end(fetch: *mut robots_fetch) -> robots_status {
    // SAFETY: the caller's promise, passed on.
    unsafe { tell(fetch, Fetch::headers_end) }
}

/// Tells a piece of the body, decoded from any transfer or content encoding. When it has enough, which is the size
/// limit (SPEC 4.5), `ROBOTS_STEP_DONE` follows: ask for the step before the next piece. For step `ROBOTS_STEP_BODY`.
///
/// Parameters: `fetch`; `piece`, `piece_len`: any octets, also none.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step; `ROBOTS_E_ARG` for NULL; `ROBOTS_E_MEMORY`. After an error
/// the fetch is as it was.
/// Owner: the piece is copied.
/// Threads: one; no other may use the fetch meanwhile.
/// Allocates: room for the piece, up to the size limit in all; the outcome.
/// Small parts cannot fail, see SECURITY.md.
/// Since: 0.1.0
///
/// # Safety
/// `fetch` is NULL or was not freed; `piece` is readable for `piece_len` octets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_body(
    fetch: *mut robots_fetch,
    piece: *const c_char,
    piece_len: usize,
) -> robots_status {
    // SAFETY: the caller's promises, passed on.
    unsafe { tell(fetch, |fetch| fetch.body(text(piece, piece_len)?)) }
}

/// Tells that the body has ended, as it should; tell `robots_fetch_fail` where it has not. For step
/// `ROBOTS_STEP_BODY`; `ROBOTS_STEP_DONE` follows.
///
/// Parameters: `fetch`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step; `ROBOTS_E_ARG` for NULL; `ROBOTS_E_MEMORY`. After an error
/// the fetch is as it was.
/// Owner: nothing is handed over.
/// Threads: one; no other may use the fetch meanwhile.
/// Allocates: the outcome.
/// Small parts cannot fail, see SECURITY.md.
/// Since: 0.1.0
///
/// # Safety
/// `fetch` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_end(fetch: *mut robots_fetch) -> robots_status {
    // SAFETY: the caller's promise, passed on.
    unsafe { tell(fetch, Fetch::end) }
}

/// Tells that there is no response, or no more of it. For any step but the last; `ROBOTS_STEP_DONE` follows.
///
/// Parameters: `fetch`; `failure`: one of `ROBOTS_FAILURE_...`; `now`: as for `robots_fetch_status`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` when it is done; `ROBOTS_E_ARG` for NULL or another number. After an error
/// the fetch is as it was.
/// Owner: nothing is handed over.
/// Threads: one; no other may use the fetch meanwhile.
/// Allocates: the outcome.
/// Small parts cannot fail, see SECURITY.md.
/// Since: 0.1.0
///
/// # Safety
/// `fetch` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_fail(
    fetch: *mut robots_fetch,
    failure: u32,
    now: u64,
) -> robots_status {
    // SAFETY: the caller's promise, passed on.
    unsafe {
        tell(fetch, |fetch| {
            fetch.fail(Failure::from_code(failure).ok_or(Error::Argument)?, now)
        })
    }
}

/// Gives what came of the fetch.
///
/// Parameters: `fetch`; `out`: receives the outcome.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` until it is done; `ROBOTS_E_ARG` for NULL; `ROBOTS_E_MEMORY`. `*out` is NULL
/// after an error.
/// Owner: the caller, who ends it with `robots_outcome_free`; it lives on without the fetch.
/// Threads: any, but none while another changes the fetch.
/// Allocates: a handle; what it holds is shared.
/// Small parts cannot fail, see SECURITY.md.
/// Since: 0.1.0
///
/// # Safety
/// `fetch` is NULL or was not freed; `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_outcome(
    fetch: *const robots_fetch,
    out: *mut *mut robots_outcome,
) -> robots_status {
    let made = || {
        // SAFETY: the caller's promise, passed on.
        let fetch = unsafe { borrowed(fetch)? };
        let fetch = fetch.fetch.as_ref().ok_or(Error::Panic)?;
        let outcome = fetch.outcome().ok_or(Error::InvalidState)?;
        Ok(robots_outcome::hand_out(outcome.clone()))
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Ends a fetch, at whatever step. Its outcome lives on.
///
/// Parameters: `fetch`: NULL does nothing.
/// Returns: nothing.
/// Owner: `fetch` is handed back; it, and what was borrowed from it, must not be used again.
/// Threads: any; no other may use the fetch meanwhile.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `fetch` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_free(fetch: *mut robots_fetch) {
    // SAFETY: the caller's promise, passed on.
    unsafe { super::free(fetch) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crawler::Crawler;
    use crate::ffi::status::ROBOTS_E_PANIC;

    /// A panic in an event: what it left half changed is not seen again. (That one before it does no harm is shown by
    /// `make test-panics`.)
    #[test]
    fn a_panic_in_an_event_ends_the_fetch() -> Result<(), Error> {
        let crawlers = [Crawler::new("ExampleBot")?];
        let fetch = hand_out(Fetch::new(&crawlers, b"https://example.com/", 0)?)?;
        let mut outcome = core::ptr::null_mut();
        let event =
            |_: &mut Fetch| -> Result<(), Error> { std::panic::resume_unwind(Box::new(())) };
        // SAFETY: the fetch is ours, and lives until the last call.
        unsafe {
            assert_eq!(robots_fetch_step(fetch), ROBOTS_STEP_GET);
            assert_eq!(tell(fetch, event), ROBOTS_E_PANIC);
            assert_eq!(robots_fetch_step(fetch), ROBOTS_STEP_DONE);
            assert_eq!(robots_fetch_url(fetch).len, 0);
            assert_eq!(robots_fetch_status(fetch, 200, 0), ROBOTS_E_PANIC);
            assert_eq!(robots_fetch_outcome(fetch, &mut outcome), ROBOTS_E_PANIC);
            assert!(outcome.is_null());
            robots_fetch_free(fetch);
        }
        Ok(())
    }
}
