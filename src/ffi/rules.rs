//! `robots_rules`: a robots.txt, compiled for one crawler.

use core::ffi::c_char;
use core::mem::ManuallyDrop;
use core::ptr::NonNull;

use super::crawler::{crawler_of, robots_crawler};
use super::status::robots_status;
use super::verdict::robots_verdict;
use super::{guarded, handle_into, input, status_of, status_of_error, text};
use crate::error::Error;
use crate::image::{View, builder, flag};
use crate::rules;
use crate::rules::batch::{self, BatchVerdict, Offset};
use crate::util::shared_bytes::{Head, SharedBytes};
use crate::verdict::Verdict;

/// A robots.txt, compiled for one crawler: immutable, one block of memory, reference-counted. Any
/// number of threads may ask it at once. Made by `robots_rules_parse` and its like, ended by
/// `robots_rules_free`.
pub struct robots_rules {
    _opaque: [u8; 0],
}

/// A borrowed string: `len` octets at `ptr`, not NUL-terminated. `ptr` is NULL only where `len` is 0.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct robots_str {
    /// The first octet.
    pub ptr: *const c_char,
    /// How many octets there are.
    pub len: usize,
}

impl robots_str {
    pub(super) const EMPTY: robots_str = robots_str {
        ptr: core::ptr::null(),
        len: 0,
    };

    pub(super) fn of(octets: &[u8]) -> robots_str {
        robots_str {
            ptr: octets.as_ptr().cast(),
            len: octets.len(),
        }
    }
}

/// Batch verdict: the URL may not be fetched.
pub const ROBOTS_DISALLOWED: u8 = 0;
/// Batch verdict: the URL may be fetched.
pub const ROBOTS_ALLOWED: u8 = 1;
/// Batch verdict: it is no URL that can be decided on.
pub const ROBOTS_BAD_URL: u8 = 2;

const _: () = assert!(
    ROBOTS_DISALLOWED == BatchVerdict::Disallowed as u8
        && ROBOTS_ALLOWED == BatchVerdict::Allowed as u8
        && ROBOTS_BAD_URL == BatchVerdict::BadUrl as u8
);

/// The block of a caller's rules.
#[inline(always)]
fn block_of(rules: *const robots_rules) -> Result<NonNull<Head>, Error> {
    NonNull::new(rules.cast_mut().cast()).ok_or(Error::Argument)
}

/// The image of a caller's rules.
///
/// # Safety
/// `rules` is null or holds a reference during `'a`.
#[inline(always)]
unsafe fn image_of<'a>(rules: *const robots_rules) -> Result<&'a [u8], Error> {
    // SAFETY: rules are blocks, see `hand_out`; the caller vouches for the reference.
    Ok(unsafe { SharedBytes::octets(block_of(rules)?) })
}

/// Rules of their own for the caller.
pub(super) fn hand_out(image: &[u8]) -> Result<*mut robots_rules, Error> {
    let block = ManuallyDrop::new(SharedBytes::copy_of(image)?);
    Ok(block.as_raw().as_ptr().cast())
}

/// Compiles a robots.txt for a crawler.
///
/// Parameters: `crawler`; `body`, `body_len`: the octets of the file, any octets, also none; `out`:
/// receives the rules.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for `crawler` or `out` NULL, or `body` NULL with a length;
/// `ROBOTS_E_MEMORY`. Never an error because of what the file holds (SPEC 4.3). `*out` is NULL after an
/// error.
/// Owner: the caller, who ends the rules with `robots_rules_free`. `body` is not needed afterwards, nor is
/// the crawler.
/// Threads: any; many may parse with one crawler at once.
/// Allocates: the rules, one block smaller than the file as a rule, and work space that is freed.
/// Since: 0.1.0
///
/// # Safety
/// `crawler` is NULL or was not freed; `body` is readable for `body_len` octets; `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_parse(
    crawler: *const robots_crawler,
    body: *const c_char,
    body_len: usize,
    out: *mut *mut robots_rules,
) -> robots_status {
    let made = || {
        // SAFETY: the caller's promises, passed on.
        let (crawler, body) = unsafe { (crawler_of(crawler)?, text(body, body_len)?) };
        hand_out(&rules::compile(crawler, body)?)
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Makes the rules of a site that may be fetched as a whole, whatever the URL (SPEC 2.5).
///
/// Parameters: `out`: receives the rules.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for `out` NULL; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
/// Owner: the caller, who ends the rules with `robots_rules_free`.
/// Threads: any, at any time.
/// Allocates: the rules.
/// Since: 0.1.0
///
/// # Safety
/// `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_allow_all(out: *mut *mut robots_rules) -> robots_status {
    // SAFETY: passed on.
    unsafe { whole_site(flag::ALLOW_ALL, out) }
}

/// Makes the rules of a site of which nothing may be fetched (SPEC 2.8) but its robots.txt (SPEC 8.9).
///
/// Parameters: `out`: receives the rules.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for `out` NULL; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
/// Owner: the caller, who ends the rules with `robots_rules_free`.
/// Threads: any, at any time.
/// Allocates: the rules.
/// Since: 0.1.0
///
/// # Safety
/// `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_disallow_all(out: *mut *mut robots_rules) -> robots_status {
    // SAFETY: passed on.
    unsafe { whole_site(flag::DISALLOW_ALL, out) }
}

/// # Safety
/// `out` is null or writable.
unsafe fn whole_site(flags: u8, out: *mut *mut robots_rules) -> robots_status {
    let made = || hand_out(&builder::whole_site(flags)?);
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Decides on one URL: may the crawler fetch it, why, and by which line (SPEC 8).
///
/// Parameters: `rules`; `url`, `url_len`: an absolute URL, of which path and query count, or a path that
/// starts with `/`; any octets, of any length.
/// Returns: a verdict, see `robots_verdict`. Its status is `ROBOTS_E_URL` for what is no URL, `ROBOTS_E_ARG`
/// for `rules` NULL or `url` NULL with a length; it is then not allowed.
/// Owner: nothing is handed over.
/// Threads: any; many may ask one `robots_rules` at once. Takes no lock.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `rules` is NULL or was not freed; `url` is readable for `url_len` octets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_check(
    rules: *const robots_rules,
    url: *const c_char,
    url_len: usize,
) -> robots_verdict {
    guarded(|| {
        // SAFETY: the caller's promises, passed on.
        let (image, url) = unsafe { (image_of(rules)?, text(url, url_len)?) };
        Ok(rules::check_trusted(image, url))
    })
    .unwrap_or_else(Verdict::from_error)
    .bits()
}

/// Decides on many URLs at once. URL i is `text[offsets[i]]` to `text[offsets[i + 1]]`, the layout of
/// strings in Apache Arrow.
///
/// Parameters: `rules`; `text`: the URLs, one behind the other; `offsets`: `count + 1` offsets into it that
/// never decrease; `count`: the number of URLs, also 0; `verdicts`: receives `count` answers,
/// `ROBOTS_DISALLOWED`, `ROBOTS_ALLOWED` or `ROBOTS_BAD_URL`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for `rules`, `offsets` or `verdicts` NULL, `text` NULL with URLs that are
/// not empty, or offsets that decrease: then every answer is `ROBOTS_DISALLOWED`.
/// Owner: nothing is handed over.
/// Threads: as for `robots_rules_check`.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `rules` is NULL or was not freed; `offsets` is readable for `count + 1` elements, `text` up to the last of
/// them, and `verdicts` is writable for `count` octets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_check_batch(
    rules: *const robots_rules,
    text: *const c_char,
    offsets: *const u32,
    count: usize,
    verdicts: *mut u8,
) -> robots_status {
    // SAFETY: passed on.
    unsafe { check_batch(image_of(rules), text, offsets, count, verdicts) }
}

/// The same as `robots_rules_check_batch`, for texts of 4 GiB and more.
///
/// Parameters: as for `robots_rules_check_batch`, with offsets of 64 bits.
/// Returns: as for `robots_rules_check_batch`.
/// Owner: nothing is handed over.
/// Threads: as for `robots_rules_check`.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// As for `robots_rules_check_batch`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_check_batch64(
    rules: *const robots_rules,
    text: *const c_char,
    offsets: *const u64,
    count: usize,
    verdicts: *mut u8,
) -> robots_status {
    // SAFETY: passed on.
    unsafe { check_batch(image_of(rules), text, offsets, count, verdicts) }
}

/// # Safety
/// As for `robots_rules_check_batch`.
pub(super) unsafe fn check_batch<O: Offset>(
    image: Result<&[u8], Error>,
    text: *const c_char,
    offsets: *const O,
    count: usize,
    verdicts: *mut u8,
) -> robots_status {
    if count == 0 {
        return status_of(|| image.map(|_| ()));
    }
    if verdicts.is_null() || isize::try_from(count).is_err() {
        return status_of_error(Error::Argument);
    }
    // SAFETY: not null, of a possible size, octets of any value; the caller vouches for the rest.
    // Written before there is a reference, since the caller need not have written it.
    let answers = unsafe {
        verdicts.write_bytes(ROBOTS_DISALLOWED, count);
        core::slice::from_raw_parts_mut(verdicts, count)
    };
    status_of(|| {
        // SAFETY: the caller's promise.
        let offsets = unsafe { input(offsets, count + 1)? };
        let end = offsets
            .last()
            .and_then(|end| end.index())
            .ok_or(Error::Argument)?;
        // SAFETY: the caller promises as many octets as the last offset says.
        let text = unsafe { super::text(text, end)? };
        batch::check(image?, text, offsets, answers)
    })
}

/// Gives the crawl-delay of the groups that the crawler obeys (SPEC 9.2).
///
/// Parameters: `rules`.
/// Returns: seconds, 0 or more; of several the longest. NaN if none is given, or for `rules` NULL.
/// Owner: nothing is handed over.
/// Threads: any; many may ask one `robots_rules` at once.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `rules` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_crawl_delay(rules: *const robots_rules) -> f64 {
    // SAFETY: the caller's promise, passed on.
    guarded(|| View::open(unsafe { image_of(rules)? }))
        .ok()
        .and_then(View::crawl_delay)
        .unwrap_or(f64::NAN)
}

/// Counts the sitemaps of the file (SPEC 9.1).
///
/// Parameters: `rules`.
/// Returns: how many there are; 0 for `rules` NULL.
/// Owner: nothing is handed over.
/// Threads: any; many may ask one `robots_rules` at once.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `rules` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_sitemap_count(rules: *const robots_rules) -> usize {
    // SAFETY: the caller's promise, passed on.
    guarded(|| View::open(unsafe { image_of(rules)? })).map_or(0, View::sitemap_count)
}

/// Gives one sitemap of the file, as it is written (SPEC 9.1).
///
/// Parameters: `rules`; `index`: 0 to `robots_rules_sitemap_count(rules)` - 1, in the order of the file.
/// Returns: the address; an empty string past the last, or for `rules` NULL.
/// Owner: the rules; valid until `robots_rules_free` takes their last reference.
/// Threads: any; many may ask one `robots_rules` at once.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `rules` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_sitemap(
    rules: *const robots_rules,
    index: usize,
) -> robots_str {
    // SAFETY: the caller's promise, passed on.
    let sitemap = guarded(|| Ok(View::open(unsafe { image_of(rules)? })?.sitemap(index)));
    sitemap
        .ok()
        .flatten()
        .map_or(robots_str::EMPTY, robots_str::of)
}

/// Adds a reference, so that one more `robots_rules_free` is needed.
///
/// Parameters: `rules`.
/// Returns: `rules`; NULL for NULL, or past 2^63 - 1 references (2^31 - 1 on 32-bit machines).
/// Owner: the caller owns one reference more.
/// Threads: any; many may retain one `robots_rules` at once.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `rules` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_retain(rules: *const robots_rules) -> *mut robots_rules {
    let retained = guarded(|| {
        // SAFETY: the caller holds a reference, which stays the caller's.
        let block = ManuallyDrop::new(unsafe { SharedBytes::from_raw(block_of(rules)?) });
        block.retain().map(ManuallyDrop::new)
    });
    match retained {
        Ok(_) => rules.cast_mut(),
        Err(_) => core::ptr::null_mut(),
    }
}

/// Gives a reference back; with the last the rules end.
///
/// Parameters: `rules`: NULL does nothing.
/// Returns: nothing.
/// Owner: the reference is handed back; with the last the rules, and all that was borrowed from them, must
/// not be used again.
/// Threads: any; other threads may use rules of which they hold a reference.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `rules` is NULL or was not freed as often as it was made and retained.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_free(rules: *mut robots_rules) {
    // There is nobody to tell of an error here.
    let _ = guarded(|| {
        // SAFETY: the caller gives up one reference.
        drop(unsafe { SharedBytes::from_raw(block_of(rules)?) });
        Ok(())
    });
}

/// Gives the compiled rules as one flat block, to be stored, sent, or decided on in place with
/// `robots_image_check`.
///
/// Parameters: `rules`.
/// Returns: the image; empty for `rules` NULL.
/// Owner: the rules; valid until `robots_rules_free` takes their last reference.
/// Threads: any; many may ask one `robots_rules` at once.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `rules` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_image(rules: *const robots_rules) -> robots_str {
    // SAFETY: the caller's promise, passed on.
    guarded(|| unsafe { image_of(rules) }).map_or(robots_str::EMPTY, robots_str::of)
}
