//! `robots_crawler`: who asks.

use core::ffi::c_char;

use super::status::robots_status;
use super::{borrowed, guarded, output, status_of, text};
use crate::crawler::Crawler;
use crate::dialect::Dialect;
use crate::error::Error;

/// A crawler: its product tokens, its dialect, its limits. Made by `robots_crawler_new`, ended by
/// `robots_crawler_free`. While it is set up it belongs to one thread; from then on any number of
/// threads may parse with it at once.
pub struct robots_crawler {
    pub(super) crawler: Crawler,
}

/// Option: which reading of the protocol decides, one of `ROBOTS_DIALECT_...`; `ROBOTS_DIALECT_RFC9309`
/// until set.
pub const ROBOTS_OPT_DIALECT: u32 = 1;
/// Option: how many octets of a robots.txt are read, 512000 to 1073741824; 512000 until set.
pub const ROBOTS_OPT_MAX_BYTES: u32 = 2;
/// Option: 1 to ignore groups of `*`, 0 not to; 0 until set.
pub const ROBOTS_OPT_IGNORE_STAR: u32 = 3;
/// Option: 1 to obey the groups of all product tokens together, as Google's matcher does, 0 to obey
/// those of the first token that is named; 0 until set.
pub const ROBOTS_OPT_MERGE_TOKENS: u32 = 4;
/// Option: 1 to let a crawl-delay line end a run of user-agent lines, 0 not to; 0 until set.
pub const ROBOTS_OPT_CRAWL_DELAY_ENDS_AGENTS: u32 = 5;

/// Dialect: RFC 9309.
pub const ROBOTS_DIALECT_RFC9309: u64 = 0;
/// Dialect: what Google's open-source matcher answers.
pub const ROBOTS_DIALECT_GOOGLE: u64 = 1;
/// Dialect: the first draft, of 1996.
pub const ROBOTS_DIALECT_KOSTER1996: u64 = 2;

const _: () = assert!(
    ROBOTS_DIALECT_RFC9309 == Dialect::Rfc9309 as u64
        && ROBOTS_DIALECT_GOOGLE == Dialect::Google as u64
        && ROBOTS_DIALECT_KOSTER1996 == Dialect::Koster1996 as u64
);

/// Makes a crawler that calls itself `token`.
///
/// Parameters: `token`, `token_len`: the bare product token, such as "ExampleBot": letters, digits, `.`,
/// `_` and `-`, 1 to 1024 octets (SPEC 7.6). `out`: receives the crawler.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` for what is no product token, a whole User-Agent header among
/// it; `ROBOTS_E_ARG` for `out` NULL or `token` NULL with a length. `*out` is NULL after an error.
/// Owner: the caller, who ends it with `robots_crawler_free`. `token` is copied.
/// Threads: any, at any time.
/// Allocates: the crawler.
/// Since: 0.1.0
///
/// # Safety
/// `token` is readable for `token_len` octets; `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_crawler_new(
    token: *const c_char,
    token_len: usize,
    out: *mut *mut robots_crawler,
) -> robots_status {
    status_of(|| {
        // SAFETY: the caller's promises, passed on.
        let (out, token) =
            unsafe { (output(out, core::ptr::null_mut())?, text(token, token_len)?) };
        let crawler = Crawler::new(token)?;
        *out = Box::into_raw(Box::new(robots_crawler { crawler }));
        Ok(())
    })
}

/// Adds a product token that counts where no group of a robots.txt names an earlier one (SPEC 7.1).
///
/// Parameters: `crawler`; `token`, `token_len`: as for `robots_crawler_new`, in the crawler's dialect
/// (`ROBOTS_DIALECT_GOOGLE`: letters, `_` and `-` only).
/// Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` for what is no product token; `ROBOTS_E_ARG` for NULL, or past
/// 64 tokens. After an error the crawler is as it was.
/// Owner: `token` is copied.
/// Threads: one; no other may use the crawler meanwhile.
/// Allocates: room for the token.
/// Since: 0.1.0
///
/// # Safety
/// `crawler` is NULL or a crawler that was not freed; `token` is readable for `token_len` octets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_crawler_add_token(
    crawler: *mut robots_crawler,
    token: *const c_char,
    token_len: usize,
) -> robots_status {
    // SAFETY: the caller's promises, passed on.
    unsafe {
        change(crawler, |crawler| {
            crawler.with_token(text(token, token_len)?)
        })
    }
}

/// Sets an option.
///
/// Parameters: `crawler`; `option`: one of `ROBOTS_OPT_...`; `value`: as the comment of the option says.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_ARG` for NULL, an unknown option or a value out of its range;
/// `ROBOTS_E_TOKEN` for a dialect in which a token of the crawler is none. After an error the crawler is
/// as it was.
/// Owner: nothing is handed over.
/// Threads: one; no other may use the crawler meanwhile. Rules parsed before keep what they were parsed with.
/// Allocates: nothing that lasts.
/// Since: 0.1.0
///
/// # Safety
/// `crawler` is NULL or a crawler that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_crawler_set(
    crawler: *mut robots_crawler,
    option: u32,
    value: u64,
) -> robots_status {
    let switch = || match value {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Error::Argument),
    };
    // SAFETY: the caller's promise, passed on.
    unsafe {
        change(crawler, |crawler| match option {
            ROBOTS_OPT_DIALECT => {
                crawler.with_dialect(Dialect::from_code(value).ok_or(Error::Argument)?)
            }
            ROBOTS_OPT_MAX_BYTES => {
                crawler.with_max_bytes(usize::try_from(value).map_err(|_| Error::Argument)?)
            }
            ROBOTS_OPT_IGNORE_STAR => Ok(crawler.with_ignore_star(switch()?)),
            ROBOTS_OPT_MERGE_TOKENS => Ok(crawler.with_merge_tokens(switch()?)),
            ROBOTS_OPT_CRAWL_DELAY_ENDS_AGENTS => {
                Ok(crawler.with_crawl_delay_ends_agents(switch()?))
            }
            _ => Err(Error::Argument),
        })
    }
}

/// Puts a changed crawler in the place of the old one.
///
/// # Safety
/// `crawler` is null or a crawler of ours, used by nobody else meanwhile.
unsafe fn change(
    crawler: *mut robots_crawler,
    with: impl FnOnce(Crawler) -> Result<Crawler, Error>,
) -> robots_status {
    status_of(|| {
        // SAFETY: the caller's promise: null, or ours and not shared.
        let place = unsafe { crawler.as_mut() }.ok_or(Error::Argument)?;
        place.crawler = with(place.crawler.clone())?;
        Ok(())
    })
}

/// Ends a crawler. Rules that were parsed with it live on.
///
/// Parameters: `crawler`: NULL does nothing.
/// Returns: nothing.
/// Owner: `crawler` is handed back and must not be used again.
/// Threads: any; no other may use the crawler meanwhile.
/// Allocates: nothing.
/// Since: 0.1.0
///
/// # Safety
/// `crawler` is NULL or a crawler that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_crawler_free(crawler: *mut robots_crawler) {
    if crawler.is_null() {
        return;
    }
    // There is nobody to tell of a panic here, and nothing left to do about it.
    let _ = guarded(|| {
        // SAFETY: not null; the caller promises that it is ours and not used again.
        drop(unsafe { Box::from_raw(crawler) });
        Ok(())
    });
}

/// A caller's crawler.
///
/// # Safety
/// As for [`borrowed`].
pub(super) unsafe fn crawler_of<'a>(crawler: *const robots_crawler) -> Result<&'a Crawler, Error> {
    // SAFETY: passed on.
    Ok(&unsafe { borrowed(crawler) }?.crawler)
}
