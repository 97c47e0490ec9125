//! Bounds on what is read and kept (SPEC 4.5, 4.6, 10).

/// The size limit of a robots.txt in bytes unless a crawler raises it: 500 KiB (SPEC 4.5).
/// It is also the lowest limit a crawler may set.
pub const MIN_MAX_BYTES: usize = 512_000;

/// The highest size limit a crawler may set: 1 GiB. The image of a file that long is within reach of its
/// 32-bit offsets, unless the file was made for it not to be: then there is [`Error::Memory`](crate::Error::Memory).
pub const MAX_MAX_BYTES: usize = 1 << 30;

/// The bytes of a line that Google's parser keeps (SPEC 4.6): 8 x 2083 - 1.
pub(crate) const GOOGLE_LINE: usize = 8 * 2083 - 1;

/// The longest product token, in bytes. Field practice stays under 40; the bound keeps a
/// crawler's set-up small whatever it is handed.
pub const MAX_TOKEN_LEN: usize = 1024;

/// The most product tokens of one crawler.
pub const MAX_TOKENS: usize = 64;

/// Bytes of canonical path that a decision holds on the stack where a URL's spelling must be
/// canonicalised.
pub(crate) const PATH_BUFFER: usize = 1024;

/// The same for a path that does not fit: servers take few that are longer than this. One that does
/// not fit either is matched as a stream.
pub(crate) const LONG_PATH_BUFFER: usize = 16 * 1024;

/// The most crawlers that one fetch, one outcome or one cache serves.
pub const MAX_CRAWLERS: usize = 16;

/// The longest URL that a redirect may lead to, in bytes.
pub(crate) const MAX_URL: usize = 8 * 1024;

/// The least bytes a cache may be given: room for a hundred small sites.
pub const MIN_CACHE_BYTES: usize = 65_536;
