//! The HTTP client of a live fetch: one request, without redirects. It refuses addresses that are not global where it
//! connects, so a name that resolves to one is refused, too.

use std::error::Error as _;
use std::fmt;
use std::io::{self, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use robots::Failure;
use ureq::config::Config;
use ureq::http::{Response, Uri};
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, DefaultConnector, NextTimeout, Transport,
};
use ureq::{Agent, Body, BodyReader};

use super::address::is_global;
use crate::fault::Fault;
use crate::input;

pub(super) type Answer = Response<Body>;

/// How the client connects.
#[derive(Clone, Debug)]
pub(super) struct Setup<'s> {
    pub(super) user_agent: String,
    /// For all requests together.
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

/// The client, and the time at which its last request ends.
pub(super) struct Client {
    agent: Agent,
    end: Instant,
}

pub(super) fn client(setup: Setup<'_>) -> Result<Client, Fault> {
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
        .tls_config(tls.build())
        .build();
    let resolver = GlobalResolver {
        resolver: DefaultResolver::default(),
        any_address: setup.any_address,
    };
    let connector = DefaultConnector::default().chain(Breaks);
    Ok(Client {
        agent: Agent::with_parts(config, connector, resolver),
        end: Instant::now() + setup.timeout,
    })
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
struct NotGlobal(String);

impl fmt::Display for NotGlobal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotGlobal {}

/// Marks what breaks a connection, which ureq takes for the end of a body without a length.
#[derive(Debug)]
struct Breaks;

impl<T: Transport> Connector<T> for Breaks {
    type Out = Checked<T>;

    fn connect(
        &self,
        _: &ConnectionDetails<'_>,
        chained: Option<T>,
    ) -> Result<Option<Checked<T>>, ureq::Error> {
        Ok(chained.map(Checked))
    }
}

#[derive(Debug)]
struct Checked<T>(T);

impl<T: Transport> Transport for Checked<T> {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.0.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), ureq::Error> {
        self.0.transmit_output(amount, timeout)
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, ureq::Error> {
        self.0.await_input(timeout).map_err(|error| match error {
            ureq::Error::Io(error) => ureq::Error::Other(error.into()),
            error => error,
        })
    }

    fn is_open(&mut self) -> bool {
        self.0.is_open()
    }

    fn is_tls(&self) -> bool {
        self.0.is_tls()
    }
}

/// Sends a request. An address that is refused is a fault; of any other failure, it returns the meaning and the text.
pub(super) fn send(
    client: &Client,
    url: &str,
    accept: Option<&str>,
) -> Result<Result<Answer, (Failure, String)>, Fault> {
    let left = client.end.saturating_duration_since(Instant::now());
    let request = client.agent.get(url).config();
    let request = request.timeout_global(Some(left)).build();
    let done = match accept {
        Some(value) => request.header("accept", value).call(),
        None => request.call(),
    };
    match done {
        Err(ureq::Error::Other(error)) if error.is::<NotGlobal>() => Err(Fault::new(format!(
            "{url}: {error}; to connect to it, add --any-address"
        ))),
        done => Ok(done.map_err(|error| (failure(&error), error.to_string()))),
    }
}

/// Returns what an error means for the fetch.
fn failure(error: &ureq::Error) -> Failure {
    use ureq::Error as E;
    match error {
        E::HostNotFound => Failure::Dns,
        E::ConnectionFailed => Failure::Connect,
        E::Timeout(_) => Failure::Timeout,
        E::Tls(_) | E::Rustls(_) | E::Pem(_) | E::TlsRequired => Failure::Tls,
        E::Io(error) => of_io(error),
        E::Other(error) => error.downcast_ref().map_or(Failure::Other, of_io),
        _ => Failure::Other,
    }
}

fn of_io(error: &io::Error) -> Failure {
    if let Some(inner) = error.get_ref().and_then(|inner| inner.downcast_ref()) {
        return failure(inner);
    }
    match error.kind() {
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
        _ if error.to_string().contains("lookup address") => Failure::Dns,
        _ => match error.source() {
            Some(_) => Failure::Tls,
            None => Failure::Other,
        },
    }
}

/// Returns the reader of a body. The fetch has the size limit.
pub(super) fn reader(body: &mut Body) -> BodyReader<'_> {
    body.with_config().limit(u64::MAX).reader()
}

/// Reads the next piece of a body; 0 at its end.
pub(super) fn read(body: &mut BodyReader<'_>, room: &mut [u8]) -> Result<usize, Failure> {
    body.read(room).map_err(|error| match of_io(&error) {
        failure @ (Failure::Timeout | Failure::Reset) => failure,
        _ => Failure::Truncated,
    })
}
