//! The dialects, with one method for each simple difference. Any other difference is a `match` in the file that needs it.

codes! {
    /// An interpretation of the protocol. RFC 9309, Google's matcher and the draft of 1996 disagree in some points; the dialect
    /// says which of these three sources holds.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[repr(u8)]
    pub enum Dialect: robots_dialect("ROBOTS_DIALECT_") in crawler, "Values of `ROBOTS_OPT_DIALECT`." {
        /// RFC 9309, the standard and the default.
        Rfc9309 = 0 ROBOTS_DIALECT_RFC9309 #[default],
        /// The results of Google's open-source matcher.
        Google = 1 ROBOTS_DIALECT_GOOGLE,
        /// The first draft, by Martijn Koster, of 1996: no wildcards, the first rule that matches decides.
        Koster1996 = 2 ROBOTS_DIALECT_KOSTER1996,
    }
    ALL: pub, from_code: pub u64
}

impl Dialect {
    /// Returns whether a byte is white space, which is ignored around field, colon and value (SPEC 5.1).
    #[inline]
    pub(crate) const fn is_space(self, byte: u8) -> bool {
        match self {
            Dialect::Google => matches!(byte, b' ' | b'\t' | b'\n' | 0x0B | 0x0C | b'\r'),
            _ => matches!(byte, b' ' | b'\t'),
        }
    }

    /// Returns `text` without the white space around it (SPEC 5.1).
    #[inline(always)]
    pub(crate) fn trim(self, text: &[u8]) -> &[u8] {
        let mut text = self.trim_start(text);
        while let [rest @ .., last] = text {
            if *last > b' ' || !self.is_space(*last) {
                break;
            }
            text = rest;
        }
        text
    }

    #[inline(always)]
    pub(crate) fn trim_start(self, mut text: &[u8]) -> &[u8] {
        while let [first, rest @ ..] = text {
            if *first > b' ' || !self.is_space(*first) {
                break;
            }
            text = rest;
        }
        text
    }

    /// Returns whether only the start of a field is compared with the known names: `Allowance: /x` is an allow line (SPEC 5.6).
    #[inline]
    pub(crate) const fn fields_by_prefix(self) -> bool {
        matches!(self, Dialect::Google)
    }

    /// Returns whether a NUL ends a line (SPEC 4.4). For the path of a URL, `url/target.rs` asks for the dialect itself.
    #[inline]
    pub(crate) const fn nul_ends(self) -> bool {
        matches!(self, Dialect::Google)
    }

    /// Returns whether a line that the size limit cuts counts up to the cut. If not, the whole line is ignored (SPEC 4.5).
    #[inline]
    pub(crate) const fn keeps_cut_line(self) -> bool {
        matches!(self, Dialect::Google)
    }

    /// Returns how many bytes of a line count (SPEC 4.6).
    #[inline]
    pub(crate) const fn line_limit(self) -> usize {
        match self {
            Dialect::Google => crate::base::limits::GOOGLE_LINE,
            _ => usize::MAX,
        }
    }

    /// Returns whether a byte may be in a product token (SPEC 7.3, 7.6).
    #[inline]
    pub(crate) const fn is_token_byte(self, byte: u8) -> bool {
        match self {
            Dialect::Google => byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-'),
            Dialect::Rfc9309 => byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'),
            // A token of RFC 1945.
            Dialect::Koster1996 => {
                byte.is_ascii_graphic()
                    && !matches!(
                        byte,
                        b'(' | b')' | b'<' | b'>' | b'@' | b',' | b';' | b':' | b'\\' | b'"'
                    )
                    && !matches!(byte, b'/' | b'[' | b']' | b'?' | b'=' | b'{' | b'}')
            }
        }
    }

    /// Returns whether a blank line ends a record (SPEC 6.6).
    #[inline]
    pub(crate) const fn blank_line_ends_record(self) -> bool {
        matches!(self, Dialect::Koster1996)
    }

    /// Returns whether groups that name the same product token are one group. If not, only the first of these groups counts
    /// (SPEC 6.4, 7.8).
    #[inline]
    pub(crate) const fn merges_groups(self) -> bool {
        !matches!(self, Dialect::Koster1996)
    }

    /// Returns whether `*` and a final `$` of a rule are special (SPEC 8.3, 8.4, 8.6).
    #[inline]
    pub(crate) const fn has_wildcards(self) -> bool {
        !matches!(self, Dialect::Koster1996)
    }

    /// Returns whether the first matching rule of the file wins instead of the longest (SPEC 8.7).
    #[inline]
    pub(crate) const fn first_match_wins(self) -> bool {
        matches!(self, Dialect::Koster1996)
    }

    /// Returns whether a verdict reports the line of a rule with an empty path if no other rule matches (SPEC 8.8).
    #[inline]
    pub(crate) const fn reports_empty_rules(self) -> bool {
        matches!(self, Dialect::Google)
    }

    /// Returns whether `/robots.txt` itself is always allowed (SPEC 8.9).
    #[inline]
    pub(crate) const fn frees_robots_txt(self) -> bool {
        !matches!(self, Dialect::Google)
    }

    /// Returns whether all readings of a URL are checked: the paths that different clients send for the URL (SPEC 8.11).
    #[inline]
    pub(crate) const fn has_readings(self) -> bool {
        !matches!(self, Dialect::Google)
    }

    /// Returns whether `Allow: /x/index.html` also allows `/x/$` (SPEC 8.10).
    #[inline]
    pub(crate) const fn index_stands_for_directory(self) -> bool {
        matches!(self, Dialect::Google)
    }
}
