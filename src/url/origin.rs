//! URL to the site it belongs to (SPEC 1): the origin's key, and where its robots.txt is.
//!
//! Nearly all URLs are spelt as their key is, so that the key is the start of the URL and nothing need be
//! allocated; all others go through the crate `url`, which is the judge of both (a property test compares).

use std::borrow::Cow;

use memchr::{memchr, memrchr};

use crate::error::Error;
use crate::util::simd;

/// The origin of a URL: scheme, host and port, in one spelling (SPEC 1.2 to 1.4).
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
    /// The origin of an absolute URL (SPEC 1.7). Path and query may be any bytes.
    ///
    /// # Errors
    /// [`Error::Scheme`] for another scheme than http, https and ftp (SPEC 1.6); [`Error::Url`] for what is no
    /// absolute URL, or has no host that can be read.
    pub fn from_url(url: impl AsRef<[u8]>) -> Result<Origin, Error> {
        key(url.as_ref()).map(|key| Origin {
            key: key.into_owned().into(),
        })
    }

    /// The key: lower-case scheme, `://`, the host in lower case and punycode, and `:port` unless it is the
    /// scheme's own (SPEC 1.3). Equal keys are equal origins.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Where the robots.txt of this origin is (SPEC 1.1).
    pub fn robots_url(&self) -> String {
        [&*self.key, "/robots.txt"].concat()
    }

    /// Whether a robots.txt of this origin governs `url` (SPEC 1.2); false for what is no URL.
    pub fn governs(&self, url: impl AsRef<[u8]>) -> bool {
        key(url.as_ref()).is_ok_and(|key| key == *self.key)
    }
}

/// The longest authority that is looked at. A host name has 253 bytes at most; escapes and user names make
/// some longer.
const MAX_AUTHORITY: usize = 4096;

/// No host has a longer name (RFC 1035), so that no key is long.
const MAX_HOST: usize = 255;

/// The schemes of SPEC 1.6, each with its own port (SPEC 1.3).
const SCHEMES: [(&[u8], &[u8]); 3] = [
    (b"https://", b"443"),
    (b"http://", b"80"),
    (b"ftp://", b"21"),
];

/// The key of a URL's origin, borrowed from the URL where it is spelt like this there.
#[inline]
pub(crate) fn key(url: &[u8]) -> Result<Cow<'_, str>, Error> {
    match plain_key(url) {
        Some(key) => Ok(Cow::Borrowed(key)),
        None => any_key(url).map(Cow::Owned),
    }
}

/// The key of a URL whose start is spelt as it; `None` says nothing but that the other path must tell.
#[inline]
fn plain_key(url: &[u8]) -> Option<&str> {
    let (scheme, port) = SCHEMES.iter().find(|(scheme, _)| url.starts_with(scheme))?;
    let end = simd::authority_end(url, scheme.len()).unwrap_or(url.len());
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
        // Five digits may be too many, a zero in front has another spelling.
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

/// Whether a host is a name in the spelling of keys, beyond doubt.
#[inline]
fn is_plain_host(host: &[u8]) -> bool {
    let label = memrchr(b'.', host).map_or(0, |dot| dot + 1);
    // A last label that is empty, or begins like a number: it may be an IPv4 address in any spelling.
    let names = host.get(label).is_some_and(|first| !first.is_ascii_digit());
    let (first, pairs) = (host.first(), host.iter().zip(host.iter().skip(1)));
    // Two in a row are an empty label, or may begin punycode (`xn--`), which is checked by decoding it. Without
    // branches, so that the compiler looks at many bytes at once.
    let doubled = pairs.fold(false, |found, (a, b)| {
        found | ((*a == *b) & ((*a == b'.') | (*a == b'-')))
    });
    let odd = host.iter().fold(false, |found, byte| {
        let letter = byte.wrapping_sub(b'a') < 26;
        let digit = byte.wrapping_sub(b'0') < 10;
        let mark = (*byte == b'.') | (*byte == b'-') | (*byte == b'_');
        found | !(letter | digit | mark)
    });
    names && host.len() <= MAX_HOST && first != Some(&b'.') && !doubled && !odd
}

/// The key of any URL, by way of the crate `url`.
#[cold]
fn any_key(url: &[u8]) -> Result<String, Error> {
    let (scheme, rest) = split_scheme(url)?;
    let scheme = SCHEMES
        .iter()
        .find(|(known, _)| {
            known
                .strip_suffix(b"://")
                .is_some_and(|known| known.eq_ignore_ascii_case(scheme))
        })
        .and_then(|(known, _)| core::str::from_utf8(known).ok())
        .ok_or(Error::Scheme)?;
    let rest = rest.strip_prefix(b"//").ok_or(Error::Url)?;
    let end = rest
        .iter()
        .position(|byte| matches!(byte, b'/' | b'?' | b'#'))
        .unwrap_or(rest.len());
    let authority = rest.get(..end).ok_or(Error::Url)?;
    // What one reader takes for the end of the host (`\`) or skips (tabs, line ends, spaces), another does
    // not: which site is meant nobody can tell.
    let is_ambiguous = |byte: &u8| *byte <= b' ' || *byte == b'\\' || *byte == 0x7F;
    if authority.len() > MAX_AUTHORITY || authority.iter().any(is_ambiguous) {
        return Err(Error::Url);
    }
    // The user's name is no part of an origin, whatever bytes it has.
    let host = authority
        .iter()
        .rposition(|byte| *byte == b'@')
        .and_then(|at| authority.get(at + 1..))
        .unwrap_or(authority);
    let host = core::str::from_utf8(host)
        .ok()
        .filter(|host| !host.is_empty())
        .ok_or(Error::Url)?;
    let parsed = url::Url::parse(&[scheme, host, "/"].concat()).map_err(|_| Error::Url)?;
    if parsed.host_str().is_none_or(|host| host.len() > MAX_HOST) {
        return Err(Error::Url);
    }
    match parsed.origin() {
        origin @ url::Origin::Tuple(..) => Ok(origin.ascii_serialization()),
        url::Origin::Opaque(_) => Err(Error::Url),
    }
}

/// Scheme and what follows its colon.
fn split_scheme(url: &[u8]) -> Result<(&[u8], &[u8]), Error> {
    let colon = memchr(b':', url).ok_or(Error::Url)?;
    let (scheme, rest) = url.split_at_checked(colon).ok_or(Error::Url)?;
    let is_scheme = match scheme {
        [first, others @ ..] => {
            first.is_ascii_alphabetic()
                && others
                    .iter()
                    .all(|o| o.is_ascii_alphanumeric() || matches!(o, b'+' | b'-' | b'.'))
        }
        [] => false,
    };
    match rest.split_first() {
        Some((_, rest)) if is_scheme => Ok((scheme, rest)),
        _ => Err(Error::Url),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Pieces that URLs are made of, ordinary and odd.
    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "a",
            "b1",
            "www",
            "example",
            "com",
            "xn--",
            "xn--exmple-cua",
            "--",
            "-",
            "_",
            ".",
            "..",
            "1",
            "127",
            "0x7f",
            "0",
            "256",
            "[::1]",
            "%41",
            "%2e",
            "\u{e4}",
            "\u{3002}",
            "A",
            "@",
            ":",
            "80",
            "443",
            "0443",
            "8080",
            "65535",
            "65536",
            "99999",
            "/",
            "?",
            "#",
            "\\",
            " ",
            "\t",
            "*",
            "!",
            "\u{ad}",
            "\u{df}",
        ]);
        prop::collection::vec(piece, 0..8).prop_map(|all| all.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

        /// The fast path is the slow one.
        #[test]
        fn plain_is_any(
            scheme in prop::sample::select(vec!["http://", "https://", "ftp://", "HTTP://", "ws://", "http:/"]),
            rest in pieces(),
        ) {
            let url = [scheme, &rest].concat();
            if let Some(plain) = plain_key(url.as_bytes()) {
                prop_assert_eq!(Ok(plain.to_owned()), any_key(url.as_bytes()), "{}", url);
            }
        }

        /// A key is the key of itself, and of its robots.txt.
        #[test]
        fn key_of_key(rest in pieces(), bytes in prop::collection::vec(any::<u8>(), 0..20)) {
            for url in [[b"http://", rest.as_bytes()].concat(), [b"https://", &*bytes].concat()] {
                if let Ok(origin) = Origin::from_url(&url) {
                    prop_assert_eq!(Origin::from_url(origin.key()), Ok(origin.clone()));
                    prop_assert_eq!(Origin::from_url(origin.robots_url()), Ok(origin));
                }
            }
        }
    }

    #[test]
    fn ordinary_urls_are_borrowed() {
        for url in [
            "https://example.com/a",
            "http://example.com:8080?q",
            "https://www.example.co.uk",
            "https://example.com:443/x",
            "ftp://a_b.example.org/#",
        ] {
            assert!(matches!(key(url.as_bytes()), Ok(Cow::Borrowed(_))), "{url}");
        }
    }
}
