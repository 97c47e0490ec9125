//! Many URLs in one call.
//!
//! Text in the layout of Apache Arrow (`arrow`) and fixed-width arrays of NumPy (`numpy`) are read where they are. The
//! strings of any other iterable are referenced, not copied, and all URLs are checked while other threads run Python.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyList, PyString, PyTuple};
use robots::BatchVerdict;

use crate::arrow_export;
use crate::text::{self, utf8};
use crate::{arrow, numpy};

/// Fewer URLs than this are checked sooner than another thread would start to run.
const FEW: usize = 64;

/// The verdicts on many URLs: a sequence of bool, True if the URL may be fetched.
///
/// `pyarrow.array(verdicts)` and `numpy.asarray(verdicts)` return arrays of booleans, for filters.
#[pyclass(frozen, eq, module = "librobots")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Verdicts {
    /// Numbers of [`BatchVerdict`].
    codes: Vec<u8>,
}

impl Verdicts {
    fn count(&self, wanted: BatchVerdict) -> usize {
        let wanted = self.codes.iter().filter(|code| **code == wanted as u8);
        wanted.count()
    }

    fn is_allowed(code: u8) -> bool {
        code == BatchVerdict::Allowed as u8
    }
}

#[pymethods]
impl Verdicts {
    /// A byte for each URL: 0 disallowed, 1 allowed, 2 no URL.
    #[getter]
    fn codes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.codes)
    }

    /// How many URLs are allowed.
    #[getter]
    fn allowed_count(&self) -> usize {
        self.count(BatchVerdict::Allowed)
    }

    /// How many items are no URLs; they are not allowed.
    #[getter]
    fn bad_url_count(&self) -> usize {
        self.count(BatchVerdict::BadUrl)
    }

    /// Returns the verdicts as a list of bool.
    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(
            py,
            self.codes.iter().map(|code| Verdicts::is_allowed(*code)),
        )
    }

    fn __len__(&self) -> usize {
        self.codes.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<bool> {
        let at = match index {
            0.. => index.unsigned_abs(),
            // A negative index counts from the end. One that is too low wraps, and is too high then.
            _ => self.codes.len().wrapping_sub(index.unsigned_abs()),
        };
        let code = self.codes.get(at).ok_or_else(|| {
            pyo3::exceptions::PyIndexError::new_err("index out of range of the verdicts")
        })?;
        Ok(Verdicts::is_allowed(*code))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.tolist(py)?.try_iter()?.into_any())
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(PyValueError::new_err(
            "the truth of several verdicts is ambiguous: use all(), any() or one verdict",
        ))
    }

    fn __repr__(&self) -> String {
        let (count, allowed) = (self.codes.len(), self.allowed_count());
        let bad = self.bad_url_count();
        format!("<Verdicts on {count} URLs: {allowed} allowed, {bad} bad URLs>")
    }

    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err(
                "an array of verdicts is always a copy",
            ));
        }
        let allowed: Vec<u8> = self
            .codes
            .iter()
            .map(|code| Verdicts::is_allowed(*code).into())
            .collect();
        let array = py
            .import("numpy")?
            .call_method1("frombuffer", (PyBytes::new(py, &allowed), "?"))?;
        match dtype {
            Some(dtype) => array.call_method1("astype", (dtype,)),
            None => array.call_method0("copy"),
        }
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // The consumer casts: the protocol does not require that the producer does.
        let _ = requested_schema;
        arrow_export::booleans(
            py,
            self.codes.iter().map(|code| Verdicts::is_allowed(*code)),
        )
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let make = py.get_type::<Verdicts>().getattr("_from_codes")?;
        Ok((make, (self.codes(py),)))
    }

    #[staticmethod]
    fn _from_codes(codes: &[u8]) -> Verdicts {
        Verdicts {
            codes: codes.to_vec(),
        }
    }
}

/// Returns the number of the verdict on one URL.
#[inline]
pub(crate) fn code(rules: &robots::Rules, url: &[u8]) -> u8 {
    let verdict = rules.check(url);
    let code = match verdict.error() {
        Some(_) => BatchVerdict::BadUrl,
        None if verdict.allowed() => BatchVerdict::Allowed,
        None => BatchVerdict::Disallowed,
    };
    code as u8
}

/// Checks the URLs of any supported object.
pub(crate) fn check(rules: &robots::Rules, urls: &Bound<'_, PyAny>) -> PyResult<Verdicts> {
    let codes = match urls.cast::<PyList>() {
        Ok(list) => check_strings(rules, &list.to_tuple())?,
        Err(_) => check_object(rules, urls)?,
    };
    Ok(Verdicts { codes })
}

fn check_object(rules: &robots::Rules, urls: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if urls.is_instance_of::<PyString>() || urls.is_instance_of::<PyBytes>() {
        return Err(PyTypeError::new_err(
            "expected many URLs, not one: use check() or pass a list",
        ));
    }
    if let Ok(tuple) = urls.cast::<PyTuple>() {
        return check_strings(rules, tuple);
    }
    if let Some(codes) = arrow::check(rules, urls)? {
        return Ok(codes);
    }
    if let Some(codes) = numpy::check(rules, urls)? {
        return Ok(codes);
    }
    let all: Vec<_> = urls.try_iter()?.collect::<PyResult<_>>()?;
    check_strings(rules, &PyTuple::new(urls.py(), all)?)
}

/// Checks strings that the tuple keeps alive; `None` is no URL.
fn check_strings(rules: &robots::Rules, urls: &Bound<'_, PyTuple>) -> PyResult<Vec<u8>> {
    let py = urls.py();
    let mut slices = Vec::with_capacity(urls.len());
    for (at, url) in urls.iter_borrowed().enumerate() {
        match slice(url) {
            Some(slice) => slices.push(slice),
            None => return check_strings(rules, &encoded_from(at, urls)?),
        }
    }
    let check = || {
        let codes = slices.iter().map(|url| match url {
            Some(url) => code(rules, url),
            None => BatchVerdict::BadUrl as u8,
        });
        codes.collect()
    };
    Ok(match slices.len() {
        ..FEW => check(),
        _ => py.detach(check),
    })
}

/// Returns the bytes of an item, and no bytes for `None`. The result is `None` if the item has to be encoded.
#[inline]
fn slice<'a>(url: Borrowed<'a, '_, PyAny>) -> Option<Option<&'a [u8]>> {
    if let Ok(string) = url.cast::<PyString>() {
        return utf8(string).map(Some);
    }
    if let Ok(bytes) = url.cast::<PyBytes>() {
        return Some(Some(text::bytes(bytes)));
    }
    url.is_none().then_some(None)
}

/// Returns the URLs with those from an index on encoded.
fn encoded_from<'py>(start: usize, urls: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyTuple>> {
    let encoded = urls.iter().enumerate().map(|(at, url)| {
        if at < start || url.is_none() {
            return Ok(url);
        }
        match url.cast::<PyString>() {
            Ok(string) => Ok(text::encoded(string)?.into_any()),
            Err(_) if url.is_instance_of::<PyBytes>() => Ok(url),
            Err(_) => Err(PyTypeError::new_err(format!(
                "URL {at} is {}: pass str, bytes or None",
                url.get_type().name()?
            ))),
        }
    });
    let encoded: PyResult<Vec<_>> = encoded.collect();
    PyTuple::new(urls.py(), encoded?)
}
