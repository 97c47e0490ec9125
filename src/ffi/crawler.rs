//! `robots_crawler`: a crawler and its options.

use super::convert::*;
use crate::base::codes::{Enum, values_of};
use crate::base::dialect::Dialect;
use crate::crawler::Crawler;
use crate::crawler::options::{LINT_OPTIONS, READ_OPTIONS};

/// A crawler: its product tokens, its dialect, its limits and its fetch policy.
///
/// Owner: created by `robots_crawler_new` or `robots_crawler_preset`, freed by `robots_crawler_free`.
/// Threads: set it up in one thread; then any number of threads may use it at once.
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

/// Creates a crawler with one product token.
///
/// Parameters: `token`, `token_len`: the bare product token, such as "ExampleBot": letters, digits, `.`, `_` and `-`, 1
/// to 1024 bytes (SPEC 7.6); or "*" for a crawler without a token, to which only the `*` groups apply (SPEC 7.4). `out`:
/// receives the crawler.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` if `token` is not a product token, such as a whole User-Agent header:
/// `robots_token_from_user_agent` finds the token in one; `ROBOTS_E_ARG`; `ROBOTS_E_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_crawler_new(
    token: *const c_char,
    token_len: usize,
    out: *mut *mut robots_crawler,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        new_into(out, || {
            let crawler = match text(token, token_len)? {
                b"*" => Crawler::from_tokens(&[], Dialect::default()),
                token => Crawler::new(token),
            };
            crawler.map(robots_crawler)
        })
    }
}

/// Finds the product token in a User-Agent header (SPEC 7.6): the first product that is not a browser's. In a comment only
/// the products after `compatible;` count.
///
/// Parameters: `header`, `header_len`: such as "Mozilla/5.0 (compatible; ExampleBot/1.0)". `out`: receives the token.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` if the header has no such product; `ROBOTS_E_ARG`. An error empties `out`.
/// Owner: the caller; the token is a part of `header`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_token_from_user_agent(
    header: *const c_char,
    header_len: usize,
    out: *mut robots_str,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        result_into(out, robots_str::EMPTY, || {
            let token = Crawler::token_from_user_agent(text(header, header_len)?)?;
            Ok(robots_str::new(token.as_bytes()))
        })
    }
}

/// Creates a crawler with the published settings of a well-known crawler: product tokens in order of preference,
/// dialect, and whether it ignores `*` groups. Operators change these settings from time to time.
///
/// Parameters: `name`, `name_len`: such as "Googlebot-Image"; case does not matter. `out`: receives the crawler.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` if the name is unknown: use `robots_crawler_new`; `ROBOTS_E_ARG`;
/// `ROBOTS_E_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_crawler_preset(
    name: *const c_char,
    name_len: usize,
    out: *mut *mut robots_crawler,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        new_into(out, || {
            Crawler::preset(text(name, name_len)?).map(robots_crawler)
        })
    }
}

/// Adds a product token. It applies if no group of a robots.txt names an earlier token (SPEC 7.1).
///
/// Parameters: `token`, `token_len`: as for `robots_crawler_new`, in the crawler's dialect (`ROBOTS_DIALECT_GOOGLE`:
/// letters, `_` and `-` only; `ROBOTS_DIALECT_KOSTER1996`: a token of RFC 1945 but `*`).
/// Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` if `token` is not a product token; `ROBOTS_E_ARG`, also for a 65th token;
/// `ROBOTS_E_MEMORY`. After an error the crawler is unchanged.
/// Allocates: room for the token.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_crawler_add_token(
    crawler: *mut robots_crawler,
    token: *const c_char,
    token_len: usize,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        change(crawler, |crawler| {
            crawler.with_token(text(token, token_len)?)
        })
    }
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
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe { change(crawler, |crawler| crawler.with_option(option, value)) }
}

/// Replaces a caller's crawler by a changed one.
///
/// # Safety
/// `crawler` is null or a crawler of ours, used by no other thread during the call.
unsafe fn change(
    crawler: *mut robots_crawler,
    with: impl FnOnce(Crawler) -> Result<Crawler, Error>,
) -> robots_status {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe {
        status_of(|| {
            let place = changeable(crawler)?;
            place.0 = with(place.0.clone())?;
            Ok(())
        })
    }
}

/// Frees a crawler. Rules that were parsed with it stay valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_crawler_free(crawler: *mut robots_crawler) {
    // SAFETY: the promises of the caller, see `ffi`.
    unsafe { free(crawler) }
}
