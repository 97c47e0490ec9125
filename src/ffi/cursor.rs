//! `robots_cache_cursor`: the records of a cache.

use super::cache::{cache_of, robots_cache};
use super::status::robots_status;
use super::string::robots_str;
use super::{free, guarded, handle_into, into_handle};
use crate::cache::Export;
use crate::error::Error;

/// A list of the records of a cache.
///
/// Owner: created by `robots_cache_cursor_new`, freed by `robots_cache_cursor_free`.
/// Threads: one thread at a time; others may use the cache.
/// Allocates: functions as noted.
pub struct robots_cache_cursor {
    export: Export,
    record: Vec<u8>,
}

/// Starts a list of what the cache holds, for another process or machine: one record for each site, in the order of
/// eviction. Sites that are added during the list may be missing, and sites that are removed are. Nobody is blocked.
///
/// Parameters: `cache`. `out`: receives the cursor, which keeps the cache alive.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
/// Allocates: 16 bytes for each site; may abort when out of memory.
///
/// # Safety
/// `cache` is NULL or was not freed; `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_cursor_new(
    cache: *const robots_cache,
    out: *mut *mut robots_cache_cursor,
) -> robots_status {
    let made = || {
        // SAFETY: the caller's promise, passed on.
        let cache = unsafe { cache_of(cache)? };
        into_handle(robots_cache_cursor {
            export: cache.export(),
            record: Vec::new(),
        })
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Returns the next record.
///
/// Returns: a record for `robots_cache_import`; empty after the last, and for NULL.
/// Owner: the cursor; valid until the next call with it.
/// Allocates: the record; the one before is freed.
///
/// # Safety
/// `cursor` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_cursor_next(cursor: *mut robots_cache_cursor) -> robots_str {
    guarded(|| {
        // SAFETY: null becomes `None`; the caller promises that it is ours, and used by this thread alone.
        let cursor = unsafe { cursor.as_mut() }.ok_or(Error::Argument)?;
        cursor.record = cursor.export.next().ok_or(Error::Argument)?;
        Ok(robots_str::new(&cursor.record))
    })
    .unwrap_or(robots_str::EMPTY)
}

/// Frees a cursor and its last record.
///
/// # Safety
/// `cursor` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_cursor_free(cursor: *mut robots_cache_cursor) {
    // SAFETY: the caller's promise, passed on.
    unsafe { free(cursor) };
}
