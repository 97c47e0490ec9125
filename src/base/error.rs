//! The error type: each error has a stable number, and a message that says what to do.

use core::fmt;

codes! {
    /// Why a call failed. The discriminant is the `robots_status` value of the C API.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    #[repr(u16)]
    pub enum Error {
        /// An argument is out of range or unknown, a pointer is null but its length is not 0, or the body is the address of a
        /// robots.txt instead of its content (SPEC 4.7).
        Argument = 1,
        /// The text is not a product token in the crawler's dialect (SPEC 7.6).
        Token = 2,
        /// The text is neither an absolute URL nor a path (SPEC 8.5b), its canonical path has more than 64 KiB (SPEC 8.12), or
        /// the URL and the outcome belong to different sites.
        Url = 3,
        /// An allocation failed.
        Memory = 4,
        /// A call panicked because of a bug in the library. The library stays usable.
        Panic = 5,
        /// The image or record is damaged.
        Image = 6,
        /// The image or record has another format version or byte order, or the record was made for other crawlers.
        ImageFormat = 7,
        /// The scheme of the URL is not http, https or ftp (SPEC 1.6).
        Scheme = 8,
        /// The call does not fit the state: an event that the fetch does not expect, a new setting for a cache in use, a ticket
        /// that is already finished, or a cache in a forked child.
        InvalidState = 9,
    }
    ALL: pub, from_code: pub u16
}

impl Error {
    /// Returns the number: the `robots_status` value of the C API.
    pub const fn code(self) -> u16 {
        self as u16
    }

    /// Returns the message: what failed and what to do. The text is NUL-terminated, because C uses it, too.
    pub(crate) const fn text(self) -> &'static core::ffi::CStr {
        match self {
            Error::Argument => c"invalid argument: an unknown option, a value out of its range, or the address of a robots.txt in place of its content; see the comment of the function",
            Error::Token => c"invalid product token: pass the bare name of the crawler, such as \"ExampleBot\", not a whole User-Agent header such as \"ExampleBot/1.0 (...)\"; it has letters, digits, '.', '_' and '-' (dialect google: letters, '_' and '-'; koster1996: characters of a token of RFC 1945)",
            Error::Url => c"invalid URL: pass an absolute URL such as https://example.com/page; rules also accept a path that starts with '/'; a robots.txt answers only for URLs of its site",
            Error::Memory => c"out of memory: free memory and try again; if the size limit of a crawler was raised, lower it; if a site does not fit into a cache, raise the limit of the cache",
            Error::Panic => c"internal error in librobots: please report it with the input; the library stays usable",
            Error::Image => c"damaged image: compile the robots.txt again",
            Error::ImageFormat => c"image or record of another format version or byte order, or a record of other crawlers: compile or fetch the robots.txt again with this version, and import a record with the crawlers it was made for, in the same order",
            Error::Scheme => c"unsupported URL scheme: pass an absolute URL that starts with http://, https:// or ftp://",
            Error::InvalidState => c"wrong state: report to a fetch only the event its step names, configure a cache before its first use, finish a ticket once, create a new cache in a forked child",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().to_str().unwrap_or_default())
    }
}

impl core::error::Error for Error {}
