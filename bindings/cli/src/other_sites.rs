//! The site of a robots.txt, and URLs of another one: its rules do not decide for them (SPEC 1.2).

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use robots::Origin;

use crate::fault::{Exit, Fault, complain};
use crate::input;
use crate::stream::Tally;
use crate::subject::{Subject, other_site};

/// The site of a robots.txt, as far as it is known.
#[derive(Default)]
pub(crate) struct Sites {
    /// The site that was given or fetched; URLs of others are errors.
    site: Option<Origin>,
    /// The only site of the sitemaps of the file.
    hint: Option<Origin>,
    seen: Mutex<Seen>,
    /// How many URLs were examined for a note.
    examined: AtomicU64,
}

/// The most URLs that are examined for a note: a list of millions must not wait for it.
const MOST_EXAMINED: u64 = 10_000;

/// The sites of URLs.
#[derive(Default)]
struct Seen {
    /// The first one.
    first: Option<Origin>,
    /// Another one, or one that is not that of the sitemaps.
    other: Option<Origin>,
}

impl Sites {
    /// Returns the site of `subjects`: that of --live or --site.
    pub(crate) fn of(subjects: &[Subject], site: Option<&str>) -> Result<Sites, Fault> {
        let given = |url: &str| {
            Origin::from_url(input::site_url(url)?)
                .map_err(|error| Fault::new(format!("--site {url}: {error}; give its URL")))
        };
        let given = site.map(given).transpose()?;
        let of_one = |subject: &Subject| {
            let rules = subject.rules(&robots::Crawler::without_token());
            let mut origins = rules.sitemaps().map(Origin::from_url);
            let first = origins.next()?.ok()?;
            let is_same = |other: Result<Origin, _>| other.is_ok_and(|other| other == first);
            origins.all(is_same).then_some(first)
        };
        Ok(Sites {
            site: subjects.iter().find_map(Subject::site).or(given),
            hint: match subjects {
                [subject] => of_one(subject),
                _ => None,
            },
            seen: Mutex::default(),
            examined: AtomicU64::new(0),
        })
    }

    /// Returns why a URL of another site has no verdict. A text that is no URL has its own error.
    pub(crate) fn foreign(&self, url: &[u8]) -> Option<String> {
        if let Some(site) = &self.site {
            let other = other_site(site, url)?;
            self.seen().other.get_or_insert(other);
            return Some(format!("not a URL of {}", site.key()));
        }
        if url.starts_with(b"/") || self.examined.fetch_add(1, Ordering::Relaxed) >= MOST_EXAMINED {
            return None;
        }
        let mut seen = self.seen();
        let is_known = |site: &Option<Origin>| site.as_ref().is_some_and(|site| site.governs(url));
        if seen.other.is_some() || is_known(&seen.first) {
            return None;
        }
        let found = Origin::from_url(url).ok()?;
        let differs = self.hint.as_ref().is_some_and(|hint| *hint != found);
        match seen.first.is_some() || differs {
            true => seen.other = Some(found),
            false => seen.first = Some(found),
        }
        None
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says which URLs are of another site.
    pub(crate) fn report(&self, tally: Tally) -> Exit {
        let seen = self.seen();
        let (first, other) = (seen.first.as_ref(), seen.other.as_ref());
        match (&self.site, other) {
            (_, None) => {}
            (Some(site), Some(other)) => {
                complain(&format!(
                    "{} of {} URLs are not of {}; one is of {}: run the command once for each site",
                    tally.foreign,
                    tally.lines,
                    site.key(),
                    other.key()
                ));
                return Exit::BadInput;
            }
            (None, Some(other)) => {
                let other = other.key();
                let why = match first {
                    Some(first) => format!(
                        "the URLs are of several sites, such as {} and {other}",
                        first.key()
                    ),
                    None => format!("a URL is of {other}, but the sitemaps of the file are not"),
                };
                complain(&format!(
                    "{why}; a robots.txt is that of one site: name it with --site"
                ));
            }
        }
        Exit::Yes
    }
}
