//! What can go wrong, each with a number that never changes and a sentence that says what to do.

use core::fmt;

/// Why a call failed. The discriminant is the `robots_status` of the C API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u16)]
pub enum Error {
    /// An argument is out of its range, unknown, or a null pointer with a length.
    Argument = 1,
    /// Not a product token in the crawler's dialect (SPEC 7.6).
    Token = 2,
    /// Not a URL that can be decided on (SPEC 8.5b).
    Url = 3,
    /// There is not enough memory for a size the input chose.
    Memory = 4,
    /// A defect of the library; it stays usable.
    Panic = 5,
    /// A damaged image.
    Image = 6,
    /// An image of another format version or byte order.
    ImageFormat = 7,
    /// A URL of another scheme than http, https and ftp (SPEC 1.6).
    Scheme = 8,
    /// Too early or too late: an event that a fetch does not wait for now, a setting of a cache that is in use, a
    /// ticket that was finished.
    InvalidState = 9,
}

impl Error {
    /// Every error, in the order of its number.
    pub const ALL: [Error; 9] = [
        Error::Argument,
        Error::Token,
        Error::Url,
        Error::Memory,
        Error::Panic,
        Error::Image,
        Error::ImageFormat,
        Error::Scheme,
        Error::InvalidState,
    ];

    /// The error with this number, if there is one.
    pub fn from_code(code: u16) -> Option<Error> {
        Error::ALL.into_iter().find(|error| error.code() == code)
    }

    /// The number: the `robots_status` of the C API.
    pub const fn code(self) -> u16 {
        self as u16
    }

    /// One sentence for a person: what is wrong and what to do next. Ends in a NUL, so that C
    /// shares the very same text.
    pub(crate) const fn text(self) -> &'static core::ffi::CStr {
        match self {
            Error::Argument => c"invalid argument: a null pointer, an unknown option or a value out of its range; the comment of the function gives the ranges",
            Error::Token => c"invalid product token: pass the bare name of the crawler, such as \"ExampleBot\", of letters, digits, '.', '_' and '-' (dialect google: letters, '_' and '-' only), not a whole User-Agent header",
            Error::Url => c"invalid URL: pass an absolute URL (scheme://host/path) or a path that starts with '/'",
            Error::Memory => c"out of memory: lower the size limit (max_bytes) or free memory, then try again",
            Error::Panic => c"internal error in librobots: please report it with the input; the library stays usable",
            Error::Image => c"damaged image: compile the robots.txt again",
            Error::ImageFormat => c"image of another format version or byte order: compile the robots.txt again with this version",
            Error::Scheme => c"no scheme that has a robots.txt: pass an absolute URL that starts with http://, https:// or ftp://",
            Error::InvalidState => c"too early or too late: tell a fetch what its step names, set a cache up before it is used, finish a ticket once",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().to_str().unwrap_or_default())
    }
}

impl core::error::Error for Error {}
