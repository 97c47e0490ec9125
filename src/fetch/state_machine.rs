//! The machine: says what it waits for, is told what happened, and ends with an outcome.

use super::header::Headers;
use super::outcome::{Cause, Outcome, fingerprint};
use super::redirect;
use super::status_policy::{Meaning, Retrieval};
use crate::crawler::Crawler;
use crate::crawler::options::FetchOption;
use crate::error::Error;
use crate::limits::MAX_CRAWLERS;
use crate::url::origin::Origin;
use crate::util::try_alloc::push;

/// What a [`Fetch`] waits for. The discriminant is the `ROBOTS_STEP_...` of the C API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Step {
    /// Send a GET for [`Fetch::url`] with [`Fetch::request_headers`], without following redirects, and tell the
    /// [status](Fetch::status) of the response.
    Get = 0,
    /// Tell the response's [headers](Fetch::header), and then [that these were all](Fetch::headers_end).
    Headers = 1,
    /// Tell the [body](Fetch::body), decoded from any transfer or content encoding, in pieces of any size, and
    /// then [its end](Fetch::end).
    Body = 2,
    /// There is an [outcome](Fetch::outcome); what is left of the response is of no use.
    Done = 3,
}

/// Why there is no response, or not all of one (SPEC 2.10). The discriminant is the `ROBOTS_FAILURE_...` of the C
/// API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Failure {
    /// The host has no address.
    Dns = 1,
    /// No connection.
    Connect = 2,
    /// No secure connection.
    Tls = 3,
    /// It took too long.
    Timeout = 4,
    /// The connection broke.
    Reset = 5,
    /// The body ended early or was invalid: chunks, length, compression.
    Truncated = 6,
    /// Anything else.
    Other = 7,
    /// The client cannot undo the content coding of the body (SPEC 2.17).
    EncodedBody = 8,
}

impl Failure {
    /// The failure with this number, if there is one.
    pub const fn from_code(code: u32) -> Option<Failure> {
        match code {
            1 => Some(Failure::Dns),
            2 => Some(Failure::Connect),
            3 => Some(Failure::Tls),
            4 => Some(Failure::Timeout),
            5 => Some(Failure::Reset),
            6 => Some(Failure::Truncated),
            7 => Some(Failure::Other),
            8 => Some(Failure::EncodedBody),
            _ => None,
        }
    }

    const fn cause(self) -> Cause {
        match self {
            Failure::Dns => Cause::Dns,
            Failure::Connect => Cause::Connect,
            Failure::Tls => Cause::Tls,
            Failure::Timeout => Cause::Timeout,
            Failure::Reset => Cause::Reset,
            Failure::Truncated => Cause::Truncated,
            Failure::Other => Cause::OtherFailure,
            Failure::EncodedBody => Cause::EncodedBody,
        }
    }
}

/// One retrieval of a robots.txt, for one or several crawlers (SPEC 3.7), without I/O: it is told what the
/// caller's HTTP client sees.
///
/// It waits for one thing at a time, its [`Step`]; each event returns the next. An event that it does not wait
/// for is [`Error::InvalidState`] and changes nothing; a failure may be told at any step but the last. Times are
/// seconds since 1970-01-01 UTC, by the caller's clock; one earlier than told before counts as that.
///
/// ```
/// use robots::{Crawler, Fetch, OutcomeKind, Step};
///
/// let now = 1_800_000_000;
/// let crawler = Crawler::new("ExampleBot")?;
/// let mut fetch = Fetch::new(&[crawler], "https://example.com/some/page", now)?;
/// assert_eq!((fetch.step(), fetch.url()), (Step::Get, "https://example.com/robots.txt"));
///
/// fetch.status(301, now)?;
/// fetch.header("Location", "//www.example.com/robots.txt")?;
/// assert_eq!(fetch.headers_end()?, Step::Get);
/// assert_eq!(fetch.url(), "https://www.example.com/robots.txt");
///
/// fetch.status(200, now + 1)?;
/// fetch.header("Cache-Control", "max-age=3600")?;
/// assert_eq!(fetch.headers_end()?, Step::Body);
/// fetch.body("User-agent: *\nDisallow: /private/\n")?;
/// assert_eq!(fetch.end()?, Step::Done);
///
/// let outcome = fetch.outcome().ok_or(robots::Error::InvalidState)?;
/// assert_eq!(outcome.kind(), OutcomeKind::Rules);
/// assert_eq!(outcome.fresh_until(), now + 1 + 3600);
/// assert!(outcome.check(0, "https://example.com/", now + 3).allowed());
/// assert!(!outcome.check(0, "https://example.com/private/page", now + 3).allowed());
/// # Ok::<(), robots::Error>(())
/// ```
#[derive(Clone)]
pub struct Fetch {
    so_far: Retrieval,
    step: Step,
    /// The latest time told.
    now: u64,
    /// The URLs asked for before the current one.
    visited: Vec<String>,
    body: Vec<u8>,
    outcome: Option<Outcome>,
}

impl Fetch {
    /// A retrieval of the robots.txt that governs `url`, any URL of the site, for 1 to 16 crawlers. What is done
    /// about failures, and the lives, are as the first is set up; the size limit is the largest.
    ///
    /// # Errors
    /// [`Error::Argument`] for no crawler or more than 16; [`Error::Scheme`] and [`Error::Url`] as
    /// [`Origin::from_url`]; [`Error::Memory`].
    pub fn new(crawlers: &[Crawler], url: impl AsRef<[u8]>, now: u64) -> Result<Fetch, Error> {
        let first = crawlers
            .first()
            .filter(|_| crawlers.len() <= MAX_CRAWLERS)
            .ok_or(Error::Argument)?;
        let origin = Origin::from_url(url)?;
        let mut own = Vec::new();
        for crawler in crawlers {
            push(&mut own, crawler.clone())?;
        }
        Ok(Fetch {
            so_far: Retrieval {
                policy: first.policy,
                dialect: first.dialect,
                url: origin.robots_url(),
                crawlers: own,
                origin,
                previous: None,
                http_status: 0,
                hops: 0,
                downgraded: false,
                headers: Headers::default(),
            },
            step: Step::Get,
            now,
            visited: Vec::new(),
            body: Vec::new(),
            outcome: None,
        })
    }

    /// Serves one more crawler; before any outcome is handed over, and before the first event.
    pub(crate) fn add_crawler(&mut self, crawler: &Crawler) -> Result<(), Error> {
        if self.step != Step::Get || self.so_far.hops > 0 || self.so_far.previous.is_some() {
            return Err(Error::InvalidState);
        }
        if self.so_far.crawlers.len() >= MAX_CRAWLERS {
            return Err(Error::Argument);
        }
        push(&mut self.so_far.crawlers, crawler.clone())
    }

    /// Hands over the earlier outcome of the same origin and crawlers, be it as old as it may: the file is asked
    /// for on condition that it changed (SPEC 3.5), its rules go on being used while it cannot be reached (SPEC
    /// 2.11), and it is known since when that is so (SPEC 2.12). To be called before the first event.
    ///
    /// # Errors
    /// [`Error::Argument`] for an outcome of another origin or of other crawlers; [`Error::InvalidState`] after an event.
    pub fn set_previous(&mut self, previous: &Outcome) -> Result<(), Error> {
        if self.step != Step::Get || self.so_far.hops > 0 {
            return Err(Error::InvalidState);
        }
        let parts = previous.parts();
        if parts.origin != self.so_far.origin
            || parts.crawlers != fingerprint(&self.so_far.crawlers)
        {
            return Err(Error::Argument);
        }
        self.so_far.previous = Some(previous.clone());
        Ok(())
    }

    /// Sets an option for this fetch alone (SPEC 2.14).
    ///
    /// # Errors
    /// [`Error::Argument`] for a value out of the option's range; [`Error::InvalidState`] when it is done.
    pub fn set(&mut self, option: FetchOption, value: u64) -> Result<(), Error> {
        if self.step == Step::Done {
            return Err(Error::InvalidState);
        }
        self.so_far.policy.set(option, value)
    }

    /// What it waits for.
    pub fn step(&self) -> Step {
        self.step
    }

    /// The URL to get: ASCII, without user name and fragment. It changes with a redirect.
    pub fn url(&self) -> &str {
        &self.so_far.url
    }

    /// The site whose robots.txt it is (SPEC 2.2): the first, whatever redirects there are.
    pub fn origin(&self) -> &Origin {
        &self.so_far.origin
    }

    /// The headers to send with the request to [`Fetch::url`], as names and values: `If-None-Match` and
    /// `If-Modified-Since` where an earlier file came from there.
    pub fn request_headers(&self) -> impl Iterator<Item = (&'static str, &[u8])> {
        let copy = self
            .so_far
            .copy()
            .filter(|copy| self.step != Step::Done && *copy.final_url == *self.so_far.url);
        let etag = copy
            .and_then(|copy| copy.etag.as_deref())
            .map(|value| ("If-None-Match", value));
        let date = copy
            .and_then(|copy| copy.last_modified.as_deref())
            .map(|value| ("If-Modified-Since", value));
        etag.into_iter().chain(date)
    }

    /// A response to the request: its status, any number.
    ///
    /// # Errors
    /// [`Error::InvalidState`] unless the step is [`Step::Get`].
    pub fn status(&mut self, status: u16, now: u64) -> Result<Step, Error> {
        self.expect(Step::Get)?;
        self.tell_time(now);
        self.so_far.http_status = status;
        self.step = Step::Headers;
        Ok(self.step)
    }

    /// A header of the response. Tell all, in their order; it takes those it wants.
    ///
    /// # Errors
    /// [`Error::InvalidState`] unless the step is [`Step::Headers`]; [`Error::Memory`]: it may be told again.
    pub fn header(
        &mut self,
        name: impl AsRef<[u8]>,
        value: impl AsRef<[u8]>,
    ) -> Result<Step, Error> {
        self.expect(Step::Headers)?;
        self.so_far.headers.take(name.as_ref(), value.as_ref())?;
        Ok(self.step)
    }

    /// There are no more headers.
    ///
    /// # Errors
    /// [`Error::InvalidState`] unless the step is [`Step::Headers`].
    pub fn headers_end(&mut self) -> Result<Step, Error> {
        self.expect(Step::Headers)?;
        match self.so_far.meaning() {
            Meaning::Found => self.step = Step::Body,
            Meaning::Redirect => self.redirect(),
            Meaning::NotModified => {
                // Only what was asked can be answered so (SPEC 3.5).
                let was_asked = self.request_headers().next().is_some();
                match self.so_far.copy().filter(|_| was_asked) {
                    Some(copy) => self.done(self.so_far.not_modified(copy, self.now)),
                    None => self.give_up(self.so_far.failure(Cause::OddStatus)),
                }
            }
            meaning => self.give_up(meaning),
        }
        Ok(self.step)
    }

    /// A piece of the body. When it has enough, which is the size limit (SPEC 4.5), it is done.
    ///
    /// # Errors
    /// [`Error::InvalidState`] unless the step is [`Step::Body`]; [`Error::Memory`]: the piece is not taken, and may
    /// be told again, or a failure.
    pub fn body(&mut self, piece: impl AsRef<[u8]>) -> Result<Step, Error> {
        self.expect(Step::Body)?;
        let piece = piece.as_ref();
        let before = self.body.len();
        // One octet beyond the limit tells that the last line was cut.
        let limit = self.so_far.crawlers.iter().map(|c| c.max_bytes).max();
        let room = limit.map_or(0, |limit| (limit + 1).saturating_sub(before));
        let taken = piece.get(..room).unwrap_or(piece);
        self.body
            .try_reserve(taken.len())
            .map_err(|_| Error::Memory)?;
        self.body.extend_from_slice(taken);
        if taken.len() == room {
            self.finish(false)
                .inspect_err(|_| self.body.truncate(before))?;
        }
        Ok(self.step)
    }

    /// The body has ended, as it should. No time is asked: the life of the file began when the response did,
    /// however slowly it came.
    ///
    /// # Errors
    /// [`Error::InvalidState`] unless the step is [`Step::Body`]; [`Error::Memory`]: it may be told again, or a
    /// failure.
    pub fn end(&mut self) -> Result<Step, Error> {
        self.expect(Step::Body)?;
        self.finish(true)?;
        Ok(self.step)
    }

    /// There is no response, or no more of it.
    ///
    /// # Errors
    /// [`Error::InvalidState`] when it is done.
    pub fn fail(&mut self, failure: Failure, now: u64) -> Result<Step, Error> {
        if self.step == Step::Done {
            return Err(Error::InvalidState);
        }
        self.tell_time(now);
        self.give_up(self.so_far.failure(failure.cause()));
        Ok(self.step)
    }

    /// What came of it; `None` until it is done.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    fn expect(&self, step: Step) -> Result<(), Error> {
        (self.step == step).then_some(()).ok_or(Error::InvalidState)
    }

    fn tell_time(&mut self, now: u64) {
        self.now = self.now.max(now);
    }

    /// The body is all there.
    fn finish(&mut self, has_ended: bool) -> Result<(), Error> {
        match self.so_far.body_fault(&self.body, has_ended) {
            Some(cause) => self.give_up(self.so_far.failure(cause)),
            None => {
                let outcome = self.so_far.found(&self.body, self.now)?;
                self.done(outcome);
            }
        }
        Ok(())
    }

    /// There is no file.
    fn give_up(&mut self, meaning: Meaning) {
        let outcome = match meaning {
            Meaning::Unavailable(kind, cause) => self.so_far.unavailable(kind, cause, self.now),
            Meaning::Unreachable(kind, cause) => self.so_far.unreachable(kind, cause, self.now),
            // Those lead elsewhere; were they to come here, nothing would be known of the file.
            Meaning::Found | Meaning::Redirect | Meaning::NotModified => {
                return self.give_up(self.so_far.failure(Cause::OddStatus));
            }
        };
        self.done(outcome);
    }

    fn done(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
        self.step = Step::Done;
        self.body = Vec::new();
    }

    /// SPEC 2.2, 2.3, 2.15.
    fn redirect(&mut self) {
        let so_far = &mut self.so_far;
        let most = so_far.policy.get(FetchOption::MaxRedirects, so_far.dialect);
        let location = so_far.headers.location.as_deref().unwrap_or_default();
        let cause = match redirect::target(&so_far.url, location) {
            None => Cause::BadRedirect,
            Some(target) if !so_far.may_follow(&target) => Cause::NonGlobalRedirect,
            // A redirect to the same URL may set a cookie first, and counts like any other.
            Some(target)
                if target.as_str() != so_far.url
                    && self.visited.iter().any(|url| url == target.as_str()) =>
            {
                Cause::RedirectLoop
            }
            Some(_) if u64::from(so_far.hops) >= most => Cause::TooManyRedirects,
            Some(target) => {
                so_far.hops += 1;
                so_far.downgraded |= so_far.url.starts_with("https:") && target.scheme() == "http";
                so_far.headers = Headers::default();
                so_far.http_status = 0;
                self.visited
                    .push(core::mem::replace(&mut so_far.url, target.into()));
                self.step = Step::Get;
                return;
            }
        };
        self.give_up(self.so_far.bad_redirect(cause));
    }
}

impl core::fmt::Debug for Fetch {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Fetch")
            .field("origin", &self.origin().key())
            .field("step", &self.step)
            .field("url", &self.url())
            .field("body_len", &self.body.len())
            .field("outcome", &self.outcome)
            .finish_non_exhaustive()
    }
}

impl Outcome {
    /// What comes of a response that is known as a whole, for a caller whose HTTP client follows redirects
    /// itself. `url`: any URL of the site that was asked first. No headers: the lives are the usual.
    ///
    /// # Errors
    /// As [`Fetch::new`].
    pub fn from_status(
        crawlers: &[Crawler],
        url: impl AsRef<[u8]>,
        status: u16,
        body: impl AsRef<[u8]>,
        now: u64,
    ) -> Result<Outcome, Error> {
        let mut fetch = Fetch::new(crawlers, url, now)?;
        fetch.status(status, now)?;
        if fetch.so_far.meaning() == Meaning::Redirect {
            // The client follows redirects itself, so this one leads nowhere that it reached (SPEC 2.16).
            fetch.give_up(fetch.so_far.failure(Cause::RedirectNotFollowed));
        } else if fetch.headers_end()? == Step::Body && fetch.body(body)? == Step::Body {
            fetch.end()?;
        }
        fetch.outcome.ok_or(Error::InvalidState)
    }
}
