//! HTTP responses as archives store them.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use robots::Capture;

use crate::error::OrRaise;

/// What `_read_response` returns: the status, the URL that a redirect leads to, the body, and the number of a `Cause`.
type Parts<'py> = (u16, Option<String>, Bound<'py, PyBytes>, Option<u8>);

/// Reads the response to a request for a URL.
#[pyfunction]
pub(crate) fn _read_response<'py>(
    py: Python<'py>,
    url: &str,
    message: &[u8],
    max_bytes: usize,
    is_cut: bool,
) -> PyResult<Parts<'py>> {
    let read = Capture::of_message(url, message, max_bytes, is_cut).or_raise(py)?;
    let target = read.target.as_deref().map(String::from_utf8_lossy);
    let body = PyBytes::new(py, read.body.as_deref().unwrap_or_default());
    let failure = read.failure.map(|cause| cause as u8);
    let status = read.status.unwrap_or_default();
    Ok((status, target.map(Into::into), body, failure))
}
