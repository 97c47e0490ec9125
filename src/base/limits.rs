//! Limits on what is read and stored (SPEC 2.18, 4.5, 4.6, 10).

use crate::base::error::Error;

/// The default size limit of a robots.txt in bytes: 500 KiB (SPEC 4.5). It is also the lowest limit a crawler
/// may set.
pub const MIN_MAX_BYTES: usize = 512_000;

/// The highest size limit a crawler may set: 1 GiB. The image of such a file fits 32-bit offsets, unless the
/// file was crafted against that: then parsing fails with [`Error::Memory`].
pub const MAX_MAX_BYTES: usize = 1 << 30;

/// How many bytes of a line Google's parser keeps (SPEC 4.6): 8 x 2083 - 1.
pub(crate) const GOOGLE_LINE: usize = 8 * 2083 - 1;

/// The longest product token, in bytes. Real tokens have fewer than 40.
pub const MAX_TOKEN_LEN: usize = 1024;

/// The maximum number of product tokens of one crawler.
pub const MAX_TOKENS: usize = 64;

/// The maximum number of crawlers that one fetch, outcome or cache serves.
pub const MAX_CRAWLERS: usize = 16;

/// The longest URL that a redirect may lead to, in bytes.
pub(crate) const MAX_URL: usize = 8 * 1024;

/// The longest canonical path, and the longest path of a form to send, in bytes (SPEC 8.11, 8.12).
pub(crate) const MAX_PATH: usize = 1 << 16;

/// A raw path of at most this length has no canonical form of more than [`MAX_PATH`]: a byte becomes three at most.
pub(crate) const SAFE_PATH: usize = MAX_PATH / 3;

/// The longest `Cache-Control` that is read, in bytes; a longer one means a TTL of 0 (SPEC 3.2).
pub(crate) const MAX_CACHE_CONTROL: usize = 8 * 1024;

/// The longest `ETag` or `Last-Modified` that is stored and sent back, in bytes (SPEC 3.5). A SHA-512 in hexadecimal has 128.
pub(crate) const MAX_VALIDATOR: usize = 512;

/// The maximum number of unknown rules that are kept for one response (SPEC 9.6): 16 KiB with [`MAX_RULE_TEXT`].
pub(crate) const MAX_UNKNOWN_RULES: usize = 64;

/// The length to which the text of a page's rule is cut, in bytes (SPEC 9.6).
pub(crate) const MAX_RULE_TEXT: usize = 256;

/// The maximum total length of the `Content-Usage` headers of one response, in bytes (SPEC 9.5). Each header is parsed together
/// with those before it, so this bounds the work, too.
pub(crate) const MAX_USAGE: usize = 16 * 1024;

/// The last second of the year 9999 (SPEC 2.18). A later time is usually one in milliseconds.
pub(crate) const MAX_TIME: u64 = 253_402_300_799;

/// The same in milliseconds, and the first of them that is not taken for a time in seconds: March 1973, or the year 5138
/// (SPEC 3.9).
pub(crate) const MAX_TIME_MS: u64 = MAX_TIME * 1_000 + 999;
pub(crate) const MIN_TIME_MS: u64 = 100_000_000_000;

/// Returns a time of milliseconds in seconds; an error if it is one of seconds, or after the year 9999 (SPEC 3.9).
pub(crate) fn seconds_of(now_ms: u64) -> Result<u64, Error> {
    if !(MIN_TIME_MS..=MAX_TIME_MS).contains(&now_ms) {
        return Err(Error::Argument);
    }
    Ok(now_ms / 1_000)
}

/// Returns an error if `now` is after the year 9999 (SPEC 2.18).
pub(crate) fn validate_time(now: u64) -> Result<(), Error> {
    if now > MAX_TIME {
        return Err(Error::Argument);
    }
    Ok(())
}

/// After an error that may pass, a cache defers its caller by so many seconds (SPEC 2.18): one that follows the answer
/// does not spin.
pub(crate) const ERROR_WAIT: u64 = 60;

/// The highest value of an option of pacing, in milliseconds: a day.
pub(crate) const MAX_PACE_MS: u64 = 86_400_000;

/// The longest validity of a ticket, in seconds: a day.
pub(crate) const MAX_TICKET_TTL: u64 = 86_400;

/// How far the clock readings of two threads that use one cache may differ, in seconds (SPEC 2.18).
pub(crate) const CLOCK_SKEW: u64 = 60;

/// The lowest capacity of a cache, in bytes: room for about 100 small sites.
pub const MIN_CACHE_BYTES: usize = 65_536;
