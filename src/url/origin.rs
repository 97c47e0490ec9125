//! Origins (SPEC 1): the key of a URL's site, and the URL of the site's robots.txt.
//!
//! Most URLs start with their key, so the key is borrowed from the URL. For all other URLs, the crate `url` parses the host. A
//! property test compares a borrowed key with the key from the crate.

use std::borrow::Cow;

use memchr::{memchr, memrchr};

use crate::base::dialect::Dialect;
use crate::base::error::Error;
use crate::base::limits::{MAX_AUTHORITY, MAX_HOST};
use crate::url::scan::authority_end;
use crate::url::target::{self, split_scheme};

/// The origin of a URL: its scheme, host and port in normal form (SPEC 1.2 to 1.4).
///
/// ```
/// let origin = robots::Origin::from_url("HTTPS://user@www.Ex\u{e4}mple.com:443/folder/page?q#f")?;
/// assert_eq!(origin.key(), "https://www.xn--exmple-cua.com");
/// assert_eq!(origin.robots_url(), "https://www.xn--exmple-cua.com/robots.txt");
/// assert!(origin.governs("https://www.xn--exmple-cua.com/other"));
/// assert!(!origin.governs("http://www.xn--exmple-cua.com/other"));
/// # Ok::<(), robots::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin {
    key: Box<str>,
}

impl Origin {
    /// Returns the origin of an absolute URL (SPEC 1.7). Path and query may hold any bytes.
    ///
    /// # Errors
    /// [`Error::Scheme`] if the scheme is not http, https or ftp (SPEC 1.6); [`Error::Url`] if `url` is not
    /// absolute or its host is invalid.
    pub fn from_url(url: impl AsRef<[u8]>) -> Result<Origin, Error> {
        key(url.as_ref()).map(|key| Origin {
            key: key.into_owned().into(),
        })
    }

    /// Returns the key: the scheme in lower case, `://`, the host in lower case and punycode, and `:port` unless the port is
    /// the default of the scheme (SPEC 1.3). Two origins are equal if their keys are equal.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Returns the URL of this origin's robots.txt (SPEC 1.1).
    pub fn robots_url(&self) -> String {
        [&*self.key, "/robots.txt"].concat()
    }

    /// Returns whether the robots.txt of this origin governs `url` (SPEC 1.2); false if `url` is not an absolute URL.
    pub fn governs(&self, url: impl AsRef<[u8]>) -> bool {
        key(url.as_ref()).is_ok_and(|key| key == *self.key)
    }
}

/// Returns an error unless `url` is a path, or the origin with the key `origin` governs `url`.
pub(crate) fn expect(origin: &[u8], url: &[u8]) -> Result<(), Error> {
    let is_governed = url.starts_with(b"/") || key(url)?.as_bytes() == origin;
    is_governed.then_some(()).ok_or(Error::Url)
}

/// The schemes of SPEC 1.6 with their default ports (SPEC 1.3).
const SCHEMES: [(&str, &[u8]); 3] = [("https://", b"443"), ("http://", b"80"), ("ftp://", b"21")];

/// Returns the key of a URL's origin. The key is borrowed if the URL starts with its key.
#[inline]
pub(crate) fn key(url: &[u8]) -> Result<Cow<'_, str>, Error> {
    match plain_key(url) {
        Some(key) => Ok(Cow::Borrowed(key)),
        None => any_key(url).map(Cow::Owned),
    }
}

/// Returns the key if the URL is certain to start with its key; `None` in case of doubt.
#[inline]
fn plain_key(url: &[u8]) -> Option<&str> {
    let is_scheme = |(scheme, _): &&(&str, _)| url.starts_with(scheme.as_bytes());
    let (scheme, port) = SCHEMES.iter().find(is_scheme)?;
    let end = authority_end(url, scheme.len()).unwrap_or(url.len());
    if url.get(end) == Some(&b'\\') {
        return None;
    }
    let authority = url.get(scheme.len()..end)?;
    let (host, given) = match memchr(b':', authority) {
        Some(colon) => (authority.get(..colon)?, Some(authority.get(colon + 1..)?)),
        None => (authority, None),
    };
    if !is_plain_host(host) {
        return None;
    }
    let mut len = scheme.len() + host.len();
    match given {
        Some(given) if given == *port => {}
        // A port of five digits may exceed 65535, and a leading zero is not in normal form.
        Some(given @ [b'1'..=b'9', others @ ..])
            if others.len() < 4 && others.iter().all(u8::is_ascii_digit) =>
        {
            len += 1 + given.len();
        }
        Some(_) => return None,
        None => {}
    }
    core::str::from_utf8(url.get(..len)?).ok()
}

/// Returns whether a host is certainly a host name in normal form. False negatives are allowed.
#[inline]
fn is_plain_host(host: &[u8]) -> bool {
    let label = memrchr(b'.', host).map_or(0, |dot| dot + 1);
    // A host whose last label starts with a digit may be an IPv4 address. An empty last label is not in normal form.
    let ends_with_name = host.get(label).is_some_and(|first| !first.is_ascii_digit());
    let (first, pairs) = (host.first(), host.iter().zip(host.iter().skip(1)));
    // `..` is an empty label, and `--` may be punycode (`xn--`), which must be decoded to be checked.
    // The loops have no branches, so the compiler vectorises them.
    let doubled = pairs.fold(false, |found, (a, b)| {
        found | ((*a == *b) & ((*a == b'.') | (*a == b'-')))
    });
    let has_other = host.iter().fold(false, |found, byte| {
        let letter = byte.wrapping_sub(b'a') < 26;
        let digit = byte.wrapping_sub(b'0') < 10;
        let mark = (*byte == b'.') | (*byte == b'-') | (*byte == b'_');
        found | !(letter | digit | mark)
    });
    ends_with_name && host.len() <= MAX_HOST && first != Some(&b'.') && !doubled && !has_other
}

/// Splits an absolute URL after `scheme://`. Returns the scheme in lower case and the rest.
pub(crate) fn split(url: &[u8]) -> Result<(&'static str, &[u8]), Error> {
    let (scheme, rest) = split_scheme(url).ok_or(Error::Url)?;
    let is_it = |known: &&str| {
        known
            .trim_end_matches("://")
            .as_bytes()
            .eq_ignore_ascii_case(scheme)
    };
    let mut known = SCHEMES.iter().map(|(known, _)| *known);
    let scheme = known.find(is_it).ok_or(Error::Scheme)?;
    Ok((scheme, rest.strip_prefix(b"//").ok_or(Error::Url)?))
}

/// Returns whether `url` is an absolute URL with a scheme of SPEC 1.6 and a host (SPEC 8.5b).
pub(crate) fn is_absolute(url: &[u8]) -> bool {
    split(url).is_ok() && target::range(url, Dialect::Rfc9309).is_some()
}

/// Returns the authority at the start of `rest`, and the authority's host and port. A user name before the host may have any
/// bytes, and is not part of the origin.
pub(crate) fn authority(rest: &[u8]) -> (&[u8], &[u8]) {
    let mut parts = rest.split(|byte| matches!(byte, b'/' | b'?' | b'#'));
    let authority = parts.next().unwrap_or(rest);
    let host = authority.rsplit(|byte| *byte == b'@').next();
    (authority, host.unwrap_or(authority))
}

/// Returns the key of any URL. The crate `url` parses the host.
#[cold]
fn any_key(url: &[u8]) -> Result<String, Error> {
    let (scheme, rest) = split(url)?;
    let (authority, host) = authority(rest);
    // Some URL parsers end the host at `\`, or skip tabs, line ends and spaces. Other parsers do not, so the site is ambiguous.
    let is_ambiguous = |byte: &u8| *byte <= b' ' || *byte == b'\\' || *byte == 0x7F;
    if authority.len() > MAX_AUTHORITY || authority.iter().any(is_ambiguous) {
        return Err(Error::Url);
    }
    let host = core::str::from_utf8(host).map_err(|_| Error::Url)?;
    if host.is_empty() {
        return Err(Error::Url);
    }
    let parsed = url::Url::parse(&[scheme, host, "/"].concat()).map_err(|_| Error::Url)?;
    if parsed.host_str().is_none_or(|host| host.len() > MAX_HOST) {
        return Err(Error::Url);
    }
    match parsed.origin() {
        origin @ url::Origin::Tuple(..) => Ok(origin.ascii_serialization()),
        url::Origin::Opaque(_) => Err(Error::Url),
    }
}
