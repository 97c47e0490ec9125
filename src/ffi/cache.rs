//! `robots_cache`: what is known of many sites.

use core::ffi::c_char;
use core::mem::ManuallyDrop;
use std::sync::Arc;

use super::crawler::{crawler_of, robots_crawler};
use super::outcome::robots_outcome;
use super::status::robots_status;
use super::ticket::{self, robots_ticket};
use super::verdict::robots_verdict;
use super::{borrowed, guarded, handle_into, output, status_of, text};
use crate::cache::{Cache, CacheDecision};
use crate::error::Error;
use crate::verdict::{Reason, Verdict};

/// The outcomes of many sites' fetches, by origin, in a bounded piece of memory, for one crawler or several
/// (SPEC 3.7). Reference-counted; any number of threads may ask at once. Made by `robots_cache_new`, ended by
/// `robots_cache_free`. While it is set up it belongs to one thread.
pub struct robots_cache {
    _opaque: [u8; 0],
}

/// Action: obey the verdict. If there is a ticket beside it, fetch the robots.txt anew; until that is done the old
/// outcome serves everybody (SPEC 3.4).
pub const ROBOTS_CACHE_DECIDED: u32 = 0;
/// Action: nothing is known of the site, and the ticket is yours: fetch its robots.txt, hand the outcome in and ask
/// again.
pub const ROBOTS_CACHE_FETCH: u32 = 1;
/// Action: somebody else is fetching the robots.txt, or there is no room; ask again in a while, at `until` at the
/// latest.
pub const ROBOTS_CACHE_WAIT: u32 = 2;
/// Action: nothing of the site may be fetched before `until`, its robots.txt neither (SPEC 2.7 to 2.10); keep the URL.
pub const ROBOTS_CACHE_DEFER: u32 = 3;

/// Option of a cache: how many seconds a ticket lives, 1 to 86400; 120 until set. More than the longest retrieval
/// takes, with all its redirects: past it, another may fetch the same file.
pub const ROBOTS_CACHE_OPT_TICKET_TTL: u32 = 1;

/// What is to be done with a URL. The caller sets `size` before each call.
#[repr(C)]
pub struct robots_cache_answer {
    /// `sizeof(robots_cache_answer)`; later versions add fields at the end only.
    pub size: usize,
    /// Whether the URL may be fetched; only with `ROBOTS_CACHE_DECIDED` may it be allowed.
    pub verdict: robots_verdict,
    /// One of `ROBOTS_CACHE_DECIDED`, `_FETCH`, `_WAIT`, `_DEFER`.
    pub action: u32,
    /// 0.
    pub reserved: u32,
    /// Of `ROBOTS_CACHE_WAIT` and `_DEFER`: when to ask again, in seconds since 1970-01-01 UTC; else 0.
    pub until: u64,
    /// The caller's ticket, to be ended with `robots_ticket_free`, or NULL. Always one with `ROBOTS_CACHE_FETCH`, at
    /// times with `ROBOTS_CACHE_DECIDED`, else none.
    pub ticket: *mut robots_ticket,
}

/// A caller's cache.
///
/// # Safety
/// `cache` is null or holds a reference during `'a`.
#[inline(always)]
pub(super) unsafe fn cache_of<'a>(cache: *const robots_cache) -> Result<&'a Cache, Error> {
    // SAFETY: a cache's handle is what `Arc::into_raw` gave; the caller vouches for the reference.
    unsafe { borrowed(cache.cast::<Cache>()) }
}

/// Changes a cache that is not in use yet.
///
/// # Safety
/// `cache` is null or holds a reference, and no other thread uses it meanwhile.
unsafe fn change(
    cache: *mut robots_cache,
    how: impl FnOnce(&mut Cache) -> Result<(), Error>,
) -> robots_status {
    status_of(|| {
        if cache.is_null() {
            return Err(Error::Argument);
        }
        // SAFETY: not null, so from `Arc::into_raw`; the reference stays the caller's.
        let mut cache = ManuallyDrop::new(unsafe { Arc::from_raw(cache.cast::<Cache>()) });
        how(Arc::get_mut(&mut cache).ok_or(Error::InvalidState)?)
    })
}

/// Makes a cache for a crawler.
///
/// Parameters: `crawler`: copied; `max_bytes`: how many octets of memory the cache may take, 65536 or more, all
/// counted: keys, rules and what the allocator adds; about 800 octets for a small site; `out`: receives the cache.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, or less than 65536; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
/// Owner: the caller, who ends it with `robots_cache_free`.
/// Threads: any, at any time.
/// Allocates: the cache. What it keeps is allocated as it comes.
/// Small parts cannot fail, see SECURITY.md.
/// Since: 0.1.0
///
/// # Safety
/// `crawler` is NULL or was not freed; `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_new(
    crawler: *const robots_crawler,
    max_bytes: usize,
    out: *mut *mut robots_cache,
) -> robots_status {
    let made = || {
        // SAFETY: the caller's promise, passed on.
        let crawler = unsafe { crawler_of(crawler)? };
        let cache = Cache::new(core::slice::from_ref(crawler), max_bytes)?;
        Ok(Arc::into_raw(Arc::new(cache)).cast_mut().cast())
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Adds a crawler, so that one fetch serves several (SPEC 3.7). The one of `robots_cache_new` has the index 0 and
/// decides how fetches go; the next added has 1, and so on.
///
/// Parameters: `cache`; `crawler`: copied.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, or past 16 crawlers; `ROBOTS_E_STATE` once something is kept or
/// there are tickets or further references; `ROBOTS_E_MEMORY`. After an error the cache is as it was.
/// Owner: nothing is handed over.
/// Threads: one; no other may use the cache meanwhile.
/// Allocates: room for the crawler.
/// Since: 0.1.0
///
/// # Safety
/// `cache` and `crawler` are NULL or were not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_add_crawler(
    cache: *mut robots_cache,
    crawler: *const robots_crawler,
) -> robots_status {
    // SAFETY: the caller's promises, passed on.
    unsafe {
        change(cache, |cache| {
            cache.add_crawler(crawler_of(crawler)?.clone())
        })
    }
}

/// Sets an option.
///
/// Parameters: `cache`; `option`: `ROBOTS_CACHE_OPT_TICKET_TTL`; `value`: as the comment of the option says.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, an unknown option or a value out of its range; `ROBOTS_E_STATE` once
/// something is kept or there are tickets or further references. After an error the cache is as it was.
/// Owner: nothing is handed over.
/// Threads: one; no other may use the cache meanwhile.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `cache` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_set(
    cache: *mut robots_cache,
    option: u32,
    value: u64,
) -> robots_status {
    // SAFETY: the caller's promise, passed on.
    unsafe {
        change(cache, |cache| match option {
            ROBOTS_CACHE_OPT_TICKET_TTL => cache.set_ticket_ttl(value),
            _ => Err(Error::Argument),
        })
    }
}

/// Says what a crawler is to do with a URL: obey a verdict, fetch the site's robots.txt first, wait for another who
/// does, or keep the URL for later.
///
/// Parameters: `cache`; `crawler`: index of the crawler, 0 unless there are several; `url`, `url_len`: an absolute
/// URL of any octets; `now`: seconds since 1970-01-01 UTC; `out`: receives the answer; set its `size` first.
/// Returns: the verdict, as in `out`. It is allowed only if the cache decided so. Its status is `ROBOTS_E_URL` for what
/// is no absolute URL, `ROBOTS_E_SCHEME` (SPEC 1.6), `ROBOTS_E_ARG` for NULL, `url` NULL with a length, `crawler` out
/// of range or `size` too small (then nothing is written); with an error the action is `ROBOTS_CACHE_DECIDED`. With
/// another action than that the reason is `ROBOTS_REASON_DEFER`.
/// Owner: the caller, of `out->ticket` if it is not NULL.
/// Threads: any; many may ask one cache at once. An answer from the cache takes no lock.
/// Allocates: nothing for an answer from the cache, where the URL spells its origin in lower case and ASCII; else the
/// origin's entry and the ticket.
/// Small parts cannot fail, see SECURITY.md.
/// Since: 0.1.0
///
/// # Safety
/// `cache` is NULL or was not freed; `url` is readable for `url_len` octets; `out` is NULL, or `out->size` is set and
/// as many octets are writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_check(
    cache: *const robots_cache,
    crawler: u32,
    url: *const c_char,
    url_len: usize,
    now: u64,
    out: *mut robots_cache_answer,
) -> robots_verdict {
    // SAFETY: the caller's promise, passed on.
    let out = match unsafe { place_for_answer(out) } {
        Ok(out) => out,
        Err(error) => return Verdict::from_error(error).bits(),
    };
    let answer = guarded(|| {
        // SAFETY: the caller's promises, passed on.
        let (cache, url) = unsafe { (cache_of(cache)?, text(url, url_len)?) };
        let later = Verdict::new(Reason::Defer, false, 0);
        let (action, verdict, until, ticket) = match cache.check(crawler as usize, url, now) {
            CacheDecision::Decided { verdict, refresh } => {
                (ROBOTS_CACHE_DECIDED, verdict, 0, refresh)
            }
            CacheDecision::Fetch(ticket) => (ROBOTS_CACHE_FETCH, later, 0, Some(ticket)),
            CacheDecision::Wait { until } => (ROBOTS_CACHE_WAIT, later, until, None),
            CacheDecision::Defer { until } => (ROBOTS_CACHE_DEFER, later, until, None),
        };
        match ticket.map(ticket::hand_out).transpose() {
            // The ticket went back to the cache. A verdict stands; without one there is an error.
            Err(error) if action == ROBOTS_CACHE_FETCH => Err(error),
            ticket => Ok((action, verdict, until, ticket.ok().flatten())),
        }
    });
    // After an error the rest is as it was set first.
    match answer {
        Ok((action, verdict, until, ticket)) => {
            out.verdict = verdict.bits();
            out.action = action;
            out.until = until;
            out.ticket = ticket.unwrap_or(core::ptr::null_mut());
        }
        Err(error) => out.verdict = Verdict::from_error(error).bits(),
    }
    out.verdict
}

/// The answer's place, set to a refusal.
///
/// # Safety
/// `out` is null, or its `size` is set and as many octets are ours during `'a`.
#[inline(always)]
unsafe fn place_for_answer<'a>(
    out: *mut robots_cache_answer,
) -> Result<&'a mut robots_cache_answer, Error> {
    if out.is_null() || !out.is_aligned() {
        return Err(Error::Argument);
    }
    // SAFETY: not null and aligned; the caller has set this field.
    let size = unsafe { (&raw const (*out).size).read() };
    if size < size_of::<robots_cache_answer>() {
        return Err(Error::Argument);
    }
    let refusal = robots_cache_answer {
        size,
        verdict: Verdict::from_error(Error::Argument).bits(),
        action: ROBOTS_CACHE_DECIDED,
        reserved: 0,
        until: 0,
        ticket: core::ptr::null_mut(),
    };
    // SAFETY: not null, and aligned; there is room for an answer, as the caller says.
    unsafe { output(out, refusal) }
}

/// Tells what is known of one site, whatever its age: for its crawl-delay, its sitemaps or its times, which a verdict does
/// not tell.
///
/// Parameters: `cache`; `url`, `url_len`: any URL of the site; `out`: receives the outcome, NULL where nothing is known.
/// Returns: `ROBOTS_OK`, also if nothing is known; `ROBOTS_E_URL` and `ROBOTS_E_SCHEME` as for `robots_cache_check`;
/// `ROBOTS_E_ARG` for NULL. `*out` is NULL after an error.
/// Owner: the caller, who ends the outcome with `robots_outcome_free`. It does not change when the cache does.
/// Threads: any, at any time; takes no lock.
/// Allocates: a handle; the outcome is shared with the cache.
/// Small parts cannot fail, see SECURITY.md.
/// Since: 0.1.0
///
/// # Safety
/// `cache` is NULL or was not freed; `url` is readable for `url_len` octets; `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_outcome(
    cache: *const robots_cache,
    url: *const c_char,
    url_len: usize,
    out: *mut *mut robots_outcome,
) -> robots_status {
    let made = || {
        // SAFETY: the caller's promises, passed on.
        let (cache, url) = unsafe { (cache_of(cache)?, text(url, url_len)?) };
        let outcome = cache.outcome(url)?;
        Ok(outcome.map_or(core::ptr::null_mut(), robots_outcome::hand_out))
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Forgets what is known of one site. A ticket for it stays good.
///
/// Parameters: `cache`; `url`, `url_len`: any URL of the site.
/// Returns: `ROBOTS_OK`, also if nothing was known; `ROBOTS_E_URL` and `ROBOTS_E_SCHEME` as for `robots_cache_check`;
/// `ROBOTS_E_ARG` for NULL.
/// Owner: nothing is handed over.
/// Threads: any, at any time.
/// Allocates: nothing that lasts.
/// Small parts cannot fail, see SECURITY.md.
/// Since: 0.1.0
///
/// # Safety
/// `cache` is NULL or was not freed; `url` is readable for `url_len` octets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_remove(
    cache: *const robots_cache,
    url: *const c_char,
    url_len: usize,
) -> robots_status {
    // SAFETY: the caller's promises, passed on.
    status_of(|| unsafe { cache_of(cache)?.remove(text(url, url_len)?) })
}

/// Forgets what is known of all sites. Tickets stay good.
///
/// Parameters: `cache`: NULL does nothing.
/// Returns: nothing.
/// Owner: nothing is handed over.
/// Threads: any, at any time.
/// Allocates: a list of what is kept, which is freed.
/// Small parts cannot fail, see SECURITY.md.
/// Since: 0.1.0
///
/// # Safety
/// `cache` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_clear(cache: *const robots_cache) {
    // There is nobody to tell of an error here.
    let _ = guarded(|| {
        // SAFETY: the caller's promise, passed on.
        unsafe { cache_of(cache)? }.clear();
        Ok(())
    });
}

/// Counts the octets of memory that the kept sites take.
///
/// Parameters: `cache`.
/// Returns: the octets, never more than `max_bytes` of `robots_cache_new`; 0 for NULL.
/// Owner: nothing is handed over.
/// Threads: any, at any time.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `cache` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_bytes(cache: *const robots_cache) -> usize {
    // SAFETY: the caller's promise, passed on.
    guarded(|| unsafe { cache_of(cache) }).map_or(0, Cache::bytes)
}

/// Counts the sites that are kept, those that are being fetched for the first time among them.
///
/// Parameters: `cache`.
/// Returns: how many there are; 0 for NULL.
/// Owner: nothing is handed over.
/// Threads: any, at any time.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `cache` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_count(cache: *const robots_cache) -> usize {
    // SAFETY: the caller's promise, passed on.
    guarded(|| unsafe { cache_of(cache) }).map_or(0, Cache::len)
}

/// Takes a record over that `robots_cache_cursor_next` gave, in this process or another, unless as new an outcome of
/// the site is kept here. Nobody is evicted for it: a full cache takes no more.
///
/// Parameters: `cache`; `record`, `record_len`: the record, any octets.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_IMAGE` for a damaged record; `ROBOTS_E_IMAGE_FORMAT` for one of another format
/// version or of other crawlers; `ROBOTS_E_MEMORY` for one that does not fit; `ROBOTS_E_ARG` for NULL. After an error
/// the cache is as it was; go on with the next record.
/// Owner: `record` is copied.
/// Threads: any, at any time.
/// Allocates: the site's entry.
/// Small parts cannot fail, see SECURITY.md.
/// Since: 0.1.0
///
/// # Safety
/// `cache` is NULL or was not freed; `record` is readable for `record_len` octets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_import(
    cache: *const robots_cache,
    record: *const c_char,
    record_len: usize,
) -> robots_status {
    // SAFETY: the caller's promises, passed on.
    status_of(|| unsafe { cache_of(cache)?.import(text(record, record_len)?) })
}

/// Adds a reference, so that one more `robots_cache_free` is needed.
///
/// Parameters: `cache`.
/// Returns: `cache`; NULL for NULL.
/// Owner: the caller owns one reference more.
/// Threads: any; many may retain one cache at once.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `cache` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_retain(cache: *const robots_cache) -> *mut robots_cache {
    if cache.is_null() {
        return core::ptr::null_mut();
    }
    guarded(|| {
        // SAFETY: not null, so from `Arc::into_raw`; the caller holds a reference.
        unsafe { Arc::increment_strong_count(cache.cast::<Cache>()) };
        Ok(cache.cast_mut())
    })
    .unwrap_or(core::ptr::null_mut())
}

/// Gives a reference back; with the last the cache ends.
///
/// Parameters: `cache`: NULL does nothing.
/// Returns: nothing.
/// Owner: the reference is handed back. Tickets and cursors stay good; their memory, and what they need of the cache's,
/// goes with them.
/// Threads: any; other threads may use a cache of which they hold a reference.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `cache` is NULL or was not freed as often as it was made and retained.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_free(cache: *mut robots_cache) {
    if cache.is_null() {
        return;
    }
    // There is nobody to tell of a panic here.
    let _ = guarded(|| {
        // SAFETY: not null, so from `Arc::into_raw`; the caller gives this reference up.
        drop(unsafe { Arc::from_raw(cache.cast::<Cache>()) });
        Ok(())
    });
}
