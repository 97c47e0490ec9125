//! Errors of the engine as Python exceptions.

use pyo3::prelude::*;
use robots::Error;

use crate::class::Class;

/// The exception classes of `librobots._errors`, by [`Error`].
static CLASSES: [Class; 9] = [
    Class::error("ArgumentError"),
    Class::error("TokenError"),
    Class::error("UrlError"),
    Class::error("OutOfMemoryError"),
    Class::error("InternalError"),
    Class::error("ImageError"),
    Class::error("ImageFormatError"),
    Class::error("SchemeError"),
    Class::error("StateError"),
];

/// Returns the Python exception of an error, with the engine's message.
pub(crate) fn exception(py: Python<'_>, error: Error) -> PyErr {
    about(py, error, &error.to_string())
}

/// Returns the Python exception of an error about an argument, with a message of its own.
pub(crate) fn about(py: Python<'_>, error: Error, message: &str) -> PyErr {
    match instance(py, error, message) {
        Ok(instance) => PyErr::from_value(instance),
        Err(failure) => failure,
    }
}

/// Returns the exception object without raising it.
pub(crate) fn instance<'py>(
    py: Python<'py>,
    error: Error,
    message: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let class = CLASSES.get(usize::from(error.code()) - 1);
    class.unwrap_or(&OTHER).call(py, (message,))
}

static OTHER: Class = Class::error("RobotsError");

/// A result of the engine as that of a Python method.
pub(crate) trait OrRaise<T> {
    /// Raises the exception of the error.
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, Error> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| exception(py, error))
    }
}
