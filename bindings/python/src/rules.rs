//! Compiled rules.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};

use crate::argument::{instance, use_threads};
use crate::batch::{self, Verdicts};
use crate::class::Class;
use crate::difference::Difference;
use crate::error::OrRaise;
use crate::python::dialect_member;
use crate::text::{body, string, text};
use crate::verdict::Verdict;

static EFFECTIVE_RULE: Class = Class::new("EffectiveRule");

/// A robots.txt compiled for one crawler. Immutable, hashable, and it can be pickled; threads may share it.
#[pyclass(frozen, module = "librobots")]
pub(crate) struct Rules {
    pub(crate) rules: robots::Rules,
}

impl From<robots::Rules> for Rules {
    fn from(rules: robots::Rules) -> Rules {
        Rules { rules }
    }
}

#[pymethods]
impl Rules {
    /// Returns rules that allow every URL.
    #[staticmethod]
    fn allow_all() -> Rules {
        robots::Rules::allow_all().into()
    }

    /// Returns rules that disallow every URL except /robots.txt.
    #[staticmethod]
    fn disallow_all() -> Rules {
        robots::Rules::disallow_all().into()
    }

    /// Validates and copies an image that `Rules.image` returned, perhaps on another machine.
    ///
    /// Raises `ImageError` if it is damaged, `ImageFormatError` if it has another format version.
    #[staticmethod]
    #[pyo3(signature = (image, /))]
    fn from_image(image: &Bound<'_, PyAny>) -> PyResult<Rules> {
        let py = image.py();
        let image = body("image", image)?;
        let bytes = image.as_bytes();
        let rules = py.detach(|| robots::Rules::from_image(bytes));
        rules.or_raise(py).map(Rules::from)
    }

    /// Returns the verdict on `url`, with reason and line. What is no URL gives a verdict with an error, which is not
    /// allowed.
    ///
    /// Pass the URL that the client sends. One that clients rewrite, such as `/a/../b`, is allowed only if each reading
    /// is (SPEC 8.11).
    #[pyo3(signature = (url, /))]
    fn check(&self, url: &Bound<'_, PyAny>) -> PyResult<Verdict> {
        Ok(self.rules.check(text("url", url)?.as_bytes()).into())
    }

    /// Returns the verdicts on many URLs, checked without the global interpreter lock.
    ///
    /// `urls`: a list or another iterable of str, bytes or None; an array of NumPy; an array, chunked array or column of
    /// pyarrow, polars or any library with the Arrow PyCapsule interface. Text in Arrow's layout is not copied. Do not change a
    /// list or an array of NumPy during the call. None, a null and what is no URL are not allowed. `use_threads`: 32,768 URLs
    /// and more are checked by several threads, one for each CPU that the process may use.
    #[pyo3(signature = (urls, /, *, use_threads = true))]
    fn check_many(
        &self,
        urls: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = use_threads)] use_threads: bool,
    ) -> PyResult<Verdicts> {
        batch::check(&self.rules, urls, use_threads)
    }

    /// The crawl-delay of the groups that the crawler obeys, in seconds; None if there is none.
    #[getter]
    fn crawl_delay(&self) -> Option<f64> {
        self.rules.crawl_delay()
    }

    /// The sitemaps, in file order, as they are written.
    #[getter]
    fn sitemaps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let sitemaps: PyResult<Vec<Bound<'py, PyString>>> =
            self.rules.sitemaps().map(|it| string(py, it)).collect();
        PyTuple::new(py, sitemaps?)
    }

    /// Returns the rules that can decide, in file order: a list of `EffectiveRule`. Each call builds it.
    ///
    /// Rules that never decide are left out. Those of a site that is disallowed or unreachable are `Disallow: /` on line 0.
    fn effective_rules<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rules = py.detach(|| self.rules.effective_rules()).or_raise(py)?;
        let rules = rules.iter().map(|rule| {
            let pattern = string(py, rule.pattern())?;
            EFFECTIVE_RULE.call(py, (rule.line(), rule.allow(), pattern))
        });
        let rules: PyResult<Vec<_>> = rules.collect();
        PyList::new(py, rules?)
    }

    /// Returns a shortest path that these rules allow and `other` rules do not, or the reverse, or that there is none, which
    /// is proved (SPEC 12).
    ///
    /// The two may differ in file, crawler and dialect. The search takes at most about a second and 64 MB, without the global
    /// interpreter lock; half of all real files take 0.1 ms, and 99 % at most 20 ms.
    #[pyo3(signature = (other, /))]
    fn difference(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Difference> {
        let other = instance::<Rules>("other", other, "the Rules of another file")?.get();
        let difference = py.detach(|| self.rules.difference(&other.rules));
        difference.or_raise(py).map(Difference::from)
    }

    /// The compiled rules as one block of bytes, to store or send. `Rules.from_image` reads it.
    #[getter]
    fn image<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.rules.image())
    }

    /// The dialect that the rules were compiled in.
    #[getter]
    fn dialect<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        dialect_member(py, self.rules.about().dialect)
    }

    /// Whether a group of the file applies to the crawler.
    #[getter]
    fn has_group(&self) -> bool {
        self.rules.about().has_group
    }

    /// Whether every URL of the site is allowed: there is no file, no group or no rule that forbids one (SPEC 8.13).
    #[getter]
    fn allows_all(&self) -> bool {
        self.rules.about().allows_all
    }

    /// Whether every URL of the site is disallowed, except /robots.txt (SPEC 8.13).
    #[getter]
    fn disallows_all(&self) -> bool {
        self.rules.about().disallows_all
    }

    /// Whether the site is unreachable: no URL is allowed for now, except /robots.txt. This is no ban.
    #[getter]
    fn unreachable(&self) -> bool {
        self.rules.about().unreachable
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Rules>();
        other.is_ok_and(|other| other.get().rules.image() == self.rules.image())
    }

    fn __hash__<'py>(&self, py: Python<'py>) -> PyResult<isize> {
        self.image(py).hash()
    }

    fn __repr__(&self) -> String {
        let (bytes, sitemaps) = (self.rules.image().len(), self.rules.sitemaps().count());
        let delay = self.rules.crawl_delay();
        let delay = delay.map_or("None".to_owned(), |delay| delay.to_string());
        format!("<Rules of {bytes} bytes crawl_delay={delay} sitemaps={sitemaps}>")
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let make = py.get_type::<Rules>().getattr("from_image")?;
        Ok((make, (self.image(py),)))
    }
}
