//! Origins, and the form of a URL to send.

use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::error::OrRaise;
use crate::text::text;

/// The site that one robots.txt governs: scheme, host and port.
#[pyclass(frozen, eq, hash, ord, module = "librobots")]
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Origin {
    pub(crate) origin: robots::Origin,
}

#[pymethods]
impl Origin {
    #[new]
    #[pyo3(signature = (url, /))]
    fn new(url: &Bound<'_, PyAny>) -> PyResult<Origin> {
        let origin = robots::Origin::from_url(text("url", url)?.as_bytes());
        let origin = origin.or_raise(url.py())?;
        Ok(Origin { origin })
    }

    /// The origin as text, such as `https://example.com`: lower case, punycode, no default port.
    #[getter]
    fn key(&self) -> &str {
        self.origin.key()
    }

    /// The URL of the robots.txt of this origin.
    #[getter]
    fn robots_url(&self) -> String {
        self.origin.robots_url()
    }

    /// Returns whether the robots.txt of this origin governs `url`; False for what is no URL.
    #[pyo3(signature = (url, /))]
    fn governs(&self, url: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.origin.governs(text("url", url)?.as_bytes()))
    }

    fn __str__(&self) -> &str {
        self.origin.key()
    }

    fn __repr__(&self) -> String {
        format!("Origin({:?})", self.origin.key())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (&str,)) {
        (py.get_type::<Origin>(), (self.origin.key(),))
    }
}

/// Returns the form of a URL to be checked and then sent: every client sends it as it is.
///
/// It has no user name, password, empty query and fragment. If the URL is allowed, so is its form. Raises `UrlError` or
/// `SchemeError` for what is no URL of a site, and `UrlError` for a path and query of more than 64 KiB.
#[pyfunction]
#[pyo3(signature = (url, /))]
pub(crate) fn url_to_send<'py>(url: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
    let py = url.py();
    let text = text("url", url)?;
    let form = robots::url_to_send(text.as_bytes()).or_raise(py)?;
    Ok(PyString::new(py, &form))
}
