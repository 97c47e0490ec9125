//! The state machine of a retrieval. Its state is the event that it expects, and its result is an outcome.

use std::borrow::Cow;

use super::header::Headers;
use super::outcome::{Cause, Outcome, fingerprint};
use super::redirect::{self, TooLong};
use super::status_policy::{Meaning, NoFile, Retrieval};
use crate::base::error::Error;
use crate::base::limits::{MAX_CRAWLERS, validate_time};
use crate::bytes::try_alloc::push;
use crate::crawler::Crawler;
use crate::crawler::options::{FetchOption, OutcomeKind};
use crate::url::origin::Origin;

/// The event that a [`Fetch`] expects. The discriminant is the `ROBOTS_STEP_...` of the C API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Step {
    /// Send a GET for [`Fetch::url`] with [`Fetch::request_headers`], do not follow redirects, and report the
    /// [status](Fetch::status) of the response.
    Get = 0,
    /// Report each [header](Fetch::header) of the response, then [the end of the headers](Fetch::headers_end).
    Headers = 1,
    /// Pass the [body](Fetch::body) in pieces of any size, then report [its end](Fetch::end).
    Body = 2,
    /// There is an [outcome](Fetch::outcome). Ignore the rest of the response.
    Done = 3,
}

codes! {
    /// Why the response is missing or incomplete (SPEC 2.10).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(u8)]
    pub enum Failure: robots_failure("ROBOTS_FAILURE_") in fetch, "How a transfer ended: `robots_fetch_report_end`." {
        [ROBOTS_FAILURE_NONE "None; the transfer is complete."]
        /// The host has no address.
        Dns = 1 ROBOTS_FAILURE_DNS,
        /// No connection.
        Connect = 2 ROBOTS_FAILURE_CONNECT,
        /// No secure connection.
        Tls = 3 ROBOTS_FAILURE_TLS,
        /// A timeout.
        Timeout = 4 ROBOTS_FAILURE_TIMEOUT,
        /// The connection was reset.
        Reset = 5 ROBOTS_FAILURE_RESET,
        /// The body ended early or was invalid: wrong chunks, length or compression.
        Truncated = 6 ROBOTS_FAILURE_TRUNCATED,
        /// Any other failure.
        Other = 7 ROBOTS_FAILURE_OTHER,
        /// The client cannot decode the content coding of the body, for example because the coding is unknown (SPEC 2.17).
        EncodedBody = 8 ROBOTS_FAILURE_ENCODED_BODY,
    }
    ALL: pub(crate), from_code: pub u32
}

impl Failure {
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

/// One retrieval of a robots.txt, for one or several crawlers (SPEC 3.7), without I/O: the caller reports what its HTTP
/// client receives.
///
/// A fetch expects one event at a time, its [`Step`]. The call that reports this event returns the next step; a call for any
/// other event returns [`Error::InvalidState`] and changes nothing. A failure may be reported at every step except
/// [`Step::Done`]. Times are seconds since 1970-01-01 UTC by the caller's clock. The time of the outcome is the last time that
/// the caller reported (SPEC 2.18).
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
/// assert_eq!(outcome.kind, OutcomeKind::Rules);
/// assert_eq!(outcome.fresh_until, now + 1 + 3600);
/// assert!(outcome.check(0, "https://example.com/", now + 3).allowed());
/// assert!(!outcome.check(0, "https://example.com/private/page", now + 3).allowed());
/// # Ok::<(), robots::Error>(())
/// ```
#[derive(Clone)]
pub struct Fetch {
    so_far: Retrieval,
    step: Step,
    /// The URLs requested before the current URL.
    visited: Vec<String>,
    body: Vec<u8>,
    /// Whether a transfer is in progress: the server has answered, and the caller has not reported the end of the transfer.
    is_open: bool,
    outcome: Option<Outcome>,
}

impl Fetch {
    /// Creates a retrieval of the robots.txt that governs `url`, any URL of the site, for 1 to 16 crawlers. The fetch has the
    /// options of the first crawler, and the largest size limit of all crawlers.
    ///
    /// # Errors
    /// [`Error::Argument`] for no crawler or more than 16, or for a time after the year 9999; [`Error::Scheme`] and
    /// [`Error::Url`] as [`Origin::from_url`]; [`Error::Memory`].
    pub fn new(crawlers: &[Crawler], url: impl AsRef<[u8]>, now: u64) -> Result<Fetch, Error> {
        let first = crawlers
            .first()
            .filter(|_| crawlers.len() <= MAX_CRAWLERS)
            .ok_or(Error::Argument)?;
        validate_time(now)?;
        let origin = Origin::from_url(url)?;
        let mut own = Vec::new();
        for crawler in crawlers {
            push(&mut own, crawler.clone())?;
        }
        Ok(Fetch {
            so_far: Retrieval {
                policy: first.policy,
                dialect: first.reading.dialect,
                url: origin.robots_url(),
                crawlers: own,
                origin,
                previous: None,
                now,
                http_status: 0,
                conditional: false,
                hops: 0,
                downgraded: false,
                headers: Headers::default(),
            },
            step: Step::Get,
            visited: Vec::new(),
            body: Vec::new(),
            is_open: false,
            outcome: None,
        })
    }

    /// Returns the placeholder for the outcome of an unknown site.
    pub(crate) fn unknown(&self) -> Outcome {
        self.so_far.unknown()
    }

    /// Adds a crawler; an error after [`Fetch::set_previous`] or the first event.
    pub(crate) fn add_crawler(&mut self, crawler: &Crawler) -> Result<(), Error> {
        if self.step != Step::Get || self.so_far.hops > 0 || self.so_far.previous.is_some() {
            return Err(Error::InvalidState);
        }
        if self.so_far.crawlers.len() >= MAX_CRAWLERS {
            return Err(Error::Argument);
        }
        push(&mut self.so_far.crawlers, crawler.clone())
    }

    /// Sets an earlier outcome of the same origin and crawlers, of any age. Call this before the first event. The request
    /// becomes conditional (SPEC 3.5). The earlier rules stay in use while the file cannot be reached (SPEC 2.11). The outage
    /// of the earlier outcome continues (SPEC 2.12). An outcome that was fetched after the start of this fetch is ignored (SPEC
    /// 2.18).
    ///
    /// # Errors
    /// [`Error::Argument`] for an outcome of another origin or of other crawlers; [`Error::InvalidState`] after an event.
    pub fn set_previous(&mut self, previous: &Outcome) -> Result<(), Error> {
        if self.step != Step::Get || self.so_far.hops > 0 {
            return Err(Error::InvalidState);
        }
        if previous.origin != self.so_far.origin
            || previous.crawlers != fingerprint(&self.so_far.crawlers)
        {
            return Err(Error::Argument);
        }
        if previous.fetched_at <= self.so_far.now {
            self.so_far.previous = Some(previous.clone());
            // The last attempt of `previous` may be after `now`; `set_time` corrects such times.
            self.so_far.set_time(self.so_far.now)?;
        }
        Ok(())
    }

    /// Sets an option for this fetch alone (SPEC 2.14).
    ///
    /// # Errors
    /// [`Error::Argument`] for a value out of the option's range; [`Error::InvalidState`] when the fetch is done.
    pub fn set(&mut self, option: FetchOption, value: u64) -> Result<(), Error> {
        if self.step == Step::Done {
            return Err(Error::InvalidState);
        }
        self.so_far.policy.set(option, value)
    }

    /// Returns the event that the fetch expects.
    pub fn step(&self) -> Step {
        self.step
    }

    /// Returns the URL to request: ASCII, without user name and fragment. A redirect changes the URL.
    pub fn url(&self) -> &str {
        &self.so_far.url
    }

    /// Returns the origin that the robots.txt governs (SPEC 2.2): the origin of the first URL, even after redirects.
    pub fn origin(&self) -> &Origin {
        &self.so_far.origin
    }

    /// Returns the headers to send with the request to [`Fetch::url`], as names and values. If the file of the earlier outcome
    /// came from this URL, the headers are `If-None-Match` and `If-Modified-Since`.
    pub fn request_headers(&self) -> impl Iterator<Item = (&'static str, &[u8])> {
        let copy = self
            .so_far
            .copy()
            .filter(|copy| self.step != Step::Done && *copy.final_url == *self.so_far.url);
        let headers = copy.map(|copy| {
            [
                ("If-None-Match", &copy.etag),
                ("If-Modified-Since", &copy.last_modified),
            ]
        });
        let headers = headers.into_iter().flatten();
        headers.filter_map(|(name, value)| Some((name, value.as_deref()?)))
    }

    /// Reports the status of the response, any number.
    ///
    /// # Errors
    /// [`Error::InvalidState`] unless the step is [`Step::Get`]; [`Error::Argument`] for a time after the year 9999.
    pub fn status(&mut self, status: u16, now: u64) -> Result<Step, Error> {
        self.answered(now)?;
        self.so_far.http_status = status;
        self.step = Step::Headers;
        Ok(self.step)
    }

    /// Reports the final reply of an FTP server instead of a status (SPEC 2.19). After a success (2yz, such as 226) pass
    /// the [body](Fetch::body); any other reply ends the fetch.
    ///
    /// ```
    /// use robots::{Crawler, Fetch, OutcomeKind, Step};
    ///
    /// let crawler = Crawler::new("ExampleBot")?;
    /// let mut fetch = Fetch::new(&[crawler], "ftp://example.com/pub/", 1_800_000_000)?;
    /// assert_eq!(fetch.ftp_reply(550, 1_800_000_000)?, Step::Done);
    /// assert_eq!(fetch.outcome().map(|outcome| outcome.kind), Some(OutcomeKind::AllowAll));
    /// # Ok::<(), robots::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidState`] unless the step is [`Step::Get`] and the URL is an ftp URL; [`Error::Argument`] for a time
    /// after the year 9999.
    pub fn ftp_reply(&mut self, reply: u16, now: u64) -> Result<Step, Error> {
        if !self.so_far.url.starts_with("ftp:") {
            return Err(Error::InvalidState);
        }
        self.answered(now)?;
        match self.so_far.ftp_meaning(reply) {
            Meaning::NoFile(why) => self.give_up(why),
            _ => self.step = Step::Body,
        }
        Ok(self.step)
    }

    /// Records that the server answered the request.
    fn answered(&mut self, now: u64) -> Result<(), Error> {
        self.expect(Step::Get)?;
        let conditional = self.request_headers().next().is_some();
        self.so_far.conditional = conditional;
        self.so_far.set_time(now)?;
        self.is_open = true;
        Ok(())
    }

    /// Reports a header of the response. Report all headers unchanged and in order. A client that undoes a content coding also
    /// reports `Content-Encoding` and `Content-Length` unchanged.
    ///
    /// # Errors
    /// [`Error::InvalidState`] unless the step is [`Step::Headers`]; [`Error::Memory`]: the header may be reported again.
    pub fn header(
        &mut self,
        name: impl AsRef<[u8]>,
        value: impl AsRef<[u8]>,
    ) -> Result<Step, Error> {
        self.expect(Step::Headers)?;
        let now = self.so_far.now;
        self.so_far
            .headers
            .read(name.as_ref(), value.as_ref(), now)?;
        Ok(self.step)
    }

    /// Reports the end of the headers.
    ///
    /// # Errors
    /// [`Error::InvalidState`] unless the step is [`Step::Headers`].
    pub fn headers_end(&mut self) -> Result<Step, Error> {
        self.expect(Step::Headers)?;
        match self.so_far.meaning(self.so_far.http_status) {
            Meaning::Found => self.step = Step::Body,
            Meaning::Redirect => self.redirect(),
            Meaning::NotModified => {
                // A 304 is valid only as the answer to a conditional request (SPEC 3.5).
                match self.so_far.copy().filter(|_| self.so_far.conditional) {
                    Some(copy) => self.done(self.so_far.not_modified(copy)),
                    None => self.give_up(self.so_far.failure(Cause::OddStatus)),
                }
            }
            Meaning::NoFile(why) => self.give_up(why),
        }
        Ok(self.step)
    }

    /// Passes a piece of the body, after the client has removed the transfer coding. After the size limit (SPEC 4.5) the fetch is
    /// done. Send `Accept-Encoding: identity`, and do not decode a content coding: a client that decodes the body may not
    /// notice that the end is missing (SPEC 2.17). The fetch decodes gzip.
    ///
    /// # Errors
    /// [`Error::InvalidState`] unless the step is [`Step::Body`]; [`Error::Memory`]: pass the piece again, or report a
    /// failure.
    pub fn body(&mut self, piece: impl AsRef<[u8]>) -> Result<Step, Error> {
        self.expect(Step::Body)?;
        let piece = piece.as_ref();
        let room = self.so_far.longest_body().saturating_sub(self.body.len());
        let taken = piece.get(..room).unwrap_or(piece);
        self.body
            .try_reserve(taken.len())
            .map_err(|_| Error::Memory)?;
        self.body.extend_from_slice(taken);
        if taken.len() == room {
            // If this call fails, the caller may pass the same piece again. The body is full, so the piece adds no byte, and
            // only repeats the call.
            self.finish(false)?;
        }
        Ok(self.step)
    }

    /// Reports the regular end of the body. The TTL starts with the response, so this event needs no time.
    ///
    /// # Errors
    /// [`Error::InvalidState`] unless the step is [`Step::Body`]; [`Error::Memory`]: report the end again, or a failure.
    pub fn end(&mut self) -> Result<Step, Error> {
        self.expect(Step::Body)?;
        self.finish(true)?;
        Ok(self.step)
    }

    /// Reports that the response is missing or incomplete.
    ///
    /// # Errors
    /// [`Error::InvalidState`] when the fetch is done; [`Error::Argument`] for a time after the year 9999.
    pub fn fail(&mut self, failure: Failure, now: u64) -> Result<Step, Error> {
        if self.step == Step::Done {
            return Err(Error::InvalidState);
        }
        self.so_far.set_time(now)?;
        self.give_up(self.so_far.failure(failure.cause()));
        Ok(self.step)
    }

    /// Reports the end of a transfer at any step, with the failure of the transfer or `None`. A client with callbacks calls
    /// this once after each transfer. If the response has already led to a redirect or to the outcome, nothing changes. After
    /// the call the fetch is done, or expects the response to the next request if there was a redirect. If the headers of the
    /// response never ended, the result is [`Failure::Other`].
    ///
    /// # Errors
    /// [`Error::InvalidState`] if the fetch is done and the end was already reported, or if `failure` is `None` before any
    /// status; [`Error::Argument`] for a time after the year 9999; [`Error::Memory`]: report the end again, or a failure.
    pub fn transfer_ended(&mut self, failure: Option<Failure>, now: u64) -> Result<Step, Error> {
        validate_time(now)?;
        match (self.step, failure) {
            (Step::Get | Step::Done, _) if self.is_open => self.step,
            (Step::Body, None) => self.end()?,
            (_, Some(failure)) => self.fail(failure, now)?,
            (Step::Headers, None) => self.fail(Failure::Other, now.max(self.so_far.now))?,
            (_, None) => return Err(Error::InvalidState),
        };
        self.is_open = false;
        Ok(self.step)
    }

    /// Returns the decoded file that the rules of the outcome come from: at most one byte more than the size limit (SPEC 4.5).
    /// `None` before the fetch is done, or if this fetch received no file.
    pub fn file(&self) -> Option<&[u8]> {
        let outcome = self.outcome.as_ref()?;
        let has_file = outcome.kind == OutcomeKind::Rules && !outcome.stale;
        (has_file && outcome.cause != Cause::NotModified).then_some(&*self.body)
    }

    /// Reads `body` as the body of the response. Returns the file in the body, or the cause if there is no file (SPEC 2.17).
    pub(crate) fn file_in<'a>(
        &self,
        body: &'a [u8],
        has_ended: bool,
    ) -> Result<Result<Cow<'a, [u8]>, Cause>, Error> {
        let file = self.so_far.file(body, has_ended)?;
        Ok(file.map_err(|why| why.cause))
    }

    /// Returns the outcome; `None` until the fetch is done.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    fn expect(&self, step: Step) -> Result<(), Error> {
        (self.step == step).then_some(()).ok_or(Error::InvalidState)
    }

    /// Ends the fetch with the body so far: it is complete, or has reached the size limit.
    fn finish(&mut self, has_ended: bool) -> Result<(), Error> {
        match self.so_far.file(&self.body, has_ended)? {
            Err(why) => self.give_up(why),
            Ok(file) => {
                let outcome = self.so_far.found(&file)?;
                match file {
                    Cow::Owned(decoded) => self.body = decoded,
                    Cow::Borrowed(part) => {
                        let len = part.len();
                        self.body.truncate(len);
                    }
                }
                self.done(outcome);
            }
        }
        Ok(())
    }

    /// Ends the fetch without a file.
    fn give_up(&mut self, why: NoFile) {
        self.body = Vec::new();
        self.done(self.so_far.without_file(why));
    }

    fn done(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
        self.step = Step::Done;
    }

    /// Follows a redirect, or ends the fetch (SPEC 2.2, 2.3, 2.15).
    fn redirect(&mut self) {
        let so_far = &mut self.so_far;
        let limit = so_far.policy.get(FetchOption::MaxRedirects, so_far.dialect);
        let location = so_far.headers.location.as_deref().unwrap_or_default();
        let cause = match redirect::target(&so_far.url, location) {
            // The site has a file, but the target is too long to request, so the rules are unknown.
            Err(TooLong) => return self.give_up(self.so_far.failure(Cause::BadRedirect)),
            Ok(None) => Cause::BadRedirect,
            Ok(Some(target)) if !so_far.may_follow(&target) => Cause::NonGlobalRedirect,
            // A redirect to the current URL may set a cookie first, so this redirect is no loop. But it counts as a redirect.
            Ok(Some(target))
                if target.as_str() != so_far.url
                    && self.visited.iter().any(|url| url == target.as_str()) =>
            {
                Cause::RedirectLoop
            }
            Ok(Some(_)) if u64::from(so_far.hops) >= limit => Cause::TooManyRedirects,
            Ok(Some(target)) => {
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
    /// Creates the outcome of a complete response, for a caller whose HTTP client follows redirects itself. If the final status
    /// is a redirect, the site is unreachable (SPEC 2.16). `url`: any URL of the site whose robots.txt was requested, before
    /// redirects. The default TTLs apply, because this function reads no headers.
    ///
    /// # Errors
    /// The errors of [`Fetch::new`].
    pub fn from_status(
        crawlers: &[Crawler],
        url: impl AsRef<[u8]>,
        status: u16,
        body: impl AsRef<[u8]>,
        now: u64,
    ) -> Result<Outcome, Error> {
        let mut fetch = Fetch::new(crawlers, url, now)?;
        fetch.status(status, now)?;
        if fetch.so_far.meaning(status) == Meaning::Redirect {
            // The client follows redirects itself, but did not reach the target of this redirect (SPEC 2.16).
            fetch.give_up(fetch.so_far.failure(Cause::RedirectNotFollowed));
        } else if fetch.headers_end()? == Step::Body && fetch.body(body)? == Step::Body {
            fetch.end()?;
        }
        fetch.outcome.ok_or(Error::InvalidState)
    }
}
