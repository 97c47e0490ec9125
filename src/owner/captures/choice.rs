//! Selects the capture that decides for each site.

use core::cmp::Ordering;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

use super::date::{When, unit};
use super::meaning::Captured;
use crate::core::rules::Rules;
use crate::crawler::Crawler;
use crate::crawler::options::{FetchOption, OutcomeKind};
use crate::owner::lint::BodyDoubt;

/// A store for the rules of captures.
pub trait Shelf {
    /// Key of stored rules.
    type Place: Clone;
    /// Why the store fails.
    type Error;
    /// Stores rules.
    ///
    /// # Errors
    /// Errors of the store.
    fn put(&mut self, rules: Rules) -> Result<Self::Place, Self::Error>;
    /// Returns the [image](Rules::image) of stored rules.
    ///
    /// # Errors
    /// Errors of the store.
    fn image<'a>(&'a mut self, place: &'a Self::Place) -> Result<Cow<'a, [u8]>, Self::Error>;
}

/// A store in memory.
pub struct InMemory;

impl Shelf for InMemory {
    type Place = Rules;
    type Error = Infallible;

    fn put(&mut self, rules: Rules) -> Result<Rules, Infallible> {
        Ok(rules)
    }

    fn image<'a>(&'a mut self, rules: &'a Rules) -> Result<Cow<'a, [u8]>, Infallible> {
        Ok(rules.image().into())
    }
}

/// The captures of many sites. One capture decides for each site (SPEC 11).
///
/// ```
/// use robots::{Capture, Captures, Crawler, Ending, InMemory, When};
///
/// let crawler = Crawler::new("ExampleBot")?;
/// let mut captures = Captures::default();
/// for (date, message) in [(1, "HTTP/1.1 200\n\nUser-agent: *\nDisallow: /"), (2, "HTTP/1.1 503\n\n")] {
///     let capture = Capture::of_message("https://example.com/robots.txt", message.as_bytes(), 512_000, false)?;
///     let key = Capture::key("https://example.com/robots.txt");
///     let Ok(()) = captures.add(key, When::Date(date), &capture.meaning(&crawler)?, &mut InMemory);
/// }
/// // An outage leaves the older rules in use.
/// for (origin, ending) in captures.sites(&crawler) {
///     assert_eq!(origin, "https://example.com");
///     assert!(matches!(ending, Ending::Held(held) if !held.place.is_allowed("/")));
/// }
/// assert_eq!(captures.counts().after_outage, 1);
/// # Ok::<(), robots::Error>(())
/// ```
#[derive(Debug)]
pub struct Captures<P> {
    by_url: HashMap<Box<str>, OfUrl<P>>,
    counts: CaptureCounts,
    /// First date; all dates must have the same unit.
    date: Option<i128>,
}

impl<P> Default for Captures<P> {
    fn default() -> Captures<P> {
        Captures {
            by_url: HashMap::new(),
            counts: CaptureCounts::default(),
            date: None,
        }
    }
}

#[derive(Debug)]
struct OfUrl<P> {
    captures: usize,
    undated: usize,
    answer: Option<Chosen<P>>,
    /// Last outage, or last redirect without a usable target.
    outage: Option<Chosen<P>>,
}

/// A capture that may decide.
#[derive(Debug)]
pub struct Chosen<P> {
    /// Key of the capture's rules in the store.
    pub place: P,
    /// Kind of the capture's outcome.
    pub kind: OutcomeKind,
    /// Why the file may differ from the file that the site serves.
    pub doubt: Option<BodyDoubt>,
    when: When,
    target: Option<Box<str>>,
    /// Whether another capture of the same URL and date has other rules.
    has_tie: bool,
}

/// The rules that decide for a site, or why there are none.
#[derive(Debug)]
pub enum Ending<'a, P> {
    /// The rules of a capture.
    Held(&'a Chosen<P>),
    /// The redirects do not end (SPEC 2.3). The site-wide rule of [`Captured::endless`] decides.
    Endless,
    /// Nothing decides, because the target of a redirect has no capture.
    Lost,
}

/// Counts of captures and of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaptureCounts {
    /// Number of all captures.
    pub captures: usize,
    /// Number of captures that were added after another capture of the same URL.
    pub repeated: usize,
    /// Number of captures without a key.
    pub unusable: usize,
    /// Number of captures of pages other than a robots.txt.
    pub other_pages: usize,
    /// Number of files whose site was unreachable after the capture.
    pub after_outage: usize,
    /// Number of files for which another capture has the same date and other rules.
    pub ties: usize,
    /// Number of files in which [`BodyDoubt`] finds no group, including encoded files.
    pub without_group: usize,
    /// Number of files that [`BodyDoubt`] finds encoded.
    pub encoded: usize,
    /// Number of files that [`BodyDoubt`] finds damaged.
    pub damaged: usize,
}

impl<P> Captures<P> {
    /// Compares the unit of a date with the unit of the first date (SPEC 11.6).
    ///
    /// # Errors
    /// The first date, if its unit differs.
    pub fn check_unit(&mut self, date: i128) -> Result<(), i128> {
        let first = *self.date.get_or_insert(date);
        (unit(first) == unit(date)).then_some(()).ok_or(first)
    }

    /// Adds a capture under the [key](super::Capture::key) of its URL. A capture without a key is only counted.
    ///
    /// # Errors
    /// Errors of the store.
    pub fn add<S: Shelf<Place = P>>(
        &mut self,
        key: Option<Box<str>>,
        when: When,
        meaning: &Captured,
        shelf: &mut S,
    ) -> Result<(), S::Error> {
        self.counts.captures += 1;
        let Some(key) = key else {
            self.counts.unusable += 1;
            return Ok(());
        };
        let of_url = self.by_url.entry(key).or_insert(OfUrl {
            captures: 0,
            undated: 0,
            answer: None,
            outage: None,
        });
        self.counts.repeated += usize::from(of_url.captures > 0);
        of_url.captures += 1;
        of_url.undated += usize::from(when == When::Unknown);
        let place = if meaning.is_answer {
            &mut of_url.answer
        } else {
            &mut of_url.outage
        };
        let mut has_tie = false;
        if let Some(held) = place {
            let order = when.cmp(&held.when);
            // If dates are equal, the content breaks the tie, so the result does not depend on the order of rows. The Spark
            // package breaks ties in the same way.
            let mut tie = Ordering::Equal;
            if order.is_eq() {
                let image = shelf.image(&held.place)?;
                tie = meaning.rules.image().cmp(&image);
                tie = tie.then_with(|| meaning.target.cmp(&held.target));
            }
            has_tie = order.is_eq() && (tie.is_ne() || held.has_tie);
            held.has_tie |= has_tie;
            if order.then(tie).then(meaning.doubt.cmp(&held.doubt)).is_le() {
                return Ok(());
            }
        }
        *place = Some(Chosen {
            place: shelf.put(meaning.rules.clone())?,
            kind: meaning.kind,
            doubt: meaning.doubt,
            when,
            target: meaning.target.clone(),
            has_tie,
        });
        Ok(())
    }

    /// Finds a URL that has several captures, some without a date (SPEC 11.6). Returns its key, the number of its captures, and
    /// the number of its captures without a date.
    pub fn undated(&self) -> Option<(&str, usize, usize)> {
        let all = self.by_url.iter();
        all.filter(|(_, of_url)| of_url.captures > 1 && of_url.undated > 0)
            .map(|(key, of_url)| (&**key, of_url.captures, of_url.undated))
            .min()
    }

    /// Returns each site's origin and what decides for the site, in any order.
    pub fn sites(&self, crawler: &Crawler) -> impl Iterator<Item = (&str, Ending<'_, P>)> {
        let hops = crawler.fetch_option(FetchOption::MaxRedirects);
        let all = self.by_url.iter();
        let sites = all.filter_map(|(key, of_url)| Some((origin(key)?, of_url)));
        sites.map(move |(origin, of_url)| (origin, self.ending(of_url, hops)))
    }

    /// Follows the redirects of a URL, and returns what decides at the last target (SPEC 11.7).
    fn ending<'a>(&'a self, mut of_url: &'a OfUrl<P>, hops: u64) -> Ending<'a, P> {
        for hop in 0..=hops {
            let Some(held) = of_url.decides() else {
                return Ending::Lost;
            };
            let Some(target) = &held.target else {
                return Ending::Held(held);
            };
            if hop == hops {
                break;
            }
            let Some(next) = self.by_url.get(target) else {
                return Ending::Lost;
            };
            of_url = next;
        }
        Ending::Endless
    }

    /// Returns the counts. The file of a redirect target counts as a file, too.
    pub fn counts(&self) -> CaptureCounts {
        let all = || self.by_url.iter();
        let targets = all().filter_map(|(_, of_url)| of_url.decides()?.target.as_ref());
        let targets: HashSet<_> = targets.collect();
        let mut counts = self.counts;
        for (key, of_url) in all() {
            let is_site = origin(key).is_some();
            if !is_site {
                counts.other_pages += of_url.captures;
            }
            let held = of_url.decides();
            let Some(held) = held.filter(|_| is_site || targets.contains(key)) else {
                continue;
            };
            let doubt = held.doubt.filter(|_| held.target.is_none());
            counts.after_outage += usize::from(of_url.is_after_outage(held));
            counts.ties += usize::from(held.has_tie);
            let is_encoded = doubt == Some(BodyDoubt::Encoded);
            counts.without_group += usize::from(is_encoded || doubt == Some(BodyDoubt::NoGroup));
            counts.encoded += usize::from(is_encoded);
            counts.damaged += usize::from(doubt == Some(BodyDoubt::Damaged));
        }
        counts
    }
}

impl<P> OfUrl<P> {
    /// Returns the capture that decides (SPEC 11.3, 11.4).
    fn decides(&self) -> Option<&Chosen<P>> {
        let (Some(answer), Some(outage)) = (&self.answer, &self.outage) else {
            return self.answer.as_ref().or(self.outage.as_ref());
        };
        // A crawler keeps a copy of a file, but no copy of an answer such as 404.
        let is_file = answer.kind == OutcomeKind::Rules || answer.target.is_some();
        let is_out = outage.when > answer.when && !is_file;
        Some(if is_out { outage } else { answer })
    }

    /// Returns whether the site was unreachable after the capture that decides.
    fn is_after_outage(&self, held: &Chosen<P>) -> bool {
        let outage = self.outage.as_ref();
        outage.is_some_and(|outage| outage.when > held.when)
    }
}

/// Returns the origin in the key of a robots.txt; `None` for the key of another page.
fn origin(key: &str) -> Option<&str> {
    let origin = key.strip_suffix("/robots.txt")?;
    let (_, host) = origin.split_once("://")?;
    (!host.contains('/')).then_some(origin)
}
