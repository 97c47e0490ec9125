//! `robots_cache`: the outcomes of many sites.

use core::ffi::{CStr, c_void};

use super::convert::*;
use super::crawler::{VALUE, robots_crawler};
use super::fetch::CRAWLERS;
use super::outcome::{INDEX, robots_outcome, status_code};
use super::ticket::robots_ticket;

use crate::base::limits::ERROR_WAIT;
use crate::base::verdict::Reason;
use crate::site::cache::{Cache, CacheDecision};

/// The outcomes of many sites in a limited amount of memory, for one or more crawlers (SPEC 3.7).
///
/// Owner: created by `robots_cache_new`, freed by `robots_cache_free`.
/// Threads: one thread sets it up; then any number of threads may use it at the same time. In a forked child the
/// functions of the cache return `ROBOTS_E_STATE`; create a cache in the child.
/// Allocates: the functions that create it, and others as noted. They may abort when out of memory.
pub struct robots_cache(pub(super) Cache);

constants! {
    robots_cache_action("ROBOTS_CACHE_"): u32, "What the crawler does next: `robots_cache_check`.";
    /// Obey the verdict, which is final for this URL. If there is also a ticket, fetch the robots.txt again:
    /// the old outcome decides for at most 24 hours after its own fetch (SPEC 3.8; koster1996: 7 days).
    ROBOTS_CACHE_DECIDED = 0,
    /// The cache has no outcome. Use the ticket: fetch the robots.txt, submit the outcome, check the URL again.
    ROBOTS_CACHE_FETCH = 1,
    /// Another thread fetches the robots.txt now. Wait for it, then check the URL again.
    ROBOTS_CACHE_WAIT = 2,
    /// Keep the URL. Fetch nothing of the site, not even its robots.txt, before `until_ms` (SPEC 2.7 to 2.10, or no room).
    ROBOTS_CACHE_DEFER = 3,
}

constants! {
    robots_cache_option("ROBOTS_CACHE_OPT_"): u32, "Options of a cache: `robots_cache_set`.";
    /// Validity of a ticket in whole seconds, 1000 to 86400000 milliseconds; default: 120000. It must be longer than the
    /// longest retrieval.
    ROBOTS_CACHE_OPT_TICKET_TTL_MS = 1,
    /// Delay for a site whose file states no crawl-delay, 0 to 86400000 milliseconds; default: 0.
    ROBOTS_CACHE_OPT_DEFAULT_DELAY_MS = 2,
    /// Upper bound on an obeyed crawl-delay, 0 to 86400000 milliseconds; default: 60000. A larger
    /// `ROBOTS_CACHE_OPT_DEFAULT_DELAY_MS` raises the bound. If both are 0, no crawl-delay is obeyed.
    ROBOTS_CACHE_OPT_MAX_DELAY_MS = 3,
    /// How far ahead `robots_cache_request` reserves a slot, 0 to 86400000 milliseconds; default: 60000.
    ROBOTS_CACHE_OPT_HORIZON_MS = 4,
}

const MAX_BYTES: &CStr =
    why!("max_bytes is less than 65536, the smallest limit of a cache: pass the limit in bytes");
const OPTION: &CStr = why!("option is unknown: pass one of enum robots_cache_option");
const RECEIVE: &CStr = why!("receive is NULL: pass the function that receives the records");
const RECORD: &CStr =
    why!("record has a time after the year 9999: fetch the robots.txt of its site again");

/// The slot of a request: the time to send it. It is a struct, so no plain time can be passed as a slot.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct robots_slot {
    /// Time to send the request, not before `now_ms`; 0 without a slot.
    pub at_ms: u64,
}

/// What the crawler does next with a URL.
#[repr(C)]
pub struct robots_cache_answer {
    /// `sizeof(robots_cache_answer)`.
    pub size: usize,
    /// Verdict, which allows the URL only with `ROBOTS_CACHE_DECIDED`.
    pub verdict: robots_verdict,
    /// One of `enum robots_cache_action`.
    pub action: u32,
    /// 1 if there is a slot and the file states a longer crawl-delay than `crawl_delay_ms`; otherwise 0.
    pub crawl_delay_cut: u32,
    /// `_DEFER`: time of the next check; `_WAIT`: expiry of the other thread's ticket (both after `now_ms`); else 0.
    pub until_ms: u64,
    /// Ticket, which the caller frees, or NULL. `_FETCH` always has a ticket, and `_DECIDED` may have a ticket, too.
    pub ticket: *mut robots_ticket,
    /// Slot from `robots_cache_request`, even if the slot is too late to be reserved.
    pub slot: robots_slot,
    /// Time from this request to the next request to the site; 0 without a slot.
    pub crawl_delay_ms: u64,
}

/// Creates a cache for a crawler.
///
/// Parameters: `crawler`: copied. `max_bytes`: the limit, at least 65536, including the overhead of map and allocator. A
/// site takes about 115 bytes; rules take 32 bytes more than their image. Sites share equal images. `out`: the cache.
/// Returns: `ROBOTS_OK`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_new(
    crawler: *const robots_crawler,
    max_bytes: usize,
    out: *mut *mut robots_cache,
) -> robots_status {
    exported!(handle_into(out, || {
        let crawlers = core::slice::from_ref(&borrowed!(crawler)?.0);
        Cache::new(crawlers, max_bytes)
            .blame(MAX_BYTES)
            .map(robots_cache)
    }))
}

/// Adds a crawler, so that one fetch serves several crawlers (SPEC 3.7). The crawler of `robots_cache_new` has index 0
/// and sets the fetch policy; the next has index 1, and so on.
///
/// Parameters: `crawler`: copied.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`, also for a 17th crawler; `ROBOTS_E_STATE` if the cache has content or tickets.
/// After an error the cache is unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_add_crawler(
    cache: *mut robots_cache,
    crawler: *const robots_crawler,
) -> robots_status {
    exported!(status_of(|| {
        let crawler = borrowed!(crawler)?.0.clone();
        changeable!(cache)?.0.add_crawler(crawler).blame(CRAWLERS)
    }))
}

/// Sets an option of a cache.
///
/// Parameters: `option`: one of `enum robots_cache_option`. `value`: see the option.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for an unknown option or a value out of its range; `ROBOTS_E_STATE` for a cache in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_set(
    cache: *mut robots_cache,
    option: u32,
    value: u64,
) -> robots_status {
    exported!(status_of(|| {
        let robots_cache(cache) = changeable!(cache)?;
        let set = match option {
            ROBOTS_CACHE_OPT_TICKET_TTL_MS => {
                whole_seconds(value).and_then(|value| cache.set_ticket_ttl(value))
            }
            ROBOTS_CACHE_OPT_DEFAULT_DELAY_MS => {
                cache.set_pace(value, |pace| &mut pace.default_delay)
            }
            ROBOTS_CACHE_OPT_MAX_DELAY_MS => cache.set_pace(value, |pace| &mut pace.max_delay),
            ROBOTS_CACHE_OPT_HORIZON_MS => cache.set_pace(value, |pace| &mut pace.horizon),
            _ => return Err(refuse(OPTION)),
        };
        set.blame(VALUE)
    }))
}

/// Checks one URL and reports what the crawler does next: obey a verdict, fetch the site's robots.txt, wait for another
/// thread's fetch, or keep the URL for later. Threads that get a decision do not wait for each other.
///
/// Parameters: `crawler`: the index of the crawler, 0 if there is only one. `url`, `url_len`: an absolute URL, any
/// bytes. `out`: receives the answer.
/// Returns: the verdict, as in `out`. Only `ROBOTS_CACHE_DECIDED` can allow the URL. With another action the reason is
/// `ROBOTS_REASON_DEFER`, or `ROBOTS_REASON_UNREACHABLE` for a site that cannot be reached. The status `ROBOTS_E_URL`
/// (not an absolute URL) or `ROBOTS_E_SCHEME` (SPEC 1.6) is final and comes with `ROBOTS_CACHE_DECIDED`. The status
/// `ROBOTS_E_ARG`, `ROBOTS_E_TIME`, `ROBOTS_E_STATE` (in a forked child) or `ROBOTS_E_MEMORY` comes with
/// `ROBOTS_CACHE_DEFER`. If a robots.txt does not fit, its site is deferred until the next fetch is due.
/// Owner: the caller frees `out->ticket` with `robots_ticket_free` unless it is NULL.
/// Allocates: nothing for a result from the cache if the origin is ASCII in lower case; else the entry and the ticket.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_check(
    cache: *const robots_cache,
    crawler: usize,
    url: *const c_char,
    url_len: usize,
    now_ms: u64,
    out: *mut robots_cache_answer,
) -> robots_verdict {
    exported!(answer_into(out, now_ms, |out, now| {
        let url = bytes!(url, url_len)?;
        out.set(borrowed!(cache)?.0.check_bytes(crawler, url, now))
    }))
}

/// Waits until the ticket of the site is finished or freed. Call it after `ROBOTS_CACHE_WAIT`; without a ticket it returns
/// immediately. Then read the clock and check the URL again. The expiry of a ticket does not end the wait; the timeout does.
///
/// Parameters: `url`, `url_len`: any URL of the site. `timeout_ms`: the longest wait, such as the time to `until_ms`.
/// Returns: `ROBOTS_OK`, also after the timeout; `ROBOTS_E_STATE` in a forked child; other errors as from `robots_cache_remove`.
#[cfg(not(target_arch = "wasm32"))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_wait(
    cache: *const robots_cache,
    url: *const c_char,
    url_len: usize,
    timeout_ms: u64,
) -> robots_status {
    exported!(status_of(|| {
        let timeout = core::time::Duration::from_millis(timeout_ms);
        borrowed!(cache)?
            .0
            .wait(bytes!(url, url_len)?, timeout)
            .map(|_| ())
    }))
}

/// Checks one URL that is about to be requested. For a URL that was only found, call `robots_cache_check`. If the URL is
/// allowed, the call reserves a slot of the site (SPEC 3.9). If the slot is `now_ms`, send the request now. Otherwise sleep
/// until the slot, then call again with this slot. The requests of all threads are a crawl-delay apart, even if a thread wakes
/// late. A request does not wait for the response to the previous request. If the slot is further ahead than
/// `ROBOTS_CACHE_OPT_HORIZON_MS`, the URL is deferred.
///
/// Parameters: as for `robots_cache_check`. `held`: the slot of the last answer for this URL; in the first call, a slot of 0.
/// Returns: the same verdicts as `robots_cache_check`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_request(
    cache: *const robots_cache,
    crawler: usize,
    url: *const c_char,
    url_len: usize,
    held: robots_slot,
    now_ms: u64,
    out: *mut robots_cache_answer,
) -> robots_verdict {
    exported!(answer_into(out, now_ms, |out, _| {
        let (robots_cache(cache), url) = (borrowed!(cache)?, bytes!(url, url_len)?);
        let request = cache.request(crawler, url, held.at_ms, now_ms);
        let verdict = out.set(request.decision)?;
        out.slot.at_ms = request.at_ms;
        out.crawl_delay_ms = request.crawl_delay_ms;
        out.crawl_delay_cut = request.crawl_delay_cut.into();
        Ok(verdict)
    }))
}

/// Writes a temporary refusal to the caller's answer. If `set` succeeds, its result replaces the refusal. Returns the verdict.
///
/// # Safety
/// As for [`checked_size`] and [`output`].
#[inline(always)]
unsafe fn answer_into(
    out: *mut robots_cache_answer,
    now_ms: u64,
    set: impl FnOnce(&mut robots_cache_answer, u64) -> Result<Verdict, Error>,
) -> robots_verdict {
    let refusal = |size| robots_cache_answer {
        size,
        verdict: Verdict::from_error(Error::Argument).into(),
        action: ROBOTS_CACHE_DEFER,
        crawl_delay_cut: 0,
        until_ms: now_ms.saturating_add(milliseconds(ERROR_WAIT)),
        ticket: null_mut(),
        slot: robots_slot { at_ms: 0 },
        crawl_delay_ms: 0,
    };
    // SAFETY: the caller's promise.
    match unsafe { checked_size(out).and_then(|size| output(out, refusal(size), SIZE)) } {
        Ok(out) => {
            out.verdict = verdict_of(|| at_time(now_ms, |now| set(out, now)));
            out.verdict
        }
        Err(error) => Verdict::from_error(error).into(),
    }
}

impl robots_cache_answer {
    #[inline(always)]
    fn set(&mut self, decision: CacheDecision) -> Result<Verdict, Error> {
        let later = Verdict::of_site(Reason::Defer);
        let (action, verdict, until, ticket) = match decision {
            CacheDecision::Decided { verdict, refresh } => {
                (ROBOTS_CACHE_DECIDED, verdict, 0, refresh)
            }
            CacheDecision::Fetch(ticket) => (ROBOTS_CACHE_FETCH, later, 0, Some(ticket)),
            CacheDecision::Wait { until } => (ROBOTS_CACHE_WAIT, later, until, None),
            // The refused argument is the index of the crawler, because the time was checked before.
            CacheDecision::Defer { verdict, .. } if verdict.error() == Some(Error::Argument) => {
                return Err(refuse(INDEX));
            }
            CacheDecision::Defer { verdict, until } => (ROBOTS_CACHE_DEFER, verdict, until, None),
        };
        let ticket = ticket.map(|ticket| into_handle(robots_ticket(Some(ticket))));
        self.ticket = match ticket.transpose() {
            // There was no memory for the handle, so the ticket went back to the cache. Only `ROBOTS_CACHE_FETCH` needs a
            // ticket.
            Err(error) if action == ROBOTS_CACHE_FETCH => return Err(error),
            ticket => ticket.ok().flatten().unwrap_or(null_mut()),
        };
        self.action = action;
        self.until_ms = milliseconds(until);
        Ok(verdict)
    }
}

/// Reports the response to a page. The crawl-delay counts from the response (SPEC 3.9). After 429 or 503 no slot of the
/// site is earlier than the time in `Retry-After` (SPEC 3.10).
///
/// Parameters: `url`, `url_len`: the URL of the page. `http_status`: any number; 0 if no response came. `value`, `value_len`:
/// the value of `Retry-After`, seconds or a date; a missing or invalid value counts as 5 seconds. The upper bound is
/// `ROBOTS_OPT_MAX_RETRY_AFTER_MS` of the first crawler.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_URL` and `ROBOTS_E_SCHEME` as from `robots_cache_check`; `ROBOTS_E_MEMORY` if the
/// site is new and does not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_report_response(
    cache: *const robots_cache,
    url: *const c_char,
    url_len: usize,
    http_status: u32,
    value: *const c_char,
    value_len: usize,
    now_ms: u64,
) -> robots_status {
    exported!(status_of(|| {
        let (url, value) = (bytes!(url, url_len)?, bytes!(value, value_len)?);
        let robots_cache(cache) = borrowed!(cache)?;
        at_time(now_ms, |_| {
            cache.retry_after(url, status_code(http_status), value, now_ms)
        })
    }))
}

/// Returns a site's outcome in the cache, of any age: for example, to read its crawl-delay, sitemaps or times.
///
/// Parameters: `url`, `url_len`: any URL of the site. `out`: receives the outcome; NULL if the cache has none.
/// Returns: `ROBOTS_OK`, also without an outcome; `ROBOTS_E_URL` and `ROBOTS_E_SCHEME` as from `robots_cache_check`.
/// Allocates: the outcome and its handle. Later changes of the cache do not affect the outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_outcome(
    cache: *const robots_cache,
    url: *const c_char,
    url_len: usize,
    out: *mut *mut robots_outcome,
) -> robots_status {
    exported!(result_into(out, null_mut(), || {
        match borrowed!(cache)?.0.outcome(bytes!(url, url_len)?)? {
            Some(outcome) => Ok(into_handle(robots_outcome::from(outcome))?),
            None => Ok(null_mut()),
        }
    }))
}

/// Removes one site, or all. Tickets stay valid.
///
/// Parameters: `url`, `url_len`: any URL of the site; "*" removes all sites.
/// Returns: `ROBOTS_OK`, also for an unknown site; `ROBOTS_E_URL` and `ROBOTS_E_SCHEME` as from `robots_cache_check`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_remove(
    cache: *const robots_cache,
    url: *const c_char,
    url_len: usize,
) -> robots_status {
    exported!(status_of(|| {
        let robots_cache(cache) = borrowed!(cache)?;
        match bytes!(url, url_len)? {
            b"*" => {
                cache.expect_own_process()?;
                cache.clear();
                Ok(())
            }
            url => cache.remove(url),
        }
    }))
}

/// Counts of a cache.
#[repr(C)]
pub struct robots_cache_counts {
    /// `sizeof(robots_cache_counts)`.
    pub size: usize,
    /// Number of sites, including sites whose first fetch is not finished.
    pub sites: usize,
    /// Number of bytes in use, at most `max_bytes` of `robots_cache_new`.
    pub bytes: usize,
    /// Number of URLs that a fresh outcome decided. This and the next five numbers count since the cache was created.
    pub hits: u64,
    /// Number of URLs that an outcome decided after its TTL, because its refresh was not finished or had failed.
    pub stale_hits: u64,
    /// Number of tickets.
    pub fetches: u64,
    /// Number of answers `ROBOTS_CACHE_WAIT`.
    pub waits: u64,
    /// Number of answers `ROBOTS_CACHE_DEFER`, except after a caller's error.
    pub deferred: u64,
    /// Number of evicted outcomes and slots.
    pub evicted: u64,
    /// Number of distinct images now: sites whose files compile to the same rules share an image.
    pub images: usize,
    /// Number of bytes that sharing images saves now; not part of `bytes`.
    pub saved_bytes: usize,
}

/// Returns the counts of a cache.
///
/// Returns: `ROBOTS_OK`; `ROBOTS_E_STATE` in a forked child.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_count(
    cache: *const robots_cache,
    out: *mut robots_cache_counts,
) -> robots_status {
    exported!(struct_into(out, || {
        let robots_cache(cache) = borrowed!(cache)?;
        cache.expect_own_process()?;
        let counts = cache.counts();
        Ok(robots_cache_counts {
            size: 0,
            sites: counts.sites,
            bytes: counts.bytes,
            hits: counts.hits,
            stale_hits: counts.stale_hits,
            fetches: counts.fetches,
            waits: counts.waits,
            deferred: counts.deferred,
            evicted: counts.evicted,
            images: counts.images,
            saved_bytes: counts.saved_bytes,
        })
    }))
}

/// A function of the caller that receives a record of a cache. The record is valid during the call. Return 0 to continue
/// or another number to stop; throw no exception and do not longjmp. The function may call every function of the library.
pub type robots_record_fn = Option<
    unsafe extern "C" fn(context: *mut c_void, record: *const c_char, record_len: usize) -> u32,
>;

/// Passes the content of a cache to a function, for another process or machine: one record per site, in any order. If a site
/// has a slot but no outcome, its record gives no verdict. Sites that are added or removed during the call may be missing.
///
/// Parameters: `receive`: the function. `context`: any pointer, passed to `receive`.
/// Returns: `ROBOTS_OK`, also if `receive` stops; `ROBOTS_E_STATE` in a forked child.
/// Allocates: a list of origins, about 1/256 of all, and one record; both are freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_each(
    cache: *const robots_cache,
    receive: robots_record_fn,
    context: *mut c_void,
) -> robots_status {
    exported!(status_of(|| {
        let robots_cache(cache) = borrowed!(cache)?;
        cache.expect_own_process()?;
        // The list has its own reference to the cache.
        let mut list = cache.export();
        let receive = receive.ok_or_else(|| refuse(RECEIVE))?;
        while let Some(record) = list.next_record() {
            let record = record?;
            if receive(context, record.as_ptr().cast(), record.len()) != 0 {
                break;
            }
        }
        Ok::<_, Error>(())
    }))
}

/// Imports a record of `robots_cache_each`, from this process or another. The cache keeps a newer outcome and a later
/// slot. A full cache evicts nothing for a record. The options of the first crawler limit the times in the record.
///
/// Parameters: `record`, `record_len`: any bytes.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged record; `ROBOTS_E_IMAGE_FORMAT` for another format version or
/// other crawlers; `ROBOTS_E_MEMORY` if the record does not fit; `ROBOTS_E_ARG`, also for a time after the year 9999.
/// After an error the cache is unchanged; continue with the next record.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_import(
    cache: *const robots_cache,
    record: *const c_char,
    record_len: usize,
) -> robots_status {
    exported!(status_of(|| borrowed!(cache)?
        .0
        .import(bytes!(record, record_len)?)
        .blame(RECORD)))
}

/// Frees a cache. Tickets stay valid and keep the parts of the cache that they need.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_free(cache: *mut robots_cache) {
    exported!(free(cache))
}
