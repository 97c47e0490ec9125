//! Verdicts.

use pyo3::prelude::*;
use robots::Error;

use crate::error;
use crate::python::REASON;

/// The bits of the engine's word.
const ALLOWED: u64 = 1;
const SITE_WIDE: u64 = 2;

/// Whether a URL may be fetched, and why. It is true if the URL may be fetched.
#[pyclass(frozen, eq, hash, module = "librobots")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Verdict {
    bits: u64,
}

impl Verdict {
    fn reason_code(self) -> u32 {
        u32::from((self.bits >> 8) as u8)
    }

    pub(crate) fn is_allowed(self) -> bool {
        // A verdict with an error allows nothing, also one that was unpickled.
        self.bits & ALLOWED != 0 && self.failure().is_none()
    }

    pub(crate) fn repr(self, py: Python<'_>) -> PyResult<String> {
        let allowed = if self.is_allowed() { "True" } else { "False" };
        if let Some(failure) = self.failure() {
            let error = error::instance(py, failure, &failure.to_string())?;
            let class = error.get_type().name()?;
            return Ok(format!("<Verdict allowed=False error={class}>"));
        }
        let reason = REASON.name(py, self.reason_code())?;
        let line = self.bits >> 32;
        Ok(format!(
            "<Verdict allowed={allowed} reason={reason} line={line}>"
        ))
    }

    fn failure(self) -> Option<Error> {
        Error::from_code((self.bits >> 16) as u16)
    }
}

impl From<robots::Verdict> for Verdict {
    #[inline]
    fn from(verdict: robots::Verdict) -> Verdict {
        Verdict {
            bits: verdict.bits(),
        }
    }
}

#[pymethods]
impl Verdict {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("allowed", "reason", "line")
    }

    /// Whether the URL may be fetched.
    #[getter]
    fn allowed(&self) -> bool {
        self.is_allowed()
    }

    /// Whether this is the verdict on every URL of the site except /robots.txt, so that all may be kept or dropped at once (SPEC 8.13).
    #[getter]
    fn is_site_wide(&self) -> bool {
        self.bits & SITE_WIDE != 0
    }

    /// The reason, a member of `Reason`.
    #[getter]
    fn reason(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        REASON.get(py, self.reason_code())
    }

    /// The line of the deciding rule, from 1; 0 if no rule decided.
    #[getter]
    fn line(&self) -> u32 {
        (self.bits >> 32) as u32
    }

    /// The exception that says why there is no decision, or None. It is not raised.
    #[getter]
    fn error<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let failure = self.failure();
        failure
            .map(|failure| error::instance(py, failure, &failure.to_string()))
            .transpose()
    }

    /// The verdict as one 64-bit word, the `robots_verdict` of the C API.
    #[getter]
    fn bits(&self) -> u64 {
        self.bits
    }

    #[staticmethod]
    fn _from_bits(bits: u64) -> Verdict {
        Verdict { bits }
    }

    fn __bool__(&self) -> bool {
        self.is_allowed()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.repr(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (u64,))> {
        let make = py.get_type::<Verdict>().getattr("_from_bits")?;
        Ok((make, (self.bits,)))
    }
}
