//! The reason for a refused argument: `robots_status_text` names the parameter. A refusal stores its text in a variable
//! of the thread; a call that succeeds stores nothing.

use core::cell::Cell;
use core::ffi::CStr;

use crate::base::error::Error;
use crate::base::verdict::Verdict;

thread_local! {
    /// The text of the thread's last refused argument. The variable has no destructor, so that the library can be unloaded.
    static LAST: Cell<&'static CStr> = const { Cell::new(ANY) };
}

/// The text before a thread's first refused argument.
const ANY: &CStr = c"invalid argument: a pointer that is NULL or not aligned, a struct with a size that is too small, an unknown option, or a number out of its range; see the comment of the function";

/// The text for a body that is an address. Parsing the body succeeds, but each check with the rules fails (SPEC 4.7).
pub(super) const ADDRESS: &CStr = c"invalid argument: body was the address of a robots.txt, such as https://example.com/robots.txt, in place of its content: fetch the file, then pass its content";

/// Joins the parts of a text to one [`CStr`], at compile time.
macro_rules! why {
    ($($part:expr),+) => {
        const {
            match core::ffi::CStr::from_bytes_with_nul(
                concat!("invalid argument: ", $($part),+, "\0").as_bytes(),
            ) {
                Ok(text) => text,
                Err(_) => panic!("a NUL inside of a text"),
            }
        }
    };
}
pub(super) use why;

/// Refuses an argument: keeps the text for [`last`] and returns [`Error::Argument`].
#[cold]
#[inline(never)]
pub(super) fn refuse(why: &'static CStr) -> Error {
    LAST.set(why);
    Error::Argument
}

/// Returns the text of the thread's last refused argument.
pub(super) fn last() -> &'static CStr {
    LAST.get()
}

/// A result whose [`Error::Argument`] gets a text: which argument was refused, and why.
pub(super) trait Blame {
    /// Keeps `why` if the error is [`Error::Argument`].
    fn blame(self, why: &'static CStr) -> Self;
}

impl<T> Blame for Result<T, Error> {
    #[inline(always)]
    fn blame(self, why: &'static CStr) -> Self {
        self.map_err(|error| match error {
            Error::Argument => refuse(why),
            error => error,
        })
    }
}

impl Blame for Verdict {
    #[inline(always)]
    fn blame(self, why: &'static CStr) -> Self {
        // Only numbers are compared, because this code runs in each check of a URL.
        if (self.bits() >> 16) as u16 == Error::Argument.code() {
            refuse(why);
        }
        self
    }
}
