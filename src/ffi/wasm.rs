//! Functions that a WebAssembly module exports in addition to the C API. They cover memory, a check with a 32-bit result, cache
//! records without a function pointer, names of user-agent lines, the formatter, the recipes, and advice about verdicts and
//! names.
//!
//! A panic is a trap, which ends the instance of the module. The caller drops the instance and reports an error.

use core::alloc::Layout;

use super::cache::robots_cache;
use super::convert::*;
use super::crawler::robots_crawler;
use super::rules::{robots_rules, robots_rules_check};
use super::status::ROBOTS_E_ARG;

use crate::base::dialect::Dialect;
use crate::bytes::{host_seed, try_alloc};
use crate::owner::explain::explain;
use crate::owner::format::format;
use crate::owner::names::{group_names, name_advice};
use crate::owner::recipes::add_recipes;
use crate::owner::verdict_advice::verdict_advice;

/// Alignment of every block: the largest alignment of a struct of the C API.
const ALIGN: usize = 8;

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size, ALIGN)
        .ok()
        .filter(|layout| layout.size() > 0)
}

/// Sets the seed of the hashes. The host calls the function first, because a module has no random numbers.
#[unsafe(no_mangle)]
pub extern "C" fn robots_wasm_seed(low: u32, high: u32) {
    host_seed::set(u64::from(high) << 32 | u64::from(low));
}

/// Returns a block of `size` bytes, aligned to 8, for arguments and results; null if `size` is 0 or on allocation
/// failure.
#[unsafe(no_mangle)]
pub extern "C" fn robots_wasm_alloc(size: usize) -> *mut u8 {
    match layout(size) {
        // SAFETY: the layout is not empty.
        Some(layout) => unsafe { std::alloc::alloc(layout) },
        None => core::ptr::null_mut(),
    }
}

/// Frees `size` bytes: a block of [`robots_wasm_alloc`], or a text of a function such as [`robots_wasm_format`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_wasm_free(block: *mut u8, size: usize) {
    if let (false, Some(layout)) = (block.is_null(), layout(size)) {
        // SAFETY: the caller promises that the block has this size and was not freed.
        unsafe { std::alloc::dealloc(block, layout) }
    }
}

/// Does the same as [`robots_rules_check`] without a 64-bit number, because JavaScript allocates memory for each 64-bit number.
/// Returns the lower half of the verdict's bits and writes the upper half, the line, to `line`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_wasm_check(
    rules: *const robots_rules,
    url: *const c_char,
    url_len: usize,
    line: *mut u32,
) -> u32 {
    // SAFETY: the promises at the top of `ffi`; `line` is valid for writes.
    unsafe {
        let bits = robots_rules_check(rules, url, url_len).bits;
        line.write((bits >> 32) as u32);
        bits as u32
    }
}

/// Finds the name in the value of a user-agent line, as [`Dialect::agent_name`] does. `out` receives the name, a part of
/// `value`, or an empty text if the value names no crawler.
///
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for an unknown dialect.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_wasm_agent_name(
    value: *const c_char,
    value_len: usize,
    dialect: u32,
    out: *mut robots_str,
) -> robots_status {
    exported!(result_into(out, robots_str::EMPTY, || {
        let value = bytes!(value, value_len)?;
        let dialect = Dialect::from_code(dialect.into())
            .ok_or_else(|| refuse(why!("dialect is not one of enum robots_dialect")))?;
        Ok(robots_str::maybe(dialect.agent_name(value)))
    }))
}

/// Formats a robots.txt in canonical layout, as [`format`] does. `out` receives the file, or the text of the error.
///
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` if [`format`] returns an error.
/// Owner: the caller frees the text with [`robots_wasm_free`], unless the status is `ROBOTS_E_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_wasm_format(
    body: *const c_char,
    body_len: usize,
    out: *mut robots_str,
) -> robots_status {
    exported!(text_or_why(out, || {
        let body = bytes!(body, body_len)?;
        Ok(match format(body) {
            Ok(formatted) => Ok(formatted.text),
            Err(why) => Err(why.to_string()),
        })
    }))
}

/// Adds recipes to a robots.txt, which may be empty, as [`add_recipes`] does. `requests` is UTF-8. Unless `comments` is 0,
/// the recipes have comments. `out` receives four records as in [`robots_wasm_cache_records`], or the text of the error.
/// The records are the file, the effects, the warnings and who may fetch the home page, with one sentence per line.
///
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` if [`add_recipes`] returns an error.
/// Owner: the caller frees the block with [`robots_wasm_free`], unless the status is `ROBOTS_E_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_wasm_recipe(
    body: *const c_char,
    body_len: usize,
    requests: *const c_char,
    requests_len: usize,
    comments: u32,
    out: *mut robots_str,
) -> robots_status {
    exported!(text_or_why(out, || {
        let (body, requests) = (bytes!(body, body_len)?, bytes!(requests, requests_len)?);
        let requests =
            core::str::from_utf8(requests).map_err(|_| refuse(why!("requests are not UTF-8")))?;
        let added = match add_recipes(body, requests, comments != 0) {
            Ok(added) => added,
            Err(why) => return Ok(Err(why.to_string())),
        };
        let mut all = Vec::new();
        append_record(&mut all, &added.text)?;
        append_record(&mut all, added.effects.join("\n").as_bytes())?;
        append_record(&mut all, added.warnings.join("\n").as_bytes())?;
        append_record(&mut all, added.home_page.as_bytes())?;
        Ok(Ok(all))
    }))
}

/// Says which line to change so that a URL gets the opposite verdict, as [`verdict_advice`] does. `name` is the name of the
/// crawler. `dialect` is the dialect of all other crawlers; -1 means that each of them reads the file in its own dialect.
/// `out` receives the text.
///
/// Returns: `ROBOTS_OK`; `ROBOTS_E_URL` if `url` is not a URL (SPEC 8.5b); `ROBOTS_E_ARG` if the body is an address (SPEC 4.7).
/// Owner: the caller frees the text with [`robots_wasm_free`], unless the status is `ROBOTS_E_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_wasm_verdict_advice(
    crawler: *const robots_crawler,
    body: *const c_char,
    body_len: usize,
    url: *const c_char,
    url_len: usize,
    name: *const c_char,
    name_len: usize,
    dialect: u32,
    out: *mut robots_str,
) -> robots_status {
    exported!(text_or_why(out, || {
        let crawler = &borrowed!(crawler)?.0;
        let (body, url) = (bytes!(body, body_len)?, bytes!(url, url_len)?);
        let name = String::from_utf8_lossy(bytes!(name, name_len)?);
        let why = explain(crawler, body, url)?;
        let advice = verdict_advice(&why, body, &name, Dialect::from_code(dialect.into()))?;
        Ok(Ok(advice.into_bytes()))
    }))
}

/// Returns the probable meaning of a name that no well-known crawler and no group of the file `body` has, as [`name_advice`]
/// does. `out` receives the sentence, or an empty text if the name may be right.
///
/// Returns: `ROBOTS_OK`.
/// Owner: the caller frees the text with [`robots_wasm_free`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_wasm_name_advice(
    name: *const c_char,
    name_len: usize,
    body: *const c_char,
    body_len: usize,
    out: *mut robots_str,
) -> robots_status {
    exported!(text_or_why(out, || {
        let name = String::from_utf8_lossy(bytes!(name, name_len)?);
        let advice = name_advice(&name, &group_names(bytes!(body, body_len)?), "");
        Ok(Ok(advice
            .map(|it| it.text)
            .unwrap_or_default()
            .into_bytes()))
    }))
}

/// Writes the text of `made` to `out`. If `made` returns a reason instead, writes the reason and returns `ROBOTS_E_ARG`.
///
/// # Safety
/// As for [`output`].
unsafe fn text_or_why(
    out: *mut robots_str,
    made: impl FnOnce() -> Result<Result<Vec<u8>, String>, Stop>,
) -> robots_status {
    let mut status = ROBOTS_OK;
    let made = || match made()? {
        Ok(text) => block_of(&text),
        Err(why) => {
            status = ROBOTS_E_ARG;
            block_of(why.as_bytes())
        }
    };
    // SAFETY: the caller's promise.
    match unsafe { result_into(out, robots_str::EMPTY, made) } {
        ROBOTS_OK => status,
        error => error,
    }
}

/// Writes the records of `robots_cache_each` to `out`: for each record its length, a little-endian 32-bit number, then its
/// bytes.
///
/// Returns: as `robots_cache_each`.
/// Owner: the caller frees the records with [`robots_wasm_free`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_wasm_cache_records(
    cache: *const robots_cache,
    out: *mut robots_str,
) -> robots_status {
    let made = || {
        // SAFETY: the promises at the top of `ffi`. The list has its own reference to the cache.
        let mut records = unsafe { &borrowed!(cache)?.0 }.export();
        let mut all = Vec::new();
        while let Some(record) = records.next_record() {
            append_record(&mut all, &record?)?;
        }
        block_of(&all)
    };
    exported!(result_into(out, robots_str::EMPTY, made))
}

/// Appends the length of a record, then the record.
fn append_record(all: &mut Vec<u8>, record: &[u8]) -> Result<(), Error> {
    let length = u32::try_from(record.len()).map_err(|_| Error::Memory)?;
    try_alloc::append(all, &length.to_le_bytes())?;
    try_alloc::append(all, record)
}

/// Returns a copy that [`robots_wasm_free`] frees.
fn block_of(text: &[u8]) -> Result<robots_str, Stop> {
    let block = robots_wasm_alloc(text.len());
    if block.is_null() && !text.is_empty() {
        return Err(Error::Memory.into());
    }
    // SAFETY: the block has room for the text; an empty text copies nothing.
    Ok(unsafe {
        block.copy_from_nonoverlapping(text.as_ptr(), text.len());
        robots_str {
            ptr: block.cast(),
            len: text.len(),
        }
    })
}
