//! The path of a rule, and whether it matches all that another path matches.

use crate::dialect::Dialect;

/// The path of a rule in canonical form.
#[derive(Clone, Copy)]
pub(super) struct RulePath<'a> {
    /// Without the final `$`.
    pub(super) bytes: &'a [u8],
    pub(super) anchored: bool,
    /// The number of bytes before the first wildcard.
    literal: usize,
}

impl<'a> RulePath<'a> {
    /// Reads a canonical path.
    pub(super) fn new(canonical: &'a [u8], dialect: Dialect) -> RulePath<'a> {
        let without_end = canonical.strip_suffix(b"$");
        let without_end = without_end.filter(|_| dialect.has_wildcards());
        let bytes = without_end.unwrap_or(canonical);
        let star = memchr::memchr(b'*', bytes).filter(|_| dialect.has_wildcards());
        RulePath {
            literal: star.unwrap_or(bytes.len()),
            bytes,
            anchored: without_end.is_some(),
        }
    }

    /// SPEC 8.7.
    pub(super) fn length(&self) -> usize {
        self.bytes.len() + usize::from(self.anchored)
    }

    pub(super) fn is_literal(&self) -> bool {
        self.literal == self.bytes.len()
    }

    /// Returns the bytes before the first wildcard.
    pub(super) fn prefix(self) -> &'a [u8] {
        self.bytes.get(..self.literal).unwrap_or(self.bytes)
    }

    /// Whether it matches everything that begins with its prefix.
    pub(super) fn is_open(&self) -> bool {
        let rest = self.bytes.get(self.literal..).unwrap_or_default();
        rest.iter().all(|byte| *byte == b'*') && (!self.anchored || !rest.is_empty())
    }

    /// Whether it matches all that `other` matches: its stars match parts of the other path, wildcards included, and
    /// the rest is equal.
    pub(super) fn covers(&self, other: &RulePath<'_>) -> bool {
        if self.is_open() {
            // The path of every URL begins with `/`.
            return matches!(self.prefix(), b"" | b"/")
                || other.prefix().starts_with(self.prefix());
        }
        let ends_open = |path: &RulePath<'_>| !path.anchored || path.bytes.last() == Some(&b'*');
        if !ends_open(self) && ends_open(other) {
            return false;
        }
        let Some(rest) = other.bytes.strip_prefix(self.prefix()) else {
            return false;
        };
        let tail = self.bytes.get(self.literal..).unwrap_or_default();
        let exact = !ends_open(self);
        let Some(star) = memchr::memrchr(b'*', tail) else {
            return !exact || rest.is_empty();
        };
        // The last piece of an anchored path must be at the end; the others match at the first position.
        let (pieces, last) = match tail.split_at_checked(star) {
            Some((pieces, [_, last @ ..])) if exact => (pieces, last),
            _ => (tail, &b""[..]),
        };
        let mut rest = rest;
        for piece in pieces.split(|byte| *byte == b'*') {
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
    use crate::rules::single_rule::canonical;

    fn covers(path: &str, other: &str) -> bool {
        let [path, other] =
            [path, other].map(|text| canonical(text.as_bytes(), Dialect::Rfc9309).unwrap());
        let [path, other] = [&path, &other].map(|path| RulePath::new(path, Dialect::Rfc9309));
        path.covers(&other)
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
