//! Records of a robots.txt that decide nothing.

use pyo3::prelude::*;
use pyo3::types::PyList;
use robots::Hours;

use crate::class::Class;
use crate::text::string;

static EXTENSION: Class = Class::new("Extension");
static REQUEST_RATE: Class = Class::new("RequestRate");

/// The records other than groups and rules, for one crawler.
#[pyclass(frozen, module = "librobots")]
pub(crate) struct Extensions {
    extensions: robots::Extensions,
}

impl From<robots::Extensions> for Extensions {
    fn from(extensions: robots::Extensions) -> Extensions {
        Extensions { extensions }
    }
}

fn extension<'py>(py: Python<'py>, line: robots::Extension<'_>) -> PyResult<Bound<'py, PyAny>> {
    let pair = |hours: Hours| (hours.from, hours.until);
    let rate = line
        .request_rate()
        .map(|rate| REQUEST_RATE.call(py, (rate.requests, rate.seconds, rate.hours.map(pair))));
    let (field, value) = (line.field.name(), string(py, line.value)?);
    let (rate, visits) = (rate.transpose()?, line.visit_time().map(pair));
    EXTENSION.call(py, (field, value, line.line, line.in_group, rate, visits))
}

#[pymethods]
impl Extensions {
    /// The records, in file order: a list of `Extension`.
    #[getter]
    fn lines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let lines = self.extensions.lines().map(|line| extension(py, line));
        let lines: PyResult<Vec<_>> = lines.collect();
        PyList::new(py, lines?)
    }

    fn __repr__(&self) -> String {
        format!("<Extensions of {} lines>", self.extensions.lines().len())
    }
}
