//! Lint reports and the canonical layout of a file.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use robots::Error;

use crate::argument::{name, wrong_type};
use crate::class::Class;
use crate::error::{OrRaise, about};
use crate::python::Members;

static DIAGNOSTIC: Class = Class::new("Diagnostic");
static FIX: Class = Class::new("Fix");
static FIXED: Class = Class::new("Fixed");
static LINE: Class = Class::new("Line");
static SEVERITY: Members = Members::new("Severity");
static LINE_KIND: Members = Members::new("LineKind");

/// The meaning of each line of a file, and its faults.
#[pyclass(frozen, module = "librobots")]
pub(crate) struct Report {
    report: robots::Report,
}

impl From<robots::Report> for Report {
    fn from(report: robots::Report) -> Report {
        Report { report }
    }
}

fn diagnostic<'py>(py: Python<'py>, found: &robots::Diagnostic) -> PyResult<Bound<'py, PyAny>> {
    let severity = SEVERITY.get(py, found.severity() as u32)?;
    let (code, span) = (found.code.to_string(), found.span.clone());
    let (line, column) = (found.line, found.column);
    let (message, suggestion) = (&found.message, found.suggestion.as_deref());
    let span = (span.start, span.end);
    let other_line = found.other_line;
    let fix = found.fix.as_ref().map(|fix| {
        let span = (fix.span.start, fix.span.end);
        FIX.call(py, (span, &*fix.replacement, fix.is_safe))
    });
    let fix = fix.transpose()?;
    DIAGNOSTIC.call(
        py,
        (
            code, severity, line, column, message, suggestion, other_line, span, fix,
        ),
    )
}

#[pymethods]
impl Report {
    /// The faults, in file order: a list of `Diagnostic`, at most 100 of each code.
    #[getter]
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let found = self.report.diagnostics().iter();
        let found: PyResult<Vec<_>> = found.map(|found| diagnostic(py, found)).collect();
        PyList::new(py, found?)
    }

    /// How many diagnostics there are by code, with those that were not kept.
    #[getter]
    fn totals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let totals = PyDict::new(py);
        for (code, total) in self.report.totals() {
            totals.set_item(code.to_string(), total)?;
        }
        Ok(totals)
    }

    /// How many lines were read.
    #[getter]
    fn line_count(&self) -> u32 {
        self.report.line_count()
    }

    /// How many groups there are.
    #[getter]
    fn group_count(&self) -> u32 {
        self.report.group_count()
    }

    /// The lines and their meaning: a list of `Line`.
    #[getter]
    fn lines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let lines = self.report.lines().map(|line| {
            let pair = |span: core::ops::Range<usize>| (span.start, span.end);
            let kind = LINE_KIND.get(py, line.kind as u32)?;
            let spans = (pair(line.span), pair(line.field), pair(line.value));
            LINE.call(
                py,
                (line.number, kind, spans.0, spans.1, spans.2, line.group),
            )
        });
        let lines: PyResult<Vec<_>> = lines.collect();
        PyList::new(py, lines?)
    }

    /// Returns the file with its faults removed: a `Fixed`. `body`: the file of this report.
    ///
    /// `wanted`: a function that gets a `Diagnostic` and returns whether to apply its fix; default: whether the fix is safe. Of
    /// two fixes that overlap only the first is applied: lint the result again for the others.
    #[pyo3(signature = (body, /, wanted = None))]
    fn apply_fixes<'py>(
        &self,
        body: &Bound<'py, PyAny>,
        wanted: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = body.py();
        let file = crate::text::body("body", body)?;
        if let Some(wanted) = wanted.filter(|wanted| !wanted.is_callable()) {
            const FUNCTION: &str =
                "a function that gets a Diagnostic and returns whether to apply its fix";
            return Err(wrong_type("wanted", wanted, FUNCTION));
        }
        let mut failure = None;
        let is_wanted = |found: &robots::Diagnostic| {
            let answer = match wanted {
                _ if failure.is_some() => Ok(false),
                Some(wanted) => diagnostic(py, found)
                    .and_then(|found| wanted.call1((found,)))
                    .and_then(|answer| answer.is_truthy()),
                None => Ok(found.fix.as_ref().is_some_and(|fix| fix.is_safe)),
            };
            answer.unwrap_or_else(|error| {
                failure = Some(error);
                false
            })
        };
        let fixed = self
            .report
            .apply_fixes(file.as_bytes(), is_wanted)
            .or_raise(py)?;
        if let Some(failure) = failure {
            return Err(failure);
        }
        let applied = fixed.applied.iter().map(|found| diagnostic(py, found));
        let applied: PyResult<Vec<_>> = applied.collect();
        FIXED.call(py, (PyBytes::new(py, &fixed.body), applied?))
    }

    /// Returns the report as text in the style of a compiler. `name`: the file name to show.
    #[pyo3(signature = (name = "robots.txt".to_owned()), text_signature = "($self, name='robots.txt')")]
    fn render(&self, #[pyo3(from_py_with = name)] name: String) -> String {
        let mut text = String::new();
        let rendered = self.report.render(&name, |_, piece| {
            core::fmt::Write::write_fmt(&mut text, piece)
        });
        // A `String` accepts every piece.
        debug_assert!(rendered.is_ok());
        text
    }

    fn __len__(&self) -> usize {
        self.report.diagnostics().len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.diagnostics(py)?.try_iter()?.into_any())
    }

    fn __str__(&self) -> String {
        self.render("robots.txt".to_owned())
    }

    fn __repr__(&self) -> String {
        let (found, lines) = (self.report.diagnostics().len(), self.line_count());
        format!("<Report of {lines} lines: {found} diagnostics>")
    }
}

/// Rewrites a robots.txt in canonical layout, without a change of any verdict. Returns bytes.
///
/// Raises `ArgumentError` for a file that cannot be rewritten safely: too long, or UTF-16.
#[pyfunction]
#[pyo3(name = "format", signature = (body, /))]
pub(crate) fn format_file<'py>(body: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let py = body.py();
    let file = crate::text::body("body", body)?;
    let file = file.as_bytes();
    match py.detach(|| robots::format(file)) {
        Ok(formatted) => Ok(PyBytes::new(py, &formatted.text)),
        Err(reason) => Err(about(
            py,
            Error::Argument,
            &format!("cannot format: {reason}"),
        )),
    }
}
