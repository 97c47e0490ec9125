//! `robots_crawler`: who asks.

use core::ffi::c_char;

use super::status::robots_status;
use super::{borrowed, handle_into, status_of, text};
use crate::crawler::Crawler;
use crate::crawler::options::FetchOption;
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

/// Option: how many redirects in a row are followed, 0 to 20; 5 until set. What is not set of this and the options
/// that follow is as the dialect says, also after a later change of dialect.
pub const ROBOTS_OPT_MAX_REDIRECTS: u32 = 16;
/// Option: what 401 and 403 mean for the site, `ROBOTS_OUTCOME_ALLOW_ALL`, `_DISALLOW_ALL` or `_DEFER`; until set allow
/// all, koster1996: disallow all. To defer makes them count as unreachable.
pub const ROBOTS_OPT_ON_FORBIDDEN: u32 = 17;
/// Option: what 429 means, as above; until set disallow all, koster1996: defer. To allow all makes it count like 404.
pub const ROBOTS_OPT_ON_TOO_MANY_REQUESTS: u32 = 18;
/// Option: what 500 to 599 mean, as above; until set disallow all, koster1996: defer. To allow all makes them count like
/// 404.
pub const ROBOTS_OPT_ON_SERVER_ERROR: u32 = 19;
/// Option: what all other failures mean, as above; until set disallow all, koster1996: defer.
pub const ROBOTS_OPT_ON_UNREACHABLE: u32 = 20;
/// Option: 1 to take 500 to 599 for 404, as of a site that is known to answer so for pages that do not exist, 0 not
/// to; 0 until set.
pub const ROBOTS_OPT_SERVER_ERROR_IS_MISSING: u32 = 21;
/// Option: for how many seconds a robots.txt lives where its headers do not say, 1 to 315360000 (ten years); 86400 until
/// set, koster1996: 604800.
pub const ROBOTS_OPT_DEFAULT_TTL: u32 = 22;
/// Option: the shortest life in seconds, whatever the headers say, and the shortest wait, whatever `Retry-After` says, 0
/// to 315360000; 300 until set.
pub const ROBOTS_OPT_MIN_TTL: u32 = 23;
/// Option: the longest life in seconds, whatever the headers say, 1 to 315360000; stronger than the shortest; 86400
/// until set, google and koster1996: 2592000.
pub const ROBOTS_OPT_MAX_TTL: u32 = 24;
/// Option: how many seconds after a first failure the next try is due, 1 to 315360000; 600 until set. The longer a site
/// is unreachable, the longer the waits become: as long as it has been unreachable, up to the default life.
pub const ROBOTS_OPT_FAILURE_TTL: u32 = 25;
/// Option: the longest wait in seconds that a `Retry-After` can ask for, 0 to 315360000; 86400 until set. The
/// shortest wait (`ROBOTS_OPT_MIN_TTL`) is stronger.
pub const ROBOTS_OPT_MAX_RETRY_AFTER: u32 = 26;
/// Option: after how many seconds a site that is unreachable, and of which there is no copy, may be fetched as a whole,
/// 0 to 315360000; 2592000 (30 days) until set.
pub const ROBOTS_OPT_UNREACHABLE_TTL: u32 = 27;
/// Option: 1 to go on using a copy of up to 24 h when the file is missing, 0 to allow all at once; 0 until set.
pub const ROBOTS_OPT_MISSING_KEEPS_COPY: u32 = 28;
/// Option: the longest life in seconds of an answer by which there is no file to obey, 1 to 315360000; 21600 (6 hours)
/// until set.
pub const ROBOTS_OPT_MISSING_TTL: u32 = 29;

// The numbers of C are those of the core.
const _: () = assert!(
    ROBOTS_OPT_MAX_REDIRECTS == FetchOption::MaxRedirects as u32
        && ROBOTS_OPT_ON_FORBIDDEN == FetchOption::OnForbidden as u32
        && ROBOTS_OPT_ON_TOO_MANY_REQUESTS == FetchOption::OnTooManyRequests as u32
        && ROBOTS_OPT_ON_SERVER_ERROR == FetchOption::OnServerError as u32
        && ROBOTS_OPT_ON_UNREACHABLE == FetchOption::OnUnreachable as u32
        && ROBOTS_OPT_SERVER_ERROR_IS_MISSING == FetchOption::ServerErrorIsMissing as u32
        && ROBOTS_OPT_DEFAULT_TTL == FetchOption::DefaultTTL as u32
        && ROBOTS_OPT_MIN_TTL == FetchOption::MinTTL as u32
        && ROBOTS_OPT_MAX_TTL == FetchOption::MaxTTL as u32
        && ROBOTS_OPT_FAILURE_TTL == FetchOption::FailureTTL as u32
        && ROBOTS_OPT_MAX_RETRY_AFTER == FetchOption::MaxRetryAfter as u32
        && ROBOTS_OPT_UNREACHABLE_TTL == FetchOption::UnreachableTTL as u32
        && ROBOTS_OPT_MISSING_KEEPS_COPY == FetchOption::MissingKeepsCopy as u32
        && ROBOTS_OPT_MISSING_TTL == FetchOption::MissingTTL as u32
);

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
/// it; `ROBOTS_E_ARG` for `out` NULL or `token` NULL with a length; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
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
    let made = || {
        // SAFETY: the caller's promise, passed on.
        let token = unsafe { text(token, token_len)? };
        let crawler = Crawler::new(token)?;
        super::hand_out(robots_crawler { crawler })
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Makes a crawler of a well-known name, set up after what its operator has published, as far as that is known: product
/// tokens in order of preference, dialect, whether it ignores groups of `*`. Operators change such things.
///
/// Parameters: `name`, `name_len`: such as "Googlebot-Image"; case does not matter. `out`: receives the crawler.
/// Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` for a name that is not known: set it up with `robots_crawler_new`;
/// `ROBOTS_E_ARG` for `out` NULL or `name` NULL with a length; `ROBOTS_E_MEMORY`. `*out` is NULL after an error.
/// Owner: the caller, who ends it with `robots_crawler_free`.
/// Threads: any, at any time.
/// Allocates: the crawler.
/// Since: 0.1.0
///
/// # Safety
/// `name` is readable for `name_len` octets; `out` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robots_crawler_preset(
    name: *const c_char,
    name_len: usize,
    out: *mut *mut robots_crawler,
) -> robots_status {
    let made = || {
        // SAFETY: the caller's promise, passed on.
        let name = unsafe { text(name, name_len)? };
        let crawler = Crawler::preset(name)?;
        super::hand_out(robots_crawler { crawler })
    };
    // SAFETY: the caller's promise, passed on.
    unsafe { handle_into(out, made) }
}

/// Adds a product token that counts where no group of a robots.txt names an earlier one (SPEC 7.1).
///
/// Parameters: `crawler`; `token`, `token_len`: as for `robots_crawler_new`, in the crawler's dialect
/// (`ROBOTS_DIALECT_GOOGLE`: letters, `_` and `-` only).
/// Returns: `ROBOTS_OK`; `ROBOTS_E_TOKEN` for what is no product token; `ROBOTS_E_ARG` for NULL, or past
/// 64 tokens; `ROBOTS_E_MEMORY`. After an error the crawler is as it was.
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
/// Allocates: nothing.
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
            _ => {
                let option = FetchOption::from_code(option).ok_or(Error::Argument)?;
                crawler.with_fetch_option(option, value)
            }
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
    // SAFETY: the caller's promise, passed on.
    unsafe { super::free(crawler) };
}

/// A caller's crawler.
///
/// # Safety
/// As for [`borrowed`].
pub(super) unsafe fn crawler_of<'a>(crawler: *const robots_crawler) -> Result<&'a Crawler, Error> {
    // SAFETY: passed on.
    Ok(&unsafe { borrowed(crawler) }?.crawler)
}
