//! The difference of two sets of rules.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use robots::DifferenceResult;

use crate::python::Members;
use crate::verdict::Verdict;

static DIFFERENCE_RESULT: Members = Members::new("DifferenceResult");

/// The difference of two sets of rules. It is false if it is proved that there is none.
#[pyclass(frozen, module = "librobots")]
pub(crate) struct Difference {
    difference: robots::Difference,
}

/// A path on which two sets of rules disagree.
#[pyclass(frozen, module = "librobots")]
pub(crate) struct DifferentPath {
    path: robots::DifferentPath,
}

impl From<robots::Difference> for Difference {
    fn from(difference: robots::Difference) -> Difference {
        Difference { difference }
    }
}

#[pymethods]
impl Difference {
    /// Whether there is a difference: a `DifferenceResult`.
    #[getter]
    fn result(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        DIFFERENCE_RESULT.get(py, self.difference.result() as u32)
    }

    /// Paths on which the rules disagree. The first is a shortest one; a rule decides each further path that decides none
    /// before.
    #[getter]
    fn paths(&self) -> Vec<DifferentPath> {
        let paths = self.difference.paths().cloned();
        paths.map(|path| DifferentPath { path }).collect()
    }

    fn __bool__(&self) -> bool {
        self.difference.result() != DifferenceResult::None
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (result, count) = (self.result(py)?, self.difference.paths().len());
        Ok(format!("<Difference {result}: {count} paths>"))
    }
}

#[pymethods]
impl DifferentPath {
    /// Path and query, in ASCII.
    #[getter]
    fn path(&self) -> &str {
        self.path.path()
    }

    /// The verdict of each set of rules. One allows the path.
    #[getter]
    fn verdicts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.path.verdicts().map(Verdict::from))
    }

    fn __repr__(&self) -> String {
        format!("<DifferentPath {}>", self.path.path())
    }
}
