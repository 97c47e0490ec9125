//! `robots_extensions` and `robots_preferences`: extension lines of a robots.txt, and usage preferences.

use super::convert::*;
use super::crawler::robots_crawler;
use crate::page::{Extensions, Preferences};

/// The extension lines of a robots.txt for one crawler: lines in the crawler's groups and outside all groups. Immutable.
///
/// Owner: created by `robots_extensions_parse`, freed by `robots_extensions_free`.
/// Threads: any number of threads may use it at the same time.
/// Allocates: the function that creates it, for the lines and the rules. No function aborts when out of memory.
pub struct robots_extensions(Extensions);

/// The usage preferences for one URL or one response: at most one for each label of a vocabulary. Immutable.
///
/// Owner: created by `robots_extensions_preferences` or `robots_preferences_from_header`, freed by
/// `robots_preferences_free`.
/// Threads: any number of threads may use it at the same time.
/// Allocates: the functions that create it. No function aborts when out of memory.
pub struct robots_preferences(Preferences);

/// One extension line.
#[repr(C)]
pub struct robots_extension {
    /// `sizeof(robots_extension)`.
    pub size: usize,
    /// Value as written, without comment and surrounding white space; any bytes, at least one.
    pub value: robots_str,
    /// Number of the line, from 1.
    pub line: u32,
    /// Field, one of `enum robots_extension_field`. Later versions may add values.
    pub field: u32,
    /// 1 if the line is in a group that applies to the crawler; 0 if it is outside all groups.
    pub in_group: u32,
    /// Number of requests that a request-rate allows in `seconds`; 0 for another field or an invalid value.
    pub requests: u32,
    /// Period of the request-rate in seconds.
    pub seconds: u32,
    /// Start of a visit-time, or of a request-rate with times, in minutes after midnight UTC, 0 to 1439.
    pub from: u32,
    /// End of that time, 1 to 1440; an end that is not later than `from` is on the next day. 0 if no time is given.
    pub until: u32,
    /// Always 0.
    pub reserved: u32,
}

/// One preference.
#[repr(C)]
pub struct robots_preference {
    /// `sizeof(robots_preference)`.
    pub size: usize,
    /// Label of the use, such as `train-ai`; case-sensitive, any bytes. The label of a content-signal is in lower case.
    pub label: robots_str,
    /// Number of the line, from 1; 0 for a header field.
    pub line: u32,
    /// Vocabulary of the label, one of `enum robots_vocabulary`. Later versions may add values.
    pub vocabulary: u32,
    /// Preference, one of `enum robots_choice`.
    pub choice: u32,
    /// Always 0.
    pub reserved: u32,
}

/// Parses the extension lines of a robots.txt (SPEC 9.3, 9.4, 9.5). Extension lines have no effect on a verdict. The
/// result omits groups that do not apply to the crawler.
///
/// Parameters: `body`, `body_len`: the file, any bytes, including none. `out`: receives the extensions.
/// Returns: `ROBOTS_OK`. The content of the file is never an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_extensions_parse(
    crawler: *const robots_crawler,
    body: *const c_char,
    body_len: usize,
    out: *mut *mut robots_extensions,
) -> robots_status {
    exported!(handle_into(out, || {
        let robots_crawler(crawler) = borrowed!(crawler)?;
        Extensions::parse(crawler, bytes!(body, body_len)?).map(robots_extensions)
    }))
}

/// Returns one extension line.
///
/// Parameters: `index`: from 0, in the order of the file. `out`: receives the line.
/// Returns: `ROBOTS_OK`; `ROBOTS_END` after the last.
/// Owner: the value belongs to `extensions`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_extensions_line(
    extensions: *const robots_extensions,
    index: usize,
    out: *mut robots_extension,
) -> robots_status {
    exported!(struct_into(out, || {
        let line = borrowed!(extensions)?
            .0
            .line(index)
            .ok_or(Stop(ROBOTS_END))?;
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
    }))
}

/// Returns the preferences of the file for a URL (SPEC 9.4, 9.5). A disallowed URL and the robots.txt itself have no preferences.
///
/// Parameters: `url`, `url_len`: as for `robots_rules_check`. `out`: receives the preferences, which stay valid without
/// `extensions`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_URL` if `url` is not a URL (SPEC 8.5b).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_extensions_preferences(
    extensions: *const robots_extensions,
    url: *const c_char,
    url_len: usize,
    out: *mut *mut robots_preferences,
) -> robots_status {
    exported!(handle_into(out, || {
        let robots_extensions(extensions) = borrowed!(extensions)?;
        let preferences = extensions.preferences(bytes!(url, url_len)?);
        preferences.map(robots_preferences)
    }))
}

/// Frees extensions and everything borrowed from them. Handles of preferences stay valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_extensions_free(extensions: *mut robots_extensions) {
    exported!(free(extensions))
}

/// Creates the preferences of a response from its `Content-Usage` header field (SPEC 9.5).
///
/// Parameters: `value`, `value_len`: the value of the field, any bytes; join several values with ", ". A value that is
/// not an RFC 9651 Dictionary gives no preferences. `out`: receives the preferences.
/// Returns: `ROBOTS_OK`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_preferences_from_header(
    value: *const c_char,
    value_len: usize,
    out: *mut *mut robots_preferences,
) -> robots_status {
    exported!(handle_into(out, || {
        Preferences::from_header(bytes!(value, value_len)?).map(robots_preferences)
    }))
}

/// Returns one preference. A label that is not listed is neither permitted nor forbidden.
///
/// Parameters: `index`: from 0, sorted by vocabulary, then by label. `out`: the preference.
/// Returns: `ROBOTS_OK`; `ROBOTS_END` after the last. If the status is not `ROBOTS_OK`, the choice in `*out` is
/// `ROBOTS_CHOICE_NO`.
/// Owner: the label belongs to `preferences`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_preferences_get(
    preferences: *const robots_preferences,
    index: usize,
    out: *mut robots_preference,
) -> robots_status {
    exported!(struct_into(out, || {
        let mut preferences = borrowed!(preferences)?.0.iter();
        let preference = preferences.nth(index).ok_or(Stop(ROBOTS_END))?;
        Ok(robots_preference {
            size: 0,
            label: robots_str::new(&preference.label),
            line: preference.line,
            vocabulary: preference.vocabulary as u32,
            choice: preference.choice as u32,
            reserved: 0,
        })
    }))
}

/// Frees preferences and everything borrowed from them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_preferences_free(preferences: *mut robots_preferences) {
    exported!(free(preferences))
}
