//! Live fetches: the library's fetch machine with an HTTP client.

mod address;
mod client;
mod html;

use std::path::PathBuf;
use std::time::Duration;

use robots::{
    Cause, Crawler, Error, Fetch, FetchOption, FileKind, Outcome, OutcomeKind, PageControls, Step,
};

pub(crate) use html::Meta;

use crate::clock;
use crate::explain::page_controls::HEADERS;
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
    /// Give up after so many seconds, redirects included
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
    /// The `<meta>` elements that were read.
    pub(crate) metas: Vec<Meta>,
    pub(crate) elements: Elements,
}

impl PageResponse {
    /// Returns what the response says to a crawler; `None` if there is none.
    pub(crate) fn controls(&self, crawler: &Crawler) -> Result<Option<PageControls>, Fault> {
        if self.status.is_none() {
            return Ok(None);
        }
        let mut page = PageControls::new(crawler);
        let headers = self.headers.iter();
        let mut headers = headers.map(|(name, value)| page.add_header(name, value));
        let added = headers.try_for_each(|added| added);
        let mut metas = self.metas.iter();
        let added = added
            .and_then(|()| metas.try_for_each(|meta| page.add_meta(&meta.name, &meta.content)));
        added.map_err(|error| Fault::new(error.to_string()))?;
        Ok(Some(page))
    }
}

/// Whether the elements of a page were read.
#[derive(Clone, Debug, Default)]
pub(crate) enum Elements {
    #[default]
    Read,
    /// There are none: the page is of this kind.
    None(String),
    /// Not all were read, because of this.
    NotRead(String),
}

/// The most bytes of a page that are read: several times those of the largest pages that people write.
const LONGEST_PAGE: usize = 4 << 20;

/// A fetched robots.txt.
#[derive(Clone, Debug)]
pub(crate) struct Fetched {
    pub(crate) requests: Vec<Request>,
    /// The file; empty if there is none.
    pub(crate) body: Vec<u8>,
    pub(crate) outcome: Outcome,
    pub(crate) now: u64,
}

impl Live {
    pub(crate) fn fetch(&self, crawler: &Crawler, url: &str) -> Result<Fetched, Fault> {
        self.connection.fetch(crawler, url)
    }

    /// Requests a page, and reads the headers of the response and the elements of an HTML page. Redirects are not followed.
    pub(crate) fn request_page(&self, crawler: &Crawler, url: &str) -> Result<PageResponse, Fault> {
        let client = client::client(self.connection.setup(crawler)?)?;
        let mut page = PageResponse::default();
        if let Err(error) = url.parse::<ureq::http::Uri>() {
            page.failure = Some(error.to_string());
            return Ok(page);
        }
        page.is_requested = true;
        match client::send(&client, url, Some("*/*"))? {
            Err((_, text)) => page.failure = Some(text),
            Ok(mut response) => {
                let (status, headers) = (response.status(), response.headers());
                page.status = Some(status.as_u16());
                if status.is_redirection() {
                    let location = headers.get("location");
                    page.location = location.map(|value| value.as_bytes().to_vec());
                }
                for name in HEADERS {
                    let values = headers.get_all(name).iter();
                    page.headers
                        .extend(values.map(|value| (name, value.as_bytes().to_vec())));
                }
                let (metas, elements) = elements(&mut response);
                (page.metas, page.elements) = (metas, elements);
            }
        }
        Ok(page)
    }

    /// Requests a file of the site once. Returns it; `None` if the server says that it has none (404 or 410); an empty file if it is
    /// not known, with the reason. Redirects are not followed.
    pub(crate) fn request_file(
        &self,
        crawler: &Crawler,
        url: &str,
        most: usize,
    ) -> Result<(Option<Vec<u8>>, Option<String>), Fault> {
        let client = client::client(self.connection.setup(crawler)?)?;
        let unknown = |why: String| Ok((Some(Vec::new()), Some(why)));
        match client::send(&client, url, Some("*/*"))? {
            Err((_, text)) => unknown(text),
            Ok(mut response) => match response.status().as_u16() {
                404 | 410 => Ok((None, None)),
                200 if response.headers().get("content-encoding").is_none() => {
                    let mut file = Vec::new();
                    match read_whole(&mut response, &mut file, most) {
                        Some(why) => unknown(why),
                        None => Ok((Some(file), None)),
                    }
                }
                status => unknown(format!("status {status}")),
            },
        }
    }
}

/// Reads a body. Returns why it is not whole.
fn read_whole(response: &mut client::Answer, into: &mut Vec<u8>, most: usize) -> Option<String> {
    let mut body = client::reader(response.body_mut());
    let mut piece = vec![0; 64 * 1024];
    loop {
        match client::read(&mut body, &mut piece) {
            Ok(0) => return None,
            Ok(count) => into.extend_from_slice(piece.get(..count).unwrap_or_default()),
            Err(failure) => return Some(format!("the body broke off: {failure:?}")),
        }
        if into.len() > most {
            into.truncate(most);
            return Some(format!("the body has more than {} MiB", most >> 20));
        }
    }
}

/// Reads the elements of a page.
fn elements(response: &mut client::Answer) -> (Vec<Meta>, Elements) {
    let not_read = |why: &str| (Vec::new(), Elements::NotRead(why.to_owned()));
    let status = response.status();
    // 206 is a part of the page.
    if !status.is_success() || status.as_u16() == 206 {
        return not_read(&format!("status {status}", status = status.as_u16()));
    }
    let header = |name| {
        let value = response.headers().get(name);
        let value = value.map(|value| String::from_utf8_lossy(value.as_bytes()));
        value.map_or(String::new(), |value| value.trim().to_ascii_lowercase())
    };
    let (kind, coding) = (header("content-type"), header("content-encoding"));
    if !matches!(&*coding, "" | "identity") {
        return not_read(&format!("the page is compressed ({coding})"));
    }
    let media_type = kind.split(';').next().unwrap_or_default().trim_end();
    if !matches!(media_type, "" | "text/html" | "application/xhtml+xml") {
        return (Vec::new(), Elements::None(media_type.to_owned()));
    }
    let mut page = Vec::new();
    let end = match read_whole(response, &mut page, LONGEST_PAGE) {
        Some(why) => Elements::NotRead(why),
        None => Elements::Read,
    };
    match FileKind::detect(&page) {
        FileKind::Utf16 => return not_read("the page is in UTF-16"),
        FileKind::Gzip | FileKind::Compressed => return not_read("the page is compressed"),
        FileKind::Html => {}
        _ if !media_type.is_empty() || page.is_empty() => {}
        FileKind::Text | FileKind::Xml => return not_read("the response has no Content-Type"),
        other => return (Vec::new(), Elements::None(other.description().to_owned())),
    }
    (html::metas(&page), end)
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
        let client = client::client(self.setup(&crawler)?)?;
        let mut requests = Vec::new();
        while fetch.step() == Step::Get {
            requests.push(request(&client, &mut fetch)?);
        }
        let outcome = fetch.outcome().ok_or(Error::InvalidState).map_err(of_url)?;
        Ok(Fetched {
            requests,
            body: fetch.file().unwrap_or_default().to_vec(),
            outcome: outcome.clone(),
            now: clock::now(),
        })
    }
}

/// Sends the request that the fetch expects, and reports its response.
fn request(client: &client::Client, fetch: &mut Fetch) -> Result<Request, Fault> {
    let url = fetch.url().to_owned();
    let sent = client::send(client, &url, None)?;
    let status = sent
        .as_ref()
        .ok()
        .map(|response| response.status().as_u16());
    let failure = match sent {
        Err((failure, text)) => fetch.fail(failure, clock::now()).map(|_| Some(text)),
        Ok(response) => report(response, fetch),
    };
    match failure {
        Ok(failure) => Ok(Request {
            url,
            status,
            failure,
        }),
        Err(error) => Err(Fault::new(format!("{url}: {error}"))),
    }
}

/// Passes a response to the fetch. Returns the failure that ended its body.
fn report(mut response: client::Answer, fetch: &mut Fetch) -> Result<Option<String>, Error> {
    fetch.status(response.status().as_u16(), clock::now())?;
    for (name, value) in response.headers() {
        fetch.header(name.as_str(), value.as_bytes())?;
    }
    fetch.headers_end()?;
    let mut body = client::reader(response.body_mut());
    let mut piece = vec![0; 64 * 1024];
    while fetch.step() == Step::Body {
        match client::read(&mut body, &mut piece) {
            Ok(0) => _ = fetch.end()?,
            Ok(count) => _ = fetch.body(piece.get(..count).unwrap_or_default())?,
            Err(failure) => {
                fetch.fail(failure, clock::now())?;
                return Ok(Some(format!("the body broke off: {failure:?}")));
            }
        }
    }
    Ok(None)
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
        Cause::EncodedBody => {
            "the body is compressed, and Content-Encoding does not say how: name it there (gzip), or send plain text"
        }
        Cause::RedirectNotFollowed => "the redirect was not followed",
        Cause::NonGlobalRedirect => "a redirect to an address that is not global",
        Cause::Html => "an HTML page in place of the file",
        // Later versions may add causes.
        _ => "other",
    }
}
