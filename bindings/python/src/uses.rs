//! What the pages of a site may be used for.

use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use robots::{Error, Origin, Purpose, UseSignal};

use crate::argument::{instance, time};
use crate::class::Class;
use crate::error::{OrRaise, about, exception};
use crate::page::PageControls;
use crate::python::{Members, PURPOSE, in_seconds};
use crate::text::{body, string, text};

static ANSWER: Class = Class::new("UseAnswer");
static SIGNAL: Class = Class::new("UseSignal");
static USE: Members = Members::new("Use");
static SOURCE: Members = Members::new("UseSource");

/// What a site says about the use of its pages, to one crawler (SPEC 13): its robots.txt and its tdmrep.json.
///
/// Immutable; threads may share it.
#[pyclass(frozen, module = "librobots")]
pub(crate) struct Uses {
    uses: robots::Uses,
}

impl Uses {
    pub(crate) fn new(
        crawler: &robots::Crawler,
        site: &Bound<'_, PyAny>,
        file: Option<&Bound<'_, PyAny>>,
        tdm_file: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Uses> {
        let py = site.py();
        let site = Origin::from_url(text("site", site)?.as_bytes()).or_raise(py)?;
        let file = file.map(|file| body("body", file)).transpose()?;
        let tdm_file = tdm_file.map(|json| body("tdm_file", json)).transpose()?;
        let file = file.as_ref().map(|file| file.as_bytes());
        let tdm_file = tdm_file.as_ref().map(|json| json.as_bytes());
        let uses = py.detach(|| {
            let uses = robots::Uses::new(crawler, Some(&site), file)?;
            match tdm_file {
                None => Ok(uses),
                Some(json) => uses.with_tdm_file(json),
            }
        });
        let uses = uses.or_raise(py)?;
        Ok(Uses { uses })
    }
}

/// Returns the purpose that an argument is or names.
pub(crate) fn purpose(argument: &Bound<'_, PyAny>) -> PyResult<Purpose> {
    let number = PURPOSE.number(argument)?;
    let mut all = Purpose::ALL.into_iter();
    all.find(|purpose| *purpose as u32 == number)
        .ok_or_else(|| {
            let message =
                format!("unknown purpose {number}: pass a member of Purpose, or its name");
            about(argument.py(), Error::Argument, &message)
        })
}

fn signal<'py>(py: Python<'py>, signal: &UseSignal<'_>) -> PyResult<Bound<'py, PyAny>> {
    let (source, says) = (signal.source as u32, signal.says as u32);
    let (source, says) = (SOURCE.get(py, source)?, USE.get(py, says)?);
    let text = string(py, signal.text)?;
    SIGNAL.call(py, (source, says, signal.line, text, signal.token))
}

/// Returns the argument `page`, which is None if the page is not known.
fn page<'a>(
    argument: Option<&'a Bound<'_, PyAny>>,
) -> PyResult<Option<&'a Bound<'a, PageControls>>> {
    const WANTED: &str = "what Crawler.page_controls returns, or None if it is not known";
    argument
        .map(|page| instance::<PageControls>("page", page, WANTED))
        .transpose()
}

/// Returns the exception for an answer that is refused.
fn refused(py: Python<'_>, error: Error) -> PyErr {
    match error {
        Error::Argument => about(
            py,
            error,
            "page is that of a crawler with other product tokens: pass what page_controls of the same crawler returns",
        ),
        error => exception(py, error),
    }
}

#[pymethods]
impl Uses {
    /// Returns whether a page may be used for a `Purpose`, or its name, and each statement about it: a `UseAnswer`.
    ///
    /// `page`: what the response said, from `page_controls` of the same crawler; None if it is not known: then the answer is never
    /// ALLOWED. An error means that the page must not be used: `UrlError` for what is no URL of the site.
    #[pyo3(signature = (url, purpose, page, /))]
    fn use_for<'py>(
        &self,
        url: &Bound<'py, PyAny>,
        purpose: &Bound<'py, PyAny>,
        page: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, purpose, page) = (url.py(), self::purpose(purpose)?, self::page(page)?);
        let url = text("url", url)?;
        let page = page.map(|page| page.get().lock(py));
        let answer = self.uses.use_for(url.as_bytes(), purpose, page.as_deref());
        let answer = answer.map_err(|error| refused(py, error))?;
        let signals = answer.signals().iter().map(|one| signal(py, one));
        let signals = PyList::new(py, signals.collect::<PyResult<Vec<_>>>()?)?;
        let decided = answer.decided_by().map(|_| signals.get_item(0));
        let terms = answer.terms().map(|terms| string(py, terms)).transpose()?;
        let says = USE.get(py, answer.says() as u32)?;
        ANSWER.call(py, (says, decided.transpose()?, terms, signals))
    }

    /// Returns the receipt of an answer (SPEC 13.7): one line of JSON. The command `robots replay` decides receipts again.
    ///
    /// Arguments as those of `use_for`, but `url` is absolute. `fetched_at`: when the page was fetched, in seconds since 1970-01-01
    /// UTC. Keep the robots.txt by its SHA-256, which the receipt has; an empty file for a 404.
    #[pyo3(signature = (url, purpose, page, /, *, fetched_at))]
    fn receipt<'py>(
        &self,
        url: &Bound<'py, PyAny>,
        purpose: &Bound<'py, PyAny>,
        page: Option<&Bound<'py, PyAny>>,
        fetched_at: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyString>> {
        let (py, purpose, page) = (url.py(), self::purpose(purpose)?, self::page(page)?);
        let url = text("url", url)?;
        let at = in_seconds(py, "fetched_at", time("fetched_at", fetched_at)?)?;
        let page = page.map(|page| page.get().lock(py));
        let receipt = self
            .uses
            .receipt(url.as_bytes(), purpose, page.as_deref(), at);
        let receipt = receipt.map_err(|error| refused(py, error))?;
        Ok(PyString::new(py, &receipt))
    }
}
