//! URL to the part of it that rules are matched with (SPEC 8.1, 8.5b), without taking it apart further.

use memchr::{memchr, memchr3, memmem};

use crate::dialect::Dialect;
use crate::error::Error;

/// The path and query of a URL, as they are spelt, without the fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target<'a> {
    pub(crate) raw: &'a [u8],
    /// `raw` begins with the `/` of the path. Without one (`http://host?query`) the path is `/` all the same.
    pub(crate) rooted: bool,
}

impl<'a> Target<'a> {
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

    /// The target of an absolute URL or of a path.
    #[inline]
    pub(crate) fn locate(url: &'a [u8], dialect: Dialect) -> Result<Target<'a>, Error> {
        match dialect {
            Dialect::Google => Ok(google(url)),
            _ => generic(url).ok_or(Error::Url),
        }
    }
}

/// RFC 3986: what follows scheme and authority, up to the fragment.
#[inline]
fn generic(url: &[u8]) -> Option<Target<'_>> {
    let path = match url {
        [b'/', ..] => url,
        _ => {
            let rest = after_scheme(url)?;
            let end = memchr3(b'/', b'?', b'#', rest).unwrap_or(rest.len());
            rest.get(end..)?
        }
    };
    let end = memchr(b'#', path).unwrap_or(path.len());
    Some(Target::of(path.get(..end)?))
}

/// What follows `scheme://`.
#[inline]
fn after_scheme(url: &[u8]) -> Option<&[u8]> {
    // All but a few URLs begin with one of two schemes.
    if let [b'h', b't', b't', b'p', b's', b':', b'/', b'/', rest @ ..]
    | [b'h', b't', b't', b'p', b':', b'/', b'/', rest @ ..] = url
    {
        return Some(rest);
    }
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
