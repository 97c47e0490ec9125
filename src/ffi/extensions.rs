//! `robots_extensions` and `robots_preferences`: records of a robots.txt other than rules, and usage preferences.

use super::convert::*;
use super::crawler::robots_crawler;
use crate::page::{Extensions, Preferences};

/// The extension lines of a robots.txt for one crawler: those in the groups that apply to it, and those outside all
/// groups. Immutable.
///
/// Owner: created by `robots_extensions_parse`, freed by `robots_extensions_free`.
/// Threads: any number of threads may use it at once.
/// Allocates: the function that creates it: the lines and the rules. No function aborts when out of memory.
pub struct robots_extensions(Extensions);

/// The usage preferences for one URL or one response: each label of each vocabulary once. Immutable.
///
/// Owner: created by `robots_extensions_preferences` or `robots_preferences_from_header`, freed by
/// `robots_preferences_free`.
/// Threads: any number of threads may use it at once.
/// Allocates: the functions that create it. No function aborts when out of memory.
pub struct robots_preferences(Preferences);

/// One extension line. Set `size` to `sizeof(robots_extension)` before each call.
#[repr(C)]
pub struct robots_extension {
    /// `sizeof(robots_extension)`; later versions add fields at the end only.
    pub size: usize,
    /// The value as it is written, without comment and surrounding white space; any bytes, at least one.
    pub value: robots_str,
    /// The number of the line, from 1.
    pub line: u32,
    /// The field, one of `enum robots_extension_field`. Later versions may add some.
    pub field: u32,
    /// 1 if the line is in a group that applies to the crawler; 0 if it is outside all groups.
    pub in_group: u32,
    /// For a request-rate: at most this number of requests, ... 0 for another field and an invalid value.
    pub requests: u32,
    /// ... in this number of seconds.
    pub seconds: u32,
    /// For a visit-time, or a request-rate with times: the start in minutes after midnight UTC, 0 to 1439, ...
    pub from: u32,
    /// ... and the end, 1 to 1440; an end that is not later than the start is on the next day. 0: no time is given.
    pub until: u32,
    /// Always 0.
    pub reserved: u32,
}

/// One preference. Set `size` to `sizeof(robots_preference)` before each call.
#[repr(C)]
pub struct robots_preference {
    /// `sizeof(robots_preference)`; later versions add fields at the end only.
    pub size: usize,
    /// The label of the use, such as `train-ai`; case-sensitive, any bytes. That of a content-signal is in lower case.
    pub label: robots_str,
    /// The number of the line, from 1; 0 for a header field.
    pub line: u32,
    /// The vocabulary of the label, one of `enum robots_vocabulary`. Later versions may add some.
    pub vocabulary: u32,
    /// The preference, one of `enum robots_choice`.
    pub choice: u32,
    /// Always 0.
    pub reserved: u32,
}

/// Parses the extension lines of a robots.txt (SPEC 9.3, 9.4, 9.5). They have no effect on a verdict. Groups that do
/// not apply to the crawler are left out.
///
/// Parameters: `body`, `body_len`: the bytes of the file, any bytes, also none. `out`: receives the extensions.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`. The content of the file is never an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_extensions_parse(
    crawler: *const robots_crawler,
    body: *const c_char,
    body_len: usize,
    out: *mut *mut robots_extensions,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        new_into(out, || {
            Extensions::parse(&borrowed(crawler)?.0, text(body, body_len)?).map(robots_extensions)
        })
    }
}

/// Returns one line.
///
/// Parameters: `index`: from 0, in the order of the file. `out`: receives the line; set its `size` first.
/// Returns: `ROBOTS_OK`; `ROBOTS_END` after the last; `ROBOTS_E_ARG`.
/// Owner: the value belongs to `extensions`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_extensions_line(
    extensions: *const robots_extensions,
    index: usize,
    out: *mut robots_extension,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        sized_output(out, || {
            let line = borrowed(extensions)?.0.line(index).ok_or(Stop::End)?;
            let rate = line.request_rate();
            let hours = rate.map_or(line.visit_time(), |rate| rate.hours);
            Ok(robots_extension {
                size: 0,
                value: robots_str::new(line.value),
                line: line.line,
                field: line.field as u32,
                in_group: line.in_group.into(),
                requests: rate.map_or(0, |rate| rate.requests),
                seconds: rate.map_or(0, |rate| rate.seconds),
                from: hours.map_or(0, |hours| hours.from),
                until: hours.map_or(0, |hours| hours.until),
                reserved: 0,
            })
        })
    }
}

/// Returns the preferences of the file for a URL (SPEC 9.4, 9.5). A URL that may not be fetched has none, nor has the
/// robots.txt itself.
///
/// Parameters: `url`, `url_len`: as for `robots_rules_check`. `out`: receives the preferences, which stay valid without
/// `extensions`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_URL` if `url` is not a URL (SPEC 8.5b); `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_extensions_preferences(
    extensions: *const robots_extensions,
    url: *const c_char,
    url_len: usize,
    out: *mut *mut robots_preferences,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        new_into(out, || {
            let preferences = borrowed(extensions)?.0.preferences(text(url, url_len)?);
            preferences.map(robots_preferences)
        })
    }
}

/// Frees extensions and everything borrowed from them. Preferences that came from them stay valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_extensions_free(extensions: *mut robots_extensions) {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe { free(extensions) }
}

/// Creates the preferences of a response from its `Content-Usage` header field (SPEC 9.5).
///
/// Parameters: `value`, `value_len`: the value of the field, any bytes; join several values by ", ". A value that is
/// not an RFC 9651 Dictionary gives no preferences. `out`: receives the preferences.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_preferences_from_header(
    value: *const c_char,
    value_len: usize,
    out: *mut *mut robots_preferences,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        new_into(out, || {
            Preferences::from_header(text(value, value_len)?).map(robots_preferences)
        })
    }
}

/// Returns one preference. A label that is not listed is neither permitted nor forbidden.
///
/// Parameters: `index`: from 0, sorted by vocabulary, then by label. `out`: receives it; set its `size` first.
/// Returns: `ROBOTS_OK`; `ROBOTS_END` after the last; `ROBOTS_E_ARG`. Unless it is `ROBOTS_OK`, the choice in `*out` is
/// `ROBOTS_CHOICE_NO`.
/// Owner: the label belongs to `preferences`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_preferences_get(
    preferences: *const robots_preferences,
    index: usize,
    out: *mut robots_preference,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        sized_output(out, || {
            let mut preferences = borrowed(preferences)?.0.iter();
            let preference = preferences.nth(index).ok_or(Stop::End)?;
            Ok(robots_preference {
                size: 0,
                label: robots_str::new(&preference.label),
                line: preference.line,
                vocabulary: preference.vocabulary as u32,
                choice: preference.choice as u32,
                reserved: 0,
            })
        })
    }
}

/// Frees preferences and everything borrowed from them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_preferences_free(preferences: *mut robots_preferences) {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe { free(preferences) }
}
