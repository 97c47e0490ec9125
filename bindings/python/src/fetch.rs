//! One retrieval of a robots.txt, without I/O.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use robots::Failure;

use crate::argument::{Now, instance, number, status};
use crate::crawler::{Outcome, crawler_objects, engines, option_of, out_of_range, value_of};
use crate::error::{OrRaise, about};
use crate::python::{Members, seconds};
use crate::text::{body, string, text};

static STEP: Members = Members::new("Step");
static FAILURE: Members = Members::new("Failure");

/// One retrieval of a robots.txt, without I/O: the caller reports what its HTTP client receives.
///
/// It expects one event at a time, its `step`, and each event returns the next step. Any other event raises `StateError`
/// and changes nothing. `url`: any URL of the site. Times are seconds since 1970-01-01 UTC; default: `time.time()`.
#[pyclass(frozen, module = "librobots")]
pub(crate) struct Fetch {
    fetch: Mutex<robots::Fetch>,
    crawlers: Py<PyTuple>,
}

impl Fetch {
    pub(crate) fn of(fetch: robots::Fetch, crawlers: Py<PyTuple>) -> Fetch {
        Fetch {
            fetch: Mutex::new(fetch),
            crawlers,
        }
    }

    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, robots::Fetch> {
        let locked = self.fetch.lock_py_attached(py);
        // An event that failed changes nothing, so the state is sound.
        locked.unwrap_or_else(PoisonError::into_inner)
    }

    fn after(
        &self,
        py: Python<'_>,
        event: impl FnOnce(&mut robots::Fetch) -> Result<robots::Step, robots::Error>,
    ) -> PyResult<Py<PyAny>> {
        let step = event(&mut self.lock(py)).or_raise(py)?;
        STEP.get(py, step as u32)
    }
}

#[pymethods]
impl Fetch {
    #[new]
    #[pyo3(signature = (crawlers, url, *, now = None))]
    fn new(
        crawlers: &Bound<'_, PyAny>,
        url: &Bound<'_, PyAny>,
        now: Option<Now>,
    ) -> PyResult<Fetch> {
        let py = url.py();
        let (crawlers, now) = (crawler_objects(crawlers)?, seconds(py, now)?);
        let fetch = robots::Fetch::new(&engines(&crawlers), text("url", url)?.as_bytes(), now);
        let fetch = fetch.or_raise(py)?;
        Ok(Fetch::of(fetch, PyTuple::new(py, crawlers)?.unbind()))
    }

    /// Sets an earlier outcome of the same origin and crawlers. Call it before the first event.
    ///
    /// The request becomes conditional, and the earlier rules stay in use while the file cannot be reached.
    #[pyo3(signature = (previous, /))]
    fn set_previous(&self, py: Python<'_>, previous: &Bound<'_, PyAny>) -> PyResult<()> {
        let previous = instance::<Outcome>("previous", previous, "an Outcome")?;
        let previous = &previous.get().outcome;
        self.lock(py).set_previous(previous).or_raise(py)
    }

    /// Sets an option for this fetch alone: a `FetchOption` or its name, and a number, or an `OutcomeKind` or its name.
    #[pyo3(signature = (option, value, /))]
    fn set(&self, option: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, option) = (value.py(), option_of(option)?);
        let value = value_of(option, value)?;
        let set = self.lock(py).set(option, value);
        set.map_err(|error| match error {
            robots::Error::Argument => out_of_range(py, error, option, &value),
            error => crate::error::exception(py, error),
        })
    }

    /// The event that it expects, a `Step`.
    #[getter]
    fn step(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let step = self.lock(py).step();
        STEP.get(py, step as u32)
    }

    /// The URL to request. A redirect changes it.
    #[getter]
    fn url(&self, py: Python<'_>) -> String {
        self.lock(py).url().to_owned()
    }

    /// The key of the origin that the robots.txt governs.
    #[getter]
    fn origin(&self, py: Python<'_>) -> String {
        self.lock(py).origin().key().to_owned()
    }

    /// The headers to send with the request, as a dict.
    #[getter]
    fn request_headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let headers = PyDict::new(py);
        for (name, value) in self.lock(py).request_headers() {
            headers.set_item(name, string(py, value)?)?;
        }
        Ok(headers)
    }

    /// Reports the status of the response. Returns the next step. Raises `StateError` unless the step is GET.
    #[pyo3(signature = (status, *, now = None))]
    fn status(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = status)] status: u16,
        now: Option<Now>,
    ) -> PyResult<Py<PyAny>> {
        let now = seconds(py, now)?;
        self.after(py, |fetch| fetch.status(status, now))
    }

    /// Reports the final reply of an FTP server instead of a status. Returns the next step: BODY after a success (2yz).
    ///
    /// Raises `StateError` unless the step is GET and the URL is an ftp URL.
    #[pyo3(signature = (reply, *, now = None))]
    fn ftp_reply(&self, reply: &Bound<'_, PyAny>, now: Option<Now>) -> PyResult<Py<PyAny>> {
        let py = reply.py();
        let now = seconds(py, now)?;
        let reply = number(
            "reply",
            reply,
            "the reply of an FTP server as an integer, such as 226",
        )?;
        self.after(py, |fetch| fetch.ftp_reply(reply, now))
    }

    /// Reports a header of the response. Report all, in their order.
    #[pyo3(signature = (name, value, /))]
    fn header(&self, name: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let (py, value) = (name.py(), text("value", value)?);
        let name = text("name", name)?;
        self.after(py, |fetch| fetch.header(name.as_bytes(), value.as_bytes()))
    }

    /// Reports the end of the headers. Returns the next step: GET again after a redirect.
    fn headers_end(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.after(py, robots::Fetch::headers_end)
    }

    /// Passes a piece of the body. At the size limit the fetch is done.
    ///
    /// The fetch undoes gzip: send `Accept-Encoding: identity` and pass the bytes as they came.
    #[pyo3(signature = (piece, /))]
    fn body(&self, piece: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let bytes = body("piece", piece)?;
        self.after(piece.py(), |fetch| fetch.body(bytes.as_bytes()))
    }

    /// Reports the regular end of the body.
    fn end(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.after(py, robots::Fetch::end)
    }

    /// Reports that the response is missing or broke off: a `Failure` or its name.
    #[pyo3(signature = (failure, *, now = None))]
    fn fail(&self, failure: &Bound<'_, PyAny>, now: Option<Now>) -> PyResult<Py<PyAny>> {
        let py = failure.py();
        let (now, number) = (seconds(py, now)?, FAILURE.number(failure)?);
        let failure = Failure::from_code(number).ok_or_else(|| {
            let message =
                format!("unknown failure {number}: pass a member of Failure, or its name");
            about(py, robots::Error::Argument, &message)
        })?;
        self.after(py, |fetch| fetch.fail(failure, now))
    }

    /// The file that the outcome has the rules of, as bytes without content coding.
    ///
    /// None until the step is DONE, and if this fetch brought no file.
    #[getter]
    fn file<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let fetch = self.lock(py);
        fetch.file().map(|file| PyBytes::new(py, file))
    }

    /// The outcome; None until the step is DONE.
    #[getter]
    fn outcome(&self, py: Python<'_>) -> Option<Outcome> {
        let outcome = self.lock(py).outcome().cloned()?;
        Some(Outcome::new(outcome, self.crawlers.clone_ref(py)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (step, url) = (self.step(py)?, self.url(py));
        let step: String = step.bind(py).getattr("name")?.extract()?;
        Ok(format!("<Fetch of {url}: step={step}>"))
    }
}
