//! Crawlers, and the outcomes of their fetches: each makes the other.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMapping, PyString, PyTuple};
use robots::api::{OptionRow, Unit, crawler_options};
use robots::{Error, FetchOption};

use crate::argument::{Now, index, instance, number, shown, status, wrong_type};
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
use crate::uses::Uses;
use crate::verdict::Verdict;

/// The arguments of `Crawler._from_settings`.
type State<'py> = (Bound<'py, PyTuple>, Bound<'py, PyDict>);

/// A crawler: its product tokens, its dialect, its limits. Immutable; threads may share it.
///
/// `tokens`: bare names such as `"ExampleBot"`, in order of preference; with `"*"` alone only `*` groups apply. `dialect`:
/// "rfc9309", "google" or "koster1996". `max_bytes`: how many bytes of a robots.txt are read, 512,000 to 1 GiB.
/// `fetch_options`: a mapping from `FetchOption` or its names to numbers, such as `{"max_redirects": 3}`; for the options `ON_...`
/// to `OutcomeKind` or its names, such as `{"on_forbidden": "disallow_all"}`. Names are read in any case.
///
/// Raises `TokenError` for what is no product token, `ArgumentError` for a value out of range.
#[pyclass(frozen, module = "librobots")]
pub(crate) struct Crawler {
    pub(crate) crawler: robots::Crawler,
    /// The fetch options that were set, by number: the engine returns the defaults, too.
    fetch_options: Vec<(u32, u64)>,
}

impl Crawler {
    /// Returns the value of an option.
    fn option(&self, row: &OptionRow) -> u64 {
        #[allow(clippy::expect_used, reason = "an invariant of the engine")]
        self.crawler
            .option(row.number)
            .expect("a crawler has a value for each row of the table")
    }

    /// Returns the options but those of fetches: the name of the argument, the row and the value.
    fn options(&self) -> impl Iterator<Item = (String, &'static OptionRow, u64)> {
        crawler_options().map(|row| (option_name(row.number), row, self.option(row)))
    }

    pub(crate) fn dialect_value(&self) -> robots::Dialect {
        dialect_of(self.option_named("dialect"))
    }

    /// Returns the value of the option with this name.
    fn option_named(&self, name: &str) -> u64 {
        let found = self.options().find(|(other, ..)| other == name);
        #[allow(clippy::expect_used, reason = "an invariant of the engine")]
        let (.., value) = found.expect("each property has the name of an option");
        value
    }

    /// Creates a crawler: its options are the number, the value and the range in words of each.
    fn create(
        tokens: &Bound<'_, PyTuple>,
        dialect: robots::Dialect,
        options: impl IntoIterator<Item = (u32, Number, &'static str)>,
        fetch_options: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Crawler> {
        let py = tokens.py();
        let mut crawler = robots::Crawler::without_token()
            .with_dialect(dialect)
            .or_raise(py)?;
        for (at, token) in named_tokens(tokens)?.iter().enumerate() {
            let token = text("token", token)
                .map_err(|_| wrong_type(&format!("tokens[{at}]"), token, ONE_TOKEN))?;
            crawler = crawler.with_token(token.as_bytes()).map_err(|error| {
                match dialect.token_fault(token.as_bytes()) {
                    Some(fault) => about(py, error, &fault),
                    None => exception(py, error),
                }
            })?;
        }
        for (number, value, range) in options {
            let name = option_name(number);
            let value = match value {
                Number::Fits(value) => value,
                Number::Wrong(value) => self::number(&name, value.bind(py), range)?,
            };
            crawler = crawler
                .with_option(number, value)
                .map_err(|error| about(py, error, &format!("{name}={value}: pass {range}")))?;
        }
        let fetch_options = match fetch_options {
            Some(mapping) => self::options(mapping)?,
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

    /// Creates a crawler without a token, by the keyword arguments of `Crawler`.
    fn without_token(py: Python<'_>, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Crawler> {
        let Some(settings) = settings else {
            return Ok(Crawler {
                crawler: robots::Crawler::without_token(),
                fetch_options: Vec::new(),
            });
        };
        let made = py.get_type::<Crawler>().call((NO_TOKEN,), Some(settings))?;
        let made = made.cast::<Crawler>()?.get();
        Ok(Crawler {
            crawler: made.crawler.clone(),
            fetch_options: made.fetch_options.clone(),
        })
    }

    /// Adds the names in a text, which is an argument with this name.
    fn with_names(self, argument: &str, value: &Bound<'_, PyAny>) -> PyResult<Crawler> {
        let text = text(argument, value)?;
        let crawler = self.crawler.with_names_in(text.as_bytes());
        Ok(Crawler {
            crawler: crawler.or_raise(value.py())?,
            ..self
        })
    }
}

#[pymethods]
impl Crawler {
    // Generated by `make api` from src: options. DO NOT EDIT.
    #[new]
    #[pyo3(signature = (*tokens, dialect = robots::Dialect::default(), max_bytes = Number::from(512_000), ignore_star = Number::from(0),
        merge_tokens = Number::from(0), crawl_delay_ends_agents = Number::from(0), lint_all = Number::from(0),
        fetch_options = None),
        text_signature = "(token, /, *tokens, dialect='rfc9309', max_bytes=512000, ignore_star=False, merge_tokens=False, \
        crawl_delay_ends_agents=False, lint_all=False, fetch_options=None)")]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments")]
    fn new(
        tokens: &Bound<'_, PyTuple>,
        #[pyo3(from_py_with = dialect_from)] dialect: robots::Dialect,
        max_bytes: Number,
        ignore_star: Number,
        merge_tokens: Number,
        crawl_delay_ends_agents: Number,
        lint_all: Number,
        fetch_options: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Crawler> {
        let options = [
            (2, max_bytes, "512,000 to 1,073,741,824"),
            (3, ignore_star, "True or False"),
            (4, merge_tokens, "True or False"),
            (5, crawl_delay_ends_agents, "True or False"),
            (6, lint_all, "True or False"),
        ];
        Crawler::create(tokens, dialect, options, fetch_options)
    }

    /// How many bytes of a robots.txt are read (SPEC 4.5).
    #[getter]
    fn max_bytes(&self) -> u64 {
        self.option_named("max_bytes")
    }

    /// Whether the crawler obeys only groups that name the crawler, and no `*` groups, as AdsBot-Google does (SPEC
    /// 7.5).
    #[getter]
    fn ignore_star(&self) -> bool {
        self.option_named("ignore_star") != 0
    }

    /// Whether the crawler obeys the groups of all product tokens together, as Google's matcher does (SPEC 7.7).
    /// Otherwise only the groups of the first token that the file names are obeyed.
    #[getter]
    fn merge_tokens(&self) -> bool {
        self.option_named("merge_tokens") != 0
    }

    /// Whether the crawler lets a crawl-delay line end a run of user-agent lines, as a rule does (SPEC 6.1).
    #[getter]
    fn crawl_delay_ends_agents(&self) -> bool {
        self.option_named("crawl_delay_ends_agents") != 0
    }

    /// Whether the crawler lets lint report every code, also codes that are off by default.
    #[getter]
    fn lint_all(&self) -> bool {
        self.option_named("lint_all") != 0
    }
    // End of options.

    /// Returns the product token in a User-Agent header: the first product that is not a browser's.
    ///
    /// In a comment only the products after `compatible;` count. Raises `TokenError` if there is none.
    #[staticmethod]
    #[pyo3(signature = (header, /))]
    fn token_from_user_agent<'py>(header: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
        let py = header.py();
        let text = text("header", header)?;
        let token = robots::Crawler::token_from_user_agent(text.as_bytes()).map_err(|error| {
            let shown = text.as_bytes().escape_ascii();
            let message = format!(
                "no product token in `{shown}`: name the crawler in it, such as ExampleBot/1.0"
            );
            about(py, error, &message)
        })?;
        Ok(PyString::new(py, token))
    }

    /// Creates a crawler with the names in a text, in order of preference: of a User-Agent header, or of a user-agent line (SPEC 7.9).
    ///
    /// A text without a name creates a crawler without a token. `settings`: the keyword arguments of `Crawler`.
    #[staticmethod]
    #[pyo3(name = "with_names_in", signature = (text, /, **settings))]
    fn named(text: &Bound<'_, PyAny>, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Crawler> {
        Crawler::without_token(text.py(), settings)?.with_names("text", text)
    }

    /// Creates a well-known crawler, such as "Googlebot-Image", as its operator describes it. `presets()` lists them.
    ///
    /// Operators change such things: verify them if it matters. Raises `TokenError` for a name that is not listed.
    #[staticmethod]
    #[pyo3(signature = (name, /))]
    fn preset(name: &Bound<'_, PyAny>) -> PyResult<Crawler> {
        let py = name.py();
        let preset = robots::Preset::find(text("name", name)?.as_bytes()).ok_or_else(|| {
            let message = format!("unknown preset {}: presets() lists them", shown(name));
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
        dialect_member(py, self.dialect_value())
    }

    /// Returns the value of a fetch option, a `FetchOption` or its name: the one that was set, or the default of the dialect.
    #[pyo3(signature = (option, /))]
    fn fetch_option(&self, option: &Bound<'_, PyAny>) -> PyResult<u64> {
        Ok(self.crawler.fetch_option(option_of(option)?))
    }

    /// Compiles a robots.txt for this crawler. No content is an error: invalid lines are skipped.
    ///
    /// `body`: the content of the file, not its name or address: str, bytes, bytearray or memoryview. A long file is parsed
    /// without the global interpreter lock. Undo its content coding first: the rules of bytes that are still compressed by gzip
    /// or zstd are those of an unreachable site. A fetch that failed has no file, which is not an empty one: pass its status
    /// to `outcome_from_status`.
    #[pyo3(signature = (body, /))]
    fn parse(&self, body: &Bound<'_, PyAny>) -> PyResult<Rules> {
        let file = self::body("body", body)?;
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
        let file = self::body("body", body)?;
        let (url, file) = (text("url", url)?, file.as_bytes());
        Ok(self.crawler.check_once(file, url.as_bytes()).into())
    }

    /// Explains the verdict on a URL: the group obeyed, every matching rule, and what other dialects say.
    ///
    /// Raises `UrlError` for what is no URL.
    #[pyo3(signature = (body, url, /))]
    fn explain(&self, body: &Bound<'_, PyAny>, url: &Bound<'_, PyAny>) -> PyResult<Explanation> {
        let py = body.py();
        let (file, url) = (self::body("body", body)?, text("url", url)?);
        let (file, url) = (file.as_bytes(), url.as_bytes());
        let explanation = py.detach(|| robots::explain(&self.crawler, file, url));
        explanation.or_raise(py).map(Explanation::from)
    }

    /// Returns the meaning of every line of a robots.txt, and its faults. All groups are checked.
    #[pyo3(signature = (body, /))]
    fn lint(&self, body: &Bound<'_, PyAny>) -> PyResult<Report> {
        let py = body.py();
        let file = self::body("body", body)?;
        let file = file.as_bytes();
        let report = py.detach(|| robots::lint(&self.crawler, file));
        report.or_raise(py).map(Report::from)
    }

    /// Returns the records other than groups and rules, such as request-rate and content-signal.
    #[pyo3(signature = (body, /))]
    fn extensions(&self, body: &Bound<'_, PyAny>) -> PyResult<Extensions> {
        let py = body.py();
        let file = self::body("body", body)?;
        let file = file.as_bytes();
        let extensions = py.detach(|| robots::Extensions::parse(&self.crawler, file));
        extensions.or_raise(py).map(Extensions::from)
    }

    /// Returns what a site says about the use of its pages (SPEC 13): `Uses`.
    ///
    /// `site`: any URL of the site. `body`: its robots.txt; empty if the site has none (404), None if it is not known, as in an
    /// outage: then no use is ALLOWED. `tdm_file`: the file `/.well-known/tdmrep.json` of the site; None if the site has none, empty if
    /// it is not known. Raises `UrlError` or `SchemeError` for a site without a robots.txt.
    #[pyo3(signature = (site, body, tdm_file = None))]
    fn uses(
        &self,
        site: &Bound<'_, PyAny>,
        body: Option<&Bound<'_, PyAny>>,
        tdm_file: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Uses> {
        Uses::new(&self.crawler, site, body, tdm_file)
    }

    /// Returns what the crawler may do with a response, by its headers: pairs, or a mapping of an HTTP client.
    #[pyo3(signature = (headers = None), text_signature = "($self, headers=())")]
    fn page_controls(
        &self,
        #[pyo3(from_py_with = given)] headers: Option<Bound<'_, PyAny>>,
    ) -> PyResult<PageControls> {
        PageControls::new(&self.crawler, headers.as_ref())
    }

    /// Returns the outcome of a complete response, for a client that follows redirects itself.
    ///
    /// `url`: any URL of the site of the first request. `body`: needed for a status of 200 to 299 except 204; `b""` is an empty
    /// file, which allows everything. `now`: seconds since 1970-01-01 UTC; default: `time.time()`.
    #[pyo3(signature = (url, status, body = None, *, now = None))]
    fn outcome_from_status(
        this: &Bound<'_, Crawler>,
        url: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = status)] status: u16,
        body: Option<&Bound<'_, PyAny>>,
        now: Option<Now>,
    ) -> PyResult<Outcome> {
        let py = url.py();
        let now = seconds(py, now)?;
        let crawlers = core::slice::from_ref(&this.get().crawler);
        if body.is_none() && matches!(status, 200..=203 | 205..=299) {
            let message = format!("status {status} without a body: pass it, b\"\" if it is empty");
            return Err(about(py, Error::Argument, &message));
        }
        let file = body.map(|body| self::body("body", body)).transpose()?;
        let file = file.as_ref().map_or(&[][..], |file| file.as_bytes());
        let outcome =
            robots::Outcome::from_status(crawlers, text("url", url)?.as_bytes(), status, file, now);
        let outcome = outcome.or_raise(py)?;
        Ok(Outcome::new(outcome, PyTuple::new(py, [this])?.unbind()))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Crawler>();
        other.is_ok_and(|other| {
            let other = other.get();
            crawler_options().all(|row| self.option(row) == other.option(row))
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
        if all.is_empty() {
            all.push(format!("{NO_TOKEN:?}"));
        }
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

    /// A pickle is the tokens and the settings, in any protocol.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, State<'py>)> {
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
        let make = py.get_type::<Crawler>().getattr("_from_settings")?;
        Ok((make, (self.tokens(py)?, settings)))
    }

    #[staticmethod]
    fn _from_settings(
        tokens: &Bound<'_, PyTuple>,
        settings: &Bound<'_, PyDict>,
    ) -> PyResult<Crawler> {
        let made = Crawler::without_token(tokens.py(), Some(settings))?;
        // A token that `with_names_in` found has the same names.
        let mut tokens = tokens.iter();
        tokens.try_fold(made, |made, token| made.with_names("token", &token))
    }
}

/// What stands for no token: user-agent lines with it are for crawlers that no other line names.
const NO_TOKEN: &str = "*";

const ONE_TOKEN: &str =
    "product tokens, each as str or bytes: Crawler(\"ExampleBot\", \"Example\")";

/// Returns the product tokens of the arguments; none for `*` alone. Raises `TokenError` without an argument.
fn named_tokens<'py>(tokens: &Bound<'py, PyTuple>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let all: Vec<_> = tokens.iter().collect();
    let text = match &*all {
        [] => Some(Vec::new()),
        [one] => text("token", one).ok().map(|text| text.as_bytes().to_vec()),
        _ => None,
    };
    match text.as_deref() {
        Some(b"") => {
            let message = format!(
                "a crawler needs its product token, the name that user-agent lines of robots.txt files have for it: pass one such as \
                Crawler(\"ExampleBot\"); Crawler({NO_TOKEN:?}) is a crawler without a token, which obeys the groups of * alone"
            );
            Err(about(tokens.py(), Error::Token, &message))
        }
        Some(text) if text == NO_TOKEN.as_bytes() => Ok(Vec::new()),
        _ => Ok(all),
    }
}

/// Returns the dialect with this number.
fn dialect_of(number: u64) -> robots::Dialect {
    let mut all = robots::Dialect::ALL.into_iter();
    #[allow(clippy::expect_used, reason = "an invariant of the engine")]
    all.find(|dialect| *dialect as u64 == number)
        .expect("the dialect of a crawler is one of all")
}

/// Returns the name of the option of reading with this number, as an argument.
fn option_name(number: u32) -> String {
    let row = crawler_options().find(|row| row.number == number);
    let name = row.map_or("", |row| row.name.trim_start_matches("ROBOTS_OPT_"));
    name.to_lowercase()
}

/// Returns the crawlers of the engine.
pub(crate) fn engines(crawlers: &[Bound<'_, Crawler>]) -> Vec<robots::Crawler> {
    crawlers.iter().map(|it| it.get().crawler.clone()).collect()
}

/// Returns the crawlers of an argument: one crawler, or several in an iterable.
pub(crate) fn crawler_objects<'py>(
    argument: &Bound<'py, PyAny>,
) -> PyResult<Vec<Bound<'py, Crawler>>> {
    if let Ok(one) = argument.cast::<Crawler>() {
        return Ok(vec![one.clone()]);
    }
    const WANTED: &str = "a Crawler, such as Crawler(\"ExampleBot\"), or an iterable of them";
    let wrong = || wrong_type("crawlers", argument, WANTED);
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

fn options(argument: &Bound<'_, PyAny>) -> PyResult<Vec<(u32, u64)>> {
    const WANTED: &str = "a mapping such as {\"max_redirects\": 3}";
    let mapping = instance::<PyMapping>("fetch_options", argument, WANTED)?;
    let mut found = Vec::new();
    for item in mapping.items()? {
        let (option, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        let option = option_of(&option)?;
        found.push((option as u32, value_of(option, &value)?));
    }
    Ok(found)
}

/// Returns the fetch option that an argument is or names.
pub(crate) fn option_of(option: &Bound<'_, PyAny>) -> PyResult<FetchOption> {
    option_from(option.py(), FETCH_OPTION.number(option)?)
}

/// Returns the value of a fetch option: a number, or the kind that an option `ON_...` names.
pub(crate) fn value_of(option: FetchOption, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    let name = FETCH_OPTION.name(value.py(), option as u32)?;
    match name.starts_with("ON_") && value.is_instance_of::<PyString>() {
        true => Ok(u64::from(OUTCOME_KIND.number(value)?)),
        false => number(&format!("FetchOption.{name}"), value, &range(&name, option)),
    }
}

/// Returns in words the values that an option with this name accepts.
fn range(name: &str, option: FetchOption) -> String {
    let range = option.range();
    match name.starts_with("ON_") {
        true => "ALLOW_ALL, DISALLOW_ALL, DEFER or UNREACHABLE of OutcomeKind".to_owned(),
        false => format!("{} to {}", range.start(), range.end()),
    }
}

/// A number or a switch. A wrong value becomes an error where the name and the range are known.
pub(crate) enum Number {
    Fits(u64),
    Wrong(Py<PyAny>),
}

impl From<u64> for Number {
    fn from(value: u64) -> Number {
        Number::Fits(value)
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Number {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Number> {
        // The booleans of NumPy are no integers.
        let switch = value.extract::<bool>().map(u64::from);
        let number = switch.or_else(|_| value.extract());
        Ok(number.map_or_else(|_| Number::Wrong(value.to_owned().unbind()), Number::Fits))
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
    let range = range(&name, option);
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
    /// The crawlers, to read a record in another process.
    crawlers: Py<PyTuple>,
}

impl Outcome {
    pub(crate) fn new(outcome: robots::Outcome, crawlers: Py<PyTuple>) -> Outcome {
        Outcome { outcome, crawlers }
    }
}

/// The arguments of `Outcome.decode`.
type Record<'py> = (Bound<'py, PyBytes>, Py<PyTuple>);

#[pymethods]
impl Outcome {
    /// Reads a record that `encode` returned, for the same crawlers in the same order.
    ///
    /// Raises `ImageError` for a damaged record, `ImageFormatError` for another version or other crawlers.
    #[staticmethod]
    #[pyo3(signature = (record, crawlers, /))]
    fn decode(record: &Bound<'_, PyAny>, crawlers: &Bound<'_, PyAny>) -> PyResult<Outcome> {
        let py = record.py();
        let crawlers = crawler_objects(crawlers)?;
        let outcome =
            robots::Outcome::decode(body("record", record)?.as_bytes(), &engines(&crawlers));
        let outcome = outcome.or_raise(py)?;
        Ok(Outcome::new(outcome, PyTuple::new(py, crawlers)?.unbind()))
    }

    /// Returns the verdict on a URL by a record of `encode` or `Cache.export_records`, as `check` returns it for the outcome.
    ///
    /// For forked workers, which must not use the cache of their parent: `bytes` are read in place, so that workers share the
    /// memory of the records. Each record names its site and its expiry. Its checksum and its crawlers are not compared:
    /// `decode` does that. The verdict holds `ImageError` for a damaged record.
    #[staticmethod]
    #[pyo3(signature = (record, url, *, now = None, crawler = 0))]
    fn check_record(
        record: &Bound<'_, PyAny>,
        url: &Bound<'_, PyAny>,
        now: Option<Now>,
        #[pyo3(from_py_with = index)] crawler: usize,
    ) -> PyResult<Verdict> {
        let (record, now) = (body("record", record)?, seconds(url.py(), now)?);
        let (record, url) = (record.as_bytes(), text("url", url)?);
        Ok(robots::Outcome::check_record(record, crawler, url.as_bytes(), now).into())
    }

    /// Returns the outcome as one block of bytes, to store or send.
    fn encode<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.outcome.encode().or_raise(py)?))
    }

    /// The key of the origin.
    #[getter]
    fn origin(&self) -> &str {
        self.outcome.origin.key()
    }

    /// The kind, an `OutcomeKind`.
    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        OUTCOME_KIND.get(py, self.outcome.kind as u32)
    }

    /// Why it is of this kind, a `Cause`.
    #[getter]
    fn cause(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        CAUSE.get(py, self.outcome.cause as u32)
    }

    /// The status of the last response; 0 if there was none.
    #[getter]
    fn http_status(&self) -> u16 {
        self.outcome.http_status
    }

    /// How many redirects were followed.
    #[getter]
    fn hops(&self) -> u8 {
        self.outcome.hops
    }

    /// Whether a redirect led from https to http.
    #[getter]
    fn downgraded(&self) -> bool {
        self.outcome.downgraded
    }

    /// Whether these are the rules of an earlier fetch that stay in use.
    #[getter]
    fn stale(&self) -> bool {
        self.outcome.stale
    }

    /// When the rules were fetched or last confirmed, in seconds since 1970-01-01 UTC.
    #[getter]
    fn fetched_at(&self) -> u64 {
        self.outcome.fetched_at
    }

    /// The end of the freshness lifetime, in seconds since 1970-01-01 UTC.
    #[getter]
    fn fresh_until(&self) -> u64 {
        self.outcome.fresh_until
    }

    /// Until when it decides if there is nothing newer, in seconds since 1970-01-01 UTC.
    #[getter]
    fn usable_until(&self) -> u64 {
        self.outcome.usable_until
    }

    /// When the next attempt is due, in seconds since 1970-01-01 UTC.
    #[getter]
    fn retry_at(&self) -> u64 {
        self.outcome.retry_at
    }

    /// The start of the outage, in seconds since 1970-01-01 UTC; None after a usable response.
    #[getter]
    fn unreachable_since(&self) -> Option<u64> {
        self.outcome.unreachable_since
    }

    /// The URL of the last request, after all redirects.
    #[getter]
    fn final_url(&self) -> &str {
        &self.outcome.final_url
    }

    /// The ETag of the rules.
    #[getter]
    fn etag<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.outcome
            .etag
            .as_deref()
            .map(|etag| PyBytes::new(py, etag))
    }

    /// The Last-Modified of the rules.
    #[getter]
    fn last_modified<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let date = self.outcome.last_modified.as_deref();
        date.map(|date| PyBytes::new(py, date))
    }

    /// Returns the rules for the crawler of this index; None if there is no such crawler.
    #[pyo3(signature = (crawler = 0))]
    fn rules(&self, #[pyo3(from_py_with = index)] crawler: usize) -> Option<Rules> {
        self.outcome.rules(crawler).cloned().map(Rules::from)
    }

    /// Returns whether the crawler of this index may fetch `url` at the time `now`.
    ///
    /// Not allowed with the reason DEFER if the site is deferred, or the outcome expired or is of a later time; with an error
    /// for a URL of another site.
    #[pyo3(signature = (url, *, now = None, crawler = 0))]
    fn check(
        &self,
        url: &Bound<'_, PyAny>,
        now: Option<Now>,
        #[pyo3(from_py_with = index)] crawler: usize,
    ) -> PyResult<Verdict> {
        let now = seconds(url.py(), now)?;
        let verdict = self
            .outcome
            .check(crawler, text("url", url)?.as_bytes(), now);
        Ok(verdict.into())
    }

    /// A pickle is the record and the crawlers.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Record<'py>)> {
        let make = py.get_type::<Outcome>().getattr("decode")?;
        Ok((make, (self.encode(py)?, self.crawlers.clone_ref(py))))
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

/// Returns an argument that is given, also if it is `None`.
fn given<'py>(argument: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    Ok(Some(argument.clone()))
}
