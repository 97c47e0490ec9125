//! Limits on what is read and stored (SPEC 2.18, 4.5, 4.6, 10).

use crate::error::Error;

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

/// The last second of the year 9999 (SPEC 2.18). A later time is usually one in milliseconds.
pub(crate) const MAX_TIME: u64 = 253_402_300_799;

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

/// The lowest capacity of a cache, in bytes: room for about 100 small sites.
pub const MIN_CACHE_BYTES: usize = 65_536;
