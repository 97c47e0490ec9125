//! Arguments: each error names the argument, shows its value, and says what to pass.
//!
//! PyO3 names the argument in a note alone, which Python before 3.11 does not print, and does not show the value.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use robots::Error;

use crate::error::about;

/// A longer value is shown as its type: a column of a million rows is no part of a message.
const SHOWN: usize = 100;

/// Returns the text of a value for a message.
pub(crate) fn shown(value: &Bound<'_, PyAny>) -> String {
    let text = value.repr().map(|text| text.to_string());
    match text {
        Ok(text) if text.len() <= SHOWN && !text.contains('\n') => text,
        _ => match value.get_type().name() {
            Ok(class) => format!("<{class}>"),
            Err(_) => "<object>".to_owned(),
        },
    }
}

/// Returns the words of an error about an argument.
fn words(name: &str, value: &Bound<'_, PyAny>, wanted: &str) -> String {
    format!("{name}={}: pass {wanted}", shown(value))
}

/// Returns the exception for an argument of a wrong type.
pub(crate) fn wrong_type(name: &str, value: &Bound<'_, PyAny>, wanted: &str) -> PyErr {
    PyTypeError::new_err(words(name, value, wanted))
}

/// Returns the exception for an argument of the right type that is out of range.
pub(crate) fn out_of_range(name: &str, value: &Bound<'_, PyAny>, wanted: &str) -> PyErr {
    about(value.py(), Error::Argument, &words(name, value, wanted))
}

/// Returns an argument of a type of Rust.
pub(crate) fn number<'py, T: FromPyObjectOwned<'py>>(
    name: &str,
    value: &Bound<'py, PyAny>,
    wanted: &str,
) -> PyResult<T> {
    value.extract::<T>().map_err(|error| {
        let error: PyErr = error.into();
        match error.is_instance_of::<PyOverflowError>(value.py()) {
            true => out_of_range(name, value, wanted),
            // 600000.0 may be in the range, but is no integer.
            false => match value.get_type().name() {
                Ok(class) => wrong_type(name, value, &format!("{wanted}, not {class}")),
                Err(failure) => failure,
            },
        }
    })
}

/// Returns an argument of a class of Python.
pub(crate) fn instance<'a, 'py, T: pyo3::PyTypeCheck>(
    name: &str,
    value: &'a Bound<'py, PyAny>,
    wanted: &str,
) -> PyResult<&'a Bound<'py, T>> {
    value
        .cast::<T>()
        .map_err(|_| wrong_type(name, value, wanted))
}

/// Returns the argument `use_threads`.
pub(crate) fn use_threads(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    number("use_threads", value, "True or False")
}

/// Returns the argument `strict`.
pub(crate) fn strict(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    number("strict", value, "True or False")
}

/// Returns the argument `crawler`, the index of a crawler.
pub(crate) fn index(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    number("crawler", value, "the index of a crawler, from 0")
}

/// Returns the argument `status`.
pub(crate) fn status(value: &Bound<'_, PyAny>) -> PyResult<u16> {
    number("status", value, "an HTTP status as an integer, such as 200")
}

/// Returns the argument `name` of a file, which is text.
pub(crate) fn name(value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(instance::<PyString>("name", value, "str")?.to_string())
}

/// The argument `now`.
pub(crate) struct Now(pub(crate) f64);

impl<'a, 'py> FromPyObject<'a, 'py> for Now {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Now> {
        time("now", &value).map(Now)
    }
}

/// Returns a time in seconds. A `datetime` is an error: without a time zone it is not known which time it is.
pub(crate) fn time(name: &str, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    const WANTED: &str =
        "seconds since 1970-01-01 UTC, as time.time() or datetime.timestamp() returns them";
    number(name, value, WANTED)
}
