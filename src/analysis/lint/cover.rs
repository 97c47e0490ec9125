//! The path of a rule, and whether it matches all that another path matches.

use crate::rule::RulePath;

impl RulePath<'_> {
    /// Whether it matches all that `other` matches: its stars match parts of the other path, wildcards included, and
    /// the rest is equal.
    pub(in crate::analysis) fn covers(&self, other: &RulePath<'_>) -> bool {
        if self.is_open() {
            // The path of every URL begins with `/`.
            return matches!(self.prefix(), b"" | b"/")
                || other.prefix().starts_with(self.prefix());
        }
        if self.ends() && !other.ends() {
            return false;
        }
        let Some(rest) = other.bytes.strip_prefix(self.prefix()) else {
            return false;
        };
        let tail = self.rest();
        let exact = self.ends();
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
    use crate::dialect::Dialect;
    use crate::rules::single_rule::canonical;

    fn covers(path: &str, other: &str) -> bool {
        let [path, other] =
            [path, other].map(|text| canonical(text.as_bytes(), Dialect::Rfc9309).unwrap());
        let [path, other] = [&path, &other].map(|path| RulePath::split(path, Dialect::Rfc9309));
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
