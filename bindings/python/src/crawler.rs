//! Crawlers, and the outcomes of their fetches: each makes the other.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMapping, PyString, PyTuple};
use robots::api::{OptionRow, READ_OPTIONS, Unit};
use robots::{Error, FetchOption};

use crate::error::{OrRaise, about, exception};
use crate::explanation::Explanation;
use crate::extensions::Extensions;
use crate::page::PageControls;
use crate::python::{
    CAUSE, FETCH_OPTION, OUTCOME_KIND, dialect_from, dialect_member, dialect_name, seconds,
};
use crate::report::Report;
use crate::rules::Rules;
use crate::text::{body, string, text};
use crate::verdict::Verdict;

/// A crawler: its product tokens, its dialect, its limits. Immutable; threads may share it.
///
/// `tokens`: bare names such as `"ExampleBot"`, in order of preference; without one only `*` groups apply. `dialect`:
/// "rfc9309", "google" or "koster1996". `max_bytes`: how many bytes of a robots.txt are read, 512,000 to 1 GiB.
/// `fetch_options`: a mapping from `FetchOption` to numbers.
///
/// Raises `TokenError` for what is no product token, `ArgumentError` for a value out of range.
#[pyclass(frozen, module = "librobots")]
pub(crate) struct Crawler {
    pub(crate) crawler: robots::Crawler,
    /// The fetch options that were set, by number: the engine returns the defaults, too.
    fetch_options: Vec<(u32, u64)>,
}

impl Crawler {
    /// Returns the value of an option of reading.
    fn option(&self, row: &OptionRow) -> u64 {
        #[allow(clippy::expect_used, reason = "an invariant of the engine")]
        self.crawler
            .option(row.number)
            .expect("a crawler has a value for each row of the table")
    }

    /// Returns the options of reading: the name of the argument, the row and the value.
    fn options(&self) -> impl Iterator<Item = (String, &'static OptionRow, u64)> {
        READ_OPTIONS.iter().map(|row| {
            let name = row.name.trim_start_matches("ROBOTS_OPT_");
            (name.to_lowercase(), row, self.option(row))
        })
    }

    /// Returns the value of the option of reading with this name.
    fn option_named(&self, name: &str) -> u64 {
        let found = self.options().find(|(other, ..)| other == name);
        #[allow(clippy::expect_used, reason = "an invariant of the engine")]
        let (.., value) = found.expect("each property has the name of an option");
        value
    }
}

#[pymethods]
impl Crawler {
    #[new]
    #[pyo3(signature = (*tokens, dialect = "rfc9309", max_bytes = Number::from(512_000), ignore_star = false, merge_tokens = false,
        crawl_delay_ends_agents = false, fetch_options = None), text_signature = "(*tokens, dialect='rfc9309', \
        max_bytes=512000, ignore_star=False, merge_tokens=False, crawl_delay_ends_agents=False, fetch_options=None)")]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments")]
    fn new(
        tokens: &Bound<'_, PyTuple>,
        dialect: &str,
        max_bytes: Number,
        ignore_star: bool,
        merge_tokens: bool,
        crawl_delay_ends_agents: bool,
        fetch_options: Option<&Bound<'_, PyMapping>>,
    ) -> PyResult<Crawler> {
        let py = tokens.py();
        let max_bytes = max_bytes.within("max_bytes", "512,000 to 1,073,741,824", py)?;
        let dialect = dialect_from(dialect)?;
        let mut crawler = robots::Crawler::without_token()
            .with_dialect(dialect)
            .or_raise(py)?;
        for token in tokens {
            let token = text(&token)?;
            crawler = crawler.with_token(token.as_bytes()).map_err(|error| {
                match dialect.token_fault(token.as_bytes()) {
                    Some(fault) => about(py, error, &fault),
                    None => exception(py, error),
                }
            })?;
        }
        let max_bytes = usize::try_from(max_bytes).unwrap_or(usize::MAX);
        crawler = crawler
            .with_max_bytes(max_bytes)
            .map_err(|error| {
                let message = format!("max_bytes={max_bytes}: pass 512,000 to 1,073,741,824");
                about(py, error, &message)
            })?
            .with_ignore_star(ignore_star)
            .with_merge_tokens(merge_tokens)
            .with_crawl_delay_ends_agents(crawl_delay_ends_agents);
        let fetch_options = match fetch_options {
            Some(mapping) => options(py, mapping)?,
            None => Vec::new(),
        };
        for (code, value) in &fetch_options {
            let option = option_from(py, *code)?;
            crawler = crawler
                .with_fetch_option(option, *value)
                .map_err(|error| out_of_range(py, error, option, value))?;
        }
        Ok(Crawler {
            crawler,
            fetch_options,
        })
    }

    /// Returns the product token in a User-Agent header: the first product that is not a browser's.
    ///
    /// In a comment only the products after `compatible;` count. Raises `TokenError` if there is none.
    #[staticmethod]
    #[pyo3(signature = (header, /))]
    fn token_from_user_agent<'py>(header: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
        let py = header.py();
        let text = text(header)?;
        let token = robots::Crawler::token_from_user_agent(text.as_bytes()).map_err(|error| {
            let shown = text.as_bytes().escape_ascii();
            let message = format!(
                "no product token in `{shown}`: name the crawler in it, such as ExampleBot/1.0"
            );
            about(py, error, &message)
        })?;
        Ok(PyString::new(py, token))
    }

    /// Creates a well-known crawler, such as "Googlebot-Image", as its operator describes it. `presets()` lists them.
    ///
    /// Operators change such things: verify them if it matters. Raises `TokenError` for a name that is not listed.
    #[staticmethod]
    #[pyo3(signature = (name, /))]
    fn preset(name: &Bound<'_, PyAny>) -> PyResult<Crawler> {
        let py = name.py();
        let preset = robots::Preset::find(text(name)?.as_bytes()).ok_or_else(|| {
            let shown = name.repr().map(|shown| shown.to_string());
            let message = format!(
                "unknown preset {}: presets() lists them",
                shown.unwrap_or_default()
            );
            about(py, Error::Token, &message)
        })?;
        let crawler = preset.crawler().or_raise(py)?;
        Ok(Crawler {
            crawler,
            fetch_options: Vec::new(),
        })
    }

    /// The product tokens, in order of preference.
    #[getter]
    fn tokens<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let tokens: PyResult<Vec<Bound<'py, PyString>>> =
            self.crawler.tokens().map(|it| string(py, it)).collect();
        PyTuple::new(py, tokens?)
    }

    /// The dialect.
    #[getter]
    fn dialect<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        dialect_member(py, dialect_of(self.option_named("dialect")))
    }

    /// How many bytes of a robots.txt are read.
    #[getter]
    fn max_bytes(&self) -> u64 {
        self.option_named("max_bytes")
    }

    /// Whether `*` groups are ignored.
    #[getter]
    fn ignore_star(&self) -> bool {
        self.option_named("ignore_star") != 0
    }

    /// Whether the groups of all tokens are merged.
    #[getter]
    fn merge_tokens(&self) -> bool {
        self.option_named("merge_tokens") != 0
    }

    /// Whether a crawl-delay line ends a run of user-agent lines.
    #[getter]
    fn crawl_delay_ends_agents(&self) -> bool {
        self.option_named("crawl_delay_ends_agents") != 0
    }

    /// Returns the value of a fetch option: the one that was set, or the default of the dialect.
    #[pyo3(signature = (option, /))]
    fn fetch_option(&self, py: Python<'_>, option: u32) -> PyResult<u64> {
        Ok(self.crawler.fetch_option(option_from(py, option)?))
    }

    /// Compiles a robots.txt for this crawler. No content is an error: invalid lines are skipped.
    ///
    /// `body`: the content of the file, not its name or address: str, bytes, bytearray or memoryview. A long file is parsed
    /// without the global interpreter lock. Undo its content coding first: the rules of bytes that are still compressed by gzip
    /// or zstd are those of an unreachable site. A fetch that failed has no file, which is not an empty one: pass its status
    /// to `outcome_from_status`.
    #[pyo3(signature = (body, /))]
    fn parse(&self, body: &Bound<'_, PyAny>) -> PyResult<Rules> {
        let file = self::body(body)?;
        let bytes = file.as_bytes();
        // A small file is parsed in less time than other threads need to take over.
        let rules = match bytes.len() {
            ..4096 => self.crawler.parse(bytes),
            _ => body.py().detach(|| self.crawler.parse(bytes)),
        };
        Ok(rules.into())
    }

    /// Returns the verdict on one URL by a robots.txt, and keeps nothing. For more than one URL, parse.
    #[pyo3(signature = (body, url, /))]
    fn check_once(&self, body: &Bound<'_, PyAny>, url: &Bound<'_, PyAny>) -> PyResult<Verdict> {
        let file = self::body(body)?;
        let (url, file) = (text(url)?, file.as_bytes());
        Ok(self.crawler.check_once(file, url.as_bytes()).into())
    }

    /// Explains the verdict on a URL: the group obeyed, every matching rule, and what other dialects say.
    ///
    /// Raises `UrlError` for what is no URL.
    #[pyo3(signature = (body, url, /))]
    fn explain(&self, body: &Bound<'_, PyAny>, url: &Bound<'_, PyAny>) -> PyResult<Explanation> {
        let py = body.py();
        let (file, url) = (self::body(body)?, text(url)?);
        let (file, url) = (file.as_bytes(), url.as_bytes());
        let explanation = py.detach(|| robots::explain(&self.crawler, file, url));
        explanation.or_raise(py).map(Explanation::from)
    }

    /// Returns the meaning of every line of a robots.txt, and its faults. All groups are checked.
    #[pyo3(signature = (body, /))]
    fn lint(&self, body: &Bound<'_, PyAny>) -> PyResult<Report> {
        let py = body.py();
        let file = self::body(body)?;
        let file = file.as_bytes();
        let report = py.detach(|| robots::lint(&self.crawler, file));
        report.or_raise(py).map(Report::from)
    }

    /// Returns the records other than groups and rules, such as request-rate and content-signal.
    #[pyo3(signature = (body, /))]
    fn extensions(&self, body: &Bound<'_, PyAny>) -> PyResult<Extensions> {
        let py = body.py();
        let file = self::body(body)?;
        let file = file.as_bytes();
        let extensions = py.detach(|| robots::Extensions::parse(&self.crawler, file));
        extensions.or_raise(py).map(Extensions::from)
    }

    /// Returns what the crawler may do with a response, by its headers: pairs, or a mapping of an HTTP client.
    #[pyo3(signature = (headers = None))]
    fn page_controls(&self, headers: Option<&Bound<'_, PyAny>>) -> PyResult<PageControls> {
        PageControls::new(&self.crawler, headers)
    }

    /// Returns the outcome of a complete response, for a client that follows redirects itself.
    ///
    /// `url`: any URL of the site of the first request. `body`: needed for a status of 200 to 299 except 204; `b""` is an empty
    /// file, which allows everything. `now`: seconds since 1970-01-01 UTC; default: `time.time()`.
    #[pyo3(signature = (url, status, body = None, *, now = None))]
    fn outcome_from_status(
        &self,
        url: &Bound<'_, PyAny>,
        status: u16,
        body: Option<&Bound<'_, PyAny>>,
        now: Option<f64>,
    ) -> PyResult<Outcome> {
        let py = url.py();
        let now = seconds(py, now)?;
        let crawlers = core::slice::from_ref(&self.crawler);
        if body.is_none() && matches!(status, 200..=203 | 205..=299) {
            let message = format!("status {status} without a body: pass it, b\"\" if it is empty");
            return Err(about(py, Error::Argument, &message));
        }
        let file = body.map(self::body).transpose()?;
        let file = file.as_ref().map_or(&[][..], |file| file.as_bytes());
        let outcome =
            robots::Outcome::from_status(crawlers, text(url)?.as_bytes(), status, file, now);
        outcome.or_raise(py).map(Outcome::from)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Crawler>();
        other.is_ok_and(|other| {
            let other = other.get();
            READ_OPTIONS
                .iter()
                .all(|row| self.option(row) == other.option(row))
                && self.fetch_options == other.fetch_options
                && self.crawler.tokens().eq(other.crawler.tokens())
        })
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.tokens(py)?.hash()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let tokens = self.crawler.tokens().map(String::from_utf8_lossy);
        let mut all: Vec<String> = tokens.map(|token| format!("{token:?}")).collect();
        for (name, row, value) in self.options() {
            if row.default.first() != Some(&value) {
                all.push(match row.unit {
                    Unit::Dialect => format!("{name}={:?}", dialect_name(dialect_of(value))),
                    Unit::Switch => format!("{name}=True"),
                    _ => format!("{name}={value}"),
                });
            }
        }
        let fetch_options = &self.fetch_options;
        if !fetch_options.is_empty() {
            let shown = |(code, value): &(u32, u64)| {
                let option = FETCH_OPTION.name(py, *code)?;
                let kind = u32::try_from(*value).unwrap_or(u32::MAX);
                // `eval` of the text gives an equal crawler, where the module's names are known.
                match option.starts_with("ON_") {
                    true => {
                        let kind = OUTCOME_KIND.name(py, kind)?;
                        Ok(format!("FetchOption.{option}: OutcomeKind.{kind}"))
                    }
                    false => Ok(format!("FetchOption.{option}: {value}")),
                }
            };
            let options: PyResult<Vec<String>> = fetch_options.iter().map(shown).collect();
            all.push(format!("fetch_options={{{}}}", options?.join(", ")));
        }
        Ok(format!("Crawler({})", all.join(", ")))
    }

    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let settings = PyDict::new(py);
        for (name, row, value) in self.options() {
            match row.unit {
                Unit::Dialect => settings.set_item(name, dialect_name(dialect_of(value)))?,
                Unit::Switch => settings.set_item(name, value != 0)?,
                _ => settings.set_item(name, value)?,
            }
        }
        let options = PyDict::new(py);
        for (code, value) in &self.fetch_options {
            options.set_item(code, value)?;
        }
        settings.set_item("fetch_options", options)?;
        Ok((self.tokens(py)?, settings))
    }
}

/// Returns the dialect with this number.
fn dialect_of(number: u64) -> robots::Dialect {
    let mut all = robots::Dialect::ALL.into_iter();
    #[allow(clippy::expect_used, reason = "an invariant of the engine")]
    all.find(|dialect| *dialect as u64 == number)
        .expect("the dialect of a crawler is one of all")
}

/// Returns the crawlers of an argument: one crawler, or several in an iterable.
pub(crate) fn crawlers(argument: &Bound<'_, PyAny>) -> PyResult<Vec<robots::Crawler>> {
    let objects = crawler_objects(argument)?;
    Ok(objects.iter().map(|it| it.get().crawler.clone()).collect())
}

/// As [`crawlers`], as Python objects.
pub(crate) fn crawler_objects<'py>(
    argument: &Bound<'py, PyAny>,
) -> PyResult<Vec<Bound<'py, Crawler>>> {
    if let Ok(one) = argument.cast::<Crawler>() {
        return Ok(vec![one.clone()]);
    }
    let wrong = || PyTypeError::new_err("expected a Crawler or an iterable of crawlers");
    let items = argument.try_iter().map_err(|_| wrong())?;
    let crawlers = items.map(|item| item?.cast_into::<Crawler>().map_err(|_| wrong()));
    crawlers.collect()
}

/// Returns the fetch option with this number.
pub(crate) fn option_from(py: Python<'_>, code: u32) -> PyResult<FetchOption> {
    FetchOption::from_code(code).ok_or_else(|| {
        let message = format!("unknown fetch option {code}: pass a member of FetchOption");
        about(py, Error::Argument, &message)
    })
}

fn options(py: Python<'_>, mapping: &Bound<'_, PyMapping>) -> PyResult<Vec<(u32, u64)>> {
    let mut found = Vec::new();
    for item in mapping.items()? {
        let (code, value): (u32, Number) = item.extract()?;
        found.push((code, value.of(py, code)?));
    }
    Ok(found)
}

/// An integer argument. Python's error for a negative or a large one would not name the argument and its range.
pub(crate) enum Number {
    /// A number that the engine checks.
    Fits(u64),
    /// The text of another one.
    Other(String),
}

impl From<u64> for Number {
    fn from(value: u64) -> Number {
        Number::Fits(value)
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Number {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Number> {
        let py = value.py();
        match value.extract::<u64>() {
            Ok(number) => Ok(Number::Fits(number)),
            Err(error) if error.is_instance_of::<PyOverflowError>(py) => {
                Ok(Number::Other(value.str()?.to_string()))
            }
            Err(error) => Err(error),
        }
    }
}

impl Number {
    /// Returns the number. Raises `ArgumentError` with the argument's name and range.
    fn within(self, name: &str, range: &str, py: Python<'_>) -> PyResult<u64> {
        match self {
            Number::Fits(number) => Ok(number),
            Number::Other(text) => {
                let message = format!("{name}={text}: pass {range}");
                Err(about(py, Error::Argument, &message))
            }
        }
    }

    /// Returns the number. Raises `ArgumentError` with the name and the range of the fetch option.
    pub(crate) fn of(self, py: Python<'_>, code: u32) -> PyResult<u64> {
        match self {
            Number::Fits(number) => Ok(number),
            Number::Other(text) => {
                let option = option_from(py, code)?;
                Err(out_of_range(py, Error::Argument, option, &text))
            }
        }
    }
}

/// Returns the exception for a value that an option does not accept.
pub(crate) fn out_of_range(
    py: Python<'_>,
    error: Error,
    option: FetchOption,
    value: &dyn std::fmt::Display,
) -> PyErr {
    let name = match FETCH_OPTION.name(py, option as u32) {
        Ok(name) => name,
        Err(failure) => return failure,
    };
    let range = option.range();
    let range = match name.starts_with("ON_") {
        true => "ALLOW_ALL, DISALLOW_ALL, DEFER or UNREACHABLE of OutcomeKind".to_owned(),
        false => format!("{} to {}", range.start(), range.end()),
    };
    about(
        py,
        error,
        &format!("FetchOption.{name}={value}: pass {range}"),
    )
}

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
    /// Not allowed with the reason DEFER if the site is deferred, or the outcome expired or is of a later time; with an error
    /// for a URL of another site.
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
