//! Tables of URLs: each URL is joined with the rules of its site, or with an image in the same row.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::{Arc, Mutex};

use arrow_array::{ArrayRef, BooleanArray, Int8Array, Int32Array, StructArray, UInt32Array};
use arrow_schema::ArrowError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use robots::{Error, Origin, Reason};

use crate::argument::use_threads;
use crate::arrow_export::{self, Capsules};
use crate::batch::Verdicts;
use crate::class::Class;
use crate::columns::{self, Name, TextColumn};
use crate::error::about;
use crate::sites::Sites;
use crate::table_uses::Wanted;
use crate::threads::{self, lock};

static COUNTS: Class = Class::new("TableCounts");

/// What to do with a URL. The order is that of [`ANSWERS`].
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Answer {
    Allowed,
    Disallowed,
    /// The robots.txt cannot be reached, which is no ban.
    Unreachable,
    /// There are no rules of the site.
    NoCapture,
    BadUrl,
}

const ANSWERS: [&str; 5] = [
    "allowed",
    "disallowed",
    "unreachable",
    "no_capture",
    "bad_url",
];

/// The names of [`Reason`] by number.
const REASONS: [&str; 10] = [
    "NONE",
    "RULE_ALLOWED",
    "RULE_DISALLOWED",
    "NO_RULE",
    "NO_GROUP",
    "ROBOTS_TXT",
    "ALLOW_ALL",
    "DISALLOW_ALL",
    "DEFER",
    "UNREACHABLE",
];

/// The names of [`Use`] by number.
const USES: [&str; 4] = ["denied", "licensed", "allowed", "unstated"];

/// The names of `UseSource` by number.
const SOURCES: [&str; 14] = [
    "",
    "NOT_READ",
    "RULE",
    "TOKEN_RULE",
    "CONTENT_USAGE_LINE",
    "CONTENT_SIGNAL_LINE",
    "LICENSE_LINE",
    "CONTENT_USAGE_HEADER",
    "CONTENT_SIGNAL_HEADER",
    "LINK_HEADER",
    "PAGE_RULE",
    "TDM_HEADER",
    "TDM_META",
    "TDM_FILE",
];

/// The number of a URL without a site.
const NO_SITE: u32 = u32::MAX;

/// The answer to a URL.
#[derive(Clone, Copy)]
struct Row {
    /// The number of the site: first those of [`Sites`], then those without rules.
    site: u32,
    line: u32,
    answer: Answer,
    reason: u8,
    /// The number of a [`Use`]; [`NO_USE`] if it was not asked for, or there is none.
    says: u8,
}

const NO_USE: u8 = u8::MAX;

const UNKNOWN: Row = Row {
    site: NO_SITE,
    line: 0,
    answer: Answer::BadUrl,
    reason: 0,
    says: NO_USE,
};

impl Row {
    fn decided(site: u32, verdict: robots::Verdict) -> Row {
        let reason = verdict.reason();
        let answer = match reason {
            _ if verdict.error().is_some() => Answer::BadUrl,
            _ if verdict.allowed() => Answer::Allowed,
            Reason::Defer | Reason::Unreachable => Answer::Unreachable,
            _ => Answer::Disallowed,
        };
        Row {
            site,
            line: verdict.line(),
            answer,
            reason: reason as u8,
            says: NO_USE,
        }
    }
}

/// The answers to the URLs of a table, in its order.
///
/// `pyarrow.table(answers)`, `polars.DataFrame(answers)` and other libraries with the Arrow PyCapsule interface read its columns:
/// `origin` (from `filter_table` only; null for what is no URL), `answer` (allowed, disallowed, unreachable, no_capture or bad_url),
/// `allowed` (null for what is no URL, and where nothing decides), `reason` (a name of `Reason`; null without a verdict) and `line`
/// (from 1; 0 if no rule decided). With a `purpose` also `use` (denied, licensed, allowed or unstated; null without a capture),
/// `use_source` (a name of `UseSource`; null if nothing decides) and `use_text` (what decides, the address of the terms if licensed).
#[pyclass(frozen, module = "librobots")]
pub(crate) struct TableAnswers {
    rows: Vec<Row>,
    sites: Option<Joined>,
    /// Whether URLs of sites without rules are allowed; `None`: undecided.
    missing_allowed: Option<bool>,
    uses: Option<TableUses>,
}

/// What the rows may be used for.
struct TableUses {
    /// Whether rows with each [`Use`] are kept.
    kept: [bool; 4],
    /// What decides each row: its source and its text; none without an answer.
    by: Vec<(u8, Box<str>)>,
}

/// The sites of a join.
struct Joined {
    sites: Py<Sites>,
    /// The keys of the sites without rules.
    missing: Vec<Arc<str>>,
}

impl TableAnswers {
    fn is_allowed(&self, row: &Row) -> Option<bool> {
        match row.answer {
            Answer::Allowed => Some(true),
            Answer::Disallowed | Answer::Unreachable => Some(false),
            Answer::NoCapture => self.missing_allowed,
            Answer::BadUrl => None,
        }
    }

    fn is_kept(&self, row: &Row) -> bool {
        let may_use = |uses: &TableUses| uses.kept.get(usize::from(row.says)).copied();
        let may_use = self
            .uses
            .as_ref()
            .is_none_or(|uses| may_use(uses) == Some(true));
        self.is_allowed(row) == Some(true) && may_use
    }

    /// Returns the column of origins: a dictionary of those that occur.
    fn origins(&self, joined: &Joined) -> Result<ArrayRef, ArrowError> {
        let sites = &joined.sites.get().sites;
        let (mut numbers, mut used) = (HashMap::new(), Vec::new());
        let mut last = (NO_SITE, 0);
        let indices = self.rows.iter().map(|row| {
            if row.site != last.0 {
                let number = *numbers.entry(row.site).or_insert_with(|| {
                    used.push(row.site);
                    used.len() as i32 - 1
                });
                last = (row.site, number);
            }
            last.1
        });
        let indices: Vec<i32> = indices.collect();
        let has_site = arrow_export::bits(&self.rows, |row| row.site != NO_SITE);
        let indices = Int32Array::new(indices.into(), Some(has_site.into()));
        let keys = used.iter().map(|site| {
            let site = *site as usize;
            let key = match site.checked_sub(sites.len()) {
                Some(missing) => joined.missing.get(missing),
                None => sites.get(site).map(|(key, _)| key),
            };
            key.map_or("", |key| &**key)
        });
        arrow_export::dictionary(indices, arrow_export::text(keys))
    }

    /// Returns the columns.
    fn columns(&self) -> Result<StructArray, ArrowError> {
        let rows = || self.rows.iter();
        let answers: Vec<i8> = rows().map(|row| row.answer as i8).collect();
        let allowed = BooleanArray::new(
            arrow_export::bits(&self.rows, |row| self.is_allowed(row) == Some(true)),
            Some(arrow_export::bits(&self.rows, |row| self.is_allowed(row).is_some()).into()),
        );
        let reasons: Vec<i8> = rows().map(|row| row.reason as i8).collect();
        let has_reason = arrow_export::bits(&self.rows, |row| row.reason != Reason::None as u8);
        let reasons = Int8Array::new(reasons.into(), Some(has_reason.into()));
        let lines: Vec<u32> = rows().map(|row| row.line).collect();
        let names = |values: &[&'static str]| arrow_export::text(values.iter().copied());
        let mut columns: Vec<(_, ArrayRef)> = Vec::new();
        if let Some(joined) = &self.sites {
            columns.push(("origin", self.origins(joined)?));
        }
        columns.push((
            "answer",
            arrow_export::dictionary(Int8Array::from(answers), names(&ANSWERS))?,
        ));
        columns.push(("allowed", Arc::new(allowed)));
        columns.push((
            "reason",
            arrow_export::dictionary(reasons, names(&REASONS))?,
        ));
        columns.push(("line", Arc::new(UInt32Array::from(lines))));
        if let Some(uses) = &self.uses {
            let says: Vec<i8> = rows().map(|row| row.says as i8).collect();
            let has_use = arrow_export::bits(&self.rows, |row| row.says != NO_USE);
            let says = Int8Array::new(says.into(), Some(has_use.into()));
            columns.push(("use", arrow_export::dictionary(says, names(&USES))?));
            let sources: Vec<i8> = uses.by.iter().map(|(source, _)| *source as i8).collect();
            let has_source = arrow_export::bits(&uses.by, |(source, _)| *source > 0);
            let sources = Int8Array::new(sources.into(), Some(has_source.into()));
            columns.push((
                "use_source",
                arrow_export::dictionary(sources, names(&SOURCES))?,
            ));
            columns.push((
                "use_text",
                arrow_export::text(uses.by.iter().map(|(_, text)| &**text)),
            ));
        }
        arrow_export::table(columns)
    }
}

#[pymethods]
impl TableAnswers {
    /// How many URLs have each answer, and how many sites they are of: a `TableCounts`.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let of = |answer| self.rows.iter().filter(|row| row.answer == answer).count();
        let kept = self.rows.iter().filter(|row| self.is_kept(row)).count();
        let (sites, missing) = match &self.sites {
            None => (0, 0),
            Some(joined) => {
                let mut seen = vec![false; joined.sites.get().sites.len()];
                for row in &self.rows {
                    if let Some(seen) = seen.get_mut(row.site as usize) {
                        *seen = true;
                    }
                }
                let known = seen.iter().filter(|seen| **seen).count();
                (known + joined.missing.len(), joined.missing.len())
            }
        };
        COUNTS.call(
            py,
            (
                self.rows.len(),
                kept,
                of(Answer::Allowed),
                of(Answer::Disallowed),
                of(Answer::Unreachable),
                of(Answer::NoCapture),
                of(Answer::BadUrl),
                sites,
                missing,
            ),
        )
    }

    /// The URLs that may be fetched, as `Verdicts`: a mask for `pyarrow.Table.filter` and others.
    #[getter]
    fn mask(&self) -> Verdicts {
        let codes = self.rows.iter().map(|row| match row.answer {
            Answer::BadUrl => robots::BatchVerdict::BadUrl as u8,
            _ => self.is_kept(row).into(),
        });
        Verdicts::from_codes(codes.collect())
    }

    fn __len__(&self) -> usize {
        self.rows.len()
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(PyValueError::new_err(
            "the truth of several answers is ambiguous: use counts or mask",
        ))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<TableAnswers {}>", self.counts(py)?.repr()?))
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Capsules<'py>> {
        // The consumer casts: the protocol does not require that the producer does.
        let _ = requested_schema;
        let table = py.detach(|| self.columns());
        arrow_export::capsules(py, table)
    }
}

/// Checks each URL by the image in its row.
#[pyfunction]
#[pyo3(name = "_check_table")]
pub(crate) fn check_table(
    urls: &Bound<'_, PyAny>,
    images: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = use_threads)] use_threads: bool,
) -> PyResult<TableAnswers> {
    let py = urls.py();
    let urls = url_column(urls, "urls")?;
    let images = TextColumn::bytes(
        images,
        &Name {
            column: "images",
            wanted: "bytes: what Rules.image returns",
        },
    )?;
    if urls.len() != images.len() {
        let message = format!(
            "{} URLs, but {} images: pass two columns of one table",
            urls.len(),
            images.len()
        );
        return Err(about(py, Error::Argument, &message));
    }
    let mut rows = vec![UNKNOWN; urls.len()];
    let spare = Mutex::new(Vec::new());
    let checked = py.detach(|| {
        threads::fill(&mut rows, use_threads, |first, block: &mut [Row]| {
            let mut recent = lock(&spare).pop().unwrap_or_else(RecentImages::new);
            let count = block.len();
            let pairs = urls.rows(first, count).zip(images.rows(first, count));
            for ((at, row), (url, image)) in block.iter_mut().enumerate().zip(pairs) {
                *row = match (url, image) {
                    (None, _) => UNKNOWN,
                    (_, None) => Row {
                        answer: Answer::NoCapture,
                        ..UNKNOWN
                    },
                    (Some(url), Some(image)) => {
                        let rules = recent.rules(image).map_err(|error| (first + at, error))?;
                        Row::decided(NO_SITE, rules.check(url))
                    }
                };
            }
            lock(&spare).push(recent);
            Ok(())
        })
    });
    checked.map_err(|(row, error): (usize, Error)| {
        about(py, error, &format!("the image in row {row}: {error}"))
    })?;
    Ok(TableAnswers {
        rows,
        sites: None,
        missing_allowed: None,
        uses: None,
    })
}

/// Images that were validated lately, by a hash of their ends. Equal images are compared, byte by byte.
struct RecentImages {
    hash: RandomState,
    slots: Vec<Option<robots::Rules>>,
}

impl RecentImages {
    const SLOTS: usize = 4096;

    fn new() -> RecentImages {
        let mut slots = Vec::new();
        slots.resize_with(RecentImages::SLOTS, || None);
        RecentImages {
            hash: RandomState::new(),
            slots,
        }
    }

    /// Returns the rules of an image. Validates it unless it is known.
    fn rules(&mut self, image: &[u8]) -> Result<&robots::Rules, Error> {
        let mut hasher = self.hash.build_hasher();
        hasher.write_usize(image.len());
        // The header has a checksum of the rest.
        hasher.write(image.get(..64).unwrap_or(image));
        let slot = hasher.finish() as usize % RecentImages::SLOTS;
        let slot = self.slots.get_mut(slot).ok_or(Error::Panic)?;
        if slot.as_ref().is_none_or(|rules| rules.image() != image) {
            *slot = Some(robots::Rules::from_image(image)?);
        }
        slot.as_ref().ok_or(Error::Panic)
    }
}

/// Checks each URL by the rules of its site.
#[pyfunction]
#[pyo3(name = "_filter_table", signature = (urls, sites, missing_allowed, use_threads, asked = None))]
pub(crate) fn filter_table(
    urls: &Bound<'_, PyAny>,
    sites: &Bound<'_, Sites>,
    missing_allowed: bool,
    #[pyo3(from_py_with = use_threads)] use_threads: bool,
    asked: Option<AskedUse<'_>>,
) -> PyResult<TableAnswers> {
    let py = sites.py();
    let urls = url_column(urls, "urls")?;
    let join = Join {
        sites: sites.get(),
        missing: Mutex::default(),
    };
    let mut rows = vec![UNKNOWN; urls.len()];
    let spare = Mutex::new(Vec::new());
    let filled = sites.py().detach(|| {
        threads::fill(&mut rows, use_threads, |first, block: &mut [Row]| {
            let mut recent = lock(&spare).pop().unwrap_or_else(RecentSites::new);
            let urls = urls.rows(first, block.len());
            for (row, url) in block.iter_mut().zip(urls) {
                *row = url.map_or(UNKNOWN, |url| join.row(&mut recent, url));
            }
            lock(&spare).push(recent);
            Ok::<_, core::convert::Infallible>(())
        })
    });
    filled.unwrap_or_else(|never| match never {});
    let missing = join
        .missing
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let uses = asked
        .map(|asked| {
            used(
                py,
                &mut rows,
                (&urls, sites.get(), &missing.keys),
                missing_allowed,
                use_threads,
                asked,
            )
        })
        .transpose()?;
    Ok(TableAnswers {
        rows,
        uses,
        sites: Some(Joined {
            sites: sites.clone().unbind(),
            missing: missing.keys,
        }),
        missing_allowed: Some(missing_allowed),
    })
}

/// The purpose, the header lines and the dates of the pages, and whether rows with each [`robots::Use`] are kept.
type AskedUse<'py> = (
    Bound<'py, PyAny>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
    [bool; 4],
);

/// Answers what each row may be used for. The verdicts become those of the rules that were current when the pages were captured.
fn used(
    py: Python<'_>,
    rows: &mut [Row],
    (urls, sites, missing): (&TextColumn, &Sites, &[Arc<str>]),
    missing_allowed: bool,
    use_threads: bool,
    (purpose, headers, dates, kept): AskedUse<'_>,
) -> PyResult<TableUses> {
    let files = sites.files.as_ref().ok_or_else(|| {
        let message = "the sites have no files, which say what pages may be used for: pass the captures, or compile_table(..., keep_files=True)";
        about(py, Error::Argument, message)
    })?;
    let wanted = Wanted::new(files, crate::uses::purpose(&purpose)?, missing_allowed);
    let named = |column, wanted| Name { column, wanted };
    let headers = headers.map(|lines| {
        TextColumn::new(
            &lines,
            &named("headers", "header lines as text, or names and values"),
            true,
        )
    });
    let dates = dates.map(|dates| {
        columns::times(
            &dates,
            &named(
                "dates",
                "times, seconds, or text such as 2026-02-01T10:00:00Z",
            ),
        )
    });
    let (headers, dates) = (headers.transpose()?, dates.transpose()?);
    let lengths = [
        headers.as_ref().map(TextColumn::len),
        dates.as_ref().map(Vec::len),
    ];
    if lengths.into_iter().flatten().any(|len| len != rows.len()) {
        return Err(about(
            py,
            Error::Argument,
            "the columns have different numbers of rows: pass columns of one table",
        ));
    }
    let mut answers: Vec<(Row, (u8, Box<str>))> =
        rows.iter().map(|row| (*row, (0, "".into()))).collect();
    let found = py.detach(|| {
        threads::fill(&mut answers, use_threads, |first, block: &mut [_]| {
            for (at, (row, by)) in block.iter_mut().enumerate() {
                let number = row.site as usize;
                let known = sites.sites.get(number).map(|(key, _)| key);
                let key = known.or_else(|| missing.get(number.checked_sub(sites.sites.len())?));
                let (Some(key), Some(url)) = (key, urls.get(first + at)) else {
                    continue;
                };
                // A page without a date has no robots.txt that was current.
                let date = dates.as_ref().map(|dates| {
                    let date = dates.get(first + at).copied().flatten();
                    date.unwrap_or(i128::MIN)
                });
                let lines = headers.as_ref().and_then(|headers| headers.get(first + at));
                let site = row.site;
                *row = Row {
                    site,
                    answer: Answer::NoCapture,
                    ..UNKNOWN
                };
                match wanted.answer(key, url, date, lines) {
                    Ok(None) => (),
                    Ok(Some(answer)) => {
                        if let Some(verdict) = answer.verdict {
                            *row = Row::decided(site, verdict);
                        }
                        row.says = answer.says as u8;
                        *by = (answer.source.map_or(0, |source| source as u8), answer.text);
                    }
                    Err(Error::Url | Error::Scheme) => row.answer = Answer::BadUrl,
                    Err(error) => return Err(error),
                }
            }
            Ok(())
        })
    });
    found.map_err(|error: Error| about(py, error, &error.to_string()))?;
    let mut by = Vec::with_capacity(rows.len());
    for (row, (answer, decided)) in rows.iter_mut().zip(answers) {
        *row = answer;
        by.push(decided);
    }
    Ok(TableUses { kept, by })
}

fn url_column(urls: &Bound<'_, PyAny>, column: &str) -> PyResult<TextColumn> {
    TextColumn::new(
        urls,
        &Name {
            column,
            wanted: "one column of text",
        },
        true,
    )
}

/// A join of URLs with sites.
struct Join<'a> {
    sites: &'a Sites,
    missing: Mutex<Missing>,
}

/// The sites without rules, in the order in which they are found.
#[derive(Default)]
struct Missing {
    index: HashMap<Arc<str>, u32>,
    keys: Vec<Arc<str>>,
}

/// The sites of the URLs that a thread checked lately.
struct RecentSites {
    /// Scheme and authority of the last URL, and the number of its site.
    last: (Vec<u8>, u32),
    by_start: HashMap<Box<[u8]>, u32>,
}

impl RecentSites {
    /// How many raw forms of sites a thread keeps.
    const MOST: usize = 1 << 20;

    fn new() -> RecentSites {
        RecentSites {
            last: (Vec::new(), NO_SITE),
            by_start: HashMap::new(),
        }
    }
}

/// Returns the scheme and the authority of a URL whose origin depends on nothing else. False negatives are allowed.
#[inline]
fn start(url: &[u8]) -> Option<&[u8]> {
    let slashes = url.iter().take(8).position(|byte| *byte == b':')?;
    let authority = url.get(slashes..)?.strip_prefix(b"://")?;
    let end = authority
        .iter()
        .position(|byte| matches!(byte, b'/' | b'?' | b'#'));
    let end = end.unwrap_or(authority.len());
    // No backslash, which ends an authority, and no white space, which is removed.
    let is_plain = |byte: &u8| {
        byte.is_ascii_alphanumeric()
            || !byte.is_ascii()
            || matches!(byte, b'.' | b'-' | b'_' | b':' | b'[' | b']' | b'@')
    };
    let is_plain = authority.get(..end)?.iter().all(is_plain);
    is_plain.then(|| url.get(..slashes + 3 + end))?
}

impl Join<'_> {
    fn row(&self, recent: &mut RecentSites, url: &[u8]) -> Row {
        let site = match start(url) {
            None => self.find(url),
            Some(start) if start == recent.last.0 => recent.last.1,
            Some(start) => {
                let site = match recent.by_start.get(start) {
                    Some(site) => *site,
                    None => {
                        let site = self.find(url);
                        if recent.by_start.len() >= RecentSites::MOST {
                            recent.by_start.clear();
                        }
                        recent.by_start.insert(start.into(), site);
                        site
                    }
                };
                recent.last.0.clear();
                recent.last.0.extend_from_slice(start);
                recent.last.1 = site;
                site
            }
        };
        match self.sites.sites.get(site as usize) {
            Some((_, rules)) => Row::decided(site, rules.check(url)),
            None if site == NO_SITE => UNKNOWN,
            None => Row {
                site,
                answer: Answer::NoCapture,
                ..UNKNOWN
            },
        }
    }

    /// Returns the number of the site of a URL; [`NO_SITE`] for what is no URL.
    fn find(&self, url: &[u8]) -> u32 {
        let Ok(origin) = Origin::from_url(url) else {
            return NO_SITE;
        };
        if let Some(site) = self.sites.index.get(origin.key()) {
            return *site;
        }
        let mut missing = lock(&self.missing);
        if let Some(site) = missing.index.get(origin.key()) {
            return *site;
        }
        let key: Arc<str> = origin.key().into();
        let number = (self.sites.sites.len() + missing.keys.len()) as u32;
        missing.keys.push(key.clone());
        missing.index.insert(key, number);
        number
    }
}
