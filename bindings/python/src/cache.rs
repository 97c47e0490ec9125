//! The outcomes of many sites, and the tickets to fetch for them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyList, PyTuple};
use robots::Error;

use crate::crawler::{Outcome, crawler_objects};
use crate::error::{OrRaise, about, exception};
use crate::fetch::Fetch;
use crate::python::{Members, seconds};
use crate::text::{body, text};
use crate::verdict::Verdict;

static ACTION: Members = Members::new("Action");

/// The numbers of `Action`.
const DECIDED: u32 = 0;
const FETCH: u32 = 1;
const WAIT: u32 = 2;
const DEFER: u32 = 3;

const FOREIGN_RECORD: &str = "the record is of other crawlers (tokens, dialect, options) or of another format version: fetch the robots.txt again";
const RANGES: &str = "invalid cache: pass 1 to 16 crawlers, a max_bytes of at least 65,536 and a ticket_ttl of 1 to 86,400";

/// The outcomes of many sites, by origin, for one crawler or several. Any number of threads may use it at once.
///
/// `crawlers`: a `Crawler`, or an iterable of 1 to 16. `max_bytes`: the memory limit, at least 65,536; a small robots.txt
/// takes about 800 bytes. `ticket_ttl`: how many seconds a ticket is valid, more than the longest retrieval takes.
///
/// A forked child must not use the cache of its parent: there every call raises `StateError`. Create a cache in the child
/// and import records.
#[pyclass(frozen, module = "librobots")]
pub(crate) struct Cache {
    cache: robots::Cache,
    crawlers: Py<PyTuple>,
}

#[pymethods]
impl Cache {
    #[new]
    #[pyo3(signature = (crawlers, *, max_bytes = 67_108_864, ticket_ttl = 120))]
    fn new(crawlers: &Bound<'_, PyAny>, max_bytes: usize, ticket_ttl: u64) -> PyResult<Cache> {
        let py = crawlers.py();
        let objects = crawler_objects(crawlers)?;
        let crawlers: Vec<_> = objects.iter().map(|it| it.get().crawler.clone()).collect();
        let cache = robots::Cache::new(&crawlers, max_bytes)
            .and_then(|cache| cache.with_ticket_ttl(ticket_ttl))
            .map_err(|error| match error {
                Error::Argument => about(py, error, RANGES),
                error => exception(py, error),
            })?;
        let crawlers = PyTuple::new(py, objects)?.unbind();
        Ok(Cache { cache, crawlers })
    }

    /// The crawlers that the cache decides for, by index.
    #[getter]
    fn crawlers(&self, py: Python<'_>) -> Py<PyTuple> {
        self.crawlers.clone_ref(py)
    }

    /// Returns what the crawler of this index does next with `url`, an absolute URL, at the time `now`.
    ///
    /// A decision from the cache takes no lock. Raises `UrlError` or `SchemeError` for a bad URL, `OutOfMemoryError` for a site
    /// that does not fit into the cache, `StateError` in a forked child.
    #[pyo3(signature = (url, *, now = None, crawler = 0))]
    fn check(
        &self,
        url: &Bound<'_, PyAny>,
        now: Option<f64>,
        crawler: usize,
    ) -> PyResult<CacheDecision> {
        let py = url.py();
        let now = seconds(py, now)?;
        let decision = self.cache.check(crawler, text(url)?.as_bytes(), now);
        CacheDecision::new(py, decision)
    }

    /// Returns the outcome of the site of `url`, however old; None if the cache has none.
    #[pyo3(signature = (url, /))]
    fn outcome(&self, url: &Bound<'_, PyAny>) -> PyResult<Option<Outcome>> {
        let outcome = self.cache.outcome(text(url)?.as_bytes());
        Ok(outcome.or_raise(url.py())?.map(Outcome::from))
    }

    /// Removes the outcome of the site of `url`.
    #[pyo3(signature = (url, /))]
    fn remove(&self, url: &Bound<'_, PyAny>) -> PyResult<()> {
        let removed = self.cache.remove(text(url)?.as_bytes());
        removed.or_raise(url.py())
    }

    /// Removes the outcomes of all sites. Tickets stay valid.
    fn clear(&self, py: Python<'_>) {
        py.detach(|| self.cache.clear());
    }

    /// Returns the outcomes as a list of records, to store or send.
    fn export_records<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let records = py.detach(|| self.cache.export().collect::<Vec<_>>());
        PyList::new(py, records.iter().map(|record| PyBytes::new(py, record)))
    }

    /// Imports a record of `export_records` or `Outcome.encode`, unless the cache has an outcome as new.
    #[pyo3(signature = (record, /))]
    fn import_record(&self, record: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = record.py();
        let imported = self.cache.import(body(record)?.as_bytes());
        imported.map_err(|error| match error {
            Error::ImageFormat => about(py, error, FOREIGN_RECORD),
            error => exception(py, error),
        })
    }

    /// How many bytes the sites take; never more than max_bytes.
    #[getter]
    fn bytes(&self) -> usize {
        self.cache.bytes()
    }

    fn __len__(&self) -> usize {
        self.cache.len()
    }

    fn __bool__(&self) -> bool {
        // An empty cache is a cache: `cache or Cache(...)` must not replace it.
        true
    }

    fn __repr__(&self) -> String {
        let (sites, bytes) = (self.cache.len(), self.cache.bytes());
        format!("<Cache of {sites} sites in {bytes} bytes>")
    }
}

/// What the crawler does next with a URL. It is true if the URL may be fetched now.
#[pyclass(frozen, module = "librobots")]
pub(crate) struct CacheDecision {
    action: u32,
    verdict: Option<Verdict>,
    ticket: Option<Py<Ticket>>,
    until: Option<u64>,
}

impl CacheDecision {
    fn new(py: Python<'_>, decision: robots::cache::CacheDecision) -> PyResult<CacheDecision> {
        use robots::cache::CacheDecision as Decision;
        let (action, verdict, ticket, until) = match decision {
            Decision::Decided { verdict, refresh } => (DECIDED, Some(verdict), refresh, None),
            Decision::Fetch(ticket) => (FETCH, None, Some(ticket), None),
            Decision::Wait { until } => (WAIT, None, None, Some(until)),
            Decision::Defer { verdict, until } => (DEFER, Some(verdict), None, Some(until)),
        };
        if let Some(error) = verdict.and_then(|verdict| verdict.error()) {
            return Err(exception(py, error));
        }
        let ticket = ticket.map(|ticket| Py::new(py, Ticket::from(ticket)));
        Ok(CacheDecision {
            action,
            verdict: verdict.map(Verdict::from),
            ticket: ticket.transpose()?,
            until,
        })
    }
}

#[pymethods]
impl CacheDecision {
    /// What to do, an `Action`.
    #[getter]
    fn action(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        ACTION.get(py, self.action)
    }

    /// The verdict for DECIDED and DEFER, else None.
    #[getter]
    fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// The right to fetch the robots.txt: for FETCH, and for DECIDED if a refresh is due. Else None.
    #[getter]
    fn ticket(&self, py: Python<'_>) -> Option<Py<Ticket>> {
        self.ticket.as_ref().map(|ticket| ticket.clone_ref(py))
    }

    /// When to check again at the latest (WAIT) or at the earliest (DEFER), in seconds since 1970-01-01 UTC.
    #[getter]
    fn until(&self) -> Option<u64> {
        self.until
    }

    /// Whether the URL may be fetched now.
    #[getter]
    fn allowed(&self) -> bool {
        self.action == DECIDED && self.verdict.is_some_and(|verdict| verdict.is_allowed())
    }

    fn __bool__(&self) -> bool {
        self.allowed()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let action = ACTION.name(py, self.action)?;
        let verdict = match self.verdict {
            Some(verdict) => format!(" {}", verdict.repr(py)?),
            None => String::new(),
        };
        let until = self.until.map(|until| format!(" until={until}"));
        let until = until.unwrap_or_default();
        Ok(format!("<CacheDecision {action}{verdict}{until}>"))
    }
}

/// The right to fetch the robots.txt of one origin: no other caller of the cache fetches it in the meantime.
///
/// A context manager: at its end, a ticket that is not finished returns to the cache.
#[pyclass(frozen, module = "librobots")]
pub(crate) struct Ticket {
    origin: String,
    /// `None` when it is finished or released.
    ticket: Mutex<Option<robots::cache::Ticket>>,
}

impl From<robots::cache::Ticket> for Ticket {
    fn from(ticket: robots::cache::Ticket) -> Ticket {
        Ticket {
            origin: ticket.origin().to_owned(),
            ticket: Mutex::new(Some(ticket)),
        }
    }
}

impl Ticket {
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Option<robots::cache::Ticket>> {
        let locked = self.ticket.lock_py_attached(py);
        locked.unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Ticket {
    /// The key of the origin whose robots.txt is to be fetched.
    #[getter]
    fn origin(&self) -> &str {
        &self.origin
    }

    /// Starts the retrieval. It knows the outcome in the cache.
    #[pyo3(signature = (*, now = None))]
    fn fetch(&self, py: Python<'_>, now: Option<f64>) -> PyResult<Fetch> {
        let now = seconds(py, now)?;
        let ticket = self.lock(py);
        let ticket = ticket.as_ref().ok_or(Error::InvalidState).or_raise(py)?;
        ticket.fetch(now).or_raise(py).map(Fetch::from)
    }

    /// Submits the outcome and returns the ticket.
    ///
    /// Raises `ArgumentError` for the outcome of another origin or of other crawlers, `OutOfMemoryError` for an outcome that does
    /// not fit into the cache, `StateError` for a ticket that is finished.
    #[pyo3(signature = (outcome, *, now = None))]
    fn finish(
        &self,
        py: Python<'_>,
        outcome: &Bound<'_, Outcome>,
        now: Option<f64>,
    ) -> PyResult<()> {
        let now = seconds(py, now)?;
        let ticket = self.lock(py).take();
        let ticket = ticket.ok_or(Error::InvalidState).or_raise(py)?;
        ticket
            .finish(outcome.get().outcome.clone(), now)
            .or_raise(py)
    }

    /// Returns the ticket without an outcome; the next caller gets one. Does nothing for a finished ticket.
    fn release(&self, py: Python<'_>) {
        // It is dropped without the lock.
        let ticket = self.lock(py).take();
        drop(ticket);
    }

    fn __enter__(this: Bound<'_, Ticket>) -> Bound<'_, Ticket> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.release(py);
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let state = if self.lock(py).is_some() {
            "open"
        } else {
            "finished"
        };
        format!("<Ticket of {}: {state}>", self.origin)
    }
}
