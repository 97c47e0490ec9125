//! Limits on input and on stored data (SPEC 2.18, 4.5, 4.6, 8.12, 9.2, 9.6, 10).

use crate::base::error::Error;

/// The default size limit of a robots.txt in bytes: 500 KiB (SPEC 4.5). The default is also the lowest limit that a crawler may
/// set.
pub const MIN_MAX_BYTES: usize = 512_000;

/// The highest size limit that a crawler may set: 1 GiB. The image of an ordinary file of this size fits 32-bit offsets. The
/// image of a file of short rules may not fit; then parsing fails as if an allocation failed.
pub const MAX_MAX_BYTES: usize = 1 << 30;

/// The number of bytes of a line that Google's parser keeps (SPEC 4.6): eight times the longest URL of Internet Explorer (2083
/// bytes), minus one.
pub(crate) const GOOGLE_LINE: usize = 8 * 2083 - 1;

/// The longest product token, in bytes. Real tokens have fewer than 40 bytes.
pub const MAX_TOKEN_LEN: usize = 1024;

/// The maximum number of product tokens of one crawler.
pub const MAX_TOKENS: usize = 64;

/// The maximum number of crawlers that one fetch, outcome or cache serves.
pub const MAX_CRAWLERS: usize = 16;

/// The default maximum number of diagnostics of each code in a report of lint. Diagnostics above the maximum are only counted.
/// [`Crawler::with_lint_limit`](crate::Crawler::with_lint_limit) changes the maximum.
pub const MAX_PER_CODE: usize = 100;

/// The longest authority of a URL, in bytes. A host name has at most 253 bytes; escapes and user names add bytes.
pub(crate) const MAX_AUTHORITY: usize = 4096;

/// The longest host name, in bytes (RFC 1035). This limit also bounds the length of an origin's key.
pub(crate) const MAX_HOST: usize = 255;

/// The longest URL that a redirect may lead to, in bytes.
pub(crate) const MAX_URL: usize = 8 * 1024;

/// The longest canonical path, and the longest path and query in the form to send, in bytes (SPEC 8.11, 8.12).
pub(crate) const MAX_PATH: usize = 1 << 16;

/// The longest raw path whose canonical form surely fits [`MAX_PATH`], in bytes: each byte becomes at most three bytes.
pub(crate) const SAFE_PATH: usize = MAX_PATH / 3;

/// The longest `Cache-Control` that is read, in bytes; a longer one means a TTL of 0 (SPEC 3.2).
pub(crate) const MAX_CACHE_CONTROL: usize = 8 * 1024;

/// The longest `ETag` or `Last-Modified` that is stored and sent back, in bytes (SPEC 3.5). A SHA-512 in hex has 128 bytes.
pub(crate) const MAX_VALIDATOR: usize = 512;

/// The maximum number of unknown rules that are kept for one response (SPEC 9.6): at [`MAX_RULE_TEXT`] bytes each, 16 KiB of
/// text.
pub(crate) const MAX_UNKNOWN_RULES: usize = 64;

/// The maximum length of the text of a page's rule, in bytes; a longer text is cut (SPEC 9.6).
pub(crate) const MAX_RULE_TEXT: usize = 256;

/// The maximum total length of the `Content-Usage` headers of one response, in bytes (SPEC 9.5). Each header is parsed together
/// with the headers before it, so the limit bounds the work, too.
pub(crate) const MAX_USAGE: usize = 16 * 1024;

/// The longest address of terms that a page states, in bytes (SPEC 13.6).
pub(crate) const MAX_TERMS: usize = 2 * 1024;

/// The maximum number of addresses of terms that are kept for one page (SPEC 13.6).
pub(crate) const MAX_LICENSES: usize = 16;

/// The longest tdmrep.json, in bytes (SPEC 13.4): the default size limit of a robots.txt.
pub(crate) const MAX_TDM_FILE: usize = MIN_MAX_BYTES;

/// The longest crawl-delay, in seconds: ten years (SPEC 9.2).
pub(crate) const MAX_CRAWL_DELAY: f64 = 315_360_000.0;

/// The longest date of `unavailable_after` or of an HTTP header, in bytes (SPEC 9.6).
pub(crate) const MAX_DATE: usize = 128;

/// The maximum total length of the patterns of [`effective_rules`](crate::Rules::effective_rules), in bytes. Rules of an image
/// share the labels of nodes, so without this limit the patterns of a forged image of 500 KB could take gigabytes.
pub(crate) const MAX_PATTERNS: usize = 1 << 26;

/// The longest time for which an outcome is used, in seconds: the longest lifetime that an option can set (ten years), plus a
/// day (SPEC 2.11).
pub(crate) const MAX_USE: u64 = 315_360_000 + 86_400;

/// The last second of the year 9999 (SPEC 2.18). A later time is rejected: the caller probably passed milliseconds.
pub(crate) const MAX_TIME: u64 = 253_402_300_799;

/// The range of times in milliseconds (SPEC 3.9). A lower number means a time before March 1973, and is rejected: the caller
/// probably passed seconds.
pub(crate) const MAX_TIME_MS: u64 = MAX_TIME * 1_000 + 999;
pub(crate) const MIN_TIME_MS: u64 = 100_000_000_000;

/// Converts milliseconds to seconds. Returns an error if the time seems to be in seconds, or is after 9999 (SPEC 3.9).
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

/// The number of seconds that a cache defers its caller after a temporary error (SPEC 2.18), so that the caller does not retry
/// in a busy loop.
pub(crate) const ERROR_WAIT: u64 = 60;

/// The highest value of a pacing option, in milliseconds: a day.
pub(crate) const MAX_PACE_MS: u64 = 86_400_000;

/// The longest validity of a ticket, in seconds: a day.
pub(crate) const MAX_TICKET_TTL: u64 = 86_400;

/// The maximum difference between the clocks of threads that share one cache, in seconds (SPEC 2.18).
pub(crate) const CLOCK_SKEW: u64 = 60;

/// The lowest capacity of a cache, in bytes: room for about 500 sites.
pub const MIN_CACHE_BYTES: usize = 65_536;
