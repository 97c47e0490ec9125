//! The path of a rule, and whether it matches whatever another matches.

use crate::dialect::Dialect;
use crate::error::Error;
use crate::rules::single_rule::canonical;

/// The path of a rule as it is compared.
pub(super) struct Path {
    /// Without the final `$`.
    pub(super) octets: Vec<u8>,
    pub(super) anchored: bool,
    /// The octets before the first wildcard.
    literal: usize,
}

impl Path {
    pub(super) fn new(value: &[u8], dialect: Dialect) -> Result<Path, Error> {
        let anchored = dialect.has_wildcards() && value.ends_with(b"$");
        let mut octets = canonical(value, dialect)?;
        if anchored {
            octets.pop();
        }
        let star = memchr::memchr(b'*', &octets).filter(|_| dialect.has_wildcards());
        Ok(Path {
            literal: star.unwrap_or(octets.len()),
            octets,
            anchored,
        })
    }

    /// SPEC 8.7.
    pub(super) fn length(&self) -> usize {
        self.octets.len() + usize::from(self.anchored)
    }

    pub(super) fn is_literal(&self) -> bool {
        self.literal == self.octets.len()
    }

    /// The octets before the first wildcard.
    pub(super) fn prefix(&self) -> &[u8] {
        self.octets.get(..self.literal).unwrap_or(&self.octets)
    }

    /// It matches everything that begins with its prefix.
    pub(super) fn is_open(&self) -> bool {
        let rest = self.octets.get(self.literal..).unwrap_or_default();
        rest.iter().all(|octet| *octet == b'*') && (!self.anchored || !rest.is_empty())
    }

    /// Whether it matches whatever `other` matches: its stars stand for parts of the other's path, wildcards
    /// among them, and everything else is the same.
    pub(super) fn covers(&self, other: &Path) -> bool {
        if self.is_open() {
            // The path of every URL begins with `/`.
            return matches!(self.prefix(), b"" | b"/")
                || other.prefix().starts_with(self.prefix());
        }
        let ends_open = |path: &Path| !path.anchored || path.octets.last() == Some(&b'*');
        if !ends_open(self) && ends_open(other) {
            return false;
        }
        let Some(rest) = other.octets.strip_prefix(self.prefix()) else {
            return false;
        };
        let tail = self.octets.get(self.literal..).unwrap_or_default();
        let exact = !ends_open(self);
        let Some(star) = memchr::memrchr(b'*', tail) else {
            return !exact || rest.is_empty();
        };
        // The last piece of an anchored path stands at the end, the others wherever they come first.
        let (pieces, last) = match tail.split_at_checked(star) {
            Some((pieces, [_, last @ ..])) if exact => (pieces, last),
            _ => (tail, &b""[..]),
        };
        let mut rest = rest;
        for piece in pieces.split(|octet| *octet == b'*') {
            let Some(at) = memchr::memmem::find(rest, piece) else {
                return false;
            };
            rest = rest.get(at + piece.len()..).unwrap_or_default();
        }
        rest.ends_with(last)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn covers(path: &str, other: &str) -> bool {
        let path_of = |text: &str| Path::new(text.as_bytes(), Dialect::Rfc9309).unwrap();
        path_of(path).covers(&path_of(other))
    }

    /// SPEC 8.2, 8.3, 8.4
    #[test]
    fn a_path_covers_what_is_certain() {
        for (path, other) in [
            ("/a", "/a"),
            ("/a", "/ab"),
            ("/a*", "/a"),
            ("/a", "/a*"),
            ("/", "*x"),
            ("*", "/"),
            ("/*b", "/ab"),
            ("/*b", "/*ab"),
            ("/*b", "/*b*c"),
            ("/*b*", "/*b$"),
            ("/*b$", "/ab$"),
            ("/*a*b$", "/axb$"),
            ("/a*$", "/ab"),
            ("/**", "/*"),
            ("/a", "/a$"),
            ("/*a", "/%61"),
            ("/a*b", "/ab*"),
        ] {
            assert!(covers(path, other), "{path} {other}");
        }
        for (path, other) in [
            ("/ab", "/a"),
            ("/a$", "/a"),
            ("/*b$", "/ab"),
            ("/*b", "/a*"),
            ("/*/x", "*/x"),
            ("/*7", "/*"),
            ("/*%7F", "/*"),
            ("/*ab*b$", "/ab$"),
            ("/a*b$", "/ab*"),
        ] {
            assert!(!covers(path, other), "{path} {other}");
        }
    }
}
