//! The functions of the crate `idna` that `url` calls, without Unicode tables, which had a fifth of the bytes of a module: the
//! host of the module converts a name that is not plain ASCII, with the `URL` class that its `fetch` uses, too.

use std::borrow::Cow;

/// The name is not valid.
#[derive(Debug)]
pub struct Errors;

/// The ASCII characters that a name must not have. There is one such set.
#[derive(Clone, Copy, Debug)]
pub struct AsciiDenyList;

impl AsciiDenyList {
    /// The forbidden domain code points of the URL Standard.
    pub const URL: AsciiDenyList = AsciiDenyList;

    fn has(self, byte: u8) -> bool {
        byte <= b' ' || byte == 0x7F || b"#%/:<>?@[\\]^`{|}".contains(&byte)
    }
}

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Converts a name of `len` bytes in UTF-8 to ASCII, in at most `room` bytes at `out`. Returns the length of the result;
    /// a negative number if the name is not valid or has no room.
    fn name_to_ascii(name: *const u8, len: usize, out: *mut u8, room: usize) -> isize;
}

/// The most bytes of a result. A name of more than 255 is no host for librobots.
const ROOM: usize = 1024;

/// Converts a name to ASCII in lower case, with Punycode where necessary.
pub fn domain_to_ascii_from_cow(
    name: Cow<'_, [u8]>,
    denied: AsciiDenyList,
) -> Result<Cow<'_, str>, Errors> {
    if name.iter().any(|byte| denied.has(*byte)) {
        return Err(Errors);
    }
    let is_encoded = |label: &[u8]| {
        label
            .get(..4)
            .is_some_and(|start| start.eq_ignore_ascii_case(b"xn--"))
    };
    if !name.is_ascii() || name.split(|byte| *byte == b'.').any(is_encoded) {
        return converted(core::str::from_utf8(&name).map_err(|_| Errors)?).map(Cow::Owned);
    }
    let mut name = match name {
        Cow::Borrowed(name) => core::str::from_utf8(name)
            .map(Cow::Borrowed)
            .map_err(|_| Errors)?,
        Cow::Owned(name) => String::from_utf8(name)
            .map(Cow::Owned)
            .map_err(|_| Errors)?,
    };
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        name.to_mut().make_ascii_lowercase();
    }
    Ok(name)
}

fn converted(name: &str) -> Result<String, Errors> {
    let mut out = [0; ROOM];
    // SAFETY: the host reads the bytes of `name`, writes at most the bytes of `out`, and keeps neither address.
    let len = unsafe { name_to_ascii(name.as_ptr(), name.len(), out.as_mut_ptr(), out.len()) };
    let result = usize::try_from(len)
        .ok()
        .and_then(|len| out.get(..len))
        .ok_or(Errors)?;
    String::from_utf8(result.to_vec()).map_err(|_| Errors)
}

/// Returns the name as it is: `url` shows a name in Unicode only where librobots never asks for it.
pub fn domain_to_unicode(name: &str) -> (String, Result<(), Errors>) {
    (name.to_owned(), Ok(()))
}
