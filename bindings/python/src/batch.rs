//! Many URLs in one call.
//!
//! Text in the layout of Apache Arrow (`arrow`) and fixed-width arrays of NumPy (`numpy`) are read where they are. The
//! strings of any other iterable are referenced, not copied (`strings`). All URLs are checked while other threads run Python,
//! and several threads check if there are many (`threads`).

use arrow_array::BooleanArray;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use robots::BatchVerdict;

use crate::argument::number;
use crate::arrow_export::{self, Capsules};
use crate::{arrow, numpy, strings};

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

    pub(crate) fn from_codes(codes: Vec<u8>) -> Verdicts {
        Verdicts { codes }
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

    fn __getitem__(&self, index: &Bound<'_, PyAny>) -> PyResult<bool> {
        let index: isize = number("index", index, "an integer; tolist() has slices")?;
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
    ) -> PyResult<Capsules<'py>> {
        // The consumer casts: the protocol does not require that the producer does.
        let _ = requested_schema;
        let allowed = arrow_export::bits(&self.codes, |code| Verdicts::is_allowed(*code));
        arrow_export::capsules(py, Ok(BooleanArray::from(allowed)))
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

/// Checks the URLs of any supported object. `use_threads`: many URLs are checked by several threads.
pub(crate) fn check(
    rules: &robots::Rules,
    urls: &Bound<'_, PyAny>,
    use_threads: bool,
) -> PyResult<Verdicts> {
    check_object(rules, urls, use_threads).map(Verdicts::from_codes)
}

fn check_object(
    rules: &robots::Rules,
    urls: &Bound<'_, PyAny>,
    use_threads: bool,
) -> PyResult<Vec<u8>> {
    if urls.is_instance_of::<PyList>() {
        return strings::check(rules, urls, use_threads);
    }
    if urls.is_instance_of::<PyString>() || urls.is_instance_of::<PyBytes>() {
        return Err(PyTypeError::new_err(
            "expected many URLs, not one: use check() or pass a list",
        ));
    }
    if let Some(codes) = arrow::check(rules, urls, use_threads)? {
        return Ok(codes);
    }
    if let Some(codes) = numpy::check(rules, urls, use_threads)? {
        return Ok(codes);
    }
    strings::check(rules, urls, use_threads)
}
