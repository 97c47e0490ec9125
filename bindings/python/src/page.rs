//! The controls of a response.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyList;
use robots::{Control, Error, PageRule};

use crate::argument::wrong_type;
use crate::class::Class;
use crate::error::{OrRaise, about};
use crate::python::Members;
use crate::text::{body, string, text};

static PAGE_RULE: Class = Class::new("PageRule");
static PAGE_SOURCE: Members = Members::new("PageSource");
static CONTROL: Members = Members::new("Control");
static ZONE: Members = Members::new("Zone");

/// What one response says to one crawler, in headers and `<meta>` elements: what it may do with the page, and for `Uses`.
///
/// Of several rules the most restrictive one decides. Threads may share it.
#[pyclass(frozen, module = "librobots")]
pub(crate) struct PageControls {
    page: Mutex<robots::PageControls>,
}

impl PageControls {
    /// Reads headers: pairs, or a mapping with `items()`. `None`: there are none.
    pub(crate) fn new(
        crawler: &robots::Crawler,
        headers: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PageControls> {
        let mut page = robots::PageControls::new(crawler);
        if let Some(headers) = headers {
            let py = headers.py();
            // `multi_items` and `items` of HTTP clients return repeated headers one by one.
            let pairs = match headers.getattr_opt("multi_items")? {
                Some(items) => items.call0()?,
                None => match headers.getattr_opt("items")? {
                    Some(items) => items.call0()?,
                    None => headers.clone(),
                },
            };
            const WANTED: &str = "pairs of name and value, or a mapping of these; [] if the response has no headers; if they \
                                  are not known, pass page=None to use_for";
            let is_text = body("headers", headers).is_ok();
            let items = pairs.try_iter().ok().filter(|_| !is_text);
            let items = items.ok_or_else(|| wrong_type("headers", headers, WANTED))?;
            for (at, pair) in items.enumerate() {
                let pair = pair?;
                let wrong = |_| {
                    let name = format!("headers[{at}]");
                    wrong_type(
                        &name,
                        &pair,
                        "name and value, each as str or bytes, in a tuple",
                    )
                };
                let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
                    pair.extract().map_err(wrong)?;
                let name = text("name", &name).map_err(wrong)?;
                let value = text("value", &value).map_err(wrong)?;
                let added = page.add_header(name.as_bytes(), value.as_bytes());
                added.or_raise(py)?;
            }
        }
        Ok(PageControls {
            page: Mutex::new(page),
        })
    }

    pub(crate) fn lock(&self, py: Python<'_>) -> MutexGuard<'_, robots::PageControls> {
        let locked = self.page.lock_py_attached(py);
        locked.unwrap_or_else(PoisonError::into_inner)
    }
}

fn control(argument: &Bound<'_, PyAny>) -> PyResult<Control> {
    let number = CONTROL.number(argument)?;
    Control::from_code(number).ok_or_else(|| {
        let message = format!("unknown control {number}: pass a member of Control, or its name");
        about(argument.py(), Error::Argument, &message)
    })
}

fn rule<'py>(py: Python<'py>, rule: &PageRule) -> PyResult<Bound<'py, PyAny>> {
    let agent = rule
        .agent
        .as_deref()
        .map(|agent| string(py, agent))
        .transpose()?;
    let source = PAGE_SOURCE.get(py, rule.source as u32)?;
    let zone = ZONE.get(py, rule.zone as u32)?;
    let (number, value) = (rule.number, rule.value);
    let text = string(py, &rule.text)?;
    PAGE_RULE.call(py, (text, agent, source, number, value, zone))
}

#[pymethods]
impl PageControls {
    /// Adds a header of the response; headers that say nothing to crawlers have no effect.
    ///
    /// Add repeated headers one by one.
    #[pyo3(signature = (name, value, /))]
    fn add_header(&self, name: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, value) = (name.py(), text("value", value)?);
        let name = text("name", name)?;
        let added = self.lock(py).add_header(name.as_bytes(), value.as_bytes());
        added.or_raise(py)
    }

    /// Adds a `<meta>` element of the page: its name and content.
    #[pyo3(signature = (name, content, /))]
    fn add_meta(&self, name: &Bound<'_, PyAny>, content: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, content) = (name.py(), text("content", content)?);
        let name = text("name", name)?;
        let added = self.lock(py).add_meta(name.as_bytes(), content.as_bytes());
        added.or_raise(py)
    }

    /// Returns the value of a `Control`, or of its name.
    #[pyo3(signature = (control, /))]
    fn get(&self, control: &Bound<'_, PyAny>) -> PyResult<i64> {
        let (py, control) = (control.py(), self::control(control)?);
        Ok(self.lock(py).get(control))
    }

    /// Whether the page may be indexed.
    #[getter]
    fn may_index(&self, py: Python<'_>) -> bool {
        self.lock(py).may_index()
    }

    /// Whether links of the page may be followed.
    #[getter]
    fn may_follow(&self, py: Python<'_>) -> bool {
        self.lock(py).may_follow()
    }

    /// The time after which the page is not to be shown, in seconds since 1970-01-01 UTC; None if there is none.
    #[getter]
    fn unavailable_after(&self, py: Python<'_>) -> Option<u64> {
        self.lock(py).unavailable_after()
    }

    /// Returns the rule that decides a `Control`, or its name: a `PageRule`; None if no rule does.
    #[pyo3(signature = (control, /))]
    fn decided_by<'py>(&self, control: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (py, control) = (control.py(), self::control(control)?);
        let page = self.lock(py);
        let decided = page.decided_by(control);
        decided.map(|decided| rule(py, decided)).transpose()
    }

    /// The rules for this crawler that are unknown or invalid: a list of `PageRule`.
    #[getter]
    fn unknown<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let page = self.lock(py);
        let unknown: PyResult<Vec<_>> = page.unknown().map(|unknown| rule(py, unknown)).collect();
        PyList::new(py, unknown?)
    }

    /// How many unknown rules were not kept.
    #[getter]
    fn unknown_omitted(&self, py: Python<'_>) -> u64 {
        self.lock(py).unknown_omitted()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let page = self.lock(py);
        let word = |on: bool| if on { "True" } else { "False" };
        let (index, follow) = (word(page.may_index()), word(page.may_follow()));
        format!("<PageControls may_index={index} may_follow={follow}>")
    }
}
