//! The outcomes of many sites, and the tickets to fetch for them.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};
use robots::Error;

use crate::argument::{Now, index, instance, number, out_of_range, status, time, wrong_type};
use crate::class::Class;
use crate::crawler::{Outcome, crawler_objects, engines};
use crate::error::{OrRaise, about, exception};
use crate::fetch::Fetch;
use crate::python::{Members, in_milliseconds, milliseconds, seconds};
use crate::text::{body, text};
use crate::verdict::Verdict;

static ACTION: Members = Members::new("Action");
static COUNTS: Class = Class::new("CacheCounts");
static LOADED: Class = Class::new("LoadedRecords");

/// The numbers of `Action`.
const DECIDED: u32 = 0;
const FETCH: u32 = 1;
const WAIT: u32 = 2;
const DEFER: u32 = 3;

const FOREIGN_RECORD: &str = "the record is of other crawlers (tokens, dialect, options) or of another format version: fetch the robots.txt again";
const MAX_BYTES: &str = "at least 65,536";
const TICKET_TTL: &str = "1 to 86,400 seconds as an integer";

/// The outcomes of many sites, by origin, for one crawler or several. Any number of threads may use it at once.
///
/// `crawlers`: a `Crawler`, or an iterable of 1 to 16. `max_bytes`: the memory limit, at least 65,536; a small robots.txt
/// takes about 115 bytes. `ticket_ttl`: how many seconds a ticket is valid, more than the longest retrieval takes.
///
/// For `request`, as `datetime.timedelta` of 0 to 1 day: `default_delay` is obeyed where a robots.txt states no crawl-delay;
/// default: none. `max_delay` is the longest crawl-delay that is obeyed, default: 60 seconds; 0: none is obeyed. `horizon`: how
/// far ahead requests are given a time, default: 60 seconds; later ones are deferred.
///
/// A forked child must not use the cache of its parent: there every call raises `StateError`. Create a cache in the child
/// and import records.
#[pyclass(frozen, module = "librobots")]
pub(crate) struct Cache {
    cache: robots::Cache,
    crawlers: Py<PyTuple>,
    /// The other arguments of the class, by name.
    settings: Py<PyDict>,
}

/// The arguments of `Cache._from_records`.
type State<'py> = (Py<PyTuple>, Py<PyDict>, Bound<'py, PyList>);

fn max_bytes(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    number("max_bytes", value, MAX_BYTES)
}

fn ticket_ttl(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    number("ticket_ttl", value, TICKET_TTL)
}

impl Cache {
    /// Returns the index of a crawler. Raises `ArgumentError` if the cache has no such crawler.
    fn index(&self, py: Python<'_>, crawler: usize) -> PyResult<usize> {
        let count = self.crawlers.bind(py).len();
        match crawler < count {
            true => Ok(crawler),
            false => {
                let message = format!(
                    "crawler={crawler}: pass the index of one of the crawlers of the cache, 0 to {}",
                    count - 1
                );
                Err(about(py, Error::Argument, &message))
            }
        }
    }
}

#[pymethods]
impl Cache {
    #[new]
    #[pyo3(signature = (crawlers, *, max_bytes = 67_108_864, ticket_ttl = 120, default_delay = None, max_delay = None,
        horizon = None))]
    fn new(
        crawlers: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = max_bytes)] max_bytes: usize,
        #[pyo3(from_py_with = ticket_ttl)] ticket_ttl: u64,
        default_delay: Option<&Bound<'_, PyAny>>,
        max_delay: Option<&Bound<'_, PyAny>>,
        horizon: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Cache> {
        let py = crawlers.py();
        let objects = crawler_objects(crawlers)?;
        let mut cache = robots::Cache::new(&engines(&objects), max_bytes)
            .map_err(|error| match (error, objects.len()) {
                (Error::Argument, 1..=16) => about(
                    py,
                    error,
                    &format!("max_bytes={max_bytes}: pass {MAX_BYTES}"),
                ),
                (Error::Argument, count) => about(
                    py,
                    error,
                    &format!("crawlers: {count} are passed: pass 1 to 16"),
                ),
                (error, _) => exception(py, error),
            })?
            .with_ticket_ttl(ticket_ttl)
            .map_err(|error| {
                about(
                    py,
                    error,
                    &format!("ticket_ttl={ticket_ttl}: pass {TICKET_TTL}"),
                )
            })?;
        type Setter = fn(robots::Cache, u64) -> Result<robots::Cache, Error>;
        let delays: [(_, _, Setter); 3] = [
            (
                "default_delay",
                default_delay,
                robots::Cache::with_default_delay,
            ),
            ("max_delay", max_delay, robots::Cache::with_max_delay),
            ("horizon", horizon, robots::Cache::with_horizon),
        ];
        let settings = PyDict::new(py);
        settings.set_item("max_bytes", max_bytes)?;
        settings.set_item("ticket_ttl", ticket_ttl)?;
        for (name, value, set) in delays {
            if let Some(value) = value {
                cache = set(cache, duration(name, value)?).or_raise(py)?;
                settings.set_item(name, value)?;
            }
        }
        Ok(Cache {
            cache,
            crawlers: PyTuple::new(py, objects)?.unbind(),
            settings: settings.unbind(),
        })
    }

    /// A pickle is the settings and the records, without counts and tickets.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, State<'py>)> {
        let make = py.get_type::<Cache>().getattr("_from_records")?;
        let (crawlers, settings) = (self.crawlers.clone_ref(py), self.settings.clone_ref(py));
        Ok((make, (crawlers, settings, self.export_records(py)?)))
    }

    #[staticmethod]
    fn _from_records<'py>(
        crawlers: &Bound<'py, PyTuple>,
        settings: &Bound<'py, PyDict>,
        records: &Bound<'py, PyList>,
    ) -> PyResult<Bound<'py, Cache>> {
        let class = records.py().get_type::<Cache>();
        let cache = class
            .call((crawlers,), Some(settings))?
            .cast_into::<Cache>()?;
        for record in records {
            cache.get().import_record(&record)?;
        }
        Ok(cache)
    }

    /// The crawlers that the cache decides for, by index.
    #[getter]
    fn crawlers(&self, py: Python<'_>) -> Py<PyTuple> {
        self.crawlers.clone_ref(py)
    }

    /// Returns what the crawler of this index does next with `url`, an absolute URL, at the time `now`.
    ///
    /// Decisions do not wait for each other. Raises `UrlError` or `SchemeError` for a bad URL, `OutOfMemoryError` for a site
    /// that does not fit into the cache, `StateError` in a forked child.
    #[pyo3(signature = (url, *, now = None, crawler = 0))]
    fn check(
        &self,
        url: &Bound<'_, PyAny>,
        now: Option<Now>,
        #[pyo3(from_py_with = index)] crawler: usize,
    ) -> PyResult<CacheDecision> {
        let py = url.py();
        let (now, crawler) = (seconds(py, now)?, self.index(py, crawler)?);
        let decision = self.cache.check(crawler, text("url", url)?.as_bytes(), now);
        CacheDecision::new(py, decision, &self.crawlers)
    }

    /// Waits until no other thread fetches the robots.txt of the site of `url`, after WAIT; at most for `timeout`, a
    /// `datetime.timedelta` of 0 to 1 day. Then check the URL again.
    ///
    /// Returns False after the timeout. Raises as `check`.
    #[pyo3(signature = (url, /, timeout))]
    fn wait(&self, url: &Bound<'_, PyAny>, timeout: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = url.py();
        let end = Instant::now() + Duration::from_millis(duration("timeout", timeout)?);
        let url = text("url", url)?;
        let url = url.as_bytes();
        loop {
            let rest = end.saturating_duration_since(Instant::now());
            let waited = py.detach(|| self.cache.wait(url, rest.min(SIGNALS)));
            if waited.or_raise(py)? {
                return Ok(true);
            }
            // Such as Ctrl-C.
            py.check_signals()?;
            if rest <= SIGNALS {
                return Ok(false);
            }
        }
    }

    /// Checks a URL that is about to be requested. If it is allowed, a slot of its site is reserved.
    ///
    /// If `request_in` is 0, send the request now. Else wait for so many seconds and call again with `slot=decision.request_at`:
    /// the site may ask for a little more, since another request was late. What all callers send so is a crawl-delay apart. A
    /// slot that is further away than `horizon` is not reserved: the action is DEFER. `check` reserves nothing: it is for URLs
    /// that are found, not requested. `now`: seconds with their fraction. Raises as `check`, and `ArgumentError` for a time
    /// before March 1973.
    #[pyo3(signature = (url, *, slot = None, now = None, crawler = 0))]
    fn request(
        &self,
        url: &Bound<'_, PyAny>,
        slot: Option<&Bound<'_, PyAny>>,
        now: Option<Now>,
        #[pyo3(from_py_with = index)] crawler: usize,
    ) -> PyResult<CacheDecision> {
        let py = url.py();
        let (now, crawler) = (milliseconds(py, now)?, self.index(py, crawler)?);
        let slot = slot.map_or(Ok(0), |slot| {
            in_milliseconds(py, "slot", time("slot", slot)?)
        })?;
        let request = self
            .cache
            .request(crawler, text("url", url)?.as_bytes(), slot, now);
        let decision = CacheDecision::new(py, request.decision, &self.crawlers)?;
        Ok(CacheDecision {
            request_at_ms: request.at_ms,
            request_in_ms: request.at_ms.saturating_sub(now),
            crawl_delay_ms: request.crawl_delay_ms,
            crawl_delay_cut: request.crawl_delay_cut,
            ..decision
        })
    }

    /// Reports the response to a page: the crawl-delay counts from it. After status 429 or 503 the site rests: nothing is sent
    /// before the time in `value`, the header Retry-After; without a readable one it rests for 5 seconds.
    ///
    /// The first crawler's `FetchOption.MAX_RETRY_AFTER` limits the rest. Raises as `check`.
    #[pyo3(signature = (url, status, value = None, *, now = None))]
    fn retry_after(
        &self,
        url: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = status)] status: u16,
        value: Option<&Bound<'_, PyAny>>,
        now: Option<Now>,
    ) -> PyResult<()> {
        let py = url.py();
        let now = milliseconds(py, now)?;
        let value = value.map(|value| text("value", value)).transpose()?;
        let value = value.as_ref().map_or(&[][..], |value| value.as_bytes());
        let noted = self
            .cache
            .retry_after(text("url", url)?.as_bytes(), status, value, now);
        noted.or_raise(py)
    }

    /// Returns the crawl-delay that the robots.txt of the site of `url` states for the crawler of this index, in seconds;
    /// None if there is none, or the cache has no outcome. It copies nothing.
    #[pyo3(signature = (url, /, *, crawler = 0))]
    fn crawl_delay(
        &self,
        url: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = index)] crawler: usize,
    ) -> PyResult<Option<f64>> {
        let outcome = self
            .cache
            .outcome(text("url", url)?.as_bytes())
            .or_raise(url.py())?;
        Ok(outcome.and_then(|outcome| outcome.rules(crawler)?.crawl_delay()))
    }

    /// Returns the outcome of the site of `url`, however old; None if the cache has none.
    #[pyo3(signature = (url, /))]
    fn outcome(&self, url: &Bound<'_, PyAny>) -> PyResult<Option<Outcome>> {
        let outcome = self.cache.outcome(text("url", url)?.as_bytes());
        let outcome = outcome.or_raise(url.py())?;
        Ok(outcome.map(|it| Outcome::new(it, self.crawlers.clone_ref(url.py()))))
    }

    /// Removes the outcome of the site of `url`.
    #[pyo3(signature = (url, /))]
    fn remove(&self, url: &Bound<'_, PyAny>) -> PyResult<()> {
        let removed = self.cache.remove(text("url", url)?.as_bytes());
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
        let imported = self.cache.import(body("record", record)?.as_bytes());
        imported.map_err(|error| match error {
            Error::ImageFormat => about(py, error, FOREIGN_RECORD),
            error => exception(py, error),
        })
    }

    /// Writes all records to a file, whole or not at all: a file beside it is written, synced and renamed to `path`.
    ///
    /// Returns the number of records. Raises OSError; the file at `path` is then as it was.
    #[pyo3(signature = (path, /))]
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<usize> {
        let saved = py.detach(|| self.cache.save(&path));
        saved.map_err(|error| of_file(py, error, &path))
    }

    /// Imports the records of a file that `save` wrote. Returns a `LoadedRecords`: damaged and foreign records are counted.
    ///
    /// Raises OSError for a file that cannot be read, `ImageFormatError` for another file, `StateError` in a forked child.
    #[pyo3(signature = (path, /))]
    fn load<'py>(&self, py: Python<'py>, path: PathBuf) -> PyResult<Bound<'py, PyAny>> {
        let loaded = py.detach(|| self.cache.load(&path));
        let loaded = loaded.map_err(|error| of_file(py, error, &path))?;
        LOADED.call(
            py,
            (
                loaded.imported,
                loaded.foreign,
                loaded.damaged,
                loaded.no_room,
            ),
        )
    }

    /// Returns what the cache holds, and what it did since it was created: a `CacheCounts`.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let counts = self.cache.counts();
        COUNTS.call(
            py,
            (
                counts.sites,
                counts.bytes,
                counts.hits,
                counts.stale_hits,
                counts.fetches,
                counts.waits,
                counts.deferred,
                counts.evicted,
                counts.images,
                counts.saved_bytes,
            ),
        )
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

/// How long a wait may delay a signal.
const SIGNALS: Duration = Duration::from_millis(100);

/// The longest duration of an option, in milliseconds: one day.
const LONGEST: u128 = 86_400_000;

/// Returns the milliseconds of a `datetime.timedelta`, rounded up. A number is an error: nobody sees its unit.
fn duration(name: &str, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    const WANTED: &str = "a datetime.timedelta of 0 to 1 day";
    if !value.is_instance(&value.py().import("datetime")?.getattr("timedelta")?)? {
        return Err(wrong_type(name, value, WANTED));
    }
    let milliseconds = value.extract::<Duration>().ok();
    let milliseconds = milliseconds.map(|value| value.as_nanos().div_ceil(1_000_000));
    match milliseconds.filter(|value| *value <= LONGEST) {
        Some(milliseconds) => Ok(milliseconds as u64),
        None => Err(out_of_range(name, value, WANTED)),
    }
}

/// What the crawler does next with a URL. It is true if the URL may be fetched now.
#[pyclass(frozen, module = "librobots")]
pub(crate) struct CacheDecision {
    action: u32,
    verdict: Option<Verdict>,
    ticket: Option<Py<Ticket>>,
    until: Option<u64>,
    /// 0: there is no slot.
    request_at_ms: u64,
    request_in_ms: u64,
    crawl_delay_ms: u64,
    crawl_delay_cut: bool,
}

impl CacheDecision {
    fn new(
        py: Python<'_>,
        decision: robots::cache::CacheDecision,
        crawlers: &Py<PyTuple>,
    ) -> PyResult<CacheDecision> {
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
        let ticket = ticket.map(|ticket| Py::new(py, Ticket::new(ticket, crawlers.clone_ref(py))));
        Ok(CacheDecision {
            action,
            verdict: verdict.map(Verdict::from),
            ticket: ticket.transpose()?,
            until,
            request_at_ms: 0,
            request_in_ms: 0,
            crawl_delay_ms: 0,
            crawl_delay_cut: false,
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

    /// For DEFER, when to check again; for WAIT, when the ticket of the other thread expires. In seconds since 1970-01-01 UTC.
    #[getter]
    fn until(&self) -> Option<u64> {
        self.until
    }

    /// From `Cache.request`: the slot, in seconds since 1970-01-01 UTC with their fraction. None if there is none. With DEFER the
    /// slot that is too far away to be reserved.
    #[getter]
    fn request_at(&self) -> Option<f64> {
        (self.request_at_ms != 0).then(|| in_seconds(self.request_at_ms))
    }

    /// From `Cache.request`: the seconds until the slot. 0 for an allowed URL: send the request now.
    #[getter]
    fn request_in(&self) -> f64 {
        in_seconds(self.request_in_ms)
    }

    /// From `Cache.request`: the seconds from this request to the next one to the site; 0 if there is no slot.
    #[getter]
    fn crawl_delay(&self) -> f64 {
        in_seconds(self.crawl_delay_ms)
    }

    /// From `Cache.request`: whether the file states a longer crawl-delay than is obeyed.
    #[getter]
    fn crawl_delay_cut(&self) -> bool {
        self.crawl_delay_cut
    }

    /// Whether the URL may be fetched now; with `request_at`, at that time.
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
        let slot = self.request_at().map(|at| format!(" request_at={at:.3}"));
        let slot = slot.unwrap_or_default();
        Ok(format!("<CacheDecision {action}{verdict}{until}{slot}>"))
    }
}

fn in_seconds(milliseconds: u64) -> f64 {
    milliseconds as f64 / 1_000.0
}

/// The right to fetch the robots.txt of one origin: no other caller of the cache fetches it in the meantime.
///
/// A context manager: at its end, a ticket that is not finished returns to the cache.
#[pyclass(frozen, module = "librobots")]
pub(crate) struct Ticket {
    origin: String,
    /// `None` when it is finished or released.
    ticket: Mutex<Option<robots::cache::Ticket>>,
    crawlers: Py<PyTuple>,
}

impl Ticket {
    fn new(ticket: robots::cache::Ticket, crawlers: Py<PyTuple>) -> Ticket {
        Ticket {
            origin: ticket.origin().to_owned(),
            ticket: Mutex::new(Some(ticket)),
            crawlers,
        }
    }

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
    fn fetch(&self, py: Python<'_>, now: Option<Now>) -> PyResult<Fetch> {
        let now = seconds(py, now)?;
        let ticket = self.lock(py);
        let ticket = ticket.as_ref().ok_or(Error::InvalidState).or_raise(py)?;
        let fetch = ticket.fetch(now).or_raise(py)?;
        Ok(Fetch::of(fetch, self.crawlers.clone_ref(py)))
    }

    /// Submits the outcome and returns the ticket.
    ///
    /// Raises `ArgumentError` for the outcome of another origin or of other crawlers, `OutOfMemoryError` for an outcome that does
    /// not fit into the cache, `StateError` for a ticket that is finished.
    #[pyo3(signature = (outcome, *, now = None))]
    fn finish(&self, py: Python<'_>, outcome: &Bound<'_, PyAny>, now: Option<Now>) -> PyResult<()> {
        let now = seconds(py, now)?;
        let outcome = instance::<Outcome>("outcome", outcome, "the Outcome of a fetch")?;
        let outcome = outcome.get().outcome.clone();
        let origin = outcome.origin.clone();
        let ticket = self.lock(py).take();
        let ticket = ticket.ok_or(Error::InvalidState).or_raise(py)?;
        ticket.finish(outcome, now).map_err(|error| match error {
            Error::Argument => {
                let message = format!(
                    "the outcome is that of {}: pass one of {}, for the crawlers of the cache",
                    origin.key(),
                    self.origin
                );
                about(py, error, &message)
            }
            error => exception(py, error),
        })
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

/// Returns the exception of a file that a cache could not save or load. That of the system names the file, as `open` does.
fn of_file(py: Python<'_>, error: std::io::Error, path: &Path) -> PyErr {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    match (inner, error.raw_os_error()) {
        (Some(inner), _) => exception(py, *inner),
        (None, Some(code)) => {
            let words = error.to_string();
            let words = words.split(" (os error").next().unwrap_or_default();
            PyOSError::new_err((code, words.to_owned(), path.as_os_str().to_owned()))
        }
        (None, None) => error.into(),
    }
}
