//! `robots_rules`: a robots.txt, compiled for one crawler.

use core::ffi::c_char;
use core::mem::ManuallyDrop;
use core::ptr::NonNull;

use super::crawler::{crawler_of, robots_crawler};
use super::status::robots_status;
use super::string::robots_str;
use super::verdict::robots_verdict;
use super::{
    guarded, handle_into, input, result_into, sized_output, status_of, status_of_error, text,
};
use crate::error::Error;
use crate::image::{View, builder, flag};
use crate::rules;
use crate::rules::batch::{self, BatchVerdict, Offset};
use crate::rules::effective;
use crate::util::shared_bytes::{SharedBytes, SharedHead};
use crate::verdict::Verdict;

/// The rules of a robots.txt, compiled for one crawler: one block of memory, immutable and reference-counted.
///
/// Owner: created by `robots_rules_parse` and others, freed by `robots_rules_free`.
/// Threads: any number of threads may use it at once. Checking a URL takes no lock.
/// Allocates: the functions that create it. No function aborts when out of memory.
pub struct robots_rules {
    _opaque: [u8; 0],
}

/// Batch result: the URL may not be fetched.
pub const ROBOTS_DISALLOWED: u8 = BatchVerdict::Disallowed as u8;
/// Batch result: the URL may be fetched.
pub const ROBOTS_ALLOWED: u8 = BatchVerdict::Allowed as u8;
/// Batch result: not a URL that can be checked; do not fetch it.
pub const ROBOTS_BAD_URL: u8 = BatchVerdict::BadUrl as u8;

/// The block of a caller's rules.
#[inline(always)]
fn block_of(rules: *const robots_rules) -> Result<NonNull<SharedHead>, Error> {
    NonNull::new(rules.cast_mut().cast()).ok_or(Error::Argument)
}

/// The image of a caller's rules.
///
/// # Safety
/// `rules` is null or holds a reference during `'a`.
#[inline(always)]
unsafe fn image_of<'a>(rules: *const robots_rules) -> Result<&'a [u8], Error> {
    // SAFETY: rules are blocks, see `into_handle`; the caller guarantees the reference.
    Ok(unsafe { SharedBytes::bytes(block_of(rules)?) })
}

/// Returns rules as a handle for the caller.
pub(super) fn into_handle(image: &[u8]) -> Result<*mut robots_rules, Error> {
    let block = ManuallyDrop::new(SharedBytes::copy_of(image)?);
    Ok(block.as_raw().as_ptr().cast())
}

/// Parses a robots.txt for a crawler and compiles the rules that apply to it.
///
/// Parameters: `body`, `body_len`: the bytes of the file, any bytes, also none, after its content coding is undone.
/// `out`: receives the rules.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`. The content of the file is never an error (SPEC 4.3), so
/// bytes that are still compressed allow every URL; `robots_outcome_from_status` reports them as unreachable (SPEC 2.17).
/// A fetch that failed has no file, which is not an empty one: pass its status to that function.
/// Allocates: the rules, one block that is usually smaller than the file, and work space that is freed.
///
/// # Safety
/// `crawler` is NULL or was not freed; `body` is readable for `body_len` bytes; `out` is NULL or writable.
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
        into_handle(&rules::compile(crawler, body)?)
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Creates rules that allow every URL (SPEC 2.5).
///
/// Parameters: `out`: receives the rules.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
///
/// # Safety
/// `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_allow_all(out: *mut *mut robots_rules) -> robots_status {
    // SAFETY: passed on.
    unsafe { whole_site(flag::ALLOW_ALL, out) }
}

/// Creates rules that disallow every URL (SPEC 2.6) except /robots.txt (SPEC 8.9).
///
/// Parameters: `out`: receives the rules.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
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
    let made = || into_handle(&builder::whole_site(flags)?);
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Checks one URL: may the crawler fetch it, why, and by which line (SPEC 8). Takes no lock.
///
/// Parameters: `url`, `url_len`: an absolute URL (its path and query count) or a path that starts with `/`; any
/// bytes, any length. Pass the URL that the client requests, as its URL library normalised it: dot segments such as
/// `/a/../b` are not resolved.
/// Returns: a verdict. Its status is `ROBOTS_E_URL` if `url` is not a URL, `ROBOTS_E_ARG`, or `ROBOTS_E_MEMORY` for a
/// canonical path of more than 64 KiB; then it is not allowed.
/// Allocates: nothing, or for a canonical path of more than 64 KiB or hostile rules work space that is freed.
///
/// # Safety
/// `rules` is NULL or was not freed; `url` is readable for `url_len` bytes.
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

/// Checks one URL by a robots.txt and keeps nothing: the verdict of `robots_rules_parse` and `robots_rules_check`,
/// in a fraction of their time. For several URLs of a site, parse once.
///
/// Parameters: `body`, `body_len`: as for `robots_rules_parse`. `url`, `url_len`: as for `robots_rules_check`.
/// Returns: a verdict as from `robots_rules_check`.
/// Allocates: nothing, or work space that is freed: for a canonical path of more than 64 KiB, for a rule that is not
/// written in canonical form and has 512 bytes or more in it, and for hostile rules.
///
/// # Safety
/// `crawler` is NULL or was not freed; `body` is readable for `body_len` bytes, `url` for `url_len`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_check_once(
    crawler: *const robots_crawler,
    body: *const c_char,
    body_len: usize,
    url: *const c_char,
    url_len: usize,
) -> robots_verdict {
    guarded(|| {
        // SAFETY: the caller's promises, passed on.
        let (crawler, body) = unsafe { (crawler_of(crawler)?, text(body, body_len)?) };
        // SAFETY: as above.
        let url = unsafe { text(url, url_len)? };
        Ok(crawler.check_once(body, url))
    })
    .unwrap_or_else(Verdict::from_error)
    .bits()
}

/// Checks many URLs. URL i is `text[offsets[i]]` to `text[offsets[i + 1]]`, the layout of strings in Apache Arrow.
///
/// Parameters: `text`: the URLs, one after the other. `offsets`: `count + 1` offsets into `text` that never decrease.
/// `count`: the number of URLs; with 0 `offsets` and `verdicts` may be NULL. `verdicts`: receives `count` results:
/// `ROBOTS_DISALLOWED`, `ROBOTS_ALLOWED` or `ROBOTS_BAD_URL`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL or offsets that decrease: then every result is `ROBOTS_DISALLOWED`.
///
/// # Safety
/// `rules` is NULL or was not freed; `offsets` is readable for `count + 1` elements, `text` up to the last of
/// them, and `verdicts` is writable for `count` bytes.
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

/// Checks many URLs, with 64-bit offsets for texts of 4 GiB and more.
///
/// Parameters: as for `robots_rules_check_batch`, with offsets of 64 bits.
/// Returns: as for `robots_rules_check_batch`.
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
    // SAFETY: not null, of a possible size, bytes of any value; the caller guarantees the rest.
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
        // SAFETY: the caller promises as many bytes as the last offset says.
        let text = unsafe { super::text(text, end)? };
        batch::check(image?, text, offsets, answers)
    })
}

/// Returns the crawl-delay of the groups that apply to the crawler (SPEC 9.2).
///
/// Returns: seconds, 0 or more; the longest if there are several; NaN if there is none, or for NULL.
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

/// Returns the number of sitemaps in the file (SPEC 9.1).
///
/// # Safety
/// `rules` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_sitemap_count(rules: *const robots_rules) -> usize {
    // SAFETY: the caller's promise, passed on.
    guarded(|| View::open(unsafe { image_of(rules)? })).map_or(0, View::sitemap_count)
}

/// Returns one sitemap of the file, as it is written (SPEC 9.1).
///
/// Parameters: `index`: 0 to `robots_rules_sitemap_count(rules)` - 1, in the order of the file.
/// Returns: the address; empty for an index out of range.
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
        .map_or(robots_str::EMPTY, robots_str::new)
}

/// One rule that can decide. Set `size` to `sizeof(robots_rule)` before each call.
#[repr(C)]
pub struct robots_rule {
    /// `sizeof(robots_rule)`; later versions add fields at the end only.
    pub size: usize,
    /// The path in canonical form (SPEC 8.6), as it is compared: `*` is the wildcard and a final `$` the end of the URL, but
    /// not in koster1996. Any bytes. A pattern with more `*` than it needs is an equivalent one of the same length.
    pub pattern: robots_str,
    /// The number of the line, from 1; 0 for a site-wide rule that no line states.
    pub line: u32,
    /// 1 if the rule allows, 0 if it disallows.
    pub allow: u32,
}

/// The list of a caller's rules.
///
/// # Safety
/// As for [`image_of`].
unsafe fn effective_rules<'a>(rules: *const robots_rules) -> Result<&'a [u8], Error> {
    // SAFETY: as for `image_of`.
    unsafe { SharedBytes::attached(block_of(rules)?, effective::list) }
}

/// Returns the number of rules that can decide, for callers that show them. Not a way to a verdict:
/// `robots_rules_check` is. Left out are rules that never decide: equal to an earlier one, without a path, or with a
/// path that matches no URL (SPEC 8.5). In google a rule for `/index.htm` is followed by its directory (SPEC 8.10).
/// Rules that disallow the whole site are one rule, `/`.
///
/// Parameters: `out`: receives the number; 0 after an error.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`, also for patterns of more than 64 MiB.
/// Allocates: the list, at the first call of this function or `robots_rules_rule`; the rules keep it.
///
/// # Safety
/// `rules` is NULL or was not freed; `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_rule_count(
    rules: *const robots_rules,
    out: *mut usize,
) -> robots_status {
    // SAFETY: the caller's promises, passed on.
    unsafe { result_into(out, 0, || Ok(effective::count_in(effective_rules(rules)?))) }
}

/// Returns one of the rules that can decide.
///
/// Parameters: `index`: 0 to the number of `robots_rules_rule_count` - 1, in the order of the file. `out`: receives the
/// rule; set its `size` first.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, an index out of range or a `size` that is too small;
/// `ROBOTS_E_MEMORY`.
/// Owner: the pattern belongs to the rules.
/// Allocates: as for `robots_rules_rule_count`.
///
/// # Safety
/// `rules` is NULL or was not freed; `out` is NULL or writable for as many bytes as its `size` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_rule(
    rules: *const robots_rules,
    index: usize,
    out: *mut robots_rule,
) -> robots_status {
    // SAFETY: the caller's promises, passed on.
    unsafe {
        sized_output(out, || {
            let list = effective_rules(rules)?;
            let rule = effective::get_in(list, index).ok_or(Error::Argument)?;
            Ok(robots_rule {
                size: 0,
                pattern: robots_str::new(rule.pattern()),
                line: rule.line(),
                allow: rule.allow().into(),
            })
        })
    }
}

/// Adds a reference: one more `robots_rules_free` is needed.
///
/// Returns: `rules`; NULL for NULL, and at 2^63 - 1 references (2^31 - 1 on 32-bit machines).
/// Owner: the caller has one more reference.
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

/// Releases a reference. The last one frees the rules and everything borrowed from them.
///
/// Threads: other threads may use the rules if they have a reference of their own.
///
/// # Safety
/// `rules` is NULL or was not freed as often as it was made and retained.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_free(rules: *mut robots_rules) {
    // An error cannot be reported here.
    let _ = guarded(|| {
        // SAFETY: the caller gives up one reference.
        drop(unsafe { SharedBytes::from_raw(block_of(rules)?) });
        Ok(())
    });
}

/// Returns the compiled rules as one flat block of bytes. Store it, send it, or check URLs on it in place with
/// `robots_image_check`.
///
/// Returns: the image; empty for NULL.
///
/// # Safety
/// `rules` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_image(rules: *const robots_rules) -> robots_str {
    // SAFETY: the caller's promise, passed on.
    guarded(|| unsafe { image_of(rules) }).map_or(robots_str::EMPTY, robots_str::new)
}
