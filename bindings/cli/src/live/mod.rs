//! Live fetches: the library's fetch machine with an HTTP client.

mod address;
mod client;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use robots::{Cause, Crawler, Error, Failure, Fetch, FetchOption, Outcome, OutcomeKind, Step};

use crate::clock;
use crate::fault::Fault;
use crate::input;

const HEADING: &str = "Live";

/// How to fetch a robots.txt.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Connection {
    /// Trust only the certificates of this PEM file, not the public authorities
    #[arg(long, value_name = "PEM", help_heading = HEADING, hide_short_help = true)]
    ca_file: Option<PathBuf>,
    /// Connect also to addresses that are not global, such as 127.0.0.1 or 10.0.0.1
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    any_address: bool,
    /// Give up a request after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30, help_heading = HEADING, hide_short_help = true,
          value_parser = clap::value_parser!(u16).range(1..))]
    timeout: u16,
    /// The header User-Agent of each request; name someone who can be reached [default: librobots, its version, the token of
    /// --agent, and the address of its project]
    #[arg(long, value_name = "TEXT", help_heading = HEADING, hide_short_help = true)]
    user_agent: Option<String>,
}

/// The options of commands that fetch only on request.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Live {
    /// Fetch the robots.txt: ROBOTS_TXT is a URL of the site
    #[arg(long, help_heading = HEADING)]
    pub(crate) live: bool,
    #[command(flatten)]
    connection: Connection,
}

/// A request of a fetch.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) url: String,
    /// `None`: there was no response.
    pub(crate) status: Option<u16>,
    pub(crate) failure: Option<String>,
}

/// The response to the request of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageResponse {
    pub(crate) is_requested: bool,
    /// `None`: there was no response.
    pub(crate) status: Option<u16>,
    pub(crate) failure: Option<String>,
    /// The target of a redirect.
    pub(crate) location: Option<Vec<u8>>,
    /// The headers with page controls; the values of each in their order.
    pub(crate) headers: Vec<(&'static str, Vec<u8>)>,
}

/// The headers with page controls.
const PAGE_HEADERS: [&str; 3] = ["X-Robots-Tag", "Robots-Tag", "Content-Usage"];

/// A fetched robots.txt.
#[derive(Clone, Debug)]
pub(crate) struct Fetched {
    pub(crate) requests: Vec<Request>,
    /// The body of the last response, also if it is incomplete; empty if it was not read.
    pub(crate) body: Vec<u8>,
    pub(crate) outcome: Outcome,
    pub(crate) now: u64,
}

impl Live {
    pub(crate) fn fetch(&self, crawler: &Crawler, url: &str) -> Result<Fetched, Fault> {
        self.connection.fetch(crawler, url)
    }

    /// Requests a page and reads the headers of the response. Redirects are not followed.
    pub(crate) fn request_page(&self, crawler: &Crawler, url: &str) -> Result<PageResponse, Fault> {
        let agent = client::agent(self.connection.setup(crawler)?)?;
        let mut page = PageResponse::default();
        if let Err(error) = url.parse::<ureq::http::Uri>() {
            page.failure = Some(error.to_string());
            return Ok(page);
        }
        page.is_requested = true;
        match client::send(&agent, url, Some("*/*")) {
            Err(error) => {
                let (_, text, is_refused) = client::failure(&error);
                if is_refused {
                    return Err(refused(url, &text));
                }
                page.failure = Some(text);
            }
            Ok(response) => {
                let (status, headers) = (response.status(), response.headers());
                page.status = Some(status.as_u16());
                if status.is_redirection() {
                    let location = headers.get("location");
                    page.location = location.map(|value| value.as_bytes().to_vec());
                }
                for name in PAGE_HEADERS {
                    let values = headers.get_all(name).iter();
                    page.headers
                        .extend(values.map(|value| (name, value.as_bytes().to_vec())));
                }
            }
        }
        Ok(page)
    }
}

impl Connection {
    fn setup(&self, crawler: &Crawler) -> Result<client::Setup<'_>, Fault> {
        let user_agent = match &self.user_agent {
            Some(text)
                if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) && !text.is_empty() =>
            {
                text.clone()
            }
            Some(_) => return Err(Fault::new("--user-agent: give a text of printable ASCII")),
            None => client::user_agent(crawler.tokens().next()),
        };
        Ok(client::Setup {
            user_agent,
            timeout: Duration::from_secs(self.timeout.into()),
            ca_file: self.ca_file.as_deref(),
            any_address: self.any_address,
        })
    }

    /// Fetches the robots.txt of the site of `url`.
    pub(crate) fn fetch(&self, crawler: &Crawler, url: &str) -> Result<Fetched, Fault> {
        let of_url = |error: Error| Fault::new(format!("{url}: {error}"));
        let with_scheme = input::site_url(url)?;
        let crawler = crawler
            .clone()
            .with_fetch_option(FetchOption::NonGlobalRedirects, self.any_address.into())
            .map_err(of_url)?;
        let mut fetch = Fetch::new(std::slice::from_ref(&crawler), &with_scheme, clock::now())
            .map_err(of_url)?;
        if !fetch.url().starts_with("http") {
            return Err(Fault::new(format!("{url}: give an http or https URL")));
        }
        let agent = client::agent(self.setup(&crawler)?)?;
        let mut fetched = Progress::default();
        while fetch.step() == Step::Get {
            fetched.request(&agent, &mut fetch).map_err(of_url)?;
            if let Some(why) = &fetched.refused {
                return Err(refused(fetch.url(), why));
            }
        }
        let outcome = fetch.outcome().ok_or(Error::InvalidState).map_err(of_url)?;
        Ok(Fetched {
            requests: fetched.requests,
            body: fetched.body,
            outcome: outcome.clone(),
            now: clock::now(),
        })
    }
}

/// Returns the error for an address that is not global.
fn refused(url: &str, why: &str) -> Fault {
    Fault::new(format!("{url}: {why}; to connect to it, add --any-address"))
}

#[derive(Default)]
struct Progress {
    requests: Vec<Request>,
    body: Vec<u8>,
    /// Why the address was refused.
    refused: Option<String>,
}

impl Progress {
    /// Sends the request that the fetch expects, and reports its response.
    fn request(&mut self, agent: &ureq::Agent, fetch: &mut Fetch) -> Result<(), Error> {
        self.body.clear();
        let url = fetch.url().to_owned();
        let mut done = Request {
            url: url.clone(),
            status: None,
            failure: None,
        };
        let deadline = agent
            .config()
            .timeouts()
            .global
            .map(|time| Instant::now() + time);
        match client::send(agent, &url, None) {
            Err(error) => {
                let (failure, text, is_refused) = client::failure(&error);
                fetch.fail(failure, clock::now())?;
                self.refused = is_refused.then(|| text.clone());
                done.failure = Some(text);
            }
            Ok(mut response) => {
                done.status = Some(response.status().as_u16());
                fetch.status(response.status().as_u16(), clock::now())?;
                for (name, value) in response.headers() {
                    fetch.header(name.as_str(), value.as_bytes())?;
                }
                let is_encoded = client::is_encoded(response.headers());
                if fetch.headers_end()? == Step::Body && is_encoded {
                    fetch.fail(Failure::EncodedBody, clock::now())?;
                    done.failure =
                        Some("the body has a content coding that was not asked for".to_owned());
                } else if fetch.step() == Step::Body {
                    done.failure = self.read(response.body_mut(), deadline, fetch)?;
                }
            }
        }
        self.requests.push(done);
        Ok(())
    }

    fn read(
        &mut self,
        body: &mut ureq::Body,
        deadline: Option<Instant>,
        fetch: &mut Fetch,
    ) -> Result<Option<String>, Error> {
        // The fetch stops at the size limit; this one is above its highest.
        let mut reader = client::reader(body, 2 << 30);
        let mut piece = vec![0; 64 * 1024];
        loop {
            // ureq takes a rest of no time for no limit, so a body that comes in drops could outlive it.
            let is_late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            let count = if is_late {
                Err(Failure::Timeout)
            } else {
                client::read(&mut reader, &mut piece)
            };
            match count {
                Ok(0) => {
                    fetch.end()?;
                    return Ok(None);
                }
                Ok(count) => {
                    let piece = piece.get(..count).unwrap_or_default();
                    self.body.extend_from_slice(piece);
                    if fetch.body(piece)? == Step::Done {
                        return Ok(None);
                    }
                }
                Err(failure) => {
                    fetch.fail(failure, clock::now())?;
                    return Ok(Some(format!("the body broke off: {failure:?}")));
                }
            }
        }
    }
}

impl Fetched {
    /// Returns one line about the fetch.
    pub(crate) fn summary(&self) -> String {
        let outcome = &self.outcome;
        let status = match outcome.http_status {
            0 => "no response".to_owned(),
            status => format!("status {status}"),
        };
        let redirects = match outcome.hops {
            0 => String::new(),
            1 => ", 1 redirect".to_owned(),
            hops => format!(", {hops} redirects"),
        };
        format!(
            "{}: {status}{redirects}: {}",
            outcome.final_url,
            cause_text(outcome.cause)
        ) + match outcome.kind {
            OutcomeKind::Rules => "",
            OutcomeKind::AllowAll => "; every URL is allowed",
            OutcomeKind::DisallowAll => "; no URL is allowed",
            OutcomeKind::Defer | OutcomeKind::Unreachable => "; no URL is allowed for now",
        }
    }
}

/// Returns a cause as words.
pub(crate) fn cause_text(cause: Cause) -> &'static str {
    match cause {
        Cause::Found => "there is a file",
        Cause::NotModified => "the file has not changed",
        Cause::Missing => "there is no file",
        Cause::Forbidden => "the file is forbidden",
        Cause::TooManyRequests => "too many requests",
        Cause::ServerError => "server error",
        Cause::OddStatus => "the status is no answer",
        Cause::TooManyRedirects => "too many redirects",
        Cause::RedirectLoop => "the redirects are a loop",
        Cause::BadRedirect => "the redirect has no usable target",
        Cause::Dns => "the host name does not resolve",
        Cause::Connect => "the connection failed",
        Cause::Tls => "the TLS handshake failed",
        Cause::Timeout => "timeout",
        Cause::Reset => "the connection broke",
        Cause::Truncated => "the body ended early",
        Cause::OtherFailure => "the request failed",
        Cause::UnreachableLong => "the site is unreachable for a long time",
        Cause::PartialContent => "the response is only a part of the file",
        Cause::ShortBody => "the body is shorter than Content-Length",
        Cause::EncodedBody => "the body is compressed in an unknown way",
        Cause::RedirectNotFollowed => "the redirect was not followed",
        Cause::NonGlobalRedirect => "a redirect to an address that is not global",
        Cause::Html => "an HTML page in place of the file",
        // Later versions may add causes.
        _ => "other",
    }
}
