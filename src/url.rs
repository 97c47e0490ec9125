//! URL to the part of it that rules are matched with (SPEC 8.1, 8.5b), without taking it apart further.

use memchr::{memchr, memchr3, memmem};

use crate::dialect::Dialect;
use crate::error::Error;
use crate::scan;

/// The path and query of a URL, as they are spelt. A fragment may follow them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target<'a> {
    pub(crate) raw: &'a [u8],
    /// `raw` begins with the `/` of the path. Without one (`http://host?query`) the path is `/` all the same.
    pub(crate) rooted: bool,
}

impl<'a> Target<'a> {
    #[inline(always)]
    fn of(raw: &'a [u8]) -> Target<'a> {
        match raw {
            [] => Target {
                raw: b"/",
                rooted: true,
            },
            [b'/', ..] => Target { raw, rooted: true },
            _ => Target { raw, rooted: false },
        }
    }

    /// What is left without the fragment.
    pub(crate) fn without_fragment(self) -> Target<'a> {
        match memchr(b'#', self.raw).and_then(|end| self.raw.get(..end)) {
            Some(raw) => Target::of(raw),
            None => self,
        }
    }

    /// The target of an absolute URL or of a path.
    #[inline(always)]
    pub(crate) fn locate(url: &'a [u8], dialect: Dialect) -> Result<Target<'a>, Error> {
        match dialect {
            Dialect::Google => Ok(google(url)),
            _ => generic(url).ok_or(Error::Url),
        }
    }
}

/// RFC 3986: what follows scheme and authority.
#[inline(always)]
fn generic(url: &[u8]) -> Option<Target<'_>> {
    let path = match url {
        [b'/', ..] => url,
        _ => {
            let rest = after_scheme(url)?;
            rest.get(scan::authority_end(rest).unwrap_or(rest.len())..)?
        }
    };
    Some(Target::of(path))
}

/// What follows `scheme://`.
#[inline(always)]
fn after_scheme(url: &[u8]) -> Option<&[u8]> {
    // All but a few URLs begin with one of two schemes: one comparison tells.
    const HTTPS: u64 = u64::from_le_bytes(*b"https://");
    const HTTP: u64 = u64::from_le_bytes(*b"http://\0");
    if let Some((start, rest)) = url.split_first_chunk() {
        let start = u64::from_le_bytes(*start);
        if start == HTTPS {
            return Some(rest);
        }
        if start & !(0xFF << 56) == HTTP {
            return url.get(7..);
        }
    }
    after_any_scheme(url)
}

#[cold]
fn after_any_scheme(url: &[u8]) -> Option<&[u8]> {
    let (scheme, rest) = url.split_at_checked(memchr(b':', url)?)?;
    let rest = rest.strip_prefix(b"://")?;
    let (first, others) = scheme.split_first()?;
    let is_scheme = first.is_ascii_alphabetic()
        && others
            .iter()
            .all(|o| o.is_ascii_alphanumeric() || matches!(o, b'+' | b'-' | b'.'));
    is_scheme.then_some(rest)
}

/// What Google's matcher takes for path and query; `/` for what it cannot read.
fn google(url: &[u8]) -> Target<'_> {
    let none = Target {
        raw: b"/",
        rooted: true,
    };
    let start = if url.starts_with(b"//") { 2 } else { 0 };
    let find = |from: usize| {
        let rest = url.get(from..)?;
        memchr3(b'/', b'?', b';', rest).map(|at| from + at)
    };
    let authority = url
        .get(start..)
        .and_then(|rest| memmem::find(rest, b"://"))
        .map(|at| start + at)
        // A "://" behind the start of a path, parameter or query separates no scheme.
        .filter(|scheme_end| find(start).is_none_or(|early| early >= *scheme_end))
        .map_or(start, |scheme_end| scheme_end + 3);
    let Some(path_start) = find(authority) else {
        return none;
    };
    let hash = url
        .get(start..)
        .and_then(|rest| memchr(b'#', rest))
        .map(|at| start + at);
    if hash.is_some_and(|hash| hash < path_start) {
        return none;
    }
    let path = url
        .get(path_start..hash.unwrap_or(url.len()))
        .unwrap_or_default();
    let seen = memchr(0, path).unwrap_or(path.len());
    Target::of(path.get(..seen).unwrap_or(path))
}
