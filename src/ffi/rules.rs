//! `robots_rules`: a robots.txt, compiled for one crawler.

use core::mem::ManuallyDrop;
use core::ptr::NonNull;

use super::convert::*;
use super::crawler::robots_crawler;

use crate::bytes::shared_bytes::SharedBytes;
use crate::core::rules::Rules;
use crate::core::rules::batch::BatchVerdict;

/// The rules of a robots.txt, compiled for one crawler: one block of memory, immutable and reference-counted.
///
/// Owner: created by `robots_rules_parse` and others, freed by `robots_rules_free`.
/// Threads: any number of threads may use it at once. Checking a URL takes no lock.
/// Allocates: the functions that create it. No function aborts when out of memory.
pub struct robots_rules {
    _opaque: [u8; 0],
}

/// A caller's rules: [`Rules`] without their reference, which stays the caller's.
///
/// # Safety
/// `rules` is null or holds a reference for as long as the result is used.
#[inline(always)]
pub(super) unsafe fn rules_of(rules: *const robots_rules) -> Result<ManuallyDrop<Rules>, Error> {
    let block = NonNull::new(rules.cast_mut().cast()).ok_or(Error::Argument)?;
    // SAFETY: a handle is the block of its rules, see `into_handle`; the caller guarantees the reference.
    Ok(ManuallyDrop::new(Rules::from_block(unsafe {
        SharedBytes::from_raw(block)
    })))
}

/// Returns rules as a handle for the caller, with their reference.
fn into_handle(rules: Rules) -> *mut robots_rules {
    let rules = ManuallyDrop::new(rules);
    borrowed_handle(&rules)
}

/// [`handle_into`], for rules.
///
/// # Safety
/// As for [`super::output`].
#[inline(always)]
pub(super) unsafe fn rules_into(
    out: *mut *mut robots_rules,
    body: impl FnOnce() -> Result<Rules, Error>,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe { handle_into(out, || body().map(into_handle)) }
}

/// Returns rules as a handle that lives as long as they do.
pub(super) fn borrowed_handle(rules: &Rules) -> *mut robots_rules {
    rules.block().as_raw().as_ptr().cast()
}

/// Parses a robots.txt for a crawler and compiles the rules that apply to it.
///
/// Parameters: `body`, `body_len`: the bytes of the file, any bytes, also none, after its content coding is undone.
/// `out`: receives the rules.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`. The content of the file is never an error (SPEC 4.3). Bytes
/// that are still compressed have the rules of an unreachable site, except in google (SPEC 4.4).
/// A fetch that failed has no file, which is not an empty one: pass its status to that function.
/// Allocates: the rules, one block that is usually smaller than the file, and work space that is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_parse(
    crawler: *const robots_crawler,
    body: *const c_char,
    body_len: usize,
    out: *mut *mut robots_rules,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        rules_into(out, || {
            Rules::compiled(&borrowed(crawler)?.0, text(body, body_len)?)
        })
    }
}

/// Creates rules that allow every URL (SPEC 2.5), or none (SPEC 2.6) except /robots.txt (SPEC 8.9).
///
/// Parameters: `allow`: `ROBOTS_ALLOWED` or `ROBOTS_DISALLOWED`. `out`: receives the rules.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_site_wide(
    allow: u32,
    out: *mut *mut robots_rules,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        rules_into(out, || match BatchVerdict::from_code(allow) {
            Some(BatchVerdict::Allowed) => Rules::site_wide(true),
            Some(BatchVerdict::Disallowed) => Rules::site_wide(false),
            Some(BatchVerdict::BadUrl) | None => Err(Error::Argument),
        })
    }
}

/// Checks one URL: may the crawler fetch it, why, and by which line (SPEC 8). Takes no lock.
///
/// Parameters: `url`, `url_len`: an absolute URL (its path and query count) or a path that starts with `/`; any
/// bytes, any length. A URL that clients read differently, such as `/a/../b`, is allowed only if each reading is (SPEC
/// 8.11); in google, pass the URL that the client requests.
/// Returns: a verdict. Its status is `ROBOTS_E_URL` if `url` is not a URL or its canonical path has more than 64 KiB, or
/// `ROBOTS_E_ARG`; then it is not allowed. For rules of `robots_rules_borrow_image` also
/// `ROBOTS_E_IMAGE`.
/// Allocates: nothing for a canonical path of up to 16 KiB (SPEC 8.12), else work space that is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_check(
    rules: *const robots_rules,
    url: *const c_char,
    url_len: usize,
) -> robots_verdict {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe { verdict_of(|| Ok(rules_of(rules)?.check_bytes(text(url, url_len)?))) }
}

/// Checks one URL by a robots.txt and keeps nothing: the verdict of `robots_rules_parse` and `robots_rules_check`,
/// in a fraction of their time. To check several URLs, parse the file once.
///
/// Parameters: `body`, `body_len`: as for `robots_rules_parse`. `url`, `url_len`: as for `robots_rules_check`.
/// Returns: a verdict as from `robots_rules_check`.
/// Allocates: nothing for a canonical path of up to 16 KiB, unless a rule that is not written in canonical form has 512 bytes or
/// more, or clients read the URL differently (SPEC 8.11); else work space that is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_check_once(
    crawler: *const robots_crawler,
    body: *const c_char,
    body_len: usize,
    url: *const c_char,
    url_len: usize,
) -> robots_verdict {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        verdict_of(|| {
            Ok(borrowed(crawler)?
                .0
                .check_once(text(body, body_len)?, text(url, url_len)?))
        })
    }
}

/// Checks many URLs. URL i is `text[offsets[i]]` to `text[offsets[i + 1]]`, the layout of strings in Apache Arrow.
///
/// Parameters: `text`: the URLs, one after the other. `offsets`: `count + 1` offsets into `text` that never decrease.
/// `count`: the number of URLs; with 0 `offsets` and `verdicts` may be NULL. `verdicts`: receives `count` results, each
/// one of `enum robots_batch_result`; it overlaps with neither `text` nor `offsets`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, for offsets that decrease and for `verdicts` that overlap: then every
/// result is `ROBOTS_DISALLOWED`. If borrowed rules turn out to be damaged, the result is `ROBOTS_BAD_URL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_check_batch(
    rules: *const robots_rules,
    text: *const c_char,
    offsets: *const u64,
    count: usize,
    verdicts: *mut u8,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        let rules = rules_of(rules);
        if count == 0 {
            return status_of(|| rules.map(|_| ()));
        }
        if verdicts.is_null() || isize::try_from(count).is_err() {
            return Stop::from(Error::Argument).status();
        }
        // Written before there is a reference, since the caller need not have done so.
        verdicts.write_bytes(BatchVerdict::Disallowed as u8, count);
        status_of(|| {
            let offsets = input(offsets, count + 1)?;
            let end = offsets.last().copied().unwrap_or_default();
            let end = usize::try_from(end).map_err(|_| Error::Argument)?;
            let text = super::convert::text(text, end)?;
            let places = verdicts.addr()..verdicts.addr().saturating_add(count);
            if overlaps(&places, offsets) || overlaps(&places, text) {
                return Err(Error::Argument);
            }
            // The bytes that were written above; they are no input.
            let verdicts = core::slice::from_raw_parts_mut(verdicts, count);
            rules?.check_batch(text, offsets, verdicts)
        })
    }
}

/// Whether `input` has bytes at one of these addresses.
fn overlaps<T>(places: &core::ops::Range<usize>, input: &[T]) -> bool {
    let input = input.as_ptr_range();
    input.start.addr() < places.end && places.start < input.end.addr()
}

/// Returns the crawl-delay of the groups that apply to the crawler (SPEC 9.2).
///
/// Returns: seconds, 0 or more, the longest if there are several. A file may state any number, such as 1e20: limit it
/// before you convert it to an integer. NaN if there is none, or for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_crawl_delay(rules: *const robots_rules) -> f64 {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe { guarded(|| rules_of(rules)?.crawl_delay().ok_or(Error::Argument)).unwrap_or(f64::NAN) }
}

/// Returns one sitemap of the file, as it is written (SPEC 9.1).
///
/// Parameters: `index`: from 0, in the order of the file. `out`: receives the address, which belongs to the rules.
/// Returns: `ROBOTS_OK`; `ROBOTS_END` after the last; `ROBOTS_E_ARG`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_sitemap(
    rules: *const robots_rules,
    index: usize,
    out: *mut robots_str,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        result_into(out, robots_str::EMPTY, || {
            let rules = rules_of(rules)?;
            Ok(robots_str::new(rules.sitemap(index).ok_or(Stop::End)?))
        })
    }
}

/// Returns the verdict that does not depend on the URL, so that a binding need not call for each URL.
///
/// Returns: the verdict on every URL except /robots.txt if the rules are site-wide or no group applies; reason
/// `ROBOTS_REASON_NONE` and status `ROBOTS_OK` if the verdict depends on the URL. Its status is `ROBOTS_E_ARG` for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_site_verdict(rules: *const robots_rules) -> robots_verdict {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        guarded(|| Ok(rules_of(rules)?.site_verdict()))
            .unwrap_or_else(|error| Some(Verdict::from_error(error)))
            .map_or(robots_verdict { bits: 0 }, robots_verdict::from)
    }
}

/// Adds a reference: one more `robots_rules_free` is needed.
///
/// Returns: `rules`; NULL for NULL, and at 2^63 - 1 references (2^31 - 1 on 32-bit machines).
/// Owner: the caller has one more reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_retain(rules: *const robots_rules) -> *mut robots_rules {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        let retained = guarded(|| rules_of(rules)?.retain().map(into_handle));
        retained.unwrap_or(core::ptr::null_mut())
    }
}

/// Releases a reference. The last one frees the rules and everything borrowed from them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_free(rules: *mut robots_rules) {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        // An error cannot be reported here.
        let _ = guarded(|| {
            drop(ManuallyDrop::into_inner(rules_of(rules)?));
            Ok(())
        });
    }
}

/// Returns the compiled rules as one flat block of bytes. Store it or send it; `robots_rules_from_image`,
/// `robots_rules_borrow_image` and `robots_image_check` read it.
///
/// Returns: the image; empty for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_image(rules: *const robots_rules) -> robots_str {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        match guarded(|| rules_of(rules)) {
            Ok(rules) => string_of(|| Ok(rules.image())),
            Err(_) => robots_str::EMPTY,
        }
    }
}
