//! Finds the target of a redirect, and whether the target's host is public (SPEC 2.2, 2.3).

use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};

use percent_encoding::{AsciiSet, percent_encode};
use url::{Host, Url};

use super::status_policy::Retrieval;
use crate::base::limits::MAX_URL;
use crate::crawler::options::FetchOption;
use crate::url::send;

/// A target of more than [`MAX_URL`] bytes.
pub(crate) struct TooLong;

/// Returns the target of a redirect in the form to send (SPEC 8.11), without user name and password; `None` if the target is
/// not an http or https URL.
pub(crate) fn target(base: &str, location: &[u8]) -> Result<Option<Url>, TooLong> {
    if location.len() > MAX_URL {
        return Err(TooLong);
    }
    match read(base, location) {
        Some(target) if target.as_str().len() > MAX_URL => Err(TooLong),
        target => Ok(target),
    }
}

fn read(base: &str, location: &[u8]) -> Option<Url> {
    if location.is_empty() {
        return None;
    }
    // If the target is not UTF-8, its bytes beyond ASCII are percent-encoded.
    let escaped = || Cow::from(percent_encode(location, &AsciiSet::EMPTY));
    let location = core::str::from_utf8(location).map_or_else(|_| escaped(), Cow::from);
    let target = Url::parse(base).ok()?.join(&location).ok()?;
    if !matches!(target.scheme(), "http" | "https") || !target.has_host() {
        return None;
    }
    let form = send::to_send(target.as_str().as_bytes()).ok()?;
    Url::parse(&form).ok()
}

impl Retrieval {
    /// Returns whether the fetch may follow a redirect to `target` (SPEC 2.3, [`FetchOption::NonGlobalRedirects`]).
    pub(super) fn may_follow(&self, target: &Url) -> bool {
        is_global(target)
            || self
                .policy
                .is_on(FetchOption::NonGlobalRedirects, self.dialect)
            || Url::parse(self.origin.key()).is_ok_and(|first| !is_global(&first))
    }
}

/// Suffixes of names that are never public: names of RFC 6761, 6762 and 8375, ICANN's `internal`, and names that local host
/// files use.
const LOCAL_DOMAINS: &str =
    ".localhost .localdomain .localdomain4 .localdomain6 .local .internal .home.arpa";

/// Returns whether the host of a URL is a global address, or a name of several labels outside [`LOCAL_DOMAINS`]. The URL parser
/// has normalised every notation of an IPv4 address, such as `2130706433` and `0x7f.1`.
fn is_global(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => is_global_v4(address),
        Some(Host::Ipv6(address)) => is_global_v6(address),
        Some(Host::Domain(name)) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            name.contains('.')
                && !LOCAL_DOMAINS
                    .split(' ')
                    .any(|domain| name.ends_with(domain))
        }
        None => false,
    }
}

/// Returns whether an address is outside the blocks below. The blocks are multicast, and each block in IANA's registry of
/// special-purpose IPv4 addresses that is not marked as globally reachable.
fn is_global_v4(address: Ipv4Addr) -> bool {
    !matches!(
        u32::from(address).to_be_bytes(),
        [0 | 10 | 127 | 224.., ..]
            | [100, 64..=127, ..]
            | [169, 254, ..]
            | [172, 16..=31, ..]
            | [192, 168, ..]
            | [192, 0, 0 | 2, _]
            | [192, 88, 99, _]
            | [198, 18 | 19, ..]
            | [198, 51, 100, _]
            | [203, 0, 113, _]
    )
}

/// Returns whether an address is in 2000::/3 and outside the blocks below, which are from IANA's registry of special-purpose
/// IPv6 addresses. If the address contains an IPv4 address, the IPv4 address decides.
fn is_global_v6(address: Ipv6Addr) -> bool {
    let inner = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        is_global_v4(Ipv4Addr::new(a, b, c, d))
    };
    match address.segments() {
        // IPv4-mapped addresses, and addresses that NAT64 translates.
        [0, 0, 0, 0, 0, 0xFFFF, high, low] | [0x64, 0xFF9B, 0, 0, 0, 0, high, low] => {
            inner(high, low)
        }
        // 6to4.
        [0x2002, high, low, ..] => inner(high, low),
        // IETF protocol assignments, including Teredo, and documentation.
        [0x2001, 0..=0x1FF | 0xDB8, ..] | [0x3FFF, 0..=0xFFF, ..] => false,
        [first, ..] => first & 0xE000 == 0x2000,
    }
}
