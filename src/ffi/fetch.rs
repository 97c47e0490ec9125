//! `robots_fetch`: one retrieval of a robots.txt.

use core::ffi::CStr;

use super::convert::*;
use super::crawler::{VALUE, in_engine_units, robots_crawler};
use super::outcome::{robots_outcome, status_code};
use crate::base::codes::{Enum, values_of};
use crate::crawler::options::{FETCH_OPTIONS, FetchOption};
use crate::site::fetch::{Failure, Fetch, Step};

/// One retrieval of a robots.txt: a state machine without I/O. `robots_fetch_step` returns the event that the fetch
/// waits for. The caller reports what its HTTP client received.
///
/// Owner: created by `robots_fetch_new` or `robots_ticket_fetch`, freed by `robots_fetch_free`.
/// Threads: one thread at a time.
/// Allocates: the functions that create it, and others as noted. They may abort when out of memory.
pub struct robots_fetch {
    /// State machine; `None` after a panic, which may have left it half changed.
    fetch: Option<Fetch>,
}

/// Options for fetches.
pub(super) const OPTIONS: Enum = Enum {
    name: "robots_fetch_option",
    prefix: "ROBOTS_OPT_",
    about: "Options of a crawler or a fetch. Options named `ON_` take a value of `enum robots_outcome_kind` except its first.",
    module: module_path!(),
    values: &values_of::<{ FETCH_OPTIONS.len() }, 1>([FETCH_OPTIONS]),
};

constants! {
    robots_step("ROBOTS_STEP_"): u32, "What a fetch waits for: `robots_fetch_step`.";
    /// Send a GET for `robots_fetch_url` with the request headers. Follow no redirect. Then call `robots_fetch_report_status`.
    ROBOTS_STEP_GET = Step::Get,
    /// Call `robots_fetch_report_header` for each header, then `robots_fetch_report_headers_end` if all came.
    ROBOTS_STEP_HEADERS = Step::Headers,
    /// Pass the body to `robots_fetch_report_body` as received, in pieces of any size, then call `robots_fetch_report_end`.
    ROBOTS_STEP_BODY = Step::Body,
    /// `robots_fetch_outcome` has the outcome; ignore the rest of the response.
    ROBOTS_STEP_DONE = Step::Done,
}

/// The text for a 17th crawler.
pub(super) const CRAWLERS: &CStr =
    why!("crawler is the 17th: one fetch and one cache serve at most 16 crawlers");

/// The text for an outcome of another site or of other crawlers.
pub(super) const OUTCOME: &CStr = why!(
    "outcome is of another site or of other crawlers: pass one of the same origin, from a fetch for the same crawlers in the same order"
);
const OPTION: &CStr = why!(
    "option is not one of enum robots_fetch_option: a fetch has no others, set them for the crawler"
);
const FAILURE: &CStr = why!("failure is not one of enum robots_failure");

impl From<Fetch> for robots_fetch {
    fn from(fetch: Fetch) -> robots_fetch {
        robots_fetch { fetch: Some(fetch) }
    }
}

/// Applies an event to a caller's fetch.
///
/// # Safety
/// As for [`handle_to_change`].
unsafe fn apply<T, E: From<Error> + Into<Stop>>(
    fetch: *mut robots_fetch,
    event: impl FnOnce(&mut Fetch) -> Result<T, E>,
) -> robots_status {
    status_of(|| {
        // SAFETY: the caller's promise.
        let robots_fetch { fetch: place } = unsafe { changeable!(fetch)? };
        // A panic leaves `None`, so that no call uses a fetch that is half changed.
        let mut taken = place.take().ok_or(Error::Panic)?;
        let result = event(&mut taken);
        *place = Some(taken);
        result.map(|_| ())
    })
}

/// Returns a caller's fetch, unless a panic ended it.
///
/// # Safety
/// As for [`handle_at`].
unsafe fn fetch_of<'a>(fetch: *const robots_fetch) -> Result<&'a Fetch, Error> {
    // SAFETY: the caller's promise.
    let fetch = unsafe { borrowed!(fetch)? };
    fetch.fetch.as_ref().ok_or(Error::Panic)
}

/// Starts the retrieval of the robots.txt that governs a URL.
///
/// Parameters: `crawler`: its options are the fetch policy. `url`, `url_len`: any URL of the site.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_SCHEME` and `ROBOTS_E_URL` as from `robots_origin_key`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_new(
    crawler: *const robots_crawler,
    url: *const c_char,
    url_len: usize,
    now_ms: u64,
    out: *mut *mut robots_fetch,
) -> robots_status {
    exported!(handle_into(out, || at_time(now_ms, |now| {
        let crawlers = core::slice::from_ref(&borrowed!(crawler)?.0);
        Fetch::new(crawlers, bytes!(url, url_len)?, now).map(robots_fetch::from)
    })))
}

/// Adds a crawler, so that one fetch serves several crawlers (SPEC 3.7). The crawler gets the next index in the outcome.
/// The largest of the size limits applies. Call the function before `robots_fetch_set_previous` and the first event.
///
/// Parameters: `crawler`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`, also for a 17th crawler; `ROBOTS_E_STATE` for a later call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_add_crawler(
    fetch: *mut robots_fetch,
    crawler: *const robots_crawler,
) -> robots_status {
    exported!(apply(fetch, |fetch| {
        fetch.add_crawler(&borrowed!(crawler)?.0).blame(CRAWLERS)
    }))
}

/// Sets an option for this fetch alone (SPEC 2.14).
///
/// Parameters: `option`: one of `enum robots_fetch_option`. `value`: see the option.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for another option or a value out of range; `ROBOTS_E_STATE` if the fetch is done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_set(
    fetch: *mut robots_fetch,
    option: u32,
    value: u64,
) -> robots_status {
    exported!(apply(fetch, |fetch| {
        let option = FetchOption::from_code(option).ok_or_else(|| refuse(OPTION))?;
        in_engine_units(option as u32, value)
            .and_then(|value| fetch.set(option, value))
            .blame(VALUE)
    }))
}

/// Sets the previous outcome of the same site and crawlers, of any age. The fetch then sends a conditional request (SPEC
/// 3.5). It keeps the old rules while the site is unreachable (SPEC 2.11), and knows when the outage began (SPEC 2.12).
/// Call the function before the first event. An outcome with times after the start of the fetch has no effect (SPEC 2.18).
///
/// Parameters: `outcome`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`, also for another site or other crawlers; `ROBOTS_E_STATE` after an event.
/// Owner: `outcome` stays the caller's; the fetch adds a reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_set_previous(
    fetch: *mut robots_fetch,
    outcome: *const robots_outcome,
) -> robots_status {
    exported!(apply(fetch, |fetch| {
        fetch
            .set_previous(&borrowed!(outcome)?.outcome)
            .blame(OUTCOME)
    }))
}

/// Returns the step of the fetch: the event that it waits for.
///
/// Returns: one of `enum robots_step`; `ROBOTS_STEP_DONE` for NULL, so that a loop ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_step(fetch: *const robots_fetch) -> u32 {
    exported!(value_or(ROBOTS_STEP_DONE, || Ok(
        fetch_of(fetch)?.step() as u32
    )))
}

/// Returns the URL to request: ASCII, http, https or ftp, without user name and fragment. A redirect changes the URL.
///
/// Returns: the URL; empty for NULL.
/// Owner: the fetch; valid until the next `robots_fetch_report_headers_end` or `robots_fetch_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_url(fetch: *const robots_fetch) -> robots_str {
    exported!(value_or(robots_str::EMPTY, || {
        Ok(robots_str::new(fetch_of(fetch)?.url()))
    }))
}

/// One header to send with the request.
#[repr(C)]
pub struct robots_header {
    /// `sizeof(robots_header)`.
    pub size: usize,
    /// Name: `If-None-Match` or `If-Modified-Since`.
    pub name: robots_str,
    /// Value, without line end and control characters.
    pub value: robots_str,
}

/// Returns one of the headers to send with the request, in addition to the headers of the client.
///
/// Parameters: `index`: from 0. `out`: receives the header.
/// Returns: `ROBOTS_OK`; `ROBOTS_END` after the last of 0 to 2 headers.
/// Owner: the strings belong to the fetch; valid until the next event.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_request_header(
    fetch: *const robots_fetch,
    index: usize,
    out: *mut robots_header,
) -> robots_status {
    exported!(struct_into(out, || {
        let fetch = fetch_of(fetch)?;
        let (name, value) = fetch.request_headers().nth(index).ok_or(Stop(ROBOTS_END))?;
        Ok(robots_header {
            size: 0,
            name: robots_str::new(name),
            value: robots_str::new(value),
        })
    }))
}

/// Reports the status of the response. Event of step `ROBOTS_STEP_GET`; `ROBOTS_STEP_HEADERS` follows.
///
/// Parameters: `http_status`: any number. `now_ms`: the last reported time becomes the time of the outcome.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_report_status(
    fetch: *mut robots_fetch,
    http_status: u32,
    now_ms: u64,
) -> robots_status {
    exported!(apply(fetch, |fetch| at_time(now_ms, |now| {
        fetch.status(status_code(http_status), now)
    })))
}

/// Reports the final reply of an FTP server instead of a status (SPEC 2.19): 200 to 299 means a file, 550 counts as
/// status 404, 530 as 401, and any other reply as an outage. Event of step `ROBOTS_STEP_GET` for an ftp URL.
/// `ROBOTS_STEP_BODY` follows if there is a file, otherwise `ROBOTS_STEP_DONE`.
///
/// Parameters: `reply`: any number, such as 226 or 550.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step or for a URL that is not ftp.
/// Allocates: the outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_report_ftp_reply(
    fetch: *mut robots_fetch,
    reply: u32,
    now_ms: u64,
) -> robots_status {
    exported!(apply(fetch, |fetch| at_time(now_ms, |now| {
        fetch.ftp_reply(status_code(reply), now)
    })))
}

/// Reports one header of the response. Report all headers in their order. The fetch keeps the headers that it needs,
/// ignores the case of their names and limits their size. Event of step `ROBOTS_STEP_HEADERS`.
///
/// Parameters: `name`, `name_len`, `value`, `value_len`: any bytes.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step.
/// Allocates: at most 8 KiB for a header that the fetch needs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_report_header(
    fetch: *mut robots_fetch,
    name: *const c_char,
    name_len: usize,
    value: *const c_char,
    value_len: usize,
) -> robots_status {
    exported!(apply(fetch, |fetch| {
        fetch.header(bytes!(name, name_len)?, bytes!(value, value_len)?)
    }))
}

/// Reports the empty line after the headers. Call the function only if the client received that line: libcurl returns
/// `CURLE_OK` even for a response that is cut before the empty line, and an empty file would allow everything. Event of
/// step `ROBOTS_STEP_HEADERS`. `ROBOTS_STEP_BODY` follows if there is a file, `ROBOTS_STEP_GET` after a redirect, otherwise
/// `ROBOTS_STEP_DONE`.
///
/// Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step.
/// Allocates: the outcome, or the next URL; may abort when out of memory for a URL of at most 64 KiB.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_report_headers_end(
    fetch: *mut robots_fetch,
) -> robots_status {
    exported!(apply(fetch, Fetch::headers_end))
}

/// Reports a piece of the body without its transfer coding. Send `Accept-Encoding: identity` and do not decode the
/// content coding: a decoder may accept a truncated body (SPEC 2.17). The fetch decodes gzip. After the size limit
/// (SPEC 4.5) `ROBOTS_STEP_DONE` follows, so check the step before the next piece. Event of step `ROBOTS_STEP_BODY`.
///
/// Parameters: `piece`, `piece_len`: any bytes, including none.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` at another step.
/// Allocates: a copy of the piece, and the outcome. The total is at most the size limit, for gzip three times as much.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_report_body(
    fetch: *mut robots_fetch,
    piece: *const c_char,
    piece_len: usize,
) -> robots_status {
    exported!(apply(fetch, |fetch| fetch.body(bytes!(piece, piece_len)?)))
}

/// Reports the end of a transfer, complete or failed. Call the function once after each transfer. Event of every step.
/// After a redirect `ROBOTS_STEP_GET` follows, for the next transfer; otherwise `ROBOTS_STEP_DONE`.
///
/// Parameters: `failure`: one of `enum robots_failure`. It has no effect after a redirect or an outcome.
/// `ROBOTS_FAILURE_NONE` before the end of the headers counts as `ROBOTS_FAILURE_OTHER`. `now_ms`: the time. With
/// `ROBOTS_FAILURE_NONE` it may be 0, which means the last reported time.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` for a second end, or if there is no transfer to end.
/// Allocates: the outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_report_end(
    fetch: *mut robots_fetch,
    failure: u32,
    now_ms: u64,
) -> robots_status {
    exported!(apply(fetch, |fetch| {
        let failure = match failure {
            0 => None,
            code => Some(Failure::from_code(code).ok_or_else(|| refuse(FAILURE))?),
        };
        match (failure, now_ms) {
            (None, 0) => Ok(fetch.transfer_ended(None, 0)?),
            _ => at_time(now_ms, |now| fetch.transfer_ended(failure, now)),
        }
    }))
}

/// Returns the outcome of a fetch that is done. The outcome stays valid without the fetch.
///
/// Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` if the fetch is not done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_outcome(
    fetch: *const robots_fetch,
    out: *mut *mut robots_outcome,
) -> robots_status {
    exported!(handle_into(out, || {
        let outcome = fetch_of(fetch)?.outcome().ok_or(Error::InvalidState)?;
        Ok::<_, Error>(outcome.clone().into())
    }))
}

/// Frees a fetch, at any step, and everything borrowed from it. Its outcome stays valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_fetch_free(fetch: *mut robots_fetch) {
    exported!(free(fetch))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crawler::Crawler;
    use crate::ffi::status::ROBOTS_E_PANIC;

    /// After a panic in an event, no call uses the fetch that is half changed. (`make test-panics` tests a panic before
    /// an event.)
    #[test]
    fn a_panic_in_an_event_ends_the_fetch() -> Result<(), Error> {
        let crawlers = [Crawler::new("ExampleBot")?];
        let fetch = Fetch::new(&crawlers, b"https://example.com/", 0)?;
        let fetch = into_handle(robots_fetch::from(fetch))?;
        let mut outcome = core::ptr::null_mut();
        let event =
            |_: &mut Fetch| -> Result<(), Error> { std::panic::resume_unwind(Box::new(())) };
        // SAFETY: the fetch came from `into_handle` and is freed by the last call.
        unsafe {
            assert_eq!(robots_fetch_step(fetch), ROBOTS_STEP_GET);
            assert_eq!(apply(fetch, event), ROBOTS_E_PANIC);
            assert_eq!(robots_fetch_step(fetch), ROBOTS_STEP_DONE);
            assert_eq!(robots_fetch_url(fetch).len, 0);
            assert_eq!(
                robots_fetch_report_status(fetch, 200, 1_800_000_000_000),
                ROBOTS_E_PANIC
            );
            assert_eq!(robots_fetch_outcome(fetch, &mut outcome), ROBOTS_E_PANIC);
            assert!(outcome.is_null());
            robots_fetch_free(fetch);
        }
        Ok(())
    }
}
