//! Tables with a purpose: each page is answered by the robots.txt that was current when it was captured (SPEC 11, 13).

use core::convert::Infallible;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use robots::{
    Captured, Captures, Ending, Error, OutcomeKind, PageControls, Purpose, Rules, Shelf, Use,
    UseSource, Uses, When,
};

use crate::threads::lock;

/// The captures of all files, to choose one for each date.
pub(crate) struct Files {
    pub(crate) crawler: robots::Crawler,
    by_key: HashMap<Box<str>, Vec<File>>,
}

/// A capture of a robots.txt.
pub(crate) struct File {
    pub(crate) when: When,
    pub(crate) meaning: Captured,
    pub(crate) body: Arc<[u8]>,
}

/// What holds for a site at a date.
struct Current {
    rules: Rules,
    uses: Uses,
}

/// The rules of a capture, and its file: empty if there is none, `None` if it is not known.
#[derive(Clone)]
struct Place {
    rules: Rules,
    file: Option<Arc<[u8]>>,
}

/// A store in memory for the rules of one capture, whose file is kept beside them.
struct Beside(Option<Arc<[u8]>>);

impl Shelf for Beside {
    type Place = Place;
    type Error = Infallible;

    fn put(&mut self, rules: Rules) -> Result<Place, Infallible> {
        let file = self.0.clone();
        Ok(Place { rules, file })
    }

    fn image<'a>(&'a mut self, place: &'a Place) -> Result<Cow<'a, [u8]>, Infallible> {
        Ok(place.rules.image().into())
    }
}

/// Returns the file that an outcome stands for.
fn file_of(kind: OutcomeKind, body: &Arc<[u8]>) -> Option<Arc<[u8]>> {
    match kind {
        OutcomeKind::Rules => Some(body.clone()),
        OutcomeKind::AllowAll => Some(Arc::default()),
        _ => None,
    }
}

impl Files {
    pub(crate) fn new(
        crawler: robots::Crawler,
        captures: impl IntoIterator<Item = (Box<str>, File)>,
    ) -> Files {
        let mut by_key: HashMap<Box<str>, Vec<File>> = HashMap::new();
        for (key, file) in captures {
            by_key.entry(key).or_default().push(file);
        }
        // Of captures with the same date and the same rules the first decides, in any order of the rows.
        for files in by_key.values_mut() {
            files.sort_by(|a, b| (a.when, &a.body).cmp(&(b.when, &b.body)));
        }
        Files { crawler, by_key }
    }

    /// Returns the captures of the robots.txt of an origin, and of what redirects lead to.
    fn reached(&self, origin: &str) -> Vec<(&str, &File)> {
        let mut reached = Vec::new();
        let mut open = vec![format!("{origin}/robots.txt").into_boxed_str()];
        let mut seen: HashSet<Box<str>> = open.iter().cloned().collect();
        while let Some(key) = open.pop() {
            let Some((key, files)) = self.by_key.get_key_value(&key) else {
                continue;
            };
            for file in files {
                reached.push((&**key, file));
                if let Some(target) = &file.meaning.target {
                    if seen.insert(target.clone()) {
                        open.push(target.clone());
                    }
                }
            }
        }
        reached
    }

    /// Returns what holds for an origin by some of the captures; `None` if they have none of the site.
    fn current(
        &self,
        origin: &str,
        reached: &[(&str, &File)],
        until: Option<i128>,
    ) -> Result<Option<Current>, Error> {
        let mut captures = Captures::default();
        for (key, file) in reached {
            if until.is_some_and(|until| file.when > When::Date(until)) {
                continue;
            }
            let mut shelf = Beside(file_of(file.meaning.kind, &file.body));
            let Ok(()) = captures.add(Some((*key).into()), file.when, &file.meaning, &mut shelf);
        }
        let mut sites = captures.sites(&self.crawler);
        let place = match sites.find(|(site, _)| *site == origin) {
            None | Some((_, Ending::Lost)) => return Ok(None),
            Some((_, Ending::Held(held))) => held.place.clone(),
            Some((_, Ending::Endless)) => {
                let endless = Captured::endless(&self.crawler)?;
                Place {
                    file: file_of(endless.kind, &Arc::default()),
                    rules: endless.rules,
                }
            }
        };
        let site = robots::Origin::from_url(origin)?;
        let uses = Uses::new(&self.crawler, Some(&site), place.file.as_deref())?;
        let rules = place.rules;
        Ok(Some(Current { rules, uses }))
    }
}

/// An origin, and the number of its captures up to a date.
type Period = (Arc<str>, usize);

/// What to answer about the rows of a table.
pub(crate) struct Wanted<'a> {
    pub(crate) files: &'a Files,
    pub(crate) purpose: Purpose,
    /// Whether sites without captures count as sites without a robots.txt.
    pub(crate) missing_allowed: bool,
    /// What holds for a site from one capture to the next.
    known: Mutex<HashMap<Period, Arc<Option<Current>>>>,
    /// The dates of the captures of each origin, in order.
    dates: Mutex<HashMap<Arc<str>, Arc<[When]>>>,
}

/// The answer to a row.
#[derive(Clone)]
pub(crate) struct UseRow {
    /// The verdict of the rules that were current; `None` without a capture.
    pub(crate) verdict: Option<robots::Verdict>,
    pub(crate) says: Use,
    pub(crate) source: Option<UseSource>,
    pub(crate) text: Box<str>,
}

impl<'a> Wanted<'a> {
    pub(crate) fn new(files: &'a Files, purpose: Purpose, missing_allowed: bool) -> Wanted<'a> {
        Wanted {
            files,
            purpose,
            missing_allowed,
            known: Mutex::default(),
            dates: Mutex::default(),
        }
    }

    /// Answers for a page of an origin. `date`: when it was captured; `None`: now. `headers`: its header lines; `None`: not known.
    ///
    /// Returns `None` for a site without an earlier capture.
    pub(crate) fn answer(
        &self,
        origin: &Arc<str>,
        url: &[u8],
        date: Option<i128>,
        headers: Option<&[u8]>,
    ) -> Result<Option<UseRow>, Error> {
        let current = self.current(origin, date)?;
        let missing;
        let (verdict, uses) = match &*current {
            Some(current) => (Some(current.rules.check(url)), &current.uses),
            None if !self.missing_allowed => return Ok(None),
            None => {
                let site = robots::Origin::from_url(&**origin)?;
                missing = Uses::new(&self.files.crawler, Some(&site), Some(""))?;
                (None, &missing)
            }
        };
        let page = match headers {
            Some(lines) => page(&self.files.crawler, lines)?,
            None => None,
        };
        let answer = uses.use_for(url, self.purpose, page.as_ref())?;
        let by = answer.decided_by();
        Ok(Some(UseRow {
            verdict,
            says: answer.says(),
            source: by.map(|by| by.source),
            text: by.map_or("".into(), |by| String::from_utf8_lossy(by.text).into()),
        }))
    }

    fn current(
        &self,
        origin: &Arc<str>,
        date: Option<i128>,
    ) -> Result<Arc<Option<Current>>, Error> {
        let dates = lock(&self.dates).get(origin).cloned();
        let dates = dates.unwrap_or_else(|| {
            let reached = self.files.reached(origin);
            let mut dates: Vec<When> = reached.iter().map(|(_, file)| file.when).collect();
            dates.sort_unstable();
            let dates: Arc<[When]> = dates.into();
            lock(&self.dates).insert(origin.clone(), dates.clone());
            dates
        });
        let until = |date| dates.partition_point(|when| *when <= When::Date(date));
        let key = (origin.clone(), date.map_or(dates.len(), until));
        if let Some(known) = lock(&self.known).get(&key) {
            return Ok(known.clone());
        }
        let reached = self.files.reached(origin);
        let current = Arc::new(self.files.current(origin, &reached, date)?);
        lock(&self.known).insert(key, current.clone());
        Ok(current)
    }
}

/// Reads header lines, perhaps after a status line. A line that begins with white space continues the one before. Returns `None`
/// for text with any other line, such as JSON: nobody knows then what the page said.
fn page(crawler: &robots::Crawler, lines: &[u8]) -> Result<Option<PageControls>, Error> {
    let mut page = PageControls::new(crawler);
    let mut headers: Vec<(&[u8], Vec<u8>)> = Vec::new();
    for line in lines.split(|byte| *byte == b'\n') {
        let is_more = line
            .first()
            .is_some_and(|byte| matches!(byte, b' ' | b'\t'));
        // The colon before the name of a pseudo-header of HTTP/2, such as `:status`, is a part of it.
        let colon = line.iter().skip(1).position(|byte| *byte == b':');
        match (is_more, headers.last_mut(), colon) {
            (true, Some((_, value)), _) => {
                value.push(b' ');
                value.extend_from_slice(line.trim_ascii());
            }
            (_, _, Some(colon)) if is_name(line.get(..=colon).unwrap_or_default()) => {
                let (name, value) = line.split_at(colon + 1);
                let value = value.get(1..).unwrap_or_default().trim_ascii();
                headers.push((name.trim_ascii(), value.to_vec()));
            }
            _ if line.trim_ascii().is_empty() || line.starts_with(b"HTTP/") => (),
            _ => return Ok(None),
        }
    }
    for (name, value) in headers {
        page.add_header(name, value)?;
    }
    Ok(Some(page))
}

/// Returns whether this is the name of a header (RFC 9110, section 5.6.2), with white space after it.
fn is_name(text: &[u8]) -> bool {
    let name = text.strip_prefix(b":").unwrap_or(text).trim_ascii_end();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    !name.is_empty() && name.iter().all(is_part)
}
