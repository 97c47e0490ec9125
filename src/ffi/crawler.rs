//! `robots_crawler`: a crawler and its options.

use core::ffi::CStr;

use super::convert::*;
use crate::base::codes::{Enum, Unit, values_of};
use crate::base::dialect::Dialect;
use crate::crawler::Crawler;
use crate::crawler::options::{FETCH_OPTIONS, LINT_OPTIONS, READ_OPTIONS};

/// A crawler: product tokens, dialect, limits and fetch policy.
///
/// Owner: created by `robots_crawler_new` or `robots_crawler_preset`, freed by `robots_crawler_free`.
/// Threads: one thread sets it up; then any number of threads may use it at the same time.
/// Allocates: the functions that create it. No function aborts when out of memory.
pub struct robots_crawler(pub(super) Crawler);

/// Options of a crawler.
pub(super) const OPTIONS: Enum = Enum {
    name: "robots_option",
    prefix: "ROBOTS_OPT_",
    about: "Options of a crawler: `robots_crawler_set`.",
    module: module_path!(),
    values: &values_of::<{ READ_OPTIONS.len() + LINT_OPTIONS.len() }, 2>([
        READ_OPTIONS,
        LINT_OPTIONS,
    ]),
};

const TOKENS: &CStr = why!("token is the 65th: a crawler has at most 64 tokens");
const NAMES: &CStr = why!("agent has more names than fit: a crawler has at most 64 tokens");
const OPTION: &CStr =
    why!("option is unknown: pass one of enum robots_option or enum robots_fetch_option");

/// The text for a value out of the range of its option.
pub(super) const VALUE: &CStr = why!(
    "value is out of the range of the option: the comment of the option states it; options named _MS take milliseconds, most of them whole seconds"
);

/// Creates a crawler with one product token.
///
/// Parameters: `token`, `token_len`: the bare product token, such as "ExampleBot": 1 to 1024 letters, digits, `.`, `_`
/// and `-` (SPEC 7.6). "*" creates a crawler without a token: only the `*` groups apply (SPEC 7.4). `out`: the crawler.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` if `token` is not a product token: see `robots_token_from_user_agent`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_crawler_new(
    token: *const c_char,
    token_len: usize,
    out: *mut *mut robots_crawler,
) -> robots_status {
    exported!(handle_into(out, || {
        let crawler = match bytes!(token, token_len)? {
            b"*" => Crawler::from_tokens(&[], Dialect::default()),
            token => Crawler::new(token),
        };
        crawler.map(robots_crawler)
    }))
}

/// Finds the product token in a User-Agent header: the first product that is not a browser's (SPEC 7.6).
///
/// Parameters: `header`, `header_len`: for example "Mozilla/5.0 (compatible; ExampleBot/1.0)". `out`: the token.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` if the header has no such product. On error `*out` is empty.
/// Owner: the caller; the token is a part of `header`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_token_from_user_agent(
    header: *const c_char,
    header_len: usize,
    out: *mut robots_str,
) -> robots_status {
    exported!(result_into(out, robots_str::EMPTY, || {
        let token = Crawler::token_from_user_agent(bytes!(header, header_len)?)?;
        Ok(robots_str::new(token))
    }))
}

/// Creates a crawler with the published settings of a well-known crawler. The settings are product tokens in order of
/// preference, dialect, and whether `*` groups apply. Operators change these settings from time to time.
///
/// Parameters: `name`, `name_len`: for example "Googlebot-Image"; case does not matter. `out`: receives the crawler.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` if no preset has the name: the command `robots crawlers` lists all names.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_crawler_preset(
    name: *const c_char,
    name_len: usize,
    out: *mut *mut robots_crawler,
) -> robots_status {
    exported!(handle_into(out, || {
        Crawler::preset(bytes!(name, name_len)?).map(robots_crawler)
    }))
}

/// Adds a product token. The groups of the token apply if no group of the robots.txt names an earlier token (SPEC 7.1).
///
/// Parameters: `token`, `token_len`: as for `robots_crawler_new`, except in two dialects: `ROBOTS_DIALECT_GOOGLE`
/// allows letters, `_` and `-` only; `ROBOTS_DIALECT_KOSTER1996` allows a token of RFC 1945 except `*`.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` if `token` is not a product token; `ROBOTS_E_ARG`, also for a 65th token.
/// After an error the crawler is unchanged.
/// Allocates: a copy of the token.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_crawler_add_token(
    crawler: *mut robots_crawler,
    token: *const c_char,
    token_len: usize,
) -> robots_status {
    exported!(change(crawler, |crawler| {
        crawler.with_token(bytes!(token, token_len)?).blame(TOKENS)
    }))
}

/// Adds each name in a text as a token (SPEC 7.9), in order of preference. A text without a name adds no token.
///
/// Parameters: `agent`, `agent_len`: for example a User-Agent header, or the name in a user-agent line. Set the dialect first.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` if there would be more than 64 tokens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_crawler_add_names_in(
    crawler: *mut robots_crawler,
    agent: *const c_char,
    agent_len: usize,
) -> robots_status {
    exported!(change(crawler, |crawler| {
        crawler
            .with_names_in(bytes!(agent, agent_len)?)
            .blame(NAMES)
    }))
}

/// Sets an option. Rules that were parsed before do not change.
///
/// Parameters: `option`: one of `enum robots_option` or `enum robots_fetch_option`. `value`: see the option.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for an unknown option or a value out of its range; `ROBOTS_E_TOKEN` if a token
/// of the crawler is not valid in the new dialect. After an error the crawler is unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_crawler_set(
    crawler: *mut robots_crawler,
    option: u32,
    value: u64,
) -> robots_status {
    exported!(change(crawler, |crawler| {
        let is_known = OPTIONS.values.iter().any(|row| row.number == option)
            || FETCH_OPTIONS.iter().any(|row| row.number == option);
        in_engine_units(option, value)
            .and_then(|value| crawler.with_option(option, value))
            .blame(if is_known { VALUE } else { OPTION })
    }))
}

/// Converts the value of an option from the unit of C to the unit of the engine: from milliseconds to seconds.
pub(super) fn in_engine_units(option: u32, value: u64) -> Result<u64, Error> {
    let row = FETCH_OPTIONS.iter().find(|row| row.number == option);
    match row.is_some_and(|row| row.unit == Unit::Seconds) {
        true => whole_seconds(value),
        false => Ok(value),
    }
}

/// Replaces a caller's crawler with a changed copy. After an error the crawler is unchanged.
///
/// # Safety
/// As for [`handle_to_change`].
unsafe fn change(
    crawler: *mut robots_crawler,
    with: impl FnOnce(Crawler) -> Result<Crawler, Error>,
) -> robots_status {
    status_of(|| {
        // SAFETY: the caller's promise.
        let robots_crawler(crawler) = unsafe { changeable!(crawler)? };
        *crawler = with(crawler.clone())?;
        Ok::<_, Error>(())
    })
}

/// Frees a crawler. Rules that were parsed with it stay valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_crawler_free(crawler: *mut robots_crawler) {
    exported!(free(crawler))
}
