//! The rules of many sites, from a table of captures or of images.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use robots::{BodyDoubt, Error, Origin, Reason};

use crate::arrow_export::{Array, Capsules};
use crate::class::Class;
use crate::columns::{self, Name, TextColumn};
use crate::crawler::Crawler;
use crate::error::{OrRaise, about};
use crate::python::dialect_name;
use crate::rules::Rules;
use crate::text::text;
use crate::threads::{self, lock};

static COUNTS: Class = Class::new("SiteCounts");

/// The redirects in a row that are followed (SPEC 2.2).
const HOPS: usize = 5;

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
}

/// What the tables held, in the order that `SiteCounts` has; what the rules show is counted when it is asked for.
#[derive(Clone, Copy)]
enum Count {
    Captures,
    Repeated,
    Unusable,
    OtherPages,
    RedirectsLost,
    AfterOutage,
    Ties,
    WithoutGroup,
    Damaged,
}

#[derive(Clone, Copy, Default)]
struct Counts([usize; 9]);

impl Counts {
    fn add(&mut self, count: Count, rows: usize) {
        if let Some(counted) = self.0.get_mut(count as usize) {
            *counted += rows;
        }
    }

    fn get(&self, count: Count) -> usize {
        self.0.get(count as usize).copied().unwrap_or_default()
    }
}

/// The arguments of `Sites._from_state`: records of the sites, the counts and the agent.
type State<'py> = (Bound<'py, PyBytes>, [usize; 9], Option<String>);

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
        })
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
        let all = of_rules.into_iter().chain(self.counts.0);
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
        let Ok(origin) = Origin::from_url(text(url)?.as_bytes()) else {
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
        let keys = self.sites.iter().map(|(key, _)| key.as_bytes());
        let images = self.sites.iter().map(|(_, rules)| rules.image());
        let columns = [
            (c"origin", Array::strings(keys, true)),
            (c"image", Array::strings(images, false)),
        ];
        let agent = self.agent.as_ref().map(|agent| {
            let agent = Array::strings([agent.as_bytes()].into_iter(), true);
            (
                c"agent",
                Array::small_dictionary(vec![0; self.sites.len()], agent),
            )
        });
        Array::table(self.sites.len(), columns.into_iter().chain(agent)).capsules(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, State<'py>)> {
        let mut state = Vec::new();
        for (key, rules) in &self.sites {
            for part in [key.as_bytes(), rules.image()] {
                state.extend_from_slice(&(part.len() as u64).to_le_bytes());
                state.extend_from_slice(part);
            }
        }
        let make = py.get_type::<Sites>().getattr("_from_state")?;
        let agent = self.agent.as_deref().map(str::to_owned);
        Ok((make, (PyBytes::new(py, &state), self.counts.0, agent)))
    }

    #[staticmethod]
    fn _from_state(
        py: Python<'_>,
        state: &[u8],
        counts: [usize; 9],
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
        Sites::new(sites, Counts(counts), agent.map(String::into_boxed_str)).or_raise(py)
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
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    captures: HashMap<Box<[u8]>, Capture>,
    images: HashMap<Arc<str>, robots::Rules>,
    counts: Counts,
    /// The agent that the first image names, if it names one; `None` before the first image.
    agent: Option<Option<Box<str>>>,
    /// The first date of a capture.
    date: Option<i128>,
}

/// The newest capture of a URL so far, or the newest that was reached.
struct Capture {
    is_reached: bool,
    /// In nanoseconds.
    date: Option<i128>,
    rules: robots::Rules,
    /// Where a redirect leads; empty for one that leads nowhere.
    target: Option<Box<[u8]>>,
    /// How many captures of the URL there are, and how many without a date.
    count: usize,
    undated: usize,
    /// The date of the newest, reached or not.
    newest: Option<i128>,
    /// Whether another one of the same date has other rules.
    has_tie: bool,
    /// What makes its body doubtful.
    doubt: Option<BodyDoubt>,
}

impl Capture {
    /// Compares captures of a URL: the newest decides, of those that were reached.
    fn order(&self, other: &Capture) -> Ordering {
        (self.is_reached, self.date).cmp(&(other.is_reached, other.date))
    }

    /// Compares captures of the same date, so that the order of rows decides nothing. The package for Spark has the same order.
    fn tie(&self, other: &Capture) -> Ordering {
        let images = self.rules.image().cmp(other.rules.image());
        images.then_with(|| self.target.cmp(&other.target))
    }

    /// Whether the site was unreachable when it was captured last, so that an older capture holds (SPEC 2.11).
    fn is_after_outage(&self) -> bool {
        self.is_reached && self.date < self.newest
    }
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
    fn new(crawler: Option<&Bound<'_, Crawler>>) -> SitesReader {
        SitesReader {
            crawler: crawler.map(|crawler| crawler.get().crawler.clone()),
            held: Mutex::default(),
        }
    }

    /// Reads a table: a dict of its columns.
    fn add(&self, columns: &Bound<'_, PyDict>, use_threads: bool) -> PyResult<()> {
        match &self.crawler {
            Some(crawler) => self.add_captures(crawler, columns, use_threads),
            None => self.add_images(columns),
        }
    }

    /// Returns the rules of all sites.
    fn finish(&self, py: Python<'_>) -> PyResult<Sites> {
        let held = core::mem::take(&mut *lock(&self.held));
        match &self.crawler {
            Some(crawler) => held.sites(py, crawler),
            None if held.images.is_empty() && held.counts.get(Count::Unusable) == 0 => {
                let message = "the table of images is empty: without any, on_missing alone would decide on every URL";
                Err(about(py, Error::Argument, message))
            }
            None => {
                let agent = held.agent.flatten();
                Sites::new(held.images.into_iter().collect(), held.counts, agent).or_raise(py)
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
            held.counts.add(Count::Captures, 1);
            let Some(image) = image else {
                held.counts.add(Count::Unusable, 1);
                continue;
            };
            let rules = robots::Rules::from_image(image)
                .map_err(|error| about(py, error, &format!("the image of {}: {error}", shown())))?;
            let key: Arc<str> = site.key().into();
            match held.images.get(&key) {
                None => {
                    held.images.insert(key, rules);
                }
                Some(other) if other.image() == rules.image() => {
                    held.counts.add(Count::Repeated, 1);
                }
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
            column
                .as_ref()
                .and_then(|column| column.get(row))
                .map(<[u8]>::to_vec)
        };
        let compile = |row: usize| {
            let by_origin = value(&origins, row).and_then(|url| Origin::from_url(url).ok());
            let key = match by_origin {
                Some(origin) => Some(origin.robots_url().into_bytes().into()),
                None => value(&urls, row).and_then(|url| canonical(&url)),
            };
            let key: Box<[u8]> = key?;
            let has_failed = value(&failures, row).is_some();
            let status = statuses.get(row).copied().flatten().filter(|_| !has_failed);
            let status = u16::try_from(status.unwrap_or(0)).unwrap_or(0);
            let target = value(&targets, row).filter(|_| matches!(status, 300..=399));
            let target = target.and_then(|target| match target.is_empty() {
                true => Some(Box::default()),
                false => canonical(&target),
            });
            let body = bodies.get(row);
            let read = body.filter(|_| status / 100 == 2);
            let doubt = read.map_or(Ok(None), |body| BodyDoubt::find(crawler, body));
            let rules = outcome(crawler, status, body);
            Some(rules.and_then(|rules| Ok((key, target, rules, doubt?))))
        };
        type Parts = (
            Box<[u8]>,
            Option<Box<[u8]>>,
            robots::Rules,
            Option<BodyDoubt>,
        );
        type Compiled = Option<Result<Parts, Error>>;
        let every_origin = origins.iter().flat_map(|origins| origins.rows(0, rows));
        let mut pages = every_origin
            .enumerate()
            .filter_map(|(row, origin)| Some((row, origin?)));
        if let Some((row, origin)) = pages.find(|(_, origin)| has_path(origin)) {
            let message = format!(
                "the origin {:?} in row {row} has a path: pass origins such as https://example.com, and URLs as url",
                String::from_utf8_lossy(origin)
            );
            return Err(about(py, Error::Argument, &message));
        }
        let mut compiled: Vec<Compiled> = Vec::new();
        compiled.resize_with(rows, || None);
        py.detach(|| {
            let threads = match use_threads {
                true => threads::count(rows.saturating_mul(FILES), true),
                false => 1,
            };
            threads::fill_blocks(&mut compiled, threads, FILES, |first, block| {
                for (at, place) in block.iter_mut().enumerate() {
                    *place = compile(first + at);
                }
                Ok::<_, core::convert::Infallible>(())
            })
        })
        .unwrap_or_else(|never| match never {});
        let mut held = lock(&self.held);
        for (row, compiled) in compiled.into_iter().enumerate() {
            held.counts.add(Count::Captures, 1);
            let Some(compiled) = compiled else {
                held.counts.add(Count::Unusable, 1);
                continue;
            };
            let (key, target, rules, doubt) = compiled.or_raise(py)?;
            let verdict = rules.check("/");
            let is_unreachable = matches!(verdict.reason(), Reason::Defer | Reason::Unreachable);
            let date = dates.as_ref().and_then(|dates| *dates.get(row)?);
            held.add_date(py, date)?;
            held.add(
                key,
                Capture {
                    is_reached: target.is_some() || !is_unreachable,
                    date,
                    rules,
                    target,
                    count: 1,
                    undated: date.is_none().into(),
                    newest: date,
                    has_tie: false,
                    doubt: doubt.filter(|_| !is_unreachable),
                },
            );
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

/// Returns the rules of a response. A success without a body is a response that was lost, except 204, which never has one.
fn outcome(
    crawler: &robots::Crawler,
    status: u16,
    body: Option<&[u8]>,
) -> Result<robots::Rules, Error> {
    let is_lost = body.is_none() && status / 100 == 2 && status != 204;
    let status = if is_lost { 0 } else { status };
    let crawlers = core::slice::from_ref(crawler);
    // Neither the site nor the time changes the rules.
    let outcome = robots::Outcome::from_status(
        crawlers,
        "https://example.com/",
        status,
        body.unwrap_or_default(),
        1,
    )?;
    outcome.rules(0).cloned().ok_or(Error::Panic)
}

/// Returns whether the URL is that of something on a site: neither of the site nor of its robots.txt.
fn has_path(url: &[u8]) -> bool {
    let url = url.trim_ascii();
    let after = url.windows(3).position(|part| part == b"://");
    let site = after.and_then(|at| url.get(at + 3..)).unwrap_or_default();
    let is_end = |byte: &u8| matches!(byte, b'/' | b'\\' | b'?' | b'#');
    let end = site.iter().position(is_end).unwrap_or(site.len());
    !matches!(site.get(end..), None | Some(b"" | b"/" | b"/robots.txt"))
}

/// Returns the unit that a date of a capture has by its size: 0 for seconds, 1 for milliseconds and so on; another number for
/// what is no time since 1993, by its number of digits: years and days as numbers, and counters.
fn unit(date: i128) -> u32 {
    const FIRST: i128 = 725_846_400; // 1993
    const END: i128 = 4_102_444_800; // 2100
    let seconds = date / 1_000_000_000;
    let is_of = |unit: &u32| {
        let parts = 1000_i128.pow(*unit);
        (FIRST * parts..END * parts).contains(&seconds)
    };
    let digits = || match seconds {
        ..10_000_000 => 0,
        _ => seconds.ilog10(),
    };
    (0..4).find(is_of).unwrap_or_else(|| 4 + digits())
}

/// Returns whether the URL is that of a robots.txt.
fn is_robots_url(url: &[u8]) -> bool {
    let site = url.strip_suffix(b"/robots.txt");
    let colon = site.and_then(|site| {
        site.windows(3)
            .position(|part| part == b"://")
            .map(|at| (site, at))
    });
    colon.is_some_and(|(site, at)| {
        let (scheme, host) = (
            site.get(..at).unwrap_or_default(),
            site.get(at + 3..).unwrap_or_default(),
        );
        let is_scheme = !scheme.is_empty() && scheme.iter().all(u8::is_ascii_alphabetic);
        is_scheme && !host.is_empty() && !host.iter().any(|byte| matches!(byte, b'/' | b'?' | b'#'))
    })
}

/// Returns the canonical form of the URL of a robots.txt, other URLs as they are requested, without spaces around them and
/// without a fragment, and `None` for text that has no origin.
fn canonical(url: &[u8]) -> Option<Box<[u8]>> {
    let url = url.split(|byte| *byte == b'#').next().unwrap_or_default();
    let url = url.trim_ascii();
    let origin = Origin::from_url(url).ok()?;
    Some(match is_robots_url(url) {
        true => origin.robots_url().into_bytes().into(),
        false => url.into(),
    })
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

    /// Refuses dates of several units.
    fn add_date(&mut self, py: Python<'_>, date: Option<i128>) -> PyResult<()> {
        let Some(date) = date else { return Ok(()) };
        let first = *self.date.get_or_insert(date);
        if unit(first) != unit(date) {
            let message = format!(
                "the dates {} and {}, in seconds since 1970, are not of one unit: pass all in seconds, or as times or text",
                first / 1_000_000_000,
                date / 1_000_000_000
            );
            return Err(about(py, Error::Argument, &message));
        }
        Ok(())
    }

    fn add(&mut self, key: Box<[u8]>, capture: Capture) {
        match self.captures.entry(key) {
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(capture);
            }
            std::collections::hash_map::Entry::Occupied(mut place) => {
                self.counts.add(Count::Repeated, 1);
                let held = place.get_mut();
                let (count, undated) = (held.count + 1, held.undated + capture.undated);
                let newest = held.newest.max(capture.newest);
                let (order, tie) = (capture.order(held), capture.tie(held));
                let is_tie = order.is_eq() && tie.is_ne();
                let has_tie = is_tie || (held.has_tie && order.is_le());
                if order.then(tie).then(capture.doubt.cmp(&held.doubt)).is_gt() {
                    *held = capture;
                }
                (held.count, held.undated) = (count, undated);
                (held.newest, held.has_tie) = (newest, has_tie);
            }
        }
    }

    /// Chooses the rules of each site.
    fn sites(self, py: Python<'_>, crawler: &robots::Crawler) -> PyResult<Sites> {
        let vague = self
            .captures
            .iter()
            .filter(|(_, capture)| capture.count > 1 && capture.undated > 0);
        if let Some((key, capture)) = vague.min_by_key(|(key, _)| *key) {
            let message = format!(
                "{} has {} captures, {} without a date, so that any could be the newest: add dates, or keep one of them",
                String::from_utf8_lossy(key),
                capture.count,
                capture.undated
            );
            return Err(about(py, Error::Argument, &message));
        }
        // A redirect that leads nowhere counts as a missing file (SPEC 2.3).
        let nowhere = outcome(crawler, 404, None).or_raise(py)?;
        let (mut sites, mut counts) = (Vec::new(), self.counts);
        let targets = self
            .captures
            .values()
            .filter_map(|capture| capture.target.as_ref());
        let targets: HashSet<_> = targets.collect();
        for (key, capture) in &self.captures {
            let is_site = is_robots_url(key);
            if is_site || targets.contains(key) {
                let is_doubt =
                    |doubt| usize::from(capture.target.is_none() && capture.doubt == Some(doubt));
                counts.add(Count::AfterOutage, capture.is_after_outage().into());
                counts.add(Count::Ties, capture.has_tie.into());
                counts.add(Count::WithoutGroup, is_doubt(BodyDoubt::NoGroup));
                counts.add(Count::Damaged, is_doubt(BodyDoubt::Damaged));
            }
            if !is_site {
                counts.add(Count::OtherPages, capture.count);
                continue;
            }
            // A canonical URL of a robots.txt starts with the key of its origin.
            let origin = Origin::from_url(key).or_raise(py)?;
            match self.holding(capture, &nowhere) {
                Some(rules) => sites.push((origin.key().into(), rules)),
                None => counts.add(Count::RedirectsLost, 1),
            }
        }
        let of = |count| counts.get(count);
        if sites.is_empty() && of(Count::RedirectsLost) == 0 {
            let message = format!(
                "no capture is that of a site: captures={} unusable={} other_pages={}: origin and url are URLs such as \
                https://example.com/robots.txt",
                of(Count::Captures),
                of(Count::Unusable),
                of(Count::OtherPages)
            );
            return Err(about(py, Error::Argument, &message));
        }
        let agent = name(crawler).into_boxed_str();
        Sites::new(sites, counts, Some(agent)).or_raise(py)
    }

    /// Returns the rules at the end of the redirects of a capture; `None` if they lead to no capture. `nowhere`: the rules of a
    /// redirect without a usable target, and of too many.
    fn holding<'a>(
        &'a self,
        mut capture: &'a Capture,
        nowhere: &robots::Rules,
    ) -> Option<robots::Rules> {
        for _ in 0..HOPS {
            match &capture.target {
                None => return Some(capture.rules.clone()),
                Some(target) if target.is_empty() => return Some(nowhere.clone()),
                Some(target) => capture = self.captures.get(target)?,
            }
        }
        let rules = match &capture.target {
            None => &capture.rules,
            Some(_) => nowhere,
        };
        Some(rules.clone())
    }
}

/// Returns why a body is perhaps not the robots.txt that its site serves: `no_group` (it has no user-agent line) or `damaged` (it lost
/// line ends or its first line, or was cut within the name of a field); None for a file like others. Both allow too much.
#[pyfunction]
#[pyo3(signature = (body, /))]
pub(crate) fn body_doubt(body: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
    let crawler = robots::Crawler::without_token();
    let doubt =
        BodyDoubt::find(&crawler, crate::text::body(body)?.as_bytes()).or_raise(body.py())?;
    Ok(doubt.map(|doubt| match doubt {
        BodyDoubt::NoGroup => "no_group",
        _ => "damaged",
    }))
}
