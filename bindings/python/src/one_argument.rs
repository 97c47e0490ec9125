//! `Rules.is_allowed` as a method of exactly one argument (`METH_O`).
//!
//! For the limited API of Python 3.9, PyO3 passes arguments in a tuple and a dictionary. On the path that crawlers take most
//! often, that takes longer than the check itself.

#![allow(
    unsafe_code,
    reason = "no safe function makes a method of one argument"
)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::rules::Rules;
use crate::text::text;

/// A definition that Python keeps a pointer to.
struct Definition(ffi::PyMethodDef);

// SAFETY: nobody changes the definition, and its pointers are to constants.
unsafe impl Sync for Definition {}

static IS_ALLOWED: Definition = Definition(ffi::PyMethodDef {
    ml_name: c"is_allowed".as_ptr(),
    ml_meth: ffi::PyMethodDefPointer {
        PyCFunction: is_allowed,
    },
    ml_flags: ffi::METH_O,
    ml_doc: c"is_allowed($self, url, /)\n--\n\n\
        Returns whether `url` may be fetched: an absolute URL, or a path that starts with `/`.\n\n\
        Only path and query count: ask the rules of the URL's own site. Returns False for what is no URL."
        .as_ptr(),
});

/// Adds the method to the class.
pub(crate) fn add(py: Python<'_>) -> PyResult<()> {
    let class = py.get_type::<Rules>();
    // SAFETY: the class is a type, and the definition lives as long as the program. Python does not change it.
    let method = unsafe {
        let definition = (&raw const IS_ALLOWED.0).cast_mut();
        let method = ffi::PyDescr_NewMethod(class.as_type_ptr(), definition);
        Bound::from_owned_ptr_or_err(py, method)?
    };
    class.setattr("is_allowed", method)
}

/// Implements the method: returns a new reference, or null with an exception set.
unsafe extern "C" fn is_allowed(
    rules: *mut ffi::PyObject,
    url: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python calls a method with a thread that is attached.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: both are references that live for the call. The method descriptor has verified that the first is of the class.
    let (rules, url) = unsafe {
        let rules = Borrowed::from_ptr(py, rules).cast_unchecked::<Rules>();
        (rules, Borrowed::from_ptr(py, url))
    };
    let check =
        || -> PyResult<bool> { Ok(rules.get().rules.is_allowed(text("url", &url)?.as_bytes())) };
    let checked = catch_unwind(AssertUnwindSafe(check))
        .unwrap_or_else(|_| Err(PyRuntimeError::new_err("internal error in librobots")));
    match checked {
        Ok(allowed) => PyBool::new(py, allowed).to_owned().into_ptr(),
        Err(error) => {
            error.restore(py);
            core::ptr::null_mut()
        }
    }
}
