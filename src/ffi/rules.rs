//! `robots_rules`: a robots.txt, compiled for one crawler.

use core::ffi::CStr;
use core::mem::ManuallyDrop;
use core::ptr::NonNull;

use super::convert::*;
use super::crawler::robots_crawler;
use crate::bytes::shared_bytes::SharedBytes;
use crate::core::rules::Rules;
use crate::core::rules::batch::BatchVerdict;

/// The rules of a robots.txt, compiled for one crawler into one block of memory. Immutable and reference-counted.
///
/// Owner: created by `robots_rules_parse` and others, freed by `robots_rules_free`.
/// Threads: any number of threads may use it at the same time. Checking a URL takes no lock.
/// Allocates: the functions that create it, and others as noted. No function aborts when out of memory.
pub struct robots_rules {
    _opaque: [u8; 0],
}

const ALLOW: &CStr = why!("allow is neither ROBOTS_ALLOWED nor ROBOTS_DISALLOWED");
const TEXT: &CStr =
    why!("text is NULL, but the last of offsets is not 0: pass the concatenated URLs");
const OFFSETS: &CStr = why!(
    "offsets is NULL or not aligned, or its offsets decrease or exceed text: pass count + 1 offsets, the first and the last byte of text included"
);
const RETAIN: &CStr =
    why!("rules has no room for another reference: free those that are no longer in use");
const VERDICTS: &CStr = why!(
    "verdicts is NULL, has fewer than count bytes, or overlaps with text or offsets: pass a buffer of count bytes of its own"
);

/// Returns a caller's rules. The result does not release the reference, because the reference stays the caller's.
///
/// # Safety
/// `rules` is null, or holds a reference as long as the result is used.
#[inline(always)]
pub(super) unsafe fn rules_at(
    rules: *const robots_rules,
    why: &'static CStr,
) -> Result<ManuallyDrop<Rules>, Error> {
    let block = NonNull::new(rules.cast_mut().cast()).ok_or_else(|| refuse(why))?;
    // SAFETY: a handle is the block of its rules, see `borrowed_handle`; the caller guarantees the reference.
    let block = unsafe { SharedBytes::from_raw(block) };
    Ok(ManuallyDrop::new(Rules::from_block(block)))
}

/// Calls [`rules_at`]. An error names the parameter.
macro_rules! rules_of {
    ($rules:ident) => {
        rules_at($rules, null_handle!($rules))
    };
}
pub(super) use rules_of;

/// Returns a handle that takes over the reference of `rules`.
pub(super) fn handle_of(rules: Rules) -> *mut robots_rules {
    borrowed_handle(&ManuallyDrop::new(rules))
}

/// Returns a handle that is valid as long as `rules`.
pub(super) fn borrowed_handle(rules: &Rules) -> *mut robots_rules {
    rules.block().as_raw().as_ptr().cast()
}

/// Parses a robots.txt, and compiles the rules that apply to the crawler.
///
/// Parameters: `body`, `body_len`: the file without content coding, any bytes, including none. `out`: the rules.
/// Returns: `ROBOTS_OK`. The content of the file is never an error (SPEC 4.3). If the body is still compressed, every
/// check returns `ROBOTS_REASON_UNREACHABLE`, except in google (SPEC 4.4). If the body is an address, such as
/// `https://example.com/robots.txt` or `robots.txt`, every check returns `ROBOTS_E_ARG` (SPEC 4.7). After a failed fetch
/// do not pass an empty body: pass the HTTP status to `robots_outcome_from_status`.
/// Allocates: the rules, one block that is usually smaller than the file, and work space that is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_parse(
    crawler: *const robots_crawler,
    body: *const c_char,
    body_len: usize,
    out: *mut *mut robots_rules,
) -> robots_status {
    exported!(result_into(out, null_mut(), || {
        let robots_crawler(crawler) = borrowed!(crawler)?;
        Ok(handle_of(Rules::given(crawler, bytes!(body, body_len)?)?))
    }))
}

/// Creates rules that allow every URL (SPEC 2.5), or only /robots.txt (SPEC 2.6, 8.9).
///
/// Parameters: `allow`: `ROBOTS_ALLOWED` or `ROBOTS_DISALLOWED`. `out`: receives the rules.
/// Returns: `ROBOTS_OK`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_site_wide(
    allow: u32,
    out: *mut *mut robots_rules,
) -> robots_status {
    exported!(result_into(out, null_mut(), || {
        let allow = match BatchVerdict::from_code(allow) {
            Some(BatchVerdict::Allowed) => true,
            Some(BatchVerdict::Disallowed) => false,
            Some(BatchVerdict::BadUrl) | None => return Err(refuse(ALLOW).into()),
        };
        Ok(handle_of(Rules::site_wide(allow)?))
    }))
}

/// Checks one URL: whether the crawler may fetch the URL, why, and which line decides (SPEC 8). Takes no lock.
///
/// Parameters: `url`, `url_len`: an absolute URL, whose path and query matter, or a path that starts with `/`; any bytes,
/// any length. A URL that clients read differently, such as `/a/../b`, is allowed only if each reading is allowed (SPEC 8.11).
/// In google, pass the URL that the client requests.
/// Returns: a verdict. After an error its status is not `ROBOTS_OK` and the URL is not allowed: `ROBOTS_E_URL` if `url` is
/// not a URL or its canonical path exceeds 64 KiB; `ROBOTS_E_IMAGE` only for rules of `robots_rules_borrow_image`. If the
/// verdict is site-wide, every URL of the site except /robots.txt has this verdict (SPEC 8.13).
/// Allocates: nothing if the URL and its canonical form have at most 16 KiB each (SPEC 8.12), otherwise work space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_check(
    rules: *const robots_rules,
    url: *const c_char,
    url_len: usize,
) -> robots_verdict {
    exported!(verdict_of(|| Ok::<_, Error>(
        rules_of!(rules)?.check_from(bytes!(url, url_len)?, None)
    )))
}

/// Checks one URL with a robots.txt and keeps nothing. Returns the verdict of `robots_rules_parse` and
/// `robots_rules_check` in a fraction of their time. To check several URLs, parse the file once.
///
/// Parameters: `body`, `body_len`: as for `robots_rules_parse`. `url`, `url_len`: as for `robots_rules_check`.
/// Returns: a verdict as from `robots_rules_check`.
/// Allocates: nothing if the URL and its canonical form have at most 16 KiB each; otherwise work space that is freed. Work
/// space is also needed for a rule that is not canonical and has more than 512 bytes in canonical form, and for a URL that
/// clients read differently (SPEC 8.11).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_check_once(
    crawler: *const robots_crawler,
    body: *const c_char,
    body_len: usize,
    url: *const c_char,
    url_len: usize,
) -> robots_verdict {
    exported!(verdict_of(|| {
        let robots_crawler(crawler) = borrowed!(crawler)?;
        Ok::<_, Error>(crawler.check_once(bytes!(body, body_len)?, bytes!(url, url_len)?))
    }))
}

/// Checks many URLs. URL i begins at `text[offsets[i]]` and ends before `text[offsets[i + 1]]`, as in Apache Arrow.
///
/// Parameters: `text`: the concatenated URLs. `offsets`: `count + 1` offsets into `text`; they never decrease. `count`:
/// the number of URLs; if it is 0, `offsets` and `verdicts` may be NULL. `verdicts`: receives `count` results, each one
/// of `enum robots_batch_result`; it overlaps with neither `text` nor `offsets`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, for offsets that decrease and for `verdicts` that overlap. After
/// `ROBOTS_E_ARG` every result is `ROBOTS_DISALLOWED`. If borrowed rules have a damaged header, or the body was an
/// address (SPEC 4.7), every result is `ROBOTS_BAD_URL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_check_batch(
    rules: *const robots_rules,
    text: *const c_char,
    offsets: *const u64,
    count: usize,
    verdicts: *mut u8,
) -> robots_status {
    exported!({
        let rules = rules_of!(rules);
        if count == 0 {
            return status_of(|| rules.map(|_| ()));
        }
        if verdicts.is_null() || isize::try_from(count).is_err() {
            return status_of(|| Err::<(), _>(refuse(VERDICTS)));
        }
        // The write comes before the reference, because the place may be uninitialized.
        verdicts.write_bytes(BatchVerdict::Disallowed as u8, count);
        status_of(|| {
            let offsets = elements(offsets, count + 1, OFFSETS)?;
            let end = offsets.last().copied().unwrap_or_default();
            let end = isize::try_from(end).map_err(|_| refuse(OFFSETS))?;
            let text = elements::<u8>(text.cast(), end.unsigned_abs(), TEXT)?;
            let places = verdicts.addr()..verdicts.addr().saturating_add(count);
            if overlaps(&places, offsets) || overlaps(&places, text) {
                return Err(refuse(VERDICTS));
            }
            // The bytes were written above, and no input overlaps with them.
            let verdicts = core::slice::from_raw_parts_mut(verdicts, count);
            rules?.check_batch(text, offsets, verdicts).blame(OFFSETS)
        })
    })
}

/// Returns whether `input` has bytes at one of the addresses.
fn overlaps<T>(places: &core::ops::Range<usize>, input: &[T]) -> bool {
    let input = input.as_ptr_range();
    input.start.addr() < places.end && places.start < input.end.addr()
}

/// Returns the crawl-delay of the groups that apply to the crawler (SPEC 9.2).
///
/// Returns: the longest delay in seconds, 0 or more; NaN if there is none, or for NULL. A file may state any number,
/// such as 1e20: limit the delay before you convert it to an integer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_crawl_delay(rules: *const robots_rules) -> f64 {
    exported!(value_or(f64::NAN, || {
        let delay = rules_of!(rules)?.crawl_delay();
        Ok(delay.unwrap_or(f64::NAN))
    }))
}

/// Returns one sitemap of the file, as written (SPEC 9.1).
///
/// Parameters: `index`: from 0, in the order of the file. `out`: receives the address, which belongs to the rules.
/// Returns: `ROBOTS_OK`; `ROBOTS_END` after the last element.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_sitemap(
    rules: *const robots_rules,
    index: usize,
    out: *mut robots_str,
) -> robots_status {
    exported!(result_into(out, robots_str::EMPTY, || {
        let rules = rules_of!(rules)?;
        Ok(robots_str::new(
            rules.sitemap(index).ok_or(Stop(ROBOTS_END))?,
        ))
    }))
}

/// Adds a reference, which the caller releases by `robots_rules_free`.
///
/// Returns: `rules`; NULL for NULL, and at 2^63 - 1 references (2^31 - 1 on 32-bit machines).
/// Owner: the caller has one more reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_retain(rules: *const robots_rules) -> *mut robots_rules {
    exported!(value_or(null_mut(), || {
        Ok(handle_of(rules_of!(rules)?.retain().blame(RETAIN)?))
    }))
}

/// Releases a reference. The last release frees the rules and everything borrowed from them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_free(rules: *mut robots_rules) {
    // An error cannot be reported here.
    exported!(if !rules.is_null() {
        value_or((), || {
            drop(ManuallyDrop::into_inner(rules_of!(rules)?));
            Ok(())
        });
    })
}

/// Returns the compiled rules as one flat block of bytes, to be stored or sent. `robots_rules_from_image`,
/// `robots_rules_borrow_image` and `robots_image_check` read the block.
///
/// Returns: the image; empty for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_rules_image(rules: *const robots_rules) -> robots_str {
    exported!(value_or(robots_str::EMPTY, || {
        Ok(robots_str::new(rules_of!(rules)?.image()))
    }))
}
