//! `robots_extensions` and `robots_preferences`: what else stands in a robots.txt, and what it prefers.

use core::ffi::c_char;

use super::crawler::{crawler_of, robots_crawler};
use super::rules::robots_str;
use super::status::robots_status;
use super::{borrowed, free, guarded, handle_into, sized_output, text};
use crate::error::Error;
use crate::extensions::{Choice, ExtensionField, Extensions, Preferences, Vocabulary};

/// What else stands in a robots.txt for one crawler: in the groups that it obeys, and in no group. Immutable; any
/// number of threads may read it at once. Made by `robots_extensions_parse`, ended by `robots_extensions_free`.
pub struct robots_extensions {
    extensions: Extensions,
}

/// What may be done with what was fetched, for one URL or one response: each label of each vocabulary once.
/// Immutable; any number of threads may read it at once. Made by `robots_extensions_preferences` or
/// `robots_preferences_from_header`, ended by `robots_preferences_free`.
pub struct robots_preferences {
    preferences: Preferences,
}

/// A line without effect on a verdict. Set `size` to `sizeof(robots_extension)` before it is filled.
#[repr(C)]
pub struct robots_extension {
    /// What the caller takes for the size of this struct.
    pub size: usize,
    /// The value as it is written, without comment and the white space around it; any octets, at least one.
    pub value: robots_str,
    /// The number of the line; the first is 1.
    pub line: u32,
    /// What it is about, one of `ROBOTS_EXTENSION_...`. Later versions may add some.
    pub field: u32,
    /// 1 if it stands in a group that the crawler obeys, 0 if it stands in no group, and so is for all.
    pub in_group: u32,
    /// Of a request-rate: so many requests at most, ... 0 for another line and for nonsense.
    pub requests: u32,
    /// ... in so many seconds.
    pub seconds: u32,
    /// Of a visit-time, or of a request-rate that holds at times: from so many minutes after midnight UTC on,
    /// 0 to 1439, ...
    pub from: u32,
    /// ... until so many, 1 to 1440; if that is not later, past midnight. 0: no time was given.
    pub until: u32,
    /// 0.
    pub reserved: u32,
}

/// A preference. Set `size` to `sizeof(robots_preference)` before it is filled.
#[repr(C)]
pub struct robots_preference {
    /// What the caller takes for the size of this struct.
    pub size: usize,
    /// What is spoken of, such as `train-ai`; case-sensitive, any octets.
    pub label: robots_str,
    /// The line that says so, the first is 1; 0 for a header field.
    pub line: u32,
    /// Whose label it is, one of `ROBOTS_VOCABULARY_...`. Later versions may add some.
    pub vocabulary: u32,
    /// What is preferred, one of `ROBOTS_CHOICE_...`.
    pub choice: u32,
    /// 0.
    pub reserved: u32,
}

/// Field of a line: `request-rate` (SPEC 9.3).
pub const ROBOTS_EXTENSION_REQUEST_RATE: u32 = 0;
/// Field: `visit-time` (SPEC 9.3).
pub const ROBOTS_EXTENSION_VISIT_TIME: u32 = 1;
/// Field: `host` (SPEC 9.3).
pub const ROBOTS_EXTENSION_HOST: u32 = 2;
/// Field: `clean-param` (SPEC 9.3).
pub const ROBOTS_EXTENSION_CLEAN_PARAM: u32 = 3;
/// Field: `noindex` (SPEC 9.3).
pub const ROBOTS_EXTENSION_NOINDEX: u32 = 4;
/// Field: `content-signal` (SPEC 9.4).
pub const ROBOTS_EXTENSION_CONTENT_SIGNAL: u32 = 5;
/// Field: `content-usage` (SPEC 9.5).
pub const ROBOTS_EXTENSION_CONTENT_USAGE: u32 = 6;

/// Vocabulary: `content-usage`, line or header field (SPEC 9.5).
pub const ROBOTS_VOCABULARY_CONTENT_USAGE: u32 = 0;
/// Vocabulary: `content-signal` (SPEC 9.4).
pub const ROBOTS_VOCABULARY_CONTENT_SIGNAL: u32 = 1;

/// Preferred: it should not be done.
pub const ROBOTS_CHOICE_NO: u32 = 0;
/// Preferred: it may be done.
pub const ROBOTS_CHOICE_YES: u32 = 1;
/// The label stands there with something else, which says nothing.
pub const ROBOTS_CHOICE_UNKNOWN: u32 = 2;

const _: () = assert!(
    ROBOTS_EXTENSION_REQUEST_RATE == ExtensionField::RequestRate as u32
        && ROBOTS_EXTENSION_VISIT_TIME == ExtensionField::VisitTime as u32
        && ROBOTS_EXTENSION_HOST == ExtensionField::Host as u32
        && ROBOTS_EXTENSION_CLEAN_PARAM == ExtensionField::CleanParam as u32
        && ROBOTS_EXTENSION_NOINDEX == ExtensionField::Noindex as u32
        && ROBOTS_EXTENSION_CONTENT_SIGNAL == ExtensionField::ContentSignal as u32
        && ROBOTS_EXTENSION_CONTENT_USAGE == ExtensionField::ContentUsage as u32
        && ROBOTS_VOCABULARY_CONTENT_USAGE == Vocabulary::ContentUsage as u32
        && ROBOTS_VOCABULARY_CONTENT_SIGNAL == Vocabulary::ContentSignal as u32
        && ROBOTS_CHOICE_NO == Choice::No as u32
        && ROBOTS_CHOICE_YES == Choice::Yes as u32
        && ROBOTS_CHOICE_UNKNOWN == Choice::Unknown as u32
);

/// Reads what else stands in a robots.txt: the lines of SPEC 9.3, 9.4 and 9.5, which have no effect on a verdict.
/// Groups that the crawler does not obey are left out.
///
/// Parameters: `crawler`; `body`, `body_len`: the octets of the file, any octets, also none; `out`: receives the
/// lines.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for `crawler` or `out` NULL, or `body` NULL with a length;
/// `ROBOTS_E_MEMORY`. Never an error because of what the file holds. `*out` is NULL after an error.
/// Owner: the caller, who ends it with `robots_extensions_free`. `body` and the crawler are not needed afterwards.
/// Threads: any; many may parse with one crawler at once.
/// Allocates: the lines and the rules of the file, and work space that is freed.
/// Since: 0.1.0
///
/// # Safety
/// `crawler` is NULL or was not freed; `body` is readable for `body_len` octets; `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_extensions_parse(
    crawler: *const robots_crawler,
    body: *const c_char,
    body_len: usize,
    out: *mut *mut robots_extensions,
) -> robots_status {
    let made = || {
        // SAFETY: the caller's promises, passed on.
        let (crawler, body) = unsafe { (crawler_of(crawler)?, text(body, body_len)?) };
        let extensions = Extensions::parse(crawler, body)?;
        super::hand_out(robots_extensions { extensions })
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Counts the lines.
///
/// Parameters: `extensions`.
/// Returns: how many there are; 0 for NULL.
/// Owner: nothing is handed over.
/// Threads: any; many may read one `robots_extensions` at once.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `extensions` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_extensions_count(extensions: *const robots_extensions) -> usize {
    // SAFETY: the caller's promise, passed on.
    guarded(|| Ok(unsafe { borrowed(extensions) }?.extensions.lines().len())).unwrap_or(0)
}

/// Gives one of the lines.
///
/// Parameters: `extensions`; `index`: 0 to `robots_extensions_count(extensions)` - 1, in the order of the file; `out`: receives
/// the line; its `size` is set.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, past the last, or a `size` that is too small. After an error with a
/// right `size` all else in `*out` is 0.
/// Owner: the value is that of `extensions`; valid until `robots_extensions_free`.
/// Threads: any; many may read one `robots_extensions` at once.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `extensions` is NULL or was not freed; `out` is NULL or writable for as many octets as its `size` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_extensions_line(
    extensions: *const robots_extensions,
    index: usize,
    out: *mut robots_extension,
) -> robots_status {
    // SAFETY: the caller's promises, passed on.
    unsafe {
        sized_output(out, || {
            let extensions = &borrowed(extensions)?.extensions;
            let line = extensions.line(index).ok_or(Error::Argument)?;
            let rate = line.request_rate();
            let hours = rate.map_or(line.visit_time(), |rate| rate.hours);
            Ok(robots_extension {
                size: 0,
                value: robots_str::of(line.value()),
                line: line.line(),
                field: line.field() as u32,
                in_group: line.in_group().into(),
                requests: rate.map_or(0, |rate| rate.requests),
                seconds: rate.map_or(0, |rate| rate.seconds),
                from: hours.map_or(0, |hours| hours.from),
                until: hours.map_or(0, |hours| hours.until),
                reserved: 0,
            })
        })
    }
}

/// Gives what the file prefers to be done with what a URL gives (SPEC 9.4, 9.5). A URL that may not be fetched has no
/// preferences, nor has the robots.txt itself.
///
/// Parameters: `extensions`; `url`, `url_len`: as for `robots_rules_check`; `out`: receives the preferences.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_URL` for what is no URL (SPEC 8.5b); `ROBOTS_E_ARG` for `extensions` or `out` NULL, or
/// `url` NULL with a length; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
/// Owner: the caller, who ends them with `robots_preferences_free`. `extensions` is not needed afterwards.
/// Threads: any; many may ask one `robots_extensions` at once.
/// Allocates: the preferences, and work space that is freed.
/// Since: 0.1.0
///
/// # Safety
/// `extensions` is NULL or was not freed; `url` is readable for `url_len` octets; `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_extensions_preferences(
    extensions: *const robots_extensions,
    url: *const c_char,
    url_len: usize,
    out: *mut *mut robots_preferences,
) -> robots_status {
    let made = || {
        // SAFETY: the caller's promises, passed on.
        let (extensions, url) = unsafe { (borrowed(extensions)?, text(url, url_len)?) };
        hand_out(extensions.extensions.preferences(url)?)
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Ends what `robots_extensions_parse` made. Preferences that came from it live on.
///
/// Parameters: `extensions`: NULL does nothing.
/// Returns: nothing.
/// Owner: `extensions` is handed back; it and what was borrowed from it must not be used again.
/// Threads: any; no other may use it meanwhile.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `extensions` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_extensions_free(extensions: *mut robots_extensions) {
    // SAFETY: the caller's promise, passed on.
    unsafe { free(extensions) }
}

/// Preferences of their own for the caller.
fn hand_out(preferences: Preferences) -> Result<*mut robots_preferences, Error> {
    super::hand_out(robots_preferences { preferences })
}

/// Gives what a response prefers: the preferences of its `Content-Usage` header field (SPEC 9.5).
///
/// Parameters: `value`, `value_len`: the value of the field; of several such fields the values joined by ", "; any
/// octets: what is no RFC 9651 Dictionary says nothing. `out`: receives the preferences.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for `out` NULL or `value` NULL with a length; `ROBOTS_E_MEMORY`. `*out` is NULL
/// after an error.
/// Owner: the caller, who ends them with `robots_preferences_free`. `value` is not needed afterwards.
/// Threads: any, at any time.
/// Allocates: the preferences, and work space that is freed.
/// Since: 0.1.0
///
/// # Safety
/// `value` is readable for `value_len` octets; `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_preferences_from_header(
    value: *const c_char,
    value_len: usize,
    out: *mut *mut robots_preferences,
) -> robots_status {
    let made = || {
        // SAFETY: the caller's promise, passed on.
        let value = unsafe { text(value, value_len)? };
        hand_out(Preferences::from_header(value)?)
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Counts the preferences. What is not listed was not spoken of, which neither permits nor forbids it.
///
/// Parameters: `preferences`.
/// Returns: how many there are; 0 for NULL.
/// Owner: nothing is handed over.
/// Threads: any; many may read one `robots_preferences` at once.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `preferences` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_preferences_count(preferences: *const robots_preferences) -> usize {
    // SAFETY: the caller's promise, passed on.
    guarded(|| Ok(unsafe { borrowed(preferences) }?.preferences.iter().len())).unwrap_or(0)
}

/// Gives one of the preferences.
///
/// Parameters: `preferences`; `index`: 0 to `robots_preferences_count(preferences)` - 1, by vocabulary, then by label;
/// `out`: receives it; its `size` is set.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, past the last, or a `size` that is too small. After an error with a
/// right `size` all else in `*out` is 0, which is no permission.
/// Owner: the label is that of `preferences`; valid until `robots_preferences_free`.
/// Threads: any; many may read one `robots_preferences` at once.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `preferences` is NULL or was not freed; `out` is NULL or writable for as many octets as its `size` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_preferences_get(
    preferences: *const robots_preferences,
    index: usize,
    out: *mut robots_preference,
) -> robots_status {
    // SAFETY: the caller's promises, passed on.
    unsafe {
        sized_output(out, || {
            let preferences = &borrowed(preferences)?.preferences;
            let preference = preferences.get(index).ok_or(Error::Argument)?;
            Ok(robots_preference {
                size: 0,
                label: robots_str::of(preference.label()),
                line: preference.line(),
                vocabulary: preference.vocabulary() as u32,
                choice: preference.choice() as u32,
                reserved: 0,
            })
        })
    }
}

/// Ends preferences.
///
/// Parameters: `preferences`: NULL does nothing.
/// Returns: nothing.
/// Owner: `preferences` is handed back; it and what was borrowed from it must not be used again.
/// Threads: any; no other may use it meanwhile.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `preferences` is NULL or was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_preferences_free(preferences: *mut robots_preferences) {
    // SAFETY: the caller's promise, passed on.
    unsafe { free(preferences) }
}
