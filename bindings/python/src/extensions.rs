//! Records of a robots.txt that decide nothing.

use pyo3::prelude::*;
use pyo3::types::PyList;
use robots::{Hours, Preferences};

use crate::class::Class;
use crate::error::OrRaise;
use crate::python::{CHOICE, Members};
use crate::text::{string, text};

static EXTENSION: Class = Class::new("Extension");
static REQUEST_RATE: Class = Class::new("RequestRate");
static PREFERENCE: Class = Class::new("Preference");
static VOCABULARY: Members = Members::new("Vocabulary");

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

/// Returns preferences as a list.
pub(crate) fn preferences<'py>(py: Python<'py>, all: &Preferences) -> PyResult<Bound<'py, PyList>> {
    let all = all.iter().map(|one| {
        let vocabulary = VOCABULARY.get(py, one.vocabulary as u32)?;
        let choice = CHOICE.get(py, one.choice as u32)?;
        PREFERENCE.call(py, (vocabulary, string(py, &one.label)?, choice, one.line))
    });
    let all: PyResult<Vec<_>> = all.collect();
    PyList::new(py, all?)
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

    /// Returns the usage preferences for a URL: a list of `Preference`. A disallowed URL has none.
    ///
    /// Raises `UrlError` for what is no URL.
    #[pyo3(signature = (url, /))]
    fn preferences<'py>(&self, url: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let py = url.py();
        let all = self.extensions.preferences(text("url", url)?.as_bytes());
        preferences(py, &all.or_raise(py)?)
    }

    fn __repr__(&self) -> String {
        format!("<Extensions of {} lines>", self.extensions.lines().len())
    }
}
