//! `robots_cache`: the outcomes of many sites.

use core::ffi::c_void;

use super::convert::*;
use super::crawler::robots_crawler;
use super::outcome::{robots_outcome, status_code};
use super::ticket::robots_ticket;

use crate::base::limits::ERROR_WAIT;
use crate::base::verdict::Reason;
use crate::site::cache::{Cache, CacheDecision};

/// The outcomes of many sites in a limited amount of memory, for one or more crawlers (SPEC 3.7).
///
/// Owner: created by `robots_cache_new`, freed by `robots_cache_free`.
/// Threads: set it up in one thread; then any number of threads may use it at once. A forked child must not use it: there
/// the functions return `ROBOTS_E_STATE`; create a cache in the child.
/// Allocates: the functions that create it, and others as noted. They may abort when out of memory.
pub struct robots_cache(pub(super) Cache);

constants! {
    robots_cache_action("ROBOTS_CACHE_"): u32, "What the crawler does next: `robots_cache_check`.";
    /// Obey the verdict, which is final for this URL. If there is also a ticket, fetch the robots.txt again; the old
    /// outcome serves everybody until the new one is there, at most until 24 hours after its fetch (SPEC 3.8;
    /// koster1996: 7 days).
    ROBOTS_CACHE_DECIDED = 0,
    /// Nothing is known of the site. Use the ticket: fetch the robots.txt, submit the outcome, check the URL again.
    ROBOTS_CACHE_FETCH = 1,
    /// Another thread fetches the robots.txt, or there is no room. Check the URL again soon, at `until` at the latest.
    ROBOTS_CACHE_WAIT = 2,
    /// Nothing of the site may be fetched before `until`, nor its robots.txt (SPEC 2.7 to 2.10). Keep the URL; the
    /// reason of the verdict is `ROBOTS_REASON_UNREACHABLE` or `ROBOTS_REASON_DEFER`, or its status says what failed.
    ROBOTS_CACHE_DEFER = 3,
}

constants! {
    robots_cache_option("ROBOTS_CACHE_OPT_"): u32, "Options of a cache: `robots_cache_set`.";
    /// How many seconds a ticket is valid, 1 to 86400; default: 120. Choose more than the longest retrieval with its
    /// redirects takes: after that another thread may fetch the same file.
    ROBOTS_CACHE_OPT_TICKET_TTL = 1,
    /// The delay for a site whose file states no crawl-delay, 0 to 86400000 milliseconds; default: 0.
    ROBOTS_CACHE_OPT_DEFAULT_DELAY_MS = 2,
    /// The longest crawl-delay that is obeyed, 0 to 86400000 milliseconds; default: 60000. A longer one counts as this. A
    /// larger `ROBOTS_CACHE_OPT_DEFAULT_DELAY_MS` raises it. 0, with a default delay of 0: none is obeyed.
    ROBOTS_CACHE_OPT_MAX_DELAY_MS = 3,
    /// How many milliseconds ahead `robots_cache_request` reserves a slot, 0 to 86400000; default: 60000.
    ROBOTS_CACHE_OPT_HORIZON_MS = 4,
}

/// What the crawler does next with a URL. Set `size` before each call.
#[repr(C)]
pub struct robots_cache_answer {
    /// `sizeof(robots_cache_answer)`; later versions add fields at the end only.
    pub size: usize,
    /// Whether the URL may be fetched; allowed only with `ROBOTS_CACHE_DECIDED`.
    pub verdict: robots_verdict,
    /// One of `enum robots_cache_action`.
    pub action: u32,
    /// 1 if the file states a longer crawl-delay. From `robots_cache_request`, as are the last two; 0 without a slot.
    pub crawl_delay_cut: u32,
    /// For `ROBOTS_CACHE_WAIT` and `_DEFER`: when to check again, in seconds since 1970-01-01 UTC, always later than `now`;
    /// else 0. After an error that may pass it is 60 seconds later.
    pub until: u64,
    /// The caller's ticket, to be freed with `robots_ticket_free`, or NULL. `ROBOTS_CACHE_FETCH` always has one,
    /// `ROBOTS_CACHE_DECIDED` sometimes, the others never.
    pub ticket: *mut robots_ticket,
    /// When to send the request, in milliseconds since 1970-01-01 UTC, never earlier than `now_ms`.
    pub request_at_ms: u64,
    /// The milliseconds from this request to the next one to the site.
    pub crawl_delay_ms: u64,
}

/// Creates a cache for a crawler.
///
/// Parameters: `crawler`: copied. `max_bytes`: the memory limit in bytes, at least 65536. Everything counts: keys,
/// rules and the allocator's overhead; a small site takes about 800 bytes. `out`: receives the cache.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_new(
    crawler: *const robots_crawler,
    max_bytes: usize,
    out: *mut *mut robots_cache,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        new_into(out, || {
            let crawlers = core::slice::from_ref(&borrowed(crawler)?.0);
            Cache::new(crawlers, max_bytes).map(robots_cache)
        })
    }
}

/// Adds a crawler, so that one fetch serves several (SPEC 3.7). The crawler of `robots_cache_new` has index 0 and sets
/// the fetch policy; the next has index 1, and so on.
///
/// Parameters: `crawler`: copied.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`, also for a 17th crawler; `ROBOTS_E_STATE` if the cache has content or tickets;
/// `ROBOTS_E_MEMORY`. After an error the cache is unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_add_crawler(
    cache: *mut robots_cache,
    crawler: *const robots_crawler,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        status_of(|| {
            let crawler = borrowed(crawler)?.0.clone();
            changeable(cache)?.0.add_crawler(crawler)
        })
    }
}

/// Sets an option of a cache.
///
/// Parameters: `option`: one of `enum robots_cache_option`. `value`: see the option.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for an unknown option or a value out of its range; `ROBOTS_E_STATE` if the
/// cache has content or tickets. After an error the cache is unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_set(
    cache: *mut robots_cache,
    option: u32,
    value: u64,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        status_of(|| {
            let robots_cache(cache) = changeable(cache)?;
            match option {
                ROBOTS_CACHE_OPT_TICKET_TTL => cache.set_ticket_ttl(value),
                ROBOTS_CACHE_OPT_DEFAULT_DELAY_MS => {
                    cache.set_pace(value, |pace| &mut pace.default_delay)
                }
                ROBOTS_CACHE_OPT_MAX_DELAY_MS => cache.set_pace(value, |pace| &mut pace.max_delay),
                ROBOTS_CACHE_OPT_HORIZON_MS => cache.set_pace(value, |pace| &mut pace.horizon),
                _ => Err(Error::Argument),
            }
        })
    }
}

/// Checks one URL. Reports what the crawler does next: obey a verdict, fetch the site's robots.txt, wait for another
/// thread that fetches it, or keep the URL for later. A result from the cache takes no lock.
///
/// Parameters: `crawler`: the index of the crawler, 0 if there is only one. `url`, `url_len`: an absolute URL, any
/// bytes. `now`: seconds since 1970-01-01 UTC. `out`: receives the answer; set its `size` first.
/// Returns: the verdict, as in `out`. Only `ROBOTS_CACHE_DECIDED` can allow the URL. With another action the reason is
/// `ROBOTS_REASON_DEFER`, or `ROBOTS_REASON_UNREACHABLE` for a site that cannot be reached. Its status is
/// `ROBOTS_E_URL` if `url` is not an absolute URL, or `ROBOTS_E_SCHEME` (SPEC 1.6): these are final, with the action
/// `ROBOTS_CACHE_DECIDED`. It is `ROBOTS_E_ARG`, also for a time after the year 9999, `ROBOTS_E_STATE` in a forked child,
/// or `ROBOTS_E_MEMORY`, with the action `ROBOTS_CACHE_DEFER`; for a site whose robots.txt does not fit, until it is due
/// again. If `size` is too small nothing is written.
/// Owner: the caller frees `out->ticket` with `robots_ticket_free` unless it is NULL.
/// Allocates: nothing for a result from the cache if the URL's origin is ASCII in lower case; else the entry and the ticket.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_check(
    cache: *const robots_cache,
    crawler: usize,
    url: *const c_char,
    url_len: usize,
    now: u64,
    out: *mut robots_cache_answer,
) -> robots_verdict {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        answer_into(out, now, |out| {
            let url = text(url, url_len)?;
            out.set(borrowed(cache)?.0.check_bytes(crawler, url, now))
        })
    }
}

/// Checks one URL that is about to be requested, as `robots_cache_check`, which is for URLs that are found. If it is allowed,
/// reserves a slot of its site (SPEC 3.9). If `request_at_ms` is `now_ms`, send the request now. Else sleep until that time and
/// call again, with it as `slot_ms`. What all threads send so is a crawl-delay apart, also if one wakes late. A slot later
/// than `ROBOTS_CACHE_OPT_HORIZON_MS` is not reserved but deferred, with its time.
///
/// Parameters: as for `robots_cache_check`; `slot_ms`: 0, or the slot of the last call; `now_ms`: milliseconds since 1970.
/// Returns: the verdict. Its status is `ROBOTS_E_ARG` also for a time in seconds, which is one before March 1973.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_request(
    cache: *const robots_cache,
    crawler: usize,
    url: *const c_char,
    url_len: usize,
    slot_ms: u64,
    now_ms: u64,
    out: *mut robots_cache_answer,
) -> robots_verdict {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        answer_into(out, now_ms / 1_000, |out| {
            let request = borrowed(cache)?
                .0
                .request(crawler, text(url, url_len)?, slot_ms, now_ms);
            let verdict = out.set(request.decision)?;
            out.request_at_ms = request.at_ms;
            out.crawl_delay_ms = request.crawl_delay_ms;
            out.crawl_delay_cut = request.crawl_delay_cut.into();
            Ok(verdict)
        })
    }
}

/// Sets the caller's answer to a refusal for now, then to the result of `set` unless that is an error, and returns its verdict.
///
/// # Safety
/// `out` is null, or its `size` is set and as many bytes are ours during the call.
#[inline(always)]
unsafe fn answer_into(
    out: *mut robots_cache_answer,
    now: u64,
    set: impl FnOnce(&mut robots_cache_answer) -> Result<Verdict, Error>,
) -> robots_verdict {
    // SAFETY: the promises of the caller, see `ffi`.
    let place = unsafe {
        has_room_for(out).and_then(|()| {
            let refusal = robots_cache_answer {
                size: (&raw const (*out).size).read(),
                verdict: Verdict::from_error(Error::Argument).into(),
                action: ROBOTS_CACHE_DEFER,
                crawl_delay_cut: 0,
                until: now.saturating_add(ERROR_WAIT),
                ticket: core::ptr::null_mut(),
                request_at_ms: 0,
                crawl_delay_ms: 0,
            };
            output(out, refusal)
        })
    };
    match place {
        Ok(out) => {
            out.verdict = verdict_of(|| set(out));
            out.verdict
        }
        Err(error) => Verdict::from_error(error).into(),
    }
}

impl robots_cache_answer {
    #[inline(always)]
    fn set(&mut self, decision: CacheDecision) -> Result<Verdict, Error> {
        let later = Verdict::new(Reason::Defer, false, 0);
        let (action, verdict, until, ticket) = match decision {
            CacheDecision::Decided { verdict, refresh } => {
                (ROBOTS_CACHE_DECIDED, verdict, 0, refresh)
            }
            CacheDecision::Fetch(ticket) => (ROBOTS_CACHE_FETCH, later, 0, Some(ticket)),
            CacheDecision::Wait { until } => (ROBOTS_CACHE_WAIT, later, until, None),
            CacheDecision::Defer { verdict, until } => (ROBOTS_CACHE_DEFER, verdict, until, None),
        };
        let ticket = ticket.map(|ticket| into_handle(robots_ticket(Some(ticket))));
        self.ticket = match ticket.transpose() {
            // The ticket went back to the cache. A verdict stands; without one there is an error.
            Err(error) if action == ROBOTS_CACHE_FETCH => return Err(error),
            ticket => ticket.ok().flatten().unwrap_or(core::ptr::null_mut()),
        };
        self.action = action;
        self.until = until;
        Ok(verdict)
    }
}

/// Reports the response to a page: the crawl-delay counts from it (SPEC 3.9), and after 429 or 503 nothing is sent to the site
/// before its `Retry-After` (SPEC 3.10).
///
/// Parameters: `url`, `url_len`: of the page. `http_status`: any number. `value`, `value_len`: that of `Retry-After`, seconds or
/// a date; without a readable one the site rests for 5 seconds. `ROBOTS_OPT_MAX_RETRY_AFTER` of the first crawler limits the
/// rest. `now_ms`: as for `robots_cache_request`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_URL` and `ROBOTS_E_SCHEME` as from `robots_cache_check`; `ROBOTS_E_ARG`;
/// `ROBOTS_E_MEMORY` if the site is new and does not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_retry_after(
    cache: *const robots_cache,
    url: *const c_char,
    url_len: usize,
    http_status: u32,
    value: *const c_char,
    value_len: usize,
    now_ms: u64,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        status_of(|| {
            let (url, value) = (text(url, url_len)?, text(value, value_len)?);
            borrowed(cache)?
                .0
                .retry_after(url, status_code(http_status), value, now_ms)
        })
    }
}

/// Returns what the cache has for a site, however old: for its crawl-delay, sitemaps or times. Takes no lock.
///
/// Parameters: `url`, `url_len`: any URL of the site. `out`: receives the outcome; NULL if the cache has none.
/// Returns: `ROBOTS_OK`, also if there is none; `ROBOTS_E_URL` and `ROBOTS_E_SCHEME` as from `robots_cache_check`;
/// `ROBOTS_E_ARG`.
/// Allocates: a handle; the outcome is shared with the cache and does not change when the cache does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_outcome(
    cache: *const robots_cache,
    url: *const c_char,
    url_len: usize,
    out: *mut *mut robots_outcome,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        handle_into(out, || {
            match borrowed(cache)?.0.outcome(text(url, url_len)?)? {
                Some(outcome) => into_handle(robots_outcome::from(outcome)),
                None => Ok(core::ptr::null_mut()),
            }
        })
    }
}

/// Removes one site. A ticket for it stays valid.
///
/// Parameters: `url`, `url_len`: any URL of the site.
/// Returns: `ROBOTS_OK`, also if the cache has nothing for it; `ROBOTS_E_URL` and `ROBOTS_E_SCHEME` as from
/// `robots_cache_check`; `ROBOTS_E_ARG`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_remove(
    cache: *const robots_cache,
    url: *const c_char,
    url_len: usize,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe { status_of(|| borrowed(cache)?.0.remove(text(url, url_len)?)) }
}

/// Removes all sites. Tickets stay valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_clear(cache: *const robots_cache) {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        // An error cannot be reported here.
        let _ = guarded(|| {
            borrowed(cache)?.0.clear();
            Ok(())
        });
    }
}

/// What a cache holds and did. Set `size` to `sizeof(robots_cache_counts)` before each call.
#[repr(C)]
pub struct robots_cache_counts {
    /// `sizeof(robots_cache_counts)`; later versions add fields at the end only.
    pub size: usize,
    /// The number of sites, including those that are being fetched for the first time.
    pub sites: usize,
    /// The number of bytes that they take, at most `max_bytes` of `robots_cache_new`.
    pub bytes: usize,
    /// Since the cache was created: the URLs that a fresh outcome decided, ...
    pub hits: u64,
    /// ... those that an outcome decided after its freshness lifetime: its refresh is due, or failed, ...
    pub stale_hits: u64,
    /// ... the tickets, ...
    pub fetches: u64,
    /// ... the answers `ROBOTS_CACHE_WAIT` ...
    pub waits: u64,
    /// ... and `ROBOTS_CACHE_DEFER`, without those for misuse, ...
    pub deferred: u64,
    /// ... and the outcomes that were evicted for others.
    pub evicted: u64,
}

/// Returns how much the cache holds, and what it did.
///
/// Parameters: `out`: receives the counts; set its `size` first.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_STATE` in a forked child.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_count(
    cache: *const robots_cache,
    out: *mut robots_cache_counts,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        sized_output(out, || {
            let robots_cache(cache) = borrowed(cache)?;
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
            })
        })
    }
}

/// A function of the caller that receives a record of a cache. The record is valid during the call. It returns 0 to
/// continue, another number to stop. It may call every function of the library, also with the same cache. It returns
/// normally: no exception, no longjmp.
pub type robots_cache_record = Option<
    unsafe extern "C" fn(context: *mut c_void, record: *const c_char, record_len: usize) -> u32,
>;

/// Passes what the cache holds to a function, for another process or machine: one record for each site, in the order of
/// eviction. The record of a site with a slot and no outcome decides nothing. Other threads may use the cache during the call.
/// Sites that are added or removed then may be missing.
///
/// Parameters: `receive`: the function. `context`: any pointer, passed to `receive`.
/// Returns: `ROBOTS_OK`, also if `receive` stops; `ROBOTS_E_ARG`; `ROBOTS_E_STATE` in a forked child; `ROBOTS_E_MEMORY`.
/// Allocates: 16 bytes for each site and one record, which are freed; may abort when out of memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_each(
    cache: *const robots_cache,
    receive: robots_cache_record,
    context: *mut c_void,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        status_of(|| {
            let robots_cache(cache) = borrowed(cache)?;
            cache.expect_own_process()?;
            // The list has a reference of its own.
            let mut list = cache.export();
            let receive = receive.ok_or(Error::Argument)?;
            while let Some(record) = list.next_record() {
                let record = record?;
                if receive(context, record.as_ptr().cast(), record.len()) != 0 {
                    break;
                }
            }
            Ok(())
        })
    }
}

/// Imports a record of `robots_cache_each`, from this process or another. A newer outcome and a later slot in the cache stay. A
/// full cache evicts nothing for it. The options of the cache's first crawler limit its times.
///
/// Parameters: `record`, `record_len`: any bytes.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged record; `ROBOTS_E_IMAGE_FORMAT` for another format version or
/// other crawlers; `ROBOTS_E_MEMORY` if it does not fit; `ROBOTS_E_ARG`, also for a time after the year 9999. After an error
/// the cache is unchanged; continue with the next record.
/// Allocates: the site's entry.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_import(
    cache: *const robots_cache,
    record: *const c_char,
    record_len: usize,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe { status_of(|| borrowed(cache)?.0.import(text(record, record_len)?)) }
}

/// Frees a cache. Tickets stay valid and keep what they need of it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_free(cache: *mut robots_cache) {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe { free(cache) }
}
