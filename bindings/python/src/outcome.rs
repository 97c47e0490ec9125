//! The outcomes of fetches.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::crawler::crawlers;
use crate::error::OrRaise;
use crate::python::{CAUSE, OUTCOME_KIND, seconds};
use crate::rules::Rules;
use crate::text::{body, text};
use crate::verdict::Verdict;

/// The outcome of fetching the robots.txt of an origin: rules, or one rule for the whole site. Immutable.
#[pyclass(frozen, module = "librobots")]
pub(crate) struct Outcome {
    pub(crate) outcome: robots::Outcome,
}

impl From<robots::Outcome> for Outcome {
    fn from(outcome: robots::Outcome) -> Outcome {
        Outcome { outcome }
    }
}

#[pymethods]
impl Outcome {
    /// Reads a record that `encode` returned, for the same crawlers in the same order.
    ///
    /// Raises `ImageError` for a damaged record, `ImageFormatError` for another version or other crawlers.
    #[staticmethod]
    #[pyo3(signature = (record, crawlers, /))]
    fn decode(record: &Bound<'_, PyAny>, crawlers: &Bound<'_, PyAny>) -> PyResult<Outcome> {
        let crawlers = self::crawlers(crawlers)?;
        let outcome = robots::Outcome::decode(body(record)?.as_bytes(), &crawlers);
        outcome.or_raise(record.py()).map(Outcome::from)
    }

    /// Returns the outcome as one block of bytes, to store or send.
    fn encode<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.outcome.encode().or_raise(py)?))
    }

    /// The key of the origin.
    #[getter]
    fn origin(&self) -> &str {
        self.outcome.origin().key()
    }

    /// The kind, an `OutcomeKind`.
    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        OUTCOME_KIND.get(py, self.outcome.kind() as u32)
    }

    /// Why it is of this kind, a `Cause`.
    #[getter]
    fn cause(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        CAUSE.get(py, self.outcome.cause() as u32)
    }

    /// The status of the last response; 0 if there was none.
    #[getter]
    fn http_status(&self) -> u16 {
        self.outcome.http_status()
    }

    /// How many redirects were followed.
    #[getter]
    fn hops(&self) -> u8 {
        self.outcome.hops()
    }

    /// Whether a redirect led from https to http.
    #[getter]
    fn downgraded(&self) -> bool {
        self.outcome.downgraded()
    }

    /// Whether these are the rules of an earlier fetch that stay in use.
    #[getter]
    fn stale(&self) -> bool {
        self.outcome.stale()
    }

    /// When the rules were fetched or last confirmed, in seconds since 1970-01-01 UTC.
    #[getter]
    fn fetched_at(&self) -> u64 {
        self.outcome.fetched_at()
    }

    /// The end of the freshness lifetime, in seconds since 1970-01-01 UTC.
    #[getter]
    fn fresh_until(&self) -> u64 {
        self.outcome.fresh_until()
    }

    /// Until when it decides if there is nothing newer, in seconds since 1970-01-01 UTC.
    #[getter]
    fn usable_until(&self) -> u64 {
        self.outcome.usable_until()
    }

    /// When the next attempt is due, in seconds since 1970-01-01 UTC.
    #[getter]
    fn retry_at(&self) -> u64 {
        self.outcome.retry_at()
    }

    /// The start of the outage, in seconds since 1970-01-01 UTC; None after a usable response.
    #[getter]
    fn unreachable_since(&self) -> Option<u64> {
        self.outcome.unreachable_since()
    }

    /// The URL of the last request, after all redirects.
    #[getter]
    fn final_url(&self) -> &str {
        self.outcome.final_url()
    }

    /// The ETag of the rules.
    #[getter]
    fn etag<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.outcome.etag().map(|etag| PyBytes::new(py, etag))
    }

    /// The Last-Modified of the rules.
    #[getter]
    fn last_modified<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let date = self.outcome.last_modified();
        date.map(|date| PyBytes::new(py, date))
    }

    /// Returns the rules for the crawler of this index; None if there is no such crawler.
    #[pyo3(signature = (crawler = 0))]
    fn rules(&self, crawler: usize) -> Option<Rules> {
        self.outcome.rules(crawler).cloned().map(Rules::from)
    }

    /// Returns whether the crawler of this index may fetch `url` at the time `now`.
    ///
    /// Not allowed with the reason DEFER if the site is deferred or the outcome expired; with an error for a URL of another site.
    #[pyo3(signature = (url, *, now = None, crawler = 0))]
    fn check(&self, url: &Bound<'_, PyAny>, now: Option<f64>, crawler: usize) -> PyResult<Verdict> {
        let now = seconds(url.py(), now)?;
        let verdict = self.outcome.check(crawler, text(url)?.as_bytes(), now);
        Ok(verdict.into())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let kind: String = self.kind(py)?.bind(py).getattr("name")?.extract()?;
        let cause: String = self.cause(py)?.bind(py).getattr("name")?.extract()?;
        let (origin, status) = (self.origin(), self.http_status());
        Ok(format!(
            "<Outcome of {origin}: {kind} because of {cause} http_status={status} retry_at={}>",
            self.retry_at()
        ))
    }
}
