//! `robots_cache_cursor`: what a cache keeps, record by record.

use super::cache::{cache_of, robots_cache};
use super::rules::robots_str;
use super::status::robots_status;
use super::{free, guarded, hand_out, handle_into};
use crate::cache::Export;
use crate::error::Error;

/// The records of a cache, one after the other. Made by `robots_cache_cursor_new`, ended by
/// `robots_cache_cursor_free`.
pub struct robots_cache_cursor {
    export: Export,
    record: Vec<u8>,
}

/// Begins to list what is kept, for another process or machine: each site one record, those first that would be
/// evicted first. Sites that come meanwhile may be left out, and sites that go are; nobody is held up.
///
/// Parameters: `cache`; `out`: receives the cursor.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
/// Owner: the caller, who ends it with `robots_cache_cursor_free`. It keeps the cache in being.
/// Threads: any, at any time.
/// Allocates: 16 octets for each site that is kept.
/// Small parts cannot fail, see SECURITY.md.
/// Since: 0.1.0
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
        hand_out(robots_cache_cursor {
            export: cache.export(),
            record: Vec::new(),
        })
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Gives the next record.
///
/// Parameters: `cursor`.
/// Returns: a record for `robots_cache_import`; an empty string when there are no more, or for NULL.
/// Owner: the cursor; valid until the next call with it.
/// Threads: one; no other may use the cursor meanwhile. Any may use the cache.
/// Allocates: the record; the one before is freed.
/// Since: 0.1.0
///
/// # Safety
/// `cursor` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_cursor_next(cursor: *mut robots_cache_cursor) -> robots_str {
    guarded(|| {
        // SAFETY: null becomes `None`; the caller promises that it is ours, and used by this thread alone.
        let cursor = unsafe { cursor.as_mut() }.ok_or(Error::Argument)?;
        cursor.record = cursor.export.next().ok_or(Error::Argument)?;
        Ok(robots_str::of(&cursor.record))
    })
    .unwrap_or(robots_str::EMPTY)
}

/// Ends a cursor.
///
/// Parameters: `cursor`: NULL does nothing.
/// Returns: nothing.
/// Owner: the cursor is handed back, with its last record.
/// Threads: one; no other may use the cursor meanwhile.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `cursor` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_cache_cursor_free(cursor: *mut robots_cache_cursor) {
    // SAFETY: the caller's promise, passed on.
    unsafe { free(cursor) };
}
