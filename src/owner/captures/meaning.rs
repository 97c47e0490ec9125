//! Finds the outcome of one capture for a crawler.

use core::slice::from_ref;
use std::borrow::Cow;

use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::core::rules::Rules;
use crate::crawler::Crawler;
use crate::crawler::options::{FetchOption, OutcomeKind};
use crate::owner::lint::BodyDoubt;
use crate::site::fetch::{Cause, Fetch, Outcome, Step};
use crate::url::origin::Origin;
use crate::url::send::to_send;

pub(super) const ANY_URL: &str = "https://example.com/";
pub(super) const ANY_TIME: u64 = 1;

/// A response that an archive or a table holds (SPEC 11.2).
///
/// ```
/// use robots::{Capture, Crawler, OutcomeKind};
///
/// let crawler = Crawler::new("ExampleBot")?;
/// let body = b"User-agent: *\nDisallow: /"[..].into();
/// let capture = Capture { status: Some(200), body: Some(body), ..Capture::default() };
/// assert!(!capture.meaning(&crawler)?.rules.is_allowed("/"));
/// let lost = Capture { body: None, ..capture };
/// assert_eq!(lost.meaning(&crawler)?.kind, OutcomeKind::Unreachable);
/// # Ok::<(), robots::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Capture<'a> {
    /// HTTP status; `None` if there is no response.
    pub status: Option<u16>,
    /// Why the response is incomplete; `None` for a complete response.
    pub failure: Option<Cause>,
    /// Absolute target URL of a redirect; empty if the redirect names no usable URL, `None` if the target is unknown.
    pub target: Option<Cow<'a, [u8]>>,
    /// Decoded body; `None` if the response has no body, or if the body is lost.
    pub body: Option<Cow<'a, [u8]>>,
}

/// What a [`Capture`] means for a crawler.
#[derive(Clone, Debug)]
pub struct Captured {
    /// Kind of the outcome.
    pub kind: OutcomeKind,
    /// Rules of the file, or a site-wide rule.
    pub rules: Rules,
    /// Target of a redirect, in the form to send (SPEC 8.11).
    pub target: Option<Box<str>>,
    /// Why the file may differ from the file that the site serves.
    pub doubt: Option<BodyDoubt>,
    /// Whether the capture stays in use during a later outage (SPEC 11.4).
    pub(super) is_answer: bool,
}

impl Capture<'_> {
    /// Returns the key of a URL: its form to send (SPEC 11.1). `None` if the URL has no origin.
    pub fn key<U: AsRef<[u8]> + ?Sized>(url: &U) -> Option<Box<str>> {
        form_to_send(url.as_ref())
    }

    /// Returns the key of an origin's robots.txt. `None` unless `origin` is the URL of a site's root or robots.txt.
    pub fn key_of_origin<U: AsRef<[u8]> + ?Sized>(origin: &U) -> Option<Box<str>> {
        let form = form_to_send(origin.as_ref())?;
        let robots = Origin::from_url(&*form).ok()?.robots_url();
        let is_root = robots.strip_suffix("robots.txt") == Some(&*form);
        (is_root || *robots == *form).then(|| robots.into())
    }

    /// Returns what the capture means for a crawler.
    ///
    /// # Errors
    /// [`Error::Memory`] on allocation failure.
    pub fn meaning(&self, crawler: &Crawler) -> Result<Captured, Error> {
        let status = self.status.filter(|_| self.failure.is_none());
        let status = status.unwrap_or_default();
        let is_lost = self.body.is_none() && matches!(status, 200..=299) && status != 204;
        let status = if is_lost { 0 } else { status };
        let target = self.target.as_deref().filter(|_| is_redirect(status));
        if target.is_some_and(<[u8]>::is_empty) {
            return Captured::of(crawler, &led_nowhere(crawler, "")?, false);
        }
        // The meaning does not depend on site and time, so one origin and one time serve for all captures.
        let (crawlers, body) = (from_ref(crawler), self.body.as_deref().unwrap_or_default());
        let outcome = Outcome::from_status(crawlers, ANY_URL, status, body, ANY_TIME)?;
        let mut meaning = Captured::from_outcome(crawler, &outcome)?;
        meaning.target = target.and_then(form_to_send);
        meaning.is_answer |= meaning.target.is_some();
        if meaning.kind == OutcomeKind::Rules {
            meaning.doubt = BodyDoubt::find(crawler, body)?;
        }
        Ok(meaning)
    }
}

impl Captured {
    /// Returns the meaning of a crawler's outcome.
    ///
    /// # Errors
    /// [`Error::InvalidState`] for an outcome without rules.
    pub fn from_outcome(crawler: &Crawler, outcome: &Outcome) -> Result<Captured, Error> {
        let is_reached = !matches!(outcome.kind, OutcomeKind::Defer | OutcomeKind::Unreachable);
        Captured::of(crawler, outcome, is_reached)
    }

    /// Returns the meaning of redirects without end.
    ///
    /// # Errors
    /// [`Error::Memory`] on allocation failure.
    pub fn endless(crawler: &Crawler) -> Result<Captured, Error> {
        Captured::of(crawler, &led_nowhere(crawler, "/robots.txt")?, false)
    }

    fn of(crawler: &Crawler, outcome: &Outcome, is_answer: bool) -> Result<Captured, Error> {
        // A koster1996 crawler fetches a file again after its TTL. A capture has no TTL, so the newest capture decides.
        let newest_decides = crawler.reading.dialect == Dialect::Koster1996
            || crawler.fetch_option(FetchOption::UnreachableOverridesCopy) > 0;
        Ok(Captured {
            kind: outcome.kind,
            rules: outcome.rules(0).ok_or(Error::InvalidState)?.clone(),
            target: None,
            doubt: None,
            is_answer: is_answer || newest_decides,
        })
    }
}

/// Returns a URL in the form to send, without white space around it.
fn form_to_send(url: &[u8]) -> Option<Box<str>> {
    Some(to_send(url.trim_ascii()).ok()?.into())
}

/// Returns whether a status is a redirect (SPEC 2.2).
pub(super) fn is_redirect(status: u16) -> bool {
    matches!(status, 300..=399) && status != 304
}

/// Returns the outcome of redirects that all have this `Location` (SPEC 2.3). An empty `Location` has no usable target, and
/// `/robots.txt` is a redirect that never ends.
fn led_nowhere(crawler: &Crawler, location: &str) -> Result<Outcome, Error> {
    let mut fetch = Fetch::new(from_ref(crawler), ANY_URL, ANY_TIME)?;
    while fetch.step() != Step::Done {
        fetch.status(301, ANY_TIME)?;
        fetch.header("Location", location)?;
        fetch.headers_end()?;
    }
    fetch.outcome().cloned().ok_or(Error::InvalidState)
}
