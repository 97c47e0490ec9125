//! The rules of many sites, from a table of captures or of images.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use arrow_array::{Int8Array, StructArray};
use arrow_schema::ArrowError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use robots::{
    BodyDoubt, Capture, Captured, Captures, Cause, Ending, Error, InMemory, Origin, Reason, When,
};

use crate::argument::{strict, use_threads};
use crate::arrow_export::{self, Capsules};
use crate::class::Class;
use crate::columns::{self, Name, TextColumn};
use crate::crawler::Crawler;
use crate::error::{OrRaise, about};
use crate::python::dialect_name;
use crate::rules::Rules;
use crate::table_uses::{File, Files};
use crate::text::text;
use crate::threads::{self, lock};

static COUNTS: Class = Class::new("SiteCounts");

/// The files that a thread compiles at a time, and from how many on a further thread starts.
const FILES: usize = 64;

/// The rules of many sites, compiled for one crawler: what `filter_table` joins with. `compile_table` makes it.
///
/// Immutable; threads may share it, and it can be pickled. `pyarrow.table(sites)` returns its images, with the columns `origin`,
/// `image` and `agent`: write them once, and pass that table to `compile_table` later.
#[pyclass(frozen, module = "librobots")]
pub(crate) struct Sites {
    pub(crate) sites: Vec<(Arc<str>, robots::Rules)>,
    pub(crate) index: HashMap<Arc<str>, u32>,
    counts: Counts,
    /// The product tokens of the crawler; `None` if the images do not name it.
    agent: Option<Box<str>>,
    /// All captures, if they were kept.
    pub(crate) files: Option<Files>,
}

/// What the tables held, in the order that `SiteCounts` has; what the rules show is counted when it is asked for.
type Counts = [usize; 9];

/// The arguments of `Sites._from_state`: records of the sites, the counts and the agent.
type State<'py> = (Bound<'py, PyBytes>, Counts, Option<String>);

impl Sites {
    fn new(
        mut sites: Vec<(Arc<str>, robots::Rules)>,
        counts: Counts,
        agent: Option<Box<str>>,
    ) -> Result<Sites, Error> {
        sites.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        // The last numbers are those of sites without rules.
        if sites.len() > (u32::MAX / 2) as usize {
            return Err(Error::Memory);
        }
        let index = sites
            .iter()
            .zip(0..)
            .map(|((key, _), at)| (key.clone(), at));
        let index = index.collect();
        Ok(Sites {
            sites,
            index,
            counts,
            agent,
            files: None,
        })
    }

    /// Returns the columns of the images.
    fn columns(&self) -> Result<StructArray, ArrowError> {
        let images = self.sites.iter().map(|(_, rules)| rules.image());
        let mut columns = vec![
            (
                "origin",
                arrow_export::text(self.sites.iter().map(|(key, _)| &**key)),
            ),
            ("image", arrow_export::bytes(images)),
        ];
        if let Some(agent) = &self.agent {
            let indices = Int8Array::from(vec![0; self.sites.len()]);
            let agent = arrow_export::text([&**agent].into_iter());
            columns.push(("agent", arrow_export::dictionary(indices, agent)?));
        }
        arrow_export::table(columns)
    }
}

#[pymethods]
impl Sites {
    /// What the tables held, as a `SiteCounts`: how many captures there were, and how many of them gave no rules, and why.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rules = || self.sites.iter().map(|(_, rules)| rules);
        let unreachable = rules().filter(|rules| rules.about().unreachable).count();
        let allows_all = |rules: &&robots::Rules| rules.check("/").reason() == Reason::AllowAll;
        let of_rules = [
            self.sites.len(),
            unreachable,
            rules().filter(allows_all).count(),
        ];
        let all = of_rules.into_iter().chain(self.counts);
        COUNTS.call(py, PyTuple::new(py, all.collect::<Vec<_>>())?)
    }

    /// The product tokens of the crawler, separated by commas; `*` for a crawler without one, None if the images do not name it.
    #[getter]
    fn agent(&self) -> Option<&str> {
        self.agent.as_deref()
    }

    /// Raises `ArgumentError` unless the rules were compiled for this crawler: its product tokens and its dialect.
    fn _require(&self, crawler: &Bound<'_, Crawler>) -> PyResult<()> {
        let py = crawler.py();
        let (wanted, dialect) = (name(&crawler.get().crawler), crawler.get().dialect_value());
        let Some(agent) = &self.agent else {
            let message =
                "the images do not name the crawler that they were compiled for: pass agent=None";
            return Err(about(py, Error::Argument, message));
        };
        if !agent.eq_ignore_ascii_case(&wanted) {
            let message = format!(
                "the rules were compiled for {agent}, not for {wanted}: compile the captures for {wanted}"
            );
            return Err(about(py, Error::Argument, &message));
        }
        // Site-wide rules are those of every dialect.
        let about_sites = self.sites.iter().map(|(_, rules)| rules.about());
        let mut other = about_sites.filter(|it| it.has_group && it.dialect != dialect);
        match other.next() {
            None => Ok(()),
            Some(other) => {
                let message = format!(
                    "the rules were compiled in the dialect {}, not {}: pass a Crawler of that dialect",
                    dialect_name(other.dialect),
                    dialect_name(dialect)
                );
                Err(about(py, Error::Argument, &message))
            }
        }
    }

    /// Returns the rules of the site of a URL; None for a site without rules, and for what is no URL.
    #[pyo3(signature = (url, /))]
    fn rules(&self, url: &Bound<'_, PyAny>) -> PyResult<Option<Rules>> {
        let Ok(origin) = Origin::from_url(text("url", url)?.as_bytes()) else {
            return Ok(None);
        };
        let found = self
            .index
            .get(origin.key())
            .and_then(|at| self.sites.get(*at as usize));
        Ok(found.map(|(_, rules)| rules.clone().into()))
    }

    fn __len__(&self) -> usize {
        self.sites.len()
    }

    fn __repr__(&self) -> String {
        let agent = self.agent.as_deref().unwrap_or("a crawler without a name");
        format!("<Sites: {}, for {agent}>", self.sites.len())
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Capsules<'py>> {
        let _ = requested_schema;
        arrow_export::capsules(py, self.columns())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, State<'py>)> {
        if self.files.is_some() {
            let message = "the sites have the files of their captures: pickle those of a compile_table without keep_files";
            return Err(about(py, Error::Argument, message));
        }
        let mut state = Vec::new();
        for (key, rules) in &self.sites {
            for part in [key.as_bytes(), rules.image()] {
                state.extend_from_slice(&(part.len() as u64).to_le_bytes());
                state.extend_from_slice(part);
            }
        }
        let make = py.get_type::<Sites>().getattr("_from_state")?;
        let agent = self.agent.as_deref().map(str::to_owned);
        Ok((make, (PyBytes::new(py, &state), self.counts, agent)))
    }

    #[staticmethod]
    fn _from_state(
        py: Python<'_>,
        state: &[u8],
        counts: Counts,
        agent: Option<String>,
    ) -> PyResult<Sites> {
        let (mut rest, mut sites) = (state, Vec::new());
        while !rest.is_empty() {
            let mut part = || {
                let (len, after) = rest.split_first_chunk()?;
                let (part, after) = after.split_at_checked(u64::from_le_bytes(*len) as usize)?;
                rest = after;
                Some(part)
            };
            let key = part().and_then(|key| core::str::from_utf8(key).ok());
            let (key, image) = key.zip(part()).ok_or(Error::Image).or_raise(py)?;
            sites.push((key.into(), robots::Rules::from_image(image).or_raise(py)?));
        }
        Sites::new(sites, counts, agent.map(String::into_boxed_str)).or_raise(py)
    }
}

/// Returns the product tokens of a crawler as text, in the form that [`Sites::agent`] has.
fn name(crawler: &robots::Crawler) -> String {
    let tokens: Vec<_> = crawler.tokens().map(String::from_utf8_lossy).collect();
    match tokens.is_empty() {
        true => "*".to_owned(),
        false => tokens.join(","),
    }
}

/// Reads tables of captures or of images, one after the other.
#[pyclass(frozen, module = "librobots", name = "_SitesReader")]
pub(crate) struct SitesReader {
    /// `None`: the tables have images.
    crawler: Option<robots::Crawler>,
    keeps_files: bool,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    captures: Captures<robots::Rules>,
    images: HashMap<Arc<str>, robots::Rules>,
    /// All images, those of a site that had one before, and those that are null.
    image_counts: [usize; 3],
    files: Vec<(Box<str>, File)>,
    /// The agent that the first image names, if it names one; `None` before the first image.
    agent: Option<Option<Box<str>>>,
}

/// A text column of a table that was passed.
fn text_column(
    columns: &Bound<'_, PyDict>,
    column: &str,
    binary: bool,
) -> PyResult<Option<TextColumn>> {
    let wanted = if binary { "bytes or text" } else { "text" };
    let found = columns.get_item(column)?;
    found
        .map(|object| TextColumn::new(&object, &Name { column, wanted }, binary))
        .transpose()
}

fn same_length(py: Python<'_>, rows: usize, lengths: &[(&str, Option<usize>)]) -> PyResult<()> {
    for (column, len) in lengths {
        if let Some(len) = len.filter(|len| *len != rows) {
            let message = format!(
                "the column {column:?} has {len} rows, but others have {rows}: pass columns of one table"
            );
            return Err(about(py, Error::Argument, &message));
        }
    }
    Ok(())
}

#[pymethods]
impl SitesReader {
    #[new]
    #[pyo3(signature = (crawler, keeps_files = false))]
    fn new(crawler: Option<&Bound<'_, Crawler>>, keeps_files: bool) -> SitesReader {
        SitesReader {
            keeps_files,
            crawler: crawler.map(|crawler| crawler.get().crawler.clone()),
            held: Mutex::default(),
        }
    }

    /// Reads a table: a dict of its columns.
    fn add(
        &self,
        columns: &Bound<'_, PyDict>,
        #[pyo3(from_py_with = use_threads)] use_threads: bool,
    ) -> PyResult<()> {
        match &self.crawler {
            Some(crawler) => self.add_captures(crawler, columns, use_threads),
            None => self.add_images(columns),
        }
    }

    /// Returns the rules of all sites. `strict`: a body that is the text of bytes is an error.
    fn finish(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = strict)] strict: bool,
    ) -> PyResult<Sites> {
        let held = core::mem::take(&mut *lock(&self.held));
        match &self.crawler {
            Some(crawler) => {
                let mut held = held;
                let files = core::mem::take(&mut held.files);
                let mut sites = held.sites(py, crawler, strict)?;
                if self.keeps_files {
                    sites.files = Some(Files::new(crawler.clone(), files));
                }
                Ok(sites)
            }
            None if held.image_counts == [0; 3] => {
                let message = "the table of images is empty: without any, on_missing alone would decide on every URL";
                Err(about(py, Error::Argument, message))
            }
            None => {
                let [all, repeated, nulls] = held.image_counts;
                let counts = [all, repeated, nulls, 0, 0, 0, 0, 0, 0];
                Sites::new(
                    held.images.into_iter().collect(),
                    counts,
                    held.agent.flatten(),
                )
                .or_raise(py)
            }
        }
    }
}

impl SitesReader {
    fn add_images(&self, columns: &Bound<'_, PyDict>) -> PyResult<()> {
        let py = columns.py();
        let origins = text_column(columns, "origin", false)?;
        let (Some(origins), Some(images)) = (origins, binary_column(columns, "image")?) else {
            return Err(about(
                py,
                Error::Argument,
                "the table of images lacks the column origin or image",
            ));
        };
        let agents = text_column(columns, "agent", false)?;
        let rows = origins.len();
        let of_agents = agents.as_ref().map(TextColumn::len);
        same_length(
            py,
            rows,
            &[("image", Some(images.len())), ("agent", of_agents)],
        )?;
        let mut held = lock(&self.held);
        for row in 0..rows {
            let agent = agents.as_ref().and_then(|agents| agents.get(row));
            held.add_agent(py, agent)?;
        }
        for (origin, image) in origins.rows(0, rows).zip(images.rows(0, rows)) {
            let shown = || String::from_utf8_lossy(origin.unwrap_or(b"null")).into_owned();
            let Ok(site) = Origin::from_url(origin.unwrap_or_default()) else {
                let message = format!(
                    "an image names no site, but {:?}: an origin is a URL such as https://example.com",
                    shown()
                );
                return Err(about(py, Error::Argument, &message));
            };
            let Held {
                images: of_sites,
                image_counts: [all, repeated, nulls],
                ..
            } = &mut *held;
            *all += 1;
            let Some(image) = image else {
                *nulls += 1;
                continue;
            };
            let rules = robots::Rules::from_image(image)
                .map_err(|error| about(py, error, &format!("the image of {}: {error}", shown())))?;
            let key: Arc<str> = site.key().into();
            match of_sites.get(&key) {
                None => {
                    of_sites.insert(key, rules);
                }
                Some(other) if other.image() == rules.image() => *repeated += 1,
                Some(_) => {
                    let message =
                        format!("the table has two images of {key}: keep one of each site");
                    return Err(about(py, Error::Argument, &message));
                }
            }
        }
        Ok(())
    }

    fn add_captures(
        &self,
        crawler: &robots::Crawler,
        columns: &Bound<'_, PyDict>,
        use_threads: bool,
    ) -> PyResult<()> {
        let py = columns.py();
        let column = |name| text_column(columns, name, false);
        let (urls, origins, targets, failures) = (
            column("url")?,
            column("origin")?,
            column("target")?,
            column("failure")?,
        );
        let bodies = text_column(columns, "body", true)?;
        let (Some(bodies), Some(statuses)) = (bodies, columns.get_item("status")?) else {
            return Err(about(
                py,
                Error::Argument,
                "the table of captures lacks the column status or body",
            ));
        };
        let wanted = "integers, null for no response";
        let statuses = columns::integers(
            &statuses,
            &Name {
                column: "status",
                wanted,
            },
        )?;
        let wanted = "times, seconds, or text such as 2026-02-01T10:00:00Z";
        let dates = columns.get_item("date")?;
        let dates = dates
            .map(|dates| {
                columns::times(
                    &dates,
                    &Name {
                        column: "date",
                        wanted,
                    },
                )
            })
            .transpose()?;
        let rows = statuses.len();
        let len = |column: &Option<TextColumn>| column.as_ref().map(TextColumn::len);
        let lengths = [
            ("url", len(&urls)),
            ("origin", len(&origins)),
            ("target", len(&targets)),
            ("failure", len(&failures)),
            ("body", Some(bodies.len())),
            ("date", dates.as_ref().map(Vec::len)),
        ];
        same_length(py, rows, &lengths)?;
        let value = |column: &'_ Option<TextColumn>, row: usize| -> Option<Vec<u8>> {
            let column = column.as_ref();
            column
                .and_then(|column| column.get(row))
                .map(<[u8]>::to_vec)
        };
        type Compiled = Result<(Option<Box<str>>, Captured), Error>;
        let compile = |row: usize| -> Compiled {
            let site =
                value(&origins, row).filter(|origin| Origin::from_url(origin.trim_ascii()).is_ok());
            let key = match site {
                // The response to a page says nothing about the robots.txt of its site (SPEC 11.1).
                Some(origin) => Some(Capture::key_of_origin(&origin).ok_or(Error::Url)?),
                None => value(&urls, row).and_then(|url| Capture::key(&url)),
            };
            let target = value(&targets, row);
            let capture = Capture {
                status: statuses
                    .get(row)
                    .copied()
                    .flatten()
                    .and_then(|status| u16::try_from(status).ok()),
                failure: value(&failures, row).map(|_| Cause::OtherFailure),
                target: target.map(Into::into),
                body: bodies.get(row).map(Into::into),
            };
            Ok((key, capture.meaning(crawler)?))
        };
        let mut compiled: Vec<Option<Compiled>> = Vec::new();
        compiled.resize_with(rows, || None);
        py.detach(|| {
            let threads = match use_threads {
                true => threads::count(rows.saturating_mul(FILES), true),
                false => 1,
            };
            threads::fill_blocks(&mut compiled, threads, FILES, |first, block| {
                for (at, place) in block.iter_mut().enumerate() {
                    *place = Some(compile(first + at));
                }
                Ok::<_, Infallible>(())
            })
        })
        .unwrap_or_else(|never| match never {});
        let mut held = lock(&self.held);
        for (row, compiled) in compiled.into_iter().flatten().enumerate() {
            let (key, meaning) = match compiled {
                Err(Error::Url) => {
                    let origin = value(&origins, row).unwrap_or_default();
                    let message = format!(
                        "the origin {:?} in row {row} has a path: pass origins such as https://example.com, and URLs as url",
                        String::from_utf8_lossy(&origin)
                    );
                    return Err(about(py, Error::Argument, &message));
                }
                compiled => compiled.or_raise(py)?,
            };
            let date = dates.as_ref().and_then(|dates| *dates.get(row)?);
            // Dates of several units have no order.
            if let Some((date, Err(first))) =
                date.map(|date| (date, held.captures.check_unit(date)))
            {
                let message = format!(
                    "the dates {} and {}, in seconds since 1970, are not of one unit: pass all in seconds, or as times or text",
                    first / 1_000_000_000,
                    date / 1_000_000_000
                );
                return Err(about(py, Error::Argument, &message));
            }
            let when = date.map_or(When::Unknown, When::Date);
            if let Some(key) = key.as_ref().filter(|_| self.keeps_files) {
                let file = File {
                    when,
                    meaning: meaning.clone(),
                    body: bodies.get(row).unwrap_or_default().into(),
                };
                held.files.push((key.clone(), file));
            }
            let Ok(()) = held.captures.add(key, when, &meaning, &mut InMemory);
        }
        Ok(())
    }
}

/// A column of bytes, not of text.
fn binary_column(columns: &Bound<'_, PyDict>, column: &str) -> PyResult<Option<TextColumn>> {
    let found = columns.get_item(column)?;
    let wanted = "bytes: what Rules.image returns";
    found
        .map(|object| TextColumn::bytes(&object, &Name { column, wanted }))
        .transpose()
}

impl Held {
    /// Compares the agent of an image with those before it.
    fn add_agent(&mut self, py: Python<'_>, agent: Option<&[u8]>) -> PyResult<()> {
        let agent: Option<Box<str>> = agent.map(|agent| String::from_utf8_lossy(agent).into());
        let first = self.agent.get_or_insert_with(|| agent.clone());
        if *first == agent {
            return Ok(());
        }
        let name = |agent: &Option<Box<str>>| agent.as_deref().unwrap_or("null").to_owned();
        let message = format!(
            "the table has images for {} and for {}: keep those of one crawler",
            name(first),
            name(&agent)
        );
        Err(about(py, Error::Argument, &message))
    }

    /// Chooses the rules of each site.
    fn sites(self, py: Python<'_>, crawler: &robots::Crawler, strict: bool) -> PyResult<Sites> {
        let captures = self.captures;
        if let Some((key, count, undated)) = captures.undated() {
            let message = format!(
                "{key} has {count} captures, {undated} without a date, so that any could be the newest: add dates, or keep one of them"
            );
            return Err(about(py, Error::Argument, &message));
        }
        let endless = Captured::endless(crawler).or_raise(py)?.rules;
        let (mut sites, mut lost) = (Vec::new(), 0);
        for (origin, ending) in captures.sites(crawler) {
            match ending {
                Ending::Held(held) => sites.push((origin.into(), held.place.clone())),
                Ending::Endless => sites.push((origin.into(), endless.clone())),
                Ending::Lost => lost += 1,
            }
        }
        let of = captures.counts();
        if sites.is_empty() && lost == 0 {
            let message = format!(
                "no capture is that of a site: captures={} unusable={} other_pages={}: origin and url are URLs such as \
                https://example.com/robots.txt",
                of.captures, of.unusable, of.other_pages
            );
            return Err(about(py, Error::Argument, &message));
        }
        if strict && of.encoded > 0 {
            let message = format!(
                "{} of the bodies are the text of bytes, str(b'...') or base64, which allows every URL: pass the bytes, as \
                ast.literal_eval or base64.b64decode returns them",
                of.encoded
            );
            return Err(about(py, Error::Argument, &message));
        }
        let counts = [
            of.captures,
            of.repeated,
            of.unusable,
            of.other_pages,
            lost,
            of.after_outage,
            of.ties,
            of.without_group,
            of.damaged,
        ];
        let agent = name(crawler).into_boxed_str();
        Sites::new(sites, counts, Some(agent)).or_raise(py)
    }
}

/// Returns why a body is perhaps not the robots.txt that its site serves: `no_group` (it has no user-agent line) or `damaged` (it lost
/// line ends or its first line, or was cut within the name of a field); None for a file like others. Both allow too much.
#[pyfunction]
#[pyo3(signature = (body, /))]
pub(crate) fn body_doubt(body: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
    let crawler = robots::Crawler::without_token();
    let doubt = BodyDoubt::find(&crawler, crate::text::body("body", body)?.as_bytes())
        .or_raise(body.py())?;
    Ok(doubt.map(|doubt| match doubt {
        BodyDoubt::NoGroup | BodyDoubt::Encoded => "no_group",
        _ => "damaged",
    }))
}
