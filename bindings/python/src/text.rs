//! Text from Python: `str` or `bytes`, without a copy where possible.

use pyo3::exceptions::PyUnicodeEncodeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};

use crate::argument::wrong_type;

/// Bytes that live as long as the Python object.
pub(crate) enum Text<'a> {
    Borrowed(&'a [u8]),
    Owned(Bound<'a, PyBytes>),
}

impl Text<'_> {
    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Text::Borrowed(bytes) => bytes,
            Text::Owned(bytes) => bytes.as_bytes(),
        }
    }
}

/// Returns the bytes of a URL or another short argument: `str` in UTF-8, or `bytes`.
#[inline]
pub(crate) fn text<'a>(name: &str, object: &'a Bound<'_, PyAny>) -> PyResult<Text<'a>> {
    match simple(object)? {
        Some(text) => Ok(text),
        None => Err(wrong_type(name, object, "str or bytes")),
    }
}

/// Returns the bytes of a file: `str` in UTF-8, `bytes`, or a copy of a `bytearray` or `memoryview`.
pub(crate) fn body<'a>(name: &str, object: &'a Bound<'_, PyAny>) -> PyResult<Text<'a>> {
    if let Some(text) = simple(object)? {
        return Ok(text);
    }
    let is_buffer =
        object.is_instance_of::<PyByteArray>() || object.is_instance_of::<PyMemoryView>();
    if !is_buffer {
        return Err(wrong_type(
            name,
            object,
            "str, bytes, bytearray or memoryview",
        ));
    }
    // Another thread may change the buffer while the parser reads it, so it is copied.
    let copy = object.py().get_type::<PyBytes>().call1((object,))?;
    Ok(Text::Owned(copy.cast_into::<PyBytes>()?))
}

#[inline]
fn simple<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Option<Text<'a>>> {
    if let Ok(string) = object.cast::<PyString>() {
        return match utf8(string.as_borrowed()) {
            Some(bytes) => Ok(Some(Text::Borrowed(bytes))),
            None => encoded(string).map(|bytes| Some(Text::Owned(bytes))),
        };
    }
    match object.cast::<PyBytes>() {
        Ok(bytes) => Ok(Some(Text::Borrowed(bytes.as_bytes()))),
        Err(_) => Ok(None),
    }
}

/// Returns the UTF-8 of a string; `None` if it holds surrogates.
#[cfg(not(windows))]
#[inline]
pub(crate) fn utf8<'a>(string: Borrowed<'a, '_, PyString>) -> Option<&'a [u8]> {
    #[allow(
        unsafe_code,
        reason = "the limited API of Python 3.9 does not declare it; every CPython since 3.3 exports it"
    )]
    unsafe extern "C" {
        fn PyUnicode_AsUTF8AndSize(
            unicode: *mut ffi::PyObject,
            size: *mut ffi::Py_ssize_t,
        ) -> *const core::ffi::c_char;
    }
    let mut size = 0;
    // SAFETY: the object is a `str`, the thread is attached, and `size` is writable. The result is null or points to `size`
    // bytes that the immutable string owns until it is freed.
    #[allow(unsafe_code, reason = "no safe function borrows")]
    let bytes = unsafe {
        let start = PyUnicode_AsUTF8AndSize(string.as_ptr(), &mut size);
        (!start.is_null()).then(|| core::slice::from_raw_parts(start.cast(), size as usize))
    };
    if bytes.is_none() {
        // The error is pending. The caller tries again.
        drop(PyErr::take(string.py()));
    }
    bytes
}

/// `python3.dll` of Python 3.9 does not export the function, so each string is encoded.
#[cfg(windows)]
pub(crate) fn utf8<'a>(_: Borrowed<'a, '_, PyString>) -> Option<&'a [u8]> {
    None
}

/// Returns the contents of `bytes` for as long as the object lives.
#[inline]
pub(crate) fn bytes<'a>(object: Borrowed<'a, '_, PyBytes>) -> &'a [u8] {
    // SAFETY: the object is `bytes`: an immutable block of this size, which lives as long as the object.
    #[allow(unsafe_code, reason = "the safe function borrows the reference")]
    unsafe {
        let start = ffi::PyBytes_AsString(object.as_ptr());
        core::slice::from_raw_parts(start.cast(), ffi::PyBytes_Size(object.as_ptr()) as usize)
    }
}

/// Encodes a string. Surrogates of `errors="surrogateescape"` become the bytes that they stand for.
pub(crate) fn encoded<'py>(string: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyBytes>> {
    let encode = |errors: &str| string.call_method1("encode", ("utf-8", errors));
    let bytes = encode("surrogateescape").or_else(|error| {
        match error.is_instance_of::<PyUnicodeEncodeError>(string.py()) {
            true => encode("surrogatepass"),
            false => Err(error),
        }
    })?;
    Ok(bytes.cast_into::<PyBytes>()?)
}

/// Returns bytes as `str`: UTF-8, and each other byte as a surrogate (`errors="surrogateescape"`).
pub(crate) fn string<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    match core::str::from_utf8(bytes) {
        Ok(text) => Ok(PyString::new(py, text)),
        Err(_) => {
            let decoded =
                PyBytes::new(py, bytes).call_method1("decode", ("utf-8", "surrogateescape"))?;
            Ok(decoded.cast_into::<PyString>()?)
        }
    }
}
