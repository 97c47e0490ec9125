//! The HTTP client of a live fetch: one request, without redirects. It refuses addresses that are not global where it
//! connects, so a name that resolves to one is refused, too.

use std::error::Error as _;
use std::fmt;
use std::io::{self, Read};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::time::Duration;

use robots::Failure;
use ureq::config::Config;
use ureq::http::{HeaderMap, HeaderValue, Response, Uri};
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Body};

use super::address::is_global;
use crate::fault::Fault;
use crate::input;

/// How the client connects.
#[derive(Clone, Debug)]
pub(super) struct Setup<'s> {
    pub(super) user_agent: String,
    /// For each request, also its body.
    pub(super) timeout: Duration,
    /// The only certificates to trust.
    pub(super) ca_file: Option<&'s Path>,
    pub(super) any_address: bool,
}

/// Returns the header User-Agent of a request for a crawler. It names this program first, which is not that crawler.
pub(super) fn user_agent(token: Option<&[u8]>) -> String {
    let who = match token.map(String::from_utf8_lossy) {
        Some(token) if token != "robots" => format!("for {token}; "),
        _ => String::new(),
    };
    let (version, address) = (env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_REPOSITORY"));
    format!("librobots/{version} ({who}+{address})")
}

pub(super) fn agent(setup: Setup<'_>) -> Result<Agent, Fault> {
    let mut tls = TlsConfig::builder();
    if let Some(path) = setup.ca_file {
        tls = tls.root_certs(RootCerts::new_with_certs(&certificates(path)?));
    }
    let config = Config::builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .proxy(None)
        // Each request connects anew: a server may close a connection while it is reused.
        .max_idle_connections(0)
        .max_idle_connections_per_host(0)
        .user_agent(&setup.user_agent)
        .accept("text/plain, */*;q=0.5")
        .accept_encoding("identity")
        .timeout_global(Some(setup.timeout))
        .tls_config(tls.build())
        .build();
    let resolver = GlobalResolver {
        resolver: DefaultResolver::default(),
        any_address: setup.any_address,
    };
    Ok(Agent::with_parts(
        config,
        DefaultConnector::default(),
        resolver,
    ))
}

fn certificates(path: &Path) -> Result<Vec<Certificate<'static>>, Fault> {
    let pem = input::read(path, 1 << 24)?;
    let of_file = |text: &str| Fault::new(format!("--ca-file {}: {text}", input::shown(path)));
    let mut certificates = Vec::new();
    for item in parse_pem(&pem) {
        if let PemItem::Certificate(certificate) =
            item.map_err(|error| of_file(&error.to_string()))?
        {
            certificates.push(certificate);
        }
    }
    if certificates.is_empty() {
        return Err(of_file("it has no certificate in PEM form"));
    }
    Ok(certificates)
}

/// Resolves names, and drops addresses that are not global.
#[derive(Debug)]
struct GlobalResolver {
    resolver: DefaultResolver,
    any_address: bool,
}

impl Resolver for GlobalResolver {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.resolver.resolve(uri, config, timeout)?;
        if self.any_address {
            return Ok(found);
        }
        let mut global = self.resolver.empty();
        for address in found.iter().filter(|address| is_global(address.ip())) {
            global.push(*address);
        }
        match found.first() {
            Some(first) if global.is_empty() => {
                let (host, ip) = (uri.host().unwrap_or_default(), first.ip().to_string());
                let text = match host.trim_matches(['[', ']']) == ip {
                    true => format!("{ip} is not a global address"),
                    false => format!("{host} is {ip}, which is not a global address"),
                };
                Err(ureq::Error::Other(Box::new(NotGlobal(text))))
            }
            _ => Ok(global),
        }
    }
}

/// The error for an address that is not global.
#[derive(Debug)]
pub(super) struct NotGlobal(pub(super) String);

impl fmt::Display for NotGlobal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotGlobal {}

/// Sends a request. ureq panics on a status line such as `HTTP/1.1 000 X`.
pub(super) fn send(
    agent: &Agent,
    url: &str,
    accept: Option<&str>,
) -> Result<Response<Body>, ureq::Error> {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| ()));
    let done = panic::catch_unwind(AssertUnwindSafe(|| {
        let request = agent.get(url);
        match accept {
            Some(value) => request.header("accept", value).call(),
            None => request.call(),
        }
    }));
    panic::set_hook(hook);
    done.unwrap_or_else(|_| {
        Err(ureq::Error::Other(
            "the response has no valid status".into(),
        ))
    })
}

/// Returns whether a response has a content coding that ureq does not undo: it knows one, as `gzip` alone.
pub(super) fn is_encoded(headers: &HeaderMap) -> bool {
    let is_plain = |value: &HeaderValue| {
        value.is_empty() || value.as_bytes().eq_ignore_ascii_case(b"identity")
    };
    let mut codings = headers
        .get_all("content-encoding")
        .iter()
        .filter(|value| !is_plain(value));
    match (codings.next(), codings.next()) {
        (None, _) => false,
        (Some(one), None) => one.as_bytes() != b"gzip",
        _ => true,
    }
}

/// Returns what an error means for the fetch, its text, and whether the address was refused.
pub(super) fn failure(error: &ureq::Error) -> (Failure, String, bool) {
    use ureq::Error as E;
    let failure = match error {
        E::HostNotFound => Failure::Dns,
        E::ConnectionFailed => Failure::Connect,
        E::Timeout(_) => Failure::Timeout,
        E::Tls(_) | E::Rustls(_) | E::Pem(_) | E::TlsRequired => Failure::Tls,
        E::Decompress(..) => Failure::EncodedBody,
        E::Io(error) => return of_io(error),
        E::Other(error) if error.is::<NotGlobal>() => {
            return (Failure::Other, error.to_string(), true);
        }
        _ => Failure::Other,
    };
    (failure, error.to_string(), false)
}

fn of_io(error: &io::Error) -> (Failure, String, bool) {
    if let Some(inner) = error.get_ref() {
        if let Some(inner) = inner.downcast_ref::<ureq::Error>() {
            return failure(inner);
        }
    }
    let text = error.to_string();
    let failure = match error.kind() {
        io::ErrorKind::ConnectionRefused
        | io::ErrorKind::HostUnreachable
        | io::ErrorKind::NetworkUnreachable
        | io::ErrorKind::AddrNotAvailable => Failure::Connect,
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Failure::Timeout,
        io::ErrorKind::UnexpectedEof => Failure::Truncated,
        io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe => Failure::Reset,
        // rustls reports its errors so.
        io::ErrorKind::InvalidData => Failure::Tls,
        // The resolver of the system has no kind for its errors.
        _ if text.contains("lookup address") => Failure::Dns,
        _ => match error.source() {
            Some(_) => Failure::Tls,
            None => Failure::Other,
        },
    };
    (failure, text, false)
}

/// Reads the next piece of a body; 0 at its end.
pub(super) fn read(body: &mut ureq::BodyReader<'_>, room: &mut [u8]) -> Result<usize, Failure> {
    body.read(room).map_err(|error| match of_io(&error).0 {
        Failure::Timeout => Failure::Timeout,
        Failure::Reset => Failure::Reset,
        Failure::EncodedBody => Failure::EncodedBody,
        _ => Failure::Truncated,
    })
}

/// Returns the reader of a body, which stops at `most` bytes.
pub(super) fn reader(body: &mut Body, most: u64) -> ureq::BodyReader<'_> {
    body.with_config().limit(most).reader()
}
